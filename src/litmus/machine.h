/* machine.h - the machine that litmus tests run on: threads and their caches, issued operations, registers, and memory,
 * as one state that can be copied and compared. Internal to the search. */
#ifndef OG_LITMUS_MACHINE_H
#define OG_LITMUS_MACHINE_H

#include "litmus/litmus.h"

enum { OG_LITMUS_ENTRIES = 48, OG_LITMUS_NO_PLACE = 255 };

/* An operation that was issued and that some counter may still count. */
struct og_litmus_entry {
  uint8_t thread, inst, place, node;
  uint8_t performed, shift; /* `shift`: its first bit in the place */
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
  uint8_t node[OG_LITMUS_THREADS], scalar[OG_LITMUS_THREADS]; /* the caches that a thread's accesses reach first */
  bool shared[OG_LITMUS_THREADS];                             /* it shares one of them with another thread */
  const char *fault;                                          /* or NULL */
};

void og_litmus_place_threads(struct og_litmus_machine *m);
/* Whether the thread has to go on waiting. */
bool og_litmus_is_waiting(const struct og_litmus_machine *m, const struct og_litmus_state *state, unsigned thread,
                          const struct og_weak_inst *wait);
uint32_t og_litmus_value(const struct og_litmus_state *state, unsigned thread, struct og_litmus_source source);
/* Issues the thread's next instruction, which accesses memory or writes caches back. */
void og_litmus_issue(struct og_litmus_machine *m, struct og_litmus_state *state, unsigned thread);
void og_litmus_invalidate(const struct og_litmus_machine *m, struct og_litmus_state *state, unsigned thread,
                          const struct og_weak_inst *weak);
/* Whether an operation can be performed now: nothing that was issued before it has to be done first. */
bool og_litmus_is_first(const struct og_litmus_machine *m, const struct og_litmus_state *state, unsigned at);
/* The versions that it may find, one bit each; 1 if there is no choice. */
unsigned og_litmus_choices(const struct og_litmus_machine *m, const struct og_litmus_state *state,
                           const struct og_litmus_entry *e);
void og_litmus_perform(const struct og_litmus_machine *m, struct og_litmus_state *state, unsigned at, unsigned version);

static inline const struct og_litmus_inst *og_litmus_inst_of(const struct og_litmus_machine *m,
                                                             const struct og_litmus_entry *e) {
  return &m->test->thread[e->thread].insts[e->inst];
}

#endif
