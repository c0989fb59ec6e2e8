/* run.c - the run loop, faults, and what follows from writes of EXEC and MODE. */
#include <stdio.h>

#include "base/float_control.h"
#include "exec/barrier.h"
#include "exec/deferred.h"
#include "exec/group.h"
#include "exec/lane_integer.h"
#include "exec/program.h"
#include "exec/shared_vgprs.h"
#include "exec/trap.h"
#include "exec/turn.h"
#include "exec/vector.h"
#include "isa/waits.h"

const struct og_operation og_stop = {0};

void og_exec_changed(struct og_wave *wave) {
  uint64_t exec = og_mask(wave, OG_S_EXEC);
  wave->program->variant->expand_mask(wave->lanes, exec);
  wave->lanes_exec = exec;
  wave->active_lanes = (uint8_t)count_u64(exec);
}

void og_mode_written(struct og_wave *wave) {
  enum og_generation generation = wave->program->target.processor->generation;
  if (generation < OG_GFX900) /* what the bits say depends on the generation */
    wave->mode &= ~(uint32_t)OG_MODE_FP16_OVFL;
  if (generation >= OG_GFX10_1)
    wave->mode &= ~(uint32_t)(OG_MODE_GPR_INDEX | OG_MODE_VSKIP);
  uint32_t mode = wave->mode;
  wave->float_control_32 = og_float_control(mode & 3, mode >> 4 & 3);
  wave->float_control_64 = og_float_control(mode >> 2 & 3, mode >> 6 & 3);
}

void og_mode_changed(struct og_wave *wave) {
  og_mode_written(wave);
  og_set_float_control(wave->float_control_32);
}

static void fault(struct og_wave *wave, const struct og_operation *op, const char *format, va_list args) {
  vsnprintf(wave->fault.what, sizeof(wave->fault.what), format, args);
  wave->fault.pc = og_pc(wave->program, op);
  wave->fault.illegal = wave->fault.violation = false;
  wave->state = OG_WAVE_FAULT;
  wave->resume = op;
}

const struct og_operation *og_wave_fault(struct og_wave *wave, const struct og_operation *op, const char *format, ...) {
  va_list args;
  va_start(args, format);
  wave->fault.has_address = false;
  wave->fault.kind = OG_FAULT_INSTRUCTION;
  fault(wave, op, format, args);
  va_end(args);
  return &og_stop;
}

const struct og_operation *og_wave_fault_at(struct og_wave *wave, const struct og_operation *op, uint64_t address,
                                            const char *format, ...) {
  va_list args;
  va_start(args, format);
  wave->fault.has_address = true;
  wave->fault.kind = OG_FAULT_MEMORY;
  wave->fault.address = address;
  fault(wave, op, format, args);
  va_end(args);
  return &og_stop;
}

/* The same of an operation that may not be decoded yet; NULL where the wave cannot go on: og_stop has no handler. */
static inline og_handler *handler_at(struct og_wave *wave, const struct og_operation *op) {
  og_handler *handler;
  while (__builtin_expect(!(handler = og_handler_of(op)), 0))
    if (op == &og_stop || !og_program_decode(wave, op))
      return NULL;
  return handler;
}

enum { LOOK = 8192 /* instructions between looks at the group's stop and abort */ };

static inline bool is_set(const int *word) {
  return word && __atomic_load_n(word, __ATOMIC_RELAXED);
}
static inline __attribute__((always_inline)) bool is_to_stop(const struct og_group *group) {
  return is_set(group->abort) || is_set(group->stop);
}

/* Leaves the loop before `op` when the dispatch has to end, because code may be long and without branches. */
static bool gives_up(struct og_wave *wave, const struct og_operation *op) {
  const struct og_group *group = wave->group;
  if (op == &og_stop || !group || !is_to_stop(group))
    return false;
  wave->resume = op;
  wave->budget = -1;
  return true;
}

static void run_plain(struct og_wave *wave) {
  const struct og_operation *op = wave->resume;
  const struct og_compiler *compiler = wave->program->compiler;
  if (compiler && !og_is_compiled(compiler, og_handler_of(op)))
    compiler->reached(wave->program, op);
  uint32_t left = LOOK;
  for (og_handler *handler; (handler = handler_at(wave, op));) {
    op = handler(wave, op);
    if (__builtin_expect(--left == 0, 0)) {
      if (gives_up(wave, op))
        return;
      left = LOOK;
    }
  }
}

static bool is_vector(enum og_class class) {
  return class == OG_CLASS_VALU || class == OG_CLASS_VMEM || class == OG_CLASS_LDS || class == OG_CLASS_FLAT;
}

