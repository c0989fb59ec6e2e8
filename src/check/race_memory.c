/* race_memory.c - shadow of global memory and the table of accesses, shared by all threads without locks. */
#include "check/races.h"

#include <stdlib.h>
#include <sys/mman.h>

struct og_races *og_races_new(struct og_arena *arena) {
  struct og_races *races = OG_NEW(arena, struct og_races);
  void *slots = mmap(NULL, OG_RACE_SLOTS * sizeof *races->slots, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  races->slots = slots == MAP_FAILED ? NULL : slots;
  return races;
}

void og_races_free(struct og_races *races) {
  for (struct og_race_chunk *chunk = races ? races->all : NULL, *next; chunk; chunk = next) {
    next = chunk->next;
    munmap(chunk, sizeof *chunk);
  }
  if (races && races->slots)
    munmap(races->slots, OG_RACE_SLOTS * sizeof *races->slots);
  for (uint32_t i = 0; races && i < OG_RACE_BLOCKS; i++)
    free(races->blocks[i]);
}

/* The cells of an address's chunk; NULL: memory is short. */
struct og_race_cell *og_race_cells(struct og_races *races, uint64_t address, struct og_race_chunk **last) {
  uint64_t number = address / OG_RACE_CHUNK + 1;
  if (*last && (*last)->number == number)
    return (*last)->cells;
  struct og_race_chunk *fresh = NULL;
  for (uint64_t hash = number * 0x9e3779b97f4a7c15u >> 44, i = 0; races->slots && i < 64; i++) {
    struct og_race_chunk **slot = &races->slots[(hash + i) % OG_RACE_SLOTS];
    struct og_race_chunk *there = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (!there) {
      if (!fresh) { /* pages that are never touched cost nothing */
        void *pages =
            mmap(NULL, sizeof *fresh, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (pages == MAP_FAILED)
          return NULL;
        fresh = pages;
        fresh->number = number;
      }
      if (__atomic_compare_exchange_n(slot, &there, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        fresh->next = __atomic_load_n(&races->all, __ATOMIC_RELAXED);
        while (
            !__atomic_compare_exchange_n(&races->all, &fresh->next, fresh, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
          continue;
        return (*last = fresh)->cells;
      }
    }
    if (there->number == number) {
      if (fresh)
        munmap(fresh, sizeof *fresh);
      return (*last = there)->cells;
    }
  }
  if (fresh)
    munmap(fresh, sizeof *fresh);
  return NULL;
}

const struct og_race_event *og_race_event(const struct og_races *races, uint32_t number) {
  return &__atomic_load_n(&races->blocks[number / OG_RACE_BLOCK], __ATOMIC_ACQUIRE)[number % OG_RACE_BLOCK];
}

/* A new event of this thread; NULL: there are too many, and what follows is not remembered. */
struct og_race_event *og_race_event_new(struct og_watch *watch, uint32_t *number) {
  struct og_races *races = watch->races;
  if (watch->next_event == watch->last_event) {
    uint32_t block = __atomic_fetch_add(&races->next_block, 1, __ATOMIC_RELAXED);
    if (block >= OG_RACE_BLOCKS) {
      __atomic_store_n(&races->next_block, OG_RACE_BLOCKS, __ATOMIC_RELAXED);
      return NULL;
    }
    struct og_race_event *events = calloc(OG_RACE_BLOCK, sizeof *events);
    __atomic_store_n(&races->blocks[block], events, __ATOMIC_RELEASE);
    if (!events)
      return NULL;
    watch->next_event = block * OG_RACE_BLOCK + (block == 0); /* 0 is none */
    watch->last_event = (block + 1) * OG_RACE_BLOCK;
  }
  *number = watch->next_event++;
  return (struct og_race_event *)og_race_event(races, *number);
}
