/* atomics.h - which atomic operations have an instruction. */
#ifndef OG_CC_ATOMICS_H
#define OG_CC_ATOMICS_H

#include "ir/ir.h"

struct og_isa;

/* The row that does an `atomicrmw` on a value of that type in an address space; `result`: its result is read. False:
 * there is none. */
bool cc_atomic_row(const struct og_isa *isa, const struct og_ir_module *m, const struct og_ir_inst *i, og_ir_type type,
                   unsigned space, bool result, unsigned *row);

#endif
