/* maps.c - where elements come from and where they go: lists of indices, made once for each operation. */
#include "xegpu/maps.h"

int64_t og_mlir_matrix_stride(og_mlir_type mem_desc, uint32_t k) {
  og_mlir_attr stride = og_mlir_field(mem_desc->parts[1], "stride");
  if (stride && stride->kind == OG_MLIR_ARRAY && k < stride->part_count && stride->parts[k]->kind == OG_MLIR_INT)
    return stride->parts[k]->ints[0];
  int64_t step = 1;
  for (uint32_t i = k + 1; i < mem_desc->int_count; i++)
    step *= mem_desc->ints[i];
  return step;
}

/* ---- tiles ------------------------------------------------------------------------------------------------------- */

const char *og_mlir_tile_of(const struct og_mlir_op *op, og_mlir_type tdesc, og_mlir_type value,
                            struct og_mlir_tile *t) {
  og_mlir_attr array = og_mlir_field(tdesc->parts[1], "array_length"),
               boundary = og_mlir_field(tdesc->parts[1], "boundary_check"),
               transpose = op ? og_mlir_find(op, "transpose") : NULL, vnni = op ? og_mlir_find(op, "vnni_axis") : NULL,
               unit = op ? og_mlir_find(op, "transpose_bit_width") : NULL;
  uint32_t bits = og_mlir_bits(tdesc->parts[0]), rank = tdesc->int_count;
  *t = (struct og_mlir_tile){.arrays = 1, .group = 1, .factor = 1};
  if (rank == 0 || rank > 2 || !bits || tdesc->ints[0] < 1 || tdesc->ints[rank - 1] < 1)
    return "tiles of this type";
  t->rows = rank == 2 ? (uint32_t)OG_MIN(tdesc->ints[0], 1 << 12) : 1;
  t->columns = (uint32_t)OG_MIN(tdesc->ints[rank - 1], 1 << 12);
  t->arrays = array ? (uint32_t)OG_MIN(OG_MAX(array->ints[0], 1), 64) : 1;
  t->elements = t->rows * t->columns * t->arrays;
  t->unchecked = boundary && !boundary->ints[0];
  t->turned = transpose && transpose->int_count == 2 && transpose->ints[0] == 1;
  t->packed = op && value && (og_mlir_find(op, "packed") || (vnni && vnni->ints[0] == 0));
  t->group = unit && t->turned ? (uint32_t)unit->ints[0] / OG_MAX(bits, 8u) : 1;
  t->factor = t->packed ? (uint32_t)value->ints[value->int_count - 1] : 1;
  if (value && value->kind == OG_MLIR_VECTOR && og_mlir_elements(value) < t->elements)
    t->factor = 1; /* a lane's */
  if (t->group < 1 || t->columns % t->group || t->factor < 1 || t->rows % t->factor)
    return "the tile is not divisible by the unit of the transposition or the VNNI factor";
  return NULL;
}

uint32_t *og_mlir_tile_map(struct og_arena *arena, const struct og_mlir_tile *t) {
  if (!t->turned && !t->packed)
    return NULL;
  uint32_t plane = t->rows * t->columns, at = 0, *map = OG_NEW_ARRAY(arena, uint32_t, t->elements);
  for (uint32_t a = 0; a < t->arrays; a++)
    if (t->turned)
      for (uint32_t c = 0; c < t->columns; c += t->group)
        for (uint32_t r = 0; r < t->rows; r++)
          for (uint32_t g = 0; g < t->group; g++)
            map[at++] = a * plane + r * t->columns + c + g;
    else
      for (uint32_t r = 0; r < t->rows; r += t->factor)
        for (uint32_t c = 0; c < t->columns; c++)
          for (uint32_t g = 0; g < t->factor; g++)
            map[at++] = a * plane + (r + g) * t->columns + c;
  return map;
}

