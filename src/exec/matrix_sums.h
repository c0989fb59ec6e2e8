/* matrix_sums.h - products of a tile of D summed in floats or doubles: in turn, in pairs, exactly, scaled. */
#ifndef OG_EXEC_MATRIX_SUMS_H
#define OG_EXEC_MATRIX_SUMS_H

#include "exec/exec.h"
#include "exec/lane_divide.h"
#include "exec/matrix_vector.h"

/* Factors of a tile, some k of them: A at `a + k * stride_a`, one for all lanes or, `gathered`, one for each; B at
 * `b + k * stride_b`, one for each. */
struct tile {
  const f32 *a, *b;
  const i16 *exponent_a, *exponent_b; /* in the same places */
  u32 stride_a, stride_b, depth;
  const f64 *scale_a, *scale_b;       /* of the row and the columns; NULL: 1 */
};
OG_LANE floats load_a(const struct tile *t, u32 k, int v, bool gathered) {
  return gathered ? load_floats(t->a + k * t->stride_a + v * PANEL) : splat(t->a[k * t->stride_a]);
}
OG_LANE floats load_b(const struct tile *t, u32 k, int v) { return load_floats(t->b + k * t->stride_b + v * PANEL); }

OG_LANE void fused(const struct tile *t, bool gathered, f32 *sum) {
  EACH_VECTOR {
    floats s = load_floats(sum + v * PANEL);
    for (u32 k = 0; k < t->depth; k++)
      s = fma_floats(load_a(t, k, v, gathered), load_b(t, k, v), s);
    store_floats_at(sum + v * PANEL, s);
  }
}
/* Of four results of the same lanes in turn, for one sum waits for itself: their rows of A are `step` apart. */
enum { ABREAST = 4 };
OG_LANE void fused_abreast(const struct tile *t, u32 step, u32 stride_a, u32 stride_b, f32 *sum) {
  EACH_VECTOR {
    f32 *at = sum + v * PANEL;
    const f32 *a = t->a, *b = t->b + v * PANEL;
    floats s0 = load_floats(at), s1 = load_floats(at + OG_LANES);
    floats s2 = load_floats(at + 2 * OG_LANES), s3 = load_floats(at + 3 * OG_LANES);
    for (u32 k = 0; k < t->depth; k++, a += stride_a, b += stride_b) {
      floats x = load_floats(b);
      s0 = fma_floats(splat(a[0]), x, s0), s1 = fma_floats(splat(a[step]), x, s1);
      s2 = fma_floats(splat(a[2 * step]), x, s2), s3 = fma_floats(splat(a[3 * step]), x, s3);
    }
    store_floats_at(at, s0), store_floats_at(at + OG_LANES, s1);
    store_floats_at(at + 2 * OG_LANES, s2), store_floats_at(at + 3 * OG_LANES, s3);
  }
}

OG_LANE void pairwise(const struct tile *t, u32 group, bool gathered, f32 *sum) {
#define PRODUCT(k) (load_a(t, (k), v, gathered) * load_b(t, (k), v))
  EACH_VECTOR {
    floats s = load_floats(sum + v * PANEL);
    if (group == 4)
      for (u32 k = 0; k < t->depth; k += 4)
        s += (PRODUCT(k) + PRODUCT(k + 1)) + (PRODUCT(k + 2) + PRODUCT(k + 3));
    else
      for (u32 k = 0; k < t->depth; k += 2)
        s += PRODUCT(k) + PRODUCT(k + 1);
    store_floats_at(sum + v * PANEL, s);
  }
#undef PRODUCT
}

