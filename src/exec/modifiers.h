/* modifiers.h - the modifiers that a handler obeys. The code that prepares an operation lists them, and any other
 * modifier of the instruction is refused by name instead of being silently ignored. */
#ifndef OG_EXEC_MODIFIERS_H
#define OG_EXEC_MODIFIERS_H

#include "exec/exec.h"

/* A set of enum og_mod. */
typedef unsigned __int128 og_mod_set;
#define OG_MODS(name) ((og_mod_set)1 << OG_MOD_##name)

/* Modifiers that move data between lanes, or select a part of a register. */
#define OG_MODS_DPP (OG_MODS(DPP_CTRL) | OG_MODS(ROW_MASK) | OG_MODS(BANK_MASK) | OG_MODS(BOUND_CTRL) | OG_MODS(FI) | \
                     OG_MODS(DPP8))
#define OG_MODS_SDWA (OG_MODS(DST_SEL) | OG_MODS(DST_UNUSED) | OG_MODS(SRC0_SEL) | OG_MODS(SRC1_SEL))

/* Notes what cannot be executed, for the message, and yields false: `return og_refuse(program, "clamp");`. NULL: the
 * instruction as such. `what` lives on. */
bool og_refuse(struct og_program *program, const char *what);
/* Whether all modifiers that the instruction has are among those; if not, the first other one is refused. */
bool og_obeys(struct og_program *program, const struct og_inst *inst, og_mod_set obeyed);
/* The same of one operand's enum og_operand_flags. How a literal was written never matters. */
bool og_obeys_flags(struct og_program *program, const struct og_operand *operand, unsigned obeyed);

#endif
