#!/usr/bin/env python3
"""OpenMP programs of our own (tests/programs/openmp) offloaded by clang and by GCC, on the drop-in HSA runtime. 77: neither
compiler is there.

Each prints what it computed, which is held against the same program computed on the host, and ends with exit code 0: the
plugins of both use the library until the process is gone.
"""
import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
DEVICE_LIBRARY = "/usr/lib/x86_64-linux-gnu/amdgcn/bitcode"  # of rocm-device-libs
CLANG = ["clang-15", "-O2", "-fopenmp", "-fopenmp-targets=amdgcn-amd-amdhsa", "-Xopenmp-target=amdgcn-amd-amdhsa",
         "-march={gpu}", "--rocm-device-lib-path=" + DEVICE_LIBRARY]
GCC = ["gcc-12", "-O2", "-fopenmp", "-foffload=amdgcn-amdhsa", "-foffload-options=-march={gpu} -lm"]


def compilers():
    """(command, GPU) of what is installed."""
    if shutil.which("clang-15") and os.path.isdir(DEVICE_LIBRARY) and glob.glob("/usr/lib/llvm-15/lib/libomptarget.rtl.amdgpu*"):
        yield CLANG, "gfx906"
        yield CLANG, "gfx1030"
    if shutil.which("gcc-12") and glob.glob("/usr/lib/gcc/x86_64-linux-gnu/12/accel/amdgcn-amdhsa"):
        yield GCC, "gfx900"
        yield GCC, "gfx906"


def output_of(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          env=dict(os.environ, OMP_TARGET_OFFLOAD="mandatory"))
    return done.returncode, done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--offgrid", required=True)
    offgrid = parser.parse_args().offgrid
    runtime = os.path.join(os.path.dirname(os.path.abspath(offgrid)), "hsa", "libhsa-runtime64.so.1")
    there = list(compilers())
    if not there or not os.path.exists(runtime):
        print("no compiler that offloads, or the drop-in runtime is not there")
        return 77
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in sorted(glob.glob(os.path.join(HERE, "openmp", "*.c"))):
            program = os.path.join(folder, "program")
            subprocess.run(["gcc", "-O2", "-w", source, "-o", program, "-lm"], check=True)
            host = subprocess.run([program], capture_output=True, text=True, check=True).stdout
            for command, gpu in there:
                subprocess.run([word.format(gpu=gpu) for word in command] + ["-w", source, "-o", program, "-lm"], check=True,
                               stderr=subprocess.DEVNULL)
                code, output = output_of([offgrid, "exec", f"--gpu={gpu}", "--", program])
                name = f"{os.path.basename(source)} by {command[0]} for {gpu}"
                print(f"{name}: " + ("PASS" if code == 0 and output == host else f"exit {code}\n{output}expected:\n{host}"))
                failed += code != 0 or output != host
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
