#!/usr/bin/env python3
"""Conversions from and to floats of few bits, instruction by instruction, against exact arithmetic: what the nearest number
of a format is, is searched for here among all that the format has. 77: a compiler is not installed."""
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
from small_floats import decode, encode, finite_codes, width

LANES = 64


class Case:
    """An instruction: the formats it converts between, how many numbers, whether they stand apart, and a scale."""

    def __init__(self, text, to, source, count, scaled=False, apart=False, at=0, to_at=0):
        self.text, self.to, self.source, self.count = text, to, source, count
        self.scaled, self.apart, self.at, self.to_at = scaled, apart, at, to_at


def gfx950():
    out = []
    for x in "fp8", "bf8":
        out += [Case(f"v_cvt_f32_{x}_sdwa %0, %1 src0_sel:BYTE_{n}", "f32", x, 1, at=8 * n) for n in (0, 1, 3)]
        out += [Case(f"v_cvt_pk_f32_{x} %0, %1", "f32", x, 2),
                Case(f"v_cvt_pk_f32_{x}_sdwa %0, %1 src0_sel:WORD_1", "f32", x, 2, at=16),
                Case(f"v_cvt_pk_{x}_f32 %0, %1, %2", x, "f32", 2, apart=True),
                Case(f"v_cvt_pk_{x}_f32 %0, %1, %2 op_sel:[0,0,1]", x, "f32", 2, apart=True, to_at=16)]
    out = [(case, "gfx950") for case in out]
    only = []
    for x in "fp8", "bf8":
        only += [Case(f"v_cvt_scalef32_f32_{x} %0, %1, %S op_sel:[0,1,0]", "f32", x, 1, True, at=16),
                 Case(f"v_cvt_scalef32_f16_{x} %0, %1, %S op_sel:[1,0,1]", "f16", x, 1, True, at=8, to_at=16)]
        for b in "f32", "f16", "bf16":
            only += [Case(f"v_cvt_scalef32_pk_{b}_{x} %0, %1, %S op_sel:[1,0,0]", b, x, 2, True, at=16),
                     Case(f"v_cvt_scalef32_pk_{x}_{b} %0, " + ("%1, %2" if b == "f32" else "%1") + ", %S",
                          x, b, 2, True, b == "f32")]
    for b in "f32", "f16", "bf16":
        only += [Case(f"v_cvt_scalef32_pk_{b}_fp4 %0, %1, %S op_sel:[1,1,0]", b, "fp4", 2, True, at=24),
                 Case(f"v_cvt_scalef32_pk_fp4_{b} %0, " + ("%1, %2" if b == "f32" else "%1") + ", %S op_sel:[0,0,1" +
                      (",0]" if b == "f32" else ",0]"), "fp4", b, 2, True, b == "f32", to_at=8)]
        for x in "fp6", "bf6":
            only.append(Case(f"v_cvt_scalef32_pk32_{b}_{x} %0, %1, %S", b, x, 32, True))
            if b != "f32":
                only.append(Case(f"v_cvt_scalef32_pk32_{x}_{b} %0, %1, %S", x, b, 32, True))
    return out + [(case, "gfx950") for case in only]


def gfx942():
    return [(Case(case.text, case.to + "_fnuz" * (case.to in ("fp8", "bf8")),
                  case.source + "_fnuz" * (case.source in ("fp8", "bf8")), case.count, case.scaled, case.apart, case.at,
                  case.to_at), "gfx942") for case, _ in gfx950() if not case.scaled]


