/* matrix_unpack.h - A and B of matrix instructions as rows of floats: some of k at a time, so that they stay small. */
#ifndef OG_EXEC_MATRIX_UNPACK_H
#define OG_EXEC_MATRIX_UNPACK_H

#include "exec/matrix.h"
#include "exec/matrix_vector.h"

enum { MOST_CHUNK = 2 * OG_MATRIX_CHUNK }; /* a block of 32 scaled products of 32 rows */

/* Some k of one of the two factors: row after row of A, transposed, or of B, `side` numbers in each. */
struct factors {
  f32 *value;
  i16 *exponent; /* where sums in fixed point want them: far below all others for 0 */
  i32 least, most; /* exponents of those that are finite and not 0 */
  bool special;    /* infinities or NaN among them */
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

/* A panel of them at once: what value_of() says of one. Denormals come without a denormal f32 on the way, of which
 * hosts take long: they are read as if they were normal, which is half of what they are and half of the least normal
 * number too much. */
OG_LANE ints small_floats(ints bits, u32 exponent, u32 mantissa, i32 bias) {
  ints size = bits & (i32)((1u << (exponent + mantissa)) - 1),
       sign = bits << (31 - exponent - mantissa) & (i32)0x80000000;
  ints normal = (size << (23 - mantissa)) + (127 - bias) * (1 << 23);
  floats denormal = (floats)normal * 2 - f32_of_bits((u32)(128 - bias) << 23);
  return chosen(size < (1 << mantissa), (ints)denormal, normal) | sign;
}
/* The same of at most 6 bits, out of a table where the host has such instructions. */
OG_LANE ints tiny_floats(ints bits, u32 exponent, u32 mantissa, i32 bias) {
#if defined __AVX512F__
  const ints count = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  __m512i low = (__m512i)small_floats(count, exponent, mantissa, bias);
  if (exponent + mantissa < 4)
    return (ints)_mm512_permutexvar_epi32((__m512i)bits, low);
  __m512i high = (__m512i)small_floats(count + 16, exponent, mantissa, bias);
  ints sign = bits << (31 - exponent - mantissa) & (i32)0x80000000;
  return (ints)_mm512_permutex2var_epi32(low, (__m512i)bits, high) | sign;
#else
  return small_floats(bits, exponent, mantissa, bias);
#endif
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
  case OG_ELEMENT_FP6: return tiny_floats(bits, 2, 3, 1);
  case OG_ELEMENT_BF6: return tiny_floats(bits, 3, 2, 3);
  case OG_ELEMENT_F4: return tiny_floats(bits, 2, 1, 1);
  case OG_ELEMENT_I8: return (ints)__builtin_convertvector(bits << 24 >> 24, floats);
  case OG_ELEMENT_IU8: return (ints)__builtin_convertvector(is_signed ? bits << 24 >> 24 : byte, floats);
  case OG_ELEMENT_IU4: return (ints)__builtin_convertvector(is_signed ? bits << 28 >> 28 : bits & 15, floats);
  default: return bits;
  }
}

OG_LANE ints halves_of(ints bits) {
#if defined __AVX512F__
  return (ints)_mm512_cvtph_ps(_mm512_cvtepi32_epi16((__m512i)bits));
#elif defined __F16C__
  __m256i low = _mm256_and_si256((__m256i)bits, _mm256_set1_epi32(0xffff));
  return (ints)_mm256_cvtph_ps(_mm_packus_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1)));
#else
  for (int i = 0; i < PANEL; i++)
    bits[i] = (i32)bits_of_f32(half_value((u32)bits[i] & 0xffff));
  return bits;
