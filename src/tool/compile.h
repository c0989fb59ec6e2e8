/* compile.h - what `cc` and `llc` share. */
#ifndef OG_TOOL_COMPILE_H
#define OG_TOOL_COMPILE_H

#include "cc/cc.h"

enum og_compile_to { OG_COMPILE_TO_CODE, OG_COMPILE_TO_ASSEMBLY, OG_COMPILE_TO_IR };

struct og_compilation {
  const char *path, *out, *triple, *processor, *features; /* NULL: not given; without a triple, the module's is taken */
  const char *kernel; /* the kernel of an MLIR module; NULL: all */
  enum og_compile_to to;
  struct og_cc_options options;
};

/* Reads the module, compiles it and writes the result. Returns the exit code. */
int og_compile_file(struct og_compilation *r);

#endif
