/* convert.h - conversions from and to small floats: the interface between decoding (convert.c) and execution
 * (convert_ops.h, compiled once for each host instruction set). */
#ifndef OG_EXEC_CONVERT_H
#define OG_EXEC_CONVERT_H

#include "base/floats.h"
#include "exec/exec.h"

enum og_convert_flags {
  OG_CONVERT_SCALED = 1,     /* the last source is a float, whose exponent scales */
  OG_CONVERT_STOCHASTIC = 2, /* the source before it, or the last, has random bits */
  OG_CONVERT_APART = 4,      /* two values in two sources */
  OG_CONVERT_WOVEN = 8,      /* even values in one source, odd ones in another */
  OG_CONVERT_BLOCKED = 16,   /* a byte of the last source is an exponent that scales */
};

struct og_conversion_detail {
  uint8_t to, from, count, flags;      /* enum og_element, values, enum og_convert_flags */
  uint8_t from_width, to_width;        /* bits of an element */
  uint8_t from_bit, to_bit;            /* where in their registers the elements begin */
  uint8_t signs[2];                    /* enum og_operand_flags of sources 0 and 1 */
  uint8_t mantissa;                    /* bits of the result's */
  int16_t least_exponent;              /* of a normal result */
  uint8_t scale_lane, scale_byte;      /* of blocks' scales: the first lane and byte, */
  uint8_t scale_step;                  /* and what the second 16 lanes' byte is beyond that */
  bool random_halves;                  /* two values share 32 random bits */
  const struct og_small_float *small;  /* the format of the few bits, NULL: there is none */
};

/* Fills in an operation; false if the instruction is not one of these, or program->refused says why not. */
bool og_prepare_conversion(struct og_program *program, const struct og_inst *inst, struct og_operation *op);

#endif
