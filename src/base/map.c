/* map.c - a hash map from text to pointer: open addressing, power-of-two capacity, no removal. */
#include "base/base.h"

struct og_map_slot {
  struct og_text key;
  uint64_t hash;
  void *value;
};

uint64_t og_hash(const void *data, size_t size) {
  const uint8_t *bytes = data;
  uint64_t hash = 0x9e3779b97f4a7c15u ^ size, tail = 0;
  const uint8_t *end = bytes + size;
  if (size >= 8) { /* some are read more than once; most names need no loop */
    for (; size > 24; bytes += 8, size -= 8)
      hash = (hash ^ og_load64(bytes)) * 0xff51afd7ed558ccdu, hash ^= hash >> 32;
    tail = og_load64(end - 8);
    hash = (hash ^ og_load64(bytes)) * 0xff51afd7ed558ccdu ^ og_load64(bytes + size / 2 - 4) * 0x9fb21c651e98df25u;
    hash ^= hash >> 32;
  } else if (size >= 4) {
    tail = og_load32(bytes) | (uint64_t)og_load32(end - 4) << 32;
  } else if (size) {
    tail = bytes[0] | (uint64_t)bytes[size / 2] << 8 | (uint64_t)end[-1] << 16;
  }
  hash = (hash ^ tail) * 0xff51afd7ed558ccdu;
  hash ^= hash >> 32;
  hash *= 0xc4ceb9fe1a85ec53u;
  return hash ^ hash >> 32;
}

static struct og_map_slot *find(const struct og_map *map, struct og_text key, uint64_t hash) {
  uint32_t mask = map->capacity - 1;
  for (uint32_t i = (uint32_t)hash & mask;; i = (i + 1) & mask) {
    struct og_map_slot *slot = &map->slots[i];
    if (!slot->key.data || (slot->hash == hash && og_text_equal(slot->key, key)))
      return slot;
  }
}

void *og_map_get(const struct og_map *map, struct og_text key) {
  return map->capacity ? find(map, key, og_hash(key.data, key.size))->value : NULL;
}

static void grow(struct og_arena *arena, struct og_map *map) {
  struct og_map old = *map;
  map->capacity = old.capacity ? old.capacity * 2 : 16;
  map->slots = OG_NEW_ARRAY(arena, struct og_map_slot, map->capacity);
  for (uint32_t i = 0; i < old.capacity; i++)
    if (old.slots[i].key.data)
      *find(map, old.slots[i].key, old.slots[i].hash) = old.slots[i];
}

void **og_map_at(struct og_arena *arena, struct og_map *map, struct og_text key) {
  if ((map->count + 1) * 2 > map->capacity)
    grow(arena, map);
  uint64_t hash = og_hash(key.data, key.size);
  struct og_map_slot *slot = find(map, key, hash);
  if (!slot->key.data) {
    *slot = (struct og_map_slot){.key = {key.data ? key.data : "", key.size}, .hash = hash};
    map->count++;
  }
  return &slot->value;
}
