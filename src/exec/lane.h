/* lane.h - what isa/semantics.sem is written in: types, and small functions over one lane. Hot ones have no
 * branches on data, so that the loops around them become vector code. */
#ifndef OG_EXEC_LANE_H
#define OG_EXEC_LANE_H

#include <stdbool.h>
#include <stdint.h>

typedef uint8_t u8;
typedef int8_t i8;
typedef uint16_t u16;
typedef int16_t i16;
typedef uint32_t u32;
typedef int32_t i32;
typedef uint64_t u64;
typedef int64_t i64;
typedef float f32;
typedef double f64;

enum { OG_TWO_OVER_PI_WORDS = 38 }; /* 1201 bits; zeros follow */

#define OG_LANE static inline __attribute__((always_inline, unused))

OG_LANE f32 f32_of_bits(u32 bits) { f32 x; __builtin_memcpy(&x, &bits, 4); return x; }
OG_LANE u32 bits_of_f32(f32 x) { u32 bits; __builtin_memcpy(&bits, &x, 4); return bits; }
OG_LANE f64 f64_of_bits(u64 bits) { f64 x; __builtin_memcpy(&x, &bits, 8); return x; }
OG_LANE u64 bits_of_f64(f64 x) { u64 bits; __builtin_memcpy(&bits, &x, 8); return bits; }

/* ---- integers ------------------------------------------------------------------------------------------------- */

OG_LANE u32 min_u32(u32 a, u32 b) { return a < b ? a : b; }
OG_LANE u32 max_u32(u32 a, u32 b) { return a > b ? a : b; }
OG_LANE i32 min_i32(i32 a, i32 b) { return a < b ? a : b; }
OG_LANE i32 max_i32(i32 a, i32 b) { return a > b ? a : b; }
OG_LANE u32 min_u64(u64 a, u32 b) { return a < b ? (u32)a : b; }
OG_LANE i32 clamp_i32(i32 x, i32 low, i32 high) { return x < low ? low : x > high ? high : x; }
OG_LANE i32 saturate_i32(i64 x) { return x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : (i32)x; }
OG_LANE i32 sext24(u32 x) { return (i32)(x << 8) >> 8; }
OG_LANE u32 absdiff(u32 a, u32 b) { return a > b ? a - b : b - a; }

/* `width` bits from `offset`; all that are left when it reaches past the top. */
OG_LANE u64 bits_u64(u64 x, u32 offset, u32 width) {
  x >>= offset;
  return width == 0 ? 0 : width >= 64 ? x : x & (((u64)1 << width) - 1);
}
OG_LANE i64 bits_i64(i64 x, u32 offset, u32 width) {
  u32 shift = width >= 64 ? 0 : 64 - width;
  return width == 0 ? 0 : (i64)((u64)(x >> offset) << shift) >> shift;
}
OG_LANE i32 bits_i32(i32 x, u32 offset, u32 width) {
  u32 shift = width >= 32 ? 0 : 32 - width;
  return width == 0 ? 0 : (i32)((u32)(x >> offset) << (shift & 31)) >> (shift & 31);
}

