/* divergence.c - barriers that not all reach: some lanes of a wave are disabled, or waves of a group are at different
 * barriers. Also matrix products, which read registers of disabled lanes. */
#include "check/internal.h"
#include "isa/rows.h"

uint64_t og_check_items_of(const struct og_wave *wave) {
  const struct og_dispatch *dispatch = wave->group->dispatch;
  uint64_t items = 1;
  for (int d = 0; d < 3; d++)
    items *= OG_MIN(dispatch->group[d], dispatch->grid[d] - wave->group->id[d] * dispatch->group[d]);
  uint64_t before = (uint64_t)wave->id * wave->wave_size, here = OG_MIN(items - OG_MIN(items, before), wave->wave_size);
  return here == 64 ? UINT64_MAX : (1ull << here) - 1;
}

/* Does the work of og_check_divergence() if all lanes come to the work-group's barrier, and to the same one as the
 * waves before. */
bool og_check_comes_along(const struct og_wave *wave, const struct og_operation *op) {
  struct og_check_wave *state = og_check_wave(wave);
  struct og_arrival *first = &state->group->arrivals[(state->arrivals + 1) & 1];
  uint64_t pc = og_pc(wave->program, op);
  if (state->items & ~og_exec(wave) || state->group->parked ||
      (first->number == state->arrivals + 1 && first->pc != pc))
    return false;
  *first = (struct og_arrival){++state->arrivals, pc};
  return true;
}

/* Waves that come to the work-group's barrier for the n-th time must all be at the same instruction. */
static void compare_places(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op) {
  struct og_check_wave *state = og_check_wave(wave);
  uint64_t pc = og_pc(wave->program, op);
  uint32_t number = ++state->arrivals;
  struct og_arrival *first = &state->group->arrivals[number & 1];
  if (first->number != number)
    *first = (struct og_arrival){number, pc};
  if (first->pc == pc)
    return;
  struct og_finding *finding =
      og_check_find(watch, OG_CHECK_DIVERGENCE, wave, OG_MIN(pc, first->pc), OG_MAX(pc, first->pc), -1);
  finding->does = "is where some waves of a work-group wait";
  finding->while_ = "is where others do";
}

static bool is_of_group(const struct og_inst *inst) {
  return inst->row == OG_ROW_S_BARRIER || (inst->operand_count && inst->operands[0].kind != OG_OPERAND_SPECIAL &&
                                           (int16_t)inst->operands[0].value == -1);
}

static void tell_missing(struct og_watch *watch, const struct og_wave *wave, uint64_t pc, uint64_t missing,
                         bool matrix) {
  uint64_t all = og_check_wave(wave)->items;
  struct og_finding *finding = og_check_find(watch, OG_CHECK_DIVERGENCE, wave, pc, 0, __builtin_ctzll(missing));
  if (!finding->does)
    finding->does = og_arena_printf(watch->arena, matrix ? "takes all lanes, and is reached by %d of the wave's %d"
                                                         : "is reached by %d of the wave's %d lanes",
                                    __builtin_popcountll(all & ~missing), __builtin_popcountll(all));
}

/* GCC's code is one thread per wave. It enables lanes only for vectors; else EXEC is 1. Code that computes EXEC from
 * conditions never turns on one lane by a constant. */
void og_check_parks(struct og_wave *wave, const struct og_known *known) {
  if (known->inst->operands[1].value == 1)
    og_check_wave(wave)->parked = ~1ull;
}

void og_check_divergence(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                         const struct og_known *known) {
  struct og_check_wave *state = og_check_wave(wave);
  uint64_t all = state->items, missing = all & ~og_exec(wave);
  if (known->barrier && missing && !(missing & ~state->parked)) {
    state->group->parked = true;
    return;
  }
  if (known->barrier && is_of_group(known->inst) && !state->group->parked)
    compare_places(watch, wave, op);
  if (!missing)
    return;
  if (watch->may_return && known->barrier) {
    state->gone_from = state->gone ? state->gone_from : og_pc(wave->program, op);
    state->gone |= missing;
    return;
  }
  tell_missing(watch, wave, og_pc(wave->program, op), missing, known->matrix);
}

void og_check_back(struct og_watch *watch, const struct og_wave *wave) {
  struct og_check_wave *state = og_check_wave(wave);
  tell_missing(watch, wave, state->gone_from, state->gone, false);
  state->gone = 0;
}

void og_check_stores(struct og_wave *wave, const struct og_operation *op) {
  struct og_check_wave *state = og_check_wave(wave);
  state->stored = OG_MAX(state->stored, og_pc(wave->program, op));
}

/* Keeps the furthest store of the waves that came most often, and that of the others. */
static void take_stores(struct og_check_group *group, const struct og_check_wave *state, bool first) {
  if (first)
    group->stored = group->stored_without = 0;
  else if (state->arrivals > group->most)
    group->stored_without = OG_MAX(group->stored_without, group->stored), group->stored = 0;
  uint64_t *stored = !first && state->arrivals < group->most ? &group->stored_without : &group->stored;
  *stored = OG_MAX(*stored, state->stored);
}

/* Where work-items may return, waves that have ended need not come to barriers. But those that store something behind
 * the barrier have not returned early. */
void og_check_divergence_end(struct og_watch *watch, const struct og_wave *wave) {
  const struct og_check_wave *state = og_check_wave(wave);
  struct og_check_group *group = state->group;
  bool first = group->users == wave->group->wave_count;
  take_stores(group, state, first);
  group->fewest = first ? state->arrivals : OG_MIN(group->fewest, state->arrivals);
  group->most = first ? state->arrivals : OG_MAX(group->most, state->arrivals);
  const struct og_arrival *last = &group->arrivals[group->most & 1];
  if (group->users > 1 || group->fewest == group->most || group->parked ||
      (watch->may_return && group->stored_without < last->pc))
    return;
  struct og_finding *finding =
      og_check_find(watch, OG_CHECK_DIVERGENCE, wave, last->pc, 0, -1);
  if (!finding->does)
    finding->does = "is where waves of a work-group wait although others have ended, or end, without coming there";
}
