/* convert_edit.c - changes operations of a module, and inserts others before them. */
#include "xegpu/convert.h"

#include <string.h>

/* ---- changing an operation --------------------------------------------------------------------------------------- */

void og_mlir_take_away(struct og_mlir_op *op, const char *name) {
  for (uint32_t i = 0; i < op->attribute_count; i++)
    if (og_text_is(op->attributes[i].name, name)) {
      op->attribute_count--;
      memmove(op->attributes + i, op->attributes + i + 1, (op->attribute_count - i) * sizeof *op->attributes);
      return;
    }
}

void og_mlir_give(struct og_mlir_converter *c, struct og_mlir_op *op, const char *name, og_mlir_attr value) {
  og_mlir_take_away(op, name);
  struct og_mlir_named *all = OG_NEW_ARRAY(c->m->arena, struct og_mlir_named, op->attribute_count + 1);
  if (op->attribute_count)
    memcpy(all, op->attributes, op->attribute_count * sizeof *all);
  all[op->attribute_count++] = (struct og_mlir_named){og_text(name), value};
  op->attributes = all;
}

void og_mlir_set_operands(struct og_mlir_converter *c, struct og_mlir_op *op, const struct og_mlir_values *groups,
                          uint32_t count) {
  uint32_t all = 0;
  for (uint32_t i = 0; i < count; i++)
    all += groups[i].count;
  struct og_mlir_value **operands = OG_NEW_ARRAY(c->m->arena, struct og_mlir_value *, all + 1);
  memset(op->segments, 0, sizeof op->segments);
  op->operand_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    op->segments[i] = (uint16_t)groups[i].count;
    for (uint32_t k = 0; k < groups[i].count; k++)
      operands[op->operand_count++] = groups[i].values[k];
  }
  op->operands = operands;
}

/* L1, L1_hint and l1_hint are names of the same attribute. */
static const char *renamed(const struct og_mlir_converter *c, struct og_text name) {
  static const char *const hints[3][2] = {{"L1_hint", "l1_hint"}, {"L2_hint", "l2_hint"}, {"L3_hint", "l3_hint"}};
  static const char *const words[3][3] = {
      {"L1", "L1_hint", "l1_hint"}, {"L2", "L2_hint", "l2_hint"}, {"L3", "L3_hint", "l3_hint"}};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      if (og_text_is(name, words[i][k]))
        return hints[i][!og_mlir_to_old(c)];
  return NULL;
}

/* Removes facts that the operation repeats from its descriptor; impossible if they differ. */
static bool is_said_by_type(const struct og_mlir_op *op, const struct og_mlir_named *said) {
  og_mlir_type tdesc = NULL;
  for (uint32_t i = 0; i < op->operand_count; i++)
    tdesc = op->operands[i]->type->kind == OG_MLIR_TENSOR_DESC ? op->operands[i]->type : tdesc;
  for (uint32_t i = 0; i < op->result_count; i++)
    tdesc = op->results[i].type->kind == OG_MLIR_TENSOR_DESC ? op->results[i].type : tdesc;
  if (!tdesc)
    return false;
  if (og_text_is(said->name, "memory_scope"))
    return og_mlir_is_slm(tdesc) == (og_text_is(said->value->text, "slm") || og_text_is(said->value->text, "shared"));
  og_mlir_attr checked = og_mlir_field(tdesc->parts[1], "boundary_check");
  return og_text_is(said->name, "boundary_check") && (!checked || checked->ints[0]) == (said->value->ints[0] != 0);
}

bool og_mlir_respell(struct og_mlir_converter *c, struct og_mlir_op *op) {
  const struct og_mlir_row *old = op->row, *new = c->rows[old->id];
  if (!new)
    return og_mlir_no_counterpart(c, op, "it has no such operation");
  for (uint32_t i = 0; i < op->attribute_count; i++) {
    struct og_mlir_named *attribute = &op->attributes[i];
    const char *name = strncmp(old->name, "xegpu.", 6) == 0 ? renamed(c, attribute->name) : NULL;
    if (name)
      attribute->name = og_text(name);
    else if (og_mlir_row_attribute_index(old, attribute->name) >= 0 &&
             og_mlir_row_attribute_index(new, attribute->name) < 0) {
      if (!og_text_is(attribute->name, "mode") && !is_said_by_type(op, attribute))
        return og_mlir_no_counterpart(
            c, op, og_arena_printf(c->m->arena, "it has no attribute '%.*s'", OG_TEXT_ARGS(attribute->name)));
      og_mlir_take_away(op, og_arena_copy(c->m->arena, attribute->name.data, attribute->name.size));
      i--;
    }
  }
  op->row = new;
  if (og_mlir_row_attribute_index(new, OG_TEXT("mode")) >= 0 && new->id != OG_MLIR_OP_FENCE && !c->lanes &&
      !og_mlir_find(op, "mode"))
    og_mlir_give(c, op, "mode", og_mlir_enum(c->m->interner, "xegpu.mode", OG_TEXT("vc")));
  return true;
}

/* ---- inserting before the operation at hand ---------------------------------------------------------------------- */

static struct og_mlir_op *hang(struct og_mlir_converter *c, struct og_mlir_op *op) {
  op->next = *c->link;
  *c->link = op;
  c->link = &op->next;
  return op;
}

