/* hazards.h - wait states that are missing, on all paths of a function. */
#ifndef OG_LINT_HAZARDS_H
#define OG_LINT_HAZARDS_H

#include "lint/flow.h"

/* The second step comes `passed` wait states behind the first and not `wanted`, for a register; OG_PLACES: for MODE. */
typedef void og_hazard_found(void *context, uint32_t first, uint32_t second, unsigned passed, unsigned wanted,
                             uint16_t place);
void og_hazards_walk(const struct og_flow *flow, og_hazard_found *found, void *context);

#endif
