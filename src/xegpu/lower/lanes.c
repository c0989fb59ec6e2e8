/* lanes.c - lowers kernels whose lanes have fragments of tiles to vISA: a vector holds those of all sixteen lanes,
 * element by element, so that columns for the lanes are the tile itself; scalars are the same in all lanes. */
#include "xegpu/lower/visa.h"
#include "xegpu/maps.h"

/* Place k of the fragments has the tile's element order[k]. */
static uint32_t *order_of(struct og_xv *x, const uint32_t *map, uint32_t each) {
  uint32_t *order = OG_NEW_ARRAY(x->arena, uint32_t, each * OG_MLIR_SUBGROUP + 1);
  for (uint32_t k = 0; k < each * OG_MLIR_SUBGROUP; k++)
    order[k] = map[k % OG_MLIR_SUBGROUP * each + k / OG_MLIR_SUBGROUP];
  return order;
}

void og_xv_hand_out(struct og_xv *x, struct og_xv_ref to, struct og_xv_ref tile, const uint32_t *map, uint32_t each) {
  og_xv_permute(x, to, tile, order_of(x, map, each), each * OG_MLIR_SUBGROUP);
}

struct og_xv_ref og_xv_collect(struct og_xv *x, struct og_xv_ref fragments, const uint32_t *map, uint32_t each) {
  uint32_t count = each * OG_MLIR_SUBGROUP, *order = order_of(x, map, each),
           *back = OG_NEW_ARRAY(x->arena, uint32_t, count + 1);
  bool same = true;
  for (uint32_t k = 0; k < count; k++) {
    same &= order[k] == k;
    back[order[k]] = k;
  }
  if (same || fragments.immediate)
    return og_xv_register(x, fragments, count);
  struct og_xv_ref tile = og_xv_new(x, fragments.type, count);
  og_xv_permute(x, tile, fragments, back, count);
  return tile;
}

/* Whether an operation would differ from lane to lane, or moves elements within a lane's vector. */
bool og_xv_is_of_one_lane(const struct og_mlir_op *op) {
  switch (op->row->id) {
  case OG_MLIR_OP_LANE_ID:
  case OG_MLIR_OP_THREAD_ID:
  case OG_MLIR_OP_GLOBAL_ID:
  case OG_MLIR_OP_TRANSPOSE:
  case OG_MLIR_OP_EXTRACT_SLICE:
  case OG_MLIR_OP_VECTOR_SHUFFLE:
  case OG_MLIR_OP_INSERT_SLICE:
  case OG_MLIR_OP_EXTRACT:
  case OG_MLIR_OP_EXTRACTELEMENT:
  case OG_MLIR_OP_INSERT:
  case OG_MLIR_OP_INSERTELEMENT:
  case OG_MLIR_OP_REDUCTION:
  case OG_MLIR_OP_MULTI_REDUCTION:
  case OG_MLIR_OP_CREATE_MASK:
  case OG_MLIR_OP_CONSTANT_MASK:
  case OG_MLIR_OP_STEP:
  case OG_MLIR_OP_FROM_ELEMENTS:
  case OG_MLIR_OP_VECTOR_BITCAST:
  case OG_MLIR_OP_VECTOR_LOAD:
  case OG_MLIR_OP_VECTOR_STORE:
  case OG_MLIR_OP_TRANSFER_READ:
  case OG_MLIR_OP_TRANSFER_WRITE:
  case OG_MLIR_OP_CREATE:
  case OG_MLIR_OP_UPDATE:
  case OG_MLIR_OP_LOAD_GATHER:
  case OG_MLIR_OP_STORE_SCATTER:
  case OG_MLIR_OP_ATOMIC:
  case OG_MLIR_OP_MEMREF_RMW:
  case OG_MLIR_OP_LOAD_MATRIX:
  case OG_MLIR_OP_STORE_MATRIX:
  case OG_MLIR_OP_SHUFFLE:
  case OG_MLIR_OP_SUBGROUP_REDUCE: return true;
  case OG_MLIR_OP_BROADCAST: return og_mlir_rank(op->operands[0]->type) != 0;
  case OG_MLIR_OP_CONSTANT: {
    og_mlir_attr value = og_mlir_find(op, "value");
    uint8_t type = 0;
    return value && value->kind == OG_MLIR_DENSE && og_xe_scalar(op->results[0].type, &type) &&
           value->text.size != og_xe_sizes[type];
  }
  default: return false;
  }
}
