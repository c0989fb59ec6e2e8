/* matrix_fixed.h - products of a tile of D summed in fixed point, as gfx942 does (docs/exactness.md, "Matrices"): cut
 * off 24 bits below the exponent of the largest of a group. */
#ifndef OG_EXEC_MATRIX_FIXED_H
#define OG_EXEC_MATRIX_FIXED_H

#include "exec/matrix_sums.h"

/* What may be taken for granted of a group's numbers; each step takes about half as long as the one before. */
enum reach {
  REACH_WIDE,   /* products may lie beyond f32's exponents: factors come without theirs */
  REACH_NARROW, /* products are normal f32 */
  REACH_QUICK,  /* products and C are so near to 1 that their sum fits 32 bits */
};

/* Exponents of a group's largest products. A product of 0 counts as one of 2^-126; others are smaller only in a wide
 * reach. */
OG_LANE tile_shorts top_of(const struct tile *t, u32 from, u32 to, u32 step, bool gathered, enum reach reach) {
  const tile_shorts none = {0};
  tile_shorts top = none + (i16)(reach == REACH_WIDE ? NO_EXPONENT : -126);
  for (u32 k = from; k < to; k += step) {
    const i16 *a = t->exponent_a + k * t->stride_a;
    tile_shorts e = load_shorts(t->exponent_b + k * t->stride_b) + (gathered ? load_shorts(a) : none + *a);
    if (reach == REACH_WIDE) {
      tile_shorts zero = e < none + (i16)(NO_EXPONENT / 2);
      e = (zero & -126) | (~zero & e);
    }
    top = larger_shorts(top, e);
  }
  return top;
}

/* The products in units of 2^(top - 24), cut off and summed. */
OG_LANE ints cut_products(const struct tile *t, ints top, u32 from, u32 to, u32 step, int v, bool gathered,
                          enum reach reach) {
  const ints none = {0};
  words sum = {0}; /* of infinities: wraps, is not used */
  if (reach != REACH_WIDE) {
    floats scale = (floats)((words)smaller(none + 151 - top, none + 253) << 23); /* so small are only zeros */
    for (u32 k = from; k < to; k += step)
      sum += (words)cut_of(load_b(t, k, v) * load_a(t, k, v, gathered) * scale);
    return (ints)sum;
  }
  for (u32 k = from; k < to; k += step) {
    const i16 *a = t->exponent_a + k * t->stride_a;
    ints ea = gathered ? widened(load_shorts(a), v) : none + *a;
    ints shift = larger(none + 24 - (top - ea - widened(load_shorts(t->exponent_b + k * t->stride_b), v)), none - 126);
    sum += (words)cut_of(load_a(t, k, v, gathered) * load_b(t, k, v) * (floats)((words)(shift + 127) << 23));
  }
  return (ints)sum;
}

