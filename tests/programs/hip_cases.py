#!/usr/bin/env python3
"""HIP programs of our own (tests/programs/hip/cases), compiled by hipcc, on the drop-in HSA runtime. 77: no hipcc.

Each case verifies itself. What ends the process, and what writes to it, is judged here by what it leaves behind.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
MAIN = os.path.join(HERE, "hip", "cases", "main.cpp")
PRINTED = ["lane %d of 8 says hello %.2f x 123456789abc" % (i, i * 1.5) for i in range(3)]
# What the cases that end the process leave: the exit codes that are right, and what stands in their output.
DEADLY = {
    "a_stray_write_ends_the_process": r"write_through_null",
    "a_trap_ends_the_process": r"trap",
    "a_failed_assertion_ends_the_process": r"assertion `n < 3 && \"small\"' failed",
    "an_endless_kernel_ends_the_process": r"forever",
}
TIMEOUT_SECONDS = "2"  # OFFGRID_TIMEOUT of the endless kernel


def compile_cases(folder, processors):
    output = os.path.join(folder, "cases")
    targets = [f"--offload-arch={p}" for p in sorted(set(processors))]
    subprocess.run(["hipcc", *targets, "-O1", "-w", MAIN, "-o", output], check=True)
    return output


def execute(offgrid, gpus, program, arguments, **variables):
    """(exit code, output)"""
    environment = dict(os.environ, **variables)
    done = subprocess.run([offgrid, "exec", f"--gpu={gpus}", "--", program, *arguments], env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, errors="replace")
    return done.returncode, done.stdout


def run_plain(offgrid, gpus, program, skip):
    """Names of the cases that failed: all in one process, but for those that want to be alone."""
    _, listed = execute(offgrid, gpus, program, ["--list"])
    names = [line.split() + ["plain"] for line in listed.splitlines() if line]
    plain = [name for name, kind, *_ in names if kind == "plain" and name not in skip]
    alone = [name for name, kind, *_ in names if kind == "alone" and name not in skip]
    code, output = execute(offgrid, gpus, program, plain)
    for name in alone:
        its_code, its_output = execute(offgrid, gpus, program, [name])
        code, output = code or its_code, output + its_output
    plain += alone
    failed = [name for name in plain if f"{name}: PASS" not in output]
    failed += [f"printed: {line}" for line in PRINTED if line not in output and not skip]
    if failed or code or not plain:
        print(output)
        return failed or [f"exit {code}, {len(plain)} cases"]
    print(f"{gpus}: {len(plain)} cases pass")
    return []


def run_deadly(offgrid, gpus, program):
    failed = []
    for name, says in DEADLY.items():
        code, output = execute(offgrid, gpus, program, [name], OFFGRID_TIMEOUT=TIMEOUT_SECONDS)
        if code == 0 or "still here" in output or not re.search(says, output):
            print(f"{name}: exit {code}\n{output}")
            failed.append(name)
    print(f"{gpus}: {len(DEADLY) - len(failed)} of {len(DEADLY)} deadly cases end as they should")
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default="gfx906,gfx1030", help="with commas; the cases run on each")
    parser.add_argument("--skip", default="", help="cases left out, with commas")
    options = parser.parse_args()
    runtime = os.path.join(os.path.dirname(os.path.abspath(options.offgrid)), "hsa", "libhsa-runtime64.so.1")
    if not shutil.which("hipcc") or not os.path.exists(runtime):
        print("hipcc or the drop-in runtime is not there")
        return 77
    processors = options.processors.split(",")
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        program = compile_cases(folder, processors)
        for processor in processors:
            failed += run_plain(options.offgrid, processor, program, options.skip.split(",") if options.skip else [])
        failed += run_plain(options.offgrid, f"{processors[0]},{processors[0]}", program,
                            options.skip.split(",") if options.skip else [])
        failed += run_deadly(options.offgrid, processors[0], program)
    for name in failed:
        print(f"failed: {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