def gfx12(processor):
    out = []
    for x in "fp8", "bf8":
        out += [Case(f"v_cvt_f32_{x} %0, %1 byte_sel:{n}", "f32", x, 1, at=8 * n) for n in (0, 1, 2, 3)]
        out += [Case(f"v_cvt_pk_f32_{x} %0, %1", "f32", x, 2),
                Case(f"v_cvt_pk_f32_{x} %0, %1 op_sel:[1,0]", "f32", x, 2, at=16),
                Case(f"v_cvt_pk_{x}_f32 %0, %1, %2 op_sel:[0,0,1]", x, "f32", 2, apart=True, to_at=16)]
        for b in ("f32", "f16", "bf16") if processor.startswith("gfx125") else ():
            out.append(Case(f"v_cvt_scalef32_pk8_{x}_{b} %0, %1, %S", x, b, 8, True))
        if processor.startswith("gfx125"):
            out += [Case(f"v_cvt_f16_{x} %0, %1 op_sel:[0,1] byte_sel:2", "f16", x, 1, at=16, to_at=16),
                    Case(f"v_cvt_f16_{x} %0, %1", "f16", x, 1), Case(f"v_cvt_pk_f16_{x} %0, %1 op_sel:[1,0]", "f16", x, 2, at=16),
                    Case(f"v_cvt_pk_{x}_f16 %0, %1 op_sel:[0,1]", x, "f16", 2, to_at=16)]
    if processor.startswith("gfx125"):
        out += [Case(f"v_cvt_f32_fp8 %0, %1 byte_sel:{n} clamp", "f32", "ue5m3", 1, at=8 * n) for n in (0, 3)]
    for b in ("f32", "f16", "bf16") if processor.startswith("gfx125") else ():
        out.append(Case(f"v_cvt_scalef32_pk8_fp4_{b} %0, %1, %S", "fp4", b, 8, True))
        for x in "fp6", "bf6":
            out.append(Case(f"v_cvt_scalef32_pk16_{x}_{b} %0, %1, %S", x, b, 16, True))
    return [(case, processor) for case in out]


PROCESSORS = {"gfx942": gfx942, "gfx950": gfx950, "gfx1200": lambda: gfx12("gfx1200"), "gfx1250": lambda: gfx12("gfx1250"),
              "gfx1251": lambda: gfx12("gfx1251")}

HEAD = "".join(f"typedef int int{n} __attribute__((ext_vector_type({n})));\n" for n in (6, 12, 32))
KERNEL = """
kernel void k%d(global const %s *pa, global const int *pb, global const int *ps, global %s *pd) {
  int lane = __builtin_amdgcn_workitem_id_x();
  %s A = pa[lane], D = %s;
  int B = pb[lane], S = ps[lane];
  __asm__("%s" : "+v"(D) : "v"(A), "v"(B), "v"(S));
  pd[lane] = D;
}
"""


