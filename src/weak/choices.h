/* choices.h - the only source of random choices: they are drawn from a seed, recorded, and replayed. 0 is always the
 * choice that a strong memory would make. */
#ifndef OG_WEAK_CHOICES_H
#define OG_WEAK_CHOICES_H

#include "base/base.h"

struct og_choices {
  uint64_t seed, random;
  bool replays;
  OG_VECTOR(uint32_t) made; /* all choices so far; in a replay those to make */
  uint32_t next;            /* in a replay: the next to make */
  struct og_arena *arena;
};

void og_choices_begin(struct og_choices *choices, uint64_t seed);
void og_choices_end(struct og_choices *choices);
/* Makes a choice: a number below `count`. */
uint32_t og_choose(struct og_choices *choices, uint32_t count);

/* As text: the seed, then the choices; N*0 stands for N zeros in a row. */
void og_choices_print(const struct og_choices *choices, struct og_buffer *out);
/* Begins a replay; false with a diagnostic. */
bool og_choices_read(struct og_choices *choices, const char *name, const char *text, size_t size,
                     struct og_diagnostics *diagnostics);

#endif
