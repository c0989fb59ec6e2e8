/* known.c - the facts about an instruction that checkers need, found when it first runs. */
#include "check/internal.h"
#include "exec/program.h"
#include "isa/matrix.h"
#include "isa/rows.h"

#include <string.h>

static bool is_barrier(const struct og_inst *inst) {
  return inst->row == OG_ROW_S_BARRIER || inst->row == OG_ROW_S_BARRIER_SIGNAL ||
         inst->row == OG_ROW_S_BARRIER_SIGNAL_ISFIRST;
}

/* Whether it sets EXEC to a constant. */
static bool parks(const struct og_isa *isa, const struct og_inst *inst) {
  uint16_t row = isa->wave == 32 ? OG_ROW_S_MOV_B32 : OG_ROW_S_MOV_B64;
  return inst->row == row && inst->operands[0].kind == OG_OPERAND_SPECIAL &&
         inst->operands[0].reg == OG_SPECIAL_EXEC_LO &&
         (inst->operands[1].kind == OG_OPERAND_INLINE || inst->operands[1].kind == OG_OPERAND_LITERAL);
}

static uint64_t marks_of(const struct og_touch *touches, unsigned count, bool held) {
  uint64_t marks = 0;
  for (unsigned i = 0; i < count; i++)
    for (unsigned k = 0; (!held || touches[i].writes || touches[i].held) && k < touches[i].count; k++)
      marks |= og_check_place_mark(touches[i].first + k);
  return marks;
}

static enum og_check_kind kind_of(const struct og_watch *watch, const struct og_known *known) {
  static const struct og_check_marks none;
  bool all = (watch->checkers & (OG_CHECK_ALL | OG_CHECK_NUMBERS)) == OG_CHECK_ALL, returns = known->transfer.count;
  if (!known->acts && known->inst)
    return OG_CHECK_QUIET;
  if (!all || known->counts_for_readlane || known->calls || !known->inst)
    return OG_CHECK_OTHER;
  bool untouched = !memcmp(&known->uninit, &none, sizeof none) && !known->marks;
  if (known->inst->row == OG_ROW_S_BARRIER && !known->waits && !returns && untouched)
    return OG_CHECK_STAND;
  if (known->waits && !known->barrier && !returns && !known->plain && untouched &&
      !og_check_orders(known->inst, false) && known->inst->row != OG_ROW_S_BARRIER_WAIT)
    return OG_CHECK_WAIT;
  bool moves = known->memory->access == OG_MOVES_LOAD || known->memory->access == OG_MOVES_STORE;
  return known->plain && moves && known->memory->space == OG_IN_LDS && !known->memory->lds && !known->waits &&
                 !watch->isa->gfx1250 && known->transfer.count == 1 && known->transfer.raised[0].order
             ? OG_CHECK_SWIFT
             : OG_CHECK_OTHER;
}

static struct og_known *make_known(struct og_watch *watch, const struct og_program *program, size_t word) {
  struct og_touch touches[OG_TOUCHES_MOST];
  struct og_inst *inst = OG_NEW(watch->arena, struct og_inst);
  if (!og_program_inst(program, watch->isa, word, inst))
    return OG_NEW(watch->arena, struct og_known); /* it will fault */
  og_program_add_msb(program, inst);
  struct og_effects *effects = OG_NEW(watch->arena, struct og_effects);
  struct og_transfer transfer;
  const struct og_form *form = og_form(watch->isa, inst->form);
  bool relative = !og_inst_effects(watch->isa, inst, effects);
  og_inst_transfer(watch->isa, inst, effects, &watch->mode, &transfer);
  unsigned count = og_inst_touches(watch->isa, inst, effects, &transfer, touches);
  struct og_known *known = og_check_lines(watch->arena, sizeof *known + count * sizeof *touches);
  *known = (struct og_known){.transfer = transfer, .inst = inst, .effects = effects, .relative = relative,
                             .memory = og_form_memory(form)};
  known->waits = og_inst_wait(watch->isa, inst, known->limits);
  known->barrier = is_barrier(inst);
  known->matrix = og_form_matrix(form)->kind != OG_MATRIX_NONE;
  known->calls = form->row_flags & (OG_FLAG_CALL | OG_FLAG_RETURN);
  known->parks = parks(watch->isa, inst);
  known->returns =
      inst->row == OG_ROW_S_SETPC_B64 && inst->operands[0].kind == OG_OPERAND_SGPR && inst->operands[0].reg == 30;
  known->vector = form->reads & OG_IMPLICIT_EXEC;
  known->all_lanes = form->row_flags & OG_FLAG_CONVERGENT || inst->variant >= OG_VARIANT_DPP16 ||
                     known->matrix || !known->vector;
  known->plain = og_check_is_plain(inst, known->memory);
  known->described = og_check_described(form, inst, known->memory);
  known->touch_count = (uint8_t)count;
  known->marks = relative ? UINT64_MAX : marks_of(touches, count, false);
  known->held = transfer.count ? marks_of(touches, count, true) : 0;
  known->leads_to = og_check_leads_to(known->memory);
  known->orders = og_check_orders(inst, known->waits);
  known->names_lanes = og_check_names_lanes(inst);
  known->modes = effects->implicit_writes & OG_IMPLICIT_MODE && inst->row != OG_ROW_S_SET_VGPR_MSB;
  known->goes_on = !(form->row_flags &
                     (OG_FLAG_BRANCH | OG_FLAG_CALL | OG_FLAG_RETURN | OG_FLAG_TERMINATOR | OG_FLAG_NO_FALLTHROUGH)) &&
                   !known->modes && inst->row != OG_ROW_S_SET_VGPR_MSB;
  memcpy(known->touches, touches, count * sizeof *touches);
  og_inst_hazards(watch->isa, inst, effects, &known->hazards);
  if (watch->checkers & OG_CHECK_HAZARDS)
    og_check_hazards_behind(watch, known);
  if (watch->checkers & (OG_CHECK_UNINIT | OG_CHECK_NUMBERS))
    og_check_uninit_flow(watch, known);
  if (watch->checkers & OG_CHECK_NUMBERS)
    og_check_numbers_flow(watch, known);
  known->counts_for_readlane =
      (watch->checkers & OG_CHECK_LANES_KEPT) == OG_CHECK_LANES_KEPT && og_check_readlane_counts(watch, known);
  known->race_flags = og_check_race_flags(watch, known);
  known->acts = known->transfer.count || known->waits || known->calls || known->returns || known->barrier ||
                known->matrix || known->plain || known->orders || known->names_lanes || known->parks || known->modes ||
                known->counts_for_readlane || watch->checkers & OG_CHECK_NUMBERS;
  return known;
}

const struct og_glance *og_check_know(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op) {
  const struct og_program *program = wave->program;
  size_t word = (size_t)(op - program->operations);
  if (!watch->glances[program->msb])
    watch->glances[program->msb] = OG_NEW_ARRAY(watch->arena, struct og_glance, watch->words + 1);
  struct og_glance *glance = &watch->glances[program->msb][word];
  if (!glance->known) {
    struct og_known *known = make_known(watch, program, word);
    *glance = (struct og_glance){.known = known,
                                 .uninit = known->uninit,
                                 .marks = known->marks,
                                 .acts = known->acts || !known->inst,
                                 .kind = kind_of(watch, known),
                                 .hazard = watch->checkers & OG_CHECK_HAZARDS ? OG_REACH_UNKNOWN : OG_REACH_NOTHING};
    known->glance = glance;
  }
  return glance;
}
