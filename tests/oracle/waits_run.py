#!/usr/bin/env python3
"""Takes waits out of the SGEMM kernels that clang-22 compiles, one counter at a time, and runs them under `offgrid check
--only=waits`: what `lint --waits=why` calls needed is found while it runs, and nothing else; the kernels as compiled give
it nothing to say.

usage: waits_run.py OFFGRID [PROCESSOR...]
"""
import os
import subprocess
import sys
import tempfile

sys.argv, ours = sys.argv[:2], sys.argv[2:]
from waits_deleted import COUNTER, OFFGRID, ROOT, lint, taken_out, toolchain  # noqa: E402

PROCESSORS = ours or ["gfx803", "gfx900", "gfx90a", "gfx1030", "gfx1100", "gfx1200"]
SIZE = 32
ARGUMENTS = ["--grid", f"{SIZE},{SIZE}", "--group", "16,16", *["--arg", f"buf:{4 * SIZE * SIZE}"] * 3, "--arg", f"u32:{SIZE}"]
KERNELS = ("sgemm", "naive")


def findings(path, kernel):
    """What a run under check says of waits; None where it ends with another error."""
    done = subprocess.run([OFFGRID, "check", path, "--kernel", kernel, *ARGUMENTS, "--only=waits"], capture_output=True,
                          text=True, check=False)
    found = done.stderr.count("[waits]")
    return done.stderr if done.returncode and not found else found


def main():
    if toolchain.missing("clang-22"):
        print("skipped: needs clang-22 and rocm-device-libs")
        sys.exit(77)
    failed = taken = found = 0
    with tempfile.TemporaryDirectory() as folder:
        for processor in PROCESSORS:
            path, cut = os.path.join(folder, processor), os.path.join(folder, "cut")
            done, messages = toolchain.compile_opencl(os.path.join(ROOT, "bench/sgemm.cl"), path, "2", processor)
            if not done:
                sys.exit(messages)
            data = open(path, "rb").read()
            for kernel in KERNELS:
                if findings(path, kernel) != 0:
                    failed += 1
                    print(f"{processor} {kernel} as compiled: {findings(path, kernel)}")
            for line in lint(path, "--waits=why").stdout.splitlines():
                match = COUNTER.fullmatch(line)
                kernel = match[2].partition("+")[0] if match else ""
                if kernel not in KERNELS:
                    continue
                with open(cut, "wb") as out:
                    out.write(taken_out(data, processor, int(match[1], 16), match[3]))
                told = findings(cut, kernel)
                taken += 1
                found += told not in (0, None)
                if (told != 0) != (match[5] == "needed"):
                    failed += 1
                    print(f"{processor} without {match[2]} {match[3]}({match[4]}): {told}; {line}")
    print(f"{taken} taken out, {found} found while running, {failed} failed")
    sys.exit(bool(failed) or not found)


main()
