#!/usr/bin/env python3
"""Runs the OpenCL kernels of opencl/ as vISA, compiled by ocloc, on offgrid, and on PoCL, and compares what they leave
behind.

usage: visa.py --offgrid BUILD/offgrid [--platforms skl,tgllp,dg2,pvc] [--widths 8,16,32] [--only PATTERN] [--files PATTERN]
               [--short] [--check] [--keep FOLDER] [--verbose]"""
import argparse
import concurrent.futures
import fnmatch
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

import run
import spec
import toolchain

HERE = os.path.dirname(os.path.abspath(__file__))
NO_DOUBLE = ("tgllp", "dg2")  # no native doubles: ocloc refuses them
NARROWEST = {"pvc": 16}
# What the compiler itself makes of a kernel where OpenCL leaves room.
KNOWN = {"parts": "the compiler's frexp of -0 is +0"}
SHORT = {"skl": 16, "tgllp": 8, "dg2": 16, "pvc": 32}


def without_doubles(source):
    """Pieces between blank lines that use no double."""
    return "\n\n".join(piece for piece in source.split("\n\n") if "double" not in piece)


def prepare(path, platform, width, folder):
    """The source as ocloc gets it: of one width, and without what the platform cannot do."""
    with open(path, encoding="utf-8") as file:
        source = file.read()
    if platform in NO_DOUBLE:
        source = without_doubles(source)
    attribute = f"__attribute__((intel_reqd_sub_group_size({width})))"
    prepared = os.path.join(folder, "kernels.cl")
    with open(prepared, "w", encoding="utf-8") as file:
        file.write(re.sub(r"^(\s*)(__)?kernel void", rf"\1{attribute} kernel void", source, flags=re.M))
    return prepared


def compile_visa(source, platform, folder, options):
    """{kernel: .visaasm} and the zebin; None and messages when ocloc refuses the source."""
    dump = os.path.join(folder, "dump")
    shutil.rmtree(dump, ignore_errors=True)
    environment = dict(os.environ, IGC_ShaderDumpEnable="1", IGC_DumpToCustomDir=dump)
    command = ["ocloc", "compile", "-file", source, "-device", platform, "-out_dir", folder, "-output", "zebin",
               "-output_no_suffix",
               "--format", "zebin", "-options", options]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", env=environment, check=False)
    texts = {}
    for text in sorted(glob.glob(os.path.join(dump, "*.visaasm"))):
        with open(text, encoding="utf-8") as file:
            name = re.search(r'^\.kernel "(.*)"', file.read(), re.M).group(1)
        texts[name] = shutil.copy(text, os.path.join(folder, name + ".visaasm"))
    shutil.rmtree(dump, ignore_errors=True)
    if done.returncode != 0:
        return None, None, done.stdout + done.stderr
    return texts, os.path.join(folder, "zebin"), ""


def run_file(path, platform, width, options, reference, folder):
    """All kernels of a source for one platform and width; yields (kernel, error or None, command)."""
    os.makedirs(folder, exist_ok=True)
    source = prepare(path, platform, width, folder)
    texts, zebin, messages = compile_visa(source, platform, folder,
                                          "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt")
    if texts is None:
        return [(spec.Kernel(path, os.path.basename(path), "", ""), "ocloc refuses it: " + messages[:400], [])]
    found = []
    for kernel, theirs, error in reference:
        if kernel.name not in texts:
            continue
        command = [options.offgrid, "check" if options.check else "run", texts[kernel.name], "--platform", platform,
                   "--timeout", "60"]
        if not error:
            ours, error, command = run.results(command + ["--zeinfo", zebin], kernel, folder)
            error = error or run.compare(kernel, ours, theirs)
        found.append((kernel, error, command))
    return found


def pocl_results(host, path, pattern, folder):
    reference = []
    for kernel in spec.parse(path):
        if fnmatch.fnmatch(kernel.name, pattern) and kernel.name not in KNOWN:
            contents, error, _ = run.results([host, path], kernel, folder)
            reference.append((kernel, contents, error and "PoCL: " + error))
    return reference


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--platforms", default="skl,tgllp,dg2,pvc")
    parser.add_argument("--widths", default="8,16,32")
    parser.add_argument("--only", default="*", help="kernels")
    parser.add_argument("--files", default="*.cl", help="sources")
    parser.add_argument("--short", action="store_true", help="one width on each platform")
    parser.add_argument("--keep", help="folder for compiled kernels and buffers, kept afterwards")
    parser.add_argument("--check", action="store_true", help="with every check on: a finding is a failure")
    parser.add_argument("--verbose", action="store_true", help="print the command of each failure")
    options = parser.parse_args()
    absent = [program for program in ("ocloc", "cc") if not shutil.which(program)]
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    start, passed, failed = time.time(), 0, 0
    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(2) as pool:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        host, jobs = toolchain.build_host(folder), []
        for path in sorted(glob.glob(os.path.join(HERE, "opencl", options.files))):
            base = os.path.join(folder, os.path.basename(path))
            reference = pocl_results(host, path, options.only, base + ".pocl")
            for platform in options.platforms.split(",") if reference else []:
                for width in options.widths.split(","):
                    if int(width) >= NARROWEST.get(platform, 8) and (not options.short
                                                                     or int(width) == SHORT[platform]):
                        place = f"{base}.{platform}.{width}"
                        jobs.append((path, platform, width,
                                     pool.submit(run_file, path, platform, width, options, reference, place)))
        for path, platform, width, job in jobs:
            for kernel, error, command in job.result():
                passed, failed = passed + (not error), failed + bool(error)
                if error:
                    print(f"FAIL {os.path.basename(path)}:{kernel.name} {platform} SIMD{width}: {error}")
                    if options.verbose:
                        print("    " + " ".join(command))
    print(f"{passed} of {passed + failed} vISA kernel runs agree with PoCL, {time.time() - start:.0f} s")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
