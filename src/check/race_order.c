/* race_order.c - the order that code gives to the accesses of waves (AMDGPU backend guide, "Memory Model"). A wave's
 * accesses are performed once it has waited for their counters. Barriers and atomics pass on what is performed. Another
 * wave sees it after it has invalidated the caches that the two do not share. Within a compute unit global memory needs
 * neither waits nor invalidates; LDS needs waits. */
#include "base/vector_clock.h"
#include "check/races.h"
#include "isa/rows.h"

#include <string.h>

enum { NEAR = 1, FAR = 2 }; /* the cache of a compute unit or half a WGP; those behind it that agents share not */

/* Whether waves of a work-group may sit at different caches: in WGP mode, and with TG_SPLIT. */
static bool is_spread(const struct og_watch *watch) { return watch->start->wgp_mode || watch->start->tg_split; }

/* Advances the clock if all earlier accesses are performed; returns the clock that others may rely on. */
static uint32_t performed(struct og_race_wave *state, unsigned kind, bool all) {
  if (all && state->touched[kind]) {
    state->clock[kind]++;
    state->touched[kind] = false;
  }
  return state->clock[kind] - 1;
}

void og_race_settle(const struct og_wave *wave, struct og_race_wave *state) {
  unsigned left = og_check_outstanding(og_check_wave(wave));
  performed(state, OG_RACE_LDS, !(left & OG_OUTSTANDING_LDS));
  performed(state, OG_RACE_GLOBAL, !(left & OG_OUTSTANDING_MEMORY));
}

/* Learns what another work-group's wave did up to a clock, and which caches were invalidated since. Returns whether
 * that is new. */
static bool add_foreign(struct og_watch *watch, struct og_race_foreign_list *list, const struct og_race_foreign *from) {
  for (uint32_t i = 0; i < list->count; i++) {
    struct og_race_foreign *one = &list->items[i];
    if (one->group != from->group || one->wave != from->wave)
      continue;
    if (one->clock == from->clock)
      one->seen |= from->seen;
    if (one->clock >= from->clock)
      return false;
    *one = *from;
    return true;
  }
  *OG_PUSH(watch->arena, list) = *from;
  return true;
}

/* Adds the list of another wave of the work-group. An invalidate counts for all waves at the same cache. */
static void pass_foreign(struct og_watch *watch, struct og_race_foreign_list *to,
                         const struct og_race_foreign_list *from) {
  for (uint32_t i = 0; i < from->count; i++) {
    struct og_race_foreign one = from->items[i];
    one.seen &= is_spread(watch) ? FAR : NEAR | FAR;
    add_foreign(watch, to, &one);
  }
}

/* These caches have been invalidated, for all that is known of other work-groups so far. */
static void have_seen(struct og_race_wave *state, unsigned which) {
  for (uint32_t i = 0; i < state->foreign.count; i++)
    state->foreign.items[i].seen |= which;
}

