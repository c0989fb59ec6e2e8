#!/usr/bin/env python3
"""XeGPU kernels by their values: each runs directly and lowered, and what it leaves in its buffers is held against a
reference computed here or, of matrices, reductions and softmax, by xegpu_reference.c; the lowered ones must give the same bytes as the direct run, but where a case says how far they
may be apart. Lowered text also passes `offgrid lint`.

usage: xegpu.py --offgrid BUILD/offgrid [--long] [--only NAME] [--targets direct,visa] [--genx] [--times]
                [--keep FOLDER]"""
import argparse
import array
import atexit
import ctypes
import math
import operator
import os
import random
import resource
import shutil
import struct
import subprocess
import sys
import tempfile
import time

RANDOM = random.Random(1)
AMD = {"gfx90a": 64, "gfx942": 64, "gfx1100": 32}  # lanes of a wave
EVERYWHERE = ("visa", *AMD)


# ---- numbers as bytes -------------------------------------------------------------------------------------------------

def to_bf16(value):
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16


PACK = {"f16": lambda v: struct.pack("<e", v), "f32": lambda v: struct.pack("<f", v), "f64": lambda v: struct.pack("<d", v),
        "tf32": lambda v: struct.pack("<f", v), "bf16": lambda v: struct.pack("<H", to_bf16(v)),
        "i8": lambda v: struct.pack("<b", v), "u8": lambda v: struct.pack("<B", v), "i16": lambda v: struct.pack("<h", v),
        "i32": lambda v: struct.pack("<i", v), "i64": lambda v: struct.pack("<q", v)}
SIZE = {"f16": 2, "bf16": 2, "f32": 4, "tf32": 4, "f64": 8, "i8": 1, "u8": 1, "i16": 2, "i32": 4, "i64": 8}


def pack(kind, values):
    return b"".join(map(PACK[kind], values))


def unpack(kind, data):
    if kind == "bf16":
        return [struct.unpack("<f", struct.pack("<I", v << 16))[0] for v in struct.unpack(f"<{len(data) // 2}H", data)]
    letter = {"f16": "e", "f32": "f", "tf32": "f", "f64": "d", "i8": "b", "u8": "B", "i16": "h", "i32": "i", "i64": "q"}[kind]
    return list(struct.unpack(f"<{len(data) // SIZE[kind]}{letter}", data))


def round_to(kind, value):
    return unpack(kind, PACK[kind](value))[0]


def numbers(count, low=-4, high=4):
    return [RANDOM.randint(low, high) for _ in range(count)]


def reals(count, low=-2.0, high=2.0, kind="f32"):
    return [round_to(kind, RANDOM.uniform(low, high)) for _ in range(count)]


# ---- references -------------------------------------------------------------------------------------------------------

def compile_reference():
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder)
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "xegpu_reference.c")
    library = os.path.join(folder, "reference.so")
    subprocess.run([os.environ.get("CC", "cc"), "-O3", "-ffp-contract=off", "-fPIC", "-shared", source, "-o", library, "-lm"], check=True)
    return ctypes.CDLL(library)


REFERENCE = compile_reference()


def reference(name, inputs, output_sizes, *sizes):
    """The outputs of a function of xegpu_reference.c: arrays in, arrays out, sizes."""
    arrays = [array.array("d", values) for values in inputs] + [array.array("d", bytes(8 * size)) for size in output_sizes]
    pointers = [(ctypes.c_double * len(values)).from_buffer(values) for values in arrays]
    getattr(REFERENCE, name)(*pointers, *map(ctypes.c_long, sizes))
    return [list(values) for values in arrays[len(inputs):]]


def matmul(a, b, m, n, k):
    return reference("matmul", [a, b], [m * n], m, n, k)[0]


# ---- cases -----------------------------------------------------------------------------------------------------------------

class Case:
    """arguments: ("in", kind, values), ("out", kind, expected values), ("inout", kind, values, expected), ("i64", value).
    near: how far a value may be from the reference, absolutely and relatively; same: how far lowered runs from the
    direct one; targets: what else runs it. `offgrid check` must have nothing to say of any."""

    def __init__(self, name, text, arguments, grid="16", group="16", near=0.0, same=0.0, targets=("visa",)):
        self.name, self.text, self.arguments, self.grid, self.group = name, text, arguments, grid, group
        self.near, self.same, self.targets = near, same, targets
        self.one_each = "VectorComputeFunctionINTEL" in text


CASES = []


def case(*args, **kwargs):
    CASES.append(Case(*args, **kwargs))


def kernel(arguments, body, attributes=""):
    return f"gpu.module @m {{\n  gpu.func @k({arguments}) kernel {attributes} {{\n{body}\n    gpu.return\n  }}\n}}\n"


def gemm(name, m, n, k, kind, out, tile_k, group="16", packed=True, epilogue="", **options):
    """A subgroup for each 8x16 tile; the group's x is the column, y the row."""
    factor = 4 // SIZE[kind]
    b = f"vector<{tile_k // factor}x16x{factor}x{kind}>" if factor > 1 and packed else f"vector<{tile_k}x16x{kind}>"
    word = " <{packed}>" if factor > 1 and packed else ""
    zero = "0" if out == "i32" else "0.0"
    text = kernel(f"%A: memref<{m}x{k}x{kind}>, %B: memref<{k}x{n}x{kind}>, %C: memref<{m}x{n}x{out}>", f"""
    %c0 = arith.constant 0 : index
    %ck = arith.constant {k} : index
    %step = arith.constant {tile_k} : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %x = gpu.block_id x
    %y = gpu.block_id y
    %j = arith.muli %x, %c16 : index
    %i = arith.muli %y, %c8 : index
    %a = xegpu.create_nd_tdesc %A : memref<{m}x{k}x{kind}> -> !xegpu.tensor_desc<8x{tile_k}x{kind}>
    %b = xegpu.create_nd_tdesc %B : memref<{k}x{n}x{kind}> -> !xegpu.tensor_desc<{tile_k}x16x{kind}>
    %c = xegpu.create_nd_tdesc %C : memref<{m}x{n}x{out}> -> !xegpu.tensor_desc<8x16x{out}>
    %z = arith.constant dense<{zero}> : vector<8x16x{out}>
    %r = scf.for %q = %c0 to %ck step %step iter_args(%acc = %z) -> (vector<8x16x{out}>) {{
      %va = xegpu.load_nd %a[%i, %q] : !xegpu.tensor_desc<8x{tile_k}x{kind}> -> vector<8x{tile_k}x{kind}>
      %vb = xegpu.load_nd %b[%q, %j]{word} : !xegpu.tensor_desc<{tile_k}x16x{kind}> -> {b}
      %d = xegpu.dpas %va, %vb, %acc : vector<8x{tile_k}x{kind}>, {b}, vector<8x16x{out}> -> vector<8x16x{out}>
      scf.yield %d : vector<8x16x{out}>
    }}
    {epilogue or "%s = arith.addi %r, %z : vector<8x16xi32>" if out == "i32" else epilogue or f"%s = arith.addf %r, %z : vector<8x16x{out}>"}
    xegpu.store_nd %s, %c[%i, %j] : vector<8x16x{out}>, !xegpu.tensor_desc<8x16x{out}>""")
    a_values, b_values = numbers(m * k), numbers(k * n)
    expected = matmul(a_values, b_values, m, n, k)
    if out == "i32":
        expected = [int(v) for v in expected]
    if epilogue:
        expected = [max(v, 0) for v in expected]
    case(name, text, [("in", kind, a_values), ("in", kind, b_values), ("out", out, expected)], grid=f"{n // 16 * 16},{m // 8}",
         group=group, targets=EVERYWHERE if kind != "tf32" else EVERYWHERE[:3], **options)