/* Four results abreast, as in fused_abreast(). */
OG_LANE void pairwise_abreast(const struct tile *t, u32 group, u32 step, u32 stride_a, u32 stride_b, f32 *sum) {
  EACH_VECTOR {
    floats s[ABREAST];
    OG_UNROLL for (u32 r = 0; r < ABREAST; r++)
      s[r] = load_floats(sum + r * OG_LANES + v * PANEL);
    for (u32 k = 0; k < t->depth; k += group) {
      const f32 *a = t->a + k * stride_a;
      floats x[4];
      OG_UNROLL for (u32 n = 0; n < group; n++)
        x[n] = load_floats(t->b + (k + n) * stride_b + v * PANEL);
      OG_UNROLL for (u32 r = 0; r < ABREAST; r++) {
        floats pair = a[r * step] * x[0] + a[stride_a + r * step] * x[1];
        s[r] += group == 2 ? pair : pair + (a[2 * stride_a + r * step] * x[2] + a[3 * stride_a + r * step] * x[3]);
      }
    }
    OG_UNROLL for (u32 r = 0; r < ABREAST; r++)
      store_floats_at(sum + r * OG_LANES + v * PANEL, s[r]);
  }
}

/* Whole numbers, two k in a dword (unpack_words()): `depth` dwords. f32 holds what is summed. */
OG_LANE void words_abreast(const struct tile *t, u32 depth, u32 step, u32 stride_a, u32 stride_b, f32 *sum) {
  EACH_VECTOR {
    const f32 *a = t->a, *b = t->b + v * PANEL;
    ints s[ABREAST] = {{0}};
    for (u32 n = 0; n < depth; n++, a += stride_a, b += stride_b) {
      ints x = load_ints(b);
      OG_UNROLL for (u32 r = 0; r < ABREAST; r++)
        s[r] = add_products_of_words(splat_int((i32)bits_of_f32(a[r * step])), x, s[r]);
    }
    OG_UNROLL for (u32 r = 0; r < ABREAST; r++) {
      f32 *at = sum + r * OG_LANES + v * PANEL;
      store_floats_at(at, load_floats(at) + __builtin_convertvector(s[r], floats));
    }
  }
}

/* Where one f32 holds the sum of a group's products, in any order: then times its scale, which f32 holds, too, and
 * added with one rounding. */
OG_LANE void short_products(const f32 *a, const f32 *b, u32 step, floats *s) {
  floats x = load_floats(b);
  OG_UNROLL for (u32 r = 0; r < ABREAST; r++)
    s[r] = fma_floats(splat(a[r * step]), x, s[r]);
}
OG_LANE void short_group(const struct tile *t, u32 from, u32 count, u32 step, int v, floats by, f32 *sum) {
  const u32 stride_a = t->stride_a, stride_b = t->stride_b;
  const f32 *a = t->a + from * stride_a, *b = t->b + from * stride_b + v * PANEL;
  floats s[ABREAST] = {{0}}, other[ABREAST] = {{0}};
  for (u32 n = 0; n + 1 < count; n += 2, a += 2 * stride_a, b += 2 * stride_b)
    short_products(a, b, step, s), short_products(a + stride_a, b + stride_b, step, other);
  if (count % 2)
    short_products(a, b, step, s);
  OG_UNROLL for (u32 r = 0; r < ABREAST; r++) {
    f32 *at = sum + r * OG_LANES + v * PANEL;
    floats c = load_floats(at), all = s[r] + other[r];
    store_floats_at(at, t->scale_a ? fma_floats(all, by * (f32)t->scale_a[r * step], c) : all + c);
  }
}
OG_LANE void short_abreast(const struct tile *t, u32 group, u32 step, f32 *sum) {
  EACH_VECTOR {
    og_aligned f32 by[PANEL];
    EACH by[i] = t->scale_a ? (f32)t->scale_b[v * PANEL + i] : 1;
    for (u32 k = 0; k < t->depth; k += group)
      short_group(t, k, k + group < t->depth ? group : t->depth - k, step, v, load_floats(by), sum);
  }
}

/* ---- in doubles -------------------------------------------------------------------------------------------------- */

#define A(k) (f64) a[(k) * stride_a + (gathered ? (u32)i : 0)]
#define B(k) (f64) b[(k) * stride_b + (u32)i]

