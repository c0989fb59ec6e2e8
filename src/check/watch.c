/* watch.c - which checker looks at which instructions of a wave, from its beginning to its end. */
#include "check/races.h"
#include "exec/program.h"

#include <string.h>

/* The work-group's state, which its first wave makes. */
static struct og_check_group *group_of(struct og_watch *watch, const struct og_wave *wave) {
  if (wave->id > 0)
    return og_check_wave(og_group_wave(wave->group, 0))->group;
  struct og_check_group *group = watch->spare_group;
  if (group)
    watch->spare_group = group->next;
  else
    group = OG_NEW(watch->arena, struct og_check_group);
  group->users = wave->group->wave_count;
  group->parked = false;
  memset(group->arrivals, 0, sizeof group->arrivals);
  return group;
}

static const struct og_check_marks nothing_undefined;

static void begin(void *context, struct og_wave *wave) {
  struct og_watch *watch = context;
  struct og_check_wave *state = watch->spare;
  if (state)
    watch->spare = state->next;
  else
    state = OG_NEW(watch->arena, struct og_check_wave);
  if (!state->bases)
    state->bases = og_check_lines(watch->arena, OG_LDS_BASES * sizeof *state->bases);
  for (unsigned i = 0; i < OG_LDS_BASES; i++)
    state->bases[i].lanes = 0;
  state->group = group_of(watch, wave);
  wave->watched = state;
  state->undefined = &nothing_undefined;
  state->held = 0;
  state->arrivals = 0;
  state->items = og_check_items_of(wave);
  if (state->calls)
    state->calls->count = 0;
  state->stored = 0;
  state->parked = state->gone = 0;
  state->learns = state->indexes = false;
  if (watch->checkers & OG_CHECK_HAZARDS)
    og_check_hazards_begin(watch, state);
  if (watch->checkers & OG_CHECK_BOUNDS && wave->id == 0)
    og_check_arguments_begin(watch, wave);
  if (watch->checkers & OG_CHECK_OUTSTANDING)
    og_check_waits_begin(watch, state);
  if (watch->checkers & OG_CHECK_RACES)
    og_check_races_begin(watch, wave, state);
  if (watch->checkers & OG_CHECK_UNINIT)
    og_check_uninit_begin(watch, wave, state);
  if ((watch->checkers & OG_CHECK_LANES_KEPT) == OG_CHECK_LANES_KEPT)
    og_check_readlane_begin(watch, state);
  if (watch->checkers & OG_CHECK_NUMBERS)
    og_check_numbers_begin(watch, state);
}

static void end(void *context, struct og_wave *wave) {
  struct og_watch *watch = context;
  struct og_check_wave *state = wave->watched;
  if (watch->checkers & OG_CHECK_DIVERGENCE)
    og_check_divergence_end(watch, wave);
  if (--state->group->users == 0) {
    if (watch->checkers & OG_CHECK_RACES)
      og_check_races_end(watch, state->group);
    state->group->next = watch->spare_group;
    watch->spare_group = state->group;
  }
  state->next = watch->spare;
  watch->spare = state;
}

enum { STRETCH_MOST = 64 };

/* The stretch that begins here: known instructions that directly follow one another and only compute. */
static void stretch(struct og_watch *watch, const struct og_program *program, struct og_glance *first) {
  const struct og_glance *all = watch->glances[program->msb], *last = first;
  first->uninit = first->known->uninit;
  first->marks = first->known->marks;
  first->quiet = 0;
  first->ends = true;
  first->then_waits = false;
  og_check_uninit_stretch(watch, first->known, first->known);
  while (last->known->goes_on && first->quiet < STRETCH_MOST) {
    const struct og_glance *next = last + last->known->inst->size / 4;
    if (next >= all + watch->words)
      return;
    first->ends = next->known && next->hazard != OG_REACH_UNKNOWN;
    if (!first->ends || next->acts || !next->known->inst || next->hazard != OG_REACH_NOTHING) {
      first->then_waits = first->ends && next->kind == OG_CHECK_WAIT && next->hazard == OG_REACH_NOTHING;
      return;
    }
    first->quiet++;
    og_check_uninit_stretch(watch, first->known, next->known);
    first->marks |= next->known->marks;
    first->uninit.vector |= next->known->uninit.vector;
    first->uninit.scalar[0] |= next->known->uninit.scalar[0];
    first->uninit.scalar[1] |= next->known->uninit.scalar[1];
    last = next;
  }
}

