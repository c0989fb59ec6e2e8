/* observe.c - the dispatch's side: sees each instruction, and where it is to stop, waits until the user lets it go. */
#include "debug/internal.h"

#include <fenv.h>
#include <string.h>

#include "isa/rows.h"

/* ---- what is watched --------------------------------------------------------------------------------------------- */

static struct og_group *find_group(const struct og_debug *debug, uint32_t index) {
  for (uint32_t i = 0; i < debug->groups.count; i++)
    if (debug->groups.items[i]->index == index)
      return debug->groups.items[i];
  return NULL;
}

struct og_wave *og_debug_find_wave(const struct og_debug *debug, struct og_wave_name name) {
  struct og_group *group = find_group(debug, name.group);
  return group && name.wave < group->wave_count ? og_group_wave(group, name.wave) : NULL;
}

/* Moves its bytes; false: it is not there now. */
static bool move_watched(const struct og_debug *debug, const struct og_watched *what, uint8_t *out, const uint8_t *in) {
  bool global = !what->is_register && what->space == OG_SPACE_GLOBAL;
  struct og_wave *wave = og_debug_find_wave(debug, what->owner);
  if (!wave && global) {
    const struct og_memory_map *map = og_runtime_map(debug->target.runtime);
    return out ? og_map_read(map, what->address, out, what->size) : og_map_write(map, what->address, in, what->size);
  }
  if (!wave)
    return false;
  if (!what->is_register)
    return out ? og_wave_read(wave, what->space, what->lane, what->address, out, what->size)
               : og_wave_write(wave, what->space, what->lane, what->address, in, what->size);
  unsigned lanes = what->one_lane || what->reg.kind != OG_REGISTER_VECTOR ? 1 : what->size / 4u / what->reg.dwords;
  bool fine = true;
  for (unsigned dword = 0, at = 0; dword < what->reg.dwords; dword++)
    for (unsigned i = 0; i < lanes; i++, at += 4) {
      unsigned lane = what->one_lane ? what->lane : i;
      if (out)
        og_store32(out + at, og_register_get(wave, &what->reg, dword, lane));
      else
        fine = og_register_set(wave, &what->reg, dword, lane, og_load32(in + at)) && fine;
    }
  return fine;
}

bool og_watched_read(const struct og_debug *debug, const struct og_watched *what, uint8_t *bytes) {
  return move_watched(debug, what, bytes, NULL);
}

bool og_watched_write(const struct og_debug *debug, const struct og_watched *what, const void *bytes) {
  return move_watched(debug, what, NULL, bytes);
}

/* ---- standing still ---------------------------------------------------------------------------------------------- */

/* Hands control to the user, with the given wave selected, and waits to get it back. */
static void stand(struct og_debug *debug, struct og_wave *wave, struct og_wave_name focus, bool in_hook) {
  og_debug_forget_pause(debug);
  pthread_mutex_lock(&debug->lock);
  debug->focus = focus;
  debug->in_hook = in_hook;
  debug->hooked = og_wave_name(wave);
  debug->state = OG_DEBUG_STANDS;
  pthread_cond_broadcast(&debug->changed);
  while (debug->state == OG_DEBUG_STANDS)
    pthread_cond_wait(&debug->changed, &debug->lock);
  bool kill = debug->kill;
  pthread_mutex_unlock(&debug->lock);
  og_mode_changed(wave); /* the user may have changed it: in force in this thread */
  if (kill)
    og_answer(wave, OG_STOP_HERE);
}

/* Stops, or on the way back notes that it would. True: it stood. */
static bool stop(struct og_debug *debug, struct og_wave *wave, enum og_stop_kind kind, uint32_t number,
                 struct og_wave_name focus, bool in_hook) {
  struct og_debug_plan *plan = &debug->plan;
  if (plan->back) {
    uint64_t at = debug->position - (kind == OG_STOP_WATCHPOINT && debug->position > 0);
    if (at < plan->until) {
      plan->found = true;
      plan->found_at = at;
      plan->found_kind = kind;
      plan->found_number = number;
    }
    return false;
  }
  debug->stop = (struct og_stop){
      .kind = kind, .number = number, .old_pc = debug->last_pc, .focus_ended = debug->stop.focus_ended};
  stand(debug, wave, focus, in_hook);
  return true;
}

