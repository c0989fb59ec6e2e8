/* matrix_ops.h - multiplication of matrices for one host instruction set: the whole of matrix_v4.c, matrix_v3.c and
 * matrix_base.c, which define OG_VARIANT_NAME.
 *
 * A and B are unpacked into factors[k][row or column]. A panel, some neighbouring lanes of D, has one row of A and neighbouring
 * columns of B, so that B comes as a vector and A is repeated; only the 4x4 shapes gather both. */
#include <math.h>
#include <string.h>

#include "base/floats.h"
#include "base/float_control.h"
#include "exec/lane.h"
#include "exec/matrix.h"
#include "exec/vector.h"

#if defined __AVX2__
#include <immintrin.h>
#endif

#define OG_JOIN_(a, b) a##_##b
#define OG_JOIN(a, b) OG_JOIN_(a, b)
#define OG_VARIANT(name) OG_JOIN(name, OG_VARIANT_NAME)
#if defined __clang__
#define OG_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define OG_LOOP _Pragma("GCC ivdep")
#endif
#define og_aligned _Alignas(64)

/* As many lanes as a vector of the host's holds: of longer ones compilers make a detour through memory. */
#if defined __AVX512F__
enum { PANEL = 16 };
#elif defined __AVX2__
enum { PANEL = 8 };
#else
enum { PANEL = 4 };
#endif

/* A panel's integers and floats as vectors, where compilers would not make them of loops. */
typedef i32 ints __attribute__((vector_size(4 * PANEL)));
typedef f32 floats __attribute__((vector_size(4 * PANEL)));
OG_LANE ints load_ints(const void *from) {
  ints x;
  memcpy(&x, from, sizeof(x));
  return x;
}
OG_LANE floats load_floats(const f32 *from) {
  floats x;
  memcpy(&x, from, sizeof(x));
  return x;
}
OG_LANE ints chosen(ints which, ints x, ints y) { return (which & x) | (~which & y); }
OG_LANE ints larger(ints x, ints y) {
#if defined __AVX512F__
  return (ints)_mm512_max_epi32((__m512i)x, (__m512i)y);
#elif defined __AVX2__
  return (ints)_mm256_max_epi32((__m256i)x, (__m256i)y);
#else
  return chosen(x > y, x, y);
#endif
}
OG_LANE floats splat(f32 x) { return x - (floats){0}; }
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

/* One of the two factors. */
struct factors {
  og_aligned f32 value[OG_MATRIX_DEPTH][OG_MATRIX_SIDE];
  og_aligned i32 exponent[OG_MATRIX_DEPTH][OG_MATRIX_SIDE]; /* as fixed-point sums want them: -126 for 0 */
  i32 least, most;                                          /* of those that are finite and not 0 */
  bool special;                                             /* infinities or NaN among them */
  bool present[OG_MATRIX_DEPTH][OG_MATRIX_SIDE];            /* of a sparse A: not left out */
};

/* ---- elements ---------------------------------------------------------------------------------------------------- */

/* Floats of few bits, as f32 of another bias and then scaled: denormals come out right. */
OG_LANE f32 small_float(u32 bits, u32 exponent, u32 mantissa, i32 bias) {
  u32 size = bits & ((1u << (exponent + mantissa)) - 1), sign = bits >> (exponent + mantissa) & 1;
  f32 value = f32_of_bits(size << (23 - mantissa)) * f32_of_bits((u32)(254 - bias) << 23);
  return f32_of_bits(bits_of_f32(value) | sign << 31);
}
OG_LANE f32 half_value(u32 bits) {
  f32 finite = small_float(bits, 5, 10, 15);
  u32 special = 0x7f800000 | (bits & 0x3ff) << 13 | (bits & 0x8000) << 16;
  return (bits & 0x7c00) == 0x7c00 ? f32_of_bits(special) : finite;
}
OG_LANE f32 fp8_value(u32 bits, bool fnuz) {
  f32 finite = small_float(bits, 4, 3, fnuz ? 8 : 7);
  bool nan = fnuz ? (bits & 255) == 0x80 : (bits & 127) == 127;
  return nan ? f32_of_bits(0x7fc00000) : finite;
}
OG_LANE f32 bf8_value(u32 bits, bool fnuz) {
  f32 finite = small_float(bits, 5, 2, fnuz ? 16 : 15);
  if (fnuz)
    return (bits & 255) == 0x80 ? f32_of_bits(0x7fc00000) : finite;
  return (bits & 127) > 124   ? f32_of_bits(0x7fc00000)
         : (bits & 127) == 124 ? f32_of_bits(0x7f800000 | (bits & 128) << 24)
                               : finite;
}

/* The value of an element, whose bits are the lowest of `bits`. */
OG_LANE f32 value_of(u32 bits, u32 element, bool fnuz, bool is_signed) {
  switch (element) {
  case OG_ELEMENT_F16: return half_value(bits & 0xffff);
  case OG_ELEMENT_BF16: return f32_of_bits(bits << 16);
  case OG_ELEMENT_XF32: return f32_of_bits(bits & 0xffffe000);
  case OG_ELEMENT_FP8: return fp8_value(bits, fnuz);
  case OG_ELEMENT_BF8: return bf8_value(bits, fnuz);
  case OG_ELEMENT_FP6: return small_float(bits, 2, 3, 1);
  case OG_ELEMENT_BF6: return small_float(bits, 3, 2, 3);
  case OG_ELEMENT_F4: return small_float(bits, 2, 1, 1);
  case OG_ELEMENT_I8: return (f32)(i8)bits;
  case OG_ELEMENT_IU8: return is_signed ? (f32)(i8)bits : (f32)(i32)(bits & 255);
  case OG_ELEMENT_IU4: return is_signed ? (f32)((i32)(bits << 28) >> 28) : (f32)(i32)(bits & 15);
  default: return f32_of_bits(bits);
  }
}

/* ---- A and B ----------------------------------------------------------------------------------------------------- */

