/* merge.c - sections of equal strings and constants (SHF_MERGE): cut into pieces, of which each is kept once. */
#include "object/link/linker.h"

#include <string.h>

/* Pieces of the same bytes may share a place if these agree too. */
struct kind {
  uint32_t entry_size;
  bool strings;
  uint64_t alignment;
};

struct unique {
  const uint8_t *data;
  uint32_t size, place; /* in the output section */
  struct kind kind;
};

struct ld_merger {
  struct og_arena *arena;
  OG_VECTOR(struct unique) uniques;
  uint32_t *slots; /* 1 + index; 0 is empty */
  uint32_t slot_count;
};

static uint32_t *find_slot(const struct ld_merger *m, const struct unique *u) {
  uint32_t mask = m->slot_count - 1;
  for (uint32_t at = (uint32_t)og_hash(u->data, u->size) & mask;; at = (at + 1) & mask) {
    const struct unique *other = m->slots[at] ? &m->uniques.items[m->slots[at] - 1] : NULL;
    if (!other || (other->size == u->size && memcmp(other->data, u->data, u->size) == 0 &&
                   other->kind.entry_size == u->kind.entry_size && other->kind.strings == u->kind.strings &&
                   other->kind.alignment == u->kind.alignment))
      return &m->slots[at];
  }
}

static void make_room(struct ld_merger *m) {
  if (m->uniques.count < m->slot_count / 2)
    return;
  m->slot_count = OG_MAX(2 * m->slot_count, 64u);
  m->slots = OG_NEW_ARRAY(m->arena, uint32_t, m->slot_count);
  for (uint32_t i = 0; i < m->uniques.count; i++)
    *find_slot(m, &m->uniques.items[i]) = i + 1;
}

static uint32_t place(struct ld_merger *m, struct ld_output *out, struct unique u) {
  make_room(m);
  uint32_t *slot = find_slot(m, &u);
  if (!*slot) {
    u.place = (uint32_t)og_align_up(out->size, u.kind.alignment);
    out->size = u.place + (uint64_t)u.size;
    *OG_PUSH(m->arena, &m->uniques) = u;
    *slot = m->uniques.count;
  }
  return m->uniques.items[*slot - 1].place;
}

/* Bytes of the piece at an offset: a constant, or a string with its NUL. 0: the string does not end. */
static uint32_t piece_size(const struct og_section *s, uint64_t offset) {
  uint32_t entry = (uint32_t)s->entry_size;
  if (!(s->flags & SHF_STRINGS))
    return entry;
  for (uint64_t at = offset; at < s->size; at += entry) {
    bool zero = true;
    for (uint32_t i = 0; i < entry; i++)
      zero &= s->data[at + i] == 0;
    if (zero)
      return (uint32_t)(at + entry - offset);
  }
  return 0;
}

bool ld_can_merge(const struct ld_section *s) {
  const struct og_section *in = s->in;
  const struct og_relocation_order *order = &s->object->order;
  if (!(in->flags & SHF_MERGE) || in->flags & SHF_WRITE || in->type == SHT_NOBITS || !in->size ||
      in->size > UINT32_MAX / 4)
    return false;
  if (!in->entry_size || in->entry_size > 64 || in->size % in->entry_size ||
      order->start[s->index] != order->start[s->index + 1])
    return false;
  uint64_t at = in->size - in->entry_size;
  return !(in->flags & SHF_STRINGS) || piece_size(in, at) != 0;
}

bool ld_merge_section(struct linker *ld, struct ld_section *s) {
  const struct og_section *in = s->in;
  struct ld_output *out = s->out;
  if (!out->merger) {
    out->merger = OG_NEW(ld->arena, struct ld_merger);
    out->merger->arena = ld->arena;
  }
  uint32_t count = 0;
  for (uint64_t at = 0; at < in->size; at += piece_size(in, at))
    count++;
  s->pieces = OG_NEW_ARRAY(ld->arena, struct ld_piece, count);
  for (uint64_t at = 0; at < in->size; at += piece_size(in, at)) {
    struct unique u = {.data = in->data + at,
                       .size = piece_size(in, at),
                       .kind = {(uint32_t)in->entry_size, in->flags & SHF_STRINGS, OG_MAX(in->alignment, 1)}};
    if (out->size > UINT32_MAX / 2)
      return og_error_in(ld->diagnostics, s->object->elf->name, "section '%s' is too large", in->name);
    s->pieces[s->piece_count++] = (struct ld_piece){(uint32_t)at, place(out->merger, out, u)};
  }
  return true;
}

uint64_t ld_offset_in_output(const struct ld_section *s, uint64_t offset) {
  if (!s->piece_count)
    return s->offset + offset;
  uint32_t low = 0, high = s->piece_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (s->pieces[middle].in <= offset)
      low = middle;
    else
      high = middle;
  }
  return s->pieces[low].out + (offset - s->pieces[low].in);
}

void ld_copy_pieces(const struct ld_section *s) {
  for (uint32_t i = 0; i < s->piece_count; i++) {
    uint64_t end = i + 1 < s->piece_count ? s->pieces[i + 1].in : s->in->size;
    memcpy(s->out->data + s->pieces[i].out, s->in->data + s->pieces[i].in, end - s->pieces[i].in);
  }
}
