#!/usr/bin/env python3
"""Single instructions of CDNA4, RDNA4 and CDNA5 in kernels of their own, on numbers at random and at the bounds of their
formats, against what the manuals say of them, told here once more with exact fractions."""
import argparse
import math
import os
import random
import re
import struct
import subprocess
import sys
import tempfile
from fractions import Fraction

import kernels
import value_rows
from small_floats import FORMATS, decode, encode, finite_codes, width

LANES = 32

# ---- kernels --------------------------------------------------------------------------------------------------------

KERNEL = """
.globl k{number}
.p2align 8
.type k{number},@function
k{number}:
  {load_arguments}
  v_mul_u32_u24 v1, {stride}, v0
  v_mul_u32_u24 v2, {stride_out}, v0
  {wait}
{loads}
  {wait}
{body}
  {wait}
{stores}
  s_endpgm
.size k{number}, .-k{number}
"""
DESCRIPTOR = """
.amdhsa_kernel k{number}
  .amdhsa_next_free_vgpr {registers}
  .amdhsa_next_free_sgpr 64
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_group_segment_fixed_size 16384
  .amdhsa_float_denorm_mode_32 3
  {more}
.end_amdhsa_kernel
"""


class Case:
    """An instruction in a kernel: {0}, {1}, ... and {d} stand for registers. The reference gets a list of the lanes' sources,
    each an integer of `sources` dwords, and yields what {d} then has, which had 0x5a5a5a5a in each dword: an integer, or a
    function that tells whether it is right."""

    def __init__(self, name, text, sources, result, draw, reference, lane=True, waves=1):
        self.name, self.text, self.sources, self.result = name, text, sources, result
        self.draw, self.reference, self.lane, self.waves = draw, reference, lane, waves


def registers(first, count):
    return f"v{first}" if count == 1 else f"v[{first}:{first + count - 1}]"


FLAT_ONLY = ("gfx7", "gfx8")


def flat(line, access, offset, base, add):
    """The access as a flat one, for what has no others with a base: the address first, in v[4:5]."""
    data, distance = re.search(r" (v\d+)", line)[1], re.search(r"offset:(\d+)", line)[1]
    return (f"  v_mov_b32 v4, s{base}\n  v_mov_b32 v5, s{int(base) + 1}\n  {add} v4, vcc, v4, {offset}\n  v_addc_u32 v5, vcc, 0, v5, vcc\n"
            f"  {add} v4, vcc, {distance}, v4\n  v_addc_u32 v5, vcc, 0, v5, vcc\n  " + access.format(data=data))


def kernel(number, case, processor):
    new = processor.startswith("gfx12")
    load, store = ("global_load_b32", "global_store_b32") if new else ("global_load_dword", "global_store_dword")
    first, at, places, loads = 8, 0, [], []
    for dwords in case.sources:
        places.append(registers(first, dwords))
        for k in range(dwords):
            loads.append(f"  {load} v{first + k}, v1, s[4:5] offset:{4 * (at + k)}")
        first, at = first + (dwords + 1) // 2 * 2, at + dwords
    first = (first + 3) // 4 * 4
    body = [f"  v_mov_b32 v{first + k}, 0x5a5a5a5a" for k in range(case.result)]
    body.append("  " + case.text.format(*places, d=registers(first, case.result)).replace("\n", "\n  "))
    wait = "s_wait_loadcnt_dscnt 0x0\n  s_wait_kmcnt 0x0\n  s_wait_storecnt 0x0" if new else "s_waitcnt 0"
    load_arguments = "s_load_b128 s[4:7], s[0:1], 0x0" if new else "s_load_dwordx4 s[4:7], s[0:1], 0x0"
    if processor.startswith("gfx6"):  # by way of buffers
        setup = [f"  s_mov_b32 s{to}, {value}" for to, value in zip(range(40, 48), ("s4", "s5", -1, 0xf000, "s6", "s7", -1, 0xf000))]
        return KERNEL.format(number=number, load_arguments=load_arguments, stride=4 * at, stride_out=4 * case.result, wait=wait,
                             loads="\n".join(["  s_mov_b32 m0, -1"] + setup + [line.replace("global_load", "buffer_load").replace(
                                 "s[4:5]", "s[40:43], 0 offen") for line in loads]), body="\n".join(body), stores="\n".join(
                                 f"  buffer_store_dword v{first + k}, v2, s[44:47], 0 offen offset:{4 * k}" for k in range(case.result)))
    if processor.startswith(FLAT_ONLY):
        add = "v_add_u32" if processor.startswith("gfx8") else "v_add_i32"
        loads = [flat(line, "flat_load_dword {data}, v[4:5]", "v1", "4", add) for line in loads]
        return KERNEL.format(number=number, load_arguments=load_arguments, stride=4 * at, stride_out=4 * case.result, wait=wait,
                             loads="\n".join(["  s_mov_b32 m0, -1"] + loads), body="\n".join(body), stores="\n".join(
                                 flat(f"  x v{first + k} offset:{4 * k}", "flat_store_dword v[4:5], {data}", "v2", "6", add)
                                 for k in range(case.result)))
    return KERNEL.format(number=number, load_arguments=load_arguments, stride=4 * at, stride_out=4 * case.result, wait=wait,
                         loads="\n".join(loads), body="\n".join(body),
                         stores="\n".join(f"  {store} v2, v{first + k}, s[6:7] offset:{4 * k}" for k in range(case.result)))