gemm("gemm_8x16x16_bf16", 8, 16, 16, "bf16", "f32", 16)
gemm("gemm_8x16x16_f16", 8, 16, 16, "f16", "f32", 16)
gemm("gemm_int8", 16, 32, 64, "i8", "i32", 32)
gemm("gemm_tf32", 16, 32, 32, "tf32", "f32", 8)
gemm("gemm_unpacked_f16", 16, 64, 64, "f16", "f32", 16, packed=False)
gemm("gemm_relu", 16, 64, 64, "f16", "f32", 16,
     epilogue="%zz = arith.constant dense<0.0> : vector<8x16xf32>\n    %s = arith.maximumf %r, %zz : vector<8x16xf32>")
gemm("gemm_64", 64, 64, 64, "bf16", "f32", 16)
gemm("gemm_256", 256, 256, 256, "f16", "f32", 16)


def batched():
    a, b = numbers(3 * 8 * 32), numbers(3 * 32 * 32)
    expected = []
    for p in range(3):
        expected += matmul(a[p * 256:p * 256 + 256], b[p * 1024:p * 1024 + 1024], 8, 32, 32)
    case("gemm_batched", kernel("%A: memref<3x8x32xf16>, %B: memref<3x32x32xf16>, %C: memref<3x8x32xf32>", """
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c16 = arith.constant 16 : index
    %x = gpu.block_id x
    %p = gpu.block_id z
    %j = arith.muli %x, %c16 : index
    %c = xegpu.create_nd_tdesc %C[%p, %c0, %j] : memref<3x8x32xf32> -> !xegpu.tensor_desc<8x16xf32>
    %z = arith.constant dense<0.0> : vector<8x16xf32>
    %r = scf.for %q = %c0 to %c32 step %c16 iter_args(%acc = %z) -> (vector<8x16xf32>) {
      %a = xegpu.create_nd_tdesc %A[%p, %c0, %q] : memref<3x8x32xf16> -> !xegpu.tensor_desc<8x16xf16>
      %b = xegpu.create_nd_tdesc %B[%p, %q, %j] : memref<3x32x32xf16> -> !xegpu.tensor_desc<16x16xf16>
      %va = xegpu.load_nd %a : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
      %vb = xegpu.load_nd %b <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
      %d = xegpu.dpas %va, %vb, %acc : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
      scf.yield %d : vector<8x16xf32>
    }
    xegpu.store_nd %r, %c : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>"""),
         [("in", "f16", a), ("in", "f16", b), ("out", "f32", expected)], grid="32,1,3", group="16", targets=EVERYWHERE)


batched()


def transposed_b():
    """B is stored n x k; pairs of bfloats are transposed as dwords, which makes the VNNI layout."""
    m, n, k = 8, 32, 32
    a, b = numbers(m * k), numbers(n * k)
    turned = [b[j * k + q] for q in range(k) for j in range(n)]
    text = """
module attributes {gpu.container_module} {
  gpu.module @m {
    gpu.func @k(%A: memref<8x32xbf16>, %B: memref<32x32xbf16>, %C: memref<8x32xf32>) kernel attributes {VectorComputeFunctionINTEL} {
      %c0 = arith.constant 0 : index
      %c16 = arith.constant 16 : index
      %c32 = arith.constant 32 : index
      %x = gpu.block_id x
      %j = arith.muli %x, %c16 : index
      %a = xegpu.create_nd_tdesc %A[%c0, %c0] {mode = vc} : memref<8x32xbf16> -> !xegpu.tensor_desc<8x16xbf16>
      %b = xegpu.create_nd_tdesc %B[%j, %c0] {mode = vc} : memref<32x32xbf16> -> !xegpu.tensor_desc<16x16xbf16>
      %c = xegpu.create_nd_tdesc %C[%c0, %j] {mode = vc} : memref<8x32xf32> -> !xegpu.tensor_desc<8x16xf32>
      %z = arith.constant dense<0.0> : vector<8x16xf32>
      %r:3 = scf.for %q = %c0 to %c32 step %c16 iter_args(%acc = %z, %ta = %a, %tb = %b) -> (vector<8x16xf32>, !xegpu.tensor_desc<8x16xbf16>, !xegpu.tensor_desc<16x16xbf16>) {
        %va = xegpu.load_nd %ta {mode = vc, vnni_axis = 1} : !xegpu.tensor_desc<8x16xbf16> -> vector<8x8x2xbf16>
        %t = xegpu.load_nd %tb {mode = vc, transpose = [1, 0], transpose_bit_width = 32} : !xegpu.tensor_desc<16x16xbf16> -> vector<8x32xbf16>
        %vb = vector.shape_cast %t : vector<8x32xbf16> to vector<8x16x2xbf16>
        %d = xegpu.dpas %va, %vb, %acc {mode = vc} : vector<8x8x2xbf16>, vector<8x16x2xbf16>, vector<8x16xf32> -> vector<8x16xf32>
        %na = xegpu.update_nd_offset %ta, [%c0, %c16] {mode = vc} : !xegpu.tensor_desc<8x16xbf16> -> !xegpu.tensor_desc<8x16xbf16>
        %nb = xegpu.update_nd_offset %tb, [%c0, %c16] {mode = vc} : !xegpu.tensor_desc<16x16xbf16> -> !xegpu.tensor_desc<16x16xbf16>
        scf.yield %d, %na, %nb : vector<8x16xf32>, !xegpu.tensor_desc<8x16xbf16>, !xegpu.tensor_desc<16x16xbf16>
      }
      xegpu.store_nd %r#0, %c {mode = vc} : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
      gpu.return
    }
  }
}
"""
    case("gemm_transposed_b", text, [("in", "bf16", a), ("in", "bf16", b), ("out", "f32", matmul(a, turned, m, n, k))],
         grid="2", group="1", targets=EVERYWHERE)


transposed_b()


def transposed_tile():
    values = reals(16 * 16)
    case("transpose_f32", kernel("%A: memref<16x16xf32>, %C: memref<8x16xf32>", """
    %a = xegpu.create_nd_tdesc %A : memref<16x16xf32> -> !xegpu.tensor_desc<16x8xf32>
    %c = xegpu.create_nd_tdesc %C : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %a[0, 8] <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32> -> vector<8x16xf32>
    xegpu.store_nd %v, %c[0, 0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>"""),
         [("in", "f32", values), ("out", "f32", [values[r * 16 + 8 + c] for c in range(8) for r in range(16)])], targets=EVERYWHERE)


transposed_tile()


def padding(name, rows, columns, offset, kind):
    """A tile that hangs over the base on two sides: zeros beyond it, and nothing stored there."""
    values = numbers(rows * columns)
    at = lambda r, c: values[r * columns + c] if 0 <= r < rows and 0 <= c < columns else 0
    got = [at(r + offset[0], c + offset[1]) for r in range(8) for c in range(16)]
    out = [7] * (rows * columns)
    for r in range(8):
        for c in range(16):
            if 0 <= r + offset[0] < rows and 0 <= c + offset[1] < columns:
                out[(r + offset[0]) * columns + c + offset[1]] = got[r * 16 + c]
    case(name, kernel(f"%A: memref<{rows}x{columns}x{kind}>, %G: memref<8x16x{kind}>, %C: memref<{rows}x{columns}x{kind}>", f"""
    %a = xegpu.create_nd_tdesc %A : memref<{rows}x{columns}x{kind}> -> !xegpu.tensor_desc<8x16x{kind}>
    %g = xegpu.create_nd_tdesc %G : memref<8x16x{kind}> -> !xegpu.tensor_desc<8x16x{kind}>
    %c = xegpu.create_nd_tdesc %C : memref<{rows}x{columns}x{kind}> -> !xegpu.tensor_desc<8x16x{kind}>
    %v = xegpu.load_nd %a[{offset[0]}, {offset[1]}] : !xegpu.tensor_desc<8x16x{kind}> -> vector<8x16x{kind}>
    xegpu.store_nd %v, %g[0, 0] : vector<8x16x{kind}>, !xegpu.tensor_desc<8x16x{kind}>
    xegpu.store_nd %v, %c[{offset[0]}, {offset[1]}] : vector<8x16x{kind}>, !xegpu.tensor_desc<8x16x{kind}>"""),
         [("in", kind, values), ("out", kind, got), ("inout", kind, [7] * (rows * columns), out)],
         targets=EVERYWHERE)


