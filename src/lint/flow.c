/* flow.c - follows a function along all its branches and keeps what each instruction touches, raises and waits for. */
#include "lint/flow.h"
#include "isa/rows.h"

struct maker {
  struct og_flow *flow;
  const struct og_wait_mode *mode;
  struct og_relocations relocations;
  int32_t *step_at; /* the step at each word of the function; -1: none */
  OG_VECTOR(uint64_t) queue;
  OG_VECTOR(uint64_t) targets; /* where the step with the same number branches to; 0: nowhere */
};

void og_function_bounds(const struct og_object *elf, const struct og_section *section, uint64_t address,
                        uint64_t *start, uint64_t *end) {
  *start = section->address;
  *end = section->address + section->size;
  for (uint32_t i = 1; i < elf->symbols.count; i++) {
    const struct og_symbol *s = &elf->symbols.items[i];
    bool here = s->section < elf->sections.count && &elf->sections.items[s->section] == section;
    uint64_t base = elf->type == ET_REL ? section->address : 0;
    if (here && s->type == STT_FUNC && s->size && address >= base + s->value && address - base - s->value < s->size) {
      *start = base + s->value;
      *end = *start + s->size;
    }
  }
}

bool og_flow_leaves(const struct og_inst *inst, const struct og_form *form) {
  return form->row_flags & OG_FLAG_NO_FALLTHROUGH && inst->row != OG_ROW_S_CODE_END;
}

static bool inside(const struct og_flow *flow, uint64_t address) {
  return address >= flow->start && address < flow->end && address % 4 == 0;
}

/* `high`: s_set_vgpr_msb selects other VGPRs than the first 256; which ones is not followed, so VGPRs are left out. */
static void add_touches(struct maker *m, struct og_step *step, const struct og_inst *inst,
                        const struct og_effects *effects, bool high) {
  struct og_touch touches[OG_TOUCHES_MOST];
  unsigned count = og_inst_touches(m->flow->isa, inst, effects, &step->transfer, touches);
  step->touch = m->flow->touches.count;
  for (unsigned i = 0; i < count; i++)
    if (!high || touches[i].first >= OG_PLACE_SGPR)
      *OG_PUSH(m->flow->arena, &m->flow->touches) = touches[i];
  step->touch_count = m->flow->touches.count - step->touch;
}

/* ---- ways -------------------------------------------------------------------------------------------------------- */

static bool is_relocated(const struct maker *m, uint64_t offset, size_t size) {
  uint32_t section = (uint32_t)(m->flow->section - m->flow->elf->sections.items);
  size_t i = og_relocations_from(&m->relocations, section, offset);
  const struct og_relocation *r = i < m->relocations.count ? m->relocations.items[i] : NULL;
  return r && r->section == section && r->offset < offset + size;
}

/* Where the step leads besides straight on: by a branch, or far by s_setpc_b64 with an address made just before. */
static uint64_t target_of(const struct maker *m, const struct og_inst *inst, const struct og_scalars *scalars,
                          uint64_t pc, bool relocated) {
  const struct og_operand *distance = og_branch_operand(m->flow->isa, inst);
  uint64_t target = 0;
  if (relocated || og_form(m->flow->isa, inst->form)->row_flags & OG_FLAG_CALL)
    return 0;
  if (distance)
    target = og_branch_target(distance, pc);
  else if (inst->row != OG_ROW_S_SETPC_B64 || !og_scalars_pair(scalars, og_operand(inst, OG_ROLE_SRC0), &target))
    return 0;
  return inside(m->flow, target) ? target : 0;
}

static void take_call(struct maker *m, const struct og_inst *inst, const struct og_scalars *scalars, uint64_t pc) {
  const struct og_operand *distance = og_branch_operand(m->flow->isa, inst);
  const struct og_section *section = m->flow->section;
  uint64_t target = distance ? og_branch_target(distance, pc) : 0;
  if (!distance && !og_scalars_pair(scalars, og_operand(inst, OG_ROLE_SRC0), &target))
    return;
  if (target >= section->address && target - section->address < section->size && target % 4 == 0)
    *OG_PUSH(m->flow->arena, &m->flow->calls) = target;
}

