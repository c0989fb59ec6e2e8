/* extent.c - which operations may be in one stretch, run by strips of lanes. */
#include "tier/rows.h"

struct scan {
  const struct og_item *first;
  struct og_scalar_set reads, lane_reads, writes, masks;
  bool moved, stored, alone; /* `alone`: nothing else may come */
};

/* What stores is the only access of its stretch: another strip's may be to the same place, so their order must stay;
 * and another that faults has to find memory as it was. */
static bool keeps_order(struct scan *scan, const struct og_item *item, bool loop) {
  if (scan->stored || (item->write && (scan->moved || loop)))
    return false;
  scan->moved = true;
  scan->stored = item->write;
  return true;
}

static struct og_scalar_set lane_reads_of(const struct og_unit *unit, const struct og_item *item) {
  struct og_scalar_set set = {{0}};
  if (item->kind == OG_ITEM_VECTOR && og_mask_read(item) != OG_NO_CARRY)
    og_add_scalars(&set, og_mask_read(item), unit->wave32 ? 1 : 2);
  return set;
}

/* An item that writes a mask over a scalar that it reads: a stretch for itself can keep what was there. */
bool og_reads_before(const struct og_item *item, const struct og_scalar_set *reads, const struct og_scalar_set *masks) {
  if (item->kind != OG_ITEM_VECTOR || !og_scalars_meet(masks, reads))
    return false;
  const struct og_operation *op = item->does;
  for (int i = 0; i < 3; i++)
    if (og_as_is_64((enum og_as)item->types->source[i]) && !og_is_vector_place(op->s[i]) &&
        op->s[i] != OG_AT_S(OG_S_ZERO))
      return false;
  return !og_is_division(item);
}

static bool fits(const struct og_unit *unit, struct scan *scan, const struct og_item *item, bool loop) {
  struct og_scalar_set reads, writes, masks, lane_reads = lane_reads_of(unit, item);
  og_find_scalars(unit, item, &reads, &writes, &masks);
  if (scan->alone)
    return false;
  if (!loop && scan->first == item && og_reads_before(item, &reads, &masks))
    return scan->alone = true;
  if (og_scalars_meet(&reads, &scan->masks) || og_scalars_meet(&writes, &scan->masks) ||
      og_scalars_meet(&writes, &scan->lane_reads) || og_scalars_meet(&masks, &scan->reads) ||
      og_scalars_meet(&masks, &scan->writes) || og_scalars_meet(&masks, &reads))
    return false;
  if (item->kind == OG_ITEM_MEMORY && !keeps_order(scan, item, loop))
    return false;
  og_join_scalars(&scan->reads, &reads), og_join_scalars(&scan->writes, &writes), og_join_scalars(&scan->masks, &masks),
      og_join_scalars(&scan->lane_reads, &lane_reads);
  return true;
}

static bool takes_strips(const struct og_item *item) {
  return item->kind == OG_ITEM_VECTOR || item->kind == OG_ITEM_MEMORY;
}

/* Each strip does the scalar operations anew, so those at either end are left to stretches without strips, and so are
 * many in a row. */
enum { SCALARS_MOST = 3 };

uint32_t og_stretch_end(struct og_unit *unit, uint32_t from, bool loop) {
  struct scan scan = {.first = &unit->items[from]};
  if (loop) /* the branch does */
    og_add_scalars(&scan.reads, OG_AT_S(OG_S_SCC), 1);
  uint32_t at = from, scalars = 0; /* how many before `at` */
  bool vectors = false;
  while (at < unit->count && !og_is_between(&unit->items[at]) && fits(unit, &scan, &unit->items[at], loop)) {
    bool scalar = !takes_strips(&unit->items[at]);
    if (!loop && (scalar ? vectors && scalars == SCALARS_MOST : !vectors && scalars > 0))
      break;
    vectors |= !scalar;
    scalars = scalar ? scalars + 1 : 0;
    at++;
  }
  return loop || !vectors ? at : at - scalars;
}
