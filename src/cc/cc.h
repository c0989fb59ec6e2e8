/* cc.h - LLVM IR to AMDGPU code objects (docs/compiler.md). */
#ifndef OG_CC_H
#define OG_CC_H

#include "ir/ir.h"
#include "target/target.h"

struct og_cc_options {
  const char *print_after; /* the pass after which the code is printed; NULL: none */
  struct og_buffer *print; /* where it is printed */
  bool relocatable;        /* an object file instead of a linked code object */
  bool functions;          /* also compiles functions that no kernel here calls, since others may */
  uint32_t lds_gap;        /* the least number of bytes between LDS variables */
  uint32_t frame_gap;      /* bytes behind each variable in private memory */
  bool older_memory;       /* atomic operations and fences follow the older ABI (memory_model_old.def): gfx7, gfx8 */
  bool singly;             /* makes no dual instructions */
  int code_object_version; /* 0: the module's */
};

/* Compiles all kernels of a verified module; false with a diagnostic, and nothing in `out`. */
bool og_cc_compile(struct og_arena *arena, struct og_ir_module *module, const struct og_target *target,
                   const struct og_cc_options *options, struct og_buffer *out, struct og_diagnostics *diagnostics);
/* Sets the version of code objects that a user names; false: none that offgrid makes. */
bool og_cc_takes_version(const char *text, struct og_cc_options *options);
/* Why a version is not made, to add to an error; "" if there is nothing to add. */
const char *og_cc_why_not_version(const char *text);
/* Whether there is a pass of that name. */
bool og_cc_is_pass(struct og_text name);

#endif
