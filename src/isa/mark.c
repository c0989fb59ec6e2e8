/* mark.c - what LLVM's disassembler writes behind an operand that the bits name but its register class lacks. */
#include <stdio.h>
#include <string.h>

#include "isa/internal.h"
#include "isa/print.h"
#include "isa/rules.h"

/* By enum og_takes: LLVM's class of one register and of more. */
static const struct {
  const char *one, *more;
} classes[] = {
    [OG_TAKES_VGPR] = {"VGPR_32", "VReg"},
    [OG_TAKES_AGPR] = {"AGPR_32", "AReg"},
    [OG_TAKES_VGPR_AGPR] = {"AV_32", "AV"},
    [OG_TAKES_SGPR] = {"SReg_32", "SReg"},
    [OG_TAKES_SGPR_INLINE] = {"SReg_32", "SReg"},
    [OG_TAKES_SGPR_LITERAL] = {"SReg_32", "SReg"},
    [OG_TAKES_VGPR_SGPR_INLINE] = {"VS_32", "VS"},
    [OG_TAKES_VGPR_SGPR_LITERAL] = {"VS_32", "VS"},
    [OG_TAKES_VGPR_INLINE] = {"VGPR_32", "VReg"},
    [OG_TAKES_AGPR_INLINE] = {"AGPR_32", "AReg"},
    [OG_TAKES_VGPR_LITERAL] = {"VGPR_32", "VReg"},
};

static bool is_special(const struct og_operand *operand, enum og_special special) {
  return operand->kind == OG_OPERAND_SPECIAL && operand->reg == special;
}

static bool is_scalar(const struct og_slot *slot) {
  return slot->takes >= OG_TAKES_SGPR && slot->takes <= OG_TAKES_SGPR_LITERAL;
}

/* Masks of lanes, whose classes depend on the size of waves: LLVM does not look at them. */
static bool is_mask(const struct og_slot *slot) {
  return slot->flags & OG_SLOT_WAVE || (slot->role == OG_ROLE_SRC2 && is_scalar(slot) && slot->dwords == 2);
}

/* Classes that lack single scalar registers: EXEC and M0 as data of scalar memory, EXEC as an address, and LDS_DIRECT
 * among scalar ones. NULL where the operand is in its class. */
static const char *scalar_class(const struct og_form *form, const struct og_slot *slot,
                                const struct og_operand *operand) {
  bool low = is_special(operand, OG_SPECIAL_EXEC_LO), high = is_special(operand, OG_SPECIAL_EXEC_HI),
       exec = low || high;
  bool data = form->encoding == OG_ENC_SMEM && (slot->role == OG_ROLE_SDATA || slot->role == OG_ROLE_SDST);
  if (data && slot->dwords == 3 && operand->dwords == 8)
    return "SReg_96";
  if (data && operand->dwords == 1)
    return exec || is_special(operand, OG_SPECIAL_M0) ? "SReg_32_XM0_XEXEC" : NULL;
  if (data)
    return exec ? "SReg_64_XEXEC" : NULL;
  if (form->encoding == OG_ENC_FLAT && slot->role == OG_ROLE_SADDR && operand->dwords == 2)
    return exec && slot->flags & OG_SLOT_NO_EXEC ? "SReg_64_XEXEC_XNULL" : NULL;
  if (form->encoding == OG_ENC_FLAT && slot->role == OG_ROLE_SADDR)
    return high ? "SReg_32_XEXEC_HI" : NULL;
  bool lacks_lds = is_scalar(slot) && !is_mask(slot) && !(slot->flags & OG_SLOT_LDS);
  return lacks_lds && is_special(operand, OG_SPECIAL_LDS_DIRECT) ? "SReg_32" : NULL;
}

/* Whether LLVM looks for an even register. It does not at typed buffers' addresses, the addend of v_fmamk_f64, and
 * accumulation registers of DS and FLAT. */
static bool has_even_classes(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot,
                             unsigned dwords) {
  return og_begins_even(isa, slot, dwords) && !(form->encoding == OG_ENC_MTBUF && slot->role == OG_ROLE_VADDR) &&
         !(slot->takes == OG_TAKES_VGPR && !(slot->flags & OG_SLOT_WRITE) && form->traits & OG_TRAIT_LLVM_ODD) &&
         !(slot->takes == OG_TAKES_AGPR && (form->encoding == OG_ENC_DS || form->encoding == OG_ENC_FLAT));
}

/* Scales of matrices stand in the first 256 registers. */
static bool is_scale(const struct og_form *form, const struct og_slot *slot) {
  return slot->role == OG_ROLE_SCALE0 || slot->role == OG_ROLE_SCALE1 ||
         (form->encoding == OG_ENC_VOP3P && og_slots(&og_shapes[form->shape])->role == OG_ROLE_SRC0);
}

