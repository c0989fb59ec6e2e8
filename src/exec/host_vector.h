/* host_vector.h - vectors of the host, as many lanes as one holds, for what compilers would not make of loops:
 * matrices, conversions of small floats, what does much in a lane. Compiled once for each host instruction set. */
#ifndef OG_EXEC_HOST_VECTOR_H
#define OG_EXEC_HOST_VECTOR_H

#include <string.h>

#include "exec/lane_integer.h"

#if defined __SSE2__
#include <immintrin.h>
#endif

/* Of longer vectors than the host's compilers make a detour through memory. */
#if defined __AVX512F__
enum { PANEL = 16 };
#elif defined __AVX2__
enum { PANEL = 8 };
#else
enum { PANEL = 4 };
#endif

typedef i32 ints __attribute__((vector_size(4 * PANEL)));
typedef u32 words __attribute__((vector_size(4 * PANEL)));
typedef f32 floats __attribute__((vector_size(4 * PANEL)));

OG_LANE ints load_ints(const void *from) {
  ints x;
  memcpy(&x, from, sizeof(x));
  return x;
}
OG_LANE ints splat_int(i32 x) { return x + (ints){0}; }
OG_LANE ints chosen(ints which, ints x, ints y) { return (which & x) | (~which & y); }
OG_LANE ints larger(ints x, ints y) {
#if defined __AVX512F__
  return (ints)_mm512_max_epi32((__m512i)x, (__m512i)y);
#elif defined __AVX2__
  return (ints)_mm256_max_epi32((__m256i)x, (__m256i)y);
#elif defined __SSE4_1__
  return (ints)_mm_max_epi32((__m128i)x, (__m128i)y);
#else
  return chosen(x > y, x, y);
#endif
}
OG_LANE ints smaller(ints x, ints y) {
#if defined __AVX512F__
  return (ints)_mm512_min_epi32((__m512i)x, (__m512i)y);
#elif defined __AVX2__
  return (ints)_mm256_min_epi32((__m256i)x, (__m256i)y);
#elif defined __SSE4_1__
  return (ints)_mm_min_epi32((__m128i)x, (__m128i)y);
#else
  return chosen(x < y, x, y);
#endif
}
OG_LANE bool any(ints x) {
#if defined __AVX512F__
  return _mm512_test_epi32_mask((__m512i)x, (__m512i)x) != 0;
#elif defined __AVX2__
  return !_mm256_testz_si256((__m256i)x, (__m256i)x);
#else
  return (x[0] | x[1] | x[2] | x[3]) != 0;
#endif
}

#endif
