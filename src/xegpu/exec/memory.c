/* memory.c - memrefs: allocations, views, and accesses, each of which is checked against its allocation. */
#include "xegpu/exec/exec.h"
#include "xegpu/verifier.h"

#include <stdlib.h>
#include <string.h>

static struct og_xe_memref *memref_at(uint8_t *f, uint32_t place) { return (struct og_xe_memref *)(f + place); }
static int64_t *strides_of(struct og_xe_memref *m) { return m->sizes + OG_MAX(m->rank, 1); }
static const int64_t *strides_in(const struct og_xe_memref *m) { return m->sizes + OG_MAX(m->rank, 1); }
static size_t memref_size(int64_t rank) { return sizeof(struct og_xe_memref) + 16 * (size_t)OG_MAX(rank, 1); }

/* ---- allocations ------------------------------------------------------------------------------------------------- */

struct og_xe_memory *og_xe_allocate(struct og_xe_machine *m, uint64_t size) {
  uint64_t most = m->run->memory_most ? m->run->memory_most : UINT64_C(4) << 30;
  if (size > most || m->bytes > most - size)
    return NULL;
  struct og_xe_memory *memory = OG_NEW(m->arena, struct og_xe_memory);
  memory->data = aligned_alloc(64, og_align_up(size + 1, 64));
  if (!memory->data)
    return NULL;
  memset(memory->data, 0, size);
  memory->size = size;
  memory->owned = true;
  memory->next = m->memories;
  m->memories = memory;
  m->bytes += size;
  return memory;
}

struct og_xe_memory *og_xe_find(struct og_xe_machine *m, struct og_xe_group *group, uint64_t address) {
  (void)group;
  for (struct og_xe_memory *at = m->memories; at; at = at->next)
    if (!at->freed && address >= (uintptr_t)at->data && address - (uintptr_t)at->data < OG_MAX(at->size, 1u))
      return at;
  return NULL;
}

static bool is_shared(og_mlir_type t) {
  og_mlir_attr space = t->parts[2];
  return space && ((space->kind == OG_MLIR_INT && space->ints[0] == 3) ||
                   (space->kind == OG_MLIR_ENUM && og_text_is(space->text, "slm")) ||
                   (space->kind == OG_MLIR_DIALECT_ATTR && og_text_is(space->text, "gpu.address_space<workgroup>")));
}

/* Fills a descriptor with the type's shape, and with sizes from the frame where they are dynamic. */
static bool describe(struct og_xe_memref *m, og_mlir_type type, const uint8_t *f, const uint32_t *dynamic,
                     int64_t *elements) {
  int64_t given[OG_MLIR_RANK_MOST], offset;
  m->rank = type->int_count;
  m->offset = 0;
  for (uint32_t i = 0, next = 0; i < type->int_count; i++) {
    m->sizes[i] = type->ints[i] == OG_MLIR_DYNAMIC ? og_xe_index(f, dynamic[next++]) : type->ints[i];
    if (m->sizes[i] < 0)
      return false;
  }
  bool known = og_mlir_strides(type, given, &offset);
  int64_t stride = 1;
  *elements = 1;
  for (uint32_t i = type->int_count; i-- > 0;) {
    bool fixed = type->parts[1] && known && given[i] != OG_MLIR_DYNAMIC;
    strides_of(m)[i] = fixed ? given[i] : stride;
    if (__builtin_mul_overflow(stride, OG_MAX(m->sizes[i], 1), &stride))
      return false;
  }
  int64_t last = offset != OG_MLIR_DYNAMIC ? offset : 0;
  m->offset = last;
  for (uint32_t i = 0; i < type->int_count; i++) {
    int64_t step;
    if (m->sizes[i] == 0)
      return *elements = 0, true;
    if (__builtin_mul_overflow(m->sizes[i] - 1, strides_of(m)[i], &step) || __builtin_add_overflow(last, step, &last) ||
        last < 0)
      return false;
  }
  *elements = last + 1;
  return true;
}