/* The products of a group add up without error in a double: see sums_are_plain(). Then times their scale. */
OG_LANE void exact(const struct tile *t, u32 group, bool gathered, f32 *total) {
  const u32 stride_a = t->stride_a, stride_b = t->stride_b;
  for (int v = 0; v < TILE; v += PANEL) {
    const f32 *a = t->a + (gathered ? v : 0), *b = t->b + v;
    f32 *sum = total + v;
    for (u32 k = 0; k < t->depth; k += group) {
      og_aligned f64 s[PANEL];
      EACH s[i] = 0;
      for (u32 n = k; n < k + group && n < t->depth; n++)
        EACH s[i] = __builtin_fma(A(n), B(n), s[i]);
      if (t->scale_a) {
        const f64 row = *t->scale_a, *by = t->scale_b + v;
        EACH sum[i] = (f32)odd_sum(s[i] * (row * by[i]), (f64)sum[i]);
      } else {
        EACH sum[i] = (f32)odd_sum(s[i], (f64)sum[i]);
      }
    }
  }
}

/* The same of four results abreast, half a vector at a time, of factors that are doubles already. */
typedef f32 half_floats __attribute__((vector_size(2 * PANEL)));
typedef f64 doubles __attribute__((vector_size(4 * PANEL)));
typedef i64 longs __attribute__((vector_size(4 * PANEL)));
typedef i32 half_ints __attribute__((vector_size(2 * PANEL)));
enum { HALF = PANEL / 2 };
OG_LANE doubles load_doubles(const f64 *from) {
  doubles x;
  memcpy(&x, from, sizeof(x));
  return x;
}
/* gcc makes two conversions of one where it is left to it. */
OG_LANE doubles widened_floats(const f32 *from) {
#if defined __AVX512F__
  return (doubles)_mm512_cvtps_pd(_mm256_loadu_ps(from));
#elif defined __AVX2__
  return (doubles)_mm256_cvtps_pd(_mm_loadu_ps(from));
#else
  half_floats x;
  memcpy(&x, from, sizeof(x));
  return __builtin_convertvector(x, doubles);
#endif
}
OG_LANE void store_narrowed_doubles(f32 *to, doubles x) {
#if defined __AVX512F__
  _mm256_storeu_ps(to, _mm512_cvtpd_ps((__m512d)x));
#elif defined __AVX2__
  _mm_storeu_ps(to, _mm256_cvtpd_ps((__m256d)x));
#else
  half_floats all = __builtin_convertvector(x, half_floats);
  memcpy(to, &all, sizeof(all));
#endif
}
static void widen_floats(const f32 *from, u32 count, f64 *to) {
  for (u32 i = 0; i < count; i += HALF) {
    doubles x = widened_floats(from + i);
    memcpy(to + i, &x, sizeof(x));
  }
}
/* x * y + c, rounded once; and where none of its steps rounds. */
OG_LANE doubles fma_doubles(doubles x, doubles y, doubles c) {
#if defined __AVX512F__
  return (doubles)_mm512_fmadd_pd((__m512d)x, (__m512d)y, (__m512d)c);
#elif defined __FMA__
  return (doubles)_mm256_fmadd_pd((__m256d)x, (__m256d)y, (__m256d)c);
#else
  for (int i = 0; i < PANEL / 2; i++)
    c[i] = __builtin_fma(x[i], y[i], c[i]);
  return c;
#endif
}
OG_LANE doubles exact_fma(doubles x, doubles y, doubles c) {
#if defined __FMA__
  return fma_doubles(x, y, c);
#else
  return x * y + c;
#endif
}
/* Doubles of registers: PANEL lanes of the low halves and of the high ones are two vectors of them. */
struct double_panel {
  doubles part[2];
};
OG_LANE struct double_panel joined(ints low, ints high) {
  struct double_panel out;
#if defined __AVX512F__
  const __m512i first = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
  const __m512i second = _mm512_add_epi32(first, _mm512_set1_epi32(8));
  out.part[0] = (doubles)_mm512_permutex2var_epi32((__m512i)low, first, (__m512i)high);
  out.part[1] = (doubles)_mm512_permutex2var_epi32((__m512i)low, second, (__m512i)high);
#elif defined __AVX2__
  __m256i x = _mm256_unpacklo_epi32((__m256i)low, (__m256i)high);
  __m256i y = _mm256_unpackhi_epi32((__m256i)low, (__m256i)high);
  out.part[0] = (doubles)_mm256_permute2x128_si256(x, y, 0x20);
  out.part[1] = (doubles)_mm256_permute2x128_si256(x, y, 0x31);
#else
  ints mixed[2] = {{low[0], high[0], low[1], high[1]}, {low[2], high[2], low[3], high[3]}};
  memcpy(&out, mixed, sizeof(out));
#endif
  return out;
}
OG_LANE void part_doubles(struct double_panel x, ints *low, ints *high) {
#if defined __AVX512F__
  const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  const __m512i odd = _mm512_add_epi32(even, _mm512_set1_epi32(1));
  *low = (ints)_mm512_permutex2var_epi32((__m512i)x.part[0], even, (__m512i)x.part[1]);
  *high = (ints)_mm512_permutex2var_epi32((__m512i)x.part[0], odd, (__m512i)x.part[1]);
#elif defined __AVX2__
  __m256i even = (__m256i)_mm256_shuffle_ps((__m256)x.part[0], (__m256)x.part[1], 0x88);
  __m256i odd = (__m256i)_mm256_shuffle_ps((__m256)x.part[0], (__m256)x.part[1], 0xdd);
  *low = (ints)_mm256_permute4x64_epi64(even, 0xd8), *high = (ints)_mm256_permute4x64_epi64(odd, 0xd8);
#else
  ints mixed[2];
  memcpy(mixed, &x, sizeof(mixed));
  *low = (ints){mixed[0][0], mixed[0][2], mixed[1][0], mixed[1][2]};
  *high = (ints){mixed[0][1], mixed[0][3], mixed[1][1], mixed[1][3]};
#endif
}
/* x * y + c as a double that rounds to f32 as the sum itself would: made odd where it is inexact. Of the sums rounded
 * down and up one is odd, unless they are the same. */
