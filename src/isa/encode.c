/* encode.c - struct og_inst to bits, by the tables. */
#include <string.h>

#include "isa/internal.h"

/* The operand's code in a 9- or 10-bit source field. */
int og_operand_code(const struct og_isa *isa, const struct og_operand *operand) {
  switch (operand->kind) {
  case OG_OPERAND_VGPR: return OG_CODE_VECTOR + operand->reg;
  case OG_OPERAND_AGPR: return OG_CODE_VECTOR + operand->reg + 512; /* bit 9: ACC */
  case OG_OPERAND_SGPR: return operand->reg;
  case OG_OPERAND_TTMP: return isa->ttmp + operand->reg;
  case OG_OPERAND_SPECIAL: return og_special_code(isa, operand->reg);
  case OG_OPERAND_INLINE: return operand->reg;
  case OG_OPERAND_LITERAL: return operand->reg == OG_LITERAL64 ? OG_LITERAL64 : OG_LITERAL;
  default: return -1;
  }
}

bool og_encode_operand(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot,
                       const struct og_operand *operand, uint64_t *words) {
  if (form->encoding == OG_ENC_EXP && slot->takes == OG_TAKES_VGPR)
    return true;
  if (slot->takes == OG_TAKES_VCC || slot->takes == OG_TAKES_OFF)
    return true;
  if (operand->kind == OG_OPERAND_IMMEDIATE)
    return og_scatter(words, slot->pieces, 2, operand->value);
  if (operand->kind == OG_OPERAND_OFF || operand->kind == OG_OPERAND_NONE)
    return true;
  int code = og_operand_code(isa, operand);
  if (code < 0)
    return false;
  bool wide = form->encoding == OG_ENC_VOP3 || form->encoding == OG_ENC_VOP3P || form->encoding == OG_ENC_VINTERP;
  if (operand->kind == OG_OPERAND_VGPR && operand->flags & OG_HALF_HI && !wide)
    code |= 128;
  bool is_vector = operand->kind == OG_OPERAND_VGPR || operand->kind == OG_OPERAND_AGPR;
  unsigned width = og_slot_width(slot);
  if (form->variant == OG_VARIANT_SDWA && slot->role == OG_ROLE_SDST)
    return og_scatter(words, slot->pieces, 2,
                   operand->kind == OG_OPERAND_SPECIAL && operand->reg == OG_SPECIAL_VCC_LO ? 0 : (unsigned)code | 128);
  if (form->variant == OG_VARIANT_SDWA)
    code ^= 256; /* here bit 8 says scalar */
  else if (is_vector && !og_names_any_source(slot) && width == 8)
    code &= 255;
  else if (is_vector && width == 10 && !og_names_any_source(slot))
    code &= ~256;
  return og_scatter(words, slot->pieces, 2, (unsigned)code);
}

static uint32_t modifier_bits(const struct og_shape *shape, const struct og_slot *slot, unsigned index,
                              const struct og_operand *operand, const struct og_inst *inst) {
  uint32_t bits = operand ? operand->flags & 3u : 0;
  if (shape->flags & OG_SHAPE_PACKED)
    bits = (uint32_t)((inst->mod[OG_MOD_NEG_LO] >> index & 1) | (inst->mod[OG_MOD_NEG_HI] >> index & 1) << 1);
  else if (slot->flags & OG_SLOT_SEXT)
    bits = operand && operand->flags & OG_SEXT ? 16 : 0;
  if (shape->flags & (OG_SHAPE_OP_SEL | OG_SHAPE_OP_SEL_HI))
    bits |= (uint32_t)(inst->mod[OG_MOD_OP_SEL] >> index & 1) << 2;
  if (operand && operand->flags & OG_HALF_HI)
    bits |= 4;
  const struct og_operand *destination = index == 0 ? og_operand(inst, OG_ROLE_VDST) : NULL;
  if (destination && destination->flags & OG_HALF_HI)
    bits |= 8;
  if (shape->flags & OG_SHAPE_OP_SEL_HI)
    bits |= (uint32_t)(inst->mod[OG_MOD_OP_SEL_HI] >> index & 1) << 3;
  else if (shape->flags & OG_SHAPE_OP_SEL && index == 0)
    bits |= (uint32_t)(inst->mod[OG_MOD_OP_SEL] >> 3 & 1) << 3;
  return bits;
}

/* The enable bits follow from the sources; a compressed export's second register stands with channels 2 and 3. */
static void encode_export(const struct og_inst *inst, uint64_t *words) {
  static const uint8_t roles[] = {OG_ROLE_VSRC0, OG_ROLE_VSRC1, OG_ROLE_VSRC2, OG_ROLE_VSRC3};
  bool compressed = inst->mod[OG_MOD_COMPR];
  for (unsigned i = 0; i < 4; i++) {
    const struct og_operand *source = og_operand(inst, roles[i]);
    if (!source)
      continue;
    words[0] |= (uint64_t)(source->kind != OG_OPERAND_OFF) << i;
    if (!compressed || i % 2 == 0 || (i < 4 && source->kind != OG_OPERAND_OFF))
      words[0] |= (uint64_t)(source->reg & 255) << (32 + 8 * (compressed ? i / 2 : i));
  }
}

size_t og_encode(const struct og_isa *isa, const struct og_inst *inst, uint8_t bytes[32]) {
  const struct og_form *form = &og_all_tables[isa->generation]->forms[inst->form];
  const struct og_shape *shape = &og_shapes[form->shape];
  uint64_t words[OG_WORDS] = {form->value[0], form->value[1]};
  const struct og_operand *literal = NULL;
  bool half = false; /* only 16 bits of the literal are written */
  unsigned next = 0;
  OG_FOR_SLOTS(slot, shape) {
    if (slot->takes == OG_TAKES_OFFSET) {
      og_scatter(words, slot->pieces, 2, (uint64_t)(int64_t)inst->mod[OG_MOD_OFFSET]);
      continue;
    }
    const struct og_operand *operand = inst->operands[next].role == slot->role && next < inst->operand_count
                                           ? &inst->operands[next++] /* they mostly stand in the slots' order */
                                           : og_operand(inst, slot->role);
    if (!operand || !og_encode_operand(isa, form, slot, operand, words))
      return 0;
    if (operand->kind == OG_OPERAND_LITERAL && (!literal || operand->reg == OG_LITERAL64)) {
      literal = operand;
      half = slot->type == OG_TYPE_F16 || slot->type == OG_TYPE_BF16;
    }
    if (slot->modifiers[0].width)
      og_scatter(words, slot->modifiers, 4, modifier_bits(shape, slot, og_source_index(slot->role), operand, inst));
  }
  OG_FOR_MODS(mod, shape)
    if (mod->mod != OG_MOD_EN)
      og_scatter(words, mod->pieces, 4,
                 (uint64_t)(int64_t)inst->mod[mod->mod] + (mod->style == OG_STYLE_FI8 ? 0xe9 : 0));
  if (form->encoding == OG_ENC_EXP)
    encode_export(inst, words);
  memcpy(bytes, words, 32);
  if (!literal || (og_operand(inst, OG_ROLE_SIMM) && form->size >= 8))
    return form->size;
  if (literal->reg == OG_LITERAL64)
    og_store64(bytes + form->size, literal->value);
  else
    og_store32(bytes + form->size, (uint32_t)literal->value & (half ? 0xffff : UINT32_MAX));
  return form->size + (literal->reg == OG_LITERAL64 ? 8u : 4u);
}
