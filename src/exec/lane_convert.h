/* lane_convert.h - conversions of one lane between floats and integers: saturating, NaN gives 0. */
#ifndef OG_EXEC_LANE_CONVERT_H
#define OG_EXEC_LANE_CONVERT_H

#include "exec/lane_float.h"

OG_LANE i32 i32_of_f32(f32 x) {
  f32 in_range = x >= -0x1p31f && x < 0x1p31f ? x : 0.0f;
  return x >= 0x1p31f ? INT32_MAX : x < -0x1p31f ? INT32_MIN : (i32)in_range;
}
OG_LANE u32 u32_of_f32(f32 x) {
  f32 low = x >= 0.0f && x < 0x1p31f ? x : 0.0f, high = x >= 0x1p31f && x < 0x1p32f ? x - 0x1p31f : 0.0f;
  u32 result = (u32)(i32)low + (u32)(i32)high;
  return x >= 0x1p32f ? 0xffffffff : x >= 0x1p31f ? result + 0x80000000 : result;
}
OG_LANE i32 i32_of_f64(f64 x) {
  f64 in_range = x > -0x1.00000002p31 && x < 0x1p31 ? x : 0.0;
  return x >= 0x1p31 ? INT32_MAX : x <= -0x1p31 ? INT32_MIN : (i32)in_range;
}
OG_LANE u32 u32_of_f64(f64 x) {
  f64 whole = __builtin_trunc(x);
  f64 in_range = whole >= 0.0 && whole < 0x1p32 ? whole - 0x1p31 : -0x1p31;
  u32 result = (u32)(i32)in_range + 0x80000000;
  return x >= 0x1p32 ? 0xffffffff : result;
}
OG_LANE u16 u16_of_f32(f32 x) { return (u16)(i32)(x >= 65535.0f ? 65535.0f : x > 0.0f ? x : 0.0f); }
OG_LANE i16 i16_of_f32(f32 x) {
  return (i16)(i32)(x >= 32767.0f ? 32767.0f : x <= -32768.0f ? -32768.0f : nan_f32(x) ? 0.0f : x);
}

OG_LANE f32 copy_sign_f32(f32 x, f32 sign) {
  return f32_of_bits((bits_of_f32(x) & 0x7fffffff) | (bits_of_f32(sign) & 0x80000000));
}
OG_LANE f64 copy_sign_f64(f64 x, f64 sign) {
  return f64_of_bits((bits_of_f64(x) & ~((u64)1 << 63)) | (bits_of_f64(sign) & (u64)1 << 63));
}
/* To the nearest whole number, halves to the even one, whatever the rounding mode. */
OG_LANE f32 nearest_even_f32(f32 x) {
  f32 whole = __builtin_truncf(x), rest = __builtin_fabsf(x - whole), half = whole * 0.5f;
  bool away = rest > 0.5f || (rest == 0.5f && half != __builtin_truncf(half));
  return copy_sign_f32(away ? whole + copy_sign_f32(1.0f, x) : whole, x);
}
OG_LANE f64 nearest_even_f64(f64 x) {
  f64 whole = __builtin_trunc(x), rest = __builtin_fabs(x - whole), half = whole * 0.5;
  bool away = rest > 0.5 || (rest == 0.5 && half != __builtin_trunc(half));
  return copy_sign_f64(away ? whole + copy_sign_f64(1.0, x) : whole, x);
}
OG_LANE u32 u8_of_f32(f32 x) {
  f32 whole = nearest_even_f32(x);
  return (u32)(i32)(whole >= 255.0f ? 255.0f : whole > 0.0f ? whole : 0.0f);
}
/* To 16 bits, where the host rounds to the nearest even: an addend whose last place is 1 leaves the whole number in the
 * low bits. Not fused, the product is exact in double. */
OG_LANE u16 whole_product(f32 x, f32 factor) {
#if defined __FMA__
  return (u16)bits_of_f32(__builtin_fmaf(x, factor, 0x1.8p23f));
#else
  return (u16)bits_of_f64((f64)x * (f64)factor + 0x1.8p52);
#endif
}
OG_LANE u16 snorm16(f32 x) {
  f32 below = x < 1.0f ? x : 1.0f, clamped = below > -1.0f ? below : -1.0f;
  return nan_f32(x) ? 0 : whole_product(clamped, 32767.0f);
}
OG_LANE u16 unorm16(f32 x) {
  f32 above = x > 0.0f ? x : 0.0f; /* of NaN, too */
  return whole_product(above < 1.0f ? above : 1.0f, 65535.0f);
}

#endif
