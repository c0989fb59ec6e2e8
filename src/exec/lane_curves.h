/* lane_curves.h - exponentials, logarithms and angles of one lane: in double, rounded once; those of halves in f32,
 * which for each half comes to the same (tests/unit/test_curves.c). */
#ifndef OG_EXEC_LANE_CURVES_H
#define OG_EXEC_LANE_CURVES_H

#include "exec/lane_arithmetic.h"

/* a * b + c, as the host does it fastest. What comes of it after rounding is the same for all arguments, in all
 * rounding modes: of cosines near 1 it would not be where larger terms are fused. */
#if defined __FMA__
#define OG_FUSED(a, b, c) __builtin_fma(a, b, c)
#define OG_FUSED_F32(a, b, c) __builtin_fmaf(a, b, c)
#else
#define OG_FUSED(a, b, c) ((a) * (b) + (c))
#define OG_FUSED_F32(a, b, c) OG_FUSED(a, b, c)
#endif
enum { OG_TWO_OVER_PI_WORDS = 38 }; /* 1201 bits; zeros follow */

/* Sums of powers are two, of even and of odd ones: hosts do not wait for each product then. */

/* (2^turns - 1) / t for |turns| <= 1/2, t = turns ln 2; the short sum is enough for halves. */
OG_LANE f64 exp2_slope(f64 t, bool is_short) {
  f64 u = t * t, even = 1.0 / 362880.0, odd = 1.0 / 40320.0;
  if (!is_short) {
    even = OG_FUSED(1.0 / 6227020800.0, u, 1.0 / 39916800.0);
    odd = OG_FUSED(1.0 / 479001600.0, u, 1.0 / 3628800.0);
    even = OG_FUSED(even, u, 1.0 / 362880.0);
    odd = OG_FUSED(odd, u, 1.0 / 40320.0);
  }
  even = OG_FUSED(even, u, 1.0 / 5040.0);
  odd = OG_FUSED(odd, u, 1.0 / 720.0);
  even = OG_FUSED(even, u, 1.0 / 120.0);
  odd = OG_FUSED(odd, u, 1.0 / 24.0);
  even = OG_FUSED(even, u, 1.0 / 6.0);
  odd = OG_FUSED(odd, u, 0.5);
  even = OG_FUSED(even, u, 1.0);
  return OG_FUSED(odd, t, even);
}
/* By bits: of choices within choices gcc makes branches, and then no vectors. */
OG_LANE u32 pick(bool which, u32 x, u32 y) { return (x & (0 - (u32)which)) | (y & ((u32)which - 1)); }
OG_LANE f32 pick_f32(bool which, f32 x, f32 y) { return f32_of_bits(pick(which, bits_of_f32(x), bits_of_f32(y))); }

/* Lanes of doubles are half as many as those of f32, and masks that go from the one to the other cost much: what f32
 * hold exactly is done in them, and special cases are chosen after the result is one. */

/* 2^(x - whole), near 1, with the nearest whole number. */
OG_LANE f64 exp2_near_1(f32 x, i32 *whole) {
  f32 below = __builtin_floorf(x), nearest = below + pick_f32(x - below >= 0.5f, 1.0f, 0.0f);
  f32 rest = pick_f32(nearest == 0.0f, x, x - nearest); /* exact; but modes might have no denormals */
  f64 t = (f64)rest * 0.69314718055994530942;
  *whole = (i32)nearest;
  return OG_FUSED(exp2_slope(t, false), t, 1.0);
}
OG_LANE u32 exp2_special(u32 bits, u32 large) {
  return pick((i32)(bits & 0x7fffffff) > 0x7f800000, bits | 0x400000, pick(bits >> 31, 0, large));
}
/* Beyond 200 it is infinite, below -200 0 in all rounding modes. */
OG_LANE f32 exp2_f32(f32 x) {
  i32 whole;
  bool is_usual = x >= -200.0f && x <= 200.0f;
  f64 near_1 = exp2_near_1(pick_f32(is_usual, x, 0.0f), &whole);
  u32 result = bits_of_f32((f32)(near_1 * power_of_two_f64(whole)));
  return f32_of_bits(pick(is_usual, result, exp2_special(bits_of_f32(x), 0x7f800000)));
}
/* The same without denormals: what is near 1 takes the exponent after it is rounded, for that of no float lies so near
 * below 2^-126 that it would be rounded up. */
