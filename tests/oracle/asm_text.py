#!/usr/bin/env python3
"""Assembly text against llvm-mc-22: asm_text.py OFFGRID MCPU COUNT [SEED]. Random words, disassembled by llvm-mc, make
the sources; both assemblers must take them and print the same text and bytes, but for what asm_known.py explains.
Exit 77 without llvm-mc-22."""
import random
import re
import shutil
import subprocess
import sys

import asm_generate
import asm_known

LLVM = shutil.which("llvm-mc-22")
if not LLVM:
    sys.exit(77)
offgrid, mcpu, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.SystemRandom().randrange(1 << 32)
print(f"seed {seed}")
rng = random.Random(seed)
# Leading bits of the encodings: value, width.
PREFIXES = [(0b10, 2), (0b1011, 4), (0b101111101, 9), (0b101111110, 9), (0b101111111, 9), (0b0, 1), (0b0111111, 7),
            (0b0111110, 7),
            (0b110100, 6), (0b110101, 6), (0b110000, 6), (0b110110, 6), (0b110111, 6), (0b111000, 6), (0b111010, 6),
            (0b111100, 6),
            (0b110001, 6), (0b111101, 6), (0b110011, 6), (0b110100111, 9)]


def word():
    value, width = rng.choice(PREFIXES)
    low = value << (32 - width) | rng.getrandbits(32 - width)
    if rng.random() < 0.15 and low >> 31 == 0:
        low = low & ~0x1ff | rng.choice((0xf9, 0xfa))  # SDWA, DPP
    high = rng.getrandbits(32)
    if rng.random() < 0.5:  # fewer bits, so that reserved ones are zero more often
        high &= rng.getrandbits(32)
    if rng.random() < 0.3:
        low &= ~(rng.getrandbits(20) << 1)
    return low | high << 32


def run(command, text, timeout=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, timeout=timeout)


def instructions(text):
    """canonical text -> encoding, in order"""
    return re.findall(r"^\t(\S.*?)\s*; encoding: (\[.*?\])", text, re.M)


def encode_all(tool, lines):
    """In portions, as an assembler stops after so many errors."""
    return [item for start in range(0, len(lines), 500) for item in encode(tool, lines[start:start + 500])]


def encode(tool, lines):
    """Assembles each line for itself in effect: those refused are named on standard error by line."""
    result = run(tool + [f"-triple=amdgcn-amd-amdhsa", f"-mcpu={mcpu}", "-show-encoding"], "\n".join(lines) + "\n")
    refused = {int(n): message for n, message in re.findall(r"<stdin>:(\d+):\d+: error: (.*)", result.stderr)}
    got = instructions(result.stdout)
    out, at = [], 0
    for i in range(1, len(lines) + 1):
        if i in refused:
            out.append(("refused", refused[i]))
        elif at < len(got):
            out.append(got[at])
            at += 1
    if at == len(got) and len(out) == len(lines):
        return out
    if len(lines) == 1:  # llvm-mc refuses some lines and encodes them all the same
        return [("refused", refused[1])] if refused else got[:1]
    middle = len(lines) // 2
    return encode(tool, lines[:middle]) + encode(tool, lines[middle:])


listing = ""
for start in range(0, count, 200):  # some words make llvm-mc stop or hang: that batch is lost
    words = [word() for _ in range(min(200, count - start))]
    hex_text = "\n".join(",".join(f"0x{w >> 8 * i & 255:02x}" for i in range(8)) for w in words)
    try:
        listing += run([LLVM, "-disassemble", "-triple=amdgcn-amd-amdhsa", f"-mcpu={mcpu}"], hex_text, 10).stdout
    except subprocess.TimeoutExpired:
        pass
lines = sorted({l.strip() for l in listing.splitlines() if re.match(r"\t[a-z]", l) and "/*" not in l
                and "invalid_" not in l})
rng.shuffle(lines)
expected = encode_all([LLVM], lines)
actual = encode_all([offgrid, "mc"], lines)
different = [(l, e, a) for l, e, a in zip(lines, expected, actual) if e != a and not (e[0] == a[0] == "refused")]
explained = [d for d in different if asm_known.cause(*d, asm_generate.GENERATION[mcpu]) is not None]
different = [d for d in different if d not in explained]
for line, e, a in different[:int(sys.argv[5]) if len(sys.argv) > 5 else 40]:
    print(f"{line}\n  llvm    {e}\n  offgrid {a}")
print(f"{mcpu}: {len(lines)} instructions, {len(different)} differences, {len(explained)} that docs/assembler.md names")
sys.exit(bool(different))
