/* race_lds.c - accesses of LDS between two openings of a work-group's barrier. In between waves mostly keep to parts of
 * their own; one bit for each of 64 parts shows that when the barrier opens. If they do not, it is found for each dword
 * which wave wrote it and which read it: if no two waves share a dword, and all accesses were performed, there is no
 * race. Otherwise the log is checked access by access (races.c), by the waves' clocks. */
#include "check/races.h"

#include <string.h>

enum { NOBODY = 0, SEVERAL = 255 }; /* other values are a wave's number plus one */

static void clear_parts(struct og_race_group *race) {
  og_check_clear(race->parts, OG_MIN(race->group->wave_count, (uint32_t)OG_RACE_WAVES) * sizeof *race->parts);
}

void og_race_lds_begin(struct og_watch *watch, struct og_race_group *race, uint32_t size) {
  if (race->lds_size < size) {
    race->lds = OG_NEW_ARRAY(watch->arena, struct og_race_cell, size / 4 + 1);
    race->writer = OG_NEW_ARRAY(watch->arena, uint8_t, size / 4 + OG_RACE_ALONG);
    race->reader = OG_NEW_ARRAY(watch->arena, uint8_t, size / 4 + OG_RACE_ALONG);
    race->lds_size = size;
  } /* nothing is left of the work-group before: any_meet() has cleared it, and the events in cells are below the
       floor */
  race->log.count = race->bases.count = race->passed = 0;
  race->floor = watch->next_event;
  race->log_number += race->log_number == 0;
  race->part_bits = 0;
  while (size >> race->part_bits > 64)
    race->part_bits++;
  clear_parts(race);
  race->exact = race->open = race->writes = false;
  race->low = UINT32_MAX, race->high = 0;
}

/* ---- parts ------------------------------------------------------------------------------------------------------- */

/* The parts from an access's first lane to its last. */
static uint64_t parts_of(const struct og_race_group *race, uint32_t least, uint32_t most, uint32_t add, unsigned size) {
  uint64_t first = ((uint64_t)least + add) >> race->part_bits,
           last = ((uint64_t)most + add + size - 1) >> race->part_bits;
  return last > 63 ? UINT64_MAX : (2ull << last) - (1ull << first); /* the bits from `first` to `last` */
}

/* Parts that one wave wrote and another touched. */
static uint64_t shared_parts(struct og_race_group *race, uint32_t waves) {
  uint64_t read = 0, written = 0, shared = waves <= OG_RACE_WAVES ? 0 : UINT64_MAX;
  for (uint32_t i = 0; i < OG_MIN(waves, (uint32_t)OG_RACE_WAVES); i++) {
    const uint64_t *mine = race->parts[i];
    shared |= (mine[true] & (read | written)) | (mine[false] & written);
    read |= mine[false], written |= mine[true];
  }
  return shared;
}

/* ---- who was where ----------------------------------------------------------------------------------------------- */

static inline uint8_t is_other(uint8_t who, uint8_t me) { return (who != NOBODY) & (who != me); }

/* Notes a write to consecutive dwords; whether another wave has accessed one of them. (A read has its own loop.) */
OG_CHECK_LANES(bool, write_along,
               (uint8_t *restrict writer, const uint8_t *restrict reader, unsigned count, uint8_t me),
               (writer, reader, count, me), {
  uint8_t met = 0;
  for (unsigned i = 0; i < count; i++) {
    met |= is_other(writer[i], me) | is_other(reader[i], me);
    writer[i] = me;
  }
  return met;
})

OG_CHECK_LANES(bool, read_along, (const uint8_t *restrict writer, uint8_t *restrict reader, unsigned count, uint8_t me),
               (writer, reader, count, me), {
  uint8_t met = 0;
  for (unsigned i = 0; i < count; i++) {
    met |= is_other(writer[i], me);
    reader[i] = reader[i] == NOBODY || reader[i] == me ? me : SEVERAL;
  }
  return met;
})

static bool along(struct og_race_group *race, uint32_t offset, unsigned bytes, uint8_t me, bool writes) {
  uint8_t *writer = race->writer + offset / 4, *reader = race->reader + offset / 4;
  return writes ? write_along(writer, reader, bytes / 4, me) : read_along(writer, reader, bytes / 4, me);
}

static inline bool one(struct og_race_group *race, uint32_t dword, uint8_t me, bool writes) {
  uint8_t *writer = &race->writer[dword], *reader = &race->reader[dword];
  bool met = is_other(*writer, me);
  if (writes) {
    met |= is_other(*reader, me);
    *writer = me;
  } else {
    *reader = *reader == NOBODY || *reader == me ? me : SEVERAL;
  }
  return met;
}

/* The same for lanes one by one, which access whole dwords within LDS. */
static bool apart(struct og_race_group *race, const uint32_t *offset, uint32_t add, unsigned size, uint64_t lanes,
                  uint8_t me, bool writes) {
  bool met = false;
  for (; lanes; lanes &= lanes - 1) {
    uint32_t dword = (offset[__builtin_ctzll(lanes)] + add) / 4;
    for (uint32_t end = dword + size / 4; dword < end; dword++)
      met |= one(race, dword, me, writes);
  }
  return met;
}

