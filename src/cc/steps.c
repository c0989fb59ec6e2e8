/* steps.c - what an instruction depends on when it is to be moved: registers, SCC, VCC, M0 and memory; and how long its
 * result takes. An instruction that changes EXEC, ends a block or does something that no operand shows stays where it
 * is, and nothing moves over it. */
#include "cc/schedule.h"
#include "cc/select.h"
#include "isa/effects.h"

void cc_begin_steps(struct cc_stepper *s, struct cc_function *c) {
  *s = (struct cc_stepper){c, OG_NEW_ARRAY(c->arena, bool, OG_ROW_COUNT), OG_NEW_ARRAY(c->arena, bool, OG_ROW_COUNT)};
}

static const struct og_form *form_of(const struct cc_stepper *s, const struct cc_inst *i) {
  return og_form(s->c->isa, s->c->forms[i->row][0]);
}

static bool row_stays(const struct cc_stepper *s, const struct cc_inst *i) {
  const struct og_form *form = form_of(s, i);
  const struct og_memory *memory = og_form_memory(form);
  unsigned shown = OG_IMPLICIT_SCC | OG_IMPLICIT_VCC | OG_IMPLICIT_M0;
  if (form->row_flags & (OG_FLAG_BRANCH | OG_FLAG_TERMINATOR | OG_FLAG_CALL | OG_FLAG_RETURN | OG_FLAG_SIDE_EFFECTS |
                         OG_FLAG_GWS | OG_FLAG_RELATIVE) ||
      form->writes & ~shown || i->row == OG_ROW_S_GETREG_B32)
    return true;
  switch ((enum og_issue)form->issue) {
  case OG_ISSUE_SALU: return form->row_flags & OG_FLAG_CONVERGENT || (!i->defs && !(form->writes & OG_IMPLICIT_SCC));
  case OG_ISSUE_VALU:
  case OG_ISSUE_TRANS:
  case OG_ISSUE_MATRIX: return !i->defs;
  case OG_ISSUE_SMEM: return !i->defs || memory->space == OG_IN_NOTHING || memory->access != OG_MOVES_LOAD;
  case OG_ISSUE_VMEM:
  case OG_ISSUE_FLAT:
  case OG_ISSUE_LDS:
    return memory->space == OG_IN_NOTHING || memory->space == OG_IN_GDS || memory->space == OG_IN_GWS ||
           memory->space == OG_IN_GS_REG || memory->space == OG_IN_CODE || memory->lds ||
           memory->access == OG_MOVES_NOTHING || memory->access == OG_MOVES_SYNC;
  default: return true;
  }
}

bool cc_is_movable(struct cc_stepper *s, const struct cc_inst *i) {
  if (i->row >= OG_ROW_COUNT || i->text || i->implicit || 2 * (unsigned)i->operands + 8 > CC_NAMES_MOST ||
      !cc_has_row(s->c, i->row))
    return false;
  if (!i->defs && form_of(s, i)->row_flags & OG_FLAG_LOAD && !(form_of(s, i)->row_flags & OG_FLAG_ATOMIC))
    return false; /* it loads to LDS */
  if (!s->told[i->row])
    s->told[i->row] = true, s->stays[i->row] = row_stays(s, i);
  for (unsigned o = 0; o < i->defs && !s->stays[i->row]; o++) {
    struct cc_operand op = s->c->operands.items[i->first + o];
    if (op.kind == CC_REG ? s->c->regs.items[op.value].physical != CC_NO_REGISTER || s->c->regs.items[op.value].whole
                          : op.kind != CC_SPECIAL || (op.value > OG_SPECIAL_VCC_HI && op.value != OG_SPECIAL_M0 &&
                                                      op.value != OG_SPECIAL_NULL))
      return false;
  }
  return !s->stays[i->row];
}

/* Cycles until the SIMD takes the wave's next instruction. */
static unsigned issue_cycles(const struct cc_function *c, const struct og_form *form) {
  if (!c->isa->gfx10)
    return 4;
  return c->isa->wave == 64 && (form->row_flags & OG_FLAG_VALU) ? 2 : 1;
}