/* ---- breakpoints and watchpoints --------------------------------------------------------------------------------- */

/* Conditions are worked out as the host does, not as the wave's mode says. */
static bool holds(struct og_debug *debug, struct og_wave *wave, const char *condition) {
  fenv_t modes;
  if (!condition)
    return true;
  fegetenv(&modes);
  fesetenv(FE_DFL_ENV);
  bool fine = og_debug_holds(debug, wave, condition);
  fesetenv(&modes);
  return fine;
}

static bool is_at(const struct og_breakpoint *breakpoint, uint32_t word) {
  for (uint32_t i = 0; i < breakpoint->word_count; i++)
    if (breakpoint->words[i] == word)
      return breakpoint->number != 0 && breakpoint->enabled;
  return false;
}

static bool hits_breakpoint(struct og_debug *debug, struct og_wave *wave, const struct og_operation *op) {
  uint32_t word = (uint32_t)(op - wave->program->operations);
  for (uint32_t i = 0; word < debug->words && debug->marks[word] && i < debug->breakpoints.count; i++) {
    struct og_breakpoint *breakpoint = &debug->breakpoints.items[i];
    if (!is_at(breakpoint, word) || !holds(debug, wave, breakpoint->condition))
      continue;
    bool counts = !debug->plan.back;
    breakpoint->hits += counts;
    if (counts && breakpoint->hits <= breakpoint->ignore)
      continue;
    uint32_t number = breakpoint->number;
    if (counts && breakpoint->temporary)
      og_debug_delete(debug, number);
    return stop(debug, wave, OG_STOP_BREAKPOINT, number, og_wave_name(wave), true);
  }
  return false;
}

/* Whether what is watched has changed or was touched since the last look; brings `now` up to date. */
static bool look(struct og_debug *debug, struct og_watchpoint *watch) {
  uint8_t now[OG_WATCH_MOST];
  bool there = og_watched_read(debug, &watch->what, now), touched = watch->touched, known = watch->valid;
  bool changed = there && known && memcmp(now, watch->now, watch->what.size) != 0;
  watch->touched = false;
  watch->valid = there;
  if (there && (changed || !known || touched)) {
    memcpy(watch->old, known ? watch->now : now, watch->what.size);
    memcpy(watch->now, now, watch->what.size);
  }
  return watch->access ? touched : changed;
}

/* The wave that executed last did it. True: it stood. */
static bool hits_watchpoint(struct og_debug *debug, struct og_wave *wave, bool in_hook) {
  uint32_t hit = 0;
  struct og_wave *last = og_debug_find_wave(debug, debug->last_wave);
  for (uint32_t i = 0; i < debug->watchpoints.count; i++) {
    struct og_watchpoint *watch = &debug->watchpoints.items[i];
    if (!watch->number || !look(debug, watch) || !watch->enabled || hit ||
        !holds(debug, last ? last : wave, watch->condition))
      continue;
    watch->hits += !debug->plan.back;
    hit = watch->number;
  }
  return hit && stop(debug, wave, OG_STOP_WATCHPOINT, hit, debug->last_wave, in_hook);
}

static void access(void *context, struct og_wave *wave, const struct og_operation *op, enum og_space space, int access,
                   unsigned lane, uint64_t address, unsigned size) {
  struct og_debug *debug = context;
  enum og_space kind = space == OG_SPACE_SCALAR ? OG_SPACE_GLOBAL : space;
  (void)op;
  for (uint32_t i = 0; i < debug->watchpoints.count; i++) {
    struct og_watchpoint *watch = &debug->watchpoints.items[i];
    const struct og_watched *what = &watch->what;
    bool owned = kind == OG_SPACE_GLOBAL || (kind == OG_SPACE_LDS && wave->group->index == what->owner.group) ||
                 (og_is_wave(wave, what->owner) && lane == what->lane);
    if (!watch->number || !(watch->access & access) || what->is_register || what->space != kind || !owned ||
        watch->touched || address >= what->address + what->size || what->address >= address + size)
      continue;
    watch->touched = true;
    watch->touched_lane = (uint8_t)lane;
  }
}

