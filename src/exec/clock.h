/* clock.h - the clocks a wave can read: they advance with the host's, or as the dispatch says. */
#ifndef OG_EXEC_CLOCK_H
#define OG_EXEC_CLOCK_H

#include <stdint.h>
#include <time.h>

#include "exec/group.h"

/* The core clock, of 1 GHz here. */
static inline uint64_t og_core_clock(const struct og_wave *wave) {
  const struct og_dispatch *dispatch = wave->group ? wave->group->dispatch : NULL;
  if (dispatch && dispatch->clock)
    return *dispatch->clock;
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
/* The constant one, of 100 MHz. */
static inline uint64_t og_constant_clock(const struct og_wave *wave) { return og_core_clock(wave) / 10; }

#endif