static void put_class(struct og_writer *w, const struct og_slot *slot, const struct og_operand *operand) {
  const struct og_isa *isa = w->isa;
  bool scalar = is_scalar(slot), sized = operand->dwords > 1 && slot->sizes >> (operand->dwords - 1) & 1;
  unsigned dwords = sized ? operand->dwords : og_dwords(isa, slot);
  if (slot->flags & OG_SLOT_LOW)
    og_put_format(w, "%s_Lo128", classes[slot->takes].one);
  else if (dwords <= 1)
    og_put_format(w, "%s", !(slot->flags & OG_SLOT_LDS) ? classes[slot->takes].one
                           : scalar                     ? "SRegOrLds_32" : "VRegOrLds_32");
  else
    og_put_format(w, "%s_%u%s", classes[slot->takes].more, dwords * 32,
                  scalar                                                ? (isa->gfx12 ? "_XNULL" : "")
                  : isa->gfx1250 && is_scale(w->form, slot)             ? "_Lo256"
                  : has_even_classes(isa, w->form, slot, dwords) ? "_Align2" : "");
}

/* Registers that hardware reads as a computed value, like constants. LLVM treats them as constants and
 * does not mark them. */
static bool is_value(const struct og_operand *operand) {
  return operand->kind == OG_OPERAND_SPECIAL &&
         (operand->reg == OG_SPECIAL_NULL ||
          (operand->reg >= OG_SPECIAL_SHARED_BASE && operand->reg <= OG_SPECIAL_SCC) ||
          operand->reg >= OG_SPECIAL_FLAT_SCRATCH_BASE_LO);
}

/* An operand of a kind that its class lacks, such as a constant in place of a register. Classes of sources contain
 * constants, whether the encoding can hold a literal or not. */
static bool is_amiss(const struct og_slot *slot, const struct og_operand *operand) {
  unsigned kind = operand->kind == OG_OPERAND_LITERAL ? OG_OPERAND_INLINE : operand->kind;
  bool constant = kind == OG_OPERAND_INLINE;
  return !(og_kinds_taken(slot) >> kind & 1) && !is_value(operand) && (constant || !is_mask(slot));
}

static bool is_marked(const struct og_writer *w, const struct og_slot *slot, const struct og_operand *operand) {
  return w->isa->marks && og_kinds_taken(slot) && operand->kind != OG_OPERAND_OFF && !(slot->flags & OG_SLOT_HALF) &&
         !(w->form->row_flags & OG_FLAG_GWS);
}

bool og_is_no_literal(const struct og_writer *w, const struct og_slot *slot, const struct og_operand *operand) {
  return is_marked(w, slot, operand) && is_amiss(slot, operand);
}

void og_put_mark(struct og_writer *w, const struct og_slot *slot, const struct og_operand *operand) {
  if (!is_marked(w, slot, operand))
    return;
  bool vector = operand->kind == OG_OPERAND_VGPR || operand->kind == OG_OPERAND_AGPR;
  bool low = vector && slot->flags & OG_SLOT_LOW && operand->reg >= OG_VECTOR_REGISTERS / 2,
       odd = vector && operand->reg & 1 && has_even_classes(w->isa, w->form, slot, operand->dwords),
       amiss = is_amiss(slot, operand);
  const char *scalar = amiss || vector ? NULL : scalar_class(w->form, slot, operand);
  if (amiss && (operand->kind == OG_OPERAND_INLINE || operand->kind == OG_OPERAND_LITERAL)) {
    og_put(w, "/*Invalid immediate*/");
  } else if (amiss || low || odd || scalar) {
    og_put(w, "/*Invalid register, operand has '");
    if (scalar)
      og_put_format(w, "%s", scalar);
    else
      put_class(w, slot, operand);
    og_put(w, "' register class*/");
  }
}

/* A misaligned tuple of scalar registers is read as the aligned one that contains its first register. */
void og_put_warnings(const struct og_isa *isa, const struct og_inst *inst, struct og_buffer *out) {
  const struct og_slot *first = og_slots(og_shape(isa, og_form(isa, inst->form)));
  bool tied = inst->encoding == OG_ENC_SMEM && first->flags & OG_SLOT_READ && first->flags & OG_SLOT_WRITE;
  const char *lead = " ; ";
  for (unsigned i = 0; i < inst->operand_count; i++) {
    const struct og_operand *o = &inst->operands[i];
    bool trap = o->kind == OG_OPERAND_TTMP;
    if ((o->kind != OG_OPERAND_SGPR && !trap) || !o->value)
      continue;
    for (unsigned times = tied && !i ? 2 : 1; times--; lead = "") /* an atomic's result is read, too */
      og_buffer_printf(out, "%sWarning: %s_%u: scalar reg isn't aligned %u", lead, trap ? "TTMP" : "SGPR",
                       o->dwords * 32u, (unsigned)(o->reg + o->value));
  }
}

/* From gfx10 on v_cmpx writes only EXEC; the long form's result field names EXEC. */
bool og_is_doubtful(const struct og_isa *isa, const struct og_inst *inst, const uint8_t *code) {
  const struct og_form *form = og_form(isa, inst->form);
  return isa->gfx10 && form->encoding == OG_ENC_VOP3 && form->writes & OG_IMPLICIT_EXEC &&
         code[0] != (uint8_t)form->value[0];
}