static bool returns(const struct og_flow *flow, const struct og_inst *inst) {
  const struct og_operand *link = og_operand(inst, OG_ROLE_SRC0);
  return inst->row == OG_ROW_S_SETPC_B64 && link && link->kind == OG_OPERAND_SGPR &&
         link->reg == (flow->by_gcc ? 18 : 30);
}

static bool is_exec(const struct og_operand *operand) {
  return operand && operand->kind == OG_OPERAND_SPECIAL && operand->reg == OG_SPECIAL_EXEC_LO;
}

/* Goes by the instructions with which compilers begin and end conditions in waves of 64. */
static enum og_exec_change exec_change(const struct og_inst *inst, const struct og_effects *effects) {
  const struct og_operand *one = og_operand(inst, OG_ROLE_SRC0), *two = og_operand(inst, OG_ROLE_SRC1);
  bool changes = false;
  for (unsigned i = 0; i < effects->write_count; i++) {
    const struct og_use *use = &effects->writes[i];
    changes |= use->kind == OG_OPERAND_SPECIAL && (use->reg == OG_SPECIAL_EXEC_LO || use->reg == OG_SPECIAL_EXEC_HI);
  }
  if (!changes)
    return OG_EXEC_STAYS;
  switch (inst->row) {
  case OG_ROW_S_ANDN2_SAVEEXEC_B64:
  case OG_ROW_S_ANDN2_WREXEC_B64: return OG_EXEC_TURNS;
  case OG_ROW_S_AND_SAVEEXEC_B64:
  case OG_ROW_S_ANDN1_SAVEEXEC_B64:
  case OG_ROW_S_ANDN1_WREXEC_B64: return OG_EXEC_SHRINKS;
  case OG_ROW_S_AND_B64: return is_exec(one) || is_exec(two) ? OG_EXEC_SHRINKS : OG_EXEC_CHANGES;
  case OG_ROW_S_ANDN2_B64: return is_exec(two) ? OG_EXEC_TURNS : is_exec(one) ? OG_EXEC_SHRINKS : OG_EXEC_CHANGES;
  default: /* v_cmpx_* */
    return effects->issue == OG_ISSUE_VALU && effects->implicit_writes & OG_IMPLICIT_EXEC ? OG_EXEC_SHRINKS
                                                                                          : OG_EXEC_CHANGES;
  }
}

static void add_step(struct maker *m, const struct og_inst *inst, const struct og_effects *effects, uint64_t pc,
                     uint64_t target, bool high) {
  struct og_flow *flow = m->flow;
  const struct og_form *form = og_form(flow->isa, inst->form);
  struct og_limits limits;
  m->step_at[(pc - flow->start) / 4] = (int32_t)flow->steps.count;
  struct og_step *step = OG_PUSH(flow->arena, &flow->steps);
  *step = (struct og_step){.pc = pc, .size = inst->size, .target = -1,
                          .exec = (uint8_t)exec_change(inst, effects)};
  *OG_PUSH(flow->arena, &m->targets) = target;
  og_inst_transfer(flow->isa, inst, effects, m->mode, &step->transfer);
  add_touches(m, step, inst, effects, high);
  og_inst_hazards(flow->isa, inst, effects, &step->hazards);
  if (!og_flow_leaves(inst, form))
    step->flags |= OG_STEP_GOES_ON;
  if (form->row_flags & OG_FLAG_CALL)
    step->flags |= OG_STEP_CALLS;
  if (og_touches_all_lanes(flow->isa, inst))
    step->flags |= OG_STEP_ALL_LANES;
  flow->uncertain |= step->transfer.uncertain;
  if (!target && returns(flow, inst))
    step->flags |= OG_STEP_RETURNS;
  if (og_inst_wait(flow->isa, inst, limits.most)) {
    step->flags |= OG_STEP_WAITS;
    step->wait = flow->limits.count;
    *OG_PUSH(flow->arena, &flow->limits) = limits;
  }
}

