/* source.h - loading whatever kind of file holds a kernel. */
#ifndef OG_SOURCE_H
#define OG_SOURCE_H

#include "runtime/loader.h"

/* A code object, recognised by content; `mcpu` may be NULL. `lines`: assembly gets line tables of itself. NULL with a diagnostic. */
struct og_executable *og_load_any(struct og_runtime *runtime, const char *name, const void *bytes, size_t size,
                                  const char *mcpu, bool lines, struct og_diagnostics *diagnostics);

#endif
