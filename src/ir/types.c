/* types.c - types, interned: equal types are equal numbers. */
#include "ir/ir.h"

#include <string.h>

static void grow(struct og_arena *arena, struct og_ir_interned *index,
                 uint64_t (*hash_of)(const void *context, uint32_t number), const void *context) {
  struct og_ir_interned old = *index;
  index->capacity = old.capacity ? old.capacity * 2 : 64;
  index->slots = OG_NEW_ARRAY(arena, uint32_t, index->capacity);
  for (uint32_t i = 0; i < old.capacity; i++)
    if (old.slots[i]) {
      uint32_t at = (uint32_t)hash_of(context, old.slots[i] - 1) & (index->capacity - 1);
      while (index->slots[at])
        at = (at + 1) & (index->capacity - 1);
      index->slots[at] = old.slots[i];
    }
}

uint32_t og_ir_intern(struct og_arena *arena, struct og_ir_interned *index, uint64_t hash, uint32_t next,
                      bool (*equal)(const void *context, uint32_t number), uint64_t (*hash_of)(const void *, uint32_t),
                      const void *context) {
  if ((index->count + 1) * 2 > index->capacity)
    grow(arena, index, hash_of, context);
  uint32_t at = (uint32_t)hash & (index->capacity - 1);
  for (; index->slots[at]; at = (at + 1) & (index->capacity - 1))
    if (equal(context, index->slots[at] - 1))
      return index->slots[at] - 1;
  index->slots[at] = next + 1;
  index->count++;
  return next;
}

/* ---- interning: a candidate, and where its parts stand while it is no type yet ---- */

struct candidate {
  struct og_ir_module *m;
  struct og_ir_type_record record;
  const uint32_t *parts, *numbers;
  uint32_t number_count;
};

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0xff51afd7ed558ccdu;
  return hash ^ hash >> 32;
}

static uint64_t hash_record(const struct og_ir_type_record *r, const uint32_t *parts) {
  uint64_t hash = mix(r->kind | (uint64_t)r->packed << 8 | (uint64_t)r->variadic << 9, r->parts);
  hash = mix(hash, r->kind == OG_IR_TARGET ? (uint32_t)r->count : r->count);
  for (uint32_t i = 0; i < r->parts; i++)
    hash = mix(hash, parts[i]);
  return hash;
}

static uint64_t hash_of(const void *context, uint32_t number) {
  const struct og_ir_module *m = ((const struct candidate *)context)->m;
  const struct og_ir_type_record *r = &m->types.items[number];
  return hash_record(r, m->pool.items + r->first);
}

static bool equal(const void *context, uint32_t number) {
  const struct candidate *c = context;
  const struct og_ir_module *m = c->m;
  const struct og_ir_type_record *a = &c->record, *b = &m->types.items[number];
  if (a->kind != b->kind || a->packed != b->packed || a->variadic != b->variadic || a->parts != b->parts ||
      memcmp(c->parts, m->pool.items + b->first, a->parts * sizeof *c->parts) != 0)
    return false;
  if (a->kind != OG_IR_TARGET)
    return a->count == b->count;
  return (uint32_t)a->count == (uint32_t)b->count && og_text_equal(m->names.items[a->name], m->names.items[b->name]) &&
         memcmp(c->numbers, m->pool.items + (b->count >> 32), c->number_count * sizeof *c->numbers) == 0;
}

static og_ir_type intern(struct candidate *c) {
  static const uint32_t none;
  struct og_ir_module *m = c->m;
  c->parts = c->parts ? c->parts : &none;
  c->numbers = c->numbers ? c->numbers : &none;
  uint32_t next = m->types.count;
  uint32_t type = og_ir_intern(m->arena, &m->type_index, hash_record(&c->record, c->parts), next, equal, hash_of, c);
  if (type != next)
    return type;
  c->record.first = og_ir_pool_list(m, c->parts, c->record.parts);
  if (c->record.kind == OG_IR_TARGET)
    c->record.count |= (uint64_t)og_ir_pool_list(m, c->numbers, c->number_count) << 32;
  *OG_PUSH(m->arena, &m->types) = c->record;
  return type;
}

og_ir_type og_ir_integer(struct og_ir_module *m, uint32_t bits) {
  return intern(&(struct candidate){.m = m, .record = {.kind = OG_IR_INTEGER, .count = bits}});
}

og_ir_type og_ir_pointer(struct og_ir_module *m, uint32_t address_space) {
  return intern(&(struct candidate){.m = m, .record = {.kind = OG_IR_POINTER, .count = address_space}});
}

og_ir_type og_ir_sequence(struct og_ir_module *m, enum og_ir_type_kind kind, og_ir_type element, uint64_t count) {
  return intern(
      &(struct candidate){.m = m, .record = {.kind = (uint8_t)kind, .parts = 1, .count = count}, .parts = &element});
}

