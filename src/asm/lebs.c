/* lebs.c - LEB128 values that hang on later labels: how many bytes each takes, and its bytes once all is laid out.
 *
 * A source is read with one byte for each, or with what the pass before found. Where that is too little, labels move
 * and other values grow in turn. All that is followed here on the labels recorded, so that the source is read once more
 * and not once for each step. Only what is sure to move with its labels is followed: nothing behind an alignment, which
 * may take the growth up, and nothing at all where labels were asked for while reading, as by .if or .space. What is
 * missed so the next pass finds. */
#include "asm/internal.h"

#include <string.h>

/* A label behind some of its chunk's values. */
struct moving {
  struct og_asm_symbol *label;
  int64_t before;        /* its place as it was read */
  uint32_t first, count; /* those values, in `order` */
};

/* Values by chunk, as they stand in each. */
struct values {
  struct og_asm_leb **order;
  uint64_t *grown; /* bytes that those up to each have grown by */
};

/* Gives each as many bytes as its value needs, but never fewer; true if any got more. */
static bool measure(struct og_asm *as) {
  bool more = false;
  for (uint32_t i = 0; i < as->lebs.count; i++) {
    struct og_asm_leb *leb = &as->lebs.items[i];
    int64_t value;
    uint8_t bytes[10];
    if (!og_asm_evaluate_absolute(as, leb->expr, &value))
      continue;
    size_t size = og_asm_leb128(bytes, value, leb->is_signed, leb->size);
    more |= size > leb->size;
    leb->size = (uint8_t)size;
  }
  return more;
}

/* Numbers the values chunk by chunk. */
static struct values order_values(struct og_asm *as) {
  uint32_t count = as->lebs.count, next = 0;
  struct values v = {OG_NEW_ARRAY(as->arena, struct og_asm_leb *, count + 1),
                     OG_NEW_ARRAY(as->arena, uint64_t, count + 1)};
  for (uint32_t i = 0; i < count; i++)
    as->lebs.items[i].chunk->leb_count++;
  for (uint32_t i = 0; i < count; i++) {
    struct og_asm_leb *leb = &as->lebs.items[i];
    if (!leb->chunk->leb_end) { /* its first */
      leb->chunk->leb_end = leb->chunk->first_leb = next;
      next += leb->chunk->leb_count;
    }
    leb->placed = leb->size;
    v.order[leb->chunk->leb_end++] = leb;
  }
  return v;
}

/* How many of the chunk's values stand before the offset. */
static uint32_t values_before(const struct values *v, const struct og_chunk *chunk, uint64_t offset) {
  uint32_t low = 0, high = chunk->leb_count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (v->order[chunk->first_leb + middle]->offset < offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void add_growth(const struct values *v, uint32_t count) {
  const struct og_chunk *chunk = NULL;
  for (uint32_t i = 0; i < count; i++) {
    const struct og_asm_leb *leb = v->order[i];
    v->grown[i] = (leb->chunk == chunk ? v->grown[i - 1] : 0) + leb->size - leb->placed;
    chunk = leb->chunk;
  }
}

/* Follows the growth until nothing moves any more, or so many times. The labels are not where they were read
 * afterwards. */
static void follow(struct og_asm *as) {
  enum { STEPS_MOST = 32 }; /* a chain of many values may grow one by one: its time stays in proportion */
  struct values v = order_values(as);
  OG_VECTOR(struct moving) labels = {0};
  for (uint32_t i = 0; i < as->symbols.count; i++) {
    struct og_asm_symbol *s = og_symbol_at(&as->symbols, i);
    if (s->kind != OG_SYMBOL_LABEL || !s->chunk || s->chunk->elastic || !s->chunk->leb_count)
      continue;
    uint32_t count = values_before(&v, s->chunk, (uint64_t)s->value);
    if (count)
      *OG_PUSH(as->arena, &labels) = (struct moving){s, s->value, s->chunk->first_leb, count};
  }
  unsigned steps = 0;
  do {
    add_growth(&v, as->lebs.count);
    for (uint32_t i = 0; i < labels.count; i++) {
      const struct moving *m = &labels.items[i];
      m->label->value = m->before + (int64_t)v.grown[m->first + m->count - 1];
    }
  } while (measure(as) && ++steps < STEPS_MOST);
}

/* False where a value has none, or needs more bytes than were left for it: as->again then says so. */
bool og_asm_fill_lebs(struct og_asm *as) {
  bool ok = true;
  for (uint32_t i = 0; i < as->lebs.count; i++) {
    struct og_asm_leb *leb = &as->lebs.items[i];
    int64_t value;
    if (!og_asm_evaluate_absolute(as, leb->expr, &value)) {
      ok = og_error(as->diagnostics, leb->range, ".%cleb128 expression is not absolute", leb->is_signed ? 's' : 'u');
      continue;
    }
    uint8_t bytes[10];
    size_t size = og_asm_leb128(bytes, value, leb->is_signed, leb->size);
    as->again |= size > leb->size;
    if (size == leb->size)
      memcpy(leb->chunk->section->chunks->bytes.data + leb->chunk->base + leb->offset, bytes, size);
  }
  as->again &= ok;
  if (as->again && as->labels_asked)
    measure(as);
  else if (as->again)
    follow(as);
  return ok && !as->again;
}
