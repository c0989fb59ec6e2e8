#!/usr/bin/env python3
"""Assembles what compilers print, here and with the llvm-mc of the same age: the object files must be equal byte for byte.
OpenCL kernels through clang-22 for code object V4 to V6, plain IR through llc-15 for V2 and V3.

usage: object_oracle.py OFFGRID [SOURCES [SEED [PROCESSOR...]]]
"""
import glob
import os
import random
import shutil
import subprocess
import sys
import tempfile

OFFGRID = sys.argv[1]
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 30
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
NEEDED = ("clang-22", "llvm-mc-22", "llc-15", "llvm-mc-15")
if any(shutil.which(t) is None for t in NEEDED):
    print("skipped: needs " + ", ".join(NEEDED))
    sys.exit(77)
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
KERNELS = sorted(glob.glob(os.path.join(ROOT, "tests/programs/**/*.cl"), recursive=True) + glob.glob(os.path.join(ROOT, "examples/**/*.cl"), recursive=True))
PROCESSORS = sys.argv[4:] or ["gfx803", "gfx900", "gfx906"]
IR = """target triple = "amdgcn-amd-amdhsa"
@table = addrspace(4) constant [{n} x i32] zeroinitializer
@lds = internal addrspace(3) global [{n} x i32] undef
define internal i32 @callee(i32 %x) noinline {{
  %y = mul i32 %x, {n}
  ret i32 %y
}}
define amdgpu_kernel void @k{n}(i32 addrspace(1)* %out, i32 %n) {{
  %1 = call i32 @callee(i32 %n)
  %2 = getelementptr [{n} x i32], [{n} x i32] addrspace(4)* @table, i32 0, i32 %1
  %3 = load i32, i32 addrspace(4)* %2
  store i32 %3, i32 addrspace(1)* %out
  %4 = getelementptr [{n} x i32], [{n} x i32] addrspace(3)* @lds, i32 0, i32 %3
  store i32 %1, i32 addrspace(3)* %4
  ret void
}}
"""


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True)


def from_clang(rng, folder):
    kernel, processor, version, level = rng.choice(KERNELS), rng.choice(PROCESSORS), rng.choice([4, 5, 6]), rng.choice(["-O0", "-O1", "-O2"])
    source = os.path.join(folder, "k.s")
    done = run("clang-22", "-target", "amdgcn-amd-amdhsa", "-mcpu=" + processor, "-nogpulib", "-x", "cl", "-cl-std=CL2.0", "-Xclang", "-finclude-default-header",
               "-w", level, f"-mcode-object-version={version}", "-S", kernel, "-o", source)
    return None if done.returncode else (source, processor, version, "llvm-mc-22", f"{os.path.basename(kernel)} {level}")


def from_llc15(rng, folder):
    processor, version, n = rng.choice(["gfx701", "gfx803", "gfx900", "gfx906"]), rng.choice([2, 3]), rng.randint(1, 1000)
    source = os.path.join(folder, "k.s")
    done = run("llc-15", "-mcpu=" + processor, f"--amdhsa-code-object-version={version}", "-o", source, text=IR.format(n=n))
    return None if done.returncode else (source, processor, version, "llvm-mc-15", f"IR {n}")


def main():
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    equal = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        while equal + failures < COUNT:
            made = (from_llc15 if rng.random() < 0.2 else from_clang)(rng, folder)
            if not made:
                continue
            source, processor, version, mc, title = made
            theirs, ours = os.path.join(folder, "theirs.o"), os.path.join(folder, "ours.o")
            done = run(mc, "-triple", "amdgcn-amd-amdhsa", "-mcpu=" + processor, f"--amdhsa-code-object-version={version}", "-filetype=obj", source, "-o", theirs)
            if done.returncode:
                continue
            done = run(OFFGRID, "as", "-mcpu=" + processor, f"-mcode-object-version={version}", source, "-o", ours)
            if done.returncode == 0 and open(ours, "rb").read() == open(theirs, "rb").read():
                equal += 1
                continue
            failures += 1
            reason = done.stderr.splitlines()[0] if done.returncode else "the bytes differ"
            print(f"{title}, {processor}, V{version}: {reason}")
    print(f"{COUNT} sources, {failures} differ")
    sys.exit(bool(failures))


main()
