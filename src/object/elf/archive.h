/* archive.h - members of `ar` archives. */
#ifndef OG_ARCHIVE_H
#define OG_ARCHIVE_H

#include "base/base.h"

struct og_archive_member {
  const char *name;
  const uint8_t *header; /* 60 bytes */
  const uint8_t *data;   /* NULL in a thin archive, until loaded */
  size_t size;
};
bool og_is_archive(const void *bytes, size_t size);
/* False at the end; *good is cleared where the archive is damaged. *offset from 0. */
bool og_archive_next(struct og_arena *arena, const uint8_t *bytes, size_t size, size_t *offset,
                     struct og_archive_member *member, bool *good);
/* Reads the file that a member of a thin archive is; false with a diagnostic. `archive` is the archive's path. */
bool og_archive_load(struct og_arena *arena, const char *archive, struct og_archive_member *member,
                     struct og_diagnostics *diagnostics);

#endif