/* The same for any addresses; what is beyond LDS accesses nothing. */
static bool anywhere(struct og_race_group *race, const uint32_t *offsets, uint32_t add, unsigned size, uint64_t lanes,
                     uint32_t lds_size, uint8_t me, bool writes) {
  bool met = false;
  for (; lanes; lanes &= lanes - 1) {
    uint32_t offset = offsets[__builtin_ctzll(lanes)] + add, end = offset + size;
    if (end > lds_size || end < offset)
      continue;
    race->low = OG_MIN(race->low, offset / 4), race->high = OG_MAX(race->high, (end - 1) / 4 + 1);
    for (uint32_t dword = offset / 4; dword <= (end - 1) / 4; dword++)
      met |= one(race, dword, me, writes);
  }
  return met;
}

/* Notes an access; whether it meets that of another wave at a dword, and one of the two is a write. */
static bool meets(struct og_race_group *race, const struct og_race_entry *entry, uint32_t add) {
  const struct og_race_base *base = &race->bases.items[entry->base];
  uint8_t me = (uint8_t)(entry->wave + 1);
  bool writes = entry->flags & OG_RACE_WRITES, met = false;
  uint32_t size = entry->size, lds_size = og_group_wave(race->group, entry->wave)->lds_size;
  uint64_t end = (uint64_t)base->most + add + size;
  if ((base->low_bits | add | size) % 4 || end > lds_size)
    return anywhere(race, base->offset, add, size, base->lanes, lds_size, me, writes);
  race->low = OG_MIN(race->low, (base->least + add) / 4), race->high = OG_MAX(race->high, (uint32_t)(end / 4));
  for (unsigned i = 0; i < OG_LANES; i += OG_RACE_ALONG) {
    const uint32_t *offset = &base->offset[i];
    uint64_t lanes = base->lanes & og_race_along_mask(i);
    unsigned stride = offset[1] == offset[0] ? 0 : size;
    if (lanes == og_race_along_mask(i) && !og_race_strays(offset, stride))
      met |= along(race, offset[0] + add, stride ? OG_RACE_ALONG * size : size, me, writes);
    else
      met |= apart(race, base->offset, add, size, lanes, me, writes);
  }
  return met;
}

/* ---- the log ----------------------------------------------------------------------------------------------------- */

/* Whether waves have met at a dword that one of them wrote, by all entries of the log. */
static bool any_meet(struct og_race_group *race) {
  bool met = false;
  if (!race->writes || !race->log.count)
    return false;
  uint64_t shared = shared_parts(race, race->group->wave_count);
  for (uint32_t i = 0; shared && i < race->log.count && !met; i++) {
    const struct og_race_entry *entry = &race->log.items[i];
    const struct og_race_base *base = &race->bases.items[entry->base];
    for (unsigned p = 0; p < entry->pieces; p++)
      if (shared & parts_of(race, base->least, base->most, entry->add[p], entry->size))
        met |= meets(race, entry, entry->add[p]);
  }
  if (race->low < race->high) {
    memset(race->writer + race->low, NOBODY, race->high - race->low);
    memset(race->reader + race->low, NOBODY, race->high - race->low);
    race->low = UINT32_MAX, race->high = 0;
  }
  return met;
}

void og_race_flush(struct og_watch *watch, struct og_race_group *race, bool barrier) {
  bool exact = race->exact || race->open || !barrier || any_meet(race);
  for (uint32_t i = 0; exact && i < race->log.count; i++)
    if (!og_race_replay(watch, race, &race->log.items[i]))
      break; /* there are too many offsets to keep */
  if (race->log.count)
    clear_parts(race);
  race->log.count = race->bases.count = 0;
  race->log_number += race->log_number == UINT32_MAX ? 2 : 1;
  race->writes = false;
  if (barrier && !race->open)
    race->floor = watch->next_event;
  race->exact = !barrier || race->open;
  race->open = race->open && !barrier;
}

/* The number of a wave's offsets in the log. */
static uint32_t base_of(struct og_watch *watch, struct og_race_group *race, struct og_lds_base *from) {
  if (from->log == race->log_number)
    return from->number;
  struct og_race_base *base = OG_PUSH(watch->arena, &race->bases);
  base->lanes = from->lanes, base->least = from->least, base->most = from->most, base->low_bits = from->low_bits;
  memcpy(base->offset, from->offset, sizeof base->offset);
  from->log = race->log_number;
  return from->number = race->bases.count - 1;
}

void og_race_put_off(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                     const struct og_known *known, struct og_places *places, unsigned flags) {
  struct og_race_group *race = og_check_wave(wave)->group->race;
  struct og_race_wave *state = og_check_wave(wave)->race;
  state->touched[OG_RACE_LDS] = true;
  if (race->log.count == OG_RACE_LOG || race->bases.count == OG_RACE_BASES)
    og_race_flush(watch, race, false);
  race->writes |= (flags & OG_RACE_WRITES) != 0;
  race->open |= state->arrived; /* a wave is between the two halves of a barrier */
  uint32_t base = base_of(watch, race, places->base);
  uint64_t parts = 0;
  for (unsigned p = 0; p < places->pieces; p++)
    parts |= parts_of(race, places->base->least, places->base->most, places->add[p], places->size);
  race->parts[wave->id % OG_RACE_WAVES][(flags & OG_RACE_WRITES) != 0] |= parts;
  struct og_race_entry *entry = OG_PUSH(watch->arena, &race->log);
  entry->known = known, entry->word = (uint32_t)(op - wave->program->operations), entry->wave = (uint8_t)wave->id;
  entry->clock = state->clock[OG_RACE_LDS], entry->base = (uint16_t)base;
  entry->add[0] = places->add[0], entry->add[1] = places->add[1];
  entry->flags = (uint8_t)flags, entry->size = (uint8_t)places->size, entry->pieces = (uint8_t)places->pieces;
}
