/* lanes.h - a vector instruction's way from registers to registers, once more: which lanes and parts of them are read,
 * what modifiers make of them, what is written where. */
#ifndef OG_VALUES_LANES_H
#define OG_VALUES_LANES_H

#include "values/vector.h"

enum { SDWA_DWORD = 6, SDWA_WORD0 = 4, SDWA_PAD = 0, SDWA_SEXT = 1 };

/* What an instruction was found with; `outcome` judges one lane's result. */
struct machine {
  const struct og_inst *inst;
  const struct og_wave *wave; /* as it was before */
  unsigned major, wave_size, mode;
  uint64_t exec;
};

static inline uint64_t scalar_bits(const struct machine *m, const struct og_operand *o, bool *known) {
  const uint32_t *s = m->wave->s;
  unsigned at;
  *known = true;
  if (o->kind == OG_OPERAND_SGPR)
    at = o->reg;
  else if (o->kind == OG_OPERAND_TTMP)
    at = OG_S_TTMP + o->reg;
  else
    switch (o->reg) {
    case OG_SPECIAL_VCC_LO: at = OG_S_VCC; break;
    case OG_SPECIAL_VCC_HI: at = OG_S_VCC + 1; break;
    case OG_SPECIAL_EXEC_LO: at = OG_S_EXEC; break;
    case OG_SPECIAL_EXEC_HI: at = OG_S_EXEC + 1; break;
    case OG_SPECIAL_M0: at = OG_S_M0; break;
    case OG_SPECIAL_NULL: return 0;
    default: *known = false; return 0;
    }
  return s[at] | (uint64_t)s[at + 1] << 32;
}

/* All 64 bits that stand there; of a constant those of its type. */
static inline uint64_t operand_bits(const struct machine *m, const struct og_operand *o, enum type t, unsigned lane,
                                    bool *known) {
  *known = true;
  switch (o->kind) {
  case OG_OPERAND_VGPR: return m->wave->v[o->reg][lane] | (uint64_t)m->wave->v[o->reg + 1][lane] << 32;
  case OG_OPERAND_AGPR: return m->wave->v[256 + o->reg][lane] | (uint64_t)m->wave->v[257 + o->reg][lane] << 32;
  case OG_OPERAND_INLINE:
  case OG_OPERAND_IMMEDIATE: return o->value;
  case OG_OPERAND_LITERAL:
    if (types[t].bits < 64 || o->role == OG_ROLE_SIMM || o->reg == OG_LITERAL64 || o->value >> 32)
      return o->value;
    return t == F64 ? o->value << 32 : t == I64 ? (uint64_t)(int64_t)(int32_t)o->value : o->value;
  default: return scalar_bits(m, o, known);
  }
}

/* ---- lanes ------------------------------------------------------------------------------------------------------- */

/* The lane that a DPP control names, -1: none, -2: the control is reserved ("Vega", "RDNA2", "CDNA3" ISA, DPP_CTRL). */
static inline int dpp_source(const struct machine *m, int lane) {
  int control = m->inst->mod[OG_MOD_DPP_CTRL], row = lane / 16 * 16, place = lane % 16, n = control % 16;
  bool waves = m->major < 10;
  if (m->inst->variant == OG_VARIANT_DPP8)
    return lane / 8 * 8 + (m->inst->mod[OG_MOD_DPP8] >> 3 * (lane % 8)) % 8;
  if (control < 0x100)
    return lane / 4 * 4 + (control >> 2 * (lane % 4)) % 4;
  if (control > 0x100 && control < 0x110)
    return place + n < 16 ? lane + n : -1;
  if (control > 0x110 && control < 0x120)
    return place >= n ? lane - n : -1;
  if (control > 0x120 && control < 0x130)
    return row + (place - n + 16) % 16;
  if (control >= 0x150 && control < 0x160)
    return row + n;
  if (control >= 0x160 && control < 0x170)
    return row + (place ^ n);
  switch (control) {
  case 0x130: return !waves ? -2 : lane == 63 ? -1 : lane + 1;
  case 0x134: return !waves ? -2 : (lane + 1) % 64;
  case 0x138: return !waves ? -2 : lane == 0 ? -1 : lane - 1;
  case 0x13c: return !waves ? -2 : (lane + 63) % 64;
  case 0x140: return row + 15 - place;
  case 0x141: return lane / 8 * 8 + 7 - lane % 8;
  case 0x142: return !waves ? -2 : lane < 16 ? -1 : row - 1;
  case 0x143: return !waves ? -2 : lane < 32 ? -1 : 31;
  default: return -2;
  }
}

static inline bool is_dpp(const struct og_inst *inst) {
  return inst->variant == OG_VARIANT_DPP16 || inst->variant == OG_VARIANT_DPP8;
}

