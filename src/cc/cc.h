/* cc.h - LLVM IR to AMDGPU code objects (docs/compiler.md). */
#ifndef OG_CC_H
#define OG_CC_H

#include "ir/ir.h"
#include "target/target.h"

struct og_cc_options {
  const char *print_after; /* name of a pass, or NULL */
  struct og_buffer *print; /* what is so asked for */
  bool relocatable;        /* an object instead of a linked code object */
  bool functions;          /* all functions that others may call too, not only kernels and what they call */
  uint32_t lds_gap;        /* bytes between LDS variables, at least */
  uint32_t frame_gap;      /* bytes behind each variable in private memory */
  bool older_memory;       /* operations that order memory are of the older ABI (memory_model_old.def): gfx7, gfx8 */
  bool singly;             /* no two instructions in one */
  int code_object_version; /* 0: the module's */
};

/* Compiles all kernels of a verified module; false with a diagnostic, and nothing in `out`. */
bool og_cc_compile(struct og_arena *arena, struct og_ir_module *module, const struct og_target *target,
                   const struct og_cc_options *options, struct og_buffer *out, struct og_diagnostics *diagnostics);
/* Has code objects of a version made that a user names; false: none that there is. */
bool og_cc_takes_version(const char *text, struct og_cc_options *options);
/* What a user is told of those that are not made; "". */
const char *og_cc_why_not_version(const char *text);
/* Whether a pass is called so. */
bool og_cc_is_pass(struct og_text name);

#endif
