/* effects.c - what a decoded instruction reads and writes, by its form's slots and facts and by its modifiers. */
#include "isa/effects.h"
#include "isa/matrix.h"
#include "isa/internal.h"

extern const struct og_memory og_memories[];

const struct og_memory *og_form_memory(const struct og_form *form) { return &og_memories[form->memory]; }

enum { ALL = 15, LOW = 3, HIGH = 12, IMPLICIT = -1 };
/* SDWA: the bytes of a dword that each selector names, and what happens to the other bytes. */
static const uint8_t selected_bytes[8] = {1, 2, 4, 8, LOW, HIGH, ALL, ALL};
enum { PRESERVE = 2 };
enum { HWREG_STATUS = 2 };

struct walk {
  const struct og_isa *isa;
  const struct og_inst *inst;
  const struct og_form *form;
  const struct og_memory *memory;
  struct og_effects *effects;
};

/* ---- lists ------------------------------------------------------------------------------------------------------- */

static void add_read(struct walk *w, struct og_use use) {
  use.keeps = 0;
  if (use.bytes && use.dwords && w->effects->read_count < OG_READS_MOST)
    w->effects->reads[w->effects->read_count++] = use;
}

static void add_write(struct walk *w, struct og_use use) {
  if (use.bytes && use.dwords && w->effects->write_count < OG_WRITES_MOST)
    w->effects->writes[w->effects->write_count++] = use;
}

static struct og_use special(const struct walk *w, enum og_special reg, unsigned dwords, int operand) {
  (void)w;
  return (struct og_use){OG_OPERAND_SPECIAL, (uint8_t)dwords, (uint16_t)reg, ALL, 0, (int8_t)operand};
}

static struct og_use mask(const struct walk *w, enum og_special reg, int operand) {
  return special(w, reg, w->isa->wave == 32 ? 1 : 2, operand);
}

/* ---- operands ---------------------------------------------------------------------------------------------------- */

static bool is_vector(const struct og_operand *operand) {
  return operand->kind == OG_OPERAND_VGPR || operand->kind == OG_OPERAND_AGPR;
}

static bool is_register(const struct og_operand *operand) {
  return is_vector(operand) || operand->kind == OG_OPERAND_SGPR || operand->kind == OG_OPERAND_TTMP ||
         (operand->kind == OG_OPERAND_SPECIAL && operand->reg != OG_SPECIAL_NULL);
}

static bool is_16_bits(const struct og_slot *slot) {
  return slot->type == OG_TYPE_I16 || slot->type == OG_TYPE_F16 || slot->type == OG_TYPE_BF16;
}

/* Encodings whose operands of 16 bits are halves of a register. */
static bool has_halves(const struct og_inst *inst) {
  return inst->encoding == OG_ENC_VOP1 || inst->encoding == OG_ENC_VOP2 || inst->encoding == OG_ENC_VOPC ||
         inst->encoding == OG_ENC_VOP3 || inst->encoding == OG_ENC_VINTERP;
}

/* The bytes of its registers that a source reads. */
static unsigned source_bytes(const struct walk *w, const struct og_slot *slot, const struct og_operand *operand) {
  const struct og_inst *inst = w->inst;
  if (w->memory->access == OG_MOVES_STORE && slot->role == OG_ROLE_VDATA && w->memory->bits && w->memory->bits < 32)
    return ((1u << w->memory->bits / 8) - 1) << (w->memory->part == OG_PART_HIGH ? 2 : 0);
  if (!is_vector(operand) || !has_halves(inst))
    return ALL;
  unsigned index = og_source_index(slot->role);
  if (inst->variant == OG_VARIANT_SDWA)
    return slot->role == OG_ROLE_SRC0 || slot->role == OG_ROLE_SRC1
               ? selected_bytes[inst->mod[index ? OG_MOD_SRC1_SEL : OG_MOD_SRC0_SEL] & 7] : ALL;
  if (!is_16_bits(slot))
    return ALL;
  bool high = operand->flags & OG_HALF_HI || inst->mod[OG_MOD_OP_SEL] >> index & 1;
  return high || inst->mod[OG_MOD_HIGH] ? HIGH : LOW; /* v_interp_p1lv_f16 has its addend where the attribute stands */
}

