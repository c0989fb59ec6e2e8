/* scatter.c - lowers scattered descriptors to vISA: a register of addresses; gathers, scatters and atomics of up to 16
 * channels each; matrices in shared memory. */
#include "xegpu/lower/visa.h"
#include "xegpu/maps.h"

#include <string.h>

enum { LANES_MOST = 32 };

static uint8_t type_of(og_mlir_type type) {
  uint8_t scalar = OG_XV_D;
  og_xe_scalar(type, &scalar);
  return scalar;
}

/* Offsets of elements as bytes: of the operation's vector or list, as q. */
static bool bytes_of(struct og_xv *x, struct og_mlir_op *op, uint32_t size, uint32_t lanes, struct og_xv_ref *to) {
  og_mlir_attr given = og_mlir_find(op, "const_offsets");
  uint32_t count, next = 0;
  struct og_mlir_value **values = og_mlir_group(op, "offsets", &count);
  struct og_xv_ref all;
  if (given) {
    all = og_xv_new(x, OG_XV_Q, lanes);
    for (uint32_t k = 0; k < lanes && k < given->int_count; k++)
      og_xv_move(x, og_xv_at(all, k),
                 given->ints[k] == OG_MLIR_DYNAMIC && next < count ? og_xv_value(x, values[next++])
                                                                   : og_xv_number(OG_XV_Q, (uint64_t)given->ints[k]),
                 1);
  } else {
    all = og_xv_index(x, og_xv_value(x, values[0]), lanes);
    if (values[0]->type->kind != OG_MLIR_VECTOR && !all.immediate)
      all = og_xv_scalar(all, 0);
  }
  *to = og_xv_multiply(x, all, og_xv_number(OG_XV_Q, size), lanes);
  return true;
}

/* base + bytes of each lane. */
static struct og_xv_ref sum_of(struct og_xv *x, struct og_xv_ref base, struct og_xv_ref bytes, bool slm,
                               uint32_t lanes) {
  struct og_xv_ref to = og_xv_new(x, slm ? OG_XV_UD : OG_XV_UQ, lanes);
  if (bytes.immediate)
    bytes.type = to.type;
  else if (slm)
    bytes = og_xv_part(x, bytes, OG_XV_UD, 0);
  if (!base.immediate)
    base = og_xv_scalar(base, 0);
  if (bytes.immediate) {
    og_xv_move(x, to, base, lanes);
    og_xv_apply(x, "add", to, lanes, &to, &bytes, NULL);
  } else {
    og_xv_apply(x, "add", to, lanes, &bytes, &base, NULL);
  }
  return to;
}

/* Base address of a memref or of an integer. */
static bool base_of(struct og_xv *x, struct og_mlir_op *op, struct og_mlir_value *source, bool *slm,
                    struct og_xv_ref *base) {
  if (source->type->kind == OG_MLIR_MEMREF) {
    const struct og_xv_memref *m = og_xv_memref_of(x, source);
    if (!m)
      return og_xv_refuse(x, op, "memory of this kind");
    *slm = m->slm, *base = m->base;
    return true;
  }
  struct og_xv_ref value = og_xv_index(x, og_xv_value(x, source), 1);
  *base = value.immediate ? og_xv_number(*slm ? OG_XV_UD : OG_XV_UQ, value.bits)
          : *slm          ? og_xv_register(x, og_xv_part(x, value, OG_XV_UD, 0), 1)
                          : og_xv_view(x, value, OG_XV_UQ);
  return true;
}

static bool create(struct og_xv *x, struct og_mlir_op *op) {
  og_mlir_type tdesc = op->results[0].type;
  uint32_t lanes = (uint32_t)OG_MIN(tdesc->ints[0], LANES_MOST + 1);
  struct og_xv_place place = {.kind = OG_XV_POINTS, .count = lanes, .slm = og_mlir_is_slm(tdesc)};
  struct og_xv_ref base, bytes;
  if (lanes > LANES_MOST)
    return og_xv_refuse(x, op, "more than 32 lanes");
  if (!base_of(x, op, op->operands[0], &place.slm, &base) ||
      !bytes_of(x, op, og_xv_sizes[type_of(tdesc)], lanes, &bytes))
    return false;
  place.ref = sum_of(x, base, bytes, place.slm, lanes);
  *og_xv_place(x, &op->results[0]) = place;
  return true;
}

