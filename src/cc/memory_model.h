/* memory_model.h - order of memory operations between lanes. cc_fence() is told in select.h. */
#ifndef OG_CC_MEMORY_MODEL_H
#define OG_CC_MEMORY_MODEL_H

#include "cc/select.h"

enum cc_access { CC_LOADS, CC_STORES, CC_ATOMICS };
/* Cache policy of an access that is atomic in a scope (a number in the module's scopes). */
uint8_t cc_policy(const struct cc_function *c, enum cc_access access, unsigned scope);

/* What a sequentially consistent load waits for: all that came before, if it may be seen in that scope. */
void cc_wait_for_all(struct cc_function *c, unsigned scope);

#endif
