/* transfer_base.c - vector loads and stores for any host. */
#define OG_VARIANT_NAME base
#include "exec/transfer_ops.h"
