/* flow.c - what stands between stretches and needs no handler: scalar operations that write EXEC, whose other form, a
 * dword for each lane, is brought up to date before anything may look at it; branches, within the block or out of it;
 * ends and barriers. */
#include "tier/unit.h"

#include "exec/group.h"
#include "isa/rows.h"

#include <string.h>

/* ---- EXEC -------------------------------------------------------------------------------------------------------- */

enum { STRIP_LANES = 16, NARROW_LANES = 8 };

static struct og_place lanes_place(unsigned first) {
  return og_in_wave((uint32_t)offsetof(struct og_wave, lanes) + 4 * first);
}

/* Of so many lanes in a row, from EXEC's bits. */
static void expand_wide(struct og_unit *unit, unsigned first) {
  struct og_encoder *e = &unit->code;
  uint32_t ones[16];
  memset(ones, 0xff, sizeof ones);
  e->wide = false; /* KMOVW */
  og_emit_vector_low(e, OG_VEX(0, 1, 0, 0x90), OG_K_TEMPORARY, 0, og_in_wave(OG_AT_S(OG_S_EXEC) + first / 8));
  e->wide = true;
  og_emit_vector(e, OG_VEX(0, 1, 0, 0x10), OG_T0, 0, og_constant_row(e, ones), OG_K_TEMPORARY, true);
  og_emit_store(unit, lanes_place(first), OG_T0);
}
static void expand_narrow(struct og_unit *unit, unsigned first) {
  og_emit_mask_lanes(unit, OG_T0, og_in_wave(OG_AT_S(OG_S_EXEC) + first / 8));
  og_emit_store(unit, lanes_place(first), OG_T0);
}

void og_emit_exec_item(struct og_unit *unit, const struct og_item *item) {
  unit->stretch_end = item + 1;
  og_emit_scalar_item(unit, item);
  unit->lanes_stale = true;
}

/* Most often EXEC is again what it was. */
static void emit_lanes(struct og_unit *unit) {
  struct og_encoder *e = &unit->code;
  struct og_place known = og_in_wave((uint32_t)offsetof(struct og_wave, lanes_exec));
  unsigned lanes = unit->wave32 ? 32 : 64; /* those behind are never active */
  og_emit_general(e, !unit->wave32, 0x8b, OG_RAX, og_in_wave(OG_AT_S(OG_S_EXEC)));
  og_emit_general(e, !unit->wave32, 0x3b, OG_RAX, known);
  uint32_t fresh = og_emit_jump(e, 0x84);
  og_emit_general(e, !unit->wave32, 0x89, OG_RAX, known);
  for (unsigned first = 0; first < lanes; first += e->wide ? STRIP_LANES : NARROW_LANES)
    (e->wide ? expand_wide : expand_narrow)(unit, first);
  og_emit_byte(e, 0xf3), og_emit_general(e, !unit->wave32, 0x1b8, OG_RAX, og_in_wave(OG_AT_S(OG_S_EXEC))); /* POPCNT */
  og_emit_general(e, false, 0x88, OG_RAX, og_in_wave((uint32_t)offsetof(struct og_wave, active_lanes)));
  og_emit_land(e, fresh);
}

void og_emit_fresh_lanes(struct og_unit *unit) {
  if (unit->lanes_stale)
    emit_lanes(unit);
  unit->lanes_stale = false;
}

/* ---- branches ---------------------------------------------------------------------------------------------------- */

/* Taken where the mask, or SCC, is 0, or is not; on no condition where there is none. */
static const struct condition {
  uint16_t row;
  bool always, if_zero;
  uint16_t scalar;
} conditions[] = {{OG_ROW_S_BRANCH, true, false, 0},
                  {OG_ROW_S_CBRANCH_SCC0, false, true, OG_S_SCC},
                  {OG_ROW_S_CBRANCH_SCC1, false, false, OG_S_SCC},
                  {OG_ROW_S_CBRANCH_VCCZ, false, true, OG_S_VCC},
                  {OG_ROW_S_CBRANCH_VCCNZ, false, false, OG_S_VCC},
                  {OG_ROW_S_CBRANCH_EXECZ, false, true, OG_S_EXEC},
                  {OG_ROW_S_CBRANCH_EXECNZ, false, false, OG_S_EXEC}};

