/* vector_modifiers.c - sources and results of vector instructions with modifiers: DPP, SDWA, halves, clamp and the like. */
#include <string.h>

#include "base/floats.h"
#include "exec/place.h"
#include "exec/vector.h"

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

/* Whether the lane has something to read: the source exists and is active. */
static bool dpp_valid(const struct og_modifiers *m, uint64_t exec, int source) {
  return source >= 0 && (m->fetch_inactive || exec >> source & 1);
}

/* Lanes that DPP lets write: row and bank masks, and a valid source or bound_ctrl. */
static uint64_t dpp_mask(const struct og_modifiers *m, uint64_t exec) {
  uint64_t mask = 0;
  for (int lane = 0; lane < OG_LANES; lane++) {
    bool enabled = m->row_mask >> (lane >> 4) & 1 && m->bank_mask >> (lane >> 2 & 3) & 1;
    if (enabled && (m->bound_ctrl || dpp_valid(m, exec, dpp_lane(m->dpp_ctrl, m->dpp8, lane))))
      mask |= (uint64_t)1 << lane;
  }
  return mask;
}

static void fetch_dpp(struct og_wave *wave, const struct og_modifiers *m, const uint32_t *from, int dwords,
                      uint32_t *temp) {
  uint64_t exec = og_mask(wave, OG_S_EXEC);
  for (int lane = 0; lane < OG_LANES; lane++) {
    int source = dpp_lane(m->dpp_ctrl, m->dpp8, lane);
    bool valid = dpp_valid(m, exec, source);
    for (int k = 0; k < dwords; k++)
      temp[lane + k * OG_LANES] = valid ? from[source + k * OG_LANES] : 0;
  }
}

static uint32_t select_part(uint32_t value, unsigned select, bool sign_extend) {
  unsigned width = select < OG_SELECT_WORD0 ? 8 : select < OG_SELECT_DWORD ? 16 : 32;
  unsigned shift = width == 8 ? 8 * select : width == 16 ? 16 * (select - OG_SELECT_WORD0) : 0;
  if (width == 32)
    return value;
  value = value >> shift & ((1u << width) - 1);
  uint32_t sign = 1u << (width - 1);
  return sign_extend ? (value ^ sign) - sign : value;
}

void og_prepare_source(struct og_wave *wave, const struct og_operation *op, int i, uint32_t *temp) {
  const struct og_modifiers *m = op->detail;
  int dwords = og_as_is_64(m->type[i]) ? 2 : 1;
  if (op->s[i] < OG_AT_V(0)) {
    uint64_t value = dwords == 2 ? og_scalar64(wave, op, i) : og_scalar32(wave, op, i);
    for (int lane = 0; lane < OG_LANES; lane++) {
      temp[lane] = (uint32_t)value;
      if (dwords == 2)
        temp[lane + OG_LANES] = (uint32_t)(value >> 32);
    }
  } else if (m->dpp && i == 0) {
    fetch_dpp(wave, m, og_at(wave, op->s[i]), dwords, temp);
  } else {
    memcpy(temp, og_at(wave, op->s[i]), (size_t)dwords * OG_LANES * 4);
  }
  uint32_t sign = og_as_is_16((enum og_as)m->type[i]) ? 0x8000u : 0x80000000u;
  uint32_t keep = m->flags[i] & OG_ABS ? ~sign : UINT32_MAX, flip = m->flags[i] & OG_NEG ? sign : 0;
  uint32_t *top = temp + (dwords - 1) * OG_LANES;
  if (m->select[i] < OG_SELECT_DWORD)
    for (int lane = 0; lane < OG_LANES; lane++)
      top[lane] = select_part(top[lane], m->select[i], (m->flags[i] & OG_SEXT) != 0);
  if (flip || ~keep)
    for (int lane = 0; lane < OG_LANES; lane++)
      top[lane] = (top[lane] & keep) ^ flip;
}