uint32_t *og_mlir_fragment_map(struct og_arena *arena, uint32_t rows, uint32_t columns, og_mlir_attr layout,
                               og_mlir_attr data, uint32_t *each) {
  int64_t l0 = 1, l1 = OG_MLIR_SUBGROUP, d0 = 1, d1 = 1;
  if (layout && data && layout->int_count == 2 && data->int_count == 2)
    l0 = layout->ints[0], l1 = layout->ints[1], d0 = data->ints[0], d1 = data->ints[1];
  if (l0 < 1 || l1 < 1 || d0 < 1 || d1 < 1 || l0 > 64 || l1 > 64 || rows % (l0 * d0) || columns % (l1 * d1))
    return NULL;
  uint32_t lanes = (uint32_t)(l0 * l1), at = 0;
  *each = rows * columns / lanes;
  uint32_t *map = OG_NEW_ARRAY(arena, uint32_t, (size_t)*each * OG_MAX(lanes, OG_MLIR_SUBGROUP + 0u) + 1);
  for (uint32_t lane = 0; lane < lanes; lane++)
    for (uint32_t r0 = 0; r0 < rows; r0 += (uint32_t)(l0 * d0))
      for (uint32_t c0 = 0; c0 < columns; c0 += (uint32_t)(l1 * d1))
        for (uint32_t r = 0; r < d0; r++)
          for (uint32_t c = 0; c < d1; c++)
            map[at++] =
                (r0 + lane / (uint32_t)l1 * (uint32_t)d0 + r) * columns + c0 + lane % (uint32_t)l1 * (uint32_t)d1 + c;
  return map;
}

static og_mlir_attr map_part(og_mlir_type tdesc, const char *old, const char *new) {
  og_mlir_attr part = og_mlir_field(tdesc->parts[2], old);
  return part ? part : og_mlir_field(tdesc->parts[2], new);
}

uint32_t *og_mlir_lane_map(struct og_arena *arena, const struct og_mlir_tile *t, og_mlir_type tdesc, uint32_t *each) {
  if (!t->turned)
    return og_mlir_fragment_map(arena, t->rows * t->arrays, t->columns, map_part(tdesc, "wi_layout", "lane_layout"),
                                map_part(tdesc, "wi_data", "lane_data"), each);
  uint32_t *map = og_mlir_fragment_map(arena, t->columns, t->rows, NULL, NULL, each); /* a lane has the result's */
  for (uint32_t k = 0; map && k < *each * OG_MLIR_SUBGROUP; k++)
    map[k] = map[k] % t->rows * t->columns + map[k] / t->rows;
  return map;
}

uint32_t *og_mlir_dpas_map(struct og_arena *arena, const struct og_mlir_op *dpas, uint32_t index, uint32_t rows,
                           uint32_t columns, uint32_t *each) {
  const struct og_mlir_op *load = index < 2 ? dpas->operands[index]->op : NULL;
  og_mlir_type tdesc = load && load->row->id == OG_MLIR_OP_LOAD_ND ? og_mlir_operand(load, "TensorDesc")->type : NULL;
  return og_mlir_fragment_map(arena, rows, columns, tdesc ? map_part(tdesc, "wi_layout", "lane_layout") : NULL,
                              tdesc ? map_part(tdesc, "wi_data", "lane_data") : NULL, each);
}

static bool is_fragment(const struct og_mlir_op *op) {
  struct og_mlir_tile t;
  struct og_mlir_access a;
  const struct og_mlir_value *value = op->result_count ? &op->results[0] : op->operand_count ? op->operands[0] : NULL;
  switch (op->row->id) {
  case OG_MLIR_OP_LOAD_ND:
  case OG_MLIR_OP_STORE_ND:
    return !og_mlir_tile_of(NULL, og_mlir_operand(op, "TensorDesc")->type, NULL, &t) &&
           og_mlir_count(value->type) < t.elements;
  case OG_MLIR_OP_LOAD_GATHER:
  case OG_MLIR_OP_STORE_SCATTER:
    og_mlir_access_of(op, &a);
    return a.tdesc && og_mlir_count(value->type) != a.lanes * a.chunk;
  case OG_MLIR_OP_DPAS: return og_mlir_is_of_lanes(op);
  case OG_MLIR_OP_SHUFFLE:
  case OG_MLIR_OP_SUBGROUP_REDUCE: return true;
  default: return false;
  }
}

