/* vector.c - lowers operations that move elements, masks and reductions to vISA; reductions go in the order of
 * elements, as when modules are run here. */
#include "xegpu/lower/visa.h"
#include "xegpu/maps.h"

#include <string.h>

static bool moved(struct og_xv *x, struct og_mlir_op *op) {
  og_mlir_type to = op->results[0].type;
  struct og_xv_ref from = og_xv_value(x, op->operands[0]);
  uint32_t count = og_xv_count(x, to);
  if (from.immediate)
    return og_xv_set(x, &op->results[0], from), true;
  struct og_xv_ref result = og_xv_result(x, &op->results[0]);
  if (og_mlir_rank(op->operands[0]->type) == 0 || og_xv_count(x, op->operands[0]->type) == 1)
    og_xv_move(x, result, og_xv_scalar(from, 0), count);
  else
    og_xv_permute(x, result, from, og_mlir_source_map(x->arena, op), count);
  return true;
}

static bool shuffle(struct og_xv *x, struct og_mlir_op *op) {
  og_mlir_type first = op->operands[0]->type, to = op->results[0].type;
  if (!to->int_count || !to->ints[0])
    return og_xv_refuse(x, op, "vectors without dimensions");
  uint32_t count = og_xv_count(x, to), split = og_xv_count(x, first), *both = og_mlir_source_map(x->arena, op);
  struct og_xv_ref result = og_xv_result(x, &op->results[0]);
  for (uint32_t side = 0; side < 2; side++) {
    uint32_t *map = OG_NEW_ARRAY(x->arena, uint32_t, count);
    for (uint32_t k = 0; k < count; k++)
      map[k] = (both[k] >= split) != side ? UINT32_MAX : both[k] - (side ? split : 0);
    og_xv_permute(x, result,
                  og_xv_register(x, og_xv_value(x, op->operands[side]), og_xv_count(x, op->operands[side]->type)), map,
                  count);
  }
  return true;
}

static bool insert_slice(struct og_xv *x, struct og_mlir_op *op) {
  uint32_t count = og_xv_count(x, op->operands[0]->type), all = og_xv_count(x, op->results[0].type),
           *to = og_mlir_insert_map(x->arena, op), *map = OG_NEW_ARRAY(x->arena, uint32_t, all);
  memset(map, 0xff, all * sizeof *map);
  for (uint32_t k = 0; k < count; k++)
    map[to[k]] = k;
  struct og_xv_ref part = og_xv_register(x, og_xv_value(x, op->operands[0]), count);
  struct og_xv_ref whole = og_xv_value(x, op->operands[1]), result = og_xv_result(x, &op->results[0]);
  og_xv_move(x, result, whole, all);
  og_xv_permute(x, result, part, map, all);
  return true;
}

/* The element at which the part behind a position begins; false: it is not known. */
static bool position_of(struct og_xv *x, struct og_mlir_op *op, uint32_t first, og_mlir_type whole, uint32_t part,
                        uint32_t *start) {
  og_mlir_attr given = og_mlir_find(op, "static_position");
  uint32_t rank = given ? given->int_count : op->operand_count - first, next = first;
  int64_t flat = 0;
  for (uint32_t k = 0; k < rank; k++) {
    int64_t at = given ? given->ints[k] : OG_MLIR_DYNAMIC;
    if (at == OG_MLIR_DYNAMIC) {
      struct og_xv_ref number = og_xv_value(x, op->operands[next++]);
      if (!number.immediate)
        return false;
      at = (int64_t)number.bits;
    }
    flat = flat * (k < whole->int_count ? whole->ints[k] : 1) + at;
  }
  *start = (uint32_t)flat * part;
  return *start <= og_xv_count(x, whole) && *start + part <= og_xv_count(x, whole);
}

/* A position that is known only when it runs, from a list of scalars: each element is chosen where its position is that
 * one. */
static struct og_xv_ref chosen(struct og_xv *x, struct og_xv_ref number, uint32_t count) {
  struct og_xv_ref places = og_xv_new(x, OG_XV_D, count), truth = og_xv_new(x, OG_XV_BOOL, count);
  for (uint32_t k = 0; k < count; k++)
    og_xv_move(x, og_xv_at(places, k), og_xv_number(OG_XV_D, k), 1);
  struct og_xv_ref low = og_xv_new(x, OG_XV_D, 1);
  og_xv_move(x, low, number, 1);
  og_xv_compare(x, "eq", truth, count, places, og_xv_scalar(low, 0));
  return truth;
}

