#!/usr/bin/env python3
"""Kernels around matrix instructions, compiled by clang-22 and by `offgrid cc` from the same source: sums carried round
loops, more of them than registers, branches between, results that are read and changed. Both must leave the same behind,
and the linter must find nothing in the object. 77: a compiler is not installed.

usage: cc_matrix.py --offgrid BUILD/offgrid [--processors gfx90a,...] [--only NAME] [--keep FOLDER]"""
import argparse
import os
import random
import struct
import sys
import tempfile

import kernels
import matrix
import toolchain

HEAD = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef float float32 __attribute__((ext_vector_type(32)));
#define LANE (int)__builtin_amdgcn_workitem_id_x()
kernel void k(global const half *a, global const half *b, global const int *n, global %s *out) {
  int lane = LANE, count = n[0];
%s}
"""


def loop(sums, vector, call, step, tail=""):
    """Several sums in a loop, each with a factor of its own, written at the end."""
    body = "".join(f"  {vector} c{i} = {i};\n" for i in range(sums))
    body += f"  for (int k = 0; k < count; k++) {{\n    {step}\n"
    body += "".join(f"    c{i} = {call % {'c': f'c{i}', 'i': i}};\n" for i in range(sums)) + "  }\n" + tail
    return body + "".join(f"  out[{i} * LANES + lane] = c{i};\n" for i in range(sums))


LOAD = "half4 x = ((global const half4 *)a)[k * LANES + lane], y = ((global const half4 *)b)[k * LANES + lane];"
LOAD16 = "half16 x = ((global const half16 *)a)[k * 16 + lane % 16], y = ((global const half16 *)b)[k * 16 + lane % 16];"
WIDE = "__builtin_amdgcn_mfma_f32_32x32x4f16(x * (half)(%(i)d %% 3), y, %(c)s, 0, 0, 0)"
SMALL = "__builtin_amdgcn_mfma_f32_16x16x16f16(x, y * (half)(1 + %(i)d %% 2), %(c)s, 0, 0, 0)"
WMMA = "__builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, y * (half)(1 + %(i)d %% 2), %(c)s)"

CDNA = {
    "one": ("float32", loop(1, "float32", WIDE, LOAD)),
    "seven": ("float32", loop(7, "float32", WIDE, LOAD)),
    "ten": ("float32", loop(10, "float32", WIDE, LOAD)),  # 320 registers
    "small": ("float4", loop(5, "float4", SMALL, LOAD)),
    "read": ("float4", loop(2, "float4", SMALL, LOAD + " c0 = c1 + c0 * 0.5f;")),
    "swapped": ("float4", loop(2, "float4", SMALL, LOAD + " float4 t = c0; c0 = c1; c1 = t;")),
    "nested": ("float4", loop(2, "float4", SMALL, LOAD + " for (int j = 0; j < k % 3; j++) "
                                                  "c1 = __builtin_amdgcn_mfma_f32_16x16x16f16(y, x, c1, 0, 0, 0);")),
    "branch": ("float4", loop(2, "float4", SMALL, LOAD + " if (k & 1) "
                                                  "c1 = __builtin_amdgcn_mfma_f32_16x16x16f16(y, x, c0, 0, 0, 0);")),
    "last": ("float4", loop(2, "float4", SMALL, LOAD, "  if (lane & 1) c0 = c0 * 2 + c1; else c1 = c1 - c0;\n")),
    "twice": ("float4", loop(1, "float4", SMALL, LOAD, "  float4 d = c0;\n  half4 z = {1, 2, 3, 4};\n"
              "  c0 = __builtin_amdgcn_mfma_f32_16x16x16f16(z, z, d, 0, 0, 0) +\n"
              "       __builtin_amdgcn_mfma_f32_16x16x16f16(z, z * z, d, 0, 0, 0) + d;\n")),
    "zero": ("float4", "  half4 x = ((global const half4 *)a)[lane];\n  float4 c0 = 0;\n"
             "  c0 = __builtin_amdgcn_mfma_f32_16x16x16f16(x, x, c0, 0, 0, 0);\n  out[lane] = c0;\n"),
}
DOUBLES = {
    "doubles": ("double4", loop(3, "double4", "__builtin_amdgcn_mfma_f64_16x16x4f64(x, y + %(i)d, %(c)s, 0, 0, 0)",
                                "double x = a[k * LANES + lane], y = b[k * LANES + lane];")),
    "double": ("double", loop(3, "double", "__builtin_amdgcn_mfma_f64_4x4x4f64(x, y + %(i)d, %(c)s, 0, 0, 0)",
                              "double x = a[k * LANES + lane], y = b[k * LANES + lane];")),
}
RDNA = {
    "one": ("float8", loop(1, "float8", WMMA, LOAD16)),
    "twenty": ("float8", loop(20, "float8", WMMA, LOAD16)),
    "read": ("float8", loop(2, "float8", WMMA, LOAD16 + " c0 = c1 + c0 * 0.5f;")),
    "swapped": ("float8", loop(2, "float8", WMMA, LOAD16 + " float8 t = c0; c0 = c1; c1 = t;")),
    "halves": ("half16", loop(2, "half16", "__builtin_amdgcn_wmma_f16_16x16x16_f16_w32(x, y, %(c)s, %(i)d)", LOAD16)),
    "zero": ("float8", "  half16 x = ((global const half16 *)a)[lane % 16];\n  float8 c0 = 0;\n"
             "  c0 = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(x, x, c0);\n  out[lane] = c0;\n"),
}
PROCESSORS = {"gfx908": CDNA, "gfx90a": {**CDNA, **DOUBLES}, "gfx942": {**CDNA, **DOUBLES}, "gfx950": {**CDNA, **DOUBLES},
              "gfx1100": RDNA}


def check(options, processor, name, folder):
    """What is wrong, or None."""
    d, body = PROCESSORS[processor][name]
    lanes = 32 if processor.startswith("gfx11") else 64
    path = os.path.join(folder, f"{processor}.{name}.cl")
    with open(path, "w", encoding="utf-8") as file:
        file.write(HEAD % (d, body.replace("LANES", str(lanes))))
    rng = random.Random(7)
    inputs = [struct.pack("<4096e", *(rng.randrange(-2, 3) for _ in range(4096))) for _ in range(2)]
    size = matrix.size_of(d) * lanes * 20
    results = []
    for compile_it in matrix.compile_kernels, lambda *args: matrix.compile_by_cc(options.offgrid, *args):
        code = path + ".co"
        said = compile_it(path, code, processor, lanes)
        if said:
            return said
        out, said = kernels.run(options.offgrid, code, "k", lanes, [*inputs, struct.pack("<i", 6)], size, folder)
        if said:
            return said
        results.append(out)
    return None if results[0] == results[1] else "results differ from clang's"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default=",".join(PROCESSORS))
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", help="folder for what is made, kept afterwards")
    options = parser.parse_args()
    if toolchain.missing("clang-22"):
        return 77
    wrong = count = 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or temporary
        for processor in options.processors.split(","):
            for name in PROCESSORS[processor]:
                if options.only not in name:
                    continue
                count += 1
                said = check(options, processor, name, folder)
                if said:
                    wrong += 1
                    print(f"FAIL {processor} {name}: {said}")
    print(f"{count - wrong} of {count} kernels do what clang's do")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
