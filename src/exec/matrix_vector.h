/* matrix_vector.h - vectors of the host for multiplication of matrices: what compilers would not make of loops. */
#ifndef OG_EXEC_MATRIX_VECTOR_H
#define OG_EXEC_MATRIX_VECTOR_H

#include "exec/host_vector.h"

#if defined __clang__
#define OG_LOOP _Pragma("clang loop vectorize(assume_safety)")
#define OG_UNROLL _Pragma("clang loop unroll(full)")
#else
#define OG_LOOP _Pragma("GCC ivdep")
#define OG_UNROLL _Pragma("GCC unroll 16")
#endif
#define og_aligned _Alignas(64)

/* A tile, neighbours in one row of D, has TILE lanes whatever the host is. */
enum { TILE = 16, VECTORS = TILE / PANEL };
#define EACH OG_LOOP for (int i = 0; i < PANEL; i++)
#define EACH_VECTOR OG_UNROLL for (int v = 0; v < VECTORS; v++)

typedef i16 shorts __attribute__((vector_size(2 * PANEL)));       /* beside ints */
typedef signed char bytes __attribute__((vector_size(4 * PANEL))); /* four in each of ints */
typedef unsigned char unsigned_bytes __attribute__((vector_size(4 * PANEL)));
typedef i16 tile_shorts __attribute__((vector_size(2 * TILE)));

enum { NO_EXPONENT = -4000 }; /* of 0 */

