/* scatter.c - scattered descriptors: gathers and scatters with masks and chunks, atomics. */
#include "xegpu/exec/exec.h"
#include "xegpu/maps.h"

#include <string.h>

enum { LANES_MOST = 1024 };

/* Base and allocation of a memref or an address. */
static bool locate(struct og_xe_thread *t, const struct og_xe_inst *i, const uint8_t *f, uint32_t place,
                   og_mlir_type source, uint32_t size, bool slm, struct og_xe_memory **memory, uint8_t **base) {
  if (source->kind == OG_MLIR_MEMREF) {
    const struct og_xe_memref *m = (const struct og_xe_memref *)(f + place);
    *memory = m->memory;
    *base = m->base + m->offset * (int64_t)size;
    return true;
  }
  uint64_t address = source->ints[0] == 32 ? og_load32(f + place) : og_load64(f + place);
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

/* ---- descriptors ------------------------------------------------------------------------------------------------- */

static const struct og_xe_inst *create(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  struct og_xe_points *p = (struct og_xe_points *)(f + i->to);
  og_mlir_type source = i->op->operands[0]->type;
  if (!locate(t, i, f, i->a, source, og_xe_sizes[i->type], i->sub, &p->memory, &p->base))
    return NULL;
  p->count = i->count;
  const struct {
    uint32_t count;
    int64_t constants[LANES_MOST];
    uint32_t places[LANES_MOST];
  } *list = i->data;
  for (uint32_t k = 0; k < i->count; k++)
    p->offsets[k] = !list                                   ? og_xe_index(f, i->b + k * 8)
                    : list->constants[k] == OG_MLIR_DYNAMIC ? og_xe_index(f, list->places[k])
                                                            : list->constants[k];
  return i + 1;
}

static const struct og_xe_inst *update(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  struct og_xe_points *p = (struct og_xe_points *)(f + i->to);
  const struct og_xe_points *from = (const struct og_xe_points *)(f + i->a);
  memmove(p, from, sizeof *p + 8 * (size_t)from->count);
  const struct {
    uint32_t count;
    int64_t constants[LANES_MOST];
    uint32_t places[LANES_MOST];
  } *list = i->data;
  for (uint32_t k = 0; k < i->count && k < p->count; k++)
    p->offsets[k] +=
        list ? (list->constants[k] == OG_MLIR_DYNAMIC ? og_xe_index(f, list->places[k]) : list->constants[k])
             : og_xe_integer(i->type, f + i->b + k * og_xe_sizes[i->type]);
  return i + 1;
}

/* ---- gathers, scatters, atomics ---------------------------------------------------------------------------------- */

struct access {
  uint32_t lanes, chunk, size;
  bool turned;                  /* the value is chunk x lanes */
  bool lane_offset;             /* one lane's: descriptor's point of this lane */
  og_mlir_type source;          /* NULL: a descriptor */
  uint32_t base, offsets, mask; /* places */
  bool one_offset, one_mask;
};

/* Where lane k's chunk begins; NULL: it is masked or, with *fine false, a fault. `how` it is accessed; NULL: it is
 * not. */
static uint8_t *point(struct og_xe_thread *t, const struct og_xe_inst *i, const struct access *a, uint8_t *f,
                      uint32_t k, const enum og_xe_touch *how, bool *fine) {
  struct og_xe_memory *memory;
  uint8_t *base;
  int64_t offset;
  uint32_t lane = a->lane_offset ? t->lane : k;
  *fine = true;
  if (a->mask != UINT32_MAX && !(f[a->mask + (a->one_mask ? 0 : lane)] & 1))
    return NULL;
  if (a->source) {
    if (!locate(t, i, f, a->base, a->source, a->size, false, &memory, &base))
      return *fine = false, NULL;
    offset = og_xe_index(f, a->offsets + (a->one_offset ? 0 : k * 8));
  } else {
    const struct og_xe_points *p = (const struct og_xe_points *)(f + a->base);
    memory = p->memory, base = p->base;
    offset = lane < p->count ? p->offsets[lane] : 0;
  }
  uint8_t *at = base + offset * (int64_t)a->size;
  if (og_xe_inside(memory, at, (uint64_t)a->chunk * a->size)) {
    *fine = !how || og_xe_touch(t, i, memory, at, (uint64_t)a->chunk * a->size, *how);
    return at;
  }
  *fine = false;
  og_xe_fault(t, i, "lane %u's %u elements at offset %lld are outside of the memory", lane, a->chunk,
              (long long)offset);
  return NULL;
}

static const struct og_xe_inst *move_points(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const struct access *a = i->data;
  bool write = i->sub, fine;
  enum og_xe_touch how = write ? OG_XE_WRITE : OG_XE_READ;
  for (uint32_t k = 0; k < a->lanes; k++) {
    uint8_t *at = point(t, i, a, f, k, &how, &fine);
    if (!fine)
      return NULL;
    if (!at)
      continue; /* elements of a masked lane stay as they are */
    for (uint32_t c = 0; c < a->chunk; c++) {
      uint8_t *value = f + i->to + (a->turned ? c * a->lanes + k : k * a->chunk + c) * a->size;
      if (write)
        memcpy(at + c * a->size, value, a->size);
      else
        memcpy(value, at + c * a->size, a->size);
    }
  }
  return i + 1;
}

static const struct og_xe_inst *prefetch(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const struct access *a = i->data;
  bool fine;
  for (uint32_t k = 0; k < a->lanes; k++)
    if (point(t, i, a, f, k, NULL, &fine), !fine)
      return NULL;
  return i + 1;
}

/* sub: the kind, as arith numbers them. */
static void modify(uint8_t type, uint8_t kind, uint8_t *at, const uint8_t *value) {
  uint32_t size = og_xe_sizes[type];
  if (type < OG_XE_F16) {
    int64_t x = og_xe_integer(type, at), y = og_xe_integer(type, value), r;
    uint64_t mask = size == 8 ? ~UINT64_C(0) : (UINT64_C(1) << size * 8) - 1, ux = (uint64_t)x & mask,
             uy = (uint64_t)y & mask;
    switch (kind) {
    case 1: r = (int64_t)(ux + uy); break;
    case 2: r = y; break;
    case 4: r = x > y ? x : y; break;
    case 5: r = ux > uy ? x : y; break;
    case 7: r = x < y ? x : y; break;
    case 8: r = ux < uy ? x : y; break;
    case 10: r = (int64_t)(ux * uy); break;
    case 11: r = x | y; break;
    case 12: r = x & y; break;
    default: r = x ^ y; break;
    }
    memcpy(at, &r, size);
    return;
  }
  double x = og_xe_number(type, at), y = og_xe_number(type, value), r;
  bool nan = x != x || y != y;
  switch (kind) {
  case 0: r = x + y; break;
  case 2: r = y; break;
  case 3: r = nan ? x + y : x > y ? x : y; break;
  case 6: r = nan ? x + y : x < y ? x : y; break;
  case 9: r = x * y; break;
  case 13: r = x != x ? y : y != y ? x : x > y ? x : y; break;
  default: r = x != x ? y : y != y ? x : x < y ? x : y; break;
  }
  float narrow = (float)r;
  if (type == OG_XE_F64)
    memcpy(at, &r, 8);
  else
    og_xe_from_floats(type, &narrow, at, 1);
}

static const struct og_xe_inst *atomic(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const struct access *a = i->data;
  enum og_xe_touch how = OG_XE_ATOMIC;
  bool fine;
  for (uint32_t k = 0; k < a->lanes; k++) {
    uint8_t *at = point(t, i, a, f, k, &how, &fine);
    if (!fine)
      return NULL;
    for (uint32_t c = 0; at && c < a->chunk; c++) {
      uint32_t element = (k * a->chunk + c) * a->size;
      memcpy(f + i->to + element, at + c * a->size, a->size);
      modify(i->type, i->sub, at + c * a->size, f + i->b + element);
    }
  }
  return i + 1;
}

/* memref.atomic_rmw: a: memref, b: value, data: places of the indices. */
static const struct og_xe_inst *memref_atomic(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const struct og_xe_memref *m = (const struct og_xe_memref *)(f + i->a);
  const uint32_t *places = i->data;
  int64_t at = m->offset;
  uint32_t size = og_xe_sizes[i->type];
  for (int64_t k = 0; k < m->rank; k++) {
    int64_t index = og_xe_index(f, places[k]);
    if (index < 0 || index >= m->sizes[k])
      return og_xe_fault(t, i, "index %lld is outside of dimension %lld of size %lld", (long long)index, (long long)k,
                         (long long)m->sizes[k]);
    at += index * m->sizes[OG_MAX(m->rank, 1) + k];
  }
  uint8_t *address = m->base + at * (int64_t)size;
  if (!og_xe_inside(m->memory, address, size))
    return og_xe_fault(t, i, "the element is outside of the memory");
  if (!og_xe_touch(t, i, m->memory, address, size, OG_XE_ATOMIC))
    return NULL;
  memcpy(f + i->to, address, size);
  modify(i->type, i->sub, address, f + i->b);
  return i + 1;
}

/* ---- decoding ---------------------------------------------------------------------------------------------------- */

/* MLIR 19 lists its offsets one by one. */
static const void *read_list(struct og_xe_decoder *d, struct og_mlir_op *op, uint32_t *lanes) {
  struct {
    uint32_t count;
    int64_t constants[LANES_MOST];
    uint32_t places[LANES_MOST];
  } * list;
  og_mlir_attr given = og_mlir_find(op, "const_offsets");
  uint32_t count, next = 0;
  struct og_mlir_value **values = og_mlir_group(op, "offsets", &count);
  if (!given) {
    *lanes = count && values[0]->type->kind == OG_MLIR_VECTOR
                 ? (uint32_t)OG_MIN(og_mlir_elements(values[0]->type), LANES_MOST + 1)
                 : 1;
    return NULL;
  }
  list = og_arena_alloc(d->m->arena, sizeof *list);
  *lanes = given->int_count;
  for (uint32_t k = 0; k < given->int_count && k < LANES_MOST; k++) {
    list->constants[k] = given->ints[k];
    if (given->ints[k] == OG_MLIR_DYNAMIC && next < count)
      list->places[k] = og_xe_place(d, values[next++]);
  }
  return list;
}

static bool decode_points(struct og_xe_decoder *d, struct og_mlir_op *op, og_xe_handler run) {
  struct og_xe_inst inst = {.run = run, .op = op};
  uint32_t lanes, count;
  inst.data = read_list(d, op, &lanes);
  struct og_mlir_value **values = og_mlir_group(op, "offsets", &count);
  if (lanes > LANES_MOST || !og_xe_scalar(op->results[0].type, &inst.type))
    return og_xe_refuse(d, op, "more than 1024 lanes, or elements of this type, are not executed");
  inst.count = lanes;
  inst.sub = og_mlir_is_slm(op->results[0].type);
  inst.a = og_xe_place(d, op->operands[0]);
  inst.b = inst.data || !count ? 0 : og_xe_place(d, values[0]);
  if (run == update && !inst.data)
    og_xe_scalar(values[0]->type, &inst.type);
  inst.to = og_xe_place(d, &op->results[0]);
  *og_xe_emit(d, op, run) = inst;
  return true;
}

static bool decode_access(struct og_xe_decoder *d, struct og_mlir_op *op, og_xe_handler run) {
  struct access *a = OG_NEW(d->m->arena, struct access);
  struct og_mlir_access access;
  og_mlir_access_of(op, &access);
  struct og_mlir_value *place = access.place, *mask = access.mask, *offsets = access.offsets;
  struct og_mlir_value *value = op->result_count ? &op->results[0] : og_mlir_operand(op, "value");
  struct og_xe_inst inst = {.run = run, .op = op, .data = a, .sub = op->row->id == OG_MLIR_OP_STORE_SCATTER};
  og_mlir_attr kind = og_mlir_find(op, "kind");
  bool tdesc = access.tdesc;
  og_mlir_type element = place->type->kind == OG_MLIR_INTEGER && value ? value->type : place->type;
  if (!og_xe_scalar(element, &inst.type))
    return og_xe_refuse(d, op, "elements of this type are not executed");
  a->size = og_xe_sizes[inst.type];
  a->source = tdesc ? NULL : place->type;
  a->lanes = access.lanes, a->chunk = access.chunk, a->turned = access.turned;
  a->one_offset = offsets && offsets->type->kind != OG_MLIR_VECTOR;
  a->one_mask = mask && mask->type->kind != OG_MLIR_VECTOR;
  int64_t elements =
      value ? (value->type->kind == OG_MLIR_VECTOR ? og_mlir_elements(value->type) : 1) : (int64_t)a->lanes * a->chunk;
  if (tdesc && elements != (int64_t)a->lanes * a->chunk) { /* one lane's */
    a->lanes = 1;
    a->lane_offset = true;
    d->code->fragments = true;
  }
  if (elements != (int64_t)a->lanes * a->chunk)
    return og_xe_refuse(d, op, "the value's size is not lanes x chunk");
  a->base = og_xe_place(d, place);
  a->offsets = offsets ? og_xe_place(d, offsets) : 0;
  a->mask = mask ? og_xe_place(d, mask) : UINT32_MAX;
  inst.to = value ? og_xe_place(d, value) : 0;
  if (run == atomic) {
    inst.b = og_xe_place(d, og_mlir_operand(op, "value"));
    inst.sub = kind->kind == OG_MLIR_INT ? (uint8_t)kind->ints[0] : 0;
  }
  *og_xe_emit(d, op, run) = inst;
  return true;
}

static bool decode_memref_atomic(struct og_xe_decoder *d, struct og_mlir_op *op) {
  struct og_mlir_value *memref = og_mlir_operand(op, "memref"), **indices;
  struct og_xe_inst inst = {.run = memref_atomic, .op = op, .sub = (uint8_t)og_mlir_find(op, "kind")->ints[0]};
  uint32_t count;
  indices = og_mlir_group(op, "indices", &count);
  uint32_t *places = OG_NEW_ARRAY(d->m->arena, uint32_t, count + 1);
  for (uint32_t k = 0; k < count; k++)
    places[k] = og_xe_place(d, indices[k]);
  if (!og_xe_scalar(memref->type, &inst.type))
    return og_xe_refuse(d, op, "elements of this type are not executed");
  inst.data = places;
  inst.a = og_xe_place(d, memref);
  inst.b = og_xe_place(d, op->operands[0]);
  inst.to = og_xe_place(d, &op->results[0]);
  *og_xe_emit(d, op, memref_atomic) = inst;
  return true;
}

bool og_xe_decode_scatter(struct og_xe_decoder *d, struct og_mlir_op *op, bool *known) {
  *known = true;
  switch (op->row->id) {
  case OG_MLIR_OP_CREATE: return decode_points(d, op, create);
  case OG_MLIR_OP_UPDATE: return decode_points(d, op, update);
  case OG_MLIR_OP_LOAD_GATHER:
  case OG_MLIR_OP_STORE_SCATTER: return decode_access(d, op, move_points);
  case OG_MLIR_OP_PREFETCH: return decode_access(d, op, prefetch);
  case OG_MLIR_OP_ATOMIC: return decode_access(d, op, atomic);
  case OG_MLIR_OP_MEMREF_RMW: return decode_memref_atomic(d, op);
  case OG_MLIR_OP_CREATE_MEM_DESC:
  case OG_MLIR_OP_LOAD_MATRIX:
  case OG_MLIR_OP_STORE_MATRIX: return og_xe_decode_matrix(d, op);
  default: return !(*known = false);
  }
}
