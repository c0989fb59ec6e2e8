/* race_memory.c - the checker's memory of accesses: cells for global memory, and the table of events. All threads share
 * it without locks. */
#include "check/races.h"

#include <stdlib.h>
#include <string.h>
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
  for (uint32_t i = 0; races && i < OG_RACE_BLOCKS && races->blocks[i]; i++)
    free(races->blocks[i]);
  if (races)
    free(races->gws);
}

/* Empties cells by giving their pages back to the system. */
static bool empty_chunk(struct og_race_chunk *chunk) {
  uint64_t number = chunk->number;
  struct og_race_chunk *next = chunk->next;
  if (!chunk->has_split) {
    memset(chunk->lines, 0, sizeof chunk->lines);
    return true;
  }
  if (madvise(chunk, sizeof *chunk, MADV_DONTNEED))
    return false;
  chunk->number = number, chunk->next = next;
  return true;
}

/* Clears the numbers of events in spare states, which later waves would compare with new ones. */
static void empty_watch(struct og_watch *watch) {
  watch->next_event = watch->last_event = 0;
  for (struct og_check_wave *wave = watch->spare; wave; wave = wave->next)
    if (wave->race)
      memset(wave->race->recent, 0, sizeof wave->race->recent);
  for (struct og_check_group *group = watch->spare_group; group; group = group->next)
    if (group->race && group->race->lds_size)
      memset(group->race->lds, 0, (group->race->lds_size / 4 + 1) * sizeof *group->race->lds);
  if (watch->snapshots)
    og_arena_reset(watch->snapshots);
}

void og_races_renew(struct og_races *races, struct og_watch *watches, unsigned count) {
  enum { BLOCKS = 8, CHUNKS_A_BLOCK = 8 }; /* looking at all chunks must be cheap, compared with what they have seen */
  if (!races || races->next_block < BLOCKS + races->chunk_count / CHUNKS_A_BLOCK)
    return;
  for (struct og_race_chunk *chunk = races->all; chunk; chunk = chunk->next)
    if (!empty_chunk(chunk))
      return; /* event numbers go on as before */
  for (unsigned i = 0; i < count; i++)
    empty_watch(&watches[i]);
  races->next_block = 0;
  races->gws_count = 0;
}

/* The i-th place where a chunk may be; these places share a page of the table. */
static uint64_t slot_of(uint64_t number, unsigned i) {
  enum { TOGETHER = 64 };
  uint64_t hash = (number / TOGETHER * 0x9e3779b97f4a7c15u >> 44) + i;
  return (hash * TOGETHER + number % TOGETHER) % OG_RACE_SLOTS;
}

/* The chunk of an address; NULL: no memory is left. */
struct og_race_chunk *og_race_chunk(struct og_races *races, uint64_t address, struct og_race_chunk **last) {
  uint64_t number = address / OG_RACE_CHUNK + 1;
  if (*last && (*last)->number == number)
    return *last;
  struct og_race_chunk *fresh = NULL;
  for (unsigned i = 0; races->slots && i < 64; i++) {
    struct og_race_chunk **slot = &races->slots[slot_of(number, i)];
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
        __atomic_fetch_add(&races->chunk_count, 1, __ATOMIC_RELAXED);
        return *last = fresh;
      }
    }
    if (there->number == number) {
      if (fresh)
        munmap(fresh, sizeof *fresh);
      return *last = there;
    }
  }
  if (fresh)
    munmap(fresh, sizeof *fresh);
  return NULL;
}

/* Other threads may use the line as a whole until it is split. */
static void split(struct og_race_chunk *chunk, unsigned line) {
  enum { CELLS = OG_RACE_LINE / 4 };
  while (__atomic_test_and_set(&chunk->lock, __ATOMIC_ACQUIRE))
    continue;
  chunk->has_split = true;
  uint64_t whole = __atomic_load_n(&chunk->lines[line], __ATOMIC_ACQUIRE);
  while (whole != OG_RACE_SPLIT) {
    for (unsigned i = 0; whole && i < CELLS; i++) {
      __atomic_store_n(&chunk->cells[line * CELLS + i].write, (uint32_t)(whole >> 32), __ATOMIC_RELAXED);
      __atomic_store_n(&chunk->cells[line * CELLS + i].read, (uint32_t)whole, __ATOMIC_RELAXED);
    }
    if (__atomic_compare_exchange_n(&chunk->lines[line], &whole, OG_RACE_SPLIT, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_ACQUIRE))
      break;
  }
  __atomic_clear(&chunk->lock, __ATOMIC_RELEASE);
}

struct og_race_cell *og_race_cells(struct og_race_chunk *chunk, uint64_t address, unsigned bytes) {
  unsigned first = (unsigned)(address % OG_RACE_CHUNK);
  for (unsigned line = first / OG_RACE_LINE; line <= (first + bytes - 1) / OG_RACE_LINE; line++)
    if (__atomic_load_n(&chunk->lines[line], __ATOMIC_ACQUIRE) != OG_RACE_SPLIT)
      split(chunk, line);
  return &chunk->cells[first / 4];
}

const struct og_race_event *og_race_event(const struct og_races *races, uint32_t number) {
  return &__atomic_load_n(&races->blocks[number / OG_RACE_BLOCK], __ATOMIC_ACQUIRE)[number % OG_RACE_BLOCK];
}

/* A new event of this thread; NULL: there are too many, and no more are remembered. */
struct og_race_event *og_race_event_new(struct og_watch *watch, uint32_t *number) {
  struct og_races *races = watch->races;
  if (watch->next_event == watch->last_event) {
    uint32_t block = __atomic_fetch_add(&races->next_block, 1, __ATOMIC_RELAXED);
    if (block >= OG_RACE_BLOCKS) {
      __atomic_store_n(&races->next_block, OG_RACE_BLOCKS, __ATOMIC_RELAXED);
      return NULL;
    }
    struct og_race_event *events = races->blocks[block] ? races->blocks[block] : calloc(OG_RACE_BLOCK, sizeof *events);
    __atomic_store_n(&races->blocks[block], events, __ATOMIC_RELEASE);
    if (!events)
      return NULL;
    watch->next_event = block * OG_RACE_BLOCK + (block == 0); /* 0 means none */
    watch->last_event = (block + 1) * OG_RACE_BLOCK;
  }
  *number = watch->next_event++;
  return (struct og_race_event *)og_race_event(races, *number);
}
