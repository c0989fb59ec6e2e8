/* lane_strips.h - what isa/semantics.sem says of a strip of lanes and not of one: where that is much, and lanes' bytes
 * or the numbers that they hold are fewer bits than what compilers would make loops of. A part of vector_ops.h. */
#ifndef OG_EXEC_LANE_STRIPS_H
#define OG_EXEC_LANE_STRIPS_H

#include "exec/strip.h"

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

/* 64 bits of each lane. */
struct word_pair {
  words low, high;
};
typedef u8 bytes __attribute__((vector_size(4 * PANEL)));
typedef i8 signed_bytes __attribute__((vector_size(4 * PANEL)));
typedef u16 shorts __attribute__((vector_size(4 * PANEL)));

OG_LANE bytes all_bytes(u8 x) { return x + (bytes){0}; }
OG_LANE bytes chosen_bytes(bytes which, bytes x, bytes y) { return (which & x) | (~which & y); }
/* Of x below 128. */
OG_LANE bytes is_above(bytes x, i8 y) { return (bytes)((signed_bytes)x > y); }

OG_LANE bytes larger_bytes(bytes x, bytes y) {
#if defined __AVX512F__
  return (bytes)_mm512_max_epu8((__m512i)x, (__m512i)y);
#elif defined __AVX2__
  return (bytes)_mm256_max_epu8((__m256i)x, (__m256i)y);
#elif defined __SSE2__
  return (bytes)_mm_max_epu8((__m128i)x, (__m128i)y);
#else
  return (bytes)chosen((ints)(x > y), (ints)x, (ints)y);
#endif
}
/* Of windows and a reference the absolute differences of bytes, but where those of the reference are 0 and `masked`: in
 * each half of a word the sum of two. */
OG_LANE words half_sads(words window, words reference, bool masked) {
  const bytes x = (bytes)window, y = (bytes)reference, more = larger_bytes(x, y);
  words apart = (words)((more - x) | (more - y));
  if (masked)
    apart &= ~(words)(y == 0);
  return (apart & 0x00ff00ff) + (apart >> 8 & 0x00ff00ff);
}
OG_LANE words window_of(struct word_pair from, u32 i) {
  return i ? from.low >> (8 * i) | from.high << (32 - 8 * i) : from.low;
}
/* v_mqsad_u32_u8: the sum of the window that begins with byte i. */
OG_LANE words window_sads(struct word_pair from, u32 i, words reference, words addend) {
  const words sums = half_sads(window_of(from, i), reference, true);
  return (sums & 0xffff) + (sums >> 16) + addend;
}
OG_LANE words two_sads(struct word_pair from, u32 i, words reference, words addends, bool masked) {
  const words first = half_sads(window_of(from, i), reference, masked);
  const words second = half_sads(window_of(from, i + 1), reference, masked);
  const words low = (first & 0xffff) | second << 16, high = first >> 16 | (second & 0xffff0000);
  return (words)((shorts)low + (shorts)high + (shorts)addends);
}
OG_LANE struct word_pair quad_sads(struct word_pair from, words reference, struct word_pair addends, bool masked) {
  return (struct word_pair){two_sads(from, 0, reference, addends.low, masked),
                            two_sads(from, 2, reference, addends.high, masked)};
}

#if defined __SSSE3__
/* In each 16 bytes of x those that the lower 4 bits of `which` name. */
OG_LANE bytes shuffled(bytes x, bytes which) {
#if defined __AVX512F__
  return (bytes)_mm512_shuffle_epi8((__m512i)x, (__m512i)which);
#elif defined __AVX2__
  return (bytes)_mm256_shuffle_epi8((__m256i)x, (__m256i)which);
#else
  return (bytes)_mm_shuffle_epi8((__m128i)x, (__m128i)which);
#endif
}
/* 16 bytes in each 16 of the strip. */
#define EACH_16(...) {__VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__}
OG_LANE bytes load_bytes(const u8 *from) { return (bytes)load(from); }
#endif

