#!/usr/bin/env python3
"""What `offgrid check` costs beside `offgrid run`: user and system time of whole processes, in turns, and peak memory.

usage: bench/check.py [--offgrid BUILD/offgrid] [--processor gfx900] [--runs 15] [--only PATTERN] [--checkers all]..."""
import argparse
import fnmatch
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests/programs"))
import toolchain  # noqa: E402

OPENCL = "tests/programs/opencl"
# what, source, kernel, grid, group, arguments, dispatches
PROGRAMS = [
    ("SGEMM 256, 16×16 tiles", "bench/sgemm.cl", "sgemm", "256,256", "16,16", ["buf:262144"] * 3 + ["u32:256"], 1),
    ("reduction (`reduce_sum`)", f"{OPENCL}/reduce_scan.cl", "reduce_sum", "1024", "256", ["buf:4096", "buf:16", "lds:1024"], 300),
    ("scan (`scan_blelloch`)", f"{OPENCL}/reduce_scan.cl", "scan_blelloch", "128", "128", ["buf:1024", "buf:1024"], 300),
    ("bitonic sort", f"{OPENCL}/sort.cl", "bitonic", "256", "256", ["buf:2048"], 300),
    ("radix pass", f"{OPENCL}/sort.cl", "radix_pass", "128", "128", ["buf:512", "buf:512"], 100),
]


def spent(command):
    """Milliseconds of user and system time, of the clock, and peak memory in MB."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"exit {status}: {' '.join(command)}")
    return 1e3 * (usage.ru_utime + usage.ru_stime), 1e3 * (time.monotonic() - start), usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", default=os.path.join(ROOT, "build/offgrid"))
    parser.add_argument("--processor", default="gfx900")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--threads", default="1")
    parser.add_argument("--only", default="*")
    parser.add_argument("--checkers", action="append")
    options = parser.parse_args()
    print("| | checkers | plain | checked | times | memory |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for what, source, kernel, grid, group, arguments, repeat in PROGRAMS:
            if not fnmatch.fnmatch(kernel, options.only):
                continue
            code = os.path.join(folder, os.path.basename(source) + ".co")
            done, messages = toolchain.compile_opencl(os.path.join(ROOT, source), code, "2", options.processor)
            if not done:
                sys.exit(messages)
            tail = [code, "--kernel", kernel, "--grid", grid, "--group", group, "--repeat", str(repeat), "--threads", options.threads,
                    "--no-compile"]
            for argument in arguments:
                tail += ["--arg", argument]
            sides = [[options.offgrid, "run", *tail]]
            sides += [[options.offgrid, "check", *tail, f"--only={names}"] for names in options.checkers or ["all"]]
            taken = [[spent(side) for side in sides] for _ in range(options.runs)]
            for k, names in enumerate(options.checkers or ["all"], 1):
                middle = [[statistics.median(turn[side][i] for turn in taken) for i in range(3)] for side in (0, k)]
                ratio = statistics.median(turn[k][0] / turn[0][0] for turn in taken)
                print(f"| {what}, {repeat} | {names} | {middle[0][0]:.1f} ms | {middle[1][0]:.1f} ms ({middle[1][1]:.0f} by the clock) | "
                      f"{ratio:.2f} | {middle[0][2]:.0f} to {middle[1][2]:.0f} MB |", flush=True)


if __name__ == "__main__":
    main()
