#!/usr/bin/env python3
"""OpenMP programs that GCC and clang offload, under `offgrid exec --check`: of clang's nothing is said, of GCC's what it does wrong:
instructions that come too soon (docs/checkers.md), and settings of its runtime that each work-group writes, which is seen
where two of them run at a time.

usage: check_openmp.py --offgrid BUILD/offgrid"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

import openmp

MAY = {"gcc-12": {"hazards"}, "clang-15": set()}
# All races with this are of gomp_global_icv, which "every team" sets (libgomp/config/gcn/team.c).
SETS_FOR_ALL = "gomp_gcn_enter_kernel"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    options = parser.parse_args()
    there = list(openmp.compilers())
    if not there:
        print("skipped: needs a compiler that offloads")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "program")
        for command, gpu in there:
            source = os.path.join(openmp.HERE, "openmp/offload.c")
            subprocess.run([word.format(gpu=gpu) for word in command] + ["-w", source, "-o", program, "-lm"], check=True,
                           stderr=subprocess.DEVNULL)
            done = subprocess.run([options.offgrid, "exec", f"--gpu={gpu}", "--check", "--", program], capture_output=True, text=True,
                                  check=False, env=dict(os.environ, OMP_TARGET_OFFLOAD="mandatory", OFFGRID_THREADS="2"))
            told = [line for line in done.stderr.splitlines() if not (line.endswith("[races]") and SETS_FOR_ALL in line)]
            found = set(re.findall(r"\[(\w+)\]$", "\n".join(told), re.M))
            if found - MAY[command[0]] or done.stdout != "3 21065.8\n":
                failed += 1
                print(f"{command[0]} for {gpu}: {sorted(found)} and not {sorted(MAY[command[0]])}\n{done.stdout}{done.stderr[:1500]}")
    print(f"{len(there)} programs, {failed} not as they should be")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
