/* archive.c - members of an `ar` archive in System V (GNU) form, thin archives excepted. */
#include "object/internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAGIC = 8, HEADER = 60 };

/* Decimal digits, filled up with blanks. */
static bool number(const uint8_t *digits, size_t count, uint64_t *value) {
  *value = 0;
  size_t i = 0;
  for (; i < count && digits[i] >= '0' && digits[i] <= '9'; i++)
    *value = *value * 10 + (digits[i] - '0');
  return i > 0 && (i == count || digits[i] == ' ');
}

/* "/123" is an offset into the member "//", which holds long names, each ended by "/\n". */
static const char *long_name(struct og_arena *arena, const uint8_t *bytes, size_t size, uint64_t at) {
  for (size_t offset = MAGIC; offset + HEADER <= size;) {
    uint64_t length;
    if (!number(bytes + offset + 48, 10, &length) || length > size - offset - HEADER)
      break;
    if (memcmp(bytes + offset, "// ", 3) == 0) {
      const char *names = (const char *)bytes + offset + HEADER;
      if (at >= length)
        break;
      const char *end = memchr(names + at, '\n', length - at);
      size_t count = end ? (size_t)(end - names - at) : length - at;
      return og_arena_copy(arena, names + at, count && names[at + count - 1] == '/' ? count - 1 : count);
    }
    offset += HEADER + length + (length & 1);
  }
  return "?";
}

bool og_archive_next(struct og_arena *arena, const uint8_t *bytes, size_t size, size_t *offset,
                     struct og_archive_member *member, bool *good) {
  if (*offset < MAGIC)
    *offset = MAGIC;
  while (*offset < size) {
    const uint8_t *header = bytes + *offset;
    uint64_t length, at;
    if (size - *offset < HEADER || !number(header + 48, 10, &length) || length > size - *offset - HEADER ||
        header[58] != '`') {
      *good = false;
      return false;
    }
    size_t this = *offset;
    *offset = this + HEADER + length + (length & 1);
    if (header[0] == '/' && (header[1] == ' ' || header[1] == '/' || memcmp(header, "/SYM64/", 7) == 0))
      continue; /* symbol table, long names */
    size_t count = 0;
    while (count < 16 && header[count] != '/' && header[count] != ' ')
      count++;
    bool is_long = header[0] == '/' && number(header + 1, 15, &at);
    *member = (struct og_archive_member){is_long ? long_name(arena, bytes, size, at)
                                                 : og_arena_copy(arena, (const char *)header, count),
                                         header + HEADER, length};
    return true;
  }
  return false;
}
