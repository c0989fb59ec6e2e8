/* tile.c - lowers nd descriptors to vISA: the payload of block messages; loads and stores by these if hardware has the
 * tile's shape, else row by row with a mask of what is within the base. */
#include "xegpu/lower/visa.h"
#include "xegpu/maps.h"

#include <string.h>

/* The words of a payload as lsc_load_block2d has them: base; width - 1, height - 1 and pitch - 1 in bytes (height:
 * rows); x, y in elements. */
enum { BASE = 0, WIDTH = 2, HEIGHT = 3, PITCH = 4, COLUMN = 5, ROW = 6, WORDS = 8 };

static struct og_xv_ref word(struct og_xv_ref payload, uint32_t which) { return og_xv_scalar(payload, which); }

static uint8_t type_of(og_mlir_type type) {
  uint8_t scalar = OG_XV_D;
  og_xe_scalar(type, &scalar);
  return scalar;
}

/* A 64-bit number as a word of the payload, plus `more`. */
static void put_word(struct og_xv *x, struct og_xv_ref payload, uint32_t which, struct og_xv_ref value, int64_t more) {
  struct og_xv_ref to = word(payload, which), low = og_xv_part(x, value, OG_XV_D, 0),
                   extra = og_xv_number(OG_XV_D, (uint64_t)more);
  if (value.immediate)
    low = og_xv_number(OG_XV_D, value.bits + (uint64_t)more);
  else
    low = og_xv_scalar(low, 0);
  if (value.immediate || !more)
    og_xv_move(x, to, low, 1);
  else
    og_xv_apply(x, "add", to, 1, &low, &extra, NULL);
}

static bool create(struct og_xv *x, struct og_mlir_op *op) {
  og_mlir_type tdesc = op->results[0].type, source = op->operands[0]->type;
  uint32_t size = og_xv_sizes[type_of(tdesc)];
  struct og_xv_memref *m = OG_NEW(x->arena, struct og_xv_memref);
  struct og_xv_ref offsets[OG_MLIR_RANK_MOST] = {{0}}, payload = og_xv_new(x, OG_XV_D, WORDS);
  struct og_xv_place place = {.kind = OG_XV_TILE, .count = WORDS, .ref = payload, .memref = m};
  if (source->kind == OG_MLIR_MEMREF) {
    const struct og_xv_memref *from = og_xv_memref_of(x, op->operands[0]);
    if (!from)
      return og_xv_refuse(x, op, "memory of this kind");
    *m = *from;
  } else {
    m->slm = og_mlir_is_slm(tdesc);
    m->base = og_xv_value(x, op->operands[0]);
    m->aligned = true; /* as block messages need it */
    m->base = m->base.immediate ? og_xv_number(m->slm ? OG_XV_UD : OG_XV_UQ, m->base.bits) : og_xv_index(x, m->base, 1);
    if (m->slm && !m->base.immediate)
      m->base = og_xv_register(x, og_xv_part(x, m->base, OG_XV_UD, 0), 1);
    else if (!m->base.immediate)
      m->base = og_xv_view(x, m->base, OG_XV_UQ);
    m->rank = tdesc->int_count;
    m->strides[0] = og_xv_number(OG_XV_Q, 1);
    m->sizes[0] = og_xv_number(OG_XV_Q, 0);
    place.unbounded = true;
  }
  struct og_xv_ref shape[OG_MLIR_RANK_MOST], strides[OG_MLIR_RANK_MOST];
  uint32_t shapes = og_xv_list(x, op, "const_shape", "shape", shape),
           stride_count = og_xv_list(x, op, "const_strides", "strides", strides);
  for (uint32_t k = 0; k < shapes; k++)
    m->sizes[k] = shape[k], m->rank = shapes, place.unbounded = false;
  for (uint32_t k = 0; k < stride_count; k++)
    m->strides[k] = strides[k];
  og_mlir_attr boundary = og_mlir_field(tdesc->parts[1], "boundary_check");
  place.unbounded |= boundary && !boundary->ints[0];
  place.slm = m->slm;
  uint32_t rank = m->rank, inner = tdesc->int_count, count = og_xv_list(x, op, "const_offsets", "offsets", offsets);
  if (inner > 2 || inner > rank || !inner)
    return og_xv_refuse(x, op, "tiles of more than two dimensions");
  if (m->strides[rank - 1].immediate && m->strides[rank - 1].bits != 1)
    return og_xv_refuse(x, op, "the stride of the innermost dimension must be 1");
  /* outer offsets that are given here become part of the base */
  struct og_xv_memref plane = *m;
  struct og_xv_ref at = og_xv_number(OG_XV_Q, 0);
  for (uint32_t k = 0; count == rank && k + inner < rank; k++)
    at = og_xv_add(x, at, og_xv_multiply(x, offsets[k], m->strides[k], 1), 1);
  at = og_xv_multiply(x, at, og_xv_number(OG_XV_Q, size), 1);
  if (!(at.immediate && at.bits == 0)) {
    plane.base = og_xv_new(x, m->base.type, 1);
    at = at.immediate ? og_xv_number(plane.base.type, at.bits) : m->slm ? og_xv_part(x, at, OG_XV_UD, 0) : at;
    struct og_xv_ref base = og_xv_register(x, m->base, 1);
    og_xv_apply(x, "add", plane.base, 1, &base, &at, NULL);
    plane.aligned = false;
  }
  struct og_xv_ref wide = og_xv_view(x, payload, OG_XV_UQ), bytes = og_xv_number(OG_XV_Q, size),
                   one = og_xv_number(OG_XV_Q, 1);
  og_xv_move(x, og_xv_scalar(wide, 0), plane.base, 1);
  struct og_xv_ref width = og_xv_multiply(x, m->sizes[rank - 1], bytes, 1),
                   pitch = inner == 2 ? og_xv_multiply(x, m->strides[rank - 2], bytes, 1) : og_xv_number(OG_XV_Q, 64),
                   height = inner == 2 ? m->sizes[rank - 2] : one;
  put_word(x, payload, WIDTH, width, -1);
  put_word(x, payload, HEIGHT, height, -1);
  put_word(x, payload, PITCH, pitch, -1);
  put_word(x, payload, COLUMN, count ? offsets[count - 1] : og_xv_number(OG_XV_Q, 0), 0);
  put_word(x, payload, ROW, inner == 2 && count > 1 ? offsets[count - 2] : og_xv_number(OG_XV_Q, 0), 0);
  /* What is unknown is assumed to fit the messages; what is known not to takes the longer way. */
  place.regular = inner == 2 && !m->slm && plane.aligned && !place.unbounded &&
                  (!width.immediate || (width.bits >= 64 && width.bits % 4 == 0 && width.bits <= 1 << 24)) &&
                  (!pitch.immediate || (pitch.bits >= 64 && pitch.bits % 16 == 0 && pitch.bits <= 1 << 24));
  *m = plane;
  *og_xv_place(x, &op->results[0]) = place;
  return true;
}

