/* memory.c - places and caches: what a load may find, what stores and invalidations change. */
#include "weak/weak.h"

#include <string.h>

unsigned og_weak_add(struct og_weak_system *system, enum og_weak_level level, unsigned parent) {
  if (system->count == OG_WEAK_NODES)
    return OG_WEAK_NO_NODE;
  system->parent[system->count] = (uint8_t)parent;
  system->level[system->count] = (uint8_t)level;
  return system->count++;
}

void og_weak_place_init(struct og_weak_place *place, uint64_t value) {
  *place = (struct og_weak_place){.value = {value}, .owner = {OG_WEAK_NO_NODE}};
}

/* The first cache from `node` on, towards memory, of that level or a farther one. */
static unsigned node_at(const struct og_weak_system *system, unsigned node, enum og_weak_level level) {
  while (node != OG_WEAK_NO_NODE && system->level[node] < level)
    node = system->parent[node];
  return node;
}

static unsigned l2_of(const struct og_weak_system *system, unsigned node) { return node_at(system, node, OG_WEAK_L2); }

/* Whether L2 may hold a value of it that differs from what other agents see. */
static bool is_kept(const struct og_weak_system *system, const struct og_weak_place *place) {
  return system->kind->writes_back && !place->fine;
}

/* Whether L2 can have that version: it is visible to all, or was stored in this L2. */
static bool is_seen(const struct og_weak_place *place, unsigned version, unsigned l2) {
  return version <= place->written || place->owner[version] == l2;
}

unsigned og_weak_choices(const struct og_weak_system *system, const struct og_weak_place *place, unsigned node,
                         enum og_weak_level reach) {
  unsigned l2 = l2_of(system, node), from = node_at(system, node, reach), choices = 0;
  unsigned oldest = from == OG_WEAK_NO_NODE ? OG_MAX(place->written, place->floor[l2]) : place->floor[from];
  if (!is_kept(system, place) && reach >= OG_WEAK_L2)
    oldest = place->newest;
  for (unsigned version = oldest; version <= place->newest; version++)
    if (is_seen(place, version, l2))
      choices |= 1u << version;
  return choices;
}

void og_weak_found(const struct og_weak_system *system, struct og_weak_place *place, unsigned node, unsigned version) {
  for (; node != OG_WEAK_NO_NODE; node = system->parent[node])
    place->floor[node] = OG_MAX(place->floor[node], (uint8_t)version);
}

unsigned og_weak_latest(const struct og_weak_system *system, const struct og_weak_place *place, unsigned node,
                        enum og_weak_level reach) {
  unsigned l2 = l2_of(system, node), version = place->newest;
  (void)reach;
  while (version > 0 && !is_seen(place, version, l2))
    version--;
  return version;
}

/* Forgets the oldest version to make room for a new one. */
static void forget_oldest(const struct og_weak_system *system, struct og_weak_place *place) {
  memmove(place->value, place->value + 1, sizeof place->value - sizeof place->value[0]);
  memmove(place->owner, place->owner + 1, sizeof place->owner - sizeof place->owner[0]);
  place->newest--;
  place->written -= place->written > 0;
  for (unsigned node = 0; node < system->count; node++)
    place->floor[node] -= place->floor[node] > 0;
}

void og_weak_store(const struct og_weak_system *system, struct og_weak_place *place, unsigned node,
                   enum og_weak_level reach, uint64_t value) {
  if (place->newest + 1 == OG_WEAK_VERSIONS)
    forget_oldest(system, place);
  place->newest++;
  place->value[place->newest] = value;
  place->owner[place->newest] = (uint8_t)l2_of(system, node);
  if (!is_kept(system, place) || reach == OG_WEAK_MEMORY)
    place->written = place->newest;
  og_weak_found(system, place, node, place->newest);
}

void og_weak_invalidate(const struct og_weak_system *system, struct og_weak_place *place, unsigned node,
                        enum og_weak_level level) {
  unsigned at = node_at(system, node, level);
  if (at == OG_WEAK_NO_NODE || system->level[at] != level)
    return;
  unsigned behind = system->parent[at];
  unsigned floor = behind == OG_WEAK_NO_NODE ? (is_kept(system, place) ? place->written : place->newest)
                   : system->level[behind] == OG_WEAK_L2 && !is_kept(system, place) ? place->newest
                                                                                       : place->floor[behind];
  place->floor[at] = (uint8_t)OG_MAX(place->floor[at], floor);
}

void og_weak_write_back(const struct og_weak_system *system, struct og_weak_place *place, unsigned node) {
  unsigned l2 = l2_of(system, node);
  for (unsigned version = place->written + 1u; version <= place->newest; version++)
    if (place->owner[version] == l2)
      place->written = (uint8_t)version;
}