OG_LANE f32 exp2_flushed(f32 x) {
  i32 whole;
  bool is_usual = x >= -126.0f && x < 128.0f;
  f64 near_1 = exp2_near_1(pick_f32(is_usual, x, 0.0f), &whole);
  u32 result = bits_of_f32((f32)near_1) + ((u32)whole << 23);
  f32 outside = pick_f32(is_usual, 0.0f, x) * 0x1p127f; /* which overflows as modes say */
  u32 large = pick(x > 200.0f, 0x7f800000, bits_of_f32(outside));
  return f32_of_bits(pick(is_usual, result, exp2_special(bits_of_f32(x), large)));
}
/* For a half, which rounding makes of it: large is 2^100, small is the least denormal. */
OG_LANE f32 exp2_f16(f32 x) {
  bool is_usual = x >= -126.0f && x <= 100.0f;
  f32 bounded = pick_f32(is_usual, x, 0.0f), below = __builtin_floorf(bounded);
  f32 whole = below + pick_f32(bounded - below >= 0.5f, 1.0f, 0.0f), rest = bounded - whole, p = 0x1.44138ap-13f;
  p = OG_FUSED_F32(p, rest, 0x1.5f089p-10f);
  p = OG_FUSED_F32(p, rest, 0x1.3b2a54p-7f);
  p = OG_FUSED_F32(p, rest, 0x1.c6af6cp-5f);
  p = OG_FUSED_F32(p, rest, 0x1.ebfbep-3f);
  p = OG_FUSED_F32(p, rest, 0x1.62e43p-1f);
  u32 result = bits_of_f32(OG_FUSED_F32(p, rest, 1.0f)) + ((u32)(i32)whole << 23);
  u32 large = pick(x < __builtin_inff(), 0x71800000, 0x7f800000);
  u32 special = pick(x < 0.0f && x >= -200.0f, 1, exp2_special(bits_of_f32(x), large));
  return f32_of_bits(pick(is_usual, result, special));
}

/* A positive normal number is 2^n m, m in [sqrt(1/2), sqrt 2): 2^n's logarithm, and m. */
OG_LANE i32 log2_whole(u32 bits, f32 *m) {
  const u32 root = 0x3f3504f4, rebased = bits - root;
  *m = f32_of_bits((rebased & 0x7fffff) + root);
  return (i32)rebased >> 23;
}
OG_LANE bool log2_is_usual(u32 bits) { return (i32)(bits + 0x7f800000) < -0x1000000; } /* positive, normal and finite */
/* `usual` for such numbers. That of a denormal is that of 0, that of 1 is 0 in all rounding modes. */
OG_LANE f32 log2_unless_special(f32 x, f32 usual) {
  const u32 infinity = 0x7f800000, bits = bits_of_f32(x), size = bits & 0x7fffffff;
  u32 result = pick(bits == 0x3f800000, 0, bits_of_f32(usual));
  u32 special = pick((i32)size > (i32)infinity, bits | 0x400000, pick(bits >> 31, 0xffc00000, infinity));
  special = pick((i32)size < 0x800000, 0xff800000, special);
  return f32_of_bits(pick(log2_is_usual(bits), result, special));
}
/* By the series of artanh((m-1)/(m+1)). */
OG_LANE f64 log2_core(u32 bits) {
  f32 part;
  i32 n = log2_whole(bits, &part);
  f64 m = (f64)part, s = (m - 1.0) / (m + 1.0), z = s * s, w = z * z;
  f64 even = OG_FUSED(1.0 / 21.0, w, 1.0 / 17.0), odd = OG_FUSED(1.0 / 19.0, w, 1.0 / 15.0);
  even = OG_FUSED(even, w, 1.0 / 13.0);
  odd = OG_FUSED(odd, w, 1.0 / 11.0);
  even = OG_FUSED(even, w, 1.0 / 9.0);
  odd = OG_FUSED(odd, w, 1.0 / 7.0);
  even = OG_FUSED(even, w, 1.0 / 5.0);
  odd = OG_FUSED(odd, w, 1.0 / 3.0);
  even = OG_FUSED(even, w, 1.0);
  f64 p = OG_FUSED(odd, z, even);
  return (f64)n + p * s * 2.88539008177792681472; /* 2 / ln 2 */
}
OG_LANE f32 log2_flushed(f32 x) {
  const u32 bits = bits_of_f32(x);
  return log2_unless_special(x, (f32)log2_core(pick(log2_is_usual(bits), bits, 0x3f800000)));
}
OG_LANE f32 log2_f16(f32 x) {
  const u32 bits = bits_of_f32(x);
  f32 m, n = (f32)log2_whole(pick(log2_is_usual(bits), bits, 0x3f800000), &m), t = m - 1.0f, p = 0x1.84608cp-4f;
  p = OG_FUSED_F32(p, t, -0x1.575928p-3f);
  p = OG_FUSED_F32(p, t, 0x1.60f528p-3f);
  p = OG_FUSED_F32(p, t, -0x1.6efd9p-3f);
  p = OG_FUSED_F32(p, t, 0x1.a3ec06p-3f);
  p = OG_FUSED_F32(p, t, -0x1.ec6fc6p-3f);
  p = OG_FUSED_F32(p, t, 0x1.27805cp-2f);
  p = OG_FUSED_F32(p, t, -0x1.7154b2p-2f);
  p = OG_FUSED_F32(p, t, 0x1.ec708p-2f);
  p = OG_FUSED_F32(p, t, -0x1.715476p-1f);
  p = OG_FUSED_F32(p, t, 0x1.715476p+0f);
  return log2_unless_special(x, OG_FUSED_F32(p, t, n));
}
/* For a bfloat rounded to the nearest, denormal or not. */
OG_LANE f32 log2_bf16(f32 x) {
  bool is_tiny = __builtin_fabsf(x) < 0x1p-126f;
  return log2_f16(pick_f32(is_tiny, x * 0x1p24f, x)) - pick_f32(is_tiny, 24.0f, 0.0f);
}

