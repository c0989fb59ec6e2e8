"""Floats of any few bits as exact numbers: what the nearest number of a format is, is searched for among all that the format
has."""
import bisect
import math
from fractions import Fraction

# Bits of exponent and mantissa, bias, and whether infinities are there.
FORMATS = {"fp8": (4, 3, 7), "bf8": (5, 2, 15), "fp8_fnuz": (4, 3, 8), "bf8_fnuz": (5, 2, 16), "fp6": (2, 3, 1),
           "ue5m3": (5, 3, 15), "bf6": (3, 2, 3), "fp4": (2, 1, 1), "f16": (5, 10, 15), "bf16": (8, 7, 127), "f32": (8, 23, 127)}


def width(name):
    return (name != "ue5m3") + sum(FORMATS[name][:2])


def finite_codes(name):
    """How many codes without a sign are finite numbers."""
    exponent, mantissa, _ = FORMATS[name]
    count = 1 << exponent + mantissa
    if name in ("bf8", "f16", "bf16", "f32"):
        return count - (1 << mantissa)
    return count - (name in ("fp8", "ue5m3"))


def magnitude(name, code):
    exponent, mantissa, bias = FORMATS[name]
    e, m = code >> mantissa, code & (1 << mantissa) - 1
    return Fraction(m + (1 << mantissa if e else 0), 1 << mantissa) * Fraction(2) ** (max(e, 1) - bias)


TABLES = {name: [magnitude(name, code) for code in range(finite_codes(name))]
          for name in FORMATS if name not in ("f32", "bf16")}


def decode(name, bits):
    """A Fraction, or an infinity or NaN as a float."""
    if name == "ue5m3":
        return magnitude(name, bits) if bits < finite_codes(name) else math.nan
    top = 1 << width(name) - 1
    sign, code = (-1 if bits & top else 1), bits & top - 1
    if name.endswith("fnuz") and bits == top:
        return math.nan
    if code >= finite_codes(name):
        return sign * math.inf if name in ("bf8", "f16", "bf16", "f32") and not code & (1 << FORMATS[name][1]) - 1 else math.nan
    return sign * magnitude(name, code)


def encode(name, x, negative):
    """The nearest code, ties to the even one; what is too large becomes what the format has for that."""
    sign = negative << width(name) - 1
    size = abs(x)
    if name in ("f32", "bf16"):
        exponent, mantissa, bias = FORMATS[name]
        if size == 0:
            return sign
        e = max(size.numerator.bit_length() - size.denominator.bit_length(), 1 - bias)
        while Fraction(2) ** e > size and e > 1 - bias:
            e -= 1
        while Fraction(2) ** (e + 1) <= size:
            e += 1
        units = round(size / Fraction(2) ** (e - mantissa))
        return sign | min(units + (e + bias - 1 << mantissa) if e > 1 - bias or units >> mantissa else units,
                          (1 << exponent) - 1 << mantissa)
    table = TABLES[name]
    after = bisect.bisect_left(table, size)
    if after == len(table):
        step = table[-1] - table[-2]
        if name in ("fp4", "fp6", "bf6"):
            return sign | len(table) - 1
        over = size - table[-1] > step / 2 or (size - table[-1] == step / 2 and (len(table) - 1) & 1)
        nan = 1 << width(name) - 1 if name.endswith("fnuz") else sign | (1 << width(name) - 1) - 1
        beyond = nan if name not in ("bf8", "f16") else sign | len(table)
        return beyond if over else sign | len(table) - 1
    if after and size != table[after]:
        below, above = size - table[after - 1], table[after] - size
        if below < above or (below == above and not after - 1 & 1):
            after -= 1
    return 0 if name.endswith("fnuz") and after == 0 else sign | after
