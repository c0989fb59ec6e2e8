/* arena.h - for those who know how much an arena will hold. */
#ifndef OG_BASE_ARENA_H
#define OG_BASE_ARENA_H

#include "base/base.h"

/* Of an arena that nothing was allocated from: the first block has that size, and is not pieced together of small
 * ones. */
void og_arena_expect(struct og_arena *arena, size_t size);

/* An arena whose first block is three quarters of what the host's newest block has left: both together take one large
 * page where each would take its own. The host must outlive it. */
struct og_arena *og_arena_within(struct og_arena *host);

#endif
