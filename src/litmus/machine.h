/* machine.h - the machine that litmus tests run on: threads in their places, operations that were issued, registers and
 * memory as one state that can be copied and compared. Internal to the search. */
#ifndef OG_LITMUS_MACHINE_H
#define OG_LITMUS_MACHINE_H

#include "litmus/litmus.h"

enum { OG_LITMUS_ENTRIES = 48, OG_LITMUS_NO_PLACE = 255 };

/* An operation that was issued and has not been told of by all its counters. */
struct og_litmus_entry {
  uint8_t thread, inst, place, node;
  uint8_t performed, shift; /* bits from the place's lowest on */
  uint64_t data[2];
};

struct og_litmus_state {
  uint8_t pc[OG_LITMUS_THREADS];
  uint8_t entries;
  uint32_t reg[OG_LITMUS_THREADS][OG_LITMUS_REGISTERS];
  struct og_weak_place place[OG_LITMUS_PLACES];
  struct og_litmus_entry entry[OG_LITMUS_ENTRIES];
};

struct og_litmus_machine {
  struct og_arena *arena;
  const struct og_litmus_test *test;
  struct og_weak_system system;
  uint8_t node[OG_LITMUS_THREADS], scalar[OG_LITMUS_THREADS]; /* caches that a thread's accesses meet first */
  bool shared[OG_LITMUS_THREADS];                             /* with another thread */
  const char *fault;                                          /* or NULL */
};

void og_litmus_place_threads(struct og_litmus_machine *m);
/* Whether the thread's wait is not satisfied. */
bool og_litmus_is_waiting(const struct og_litmus_machine *m, const struct og_litmus_state *state, unsigned thread,
                          const struct og_weak_inst *wait);
uint32_t og_litmus_value(const struct og_litmus_state *state, unsigned thread, struct og_litmus_source source);
/* Issues the thread's next instruction, a memory operation or what writes caches back. */
void og_litmus_issue(struct og_litmus_machine *m, struct og_litmus_state *state, unsigned thread);
void og_litmus_invalidate(const struct og_litmus_machine *m, struct og_litmus_state *state, unsigned thread,
                          const struct og_weak_inst *weak);
/* Whether nothing that was issued before an operation is in its way. */
bool og_litmus_is_first(const struct og_litmus_machine *m, const struct og_litmus_state *state, unsigned at);
/* Versions among which it has a choice, a bit each; 1 where it has none. */
unsigned og_litmus_choices(const struct og_litmus_machine *m, const struct og_litmus_state *state,
                           const struct og_litmus_entry *e);
void og_litmus_perform(const struct og_litmus_machine *m, struct og_litmus_state *state, unsigned at, unsigned version);

static inline const struct og_litmus_inst *og_litmus_inst_of(const struct og_litmus_machine *m,
                                                             const struct og_litmus_entry *e) {
  return &m->test->thread[e->thread].insts[e->inst];
}

#endif
