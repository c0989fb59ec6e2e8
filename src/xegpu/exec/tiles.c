/* tiles.c - nd descriptors; block loads and stores with padding, transposition and VNNI. A thread that is one lane of a
 * subgroup has a fragment of a tile: by sg_map or, without one, a column. */
#include "xegpu/exec/exec.h"
#include "xegpu/maps.h"

#include <string.h>

/* ---- descriptors ------------------------------------------------------------------------------------------------- */

struct create {
  struct og_xe_numbers offsets, shape, strides;
  bool slm;
};

static bool locate(struct og_xe_thread *t, const struct og_xe_inst *i, uint64_t address, bool slm,
                   struct og_xe_memory **memory, uint8_t **base) {
  if (slm && t->group) {
    if (!t->group->slm.data)
      t->group->slm = *og_xe_allocate(t->machine, OG_XE_SLM_BYTES);
    *memory = &t->group->slm;
    *base = t->group->slm.data + OG_MIN(address, (uint64_t)OG_XE_SLM_BYTES);
    return true;
  }
  *memory = og_xe_find(t->machine, t->group, address);
  *base = (uint8_t *)(uintptr_t)address;
  return *memory || og_xe_fault(t, i, "the address 0x%llx is in no allocation", (unsigned long long)address);
}

static const struct og_xe_inst *create_nd(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const struct create *c = i->data;
  struct og_xe_tile *tile = (struct og_xe_tile *)(f + i->to);
  og_mlir_type source = i->op->operands[0]->type;
  memset(tile, 0, sizeof *tile);
  if (source->kind == OG_MLIR_MEMREF) {
    const struct og_xe_memref *m = (const struct og_xe_memref *)(f + i->a);
    tile->memory = m->memory;
    tile->base = m->base + m->offset * (int64_t)og_xe_sizes[i->type];
    tile->rank = m->rank;
    memcpy(tile->shape, m->sizes, (size_t)m->rank * 8);
    memcpy(tile->strides, m->sizes + OG_MAX(m->rank, 1), (size_t)m->rank * 8);
  } else {
    if (!locate(t, i, (uint64_t)og_xe_integer(source->ints[0] == 32 ? OG_XE_I32 : OG_XE_I64, f + i->a), c->slm,
                &tile->memory, &tile->base))
      return NULL;
    tile->rank = c->shape.count ? c->shape.count : i->op->results[0].type->int_count;
    tile->strides[0] = 1;
    tile->shape[0] = INT64_MAX / 16; /* one dimension without a shape: only the memory is checked */
  }
  for (uint32_t k = 0; k < c->shape.count; k++)
    tile->shape[k] = og_xe_number_at(&c->shape, f, k);
  for (uint32_t k = 0; k < c->strides.count; k++)
    tile->strides[k] = og_xe_number_at(&c->strides, f, k);
  for (uint32_t k = 0; k < c->offsets.count; k++)
    tile->offsets[k] = og_xe_number_at(&c->offsets, f, k);
  if (tile->rank && tile->strides[tile->rank - 1] != 1)
    return og_xe_fault(t, i, "the stride of the innermost dimension must be 1, but is %lld (RFC: create_nd_tdesc)",
                       (long long)tile->strides[tile->rank - 1]);
  return i + 1;
}

static const struct og_xe_inst *update_nd(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  const struct og_xe_numbers *n = i->data;
  struct og_xe_tile *tile = (struct og_xe_tile *)(f + i->to);
  memmove(tile, f + i->a, sizeof *tile);
  for (uint32_t k = 0; k < n->count && k < tile->rank; k++)
    tile->offsets[tile->rank - n->count + k] += og_xe_number_at(n, f, k);
  return i + 1;
}

/* ---- loads and stores -------------------------------------------------------------------------------------------- */

