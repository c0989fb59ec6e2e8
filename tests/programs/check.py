#!/usr/bin/env python3
"""Runs the OpenCL kernels of opencl/, compiled by clang-22, under `offgrid check`: what a compiler made of correct programs
gives no checker anything to say.

usage: check.py --offgrid BUILD/offgrid [--processors gfx900,gfx1100] [--levels 0,2] [--only PATTERN] [--checkers NAMES]"""
import argparse
import concurrent.futures
import fnmatch
import glob
import os
import subprocess
import sys
import tempfile

import spec
import toolchain

HERE = os.path.dirname(os.path.abspath(__file__))


def check_file(options, path, processor, level, folder):
    """(kernels run, [what was said])."""
    base = os.path.join(folder, f"{os.path.basename(path)}.O{level}.{processor}")
    kernels = [kernel for kernel in spec.parse(path) if fnmatch.fnmatch(kernel.name, options.only)]
    compiled, messages = toolchain.compile_opencl(path, base, level, processor, ["-g"]) if kernels else (True, "")
    if not compiled:
        return 0, [f"{path} -O{level} {processor}: clang-22 refuses it: {messages[:300]}"]
    said = []
    for kernel in kernels:
        inputs = f"{base}.{kernel.name}"
        os.makedirs(inputs, exist_ok=True)
        texts, _ = spec.make_arguments(kernel, inputs)
        command = [options.offgrid, "check", base, "--timeout", "120", "--kernel", kernel.name, "--grid", kernel.grid,
                   "--group", kernel.group, f"--only={options.checkers}"]
        command += ["--offset", kernel.offset] if kernel.offset else []
        for text in texts:
            command += ["--arg", text]
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
        if done.returncode or done.stderr:
            said.append(f"{os.path.basename(path)}:{kernel.name} -O{level} {processor}: exit {done.returncode}\n"
                        + (" ".join(command) + "\n" if options.verbose else "") + done.stderr[:2000])
    return len(kernels), said


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default="gfx900")
    parser.add_argument("--levels", default="0,2")
    parser.add_argument("--only", default="*")
    parser.add_argument("--checkers", default="all")
    parser.add_argument("--keep", help="folder for code objects and buffers, kept afterwards")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if toolchain.missing("clang-22", "ld.lld-22"):
        print("skipped: needs clang-22")
        return 77
    runs = failed = 0
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(2) as pool:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        jobs = [pool.submit(check_file, options, path, processor, level, folder)
                for path in sorted(glob.glob(os.path.join(HERE, "opencl", "*.cl")))
                for processor in options.processors.split(",") for level in options.levels.split(",")]
        for job in jobs:
            count, said = job.result()
            runs += count
            failed += len(said)
            for text in said:
                print(text, flush=True)
    print(f"{runs} runs, {failed} with something said")
    return 1 if failed or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
