#!/usr/bin/env python3
"""Holds that `offgrid cc` takes time in proportion to a function's size: of functions in every shape of bench/shapes.py
(straight lines, many blocks, loops, values, calls, phis, deep nests, a switch) a larger one may take so many host
instructions more than a smaller one as it is larger, and by a factor that what is not linear soon exceeds. Counted by
callgrind, so that the machine's load does not matter.

usage: cc_linear.py --offgrid BUILD/offgrid [--processor gfx900] [--sizes 1500,12000] [--most 1.5] [--only PATTERN]
                    [--seconds]

With --seconds it measures the processor's time instead and only prints."""
import argparse
import fnmatch
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../bench"))
import shapes  # noqa: E402


def counted(command):
    """Host instructions of one run; or None and what it says."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
                          capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", done.stderr)
    return (int(found[1]), "") if done.returncode == 0 and found else (None, done.stderr[-400:])


def timed(command):
    """Nanoseconds of the processor of one run; or None."""
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return (None if process.returncode else int(1e9 * (usage.ru_utime + usage.ru_stime))), "it is refused"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processor", default="gfx900")
    parser.add_argument("--sizes", default="1500,12000")
    parser.add_argument("--most", type=float, default=1.5)
    parser.add_argument("--only", default="*")
    parser.add_argument("--seconds", action="store_true")
    options = parser.parse_args()
    if not options.seconds and not shutil.which("valgrind"):
        print("skipped, not installed: valgrind")
        return 77
    failed, measure = 0, timed if options.seconds else counted
    with tempfile.TemporaryDirectory() as folder:
        path, output = os.path.join(folder, "k.ll"), os.path.join(folder, "k.co")

        def cost(shape, count):
            with open(path, "w", encoding="utf-8") as file:
                file.write(shapes.text(shape, count))
            return measure([options.offgrid, "cc", f"-mcpu={options.processor}", path, "-o", output])

        start, error = cost("straight", 0)  # what the process takes anyway
        for shape in shapes.SHAPES:
            if not fnmatch.fnmatch(shape, options.only):
                continue
            each = []
            for count in map(int, options.sizes.split(",")):
                work, error = cost(shape, count)
                if work is None:
                    print(f"FAIL {shape} of {count}: {error}")
                    failed += 1
                    break
                each.append((work - start) / count)
            else:
                ratio = each[-1] / each[0]
                failed += ratio > options.most and not options.seconds
                print(f"{'FAIL ' if ratio > options.most else ''}{shape:10} {options.sizes} instructions: "
                      f"{', '.join(f'{one:.0f}' for one in each)} {'ns' if options.seconds else 'host instructions'} for each")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
