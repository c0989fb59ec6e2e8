/* memory.c - lowers memrefs to vISA: addresses, views, shared memory, loads and stores of elements, vectors and
 * transfers; and the messages of which scattered and tiled accesses are made. */
#include "xegpu/lower/visa.h"

#include <string.h>

/* ---- messages ---------------------------------------------------------------------------------------------------- */

const char *og_xv_space(bool slm) { return slm ? "slm" : "ugm"; }

struct og_xv_ref og_xv_iota(struct og_xv *x) {
  if (!x->iota) {
    x->in_entry = true;
    struct og_xv_ref words = og_xv_new(x, OG_XV_UW, OG_XV_LANES), all = og_xv_new(x, OG_XV_D, OG_XV_LANES),
                     eight = og_xv_number(OG_XV_UW, 8), high = og_xv_at(words, 8);
    og_xv_line(x, "mov (M1_NM, 8) V%u(0,0)<1> 0x76543210:v", words.variable);
    og_xv_apply(x, "add", high, 8, &words, &eight, NULL);
    og_xv_move(x, all, words, OG_XV_LANES);
    x->in_entry = false;
    x->iota = 1 + all.variable;
  }
  return (struct og_xv_ref){.variable = x->iota - 1, .type = OG_XV_D, .stride = 1};
}

static const char *address_text(struct og_xv *x, const struct og_xv_message *m) {
  struct og_xv_ref addresses = og_xv_register(x, m->addresses, m->channels);
  const char *offset = !m->offset      ? ""
                       : m->offset < 0 ? og_arena_printf(x->arena, "-0x%x", (unsigned)-m->offset)
                                       : og_arena_printf(x->arena, "+0x%x", (unsigned)m->offset);
  return og_arena_printf(x->arena, "flat[V%u%s]:%s", addresses.variable, offset, m->slm ? "a32" : "a64");
}

static const char *data_size(uint8_t type) {
  static const char *const names[] = {[1] = "d8c32", [2] = "d16c32", [4] = "d32", [8] = "d64"};
  return names[og_xv_sizes[type]];
}

static const char *predicate_text(struct og_xv *x, uint32_t predicate) {
  return predicate ? og_arena_printf(x->arena, "(P%u) ", predicate) : "";
}

void og_xv_load(struct og_xv *x, const struct og_xv_message *m, struct og_xv_ref to) {
  uint32_t size = og_xv_sizes[to.type];
  bool narrow = size < 4, direct = !narrow && to.first == 0 && to.stride == (m->channels > 1);
  const char *address = address_text(x, m), *predicate = predicate_text(x, m->predicate);
  static const uint8_t same[] = {[1] = OG_XV_UB, [2] = OG_XV_UW, [4] = OG_XV_UD, [8] = OG_XV_UQ};
  struct og_xv_ref target = og_xv_view(x, to, same[size]),
                   data = direct ? target : og_xv_new(x, narrow ? OG_XV_UD : target.type, m->channels);
  if (!direct && m->predicate) /* masked channels keep the old values */
    og_xv_move(x, data, target, m->channels);
  og_xv_line(x, "%slsc_load.%s (M1_NM, %u) V%u:%s %s", predicate, og_xv_space(m->slm), m->channels, data.variable,
             data_size(to.type), address);
  if (!direct)
    og_xv_move(x, target, narrow ? og_xv_part(x, data, same[size], 0) : data, m->channels);
}

