/* choices.h - the only source of random choices: drawn from a seed, recorded, and replayed. 0 is always the choice of a
 * strong memory. */
#ifndef OG_WEAK_CHOICES_H
#define OG_WEAK_CHOICES_H

#include "base/base.h"

struct og_choices {
  uint64_t seed, random;
  bool replays;
  OG_VECTOR(uint32_t) made; /* all choices, or those to be made */
  uint32_t next;            /* of a replay */
  struct og_arena *arena;
};

void og_choices_begin(struct og_choices *choices, uint64_t seed);
void og_choices_end(struct og_choices *choices);
/* A number below `count`. */
uint32_t og_choose(struct og_choices *choices, uint32_t count);

/* As text: the seed, then the choices, with N*0 for zeros in a row. */
void og_choices_print(const struct og_choices *choices, struct og_buffer *out);
/* A replay; false with a diagnostic. */
bool og_choices_read(struct og_choices *choices, const char *name, const char *text, size_t size,
                     struct og_diagnostics *diagnostics);

#endif
