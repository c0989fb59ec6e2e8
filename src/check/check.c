/* check.c - which checker observes which instructions; findings are merged, filtered and reported. */
#include "check/races.h"
#include "exec/program.h"
#include "isa/matrix.h"
#include "isa/rows.h"
#include "runtime/report.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *name; unsigned checker; } names[] = {
    {"waits", OG_CHECK_WAITS},   {"divergence", OG_CHECK_DIVERGENCE}, {"bounds", OG_CHECK_BOUNDS},
    {"uninit", OG_CHECK_UNINIT}, {"races", OG_CHECK_RACES},           {"hazards", OG_CHECK_HAZARDS},
    {"async", OG_CHECK_ASYNC},   {"numbers", OG_CHECK_NUMBERS},       {"all", OG_CHECK_ALL}};

struct allowed {
  const char *checker, *place;
};

struct og_check {
  struct og_arena *arena;
  const struct og_executable *executable;
  const struct og_kernel *kernel;
  unsigned checkers, threads;
  struct og_watch *watches;
  OG_VECTOR(struct allowed) allowed;
  OG_VECTOR(struct og_finding) findings;
  struct og_lds_objects objects;
};

unsigned og_check_names(const char *text, struct og_text *wrong) {
  unsigned out = 0;
  while (*text) {
    *wrong = (struct og_text){text, strcspn(text, ",")};
    unsigned one = 0;
    for (size_t i = 0; i < OG_COUNT(names); i++)
      if (og_text_is(*wrong, names[i].name))
        one = names[i].checker;
    if (!one)
      return 0;
    out |= one;
    text += wrong->size + (text[wrong->size] == ',');
  }
  return out;
}

unsigned og_check_matching(struct og_text pattern) {
  unsigned out = 0;
  char *text = strndup(pattern.data, pattern.size);
  for (size_t i = 0; text && i + 1 < OG_COUNT(names); i++)
    if (!fnmatch(text, names[i].name, 0))
      out |= names[i].checker;
  free(text);
  return out;
}

void og_check_list(struct og_buffer *out) {
  for (size_t i = 0; i + 1 < OG_COUNT(names); i++)
    og_buffer_printf(out, "%s%s", !i ? "" : i + 2 < OG_COUNT(names) ? ", " : " and ", names[i].name);
}

/* Checkers that follow values, and those that need the values of disabled lanes. */
enum { READLANE = OG_CHECK_UNINIT | OG_CHECK_DIVERGENCE };

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static bool is_barrier(const struct og_inst *inst) {
  return inst->row == OG_ROW_S_BARRIER || inst->row == OG_ROW_S_BARRIER_SIGNAL ||
         inst->row == OG_ROW_S_BARRIER_SIGNAL_ISFIRST;
}

static uint64_t marks_of(const struct og_touch *touches, unsigned count, bool held) {
  uint64_t marks = 0;
  for (unsigned i = 0; i < count; i++)
    for (unsigned k = 0; (!held || touches[i].writes || touches[i].held) && k < touches[i].count; k++)
      marks |= og_check_place_mark(touches[i].first + k);
  return marks;
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
  known->parks = inst->row == OG_ROW_S_MOV_B64 && inst->operands[0].kind == OG_OPERAND_SPECIAL &&
                 inst->operands[0].reg == OG_SPECIAL_EXEC_LO && (inst->operands[1].kind == OG_OPERAND_INLINE || inst->operands[1].kind == OG_OPERAND_LITERAL);
  known->returns = inst->row == OG_ROW_S_SETPC_B64 && inst->operands[0].kind == OG_OPERAND_SGPR && inst->operands[0].reg == 30;
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
  known->only_waits = known->waits && !known->barrier && !transfer.count && !known->plain &&
                      !og_check_orders(inst, false) && !known->calls && inst->row != OG_ROW_S_BARRIER_WAIT;
  known->names_lanes = og_check_names_lanes(inst);
  known->modes = effects->implicit_writes & OG_IMPLICIT_MODE && inst->row != OG_ROW_S_SET_VGPR_MSB;
  known->goes_on = !(form->row_flags & (OG_FLAG_BRANCH | OG_FLAG_CALL | OG_FLAG_RETURN | OG_FLAG_TERMINATOR | OG_FLAG_NO_FALLTHROUGH)) &&
                   !known->modes && inst->row != OG_ROW_S_SET_VGPR_MSB;
  memcpy(known->touches, touches, count * sizeof *touches);
  og_inst_hazards(watch->isa, inst, effects, &known->hazards);
  if (watch->checkers & (OG_CHECK_UNINIT | OG_CHECK_NUMBERS))
    og_check_uninit_flow(watch, known);
  if (watch->checkers & OG_CHECK_NUMBERS)
    og_check_numbers_flow(watch, known);
  known->counts_for_readlane = (watch->checkers & READLANE) == READLANE && og_check_readlane_counts(watch, known);
  known->swift = known->plain && !known->counts_for_readlane && known->memory->space == OG_IN_LDS &&
                 !known->memory->lds && !known->waits && !watch->isa->gfx1250 &&
                 known->memory->access != OG_MOVES_ATOMIC && transfer.count == 1 && transfer.raised[0].order &&
                 (watch->checkers & (OG_CHECK_ALL | OG_CHECK_NUMBERS)) == OG_CHECK_ALL;
  known->race_flags = og_check_race_flags(watch, known);
  known->acts = known->transfer.count || known->waits || known->calls || known->barrier || known->matrix ||
                known->plain || known->orders || known->names_lanes || known->parks || known->modes ||
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
    *glance = (struct og_glance){.known = known, .uninit = known->uninit, .marks = known->marks, .acts = known->acts || !known->inst,
                                 .hazard = watch->checkers & OG_CHECK_HAZARDS ? OG_REACH_UNKNOWN : OG_REACH_NOTHING};
    known->glance = glance;
  }
  return glance;
}

