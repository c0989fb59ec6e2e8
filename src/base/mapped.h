/* mapped.h - files that are only read: a large one stays where the system keeps it, since copying it takes as long as
 * much of the work on it. */
#ifndef OG_MAPPED_H
#define OG_MAPPED_H

#include "base/base.h"

struct og_mapped_file {
  struct og_buffer bytes; /* with a NUL behind; not to be changed */
  bool mapped;
};
/* As og_read_file(). Until it is freed another program may change the bytes, or shorten the file, where reading then
 * raises SIGBUS: for programs that can end so. */
bool og_map_file(const char *path, struct og_mapped_file *file, struct og_diagnostics *diagnostics);
void og_mapped_file_free(struct og_mapped_file *file);

#endif