/* v_perm_b32: of eight bytes those that bytes of `select` name, or signs of some, 0 or 255. */
OG_LANE words permuted_bytes(words high, words low, words select) {
#if defined __SSSE3__
  og_aligned static const u8 sources[64] = EACH_16(0, 1, 2, 3, 4, 5, 6, 7, 1, 3, 5, 7, 0, 0, 0, 0);
  og_aligned static const u8 lanes[64] = EACH_16(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
  const bytes which = ~larger_bytes(~(bytes)select, all_bytes(240)); /* 15 at most */
  const bytes source = shuffled(load_bytes(sources), which), place = (source & 3) | load_bytes(lanes);
  const bytes of_low = shuffled((bytes)low, place), of_high = shuffled((bytes)high, place);
  const bytes plain = chosen_bytes(is_above(source, 3), of_high, of_low);
  const bytes result = chosen_bytes(is_above(which, 7), (bytes)((signed_bytes)plain < 0), plain);
  return (words)((result & ~(bytes)(which == 12)) | is_above(which, 12));
#else
  words result;
  EACH_OF_STRIP result[i] = permute_bytes(high[i], low[i], select[i]);
  return result;
#endif
}

/* Four elements of `width` bits in bytes of their own, and where they were. */
OG_LANE words spread_elements(words x, u32 width) {
  const u32 mask = (1u << width) - 1, apart = 8 - width;
  return (x & mask) | (x << apart & mask << 8) | (x << 2 * apart & mask << 16) | (x << 3 * apart & mask << 24);
}
OG_LANE words joined_elements(words x, u32 width) {
  const u32 mask = (1u << width) - 1, apart = 8 - width;
  return (x & mask) | (x >> apart & mask << width) | (x >> 2 * apart & mask << 2 * width) |
         (x >> 3 * apart & mask << 3 * width);
}
/* Of sixteen bytes those that bytes of `which` name. */
OG_LANE words bytes_of_table(const words *table, words which) {
#if defined __SSSE3__
  og_aligned static const u8 lanes[64] = EACH_16(0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12);
  const bytes place = ((bytes)which & 3) | load_bytes(lanes), word = (bytes)which & 12;
  bytes result = {0};
  for (u32 k = 0; k < 4; k++)
    result |= shuffled((bytes)table[k], place) & (bytes)(word == all_bytes((u8)(4 * k)));
  return (words)result;
#else
  words result = {0};
  for (u32 k = 0; k < 32; k += 8)
    EACH_OF_STRIP result[i] |= (table[which[i] >> (k + 2) & 3][i] >> (which[i] >> k & 3) * 8 & 255) << k;
  return result;
#endif
}

/* ---- bfloats ----------------------------------------------------------------------------------------------------- */

/* To their precision, rounded to the nearest by a sum in which a bfloat's last place is a double's. */
OG_LANE doubles rounded_to_bfloats(doubles x) {
  const longs bits = (longs)x & INT64_MAX;
  const ints exponent = (ints)(bits & (i64)0x7ff << 52), least = (ints)all_longs((i64)897 << 52);
  const ints most = (ints)all_longs((i64)1151 << 52), bounded = smaller(larger(exponent, least), most);
  const doubles shift = (doubles)((longs)bounded + ((i64)45 << 52)), size = (doubles)bits;
  return (doubles)((longs)((size + shift) - shift) | ((longs)x & INT64_MIN));
}
/* bf16_bits() of the doubles of a strip, in which what is inexact was made odd. */
OG_LANE words bfloats_of(const doubles *x, u32 mode) {
  const words bits = (words)narrowed(rounded_to_bfloats(x[0]), rounded_to_bfloats(x[1])) >> 16;
  if (__builtin_expect(!(mode & 1 << 23), 1))
    return bits;
  doubles finite[2]; /* 1 where they are, else NaN */
  EACH_HALF finite[k] = x[k] * 0 + 1;
  const words one = (words)narrowed(finite[0], finite[1]);
  return bits - where_equal(one, all(0x3f800000), where_equal(bits & 0x7fff, all(0x7f80), all(1), all(0)), all(0));
}
OG_LANE words bf16_units(words bits) { /* bf16_unit(): what is negative is above all numbers, as NaN are */
  return where_above(bits, all(0x7f80), all(0), smaller_words(bits, all(0x3f80)));
}
OG_LANE words bf16_products(words a, words b, u32 mode) {
  const floats x = (floats)(a << 16), y = (floats)(b << 16);
  doubles products[2];
  EACH_HALF products[k] = widened(x, k) * widened(y, k);
  return bfloats_of(products, mode);
}
OG_LANE words bf16_fmas(words a, words b, words c, u32 mode) {
  const floats x = (floats)(a << 16), y = (floats)(b << 16), z = (floats)(c << 16);
  doubles sums[2];
  EACH_HALF sums[k] = odd_sums(widened(x, k) * widened(y, k), widened(z, k));
  return bfloats_of(sums, mode);
}

/* ---- pairs of halves --------------------------------------------------------------------------------------------- */

/* What a sum of f32 loses, where the host rounds to the nearest; and the sum made odd by that. */
OG_LANE floats lost_in_floats(floats a, floats b, floats sum) {
  const floats b_part = sum - a;
  return (a - (sum - b_part)) + (b - b_part);
}
OG_LANE floats made_odd(floats sum, floats lost) {
  const ints bits = (ints)sum, above = (ints)(lost < 0) - (ints)(lost > 0), sign = bits >> 31;
  return (floats)(bits + (((above ^ sign) - sign) & ((bits & 1) - 1)));
}
/* fma_f16() for what is rounded to the nearest: sums may be even but where they lie between two halves, or seem to. */
OG_LANE floats fmas_of_halves(floats a, floats b, floats c) {
  const floats product = a * b, sum = product + c;
  return any((ints)(((words)sum & 0xfff) == 0)) ? made_odd(sum, lost_in_floats(product, c, sum)) : sum;
}
OG_LANE words fmas_of_both(words a, words b, words c) {
  floats a_low, a_high, b_low, b_high, c_low, c_high;
  halves_of_words(a, &a_low, &a_high);
  halves_of_words(b, &b_low, &b_high);
  halves_of_words(c, &c_low, &c_high);
  return words_of_halves(fmas_of_halves(a_low, b_low, c_low), fmas_of_halves(a_high, b_high, c_high));
}

/* ---- dot products ------------------------------------------------------------------------------------------------ */

/* Products of the lower halves of a and b and of the upper ones: exact in f32. */
OG_LANE void multiply_halves(words a, words b, floats *low, floats *high) {
  floats a_low, a_high, b_low, b_high;
  halves_of_words(a, &a_low, &a_high);
  halves_of_words(b, &b_low, &b_high);
  *low = a_low * b_low, *high = a_high * b_high;
}
/* Their sums with c, which double holds but in rare cases; rounded once. */
OG_LANE floats dots2_f16(words a, words b, floats c) {
  floats low, high;
  doubles sums[2];
  multiply_halves(a, b, &low, &high);
  EACH_HALF sums[k] = widened(low, k) + widened(high, k) + widened(c, k);
  return narrowed(sums[0], sums[1]);
}
/* Each half of words, of which MODE may flush denormals. */
OG_LANE words loaded_halves(words bits, u32 mode) {
  return mode & 1 << 6 ? bits : flushed(flushed(bits, 0x7c00, 0xffff8000), 0x7c000000, 0x8000ffff);
}
/* Of three numbers where the host rounds to the nearest and f32 hold what both steps lose; else `*others` is set. */
OG_LANE floats odd_sums_in_floats(floats a, floats b, floats c, ints *others) {
  const floats two = a + b, sum = two + c;
  const floats first = lost_in_floats(a, b, two), second = lost_in_floats(two, c, sum), lost = first + second;
  *others = (ints)(lost - first != second) | (ints)(lost - second != first);
  const floats whole = sum + lost, odd = made_odd(whole, lost_in_floats(sum, lost, whole));
  return (floats)chosen((ints)(lost == 0), (ints)sum, (ints)odd); /* a zero keeps its sign */
}
/* Each step made odd for the sum to be rounded to half. */
OG_LANE floats dots2_halves(words a, words b, floats c, u32 mode) {
  floats low, high;
  multiply_halves(loaded_halves(a, mode), loaded_halves(b, mode), &low, &high);
  ints others;
  const floats sum = odd_sums_in_floats(low, high, c, &others);
  if (!(mode & OG_MODE_ROUND_16_64) && !any(others))
    return sum;
  const i64 cut = 0x1fffffff; /* as normal_to_odd() has it */
  doubles first[2], second[2], third[2], sums[2];
  EACH_HALF first[k] = widened(low, k), second[k] = widened(high, k), third[k] = widened(c, k);
  odd_sums_of_three(sums, first, second, third);
  EACH_HALF sums[k] = (doubles)(((longs)sums[k] | (((longs)sums[k] & cut) + cut)) & ~cut);
  return narrowed(sums[0], sums[1]);
}
/* Sums of products of bfloats, which are exact in double. */
OG_LANE void sum_bfloats(doubles *sums, words a, words b, floats c) {
  const floats a_low = (floats)(a << 16), a_high = (floats)(a & 0xffff0000);
  const floats b_low = (floats)(b << 16), b_high = (floats)(b & 0xffff0000);
  doubles low[2], high[2], addend[2];
  EACH_HALF low[k] = widened(a_low, k) * widened(b_low, k), high[k] = widened(a_high, k) * widened(b_high, k);
  EACH_HALF addend[k] = widened(c, k);
  odd_sums_of_three(sums, low, high, addend);
}
OG_LANE floats dots2_bf16(words a, words b, floats c) {
  doubles sums[2];
  sum_bfloats(sums, a, b, c);
  return narrowed(sums[0], sums[1]);
}
OG_LANE words dots2_bfloats(words a, words b, words c) {
  doubles sums[2];
  sum_bfloats(sums, a, b, (floats)(c << 16));
  return bfloats_of(sums, 0);
}

/* og_small_to_float() of OCP's formats: each byte i. */
OG_LANE floats numbers_of_8(words of, u32 i, bool bf8) {
  const words bits = of >> (8 * i), size = bits & 127, sign = bits << 24 & 0x80000000;
  const words tiny = (words)(converted(size) * (bf8 ? 0x1p-16f : 0x1p-9f));
  words value = where_above(all(bf8 ? 4 : 8), size, tiny, bf8 ? (size << 21) + 0x38000000 : (size << 20) + 0x3c000000);
  if (bf8)
    value = where_equal(size, all(124), all(0x7f800000), value);
  return (floats)(where_above(size, all(bf8 ? 124 : 126), all(0x7fc00000), value) | sign);
}
OG_LANE bytes nan_of_8(words of, bool bf8) { return is_above((bytes)(of & 0x7f7f7f7f), bf8 ? 124 : 126); }
/* Bytes 0 and 2, or 1 and 3, that are no NaN as halves; of fp8 256 times less. */
OG_LANE words halves_of_8(words of, bool odd, bool bf8) {
  if (bf8)
    return (odd ? of : of << 8) & 0xff00ff00;
  return odd ? (of >> 1 & 0x3f803f80) | (of & 0x80008000) : (of << 7 & 0x3f803f80) | (of << 8 & 0x80008000);
}
/* The sum of products where f32 hold each step's, whatever the host rounds to; else `*others` is set. */
OG_LANE floats exact_sums_of_4(const floats *products, ints *others) {
  floats sum = products[0] + (floats){0};
  *others = (ints){0};
  for (u32 i = 1; i < 4; i++) {
    const floats next = sum + products[i];
    *others |= (ints)(next - sum != products[i]) | (ints)(next - products[i] != sum);
    sum = next;
  }
  return sum;
}
/* Products are exact; those of halves are smaller by `scale`. */
OG_LANE floats dots4_f8(words a, words b, floats c, bool bf8_a, bool bf8_b) {
  floats products[4];
  doubles sums[2] = {{0}};
#if defined __F16C__
  const f32 scale = (bf8_a ? 1.0f : 256.0f) * (bf8_b ? 1.0f : 256.0f);
  for (u32 i = 0; i < 2; i++)
    multiply_halves(halves_of_8(a, i, bf8_a), halves_of_8(b, i, bf8_b), &products[i], &products[i + 2]);
  ints others;
  const floats sum = exact_sums_of_4(products, &others);
  others |= (ints)(nan_of_8(a, bf8_a) | nan_of_8(b, bf8_b)); /* halves of which are none */
  if (!any(others))
    return sum * scale + c;
#endif
  for (u32 i = 0; i < 4; i++) {
    products[i] = numbers_of_8(a, i, bf8_a) * numbers_of_8(b, i, bf8_b);
    EACH_HALF sums[k] += widened(products[i], k);
  }
  EACH_HALF sums[k] = odd_sums(sums[k], widened(c, k));
  return narrowed(sums[0], sums[1]);
}

#endif
