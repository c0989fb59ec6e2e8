/* combine.h - shared by the files that make one instruction of several. */
#ifndef OG_CC_COMBINE_H
#define OG_CC_COMBINE_H

#include "cc/select.h"

struct cc_combiner {
  struct cc_function *c;
  uint32_t *made;    /* by register: 1 + the one instruction that writes all of it */
  uint8_t *writes;   /* so many do, 2: more */
  uint32_t *written; /* 1 + the last one up to here */
  uint32_t *reads;
  uint32_t first;    /* of the block */
};

/* A source of an instruction, by its number. */
operand cc_source(const struct cc_combiner *s, const struct cc_inst *i, unsigned k);
/* The instruction in this block that makes an operand, whatever its modifiers; its sources are still what it read.
 * NULL: none. */
const struct cc_inst *cc_any_maker(const struct cc_combiner *s, operand o);
/* Instruction `at` becomes another one with the same result, if that may read these sources. */
bool cc_become(struct cc_combiner *s, uint32_t at, unsigned row, unsigned count, const operand *list);
/* halves.c: an instruction that puts a half beside another, or gives it its sign, goes: what makes the half does so. */
bool cc_join_halves(struct cc_combiner *s, uint32_t at);
/* absorb.c: sources of instruction `at` that were negated, whose sign was taken away, or which were shifted down from
 * a register's upper half, are read so. */
void cc_modify_sources(struct cc_combiner *s, uint32_t at);
/* absorb.c: what was done to a source of instruction `at` becomes a modifier of it. */
void cc_absorb(struct cc_combiner *s, uint32_t at);

#endif
