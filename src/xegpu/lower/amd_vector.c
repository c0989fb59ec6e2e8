/* amd_vector.c - moves elements and reduces them as LLVM IR: through LDS to the lanes that need them. */
#include "xegpu/lower/amd.h"
#include "xegpu/maps.h"

#include <string.h>

static bool moved(struct og_xa *x, struct og_mlir_op *op) {
  struct og_xa_value source = *og_xa_elements(x, op->operands[0]);
  og_xa_set(x, &op->results[0], og_xa_permute(x, op->results[0].type, &source, og_mlir_source_map(x->arena, op)));
  return true;
}

/* A part behind a position that is known. */
static bool extract(struct og_xa *x, struct og_mlir_op *op) {
  og_mlir_type from = op->operands[0]->type, to = op->results[0].type;
  og_mlir_attr position = og_mlir_find(op, "static_position");
  uint32_t count = og_mlir_count(to), *map = OG_NEW_ARRAY(x->arena, uint32_t, count), start = 0;
  struct og_xa_value source = *og_xa_elements(x, op->operands[0]);
  if (op->operand_count > 1)
    return og_xa_refuse(x, op, "a position known only when running");
  for (uint32_t k = 0; k < position->int_count; k++)
    start = start * (uint32_t)from->ints[k] + (uint32_t)position->ints[k];
  for (uint32_t k = 0; k < count; k++)
    map[k] = start * count + k;
  og_xa_set(x, &op->results[0], og_xa_permute(x, to, &source, map));
  return true;
}

/* Of two vectors: permutes each, and chooses for each element from which it comes. */
static bool shuffle(struct og_xa *x, struct og_mlir_op *op) {
  og_mlir_type to = op->results[0].type;
  struct og_xa_value a = *og_xa_elements(x, op->operands[0]), b = *og_xa_elements(x, op->operands[1]);
  uint32_t count = og_mlir_count(to), *both = og_mlir_source_map(x->arena, op),
           *maps[2] = {OG_NEW_ARRAY(x->arena, uint32_t, count), OG_NEW_ARRAY(x->arena, uint32_t, count)};
  bool first = false, second = false;
  for (uint32_t k = 0; k < count; k++) {
    bool of_b = both[k] >= a.count;
    maps[of_b][k] = both[k] - (of_b ? a.count : 0);
    first |= !of_b, second |= of_b;
  }
  struct og_xa_value v = og_xa_permute(x, to, first ? &a : &b, maps[!first]);
  if (first && second) {
    struct og_xa_value w = og_xa_permute(x, to, &b, maps[1]);
    uint32_t all = v.parts * x->each, *sides = OG_NEW_ARRAY(x->arena, uint32_t, all);
    for (uint32_t k = 0; k < count; k++)
      sides[k] = both[k] >= a.count;
    const char *table = x->lanes ? NULL : og_xa_table(x, sides, all);
    for (uint32_t i = 0; i < v.parts; i++)
      if (table)
        v.names[i] = og_xa_emit(x, "select i1 %s, %s %s, %s %s",
                                og_xa_emit(x, "icmp ne i32 %s, 0", og_xa_look_up(x, table, og_xa_element(x, i))),
                                og_xa_type(v.type), w.names[i], og_xa_type(v.type), v.names[i]);
      else
        v.names[i] = sides[i] ? w.names[i] : v.names[i];
  }
  og_xa_set(x, &op->results[0], v);
  return true;
}

void og_xa_collect(struct og_xa *x, struct og_xa_value *v, uint32_t k, const char *value) {
  uint32_t part = k / x->each;
  const char *type = og_xa_type(v->type);
  v->names[part] = x->each == 1 ? value
                                : og_xa_emit(x, "select i1 %s, %s %s, %s %s",
                                             og_xa_emit(x, "icmp eq i32 %s, %u", og_xa_element(x, part), k), type,
                                             value, type, v->names[part] ? v->names[part] : "undef");
}

static bool collect(struct og_xa *x, struct og_mlir_op *op) {
  struct og_xa_value v = og_xa_new(x, op->results[0].type);
  if (op->operand_count > 256)
    return og_xa_refuse(x, op, "more than 256 elements");
  for (uint32_t k = 0; k < op->operand_count; k++)
    og_xa_collect(x, &v, k, og_xa_elements(x, op->operands[k])->names[0]);
  og_xa_set(x, &op->results[0], v);
  return true;
}

static bool count_up(struct og_xa *x, struct og_mlir_op *op) {
  struct og_xa_value v = og_xa_new(x, op->results[0].type);
  for (uint32_t i = 0; i < v.parts; i++)
    v.names[i] = og_xa_wide(x, og_xa_element(x, i));
  og_xa_set(x, &op->results[0], v);
  return true;
}

