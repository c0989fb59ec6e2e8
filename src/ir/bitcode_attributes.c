/* bitcode_attributes.c - attribute groups and lists in bitcode. */
#include "ir/bitcode.h"

#include <string.h>

static uint32_t kind_of(uint64_t code) {
  for (uint32_t kind = 0; kind < OG_IR_A_STRING; kind++)
    if (og_ir_attributes[kind].code == code)
      return kind;
  return OG_IR_A_STRING;
}

struct list {
  OG_VECTOR(uint32_t) items;
  uint64_t memory; /* what older attributes say about memory */
  bool has_memory, reads, writes, none;
};

static void add(struct og_bc *b, struct list *list, struct og_ir_attribute a, const uint32_t *parts) {
  uint32_t number = og_ir_attribute(b->m, a, parts);
  *OG_PUSH(b->scratch, &list->items) = number;
}

/* Characters up to a zero. */
static struct og_text chars(struct og_bc *b, uint32_t *at) {
  uint32_t from = *at;
  while (*at < b->bits.record.count && og_bc_op(b, *at))
    ++*at;
  char *text = og_arena_alloc(b->arena, *at - from + 1);
  for (uint32_t i = from; i < *at; i++)
    text[i - from] = (char)og_bc_op(b, i);
  return (struct og_text){text, *at - from};
}

static bool plain(struct og_bc *b, struct list *list, uint64_t code, bool function) {
  static const struct {
    uint8_t kind;
    uint16_t places;
  } places[] = {
      {OG_IR_A_ARGMEMONLY, 3}, {OG_IR_A_INACCESSIBLEMEMONLY, 12}, {OG_IR_A_INACCESSIBLEMEM_OR_ARGMEMONLY, 15}};
  uint32_t kind = kind_of(code);
  if (kind == OG_IR_A_STRING)
    return og_bc_fail(b, "Unknown attribute kind (%u)", (unsigned)code);
  if (kind == OG_IR_A_NOCAPTURE)
    kind = OG_IR_A_CAPTURES;
  for (size_t i = 0; i < OG_COUNT(places); i++)
    if (kind == places[i].kind) {
      list->memory = places[i].places;
      list->has_memory = true;
      return true;
    }
  if (function && (kind == OG_IR_A_READNONE || kind == OG_IR_A_READONLY || kind == OG_IR_A_WRITEONLY)) {
    list->none |= kind == OG_IR_A_READNONE;
    list->reads |= kind == OG_IR_A_READONLY;
    list->writes |= kind == OG_IR_A_WRITEONLY;
    return true;
  }
  struct og_ir_attribute a = {.kind = kind};
  if (kind == OG_IR_A_UWTABLE)
    a.value = 2;
  add(b, list, a, NULL);
  return true;
}

/* Before LLVM 21 `memory` had three places; the last of them included errnomem. */
static uint64_t memory_value(uint64_t value) {
  uint64_t other = value >> 4 & 3;
  return value >> 56 ? value & 0xfff : (value & 15) | other * 0x550;
}

static bool with_number(struct og_bc *b, struct list *list, uint64_t code, uint64_t value) {
  struct og_ir_attribute a = {.kind = kind_of(code), .value = value};
  if (a.kind == OG_IR_A_STRING)
    return og_bc_fail(b, "Unknown attribute kind (%u)", (unsigned)code);
  if (a.kind == OG_IR_A_MEMORY)
    a.value = memory_value(value);
  if (og_ir_attributes[a.kind].value == OG_IR_AV_NONE)
    a.value = 0;
  add(b, list, a, NULL);
  return true;
}

/* Two bounds; wide ones as words. */
static bool range(struct og_bc *b, og_ir_type type, uint32_t bits, uint32_t *at, uint32_t *bounds) {
  if (bits > 64)
    return og_bc_fail(b, "ranges of more than 64 bits are not handled in bitcode");
  for (unsigned i = 0; i < 2; i++, ++*at) {
    uint64_t value = (uint64_t)og_bc_signed(og_bc_op(b, *at));
    bounds[i] = og_ir_number(b->m, type, bits == 64 ? value : value & (((uint64_t)1 << bits) - 1));
  }
  return true;
}

static bool ranges(struct og_bc *b, struct list *list, uint64_t form, uint32_t *at) {
  uint32_t kind = kind_of(og_bc_op(b, *at));
  uint64_t count = form == 8 ? og_bc_op(b, *at + 1) : 1, bits = og_bc_op(b, *at + (form == 8 ? 2 : 1));
  *at += form == 8 ? 3 : 2;
  if (kind == OG_IR_A_STRING || !bits || bits > OG_IR_MOST_BITS || count > b->bits.record.count)
    return og_bc_fail(b, "Invalid attribute group entry");
  struct og_ir_attribute a = {.kind = kind, .type = og_ir_integer(b->m, (uint32_t)bits), .parts = (uint32_t)count * 2};
  uint32_t *parts = OG_NEW_ARRAY(b->scratch, uint32_t, count * 2);
  for (uint64_t i = 0; i < count; i++)
    if (!range(b, a.type, (uint32_t)bits, at, parts + i * 2))
      return false;
  add(b, list, a, parts);
  return true;
}

