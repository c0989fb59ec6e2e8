/* held.c - VGPRs of a stretch: which vector registers have them, loaded and stored once for a strip, and what is kept
 * of them in the frame, should the stretch be done anew. */
#include "tier/unit.h"

#include <string.h>

/* ---- which, and where -------------------------------------------------------------------------------------------- */

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
      unit->hosts[h][best] = (uint8_t)(OG_TEMPORARIES + halves * unit->held_count + h);
    unit->held[unit->held_count++] = (uint16_t)best;
  }
}

unsigned og_halves(const struct og_unit *unit) {
  return unit->held_count && unit->hosts[1][unit->held[0]] ? 2 : 1;
}

/* ---- two strips at a time ----------------------------------------------------------------------------------------
 *
 * Most of a loop without accesses is waiting for results, which another strip's operations can fill. All its VGPRs are
 * in registers, twice. With 256 bits there is room for that where an item's temporaries take only as many registers
 * as it uses: they and the VGPRs have numbers that stand for registers, item by item. */

enum { HOSTS = 16, NARROW = 16, WIDE = 32, ALL_TEMPORARIES = (1 << OG_TEMPORARIES) - 1 };

/* The temporaries that code of an item writes. Of the code nothing stays. */
static uint32_t temporaries_of(struct og_unit *unit, const struct og_item *item) {
  struct og_encoder *e = &unit->code;
  uint32_t at = e->at, pool = e->pool_count, fixups = e->fixup_count, carry = unit->carry;
  const uint8_t *names = e->names;
  e->names = NULL;
  e->written = 0;
  og_emit_vector_item(unit, item);
  e->names = names;
  e->at = at, e->pool_count = pool, e->fixup_count = fixups, unit->carry = carry;
  return e->written & ALL_TEMPORARIES;
}

static void hold_all(struct og_unit *unit, unsigned first) {
  unit->held_count = unit->touched_count;
  for (unsigned i = 0; i < unit->touched_count; i++)
    for (unsigned h = 0; h < 2; h++) {
      unit->held[i] = unit->touched[i];
      unit->hosts[h][unit->touched[i]] = (uint8_t)(first + 2 * i + h);
    }
}

bool og_allocate_two(struct og_unit *unit, const struct og_stretch *stretch) {
  unsigned hosts = 2 * unit->touched_count, most = 0;
  if (unit->masked || !stretch->branch || hosts == 0 || og_stretch_calls(unit, stretch) ||
      hosts > (unit->code.wide ? WIDE - OG_TEMPORARIES : NARROW))
    return false;
  for (uint32_t i = stretch->from; unit->code.wide && i < stretch->to; i++) /* masks stay in registers meanwhile */
    if (unit->items[i].kind == OG_ITEM_VECTOR &&
        unit->items[i].types->flags & (OG_VECTOR_CARRY_IN | OG_VECTOR_CARRY_OUT))
      return false;
  if (unit->code.wide) {
    hold_all(unit, OG_TEMPORARIES);
    return true;
  }
  hold_all(unit, HOSTS);
  for (uint32_t i = stretch->from; i < stretch->to; i++)
    if (unit->items[i].kind == OG_ITEM_VECTOR)
      most = OG_MAX(most, (unsigned)__builtin_popcount(temporaries_of(unit, &unit->items[i])));
  if (most + hosts > NARROW)
    return false;
  for (unsigned i = 0; i < hosts; i++)
    unit->names[HOSTS + i] = (uint8_t)(most + i);
  unit->code.names = unit->names;
  return true;
}

void og_begin_half(struct og_unit *unit, const struct og_item *item, unsigned half) {
  og_set_half(unit, half);
  if (!unit->code.names)
    return;
  uint32_t used = temporaries_of(unit, item);
  uint8_t next = 0;
  for (unsigned t = 0; t < OG_TEMPORARIES; t++) /* 0 stands where an instruction has no such operand, too */
    unit->names[t] = used >> t & 1 ? next++ : 0;
}

void og_end_halves(struct og_unit *unit) {
  og_set_half(unit, 0);
  unit->code.names = NULL;
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
