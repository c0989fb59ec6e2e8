/* gws.h - the resources of global wave sync, which all work-groups of a machine share. Internal to src/exec. */
#ifndef OG_EXEC_GWS_H
#define OG_EXEC_GWS_H

#include "exec/memory.h"

enum { OG_GWS_COUNT = 64 };

/* Of each the counter, and above it the turn: how often those that waited have been let go. Changed atomically. */
struct og_gws {
  uint64_t resource[OG_GWS_COUNT];
};

/* DS_GWS_*. */
bool og_prepare_gws(const struct og_inst *inst, const struct og_memory *facts, struct og_operation *op);

#endif