/* Matrix products: on gfx11 each 16-bit element takes half of a register. */
static unsigned product_bytes(const struct walk *w, const struct og_matrix *matrix) {
  bool narrow = matrix->d == OG_ELEMENT_F16 || matrix->d == OG_ELEMENT_BF16;
  return !narrow || !w->isa->gfx11 || w->isa->gfx12 ? ALL : w->inst->mod[OG_MOD_OP_SEL] & 4 ? HIGH : LOW;
}

/* The bytes of its registers that a result fills. Other halves are zeroed on gfx8 and mostly on gfx9. */
static unsigned result_bytes(const struct walk *w, const struct og_slot *slot, const struct og_operand *operand) {
  const struct og_inst *inst = w->inst;
  const struct og_matrix *matrix = og_form_matrix(w->form);
  if (matrix->kind != OG_MATRIX_NONE)
    return product_bytes(w, matrix);
  if (w->memory->part && w->memory->access == OG_MOVES_LOAD)
    return w->memory->part == OG_PART_HIGH ? HIGH : LOW;
  if (w->memory->d16 && w->memory->components == 1 && w->memory->access == OG_MOVES_LOAD)
    return LOW;
  if (w->form->row_flags & (OG_FLAG_LOW | OG_FLAG_HIGH))
    return w->form->row_flags & OG_FLAG_HIGH ? HIGH : LOW;
  if (!is_vector(operand) || !has_halves(inst))
    return ALL;
  if (inst->variant == OG_VARIANT_SDWA)
    return inst->mod[OG_MOD_DST_UNUSED] == PRESERVE ? selected_bytes[inst->mod[OG_MOD_DST_SEL] & 7] : ALL;
  if (!is_16_bits(slot) || w->form->row_flags & OG_FLAG_WHOLE)
    return ALL;
  if (operand->flags & OG_HALF_HI || inst->mod[OG_MOD_OP_SEL] & 8)
    return HIGH;
  return w->isa->gfx10 || w->form->row_flags & OG_FLAG_KEEPS ? LOW : ALL;
}

/* Whether lanes may keep their old result under DPP: lanes that its masks exclude, and lanes without a source. */
static bool lanes_left_out(const struct og_inst *inst) {
  return inst->variant == OG_VARIANT_DPP16 &&
         (!inst->mod[OG_MOD_BOUND_CTRL] || inst->mod[OG_MOD_ROW_MASK] != 15 || inst->mod[OG_MOD_BANK_MASK] != 15);
}

/* An atomic's data are replaced by the old value; if they hold two operands, only the first half is. For images only
 * if the cache policy asks for it. */
static unsigned returned_dwords(const struct walk *w, const struct og_operand *operand) {
  if (w->memory->bits)
    return OG_MIN(operand->dwords, w->memory->bits / 32u);
  if (!(w->inst->mod[OG_MOD_CPOL] & OG_CPOL_GLC))
    return 0;
  return operand->dwords / (w->memory->operation == OG_DOES_CMPSWAP ? 2u : 1u);
}

