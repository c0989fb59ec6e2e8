#!/usr/bin/env python3
"""Kernel descriptors with every single bit set, and with random ones, on each processor: objdump prints them, or refuses
them, as llvm-objdump-22 does. So every field stands in the bits and on the generations where LLVM has it.

usage: descriptor_bits.py OFFGRID [RANDOM_PER_PROCESSOR [SEED]]
"""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

OFFGRID = sys.argv[1]
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 100
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
MC, OBJDUMP = shutil.which("llvm-mc-22"), shutil.which("llvm-objdump-22")
if not MC or not OBJDUMP:
    print("skipped: llvm-mc-22 and llvm-objdump-22 are needed")
    sys.exit(77)
# LLVM disassembles nothing for gfx6 and gfx7.
PROCESSORS = ("gfx802 gfx803 gfx900 gfx906 gfx908 gfx90a gfx942 gfx950 gfx1010 gfx1011 gfx1013 gfx1030 "
              "gfx1100 gfx1150 gfx1200 gfx1250 gfx1251").split()
BITS = 8 * 64
# Where a bit of the entry's offset stands nothing is to see: not in the words 4 and 5.
SEEN = [bit for bit in range(BITS) if not 16 * 8 <= bit < 24 * 8]
WORDS = ((44 * 8, 32), (48 * 8, 32), (52 * 8, 32), (56 * 8, 16), (58 * 8, 16))


def descriptors(rng, wave32):
    """One for each bit, with the bit of wave32 as asked for; then those with two to eight bits in the words that matter."""
    base = 1 << (56 * 8 + 10) if wave32 else 0
    for bit in SEEN:
        yield base ^ 1 << bit
    for _ in range(COUNT):
        value = base
        for _ in range(rng.randint(2, 8)):
            start, size = rng.choice(WORDS)
            value ^= 1 << start + rng.randrange(size)
        yield value


def source(values):
    lines = [".rodata", ".p2align 6"]
    for i, value in enumerate(values):
        data = ",".join(str(byte) for byte in value.to_bytes(64, "little"))
        lines += [f".globl k{i}.kd", f".type k{i}.kd,@object", f".size k{i}.kd,64", f"k{i}.kd:", f".byte {data}"]
    return "\n".join(lines) + "\n"


def dump(command, path):
    """What it prints for each descriptor: None where it refuses it."""
    done = subprocess.run([*command, "-D", "-j", ".rodata", path], text=True, capture_output=True)
    parts = re.split(r"^[0-9a-f]+ <(k\d+)\.kd>:\n", done.stdout, flags=re.M)[1:]
    texts = dict(zip(parts[::2], parts[1::2]))
    return {name: text.strip() if ".amdhsa_" in text else None for name, text in texts.items()}


def main():
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    compared = refused = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.o")
        for processor in PROCESSORS:
            for wave32 in (False, True) if processor.startswith("gfx1") else (False,):
                values = list(descriptors(rng, wave32))
                subprocess.run([MC, "-triple", "amdgcn-amd-amdhsa", "-mcpu=" + processor, "-filetype=obj", "-o", path],
                               input=source(values), text=True, check=True)
                ours, theirs = dump([OFFGRID, "objdump"], path), dump([OBJDUMP], path)
                for i, value in enumerate(values):
                    a, b = ours.get(f"k{i}", "missing"), theirs.get(f"k{i}", "missing")
                    compared, refused = compared + 1, refused + (b is None)
                    if a != b:
                        failures += 1
                        bits = [bit for bit in range(BITS) if value >> bit & 1]
                        print(f"{processor} bits {' '.join(f'{bit // 32 * 4}.{bit % 32}' for bit in bits)}\n"
                              f"  ours {a and a[:3000]}\n  llvm {b and b[:3000]}")
    print(f"{compared} descriptors, {refused} refused by LLVM, {failures} differ")
    sys.exit(bool(failures))


main()