static bool update(struct og_xv *x, struct og_mlir_op *op) {
  struct og_xv_place place = *og_xv_place(x, op->operands[0]);
  struct og_xv_ref offsets[OG_MLIR_RANK_MOST], old = place.ref;
  if (place.kind != OG_XV_TILE)
    return og_xv_refuse(x, op, "a descriptor that is not made here");
  uint32_t count = og_xv_list(x, op, "const_offsets", "offsets", offsets);
  place.ref = og_xv_new(x, OG_XV_D, WORDS);
  og_xv_move(x, place.ref, old, WORDS);
  if (count > 2)
    return og_xv_refuse(x, op, "offsets of more than two dimensions");
  for (uint32_t k = 0; k < count; k++) {
    struct og_xv_ref to = word(place.ref, k + 1 == count ? COLUMN : ROW), delta = offsets[k];
    delta = delta.immediate ? og_xv_number(OG_XV_D, delta.bits) : og_xv_scalar(og_xv_part(x, delta, OG_XV_D, 0), 0);
    if (!(delta.immediate && delta.bits == 0))
      og_xv_apply(x, "add", to, 1, &to, &delta, NULL);
  }
  *og_xv_place(x, &op->results[0]) = place;
  return true;
}

/* ---- loads and stores -------------------------------------------------------------------------------------------- */

struct block {
  const struct og_xv_place *tile;
  struct og_xv_ref base, column, row; /* where this access begins: the tile's place and the operation's offsets */
  uint32_t rows, columns, arrays, size;
  uint8_t type;
};

static struct og_xv_ref plus(struct og_xv *x, struct og_xv_ref a, uint32_t number) {
  struct og_xv_ref to = og_xv_new(x, OG_XV_D, 1), b = og_xv_number(OG_XV_D, number);
  if (!number)
    return a;
  og_xv_apply(x, "add", to, 1, &a, &b, NULL);
  return to;
}

