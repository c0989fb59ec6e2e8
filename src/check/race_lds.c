/* race_lds.c - accesses of LDS between two openings of a work-group's barrier. When it opens, each dword
 * learns which wave has written and which has read it since; where no two waves meet at one, and all was performed, nothing
 * more is to be said. Otherwise what was logged is looked at access by access (races.c), by the clocks of waves. */
#include "check/races.h"

#include <string.h>

enum { NOBODY = 0, SEVERAL = 255 }; /* else a wave's number plus one */

void og_race_lds_begin(struct og_watch *watch, struct og_race_group *race, uint32_t size) {
  if (race->lds_size < size) {
    race->lds = OG_NEW_ARRAY(watch->arena, struct og_race_cell, size / 4 + 1);
    race->writer = OG_NEW_ARRAY(watch->arena, uint8_t, size / 4 + 1);
    race->reader = OG_NEW_ARRAY(watch->arena, uint8_t, size / 4 + 1);
    race->lds_size = size;
  } else if (race->lds_size) {
    memset(race->lds, 0, size / 4 * sizeof *race->lds);
    memset(race->writer, NOBODY, size / 4 + 1);
    memset(race->reader, NOBODY, size / 4 + 1);
  }
  race->logged = race->passed = race->floor = 0;
  race->exact = race->open = race->writes = false;
  race->low = UINT32_MAX, race->high = 0;
}

/* ---- who was where ------------------------------------------------------------------------------------------------------- */

static inline uint8_t is_other(uint8_t who, uint8_t me) { return (who != NOBODY) & (who != me); }

/* Dwords side by side; whether another wave was there, and one of the two writes. */
OG_CHECK_LANES static bool write_along(uint8_t *restrict writer, const uint8_t *restrict reader, unsigned count, uint8_t me) {
  uint8_t met = 0;
  for (unsigned i = 0; i < count; i++) {
    met |= is_other(writer[i], me) | is_other(reader[i], me);
    writer[i] = me;
  }
  return met;
}

OG_CHECK_LANES static bool read_along(const uint8_t *restrict writer, uint8_t *restrict reader, unsigned count, uint8_t me) {
  uint8_t met = 0;
  for (unsigned i = 0; i < count; i++) {
    met |= is_other(writer[i], me);
    reader[i] = reader[i] == NOBODY || reader[i] == me ? me : SEVERAL;
  }
  return met;
}

static bool along(struct og_race_group *race, uint32_t dword, unsigned count, uint8_t me, bool writes) {
  race->low = OG_MIN(race->low, dword), race->high = OG_MAX(race->high, dword + count);
  return writes ? write_along(race->writer + dword, race->reader + dword, count, me)
                : read_along(race->writer + dword, race->reader + dword, count, me);
}

static bool one(struct og_race_group *race, uint32_t dword, uint8_t me, bool writes) {
  uint8_t *writer = &race->writer[dword], *reader = &race->reader[dword];
  bool met = is_other(*writer, me);
  race->low = OG_MIN(race->low, dword), race->high = OG_MAX(race->high, dword + 1);
  if (writes) {
    met |= is_other(*reader, me);
    *writer = me;
  } else {
    *reader = *reader == NOBODY || *reader == me ? me : SEVERAL;
  }
  return met;
}

/* Lanes one by one. */
static bool apart(struct og_race_group *race, const struct og_race_entry *entry, uint64_t lanes, uint8_t me, bool writes) {
  bool met = false;
  uint32_t last = UINT32_MAX;
  for (; lanes; lanes &= lanes - 1) {
    uint32_t offset = entry->offset[__builtin_ctzll(lanes)], end = offset + entry->size;
    if (offset == last || end > entry->wave->lds_size || end < offset)
      continue;
    last = offset;
    for (uint32_t dword = offset / 4; dword <= (end - 1) / 4; dword++)
      met |= one(race, dword, me, writes);
  }
  return met;
}

/* Takes note of an access; whether another wave was at one of its dwords. */
static bool meets(struct og_race_group *race, const struct og_race_entry *entry) {
  uint8_t me = (uint8_t)(entry->wave->id + 1);
  bool writes = entry->flags & OG_RACE_WRITES, met = false;
  unsigned size = entry->size;
  for (unsigned i = 0; i < OG_LANES; i += OG_RACE_ALONG) {
    const uint32_t *offset = &entry->offset[i];
    uint64_t lanes = entry->lanes & og_race_along_mask(i);
    unsigned stride = offset[1] == offset[0] ? 0 : size, bytes = stride ? OG_RACE_ALONG * size : size;
    if (lanes == og_race_along_mask(i) && size % 4 == 0 && !og_race_strays(offset, stride) &&
        (uint64_t)offset[0] + bytes <= entry->wave->lds_size)
      met |= along(race, offset[0] / 4, bytes / 4, me, writes);
    else if (lanes)
      met |= apart(race, entry, lanes, me, writes);
  }
  return met;
}

/* ---- the log ---------------------------------------------------------------------------------------------------------------- */

/* Whether waves have met at a dword that one of them wrote. */
static bool any_meet(struct og_race_group *race) {
  bool met = false;
  for (uint32_t i = 0; race->writes && i < race->logged && !met; i++)
    met = meets(race, &race->log[i]);
  if (race->low < race->high) {
    memset(race->writer + race->low, NOBODY, race->high - race->low);
    memset(race->reader + race->low, NOBODY, race->high - race->low);
    race->low = UINT32_MAX, race->high = 0;
  }
  return met;
}

void og_race_flush(struct og_watch *watch, struct og_race_group *race, bool barrier) {
  bool exact = race->exact || race->open || !barrier || any_meet(race);
  for (uint32_t i = 0; exact && i < race->logged; i++)
    if (!og_race_replay(watch, race, &race->log[i]))
      break; /* there are too many to remember */
  race->logged = 0;
  race->writes = false;
  if (barrier && !race->open)
    race->floor = watch->next_event;
  race->exact = !barrier || race->open;
  race->open = race->open && !barrier;
}

void og_race_put_off(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op, const struct og_known *known,
                     const struct og_places *places, unsigned flags) {
  struct og_race_group *race = og_check_wave(wave)->group->race;
  struct og_race_wave *state = og_check_wave(wave)->race;
  state->touched[OG_RACE_LDS] = true;
  if (race->logged + places->pieces > OG_RACE_LOG)
    og_race_flush(watch, race, false);
  if (!race->log)
    race->log = OG_NEW_ARRAY(watch->arena, struct og_race_entry, OG_RACE_LOG);
  race->writes |= (flags & OG_RACE_WRITES) != 0;
  race->open |= state->arrived; /* between a split barrier's two halves */
  for (unsigned p = 0; p < places->pieces; p++) {
    struct og_race_entry *entry = &race->log[race->logged++];
    entry->op = op, entry->wave = wave, entry->known = known;
    entry->lanes = places->lanes[OG_SPACE_LDS], entry->clock = state->clock[OG_RACE_LDS];
    entry->flags = (uint8_t)flags, entry->size = (uint8_t)places->size;
    og_check_add(entry->offset, places->base, places->add[p]);
  }
}
