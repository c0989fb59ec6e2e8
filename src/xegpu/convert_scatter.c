/* convert_scatter.c - scattered descriptors from one spelling to another: offsets as a vector or as a list (MLIR 19),
 * in a descriptor or in loads (MLIR 22), chunks transposed or not. */
#include "xegpu/convert.h"

#include <string.h>

enum { LANES_MOST = 1024 };

/* ---- offsets ----------------------------------------------------------------------------------------------------- */

static og_mlir_type index_vector(struct og_mlir_converter *c, int64_t lanes) {
  return og_mlir_vector(c, &lanes, 1, og_mlir_simple(c->m->interner, OG_MLIR_INDEX));
}

/* MLIR 19's list as a vector. */
static struct og_mlir_value *vector_of(struct og_mlir_converter *c, og_mlir_attr constants,
                                       struct og_mlir_values dynamic) {
  struct og_mlir_values all = {0};
  bool constant = true;
  for (uint32_t i = 0; i < constants->int_count; i++)
    constant &= constants->ints[i] != OG_MLIR_DYNAMIC;
  og_mlir_type type = index_vector(c, constants->int_count);
  if (!constant)
    all = og_mlir_all_values(c, constants, dynamic);
  struct og_mlir_op *op =
      og_mlir_insert(c, constant ? OG_MLIR_OP_CONSTANT : OG_MLIR_OP_FROM_ELEMENTS, &all, !constant, type);
  if (constant) {
    struct og_text bytes = {(const char *)constants->ints, constants->int_count * sizeof *constants->ints};
    og_mlir_give(
        c, op, "value",
        og_mlir_intern(c->m->interner,
                       &(struct og_mlir_node){.kind = OG_MLIR_DENSE, .text = bytes, .part_count = 1, .parts = &type}));
  }
  return &op->results[0];
}

/* A vector as MLIR 19's list: the numbers of a constant, else each element by itself. */
static og_mlir_attr list_of(struct og_mlir_converter *c, struct og_mlir_value *vector, struct og_mlir_values *dynamic) {
  uint32_t lanes = (uint32_t)OG_MIN(og_mlir_elements(vector->type), LANES_MOST);
  int64_t *ints = OG_NEW_ARRAY(c->m->arena, int64_t, lanes);
  og_mlir_attr value =
      vector->op && vector->op->row->id == OG_MLIR_OP_CONSTANT ? og_mlir_find(vector->op, "value") : NULL;
  *dynamic = (struct og_mlir_values){OG_NEW_ARRAY(c->m->arena, struct og_mlir_value *, lanes), 0};
  bool constant = value && value->kind == OG_MLIR_DENSE;
  for (uint32_t i = 0; i < lanes; i++) {
    if (constant) {
      memcpy(&ints[i], value->text.data + (value->text.size == 8 ? 0 : i * 8), 8);
      continue;
    }
    int64_t at = i;
    struct og_mlir_op *op = og_mlir_insert(c, OG_MLIR_OP_EXTRACT, &(struct og_mlir_values){&vector, 1}, 1,
                                           og_mlir_simple(c->m->interner, OG_MLIR_INDEX));
    og_mlir_give(c, op, "static_position", og_mlir_dense_i64(c->m->interner, &at, 1));
    dynamic->values[dynamic->count++] = &op->results[0];
    ints[i] = OG_MLIR_DYNAMIC;
  }
  return og_mlir_dense_i64(c->m->interner, ints, lanes);
}

/* One offset, or integers: a vector of indices. */
static struct og_mlir_value *as_indices(struct og_mlir_converter *c, const struct og_mlir_op *op,
                                        struct og_mlir_value *offsets) {
  og_mlir_type t = offsets->type, element = og_mlir_element(t);
  if (t->kind != OG_MLIR_VECTOR && t->kind == OG_MLIR_INDEX)
    return &og_mlir_insert(c, OG_MLIR_OP_FROM_ELEMENTS, &(struct og_mlir_values){&offsets, 1}, 1, index_vector(c, 1))
                ->results[0];
  if (element->kind == OG_MLIR_INDEX)
    return offsets;
  if (t->kind != OG_MLIR_VECTOR || element->kind != OG_MLIR_INTEGER || element->ints[1] != OG_MLIR_SIGNLESS)
    return og_mlir_no_counterpart(c, op, "offsets of this type are not written"), NULL;
  return &og_mlir_insert(c, OG_MLIR_OP_INDEX_CAST, &(struct og_mlir_values){&offsets, 1}, 1,
                         index_vector(c, og_mlir_elements(t)))
              ->results[0];
}