bool og_mlir_has_fragments(const struct og_mlir_region *region) {
  for (const struct og_mlir_block *b = region->first; b; b = b->next)
    for (const struct og_mlir_op *op = b->first; op; op = op->next) {
      if (is_fragment(op))
        return true;
      for (uint32_t i = 0; i < op->region_count; i++)
        if (og_mlir_has_fragments(&op->regions[i]))
          return true;
    }
  return false;
}

/* ---- scattered accesses ------------------------------------------------------------------------------------------ */

void og_mlir_access_of(const struct og_mlir_op *op, struct og_mlir_access *a) {
  enum { LANES_MOST = 1024 };
  static const char *const names[] = {"TensorDesc", "tensorDesc", "source", "dest"};
  og_mlir_attr chunk = og_mlir_find(op, "chunk_size"), transpose = og_mlir_find(op, "transpose");
  *a = (struct og_mlir_access){.lanes = 1, .chunk = 1};
  for (size_t i = 0; i < OG_COUNT(names) && !a->place; i++)
    a->place = og_mlir_operand(op, names[i]);
  a->offsets = og_mlir_operand(op, "offsets"), a->mask = og_mlir_operand(op, "mask");
  a->tdesc = a->place->type->kind == OG_MLIR_TENSOR_DESC;
  a->turned = transpose && transpose->int_count == 2 && transpose->ints[0] == 1;
  if (a->tdesc) {
    a->lanes = (uint32_t)OG_MIN(a->place->type->ints[0], LANES_MOST);
    a->chunk = a->place->type->int_count > 1 ? (uint32_t)OG_MIN(a->place->type->ints[1], LANES_MOST) : 1;
    a->lanes = a->place->type->ints[0] < 1 ? 0 : a->lanes;
    a->chunk = a->place->type->int_count > 1 && a->place->type->ints[1] < 1 ? 0 : a->chunk;
  } else {
    a->lanes = (uint32_t)OG_MIN(og_mlir_count(a->offsets->type), LANES_MOST + 0u);
    a->chunk = chunk ? (uint32_t)OG_MIN(OG_MAX(chunk->ints[0], 1), LANES_MOST) : 1;
  }
}

/* ---- vectors ----------------------------------------------------------------------------------------------------- */

uint32_t og_mlir_count(og_mlir_type t) {
  return t->kind == OG_MLIR_VECTOR ? (uint32_t)OG_MIN(OG_MAX(og_mlir_elements(t), 1), 1 << 24) : 1;
}

/* Where element k of the result, at index `at`, comes from. */
static uint32_t source_of(const struct og_mlir_op *op, uint32_t k, const int64_t *at) {
  og_mlir_type from = op->operands[0]->type, to = op->results[0].type;
  int64_t source[OG_MLIR_RANK_MOST] = {0};
  switch (op->row->id) {
  case OG_MLIR_OP_TRANSPOSE: {
    og_mlir_attr order = og_mlir_find(op, "permutation");
    for (uint32_t i = 0; i < og_mlir_rank(to); i++)
      source[order->ints[i]] = at[i];
    break;
  }
  case OG_MLIR_OP_EXTRACT_SLICE: {
    og_mlir_attr offsets = og_mlir_find(op, "offsets");
    for (uint32_t i = 0; i < og_mlir_rank(to); i++)
      source[i] = at[i] + (i < offsets->part_count ? offsets->parts[i]->ints[0] : 0);
    break;
  }
  case OG_MLIR_OP_VECTOR_SHUFFLE: {
    int64_t row = og_mlir_find(op, "mask")->ints[at[0]];
    uint32_t inner = og_mlir_count(to) / (uint32_t)to->ints[0];
    return row < 0 ? 0 : (uint32_t)row * inner + k % inner;
  }
  default: /* broadcast */
    for (uint32_t i = 0, shift = og_mlir_rank(to) - og_mlir_rank(from); i < og_mlir_rank(from); i++)
      source[i] = from->ints[i] == 1 ? 0 : at[i + shift];
  }
  return og_mlir_flat(from, source);
}