static bool extract(struct og_xv *x, struct og_mlir_op *op) {
  og_mlir_type whole = op->operands[0]->type, part = op->results[0].type;
  struct og_xv_ref from = og_xv_value(x, op->operands[0]);
  uint32_t count = og_xv_count(x, part), all = og_xv_count(x, whole), start;
  if (from.immediate)
    return og_xv_set(x, &op->results[0], from), true;
  if (position_of(x, op, 1, whole, count, &start)) {
    struct og_xv_ref to = og_xv_result(x, &op->results[0]);
    og_xv_move(x, to, og_xv_at(from, start), count);
    return true;
  }
  if (count != 1 || whole->int_count != 1 || op->operand_count != 2)
    return og_xv_refuse(x, op, "a position known only when running, in several dimensions");
  static const uint8_t same[] = {[1] = OG_XV_UB, [2] = OG_XV_UW, [4] = OG_XV_UD, [8] = OG_XV_UQ};
  struct og_xv_ref to = og_xv_result(x, &op->results[0]), bits = og_xv_view(x, to, same[og_xv_sizes[to.type]]),
                   truth = chosen(x, og_xv_value(x, op->operands[1]), all), found = og_xv_new(x, bits.type, all),
                   source = og_xv_view(x, from, bits.type);
  og_xv_choose(x, found, all, truth, source, og_xv_number(bits.type, 0));
  og_xv_move(x, bits, og_xv_scalar(found, 0), 1);
  for (uint32_t k = 1; k < all; k++) {
    struct og_xv_ref next = og_xv_scalar(found, k);
    og_xv_apply(x, "or", bits, 1, &bits, &next, NULL);
  }
  return true;
}

static bool insert(struct og_xv *x, struct og_mlir_op *op) {
  og_mlir_type whole = op->results[0].type, part = op->operands[0]->type;
  struct og_xv_ref value = og_xv_value(x, op->operands[0]), into = og_xv_value(x, op->operands[1]);
  uint32_t count = og_xv_count(x, part), all = og_xv_count(x, whole), start;
  struct og_xv_ref to = og_xv_result(x, &op->results[0]);
  if (position_of(x, op, 2, whole, count, &start)) {
    og_xv_move(x, to, into, all);
    og_xv_move(x, og_xv_at(to, start), value, count);
    return true;
  }
  if (count != 1 || whole->int_count != 1 || op->operand_count != 3)
    return og_xv_refuse(x, op, "a position known only when running, in several dimensions");
  og_xv_choose(x, to, all, chosen(x, og_xv_value(x, op->operands[2]), all),
               value.immediate ? value : og_xv_scalar(value, 0), into);
  return true;
}

static bool collect(struct og_xv *x, struct og_mlir_op *op) {
  struct og_xv_ref to = og_xv_result(x, &op->results[0]);
  for (uint32_t k = 0; k < op->operand_count; k++)
    og_xv_move(x, og_xv_at(to, k), og_xv_value(x, op->operands[k]), 1);
  return true;
}

/* ---- masks ------------------------------------------------------------------------------------------------------- */

static bool make_mask(struct og_xv *x, struct og_mlir_op *op) {
  og_mlir_type type = op->results[0].type;
  og_mlir_attr sizes = og_mlir_find(op, "mask_dim_sizes");
  uint32_t count = og_xv_count(x, type);
  struct og_xv_ref to = og_xv_result(x, &op->results[0]), places = og_xv_new(x, OG_XV_Q, count),
                   within = og_xv_new(x, OG_XV_BOOL, count);
  og_xv_move(x, to, og_xv_number(OG_XV_UW, 1), count);
  for (uint32_t d = 0; d < type->int_count; d++) {
    struct og_xv_ref bound = sizes ? og_xv_number(OG_XV_Q, (uint64_t)sizes->ints[d]) : og_xv_value(x, op->operands[d]);
    for (uint32_t k = 0; k < count; k++) {
      int64_t at[OG_MLIR_RANK_MOST] = {0};
      og_mlir_indices(type, k, at);
      og_xv_move(x, og_xv_at(places, k), og_xv_number(OG_XV_Q, (uint64_t)at[d]), 1);
    }
    og_xv_compare(x, "lt", within, count, places, bound.immediate ? bound : og_xv_scalar(bound, 0));
    og_xv_apply(x, "and", to, count, &to, &within, NULL);
  }
  return true;
}

