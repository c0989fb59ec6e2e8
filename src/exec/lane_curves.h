/* lane_curves.h - exponentials, logarithms and angles of one lane: in double, rounded once. Short sums of exponentials
 * and logarithms are for halves, without the terms that those never see. */
#ifndef OG_EXEC_LANE_CURVES_H
#define OG_EXEC_LANE_CURVES_H

#include "exec/lane_arithmetic.h"

/* a * b + c, as the host does it fastest. What comes of it after rounding is the same for all arguments, in all
 * rounding modes: of sines near 1 it would not be where larger terms are fused. */
#if defined __FMA__
#define OG_FUSED(a, b, c) __builtin_fma(a, b, c)
#else
#define OG_FUSED(a, b, c) ((a) * (b) + (c))
#endif
enum { OG_TWO_OVER_PI_WORDS = 38 }; /* 1201 bits; zeros follow */


/* 2^t - 1 for |t| <= 1/2: that sum's parts keep what counts near 0. */
OG_LANE f64 exp2_rest(f64 turns, bool is_short) {
  f64 t = turns * 0.69314718055994530942, p = 1.0 / 362880.0;
  if (!is_short) {
    p = OG_FUSED(1.0 / 6227020800.0, t, 1.0 / 479001600.0);
    p = OG_FUSED(p, t, 1.0 / 39916800.0);
    p = OG_FUSED(p, t, 1.0 / 3628800.0);
    p = OG_FUSED(p, t, 1.0 / 362880.0);
  }
  p = OG_FUSED(p, t, 1.0 / 40320.0);
  p = OG_FUSED(p, t, 1.0 / 5040.0);
  p = OG_FUSED(p, t, 1.0 / 720.0);
  p = OG_FUSED(p, t, 1.0 / 120.0);
  p = OG_FUSED(p, t, 1.0 / 24.0);
  p = OG_FUSED(p, t, 1.0 / 6.0);
  p = OG_FUSED(p, t, 0.5);
  p = OG_FUSED(p, t, 1.0);
  return p * t;
}
/* By bits: of choices within choices gcc makes branches, and then no vectors. */
OG_LANE u32 pick(bool which, u32 x, u32 y) { return (x & (0 - (u32)which)) | (y & ((u32)which - 1)); }
OG_LANE f32 pick_f32(bool which, f32 x, f32 y) { return f32_of_bits(pick(which, bits_of_f32(x), bits_of_f32(y))); }

/* Lanes of doubles are half as many as those of f32, and masks that go from the one to the other cost much: what f32
 * hold exactly is done in them, and special cases are chosen after the result is one. */