static const struct og_xe_inst *allocate(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  struct og_xe_memref *m = memref_at(f, i->to);
  og_mlir_type type = i->op->results[0].type;
  int64_t elements;
  if (!describe(m, type, f, i->data, &elements) || elements > INT64_MAX / 8)
    return og_xe_fault(t, i, "a size is negative or too large");
  struct og_xe_group *group = t->group;
  if (i->sub && group) { /* it belongs to the group: the first thread that needs it allocates it */
    for (uint32_t k = 0; k < group->shared_count; k++)
      if (group->shared[k].of == i)
        return m->memory = group->shared[k].memory, m->base = m->memory->data, i + 1;
  }
  m->memory = og_xe_allocate(t->machine, (uint64_t)elements * og_xe_sizes[i->type]);
  if (!m->memory)
    return og_xe_fault(t, i, "there is no memory for %lld elements", (long long)elements);
  m->base = m->memory->data;
  if (i->sub && group) {
    group->shared = og_checked_realloc(group->shared, (group->shared_count + 1) * sizeof *group->shared);
    group->shared[group->shared_count].of = i;
    group->shared[group->shared_count++].memory = m->memory;
  }
  return i + 1;
}

static const struct og_xe_inst *release(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  struct og_xe_memory *memory = memref_at(f, i->a)->memory;
  if (i->sub && t->group)
    return i + 1;
  if (!memory || memory->freed)
    return og_xe_fault(t, i, "the memory is freed twice");
  memory->freed = true;
  og_xe_forget(memory);
  t->machine->bytes -= memory->size;
  free(memory->data);
  memory->data = NULL;
  return i + 1;
}

static const struct og_xe_inst *get_global(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  struct og_xe_machine *machine = t->machine;
  struct og_xe_memref *m = memref_at(f, i->to);
  og_mlir_type type = i->op->results[0].type;
  const struct og_mlir_op *global = i->data;
  int64_t elements;
  if (!describe(m, type, f, NULL, &elements))
    return og_xe_fault(t, i, "the global is too large");
  for (uint32_t k = 0; k < machine->global_count; k++)
    if (machine->globals[k].op == global)
      return m->memory = machine->globals[k].memory, m->base = m->memory->data, i + 1;
  uint32_t size = og_xe_sizes[i->type];
  m->memory = og_xe_allocate(machine, (uint64_t)elements * size);
  if (!m->memory)
    return og_xe_fault(t, i, "there is no memory for it");
  m->base = m->memory->data;
  m->memory->filled = true;
  og_mlir_attr value = og_mlir_find(global, "initial_value");
  for (int64_t k = 0; value && value->kind == OG_MLIR_DENSE && value->text.size && k < elements; k++)
    memcpy(m->base + k * size, value->text.data + (value->text.size == size ? 0 : k * size), size);
  machine->globals = og_checked_realloc(machine->globals, (machine->global_count + 1) * sizeof *machine->globals);
  machine->globals[machine->global_count].op = global;
  machine->globals[machine->global_count++].memory = m->memory;
  return i + 1;
}

/* ---- views ------------------------------------------------------------------------------------------------------- */

static const struct og_xe_inst *cast(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  og_mlir_type from = i->op->operands[0]->type, to = i->op->results[0].type;
  const struct og_xe_memref *m =
      from->kind == OG_MLIR_UNRANKED_MEMREF ? ((struct og_xe_unranked *)(f + i->a))->memref : memref_at(f, i->a);
  if (to->kind == OG_MLIR_UNRANKED_MEMREF) {
    if (from->kind == OG_MLIR_UNRANKED_MEMREF) {
      memcpy(f + i->to, f + i->a, sizeof(struct og_xe_unranked));
      return i + 1;
    }
    ((struct og_xe_unranked *)(f + i->to))->memref =
        (const struct og_xe_memref *)og_arena_copy(t->machine->arena, (const char *)m, memref_size(m->rank));
    return i + 1;
  }
  if (m->rank != to->int_count)
    return og_xe_fault(t, i, "a memref of rank %lld is cast to rank %u", (long long)m->rank, to->int_count);
  for (uint32_t k = 0; k < to->int_count; k++)
    if (to->ints[k] != OG_MLIR_DYNAMIC && to->ints[k] != m->sizes[k])
      return og_xe_fault(t, i, "size %lld of dimension %u is cast to %lld", (long long)m->sizes[k], k,
                         (long long)to->ints[k]);
  memmove(f + i->to, m, memref_size(m->rank));
  return i + 1;
}

struct view {
  struct og_xe_numbers offsets, sizes, strides;
};

