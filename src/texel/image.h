/* image.h - image resources (T#) and samplers (S#): what their bits say, and where texels lie. Knows no instruction.
 *
 * Rows of texels one after the other, and tiles (swizzle.h). What an order of texels, a format or a type that is not
 * known would need is refused by name. */
#ifndef OG_IMAGE_H
#define OG_IMAGE_H

#include "texel/swizzle.h"
#include "texel/texel.h"

enum og_image_type {
  OG_IMAGE_1D = 8, OG_IMAGE_2D, OG_IMAGE_3D, OG_IMAGE_CUBE, OG_IMAGE_1D_ARRAY, OG_IMAGE_2D_ARRAY,
  OG_IMAGE_2D_MSAA, OG_IMAGE_2D_MSAA_ARRAY
};
static inline bool og_image_is_array(unsigned type) {
  return type == OG_IMAGE_1D_ARRAY || type == OG_IMAGE_2D_ARRAY || type == OG_IMAGE_CUBE ||
         type == OG_IMAGE_2D_MSAA_ARRAY;
}
static inline bool og_image_has_samples(unsigned type) { return type >= OG_IMAGE_2D_MSAA; }

struct og_image {
  uint64_t base;                       /* address, a multiple of 256 */
  uint8_t type;                        /* enum og_image_type; 0: unbound: loads yield 0, stores are dropped */
  uint32_t width, height, depth;       /* of level 0, in texels */
  uint32_t first_layer, last_layer;    /* of arrays */
  uint32_t pitch;                      /* of level 0, in texels, from gfx9 on in elements; 0: the least that is
                                          aligned */
  uint8_t first_level, last_level, levels; /* seen; all that there are */
  uint8_t select[4];                   /* of each result: 0, 1, 4 red ... 7 alpha */
  struct og_texel_format format;
  float min_lod;
  uint8_t swizzle;                     /* from gfx9 on: the mode of its tiles; 0: rows */
  uint8_t log_samples;                 /* how many samples a texel has, as a power of two */
  struct og_tile tile;                 /* that follows from them */
};

/* A level of an image, in memory. */
struct og_image_level {
  uint64_t base;
  uint32_t width, height, depth;
  uint64_t row, slice; /* bytes from one to the next; of tiles, and of slices or slabs of them */
};

enum og_clamp {
  OG_CLAMP_WRAP, OG_CLAMP_MIRROR, OG_CLAMP_LAST, OG_CLAMP_MIRROR_ONCE_LAST, OG_CLAMP_HALF_BORDER,
  OG_CLAMP_MIRROR_ONCE_HALF_BORDER, OG_CLAMP_BORDER, OG_CLAMP_MIRROR_ONCE_BORDER
};
enum og_filter { OG_FILTER_POINT, OG_FILTER_LINEAR };
enum og_border { OG_BORDER_TRANSPARENT, OG_BORDER_BLACK, OG_BORDER_WHITE, OG_BORDER_TABLE };

struct og_sampler {
  uint8_t clamp[3];     /* enum og_clamp, by coordinate */
  uint8_t compare;      /* 0 never, 1 <, 2 =, 3 <=, 4 >, 5 !=, 6 >=, 7 always */
  bool unnormalized, truncates;
  uint8_t reduction;    /* 0 blend, 1 least, 2 greatest */
  float min_lod, max_lod, lod_bias;
  uint8_t mag, min, z;  /* enum og_filter; anisotropic filters are taken for these */
  uint8_t mip;          /* 0 none, 1 nearest, 2 linear */
  uint8_t border;       /* enum og_border */
};

/* `words` are 8, or 4 where `is_short` (r128). NULL, or what is not known of it, in words. */
const char *og_image_read(enum og_generation generation, const uint32_t *words, bool is_short, struct og_image *image);
/* The other way; false where the generation cannot say it. */
bool og_image_write(enum og_generation generation, const struct og_image *image, uint32_t words[8]);
struct og_sampler og_sampler_read(enum og_generation generation, const uint32_t words[4]);
void og_sampler_write(enum og_generation generation, const struct og_sampler *sampler, uint32_t words[4]);

/* Where a level lies. gfx9 keeps the pitch of level 0 and puts levels one below the other; gfx10 and later align each
 * level's rows to 256 bytes and begin with the smallest. */
struct og_image_level og_image_level(enum og_generation generation, const struct og_image *image, unsigned level);
/* Where a texel's sample lies, or the block that the texel is in. It is within the level. */
uint64_t og_image_texel_address(const struct og_image *image, const struct og_image_level *level, uint32_t x,
                                uint32_t y, uint32_t slice, uint32_t sample);
/* Bytes of all of an image: levels, layers or slices. */
uint64_t og_image_bytes(enum og_generation generation, const struct og_image *image);

#endif
