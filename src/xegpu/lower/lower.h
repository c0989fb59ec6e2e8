/* lower.h - makes text of a module's kernels: vISA for Intel's GPUs, LLVM IR for AMD's. docs/xegpu.md says what is
 * lowered and how. */
#ifndef OG_XEGPU_LOWER_H
#define OG_XEGPU_LOWER_H

#include "xegpu/mlir.h"

/* Kernel `name` of a verified module (NULL: all) as vISA for PVC; false with an error at an operation that cannot be
 * lowered. */
bool og_mlir_lower_visa(const struct og_mlir_module *module, const char *name, struct og_buffer *out,
                        struct og_diagnostics *diagnostics);

/* The same as LLVM IR for gfx90a, gfx942 (matrices by MFMA) or gfx1100 (by WMMA); the reader adds triple and layout. */
bool og_mlir_lower_amd(const struct og_mlir_module *module, const char *name, const char *processor,
                       struct og_buffer *out, struct og_diagnostics *diagnostics);

#endif
