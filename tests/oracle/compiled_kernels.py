#!/usr/bin/env python3
"""Random C kernels through clang-22 for every generation: calls, recursion, function pointers, scratch, static and
dynamic LDS, registers touched on purpose, fixed work-group sizes. Assembled as llvm-mc-22 does, linked by `offgrid ld`,
each must give `lint` nothing to say and have the occupancy that LLVM states in its comments.

usage: compiled_kernels.py OFFGRID [SOURCES [SEED [PROCESSOR...]]]
"""
import collections
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

OFFGRID = sys.argv[1]
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 30
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
PROCESSORS = sys.argv[4:] or ["gfx600", "gfx701", "gfx803", "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950",
                              "gfx1010", "gfx1030", "gfx1100",
                               "gfx1102", "gfx1150", "gfx1200", "gfx1250", "gfx1251"]
NEEDED = ("clang-22", "llvm-mc-22")
if any(shutil.which(tool) is None for tool in NEEDED):
    print("skipped: needs", *NEEDED)
    sys.exit(77)
ACCUMULATORS = {"gfx908", "gfx90a", "gfx942", "gfx950"}
WAVE64 = {"gfx1010", "gfx1030", "gfx1100", "gfx1102", "gfx1150", "gfx1200"}  # where it is the choice, not the rule
LARGE_LDS = {"gfx950", "gfx1250", "gfx1251"}
counts = collections.Counter()

HEAD = """
typedef __attribute__((address_space(1))) int global_int;
typedef __attribute__((address_space(3))) int lds_int;
extern lds_int dynamic[];
static __attribute__((noinline)) int leaf(int x) { return x * 7 + 1; }
static __attribute__((noinline)) int deep(int x) { return x < 2 ? x : deep(x - 1) + deep(x - 2); }
static __attribute__((noinline)) int frame(int x) { volatile int kept[37]; kept[x & 31] = x; return leaf(kept[x & 15]) + x; }
static int (*const table[])(int) = {leaf, frame};
"""


def registers(rng, processor):
    """An empty statement that clobbers registers up to numbers of choice."""
    most = 127 if processor == "gfx1250" else 255
    names = [f"v{rng.choice([0, 20, 24, 31, 32, 40, 47, 63, 64, 71, 80, 95, 96, 120, 127, rng.randint(0, most)])}",
             f"s{rng.randint(0, 95)}"]
    if processor in ACCUMULATORS and rng.random() < 0.5:
        names.append(f"a{rng.randint(0, 255)}")
    return 'asm volatile("" ::: ' + ", ".join(f'"{name}"' for name in names) + ");"