#if defined __AVX512F__
/* Eight lanes of what follows: the products' sum is cut off 31 bits and C 24 bits below the larger exponent. */
OG_LANE __m256 add_cut_half(__m256i top, __m256i products, __m256 c, __m256i all) {
  enum { DOWN = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC };
  __m256i by = _mm256_add_epi32(_mm256_sub_epi32(top, all), _mm256_set1_epi32(7));
  __m512d p = _mm512_roundscale_pd(_mm512_scalef_pd(_mm512_cvtepi32_pd(products), _mm512_cvtepi32_pd(by)), DOWN);
  __m512d exponent = _mm512_cvtepi32_pd(all), of_c = _mm512_sub_pd(_mm512_set1_pd(24), exponent);
  __m512d other = _mm512_roundscale_pd(_mm512_scalef_pd(_mm512_cvtps_pd(c), of_c), DOWN);
  __m512d sum = _mm512_fmadd_pd(other, _mm512_set1_pd(128), p);
  return _mm512_cvtpd_ps(_mm512_scalef_pd(sum, _mm512_sub_pd(exponent, _mm512_set1_pd(31))));
}
#endif
OG_LANE void add_cut(ints of_products, ints cut, f32 *sum) {
#if defined __AVX512F__
  __m512 c = _mm512_loadu_ps(sum);
  __m512i top = (__m512i)of_products, s = (__m512i)cut;
  __m512i exponent = _mm512_and_si512(_mm512_srli_epi32(_mm512_castps_si512(c), 23), _mm512_set1_epi32(255));
  __m512i of_c = _mm512_max_epi32(_mm512_sub_epi32(exponent, _mm512_set1_epi32(127)), _mm512_set1_epi32(-126));
  __m512i all = _mm512_max_epi32(top, of_c);
  _mm256_storeu_ps(sum, add_cut_half(_mm512_castsi512_si256(top), _mm512_castsi512_si256(s), _mm512_castps512_ps256(c),
                                     _mm512_castsi512_si256(all)));
  _mm256_storeu_ps(sum + 8, add_cut_half(_mm512_extracti32x8_epi32(top, 1), _mm512_extracti32x8_epi32(s, 1),
                                         _mm512_extractf32x8_ps(c, 1), _mm512_extracti32x8_epi32(all, 1)));
#else
  og_aligned i32 top[PANEL], s[PANEL];
  memcpy(top, &of_products, sizeof(top)), memcpy(s, &cut, sizeof(s));
  EACH {
    i32 exponent = (i32)(bits_of_f32(sum[i]) >> 23 & 255), of_c = exponent < 1 ? -126 : exponent - 127;
    i32 all = top[i] > of_c ? top[i] : of_c;
    f64 products = __builtin_floor((f64)s[i] * power(7 + top[i] - all));
    f64 other = __builtin_floor((f64)sum[i] * power(24 - all));
    sum[i] = (f32)((products + 128 * other) * power(all - 31));
  }
#endif
}

/* The same in 32 bits: both in units of 2^(base - 24). Where C is so large that the products' sum loses bits, what is
 * left of them is rounded to odd, which then rounds as they would. There are no branches: C is large in most lanes of
 * one product and in few of the next. Here and below exponents without bias stand where f32 has them, `top` at least
 * -102. */
enum { ONE_UP = 1 << 23 };
OG_LANE ints quick_top(ints exponent) { return larger(exponent, splat_int(-102)) << 23; }
OG_LANE ints common_base(ints top, floats c) { return larger(top, ((ints)c & 0x7f800000) - 132 * ONE_UP); }
OG_LANE floats sum_in_units(ints base, ints products, ints c) {
  return __builtin_convertvector(products + c, floats) * (floats)(base + 103 * ONE_UP);
}
OG_LANE floats add_cut_quickly(ints top, ints products, floats c) {
  ints base = common_base(top, c), cut = shifted_down(products << 2, (base - top) >> 23);
  return sum_in_units(base, (cut | ((cut & 3) + 3)) >> 2, floor_of(c * (floats)(151 * ONE_UP - base)));
}

/* As add_cut_quickly(), but cut towards zero. Sums of 16 products of floats of 8 bits are below 2^(top + 5.9), so that
 * C and what of it cancels are always longer than what is cut off. */
OG_LANE floats add_truncated_quickly(ints top, ints products, floats c) {
  const ints none = {0};
  ints base = common_base(top, c), by = (base - top) >> 23;
  /* In quarters of a unit, where `by` is not 0. */
  ints cut = shifted_to_zero(products << 1, smaller(larger(by - 1, none), none + 31));
  products = chosen(by == none, products, (cut | ((cut & 3) + 3)) >> 2);
  return sum_in_units(base, products, cut_of(c * (floats)(151 * ONE_UP - base)));
}

/* Groups of some results of the same lanes, of which the rows of A are neighbours: what most products are. `group` and
 * `stride` are numbers that the compiler knows. Exponents come four to a dword, so that of eight k two sums and two
 * maxima find the largest. */
