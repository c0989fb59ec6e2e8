/* tier.h - the compiled tier: blocks of operations that are run often become host code (x86-64 with AVX2 or AVX-512),
 * with the same results. Elsewhere, and where there is no memory for code, the interpreter does everything. */
#ifndef OG_TIER_H
#define OG_TIER_H

#include "exec/exec.h"

enum og_compile {
  OG_COMPILE_AS_ASKED, /* as the environment variable OFFGRID_COMPILE says: 0, 1, always or seen; without it, 1 */
  OG_COMPILE_NEVER,
  OG_COMPILE_HOT,    /* what is run often */
  OG_COMPILE_ALWAYS, /* whatever is reached: for tests */
  OG_COMPILE_SEEN,   /* what is reached for the second time, for what was seen at the first: for tests */
};

/* Has the program's blocks compiled; before any wave runs. Its code stands in memory of its own, which is freed with
 * it. */
void og_tier_attach(struct og_program *program, enum og_compile when);

/* What this process has compiled: blocks, operations in them, bytes of host code, and the time that it took. */
struct og_tier_totals {
  uint64_t blocks, operations, bytes, nanoseconds;
};
struct og_tier_totals og_tier_totals(void);

#endif