padding("padding_block", 12, 32, (6, 24), "f32")
padding("padding_rows", 5, 11, (-2, -3), "f32")
padding("padding_half", 5, 11, (1, 3), "f16")
padding("padding_bytes", 6, 13, (1, 3), "i8")
padding("padding_double", 6, 13, (1, 3), "f64")


def reduction():
    values = numbers(64 * 16, -9, 9)
    case("reduction", kernel("%A: memref<64x16xf32>, %S: memref<16xf32>, %M: memref<64xf32>, %T: memref<1xf32>", """
    %c0 = arith.constant 0 : index
    %c8 = arith.constant 8 : index
    %c64 = arith.constant 64 : index
    %a = xegpu.create_nd_tdesc %A : memref<64x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %z = arith.constant dense<0.0> : vector<16xf32>
    %low = arith.constant dense<-1.0e30> : vector<8xf32>
    %s = scf.for %i = %c0 to %c64 step %c8 iter_args(%acc = %z) -> (vector<16xf32>) {
      %v = xegpu.load_nd %a[%i, %c0] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
      %n = vector.multi_reduction <add>, %v, %acc [0] : vector<8x16xf32> to vector<16xf32>
      %m = vector.multi_reduction <maximumf>, %v, %low [1] : vector<8x16xf32> to vector<8xf32>
      vector.store %m, %M[%i] : memref<64xf32>, vector<8xf32>
      scf.yield %n : vector<16xf32>
    }
    vector.store %s, %S[%c0] : memref<16xf32>, vector<16xf32>
    %t = vector.reduction <add>, %s : vector<16xf32> into f32
    memref.store %t, %T[%c0] : memref<1xf32>"""),
         [("in", "f32", values), *(("out", "f32", expected) for expected in reference("reduction", [values], [16, 64, 1], 64, 16))],
         targets=EVERYWHERE)


reduction()


def softmax():
    values = reals(8 * 32, -6, 6)
    expected = reference("softmax", [values], [8 * 32], 8, 32)[0]
    case("softmax", kernel("%A: memref<8x32xf32>, %C: memref<8x32xf32>", """
    %a = xegpu.create_nd_tdesc %A : memref<8x32xf32> -> !xegpu.tensor_desc<8x16xf32>
    %c = xegpu.create_nd_tdesc %C : memref<8x32xf32> -> !xegpu.tensor_desc<8x16xf32>
    %l = xegpu.load_nd %a[0, 0] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    %r = xegpu.load_nd %a[0, 16] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    %low = arith.constant dense<-1.0e30> : vector<8xf32>
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %ml = vector.multi_reduction <maximumf>, %l, %low [1] : vector<8x16xf32> to vector<8xf32>
    %m = vector.multi_reduction <maximumf>, %r, %ml [1] : vector<8x16xf32> to vector<8xf32>
    %m2 = vector.shape_cast %m : vector<8xf32> to vector<8x1xf32>
    %mb = vector.broadcast %m2 : vector<8x1xf32> to vector<8x16xf32>
    %dl = arith.subf %l, %mb : vector<8x16xf32>
    %dr = arith.subf %r, %mb : vector<8x16xf32>
    %el = math.exp %dl : vector<8x16xf32>
    %er = math.exp %dr : vector<8x16xf32>
    %sl = vector.multi_reduction <add>, %el, %zero [1] : vector<8x16xf32> to vector<8xf32>
    %s = vector.multi_reduction <add>, %er, %sl [1] : vector<8x16xf32> to vector<8xf32>
    %s2 = vector.shape_cast %s : vector<8xf32> to vector<8x1xf32>
    %sb = vector.broadcast %s2 : vector<8x1xf32> to vector<8x16xf32>
    %ql = arith.divf %el, %sb : vector<8x16xf32>
    %qr = arith.divf %er, %sb : vector<8x16xf32>
    xegpu.store_nd %ql, %c[0, 0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>
    xegpu.store_nd %qr, %c[0, 16] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>"""),
         [("in", "f32", values), ("out", "f32", expected)], near=1e-6, same=1e-6, targets=EVERYWHERE)


softmax()


def flash_attention():
    """One head, 8 queries of 16, 64 keys: scores, running maximum and sum, values, as flash attention goes on."""
    q, k, v = reals(8 * 16, -1, 1, "f16"), reals(64 * 16, -1, 1, "f16"), reals(64 * 16, -1, 1, "f16")
    expected = reference("attention", [q, k, v], [8 * 16], 8, 64, 16)[0]
    case("flash_attention", kernel("%Q: memref<8x16xf16>, %K: memref<64x16xf16>, %V: memref<64x16xf16>, %O: memref<8x16xf32>", """
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %tq = xegpu.create_nd_tdesc %Q : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16>
    %tk = xegpu.create_nd_tdesc %K : memref<64x16xf16> -> !xegpu.tensor_desc<16x16xf16>
    %tv = xegpu.create_nd_tdesc %V : memref<64x16xf16> -> !xegpu.tensor_desc<16x16xf16>
    %to = xegpu.create_nd_tdesc %O : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %q = xegpu.load_nd %tq[0, 0] : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
    %z = arith.constant dense<0.0> : vector<8x16xf32>
    %low = arith.constant dense<-1.0e30> : vector<8xf32>
    %zero = arith.constant dense<0.0> : vector<8xf32>
    %r:3 = scf.for %j = %c0 to %c64 step %c16 iter_args(%acc = %z, %m = %low, %l = %zero) -> (vector<8x16xf32>, vector<8xf32>, vector<8xf32>) {
      %k = xegpu.load_nd %tk[%j, %c0] : !xegpu.tensor_desc<16x16xf16> -> vector<16x16xf16>
      %kt = vector.transpose %k, [1, 0] : vector<16x16xf16> to vector<16x16xf16>
      %s = xegpu.dpas %q, %kt : vector<8x16xf16>, vector<16x16xf16> -> vector<8x16xf32>
      %mn = vector.multi_reduction <maximumf>, %s, %m [1] : vector<8x16xf32> to vector<8xf32>
      %mc = vector.shape_cast %mn : vector<8xf32> to vector<8x1xf32>
      %mb = vector.broadcast %mc : vector<8x1xf32> to vector<8x16xf32>
      %d = arith.subf %s, %mb : vector<8x16xf32>
      %p = math.exp %d : vector<8x16xf32>
      %md = arith.subf %m, %mn : vector<8xf32>
      %al = math.exp %md : vector<8xf32>
      %lc = arith.mulf %l, %al : vector<8xf32>
      %ln = vector.multi_reduction <add>, %p, %lc [1] : vector<8x16xf32> to vector<8xf32>
      %ac = vector.shape_cast %al : vector<8xf32> to vector<8x1xf32>
      %ab = vector.broadcast %ac : vector<8x1xf32> to vector<8x16xf32>
      %scaled = arith.mulf %acc, %ab : vector<8x16xf32>
      %ph = arith.truncf %p : vector<8x16xf32> to vector<8x16xf16>
      %v = xegpu.load_nd %tv[%j, %c0] <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<8x16x2xf16>
      %an = xegpu.dpas %ph, %v, %scaled : vector<8x16xf16>, vector<8x16x2xf16>, vector<8x16xf32> -> vector<8x16xf32>
      scf.yield %an, %mn, %ln : vector<8x16xf32>, vector<8xf32>, vector<8xf32>
    }
    %ls = vector.shape_cast %r#2 : vector<8xf32> to vector<8x1xf32>
    %lb = vector.broadcast %ls : vector<8x1xf32> to vector<8x16xf32>
    %o = arith.divf %r#0, %lb : vector<8x16xf32>
    xegpu.store_nd %o, %to[0, 0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>"""),
         [("in", "f16", q), ("in", "f16", k), ("in", "f16", v), ("out", "f32", expected)], near=2e-3, same=1e-3,
         targets=EVERYWHERE)


flash_attention()


def vc(arguments, body):
    return f"""gpu.module @m {{
  gpu.func @k({arguments}) kernel attributes {{VectorComputeFunctionINTEL}} {{
{body}
    gpu.return
  }}
}}
"""


