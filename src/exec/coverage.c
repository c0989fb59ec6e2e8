/* coverage.c - tries every form of a processor on the executor's decoder. */
#include "exec/coverage.h"

#include <string.h>

#include "exec/program.h"
#include "exec/vector.h"
#include "isa/rows.h"

enum { GET_REALTIME = 131 };

static const char *const encodings[OG_ENC_COUNT] = {
    [OG_ENC_SOP1] = "SOP1",   [OG_ENC_SOP2] = "SOP2",     [OG_ENC_SOPC] = "SOPC",   [OG_ENC_SOPK] = "SOPK",
    [OG_ENC_SOPP] = "SOPP",   [OG_ENC_SMEM] = "SMEM",     [OG_ENC_VOP1] = "VOP1",   [OG_ENC_VOP2] = "VOP2",
    [OG_ENC_VOPC] = "VOPC",   [OG_ENC_VOP3] = "VOP3",     [OG_ENC_VOP3P] = "VOP3P", [OG_ENC_VOPD] = "VOPD",
    [OG_ENC_VINTERP] = "VINTERP", [OG_ENC_DS] = "DS",     [OG_ENC_FLAT] = "FLAT",   [OG_ENC_MUBUF] = "MUBUF",
    [OG_ENC_MTBUF] = "MTBUF", [OG_ENC_MIMG] = "MIMG",     [OG_ENC_EXP] = "EXP",     [OG_ENC_LDSDIR] = "LDSDIR",
};

/* Modifiers whose bits follow from the form itself, or which do not choose what is done. Those of an image
 * say how many registers its data has, and the form has one number of them. */
static bool is_given(const struct og_form *form, unsigned mod) {
  bool counts = mod == OG_MOD_TFE || mod == OG_MOD_LWE || mod == OG_MOD_D16;
  return mod == OG_MOD_DMASK || mod == OG_MOD_DIM || mod == OG_MOD_FORMAT || mod == OG_MOD_DPP_CTRL ||
         mod == OG_MOD_DPP8 || mod == OG_MOD_ROW_MASK || mod == OG_MOD_BANK_MASK ||
         (counts && form->encoding == OG_ENC_MIMG);
}

/* The vector register that may stand for an operand. */
static enum og_operand_kind vector_kind(unsigned takes) {
  if (takes == OG_TAKES_AGPR || takes == OG_TAKES_AGPR_INLINE)
    return OG_OPERAND_AGPR;
  bool is_vgpr = takes == OG_TAKES_VGPR || takes == OG_TAKES_VGPR_AGPR || takes == OG_TAKES_VGPR_SGPR_INLINE ||
                 takes == OG_TAKES_VGPR_SGPR_LITERAL || takes == OG_TAKES_VGPR_INLINE || takes == OG_TAKES_VGPR_LITERAL;
  return is_vgpr ? OG_OPERAND_VGPR : OG_OPERAND_NONE;
}

/* The modifiers by which an image's data fills as many registers as the form has: components, and what tells of
 * pages. */
static void fill_data(const struct og_isa *isa, const struct og_form *form, struct og_inst *inst) {
  const struct og_operand *data = og_operand(inst, OG_ROLE_VDATA);
  unsigned dwords = data ? data->dwords : 0;
  bool gathers = form->address & OG_IMAGE_GATHER, packs = inst->mod[OG_MOD_D16] && !og_unpacked_d16(isa);
  unsigned most = gathers && packs ? 2 : 4, least = gathers ? most : 1, words = OG_MIN(dwords, most);
  inst->mod[OG_MOD_DMASK] = gathers ? 1 : (int32_t)(1u << (packs ? OG_MIN(2 * words, 4u) : words)) - 1;
  inst->mod[OG_MOD_TFE] = dwords > most;
  if (dwords < least && gathers) /* halves, two to a register */
    inst->mod[OG_MOD_D16] = 1;
}

/* What the slot of an operand takes: addresses of images may stand in more registers than the form has slots. */
static unsigned taken_by(const struct og_shape *shape, const struct og_operand *operand) {
  for (unsigned i = 0; i < shape->slot_count; i++)
    if (og_slots(shape)[i].role == operand->role)
      return og_slots(shape)[i].takes;
  return 0;
}

/* As compilers make it: sources in VGPRs where these may stand; of selectors, whole dwords; a message that is
 * answered. */
