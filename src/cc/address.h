/* address.h - the memory that a pointer leads to, as memory instructions address it. */
#ifndef OG_CC_ADDRESS_H
#define OG_CC_ADDRESS_H

#include "cc/select.h"

enum { FLAT = 0, GLOBAL = 1, LDS = 3, CONSTANT = 4, PRIVATE = 5 }; /* address spaces */

/* What an access needs beside its data: the address's operands and an offset. */
struct cc_address {
  unsigned space; /* FLAT, GLOBAL, LDS, PRIVATE; CONSTANT: by scalar memory instructions */
  operand at[3];  /* of GLOBAL: a vector and a scalar one; of PRIVATE: as its instruction takes them */
  unsigned operands;
  bool no_vector; /* of PRIVATE: no vector register is among them */
  bool by_buffer; /* for buffer instructions, which have a store's or atomic operation's data before the address */
  int64_t offset;
};
/* Private memory at `offset` from what the register `base` (CC_NONE: nothing) says. */
void cc_private_address(struct cc_function *c, operand base, int64_t offset, struct cc_address *a);
/* Rows by what is accessed (flat, global, LDS, scratch, buffer), by load or store, and by size: 1, 2, 4, 8, 12, 16
 * bytes. */
extern const uint16_t cc_memory_rows[5][2][6];
unsigned cc_rows_of(const struct cc_address *a);
static inline bool cc_scratch_by_buffer(const struct cc_function *c) { return c->isa->generation < OG_GFX900; }
unsigned cc_space_of(const struct cc_function *c, og_ir_ref pointer);
/* `scalar`: for scalar memory instructions. */
bool cc_address(struct cc_function *c, og_ir_ref pointer, bool scalar, struct cc_address *a);
/* The same of global memory from gfx9 on, but the offset is in the registers, and none is left for the instruction. */
void cc_global_at(struct cc_function *c, og_ir_ref pointer, struct cc_address *a);
/* Whether a pointer leads to the kernel's arguments, and where in them. */
bool cc_is_argument(const struct cc_function *c, og_ir_ref pointer, int64_t *offset);
/* The same of the arguments that the compiler adds; `offset` counts from the first of these. */
bool cc_is_hidden_argument(const struct cc_function *c, og_ir_ref pointer, int64_t *offset);
bool cc_select_atomic(struct cc_function *c, uint32_t record);

#endif
