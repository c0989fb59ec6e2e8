/* footprint.c - a dispatch's accesses to global memory as ranges. The races checker remembers for each dword the last
 * write and a read after it. */
#include "check/footprint.h"
#include "check/races.h"

#include <stdlib.h>
#include <string.h>

enum { PIECES_MOST = 1 << 16 /* reads and writes, each; later ones are not remembered */ };

struct og_footprint *og_footprint_new(const char *name) {
  struct og_arena *arena = og_arena_new();
  struct og_footprint *footprint = OG_NEW(arena, struct og_footprint);
  *footprint =
      (struct og_footprint){.arena = arena, .name = og_arena_copy(arena, name, strlen(name)), .low = UINT64_MAX};
  *OG_PUSH(arena, &footprint->places) = "";
  return footprint;
}

void og_footprint_free(struct og_footprint *footprint) {
  if (footprint)
    og_arena_free(footprint->arena);
}

uint16_t og_footprint_place(struct og_footprint *footprint, const char *text) {
  if (footprint->places.count > UINT16_MAX)
    return 0;
  *OG_PUSH(footprint->arena, &footprint->places) = og_arena_copy(footprint->arena, text, strlen(text));
  return (uint16_t)(footprint->places.count - 1);
}

void og_footprint_add(struct og_footprint *footprint, uint64_t start, uint64_t size, bool writes, uint16_t place,
                      uint8_t flags) {
  struct og_footprint_pieces *pieces = writes ? &footprint->writes : &footprint->reads;
  struct og_footprint_piece *last = pieces->count ? &pieces->items[pieces->count - 1] : NULL;
  if (!size || (last && pieces->count == PIECES_MOST))
    return;
  footprint->low = OG_MIN(footprint->low, start);
  footprint->high = OG_MAX(footprint->high, start + size);
  if (last && start <= last->end && last->place == place && last->flags == flags)
    last->end = OG_MAX(last->end, start + size);
  else
    *OG_PUSH(footprint->arena, pieces) = (struct og_footprint_piece){start, start + size, place, flags};
}

/* ---- of the races checker ---------------------------------------------------------------------------------------- */

struct gathering {
  const struct og_check *check;
  const struct og_watch *watch;
  struct og_footprint *to;
  uint16_t *places; /* by word of the program: its number in the footprint; 0: none yet */
};

static uint16_t place_of(struct gathering *g, const struct og_race_event *event) {
  if (event->word >= g->watch->words)
    return 0;
  uint16_t *place = &g->places[event->word];
  if (!*place) {
    struct og_buffer text = {0};
    og_check_place(g->check, event->word, &text);
    og_buffer_u8(&text, 0);
    *place = og_footprint_place(g->to, (const char *)text.data);
    og_buffer_free(&text);
  }
  return *place;
}

/* Adds the bytes of a cell, or of a whole line if `size` is a line's. */
static void add_accesses(struct gathering *g, uint64_t address, unsigned size, uint32_t cell, bool writes) {
  if (!cell)
    return;
  const struct og_race_event *event = og_race_event(g->watch->races, cell >> 4);
  uint8_t flags = (event->flags & (OG_RACE_ATOMIC | OG_RACE_COHERENT) ? OG_FOOTPRINT_SOFT : 0) |
                  (event->flags & OG_RACE_SYSTEM ? OG_FOOTPRINT_SYSTEM : 0) |
                  (event->flags & OG_RACE_SINGLE ? OG_FOOTPRINT_SINGLE : 0);
  uint16_t place = place_of(g, event);
  if ((cell & 15) == 15) {
    og_footprint_add(g->to, address, size, writes, place, flags);
    return;
  }
  for (unsigned i = 0; i < 4; i++)
    if (cell >> i & 1)
      og_footprint_add(g->to, address + i, 1, writes, place, flags);
}

static void add_chunk(struct gathering *g, const struct og_race_chunk *chunk) {
  enum { CELLS = OG_RACE_LINE / 4 };
  uint64_t base = (chunk->number - 1) * OG_RACE_CHUNK;
  for (unsigned line = 0; line < OG_RACE_CHUNK / OG_RACE_LINE; line++) {
    uint64_t whole = chunk->lines[line], address = base + line * OG_RACE_LINE;
    if (whole != OG_RACE_SPLIT) {
      add_accesses(g, address, OG_RACE_LINE, (uint32_t)(whole >> 32), true);
      add_accesses(g, address, OG_RACE_LINE, (uint32_t)whole, false);
    }
    for (unsigned i = 0; i < CELLS && whole == OG_RACE_SPLIT; i++) {
      const struct og_race_cell *cell = &chunk->cells[line * CELLS + i];
      add_accesses(g, address + 4 * i, 4, cell->write, true);
      add_accesses(g, address + 4 * i, 4, cell->read, false);
    }
  }
}

static int by_number(const void *a, const void *b) {
  const struct og_race_chunk *const *x = a, *const *y = b;
  return ((*x)->number > (*y)->number) - ((*x)->number < (*y)->number);
}

struct og_footprint *og_check_footprint(const struct og_check *check) {
  const struct og_watch *watch = og_check_first_watch(check);
  if (!watch || !watch->races)
    return NULL;
  struct og_arena *arena = og_arena_new();
  struct gathering g = {check, watch,
                        og_footprint_new(og_arena_printf(arena, "kernel '%s'", og_check_kernel_name(check))),
                        OG_NEW_ARRAY(arena, uint16_t, watch->words + 1)};
  memset(g.places, 0, (watch->words + 1) * sizeof *g.places);
  size_t count = 0;
  for (const struct og_race_chunk *chunk = watch->races->all; chunk; chunk = chunk->next)
    count++;
  const struct og_race_chunk **chunks = OG_NEW_ARRAY(arena, const struct og_race_chunk *, count + 1);
  count = 0;
  for (const struct og_race_chunk *chunk = watch->races->all; chunk; chunk = chunk->next)
    chunks[count++] = chunk;
  qsort(chunks, count, sizeof *chunks, by_number);
  for (size_t i = 0; i < count; i++)
    add_chunk(&g, chunks[i]);
  og_arena_free(arena);
  return g.to;
}
