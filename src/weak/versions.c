/* versions.c - what memory held before: for each dword that was stored to, the versions that caches may still hold.
 * What was stored last is in the process's memory. */
#include "weak/inside.h"

#include <stdlib.h>
#include <string.h>

static size_t slot_of(const struct og_weak_dwords *d, uint64_t address) {
  size_t slot = (size_t)((address >> 2) * 0x9e3779b97f4a7c15u >> 20) & (d->size - 1);
  while (d->table[slot] && d->table[slot]->address != address)
    slot = (slot + 1) & (d->size - 1);
  return slot;
}

/* NULL: nothing was stored there. */
static struct og_weak_dword *find_dword(const struct og_weak_dwords *d, uint64_t address) {
  return d->size ? d->table[slot_of(d, address)] : NULL;
}

static bool is_fine(const struct og_weak_execution *w, uint64_t address) {
  for (size_t i = 0; i < w->fine_count; i++)
    if (address >= w->fine[i].start && address < w->fine[i].end)
      return true;
  return false;
}

static struct og_weak_dword *make_dword(struct og_weak_execution *w, uint64_t address, uint32_t value) {
  struct og_weak_dwords *d = &w->dwords;
  if (2 * (d->used + 1) > d->size) {
    struct og_weak_dword **old = d->table;
    size_t size = d->size;
    d->size = OG_MAX(2 * size, (size_t)1024);
    d->table = og_checked_realloc(NULL, d->size * sizeof *d->table);
    memset(d->table, 0, d->size * sizeof *d->table);
    for (size_t i = 0; i < size; i++)
      if (old[i])
        d->table[slot_of(d, old[i]->address)] = old[i];
    free(old);
  }
  struct og_weak_dword *dword = og_checked_realloc(NULL, sizeof *dword);
  *dword = (struct og_weak_dword){.address = address};
  og_weak_place_init(&dword->place, value);
  dword->place.fine = is_fine(w, address);
  d->table[slot_of(d, address)] = dword;
  d->used++;
  return dword;
}

void og_weak_forget(struct og_weak_execution *w) {
  for (size_t i = 0; i < w->dwords.size; i++)
    free(w->dwords.table[i]);
  free(w->dwords.table);
  w->dwords = (struct og_weak_dwords){0};
}

/* Adds a new version, or replaces one that another lane of the same access has stored: a wave's access is one event. */
static void store(struct og_weak_execution *w, struct og_weak_dword *dword, unsigned node, unsigned reach,
                  uint32_t value) {
  struct og_weak_place *place = &dword->place;
  if (dword->time[place->newest] == w->now) {
    place->value[place->newest] = value;
    return;
  }
  if (place->newest + 1 == OG_WEAK_VERSIONS) /* the oldest is forgotten */
    memmove(dword->time, dword->time + 1, sizeof dword->time - sizeof dword->time[0]);
  og_weak_store(&w->system, place, node, w->keeps ? (enum og_weak_level)reach : OG_WEAK_MEMORY, value);
  dword->time[place->newest] = w->now;
}

void og_weak_note(struct og_weak_execution *w, const struct og_weak_pending *p, uint64_t address, const uint8_t *before,
                  const uint8_t *after, unsigned size) {
  for (uint64_t at = address & ~3ull; at < address + size; at += 4) {
    uint32_t old = 0, new = 0;
    memcpy(&old, before + (at - (address & ~3ull)), 4);
    memcpy(&new, after + (at - (address & ~3ull)), 4);
    struct og_weak_dword *dword = find_dword(&w->dwords, at);
    if (!dword)
      dword = make_dword(w, at, old);
    store(w, dword, p->node, p->known->inst.reach, new);
  }
}

/* Takes in a change made to memory without this observer (by an atomic on an image, or the host): it is visible to all
 * at once. */
static void notice(struct og_weak_execution *w, struct og_weak_dword *dword, unsigned node) {
  const void *at = og_deferred_place(w->current, dword->address, 4, false);
  uint32_t value;
  if (!at || (memcpy(&value, at, 4), value == dword->place.value[dword->place.newest]))
    return;
  w->now++;
  store(w, dword, node, OG_WEAK_MEMORY, value);
}

void og_weak_load(struct og_weak_execution *w, unsigned node, unsigned reach, uint64_t time, uint64_t address,
                  void *bytes, unsigned size) {
  for (uint64_t at = address & ~3ull; at < address + size; at += 4) {
    struct og_weak_dword *dword = find_dword(&w->dwords, at);
    if (!dword)
      continue;
    notice(w, dword, node);
    unsigned choices = og_weak_choices(&w->system, &dword->place, node, (enum og_weak_level)reach), version = 0;
    for (unsigned left = choices; left; left &= left - 1) {
      unsigned candidate = (unsigned)__builtin_ctz(left);
      if (left == choices || dword->time[candidate] <= time)
        version = candidate;
    }
    og_weak_found(&w->system, &dword->place, node, version);
    for (uint64_t byte = OG_MAX(at, address); byte < OG_MIN(at + 4, address + size); byte++)
      ((uint8_t *)bytes)[byte - address] = (uint8_t)(dword->place.value[version] >> 8 * (byte - at));
  }
}

void og_weak_go_back(struct og_weak_execution *w, unsigned node, unsigned reach, uint64_t address, uint8_t *at) {
  const struct og_weak_dword *dword = find_dword(&w->dwords, address);
  if (!dword)
    return;
  unsigned version = og_weak_latest(&w->system, &dword->place, node, (enum og_weak_level)reach);
  if (version != dword->place.newest)
    og_store32(at, (uint32_t)dword->place.value[version]);
}
