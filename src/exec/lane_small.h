/* lane_small.h - halves, bfloats and floats of 8 bits, for isa/semantics.sem and what converts them: over one lane,
 * without branches on data, so that the loops around them become vector code. */
#ifndef OG_EXEC_LANE_SMALL_H
#define OG_EXEC_LANE_SMALL_H

#include "base/floats.h"
#include "exec/lane_divide.h"

/* ---- their bits -------------------------------------------------------------------------------------------------- */

/* og_half_to_float(), whatever the host does with denormals: those of halves come from a difference of normal
 * numbers. */
OG_LANE f32 half_value(u32 bits) {
  u32 size = bits & 0x7fff, special = size > 0x7c00 ? 0x7fc00000 : 0x7f800000;
  u32 tiny = bits_of_f32(f32_of_bits(0x38800000 | size << 13) - 0x1p-14f) & 0x7fffffff;
  u32 value = size < 0x400 ? tiny : (size << 13) + 0x38000000;
  value = size >= 0x7c00 ? special | size << 13 : value;
  return f32_of_bits(value | (bits & 0x8000) << 16);
}
/* og_float_to_half(): what is cut off carries into what is kept as `rounding`, an enum og_rounding, says. */
OG_LANE u32 half_of_f32(f32 x, u32 rounding) {
  const u32 to_nearest = rounding == OG_ROUND_NEAREST ? ~(u32)0 : 0;
  const u32 up = rounding == OG_ROUND_UP ? ~(u32)0 : 0, down = rounding == OG_ROUND_DOWN ? ~(u32)0 : 0;
  u32 bits = bits_of_f32(x), sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff, exponent = size >> 23;
  u32 from_zero = sign ? down : up, cut = min_u32(13 + 113 - min_u32(exponent, 113), 31);
  u32 mantissa = (size & 0x7fffff) | (exponent ? 0x800000 : 0);
  u32 half_less = ((u32)1 << (cut - 1)) - 1 + (mantissa >> cut & 1), all_less = ((u32)1 << cut) - 1;
  u32 carry = (half_less & to_nearest) | (all_less & from_zero);
  u32 result = ((max_u32(exponent, 113) - 113) << 10) + ((mantissa + carry) >> cut);
  result = min_u32(result, 0x7bff + ((to_nearest | from_zero) & 1));
  u32 special = 0x7c00 | (size > 0x7f800000 ? 0x200 | (size >> 13 & 0x3ff) : 0);
  return sign | (size >= 0x7f800000 ? special : result);
}
/* The bits of the half next to x towards zero; what overflows becomes the largest finite one. */
OG_LANE u32 half_toward_zero(f32 x) { return half_of_f32(x, OG_ROUND_ZERO); }
OG_LANE u32 bf16_of_f32(f32 x) { /* og_float_to_bfloat() */
  u32 bits = bits_of_f32(x), rounded = bits + 0x7fff + (bits >> 16 & 1);
  return ((bits & 0x7fffffff) > 0x7f800000 ? bits | 0x400000 : rounded) >> 16;
}
OG_LANE f32 bf16_value(u16 bits) { return f32_of_bits((u32)bits << 16); }
OG_LANE f64 bf16_number(u16 bits) { return (f64)bf16_value(bits); }

/* ---- rounding in steps ------------------------------------------------------------------------------------------- */

/* x to f32, inexact results made odd, so that rounding once more to half or bfloat is right: on the bits, whatever the
 * modes are. What is finite stays so. */
OG_LANE f32 round_to_odd(f64 x) {
  const u64 infinity = (u64)0x7ff << 52, least = (u64)897 << 52, most = (u64)0x7f7fffff;
  u64 size = bits_of_f64(x) & ~((u64)1 << 63), sign = bits_of_f64(x) >> 63 << 31;
  u64 normal = ((size >> 29) - ((u64)896 << 23)) | (u64)((size & 0x1fffffff) != 0);
  /* of what f32 has as a denormal */
  u64 mantissa = (size & (((u64)1 << 52) - 1)) | (u64)1 << 52, down = 926 - (size >> 52);
  down = size >= least ? 0 : down > 60 ? 60 : down;
  u64 kept = mantissa >> down, tiny = kept | (u64)(kept << down != mantissa);
  tiny = size >> 52 ? tiny : (u64)(size != 0);
  u64 finite = size < least ? tiny : normal > most ? most : normal;
  u64 special = 0x7f800000 | (size >> 29 & 0x7fffff) | (size > infinity ? 0x400000 : 0);
  return f32_of_bits((u32)((size < infinity ? finite : special) | sign));
}
/* The same of what f32 has as a normal number, as sums of halves' products are: the upper mantissa, odd if there is
 * more. */