static void add_result(struct walk *w, const struct og_slot *slot, const struct og_operand *operand,
                       struct og_use use) {
  bool reads = slot->flags & OG_SLOT_READ;
  if (w->memory->access == OG_MOVES_ATOMIC && reads) {
    add_read(w, use);
    use.dwords = (uint8_t)returned_dwords(w, operand);
    reads = false;
  }
  use.bytes = (uint8_t)result_bytes(w, slot, operand);
  bool transposed = w->memory->operation >= OG_DOES_TRANSPOSE4 && w->memory->operation <= OG_DOES_TRANSPOSE16;
  if (og_form_matrix(w->form)->kind != OG_MATRIX_NONE || (transposed && w->isa->generation >= OG_GFX12))
    use.keeps = 0; /* whatever EXEC is (CDNA3, 7.1; CDNA5, 7.12: it must be all ones; 10.9) */
  else if (is_vector(operand))
    use.keeps = w->form->reads & OG_IMPLICIT_EXEC && w->inst->encoding != OG_ENC_LDSDIR /* which writes whole quads */
                    ? OG_KEEPS_INACTIVE : OG_KEEPS_SOME;
  else if (w->form->row_flags & OG_FLAG_KEEPS)
    use.keeps = OG_KEEPS_SOME;
  if (is_vector(operand) && lanes_left_out(w->inst))
    use.keeps |= OG_KEEPS_SOME;
  if (use.bytes != ALL && w->memory->access == OG_MOVES_LOAD && use.dwords == 2) { /* the second is that of tfe */
    struct og_use status = use;
    status.reg++, status.dwords = 1, status.bytes = ALL;
    add_write(w, status);
    use.dwords = 1;
  }
  add_write(w, use);
  bool kept_alone = w->memory->part || w->form->row_flags & (OG_FLAG_LOW | OG_FLAG_HIGH);
  if (use.keeps & OG_KEEPS_SOME || (reads && !kept_alone))
    use.bytes = ALL;
  else
    use.bytes = ALL & ~use.bytes;
  add_read(w, use);
}

/* Flags of VCC and EXEC as sources are read of the masks. */
static void add_source(struct walk *w, struct og_use use) {
  if (use.kind == OG_OPERAND_SPECIAL && use.reg == OG_SPECIAL_VCCZ)
    use = mask(w, OG_SPECIAL_VCC_LO, use.operand);
  else if (use.kind == OG_OPERAND_SPECIAL && use.reg == OG_SPECIAL_EXECZ)
    use = mask(w, OG_SPECIAL_EXEC_LO, use.operand);
  else if (use.kind == OG_OPERAND_SPECIAL && use.reg == OG_SPECIAL_LDS_DIRECT) {
    use = special(w, OG_SPECIAL_M0, 1, use.operand);
    w->effects->loads_from |= 1 << OG_IN_LDS;
    w->effects->bytes = 4;
  }
  add_read(w, use);
}

static void add_operand(struct walk *w, const struct og_slot *slot, unsigned index) {
  const struct og_operand *operand = &w->inst->operands[index];
  if (!is_register(operand))
    return;
  struct og_use use = {operand->kind, operand->dwords, operand->reg, ALL, 0, (int8_t)index};
  if (slot->flags & OG_SLOT_WRITE) {
    add_result(w, slot, operand, use);
    return;
  }
  use.bytes = (uint8_t)source_bytes(w, slot, operand);
  add_source(w, use);
}

static void add_operands(struct walk *w) {
  const struct og_shape *shape = og_shape(w->isa, w->form);
  unsigned at = 0;
  OG_FOR_SLOTS(slot, shape) {
    if (slot->takes == OG_TAKES_OFFSET)
      continue;
    add_operand(w, slot, at);
    if (slot->takes == OG_TAKES_HWREG && !w->effects->implicit_writes &&
        (w->inst->operands[at].value & 63) == HWREG_STATUS)
      w->effects->implicit_reads |= OG_IMPLICIT_SCC | OG_IMPLICIT_VCC | OG_IMPLICIT_EXEC;
    at++;
  }
}

/* ---- registers that do not stand in the text --------------------------------------------------------------------- */

static bool has_vcc_operand(const struct walk *w, unsigned access) {
  const struct og_shape *shape = og_shape(w->isa, w->form);
  OG_FOR_SLOTS(slot, shape)
    if (slot->takes == OG_TAKES_VCC && slot->flags & access)
      return true;
  return false;
}

