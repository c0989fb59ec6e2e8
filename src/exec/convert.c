/* convert.c - conversions from and to floats of few bits, with block scales and stochastic rounding (CDNA4, 7.3;
 * CDNA5, 7.6). */
#include "exec/convert.h"

#include "exec/modifiers.h"
#include "exec/place.h"
#include "exec/program.h"
#include "exec/vector.h"
#include "isa/rows.h"

/* What a form converts, as its operands' elements tell. */
struct conversion {
  uint8_t to, from, count, flags; /* enum og_element, values, enum og_convert_flags */
};
static bool is_float(unsigned element) {
  return element == OG_ELEMENT_F32 || element == OG_ELEMENT_F16 ||
         (element >= OG_ELEMENT_BF16 && element <= OG_ELEMENT_F4);
}
static bool is_small(unsigned element) { return element >= OG_ELEMENT_FP8 && element <= OG_ELEMENT_F4; }

/* False: it is no conversion. After the values come random bits, then a scale: a float, of which the exponent counts,
 * or exponents. */
static bool find_conversion(const struct og_isa *isa, const struct og_form *form, struct conversion *facts) {
  const struct og_shape *shape = og_shape(isa, form);
  const struct og_slot *slots = og_slots(shape);
  if (shape->slot_count < 2 || slots[0].role != OG_ROLE_VDST || slots[1].role != OG_ROLE_SRC0)
    return false;
  unsigned values = slots[1].elements, sources = slots[0].elements == 2 * values ? 2 : 1;
  *facts = (struct conversion){slots[0].element, slots[1].element, slots[0].elements, 0};
  if (facts->count != sources * values || !is_float(facts->to) || !is_float(facts->from) ||
      shape->slot_count < 1 + sources)
    return false;
  if (sources == 2)
    facts->flags = values == 1 ? OG_CONVERT_APART : OG_CONVERT_WOVEN;
  for (unsigned i = 1 + sources; i < shape->slot_count; i++)
    facts->flags |= slots[i].element == OG_ELEMENT_B32   ? OG_CONVERT_STOCHASTIC
                    : slots[i].element == OG_ELEMENT_F32 ? OG_CONVERT_SCALED
                    : slots[i].element == OG_ELEMENT_E8  ? OG_CONVERT_BLOCKED
                                                         : 0;
  return is_small(facts->to) || is_small(facts->from) || facts->flags & OG_CONVERT_STOCHASTIC;
}

static const struct og_small_float *format_of(unsigned type, bool fnuz) {
  switch (type) {
  case OG_ELEMENT_FP8: return fnuz ? &og_fp8_e4m3_fnuz : &og_fp8_e4m3;
  case OG_ELEMENT_BF8: return fnuz ? &og_bf8_e5m2_fnuz : &og_bf8_e5m2;
  case OG_ELEMENT_FP6: return &og_fp6_e2m3;
  case OG_ELEMENT_BF6: return &og_bf6_e3m2;
  case OG_ELEMENT_F4: return &og_fp4_e2m1;
  default: return NULL;
  }
}

