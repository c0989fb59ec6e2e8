/* execution.h - kernels on a weak memory: an observer that takes accesses of memory and LDS upon itself and performs them
 * late, from caches that are stale. What it cannot take (scalar memory, images, scratch) is read at once, from stale caches,
 * and reaches its registers late. */
#ifndef OG_WEAK_EXECUTION_H
#define OG_WEAK_EXECUTION_H

#include "exec/exec.h"
#include "weak/choices.h"

struct og_weak_execution;

/* The choices are the caller's, and live as long. */
struct og_weak_execution *og_weak_execution_new(struct og_choices *choices);
void og_weak_execution_free(struct og_weak_execution *weak);
/* The choices that are not the strong ones are told in words, a line each. */
void og_weak_tell_to(struct og_weak_execution *weak, struct og_buffer *told);
/* Of one host thread: a schedule is one sequence of choices. */
const struct og_observer *og_weak_observer(struct og_weak_execution *weak);

#endif
