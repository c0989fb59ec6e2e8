#!/usr/bin/env python3
"""printf, assert and malloc of kernels that compilers made, in plain `offgrid run`: HIP's ask the host while they run,
OpenCL's fill a buffer. 77: a compiler is missing."""
import argparse
import os
import subprocess
import sys
import tempfile

from toolchain import compile_opencl, missing

HIP = r"""
#include <hip/hip_runtime.h>
#include <cassert>
__global__ void talk(int *written, float x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  written[i] = printf("%d of %s: %.2f %c %% %#llx %*d|%-4d|\n", i, i % 2 ? "odd" : "even", x, 'a' + i, 81985529216486895ll,
                      5, -i, i);
}
__global__ void check(int *, int n) { assert(n < 3 && "small"); }
__global__ void heap(int **out) {
  out[threadIdx.x] = (int *)malloc(64);
  *out[threadIdx.x] = threadIdx.x;
}
__global__ void many(int *) {
  if (threadIdx.x % 64 == 0) printf("wave %d of group %d\n", (int)threadIdx.x / 64, (int)blockIdx.x);
}
int main() {}
"""
OPENCL = r"""
kernel void talk(global int *out, float x) {
  int i = get_global_id(0);
  printf("item %d of %s: %f %c %%\n", i, "all", x, 'c');
  printf("%v4hlf|%v3hld|%#lx|%5.1f|%-6d|%s\n", (float4)(1, 2, 3, x), (int3)(i), 0x123456789abcul, 2.25f * x, i, "");
  out[i] = i;
}
"""


def run(offgrid, *arguments):
    done = subprocess.run([offgrid, "run", *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def expect(what, found, wanted):
    if found != wanted:
        sys.exit(f"{what}: expected\n{wanted!r}\nnot\n{found!r}")


def hip(offgrid, folder, processor):
    source, program = os.path.join(folder, "talk.hip"), os.path.join(folder, "talk")
    with open(source, "w", encoding="utf-8") as file:
        file.write(HIP)
    subprocess.run(["hipcc", f"--offload-arch={processor}", "-O1", "-w", source, "-o", program], check=True)
    written = os.path.join(folder, "written")
    lines = ["%d of %s: 1.50 %c %% 0x123456789abcdef %5d|%-4d|\n" % (i, "odd" if i % 2 else "even", 97 + i, -i, i)
             for i in range(6)]
    expect("HIP's printf", run(offgrid, program, "--kernel", "talk", "--grid", "6", "--group", "6", "--arg",
                               f"out:{written}:24", "--arg", "f32:1.5"), (0, "".join(lines), ""))
    with open(written, "rb") as file:
        expect("what it yields", list(memoryview(file.read()).cast("i")), [len(line) for line in lines])
    code, _, errors = run(offgrid, program, "--kernel", "check", "--grid", "1", "--group", "1", "--arg", "buf:4", "--arg",
                          "i32:5")
    if code != 3 or "Device-side assertion `n < 3 && \"small\"' failed." not in errors or "s_trap 2" not in errors:
        sys.exit(f"assert: {code}: {errors}")
    expect("malloc", run(offgrid, program, "--kernel", "heap", "--grid", "64", "--group", "64", "--arg", "buf:512"),
           (0, "", ""))
    code, output, _ = run(offgrid, program, "--kernel", "many", "--grid", "65536", "--group", "256", "--arg", "buf:4",
                          "--threads", "4")
    expect("many waves", (code, sorted(output.splitlines())),
           (0, sorted(f"wave {w} of group {g}" for w in range(256 // 64) for g in range(65536 // 256))))


def opencl(offgrid, folder, processor):
    source, library = os.path.join(folder, "talk.cl"), os.path.join(folder, "talk.co")
    bitcode = os.path.join(folder, "talk.bc")
    with open(source, "w", encoding="utf-8") as file:
        file.write(OPENCL)
    # The compiler binds printf before it sees the device libraries, which have an empty one.
    subprocess.run(["clang-22", "--target=amdgcn-amd-amdhsa", f"-mcpu={processor}", "-nogpulib", "-x", "cl",
                    "-cl-std=CL1.2", "-O2", "-w", "-c", "-emit-llvm", source, "-o", bitcode], check=True)
    good, messages = compile_opencl(bitcode, library, 2, processor, ["-x", "ir", "-Wno-unused-command-line-argument"])
    if not good:
        sys.exit(messages)
    code, output, errors = run(offgrid, library, "--grid", "3", "--group", "3", "--arg", "buf:64", "--arg", "f32:1.5")
    lines = [f"item {i} of all: 1.500000 c %" for i in range(3)]
    lines += [f"1.000000,2.000000,3.000000,1.500000|{i},{i},{i}|0x123456789abc|  3.4|{i:<6}|" for i in range(3)]
    expect("OpenCL's printf", (code, sorted(output.splitlines()), errors), (0, sorted(lines), ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--offgrid", required=True)
    offgrid = parser.parse_args().offgrid
    absent = missing("hipcc", "clang-22")
    if absent:
        print("not installed:", *absent)
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        for processor in ("gfx906", "gfx1030"):
            hip(offgrid, folder, processor)
            opencl(offgrid, folder, processor)


if __name__ == "__main__":
    main()