/* Beyond 200 it is infinite, below -200 0 in all rounding modes. */
OG_LANE f32 exp2_as(f32 x, bool is_short) {
  const u32 bits = bits_of_f32(x), size = bits & 0x7fffffff;
  bool is_usual = (i32)size <= 0x43480000;
  f32 bounded = pick_f32(is_usual, x, 0.0f), below = __builtin_floorf(bounded);
  f32 whole = below + pick_f32(bounded - below >= 0.5f, 1.0f, 0.0f);
  f32 rest = pick_f32(whole == 0.0f, bounded, bounded - whole); /* exact; but modes might have no denormals */
  f32 result = (f32)((exp2_rest((f64)rest, is_short) + 1.0) * power_of_two_f64((i32)whole));
  u32 special = pick((i32)size > 0x7f800000, bits | 0x400000, pick((i32)bits > 0, 0x7f800000, 0));
  return f32_of_bits(pick(is_usual, bits_of_f32(result), special));
}
OG_LANE f32 exp2_f32(f32 x) { return exp2_as(x, false); }
/* For a half: finite where 2^x is, so that rounding tells what becomes of it. */
OG_LANE f32 exp2_f16(f32 x) { return exp2_as(x > 100.0f && x < __builtin_inff() ? 100.0f : x, true); }
/* log2 of a positive finite float: x = 2^n m, m in [sqrt(1/2), sqrt 2), by the series of artanh((m-1)/(m+1)). */
OG_LANE f64 log2_core(f32 x, bool is_short) {
  const u32 root = 0x3f3504f4;
  bool is_tiny = (i32)bits_of_f32(x) < 0x800000;
  u32 rebased = bits_of_f32(pick_f32(is_tiny, x * 0x1p24f, x)) - root;
  i32 n = ((i32)rebased >> 23) - (i32)pick(is_tiny, 24, 0);
  f64 m = (f64)f32_of_bits((rebased & 0x7fffff) + root), s = (m - 1.0) / (m + 1.0), z = s * s;
  f64 p = 1.0 / 13.0;
  if (!is_short) {
    p = OG_FUSED(1.0 / 21.0, z, 1.0 / 19.0);
    p = OG_FUSED(p, z, 1.0 / 17.0);
    p = OG_FUSED(p, z, 1.0 / 15.0);
    p = OG_FUSED(p, z, 1.0 / 13.0);
  }
  p = OG_FUSED(p, z, 1.0 / 11.0);
  p = OG_FUSED(p, z, 1.0 / 9.0);
  p = OG_FUSED(p, z, 1.0 / 7.0);
  p = OG_FUSED(p, z, 1.0 / 5.0);
  p = OG_FUSED(p, z, 1.0 / 3.0);
  p = OG_FUSED(p, z, 1.0);
  return (f64)n + p * s * 2.88539008177792681472; /* 2 / ln 2 */
}
OG_LANE f32 log2_as(f32 x, bool is_short) {
  const u32 infinity = 0x7f800000, bits = bits_of_f32(x), size = bits & 0x7fffffff;
  bool is_usable = (i32)(bits + 0x800000) > 0x800000; /* positive: infinity and NaN become negative, or less */
  u32 result = bits_of_f32((f32)log2_core(pick_f32(is_usable, x, 1.0f), is_short));
  result = pick(bits == 0x3f800000, 0, result); /* in all rounding modes */
  u32 special = pick((i32)size > (i32)infinity, bits | 0x400000, pick(bits >> 31, 0xffc00000, infinity));
  return f32_of_bits(pick(x == 0.0f, 0xff800000, pick(is_usable, result, special)));
}
OG_LANE f32 log2_f32(f32 x) { return log2_as(x, false); }
OG_LANE f32 log2_f16(f32 x) { return log2_as(x, true); }
/* By e^2x - 1, which loses no precision near 0. */
OG_LANE f64 tanh_core(f64 x) {
  f64 size = __builtin_fabs(x), bounded = size > 30.0 ? 30.0 : nan_f64(x) ? 0.0 : size;
  f64 power = bounded * 2.88539008177792681472, whole = __builtin_floor(power + 0.5);
  f64 rest = exp2_rest(power - whole, false), unit = power_of_two_f64((i32)whole);
  f64 grown = (unit - 1.0) + unit * rest, result = grown / (grown + 2.0);
  result = copy_sign_f64(size > 30.0 ? 1.0 : result, x); /* in all rounding modes */
  return nan_f64(x) ? x + x : result;
}
/* sin(2 pi t), |t| <= 1/4. */
OG_LANE f64 sine_core(f64 turns) {
  f64 t = turns * 6.28318530717958647693, z = t * t;
  f64 p = -1.0 / 121645100408832000.0;
  p = OG_FUSED(p, z, 1.0 / 355687428096000.0);
  p = OG_FUSED(p, z, -1.0 / 1307674368000.0);
  p = OG_FUSED(p, z, 1.0 / 6227020800.0);
  p = p * z - 1.0 / 39916800.0;
  p = p * z + 1.0 / 362880.0;
  p = p * z - 1.0 / 5040.0;
  p = p * z + 1.0 / 120.0;
  p = p * z - 1.0 / 6.0;
  return t + t * z * p;
}
/* x in turns; beyond 256 the hardware gives up and yields the value at 0. */
OG_LANE f32 turns_in_one(f32 x) { /* [0, 1), exact */
  f32 size = __builtin_fabsf(x), rest = pick_f32(size >= 1.0f, size - __builtin_floorf(size), size);
  return pick_f32(size <= 256.0f, rest, 0.0f);
}
OG_LANE f32 unless_special(f32 x, f32 result) {
  u32 bits = bits_of_f32(x), size = bits & 0x7fffffff, special = pick(size == 0x7f800000, 0xffc00000, bits);
  return f32_of_bits(pick((i32)size < 0x7f800000, bits_of_f32(result), special));
}
OG_LANE f32 sin_turns(f32 x) {
  f32 t = turns_in_one(x), half = pick_f32(t >= 0.5f, t - 0.5f, t);
  f32 folded = pick_f32(half > 0.25f, 0.5f - half, half);
  u32 sign = (bits_of_f32(x) ^ pick(t >= 0.5f, 0x80000000, 0)) & 0x80000000;
  f64 turns = (f64)f32_of_bits(bits_of_f32(folded) | sign); /* its sign waits here for the result's rounding */
  f32 result = (f32)copy_sign_f64(sine_core(__builtin_fabs(turns)), turns);
  u32 zero = pick(x == 0.0f, sign, 0); /* of all zeros +0 but at 0 */
  return unless_special(x, f32_of_bits(pick(folded == 0.0f, zero, bits_of_f32(result))));
}
OG_LANE f32 cos_turns(f32 x) {
  f32 t = turns_in_one(x), folded = pick_f32(t > 0.5f, 1.0f - t, t); /* cos is even around 0 and 1/2: [0, 1/2] */
  f32 result = (f32)sine_core(0.25 - (f64)folded);
  return unless_special(x, pick_f32(folded == 0.25f, 0.0f, result)); /* +0 in all rounding modes */
}

/* Segment `segment` of 2/pi for x: 53 bits of its fraction, at their place (scaled up for huge x). */
extern const u32 og_two_over_pi[]; /* most significant first */
OG_LANE f64 trig_preop(f64 x, u32 segment) {
  u32 shift = (segment & 31) * 53, exponent = (u32)exponent_f64(x);
  shift += exponent > 1077 ? exponent - 1077 : 0;
  u32 word = min_u32(shift / 32, OG_TWO_OVER_PI_WORDS);
  u64 high = (u64)og_two_over_pi[word] << 32 | og_two_over_pi[word + 1];
  u64 bits = (high << (shift % 32) | (u64)og_two_over_pi[word + 2] >> 1 >> (31 - shift % 32)) >> 11;
  /* Both halves become the mantissas of 2^52 and a number behind it: few hosts convert 64 bits. A 0 that
   * comes of a difference may be negative. */
  const u64 unit = (u64)0x433 << 52;
  f64 upper = f64_of_bits(unit | bits >> 32) - 0x1p52, lower = f64_of_bits(unit | (bits & 0xffffffff)) - 0x1p52;
  return ldexp_f64(__builtin_fabs(upper * 0x1p32 + lower), -53 - (i32)shift + (exponent >= 1968 ? 128 : 0));
}

#endif
