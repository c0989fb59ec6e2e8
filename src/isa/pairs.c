/* pairs.c - what the two halves of a dual instruction may not share (RDNA3 ISA, "Dual Issue VALU"). */
#include "isa/isa.h"

static bool is_scalar(const struct og_operand *o) {
  return o->kind == OG_OPERAND_SGPR || o->kind == OG_OPERAND_TTMP ||
         (o->kind == OG_OPERAND_SPECIAL && o->reg != OG_SPECIAL_NULL && o->reg != OG_SPECIAL_LDS_DIRECT);
}

static bool is_literal(const struct og_operand *o) { return o->kind == OG_OPERAND_LITERAL || o->role == OG_ROLE_SIMM; }

static const char *too_many_values(const struct og_form *form, const struct og_inst *inst, unsigned *at) {
  uint32_t seen[12];
  unsigned count = 0;
  if (form->reads & OG_IMPLICIT_VCC) /* vcc, not the vcc_lo that an operand may name */
    seen[count++] = UINT32_MAX - 1;
  for (unsigned i = 0; i < inst->operand_count; i++)
    if (inst->operands[i].role == OG_ROLE_SIMM && (!count || seen[count - 1] != UINT32_MAX))
      seen[count++] = UINT32_MAX;
  for (unsigned i = 0; i < inst->operand_count; i++) {
    const struct og_operand *o = &inst->operands[i];
    if (!is_scalar(o) && !is_literal(o))
      continue;
    uint32_t key = is_literal(o) ? UINT32_MAX : (uint32_t)o->kind << 16 | o->reg;
    unsigned k = 0;
    while (k < count && seen[k] != key)
      k++;
    if (k == count)
      seen[count++] = key;
    if (*at = i, count > 2)
      return "invalid operand (violates constant bus restrictions)";
  }
  return NULL;
}

static const char *two_literals(const struct og_inst *inst, bool unknown, unsigned *at) {
  const struct og_operand *first = NULL;
  for (unsigned i = 0; i < inst->operand_count; i++) {
    const struct og_operand *o = &inst->operands[i];
    if (!is_literal(o))
      continue;
    if (first && (first->value != o->value || unknown))
      return *at = i, "only one unique literal operand is allowed";
    first = o;
  }
  return NULL;
}

/* Destination and sources of one half; -1 where it has none. */
struct half {
  int part[4];
};

static struct half half_of(const struct og_shape *shape, const struct og_inst *inst, bool second) {
  static const uint8_t roles[2][4] = {{OG_ROLE_VDST, OG_ROLE_SRC0, OG_ROLE_SRC1, OG_ROLE_SRC2},
                                      {OG_ROLE_VDST_Y, OG_ROLE_SRC0_Y, OG_ROLE_SRC1_Y, OG_ROLE_SRC2_Y}};
  struct half half = {{-1, -1, -1, -1}};
  for (unsigned i = 0; i < inst->operand_count; i++)
    for (unsigned k = 0; k < 4; k++)
      if (inst->operands[i].role == roles[second][k])
        half.part[k] = (int)i;
  int *part = half.part;
  if (part[2] > part[1] + 1) /* v_dual_fmamk: the constant stands before the last source */
    part[3] = part[2], part[2] = -1;
  if (part[3] < 0 && og_slots(shape)[part[0]].flags & OG_SLOT_READ) /* accumulates */
    part[3] = part[0];
  return half;
}

/* The banks of LLVM's numbers: lds_direct is one of the vector registers there, as if v1. */
static bool in_bank(const struct og_operand *o, struct og_operand *as_vector) {
  *as_vector = *o;
  if (o->kind == OG_OPERAND_SPECIAL && o->reg == OG_SPECIAL_LDS_DIRECT)
    *as_vector = (struct og_operand){.role = o->role, .kind = OG_OPERAND_VGPR, .reg = 1, .dwords = 1};
  return as_vector->kind == OG_OPERAND_VGPR;
}

static bool same_bank(const struct og_operand *x, const struct og_operand *y, unsigned mask) {
  for (unsigned i = 0; i < x->dwords; i++)
    for (unsigned k = 0; k < y->dwords; k++)
      if (!((x->reg + i) ^ (y->reg + k)) || !(((x->reg + i) ^ (y->reg + k)) & mask))
        return true;
  return false;
}

static const char *shared_bank(const struct og_isa *isa, const struct og_form *form, const struct og_inst *inst,
                               unsigned *at) {
  const struct og_shape *shape = og_shape(isa, form);
  static const char *const messages[] = {
      "one dst register must be even and the other odd", "src0 operands must use different VGPR banks",
      "src1 operands must use different VGPR banks", "src2 operands must use different VGPR banks"};
  bool wide = form->size == 12 && !form->literal_ok; /* VOPD3 */
  const unsigned masks[] = {wide ? ~0u : 1, 3, 3, wide ? 3 : 1};
  struct half x = half_of(shape, inst, false), y = half_of(shape, inst, true);
  bool moves = isa->gfx12 && x.part[2] < 0 && y.part[2] < 0 && x.part[3] < 0 && y.part[3] < 0;
  for (unsigned k = 0; k < (moves ? 1u : 4u); k++) {
    if (x.part[k] < 0 || y.part[k] < 0)
      continue;
    struct og_operand a, b;
    bool both = in_bank(&inst->operands[x.part[k]], &a) && in_bank(&inst->operands[y.part[k]], &b);
    if (!both || !same_bank(&a, &b, masks[k]))
      continue;
    bool same = a.reg == b.reg && a.dwords == b.dwords &&
                inst->operands[x.part[k]].kind == inst->operands[y.part[k]].kind; /* not lds_direct and v1 */
    if (k && isa->gfx1250 && same)
      continue;
    *at = (unsigned)y.part[k];
    return k == 0 && wide ? "dst registers must be distinct" : messages[k];
  }
  return NULL;
}

const char *og_pair_fault(const struct og_isa *isa, const struct og_inst *inst, bool unknown_literal, unsigned *at) {
  const struct og_form *form = og_form(isa, inst->form);
  for (*at = 0; *at < inst->operand_count; ++*at)
    if (inst->operands[*at].flags & OG_ABS)
      return "ABS not allowed in VOPD3 instructions";
  const char *fault = two_literals(inst, unknown_literal, at);
  if (!fault)
    fault = too_many_values(form, inst, at);
  return fault ? fault : shared_bank(isa, form, inst, at);
}
