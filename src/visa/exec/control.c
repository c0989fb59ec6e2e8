/* control.c - control flow of one vISA thread: branches, calls, barriers. Channels that wait for others are on a stack
   sorted by place, with the nearest place on top: the thread always runs the channels that are furthest behind, which
   is what the rules of goto amount to. */
#include "visa/exec/check.h"
#include "visa/exec/guard.h"

#include <stdlib.h>
#include <string.h>

/* ---- control flow ------------------------------------------------------------------------------------------------ */

static const struct og_vx_op *op_at(const struct og_vx_thread *thread, uint32_t index) {
  return thread->program->ops + index;
}

static bool push_wait(struct og_vx_thread *thread, uint32_t target, uint32_t channels) {
  uint32_t at = thread->wait_count;
  while (at > thread->wait_base && thread->waits[at - 1].op < target)
    at--;
  if (at > thread->wait_base && thread->waits[at - 1].op == target) {
    thread->waits[at - 1].channels |= channels;
    return true;
  }
  if (thread->wait_count == OG_VX_WAITS)
    return false;
  memmove(&thread->waits[at + 1], &thread->waits[at], (thread->wait_count - at) * sizeof thread->waits[0]);
  thread->waits[at] = (struct og_vx_wait){target, channels};
  thread->wait_count++;
  return true;
}

/* No channel goes on here: continues where some wait. */
static const struct og_vx_op *resume(struct og_vx_thread *thread, const struct og_vx_op *op) {
  if (thread->wait_count == thread->wait_base)
    return og_vx_fault(thread, op, "no channel is left to run and none waits");
  const struct og_vx_wait *wait = &thread->waits[--thread->wait_count];
  thread->channels = wait->channels;
  return op_at(thread, wait->op);
}

/* Channels that take a branch. */
static uint32_t taken(const struct og_vx_thread *thread, const struct og_vx_op *op) {
  if (!op->uniform)
    return og_vx_enabled(thread, op) << op->mask_offset & thread->channels;
  if (op->predicate_mode == OG_VX_PREDICATE_NONE || og_vx_predicate_bits(thread, op) & 1)
    return thread->channels;
  return 0;
}

const struct og_vx_op *og_vx_run_goto_forward(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t channels = taken(thread, op);
  if (!channels)
    return op + 1;
  thread->channels &= ~channels;
  if (!push_wait(thread, op->target, channels))
    return og_vx_fault(thread, op, "more than %d places where channels wait", OG_VX_WAITS);
  return thread->channels ? op + 1 : resume(thread, op);
}

const struct og_vx_op *og_vx_run_goto_backward(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t channels = taken(thread, op), rest = thread->channels & ~channels;
  if (!channels)
    return op + 1;
  if (rest && !push_wait(thread, (uint32_t)(op - thread->program->ops) + 1, rest))
    return og_vx_fault(thread, op, "more than %d places where channels wait", OG_VX_WAITS);
  thread->channels = channels;
  return op_at(thread, op->target);
}

const struct og_vx_op *og_vx_run_join(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t here = (uint32_t)(op - thread->program->ops);
  while (thread->wait_count > thread->wait_base && thread->waits[thread->wait_count - 1].op == here)
    thread->channels |= thread->waits[--thread->wait_count].channels;
  return op + 1;
}

const struct og_vx_op *og_vx_run_jump(struct og_vx_thread *thread, const struct og_vx_op *op) {
  if (op->predicate_mode != OG_VX_PREDICATE_NONE && !(og_vx_predicate_bits(thread, op) & 1))
    return op + 1;
  return op_at(thread, op->target);
}

const struct og_vx_op *og_vx_run_switch(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint64_t index = og_vx_scalar(thread, op, &op->source[0]);
  if (thread->state != OG_VX_RUNNING)
    return NULL;
  if (index >= op->extra)
    return og_vx_fault(thread, op, "switchjmp index %llu has no label; there are %u", (unsigned long long)index,
                       op->extra);
  return op_at(thread, op->targets[index]);
}

