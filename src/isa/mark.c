/* mark.c - what LLVM's disassembler writes behind an operand that the bits name though its register class has it not. */
#include <stdio.h>
#include <string.h>

#include "isa/print.h"

enum {
  VECTOR = 1 << OG_OPERAND_VGPR, ACCUMULATION = 1 << OG_OPERAND_AGPR,
  SCALAR = 1 << OG_OPERAND_SGPR | 1 << OG_OPERAND_TTMP | 1 << OG_OPERAND_SPECIAL,
  CONSTANT = 1 << OG_OPERAND_INLINE | 1 << OG_OPERAND_LITERAL,
};

/* By enum og_takes: LLVM's class of one register, of more, and the kinds of operand in it. A class of sources has
 * constants, whether the encoding can hold a literal or not. */
static const struct {
  const char *one, *more;
  uint16_t kinds;
} classes[] = {
    [OG_TAKES_VGPR] = {"VGPR_32", "VReg", VECTOR},
    [OG_TAKES_AGPR] = {"AGPR_32", "AReg", ACCUMULATION},
    [OG_TAKES_VGPR_AGPR] = {"AV_32", "AV", VECTOR | ACCUMULATION},
    [OG_TAKES_SGPR] = {"SReg_32", "SReg", SCALAR},
    [OG_TAKES_SGPR_INLINE] = {"SReg_32", "SReg", SCALAR | CONSTANT},
    [OG_TAKES_SGPR_LITERAL] = {"SReg_32", "SReg", SCALAR | CONSTANT},
    [OG_TAKES_VGPR_SGPR_INLINE] = {"VS_32", "VS", VECTOR | SCALAR | CONSTANT},
    [OG_TAKES_VGPR_SGPR_LITERAL] = {"VS_32", "VS", VECTOR | SCALAR | CONSTANT},
    [OG_TAKES_VGPR_INLINE] = {"VGPR_32", "VReg", VECTOR | CONSTANT},
    [OG_TAKES_AGPR_INLINE] = {"AGPR_32", "AReg", ACCUMULATION | CONSTANT},
    [OG_TAKES_VGPR_LITERAL] = {"VGPR_32", "VReg", VECTOR | CONSTANT},
    [OG_TAKES_VERSION] = {0},
};

static bool is_special(const struct og_operand *operand, enum og_special special) {
  return operand->kind == OG_OPERAND_SPECIAL && operand->reg == special;
}

/* Classes that lack single scalar registers: EXEC and M0 as data of scalar memory, EXEC as an address, and LDS_DIRECT
 * as an offset. NULL where the operand is in its class. */
static const char *scalar_class(const struct og_form *form, const struct og_slot *slot,
                                const struct og_operand *operand) {
  bool low = is_special(operand, OG_SPECIAL_EXEC_LO), high = is_special(operand, OG_SPECIAL_EXEC_HI), exec = low || high;
  if (form->encoding == OG_ENC_SMEM && slot->role == OG_ROLE_SDATA && operand->dwords == 1)
    return exec || is_special(operand, OG_SPECIAL_M0) ? "SReg_32_XM0_XEXEC" : NULL;
  if (form->encoding == OG_ENC_SMEM && slot->role == OG_ROLE_SDATA)
    return exec ? "SReg_64_XEXEC" : NULL;
  if (form->encoding == OG_ENC_FLAT && slot->role == OG_ROLE_SADDR && operand->dwords == 2)
    return exec && slot->flags & OG_SLOT_NO_EXEC ? "SReg_64_XEXEC_XNULL" : NULL;
  if (form->encoding == OG_ENC_FLAT && slot->role == OG_ROLE_SADDR)
    return high ? "SReg_32_XEXEC_HI" : NULL;
  if (slot->role == OG_ROLE_SOFFSET)
    return is_special(operand, OG_SPECIAL_LDS_DIRECT) ? "SReg_32" : NULL;
  return NULL;
}

/* Pairs and more begin at an even register where matrices share the vector registers, but for transposed loads. LLVM
 * does not look at typed buffers' addresses, the addend of v_fmamk_f64, and accumulation registers of DS and FLAT. */
static bool has_even_classes(const struct og_isa *isa, const struct og_form *form, const struct og_slot *slot,
                             unsigned dwords) {
  return (isa->gfx90a || isa->gfx1250) && dwords > 1 &&
         !(form->encoding == OG_ENC_MTBUF && slot->role == OG_ROLE_VADDR) &&
         !(slot->takes == OG_TAKES_VGPR && !(slot->flags & OG_SLOT_WRITE) && form->traits & OG_TRAIT_LLVM_ODD) &&
         !(slot->takes == OG_TAKES_AGPR && (form->encoding == OG_ENC_DS || form->encoding == OG_ENC_FLAT)) &&
         !(slot->flags & OG_SLOT_ODD);
}

static void put_class(struct og_writer *w, const struct og_slot *slot, const struct og_operand *operand) {
  const struct og_isa *isa = w->isa;
  unsigned dwords = operand->dwords > 1 ? operand->dwords : og_dwords(isa, slot);
  bool scalar = slot->takes >= OG_TAKES_SGPR && slot->takes <= OG_TAKES_SGPR_LITERAL;
  if (slot->flags & OG_SLOT_LOW)
    og_put_format(w, "%s_Lo128", classes[slot->takes].one);
  else if (dwords <= 1)
    og_put_format(w, "%s", slot->flags & OG_SLOT_LDS ? "VRegOrLds_32" : classes[slot->takes].one);
  else
    og_put_format(w, "%s_%u%s", classes[slot->takes].more, dwords * 32,
                  scalar ? (isa->gfx12 ? "_XNULL" : "") : has_even_classes(isa, w->form, slot, dwords) ? "_Align2" : "");
}

/* An operand of a kind that its class has not, such as a constant where a register must be. */
static bool is_amiss(const struct og_slot *slot, const struct og_operand *operand) {
  return !(classes[slot->takes].kinds >> operand->kind & 1);
}

static bool is_marked(const struct og_writer *w, const struct og_slot *slot, const struct og_operand *operand) {
  return w->isa->marks && slot->takes < OG_COUNT(classes) && classes[slot->takes].kinds &&
         operand->kind != OG_OPERAND_OFF && !(slot->flags & OG_SLOT_HALF) && !(w->form->row_flags & OG_FLAG_GWS);
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
  if (amiss && CONSTANT >> operand->kind & 1) {
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
