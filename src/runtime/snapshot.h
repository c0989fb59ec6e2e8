/* snapshot.h - keeps the bytes of all memory that a runtime gave out and of the code objects it loaded, to go back
 * to. */
#ifndef OG_RUNTIME_SNAPSHOT_H
#define OG_RUNTIME_SNAPSHOT_H

#include "runtime/runtime.h"

struct og_snapshot;

/* No dispatch may run while it is made or restored. NULL: memory is short. */
struct og_snapshot *og_snapshot_new(struct og_runtime *runtime);
/* Memory that was allocated or loaded since keeps its bytes; what was freed since stays freed. */
void og_snapshot_restore(const struct og_snapshot *snapshot);
void og_snapshot_free(struct og_snapshot *snapshot); /* NULL is fine */

#endif