def kernel(rng, processor, number):
    limit = 32768 if processor == "gfx600" else 65536 if processor not in LARGE_LDS else 160 << 10
    size = rng.choice([32, 64, 100, 128, 192, 256, 320, 512, 768, 1024])
    # multiples of all granules, which LLVM leaves out of account
    lds = rng.choice([0, 0, 0, 1, *range(1280, limit // 4, 1280)])
    lines = ["int x = __builtin_amdgcn_workitem_id_x();"]
    pieces = ["x = leaf(x);", "x = deep(x & 7);", "x = frame(x);", "x = table[x & 1](x);",
              "dynamic[x] = x; __builtin_amdgcn_s_barrier(); x += dynamic[x ^ 1];",
              "volatile int kept[9]; kept[x & 7] = x; x = kept[3];", registers(rng, processor),
              registers(rng, processor), registers(rng, processor)]
    if processor == "gfx600":  # has no flat instructions, which C's pointers need
        pieces = pieces[-3:]
    lines += [f"{{ {piece} }}" for piece in rng.sample(pieces, rng.randint(0, 2))]
    if lds:
        lines += [f"static __attribute__((loader_uninitialized)) lds_int kept[{lds}];",
                  f"kept[x % {lds}] = x; __builtin_amdgcn_s_barrier(); x += kept[p[0] % {lds}];"]
    lines.append("p[x] = x;")
    least = size if number % 2 else 1  # the metadata tells only the largest: see require_sizes
    return f"__attribute__((amdgpu_kernel, amdgpu_flat_work_group_size({least}, {size}))) void k{number}(global_int *p) {{\n  " + "\n  ".join(lines) + "\n}\n"


def run(*command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def stated_occupancies(text):
    """kernel -> the number in LLVM's comment behind it; a kernel that calls others has an expression there."""
    found = re.findall(r"^(k\d+): +;(?:(?!; -- Begin function).)*?^; Occupancy: (\d+)$", text, re.M | re.S)
    return {name: int(waves) for name, waves in found}


def require_sizes(path):
    """Kernels with odd numbers have one work-group size: OpenCL's attribute would put it into the metadata, C's does
    not."""
    text = open(path, encoding="utf-8").read()
    pattern = r"(    \.max_flat_workgroup_size: (\d+)\n    \.name: +k[135]\n)"
    with open(path, "w", encoding="utf-8") as file:
        file.write(re.sub(pattern, r"\1    .reqd_workgroup_size: [\2, 1, 1]\n", text))


def failed(title, source, what):
    counts["failed"] += 1
    print(f"{title}: {what}")
    if os.environ.get("KEEP"):
        shutil.copy(source, os.path.join(os.environ["KEEP"], f"{counts['failed']}.s"))


def compare(rng, folder):
    processor, level = rng.choice(PROCESSORS), rng.choice(["-O0", "-O1", "-O2", "-O3"])
    options = ["-mwavefrontsize64"] if processor in WAVE64 and rng.random() < 0.4 else []
    options += ["-mcumode"] if processor in WAVE64 and rng.random() < 0.4 else []
    version = rng.choice([4, 5, 6])
    c, s, theirs, ours, linked = (os.path.join(folder, name)
                                  for name in ("k.c", "k.s", "theirs.o", "ours.o", "k.hsaco"))
    with open(c, "w", encoding="utf-8") as file:
        file.write(HEAD + "".join(kernel(rng, processor, i) for i in range(6)))
    title = f"{processor} {level} {' '.join(options)} V{version}"
    compiler = ["clang-22", "-target", "amdgcn-amd-amdhsa", "-mcpu=" + processor, "-nogpulib", "-w", level, *options,
                f"-mcode-object-version={version}", c]
    done = run(*compiler, "-S", "-o", s)
    if done.returncode:
        counts["not compiled"] += 1
        if os.environ.get("KEEP"):
            print(title, done.stderr[:600])
        return None
    require_sizes(s)
    attributes = ",".join(["+wavefrontsize64"] * ("-mwavefrontsize64" in options) + ["+cumode"]
                          * ("-mcumode" in options))
    attributes = ["-mattr=" + attributes] if attributes else []
    done = run("llvm-mc-22", "-triple=amdgcn-amd-amdhsa", "-mcpu=" + processor, *attributes,
               f"--amdhsa-code-object-version={version}", "-filetype=obj", s, "-o", theirs)
    if done.returncode:  # more SGPRs than there are
        counts["not compiled"] += 1
        return None
    counts["sources"] += 1
    done = run(OFFGRID, "as", "-mcpu=" + processor, *attributes, f"-mcode-object-version={version}", s, "-o", ours)
    if done.returncode or open(ours, "rb").read() != open(theirs, "rb").read():
        return failed(title, s, done.stderr[:300] or "the object is not llvm-mc's")
    done = run(OFFGRID, "ld", ours, "-o", linked)
    lint = run(OFFGRID, "lint", "--waits", linked)
    if done.returncode or lint.returncode or lint.stderr:
        return failed(title, s, (done.stderr + lint.stderr)[:400])
    stated = stated_occupancies(open(s, encoding="utf-8").read())
    for k in json.loads(run(OFFGRID, "info", "--json", linked).stdout)["kernels"]:
        counts["kernels"] += 1
        if k["name"] not in stated:
            continue
        counts["occupancies"] += 1
        o = k["occupancy"]
        if o["waves_per_simd"] != stated[k["name"]]:
            failed(title, s,
                   f"{k['name']}: occupancy {o}, LLVM says {stated[k['name']]} (VGPRs {k['vgprs']}, AGPRs {k['agprs']}, SGPRs {k['sgprs']}, "
                   f"LDS {k['lds']}, work-group {k['max_workgroup_size']}, wave {k['wavefront_size']})")
    return None


def main():
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder:
        while counts["sources"] + counts["not compiled"] < COUNT:
            compare(rng, folder)
    print(", ".join(f"{n} {what}" for what, n in counts.items()))
    sys.exit(bool(counts["failed"]) or counts["not compiled"] * 2 > COUNT)


main()
