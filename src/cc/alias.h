/* alias.h - whether two accesses of the IR may be of the same memory. */
#ifndef OG_CC_ALIAS_H
#define OG_CC_ALIAS_H

#include "ir/ir.h"

/* Of two records: plain loads and stores; anything else may access all memory. This holds while each runs once, that is
 * within a block. */
bool cc_may_meet(const struct og_ir_module *m, const struct og_ir_function *f, uint32_t a, uint32_t b);
/* The same for all the times that they run, and so without scopes; `pointer` may be any pointer of the function. */
bool cc_may_ever_meet(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref pointer, og_ir_ref other);
/* Whether two pointers begin at the same object, or both begin at unknown places. */
bool cc_begin_alike(const struct og_ir_module *m, const struct og_ir_function *f, og_ir_ref pointer, og_ir_ref other);
/* Whether two accesses meet the same others: both are of one object and in the same scopes. */
bool cc_meets_alike(const struct og_ir_module *m, const struct og_ir_function *f, uint32_t a, uint32_t b);
/* Attachments without scopes, for copies: the scopes of one copy say nothing about another. */
uint32_t cc_without_scopes(struct og_ir_module *m, uint32_t attachments);

#endif