static bool plain_inst(const struct og_isa *isa, const struct og_form *form, struct og_inst *inst) {
  uint8_t bytes[24] = {0};
  memcpy(bytes, form->value, 16);
  if (og_decode(isa, bytes, sizeof bytes, inst) == 0 || inst->row != form->row || inst->variant != form->variant)
    return false;
  const struct og_shape *shape = og_shape(isa, form);
  for (unsigned i = 0; i < inst->operand_count; i++) {
    struct og_operand *operand = &inst->operands[i];
    enum og_operand_kind kind = vector_kind(taken_by(shape, operand));
    if (kind && (operand->kind == OG_OPERAND_SGPR || operand->kind == OG_OPERAND_INLINE))
      operand->kind = (uint8_t)kind, operand->reg = 0, operand->value = 0;
  }
  if (form->variant == OG_VARIANT_SDWA)
    inst->mod[OG_MOD_DST_SEL] = inst->mod[OG_MOD_SRC0_SEL] = inst->mod[OG_MOD_SRC1_SEL] = OG_SELECT_DWORD;
  if (form->variant == OG_VARIANT_DPP16)
    inst->mod[OG_MOD_ROW_MASK] = inst->mod[OG_MOD_BANK_MASK] = 15;
  if (shape->flags & OG_SHAPE_OP_SEL_HI && !(shape->flags & OG_SHAPE_MIX))
    inst->mod[OG_MOD_OP_SEL_HI] = 7;
  if (form->encoding == OG_ENC_MIMG && !(form->address & OG_IMAGE_RAY))
    fill_data(isa, form, inst);
  if (form->row == OG_ROW_S_SENDMSG_RTN_B32 || form->row == OG_ROW_S_SENDMSG_RTN_B64)
    for (unsigned i = 0; i < inst->operand_count; i++)
      if (inst->operands[i].role == OG_ROLE_SRC0)
        inst->operands[i].value = GET_REALTIME;
  return true;
}

/* NULL: it executes; "": it does not; else the part of it that is refused. */
static const char *refusal(struct og_program *program, const struct og_inst *inst) {
  struct og_operation fresh = {.words = (uint8_t)(inst->size / 4), .detail = program->operations};
  if (og_program_prepare(program, inst, &fresh))
    return NULL;
  return program->refused ? program->refused : "";
}

static const struct {
  const char *names, *with, *why;
} reasons[] = {
#define R(names, with, why) {names, with, why},
#include "exec/refusals.def"
#undef R
};
static const char *reason(const char *name, const char *with) {
  for (size_t i = 0; i < OG_COUNT(reasons); i++)
    if (strncmp(name, reasons[i].names, strlen(reasons[i].names)) == 0 &&
        (!reasons[i].with || strcmp(reasons[i].with, with) == 0))
      return reasons[i].why;
  return NULL;
}

struct gaps {
  struct og_arena *arena;
  struct og_gap *items;
  unsigned count, capacity;
};

static bool same(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static void add(struct gaps *gaps, const struct og_form *form, const char *with) {
  struct og_gap gap = {og_form_name(form), encodings[form->encoding], *with ? with : NULL,
                       reason(og_form_name(form), with)};
  for (unsigned i = gaps->count; i-- > 0;)
    if (gaps->items[i].encoding == gap.encoding && same(gaps->items[i].name, gap.name) &&
        same(gaps->items[i].with, gap.with))
      return;
  if (gaps->count == gaps->capacity) {
    struct og_gap *more = OG_NEW_ARRAY(gaps->arena, struct og_gap, gaps->capacity = 2 * gaps->capacity + 64);
    if (gaps->count)
      memcpy(more, gaps->items, gaps->count * sizeof *more);
    gaps->items = more;
  }
  gaps->items[gaps->count++] = gap;
}

static void try_modifiers(struct og_program *program, const struct og_form *form, const struct og_inst *plain,
                          struct gaps *gaps) {
  const struct og_shape *shape = og_shape(program->isa, form);
  for (unsigned i = 0; i < shape->mod_count; i++) {
    unsigned mod = og_mods(shape)[i].mod;
    struct og_inst inst = *plain;
    inst.mod[mod] = inst.mod[mod] ? 0 : 1;
    const char *why = is_given(form, mod) ? NULL : refusal(program, &inst);
    if (why && *why) /* that a modifier does not stand alone (lwe without tfe) is no gap */
      add(gaps, form, why);
  }
}

bool og_coverage(const struct og_target *target, struct og_arena *arena, struct og_coverage *coverage) {
  static const uint32_t end[4];
  *coverage = (struct og_coverage){0};
  struct gaps gaps = {.arena = arena};
  struct og_program *program = og_program_new(target, end, sizeof end);
  if (!program)
    return false;
  program->isa = og_isa_for(target, &program->own_isa);
  for (unsigned i = 0; program->isa && i < og_form_count(program->isa); i++) {
    const struct og_form *form = og_form(program->isa, i);
    struct og_inst plain;
    if (!og_form_fits(program->isa, form) || !plain_inst(program->isa, form, &plain))
      continue;
    coverage->forms++;
    const char *why = refusal(program, &plain);
    if (why)
      add(&gaps, form, why);
    else
      coverage->executed++, try_modifiers(program, form, &plain, &gaps);
  }
  coverage->gaps = gaps.items;
  coverage->gap_count = gaps.count;
  bool known = program->isa != NULL;
  og_program_free(program);
  return known;
}
