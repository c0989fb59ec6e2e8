/* vector_modifiers.c - sources and results of vector instructions with modifiers: DPP, SDWA, halves, clamp and the like. */
#include <string.h>

#include "base/float_control.h"
#include "base/floats.h"
#include "exec/place.h"
#include "exec/vector.h"

/* Lanes are independent of each other. */
#if defined __clang__
#define OG_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define OG_LOOP _Pragma("GCC ivdep")
#endif

/* ---- sources ----------------------------------------------------------------------------------------------------- */

/* The lane a DPP control reads from, -1 where there is none. */
static int dpp_lane(int control, uint32_t dpp8, int lane) {
  int row = lane & ~15, in_row = lane & 15, n = control & 15;
  if (control < 0)
    return (lane & ~7) + (int)(dpp8 >> (3 * (lane & 7)) & 7);
  if (control <= 0xff) /* quad_perm */
    return (lane & ~3) + (control >> (2 * (lane & 3)) & 3);
  switch (control & ~15) {
  case 0x100: return in_row + n < 16 ? lane + n : -1;      /* row_shl */
  case 0x110: return in_row - n >= 0 ? lane - n : -1;      /* row_shr */
  case 0x120: return row + ((in_row - n) & 15);            /* row_ror */
  case 0x150: return row + n;                              /* row_share, gfx10 and row_newbcast, gfx90a */
  case 0x160: return row + (in_row ^ n);                   /* row_xmask, gfx10 */
  }
  switch (control) {
  case 0x130: return lane < 63 ? lane + 1 : -1;            /* wave_shl:1 */
  case 0x134: return (lane + 1) & 63;                      /* wave_rol:1 */
  case 0x138: return lane - 1;                             /* wave_shr:1 */
  case 0x13c: return (lane - 1) & 63;                      /* wave_ror:1 */
  case 0x140: return row + 15 - in_row;                    /* row_mirror */
  case 0x141: return (lane & ~7) + 7 - (lane & 7);         /* row_half_mirror */
  case 0x142: return row - 1;                              /* row_bcast:15: the last lane of the row before */
  case 0x143: return lane >= 32 ? 31 : -1;                 /* row_bcast:31 */
  }
  return -1;
}

void og_find_dpp_lanes(struct og_modifiers *m) {
  for (int lane = 0; lane < OG_LANES; lane++) {
    int from = dpp_lane(m->dpp_ctrl, m->dpp8, lane);
    m->dpp_from[lane] = (uint8_t)OG_MAX(from, 0);
    m->dpp_exists |= (uint64_t)(from >= 0) << lane;
    m->dpp_enabled |= (uint64_t)(m->row_mask >> (lane >> 4) & m->bank_mask >> (lane >> 2 & 3) & 1) << lane;
  }
}

/* Lanes that have something to read: the source exists and is active. */
static uint64_t dpp_valid(const struct og_modifiers *m, uint64_t exec) {
  if (m->fetch_inactive || exec == UINT64_MAX)
    return m->dpp_exists;
  uint64_t active = 0;
  for (int lane = 0; lane < OG_LANES; lane++)
    active |= (exec >> m->dpp_from[lane] & 1) << lane;
  return active & m->dpp_exists;
}

/* Lanes that DPP lets write: row and bank masks, and a valid source or bound_ctrl. */
static uint64_t dpp_mask(const struct og_modifiers *m, uint64_t exec) {
  return m->dpp_enabled & (m->bound_ctrl ? UINT64_MAX : dpp_valid(m, exec));
}

/* `temp` is not `from`. */
static void fetch_dpp(struct og_wave *wave, const struct og_modifiers *m, const uint32_t *from, int dwords,
                      uint32_t *temp) {
  _Alignas(64) uint32_t valid[OG_LANES];
  wave->program->variant->expand_mask(valid, dpp_valid(m, og_mask(wave, OG_S_EXEC)));
  for (int k = 0; k < dwords; k++, from += OG_LANES, temp += OG_LANES)
    OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) temp[lane] = from[m->dpp_from[lane]] & valid[lane];
}

/* The part of each that `select` names, which is not the whole. */
static void select_parts(uint32_t *values, unsigned select, bool sign_extend) {
  unsigned width = select < OG_SELECT_WORD0 ? 8 : 16;
  unsigned shift = width == 8 ? 8 * select : 16 * (select - OG_SELECT_WORD0);
  uint32_t mask = (1u << width) - 1, sign = sign_extend ? 1u << (width - 1) : 0;
  OG_LOOP for (int lane = 0; lane < OG_LANES; lane++)
    values[lane] = ((values[lane] >> shift & mask) ^ sign) - sign;
}

