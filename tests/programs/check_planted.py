#!/usr/bin/env python3
"""Kernels of planted.cl, with one mistake each, under `offgrid check`: the checkers that are named above each
find it, and no other says anything.

usage: check_planted.py --offgrid BUILD/offgrid [--processors gfx900,gfx1100] [--only PATTERN]"""
import argparse
import fnmatch
import os
import re
import subprocess
import sys
import tempfile

import toolchain

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "planted.cl")
CASE = re.compile(r"// ([\w,:]+) ([\d,]+) (\d+) (\d+) (.*)\nkernel void (\w+)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default="gfx900")
    parser.add_argument("--only", default="*")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if toolchain.missing("clang-22", "ld.lld-22"):
        print("skipped: needs clang-22")
        return 77
    cases = [case for case in CASE.findall(open(SOURCE, encoding="utf-8").read()) if fnmatch.fnmatch(case[5], options.only)]
    runs = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for processor in options.processors.split(","):
            for level in "02":
                code = os.path.join(folder, f"{processor}.O{level}")
                done, messages = toolchain.compile_opencl(SOURCE, code, level, processor, ["-g", "-w"])
                if not done:
                    sys.exit(messages)
                for checker, levels, grid, group, arguments, kernel in cases:
                    if level not in levels:
                        continue
                    command = [options.offgrid, "check", code, "--kernel", kernel, "--grid", grid, "--group", group]
                    for text in arguments.split():
                        command += ["--arg", text]
                    command += ["--only=numbers"] if "numbers" in checker else []
                    said = subprocess.run(command, capture_output=True, text=True, check=False)
                    found = set(re.findall(r"\[(\w+)\]$", said.stderr, re.M))
                    expected = set() if checker.startswith("fine") else set(checker.split(","))
                    runs += 1
                    if found != expected or said.returncode != bool(expected) or (options.verbose and expected):
                        failed += found != expected or said.returncode != bool(expected)
                        print(f"{kernel} -O{level} {processor}: exit {said.returncode}, {sorted(found)} and not "
                              f"{sorted(expected)}\n{said.stderr[:1500]}")
    print(f"{runs} runs of {len(cases)} kernels, {failed} not as they should be")
    return 1 if failed or not runs else 0


if __name__ == "__main__":
    sys.exit(main())