/* Follows the code straight on from an address until it ends or meets code that was seen. Compilers begin and end
 * blocks with the first 256 VGPRs selected. */
static void follow(struct maker *m, uint64_t pc) {
  struct og_flow *flow = m->flow;
  struct og_scalars scalars = {.carry = -1};
  bool high = false;
  while (inside(flow, pc) && m->step_at[(pc - flow->start) / 4] < 0) {
    uint64_t offset = pc - flow->section->address;
    struct og_inst inst;
    struct og_effects effects;
    if (!og_decode(flow->isa, flow->section->data + offset, flow->section->size - offset, &inst))
      return;
    og_inst_effects(flow->isa, &inst, &effects);
    bool relocated = is_relocated(m, offset, inst.size);
    uint64_t target = target_of(m, &inst, &scalars, pc, relocated);
    add_step(m, &inst, &effects, pc, target, high);
    if (og_form(flow->isa, inst.form)->row_flags & OG_FLAG_CALL && !relocated)
      take_call(m, &inst, &scalars, pc);
    if (target)
      *OG_PUSH(flow->arena, &m->queue) = target;
    if (inst.row == OG_ROW_S_SET_VGPR_MSB)
      high = inst.operands[0].value & 0xff;
    if (og_flow_leaves(&inst, og_form(flow->isa, inst.form)))
      return;
    static const struct og_relocation any;
    og_scalars_follow(&scalars, &inst, &effects, relocated ? &any : NULL, pc);
    pc += inst.size;
  }
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

static void sort_steps(struct maker *m) {
  struct og_flow *flow = m->flow;
  struct og_step *sorted = OG_NEW_ARRAY(flow->arena, struct og_step, flow->steps.count);
  uint32_t count = 0;
  for (uint64_t word = 0; word < (flow->end - flow->start) / 4; word++) {
    if (m->step_at[word] < 0)
      continue;
    sorted[count] = flow->steps.items[m->step_at[word]];
    sorted[count].target = -2 - m->step_at[word]; /* still the target's old number; resolved below */
    m->step_at[word] = (int32_t)count++;
  }
  for (uint32_t i = 0; i < count; i++) {
    uint64_t target = m->targets.items[-2 - sorted[i].target];
    sorted[i].target = target ? m->step_at[(target - flow->start) / 4] : -1;
    if (sorted[i].target >= 0)
      sorted[sorted[i].target].flags |= OG_STEP_LEADS;
    bool next = i + 1 < count && sorted[i + 1].pc == sorted[i].pc + sorted[i].size;
    if (!next)
      sorted[i].flags &= (uint8_t)~OG_STEP_GOES_ON;
    if (i + 1 < count && (!(sorted[i].flags & OG_STEP_GOES_ON) || sorted[i].target >= 0))
      sorted[i + 1].flags |= OG_STEP_LEADS;
  }
  flow->steps.items = sorted;
  flow->first = (uint32_t)m->step_at[(flow->entry - flow->start) / 4];
  sorted[flow->first].flags |= OG_STEP_LEADS;
}

bool og_flow_make(struct og_flow *flow, const struct og_wait_mode *mode) {
  struct maker m = {.flow = flow, .mode = mode};
  og_function_bounds(flow->elf, flow->section, flow->entry, &flow->start, &flow->end);
  flow->end = OG_MIN(flow->end, flow->section->address + flow->section->size);
  if (!inside(flow, flow->entry))
    return false;
  size_t words = (flow->end - flow->start) / 4 + 1;
  m.step_at = OG_NEW_ARRAY(flow->arena, int32_t, words);
  for (size_t i = 0; i < words; i++)
    m.step_at[i] = -1;
  if (flow->elf->type == ET_REL)
    m.relocations = og_relocations_by_place(flow->arena, flow->elf);
  *OG_PUSH(flow->arena, &m.queue) = flow->entry;
  while (m.queue.count)
    follow(&m, m.queue.items[--m.queue.count]);
  if (!flow->steps.count)
    return false;
  sort_steps(&m);
  return true;
}
