/* foresee.c - whether a stretch is worth a version on numbers, and which numbers: predicted from the wave's current
 * values, backwards from its loads. */
#include "tier/rows.h"

#include <string.h>

#include "exec/memory.h"
#include "isa/rows.h"

static const struct {
  uint16_t row;
  enum og_shaping shaping;
} shapings[] = {{OG_ROW_V_MOV_B32, OG_SHAPING_MOVE},
                {OG_ROW_V_ADD_U32, OG_SHAPING_ADD},
                {OG_ROW_V_ADD_I32, OG_SHAPING_ADD},
                {OG_ROW_V_SUB_U32, OG_SHAPING_SUB},
                {OG_ROW_V_SUB_I32, OG_SHAPING_SUB},
                {OG_ROW_V_SUBREV_U32, OG_SHAPING_SUBREV},
                {OG_ROW_V_ADD3_U32, OG_SHAPING_ADD3},
                {OG_ROW_V_LSHLREV_B32, OG_SHAPING_SHIFT_LEFT},
                {OG_ROW_V_ASHRREV_I32, OG_SHAPING_SHIFT_SIGNED},
                {OG_ROW_V_LSHL_ADD_U32, OG_SHAPING_SHIFT_ADD},
                {OG_ROW_V_ADD_LSHL_U32, OG_SHAPING_ADD_SHIFT},
                {OG_ROW_V_MUL_LO_U32, OG_SHAPING_MUL},
                {OG_ROW_V_AND_B32, OG_SHAPING_AND},
                {OG_ROW_V_OR_B32, OG_SHAPING_OR},
                {OG_ROW_V_XOR_B32, OG_SHAPING_XOR},
                {OG_ROW_V_LSHLREV_B64, OG_SHAPING_SHIFT_LEFT_64},
                {OG_ROW_V_ADD_CO_U32, OG_SHAPING_ADD_CO},
                {OG_ROW_V_ADDC_CO_U32, OG_SHAPING_ADDC}};

static uint8_t shaping_of(const struct og_item *item) {
  for (size_t i = 0; item->kind == OG_ITEM_VECTOR && !og_is_dpp(item) && i < OG_COUNT(shapings); i++)
    if (shapings[i].row == item->row->row)
      return (uint8_t)shapings[i].shaping;
  return OG_SHAPING_NONE;
}

bool og_is_shaped_load(const struct og_unit *unit, const struct og_item *item) {
  return item->kind == OG_ITEM_MEMORY && unit->shapes.scalar[item - unit->items];
}

/* ---- what addresses come from ------------------------------------------------------------------------------------ */

static void drop_written(struct og_unit *unit, unsigned vgpr, unsigned how) {
  if (how == 1)
    unit->shapes.needed[vgpr] = false;
}
static void need_read(struct og_unit *unit, unsigned vgpr, unsigned how) {
  if (how & 2)
    unit->shapes.needed[vgpr] = true;
}

static unsigned count_needed(const struct og_unit *unit) {
  unsigned count = 0;
  for (unsigned i = 0; i < unit->touched_count; i++)
    count += unit->shapes.needed[unit->touched[i]];
  return count;
}

static bool is_needed(const struct og_unit *unit, const struct og_item *item) {
  unsigned to = og_vgpr_of(item->does->d);
  return unit->shapes.needed[to] || (item->shaping == OG_SHAPING_SHIFT_LEFT_64 && unit->shapes.needed[to + 1]);
}

/* Which items lead to the addresses of the loads that are marked, with `needed` what the stretch begins with. */
static void find_needed(struct og_unit *unit, const struct og_stretch *stretch) {
  struct og_shapes *s = &unit->shapes;
  for (unsigned i = 0; i < unit->touched_count; i++)
    s->needed[unit->touched[i]] = false;
  for (uint32_t i = stretch->from; i < stretch->to; i++)
    if (unit->items[i].kind != OG_ITEM_MEMORY)
      s->scalar[i] = false;
  for (bool more = true; more;) {
    unsigned at_end = count_needed(unit);
    more = false;
    bool sum = false; /* the lower half is to come */
    for (uint32_t i = stretch->to; i-- > stretch->from;) {
      const struct og_item *item = &unit->items[i];
      if (item->kind == OG_ITEM_NOTHING || item->kind == OG_ITEM_SCALAR)
        continue;
      bool was = s->scalar[i];
      if (item->kind == OG_ITEM_VECTOR && item->shaping != OG_SHAPING_NONE &&
          (item->shaping == OG_SHAPING_ADD_CO ? sum : is_needed(unit, item)))
        s->scalar[i] = true;
      sum = item->shaping == OG_SHAPING_ADDC && s->scalar[i];
      more |= s->scalar[i] && !was;
      og_visit_vgprs(unit, item, drop_written);
      if (item->kind == OG_ITEM_VECTOR && s->scalar[i])
        og_visit_vgprs(unit, item, need_read);
      for (unsigned k = 0; og_is_shaped_load(unit, item) && k < (og_has_lane_addresses(item->access) ? 2u : 1u); k++)
        s->needed[og_vgpr_of(item->op->s[0]) + k] = true;
    }
    if (!stretch->branch)
      return;
    more |= count_needed(unit) != at_end; /* what a loop needs at its begin, it needs at its end */
  }
}

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

