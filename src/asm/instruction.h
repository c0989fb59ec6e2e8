/* instruction.h - instructions in the language: emitted, listed. */
#ifndef OG_ASM_INSTRUCTION_H
#define OG_ASM_INSTRUCTION_H

#include "asm/internal.h"

void og_asm_begin_instructions(struct og_asm *as); /* for as->target */

/* ---- listing.c */

void og_asm_list_instruction(struct og_asm *as, const struct og_match *m, const uint8_t *bytes, size_t size);

#endif
