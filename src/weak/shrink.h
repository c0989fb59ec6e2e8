/* shrink.h - finds the shortest schedule that still does what a given one did. */
#ifndef OG_WEAK_SHRINK_H
#define OG_WEAK_SHRINK_H

#include "weak/choices.h"

struct og_shrinking {
  void *context;
  /* Tries some schedules side by side and returns the first that still does it; `count`: none does. */
  unsigned (*first)(void *context, const struct og_choices *candidates, unsigned count);
  unsigned width; /* how many are tried at a time */
  uint32_t most;  /* how many are tried in all, roughly */
};

/* Makes as many choices strong again as possible; if there were enough tries, each that is left is needed. The choices
 * become a replay. */
void og_choices_shrink(struct og_choices *choices, const struct og_shrinking *how);

#endif
