/* print_attributes.c - attributes as LLVM 22 writes them. */
#include "ir/printer.h"

static void put_memory(struct og_ir_printer *p, uint64_t value) {
  enum { OTHER = 3 };
  static const struct {
    const char *word;
    unsigned place;
  } places[] = {
      {"argmem: ", 0}, {"inaccessiblemem: ", 1}, {"errnomem: ", 2}, {"target_mem0: ", 4}, {"target_mem1: ", 5}};
  unsigned other = value >> OTHER * 2 & 3, all = 0;
  for (unsigned place = 0; place <= 5; place++)
    all |= value >> place * 2 & 3;
  bool first = true;
  if (other || all == other) {
    og_ir_put_word(p, OG_IR_W_ACCESS, other);
    first = false;
  }
  for (size_t i = 0; i < OG_COUNT(places); i++) {
    unsigned access = value >> places[i].place * 2 & 3;
    if (access == other)
      continue;
    og_ir_put(p, first ? "" : ", ");
    og_ir_put(p, places[i].word);
    og_ir_put_word(p, OG_IR_W_ACCESS, access);
    first = false;
  }
}

static void put_captured(struct og_ir_printer *p, unsigned bits) {
  if (!bits) {
    og_ir_put(p, "none");
    return;
  }
  unsigned address = bits & 3, provenance = bits & 12;
  og_ir_put(p, address == 1 ? "address_is_null" : address ? "address" : "");
  og_ir_put(p, address && provenance ? ", " : "");
  og_ir_put(p, provenance == 4 ? "read_provenance" : provenance ? "provenance" : "");
}

static void put_captures(struct og_ir_printer *p, unsigned other, unsigned result) {
  if (other || other == result)
    put_captured(p, other);
  if (other != result) {
    og_ir_put(p, other ? ", ret: " : "ret: ");
    put_captured(p, result);
  }
}

/* Writes the words for bits in the value: larger ones first, and each bit once. */
static void put_bits(struct og_ir_printer *p, enum og_ir_words class, uint64_t value, const char *between) {
  bool first = true;
  uint64_t bits;
  const char *word;
  for (unsigned i = 0; value && (word = og_ir_word_at(class, i, &bits)); i++)
    if ((value & bits) == bits) {
      og_ir_put(p, first ? "" : between);
      og_ir_put(p, word);
      value &= ~bits;
      first = false;
    }
}

static void put_ranges(struct og_ir_printer *p, const struct og_ir_attribute *a, bool one) {
  for (uint32_t i = 0; i + 1 < a->parts; i += 2) {
    og_ir_put(p, i ? ", " : "");
    og_ir_put(p, one ? "" : "(");
    og_ir_put_constant(p, p->m->pool.items[a->first + i]);
    og_ir_put(p, ", ");
    og_ir_put_constant(p, p->m->pool.items[a->first + i + 1]);
    og_ir_put(p, one ? "" : ")");
  }
}

static void put_pair(struct og_ir_printer *p, const struct og_ir_attribute *a) {
  uint32_t first = (uint32_t)(a->value >> 32), second = (uint32_t)a->value;
  og_ir_put_number(p, first);
  if (a->kind == OG_IR_A_VSCALE_RANGE || second != UINT32_MAX) {
    og_ir_put(p, ",");
    og_ir_put_number(p, second);
  }
}

void og_ir_put_attribute(struct og_ir_printer *p, uint32_t attribute, bool group) {
  const struct og_ir_attribute *a = &p->m->attributes.items[attribute];
  const uint32_t *parts = p->m->pool.items + a->first;
  if (a->kind == OG_IR_A_STRING) {
    og_ir_put_string(p, p->m->names.items[parts[0]]);
    if (p->m->names.items[parts[1]].size) {
      og_ir_put(p, "=");
      og_ir_put_string(p, p->m->names.items[parts[1]]);
    }
    return;
  }
  const struct og_ir_attribute_row *row = &og_ir_attributes[a->kind];
  og_ir_put(p, row->text);
  if (row->value == OG_IR_AV_NONE || (row->value == OG_IR_AV_UWTABLE && a->value == 2))
    return;
  bool bare = a->kind == OG_IR_A_ALIGN, equals = group && row->value == OG_IR_AV_ALIGNMENT;
  og_ir_put(p, equals ? "=" : bare ? " " : "(");
  switch (row->value) {
  case OG_IR_AV_TYPE: og_ir_put_type(p, a->type); break;
  case OG_IR_AV_PAIR: put_pair(p, a); break;
  case OG_IR_AV_ALLOCKIND:
    og_ir_put(p, "\"");
    put_bits(p, OG_IR_W_ALLOCKIND, a->value, ",");
    og_ir_put(p, "\"");
    break;
  case OG_IR_AV_CAPTURES: put_captures(p, (unsigned)a->value >> 4, a->value & 15); break;
  case OG_IR_AV_MEMORY: put_memory(p, a->value); break;
  case OG_IR_AV_FPCLASS: put_bits(p, OG_IR_W_FPCLASS, a->value, " "); break;
  case OG_IR_AV_UWTABLE: og_ir_put(p, "sync"); break;
  case OG_IR_AV_RANGE:
    og_ir_put_type(p, a->type);
    og_ir_put(p, " ");
    put_ranges(p, a, true);
    break;
  case OG_IR_AV_RANGES: put_ranges(p, a, false); break;
  default: og_ir_put_number(p, a->value); break;
  }
  og_ir_put(p, equals || bare ? "" : ")");
}

void og_ir_put_set(struct og_ir_printer *p, uint32_t set, bool group) {
  const struct og_ir_set *s = &p->m->sets.items[set];
  for (uint32_t i = 0; i < s->count; i++) {
    og_ir_put(p, i ? " " : "");
    og_ir_put_attribute(p, p->m->pool.items[s->first + i], group);
  }
}
