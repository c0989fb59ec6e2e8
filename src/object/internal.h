/* internal.h - helpers that files of this folder share. */
#ifndef OG_OBJECT_INTERNAL_H
#define OG_OBJECT_INTERNAL_H

#include "object/object.h"

/* Relocations by section: those of section i are index[start[i]] to index[start[i + 1] - 1]. */
struct og_relocation_order {
  uint32_t *start, *index;
};
struct og_relocation_order og_order_relocations(struct og_arena *arena, const struct og_object *object);

/* Whether its relocation tables hold addends: LLVM writes them for HSA alone; elsewhere they stand in the patched
 * bytes. */
bool og_has_addends(const struct og_object *object);

/* Members of an `ar` archive. */
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