#if defined __AVX2__
enum { QUICK_ROWS = PANEL / 4, ALTERNATE_ROWS = PANEL / 8 }; /* as many as the host has registers for */
struct quick_tile {
  const f32 *a, *b;
  const i32 *exponents_a, *exponents_b; /* of four k in a dword */
};
OG_LANE struct quick_tile quick_part(const struct quick_tile *t, u32 from, u32 column, u32 stride) {
  const u32 at = from / 4 * stride;
  return (struct quick_tile){t->a + from * stride, t->b + from * stride + column, t->exponents_a + at,
                             t->exponents_b + at + column};
}
/* Of each four products that are four apart the largest exponent, in a byte. */
OG_LANE ints quick_tops(const struct quick_tile *t, u32 row, u32 group, u32 stride) {
  ints most = sums_of_bytes(splat_int(t->exponents_a[row]), load_ints(t->exponents_b));
  OG_UNROLL for (u32 q = 1; q < group / 4; q++) {
    ints a = splat_int(t->exponents_a[q * stride + row]), b = load_ints(t->exponents_b + q * stride);
    most = larger_bytes(most, sums_of_bytes(a, b));
  }
  return most;
}
/* The exponent in the uppermost byte, as an f32 has it but for the bias; of zeros alone so small that nothing
 * overflows. */
OG_LANE ints quick_exponent(ints x) { return larger(x & (i32)0xff000000, splat_int(-102 * (1 << 24))) >> 1; }

OG_LANE void truncated_part(const struct quick_tile *t, u32 group, u32 stride, floats *c) {
  const ints zero = {0}, most = zero + 151 * ONE_UP;
  ints top[QUICK_ROWS], all[QUICK_ROWS];
  OG_UNROLL for (u32 r = 0; r < QUICK_ROWS; r++) {
    top[r] = quick_exponent(largest_of_bytes(quick_tops(t, r, group, stride)));
    all[r] = zero;
  }
  OG_UNROLL for (u32 k = 0; k < group; k++) {
    floats x = load_floats(t->b + k * stride);
    OG_UNROLL for (u32 r = 0; r < QUICK_ROWS; r++)
      all[r] += cut_of(x * t->a[k * stride + r] * (floats)(most - top[r]));
  }
  OG_UNROLL for (u32 r = 0; r < QUICK_ROWS; r++)
    c[r] = add_cut_quickly(top[r], all[r], c[r]);
}
OG_LANE void truncated_quickly(const struct quick_tile *t, u32 depth, u32 group, u32 stride, f32 *sum) {
  EACH_VECTOR {
    floats c[QUICK_ROWS];
    OG_UNROLL for (u32 r = 0; r < QUICK_ROWS; r++)
      c[r] = load_floats(sum + r * OG_LANES + v * PANEL);
    for (u32 from = 0; from < depth; from += group) {
      struct quick_tile part = quick_part(t, from, v * PANEL, stride);
      truncated_part(&part, group, stride, c);
    }
    OG_UNROLL for (u32 r = 0; r < QUICK_ROWS; r++)
      store_floats_at(sum + r * OG_LANES + v * PANEL, c[r]);
  }
}

/* The same of even and odd products apart. */
OG_LANE floats add_alternate(const ints *top, const ints *all, floats c) {
  const ints most = splat_int(31), both = larger(top[0], top[1]);
  ints even = shifted_to_zero(all[0], smaller((both - top[0]) >> 23, most));
  ints odd = shifted_to_zero(all[1], smaller((both - top[1]) >> 23, most));
  return add_truncated_quickly(both, even + odd, c);
}
OG_LANE void alternate_part(const struct quick_tile *t, u32 group, u32 stride, floats *c) {
  const ints zero = {0}, most = zero + 151 * ONE_UP;
  ints top[ALTERNATE_ROWS][2], all[ALTERNATE_ROWS][2];
  OG_UNROLL for (u32 r = 0; r < ALTERNATE_ROWS; r++) {
    ints tops = quick_tops(t, r, group, stride);
    tops = larger_bytes(tops, tops << 16);
    top[r][0] = quick_exponent(tops << 8), top[r][1] = quick_exponent(tops);
    all[r][0] = all[r][1] = zero;
  }
  OG_UNROLL for (u32 k = 0; k < group; k++) {
    floats x = load_floats(t->b + k * stride);
    OG_UNROLL for (u32 r = 0; r < ALTERNATE_ROWS; r++)
      all[r][k & 1] += cut_of(x * t->a[k * stride + r] * (floats)(most - top[r][k & 1]));
  }
  OG_UNROLL for (u32 r = 0; r < ALTERNATE_ROWS; r++)
    c[r] = add_alternate(top[r], all[r], c[r]);
}
OG_LANE void alternate_quickly(const struct quick_tile *t, u32 depth, u32 group, u32 stride, f32 *sum) {
  EACH_VECTOR {
    floats c[ALTERNATE_ROWS];
    OG_UNROLL for (u32 r = 0; r < ALTERNATE_ROWS; r++)
      c[r] = load_floats(sum + r * OG_LANES + v * PANEL);
    for (u32 from = 0; from < depth; from += group) {
      struct quick_tile part = quick_part(t, from, v * PANEL, stride);
      alternate_part(&part, group, stride, c);
    }
    OG_UNROLL for (u32 r = 0; r < ALTERNATE_ROWS; r++)
      store_floats_at(sum + r * OG_LANES + v * PANEL, c[r]);
  }
}

