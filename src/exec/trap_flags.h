/* trap_flags.h - what exceptions an operation on floats raises. Internal to src/exec. */
#ifndef OG_EXEC_TRAP_FLAGS_H
#define OG_EXEC_TRAP_FLAGS_H

#include "exec/exec.h"

enum og_float_flag { /* as MODE and the flags of exceptions number them, and x86 its own */
  OG_FLAG_INVALID = 1, OG_FLAG_DENORMAL = 2, OG_FLAG_DIVISION = 4, OG_FLAG_OVERFLOW = 8, OG_FLAG_UNDERFLOW = 16,
  OG_FLAG_INEXACT = 32, OG_FLAG_INTEGER = 64
};

/* Does the operation, and adds what its active lanes raise. */
const struct og_operation *og_with_float_flags(struct og_wave *wave, const struct og_operation *op, og_handler *handler,
                                               uint32_t *raised);

#endif