const struct og_vx_op *og_vx_run_call(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t channels = taken(thread, op);
  if (!channels)
    return op + 1;
  if (thread->frame_count == OG_VX_CALL_DEPTH)
    return og_vx_fault(thread, op, "calls nest deeper than %d", OG_VX_CALL_DEPTH);
  uint32_t back = (uint32_t)(op - thread->program->ops) + 1;
  thread->frames[thread->frame_count++] = (struct og_vx_frame){
      .return_op = back, .channels = thread->channels, .call_mask = thread->call_mask, .wait_base = thread->wait_base};
  thread->wait_base = thread->wait_count;
  thread->channels = thread->call_mask = channels;
  return op_at(thread, op->target);
}

/* Registers, then predicates, addresses, surfaces and the addresses' bounds; each followed by a guard. */
static size_t words_place(const struct og_vx_program *program) {
  return og_align_up(program->register_size, 64) + OG_VX_GUARD;
}

static size_t bare_size(const struct og_vx_program *program) {
  size_t words = (size_t)program->predicate_count + 3 * (size_t)program->address_count + program->surface_count;
  return words_place(program) + og_align_up(4 * words, 64) + OG_VX_GUARD;
}

size_t og_vx_state_size(const struct og_vx_program *program, bool check) {
  return bare_size(program) + (check ? og_vx_defined_size(program) : 0);
}

void og_vx_set_state(struct og_vx_thread *thread, const struct og_vx_program *program, uint8_t *memory) {
  thread->program = program;
  thread->base[OG_VX_REGISTERS] = memory;
  thread->base[OG_VX_CONSTANTS] = program->constants;
  thread->predicates = (uint32_t *)(void *)(memory + words_place(program));
  thread->addresses = thread->predicates + program->predicate_count;
  thread->surfaces = thread->addresses + program->address_count;
  og_vx_guard(memory + words_place(program) - OG_VX_GUARD);
  og_vx_guard(memory + bare_size(program) - OG_VX_GUARD);
  if (!thread->check)
    return;
  thread->bounds = (struct og_vx_bounds *)(void *)(thread->surfaces + program->surface_count);
  og_vx_defined_place(thread, program, memory + bare_size(program));
}

/* The function that is called: the decoder knew its name, or an operand has its address. */
static const struct og_vx_program *find_callee(struct og_vx_thread *thread, const struct og_vx_op *op) {
  if (op->callee)
    return op->callee;
  uint64_t address = og_vx_scalar(thread, op, &op->source[0]),
           index = (address - OG_VX_FUNCTION_FIRST) / OG_VX_FUNCTION_STEP;
  const struct og_vx_functions *functions = thread->program->functions;
  if (thread->state != OG_VX_RUNNING)
    return NULL;
  if (address >= OG_VX_FUNCTION_FIRST && address % OG_VX_FUNCTION_STEP == 0 && index < functions->items.count)
    return functions->items.items[index];
  og_vx_fault(thread, op, "no function is at 0x%llx", (unsigned long long)address);
  return NULL;
}

/* fcall, ifcall: the callee has its own variables. Predefined ones (%arg, %retval, %sp, %fp) are copied there and
   back. */
const struct og_vx_op *og_vx_run_function_call(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t channels = taken(thread, op);
  if (!channels)
    return op + 1;
  const struct og_vx_program *callee = find_callee(thread, op), *caller = thread->program;
  if (!callee)
    return NULL;
  if (thread->frame_count == OG_VX_CALL_DEPTH)
    return og_vx_fault(thread, op, "calls nest deeper than %d", OG_VX_CALL_DEPTH);
  size_t size = og_vx_state_size(callee, thread->check);
  if (size > OG_VX_CALLS_MOST - thread->group->call_bytes)
    return og_vx_fault(thread, op, "the calls of this work-group need more than %d bytes", OG_VX_CALLS_MOST);
  uint8_t *memory = aligned_alloc(64, size);
  if (!memory)
    return og_vx_fault(thread, op, "no memory for the call");
  thread->group->call_bytes += size;
  memset(memory, 0, size);
  memcpy(memory, thread->base[OG_VX_REGISTERS], caller->shared_size);
  thread->frames[thread->frame_count++] = (struct og_vx_frame){
      (uint32_t)(op - caller->ops) + 1, thread->channels, thread->call_mask, thread->wait_base, caller,
      thread->base[OG_VX_REGISTERS]};
  thread->wait_base = thread->wait_count;
  thread->channels = thread->call_mask = channels;
  og_vx_set_state(thread, callee, memory);
  if (thread->check)
    og_vx_defined_reset(thread);
  return callee->ops;
}