/* The same where no product is long enough to be cut off: even and odd ones together, in doubles so large that their
 * last bit is the unit, and what is summed their low half. */
enum { EXACT_ROWS = 4 };
OG_LANE doubles units_of(ints top, int half) {
  const ints high = (top >> 3) + ((1023 + 28) * (1 << 20) + (1 << 19));
#if defined __AVX512F__
  const __m256i part = half ? _mm512_extracti64x4_epi64((__m512i)high, 1) : _mm512_castsi512_si256((__m512i)high);
  return (doubles)_mm512_slli_epi64(_mm512_cvtepu32_epi64(part), 32);
#else
  const __m128i part = half ? _mm256_extracti128_si256((__m256i)high, 1) : _mm256_castsi256_si128((__m256i)high);
  return (doubles)_mm256_slli_epi64(_mm256_cvtepu32_epi64(part), 32);
#endif
}
OG_LANE ints low_halves(doubles first, doubles second) {
#if defined __AVX512F__
  const __m512i even = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  return (ints)_mm512_permutex2var_epi32((__m512i)first, even, (__m512i)second);
#else
  __m256 mixed = _mm256_shuffle_ps((__m256)first, (__m256)second, 0x88);
  return (ints)_mm256_permute4x64_epi64((__m256i)mixed, 0xd8);
#endif
}
OG_LANE void exact_part(const struct quick_tile *t, const f64 *a, const f64 *b, u32 stride, floats *c) {
  enum { GROUP = 16 };
  ints top[EXACT_ROWS];
  doubles s[EXACT_ROWS][2];
  OG_UNROLL for (u32 r = 0; r < EXACT_ROWS; r++) {
    top[r] = quick_exponent(largest_of_bytes(quick_tops(t, r, GROUP, stride)));
    s[r][0] = units_of(top[r], 0), s[r][1] = units_of(top[r], 1);
  }
  for (u32 k = 0; k < GROUP; k++, a += stride, b += stride) {
    const doubles x = load_doubles(b), y = load_doubles(b + HALF);
    OG_UNROLL for (u32 r = 0; r < EXACT_ROWS; r++) {
      const doubles by = a[r] - (doubles){0};
      s[r][0] = exact_fma(by, x, s[r][0]), s[r][1] = exact_fma(by, y, s[r][1]);
    }
  }
  OG_UNROLL for (u32 r = 0; r < EXACT_ROWS; r++)
    c[r] = add_truncated_quickly(top[r], low_halves(s[r][0], s[r][1]), c[r]);
}
/* `a` and `b`: the tile's factors as doubles. */
OG_LANE void alternate_exactly(const struct quick_tile *t, const f64 *a, const f64 *b, u32 depth, u32 stride,
                               f32 *sum) {
  EACH_VECTOR {
    floats c[EXACT_ROWS];
    OG_UNROLL for (u32 r = 0; r < EXACT_ROWS; r++)
      c[r] = load_floats(sum + r * OG_LANES + v * PANEL);
    for (u32 from = 0; from < depth; from += 16) {
      struct quick_tile part = quick_part(t, from, v * PANEL, stride);
      exact_part(&part, a + from * stride, b + from * stride + v * PANEL, stride, c);
    }
    OG_UNROLL for (u32 r = 0; r < EXACT_ROWS; r++)
      store_floats_at(sum + r * OG_LANES + v * PANEL, c[r]);
  }
}
#endif