void og_xv_store(struct og_xv *x, const struct og_xv_message *m, struct og_xv_ref from) {
  uint32_t size = og_xv_sizes[from.type];
  static const uint8_t same[] = {[1] = OG_XV_UB, [2] = OG_XV_UW, [4] = OG_XV_UD, [8] = OG_XV_UQ};
  struct og_xv_ref bits = og_xv_view(x, from, same[size]), data = bits;
  const char *address = address_text(x, m), *predicate = predicate_text(x, m->predicate);
  if (size < 4 || from.immediate || from.first || from.stride != (m->channels > 1)) {
    data = og_xv_new(x, size < 4 ? OG_XV_UD : bits.type, m->channels);
    og_xv_move(x, data, bits, m->channels);
  }
  og_xv_line(x, "%slsc_store.%s (M1_NM, %u) %s V%u:%s", predicate, og_xv_space(m->slm), m->channels, address,
             data.variable, data_size(from.type));
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

struct og_xv_memref *og_xv_memref_of(struct og_xv *x, struct og_mlir_value *value) {
  const struct og_xv_place *place = og_xv_place(x, value);
  return place->kind == OG_XV_MEMREF ? (struct og_xv_memref *)place->memref : NULL;
}

static struct og_xv_ref moved_base(struct og_xv *x, const struct og_xv_memref *m, struct og_xv_ref elements,
                                   uint32_t size) {
  struct og_xv_ref bytes = og_xv_multiply(x, elements, og_xv_number(OG_XV_Q, size), 1);
  if (bytes.immediate && bytes.bits == 0)
    return m->base;
  if (m->slm && !bytes.immediate)
    bytes = og_xv_part(x, bytes, OG_XV_UD, 0);
  bytes.type = bytes.immediate ? m->base.type : m->slm ? OG_XV_UD : OG_XV_Q;
  if (m->base.immediate && bytes.immediate)
    return og_xv_number(OG_XV_UD, m->base.bits + bytes.bits);
  struct og_xv_ref to = og_xv_new(x, m->base.type, 1);
  if (m->base.immediate)
    og_xv_apply(x, "add", to, 1, &bytes, &m->base, NULL);
  else
    og_xv_apply(x, "add", to, 1, &m->base, &bytes, NULL);
  return to;
}

struct og_xv_ref og_xv_address(struct og_xv *x, const struct og_xv_memref *m, struct og_mlir_value **indices,
                               uint32_t size) {
  struct og_xv_ref at = og_xv_number(OG_XV_Q, 0);
  for (uint32_t k = 0; k < m->rank && indices; k++)
    at = og_xv_add(x, at, og_xv_multiply(x, og_xv_index(x, og_xv_value(x, indices[k]), 1), m->strides[k], 1), 1);
  return moved_base(x, m, at, size);
}

static void set_memref(struct og_xv *x, struct og_mlir_value *value, const struct og_xv_memref *m) {
  *og_xv_place(x, value) = (struct og_xv_place){.kind = OG_XV_MEMREF, .memref = m};
}

static uint8_t type_of(og_mlir_type type) {
  uint8_t scalar = OG_XV_D;
  og_xe_scalar(type, &scalar);
  return scalar;
}

/* ---- shared memory and views ------------------------------------------------------------------------------------- */

/* Static allocations take the work-group's memory from its end down, since addresses given as integers begin at 0. */
static bool allocate(struct og_xv *x, struct og_mlir_op *op) {
  og_mlir_type type = op->results[0].type;
  og_mlir_attr space = type->parts[2];
  bool shared =
      space && ((space->kind == OG_MLIR_INT && space->ints[0] == 3) ||
                (space->kind == OG_MLIR_ENUM && og_text_is(space->text, "slm")) ||
                (space->kind == OG_MLIR_DIALECT_ATTR && og_text_is(space->text, "gpu.address_space<workgroup>")));
  int64_t elements = og_mlir_elements(type), strides[OG_MLIR_RANK_MOST], offset;
  if (!shared || elements == OG_MLIR_DYNAMIC || type->parts[1] || !og_mlir_strides(type, strides, &offset))
    return og_xv_refuse(x, op, "only memory of the work-group and of a static size is allocated in a kernel");
  uint64_t bytes = og_align_up((uint64_t)elements * og_xv_sizes[type_of(type)], 64);
  if (bytes > OG_XV_SLM_BYTES - x->slm_used)
    return og_xv_refuse(x, op, "more than 64 KiB of shared memory");
  x->slm_used += (uint32_t)bytes;
  struct og_xv_memref *m = OG_NEW(x->arena, struct og_xv_memref);
  *m = (struct og_xv_memref){.base = og_xv_number(OG_XV_UD, OG_XV_SLM_BYTES - x->slm_used),
                             .rank = type->int_count,
                             .slm = true,
                             .aligned = true};
  for (uint32_t k = 0; k < m->rank; k++) {
    m->sizes[k] = og_xv_number(OG_XV_Q, (uint64_t)type->ints[k]);
    m->strides[k] = og_xv_number(OG_XV_Q, (uint64_t)strides[k]);
  }
  set_memref(x, &op->results[0], m);
  return true;
}

static bool subview(struct og_xv *x, struct og_mlir_op *op, const struct og_xv_memref *from) {
  struct og_xv_ref offsets[OG_MLIR_RANK_MOST], sizes[OG_MLIR_RANK_MOST], strides[OG_MLIR_RANK_MOST];
  struct og_xv_memref *m = OG_NEW(x->arena, struct og_xv_memref);
  og_mlir_type type = op->results[0].type;
  uint32_t count = og_xv_list(x, op, "static_offsets", "offsets", offsets), kept = 0, drop = count - type->int_count;
  og_xv_list(x, op, "static_sizes", "sizes", sizes);
  og_xv_list(x, op, "static_strides", "strides", strides);
  struct og_xv_ref at = og_xv_number(OG_XV_Q, 0);
  m->rank = type->int_count;
  m->slm = from->slm;
  for (uint32_t k = 0; k < count; k++) {
    at = og_xv_add(x, at, og_xv_multiply(x, offsets[k], from->strides[k], 1), 1);
    if (drop && sizes[k].immediate && sizes[k].bits == 1 && (kept >= m->rank || type->ints[kept] != 1)) {
      drop--;
      continue;
    }
    if (kept == m->rank)
      return og_xv_refuse(x, op, "the view's rank does not fit its type");
    m->sizes[kept] = sizes[k];
    m->strides[kept++] = og_xv_multiply(x, strides[k], from->strides[k], 1);
  }
  uint32_t size = og_xv_sizes[type_of(type)];
  m->base = moved_base(x, from, at, size);
  m->aligned = from->aligned && at.immediate && at.bits * size % 64 == 0;
  set_memref(x, &op->results[0], m);
  return true;
}

static bool reinterpret(struct og_xv *x, struct og_mlir_op *op, const struct og_xv_memref *from) {
  struct og_xv_ref offsets[OG_MLIR_RANK_MOST] = {{0}};
  struct og_xv_memref *m = OG_NEW(x->arena, struct og_xv_memref);
  og_xv_list(x, op, "static_offsets", "offsets", offsets);
  m->rank = og_xv_list(x, op, "static_sizes", "sizes", m->sizes);
  og_xv_list(x, op, "static_strides", "strides", m->strides);
  m->slm = from->slm;
  m->base = moved_base(x, from, offsets[0], og_xv_sizes[type_of(op->results[0].type)]);
  m->aligned = from->aligned && offsets[0].immediate && offsets[0].bits == 0;
  set_memref(x, &op->results[0], m);
  return true;
}

static bool byte_view(struct og_xv *x, struct og_mlir_op *op, const struct og_xv_memref *from) {
  og_mlir_type type = op->results[0].type;
  struct og_xv_memref *m = OG_NEW(x->arena, struct og_xv_memref);
  struct og_xv_ref stride = og_xv_number(OG_XV_Q, 1), shift = og_xv_index(x, og_xv_value(x, op->operands[1]), 1);
  m->rank = type->int_count, m->slm = from->slm;
  m->base = moved_base(x, from, shift, 1);
  m->aligned = from->aligned && shift.immediate && shift.bits % 64 == 0;
  for (uint32_t k = 0, next = 2; k < m->rank; k++)
    m->sizes[k] = type->ints[k] == OG_MLIR_DYNAMIC ? og_xv_index(x, og_xv_value(x, op->operands[next++]), 1)
                                                   : og_xv_number(OG_XV_Q, (uint64_t)type->ints[k]);
  for (uint32_t k = m->rank; k-- > 0; stride = og_xv_multiply(x, stride, m->sizes[k], 1))
    m->strides[k] = stride;
  set_memref(x, &op->results[0], m);
  return true;
}

/* ---- accesses ---------------------------------------------------------------------------------------------------- */

static void widen_truth(struct og_xv *x, const struct og_xv_message *m, struct og_xv_ref value, bool write) {
  struct og_xv_ref byte = og_xv_new(x, OG_XV_UB, m->channels);
  if (write)
    og_xv_move(x, byte, value, m->channels), og_xv_store(x, m, byte);
  else
    og_xv_load(x, m, byte), og_xv_move(x, value, byte, m->channels);
}

/* `count` elements in a row, from an address on. */
static void access_row(struct og_xv *x, struct og_xv_ref address, bool slm, struct og_xv_ref value, uint32_t count,
                       bool write) {
  uint32_t size = value.type == OG_XV_BOOL ? 1 : og_xv_sizes[value.type];
  for (uint32_t at = 0, width; at < count; at += width) {
    for (width = OG_XV_LANES; width > count - at;)
      width /= 2;
    struct og_xv_message m = {.channels = width, .slm = slm, .offset = (int32_t)(at * size)};
    m.addresses = og_xv_new(x, slm ? OG_XV_UD : OG_XV_UQ, width);
    if (width > 1) {
      struct og_xv_ref steps = og_xv_new(x, OG_XV_D, width), iota = og_xv_iota(x),
                       shift = og_xv_number(OG_XV_D, (uint64_t)__builtin_ctz(size)), one = og_xv_scalar(address, 0);
      og_xv_apply(x, "shl", steps, width, &iota, &shift, NULL);
      og_xv_apply(x, "add", m.addresses, width, &steps, address.immediate ? &address : &one, NULL);
    } else {
      og_xv_move(x, m.addresses, address, 1);
    }
    struct og_xv_ref part = value.immediate ? value : og_xv_at(value, at);
    if (value.type == OG_XV_BOOL)
      widen_truth(x, &m, part, write);
    else if (write)
      og_xv_store(x, &m, part);
    else
      og_xv_load(x, &m, part);
  }
}

static bool access(struct og_xv *x, struct og_mlir_op *op, bool write) {
  uint32_t index_count;
  const char *base = op->row->id == OG_MLIR_OP_LOAD || op->row->id == OG_MLIR_OP_STORE ? "memref" : "base";
  struct og_mlir_value *memref = og_mlir_operand(op, base), **indices = og_mlir_group(op, "indices", &index_count),
                       *value = write ? op->operands[0] : &op->results[0];
  const struct og_xv_memref *m = og_xv_memref_of(x, memref);
  if (!m || memref->type->parts[0]->kind == OG_MLIR_VECTOR)
    return og_xv_refuse(x, op, "memory of this kind");
  struct og_xv_ref data = write ? og_xv_value(x, value) : og_xv_result(x, value);
  uint32_t size = data.type == OG_XV_BOOL ? 1 : og_xv_sizes[data.type];
  access_row(x, og_xv_address(x, m, indices, size), m->slm, data, og_xv_count(x, value->type), write);
  return true;
}

/* A transfer whose vector is in the innermost dimensions goes row by row, with each element checked against the
 * memref. */
static bool transfer(struct og_xv *x, struct og_mlir_op *op, bool write) {
  struct og_mlir_value *base = og_mlir_operand(op, "base"), **indices,
                       *value = write ? op->operands[0] : &op->results[0], *padding = og_mlir_operand(op, "padding");
  uint32_t index_count;
  og_mlir_type type = value->type;
  og_mlir_attr map = og_mlir_find(op, "permutation_map");
  const struct og_xv_memref *m = og_xv_memref_of(x, base);
  indices = og_mlir_group(op, "indices", &index_count);
  if (!m || og_mlir_operand(op, "mask") || type->int_count > 2 || !type->int_count || type->int_count > m->rank ||
      (map && map->text.size && !og_text_is(map->text, "affine_map<(d0, d1) -> (d0, d1)>") &&
       type->int_count < m->rank))
    return og_xv_refuse(x, op, "transfers with masks, or of more than two dimensions");
  struct og_xv_ref data = write ? og_xv_value(x, value) : og_xv_result(x, value);
  if (data.type == OG_XV_BOOL)
    return og_xv_refuse(x, op, "truth values");
  uint32_t columns = (uint32_t)type->ints[type->int_count - 1], rows = og_xv_count(x, type) / columns,
           last = m->rank - 1, size = og_xv_sizes[data.type];
  if (!write)
    og_xv_move(x, data, og_xv_value(x, padding), og_xv_count(x, type));
  if (!m->strides[last].immediate)
    return og_xv_refuse(x, op, "strides that are not known");
  struct og_xv_ref start = og_xv_address(x, m, indices, size);
  for (uint32_t row = 0; row < rows; row++)
    for (uint32_t at = 0, width; at < columns; at += width) {
      for (width = OG_XV_LANES; width > columns - at;)
        width /= 2;
      struct og_xv_ref column = og_xv_new(x, OG_XV_Q, width), iota = og_xv_iota(x),
                       truth = og_xv_new(x, OG_XV_BOOL, width), other = og_xv_new(x, OG_XV_BOOL, width), bytes,
                       first =
                           og_xv_add(x, og_xv_index(x, og_xv_value(x, indices[last]), 1), og_xv_number(OG_XV_Q, at), 1);
      if (!first.immediate)
        first = og_xv_scalar(first, 0);
      og_xv_apply(x, "add", column, width, &iota, &first, NULL);
      struct og_xv_ref unsigned_column = og_xv_view(x, column, OG_XV_UQ), bound = m->sizes[last];
      bound = bound.immediate ? og_xv_number(OG_XV_UQ, bound.bits) : og_xv_scalar(og_xv_view(x, bound, OG_XV_UQ), 0);
      og_xv_compare(x, "lt", truth, width, unsigned_column, bound);
      for (uint32_t d = 0; d < last; d++) { /* the outer indices are the same for the whole row */
        struct og_xv_ref index = og_xv_index(x, og_xv_value(x, indices[d]), 1), size_of = m->sizes[d];
        if (type->int_count == 2 && d + 1 == last)
          index = og_xv_add(x, index, og_xv_number(OG_XV_Q, row), 1);
        if (index.immediate)
          index = og_xv_register(x, index, 1);
        index = og_xv_scalar(og_xv_view(x, index, OG_XV_UQ), 0);
        size_of = size_of.immediate ? og_xv_number(OG_XV_UQ, size_of.bits)
                                    : og_xv_scalar(og_xv_view(x, size_of, OG_XV_UQ), 0);
        og_xv_compare(x, "lt", other, width, index, size_of);
        og_xv_apply(x, "and", truth, width, &truth, &other, NULL);
      }
      struct og_xv_message message = {.channels = width, .slm = m->slm};
      struct og_xv_ref row_base = row && type->int_count == 2
                                      ? og_xv_multiply(x, m->strides[last - 1], og_xv_number(OG_XV_Q, row), 1)
                                      : og_xv_number(OG_XV_Q, 0);
      struct og_xv_memref shifted = {.base = start, .slm = m->slm};
      struct og_xv_ref from =
          moved_base(x, &shifted, og_xv_add(x, row_base, og_xv_number(OG_XV_Q, at * m->strides[last].bits), 1), size);
      bytes = og_xv_new(x, OG_XV_D, width);
      struct og_xv_ref scale = og_xv_number(OG_XV_D, size * m->strides[last].bits);
      og_xv_apply(x, "mul", bytes, width, &iota, &scale, NULL);
      message.addresses = og_xv_new(x, m->slm ? OG_XV_UD : OG_XV_UQ, width);
      if (!from.immediate)
        from = og_xv_scalar(from, 0);
      og_xv_apply(x, "add", message.addresses, width, &bytes, &from, NULL);
      message.predicate = og_xv_predicate(x, truth, width);
      struct og_xv_ref part = data.immediate ? data : og_xv_at(data, row * columns + at);
      if (write)
        og_xv_store(x, &message, part);
      else
        og_xv_load(x, &message, part);
    }
  return true;
}

static bool dimension(struct og_xv *x, struct og_mlir_op *op) {
  const struct og_xv_memref *m = og_xv_memref_of(x, op->operands[0]);
  struct og_xv_ref index = og_xv_value(x, op->operands[1]);
  if (!m || !index.immediate || index.bits >= m->rank)
    return og_xv_refuse(x, op, "a dimension that is not known");
  og_xv_set(x, &op->results[0], m->sizes[index.bits]);
  return true;
}

bool og_xv_memory(struct og_xv *x, struct og_mlir_op *op, bool *known) {
  *known = true;
  const struct og_xv_memref *m = op->operand_count ? og_xv_memref_of(x, op->operands[0]) : NULL;
  switch (op->row->id) {
  case OG_MLIR_OP_ALLOCATE:
  case OG_MLIR_OP_ALLOCA: return allocate(x, op);
  case OG_MLIR_OP_DEALLOC: return true;
  case OG_MLIR_OP_LOAD:
  case OG_MLIR_OP_VECTOR_LOAD: return access(x, op, false);
  case OG_MLIR_OP_STORE:
  case OG_MLIR_OP_VECTOR_STORE: return access(x, op, true);
  case OG_MLIR_OP_TRANSFER_READ: return transfer(x, op, false);
  case OG_MLIR_OP_TRANSFER_WRITE: return transfer(x, op, true);
  case OG_MLIR_OP_SUBVIEW:
  case OG_MLIR_OP_REINTERPRET_CAST:
  case OG_MLIR_OP_VIEW:
  case OG_MLIR_OP_MEMREF_CAST:
  case OG_MLIR_OP_MEMORY_SPACE_CAST:
  case OG_MLIR_OP_POINTER:
    if (!m || (op->result_count && op->results[0].type->kind == OG_MLIR_UNRANKED_MEMREF))
      return og_xv_refuse(x, op, "memory of this kind");
    if (op->row->id == OG_MLIR_OP_SUBVIEW)
      return subview(x, op, m);
    if (op->row->id == OG_MLIR_OP_REINTERPRET_CAST)
      return reinterpret(x, op, m);
    if (op->row->id == OG_MLIR_OP_VIEW)
      return byte_view(x, op, m);
    if (op->row->id == OG_MLIR_OP_POINTER)
      og_xv_set(x, &op->results[0], og_xv_index(x, m->base, 1));
    else
      set_memref(x, &op->results[0], m);
    return true;
  case OG_MLIR_OP_DIM: return dimension(x, op);
  default: return !(*known = false);
  }
}
