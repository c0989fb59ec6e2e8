/* machine.c - the user's side: starts the dispatch, has it go on and waits until it stands, takes it back. */
#include "debug/internal.h"

#include <fenv.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/arguments.h"

struct og_debug *og_debug_new(const struct og_debug_target *target) {
  struct og_arena *arena = og_arena_new();
  struct og_debug *debug = OG_NEW(arena, struct og_debug);
  debug->arena = arena;
  debug->target = *target;
  debug->lines = og_lines_new(target->executable->code->elf);
  const struct og_program *program = og_executable_program(target->executable, target->kernel->start.wave_size);
  debug->words = program ? program->words : 0;
  debug->marks = OG_NEW_ARRAY(arena, uint8_t, debug->words + 1);
  pthread_mutex_init(&debug->lock, NULL);
  pthread_cond_init(&debug->changed, NULL);
  og_debug_observer(debug);
  return debug;
}

const struct og_debug_target *og_debug_target(const struct og_debug *debug) { return &debug->target; }
const struct og_stop *og_debug_stop(const struct og_debug *debug) { return &debug->stop; }
bool og_debug_alive(const struct og_debug *debug) { return debug->state == OG_DEBUG_STANDS; }
uint64_t og_debug_position(const struct og_debug *debug) { return debug->position; }
struct og_wave *og_debug_wave(const struct og_debug *debug) {
  return debug->wave;
}
unsigned og_debug_lane(const struct og_debug *debug) { return debug->lane; }
uint32_t og_debug_group_count(const struct og_debug *debug) { return debug->groups.count; }
struct og_group *og_debug_group(const struct og_debug *debug, uint32_t i) {
  return debug->groups.items[i];
}

uint64_t og_debug_pc(const struct og_debug *debug, const struct og_wave *wave) {
  (void)debug;
  return og_pc(wave->program, wave->resume);
}

/* A lane that is on, unless the one that was looked at is. */
static void choose_lane(struct og_debug *debug) {
  uint64_t exec = debug->wave ? og_exec(debug->wave) : 0;
  if (exec && !(exec >> debug->lane & 1))
    debug->lane = (unsigned)__builtin_ctzll(exec);
}

bool og_debug_focus(struct og_debug *debug, struct og_wave_name name) {
  struct og_wave *wave = og_debug_alive(debug) ? og_debug_find_wave(debug, name) : NULL;
  if (!wave)
    return false;
  debug->focus = name;
  debug->wave = wave;
  choose_lane(debug);
  return true;
}

bool og_debug_set_lane(struct og_debug *debug, unsigned lane) {
  if (lane >= debug->target.kernel->start.wave_size)
    return false;
  debug->lane = lane;
  return true;
}

/* ---- the dispatch's thread --------------------------------------------------------------------------------------- */

static void *work(void *context) {
  struct og_debug *debug = context;
  const struct og_debug_target *target = &debug->target;
  union og_packet packet;
  struct og_dispatch_record record;
  og_dispatch_packet_init(&packet.dispatch, target->executable, target->kernel, target->extent, target->kernarg,
                          target->group_bytes, NULL);
  og_runtime_run(target->runtime, target->queue, &packet, UINT64_MAX, NULL, &record);
  pthread_mutex_lock(&debug->lock);
  debug->stop = (struct og_stop){.kind = OG_STOP_ENDED, .record = record};
  debug->state = OG_DEBUG_IDLE;
  debug->groups.count = 0;
  pthread_cond_broadcast(&debug->changed);
  pthread_mutex_unlock(&debug->lock);
  return NULL;
}

static void wait_until_it_stands(struct og_debug *debug) {
  pthread_mutex_lock(&debug->lock);
  while (debug->state == OG_DEBUG_RUNS)
    pthread_cond_wait(&debug->changed, &debug->lock);
  pthread_mutex_unlock(&debug->lock);
  debug->wave = og_debug_alive(debug) ? og_debug_find_wave(debug, debug->focus) : NULL;
  choose_lane(debug);
}

static void let_go(struct og_debug *debug) {
  pthread_mutex_lock(&debug->lock);
  debug->state = OG_DEBUG_RUNS;
  pthread_cond_broadcast(&debug->changed);
  pthread_mutex_unlock(&debug->lock);
  wait_until_it_stands(debug);
}

static void join(struct og_debug *debug) {
  if (debug->has_thread)
    pthread_join(debug->thread, NULL);
  debug->has_thread = false;
}

