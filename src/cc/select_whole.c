/* select_whole.c - values that are computed with all lanes on, including those that are off (strict.wwm), or with all
 * lanes of each group of four that has one on (strict.wqm). It finds what such a value is computed from, back to where
 * set.inactive gives the lanes that are off a value of their own, and changes EXEC around these instructions. What they
 * write stands in registers that nothing else uses (registers.c), since in other registers lanes that are off keep
 * their values. */
#include "cc/select.h"

enum { NORMAL, WHOLE_WAVE, WHOLE_QUADS };

static struct og_text name_of(const struct cc_function *c, const struct og_ir_inst *i) {
  return i->opcode == OG_IR_CALL ? cc_called(c, i) : (struct og_text){0};
}

static bool begins(struct og_text text, const char *prefix) { return og_text_skip(&text, prefix); }

/* Whether a call gives lanes that are off a value of their own; not where it only passes a chain call's argument. */
static bool gives_others(struct og_text name) {
  return og_text_skip(&name, "llvm.amdgcn.set.inactive.") && !begins(name, "chain.");
}

/* Whether a call has so many operands of its result's type. An i1 is a mask of lanes, which cannot be given to other
 * lanes. */
static bool is_right(struct cc_function *c, const struct og_ir_inst *i, unsigned values) {
  bool right = i->operands == 1 + values && (values == 1 || cc_bits(c->m, og_ir_scalar(c->m, i->type)) > 1);
  for (unsigned k = 0; k < values && right; k++)
    right = cc_type_of(c, og_ir_operand(c->f, i, 1 + k)) == i->type;
  return right;
}

/* The mode in which a call's operand is computed. In kernels wqm and softwqm have no effect, as there are no helper
 * lanes. */
static unsigned mode_of(struct og_text name) {
  if (begins(name, "llvm.amdgcn.strict.wwm.") || begins(name, "llvm.amdgcn.wwm."))
    return WHOLE_WAVE;
  return begins(name, "llvm.amdgcn.strict.wqm.") ? WHOLE_QUADS : NORMAL;
}

bool cc_passes_on(struct og_text name) {
  return mode_of(name) || begins(name, "llvm.amdgcn.softwqm.") ||
         (begins(name, "llvm.amdgcn.wqm.") && !begins(name, "llvm.amdgcn.wqm.vote") &&
          !begins(name, "llvm.amdgcn.wqm.demote"));
}

struct marker {
  struct cc_function *c;
  OG_VECTOR(uint32_t) pending;
};

static void mark(struct marker *m, og_ir_ref ref, unsigned mode) {
  struct cc_function *c = m->c;
  uint32_t record = og_ir_index(ref);
  if (og_ir_space(ref) != OG_IR_LOCAL || record <= c->f->arguments || c->modes[record] == WHOLE_WAVE ||
      c->modes[record] == mode)
    return;
  const struct og_ir_inst *i = &c->f->insts.items[record];
  if (i->opcode == OG_IR_ALLOCA || i->opcode == OG_IR_ATOMICRMW || i->opcode == OG_IR_CMPXCHG)
    return; /* they are for the lanes that are on */
  if (i->opcode == OG_IR_PHI && c->values[record].place == CC_SCALAR)
    return;
  c->record = record;
  if (i->opcode == OG_IR_PHI)
    cc_refuse(c, "a value for all lanes that paths of some lanes join");
  else if (i->opcode == OG_IR_CALL && !begins(name_of(c, i), "llvm."))
    cc_refuse(c, "a call with all lanes");
  c->modes[record] = (uint8_t)mode;
  *OG_PUSH(c->arena, &m->pending) = record;
}