bool og_operation_indexed(const struct og_wave *wave, const struct og_operation *op, struct og_operation *copy) {
  struct og_operation moved = og_operation_copy(op);
  uint32_t m0 = wave->s[OG_S_M0], distance = (m0 & 255) * OG_LANES * 4, end = OG_AT_V(256);
  uint32_t *places[4] = {&moved.s[0], &moved.s[1], &moved.s[2], &moved.d};
  const uint8_t *order = og_source_order(wave->program, &moved);
  for (int i = 0; i < 4; i++) {
    if (!(m0 >> (12 + (i < 3 ? order[i] : 3)) & 1) || *places[i] < OG_AT_V(0))
      continue;
    if (*places[i] + distance >= end)
      return false;
    *places[i] += distance;
  }
  *copy = moved;
  return true;
}

static const struct og_operation *run_indexed(struct og_wave *wave, const struct og_operation *op,
                                              og_handler *handler) {
  struct og_operation moved;
  if (!og_operation_indexed(wave, op, &moved))
    return og_wave_fault(wave, op, "VGPR index %u is out of range", wave->s[OG_S_M0] & 255);
  const struct og_operation *next = handler(wave, &moved);
  if (wave->resume == &moved) { /* so it is after a fault, too */
    wave->resume = op;
    wave->fault.pc = og_pc(wave->program, op);
  }
  return next == &moved + moved.words ? og_next(op) : next;
}

/* Obeys the observer's verdict: yields where the wave continues, NULL if it leaves the loop. */
static const struct og_operation *obey(struct og_wave *wave, const struct og_operation *op) {
  if (og_take_skip(wave))
    return og_next(op);
  if (wave->verdict == OG_GIVE_WAY) {
    wave->verdict = OG_GO_ON;
    wave->budget = -1;
    return NULL; /* wave->resume is `op` */
  }
  og_wave_fault(wave, op, "stopped by its observer");
  wave->fault.kind = OG_FAULT_STOPPED;
  return NULL;
}

/* The next operation; none if an access has stopped the wave. */
static inline void tell_observer(struct og_wave *wave, const struct og_operation *op) {
  const struct og_observer *observer = wave->observer;
  wave->resume = op;
  if (observer->instruction && wave->verdict == OG_GO_ON)
    observer->instruction(observer->context, wave, op);
  if (observer->wait && wave->verdict == OG_GO_ON && op->class == OG_CLASS_OTHER && og_row_waits(op->row))
    observer->wait(observer->context, wave, op);
}

/* The loop with all rare features: counts, an observer, a trap handler, VGPR indexing, VSKIP, shared VGPRs. A separate
 * function, so that other waves do not pay for its preparations. */
__attribute__((noinline)) static void run_watched(struct og_wave *wave) {
  const struct og_operation *op = wave->resume;
  struct og_counts *counts = wave->counts;
  const bool traps = og_trap_dispatch(wave) != NULL;
  uint32_t left = LOOK;
  for (og_handler *handler; (handler = handler_at(wave, op));) {
    if (wave->program->compiler)
      handler = wave->program->compiler->plain(wave->program, op);
    if (--left == 0) {
      if (gives_up(wave, op))
        return;
      left = LOOK;
    }
    if (wave->observer) {
      tell_observer(wave, op);
      if (__builtin_expect(wave->verdict != OG_GO_ON, 0)) {
        op = obey(wave, op);
        if (!op)
          return;
        continue;
      }
    }
    if (counts) {
      counts->instructions[op->class]++;
      if (is_vector(op->class)) {
        counts->events.lanes += wave->active_lanes;
        counts->events.lane_slots += wave->wave_size;
      }
    }
    if (__builtin_expect(wave->mode & (OG_MODE_GPR_INDEX | OG_MODE_VSKIP), 0) && is_vector(op->class)) {
      if (wave->mode & OG_MODE_VSKIP)
        op = og_next(op);
      else
        op = op->class == OG_CLASS_VALU ? run_indexed(wave, op, handler) : handler(wave, op);
      continue;
    }
    if (wave->shared_end && is_vector(op->class))
      handler = og_run_sharing;
    op = traps && !wave->privileged ? og_trap_step(wave, op, handler) : handler(wave, op);
  }
}

/* With an observer of instructions alone, as checkers are. Whatever else is wanted does not come while the loop runs: a
 * change of MODE leaves it. */
