/* read_attributes.c - attributes in IR's text, and their groups, most of which are defined behind what refers to
 * them. */
#include "ir/reader.h"

#include <stdlib.h>
#include <string.h>

static void add(struct og_ir_reader *r, struct og_ir_attribute attribute, const uint32_t *parts) {
  uint32_t number = og_ir_attribute(r->m, attribute, parts);
  *OG_PUSH(r->arena, &r->attributes) = number;
}

/* ---- values in brackets ---- */

static bool read_type_value(struct og_ir_reader *r, struct og_ir_attribute *a) {
  return og_ir_expect(r, '(', "expected '('") && og_ir_read_type(r, &a->type, false) &&
         og_ir_expect(r, ')', "expected ')'");
}

static bool read_bytes(struct og_ir_reader *r, struct og_ir_attribute *a) {
  return og_ir_expect(r, '(', "expected '('") && og_ir_read_u64(r, &a->value) && og_ir_expect(r, ')', "expected ')'");
}

static bool read_pair(struct og_ir_reader *r, struct og_ir_attribute *a) {
  uint32_t first = 0, second = a->kind == OG_IR_A_ALLOCSIZE ? UINT32_MAX : 0;
  if (!og_ir_expect(r, '(', "expected '('") || !og_ir_read_u32(r, &first))
    return false;
  if (a->kind == OG_IR_A_VSCALE_RANGE)
    second = first;
  if (og_ir_take(r, ',') && !og_ir_read_u32(r, &second))
    return false;
  a->value = (uint64_t)first << 32 | second;
  return og_ir_expect(r, ')', "expected ')'");
}

static bool read_alignment(struct og_ir_reader *r, struct og_ir_attribute *a) {
  uint8_t align = 0;
  og_ir_take(r, '='); /* of a group: align=4 */
  if (!og_ir_read_align(r, &align))
    return false;
  a->value = (uint64_t)1 << (align - 1);
  return true;
}

static bool read_allockind(struct og_ir_reader *r, struct og_ir_attribute *a) {
  struct og_text text;
  og_ir_place place = og_ir_here(r);
  if (!og_ir_expect(r, '(', "expected '('") || !og_ir_read_string(r, &text))
    return false;
  while (text.size) {
    const char *comma = memchr(text.data, ',', text.size);
    struct og_text one = {text.data, comma ? (size_t)(comma - text.data) : text.size};
    int64_t bit = og_ir_word(r->words, OG_IR_W_ALLOCKIND, one);
    if (bit < 0)
      return og_ir_fail(r, place, "unknown allockind %.*s", OG_TEXT_ARGS(one));
    a->value |= (uint64_t)bit;
    size_t used = one.size + (comma != NULL);
    text = (struct og_text){text.data + used, text.size - used};
  }
  return og_ir_expect(r, ')', "expected ')'");
}

/* memory(read), memory(argmem: write, inaccessiblemem: none): two bits for each place. */
static bool read_memory(struct og_ir_reader *r, struct og_ir_attribute *a) {
  if (!og_ir_expect(r, '(', "expected '('"))
    return false;
  bool first = true;
  do {
    int64_t place = -1;
    if (og_ir_at(r) == OG_IR_T_LABEL) {
      place = og_ir_word(r->words, OG_IR_W_LOCATION, r->lexer.text);
      if (place < 0)
        return og_ir_fail_here(r, "expected memory location (argmem, inaccessiblemem, errnomem) or access kind (none, "
                                  "read, write, readwrite)");
      og_ir_next(r);
    } else if (!first) {
      return og_ir_fail_here(r, "default access kind must be specified first");
    }
    int64_t access = og_ir_take_class(r, OG_IR_W_ACCESS);
    if (access < 0)
      return og_ir_fail_here(r, "expected access kind (none, read, write, readwrite)");
    if (place < 0)
      a->value = (uint64_t)access * 0x555; /* in each place */
    else
      a->value = (a->value & ~((uint64_t)3 << place * 2)) | (uint64_t)access << place * 2;
    first = false;
  } while (og_ir_take(r, ','));
  return og_ir_expect(r, ')', "unterminated memory attribute");
}

