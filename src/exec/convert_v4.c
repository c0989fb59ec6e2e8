/* convert_v4.c - conversions of floats of few bits for AVX-512. */
#if defined __x86_64__
#define OG_VARIANT_NAME v4
#include "exec/convert_ops.h"
#else
typedef int og_not_x86; /* a file must hold something */
#endif