/* ---- watching ---------------------------------------------------------------------------------------------------- */

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
  if ((watch->checkers & READLANE) == READLANE)
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

/* The known instructions from this one on that follow one another and do nothing but compute. */
static void stretch(struct og_watch *watch, const struct og_program *program, struct og_glance *first) {
  const struct og_glance *all = watch->glances[program->msb], *last = first;
  first->uninit = first->known->uninit;
  first->marks = first->known->marks;
  first->quiet = 0;
  first->ends = true;
  while (last->known->goes_on && first->quiet < STRETCH_MOST) {
    const struct og_glance *next = last + last->known->inst->size / 4;
    if (next >= all + watch->words)
      return;
    first->ends = next->known && next->hazard != OG_REACH_UNKNOWN;
    if (!first->ends || next->acts || !next->known->inst || next->hazard != OG_REACH_NOTHING)
      return;
    first->quiet++;
    first->marks |= next->known->marks;
    first->uninit.vector |= next->known->uninit.vector;
    first->uninit.scalar[0] |= next->known->uninit.scalar[0];
    first->uninit.scalar[1] |= next->known->uninit.scalar[1];
    last = next;
  }
}

/* Under VGPR indexing the code does not show which registers are touched: from here on all are checked until it is off. */
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
static void look(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op, const struct og_known *known,
                 bool undefined, bool hazards) {
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
    if (checkers & OG_CHECK_BOUNDS && watch->frame_count && places->lanes[OG_SPACE_SCRATCH])
      og_check_frame(watch, wave, op, known, places);
    if (checkers & OG_CHECK_ASYNC && state->owns_lds && places->lanes[OG_SPACE_LDS])
      og_check_async(watch, wave, op, known, places);
  }
  if (known->described && checkers & OG_CHECK_BOUNDS)
    og_check_bounds_described(watch, wave, op, known);
  if (checkers & OG_CHECK_OUTSTANDING)
    og_check_waits(watch, wave, op, known);
  if (checkers & OG_CHECK_UNINIT && (undefined || known->returns || (places && og_check_uninit_memory(watch, wave, known, places))))
    og_check_uninit(watch, wave, op, known, places);
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

/* The most common case, for all checkers at once: lanes load or store defined values within LDS without a conflict. False: it
 * is another case, and nothing is done. */
static bool is_swift(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op, const struct og_known *known) {
  const struct og_check_wave *state = og_check_wave(wave);
  struct og_places *places = &watch->places;
  if (state->owns_lds || !og_exec(wave) || !og_check_lds_places(wave, op, places) ||
      (state->group->lds_dirty_count && og_check_uninit_reached(state, places)) ||
      !og_check_within(watch, wave, places) || !og_check_waits_swift(watch, wave, op, known))
    return false;
  if (wave->group->wave_count > 1) /* else its lanes go in order */
    og_race_put_off(watch, wave, op, known, places, og_check_race_flags_of(known, places->lanes[OG_SPACE_LDS]));
  return true;
}

