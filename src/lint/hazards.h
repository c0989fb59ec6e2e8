/* hazards.h - instructions that follow others too soon, on all paths of a function. */
#ifndef OG_LINT_HAZARDS_H
#define OG_LINT_HAZARDS_H

#include "lint/flow.h"

/* Called for each second step that follows the first too soon. */
typedef void og_hazard_found(void *context, uint32_t first, uint32_t second, const struct og_hazard_gap *gap);
void og_hazards_walk(const struct og_flow *flow, struct og_arena *arena, og_hazard_found *found, void *context);

#endif
