/* strip.h - strips of lanes as vectors of the host, for conversions of floats of few bits and for what does much in
 * each lane (lane_strips.h): all that is done to a value stays in registers, which compilers do not make of loops over
 * lanes. A part of convert_ops.h and vector_ops.h. */
#ifndef OG_EXEC_STRIP_H
#define OG_EXEC_STRIP_H

#include "exec/host_vector.h"
#include "exec/lane_small.h"

#define EACH_OF_STRIP for (int i = 0; i < PANEL; i++)

OG_LANE words all(u32 x) { return x + (words){0}; }
OG_LANE words load(const void *from) {
  words x;
  memcpy(&x, from, sizeof x);
  return x;
}
OG_LANE words chosen_words(words which, words x, words y) { return (words)chosen((ints)which, (ints)x, (ints)y); }
OG_LANE words larger_words(words x, words y) { return (words)larger((ints)x, (ints)y); }
OG_LANE words smaller_words(words x, words y) { return (words)smaller((ints)x, (ints)y); }
OG_LANE void store(u32 *to, words x) { memcpy(to, &x, sizeof x); }
OG_LANE void store_floats(f32 *to, floats x) { memcpy(to, &x, sizeof x); }

/* ---- comparisons and shifts -------------------------------------------------------------------------------------- */

/* x where a is above b, or equal to it, else y. Neither a nor b has its uppermost bit set. */
OG_LANE words where_above(words a, words b, words x, words y) {
#if defined __AVX512F__
  return (words)_mm512_mask_mov_epi32((__m512i)y, _mm512_cmpgt_epi32_mask((__m512i)a, (__m512i)b), (__m512i)x);
#else
  return chosen_words((words)((ints)a > (ints)b), x, y);
#endif
}
OG_LANE words where_equal(words a, words b, words x, words y) {
#if defined __AVX512F__
  return (words)_mm512_mask_mov_epi32((__m512i)y, _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b), (__m512i)x);
#else
  return chosen_words((words)(a == b), x, y);
#endif
}
/* All lanes by their own count; 0 where that is above 31. */
OG_LANE words shifted_up(words x, words count) {
#if defined __AVX512F__
  return (words)_mm512_sllv_epi32((__m512i)x, (__m512i)count);
#elif defined __AVX2__
  return (words)_mm256_sllv_epi32((__m256i)x, (__m256i)count);
#else
  return (x << (count & 31)) & (words)(count < 32);
#endif
}
OG_LANE words shifted_down(words x, words count) {
#if defined __AVX512F__
  return (words)_mm512_srlv_epi32((__m512i)x, (__m512i)count);
#elif defined __AVX2__
  return (words)_mm256_srlv_epi32((__m256i)x, (__m256i)count);
#else
  return (x >> (count & 31)) & (words)(count < 32);
#endif
}
/* All lanes by one count below 32 that compilers do not know: where lanes may have their own, that is quicker. */
OG_LANE words moved_up(words x, u32 count) {
#if defined __AVX2__
  return shifted_up(x, all(count));
#else
  return x << count;
#endif
}
OG_LANE words moved_down(words x, u32 count) {
#if defined __AVX2__
  return shifted_down(x, all(count));
#else
  return x >> count;
#endif
}

/* Of x the bits where `which` is all ones are stored. */
OG_LANE void store_where(u32 *to, words which, words x) {
#if defined __AVX512F__
  _mm512_mask_store_epi32(to, _mm512_test_epi32_mask((__m512i)which, (__m512i)which), (__m512i)x);
#else
  store(to, chosen_words(which, x, load(to)));
#endif
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

/* Denormals that are not kept become zeros. */
OG_LANE words flushed(words bits, u32 exponent, u32 sign) {
  return where_equal(bits & exponent, all(0), bits & sign, bits);
}
OG_LANE floats numbers(words bits) { return (floats)bits; }
/* Of integers below 2^31. */
OG_LANE floats converted(words whole) { return __builtin_convertvector((ints)whole, floats); }

/* Sizes of finite floats of few bits, whose exponent and mantissa `up` and `bias` bring to where an f32 has them. Of a
 * denormal that makes 2^e (1 + m) where 2^e 2m is meant: what it then is below the least normal number, it is once more
 * too much. A zero may be negative where the host rounds downwards. */
OG_LANE words finite_sizes(words size, u32 up, u32 bias) {
  const words number = moved_up(size, up) + bias;
  const floats beyond = (floats)number - (floats)all(bias + (1u << 23));
  return (words)((floats)number + (floats)smaller_words((words)beyond, all(0)));
}

/* The halves in the lower 16 bits, whatever the modes are. */
OG_LANE floats halves(words bits) {
#if defined __AVX512F__
  return (floats)_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)bits));
#elif defined __F16C__
  __m256i low = _mm256_and_si256((__m256i)bits, _mm256_set1_epi32(0xffff));
  return (floats)_mm256_cvtph_ps(_mm_packus_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1)));
#else
  floats x;
  EACH_OF_STRIP x[i] = half_value(bits[i] & 0xffff);
  return x;
