/* lane_integer.h - integers and bits of one lane, for isa/semantics.sem. */
#ifndef OG_EXEC_LANE_INTEGER_H
#define OG_EXEC_LANE_INTEGER_H

#include "exec/lane.h"

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
/* Zeros above the highest bit, or below the lowest one; -1 of 0. Few hosts count them in vectors: the exponent of a
 * number tells. Without the bit behind its highest one no rounding makes the number a power of two. */
OG_LANE i32 leading_zeros(u32 x) {
#if defined __AVX512CD__
  return x ? __builtin_clz(x) : -1;
#else
  f32 number = (f32)(i32)(x & ~(x >> 1));
  u32 bits;
  __builtin_memcpy(&bits, &number, 4);
  i32 zeros = 158 - (i32)(bits >> 23); /* below 0 of what is negative; 158 of 0 */
  return zeros < 0 ? 0 : zeros > 31 ? -1 : zeros;
#endif
}
OG_LANE i32 trailing_zeros(u32 x) {
  i32 above = leading_zeros(x & (0 - x));
  return above < 0 ? -1 : 31 - above;
}
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
/* Averages of bytes, rounded up where c is odd: of bits that differ half, the lowest of which c decides on. */
OG_LANE u32 lerp_u8(u32 a, u32 b, u32 c) {
  u32 apart = a ^ b;
  return (a & b) + (apart >> 1 & 0x7f7f7f7f) + (apart & c & 0x01010101);
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
  return OG_PRODUCT(0, 4) + OG_PRODUCT(1, 4) + OG_PRODUCT(2, 4) + OG_PRODUCT(3, 4) + OG_PRODUCT(4, 4) +
         OG_PRODUCT(5, 4) + OG_PRODUCT(6, 4) + OG_PRODUCT(7, 4);
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

#endif
