/* combine.h - shared by the files that make one instruction of several. */
#ifndef OG_CC_COMBINE_H
#define OG_CC_COMBINE_H

#include "cc/select.h"

struct cc_combiner {
  struct cc_function *c;
  uint32_t *made;    /* by register: 1 + the instruction that writes all of it, if it is the only one */
  uint8_t *writes;   /* by register: how many write it; 2: or more */
  uint32_t *written; /* by register: 1 + the last one so far that writes it */
  uint32_t *reads;
  uint32_t first;    /* instruction of the block */
};

/* A source of an instruction, by its number. */
operand cc_source(const struct cc_combiner *s, const struct cc_inst *i, unsigned k);
/* The instruction in this block that makes an operand, whatever its modifiers, if its sources still hold what it read.
 * NULL: none. */
const struct cc_inst *cc_any_maker(const struct cc_combiner *s, operand o);
/* Instruction `at` becomes another one with the same result, if that may read these sources. */
bool cc_become(struct cc_combiner *s, uint32_t at, unsigned row, unsigned count, const operand *list);
/* halves.c: removes an instruction that puts a half beside another, or extends its sign: what makes the half does so
 * itself. */
bool cc_join_halves(struct cc_combiner *s, uint32_t at);
/* absorb.c: sources of instruction `at` whose sign was changed or removed before, or which were shifted down from a
 * register's upper half, are read with modifiers instead. */
void cc_modify_sources(struct cc_combiner *s, uint32_t at);
/* absorb.c: what was done to a source of instruction `at` becomes a modifier of `at`. */
void cc_absorb(struct cc_combiner *s, uint32_t at);

#endif
