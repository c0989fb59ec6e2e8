/* races.h - what the races checker remembers about accesses, and what waves know about one another. */
#ifndef OG_CHECK_RACES_H
#define OG_CHECK_RACES_H

#include "check/internal.h"

#include <pthread.h>

enum { OG_RACE_LDS, OG_RACE_GLOBAL, OG_RACE_KINDS };
enum { OG_RACE_WAVES = 64 /* of a work-group */, OG_RACE_BARRIERS = 1 + OG_NAMED_BARRIERS };

/* How an instruction goes to memory. */
enum og_race_flag {
  OG_RACE_WRITES = 1,
  OG_RACE_ATOMIC = 2,
  OG_RACE_COHERENT = 4, /* sees what others made visible */
  OG_RACE_SINGLE = 8,   /* of one lane */
  OG_RACE_SCALAR = 16,  /* by way of the scalar cache */
  OG_RACE_SYSTEM = 32,  /* atomic or coherent, and that for other agents, too */
  OG_RACE_SAME = 64,    /* of events: plain stores of what stood there already */
};

/* Of an access by these lanes. */
static inline unsigned og_check_race_flags_of(const struct og_known *known, uint64_t lanes) {
  return known->race_flags | (lanes & (lanes - 1) ? 0 : OG_RACE_SINGLE);
}

/* What a wave knew when it wrote: immutable. */
struct og_race_snapshot {
  uint32_t group, waves, foreign_count;
  const uint32_t *known[OG_RACE_KINDS]; /* of so many waves */
  struct og_race_foreign {
    uint32_t group, wave, clock, seen;
  } foreign[];
};

struct og_race_foreign_list { /* a vector */
  struct og_race_foreign *items;
  uint32_t count, capacity;
};

/* A memory instruction of a wave, between two waits. */
struct og_race_event {
  uint32_t word, group, clock, dispatch;
  uint8_t wave, flags, lane;
  uint64_t first; /* address of `lane`, its first one, */
  int64_t stride; /* and from lane to lane; 0: unknown */
  const struct og_race_snapshot *snapshot; /* of writes to global memory and LDS */
};

/* A dword's last writer and last reader: 28 bits of event number and 4 of bytes each. */
struct og_race_cell {
  uint32_t write, read;
};

enum { OG_RACE_CHUNK = 1 << 16, OG_RACE_LINE = 64, OG_RACE_BLOCK = 1 << 10, OG_RACE_BLOCKS = 1 << 14,
      OG_RACE_SLOTS = 1 << 20 };
/* A chunk of memory. A line whose dwords were all accessed alike has one cell for all of them. */
struct og_race_chunk {
  uint64_t number;
  struct og_race_chunk *next; /* of all */
  bool lock;                  /* of lines that become split */
  bool has_split;
  uint64_t lines[OG_RACE_CHUNK / OG_RACE_LINE]; /* write << 32 | read; OG_RACE_SPLIT: its cells tell */
  struct og_race_cell cells[OG_RACE_CHUNK / 4];
};
#define OG_RACE_SPLIT UINT64_MAX

/* Of all threads. */
struct og_races {
  struct og_race_chunk **slots; /* by address, hashed */
  struct og_race_chunk *all;
  uint32_t chunk_count;
  struct og_race_event *blocks[OG_RACE_BLOCKS];
  uint32_t next_block;
  /* What the waves knew that last came to global wave sync, an entry for each; as events, for og_race_acquire(). */
  bool gws_lock;
  struct og_race_event *gws;
  uint32_t gws_count, gws_capacity;
};

enum { OG_RACE_LOG = 4096, OG_RACE_BASES = 1024 };
/* Lanes' accesses still to be checked: small, because most accesses pass through here. */
struct og_race_entry {
  const struct og_known *known;
  uint32_t word;   /* of the program */
  uint32_t clock;  /* of the wave, for LDS */
  uint32_t add[2]; /* offsets of lanes are these, */
  uint16_t base;   /* and one of the log's */
  uint8_t wave, flags, size, pieces;
};
/* Offsets that entries of one wave go by. */
struct og_race_base {
  uint64_t lanes;
  uint32_t least, most, low_bits; /* as of struct og_lds_base */
  uint32_t offset[OG_LANES];
};

/* Of a work-group: LDS, and at each barrier what those know who came, for its even and its odd openings. */
struct og_race_group {
  const struct og_group *group;
  struct og_race_cell *lds;
  uint32_t lds_size, floor; /* cells of events before the floor are empty */
  uint8_t *writer, *reader; /* of each dword in the log, while that is looked at (race_lds.c), */
  uint32_t low, high;       /* which of them */
  /* LDS accesses since all waves were at a barrier: if no waves met, and all were performed there, no check is
   * needed. */
  OG_VECTOR(struct og_race_entry) log;
  OG_VECTOR(struct og_race_base) bases;
  uint32_t log_number;     /* of the log, never 0 */
  uint64_t parts[OG_RACE_WAVES][2]; /* of LDS, of 1 << part_bits bytes each, that each wave has read and has written */
  unsigned part_bits;
  uint32_t passed;         /* the last opening of the barrier that was taken note of */
  bool named;              /* others than the work-group's barrier were used */
  bool writes;             /* some of the log */
  bool exact;              /* cells have something above the floor: the log has to be looked at */
  bool open;               /* some were not performed at the barrier */
  struct og_race_barrier {
    uint32_t phase;
    bool gws; /* some waves that came had been at global wave sync since the last barrier */
    /* Of the work-group's barrier: no less than at the opening before, so that a wave needs only the last one it
     * passed. */
    uint32_t clocks[OG_RACE_KINDS][OG_RACE_WAVES];
    struct og_race_foreign_list foreign;
  } barriers[OG_RACE_BARRIERS][2];
};