/* Whether the lane is written; *from: where source 0 comes from, -1: it is 0. */
static inline bool lane_writes(const struct machine *m, unsigned lane, int *from) {
  const struct og_inst *inst = m->inst;
  *from = (int)lane;
  if (!(m->exec >> lane & 1))
    return false;
  if (!is_dpp(inst))
    return true;
  *from = dpp_source(m, (int)lane);
  if (*from >= 0 && !inst->mod[OG_MOD_FI] && !(m->exec >> *from & 1))
    *from = -1;
  if (inst->variant == OG_VARIANT_DPP8)
    return true;
  bool masked = !(inst->mod[OG_MOD_ROW_MASK] >> lane / 16 & 1 && inst->mod[OG_MOD_BANK_MASK] >> lane / 4 % 4 & 1);
  return !masked && (*from >= 0 || inst->mod[OG_MOD_BOUND_CTRL]);
}

/* ---- parts and signs --------------------------------------------------------------------------------------------- */

static inline uint64_t sdwa_part(uint64_t x, int select, bool extend) {
  if (select == SDWA_DWORD)
    return x & UINT32_MAX;
  if (select < SDWA_WORD0)
    return extend ? (uint32_t)(int8_t)(x >> 8 * select) : x >> 8 * select & 0xff;
  return extend ? (uint32_t)(int16_t)(x >> 16 * (select - SDWA_WORD0)) : x >> 16 * (select - SDWA_WORD0) & 0xffff;
}

static inline i128 as_signed_bits(uint64_t x, unsigned bits) {
  return x >> (bits - 1) & 1 ? (i128)x - ((i128)1 << bits) : (i128)x;
}
static inline uint64_t low_bits(uint64_t x, unsigned bits) { return bits == 64 ? x : x & (((uint64_t)1 << bits) - 1); }

/* Source i, at place `n` of op_sel and its kin, as the computation of half `half` sees it. */
static inline uint64_t source_bits(const struct machine *m, const struct row *row, unsigned i, unsigned n,
                                   const struct og_operand *o, unsigned lane, int from, unsigned half, bool *known) {
  const struct og_inst *inst = m->inst;
  enum type t = (enum type)row->source[i];
  bool moved = is_dpp(inst) && o->role == OG_ROLE_SRC0;
  uint64_t x = moved && from < 0 ? 0 : operand_bits(m, o, t, moved ? (unsigned)from : lane, known);
  bool lo = inst->mod[OG_MOD_OP_SEL] >> n & 1, hi = inst->mod[OG_MOD_OP_SEL_HI] >> n & 1;
  bool neg_lo = inst->mod[OG_MOD_NEG_LO] >> n & 1, neg_hi = inst->mod[OG_MOD_NEG_HI] >> n & 1;
  if (row->flags & PACKED) {
    if (inst->encoding != OG_ENC_VOP3P)
      lo = false, hi = true;
    return (x >> (half ? hi : lo) * 16 & 0xffff) ^ (half ? neg_hi : neg_lo) * 0x8000u;
  }
  if (row->flags & MIX) {
    bool negative = neg_lo || o->flags & OG_NEG, absolute = neg_hi || o->flags & OG_ABS;
    uint64_t part = x >> lo * 16 & 0xffff;
    if (hi && row->flags & BFLOATS)
      x = part << 16;
    else if (hi)
      x = real_to_bits(&f32_format, real_of_bits(&f16_format, part, true), ROUND_EVEN, true, false, NULL);
    return ((x & UINT32_MAX) & ~(absolute * (uint64_t)0x80000000)) ^ negative * (uint64_t)0x80000000;
  }
  if (row->flags & PAIRS && i < 2 && inst->encoding == OG_ENC_VOP3P)
    return ((x >> lo * 16 & 0xffff) | (x >> hi * 16 & 0xffff) << 16) ^ (neg_lo * 0x8000u | neg_hi * 0x80000000u);
  if (inst->variant == OG_VARIANT_SDWA && i < 2)
    x = sdwa_part(x, inst->mod[i ? OG_MOD_SRC1_SEL : OG_MOD_SRC0_SEL], o->flags & OG_SEXT);
  else if (types[t].bits == 16 && (lo || o->flags & OG_HALF_HI))
    x >>= 16;
  x = low_bits(x, types[t].bits);
  uint64_t sign = (uint64_t)1 << (types[t].bits - 1);
  return (o->flags & OG_ABS ? x & ~sign : x) ^ (o->flags & OG_NEG ? sign : 0);
}