static bool describe(struct og_xv *x, struct og_mlir_op *op, struct block *b) {
  og_mlir_type tdesc = og_xe_tile_type(op);
  og_mlir_attr array = og_mlir_field(tdesc->parts[1], "array_length");
  struct og_xv_ref offsets[OG_MLIR_RANK_MOST] = {{0}};
  b->tile = og_xv_place(x, og_mlir_operand(op, "TensorDesc"));
  if (b->tile->kind != OG_XV_TILE || !tdesc->int_count || tdesc->int_count > 2)
    return og_xv_refuse(x, op, "a descriptor that is not made here");
  b->type = type_of(tdesc);
  if (b->type == OG_XV_BOOL)
    return og_xv_refuse(x, op, "truth values");
  b->size = og_xv_sizes[b->type];
  b->rows = tdesc->int_count == 2 ? (uint32_t)OG_MIN(tdesc->ints[0], 1 << 12) : 1;
  b->columns = (uint32_t)OG_MIN(tdesc->ints[tdesc->int_count - 1], 1 << 12);
  b->arrays = array ? (uint32_t)OG_MIN(OG_MAX(array->ints[0], 1), 64) : 1;
  uint32_t count = og_xv_list(x, op, "const_offsets", "offsets", offsets), inner = tdesc->int_count,
           rank = b->tile->memref->rank;
  b->column = word(b->tile->ref, COLUMN), b->row = word(b->tile->ref, ROW);
  b->base = og_xv_scalar(og_xv_view(x, b->tile->ref, OG_XV_UQ), 0);
  struct og_xv_ref *const parts[] = {&b->column, &b->row};
  for (uint32_t k = 0; k < inner && k < count; k++) {
    struct og_xv_ref delta = offsets[count - 1 - k], to = og_xv_new(x, OG_XV_D, 1);
    if (delta.immediate && delta.bits == 0)
      continue;
    delta = delta.immediate ? og_xv_number(OG_XV_D, delta.bits) : og_xv_scalar(og_xv_part(x, delta, OG_XV_D, 0), 0);
    og_xv_apply(x, "add", to, 1, parts[k], &delta, NULL);
    *parts[k] = to;
  }
  struct og_xv_ref at = og_xv_number(OG_XV_Q, 0);
  for (uint32_t k = 0; count == rank && k + inner < count; k++)
    at = og_xv_add(x, at, og_xv_multiply(x, offsets[k], b->tile->memref->strides[k], 1), 1);
  at = og_xv_multiply(x, at, og_xv_number(OG_XV_Q, b->size), 1);
  if (!(at.immediate && at.bits == 0)) {
    struct og_xv_ref to = og_xv_new(x, OG_XV_UQ, 1);
    og_xv_apply(x, "add", to, 1, &b->base, &at, NULL);
    b->base = to;
  }
  return true;
}

/* One message for `rows` x `columns` elements, `blocks` of them side by side, to or from `data`. */
static void message(struct og_xv *x, const struct block *b, bool store, struct og_xv_ref data, uint32_t row,
                    uint32_t column, uint32_t rows, uint32_t columns, uint32_t blocks, uint32_t size,
                    const char *letters) {
  struct og_xv_ref payload = b->tile->ref, base = og_xv_register(x, b->base, 1), at_column = plus(x, b->column, column),
                   at_row = plus(x, b->row, row);
  const char *shape = blocks > 1 ? og_arena_printf(x->arena, "%ux%ux%u%s", blocks, columns, rows, letters)
                                 : og_arena_printf(x->arena, "%ux%u%s", columns, rows, letters);
  const char *where =
      og_arena_printf(x->arena, "flat[V%u, %s, %s, %s, %s, %s]", base.variable, og_xv_operand(x, word(payload, WIDTH)),
                      og_xv_operand(x, word(payload, HEIGHT)), og_xv_operand(x, word(payload, PITCH)),
                      og_xv_operand(x, at_column), og_xv_operand(x, at_row));
  /* operands are written without regions here */
  char *text = og_arena_copy(x->arena, where, strlen(where)), *to = text;
  for (const char *from = where; *from;)
    if (strncmp(from, "<0;1,0>", 7) == 0)
      from += 7;
    else
      *to++ = *from++;
  *to = 0;
  if (store)
    og_xv_line(x, "lsc_store_block2d.ugm (M1_NM, 1) %s V%u:d%u.%s", text, data.variable, size * 8, shape);
  else
    og_xv_line(x, "lsc_load_block2d.ugm (M1_NM, 1) %s:d%u.%s %s",
               data.variable ? og_arena_printf(x->arena, "V%u", data.variable) : "%null", size * 8, shape, text);
}

static uint32_t power(uint32_t n) {
  uint32_t p = 1;
  while (p < n)
    p *= 2;
  return p;
}