static const struct og_xe_inst *subview(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const struct view *v = i->data;
  const struct og_xe_memref *from = memref_at(f, i->a);
  struct og_xe_memref *to = memref_at(f, i->to);
  og_mlir_type type = i->op->results[0].type;
  uint32_t rank = type->int_count, kept = 0;
  int64_t offset = from->offset;
  to->memory = from->memory, to->base = from->base, to->rank = rank;
  if (v->offsets.count != from->rank)
    return og_xe_fault(t, i, "an offset for each dimension is expected");
  uint32_t drop = (uint32_t)from->rank - rank;
  for (uint32_t k = 0; k < v->sizes.count; k++) {
    int64_t start = og_xe_number_at(&v->offsets, f, k), size = og_xe_number_at(&v->sizes, f, k),
            stride = og_xe_number_at(&v->strides, f, k);
    int64_t last;
    if (start < 0 || size < 0 ||
        (size > 0 && (start >= from->sizes[k] || __builtin_mul_overflow(size - 1, stride, &last) ||
                      __builtin_add_overflow(last, start, &last) || last < 0 || last >= from->sizes[k])))
      return og_xe_fault(t, i, "%lld elements from %lld of dimension %u of size %lld", (long long)size,
                         (long long)start, k, (long long)from->sizes[k]);
    offset += start * strides_in(from)[k];
    if (drop && size == 1 && (kept >= rank || type->ints[kept] != 1)) {
      drop--;
      continue;
    }
    if (kept == rank)
      return og_xe_fault(t, i, "the view's rank does not fit its type");
    to->sizes[kept] = size;
    strides_of(to)[kept++] = stride * strides_in(from)[k];
  }
  to->offset = offset;
  return i + 1;
}

static const struct og_xe_inst *reinterpret(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  enum { MOST = 1 << 24 }; /* more elements than the memory has bytes, as strides may be 0 */
  const struct view *v = i->data;
  const struct og_xe_memref *from = i->op->operands[0]->type->kind == OG_MLIR_UNRANKED_MEMREF
                                        ? ((struct og_xe_unranked *)(f + i->a))->memref
                                        : memref_at(f, i->a);
  struct og_xe_memref *to = memref_at(f, i->to);
  to->memory = from->memory, to->base = from->base, to->rank = i->op->results[0].type->int_count;
  to->offset = v->offsets.count ? og_xe_number_at(&v->offsets, f, 0) : 0;
  uint64_t elements = 1;
  bool none = false, large = false;
  for (uint32_t k = 0; k < to->rank; k++) {
    to->sizes[k] = k < v->sizes.count ? og_xe_number_at(&v->sizes, f, k) : 1;
    strides_of(to)[k] = k < v->strides.count ? og_xe_number_at(&v->strides, f, k) : 1;
    none |= to->sizes[k] == 0;
    large |= to->sizes[k] < 0 || __builtin_mul_overflow(elements, to->sizes[k], &elements);
  }
  if (large || (!none && elements > OG_MAX(to->memory ? to->memory->size : 0, (uint64_t)MOST)))
    return og_xe_fault(t, i, "a size is negative or too large");
  return i + 1;
}

/* memref.view: bytes as elements of another type; a byte offset in b. */
static const struct og_xe_inst *byte_view(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const struct og_xe_memref from = *memref_at(f, i->a);
  struct og_xe_memref *to = memref_at(f, i->to);
  int64_t elements, shift = og_xe_index(f, i->b);
  if (!describe(to, i->op->results[0].type, f, i->data, &elements))
    return og_xe_fault(t, i, "a size is negative or too large");
  if (shift < 0 || (uint64_t)shift > (from.memory ? from.memory->size : 0))
    return og_xe_fault(t, i, "the view begins outside of its memory");
  to->memory = from.memory;
  to->base = from.base + from.offset + shift;
  return i + 1;
}

/* ---- accesses ---------------------------------------------------------------------------------------------------- */

/* The place of an element; NULL with a fault. data: places of the indices. */
static uint8_t *element(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f, uint32_t memref, uint32_t size,
                        uint32_t bytes, bool whole) {
  const struct og_xe_memref *m = memref_at(f, memref);
  const uint32_t *places = i->data;
  int64_t at = m->offset;
  for (int64_t k = 0; k < m->rank; k++) {
    int64_t index = og_xe_index(f, places[k]);
    if (whole && (index < 0 || index >= m->sizes[k])) {
      og_xe_fault(t, i, "index %lld is outside of dimension %lld of size %lld", (long long)index, (long long)k,
                  (long long)m->sizes[k]);
      return NULL;
    }
    at += index * strides_in(m)[k];
  }
  uint8_t *address = m->base + at * (int64_t)size;
  if (og_xe_inside(m->memory, address, bytes))
    return address;
  og_xe_fault(t, i,
              m->memory && m->memory->freed ? "the memory is freed already"
                                            : "%u bytes at element %lld are outside of the memory",
              bytes, (long long)at);
  return NULL;
}