/* Back to the caller's variables. */
static void leave_function(struct og_vx_thread *thread, const struct og_vx_frame *frame) {
  uint8_t *memory = thread->base[OG_VX_REGISTERS];
  memcpy(frame->registers, memory, frame->program->shared_size);
  thread->group->call_bytes -= og_vx_state_size(thread->program, thread->check);
  og_vx_set_state(thread, frame->program, frame->registers);
  free(memory);
}

void og_vx_unwind(struct og_vx_thread *thread) {
  while (thread->frame_count > 0) {
    const struct og_vx_frame *frame = &thread->frames[--thread->frame_count];
    if (frame->program)
      leave_function(thread, frame);
  }
}

const struct og_vx_op *og_vx_run_return(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t channels = taken(thread, op);
  thread->call_mask &= ~channels;
  thread->channels &= ~channels;
  if (thread->channels)
    return op + 1;
  if (thread->call_mask)
    return resume(thread, op);
  if (thread->frame_count == 0) {
    thread->state = OG_VX_DONE;
    return NULL;
  }
  const struct og_vx_frame *frame = &thread->frames[--thread->frame_count];
  thread->wait_count = thread->wait_base;
  thread->wait_base = frame->wait_base;
  thread->channels = frame->channels;
  thread->call_mask = frame->call_mask;
  if (frame->program)
    leave_function(thread, frame);
  return op_at(thread, frame->return_op);
}

/* After the last instruction. */
const struct og_vx_op *og_vx_run_end(struct og_vx_thread *thread, const struct og_vx_op *op) {
  return og_vx_fault(thread, op, "the kernel runs past its last instruction; a ret is missing");
}

/* ---- barriers ---------------------------------------------------------------------------------------------------- */

enum { BOTH, PRODUCER, CONSUMER };

static void arrive(struct og_vx_thread *thread, uint32_t id, uint32_t type, uint32_t producers, uint32_t consumers) {
  struct og_vx_barrier *barrier = &thread->group->barriers[id];
  thread->wait_generation[id] = barrier->generation + 1;
  barrier->producers += type != CONSUMER;
  barrier->consumers += type != PRODUCER;
  bool complete = barrier->producers >= producers && barrier->consumers >= consumers;
  if (thread->check)
    og_vx_race_signal(thread, id, type != CONSUMER, complete);
  if (complete) {
    barrier->producers = barrier->consumers = 0;
    barrier->generation++;
  }
}

static const struct og_vx_op *wait_for(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t id) {
  if ((int32_t)(thread->group->barriers[id].generation - thread->wait_generation[id]) >= 0) {
    if (thread->check)
      og_vx_race_wait(thread, id);
    return op + 1;
  }
  thread->state = OG_VX_WAITING;
  thread->waiting_for = id;
  thread->next = op + 1;
  return NULL;
}

/* `kind`: 1 signals, 2 waits, 3 does both. */
const struct og_vx_op *og_vx_run_barrier(struct og_vx_thread *thread, const struct og_vx_op *op) {
  if (op->kind & 1)
    arrive(thread, 0, BOTH, thread->group->alive, thread->group->alive);
  return op->kind & 2 ? wait_for(thread, op, 0) : op + 1;
}

static bool barrier_id(struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t *id) {
  *id = (uint32_t)og_vx_scalar(thread, op, &op->source[0]);
  if (thread->state == OG_VX_RUNNING && *id < OG_VX_NAMED_BARRIERS)
    return true;
  if (thread->state == OG_VX_RUNNING)
    og_vx_fault(thread, op, "named barrier %u; there are %d", *id, OG_VX_NAMED_BARRIERS);
  return false;
}

/* nbarrier.signal: id, type, number of producers, of consumers. */
const struct og_vx_op *og_vx_run_named_signal(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t id, rest[3];
  if (!barrier_id(thread, op, &id))
    return NULL;
  for (uint32_t i = 0; i < 3; i++)
    rest[i] = (uint32_t)og_vx_scalar(thread, op, &op->source[1 + i]);
  arrive(thread, id, rest[0], rest[1], rest[2]);
  return thread->state == OG_VX_RUNNING ? op + 1 : NULL;
}

const struct og_vx_op *og_vx_run_named_wait(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t id;
  return barrier_id(thread, op, &id) ? wait_for(thread, op, id) : NULL;
}