/* Reduces a lane's own elements. */
static void reduce_own(struct og_xa *x, struct og_xa_value *v, const struct og_xa_value *source,
                       const struct og_xa_value *start, const uint32_t *map, uint32_t rounds, uint8_t kind) {
  for (uint32_t i = 0; i < v->parts; i++) {
    const char *sum = start ? start->names[i] : NULL;
    for (uint32_t r = 0; r < rounds; r++) {
      const char *element = source->names[map[r * v->count + i]];
      sum = sum ? og_xa_combine(x, kind, source->type, sum, element) : element;
    }
    v->names[i] = sum;
  }
}

/* Reduces each target's elements in their order, from LDS: a table says where the first is, and the next ones have the
 * same distances for all. */
static bool reduce(struct og_xa *x, struct og_mlir_op *op) {
  og_mlir_type to = op->results[0].type;
  uint8_t kind = og_mlir_combining(og_mlir_find(op, "kind")->text);
  uint32_t targets = og_mlir_count(to), rounds, *map = og_mlir_round_map(x->arena, op, &rounds);
  struct og_xa_value source = *og_xa_elements(x, op->operands[0]), v = og_xa_new(x, to);
  struct og_xa_value *start = op->operand_count > 1 ? og_xa_elements(x, op->operands[op->operand_count - 1]) : NULL;
  if (x->lanes) {
    reduce_own(x, &v, &source, start, map, rounds, kind);
    og_xa_set(x, &op->results[0], v);
    return true;
  }
  uint32_t *firsts = OG_NEW_ARRAY(x->arena, uint32_t, v.parts * x->wave);
  for (uint32_t k = 0; k < v.parts * x->wave; k++)
    firsts[k] = map[OG_MIN(k, targets - 1)];
  const char *table = v.vector ? og_xa_table(x, firsts, v.parts * x->wave) : NULL;
  og_xa_spread(x, &source);
  for (uint32_t i = 0; i < v.parts; i++) {
    const char *first = table ? og_xa_look_up(x, table, og_xa_element(x, i)) : "0",
               *sum = start ? start->names[i] : NULL;
    for (uint32_t r = 0; r < rounds; r++) {
      uint32_t on = map[r * targets] - map[0];
      const char *element = og_xa_fetch(x, source.type, on ? og_xa_emit(x, "add i32 %s, %u", first, on) : first);
      sum = sum ? og_xa_combine(x, kind, source.type, sum, element) : element;
    }
    v.names[i] = sum;
  }
  og_xa_set(x, &op->results[0], v);
  return true;
}

static bool recast(struct og_xa *x, struct og_mlir_op *op) {
  struct og_xa_value v = *og_xa_elements(x, op->operands[0]);
  uint8_t type;
  if (!og_xe_scalar(op->results[0].type, &type) || og_xe_sizes[type] != og_xe_sizes[v.type])
    return og_xa_refuse(x, op, "elements of another size");
  const char **names = OG_NEW_ARRAY(x->arena, const char *, v.parts);
  for (uint32_t i = 0; i < v.parts; i++)
    names[i] = strcmp(og_xa_type(type), og_xa_type(v.type)) == 0
                   ? v.names[i]
                   : og_xa_emit(x, "bitcast %s %s to %s", og_xa_type(v.type), v.names[i], og_xa_type(type));
  v.names = names, v.type = type;
  og_xa_set(x, &op->results[0], v);
  return true;
}

bool og_xa_vector(struct og_xa *x, struct og_mlir_op *op, bool *known) {
  *known = true;
  switch (op->row->id) {
  case OG_MLIR_OP_TRANSPOSE:
  case OG_MLIR_OP_EXTRACT_SLICE:
  case OG_MLIR_OP_BROADCAST:
  case OG_MLIR_OP_SPLAT: return moved(x, op);
  case OG_MLIR_OP_EXTRACT: return extract(x, op);
  case OG_MLIR_OP_VECTOR_SHUFFLE: return shuffle(x, op);
  case OG_MLIR_OP_FROM_ELEMENTS: return collect(x, op);
  case OG_MLIR_OP_STEP: return count_up(x, op);
  case OG_MLIR_OP_REDUCTION:
  case OG_MLIR_OP_MULTI_REDUCTION: return reduce(x, op);
  case OG_MLIR_OP_SHAPE_CAST:
  case OG_MLIR_OP_VECTOR_BITCAST:
  case OG_MLIR_OP_ARITH_BITCAST:
  case OG_MLIR_OP_CONVERT_LAYOUT: return recast(x, op);
  case OG_MLIR_OP_DPAS: return og_xa_dpas(x, op);
  default: return !(*known = false);
  }
}
