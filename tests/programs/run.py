#!/usr/bin/env python3
"""Runs the OpenCL kernels of opencl/ on offgrid, compiled by clang-22, and on PoCL, and compares what they leave
behind.

usage: run.py --offgrid BUILD/offgrid [--processor gfx900] [--wave64] [--levels 0,2] [--only PATTERN] [--keep FOLDER]"""
import argparse
import concurrent.futures
import fnmatch
import glob
import os
import subprocess
import sys
import tempfile
import time

import spec
import toolchain

FLOAT_OPTIONS = ["-ffp-contract=off", "-Xclang", "-fdenormal-fp-math-f32=ieee"]  # as PoCL computes
# Kernels that cannot agree: name, generations, why.
KNOWN = [(name, ("gfx6", "gfx7"), "without half instructions clang keeps sums of products in float")
         for name in ("half_arithmetic", "pairs_half")]
HERE = os.path.dirname(os.path.abspath(__file__))


def launch(command, kernel, texts):
    command = command + ["--kernel", kernel.name, "--grid", kernel.grid, "--group", kernel.group]
    if kernel.offset:
        command += ["--offset", kernel.offset]
    for text in texts:
        command += ["--arg", text]
    return subprocess.run(command, capture_output=True, text=True, errors="replace", check=False), command


def results(command, kernel, folder):
    """What the kernel left in its output files; or an error text and the command that failed."""
    os.makedirs(folder, exist_ok=True)
    texts, outputs = spec.make_arguments(kernel, folder)
    done, command = launch(command, kernel, texts)
    if done.returncode != 0:
        return None, f"{(done.stderr or done.stdout).strip()[:600] or 'exit ' + str(done.returncode)}", command
    contents = []
    for argument, path in outputs:
        with open(path, "rb") as file:
            contents.append((argument, file.read()))
    return contents, None, command


def compare(kernel, ours, theirs):
    for index, ((argument, mine), (_, reference)) in enumerate(zip(ours, theirs)):
        different = spec.difference(argument, kernel.ulp, mine, reference)
        if different:
            return f"output {index} ({argument.type}): {different}"
    return None


def run_file(path, options, host, folder):
    """All kernels of one source file at all levels; yields (kernel, level, error or None, command)."""
    known = [name for name, generations, _ in KNOWN if options.processor.startswith(generations)]
    kernels = [kernel for kernel in spec.parse(path) if fnmatch.fnmatch(kernel.name, options.only)
               and kernel.name not in known]
    if not kernels:
        return []
    base, found = os.path.join(folder, os.path.basename(path)), []
    reference = {kernel.name: results([host, path], kernel, base + ".pocl") for kernel in kernels}
    for level in options.levels.split(","):
        code_object = f"{base}.O{level}.{options.processor}.co"
        compiled, messages = toolchain.compile_opencl(path, code_object, level, options.processor,
                                                      FLOAT_OPTIONS + (["-mwavefrontsize64"] if options.wave64 else []))
        for kernel in kernels:
            theirs, error, command = reference[kernel.name]
            if not compiled:
                error = "clang-22 refuses it: " + messages[:400]
            elif error:
                error = "PoCL: " + error
            else:
                ours, error, command = results([options.offgrid, "run", code_object, "--timeout", "60"], kernel,
                                               f"{base}.O{level}")
                error = error or compare(kernel, ours, theirs)
            found.append((kernel, level, error, command))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processor", default="gfx900")
    parser.add_argument("--levels", default="0,2")
    parser.add_argument("--only", default="*")
    parser.add_argument("--wave64", action="store_true", help="waves of 64 lanes from gfx10 on")
    parser.add_argument("--keep", help="folder for code objects and buffers, kept afterwards")
    parser.add_argument("--verbose", action="store_true", help="print the command of each failure")
    options = parser.parse_args()
    absent = toolchain.missing("clang-22", "ld.lld-22")
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    start = time.time()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        host = toolchain.build_host(folder)
        passed, failed = 0, 0
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            paths = sorted(glob.glob(os.path.join(HERE, "opencl", "*.cl")))
            for found in pool.map(lambda path: run_file(path, options, host, folder), paths):
                for kernel, level, error, command in found:
                    passed, failed = passed + (not error), failed + bool(error)
                    if error:
                        print(f"FAIL {os.path.basename(kernel.file)}:{kernel.name} -O{level}: {error}")
                        if options.verbose:
                            print("    " + " ".join(command))
    print(f"{passed} of {passed + failed} kernel runs on {options.processor} agree with PoCL, {time.time() - start:.0f} s")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
