/* turn.h - the turns of waves that the dispatcher gives most often. Internal to src/exec. */
#ifndef OG_TURN_H
#define OG_TURN_H

#include "exec/group.h"

/* Turns of the group's waves that can run, from number `from` on, as long as each leads to the work-group's barrier or
 * to the wave's end; some rounds of them, if that opens the barrier. Where waves begin a turn at the same operation,
 * compiled code may go from wave to wave itself (og_wave.followers). `budget` is how many branches a turn may take,
 * *control the thread's float control. No wave has counts, an observer, a trap handler or shared VGPRs. Yields the wave
 * whose turn came to something else, or how many waves there are; *some: one came to the barrier or ended. */
uint32_t og_run_to_barriers(struct og_group *group, uint32_t from, int64_t budget, uint32_t *control, bool *some);

#endif