/* By e^2x - 1, which loses no precision near 0. */
OG_LANE f64 tanh_core(f64 x, bool is_short) {
  f64 size = __builtin_fabs(x), bounded = size > 30.0 ? 30.0 : nan_f64(x) ? 0.0 : size;
  f64 power = bounded * 2.88539008177792681472, whole = __builtin_floor(power + 0.5);
  f64 t = (power - whole) * 0.69314718055994530942, unit = power_of_two_f64((i32)whole);
  f64 grown = (unit - 1.0) + unit * (exp2_slope(t, is_short) * t), result = grown / (grown + 2.0);
  result = copy_sign_f64(size > 30.0 ? 1.0 : result, x); /* in all rounding modes */
  return nan_f64(x) ? x + x : result;
}

/* Of sin t / t what comes behind 1, by z = t^2. */
OG_LANE f64 sine_sum(f64 z) {
  f64 w = z * z, even = OG_FUSED(-1.0 / 121645100408832000.0, w, -1.0 / 1307674368000.0);
  f64 odd = OG_FUSED(1.0 / 355687428096000.0, w, 1.0 / 6227020800.0);
  even = OG_FUSED(even, w, -1.0 / 39916800.0);
  odd = OG_FUSED(odd, w, 1.0 / 362880.0);
  even = OG_FUSED(even, w, -1.0 / 5040.0);
  odd = OG_FUSED(odd, w, 1.0 / 120.0);
  even = OG_FUSED(even, w, -1.0 / 6.0);
  return OG_FUSED(odd, z, even);
}
/* For cosines near 1, of which the last place of a double counts. */
OG_LANE f64 sine_sum_near_1(f64 z) {
  f64 p = OG_FUSED(-1.0 / 121645100408832000.0, z, 1.0 / 355687428096000.0);
  p = OG_FUSED(p, z, -1.0 / 1307674368000.0);
  p = OG_FUSED(p, z, 1.0 / 6227020800.0);
  p = p * z - 1.0 / 39916800.0;
  p = p * z + 1.0 / 362880.0;
  p = p * z - 1.0 / 5040.0;
  p = p * z + 1.0 / 120.0;
  return p * z - 1.0 / 6.0;
}
/* sin(2 pi t), |t| <= 1/4. */
OG_LANE f64 sine_core(f64 turns, bool near_1) {
  f64 t = turns * 6.28318530717958647693, z = t * t;
  return t + t * z * (near_1 ? sine_sum_near_1(z) : sine_sum(z));
}
/* The same of a half's fraction, whose square is exact, for halves rounded to the nearest: by sine near 0, by cosine
 * near 1/4. */