static struct og_small_source source_of(const struct og_small_float *f) {
  struct og_small_source s = {.width = f->exponent_bits + f->mantissa_bits, .up = 23 - f->mantissa_bits};
  const uint32_t infinity = ((1u << s.width) - 1) & ~0u << f->mantissa_bits;
  s.bias = (uint32_t)(127 - f->bias) << 23, s.least = 1u << f->mantissa_bits;
  s.infinite = f->infinities ? infinity : OG_NO_SMALL, s.minus_zero = f->nan == 0x80 ? 1u << s.width : OG_NO_SMALL;
  s.least_nan = f->infinities ? infinity + 1 : f->nan && f->nan != 0x80 ? f->nan : OG_NO_SMALL;
  s.unit = og_float_of_bits((uint32_t)(128 - f->bias - f->mantissa_bits) << 23);
  return s;
}
static struct og_small_result result_of(const struct og_small_float *f, bool saturate) {
  struct og_small_result r = {.width = f->exponent_bits + f->mantissa_bits, .up = f->mantissa_bits};
  const uint32_t all_ones = (1u << r.width) - 1, infinity = all_ones & ~0u << r.up;
  r.has_minus_zero = f->nan != 0x80;
  r.largest = f->infinities ? infinity - 1 : all_ones - (f->nan && r.has_minus_zero);
  r.nan = f->infinities ? infinity | 1u << (r.up - 1) : f->nan ? f->nan : r.largest;
  r.of_infinity = f->infinities ? infinity : saturate && !f->nan ? r.largest : r.nan;
  r.too_large = saturate ? r.largest : r.of_infinity;
  r.least = (uint32_t)(128 - f->bias) << 23, r.to_whole = (23 - r.up) << 23;
  r.to_whole += (0u - ((r.least + r.to_whole) >> (23 - r.up))) & ((2u << r.width) - 1);
  r.cap = ((uint32_t)(127 - f->bias) << 23) + ((all_ones + (f->nan != 0)) << (23 - r.up)); /* rounds to what it is */
  return r;
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
  unsigned from = facts->flags & OG_CONVERT_APART ? 32 : facts->count * og_element_bits(facts->from);
  unsigned to = facts->count * og_element_bits(facts->to);
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

/* scale_sel as LLVM numbers its bits (its amdgpu.scaled_ext_packed_matrix says what they mean): blocks of 16 and not
 * 32, the first byte, the second 16 lanes. The manual's OPSEL has them in the opposite order ("CDNA5" ISA, 7.6.3). */
static bool find_scales(struct og_program *program, const struct og_inst *inst, const struct conversion *facts,
                        struct og_conversion_detail *detail) {
  unsigned select = (unsigned)inst->mod[OG_MOD_SCALE_SEL] & 15;
  bool bytes = facts->from == OG_ELEMENT_FP8 || facts->from == OG_ELEMENT_BF8, small_blocks = select & 1;
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
    bool value = operand->role == OG_ROLE_SRC0 || (operand->role == OG_ROLE_SRC1 && facts->flags & OG_CONVERT_APART);
    bool result = operand->role == OG_ROLE_VDST;
    bool signs = value && facts->from <= OG_ELEMENT_BF16 && facts->count <= 2 &&
                 (facts->count == 1 || facts->flags & OG_CONVERT_APART);
    if (!og_obeys_flags(program, operand, (signs ? OG_NEG | OG_ABS : 0) | (value || result ? OG_HALF_HI : 0)))
      return false;
    if (signs)
      detail->signs[operand->role == OG_ROLE_SRC1] = operand->flags;
  }
  return og_obeys(program, inst, obeyed);
}

static bool place(const struct og_inst *inst, const struct conversion *facts, struct og_operation *op) {
  static const uint8_t roles[3] = {OG_ROLE_SRC0, OG_ROLE_SRC1, OG_ROLE_SRC2};
  unsigned from = facts->count * og_element_bits(facts->from), to = facts->count * og_element_bits(facts->to);
  unsigned first = facts->flags & OG_CONVERT_APART ? 1 : facts->flags & OG_CONVERT_WOVEN ? from / 64 : (from + 31) / 32;
  for (int i = 0; i < 3; i++) {
    const struct og_operand *operand = og_operand(inst, roles[i]);
    op->s[i] = OG_AT_S(OG_S_ZERO);
    unsigned dwords = i == 0 || (i == 1 && facts->flags & OG_CONVERT_WOVEN) ? first : 1;
    if (!operand)
      continue;
    if (dwords > 1 ? !og_place_vector(operand, dwords, &op->s[i])
                   : !og_place_source(operand, dwords, &op->s[i], &op->constant[i]))
      return false;
  }
  return og_place_vector(og_operand(inst, OG_ROLE_VDST), (to + 31) / 32, &op->d);
}

bool og_prepare_conversion(struct og_program *program, const struct og_inst *inst, struct og_operation *op) {
  struct conversion found, *facts = &found;
  if (!find_conversion(program->isa, og_form(program->isa, inst->form), facts))
    return false;
  struct og_conversion_detail *detail = OG_NEW(program->arena, struct og_conversion_detail);
  *detail = (struct og_conversion_detail){facts->to, facts->from, facts->count, facts->flags,
                                          .from_width = (uint8_t)og_element_bits(facts->from),
                                          .to_width = (uint8_t)og_element_bits(facts->to)};
  enum og_generation generation = program->target.processor->generation;
  bool fnuz = generation == OG_GFX942; /* whose bias is one more */
  detail->random_halves = generation >= OG_GFX1250 && facts->count > 1;
  if (is_small(facts->from))
    detail->small_source = source_of(reads_unsigned(program, inst) ? &unsigned_e5m3 : format_of(facts->from, fnuz));
  for (int saturate = 0; saturate < 2 && is_small(facts->to); saturate++)
    detail->small_result[saturate] = result_of(format_of(facts->to, fnuz), saturate);
  if (!obeys(program, inst, facts, detail) || !find_parts(program, inst, facts, detail) ||
      !find_scales(program, inst, facts, detail) || !place(inst, facts, op))
    return false;
  op->class = OG_CLASS_VALU;
  op->detail = detail;
  op->handler = program->variant->convert;
  return true;
}
