/* known.h - the texts of code that was printed before: real code says the same again and again. */
#ifndef OG_KNOWN_H
#define OG_KNOWN_H

#include "isa/isa.h"

enum { OG_KNOWN_TEXT = 78 };

/* An instruction of 4 or 8 bytes and its text. */
struct og_known {
  uint64_t code, mask;  /* mask: the bits that are the instruction's */
  uint8_t size, length; /* of the code, 0 where the entry is free; of the text, 0 if that is not known yet */
  char text[OG_KNOWN_TEXT];
};

struct og_known_texts {
  const struct og_isa *isa;
  const uint8_t *least; /* og_least_sizes() */
  struct og_known *items;
  unsigned shift; /* 64 - b, if there are 1 << b */
};

/* Each code has two places: this one and its neighbour. Both words choose it where an instruction has 8 bytes for sure,
 * or by its first source; else the first word, as how long it is only the entry tells. */
static inline size_t og_known_place(const struct og_known_texts *known, uint64_t code) {
  bool is_long = known->least[code >> 23 & 511] > 4 || (code & 255) >= 249;
  return (is_long ? code : (uint32_t)code) * UINT64_C(0x9e3779b97f4a7c15) >> known->shift;
}

/* The instruction at the start of eight bytes of code; NULL if it is not known. */
static inline const struct og_known *og_known_find(const struct og_known_texts *known, uint64_t code) {
  size_t place = og_known_place(known, code);
  for (size_t i = 0; i < 2; i++) {
    const struct og_known *item = &known->items[place ^ i];
    if (item->size && !((item->code ^ code) & item->mask))
      return item;
  }
  return NULL;
}

/* Its text behind what the buffer holds. */
static inline void og_known_put(const struct og_known *item, struct og_buffer *out) {
  __builtin_memcpy(og_buffer_room(out, OG_KNOWN_TEXT), item->text, OG_KNOWN_TEXT);
  out->size += item->length;
}

/* For so many bytes of code. */
struct og_known_texts og_known_new(struct og_arena *arena, const struct og_isa *isa, size_t size);
/* Remembers the text, unless it or the code is too long, or the code alone does not tell the instruction. */
void og_known_add(struct og_known_texts *known, const uint8_t *code, size_t size, const char *text, size_t length);

#endif
