#!/usr/bin/env python3
"""`offgrid readobj` prints what llvm-readobj-22 and llvm-readelf-22 print: objects of every system, code objects, stripped
and named ones and archives, each with every option and with random choices of several, byte for byte.

usage: readobj_oracle.py OFFGRID [MIXED [SEED [SHARE]]]   (how many choices of options for each file; each file has one of
SHARE parts of the options, one after another)
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile

import llc_ir

OFFGRID = os.path.abspath(sys.argv[1])
MIXED = int(sys.argv[2]) if len(sys.argv) > 2 else 6
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
SHARE = int(sys.argv[4]) if len(sys.argv) > 4 else 1
OPTIONS = ["-h", "-S", "-l", "-s", "-r", "-n", "-d", "-g", "-I", "-a", "-e", "-V", "-A", "--addrsig", "--dyn-syms", "--dt", "--wide",
           "--expand-relocs -r", "--demangle -s", "-C -r", "-C --no-demangle -s", "--hash-table", "--gnu-hash-table",
           "--dyn-relocations", "--needed-libs", "--section-mapping", "--stack-sizes", "--sr -S", "--st -S", "--sd -S",
           "-x .text -p .strtab", "-p .dynstr -x 1", "--expand-relocs --dyn-relocations", "-A -d --hash-table -C -s", "-t", "-t -S", "-X -s",
           "-X --dyn-syms", "-u"]
NAMES = """
@_ZN3foo3barE = addrspace(1) global i32 5
@_ZTV3Foo = addrspace(1) constant ptr @_Z3getRKSsPU3AS1fz
define amdgpu_kernel void @_Z6kernelPfRKi(ptr addrspace(1) %p) {
  %v = load volatile i32, ptr addrspace(1) @_ZN3foo3barE
  call void @_Z3getRKSsPU3AS1fz(i32 %v)
  ret void
}
define void @_Z3getRKSsPU3AS1fz(i32 %x) noinline {
  ret void
}
"""


def output(*command):
    return subprocess.run(command, capture_output=True, check=False, timeout=60).stdout


def run(*command):
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def files(rng, folder):
    """Objects of random IR and of C++ names, and what is made of them."""
    def path(name):
        return os.path.join(folder, name)
    for number, (system, triple) in enumerate([("amdhsa", "amdgcn-amd-amdhsa"), ("amdpal", "amdgcn-amd-amdpal"),
                                               ("mesa3d", "amdgcn-mesa-mesa3d"), ("", "amdgcn-unknown-unknown"),
                                               ("amdhsa", "amdgcn-amd-amdhsa")]):
        processor = rng.choice(["gfx803", "gfx900", "gfx90a", "gfx1030", "gfx1100", "gfx1200"])
        text = NAMES if number == 4 else llc_ir.module(rng, system, processor, triple)[0]
        open(path("k.ll"), "w", encoding="utf-8").write(text)
        made, linked = path(f"{number}.o"), path(f"{number}.so")
        if not run("llc-22", "-mtriple=" + triple, "-mcpu=" + processor, "-filetype=obj", path("k.ll"), "-o", made):
            continue
        yield made
        if system == "amdhsa":
            named = ["--build-id", "-soname", "libk.so"] if number == 4 else []
            if run("ld.lld-22", "-shared", *named, "--unresolved-symbols=ignore-all", made, "-o", linked):
                yield linked
                run("llvm-objcopy-22", "--strip-all", linked, path(f"{number}.stripped"))
                yield path(f"{number}.stripped")
            run("llvm-ar-22", "rc", path(f"{number}.a"), made, made)
            yield path(f"{number}.a")


def main():
    if not all(map(shutil.which, ("llc-22", "llvm-readobj-22", "ld.lld-22", "llvm-objcopy-22", "llvm-ar-22"))):
        print("skipped: needs LLVM 22 and lld")
        return 77
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    compared = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        link = os.path.join(folder, "llvm-readelf")
        os.symlink(OFFGRID, link)
        for number, path in enumerate(files(rng, folder)):
            mixed = [" ".join(rng.sample(OPTIONS, rng.randint(2, 4))) for _ in range(MIXED)]
            for options in OPTIONS[number % SHARE::SHARE] + mixed:
                for theirs, ours in (["llvm-readobj-22"], [OFFGRID, "readobj"]), (["llvm-readelf-22"], [link]):
                    expected, printed = output(*theirs, *options.split(), path), output(*ours, *options.split(), path)
                    compared += 1
                    if expected != printed:
                        failed += 1
                        lines = zip(printed.split(b"\n") + [b"(end)"], expected.split(b"\n") + [b"(end)"])
                        differing = next(((a, b) for a, b in lines if a != b), ("lengths differ",))
                        print(f"{os.path.basename(path)} {theirs[0]} {options}:", *differing, sep="\n  ")
    print(f"{compared} outputs compared, {failed} differ")
    return 1 if failed or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