static bool count_up(struct og_xv *x, struct og_mlir_op *op) {
  struct og_xv_ref to = og_xv_result(x, &op->results[0]);
  for (uint32_t k = 0; k < og_xv_count(x, op->results[0].type); k++)
    og_xv_move(x, og_xv_at(to, k), og_xv_number(OG_XV_Q, k), 1);
  return true;
}

/* ---- reductions -------------------------------------------------------------------------------------------------- */

static bool reduce(struct og_xv *x, struct og_mlir_op *op) {
  uint32_t count = og_xv_count(x, op->operands[0]->type), targets = og_xv_count(x, op->results[0].type), rounds,
           *map = og_mlir_round_map(x->arena, op, &rounds);
  uint8_t kind = og_mlir_combining(og_mlir_find(op, "kind")->text);
  struct og_xv_ref source = og_xv_register(x, og_xv_value(x, op->operands[0]), count),
                   result = og_xv_result(x, &op->results[0]), next = og_xv_new(x, source.type, targets);
  uint32_t first = 0;
  if (op->operand_count > 1)
    og_xv_move(x, result, og_xv_value(x, op->operands[op->operand_count - 1]), targets);
  else
    og_xv_permute(x, result, source, map, targets), first = 1;
  for (uint32_t r = first; r < rounds; r++) {
    struct og_xv_ref operand = og_xv_at(source, map[r * targets]);
    bool together = true;
    for (uint32_t k = 1; k < targets; k++)
      together &= map[r * targets + k] == map[r * targets] + k;
    if (!together)
      og_xv_permute(x, operand = next, source, map + (size_t)r * targets, targets);
    og_xv_combine(x, kind, result, targets, result, operand);
  }
  return true;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static bool recast(struct og_xv *x, struct og_mlir_op *op) {
  struct og_xv_ref from = og_xv_value(x, op->operands[0]);
  uint8_t type;
  uint32_t count = og_xv_count(x, op->operands[0]->type);
  if (!og_xe_scalar(op->results[0].type, &type))
    return og_xv_refuse(x, op, "this type");
  if (type != from.type && (type == OG_XV_BOOL || from.type == OG_XV_BOOL))
    return og_xv_refuse(x, op, "truth values as other bits");
  if (from.immediate && og_xv_sizes[type] != og_xv_sizes[from.type])
    from = og_xv_register(x, from, count);
  og_xv_set(x, &op->results[0], og_xv_view(x, from, type));
  return true;
}

bool og_xv_vector(struct og_xv *x, struct og_mlir_op *op, bool *known) {
  *known = true;
  switch (op->row->id) {
  case OG_MLIR_OP_TRANSPOSE:
  case OG_MLIR_OP_EXTRACT_SLICE:
  case OG_MLIR_OP_BROADCAST:
  case OG_MLIR_OP_SPLAT: return moved(x, op);
  case OG_MLIR_OP_VECTOR_SHUFFLE: return shuffle(x, op);
  case OG_MLIR_OP_INSERT_SLICE: return insert_slice(x, op);
  case OG_MLIR_OP_EXTRACT:
  case OG_MLIR_OP_EXTRACTELEMENT: return extract(x, op);
  case OG_MLIR_OP_INSERT:
  case OG_MLIR_OP_INSERTELEMENT: return insert(x, op);
  case OG_MLIR_OP_REDUCTION:
  case OG_MLIR_OP_MULTI_REDUCTION: return reduce(x, op);
  case OG_MLIR_OP_CREATE_MASK:
  case OG_MLIR_OP_CONSTANT_MASK: return make_mask(x, op);
  case OG_MLIR_OP_STEP: return count_up(x, op);
  case OG_MLIR_OP_FROM_ELEMENTS: return collect(x, op);
  case OG_MLIR_OP_SHAPE_CAST:
  case OG_MLIR_OP_VECTOR_BITCAST:
  case OG_MLIR_OP_ARITH_BITCAST:
  case OG_MLIR_OP_CONVERT_LAYOUT: return recast(x, op);
  default: return !(*known = false);
  }
}
