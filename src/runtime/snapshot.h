/* snapshot.h - the bytes of all memory that a runtime gave out and of the code objects it loaded, to go back to. */
#ifndef OG_RUNTIME_SNAPSHOT_H
#define OG_RUNTIME_SNAPSHOT_H

#include "runtime/runtime.h"

struct og_snapshot;

/* Nothing may run, then or when it is restored. NULL: memory is short. */
struct og_snapshot *og_snapshot_new(struct og_runtime *runtime);
/* What was allocated or loaded since keeps its bytes; what is gone stays so. */
void og_snapshot_restore(const struct og_snapshot *snapshot);
void og_snapshot_free(struct og_snapshot *snapshot); /* NULL is fine */

#endif
