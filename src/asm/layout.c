/* layout.c - the final place of everything.
 *
 * Some pieces have a size that is known only once all is read: LEB128 values and fills that count from later labels,
 * alignments behind such a piece, branches that may need an s_nop behind them. Each is a break in its chunk. It is
 * read as a placeholder of one byte, so that a place in the source and its offset as it was read lead to each other;
 * nothing that records such an offset is changed afterwards: og_asm_offset tells where it has come to. Distances over
 * a break are not known while the source is read. */
#include "asm/internal.h"

#include <string.h>

struct og_break *og_asm_break(struct og_asm *as, enum og_break_kind kind, const struct og_expr *expr,
                              struct og_range range, const uint8_t *pattern, size_t pattern_size) {
  struct og_chunk *chunk = as->chunk;
  bool holds = kind != OG_BREAK_BRANCH;
  if ((holds && !og_asm_emit(as, NULL, 1)) ||
      (pattern_size && chunk->section->type == SHT_NOBITS && !og_asm_all_zero(as, pattern, pattern_size)))
    return NULL;
  struct og_break *b = OG_PUSH(as->arena, &chunk->breaks);
  *b = (struct og_break){.offset = og_asm_here(as),
                         .expr = expr,
                         .range = range,
                         .kind = (uint8_t)kind,
                         .placeholder = holds,
                         .pattern_size = (uint8_t)pattern_size};
  if (pattern_size)
    memcpy(b->pattern, pattern, pattern_size);
  as->breaks++;
  return b;
}

