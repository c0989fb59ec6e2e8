/* convert_nd.c - tiles from one spelling to another: offsets of loads become updates of descriptors; layouts of loaded
 * vectors and of dpas' operands become casts and transpositions. */
#include "xegpu/convert.h"
#include "xegpu/maps.h"

#include <string.h>

static struct og_mlir_values group(const struct og_mlir_op *op, const char *name) {
  struct og_mlir_values v;
  v.values = og_mlir_group(op, name, &v.count);
  return v;
}

static og_mlir_attr filled(struct og_mlir_converter *c, int64_t value, uint32_t count) {
  int64_t *ints = OG_NEW_ARRAY(c->m->arena, int64_t, count + 1);
  for (uint32_t i = 0; i < count; i++)
    ints[i] = value;
  return og_mlir_dense_i64(c->m->interner, ints, count);
}

static og_mlir_type element_of(og_mlir_type t) { return t->parts[0]; }
static int64_t factor_of(og_mlir_type t) {
  uint32_t bits = og_mlir_bits(element_of(t));
  return bits && bits < 32 ? 32 / bits : 1;
}

/* ---- descriptors ------------------------------------------------------------------------------------------------- */

/* A list without its constants, as the target writes it: the RFC has only values. */
static struct og_mlir_values list(struct og_mlir_converter *c, struct og_mlir_op *op, const char *name,
                                  const char *constants) {
  struct og_mlir_values v = group(op, name);
  og_mlir_attr given = og_mlir_find(op, constants);
  if (c->to != OG_MLIR_RFC) {
    if (!given && v.count)
      og_mlir_give(c, op, constants, filled(c, OG_MLIR_DYNAMIC, v.count));
    return v;
  }
  og_mlir_take_away(op, constants);
  return og_mlir_all_values(c, given, v);
}

/* The sizes and strides of a memref whose type does not contain them; MLIR 19 wants them written. */
static bool give_sizes(struct og_mlir_converter *c, struct og_mlir_op *op) {
  struct og_mlir_value *source = op->operands[0];
  uint32_t rank = source->type->int_count;
  if (source->type->parts[1])
    return og_mlir_no_counterpart(c, op, "the base's strides are not written");
  struct og_mlir_value **sizes = OG_NEW_ARRAY(c->m->arena, struct og_mlir_value *, rank + 1),
                       **strides = OG_NEW_ARRAY(c->m->arena, struct og_mlir_value *, rank + 1);
  og_mlir_type index = og_mlir_simple(c->m->interner, OG_MLIR_INDEX);
  for (uint32_t i = 0; i < rank; i++) {
    struct og_mlir_value *number = og_mlir_index(c, i);
    struct og_mlir_values groups[] = {{&source, 1}, {&number, 1}};
    sizes[i] = &og_mlir_insert(c, OG_MLIR_OP_DIM, groups, 2, index)->results[0];
  }
  for (uint32_t i = rank; i-- > 0;)
    if (i + 1 == rank) {
      strides[i] = og_mlir_index(c, 1);
    } else {
      struct og_mlir_values groups[] = {{&strides[i + 1], 1}, {&sizes[i + 1], 1}};
      strides[i] = &og_mlir_insert(c, OG_MLIR_OP_MULI, groups, 2, index)->results[0];
    }
  struct og_mlir_values groups[] = {{&source, 1}, group(op, "offsets"), {sizes, rank}, {strides, rank}};
  og_mlir_set_operands(c, op, groups, 4);
  og_mlir_give(c, op, "const_shape", filled(c, OG_MLIR_DYNAMIC, rank));
  og_mlir_give(c, op, "const_strides", filled(c, OG_MLIR_DYNAMIC, rank));
  return true;
}

static bool is_by_columns(og_mlir_attr map) {
  og_mlir_attr layout = og_mlir_field(map, "wi_layout"), data = og_mlir_field(map, "wi_data");
  return layout && data && layout->ints[0] == 1 && layout->ints[1] == 16 && data->ints[1] == 1;
}

