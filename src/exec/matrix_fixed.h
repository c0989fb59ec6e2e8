/* matrix_fixed.h - products of a tile of D summed in fixed point, as gfx942 does (docs/exactness.md, "Matrices"): cut off 24 bits
 * below the exponent of the largest of a group. */
#ifndef OG_EXEC_MATRIX_FIXED_H
#define OG_EXEC_MATRIX_FIXED_H

#include "exec/matrix_sums.h"

/* What may be taken for granted of a group's numbers; each step takes about half as long as the one before. */
enum reach {
  REACH_WIDE,   /* products may lie beyond f32's exponents: factors come without theirs */
  REACH_NARROW, /* products are normal f32 */
  REACH_QUICK,  /* products and C are so near to 1 that their sum fits 32 bits */
};

/* Exponents of a group's largest products. A product of 0 counts as one of 2^-126; others are smaller only in a wide reach. */
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
OG_LANE ints cut_products(const struct tile *t, ints top, u32 from, u32 to, u32 step, int v, bool gathered, enum reach reach) {
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

/* The same in 32 bits: both in units of 2^(base - 24). Where C is so large that the products' sum loses bits, what is left of
 * them is rounded to odd, which then rounds as they would. */
OG_LANE floats add_cut_quickly(ints top, ints products, floats c) {
  const ints none = {0};
  ints base = larger(larger(top, ((ints)c >> 23 & 255) - 132), none - 102), by = base - top;
  if (any(by)) {
    products = products << 2 >> smaller(by, none + 31);
    products = (products | ((products & 3) + 3)) >> 2;
  }
  ints sum = products + floor_of(c * (floats)((151 - base) << 23));
  return __builtin_convertvector(sum, floats) * (floats)((base + 103) << 23);
}

/* As add_cut_quickly(), but cut towards zero. Sums of 16 products of floats of 8 bits are below 2^(top + 5.9), so that C and what
 * of it cancels are always longer than what is cut off. */
OG_LANE floats add_truncated_quickly(ints top, ints products, floats c) {
  const ints none = {0};
  ints base = larger(larger(top, ((ints)c >> 23 & 255) - 132), none - 102), by = base - top;
  if (any(by)) { /* in quarters of a unit; of the rest only whether there is any */
    ints cut = shifted_to_zero(products << 1, smaller(larger(by - 1, none), none + 31));
    products = chosen(by == none, products, (cut | ((cut & 3) + 3)) >> 2);
  }
  ints sum = products + cut_of(c * (floats)((151 - base) << 23));
  return __builtin_convertvector(sum, floats) * (floats)((base + 103) << 23);
}

/* Groups of two results of the same lanes, whose rows of A are `step` apart: what most products are. `group` and `stride` are
 * numbers that the compiler knows. Exponents come four to a dword, so that of eight k two sums and two maxima find the largest. */
#if defined __AVX2__
struct quick_tile {
  const f32 *a, *b;
  const i32 *exponents_a, *exponents_b; /* of four k in a dword */
};
/* Of each four products that are four apart the largest exponent, in a byte. */
OG_LANE ints quick_tops(const i32 *a, const i32 *b, u32 group, u32 stride) {
  ints most = sums_of_bytes(splat_int(a[0]), load_ints(b));
  OG_UNROLL for (u32 q = 1; q < group / 4; q++)
    most = larger_bytes(most, sums_of_bytes(splat_int(a[q * stride]), load_ints(b + q * stride)));
  return most;
}
/* The exponent in the uppermost byte, as an f32 has it but for the bias; of zeros alone so small that nothing overflows. */
OG_LANE ints quick_exponent(ints x) { return larger(x & (i32)0xff000000, splat_int(-102 * (1 << 24))) >> 1; }
OG_LANE floats quick_sum(ints top, floats scale, ints products, floats c) {
  if (any(((ints)c & 0x7f800000) - (132 << 23) > top))
    return add_cut_quickly(top >> 23, products, c);
  return __builtin_convertvector(products + floor_of(c * scale), floats) * (floats)(top + (103 << 23));
}
OG_LANE void truncated_quickly(const struct quick_tile *t, u32 step, u32 depth, u32 group, u32 stride, f32 *sum) {
  for (u32 from = 0; from < depth; from += group) {
    const i32 *ea = t->exponents_a + from / 4 * stride, *eb = t->exponents_b + from / 4 * stride;
    const f32 *a = t->a + from * stride;
    EACH_VECTOR {
      const ints zero = {0}, most = zero + (151 << 23);
      const f32 *b = t->b + from * stride + v * PANEL;
      f32 *at = sum + v * PANEL;
      ints top0 = quick_exponent(largest_of_bytes(quick_tops(ea, eb + v * PANEL, group, stride))), sum0 = zero;
      ints top1 = quick_exponent(largest_of_bytes(quick_tops(ea + step, eb + v * PANEL, group, stride))), sum1 = zero;
      floats scale0 = (floats)(most - top0), scale1 = (floats)(most - top1);
      OG_UNROLL for (u32 k = 0; k < group; k++) {
        floats x = load_floats(b + k * stride);
        sum0 += cut_of(x * a[k * stride] * scale0);
        sum1 += cut_of(x * a[k * stride + step] * scale1);
      }
      store_floats_at(at, quick_sum(top0, scale0, sum0, load_floats(at)));
      store_floats_at(at + OG_LANES, quick_sum(top1, scale1, sum1, load_floats(at + OG_LANES)));
    }
  }
}
#endif

#if defined __AVX2__
/* The same of even and odd products apart, a result at a time. */
OG_LANE void alternate_quickly(const struct quick_tile *t, u32 depth, u32 group, u32 stride, f32 *sum) {
  for (u32 from = 0; from < depth; from += group) {
    const i32 *ea = t->exponents_a + from / 4 * stride, *eb = t->exponents_b + from / 4 * stride;
    const f32 *a = t->a + from * stride;
    EACH_VECTOR {
      const ints zero = {0}, most = zero + (151 << 23), bits = zero + 31;
      const f32 *b = t->b + from * stride + v * PANEL;
      ints tops = quick_tops(ea, eb + v * PANEL, group, stride), even = zero, odd = zero;
      tops = larger_bytes(tops, tops << 16);
      ints top_even = quick_exponent(tops << 8), top_odd = quick_exponent(tops), top = larger(top_even, top_odd);
      floats scale_even = (floats)(most - top_even), scale_odd = (floats)(most - top_odd);
      OG_UNROLL for (u32 k = 0; k < group; k += 2) {
        even += cut_of(load_floats(b + k * stride) * a[k * stride] * scale_even);
        odd += cut_of(load_floats(b + (k + 1) * stride) * a[(k + 1) * stride] * scale_odd);
      }
      even = shifted_to_zero(even, smaller((top - top_even) >> 23, bits));
      odd = shifted_to_zero(odd, smaller((top - top_odd) >> 23, bits));
      f32 *at = sum + v * PANEL;
      floats c = load_floats(at);
      if (any(((ints)c & 0x7f800000) - (132 << 23) > top))
        c = add_truncated_quickly(top >> 23, even + odd, c);
      else
        c = __builtin_convertvector(even + odd + cut_of(c * (floats)(most - top)), floats) * (floats)(top + (103 << 23));
      store_floats_at(at, c);
    }
  }
}
#endif

OG_LANE void truncated_group(const struct tile *t, u32 from, u32 to, bool gathered, enum reach reach, f32 *sum) {
  tile_shorts tops = top_of(t, from, to, 1, gathered, reach);
  EACH_VECTOR {
    ints top = widened(tops, v), products = cut_products(t, top, from, to, 1, v, gathered, reach);
    f32 *at = sum + v * PANEL;
    if (reach == REACH_QUICK)
      store_floats_at(at, add_cut_quickly(top, products, load_floats(at)));
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
      ints both = shifted_to_zero(one, smaller(top - first, most)) + shifted_to_zero(other_one, smaller(top - second, most));
      store_floats_at(sum, add_truncated_quickly(top, both, load_floats(sum)));
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
