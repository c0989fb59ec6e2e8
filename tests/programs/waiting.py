#!/usr/bin/env python3
"""Runs kernels whose work-groups wait for one another (waiting/waiting.cl) and holds them against what they must leave
behind: in order, on two host threads, and in a random order.

usage: waiting.py --offgrid BUILD/offgrid [--processor gfx900] [--only PATTERN]

The machine brings in as many work-groups as are needed, at once, and gives waves that poll no time. So the instructions
of a run in order, which are the same each time, are held against a bound: without that they are a hundred times more."""
import argparse
import fnmatch
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import time

import toolchain

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "waiting", "waiting.cl")
WORD = 0xffffffff


def words(values):
    return struct.pack(f"<{len(values)}I", *values)


def grid_barrier(groups, phases, _):
    sums = list(range(groups))
    for _ in range(phases):
        total = sum(sums)
        sums = [(total + group) & WORD for group in range(groups)]
    return sums


def look_back(groups, size, given):
    scanned, total = [], 0
    for value in given[:groups * size]:
        total = (total + value) & WORD
        scanned.append(total)
    return scanned


# name, work-groups, their size, arguments after the result, what comes out, wave instructions that are enough at -O2
CASES = [
    ("grid_barrier", 256, 64, ["buf:4", "buf:8192", "u32:5"], lambda given: grid_barrier(256, 5, given), 4e6),
    ("grid_barrier", 100, 256, ["buf:4", "buf:8192", "u32:5"], lambda given: grid_barrier(100, 5, given), 4e6),
    ("look_back", 500, 256, ["buf:4000", "buf:4", "in:INPUT"], lambda given: look_back(500, 256, given), 4e6),
    ("successor", 500, 64, ["buf:2000"], lambda _: [sum(range(g, 500)) for g in range(500)], 2e7),
    ("lock", 200, 64, ["buf:4", "u32:20"], lambda _: [200 * 20], 1e6),
]
WAYS = [["--stats=json"], ["--threads", "2"], ["--schedule=random:3"], ["--schedule=random:7", "--threads", "2"]]


UNOPTIMISED = 20  # times as many at -O0, which runs in order only


def run(offgrid, code, case, way, folder, given):
    """An error text, or None, and the seconds it took."""
    name, groups, size, arguments, expected, enough = case
    enough *= UNOPTIMISED if ".O0" in code else 1
    result, inputs = os.path.join(folder, "result"), os.path.join(folder, "input")
    with open(inputs, "wb") as file:
        file.write(words(given))
    wanted = expected(given)
    command = [offgrid, "run", code, "--kernel", name, "--grid", str(groups * size), "--group", str(size), "--arg",
               f"out:{result}:{4 * len(wanted)}", "--timeout", "60", *way]
    for argument in arguments:
        command += ["--arg", argument.replace("INPUT", inputs)]
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    seconds = time.monotonic() - start
    if done.returncode != 0:
        return done.stderr.strip(), seconds
    with open(result, "rb") as file:
        if file.read() != words(wanted):
            return "wrong result", seconds
    if done.stdout:
        count = json.loads(done.stdout)["dispatches"][0]["wave_instructions"]
        if count > enough:
            return f"{count} wave instructions; {int(enough)} are enough", seconds
    return None, seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processor", default="gfx900")
    parser.add_argument("--only", default="*")
    options = parser.parse_args()
    if toolchain.missing("clang-22"):
        print("clang-22 or its device libraries are not installed")
        return 77
    failed = 0
    numbers = random.Random(1)
    given = [numbers.getrandbits(32) for _ in range(500 * 256)]
    with tempfile.TemporaryDirectory() as folder:
        for level in "02":
            code = os.path.join(folder, f"waiting.O{level}.co")
            fine, messages = toolchain.compile_opencl(SOURCE, code, level, options.processor, ["-cl-std=CL2.0"])
            if not fine:
                print(messages)
                return 1
            for case in CASES:
                for way in WAYS[:1 if level == "0" else None] if fnmatch.fnmatch(case[0], options.only) else []:
                    error, seconds = run(options.offgrid, code, case, way, folder, given)
                    failed += error is not None
                    print(f"{'FAIL' if error else 'ok  '} {case[0]} -O{level} {' '.join(way)}: {seconds:.2f} s"
                          + (f": {error}" if error else ""))
    return failed > 0


sys.exit(main())
