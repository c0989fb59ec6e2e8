#!/usr/bin/env python3
"""Runs kernels that print (visa/print.cl) on offgrid for each platform, and on PoCL, and compares what they print.

usage: visa_print.py --offgrid BUILD/offgrid [--platforms skl,tgllp,dg2,pvc]"""
import argparse
import os
import shutil
import sys
import tempfile

import run
import spec
import toolchain
import visa

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "visa", "print.cl")


def printed(command, kernel, folder):
    os.makedirs(folder, exist_ok=True)
    texts, _ = spec.make_arguments(kernel, folder)
    done, _ = run.launch(command, kernel, texts)
    return done.stdout if done.returncode == 0 else f"exit {done.returncode}: {done.stderr[:300]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--platforms", default="skl,tgllp,dg2,pvc")
    options = parser.parse_args()
    absent = [program for program in ("ocloc", "cc") if not shutil.which(program)]
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    os.environ["POCL_MAX_PTHREAD_COUNT"] = "1"  # its work-groups would print in any order
    failed = passed = 0
    with tempfile.TemporaryDirectory() as folder:
        host = toolchain.build_host(folder)
        kernels = list(spec.parse(SOURCE))
        expected = {kernel.name: printed([host, SOURCE], kernel, folder) for kernel in kernels}
        for platform in options.platforms.split(","):
            place = os.path.join(folder, platform)
            os.makedirs(place)
            texts, zebin, messages = visa.compile_visa(
                visa.prepare(SOURCE, platform, visa.SHORT[platform], place), platform, place, "-cl-std=CL1.2")
            for kernel in kernels:
                ours = messages if texts is None else printed(
                    [options.offgrid, "run", texts[kernel.name], "--platform", platform, "--zeinfo", zebin], kernel, place)
                wrong = ours != expected[kernel.name] or not ours
                failed, passed = failed + wrong, passed + (not wrong)
                if wrong:
                    print(f"FAIL {kernel.name} {platform}: {ours[:600]!r}, PoCL {expected[kernel.name][:600]!r}")
    print(f"{passed} of {passed + failed} kernels print what they print on PoCL")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
