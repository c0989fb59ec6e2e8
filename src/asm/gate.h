/* gate.h - which instructions -mattr takes away. */
#ifndef OG_ASM_GATE_H
#define OG_ASM_GATE_H

#include "isa/isa.h"

/* The feature without which the target has not that form, or NULL where nothing is amiss. */
const char *og_asm_gate(const struct og_target *target, const struct og_form *form);

/* The instruction hangs on a feature that the target has and its processor has not. */
bool og_asm_brought(const struct og_target *target, struct og_text name);

#endif
