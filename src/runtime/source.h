/* source.h - loads a kernel from whatever kind of file holds it. */
#ifndef OG_SOURCE_H
#define OG_SOURCE_H

#include "runtime/loader.h"

/* Loads a code object, recognised by its content: linked or not, assembly, or inside a bundle or host file. There
 * `mcpu` chooses by processor or by the end of an entry's id, and then `kernel` the one that has it; both may be NULL.
 * `lines`: assembly gets line tables for its own lines. NULL with a diagnostic. */
struct og_executable *og_load_any(struct og_runtime *runtime, const char *name, const void *bytes, size_t size,
                                  const char *mcpu, const char *kernel, bool lines,
                                  struct og_diagnostics *diagnostics);

/* The kernel of that symbol, or the only one of that C++ name, with its parameters or without. For NULL the only kernel
 * there is. NULL with a diagnostic that names all kernels. */
const struct og_kernel *og_pick_kernel(const struct og_code_object *code, const char *name,
                                       struct og_diagnostics *diagnostics);

#endif
