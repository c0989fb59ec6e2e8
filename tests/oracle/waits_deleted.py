#!/usr/bin/env python3
"""Takes waits out of compiled kernels, one counter of one at a time, and asks `offgrid lint --waits` to find each, or to
have said (`--waits=why`) what makes it redundant. As compiled, the kernels must give it nothing to say.

The kernels are tests/programs/opencl at -O0 to -O3 for every generation, by clang-22, and those of GCC 12 of an OpenMP program.
A share of the waits is chosen by the seed; 0 takes all.

usage: waits_deleted.py OFFGRID [SHARE [SEED [LEVELS [PROCESSOR...]]]]
"""
import collections
import concurrent.futures
import glob
import os
import random
import re
import struct
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests/programs"))
import toolchain  # noqa: E402

OFFGRID = os.path.abspath(sys.argv[1])
SHARE = float(sys.argv[2]) if len(sys.argv) > 2 else 0.02
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else random.randrange(1 << 32)
LEVELS = sys.argv[4] if len(sys.argv) > 4 else "02"
PROCESSORS = sys.argv[5:] or ["gfx700", "gfx803", "gfx900", "gfx90a", "gfx942", "gfx1010", "gfx1030", "gfx1100",
                              "gfx1200", "gfx1250"]
OBJECTS = 20  # of which a share of waits is taken
SOURCES = sorted(glob.glob(os.path.join(ROOT, "tests/programs/opencl/*.cl")))
# Bits of SIMM16 that hold a counter in s_waitcnt, until gfx10 and from gfx11 on; elsewhere by opcode.
WAITCNT = {"vmcnt": 0xc00f, "expcnt": 0x70, "lgkmcnt": 0x3f00}
WAITCNT_GFX11 = {"vmcnt": 0xfc00, "expcnt": 0x7, "lgkmcnt": 0x3f0}
COUNTER = re.compile(r"0x([0-9a-f]+) (\S+) (\w+)\((\d+)\): (needed|redundant|orders memory)\b:? ?(.*)")
counts = collections.Counter()


def lint(path, option):
    return subprocess.run([OFFGRID, "lint", option, path], capture_output=True, text=True, check=False)


def file_offset(data, address):
    """Where an address of a code object stands in the file."""
    start, = struct.unpack_from("<Q", data, 40)
    size, number = struct.unpack_from("<HH", data, 58)
    for i in range(number):
        kind, flags, where, offset, length = struct.unpack_from("<IQQQQ", data, start + i * size + 4)
        if kind == 1 and flags & 4 and where <= address < where + length:
            return offset + address - where
    raise ValueError(f"no code at {address:#x}")


def taken_out(data, processor, address, counter):
    """The bytes without that counter's wait: all of the bits that say how far it is to fall."""
    at = file_offset(data, address)
    word, = struct.unpack_from("<I", data, at)
    major = int(processor[3:-2])
    if major >= 12 and word >> 16 in (0xbfc8, 0xbfc9) and counter != "dscnt":  # s_wait_loadcnt_dscnt, storecnt
        bits = 0x3f00
    elif major >= 12:
        bits = 0x3f if counter != "kmcnt" else 0x1f
    elif word >> 28 == 0xb and word >> 16 not in (0xbf8c, 0xbf89):  # s_waitcnt_vscnt and its like
        bits = 0x3f
    else:
        bits = (WAITCNT_GFX11 if major >= 11 else WAITCNT)[counter]
    out = bytearray(data)
    struct.pack_into("<I", out, at, word | bits)
    return bytes(out)


def compiled(folder, source, processor, level):
    path = os.path.join(folder, f"{os.path.basename(source)[:-3]}-{processor}-O{level}")
    done, messages = toolchain.compile_opencl(source, path, level, processor)
    if not done:
        sys.exit(f"{path}: {messages}")
    return path


GCC = {"fiji": "gfx803", "gfx900": "gfx900", "gfx906": "gfx906", "gfx908": "gfx908"}
ACCEL = "/usr/lib/gcc/x86_64-linux-gnu/12/accel/amdgcn-amdhsa"