/* captures(address, read_provenance), captures(none), captures(ret: provenance): the lower four bits say what the
 * result captures, the upper ones what anything else does. */
static bool read_captures(struct og_ir_reader *r, struct og_ir_attribute *a) {
  static const struct {
    const char *word;
    unsigned bits;
  } parts[] = {{"none", 0}, {"address_is_null", 1}, {"address", 3}, {"read_provenance", 4}, {"provenance", 12}};
  unsigned other = 0, result = 0;
  bool own = false, at_result = false;
  if (!og_ir_expect(r, '(', "expected '('"))
    return false;
  do {
    if (og_ir_at(r) == OG_IR_T_LABEL && og_text_is(r->lexer.text, "ret")) {
      og_ir_next(r);
      own = at_result = true;
    }
    size_t i = 0;
    while (i < OG_COUNT(parts) && !og_ir_take_word(r, parts[i].word))
      i++;
    if (i == OG_COUNT(parts))
      return og_ir_fail_here(r, "expected one of 'none', 'address', 'address_is_null', 'provenance' or "
                                "'read_provenance'");
    *(at_result ? &result : &other) |= parts[i].bits;
  } while (og_ir_take(r, ','));
  a->value = other << 4 | (own ? result : other);
  return og_ir_expect(r, ')', "expected ')'");
}

static bool read_fpclass(struct og_ir_reader *r, struct og_ir_attribute *a) {
  if (!og_ir_expect(r, '(', "expected '('"))
    return false;
  if (og_ir_at(r) == OG_IR_T_INTEGER)
    return og_ir_read_u64(r, &a->value) && og_ir_expect(r, ')', "expected ')'");
  while (og_ir_at(r) != ')') {
    int64_t bits = og_ir_take_class(r, OG_IR_W_FPCLASS);
    if (bits < 0)
      return og_ir_fail_here(r, "expected nofpclass test mask");
    a->value |= (uint64_t)bits;
  }
  og_ir_next(r);
  return true;
}

static bool read_uwtable(struct og_ir_reader *r, struct og_ir_attribute *a) {
  a->value = 2;
  if (!og_ir_take(r, '('))
    return true;
  a->value = og_ir_at_word(r, "sync") ? 1 : 2;
  if (!og_ir_at_word(r, "sync") && !og_ir_at_word(r, "async"))
    return og_ir_fail_here(r, "expected unwind table kind");
  og_ir_next(r);
  return og_ir_expect(r, ')', "expected ')'");
}

/* range(i32 0, 5), initializes((0, 4), (8, 12)): pairs of constants, kept on the stack while they are read. */
static bool read_ranges(struct og_ir_reader *r, struct og_ir_attribute *a) {
  bool one = a->kind == OG_IR_A_RANGE;
  uint32_t from = r->stack.count;
  if (!og_ir_expect(r, '(', "expected '('"))
    return false;
  a->type = og_ir_integer(r->m, 64);
  if (one && !og_ir_read_type(r, &a->type, false))
    return false;
  if (og_ir_kind(r->m, a->type) != OG_IR_INTEGER)
    return og_ir_fail_here(r, "the range must have integer type!");
  do {
    og_ir_ref low, high;
    if ((!one && !og_ir_expect(r, '(', "expected '('")))
      return false;
    if (og_ir_at(r) != OG_IR_T_INTEGER || !og_ir_read_integer(r, a->type, &low) ||
        !og_ir_expect(r, ',', "expected ','") || og_ir_at(r) != OG_IR_T_INTEGER ||
        !og_ir_read_integer(r, a->type, &high) || (!one && !og_ir_expect(r, ')', "expected ')'")))
      return og_ir_fail_here(r, "expected integer");
    og_ir_stack(r, low);
    og_ir_stack(r, high);
  } while (!one && og_ir_take(r, ','));
  if (!og_ir_expect(r, ')', "expected ')'"))
    return false;
  a->parts = r->stack.count - from;
  add(r, *a, r->stack.items + from);
  r->stack.count = from;
  return true;
}