void og_mix_source(struct og_wave *wave, const struct og_operation *op, int i, uint32_t *temp) {
  const struct og_modifiers *m = op->detail;
  bool is_half = m->op_sel_hi >> i & 1;
  unsigned shift = m->op_sel >> i & 1 ? 16 : 0;
  bool absolute = m->neg_hi >> i & 1 || m->flags[i] & OG_ABS, negate = m->neg_lo >> i & 1 || m->flags[i] & OG_NEG;
  uint32_t keep = absolute ? 0x7fffffff : 0xffffffff, flip = negate ? 0x80000000 : 0;
  const uint32_t *from = op->s[i] < OG_AT_V(0) ? NULL : og_at(wave, op->s[i]);
  uint32_t scalar = from ? 0 : og_scalar32(wave, op, i);
  if (from && m->dpp && i == 0) {
    fetch_dpp(wave, m, from, 1, temp);
    from = temp;
  }
  for (int lane = 0; lane < OG_LANES; lane++) {
    uint32_t bits = from ? from[lane] : scalar;
    if (is_half) {
      float value = og_half_to_float((uint16_t)(bits >> shift));
      memcpy(&bits, &value, 4);
    }
    temp[lane] = (bits & keep) ^ flip;
  }
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static double scale_and_clamp(double value, unsigned omod, bool clamp, bool dx10_clamp) {
  static const double factors[4] = {1, 2, 4, 0.5};
  if (omod)
    value = value * factors[omod & 3] + 0.0; /* -0 becomes +0 */
  if (clamp) {
    if (value != value)
      return dx10_clamp ? 0 : value;
    return value > 1 ? 1 : value > 0 ? value : 0;
  }
  return value;
}

void og_treat_float(struct og_wave *wave, const struct og_modifiers *m, uint32_t *d) {
  /* Output modifiers are ignored where output denormals are kept or IEEE mode is on (manual, 6.2.2). */
  uint32_t keeps = m->result == OG_AS_F32 ? 0x20 : 0x80;
  unsigned omod = wave->mode & (keeps | OG_MODE_IEEE) ? 0 : m->omod;
  bool dx10 = (wave->mode & OG_MODE_DX10_CLAMP) != 0;
  for (int lane = 0; lane < OG_LANES; lane++) {
    if (m->result == OG_AS_F32) {
      float value;
      memcpy(&value, &d[lane], 4);
      value = (float)scale_and_clamp(value, omod, m->clamp, dx10);
      memcpy(&d[lane], &value, 4);
    } else if (m->result == OG_AS_F16) {
      uint32_t half = d[lane] & 0xffff;
      d[lane] = og_double_to_half(scale_and_clamp(og_half_to_float((uint16_t)half), omod, m->clamp, dx10));
      if (wave->mode & OG_MODE_FP16_OVFL && (d[lane] & 0x7fff) == 0x7c00 && (half & 0x7c00) != 0x7c00)
        d[lane]--; /* the largest finite number */
    } else {
      uint64_t bits = (uint64_t)d[lane + OG_LANES] << 32 | d[lane];
      double value;
      memcpy(&value, &bits, 8);
      value = scale_and_clamp(value, omod, m->clamp, dx10);
      memcpy(&bits, &value, 8);
      d[lane] = (uint32_t)bits;
      d[lane + OG_LANES] = (uint32_t)(bits >> 32);
    }
  }
}

/* Puts a result into its part of the old register. */
static uint32_t insert_part(uint32_t old, uint32_t value, unsigned select, unsigned unused) {
  unsigned width = select < OG_SELECT_WORD0 ? 8 : 16;
  unsigned shift = width == 8 ? 8 * select : 16 * (select - OG_SELECT_WORD0);
  uint32_t mask = ((1u << width) - 1) << shift;
  uint32_t part = value << shift & mask;
  if (unused == OG_UNUSED_PRESERVE)
    return (old & ~mask) | part;
  uint32_t sign = part & 1u << (shift + width - 1);
  bool extend = unused == OG_UNUSED_SEXT && sign && shift + width < 32;
  return part | (extend ? ~(uint32_t)0 << ((shift + width) & 31) : 0);
}

static void put_result(struct og_wave *wave, const struct og_operation *op, uint32_t *d, int dwords, uint64_t mask) {
  const struct og_modifiers *m = op->detail;
  if (m->clamp || m->omod)
    og_treat_float(wave, m, d);
  uint32_t *out = og_at(wave, op->d);
  for (int lane = 0; lane < OG_LANES; lane++) {
    if (!(mask >> lane & 1))
      continue;
    out[lane] =
        m->dst_select == OG_SELECT_DWORD ? d[lane] : insert_part(out[lane], d[lane], m->dst_select, m->dst_unused);
    if (dwords == 2)
      out[lane + OG_LANES] = d[lane + OG_LANES];
  }
}

void og_treat_result(struct og_wave *wave, const struct og_operation *op, uint32_t *d, int dwords) {
  const struct og_modifiers *m = op->detail;
  uint64_t mask = og_mask(wave, OG_S_EXEC);
  if (m->dpp)
    mask &= dpp_mask(m, mask);
  if (m->result != OG_AS_NONE)
    put_result(wave, op, d, dwords, mask);
  if (m->dpp && m->writes_mask) { /* lanes that DPP leaves out have a 0, as those that EXEC leaves out do */
    mask &= og_mask(wave, OG_S_SINK);
    og_set_mask_at(wave, op->d2, mask);
    if (op->d == OG_AT_S(OG_S_EXEC))
      og_set_mask_at(wave, op->d, mask);
    if (op->d == OG_AT_S(OG_S_EXEC) || og_place_has_exec(op->d2, 2))
      og_exec_changed(wave);
  }
}