bool cc_find_modes(struct cc_function *c) {
  struct marker m = {.c = c};
  for (uint32_t b = 0; b < c->f->blocks.count; b++)
    for (uint32_t r = c->f->blocks.items[b].first; r; r = c->f->insts.items[r].next) {
      const struct og_ir_inst *i = &c->f->insts.items[r];
      struct og_text name = name_of(c, i);
      if (!mode_of(name) && !gives_others(name))
        continue;
      if (!c->modes)
        c->modes = OG_NEW_ARRAY(c->arena, uint8_t, c->f->insts.count);
      if (mode_of(name) && is_right(c, i, 1))
        mark(&m, og_ir_operand(c->f, i, 1), mode_of(name));
      else if (!mode_of(name))
        mark(&m, OG_IR_LOCAL | r, WHOLE_WAVE);
    }
  for (uint32_t k = 0; k < m.pending.count && !c->failed; k++) {
    const struct og_ir_inst *i = &c->f->insts.items[m.pending.items[k]];
    bool gives = gives_others(name_of(c, i));
    for (uint32_t o = gives ? 2 : i->opcode == OG_IR_CALL; o < i->operands; o++)
      mark(&m, og_ir_operand(c->f, i, o), c->modes[m.pending.items[k]]);
  }
  return !c->failed;
}

/* Copies that were made in one mode do not hold in the other. */
static void forget(struct cc_function *c) {
  for (unsigned k = 0; k < OG_COUNT(c->kept); k++) {
    c->widened[k].node = c->scaled[k].node = 0;
    if (c->kept[k].node && c->regs.items[c->kept[k].at.value].file == CC_V)
      c->kept[k].node = 0;
  }
}

static void enter(struct cc_function *c, unsigned mode) {
  bool wide = c->mask_dwords == 2;
  operand exec = cc_special(OG_SPECIAL_EXEC_LO, c->mask_dwords);
  if (c->mode == mode)
    return;
  if (c->mode)
    cc_emit(c, wide ? OG_ROW_S_MOV_B64 : OG_ROW_S_MOV_B32, 1, 2, (operand[]){exec, c->lanes_on});
  if (mode)
    c->lanes_on = cc_temp(c, CC_S, c->mask_dwords);
  if (mode == WHOLE_WAVE)
    cc_emit(c, wide ? OG_ROW_S_OR_SAVEEXEC_B64 : OG_ROW_S_OR_SAVEEXEC_B32, 1, 2,
            (operand[]){c->lanes_on, {CC_CONST, 0, 0, c->mask_dwords, UINT32_MAX}});
  if (mode == WHOLE_QUADS) {
    cc_emit(c, wide ? OG_ROW_S_MOV_B64 : OG_ROW_S_MOV_B32, 1, 2, (operand[]){c->lanes_on, exec});
    cc_emit(c, wide ? OG_ROW_S_WQM_B64 : OG_ROW_S_WQM_B32, 1, 2, (operand[]){exec, exec});
  }
  c->mode = (uint8_t)mode;
  forget(c);
}

void cc_enter_mode(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  bool scalar = record && c->values[record].place == CC_SCALAR && i->opcode != OG_IR_CALL; /* no lane takes part */
  if (c->modes && !(scalar || (record && og_ir_opcodes[i->opcode].shape == OG_IR_SHAPE_DEBUG)))
    enter(c, record ? c->modes[record] : NORMAL);
}

bool cc_select_whole(struct cc_function *c, uint32_t record, struct og_text name) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  bool gives = gives_others(name);
  if ((!gives && !cc_passes_on(name)) || !is_right(c, i, 1 + gives))
    return false;
  uint32_t count = cc_parts(c->m, i->type);
  operand *out = OG_NEW_ARRAY(c->arena, operand, count + 1);
  for (uint32_t p = 0; p < count; p++) {
    operand o = cc_part(c, og_ir_operand(c->f, i, 1), p);
    if (gives)
      o = cc_choose(c, c->lanes_on, o, cc_part(c, og_ir_operand(c->f, i, 2), p));
    else if (mode_of(name) && c->values[record].place != CC_SCALAR && cc_is_vector(c, o))
      cc_move(c, out[p] = cc_temp(c, CC_V, 1), o), o = out[p];
    out[p] = o;
  }
  cc_define(c, record, out, count);
  return true;
}
