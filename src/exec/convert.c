/* convert.c - conversions from and to floats of few bits, with block scales and stochastic rounding (CDNA4, 7.3;
 * CDNA5, 7.6). */
#include "exec/convert.h"

#include "exec/modifiers.h"
#include "exec/place.h"
#include "exec/program.h"
#include "exec/vector.h"
#include "isa/rows.h"

enum {
  F32 = OG_FLOAT_32, F16 = OG_FLOAT_16, BF16 = OG_FLOAT_B16, FP8 = OG_FLOAT_FP8, BF8 = OG_FLOAT_BF8, FP6 = OG_FLOAT_FP6,
  BF6 = OG_FLOAT_BF6, F4 = OG_FLOAT_FP4
};
enum {
  SCALED = OG_CONVERT_SCALED, STOCHASTIC = OG_CONVERT_STOCHASTIC, APART = OG_CONVERT_APART, WOVEN = OG_CONVERT_WOVEN,
  BLOCKED = OG_CONVERT_BLOCKED
};

struct conversion {
  uint16_t row;
  uint8_t to, from, count, flags;
};
static const struct conversion conversions[] = {
    {OG_ROW_V_CVT_F32_FP8, F32, FP8, 1, 0},
    {OG_ROW_V_CVT_PK_F32_FP8, F32, FP8, 2, 0},
    {OG_ROW_V_CVT_F16_FP8, F16, FP8, 1, 0},
    {OG_ROW_V_CVT_PK_F16_FP8, F16, FP8, 2, 0},
    {OG_ROW_V_CVT_PK_FP8_F32, FP8, F32, 2, APART},
    {OG_ROW_V_CVT_SR_FP8_F32, FP8, F32, 1, STOCHASTIC},
    {OG_ROW_V_CVT_PK_FP8_F16, FP8, F16, 2, 0},
    {OG_ROW_V_CVT_SR_FP8_F16, FP8, F16, 1, STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_F32_FP8, F32, FP8, 1, SCALED},
    {OG_ROW_V_CVT_SCALEF32_F16_FP8, F16, FP8, 1, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_F32_FP8, F32, FP8, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_FP8_F32, FP8, F32, 2, SCALED | APART},
    {OG_ROW_V_CVT_SCALEF32_SR_FP8_F32, FP8, F32, 1, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_FP8_F32, FP8, F32, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_FP8_F32, FP8, F32, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK_F16_FP8, F16, FP8, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_FP8_F16, FP8, F16, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_FP8_F16, FP8, F16, 1, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_FP8_F16, FP8, F16, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_FP8_F16, FP8, F16, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK_BF16_FP8, BF16, FP8, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_FP8_BF16, FP8, BF16, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_FP8_BF16, FP8, BF16, 1, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_FP8_BF16, FP8, BF16, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_FP8_BF16, FP8, BF16, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_F32_BF8, F32, BF8, 1, 0},
    {OG_ROW_V_CVT_PK_F32_BF8, F32, BF8, 2, 0},
    {OG_ROW_V_CVT_F16_BF8, F16, BF8, 1, 0},
    {OG_ROW_V_CVT_PK_F16_BF8, F16, BF8, 2, 0},
    {OG_ROW_V_CVT_PK_BF8_F32, BF8, F32, 2, APART},
    {OG_ROW_V_CVT_SR_BF8_F32, BF8, F32, 1, STOCHASTIC},
    {OG_ROW_V_CVT_PK_BF8_F16, BF8, F16, 2, 0},
    {OG_ROW_V_CVT_SR_BF8_F16, BF8, F16, 1, STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_F32_BF8, F32, BF8, 1, SCALED},
    {OG_ROW_V_CVT_SCALEF32_F16_BF8, F16, BF8, 1, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_F32_BF8, F32, BF8, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_BF8_F32, BF8, F32, 2, SCALED | APART},
    {OG_ROW_V_CVT_SCALEF32_SR_BF8_F32, BF8, F32, 1, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_BF8_F32, BF8, F32, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_BF8_F32, BF8, F32, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK_F16_BF8, F16, BF8, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_BF8_F16, BF8, F16, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_BF8_F16, BF8, F16, 1, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_BF8_F16, BF8, F16, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_BF8_F16, BF8, F16, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK_BF16_BF8, BF16, BF8, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_BF8_BF16, BF8, BF16, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_BF8_BF16, BF8, BF16, 1, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_BF8_BF16, BF8, BF16, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_BF8_BF16, BF8, BF16, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK_F32_FP4, F32, F4, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_FP4_F32, F4, F32, 2, SCALED | APART},
    {OG_ROW_V_CVT_SCALEF32_SR_PK_FP4_F32, F4, F32, 2, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_FP4_F32, F4, F32, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_FP4_F32, F4, F32, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK32_F32_FP6, F32, FP6, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK32_FP6_F32, FP6, F32, 32, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK16_FP6_F32, FP6, F32, 16, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK16_FP6_F32, FP6, F32, 16, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK32_F32_BF6, F32, BF6, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK32_BF6_F32, BF6, F32, 32, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK16_BF6_F32, BF6, F32, 16, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK16_BF6_F32, BF6, F32, 16, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK_F16_FP4, F16, F4, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_FP4_F16, F4, F16, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK_FP4_F16, F4, F16, 2, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_FP4_F16, F4, F16, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_FP4_F16, F4, F16, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK32_F16_FP6, F16, FP6, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK32_FP6_F16, FP6, F16, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK32_FP6_F16, FP6, F16, 32, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK16_FP6_F16, FP6, F16, 16, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK16_FP6_F16, FP6, F16, 16, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK32_F16_BF6, F16, BF6, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK32_BF6_F16, BF6, F16, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK32_BF6_F16, BF6, F16, 32, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK16_BF6_F16, BF6, F16, 16, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK16_BF6_F16, BF6, F16, 16, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK_BF16_FP4, BF16, F4, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_FP4_BF16, F4, BF16, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK_FP4_BF16, F4, BF16, 2, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_FP4_BF16, F4, BF16, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_FP4_BF16, F4, BF16, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK32_BF16_FP6, BF16, FP6, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK32_FP6_BF16, FP6, BF16, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK32_FP6_BF16, FP6, BF16, 32, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK16_FP6_BF16, FP6, BF16, 16, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK16_FP6_BF16, FP6, BF16, 16, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK32_BF16_BF6, BF16, BF6, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK32_BF6_BF16, BF6, BF16, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK32_BF6_BF16, BF6, BF16, 32, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK16_BF6_BF16, BF6, BF16, 16, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK16_BF6_BF16, BF6, BF16, 16, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_2XPK16_FP6_F32, FP6, F32, 32, SCALED | WOVEN},
    {OG_ROW_V_CVT_SCALEF32_2XPK16_BF6_F32, BF6, F32, 32, SCALED | WOVEN},
    {OG_ROW_V_CVT_SR_F16_F32, F16, F32, 1, STOCHASTIC},
    {OG_ROW_V_CVT_SR_BF16_F32, BF16, F32, 1, STOCHASTIC},
    {OG_ROW_V_CVT_SR_PK_F16_F32, F16, F32, 2, STOCHASTIC | APART},
    {OG_ROW_V_CVT_SR_PK_BF16_F32, BF16, F32, 2, STOCHASTIC | APART},
    {OG_ROW_V_CVT_SCALE_PK8_F32_FP8, F32, FP8, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK8_F32_BF8, F32, BF8, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK8_F32_FP4, F32, F4, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK16_F32_FP6, F32, FP6, 16, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK16_F32_BF6, F32, BF6, 16, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK8_F16_FP8, F16, FP8, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK8_F16_BF8, F16, BF8, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK8_F16_FP4, F16, F4, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK16_F16_FP6, F16, FP6, 16, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK16_F16_BF6, F16, BF6, 16, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK8_BF16_FP8, BF16, FP8, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK8_BF16_BF8, BF16, BF8, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK8_BF16_FP4, BF16, F4, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK16_BF16_FP6, BF16, FP6, 16, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK16_BF16_BF6, BF16, BF6, 16, BLOCKED},
};