/* While VGPR indexing is on, the code does not show which registers are accessed: all are checked until it is off. */
static void watch_indexing(const struct og_watch *watch, struct og_wave *wave) {
  struct og_check_wave *state = og_check_wave(wave);
  state->indexes = true;
  if (watch->checkers & OG_CHECK_UNINIT)
    state->undefined = &og_everything_marked;
  if (watch->checkers & OG_CHECK_OUTSTANDING)
    state->held = UINT64_MAX;
}

static void unwatch_indexing(const struct og_watch *watch, struct og_check_wave *state) {
  state->indexes = false;
  if (watch->checkers & OG_CHECK_UNINIT)
    state->undefined = og_check_uninit_marks(state);
  if (watch->checkers & OG_CHECK_OUTSTANDING)
    og_check_waits_hold(state);
}

/* Runs the checkers on it. */
static void look(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                 const struct og_known *known, bool undefined, bool hazards) {
  const struct og_check_wave *state = og_check_wave(wave);
  unsigned checkers = watch->checkers;
  if (hazards && checkers & OG_CHECK_HAZARDS)
    og_check_hazards(watch, wave, op, known);
  if ((known->barrier || known->matrix) && checkers & OG_CHECK_DIVERGENCE)
    og_check_divergence(watch, wave, op, known);
  if (known->parks)
    og_check_parks(wave, known);
  if (__builtin_expect((state->gone & og_exec(wave)) != 0, 0))
    og_check_back(watch, wave);
  if (watch->may_return && known->memory && known->race_flags & OG_RACE_WRITES)
    og_check_stores(wave, op);
  struct og_places *places = NULL;
  if (known->plain && checkers & OG_CHECK_MEMORY && og_exec(wave)) {
    og_check_places(wave, op, &watch->places);
    places = &watch->places;
    if (checkers & OG_CHECK_BOUNDS && !og_check_within(watch, wave, places))
      og_check_bounds(watch, wave, op, known, places);
    if (checkers & OG_CHECK_BOUNDS && og_check_near_arguments(watch, wave, places))
      og_check_arguments(watch, wave, op, known, places);
    if (checkers & OG_CHECK_BOUNDS && (watch->frame_count || state->calls) && places->lanes[OG_SPACE_SCRATCH])
      og_check_frame(watch, wave, op, known, places);
    if (checkers & OG_CHECK_ASYNC && state->owns_lds && places->lanes[OG_SPACE_LDS])
      og_check_async(watch, wave, op, known, places);
  }
  if (known->calls && checkers & OG_CHECK_BOUNDS)
    og_check_calls(watch, wave, op, known);
  if (known->described && checkers & OG_CHECK_BOUNDS)
    og_check_bounds_described(watch, wave, op, known);
  if (checkers & OG_CHECK_OUTSTANDING)
    og_check_waits(watch, wave, op, known);
  if (checkers & OG_CHECK_UNINIT) {
    bool memory = known->returns || (places && og_check_uninit_memory(watch, wave, known, places));
    if (memory || (undefined && !og_check_uninit_define(wave, known)))
      og_check_uninit(watch, wave, op, known, places);
  }
  if (known->counts_for_readlane)
    og_check_readlane(wave, op, known, places);
  if (known->modes)
    watch_indexing(watch, wave);
  if (known->names_lanes && checkers & OG_CHECK_UNINIT && checkers & OG_CHECK_DIVERGENCE)
    og_check_lanes_read(watch, wave, op, known);
  if (checkers & OG_CHECK_NUMBERS)
    og_check_numbers(watch, wave, op, known, places);
  if (checkers & OG_CHECK_RACES && (places || known->orders))
    og_check_races(watch, wave, op, known, places);
}

