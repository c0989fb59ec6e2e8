/* memory_map.c - which addresses kernels may touch: sorted regions under a lock. */
#include "exec/group.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct region {
  uint64_t start, size, shift; /* shift: as of struct og_window */
  unsigned access;
};

struct og_memory_map {
  pthread_rwlock_t lock;
  struct region *regions; /* by start */
  size_t count, capacity;
  struct og_foreign_memory foreign;
};

void og_memory_map_set_foreign(struct og_memory_map *map, const struct og_foreign_memory *foreign) {
  map->foreign = *foreign;
}

struct og_memory_map *og_memory_map_new(void) {
  struct og_memory_map *map = calloc(1, sizeof *map);
  if (map != NULL)
    pthread_rwlock_init(&map->lock, NULL);
  return map;
}

void og_memory_map_free(struct og_memory_map *map) {
  if (map == NULL)
    return;
  pthread_rwlock_destroy(&map->lock);
  free(map->regions);
  free(map);
}

/* How many regions start at or before the address. */
static size_t regions_up_to(const struct og_memory_map *map, uint64_t address) {
  size_t low = 0, high = map->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (map->regions[middle].start <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static bool insert(struct og_memory_map *map, struct region region) {
  size_t at = regions_up_to(map, region.start);
  if (at > 0 && region.start - map->regions[at - 1].start < map->regions[at - 1].size)
    return false;
  if (at < map->count && map->regions[at].start - region.start < region.size)
    return false;
  if (map->count == map->capacity) {
    size_t capacity = map->capacity ? 2 * map->capacity : 16;
    struct region *grown = realloc(map->regions, capacity * sizeof *grown);
    if (grown == NULL)
      return false;
    map->regions = grown;
    map->capacity = capacity;
  }
  memmove(map->regions + at + 1, map->regions + at, (map->count - at) * sizeof *map->regions);
  map->regions[at] = region;
  map->count++;
  return true;
}

static bool add(struct og_memory_map *map, struct region region) {
  if (region.size == 0 || region.start + (region.size - 1) < region.start)
    return false;
  pthread_rwlock_wrlock(&map->lock);
  bool done = insert(map, region);
  pthread_rwlock_unlock(&map->lock);
  return done;
}

bool og_memory_map_add(struct og_memory_map *map, uint64_t start, uint64_t size, unsigned access) {
  return add(map, (struct region){start, size, 0, access});
}

bool og_memory_map_add_alias(struct og_memory_map *map, uint64_t start, uint64_t size, unsigned access,
                             const void *host) {
  return add(map, (struct region){start, size, (uintptr_t)host - start, access});
}

bool og_memory_map_remove(struct og_memory_map *map, uint64_t start) {
  pthread_rwlock_wrlock(&map->lock);
  size_t at = regions_up_to(map, start);
  bool found = at > 0 && map->regions[at - 1].start == start;
  if (found) {
    memmove(map->regions + at - 1, map->regions + at, (map->count - at) * sizeof *map->regions);
    map->count--;
  }
  pthread_rwlock_unlock(&map->lock);
  return found;
}

static pthread_rwlock_t *lock_of(const struct og_memory_map *map) {
  return (pthread_rwlock_t *)&map->lock; /* a reader changes nothing but the lock */
}

static bool find_foreign(const struct og_memory_map *map, uint64_t address, uint64_t size, unsigned access,
                         struct og_window *window) {
  uint64_t start, length;
  unsigned allowed;
  if (!map->foreign.find(map->foreign.context, address, &start, &length, &allowed) || (allowed & access) != access ||
      size > length - (address - start))
    return false;
  *window = (struct og_window){start, length, 0};
  return true;
}

bool og_memory_map_find(const struct og_memory_map *map, uint64_t address, uint64_t size, unsigned access,
                        struct og_window *window) {
  if (map == NULL)
    return false;
  pthread_rwlock_rdlock(lock_of(map));
  size_t at = regions_up_to(map, address);
  const struct region *region = at > 0 ? &map->regions[at - 1] : NULL;
  bool found = region != NULL && address - region->start < region->size &&
               size <= region->size - (address - region->start) && (region->access & access) == access;
  if (found)
    *window = (struct og_window){region->start, region->size, region->shift};
  pthread_rwlock_unlock(lock_of(map));
  return found || (map->foreign.reached && find_foreign(map, address, size, access, window));
}

bool og_memory_map_holds(const struct og_memory_map *map, uint64_t address, uint64_t size, unsigned access) {
  struct og_window window;
  return og_memory_map_find(map, address, size, access, &window) && window.shift == 0;
}

enum {
  OG_NULL_PAGE = 4096, /* below stands nothing: a field of a null pointer's structure, or an element */
  NEAR = 65536         /* bytes from a buffer: most likely that one was meant */
};

void og_memory_map_describe(const struct og_memory_map *map, uint64_t address, uint64_t size, char *text,
                            size_t text_size) {
  if (address < OG_NULL_PAGE) {
    snprintf(text, text_size, address == 0 ? "it is a null pointer" : "it is %" PRIu64 " bytes past a null pointer",
             address);
    return;
  }
  snprintf(text, text_size, "no buffer is near");
  if (map == NULL)
    return;
  struct og_window window;
  bool foreign = map->foreign.find != NULL && find_foreign(map, address, size, 0, &window);
  pthread_rwlock_rdlock(lock_of(map));
  size_t at = regions_up_to(map, address);
  const struct region *below = at > 0 ? &map->regions[at - 1] : NULL;
  const struct region *above = at < map->count ? &map->regions[at] : NULL;
  uint64_t behind = below != NULL ? address - below->start : 0; /* bytes into or behind the one below */
  bool near = (below != NULL && behind < below->size + NEAR) || (above != NULL && above->start - address < NEAR);
  if (foreign && !near)
    snprintf(text, text_size,
             map->foreign.reached ? "the host's own memory there is read-only"
                                  : "it is the host's own memory, not registered: %s",
             map->foreign.hint);
  else if (below != NULL && behind < below->size && size <= below->size - behind)
    snprintf(text, text_size, "the buffer of %" PRIu64 " bytes at 0x%" PRIx64 " %s", below->size, below->start,
             below->access == OG_MEMORY_FREED ? "has been freed" : "is read-only");
  else if (below != NULL && behind < below->size)
    snprintf(text, text_size, "%" PRIu64 " bytes into the buffer of %" PRIu64 " bytes at 0x%" PRIx64, behind,
             below->size, below->start);
  else if (below != NULL && behind == below->size)
    snprintf(text, text_size, "it is the end of the buffer of %" PRIu64 " bytes at 0x%" PRIx64, below->size,
             below->start);
  else if (below != NULL && (above == NULL || behind - below->size < above->start - address))
    snprintf(text, text_size, "%" PRIu64 " bytes past the end of the buffer of %" PRIu64 " bytes at 0x%" PRIx64,
             behind - below->size, below->size, below->start);
  else if (above != NULL)
    snprintf(text, text_size, "%" PRIu64 " bytes before the buffer of %" PRIu64 " bytes at 0x%" PRIx64,
             above->start - address, above->size, above->start);
  pthread_rwlock_unlock(lock_of(map));
}
