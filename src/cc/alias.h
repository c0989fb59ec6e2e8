/* alias.h - whether two accesses of the IR may be of the same memory. */
#ifndef OG_CC_ALIAS_H
#define OG_CC_ALIAS_H

#include "ir/ir.h"

/* Of two records; of what is no plain load or store anything may be. Holds while each runs once: within a block. */
bool cc_may_meet(const struct og_ir_module *m, const struct og_ir_function *f, uint32_t a, uint32_t b);
/* The same for all times that they run, so without scopes; `pointer` is any in the function. */
bool cc_may_ever_meet(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref pointer, og_ir_ref other);
/* Whether two pointers begin at the same object, or nobody knows where either begins. */
bool cc_begin_alike(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref pointer, og_ir_ref other);
/* Whether what holds of one holds of the other: both lead to one object and are in the same scopes. */
bool cc_meets_alike(const struct og_ir_module *m, const struct og_ir_function *f, uint32_t a, uint32_t b);
/* Attachments without scopes, for copies: the scopes of one copy say nothing about another. */
uint32_t cc_without_scopes(struct og_ir_module *m, uint32_t attachments);

#endif
