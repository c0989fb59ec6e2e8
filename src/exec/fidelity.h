/* fidelity.h - the instructions a program has reached that hardware computes differently from offgrid
 * (docs/exactness.md). */
#ifndef OG_EXEC_FIDELITY_H
#define OG_EXEC_FIDELITY_H

#include "exec/exec.h"

/* All of them, each once, in the order of the code; an array in the arena. */
const struct og_approximation *og_approximations(const struct og_program *program, struct og_arena *arena,
                                                 size_t *count);

#endif