/* The most common case for all checkers at once: lanes load defined values from LDS or store them there, without a
 * conflict. False: it is another case, and nothing was done. */
static bool is_swift(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                     const struct og_known *known) {
  const struct og_check_wave *state = og_check_wave(wave);
  struct og_places *places = &watch->places;
  if (state->owns_lds || !og_exec(wave) || !og_check_lds_places(wave, op, places) ||
      !og_check_within(watch, wave, places) ||
      (state->group->lds_dirty_count && og_check_uninit_reached(state, places) &&
       (known->memory->access == OG_MOVES_LOAD || !og_check_uninit_store(wave, places))) ||
      !og_check_waits_swift(watch, wave, op, known))
    return false;
  if (wave->group->wave_count > 1) /* in a single wave, lanes are performed in order */
    og_race_put_off(watch, wave, op, known, places, og_check_race_flags_of(known, places->lanes[OG_SPACE_LDS]));
  return true;
}

/* An instruction that acts, or one of a stretch that may access undefined registers, or those of outstanding
 * operations. */
__attribute__((noinline)) static void closely(struct og_watch *watch, struct og_wave *wave,
                                              const struct og_operation *op, const struct og_known *known) {
  struct og_check_wave *state = og_check_wave(wave);
  if (__builtin_expect(state->indexes, 0) && !(wave->mode & OG_MODE_GPR_INDEX))
    unwatch_indexing(watch, state);
  bool hazards = (known->glance->hazard != OG_REACH_NOTHING) | state->hazards_open;
  bool undefined = og_check_common(&known->uninit, state->undefined), held = known->marks & state->held;
  if (undefined && !(known->acts | hazards | held) && og_check_uninit_define(wave, known))
    return;
  if (hazards && known->inst && !(known->acts | undefined | held | (state->gone != 0)))
    return og_check_hazards(watch, wave, op, known);
  if ((known->acts | hazards | undefined | held) && known->inst)
    look(watch, wave, op, known, undefined, hazards);
}

/* Whether no checker needs to look at what comes next. */
static inline bool is_free(const struct og_check_wave *state, const struct og_glance *glance) {
  return !(state->hazards_open | state->indexes) && glance->hazard == OG_REACH_NOTHING &&
         !(glance->marks & state->held) && !state->gone;
}

static inline bool waits_for_nothing(const struct og_check_wave *state) {
  return !(state->lives->count | state->race->touched[OG_RACE_LDS] | state->race->touched[OG_RACE_GLOBAL]) &&
         !state->gone;
}

__attribute__((noinline)) static void waits(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                                            const struct og_known *known) {
  const struct og_check_wave *state = og_check_wave(wave);
  if (!is_free(state, known->glance)) {
    closely(watch, wave, op, known);
    return;
  }
  if (state->lives->count)
    og_check_waits_waited(watch, wave, op, known);
  og_race_waited(wave);
}

__attribute__((noinline)) static void stands(struct og_watch *watch, struct og_wave *wave,
                                             const struct og_operation *op, const struct og_known *known) {
  const struct og_check_wave *state = og_check_wave(wave);
  if (!is_free(state, known->glance)) {
    closely(watch, wave, op, known);
    return;
  }
  if (!og_check_comes_along(wave, op))
    og_check_divergence(watch, wave, op, known);
  og_race_stand(watch, wave);
}

__attribute__((noinline)) static void moves(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                                            const struct og_known *known) {
  const struct og_check_wave *state = og_check_wave(wave);
  if (!is_free(state, known->glance) || og_check_common(&known->needs, state->undefined) ||
      !is_swift(watch, wave, op, known))
    closely(watch, wave, op, known);
  else if (og_check_common(&known->uninit, state->undefined))
    og_check_uninit_define(wave, known);
}

