/* matrix_base.c - multiplication of matrices for any machine. */
#define OG_VARIANT_NAME base
#include "exec/matrix_ops.h"
