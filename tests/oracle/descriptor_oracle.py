#!/usr/bin/env python3
"""Random .amdhsa_kernel directives of every generation: the descriptor's bytes, or that there is an error, as
llvm-mc-22 says.

usage: descriptor_oracle.py TOOL [KERNELS [SEED]]
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile

TOOL = sys.argv[1]
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 200
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
MC, OBJCOPY = shutil.which("llvm-mc-22"), shutil.which("llvm-objcopy-22")
if not MC or not OBJCOPY:
    print("skipped: llvm-mc-22 and llvm-objcopy-22 are needed")
    sys.exit(77)
PROCESSORS = ("gfx600 gfx601 gfx700 gfx705 gfx801 gfx802 gfx803 gfx810 gfx900 gfx902 gfx906 gfx908 gfx90a gfx90c gfx942 gfx950 gfx1010 gfx1030 "
              "gfx1100 gfx1150 gfx1200 gfx1201 gfx1250").split()
ROWS = [line.split() for line in subprocess.run([TOOL, "directives"], text=True, capture_output=True, check=True).stdout.splitlines()]


def directives(rng, processor):
    chosen = {"next_free_vgpr": rng.choice([0, 1, 4, 8, 9, 24, 32, 64, 100, 128, 200, 256, 257, 512]),
              "next_free_sgpr": rng.choice([0, 1, 8, 16, 30, 90, 96, 100, 102, 104, 106])}
    if processor in ("gfx90a", "gfx942", "gfx950"):
        chosen["accum_offset"] = rng.choice([4, 8, 16, 100, 256, 3])
    for _ in range(rng.randint(0, 5)):
        name, bits = rng.choice(ROWS)
        if name in ("next_free_vgpr", "next_free_sgpr", "accum_offset"):
            continue
        if name == "reserve_xnack_mask":  # must repeat the target id's setting there
            continue
        chosen[name] = rng.choice([0, 1, rng.randrange(1 << min(int(bits), 32))])
    return chosen


def ask_llvm(folder, processor, chosen):
    source = "k:\n s_endpgm\n.rodata\n.p2align 6\n.amdhsa_kernel k\n" + "".join(f".amdhsa_{k} {v}\n" for k, v in chosen.items()) + ".end_amdhsa_kernel\n"
    obj, raw = os.path.join(folder, "k.o"), os.path.join(folder, "k.bin")
    done = subprocess.run([MC, "-triple", "amdgcn-amd-amdhsa", "-mcpu=" + processor, "-filetype=obj", "-o", obj],
                          input=source, text=True, capture_output=True)
    if done.returncode:
        return "error: " + done.stderr.split("error: ")[1].split("\n")[0]
    subprocess.run([OBJCOPY, "-O", "binary", "-j", ".rodata", obj, raw], check=True)
    return open(raw, "rb").read().hex()


def main():
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    lines, theirs = [], []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(COUNT):
            processor = rng.choice(PROCESSORS)
            chosen = directives(rng, processor)
            lines.append(processor + " " + " ".join(f"{k}={v}" for k, v in chosen.items()))
            theirs.append(ask_llvm(folder, processor, chosen))
    ours = subprocess.run([TOOL], input="\n".join(lines) + "\n", text=True, capture_output=True,
                          check=True).stdout.splitlines()
    failures = 0
    for line, a, b in zip(lines, ours, theirs):
        if a != b and not (a.startswith("error") and b.startswith("error")):
            failures += 1
            print(f"{line}\n  ours {a}\n  llvm {b}")
    print(f"{COUNT} kernels, {sum(b.startswith('error') for b in theirs)} with errors, {failures} differ")
    sys.exit(bool(failures))


main()
