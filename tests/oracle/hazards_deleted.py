#!/usr/bin/env python3
"""Takes every s_nop that clang-22 put into kernels out, one at a time (every 16th, unless processors are named): `lint
--waits` finds each (OG505); in the code as compiled it finds none. Two kinds of s_nop keep no wait states and are left
out: what breaks up soft clauses of memory instructions for XNACK, and what LLVM puts behind packed instructions of
gfx942, of which it takes op_sel_hi for a selection of the result's half.

usage: hazards_deleted.py OFFGRID [PROCESSOR...]
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

sys.argv, ours = sys.argv[:2], sys.argv[2:]
from waits_deleted import OFFGRID, ROOT, toolchain  # noqa: E402

PROCESSORS = ours or ["gfx803", "gfx900", "gfx942"]
MEMORY = re.compile(r"\t(s_load|s_buffer_load|global_|flat_|scratch_|buffer_)")
PACKED = re.compile(r"\tv_(pk|dot)")
NOP = re.compile(r"\ts_nop (\d+)\n")


def found(assembly, folder, processor):
    """How many OG505 lint tells of a source; None where it does not assemble."""
    source, built = os.path.join(folder, "k.s"), os.path.join(folder, "k.o")
    with open(source, "w", encoding="utf-8") as file:
        file.write(assembly)
    made = subprocess.run([OFFGRID, "as", f"-mcpu={processor}", source, "-o", built], capture_output=True, text=True, check=False)
    if made.returncode:
        return None, made.stderr
    said = subprocess.run([OFFGRID, "lint", "--waits", built], capture_output=True, text=True, check=False).stderr
    return said.count("[OG505]"), said


def instructions(text):
    return [line for line in text.splitlines() if line.startswith("\t") and not line.startswith(("\t.", "\t;"))]


def is_left_out(before, after, processor):
    """Whether what stands there is no matter of wait states."""
    last, following = instructions(before[-2000:]), instructions(after[:1000])
    clause = last and following and MEMORY.match(last[-1]) and MEMORY.match(following[0])
    packed = processor in ("gfx942", "gfx950") and any(PACKED.match(line) for line in last[-2:])
    return clause or packed


def main():
    if toolchain.missing("clang-22"):
        print("skipped: needs clang-22")
        sys.exit(77)
    removed = failed = left_out = 0
    with tempfile.TemporaryDirectory() as folder:
        for processor in PROCESSORS:
            for path in sorted(glob.glob(os.path.join(ROOT, "tests/programs/opencl/*.cl")))[:6 if not ours else None]:
                output = os.path.join(folder, "k.asm")
                done, messages = toolchain.compile_opencl(path, output, "2", processor, ["-S"])
                if not done:
                    sys.exit(messages)
                assembly = open(output, encoding="utf-8").read()
                count, said = found(assembly, folder, processor)
                if count != 0:
                    failed += 1
                    print(f"{os.path.basename(path)} {processor} as compiled: {count} {said[:600]}")
                    continue
                for nop in list(NOP.finditer(assembly))[::1 if ours else 16]:
                    if is_left_out(assembly[:nop.start()], assembly[nop.end():], processor):
                        left_out += 1
                        continue
                    count, _ = found(assembly[:nop.start()] + assembly[nop.end():], folder, processor)
                    removed += 1
                    if not count:
                        failed += 1
                        before, after = assembly[:nop.start()].splitlines()[-4:], assembly[nop.end():].splitlines()[:2]
                        print(f"{os.path.basename(path)} {processor} without{nop[0].rstrip()}: {count}\n" + "\n".join(before + ["-->"] + after))
    print(f"{removed} taken out, {left_out} left out, {failed} failed")
    sys.exit(bool(failed) or not removed)


main()
