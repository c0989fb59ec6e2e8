/* liveness.h - where registers hold what is still to be read. */
#ifndef OG_CC_LIVENESS_H
#define OG_CC_LIVENESS_H

#include "cc/machine.h"

struct cc_liveness {
  struct cc_function *c;
  uint32_t *global; /* by register: 1 + its bit, of those that live in several blocks */
  uint32_t globals, words;
  uint64_t *in, *out, *reads, *writes; /* by position: a bit for each */
  uint32_t *written;                   /* by register: dwords that what is behind writes before it reads any */
  uint32_t *stamp;                     /* by register: 1 + position where `written` counts */
};

/* A bit for each dword of a register, of which it has up to 32. */
static inline uint32_t cc_dwords_mask(unsigned first, unsigned count) {
  return (uint32_t)(((UINT64_C(1) << count) - 1) << first);
}
void cc_find_liveness(struct cc_function *c, struct cc_liveness *l); /* and the interval of each register */
static inline bool cc_is_live_out(const struct cc_liveness *l, uint32_t position, uint32_t reg) {
  uint32_t bit = l->global[reg] - 1;
  return l->global[reg] && l->out[(size_t)position * l->words + bit / 64] >> bit % 64 & 1;
}

#endif