static void see_all(const struct og_wave *wave, struct og_race_wave *state) {
  og_check_copy(state->seen, state->known[OG_RACE_GLOBAL],
                OG_MIN(wave->group->wave_count, (uint32_t)OG_RACE_WAVES) * sizeof *state->seen);
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

static void start_phase(struct og_race_barrier *at, const struct og_race_barrier *before, uint32_t phase,
                        uint32_t waves) {
  for (unsigned k = 0; k < OG_RACE_KINDS; k++)
    if (before && before->phase + 1 == phase && before->phase)
      og_check_copy(at->clocks[k], before->clocks[k], waves * sizeof *at->clocks[k]);
    else
      og_check_clear(at->clocks[k], waves * sizeof *at->clocks[k]);
  at->foreign.count = 0;
  at->phase = phase;
  at->gws = false;
}

static inline void arrive(struct og_watch *watch, struct og_wave *wave, unsigned barrier) {
  struct og_race_wave *state = og_check_wave(wave)->race;
  struct og_race_group *race = og_check_wave(wave)->group->race;
  uint32_t phase = ++state->arrivals[barrier], waves = wave->group->wave_count;
  struct og_race_barrier *at = &race->barriers[barrier][phase & 1];
  if (at->phase != phase)
    start_phase(at, barrier ? NULL : &race->barriers[barrier][~phase & 1], phase, waves);
  race->named |= barrier > 0;
  at->gws |= state->passed_gws;
  state->passed_gws = false;
  unsigned left = og_check_outstanding(og_check_wave(wave));
  state->known[OG_RACE_LDS][wave->id] = performed(state, OG_RACE_LDS, !(left & OG_OUTSTANDING_LDS));
  state->known[OG_RACE_GLOBAL][wave->id] =
      performed(state, OG_RACE_GLOBAL, !is_spread(watch) || !(left & OG_OUTSTANDING_MEMORY));
  for (unsigned k = 0; k < OG_RACE_KINDS; k++)
    if (barrier || state->apart)
      og_clock_join(at->clocks[k], state->known[k], waves);
    else
      at->clocks[k][wave->id] = state->known[k][wave->id];
  state->apart &= barrier > 0;
  if (state->foreign.count)
    pass_foreign(watch, &at->foreign, &state->foreign);
  race->open |= state->touched[OG_RACE_LDS];
  state->arrived = barrier == 0;
}

static void know(struct og_watch *watch, const struct og_wave *wave, const struct og_race_barrier *at) {
  struct og_race_wave *state = og_check_wave(wave)->race;
  for (unsigned k = 0; k < OG_RACE_KINDS; k++)
    og_clock_join(state->known[k], at->clocks[k], wave->group->wave_count);
  if (!is_spread(watch))
    see_all(wave, state);
  state->snapshot = NULL;
}

/* Takes over late what the last barrier passed on: most waves come to the next barrier without needing it. */
void og_race_catch_up_now(struct og_watch *watch, const struct og_wave *wave) {
  struct og_race_wave *state = og_check_wave(wave)->race;
  know(watch, wave, &og_check_wave(wave)->group->race->barriers[0][state->passed & 1]);
  state->caught = state->passed;
}

/* Before the first instruction behind a barrier. */
static void learn(struct og_watch *watch, struct og_wave *wave) {
  struct og_race_wave *state = og_check_wave(wave)->race;
  struct og_race_group *race = og_check_wave(wave)->group->race;
  if (state->waits_for != 1)
    og_race_flush(watch, race, false);
  else if (race->passed != state->arrivals[0]) { /* the first wave that goes on */
    race->passed = state->arrivals[0];
    og_race_flush(watch, race, true);
  }
  if (state->waits_for & 1)
    state->arrived = false;
  for (; state->waits_for; state->waits_for &= state->waits_for - 1) {
    unsigned barrier = (unsigned)__builtin_ctz(state->waits_for);
    const struct og_race_barrier *at = &race->barriers[barrier][state->arrivals[barrier] & 1];
    if (barrier)
      know(watch, wave, at);
    else
      state->passed = state->arrivals[0];
    state->apart |= barrier > 0;
    pass_foreign(watch, &state->foreign, &at->foreign);
    if (at->gws)
      have_seen(state, state->invalidated);
  }
}

/* The barrier that an instruction names: 0 is the work-group's. */
static unsigned barrier_of(const struct og_wave *wave, const struct og_inst *inst) {
  const struct og_operand *operand = inst->operand_count ? &inst->operands[0] : NULL;
  if (!operand || inst->row == OG_ROW_S_BARRIER)
    return 0;
  if (operand->kind == OG_OPERAND_SPECIAL)
    return wave->s[OG_S_M0] & 0x1f;
  int number = (int16_t)operand->value;
  return number > 0 && number < OG_RACE_BARRIERS ? (unsigned)number : 0;
}

/* ---- caches ------------------------------------------------------------------------------------------------------ */

/* Which caches an instruction invalidates. */
static unsigned invalidates(const struct og_inst *inst) {
  int policy = inst->mod[OG_MOD_CPOL];
  switch (inst->row) {
  case OG_ROW_BUFFER_WBINVL1:
  case OG_ROW_BUFFER_WBINVL1_SC:
  case OG_ROW_BUFFER_WBINVL1_VOL: return NEAR | FAR;
  case OG_ROW_BUFFER_GL0_INV: return NEAR;
  case OG_ROW_BUFFER_GL1_INV: return FAR;
  case OG_ROW_BUFFER_INV: return NEAR | (policy & OG_CPOL_SCC ? FAR : 0);
  case OG_ROW_GLOBAL_INV:
  case OG_ROW_GLOBAL_WBINV: return NEAR | ((policy >> 3 & 3) >= 2 ? FAR : 0);
  default: return 0;
  }
}

static void invalidate(struct og_watch *watch, const struct og_wave *wave, unsigned which) {
  struct og_race_wave *state = og_race_catch_up(watch, wave);
  state->invalidated |= (uint8_t)which;
  if (which & NEAR)
    see_all(wave, state);
  have_seen(state, which);
}

static void order_caches(struct og_watch *watch, const struct og_wave *wave, struct og_race_wave *state,
                         const struct og_inst *inst) {
  unsigned which = invalidates(inst);
  if (inst->row == OG_ROW_S_DCACHE_INV || inst->row == OG_ROW_S_DCACHE_INV_VOL ||
      which & FAR) { /* on gfx12 this one covers all caches */
    og_race_settle(wave, state);
    state->scalar_clock = state->clock[OG_RACE_GLOBAL];
  }
  if (which)
    invalidate(watch, wave, which);
}

/* ---- passing knowledge from wave to wave ------------------------------------------------------------------------- */

static bool knows_more(const struct og_race_snapshot *snapshot, const struct og_race_wave *state) {
  bool more = false;
  for (unsigned k = 0; k < OG_RACE_KINDS; k++)
    for (uint32_t i = 0; i < snapshot->waves; i++)
      more |= snapshot->known[k][i] > state->known[k][i];
  return more;
}

bool og_race_acquire(struct og_watch *watch, const struct og_wave *wave, const struct og_race_event *event) {
  struct og_race_wave *state = og_race_catch_up(watch, wave);
  const struct og_race_snapshot *snapshot = event->snapshot;
  uint32_t group = wave->group->index;
  if (event->dispatch != (uint32_t)wave->group->dispatch->id || (event->group == group && event->wave == wave->id))
    return false;
  bool news = event->group == group && snapshot && knows_more(snapshot, state);
  if (news) {
    for (unsigned k = 0; k < OG_RACE_KINDS; k++)
      og_clock_join(state->known[k], snapshot->known[k], snapshot->waves);
    state->apart = true;
    if (!is_spread(watch))
      see_all(wave, state);
  }
  for (uint32_t i = 0; snapshot && event->group != group && i < snapshot->waves; i++)
    if (snapshot->known[OG_RACE_GLOBAL][i])
      news |= add_foreign(watch, &state->foreign,
                          &(struct og_race_foreign){event->group, i, snapshot->known[OG_RACE_GLOBAL][i], 0});
  for (uint32_t i = 0; snapshot && i < snapshot->foreign_count; i++)
    if (snapshot->foreign[i].group != group) {
      struct og_race_foreign one = snapshot->foreign[i];
      one.seen = 0;
      news |= add_foreign(watch, &state->foreign, &one);
    }
  state->snapshot = news ? NULL : state->snapshot;
  return news;
}

const struct og_race_snapshot *og_race_snapshot(struct og_watch *watch, const struct og_wave *wave) {
  struct og_race_wave *state = og_race_catch_up(watch, wave);
  og_race_settle(wave, state);
  for (unsigned k = 0; k < OG_RACE_KINDS; k++)
    if (state->known[k][wave->id] != state->clock[k] - 1) {
      state->known[k][wave->id] = state->clock[k] - 1;
      state->snapshot = NULL;
    }
  if (state->snapshot)
    return state->snapshot;
  uint32_t waves = OG_MIN(wave->group->wave_count, (uint32_t)OG_RACE_WAVES);
  size_t foreign = state->foreign.count * sizeof *state->foreign.items, clocks = waves * sizeof *state->known[0];
  if (!watch->snapshots)
    watch->snapshots = og_arena_new();
  struct og_race_snapshot *snapshot =
      og_arena_alloc(watch->snapshots, sizeof *snapshot + foreign + OG_RACE_KINDS * clocks);
  snapshot->group = wave->group->index;
  snapshot->waves = waves;
  snapshot->foreign_count = state->foreign.count;
  uint32_t *known = (uint32_t *)&snapshot->foreign[state->foreign.count];
  for (unsigned k = 0; k < OG_RACE_KINDS; k++)
    snapshot->known[k] = og_check_copy(known + k * waves, state->known[k], clocks);
  if (foreign)
    og_check_copy(snapshot->foreign, state->foreign.items, foreign);
  return state->snapshot = snapshot;
}

bool og_race_ordered(struct og_watch *watch, const struct og_wave *wave, const struct og_race_event *event,
                     unsigned kind, bool reads) {
  const struct og_race_wave *state = og_race_catch_up(watch, wave);
  if (event->dispatch != (uint32_t)wave->group->dispatch->id)
    return true;
  if (event->group == wave->group->index) {
    const uint32_t *clocks = kind == OG_RACE_GLOBAL && reads ? state->seen : state->known[kind];
    return event->wave == wave->id || event->clock <= clocks[event->wave % OG_RACE_WAVES];
  }
  for (uint32_t i = 0; i < state->foreign.count; i++) {
    const struct og_race_foreign *one = &state->foreign.items[i];
    if (one->group == event->group && one->wave == event->wave)
      return event->clock <= one->clock && (!reads || (one->seen & state->far) == state->far);
  }
  return false;
}

/* From gfx10 on there is a second cache on the way, which must be invalidated as well. */
void og_race_order_begin(struct og_watch *watch, struct og_race_wave *state) {
  state->far = watch->isa->gfx10 || is_spread(watch) ? NEAR | FAR : FAR;
  state->clock[OG_RACE_LDS] = state->clock[OG_RACE_GLOBAL] = 1;
}

/* ---- global wave sync -------------------------------------------------------------------------------------------- */

static void lock_gws(struct og_races *races) {
  while (__atomic_test_and_set(&races->gws_lock, __ATOMIC_ACQUIRE))
    continue;
}

static void publish(struct og_watch *watch, const struct og_wave *wave) {
  struct og_races *races = watch->races;
  struct og_race_event mine = {.group = wave->group->index,
                               .wave = (uint8_t)wave->id,
                               .dispatch = (uint32_t)wave->group->dispatch->id,
                               .snapshot = og_race_snapshot(watch, wave)};
  uint32_t i = 0;
  lock_gws(races);
  while (i < races->gws_count && (races->gws[i].group != mine.group || races->gws[i].wave != mine.wave))
    i++;
  if (i == races->gws_capacity) {
    races->gws_capacity = races->gws_capacity ? 2 * races->gws_capacity : 64;
    races->gws = og_checked_realloc(races->gws, races->gws_capacity * sizeof *races->gws);
  }
  races->gws[i] = mine;
  races->gws_count = OG_MAX(races->gws_count, i + 1);
  __atomic_clear(&races->gws_lock, __ATOMIC_RELEASE);
}

/* If all invalidate their caches before they arrive, the caches stay empty until the barrier opens; HIP's grids rely on
 * that. One wave arrives for its work-group, while the others wait at the work-group's barrier (learn()). */
static void learn_published(struct og_watch *watch, const struct og_wave *wave) {
  struct og_race_wave *state = og_check_wave(wave)->race;
  lock_gws(watch->races);
  for (uint32_t i = 0; i < watch->races->gws_count; i++)
    og_race_acquire(watch, wave, &watch->races->gws[i]);
  __atomic_clear(&watch->races->gws_lock, __ATOMIC_RELEASE);
  have_seen(state, state->invalidated);
  state->passed_gws = true;
}

/* All waves at a barrier publish what they know before any goes on. A wave that must wait comes here again. */
static void order_gws(struct og_watch *watch, struct og_wave *wave, const struct og_inst *inst) {
  bool takes = inst->row == OG_ROW_DS_GWS_BARRIER || inst->row == OG_ROW_DS_GWS_SEMA_P;
  if (inst->row != OG_ROW_DS_GWS_SEMA_P)
    publish(watch, wave);
  og_check_wave(wave)->race->waits_gws = takes;
}

static bool is_gws(const struct og_inst *inst) {
  switch (inst->row) {
  case OG_ROW_DS_GWS_BARRIER:
  case OG_ROW_DS_GWS_SEMA_P:
  case OG_ROW_DS_GWS_SEMA_V:
  case OG_ROW_DS_GWS_SEMA_BR:
  case OG_ROW_DS_GWS_SEMA_RELEASE_ALL: return true;
  default: return false;
  }
}

/* The barrier of all work-groups of a cluster: -3; that of trap handlers is -4. Both order accesses as global wave sync
 * does. */
static bool is_of_cluster(const struct og_inst *inst) {
  bool barrier = inst->row == OG_ROW_S_BARRIER_SIGNAL || inst->row == OG_ROW_S_BARRIER_SIGNAL_ISFIRST ||
                 inst->row == OG_ROW_S_BARRIER_WAIT;
  return barrier && inst->operand_count && inst->operands[0].kind != OG_OPERAND_SPECIAL &&
         (int16_t)inst->operands[0].value <= -3;
}

bool og_check_orders(const struct og_inst *inst, bool waits) {
  switch (inst->row) {
  case OG_ROW_S_BARRIER:
  case OG_ROW_S_BARRIER_SIGNAL:
  case OG_ROW_S_BARRIER_SIGNAL_ISFIRST:
  case OG_ROW_S_BARRIER_WAIT:
  case OG_ROW_S_DCACHE_INV:
  case OG_ROW_S_DCACHE_INV_VOL: return true;
  default: return waits || invalidates(inst) || is_gws(inst);
  }
}

/* Does the work of learn() for a wave that stood at the work-group's barrier, if nothing about other work-groups is
 * known there. */
static inline bool goes_on(struct og_watch *watch, struct og_wave *wave) {
  struct og_race_wave *state = og_check_wave(wave)->race;
  struct og_race_group *race = og_check_wave(wave)->group->race;
  const struct og_race_barrier *at = &race->barriers[0][state->arrivals[0] & 1];
  if (state->waits_for != 1 || at->foreign.count || at->gws)
    return false;
  if (race->passed != state->arrivals[0]) {
    race->passed = state->arrivals[0];
    og_race_flush(watch, race, true);
  }
  state->passed = state->arrivals[0];
  state->arrived = false;
  state->waits_for = 0;
  return true;
}

void og_check_races_learn(struct og_watch *watch, struct og_wave *wave) {
  struct og_race_wave *state = og_check_wave(wave)->race;
  if (!goes_on(watch, wave) && state->waits_for)
    learn(watch, wave);
  if (state->waits_gws)
    learn_published(watch, wave);
  state->waits_gws = false;
  og_check_wave(wave)->learns = false;
}

/* With a barrier in two halves, some waves may already wait for the next opening. */
static bool are_together(const struct og_group *group) {
  uint32_t number = 0;
  for (uint32_t i = 0; i < group->wave_count; i++) {
    const struct og_wave *wave = og_group_wave(group, i);
    if (wave->state != OG_WAVE_BARRIER)
      continue;
    uint32_t its = og_check_wave(wave)->race->arrivals[0];
    if (number && its != number)
      return false;
    number = its;
  }
  return true;
}

void og_check_races_open(struct og_watch *watch, struct og_group *group) {
  if (!are_together(group))
    return;
  for (uint32_t i = 0; i < group->wave_count; i++) {
    struct og_wave *wave = og_group_wave(group, i);
    struct og_check_wave *state = wave->state == OG_WAVE_BARRIER ? og_check_wave(wave) : NULL;
    if (state && state->learns && !state->race->waits_gws)
      state->learns = !goes_on(watch, wave);
  }
}

void og_race_stand(struct og_watch *watch, struct og_wave *wave) {
  struct og_check_wave *checked = og_check_wave(wave);
  struct og_race_wave *state = checked->race;
  struct og_race_group *race = checked->group->race;
  checked->learns = true;
  state->waits_for = 1;
  if (state->apart | (state->foreign.count != 0) | state->passed_gws) {
    arrive(watch, wave, 0);
    return;
  }
  /* What arrive() does, for a wave that knows only what all know, and nothing about other work-groups. */
  uint32_t phase = ++state->arrivals[0];
  struct og_race_barrier *at = &race->barriers[0][phase & 1];
  if (at->phase != phase)
    start_phase(at, &race->barriers[0][~phase & 1], phase, wave->group->wave_count);
  unsigned left = og_check_outstanding(checked);
  at->clocks[OG_RACE_LDS][wave->id] = performed(state, OG_RACE_LDS, !(left & OG_OUTSTANDING_LDS));
  at->clocks[OG_RACE_GLOBAL][wave->id] =
      performed(state, OG_RACE_GLOBAL, !(left & OG_OUTSTANDING_MEMORY) || !is_spread(watch));
  race->open |= state->touched[OG_RACE_LDS];
  state->arrived = true;
}

void og_race_order(struct og_watch *watch, struct og_wave *wave, const struct og_known *known) {
  struct og_race_wave *state = og_check_wave(wave)->race;
  if (known->waits)
    og_race_settle(wave, state);
  if (is_of_cluster(known->inst)) {
    if (known->barrier)
      publish(watch, wave);
    else
      state->waits_gws = true;
  } else if (known->barrier) {
    if (known->inst->row == OG_ROW_S_BARRIER)
      return og_race_stand(watch, wave);
    og_race_catch_up(watch, wave); /* before this wave goes on, others may come to the opening after the next one */
    arrive(watch, wave, barrier_of(wave, known->inst));
  } else if (known->inst->row == OG_ROW_S_BARRIER_WAIT) {
    state->waits_for = 1u << barrier_of(wave, known->inst);
  } else {
    order_caches(watch, wave, state, known->inst);
    if (is_gws(known->inst))
      order_gws(watch, wave, known->inst);
  }
  og_check_wave(wave)->learns = state->waits_for || state->waits_gws;
}
