/* scalars.h - what the SGPRs hold along one straight run of code, as far as s_getpc_b64 and additions show: compilers
 * call and branch far that way. */
#ifndef OG_LINT_SCALARS_H
#define OG_LINT_SCALARS_H

#include "isa/effects.h"
#include "object/object.h"

enum { OG_SCALARS = 128 };

struct og_scalars {
  bool known[OG_SCALARS];
  uint32_t value[OG_SCALARS];
  int carry; /* SCC; -1 where it is unknown */
};

/* Follows s_getpc_b64, additions and s_mov_b32; any other register that is written becomes unknown, and so does what
 * relocation `r` (or NULL) fills in. */
void og_scalars_follow(struct og_scalars *scalars, const struct og_inst *inst, const struct og_effects *effects,
                       const struct og_relocation *r, uint64_t pc);
/* The address in two registers; false: it is not known. */
bool og_scalars_pair(const struct og_scalars *scalars, const struct og_operand *operand, uint64_t *address);

#endif