/* One element of each lane, from the lowest bit on; what stands in the bits above is another one. */
OG_LANE void fetch(struct og_wave *wave, const struct og_matrix_side *m, u32 item, u32 *bits) {
  u32 bit = item * m->width, shift = bit % 32;
  const u32 *low = og_at(wave, m->at + bit / 32 * OG_AT_ROW);
  if (shift + m->width > 32) {
    const u32 *high = low + OG_LANES;
    OG_LOOP for (int i = 0; i < OG_LANES; i++) bits[i] = low[i] >> shift | high[i] << (32 - shift);
  } else {
    OG_LOOP for (int i = 0; i < OG_LANES; i++) bits[i] = low[i] >> shift;
  }
  if (__builtin_expect(m->moved, 0)) {
    u32 from[OG_LANES];
    memcpy(from, bits, sizeof(from));
    for (int i = 0; i < OG_LANES; i++)
      bits[i] = from[m->lane[i]];
  }
}

/* A panel of them at once: what value_of() says of one. */
OG_LANE ints small_floats(ints bits, u32 exponent, u32 mantissa, i32 bias) {
  ints size = bits & (i32)((1u << (exponent + mantissa)) - 1), sign = bits << (31 - exponent - mantissa) & (i32)0x80000000;
  floats value = (floats)(size << (23 - mantissa)) * f32_of_bits((u32)(254 - bias) << 23);
  return (ints)value | sign;
}
OG_LANE ints values_of(ints bits, u32 element, bool fnuz, bool is_signed) {
  const ints nan = (ints){0} + 0x7fc00000, byte = bits & 255, size = bits & 127;
  switch (element) {
  case OG_ELEMENT_BF16: return bits << 16;
  case OG_ELEMENT_XF32: return bits & (i32)0xffffe000;
  case OG_ELEMENT_FP8: return chosen(fnuz ? byte == 0x80 : size == 127, nan, small_floats(bits, 4, 3, fnuz ? 8 : 7));
  case OG_ELEMENT_BF8: {
    ints finite = small_floats(bits, 5, 2, fnuz ? 16 : 15), infinity = (bits << 24 & (i32)0x80000000) | 0x7f800000;
    return fnuz ? chosen(byte == 0x80, nan, finite) : chosen(size > 124, nan, chosen(size == 124, infinity, finite));
  }
  case OG_ELEMENT_FP6: return small_floats(bits, 2, 3, 1);
  case OG_ELEMENT_BF6: return small_floats(bits, 3, 2, 3);
  case OG_ELEMENT_F4: return small_floats(bits, 2, 1, 1);
  case OG_ELEMENT_I8: return (ints)__builtin_convertvector(bits << 24 >> 24, floats);
  case OG_ELEMENT_IU8: return (ints)__builtin_convertvector(is_signed ? bits << 24 >> 24 : byte, floats);
  case OG_ELEMENT_IU4: return (ints)__builtin_convertvector(is_signed ? bits << 28 >> 28 : bits & 15, floats);
  default: return bits;
  }
}

OG_LANE void convert(const u32 *bits, f32 *value, u32 element, bool fnuz, bool is_signed) {
#if defined __AVX512F__
  if (element == OG_ELEMENT_F16) {
    _mm512_store_ps(value, _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_load_si512(bits))));
    return;
  }
#elif defined __F16C__
  if (element == OG_ELEMENT_F16) {
    for (int i = 0; i < PANEL; i += 8) {
      __m256i low = _mm256_and_si256(_mm256_load_si256((const __m256i *)(bits + i)), _mm256_set1_epi32(0xffff));
      _mm256_store_ps(value + i,
                      _mm256_cvtph_ps(_mm_packus_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1))));
    }
    return;
  }
#endif
  if (element == OG_ELEMENT_F16) {
    for (int i = 0; i < PANEL; i++)
      value[i] = half_value(bits[i] & 0xffff);
    return;
  }
  ints values = values_of(load_ints(bits), element, fnuz, is_signed);
  memcpy(value, &values, sizeof(values));
}

OG_LANE void unpack_as(struct og_wave *wave, const struct og_matrix_side *m, u32 element, bool fnuz, bool is_signed,
                       struct factors *out) {
  const u32 in_row = m->items / (m->side / m->lanes);
  for (u32 n = 0; n < m->items; n++) {
    og_aligned u32 bits[OG_LANES];
    const u32 bit = n * m->width, shift = bit % 32, *low = og_at(wave, m->at + bit / 32 * OG_AT_ROW);
    bool simple = !m->moved && shift + m->width <= 32;
    if (__builtin_expect(!simple, 0))
      fetch(wave, m, n, bits);
    for (u32 g = 0; g < m->groups; g++)
      for (u32 j = 0; j < m->lanes; j += PANEL) {
        const u32 lane = g * m->lanes + j;
        if (simple)
          OG_LOOP for (int i = 0; i < PANEL; i++) bits[i] = low[lane + i] >> shift;
        convert(simple ? bits : bits + lane, &out->value[m->k[g][n]][n / in_row * m->lanes + j], element, fnuz,
                is_signed);
      }
  }
}

static void unpack(struct og_wave *wave, const struct og_matrix_side *m, struct factors *out) {
#define AS(element) unpack_as(wave, m, element, false, false, out)
#define AS_EITHER(element, fnuz, is_signed, which) \
  if (which)                                       \
    unpack_as(wave, m, element, fnuz, is_signed, out); \
  else                                             \
    AS(element)
  switch (m->element) {
  case OG_ELEMENT_F16: AS(OG_ELEMENT_F16); break;
  case OG_ELEMENT_BF16: AS(OG_ELEMENT_BF16); break;
  case OG_ELEMENT_XF32: AS(OG_ELEMENT_XF32); break;
  case OG_ELEMENT_FP8: AS_EITHER(OG_ELEMENT_FP8, true, false, m->fnuz); break;
  case OG_ELEMENT_BF8: AS_EITHER(OG_ELEMENT_BF8, true, false, m->fnuz); break;
  case OG_ELEMENT_FP6: AS(OG_ELEMENT_FP6); break;
  case OG_ELEMENT_BF6: AS(OG_ELEMENT_BF6); break;
  case OG_ELEMENT_F4: AS(OG_ELEMENT_F4); break;
  case OG_ELEMENT_I8: AS(OG_ELEMENT_I8); break;
  case OG_ELEMENT_IU8: AS_EITHER(OG_ELEMENT_IU8, false, true, m->is_signed); break;
  case OG_ELEMENT_IU4: AS_EITHER(OG_ELEMENT_IU4, false, true, m->is_signed); break;
  default: AS(OG_ELEMENT_F32); break;
  }
#undef AS
#undef AS_EITHER
}