static bool update(struct og_xv *x, struct og_mlir_op *op) {
  struct og_xv_place place = *og_xv_place(x, op->operands[0]);
  struct og_xv_ref bytes;
  if (place.kind != OG_XV_POINTS)
    return og_xv_refuse(x, op, "a descriptor that is not made here");
  if (!bytes_of(x, op, og_xv_sizes[type_of(op->results[0].type)], place.count, &bytes))
    return false;
  struct og_xv_ref to = og_xv_new(x, place.ref.type, place.count);
  if (bytes.immediate)
    bytes.type = place.ref.type;
  else if (place.slm)
    bytes = og_xv_part(x, bytes, OG_XV_UD, 0);
  og_xv_apply(x, "add", to, place.count, &place.ref, &bytes, NULL);
  place.ref = to;
  *og_xv_place(x, &op->results[0]) = place;
  return true;
}

/* ---- gathers, scatters, atomics ---------------------------------------------------------------------------------- */

struct access {
  struct og_xv_ref addresses, mask;
  uint32_t lanes, chunk, size;
  bool slm, turned, has_mask;
};

static bool describe(struct og_xv *x, struct og_mlir_op *op, const struct og_mlir_value *value, struct access *a) {
  struct og_mlir_access access;
  og_mlir_access_of(op, &access);
  struct og_mlir_value *place = access.place, *mask = access.mask;
  bool tdesc = access.tdesc;
  a->size = og_xv_sizes[type_of(value->type)];
  a->lanes = access.lanes, a->chunk = access.chunk, a->turned = access.turned;
  if (a->lanes > LANES_MOST || (a->lanes & (a->lanes - 1)) || a->chunk > 64)
    return og_xv_refuse(x, op, "lanes that are not 1, 2, 4, 8, 16 or 32, or chunks of more than 64");
  if (og_xv_count(x, value->type) != a->lanes * a->chunk)
    return og_xv_refuse(x, op, "values of another size than the lanes'");
  if (type_of(value->type) == OG_XV_BOOL)
    return og_xv_refuse(x, op, "truth values");
  if (tdesc) {
    const struct og_xv_place *points = og_xv_place(x, place);
    if (points->kind != OG_XV_POINTS)
      return og_xv_refuse(x, op, "a descriptor that is not made here");
    a->addresses = points->ref, a->slm = points->slm;
  } else {
    struct og_xv_ref base, bytes;
    if (!base_of(x, op, place, &a->slm, &base) || !bytes_of(x, op, a->size, a->lanes, &bytes))
      return false;
    a->addresses = sum_of(x, base, bytes, a->slm, a->lanes);
  }
  a->has_mask = mask != NULL;
  if (mask) {
    a->mask = og_xv_value(x, mask);
    if (mask->type->kind != OG_MLIR_VECTOR)
      a->mask = a->mask.immediate ? a->mask : og_xv_scalar(a->mask, 0);
  }
  return true;
}

/* The message for up to 16 lanes from `first` on. */
static struct og_xv_message message_of(struct og_xv *x, const struct access *a, uint32_t first) {
  struct og_xv_message m = {.channels = OG_MIN(a->lanes - first, (uint32_t)OG_XV_LANES), .slm = a->slm};
  m.addresses = og_xv_register(x, og_xv_at(a->addresses, first), m.channels);
  if (a->has_mask && !(a->mask.immediate && a->mask.bits & 1))
    m.predicate =
        og_xv_predicate(x, a->mask.immediate || a->mask.stride == 0 ? a->mask : og_xv_at(a->mask, first), m.channels);
  return m;
}

static bool move(struct og_xv *x, struct og_mlir_op *op, bool write) {
  struct og_mlir_value *value = write ? og_mlir_operand(op, "value") : &op->results[0];
  struct access a = {0};
  if (!describe(x, op, value, &a))
    return false;
  struct og_xv_ref data = write ? og_xv_value(x, value) : og_xv_result(x, value);
  if (!write && a.has_mask) { /* masked lanes keep the old values, at first zeros */
    x->in_entry = true;
    og_xv_move(x, data, og_xv_number(data.type, 0), a.lanes * a.chunk);
    x->in_entry = false;
  }
  /* messages have chunk after chunk; a value that has lane after lane is transposed before or after */
  bool turns = !a.turned && a.chunk > 1 && a.lanes > 1 && !data.immediate;
  struct og_xv_ref chunks = turns ? og_xv_new(x, data.type, a.lanes * a.chunk) : data;
  uint32_t *map = OG_NEW_ARRAY(x->arena, uint32_t, a.lanes * a.chunk);
  for (uint32_t k = 0; k < a.lanes * a.chunk; k++)
    map[k] = k % a.lanes * a.chunk + k / a.lanes;
  if (turns)
    og_xv_permute(x, chunks, data, map, a.lanes * a.chunk);
  for (uint32_t first = 0; first < a.lanes; first += OG_XV_LANES) {
    struct og_xv_message m = message_of(x, &a, first);
    for (uint32_t c = 0; c < a.chunk; c++) {
      struct og_xv_ref part = chunks;
      if (!data.immediate) {
        part.first += c * a.lanes + first;
        part.stride = m.channels > 1;
      }
      m.offset = (int32_t)(c * a.size);
      if (write)
        og_xv_store(x, &m, part);
      else
        og_xv_load(x, &m, part);
    }
  }
  for (uint32_t k = 0; k < a.lanes * a.chunk; k++)
    map[k] = k % a.chunk * a.lanes + k / a.chunk;
  if (turns && !write)
    og_xv_permute(x, data, chunks, map, a.lanes * a.chunk);
  return true;
}