/* A plain wait, for the checkers that follow outstanding operations. */
static bool is_mere_wait(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                         const struct og_known *known) {
  unsigned both = OG_CHECK_WAITS | OG_CHECK_RACES;
  if ((watch->checkers & (both | OG_CHECK_NUMBERS)) != both || og_check_wave(wave)->gone)
    return false;
  og_check_waits(watch, wave, op, known);
  og_check_races_waited(wave);
  return true;
}

/* An instruction that acts, or one of a stretch that may touch undefined or held registers. */
__attribute__((noinline)) static void closely(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                                              const struct og_known *known) {
  struct og_check_wave *state = og_check_wave(wave);
  if (__builtin_expect(state->indexes, 0) && !(wave->mode & OG_MODE_GPR_INDEX))
    unwatch_indexing(watch, state);
  if (state->learns)
    og_check_races_learn(watch, wave);
  bool hazards = (known->glance->hazard != OG_REACH_NOTHING) | state->hazards_open;
  bool undefined = og_check_common(&known->uninit, state->undefined), held = known->marks & state->held;
  if (known->swift && !(hazards | undefined | held) && is_swift(watch, wave, op, known))
    return;
  if (known->only_waits && !(hazards | undefined) && is_mere_wait(watch, wave, op, known))
    return;
  if ((known->acts | hazards | undefined | held) && known->inst)
    look(watch, wave, op, known, undefined, hazards);
}

/* The first time, or the following instructions were not known then. */
__attribute__((noinline)) static void first_time(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op) {
  struct og_glance *glance = (struct og_glance *)og_check_glance(watch, wave, op);
  if (!glance->ends && !glance->acts && glance->hazard == OG_REACH_NOTHING)
    stretch(watch, wave->program, glance);
  closely(watch, wave, op, glance->known);
}

static void instruction(void *context, struct og_wave *wave, const struct og_operation *op) {
  struct og_watch *watch = context;
  const struct og_check_wave *state = og_check_wave(wave);
  const struct og_glance *glance = watch->glances[wave->program->msb];
  if (__builtin_expect(!glance, 0)) {
    first_time(watch, wave, op);
    return;
  }
  glance += op - wave->program->operations;
  __builtin_prefetch(glance->known);
  if (glance->ends && !(state->hazards_open | state->learns) &&
      !((glance->marks & state->held) | og_check_common(&glance->uninit, state->undefined)))
    wave->quiet = glance->quiet;
  else if (__builtin_expect(!glance->acts && !glance->ends, 0))
    first_time(watch, wave, op);
  else
    closely(watch, wave, op, glance->known);
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
  if (watch->checkers & OG_CHECK_UNINIT && space == OG_SPACE_LDS && how & OG_ACCESS_WRITE)
    og_check_uninit_lds(wave, address, size);
  if (watch->checkers & OG_CHECK_RACES)
    og_check_races_access(watch, wave, op, known, space, how, lane, address, size);
}

static const struct og_observer *observer_of(void *context, unsigned thread) {
  const struct og_check *check = context;
  return &check->watches[OG_MIN(thread, check->threads - 1)].observer;
}

struct og_check *og_check_new(const struct og_executable *executable, const struct og_kernel *kernel, unsigned checkers,
                              unsigned threads) {
  struct og_arena *arena = og_arena_new();
  struct og_check *check = OG_NEW(arena, struct og_check);
  *check = (struct og_check){.arena = arena, .executable = executable, .kernel = kernel, .checkers = checkers, .objects = {.arena = arena}};
  check->threads = OG_MAX(threads, 1u);
  check->watches = og_check_lines(arena, check->threads * sizeof *check->watches);
  const struct og_program *program = og_executable_program(executable, kernel->start.wave_size);
  struct og_races *races = checkers & OG_CHECK_RACES ? og_races_new(arena) : NULL;
  for (unsigned i = 0; i < check->threads && program; i++) {
    struct og_watch *watch = &check->watches[i];
    watch->check = check;
    watch->arena = og_arena_new();
    watch->isa = og_isa_for(&program->target, &watch->own_isa);
    watch->checkers = checkers;
    watch->shared = check->threads > 1;
    watch->start = &kernel->start;
    watch->words = program->words;
    watch->arguments = kernel->kernarg_size;
    watch->listed = kernel->arg_count > 0;
    watch->observer = (struct og_observer){.context = watch, .begin = begin, .end = end, .instruction = instruction,
                                           .access = checkers & (OG_CHECK_RACES | OG_CHECK_UNINIT | OG_CHECK_BOUNDS) ? access : NULL,
                                           .whole = true};
    watch->races = races;
    if (checkers & OG_CHECK_BOUNDS)
      og_check_find_frame(watch, executable, kernel);
    if ((checkers & READLANE) == READLANE)
      og_check_readlane_list(watch, program);
    for (unsigned c = 0; c < OG_COUNTERS; c++)
      watch->most[c] = (uint8_t)og_counter_most(watch->isa, c);
    watch->mode.split = kernel->start.tg_split;
    watch->mode.unordered =
        watch->isa->gfx10 && !og_kd_get(&program->target, kernel->descriptor, OG_KD_MEM_ORDERED);
  }
  return check;
}