OG_LANE f32 sine_core_f16(f32 t) {
  f32 rest = 0.25f - __builtin_fabsf(t), z = t * t, w = rest * rest;
  u32 sign = bits_of_f32(t) & 0x80000000;
  f32 p = OG_FUSED_F32(-0x1.2d9b4p+6f, z, 0x1.465ec4p+6f), q = OG_FUSED_F32(0x1.db6492p+5f, w, -0x1.55cb98p+6f);
  p = OG_FUSED_F32(p, z, -0x1.4abbbap+5f);
  p = OG_FUSED_F32(p, z, 0x1.fb52f8p-10f); /* 2 pi - 6.28125 */
  q = OG_FUSED_F32(q, w, 0x1.03c1eap+6f);
  q = OG_FUSED_F32(q, w, -0x1.3bd3ccp+4f);
  f32 low = OG_FUSED_F32(p, t, t * 6.28125f);
  f32 high = OG_FUSED_F32(f32_of_bits(bits_of_f32(q) ^ sign), w, f32_of_bits(0x3f800000 | sign));
  return pick_f32(rest > 0.125f, low, high);
}
/* x in turns; beyond 256 the hardware gives up and yields the value at 0. */
OG_LANE f32 turns_in_one(f32 x) { /* [0, 1), exact */
  f32 size = __builtin_fabsf(x), rest = pick_f32(size >= 1.0f, size - __builtin_floorf(size), size);
  return pick_f32(size <= 256.0f, rest, 0.0f);
}
OG_LANE u32 unless_special(u32 x, u32 result) {
  u32 size = x & 0x7fffffff, special = pick(size == 0x7f800000, 0xffc00000, x);
  return pick((i32)size < 0x7f800000, result, special);
}
/* Where the sine is that of x, in [0, 1/4] but for the sign, and of all zeros +0 but at 0. */
OG_LANE f32 sine_turns(f32 x) {
  f32 t = turns_in_one(x), half = pick_f32(t >= 0.5f, t - 0.5f, t);
  u32 sign = (bits_of_f32(x) ^ pick(t >= 0.5f, 0x80000000, 0)) & 0x80000000;
  return f32_of_bits(bits_of_f32(__builtin_fabsf(pick_f32(half > 0.25f, 0.5f - half, half))) | sign);
}
OG_LANE f32 sine_unless_0(f32 x, f32 turns, f32 result) {
  u32 zero = pick(x == 0.0f, bits_of_f32(turns) & 0x80000000, 0);
  return f32_of_bits(pick(turns == 0.0f, unless_special(bits_of_f32(x), zero), bits_of_f32(result)));
}
OG_LANE f32 sin_turns(f32 x) {
  f32 folded = sine_turns(x);
  f64 turns = (f64)folded; /* its sign waits here for the result's rounding */
  u64 size = bits_of_f64(sine_core(__builtin_fabs(turns), false)), sign = bits_of_f64(turns) & (u64)1 << 63;
  return sine_unless_0(x, folded, (f32)f64_of_bits(size | sign));
}
OG_LANE f32 sin_f16(f32 x) {
  f32 folded = sine_turns(x);
  return sine_unless_0(x, folded, sine_core_f16(folded));
}
/* cos is even around 0 and 1/2: [0, 1/2]. */
OG_LANE f32 cosine_turns(f32 x) {
  f32 t = turns_in_one(x);
  return pick_f32(t > 0.5f, 1.0f - t, t);
}
OG_LANE f32 cosine_unless_0(f32 x, f32 turns, f32 result) { /* +0 in all rounding modes */
  return f32_of_bits(unless_special(bits_of_f32(x), pick(turns == 0.25f, 0, bits_of_f32(result))));
}
OG_LANE f32 cos_turns(f32 x) {
  f32 turns = cosine_turns(x);
  return cosine_unless_0(x, turns, (f32)sine_core(0.25 - (f64)turns, true));
}
OG_LANE f32 cos_f16(f32 x) {
  f32 turns = cosine_turns(x);
  return cosine_unless_0(x, turns, sine_core_f16(0.25f - turns));
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

/* The first four, of which reductions ask for three, of an x that is not huge. */
OG_LANE bool unusual_preop(f64 x, u32 segment) { return (int)(exponent_f64(x) > 1077) | (int)((segment & 31) > 3); }
OG_LANE f64 usual_preop(u32 segment) {
  const u64 which = segment & 31;
  const u64 even = pick_u64(which == 0, 0x3fe45f306dc9c882, 0x394a6ee06db14acc);
  const u64 odd = pick_u64(which == 1, 0x3c94a7f09d5f47d4, 0x35f3c439041fe516);
  return f64_of_bits(pick_u64(which & 1, odd, even));
}

#endif
