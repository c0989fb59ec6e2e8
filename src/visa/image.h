/* image.h - pictures that kernels read and write: their formats, texels, and what a sampler makes of coordinates. */
#ifndef OG_VISA_IMAGE_H
#define OG_VISA_IMAGE_H

#include "base/base.h"

/*    name      channels  bits each  n unorm, s snorm, i signed, u unsigned, f float   OpenCL's channel type */
#define OG_VISA_IMAGE_FORMATS(X)                                                                                       \
  X(R8, "r8", 1, 8, 'n', 0x10d2)                                                                                       \
  X(RG8, "rg8", 2, 8, 'n', 0x10d2) X(RGBA8, "rgba8", 4, 8, 'n', 0x10d2) X(RGBA8S, "rgba8snorm", 4, 8, 's', 0x10d0)     \
      X(R16, "r16", 1, 16, 'n', 0x10d3) X(RGBA16, "rgba16", 4, 16, 'n', 0x10d3) X(R8I, "r8i", 1, 8, 'i', 0x10d7)       \
          X(RGBA8I, "rgba8i", 4, 8, 'i', 0x10d7) X(R16I, "r16i", 1, 16, 'i', 0x10d8)                                   \
              X(RGBA16I, "rgba16i", 4, 16, 'i', 0x10d8) X(R32I, "r32i", 1, 32, 'i', 0x10d9)                            \
                  X(RGBA32I, "rgba32i", 4, 32, 'i', 0x10d9) X(R8UI, "r8ui", 1, 8, 'u', 0x10da)                         \
                      X(RGBA8UI, "rgba8ui", 4, 8, 'u', 0x10da) X(R16UI, "r16ui", 1, 16, 'u', 0x10db)                   \
                          X(RGBA16UI, "rgba16ui", 4, 16, 'u', 0x10db) X(R32UI, "r32ui", 1, 32, 'u', 0x10dc)            \
                              X(RG32UI, "rg32ui", 2, 32, 'u', 0x10dc) X(RGBA32UI, "rgba32ui", 4, 32, 'u', 0x10dc)      \
                                  X(R16F, "r16f", 1, 16, 'f', 0x10dd) X(RGBA16F, "rgba16f", 4, 16, 'f', 0x10dd)        \
                                      X(R32F, "r32f", 1, 32, 'f', 0x10de) X(RG32F, "rg32f", 2, 32, 'f', 0x10de)        \
                                          X(RGBA32F, "rgba32f", 4, 32, 'f', 0x10de)
enum og_visa_image_format {
#define X(name, text, channels, bits, kind, type) OG_VISA_IMAGE_##name,
  OG_VISA_IMAGE_FORMATS(X)
#undef X
  OG_VISA_IMAGE_FORMAT_COUNT
};

/* Rows stand close together, slices and layers too. */
struct og_visa_image {
  uint8_t *base;
  uint32_t width, height, depth; /* depth: slices, or layers of an array; 1 where there are none */
  uint8_t dimensions;            /* 1, 2 or 3, without an array's index */
  bool array;
  uint8_t format;
};

enum og_visa_sampler_address {
  OG_VISA_SAMPLER_EDGE,
  OG_VISA_SAMPLER_BORDER,
  OG_VISA_SAMPLER_REPEAT,
  OG_VISA_SAMPLER_MIRROR
};
/* Which texels count as 1 when a sample compares: those for which `reference OP texel` holds. */
enum og_visa_sampler_compare {
  OG_VISA_SAMPLER_COMPARES_NOT,
  OG_VISA_SAMPLER_NEVER,
  OG_VISA_SAMPLER_LESS,
  OG_VISA_SAMPLER_EQUAL,
  OG_VISA_SAMPLER_LEQUAL,
  OG_VISA_SAMPLER_GREATER,
  OG_VISA_SAMPLER_NOTEQUAL,
  OG_VISA_SAMPLER_GEQUAL,
  OG_VISA_SAMPLER_ALWAYS
};
struct og_visa_sampler {
  uint8_t address, compare;
  bool linear, normalized;
};

/* "rgba8:16x16", "r32f:64", "rgba32ui:8x8x4", "r8:16x16a3" (an array of three) */
bool og_visa_image_parse(const char *text, size_t size, struct og_visa_image *image);
/* Words with commas: nearest linear, edge border repeat mirror, normalized unnormalized, and for samples that compare
   one of never less equal lequal greater notequal gequal always. */
bool og_visa_sampler_parse(const char *text, struct og_visa_sampler *sampler);

uint32_t og_visa_image_texel_size(const struct og_visa_image *image);
uint64_t og_visa_image_size(const struct og_visa_image *image); /* bytes */
uint32_t og_visa_image_channel_type(const struct og_visa_image *image),
    og_visa_image_channel_order(const struct og_visa_image *image);
bool og_visa_image_is_integer(const struct og_visa_image *image);

/* The texel's place; NULL outside. Coordinates beyond the image's dimensions do not count. */
uint8_t *og_visa_image_texel(const struct og_visa_image *image, const int32_t at[3]);
/* Four values of 32 bits: floats, or integers in an integer format; channels that it lacks are 0 and, the last, 1. */
void og_visa_image_load(const struct og_visa_image *image, const uint8_t *texel, uint32_t values[4]);
void og_visa_image_store(const struct og_visa_image *image, uint8_t *texel, const uint32_t values[4]);
/* Coordinates as the sampler takes them; an array's index is never normalized. With a reference, what is sampled is how
   many texels' first channels compare with it: that, 0, 0, 1. */
void og_visa_image_sample(const struct og_visa_image *image, const struct og_visa_sampler *sampler, const float at[3],
                          const int32_t offset[3], const float *reference, uint32_t values[4]);
/* One channel (0..3) of the four texels a linear sample would read: lower left, lower
 * right, upper right, upper left. */
void og_visa_image_gather(const struct og_visa_image *image, const struct og_visa_sampler *sampler, const float at[3],
                          const int32_t offset[3], uint32_t channel, const float *reference, uint32_t values[4]);

#endif