void og_prepare_source(struct og_wave *wave, const struct og_operation *op, int i, uint32_t *temp) {
  const struct og_modifiers *m = op->detail;
  int dwords = og_as_is_64(m->type[i]) ? 2 : 1;
  if (op->s[i] < OG_AT_V(0)) {
    uint64_t value = dwords == 2 ? og_scalar64(wave, op, i) : og_scalar32(wave, op, i);
    for (int lane = 0; lane < OG_LANES; lane++)
      temp[lane] = (uint32_t)value;
    for (int lane = 0; lane < OG_LANES && dwords == 2; lane++)
      temp[lane + OG_LANES] = (uint32_t)(value >> 32);
  } else if (m->dpp && i == 0) {
    fetch_dpp(wave, m, og_at(wave, op->s[i]), dwords, temp);
  } else {
    memcpy(temp, og_at(wave, op->s[i]), (size_t)dwords * OG_LANES * 4);
  }
  if (m->pairs && i < 2) {
    unsigned low = m->op_sel >> i & 1 ? 16 : 0, high = m->op_sel_hi >> i & 1 ? 16 : 0;
    uint32_t flips = (m->neg_lo >> i & 1 ? 0x8000u : 0) | (m->neg_hi >> i & 1 ? 0x80000000u : 0);
    for (int lane = 0; lane < OG_LANES; lane++)
      temp[lane] = ((temp[lane] >> low & 0xffff) | temp[lane] >> high << 16) ^ flips;
  }
  uint32_t sign = og_as_is_16((enum og_as)m->type[i]) ? 0x8000u : 0x80000000u;
  uint32_t keep = m->flags[i] & OG_ABS ? ~sign : UINT32_MAX, flip = m->flags[i] & OG_NEG ? sign : 0;
  uint32_t *top = temp + (dwords - 1) * OG_LANES;
  if (m->select[i] < OG_SELECT_DWORD)
    select_parts(top, m->select[i], (m->flags[i] & OG_SEXT) != 0);
  if (flip || ~keep)
    OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) top[lane] = (top[lane] & keep) ^ flip;
}

const uint32_t *og_mix_bits(struct og_wave *wave, const struct og_operation *op, int i, uint32_t *temp) {
  const struct og_modifiers *m = op->detail;
  if (op->s[i] >= OG_AT_V(0) && !(m->dpp && i == 0))
    return og_at(wave, op->s[i]);
  if (op->s[i] >= OG_AT_V(0)) {
    fetch_dpp(wave, m, og_at(wave, op->s[i]), 1, temp);
    return temp;
  }
  uint32_t scalar = og_scalar32(wave, op, i);
  for (int lane = 0; lane < OG_LANES; lane++)
    temp[lane] = scalar;
  return temp;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static const float factors[4] = {1, 2, 4, 0.5f};

/* Steps by powers of two. What is zero loses its sign, what underflows keeps it. */
static void scale_f32(uint32_t *d, unsigned omod) {
  OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) {
    uint32_t bits = d[lane];
    float product = og_float_of_bits(bits) * factors[omod & 3];
    d[lane] = bits << 1 ? og_bits_of_float(product) : 0;
  }
}

static void scale_f64(uint32_t *d, unsigned omod) {
  OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) {
    uint64_t bits = (uint64_t)d[lane + OG_LANES] << 32 | d[lane], product;
    double value;
    memcpy(&value, &bits, 8);
    value *= (double)factors[omod & 3];
    memcpy(&product, &value, 8);
    product = bits << 1 ? product : 0;
    d[lane] = (uint32_t)product;
    d[lane + OG_LANES] = (uint32_t)(product >> 32);
  }
}

/* Denormals are zeros: with output denormals there are no output modifiers. */
static void scale_f16(const struct og_wave *wave, uint32_t *d, unsigned omod) {
  enum og_rounding rounding = (enum og_rounding)((wave->mode & OG_MODE_ROUND_16_64) >> 2);
  for (int lane = 0; lane < OG_LANES; lane++) {
    uint32_t half = d[lane] & 0xffff, sign = half & 0x8000, finite = (half & 0x7c00) != 0x7c00;
    uint32_t product = og_float_to_half(og_half_to_float((uint16_t)half) * factors[omod & 3], rounding);
    if (finite && wave->mode & OG_MODE_FP16_OVFL && (product & 0x7fff) == 0x7c00)
      product--; /* the largest finite number */
    d[lane] = !(half & 0x7fff) ? 0 : product & 0x7c00 ? product : sign;
  }
}

/* To what lies between 0 and 1, on the bits, which no mode changes: as numbers, all negative ones are above 1. */
static void clamp_f32(uint32_t *d, bool dx10_clamp) {
  OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) {
    uint32_t bits = d[lane], clamped = bits > 0x3f800000 ? 0x3f800000 : bits;
    clamped = bits >> 31 ? 0 : clamped;
    uint32_t of_nan = dx10_clamp ? 0 : bits | 0x400000;
    d[lane] = (bits & 0x7fffffff) > 0x7f800000 ? of_nan : clamped;
  }
}

