/* lane_divide.h - the steps of divisions, over one lane. */
#ifndef OG_EXEC_LANE_DIVIDE_H
#define OG_EXEC_LANE_DIVIDE_H

#include "exec/lane_arithmetic.h"

/* The choice among what S0 may become, without branches: lanes go side by side. */
#define OG_DIV_SCALE(type, up, down, small_numerator, nan_bits)                                                       \
  bool is_denominator = x == denominator, is_numerator = x == numerator;                                             \
  bool numerator_up = (quotient_denormal & is_numerator) | ((!quotient_denormal) & (small_numerator));               \
  bool scaled = (!near_max) & (!small);                                                                              \
  bool goes_up = (near_max & is_denominator) | ((!near_max) & small) | (scaled & (!inverse_denormal) & numerator_up); \
  bool goes_down = scaled & inverse_denormal & ((!quotient_denormal) | is_denominator);                              \
  *post = (!zero) & (near_max | ((!small) & quotient_denormal));                                                     \
  type result = goes_up ? up : x;                                                                                    \
  result = goes_down ? down : result;                                                                                \
  return zero ? type##_of_bits(nan_bits) : result;

/* Scales S0, which is the denominator or the numerator, so that Newton's steps meet no denormal; *post asks
 * v_div_fmas to scale back. In the third case the denominator is scaled down: the manual's sign would overflow it. */
OG_LANE f32 div_scale_f32(f32 x, f32 denominator, f32 numerator, bool *post) {
  /* |1 / denominator| and |numerator / denominator| below 2^-126, without division: doubles hold the products. */
  f64 n = __builtin_fabs((f64)numerator), d = __builtin_fabs((f64)denominator);
  bool finite = d < __builtin_inf(), inverse_denormal = (d > 0x1p126) & finite;
  bool quotient_denormal = (n < d * 0x1p-126) & (n > 0) & finite;
  bool zero = (numerator == 0.0f) | (denominator == 0.0f);
  bool near_max = exponent_f32(numerator) - exponent_f32(denominator) >= 96;
  bool small = denormal_f32(denominator);
  OG_DIV_SCALE(f32, ldexp_f32(x, 64), ldexp_f32(x, -64), exponent_f32(numerator) <= 23, 0xffc00000)
}
OG_LANE f64 div_scale_f64(f64 x, f64 denominator, f64 numerator, bool *post) {
  i64 n = exponent_f64(numerator), d = exponent_f64(denominator);
  /* |1 / denominator| < 2^-1022 exactly when it is beyond 2^1022; the quotient by its exponent and mantissas. */
  bool inverse_denormal = (__builtin_fabs(denominator) > 0x1p1022) & (d != 2047);
  f64 scaled_n = n == 0 ? numerator * 0x1p54 : numerator;
  u64 low = ~(u64)0 >> 12;
  i64 quotient_exponent = exponent_f64(scaled_n) - (n == 0 ? 54 : 0) - d -
                          ((bits_of_f64(scaled_n) & low) < (bits_of_f64(denominator) & low) ? 1 : 0);
  bool quotient_denormal = (quotient_exponent < -1022) & (n != 2047) & (d != 2047);
  bool zero = (numerator == 0.0) | (denominator == 0.0);
  bool near_max = n - d >= 768;
  bool small = denormal_f64(denominator);
  OG_DIV_SCALE(f64, x * 0x1p128, x * 0x1p-128, n <= 53, 0xfff8000000000000)
}
/* Not 0 unless x lies between 2^-300 and 2^301: quotients of such numbers need no scaling and no care. */
OG_LANE u64 unusual_f64(f64 x) {
  u64 above = (u64)exponent_f64(x) - 723;
  return (above | (600 - above)) >> 63;
}
/* a + b, made odd when inexact, so that rounding once more is right. */
OG_LANE f64 odd_sum(f64 a, f64 b) {
  f64 sum = a + b, b_part = sum - a, rest = (a - (sum - b_part)) + (b - b_part);
  u64 bits = bits_of_f64(sum);
  u64 odd = (bits & 1) == 0 ? ((rest > 0) == (sum > 0) ? bits + 1 : bits - 1) : bits;
  return rest != 0.0 && __builtin_fabs(sum) < __builtin_inf() ? f64_of_bits(odd) : sum;
}
/* One rounding although the scaled result may be a denormal. */
OG_LANE f32 div_fmas_f32(f32 a, f32 b, f32 c, bool post) {
  f64 scaled = odd_sum((f64)a * b, c) * (exponent_f32(c) > 127 ? 0x1p64 : 0x1p-64);
  return post ? (f32)scaled : __builtin_fmaf(a, b, c);
}
OG_LANE f64 div_fmas_f64(f64 a, f64 b, f64 c, bool post) {
  f64 plain = __builtin_fma(a, b, c);
  return post ? plain * (exponent_f64(c) > 1023 ? 0x1p128 : 0x1p-128) : plain;
}
/* If the quotient overflows by far, Newton's steps yield NaN instead of infinity. */
/* What overflows for certain is infinite whatever came of the steps before: v_div_scale cannot keep them all finite. */
#define OG_DIV_FIXUP(name, type, infinity_value, nan_value, underflows, overflows)                                   \
  OG_LANE type name(type quotient, type denominator, type numerator) {                                               \
    type sign = copy_sign_##type((type)1, denominator) * copy_sign_##type((type)1, numerator);                        \
    type infinity = infinity_value, d = denominator < 0 ? -denominator : denominator;                                \
    type n = numerator < 0 ? -numerator : numerator;                                                                 \
    type size = copy_sign_##type(quotient, (type)1);                                                                 \
    size = overflows ? infinity : underflows ? (type)0 : size;                                                       \
    size = d == infinity || n == 0 ? (type)0 : size;                                                                 \
    size = d == 0 || n == infinity ? infinity : size;                                                                \
    type result = copy_sign_##type(size, sign);                                                                      \
    result = (d == 0 && n == 0) || (d == infinity && n == infinity) ? nan_value : result;                            \
    result = nan_##type(denominator) ? quiet_##type(denominator) : result;                                           \
    return nan_##type(numerator) ? quiet_##type(numerator) : result;                                                 \
  }
OG_DIV_FIXUP(div_fixup_f32, f32, __builtin_inff(), f32_of_bits(0xffc00000),
             exponent_f32(numerator) - exponent_f32(denominator) < -150,
             nan_f32(quotient) && exponent_f32(numerator) - exponent_f32(denominator) >= 96)
OG_DIV_FIXUP(div_fixup_f64, f64, __builtin_inf(), f64_of_bits(0xfff8000000000000),
             exponent_f64(numerator) - exponent_f64(denominator) < -1075,
             nan_f64(quotient) && exponent_f64(numerator) - exponent_f64(denominator) >= 768)
OG_DIV_FIXUP(div_fixup_f16, f32, __builtin_inff(), f32_of_bits(0xffc00000), false, false)

#endif