/* Row by row: elements within the base, or all if there are no bounds. */
static void move_rows(struct og_xv *x, const struct block *b, struct og_xv_ref data, bool store) {
  struct og_xv_ref payload = b->tile->ref, iota = og_xv_iota(x);
  struct og_xv_ref width = word(og_xv_view(x, payload, OG_XV_UD), WIDTH),
                   height = word(og_xv_view(x, payload, OG_XV_UD), HEIGHT);
  struct og_xv_ref pitch = plus(x, word(payload, PITCH), 1),
                   shift = og_xv_number(OG_XV_D, (uint64_t)__builtin_ctz(b->size));
  struct og_xv_ref low_base = b->base;
  if (b->tile->slm)
    low_base = og_xv_scalar(og_xv_register(x, og_xv_part(x, b->base, OG_XV_UD, 0), 1), 0);
  if (!store)
    og_xv_move(x, data, og_xv_number(data.type, 0), b->rows * b->columns * b->arrays);
  for (uint32_t a = 0, done = 0; a < b->arrays; a++)
    for (uint32_t r = 0; r < b->rows; r++) {
      struct og_xv_ref row = plus(x, b->row, r), rows = og_xv_view(x, og_xv_register(x, row, 1), OG_XV_UD),
                       start = og_xv_new(x, b->tile->slm ? OG_XV_UD : OG_XV_Q, 1),
                       in_rows = og_xv_new(x, OG_XV_BOOL, 1);
      og_xv_apply(x, "mul", start, 1, &row, &pitch, NULL);
      og_xv_apply(x, "add", start, 1, &start, &low_base, NULL);
      if (!b->tile->unbounded)
        og_xv_compare(x, "le", in_rows, 1, rows, height);
      for (uint32_t c = 0, n; c < b->columns; c += n, done += n) {
        for (n = OG_XV_LANES; n > b->columns - c;)
          n /= 2;
        struct og_xv_ref first = og_xv_scalar(plus(x, b->column, a * b->columns + c), 0),
                         bytes = og_xv_new(x, OG_XV_D, n), truth = og_xv_new(x, OG_XV_BOOL, n),
                         row_start = og_xv_scalar(start, 0), in = og_xv_scalar(in_rows, 0);
        struct og_xv_message m = {.channels = n, .slm = b->tile->slm};
        og_xv_apply(x, "add", bytes, n, &iota, &first, NULL);
        og_xv_apply(x, "shl", bytes, n, &bytes, &shift, NULL);
        m.addresses = og_xv_new(x, b->tile->slm ? OG_XV_UD : OG_XV_UQ, n);
        og_xv_apply(x, "add", m.addresses, n, &bytes, &row_start, NULL);
        if (!b->tile->unbounded) {
          og_xv_compare(x, "le", truth, n, og_xv_view(x, bytes, OG_XV_UD), width);
          og_xv_apply(x, "and", truth, n, &truth, &in, NULL);
          m.predicate = og_xv_predicate(x, truth, n);
        }
        struct og_xv_ref part = data.immediate ? data : og_xv_at(data, done);
        if (n == 1)
          part.stride = 0;
        if (store)
          og_xv_store(x, &m, part);
        else
          og_xv_load(x, &m, part);
      }
    }
}