OG_LANE void truncated_group(const struct tile *t, u32 from, u32 to, bool gathered, enum reach reach, f32 *sum) {
  tile_shorts tops = top_of(t, from, to, 1, gathered, reach);
  EACH_VECTOR {
    ints top = widened(tops, v), products = cut_products(t, top, from, to, 1, v, gathered, reach);
    f32 *at = sum + v * PANEL;
    if (reach == REACH_QUICK)
      store_floats_at(at, add_cut_quickly(quick_top(top), products, load_floats(at)));
    else
      add_cut(top, products, at);
  }
}
OG_LANE void truncated(const struct tile *t, u32 group, bool gathered, enum reach reach, f32 *sum) {
  if (group == 8 && t->depth % 8 == 0) /* a number that the compiler knows */
    for (u32 k = 0; k < t->depth; k += 8)
      truncated_group(t, k, k + 8, gathered, reach, sum);
  else
    for (u32 k = 0; k < t->depth; k += group)
      truncated_group(t, k, k + group < t->depth ? k + group : t->depth, gathered, reach, sum);
}

/* Even and odd products apart. */
OG_LANE void alternate_group(const struct tile *t, u32 from, u32 to, bool gathered, enum reach reach, f32 *total) {
  tile_shorts tops[2] = {top_of(t, from, to, 2, gathered, reach), top_of(t, from + 1, to, 2, gathered, reach)};
  EACH_VECTOR {
    ints first = widened(tops[0], v), second = widened(tops[1], v);
    ints one = cut_products(t, first, from, to, 2, v, gathered, reach);
    ints other_one = cut_products(t, second, from + 1, to, 2, v, gathered, reach);
    f32 *sum = total + v * PANEL;
    if (reach == REACH_QUICK) {
      const ints most = splat_int(31);
      ints top = larger(first, second);
      ints both =
          shifted_to_zero(one, smaller(top - first, most)) + shifted_to_zero(other_one, smaller(top - second, most));
      store_floats_at(sum, add_truncated_quickly(quick_top(top), both, load_floats(sum)));
      continue;
    }
    og_aligned i32 top_even[PANEL], top_odd[PANEL], even[PANEL], odd[PANEL];
    memcpy(top_even, &first, sizeof(first)), memcpy(top_odd, &second, sizeof(second));
    memcpy(even, &one, sizeof(one)), memcpy(odd, &other_one, sizeof(other_one));
    EACH {
      i32 exponent = (i32)(bits_of_f32(sum[i]) >> 23 & 255), of_c = exponent < 1 ? -126 : exponent - 127;
      i32 top = top_even[i] > top_odd[i] ? top_even[i] : top_odd[i], all = top > of_c ? top : of_c;
      f64 s = __builtin_trunc((f64)even[i] * power(top_even[i] - top)) +
              __builtin_trunc((f64)odd[i] * power(top_odd[i] - top));
      f64 products = __builtin_trunc(s * power(7 + top - all)), other = __builtin_trunc((f64)sum[i] * power(24 - all));
      sum[i] = (f32)((products + 128 * other) * power(all - 31));
    }
  }
}
OG_LANE void alternate(const struct tile *t, u32 group, bool gathered, enum reach reach, f32 *sum) {
  if (group == 16 && t->depth % 16 == 0) /* a number that the compiler knows */
    for (u32 k = 0; k < t->depth; k += 16)
      alternate_group(t, k, k + 16, gathered, reach, sum);
  else
    for (u32 k = 0; k < t->depth; k += group)
      alternate_group(t, k, k + group < t->depth ? k + group : t->depth, gathered, reach, sum);
}

/* Where infinities or NaN are among the factors or C: of a lane that has them floats tell what comes of them. */
OG_LANE void keep_special(const f32 *before_all, f32 *sum) {
  for (int i = 0; i < TILE; i += PANEL) {
    floats odd = load_floats(before_all + i);
    ints keep = ((ints)odd & 0x7fffffff) >= 0x7f800000;
    store_floats_at(sum + i, (floats)chosen(keep, (ints)odd, (ints)load_floats(sum + i)));
  }
}

#endif
