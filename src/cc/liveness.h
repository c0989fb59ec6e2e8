/* liveness.h - where registers hold values that are still read. */
#ifndef OG_CC_LIVENESS_H
#define OG_CC_LIVENESS_H

#include "cc/machine.h"

/* A run of blocks, by position, at whose ends a register is live. */
struct cc_run {
  uint32_t first, last;
};

struct cc_live_out {
  OG_VECTOR(struct cc_run) runs; /* by rising positions; they do not meet */
};

struct cc_liveness {
  struct cc_function *c;
  struct og_arena *arena; /* holds `out` */
  uint32_t *global;       /* by register: 1 + its number among those that are live in several blocks; 0: it is not */
  uint32_t globals;
  struct cc_live_out *out; /* by that number */
};

/* A bit for each of these dwords of a register, which has up to 32. */
static inline uint32_t cc_dwords_mask(unsigned first, unsigned count) {
  return (uint32_t)(((UINT64_C(1) << count) - 1) << first);
}
/* Finds where registers are live, and the interval of each: its `start` and `end`. */
void cc_find_liveness(struct cc_function *c, struct cc_liveness *l);
void cc_free_liveness(struct cc_liveness *l);
bool cc_is_live_out(const struct cc_liveness *l, uint32_t position, uint32_t reg);
/* `from` becomes the register `to`, which is then live wherever one of them was. */
void cc_join_liveness(struct cc_liveness *l, uint32_t to, uint32_t from);

#endif
