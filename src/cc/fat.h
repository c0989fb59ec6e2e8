/* fat.h - shared by the two files that take buffer fat pointers apart. */
#ifndef OG_CC_FAT_H
#define OG_CC_FAT_H

#include "cc/machine.h"
#include "cc/opt.h"

enum { CC_FAT = 7, CC_RESOURCE = 8 }; /* address spaces */

/* A pointer of 160 bits: a resource and an offset of 32 bits, which lies in the lowest ones. */
struct cc_fat {
  og_ir_ref resource, offset;
};

/* Where instructions are made: in `block`, before `before`; 0: at its end. */
struct cc_maker {
  struct cc_opt *o;
  uint32_t block, before, origin;
};

uint32_t cc_make(const struct cc_maker *k, uint8_t opcode, og_ir_type type, uint32_t operands, og_ir_ref a,
                 og_ir_ref b);
uint32_t cc_make_call(const struct cc_maker *k, const char *name, og_ir_type result, const og_ir_ref *list,
                      uint32_t count);
og_ir_ref cc_make_number(const struct cc_maker *k, uint32_t value); /* of 32 bits */
og_ir_ref cc_make_extract(const struct cc_maker *k, og_ir_ref vector, uint32_t index);
og_ir_ref cc_make_insert(const struct cc_maker *k, og_ir_ref vector, og_ir_ref element, uint32_t index);

/* fat_access.c: what replaces a load, a store of `stored` or an atomic operation; returns its value, OG_IR_NONE:
 * none. */
og_ir_ref cc_fat_access(const struct cc_maker *k, const struct og_ir_inst *i, struct cc_fat at, og_ir_ref stored);

#endif