/* ---- steps ------------------------------------------------------------------------------------------------------- */

static bool is_call(const struct og_operation *op) {
  return og_handler_of(op) && (op->row == OG_ROW_S_SWAPPC_B64 || op->row == OG_ROW_S_CALL_B64);
}

/* The wave executes `op` now: a call that is stepped over ends where it comes back to. */
static void leave(struct og_debug *debug, const struct og_wave *wave, const struct og_operation *op) {
  struct og_debug_plan *plan = &debug->plan;
  if (plan->over && !plan->return_pc && og_is_wave(wave, plan->focus) && is_call(op))
    plan->return_pc = og_pc(wave->program, og_next(op));
}

/* What would have been the place to stop at, for the way back. */
static void step_back(struct og_debug *debug, const struct og_wave *wave, uint64_t pc) {
  struct og_debug_plan *plan = &debug->plan;
  bool mine = og_is_wave(wave, plan->focus);
  if (plan->step == OG_RUN || plan->step == OG_STEP_BARRIER || mine == (plan->step == OG_STEP_WAVE))
    return;
  if (plan->step == OG_STEP_LINE) {
    struct og_line line = og_lines_at(debug->lines, og_file_address(debug, pc));
    if (plan->found && (!line.file || og_same_line(&line, &plan->line)))
      return;
    plan->line = line;
  }
  plan->found = true;
  plan->found_at = debug->position;
  plan->found_kind = OG_STOP_NONE;
}

static bool ends_step(struct og_debug *debug, const struct og_wave *wave, uint64_t pc) {
  struct og_debug_plan *plan = &debug->plan;
  bool mine = og_is_wave(wave, plan->focus);
  if (plan->step == OG_RUN || plan->step == OG_STEP_BARRIER)
    return false;
  if (plan->step == OG_STEP_WAVE)
    return !mine;
  if (debug->stop.focus_ended)
    return true;
  if (!mine || (plan->return_pc && plan->return_pc != pc))
    return false;
  plan->return_pc = 0;
  bool pending = plan->pending;
  plan->pending = false;
  if (pending || plan->step == OG_STEP_INSTRUCTION)
    return !pending;
  struct og_line line = og_lines_at(debug->lines, og_file_address(debug, pc));
  return line.file != NULL && !og_same_line(&line, &plan->line);
}

static void redo_changes(struct og_debug *debug, struct og_wave *wave) {
  for (uint32_t i = 0; i < debug->changes.count; i++) {
    const struct og_debug_change *change = &debug->changes.items[i];
    if (change->position != debug->position)
      continue;
    og_watched_write(debug, &change->what, change->bytes);
    struct og_wave *changed = og_debug_find_wave(debug, change->what.owner);
    if (change->what.is_register && change->what.reg.kind == OG_REGISTER_MODE && changed)
      og_mode_changed(changed);
  }
  og_mode_changed(wave);
}

/* Where the dispatch was sent to: the user has the word, or on the way back the one who looks for where to go. */
static void arrive(struct og_debug *debug, struct og_wave *wave) {
  struct og_debug_plan *plan = &debug->plan;
  enum og_stop_kind kind = plan->found_kind != OG_STOP_NONE ? plan->found_kind : OG_STOP_STEP;
  bool back = plan->back;
  plan->back = false;
  plan->until = UINT64_MAX;
  stop(debug, wave, back ? OG_STOP_NONE : kind, plan->found_number, og_wave_name(wave), true);
}

