/* held.c - VGPRs of a stretch: which vector registers have them, loaded and stored once for a strip, and what is kept
 * of them in the frame, should the stretch be done anew. */
#include "tier/unit.h"

#include <string.h>

/* ---- what is touched --------------------------------------------------------------------------------------------- */

static void touch(struct og_unit *unit, unsigned vgpr, unsigned how) {
  if (unit->touches[vgpr] == 0)
    unit->touched[unit->touched_count++] = (uint16_t)vgpr;
  unit->read_first[vgpr] |= unit->touches[vgpr] == 0 && how & 2;
  unit->written_late[vgpr] |= unit->touches[vgpr] == 0 && unit->moved;
  unit->touches[vgpr]++;
  unit->written[vgpr] |= how & 1;
}

static void forget(struct og_unit *unit, unsigned vgpr, unsigned how) {
  (void)how;
  unit->touches[vgpr] = 0;
  unit->written[vgpr] = unit->read_first[vgpr] = unit->written_late[vgpr] = false;
  unit->hosts[0][vgpr] = unit->hosts[1][vgpr] = 0;
}

void og_release(struct og_unit *unit, const struct og_stretch *stretch) {
  for (uint32_t i = stretch->from; i < stretch->to; i++)
    og_visit_vgprs(unit, &unit->items[i], forget);
}

void og_find_touched(struct og_unit *unit, const struct og_stretch *stretch) {
  og_set_half(unit, 0);
  og_release(unit, stretch);
  unit->moved = false;
  unit->touched_count = 0;
  for (uint32_t i = stretch->from; i < stretch->to; i++) {
    unit->moved |= unit->items[i].kind == OG_ITEM_MEMORY;
    og_visit_vgprs(unit, &unit->items[i], touch);
  }
}

static void count(struct og_unit *unit, unsigned vgpr, unsigned how) {
  (void)how;
  unit->touches[vgpr]++;
}
static void count_written(struct og_unit *unit, unsigned vgpr, unsigned how) { unit->touches[vgpr] += how & 1; }

/* VGPRs that items touch at least `least` times, the most used first, until `room` are held in registers from `first`
 * on, `halves` of them each. */
static void hold_most_used(struct og_unit *unit, unsigned least, unsigned room, unsigned first, unsigned halves) {
  while (unit->held_count < room) {
    unsigned best = OG_PLACES;
    for (unsigned i = 0; i < unit->touched_count; i++) {
      unsigned v = unit->touched[i];
      if (!unit->host[v] && unit->touches[v] >= least && (best == OG_PLACES || unit->touches[v] > unit->touches[best]))
        best = v;
    }
    if (best == OG_PLACES)
      break;
    for (unsigned h = 0; h < halves; h++)
      unit->hosts[h][best] = (uint8_t)(first + halves * unit->held_count + h);
    unit->held[unit->held_count++] = (uint16_t)best;
  }
}

static void hold_none(struct og_unit *unit) {
  for (unsigned i = 0; i < unit->held_count; i++)
    unit->hosts[0][unit->held[i]] = unit->hosts[1][unit->held[i]] = 0;
  unit->held_count = 0;
}

unsigned og_halves(const struct og_unit *unit) {
  return unit->held_count && unit->hosts[1][unit->held[0]] ? 2 : 1;
}

/* ---- packed temporaries ------------------------------------------------------------------------------------------
 *
 * With 256 bits there are few registers. Where nothing but vector items and sure loads has code in a stretch, their
 * temporaries take only as many as the one item uses that uses most. These and the VGPRs have numbers then that stand
 * for registers, item by item. */

enum { HOSTS = 16, NARROW = 16, WIDE = 32, ALL_TEMPORARIES = (1 << OG_TEMPORARIES) - 1 };

/* The temporaries that code of an item writes. Of the code nothing stays. */
static uint8_t temporaries_of(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  uint32_t at = e->at, pool = e->pool_count, fixups = e->fixup_count, carry = unit->carry;
  e->notes = true;
  e->written = 0;
  if (item->kind == OG_ITEM_MEMORY)
    og_emit_sure_load(unit, item);
  else
    og_emit_vector_item(unit, item);
  e->notes = false;
  e->at = at, e->pool_count = pool, e->fixup_count = fixups, unit->carry = carry;
  return e->written & ALL_TEMPORARIES;
}

/* How many the item has that uses most. */
static unsigned most_temporaries(struct og_unit *unit, const struct og_stretch *stretch) {
  unsigned most = 0;
  for (uint32_t i = stretch->from; i < stretch->to; i++)
    if (unit->items[i].kind == OG_ITEM_VECTOR || unit->items[i].kind == OG_ITEM_MEMORY) {
      unit->temporaries[i] = temporaries_of(unit, &unit->items[i]);
      most = OG_MAX(most, (unsigned)__builtin_popcount(unit->temporaries[i]));
    }
  return most;
}

/* From here on numbers stand for registers: temporaries for the first ones, VGPRs for those that follow. */
static void name_registers(struct og_unit *unit, unsigned temporaries) {
  for (unsigned i = 0; i < NARROW; i++)
    unit->names[HOSTS + i] = (uint8_t)(temporaries + i);
  unit->names[OG_EXEC_LANES] = OG_EXEC_LANES;
  unit->code.names = unit->names;
}

void og_begin_half(struct og_unit *unit, const struct og_item *item, unsigned half) {
  og_set_half(unit, half);
  if (!unit->code.names)
    return;
  uint8_t next = 0;
  for (unsigned t = 0; t < OG_TEMPORARIES; t++) /* 0 stands where an instruction has no such operand, too */
    unit->names[t] = unit->temporaries[item - unit->items] >> t & 1 ? next++ : 0;
}

