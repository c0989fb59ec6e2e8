/* footprint.h - what a dispatch, a copy or the host has done to memory as a whole: which bytes, how, and where in the
 * code. */
#ifndef OG_CHECK_FOOTPRINT_H
#define OG_CHECK_FOOTPRINT_H

#include "base/base.h"

/* How bytes were accessed. */
enum og_footprint_flag {
  OG_FOOTPRINT_SOFT = 1,   /* by atomics or coherent accesses, which do not race with one another */
  OG_FOOTPRINT_SYSTEM = 2, /* such an access also reaches other agents */
  OG_FOOTPRINT_SINGLE = 4, /* one lane did it */
};

struct og_footprint_piece {
  uint64_t start, end;
  uint16_t place; /* number of the place in the code, in og_footprint.places */
  uint8_t flags;
};

struct og_footprint_pieces { /* pieces by rising address, which do not overlap */
  struct og_footprint_piece *items;
  uint32_t count, capacity;
};

/* All of it is in the arena. */
struct og_footprint {
  struct og_arena *arena;
  const char *name; /* "kernel 'k'", "hsa_memory_copy of the host" */
  struct {
    const char **items; /* such as "k+0x40 's_nop 0'"; the first is "" */
    uint32_t count, capacity;
  } places;
  struct og_footprint_pieces reads, writes; /* bytes that were read and then written are only in the writes */
  uint64_t low, high;                       /* where all pieces lie */
};

struct og_footprint *og_footprint_new(const char *name);
void og_footprint_free(struct og_footprint *footprint); /* NULL is fine */
/* Adds bytes. They must lie behind those that were added before, for reads and writes each. */
void og_footprint_add(struct og_footprint *footprint, uint64_t start, uint64_t size, bool writes, uint16_t place,
                      uint8_t flags);
uint16_t og_footprint_place(struct og_footprint *footprint, const char *text); /* 0: there are too many */

struct og_check;
/* The footprint of the observed dispatches; NULL: the races checker was not on. */
struct og_footprint *og_check_footprint(const struct og_check *check);

#endif