/* How many of the chunk's breaks stand before that place. */
static uint32_t breaks_before(const struct og_chunk *chunk, uint64_t offset) {
  uint32_t low = 0, high = chunk->breaks.count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (chunk->breaks.items[middle].offset <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint64_t og_asm_offset(const struct og_chunk *chunk, uint64_t offset) {
  uint32_t before = chunk->breaks.count ? breaks_before(chunk, offset) : 0;
  return chunk->base + offset + (before ? (uint64_t)chunk->breaks.items[before - 1].moved : 0);
}

bool og_asm_distance_known(const struct og_asm_symbol *a, const struct og_asm_symbol *b) {
  if (a->chunk->section->laid_out)
    return a->chunk->section == b->chunk->section;
  return a->chunk == b->chunk && (!a->chunk->breaks.count || breaks_before(a->chunk, (uint64_t)a->value) ==
                                                                 breaks_before(b->chunk, (uint64_t)b->value));
}

static uint64_t size_as_read(const struct og_chunk *c) {
  return c->section->type == SHT_NOBITS ? c->size : c->bytes.size;
}

/* ---- sizes ------------------------------------------------------------------------------------------------------- */

/* LEB128 values begin with no bytes, as in LLVM, and only grow: so tables whose sizes depend on themselves converge. */
static const char *leb128_size(struct og_asm *as, struct og_break *b) {
  int64_t value;
  uint8_t bytes[10];
  if (!og_asm_evaluate_absolute(as, b->expr, &value))
    return b->is_signed ? ".sleb128 expression is not absolute" : ".uleb128 expression is not absolute";
  b->size = og_asm_leb128(bytes, value, b->is_signed, b->size);
  return NULL;
}

/* A branch over 63 dwords goes over 64 once the s_nop stands behind it, and keeps that. */
static const char *branch_size(struct og_asm *as, struct og_break *b, const struct og_chunk *c, uint64_t at) {
  struct og_value v;
  if (og_asm_evaluate(as, b->expr, &v, NULL) && !v.sub && v.add && v.add->kind == OG_SYMBOL_LABEL &&
      v.add->binding == STB_LOCAL && v.add->chunk->section == c->section &&
      og_asm_address(v.add) + (uint64_t)v.constant - at == 63 * 4)
    b->size = 4;
  return NULL;
}

static const char *fill_size(struct og_asm *as, struct og_break *b, const struct og_chunk *c) {
  uint64_t most = c->section->type == SHT_NOBITS ? UINT64_C(1) << 46 : OG_ASM_BYTES_MOST;
  int64_t count;
  b->size = 0;
  if (!og_asm_evaluate_absolute(as, b->expr, &count))
    return "expected assembly-time absolute expression";
  if (count < 0)
    return "invalid number of bytes";
  if (b->pattern_size && (uint64_t)count > most / b->pattern_size)
    return "the fill is larger than a section may be";
  b->size = (uint64_t)count * b->pattern_size;
  return NULL;
}

static const char *org_size(struct og_asm *as, struct og_break *b, const struct og_chunk *c, uint64_t at) {
  struct og_value v;
  b->size = 0;
  if (!og_asm_evaluate(as, b->expr, &v, NULL) || v.sub ||
      (v.add && (v.add->kind != OG_SYMBOL_LABEL || v.add->chunk->section != c->section)))
    return "expected absolute expression";
  int64_t to = (int64_t)((v.add ? og_asm_address(v.add) : 0) + (uint64_t)v.constant);
  if (to < 0 || (uint64_t)to < at)
    return og_arena_printf(as->arena, "invalid .org offset '%lld' (at offset '%llu')", (long long)to,
                           (unsigned long long)at);
  if ((uint64_t)to - at > OG_ASM_BYTES_MOST && c->section->type != SHT_NOBITS)
    return "the fill is larger than a section may be";
  b->size = (uint64_t)to - at;
  return NULL;
}

uint64_t og_asm_padding(const struct og_break *b, uint64_t at) {
  uint64_t size = og_align_up(at, UINT64_C(1) << b->power) - at;
  if (b->most && size > b->most)
    return 0;
  return b->is_code ? size : size / b->pattern_size * b->pattern_size; /* whole values only */
}

static bool hangs_on_labels_alone(const struct og_break *b) {
  return b->kind == OG_BREAK_LEB128 || b->kind == OG_BREAK_BRANCH;
}

/* The reason where it has no size. */
static const char *measure(struct og_asm *as, struct og_break *b, const struct og_chunk *c, uint64_t at) {
  switch ((enum og_break_kind)b->kind) {
  case OG_BREAK_LEB128: return leb128_size(as, b);
  case OG_BREAK_BRANCH: return branch_size(as, b, c, at);
  case OG_BREAK_FILL: return fill_size(as, b, c);
  case OG_BREAK_ORG: return org_size(as, b, c, at);
  case OG_BREAK_ALIGN: b->size = og_asm_padding(b, at); break;
  }
  return NULL;
}

/* ---- layout ------------------------------------------------------------------------------------------------------ */

static uint64_t place_of(const struct og_chunk *c, const struct og_break *b) {
  return c->base + b->offset - b->placeholder + (b > c->breaks.items ? (uint64_t)b[-1].moved : 0);
}

/* First the sizes of values, with the labels of the last round; true if any grew. */
static bool grow_values(struct og_asm *as) {
  bool grown = false;
  for (uint32_t i = 0; i < as->section_order.count; i++)
    for (struct og_chunk *c = as->section_order.items[i]->chunks; c; c = c->next)
      for (struct og_break *b = c->breaks.items; b < c->breaks.items + c->breaks.count; b++) {
        uint64_t before = b->size;
        if (hangs_on_labels_alone(b))
          measure(as, b, c, place_of(c, b));
        grown |= b->size != before;
      }
  return grown;
}

/* Then everything from the front of its section to the back; true if anything moved. */
static bool place_section(struct og_asm *as, struct og_asm_section *section) {
  uint64_t at = 0;
  bool moved = false;
  for (struct og_chunk *c = section->chunks; c; c = c->next) {
    moved |= c->base != at;
    c->base = at;
    int64_t by = 0;
    for (struct og_break *b = c->breaks.items; b < c->breaks.items + c->breaks.count; b++) {
      if (!hangs_on_labels_alone(b))
        measure(as, b, c, place_of(c, b));
      by += (int64_t)b->size - b->placeholder;
      moved |= b->moved != by;
      b->moved = by;
    }
    at += size_as_read(c) + (uint64_t)by;
  }
  return moved;
}

static bool place_sections(struct og_asm *as) {
  bool moved = false;
  for (uint32_t i = 0; i < as->section_order.count; i++)
    moved |= place_section(as, as->section_order.items[i]);
  return moved;
}

/* Says of each break that has none why it has no size. */
static bool check_sizes(struct og_asm *as) {
  bool ok = true;
  uint64_t bytes = as->emitted;
  for (uint32_t i = 0; i < as->section_order.count; i++)
    for (struct og_chunk *c = as->section_order.items[i]->chunks; c; c = c->next)
      for (struct og_break *b = c->breaks.items; b < c->breaks.items + c->breaks.count; b++) {
        const char *why = measure(as, b, c, place_of(c, b));
        if (why)
          ok = og_error(as->diagnostics, b->range, "%s", why);
        else if (c->section->type != SHT_NOBITS && (bytes += b->size) > OG_ASM_BYTES_MOST)
          return og_error(as->diagnostics, b->range, "sections hold more than %d MiB", OG_ASM_BYTES_MOST >> 20);
      }
  return ok;
}

bool og_asm_settle(struct og_asm *as) {
  enum { ROUNDS_LEAST = 64, MEASURES_MOST = 1 << 25 };
  /* A chain of values may grow one by one, each to ten bytes: more rounds cannot help. */
  uint32_t most = OG_MAX(ROUNDS_LEAST, MEASURES_MOST / (as->breaks + 1));
  uint32_t rounds = (uint32_t)OG_MIN(most, ROUNDS_LEAST + UINT64_C(10) * as->breaks);
  for (uint32_t i = 0; i < as->section_order.count; i++)
    as->section_order.items[i]->laid_out = true;
  place_sections(as);
  if (!as->breaks)
    return true;
  bool moves = true;
  while (moves && rounds--) {
    moves = grow_values(as);
    moves |= place_sections(as);
  }
  return check_sizes(as) &&
         (!moves || og_error_in(as->diagnostics, as->object->name,
                                "sizes that depend on one another do not settle: LEB128 values, fills, alignments"));
}

/* ---- bytes ------------------------------------------------------------------------------------------------------- */

static void write_break(struct og_asm *as, const struct og_break *b, struct og_buffer *out) {
  if (b->kind == OG_BREAK_LEB128) {
    int64_t value = 0;
    uint8_t bytes[10];
    og_asm_evaluate_absolute(as, b->expr, &value);
    og_buffer_append(out, bytes, og_asm_leb128(bytes, value, b->is_signed, b->size));
    return;
  }
  og_buffer_extend(out, b->size % OG_MAX(b->pattern_size, 1)); /* code that is no multiple of a word */
  for (uint64_t i = b->size / OG_MAX(b->pattern_size, 1); i > 0; i--)
    og_buffer_append(out, b->pattern, b->pattern_size);
}

/* The chunk's bytes with every break in its size. */
static void append_chunk(struct og_asm *as, const struct og_chunk *c, struct og_buffer *out) {
  uint64_t from = 0;
  for (const struct og_break *b = c->breaks.items; b < c->breaks.items + c->breaks.count; b++) {
    og_buffer_append(out, c->bytes.data + from, b->offset - b->placeholder - from);
    write_break(as, b, out);
    from = b->offset;
  }
  og_buffer_append(out, c->bytes.data + from, c->bytes.size - from);
}

static void write_section(struct og_asm *as, struct og_asm_section *section) {
  struct og_chunk *first = section->chunks;
  if (section->type == SHT_NOBITS) {
    section->size = 0;
    for (const struct og_chunk *c = first; c; c = c->next)
      section->size += c->size + (c->breaks.count ? (uint64_t)c->breaks.items[c->breaks.count - 1].moved : 0);
    return;
  }
  struct og_buffer whole = {0};
  if (first->breaks.count)
    append_chunk(as, first, &whole);
  else
    whole = first->bytes, first->bytes = (struct og_buffer){0};
  for (struct og_chunk *c = first->next; c; c = c->next)
    append_chunk(as, c, &whole);
  for (struct og_chunk *c = first; c; c = c->next)
    og_buffer_free(&c->bytes);
  section->bytes = whole;
  section->size = whole.size;
}

void og_asm_write_sections(struct og_asm *as) {
  place_sections(as); /* frames came to some */
  for (uint32_t i = 0; i < as->section_order.count; i++)
    write_section(as, as->section_order.items[i]);
}
