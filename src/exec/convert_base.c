/* convert_base.c - conversions of floats of few bits for any machine. */
#define OG_VARIANT_NAME base
#include "exec/convert_ops.h"
