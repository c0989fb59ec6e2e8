/* matrix_v3.c - multiplication of matrices for AVX2. */
#if defined __x86_64__
#define OG_VARIANT_NAME v3
#include "exec/matrix_ops.h"
#else
typedef int og_not_x86; /* a file must hold something */
#endif
