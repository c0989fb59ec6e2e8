/* matrix_result.h - C and D of matrix instructions: into sums, and from them to registers. */
#ifndef OG_EXEC_MATRIX_RESULT_H
#define OG_EXEC_MATRIX_RESULT_H

#include "base/floats.h"
#include "exec/matrix_fixed.h"
#include "exec/matrix_unpack.h"

/* A product on its way. Sums come first in `room`, then the numbers of A and of B, then their exponents. */
enum { SCALED_SIDE = 32 }; /* rows or columns of what has scales, at most */
enum { ROOM = 3072 }; /* 32 results and, with exponents, 4 numbers for each of 64 rows; 16 and twice MOST_CHUNK
                         without */
struct product {
  struct factors a, b;
  f32 (*sum)[OG_LANES];
  og_aligned f64 scale_a[SCALED_SIDE], scale_b[SCALED_SIDE]; /* of a block */
  u64 special_rows, special_columns, special_c[OG_MATRIX_RESULTS]; /* where MODE.FP16_OVFL asks for them */
  og_aligned f32 room[ROOM];
};

/* C's bits of result r, of which it has `narrow` ones in halves of registers. */
OG_LANE ints c_bits(const u32 *c, const struct og_matrix_plan *plan, u32 r, u32 lane, bool narrow) {
  if (plan->constant_c)
    return (ints){0} + (i32)(u32)plan->c_constant;
  if (!narrow)
    return load_ints(c + r * OG_LANES + lane);
  bool alone = plan->one_to_register;
  return (ints)((words)load_ints(c + (alone ? r : r / 2) * OG_LANES + lane) >>
                (alone ? (plan->half_high ? 16u : 0) : r % 2 * 16)) &
         0xffff;
}

static void load_c(struct og_wave *wave, const struct og_matrix_plan *plan, struct product *p) {
  const u32 lanes = plan->facts->lanes, *c = og_at(wave, plan->c_at);
  if (plan->sum == OG_SUM_INTEGER || lanes < OG_LANES)
    memset(p->sum, 0, plan->results * sizeof(p->sum[0]));
  if (plan->sum == OG_SUM_INTEGER)
    return;
  if (plan->c == OG_ELEMENT_F32 && !plan->constant_c)
    memcpy(p->sum, c, plan->results * sizeof(p->sum[0]));
  else
    for (u32 r = 0; r < plan->results; r++)
      for (u32 lane = 0; lane < lanes; lane += PANEL) {
        ints x = plan->c == OG_ELEMENT_F16    ? halves_of(c_bits(c, plan, r, lane, true))
                 : plan->c == OG_ELEMENT_BF16 ? c_bits(c, plan, r, lane, true) << 16
                                              : c_bits(c, plan, r, lane, false);
        memcpy(&p->sum[r][lane], &x, sizeof(x));
      }
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

/* With FP16_OVFL only what has an infinity among its sources is infinite: which rows, columns and elements of C have
 * one. */
static void note_special(const struct og_matrix_side *m, u32 depth, const struct factors *f, u64 *special) {
  for (u32 k = 0; f->special && k < depth; k++)
    for (u32 i = 0; i < m->side; i++)
      if ((bits_of_f32(f->value[k * m->side + i]) & 0x7f800000) == 0x7f800000)
        *special |= (u64)1 << i;
}
static void note_special_c(const struct og_matrix_plan *plan, struct product *p) {
  for (u32 r = 0; r < plan->results; r++) {
    p->special_c[r] = 0;
    for (u32 lane = 0; lane < plan->facts->lanes; lane++)
      p->special_c[r] |= (u64)((bits_of_f32(p->sum[r][lane]) & 0x7f800000) == 0x7f800000) << lane;
  }
}
static bool overflows(const struct og_matrix_plan *plan, const struct product *p, u32 r, u32 lane) {
  return !(
      (p->special_rows >> plan->row[r][lane] | p->special_columns >> plan->column[r][lane] | p->special_c[r] >> lane) &
      1);
}

/* Rounded to the nearest, as 16 bits or as they are. */
OG_LANE ints bits_of_results(floats x, u32 element) {
  ints bits = (ints)x, size = bits & 0x7fffffff;
  if (element == OG_ELEMENT_BF16)
    return (ints)((words)chosen(size > 0x7f800000, bits | 0x400000,
                                (ints)((words)bits + 0x7fff + ((words)bits >> 16 & 1))) >>
                  16);
  if (element != OG_ELEMENT_F16)
    return bits;
#if defined __AVX512F__
  return (ints)_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)x, _MM_FROUND_TO_NEAREST_INT));
#elif defined __F16C__
  return (ints)_mm256_cvtepu16_epi32(_mm256_cvtps_ph((__m256)x, _MM_FROUND_TO_NEAREST_INT));
#else
  for (int i = 0; i < PANEL; i++)
    bits[i] = og_float_to_half(x[i], OG_ROUND_NEAREST);
  return bits;
#endif
}

/* What overflowed, and may not, becomes the largest number. */
static __attribute__((noinline)) void limit(const struct og_matrix_plan *plan, const struct product *p, u32 r,
                                            u32 *bits) {
  const u32 top = plan->d == OG_ELEMENT_F16 ? 0x7c00 : plan->d == OG_ELEMENT_BF16 ? 0x7f80 : 0x7f800000;
  for (u32 lane = 0; lane < plan->facts->lanes; lane++)
    if ((bits[lane] & (top | (top - 1))) == top && overflows(plan, p, r, lane))
      bits[lane]--;
}

static void store_floats(struct og_wave *wave, const struct og_matrix_plan *plan, const struct product *p) {
  bool saturates = plan->ovfl_saturates && wave->mode & OG_MODE_FP16_OVFL;
  bool narrow = plan->d != OG_ELEMENT_F32, paired = narrow && !plan->one_to_register;
  if (!narrow && !saturates) {
    memcpy(og_at(wave, plan->d_at), p->sum, plan->results * sizeof(p->sum[0]));
    return;
  }
  for (u32 r = 0; r < plan->results; r++) {
    u32 *d = og_at(wave, plan->d_at + (paired ? r / 2 : r) * OG_AT_ROW);
    u32 shift = !narrow ? 0 : paired ? r % 2 * 16 : plan->half_high ? 16 : 0;
    const i32 kept = !narrow ? 0 : (i32) ~((u32)0xffff << shift);
    og_aligned u32 bits[OG_LANES];
    for (u32 lane = 0; lane < OG_LANES; lane += PANEL) { /* those beyond a wave of 32, too, as everywhere */
      ints x = bits_of_results(load_floats(&p->sum[r][lane]), plan->d);
      memcpy(bits + lane, &x, sizeof(x));
    }
    if (saturates)
      limit(plan, p, r, bits);
    for (u32 lane = 0; lane < OG_LANES; lane += PANEL) {
      ints x = (load_ints(d + lane) & kept) | load_ints(bits + lane) << (i32)shift;
      memcpy(d + lane, &x, sizeof(x));
    }
  }
}

#endif
