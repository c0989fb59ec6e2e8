/* lane_arithmetic.h - float arithmetic of one lane that no operator does: fractions, legacy products, exponents. */
#ifndef OG_EXEC_LANE_ARITHMETIC_H
#define OG_EXEC_LANE_ARITHMETIC_H

#include "exec/lane_convert.h"

OG_LANE f32 fract_f32(f32 x) {
  f32 rest = x - __builtin_floorf(x);
  return rest >= 1.0f ? 0x1.fffffep-1f : rest;
}
OG_LANE f64 fract_f64(f64 x) {
  f64 rest = x - __builtin_floor(x);
  return rest >= 1.0 ? 0x1.fffffffffffffp-1 : rest;
}
OG_LANE f32 fract_f16(f32 x) {
  f32 rest = x - __builtin_floorf(x);
  return rest > 0x1.ffcp-1f ? 0x1.ffcp-1f : rest;
}
/* 0 times anything is 0. */
OG_LANE f32 mul_legacy_f32(f32 a, f32 b) { return a == 0.0f || b == 0.0f ? 0.0f : a * b; }
/* gfx6: infinity is the largest number ("Southern Islands" ISA, V_*_CLAMP_*); of a legacy reciprocal it is 0. */
OG_LANE f32 finite_f32(f32 x) {
  return __builtin_fabsf(x) > 0x1.fffffep127f ? copy_sign_f32(0x1.fffffep127f, x) : x;
}
OG_LANE f64 finite_f64(f64 x) {
  const f64 most = 0x1.fffffffffffffp1023;
  return x > most ? most : x < -most ? -most : x;
}
OG_LANE f32 legacy_rcp_f32(f32 x) { return __builtin_fabsf(x) > 0x1.fffffep127f ? copy_sign_f32(0.0f, x) : x; }
/* The largest negative number where the exponent of a lighting formula makes no sense. */
OG_LANE f32 mullit_f32(f32 a, f32 b, f32 c) {
  return b > -0x1.fffffep127f && c > 0 ? mul_legacy_f32(a, b) : -0x1.fffffep127f;
}
/* Not fused, denormals flushed everywhere. */
OG_LANE f32 mad_f32(f32 a, f32 b, f32 c) { return flush_f32(flush_f32(flush_f32(a) * flush_f32(b)) + flush_f32(c)); }

OG_LANE f32 power_of_two_f32(i32 n) { return f32_of_bits((u32)(n + 127) << 23); } /* -126..127 */
OG_LANE f64 power_of_two_f64(i32 n) { return f64_of_bits((u64)(n + 1023) << 52); } /* -1022..1023 */
/* One rounding: exact in double, whose range holds all results that are not 0 or infinite whatever n is. */
OG_LANE f32 ldexp_f32(f32 x, i32 n) {
  i32 bounded = clamp_i32(n, -400, 400);
  return (f32)((f64)x * power_of_two_f64(bounded));
}
OG_LANE f32 ldexp_f16(f32 x, i16 n) { return x * power_of_two_f32(clamp_i32(n, -60, 60)); }
/* Up in steps, which are exact until they overflow; down in one rounding step after exact ones. All of it in 64 bits:
 * what changes width between lanes costs more. */
OG_LANE i64 clamp_i64(i64 x, i64 low, i64 high) { return x < low ? low : x > high ? high : x; }
/* By bits: of choices within choices gcc makes branches, and then no vectors. */
OG_LANE u64 pick_u64(bool which, u64 x, u64 y) { return (x & (0 - (u64)which)) | (y & ((u64)which - 1)); }
OG_LANE f64 ldexp_f64(f64 x, i32 n) {
  u64 bits = bits_of_f64(x);
  bool is_tiny = (bits & (u64)0x7ff << 52) == 0;
  u64 normal = pick_u64(is_tiny, bits_of_f64(x * 0x1p54), bits), mantissa = normal & 0x800fffffffffffff;
  i64 exponent = (i64)(normal >> 52 & 2047), up = is_tiny ? 54 : 0, wanted = exponent + clamp_i32(n, -2200, 2200) - up;
  f64 in_range = f64_of_bits(mantissa | (u64)clamp_i64(wanted, 1, 2046) << 52);
  f64 tiny = f64_of_bits(mantissa | (u64)clamp_i64(wanted + 64, 1, 2046) << 52) * 0x1p-64;
  f64 huge = copy_sign_f64(0x1p1023, x) * 2.0, same = x + x; /* 0, infinity, NaN */
  u64 result = pick_u64(wanted >= 1, bits_of_f64(in_range), bits_of_f64(tiny));
  result = pick_u64(wanted >= 2047, bits_of_f64(huge), result);
  bool stays = (int)(exponent == 2047) | (int)(x == 0.0);
  return f64_of_bits(pick_u64(stays, bits_of_f64(same), result));
}
/* x = mantissa * 2^exponent with a mantissa in [1/2, 1); 0 for the exponent of 0, infinity and NaN. */
OG_LANE i32 frexp_exp_f64(f64 x) {
  i32 e = (i32)(bits_of_f64(x) >> 52 & 2047), up = (i32)(bits_of_f64(x * 0x1p54) >> 52 & 2047);
  return x == 0.0 || e == 2047 ? 0 : e == 0 ? up - 1022 - 54 : e - 1022;
}
OG_LANE f64 frexp_mant_f64(f64 x) {
  i32 e = (i32)(bits_of_f64(x) >> 52 & 2047);
  f64 normal = e == 0 ? x * 0x1p54 : x;
  f64 mantissa = f64_of_bits((bits_of_f64(normal) & 0x800fffffffffffff) | 0x3fe0000000000000);
  return x == 0.0 || e == 2047 ? x + x : mantissa;
}
OG_LANE i32 frexp_exp_f32(f32 x) { return frexp_exp_f64((f64)x); }
OG_LANE f32 frexp_mant_f32(f32 x) { return (f32)frexp_mant_f64((f64)x); }

#endif
