/* image.h - images that kernels read and write: their formats, texels, and samplers. */
#ifndef OG_VISA_IMAGE_H
#define OG_VISA_IMAGE_H

#include "base/base.h"

/* A format is an order of channels with a type for each, written as in rgba8, r32f, bgra8, rg16snorm. Here: the order's
   text, OpenCL's number, the channels in memory; which of them red, green, blue and alpha are read from, or the value 0
   or 1; and of which of `from` memory's channels are written. */
#define OG_VISA_IMAGE_ORDERS(X) \
  X("r", 0x10b0, 1, "r001", "r") X("rg", 0x10b2, 2, "rg01", "rg") X("rgba", 0x10b5, 4, "rgba", "rgba") \
  X("bgra", 0x10b6, 4, "bgra", "bgra") X("argb", 0x10b7, 4, "gbar", "argb") X("abgr", 0x10c3, 4, "abgr", "abgr") \
  X("a", 0x10b1, 1, "000r", "a") X("ra", 0x10b3, 2, "r00g", "ra") X("l", 0x10b9, 1, "rrr1", "r") \
  X("i", 0x10b8, 1, "rrrr", "r") X("depth", 0x10bd, 1, "r001", "r") X("srgba", 0x10c1, 4, "rgba", "rgba") \
  X("sbgra", 0x10c2, 4, "bgra", "bgra")
/* The type's text, its bits, a letter (n unorm, s snorm, i signed, u unsigned, f float), OpenCL's number. */
#define OG_VISA_IMAGE_TYPES(X) \
  X("8", 8, 'n', 0x10d2) X("8snorm", 8, 's', 0x10d0) X("8i", 8, 'i', 0x10d7) X("8ui", 8, 'u', 0x10da) \
  X("16", 16, 'n', 0x10d3) X("16snorm", 16, 's', 0x10d1) X("16i", 16, 'i', 0x10d8) X("16ui", 16, 'u', 0x10db) \
  X("16f", 16, 'f', 0x10dd) X("32i", 32, 'i', 0x10d9) X("32ui", 32, 'u', 0x10dc) X("32f", 32, 'f', 0x10de)

/* Rows, slices and layers follow directly one after the other. */
struct og_visa_image {
  uint8_t *base;
  uint32_t width, height, depth; /* depth: slices, or layers of an array; 1 where there are none */
  uint8_t dimensions;            /* 1, 2 or 3, without an array's index */
  bool array;
  uint8_t order, type; /* rows of OG_VISA_IMAGE_ORDERS and OG_VISA_IMAGE_TYPES */
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
/* "image:FORMAT:SIZE:BUFFER", where BUFFER is buf, in:FILE, out:FILE or inout:FILE: returns the argument of the buffer
   that holds the image; NULL: the text is something else. */
const char *og_visa_image_argument(struct og_arena *arena, const char *text, struct og_visa_image *image);
/* Words with commas: nearest linear, edge border repeat mirror, normalized unnormalized; and for samples that compare
   one of never less equal lequal greater notequal gequal always. */
bool og_visa_sampler_parse(const char *text, struct og_visa_sampler *sampler);

uint32_t og_visa_image_texel_size(const struct og_visa_image *image);
uint64_t og_visa_image_size(const struct og_visa_image *image); /* bytes */
uint32_t og_visa_image_channel_type(const struct og_visa_image *image),
    og_visa_image_channel_order(const struct og_visa_image *image);
bool og_visa_image_is_integer(const struct og_visa_image *image);

/* A texel's place; NULL: outside. Coordinates that the image does not have are ignored. */
uint8_t *og_visa_image_texel(const struct og_visa_image *image, const int32_t at[3]);
/* Four values of 32 bits: floats, or integers if the format is one; missing channels are 0, and a missing last one
   1. */
void og_visa_image_load(const struct og_visa_image *image, const uint8_t *texel, uint32_t values[4]);
void og_visa_image_store(const struct og_visa_image *image, uint8_t *texel, const uint32_t values[4]);
/* Coordinates are as the sampler takes them; an array's index is never normalized. With a reference, the first value is
   the share of texels whose first channel compares with it, followed by 0, 0, 1. */
void og_visa_image_sample(const struct og_visa_image *image, const struct og_visa_sampler *sampler, const float at[3],
                          const int32_t offset[3], const float *reference, uint32_t values[4]);
/* One channel (0..3) of the four texels a linear sample would read: lower left, lower
 * right, upper right, upper left. */
void og_visa_image_gather(const struct og_visa_image *image, const struct og_visa_sampler *sampler, const float at[3],
                          const int32_t offset[3], uint32_t channel, const float *reference, uint32_t values[4]);

#endif
