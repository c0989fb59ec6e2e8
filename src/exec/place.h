/* place.h - where operands live: byte offsets into struct og_wave. Internal to src/exec.
 *
 * The only way from an operand to a place. The caller says how many dwords its handler touches there, and gets a place
 * only where that many registers of one class follow: an operation that is prepared reaches nothing but registers. */
#ifndef OG_EXEC_PLACE_H
#define OG_EXEC_PLACE_H

#include "exec/exec.h"

/* All are false where `operand` is NULL or none of its kind, or where the registers end before `dwords`. */

/* VGPRs and AGPRs. */
bool og_place_vector(const struct og_operand *operand, unsigned dwords, uint32_t *offset);
/* Scalar registers that are written. What is written to null goes to a place that nobody reads. */
bool og_place_result(const struct og_operand *operand, unsigned dwords, uint32_t *offset);
/* Scalar registers that are read, and constants: OG_S_ZERO's place then, and the value in *constant. */
bool og_place_scalar(const struct og_operand *operand, unsigned dwords, uint32_t *offset, uint64_t *constant);
/* A source of either kind. */
bool og_place_source(const struct og_operand *operand, unsigned dwords, uint32_t *offset, uint64_t *constant);

/* Whether `dwords` from a place on hold a part of EXEC: who writes there calls og_exec_changed(). */
static inline bool og_place_has_exec(uint32_t offset, unsigned dwords) {
  return offset + 4 * dwords - 1 - OG_AT_S(OG_S_EXEC) < 4 * dwords + 7; /* modulo 2^32: one comparison */
}

#endif
