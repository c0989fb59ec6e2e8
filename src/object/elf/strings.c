/* strings.c - the string table: strings sorted by their tails, so that one that is another's tail comes right after it.
 * A sort by eight bytes at a time, from the end, for objects have millions of names. */
#include "object/elf/strings.h"

#include <string.h>

enum { FEW = 48 };

struct entry {
  uint64_t key;    /* the last eight bytes that are left, the last of all in the highest; 0 before the string's start */
  uint32_t number; /* of the string */
  uint32_t left;   /* bytes not sorted by yet, those of the key included */
};

struct range {
  uint32_t first, count;
};

uint32_t og_strings_add(struct og_strings *strings, const char *text) {
  *OG_PUSH(strings->arena, &strings->items) = (struct og_table_string){.text = text, .size = (uint32_t)strlen(text)};
  return strings->items.count - 1;
}

static uint64_t tail(const char *text, uint32_t size) {
  if (size >= 8)
    return og_load64(text + size - 8);
  uint64_t key = 0;
  for (uint32_t i = 0; i < size; i++)
    key = key >> 8 | (uint64_t)(uint8_t)text[i] << 56;
  return key;
}

/* Descending, as both sorts. */
static void sort_few(struct entry *entries, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    struct entry moved = entries[i];
    uint32_t at = i;
    for (; at > 0 && entries[at - 1].key < moved.key; at--)
      entries[at] = entries[at - 1];
    entries[at] = moved;
  }
}

/* One pass for each byte in which the keys differ, the lowest first; `spare` is room for as many. */
static void sort_many(struct entry *entries, struct entry *spare, uint32_t count) {
  uint32_t counts[8][256] = {{0}};
  struct entry *from = entries, *to = spare;
  for (uint32_t i = 0; i < count; i++)
    for (unsigned byte = 0; byte < 8; byte++)
      counts[byte][(uint8_t)~(entries[i].key >> 8 * byte)]++;
  for (unsigned byte = 0; byte < 8; byte++) {
    uint32_t *places = counts[byte], at = 0;
    if (places[(uint8_t)~(entries[0].key >> 8 * byte)] == count)
      continue;
    for (unsigned i = 0; i < 256; i++) {
      uint32_t here = places[i];
      places[i] = at;
      at += here;
    }
    for (uint32_t i = 0; i < count; i++)
      to[places[(uint8_t)~(from[i].key >> 8 * byte)]++] = from[i];
    struct entry *swap = from;
    from = to;
    to = swap;
  }
  if (from != entries)
    memcpy(entries, from, count * sizeof *entries);
}

/* Descending by the reversed strings: those of one key go on with the next eight bytes. */
static void sort_by_tail(const struct og_strings *strings, struct og_arena *arena, struct entry *entries,
                         uint32_t count) {
  struct entry *spare = OG_NEW_ARRAY(arena, struct entry, count);
  OG_VECTOR(struct range) open = {0};
  *OG_PUSH(arena, &open) = (struct range){0, count};
  while (open.count) {
    struct range r = open.items[--open.count];
    if (r.count < FEW)
      sort_few(entries + r.first, r.count);
    else
      sort_many(entries + r.first, spare, r.count);
    for (uint32_t i = r.first, end = i + r.count, next; i < end; i = next) {
      for (next = i + 1; next < end && entries[next].key == entries[i].key; next++)
        ;
      if (next - i < 2 || !(entries[i].key & 0xff)) /* all at their start, and equal */
        continue;
      for (uint32_t k = i; k < next; k++) {
        entries[k].left -= 8;
        entries[k].key = tail(strings->items.items[entries[k].number].text, entries[k].left);
      }
      *OG_PUSH(arena, &open) = (struct range){i, next - i};
    }
  }
}

/* False where the keys alone tell that the first does not end in the second. */
static bool may_end_with(const struct og_table_string *a, const struct entry *x, const struct og_table_string *b,
                         const struct entry *y) {
  bool same_place = a->size - x->left == b->size - y->left;
  return !same_place || y->left < 8 || x->key == y->key;
}

static bool is_tail(const struct og_table_string *whole, const struct og_table_string *s) {
  return whole->size >= s->size && memcmp(whole->text + whole->size - s->size, s->text, s->size) == 0;
}

void og_strings_write(struct og_strings *strings, struct og_buffer *out) {
  struct og_arena *arena = og_arena_new();
  uint32_t count = strings->items.count;
  struct entry *entries = OG_NEW_ARRAY(arena, struct entry, count + 1);
  size_t most = 1;
  for (uint32_t i = 0; i < count; i++) {
    const struct og_table_string *s = &strings->items.items[i];
    entries[i] = (struct entry){tail(s->text, s->size), i, s->size};
    most += s->size + 1;
  }
  og_buffer_grow(out, most);
  sort_by_tail(strings, arena, entries, count);
  size_t start = out->size;
  og_buffer_u8(out, 0);
  const struct og_table_string *above = &(const struct og_table_string){.text = ""};
  const struct entry *above_entry = NULL;
  for (uint32_t i = 0; i < count; i++) {
    enum { AHEAD = 8 };
    if (i + AHEAD < count)
      __builtin_prefetch(strings->items.items[entries[i + AHEAD].number].text);
    struct og_table_string *s = &strings->items.items[entries[i].number];
    if (s->size == 0)
      continue; /* at the first byte */
    if (above_entry && may_end_with(above, above_entry, s, &entries[i]) && is_tail(above, s)) {
      s->offset = above->offset + above->size - s->size;
    } else {
      s->offset = (uint32_t)(out->size - start);
      og_buffer_append(out, s->text, s->size + 1);
      above = s;
      above_entry = &entries[i];
    }
  }
  og_arena_free(arena);
}