void og_end_halves(struct og_unit *unit) {
  og_set_half(unit, 0);
  unit->code.names = NULL;
}

/* Where more VGPRs want registers than there are beside all temporaries: more of them. */
static void hold_more(struct og_unit *unit, const struct og_stretch *stretch, unsigned least, unsigned halves) {
  unsigned limit = unit->masked ? OG_EXEC_LANES : NARROW, held = unit->held_count;
  for (unsigned i = 0; i < halves * held; i++)
    unit->hosts[i % halves][unit->held[i / halves]] = (uint8_t)(HOSTS + i);
  unsigned most = most_temporaries(unit, stretch);
  hold_most_used(unit, least, (limit - most) / halves, HOSTS, halves);
  if (most_temporaries(unit, stretch) > most) { /* what is in registers may need others */
    for (; unit->held_count > held; unit->held_count--)
      unit->hosts[0][unit->held[unit->held_count - 1]] = unit->hosts[1][unit->held[unit->held_count - 1]] = 0;
    most_temporaries(unit, stretch);
  }
  name_registers(unit, most);
}

/* ---- which, and where -------------------------------------------------------------------------------------------- */

/* At least twice, but in a loop. */
void og_allocate(struct og_unit *unit, const struct og_stretch *stretch, bool shaped) {
  for (unsigned i = 0; i < unit->touched_count; i++) {
    unsigned v = unit->touched[i];
    unit->touches[v] = 0;
    unit->hosts[0][v] = unit->hosts[1][v] = 0;
  }
  for (uint32_t i = stretch->from; i < stretch->to; i++)
    if (!shaped || !unit->shapes.scalar[i])
      og_visit_vgprs(unit, &unit->items[i], shaped && og_is_shaped_load(unit, &unit->items[i]) ? count_written : count);
  unsigned halves = shaped ? unit->shapes.halves : 1, least = stretch->branch ? 1 : 2;
  unsigned room = ((unit->code.wide ? 32 : OG_EXEC_LANES) - OG_TEMPORARIES) / halves;
  unit->held_count = 0;
  hold_most_used(unit, least, room, OG_TEMPORARIES, halves);
  if (unit->held_count == room && !unit->code.wide && (shaped ? unit->shapes.sure : !og_stretch_calls(unit, stretch)))
    hold_more(unit, stretch, least, halves);
}

/* Most of a loop without accesses is waiting for results, which another strip's operations can fill. All its VGPRs are
 * in registers, twice. */
bool og_allocate_two(struct og_unit *unit, const struct og_stretch *stretch) {
  unsigned hosts = 2 * unit->touched_count;
  if (unit->masked || !stretch->branch || hosts == 0 || og_stretch_calls(unit, stretch) ||
      hosts > (unit->code.wide ? WIDE - OG_TEMPORARIES : NARROW))
    return false;
  for (uint32_t i = stretch->from; unit->code.wide && i < stretch->to; i++) /* masks stay in registers meanwhile */
    if (unit->items[i].kind == OG_ITEM_VECTOR &&
        unit->items[i].types->flags & (OG_VECTOR_CARRY_IN | OG_VECTOR_CARRY_OUT))
      return false;
  hold_none(unit);
  hold_most_used(unit, 0, unit->touched_count, unit->code.wide ? OG_TEMPORARIES : HOSTS, 2);
  if (unit->code.wide)
    return true;
  unsigned most = most_temporaries(unit, stretch);
  if (most + hosts > NARROW) {
    hold_none(unit);
    return false;
  }
  name_registers(unit, most);
  return true;
}

/* ---- for a strip ------------------------------------------------------------------------------------------------- */

void og_load_held(struct og_unit *unit, bool all) {
  for (unsigned h = 0; h < og_halves(unit); h++) {
    og_set_half(unit, h);
    for (unsigned i = 0; i < unit->held_count; i++)
      if (all || unit->read_first[unit->held[i]])
        og_emit_load(unit, unit->host[unit->held[i]], og_home(unit, unit->held[i]));
  }
  og_set_half(unit, 0);
}
void og_store_held(struct og_unit *unit) {
  for (unsigned h = 0; h < og_halves(unit); h++) {
    og_set_half(unit, h);
    for (unsigned i = 0; i < unit->held_count; i++)
      if (unit->written[unit->held[i]])
        og_emit_store(unit, og_home(unit, unit->held[i]), unit->host[unit->held[i]]);
  }
  og_set_half(unit, 0);
}

/* ---- what is kept ------------------------------------------------------------------------------------------------ */

/* VGPRs of which the strip's part is kept, for they are read before they are written, or written behind what may fault:
 * their places in the frame. */
static bool is_saved(const struct og_unit *unit, unsigned vgpr) {
  return unit->written[vgpr] && (unit->read_first[vgpr] || unit->written_late[vgpr]);
}
static struct og_place saved_place(const struct og_unit *unit, unsigned number) {
  return og_place_memory(OG_RSP, OG_R12, OG_FRAME_VGPRS + OG_AT_ROW * number + 32 * unit->half);
}

void og_copy_saved(struct og_unit *unit, bool back) {
  for (unsigned i = 0, number = 0; i < unit->touched_count; i++) {
    unsigned v = unit->touched[i];
    if (!is_saved(unit, v))
      continue;
    if (number == OG_SAVED_MOST) {
      unit->code.full = true;
      return;
    }
    unsigned reg = unit->host[v] && !back ? unit->host[v] : OG_T0;
    if (back || reg == OG_T0)
      og_emit_load(unit, reg, back ? saved_place(unit, number) : og_home(unit, v));
    og_emit_store(unit, back ? og_home(unit, v) : saved_place(unit, number), reg);
    number++;
  }
}