#endif
}
/* Of dwords of two halves each. */
OG_LANE void floats_of_pairs(ints bits, ints *low, ints *high) {
#if defined __AVX512BW__
  const __m512i even_odd = _mm512_set_epi16(31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1, 30, 28, 26, 24,
                                            22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  __m512i apart = _mm512_permutexvar_epi16(even_odd, (__m512i)bits);
  *low = (ints)_mm512_cvtph_ps(_mm512_castsi512_si256(apart));
  *high = (ints)_mm512_cvtph_ps(_mm512_extracti64x4_epi64(apart, 1));
#else
  *high = halves_of((ints)((words)bits >> 16)), *low = halves_of(bits);
#endif
}
OG_LANE ints convert(ints bits, u32 element, bool fnuz, bool is_signed) {
  return element == OG_ELEMENT_F16 ? halves_of(bits) : values_of(bits, element, fnuz, is_signed);
}

/* Floats of 8 bits in each half of dwords, zeros above them, become bfloats, which hold them all: twice as many at a
 * time. Denormals come out of a table. */
#if defined __AVX512BW__
OG_LANE ints bfloats_of_bytes(ints halves, u32 mantissa, i32 bias, bool fnuz) {
  const ints count = {0, 1, 2, 3, 4, 5, 6, 7};
  const ints table = (ints)((words)small_floats(count, 7 - mantissa, mantissa, bias) >> 16);
  const __m512i denormals = (__m512i)_mm512_zextsi256_si512(_mm512_cvtepi32_epi16((__m512i)table));
  const __m512i x = (__m512i)halves, nan = _mm512_set1_epi16(0x7fc0), special = _mm512_set1_epi16(0x7f80);
  __m512i size = _mm512_and_si512(x, _mm512_set1_epi16(0x7f)), sign = _mm512_slli_epi16(x, 8);
  __m512i out = _mm512_add_epi16(_mm512_slli_epi16(size, 7 - mantissa), _mm512_set1_epi16((i16)((127 - bias) << 7)));
  __mmask32 small = _mm512_cmplt_epu16_mask(size, _mm512_set1_epi16((i16)(1 << mantissa)));
  out = _mm512_mask_permutexvar_epi16(out, small, size, denormals);
  out = _mm512_or_si512(out, _mm512_and_si512(sign, _mm512_set1_epi16((i16)0x8000)));
  if (fnuz)
    return (ints)_mm512_mask_mov_epi16(out, _mm512_cmpeq_epi16_mask(x, _mm512_set1_epi16(0x80)), nan);
  if (mantissa == 3)
    return (ints)_mm512_mask_mov_epi16(out, _mm512_cmpeq_epi16_mask(size, _mm512_set1_epi16(0x7f)), nan);
  __mmask32 top = _mm512_cmpge_epu16_mask(size, _mm512_set1_epi16(0x7c)); /* an infinity, or a NaN */
  return (ints)_mm512_mask_mov_epi16(out, top, _mm512_or_si512(out, special));
}
#endif
/* Elements in both halves of dwords: of 16 bits, or fewer with zeros above them. */
OG_LANE void convert_pairs(ints bits, u32 element, bool fnuz, ints *low, ints *high) {
  if (element == OG_ELEMENT_F16) {
    floats_of_pairs(bits, low, high);
    return;
  }
#if defined __AVX512BW__
  if (element == OG_ELEMENT_FP8)
    bits = bfloats_of_bytes(bits, 3, fnuz ? 8 : 7, fnuz), element = OG_ELEMENT_BF16;
  if (element == OG_ELEMENT_BF8)
    bits = bfloats_of_bytes(bits, 2, fnuz ? 16 : 15, fnuz), element = OG_ELEMENT_BF16;
#endif
  if (element == OG_ELEMENT_BF16) {
    *low = bits << 16, *high = bits & (i32)0xffff0000;
    return;
  }
  *low = convert(bits, element, fnuz, false);
  *high = convert((ints)((words)bits >> 16), element, fnuz, false);
}

/* Elements of 6 bits alone lie across the ends of registers. */
OG_LANE ints fetch(const u32 *low, u32 shift, u32 element) {
  words bits = (words)load_ints(low) >> shift;
  if ((element == OG_ELEMENT_FP6 || element == OG_ELEMENT_BF6) && shift > 32 - 6)
    bits |= (words)load_ints(low + OG_LANES) << (32 - shift);
  return (ints)bits;
}

/* Registers of 64 lanes in another order: broadcasts between lanes. */
enum { MOVED_REGISTERS = 4 };
static const u32 *moved(const struct og_matrix_side *m, const u32 *from, u32 *to) {
  for (u32 n = 0; n * 32 < (u32)m->items * m->width && n < MOVED_REGISTERS; n++)
    for (u32 i = 0; i < OG_LANES; i++)
      to[n * OG_LANES + i] = from[n * OG_LANES + m->lane[i]];
  return to;
}

/* Two neighbours along k that halves of the same dwords are, or four that their bytes are. */
OG_LANE void unpack_pairs(const u32 *registers, const struct og_matrix_side *m, u32 element, u32 from, u32 depth,
                          u32 lanes, u32 parts, f32 *to) {
  const u32 side = lanes * parts;
  for (u32 k = from; k < from + depth; k += 2, to += 2 * side)
    for (u32 part = 0; part < parts; part++)
      for (u32 j = 0; j < lanes; j += PANEL) {
        ints low, high;
        convert_pairs(load_ints(registers + m->place[part][k].at + j), element, false, &low, &high);
        store_floats_at(to + part * lanes + j, (floats)low);
        store_floats_at(to + side + part * lanes + j, (floats)high);
      }
}
OG_LANE void unpack_bytes(const u32 *registers, const struct og_matrix_side *m, u32 element, bool fnuz, u32 from,
                          u32 depth, u32 lanes, u32 parts, f32 *to) {
  const u32 side = lanes * parts;
  for (u32 k = from; k < from + depth; k += 4, to += 4 * side)
    for (u32 part = 0; part < parts; part++)
      for (u32 j = 0; j < lanes; j += PANEL) {
        words bits = (words)load_ints(registers + m->place[part][k].at + j);
        ints x[4];
        convert_pairs((ints)(bits & 0x00ff00ff), element, fnuz, &x[0], &x[2]);
        convert_pairs((ints)(bits >> 8 & 0x00ff00ff), element, fnuz, &x[1], &x[3]);
        OG_UNROLL for (u32 n = 0; n < 4; n++)
          store_floats_at(to + n * side + part * lanes + j, (floats)x[n]);
      }
}
/* So many neighbours are in one dword. */
OG_LANE bool are_together(const struct og_matrix_side *m, u32 count, u32 from, u32 depth) {
  return m->place[0][from].at == m->place[0][from + count - 1].at && depth % count == 0;
}
OG_LANE void unpack_as(struct og_wave *wave, const struct og_matrix_side *m, u32 element, bool fnuz, bool is_signed,
                       u32 from, u32 depth, struct factors *out) {
  og_aligned u32 room[MOVED_REGISTERS * OG_LANES];
  const u32 *registers = og_at(wave, m->at);
  if (__builtin_expect(m->moved, 0))
    registers = moved(m, registers, room);
  const u32 lanes = m->lanes, parts = m->parts;
  f32 *to = out->value;
  if ((element == OG_ELEMENT_F16 || element == OG_ELEMENT_BF16) && are_together(m, 2, from, depth)) {
    if (lanes == 16 && parts == 1) /* numbers that the compiler knows */
      unpack_pairs(registers, m, element, from, depth, 16, 1, to);
    else
      unpack_pairs(registers, m, element, from, depth, lanes, parts, to);
    return;
  }
  if ((element == OG_ELEMENT_FP8 || element == OG_ELEMENT_BF8) && are_together(m, 4, from, depth)) {
    if (lanes == 16 && parts == 1)
      unpack_bytes(registers, m, element, fnuz, from, depth, 16, 1, to);
    else
      unpack_bytes(registers, m, element, fnuz, from, depth, lanes, parts, to);
    return;
  }
  for (u32 k = from; k < from + depth; k++)
    for (u32 part = 0; part < parts; part++) {
      const struct og_matrix_place place = m->place[part][k];
      for (u32 j = 0; j < lanes; j += TILE, to += TILE)
        EACH_VECTOR {
          ints x = convert(fetch(registers + place.at + j + v * PANEL, place.shift, element), element, fnuz, is_signed);
          store_floats_at(to + v * PANEL, (floats)x);
        }
    }
}

/* Whole numbers of few bits as 16, two in a dword: of neighbours along k in one dword the first of its lower half with
 * the first of its upper half, and so on; row after row as floats are. */
OG_LANE ints words_of(ints bits, u32 width, u32 n, bool is_signed) {
  const u32 mask = (1u << width) - 1;
  if (!is_signed)
    return (ints)((words)bits >> (width * n)) & (i32)(mask << 16 | mask);
  typedef i16 all_shorts __attribute__((vector_size(4 * PANEL)));
  return (ints)((all_shorts)bits << (i16)(16 - width * (n + 1)) >> (i16)(16 - width));
}
OG_LANE void unpack_words_from(const u32 *registers, const struct og_matrix_side *m, u32 width, bool is_signed,
                               u32 from, u32 depth, u32 lanes, u32 parts, f32 *to) {
  const u32 side = lanes * parts, half = 16 / width;
  for (u32 k = from; k < from + depth; k += 2 * half, to += half * side)
    for (u32 part = 0; part < parts; part++)
      for (u32 j = 0; j < lanes; j += PANEL) {
        const ints bits = load_ints(registers + m->place[part][k].at + j);
        OG_UNROLL for (u32 n = 0; n < half; n++)
          store_floats_at(to + n * side + part * lanes + j, (floats)words_of(bits, width, n, is_signed));
      }
}
OG_LANE void unpack_words_as(const u32 *registers, const struct og_matrix_side *m, u32 width, bool is_signed, u32 from,
                             u32 depth, f32 *to) {
  if (m->lanes == 16 && m->parts == 1)
    unpack_words_from(registers, m, width, is_signed, from, depth, 16, 1, to);
  else
    unpack_words_from(registers, m, width, is_signed, from, depth, m->lanes, m->parts, to);
}
static void unpack_words(struct og_wave *wave, const struct og_matrix_side *m, u32 from, u32 depth,
                         struct factors *out) {
  og_aligned u32 room[MOVED_REGISTERS * OG_LANES];
  const u32 *registers = og_at(wave, m->at);
  if (m->moved)
    registers = moved(m, registers, room);
  if (m->width == 8 && m->is_signed)
    unpack_words_as(registers, m, 8, true, from, depth, out->value);
  else if (m->width == 8)
    unpack_words_as(registers, m, 8, false, from, depth, out->value);
  else if (m->is_signed)
    unpack_words_as(registers, m, 4, true, from, depth, out->value);
  else
    unpack_words_as(registers, m, 4, false, from, depth, out->value);
}

/* Of each two elements of a sparse row the index says which of four they are (RDNA4, 7.12.3): an index of 3 for the
 * first or 0 for the second means nowhere. Of two at one place it is the first that counts. */
OG_LANE ints places_of(const struct og_matrix_plan *plan, const u32 *indices, const struct og_matrix_place *place,
                       u32 row) {
  const u32 bit = plan->index_shift + 2u * place->item;
  return load_ints(indices + bit / 32 * OG_LANES + place->at % OG_LANES + row) >> (i32)(bit % 32) & 3;
}
OG_LANE void unpack_sparse_as(struct og_wave *wave, const struct og_matrix_plan *plan, u32 element, bool fnuz,
                              u32 from, u32 depth, struct factors *out) {
  const struct og_matrix_side *m = &plan->a;
  const u32 *registers = og_at(wave, m->at), *indices = og_at(wave, plan->index_at);
  const ints nowhere = (ints){0} + 4;
  f32 *to = out->value;
  for (u32 k = from; k < from + depth; k += 4, to += 4 * m->side) {
    const struct og_matrix_place *two = &m->place[0][k];
    for (u32 row = 0; row < m->side; row += PANEL) {
      ints first = places_of(plan, indices, &two[0], row), second = places_of(plan, indices, &two[1], row);
      ints pair = (ints)((words)load_ints(registers + two->at + row) >> two->shift), x, y;
      if (element != OG_ELEMENT_F16 && element != OG_ELEMENT_BF16) /* neighbours are in one dword */
        pair = (pair & 0xff) | (pair << 8 & 0xff0000);
      convert_pairs(pair, element, fnuz, &x, &y);
      first = chosen(first == 3, nowhere, first), second = chosen(second == 0, nowhere, second);
      OG_UNROLL for (i32 which = 0; which < 4; which++) {
        ints value = chosen(first == which, x, y & (second == which));
        memcpy(to + (u32)which * m->side + row, &value, sizeof(value));
      }
    }
  }
}
/* The same of whole numbers, as unpack_words() has them: what four k have stands side by side first. */
OG_LANE ints spread_sparse(const struct og_matrix_plan *plan, const u32 *registers, const u32 *indices, u32 k, u32 row,
                           u32 width) {
  const struct og_matrix_place *two = &plan->a.place[0][k];
  const i32 mask = (1 << width) - 1;
  ints first = places_of(plan, indices, &two[0], row), second = places_of(plan, indices, &two[1], row);
  ints pair = (ints)((words)load_ints(registers + two->at + row) >> two->shift);
  ints x = (pair & mask) << (first * (i32)width), y = (pair >> (i32)width & mask) << (second * (i32)width);
  return (x & (first != 3)) | (y & (second != 0) & ((first != second) | (first == 3)));
}
OG_LANE void unpack_sparse_words_as(struct og_wave *wave, const struct og_matrix_plan *plan, u32 width, bool is_signed,
                                    u32 from, u32 depth, f32 *to) {
  const u32 *registers = og_at(wave, plan->a.at), *indices = og_at(wave, plan->index_at);
  const u32 side = plan->a.side, half = 16 / width;
  for (u32 k = from; k < from + depth; k += 2 * half, to += half * side)
    for (u32 row = 0; row < side; row += PANEL) {
      ints bits = spread_sparse(plan, registers, indices, k, row, width);
      if (width == 4)
        bits |= spread_sparse(plan, registers, indices, k + 4, row, width) << 16;
      OG_UNROLL for (u32 n = 0; n < half; n++)
        store_floats_at(to + n * side + row, (floats)words_of(bits, width, n, is_signed));
    }
}
static void unpack_sparse_words(struct og_wave *wave, const struct og_matrix_plan *plan, u32 from, u32 depth,
                                struct factors *out) {
  const bool is_signed = plan->a.is_signed;
  if (plan->a.width == 8 && is_signed)
    unpack_sparse_words_as(wave, plan, 8, true, from, depth, out->value);
  else if (plan->a.width == 8)
    unpack_sparse_words_as(wave, plan, 8, false, from, depth, out->value);
  else if (is_signed)
    unpack_sparse_words_as(wave, plan, 4, true, from, depth, out->value);
  else
    unpack_sparse_words_as(wave, plan, 4, false, from, depth, out->value);
}
/* Which rows have something at each k, a bit for each. */
static void find_present(struct og_wave *wave, const struct og_matrix_plan *plan, u32 from, u32 depth, u32 *present) {
  const u32 *indices = og_at(wave, plan->index_at);
  memset(present, 0, depth * sizeof(present[0]));
  for (u32 k = from; k < from + depth; k += 4)
    for (u32 n = 0; n < 2; n++) {
      const struct og_matrix_place *place = &plan->a.place[0][k + n];
      const u32 bit = plan->index_shift + 2u * place->item, nowhere = n ? 0 : 3;
      for (u32 row = 0; row < plan->a.side; row++) {
        u32 which = indices[bit / 32 * OG_LANES + place->at % OG_LANES + row] >> (bit % 32) & 3;
        present[k - from + which] |= (u32)(which != nowhere) << row;
      }
    }
}

/* A function for each type of element: of A and B, and of a sparse A, which has fewer. */
#define AS(element) unpack_as(wave, m, element, false, false, from, depth, out)
#define AS_EITHER(element, fnuz, is_signed, which) \
  if (which)                                       \
    unpack_as(wave, m, element, fnuz, is_signed, from, depth, out); \
  else                                             \
    AS(element)
static void unpack(struct og_wave *wave, const struct og_matrix_side *m, u32 from, u32 depth, struct factors *out) {
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
}
#undef AS
#undef AS_EITHER

#define AS(element, fnuz) unpack_sparse_as(wave, plan, element, fnuz, from, depth, out)
static void unpack_sparse(struct og_wave *wave, const struct og_matrix_plan *plan, u32 from, u32 depth,
                          struct factors *out) {
  const struct og_matrix_side *m = &plan->a;
  switch (m->element) {
  case OG_ELEMENT_F16: AS(OG_ELEMENT_F16, false); break;
  case OG_ELEMENT_BF16: AS(OG_ELEMENT_BF16, false); break;
  case OG_ELEMENT_FP8: AS(OG_ELEMENT_FP8, m->fnuz); break;
  case OG_ELEMENT_BF8: AS(OG_ELEMENT_BF8, m->fnuz); break;
  default: break; /* whole numbers are unpack_sparse_words()'s */
  }
}
#undef AS

OG_LANE void negate(const struct og_matrix_side *m, u32 depth, struct factors *f) {
  for (u32 k = 0; k < depth; k++)
    if (m->negate >> (k & 1) & 1)
      for (u32 i = 0; i < m->side; i++)
        f->value[k * m->side + i] = -f->value[k * m->side + i];
}

/* gfx90a: denormals count as +0. */
OG_LANE void flush_factors(const struct og_matrix_side *m, u32 depth, struct factors *f) {
  const ints least = (ints){0} + (m->least_exponent + 127) * (1 << 23);
  for (u32 i = 0; i < depth * m->side; i += PANEL) {
    ints bits = load_ints(f->value + i);
    bits &= (bits & 0x7fffffff) >= least;
    memcpy(f->value + i, &bits, sizeof(bits));
  }
}

/* What vector code has to know before it sums: sizes of numbers, `rows` times `count` of them, a multiple of PANEL. */
struct sizes {
  i32 least, most; /* exponents of the smallest and the largest that are finite and not 0; without any 129 and -127 */
  bool special;    /* infinities or NaN among them */
};
OG_LANE void note_sizes(const f32 *from, u32 count, ints *low, ints *high) {
  for (u32 i = 0; i < count; i += PANEL) {
    ints size = load_ints(from + i) & 0x7fffffff;
    *low = smaller_unsigned(*low, size - 1); /* a 0 is the largest */
    *high = larger(*high, size);
  }
}
static __attribute__((noinline)) ints largest_finite(const f32 *from, u32 rows, u32 count, u32 stride) {
  ints high = {0};
  for (u32 r = 0; r < rows; r++)
    for (u32 i = 0; i < count; i += PANEL) {
      ints size = load_ints(from + r * stride + i) & 0x7fffffff;
      high = larger(high, size & (size < 0x7f800000));
    }
  return high;
}
static struct sizes sizes_of(const f32 *from, u32 rows, u32 count, u32 stride) {
  const ints none = {0};
  ints low = none - 1, high = none;
  for (u32 r = 0; r < rows; r++)
    if (count == OG_LANES) /* a number that the compiler knows */
      note_sizes(from + r * stride, OG_LANES, &low, &high);
    else
      note_sizes(from + r * stride, count, &low, &high);
  bool special = any(high >= 0x7f800000);
  if (special)
    high = largest_finite(from, rows, count, stride);
  low = smaller_unsigned(low, none + INT32_MAX);
  return (struct sizes){(i32)(((u32)least_of(low) + 1) >> 23) - 127, (most_of(high) >> 23) - 127, special};
}
/* Where only that needs a look: NaN comes of 0 times an infinity or a NaN. Of four chains, for one waits for itself. */
static bool has_special(const f32 *from, u32 rows, u32 count, u32 stride) {
  enum { CHAINS = 4 };
  floats all[CHAINS] = {{0}};
  for (u32 r = 0; r < rows; r++, from += stride) {
    u32 i = 0;
    for (; i + CHAINS * PANEL <= count; i += CHAINS * PANEL)
      OG_UNROLL for (u32 n = 0; n < CHAINS; n++)
        all[n] = fma_floats(load_floats(from + i + n * PANEL), splat(0), all[n]);
    for (; i < count; i += PANEL)
      all[0] = fma_floats(load_floats(from + i), splat(0), all[0]);
  }
  floats sum = all[0] + all[1] + all[2] + all[3];
  return any(sum != sum);
}
/* `bounds_do`: of exponents what the type has for them; of f32 and bf16 they are not known then. */
static void survey(const struct og_matrix_side *m, u32 depth, bool bounds_do, struct factors *f) {
  if (m->element == OG_ELEMENT_FP6 || m->element == OG_ELEMENT_BF6 || m->element == OG_ELEMENT_F4) {
    f->special = false; /* there are none, and few exponents */
    f->least = m->least_exponent, f->most = m->element == OG_ELEMENT_BF6 ? 4 : 2;
    return;
  }
  if (bounds_do) {
    f->special = has_special(f->value, 1, depth * m->side, 0);
    f->least = m->least_exponent, f->most = 15;
    return;
  }
  struct sizes s = sizes_of(f->value, 1, depth * m->side, 0);
  bool none = s.least > s.most;
  f->special = s.special;
  f->least = none ? 1000 : max_i32(s.least, m->least_exponent);
  f->most = none ? -1000 : max_i32(s.most, m->least_exponent);
}

static void find_exponents(const struct og_matrix_side *m, u32 depth, struct factors *f) {
  const ints none = {0}, lowest = none + m->least_exponent;
  for (u32 i = 0; i < depth * m->side; i += PANEL) {
    ints size = load_ints(f->value + i) & 0x7fffffff;
    store_narrowed(f->exponent + i, chosen(size == none, none + NO_EXPONENT, larger((size >> 23) - 127, lowest)));
  }
}

/* A factor without its exponent: in two steps, for 2^127 has no normal inverse, and so that denormals come out
 * right. */
OG_LANE floats scaled_to(floats x, ints exponent) {
  exponent = larger(exponent, (ints){0} - 252); /* a 0 */
  ints half = exponent >> 1;
  return x * (floats)((127 - half) << 23) * (floats)((127 - (exponent - half)) << 23);
}
/* What sums in fixed point want where products may lie beyond f32: all factors so. */
static void take_exponents_off(const struct og_matrix_side *m, u32 depth, struct factors *f) {
  for (u32 i = 0; i < depth * m->side; i += TILE) {
    tile_shorts exponents = load_shorts(f->exponent + i);
    EACH_VECTOR {
      f32 *at = f->value + i + v * PANEL;
      floats x = scaled_to(load_floats(at), widened(exponents, v));
      memcpy(at, &x, sizeof(x));
    }
  }
}

#endif
