#!/usr/bin/env python3
"""LLVM IR as clang-22 and clang-15 write it for our OpenCL programs, at -O0 and -O2, with and without debug information,
as text and as bitcode, and the ROCm device libraries. Of each:
  clang-22's   is printed byte for byte as opt-22 -S (text) and llvm-dis-22 (bitcode) print it, but for attributes that
               LLVM gives to declarations of intrinsics when it reads them;
  all          print text that opt-22 reads as the same module.
Then text with single words taken out, doubled or changed, at random: what we read, llvm-as-22 reads.

usage: ir_oracle.py OFFGRID SOURCES [MUTATIONS [SEED [EVERY]]]    (each so manieth source)
"""
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

OFFGRID, SOURCES = os.path.abspath(sys.argv[1]), sys.argv[2]
MUTATIONS = int(sys.argv[3]) if len(sys.argv) > 3 else 300
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 32)
EVERY = int(sys.argv[5]) if len(sys.argv) > 5 else 1
LLVM = "/usr/lib/llvm-22/bin/"
LIBRARIES = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode/"
if not shutil.which("clang-22") or not shutil.which("clang-15") or not os.path.exists(LLVM + "opt"):
    print("skipped: needs clang-22, clang-15, opt-22, llvm-as-22, llvm-dis-22")
    sys.exit(77)
failures = []


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, errors="surrogateescape")


def ours(path):
    return run(OFFGRID, "cc", "-emit-llvm", "-S", path, "-o", "-")


def body(text):
    """Without the name of the file, and the data layout, which LLVM renews; without declarations of intrinsics that LLVM
    renames, for it puts those elsewhere."""
    keep = [line for line in text.splitlines()[1:] if not line.startswith("target datalayout")]
    return [line for line in keep
            if not re.match(r"declare .*@llvm\.(lifetime|ldexp|amdgcn\.(read(first)?lane|writelane|permlanex?16))\b", line)]


def plain(text):
    """Also without attribute groups: which there are follows from what intrinsics get."""
    text = re.sub(r" #\d+", "", "\n".join(body(text)))
    return re.sub(r"(?m)^(; Function Attrs:|attributes ).*\n\n?", "", text + "\n")


def check(path, same):
    reference = run(LLVM + "opt", "-S", path)
    if reference.returncode:
        return
    mine = ours(path)
    if mine.returncode:
        failures.append(f"{path}: {mine.stderr.strip()}")
        return
    if same and plain(mine.stdout) != plain(reference.stdout):
        failures.append(f"{path}: printed otherwise than by opt -S")
    again = os.path.join(folder, "again.ll")
    with open(again, "w", encoding="utf-8", errors="surrogateescape") as out:
        out.write(mine.stdout)
    read = run(LLVM + "opt", "-S", again)
    if read.returncode:
        failures.append(f"{path}: LLVM refuses what we print: {read.stderr.strip()}")
    elif plain(read.stdout) != plain(reference.stdout):
        failures.append(f"{path}: LLVM reads another module from what we print")


def mutate(text, choose):
    lines = text.split("\n")
    at = choose.randrange(len(lines))
    words = re.findall(r"[%@!#]?[-\w.$]+|\S|\s+", lines[at])
    if not words:
        return text
    i = choose.randrange(len(words))
    kind = choose.randrange(4)
    other = choose.choice(["i32", "ptr", "float", "undef", "0", "-1", "true", "%1", "!0", "(", "nsw", "i1", "<2 x i32>"])
    words[i:i + 1] = [[], [words[i], " ", words[i]], [other], [words[i], " ", other]][kind]
    lines[at] = "".join(words)
    return "\n".join(lines)


print("seed", SEED)
choose = random.Random(SEED)
with tempfile.TemporaryDirectory() as folder:
    texts, count = [], 0
    for source in sorted(glob.glob(os.path.join(SOURCES, "*.cl")))[::EVERY]:
        for clang in "clang-22", "clang-15":
            for options in ["-O0"], ["-O2"], ["-O2", "-g"]:
                out = os.path.join(folder, "k.ll")
                made = run(clang, "--target=amdgcn-amd-amdhsa", "-mcpu=gfx900", "-nogpulib", "-x", "cl", "-cl-std=CL1.2",
                           *options, "-S", "-emit-llvm", source, "-o", out)
                if made.returncode:
                    continue
                count += 1
                check(out, clang == "clang-22")
                if clang == "clang-22":
                    texts.append(open(out, encoding="utf-8").read())
                bitcode = os.path.join(folder, "k.bc")
                assembler = LLVM + "llvm-as" if clang == "clang-22" else "/usr/lib/llvm-15/bin/llvm-as"
                if not run(assembler, out, "-o", bitcode).returncode:
                    check(bitcode, clang == "clang-22")
    for library in "ockl.bc", "hip.bc", "oclc_isa_version_1030.bc":
        if os.path.exists(LIBRARIES + library):
            check(LIBRARIES + library, False)
            count += 1
    looser = 0
    path = os.path.join(folder, "m.ll")
    for _ in range(MUTATIONS):
        with open(path, "w", encoding="utf-8") as out:
            out.write(mutate(choose.choice(texts), choose))
        mine, theirs = ours(path), run(LLVM + "llvm-as", path, "-o", os.devnull)
        if mine.returncode not in (0, 1):
            failures.append(f"exit code {mine.returncode} of a mutated text")
        looser += mine.returncode == 0 and theirs.returncode != 0
    print(f"{count} modules; {MUTATIONS} mutations, {looser} of them read by us alone")
    if looser > MUTATIONS * 0.05:
        failures.append(f"{looser} mutations are read that llvm-as refuses")
print("\n".join(failures[:20]))
print("failed" if failures else "passed")
sys.exit(bool(failures))