__attribute__((noinline)) static void run_observed(struct og_wave *wave) {
  const struct og_operation *op = wave->resume;
  const struct og_observer *observer = wave->observer;
  const struct og_compiler *compiler = wave->program->compiler; /* whose code does more than one operation */
  uint32_t left = LOOK;
  for (og_handler *handler; (handler = handler_at(wave, op));) {
    if (__builtin_expect(--left == 0, 0)) {
      if (gives_up(wave, op))
        return;
      left = LOOK;
    }
    wave->resume = op;
    wave->quiet = 0;
    if (__builtin_expect(wave->verdict == OG_GO_ON, 1))
      observer->instruction(observer->context, wave, op);
    if (__builtin_expect(wave->verdict != OG_GO_ON, 0)) {
      op = obey(wave, op);
      if (!op)
        return;
      continue;
    }
    op = compiler ? compiler->plain(wave->program, op)(wave, op) : handler(wave, op);
    for (uint32_t quiet = wave->quiet; quiet && (handler = handler_at(wave, op)); quiet--)
      op = compiler ? compiler->plain(wave->program, op)(wave, op) : handler(wave, op);
  }
}

static bool is_observed_alone(const struct og_wave *wave) {
  return wave->observer && wave->observer->instruction && !wave->observer->wait && !wave->counts &&
         !wave->shared_end &&
         !(wave->mode & (OG_MODE_GPR_INDEX | OG_MODE_VSKIP));
}

void og_wave_run_under(struct og_wave *wave, uint32_t *control) {
  og_change_float_control(*control, wave->float_control_32);
  wave->state = OG_WAVE_READY;
  const bool traps = og_trap_dispatch(wave) != NULL;
  do { /* a change of mode leaves the loop although the wave could go on */
    bool rare =
        wave->counts || wave->observer || traps || wave->shared_end || wave->mode & (OG_MODE_GPR_INDEX | OG_MODE_VSKIP);
    if (__builtin_expect(!rare, 1))
      run_plain(wave);
    else if (is_observed_alone(wave) && !traps)
      run_observed(wave);
    else
      run_watched(wave);
    if (wave->state == OG_WAVE_FAULT && traps)
      og_trap_take_fault(wave);
  } while (wave->state == OG_WAVE_READY && wave->budget >= 0);
  *control = wave->float_control_32;
}

/* ---- turns of a work-group's waves ------------------------------------------------------------------------------- */

/* Whether the wave's turn came to what turns most often come to: the work-group's barrier, or the end. */
static inline bool is_through(const struct og_wave *wave) {
  return (wave->state == OG_WAVE_BARRIER && !wave->awaited) || wave->state == OG_WAVE_ENDED;
}

static bool is_rare(const struct og_wave *wave) {
  return wave->mode & (OG_MODE_GPR_INDEX | OG_MODE_VSKIP);
}

/* Compiled code at the begin of the wave's turn, if there is any; *end: what it came to, else as if it came to
 * nothing. */
static inline void run_code(struct og_wave *wave, uint32_t *control, struct og_compiled_end *end) {
  const struct og_operation *op = wave->resume;
  const struct og_compiler *compiler = wave->program->compiler;
  og_handler *handler = og_handler_of(op);
  *end = (struct og_compiled_end){op, wave};
  if (!compiler || !og_is_compiled(compiler, handler) || is_rare(wave))
    return;
  og_change_float_control(*control, wave->float_control_32);
  *end = og_run_compiled(handler, wave, op);
  *control = end->wave->float_control_32;
}

/* What is left of a wave's turn behind compiled code. *control: what is in force. */
static inline void finish_turn(struct og_compiled_end end, uint32_t *control) {
  struct og_wave *wave = end.wave;
  wave->followers = 0; /* other code is not to take them along */
  if (end.next != &og_stop) {
    wave->resume = end.next;
    if (__builtin_expect(!is_rare(wave), 1)) {
      og_change_float_control(*control, wave->float_control_32);
      run_plain(wave);
      *control = wave->float_control_32;
      if (is_through(wave))
        return;
    }
  }
  if (wave->state == OG_WAVE_READY && wave->budget >= 0) /* a change of mode left the loop, or is to come */
    og_wave_run_under(wave, control);
}

static inline bool can_run(const struct og_wave *wave, bool opened) {
  return opened ? wave->state != OG_WAVE_ENDED : wave->state == OG_WAVE_READY || wave->state == OG_WAVE_SLEEPING;
}

/* What a round's turns came to. */
struct came {
  uint32_t arrived; /* waves, at the barrier */
  bool some;        /* of them arrived, or ended */
};

static inline void note_through(struct og_group *group, const struct og_wave *wave, struct came *came) {
  came->some = true;
  if (wave->state != OG_WAVE_ENDED) {
    came->arrived++;
    return;
  }
  group->live--;
  og_barriers_left(group);
}

/* Waves from number `i` on, at a barrier that opened, have their turns another time. */
static void release(const struct og_group *group, uint32_t i) {
  for (; i < group->wave_count; i++)
    if (og_group_wave(group, i)->state == OG_WAVE_BARRIER)
      og_group_wave(group, i)->state = OG_WAVE_READY;
}

