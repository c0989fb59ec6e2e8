/* waits.h - shared by the files that find what code must wait for: counters, and what is pending besides registers. */
#ifndef OG_CC_WAITS_H
#define OG_CC_WAITS_H

#include "cc/memory_model.h"

enum { VM, LGKM, VS, ASYNC, TENSOR, X, COUNTERS };

/* Places behind those of registers. A place has for each counter the number of its last operation. Places of asyncmarks
 * move up by one with each mark; the newest comes first. */
enum { CC_LDS_CLASSES = 16, CC_MARKS_MOST = 256, CC_USES_MOST = CC_LDS_CLASSES + 2 };
struct cc_wait_places {
  unsigned ordered;       /* for fences, barriers and calls: the last operation that is not asynchronous */
  unsigned last;          /* the last asynchronous operation */
  unsigned marks, mark_count;
  unsigned transfers;     /* by class of LDS: transfers that fill it and are waited for without a mark */
  unsigned accesses;      /* by class of LDS: accesses that transfers must not overtake */
  unsigned classes;
  og_ir_ref pointer[CC_LDS_CLASSES]; /* by class: a pointer to it; OG_IR_NONE: it may be anywhere */
};
struct cc_place_use {
  unsigned place, counters; /* counters: a bit for each */
};

/* Numbers a function's places from `begin` on; returns how many there are. */
unsigned cc_find_wait_places(const struct cc_function *c, struct cc_wait_places *w, unsigned begin);
/* The places that must have ended before an instruction; those for which it is pending then, by the counters that it
 * raises. */
unsigned cc_places_read(const struct cc_function *c, const struct cc_wait_places *w, const struct cc_inst *i,
                        struct cc_place_use uses[CC_USES_MOST]);
unsigned cc_places_written(const struct cc_function *c, const struct cc_wait_places *w, const struct cc_inst *i,
                           unsigned raised, struct cc_place_use uses[CC_USES_MOST]);

#endif
