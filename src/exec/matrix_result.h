/* matrix_result.h - C and D of matrix instructions: into sums, and from them to registers. */
#ifndef OG_EXEC_MATRIX_RESULT_H
#define OG_EXEC_MATRIX_RESULT_H

#include "base/floats.h"
#include "exec/matrix_fixed.h"
#include "exec/matrix_unpack.h"

/* A product on its way. Sums come first in `room`, then the numbers of A and of B, then their exponents. */
enum { SCALED_SIDE = 32 }; /* rows or columns of what has scales, at most */
enum { ROOM = 3072 }; /* 32 results and, with exponents, 4 numbers for each of 64 rows; 16 and twice MOST_CHUNK without */
struct product {
  struct factors a, b;
  f32 (*sum)[OG_LANES];
  u32 present[OG_MATRIX_CHUNK / TILE]; /* by k, a bit for each row of a sparse A: not left out */
  og_aligned f64 scale_a[SCALED_SIDE], scale_b[SCALED_SIDE]; /* of a block */
  u64 special_rows, special_columns, special_c[OG_MATRIX_RESULTS]; /* where MODE.FP16_OVFL asks for them */
  og_aligned f32 room[ROOM];
};

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

/* With FP16_OVFL only what has an infinity among its sources is infinite: which rows, columns and elements of C have one. */
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
  return !((p->special_rows >> plan->row[r][lane] | p->special_columns >> plan->column[r][lane] | p->special_c[r] >> lane) & 1);
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
      if (saturates && in_wave && (bits & (top | (top - 1))) == top && overflows(plan, p, r, lane))
        bits--;
      d[lane] = (d[lane] & ~mask) | bits << shift;
    }
  }
}

#endif