void og_check_watch(struct og_check *check, struct og_run_options *options) {
  options->observer_of = observer_of;
  options->observer_context = check;
}

void og_check_may_return(struct og_check *check) {
  for (unsigned i = 0; i < check->threads; i++)
    check->watches[i].may_return = true;
}

static void share_objects(struct og_check *check) {
  for (unsigned i = 0; i < check->threads; i++)
    check->watches[i].objects = check->objects.list.items, check->watches[i].object_count = check->objects.list.count;
}

bool og_check_lds_object_text(struct og_check *check, const char *text) {
  bool fine = og_lds_objects_add_text(&check->objects, text);
  share_objects(check);
  return fine;
}

void og_check_lds_objects(struct og_check *check, const struct og_argument *arguments, uint32_t count, const void *kernarg,
                          uint32_t group_bytes, uint32_t extra) {
  if (!check->objects.named)
    og_lds_objects_add_told(&check->objects, check->executable, check->kernel);
  og_lds_objects_add_arguments(&check->objects, check->kernel, arguments, count, kernarg, group_bytes, extra);
  share_objects(check);
}

void og_check_told_lds(struct og_check *check, uint32_t group_bytes) {
  uint32_t own = check->kernel->group_size;
  og_lds_objects_add_told(&check->objects, check->executable, check->kernel);
  if (check->objects.named)
    og_check_lds_objects(check, NULL, 0, NULL, group_bytes, group_bytes > own ? group_bytes - own : 0);
}

void og_check_fresh_memory(struct og_check *check) {
  for (unsigned i = 0; i < check->threads; i++)
    check->watches[i].fresh = true;
}

void og_check_free(struct og_check *check) {
  if (!check)
    return;
  og_races_free(check->watches[0].races);
  for (unsigned i = 0; i < check->threads; i++)
    og_arena_free(check->watches[i].arena);
  og_arena_free(check->arena);
}

/* ---- findings ---------------------------------------------------------------------------------------------------- */

static bool is_same(const struct og_finding *a, unsigned checker, uint64_t pc, uint64_t other) {
  return a->checker == checker && a->pc == pc && a->other == other;
}

struct og_finding *og_check_find(struct og_watch *watch, enum og_checker checker, const struct og_wave *wave,
                                 uint64_t pc, uint64_t other, int lane) {
  for (uint32_t i = 0; i < watch->findings.count; i++)
    if (is_same(&watch->findings.items[i], checker, pc, other)) {
      watch->findings.items[i].count++;
      return &watch->findings.items[i];
    }
  struct og_finding *finding = OG_PUSH(watch->arena, &watch->findings);
  *finding = (struct og_finding){.checker = (uint16_t)checker, .pc = pc, .other = other, .wave = wave->id, .lane = lane,
                                 .advice = "", .count = 1};
  memcpy(finding->group, wave->group->id, sizeof finding->group);
  return finding;
}

bool og_check_fault(struct og_check *check, const struct og_fault *fault) {
  if (fault->kind != OG_FAULT_MEMORY || !(check->checkers & OG_CHECK_BOUNDS) || !fault->pc || !fault->has_wave)
    return false;
  const char *lane = strstr(fault->what, "by lane "), *arguments = "";
  for (unsigned i = 0; i < check->threads && !*arguments; i++)
    arguments = og_check_arguments_fault(&check->watches[i], fault);
  *OG_PUSH(check->watches[0].arena, &check->watches[0].findings) =
      (struct og_finding){.checker = OG_CHECK_BOUNDS, .pc = fault->pc, .wave = fault->wave, .advice = "", .count = 1,
                          .group = {fault->group[0], fault->group[1], fault->group[2]},
                          .address = fault->address, .has_address = fault->has_address,
                          .lane = lane ? atoi(lane + strlen("by lane ")) : -1,
                          .does = og_arena_printf(check->arena, "faults: %s%s (address 0x%llx)", fault->what, arguments,
                                                  (unsigned long long)fault->address)};
  return true;
}