/* Population counts by halves: vectorises on every machine. */
OG_LANE u32 count_u32(u32 x) {
  x -= x >> 1 & 0x55555555;
  x = (x & 0x33333333) + (x >> 2 & 0x33333333);
  x = (x + (x >> 4)) & 0x0f0f0f0f;
  return x * 0x01010101 >> 24;
}
OG_LANE u32 count_u64(u64 x) {
  x -= x >> 1 & 0x5555555555555555;
  x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return (u32)(x * 0x0101010101010101 >> 56);
}
OG_LANE i32 first_one_u64(u64 x) { return x ? __builtin_ctzll(x) : -1; }
OG_LANE u32 reverse_u32(u32 x) {
  x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
  x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(x);
}
/* Each bit twice: bit i to bits 2i and 2i+1. */
OG_LANE u64 replicate_bits(u32 bits) {
  u64 x = bits;
  x = (x | x << 16) & 0x0000ffff0000ffff;
  x = (x | x << 8) & 0x00ff00ff00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x << 2) & 0x3333333333333333;
  x = (x | x << 1) & 0x5555555555555555;
  return x | x << 1;
}
/* One bit per quad at its lowest place. */
OG_LANE u64 quads(u64 x) {
  x |= x >> 1;
  x |= x >> 2;
  return x & 0x1111111111111111;
}
OG_LANE u64 whole_quads(u64 x) { return quads(x) * 15; }
OG_LANE u64 quad_mask(u64 x) {
  u64 result = 0;
  x = quads(x);
  for (int i = 0; i < 16; i++)
    result |= (x >> (4 * i) & 1) << i;
  return result;
}
/* Bit by bit what the table has at number abc. */
OG_LANE u32 bitop3(u32 a, u32 b, u32 c, u32 table) {
  u32 result = 0;
  for (u32 i = 0; i < 8; i++)
    result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c) & (0 - (table >> i & 1));
  return result;
}
OG_LANE u32 lanes_below_lo(u32 lane) { return lane >= 32 ? 0xffffffff : ((u32)1 << (lane & 31)) - 1; }
OG_LANE u32 lanes_below_hi(u32 lane) { return lane < 32 ? 0 : ((u32)1 << (lane & 31)) - 1; }

OG_LANE u32 byte(u64 x, u32 i) { return (u32)(x >> (8 * i)) & 255; }
OG_LANE u32 sad_u8(u32 a, u32 b) {
  return absdiff(byte(a, 3), byte(b, 3)) + absdiff(byte(a, 2), byte(b, 2)) + absdiff(byte(a, 1), byte(b, 1)) +
         absdiff(byte(a, 0), byte(b, 0));
}
/* Bytes of a whose reference (in b) is 0 do not count: as 0 they don't. */
OG_LANE u32 counted_bytes(u32 b) { return ((((b & 0x7f7f7f7f) + 0x7f7f7f7f) | b) >> 7 & 0x01010101) * 255; }
OG_LANE u32 msad_u8(u32 a, u32 b) { return sad_u8(a & counted_bytes(b), b); }
OG_LANE u32 window_sad(u32 low, u32 high, u32 i, u32 b, u32 c, bool masked) {
  u32 window = i ? low >> (8 * i) | high << (32 - 8 * i) : low;
  return ((masked ? msad_u8(window, b) : sad_u8(window, b)) + c) & 0xffff;
}
OG_LANE u64 quad_sad(u64 a, u32 b, u64 c, bool masked) {
  u32 low = (u32)a, high = (u32)(a >> 32), c0 = (u32)c, c1 = (u32)(c >> 32);
  u32 first = window_sad(low, high, 0, b, c0, masked) | window_sad(low, high, 1, b, c0 >> 16, masked) << 16;
  u32 second = window_sad(low, high, 2, b, c1, masked) | window_sad(low, high, 3, b, c1 >> 16, masked) << 16;
  return (u64)second << 32 | first;
}
OG_LANE u32 lerp_u8(u32 a, u32 b, u32 c) {
  u32 result = 0;
  for (u32 i = 0; i < 4; i++)
    result |= ((byte(a, i) + byte(b, i) + (byte(c, i) & 1)) >> 1) << (8 * i);
  return result;
}
/* Sums of the products of bytes, or of nibbles. */
OG_LANE i32 dot4_i8(u32 a, u32 b) {
  return (i8)a * (i8)b + (i8)(a >> 8) * (i8)(b >> 8) + (i8)(a >> 16) * (i8)(b >> 16) + (i8)(a >> 24) * (i8)(b >> 24);
}
OG_LANE u32 dot4_u8(u32 a, u32 b) {
  return byte(a, 0) * byte(b, 0) + byte(a, 1) * byte(b, 1) + byte(a, 2) * byte(b, 2) + byte(a, 3) * byte(b, 3);
}
OG_LANE i32 dot8_i4(u32 a, u32 b) {
  i32 sum = 0;
  for (int i = 0; i < 8; i++)
    sum += ((i32)(a << (28 - 4 * i)) >> 28) * ((i32)(b << (28 - 4 * i)) >> 28);
  return sum;
}
OG_LANE u32 dot8_u4(u32 a, u32 b) {
  u32 sum = 0;
  for (int i = 0; i < 8; i++)
    sum += (a >> (4 * i) & 15) * (b >> (4 * i) & 15);
  return sum;
}
/* The same where bits 0 and 1 of `is_signed` say which of the two are signed. */
OG_LANE i32 signed_part(u32 x, u32 shift, u32 width, bool is_signed) {
  u32 part = x >> shift & ((1u << width) - 1), sign = is_signed ? 1u << (width - 1) : 0;
  return (i32)((part ^ sign) - sign);
}
#define OG_PRODUCT(i, width) \
  (signed_part(a, (i) * (width), width, is_signed & 1) * signed_part(b, (i) * (width), width, is_signed & 2))
