/* block.h - block-compressed formats: 16 texels of 4 by 4 in 8 or 16 bytes. Khronos Data Format Specification, "S3TC",
 * "RGTC" and "BPTC" compressed texture image formats; D3D11.3 functional specification, 19.5. Knows no instruction. */
#ifndef OG_BLOCK_H
#define OG_BLOCK_H

#include "base/base.h"

enum og_block {
  OG_BLOCK_NONE,
  OG_BLOCK_BC1,
  OG_BLOCK_BC2,
  OG_BLOCK_BC3,
  OG_BLOCK_BC4,
  OG_BLOCK_BC5,
  OG_BLOCK_BC6,
  OG_BLOCK_BC7
};
enum { OG_BLOCK_SIDE = 4, OG_BLOCK_BYTES_MOST = 16 };

static inline unsigned og_block_bytes(enum og_block block) {
  return block == OG_BLOCK_NONE ? 0 : block == OG_BLOCK_BC1 || block == OG_BLOCK_BC4 ? 8 : 16;
}
/* One texel of 16, row by row: red, green, blue, alpha; those that a format lacks are 0, BC6's alpha is 1. `is_signed`:
 * of BC4, BC5 and BC6. Colours are as they are stored, before sRGB. */
void og_block_unpack(enum og_block block, bool is_signed, const uint8_t *bytes, unsigned texel, double values[4]);
/* The last two of them (block_bptc.c). */
void og_block_unpack_bc6(bool is_signed, const uint8_t bytes[16], unsigned texel, double values[4]);
void og_block_unpack_bc7(const uint8_t bytes[16], unsigned texel, double values[4]);

#endif