static const struct og_xe_inst *load(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const uint8_t *at = element(t, i, f, i->a, og_xe_sizes[i->type], i->count, true);
  if (!at || !og_xe_touch(t, i, memref_at(f, i->a)->memory, at, i->count, OG_XE_READ))
    return NULL;
  memcpy(f + i->to, at, i->count);
  return i + 1;
}

static const struct og_xe_inst *store(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  uint8_t *at = element(t, i, f, i->b, og_xe_sizes[i->type], i->count, true);
  if (!at || !og_xe_touch(t, i, memref_at(f, i->b)->memory, at, i->count, OG_XE_WRITE))
    return NULL;
  memcpy(at, f + i->a, i->count);
  return i + 1;
}

static bool decode_access(struct og_xe_decoder *d, struct og_mlir_op *op, bool write) {
  uint32_t count;
  const char *base = op->row->id == OG_MLIR_OP_LOAD || op->row->id == OG_MLIR_OP_STORE ? "memref" : "base";
  struct og_mlir_value *memref = og_mlir_operand(op, base), **indices = og_mlir_group(op, "indices", &count);
  uint32_t *places = OG_NEW_ARRAY(d->m->arena, uint32_t, count + 1), m = og_xe_place(d, memref),
           value = og_xe_place(d, write ? op->operands[0] : &op->results[0]);
  uint8_t type;
  if (memref->type->kind != OG_MLIR_MEMREF || !og_xe_scalar(memref->type, &type))
    return og_xe_refuse(d, op, "memory of this type is not executed");
  for (uint32_t k = 0; k < count; k++)
    places[k] = og_xe_place(d, indices[k]);
  struct og_xe_inst *inst = og_xe_emit(d, op, write ? store : load);
  inst->a = write ? value : m;
  inst->b = m;
  inst->to = value;
  inst->type = type;
  inst->count = (uint32_t)og_xe_size(write ? op->operands[0]->type : op->results[0].type);
  inst->data = places;
  return true;
}

/* transfer_read and _write: elements outside the memref are padded, or not written. c: place of the padding; b: of the
 * mask, or none. */
static const struct og_xe_inst *transfer(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  bool write = i->sub;
  const struct og_xe_memref *m = memref_at(f, i->a);
  og_mlir_type vector = write ? i->op->operands[0]->type : i->op->results[0].type;
  const uint32_t *places = i->data;
  uint32_t size = og_xe_sizes[i->type], shift = (uint32_t)m->rank - vector->int_count;
  for (uint32_t k = 0, flat; k < i->count; k++) {
    int64_t at = m->offset;
    bool in = i->b == UINT32_MAX || f[i->b + k] & 1;
    flat = k;
    for (int64_t d = m->rank; d-- > 0;) {
      int64_t index = og_xe_index(f, places[d]);
      if (d >= shift) {
        uint32_t n = (uint32_t)vector->ints[d - shift];
        index += flat % n;
        flat /= n;
      }
      in &= index >= 0 && index < m->sizes[d];
      at += index * strides_in(m)[d];
    }
    uint8_t *address = m->base + at * (int64_t)size;
    if (in && !og_xe_inside(m->memory, address, size))
      return og_xe_fault(t, i, "element %u is outside of the memory", k);
    if (in && !og_xe_touch(t, i, m->memory, address, size, write ? OG_XE_WRITE : OG_XE_READ))
      return NULL;
    if (write && in)
      memcpy(address, f + i->to + k * size, size);
    else if (!write)
      memcpy(f + i->to + k * size, in ? address : f + i->c, size);
  }
  return i + 1;
}