/* Of each two elements of a sparse row the index says which of four they are (RDNA4, 7.12.3): an index of 3 for the
 * first or 0 for the second means nowhere. */
static void unpack_sparse(struct og_wave *wave, const struct og_matrix_plan *plan, struct factors *out) {
  const struct og_matrix_side *m = &plan->a;
  memset(out->value, 0, sizeof(out->value));
  memset(out->present, 0, sizeof(out->present));
  for (u32 n = 0; n < m->items; n++) {
    u32 bits[OG_LANES], bit = plan->index_shift + 2 * n;
    fetch(wave, m, n, bits);
    const u32 *index = og_at(wave, plan->index_at + bit / 32 * OG_AT_ROW);
    for (u32 g = 0; g < m->groups; g++)
      for (u32 i = 0; i < m->lanes; i++) {
        u32 lane = g * m->lanes + i, which = index[lane] >> (bit % 32) & 3, k = m->k[g][n & ~1u] + which;
        if (n & 1 ? which == 0 : which == 3)
          continue;
        if (n & 1 && out->present[k][i])
          continue; /* the first of the two has it */
        out->value[k][i] = value_of(bits[lane], m->element, m->fnuz, m->is_signed);
        out->present[k][i] = true;
      }
  }
}

OG_LANE void negate(const struct og_matrix_side *m, u32 depth, struct factors *f) {
  for (u32 k = 0; k < depth; k++)
    if (m->negate >> (k & 1) & 1)
      for (u32 i = 0; i < m->side; i++)
        f->value[k][i] = -f->value[k][i];
}

/* gfx90a: denormals count as +0. */
OG_LANE void flush_factors(const struct og_matrix_side *m, u32 depth, struct factors *f) {
  const u32 least = (u32)(m->least_exponent + 127) << 23;
  for (u32 k = 0; k < depth; k++)
    OG_LOOP for (u32 i = 0; i < m->side; i++) {
      u32 bits = bits_of_f32(f->value[k][i]);
      f->value[k][i] = f32_of_bits((bits & 0x7fffffff) < least ? 0 : bits);
    }
}

/* Exponents and what vector code has to know before it sums exactly. */
static void survey(const struct og_matrix_side *m, u32 depth, struct factors *f) {
  const ints none = {0}, lowest = none + m->least_exponent, low_end = none - 1000, high_end = none + 1000;
  ints least = high_end, most = low_end, all = low_end;
  for (u32 k = 0; k < depth; k++)
    for (u32 j = 0; j < m->side; j += PANEL) {
      ints bits = load_ints(&f->value[k][j]) & 0x7fffffff, e = (bits >> 23) - 127;
      e = larger(e, lowest);
      ints low = chosen(bits == 0, high_end, e), high = chosen(bits == 0, low_end, e);
      least = -larger(-low, -least);
      all = larger(high, all);
      most = chosen((high > most) & (high < 128), high, most);
      memcpy(&f->exponent[k][j], &high, sizeof(high));
    }
  f->least = 1000, f->most = -1000, f->special = false;
  for (int i = 0; i < PANEL; i++) {
    f->least = min_i32(f->least, least[i]);
    f->most = max_i32(f->most, most[i]);
    f->special = f->special || all[i] > 127;
  }
}

/* ---- sums of a panel --------------------------------------------------------------------------------------------- */

/* Factors of a panel: A at `a + k * OG_MATRIX_SIDE`, one for all lanes or, `gathered`, one for each; B there too, one for each. */
#define A(k) a[(k) * OG_MATRIX_SIDE + (gathered ? (u32)i : 0)]
#define B(k) b[(k) * OG_MATRIX_SIDE + (u32)i]
#define EACH OG_LOOP for (int i = 0; i < PANEL; i++)
OG_LANE floats load_a(const f32 *a, u32 k, bool gathered) {
  return gathered ? load_floats(a + k * OG_MATRIX_SIDE) : splat(a[k * OG_MATRIX_SIDE]);
}
OG_LANE ints load_exponent_a(const i32 *ea, u32 k, bool gathered) {
  return gathered ? load_ints(ea + k * OG_MATRIX_SIDE) : (ints){0} + ea[k * OG_MATRIX_SIDE];
}

OG_LANE void fused(const f32 *a, const f32 *b, u32 depth, bool gathered, f32 *sum) {
  floats s = load_floats(sum);
  for (u32 k = 0; k < depth; k++)
    s = fma_floats(load_a(a, k, gathered), load_floats(b + k * OG_MATRIX_SIDE), s);
  memcpy(sum, &s, sizeof(s));
}
/* Of four panels in turn, for one sum waits for itself. */
enum { ABREAST = 4 };
OG_LANE void fused_abreast(const f32 *const *a, const f32 *const *b, u32 depth, f32 *const *sum) {
  floats s0 = load_floats(sum[0]), s1 = load_floats(sum[1]), s2 = load_floats(sum[2]), s3 = load_floats(sum[3]);
  for (u32 k = 0, at = 0; k < depth; k++, at += OG_MATRIX_SIDE) {
    s0 = fma_floats(splat(a[0][at]), load_floats(b[0] + at), s0);
    s1 = fma_floats(splat(a[1][at]), load_floats(b[1] + at), s1);
    s2 = fma_floats(splat(a[2][at]), load_floats(b[2] + at), s2);
    s3 = fma_floats(splat(a[3][at]), load_floats(b[3] + at), s3);
  }
  memcpy(sum[0], &s0, sizeof(s0)), memcpy(sum[1], &s1, sizeof(s1));
  memcpy(sum[2], &s2, sizeof(s2)), memcpy(sum[3], &s3, sizeof(s3));
}