OG_LANE i32 dot4_iu8(u32 a, u32 b, u32 is_signed) {
  return OG_PRODUCT(0, 8) + OG_PRODUCT(1, 8) + OG_PRODUCT(2, 8) + OG_PRODUCT(3, 8);
}
OG_LANE i32 dot8_iu4(u32 a, u32 b, u32 is_signed) {
  return OG_PRODUCT(0, 4) + OG_PRODUCT(1, 4) + OG_PRODUCT(2, 4) + OG_PRODUCT(3, 4) + OG_PRODUCT(4, 4) + OG_PRODUCT(5, 4) +
         OG_PRODUCT(6, 4) + OG_PRODUCT(7, 4);
}
#undef OG_PRODUCT
/* Four bytes, signed or not, as nibbles as near as can be. */
OG_LANE u32 saturate_nibbles(u32 x, bool is_signed) {
  u32 result = 0;
  for (u32 i = 0; i < 4; i++) {
    i32 value = is_signed ? (i8)byte(x, i) : (i32)byte(x, i);
    result |= ((u32)clamp_i32(value, is_signed ? -8 : 0, is_signed ? 7 : 15) & 15) << (4 * i);
  }
  return result;
}
/* In 32 bits, of which the host has twice as many lanes. */
OG_LANE u32 permute_byte(u32 low, u32 high, u32 select) {
  u32 odd = select & 4 ? high : low, plain = odd >> (select & 3) * 8 & 255;
  u32 signs = select & 2 ? high : low, sign = (u32)((i32)(select & 1 ? signs : signs << 16) >> 31) & 255;
  return select >= 13 ? 255 : select == 12 ? 0 : select >= 8 ? sign : plain;
}
OG_LANE u32 permute_bytes(u32 high, u32 low, u32 select) {
  return permute_byte(low, high, select & 255) | permute_byte(low, high, select >> 8 & 255) << 8 |
         permute_byte(low, high, select >> 16 & 255) << 16 | permute_byte(low, high, select >> 24) << 24;
}

/* ---- floats: classes and signs ---------------------------------------------------------------------------------- */

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

/* An operand that is passed through unchanged, except denormals that MODE does not keep. */
OG_LANE f32 passed_f32(f32 x, u32 mode) { return (mode & 0x30) == 0x30 ? x : flush_f32(x); }
OG_LANE f64 passed_f64(f64 x, u32 mode) { return (mode & 0xc0) == 0xc0 ? x : flush_f64(x); }

/* Where it is computed with in between: as sources and as results obey MODE. */
OG_LANE f32 loaded_f32(f32 x, u32 mode) { return mode & 0x10 ? x : flush_f32(x); }
OG_LANE f32 stored_f32(f32 x, u32 mode) { return mode & 0x20 ? x : flush_f32(x); }
OG_LANE f64 loaded_f64(f64 x, u32 mode) { return mode & 0x40 ? x : flush_f64(x); }
OG_LANE f64 stored_f64(f64 x, u32 mode) { return mode & 0x80 ? x : flush_f64(x); }

