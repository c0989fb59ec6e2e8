#!/usr/bin/env python3
"""`offgrid dis` names what assembles: instructions are written from the tables (asm_generate.py), assembled by offgrid, and
their code is disassembled as an object's. A mnemonic that only ever comes back as words (".long ... // text") is an error,
but for those in WORDS.

usage: dis_names.py OFFGRID LINES [PROCESSOR,... [SEED]]; without processors one of each generation. LINES are written for
each processor, and those of a mnemonic that never came back named again, MORE for each, before it counts."""
import collections
import random
import re
import subprocess
import sys
import tempfile

import asm_generate

MORE = 40
SUFFIXES = re.compile(r"(_e(32|64))?(_dpp|_sdwa)?$")
# What reads back to other code, with whatever operands.
WORDS = {"v_nop": "e64, SDWA and DPP forms have the short form's text", "v_clrexcp": "the same", "v_pipeflush": "the same"}


def disassembled(offgrid, processor, codes):
    """Lines that are instructions or words."""
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"".join(codes))
        file.flush()
        done = subprocess.run([offgrid, "dis", "-mcpu=" + processor, file.name], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def seen(offgrid, processor, lines, named, words):
    """Counts the mnemonics of what assembles."""
    codes = set()
    for text, code in asm_generate.assemble([offgrid, "mc"], processor, lines):
        if text not in ("refused", "crash") and "A" not in code:
            codes.add(bytes(int(byte, 16) for byte in code.strip("[]").split(",")))
    for line in disassembled(offgrid, processor, sorted(codes)):
        if found := re.match(r"\s+\.long\s.*// (\w+)(.*)", line):
            words[found[1]].append(found[1] + found[2])
        elif found := re.match(r"\s+([a-z]\w+)", line):
            named[found[1]] += 1
    return len(codes)


def check(offgrid, processor, count, seed):
    random.seed(f"{seed} {processor}")
    named, words = collections.Counter(), collections.defaultdict(list)
    writer = asm_generate.Writer(processor, f"{seed} {processor}", "", asm_generate.wave_of(processor, ""))
    total = seen(offgrid, processor, writer.lines(count), named, words)
    unnamed = {name for name in words if not named[name] and SUFFIXES.sub("", name) not in WORDS}
    plain = {SUFFIXES.sub("", name) for name in unnamed}
    forms = [form for form in writer.forms if SUFFIXES.sub("", form.name).split(" ")[0] in plain]
    again = [writer.instruction(form) for form in forms for _ in range(MORE)]
    total += seen(offgrid, processor, [line for line in again if line], named, words)
    unnamed = sorted(name for name in unnamed if not named[name])
    for name in unnamed:
        print(f"{processor}: {name} is never named: {words[name][0]}")
    print(f"{processor}: {total} instructions, {len(named)} mnemonics named, {len(unnamed)} never", flush=True)
    return not unnamed


def main():
    offgrid, count = sys.argv[1], int(sys.argv[2])
    processors = sys.argv[3].split(",") if len(sys.argv) > 3 else asm_generate.generations()
    seed = int(sys.argv[4]) if len(sys.argv) > 4 else random.SystemRandom().randrange(1 << 32)
    print(f"seed {seed}")
    fine = [check(offgrid, processor, count, seed) for processor in processors]
    sys.exit(0 if all(fine) else 1)


if __name__ == "__main__":
    main()
