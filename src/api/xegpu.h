/* xegpu.h - what an og_xegpu holds. */
#ifndef OG_API_XEGPU_H
#define OG_API_XEGPU_H

#include "offgrid.h"
#include "xegpu/mlir.h"

struct og_xegpu {
  struct og_arena *arena; /* the og_xegpu itself is in it too */
  struct og_mlir_module *read;
};

#endif
