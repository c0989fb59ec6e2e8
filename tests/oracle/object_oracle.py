#!/usr/bin/env python3
"""Assembles what compilers print, here and with the llvm-mc of the same age: the object files must be equal byte for
byte. OpenCL kernels through clang-22 and llc-22 for code object V4 to V6, through clang-15 and llc-15 for V2 and V3.
The object, linked by `offgrid ld`, must be read without a warning by llvm-readobj and readelf, give lint nothing to
say, and have the occupancy that llc states in its comments.

usage: object_oracle.py OFFGRID [SOURCES [SEED [PROCESSOR...]]]
"""
import collections
import glob
import json
import os
import random
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/programs"))
import toolchain  # noqa: E402

OFFGRID = sys.argv[1]
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 30
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
NEEDED = ("clang-22", "llc-22", "llvm-mc-22", "clang-15", "llc-15", "llvm-mc-15", "llvm-readobj-22", "readelf")
if toolchain.missing(*NEEDED):
    print("skipped: needs", *toolchain.missing(*NEEDED))
    sys.exit(77)
KERNELS = sorted(glob.glob(os.path.join(ROOT, "tests/programs/opencl/*.cl"))
                 + glob.glob(os.path.join(ROOT, "examples/**/*.cl"), recursive=True))
PROCESSORS = sys.argv[4:] or ["gfx803", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010",
                              "gfx1030", "gfx1100", "gfx1150",
                               "gfx1200", "gfx1250", "gfx1251"]
OLD = ["gfx701", "gfx803", "gfx900", "gfx906"]  # what llc-15 can make V2 for
FEATURES = {"gfx900": ["+xnack", "-xnack"], "gfx906": ["+sramecc", "-xnack"], "gfx90a": ["+tgsplit", "-sramecc"],
            "gfx1010": ["+cumode", "+wavefrontsize64"],
            "gfx1030": ["+cumode", "+wavefrontsize64"], "gfx1100": ["+wavefrontsize64"],
            "gfx1200": ["+cumode", "+wavefrontsize64"]}
counts = collections.Counter()


def run(*command, text=None):
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def clang(version, kernel, processor, level, out, *options):
    libraries = [f"--rocm-device-lib-path={toolchain.BITCODE}"]
    if version > 15:  # its driver does not know the installed library
        wave32 = toolchain.is_wave32(processor)
        names = toolchain.LIBRARIES + [toolchain.isa_version(processor),
                                       "oclc_wavefrontsize64_" + ("off" if wave32 else "on")]
        libraries = ["-nogpulib"] + [word for name in names
                                     for word in ("-Xclang", "-mlink-builtin-bitcode", "-Xclang",
                                                  f"{toolchain.BITCODE}/{name}.bc")]
    done = run(f"clang-{version}", "-target", "amdgcn-amd-amdhsa", "-mcpu=" + processor, *libraries, "-x", "cl",
               "-cl-std=CL1.2", "-w", level, *options,
               kernel, "-o", out)
    return done.returncode == 0


def make(rng, folder):
    """A source as a compiler prints it: (path, processor, features, code object version, its llvm-mc, title), or
    None."""
    kind, kernel, level = rng.choice(["clang", "clang", "llc", "old clang", "old llc"]), rng.choice(KERNELS), rng.choice(["-O0", "-O1", "-O2", "-O3"])
    old = kind.startswith("old")
    processor = rng.choice(OLD if old else PROCESSORS)
    compiler, version = (15, rng.choice([2, 3])) if old else (22, rng.choice([4, 5, 6]))
    features = ",".join(rng.sample(FEATURES.get(processor, []),
                                   k=rng.choice([0, 0, 1]) if not old and processor in FEATURES else 0))
    ir, source, object_version = os.path.join(folder, "k.ll"), os.path.join(folder, "k.s"), [f"-mcode-object-version={version}"]
    if kind.endswith("llc"):
        made = clang(compiler, kernel, processor, level, ir, *object_version, "-S", "-emit-llvm")
        command = [f"llc-{compiler}", "-mcpu=" + processor, rng.choice(["-O0", "-O2"]),
                   *([f"--amdhsa-code-object-version={version}"] if old else []), ir, "-o", source]
        made = made and run(*command, *(["-mattr=" + features] if features else [])).returncode == 0
    else:
        features = ""
        # clang-15 names no section in sizes of stacks, and llvm-mc-15 lost sources of which one file has none.
        extra = rng.choice([[], [], ["-g"], ["-gdwarf-4"], ["-g"] if old else ["-g", "-gembed-source"],
                            ["-finstrument-functions"],
                            ["-ffunction-sections", "-fdata-sections"],
                            [] if old else ["-fstack-size-section"]])
        made = clang(compiler, kernel, processor, level, source, *object_version, "-S", *extra)
        level = " ".join([level, *extra])
    title = f"{os.path.basename(kernel)} {level} by {kind}, {processor} {features}, V{version}"
    return (source, processor, features, version, f"llvm-mc-{compiler}", title) if made else None


