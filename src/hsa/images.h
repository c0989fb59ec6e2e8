/* images.h - shared by the files about images. */
#ifndef OG_HSA_IMAGES_H
#define OG_HSA_IMAGES_H

#include <hsa/hsa_ext_image.h>

#include "hsa/internal.h"
#include "texel/image.h"

/* What a handle points to, in memory that kernels can read and device libraries know. */
struct og_hsa_image_object {
  uint32_t words[8]; /* a T#; for a buffer the four words of a V# */
  uint32_t channel_type, channel_order, width, reserved[5];
};

struct og_hsa_image {
  struct og_hsa_image *next;
  struct og_hsa_image_object *object; /* the handle */
  const struct og_hsa_agent *agent;
  hsa_ext_image_geometry_t geometry;
  struct og_image image; /* base: as kernels see it */
};

/* Where texels are, in bytes. */
struct og_hsa_layout {
  uint8_t *base;
  uint64_t bytes, row, slice; /* of a texel; from one row or slice to the next */
  uint32_t width, height, depth; /* in the order of coordinates, with layers last */
};

/* How a format is laid out in memory; false: it is not supported. */
bool og_hsa_image_format(const hsa_ext_image_format_t *format, hsa_ext_image_geometry_t geometry,
                         struct og_texel_format *texel, uint8_t select[4]);
/* NULL: the agent has no image with that handle. */
const struct og_hsa_image *og_hsa_image(hsa_agent_t agent, hsa_ext_image_t handle);
struct og_hsa_layout og_hsa_image_layout(const struct og_hsa_image *image);

#endif
