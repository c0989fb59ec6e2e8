#!/usr/bin/env python3
"""Compiles the OpenCL programs of opencl/ and cc/ to LLVM IR with clang-22 and from there to code objects with
`offgrid cc`, runs their kernels and compares what they leave behind with PoCL. The objects must pass `offgrid lint`, and
llvm-objdump-22 must read the same instructions in them as `offgrid objdump`.

usage: cc.py --offgrid BUILD/offgrid [--processor gfx900] [--levels 2] [--only PATTERN] [--keep FOLDER]"""
import argparse
import fnmatch
import glob
import os
import subprocess
import sys
import tempfile

import run
import spec
import toolchain

# What is refused, by file and level: a word of the one error that says so.
REFUSED = {}


def compile_program(offgrid, path, level, processor, folder):
    """The code object of a source file; or None and the error, and whether it is the compiler's that is tested."""
    base = os.path.join(folder, f"{os.path.basename(path)}.O{level}.{processor}")
    ok, messages = toolchain.compile_opencl(path, base + ".ll", level, processor,
                                            run.FLOAT_OPTIONS + ["-S", "-emit-llvm"])
    if not ok:
        return None, "clang-22 refuses it: " + messages[:400], False
    done = subprocess.run([offgrid, "cc", f"-mcpu={processor}", base + ".ll", "-o", base + ".co"],
                          capture_output=True, text=True, errors="replace", check=False)
    if done.returncode == 1 and os.path.exists(base + ".co"):
        return None, "it wrote a file beside its error", False
    if done.returncode:
        return None, (done.stderr.strip() or f"exit {done.returncode}")[:600], done.returncode == 1
    return base + ".co", None, False


def instructions(tool, path):
    """What a disassembler prints of the code, one line each, without what only one of them writes."""
    done = subprocess.run([*tool, "-d", path], capture_output=True, text=True, check=False)
    return [line.split("//")[0].strip() for line in done.stdout.splitlines() if "//" in line]


def check_object(offgrid, path, processor):
    """Findings about a code object: the linter's, and where LLVM reads other instructions."""
    done = subprocess.run([offgrid, "lint", path], capture_output=True, text=True, check=False)
    if done.returncode or done.stdout.strip() or done.stderr.strip():
        return "lint: " + (done.stdout + done.stderr)[:400]
    if processor.startswith(("gfx6", "gfx7")):  # LLVM has no disassembler for these
        return None
    ours, theirs = instructions([offgrid, "objdump"], path), instructions(["llvm-objdump-22"], path)
    for mine, reference in zip(ours, theirs):
        if mine != reference:
            return f"llvm-objdump-22 reads '{reference}', offgrid '{mine}'"
    if not theirs or len(ours) != len(theirs):
        return f"llvm-objdump-22 reads {len(theirs)} instructions, offgrid {len(ours)}"
    return None


def run_file(path, level, options, host, folder):
    """Yields (name, error or None) for each kernel of a file."""
    kernels = [kernel for kernel in spec.parse(path) if fnmatch.fnmatch(kernel.name, options.only)]
    if not kernels:
        return
    name = f"{os.path.basename(path)} -O{level}"
    code_object, error, refused = compile_program(options.offgrid, path, level, options.processor, folder)
    expected = REFUSED.get((os.path.basename(path), level))
    if expected and refused and expected in error:
        print(f"refused as expected: {name}: {expected}")
        return
    if expected:
        error = f"should be refused for '{expected}': {error or 'it is compiled'}"
    error = error or check_object(options.offgrid, code_object, options.processor)
    if error:
        yield name, error
        return
    for kernel in kernels:
        reference, error, _ = run.results([host, path], kernel, os.path.join(folder, "pocl"))
        if not error:
            ours, error, _ = run.results([options.offgrid, "run", code_object, "--timeout", "60"], kernel,
                                         os.path.join(folder, "ours"))
            error = error or run.compare(kernel, ours, reference)
        yield f"{name} {kernel.name}", error


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processor", default="gfx900")
    parser.add_argument("--levels", default="2")
    parser.add_argument("--only", default="*")
    parser.add_argument("--keep", help="folder for what is made, kept afterwards")
    options = parser.parse_args()
    absent = toolchain.missing("clang-22", "llvm-objdump-22")
    if absent:
        print("skipped, not installed:", ", ".join(absent))
        return 77
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        os.makedirs(folder, exist_ok=True)
        host = toolchain.build_host(folder)
        passed = failed = 0
        here = os.path.dirname(os.path.abspath(__file__))
        for path in sorted(glob.glob(os.path.join(here, "opencl", "*.cl")) + glob.glob(os.path.join(here, "cc", "*.cl"))):
            for level in options.levels.split(","):
                for name, error in run_file(path, level, options, host, folder):
                    passed, failed = passed + (not error), failed + bool(error)
                    if error:
                        print(f"FAIL {name}: {error}")
    print(f"{passed} of {passed + failed} on {options.processor} agree with PoCL")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