OG_LANE floats load_floats(const f32 *from) {
  floats x;
  memcpy(&x, from, sizeof(x));
  return x;
}
OG_LANE tile_shorts load_shorts(const i16 *from) {
  tile_shorts x;
  memcpy(&x, from, sizeof(x));
  return x;
}
OG_LANE void store_floats_at(f32 *to, floats x) { memcpy(to, &x, sizeof(x)); }
OG_LANE ints smaller_unsigned(ints x, ints y) {
#if defined __AVX512F__
  return (ints)_mm512_min_epu32((__m512i)x, (__m512i)y);
#elif defined __AVX2__
  return (ints)_mm256_min_epu32((__m256i)x, (__m256i)y);
#else
  return chosen((ints)((words)x < (words)y), x, y);
#endif
}
OG_LANE tile_shorts larger_shorts(tile_shorts x, tile_shorts y) {
#if defined __AVX2__
  return (tile_shorts)_mm256_max_epi16((__m256i)x, (__m256i)y);
#else
  tile_shorts which = x > y;
  return (which & x) | (~which & y);
#endif
}
/* One vector's part of a tile, as 32 bits. */
OG_LANE ints widened(tile_shorts x, int v) {
#if defined __AVX512F__
  (void)v;
  return (ints)_mm512_cvtepi16_epi32((__m256i)x);
#elif defined __AVX2__
  __m256i all = (__m256i)x;
  return (ints)_mm256_cvtepi16_epi32(v ? _mm256_extracti128_si256(all, 1) : _mm256_castsi256_si128(all));
#else
  ints out = {0};
  for (int i = 0; i < PANEL; i++)
    out[i] = x[v * PANEL + i];
  return out;
#endif
}
/* Four bytes in each: sums that stay in their range, the larger ones, the largest of the four in the uppermost byte. */
#if defined __AVX2__
OG_LANE ints sums_of_bytes(ints x, ints y) {
#if defined __AVX512BW__
  return (ints)_mm512_adds_epi8((__m512i)x, (__m512i)y);
#else
  return (ints)_mm256_adds_epi8((__m256i)x, (__m256i)y);
#endif
}
OG_LANE ints larger_bytes(ints x, ints y) {
#if defined __AVX512BW__
  return (ints)_mm512_max_epi8((__m512i)x, (__m512i)y);
#else
  return (ints)_mm256_max_epi8((__m256i)x, (__m256i)y);
#endif
}
/* Exponents of four numbers without their bias, in a byte each; 0 has -128, and others at least `least`. */
OG_LANE ints bytes_of_exponents(ints x0, ints x1, ints x2, ints x3, bytes least) {
  ints packed = ((ints)((words)x0 >> 23) & 0xff) | ((ints)((words)x1 >> 15) & 0xff00);
  packed |= ((ints)((words)x2 >> 7) & 0xff0000) | (x3 << 1 & (i32)0xff000000);
  bytes biased = (bytes)packed; /* less 127 it wraps */
  ints exponents = larger_bytes((ints)((unsigned_bytes)biased - 127), (ints)least);
  return chosen((ints)(biased == 0), splat_int((i32)0x80808080), exponents);
}
OG_LANE ints largest_of_bytes(ints x) {
  x = larger_bytes(x, x << 16);
  return larger_bytes(x, x << 8);
}
#endif
OG_LANE void store_narrowed(i16 *to, ints x) {
#if defined __AVX512F__
  _mm256_storeu_si256((__m256i *)to, _mm512_cvtepi32_epi16((__m512i)x));
#else
  shorts narrow = __builtin_convertvector(x, shorts);
  memcpy(to, &narrow, sizeof(narrow));
#endif
}
OG_LANE i32 least_of(ints x) {
#if defined __AVX512F__
  return _mm512_reduce_min_epi32((__m512i)x);
#else
  i32 least = x[0];
  for (int i = 1; i < PANEL; i++)
    least = min_i32(least, x[i]);
  return least;
#endif
}
OG_LANE i32 most_of(ints x) {
#if defined __AVX512F__
  return _mm512_reduce_max_epi32((__m512i)x);
#else
  i32 most = x[0];
  for (int i = 1; i < PANEL; i++)
    most = max_i32(most, x[i]);
  return most;
#endif
}
OG_LANE floats splat(f32 x) { return x - (floats){0}; }
/* Divided by 2^n, downwards, however large n is. */
OG_LANE ints shifted_down(ints x, ints n) {
#if defined __AVX512F__
  return (ints)_mm512_srav_epi32((__m512i)x, (__m512i)n);
#elif defined __AVX2__
  return (ints)_mm256_srav_epi32((__m256i)x, (__m256i)n);
#else
  return x >> smaller(n, splat_int(31));
#endif
}
/* Divided by 2^n, n from 0 to 31, towards zero. */
OG_LANE ints shifted_to_zero(ints x, ints n) {
  words below = ((words){0} + 1) << (words)n;
  return (ints)((words)x + ((words)(x >> 31) & (below - 1))) >> n;
}
/* a * b + c, rounded once. */
OG_LANE floats fma_floats(floats a, floats b, floats c) {
#if defined __AVX512F__
  return (floats)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined __FMA__
  return (floats)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
  for (int i = 0; i < PANEL; i++)
    c[i] = __builtin_fmaf(a[i], b[i], c[i]);
  return c;
#endif
}
/* Products of both halves, whole numbers of 16 bits, added. */
OG_LANE ints add_products_of_words(ints x, ints y, ints sum) {
#if defined __AVX512BW__
  return (ints)_mm512_add_epi32((__m512i)sum, _mm512_madd_epi16((__m512i)x, (__m512i)y));
#elif defined __AVX2__
  return (ints)_mm256_add_epi32((__m256i)sum, _mm256_madd_epi16((__m256i)x, (__m256i)y));
#elif defined __SSE2__
  return sum + (ints)_mm_madd_epi16((__m128i)x, (__m128i)y);
#else
  return sum + (x << 16 >> 16) * (y << 16 >> 16) + (x >> 16) * (y >> 16);
#endif
}
/* Of each four neighbours the one of that number, four times. */
OG_LANE floats nth_of_four(floats x, u32 n) {
#if defined __AVX512F__
  const __m512i which = _mm512_set_epi32(12, 12, 12, 12, 8, 8, 8, 8, 4, 4, 4, 4, 0, 0, 0, 0);
  return (floats)_mm512_permutexvar_ps(_mm512_add_epi32(which, _mm512_set1_epi32((int)n)), (__m512)x);
#elif defined __AVX2__
  const __m256i which = _mm256_set_epi32(4, 4, 4, 4, 0, 0, 0, 0);
  return (floats)_mm256_permutevar8x32_ps((__m256)x, _mm256_add_epi32(which, _mm256_set1_epi32((int)n)));
#else
  return splat(x[n]);
#endif
}
/* To the next integer below, or towards zero; what has no 32 bits becomes something. */
OG_LANE ints floor_of(floats x) {
#if defined __AVX512F__
  return (ints)_mm512_cvt_roundps_epi32((__m512)x, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
#elif defined __AVX2__
  return (ints)_mm256_cvttps_epi32(_mm256_floor_ps((__m256)x));
#else
  ints whole = __builtin_convertvector(x, ints);
  return whole + (__builtin_convertvector(whole, floats) > x);
#endif
}
OG_LANE ints cut_of(floats x) {
#if defined __AVX512F__
  return (ints)_mm512_cvttps_epi32((__m512)x);
#elif defined __AVX2__
  return (ints)_mm256_cvttps_epi32((__m256)x);
#else
  return __builtin_convertvector(x, ints);
#endif
}

/* 2^n of a double. */
OG_LANE f64 power(i32 n) { return f64_of_bits((u64)(u32)(n + 1023) << 52); }

#endif
