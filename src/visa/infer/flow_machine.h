/* flow_machine.h - what the files that follow a kernel's inputs share: the values of its variables, where the flow is
   just now. */
#ifndef OG_VISA_FLOW_MACHINE_H
#define OG_VISA_FLOW_MACHINE_H

#include "visa/infer/flow.h"

/* What a variable holds. Of a surface variable `inputs` is a set of binding table entries. */
struct og_vf_value {
  uint64_t inputs;   /* it may be made of them, */
  uint64_t copies;   /* be one of them, unchanged, */
  uint64_t sums;     /* have them as summands, perhaps scaled by a constant, */
  uint64_t products; /* or have their products with a group's number as such */
  bool group;        /* may be a group's number, or register 0 */
};

struct og_vf {
  const struct og_visa_kernel *kernel;
  const struct og_visa_roles *roles;
  struct og_visa_flow flow;
  struct og_vf_value *now;   /* of each general variable, then of each surface variable */
  bool *address_taken;       /* of each general variable */
  uint64_t *own;             /* the inputs that stand in it at the start */
  struct og_vf_value exposed; /* what variables may hold whose address is taken */
  bool exposed_more;          /* since somebody last looked */
};

/* Adds to what a variable may hold; was there anything new? */
bool og_vf_merge(struct og_vf_value *to, const struct og_vf_value *from);
/* The variable that a register operand stands in, whatever it is an alias of. */
uint32_t og_vf_base_of(const struct og_vf *t, const struct og_visa_operand *operand);
bool og_vf_is_register(const struct og_visa_operand *operand);
bool og_vf_is_address(const struct og_visa_operand *operand); /* of a general variable */
/* The operand whose variable the instruction writes as a whole; UINT32_MAX: none. */
uint32_t og_vf_whole_operand(const struct og_vf *t, const struct og_visa_inst *inst);
/* Facts at the start: inputs, and values that do not depend on the path. */
void og_vf_start(struct og_vf *t);
/* One instruction: its effect on the values, and its information about inputs. */
void og_vf_follow(struct og_vf *t, const struct og_visa_inst *inst);

#endif