def silent(title, *command):
    done = run(*command)
    status = done.returncode if command[0] != "readelf" else 0  # 1 for V2 and V3 notes, LLVM's too, without a word
    if status or done.stderr.strip():
        counts["failed"] += 1
        print(f"{title}: {' '.join(command[:2])}: {done.stderr.strip()[:400]}")
        return False
    return done.stdout


def check_occupancy(title, source, info):
    """llc's comment stands behind each function; where a kernel calls others it is an expression."""
    stated = {}
    text = open(source, encoding="utf-8").read()
    for part in text.split("; -- End function")[1:]:
        found, before = re.search(r"^; Occupancy: (\d+)$", part, re.M), text[:text.index(part)]
        if found:
            stated[re.findall(r"^(\w+):", before, re.M)[-1]] = int(found[1])
    for kernel in info["kernels"]:
        occupancy, name = kernel["occupancy"], kernel["name"]
        if name not in stated:
            continue
        counts["occupancies"] += 1
        if occupancy["waves_per_simd"] != stated[name]:
            counts["failed"] += 1
            print(f"{title}: occupancy of {name} is {occupancy}, llc says {stated[name]}")


def alike(theirs, ours):
    """Listings, but for the expressions of later symbols that llvm-mc prints in descriptors (docs/assembler.md)."""
    pairs = list(zip(theirs.splitlines(), ours.splitlines()))
    return theirs.count("\n") == ours.count("\n") and all(
        a == b or (a.split()[:1] == b.split()[:1] and a.startswith("\t\t.amdhsa_") and "(" in a) for a, b in pairs)


def compare(folder, source, processor, features, version, mc, title):
    theirs, ours, linked = (os.path.join(folder, n) for n in ("theirs.o", "ours.o", "ours.hsaco"))
    attributes = ["-mattr=" + features] if features else []
    done = run(mc, "-triple", "amdgcn-amd-amdhsa", "-mcpu=" + processor, *attributes,
               f"--amdhsa-code-object-version={version}", "-filetype=obj", source, "-o", theirs)
    if done.returncode:  # not what the compiler meant to print
        counts["passed over"] += 1
        return
    counts["sources"] += 1
    done = run(OFFGRID, "as", "-mcpu=" + processor, *attributes, f"-mcode-object-version={version}", source, "-o", ours)
    made = open(ours, "rb").read() if not done.returncode else b""
    if made != open(theirs, "rb").read():
        counts["failed"] += 1
        print(f"{title}: {done.stderr.splitlines()[:1] if done.returncode else 'the bytes differ'}")
        return
    if mc == "llvm-mc-22":
        listing = ["-triple", "amdgcn-amd-amdhsa", "-mcpu=" + processor, *attributes, f"--amdhsa-code-object-version={version}", "-show-encoding", source]
        if not alike(run(mc, *listing).stdout, run(OFFGRID, "mc", *listing).stdout):
            counts["failed"] += 1
            print(f"{title}: the listings differ")
    silent(title, OFFGRID, "ld", "--allow-undefined", ours, "-o", linked)
    for path in (ours, linked):
        silent(title, "llvm-readobj-22", "--all", path)
        silent(title, "readelf", "-aW", path)
    if not silent(title, OFFGRID, "lint", linked) == "":
        return
    info = json.loads(run(OFFGRID, "info", "--json", linked).stdout)
    counts["kernels"] += len(info["kernels"])
    check_occupancy(title, source, info)


def main():
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        while counts["sources"] < COUNT:
            made = make(rng, folder)
            if made:
                compare(folder, *made)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    sys.exit(bool(counts["failed"]))


main()
