/* maps.h - sources and destinations of elements, for running and for lowering operations: tiles that are transposed, in
 * VNNI layout or distributed to lanes; vectors whose elements are moved or reduced. */
#ifndef OG_XEGPU_MAPS_H
#define OG_XEGPU_MAPS_H

#include "xegpu/table.h"

enum { OG_MLIR_SUBGROUP = 16 };

/* The stride of dimension k of a mem_desc: the type's, or that of elements directly one after the other. */
int64_t og_mlir_matrix_stride(og_mlir_type mem_desc, uint32_t k);

/* ---- tiles ---- */

struct og_mlir_tile {
  uint32_t rows, columns, arrays, elements;
  uint32_t group, factor; /* how many elements stay together in a transposition; VNNI's factor */
  bool turned, packed, unchecked;
};
/* The tile of a descriptor's type, as `op` (NULL, or a load of `value`) accesses it. Returns NULL, or why it cannot. */
const char *og_mlir_tile_of(const struct og_mlir_op *op, og_mlir_type tdesc, og_mlir_type value,
                            struct og_mlir_tile *tile);
/* The value's element k is the tile's map[k]; NULL: in order. */
uint32_t *og_mlir_tile_map(struct og_arena *arena, const struct og_mlir_tile *tile);
/* Which elements of a rows x columns tile each lane has: rounds of wi_layout lanes across it, each with wi_data
 * elements; without these a column each. Lane after lane, `each` elements; NULL: it cannot be divided so. */
uint32_t *og_mlir_fragment_map(struct og_arena *arena, uint32_t rows, uint32_t columns, og_mlir_attr layout,
                               og_mlir_attr data, uint32_t *each);
/* The same for a descriptor's tile as a load or store accesses it. */
uint32_t *og_mlir_lane_map(struct og_arena *arena, const struct og_mlir_tile *tile, og_mlir_type tdesc, uint32_t *each);
/* The same for operand `index` of dpas, with m x k, k x n or m x n elements, as the load distributed it from which it
 * comes. */
uint32_t *og_mlir_dpas_map(struct og_arena *arena, const struct og_mlir_op *dpas, uint32_t index, uint32_t rows,
                           uint32_t columns, uint32_t *each);

/* Whether lanes have fragments of tiles in a kernel, or shuffles tell them apart. */
bool og_mlir_has_fragments(const struct og_mlir_region *region);

/* ---- scattered accesses ---- */

struct og_mlir_access {
  struct og_mlir_value *place, *offsets, *mask; /* descriptor or base; NULL: it has none */
  uint32_t lanes, chunk;
  bool tdesc, turned; /* turned: the value is chunk x lanes */
};
void og_mlir_access_of(const struct og_mlir_op *op, struct og_mlir_access *access);

/* ---- vectors ---- */

uint32_t og_mlir_count(og_mlir_type t); /* elements; 1 of a scalar */
/* Element k of the result is the source's map[k]; for vector.shuffle the sources are counted one behind the other. */
uint32_t *og_mlir_source_map(struct og_arena *arena, const struct og_mlir_op *op);
/* vector.insert_strided_slice: element k of the part becomes the whole's map[k]. */
uint32_t *og_mlir_insert_map(struct og_arena *arena, const struct og_mlir_op *op);
/* A reduction: element k of the source goes to the result's map[k]. */
uint32_t *og_mlir_target_map(struct og_arena *arena, const struct og_mlir_op *op);
/* The reverse: in round r the result's element t takes the source's map[r * results + t]. */
uint32_t *og_mlir_round_map(struct og_arena *arena, const struct og_mlir_op *op, uint32_t *rounds);
uint8_t og_mlir_combining(struct og_text word); /* a reduction's kind as a number, in MLIR's order */

#endif