static bool create(struct og_mlir_converter *c, struct og_mlir_op *op) {
  og_mlir_type source = op->operands[0]->type, tdesc = op->results[0].type;
  bool memref = source->kind == OG_MLIR_MEMREF, dynamic = memref && og_mlir_elements(source) == OG_MLIR_DYNAMIC;
  if (tdesc->parts[2] && !(c->from <= OG_MLIR_FIRST && c->to != OG_MLIR_19))
    return og_mlir_no_counterpart(c, op, "the layout of its tiles cannot be written");
  uint32_t offsets = group(op, "offsets").count, shapes = group(op, "shape").count;
  og_mlir_attr given = og_mlir_find(op, "const_shape");
  shapes = given ? given->int_count : shapes;
  if (!memref && shapes && c->to == OG_MLIR_RFC && shapes != tdesc->int_count)
    return og_mlir_no_counterpart(c, op, "an address' base has as many dimensions as the tile");
  if (!offsets && !og_mlir_find(op, "const_offsets"))
    og_mlir_give(c, op, "const_offsets", filled(c, 0, memref ? source->int_count : shapes));
  if (!memref && !shapes && c->to > OG_MLIR_FIRST) { /* one dimension, which is not checked against a boundary */
    og_mlir_give(c, op, "const_shape", filled(c, tdesc->ints[0], 1));
    og_mlir_give(c, op, "const_strides", filled(c, 1, 1));
  } else if (dynamic && !shapes && c->to == OG_MLIR_19 && !give_sizes(c, op)) {
    return false;
  }
  struct og_mlir_value *base = op->operands[0];
  struct og_mlir_values groups[] = {{&base, 1},
                                    list(c, op, "offsets", "const_offsets"),
                                    list(c, op, "shape", "const_shape"),
                                    list(c, op, "strides", "const_strides")};
  og_mlir_set_operands(c, op, groups, 4);
  return og_mlir_respell(c, op);
}

static bool update(struct og_mlir_converter *c, struct og_mlir_op *op) {
  struct og_mlir_value *tile = op->operands[0];
  struct og_mlir_values groups[] = {{&tile, 1}, list(c, op, "offsets", "const_offsets")};
  og_mlir_set_operands(c, op, groups, 2);
  return og_mlir_respell(c, op);
}

/* The tile of a load, store or prefetch; the operation's own offsets become an update before it. */
static struct og_mlir_value *moved_tile(struct og_mlir_converter *c, struct og_mlir_op *op) {
  struct og_mlir_value *tile = og_mlir_operand(op, "TensorDesc");
  struct og_mlir_values offsets = group(op, "offsets");
  og_mlir_attr given = og_mlir_find(op, "const_offsets");
  if (c->from != OG_MLIR_22)
    return tile;
  og_mlir_take_away(op, "const_offsets");
  bool nothing = !offsets.count;
  for (uint32_t i = 0; given && i < given->int_count; i++)
    nothing &= given->ints[i] == 0;
  if (nothing)
    return tile;
  bool rfc = c->to == OG_MLIR_RFC;
  struct og_mlir_values groups[] = {{&tile, 1}, rfc ? og_mlir_all_values(c, given, offsets) : offsets};
  struct og_mlir_op *moved = og_mlir_insert(c, OG_MLIR_OP_UPDATE_ND, groups, 2, tile->type);
  if (!rfc)
    og_mlir_give(c, moved, "const_offsets", given ? given : filled(c, OG_MLIR_DYNAMIC, offsets.count));
  if (og_mlir_to_old(c) && !c->lanes)
    og_mlir_give(c, moved, "mode", og_mlir_enum(c->m->interner, "xegpu.mode", OG_TEXT("vc")));
  return &moved->results[0];
}

/* Whether a value is a lane's share of a tile. */
static bool is_share(const struct og_mlir_converter *c, og_mlir_type tdesc, og_mlir_type value) {
  struct og_mlir_tile tile;
  return c->lanes && !og_mlir_tile_of(NULL, tdesc, NULL, &tile) && og_mlir_count(value) < tile.elements;
}

/* ---- loads and stores -------------------------------------------------------------------------------------------- */

/* Whether only matrix products use the value: for them it does not matter how a tile is distributed to lanes. */
static bool is_for_dpas(const struct og_mlir_region *region, const struct og_mlir_value *value) {
  for (const struct og_mlir_block *b = region->first; b; b = b->next)
    for (const struct og_mlir_op *op = b->first; op; op = op->next) {
      for (uint32_t i = 0; i < op->operand_count; i++)
        if (op->operands[i] == value && op->row->id != OG_MLIR_OP_DPAS)
          return false;
      for (uint32_t i = 0; i < op->region_count; i++)
        if (!is_for_dpas(&op->regions[i], value))
          return false;
    }
  return true;
}

/* transpose_bit_width: units of several elements are transposed: loaded plainly, then as the middle of three
 * dimensions. */