OG_LANE doubles odd_fma(doubles x, doubles y, doubles c) {
#if defined __AVX512F__
  __m512d down = _mm512_fmadd_round_pd((__m512d)x, (__m512d)y, (__m512d)c, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
  __m512d up = _mm512_fmadd_round_pd((__m512d)x, (__m512d)y, (__m512d)c, _MM_FROUND_TO_POS_INF | _MM_FROUND_NO_EXC);
  __mmask8 odd = _mm512_test_epi64_mask((__m512i)down, _mm512_set1_epi64(1));
  return (doubles)_mm512_mask_mov_pd(up, odd, down);
#else
  doubles product = x * y, sum = product + c, part = sum - product; /* the product is exact: see way_in_doubles() */
  doubles rest = (product - (sum - part)) + (c - part);
  longs bits = (longs)sum, even = ((bits & 1) - 1) & ((rest < 0) | (rest > 0)), up = (rest > 0) == (sum > 0);
  return (doubles)(bits + (((up & 1) * 2 - 1) & even)); /* sums of numbers are finite */
#endif
}
/* What a group adds to sums of f32, `by` its scale. */
OG_LANE void add_scaled(doubles group, doubles by, f32 *sum) {
  store_narrowed_doubles(sum, odd_fma(group, by, widened_floats(sum)));
}

struct wide_tile {
  const f64 *a, *b, *scale_a, *scale_b; /* scales may be NULL: 1 */
  u32 stride_a, stride_b, step;         /* rows of A of the four results are `step` apart */
};
enum { WIDE = PANEL == 4 ? 1 : 2 }; /* halves of a vector at a time: what the host has registers for */
OG_LANE void exact_group(const struct wide_tile *t, u32 from, u32 count, u32 column, f32 *sum) {
  const f64 *a = t->a + from * t->stride_a, *b = t->b + from * t->stride_b + column;
  doubles s[ABREAST][WIDE] = {{{0}}};
  for (u32 n = 0; n < count; n++, a += t->stride_a, b += t->stride_b) {
    doubles x[WIDE];
    OG_UNROLL for (u32 h = 0; h < WIDE; h++)
      x[h] = load_doubles(b + h * HALF);
    OG_UNROLL for (u32 r = 0; r < ABREAST; r++) {
      const doubles y = a[r * t->step] - (doubles){0};
      OG_UNROLL for (u32 h = 0; h < WIDE; h++)
        s[r][h] = exact_fma(y, x[h], s[r][h]);
    }
  }
  OG_UNROLL for (u32 h = 0; h < WIDE; h++) {
    const doubles one = (doubles){0} + 1;
    doubles by = t->scale_b ? load_doubles(t->scale_b + column + h * HALF) : one;
    OG_UNROLL for (u32 r = 0; r < ABREAST; r++)
      add_scaled(s[r][h], t->scale_a ? t->scale_a[r * t->step] * by : one, sum + r * OG_LANES + column + h * HALF);
  }
}
OG_LANE void exact_abreast(const struct wide_tile *t, u32 depth, u32 group, f32 *sum) {
  for (u32 k = 0; k < depth; k += group)
    for (u32 column = 0; column < TILE; column += WIDE * HALF)
      exact_group(t, k, k + group < depth ? group : depth - k, column, sum);
}

/* The same where one double does not hold a block's sum: a second one has what the first one loses, and that fits. What
 * is not finite comes out of the first one. Scales are powers of two. */
OG_LANE f64 error_of(f64 x, f64 y, f64 sum) {
  f64 other = sum - x;
  return (x - (sum - other)) + (y - other);
}
OG_LANE f32 sum_of_three(f64 high, f64 low, f64 c) {
  f64 top = high + c, first = error_of(high, c, top), rest = first + low, second = error_of(first, low, rest);
  f64 sum = top + rest, third = error_of(top, rest, sum), behind = third != 0 ? third : second;
  u64 bits = bits_of_f64(sum), even = !(bits & 1) & (behind != 0) & (sum != 0); /* rounded to odd */
  bits += (behind > 0) == (sum > 0) ? even : (u64)0 - even;
  return (f32)f64_of_bits(bits);
}
OG_LANE void wide(const struct tile *t, u32 group, bool gathered, f32 *total) {
  const u32 stride_a = t->stride_a, stride_b = t->stride_b;
  for (int v = 0; v < TILE; v += PANEL) {
    const f32 *a = t->a + (gathered ? v : 0), *b = t->b + v;
    f32 *sum = total + v;
    for (u32 k = 0; k < t->depth; k += group) {
      og_aligned f64 s[PANEL], lost[PANEL], scale[PANEL];
      EACH s[i] = lost[i] = 0;
      EACH scale[i] = t->scale_a ? *t->scale_a * t->scale_b[v + i] : 1;
      for (u32 n = k; n < k + group && n < t->depth; n++) {
        EACH {
          f64 product = A(n) * B(n), next = s[i] + product;
          lost[i] += error_of(s[i], product, next);
          s[i] = next;
        }
      }
      EACH {
        f64 c = (f64)sum[i], plain = s[i] * scale[i] + c, both = s[i] + lost[i], low = error_of(s[i], lost[i], both);
        f32 exact = sum_of_three(both * scale[i], low * scale[i], c);
        f32 finite = scale[i] == 0 ? (f32)(both * scale[i] + c) : exact; /* a zero has a sign */
        sum[i] = plain - plain == 0 ? finite : (f32)plain;
      }
    }
  }
}
#undef A
#undef B

#endif
