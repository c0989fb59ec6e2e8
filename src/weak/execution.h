/* execution.h - kernels on a weak memory: an observer that takes over accesses to memory and LDS and performs them
 * late, from stale caches. Accesses that it cannot take over (scalar memory, images, scratch) read at once, from stale
 * caches, but their values reach registers late. */
#ifndef OG_WEAK_EXECUTION_H
#define OG_WEAK_EXECUTION_H

#include "exec/deferred.h"
#include "weak/choices.h"

struct og_weak_execution;

enum { OG_WEAK_AGENTS = 4 };
/* The choices stay the caller's and must live as long. Work-groups go in turn to `agents` agents, each with an L2 of
 * its own. */
struct og_weak_execution *og_weak_execution_new(struct og_choices *choices, unsigned agents);
void og_weak_execution_free(struct og_weak_execution *weak);
/* Makes memory fine-grained: no L2 keeps stores to it from other agents. All other memory is coarse-grained. */
void og_weak_make_fine(struct og_weak_execution *weak, const void *memory, size_t size);
/* Writes a line to the buffer for each choice that a strong memory would not make, in words. */
void og_weak_tell_to(struct og_weak_execution *weak, struct og_buffer *told);
/* For a single host thread: a schedule is one sequence of choices. */
const struct og_deferring_observer *og_weak_observer(struct og_weak_execution *weak);

#endif
