/* schedule.h - what an instruction depends on when it is to be moved. */
#ifndef OG_CC_SCHEDULE_H
#define OG_CC_SCHEDULE_H

#include "cc/liveness.h"

/* Resources have numbers: first special ones, then registers. PC stands for the place from which addresses count. */
enum { CC_RESOURCE_SCC, CC_RESOURCE_VCC, CC_RESOURCE_M0, CC_RESOURCE_PC, CC_SPECIAL_RESOURCES };
/* Kinds of memory that are always different: LDS, memory that all lanes see, private memory. */
enum { CC_SPACE_LDS, CC_SPACE_GLOBAL, CC_SPACE_PRIVATE, CC_SPACES };
enum { CC_NAMES_MOST = 64 };

struct cc_step {
  uint32_t names;         /* for the caller: where it keeps the names */
  uint16_t latency, bytes; /* bytes: of the access, if its offset says where it is; else 0 */
  uint8_t reads, writes;
  uint8_t issue;          /* cycles until the next instruction is issued */
  uint8_t spaces;         /* a bit for each kind of memory that it accesses */
  bool stores;            /* it stores, or must keep its place among accesses */
  bool scalar_load;
};

struct cc_stepper {
  struct cc_function *c;
  bool *told;     /* by row: `stays` is known */
  bool *stays;    /* by row: nothing moves over it */
};

void cc_begin_steps(struct cc_stepper *s, struct cc_function *c);
/* Whether an instruction may be moved among others that may be moved. */
bool cc_is_movable(struct cc_stepper *s, const struct cc_inst *i);
/* The resources that such an instruction reads, then those that it writes, up to CC_NAMES_MOST. */
void cc_step_names(const struct cc_stepper *s, const struct cc_inst *i, struct cc_step *step, uint32_t *names);

#endif
