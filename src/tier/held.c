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

/* ---- for a strip ------------------------------------------------------------------------------------------------- */

static unsigned halves_of(const struct og_unit *unit) {
  return unit->held_count && unit->hosts[1][unit->held[0]] ? 2 : 1;
}

void og_load_held(struct og_unit *unit, bool all) {
  for (unsigned h = 0; h < halves_of(unit); h++) {
    og_set_half(unit, h);
    for (unsigned i = 0; i < unit->held_count; i++)
      if (all || unit->read_first[unit->held[i]])
        og_emit_load(unit, unit->host[unit->held[i]], og_home(unit, unit->held[i]));
  }
  og_set_half(unit, 0);
}
void og_store_held(struct og_unit *unit) {
  for (unsigned h = 0; h < halves_of(unit); h++) {
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
