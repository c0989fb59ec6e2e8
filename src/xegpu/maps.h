/* maps.h - sources and destinations of elements, for running and lowering operations: tiles turned, in VNNI layout or
 * handed out to lanes, vectors that are moved or reduced. */
#ifndef OG_XEGPU_MAPS_H
#define OG_XEGPU_MAPS_H

#include "xegpu/table.h"

enum { OG_MLIR_SUBGROUP = 16 };

/* The stride of dimension k of a mem_desc: the type's, or as the elements lie one behind the other. */
int64_t og_mlir_matrix_stride(og_mlir_type mem_desc, uint32_t k);

/* ---- tiles ---- */

struct og_mlir_tile {
  uint32_t rows, columns, arrays, elements;
  uint32_t group, factor; /* elements that stay together when turned; VNNI's */
  bool turned, packed, unchecked;
};
/* Of a descriptor's type; how `op`, NULL or a load of `value`, has it. NULL, or why not. */
const char *og_mlir_tile_of(const struct og_mlir_op *op, og_mlir_type tdesc, og_mlir_type value,
                            struct og_mlir_tile *tile);
/* The value's element k is the tile's map[k]; NULL: in order. */
uint32_t *og_mlir_tile_map(struct og_arena *arena, const struct og_mlir_tile *tile);
/* Which elements of a rows x columns tile each lane has: wi_layout lanes across it in rounds, wi_data elements each;
 * without them a column each. `each` of them, lane after lane; NULL: it is not divisible. */
uint32_t *og_mlir_fragment_map(struct og_arena *arena, uint32_t rows, uint32_t columns, og_mlir_attr layout,
                               og_mlir_attr data, uint32_t *each);
/* The same of a descriptor's tile as a load or store has it. */
uint32_t *og_mlir_lane_map(struct og_arena *arena, const struct og_mlir_tile *tile, og_mlir_type tdesc, uint32_t *each);
/* Of dpas' operand `index` of m x k, k x n or m x n elements: as the load handed it out that it comes from. */
uint32_t *og_mlir_dpas_map(struct og_arena *arena, const struct og_mlir_op *dpas, uint32_t index, uint32_t rows,
                           uint32_t columns, uint32_t *each);

/* Whether lanes have fragments of tiles in a kernel, or are told apart by shuffles. */
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
/* Element k of the result is the source's map[k]; of vector.shuffle of both sources, one after the other. */
uint32_t *og_mlir_source_map(struct og_arena *arena, const struct og_mlir_op *op);
/* vector.insert_strided_slice: element k of the part becomes the whole's map[k]. */
uint32_t *og_mlir_insert_map(struct og_arena *arena, const struct og_mlir_op *op);
/* A reduction: element k of the source goes to the result's map[k]. */
uint32_t *og_mlir_target_map(struct og_arena *arena, const struct og_mlir_op *op);
/* The same the other way round: in round r the result's element t takes the source's map[r * results + t]. */
uint32_t *og_mlir_round_map(struct og_arena *arena, const struct og_mlir_op *op, uint32_t *rounds);
uint8_t og_mlir_combining(struct og_text word); /* a reduction's kind as a number, in MLIR's order */

#endif