static const struct {
  uint8_t bits, mantissa;
  int16_t least; /* exponent of a normal one */
} formats[] = {[F32] = {32, 23, -126}, [F16] = {16, 10, -14}, [BF16] = {16, 7, -126}, [FP8] = {8, 3, -6},
               [BF8] = {8, 2, -14}, [FP6] = {6, 3, 0}, [BF6] = {6, 2, -2}, [F4] = {4, 1, 0}};

static const struct og_small_float *format_of(unsigned type, bool fnuz) {
  switch (type) {
  case FP8: return fnuz ? &og_fp8_e4m3_fnuz : &og_fp8_e4m3;
  case BF8: return fnuz ? &og_bf8_e5m2_fnuz : &og_bf8_e5m2;
  case FP6: return &og_fp6_e2m3;
  case BF6: return &og_bf6_e3m2;
  case F4: return &og_fp4_e2m1;
  default: return NULL;
  }
}

/* gfx12.5's clamp bit: 8 bits without a sign, as scales of matrices have them. */
static const struct og_small_float unsigned_e5m3 = {5, 3, 15, false, 0xff};
static bool reads_unsigned(const struct og_program *program, const struct og_inst *inst) {
  return inst->row == OG_ROW_V_CVT_F32_FP8 && inst->mod[OG_MOD_CLAMP] &&
         program->target.processor->generation >= OG_GFX1250;
}

