/* gws.h - what all work-groups of a machine share: the resources of global wave sync, and the global data share.
 * Internal to src/exec. */
#ifndef OG_EXEC_GWS_H
#define OG_EXEC_GWS_H

#include <pthread.h>

#include "exec/memory.h"

enum { OG_GWS_COUNT = 64, OG_GDS_BYTES = 65536, OG_ORDERED_COUNTERS = 64, OG_ORDER_BITS = 12 };

/* Of each the counter, and above it the turn: how often those that waited have been let go. Changed atomically. */
struct og_gws {
  uint64_t resource[OG_GWS_COUNT];
};

/* One wave at a time has it. */
struct og_gds {
  pthread_mutex_t mutex;
  uint32_t turn[OG_ORDERED_COUNTERS]; /* of each ordered counter: whose turn it is, modulo 2^OG_ORDER_BITS */
  uint64_t turns;                     /* how often one has passed; read atomically */
  _Alignas(64) uint8_t memory[OG_GDS_BYTES + 2 * OG_LDS_MARGIN];
};

/* The operation, which is prepared for LDS, on the global data share; `counts`: append and consume. */
bool og_prepare_gds(struct og_program *program, bool counts, struct og_operation *op);
/* DS_ORDERED_COUNT. */
bool og_prepare_ordered_count(struct og_program *program, const struct og_inst *inst, struct og_operation *op);
/* Before a dispatch: the turn is the first's. */
void og_gds_start(struct og_gds *gds);
/* DS_GWS_*. */
bool og_prepare_gws(const struct og_inst *inst, const struct og_memory *facts, struct og_operation *op);

#endif
