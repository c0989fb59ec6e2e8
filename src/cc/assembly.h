/* assembly.h - inline assembly. */
#ifndef OG_CC_ASSEMBLY_H
#define OG_CC_ASSEMBLY_H

#include "cc/select.h"

/* Whether all results stand in scalar registers; whether the text names registers by number. */
bool cc_is_scalar_assembly(const struct cc_function *c, const struct og_ir_inst *call);
bool cc_fixes_registers(const struct cc_function *c, const struct og_ir_inst *call);
bool cc_select_assembly(struct cc_function *c, uint32_t record);
bool cc_assemble(struct cc_function *c); /* the pass: text becomes instructions */

#endif