/* ---- decoding ---------------------------------------------------------------------------------------------------- */

/* Which part of a register elements of less than 32 bits are in: op_sel, byte_sel, SDWA, or halves of registers. */
static bool find_parts(struct og_program *program, const struct og_inst *inst, const struct conversion *facts,
                       struct og_conversion_detail *detail) {
  unsigned from = facts->flags & APART ? 32 : facts->count * formats[facts->from].bits;
  unsigned to = facts->count * formats[facts->to].bits;
  unsigned select = (unsigned)inst->mod[OG_MOD_OP_SEL], byte_sel = (unsigned)inst->mod[OG_MOD_BYTE_SEL] & 3, taken = 0;
  const struct og_operand *source = og_operand(inst, OG_ROLE_SRC0), *result = og_operand(inst, OG_ROLE_VDST);
  if (from == 8)
    detail->from_bit = (uint8_t)(8 * ((select & 3) | byte_sel)), taken |= 3;
  if (from == 16)
    detail->from_bit = select & 1 || source->flags & OG_HALF_HI ? 16 : 0, taken |= 1;
  if (to == 8)
    detail->to_bit = (uint8_t)(8 * ((select >> 2 & 3) | (from == 8 ? 0 : byte_sel))), taken |= 12;
  if (to == 16)
    detail->to_bit = select & 8 || result->flags & OG_HALF_HI ? 16 : 0, taken |= 8;
  if (inst->variant == OG_VARIANT_SDWA) {
    unsigned part = (unsigned)inst->mod[OG_MOD_SRC0_SEL]; /* bytes, words, all */
    if (part > 6 || (from == 8 ? part > 3 && part != 6 : part < 4))
      return og_refuse(program, "src0_sel");
    detail->from_bit = (uint8_t)(part == 6 ? 0 : from == 8 ? 8 * part : 16 * (part - 4));
  }
  return !(select & ~taken) || og_refuse(program, "op_sel");
}

/* scale_sel as LLVM numbers its bits (its amdgpu.scaled_ext_packed_matrix says what they mean): blocks of 16 and not 32, the
 * first byte, the second 16 lanes. The manual's OPSEL has them in the opposite order ("CDNA5" ISA, 7.6.3). */
static bool find_scales(struct og_program *program, const struct og_inst *inst, const struct conversion *facts,
                        struct og_conversion_detail *detail) {
  unsigned select = (unsigned)inst->mod[OG_MOD_SCALE_SEL] & 15;
  bool bytes = facts->from == FP8 || facts->from == BF8, small_blocks = select & 1;
  if (bytes && small_blocks && select != 1) /* reserved, or not told */
    return og_refuse(program, "scale_sel");
  detail->scale_lane = (select >> (bytes ? 3 : 2) & 1) * 16;
  detail->scale_byte = (uint8_t)(bytes ? select >> 1 & 3 : (select >> 1 & 1) * (small_blocks ? 1 : 2));
  detail->scale_step = small_blocks ? 2 : bytes ? 0 : 1;
  return true;
}