/* The name of an atomic message for one of arith's kinds; NULL: there is none for the type. */
static const char *atomic_name(uint8_t type, int64_t kind) {
  static const char *const integers[] = {
      [1] = "iadd", [4] = "smax", [5] = "umax", [7] = "smin", [8] = "umin", [11] = "or", [12] = "and"};
  static const char *const floats[] = {[0] = "fadd", [13] = "fmax", [14] = "fmin"};
  if (type == OG_XV_D || type == OG_XV_Q)
    return kind >= 0 && kind < (int64_t)OG_COUNT(integers) ? integers[kind] : NULL;
  if (type == OG_XV_F || (type == OG_XV_DF && kind == 0))
    return kind >= 0 && kind < (int64_t)OG_COUNT(floats) ? floats[kind] : NULL;
  return NULL;
}

static void put_atomic(struct og_xv *x, const struct og_xv_message *m, const char *name, struct og_xv_ref to,
                       struct og_xv_ref from) {
  static const uint8_t same[] = {[4] = OG_XV_UD, [8] = OG_XV_UQ};
  uint8_t type = same[og_xv_sizes[to.type]];
  struct og_xv_ref data = og_xv_register(x, og_xv_view(x, from, type), m->channels), result = og_xv_view(x, to, type),
                   old = result;
  if (result.first || result.stride != (m->channels > 1)) {
    old = og_xv_new(x, type, m->channels);
    og_xv_move(x, old, result, m->channels);
  }
  struct og_xv_ref addresses = og_xv_register(x, m->addresses, m->channels);
  og_xv_line(x, "%slsc_atomic_%s.%s (M1_NM, %u) V%u:d%u flat[V%u]:%s V%u %%null",
             m->predicate ? og_arena_printf(x->arena, "(P%u) ", m->predicate) : "", name, og_xv_space(m->slm),
             m->channels, old.variable, og_xv_sizes[type] * 8, addresses.variable, m->slm ? "a32" : "a64",
             data.variable);
  if (old.variable != result.variable)
    og_xv_move(x, result, old, m->channels);
}

static bool atomic(struct og_xv *x, struct og_mlir_op *op) {
  struct og_mlir_value *value = og_mlir_operand(op, "value");
  struct access a = {0};
  og_mlir_attr kind = og_mlir_find(op, "kind");
  const char *name = atomic_name(type_of(value->type), kind->kind == OG_MLIR_INT ? kind->ints[0] : 0);
  if (!name)
    return og_xv_refuse(x, op, "the hardware has no such atomic for this type");
  if (!describe(x, op, value, &a))
    return false;
  if (a.chunk != 1)
    return og_xv_refuse(x, op, "an atomic on chunks");
  struct og_xv_ref data = og_xv_value(x, value), result = og_xv_result(x, &op->results[0]);
  x->in_entry = true;
  og_xv_move(x, result, og_xv_number(result.type, 0), a.lanes);
  x->in_entry = false;
  for (uint32_t first = 0; first < a.lanes; first += OG_XV_LANES) {
    struct og_xv_message m = message_of(x, &a, first);
    struct og_xv_ref to = og_xv_at(result, first), from = data.immediate ? data : og_xv_at(data, first);
    put_atomic(x, &m, name, to, from);
  }
  return true;
}

static bool memref_atomic(struct og_xv *x, struct og_mlir_op *op) {
  struct og_mlir_value *memref = og_mlir_operand(op, "memref"), **indices;
  uint32_t count;
  const struct og_xv_memref *m = og_xv_memref_of(x, memref);
  const char *name = atomic_name(type_of(memref->type), og_mlir_find(op, "kind")->ints[0]);
  indices = og_mlir_group(op, "indices", &count);
  if (!m || !name)
    return og_xv_refuse(x, op, "the hardware has no such atomic for this type or memory");
  struct og_xv_message message = {.channels = 1, .slm = m->slm};
  message.addresses = og_xv_address(x, m, indices, og_xv_sizes[type_of(memref->type)]);
  struct og_xv_ref from = og_xv_value(x, op->operands[0]);
  put_atomic(x, &message, name, og_xv_result(x, &op->results[0]), from);
  return true;
}