static const struct condition *condition_of(const struct og_operation *op) {
  for (size_t i = 0; i < OG_COUNT(conditions); i++)
    if (op->row == conditions[i].row)
      return &conditions[i];
  return NULL;
}

bool og_recognize_branch(struct og_item *item) {
  const struct og_operation *op = item->op;
  if (op->class != OG_CLASS_BRANCH || !op->detail || !condition_of(op))
    return false;
  item->kind = OG_ITEM_BRANCH;
  return true;
}

/* Yields the jump where the branch is not taken; 0: it always is. */
static uint32_t emit_condition(struct og_unit *unit, const struct condition *condition) {
  struct og_encoder *e = &unit->code;
  if (condition->always)
    return 0;
  if (condition->scalar == OG_S_SCC)
    og_emit_compare_scc(unit);
  else
    og_emit_immediate(e, !unit->wave32, 7, og_in_wave(OG_AT_S(condition->scalar)), 0);
  return og_emit_jump(e, condition->if_zero ? 0x85 : 0x84);
}

static void add_ahead(struct og_unit *unit, const struct og_operation *target, uint32_t jump) {
  unit->ahead[unit->ahead_count].target = target;
  unit->ahead[unit->ahead_count].lanes_stale = unit->lanes_stale;
  unit->ahead[unit->ahead_count++].jump = jump;
}

/* A branch behind which the block goes on with what it leads to. */
static void emit_way_back(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  uint32_t out = emit_condition(unit, condition_of(item->op));
  if (out)
    add_ahead(unit, og_next(item->op), out);
  og_emit_immediate(e, true, 5, og_in_wave((uint32_t)offsetof(struct og_wave, budget)), 1);
  uint32_t on = og_emit_jump(e, 0x89); /* not negative */
  if (unit->lanes_stale)
    emit_lanes(unit);
  og_emit_resume(unit, item->op->detail);
  og_emit_land(e, on);
}

void og_emit_branch(struct og_unit *unit, const struct og_item *item, const struct og_operation *start,
                    uint32_t start_at) {
  struct og_encoder *e = &unit->code;
  const struct og_operation *target = item->op->detail;
  if (item->goes_back) {
    emit_way_back(unit, item);
    return;
  }
  if (target == start)
    og_emit_fresh_lanes(unit);
  uint32_t over = emit_condition(unit, condition_of(item->op));
  og_emit_immediate(e, true, 5, og_in_wave((uint32_t)offsetof(struct og_wave, budget)), 1);
  if (target == start)
    og_emit_jump_to(e, 0x89, start_at); /* not negative */
  else
    add_ahead(unit, target, og_emit_jump(e, 0x89));
  if (unit->lanes_stale)
    emit_lanes(unit);
  og_emit_resume(unit, target);
  if (over)
    og_emit_land(e, over);
  else /* what follows, if anything, is branched to */
    unit->lanes_stale = false;
}

void og_emit_resume(struct og_unit *unit, const struct og_operation *op) {
  struct og_encoder *e = &unit->code;
  og_emit_load_constant(e, OG_RAX, (uintptr_t)op);
  og_emit_general(e, true, 0x89, OG_RAX, og_in_wave((uint32_t)offsetof(struct og_wave, resume)));
  og_emit_load_constant(e, OG_RAX, (uintptr_t)&og_stop);
  unit->exits[unit->exit_count++] = og_emit_jump(e, 0);
}

/* ---- ends and barriers ------------------------------------------------------------------------------------------- */