struct block {
  struct og_xe_numbers offsets;             /* the operation's own, which are added to the descriptor's */
  uint32_t rows, columns, arrays, elements; /* of the tile */
  uint32_t size;                            /* of an element */
  const uint32_t *map;                      /* value's element k is the tile's map[k]; NULL: in order */
  uint32_t values;                          /* elements of the value: all of the tile, or a lane's */
  uint32_t lane_stride;                     /* distance of a lane's entries in `map` from those of the lane before */
  bool pairs;                               /* the map is that of VNNI with 16-bit elements */
  bool unchecked;                           /* boundary_check = false: outside the shape nothing is padded */
};

struct rectangle { /* the tile's rectangle in its base */
  int64_t row, column, rows, columns, pitch;
  uint8_t *plane;
};

static bool place_tile(struct og_xe_thread *t, const struct og_xe_inst *i, const struct og_xe_tile *tile,
                       const struct block *b, const uint8_t *f, struct rectangle *r) {
  int64_t at[OG_MLIR_RANK_MOST], rank = tile->rank, plane = 0;
  memcpy(at, tile->offsets, sizeof at);
  for (uint32_t k = 0; k < b->offsets.count && k < rank; k++)
    at[rank - b->offsets.count + k] += og_xe_number_at(&b->offsets, f, k);
  uint32_t inner = i->type2; /* dimensions of the tile */
  for (int64_t k = 0; k + inner < rank; k++) {
    if (at[k] < 0 || at[k] >= tile->shape[k])
      return og_xe_fault(t, i, "offset %lld is outside of dimension %lld of size %lld", (long long)at[k], (long long)k,
                         (long long)tile->shape[k]);
    plane += at[k] * tile->strides[k];
  }
  bool two = inner == 2;
  *r = (struct rectangle){two ? at[rank - 2] : 0,
                          at[rank - 1],
                          two ? tile->shape[rank - 2] : 1,
                          tile->shape[rank - 1],
                          two ? tile->strides[rank - 2] : 0,
                          tile->base + plane * b->size};
  return (tile->memory && !tile->memory->freed) || og_xe_fault(t, i, "the memory is freed already");
}

/* One row of the tile: `count` elements from the rectangle's column on. Outside, zeros are loaded and nothing is
 * stored. */
static bool move_row(struct og_xe_thread *t, const struct og_xe_inst *i, const struct og_xe_tile *tile,
                     const struct block *b, const struct rectangle *r, int64_t row, int64_t column, uint32_t count,
                     uint8_t *data, bool write) {
  int64_t first = 0, last = count;
  if (!b->unchecked) {
    bool in = row >= 0 && row < r->rows;
    first = in ? OG_MIN(OG_MAX(-column, 0), (int64_t)count) : count;
    last = in ? OG_MAX(OG_MIN(r->columns - column, (int64_t)count), first) : count;
    if (!write) {
      memset(data, 0, (size_t)first * b->size);
      memset(data + last * b->size, 0, (size_t)(count - last) * b->size);
    }
  }
  if (first >= last)
    return true;
  uint8_t *at = r->plane + (row * r->pitch + column + first) * b->size;
  uint64_t bytes = (uint64_t)(last - first) * b->size;
  if (!og_xe_inside(tile->memory, at, bytes))
    return og_xe_fault(t, i, "%llu bytes in row %lld from column %lld on are outside of the memory",
                       (unsigned long long)bytes, (long long)row, (long long)(column + first));
  if (!og_xe_touch(t, i, tile->memory, at, bytes, write ? OG_XE_WRITE : OG_XE_READ))
    return false;
  if (write)
    memcpy(at, data + first * b->size, bytes);
  else
    memcpy(data + first * b->size, at, bytes);
  return true;
}

static bool move_tile(struct og_xe_thread *t, const struct og_xe_inst *i, const struct og_xe_tile *tile,
                      const struct block *b, const uint8_t *f, uint8_t *data, bool write) {
  struct rectangle r;
  if (!place_tile(t, i, tile, b, f, &r))
    return false;
  for (uint32_t a = 0; a < b->arrays; a++)
    for (uint32_t row = 0; row < b->rows; row++, data += (size_t)b->columns * b->size)
      if (!move_row(t, i, tile, b, &r, r.row + row, r.column + (int64_t)a * b->columns, b->columns, data, write))
        return false;
  return true;
}

