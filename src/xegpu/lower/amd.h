/* amd.h - shared by the files that lower to AMD's processors: kernels as LLVM IR, for src/cc or another compiler. A
 * wave is a subgroup. Element e of a vector is in lane e % wave of the vector's part e / wave; scalars are the same in
 * all lanes. Elements go from lane to lane through LDS that each wave has for itself. In a kernel whose lanes have
 * fragments (`lanes`), lane l of the wave is the subgroup's lane l % 16: each 16 lanes do the same, and only the first
 * 16 store; a vector belongs to one lane, and its element e is part e. */
#ifndef OG_XEGPU_LOWER_AMD_H
#define OG_XEGPU_LOWER_AMD_H

#include "xegpu/exec/exec.h"
#include "xegpu/lower/lower.h"

enum og_xa_kind { OG_XA_NOTHING, OG_XA_ELEMENTS, OG_XA_MEMREF, OG_XA_TILE, OG_XA_POINTS, OG_XA_BARRIER };

struct og_xa_memref {
  const char *base;                                                  /* ptr addrspace(1), or (3) */
  const char *sizes[OG_MLIR_RANK_MOST], *strides[OG_MLIR_RANK_MOST]; /* i64, in elements */
  uint32_t rank;
  bool slm;
};
struct og_xa_value {
  uint8_t kind, type; /* enum og_xe_type; bfloats are i16 */
  uint32_t count, parts;
  bool vector;
  const char **names; /* of parts; of a TILE: row, column; of POINTS: offsets in elements from the memref's base, i64 */
  const struct og_xa_memref *memref;
  bool unbounded;
};

struct og_xa {
  const struct og_mlir_module *module;
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  const struct og_mlir_op *kernel;
  struct og_buffer globals, entry, body;   /* entry: code for the kernel's start */
  OG_VECTOR(struct og_xa_value) values;    /* value->slot is 1 + the index */
  uint32_t wave, each;                     /* lanes of a wave; elements of a part: as many as lanes, or 1 */
  uint32_t names, labels, tables, scratch; /* scratch: bytes of LDS that each wave needs */
  uint32_t waves;                          /* of a work-group, at most */
  const char *block;                       /* label of the block that is being written */
  bool vc, lanes, wmma, deep_int8, failed; /* wmma: gfx11's; deep_int8: gfx942's product of 32 bytes */
};

bool og_xa_refuse(struct og_xa *x, const struct og_mlir_op *op, const char *why);
struct og_xa_value *og_xa_of(struct og_xa *x, struct og_mlir_value *value);
struct og_xa_value og_xa_new(struct og_xa *x, og_mlir_type type); /* with room for the parts' names */
struct og_xa_value *og_xa_elements(struct og_xa *x, struct og_mlir_value *value);
void og_xa_set(struct og_xa *x, struct og_mlir_value *value, struct og_xa_value v);
const char *og_xa_type(uint8_t type);                                             /* LLVM's */
const char *og_xa_emit(struct og_xa *x, const char *format, ...) OG_PRINTF(2, 3); /* writes %t = …; returns its name */
void og_xa_line(struct og_xa *x, const char *format, ...) OG_PRINTF(2, 3);
const char *og_xa_text(struct og_xa *x, const char *format, ...) OG_PRINTF(2, 3);
void og_xa_begin(struct og_xa *x, const char *label); /* begins a block */
const char *og_xa_label(struct og_xa *x);
const char *og_xa_number(struct og_xa *x, struct og_mlir_value *value); /* a scalar as i64 */
uint32_t og_xa_list(struct og_xa *x, const struct og_mlir_op *op, const char *constants, const char *group,
                    const char **to);
const char *og_xa_element(struct og_xa *x, uint32_t part); /* i32: number of the element that a lane has there */
bool og_xa_is_float(uint8_t type);

/* Collects element k of a vector; at the first one of a part there may be nothing yet. */
void og_xa_collect(struct og_xa *x, struct og_xa_value *v, uint32_t k, const char *value);

/* Memory: an element at an offset from a base, in elements. `in` says whether it is accessed: if not, a load yields
 * zero, and a store leaves memory as it is. */
const char *og_xa_load(struct og_xa *x, const struct og_xa_memref *m, uint8_t type, const char *offset, const char *in);
void og_xa_store(struct og_xa *x, const struct og_xa_memref *m, uint8_t type, const char *offset, const char *in,
                 const char *value);
const char *og_xa_pointer(struct og_xa *x, const struct og_xa_memref *m, uint8_t type, const char *offset);
const struct og_xa_memref *og_xa_memref_of(struct og_xa *x, struct og_mlir_value *value); /* NULL: it is no memref */
const char *og_xa_sum(struct og_xa *x, const char *a, const char *b);                     /* i64 */
const char *og_xa_product(struct og_xa *x, const char *a, const char *b);
/* The offset of an element, counted from the base. */
const char *og_xa_place(struct og_xa *x, const struct og_xa_memref *m, struct og_mlir_value *const *indices,
                        uint32_t count);
const char *og_xa_wide(struct og_xa *x, const char *name);             /* i32 to i64 */
const char *og_xa_both(struct og_xa *x, const char *a, const char *b); /* i1; NULL is true */
/* Whether a lane has an element in the part (NULL: every lane has); and whether it is the lane that stores it. */
const char *og_xa_has(struct og_xa *x, const struct og_xa_value *v, uint32_t part);
const char *og_xa_stores(struct og_xa *x, const struct og_xa_value *v, uint32_t part);

/* Puts all elements of a vector into LDS, in order; reads one back by its number (i32). */
void og_xa_spread(struct og_xa *x, const struct og_xa_value *v);
const char *og_xa_fetch(struct og_xa *x, uint8_t type, const char *index);
void og_xa_put(struct og_xa *x, uint8_t type, const char *index, const char *value);
void og_xa_settle(struct og_xa *x); /* makes what was put there visible to the wave's lanes */
const char *og_xa_table(struct og_xa *x, const uint32_t *numbers, uint32_t count); /* a constant array of i32 */
/* The number in a table at an i32. */
const char *og_xa_look_up(struct og_xa *x, const char *table, const char *at);
struct og_xa_value og_xa_permute(struct og_xa *x, og_mlir_type to, const struct og_xa_value *from, const uint32_t *map);

const char *og_xa_to_float(struct og_xa *x, uint8_t type, const char *value); /* of f16, bf16 */
const char *og_xa_from_float(struct og_xa *x, uint8_t type, const char *value);
const char *og_xa_combine(struct og_xa *x, uint8_t kind, uint8_t type, const char *a, const char *b);

bool og_xa_region(struct og_xa *x, struct og_mlir_region *region);
bool og_xa_arith(struct og_xa *x, struct og_mlir_op *op, bool *known);
bool og_xa_vector(struct og_xa *x, struct og_mlir_op *op, bool *known);
bool og_xa_memory(struct og_xa *x, struct og_mlir_op *op, bool *known);
bool og_xa_scatter(struct og_xa *x, struct og_mlir_op *op, bool *known);
bool og_xa_lanes(struct og_xa *x, struct og_mlir_op *op, bool *known);
bool og_xa_dpas(struct og_xa *x, struct og_mlir_op *op);
void og_xa_declare(struct og_buffer *out); /* the functions that the text calls */

#endif
