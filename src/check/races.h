/* races.h - what the races checker remembers about accesses, and what waves know about each other's. */
#ifndef OG_CHECK_RACES_H
#define OG_CHECK_RACES_H

#include "check/internal.h"

#include <pthread.h>

enum { OG_RACE_LDS, OG_RACE_GLOBAL, OG_RACE_KINDS };
enum { OG_RACE_WAVES = 64 /* of a work-group */, OG_RACE_BARRIERS = 1 + OG_NAMED_BARRIERS };

/* How an instruction accesses memory. */
enum og_race_flag {
  OG_RACE_WRITES = 1,
  OG_RACE_ATOMIC = 2,
  OG_RACE_COHERENT = 4, /* it sees what others made visible */
  OG_RACE_SINGLE = 8,   /* one lane does it */
  OG_RACE_SCALAR = 16,  /* by way of the scalar cache */
  OG_RACE_SYSTEM = 32,  /* atomic or coherent, also for other agents */
  OG_RACE_SAME = 64,    /* only in events: plain stores of the value that is already there */
};

/* Of an access by these lanes. */
static inline unsigned og_check_race_flags_of(const struct og_known *known, uint64_t lanes) {
  return known->race_flags | (lanes & (lanes - 1) ? 0 : OG_RACE_SINGLE);
}

/* What a wave knew when it wrote; it does not change any more. */
struct og_race_snapshot {
  uint32_t group, waves, foreign_count;
  const uint32_t *known[OG_RACE_KINDS]; /* by kind, of so many waves */
  struct og_race_foreign {
    uint32_t group, wave, clock, seen;
  } foreign[];
};

struct og_race_foreign_list { /* a vector */
  struct og_race_foreign *items;
  uint32_t count, capacity;
};

/* A memory instruction of a wave, at one value of its clock. */
struct og_race_event {
  uint32_t word, group, clock, dispatch;
  uint8_t wave, flags, lane;
  uint64_t first; /* the address in `lane`, the first one; */
  int64_t stride; /* the distance from lane to lane; 0: unknown */
  const struct og_race_snapshot *snapshot; /* of writes to global memory and LDS */
};

/* A dword's last writer and last reader: 28 bits of the event's number and 4 of bytes, each. */
struct og_race_cell {
  uint32_t write, read;
};

enum { OG_RACE_CHUNK = 1 << 16, OG_RACE_LINE = 64, OG_RACE_BLOCK = 1 << 10, OG_RACE_BLOCKS = 1 << 14,
      OG_RACE_SLOTS = 1 << 20 };
/* A chunk of memory. A line whose dwords were all accessed in the same way has one cell for all. */
struct og_race_chunk {
  uint64_t number;
  struct og_race_chunk *next; /* in the list of all */
  bool lock;                  /* for lines that are being split */
  bool has_split;
  uint64_t lines[OG_RACE_CHUNK / OG_RACE_LINE]; /* write << 32 | read; OG_RACE_SPLIT: see its cells */
  struct og_race_cell cells[OG_RACE_CHUNK / 4];
};
#define OG_RACE_SPLIT UINT64_MAX

/* Shared by all threads. */
struct og_races {
  struct og_race_chunk **slots; /* by address, hashed */
  struct og_race_chunk *all;
  uint32_t chunk_count;
  struct og_race_event *blocks[OG_RACE_BLOCKS];
  uint32_t next_block;
  /* What waves knew that came to global wave sync, the last of each work-group's wave, as events for
   * og_race_acquire(). */
  bool gws_lock;
  struct og_race_event *gws;
  uint32_t gws_count, gws_capacity;
};

enum { OG_RACE_LOG = 4096, OG_RACE_BASES = 1024 };
/* Accesses of lanes that are still to be checked. It is small, since most accesses come through here. */
struct og_race_entry {
  const struct og_known *known;
  uint32_t word;   /* of the program */
  uint32_t clock;  /* of the wave, for LDS */
  uint32_t add[2]; /* added to the lanes' offsets, */
  uint16_t base;   /* which are these of the log */
  uint8_t wave, flags, size, pieces;
};
/* Offsets of lanes that entries of one wave use. */
struct og_race_base {
  uint64_t lanes;
  uint32_t least, most, low_bits; /* as in struct og_lds_base */
  uint32_t offset[OG_LANES];
};

/* Of a work-group: its LDS; for each barrier, for even and odd openings, what the waves that came know. */
struct og_race_group {
  const struct og_group *group;
  struct og_race_cell *lds;
  uint32_t lds_size, floor; /* floor: cells with earlier events count as empty */
  uint8_t *writer, *reader; /* while the log is looked at (race_lds.c): by dword, */
  uint32_t low, high;       /* and which dwords are in use */
  /* Accesses to LDS since all waves were at a barrier. If no waves met, and all accesses were performed there, they
   * need not be checked. */
  OG_VECTOR(struct og_race_entry) log;
  OG_VECTOR(struct og_race_base) bases;
  uint32_t log_number;     /* the log's number, never 0 */
  uint64_t parts[OG_RACE_WAVES][2]; /* of LDS, of 1 << part_bits bytes each, that each wave has read and has written */
  unsigned part_bits;
  uint32_t passed;         /* the last opening of the barrier that is dealt with */
  bool named;              /* barriers other than the work-group's were used */
  bool writes;             /* the log has writes */
  bool exact;              /* cells have events above the floor, so the log must be checked */
  bool open;               /* some accesses were not performed at the barrier */
  struct og_race_barrier {
    uint32_t phase;
    bool gws; /* a wave that came has been at global wave sync since the last barrier */
    /* For the work-group's barrier: at least what it was at the opening before, so that a wave needs only the last
     * one. */
    uint32_t clocks[OG_RACE_KINDS][OG_RACE_WAVES];
    struct og_race_foreign_list foreign;
  } barriers[OG_RACE_BARRIERS][2];
};