def gathers(kind, chunk, transpose):
    lanes, source = 16, numbers(256)
    offsets = RANDOM.sample(range(0, 256 - chunk, max(chunk, 1)), lanes)
    mask = [RANDOM.random() < 0.7 for _ in range(lanes)]
    truth = ", ".join("true" if m else "false" for m in mask)
    shape = f"{lanes}x{chunk}" if chunk > 1 else f"{lanes}"
    value = f"{chunk}x{lanes}" if chunk > 1 and transpose else shape
    turn = ", transpose = [1, 0]" if chunk > 1 and transpose else ""
    tdesc = f"!xegpu.tensor_desc<{shape}x{kind}, #xegpu.scattered>"
    size = f", chunk_size_per_lane = {chunk}" if chunk > 1 else ""
    if transpose or chunk == 1:
        got = [source[offsets[k] + c] if mask[k] else 0 for c in range(chunk) for k in range(lanes)]
    else:
        got = [source[offsets[k] + c] if mask[k] else 0 for k in range(lanes) for c in range(chunk)]
    scattered = [0] * 256
    for k in range(lanes):
        for c in range(chunk):
            if mask[k]:
                scattered[offsets[k] + c] = source[offsets[k] + c]
    case(f"gather_{kind}_{chunk}{'_turned' if transpose else ''}", vc(
        f"%A: memref<256x{kind}>, %G: memref<{lanes * chunk}x{kind}>, %S: memref<256x{kind}>", f"""
    %c0 = arith.constant 0 : index
    %o = arith.constant dense<{offsets}> : vector<{lanes}xindex>
    %m = arith.constant dense<[{truth}]> : vector<{lanes}xi1>
    %a = xegpu.create_tdesc %A, %o {{mode = vc{size}}} : memref<256x{kind}>, vector<{lanes}xindex> -> {tdesc}
    %s = xegpu.create_tdesc %S, %o {{mode = vc{size}}} : memref<256x{kind}>, vector<{lanes}xindex> -> {tdesc}
    xegpu.prefetch %a {{mode = vc}} : {tdesc}
    %v = xegpu.load %a, %m {{mode = vc{turn}}} : {tdesc}, vector<{lanes}xi1> -> vector<{value}x{kind}>
    %f = vector.shape_cast %v : vector<{value}x{kind}> to vector<{lanes * chunk}x{kind}>
    vector.store %f, %G[%c0] : memref<{lanes * chunk}x{kind}>, vector<{lanes * chunk}x{kind}>
    xegpu.store %v, %s, %m {{mode = vc{turn}}} : vector<{value}x{kind}>, {tdesc}, vector<{lanes}xi1>"""),
         [("in", kind, source), ("out", kind, got), ("out", kind, scattered)], grid="1", group="1", targets=EVERYWHERE)


for kind in ("i8", "i16", "f32", "i64"):
    gathers(kind, 1, False)
for chunk in (2, 3, 4, 8):
    gathers("f32", chunk, True)
    gathers("f32", chunk, False)
gathers("i16", 4, True)
gathers("f64", 2, True)


def atomic(kind, name, operation):
    lanes, start, values = 16, numbers(8, 1, 9), numbers(16, 1, 9)
    places = [RANDOM.randrange(8) for _ in range(lanes)]
    mask = [k % 3 != 1 for k in range(lanes)]
    after, before = list(start), [0] * lanes
    for k in range(lanes):
        if mask[k]:
            before[k] = after[places[k]]
            after[places[k]] = operation(after[places[k]], values[k])
    truth = ", ".join("true" if m else "false" for m in mask)
    tdesc = f"!xegpu.tensor_desc<16x{kind}, #xegpu.scattered>"
    case(f"atomic_{name}_{kind}", vc(f"%A: memref<8x{kind}>, %V: memref<16x{kind}>, %B: memref<16x{kind}>", f"""
    %c0 = arith.constant 0 : index
    %o = arith.constant dense<{places}> : vector<16xindex>
    %m = arith.constant dense<[{truth}]> : vector<16xi1>
    %v = vector.load %V[%c0] : memref<16x{kind}>, vector<16x{kind}>
    %d = xegpu.create_tdesc %A, %o {{mode = vc}} : memref<8x{kind}>, vector<16xindex> -> {tdesc}
    %r = xegpu.atomic_rmw {name} %d, %m, %v {{mode = vc}} : {tdesc}, vector<16xi1>, vector<16x{kind}> -> vector<16x{kind}>
    vector.store %r, %B[%c0] : memref<16x{kind}>, vector<16x{kind}>"""),
         [("inout", kind, start, after), ("in", kind, values), ("out", kind, before)], grid="1", group="1",
         targets=() if kind == "f16" else EVERYWHERE if (kind, name) not in NOT_IN_VISA else tuple(AMD))


NOT_IN_VISA = {("f32", "mulf"), ("i32", "muli"), ("f32", "assign"), ("f16", "addf"), ("f64", "maximumf")}
for kind in ("i32", "i64"):
    for name, operation in (("addi", operator.add), ("maxs", max), ("mins", min), ("maxu", max), ("minu", min),
                            ("ori", operator.or_), ("andi", operator.and_)):
        atomic(kind, name, operation)
atomic("f32", "addf", operator.add)
atomic("f64", "addf", operator.add)
atomic("f32", "maxnumf", max)
atomic("f32", "minnumf", min)
for kind, name in sorted(NOT_IN_VISA):
    atomic(kind, name, {"mulf": operator.mul, "muli": operator.mul, "assign": lambda a, b: b, "addf": operator.add,
                        "maximumf": max}[name])


def barriers():
    """Threads hand numbers round in shared memory, behind a named barrier and behind the group's."""
    case("barriers", vc("%S: memref<8xi32>", """
      %tile = xegpu.create_nd_tdesc %S[0] {mode = vc} : memref<8xi32> -> !xegpu.tensor_desc<8xi32>
      %slm = memref.alloc() : memref<8xi32, 3>
      %x = gpu.thread_id x
      %b = gpu.block_id x
      %c3 = arith.constant 3 : index
      %c4 = arith.constant 4 : index
      %c10 = arith.constant 10 : i32
      %id = arith.constant 1 : i8
      %four = arith.constant 4 : i8
      xegpu.alloc_nbarrier %four : i8
      %n = xegpu.init_nbarrier %id, %four : i8, i8 -> !xegpu.nbarrier
      %xi = arith.index_cast %x : index to i32
      %v = arith.addi %xi, %c10 : i32
      memref.store %v, %slm[%x] : memref<8xi32, 3>
      xegpu.fence {scope = workgroup, memory_kind = shared}
      xegpu.nbarrier_arrive %n : !xegpu.nbarrier
      xegpu.nbarrier_wait %n : !xegpu.nbarrier
      %y = arith.subi %c3, %x : index
      %w = memref.load %slm[%y] : memref<8xi32, 3>
      %z = arith.addi %x, %c4 : index
      memref.store %w, %slm[%z] : memref<8xi32, 3>
      gpu.barrier
      %o = arith.subi %c3, %x : index
      %p = arith.addi %o, %c4 : index
      %u = memref.load %slm[%p] : memref<8xi32, 3>
      %s = arith.addi %u, %w : i32
      %row = arith.muli %b, %c4 : index
      %at = arith.addi %row, %x : index
      memref.store %s, %S[%at] : memref<8xi32>"""),
         [("out", "i32", [23] * 8)], grid="8", group="4", targets=EVERYWHERE)


barriers()