/* A stretch that writes undefined registers, and perhaps only defines them. */
__attribute__((noinline)) static void defines(struct og_watch *watch, struct og_wave *wave,
                                              const struct og_operation *op, const struct og_glance *glance) {
  if (og_check_can_define(glance->known, og_check_wave(wave)) && og_check_uninit_define_all(wave, glance->known))
    wave->quiet = glance->quiet;
  else
    closely(watch, wave, op, glance->known);
}

/* An instruction that runs for the first time, or whose successors were not known then. */
__attribute__((noinline)) static void first_time(struct og_watch *watch, struct og_wave *wave,
                                                 const struct og_operation *op) {
  struct og_glance *glance = (struct og_glance *)og_check_glance(watch, wave, op);
  if (!glance->ends && !glance->acts && glance->hazard == OG_REACH_NOTHING)
    stretch(watch, wave->program, glance);
  closely(watch, wave, op, glance->known);
}

static void instruction(void *context, struct og_wave *wave, const struct og_operation *op);

__attribute__((noinline)) static void learns(struct og_watch *watch, struct og_wave *wave,
                                             const struct og_operation *op) {
  og_check_races_learn(watch, wave);
  instruction(watch, wave, op);
}

/* Its calls are all at the end, so that no registers must be saved. */
static void instruction(void *context, struct og_wave *wave, const struct og_operation *op) {
  struct og_watch *watch = context;
  const struct og_check_wave *state = og_check_wave(wave);
  const struct og_glance *glance = watch->glances[wave->program->msb];
  if (__builtin_expect(!glance, 0))
    return first_time(watch, wave, op);
  if (state->learns)
    return learns(watch, wave, op);
  glance += op - wave->program->operations;
  switch ((enum og_check_kind)glance->kind) {
  case OG_CHECK_WAIT: return waits(watch, wave, op, glance->known);
  case OG_CHECK_STAND: return stands(watch, wave, op, glance->known);
  case OG_CHECK_SWIFT: return moves(watch, wave, op, glance->known);
  case OG_CHECK_OTHER: return closely(watch, wave, op, glance->known);
  case OG_CHECK_QUIET: break;
  }
  if (__builtin_expect(!glance->ends, 0))
    first_time(watch, wave, op);
  else if (state->hazards_open || glance->marks & state->held)
    closely(watch, wave, op, glance->known);
  else if (og_check_common(&glance->uninit, state->undefined))
    defines(watch, wave, op, glance);
  else
    wave->quiet = glance->quiet + (glance->then_waits && waits_for_nothing(state));
}

static void access(void *context, struct og_wave *wave, const struct og_operation *op, enum og_space space, int how,
                   unsigned lane, uint64_t address, unsigned size) {
  struct og_watch *watch = context;
  const struct og_known *known = og_check_known(watch, wave, op);
  bool between = known->inst && known->memory->lds && space == OG_SPACE_LDS; /* the side that is not plain */
  if (!known->inst || (known->plain && !between))
    return;
  if (space == OG_SPACE_SCALAR && how == OG_ACCESS_READ)
    og_check_scalar(watch, wave, op, known, address, size);
  if (space == OG_SPACE_LDS)
    og_check_beside(watch, wave, op, known, how, lane, address, size);
  if (watch->checkers & OG_CHECK_RACES)
    og_check_races_access(watch, wave, op, known, space, how, lane, address, size);
}

/* All waves of the group that have not ended stand there and will go on. */
static void opens(void *context, struct og_group *group) { og_check_races_open(context, group); }

void og_check_observe(struct og_watch *watch) {
  watch->observer = (struct og_observer){.context = watch, .begin = begin, .end = end, .instruction = instruction,
                                         .barrier = watch->checkers & OG_CHECK_RACES ? opens : NULL,
                                         .access = watch->checkers & OG_CHECK_MEMORY ? access : NULL,
                                         .whole = true};
}
