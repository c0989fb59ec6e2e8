/* proven.h - which code's text is known to assemble to it. */
#ifndef OG_PROVEN_H
#define OG_PROVEN_H

#include "isa/isa.h"

/* Code without what does not count of the registers' numbers; its size, and which registers are the same. */
struct og_proven_class {
  uint64_t words[3], rest;
};

struct og_proven;
struct og_proven *og_proven_new(struct og_arena *arena);
/* The class of what the code decodes to; false where it stands for itself only. */
bool og_proven_class(const struct og_isa *isa, const struct og_inst *inst, const uint8_t *code, size_t size,
                     struct og_proven_class *out);
bool og_proven_has(const struct og_proven *proven, const struct og_proven_class *class);
void og_proven_add(struct og_proven *proven, const struct og_proven_class *class);

#endif