/* What the VGPR is in the wave's first strip. */
static struct og_lane_shape foresee(const struct og_unit *unit, unsigned vgpr) {
  const uint32_t *lanes = unit->wave->v[vgpr];
  struct og_lane_shape shape = {.kind = OG_SHAPE_ONE, .step = lanes[1] - lanes[0]};
  if (shape.step > OG_SHAPE_STEP_MOST)
    return (struct og_lane_shape){.kind = OG_SHAPE_NONE};
  for (unsigned i = 1; i < unit->shapes.lanes; i++)
    if (lanes[i] - lanes[i - 1] != shape.step)
      return (struct og_lane_shape){.kind = OG_SHAPE_NONE};
  shape.zero = shape.step == 0 && lanes[0] == 0;
  return shape;
}

/* Vectors made of it need its number. */
static void want_lanes(struct og_unit *unit, unsigned vgpr, unsigned how) {
  if (how & 2)
    og_want_shape(unit, vgpr);
}

static bool is_of_lds(const struct og_item *item) { return item->access->addressing == OG_ADDRESS_LDS; }

/* From the begin to the end; loads whose addresses have no shape are marked so. */
static void walk(struct og_unit *unit, const struct og_stretch *stretch) {
  struct og_shapes *s = &unit->shapes;
  s->slot_count = s->pair_count = s->limit_count = s->row_count = 0;
  for (unsigned i = 0; i < unit->touched_count; i++) {
    unsigned v = unit->touched[i];
    s->slot[v] = 0, s->lds_end[v] = 0;
    s->now[v] = s->entry[v], s->now[v + 1] = s->entry[v + 1];
  }
  for (uint32_t i = stretch->from; i < stretch->to; i++) {
    const struct og_item *item = &unit->items[i];
    uint32_t step;
    if (item->kind == OG_ITEM_MEMORY && s->scalar[i] && (s->scalar[i] = og_has_shaped_address(unit, item, &step))) {
      og_want_address(unit, item);
      s->row_count += !is_of_lds(item) && item->access->width == OG_WIDTH_32 && step == 4;
      unsigned v = og_vgpr_of(item->op->s[0]);
      uint32_t end = (uint32_t)item->op->constant[0] + og_access_end(item->access);
      if (is_of_lds(item))
        s->lds_end[v] = OG_MAX(s->lds_end[v], end);
      else if (stretch->branch && s->limit_count < OG_SHAPE_LIMITS)
        s->limits[s->limit_count++] =
            (struct og_shape_limit){item, (s->lanes - 1) * step + og_access_end(item->access)};
    }
    if (item->kind == OG_ITEM_VECTOR && s->scalar[i] && og_shape_item(unit, item))
      continue;
    if (item->kind == OG_ITEM_VECTOR)
      s->scalar[i] = false;
    og_visit_vgprs(unit, item, want_lanes);
    og_unshape_results(unit, item);
  }
}

/* Until a loop ends with the shapes that it begins with. */
static void settle(struct og_unit *unit, const struct og_stretch *stretch) {
  struct og_shapes *s = &unit->shapes;
  for (unsigned i = 0; i < unit->touched_count; i++) {
    unsigned v = unit->touched[i];
    s->entry[v] =
        unit->read_first[v] && s->needed[v] ? foresee(unit, v) : (struct og_lane_shape){.kind = OG_SHAPE_NONE};
    s->entry[v + 1] = (struct og_lane_shape){.kind = OG_SHAPE_NONE};
  }
  for (unsigned i = 0; i < unit->touched_count; i++) {
    unsigned v = unit->touched[i];
    if (unit->read_first[v] && s->needed[v])
      s->entry[v] = foresee(unit, v);
  }
  for (bool more = true; more;) {
    more = false;
    walk(unit, stretch);
    for (unsigned i = 0; stretch->branch && i < unit->touched_count; i++) {
      unsigned v = unit->touched[i];
      struct og_lane_shape *entry = &s->entry[v], *end = &s->now[v];
      if (entry->kind == OG_SHAPE_NONE || !unit->written[v])
        continue;
      if (entry->kind != end->kind || entry->step != end->step || (end->zero && !entry->zero))
        more = true, *entry = (struct og_lane_shape){.kind = OG_SHAPE_NONE};
      else if (entry->zero && !end->zero)
        more = true, entry->zero = false;
    }
  }
}