enum { TILE_MOST = 64 << 10 };

static void interleave(uint16_t *restrict to, const uint16_t *restrict from, uint32_t rows, uint32_t columns) {
  for (uint32_t r = 0; r < rows; r += 2, from += 2 * columns, to += 2 * columns)
    for (uint32_t c = 0; c < columns; c++) {
      to[2 * c] = from[c];
      to[2 * c + 1] = from[columns + c];
    }
}

static const struct og_xe_inst *load_nd(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const struct block *b = i->data;
  const struct og_xe_tile *tile = (const struct og_xe_tile *)(f + i->a);
  if (!b->map)
    return move_tile(t, i, tile, b, f, f + i->to, false) ? i + 1 : NULL;
  uint8_t *whole = f + i->c; /* room for the tile without any permutation */
  if (!move_tile(t, i, tile, b, f, whole, false))
    return NULL;
  const uint32_t *map = b->map + (size_t)t->lane * b->lane_stride;
  uint8_t *to = f + i->to;
  if (b->pairs) /* VNNI of 16 bits: interleaves two rows */
    return interleave((uint16_t *)to, (const uint16_t *)whole, b->rows * b->arrays, b->columns), i + 1;
  if (b->size == 2)
    for (uint32_t k = 0; k < b->values; k++)
      memcpy(to + k * 2, whole + map[k] * 2, 2);
  else if (b->size == 4)
    for (uint32_t k = 0; k < b->values; k++)
      memcpy(to + k * 4, whole + map[k] * 4, 4);
  else
    for (uint32_t k = 0; k < b->values; k++)
      memcpy(to + k * b->size, whole + map[k] * b->size, b->size);
  return i + 1;
}

static const struct og_xe_inst *store_nd(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const struct block *b = i->data;
  const struct og_xe_tile *tile = (const struct og_xe_tile *)(f + i->a);
  if (!b->map)
    return move_tile(t, i, tile, b, f, f + i->b, true) ? i + 1 : NULL;
  struct rectangle r;
  if (!place_tile(t, i, tile, b, f, &r))
    return NULL;
  const uint32_t *map = b->map + (size_t)t->lane * b->lane_stride;
  for (uint32_t k = 0; k < b->values; k++) /* a lane writes its own elements */
    if (!move_row(t, i, tile, b, &r, r.row + map[k] / b->columns, r.column + map[k] % b->columns, 1,
                  f + i->b + k * b->size, true))
      return NULL;
  return i + 1;
}

/* Checks the address, but loads nothing. */
static const struct og_xe_inst *prefetch_nd(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const struct block *b = i->data;
  struct rectangle r;
  return place_tile(t, i, (const struct og_xe_tile *)(f + i->a), b, f, &r) ? i + 1 : NULL;
}

/* ---- decoding ---------------------------------------------------------------------------------------------------- */

og_mlir_type og_xe_tile_type(const struct og_mlir_op *op) {
  struct og_mlir_value *value = og_mlir_operand(op, "TensorDesc");
  return value ? value->type : NULL;
}

static bool describe_block(struct og_xe_decoder *d, struct og_mlir_op *op, og_mlir_type tdesc, og_mlir_type value,
                           struct block *b) {
  struct og_mlir_tile tile;
  uint8_t type;
  const char *why = og_mlir_tile_of(op->row->id == OG_MLIR_OP_LOAD_ND ? op : NULL, tdesc, value, &tile);
  if (why || !og_xe_scalar(tdesc, &type))
    return og_xe_refuse(d, op, why ? why : "tiles of this type are not executed");
  if (!og_xe_read_numbers(d, op, "const_offsets", "offsets", &b->offsets))
    return og_xe_refuse(d, op, "its offsets do not fit");
  b->size = og_xe_sizes[type];
  b->rows = tile.rows, b->columns = tile.columns, b->arrays = tile.arrays, b->elements = tile.elements;
  b->unchecked = tile.unchecked;
  b->values = value ? (uint32_t)og_mlir_elements(value) : b->elements;
  if ((uint64_t)b->elements * b->size > TILE_MOST)
    return og_xe_refuse(d, op, "tiles of more than 64 KiB are not executed");
  if (b->values < b->elements) {
    b->map = og_mlir_lane_map(d->m->arena, &tile, tdesc, &b->lane_stride);
    d->code->fragments = true;
    return (b->map && b->lane_stride == b->values) ||
           og_xe_refuse(d, op, "a lane's share of the tile has another size");
  }
  b->map = og_mlir_tile_map(d->m->arena, &tile);
  b->pairs = b->map && !tile.turned && tile.factor == 2 && b->size == 2;
  return b->values == b->elements || og_xe_refuse(d, op, "the value has more elements than the tile");
}

