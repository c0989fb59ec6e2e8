/* types.c - sizes and alignments in amdgcn's data layout, and the number of 32-bit parts of a value. */
#include "cc/machine.h"

unsigned cc_bits(const struct og_ir_module *m, og_ir_type type) {
  const struct og_ir_type_record *t = og_ir_type_of(m, type);
  switch (t->kind) {
  case OG_IR_HALF:
  case OG_IR_BFLOAT: return 16;
  case OG_IR_FLOAT: return 32;
  case OG_IR_DOUBLE: return 64;
  case OG_IR_INTEGER: return (unsigned)t->count;
  case OG_IR_POINTER:
    return t->count == 2 || t->count == 3 || t->count == 5 || t->count == 6 ? 32
           : t->count == 7                                                  ? 160
           : t->count == 8                                                  ? 128
           : t->count == 9                                                  ? 192
                                                                            : 64;
  default: return 0;
  }
}

uint64_t cc_store_size(const struct og_ir_module *m, og_ir_type type) {
  const struct og_ir_type_record *t = og_ir_type_of(m, type);
  switch (t->kind) {
  case OG_IR_VECTOR: return (t->count * cc_bits(m, og_ir_part(m, type, 0)) + 7) / 8;
  case OG_IR_ARRAY: return t->count * cc_size_of(m, og_ir_part(m, type, 0));
  case OG_IR_STRUCT: return og_align_up(cc_field_offset(m, type, t->parts), cc_align_of(m, type));
  case OG_IR_TARGET: return 16; /* a named barrier has no memory, but an address that says which it is */
  default: return (cc_bits(m, type) + 7) / 8;
  }
}

uint64_t cc_align_of(const struct og_ir_module *m, og_ir_type type) {
  const struct og_ir_type_record *t = og_ir_type_of(m, type);
  uint64_t most = 1, size = 1;
  switch (t->kind) {
  case OG_IR_ARRAY: return cc_align_of(m, og_ir_part(m, type, 0));
  case OG_IR_STRUCT:
    for (uint32_t i = 0; i < t->parts && !t->packed; i++)
      most = OG_MAX(most, cc_align_of(m, og_ir_part(m, type, i)));
    return most;
  default:
    while (size < cc_store_size(m, type))
      size *= 2;
    return t->kind == OG_IR_POINTER || t->kind == OG_IR_VECTOR ? size : OG_MIN(size, 16u);
  }
}

uint64_t cc_size_of(const struct og_ir_module *m, og_ir_type type) {
  return og_align_up(cc_store_size(m, type), cc_align_of(m, type));
}

uint64_t cc_field_offset(const struct og_ir_module *m, og_ir_type type, uint64_t index) {
  const struct og_ir_type_record *t = og_ir_type_of(m, type);
  uint64_t at = 0;
  for (uint32_t i = 0; i < t->parts && i <= index; i++) {
    og_ir_type part = og_ir_part(m, type, i);
    if (!t->packed)
      at = og_align_up(at, cc_align_of(m, part));
    if (i < index)
      at += cc_size_of(m, part);
  }
  return at;
}

uint32_t cc_parts(const struct og_ir_module *m, og_ir_type type) {
  const struct og_ir_type_record *t = og_ir_type_of(m, type);
  uint64_t count = 0;
  switch (t->kind) {
  case OG_IR_VOID: return 0;
  case OG_IR_VECTOR:
  case OG_IR_ARRAY: count = t->count * cc_parts(m, og_ir_part(m, type, 0)); break;
  case OG_IR_STRUCT:
    for (uint32_t i = 0; i < t->parts; i++)
      count += cc_parts(m, og_ir_part(m, type, i));
    break;
  default: count = (cc_bits(m, type) + 31) / 32;
  }
  return (uint32_t)OG_MIN(count, 1u << 20);
}

bool cc_parameter_type(const struct og_ir_module *m, uint32_t attributes, uint32_t parameter, unsigned kind,
                       og_ir_type *type) {
  const struct og_ir_set *set = attributes ? &m->sets.items[m->pool.items[attributes + 2 + parameter]] : NULL;
  for (uint32_t k = 0; set && k < set->count; k++) {
    const struct og_ir_attribute *a = &m->attributes.items[m->pool.items[set->first + k]];
    if (a->kind == kind) {
      *type = a->type;
      return true;
    }
  }
  return false;
}

struct og_text cc_attribute(const struct og_ir_module *m, const struct og_ir_function *f, const char *key) {
  if (!f->attributes)
    return (struct og_text){0};
  const struct og_ir_set *set = &m->sets.items[m->pool.items[f->attributes]];
  for (uint32_t i = 0; i < set->count; i++) {
    const struct og_ir_attribute *a = &m->attributes.items[m->pool.items[set->first + i]];
    if (a->kind == OG_IR_A_STRING && og_text_is(m->names.items[m->pool.items[a->first]], key))
      return m->names.items[m->pool.items[a->first + 1]];
  }
  return (struct og_text){0};
}

bool cc_has_attribute(const struct og_ir_module *m, const struct og_ir_function *f, unsigned kind) {
  const struct og_ir_set *set = f->attributes ? &m->sets.items[m->pool.items[f->attributes]] : NULL;
  for (uint32_t i = 0; set && i < set->count; i++)
    if (m->attributes.items[m->pool.items[set->first + i]].kind == kind)
      return true;
  return false;
}