def assemble(offgrid, processor, cases, folder, wave64=False):
    path, output = os.path.join(folder, f"{processor}.s"), os.path.join(folder, f"{processor}.o")
    text = f'.amdgcn_target "amdgcn-amd-amdhsa--{processor}"\n.text\n'
    text += "".join(kernel(number, case, processor) for number, case in enumerate(cases)) + ".rodata\n.p2align 6\n"
    more = f".amdhsa_wavefront_size32 {int(not wave64)}" if processor.startswith(("gfx120", "gfx11")) else ""
    more = ".amdhsa_wavefront_size32 0" if processor.startswith("gfx10") else more
    more = ".amdhsa_accum_offset 256" if processor in ("gfx90a", "gfx942", "gfx950") else more
    more = ".amdhsa_named_barrier_count 2" if processor.startswith("gfx125") else more
    text += "".join(DESCRIPTOR.format(number=number, more=more, registers=1024 if processor.startswith("gfx125") else 256) for number in range(len(cases)))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    wave = ["-mattr=+wavefrontsize64"] if wave64 else []
    done = subprocess.run([offgrid, "as", f"-mcpu={processor}", *wave, path, "-o", output], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return output


def run(offgrid, code, number, case, rng, folder, lanes):
    sources = [[case.draw(rng, i) & (1 << 32 * dwords) - 1 for i, dwords in enumerate(case.sources)] for _ in range(lanes)]
    data = b"".join(x.to_bytes(4 * dwords, "little") for lane in sources for x, dwords in zip(lane, case.sources))
    size = 4 * case.result
    out, said = kernels.run(offgrid, code, f"k{number}", lanes, [data], size * lanes, folder)
    if said:
        return said
    wanted = [case.reference(*lane) for lane in sources] if case.lane else case.reference(sources)
    for lane, (want, had) in enumerate(zip(wanted, sources)):
        got = int.from_bytes(out[lane * size:(lane + 1) * size], "little")
        if not want(got) if callable(want) else got != want:
            return f"lane {lane} of {[hex(x) for x in had]} is {got:x}" + ("" if callable(want) else f", expected {want:x}")
    return None


# ---- numbers --------------------------------------------------------------------------------------------------------

def special(rng, name):
    """Bits of a format: at its bounds, small and large, or any."""
    w, mantissa = width(name), FORMATS[name][1]
    finite = finite_codes(name)
    one = FORMATS[name][2] << mantissa
    near = one + rng.randrange(-3 << mantissa, 3 << mantissa)
    code = rng.choice([0, 1, (1 << mantissa) - 1, 1 << mantissa, finite - 1, finite, finite + 1, one, one, near, near, near,
                       rng.randrange(finite), rng.randrange(finite), rng.getrandbits(w - 1)])
    return min(max(code, 0), (1 << w - 1) - 1) | rng.getrandbits(1) << w - 1


def pair(rng, name):
    return special(rng, name) | special(rng, name) << width(name)


def is_nan(name, bits):
    x = decode(name, bits)
    return isinstance(x, float) and math.isnan(x)


def sign_of(name, bits):
    return bits >> width(name) - 1


def rounded(name, x, negative):
    """Bits of a Fraction, infinity or NaN; None is any NaN."""
    if isinstance(x, float):
        return None if math.isnan(x) else (x < 0) << width(name) - 1 | finite_codes(name)
    return encode(name, x, x < 0 if x else negative)


def add_products(to, products, addend):
    """Bits of the sum of products and of an addend, rounded once. Each is a list of (format, bits)."""
    terms = []
    for factors in products + [[addend]]:
        value, negative = Fraction(1), 0
        for name, bits in factors:
            x = decode(name, bits)
            negative ^= sign_of(name, bits)
            if isinstance(value, float) or isinstance(x, float):
                value = (value if isinstance(value, float) else (value > 0) - (value < 0)) * \
                        (x if isinstance(x, float) else (x > 0) - (x < 0))
            else:
                value *= x
        terms.append((value, negative))
    wild = [x for x, _ in terms if isinstance(x, float)]
    if wild:
        return rounded(to, sum(wild), 0)
    return rounded(to, sum(x for x, _ in terms), all(negative for _, negative in terms))


def matches(name, want, got):
    return is_nan(name, got) if want is None else got == want


def both(name, low, high):
    w = width(name)
    return lambda got: matches(name, low, got & (1 << w) - 1) and matches(name, high, got >> w)


def half(bits, n):
    return bits >> 16 * n & 0xffff


def clamped(name, bits):
    one = FORMATS[name][2] << FORMATS[name][1]
    if bits is None or sign_of(name, bits):
        return 0
    return min(bits, one)


# ---- families -------------------------------------------------------------------------------------------------------

def packed_bfloats():
    """v_pk_*_bf16 and v_fma_mix_*_bf16 (CDNA5, 7.7 and 15.10)."""
    def fma(a, b, c):
        return add_products("bf16", [[("bf16", a), ("bf16", b)]], ("bf16", c))

    def add(a, b):
        return add_products("bf16", [[("bf16", a)]], ("bf16", b))

    def mul(a, b):
        return add_products("bf16", [[("bf16", a), ("bf16", b)]], ("bf16", (a ^ b) & 0x8000))

    def least(a, b, most=False):
        if is_nan("bf16", a) or is_nan("bf16", b):
            return None if is_nan("bf16", a) and is_nan("bf16", b) else a if is_nan("bf16", b) else b
        key = [(x >> 15 and -(x & 0x7fff) or (x & 0x7fff), -(x >> 15)) for x in (a, b)]
        return (a if key[0] >= key[1] else b) if most else (a if key[0] <= key[1] else b)

    def draw(rng, _):
        return pair(rng, "bf16")

    def each(function, *sources):
        return both("bf16", *(function(*(half(x, n) for x in sources)) for n in (0, 1)))

    out = [Case(f"v_pk_{name}_bf16", f"v_pk_{name}_bf16 {{d}}, {{0}}, {{1}}", [1, 1], 1, draw,
                lambda a, b, f=function: each(f, a, b))
           for name, function in (("add", add), ("mul", mul), ("min_num", least), ("max_num", lambda a, b: least(a, b, True)))]
    out += [Case("v_pk_fma_bf16", "v_pk_fma_bf16 {d}, {0}, {1}, {2}", [1, 1, 1], 1, draw, lambda a, b, c: each(fma, a, b, c)),
            Case("v_pk_fma_bf16 clamp", "v_pk_fma_bf16 {d}, {0}, {1}, {2} clamp", [1, 1, 1], 1, draw,
                 lambda a, b, c: each(lambda *x: clamped("bf16", fma(*x)), a, b, c)),
            Case("v_pk_fma_bf16 halves, signs", "v_pk_fma_bf16 {d}, {0}, {1}, {2} op_sel:[1,0,0] op_sel_hi:[0,1,1] neg_lo:[1,0,1]"
                 " neg_hi:[0,1,0]", [1, 1, 1], 1, draw, lambda a, b, c: both(
                     "bf16", fma(half(a, 1) ^ 0x8000, half(b, 0), half(c, 0) ^ 0x8000),
                     fma(half(a, 0), half(b, 1) ^ 0x8000, half(c, 1))))]

    def mixed(a, b, c, to):
        return add_products(to, [[("bf16", half(a, 1)), ("f32", b)]], ("bf16", half(c, 0) ^ 0x8000))

    def drawn(rng, i):
        return special(rng, "f32") if i == 1 else pair(rng, "bf16")

    selected = "{d}, {0}, {1}, -{2} op_sel:[1,0,0] op_sel_hi:[1,0,1]"
    out.append(Case("v_fma_mix_f32_bf16", "v_fma_mix_f32_bf16 " + selected, [1, 1, 1], 1, drawn,
                    lambda a, b, c: lambda got: matches("f32", mixed(a, b, c, "f32"), got)))

    def once_more(bits, to):  # rounded to f32 first
        return None if bits is None else add_products(to, [[("f32", bits)]], (to, sign_of("f32", bits) << 15))

    for which, at in ("lo", 0), ("hi", 1):
        out.append(Case(f"v_fma_mix{which}_bf16", f"v_fma_mix{which}_bf16 " + selected, [1, 1, 1], 1, drawn,
                        lambda a, b, c, at=at: lambda got: half(got, 1 - at) == 0x5a5a and
                        matches("bf16", once_more(mixed(a, b, c, "f32"), "bf16"), half(got, at))))
    return out


def functions():
    """Of one number: half a unit in the last place away from the exact result at most, but for doubles' own error."""
    def near(name, exact):
        def check(bits):
            x = decode(name, bits)
            if isinstance(x, float) and math.isnan(x):
                return lambda got: is_nan(name, got & (1 << width(name)) - 1)
            x = float(x) if not (x == 0 and sign_of(name, bits)) else -0.0
            try:
                y = exact(x)
            except (ValueError, ZeroDivisionError, OverflowError):
                return lambda got: True
            negative = math.copysign(1, y) < 0
            want = rounded(name, y if math.isinf(y) or math.isnan(y) else Fraction(y), negative)
            return lambda got: matches(name, want, got & (1 << width(name)) - 1) or \
                (want is not None and abs((got & (1 << width(name)) - 1) - want) <= (name == "f32"))
        return check

    out = []
    others = [("rcp", lambda x: 1 / x), ("sqrt", math.sqrt), ("rsq", lambda x: 1 / math.sqrt(x)), ("exp", lambda x: 2.0 ** x),
              ("log", math.log2)]
    for name in "f32", "f16", "bf16":
        for kind, exact in [("tanh", math.tanh)] + (others if name == "bf16" else []):
            out.append(Case(f"v_{kind}_{name}", f"v_{kind}_{name} {{d}}, {{0}}", [1], 1,
                            lambda rng, _, name=name: special(rng, name), near(name, exact)))
    return out


def dots(processor):
    """Sums of products of two, four and eight elements."""
    def floats(name, to):
        def reference(a, b, c):
            products = [[(name, half(a, n)), (name, half(b, n))] for n in (0, 1)]
            want = add_products(to, products, (to, c & (1 << width(to)) - 1))
            return lambda got: matches(to, want, got & (1 << width(to)) - 1)
        return reference

    def draw(name, to):
        return lambda rng, i: pair(rng, name) if i < 2 else special(rng, to)

    def integers(bits, signed_a, signed_b, clamp):
        def element(x, n, signed):
            x = x >> bits * n & (1 << bits) - 1
            return x - (1 << bits) if signed and x >> bits - 1 else x

        def reference(a, b, c):
            total = sum(element(a, n, signed_a) * element(b, n, signed_b) for n in range(32 // bits))
            if signed_a or signed_b:
                total += c - (c >> 31 << 32)
                total = min(max(total, -1 << 31), (1 << 31) - 1) if clamp else total
            else:
                total = min(total + c, (1 << 32) - 1) if clamp else total + c
            return total & 0xffffffff
        return reference

    def bits(rng, _):
        return rng.choice([0, 0xffffffff, 0x80808080, 0x7f7f7f7f, 0x88888888, 0x77777777, 0x80000000, 0x7fffffff,
                           rng.getrandbits(32), rng.getrandbits(32), rng.getrandbits(32)])

    out = []
    if processor in ("gfx1100", "gfx1200"):
        out += [Case(f"v_dot2_{name}_{name}", f"v_mov_b32 v100, {{2}}\nv_dot2_{name}_{name} v101, {{0}}, {{1}}, v100\n"
                     "v_mov_b32 {d}, v101", [1, 1, 1], 1, draw(name, name), floats(name, name))
                for name in ("f16", "bf16")]
        for a, b in (0, 0), (1, 0), (0, 1), (1, 1):
            for size, count in (8, 4), (4, 8):
                for clamp in "", " clamp":
                    text = f"v_dot{count}_i32_iu{size} {{d}}, {{0}}, {{1}}, {{2}} neg_lo:[{a},{b},0]{clamp}"
                    out.append(Case(text, text, [1, 1, 1], 1, bits,
                                    integers_mixed(integers, size, a, b, bool(clamp))))
    if processor == "gfx1100":  # the names of old, which assemblers write without signs
        out += [Case(f"v_dot{count}_i32_i{size}{clamp}", f"v_dot{count}_i32_i{size} {{d}}, {{0}}, {{1}}, {{2}}{clamp}",
                     [1, 1, 1], 1, bits, integers_mixed(integers, size, 0, 0, bool(clamp)))
                for size, count in ((8, 4), (4, 8)) for clamp in ("", " clamp")]
    if processor in ("gfx906", "gfx950"):
        for clamp in "", " clamp":
            for size, count in (8, 4), (4, 8), (16, 2):
                out += [Case(f"v_dot{count}_i32_i{size}{clamp}", f"v_dot{count}_i32_i{size} {{d}}, {{0}}, {{1}}, {{2}}{clamp}",
                             [1, 1, 1], 1, bits, integers(size, True, True, bool(clamp))),
                        Case(f"v_dot{count}_u32_u{size}{clamp}", f"v_dot{count}_u32_u{size} {{d}}, {{0}}, {{1}}, {{2}}{clamp}",
                             [1, 1, 1], 1, bits, integers(size, False, False, bool(clamp)))]
    return out


def float_dots(processor):
    """Sums of products in f32. No manual tells where they are rounded: here they need no rounding, in whatever order they are."""
    def draw(names):
        def number(rng, i):
            if i == 2:
                return encode("f32", Fraction(rng.randrange(-4000, 4000), 16), 0) if rng.randrange(4) else 0
            name = names[i]
            return sum(encode(name, abs(x), x < 0) << n * width(name) for n, x in
                       enumerate(Fraction(rng.choice([0, 1, 2, 3, 4, 6, 8]) * rng.choice((-1, 1)), 4) for _ in range(32 // width(name))))
        return number

    def sum_of(names, a, b, c):
        total = decode("f32", c)
        for n in range(32 // width(names[0])):
            x, y = (decode(name, bits >> n * width(name) & (1 << width(name)) - 1) for name, bits in zip(names, (a, b)))
            total += x * y
        return lambda got: decode("f32", got) == total and (total != 0 or got & 0x7fffffff == 0)

    def case(row, names, text="{row} {d}, {0}, {1}, {2}"):
        return Case(row, text.replace("{row}", row), [1, 1, 1], 1, draw(names), lambda a, b, c: sum_of(names, a, b, c))

    def turned(x):
        return x >> 16 | x << 16 & 0xffff0000

    accumulated = "v_mov_b32 v100, {2}\n{row} v100, {0}, {1}\nv_mov_b32 {d}, v100"
    halves, bfloats = ("f16", "f16"), ("bf16", "bf16")
    selects = processor not in ("gfx942", "gfx950")  # halves
    modifiers = "op_sel:[1,0,0] op_sel_hi:[0,1,1] " * selects + "neg_lo:[1,0,0] neg_hi:[0,1,0]"
    out = [case("v_dot2_f32_f16", halves),
           Case("v_dot2_f32_f16 modifiers", "v_dot2_f32_f16 {d}, {0}, {1}, {2} " + modifiers, [1, 1, 1], 1, draw(halves),
                lambda a, b, c: sum_of(halves, (turned(a) if selects else a) ^ 0x8000, b ^ 0x80000000, c))]
    if processor != "gfx906" and not processor.startswith("gfx12"):
        out.append(case("v_dot2acc_f32_f16" if processor.startswith("gfx11") else "v_dot2c_f32_f16", halves, accumulated))
    if processor == "gfx950":
        out.append(case("v_dot2c_f32_bf16", bfloats, accumulated))
    if processor == "gfx950" or processor.startswith(("gfx11", "gfx12")):
        out.append(case("v_dot2_f32_bf16", bfloats))
    if processor.startswith("gfx12"):
        out += [case(f"v_dot4_f32_{a}_{b}", (a, b)) for a in ("fp8", "bf8") for b in ("fp8", "bf8")]
    return out


def integers_mixed(integers, size, a, b, clamp):
    """v_dot*_i32_iu*: the sum is signed whatever the elements are."""
    signed = integers(size, a, b, clamp)

    def reference(x, y, z):
        if a or b:
            return signed(x, y, z)
        total = integers(size, False, False, False)(x, y, 0) + z - (z >> 31 << 32)
        return (min(max(total, -1 << 31), (1 << 31) - 1) if clamp else total) & 0xffffffff
    return reference


def packed_integers():
    """v_pk_add_min_* and its kin: the sum saturates, the clamp bit cuts off what is negative (CDNA5, 15.10)."""
    def reference(signed, most, clamp):
        def one(a, b, c):
            if signed:
                a, b, c = (x - (x >> 15 << 16) for x in (a, b, c))
            low, high = (-32768, 32767) if signed else (0, 65535)
            total = min(max(a + b, low), high)
            total = max(total, c) if most else min(total, c)
            return (max(total, 0) if clamp else total) & 0xffff
        return lambda a, b, c: one(half(a, 0), half(b, 0), half(c, 0)) | one(half(a, 1), half(b, 1), half(c, 1)) << 16

    def draw(rng, _):
        return sum(rng.choice([0, 1, 0x7fff, 0x8000, 0xffff, rng.getrandbits(16)]) << at for at in (0, 16))

    return [Case(f"v_pk_add_{kind}_{type_}{clamp}", f"v_pk_add_{kind}_{type_} {{d}}, {{0}}, {{1}}, {{2}}{clamp}", [1, 1, 1], 1,
                 draw, reference(type_ == "i16", kind == "max", bool(clamp)))
            for kind in ("min", "max") for type_ in ("i16", "u16") for clamp in ("", " clamp")]


def packed_doubles():
    """gfx1251's pairs of doubles and of 64-bit integers."""
    values = [0.0, -0.0, 1.0, 1.5, -2.0, 1e308, -1e308, 5e-324, math.inf, -math.inf, math.nan, 0.1, 3.0]

    def draw(rng, _):
        numbers = [rng.choice(values + [rng.uniform(-9, 9)] * 6) for _ in (0, 1)]
        return int.from_bytes(struct.pack("<2d", *numbers), "little")

    def halves(x):
        return struct.unpack("<2d", x.to_bytes(16, "little"))

    def fma(a, b, c):
        if all(map(math.isfinite, (a, b, c))):
            exact = Fraction(a) * Fraction(b) + Fraction(c)
            if exact:
                try:
                    return float(exact)
                except OverflowError:
                    return math.inf if exact > 0 else -math.inf
            return math.copysign(0.0, a) * math.copysign(1.0, b) + (c if c == 0 else 0.0) if a == 0 or b == 0 else 0.0
        one = [x if not math.isfinite(x) else (x > 0) - (x < 0) for x in (a, b)]
        product = one[0] * one[1] if not (any(map(math.isinf, one)) and 0 in one) else math.nan
        return product + (c if not math.isfinite(c) else 0.0)

    def reference(function):
        def check(*sources):
            want = [function(*x) for x in zip(*map(halves, sources))]
            return lambda got: all(math.isnan(w) and math.isnan(g) or struct.pack("<d", w) == struct.pack("<d", g)
                                   for w, g in zip(want, halves(got)))
        return check

    def integers(function):
        return lambda *sources: sum((function(*((x >> at & (1 << 64) - 1) for x in sources)) & (1 << 64) - 1) << at
                                    for at in (0, 64))

    def bits(rng, i):
        return sum(rng.choice([0, 1, (1 << 64) - 1, 1 << 63, rng.getrandbits(64)]) << at for at in (0, 64))

    def least(a, b, sign=1):  # a number where the other is none; -0 is less than 0
        if math.isnan(a) or math.isnan(b):
            return b if math.isnan(a) else a
        return min(a, b, key=lambda x: (sign * x, sign * math.copysign(1, x)))

    def shifted(a, by, c):  # the shift's lowest three bits count
        return sum((((a >> 64 * n) << (by >> 32 * n & 7)) + (c >> 64 * n) & (1 << 64) - 1) << 64 * n for n in (0, 1))

    return [Case("v_pk_lshl_add_u64", "v_pk_lshl_add_u64 {d}, {0}, {1}, {2}", [4, 2, 4], 4, bits, shifted),
            Case("v_pk_min_num_f64", "v_pk_min_num_f64 {d}, {0}, {1}", [4, 4], 4, draw, reference(least)),
            Case("v_pk_max_num_f64", "v_pk_max_num_f64 {d}, {0}, {1}", [4, 4], 4, draw, reference(lambda a, b: least(a, b, -1))),
            Case("v_pk_add_f64", "v_pk_add_f64 {d}, {0}, {1}", [4, 4], 4, draw, reference(lambda a, b: a + b)),
            Case("v_pk_mul_f64", "v_pk_mul_f64 {d}, {0}, {1}", [4, 4], 4, draw, reference(lambda a, b: a * b)),
            Case("v_pk_fma_f64", "v_pk_fma_f64 {d}, {0}, {1}, {2}", [4, 4, 4], 4, draw, reference(fma)),
            Case("v_pk_add_nc_u64", "v_pk_add_nc_u64 {d}, {0}, {1}", [4, 4], 4, bits, integers(lambda a, b: a + b)),
            Case("v_pk_sub_nc_u64", "v_pk_sub_nc_u64 {d}, {0}, {1}", [4, 4], 4, bits, integers(lambda a, b: a - b))]


def stochastic(processor):
    """Rounding by random bits: what they add below the last place may carry (CDNA4, 7.3; CDNA5, 7.6)."""
    def cut(name, bits, fraction, source="f32"):
        x = decode(source, bits)
        if isinstance(x, float):
            return None if math.isnan(x) or name not in ("bf8", "f16", "bf16") else rounded(name, x, 0)
        exponent, mantissa, bias = FORMATS[name]
        e = max(math.frexp(float(abs(x)))[1] - 1, 1 - bias) if x else 0
        unit = Fraction(2) ** (e - mantissa)
        kept = math.floor(abs(x) / unit + fraction) * unit
        code = encode(name, kept, sign_of(source, bits))
        return None if is_nan(name, code) else code

    def draw(name):
        mantissa, bias = FORMATS[name][1:]

        def number(rng, i):
            if i == (2 if processor.startswith("gfx125") and name in ("f16", "bf16") else 1):
                return rng.choice([0, 0xffffffff, 0x80000000, 0x7fffffff, rng.getrandbits(32), rng.getrandbits(32)])
            e = rng.randrange(max(1, 127 - bias - mantissa - 2), min(254, 127 + bias + 2)) if rng.random() < 0.9 else \
                rng.choice([0, 255])
            return rng.getrandbits(1) << 31 | e << 23 | rng.choice([0, 0x7fffff, rng.getrandbits(23), 0x400000])
        return number

    def one(name, at=0, source="f32"):
        w = width(name)
        mask = (1 << w) - 1 << at
        return lambda a, r: lambda got: matches(name, cut(name, a & (1 << width(source)) - 1, Fraction(r, 1 << 32), source),
                                                (got & mask) >> at) and (got ^ 0x5a5a5a5a) & ~mask == 0

    def halves(rng, i):
        return rng.choice([0, 0xffffffff, 0x7fffffff, rng.getrandbits(32)]) if i == 1 else special(rng, "f16") | rng.getrandbits(16) << 16

    kind = "_fnuz" if processor == "gfx942" else ""
    out = [Case(f"v_cvt_sr_{name}_f32", f"v_cvt_sr_{name}_f32 {{d}}, {{0}}, {{1}}", [1, 1], 1, draw(name), one(name + kind))
           for name in ("fp8", "bf8") + (("f16", "bf16") if processor == "gfx950" else ())]
    places = {n: f" byte_sel:{n}" if processor.startswith("gfx12") else f" op_sel:[0,0,{n & 1},{n >> 1}]" for n in (1, 2, 3)}
    out += [Case(f"v_cvt_sr_{name}_f32 {n}", f"v_cvt_sr_{name}_f32 {{d}}, {{0}}, {{1}}{place}", [1, 1], 1, draw(name),
                 one(name + kind, 8 * n)) for name in ("fp8", "bf8") for n, place in places.items()]
    if processor.startswith("gfx125"):
        out += [Case(f"v_cvt_sr_{name}_f16 {n}", f"v_cvt_sr_{name}_f16 {{d}}, {{0}}, {{1}} byte_sel:{n}", [1, 1], 1, halves,
                     one(name, 8 * n, "f16")) for name in ("fp8", "bf8") for n in range(4)]
        out += [Case(f"v_cvt_sr_pk_{name}_f32", f"v_cvt_sr_pk_{name}_f32 {{d}}, {{0}}, {{1}}, {{2}}", [1, 1, 1], 1, draw(name),
                     lambda a, b, r, name=name: both(name, cut(name, a, Fraction(half(r, 0), 1 << 16)),
                                                     cut(name, b, Fraction(half(r, 1), 1 << 16))))
                for name in ("f16", "bf16")]
    return out


def prng(x):
    return (x << 1 ^ (0xc5 if x >> 31 else 0)) & 0xffffffff


def stochastic_scaled(processor):
    """v_cvt_scalef32_sr_pk*: divided by the scale's power of two, then random bits are added behind the last place that stays;
    the next numbers' are v_prng_b32 of the last ones', of gfx12.5 for two with 16 bits each (CDNA5, V_CVT_SCALEF32_SR_PK16_*)."""
    new = processor != "gfx950"

    def cut(name, source, bits, power, fraction):
        x = decode(source, bits) / power
        exponent, mantissa, bias = FORMATS[name]
        if not x:
            return encode(name, x, sign_of(source, bits))
        e = max(math.frexp(float(abs(x)))[1] - 1, 1 - bias)
        unit = Fraction(2) ** (e - mantissa)
        return encode(name, math.floor(abs(x) / unit + fraction) * unit, 0) | sign_of(source, bits) << width(name) - 1

    def reference(name, source, count):
        def result(a, seed, scale):
            power, random_bits, out = Fraction(2) ** ((scale >> 23 & 255) - 127), seed, 0
            for n in range(count):
                fraction = Fraction(half(random_bits, n % 2), 1 << 16) if new else Fraction(random_bits, 1 << 32)
                bits = a >> n * width(source) & (1 << width(source)) - 1
                out |= cut(name, source, bits, power, fraction) << n * width(name)
                if n % 2 or not new:
                    random_bits = prng(random_bits)
            return out
        return result

    def draw(name, source, count):
        w, (_, mantissa, bias) = width(source), FORMATS[source]

        def number(rng):  # of what the result's format has, and smaller
            e = rng.randrange(-6, 2) + bias
            return rng.getrandbits(1) << w - 1 | e << mantissa | rng.getrandbits(mantissa)

        def one(rng, i):
            if i == 1:
                return rng.choice([0, 0xffffffff, 0x80008000, rng.getrandbits(32), rng.getrandbits(32)])
            return 127 + rng.randrange(-1, 2) << 23 | rng.getrandbits(23) if i == 2 else \
                sum(number(rng) << n * w for n in range(count))
        return one

    shapes = [("fp8", 8), ("bf8", 8), ("fp4", 8), ("fp6", 16), ("bf6", 16)] if new else [("fp6", 32), ("bf6", 32)]
    out = []
    for name, count in shapes:
        for source in "f32", "f16", "bf16":
            row = f"v_cvt_scalef32_sr_pk{count}_{name}_{source}"
            out.append(Case(row, row + " {d}, {0}, {1}, {2}", [count * width(source) // 32, 1, 1], count * width(name) // 32,
                            draw(name, source, count), reference(name, source, count)))
    for name, count in () if new else (("fp8", 1), ("bf8", 1), ("fp4", 2)):  # a byte of the result
        for source in "f32", "f16", "bf16":
            row = f"v_cvt_scalef32_sr_{'pk_' if count == 2 else ''}{name}_{source}"
            for n in range(4):
                def placed(a, seed, scale, result=reference(name, source, count), n=n):
                    return 0x5a5a5a5a & ~(255 << 8 * n) | result(a, seed, scale) << 8 * n
                out.append(Case(f"{row} {n}", f"{row} {{d}}, {{0}}, {{1}}, {{2}} op_sel:[0,0,{n & 1},{n >> 1}]",
                                [max(1, count * width(source) // 32), 1, 1], 1, draw(name, source, count), placed))
    return out


# scale_sel as LLVM numbers its bits: the first of the 16 lanes that have scales, and the bytes that the first and the second
# half of the wave read (MLIR, amdgpu.scaled_ext_packed_matrix; CDNA5, 7.6.3, which numbers the bits the other way round).
SCALES_OF_BYTES = {0: (0, 0, 0), 2: (0, 1, 1), 4: (0, 2, 2), 6: (0, 3, 3), 8: (16, 0, 0), 10: (16, 1, 1), 12: (16, 2, 2),
                   14: (16, 3, 3), 1: (0, 0, 2)}
SCALES_OF_LESS = {0: (0, 0, 1), 2: (0, 2, 3), 4: (16, 0, 1), 6: (16, 2, 3),  # blocks of 32
                  1: (0, 0, 2), 3: (0, 1, 3), 5: (16, 0, 2), 7: (16, 1, 3)}  # blocks of 16


def scaled():
    """v_cvt_scale_pk*: multiplied by 2**(byte - 127) (CDNA5, 7.6)."""
    out = []
    for name, count in ("fp8", 8), ("bf8", 8), ("fp4", 8), ("fp6", 16), ("bf6", 16):
        choices = SCALES_OF_BYTES if width(name) == 8 else SCALES_OF_LESS
        for to, select in [(to, 0) for to in ("f32", "f16", "bf16")] + [("f32", select) for select in choices if select]:
            bits, w = width(name), width(to)

            def reference(lanes, name=name, to=to, bits=bits, w=w, count=count, choice=choices[select]):
                wanted = []
                for lane, (a, _) in enumerate(lanes):
                    scale = lanes[choice[0] + lane % 16][1] >> 8 * choice[1 + lane // 16] & 255
                    want = []
                    for n in range(count):
                        code = a >> bits * n & (1 << bits) - 1
                        x = decode(name, code)
                        want.append(None if scale == 255 or isinstance(x, float) and math.isnan(x) else
                                    rounded(to, x if isinstance(x, float) else x * Fraction(2) ** (scale - 127),
                                            sign_of(name, code)))
                    wanted.append(lambda got, want=want, to=to, w=w: all(
                        matches(to, x, got >> w * n & (1 << w) - 1) for n, x in enumerate(want)))
                return wanted

            def draw(rng, i, name=name, count=count, bits=bits):
                if i == 1:
                    return sum(rng.choice([127, 126, 130, 120, 140, 0, 255, 254, rng.randrange(100, 150)]) << 8 * n
                               for n in range(4))
                return sum((special(rng, name) if bits == 8 else rng.getrandbits(bits)) << bits * n for n in range(count))

            row, modifier = f"v_cvt_scale_pk{count}_{to}_{name}", f" scale_sel:{select}" if select else ""
            out.append(Case(row + modifier.replace(" ", "_").replace(":", "_"), f"{row} {{d}}, {{0}}, {{1}}{modifier}",
                            [count * bits // 32, 1], count * w // 32, draw, reference, lane=False))
    return out


def interleaved():
    """v_cvt_scalef32_2xpk16_*: even elements of one source, odd ones of the other."""
    out = []
    for name in "fp6", "bf6":
        def reference(a, b, scale, name=name):
            factor = Fraction(2) ** ((scale >> 23 & 255) - 127)
            want = 0
            for n in range(32):
                bits = (b if n & 1 else a) >> n // 2 * 32 & 0xffffffff
                want |= encode(name, decode("f32", bits) / factor, bits >> 31) << 6 * n
            return want

        def draw(rng, i):
            number = struct.pack("<f", rng.choice((-1, 1)) * rng.uniform(0, 8) * 2.0 ** rng.randrange(-3, 2)) if i < 2 else b""
            if i == 2:
                return 127 + rng.randrange(-2, 3) << 23 | rng.getrandbits(23)
            return int.from_bytes(number + b"".join(struct.pack("<f", rng.choice((-1, 1)) * rng.uniform(0, 9))
                                                    for _ in range(15)), "little")

        out.append(Case(f"v_cvt_scalef32_2xpk16_{name}_f32", f"v_cvt_scalef32_2xpk16_{name}_f32 {{d}}, {{0}}, {{1}}, {{2}}",
                        [16, 16, 1], 6, draw, reference))
    return out


def any_bits(rng, _):
    return rng.getrandbits(1024)


def exchanges(processor):
    """Halves swapped, and lanes' values by other lanes' numbers."""
    out = []
    if processor == "gfx1100":
        out.append(Case("v_swap_b16", "v_mov_b32 v100, {0}\nv_mov_b32 v101, {1}\nv_swap_b16 v100.l, v101.h\nv_mov_b32 {d}, v100",
                        [1, 1], 1, any_bits, lambda a, b: a & 0xffff0000 | b >> 16))
    if processor in ("gfx950", "gfx1250", "gfx1251"):
        for n in (16, 32) if processor == "gfx950" else (16,):
            def swap(lanes, n=n):
                old = [list(lane) for lane in lanes]
                for lane in range(len(lanes)):  # the odd rows of the first with the even ones of the second
                    if lane // n % 2 and lane < len(lanes):
                        old[lane][0], old[lane - n][1] = old[lane - n][1], old[lane][0]
                return [a | b << 32 for a, b in old]
            last = "v_mov_b64 {d}, v[200:201]" if n == 16 and processor != "gfx950" else \
                "v_pk_mov_b32 {d}, v[200:201], v[200:201] op_sel:[0,1]"
            out.append(Case(f"v_permlane{n}_swap_b32", f"v_mov_b32 v100, {{0}}\nv_mov_b32 v101, {{1}}\ns_nop 1\n"
                            f"v_permlane{n}_swap_b32 v100, v101\nv_mov_b32 v200, v100\nv_mov_b32 v201, v101\n" + last,
                            [1, 1], 2, any_bits, swap, lane=False))
    return out


def transposes(processor):
    """Loads whose lanes exchange elements. Lane and item of an element's source: docs/exactness.md."""
    out = []
    if processor == "gfx950":
        for size, dwords in (16, 2), (8, 2), (4, 2), (6, 3):
            items = dwords * 32 // size

            def reference(lanes, size=size, items=items):
                mask = (1 << size) - 1
                return [sum((lanes[(lane & ~15) + e * (16 // items if items < 16 else 1) + lane % 16 // items if items <= 16
                                   else 0][0] >> lane % items % items * size & mask) << e * size for e in range(items))
                        for lane in range(len(lanes))]
            name = f"ds_read_b{32 * dwords}_tr_b{size}"
            store = f"ds_write_b{32 * dwords}"
            out.append(Case(name, f"v_lshlrev_b32 v100, 4, v0\n{store} v100, {{0}}\ns_waitcnt 0\n{name} {{d}}, v100\ns_waitcnt 0",
                            [dwords], dwords, any_bits, reference, lane=False))
    else:
        new = processor.startswith("gfx125")
        kinds = [(16, 4)] + ([(8, 2), (4, 2), (6, 3)] if new else [(8, 2)])
        for size, dwords in kinds:
            items = dwords * 32 // size

            def source(lane, e, size=size):
                if size == 16 or not new:
                    return (lane & ~7) + e, lane % 8
                if size == 8:
                    return (lane & 16) + e // 4 * 8 + lane % 16 // 8 * 4 + e % 4, lane % 8
                if size == 4:
                    return e // 8 * 16 + lane // 16 * 8 + e % 8, lane % 16
                return 8 * (e // 4) + e % 4 + 4 * (lane // 16), lane % 16

            def reference(lanes, size=size, items=items, source=source):
                out = []
                for lane in range(len(lanes)):
                    bits = 0
                    for e in range(items):
                        other, item = source(lane, e)
                        bits |= (lanes[other][0] >> item * size & (1 << size) - 1) << e * size
                    out.append(bits)
                return out
            tail = f"tr{size}_b{32 * dwords}" if new else f"tr_b{32 * dwords}"
            out.append(Case(f"global_load_{tail}", f"global_load_{tail} {{d}}, v1, s[4:5]", [dwords], dwords, any_bits,
                            reference, lane=False))
            if new:
                out.append(Case(f"ds_load_{tail}", f"v_lshlrev_b32 v100, 4, v0\nds_store_b{32 * dwords} v100, {{0}}\n"
                                f"s_wait_dscnt 0x0\nds_load_{tail} {{d}}, v100\ns_wait_dscnt 0x0", [dwords], dwords, any_bits,
                                reference, lane=False))
    return out


def own_of_gfx1250():
    """Registers beyond v255, transfers beside the registers, tiles of tensors, barriers in halves and by name."""
    def tile(pads):
        words = [1, 0, "s4", "s5", 2 << 16 | pads << 20, 8 << 16, 4 << 16, 4 << 16, 4, 8, 0, 0]
        lines = [f"s_mov_b32 s{20 + n}, {word}" for n, word in enumerate(words)] + ["s_bitset1_b32 s23, 31"]
        place = "v_lshrrev_b32 v101, 1, v100\nv_add_nc_u32 v100, v100, v101" if pads else "s_nop 0"
        return "\n".join(lines) + "\ntensor_load_to_lds s[20:23], s[24:31]\ns_wait_tensorcnt 0x0\nv_and_b32 v100, 15, v0\n" + place + \
            "\nv_lshlrev_b32 v100, 2, v100\nds_load_b32 {d}, v100\ns_wait_dscnt 0x0"

    def stored_tile():
        """From LDS, where lanes' numbers stand one after the other, to rows of eight behind where lanes read their own."""
        words = [1, 0, "s6", "s7", 2 << 16, 8 << 16, 4 << 16, 4 << 16, 4, 8, 0, 0]
        lines = [f"s_mov_b32 s{20 + n}, {word}" for n, word in enumerate(words)] + ["s_bitset1_b32 s23, 31"]
        return "v_lshlrev_b32 v100, 2, v0\nds_store_b32 v100, {0}\ns_wait_dscnt 0x0\nv_mov_b32 v101, 0x5a5a5a5a\n" \
            "global_store_b32 v2, v101, s[6:7]\ns_wait_storecnt 0x0\n" + "\n".join(lines) + \
            "\ntensor_store_from_lds s[20:23], s[24:31]\ns_wait_tensorcnt 0x0\nglobal_load_b32 {d}, v2, s[6:7]\ns_wait_loadcnt 0x0"

    def out_of_tile(lanes):
        return [lanes[n // 8 * 4 + n % 8][0] if n % 8 < 4 else 0x5a5a5a5a for n in range(LANES)]

    def in_tile(lanes):  # four rows of four of a tensor whose rows have eight
        return [lanes[lane % 16 // 4 * 8 + lane % 4][0] for lane in range(LANES)]

    named = "s_mov_b32 m0, 0x20001\ns_barrier_init m0\ns_barrier_signal -1\ns_barrier_wait -1\ns_barrier_join 1\n"
    return [
        Case("s_set_vgpr_msb", "v_mov_b32 v1, 7\ns_set_vgpr_msb 0x40\nv_mov_b32 v1, v8\ns_set_vgpr_msb 0x1\n"
             "v_add_nc_u32 v100, v1, v1\ns_set_vgpr_msb 0x0\nv_mov_b32 {d}, v100", [1], 1, any_bits,
             lambda a: a + 7 & 0xffffffff),
        Case("global_load_async_to_lds_b32", "v_lshlrev_b32 v100, 2, v0\nglobal_load_async_to_lds_b32 v100, v1, s[4:5]\n"
             "s_wait_asynccnt 0x0\nds_load_b32 {d}, v100\ns_wait_dscnt 0x0", [1], 1, any_bits, lambda a: a),
        Case("global_store_async_from_lds_b64", "v_lshlrev_b32 v100, 3, v0\nds_store_b64 v100, {0}\ns_wait_dscnt 0x0\n"
             "global_store_async_from_lds_b64 v2, v100, s[6:7]\ns_wait_asynccnt 0x0\nglobal_load_b64 {d}, v2, s[6:7]\n"
             "s_wait_loadcnt 0x0", [2], 2, any_bits, lambda a: a),
        Case("tensor_load_to_lds", tile(0), [1], 1, any_bits, in_tile, lane=False),
        Case("tensor_load_to_lds padded", tile(1), [1], 1, any_bits, in_tile, lane=False),
        Case("tensor_store_from_lds", stored_tile(), [1], 1, any_bits, out_of_tile, lane=False),
        # Two waves: what one writes to LDS the other reads behind a barrier, their own or a named one.
        Case("s_barrier_signal_isfirst", "v_lshlrev_b32 v100, 2, v0\nds_store_b32 v100, {0}\ns_wait_dscnt 0x0\n"
             "s_barrier_signal_isfirst -1\ns_cselect_b32 s20, 1, 0\ns_barrier_wait -1\nv_xor_b32 v100, 0x80, v100\n"
             "ds_load_b32 v101, v100\ns_wait_dscnt 0x0\nv_mov_b32 {d}, v101", [1], 1, any_bits,
             lambda lanes: [lanes[lane ^ 32][0] for lane in range(64)], lane=False, waves=2),
        Case("named barriers", named + "v_lshlrev_b32 v100, 2, v0\nds_store_b32 v100, {0}\ns_wait_dscnt 0x0\n"
             "s_barrier_signal 1\ns_barrier_wait 1\nv_xor_b32 v100, 0x80, v100\nds_load_b32 {d}, v100\ns_wait_dscnt 0x0",
             [1], 1, any_bits, lambda lanes: [lanes[lane ^ 32][0] for lane in range(64)], lane=False, waves=2),
        Case("s_get_barrier_state", "s_get_barrier_state s20, -1\ns_barrier_signal -1\ns_barrier_wait -1\n"
             "v_mov_b32 {d}, s20", [1], 1, any_bits,
             lambda a: lambda got: got >> 4 & 127 == 2, waves=2),
    ]


def scalars():
    """s_*_f16 and v_s_*: of lanes' values one after the other."""
    def text(instruction, sources):
        lines = []
        for lane in range(LANES):
            lines += [f"v_readlane_b32 s{20 + n}, {{{n}}}, {lane}" for n in range(sources)]
            lines += [instruction, f"v_writelane_b32 {{d}}, s30, {lane}"]
        return "\n".join(lines)

    def halves(rng, _):
        return special(rng, "f16")

    def sums(kind, a, b):
        if kind == "mul":
            return add_products("f16", [[("f16", a), ("f16", b)]], ("f16", (a ^ b) & 0x8000))
        return add_products("f16", [[("f16", a)]], ("f16", b ^ (0x8000 if kind == "sub" else 0)))

    out = [Case(f"s_{kind}_f16", text(f"s_{kind}_f16 s30, s20, s21", 2), [1, 1], 1, halves,
                lambda a, b, kind=kind: lambda got: matches("f16", sums(kind, a, b), got)) for kind in ("add", "sub", "mul")]
    out.append(Case("s_fmac_f16", text("s_mov_b32 s30, s22\ns_fmac_f16 s30, s20, s21", 3), [1, 1, 1], 1, halves, lambda a, b, c:
                    lambda got: matches("f16", add_products("f16", [[("f16", a), ("f16", b)]], ("f16", c)), got)))

    def whole(kind, a):
        x = decode("f16", a)
        if isinstance(x, float):
            return rounded("f16", x, 0)
        to = {"ceil": math.ceil, "floor": math.floor, "trunc": math.trunc, "rndne": round}[kind]
        return encode("f16", Fraction(to(x)), a >> 15)

    out += [Case(f"s_{kind}_f16", text(f"s_{kind}_f16 s30, s20", 1), [1], 1, halves,
                 lambda a, kind=kind: lambda got: matches("f16", whole(kind, a), got))
            for kind in ("ceil", "floor", "trunc", "rndne")]

    def compared(kind, a, b):
        x, y = (decode("f16", bits) for bits in (a, b))
        unordered = any(isinstance(z, float) and math.isnan(z) for z in (x, y))
        plain = kind.removeprefix("n") if kind not in ("neq",) else "eq"
        if kind in "ou":
            return unordered == (kind == "u")
        truth = {"lt": x < y, "eq": x == y, "le": x <= y, "gt": x > y, "lg": x != y, "ge": x >= y}[plain]
        return (not unordered and truth) if plain == kind else unordered or not truth

    out += [Case(f"s_cmp_{kind}_f16", text(f"s_cmp_{kind}_f16 s20, s21\ns_cselect_b32 s30, 1, 0", 2), [1, 1], 1, halves,
                 lambda a, b, kind=kind: int(compared(kind, a, b)))
            for kind in ("lt", "eq", "le", "gt", "lg", "ge", "o", "u", "nge", "nlg", "ngt", "nle", "neq", "nlt")]

    def near(kind, name):
        exact = {"rcp": lambda x: 1 / x, "sqrt": math.sqrt, "rsq": lambda x: 1 / math.sqrt(x), "exp": lambda x: 2.0 ** x,
                 "log": math.log2}[kind]

        def reference(bits):
            x = decode(name, bits)
            try:
                y = exact(float(x) if x or not sign_of(name, bits) else -0.0)
            except (ValueError, ZeroDivisionError, OverflowError):
                return lambda got: True
            if math.isnan(y) or math.isinf(y):
                return lambda got: matches(name, rounded(name, y, 0), got)
            want = encode(name, Fraction(y), math.copysign(1, y) < 0)
            want &= 0x80000000 if name == "f32" and not want & 0x7f800000 else -1  # denormals are flushed
            return lambda got: abs(want - got) <= 1
        return reference

    def number(name):
        return lambda rng, _: special(rng, name) if name == "f16" else rng.getrandbits(1) << 31 | \
            rng.randrange(40, 210) << 23 | rng.getrandbits(23)

    out += [Case(f"v_s_{kind}_{name}", text(f"v_s_{kind}_{name} s30, s20", 1), [1], 1, number(name), near(kind, name))
            for kind in ("rcp", "sqrt", "rsq", "exp", "log") for name in ("f16", "f32")]
    return out


def of_gfx1250(processor):
    """What has no other test of values there."""
    return stochastic(processor) + stochastic_scaled(processor) + scaled() + transposes(processor) + exchanges(processor) + own_of_gfx1250()


PROCESSORS = {
    "gfx906": lambda: dots("gfx906") + float_dots("gfx906"), "gfx908": lambda: float_dots("gfx908"),
    "gfx90a": lambda: float_dots("gfx90a"), "gfx942": lambda: stochastic("gfx942") + float_dots("gfx942"),
    "gfx1030": lambda: float_dots("gfx1030"),
    "gfx950": lambda: dots("gfx950") + float_dots("gfx950") + stochastic("gfx950") + stochastic_scaled("gfx950") + interleaved() + exchanges("gfx950") + transposes("gfx950"),
    "gfx1100": lambda: dots("gfx1100") + float_dots("gfx1100") + exchanges("gfx1100"),
    "gfx1200": lambda: dots("gfx1200") + float_dots("gfx1200") + stochastic("gfx1200") + transposes("gfx1200") + scalars(),
    "gfx1150": lambda: dots("gfx1100") + float_dots("gfx1150") + exchanges("gfx1100"),
    "gfx1250": lambda: packed_bfloats() + functions() + packed_integers() + of_gfx1250("gfx1250"),
    "gfx1251": lambda: packed_doubles() + of_gfx1250("gfx1251"),
}


def main(about=__doc__, families=None):
    families = families or PROCESSORS
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default=",".join(families))
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=2)
    options = parser.parse_args()
    wrong = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in options.processors.split(","):
            cases = [case for case in families[name]() if options.only in case.name]
            processor, _, wave = name.partition("-")
            code = assemble(options.offgrid, processor, cases, folder, wave == "w64")
            rng = random.Random(17)
            lanes = LANES if processor.startswith(("gfx11", "gfx12")) and not wave else 64
            for number, case in enumerate(cases):
                count += 1
                said = None
                for _ in range(options.rounds):
                    said = said or run(options.offgrid, code, number, case, rng, folder, lanes * case.waves)
                if said:
                    wrong += 1
                    print(f"FAIL {name} {case.name}: {said}")
                else:
                    value_rows.compared(processor, case.text)
    print(f"{wrong} of {count} instructions are wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
