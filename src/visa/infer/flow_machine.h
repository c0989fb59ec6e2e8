/* flow_machine.h - shared by the files that follow a kernel's inputs: the values of variables at the place where the
   flow is. */
#ifndef OG_VISA_FLOW_MACHINE_H
#define OG_VISA_FLOW_MACHINE_H

#include "visa/infer/flow.h"

/* What a variable holds. Of a surface variable `inputs` is a set of binding table entries. */
struct og_vf_value {
  uint64_t inputs;   /* it may be made of these inputs, */
  uint64_t copies;   /* be one of these, unchanged, */
  uint64_t sums;     /* have one of these as a summand, perhaps scaled by a constant, */
  uint64_t products; /* or be a product of one of these with a group's number */
  bool group;        /* may be a group's number, or register 0 */
};

struct og_vf {
  const struct og_visa_kernel *kernel;
  const struct og_visa_roles *roles;
  struct og_visa_flow flow;
  struct og_vf_value *now;   /* of each general variable, then of each surface variable */
  bool *address_taken;       /* of each general variable */
  uint64_t *own;             /* the inputs that are in it at the start */
  struct og_vf_value exposed; /* what variables whose address is taken may hold */
  bool exposed_more;          /* it has grown since the last look */
};

/* Adds to what a variable may hold; returns whether anything was new. */
bool og_vf_merge(struct og_vf_value *to, const struct og_vf_value *from);
/* The variable in which a register operand is, through all aliases. */
uint32_t og_vf_base_of(const struct og_vf *t, const struct og_visa_operand *operand);
bool og_vf_is_register(const struct og_visa_operand *operand);
bool og_vf_is_address(const struct og_visa_operand *operand); /* of a general variable */
/* The operand whose variable the instruction writes as a whole; UINT32_MAX: none. */
uint32_t og_vf_whole_operand(const struct og_vf *t, const struct og_visa_inst *inst);
/* What is known at the start: inputs, and values that do not depend on paths. */
void og_vf_start(struct og_vf *t);
/* Follows one instruction: its effect on values, and what it says about inputs. */
void og_vf_follow(struct og_vf *t, const struct og_visa_inst *inst);

#endif