static bool no_such_checker(const char *file, unsigned line, const char *checker, struct og_diagnostics *diagnostics) {
  struct og_buffer list = {0};
  og_check_list(&list);
  og_error_in(diagnostics, file, "line %u: '%s' is no checker of AMD kernels; there are %.*s", line, checker,
              (int)list.size, (const char *)list.data);
  og_buffer_free(&list);
  return false;
}

bool og_check_allow(struct og_check *check, const char *file, struct og_text text, struct og_diagnostics *diagnostics) {
  char *copy = og_arena_copy(check->arena, text.data, text.size), *rest = copy;
  unsigned number = 0;
  for (char *line; (line = strsep(&rest, "\n"));) {
    char *words = NULL, *checker = strtok_r(line, " \t\r", &words), *place = strtok_r(NULL, " \t\r", &words);
    number++;
    if (!checker || *checker == '#')
      continue;
    if (!place || *place == '#')
      return og_error_in(diagnostics, file, "line %u: a checker and a place are expected, as in 'waits k+0x40'", number);
    if (!og_check_matching((struct og_text){checker, strlen(checker)}))
      return no_such_checker(file, number, checker, diagnostics);
    *OG_PUSH(check->arena, &check->allowed) = (struct allowed){checker, place};
  }
  return true;
}

static const char *name_of(unsigned checker) {
  for (size_t i = 0; i < OG_COUNT(names); i++)
    if (names[i].checker == checker)
      return names[i].name;
  return "";
}

static bool is_named(const struct og_check *check, const struct og_finding *finding, const struct allowed *names,
                     uint32_t count) {
  struct og_buffer place = {0};
  bool named = false;
  og_executable_locate(check->executable, finding->pc, &place);
  og_buffer_u8(&place, 0);
  for (uint32_t i = 0; i < count && !named; i++)
    named = !fnmatch(names[i].checker, name_of(finding->checker), 0) &&
            !fnmatch(names[i].place, (const char *)place.data, 0);
  og_buffer_free(&place);
  return named;
}

static bool is_allowed(const struct og_check *check, const struct og_finding *finding) {
  return is_named(check, finding, check->allowed.items, check->allowed.count);
}

/* All threads' findings, each once. */
static void collect(struct og_check *check) {
  check->findings.count = 0;
  for (unsigned t = 0; t < check->threads; t++)
    for (uint32_t i = 0; i < check->watches[t].findings.count; i++) {
      const struct og_finding *one = &check->watches[t].findings.items[i];
      uint32_t k = 0;
      while (k < check->findings.count && !is_same(&check->findings.items[k], one->checker, one->pc, one->other))
        k++;
      if (k < check->findings.count)
        check->findings.items[k].count += one->count;
      else if (!is_allowed(check, one))
        *OG_PUSH(check->arena, &check->findings) = *one;
    }
}

uint32_t og_check_findings(struct og_check *check, const char *which, uint64_t numbers[], uint32_t most) {
  uint32_t count = 0;
  struct allowed named = {"*", "*"};
  char *copy = which ? og_arena_copy(check->arena, which, strlen(which)) : NULL, *rest = copy;
  if (copy) {
    named.checker = strsep(&rest, " ");
    named.place = rest ? rest : "*";
  }
  collect(check);
  for (uint32_t i = 0; i < check->findings.count && count < most; i++) {
    const struct og_finding *finding = &check->findings.items[i];
    uint64_t start = check->executable->start, pc = finding->pc - start;
    uint64_t other = finding->other ? finding->other - start : 0;
    if (is_named(check, finding, &named, 1))
      numbers[count++] = ((finding->checker * 0x9e3779b97f4a7c15u ^ pc) * 0xc4ceb9fe1a85ec53u ^ other) | 1;
  }
  return count;
}

static void place(const struct og_check *check, uint64_t pc, struct og_buffer *out) {
  og_print_place(check->executable, check->kernel->start.wave_size, pc, out);
  for (size_t i = 0; i < out->size; i++)
    out->data[i] = out->data[i] == '\t' ? ' ' : out->data[i];
}

