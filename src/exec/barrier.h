/* barrier.h - barriers of a work-group and its cluster: between the dispatcher and the instructions of waves. */
#ifndef OG_EXEC_BARRIER_H
#define OG_EXEC_BARRIER_H

#include "exec/group.h"

void og_barriers_start(struct og_group *group, unsigned named);
/* After a wave of the group, which counts no more as live, has ended: the others may have waited for it alone. */
void og_barriers_left(struct og_group *group);
/* Whether all live waves stand at the work-group's barrier. */
bool og_barriers_full(const struct og_group *group);
/* Resumes the waves whose barriers are complete. False: all live waves, of all the cluster where there is one, wait for
 * something that none of them can do. */
bool og_barriers_open(struct og_group *group);

/* What a wave is told of its cluster's barrier; 0: it is in none. */
uint32_t og_cluster_barrier_state(const struct og_wave *wave);

og_handler og_barrier_signal, og_barrier_signal_isfirst, og_barrier_wait, og_barrier_state, og_barrier_init,
    og_barrier_join, og_barrier_leave;

#endif
