/* version.c - the library's version, and freeing bytes that were handed out. */
#include "offgrid.h"

#include <stdlib.h>

const char *og_version(void) { return OG_VERSION; }

void og_bytes_free(og_bytes *bytes) {
  if (!bytes)
    return;
  free(bytes->data);
  *bytes = (og_bytes){0};
}