/* Reads what older versions wrote as what newer ones write instead. */
static void upgrade(struct og_ir_attribute *a, bool function) {
  static const struct {
    uint8_t old, now;
    uint16_t value;
  } rows[] = {{OG_IR_A_NOCAPTURE, OG_IR_A_CAPTURES, 0},
              {OG_IR_A_ARGMEMONLY, OG_IR_A_MEMORY, 3},
              {OG_IR_A_INACCESSIBLEMEMONLY, OG_IR_A_MEMORY, 3 << 2},
              {OG_IR_A_INACCESSIBLEMEM_OR_ARGMEMONLY, OG_IR_A_MEMORY, 15}};
  static const struct {
    uint8_t old;
    uint16_t value;
  } accesses[] = {{OG_IR_A_READNONE, 0}, {OG_IR_A_READONLY, 0x555}, {OG_IR_A_WRITEONLY, 0xaaa}};
  for (size_t i = 0; i < OG_COUNT(rows); i++)
    if (a->kind == rows[i].old) {
      a->kind = rows[i].now;
      a->value = rows[i].value;
    }
  for (size_t i = 0; function && i < OG_COUNT(accesses); i++)
    if (a->kind == accesses[i].old) {
      a->kind = OG_IR_A_MEMORY;
      a->value = accesses[i].value;
    }
}

static bool read_one(struct og_ir_reader *r, uint32_t kind, bool function) {
  struct og_ir_attribute a = {.kind = kind};
  bool ok = true;
  switch (og_ir_attributes[kind].value) {
  case OG_IR_AV_TYPE: ok = read_type_value(r, &a); break;
  case OG_IR_AV_ALIGNMENT: ok = read_alignment(r, &a); break;
  case OG_IR_AV_BYTES: ok = read_bytes(r, &a); break;
  case OG_IR_AV_PAIR: ok = read_pair(r, &a); break;
  case OG_IR_AV_ALLOCKIND: ok = read_allockind(r, &a); break;
  case OG_IR_AV_CAPTURES: ok = read_captures(r, &a); break;
  case OG_IR_AV_MEMORY: ok = read_memory(r, &a); break;
  case OG_IR_AV_FPCLASS: ok = read_fpclass(r, &a); break;
  case OG_IR_AV_UWTABLE: ok = read_uwtable(r, &a); break;
  case OG_IR_AV_RANGE:
  case OG_IR_AV_RANGES: return read_ranges(r, &a);
  default: break;
  }
  upgrade(&a, function);
  if (ok && a.kind == OG_IR_A_MEMORY) /* older versions wrote two side by side: both hold */
    for (uint32_t i = 0; i < r->attributes.count; i++) {
      const struct og_ir_attribute *other = &r->m->attributes.items[r->attributes.items[i]];
      if (other->kind == OG_IR_A_MEMORY && og_ir_attributes[kind].value == OG_IR_AV_NONE)
        a.value &= other->value;
    }
  if (ok)
    add(r, a, NULL);
  return ok;
}

static bool read_string(struct og_ir_reader *r) {
  uint32_t parts[2] = {og_ir_name(r->m, r->lexer.text), 0};
  og_ir_next(r);
  if (og_ir_take(r, '=')) {
    parts[1] = og_ir_name(r->m, r->lexer.text);
    if (!og_ir_expect(r, OG_IR_T_STRING, "expected string constant"))
      return false;
  }
  add(r, (struct og_ir_attribute){.kind = OG_IR_A_STRING, .parts = 2}, parts);
  return true;
}

bool og_ir_read_attributes(struct og_ir_reader *r, bool function) {
  for (;;) {
    if (og_ir_at(r) == OG_IR_T_STRING) {
      if (!read_string(r))
        return false;
    } else if (function && og_ir_at(r) == OG_IR_T_GROUP) {
      *OG_PUSH(r->arena, &r->groups_named) = (uint32_t)r->lexer.number;
      og_ir_next(r);
    } else if (function && og_ir_at_word(r, "align")) {
      return true; /* it belongs to the function, and is no attribute */
    } else {
      int64_t kind = og_ir_take_class(r, OG_IR_W_ATTRIBUTE);
      if (kind < 0)
        return true;
      if (!read_one(r, (uint32_t)kind, function))
        return false;
    }
  }
}

