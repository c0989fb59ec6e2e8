#!/usr/bin/env python3
"""Random fields of .amd_kernel_code_t (code object V2): the 256 bytes, or that there is an error, as llvm-mc-15 says.

usage: kernel_code_oracle.py OFFGRID [SOURCES [SEED]]
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
MC, OBJCOPY = shutil.which("llvm-mc-15"), shutil.which("llvm-objcopy-22")
if not MC or not OBJCOPY:
    print("skipped: llvm-mc-15 and llvm-objcopy-22 are needed")
    sys.exit(77)
PROCESSORS = "gfx700 gfx701 gfx801 gfx803 gfx900 gfx902 gfx906 gfx1010 gfx1030".split()
TABLE = os.path.join(os.path.dirname(__file__), "../../src/object/kernel/kernel_code.c")
# Those that are printed, for LLVM has no parts of fields: with the size in bytes, 0 for bits.
TEXT = open(TABLE).read()
FIELDS = [(name, int(size)) for name, size in re.findall(r'^    WORD\("(\w+)", [^,]+, \d+, (\d+)\)', TEXT, re.M)]
FIELDS += [(name, 0) for name in re.findall(r'^    (?:SAME|SPAN|BITS)\("(\w+)"', TEXT, re.M)]


def source(rng, processor):
    lines = [".text", ".p2align 8", "k:", ".amd_kernel_code_t"]
    for name, size in rng.sample(FIELDS, rng.randint(1, 8)):
        # Of bits LLVM cuts what does not fit, which is an error here.
        most = 1 << 8 * min(size, 4) - 1 if size else 16 if re.search("granulated|user_sgpr|exception$", name) else 2
        lines.append(f"{name} = {rng.choice([0, 1, rng.randrange(most)])}")
    if not processor.startswith("gfx10"):
        lines = [line for line in lines if not re.match(r"enable_(wavefront_size32|wgp|mem_ord|fwd)", line)]
    elif not any(line.startswith("enable_fwd_progress") for line in lines):
        lines.append("enable_fwd_progress = 1")  # the default since; in LLVM 15 it was 0
    return "\n".join(lines + [".end_amd_kernel_code_t", "s_endpgm"]) + "\n"


def answer(command, path, text):
    """The 256 bytes, or None."""
    done = subprocess.run([*command, "-filetype=obj", "-o", path], input=text, text=True, capture_output=True)
    if done.returncode:
        return None
    subprocess.run([OBJCOPY, "-O", "binary", "-j", ".text", path, path + ".bin"], check=True)
    return open(path + ".bin", "rb").read()[:256]


def main():
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    failures = refused = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "k.o")
        for _ in range(COUNT):
            processor = rng.choice(PROCESSORS)
            text = source(rng, processor)
            options = ["-triple=amdgcn-amd-amdhsa", "-mcpu=" + processor, "--amdhsa-code-object-version=2"]
            theirs, ours = answer([MC, *options], path, text), answer([OFFGRID, "mc", *options], path, text)
            refused += theirs is None
            if ours != theirs:
                failures += 1
                print(f"{processor}\n{text}  ours {ours and ours.hex()}\n  llvm {theirs and theirs.hex()}")
    print(f"{COUNT} sources over {len(FIELDS)} fields, {refused} refused by LLVM, {failures} differ")
    sys.exit(bool(failures))


main()
