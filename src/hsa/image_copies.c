/* image_copies.c - copies texels between memory and images and between images, and fills regions with one value; at
 * once, since the functions have no signals. */
#include <stdlib.h>
#include <string.h>

#include "hsa/images.h"
#include "runtime/copy.h"

struct og_hsa_layout og_hsa_image_layout(const struct og_hsa_image *image) {
  const struct og_image *t = &image->image;
  uint64_t bytes = og_texel_bytes(t->format);
  if (image->geometry == HSA_EXT_IMAGE_GEOMETRY_1DB)
    return (struct og_hsa_layout){
        (uint8_t *)(uintptr_t)t->base, bytes, t->width * bytes, t->width * bytes, t->width, 1, 1};
  struct og_image_level level = og_image_level(image->agent->target.processor->generation, t, 0);
  struct og_hsa_layout layout = {(uint8_t *)(uintptr_t)level.base, bytes, level.row, level.slice, t->width, t->height,
                                 t->depth};
  uint32_t layers = t->last_layer + 1;
  if (t->type == OG_IMAGE_1D_ARRAY) /* the second coordinate is the layer */
    layout.height = layers, layout.row = level.slice;
  else if (t->type == OG_IMAGE_2D_ARRAY)
    layout.depth = layers;
  return layout;
}

static bool is_inside(uint32_t offset, uint32_t range, uint32_t size) {
  return range <= size && offset <= size - range;
}

/* Where a region begins; NULL: it is not inside the image, or the image is not inside its memory. */
static uint8_t *region_at(const struct og_hsa_layout *layout, const hsa_dim3_t *offset, const hsa_dim3_t *range) {
  if (!is_inside(offset->x, range->x, layout->width) || !is_inside(offset->y, range->y, layout->height) ||
      !is_inside(offset->z, range->z, layout->depth))
    return NULL;
  uint64_t last = (layout->depth - 1) * layout->slice + (layout->height - 1) * layout->row +
                  layout->width * layout->bytes;
  uint8_t *base = og_hsa_host_of(layout->base, last);
  return base ? base + offset->z * layout->slice + offset->y * layout->row + offset->x * layout->bytes : NULL;
}

/* The pitches of memory beside an image: if none is given, rows and slices follow directly. */
static bool pitches_of(const struct og_hsa_layout *layout, const hsa_dim3_t *range, size_t *row, size_t *slice) {
  uint64_t least = range->x * layout->bytes;
  *row = *row ? *row : least;
  bool fine = *row >= least && !__builtin_mul_overflow(*row, (size_t)range->y, &least);
  *slice = *slice ? *slice : least;
  return fine && *slice >= least && (range->z == 0 || *slice <= SIZE_MAX / range->z);
}

static size_t extent_of(const struct og_hsa_layout *layout, const hsa_dim3_t *range, size_t row, size_t slice) {
  return (range->z - 1) * slice + (range->y - 1) * row + range->x * layout->bytes;
}

static bool is_empty(const hsa_dim3_t *range) { return !range->x || !range->y || !range->z; }

