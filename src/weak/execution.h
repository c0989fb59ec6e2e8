/* execution.h - kernels on a weak memory: an observer that takes over accesses of memory and LDS and performs them
 * late, from stale caches. Accesses that it cannot take over (scalar memory, images, scratch) are read at once, from
 * stale caches, and reach their registers late. */
#ifndef OG_WEAK_EXECUTION_H
#define OG_WEAK_EXECUTION_H

#include "exec/deferred.h"
#include "weak/choices.h"

struct og_weak_execution;

enum { OG_WEAK_AGENTS = 4 };
/* The choices are the caller's, and live as long. Work-groups are on so many agents in turn, each with its L2. */
struct og_weak_execution *og_weak_execution_new(struct og_choices *choices, unsigned agents);
void og_weak_execution_free(struct og_weak_execution *weak);
/* Memory of which no L2 keeps what other agents do not see; all else is coarse-grained. */
void og_weak_make_fine(struct og_weak_execution *weak, const void *memory, size_t size);
/* The choices that are not the strong ones are told in words, a line each. */
void og_weak_tell_to(struct og_weak_execution *weak, struct og_buffer *told);
/* Of one host thread: a schedule is one sequence of choices. */
const struct og_deferring_observer *og_weak_observer(struct og_weak_execution *weak);

#endif