#endif
}
/* Those in both parts of words. */
OG_LANE void halves_of_words(words bits, floats *low, floats *high) {
#if defined __AVX2__ && !defined __AVX512F__
  const __m256i apart = _mm256_setr_epi8(0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15, 0, 1, 4, 5, 8, 9, 12, 13,
                                         2, 3, 6, 7, 10, 11, 14, 15);
  const __m256i both = _mm256_permute4x64_epi64(_mm256_shuffle_epi8((__m256i)bits, apart), 0xd8);
  *low = (floats)_mm256_cvtph_ps(_mm256_castsi256_si128(both));
  *high = (floats)_mm256_cvtph_ps(_mm256_extracti128_si256(both, 1));
#else
  *low = halves(bits), *high = halves(bits >> 16);
#endif
}
/* Bits of halves from what is no denormal f32, rounded as `rounding`, an enum og_rounding, says. */
OG_LANE words bits_of_halves(floats x, u32 rounding) {
#if defined __F16C__
#if defined __AVX512F__
#define ROUNDED(how) return (words)_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)x, (how) | _MM_FROUND_NO_EXC))
#else
#define ROUNDED(how) return (words)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)x, how))
#endif
  if (rounding == OG_ROUND_NEAREST)
    ROUNDED(_MM_FROUND_TO_NEAREST_INT);
  if (rounding == OG_ROUND_UP)
    ROUNDED(_MM_FROUND_TO_POS_INF);
  if (rounding == OG_ROUND_DOWN)
    ROUNDED(_MM_FROUND_TO_NEG_INF);
  ROUNDED(_MM_FROUND_TO_ZERO);
#undef ROUNDED
#else
  words bits;
  EACH_OF_STRIP bits[i] = half_of_f32(x[i], rounding);
  return bits;
#endif
}
/* Two in each word, to the nearest. */
OG_LANE words words_of_halves(floats low, floats high) {
#if defined __AVX2__ && !defined __AVX512F__
  const __m128i lows = _mm256_cvtps_ph((__m256)low, _MM_FROUND_TO_NEAREST_INT);
  const __m128i highs = _mm256_cvtps_ph((__m256)high, _MM_FROUND_TO_NEAREST_INT);
  return (words)_mm256_set_m128i(_mm_unpackhi_epi16(lows, highs), _mm_unpacklo_epi16(lows, highs));
#else
  return bits_of_halves(low, OG_ROUND_NEAREST) | bits_of_halves(high, OG_ROUND_NEAREST) << 16;
#endif
}

/* ---- doubles ----------------------------------------------------------------------------------------------------- */

/* Of half a strip. */
typedef f64 doubles __attribute__((vector_size(4 * PANEL)));
typedef i64 longs __attribute__((vector_size(4 * PANEL)));
#define EACH_HALF for (int k = 0; k < 2; k++)

OG_LANE longs all_longs(i64 x) { return x + (longs){0}; }

OG_LANE doubles widened(floats x, int half) {
#if defined __AVX512F__
  return (doubles)_mm512_cvtps_pd(half ? _mm512_extractf32x8_ps((__m512)x, 1) : _mm512_castps512_ps256((__m512)x));
#elif defined __AVX2__
  return (doubles)_mm256_cvtps_pd(half ? _mm256_extractf128_ps((__m256)x, 1) : _mm256_castps256_ps128((__m256)x));
#elif defined __SSE2__
  return (doubles)_mm_cvtps_pd(half ? _mm_movehl_ps((__m128)x, (__m128)x) : (__m128)x);
#else
  return (doubles){(f64)x[2 * half], (f64)x[2 * half + 1]};
#endif
}
OG_LANE floats narrowed(doubles low, doubles high) {
#if defined __AVX512F__
  const __m256 upper = _mm512_cvtpd_ps((__m512d)high);
  return (floats)_mm512_insertf32x8(_mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)low)), upper, 1);
#elif defined __AVX2__
  return (floats)_mm256_set_m128(_mm256_cvtpd_ps((__m256d)high), _mm256_cvtpd_ps((__m256d)low));
#elif defined __SSE2__
  return (floats)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)low), _mm_cvtpd_ps((__m128d)high));
#else
  return (floats){(f32)low[0], (f32)low[1], (f32)high[0], (f32)high[1]};
#endif
}
/* What a sum loses, where nothing is infinite. */
OG_LANE doubles lost_in_sums(doubles a, doubles b, doubles sum) {
  const doubles b_part = sum - a;
  return (a - (sum - b_part)) + (b - b_part);
}
/* odd_sum() of each; most are exact. */
OG_LANE doubles odd_sums(doubles a, doubles b) {
  const doubles sum = a + b, rest = lost_in_sums(a, b, sum);
  if (!any((ints)((longs)rest & INT64_MAX)))
    return sum;
  const longs bits = (longs)sum, up = (rest > 0) == (sum > 0), finite = (bits & INT64_MAX) < (i64)0x7ff << 52;
  return (doubles)(bits + (((up & 2) - 1) & ((bits & 1) - 1) & (rest != 0) & finite));
}
/* odd_sum(odd_sum(a, b), c) of each of a strip. */
OG_LANE void odd_sums_of_three(doubles *sums, const doubles *a, const doubles *b, const doubles *c) {
  longs lost = {0};
  EACH_HALF {
    const doubles two = a[k] + b[k];
    sums[k] = two + c[k];
    lost |= (longs)lost_in_sums(a[k], b[k], two) | (longs)lost_in_sums(two, c[k], sums[k]);
  }
  if (any((ints)(lost & INT64_MAX)))
    EACH_HALF sums[k] = odd_sums(odd_sums(a[k], b[k]), c[k]);
}

#endif
