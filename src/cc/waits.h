/* waits.h - shared by the files that find what code has to wait for: counters, and what is pending beside registers. */
#ifndef OG_CC_WAITS_H
#define OG_CC_WAITS_H

#include "cc/memory_model.h"

enum { VM, LGKM, VS, ASYNC, TENSOR, X, COUNTERS };

/* Places behind those of registers. A place has for each counter what was issued last for it; those of asyncmarks move
 * up by one with each mark, the newest is the first. */
enum { CC_LDS_CLASSES = 16, CC_MARKS_MOST = 256, CC_USES_MOST = CC_LDS_CLASSES + 2 };
struct cc_wait_places {
  unsigned ordered;       /* what fences, barriers and calls wait for: all but asynchronous operations */
  unsigned last;          /* the last asynchronous operation */
  unsigned marks, mark_count;
  unsigned transfers;     /* by class of LDS: what transfers fill that are waited for without a mark */
  unsigned accesses;      /* by class of LDS: instructions of LDS that transfers must not overtake */
  unsigned classes;
  og_ir_ref pointer[CC_LDS_CLASSES]; /* of each class: one that leads there; OG_IR_NONE: anywhere */
};
struct cc_place_use {
  unsigned place, counters; /* counters: a bit each */
};

/* Numbers the places of a function from `begin` on: how many. */
unsigned cc_find_wait_places(const struct cc_function *c, struct cc_wait_places *w, unsigned begin);
/* What has to have ended before an instruction; what it is pending for then, given the counters that it raises. */
unsigned cc_places_read(const struct cc_function *c, const struct cc_wait_places *w, const struct cc_inst *i,
                        struct cc_place_use uses[CC_USES_MOST]);
unsigned cc_places_written(const struct cc_function *c, const struct cc_wait_places *w, const struct cc_inst *i,
                           unsigned raised, struct cc_place_use uses[CC_USES_MOST]);

#endif
