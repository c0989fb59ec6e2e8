/* vector_base.c - handlers of vector instructions for any machine: SSE4.2 on x86-64. */
#define OG_VARIANT_NAME base
#include "exec/vector_ops.h"