uint32_t og_ir_take_set(struct og_ir_reader *r, uint32_t first) {
  uint32_t set = og_ir_set(r->m, r->attributes.items + first, r->attributes.count - first);
  r->attributes.count = first;
  return set;
}

/* ---- groups ---- */

void og_ir_take_function_set(struct og_ir_reader *r, uint32_t place, uint32_t first, uint32_t first_group) {
  uint32_t count = r->attributes.count - first, groups = r->groups_named.count - first_group;
  struct og_ir_pending_set pending = {.place = place, .group = UINT32_MAX};
  if (groups == 1 && !count) {
    pending.group = r->groups_named.items[first_group];
  } else if (groups) {
    pending.groups = og_ir_pool_list(r->m, r->groups_named.items + first_group, groups);
    pending.group_count = groups;
    pending.attributes = og_ir_pool_list(r->m, r->attributes.items + first, count);
    pending.attribute_count = count;
  } else {
    uint32_t set = og_ir_take_set(r, first); /* this may move the pool */
    r->m->pool.items[place] = set;
    return;
  }
  *OG_PUSH(r->arena, &r->pending_sets) = pending;
  r->groups_named.count = first_group;
  r->attributes.count = first;
}

bool og_ir_define_group(struct og_ir_reader *r) {
  og_ir_next(r);
  uint32_t number = (uint32_t)r->lexer.number;
  if (!og_ir_expect(r, OG_IR_T_GROUP, "expected attribute group id") ||
      !og_ir_expect(r, '=', "expected '=' here") || !og_ir_expect(r, '{', "expected '{' here"))
    return false;
  og_ir_place place = og_ir_here(r);
  for (;;) { /* in groups alignment is align=N */
    if (!og_ir_read_attributes(r, true))
      return false;
    if (!og_ir_take_word(r, "align"))
      break;
    struct og_ir_attribute a = {.kind = OG_IR_A_ALIGN};
    if (!read_alignment(r, &a))
      return false;
    add(r, a, NULL);
  }
  if (r->groups_named.count)
    return og_ir_fail(r, place, "cannot have an attribute group reference in an attribute group");
  if (!og_ir_expect(r, '}', "expected end of attribute group"))
    return false;
  if (!r->attributes.count)
    return og_ir_fail(r, place, "attribute group has no attributes");
  struct og_ir_group group = {.number = number, .count = r->attributes.count};
  group.attributes = og_ir_pool_list(r->m, r->attributes.items, r->attributes.count);
  group.set = og_ir_take_set(r, 0);
  *OG_PUSH(r->arena, &r->groups) = group;
  return true;
}

static int by_number(const void *a, const void *b) {
  const struct og_ir_group *x = a, *y = b;
  return (x->number > y->number) - (x->number < y->number);
}

static const struct og_ir_group *search(struct og_ir_reader *r, uint32_t number) {
  if (!r->groups.count)
    return NULL;
  struct og_ir_group key = {.number = number};
  return bsearch(&key, r->groups.items, r->groups.count, sizeof key, by_number);
}

bool og_ir_resolve_groups(struct og_ir_reader *r) {
  if (r->groups.count)
    qsort(r->groups.items, r->groups.count, sizeof *r->groups.items, by_number);
  uint32_t *pool = r->m->pool.items;
  for (uint32_t i = 0; i < r->pending_sets.count; i++) {
    const struct og_ir_pending_set *p = &r->pending_sets.items[i];
    const struct og_ir_group *group = p->group == UINT32_MAX ? NULL : search(r, p->group);
    if (group) {
      pool[p->place] = group->set;
      continue;
    }
    for (uint32_t k = 0; k < p->group_count; k++) {
      group = search(r, pool[p->groups + k]);
      for (uint32_t a = 0; group && a < group->count; a++)
        *OG_PUSH(r->arena, &r->attributes) = pool[group->attributes + a];
    }
    for (uint32_t a = 0; a < p->attribute_count; a++)
      *OG_PUSH(r->arena, &r->attributes) = pool[p->attributes + a];
    uint32_t set = og_ir_take_set(r, 0);
    pool = r->m->pool.items;
    pool[p->place] = set;
  }
  return true;
}
