/* lane_curves.h - exponentials, logarithms and angles of one lane: in double, rounded once. Short sums of exponentials
 * and logarithms are for halves, without the terms that those never see. */
#ifndef OG_EXEC_LANE_CURVES_H
#define OG_EXEC_LANE_CURVES_H

#include "exec/lane_arithmetic.h"

/* a * b + c, as the host does it fastest. What comes of exponentials and logarithms after rounding is the same for all
 * of their arguments, in all rounding modes: sines near 1 would not be, and stay unfused. */
#if defined __FMA__
#define OG_FUSED(a, b, c) __builtin_fma(a, b, c)
#else
#define OG_FUSED(a, b, c) ((a) * (b) + (c))
#endif
enum { OG_TWO_OVER_PI_WORDS = 38 }; /* 1201 bits; zeros follow */


/* 2^x - 2^n for a whole number n near x, divided by 2^n: that sum's parts keep what counts near 0. */
OG_LANE f64 exp2_rest(f64 x, bool is_short, i32 *n) {
  f64 whole = __builtin_floor(x + 0.5), t = (x - whole) * 0.69314718055994530942;
  f64 p = 1.0 / 362880.0;
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
  *n = (i32)whole;
  return p * t;
}
/* 2^x for |x| < 1000 or so; relative error below 2^-50. */
OG_LANE f64 exp2_core(f64 x, bool is_short) {
  i32 n;
  f64 rest = exp2_rest(x, is_short, &n);
  return (rest + 1.0) * power_of_two_f64(n);
}
/* Beyond 200 it is infinite, below -200 0 in all rounding modes. */
OG_LANE f32 exp2_as(f32 x, bool is_short) {
  f32 bounded = x < -200.0f ? -200.0f : x <= 200.0f ? x : 200.0f;
  f32 result = (f32)exp2_core(bounded, is_short);
  result = x > 200.0f ? __builtin_inff() : x < -200.0f ? 0.0f : result;
  return nan_f32(x) ? x + x : result;
}
OG_LANE f32 exp2_f32(f32 x) { return exp2_as(x, false); }
/* For a half: finite where 2^x is, so that rounding tells what becomes of it. */
OG_LANE f32 exp2_f16(f32 x) { return exp2_as(x > 100.0f && x < __builtin_inff() ? 100.0f : x, true); }
/* log2 of a positive finite float: x = 2^n m, m in [sqrt(1/2), sqrt 2), by the series of artanh((m-1)/(m+1)). */
OG_LANE f64 log2_core(f64 x, bool is_short) {
  u64 bits = bits_of_f64(x);
  u64 rebased = bits - 0x3fe6a09e667f3bcd;
  i32 n = (i32)((i64)rebased >> 52);
  f64 m = f64_of_bits((rebased & 0x000fffffffffffff) + 0x3fe6a09e667f3bcd);
  f64 s = (m - 1.0) / (m + 1.0), z = s * s;
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
  f32 usable = x > 0.0f && x < __builtin_inff() ? x : 1.0f;
  f32 result = (f32)log2_core(usable, is_short);
  result = x == 1.0f ? 0.0f : result; /* in all rounding modes */
  result = x == 0.0f ? -__builtin_inff() : x < 0.0f ? f32_of_bits(0xffc00000) : result;
  return x == __builtin_inff() || nan_f32(x) ? x + x : result;
}
OG_LANE f32 log2_f32(f32 x) { return log2_as(x, false); }
OG_LANE f32 log2_f16(f32 x) { return log2_as(x, true); }
/* By e^2x - 1, which loses no precision near 0. */
OG_LANE f64 tanh_core(f64 x) {
  f64 size = __builtin_fabs(x), bounded = size > 30.0 ? 30.0 : nan_f64(x) ? 0.0 : size;
  i32 n;
  f64 rest = exp2_rest(bounded * 2.88539008177792681472, false, &n), unit = power_of_two_f64(n);
  f64 grown = (unit - 1.0) + unit * rest, result = grown / (grown + 2.0);
  result = copy_sign_f64(size > 30.0 ? 1.0 : result, x); /* in all rounding modes */
  return nan_f64(x) ? x + x : result;
}
/* sin(2 pi t), |t| <= 1/4. */
OG_LANE f64 sine_core(f64 turns) {
  f64 t = turns * 6.28318530717958647693, z = t * t;
  f64 p = -1.0 / 121645100408832000.0;
  p = p * z + 1.0 / 355687428096000.0;
  p = p * z - 1.0 / 1307674368000.0;
  p = p * z + 1.0 / 6227020800.0;
  p = p * z - 1.0 / 39916800.0;
  p = p * z + 1.0 / 362880.0;
  p = p * z - 1.0 / 5040.0;
  p = p * z + 1.0 / 120.0;
  p = p * z - 1.0 / 6.0;
  return t + t * z * p;
}
/* x in turns; beyond 256 the hardware gives up and yields the value at 0. */
OG_LANE f64 sin_turns(f32 x) {
  f64 size = __builtin_fabs((f64)x);
  f64 t = size <= 256.0 ? size - __builtin_floor(size) : 0.0; /* [0, 1), exact */
  bool second = t >= 0.5;
  f64 half = second ? t - 0.5 : t;
  f64 s = sine_core(half > 0.25 ? 0.5 - half : half);
  u64 sign = (second ? (u64)1 << 63 : 0) ^ (bits_of_f64((f64)x) & (u64)1 << 63);
  f64 result = size <= 256.0 && s != 0.0 ? f64_of_bits(bits_of_f64(s) ^ sign) : 0.0; /* of all zeros +0 but at 0 */
  result = x == 0.0f ? (f64)x : result;
  return size == __builtin_inf() ? f64_of_bits(0xfff8000000000000) : nan_f32(x) ? (f64)x : result;
}
OG_LANE f64 cos_turns(f32 x) {
  f64 size = __builtin_fabs((f64)x);
  f64 t = size <= 256.0 ? size - __builtin_floor(size) : 0.0;
  f64 folded = t > 0.5 ? 1.0 - t : t; /* cos is even around 0 and 1/2: [0, 1/2] */
  f64 result = sine_core(0.25 - folded);
  result = result == 0.0 ? 0.0 : result; /* +0 in all rounding modes */
  return size == __builtin_inf() ? f64_of_bits(0xfff8000000000000) : nan_f32(x) ? (f64)x : result;
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