static struct og_mlir_value *by_units(struct og_mlir_converter *c, struct og_mlir_op *load, int64_t unit) {
  og_mlir_type t = load->results[0].type, element = element_of(t);
  int64_t group = OG_MAX(unit / OG_MAX((int64_t)og_mlir_bits(element), 1), 1);
  int64_t shape[] = {t->ints[0], t->ints[1] / group, group};
  return og_mlir_transposed(c, og_mlir_cast(c, &load->results[0], og_mlir_vector(c, shape, 3, element)),
                            (const int64_t[]){1, 0, 2}, 3);
}

static bool load(struct og_mlir_converter *c, struct og_mlir_op *op) {
  og_mlir_type tdesc = og_mlir_operand(op, "TensorDesc")->type, value = op->results[0].type;
  og_mlir_attr transpose = og_mlir_find(op, "transpose"), vnni = og_mlir_find(op, "vnni_axis"),
               unit = og_mlir_find(op, "transpose_bit_width");
  bool upstream = c->to > OG_MLIR_FIRST, old_lanes = tdesc->parts[2] && is_share(c, tdesc, value);
  struct og_mlir_interner *in = c->m->interner;
  struct og_mlir_value *tile = moved_tile(c, op);
  og_mlir_set_operands(c, op, &(struct og_mlir_values){&tile, 1}, 1);
  if (transpose && c->from > OG_MLIR_FIRST && transpose->int_count == 2 && transpose->ints[0] == 0)
    og_mlir_take_away(op, "transpose");
  if (upstream && old_lanes &&
      (transpose || (!is_by_columns(tdesc->parts[2]) && !is_for_dpas(&c->function->regions[0], &op->results[0]))))
    return og_mlir_no_counterpart(c, op, "lanes have columns of a tile there");
  if (og_mlir_find(op, "packed")) {
    og_mlir_take_away(op, "packed");
    og_mlir_give(c, op, "vnni_axis", og_mlir_int(in, 0, og_mlir_integer(in, 64, OG_MLIR_SIGNLESS)));
  } else if (vnni && c->to == OG_MLIR_22) {
    og_mlir_take_away(op, "vnni_axis");
    if (vnni->ints[0] == 0)
      og_mlir_give(c, op, "packed", og_mlir_intern(in, &(struct og_mlir_node){.kind = OG_MLIR_UNIT}));
  }
  og_mlir_type plain = value;
  if (upstream && unit) {
    og_mlir_take_away(op, "transpose_bit_width");
    og_mlir_take_away(op, "transpose");
    if (og_mlir_elements(value) != og_mlir_elements(tdesc))
      return og_mlir_no_counterpart(c, op, "arrays of tiles are not transposed by units");
    plain = og_mlir_vector(c, tdesc->ints, tdesc->int_count, element_of(value));
  } else if (c->to == OG_MLIR_22 && vnni && vnni->ints[0] == 1) {
    int64_t shape[OG_MLIR_RANK_MOST];
    uint32_t rank = value->int_count - 1; /* the last two become one */
    memcpy(shape, value->ints, rank * sizeof *shape);
    shape[rank - 1] *= value->ints[rank];
    plain = og_mlir_vector(c, shape, rank, element_of(value));
  }
  if (upstream && old_lanes)
    plain = og_mlir_vector(c, (const int64_t[]){og_mlir_elements(value)}, 1, element_of(value));
  if (!og_mlir_respell(c, op))
    return false;
  if (plain == value)
    return true;
  struct og_mlir_op *first = og_mlir_split(c, op, plain);
  og_mlir_become_cast(c, op, upstream && unit ? by_units(c, first, unit->ints[0]) : &first->results[0]);
  return true;
}

static bool store(struct og_mlir_converter *c, struct og_mlir_op *op) {
  struct og_mlir_value *tile = og_mlir_operand(op, "TensorDesc"), *value = op->operands[0];
  og_mlir_attr map = tile->type->parts[2];
  bool upstream = c->to > OG_MLIR_FIRST;
  if (upstream && map && is_share(c, tile->type, value->type) && c->from <= OG_MLIR_FIRST && !is_by_columns(map))
    return og_mlir_no_counterpart(c, op, "lanes have columns of a tile there");
  if (upstream && is_share(c, tile->type, value->type))
    value = og_mlir_cast(
        c, value, og_mlir_vector(c, (const int64_t[]){og_mlir_elements(value->type)}, 1, element_of(value->type)));
  tile = moved_tile(c, op);
  og_mlir_set_operands(c, op, (struct og_mlir_values[]){{&value, 1}, {&tile, 1}}, 2);
  return og_mlir_respell(c, op);
}

