/* chain.c - loads and stores of dwords whose 64-bit addresses are made of 32-bit indices directly before, all run at
   once: compilers write such code for every array. The addresses of channels are never made; their indices are compared
   with the size of the buffer behind the base. */
#include "visa/exec/exec.h"

/* Runs the operations one after the other, as if they were no chain. */
static __attribute__((noinline)) const struct og_vx_op *run_each(struct og_vx_thread *thread,
                                                                 const struct og_vx_op *op) {
  const struct og_vx_op *end = op + op->chain->length;
  thread->instructions += op->chain->length - 1u;
  while (op && op != end)
    op = op->single(thread, op);
  return op;
}

/* The largest index from an address on that stays within memory which the message may access, and within 2 GB; false:
   none does. */
static bool find_reach(const struct og_vx_thread *thread, const struct og_vx_op *op, uint64_t base,
                       struct og_vx_reach *reach) {
  const struct og_vx_chain *chain = op->chain;
  const struct og_vx_group *group = thread->group;
  uint32_t bytes = 4 * chain->shape.components;
  for (uint32_t i = 0; i < group->range_count; i++) {
    const struct og_vx_range *range = &group->ranges[i];
    uint64_t into = base - range->base, end = chain->store ? range->size : range->readable;
    if (into > end || bytes > end - into || (chain->store && !range->writable))
      continue;
    *reach = (struct og_vx_reach){op, base,
                                  (uint32_t)(OG_MIN(end - into - bytes, (uint64_t)INT32_MAX) >> chain->shape.shift)};
    return true;
  }
  return false;
}

const struct og_vx_op *og_vx_run_chain(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_chain *chain = op->chain;
  if (!og_vx_all(thread, op))
    return op->single(thread, op);
  uint8_t *registers = thread->base[OG_VX_REGISTERS], *data = registers + chain->data,
          *indices = registers + chain->index;
  uint64_t base = og_load64(thread->base[chain->base_in] + chain->base);
  struct og_vx_reach *reach = &thread->reaches[op->number % OG_VX_REACHES];
  if ((reach->op != op || reach->base != base) && !find_reach(thread, op, base, reach))
    return run_each(thread, op);
  void *memory = (void *)(uintptr_t)base; /* taken as unsigned, negative indices are too large */
  if (chain->store ? !thread->alu->store_indexed(data, indices, op->exec_size, memory, reach->most, &chain->shape)
                   : !thread->alu->load_indexed(data, indices, op->exec_size, memory, reach->most, &chain->shape))
    return run_each(thread, op);
  thread->instructions += chain->length - 1u;
  return op + chain->length;
}