def compiled_by_gcc(folder, march, level):
    """GCC's code for its offloaded loops, before it is linked; None where GCC is not there."""
    here = os.path.join(folder, f"gcc-{march}-O{level}")
    os.mkdir(here)
    subprocess.run(["gcc-12", f"-O{level}", "-fopenmp", "-foffload=amdgcn-amdhsa", f"-foffload-options=-march={march} -O{level} -lm",
                    "-save-temps", os.path.join(ROOT, "tests/programs/openmp/offload.c"), "-o", "program", "-lm"],
                   cwd=here, capture_output=True, check=False)  # not all can be linked
    source = glob.glob(os.path.join(here, "*.mkoffload.2.s"))
    if not source:
        sys.exit(f"{here}: GCC left no assembler source")
    version = 3 if march == "fiji" else 4
    subprocess.run([ACCEL + "/as", "-triple=amdgcn--amdhsa", f"--amdhsa-code-object-version={version}", "-filetype=obj",
                    "-mcpu=" + GCC[march], *(["-mattr=-xnack"] if march != "fiji" else []), source[0], "-o", here + ".o"], check=True)
    return here + ".o"


def check(path, processor, seed):
    """Problems with one code object."""
    rng, problems = random.Random(seed), []
    whole = lint(path, "--waits")
    if re.search(r"\[OG50[1-4]\]", whole.stderr) or ((whole.returncode or whole.stderr) and "gcc-" not in path):  # whose OG505 are told elsewhere
        problems.append("as compiled: " + whole.stderr[:600])
    data = open(path, "rb").read()
    for line in lint(path, "--waits=why").stdout.splitlines():
        match = COUNTER.fullmatch(line)
        if not match:
            problems.append("not understood: " + line)
            continue
        counts[match[5]] += 1
        if SHARE and rng.random() >= SHARE:
            continue
        with open(path + "-without", "wb") as out:
            out.write(taken_out(data, processor, int(match[1], 16), match[3]))
        done = lint(path + "-without", "--waits")
        found = re.search(r"\[OG50[1-4]\]", done.stderr) is not None
        counts["taken out"] += 1
        counts["found"] += found
        if found != (match[5] == "needed") or (not found and not match[6]):
            problems.append(f"without {match[2]} {match[3]}({match[4]}): {done.stderr[:300] or 'nothing found'}; {line}")
    return problems


def main():
    missing = toolchain.missing("clang-22")
    if missing:
        print("skipped: needs", *missing)
        sys.exit(77)
    failed, rng = 0, random.Random(SEED)
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        wanted = [(s, p, l) for p in PROCESSORS for s in SOURCES for l in LEVELS]
        if SHARE < 0.1:  # some of all sources, processors and levels
            rng.shuffle(wanted)
            wanted = wanted[:OBJECTS]
        seeds = [rng.randrange(1 << 32) for _ in wanted]
        paths = list(pool.map(lambda one: compiled(folder, *one), wanted))
        if os.path.exists(ACCEL + "/mkoffload"):
            gcc = [(march, level) for march in GCC for level in (LEVELS if SHARE >= 0.1 else "2")]
            paths += pool.map(lambda one: compiled_by_gcc(folder, *one), gcc)
            wanted += [("gcc", GCC[march], level) for march, level in gcc]
            seeds += [rng.randrange(1 << 32) for _ in gcc]
        for path, problems in zip(paths, pool.map(lambda n: check(paths[n], wanted[n][1], seeds[n]),
                                                  range(len(paths)))):
            failed += len(problems)
            for problem in problems[:3]:
                print(f"{os.path.basename(path)}: {problem}")
    print(f"seed {SEED}: {len(paths)} code objects,", ", ".join(f"{n} {what}" for what, n in sorted(counts.items())))
    if counts["found"] * 2 < counts["taken out"]:
        sys.exit("most waits of compilers are needed, but few were found")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
