/* hoist.c - scalar operations among a stretch's vector ones, done once before the strips instead of by each of them. A
 * vector operation whose scalars are written behind it reads copies of them. */
#include "tier/rows.h"

/* Whether the interpreter's handler may do it for a strip, with the scalars that the wave has then. */
static bool calls_handler(const struct og_item *item) {
  return item->kind == OG_ITEM_MEMORY || og_is_dpp(item) || (item->kind == OG_ITEM_VECTOR && og_is_division(item));
}

/* Dwords of a source that is a scalar; 0: it is none. */
static unsigned scalar_dwords(const struct og_item *item, unsigned i) {
  const struct og_operation *op = item->does;
  if (item->types->source[i] == OG_AS_NONE || og_is_vector_place(op->s[i]) || op->s[i] == OG_AT_S(OG_S_ZERO))
    return 0;
  return og_as_is_64((enum og_as)item->types->source[i]) ? 2 : 1;
}

/* Has a vector operation read copies of what is written later. False: there is no room. */
static bool rename_sources(struct og_unit *unit, struct og_item *item, const struct og_scalar_set *later) {
  struct og_renamed *renamed = NULL;
  for (unsigned i = 0; i < 3; i++) {
    struct og_scalar_set source = {{0}};
    unsigned dwords = scalar_dwords(item, i);
    og_add_scalars(&source, item->does->s[i], dwords);
    if (!og_scalars_meet(&source, later))
      continue;
    if (unit->copied_count + dwords > OG_COPIED_SCALARS || (!renamed && unit->renamed_count == OG_COUNT(unit->renamed)))
      return false;
    if (!renamed) {
      renamed = &unit->renamed[unit->renamed_count++];
      *renamed = (struct og_renamed){.item = item, .was = item->does, .op = og_operation_copy(item->does)};
      item->does = &renamed->op;
    }
    renamed->op.s[i] = (uint32_t)(offsetof(struct og_wave, copied) + 4 * unit->copied_count);
    unit->copied_count += dwords;
  }
  return true;
}

void og_undo_hoisting(struct og_unit *unit) {
  for (uint32_t i = 0; i < unit->renamed_count; i++)
    unit->renamed[i].item->does = unit->renamed[i].was;
  unit->renamed_count = unit->copied_count = 0;
  unit->hoisted = false;
}

bool og_find_hoisted(struct og_unit *unit, const struct og_stretch *stretch) {
  struct og_scalar_set later = {{0}}, reads, writes, masks;
  bool scalars = false, fits = !stretch->branch;
  for (uint32_t i = stretch->to; fits && i-- > stretch->from;) {
    struct og_item *item = &unit->items[i];
    og_find_scalars(unit, item, &reads, &writes, &masks);
    if (item->kind == OG_ITEM_SCALAR)
      scalars = true, og_join_scalars(&later, &writes);
    else if (calls_handler(item))
      fits = !og_scalars_meet(&reads, &later);
    else if (item->kind == OG_ITEM_VECTOR)
      fits = rename_sources(unit, item, &later);
  }
  if (!fits || !scalars)
    og_undo_hoisting(unit);
  unit->hoisted = fits && scalars;
  return unit->hoisted;
}

static void copy_scalar(struct og_unit *unit, uint32_t to, uint32_t from, bool wide) {
  og_emit_general(&unit->code, wide, 0x8b, OG_RAX, og_in_wave(from));
  og_emit_general(&unit->code, wide, 0x89, OG_RAX, og_in_wave(to));
}

static const struct og_renamed *renamed_of(const struct og_unit *unit, const struct og_item *item) {
  for (uint32_t i = 0; i < unit->renamed_count; i++)
    if (unit->renamed[i].item == item)
      return &unit->renamed[i];
  return NULL;
}

void og_emit_hoisted(struct og_unit *unit, const struct og_stretch *stretch) {
  for (uint32_t i = stretch->from; i < stretch->to; i++) {
    const struct og_item *item = &unit->items[i];
    const struct og_renamed *renamed = renamed_of(unit, item);
    if (item->kind == OG_ITEM_SCALAR)
      og_emit_scalar_item(unit, item);
    for (unsigned k = 0; renamed && k < 3; k++)
      if (renamed->op.s[k] != renamed->was->s[k])
        copy_scalar(unit, renamed->op.s[k], renamed->was->s[k], scalar_dwords(item, k) == 2);
  }
}
