/* clock.h - the clocks a wave can read: they advance with the host's. */
#ifndef OG_EXEC_CLOCK_H
#define OG_EXEC_CLOCK_H

#include <stdint.h>
#include <time.h>

/* The core clock, of 1 GHz here. */
static inline uint64_t og_core_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
/* The constant one, of 100 MHz. */
static inline uint64_t og_constant_clock(void) { return og_core_clock() / 10; }

#endif
