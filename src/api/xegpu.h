/* xegpu.h - what stands behind an og_xegpu. */
#ifndef OG_API_XEGPU_H
#define OG_API_XEGPU_H

#include "offgrid.h"
#include "xegpu/mlir.h"

struct og_xegpu {
  struct og_arena *arena; /* it stands in there, too */
  struct og_mlir_module *read;
};

#endif
