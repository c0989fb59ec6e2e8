/* schedule.h - dependences of an instruction's place. */
#ifndef OG_CC_SCHEDULE_H
#define OG_CC_SCHEDULE_H

#include "cc/liveness.h"

/* Resources are named by numbers: first those that no register stands for, PC being what an address counts from. */
enum { CC_RESOURCE_SCC, CC_RESOURCE_VCC, CC_RESOURCE_M0, CC_RESOURCE_PC, CC_SPECIAL_RESOURCES };
/* Kinds of memory that are never the same: LDS, what all lanes see, private memory. */
enum { CC_SPACE_LDS, CC_SPACE_GLOBAL, CC_SPACE_PRIVATE, CC_SPACES };
enum { CC_NAMES_MOST = 64 };

struct cc_step {
  uint32_t names;         /* for who asks: where they are kept */
  uint16_t latency, bytes; /* of the access, if offsets say where it is; 0: they do not */
  uint8_t reads, writes;
  uint8_t issue;          /* cycles until the next one */
  uint8_t spaces;         /* a bit each */
  bool stores;            /* or is to stay where it is among others */
  bool scalar_load;
};

struct cc_stepper {
  struct cc_function *c;
  bool *told;     /* by row: the next is known */
  bool *stays;    /* by row: nothing moves over it */
};

void cc_begin_steps(struct cc_stepper *s, struct cc_function *c);
/* Whether an instruction may be moved among others that may. */
bool cc_is_movable(struct cc_stepper *s, const struct cc_inst *i);
/* What one that may be moved reads and then what it writes, up to CC_NAMES_MOST. */
void cc_step_names(const struct cc_stepper *s, const struct cc_inst *i, struct cc_step *step, uint32_t *names);

#endif