/* The waves' turns from number `i` on, one by one, as long as each comes through. `opened`: all that live have come to
 * the work-group's barrier and go on, though they still seem to wait. */
static uint32_t run_apart(struct og_group *group, uint32_t i, int64_t budget, uint32_t *control, bool opened,
                          struct came *came) {
  for (; i < group->wave_count; i++) {
    struct og_wave *wave = og_group_wave(group, i);
    struct og_compiled_end end;
    if (!can_run(wave, opened))
      continue;
    wave->budget = budget;
    wave->state = OG_WAVE_READY;
    wave->followers = 0;
    run_code(wave, control, &end);
    finish_turn(end, control);
    if (!is_through(wave))
      break;
    note_through(group, wave, came);
  }
  if (opened)
    release(group, i + 1);
  return i;
}

/* Tells the waves which of those behind them compiled code may take along. */
static void find_followers(const struct og_group *group, int64_t budget, bool opened) {
  const struct og_wave *next = NULL;
  uint32_t followers = 0;
  for (uint32_t k = group->wave_count; k-- > 0;) {
    struct og_wave *wave = og_group_wave(group, k);
    bool alike = next && next->mode == wave->mode && !is_rare(wave);
    next = can_run(wave, opened) ? wave : NULL;
    followers = next && alike ? followers + 1 : 0;
    wave->followers = followers;
    wave->budget = budget;
  }
}

/* Whether all waves are at the barrier, to which compiled code brought them; then their next turns are ahead. It goes
 * on from wave to wave at the work-group's barrier alone, so only of the last one it is asked which it is. */
static inline bool are_together(const struct og_group *group, struct og_wave *last, int64_t budget) {
  for (struct og_wave *wave = og_group_wave(group, 0);; wave = og_wave_behind(wave)) {
    if (wave->state != OG_WAVE_BARRIER)
      return false;
    wave->budget = budget;
    if (wave == last)
      return !wave->awaited;
  }
}

enum { APART_MOST = 1024, ROUNDS_MOST = 16 /* between looks at the deadline */ };

/* Rounds in which compiled code takes all waves along, from the first one on, until a round is not so. That is tried
 * again later, each time after twice as many rounds. *opened: as for run_apart(). */
static uint32_t run_along(struct og_group *group, int64_t budget, uint32_t *control, bool *opened, unsigned *round,
                          struct came *came) {
  struct og_wave *first = og_group_wave(group, 0), *last = og_group_wave(group, group->wave_count - 1);
  struct og_compiled_end end;
  for (;; ++*round, *opened = true) {
    first->state = OG_WAVE_READY;
    run_code(first, control, &end);
    if (end.wave != last || !are_together(group, last, budget))
      break;
    came->some = true;
    if (*round >= ROUNDS_MOST || is_to_stop(group)) {
      came->arrived = group->wave_count;
      return group->wave_count;
    }
  }
  group->apart = group->apart_next;
  group->apart_next = OG_MIN(2 * group->apart_next, (uint32_t)APART_MOST);
  if (!is_through(end.wave))
    finish_turn(end, control);
  uint32_t i = 0, reached = og_wave_number(group, end.wave);
  for (; i <= reached && is_through(og_group_wave(group, i)); i++)
    note_through(group, og_group_wave(group, i), came);
  if (i > reached)
    return run_apart(group, i, budget, control, *opened, came);
  if (*opened)
    release(group, i + 1);
  return i;
}

uint32_t og_run_to_barriers(struct og_group *group, uint32_t from, int64_t budget, uint32_t *control, bool *some) {
  struct came came;
  uint32_t in_force = *control, i = from;
  bool opened = false;
  *some = false;
  for (unsigned round = 1;; round++) {
    came = (struct came){0};
    if (group->apart > 0 || i > 0 || !can_run(og_group_wave(group, 0), opened)) {
      group->apart -= group->apart > 0;
      i = run_apart(group, i, budget, &in_force, opened, &came);
    } else {
      find_followers(group, budget, opened);
      i = run_along(group, budget, &in_force, &opened, &round, &came);
    }
    *some |= came.some;
    if (i < group->wave_count || came.arrived == 0 || came.arrived < group->live || round >= ROUNDS_MOST ||
        is_to_stop(group))
      break;
    opened = true;
    i = 0;
  }
  for (uint32_t k = 0; k < group->wave_count; k++)
    og_group_wave(group, k)->followers = 0;
  *control = in_force;
  return i;
}

void og_wave_run(struct og_wave *wave) {
  uint32_t host = og_get_float_control(), control = host;
  og_wave_run_under(wave, &control);
  og_change_float_control(control, host);
}