def ids():
    """Each thread of groups of 4x3x2 tells its ids, sizes and place."""
    rows, grid, group = [], (8, 3, 4), (4, 3, 2)
    for gz in range(2):
        for gx in range(2):
            for z in range(2):
                for y in range(3):
                    for x in range(4):
                        rows.append((gx * 2 + gz, (z * 3 + y) * 4 + x, [x, y, z, gx, 0, gz, 4, 3, 2, 2, 1, 2, gx * 4 + x, y, gz * 2 + z]))
    table = [0] * (4 * 24 * 15)
    for g, t, row in rows:
        table[(g * 24 + t) * 15:(g * 24 + t) * 15 + 15] = row
    words = [(op, d) for op in ("thread_id", "block_id", "block_dim", "grid_dim", "global_id") for d in "xyz"]
    body = "\n".join(f"""      %w{n} = gpu.{op} {d}
      %i{n} = arith.index_cast %w{n} : index to i32
      %c{n} = arith.constant {n} : index
      memref.store %i{n}, %T[%g, %t, %c{n}] : memref<4x24x15xi32>""" for n, (op, d) in enumerate(words))
    case("ids", vc("%T: memref<4x24x15xi32>", f"""
      %two = arith.constant 2 : index
      %three = arith.constant 3 : index
      %four = arith.constant 4 : index
      %x = gpu.thread_id x
      %y = gpu.thread_id y
      %z = gpu.thread_id z
      %bx = gpu.block_id x
      %bz = gpu.block_id z
      %gm = arith.muli %bx, %two : index
      %g = arith.addi %gm, %bz : index
      %zr = arith.muli %z, %three : index
      %zy = arith.addi %zr, %y : index
      %zm = arith.muli %zy, %four : index
      %t = arith.addi %zm, %x : index
{body}"""), [("out", "i32", table)], grid="8,3,4", group="4,3,2", targets=("visa", "gfx1100"))


ids()


