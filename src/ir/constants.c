/* constants.c - constants, attributes and metadata, each of which a module holds only once. */
#include "ir/ir.h"

#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0xff51afd7ed558ccdu;
  return hash ^ hash >> 32;
}

/* ---- constants ---- */

struct candidate {
  const struct og_ir_module *m;
  const struct og_ir_constant *constant;
  const uint32_t *parts;
};

static uint64_t hash_constant(const struct og_ir_constant *c, const uint32_t *parts) {
  uint64_t hash =
      mix(c->kind | (uint64_t)c->opcode << 8 | (uint64_t)c->flags << 16 | (uint64_t)c->type << 32, c->value);
  for (uint32_t i = 0; i < c->parts && c->kind != OG_IR_C_BYTES; i++)
    hash = mix(hash, parts[i]);
  return hash;
}

static uint64_t constant_hash(const void *context, uint32_t number) {
  const struct og_ir_module *m = ((const struct candidate *)context)->m;
  const struct og_ir_constant *c = &m->constants.items[number];
  return hash_constant(c, m->pool.items + c->first);
}

static bool constant_equal(const void *context, uint32_t number) {
  const struct candidate *candidate = context;
  const struct og_ir_constant *a = candidate->constant, *b = &candidate->m->constants.items[number];
  return a->kind == b->kind && a->opcode == b->opcode && a->flags == b->flags && a->type == b->type &&
         a->value == b->value && a->parts == b->parts &&
         memcmp(candidate->parts, candidate->m->pool.items + b->first, a->parts * sizeof *candidate->parts) == 0;
}

og_ir_ref og_ir_constant(struct og_ir_module *m, struct og_ir_constant constant, const uint32_t *parts) {
  static const uint32_t none;
  struct candidate candidate = {m, &constant, parts ? parts : &none};
  uint32_t next = m->constants.count;
  uint32_t number = og_ir_intern(m->arena, &m->constant_index, hash_constant(&constant, candidate.parts), next,
                                 constant_equal, constant_hash, &candidate);
  if (number == next) {
    constant.first = constant.parts ? og_ir_pool_list(m, parts, constant.parts) : 0;
    *OG_PUSH(m->arena, &m->constants) = constant;
  }
  return OG_IR_CONSTANT | number;
}

og_ir_ref og_ir_number(struct og_ir_module *m, og_ir_type type, uint64_t value) {
  return og_ir_constant(m, (struct og_ir_constant){.kind = OG_IR_C_NUMBER, .type = type, .value = value}, NULL);
}

og_ir_ref og_ir_wide(struct og_ir_module *m, og_ir_type type, uint32_t *words, uint32_t count) {
  const struct og_ir_type_record *r = &m->types.items[type];
  uint32_t bits = r->kind == OG_IR_INTEGER ? (uint32_t)r->count : og_ir_float_bits(r->kind), needs = (bits + 31) / 32;
  uint32_t few[4] = {0}, *all = needs <= 4 ? few : OG_NEW_ARRAY(m->arena, uint32_t, needs);
  memcpy(all, words, OG_MIN(count, needs) * sizeof *all);
  if (bits % 32)
    all[needs - 1] &= (1u << bits % 32) - 1;
  if (bits <= 64)
    return og_ir_number(m, type, all[0] | (needs > 1 ? (uint64_t)all[1] << 32 : 0));
  return og_ir_constant(m, (struct og_ir_constant){.kind = OG_IR_C_WIDE, .type = type, .parts = needs}, all);
}

og_ir_ref og_ir_zero(struct og_ir_module *m, og_ir_type type) {
  uint8_t kind = og_ir_kind(m, type);
  uint32_t none[4] = {0};
  if (kind == OG_IR_INTEGER && og_ir_type_of(m, type)->count > 64)
    return og_ir_wide(m, type, none, 0);
  if (kind == OG_IR_INTEGER || og_ir_is_float(m, type))
    return og_ir_wide(m, type, none, 4);
  return og_ir_constant(m, (struct og_ir_constant){.kind = OG_IR_C_ZERO, .type = type}, NULL);
}