OG_LANE f32 normal_to_odd(f64 x) {
  const u64 low = 0x1fffffff, bits = bits_of_f64(x);
  return (f32)f64_of_bits((bits | ((bits & low) + low)) & ~low);
}
/* a + b so, of bfloats' values. What overflows is the largest number where neither is infinite. */
OG_LANE f32 bf16_sum(f32 a, f32 b) {
  f32 sum = a + b, b_part = sum - a, rest = (a - (sum - b_part)) + (b - b_part);
  u32 bits = bits_of_f32(sum), most = bits_of_f32(copy_sign_f32(0x1.fffffep127f, sum));
  u32 odd = bits & 1 ? bits : (rest > 0) == (sum > 0) ? bits + 1 : bits - 1;
  bool finite = __builtin_fabsf(a) < __builtin_inff() && __builtin_fabsf(b) < __builtin_inff();
  bool infinite = (bits & 0x7fffffff) == 0x7f800000;
  return f32_of_bits(infinite ? (finite ? most : bits) : rest != 0.0f ? odd : bits);
}
/* The product of halves is exact, and so is what their sum loses (Dekker, 1971), in all rounding modes: the smaller one
 * has fewer than 24 bits. Made odd by that, the sum rounds to half as if there had been no step between. */
OG_LANE f32 fma_f16(f32 a, f32 b, f32 c) {
  f32 product = a * b;
  bool exchanged = __builtin_fabsf(product) < __builtin_fabsf(c);
  f32 large = exchanged ? c : product, small = exchanged ? product : c;
  f32 sum = large + small, lost = small - (sum - large);
  u32 bits = bits_of_f32(sum), above = (u32)(lost > 0) - (u32)(lost < 0);
  u32 step = bits >> 31 ? 0 - above : above;
  return f32_of_bits(bits + (bits & 1 ? 0 : step));
}
OG_LANE f32 flush_f16(f32 x) { return __builtin_fabsf(x) < 0x1p-14f ? copy_sign_f32(0.0f, x) : x; }
/* To half precision and back, rounding as the mode says: the shift brings the half's last place to the float's. */
OG_LANE f32 round_f16(f32 x) {
  u32 size = bits_of_f32(x) & 0x7fffffff;
  f32 shift = copy_sign_f32(f32_of_bits(min_u32(max_u32(size & 0x7f800000, 0x38800000), 0x48000000) + (13 << 23)), x);
  f32 rounded = copy_sign_f32((x + shift) - shift, x);
  f32 finite = __builtin_fabsf(rounded) > 65504.0f ? copy_sign_f32(__builtin_inff(), x) : rounded;
  return size >= 0x7f800000 ? x + x : finite;
}
OG_LANE f32 mad_f16(f32 a, f32 b, f32 c, u32 mode) {
  f32 exact = flush_f16(a) * flush_f16(b), product = round_f16(exact);
  u32 size = bits_of_f32(product) & 0x7fffffff, negative = bits_of_f32(exact) >> 31;
  u32 overflows = (u32)(size == 0x7f800000) & (u32)(__builtin_fabsf(exact) < __builtin_inff());
  u32 round = mode >> 2 & 3; /* which, as FP16_OVFL, may make it the largest number */
  u32 finite = (mode >> 23 & 1) | (u32)(round == 3) | (round == 2 ? negative ^ 1 : 0) | (round == 1 ? negative : 0);
  product = finite & overflows ? copy_sign_f32(65504.0f, exact) : product;
  return flush_f16(flush_f16(product) + flush_f16(c));
}
/* The same where MODE rounds to the nearest: on the bits of the product, which is at least 2^-14 or 0. */
OG_LANE f32 mad_f16_nearest(f32 a, f32 b, f32 c, u32 mode) {
  const i32 infinity = 0x7f800000, overflow = mode & 1 << 23 ? 0x477fe000 : infinity;
  u32 bits = bits_of_f32(flush_f16(a) * flush_f16(b)), sign = bits & 0x80000000;
  i32 size = (i32)(bits & 0x7fffffff), rounded = (size + 0xfff + (size >> 13 & 1)) & ~0x1fff;
  i32 finite = size < 0x387fe000 ? 0 : max_i32(rounded, 0x38800000);
  finite = finite > 0x477fe000 ? overflow : finite;
  return flush_f16(f32_of_bits((u32)(size >= infinity ? size : finite) | sign) + flush_f16(c));
}