def divisions():
    """Quotients and rests of every rounding, of both widths."""
    pairs = [(a, b) for a in (0, 1, 7, 100, 99999, 2**31 - 1, -1, -7, -100, -2**31 + 1) for b in (1, 2, 3, 7, 16, -1, -3, -16, 65537)]
    pairs = (pairs * 2)[:96]
    wide = [(a * 1000003, b * 4099) for a, b in pairs]

    def rows(values, unsigned):
        trunc = lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        return {"divsi": [trunc(a, b) for a, b in values], "remsi": [a - trunc(a, b) * b for a, b in values],
                "ceildivsi": [-(-a // b) for a, b in values], "floordivsi": [a // b for a, b in values],
                "divui": [abs(a) // abs(b) for a, b in values], "remui": [abs(a) % abs(b) for a, b in values]}

    for kind, values in (("i32", pairs), ("i64", wide)):
        arguments, body, given = [], [], []
        for n, (name, expected) in enumerate(rows(values, False).items()):
            part = [(abs(a), abs(b)) for a, b in values] if name.endswith("ui") else values
            given += [("in", kind, [a for a, b in part]), ("in", kind, [b for a, b in part]), ("out", kind, expected)]
            arguments += [f"%A{n}: memref<96x{kind}>, %B{n}: memref<96x{kind}>, %C{n}: memref<96x{kind}>"]
            body += [f"""      %a{n} = vector.load %A{n}[%c0] : memref<96x{kind}>, vector<96x{kind}>
      %b{n} = vector.load %B{n}[%c0] : memref<96x{kind}>, vector<96x{kind}>
      %q{n} = arith.{name} %a{n}, %b{n} : vector<96x{kind}>
      vector.store %q{n}, %C{n}[%c0] : memref<96x{kind}>, vector<96x{kind}>"""]
        for half in range(2):  # a kernel has at most 16 buffers
            part = slice(half * 3, half * 3 + 3)
            case(f"divisions_{kind}_{half}", vc(", ".join(arguments[part]), "      %c0 = arith.constant 0 : index\n" + "\n".join(body[part])),
                 given[half * 9:half * 9 + 9], grid="1", group="1")


divisions()


def elementwise():
    """Unary and binary operations of floats, special values among them."""
    special = [0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 1e-3, 100.0, -100.0, 3.0, 7.0, 1e-30, 65504.0, 0.1, -0.3]
    second = [1.0, -0.0, 0.0, 2.0, -0.5, 2.5, 3.5, -1e-3, 7.0, 100.0, -3.0, 0.25, 1e-30, 1.5, 0.2, 0.3]
    positive = [abs(v) + 0.25 for v in special]
    unary = {"absf": abs, "floor": math.floor, "ceil": math.ceil, "trunc": math.trunc, "sqrt": math.sqrt, "exp2": lambda v: 2.0 ** v,
             "exp": math.exp, "log": math.log, "log2": math.log2, "rsqrt": lambda v: 1 / math.sqrt(v), "tanh": math.tanh,
             "sin": math.sin, "cos": math.cos}
    small = [v / 40 if abs(v) > 40 else v for v in special]
    small = [min(v, 80.0) for v in small]
    for name, function in unary.items():
        values = positive if name in ("sqrt", "log", "log2", "rsqrt") else small
        values = [round_to("f32", v) for v in values]
        case(f"math_{name}", vc("%A: memref<16xf32>, %C: memref<16xf32>", f"""
      %c0 = arith.constant 0 : index
      %a = vector.load %A[%c0] : memref<16xf32>, vector<16xf32>
      %r = math.{name} %a : vector<16xf32>
      vector.store %r, %C[%c0] : memref<16xf32>, vector<16xf32>"""),
             [("in", "f32", values), ("out", "f32", [float(function(v)) for v in values])], grid="1", group="1", near=1e-5, same=1e-5)
    binary = {"addf": operator.add, "subf": operator.sub, "mulf": operator.mul, "maximumf": None, "minimumf": None, "maxnumf": None,
              "minnumf": None}
    for kind in ("f32", "f16", "bf16", "f64"):
        for name, function in binary.items():
            a, b = [round_to(kind, v) for v in special], [round_to(kind, v) for v in second]
            largest = lambda x, y: x if x > y or (x == y and math.copysign(1, x) > 0) else y
            smallest = lambda x, y: x if x < y or (x == y and math.copysign(1, x) < 0) else y
            call = function or (largest if "max" in name else smallest)
            if kind == "f16" and name in ("addf", "subf"):
                a = [min(v, 60000.0) for v in a]
            case(f"{name}_{kind}", vc(f"%A: memref<16x{kind}>, %B: memref<16x{kind}>, %C: memref<16x{kind}>", f"""
      %c0 = arith.constant 0 : index
      %a = vector.load %A[%c0] : memref<16x{kind}>, vector<16x{kind}>
      %b = vector.load %B[%c0] : memref<16x{kind}>, vector<16x{kind}>
      %r = arith.{name} %a, %b : vector<16x{kind}>
      vector.store %r, %C[%c0] : memref<16x{kind}>, vector<16x{kind}>"""),
                 [("in", kind, a), ("in", kind, b), ("out", kind, [clip(kind, call(round_to(kind, x), y)) for x, y in zip(a, b)])],
                 grid="1", group="1", near=1e-12)


def clip(kind, value):
    try:
        return round_to(kind, value)
    except OverflowError:
        return math.copysign(math.inf, value)


elementwise()


def matrices():
    """Tiles handed over through a matrix in shared memory, between the subgroups of a group."""
    values = reals(16 * 16, kind="f16")
    turned = [values[(15 - r) * 16 + c] for r in range(16) for c in range(16)]
    case("load_matrix", kernel("%A: memref<16x16xf16>, %C: memref<16x16xf16>", """
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c8 = arith.constant 8 : index
    %c16 = arith.constant 16 : index
    %slm = memref.alloca() : memref<512xi8, 3>
    %mem = xegpu.create_mem_desc %slm : memref<512xi8, 3> -> !xegpu.mem_desc<16x16xf16>
    %x = gpu.thread_id x
    %row = arith.divui %x, %c16 : index
    %i = arith.muli %row, %c8 : index
    %a = xegpu.create_nd_tdesc %A : memref<16x16xf16> -> !xegpu.tensor_desc<8x16xf16>
    %c = xegpu.create_nd_tdesc %C : memref<16x16xf16> -> !xegpu.tensor_desc<8x16xf16>
    %v = xegpu.load_nd %a[%i, %c0] : !xegpu.tensor_desc<8x16xf16> -> vector<8x16xf16>
    %t = vector.shuffle %v, %v [7, 6, 5, 4, 3, 2, 1, 0] : vector<8x16xf16>, vector<8x16xf16>
    xegpu.store_matrix %t, %mem[%i, 0] : vector<8x16xf16>, !xegpu.mem_desc<16x16xf16>, index
    gpu.barrier
    %o = arith.subi %c8, %i : index
    %w = xegpu.load_matrix %mem[%o, 0] : !xegpu.mem_desc<16x16xf16>, index -> vector<8x16xf16>
    xegpu.store_nd %w, %c[%i, %c0] : vector<8x16xf16>, !xegpu.tensor_desc<8x16xf16>"""),
         [("in", "f16", values), ("out", "f16", turned)], grid="32", group="32", targets=EVERYWHERE)


matrices()


def cut_fractions():
    """tf32: of numbers with long fractions the hardware takes 10 bits."""
    a, b = reals(8 * 8), reals(8 * 16)
    cut = lambda v: struct.unpack("<f", struct.pack("<I", struct.unpack("<I", struct.pack("<f", v))[0] & ~0x1fff))[0]
    case("tf32_fraction", kernel("%A: memref<8x8xtf32>, %B: memref<8x16xtf32>, %C: memref<8x16xf32>", """
    %a = xegpu.create_nd_tdesc %A : memref<8x8xtf32> -> !xegpu.tensor_desc<8x8xtf32>
    %b = xegpu.create_nd_tdesc %B : memref<8x16xtf32> -> !xegpu.tensor_desc<8x16xtf32>
    %c = xegpu.create_nd_tdesc %C : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %va = xegpu.load_nd %a[0, 0] : !xegpu.tensor_desc<8x8xtf32> -> vector<8x8xtf32>
    %vb = xegpu.load_nd %b[0, 0] : !xegpu.tensor_desc<8x16xtf32> -> vector<8x16xtf32>
    %d = xegpu.dpas %va, %vb : vector<8x8xtf32>, vector<8x16xtf32> -> vector<8x16xf32>
    xegpu.store_nd %d, %c[0, 0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>"""),
         [("in", "tf32", a), ("in", "tf32", b), ("out", "f32", matmul([cut(v) for v in a], [cut(v) for v in b], 8, 16, 8))], near=1e-6)


cut_fractions()


def shuffles():
    """Lanes of two subgroups, by each mode, in parts of the subgroup, and reductions over it."""
    values = numbers(32, -99, 99)
    lanes = lambda f: [f(i // 16 * 16, i % 16) for i in range(32)]
    outs, body = [], ""
    for n, (mode, offset, width) in enumerate((("xor", 5, 16), ("up", 3, 16), ("down", 2, 8), ("idx", 7, 16), ("xor", 9, 8))):
        def source(lane):
            at = {"xor": lane ^ offset, "up": lane - offset, "down": lane + offset, "idx": offset}[mode]
            return at if 0 <= at < 16 and at // width == lane // width else None
        outs.append(lanes(lambda b, i: values[b + (i if source(i) is None else source(i))] * 2 + (source(i) is not None)))
        body += f"""
    %o{n} = arith.constant {offset} : i32
    %w{n} = arith.constant {width} : i32
    %s{n}, %p{n} = gpu.shuffle {mode} %v, %o{n}, %w{n} : i32
    %e{n} = arith.extui %p{n} : i1 to i32
    %d{n} = arith.addi %s{n}, %s{n} : i32
    %r{n} = arith.addi %d{n}, %e{n} : i32
    memref.store %r{n}, %R{n}[%g] : memref<32xi32>"""
    for name, function in (("add", sum), ("maxsi", max), ("xor", lambda part: __import__("functools").reduce(operator.xor, part))):
        n = len(outs)
        outs.append(lanes(lambda b, i: function(values[b:b + 16])))
        body += f"""
    %r{n} = gpu.subgroup_reduce {name} %v : (i32) -> i32
    memref.store %r{n}, %R{n}[%g] : memref<32xi32>"""
    case("shuffles", kernel("%A: memref<32xi32>, " + ", ".join(f"%R{n}: memref<32xi32>" for n in range(len(outs))), f"""
    %g = gpu.global_id x
    %v = memref.load %A[%g] : memref<32xi32>{body}"""),
         [("in", "i32", values)] + [("out", "i32", out) for out in outs], grid="32", group="32", targets=tuple(AMD))


shuffles()


def fragments(name, text, spelling, m=8, k=16, n=16):
    a, b = numbers(m * k), numbers(k * n)
    case(name, text, [("in", "bf16", a), ("in", "bf16", b), ("out", "f32", [v * 2 for v in matmul(a, b, m, n, k)])], targets=EVERYWHERE)


fragments("fragments_22", kernel("%A: memref<8x16xbf16>, %B: memref<16x16xbf16>, %C: memref<8x16xf32>", """
    %ta = xegpu.create_nd_tdesc %A : memref<8x16xbf16> -> !xegpu.tensor_desc<8x16xbf16>
    %tb = xegpu.create_nd_tdesc %B : memref<16x16xbf16> -> !xegpu.tensor_desc<16x16xbf16>
    %tc = xegpu.create_nd_tdesc %C : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %a = xegpu.load_nd %ta[0, 0] : !xegpu.tensor_desc<8x16xbf16> -> vector<8xbf16>
    %b = xegpu.load_nd %tb[0, 0] <{packed}> : !xegpu.tensor_desc<16x16xbf16> -> vector<16xbf16>
    %c = xegpu.dpas %a, %b : vector<8xbf16>, vector<16xbf16> -> vector<8xf32>
    %d = xegpu.dpas %a, %b, %c : vector<8xbf16>, vector<16xbf16>, vector<8xf32> -> vector<8xf32>
    xegpu.store_nd %d, %tc[0, 0] : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>"""), "22")
A_MAP, B_MAP, C_MAP = (f"#xegpu.sg_map<wi_layout = {l}, wi_data = {d}>" for l, d in (("[2, 8]", "[1, 2]"), ("[1, 16]", "[2, 1]"), ("[1, 16]", "[1, 1]")))
fragments("fragments_sg_map", kernel("%A: memref<8x16xbf16>, %B: memref<16x16xbf16>, %C: memref<8x16xf32>", f"""
    %two = arith.constant dense<2.0> : vector<8x1xf32>
    %ta = xegpu.create_nd_tdesc %A[0, 0] : memref<8x16xbf16> -> !xegpu.tensor_desc<8x16xbf16, {A_MAP}>
    %tb = xegpu.create_nd_tdesc %B[0, 0] : memref<16x16xbf16> -> !xegpu.tensor_desc<16x16xbf16, {B_MAP}>
    %tc = xegpu.create_nd_tdesc %C[0, 0] : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32, {C_MAP}>
    %a = xegpu.load_nd %ta : !xegpu.tensor_desc<8x16xbf16, {A_MAP}> -> vector<4x2xbf16>
    %b = xegpu.load_nd %tb {{vnni_axis = 0}} : !xegpu.tensor_desc<16x16xbf16, {B_MAP}> -> vector<8x2xbf16>
    %c = xegpu.dpas %a, %b : vector<4x2xbf16>, vector<8x2xbf16> -> vector<8x1xf32>
    %d = arith.mulf %c, %two : vector<8x1xf32>
    xegpu.store_nd %d, %tc : vector<8x1xf32>, !xegpu.tensor_desc<8x16xf32, {C_MAP}>"""), "first")


def fragments_in_a_loop():
    """Sums carried as fragments, an epilogue over them, a tile transposed when loaded, one over the edge of its base."""
    a, b, rows = numbers(5 * 64), numbers(64 * 16), 5
    more = numbers(16 * 8)
    whole = [max(2 * v + more[k % 16 * 8 + k // 16], 0) for k, v in enumerate(matmul(a, b, rows, 16, 64))]
    below = [max(more[c * 8 + r], 0) for r in range(rows, 8) for c in range(16)]
    case("fragments_loop", kernel("%A: memref<5x64xf16>, %B: memref<64x16xf16>, %T: memref<16x8xf32>, %C: memref<5x16xf32>, %H: memref<8x16xf16>", """
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %ta = xegpu.create_nd_tdesc %A : memref<5x64xf16> -> !xegpu.tensor_desc<8x16xf16>
    %tb = xegpu.create_nd_tdesc %B : memref<64x16xf16> -> !xegpu.tensor_desc<16x16xf16>
    %tt = xegpu.create_nd_tdesc %T : memref<16x8xf32> -> !xegpu.tensor_desc<16x8xf32>
    %tc = xegpu.create_nd_tdesc %C : memref<5x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %th = xegpu.create_nd_tdesc %H : memref<8x16xf16> -> !xegpu.tensor_desc<8x16xf16>
    %z = arith.constant dense<0.0> : vector<8xf32>
    %two = arith.constant 2.0 : f32
    %r = scf.for %q = %c0 to %c64 step %c16 iter_args(%s = %z) -> (vector<8xf32>) {
      %a = xegpu.load_nd %ta[0, %q] : !xegpu.tensor_desc<8x16xf16> -> vector<8xf16>
      %b = xegpu.load_nd %tb[%q, 0] <{packed}> : !xegpu.tensor_desc<16x16xf16> -> vector<16xf16>
      %d = xegpu.dpas %a, %b, %s : vector<8xf16>, vector<16xf16>, vector<8xf32> -> vector<8xf32>
      scf.yield %d : vector<8xf32>
    }
    %b2 = vector.broadcast %two : f32 to vector<8xf32>
    %m = arith.mulf %r, %b2 : vector<8xf32>
    %w = xegpu.load_nd %tt[0, 0] <{transpose = array<i64: 1, 0>}> : !xegpu.tensor_desc<16x8xf32> -> vector<8xf32>
    %o = arith.addf %m, %w : vector<8xf32>
    %p = arith.maximumf %o, %z : vector<8xf32>
    xegpu.store_nd %p, %tc[0, 0] : vector<8xf32>, !xegpu.tensor_desc<8x16xf32>
    %n = arith.truncf %p : vector<8xf32> to vector<8xf16>
    xegpu.store_nd %n, %th[0, 0] : vector<8xf16>, !xegpu.tensor_desc<8x16xf16>"""),
         [("in", "f16", a), ("in", "f16", b), ("in", "f32", more), ("out", "f32", whole),
          ("out", "f16", [round_to("f16", v) for v in whole + below])], targets=EVERYWHERE)


fragments_in_a_loop()


def dynamic_sizes():
    """Bases of sizes known only when launched: a tile over their edge, rows that a dynamic stride is apart."""
    values = numbers(11 * 24)
    got = [values[(r + 6) * 24 + c + 10] if r + 6 < 11 and c + 10 < 24 else 0 for r in range(8) for c in range(16)]
    case("dynamic_sizes", kernel("%A: memref<?x?xf32>, %C: memref<8x16xf32>", """
    %a = xegpu.create_nd_tdesc %A : memref<?x?xf32> -> !xegpu.tensor_desc<8x16xf32>
    %c = xegpu.create_nd_tdesc %C : memref<8x16xf32> -> !xegpu.tensor_desc<8x16xf32>
    %v = xegpu.load_nd %a[6, 10] : !xegpu.tensor_desc<8x16xf32> -> vector<8x16xf32>
    xegpu.store_nd %v, %c[0, 0] : vector<8x16xf32>, !xegpu.tensor_desc<8x16xf32>"""),
         [("in", "f32", values), ("i64", 11), ("i64", 24), ("out", "f32", got)], targets=EVERYWHERE)


dynamic_sizes()


def masked_in_loop():
    """A masked lane keeps what stood there before: in a loop the last time's element."""
    values, places = numbers(32, 1, 9), list(range(16))
    case("masked_in_loop", vc("%A: memref<32xi32>, %C: memref<16xi32>", """
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c16 = arith.constant 16 : index
    %o = vector.step : vector<16xindex>
    %z = arith.constant dense<0> : vector<16xi32>
    %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%s = %z) -> (vector<16xi32>) {
      %m = arith.muli %i, %c16 : index
      %b = vector.broadcast %m : index to vector<16xindex>
      %at = arith.addi %o, %b : vector<16xindex>
      %four = arith.constant dense<20> : vector<16xindex>
      %mask = arith.cmpi ult, %at, %four : vector<16xindex>
      %v = xegpu.load %A[%at], %mask : memref<32xi32>, vector<16xindex>, vector<16xi1> -> vector<16xi32>
      %n = arith.addi %s, %v : vector<16xi32>
      scf.yield %n : vector<16xi32>
    }
    vector.store %r, %C[%c0] : memref<16xi32>, vector<16xi32>"""),
         [("in", "i32", values), ("out", "i32", [values[k] + values[k + 16 if k < 4 else k] for k in places])], grid="1", group="1",
         targets=EVERYWHERE)


masked_in_loop()


def control():
    """Ifs with results, whiles, branches of a carried pair that changes places."""
    collatz = lambda n: 0 if n == 1 else 1 + collatz(n // 2 if n % 2 == 0 else 3 * n + 1)
    fib = [0, 1]
    for _ in range(20):
        fib.append(fib[-1] + fib[-2])
    case("control", vc("%R: memref<16xi32>, %F: memref<16xi32>", """
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c20 = arith.constant 20 : index
      %i0 = arith.constant 0 : i32
      %i1 = arith.constant 1 : i32
      %i2 = arith.constant 2 : i32
      %i3 = arith.constant 3 : i32
      %b = gpu.block_id x
      %n0 = arith.index_cast %b : index to i32
      %n1 = arith.addi %n0, %i1 : i32
      %r:2 = scf.while (%n = %n1, %s = %i0) : (i32, i32) -> (i32, i32) {
        %go = arith.cmpi ne, %n, %i1 : i32
        scf.condition(%go) %n, %s : i32, i32
      } do {
      ^bb0(%n: i32, %s: i32):
        %low = arith.andi %n, %i1 : i32
        %odd = arith.cmpi eq, %low, %i1 : i32
        %next = scf.if %odd -> (i32) {
          %t = arith.muli %n, %i3 : i32
          %u = arith.addi %t, %i1 : i32
          scf.yield %u : i32
        } else {
          %h = arith.shrui %n, %i1 : i32
          scf.yield %h : i32
        }
        %more = arith.addi %s, %i1 : i32
        scf.yield %next, %more : i32, i32
      }
      memref.store %r#1, %R[%b] : memref<16xi32>
      %f:2 = scf.for %q = %c0 to %c20 step %c1 iter_args(%x = %i0, %y = %i1) -> (i32, i32) {
        %s = arith.addi %x, %y : i32
        scf.yield %y, %s : i32, i32
      }
      memref.store %f#0, %F[%b] : memref<16xi32>"""),
         [("out", "i32", [collatz(n + 1) for n in range(16)]), ("out", "i32", [fib[20]] * 16)], grid="16", group="1")


control()
if "--long" in sys.argv:
    CASES.clear()
    gemm("gemm_1024", 1024, 1024, 1024, "bf16", "f32", 16)


# ---- running them ----------------------------------------------------------------------------------------------------------------

def run(command, what):
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode:
        return f"{what}: exit code {done.returncode}\n{done.stderr[:2000]}"
    return None


def arguments_of(it, folder, target):
    """The command's words, and the files that come back."""
    words, outputs = [], []
    for n, (way, kind, *rest) in enumerate(it.arguments):
        if way == "i64":
            words += ["--arg", f"i64:{kind}"]
            continue
        data = pack(kind, rest[0])
        path = os.path.join(folder, f"{target}_{n}")
        if way != "out":
            with open(path, "wb") as file:
                file.write(data)
        words += ["--arg", f"out:{path}:{len(data)}" if way == "out" else f"{way}:{path}"]
        if way != "in":
            outputs.append((n, kind, path, rest[-1]))
    return words, outputs


def compare(kind, got, expected, limit):
    values = unpack(kind, got)
    if len(values) != len(expected):
        return f"{len(values)} values, expected {len(expected)}"
    for k, (a, b) in enumerate(zip(values, expected)):
        same = a == b or (a != a and b != b)
        if not same and not abs(a - b) <= limit * max(1.0, abs(b)):
            return f"element {k} is {a}, expected {b}"
    return None


def accepted_by_genx(path, folder):
    """GenX_IR finds no error in the text; what it cannot compile afterwards (it crashes at times) is not the text's."""
    if not shutil.which("GenX_IR"):
        return None
    done = subprocess.run(["GenX_IR", os.path.basename(path), "-platform", "PVC"], cwd=folder, capture_output=True, text=True, timeout=600)
    for line in (done.stdout + done.stderr).splitlines():
        if "error" in line.lower() and "vISA" in line:
            reports = [n for n in os.listdir(folder) if n.endswith(".errors.txt")]
            text = open(os.path.join(folder, reports[0]), encoding="utf-8").read() if reports else ""
            return f"GenX_IR: {line}\n{text[:1500]}"
    return None


def run_case(it, target, offgrid, folder, lowered):
    words, outputs = arguments_of(it, folder, target)
    shape = ["--grid", it.grid, "--group", it.group]
    path = os.path.join(folder, "k.mlir")
    if target in AMD:
        wave, per = AMD[target], 1 if it.one_each else 16
        shape = [word if word.startswith("--") else scale(word, wave, per) for word in shape]
        command = [offgrid, "run", lowered[target], "--kernel", "k", *shape, *words]
    elif target == "visa":
        wrong = run([offgrid, "lint", "-mcpu=pvc", lowered["visa"]], "lint")
        if wrong:
            return wrong, {}
        command = [offgrid, "run", lowered["visa"], "--platform", "pvc", *shape, *words]
    else:
        command = [offgrid, "check" if target == "check" else "run", path, "--kernel", "k", *shape, *words]
    wrong = run(command, target)
    if wrong:
        return wrong, {}
    results = {}
    for n, kind, out, expected in outputs:
        with open(out, "rb") as file:
            results[n] = (kind, file.read(), expected)
    return None, results


# What another spelling has no words for: matrices in shared memory; bases of three dimensions; shares of turned tiles.
UNSPOKEN = {("fragments_loop", "rfc"), ("fragments_loop", "first"), ("fragments_loop", "19"), ("fragments_22", "19"), ("fragments_sg_map", "19"), ("load_matrix", "rfc"), ("load_matrix", "first"), ("load_matrix", "19"), ("gemm_batched", "first"), ("gemm_batched", "19")}


def run_spellings(it, offgrid, folder):
    """The module in each other spelling, and back from there, runs with the same results."""
    own = "first" if "mode = vc" in it.text else "22"
    for spelling in ("rfc", "first", "19", "22"):
        away, path = os.path.join(folder, "away"), os.path.join(folder, "away", "k.mlir")
        os.makedirs(away, exist_ok=True)
        wrong = run([offgrid, "opt", f"--spelling={spelling}", os.path.join(folder, "k.mlir"), "-o", path], f"to {spelling}")
        if (it.name, spelling) in UNSPOKEN:
            if not wrong or ": error: 'xegpu." not in wrong:
                return f"{spelling} has no words for it, but: {wrong}"
            continue
        for way in ("to", "from"):
            if way == "from":
                wrong = run([offgrid, "opt", f"--spelling={own}", path, "-o", path], f"from {spelling}")
            results = {}
            if not wrong:
                wrong, results = run_case(it, "direct", offgrid, away, {})
            for kind, data, expected in results.values():
                wrong = wrong or compare(kind, data, expected, it.near)
            if wrong:
                return f"{way} {spelling}: {wrong}"
    return None


def time_of_commands():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def hold_against_loop(it, offgrid, folder):
    """The command's processor time beside that of a plain blocked loop in C over the same matrices, by turns, the least of five: a line of text."""
    (_, _, a), (_, _, b), (_, _, expected) = it.arguments
    n = math.isqrt(len(a))
    halves = [ctypes.create_string_buffer(pack("bf16", values)) for values in (a, b)]
    result, runs, loops = (ctypes.c_float * (n * n))(), [], []
    words, _ = arguments_of(it, folder, "direct")
    command = [offgrid, "run", os.path.join(folder, "k.mlir"), "--kernel", "k", "--grid", it.grid, "--group", it.group, *words]
    for _ in range(5):
        start = time.process_time()
        REFERENCE.blocked(*halves, result, ctypes.c_long(n))
        loops.append(time.process_time() - start)
        start = time_of_commands()
        wrong = run(command, "direct")
        runs.append(time_of_commands() - start)
        if wrong or list(result) != expected:
            return f"wrong: {wrong or 'the loop'}"
    return f"{it.name}: {min(runs):.2f} s, a plain blocked loop in C {min(loops):.2f} s: {min(runs) / min(loops):.2f} times as long"


def scale(sizes, wave, per):
    """A wave for each subgroup: of 16 threads along x, or of one."""
    first, *rest = sizes.split(",")
    return ",".join([str(int(first) * wave // per), *rest])


def lower_amd(offgrid, it, folder, target):
    source, out = os.path.join(folder, "k.mlir"), os.path.join(folder, f"{target}.co")
    wrong = run([offgrid, "cc", f"-mcpu={target}", source, "-o", out], "cc")
    wrong = wrong or run([offgrid, "lint", out], "lint") or run([offgrid, "lint", "--waits", out], "lint --waits")
    return wrong, out


def lower(offgrid, it, folder, target):
    if target in AMD:
        return lower_amd(offgrid, it, folder, target)
    out = os.path.join(folder, "k.visaasm")
    wrong = run([offgrid, "cc", os.path.join(folder, "k.mlir"), "-o", out], "cc")
    return wrong, out


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--long", action="store_true", help="the large GEMM alone")
    parser.add_argument("--only")
    parser.add_argument("--targets", default="direct,check,spellings,visa,gfx90a,gfx942,gfx1100")
    parser.add_argument("--genx", action="store_true", help="GenX_IR must accept the vISA text, too")
    parser.add_argument("--keep")
    parser.add_argument("--times", action="store_true", help="tell how long each run took")
    options = parser.parse_args()
    failures = count = 0
    targets = options.targets.split(",")
    for it in CASES:
        if options.only and options.only not in it.name:
            continue
        with tempfile.TemporaryDirectory() as folder:
            if options.keep:
                folder = os.path.join(options.keep, it.name)
                os.makedirs(folder, exist_ok=True)
            with open(os.path.join(folder, "k.mlir"), "w", encoding="utf-8") as file:
                file.write(it.text)
            direct, lowered = {}, {}
            for target in targets:
                if target not in ("direct", "check", "spellings", *it.targets):
                    continue
                count += 1
                wrong = run_spellings(it, options.offgrid, folder) if target == "spellings" else None
                if target == "spellings":
                    failures += wrong is not None
                    print(f"{it.name}: {wrong}" if wrong else "", end="\n" if wrong else "")
                    continue
                if target not in ("direct", "check"):
                    wrong, lowered[target] = lower(options.offgrid, it, folder, target)
                results = {}
                if not wrong and target == "visa" and options.genx:
                    wrong = accepted_by_genx(lowered[target], folder)
                start = time.monotonic()
                if not wrong:
                    wrong, results = run_case(it, target, options.offgrid, folder, lowered)
                if options.times:
                    print(f"{it.name} ({target}): {time.monotonic() - start:.1f} s")
                    if options.long and target == "direct":
                        print(hold_against_loop(it, options.offgrid, folder))
                for n, (kind, data, expected) in results.items():
                    wrong = wrong or compare(kind, data, expected, it.near)
                    if not wrong and target != "direct" and n in direct and it.same == 0 and data != direct[n]:
                        wrong = compare(kind, data, unpack(kind, direct[n]), 0) or "other bytes than when run directly"
                    elif not wrong and target != "direct" and n in direct:
                        wrong = compare(kind, data, unpack(kind, direct[n]), it.same)
                    if target == "direct":
                        direct[n] = data
                if wrong:
                    failures += 1
                    print(f"{it.name} ({target}): {wrong}")
    print(f"{count} runs, {failures} wrong")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