static bool is_zero(const struct og_ir_module *m, og_ir_ref ref) {
  const struct og_ir_constant *c = og_ir_constant_of(m, ref);
  if (c->kind == OG_IR_C_WIDE)
    for (uint32_t i = 0; i < c->parts; i++)
      if (m->pool.items[c->first + i])
        return false;
  return c->kind == OG_IR_C_WIDE || c->kind == OG_IR_C_ZERO || (c->kind == OG_IR_C_NUMBER && !c->value);
}

og_ir_ref og_ir_aggregate(struct og_ir_module *m, og_ir_type type, const og_ir_ref *parts, uint32_t count) {
  bool same = true, zero = true, undefined = count > 0, poison = count > 0;
  for (uint32_t i = 0; i < count; i++) {
    const struct og_ir_constant *c = og_ir_constant_of(m, parts[i]);
    same &= parts[i] == parts[0];
    zero &= is_zero(m, parts[i]);
    undefined &= c->kind == OG_IR_C_UNDEF;
    poison &= c->kind == OG_IR_C_POISON;
  }
  if (zero || undefined || poison) {
    uint8_t kind = zero ? OG_IR_C_ZERO : poison ? OG_IR_C_POISON : OG_IR_C_UNDEF;
    return og_ir_constant(m, (struct og_ir_constant){.kind = kind, .type = type}, NULL);
  }
  const struct og_ir_constant *first = og_ir_constant_of(m, parts[0]);
  bool number = first->kind == OG_IR_C_NUMBER || first->kind == OG_IR_C_WIDE;
  if (og_ir_is_vector(m, type) && same && number)
    return og_ir_constant(m, (struct og_ir_constant){.kind = OG_IR_C_SPLAT, .type = type, .parts = 1}, parts);
  return og_ir_constant(m, (struct og_ir_constant){.kind = OG_IR_C_AGGREGATE, .type = type, .parts = count}, parts);
}

/* Not uniqued: two equal texts are two constants. */
og_ir_ref og_ir_bytes(struct og_ir_module *m, og_ir_type type, struct og_text bytes) {
  size_t zeros = 0;
  while (zeros < bytes.size && !bytes.data[zeros])
    zeros++;
  if (zeros == bytes.size)
    return og_ir_zero(m, type);
  struct og_ir_constant constant = {.kind = OG_IR_C_BYTES, .type = type, .value = og_ir_name(m, bytes)};
  *OG_PUSH(m->arena, &m->constants) = constant;
  return OG_IR_CONSTANT | (m->constants.count - 1);
}

struct og_ir_global *og_ir_global_of(const struct og_ir_module *m, og_ir_ref ref) {
  if (og_ir_space(ref) != OG_IR_CONSTANT || m->constants.items[og_ir_index(ref)].kind != OG_IR_C_GLOBAL)
    return NULL;
  return &m->globals.items[m->constants.items[og_ir_index(ref)].value];
}

og_ir_ref og_ir_new_global(struct og_ir_module *m, uint32_t name, uint32_t address_space) {
  og_ir_type type = og_ir_pointer(m, address_space);
  og_ir_ref self = OG_IR_CONSTANT | m->constants.count;
  *OG_PUSH(m->arena, &m->constants) =
      (struct og_ir_constant){.kind = OG_IR_C_GLOBAL, .type = type, .value = m->globals.count};
  *OG_PUSH(m->arena, &m->globals) =
      (struct og_ir_global){.name = name, .address_space = address_space, .self = self, .value = OG_IR_NONE};
  return self;
}

/* ---- attributes ---- */

struct attribute_candidate {
  const struct og_ir_module *m;
  const struct og_ir_attribute *attribute;
  const uint32_t *parts;
};

static struct og_text string_of(const struct og_ir_module *m, const struct og_ir_attribute *a, const uint32_t *parts,
                                uint32_t index) {
  return a->kind == OG_IR_A_STRING && index < a->parts ? m->names.items[parts[index]] : (struct og_text){0};
}