static bool decode_transfer(struct og_xe_decoder *d, struct og_mlir_op *op) {
  bool write = op->row->id == OG_MLIR_OP_TRANSFER_WRITE;
  struct og_mlir_value *base = og_mlir_operand(op, "base"), *mask = og_mlir_operand(op, "mask"),
                       *padding = og_mlir_operand(op, "padding");
  og_mlir_type vector = write ? op->operands[0]->type : op->results[0].type;
  uint32_t count;
  struct og_mlir_value **indices = og_mlir_group(op, "indices", &count);
  uint32_t *places = OG_NEW_ARRAY(d->m->arena, uint32_t, count + 1);
  struct og_xe_inst inst = {.run = transfer, .op = op, .sub = write, .data = places, .b = UINT32_MAX};
  if (base->type->kind != OG_MLIR_MEMREF || !og_xe_scalar(base->type, &inst.type) ||
      vector->int_count > base->type->int_count)
    return og_xe_refuse(d, op, "memory of this type is not executed");
  og_mlir_attr map = og_mlir_find(op, "permutation_map");
  if (map && memchr(map->text.data, '0', map->text.size) && memmem(map->text.data, map->text.size, "(0", 2))
    return og_xe_refuse(d, op, "broadcasting permutation maps are not executed");
  for (uint32_t k = 0; k < count; k++)
    places[k] = og_xe_place(d, indices[k]);
  inst.a = og_xe_place(d, base);
  if (mask)
    inst.b = og_xe_place(d, mask);
  if (padding)
    inst.c = og_xe_place(d, padding);
  inst.to = og_xe_place(d, write ? op->operands[0] : &op->results[0]);
  inst.count = (uint32_t)og_mlir_elements(vector);
  *og_xe_emit(d, op, transfer) = inst;
  return true;
}

static const struct og_xe_inst *copy(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const struct og_xe_memref *from = memref_at(f, i->a), *to = memref_at(f, i->b);
  int64_t count = 1;
  uint32_t size = og_xe_sizes[i->type];
  for (int64_t d = 0; d < from->rank; d++) {
    if (from->sizes[d] != to->sizes[d])
      return og_xe_fault(t, i, "the shapes differ");
    count *= from->sizes[d];
  }
  for (int64_t k = 0; k < count; k++) {
    int64_t a = from->offset, b = to->offset, flat = k;
    for (int64_t d = from->rank; d-- > 0; flat /= from->sizes[d]) {
      a += flat % from->sizes[d] * strides_in(from)[d];
      b += flat % from->sizes[d] * strides_in(to)[d];
    }
    uint8_t *source = from->base + a * size, *target = to->base + b * size;
    if (!og_xe_inside(from->memory, source, size) || !og_xe_inside(to->memory, target, size))
      return og_xe_fault(t, i, "element %lld is outside of the memory", (long long)k);
    if (!og_xe_touch(t, i, from->memory, source, size, OG_XE_READ) ||
        !og_xe_touch(t, i, to->memory, target, size, OG_XE_WRITE))
      return NULL;
    memmove(target, source, size);
  }
  return i + 1;
}

static const struct og_xe_inst *dim(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  const struct og_xe_memref *m = i->sub ? ((struct og_xe_unranked *)(f + i->a))->memref : memref_at(f, i->a);
  int64_t at = og_xe_index(f, i->b);
  if (at < 0 || at >= m->rank)
    return og_xe_fault(t, i, "dimension %lld of a memref of rank %lld", (long long)at, (long long)m->rank);
  og_xe_set_index(f, i->to, m->sizes[at]);
  return i + 1;
}

static const struct og_xe_inst *pointer(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  og_xe_set_index(f, i->to, (int64_t)(uintptr_t)memref_at(f, i->a)->base);
  return i + 1;
}

static struct og_xe_inst *emit_simple(struct og_xe_decoder *d, struct og_mlir_op *op, og_xe_handler run) {
  struct og_xe_inst inst = {.run = run, .op = op};
  og_mlir_type type = op->operand_count
                          ? op->operands[op->row->id == OG_MLIR_OP_GPU_DEALLOC ? op->segments[0] : 0]->type
                          : op->results[0].type;
  if (type->kind == OG_MLIR_MEMREF)
    og_xe_scalar(type, &inst.type);
  uint32_t first = op->row->id == OG_MLIR_OP_GPU_DEALLOC || op->row->id == OG_MLIR_OP_GPU_MEMCPY ? op->segments[0] : 0;
  inst.a = op->operand_count > first ? og_xe_place(d, op->operands[first]) : 0;
  inst.b = op->operand_count > first + 1 ? og_xe_place(d, op->operands[first + 1]) : 0;
  inst.to = op->result_count ? og_xe_place(d, &op->results[0]) : 0;
  struct og_xe_inst *at = og_xe_emit(d, op, run);
  *at = inst;
  return at;
}

static uint32_t *dynamic_places(struct og_xe_decoder *d, struct og_mlir_op *op, const char *group) {
  uint32_t count;
  struct og_mlir_value **values = og_mlir_group(op, group, &count);
  uint32_t *places = OG_NEW_ARRAY(d->m->arena, uint32_t, OG_MAX(count, OG_MLIR_RANK_MOST + 0u) + 1);
  for (uint32_t k = 0; k < count; k++)
    places[k] = og_xe_place(d, values[k]);
  return places;
}

