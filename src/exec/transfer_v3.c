/* transfer_v3.c - vector loads and stores for AVX2. */
#if defined __x86_64__
#define OG_VARIANT_NAME v3
#include "exec/transfer_ops.h"
#else
typedef int og_not_x86; /* a file must hold something */
#endif