static uint64_t hash_attribute(const struct og_ir_module *m, const struct og_ir_attribute *a, const uint32_t *parts) {
  uint64_t hash = mix(a->kind | (uint64_t)a->type << 32, a->value);
  for (uint32_t i = 0; i < a->parts; i++) {
    struct og_text text = string_of(m, a, parts, i);
    hash = mix(hash, a->kind == OG_IR_A_STRING ? og_hash(text.data, text.size) : parts[i]);
  }
  return hash;
}

static uint64_t attribute_hash(const void *context, uint32_t number) {
  const struct og_ir_module *m = ((const struct attribute_candidate *)context)->m;
  const struct og_ir_attribute *a = &m->attributes.items[number];
  return hash_attribute(m, a, m->pool.items + a->first);
}

static bool attribute_equal(const void *context, uint32_t number) {
  const struct attribute_candidate *candidate = context;
  const struct og_ir_module *m = candidate->m;
  const struct og_ir_attribute *a = candidate->attribute, *b = &m->attributes.items[number];
  const uint32_t *theirs = m->pool.items + b->first;
  if (a->kind != b->kind || a->type != b->type || a->value != b->value || a->parts != b->parts)
    return false;
  for (uint32_t i = 0; i < a->parts; i++)
    if (a->kind == OG_IR_A_STRING
            ? !og_text_equal(string_of(m, a, candidate->parts, i), string_of(m, b, theirs, i))
            : candidate->parts[i] != theirs[i])
      return false;
  return true;
}

uint32_t og_ir_attribute(struct og_ir_module *m, struct og_ir_attribute attribute, const uint32_t *parts) {
  struct attribute_candidate candidate = {m, &attribute, parts};
  uint32_t next = m->attributes.count;
  uint32_t number = og_ir_intern(m->arena, &m->attribute_index, hash_attribute(m, &attribute, parts), next,
                                 attribute_equal, attribute_hash, &candidate);
  if (number == next) {
    attribute.first = attribute.parts ? og_ir_pool_list(m, parts, attribute.parts) : 0;
    *OG_PUSH(m->arena, &m->attributes) = attribute;
  }
  return number;
}

static int compare_attributes(const struct og_ir_module *m, uint32_t a, uint32_t b) {
  const struct og_ir_attribute *x = &m->attributes.items[a], *y = &m->attributes.items[b];
  if (x->kind != y->kind || x->kind != OG_IR_A_STRING)
    return (int)x->kind - (int)y->kind;
  struct og_text s = string_of(m, x, m->pool.items + x->first, 0), t = string_of(m, y, m->pool.items + y->first, 0);
  size_t size = OG_MIN(s.size, t.size);
  int order = size ? memcmp(s.data, t.data, size) : 0;
  return order ? order : (s.size > t.size) - (s.size < t.size);
}

/* Sorts attributes; of two of the same kind the later one stays. Sets are short. */
static uint32_t sort_attributes(const struct og_ir_module *m, uint32_t *attributes, uint32_t count) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t attribute = attributes[i], at = kept;
    while (at && compare_attributes(m, attributes[at - 1], attribute) > 0)
      at--;
    if (at && compare_attributes(m, attributes[at - 1], attribute) == 0) {
      attributes[at - 1] = attribute;
      continue;
    }
    memmove(attributes + at + 1, attributes + at, (kept - at) * sizeof *attributes);
    attributes[at] = attribute;
    kept++;
  }
  return kept;
}

struct set_candidate {
  const struct og_ir_module *m;
  const uint32_t *items;
  uint32_t count;
};

static uint64_t set_hash(const void *context, uint32_t number) {
  const struct og_ir_module *m = ((const struct set_candidate *)context)->m;
  return og_hash(m->pool.items + m->sets.items[number].first, m->sets.items[number].count * sizeof(uint32_t));
}

