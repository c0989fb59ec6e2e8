/* waits.h - which memory operations may be outstanding at each place of a function, over all paths. */
#ifndef OG_LINT_WAITS_H
#define OG_LINT_WAITS_H

#include "lint/flow.h"

enum { OG_NO_COUNTER = -1 };

/* Operations that may be outstanding, named by the step that issued them; the function's caller counts as one more
 * step. */
struct og_pendings {
  struct og_pending *items; /* ordered by op */
  uint32_t count, capacity;
  bool reached;
};

struct og_block {
  uint32_t first, last; /* steps */
  int32_t next[2];      /* blocks that may follow; -1: none */
  bool waiting;         /* to be walked again */
  struct og_pendings in;
};

struct og_waits {
  struct og_flow *flow;
  struct og_arena *arena;
  bool is_kernel;
  struct og_transfer caller; /* what may be outstanding when a function begins; for a kernel nothing */
  OG_VECTOR(struct og_block) blocks;
  uint32_t *block_of; /* the block of each step */
  uint8_t most[OG_COUNTERS];
  uint8_t *implied;    /* for each step: the value xcnt has fallen to when it is issued; OG_NO_LIMIT: any value */
  uint32_t off_step;   /* `lint` asks what one wait is for: this step's wait, */
  int off_counter;     /* for this counter, is left out; OG_NO_COUNTER: none is */
};

/* A step that touches a register which an operation still holds. */
struct og_clash {
  uint32_t op, step;
  uint8_t kind;   /* enum og_clash_kind */
  uint16_t place; /* the first such register */
  struct og_pending at; /* the operation's state at that step */
};

struct og_clashes {
  OG_VECTOR(struct og_clash) items; /* ordered by address */
};

void og_waits_make(struct og_waits *waits, struct og_flow *flow, bool is_kernel);
/* Finds what may be outstanding at the beginning of each block. To be called again when off_step or off_counter
 * change. */
void og_waits_solve(struct og_waits *waits);
void og_waits_clashes(struct og_waits *waits, struct og_clashes *clashes);
/* What may be outstanding right before a step; valid until the next call. */
const struct og_pendings *og_waits_before(struct og_waits *waits, uint32_t step, struct og_pendings *room);

const struct og_transfer *og_waits_transfer(const struct og_waits *waits, uint32_t op);
/* Whether it fills registers that may not have their values yet. */
bool og_waits_fills(const struct og_waits *waits, const struct og_pending *pending);
/* How a step and the operation conflict; `place` becomes the register. */
enum og_clash_kind og_waits_clash(const struct og_waits *waits, const struct og_pending *pending, uint32_t step,
                                  uint16_t *place);
/* Follows an operation through the step; false: nothing of it is outstanding any more. */
bool og_waits_pass(const struct og_waits *waits, struct og_pending *pending, uint32_t step);
struct og_pending og_waits_issued(const struct og_waits *waits, uint32_t op);

/* ---- waits_path.c ------------------------------------------------------------------------------------------------ */

/* A path from an operation to a clash with it, or to its end: the blocks on it, and the step in `end`. */
struct og_way {
  bool found, given_up; /* given_up: there are too many ways to try */
  uint32_t end;
  enum og_clash_kind kind;
  uint16_t place;
  OG_VECTOR(uint32_t) blocks;
};
void og_waits_way(struct og_waits *waits, uint32_t op, uint32_t step, struct og_way *way);
/* Searches from step `from` on, with the operation in the given state, for the nearest step after which nothing of it
 * is outstanding. */
void og_waits_next(struct og_waits *waits, struct og_pending pending, uint32_t from, struct og_way *way);

#endif
