/* inside.h - the parts of a kernel's weak execution. Internal to src/weak. */
#ifndef OG_WEAK_INSIDE_H
#define OG_WEAK_INSIDE_H

#include "exec/deferred.h"
#include "exec/group.h"
#include "weak/execution.h"
#include "weak/weak.h"

/* ---- instructions: known.c --------------------------------------------------------------------------------------- */

enum { OG_WEAK_RESULTS = 4, OG_WEAK_LATE_ROWS = 8, OG_WEAK_LATE_SCALARS = 32 };

/* Registers side by side; `at` is their place in struct og_wave. */
struct og_weak_registers {
  uint32_t at;
  uint8_t dwords;
  bool vector;
};

/* How an instruction acts on the memory. */
struct og_weak_known {
  struct og_weak_inst inst;
  bool looked_at;
  bool plain;    /* a load that can be deferred */
  bool transfer; /* goes between memory and LDS without registers */
  bool late;     /* its results may come late */
  uint8_t results;
  struct og_weak_registers result[OG_WEAK_RESULTS];
};

struct og_weak_program {
  const struct og_program *program;
  struct og_weak_known *known; /* one for each operation of the program */
};

/* NULL: how the instruction acts is unknown. */
const struct og_weak_known *og_weak_known_of(struct og_weak_execution *w, const struct og_wave *wave,
                                             const struct og_operation *op);

/* ---- what was issued: pending.c ---------------------------------------------------------------------------------- */

/* One lane's part of an access. */
struct og_weak_piece {
  uint64_t address, data, other;
  uint8_t lane, piece, size;
  uint8_t bytes[16];
};

/* One instruction's accesses to one space, or an instruction that was done at once and whose results come late. It
 * exists from the issue until no counter counts it. */
struct og_weak_pending {
  struct og_wave *wave; /* NULL: the wave has ended */
  const struct og_operation *op;
  const struct og_weak_known *known;
  struct og_weak_pending *next; /* the wave's next one */
  uint8_t space, access;        /* enum og_space, og_access; access 0: it was done at once */
  uint8_t node, count;
  bool done;
  uint64_t due;       /* the clock's time at which it is performed unless something waits for it earlier */
  uint64_t low, high; /* all of its bytes are in [low, high) */
  uint64_t lanes;     /* the lanes that have results */
  union {
    struct og_weak_piece piece[OG_LANES];
    struct {
      uint32_t row[OG_WEAK_LATE_ROWS][OG_LANES], scalar[OG_WEAK_LATE_SCALARS];
    } value;
  };
};

/* What a wave has outstanding, in the order of issue. */
struct og_weak_queue {
  struct og_wave *wave; /* NULL: the queue is free */
  struct og_weak_pending *first, *last;
  struct og_weak_queue *next;
};

/* Adds a new one at the end of the wave's queue. */
struct og_weak_pending *og_weak_issue(struct og_weak_execution *w, struct og_wave *wave, const struct og_operation *op,
                                      const struct og_weak_known *known, unsigned space, int access);
/* Performs one, after those that it must not overtake. */
void og_weak_perform(struct og_weak_execution *w, struct og_weak_pending *p);
/* Performs those of a wave in one space. */
void og_weak_perform_all(struct og_weak_execution *w, const struct og_wave *wave, unsigned space);
/* Performs those of a cache whose bytes overlap [low, high). */
void og_weak_perform_near(struct og_weak_execution *w, unsigned node, uint64_t low, uint64_t high);
/* Performs operations until the counters are as low as the instruction waits for. */
void og_weak_wait(struct og_weak_execution *w, const struct og_wave *wave, const struct og_weak_inst *inst);
/* A wave has ended: its stores may still arrive later; all else is gone with its registers and LDS. */
void og_weak_leave(struct og_weak_execution *w, struct og_wave *wave);
/* Drops everything without performing it. */
void og_weak_drop(struct og_weak_execution *w);

/* ---- results that come late: late.c ------------------------------------------------------------------------------ */

/* The wave is about to run an instruction that the executor may do at once, but that counters count. Its results are
 * taken back afterwards, to come late. */
void og_weak_begin_late(struct og_weak_execution *w, struct og_wave *wave, const struct og_operation *op,
                        const struct og_weak_known *known);
void og_weak_end_late(struct og_weak_execution *w);
void og_weak_deliver(struct og_weak_pending *p);

/* ---- what was stored before: versions.c -------------------------------------------------------------------------- */