og_ir_type og_ir_struct(struct og_ir_module *m, const og_ir_type *elements, uint32_t count, bool packed) {
  return intern(&(struct candidate){
      .m = m, .record = {.kind = OG_IR_STRUCT, .packed = packed, .parts = count}, .parts = elements});
}

og_ir_type og_ir_function_type(struct og_ir_module *m, og_ir_type result, const og_ir_type *parameters, uint32_t count,
                               bool variadic) {
  uint32_t few[16], *parts = count < 16 ? few : OG_NEW_ARRAY(m->arena, uint32_t, (size_t)count + 1);
  parts[0] = result;
  if (count)
    memcpy(parts + 1, parameters, count * sizeof *parts);
  return intern(&(struct candidate){
      .m = m, .record = {.kind = OG_IR_FUNCTION, .variadic = variadic, .parts = count + 1}, .parts = parts});
}

og_ir_type og_ir_target_type(struct og_ir_module *m, struct og_text name, const og_ir_type *types, uint32_t type_count,
                             const uint32_t *numbers, uint32_t number_count) {
  struct og_ir_type_record record = {.kind = OG_IR_TARGET, .parts = type_count, .count = number_count};
  record.name = og_ir_name(m, name);
  return intern(&(struct candidate){
      .m = m, .record = record, .parts = types, .numbers = numbers, .number_count = number_count});
}

/* Identified structs are not interned: each is a type of its own. */
og_ir_type og_ir_identified(struct og_ir_module *m, uint32_t name) {
  struct og_ir_type_record record = {.kind = OG_IR_STRUCT, .identified = true, .opaque = true, .name = name};
  *OG_PUSH(m->arena, &m->types) = record;
  return m->types.count - 1;
}

void og_ir_set_body(struct og_ir_module *m, og_ir_type type, const og_ir_type *elements, uint32_t count, bool packed) {
  uint32_t first = og_ir_pool_list(m, elements, count);
  struct og_ir_type_record *r = &m->types.items[type];
  r->opaque = false;
  r->packed = packed;
  r->first = first;
  r->parts = count;
}

/* ---- questions ---- */

bool og_ir_is_vector(const struct og_ir_module *m, og_ir_type type) {
  return og_ir_kind(m, type) == OG_IR_VECTOR || og_ir_kind(m, type) == OG_IR_SCALABLE;
}

og_ir_type og_ir_scalar(const struct og_ir_module *m, og_ir_type type) {
  return og_ir_is_vector(m, type) ? og_ir_part(m, type, 0) : type;
}

bool og_ir_is_float(const struct og_ir_module *m, og_ir_type type) {
  return og_ir_kind(m, type) >= OG_IR_HALF && og_ir_kind(m, type) <= OG_IR_PPC_FP128;
}

unsigned og_ir_float_bits(uint8_t kind) {
  static const uint8_t bits[] = {
      [OG_IR_HALF] = 16,     [OG_IR_BFLOAT] = 16, [OG_IR_FLOAT] = 32,     [OG_IR_DOUBLE] = 64,
      [OG_IR_X86_FP80] = 80, [OG_IR_FP128] = 128, [OG_IR_PPC_FP128] = 128};
  return kind < OG_COUNT(bits) ? bits[kind] : 0;
}

bool og_ir_is_sized(const struct og_ir_module *m, og_ir_type type) {
  for (;;) { /* no struct within it is still open; their sizes are checked when they get bodies */
    const struct og_ir_type_record *r = &m->types.items[type];
    if (r->kind == OG_IR_ARRAY)
      type = og_ir_part(m, type, 0);
    else
      return r->kind >= OG_IR_HALF ? r->kind != OG_IR_FUNCTION && !(r->kind == OG_IR_STRUCT && r->opaque)
                                   : r->kind == OG_IR_X86_AMX;
  }
}

og_ir_type og_ir_with_scalar(struct og_ir_module *m, og_ir_type like, og_ir_type scalar) {
  const struct og_ir_type_record *r = &m->types.items[like];
  return og_ir_is_vector(m, like) ? og_ir_sequence(m, r->kind, scalar, r->count) : scalar;
}

og_ir_type og_ir_element(const struct og_ir_module *m, og_ir_type type, uint64_t index) {
  const struct og_ir_type_record *r = &m->types.items[type];
  if (r->kind == OG_IR_STRUCT)
    return index < r->parts ? m->pool.items[r->first + index] : OG_IR_NONE;
  return r->kind == OG_IR_ARRAY || og_ir_is_vector(m, type) ? m->pool.items[r->first] : OG_IR_NONE;
}