OG_LANE void pairwise(const f32 *a, const f32 *b, u32 depth, u32 group, bool gathered, f32 *sum) {
  og_aligned f32 s[PANEL];
  memcpy(s, sum, sizeof(s));
  if (group == 4)
    for (u32 k = 0; k < depth; k += 4)
      EACH s[i] += (A(k) * B(k) + A(k + 1) * B(k + 1)) + (A(k + 2) * B(k + 2) + A(k + 3) * B(k + 3));
  else
    for (u32 k = 0; k < depth; k += 2)
      EACH s[i] += A(k) * B(k) + A(k + 1) * B(k + 1);
  memcpy(sum, s, sizeof(s));
}

/* The products of a group add up without error in a double: see sums_are_exact(). */
OG_LANE void exact(const f32 *a, const f32 *b, u32 depth, u32 group, bool gathered, f32 *sum) {
  for (u32 k = 0; k < depth; k += group) {
    og_aligned f64 s[PANEL];
    EACH s[i] = 0;
    for (u32 n = k; n < k + group && n < depth; n++)
      EACH s[i] = __builtin_fma((f64)A(n), (f64)B(n), s[i]);
    EACH sum[i] = (f32)odd_sum(s[i], (f64)sum[i]);
  }
}

/* Fixed-point sums of gfx942: products are cut off 24 bits below the exponent of the largest. */
struct cut {
  ints top, sum;
};
OG_LANE struct cut cut_products(const f32 *a, const i32 *ea, const f32 *b, const i32 *eb, u32 from, u32 to, u32 step,
                                bool gathered) {
  struct cut cut = {(ints){0} - 126, {0}};
  for (u32 k = from; k < to; k += step)
    cut.top = larger(cut.top, load_ints(eb + k * OG_MATRIX_SIDE) + load_exponent_a(ea, k, gathered));
  ints power = (ints){0} + 151 - cut.top;
  ints scale = -larger(-power, (ints){0} - 253) << 23; /* so small are only zeros */
  for (u32 k = from; k < to; k += step) {
    floats product = load_floats(b + k * OG_MATRIX_SIDE) * load_a(a, k, gathered) * (floats)scale;
    cut.sum += __builtin_convertvector(product, ints);
  }
  return cut;
}
/* 2^n of a double. */
OG_LANE f64 power(i32 n) { return f64_of_bits((u64)(u32)(n + 1023) << 52); }

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
OG_LANE void add_cut(struct cut cut, f32 *sum) {
#if defined __AVX512F__
  __m512 c = _mm512_loadu_ps(sum);
  __m512i top = (__m512i)cut.top, s = (__m512i)cut.sum;
  __m512i exponent = _mm512_and_si512(_mm512_srli_epi32(_mm512_castps_si512(c), 23), _mm512_set1_epi32(255));
  __m512i of_c = _mm512_max_epi32(_mm512_sub_epi32(exponent, _mm512_set1_epi32(127)), _mm512_set1_epi32(-126));
  __m512i all = _mm512_max_epi32(top, of_c);
  _mm256_storeu_ps(sum, add_cut_half(_mm512_castsi512_si256(top), _mm512_castsi512_si256(s), _mm512_castps512_ps256(c),
                                     _mm512_castsi512_si256(all)));
  _mm256_storeu_ps(sum + 8, add_cut_half(_mm512_extracti32x8_epi32(top, 1), _mm512_extracti32x8_epi32(s, 1),
                                         _mm512_extractf32x8_ps(c, 1), _mm512_extracti32x8_epi32(all, 1)));
#else
  og_aligned i32 top[PANEL], s[PANEL];
  memcpy(top, &cut.top, sizeof(top)), memcpy(s, &cut.sum, sizeof(s));
  EACH {
    i32 exponent = (i32)(bits_of_f32(sum[i]) >> 23 & 255), of_c = exponent < 1 ? -126 : exponent - 127;
    i32 all = top[i] > of_c ? top[i] : of_c;
    f64 products = __builtin_floor((f64)s[i] * power(7 + top[i] - all));
    f64 other = __builtin_floor((f64)sum[i] * power(24 - all));
    sum[i] = (f32)((products + 128 * other) * power(all - 31));
  }
#endif
}
/* The same in 32 bits where no exponent is far from 0 (sums_are_quick()): both in units of 2^(base - 24). Where C is so large
 * that the products' sum loses bits, what is left of them is rounded to odd, which then rounds as they would. */
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
OG_LANE floats add_cut_quickly(struct cut cut, floats c) {
  const ints none = {0};
  ints of_c = larger(((ints)c >> 23 & 255) - 127, none - 126), base = larger(larger(cut.top, of_c - 5), none - 102);
  ints by = -larger(cut.top - base, none - 31);
  ints products = cut.sum << 2 >> by;
  products = (products | ((products & 3) + 3)) >> 2;
  ints sum = products + floor_of(c * (floats)((151 - base) << 23));
  return __builtin_convertvector(sum, floats) * (floats)((base + 103) << 23);
}
OG_LANE void truncated(const f32 *a, const i32 *ea, const f32 *b, const i32 *eb, u32 depth, u32 group, bool gathered,
                       bool quick, f32 *sum) {
  if (quick && group == 8 && depth % 8 == 0) { /* a number that the compiler knows */
    floats c = load_floats(sum);
    for (u32 k = 0; k < depth; k += 8)
      c = add_cut_quickly(cut_products(a, ea, b, eb, k, k + 8, 1, gathered), c);
    memcpy(sum, &c, sizeof(c));
  } else if (quick) {
    floats c = load_floats(sum);
    for (u32 k = 0; k < depth; k += group)
      c = add_cut_quickly(cut_products(a, ea, b, eb, k, k + group < depth ? k + group : depth, 1, gathered), c);
    memcpy(sum, &c, sizeof(c));
  } else {
    for (u32 k = 0; k < depth; k += group)
      add_cut(cut_products(a, ea, b, eb, k, k + group < depth ? k + group : depth, 1, gathered), sum);
  }
}