static unsigned shaped_loads(const struct og_unit *unit, const struct og_stretch *stretch, bool *all) {
  unsigned count = 0;
  *all = true;
  for (uint32_t i = stretch->from; i < stretch->to; i++) {
    count += og_is_shaped_load(unit, &unit->items[i]);
    *all &= unit->items[i].kind != OG_ITEM_MEMORY || unit->shapes.scalar[i];
  }
  return count;
}

/* The slots that are used most are registers. */
static void give_registers(struct og_shapes *s) {
  static const uint8_t registers[] = {OG_R8, OG_R9, OG_R10, OG_R11, OG_RDI, OG_RBP};
  for (unsigned i = 0; i < s->slot_count; i++)
    s->slot_register[i] = -1;
  for (size_t k = 0; k < OG_COUNT(registers); k++) {
    unsigned best = OG_SHAPE_SLOTS;
    for (unsigned i = 0; i < s->slot_count; i++)
      if (s->slot_register[i] < 0 && (best == OG_SHAPE_SLOTS || s->slot_uses[i] > s->slot_uses[best]))
        best = i;
    if (best != OG_SHAPE_SLOTS)
      s->slot_register[best] = (int8_t)registers[k];
  }
}

/* Loads of dwords; 64 bits of global memory are moved as such. */
static bool can_be_shaped(const struct og_unit *unit, const struct og_item *item) {
  if (item->access->addressing == OG_ADDRESS_FLAT && !unit->eager &&
      og_window_of(unit->wave, item->op, false)->size == 0)
    return false; /* it is of LDS */
  return !item->write && item->access->width >= OG_WIDTH_32 && (item->access->width != OG_WIDTH_64 || is_of_lds(item));
}

static unsigned foresee_all(struct og_unit *unit, const struct og_stretch *stretch, unsigned lanes, bool *all) {
  struct og_shapes *s = &unit->shapes;
  s->lanes = lanes;
  s->emits = s->failed = false;
  for (uint32_t i = stretch->from; i < stretch->to; i++)
    s->scalar[i] = unit->items[i].kind == OG_ITEM_MEMORY && can_be_shaped(unit, &unit->items[i]);
  unsigned before = 0, count = shaped_loads(unit, stretch, all);
  do { /* what leads to addresses without a shape is left alone */
    before = count;
    find_needed(unit, stretch);
    settle(unit, stretch);
    count = shaped_loads(unit, stretch, all);
  } while (count != before && count > 0);
  return s->failed ? 0 : count;
}

/* Whether all accesses are of LDS at addresses that come from before the stretch, and all else is done on vectors. */
static bool is_sure(const struct og_unit *unit, const struct og_stretch *stretch) {
  for (uint32_t i = stretch->from; i < stretch->to; i++) {
    const struct og_item *item = &unit->items[i];
    bool scalar = unit->shapes.scalar[i];
    if (item->kind == OG_ITEM_MEMORY && (!scalar || !is_of_lds(item) || unit->written[og_vgpr_of(item->op->s[0])]))
      return false;
    if (item->kind == OG_ITEM_VECTOR && (scalar || og_is_division(item) || og_is_dpp(item)))
      return false;
  }
  return stretch->branch == NULL;
}

/* Loads, where there is no loop and none of them is of dwords side by side. */
enum { ENOUGH = 4 };

bool og_find_shapes(struct og_unit *unit, const struct og_stretch *stretch) {
  struct og_shapes *s = &unit->shapes;
  struct og_scalar_set reads, writes, masks;
  bool all = true;
  memset(s->scalars_written, 0, sizeof s->scalars_written);
  s->first = &unit->items[stretch->from];
  for (uint32_t i = stretch->from; i < stretch->to; i++) {
    unit->items[i].shaping = shaping_of(&unit->items[i]);
    og_find_scalars(unit, &unit->items[i], &reads, &writes, &masks);
    for (int k = 0; k < 3; k++)
      s->scalars_written[k] |= writes.bits[k] | masks.bits[k];
  }
  unsigned count = foresee_all(unit, stretch, 16, &all);
  s->halves = unit->code.wide ? 1 : 2;
  for (uint32_t i = stretch->from; i < stretch->to; i++) /* what handlers do is of one vector */
    all &= !og_is_division(&unit->items[i]);
  if (!unit->code.wide && (count == 0 || !all)) {
    count = foresee_all(unit, stretch, 8, &all);
    s->halves = 1;
  }
  if (count < (stretch->branch || s->row_count ? 1 : ENOUGH))
    return false;
  give_registers(s);
  s->sure = is_sure(unit, stretch);
  return true;
}
