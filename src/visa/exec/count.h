/* count.h - counts operations for the statistics. */
#ifndef OG_VISA_EXEC_COUNT_H
#define OG_VISA_EXEC_COUNT_H

#include "visa/exec/exec.h"

/* Counts one operation that is about to run. */
void og_vx_count(struct og_vx_thread *thread, const struct og_vx_op *op);
/* Counts an operation that is about to run, and those that it stands for. If all channels are on, only `runs` grows,
   which og_vx_count_runs() turns into counts at the end. */
static inline void og_vx_count_run(struct og_vx_thread *thread, const struct og_vx_op *op) {
  if (!og_vx_all(thread, op) && og_vx_enabled(thread, op) != op->full) {
    og_vx_count(thread, op);
    return;
  }
  thread->runs[op->number]++;
  if (op->conflicts)
    thread->counts->events.bank_conflicts += thread->alu->bank_conflicts(
        thread->base[OG_VX_REGISTERS] + op->message->addresses, op->exec_size, op->full);
}

/* How many operations the program and all functions have, which is the size of `runs`. */
uint32_t og_vx_count_size(const struct og_vx_program *program);
void og_vx_count_runs(const struct og_vx_program *program, const uint64_t *runs, struct og_visa_counts *counts);
/* Numbers a program's operations from `first` on, and marks those whose bank conflicts are counted. */
void og_vx_count_prepare(struct og_vx_program *program, uint32_t first);

#endif
