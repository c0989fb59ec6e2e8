/* convert_vector.h - strips of lanes as vectors of the host, for conversions of floats of few bits: all that is done to
 * a value stays in registers, which compilers do not make of loops over lanes. A part of convert_ops.h. */
#ifndef OG_EXEC_CONVERT_VECTOR_H
#define OG_EXEC_CONVERT_VECTOR_H

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

/* Of x the bits where `which` is all ones are stored. */
OG_LANE void store_where(u32 *to, words which, words x) {
#if defined __AVX512F__
  _mm512_mask_store_epi32(to, _mm512_test_epi32_mask((__m512i)which, (__m512i)which), (__m512i)x);
#else
  store(to, chosen_words(which, x, load(to)));
#endif
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

OG_LANE floats numbers(words bits) { return (floats)bits; }
/* Of integers below 2^31. */
OG_LANE floats converted(words whole) { return __builtin_convertvector((ints)whole, floats); }

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

#endif