static bool read_one(struct og_bc *b, struct list *list, uint32_t *at, bool function) {
  uint64_t form = og_bc_op(b, (*at)++);
  struct og_ir_attribute a = {.kind = OG_IR_A_STRING, .parts = 2};
  uint32_t parts[2] = {0};
  switch (form) {
  case 0: return plain(b, list, og_bc_op(b, (*at)++), function);
  case 1:
    *at += 2;
    return with_number(b, list, og_bc_op(b, *at - 2), og_bc_op(b, *at - 1));
  case 3:
  case 4:
    parts[0] = og_ir_name(b->m, chars(b, at));
    ++*at;
    if (form == 4) {
      parts[1] = og_ir_name(b->m, chars(b, at));
      ++*at;
    }
    add(b, list, a, parts);
    return true;
  case 5:
  case 6:
    a = (struct og_ir_attribute){.kind = kind_of(og_bc_op(b, (*at)++))};
    if (form == 6 && !og_bc_type(b, og_bc_op(b, (*at)++), &a.type))
      return false;
    if (a.kind == OG_IR_A_STRING || form == 5)
      return og_bc_fail(b, "an attribute of a type without the type is not handled");
    add(b, list, a, NULL);
    return true;
  case 7:
  case 8: return ranges(b, list, form, at);
  default: return og_bc_fail(b, "Invalid attribute group entry");
  }
}

bool og_bc_read_groups(struct og_bc *b) {
  uint32_t id;
  enum og_bit_entry entry;
  while ((entry = og_bits_next(&b->bits, &id)) == OG_BIT_RECORD) {
    if (b->bits.code != 3)
      continue;
    struct list list = {0};
    bool function = og_bc_op(b, 1) == UINT32_MAX;
    for (uint32_t at = 2; at < b->bits.record.count;)
      if (!read_one(b, &list, &at, function))
        return false;
    if (list.has_memory || list.none || list.reads || list.writes) {
      uint64_t access = list.none                   ? 0
                        : list.reads && list.writes ? 0
                        : list.reads                ? 0x555
                        : list.writes               ? 0xaaa
                                                    : 0xfff;
      uint64_t all = 0;
      for (unsigned place = 0; place < 2; place++)
        if (list.memory >> place * 2 & 3)
          all |= (uint64_t)3 << place * 2;
      add(b, &list, (struct og_ir_attribute){.kind = OG_IR_A_MEMORY, .value = access & (list.has_memory ? all : 0xfff)},
          NULL);
    }
    uint32_t set = og_ir_set(b->m, list.items.items, list.items.count);
    *OG_PUSH(b->arena, &b->groups) = (uint32_t)og_bc_op(b, 0);
    *OG_PUSH(b->arena, &b->groups) = (uint32_t)og_bc_op(b, 1);
    *OG_PUSH(b->arena, &b->groups) = set;
  }
  return entry == OG_BIT_END || og_bc_fail(b, "Malformed block of attributes");
}

bool og_bc_read_lists(struct og_bc *b) {
  uint32_t id;
  enum og_bit_entry entry;
  while ((entry = og_bits_next(&b->bits, &id)) == OG_BIT_RECORD) {
    *OG_PUSH(b->arena, &b->attribute_lists) = b->list_groups.count;
    *OG_PUSH(b->arena, &b->list_groups) = b->bits.record.count;
    for (uint32_t i = 0; i < b->bits.record.count; i++)
      *OG_PUSH(b->arena, &b->list_groups) = (uint32_t)og_bc_op(b, i);
  }
  return entry == OG_BIT_END || og_bc_fail(b, "Malformed block of attributes");
}

uint32_t og_bc_list(struct og_bc *b, uint64_t number, uint32_t parameters) {
  if (!number || number > b->attribute_lists.count)
    return 0;
  const uint32_t *groups = b->list_groups.items + b->attribute_lists.items[number - 1];
  uint32_t place = og_ir_pool(b->m, parameters + 2);
  memset(b->m->pool.items + place, 0, (parameters + 2) * sizeof(uint32_t));
  for (uint32_t i = 0; i < groups[0]; i++)
    for (uint32_t k = 0; k + 2 < b->groups.count; k += 3) {
      if (b->groups.items[k] != groups[1 + i])
        continue;
      uint32_t parameter = b->groups.items[k + 1];
      uint32_t index = parameter == UINT32_MAX ? 0 : parameter + 1;
      if (index < parameters + 2)
        b->m->pool.items[place + index] = b->groups.items[k + 2];
    }
  return place;
}