/* `mode` is the wave's: its denormal, rounding and overflow control of halves. */
OG_LANE f64 half_number(u32 bits, u32 mode) {
  f32 value = half_value(bits);
  return (f64)(mode & 1 << 6 ? value : flush_f16(value));
}
OG_LANE u32 half_bits_f32(f32 x, u32 mode) {
  const u32 keep = mode & 1 << 7 ? 0xffff : 0x8000, limit = mode >> 23 & 1;
  u32 half = half_of_f32(x, mode >> 2 & 3), finite = (bits_of_f32(x) & 0x7fffffff) < 0x7f800000 ? limit : 0;
  half = half & 0x7c00 ? half : half & keep;
  return (half & 0x7fff) == 0x7c00 ? half - finite : half;
}
/* The same where the host and MODE round to the nearest. */
OG_LANE u32 half_bits_nearest(f32 x, u32 mode) {
  const u32 keep = mode & 1 << 7 ? 0x7fff : 0, limit = mode >> 23 & 1;
  u32 bits = bits_of_f32(x), size = bits & 0x7fffffff, normal = (size - 0x38000000 + 0xfff + (size >> 13 & 1)) >> 13;
  u32 tiny = bits_of_f32(f32_of_bits(size) + 0.5f) & keep; /* whose last place is that of a denormal half */
  u32 finite = (i32)size < 0x387fe000 ? tiny : min_u32(max_u32(normal, 0x400), 0x7c00 - limit);
  u32 special = size > 0x7f800000 ? 0x7e00 | (size >> 13 & 0x3ff) : 0x7c00;
  return (bits >> 16 & 0x8000) | ((i32)size >= 0x7f800000 ? special : finite);
}
/* What is finite stays so: f32 has more than halves, and made odd is not infinite. */
OG_LANE u32 half_bits(f64 x, u32 mode) { return half_bits_f32(round_to_odd(x), mode); }
/* Whose zero has the sign that the rounding of halves asks for. */
OG_LANE f64 half_sum(f64 a, f64 b, u32 mode) {
  f64 sum = odd_sum(a, b), zero = (mode >> 2 & 3) == 2 ? -0.0 : 0.0;
  bool opposite = (bits_of_f64(a) ^ bits_of_f64(b)) >> 63;
  return opposite && sum == 0.0 ? zero : sum;
}
/* Rounded to the nearest; of `mode` overflow control counts. */
OG_LANE u16 bf16_bits_f32(f32 x, u32 mode) {
  u32 bits = bf16_of_f32(x), limit = mode >> 23 & 1, finite = (bits_of_f32(x) & 0x7fffffff) < 0x7f800000 ? limit : 0;
  return (u16)((bits & 0x7fff) == 0x7f80 ? bits - finite : bits);
}
OG_LANE u16 bf16_bits(f64 x, u32 mode) {
  u32 bits = bf16_of_f32(round_to_odd(x));
  bool limited = mode & 1 << 23 && (bits & 0x7fff) == 0x7f80 && __builtin_fabs(x) < __builtin_inf();
  return (u16)(bits - limited);
}
/* Of what is no zero it does not overflow until it is rounded. */
OG_LANE f32 rcp_bf16(f32 x) { return x == 0.0f ? 1.0f / x : finite_f32(1.0f / x); }
/* Clamped to what lies between 0 and 1; NaN is 0. */
OG_LANE u16 bf16_unit(u16 bits) { return bits & 0x8000 || bits > 0x7f80 ? 0 : bits > 0x3f80 ? 0x3f80 : bits; }

#endif
