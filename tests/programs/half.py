#!/usr/bin/env python3
"""Kernels of halves against exact arithmetic: what clang makes of them puts two values into one register where the
processor can (true16), so that every instruction must pick and keep halves; and what `offgrid cc` makes of the same IR.
77: a compiler is not installed."""
import argparse
import itertools
import os
import random
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

import toolchain

SIZE = 16
SOURCE = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void gemm(global const half *a, global const half *b, global half *c) {
  int x = get_global_id(0), y = get_global_id(1);
  half s = 0;
  for (int k = 0; k < 16; k++)
    s = fma(a[y * 16 + k], b[k * 16 + x], s);
  c[y * 16 + x] = s;
}
/* Sixteen sums a work-item, in the halves of eight registers. */
kernel void gemm_rows(global const half *a, global const half *b, global half *c) {
  int y = get_global_id(0);
  half s[16];
  for (int x = 0; x < 16; x++)
    s[x] = 0;
  for (int k = 0; k < 16; k++) {
    half f = a[y * 16 + k];
    for (int x = 0; x < 16; x++)
      s[x] = fma(f, b[k * 16 + x], s[x]);
  }
  for (int x = 0; x < 16; x++)
    c[y * 16 + x] = s[x];
}
kernel void polynomial(global const half *a, global const half *b, global half *c) {
  int y = get_global_id(0);
  for (int x = 0; x < 16; x++) {
    half v = a[y * 16 + x], w = b[y * 16 + x];
    half p = fma(v, (half)0.3125f, w), q = fma(w, v, (half)1.7001953125f);
    c[y * 16 + x] = v < w ? fma(p, q, -v) : fma(q, (half)-2.099609375f, fabs(p));
  }
}
kernel void shorts(global const short *a, global const ushort *b, global short *c) {
  int y = get_global_id(0);
  for (int x = 0; x < 16; x++) {
    short v = a[y * 16 + x];
    ushort w = b[y * 16 + x];
    c[y * 16 + x] = max(v, (short)(w >> 3)) + (v >> (w & 15)) * (short)w - min(v, (short)(w ^ v));
  }
}
"""


def half(x):
    return struct.unpack("<e", struct.pack("<e", float(x)))[0]


def fma(a, b, c):
    return half(Fraction(a) * Fraction(b) + Fraction(c))


def gemm(a, b):
    result = []
    for i in range(SIZE * SIZE):
        total = 0.0
        for k in range(SIZE):
            total = fma(a[i // SIZE * SIZE + k], b[k * SIZE + i % SIZE], total)
        result.append(total)
    return result


def polynomial(a, b):
    result = []
    for v, w in zip(a, b):
        p, q = fma(v, 0.3125, w), fma(w, v, 1.7001953125)
        result.append(fma(p, q, -v) if v < w else fma(q, -2.099609375, abs(p)))
    return result


def signed(x):
    return (x + 0x8000) % 0x10000 - 0x8000


def shorts(a, b):
    return [signed(max(v, signed(w >> 3)) + (v >> (w & 15)) * signed(w) - min(v, signed(w ^ (v & 0xffff))))
            for v, w in zip(a, b)]


KERNELS = [("gemm", "16,16", gemm, "e", "e"), ("gemm_rows", "16", gemm, "e", "e"),
           ("polynomial", "16", polynomial, "e", "e"), ("shorts", "16", shorts, "h", "H")]


def run(offgrid, code, kernel, grid, folder, inputs):
    """The output's bytes, or None and what was said."""
    command = [offgrid, "run", code, "--kernel", kernel, "--grid", grid, "--group", grid]
    for name, data in zip("ab", inputs):
        path = os.path.join(folder, name)
        with open(path, "wb") as file:
            file.write(data)
        command += ["--arg", f"in:{path}"]
    output = os.path.join(folder, "c")
    done = subprocess.run(command + ["--arg", f"out:{output}:{2 * SIZE * SIZE}"], capture_output=True, text=True,
                          check=False)
    if done.returncode:
        return None, done.stderr.strip()
    with open(output, "rb") as file:
        return file.read(), ""


def compile_all(offgrid, source, code, level, processor):
    """Yields by whom it was compiled, and what was said where that failed."""
    ok, messages = toolchain.compile_opencl(source, code, level, processor)
    yield "clang", "" if ok else messages
    ok, messages = toolchain.compile_opencl(source, code + ".ll", level, processor, ["-S", "-emit-llvm"])
    if ok:
        done = subprocess.run([offgrid, "cc", "-mcpu=" + processor, code + ".ll", "-o", code], capture_output=True,
                              text=True, check=False)
        ok, messages = done.returncode == 0, done.stderr
    yield "offgrid cc", "" if ok else messages


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default="gfx803,gfx900,gfx1030,gfx1100,gfx1150,gfx1200,gfx1250")
    options = parser.parse_args()
    if toolchain.missing("clang-22"):
        sys.exit(77)
    random.seed(7)
    count, wrong = SIZE * SIZE, 0
    values = {"e": lambda: half(random.uniform(-2, 2)), "h": lambda: random.randrange(-0x8000, 0x8000),
              "H": lambda: random.randrange(0x10000)}
    with tempfile.TemporaryDirectory() as folder:
        source, code = os.path.join(folder, "half.cl"), os.path.join(folder, "half.co")
        with open(source, "w", encoding="utf-8") as file:
            file.write(SOURCE)
        for processor, level in itertools.product(options.processors.split(","), (0, 2)):
            for compiler, messages in compile_all(options.offgrid, source, code, level, processor):
                if messages:
                    sys.exit(f"{processor}, {compiler}: {messages}")
                for kernel, grid, reference, *types in KERNELS:
                    inputs = [[values[t]() for _ in range(count)] for t in types]
                    data, said = run(options.offgrid, code, kernel, grid, folder,
                                     [struct.pack(f"<{count}{t}", *v) for t, v in zip(types, inputs)])
                    got = struct.unpack(f"<{count}{types[0]}", data) if data else []
                    want = reference(*inputs)
                    bad = sum(g != w for g, w in zip(got, want)) if data else count
                    if bad:
                        wrong += 1
                        print(f"FAIL {processor} -O{level} {compiler} {kernel}: {bad} of {count} values are wrong {said}")
    print(f"{wrong} kernels of halves and shorts are wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
