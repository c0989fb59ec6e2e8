/* address.h - where memory instructions access what a pointer leads to. */
#ifndef OG_CC_ADDRESS_H
#define OG_CC_ADDRESS_H

#include "cc/select.h"

enum { FLAT = 0, GLOBAL = 1, LDS = 3, CONSTANT = 4, PRIVATE = 5 }; /* address spaces */

/* What an access needs beside its data: the address's operands and an offset. */
struct cc_address {
  unsigned space; /* FLAT, GLOBAL, LDS, CONSTANT: the last by scalar memory instructions */
  operand at[2];  /* of GLOBAL: a vector and a scalar one */
  unsigned operands;
  int64_t offset;
};
unsigned cc_space_of(const struct cc_function *c, og_ir_ref pointer);
/* `scalar`: for scalar memory instructions. */
bool cc_address(struct cc_function *c, og_ir_ref pointer, bool scalar, struct cc_address *a);
bool cc_select_atomic(struct cc_function *c, uint32_t record);

#endif
