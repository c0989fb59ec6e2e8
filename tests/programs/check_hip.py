#!/usr/bin/env python3
"""HIP programs under `offgrid exec --check`: use of freed memory, overruns of allocations, and memory that nothing has written
are each found by their checker, and so are barriers that some come to and streams that nothing orders; nothing is said of the same
program without a mistake.

usage: check_hip.py --offgrid BUILD/offgrid"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import toolchain

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "hip/lifetimes.hip")
CASES = {"freed": {"bounds"}, "behind": {"bounds"}, "before": {"bounds"}, "arguments_behind": {"bounds"}, "arguments": set(), "fresh": {"uninit"}, "fresh_branch": {"uninit"},
         "fresh_bytes": {"uninit"}, "half": {"uninit"}, "fresh_scalar": {"uninit"}, "scalar": set(), "grid": set(), "grid_without_sync": {"races"},
         "returned": set(), "some_meet": {"divergence"},
         "copied": set(), "copied_on_device": set(), "set": set(), "fine": set(), "streams_kernel": set(), "streams_kernel_unordered": {"races"},
         "streams_copy": set(), "streams_copy_unordered": {"races"}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    options = parser.parse_args()
    if toolchain.missing("hipcc"):
        print("skipped: needs hipcc")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "lifetimes")
        subprocess.run(["hipcc", "--offload-arch=gfx906", "-O2", SOURCE, "-o", program], check=True, capture_output=True)
        for case, expected in CASES.items():
            done = subprocess.run([options.offgrid, "exec", "--check", program, case], capture_output=True, text=True, check=False)
            found = set(re.findall(r"\[(\w+)\]$", done.stderr, re.M))
            right = found == expected and (expected == {"bounds"} or done.stdout == "ran\n")
            if not right or (case == "freed" and "has been freed" not in done.stderr):
                failed += 1
                print(f"{case}: {sorted(found)} and not {sorted(expected)}\n{done.stdout}{done.stderr[:1500]}")
    print(f"{len(CASES)} programs, {failed} not as they should be")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
