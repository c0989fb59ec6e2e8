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

/* What og_small_to_float() makes of a format; what that has no bits for is OG_NO_SMALL. */
enum { OG_NO_SMALL = 0x10000 };
struct og_small_source {
  uint32_t width, up, bias, least;          /* bits but the sign; then as an f32 has them */
  uint32_t infinite, least_nan, minus_zero; /* the latter with the sign */
  float unit;                               /* of denormals */
};
/* What og_float_to_small() makes of one. */
struct og_small_result {
  uint32_t width, up; /* bits but the sign; of the mantissa */
  /* As f32 has them: the exponent of the least normal number; what brings an exponent to that of the number whose last
   * place is the result's, with a mantissa that makes up for what exponents differ by (nearest_bits()); what all larger
   * numbers are like. */
  uint32_t least, to_whole, cap;
  uint32_t largest, too_large, of_infinity, nan;
  bool has_minus_zero;
};

struct og_conversion_detail {
  uint8_t to, from, count, flags;      /* enum og_element, values, enum og_convert_flags */
  uint8_t from_width, to_width;        /* bits of an element */
  uint8_t from_bit, to_bit;            /* where in their registers the elements begin */
  uint8_t signs[2];                    /* enum og_operand_flags of sources 0 and 1 */
  uint8_t scale_lane, scale_byte;      /* of blocks' scales: the first lane and byte, */
  uint8_t scale_step;                  /* and what the second 16 lanes' byte is beyond that */
  bool random_halves;                  /* two values share 32 random bits */
  struct og_small_source small_source; /* where values have few bits */
  struct og_small_result small_result[2]; /* where results have; [1]: what is too large is the largest */
};

/* Fills in an operation; false if the instruction is not one of these, or program->refused says why not. */
bool og_prepare_conversion(struct og_program *program, const struct og_inst *inst, struct og_operation *op);

#endif
