/* swizzle.h - tiles of images: in which order their elements lie. Knows no instruction. */
#ifndef OG_SWIZZLE_H
#define OG_SWIZZLE_H

#include "target/target.h"

enum { OG_TILE_BITS_MOST = 18 };

/* Each bit of an offset in a tile is a bit of a coordinate, x, y, z or the sample's number. */
struct og_tile {
  uint8_t bits;                      /* of an offset; 0: there are no tiles */
  uint8_t log_size[4];               /* elements along each coordinate, as a power of two */
  struct og_tile_bit {
    uint8_t coordinate, bit;
  } order[OG_TILE_BITS_MOST];        /* those of the element's own bytes are not in use */
  uint8_t log_bytes;                 /* of an element */
};

/* Mode 0 is no tile. NULL, or what is not known of the mode, in words. `is_3d`: of a volume; `log_samples`: of a
 * multisample image. */
const char *og_tile_of(enum og_generation generation, unsigned mode, bool is_3d, unsigned log_bytes,
                       unsigned log_samples, struct og_tile *tile);
uint32_t og_tile_offset(const struct og_tile *tile, uint32_t x, uint32_t y, uint32_t z, uint32_t sample);

#endif
