/* shrink.h - the shortest schedule that still does what one did. */
#ifndef OG_WEAK_SHRINK_H
#define OG_WEAK_SHRINK_H

#include "weak/choices.h"

struct og_shrinking {
  void *context;
  /* The first of some schedules, tried side by side, that does it still; `count`: none. */
  unsigned (*first)(void *context, const struct og_choices *candidates, unsigned count);
  unsigned width; /* how many are tried at a time */
  uint32_t most;  /* how many in all, more or less */
};

/* Makes choices strong again, as many as can be: where there were enough tries, each that is left is needed. The
 * choices become a replay. */
void og_choices_shrink(struct og_choices *choices, const struct og_shrinking *how);

#endif