/* A dword that was stored to. */
struct og_weak_dword {
  uint64_t address;
  uint64_t time[OG_WEAK_VERSIONS]; /* when each version was stored */
  struct og_weak_place place;
};

/* A hash table of dwords by address. */
struct og_weak_dwords {
  struct og_weak_dword **table;
  size_t used, size;
};

/* Replaces `bytes`, which hold what is in memory, by what a load finds that looks back to a time: of the versions that
 * its caches may have, the newest that was stored by then, else the oldest. */
void og_weak_load(struct og_weak_execution *w, unsigned node, unsigned reach, uint64_t time, uint64_t address,
                  void *bytes, unsigned size);
/* Records what a store or atomic has changed in the dwords around its bytes. */
void og_weak_note(struct og_weak_execution *w, const struct og_weak_pending *p, uint64_t address, const uint8_t *before,
                  const uint8_t *after, unsigned size);
void og_weak_forget(struct og_weak_execution *w);
/* Replaces a dword by the value that an atomic finds through that cache. */
void og_weak_go_back(struct og_weak_execution *w, unsigned node, unsigned reach, uint64_t address, uint8_t *dword);

/* ---- choices in words: tell.c ------------------------------------------------------------------------------------ */

/* Describes in words the choice that was just made for an instruction of a wave; the wave may be NULL. */
void og_weak_tell(struct og_weak_execution *w, const struct og_wave *wave, const struct og_operation *op,
                  const char *format, ...) OG_PRINTF(4, 5);

/* ---- all of it --------------------------------------------------------------------------------------------------- */

enum {
  OG_WEAK_HOMES = 4 /* places of work-groups: each has its CU or WGP, shader array, and L2 if agents have several */
};

struct og_weak_execution {
  struct og_deferring_observer observer;
  struct og_choices *choices;
  struct og_buffer *told; /* where choices are described in words, or NULL */
  struct og_weak_system system;
  uint8_t node[OG_WEAK_HOMES][2]; /* the caches of the two CUs of a WGP; if waves are not spread, both are the first */
  uint8_t scalar[OG_WEAK_HOMES];
  bool made, spread;
  unsigned agents;
  bool keeps; /* L2 hides what is stored now from other agents */
  struct og_weak_range {
    uint64_t start, end;
  } *fine; /* fine-grained memory */
  size_t fine_count;
  uint64_t now;                     /* counts stores */
  uint64_t clock;                   /* counts instructions of all waves */
  uint64_t groups, ended;           /* of the dispatch: work-groups, and those that have ended */
  struct og_wave *current;          /* the wave whose turn it is */
  struct og_weak_pending **pending; /* accesses not performed yet, in the order of issue */
  size_t count, capacity;
  struct og_weak_pending *spare;
  struct og_weak_pending *issuing[2]; /* what the current instruction has issued: to memory, to LDS */
  struct og_weak_pending *late;       /* what the wave is about to do, perhaps at once */
  struct og_weak_queue *queues, *recent; /* all queues, and the one that was asked for last */
  struct og_weak_dwords dwords;
  struct og_weak_program *programs;
  size_t program_count;
};

static inline unsigned og_weak_node(const struct og_weak_execution *w, const struct og_wave *wave, bool scalar) {
  unsigned home = wave->group->index % OG_WEAK_HOMES;
  return scalar ? w->scalar[home] : w->node[home][w->spread ? wave->id % 2 : 0];
}

/* Whether an agent's L2 hides a store from other agents until it is written back. */
static inline bool og_weak_keeps(struct og_weak_execution *w, const struct og_wave *wave,
                                 const struct og_operation *op) {
  if (w->agents == 1 || !w->system.kind->writes_back)
    return true;
  bool keeps = og_choose(w->choices, 4) != 0;
  if (keeps)
    og_weak_tell(w, wave, op, "stays in L2, unless it is fine-grained or written back");
  return keeps;
}

/* How far back in time a load looks: often not at all, else some number of stores. */
static inline uint64_t og_weak_choose_time(struct og_weak_execution *w, const struct og_wave *wave,
                                           const struct og_operation *op) {
  uint32_t choice = og_choose(w->choices, 8);
  uint64_t back = choice < 3 ? 0 : OG_MIN(1ull << 2 * (choice - 3) * 3, w->now);
  if (back)
    og_weak_tell(w, wave, op, "finds what its cache has from %llu stores ago, or more", (unsigned long long)back);
  return w->now - back;
}

#endif