/* What copies in both directions check. */
static hsa_status_t transfer(hsa_agent_t agent, hsa_ext_image_t handle, const void *memory, size_t row, size_t slice,
                             const hsa_ext_image_region_t *region, bool to_image) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(og_hsa_agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
  const struct og_hsa_image *image = og_hsa_image(agent, handle);
  OG_HSA_NEED_ARGUMENT(image && memory && region);
  OG_HSA_NEED(!is_empty(&region->range), HSA_STATUS_SUCCESS);
  struct og_hsa_layout layout = og_hsa_image_layout(image);
  uint8_t *texels = region_at(&layout, &region->offset, &region->range);
  OG_HSA_NEED_ARGUMENT(texels && pitches_of(&layout, &region->range, &row, &slice));
  uint8_t *host = og_hsa_host_of(memory, extent_of(&layout, &region->range, row, slice));
  OG_HSA_NEED_ARGUMENT(host);
  struct og_copy copy = {.to = to_image ? texels : host, .from = to_image ? host : texels,
                         .width = region->range.x * layout.bytes, .height = region->range.y, .depth = region->range.z,
                         .to_pitch = to_image ? layout.row : row, .to_slice = to_image ? layout.slice : slice,
                         .from_pitch = to_image ? row : layout.row, .from_slice = to_image ? slice : layout.slice};
  og_copy_run(&copy);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ext_image_import(hsa_agent_t agent, const void *memory, size_t row, size_t slice,
                                  hsa_ext_image_t image, const hsa_ext_image_region_t *region) {
  return transfer(agent, image, memory, row, slice, region, true);
}

hsa_status_t hsa_ext_image_export(hsa_agent_t agent, hsa_ext_image_t image, void *memory, size_t row, size_t slice,
                                  const hsa_ext_image_region_t *region) {
  return transfer(agent, image, memory, row, slice, region, false);
}

hsa_status_t hsa_ext_image_copy(hsa_agent_t agent, hsa_ext_image_t from_handle, const hsa_dim3_t *from_offset,
                                hsa_ext_image_t to_handle, const hsa_dim3_t *to_offset, const hsa_dim3_t *range) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(og_hsa_agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
  const struct og_hsa_image *from = og_hsa_image(agent, from_handle), *to = og_hsa_image(agent, to_handle);
  OG_HSA_NEED_ARGUMENT(from && to && from_offset && to_offset && range);
  OG_HSA_NEED_ARGUMENT(from->object->channel_type == to->object->channel_type &&
                       og_texel_bytes(from->image.format) == og_texel_bytes(to->image.format));
  OG_HSA_NEED(!is_empty(range), HSA_STATUS_SUCCESS);
  struct og_hsa_layout source = og_hsa_image_layout(from), target = og_hsa_image_layout(to);
  struct og_copy copy = {.to = region_at(&target, to_offset, range), .from = region_at(&source, from_offset, range),
                         .width = range->x * target.bytes, .height = range->y, .depth = range->z,
                         .to_pitch = target.row, .to_slice = target.slice, .from_pitch = source.row,
                         .from_slice = source.slice};
  OG_HSA_NEED_ARGUMENT(copy.to && copy.from);
  og_copy_run(&copy);
  return HSA_STATUS_SUCCESS;
}

/* A texel from red, green, blue and alpha: each component gets the one that selects it. */
static void pack(const struct og_image *image, const uint32_t colour[4], uint8_t texel[OG_TEXEL_BYTES_MOST]) {
  uint32_t components[4] = {0};
  for (unsigned i = 4; i-- > 0;) /* if several select it, the first one counts */
    if (image->select[i] >= 4)
      components[image->select[i] - 4] = colour[i];
  og_texel_pack(texel, image->format, components);
}

hsa_status_t hsa_ext_image_clear(hsa_agent_t agent, hsa_ext_image_t handle, const void *data,
                                 const hsa_ext_image_region_t *region) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(og_hsa_agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
  const struct og_hsa_image *image = og_hsa_image(agent, handle);
  OG_HSA_NEED_ARGUMENT(image && data && region);
  OG_HSA_NEED(!is_empty(&region->range), HSA_STATUS_SUCCESS);
  struct og_hsa_layout layout = og_hsa_image_layout(image);
  uint8_t *texels = region_at(&layout, &region->offset, &region->range), texel[OG_TEXEL_BYTES_MOST];
  OG_HSA_NEED_ARGUMENT(texels);
  uint32_t colour[4];
  memcpy(colour, data, image->image.format.layout->count == 1 && image->geometry >= HSA_EXT_IMAGE_GEOMETRY_2DDEPTH
                           ? sizeof *colour : sizeof colour); /* depth has one component */
  pack(&image->image, colour, texel);
  for (uint32_t z = 0; z < region->range.z; z++)
    for (uint32_t y = 0; y < region->range.y; y++)
      for (uint32_t x = 0; x < region->range.x; x++)
        memcpy(texels + z * layout.slice + y * layout.row + x * layout.bytes, texel, layout.bytes);
  return HSA_STATUS_SUCCESS;
}