static bool set_equal(const void *context, uint32_t number) {
  const struct set_candidate *c = context;
  const struct og_ir_set *set = &c->m->sets.items[number];
  return set->count == c->count && memcmp(c->m->pool.items + set->first, c->items, c->count * sizeof *c->items) == 0;
}

uint32_t og_ir_set(struct og_ir_module *m, uint32_t *attributes, uint32_t count) {
  count = sort_attributes(m, attributes, count);
  if (!count)
    return 0;
  struct set_candidate candidate = {m, attributes, count};
  uint32_t next = m->sets.count;
  uint32_t number = og_ir_intern(m->arena, &m->set_index, og_hash(attributes, count * sizeof *attributes), next,
                                 set_equal, set_hash, &candidate);
  if (number == next)
    *OG_PUSH(m->arena, &m->sets) = (struct og_ir_set){og_ir_pool_list(m, attributes, count), count};
  return number;
}

/* ---- metadata ---- */

uint32_t og_ir_metadata_new(struct og_ir_module *m, enum og_ir_metadata_kind kind) {
  OG_PUSH(m->arena, &m->metadata)->kind = (uint8_t)kind;
  return m->metadata.count - 1;
}

uint32_t og_ir_metadata_string(struct og_ir_module *m, struct og_text text) {
  void **slot = og_map_at(m->arena, &m->string_index, text);
  if (!*slot) {
    uint32_t node = og_ir_metadata_new(m, OG_IR_M_STRING);
    m->metadata.items[node].first = og_ir_name(m, text);
    *slot = (void *)(uintptr_t)(node + 1);
  }
  return (uint32_t)(uintptr_t)*slot - 1;
}

uint32_t og_ir_metadata_value(struct og_ir_module *m, og_ir_ref constant) {
  uint32_t index = og_ir_index(constant);
  while (m->value_index.count <= index)
    OG_PUSH(m->arena, &m->value_index);
  if (!m->value_index.items[index]) {
    uint32_t node = og_ir_metadata_new(m, OG_IR_M_VALUE);
    m->metadata.items[node].first = constant;
    m->value_index.items[index] = node + 1;
  }
  return m->value_index.items[index] - 1;
}

void og_ir_metadata_fields(struct og_ir_module *m, uint32_t node, enum og_ir_metadata_kind kind, const uint64_t *values,
                           uint32_t count) {
  uint32_t first = m->fields.count;
  OG_IR_RESERVE(m->arena, &m->fields, count);
  m->fields.count += count;
  if (count)
    memcpy(m->fields.items + first, values, count * sizeof *values);
  m->metadata.items[node].kind = (uint8_t)kind;
  m->metadata.items[node].first = first;
  m->metadata.items[node].parts = count;
}

/* Uniqued, since most are written inline in many places. */
uint32_t og_ir_metadata_expression(struct og_ir_module *m, const uint64_t *elements, uint32_t count) {
  struct og_text key = {(const char *)elements, count * sizeof *elements};
  uint32_t known = (uint32_t)(uintptr_t)og_map_get(&m->expression_index, key);
  if (known)
    return known - 1;
  uint32_t node = og_ir_metadata_new(m, OG_IR_M_EXPRESSION);
  og_ir_metadata_fields(m, node, OG_IR_M_EXPRESSION, elements, count);
  key.data = og_arena_copy(m->arena, key.data, key.size);
  *og_map_at(m->arena, &m->expression_index, key) = (void *)(uintptr_t)(node + 1);
  return node;
}

static uint32_t find_or_add(struct og_ir_module *m, void *list, struct og_text text) {
  OG_VECTOR(struct og_text) *texts = list;
  for (uint32_t i = 0; i < texts->count; i++)
    if (og_text_equal(texts->items[i], text))
      return i;
  *OG_PUSH(m->arena, texts) = text;
  return texts->count - 1;
}

uint32_t og_ir_metadata_kind(struct og_ir_module *m, struct og_text name) { return find_or_add(m, &m->kinds, name); }
uint32_t og_ir_scope(struct og_ir_module *m, struct og_text name) { return find_or_add(m, &m->scopes, name); }