/* Before each instruction. At most one reason to stop counts. */
static void instruction(void *context, struct og_wave *wave, const struct og_operation *op) {
  struct og_debug *debug = context;
  struct og_debug_plan *plan = &debug->plan;
  uint64_t pc = og_pc(wave->program, op);
  bool paused = __atomic_load_n(&debug->paused, __ATOMIC_RELAXED);
  if (paused) /* on the way to somewhere, too: it stays here */
    plan->back = false, plan->until = UINT64_MAX;
  if (debug->changes.count)
    redo_changes(debug, wave);
  bool stood = debug->watching && (plan->back || plan->until == UINT64_MAX) && hits_watchpoint(debug, wave, true);
  if (debug->position == plan->until) {
    arrive(debug, wave);
  } else if (plan->back) {
    step_back(debug, wave, pc);
    hits_breakpoint(debug, wave, op);
  } else if (plan->until == UINT64_MAX && !stood) {
    bool stepped = ends_step(debug, wave, pc);
    if (!hits_breakpoint(debug, wave, op) && (stepped || paused))
      stop(debug, wave, stepped ? OG_STOP_STEP : OG_STOP_PAUSE, 0, og_wave_name(wave), true);
  }
  leave(debug, wave, op);
  debug->last_wave = og_wave_name(wave);
  debug->last_pc = pc;
  debug->position++;
}

/* ---- the rest ---------------------------------------------------------------------------------------------------- */

static void group_begin(void *context, struct og_group *group) {
  struct og_debug *debug = context;
  *OG_PUSH(debug->arena, &debug->groups) = group;
}

static void group_end(void *context, struct og_group *group) {
  struct og_debug *debug = context;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < debug->groups.count; i++)
    if (debug->groups.items[i] != group)
      debug->groups.items[kept++] = debug->groups.items[i];
  debug->groups.count = kept;
}

/* What the last instruction stored is seen before registers and LDS are gone. */
static void end(void *context, struct og_wave *wave) {
  struct og_debug *debug = context;
  struct og_debug_plan *plan = &debug->plan;
  bool stepped = plan->step == OG_STEP_INSTRUCTION || plan->step == OG_STEP_LINE;
  if (debug->watching)
    hits_watchpoint(debug, wave, false);
  if (stepped && !plan->back && og_is_wave(wave, plan->focus))
    debug->stop.focus_ended = true;
}

static void barrier(void *context, struct og_group *group) {
  struct og_debug *debug = context;
  struct og_debug_plan *plan = &debug->plan;
  if (plan->step != OG_STEP_BARRIER || group->index != plan->focus.group)
    return;
  struct og_wave *wave = og_debug_find_wave(debug, plan->focus);
  uint32_t i = 0;
  while (!wave || wave->state == OG_WAVE_ENDED)
    wave = og_group_wave(group, i++);
  if (plan->back && debug->position < plan->until) {
    plan->found = true;
    plan->found_at = debug->position;
  } else if (!plan->back && plan->until == UINT64_MAX) {
    stop(debug, wave, OG_STOP_STEP, 0, og_wave_name(wave), false);
  }
}

static void fault(void *context, struct og_wave *wave, const struct og_fault *what) {
  struct og_debug *debug = context;
  pthread_mutex_lock(&debug->lock);
  bool kill = debug->kill;
  pthread_mutex_unlock(&debug->lock);
  if (kill || debug->plan.back)
    return;
  if (what->kind == OG_FAULT_STOPPED && !what->pc)
    return;
  if (wave->state == OG_WAVE_FAULT) /* the instruction has begun, and not ended */
    debug->position--;
  debug->stop = (struct og_stop){.kind = OG_STOP_FAULT, .fault = *what};
  stand(debug, wave, og_wave_name(wave), false);
}

void og_debug_observer(struct og_debug *debug) {
  debug->observer = (struct og_observer){.context = debug,
                                         .instruction = instruction,
                                         .end = end,
                                         .barrier = barrier,
                                         .group_begin = group_begin,
                                         .group_end = group_end,
                                         .fault = fault};
}

void og_debug_begin(struct og_debug *debug) {
  bool accesses = false;
  debug->groups.count = 0;
  debug->position = 0;
  debug->wave = NULL;
  for (uint32_t i = 0; i < debug->watchpoints.count; i++) {
    debug->watchpoints.items[i].valid = debug->watchpoints.items[i].touched = false;
    accesses |= debug->watchpoints.items[i].number && debug->watchpoints.items[i].access;
  }
  debug->observer.access = accesses ? access : NULL;
}

void og_debug_see_accesses(struct og_debug *debug) { debug->observer.access = access; }
