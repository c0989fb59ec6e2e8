#!/usr/bin/env python3
"""Products of matrices by clang's built-ins for every type, shape and processor, against sums worked out here. Where an
element stands in which lane is worked out from the ISA manuals' formulas, so that a layout that is wrong on either side
shows. Factors are small numbers whose sums are exact in any order. 77: a compiler is not installed."""
import argparse
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

import kernels
import toolchain
import value_rows

# ---- types: how a number becomes bits ------------------------------------------------------------------------------


def small(exponent_bits, mantissa_bits, bias):
    """All bits of a small float format by their values, specials left out."""
    table = {}
    for bits in range(1 << exponent_bits + mantissa_bits):
        exponent, mantissa = bits >> mantissa_bits, bits & (1 << mantissa_bits) - 1
        value = (mantissa / 2 ** mantissa_bits + (exponent > 0)) * 2.0 ** (max(exponent, 1) - bias)
        table.setdefault(value, bits)
        table.setdefault(-value, bits | 1 << exponent_bits + mantissa_bits)
    return table


def bits_f32(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def bits_f16(x):
    return struct.unpack("<H", struct.pack("<e", x))[0]


SMALL = {"fp8": small(4, 3, 7), "bf8": small(5, 2, 15), "fp8_fnuz": small(4, 3, 8), "bf8_fnuz": small(5, 2, 16),
         "fp6": small(2, 3, 1), "bf6": small(3, 2, 3), "fp4": small(2, 1, 1)}
SPECIAL = {"fp8": (0x7f,), "bf8": (0x7e, 0x7c, 0xfc), "fp8_fnuz": (0x80,), "bf8_fnuz": (0x80,),
           "fp6": (), "bf6": (), "fp4": ()}  # NaN, infinities
BITS = {"f64": 64, "f32": 32, "xf32": 32, "f16": 16, "bf16": 16, "fp8": 8, "bf8": 8, "fp8_fnuz": 8, "bf8_fnuz": 8,
        "fp6": 6, "bf6": 6, "fp4": 4, "i8": 8, "u8": 8, "i4": 4, "u4": 4, "i32": 32}
VALUES = {"fp4": [-6, -4, -3, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3, 4, 6], "i8": list(range(-128, 128)),
          "u8": list(range(256)), "i4": list(range(-8, 8)), "u4": list(range(16)),
          "fp6": [x / 8 for x in range(-15, 16)] + [2.25, -7.5, 5], "bf6": [-28, -5, -3, -1, -0.25, 0, 0.5, 1, 2, 6, 20]}
COMMON = [x / 4 for x in range(-7, 8)] + [2, -3, 5, 7, -6]


def encode(type_, x):
    if type_ == "f64":
        return struct.unpack("<Q", struct.pack("<d", x))[0]
    if type_ in ("f32", "xf32"):
        return bits_f32(x)
    if type_ == "f16":
        return bits_f16(x)
    if type_ == "bf16":
        return bits_f32(x) >> 16
    if type_ in SMALL:
        return SMALL[type_][x] if math.isfinite(x) else SPECIAL[type_][0 if math.isnan(x) else 1 if x > 0 else 2]
    return int(x) & (1 << BITS[type_]) - 1


def decode(type_, bits):
    if type_ == "f64":
        return struct.unpack("<d", struct.pack("<Q", bits))[0]
    if type_ == "f32":
        return struct.unpack("<f", struct.pack("<I", bits))[0]
    if type_ == "f16":
        return struct.unpack("<e", struct.pack("<H", bits))[0]
    if type_ == "bf16":
        return struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    return bits - (1 << 32) if bits >> 31 else bits


# ---- layouts: (lane, item) of an element ------------------------------------------------------------------------------

class Case:
    """One built-in: its shape, types, and how the kernel calls it."""

    def __init__(self, call, family, m, n, k, types, blocks=1, lanes=64, sparse=False, **more):
        self.call, self.family, self.m, self.n, self.k, self.blocks, self.lanes = call, family, m, n, k, blocks, lanes
        self.d, self.a, self.b = types
        self.sparse, self.more = sparse, more

    def chunk(self, type_, items):
        """Neighbours along k in one lane."""
        if self.family == "mfma":
            return items if BITS[type_] == 6 else min(items, 128 // BITS[type_])
        if self.family == "gfx1250":
            bits = 192 if BITS[type_] == 6 else 64 if BITS[type_] == 8 and not self.more.get("formats") else 128
            return min(items, bits // BITS[type_])
        return items

    def places(self, side, row, k):
        """(lane, item) of A[row][k] or B[k][row] of a block row // side; several where lanes repeat each other."""
        type_, size = (self.a, self.m) if side == "a" else (self.b, self.n)
        packed = 2 if self.sparse and side == "a" else 1
        block, i = divmod(row, size)
        depth = self.k // packed
        if self.family == "gfx11":
            return [(i + 16 * group, k) for group in range(self.lanes // 16)]
        if self.family == "mfma":
            groups = 64 // (size * self.blocks)
            items = depth // groups
            if self.sparse:  # A follows B: where B's lane has 4 values, A has 2
                chunk = self.chunk(type_, self.k // groups) // packed
            else:
                chunk = self.chunk(type_, items)
            part, inside = divmod(k, chunk)
            return [(i + size * (block + self.blocks * (part % groups)), part // groups * chunk + inside)]
        more, i = divmod(i, 16)
        items = depth // 2
        if self.family == "gfx1250":
            chunk = self.chunk(type_, items) * (2 if self.sparse and side == "b" else 1)
            part, inside = divmod(k, chunk)
            return [(i + 16 * (part % 2), part // 2 * chunk + inside + more * items)]
        part, inside = divmod(k, items)  # gfx12
        if self.lanes == 32 or items * BITS[type_] <= 32:
            return [(i + 16 * part, inside)]
        return [(i + 16 * part + 32 * (inside // (items // 2)), inside % (items // 2))]

    def place_d(self, block, i, j):
        m, n = self.m, self.n
        if self.family == "gfx11":
            return j + 16 * (i % (self.lanes // 16)), i // (self.lanes // 16)
        if self.family == "mfma":
            height = 1 if self.d == "f64" else 4
            in_item = max(1, 64 * height // (n * m))
            rows = 64 // in_item // n
            groups = m // (height * rows)
            return (j + n * (i // height % rows + rows * (block % in_item)),
                    i % height + height * (i // (height * rows) + groups * (block // in_item)))
        if self.lanes == 32:
            return j + 16 * (i % 16 // 8), i % 8 + i // 16 * 8
        return j + 16 * (i // 8) + 32 * (i // 4 % 2), i % 4


def pack(case, side, values, size):
    """The registers of all lanes, of a matrix values[row][k]."""
    type_ = case.a if side == "a" else case.b
    lanes = [0] * 64
    for row, line in enumerate(values):
        for k, x in enumerate(line):
            for lane, item in case.places(side, row, k):
                lanes[lane] |= encode(type_, x) << item * BITS[type_]
    return b"".join(x.to_bytes(4 * size, "little") for x in lanes[:case.lanes])


# ---- cases --------------------------------------------------------------------------------------------------------

C_TYPES = {"f64": "double", "f32": "float", "i32": "int", "f16": "half", "bf16": "bf16"}


def vector(base, count):
    return base if count == 1 else f"{base}{count}"


def mfma(name, m, n, k, types, blocks=1, a="", b=None, extra=", 0, 0, 0", **more):
    d = vector(C_TYPES[types[0]], m * n * blocks // 64)
    return Case((f"__builtin_amdgcn_{name}(A, B, C{extra})", a, b or a, d), "mfma", m, n, k, types, blocks, **more)


PAIRS = [(x, y) for x in ("fp8", "bf8") for y in ("fp8", "bf8")]


def mfma_908():
    out = []
    for m, k, blocks in (32, 1, 2), (16, 1, 4), (4, 1, 16), (32, 2, 1), (16, 4, 1):
        out.append(mfma(f"mfma_f32_{m}x{m}x{k}f32", m, m, k, ("f32", "f32", "f32"), blocks, "float"))
    for m, k, blocks in (32, 4, 2), (16, 4, 4), (4, 4, 16), (32, 8, 1), (16, 16, 1):
        out.append(mfma(f"mfma_f32_{m}x{m}x{k}f16", m, m, k, ("f32", "f16", "f16"), blocks, "half4"))
    return out


def mfma_i8_old():
    return [mfma(f"mfma_i32_{m}x{m}x{k}i8", m, m, k, ("i32", "i8", "i8"), blocks, "int")
            for m, k, blocks in ((32, 4, 2), (16, 4, 4), (4, 4, 16), (32, 8, 1), (16, 16, 1))]


def mfma_bf16_old():
    return [mfma(f"mfma_f32_{m}x{m}x{k}bf16", m, m, k, ("f32", "bf16", "bf16"), blocks, "short2")
            for m, k, blocks in ((32, 2, 2), (16, 2, 4), (4, 2, 16), (32, 4, 1), (16, 8, 1))]


def mfma_90a():
    out = [mfma(f"mfma_f32_{m}x{m}x{k}bf16_1k", m, m, k, ("f32", "bf16", "bf16"), blocks, "short4")
           for m, k, blocks in ((32, 4, 2), (16, 4, 4), (4, 4, 16), (32, 8, 1), (16, 16, 1))]
    doubles = "f64", "f64", "f64"
    return out + [mfma("mfma_f64_16x16x4f64", 16, 16, 4, doubles, 1, "double"),
                  mfma("mfma_f64_4x4x4f64", 4, 4, 4, doubles, 4, "double")]


def mfma_942(small_suffix):
    out = mfma_i8_old()[:3]
    for m, k in (16, 32), (32, 16):
        out.append(mfma(f"mfma_i32_{m}x{m}x{k}_i8", m, m, k, ("i32", "i8", "i8"), 1, "long"))
        for x in "fp8", "bf8":
            for y in "fp8", "bf8":
                out.append(mfma(f"mfma_f32_{m}x{m}x{k}_{x}_{y}", m, m, k, ("f32", x + small_suffix, y + small_suffix), 1,
                                "long"))
    return out


def smfmac(prefix, m, k, d, x, y, a, b):
    cases = []
    for chosen in (0, 1):
        cases.append(mfma(f"{prefix}", m, m, k, (d, x, y), 1, a, b, f", I, 0, {chosen}", sparse=True, set=chosen))
    return cases


def smfmac_942(suffix):
    out = []
    for m, k in (16, 32), (32, 16):
        out += smfmac(f"smfmac_f32_{m}x{m}x{k}_f16", m, k, "f32", "f16", "f16", "half4", "half8")
        out += smfmac(f"smfmac_f32_{m}x{m}x{k}_bf16", m, k, "f32", "bf16", "bf16", "short4", "short8")
        k *= 2
        out += smfmac(f"smfmac_i32_{m}x{m}x{k}_i8", m, k, "i32", "i8", "i8", "int2", "int4")
        for x, y in PAIRS:
            out += smfmac(f"smfmac_f32_{m}x{m}x{k}_{x}_{y}", m, k, "f32", x + suffix, y + suffix, "int2", "int4")
    return out


def smfmac_950():
    out = []
    for m, k in (16, 64), (32, 32):
        out += smfmac(f"smfmac_f32_{m}x{m}x{k}_f16", m, k, "f32", "f16", "f16", "half8", "half16")
        out += smfmac(f"smfmac_f32_{m}x{m}x{k}_bf16", m, k, "f32", "bf16", "bf16", "bf16x8", "bf16x16")
        k *= 2
        out += smfmac(f"smfmac_i32_{m}x{m}x{k}_i8", m, k, "i32", "i8", "i8", "int4", "int8")[:1]
        for x, y in PAIRS:
            out += smfmac(f"smfmac_f32_{m}x{m}x{k}_{x}_{y}", m, k, "f32", x, y, "int4", "int8")[:1]
    return out


FORMATS = ["fp8", "bf8", "fp6", "bf6", "fp4"]


def mfma_950():
    out = []
    for m, k in (16, 32), (32, 16):
        out.append(mfma(f"mfma_f32_{m}x{m}x{k}_f16", m, m, k, ("f32", "f16", "f16"), 1, "half8"))
        out.append(mfma(f"mfma_f32_{m}x{m}x{k}_bf16", m, m, k, ("f32", "bf16", "bf16"), 1, "bf16x8"))
        out.append(mfma(f"mfma_i32_{m}x{m}x{2 * k}_i8", m, m, 2 * k, ("i32", "i8", "i8"), 1, "int4"))
        for x, first in enumerate(FORMATS):
            for y, second in enumerate(FORMATS):
                part = x % 4, y % 4
                extra = f", {x}, {y}, {part[0]}, SA, {part[1]}, SB"
                out.append(mfma(f"mfma_scale_f32_{m}x{m}x{4 * k}_f8f6f4", m, m, 4 * k, ("f32", first, second), 1, "int8",
                                None, extra, scale=32, parts=part))
        for x, first in enumerate(FORMATS[:2]):  # without scales by hand; others are shorter than the built-in's vectors
            for y, second in enumerate(FORMATS[:2]):
                d = vector("float", m * m // 64)
                text = f"v_mfma_f32_{m}x{m}x{4 * k}_f8f6f4 %0, %1, %2, %0 cbsz:{x} blgp:{y}"
                call = '({ %s R = C; __asm__("%s\\n\\ts_nop 15\\n\\ts_nop 15" : "+v"(R) : "v"(A), "v"(B)); R; })' % (d, text)
                out.append(Case((call, "int8", "int8", d), "mfma", m, m, 4 * k, ("f32", first, second)))
    return out


def wmma(name, family, k, types, lanes, a, arguments="A, B, C", b=None, m=16, c=None, **more):
    count = m * 16 // lanes
    d = C_TYPES[types[0]]
    if d == "bf16" and family != "gfx1250":
        d = "short"
    spaced = family == "gfx11" and BITS[types[0]] == 16
    d = vector(d, 2 * count if spaced else count) if d != "bf16" else f"bf16x{count}"
    return Case((f"__builtin_amdgcn_{name}({arguments})", a, b or a, c or d, d), family, m, 16, k, types, 1, lanes,
                spaced=spaced, **more)


def wmma_gfx11(lanes):
    w = f"_w{lanes}"
    out = [wmma("wmma_f32_16x16x16_f16" + w, "gfx11", 16, ("f32", "f16", "f16"), lanes, "half16"),
           wmma("wmma_f32_16x16x16_bf16" + w, "gfx11", 16, ("f32", "bf16", "bf16"), lanes, "short16")]
    for high in 0, 1:
        out.append(wmma("wmma_f16_16x16x16_f16" + w, "gfx11", 16, ("f16", "f16", "f16"), lanes, "half16",
                        f"A, B, C, {high}", high=high))
        out.append(wmma("wmma_bf16_16x16x16_bf16" + w, "gfx11", 16, ("bf16", "bf16", "bf16"), lanes, "short16",
                        f"A, B, C, {high}", high=high))
    for x in "iu":
        for y in "iu":
            signs = f"{int(x == 'i')}, A, {int(y == 'i')}, B, C, 0"
            out.append(wmma("wmma_i32_16x16x16_iu8" + w, "gfx11", 16, ("i32", x + "8", y + "8"), lanes, "int4", signs))
            out.append(wmma("wmma_i32_16x16x16_iu4" + w, "gfx11", 16, ("i32", x + "4", y + "4"), lanes, "int2", signs))
    return out


def wmma_gfx12(lanes):
    w, half = f"_w{lanes}_gfx12", 32 * 8 // lanes
    out = [wmma("wmma_f32_16x16x16_f16" + w, "gfx12", 16, ("f32", "f16", "f16"), lanes, f"half{half}"),
           wmma("wmma_f32_16x16x16_bf16" + w, "gfx12", 16, ("f32", "bf16", "bf16"), lanes, f"short{half}"),
           wmma("wmma_f16_16x16x16_f16" + w, "gfx12", 16, ("f16", "f16", "f16"), lanes, f"half{half}"),
           wmma("wmma_bf16_16x16x16_bf16" + w, "gfx12", 16, ("bf16", "bf16", "bf16"), lanes, f"short{half}")]
    for x in "fp8", "bf8":
        for y in "fp8", "bf8":
            out.append(wmma(f"wmma_f32_16x16x16_{x}_{y}" + w, "gfx12", 16, ("f32", x, y), lanes, vector("int", 64 // lanes)))
    for x, y in "ii", "iu", "ui", "uu":
        signs = f"{int(x == 'i')}, A, {int(y == 'i')}, B, C, 0"
        out.append(wmma("wmma_i32_16x16x16_iu8" + w, "gfx12", 16, ("i32", x + "8", y + "8"), lanes,
                        vector("int", 64 // lanes), signs))
        out.append(wmma("wmma_i32_16x16x16_iu4" + w, "gfx12", 16, ("i32", x + "4", y + "4"), lanes, "int", signs))
        out.append(wmma("wmma_i32_16x16x32_iu4" + w, "gfx12", 32, ("i32", x + "4", y + "4"), lanes,
                        vector("int", 64 // lanes), signs))
    return out


def swmmac_gfx12(lanes):
    w, half = f"_w{lanes}", 32 * 8 // lanes
    out = []
    for d, x, base in ("f32", "f16", "half"), ("f32", "bf16", "short"), ("f16", "f16", "half"), ("bf16", "bf16", "short"):
        out.append(wmma(f"swmmac_{d}_16x16x32_{x}" + w, "gfx12", 32, (d, x, x), lanes, f"{base}{half}", "A, B, C, I",
                        f"{base}{2 * half}", sparse=True))
    one, two = vector("int", 64 // lanes), vector("int", 128 // lanes)
    for x, y in PAIRS:
        out.append(wmma(f"swmmac_f32_16x16x32_{x}_{y}" + w, "gfx12", 32, ("f32", x, y), lanes, one, "A, B, C, I", two,
                        sparse=True))
    for x, y in "ii", "ui":
        signs = f"{int(x == 'i')}, A, {int(y == 'i')}, B, C, I, 0"
        out.append(wmma("swmmac_i32_16x16x32_iu8" + w, "gfx12", 32, ("i32", x + "8", y + "8"), lanes, one, signs, two,
                        sparse=True))
        out.append(wmma("swmmac_i32_16x16x32_iu4" + w, "gfx12", 32, ("i32", x + "4", y + "4"), lanes, "int", signs, one,
                        sparse=True))
        out.append(wmma("swmmac_i32_16x16x64_iu4" + w, "gfx12", 64, ("i32", x + "4", y + "4"), lanes, one, signs, two,
                        sparse=True))
    return out


def wmma_gfx1250():
    out, add = [], lambda *args, **more: out.append(wmma(*args, **more))
    plain, signed = "0, A, 0, B, (short)0, C, 0, 0", "A, B, (short)0, C, 0, 0"
    add("wmma_f32_16x16x4_f32", "gfx1250", 4, ("f32", "f32", "f32"), 32, "float2", plain)
    for d in "f32", "f16":
        add(f"wmma_{d}_16x16x32_f16", "gfx1250", 32, (d, "f16", "f16"), 32, "half16", plain)
        for x in "fp8", "bf8":
            for y in "fp8", "bf8":
                add(f"wmma_{d}_16x16x64_{x}_{y}", "gfx1250", 64, (d, x, y), 32, "int8", signed)
                add(f"wmma_{d}_16x16x128_{x}_{y}", "gfx1250", 128, (d, x, y), 32, "int16", signed)
    for d in "f32", "bf16":
        add(f"wmma_{d}_16x16x32_bf16", "gfx1250", 32, (d, "bf16", "bf16"), 32, "bf16x16", plain)
    add("wmma_bf16f32_16x16x32_bf16", "gfx1250", 32, ("bf16", "bf16", "bf16"), 32, "bf16x16", plain, c="float8", c_type="f32")
    for x, y in "ii", "iu", "ui", "uu":
        add("wmma_i32_16x16x64_iu8", "gfx1250", 64, ("i32", x + "8", y + "8"), 32, "int8",
            f"{int(x == 'i')}, A, {int(y == 'i')}, B, C, 0, 0")
    for x, first in enumerate(FORMATS):
        for y, second in enumerate(FORMATS):
            add("wmma_f32_16x16x128_f8f6f4", "gfx1250", 128, ("f32", first, second), 32, "int16",
                f"{x}, A, {y}, B, (short)0, C", formats=(0, 0))
            for scale in 32, 16:
                half = x % 2, y % 2
                name = "scale" if scale == 32 else "scale16"
                formats = 0, 0
                if first == second == "fp4":
                    formats = (1, 1) if scale == 32 else (2, 2)
                add(f"wmma_{name}_f32_16x16x128_f8f6f4", "gfx1250", 128, ("f32", first, second), 32, "int16",
                    f"{x}, A, {y}, B, (short)0, C, {half[0]}, {formats[0]}, SA, {half[1]}, {formats[1]}, SB, 0, 0",
                    scale=scale, parts=half, formats=formats)
    for scale in 32, 16:
        name = "scale" if scale == 32 else "scale16"
        add(f"wmma_{name}_f32_32x16x128_f4", "gfx1250", 128, ("f32", "fp4", "fp4"), 32, "int16",
            "A, B, (short)0, C, 0, 0, SA, 1, 0, SB, 0, 0", "int8", 32, scale=scale, parts=(0, 1), formats=(0, 0))
    add("wmma_f32_32x16x128_f4", "gfx1250", 128, ("f32", "fp4", "fp4"), 32, "int16", "A, B, (short)0, C", "int8", 32,
        formats=(0, 0))
    return out


def by_hand(text, k, types, c_type):
    """A sparse product as an instruction in the kernel."""
    call = '({ %s R = C; __asm__("%s" : "+v"(R) : "v"(A), "v"(B), "v"(I2)); R; })' % (c_type, text)
    return Case((call, "int8", "int16", c_type, c_type), "gfx1250", 16, 16, k, types, 1, 32, sparse=True)


def swmmac_gfx1250():
    out = []
    for d, x in ("f32", "f16"), ("f16", "f16"), ("f32", "bf16"), ("bf16", "bf16"):
        base = "half%d" if x == "f16" else "bf16x%d"
        out.append(wmma(f"swmmac_{d}_16x16x64_{x}", "gfx1250", 64, (d, x, x), 32, base % 16, "0, A, 0, B, C, I, 0, 0",
                        base % 32 if x == "bf16" else "halfx32", sparse=True))
    out.append(wmma("swmmac_bf16f32_16x16x64_bf16", "gfx1250", 64, ("f32", "bf16", "bf16"), 32, "bf16x16", "0, A, 0, B, C, I, 0, 0",
                    "bf16x32", sparse=True))
    # The built-ins pass 32 bits of an index that has 64.
    for d, c_type in ("f32", "float8"), ("f16", "half8"):
        for x, y in PAIRS:
            out.append(by_hand(f"v_swmmac_{d}_16x16x128_{x}_{y} %0, %1, %2, %3", 128, (d, x, y), c_type))
    for x, y in "ii", "ui":
        signs = f"neg_lo:[{int(x == 'i')},{int(y == 'i')},0]"
        out.append(by_hand("v_swmmac_i32_16x16x128_iu8 %0, %1, %2, %3 " + signs, 128, ("i32", x + "8", y + "8"), "int8"))
    return out


def wmma_gfx1251():
    """Of doubles, which clang-22 does not know: v_wmma_f64_16x16x4_f64 v[32:47], v[16:19], v[20:23], v[32:47]."""
    call = '({ double8 R = C; __asm__(".long 0xcc5b0020, 0x1c822910" : "+{v[32:47]}"(R) : "{v[16:19]}"(A), "{v[20:23]}"(B)); R; })'
    return [Case((call, "double2", "double2", "double8", "double8"), "gfx1250", 16, 16, 4, ("f64", "f64", "f64"), 1, 32)]


PROCESSORS = {
    "gfx908": lambda: mfma_908() + mfma_i8_old() + mfma_bf16_old(),
    "gfx90a": lambda: mfma_908() + mfma_i8_old() + mfma_bf16_old() + mfma_90a(),
    "gfx942": lambda: mfma_908() + mfma_90a() + mfma_942("_fnuz") + smfmac_942("_fnuz") + [
        mfma("mfma_f32_16x16x8_xf32", 16, 16, 8, ("f32", "xf32", "xf32"), 1, "float2"),
        mfma("mfma_f32_32x32x4_xf32", 32, 32, 4, ("f32", "xf32", "xf32"), 1, "float2")],
    "gfx950": lambda: mfma_908() + mfma_90a() + mfma_942("") + smfmac_942("") + mfma_950() + smfmac_950(),
    "gfx1100": lambda: wmma_gfx11(32), "gfx1150": lambda: wmma_gfx11(32), "gfx1100-w64": lambda: wmma_gfx11(64),
    "gfx1200": lambda: wmma_gfx12(32) + swmmac_gfx12(32), "gfx1200-w64": lambda: wmma_gfx12(64) + swmmac_gfx12(64),
    "gfx1250": lambda: wmma_gfx1250() + swmmac_gfx1250(), "gfx1251": lambda: wmma_gfx1250() + swmmac_gfx1250() + wmma_gfx1251(),
}

HEAD = """
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef __bf16 bf16x4 __attribute__((ext_vector_type(4)));
typedef __bf16 bf16x8 __attribute__((ext_vector_type(8)));
typedef __bf16 bf16x16 __attribute__((ext_vector_type(16)));
typedef __bf16 bf16x32 __attribute__((ext_vector_type(32)));
typedef half halfx32 __attribute__((ext_vector_type(32)));
typedef float float32 __attribute__((ext_vector_type(32)));
typedef int int32 __attribute__((ext_vector_type(32)));
"""
KERNEL = """
kernel void k%d(global const %s *pa, global const %s *pb, global const %s *pc, global const long *pi, global const long *psa,
                global const long *psb, global %s *pd) {
  int lane = __builtin_amdgcn_workitem_id_x(), I = (int)pi[lane];
  int2 I2 = as_int2(pi[lane]);
  %s SA = (%s)psa[lane], SB = (%s)psb[lane];
  %s A = pa[lane]; %s B = pb[lane]; %s C = pc[lane];
  pd[lane] = %s;
}
"""
SIZES = {"half": 2, "short": 2, "bf16": 2, "int": 4, "float": 4, "double": 8, "long": 8}


def size_of(type_):
    """Bytes of a C type."""
    base = type_.rstrip("0123456789x")
    base, count = ("bf16", type_[5:]) if type_.startswith("bf16") else (base, type_[len(base):].strip("x"))
    return SIZES[base] * int(count or 1)


def source(cases):
    out = HEAD
    for number, case in enumerate(cases):
        call, a, b, *c = case.call
        d = c[-1]
        scale = "long" if case.more.get("scale") == 16 else "int"
        out += KERNEL % (number, a, b, c[0], d, scale, scale, scale, a, b, c[0], call)
    return out


# ---- one case -----------------------------------------------------------------------------------------------------

def choose(rng, type_, depth):
    values = VALUES.get(type_, COMMON)
    return [rng.choice(values) for _ in range(depth)]


def choose_sparse(rng, case, rows):
    """(all values with zeros, the values kept, which two of each four)."""
    full, kept, chosen = [], [], []
    for _ in range(rows):
        line, pairs, picks = [0] * case.k, [], []
        for four in range(0, case.k, 4):
            pick = sorted(rng.sample(range(4), 2))
            pair = choose(rng, case.a, 2)
            for where, x in zip(pick, pair):
                line[four + where] = x
            pairs += pair
            picks += pick
        full.append(line)
        kept.append(pairs)
        chosen.append(picks)
    return full, kept, chosen


def pack_index(case, chosen):
    lanes = [0] * 64
    for row, picks in enumerate(chosen):
        for k, which in enumerate(picks):
            for lane, item in case.places("a", row, k):
                lanes[lane] |= which << 2 * item
    groups = 64 // case.m if case.family == "mfma" else 0
    shift = case.more.get("set", 0) * (case.k // groups if groups else 0)
    mask = (1 << 64) - 1
    return struct.pack("<64Q", *(x << shift & mask for x in lanes))[:8 * case.lanes]


def scale_value(bits, format_):
    if format_ == 0:
        return 2.0 ** (bits - 127)
    return {v: k for k, v in small(*((5, 3, 15) if format_ == 1 else (4, 3, 7))).items() if k >= 0}[bits]


def scales(rng, case, side, rows):
    """(scale of each row and block, the registers)."""
    block, which = case.more["scale"], "ab".index(side)
    count, format_ = case.k // block, case.more.get("formats", (0, 0))[which]
    base = {0: 126, 1: 0x76, 2: 0x36}[format_]
    bits = [[base + rng.randrange(4) for _ in range(count)] for _ in range(rows)]
    lanes = [rng.getrandbits(64) for _ in range(64)]
    for row in range(rows):
        for n in range(count):
            if case.family == "mfma":
                lane, at = row + rows * n, 8 * case.more["parts"][which]
            else:
                lane, at = row + 16 * case.more["parts"][which], 8 * n
            lanes[lane] = lanes[lane] & ~(255 << at) | bits[row][n] << at
    return [[scale_value(x, format_) for x in line] for line in bits], struct.pack("<64Q", *lanes)[:8 * case.lanes]


def run(offgrid, code, number, case, folder, rng, draw=None, reference=None):
    """What is wrong, or None. `draw` yields other numbers of a type, `reference` their sum."""
    call, a_type, b_type, *c_types = case.call
    c_type, d_type = c_types[0], c_types[-1]
    rows, columns = case.m * case.blocks, case.n * case.blocks
    index = bytes(8 * case.lanes)
    if case.sparse:
        a, kept, chosen = choose_sparse(rng, case, rows)
        index = pack_index(case, chosen)
    else:
        a = kept = [choose(rng, case.a, case.k) for _ in range(rows)]
    b = [choose(rng, case.b, case.k) for _ in range(columns)]
    if draw:
        a = kept = [[draw(case.a) for _ in range(case.k)] for _ in range(rows)]
        b = [[draw(case.b) for _ in range(case.k)] for _ in range(columns)]
    factors, scale_a, scale_b = None, index, index
    if case.more.get("scale"):
        factors_a, scale_a = scales(rng, case, "a", rows)
        factors_b, scale_b = scales(rng, case, "b", columns)
        factors = factors_a, factors_b
    element = case.more.get("c_type", case.d)
    step = BITS[element] * (2 if case.more.get("spaced") else 1)
    high = 16 if case.more.get("high") else 0
    c = {}
    lanes = [0] * 64
    for block in range(case.blocks):
        for i in range(case.m):
            for j in range(case.n):
                x = c[block, i, j] = draw(case.d) if draw else rng.randrange(-9, 10)
                lane, item = case.place_d(block, i, j)
                lanes[lane] |= encode(element, x) << item * step + high
    registers = b"".join(x.to_bytes(size_of(c_type), "little") for x in lanes[:case.lanes])
    inputs = [pack(case, "a", kept, size_of(a_type) // 4), pack(case, "b", b, size_of(b_type) // 4), registers, index,
              scale_a, scale_b]
    size = size_of(d_type)
    data, said = kernels.run(offgrid, code, f"k{number}", case.lanes, inputs, size * case.lanes, folder)
    if said:
        return said
    step = BITS[case.d] * (2 if case.more.get("spaced") else 1)
    for (block, i, j), start in c.items():
        lane, item = case.place_d(block, i, j)
        bits = int.from_bytes(data[lane * size:(lane + 1) * size], "little") >> item * step + high
        got = decode(case.d, bits & (1 << BITS[case.d]) - 1)
        line, column = a[block * case.m + i], b[block * case.n + j]
        if reference:
            if rng.random() < 0.8:  # some are enough
                continue
            if factors:
                per = case.more["scale"]
                line = [x * factors[0][i][k // per] for k, x in enumerate(line)]
                column = [x * factors[1][j][k // per] for k, x in enumerate(column)]
            want = reference(line, column, start)
        elif factors:
            per = case.more["scale"]
            want = start + sum(x * y * factors[0][i][k // per] * factors[1][j][k // per]
                               for k, (x, y) in enumerate(zip(line, column)))
        else:
            want = start + sum(x * y for x, y in zip(line, column))
        want = decode(case.d, encode(case.d, want)) if case.d != "bf16" else round_bf16(want)
        if got != want and not (math.isnan(got) and math.isnan(want)):
            return f"D[{block}][{i}][{j}] is {got}, expected {want}"
    return None


def round_bf16(x):
    bits = bits_f32(x)
    return decode("bf16", bits + 0x7fff + (bits >> 16 & 1) >> 16)


# ---- sums that are rounded: docs/exactness.md, "Matrices" -----------------------------------------------------------

LEAST = {"f16": -14, "bf16": -126, "xf32": -126, "f32": -126, "fp8": -6, "bf8": -14, "fp8_fnuz": -7, "bf8_fnuz": -15}


def rounded(x):
    """A Fraction to the nearest f32, ties to even."""
    size = abs(x)
    if size == 0:
        return 0.0
    e = max(exponent(size), -126)
    units = round(size / Fraction(2) ** (e - 23))
    return math.copysign(float(units * Fraction(2) ** (e - 23)), x)


def exponent(x):
    """floor(log2(|x|))"""
    x = abs(Fraction(x))
    e = x.numerator.bit_length() - x.denominator.bit_length()
    return e if Fraction(2) ** e <= x else e - 1


def cut(x, e, downwards):
    """A multiple of 2**e."""
    units = x / Fraction(2) ** e
    return (math.floor(units) if downwards else math.trunc(units)) * Fraction(2) ** e


class Sums:
    """How a processor adds up products."""

    def __init__(self, kind, group, a, b):
        self.kind, self.group, self.least_a, self.least_b = kind, group, LEAST.get(a), LEAST.get(b)

    def __call__(self, line, column, total):
        if self.kind == "pairwise":  # a denormal times infinity is 0 times infinity
            line, column = [self.flushed(x, self.least_a) for x in line], [self.flushed(y, self.least_b) for y in column]
        for k in range(0, len(line), self.group):
            wild = sum((x * y for x, y in zip(line[k:k + self.group], column[k:k + self.group])), total)
            if not math.isfinite(wild):
                total = wild
                continue
            total = getattr(self, self.kind)(line[k:k + self.group], column[k:k + self.group], total)
        return total

    @staticmethod
    def exact(a, b, c):
        return rounded(sum((Fraction(x) * Fraction(y) for x, y in zip(a, b)), Fraction(c)))

    def flushed(self, x, least=-126):
        return math.copysign(0.0, x) if abs(x) < 2.0 ** least else x

    def pairwise(self, a, b, c):
        p = [self.flushed(rounded(Fraction(self.flushed(x, self.least_a)) * Fraction(self.flushed(y, self.least_b))))
             for x, y in zip(a, b)]
        while len(p) > 1:
            p = [self.flushed(rounded(Fraction(x) + Fraction(y))) for x, y in zip(p[::2], p[1::2])]
        return self.flushed(rounded(Fraction(self.flushed(c)) + Fraction(p[0])))

    def top(self, a, b):
        return max(-126 if x == 0 or y == 0 else max(exponent(x), self.least_a) + max(exponent(y), self.least_b)
                   for x, y in zip(a, b))

    def fixed(self, a, b):
        top = self.top(a, b)
        return top, sum(cut(Fraction(x) * Fraction(y), top - 24, False) for x, y in zip(a, b))

    @staticmethod
    def with_c(top, products, c, downwards):
        both = max(top, -126 if c == 0 else max(exponent(c), -126))
        return rounded(cut(products, both - 31, downwards) + cut(Fraction(c), both - 24, downwards))

    def truncated(self, a, b, c):
        return self.with_c(*self.fixed(a, b), c, True)

    def alternate(self, a, b, c):
        (top_even, even), (top_odd, odd) = self.fixed(a[::2], b[::2]), self.fixed(a[1::2], b[1::2])
        top = max(top_even, top_odd)
        return self.with_c(top, cut(even, top - 24, False) + cut(odd, top - 24, False), c, False)


# Which built-ins, by a part of their names, and how they add.
ROUNDED = {
    "gfx908": [("16x16x16f16", "exact", 4), ("32x32x4bf16(", "exact", 2), ("16x16x4f32", "exact", 1), ("4x4x4f16", "exact", 4)],
    "gfx90a": [("32x32x8f16", "pairwise", 4), ("16x16x8bf16(", "pairwise", 2), ("16x16x16bf16_1k", "pairwise", 4),
               ("4x4x4bf16_1k", "pairwise", 4)],
    "gfx942": [("16x16x16f16", "truncated", 8), ("32x32x8bf16_1k", "truncated", 8), ("16x16x8_xf32", "truncated", 4),
               ("16x16x32_fp8_bf8", "alternate", 16), ("32x32x16_bf8_bf8", "alternate", 16), ("4x4x4f16", "truncated", 4)],
    "gfx950": [("16x16x32_f16", "truncated", 8), ("16x16x32_fp8_bf8", "alternate", 16),
               *(("mfma_scale_f32_16x16x128_f8f6f4", "exact", 32, pair) for pair in (("bf8", "bf8"), ("fp8", "bf8"), ("bf6", "fp4")))],
    "gfx1100": [("f32_16x16x16_f16", "exact", 1), ("f32_16x16x16_bf16", "exact", 1)],
    "gfx1200": [("wmma_f32_16x16x16_fp8_bf8", "exact", 1)],
    "gfx1250": [("wmma_scale_f32_16x16x128_f8f6f4", "exact", 32, ("bf8", "bf8")),
                ("wmma_scale16_f32_16x16x128_f8f6f4", "exact", 16, ("fp8", "bf8"))],
}


BOUNDS = {"f16": [65504, 2.0 ** -14, 2.0 ** -24, 1023 * 2.0 ** -24], "bf16": [1.0, 2.0 ** 60, 2.0 ** -60],
          "xf32": [1.0, 2.0 ** 60, 2.0 ** -60], "f32": [1.0, 2.0 ** 60, 2.0 ** -60], "fp8": [448, 2.0 ** -9], "bf8": [57344, 2.0 ** -16],
          "fp8_fnuz": [240, 2.0 ** -10], "bf8_fnuz": [57344, 2.0 ** -17]}


def drawer(rng, spread):
    """Numbers of a type whose exponents lie `spread` apart; zeros and denormals among them. A spread of 0: few that are not at
    the type's bounds, and some that are no numbers."""
    def draw(type_):
        wild = [math.nan, math.inf, -math.inf][:len(SPECIAL.get(type_, (0, 0, 0)))]
        if spread == 0 and wild and rng.random() < 0.01:
            return rng.choice(wild)
        if spread == 0 and type_ in BOUNDS and rng.random() < 0.7:
            return rng.choice((-1, 1)) * rng.choice(BOUNDS[type_] + [0.0])
        if spread == 0:
            return 0.0 if type_ not in SMALL else rng.choice(list(SMALL[type_])[:6])
        if rng.random() < 0.05:
            return 0.0
        if type_ in SMALL:
            most = {"fp8": 448, "bf8": 57344}.get(type_, math.inf)
            return rng.choice([x for x in SMALL[type_] if abs(x) <= most])
        low = -24 if type_ == "f16" and spread > 20 else -spread // 2
        x = math.ldexp(rng.choice((-1, 1)) * (1 + rng.random()), low + rng.randrange(spread))
        return decode(type_ if type_ != "xf32" else "f32", encode(type_, x) & (0xffffe000 if type_ == "xf32" else -1))
    return draw


def check_rounding(options, name, cases, code, folder, count):
    """How many sums are wrong, and of how many."""
    wrong = 0
    rng = random.Random(5)
    for part, kind, group, *types in ROUNDED.get(name, []):
        for number, case in enumerate(cases):
            if part not in case.call[0] or case.sparse or (types and types[0] != (case.a, case.b)):
                continue
            for spread in 0, 3, 8, 26:
                count += 1
                said = run(options.offgrid, code, number, case, folder, rng, drawer(rng, spread), Sums(kind, group, case.a, case.b))
                if said:
                    wrong += 1
                    print(f"FAIL {name} {case.call[0]} rounded, spread {spread}: {said}")
    return wrong, count


def compile_kernels(path, output, processor, lanes, more=()):
    command = ["clang-22", "--target=amdgcn-amd-amdhsa", f"-mcpu={processor}", "-x", "cl", "-cl-std=CL2.0", "-O2", "-nogpulib",
               "-mcode-object-version=5", path, "-o", output, *more]
    if lanes == 64 and toolchain.is_wave32(processor):
        command.insert(1, "-mwavefrontsize64")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stderr if done.returncode else None


def compile_by_cc(offgrid, path, output, processor, lanes):
    """By way of clang's LLVM IR and `offgrid cc`; its object must be clean."""
    ir = output + ".ll"
    wave = ["-mattr=+wavefrontsize64"] if lanes == 64 and toolchain.is_wave32(processor) else []
    messages = compile_kernels(path, ir, processor, lanes, ["-S", "-emit-llvm"])
    for command in () if messages else ([offgrid, "cc", f"-mcpu={processor}", *wave, ir, "-o", output],
                                        [offgrid, "lint", output], [offgrid, "lint", "--waits", output]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode or (command[1] == "lint" and done.stdout.strip()):
            return f"{command[1]}: {(done.stdout + done.stderr)[:2000]}"
    return messages


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default=",".join(PROCESSORS))
    parser.add_argument("--only", default="")
    parser.add_argument("--cc", action="store_true", help="compiled by offgrid cc from clang's LLVM IR")
    options = parser.parse_args()
    if toolchain.missing("clang-22"):
        sys.exit(77)
    wrong = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in options.processors.split(","):
            cases = [case for case in PROCESSORS[name]() if options.only in case.call[0]]
            path, code = os.path.join(folder, "matrix.cl"), os.path.join(folder, "matrix.co")
            with open(path, "w", encoding="utf-8") as file:
                file.write(source(cases))
            processor, lanes = name.partition("-")[0], cases[0].lanes if cases else 64
            messages = (compile_by_cc(options.offgrid, path, code, processor, lanes) if options.cc else
                        compile_kernels(path, code, processor, lanes))
            if messages:
                sys.exit(f"{name}: {messages}")
            rng = random.Random(11)
            for number, case in enumerate(cases):
                count += 1
                said = run(options.offgrid, code, number, case, folder, rng)
                if said:
                    wrong += 1
                    print(f"FAIL {name} {case.call[0]}: {said}")
                else:
                    value_rows.compared_kernel(options.offgrid, name.partition("-")[0], code, f"k{number}",
                                               r"^\s*v_(?:mfma|smfmac|wmma|swmmac)_\w+")
            more, count = check_rounding(options, name, cases, code, folder, count)
            wrong += more
    print(f"{wrong} of {count} products of matrices are wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
