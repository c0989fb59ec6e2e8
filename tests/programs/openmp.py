#!/usr/bin/env python3
"""OpenMP programs of our own (tests/programs/openmp) offloaded by clang and by GCC, on the drop-in HSA runtime; clang's also
with device code by `offgrid cc`. 77: neither compiler is there.

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
sys.path.insert(0, os.path.join(HERE, "..", "hecbench"))
import device  # pylint: disable=wrong-import-position

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
        os.environ["DEVICE_IR"] = os.path.join(folder, "ir")
        wrapper = device.install(os.path.join(folder, "wrapper"), "clang-linker-wrapper")
        program = os.path.join(folder, "program")

        def judge(gpu, expected, name):
            code, output = output_of([offgrid, "exec", f"--gpu={gpu}", "--", program])
            right = code == 0 and output == expected
            print(f"{name} for {gpu}: " + ("PASS" if right else f"exit {code}\n{output}expected:\n{expected}"))
            return 0 if right else 1

        for source in sorted(glob.glob(os.path.join(HERE, "openmp", "*.c"))):
            name = os.path.basename(source)
            subprocess.run(["gcc", "-O2", "-w", source, "-o", program, "-lm"], check=True)
            host = subprocess.run([program], capture_output=True, text=True, check=True).stdout
            for command, gpu in there:
                options = [f"-B{wrapper}"] if command is CLANG else []
                subprocess.run([word.format(gpu=gpu) for word in command] + options + ["-w", source, "-o", program, "-lm"], check=True,
                               stderr=subprocess.DEVNULL)
                failed += judge(gpu, host, f"{name} by {command[0]}")
                if command is CLANG:
                    refused = device.replace(offgrid, program, os.environ["DEVICE_IR"], gpu, program)
                    failed += 1 if refused else judge(gpu, host, f"{name} with device code by offgrid cc")
                    print(f"{name} for {gpu}: {refused}\n" if refused else "", end="")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
