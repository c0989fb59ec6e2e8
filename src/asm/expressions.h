/* expressions.h - what parsing, evaluating and printing of expressions share. */
#ifndef OG_ASM_EXPRESSIONS_H
#define OG_ASM_EXPRESSIONS_H

#include "asm/internal.h"

/* Functions of resource usage that LLVM's assembler knows; what they compute is in evaluate.c. */
#define OG_FUNCTIONS(X)                                                                                              \
  X(MAX, "max") X(OR, "or") X(EXTRASGPRS, "extrasgprs") X(TOTALNUMVGPRS, "totalnumvgprs") X(ALIGNTO, "alignto")        \
  X(OCCUPANCY, "occupancy") X(INSTPREFSIZE, "instprefsize")
#define OG_FUNCTION_ENUM(id, text) OG_FUNCTION_##id,
enum og_function { OG_FUNCTIONS(OG_FUNCTION_ENUM) OG_FUNCTION_COUNT };
extern const char *const og_function_names[OG_FUNCTION_COUNT];

/* Depth limits for recursive tree walks. Variables hold trees of their own, so a walk
 * goes deeper than one statement. */
enum { OG_EXPR_NESTING_MOST = 512, OG_EXPR_OPERATORS_MOST = 2048, OG_EXPR_WALK_MOST = 4096 };

/* Arithmetic of 64 bits that wraps; comparisons are -1 or 0. False where there is no result. */
bool og_fold_unary(unsigned op, int64_t a, int64_t *out);
bool og_fold_binary(unsigned op, int64_t a, int64_t b, int64_t *out);

#endif
