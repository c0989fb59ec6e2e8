/* source.c - a file of any kind to a loaded code object. */
#include "runtime/source.h"

struct og_executable *og_load_any(struct og_runtime *runtime, const char *name, const void *bytes, size_t size, const char *mcpu,
                                  struct og_diagnostics *diagnostics) {
  (void)mcpu;
  if (og_is_elf(bytes, size))
    return og_load(runtime, name, bytes, size, diagnostics);
  og_error_in(diagnostics, name, "not a code object");
  return NULL;
}