/* Operands `base` and offsets of create_tdesc and update_offset. */
static bool respell_offsets(struct og_mlir_converter *c, struct og_mlir_op *op) {
  struct og_mlir_value *base = op->operands[0], *vector = NULL;
  struct og_mlir_values offsets;
  og_mlir_attr given = og_mlir_find(op, "const_offsets");
  offsets.values = og_mlir_group(op, "offsets", &offsets.count);
  bool old = c->from <= OG_MLIR_FIRST && og_mlir_to_old(c);
  if (!old && given) {
    vector = vector_of(c, given, offsets);
    og_mlir_take_away(op, "const_offsets");
    offsets = (struct og_mlir_values){&vector, 1};
  } else if (!old) {
    vector = as_indices(c, op, offsets.values[0]);
    offsets = (struct og_mlir_values){&vector, 1};
    if (!vector)
      return false;
  }
  if (c->to == OG_MLIR_19)
    given = list_of(c, vector, &offsets);
  og_mlir_set_operands(c, op, (struct og_mlir_values[]){{&base, 1}, offsets}, 2);
  if (!og_mlir_respell(c, op))
    return false;
  if (c->to == OG_MLIR_19)
    og_mlir_give(c, op, "const_offsets", given);
  return true;
}

/* Whether MLIR 22's type of scattered descriptors can say the same: some fields it lacks, others it refuses. */
static bool fits_22(struct og_mlir_converter *c, const struct og_mlir_op *op, og_mlir_type tdesc) {
  og_mlir_attr checked = og_mlir_field(tdesc->parts[1], "boundary_check"),
               array = og_mlir_field(tdesc->parts[1], "array_length");
  uint32_t bits = og_mlir_bits(tdesc->parts[0]);
  if ((checked && !checked->ints[0]) || (array && array->ints[0] != 1))
    return og_mlir_no_counterpart(c, op, "scattered descriptors have no boundary_check and no array_length");
  if (tdesc->int_count == 2 && bits < 32 && tdesc->ints[1] % (32 / OG_MAX(bits, 1u)))
    return og_mlir_no_counterpart(c, op, "chunks must fill 32 bits");
  return true;
}

static bool create(struct og_mlir_converter *c, struct og_mlir_op *op) {
  og_mlir_type tdesc = op->results[0].type;
  if (tdesc->parts[2])
    return og_mlir_no_counterpart(c, op, "the layout of its tiles cannot be written");
  if (c->to == OG_MLIR_22 && !fits_22(c, op, tdesc))
    return false;
  og_mlir_take_away(op, "chunk_size");
  og_mlir_take_away(op, "chunk_size_per_lane");
  if (!respell_offsets(c, op))
    return false;
  if (tdesc->int_count == 2 && c->to != OG_MLIR_22)
    og_mlir_give(c, op, c->to == OG_MLIR_19 ? "chunk_size" : "chunk_size_per_lane",
                 og_mlir_int(c->m->interner, tdesc->ints[1], og_mlir_integer(c->m->interner, 64, OG_MLIR_SIGNLESS)));
  return true;
}

/* ---- gathers and scatters ---------------------------------------------------------------------------------------- */

/* The descriptor for an access in MLIR 22 that has its own offsets, inserted before it; NULL with an error. */
static struct og_mlir_value *descriptor(struct og_mlir_converter *c, struct og_mlir_op *op, const char *place,
                                        og_mlir_type value) {
  struct og_mlir_value *base = og_mlir_operand(op, place), *offsets = og_mlir_operand(op, "offsets");
  if (base->type->kind == OG_MLIR_TENSOR_DESC)
    return base;
  og_mlir_attr chunk = og_mlir_find(op, "chunk_size");
  og_mlir_type element = base->type->kind == OG_MLIR_MEMREF ? base->type->parts[0]
                         : value                            ? og_mlir_element(value)
                                                            : NULL;
  if (offsets->type->kind != OG_MLIR_VECTOR || offsets->type->int_count != 1 || !element)
    return og_mlir_no_counterpart(c, op, "offsets of one lane, or of no elements, make no descriptor"), NULL;
  int64_t shape[] = {offsets->type->ints[0], chunk ? chunk->ints[0] : 1};
  uint32_t rank = shape[1] > 1 ? 2 : 1;
  og_mlir_attr encoding = og_mlir_struct(c, "xegpu.scatter_tdesc_attr", NULL, 0);
  og_mlir_type type = og_mlir_shaped(c->m->interner, OG_MLIR_TENSOR_DESC, shape, rank, element, encoding, NULL);
  struct og_mlir_op *made = og_mlir_insert(c, OG_MLIR_OP_CREATE, NULL, 0, type);
  struct og_mlir_op **link = c->link;
  made->row = op->row; /* until it gets the target's */
  for (uint32_t i = 0; i < c->m->table->count; i++)
    if (c->m->table->rows[i].id == OG_MLIR_OP_CREATE && c->m->table->rows[i].spellings >> c->from & 1)
      made->row = &c->m->table->rows[i];
  og_mlir_set_operands(c, made, (struct og_mlir_values[]){{&base, 1}, {&offsets, 1}}, 2);
  struct og_mlir_op **before = &made->block->first;
  while (*before != made)
    before = &(*before)->next;
  c->link = before;
  bool ok = create(c, made);
  c->link = link;
  og_mlir_take_away(op, "chunk_size");
  return ok ? &made->results[0] : NULL;
}

