/* known.c - the texts of code that was printed before. */
#include "inspect/known.h"

#include <string.h>

struct og_known_texts og_known_new(struct og_arena *arena, const struct og_isa *isa, size_t size) {
  enum { LEAST = 6, MOST = 14 }; /* bits */
  unsigned bits = LEAST;
  while (bits < MOST && (size_t)4 << bits < size)
    bits++;
  return (struct og_known_texts){isa, og_least_sizes(isa), OG_NEW_ARRAY(arena, struct og_known, 1 << bits), 64 - bits};
}

void og_known_add(struct og_known_texts *known, const uint8_t *code, size_t size, const char *text, size_t length) {
  if (size > 8 || length > OG_KNOWN_TEXT || og_may_go_on(known->isa, code, size))
    return;
  struct og_known item = {.mask = UINT64_MAX >> (64 - 8 * size), .size = (uint8_t)size, .length = (uint8_t)length};
  memcpy(&item.code, code, size);
  memcpy(item.text, text, length);
  size_t place = og_known_place(known, item.code);
  struct og_known *first = &known->items[place];
  if (first->size && (first->code != item.code || first->mask != item.mask))
    known->items[place ^ 1] = *first; /* the newer one is found first */
  *first = item;
}
