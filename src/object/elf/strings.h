/* strings.h - the string table of an object file: strings share their tails, in the order that LLVM gives them. */
#ifndef OG_STRINGS_H
#define OG_STRINGS_H

#include "base/base.h"

struct og_table_string {
  const char *text;
  uint32_t size, offset;
};
struct og_strings {
  struct og_arena *arena;
  OG_VECTOR(struct og_table_string) items;
};

/* Yields the string's number. It must live until the table is written. */
uint32_t og_strings_add(struct og_strings *strings, const char *text);
/* Gives each its offset and writes the table; no string is added afterwards. */
void og_strings_write(struct og_strings *strings, struct og_buffer *out);
static inline uint32_t og_string_offset(const struct og_strings *strings, uint32_t number) {
  return strings->items.items[number].offset;
}

#endif