static bool is_turned(og_mlir_attr transpose) {
  return transpose && transpose->int_count == 2 && transpose->ints[0] == 1;
}

static bool load(struct og_mlir_converter *c, struct og_mlir_op *op) {
  struct og_mlir_value *mask = og_mlir_operand(op, "mask"),
                       *tdesc = descriptor(c, op, c->from == OG_MLIR_22 ? "source" : "TensorDesc", op->results[0].type);
  og_mlir_attr transpose = og_mlir_find(op, "transpose");
  if (!tdesc)
    return false;
  bool turned = is_turned(transpose) && c->to == OG_MLIR_22;
  if (c->to == OG_MLIR_22)
    og_mlir_take_away(op, "transpose");
  og_mlir_set_operands(c, op,
                       c->to == OG_MLIR_22 ? (struct og_mlir_values[]){{&tdesc, 1}, {NULL, 0}, {&mask, 1}}
                                           : (struct og_mlir_values[]){{&tdesc, 1}, {&mask, 1}, {NULL, 0}},
                       3);
  if (!og_mlir_respell(c, op))
    return false;
  if (turned) {
    struct og_mlir_op *plain = og_mlir_split(c, op, og_mlir_vector(c, tdesc->type->ints, 2, tdesc->type->parts[0]));
    og_mlir_become_cast(c, op, og_mlir_transposed(c, &plain->results[0], (const int64_t[]){1, 0}, 2));
  }
  return true;
}

static bool store(struct og_mlir_converter *c, struct og_mlir_op *op) {
  struct og_mlir_value *mask = og_mlir_operand(op, "mask"), *value = og_mlir_operand(op, "value"),
                       *tdesc = descriptor(c, op, c->from == OG_MLIR_22 ? "dest" : "TensorDesc", value->type);
  if (!tdesc)
    return false;
  if (is_turned(og_mlir_find(op, "transpose")) && c->to > OG_MLIR_FIRST) {
    value = og_mlir_transposed(c, value, (const int64_t[]){1, 0}, 2);
    og_mlir_take_away(op, "transpose");
  }
  struct og_mlir_values groups[4] = {{&value, 1}, {&tdesc, 1}, {&mask, 1}};
  if (c->to == OG_MLIR_22)
    groups[2] = (struct og_mlir_values){0}, groups[3] = (struct og_mlir_values){&mask, 1};
  og_mlir_set_operands(c, op, groups, 4);
  return og_mlir_respell(c, op);
}

static bool prefetch(struct og_mlir_converter *c, struct og_mlir_op *op) {
  struct og_mlir_value *tdesc = descriptor(c, op, c->from == OG_MLIR_22 ? "source" : "TensorDesc", NULL);
  if (!tdesc)
    return false;
  og_mlir_set_operands(c, op, &(struct og_mlir_values){&tdesc, 1}, 1);
  return og_mlir_respell(c, op);
}

/* Of chunks MLIR 19 masks each element, the other spellings each lane. */
static bool atomic(struct og_mlir_converter *c, struct og_mlir_op *op) {
  struct og_mlir_value *tdesc = op->operands[0], *mask = op->operands[1], *value = op->operands[2];
  og_mlir_type type = mask->type;
  if (type->kind == OG_MLIR_VECTOR && tdesc->type->int_count == 2 && c->to == OG_MLIR_19 && type->int_count == 1) {
    mask = og_mlir_cast(c, mask, og_mlir_vector(c, (const int64_t[]){type->ints[0], 1}, 2, type->parts[0]));
    mask = &og_mlir_insert(c, OG_MLIR_OP_BROADCAST, &(struct og_mlir_values){&mask, 1}, 1,
                           og_mlir_vector(c, tdesc->type->ints, 2, type->parts[0]))
                ->results[0];
  } else if (type->kind == OG_MLIR_VECTOR && type->int_count == 2 && c->to != OG_MLIR_19) {
    return og_mlir_no_counterpart(c, op, "a mask is of lanes, and not of the elements of their chunks");
  }
  og_mlir_set_operands(c, op, (struct og_mlir_values[]){{&tdesc, 1}, {&mask, 1}, {&value, 1}}, 3);
  return og_mlir_respell(c, op);
}

bool og_mlir_convert_scatter(struct og_mlir_converter *c, struct og_mlir_op *op, bool *known) {
  *known = true;
  switch (op->row->id) {
  case OG_MLIR_OP_CREATE: return create(c, op);
  case OG_MLIR_OP_UPDATE: return respell_offsets(c, op);
  case OG_MLIR_OP_LOAD_GATHER: return load(c, op);
  case OG_MLIR_OP_STORE_SCATTER: return store(c, op);
  case OG_MLIR_OP_PREFETCH: return prefetch(c, op);
  case OG_MLIR_OP_ATOMIC: return atomic(c, op);
  default: return !(*known = false);
  }
}