static bool obeys(struct og_program *program, const struct og_inst *inst, const struct conversion *facts,
                  struct og_conversion_detail *detail) {
  if (inst->variant == OG_VARIANT_DPP16 || inst->variant == OG_VARIANT_DPP8)
    return og_refuse(program, "dpp");
  og_mod_set obeyed = (reads_unsigned(program, inst) ? OG_MODS(CLAMP) : 0) | OG_MODS(OP_SEL) | OG_MODS(SCALE_SEL) |
                      (facts->count == 1 ? OG_MODS(BYTE_SEL) : 0);
  if (inst->variant == OG_VARIANT_SDWA) /* the other fields are ignored (CDNA4, 7.3) */
    obeyed |= OG_MODS(SRC0_SEL) | OG_MODS(DST_SEL) | OG_MODS(DST_UNUSED) | OG_MODS(SRC1_SEL);
  for (unsigned i = 0; i < inst->operand_count; i++) {
    const struct og_operand *operand = &inst->operands[i];
    bool value = operand->role == OG_ROLE_SRC0 || (operand->role == OG_ROLE_SRC1 && facts->flags & APART);
    bool result = operand->role == OG_ROLE_VDST;
    bool signs = value && facts->from <= BF16 && facts->count <= 2 && (facts->count == 1 || facts->flags & APART);
    if (!og_obeys_flags(program, operand, (signs ? OG_NEG | OG_ABS : 0) | (value || result ? OG_HALF_HI : 0)))
      return false;
    if (signs)
      detail->signs[operand->role == OG_ROLE_SRC1] = operand->flags;
  }
  return og_obeys(program, inst, obeyed);
}

static bool place(const struct og_inst *inst, const struct conversion *facts, struct og_operation *op) {
  static const uint8_t roles[3] = {OG_ROLE_SRC0, OG_ROLE_SRC1, OG_ROLE_SRC2};
  unsigned from = facts->count * formats[facts->from].bits, to = facts->count * formats[facts->to].bits;
  unsigned first = facts->flags & APART ? 1 : facts->flags & WOVEN ? from / 64 : (from + 31) / 32;
  for (int i = 0; i < 3; i++) {
    const struct og_operand *operand = og_operand(inst, roles[i]);
    op->s[i] = OG_AT_S(OG_S_ZERO);
    unsigned dwords = i == 0 || (i == 1 && facts->flags & WOVEN) ? first : 1;
    if (!operand)
      continue;
    if (dwords > 1 ? !og_place_vector(operand, dwords, &op->s[i])
                   : !og_place_source(operand, dwords, &op->s[i], &op->constant[i]))
      return false;
  }
  return og_place_vector(og_operand(inst, OG_ROLE_VDST), (to + 31) / 32, &op->d);
}

bool og_prepare_conversion(struct og_program *program, const struct og_inst *inst, struct og_operation *op) {
  const struct conversion *facts = NULL;
  for (size_t i = 0; i < OG_COUNT(conversions) && !facts; i++)
    facts = conversions[i].row == inst->row ? &conversions[i] : NULL;
  if (!facts)
    return false;
  struct og_conversion_detail *detail = OG_NEW(program->arena, struct og_conversion_detail);
  *detail = (struct og_conversion_detail){facts->to, facts->from, facts->count, facts->flags,
                                          .from_width = formats[facts->from].bits, .to_width = formats[facts->to].bits,
                                          .mantissa = formats[facts->to].mantissa,
                                          .least_exponent = formats[facts->to].least};
  enum og_generation generation = program->target.processor->generation;
  bool fnuz = generation == OG_GFX942;
  detail->random_halves = generation >= OG_GFX1250 && facts->count > 1;
  detail->small = reads_unsigned(program, inst) ? &unsigned_e5m3
                                                : format_of(facts->from >= FP8 ? facts->from : facts->to, fnuz);
  if (!obeys(program, inst, facts, detail) || !find_parts(program, inst, facts, detail) ||
      !find_scales(program, inst, facts, detail) || !place(inst, facts, op))
    return false;
  op->class = OG_CLASS_VALU;
  op->detail = detail;
  op->handler = program->variant->convert;
  return true;
}