OG_LANE bool class_bits(bool negative, bool nan, bool quiet, bool infinite, bool zero, bool denormal, u32 mask) {
  u32 bit = nan ? (quiet ? 1 : 0) : infinite ? (negative ? 2 : 9) : zero ? (negative ? 5 : 6)
            : denormal ? (negative ? 4 : 7) : (negative ? 3 : 8);
  return mask >> bit & 1;
}
OG_LANE bool class_f32(f32 x, u32 mask) {
  u32 bits = bits_of_f32(x), size = bits & 0x7fffffff;
  return class_bits(bits >> 31, size > 0x7f800000, bits >> 22 & 1, size == 0x7f800000, size == 0, size < 0x800000,
                    mask);
}
OG_LANE bool class_f64(f64 x, u32 mask) {
  u64 bits = bits_of_f64(x), size = bits << 1 >> 1, infinity = 0x7ff0000000000000;
  return class_bits(bits >> 63, size > infinity, bits >> 51 & 1, size == infinity, size == 0, size >> 52 == 0, mask);
}
OG_LANE bool class_f16(u16 bits, u32 mask) {
  u32 size = bits & 0x7fff;
  return class_bits(bits >> 15, size > 0x7c00, bits >> 9 & 1, size == 0x7c00, size == 0, size < 0x400, mask);
}

/* ---- minimum, maximum ------------------------------------------------------------------------------------------- */

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

/* ---- conversions: saturating, NaN gives 0 ------------------------------------------------------------------------ */

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
/* What 32 bits hold, to the nearest even: the rest behind the cut is exact. */
OG_LANE i32 nearest_even_i32(f64 x) {
  i32 whole = (i32)x;
  f64 rest = x - (f64)whole;
  return whole + ((rest > 0.5) | ((rest == 0.5) & whole)) - ((rest < -0.5) | ((rest == -0.5) & whole));
}
OG_LANE i16 snorm16(f32 x) {
  f32 clamped = x >= 1.0f ? 1.0f : x <= -1.0f ? -1.0f : nan_f32(x) ? 0.0f : x;
  return (i16)nearest_even_i32((f64)clamped * 32767.0);
}
OG_LANE u16 unorm16(f32 x) {
  f32 clamped = x >= 1.0f ? 1.0f : x > 0.0f ? x : 0.0f;
  return (u16)nearest_even_i32((f64)clamped * 65535.0);
}