/* Of a wave. All up to the clock known[k][w] happened before, once og_race_catch_up() has been called. */
struct og_race_wave {
  uint32_t clock[OG_RACE_KINDS];
  bool touched[OG_RACE_KINDS]; /* it has accessed memory since its clock advanced */
  bool apart;                  /* it may know more about others than the work-group's barrier passes on */
  uint32_t passed, caught;     /* the last opening of the work-group's barrier that it passed; that `known` has */
  struct og_race_foreign_list foreign;
  const struct og_race_snapshot *snapshot; /* NULL: it has learned something since the last one was made */
  uint32_t first_event;  /* earlier events in `recent` belong to another wave that had this memory before */
  uint32_t waits_for;    /* a bit for the barrier that it waits for, or has just passed */
  uint32_t scalar_clock; /* for global memory: scalar caches hold no older data */
  bool arrived;          /* it is at the work-group's barrier */
  bool waits_gws;        /* it waits for global wave sync */
  bool passed_gws;       /* it has been there since its last barrier */
  uint8_t invalidated;   /* caches that were invalidated since its last load of global memory */
  uint8_t far;           /* caches that must be invalidated before it sees what other work-groups write */
  uint32_t arrivals[OG_RACE_BARRIERS];
  /* The rest is not cleared for the next wave, except the parts of `known` and `seen` that it uses. */
  uint32_t known[OG_RACE_KINDS][OG_RACE_WAVES];
  uint32_t seen[OG_RACE_WAVES]; /* for global memory: no cache holds older data */
  struct {
    uint32_t word, event, clock;
  } recent[64];
};

/* memory of the checker (race_memory.c) */
struct og_race_chunk *og_race_chunk(struct og_races *races, uint64_t address, struct og_race_chunk **last);
/* The cells of these bytes, which must be in one chunk; their lines are split. */
struct og_race_cell *og_race_cells(struct og_race_chunk *chunk, uint64_t address, unsigned bytes);
/* Called before a dispatch, while no other runs. All earlier accesses are ordered before it, so a large memory of them
 * is emptied. */
void og_races_renew(struct og_races *races, struct og_watch *watches, unsigned count);
const struct og_race_event *og_race_event(const struct og_races *races, uint32_t number);
struct og_race_event *og_race_event_new(struct og_watch *watch, uint32_t *number);

/* race_lds.c */
void og_race_lds_begin(struct og_watch *watch, struct og_race_group *race, uint32_t size);
/* Puts off the check of a wave's plain access to LDS. */
void og_race_put_off(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                     const struct og_known *known, struct og_places *places, unsigned flags);
/* Checks all accesses that were put off. `barrier`: all waves are at one, so performed accesses come before all later
 * ones. */
void og_race_flush(struct og_watch *watch, struct og_race_group *race, bool barrier);
/* races.c: checks one of them; false: there is no room for its event. */
bool og_race_replay(struct og_watch *watch, struct og_race_group *race, const struct og_race_entry *entry);

enum { OG_RACE_ALONG = 16 /* how many lanes are looked at together */ };
static inline uint64_t og_race_along_mask(unsigned first) { return ((1ull << OG_RACE_ALONG) - 1) << first; }
/* Not 0: lanes do not access whole dwords at that distance. */
static inline uint32_t og_race_strays(const uint32_t *offset, uint32_t stride) {
  uint32_t out = offset[0] % 4;
  for (unsigned i = 0; i < OG_RACE_ALONG; i++)
    out |= offset[i] ^ (offset[0] + i * stride);
  return out;
}

/* race_order.c: how waits, barriers, caches and atomics change the clocks */
void og_race_order_begin(struct og_watch *watch, struct og_race_wave *state);
void og_race_order(struct og_watch *watch, struct og_wave *wave, const struct og_known *known); /* for known->orders */
void og_race_stand(struct og_watch *watch, struct og_wave *wave); /* at the work-group's barrier, before it opens */
/* Adds what the last barrier passed on to the wave, before its `known` or `seen` is used. */
void og_race_catch_up_now(struct og_watch *watch, const struct og_wave *wave);
static inline struct og_race_wave *og_race_catch_up(struct og_watch *watch, const struct og_wave *wave) {
  struct og_race_wave *state = og_check_wave(wave)->race;
  if (state->caught != state->passed)
    og_race_catch_up_now(watch, wave);
  return state;
}
/* returns whether anything was new */
bool og_race_acquire(struct og_watch *watch, const struct og_wave *wave, const struct og_race_event *event);
/* Advances its clocks if its accesses are performed now. */
void og_race_settle(const struct og_wave *wave, struct og_race_wave *state);
/* For an instruction that only waits. */
static inline void og_race_waited(const struct og_wave *wave) {
  struct og_race_wave *state = og_check_wave(wave)->race;
  if (state->touched[OG_RACE_LDS] | state->touched[OG_RACE_GLOBAL])
    og_race_settle(wave, state);
}
const struct og_race_snapshot *og_race_snapshot(struct og_watch *watch, const struct og_wave *wave);
/* Whether an earlier access happens before the wave's current one; `reads`: its data must be visible, too. */
bool og_race_ordered(struct og_watch *watch, const struct og_wave *wave, const struct og_race_event *event,
                     unsigned kind, bool reads);

#endif