uint32_t *og_mlir_source_map(struct og_arena *arena, const struct og_mlir_op *op) {
  og_mlir_type to = op->results[0].type;
  uint32_t count = og_mlir_count(to), *map = OG_NEW_ARRAY(arena, uint32_t, count);
  for (uint32_t k = 0; k < count; k++) {
    int64_t at[OG_MLIR_RANK_MOST] = {0};
    og_mlir_indices(to, k, at);
    map[k] = source_of(op, k, at);
  }
  return map;
}

uint32_t *og_mlir_insert_map(struct og_arena *arena, const struct og_mlir_op *op) {
  og_mlir_type from = op->operands[0]->type, to = op->results[0].type;
  og_mlir_attr offsets = og_mlir_find(op, "offsets");
  uint32_t count = og_mlir_count(from), shift = og_mlir_rank(to) - og_mlir_rank(from),
           *map = OG_NEW_ARRAY(arena, uint32_t, count);
  for (uint32_t k = 0; k < count; k++) {
    int64_t at[OG_MLIR_RANK_MOST] = {0}, target[OG_MLIR_RANK_MOST] = {0};
    og_mlir_indices(from, k, at);
    for (uint32_t i = 0; i < og_mlir_rank(to); i++)
      target[i] = offsets->parts[i]->ints[0] + (i < shift ? 0 : at[i - shift]);
    map[k] = og_mlir_flat(to, target);
  }
  return map;
}

uint32_t *og_mlir_target_map(struct og_arena *arena, const struct og_mlir_op *op) {
  og_mlir_type from = op->operands[0]->type, to = op->results[0].type;
  og_mlir_attr dims = og_mlir_find(op, "reduction_dims"); /* of vector.reduction: none, there is one */
  uint32_t count = og_mlir_count(from), gone = dims ? 0 : 1, *map = OG_NEW_ARRAY(arena, uint32_t, count);
  for (uint32_t i = 0; dims && i < dims->int_count; i++)
    gone |= 1u << dims->ints[i];
  for (uint32_t k = 0; k < count; k++) {
    int64_t at[OG_MLIR_RANK_MOST] = {0}, target[OG_MLIR_RANK_MOST] = {0};
    og_mlir_indices(from, k, at);
    for (uint32_t i = 0, n = 0; i < og_mlir_rank(from); i++)
      if (!(gone >> i & 1))
        target[n++] = at[i];
    map[k] = og_mlir_flat(to, target);
  }
  return map;
}

uint32_t *og_mlir_round_map(struct og_arena *arena, const struct og_mlir_op *op, uint32_t *rounds) {
  uint32_t count = og_mlir_count(op->operands[0]->type), targets = og_mlir_count(op->results[0].type),
           *map = OG_NEW_ARRAY(arena, uint32_t, count), *met = OG_NEW_ARRAY(arena, uint32_t, targets);
  const uint32_t *to = og_mlir_target_map(arena, op);
  *rounds = count / targets;
  for (uint32_t k = 0; k < count; k++)
    map[met[to[k]]++ * targets + to[k]] = k;
  return map;
}

uint8_t og_mlir_combining(struct og_text word) {
  static const char *const kinds[] = {"add",     "mul", "minui", "minsi", "minnumf",  "maxui",   "maxsi",
                                      "maxnumf", "and", "or",    "xor",   "minimumf", "maximumf"};
  uint8_t kind = 0;
  while (kind + 1u < OG_COUNT(kinds) && !og_text_is(word, kinds[kind]))
    kind++;
  return og_text_is(word, kinds[kind]) ? kind : 0;
}