static void clamp_f64(uint32_t *d, bool dx10_clamp) {
  const uint64_t one = (uint64_t)0x3ff << 52, infinity = (uint64_t)0x7ff << 52;
  OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) {
    uint64_t bits = (uint64_t)d[lane + OG_LANES] << 32 | d[lane], clamped = bits > one ? one : bits;
    clamped = bits >> 63 ? 0 : clamped;
    uint64_t of_nan = dx10_clamp ? 0 : bits | (uint64_t)1 << 51;
    clamped = (bits & ~((uint64_t)1 << 63)) > infinity ? of_nan : clamped;
    d[lane] = (uint32_t)clamped;
    d[lane + OG_LANES] = (uint32_t)(clamped >> 32);
  }
}

static void clamp_f16(uint32_t *d, bool dx10_clamp) {
  OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) {
    uint32_t half = d[lane] & 0xffff, clamped = half > 0x3c00 ? 0x3c00 : half;
    clamped = half & 0x8000 ? 0 : clamped;
    uint32_t of_nan = dx10_clamp ? 0 : half | 0x200;
    d[lane] = (half & 0x7fff) > 0x7c00 ? of_nan : clamped;
  }
}

void og_treat_float(struct og_wave *wave, const struct og_modifiers *m, uint32_t *d) {
  /* Output modifiers are ignored where output denormals are kept or IEEE mode is on (manual, 6.2.2). */
  uint32_t keeps = m->result == OG_AS_F32 ? 0x20 : 0x80;
  unsigned omod = wave->mode & (keeps | OG_MODE_IEEE) ? 0 : m->omod;
  bool dx10 = (wave->mode & OG_MODE_DX10_CLAMP) != 0;
  if (m->result == OG_AS_F32) {
    if (omod)
      scale_f32(d, omod);
    if (m->clamp)
      clamp_f32(d, dx10);
  } else if (m->result == OG_AS_F64) {
    if (omod) {
      og_set_float_control(wave->float_control_64);
      scale_f64(d, omod);
      og_set_float_control(wave->float_control_32);
    }
    if (m->clamp)
      clamp_f64(d, dx10);
  } else {
    if (omod)
      scale_f16(wave, d, omod);
    if (m->clamp)
      clamp_f16(d, dx10);
  }
}

/* Puts results into their part of the old registers. */
static void insert_parts(uint32_t *out, const uint32_t *d, const uint32_t *lanes, unsigned select, unsigned unused) {
  unsigned width = select < OG_SELECT_WORD0 ? 8 : 16;
  unsigned shift = width == 8 ? 8 * select : 16 * (select - OG_SELECT_WORD0), end = shift + width;
  uint32_t mask = ((1u << width) - 1) << shift, kept = unused == OG_UNUSED_PRESERVE ? ~mask : 0;
  uint32_t sign = 1u << (end - 1), above = unused == OG_UNUSED_SEXT && end < 32 ? ~(uint32_t)0 << (end & 31) : 0;
  OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) {
    uint32_t part = d[lane] << shift & mask, extension = part & sign ? above : 0;
    uint32_t whole = part | extension | (out[lane] & kept);
    out[lane] = lanes[lane] ? whole : out[lane];
  }
}

static void put_result(struct og_wave *wave, const struct og_operation *op, uint32_t *d, int dwords,
                       const uint32_t *lanes) {
  const struct og_modifiers *m = op->detail;
  if (m->clamp || m->omod)
    og_treat_float(wave, m, d);
  uint32_t *out = og_at(wave, op->d);
  if (m->dst_select != OG_SELECT_DWORD)
    insert_parts(out, d, lanes, m->dst_select, m->dst_unused);
  else
    OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) out[lane] = lanes[lane] ? d[lane] : out[lane];
  if (dwords == 2)
    OG_LOOP for (int lane = 0; lane < OG_LANES; lane++)
      out[lane + OG_LANES] = lanes[lane] ? d[lane + OG_LANES] : out[lane + OG_LANES];
}

void og_treat_result(struct og_wave *wave, const struct og_operation *op, uint32_t *d, int dwords) {
  const struct og_modifiers *m = op->detail;
  uint64_t mask = og_mask(wave, OG_S_EXEC);
  _Alignas(64) uint32_t some[OG_LANES];
  if (m->dpp) {
    mask &= dpp_mask(m, mask);
    wave->program->variant->expand_mask(some, mask);
  }
  if (m->result != OG_AS_NONE)
    put_result(wave, op, d, dwords, m->dpp ? some : wave->lanes);
  if (m->writes_mask) { /* lanes that DPP leaves out have a 0, as those that EXEC leaves out do */
    mask &= og_mask(wave, OG_S_SINK);
    og_set_mask_at(wave, op->d2, mask);
    if (op->d == OG_AT_S(OG_S_EXEC))
      og_set_mask_at(wave, op->d, mask);
    if (op->d == OG_AT_S(OG_S_EXEC) || og_place_has_exec(op->d2, 2))
      og_exec_changed(wave);
  }
}
