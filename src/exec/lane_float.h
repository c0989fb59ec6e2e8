/* lane_float.h - floats of one lane: classes, signs, denormals, minimum and maximum. */
#ifndef OG_EXEC_LANE_FLOAT_H
#define OG_EXEC_LANE_FLOAT_H

#include "exec/lane_integer.h"

/* ---- classes and signs ------------------------------------------------------------------------------------------- */

OG_LANE bool nan_f32(f32 x) { return (bits_of_f32(x) & 0x7fffffff) > 0x7f800000; }
OG_LANE bool nan_f64(f64 x) { return (bits_of_f64(x) & ~((u64)1 << 63)) > 0x7ff0000000000000; }
OG_LANE f32 quiet_f32(f32 x) { return f32_of_bits(bits_of_f32(x) | 0x400000); }
OG_LANE f64 quiet_f64(f64 x) { return f64_of_bits(bits_of_f64(x) | (u64)1 << 51); }
OG_LANE f32 flush_f32(f32 x) {
  u32 bits = bits_of_f32(x);
  return f32_of_bits(bits & 0x7f800000 ? bits : bits & 0x80000000);
}
OG_LANE f64 flush_f64(f64 x) {
  u64 bits = bits_of_f64(x);
  return bits & (u64)0x7ff << 52 ? x : f64_of_bits(bits & (u64)1 << 63);
}

OG_LANE i32 exponent_f32(f32 x) { return (i32)(bits_of_f32(x) >> 23 & 255); }
OG_LANE i64 exponent_f64(f64 x) { return (i64)(bits_of_f64(x) >> 52 & 2047); } /* as wide as what it is compared for */
OG_LANE bool denormal_f32(f32 x) { return (int)(exponent_f32(x) == 0) & ((bits_of_f32(x) & 0x7fffff) != 0); }
OG_LANE bool denormal_f64(f64 x) { return (int)(exponent_f64(x) == 0) & (int)(bits_of_f64(x) << 12 != 0); }

/* An operand that is passed through unchanged, except denormals that MODE does not keep. */
OG_LANE f32 passed_f32(f32 x, u32 mode) { return (mode & 0x30) == 0x30 ? x : flush_f32(x); }
OG_LANE f64 passed_f64(f64 x, u32 mode) { return (mode & 0xc0) == 0xc0 ? x : flush_f64(x); }

/* Where it is computed with in between: as sources and as results obey MODE. */
OG_LANE f32 loaded_f32(f32 x, u32 mode) { return mode & 0x10 ? x : flush_f32(x); }
OG_LANE f32 stored_f32(f32 x, u32 mode) { return mode & 0x20 ? x : flush_f32(x); }
OG_LANE f64 loaded_f64(f64 x, u32 mode) { return mode & 0x40 ? x : flush_f64(x); }
OG_LANE f64 stored_f64(f64 x, u32 mode) { return mode & 0x80 ? x : flush_f64(x); }

/* The bit of the mask for a number's class, from negative infinity to positive, after those of signaling and quiet
 * NaN. */
OG_LANE u32 class_bit(u32 negative, u32 nonzero, u32 normal, u32 not_finite) {
  u32 positive_bit = 6 + nonzero + normal + not_finite;
  return negative ? 11 - positive_bit : positive_bit;
}
OG_LANE u32 class_f32(f32 x, u32 mask) {
  u32 bits = bits_of_f32(x), size = bits & 0x7fffffff;
  u32 bit = class_bit(bits >> 31, size != 0, size >= 0x800000, size >= 0x7f800000), quiet = bits >> 22 & 1;
  return mask >> (size > 0x7f800000 ? quiet : bit) & 1;
}
OG_LANE u32 class_f64(f64 x, u32 mask) { /* of a mantissa it counts only whether it is 0 */
  u64 bits = bits_of_f64(x);
  u32 high = (u32)(bits >> 32), size = (high & 0x7fffffff) | ((u32)bits != 0), quiet = high >> 19 & 1;
  u32 bit = class_bit(high >> 31, size != 0, size >= 0x100000, size >= 0x7ff00000);
  return mask >> (size > 0x7ff00000 ? quiet : bit) & 1;
}
OG_LANE u32 class_f16(u16 bits, u32 mask) {
  u32 size = bits & 0x7fff, quiet = bits >> 9 & 1;
  u32 bit = class_bit((u32)bits >> 15, size != 0, size >= 0x400, size >= 0x7c00);
  return mask >> (size > 0x7c00 ? quiet : bit) & 1;
}

/* ---- minimum, maximum -------------------------------------------------------------------------------------------- */

/* On the bits: flipping a negative number's others makes them an ordered integer, -0 below +0. In IEEE mode a
 * signaling NaN comes through quieted; otherwise a NaN gives way to the other operand. `mode` is the wave's. */