static bool decode_block(struct og_xe_decoder *d, struct og_mlir_op *op, og_xe_handler run) {
  struct block *b = OG_NEW(d->m->arena, struct block);
  og_mlir_type tdesc = og_xe_tile_type(op);
  og_mlir_type value = run == load_nd ? op->results[0].type : run == store_nd ? op->operands[0]->type : NULL;
  if (!describe_block(d, op, tdesc, value, b))
    return false;
  struct og_xe_inst inst = {.run = run, .op = op, .data = b, .type2 = (uint8_t)tdesc->int_count};
  inst.a = og_xe_place(d, og_mlir_operand(op, "TensorDesc"));
  inst.b = run == store_nd ? og_xe_place(d, op->operands[0]) : 0;
  inst.to = run == load_nd ? og_xe_place(d, &op->results[0]) : 0;
  inst.c = b->map && run == load_nd ? og_xe_room(d, (uint64_t)b->elements * b->size) : 0;
  *og_xe_emit(d, op, run) = inst;
  return true;
}

static bool decode_create(struct og_xe_decoder *d, struct og_mlir_op *op) {
  struct create *c = OG_NEW(d->m->arena, struct create);
  struct og_xe_inst inst = {.run = create_nd, .op = op, .data = c};
  if (!og_xe_read_numbers(d, op, "const_offsets", "offsets", &c->offsets) ||
      !og_xe_read_numbers(d, op, "const_shape", "shape", &c->shape) ||
      !og_xe_read_numbers(d, op, "const_strides", "strides", &c->strides) ||
      !og_xe_scalar(op->results[0].type, &inst.type))
    return og_xe_refuse(d, op, "its lists or its type do not fit");
  c->slm = og_mlir_is_slm(op->results[0].type);
  inst.a = og_xe_place(d, op->operands[0]);
  inst.to = og_xe_place(d, &op->results[0]);
  *og_xe_emit(d, op, create_nd) = inst;
  return true;
}

static bool decode_update(struct og_xe_decoder *d, struct og_mlir_op *op) {
  struct og_xe_numbers *n = OG_NEW(d->m->arena, struct og_xe_numbers);
  if (!og_xe_read_numbers(d, op, "const_offsets", "offsets", n))
    return og_xe_refuse(d, op, "its offsets do not fit");
  uint32_t a = og_xe_place(d, op->operands[0]), to = og_xe_place(d, &op->results[0]);
  struct og_xe_inst *inst = og_xe_emit(d, op, update_nd);
  inst->a = a, inst->to = to, inst->data = n;
  return true;
}

bool og_xe_decode_tile(struct og_xe_decoder *d, struct og_mlir_op *op, bool *known) {
  *known = true;
  switch (op->row->id) {
  case OG_MLIR_OP_CREATE_ND: return decode_create(d, op);
  case OG_MLIR_OP_UPDATE_ND: return decode_update(d, op);
  case OG_MLIR_OP_LOAD_ND: return decode_block(d, op, load_nd);
  case OG_MLIR_OP_STORE_ND: return decode_block(d, op, store_nd);
  case OG_MLIR_OP_PREFETCH_ND: return decode_block(d, op, prefetch_nd);
  case OG_MLIR_OP_DPAS: return og_xe_decode_dpas(d, op);
  default: return !(*known = false);
  }
}
