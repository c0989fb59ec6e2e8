/* count.c - counts for the statistics of vISA: instructions by class, channels, bytes by space, bank conflicts. */
#include "visa/exec/count.h"

static bool is_atomic(const struct og_vx_op *op) {
  return op->run == og_vx_run_atomic || op->run == og_vx_run_typed_atomic;
}

static uint64_t message_bytes(const struct og_vx_op *op, uint64_t channels) {
  const struct og_vx_message *message = op->message;
  bool image = op->class == OG_VISA_CLASS_IMAGE; /* its components are a mask */
  if (op->run == og_vx_run_media)
    return (uint64_t)message->block_width * message->block_height;
  if (op->run == og_vx_run_block)
    return message->block;
  if (op->run == og_vx_run_block2d)
    return (uint64_t)message->size * message->blocks * message->block_width * message->block_height;
  return channels * message->size *
         (image ? (uint64_t)__builtin_popcount(message->components) : (uint64_t)message->components);
}

/* Counts `times` runs with so many channels each, without bank conflicts. */
static void count(const struct og_vx_op *op, uint32_t channels, uint64_t times, struct og_visa_counts *counts) {
  static const uint8_t spaces[] = {[OG_VX_FLAT] = OG_VISA_SPACE_GLOBAL,     [OG_VX_SLM] = OG_VISA_SPACE_SLM,
                                   [OG_VX_SCRATCH] = OG_VISA_SPACE_SCRATCH, [OG_VX_SURFACE] = OG_VISA_SPACE_SURFACE,
                                   [OG_VX_TABLE] = OG_VISA_SPACE_SURFACE,   [OG_VX_BINDLESS] = OG_VISA_SPACE_SURFACE};
  counts->instructions[op->class] += times;
  counts->events.lanes += times * channels;
  counts->events.lane_slots += times * op->exec_size;
  if (op->run == og_vx_run_barrier || op->run == og_vx_run_named_wait)
    counts->events.barriers += times;
  if (op->run == og_vx_run_atomic)
    counts->events.atomics += times * channels;
  if (!op->message || op->class == OG_VISA_CLASS_DPAS || !channels)
    return;
  uint64_t bytes = times * message_bytes(op, channels);
  if (op->message->store || is_atomic(op))
    counts->bytes_written[spaces[op->message->space]] += bytes;
  if (!op->message->store)
    counts->bytes_read[spaces[op->message->space]] += bytes;
}

void og_vx_count(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t enabled = og_vx_enabled(thread, op);
  count(op, enabled == op->full ? op->exec_size : (uint32_t)__builtin_popcount(enabled), 1, thread->counts);
  if (op->conflicts && enabled)
    thread->counts->events.bank_conflicts += thread->alu->bank_conflicts(
        thread->base[OG_VX_REGISTERS] + op->message->addresses, op->exec_size, enabled);
}

void og_vx_count_prepare(struct og_vx_program *program, uint32_t first) {
  for (uint32_t i = 0; i < program->op_count; i++) {
    struct og_vx_op *op = &program->ops[i];
    const struct og_vx_message *message = op->message;
    op->number = first + i;
    op->conflicts = message && message->space == OG_VX_SLM && op->class != OG_VISA_CLASS_DPAS &&
                    (is_atomic(op) || op->run == og_vx_run_gather || op->run == og_vx_run_shared_dwords) &&
                    !message->strided && message->address_size == 4 && message->scale == 1 &&
                    message->addresses % 4 == 0;
  }
}

uint32_t og_vx_count_size(const struct og_vx_program *program) {
  uint32_t size = program->op_count;
  for (uint32_t i = 0; i < program->functions->items.count; i++)
    size += program->functions->items.items[i]->op_count;
  return size;
}

static void count_program(const struct og_vx_program *program, const uint64_t *runs, struct og_visa_counts *counts) {
  for (uint32_t i = 0; i < program->op_count; i++) {
    uint32_t length = program->ops[i].chain ? program->ops[i].chain->length : 1;
    uint64_t times = runs[program->ops[i].number];
    for (uint32_t k = 0; times && k < length; k++)
      count(&program->ops[i + k], program->ops[i + k].exec_size, times, counts);
  }
}

void og_vx_count_runs(const struct og_vx_program *program, const uint64_t *runs, struct og_visa_counts *counts) {
  count_program(program, runs, counts);
  for (uint32_t i = 0; i < program->functions->items.count; i++)
    count_program(program->functions->items.items[i], runs, counts);
}
