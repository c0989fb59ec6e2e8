/* execution.h - kernels on a weak memory: an observer that takes the vector memory's accesses upon itself and performs them
 * late, from caches that are stale. LDS, scratch, scalar memory and images are as the executor has them. */
#ifndef OG_WEAK_EXECUTION_H
#define OG_WEAK_EXECUTION_H

#include "exec/exec.h"
#include "weak/choices.h"

struct og_weak_execution;

/* The choices are the caller's, and live as long. */
struct og_weak_execution *og_weak_execution_new(struct og_choices *choices);
void og_weak_execution_free(struct og_weak_execution *weak);
/* Of one host thread. */
const struct og_observer *og_weak_observer(struct og_weak_execution *weak);

#endif