static bool load(struct og_xv *x, struct og_mlir_op *op) {
  struct block b = {0};
  og_mlir_type value = op->results[0].type;
  struct og_mlir_tile tile;
  if (!describe(x, op, &b))
    return false;
  const char *why = og_mlir_tile_of(op, og_xe_tile_type(op), value, &tile);
  bool packed = tile.packed, turned = tile.turned;
  uint32_t elements = tile.elements, group = tile.group, factor = tile.factor;
  if (why || og_xv_count(x, value) != elements)
    return og_xv_refuse(x, op, why ? why : "whole tiles where lanes have fragments, or a share of another size");
  struct og_xv_ref result = og_xv_result(x, &op->results[0]);
  uint32_t each = 0, *lanes = NULL;
  if (x->lanes) { /* for the tile before it is distributed */
    lanes = og_mlir_lane_map(x->arena, &tile, og_xe_tile_type(op), &each);
    if (!lanes || each * OG_XV_LANES != elements)
      return og_xv_refuse(x, op, "a lane's share of the tile has another size");
    turned = packed = false;
  }
  bool regular = b.tile->regular && b.columns == power(b.columns) && b.rows <= 32;
  if (regular && turned && b.size * group == 4 && b.columns / group <= 8 && b.arrays == 1 && b.rows == power(b.rows) &&
      elements * b.size % OG_XV_GRF == 0 && group == 1) {
    message(x, &b, false, result, 0, 0, b.rows, b.columns, 1, 4, "tn");
    return true;
  }
  if (regular && packed && b.size < 4 && factor * b.size == 4 && b.columns * b.arrays * b.size <= 64 &&
      elements / b.arrays * b.size % OG_XV_GRF == 0) {
    message(x, &b, false, result, 0, 0, b.rows, b.columns, b.arrays, b.size, "nt");
    return true;
  }
  struct og_xv_ref whole = turned || packed || lanes ? og_xv_new(x, result.type, elements) : result;
  if (regular && b.columns * b.size <= 64 && elements / b.arrays * b.size % OG_XV_GRF == 0) {
    uint32_t most = OG_MAX(64 / (b.columns * b.size), 1u), blocks = b.arrays <= most ? b.arrays : 1;
    if (blocks == b.arrays)
      message(x, &b, false, whole, 0, 0, b.rows, b.columns, blocks, b.size, "nn");
    for (uint32_t a = 0; blocks != b.arrays && a < b.arrays; a++) {
      struct og_xv_ref part = og_xv_new(x, result.type, b.rows * b.columns);
      message(x, &b, false, part, 0, a * b.columns, b.rows, b.columns, 1, b.size, "nn");
      og_xv_move(x, og_xv_at(whole, a * b.rows * b.columns), part, b.rows * b.columns);
    }
  } else {
    move_rows(x, &b, whole, false);
  }
  if (lanes)
    og_xv_hand_out(x, result, whole, lanes, each);
  else if (turned || packed)
    og_xv_permute(x, result, whole, og_mlir_tile_map(x->arena, &tile), elements);
  return true;
}

static bool store(struct og_xv *x, struct og_mlir_op *op) {
  struct block b = {0};
  if (!describe(x, op, &b))
    return false;
  uint32_t elements = b.rows * b.columns * b.arrays;
  struct og_xv_ref value = og_xv_value(x, op->operands[0]);
  if (og_xv_count(x, op->operands[0]->type) != elements)
    return og_xv_refuse(x, op, "whole tiles where lanes have fragments, or a share of another size");
  if (x->lanes) {
    struct og_mlir_tile tile;
    uint32_t each, *lanes = NULL;
    if (!og_mlir_tile_of(NULL, og_xe_tile_type(op), NULL, &tile))
      lanes = og_mlir_lane_map(x->arena, &tile, og_xe_tile_type(op), &each);
    if (!lanes || each * OG_XV_LANES != elements)
      return og_xv_refuse(x, op, "a lane's share of the tile has another size");
    value = og_xv_collect(x, value, lanes, each);
  }
  bool regular = b.tile->regular && b.columns == power(b.columns) && b.columns * b.size <= 64 && b.arrays == 1;
  if (!regular) {
    move_rows(x, &b, value, true);
    return true;
  }
  struct og_xv_ref all = og_xv_register(x, value, elements);
  for (uint32_t row = 0, n; row < b.rows; row += n) {
    n = OG_MIN(b.rows - row, 8u);
    struct og_xv_ref part = b.rows <= 8 ? all : og_xv_new(x, all.type, n * b.columns);
    if (b.rows > 8)
      og_xv_move(x, part, og_xv_at(all, row * b.columns), n * b.columns);
    message(x, &b, true, part, row, 0, n, b.columns, 1, b.size, "nn");
  }
  return true;
}

/* A prefetch is a load without a destination. */
static bool prefetch(struct og_xv *x, struct og_mlir_op *op) {
  struct block b = {0};
  if (!describe(x, op, &b))
    return false;
  if (b.tile->regular && b.columns * b.size <= 64 && b.rows <= 32 && b.columns == power(b.columns))
    message(x, &b, false, (struct og_xv_ref){0}, 0, 0, b.rows, b.columns, 1, b.size, "nn");
  return true; /* others are not prefetched */
}

bool og_xv_tile(struct og_xv *x, struct og_mlir_op *op, bool *known) {
  *known = true;
  switch (op->row->id) {
  case OG_MLIR_OP_CREATE_ND: return create(x, op);
  case OG_MLIR_OP_UPDATE_ND: return update(x, op);
  case OG_MLIR_OP_LOAD_ND: return load(x, op);
  case OG_MLIR_OP_STORE_ND: return store(x, op);
  case OG_MLIR_OP_PREFETCH_ND: return prefetch(x, op);
  case OG_MLIR_OP_DPAS: return og_xv_dpas(x, op);
  default: return !(*known = false);
  }
}
