#!/usr/bin/env python3
"""`offgrid objdump` prints what llvm-objdump-22 prints: kernels of tests/programs compiled by clang-22 for several
processors, objects and code objects, each with many options, byte for byte; and the same through a link named
llvm-objdump.

usage: objdump_oracle.py OFFGRID [KERNELS] [PROCESSORS]   (how many sources; a comma-separated list)
"""
import glob
import os
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/programs"))
import toolchain  # noqa: E402

OFFGRID = os.path.abspath(sys.argv[1])
KERNELS = int(sys.argv[2]) if len(sys.argv) > 2 else 2
PROCESSORS = sys.argv[3].split(",") if len(sys.argv) > 3 else ["gfx803", "gfx900", "gfx90a", "gfx1030"]
OPTIONS = ["-d", "-d -r", "-d -l", "-d -S", "-d -S -l", "-h", "-t", "-r", "-s", "-f -h", "-dz", "-d --no-show-raw-insn",
           "-D -j .text",
           "-s -j .rodata", "-d --start-address=0x40 --stop-address=0x80", "-d --disassemble-symbols=nothing",
           "--disassemble-all --section=.text --section=.strtab -t", "-r -j .text", "-d -h -t -r"]


def output(*command):
    return subprocess.run(command, capture_output=True, check=False).stdout


def compile_all(folder):
    sources = sorted(glob.glob(os.path.join(ROOT, "tests/programs/opencl/*.cl")))[:KERNELS]
    for processor in PROCESSORS:
        for source in sources:
            for flags in ([], ["-c"]):
                path = os.path.join(folder, f"{processor}-{os.path.basename(source)}.{'o' if flags else 'co'}")
                fine, messages = toolchain.compile_opencl(source, path, 2, processor, ["-g", *flags])
                if not fine:
                    sys.exit(messages)
                yield path


def main():
    os.chdir(ROOT)
    absent = toolchain.missing("clang-22", "llvm-objdump-22")
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    compared = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        link = os.path.join(folder, "llvm-objdump")
        os.symlink(OFFGRID, link)
        for path in compile_all(folder):
            for index, options in enumerate(OPTIONS):
                if path.endswith(".o") and "-l" in options:
                    continue  # LLVM names the function of any section's symbol at that offset
                theirs = output("llvm-objdump-22", *options.split(), path)
                command = [link] if index % 2 else [OFFGRID, "objdump"]
                ours = output(*command, *options.split(), path)
                compared += 1
                if ours != theirs:
                    failed += 1
                    differing = next(((a, b) for a,
                                      b in zip(ours.split(b"\n") + [b""], theirs.split(b"\n") + [b""]) if a != b), None)
                    print(f"{os.path.basename(path)} {options}:", *(differing or ("lengths differ",)), sep="\n  ")
    print(f"{compared} outputs compared, {failed} differ")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
