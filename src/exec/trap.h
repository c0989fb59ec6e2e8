/* trap.h - trap handlers of the user's own: how waves come to one and return, and what exceptions lead there. */
#ifndef OG_EXEC_TRAP_H
#define OG_EXEC_TRAP_H

#include "exec/group.h"

/* Whether the wave's dispatch has a handler; without, exceptions are nothing and traps are the executor's. */
static inline const struct og_dispatch *og_trap_dispatch(const struct og_wave *wave) {
  const struct og_dispatch *dispatch = wave->group ? wave->group->dispatch : NULL;
  return dispatch && dispatch->handler ? dispatch : NULL;
}

/* Goes to the handler, to which `at` is where the wave was interrupted; `id`: of s_trap, else 0. */
const struct og_operation *og_trap_enter(struct og_wave *wave, const struct og_operation *at, uint32_t id);
/* Does an operation of a wave that has a handler and is not in it, and goes there if it raises what is enabled. */
const struct og_operation *og_trap_step(struct og_wave *wave, const struct og_operation *op, og_handler *handler);
/* After a fault: whether it is one that hardware tells the handler, where the wave then goes on. */
bool og_trap_take_fault(struct og_wave *wave);

/* Hardware registers as a wave with a handler reads and writes them; false: this one is as without. */
bool og_trap_read(struct og_wave *wave, uint32_t id, uint32_t *value);
bool og_trap_write(struct og_wave *wave, uint32_t id, uint32_t value);
/* Before the wave's first instruction. */
void og_trap_start(struct og_wave *wave, const struct og_dispatch *dispatch);

og_handler og_trap_handler, og_rfe, og_rfe_restore, og_sethalt;

#endif
