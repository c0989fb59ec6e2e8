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

static bool is_set(const int *word) {
  return word && __atomic_load_n(word, __ATOMIC_RELAXED);
}
static bool is_to_stop(const struct og_group *group) { return is_set(group->abort) || is_set(group->stop); }

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

/* Whether the wave's turn came to what turns most often come to: the work-group's barrier, or the end. */
static inline bool is_through(const struct og_wave *wave) {
  return (wave->state == OG_WAVE_BARRIER && !wave->awaited) || wave->state == OG_WAVE_ENDED;
}

/* Turns are ahead of the waves that can run, from number `i` on. `opened`: all that live have come to the work-group's
 * barrier and go on, though they still seem to wait. */
static void begin_turns(const struct og_group *group, uint32_t i, int64_t budget, bool opened) {
  const struct og_wave *next = NULL;
  for (uint32_t k = group->wave_count; k-- > i;) {
    struct og_wave *wave = og_group_wave(group, k);
    if (opened ? wave->state == OG_WAVE_ENDED : wave->state != OG_WAVE_READY && wave->state != OG_WAVE_SLEEPING) {
      next = NULL;
      continue;
    }
    bool alike = next && next->mode == wave->mode && !(wave->mode & (OG_MODE_GPR_INDEX | OG_MODE_VSKIP));
    wave->followers = alike ? next->followers + 1 : 0;
    wave->budget = budget;
    wave->state = OG_WAVE_READY;
    next = wave;
  }
}

/* Compiled code at the begin of the turn of the wave with that number, if there is any, which may take followers along:
 * then all before the last that had a turn, whose number it leaves, are through. Yields where to go on in that. */
static inline const struct og_operation *run_code(const struct og_group *group, uint32_t *number, uint32_t *control) {
  struct og_wave *wave = og_group_wave(group, *number);
  const struct og_operation *op = wave->resume;
  const struct og_compiler *compiler = wave->program->compiler;
  og_handler *handler = og_handler_of(op);
  if (!compiler || !og_is_compiled(compiler, handler) || wave->mode & (OG_MODE_GPR_INDEX | OG_MODE_VSKIP))
    return op;
  og_change_float_control(*control, wave->float_control_32);
  struct og_compiled_end end = og_run_compiled(handler, wave, op);
  *number = og_wave_number(group, end.wave);
  *control = end.wave->float_control_32;
  return end.next;
}

/* What is left of the wave's turn, from `op` on. *control: what is in force. */
static void finish_turn(struct og_wave *wave, const struct og_operation *op, uint32_t *control) {
  wave->followers = 0; /* other code is not to take them along */
  if (op != &og_stop)
    wave->resume = op;
  else if (wave->state != OG_WAVE_READY || wave->budget < 0)
    return; /* else it left the code for a change of mode */
  og_wave_run_under(wave, control);
}

/* What a round's turns came to. */
struct came {
  uint32_t arrived, ended; /* waves */
  bool together;           /* one run of compiled code brought all to the barrier: so the next may */
};

static void note_through(struct og_group *group, const struct og_wave *wave, struct came *came) {
  if (wave->state != OG_WAVE_ENDED) {
    came->arrived++;
    return;
  }
  came->ended++;
  group->live--;
  og_barriers_left(group);
}

/* Of waves `i` to `last`, whose turns compiled code began and all but the last's ended; that goes on at `op`. Yields the
 * first that is not through, or the one behind them. */
static uint32_t end_turns(struct og_group *group, uint32_t i, uint32_t last, const struct og_operation *op,
                          uint32_t *control, struct came *came) {
  if (!is_through(og_group_wave(group, last)))
    finish_turn(og_group_wave(group, last), op, control);
  for (; i <= last && is_through(og_group_wave(group, i)); i++)
    note_through(group, og_group_wave(group, i), came);
  return i;
}

/* The turns that are ahead, of waves from number `i` on. */
static uint32_t run_turns(struct og_group *group, uint32_t i, uint32_t *control, struct came *came) {
  while (i < group->wave_count) {
    uint32_t last = i;
    if (og_group_wave(group, i)->state != OG_WAVE_READY) {
      i++;
      continue;
    }
    const struct og_operation *op = run_code(group, &last, control);
    came->together = i == 0 && last + 1 == group->wave_count && is_through(og_group_wave(group, last));
    i = end_turns(group, i, last, op, control, came);
    if (i <= last)
      break;
  }
  came->together &= came->ended == 0;
  return i;
}

/* Whether all waves are at the barrier that compiled code brought them to; then their next turns are ahead. */
static inline bool are_together(const struct og_group *group, int64_t budget) {
  for (uint32_t i = 0; i < group->wave_count; i++) {
    struct og_wave *wave = og_group_wave(group, i);
    if (wave->state != OG_WAVE_BARRIER || wave->awaited)
      return false;
    wave->budget = budget;
  }
  return true;
}

/* A turn of each wave, when one run of compiled code brought all to the barrier that they opened. */
static uint32_t run_together(struct og_group *group, int64_t budget, uint32_t *control, struct came *came) {
  uint32_t last = 0;
  og_group_wave(group, 0)->state = OG_WAVE_READY;
  const struct og_operation *op = run_code(group, &last, control);
  if (last + 1 == group->wave_count && are_together(group, budget)) {
    came->arrived = group->wave_count;
    return group->wave_count;
  }
  *came = (struct came){0};
  begin_turns(group, last + 1, budget, true);
  uint32_t i = end_turns(group, 0, last, op, control, came);
  return i <= last ? i : run_turns(group, i, control, came);
}

enum { ROUNDS_MOST = 8 /* between looks at the deadline */ };

uint32_t og_run_to_barriers(struct og_group *group, uint32_t from, int64_t budget, uint32_t *control, bool *some) {
  struct came came = {0};
  uint32_t in_force = *control;
  begin_turns(group, from, budget, false);
  uint32_t i = run_turns(group, from, &in_force, &came);
  *some = came.arrived + came.ended > 0;
  for (unsigned round = 1; round < ROUNDS_MOST && i == group->wave_count && came.arrived > 0 &&
                           came.arrived == group->live && !is_to_stop(group); round++) {
    if (came.together) {
      i = run_together(group, budget, &in_force, &came);
      continue;
    }
    came = (struct came){0};
    begin_turns(group, 0, budget, true);
    i = run_turns(group, 0, &in_force, &came);
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
