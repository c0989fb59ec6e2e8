/* floats.c - small float formats <-> f32, by integer arithmetic on their bits. */
#include "base/floats.h"

#include <string.h>

float og_half_to_float(uint16_t half) {
  uint32_t sign = (uint32_t)(half & 0x8000) << 16, exponent = half >> 10 & 31, mantissa = half & 0x3ff;
  if (exponent == 31)
    return og_float_of_bits(sign | 0x7f800000 | mantissa << 13 | (mantissa ? 0x400000 : 0));
  if (exponent)
    return og_float_of_bits(sign | (exponent + 112) << 23 | mantissa << 13);
  if (!mantissa)
    return og_float_of_bits(sign);
  int shift = __builtin_clz(mantissa) - 21; /* brings the leading one to bit 10 */
  return og_float_of_bits(sign | (uint32_t)(113 - shift) << 23 | (mantissa << shift & 0x3ff) << 13);
}

/* Whether dropping `rest` (with a `half` of one place) from a value whose last kept bit is `odd` rounds up in size. */
static bool rounds_away(enum og_rounding rounding, bool negative, bool odd, uint64_t rest, uint64_t half) {
  switch (rounding) {
  case OG_ROUND_NEAREST: return rest > half || (rest == half && odd);
  case OG_ROUND_UP: return rest && !negative;
  case OG_ROUND_DOWN: return rest && negative;
  default: return false;
  }
}

/* A finite value mantissa * 2^(exponent - 52), mantissa with its leading one at bit 52, to the bits of a half. */
static uint16_t pack_half(bool negative, int exponent, uint64_t mantissa, enum og_rounding rounding) {
  int drop = exponent < -14 ? 42 + (-14 - exponent) : 42;
  uint64_t kept = drop < 64 ? mantissa >> drop : 0;
  uint64_t rest = drop < 64 ? mantissa & (((uint64_t)1 << drop) - 1) : mantissa;
  uint64_t half = drop < 64 ? (uint64_t)1 << (drop - 1) : UINT64_MAX;
  if (rounds_away(rounding, negative, kept & 1, rest, half))
    kept++;
  /* A normal half's leading one adds 1 to the exponent field; a carry moves on by itself. */
  uint64_t size = exponent < -14 ? kept : ((uint64_t)(exponent + 14) << 10) + kept;
  if (size >= 0x7c00) {
    bool to_infinity = rounding == OG_ROUND_NEAREST || rounding == (negative ? OG_ROUND_DOWN : OG_ROUND_UP);
    size = to_infinity ? 0x7c00 : 0x7bff;
  }
  return (uint16_t)((negative ? 0x8000 : 0) | size);
}

uint16_t og_float_to_half(float value, enum og_rounding rounding) {
  uint32_t bits = og_bits_of_float(value), exponent = bits >> 23 & 255, mantissa = bits & 0x7fffff;
  bool negative = bits >> 31;
  uint16_t sign = negative ? 0x8000 : 0;
  if (exponent == 255)
    return (uint16_t)(sign | 0x7c00 | (mantissa ? 0x200 | mantissa >> 13 : 0));
  if (exponent == 0 && mantissa == 0)
    return sign;
  if (exponent == 0) /* below half of the smallest half whatever its bits are */
    return pack_half(negative, -127, (uint64_t)1 << 52, rounding);
  return pack_half(negative, (int)exponent - 127, (uint64_t)(mantissa | 0x800000) << 29, rounding);
}

uint16_t og_double_to_half(double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  uint64_t mantissa = bits & (((uint64_t)1 << 52) - 1);
  int exponent = (int)(bits >> 52 & 2047);
  bool negative = bits >> 63;
  uint16_t sign = negative ? 0x8000 : 0;
  if (exponent == 2047)
    return (uint16_t)(sign | 0x7c00 | (mantissa ? 0x200 | mantissa >> 42 : 0));
  if (exponent == 0)
    return sign;
  return pack_half(negative, exponent - 1023, mantissa | (uint64_t)1 << 52, OG_ROUND_NEAREST);
}

float og_bfloat_to_float(uint16_t bfloat) {
  return og_float_of_bits((uint32_t)bfloat << 16);
}