static bool prefetch(struct og_mlir_converter *c, struct og_mlir_op *op) {
  struct og_mlir_value *tile = moved_tile(c, op);
  og_mlir_set_operands(c, op, &(struct og_mlir_values){&tile, 1}, 1);
  return og_mlir_respell(c, op);
}

/* ---- products of matrices ---------------------------------------------------------------------------------------- */

static struct og_mlir_value *shaped(struct og_mlir_converter *c, struct og_mlir_value *value, const int64_t *shape,
                                    uint32_t rank) {
  return og_mlir_cast(c, value, og_mlir_vector(c, shape, rank, element_of(value->type)));
}

/* A lane's fragment: a list in 22; in the old spellings pairs or fours that fill 32 bits. */
static struct og_mlir_value *fragment(struct og_mlir_converter *c, struct og_mlir_value *value) {
  int64_t all = og_mlir_elements(value->type), factor = factor_of(value->type);
  return c->to == OG_MLIR_22 ? shaped(c, value, &all, 1) : shaped(c, value, (const int64_t[]){all / factor, factor}, 2);
}

/* A: m x k in 22, divided into 32 bits in the others. B: in VNNI layout in the others. */
static struct og_mlir_value *left(struct og_mlir_converter *c, struct og_mlir_value *a, int64_t m) {
  int64_t k = og_mlir_elements(a->type) / m, factor = factor_of(a->type);
  if (c->to == OG_MLIR_22 || (factor == 1 && og_mlir_to_old(c)))
    return shaped(c, a, (const int64_t[]){m, k}, 2);
  return shaped(c, a, (const int64_t[]){m, k / factor, factor}, 3);
}

static struct og_mlir_value *right(struct og_mlir_converter *c, struct og_mlir_value *b, int64_t n) {
  int64_t k = og_mlir_elements(b->type) / n, factor = factor_of(b->type);
  if (factor == 1)
    return c->to == OG_MLIR_19 ? shaped(c, b, (const int64_t[]){k, n, 1}, 3) : shaped(c, b, (const int64_t[]){k, n}, 2);
  if (b->type->int_count == 3 || c->to == OG_MLIR_22 || k % factor)
    return b;
  return og_mlir_transposed(c, shaped(c, b, (const int64_t[]){k / factor, factor, n}, 3), (const int64_t[]){0, 2, 1},
                            3);
}

static bool dpas(struct og_mlir_converter *c, struct og_mlir_op *op) {
  og_mlir_type result = op->results[0].type, plain = result;
  struct og_mlir_value *in[3] = {op->operands[0], op->operands[1], op->operand_count > 2 ? op->operands[2] : NULL};
  if ((c->from <= OG_MLIR_FIRST && og_mlir_to_old(c)))
    return og_mlir_respell(c, op);
  if (c->lanes) {
    int64_t rows = og_mlir_elements(result);
    plain = c->to == OG_MLIR_22 ? og_mlir_vector(c, &rows, 1, element_of(result))
                                : og_mlir_vector(c, (const int64_t[]){rows, 1}, 2, element_of(result));
    in[0] = fragment(c, in[0]), in[1] = fragment(c, in[1]);
  } else {
    in[0] = left(c, in[0], result->ints[0]), in[1] = right(c, in[1], result->ints[1]);
  }
  in[2] = in[2] ? og_mlir_cast(c, in[2], plain) : NULL;
  og_mlir_set_operands(c, op, (struct og_mlir_values[]){{&in[0], 1}, {&in[1], 1}, {&in[2], in[2] != NULL}}, 3);
  if (!og_mlir_respell(c, op))
    return false;
  if (plain != result)
    og_mlir_become_cast(c, op, &og_mlir_split(c, op, plain)->results[0]);
  return true;
}

bool og_mlir_convert_nd(struct og_mlir_converter *c, struct og_mlir_op *op, bool *known) {
  *known = true;
  switch (op->row->id) {
  case OG_MLIR_OP_CREATE_ND: return create(c, op);
  case OG_MLIR_OP_UPDATE_ND: return update(c, op);
  case OG_MLIR_OP_LOAD_ND: return load(c, op);
  case OG_MLIR_OP_STORE_ND: return store(c, op);
  case OG_MLIR_OP_PREFETCH_ND: return prefetch(c, op);
  case OG_MLIR_OP_DPAS: return dpas(c, op);
  default: return !(*known = false);
  }
}