/* Of a wave. What has a clock up to known[k][w] happened before, once og_race_catch_up() has been called. */
struct og_race_wave {
  uint32_t clock[OG_RACE_KINDS];
  bool touched[OG_RACE_KINDS]; /* accesses since the clock went on */
  bool apart;                  /* it may know more of others than the work-group's barrier told it */
  uint32_t passed, caught;     /* the last opening of the work-group's barrier that it passed; that `known` has */
  struct og_race_foreign_list foreign;
  const struct og_race_snapshot *snapshot; /* NULL: it knows more than the last one */
  uint32_t first_event;  /* what is less in `recent` is of another wave, which had this memory before */
  uint32_t waits_for;    /* a bit for the barrier behind whose opening it goes on */
  uint32_t scalar_clock; /* of global memory: the scalar caches hold no older data */
  bool arrived;          /* at the work-group's barrier, and has not gone on */
  bool waits_gws;        /* for global wave sync */
  bool passed_gws;       /* since it last came to a barrier */
  uint8_t invalidated;   /* caches, since its last load of global memory */
  uint8_t far;           /* what has to be invalidated before other work-groups' writes are seen */
  uint32_t arrivals[OG_RACE_BARRIERS];
  /* From here on nothing is cleared for the next wave but what it has of `known` and `seen`. */
  uint32_t known[OG_RACE_KINDS][OG_RACE_WAVES];
  uint32_t seen[OG_RACE_WAVES]; /* of global memory: no cache holds older data */
  struct {
    uint32_t word, event, clock;
  } recent[64];
};

/* memory of the checker (race_memory.c) */
struct og_race_chunk *og_race_chunk(struct og_races *races, uint64_t address, struct og_race_chunk **last);
/* Cells of so many bytes, which do not go beyond the chunk, with their lines split. */
struct og_race_cell *og_race_cells(struct og_race_chunk *chunk, uint64_t address, unsigned bytes);
/* Before a dispatch, while no other runs: what was before it is ordered, so where much is remembered all of it is
 * forgotten. */
void og_races_renew(struct og_races *races, struct og_watch *watches, unsigned count);
const struct og_race_event *og_race_event(const struct og_races *races, uint32_t number);
struct og_race_event *og_race_event_new(struct og_watch *watch, uint32_t *number);

/* race_lds.c */
void og_race_lds_begin(struct og_watch *watch, struct og_race_group *race, uint32_t size);
/* Of a wave's plain access to LDS, for later. */
void og_race_put_off(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                     const struct og_known *known, struct og_places *places, unsigned flags);
/* Checks all deferred accesses. `barrier`: all waves are at one, so performed accesses precede all later ones. */
void og_race_flush(struct og_watch *watch, struct og_race_group *race, bool barrier);
/* races.c: one of them; false: there is no room for its event. */
bool og_race_replay(struct og_watch *watch, struct og_race_group *race, const struct og_race_entry *entry);

enum { OG_RACE_ALONG = 16 /* lanes that are looked at together */ };
static inline uint64_t og_race_along_mask(unsigned first) { return ((1ull << OG_RACE_ALONG) - 1) << first; }
/* Not 0: they do not go to whole dwords, that far apart. */
static inline uint32_t og_race_strays(const uint32_t *offset, uint32_t stride) {
  uint32_t out = offset[0] % 4;
  for (unsigned i = 0; i < OG_RACE_ALONG; i++)
    out |= offset[i] ^ (offset[0] + i * stride);
  return out;
}

/* order (race_order.c): what waits, barriers, caches and atomics make of the clocks */
void og_race_order_begin(struct og_watch *watch, struct og_race_wave *state);
void og_race_order(struct og_watch *watch, struct og_wave *wave, const struct og_known *known); /* known->orders */
void og_race_stand(struct og_watch *watch, struct og_wave *wave); /* at the work-group's barrier, until it opens */
/* Adds what the last barrier told the wave, before its `known` or `seen` is used. */
void og_race_catch_up_now(struct og_watch *watch, const struct og_wave *wave);
static inline struct og_race_wave *og_race_catch_up(struct og_watch *watch, const struct og_wave *wave) {
  struct og_race_wave *state = og_check_wave(wave)->race;
  if (state->caught != state->passed)
    og_race_catch_up_now(watch, wave);
  return state;
}
/* anything new */
bool og_race_acquire(struct og_watch *watch, const struct og_wave *wave, const struct og_race_event *event);
/* Its clocks go on for accesses that are performed now. */
void og_race_settle(const struct og_wave *wave, struct og_race_wave *state);
/* For an instruction that only waits. */
static inline void og_race_waited(const struct og_wave *wave) {
  struct og_race_wave *state = og_check_wave(wave)->race;
  if (state->touched[OG_RACE_LDS] | state->touched[OG_RACE_GLOBAL])
    og_race_settle(wave, state);
}
const struct og_race_snapshot *og_race_snapshot(struct og_watch *watch, const struct og_wave *wave);
/* Whether an access happens before the wave's current one; `reads`: and its data is visible. */
bool og_race_ordered(struct og_watch *watch, const struct og_wave *wave, const struct og_race_event *event,
                     unsigned kind, bool reads);

#endif