uint16_t og_float_to_bfloat(float value) {
  uint32_t bits = og_bits_of_float(value);
  if ((bits & 0x7fffffff) > 0x7f800000)
    return (uint16_t)(bits >> 16 | 0x40);
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

const struct og_small_float og_fp8_e4m3 = {4, 3, 7, false, 0x7f};
const struct og_small_float og_bf8_e5m2 = {5, 2, 15, true, 0};
const struct og_small_float og_fp8_e4m3_fnuz = {4, 3, 8, false, 0x80};
const struct og_small_float og_bf8_e5m2_fnuz = {5, 2, 16, false, 0x80};
const struct og_small_float og_fp6_e2m3 = {2, 3, 1, false, 0};
const struct og_small_float og_bf6_e3m2 = {3, 2, 3, false, 0};
const struct og_small_float og_fp4_e2m1 = {2, 1, 1, false, 0};

static bool is_nan(const struct og_small_float *f, uint32_t size, uint8_t bits) {
  if (f->infinities)
    return size > (uint32_t)((1 << f->exponent_bits) - 1) << f->mantissa_bits;
  return f->nan == 0x80 ? bits == 0x80 : f->nan && size == f->nan;
}

float og_small_to_float(const struct og_small_float *f, uint8_t bits) {
  uint32_t size = bits & ((1u << (f->exponent_bits + f->mantissa_bits)) - 1);
  uint32_t sign = (uint32_t)(bits >> (f->exponent_bits + f->mantissa_bits) & 1) << 31;
  uint32_t exponent = size >> f->mantissa_bits, mantissa = size & ((1u << f->mantissa_bits) - 1);
  if (is_nan(f, size, bits))
    return og_float_of_bits(f->nan == 0x80 ? 0x7fc00000 : sign | 0x7fc00000);
  if (f->infinities && exponent == (1u << f->exponent_bits) - 1)
    return og_float_of_bits(sign | 0x7f800000);
  int scale = (exponent ? (int)exponent : 1) - f->bias - f->mantissa_bits;
  float unit = og_float_of_bits((uint32_t)(scale + 127) << 23);
  float value = (float)(mantissa | (exponent ? 1u << f->mantissa_bits : 0)) * unit;
  return og_float_of_bits(og_bits_of_float(value) | sign);
}

uint8_t og_float_to_small(const struct og_small_float *f, float value, bool saturate) {
  uint32_t bits = og_bits_of_float(value), size = bits & 0x7fffffff;
  unsigned width = f->exponent_bits + f->mantissa_bits;
  uint8_t sign = (uint8_t)(bits >> 31 << width);
  uint32_t all_ones = (1u << f->exponent_bits) - 1;
  uint32_t infinity = all_ones << f->mantissa_bits;
  uint32_t largest = f->infinities ? infinity - 1 : (1u << width) - 1 - (f->nan && f->nan != 0x80);
  uint8_t nan = f->infinities ? (uint8_t)(sign | infinity | 1u << (f->mantissa_bits - 1))
                : f->nan == 0x80 ? 0x80 : f->nan ? (uint8_t)(sign | f->nan) : (uint8_t)(sign | largest);
  if (size > 0x7f800000)
    return nan;
  int exponent = (int)(size >> 23) - 127;
  uint32_t mantissa = (size & 0x7fffff) | (size >> 23 ? 0x800000 : 0);
  int least = 1 - f->bias; /* exponent of the smallest normal value */
  int drop = 23 - f->mantissa_bits + (exponent < least ? least - exponent : 0);
  uint32_t kept = drop < 32 ? mantissa >> drop : 0;
  uint64_t rest = drop < 32 ? mantissa & (((uint64_t)1 << drop) - 1) : mantissa;
  if (rounds_away(OG_ROUND_NEAREST, false, kept & 1, rest, drop < 32 ? (uint64_t)1 << (drop - 1) : UINT64_MAX))
    kept++;
  int64_t result = exponent < least ? kept : ((int64_t)(exponent - least) << f->mantissa_bits) + kept;
  if (result > largest || size == 0x7f800000)
    result = saturate && size != 0x7f800000 ? (int64_t)largest : f->infinities ? (int64_t)infinity : -1;
  if (result < 0)
    return saturate && !f->nan ? (uint8_t)(sign | largest) : nan;
  if (f->nan == 0x80 && result == 0)
    return 0; /* there is no -0 */
  return (uint8_t)(sign | (uint32_t)result);
}
