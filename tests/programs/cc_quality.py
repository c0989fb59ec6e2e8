#!/usr/bin/env python3
"""Compares the code of `offgrid cc` with llc-22 -O3's, made of the same IR (clang-22 -O2): the wave instructions that
the OpenCL programs' kernels execute, registers, occupancy and spills. Fails where the geometric mean or one kernel's
ratio is above what is allowed.

usage: cc_quality.py --offgrid BUILD/offgrid [--processor gfx900] [--mean 1] [--most 1.5] [--only PATTERN]
                     [--keep FOLDER] [--verbose]

With --keep, what llc-22 made and executed is kept there and used again."""
import argparse
import fnmatch
import glob
import json
import math
import os
import re
import subprocess
import sys
import tempfile

import run
import spec
import toolchain

HERE = os.path.dirname(os.path.abspath(__file__))


def execute(offgrid, code_object, kernel, folder):
    """Wave instructions of one dispatch; or None and the error."""
    os.makedirs(folder, exist_ok=True)
    texts, _ = spec.make_arguments(kernel, folder)
    done, _ = run.launch([offgrid, "run", code_object, "--timeout", "60", "--stats=json"], kernel, texts)
    if done.returncode:
        return None, done.stderr[:300]
    return json.loads(done.stdout)["dispatches"][0]["wave_instructions"], None


def spills(code_object):
    """By kernel: scalar and vector registers that are spilled, as its metadata says."""
    text = subprocess.run(["llvm-readelf-22", "--notes", code_object], capture_output=True, text=True, check=True).stdout
    names, scalars, vectors = (re.findall(rf"^    \.{key}: +(\S+)$", text, re.MULTILINE)
                               for key in ("name", "sgpr_spill_count", "vgpr_spill_count"))
    return {name: (int(s), int(v)) for name, s, v in zip(names, scalars, vectors, strict=True)}


def resources(offgrid, code_object):
    """By kernel: registers, bytes of private memory, waves for each SIMD, scalar and vector registers spilled."""
    done = subprocess.run([offgrid, "info", "--json", code_object], capture_output=True, text=True, check=False)
    found, spilled = {}, spills(code_object)
    for each in json.loads(done.stdout)["kernels"] if done.returncode == 0 else []:
        found[each["name"]] = tuple(each.get(key) for key in ("vgprs", "sgprs", "scratch")) + (
            each.get("occupancy", {}).get("waves_per_simd"), *spilled[each["name"]])
    return found


def theirs(path, base, options):
    """llc-22's code object of the IR in `base`.ll."""
    if os.path.exists(base + ".llc.co"):
        return True
    done = subprocess.run(["llc-22", "-O3", "-mtriple=amdgcn-amd-amdhsa", f"-mcpu={options.processor}", "-filetype=obj",
                           base + ".ll", "-o", base + ".llc.o"], capture_output=True, text=True, check=False)
    return done.returncode == 0 and subprocess.run(["ld.lld-22", "-shared", base + ".llc.o", "-o", base + ".llc.co"],
                                                   check=False).returncode == 0


def measure(path, options, folder):
    """Yields kernel, ours, theirs, our resources, theirs; or kernel and an error."""
    kernels = [kernel for kernel in spec.parse(path) if fnmatch.fnmatch(kernel.name, options.only)]
    base = os.path.join(folder, f"{os.path.basename(path)}.{options.processor}")
    if not kernels:
        return
    if not os.path.exists(base + ".ll"):
        ok, messages = toolchain.compile_opencl(path, base + ".ll", 2, options.processor,
                                                run.FLOAT_OPTIONS + ["-S", "-emit-llvm"])
        if not ok:
            print(f"clang-22 refuses {path}: {messages[:300]}")
            return
    done = subprocess.run([options.offgrid, "cc", f"-mcpu={options.processor}", base + ".ll", "-o", base + ".co"],
                          capture_output=True, text=True, check=False)
    if done.returncode or not theirs(path, base, options):
        yield kernels[0].name, None, None, None, None, done.stderr[:300] or "llc-22 or lld refuses it"
        return
    kept, known = base + ".llc.json", {}
    if os.path.exists(kept):
        with open(kept, encoding="utf-8") as file:
            known = json.load(file)
    ours_has, theirs_has = resources(options.offgrid, base + ".co"), resources(options.offgrid, base + ".llc.co")
    for kernel in kernels:
        ours, error = execute(options.offgrid, base + ".co", kernel, os.path.join(folder, "ours"))
        if kernel.name not in known and not error:
            known[kernel.name], error = execute(options.offgrid, base + ".llc.co", kernel,
                                                os.path.join(folder, "theirs"))
        yield (kernel.name, ours, known.get(kernel.name), ours_has.get(kernel.name), theirs_has.get(kernel.name),
               error)
    with open(kept, "w", encoding="utf-8") as file:
        json.dump(known, file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processor", default="gfx900")
    parser.add_argument("--mean", type=float, default=1)
    parser.add_argument("--most", type=float, default=1.5)
    parser.add_argument("--only", default="*")
    parser.add_argument("--keep", help="folder for what is made, kept afterwards")
    parser.add_argument("--verbose", action="store_true", help="print every kernel, the worst first")
    options = parser.parse_args()
    absent = toolchain.missing("clang-22", "llc-22", "ld.lld-22", "llvm-readelf-22")
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        rows, failed = [], 0
        for path in sorted(glob.glob(os.path.join(HERE, "opencl", "*.cl")) + glob.glob(os.path.join(HERE, "cc", "*.cl"))):
            for name, ours, reference, has, has_theirs, error in measure(path, options, folder):
                if error:
                    print(f"FAIL {name}: {error}")
                    failed += 1
                else:
                    rows.append((ours / reference, name, ours, reference, has, has_theirs))
    rows.sort(reverse=True)
    for ratio, name, ours, reference, has, has_theirs in rows:
        if options.verbose or ratio > options.most:
            print(f"{ratio:6.2f}  {name:32} {ours:9} of {reference:9}  {has} of {has_theirs}")
    mean = math.exp(sum(math.log(row[0]) for row in rows) / len(rows)) if rows else 0
    print(f"{len(rows)} kernels on {options.processor}: geometric mean {mean:.3f} times llc-22 -O3's wave instructions, "
          f"the most {rows[0][0] if rows else 0:.2f}; {sum(any(row[4][-2:]) for row in rows)} spill, "
          f"of llc-22's {sum(any(row[5][-2:]) for row in rows)}")
    return 1 if failed or not rows or mean > options.mean or rows[0][0] > options.most else 0


if __name__ == "__main__":
    sys.exit(main())