static bool decode_allocation(struct og_xe_decoder *d, struct og_mlir_op *op) {
  const uint32_t *places = dynamic_places(d, op, "dynamicSizes");
  uint8_t type;
  if (!og_xe_scalar(op->results[0].type, &type))
    return og_xe_refuse(d, op, "memory of this type is not executed");
  uint32_t to = og_xe_place(d, &op->results[0]);
  struct og_xe_inst *inst = og_xe_emit(d, op, allocate);
  inst->to = to;
  inst->type = type;
  inst->sub = is_shared(op->results[0].type);
  inst->data = places;
  return true;
}

static bool decode_view(struct og_xe_decoder *d, struct og_mlir_op *op, og_xe_handler run) {
  struct view *v = OG_NEW(d->m->arena, struct view);
  if (!og_xe_read_numbers(d, op, "static_offsets", "offsets", &v->offsets) ||
      !og_xe_read_numbers(d, op, "static_sizes", "sizes", &v->sizes) ||
      !og_xe_read_numbers(d, op, "static_strides", "strides", &v->strides) || v->sizes.count != v->strides.count)
    return og_xe_refuse(d, op, "its lists do not fit");
  emit_simple(d, op, run)->data = v;
  return true;
}

bool og_xe_decode_memory(struct og_xe_decoder *d, struct og_mlir_op *op, bool *known) {
  *known = true;
  switch (op->row->id) {
  case OG_MLIR_OP_ALLOCATE:
  case OG_MLIR_OP_ALLOCA:
  case OG_MLIR_OP_GPU_ALLOC: return decode_allocation(d, op);
  case OG_MLIR_OP_DEALLOC:
  case OG_MLIR_OP_GPU_DEALLOC:
    emit_simple(d, op, release)->sub = op->operands[op->operand_count - 1]->type->kind == OG_MLIR_MEMREF &&
                                       is_shared(op->operands[op->operand_count - 1]->type);
    return true;
  case OG_MLIR_OP_LOAD:
  case OG_MLIR_OP_VECTOR_LOAD: return decode_access(d, op, false);
  case OG_MLIR_OP_STORE:
  case OG_MLIR_OP_VECTOR_STORE: return decode_access(d, op, true);
  case OG_MLIR_OP_TRANSFER_READ:
  case OG_MLIR_OP_TRANSFER_WRITE: return decode_transfer(d, op);
  case OG_MLIR_OP_MEMREF_CAST:
  case OG_MLIR_OP_MEMORY_SPACE_CAST: emit_simple(d, op, cast); return true;
  case OG_MLIR_OP_COPY:
    if (op->operands[0]->type->kind != OG_MLIR_MEMREF || op->operands[1]->type->kind != OG_MLIR_MEMREF)
      return og_xe_refuse(d, op, "unranked memrefs are not copied");
    emit_simple(d, op, copy);
    return true;
  case OG_MLIR_OP_GPU_MEMCPY: {
    struct og_xe_inst *inst = emit_simple(d, op, copy);
    uint32_t to = inst->a;
    inst->a = inst->b, inst->b = to;
    og_xe_scalar(op->operands[op->operand_count - 1]->type, &inst->type);
    return true;
  }
  case OG_MLIR_OP_DIM:
    emit_simple(d, op, dim)->sub = op->operands[0]->type->kind == OG_MLIR_UNRANKED_MEMREF;
    return true;
  case OG_MLIR_OP_POINTER:
    if (op->operands[0]->type->kind != OG_MLIR_MEMREF)
      return og_xe_refuse(d, op, "unranked memrefs have no pointer here");
    emit_simple(d, op, pointer);
    return true;
  case OG_MLIR_OP_GET_GLOBAL:
    emit_simple(d, op, get_global)->data = og_mlir_symbol(op, og_mlir_find(op, "name"));
    return true;
  case OG_MLIR_OP_SUBVIEW: return decode_view(d, op, subview);
  case OG_MLIR_OP_REINTERPRET_CAST: return decode_view(d, op, reinterpret);
  case OG_MLIR_OP_VIEW: {
    const uint32_t *places = dynamic_places(d, op, "sizes");
    emit_simple(d, op, byte_view)->data = places;
    return true;
  }
  default: return !(*known = false);
  }
}