/* ---- matrices in shared memory ----------------------------------------------------------------------------------- */

static bool create_matrix(struct og_xv *x, struct og_mlir_op *op) {
  const struct og_xv_memref *from = og_xv_memref_of(x, op->operands[0]);
  og_mlir_type type = op->results[0].type;
  if (!from || !from->slm || og_mlir_field(type->parts[1], "block"))
    return og_xv_refuse(x, op, "matrices in blocks, or in memory that is not shared");
  struct og_xv_memref *m = OG_NEW(x->arena, struct og_xv_memref);
  *m = (struct og_xv_memref){.base = from->base, .rank = type->int_count, .slm = true};
  for (uint32_t k = 0; k < m->rank; k++) {
    m->sizes[k] = og_xv_number(OG_XV_Q, (uint64_t)type->ints[k]);
    m->strides[k] = og_xv_number(OG_XV_Q, (uint64_t)og_mlir_matrix_stride(type, k));
  }
  *og_xv_place(x, &op->results[0]) = (struct og_xv_place){.kind = OG_XV_MEMREF, .memref = m};
  return true;
}

static bool move_matrix(struct og_xv *x, struct og_mlir_op *op, bool write) {
  struct og_mlir_value *desc = og_mlir_operand(op, "mem_desc"), *value = write ? op->operands[0] : &op->results[0];
  const struct og_xv_memref *m = og_xv_memref_of(x, desc);
  struct og_xv_ref offsets[OG_MLIR_RANK_MOST];
  if (!m || m->rank != 2 || og_xv_list(x, op, "const_offsets", "offsets", offsets) != 2)
    return og_xv_refuse(x, op, "matrices of other than two dimensions");
  struct og_xv_ref data = write ? og_xv_value(x, value) : og_xv_result(x, value);
  uint32_t size = og_xv_sizes[data.type],
           columns = value->type->kind == OG_MLIR_VECTOR ? (uint32_t)value->type->ints[value->type->int_count - 1] : 1,
           rows = og_xv_count(x, value->type) / columns;
  struct og_xv_ref start =
      og_xv_add(x, og_xv_multiply(x, offsets[0], m->strides[0], 1), og_xv_multiply(x, offsets[1], m->strides[1], 1), 1);
  start = sum_of(x, m->base, og_xv_multiply(x, start, og_xv_number(OG_XV_Q, size), 1), true, 1);
  for (uint32_t r = 0; r < rows; r++)
    for (uint32_t c = 0, n; c < columns; c += n) {
      for (n = OG_XV_LANES; n > columns - c;)
        n /= 2;
      struct og_xv_message message = {.channels = n, .slm = true};
      struct og_xv_ref iota = og_xv_iota(x), scale = og_xv_number(OG_XV_D, m->strides[1].bits * size),
                       from = og_xv_scalar(start, 0);
      message.offset = (int32_t)((r * m->strides[0].bits + c * m->strides[1].bits) * size);
      message.addresses = og_xv_new(x, OG_XV_UD, n);
      og_xv_apply(x, "mul", message.addresses, n, &iota, &scale, NULL);
      og_xv_apply(x, "add", message.addresses, n, &message.addresses, &from, NULL);
      struct og_xv_ref part = data.immediate ? data : og_xv_at(data, r * columns + c);
      if (n == 1)
        part.stride = 0;
      if (write)
        og_xv_store(x, &message, part);
      else
        og_xv_load(x, &message, part);
    }
  return true;
}

bool og_xv_scatter(struct og_xv *x, struct og_mlir_op *op, bool *known) {
  *known = true;
  switch (op->row->id) {
  case OG_MLIR_OP_CREATE: return create(x, op);
  case OG_MLIR_OP_UPDATE: return update(x, op);
  case OG_MLIR_OP_LOAD_GATHER: return move(x, op, false);
  case OG_MLIR_OP_STORE_SCATTER: return move(x, op, true);
  case OG_MLIR_OP_PREFETCH: return true; /* only a hint */
  case OG_MLIR_OP_ATOMIC: return atomic(x, op);
  case OG_MLIR_OP_MEMREF_RMW: return memref_atomic(x, op);
  case OG_MLIR_OP_CREATE_MEM_DESC: return create_matrix(x, op);
  case OG_MLIR_OP_LOAD_MATRIX: return move_matrix(x, op, false);
  case OG_MLIR_OP_STORE_MATRIX: return move_matrix(x, op, true);
  default: return !(*known = false);
  }
}
