/* internal.h - what checkers share: an instruction as they need to know it, findings. */
#ifndef OG_CHECK_INTERNAL_H
#define OG_CHECK_INTERNAL_H

#include "check/check.h"
#include "exec/group.h"
#include "isa/outstanding.h"

/* What is known of an instruction; made when it first runs. */
struct og_known {
  struct og_transfer transfer;
  uint8_t limits[OG_COUNTERS];
  bool waits, barrier;
  bool vector;    /* does nothing where EXEC is 0 */
  bool all_lanes; /* touches lanes that EXEC has off, too */
  uint8_t touch_count;
  struct og_touch touches[];
};

/* One mistake, with where it was first seen. */
struct og_finding {
  uint8_t checker;          /* enum og_checker */
  uint64_t pc, other;       /* other: of the other party; 0: there is none */
  const char *does, *while_; /* "reads v2", "still fills it" */
  const char *advice;       /* or "" */
  uint32_t group[3], wave;
  int lane;                 /* -1: no single one */
  uint64_t count;
};

/* What one thread's waves are watched with. */
struct og_watch {
  struct og_observer observer;
  struct og_check *check;
  struct og_arena *arena;
  const struct og_isa *isa;
  struct og_isa own_isa;
  uint8_t most[OG_COUNTERS];
  struct og_wait_mode mode;
  struct og_known **known; /* by word of the program */
  struct og_lives *spare;  /* of waves that have ended */
  OG_VECTOR(struct og_finding) findings;
};

const struct og_known *og_check_known(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op);
/* The finding of that checker with these two parties: a new one has no words yet. */
struct og_finding *og_check_find(struct og_watch *watch, enum og_checker checker, const struct og_wave *wave,
                                 uint64_t pc, uint64_t other, int lane);

/* waits.c */
void og_check_waits_begin(struct og_watch *watch, struct og_wave *wave);
void og_check_waits_end(struct og_watch *watch, struct og_wave *wave);
void og_check_waits(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op);
/* divergence.c */
void og_check_divergence(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op);
void og_check_barrier(struct og_watch *watch, struct og_group *group);

#endif
