#!/usr/bin/env python3
"""What `offgrid check` costs beside `offgrid run`: user and system time of whole processes, in turns, and peak memory.

"plain" is `run --no-compile`, the interpreter, as a checked run is interpreted; "compiled" is `run` with the compiled tier. "two
threads" is the clock's time of a checked run with --threads 2 beside one with --threads 1.

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
    ("sum of a million floats (`reduce`)", "bench/reduce.cl", "reduce", "1048576", "256", ["buf:4194304", "buf:16384"], 5),
    ("scan (`scan_blelloch`)", f"{OPENCL}/reduce_scan.cl", "scan_blelloch", "128", "128", ["buf:1024", "buf:1024"], 300),
    ("bitonic sort", f"{OPENCL}/sort.cl", "bitonic", "256", "256", ["buf:2048"], 300),
    ("radix pass", f"{OPENCL}/sort.cl", "radix_pass", "128", "128", ["buf:512", "buf:512"], 100),
]


def spent(command):
    """Milliseconds of user and system time, and of the clock."""
    start = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"exit {status}: {' '.join(command)}")
    return 1e3 * (usage.ru_utime + usage.ru_stime), 1e3 * (time.monotonic() - start)


def peak(command):
    """Peak memory in MB: what the kernel says of a child by wait4() counts this interpreter's, too."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    most = 0
    while child.poll() is None:
        try:
            with open(f"/proc/{child.pid}/status", encoding="ascii") as status, open(f"/proc/{child.pid}/comm", encoding="ascii") as comm:
                lines = dict(line.split(":", 1) for line in status if ":" in line)
                if comm.read().strip() == os.path.basename(command[0]) and "VmHWM" in lines:
                    most = max(most, int(lines["VmHWM"].split()[0]) / 1024)
        except (FileNotFoundError, ProcessLookupError):
            break
    child.wait()
    return most


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", default=os.path.join(ROOT, "build/offgrid"))
    parser.add_argument("--processor", default="gfx900")
    parser.add_argument("--runs", type=int, default=15)
    parser.add_argument("--only", default="*")
    parser.add_argument("--checkers", action="append")
    options = parser.parse_args()
    print("| | checkers | plain | checked | times | compiled | times | memory | two threads |\n|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for what, source, kernel, grid, group, arguments, repeat in PROGRAMS:
            if not fnmatch.fnmatch(kernel, options.only):
                continue
            code = os.path.join(folder, os.path.basename(source) + ".co")
            done, messages = toolchain.compile_opencl(os.path.join(ROOT, source), code, "2", options.processor)
            if not done:
                sys.exit(messages)
            tail = [code, "--kernel", kernel, "--grid", grid, "--group", group, "--repeat", str(repeat)]
            for argument in arguments:
                tail += ["--arg", argument]
            plain = [options.offgrid, "run", *tail, "--no-compile", "--threads", "1"]
            compiled = [options.offgrid, "run", *tail, "--threads", "1"]
            for names in options.checkers or ["all"]:
                checked = [options.offgrid, "check", *tail, f"--only={names}", "--threads"]
                sides = [plain, compiled, [*checked, "1"], [*checked, "2"]]
                taken = [[spent(side) for side in sides] for _ in range(options.runs)]
                cpu = [statistics.median(turn[side][0] for turn in taken) for side in range(4)]
                times = [statistics.median(turn[2][0] / turn[side][0] for turn in taken) for side in (0, 1)]
                clock = [statistics.median(turn[side][1] for turn in taken) for side in (2, 3)]
                memory = [peak(side) for side in (plain, sides[2])]
                print(f"| {what}, {repeat} | {names} | {cpu[0]:.1f} ms | {cpu[2]:.1f} ms | {times[0]:.2f} | {cpu[1]:.1f} ms | {times[1]:.2f} | "
                      f"{memory[0]:.1f} to {memory[1]:.1f} MB | {clock[0]:.0f} to {clock[1]:.0f} ms |", flush=True)


if __name__ == "__main__":
    main()