const struct og_watch *og_check_first_watch(const struct og_check *check) {
  return check->watches[0].words ? &check->watches[0] : NULL;
}

const char *og_check_kernel_name(const struct og_check *check) { return check->kernel->name; }

void og_check_place(const struct og_check *check, uint32_t word, struct og_buffer *out) {
  const struct og_program *program = og_executable_program(check->executable, check->kernel->start.wave_size);
  place(check, og_pc(program, program->operations + word), out);
}

static void describe(const struct og_check *check, const struct og_finding *finding, struct og_buffer *out) {
  place(check, finding->pc, out);
  og_buffer_printf(out, " %s", finding->does);
  if (finding->other) {
    og_buffer_text(out, " while ");
    place(check, finding->other, out);
    og_buffer_printf(out, " %s", finding->while_);
  }
  og_buffer_printf(out, "%s (work-group %u,%u,%u, wave %u", finding->advice, finding->group[0], finding->group[1],
                   finding->group[2], finding->wave);
  if (finding->lane >= 0)
    og_buffer_printf(out, ", lane %d", finding->lane);
  if (finding->count > 1)
    og_buffer_printf(out, "; %llu times", (unsigned long long)finding->count);
  og_buffer_text(out, ")");
}

/* "place", "pc" and "instruction" of one of the two parties; the other party's keys begin with "other_". */
static void party_json(const struct og_check *check, const char *whose, uint64_t pc, struct og_buffer *out) {
  struct og_buffer text = {0};
  og_executable_locate(check->executable, pc, &text);
  og_buffer_printf(out, ",\"%splace\":", whose);
  og_buffer_json(out, (const char *)text.data, text.size);
  og_buffer_printf(out, ",\"%spc\":%llu", whose, (unsigned long long)(pc - check->executable->start));
  text.size = 0;
  if (og_print_instruction(check->executable, check->kernel->start.wave_size, pc, &text)) {
    for (size_t i = 0; i < text.size; i++)
      text.data[i] = text.data[i] == '\t' ? ' ' : text.data[i];
    og_buffer_printf(out, ",\"%sinstruction\":", whose);
    og_buffer_json(out, (const char *)text.data, text.size);
  }
  og_buffer_free(&text);
}

static void describe_json(const struct og_check *check, const struct og_finding *finding, const struct og_buffer *text,
                          struct og_buffer *out) {
  og_buffer_printf(out, "{\"checker\":\"%s\",\"kernel\":", name_of(finding->checker));
  og_buffer_json(out, check->kernel->name, strlen(check->kernel->name));
  og_buffer_text(out, ",\"message\":");
  og_buffer_json(out, (const char *)text->data, text->size);
  party_json(check, "", finding->pc, out);
  if (finding->other)
    party_json(check, "other_", finding->other, out);
  if (finding->other_wave_known)
    og_buffer_printf(out, ",\"other_group_number\":%u,\"other_wave\":%u", finding->other_group, finding->other_wave);
  if (finding->has_address)
    og_buffer_printf(out, ",\"address\":%llu", (unsigned long long)finding->address);
  og_buffer_printf(out, ",\"group\":[%u,%u,%u],\"wave\":%u", finding->group[0], finding->group[1], finding->group[2],
                   finding->wave);
  if (finding->lane >= 0)
    og_buffer_printf(out, ",\"lane\":%d", finding->lane);
  og_buffer_printf(out, ",\"count\":%llu}", (unsigned long long)finding->count);
}

size_t og_check_tell(struct og_check *check, struct og_diagnostics *diagnostics, struct og_buffer *json) {
  collect(check);
  if (json)
    og_buffer_text(json, "{\"findings\":[");
  for (uint32_t i = 0; i < check->findings.count; i++) {
    const struct og_finding *finding = &check->findings.items[i];
    struct og_buffer text = {0};
    describe(check, finding, &text);
    og_error_in(diagnostics, check->executable->code->elf->name, "kernel '%s': %.*s [%s]", check->kernel->name,
                (int)text.size, (const char *)text.data, name_of(finding->checker));
    if (json) {
      og_buffer_text(json, i ? "," : "");
      describe_json(check, finding, &text, json);
    }
    og_buffer_free(&text);
  }
  if (json)
    og_buffer_text(json, "]}\n");
  return check->findings.count;
}
