/* source.h - loading whatever kind of file holds a kernel. */
#ifndef OG_SOURCE_H
#define OG_SOURCE_H

#include "runtime/loader.h"

/* A code object, recognised by content: linked or not, assembly, or inside a bundle or host file, where `mcpu` chooses
 * by processor or by the end of its id, and then `kernel` the one that has it. Both may be NULL. `lines`: assembly gets
 * line tables of itself. NULL with a diagnostic. */
struct og_executable *og_load_any(struct og_runtime *runtime, const char *name, const void *bytes, size_t size,
                                  const char *mcpu, const char *kernel, bool lines,
                                  struct og_diagnostics *diagnostics);

/* The kernel of that symbol, or the only one of that C++ name, with its parameters or without; for NULL the only one.
 * NULL with a diagnostic that names all there are. */
const struct og_kernel *og_pick_kernel(const struct og_code_object *code, const char *name,
                                       struct og_diagnostics *diagnostics);

#endif