/* From the memory that the first dispatch found. False: the host is short of memory or threads. */
static bool start(struct og_debug *debug) {
  struct og_run_options options = debug->target.options;
  join(debug);
  if (debug->snapshot)
    og_snapshot_restore(debug->snapshot);
  else if (!(debug->snapshot = og_snapshot_new(debug->target.runtime)))
    return false;
  og_debug_begin(debug);
  options.threads = 1;
  options.count = false;
  options.outlast = true;
  options.clock = &debug->position;
  options.observer = &debug->observer;
  og_runtime_set_options(debug->target.runtime, &options);
  debug->kill = false;
  debug->state = OG_DEBUG_RUNS;
  debug->has_thread = pthread_create(&debug->thread, NULL, work, debug) == 0;
  if (!debug->has_thread)
    debug->state = OG_DEBUG_IDLE;
  else
    wait_until_it_stands(debug);
  return debug->has_thread;
}

void og_debug_kill(struct og_debug *debug) {
  if (og_debug_alive(debug)) {
    debug->kill = true;
    let_go(debug);
  }
  join(debug);
  debug->wave = NULL;
}

void og_debug_free(struct og_debug *debug) {
  if (!debug)
    return;
  og_debug_kill(debug);
  og_snapshot_free(debug->snapshot);
  og_lines_free(debug->lines);
  pthread_cond_destroy(&debug->changed);
  pthread_mutex_destroy(&debug->lock);
  og_arena_free(debug->arena);
}

void og_debug_pause(struct og_debug *debug) { __atomic_store_n(&debug->paused, 1, __ATOMIC_RELAXED); }
void og_debug_forget_pause(struct og_debug *debug) { __atomic_store_n(&debug->paused, 0, __ATOMIC_RELAXED); }

/* ---- going on and back ------------------------------------------------------------------------------------------- */

static struct og_debug_plan make_plan(const struct og_debug *debug, enum og_step step, bool over) {
  struct og_debug_plan plan = {.step = step, .over = over, .focus = debug->focus, .until = UINT64_MAX};
  const struct og_wave *wave = debug->wave;
  if (wave) {
    plan.pending = !debug->in_hook || !og_is_wave(wave, debug->hooked);
    plan.line = og_lines_at(debug->lines, og_debug_pc(debug, wave) - debug->target.executable->start);
  }
  return plan;
}

static const struct og_stop *failed(struct og_debug *debug) {
  debug->stop = (struct og_stop){.kind = OG_STOP_ENDED};
  snprintf(debug->stop.record.fault.what, sizeof debug->stop.record.fault.what,
           "the host has no memory or threads left");
  return &debug->stop;
}

const struct og_stop *og_debug_go(struct og_debug *debug, enum og_step step, bool over) {
  debug->plan = make_plan(debug, step, over);
  debug->stop = (struct og_stop){0};
  if (og_debug_alive(debug)) {
    let_go(debug);
  } else {
    debug->changes.count = 0;
    debug->plan.pending = false;
    debug->plan.focus = (struct og_wave_name){0, 0};
    if (!start(debug))
      return failed(debug);
  }
  return &debug->stop;
}

/* Anew, to a position that it came to before. */
static const struct og_stop *replay(struct og_debug *debug, const struct og_debug_plan *plan) {
  og_debug_kill(debug);
  debug->plan = *plan;
  debug->stop = (struct og_stop){0};
  return start(debug) ? &debug->stop : failed(debug);
}

/* Changes that the user made later are not made any more. */
static void forget_changes(struct og_debug *debug, uint64_t position) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < debug->changes.count; i++)
    if (debug->changes.items[i].position <= position)
      debug->changes.items[kept++] = debug->changes.items[i];
  debug->changes.count = kept;
}

const struct og_stop *og_debug_restart(struct og_debug *debug, uint64_t position) {
  struct og_debug_plan plan = {.until = position};
  og_debug_forget_pause(debug);
  forget_changes(debug, position);
  return replay(debug, &plan);
}

const struct og_stop *og_debug_go_back(struct og_debug *debug, enum og_step step) {
  struct og_wave_name focus = debug->focus;
  struct og_debug_plan plan = make_plan(debug, step, false);
  plan.until = debug->position;
  plan.back = true;
  plan.line = (struct og_line){0};
  og_debug_forget_pause(debug);
  if (replay(debug, &plan)->kind == OG_STOP_PAUSE) /* the user would not wait */
    return &debug->stop;
  struct og_debug_plan found = debug->plan;
  struct og_debug_plan to = {
      .until = found.found ? found.found_at : 0, .found_kind = found.found_kind, .found_number = found.found_number};
  if (!found.found)
    to.found_kind = OG_STOP_BEGIN;
  forget_changes(debug, to.until);
  replay(debug, &to);
  if (found.found && step != OG_STEP_WAVE && found.found_kind == OG_STOP_NONE)
    og_debug_focus(debug, focus);
  return &debug->stop;
}