#define OG_MIN_MAX(name, type, bits_type, signed_type, top, infinity, quiet, denormals, less)                         \
  OG_LANE type name##_##type(type a, type b, u32 mode) {                                                              \
    bits_type x = bits_of_##type(a), y = bits_of_##type(b), sign = (bits_type)1 << (top);                             \
    signed_type x_order = (signed_type)(x ^ ((bits_type)((signed_type)x >> (top)) >> 1));                             \
    signed_type y_order = (signed_type)(y ^ ((bits_type)((signed_type)y >> (top)) >> 1));                             \
    bits_type result = x_order less y_order ? x : y;                                                                  \
    result = (y & ~sign) > (infinity) ? x : result;                                                                   \
    result = (x & ~sign) > (infinity) ? y : result;                                                                   \
    bits_type ieee = mode & 0x200 ? ~(bits_type)0 : 0;                                                                \
    bits_type x_quiets = (x & ~sign) - (infinity)-1 < (quiet)-1 ? ieee : 0;                                           \
    bits_type y_quiets = (y & ~sign) - (infinity)-1 < (quiet)-1 ? ieee : 0;                                           \
    result = (result & ~y_quiets) | ((y | (quiet)) & y_quiets);                                                       \
    result = (result & ~x_quiets) | ((x | (quiet)) & x_quiets);                                                       \
    bits_type tiny = (mode & (denormals)) != (denormals) ? sign : ~(bits_type)0;                                      \
    result = result & (result & (infinity) ? ~(bits_type)0 : tiny);                                                   \
    return type##_of_bits(result);                                                                                    \
  }
OG_MIN_MAX(min, f32, u32, i32, 31, 0x7f800000, 0x400000, 0x30, <)
OG_MIN_MAX(max, f32, u32, i32, 31, 0x7f800000, 0x400000, 0x30, >)
OG_MIN_MAX(min, f64, u64, i64, 63, (u64)0x7ff << 52, (u64)1 << 51, 0xc0, <)
OG_MIN_MAX(max, f64, u64, i64, 63, (u64)0x7ff << 52, (u64)1 << 51, 0xc0, >)

/* The same of numbers with denormals, as hosts have it: of zeros of two signs the comparison makes no choice. */
OG_LANE f32 min_of_numbers(f32 a, f32 b) {
  return f32_of_bits(bits_of_f32(a < b ? a : b) | bits_of_f32(b < a ? b : a));
}
OG_LANE f32 max_of_numbers(f32 a, f32 b) {
  return f32_of_bits(bits_of_f32(a > b ? a : b) & bits_of_f32(b > a ? b : a));
}

/* The one that is left when the largest, to which zeros are alike, is taken away. */
OG_LANE f32 med3_of_numbers(f32 a, f32 b, f32 c) {
  f32 not_a = max_of_numbers(b, c), not_b = max_of_numbers(a, c), not_c = max_of_numbers(a, b);
  f32 most = max_of_numbers(not_c, c);
  return most == a ? not_a : most == b ? not_b : not_c;
}

/* A NaN comes through, quieted. */
OG_LANE f32 minimum_f32(f32 a, f32 b, u32 mode) {
  return nan_f32(a) ? quiet_f32(a) : nan_f32(b) ? quiet_f32(b) : min_f32(a, b, mode);
}
OG_LANE f32 maximum_f32(f32 a, f32 b, u32 mode) {
  return nan_f32(a) ? quiet_f32(a) : nan_f32(b) ? quiet_f32(b) : max_f32(a, b, mode);
}
OG_LANE f64 minimum_f64(f64 a, f64 b, u32 mode) {
  return nan_f64(a) ? quiet_f64(a) : nan_f64(b) ? quiet_f64(b) : min_f64(a, b, mode);
}
OG_LANE f64 maximum_f64(f64 a, f64 b, u32 mode) {
  return nan_f64(a) ? quiet_f64(a) : nan_f64(b) ? quiet_f64(b) : max_f64(a, b, mode);
}

/* Chosen among the operands as they are; MODE's flush comes last. Without NaNs minimum and maximum are those of
 * integers in the numbers' order. */
OG_LANE i32 order_f32(f32 x) { return (i32)(bits_of_f32(x) ^ (u32)((i32)bits_of_f32(x) >> 31) >> 1); }
OG_LANE f32 of_order_f32(i32 order) { return f32_of_bits((u32)order ^ (u32)(order >> 31) >> 1); }
OG_LANE f32 med3_f32(f32 a, f32 b, f32 c, u32 mode) {
  i32 x = order_f32(a), y = order_f32(b), z = order_f32(c), not_z = max_i32(x, y);
  f32 most = of_order_f32(max_i32(not_z, z)), least = min_f32(min_f32(a, b, mode | 0x30), c, mode | 0x30);
  f32 middle = of_order_f32(most == a ? max_i32(y, z) : most == b ? max_i32(x, z) : not_z);
  u32 nan = (u32)nan_f32(a) | (u32)nan_f32(b) | (u32)nan_f32(c);
  return passed_f32(nan ? least : middle, mode);
}

#endif
