/* archive.c - members of an `ar` archive in System V (GNU) form; a thin one names files beside it. */
#include "object/elf/archive.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC "!<arch>\n"
#define THIN_MAGIC "!<thin>\n"
enum { MAGIC_SIZE = 8, HEADER = 60 };

struct header {
  const uint8_t *at;
  uint64_t size; /* of the member */
  bool table;    /* the archive's own: symbols, long names */
  bool outside;  /* the contents are in a file of their own */
  size_t next;   /* offset of the next header */
};

/* Decimal digits, filled up with blanks. */
static bool number(const uint8_t *digits, size_t count, uint64_t *value) {
  *value = 0;
  size_t i = 0;
  for (; i < count && digits[i] >= '0' && digits[i] <= '9'; i++)
    *value = *value * 10 + (digits[i] - '0');
  return i > 0 && (i == count || digits[i] == ' ');
}

static bool read_header(const uint8_t *bytes, size_t size, size_t offset, struct header *h) {
  h->at = bytes + offset;
  if (offset > size || size - offset < HEADER || h->at[58] != '`' || !number(h->at + 48, 10, &h->size))
    return false;
  h->table = h->at[0] == '/' && (h->at[1] == ' ' || h->at[1] == '/' || memcmp(h->at, "/SYM64/", 7) == 0);
  h->outside = !h->table && memcmp(bytes, THIN_MAGIC, MAGIC_SIZE) == 0;
  uint64_t inside = h->outside ? 0 : h->size;
  if (inside > size - offset - HEADER)
    return false;
  h->next = offset + HEADER + inside + (inside & 1);
  return true;
}

/* "/123" is an offset into the member "//", which holds long names, each ended by "/\n". */
static const char *long_name(struct og_arena *arena, const uint8_t *bytes, size_t size, uint64_t at) {
  struct header h;
  for (size_t offset = MAGIC_SIZE; read_header(bytes, size, offset, &h); offset = h.next) {
    if (memcmp(h.at, "// ", 3) != 0)
      continue;
    const char *names = (const char *)h.at + HEADER;
    if (at >= h.size)
      break;
    const char *end = memchr(names + at, '\n', h.size - at);
    size_t count = end ? (size_t)(end - names - at) : h.size - at;
    return og_arena_copy(arena, names + at, count && names[at + count - 1] == '/' ? count - 1 : count);
  }
  return "?";
}

bool og_is_archive(const void *bytes, size_t size) {
  return size >= MAGIC_SIZE && (memcmp(bytes, MAGIC, MAGIC_SIZE) == 0 || memcmp(bytes, THIN_MAGIC, MAGIC_SIZE) == 0);
}

bool og_archive_next(struct og_arena *arena, const uint8_t *bytes, size_t size, size_t *offset,
                     struct og_archive_member *member, bool *good) {
  struct header h;
  if (*offset < MAGIC_SIZE)
    *offset = MAGIC_SIZE;
  for (; *offset < size; *offset = h.next) {
    if (!read_header(bytes, size, *offset, &h)) {
      *good = false;
      return false;
    }
    if (h.table)
      continue;
    uint64_t at;
    bool is_long = h.at[0] == '/' && number(h.at + 1, 15, &at);
    size_t count = 0;
    while (count < 16 && h.at[count] != '/' && h.at[count] != ' ')
      count++;
    *member = (struct og_archive_member){
        .name = is_long ? long_name(arena, bytes, size, at) : og_arena_copy(arena, (const char *)h.at, count),
        .header = h.at,
        .data = h.outside ? NULL : h.at + HEADER,
        .size = h.outside ? 0 : h.size,
    };
    *offset = h.next;
    return true;
  }
  return false;
}

/* Names are relative to the archive. */
bool og_archive_load(struct og_arena *arena, const char *archive, struct og_archive_member *member,
                     struct og_diagnostics *diagnostics) {
  if (member->data)
    return true;
  const char *slash = strrchr(archive, '/');
  int folder = slash && member->name[0] != '/' ? (int)(slash + 1 - archive) : 0;
  struct og_buffer contents = {0};
  const char *path = og_arena_printf(arena, "%.*s%s", folder, archive, member->name);
  const char *copy = NULL;
  if (og_read_file(path, &contents, diagnostics))
    copy = og_arena_copy_input(arena, path, contents.data, contents.size, diagnostics);
  member->size = contents.size;
  member->data = (const uint8_t *)copy;
  og_buffer_free(&contents);
  return copy != NULL;
}
