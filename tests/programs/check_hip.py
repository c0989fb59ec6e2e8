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
         "returned": set(), "some_meet": {"divergence"}, "waves_returned": set(), "some_waves_meet": {"divergence"},
         "copied": set(), "copied_on_device": set(), "set": set(), "fine": set(), "streams_kernel": set(), "streams_kernel_unordered": {"races"},
         "streams_copy": set(), "streams_copy_unordered": {"races"}}
# Those that depend on caches, also where half a work-group sits at another one.
ELSEWHERE = ("grid", "grid_without_sync", "fine", "arguments", "arguments_behind")


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
        subprocess.run(["hipcc", "--offload-arch=gfx906", "--offload-arch=gfx1030", "-O2", SOURCE, "-o", program], check=True,
                       capture_output=True)
        wanted = [("gfx906", *case) for case in CASES.items()] + [("gfx1030", case, CASES[case]) for case in ELSEWHERE]
        for gpu, case, expected in wanted:
            done = subprocess.run([options.offgrid, "exec", f"--gpu={gpu}", "--check", "--", program, case], capture_output=True,
                                  text=True, check=False)
            found = set(re.findall(r"\[(\w+)\]$", done.stderr, re.M))
            right = found == expected and (expected == {"bounds"} or done.stdout == "ran\n")
            if not right or (case == "freed" and "has been freed" not in done.stderr):
                failed += 1
                print(f"{case} on {gpu}: {sorted(found)} and not {sorted(expected)}\n{done.stdout}{done.stderr[:1500]}")
    print(f"{len(wanted)} programs, {failed} not as they should be")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