static const struct stop {
  uint16_t row;
  uint8_t state;
} stops[] = {{OG_ROW_S_BARRIER, OG_WAVE_BARRIER}, {OG_ROW_S_ENDPGM, OG_WAVE_ENDED}};

static const struct stop *stop_of(const struct og_operation *op) {
  for (size_t i = 0; op->class == OG_CLASS_OTHER && i < OG_COUNT(stops); i++)
    if (op->row == stops[i].row)
      return &stops[i];
  return NULL;
}

bool og_recognize_stop(struct og_item *item) {
  if (!stop_of(item->op))
    return false;
  item->kind = OG_ITEM_STOP;
  return true;
}

static struct og_place in_next_wave(size_t offset) { return og_in_wave((uint32_t)(OG_WAVE_STRIDE + offset)); }

static void emit_state(struct og_unit *unit, struct og_place place, uint32_t state) {
  og_emit_general(&unit->code, false, 0xc7, 0, place);
  og_emit_u32(&unit->code, state);
}

/* A wave's turn ends here. If a follower's begins with this block, too, the code goes on with that. */
void og_emit_stop(struct og_unit *unit, const struct og_item *item, const struct og_operation *start,
                  uint32_t start_at) {
  struct og_encoder *e = &unit->code;
  og_emit_fresh_lanes(unit);
  emit_state(unit, og_in_wave((uint32_t)offsetof(struct og_wave, state)), stop_of(item->op)->state);
  og_emit_load_constant(e, OG_RAX, (uintptr_t)og_next(item->op));
  og_emit_general(e, true, 0x89, OG_RAX, og_in_wave((uint32_t)offsetof(struct og_wave, resume)));
  og_emit_immediate(e, false, 7, og_in_wave((uint32_t)offsetof(struct og_wave, followers)), 0);
  uint32_t last = og_emit_jump(e, 0x84);
  og_emit_load_constant(e, OG_RAX, (uintptr_t)start);
  og_emit_general(e, true, 0x3b, OG_RAX, in_next_wave(offsetof(struct og_wave, resume)));
  uint32_t elsewhere = og_emit_jump(e, 0x85);
  emit_state(unit, in_next_wave(offsetof(struct og_wave, state)), OG_WAVE_READY);
  og_emit_immediate(e, true, 0, og_place_register(OG_RBX), OG_WAVE_STRIDE);
  og_emit_jump_to(e, 0, start_at);
  og_emit_land(e, last);
  og_emit_land(e, elsewhere);
  og_emit_load_constant(e, OG_RAX, (uintptr_t)&og_stop);
  unit->exits[unit->exit_count++] = og_emit_jump(e, 0);
}

bool og_is_ahead(const struct og_unit *unit, const struct og_operation *op) {
  for (uint32_t i = 0; i < unit->ahead_count; i++)
    if (unit->ahead[i].target == op)
      return true;
  return false;
}

void og_land_ahead(struct og_unit *unit, const struct og_operation *op) {
  uint32_t left = 0;
  for (uint32_t i = 0; i < unit->ahead_count; i++)
    if (unit->ahead[i].target == op) {
      og_emit_land(&unit->code, unit->ahead[i].jump);
      unit->lanes_stale |= unit->ahead[i].lanes_stale;
    } else {
      unit->ahead[left++] = unit->ahead[i];
    }
  unit->ahead_count = left;
}

void og_leave_ahead(struct og_unit *unit) {
  for (uint32_t i = 0; i < unit->ahead_count; i++) {
    og_emit_land(&unit->code, unit->ahead[i].jump);
    if (unit->ahead[i].lanes_stale)
      emit_lanes(unit);
    og_emit_load_constant(&unit->code, OG_RAX, (uintptr_t)unit->ahead[i].target);
    unit->exits[unit->exit_count++] = og_emit_jump(&unit->code, 0);
  }
  unit->ahead_count = 0;
}