/* ---- arithmetic -------------------------------------------------------------------------------------------------- */

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
/* Up in steps, which are exact until they overflow; down in one rounding step after exact ones. */
OG_LANE f64 ldexp_f64(f64 x, i32 n) {
  i32 bounded = clamp_i32(n, -2200, 2200);
  i32 exponent = (i32)(bits_of_f64(x) >> 52 & 2047);
  f64 normal = exponent == 0 ? x * 0x1p54 : x;
  i32 base = (i32)(bits_of_f64(normal) >> 52 & 2047);
  i32 wanted = base + bounded - (exponent == 0 ? 54 : 0);
  u64 mantissa = bits_of_f64(normal) & 0x800fffffffffffff;
  f64 in_range = f64_of_bits(mantissa | (u64)clamp_i32(wanted, 1, 2046) << 52);
  f64 tiny = f64_of_bits(mantissa | (u64)clamp_i32(wanted + 64, 1, 2046) << 52) * 0x1p-64;
  f64 huge = copy_sign_f64(0x1p1023, x) * 2.0;
  f64 result = wanted >= 2047 ? huge : wanted >= 1 ? in_range : tiny;
  return x == 0.0 || exponent == 2047 ? x + x : result;
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

/* ---- division ---------------------------------------------------------------------------------------------------- */

OG_LANE i32 exponent_f32(f32 x) { return (i32)(bits_of_f32(x) >> 23 & 255); }
OG_LANE i32 exponent_f64(f64 x) { return (i32)(bits_of_f64(x) >> 52 & 2047); }
OG_LANE bool denormal_f32(f32 x) { return (int)(exponent_f32(x) == 0) & ((bits_of_f32(x) & 0x7fffff) != 0); }
OG_LANE bool denormal_f64(f64 x) { return (int)(exponent_f64(x) == 0) & (bits_of_f64(x) << 12 != 0); }

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
  f64 inverse = __builtin_fabs(1.0 / (f64)denominator), quotient = __builtin_fabs((f64)numerator / (f64)denominator);
  bool inverse_denormal = (inverse < 0x1p-126) & (inverse > 0);
  bool quotient_denormal = (quotient < 0x1p-126) & (quotient > 0);
  bool zero = (numerator == 0.0f) | (denominator == 0.0f);
  bool near_max = exponent_f32(numerator) - exponent_f32(denominator) >= 96;
  bool small = denormal_f32(denominator);
  OG_DIV_SCALE(f32, ldexp_f32(x, 64), ldexp_f32(x, -64), exponent_f32(numerator) <= 23, 0xffc00000)
}
OG_LANE f64 div_scale_f64(f64 x, f64 denominator, f64 numerator, bool *post) {
  i32 n = exponent_f64(numerator), d = exponent_f64(denominator);
  /* |1 / denominator| < 2^-1022 exactly when it is beyond 2^1022; the quotient by its exponent and mantissas. */
  bool inverse_denormal = (__builtin_fabs(denominator) > 0x1p1022) & (d != 2047);
  f64 scaled_n = n == 0 ? numerator * 0x1p54 : numerator;
  u64 low = ~(u64)0 >> 12;
  i32 quotient_exponent = exponent_f64(scaled_n) - (n == 0 ? 54 : 0) - d -
                          ((bits_of_f64(scaled_n) & low) < (bits_of_f64(denominator) & low) ? 1 : 0);
  bool quotient_denormal = (quotient_exponent < -1022) & (n != 2047) & (d != 2047);
  bool zero = (numerator == 0.0) | (denominator == 0.0);
  bool near_max = n - d >= 768;
  bool small = denormal_f64(denominator);
  OG_DIV_SCALE(f64, x * 0x1p128, x * 0x1p-128, n <= 53, 0xfff8000000000000)
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

/* ---- exponentials, logarithms, angles: in double, rounded once --------------------------------------------------- */

/* 2^x - 2^n for a whole number n near x, divided by 2^n: that sum's parts keep what counts near 0. */
OG_LANE f64 exp2_rest(f64 x, i32 *n) {
  f64 whole = __builtin_floor(x + 0.5), t = (x - whole) * 0.69314718055994530942;
  f64 p = 1.0 / 6227020800.0;
  p = p * t + 1.0 / 479001600.0;
  p = p * t + 1.0 / 39916800.0;
  p = p * t + 1.0 / 3628800.0;
  p = p * t + 1.0 / 362880.0;
  p = p * t + 1.0 / 40320.0;
  p = p * t + 1.0 / 5040.0;
  p = p * t + 1.0 / 720.0;
  p = p * t + 1.0 / 120.0;
  p = p * t + 1.0 / 24.0;
  p = p * t + 1.0 / 6.0;
  p = p * t + 0.5;
  p = p * t + 1.0;
  *n = (i32)whole;
  return p * t;
}
/* 2^x for |x| < 1000 or so; relative error below 2^-50. */
OG_LANE f64 exp2_core(f64 x) {
  i32 n;
  f64 rest = exp2_rest(x, &n);
  return (rest + 1.0) * power_of_two_f64(n);
}
OG_LANE f32 exp2_f32(f32 x) {
  f32 bounded = x < -200.0f ? -200.0f : x > 200.0f ? 200.0f : nan_f32(x) ? 0.0f : x;
  f32 result = (f32)exp2_core(bounded);
  return nan_f32(x) ? x + x : result;
}
/* For a half: finite where 2^x is, so that rounding tells what becomes of it. */
OG_LANE f32 exp2_f16(f32 x) { return exp2_f32(x > 100.0f && x < __builtin_inff() ? 100.0f : x); }
/* log2 of a positive finite float: x = 2^n m, m in [sqrt(1/2), sqrt 2), by the series of artanh((m-1)/(m+1)). */
OG_LANE f64 log2_core(f64 x) {
  u64 bits = bits_of_f64(x);
  u64 rebased = bits - 0x3fe6a09e667f3bcd;
  i32 n = (i32)((i64)rebased >> 52);
  f64 m = f64_of_bits((rebased & 0x000fffffffffffff) + 0x3fe6a09e667f3bcd);
  f64 s = (m - 1.0) / (m + 1.0), z = s * s;
  f64 p = 1.0 / 21.0;
  p = p * z + 1.0 / 19.0;
  p = p * z + 1.0 / 17.0;
  p = p * z + 1.0 / 15.0;
  p = p * z + 1.0 / 13.0;
  p = p * z + 1.0 / 11.0;
  p = p * z + 1.0 / 9.0;
  p = p * z + 1.0 / 7.0;
  p = p * z + 1.0 / 5.0;
  p = p * z + 1.0 / 3.0;
  p = p * z + 1.0;
  return (f64)n + p * s * 2.88539008177792681472; /* 2 / ln 2 */
}
OG_LANE f32 log2_f32(f32 x) {
  f32 usable = x > 0.0f && x < __builtin_inff() ? x : 1.0f;
  f32 result = (f32)log2_core(usable);
  result = x == 1.0f ? 0.0f : result; /* in all rounding modes */
  result = x == 0.0f ? -__builtin_inff() : x < 0.0f ? f32_of_bits(0xffc00000) : result;
  return x == __builtin_inff() || nan_f32(x) ? x + x : result;
}
/* By e^2x - 1, which loses no precision near 0. */
OG_LANE f64 tanh_core(f64 x) {
  f64 size = __builtin_fabs(x), bounded = size > 30.0 ? 30.0 : nan_f64(x) ? 0.0 : size;
  i32 n;
  f64 rest = exp2_rest(bounded * 2.88539008177792681472, &n), unit = power_of_two_f64(n);
  f64 grown = (unit - 1.0) + unit * rest, result = copy_sign_f64(grown / (grown + 2.0), x);
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
  return ldexp_f64((f64)(i64)bits, -53 - (i32)shift + (exponent >= 1968 ? 128 : 0));
}

/* ---- cube maps --------------------------------------------------------------------------------------------------- */

OG_LANE bool cube_z(f32 x, f32 y, f32 z) {
  return __builtin_fabsf(z) >= __builtin_fabsf(x) && __builtin_fabsf(z) >= __builtin_fabsf(y);
}
OG_LANE bool cube_y(f32 x, f32 y) { return __builtin_fabsf(y) >= __builtin_fabsf(x); }
OG_LANE f32 cube_id(f32 x, f32 y, f32 z) {
  return cube_z(x, y, z) ? (z < 0 ? 5.0f : 4.0f) : cube_y(x, y) ? (y < 0 ? 3.0f : 2.0f) : (x < 0 ? 1.0f : 0.0f);
}
OG_LANE f32 cube_sc(f32 x, f32 y, f32 z) {
  return cube_z(x, y, z) ? (z < 0 ? -x : x) : cube_y(x, y) ? x : (x < 0 ? z : -z);
}
OG_LANE f32 cube_tc(f32 x, f32 y, f32 z) {
  return cube_z(x, y, z) ? -y : cube_y(x, y) ? (y < 0 ? -z : z) : -y;
}
OG_LANE f32 cube_ma(f32 x, f32 y, f32 z) { return 2.0f * (cube_z(x, y, z) ? z : cube_y(x, y) ? y : x); }

#endif
