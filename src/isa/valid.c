/* valid.c - whether a form takes an instruction's operands. Decoding accepts more than hardware has because the
 * disassembler shows what LLVM shows; the executor checks here first. */
#include <stdio.h>
#include <string.h>

#include "isa/internal.h"
#include "isa/rules.h"

static const uint16_t kinds_taken[] = {
    [OG_TAKES_VGPR] = OG_KINDS_VECTOR,
    [OG_TAKES_AGPR] = OG_KINDS_ACCUMULATION,
    [OG_TAKES_VGPR_AGPR] = OG_KINDS_VECTOR | OG_KINDS_ACCUMULATION,
    [OG_TAKES_SGPR] = OG_KINDS_SCALAR,
    [OG_TAKES_SGPR_INLINE] = OG_KINDS_SCALAR | OG_KINDS_INLINE,
    [OG_TAKES_SGPR_LITERAL] = OG_KINDS_SCALAR | OG_KINDS_INLINE | OG_KINDS_LITERAL,
    [OG_TAKES_VGPR_SGPR_INLINE] = OG_KINDS_VECTOR | OG_KINDS_SCALAR | OG_KINDS_INLINE,
    [OG_TAKES_VGPR_SGPR_LITERAL] = OG_KINDS_VECTOR | OG_KINDS_SCALAR | OG_KINDS_INLINE | OG_KINDS_LITERAL,
    [OG_TAKES_VGPR_INLINE] = OG_KINDS_VECTOR | OG_KINDS_INLINE,
    [OG_TAKES_AGPR_INLINE] = OG_KINDS_ACCUMULATION | OG_KINDS_INLINE,
    [OG_TAKES_VGPR_LITERAL] = OG_KINDS_VECTOR | OG_KINDS_INLINE | OG_KINDS_LITERAL,
    [OG_TAKES_VERSION] = 0,
};

unsigned og_kinds_taken(const struct og_slot *slot) {
  return slot->takes < OG_COUNT(kinds_taken) ? kinds_taken[slot->takes] : 0;
}

bool og_begins_even(const struct og_isa *isa, const struct og_slot *slot, unsigned dwords) {
  return (isa->gfx90a || isa->gfx1250) && dwords > 1 && !(slot->flags & OG_SLOT_ODD);
}

unsigned og_vector_registers(const struct og_form *form, const struct og_slot *slot) {
  bool narrow = form->encoding >= OG_ENC_VOP1 && form->encoding <= OG_ENC_VOPC;
  bool low = slot->flags & OG_SLOT_LOW || (slot->flags & OG_SLOT_HALF && narrow);
  return low ? OG_VECTOR_REGISTERS / 2 : OG_VECTOR_REGISTERS;
}

static bool is_special(const struct og_operand *operand, enum og_special special) {
  return operand->kind == OG_OPERAND_SPECIAL && operand->reg == special;
}

/* EXEC and M0 neither come from scalar memory nor go there (ISA manuals, SMEM: "SDATA must be SGPR or VCC"). */
static bool is_exec_or_m0(const struct og_operand *operand) {
  return is_special(operand, OG_SPECIAL_EXEC_LO) || is_special(operand, OG_SPECIAL_EXEC_HI) ||
         is_special(operand, OG_SPECIAL_M0);
}

/* Where 16-bit registers are halves, a scalar register may stand where a constant may. */
static unsigned kinds_of(const struct og_slot *slot) {
  unsigned kinds = og_kinds_taken(slot);
  return slot->flags & OG_SLOT_HALF && kinds & OG_KINDS_INLINE ? kinds | OG_KINDS_SCALAR : kinds;
}

static const char *vector_fault(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot,
                                const struct og_operand *operand) {
  if (operand->reg + OG_MAX(operand->dwords, 1u) > og_vector_registers(form, slot))
    return "goes beyond the last vector register";
  return og_begins_even(isa, slot, operand->dwords) && operand->reg & 1 ? "does not begin at an even vector register"
                                                                        : NULL;
}

const char *og_operand_fault(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot,
                             const struct og_operand *operand) {
  unsigned kinds = kinds_of(slot);
  if (kinds == 0 || operand->kind == OG_OPERAND_OFF)
    return NULL;
  if (!(kinds >> operand->kind & 1))
    switch (operand->kind) {
    case OG_OPERAND_LITERAL: return "is a literal, which it cannot be";
    case OG_OPERAND_INLINE: return "is a constant, which it cannot be";
    case OG_OPERAND_VGPR: return "is a vector register, which it cannot be";
    case OG_OPERAND_AGPR: return "is an accumulation register, which it cannot be";
    default: return "is a scalar register, which it cannot be";
    }
  if (operand->kind == OG_OPERAND_VGPR || operand->kind == OG_OPERAND_AGPR)
    return vector_fault(isa, form, slot, operand);
  if (form->encoding == OG_ENC_SMEM && slot->role != OG_ROLE_SBASE && slot->role != OG_ROLE_SOFFSET &&
      is_exec_or_m0(operand))
    return "is exec or m0, which it cannot be";
  return NULL;
}

bool og_inst_valid(const struct og_isa *isa, const struct og_inst *inst, char *why, size_t size) {
  const struct og_form *form = og_form(isa, inst->form);
  const struct og_shape *shape = og_shape(isa, form);
  unsigned at = 0;
  for (unsigned i = 0; i < shape->slot_count; i++) {
    if (og_slots(shape)[i].takes == OG_TAKES_OFFSET)
      continue;
    const char *fault = og_operand_fault(isa, form, &og_slots(shape)[i], &inst->operands[at++]);
    if (fault == NULL)
      continue;
    snprintf(why, size, "operand %u %s", at, fault);
    return false;
  }
  return true;
}