OG_LANE void alternate(const f32 *a, const i32 *ea, const f32 *b, const i32 *eb, u32 depth, u32 group, bool gathered,
                       f32 *sum) {
  for (u32 k = 0; k < depth; k += group) {
    og_aligned i32 top_even[PANEL], top_odd[PANEL], even[PANEL], odd[PANEL];
    u32 end = k + group < depth ? k + group : depth;
    struct cut first = cut_products(a, ea, b, eb, k, end, 2, gathered);
    struct cut second = cut_products(a, ea, b, eb, k + 1, end, 2, gathered);
    memcpy(top_even, &first.top, sizeof(top_even)), memcpy(even, &first.sum, sizeof(even));
    memcpy(top_odd, &second.top, sizeof(top_odd)), memcpy(odd, &second.sum, sizeof(odd));
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

/* `scale_a` is that of a block for the row, `scale_b` those for the columns. */
OG_LANE void scaled(const f32 *a, const f32 *b, u32 depth, u32 block, const f64 *scale_a, const f64 *scale_b, f32 *sum) {
  for (u32 k = 0; k < depth; k += block) {
    og_aligned f64 s[PANEL];
    const f64 *by = scale_b + k / block * OG_MATRIX_SIDE;
    const f64 row = scale_a[k / block * OG_MATRIX_SIDE];
    const bool gathered = false;
    EACH s[i] = 0;
    for (u32 n = k; n < k + block; n++)
      EACH s[i] = __builtin_fma((f64)A(n), (f64)B(n), s[i]);
    EACH sum[i] = (f32)odd_sum(s[i] * (row * by[i]), (f64)sum[i]);
  }
}

/* The same where one double does not hold a block's sum: a second one has what the first one loses, and that fits. What is
 * not finite comes out of the first one. Scales are powers of two. */
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
OG_LANE void wide(const f32 *a, const f32 *b, u32 depth, u32 block, const f64 *scale_a, const f64 *scale_b, bool gathered,
                  f32 *sum) {
  for (u32 k = 0; k < depth; k += block) {
    og_aligned f64 s[PANEL], lost[PANEL], scale[PANEL];
    EACH s[i] = lost[i] = 0;
    EACH scale[i] = scale_a ? scale_a[k / block * OG_MATRIX_SIDE] * scale_b[k / block * OG_MATRIX_SIDE + (u32)i] : 1;
    for (u32 n = k; n < k + block && n < depth; n++) {
      EACH {
        f64 product = (f64)A(n) * (f64)B(n), next = s[i] + product;
        lost[i] += error_of(s[i], product, next);
        s[i] = next;
      }
    }
    EACH {
      f64 c = (f64)sum[i], plain = s[i] * scale[i] + c, both = s[i] + lost[i], low = error_of(s[i], lost[i], both);
      f32 exact = sum_of_three(both * scale[i], low * scale[i], c);
      sum[i] = plain - plain == 0 ? exact : (f32)plain;
    }
  }
}

/* ---- all of D ---------------------------------------------------------------------------------------------------- */

struct product {
  struct factors a, b;
  og_aligned f64 scale_a[8][OG_MATRIX_SIDE], scale_b[8][OG_MATRIX_SIDE]; /* by block */
  bool is_wide; /* one double does not hold a group's sum */
  bool quick;   /* fixed-point sums fit 32 bits */
  og_aligned f32 sum[OG_MATRIX_RESULTS][OG_LANES], c[OG_MATRIX_RESULTS][OG_LANES];
};

static bool c_is_finite(const struct og_matrix_plan *plan, const struct product *p) {
  u32 most = 0;
  for (u32 r = 0; r < plan->results; r++)
    for (u32 lane = 0; lane < plan->facts->lanes; lane++)
      most = max_u32(most, bits_of_f32(p->sum[r][lane]) & 0x7fffffff);
  return most < 0x7f800000;
}

/* Whether what is not 0 lies between 2^-100 and 2^100. */
static bool c_is_near_1(const struct og_matrix_plan *plan, const struct product *p) {
  const ints none = {0};
  ints far = none;
  for (u32 r = 0; r < plan->results; r++)
    for (u32 lane = 0; lane < plan->facts->lanes; lane += PANEL) {
      ints bits = load_ints(&p->sum[r][lane]) & 0x7fffffff, e = bits >> 23;
      far |= (bits != none) & ((e < 27) | (e > 226));
    }
  for (int i = 1; i < PANEL; i++)
    far[0] |= far[i];
  return far[0] == 0;
}

/* Whether a double holds the sum of a group's products or two do, and fixed-point sums fit the vector code. */
static bool sums_are_plain(const struct og_matrix_plan *plan, struct product *p, bool sparse, bool finite) {
  bool none = p->a.most == -1000 || p->b.most == -1000;
  i32 least = p->a.least + p->b.least, most = p->a.most + p->b.most;
  bool special = p->a.special || p->b.special || !finite;
  bool fixed = plan->sum == OG_SUM_TRUNCATED || plan->sum == OG_SUM_ALTERNATE;
  p->is_wide = special;
  p->quick = plan->sum == OG_SUM_TRUNCATED && c_is_near_1(plan, p) && (none || (least >= -76 && most <= 60));
  if (special && (sparse || fixed))
    return false;
  if (none)
    return true;
  if (fixed)
    return least > -100 && most < 126;
  i32 bits = plan->scale_a.format | plan->scale_b.format ? 10 : 2; /* scales with mantissas of their own */
  for (u32 n = plan->group; n > 1; n /= 2)
    bits++;
  bits += most - (least - plan->mantissas);
  if (bits <= 53)
    return true;
  p->is_wide = true;
  return bits <= 96 && most < 120 && !plan->scale_a.format && !plan->scale_b.format;
}

static void sum_careful(const struct og_matrix_plan *plan, struct product *p) {
  const struct og_matrix *facts = plan->facts;
  bool sparse = facts->kind == OG_MATRIX_SMFMAC || facts->kind == OG_MATRIX_SWMMAC;
  for (u32 r = 0; r < plan->results; r++)
    for (u32 lane = 0; lane < facts->lanes; lane++) {
      u32 row = plan->row[r][lane], column = plan->column[r][lane];
      f32 a[OG_MATRIX_DEPTH], b[OG_MATRIX_DEPTH];
      f64 scale[8];
      for (u32 k = 0; k < facts->k; k++) { /* what a sparse row leaves out is not multiplied at all */
        bool there = !sparse || p->a.present[k][row];
        a[k] = there ? p->a.value[k][row] : 0;
        b[k] = there ? p->b.value[k][column] : 0;
      }
      for (u32 n = 0; plan->sum == OG_SUM_SCALED && n * plan->group < facts->k; n++)
        scale[n] = p->scale_a[n][row] * p->scale_b[n][column];
      p->sum[r][lane] = og_matrix_careful(plan, a, b, facts->k, plan->sum == OG_SUM_SCALED ? scale : NULL,
                                          p->sum[r][lane]);
    }
}

OG_LANE void sum_panel(const struct og_matrix_plan *plan, const struct product *p, const f32 *a, const i32 *ea,
                       const f32 *b, const i32 *eb, u32 row, u32 column, bool gathered, f32 *sum) {
  const u32 depth = plan->facts->k, group = plan->group;
  switch ((enum og_matrix_sum)plan->sum) {
  case OG_SUM_FUSED: case OG_SUM_INTEGER: fused(a, b, depth, gathered, sum); break;
  case OG_SUM_PAIRWISE: pairwise(a, b, depth, group, gathered, sum); break;
  case OG_SUM_EXACT:
    if (p->is_wide)
      wide(a, b, depth, group, NULL, NULL, gathered, sum);
    else
      exact(a, b, depth, group, gathered, sum);
    break;
  case OG_SUM_TRUNCATED: truncated(a, ea, b, eb, depth, group, gathered, p->quick, sum); break;
  case OG_SUM_ALTERNATE: alternate(a, ea, b, eb, depth, group, gathered, sum); break;
  case OG_SUM_SCALED:
    if (p->is_wide)
      wide(a, b, depth, group, &p->scale_a[0][row], &p->scale_b[0][column], gathered, sum);
    else
      scaled(a, b, depth, group, &p->scale_a[0][row], &p->scale_b[0][column], sum);
    break;
  }
}

/* Each panel one after the other, or four abreast. */
static void sum_uniform(const struct og_matrix_plan *plan, struct product *p) {
  const u32 lanes = plan->facts->lanes, in_row = lanes / PANEL, panels = plan->results * in_row;
  bool abreast = (plan->sum == OG_SUM_FUSED || plan->sum == OG_SUM_INTEGER) && panels % ABREAST == 0;
  for (u32 n = 0; n < panels; n += abreast ? ABREAST : 1) {
    const f32 *a[ABREAST], *b[ABREAST];
    f32 *sum[ABREAST];
    u32 row = 0, column = 0;
    for (u32 j = abreast ? ABREAST : 1; j-- > 0;) {
      u32 r = (n + j) / in_row, lane = (n + j) % in_row * PANEL;
      row = plan->row[r][lane], column = plan->column[r][lane];
      a[j] = &p->a.value[0][row], b[j] = &p->b.value[0][column], sum[j] = &p->sum[r][lane];
    }
    if (abreast)
      fused_abreast(a, b, plan->facts->k, sum);
    else
      sum_panel(plan, p, a[0], &p->a.exponent[0][row], b[0], &p->b.exponent[0][column], row, column, false, sum[0]);
  }
}

/* 4x4 shapes: neighbouring lanes have different rows; only up to four values along k. (Inlined, compilers would warn of
 * depths that these have not.) */
enum { GATHERED_DEPTH = 4 };
static __attribute__((noinline)) void sum_gathered_panel(const struct og_matrix_plan *plan, const struct product *p,
                                                         const f32 *a, const i32 *ea, const f32 *b, const i32 *eb, f32 *sum) {
  sum_panel(plan, p, a, ea, b, eb, 0, 0, true, sum);
}
static void sum_gathered(const struct og_matrix_plan *plan, struct product *p) {
  struct {
    og_aligned f32 value[GATHERED_DEPTH][OG_MATRIX_SIDE];
    og_aligned i32 exponent[GATHERED_DEPTH][OG_MATRIX_SIDE];
  } a, b;
  const u32 depth = plan->facts->k;
  const bool fixed = plan->sum == OG_SUM_TRUNCATED || plan->sum == OG_SUM_ALTERNATE;
  for (u32 r = 0; r < plan->results; r++) {
    for (u32 k = 0; k < depth; k++)
      for (u32 lane = 0; lane < plan->facts->lanes; lane++) {
        u32 row = plan->row[r][lane], column = plan->column[r][lane];
        a.value[k][lane] = p->a.value[k][row], b.value[k][lane] = p->b.value[k][column];
        if (fixed)
          a.exponent[k][lane] = p->a.exponent[k][row], b.exponent[k][lane] = p->b.exponent[k][column];
      }
    for (u32 lane = 0; lane < plan->facts->lanes; lane += PANEL)
      sum_gathered_panel(plan, p, &a.value[0][lane], &a.exponent[0][lane], &b.value[0][lane], &b.exponent[0][lane],
                         &p->sum[r][lane]);
  }
}

/* ---- scales ------------------------------------------------------------------------------------------------------ */

static f64 scale_value(u32 bits, u32 format) {
  f64 nan = f64_of_bits(0x7ff8000000000000);
  if (format == 0)
    return bits == 255 ? nan : power((i32)bits - 127);
  if (format == 1)
    return bits == 255 ? nan : (f64)small_float(bits, 5, 3, 15);
  return (bits & 127) == 127 ? nan : (f64)small_float(bits & 127, 4, 3, 7);
}

static void read_scales(struct og_wave *wave, const struct og_matrix_scale *s, u32 side, u32 blocks, f64 out[][OG_MATRIX_SIDE]) {
  const u32 *from = og_at(wave, s->at);
  for (u32 n = 0; n < blocks; n++)
    for (u32 i = 0; i < side; i++) {
      u32 lane = s->by_lane_group ? i + side * n : s->first_lane + i, bit = s->by_lane_group ? s->shift : 8 * n;
      u32 bits = s->is_vector        ? from[lane + bit / 32 * OG_LANES] >> (bit % 32)
                 : s->by_lane_group ? (from[0] + s->constant) >> s->shift
                                    : from[0] + s->constant;
      out[n][i] = scale_value(bits & 255, s->format);
    }
}

static void take_scales(struct og_wave *wave, const struct og_matrix_plan *plan, struct product *p) {
  const struct og_matrix *facts = plan->facts;
  u32 blocks = (u32)facts->k / plan->group;
  if (facts->scaled) {
    read_scales(wave, &plan->scale_a, plan->a.side, blocks, p->scale_a);
    read_scales(wave, &plan->scale_b, plan->b.side, blocks, p->scale_b);
    return;
  }
  for (u32 n = 0; n < blocks; n++)
    for (u32 i = 0; i < OG_MATRIX_SIDE; i++)
      p->scale_a[n][i] = p->scale_b[n][i] = 1;
}

static bool scales_are_plain(const struct og_matrix_plan *plan, const struct product *p) {
  for (u32 n = 0; plan->facts->scaled && n * plan->group < plan->facts->k; n++)
    for (u32 i = 0; i < OG_MATRIX_SIDE; i++)
      if ((i < plan->a.side && p->scale_a[n][i] != p->scale_a[n][i]) ||
          (i < plan->b.side && p->scale_b[n][i] != p->scale_b[n][i]))
        return false;
  return true;
}

/* ---- C and D ----------------------------------------------------------------------------------------------------- */

static u32 c_bits(struct og_wave *wave, const struct og_matrix_plan *plan, u32 r, u32 lane) {
  bool narrow = plan->c == OG_ELEMENT_F16 || plan->c == OG_ELEMENT_BF16;
  if (plan->constant_c)
    return (u32)plan->c_constant;
  if (!narrow)
    return og_at(wave, plan->c_at + r * OG_AT_ROW)[lane];
  bool alone = plan->one_to_register;
  u32 bits = og_at(wave, plan->c_at + (alone ? r : r / 2) * OG_AT_ROW)[lane];
  return bits >> (alone ? (plan->half_high ? 16 : 0) : r % 2 * 16) & 0xffff;
}

static void load_c(struct og_wave *wave, const struct og_matrix_plan *plan, struct product *p) {
  const u32 lanes = plan->facts->lanes;
  if (plan->sum == OG_SUM_INTEGER || lanes < OG_LANES)
    memset(p->sum, 0, plan->results * sizeof(p->sum[0]));
  if (plan->sum == OG_SUM_INTEGER)
    return;
  if (plan->c == OG_ELEMENT_F32 && !plan->constant_c)
    memcpy(p->sum, og_at(wave, plan->c_at), plan->results * sizeof(p->sum[0]));
  else
    for (u32 r = 0; r < plan->results; r++)
      for (u32 lane = 0; lane < lanes; lane++)
        p->sum[r][lane] = value_of(c_bits(wave, plan, r, lane), plan->c, false, false);
  if (plan->c_absolute | plan->c_negate)
    for (u32 r = 0; r < plan->results; r++)
      for (u32 lane = 0; lane < lanes; lane++) {
        u32 bits = bits_of_f32(p->sum[r][lane]);
        bits = (plan->c_absolute ? bits & 0x7fffffff : bits) ^ (u32)plan->c_negate << 31;
        p->sum[r][lane] = f32_of_bits(bits);
      }
  if (plan->sum == OG_SUM_PAIRWISE)
    for (u32 r = 0; r < plan->results; r++)
      OG_LOOP for (u32 lane = 0; lane < OG_LANES; lane++) {
        u32 bits = bits_of_f32(p->sum[r][lane]);
        p->sum[r][lane] = f32_of_bits(bits & 0x7f800000 ? bits : 0);
      }
}

static void store_integers(struct og_wave *wave, const struct og_matrix_plan *plan, const struct product *p) {
  bool saturates = plan->saturates || (plan->ovfl_saturates && wave->mode & OG_MODE_FP16_OVFL);
  for (u32 r = 0; r < plan->results; r++) {
    u32 *d = og_at(wave, plan->d_at + r * OG_AT_ROW);
    const u32 *c = og_at(wave, plan->c_at + r * OG_AT_ROW);
    og_aligned u32 other[OG_LANES];
    for (u32 lane = 0; lane < OG_LANES; lane++)
      other[lane] = plan->constant_c ? (u32)plan->c_constant : c[lane];
    if (!saturates)
      OG_LOOP for (u32 lane = 0; lane < OG_LANES; lane++) d[lane] = other[lane] + (u32)(i32)p->sum[r][lane];
    else
      for (u32 lane = 0; lane < OG_LANES; lane++)
        d[lane] = (u32)saturate_i32((i64)(i32)other[lane] + (i32)p->sum[r][lane]);
  }
}

/* With FP16_OVFL only what has an infinity among its sources is infinite. */
static bool overflows(const struct og_matrix_plan *plan, const struct product *p, u32 r, u32 lane, f32 c) {
  f32 sum = c - c; /* NaN if that is not finite */
  for (u32 k = 0; k < plan->facts->k; k++) {
    f32 a = p->a.value[k][plan->row[r][lane]], b = p->b.value[k][plan->column[r][lane]];
    sum += (a - a) + (b - b);
  }
  return sum == 0;
}

static u32 bits_of_result(f32 x, u32 element) {
  return element == OG_ELEMENT_F16    ? og_float_to_half(x, OG_ROUND_NEAREST)
         : element == OG_ELEMENT_BF16 ? og_float_to_bfloat(x)
                                      : bits_of_f32(x);
}

static void store_floats(struct og_wave *wave, const struct og_matrix_plan *plan, const struct product *p) {
  static const u32 infinity[] = {[OG_ELEMENT_F32] = 0x7f800000, [OG_ELEMENT_F16] = 0x7c00, [OG_ELEMENT_BF16] = 0x7f80};
  bool saturates = plan->ovfl_saturates && wave->mode & OG_MODE_FP16_OVFL;
  bool narrow = plan->d != OG_ELEMENT_F32;
  if (!narrow && !saturates) {
    memcpy(og_at(wave, plan->d_at), p->sum, plan->results * sizeof(p->sum[0]));
    return;
  }
  for (u32 r = 0; r < plan->results; r++) {
    bool paired = narrow && !plan->one_to_register;
    u32 *d = og_at(wave, plan->d_at + (paired ? r / 2 : r) * OG_AT_ROW);
    u32 shift = !narrow ? 0 : paired ? r % 2 * 16 : plan->half_high ? 16 : 0;
    u32 mask = !narrow ? 0xffffffff : (u32)0xffff << shift;
    for (u32 lane = 0; lane < OG_LANES; lane++) { /* those beyond a wave of 32, too, as everywhere */
      u32 bits = bits_of_result(p->sum[r][lane], plan->d), top = infinity[plan->d];
      bool in_wave = lane < plan->facts->lanes;
      if (saturates && in_wave && (bits & (top | (top - 1))) == top && overflows(plan, p, r, lane, p->c[r][lane]))
        bits--;
      d[lane] = (d[lane] & ~mask) | bits << shift;
    }
  }
}

/* ---- doubles ----------------------------------------------------------------------------------------------------- */

static void fetch_doubles(struct og_wave *wave, const struct og_matrix_side *m, f64 out[][OG_MATRIX_SIDE]) {
  for (u32 n = 0; n < m->items; n++)
    for (u32 g = 0; g < m->groups; g++)
      for (u32 i = 0; i < m->side; i++) {
        u32 lane = g * m->side + i, from = m->moved ? m->lane[lane] : lane;
        const u32 *reg = og_at(wave, m->at + 2 * n * OG_AT_ROW);
        f64 x = f64_of_bits((u64)reg[from + OG_LANES] << 32 | reg[from]);
        out[m->k[g][n]][i] = m->negate ? -x : x;
      }
}

static void multiply_doubles(struct og_wave *wave, const struct og_matrix_plan *plan) {
  f64 a[4][OG_MATRIX_SIDE], b[4][OG_MATRIX_SIDE], sum[8][OG_LANES] = {{0}};
  const struct og_matrix *facts = plan->facts;
  fetch_doubles(wave, &plan->a, a);
  fetch_doubles(wave, &plan->b, b);
  for (u32 r = 0; r < plan->results; r++)
    for (u32 lane = 0; lane < facts->lanes; lane++) {
      const u32 *c = og_at(wave, plan->c_at + 2 * r * OG_AT_ROW) + lane;
      u64 bits = plan->constant_c ? plan->c_constant : (u64)c[OG_LANES] << 32 | c[0];
      bits = (plan->c_absolute ? bits << 1 >> 1 : bits) ^ (u64)plan->c_negate << 63;
      sum[r][lane] = f64_of_bits(bits);
    }
  for (u32 r = 0; r < plan->results; r++)
    for (u32 k = 0; k < facts->k; k++)
      OG_LOOP for (u32 lane = 0; lane < facts->lanes; lane++)
        sum[r][lane] = __builtin_fma(a[k][plan->row[r][lane]], b[k][plan->column[r][lane]], sum[r][lane]);
  for (u32 r = 0; r < plan->results; r++)
    for (u32 lane = 0; lane < OG_LANES; lane++) {
      u32 *d = og_at(wave, plan->d_at + 2 * r * OG_AT_ROW) + lane;
      u64 bits = bits_of_f64(sum[r][lane]);
      d[0] = (u32)bits, d[OG_LANES] = (u32)(bits >> 32);
    }
}

/* ---- the handler ------------------------------------------------------------------------------------------------- */

static void multiply(struct og_wave *wave, const struct og_matrix_plan *plan) {
  const struct og_matrix *facts = plan->facts;
  struct product p;
  bool sparse = facts->kind == OG_MATRIX_SMFMAC || facts->kind == OG_MATRIX_SWMMAC;
  if (sparse)
    unpack_sparse(wave, plan, &p.a);
  else
    unpack(wave, &plan->a, &p.a);
  unpack(wave, &plan->b, &p.b);
  if (plan->a.negate)
    negate(&plan->a, facts->k, &p.a);
  if (plan->b.negate)
    negate(&plan->b, facts->k, &p.b);
  load_c(wave, plan, &p);
  if (plan->ovfl_saturates && wave->mode & OG_MODE_FP16_OVFL)
    memcpy(p.c, p.sum, sizeof(p.c));
  if (plan->sum == OG_SUM_SCALED)
    take_scales(wave, plan, &p);
  bool plain = true;
  if (plan->sum == OG_SUM_PAIRWISE) {
    flush_factors(&plan->a, facts->k, &p.a);
    flush_factors(&plan->b, facts->k, &p.b);
  } else if (plan->sum > OG_SUM_INTEGER || sparse) {
    survey(&plan->a, facts->k, &p.a);
    survey(&plan->b, facts->k, &p.b);
    bool finite = plan->sum < OG_SUM_EXACT || (c_is_finite(plan, &p) && (plan->sum != OG_SUM_SCALED || scales_are_plain(plan, &p)));
    plain = plan->sum == OG_SUM_INTEGER || (plan->sum == OG_SUM_FUSED ? !p.b.special : sums_are_plain(plan, &p, sparse, finite));
  }
  if (!plain)
    sum_careful(plan, &p);
  else if (!plan->uniform)
    sum_gathered(plan, &p);
  else
    sum_uniform(plan, &p);
  if (plan->sum == OG_SUM_INTEGER)
    store_integers(wave, plan, &p);
  else
    store_floats(wave, plan, &p);
}

/* Rounding is to the nearest always; denormals are kept but on gfx90a, and where products of f32 obey MODE (CDNA4, 7.4). */
const struct og_operation *OG_VARIANT(og_multiply)(struct og_wave *wave, const struct og_operation *op) {
  const struct og_matrix_plan *plan = op->detail;
  u32 denormals = plan->sum == OG_SUM_PAIRWISE ? 0 : plan->flushes_by_mode ? (wave->mode & OG_MODE_DENORM_32) >> 4 : 3;
  u32 control = og_float_control(0, denormals);
  bool other = control != wave->float_control_32;
  if (other)
    og_set_float_control(control);
  if (plan->facts->d == OG_ELEMENT_F64)
    multiply_doubles(wave, plan);
  else
    multiply(wave, plan);
  if (other)
    og_set_float_control(wave->float_control_32);
  return og_next(op);
}