static inline void put_number(struct input *in, unsigned i, enum type t, uint64_t bits, uint64_t *b, i128 *whole,
                              struct real *real) {
  unsigned width = types[t].bits;
  (void)i;
  *b = bits;
  *whole = types[t].is_signed && bits >> (width - 1) & 1 ? (i128)bits - ((i128)1 << width) : (i128)bits;
  if (types[t].format)
    *real = real_of_bits(types[t].format, bits,
                         in->row->flags & RAW ||
                             (keeps_inputs(in->mode, t) && !(in->row->flags & (FLUSH | FLUSH_SOURCES))));
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

struct outcome {
  uint64_t bits;
  bool zero_too, nan; /* a zero will do as well; any NaN will */
  bool anything;      /* of two neighbours that the output modifier takes apart */
  unsigned off;       /* units of the last place that it may be wrong */
};

static inline bool omod_counts(unsigned mode, enum type t) {
  return (t == F16 || t == F32 || t == F64) && !keeps_results(mode, t) && !(mode >> 9 & 1);
}

static inline struct outcome finish_real(const struct input *in, const struct og_inst *inst, struct real x) {
  enum type t = (enum type)in->row->result;
  struct outcome out = {.off = (in->row->flags & NEAR ? 1 : 0) + in->twice};
  out.bits = bits_as(t, x, in->mode, in->row->flags, &out.zero_too);
  if (in->row->flags & NEAR && !keeps_results(in->mode, t)) /* its neighbour may be a denormal */
    out.zero_too |= low_bits(out.bits, types[t].bits - 1) == (uint64_t)1 << types[t].format->fraction;
  int by = inst->mod[OG_MOD_OMOD] == 3 ? -1 : inst->mod[OG_MOD_OMOD];
  uint64_t size = low_bits(out.bits, types[t].bits - 1), infinity = format_infinity(types[t].format);
  out.anything = by && in->row->flags & NEAR && (size == infinity || size == infinity - 1);
  if (by && omod_counts(in->mode, t)) {
    struct real y = real_of_bits(types[t].format, out.bits, keeps_inputs(in->mode, t)); /* a product as any */
    bool tiny, flushed = is_zero(y) && low_bits(out.bits, types[t].bits - 1); /* a zero of whatever sign */
    y = is_zero(y) ? real_zero(false) : real_scaled(y, by);
    out.bits = bits_as(t, y, in->mode, in->row->flags & ~(unsigned)RAW, &tiny);
    out.zero_too |= tiny || flushed;
  }
  if (inst->mod[OG_MOD_CLAMP]) {
    struct real y = real_of_bits(types[t].format, out.bits, true);
    if (y.kind == REAL_NAN)
      y = in->mode >> 8 & 1 || t == BF16 ? real_zero(false) : y;
    else if (y.negative || is_zero(y))
      y = real_zero(false);
    else if (real_compare(y, real_of_int(1)) == 1)
      y = real_of_int(1);
    out.bits = real_to_bits(types[t].format, y, ROUND_EVEN, true, false, NULL);
  }
  out.nan = low_bits(out.bits, types[t].bits - 1) > format_infinity(types[t].format);
  return out;
}

static inline struct outcome finish(const struct input *in, const struct og_inst *inst, struct result result) {
  enum type t = (enum type)in->row->result;
  if (in->row->kind == REAL_RESULT)
    return finish_real(in, inst, result.real);
  if (t == NONE)
    return (struct outcome){0};
  if (in->row->kind == INT_RESULT && inst->mod[OG_MOD_CLAMP]) {
    i128 low = types[t].is_signed ? -((i128)1 << (types[t].bits - 1)) : 0;
    i128 high = ((i128)1 << (types[t].bits - types[t].is_signed)) - 1;
    result.whole = bounded(result.whole, low, high);
  }
  uint64_t bits = in->row->kind == INT_RESULT ? (uint64_t)result.whole : result.bits;
  return (struct outcome){.bits = low_bits(bits, types[t].bits)};
}

static inline bool nan_in(const struct float_format *f, uint64_t bits) {
  return (bits & (format_sign(f) - 1)) > format_infinity(f);
}

/* Whether what the executor has is right. */
static inline bool is_right(enum type t, const struct outcome *want, uint64_t got) {
  const struct float_format *f = types[t].format;
  if (want->anything)
    return true;
  got = low_bits(got, types[t].bits);
  if (t == V2F16 || t == V2BF16) {
    f = t == V2F16 ? &f16_format : &bf16_format;
    for (unsigned i = 0; i < 32; i += 16)
      if ((got >> i & 0xffff) != (want->bits >> i & 0xffff) &&
          !(nan_in(f, got >> i & 0xffff) && nan_in(f, want->bits >> i & 0xffff)))
        return false;
    return true;
  }
  if (got == want->bits || (want->zero_too && !(got & (format_sign(f) - 1))))
    return true;
  if (f && want->nan && nan_in(f, got))
    return true;
  return want->off && (got - want->bits + want->off) <= 2 * want->off && !nan_in(f, got) && !nan_in(f, want->bits);
}

#endif