static void add_implicit(struct walk *w, unsigned implicit, unsigned access) {
  void (*add)(struct walk *, struct og_use) = access == OG_SLOT_READ ? add_read : add_write;
  bool loops = w->form->row_flags & OG_FLAG_BRANCH && w->form->writes & OG_IMPLICIT_EXEC; /* over half waves */
  bool pair = w->form->issue == OG_ISSUE_SALU && w->inst->operand_count && w->inst->operands[0].dwords == 2;
  if (implicit & OG_IMPLICIT_EXEC && (pair || loops)) /* s_and_saveexec_b64, in waves of 32 too */
    add(w, special(w, OG_SPECIAL_EXEC_LO, 2, IMPLICIT));
  else if (implicit & OG_IMPLICIT_EXEC)
    add(w, mask(w, OG_SPECIAL_EXEC_LO, IMPLICIT));
  if (implicit & OG_IMPLICIT_VCC && !has_vcc_operand(w, access))
    add(w, mask(w, OG_SPECIAL_VCC_LO, IMPLICIT));
  if (implicit & OG_IMPLICIT_SCC)
    add(w, special(w, OG_SPECIAL_SCC, 1, IMPLICIT));
  if (implicit & OG_IMPLICIT_M0)
    add(w, special(w, OG_SPECIAL_M0, 1, IMPLICIT));
  if (implicit & OG_IMPLICIT_FLAT_SCRATCH)
    add(w, special(w, OG_SPECIAL_FLAT_SCRATCH_LO, 2, IMPLICIT));
}

/* ---- memory and counters ----------------------------------------------------------------------------------------- */

static void add_memory(struct walk *w) {
  const struct og_memory *memory = w->memory;
  uint16_t here = (uint16_t)(1 << memory->space), lds = 1 << OG_IN_LDS;
  switch ((enum og_memory_access)memory->access) {
  case OG_MOVES_LOAD:
    w->effects->loads_from |= here;
    w->effects->stores_to |= memory->lds ? lds : 0;
    break;
  case OG_MOVES_STORE:
    w->effects->loads_from |= memory->lds ? lds : 0;
    w->effects->stores_to |= here;
    break;
  case OG_MOVES_ATOMIC:
    w->effects->loads_from |= here;
    w->effects->stores_to |= here;
    break;
  default: return;
  }
  bool knows = memory->operation != OG_DOES_BVH_STACK; /* which pushes some of its data */
  w->effects->bytes = knows ? (uint16_t)(memory->count * memory->bits / 8) : 0;
}

/* An image's atomic raises the counter of loads where it returns, else that of stores; all LDS instructions read their
 * data late with gds. */
static void add_counters(struct walk *w) {
  unsigned counters = w->form->counters;
  if (w->memory->space == OG_IN_IMAGE && w->memory->access == OG_MOVES_ATOMIC && w->isa->gfx10)
    counters &= ~(unsigned)(w->inst->mod[OG_MOD_CPOL] & OG_CPOL_GLC ? OG_COUNTER_VS | OG_COUNTER_STORE
                                                                    : OG_COUNTER_VM | OG_COUNTER_LOAD);
  if (w->inst->encoding == OG_ENC_DS && w->inst->mod[OG_MOD_GDS])
    counters |= OG_COUNTER_EXP;
  w->effects->counters = (uint16_t)counters;
}

bool og_inst_effects(const struct og_isa *isa, const struct og_inst *inst, struct og_effects *effects) {
  const struct og_form *form = og_form(isa, inst->form);
  struct walk w = {isa, inst, form, og_form_memory(form), effects};
  *effects = (struct og_effects){.implicit_reads = form->reads, .implicit_writes = form->writes, .issue = form->issue};
  add_memory(&w);
  add_operands(&w);
  add_implicit(&w, effects->implicit_reads, OG_SLOT_READ);
  add_implicit(&w, effects->implicit_writes, OG_SLOT_WRITE);
  add_counters(&w);
  return !(form->row_flags & OG_FLAG_RELATIVE);
}

bool og_touches_all_lanes(const struct og_isa *isa, const struct og_inst *inst) {
  const struct og_form *form = og_form(isa, inst->form);
  return form->row_flags & OG_FLAG_CONVERGENT || inst->variant >= OG_VARIANT_DPP16 ||
         og_form_matrix(form)->kind != OG_MATRIX_NONE || !(form->reads & OG_IMPLICIT_EXEC);
}
