/* vector_clock.h - vector clocks: what one thread knows of others, a number each. */
#ifndef OG_BASE_VECTOR_CLOCK_H
#define OG_BASE_VECTOR_CLOCK_H

#include <stdint.h>

/* After both. */
static inline void og_clock_join(uint32_t *to, const uint32_t *from, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    to[i] = from[i] > to[i] ? from[i] : to[i];
}

#endif
