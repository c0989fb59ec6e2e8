/* convert.h - shared by the files that turn a module from one spelling of XeGPU into another. */
#ifndef OG_XEGPU_CONVERT_H
#define OG_XEGPU_CONVERT_H

#include "xegpu/table.h"

struct og_mlir_converter {
  struct og_mlir_module *m;
  struct og_diagnostics *diagnostics;
  enum og_mlir_spelling from, to;
  const struct og_mlir_row *rows[OG_MLIR_OPS]; /* by operation: its row in the target's spelling */
  const struct og_mlir_op *function;           /* the one around the operation at hand */
  bool lanes;                                  /* lanes have fragments of tiles in it */
  OG_VECTOR(og_mlir_type) packed;              /* its tiles that are loaded in VNNI layout */
  struct og_mlir_op **link;                    /* link to the operation at hand: new ones are inserted before it */
  OG_VECTOR(struct og_mlir_op *) casts;        /* casts that were inserted, or replaced operations */
};

static inline bool og_mlir_to_old(const struct og_mlir_converter *c) { return c->to <= OG_MLIR_FIRST; }
/* Reports "'name' op has no counterpart in spelling 19: why"; returns false. */
bool og_mlir_no_counterpart(struct og_mlir_converter *c, const struct og_mlir_op *op, const char *why);

/* ---- changing an operation ---- */
void og_mlir_give(struct og_mlir_converter *c, struct og_mlir_op *op, const char *name, og_mlir_attr value);
void og_mlir_take_away(struct og_mlir_op *op, const char *name);
struct og_mlir_values {
  struct og_mlir_value **values;
  uint32_t count;
};
void og_mlir_set_operands(struct og_mlir_converter *c, struct og_mlir_op *op, const struct og_mlir_values *groups,
                          uint32_t count);
/* Gives an operation the target's row, and its attributes the target's names; adds mode = vc if it has modes. */
bool og_mlir_respell(struct og_mlir_converter *c, struct og_mlir_op *op);

/* ---- inserting before the operation at hand ---- */
struct og_mlir_op *og_mlir_insert(struct og_mlir_converter *c, uint16_t id, const struct og_mlir_values *groups,
                                  uint32_t group_count, og_mlir_type result);
struct og_mlir_value *og_mlir_cast(struct og_mlir_converter *c, struct og_mlir_value *value, og_mlir_type type);
struct og_mlir_value *og_mlir_transposed(struct og_mlir_converter *c, struct og_mlir_value *value,
                                         const int64_t *permutation, uint32_t rank);
struct og_mlir_value *og_mlir_index(struct og_mlir_converter *c, int64_t value);
/* A list of constants and values as values only; a list without constants stays as it is. */
struct og_mlir_values og_mlir_all_values(struct og_mlir_converter *c, og_mlir_attr constants,
                                         struct og_mlir_values dynamic);
/* Inserts a copy of the operation at hand that yields `type` before it; the caller then changes the operation
 * itself. */
struct og_mlir_op *og_mlir_split(struct og_mlir_converter *c, struct og_mlir_op *op, og_mlir_type type);
/* The operation becomes a cast of a value to its result's type. */
void og_mlir_become_cast(struct og_mlir_converter *c, struct og_mlir_op *op, struct og_mlir_value *of);
og_mlir_type og_mlir_vector(struct og_mlir_converter *c, const int64_t *shape, uint32_t rank, og_mlir_type element);
og_mlir_attr og_mlir_struct(struct og_mlir_converter *c, const char *name, const og_mlir_attr *parts, uint32_t count);

bool og_mlir_convert_nd(struct og_mlir_converter *c, struct og_mlir_op *op, bool *known);
bool og_mlir_convert_scatter(struct og_mlir_converter *c, struct og_mlir_op *op, bool *known);

#endif