def dwords(case, side):
    if side == "from":
        return 1 if case.apart else max(1, case.count * width(case.source) // 32)
    return max(1, case.count * width(case.to) // 32)


def stride(case, side):
    """Bytes from one lane's registers to the next one's: vectors are as large as the next power of two."""
    return 4 << (dwords(case, side) - 1).bit_length()


def vector(count):
    return "int" if count == 1 else f"int{count}"


def source(cases):
    text = HEAD
    for number, case in enumerate(cases):
        a, d = vector(dwords(case, "from")), vector(dwords(case, "to"))
        body = KERNEL.replace("%s A = pa[lane], D = %s;", "%s A = pa[lane]; %s D = %s;")
        text += body % (number, a, d, a, d, f"({d})(0x5a5a5a5a)", case.text.replace("%S", "%3"))
    return text


def some_bits(rng, name):
    if name in ("f32", "bf16", "f16"):
        x = rng.choice([rng.uniform(-8, 8), rng.gauss(0, 1) * 2.0 ** rng.randrange(-18, 12), rng.choice([0.0, -0.0, 1.5, 448, 464,
                        465, 57344, 61440, 6, 7.5, 0.25, 2 ** -10, math.inf, -math.inf, math.nan, 0.3125, 2.5, 5])])
        bits = struct.unpack("<I", struct.pack("<f", x))[0]
        return bits if name == "f32" else bits >> 16 if name == "bf16" else to_half(x)
    return rng.getrandbits(width(name))


def to_half(x):
    try:
        return struct.unpack("<H", struct.pack("<e", x))[0]
    except OverflowError:
        return 0x7c00 | (x < 0) << 15


def expected(case, bits, scale):
    """Code, or None for any NaN."""
    x = decode(case.source, bits)
    negative = 0 if case.source == "ue5m3" else bits >> width(case.source) - 1
    small_result = case.to not in ("f32", "f16", "bf16")
    if isinstance(x, float):
        if case.to in ("fp4", "fp6", "bf6"):
            return "any" if math.isnan(x) else encode(case.to, Fraction(10) ** 9, negative)
        if math.isnan(x):
            return None
        if case.to in ("fp8", "fp8_fnuz", "bf8_fnuz"):
            return None
        return negative << width(case.to) - 1 | finite_codes(case.to)
    code = encode(case.to, x / scale if small_result else x * scale, negative)
    return None if isinstance(decode(case.to, code), float) and math.isnan(decode(case.to, code)) else code


def run(offgrid, code, number, case, folder, rng):
    lanes_a, lanes_b, scales, elements = [], [], [], []
    for _ in range(LANES):
        some = [some_bits(rng, case.source) for _ in range(case.count)]
        elements.append(some)
        size = stride(case, "from")
        if case.apart:
            first, second = some
        else:
            first, second = sum(bits << case.at + n * width(case.source) for n, bits in enumerate(some)), 0
        lanes_a.append(first.to_bytes(size, "little"))
        lanes_b.append(struct.pack("<I", second))
        scales.append(rng.randrange(-6, 7))
    inputs = [b"".join(lanes_a), b"".join(lanes_b), struct.pack(f"<{LANES}I", *((s + 127 << 23 | 0x12345) for s in scales))]
    size = stride(case, "to")
    data, said = kernels.run(offgrid, code, f"k{number}", LANES, inputs, size * LANES, folder)
    if said:
        return said
    for lane in range(LANES):
        got = int.from_bytes(data[lane * size:(lane + 1) * size], "little")
        scale = Fraction(2) ** scales[lane] if case.scaled else 1
        for n, bits in enumerate(elements[lane]):
            one = got >> case.to_at + n * width(case.to) & (1 << width(case.to)) - 1
            want = expected(case, bits, scale)
            is_nan = isinstance(decode(case.to, one), float) and math.isnan(decode(case.to, one))
            if want != "any" and (not is_nan if want is None else one != want):
                return f"{bits:x} with scale {scale} is {one:x}, expected {want if want is None else hex(want)}"
        used = case.count * width(case.to)
        if used < 32 and (got ^ 0x5a5a5a5a) & ~((1 << used) - 1 << case.to_at) & 0xffffffff:
            return f"changes bits that are not its: {got:x}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--offgrid", required=True)
    parser.add_argument("--processors", default=",".join(PROCESSORS))
    options = parser.parse_args()
    if toolchain.missing("clang-22"):
        sys.exit(77)
    wrong = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for processor in options.processors.split(","):
            cases = [case for case, _ in PROCESSORS[processor]()]
            path, code = os.path.join(folder, "convert.cl"), os.path.join(folder, "convert.co")
            with open(path, "w", encoding="utf-8") as file:
                file.write(source(cases))
            done = subprocess.run(["clang-22", "--target=amdgcn-amd-amdhsa", f"-mcpu={processor}", "-x", "cl", "-cl-std=CL2.0",
                                   "-O1", "-nogpulib", "-mcode-object-version=5", path, "-o", code], capture_output=True,
                                  text=True, check=False)
            if done.returncode:
                sys.exit(f"{processor}: {done.stderr}")
            rng = random.Random(3)
            for number, case in enumerate(cases):
                count += 1
                said = run(options.offgrid, code, number, case, folder, rng)
                if said:
                    wrong += 1
                    print(f"FAIL {processor} {case.text}: {said}")
                else:
                    value_rows.compared_kernel(options.offgrid, processor, code, f"k{number}", r"v_cvt_\w+")
    print(f"{wrong} of {count} conversions are wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
