/* matrix.h - matrix instructions: the interface between decoding (matrix.c), which lays matrices out, and
 * multiplication (matrix_ops.h, compiled once for each host instruction set). */
#ifndef OG_EXEC_MATRIX_H
#define OG_EXEC_MATRIX_H

#include "exec/exec.h"
#include "isa/matrix.h"

enum {
  OG_MATRIX_DEPTH = 128, /* the most that is summed */
  OG_MATRIX_GROUP = 32,  /* products that are summed before they are rounded, at most */
  OG_MATRIX_SIDE = 64,   /* rows of A (columns of B) of all blocks together, at most */
  OG_MATRIX_CHUNK = 512, /* elements of A or B that are multiplied at a time; of scaled ones those of a block */
  OG_MATRIX_RESULTS = 32, /* elements of D that a lane gets, at most */
};

/* How products are summed (docs/exactness.md says for whom and why). */
enum og_matrix_sum {
  OG_SUM_FUSED,     /* one after the other by fused multiply-add */
  OG_SUM_INTEGER,
  OG_SUM_EXACT,     /* groups with what was summed before: exactly, rounded once */
  OG_SUM_PAIRWISE,  /* groups in a tree, then added; denormals are zero */
  OG_SUM_TRUNCATED, /* groups in fixed point below the largest product */
  OG_SUM_ALTERNATE, /* so, but the even and the odd products of a group apart */
  OG_SUM_SCALED,    /* blocks exactly, times their scales, added with one rounding */
};

/* Where neighbouring rows of A or columns of B have their element of one k. */
struct og_matrix_place {
  uint16_t at;         /* dwords behind the first register's first lane: the register and the first of the lanes */
  uint8_t shift, item; /* the element's lowest bit in the dword; which of its lane's elements it is */
};

/* Where A or B stands: lane by lane the rows of A or columns of B. */
struct og_matrix_side {
  uint32_t at;          /* byte offset of the first register */
  uint8_t element, width; /* enum og_element, resolved; bits */
  uint8_t lanes, parts; /* rows or columns beside each other in a wave, and so many times more behind them */
  uint8_t side;         /* rows or columns of all blocks: lanes * parts */
  uint8_t items;        /* elements that a lane holds; what stands in lanes that no place names is not read */
  int8_t least_exponent; /* of a normal element */
  bool fnuz, is_signed, moved;
  uint8_t negate;       /* bit 0: elements at even k, bit 1: at odd k */
  struct og_matrix_place place[2][OG_MATRIX_DEPTH]; /* by part and k; of sparse A each four k have their two elements
                                                       first */
  uint8_t lane[OG_LANES]; /* which lane is read in the place of each, if `moved` */
};

struct og_matrix_scale {
  uint32_t at;      /* byte offset of the register, or of a scalar one */
  bool is_vector, by_lane_group; /* the latter: lanes are those of rows, then those of the next block of k */
  uint8_t shift, format; /* bits below the first scale; E8M0, E5M3, E4M3 */
  uint8_t first_lane;
  uint32_t constant; /* added to a scalar */
};

struct og_matrix_plan {
  struct og_matrix_side a, b;
  const struct og_matrix *facts;
  uint8_t sum, group;     /* enum og_matrix_sum; products in a group or block */
  uint8_t step;           /* so many k are multiplied together: whole groups */
  uint8_t mantissas;      /* bits behind the point of a product */
  uint8_t d, c;           /* enum og_element */
  uint8_t results;        /* elements of D in a lane */
  bool sum_is_chosen;     /* hardware's order of sums is neither documented nor measured */
  bool one_to_register;   /* an element of D fills a register, whatever its type: gfx11 */
  bool uniform;           /* 16 lanes have elements of one row and neighbouring columns */
  bool saturates, ovfl_saturates; /* integers always; any result where MODE.FP16_OVFL is set */
  bool flushes_by_mode;   /* MODE's denormal control counts */
  bool constant_c, half_high;
  uint8_t c_negate, c_absolute;
  uint8_t index_shift;    /* of a sparse A's index */
  uint32_t c_at, d_at, index_at;
  uint64_t c_constant;
  uint16_t row[OG_MATRIX_RESULTS][OG_LANES], column[OG_MATRIX_RESULTS][OG_LANES]; /* of each element of D */
  struct og_matrix_scale scale_a, scale_b;
};

/* One element of D from its row and column, in any circumstances: NaN, infinities, all magnitudes. `scale`: of each
 * block; NULL: 1. */
float og_matrix_careful(const struct og_matrix_plan *plan, const float *a, const float *b, unsigned depth,
                        const double *scale, float c);

/* Fills in an operation; false with program->refused where it cannot. */
bool og_prepare_matrix(struct og_program *program, const struct og_inst *inst, const struct og_matrix *facts,
                       struct og_operation *op);

#endif