static void give_result(struct og_mlir_converter *c, struct og_mlir_op *op, og_mlir_type type) {
  op->results = OG_NEW_ARRAY(c->m->arena, struct og_mlir_value, 2);
  op->result_count = type ? 1 : 0;
  op->results[0] = (struct og_mlir_value){.type = type, .op = op, .offset = op->offset};
}

struct og_mlir_op *og_mlir_insert(struct og_mlir_converter *c, uint16_t id, const struct og_mlir_values *groups,
                                  uint32_t group_count, og_mlir_type result) {
  const struct og_mlir_op *at = *c->link;
  struct og_mlir_op *op = OG_NEW(c->m->arena, struct og_mlir_op);
  *op = (struct og_mlir_op){.row = c->rows[id], .offset = at->offset, .size = at->size, .block = at->block};
  op->regions = OG_NEW_ARRAY(c->m->arena, struct og_mlir_region, 1);
  og_mlir_set_operands(c, op, groups, group_count);
  give_result(c, op, result);
  return hang(c, op);
}

struct og_mlir_op *og_mlir_split(struct og_mlir_converter *c, struct og_mlir_op *op, og_mlir_type type) {
  struct og_mlir_op *copy = OG_NEW(c->m->arena, struct og_mlir_op);
  *copy = *op;
  copy->attributes = OG_NEW_ARRAY(c->m->arena, struct og_mlir_named, op->attribute_count + 1);
  if (op->attribute_count)
    memcpy(copy->attributes, op->attributes, op->attribute_count * sizeof *op->attributes);
  give_result(c, copy, type);
  return hang(c, copy);
}

void og_mlir_become_cast(struct og_mlir_converter *c, struct og_mlir_op *op, struct og_mlir_value *of) {
  op->row = c->rows[OG_MLIR_OP_SHAPE_CAST];
  op->attribute_count = 0;
  og_mlir_set_operands(c, op, &(struct og_mlir_values){&of, 1}, 1);
  *OG_PUSH(c->m->arena, &c->casts) = op;
}

struct og_mlir_value *og_mlir_cast(struct og_mlir_converter *c, struct og_mlir_value *value, og_mlir_type type) {
  if (value->type == type)
    return value;
  if (value->op && value->op->row->id == OG_MLIR_OP_SHAPE_CAST && value->op->operands[0]->type == type)
    return value->op->operands[0];
  struct og_mlir_op *op = og_mlir_insert(c, OG_MLIR_OP_SHAPE_CAST, &(struct og_mlir_values){&value, 1}, 1, type);
  *OG_PUSH(c->m->arena, &c->casts) = op;
  return &op->results[0];
}

struct og_mlir_value *og_mlir_transposed(struct og_mlir_converter *c, struct og_mlir_value *value,
                                         const int64_t *permutation, uint32_t rank) {
  int64_t shape[OG_MLIR_RANK_MOST];
  for (uint32_t i = 0; i < rank; i++)
    shape[i] = value->type->ints[permutation[i]];
  struct og_mlir_op *op = og_mlir_insert(c, OG_MLIR_OP_TRANSPOSE, &(struct og_mlir_values){&value, 1}, 1,
                                         og_mlir_vector(c, shape, rank, value->type->parts[0]));
  og_mlir_give(c, op, "permutation", og_mlir_dense_i64(c->m->interner, permutation, rank));
  return &op->results[0];
}

struct og_mlir_value *og_mlir_index(struct og_mlir_converter *c, int64_t value) {
  og_mlir_type index = og_mlir_simple(c->m->interner, OG_MLIR_INDEX);
  struct og_mlir_op *op = og_mlir_insert(c, OG_MLIR_OP_CONSTANT, NULL, 0, index);
  og_mlir_give(c, op, "value", og_mlir_int(c->m->interner, value, index));
  return &op->results[0];
}

struct og_mlir_values og_mlir_all_values(struct og_mlir_converter *c, og_mlir_attr constants,
                                         struct og_mlir_values dynamic) {
  if (!constants)
    return dynamic;
  struct og_mlir_values all = {OG_NEW_ARRAY(c->m->arena, struct og_mlir_value *, constants->int_count + 1),
                               constants->int_count};
  for (uint32_t i = 0, next = 0; i < all.count; i++)
    all.values[i] = constants->ints[i] == OG_MLIR_DYNAMIC && next < dynamic.count
                        ? dynamic.values[next++]
                        : og_mlir_index(c, constants->ints[i]);
  return all;
}

og_mlir_type og_mlir_vector(struct og_mlir_converter *c, const int64_t *shape, uint32_t rank, og_mlir_type element) {
  return og_mlir_intern(
      c->m->interner,
      &(struct og_mlir_node){
          .kind = OG_MLIR_VECTOR, .int_count = rank, .ints = shape, .part_count = 1, .parts = &element});
}

og_mlir_attr og_mlir_struct(struct og_mlir_converter *c, const char *name, const og_mlir_attr *parts, uint32_t count) {
  return og_mlir_intern(
      c->m->interner,
      &(struct og_mlir_node){.kind = OG_MLIR_STRUCT, .text = og_text(name), .parts = parts, .part_count = count});
}
