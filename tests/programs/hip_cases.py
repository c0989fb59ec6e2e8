#!/usr/bin/env python3
"""HIP programs of our own (tests/programs/hip/cases), compiled by hipcc, on the drop-in HSA runtime. 77: no hipcc.

Each case verifies itself. What ends the process, and what writes to it, is judged here by what it leaves behind. With
--libraries the cases are those of rocPRIM and rocRAND instead; with --cc `offgrid cc` compiles the device code.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "hecbench"))
import device  # pylint: disable=wrong-import-position
CASES = os.path.join(HERE, "hip", "cases")
PRINTED = ["lane %d of 8 says hello %.2f x 123456789abc" % (i, i * 1.5) for i in range(3)]
# What the cases that end the process leave: the exit codes that are right, and what stands in their output.
DEADLY = {
    "a_stray_write_ends_the_process": r"write_through_null",
    "a_trap_ends_the_process": r"trap",
    "a_failed_assertion_ends_the_process": r"assertion `n < 3 && \"small\"' failed",
    "an_endless_kernel_ends_the_process": r"forever",
}
TIMEOUT_SECONDS = "2"  # OFFGRID_TIMEOUT of the endless kernel


def compile_cases(folder, processors, source, *more):
    output = os.path.join(folder, "cases")
    targets = [f"--offload-arch={p}" for p in sorted(set(processors))]
    subprocess.run(["hipcc", *targets, "-O1", "-w", os.path.join(CASES, source), "-o", output, *more], check=True)
    return output


def compile_with_cc(offgrid, folder, processors, source):
    """The cases with device code by `offgrid cc`; or None and what it refuses."""
    ir = os.environ["DEVICE_IR"] = os.path.join(folder, "ir")
    program = compile_cases(folder, processors, source, "-foffload-lto", f"-B{device.install(os.path.join(folder, 'lld'))}",
                            f"-B{device.LLVM}")
    refused = next(filter(None, (device.replace(offgrid, program, ir, p, program) for p in processors)), None)
    return (None, refused) if refused else (program, None)


def execute(offgrid, gpus, program, arguments, **variables):
    """(exit code, output)"""
    environment = dict(os.environ, **variables)
    done = subprocess.run([offgrid, "exec", f"--gpu={gpus}", "--", program, *arguments], env=environment, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, errors="replace")
    return done.returncode, done.stdout


def run_plain(offgrid, gpus, program, skip, printed=()):
    """Names of the cases that failed: all in one process, but for those that want to be alone. `printed`: what has to
    stand in the output."""
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
    failed += [f"printed: {line}" for line in printed if line not in output]
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
    parser.add_argument("--libraries", metavar="ITEMS", help="rocPRIM and rocRAND, up to so many items")
    parser.add_argument("--cc", action="store_true", help="device code by `offgrid cc`")
    parser.add_argument("--skip", default="", help="cases left out, with commas")
    options = parser.parse_args()
    runtime = os.path.join(os.path.dirname(os.path.abspath(options.offgrid)), "hsa", "libhsa-runtime64.so.1")
    if not shutil.which("hipcc") or not os.path.exists(runtime):
        print("hipcc or the drop-in runtime is not there")
        return 77
    if options.libraries and not os.path.exists("/usr/include/rocprim/rocprim.hpp"):
        print("rocPRIM is not there")
        return 77
    processors, skip = options.processors.split(","), options.skip.split(",") if options.skip else []
    with tempfile.TemporaryDirectory() as folder:
        if options.libraries:
            os.environ["ITEMS"] = options.libraries
            program = compile_cases(folder, processors, "libraries.cpp", "-std=c++17", "-lrocrand")
            failed = [name for p in processors for name in run_plain(options.offgrid, p, program, skip)]
        else:
            program, refused = compile_with_cc(options.offgrid, folder, processors, "main.cpp") if options.cc else \
                (compile_cases(folder, processors, "main.cpp"), None)
            if refused:
                print(refused)
                return 1
            failed, printed = [], [] if skip else PRINTED
            for gpus in processors + [f"{processors[0]},{processors[0]}"]:
                failed += run_plain(options.offgrid, gpus, program, skip, printed)
            failed += run_deadly(options.offgrid, processors[0], program)
    for name in failed:
        print(f"failed: {name}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
