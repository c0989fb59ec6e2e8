/* inside.h - the parts of a kernel's weak execution. Internal to src/weak. */
#ifndef OG_WEAK_INSIDE_H
#define OG_WEAK_INSIDE_H

#include "exec/deferred.h"
#include "exec/group.h"
#include "weak/execution.h"
#include "weak/weak.h"

/* ---- instructions: known.c --------------------------------------------------------------------------------------- */

enum { OG_WEAK_RESULTS = 4, OG_WEAK_LATE_ROWS = 8, OG_WEAK_LATE_SCALARS = 32 };

/* Registers side by side, by their place in struct og_wave. */
struct og_weak_registers {
  uint32_t at;
  uint8_t dwords;
  bool vector;
};

/* How an instruction acts on the memory. */
struct og_weak_known {
  struct og_weak_inst inst;
  bool looked_at;
  bool plain;    /* a load that is deferred */
  bool transfer; /* between memory and LDS, beside the registers */
  bool late;     /* what it yields may come late */
  uint8_t results;
  struct og_weak_registers result[OG_WEAK_RESULTS];
};

struct og_weak_program {
  const struct og_program *program;
  struct og_weak_known *known; /* by operation */
};

/* NULL: unknown. */
const struct og_weak_known *og_weak_known_of(struct og_weak_execution *w, const struct og_wave *wave,
                                             const struct og_operation *op);

/* ---- what was issued: pending.c ---------------------------------------------------------------------------------- */

/* One lane's part of an access. */
struct og_weak_piece {
  uint64_t address, data, other;
  uint8_t lane, piece, size;
  uint8_t bytes[16];
};

/* An instruction's accesses to one space, or what was done at once, with results that come late: from the issue until
 * no counter counts it. */
struct og_weak_pending {
  struct og_wave *wave; /* NULL: it has ended */
  const struct og_operation *op;
  const struct og_weak_known *known;
  struct og_weak_pending *next; /* of the wave */
  uint8_t space, access;        /* enum og_space, og_access; 0: it was done at once */
  uint8_t node, count;
  bool done;
  uint64_t due;       /* the clock's time when it is performed, if nothing waits for it before */
  uint64_t low, high; /* all of its bytes are from here up to there */
  uint64_t lanes;     /* of results */
  union {
    struct og_weak_piece piece[OG_LANES];
    struct {
      uint32_t row[OG_WEAK_LATE_ROWS][OG_LANES], scalar[OG_WEAK_LATE_SCALARS];
    } value;
  };
};

/* What a wave has outstanding, in the order of issue. */
struct og_weak_queue {
  struct og_wave *wave; /* NULL: it is nobody's */
  struct og_weak_pending *first, *last;
  struct og_weak_queue *next;
};

/* A new one, last of all. */
struct og_weak_pending *og_weak_issue(struct og_weak_execution *w, struct og_wave *wave, const struct og_operation *op,
                                      const struct og_weak_known *known, unsigned space, int access);
/* Performs one, and before it those that it must not overtake. */
void og_weak_perform(struct og_weak_execution *w, struct og_weak_pending *p);
/* Those of a wave that are in a space. */
void og_weak_perform_all(struct og_weak_execution *w, const struct og_wave *wave, unsigned space);
/* Those of a cache whose bytes overlap. */
void og_weak_perform_near(struct og_weak_execution *w, unsigned node, uint64_t low, uint64_t high);
/* Until counters have fallen as the instruction wants it. */
void og_weak_wait(struct og_weak_execution *w, const struct og_wave *wave, const struct og_weak_inst *inst);
/* A wave has ended: stores may arrive later, all else is gone with its registers and LDS. */
void og_weak_leave(struct og_weak_execution *w, struct og_wave *wave);
/* All is dropped. */
void og_weak_drop(struct og_weak_execution *w);

/* ---- results that come late: late.c ------------------------------------------------------------------------------ */

/* The wave is about to do what may be done at once, and counts all the same; results are taken away from it
 * afterwards. */
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

/* By address. */
struct og_weak_dwords {
  struct og_weak_dword **table;
  size_t used, size;
};

/* Finds what a load finds, where the caches may still have it: up to a time. `bytes` hold what memory has. */
void og_weak_load(struct og_weak_execution *w, unsigned node, unsigned reach, uint64_t time, uint64_t address,
                  void *bytes, unsigned size);
/* What a store or atomic changed, of the dwords around its bytes. */
void og_weak_note(struct og_weak_execution *w, const struct og_weak_pending *p, uint64_t address, const uint8_t *before,
                  const uint8_t *after, unsigned size);
void og_weak_forget(struct og_weak_execution *w);
/* Makes a dword what an atomic through that cache finds. */
void og_weak_go_back(struct og_weak_execution *w, unsigned node, unsigned reach, uint64_t address, uint8_t *dword);

/* ---- choices in words: tell.c ------------------------------------------------------------------------------------ */

/* The choice that was just made, of a wave and an instruction of it, or NULL. */
void og_weak_tell(struct og_weak_execution *w, const struct og_wave *wave, const struct og_operation *op,
                  const char *format, ...) OG_PRINTF(4, 5);

/* ---- all of it --------------------------------------------------------------------------------------------------- */

enum {
  OG_WEAK_HOMES = 4 /* of work-groups: each has its CU or WGP, its shader array, and an L2 where an agent has several */
};

struct og_weak_execution {
  struct og_deferring_observer observer;
  struct og_choices *choices;
  struct og_buffer *told; /* or NULL */
  struct og_weak_system system;
  uint8_t node[OG_WEAK_HOMES][2]; /* of the two CUs of a WGP; where waves are not spread the first */
  uint8_t scalar[OG_WEAK_HOMES];
  bool made, spread;
  unsigned agents;
  bool keeps; /* L2 does what is stored now, and other agents do not see it */
  struct og_weak_range {
    uint64_t start, end;
  } *fine; /* fine-grained memory */
  size_t fine_count;
  uint64_t now;                     /* counts stores */
  uint64_t clock;                   /* counts instructions */
  uint64_t groups, ended;           /* of the dispatch */
  struct og_wave *current;          /* whose turn it is */
  struct og_weak_pending **pending; /* not performed yet, in the order of issue */
  size_t count, capacity;
  struct og_weak_pending *spare;
  struct og_weak_pending *issuing[2]; /* by the instruction in hand: to memory, to LDS */
  struct og_weak_pending *late;       /* what the wave is about to do, perhaps at once */
  struct og_weak_queue *queues, *recent; /* all of them, the one that was asked for last */
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

/* How far back in time a load looks: now most often, else up to some stores ago. */
static inline uint64_t og_weak_choose_time(struct og_weak_execution *w, const struct og_wave *wave,
                                           const struct og_operation *op) {
  uint32_t choice = og_choose(w->choices, 8);
  uint64_t back = choice < 3 ? 0 : OG_MIN(1ull << 2 * (choice - 3) * 3, w->now);
  if (back)
    og_weak_tell(w, wave, op, "finds what its cache has from %llu stores ago, or more", (unsigned long long)back);
  return w->now - back;
}

#endif