/* ---- breakpoints ------------------------------------------------------------------------------------------------- */

static const char *copy(struct og_debug *debug, const char *text) {
  return text ? og_arena_copy(debug->arena, text, strlen(text)) : NULL;
}

static void mark_code(struct og_debug *debug) {
  memset(debug->marks, 0, debug->words + 1);
  for (uint32_t i = 0; i < debug->breakpoints.count; i++) {
    const struct og_breakpoint *breakpoint = &debug->breakpoints.items[i];
    for (uint32_t k = 0; breakpoint->number && breakpoint->enabled && k < breakpoint->word_count; k++)
      debug->marks[breakpoint->words[k]] = 1;
  }
}

struct og_breakpoint *og_debug_break(struct og_debug *debug, const char *where, const uint64_t *pcs, uint32_t count,
                                     const char *condition, bool temporary) {
  const struct og_program *program =
      og_executable_program(debug->target.executable, debug->target.kernel->start.wave_size);
  struct og_breakpoint *breakpoint = OG_PUSH(debug->arena, &debug->breakpoints);
  *breakpoint = (struct og_breakpoint){.number = ++debug->numbers,
                                       .enabled = true,
                                       .temporary = temporary,
                                       .where = copy(debug, where),
                                       .condition = copy(debug, condition)};
  breakpoint->words = OG_NEW_ARRAY(debug->arena, uint32_t, count);
  for (uint32_t i = 0; i < count; i++) {
    uint64_t word = (pcs[i] - (uint64_t)(uintptr_t)program->code) / 4;
    if (word < debug->words)
      breakpoint->words[breakpoint->word_count++] = (uint32_t)word;
  }
  mark_code(debug);
  return breakpoint;
}

struct og_watchpoint *og_debug_watch(struct og_debug *debug, const char *text, const struct og_watched *what,
                                     int access, const char *condition) {
  struct og_watchpoint *watch = OG_PUSH(debug->arena, &debug->watchpoints);
  *watch = (struct og_watchpoint){.number = ++debug->numbers,
                                  .enabled = true,
                                  .text = copy(debug, text),
                                  .what = *what,
                                  .access = access,
                                  .condition = copy(debug, condition)};
  watch->valid = og_watched_read(debug, what, watch->now);
  debug->watching = true;
  if (access)
    og_debug_see_accesses(debug);
  return watch;
}

struct og_breakpoint *og_debug_breakpoint(struct og_debug *debug, uint32_t i) {
  return i < debug->breakpoints.count ? &debug->breakpoints.items[i] : NULL;
}

struct og_watchpoint *og_debug_watchpoint(struct og_debug *debug, uint32_t i) {
  return i < debug->watchpoints.count ? &debug->watchpoints.items[i] : NULL;
}

static bool change(struct og_debug *debug, uint32_t number, bool delete, bool enabled) {
  bool found = false, watching = false;
  for (uint32_t i = 0; i < debug->breakpoints.count; i++)
    if (number && debug->breakpoints.items[i].number == number) {
      struct og_breakpoint *breakpoint = &debug->breakpoints.items[i];
      breakpoint->enabled = enabled;
      breakpoint->number = delete ? 0 : number;
      found = true;
    }
  for (uint32_t i = 0; i < debug->watchpoints.count; i++) {
    struct og_watchpoint *watch = &debug->watchpoints.items[i];
    if (number && watch->number == number) {
      watch->enabled = enabled;
      watch->number = delete ? 0 : number;
      found = true;
    }
    watching |= watch->number != 0;
  }
  debug->watching = watching;
  mark_code(debug);
  return found;
}

bool og_debug_delete(struct og_debug *debug, uint32_t number) { return change(debug, number, true, false); }

bool og_debug_enable(struct og_debug *debug, uint32_t number, bool enabled) {
  return change(debug, number, false, enabled);
}

void og_debug_condition(struct og_debug *debug, struct og_breakpoint *breakpoint, const char *condition) {
  breakpoint->condition = copy(debug, condition);
}

bool og_debug_change(struct og_debug *debug, const struct og_watched *what, const void *bytes) {
  if (what->size > sizeof((struct og_debug_change *)0)->bytes || !og_watched_write(debug, what, bytes))
    return false;
  if (what->is_register && what->reg.kind == OG_REGISTER_MODE && debug->wave) {
    fenv_t mine; /* modes are the dispatch's thread's */
    fegetenv(&mine);
    og_mode_changed(debug->wave);
    fesetenv(&mine);
  }
  struct og_debug_change *noted = OG_PUSH(debug->arena, &debug->changes);
  *noted = (struct og_debug_change){.position = debug->position, .wave = debug->focus, .what = *what};
  memcpy(noted->bytes, bytes, what->size);
  return true;
}
