#!/usr/bin/env python3
"""Runs piglit's OpenCL programs as vISA, compiled by ocloc, and compares with the results their comments state.

usage: visa_piglit.py --offgrid BUILD/offgrid [--platforms pvc,dg2] [--only PATTERN] [--every N] [--verbose]

Only the programs whose base name's MD5 begins with 0 to 7 are read: the others are kept for acceptance."""
import argparse
import concurrent.futures
import fnmatch
import hashlib
import os
import shutil
import sys
import tempfile
import time

import piglit
import visa


def refusal(messages):
    """The line of the compiler's messages that says most."""
    lines = [line.strip() for line in messages.splitlines() if "error:" in line] or messages.strip().splitlines() or ["no message"]
    return lines[0][:200]


def run_program(path, platform, options, folder):
    """[(test name, None or why not)] as piglit.run_program tells."""
    folder = os.path.join(folder, platform + hashlib.md5(path.encode()).hexdigest())
    os.makedirs(folder, exist_ok=True)
    try:
        config, tests = piglit.parse(path)
        if config.get("need_image_support") == "true" and platform == "pvc":
            raise piglit.Unsupported("pvc has no images")
    except piglit.Unsupported as reason:
        return [("", f"UNSUPPORTED: {reason}")]
    words = " ".join(word for word in piglit.compile_options(config) if not word.startswith("-Wno"))
    texts, zebin, messages = visa.compile_visa(path, platform, folder, words)
    if config.get("expect_build_fail") == "true":
        return [("build fails", "UNSUPPORTED: ocloc builds it" if texts is not None else None)]
    if texts is None:
        return [("", "UNSUPPORTED: ocloc refuses it: " + refusal(messages))]
    rows = [] if tests else [("build", None)]
    for test in tests:
        name, text = test.settings.get("name", "?"), texts.get(test.settings.get("kernel_name"))
        if not text:
            rows.append((name, "UNSUPPORTED: ocloc writes no vISA text for the kernel"))
            continue
        try:
            command = [options.offgrid, "run", text, "--platform", platform, "--zeinfo", zebin]
            rows.append((name, piglit.run_test(test, command, folder)))
        except piglit.Unsupported as reason:
            rows.append((name, f"UNSUPPORTED: {reason}"))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--platforms", default="pvc,dg2")
    parser.add_argument("--only", default="*")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--keep", help="folder for compiled kernels, kept afterwards")
    parser.add_argument("--verbose", action="store_true",
                        help="print the command of each failure, and what is not tried")
    options = parser.parse_args()
    if not shutil.which("ocloc") or not os.path.isdir(piglit.ROOT):
        print("skipped, not installed: ocloc or piglit")
        return 77
    start = time.time()
    paths = [path for path in piglit.open_programs(piglit.ROOT) if fnmatch.fnmatch(os.path.basename(path), options.only)][::options.every]
    jobs = [(path, platform) for path in paths for platform in options.platforms.split(",")]
    tally = piglit.Tally(options.verbose)
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(2) as pool:
        folder = options.keep or temporary
        for (path, platform), rows in zip(jobs, pool.map(lambda job: run_program(*job, options, folder), jobs)):
            tally.add(path, f"{os.path.basename(path)} {platform}", rows)
    return tally.finish(len(paths), start)


if __name__ == "__main__":
    sys.exit(main())