static unsigned spaces_of(const struct og_memory *memory) {
  enum { ALL = (1 << CC_SPACES) - 1 };
  switch ((enum og_memory_space)memory->space) {
  case OG_IN_NOTHING:
  case OG_IN_LANES: return 0;
  case OG_IN_LDS: return 1 << CC_SPACE_LDS;
  case OG_IN_GLOBAL:
  case OG_IN_IMAGE:
  case OG_IN_CLUSTER: return 1 << CC_SPACE_GLOBAL;
  case OG_IN_SCRATCH: return 1 << CC_SPACE_PRIVATE;
  case OG_IN_BUFFER:
  case OG_IN_TYPED: return 1 << CC_SPACE_GLOBAL | 1 << CC_SPACE_PRIVATE;
  default: return ALL;
  }
}

static void find_memory(const struct cc_inst *i, const struct og_form *form, struct cc_step *step) {
  const struct og_memory *memory = og_form_memory(form);
  step->spaces = (uint8_t)spaces_of(memory);
  step->stores = memory->access != OG_MOVES_LOAD;
  step->scalar_load = form->issue == OG_ISSUE_SMEM;
  if (step->scalar_load) /* no store in the kernel changes what it reads */
    step->spaces = 0;
  bool simple = memory->count == 1 && memory->bits && (memory->space == OG_IN_GLOBAL || memory->space == OG_IN_LDS);
  step->bytes = simple ? memory->bits / 8 : 0;
  if (i->keep || i->policy || memory->access == OG_MOVES_ATOMIC) /* volatile and atomic accesses keep their order */
    step->spaces = (1 << CC_SPACES) - 1, step->stores = true, step->bytes = 0;
}

/* The resource of an operand; CC_SPECIAL_RESOURCES: none. */
static uint32_t name_of(struct cc_operand op) {
  if (op.kind == CC_REG)
    return CC_SPECIAL_RESOURCES + op.value;
  if (op.kind == CC_ADDRESS)
    return CC_RESOURCE_PC;
  if (op.kind == CC_SPECIAL && op.value <= OG_SPECIAL_VCC_HI)
    return CC_RESOURCE_VCC;
  if (op.kind == CC_SPECIAL && op.value == OG_SPECIAL_SCC)
    return CC_RESOURCE_SCC;
  return op.kind == CC_SPECIAL && op.value == OG_SPECIAL_M0 ? CC_RESOURCE_M0 : CC_SPECIAL_RESOURCES;
}

static unsigned add_name(uint32_t *names, unsigned from, unsigned count, uint32_t name) {
  for (unsigned k = from; k < count; k++)
    if (names[k] == name)
      return count;
  names[count] = name;
  return count + (name != CC_SPECIAL_RESOURCES);
}

void cc_step_names(const struct cc_stepper *s, const struct cc_inst *i, struct cc_step *step, uint32_t *names) {
  const struct cc_function *c = s->c;
  const struct og_form *form = form_of(s, i);
  unsigned count = 0, reads;
  bool memory = form->issue == OG_ISSUE_VMEM || form->issue == OG_ISSUE_FLAT || form->issue == OG_ISSUE_LDS;
  bool fills = memory && og_form_memory(form)->access == OG_MOVES_LOAD;
  for (unsigned o = i->defs; o < i->operands; o++)
    if (!(fills && i->tied && o == i->tied)) /* the half of a register that stays does not matter */
      count = add_name(names, 0, count, name_of(c->operands.items[i->first + o]));
  for (unsigned bit = 0; bit < 3; bit++) {
    static const uint8_t bits[] = {OG_IMPLICIT_SCC, OG_IMPLICIT_VCC, OG_IMPLICIT_M0};
    if (form->reads & bits[bit] || (bit == CC_RESOURCE_M0 && memory)) /* some accesses to memory read M0 */
      count = add_name(names, 0, count, bit);
  }
  reads = count;
  for (unsigned o = 0; o < i->defs; o++)
    count = add_name(names, reads, count, name_of(c->operands.items[i->first + o]));
  for (unsigned bit = 0; bit < 3; bit++) {
    static const uint8_t bits[] = {OG_IMPLICIT_SCC, OG_IMPLICIT_VCC, OG_IMPLICIT_M0};
    if (form->writes & bits[bit])
      count = add_name(names, reads, count, bit);
  }
  if (i->row == OG_ROW_S_GETPC_B64)
    count = add_name(names, reads, count, CC_RESOURCE_PC);
  step->reads = (uint8_t)reads, step->writes = (uint8_t)(count - reads);
  step->latency = (uint16_t)og_latency(c->isa, form);
  step->issue = (uint8_t)issue_cycles(c, form);
  step->spaces = 0, step->bytes = 0, step->stores = step->scalar_load = false;
  if (memory || form->issue == OG_ISSUE_SMEM)
    find_memory(i, form, step);
}
