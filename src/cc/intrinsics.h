/* intrinsics.h - functions that the compiler itself knows. */
#ifndef OG_CC_INTRINSICS_H
#define OG_CC_INTRINSICS_H

#include "cc/machine.h"

/* The name of the function that is called, "" if it is not called by name. */
struct og_text cc_called(const struct cc_function *c, const struct og_ir_inst *call);
/* Whether the result is the same in all lanes and in scalar registers. */
bool cc_intrinsic_is_scalar(const struct cc_function *c, const struct og_ir_inst *call);
bool cc_passes_on(struct og_text name); /* whether the result is the argument itself */
bool cc_select_call(struct cc_function *c, uint32_t record);

#endif
