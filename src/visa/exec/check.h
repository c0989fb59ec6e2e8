/* check.h - checks of a running kernel: registers that were never written (check.c), accesses that nothing orders
   (race.c), barriers that not all channels reach together. A finding is reported once for each instruction, and the run
   goes on. */
#ifndef OG_VISA_EXEC_CHECK_H
#define OG_VISA_EXEC_CHECK_H

#include "visa/exec/exec.h"

enum og_vx_access { OG_VX_READ, OG_VX_WRITE, OG_VX_ATOMIC_READ, OG_VX_ATOMIC_WRITE };

enum og_vx_finding { OG_VX_UNDEFINED, OG_VX_RACE, OG_VX_DIVERGENT, OG_VX_BEYOND };
/* Whether a finding counts; `tell`: it is also reported. */
typedef bool og_vx_report_fn(void *context, struct og_vx_thread *thread, const struct og_vx_op *op,
                             enum og_vx_finding kind, const char *what, bool tell);

struct og_vx_check {
  struct og_arena *arena;
  og_vx_report_fn *report;
  void *context;
  uint8_t *private_memory; /* where private memory begins: no thread shares it, and what it holds is not followed */
  size_t private_size;
  struct og_map told; /* operations that have been reported, by kind */
  uint32_t findings;
  const struct og_vx_op *op; /* the one that runs */
  struct og_vx_races *races;
};

/* Reports `op`, unless that was done before. If there are too many, they are only counted. */
void og_vx_find(struct og_vx_thread *thread, const struct og_vx_op *op, enum og_vx_finding kind, const char *format,
                ...)
    OG_PRINTF(4, 5);

/* ---- registers (check.c) ---- */

size_t og_vx_defined_size(const struct og_vx_program *program);
void og_vx_defined_place(struct og_vx_thread *thread, const struct og_vx_program *program, uint8_t *memory);
/* At a thread's start only that is defined which the machine and the payload fill in. */
void og_vx_defined_reset(struct og_vx_thread *thread);
void og_vx_define(struct og_vx_thread *thread, uint32_t offset, uint32_t size);
void og_vx_undefine(struct og_vx_thread *thread, uint32_t offset, uint32_t size);
/* Before an operation runs. */
void og_vx_check_op(struct og_vx_thread *thread, const struct og_vx_op *op);
/* A piece of a message that moves between memory and registers; either may be NULL. */
void og_vx_check_move(struct og_vx_thread *thread, const uint8_t *memory, const uint8_t *registers, uint32_t size,
                      uint32_t container, bool store);

/* ---- races (race.c) ---- */

struct og_vx_races *og_vx_races_new(struct og_arena *arena, uint64_t group_count, uint32_t thread_capacity);
void og_vx_races_free(struct og_vx_races *races);
void og_vx_races_start_group(struct og_vx_races *races);
void og_vx_race_access(struct og_vx_thread *thread, const uint8_t *memory, uint32_t size, enum og_vx_access access);
/* What was done before a signal comes before what is done behind a wait for it. */
void og_vx_race_signal(struct og_vx_thread *thread, uint32_t barrier, bool producer, bool complete);
void og_vx_race_wait(struct og_vx_thread *thread, uint32_t barrier);

#endif
