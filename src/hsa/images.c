/* images.c - images and samplers for agents: their descriptors as the processor reads them. All images are linear; an
 * opaque layout is one whose rows have a multiple of 256 bytes. */
#include "hsa/images.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 256, WIDTH_MOST = 16384, DEPTH_MOST = 2048, LAYERS_MOST = 8192, OBJECT_BYTES = 64 };
_Static_assert(sizeof(struct og_hsa_image_object) == OBJECT_BYTES, "an object is a cache line");

/* ---- formats ----------------------------------------------------------------------------------------------------- */

#define ORDER(name, count, ...) [HSA_EXT_IMAGE_CHANNEL_ORDER_##name] = {count, {__VA_ARGS__}},
static const struct {
  uint8_t count, select[4];
} orders[] = {
#include "hsa/image_formats.def"
};
#undef ORDER
#define TYPE(name, bits, number) [HSA_EXT_IMAGE_CHANNEL_TYPE_##name] = {bits, OG_NUMBER_##number},
static const struct {
  uint8_t bits, number;
} types[] = {
#include "hsa/image_formats.def"
};
#undef TYPE

static bool is_srgb(uint32_t order) {
  return order == HSA_EXT_IMAGE_CHANNEL_ORDER_SRGBA || order == HSA_EXT_IMAGE_CHANNEL_ORDER_SBGRA;
}

bool og_hsa_image_format(const hsa_ext_image_format_t *format, hsa_ext_image_geometry_t geometry,
                         struct og_texel_format *texel, uint8_t select[4]) {
  uint32_t order = format->channel_order, type = format->channel_type;
  if (order >= OG_COUNT(orders) || !orders[order].count || type >= OG_COUNT(types) || !types[type].bits)
    return false;
  bool srgb = is_srgb(order), depth = geometry == HSA_EXT_IMAGE_GEOMETRY_2DDEPTH ||
                                      geometry == HSA_EXT_IMAGE_GEOMETRY_2DADEPTH;
  if (depth != (order == HSA_EXT_IMAGE_CHANNEL_ORDER_DEPTH) || (srgb && type != HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8))
    return false;
  *texel = (struct og_texel_format){.layout = og_even_data_format(types[type].bits, orders[order].count),
                                      .number = srgb ? OG_NUMBER_SRGB : types[type].number};
  memcpy(select, orders[order].select, 4);
  return texel->layout != NULL;
}

/* ---- descriptions ------------------------------------------------------------------------------------------------ */

/* What a program wants of an image, and what it gets. */
struct plan {
  const struct og_hsa_agent *agent;
  const hsa_ext_image_descriptor_t *descriptor;
  hsa_ext_image_data_layout_t layout;
  size_t row, slice; /* as the program gives them; 0: any */
  struct og_image image;
};

static enum og_generation generation_of(const struct og_hsa_agent *agent) {
  return agent->target.processor->generation;
}

static bool is_buffer(const struct plan *plan) {
  return plan->descriptor->geometry == HSA_EXT_IMAGE_GEOMETRY_1DB;
}

static bool set_sizes(struct plan *plan) {
  static const uint8_t kinds[] = {OG_IMAGE_1D, OG_IMAGE_2D, OG_IMAGE_3D, OG_IMAGE_1D_ARRAY, OG_IMAGE_2D_ARRAY, 0,
                                  OG_IMAGE_2D, OG_IMAGE_2D_ARRAY};
  const hsa_ext_image_descriptor_t *d = plan->descriptor;
  struct og_image *image = &plan->image;
  uint8_t type = kinds[d->geometry];
  bool flat = type == OG_IMAGE_1D || type == OG_IMAGE_1D_ARRAY || type == 0, solid = type == OG_IMAGE_3D;
  size_t most = type == 0 ? UINT32_MAX : solid ? (size_t)DEPTH_MOST : (size_t)WIDTH_MOST;
  size_t height = flat ? 1 : d->height, depth = solid ? d->depth : 1,
         layers = og_image_is_array(type) ? d->array_size : 1;
  if (!d->width || d->width > most || !height || height > most || !depth || depth > DEPTH_MOST || !layers ||
      layers > LAYERS_MOST)
    return false;
  image->type = type;
  image->width = (uint32_t)d->width;
  image->height = (uint32_t)height;
  image->depth = (uint32_t)depth;
  image->last_layer = (uint32_t)layers - 1;
  image->levels = 1;
  return true;
}

/* Sets the descriptor's pitch, and checks that rows and slices then have what the program asked for. */
static bool set_pitch(struct plan *plan) {
  struct og_image *image = &plan->image;
  uint64_t bytes = og_texel_bytes(image->format), row = plan->row;
  bool linear = plan->layout == HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR;
  if (!linear || (row == 0 && generation_of(plan->agent) < OG_GFX10_1))
    row = linear ? image->width * bytes : og_align_up(image->width * bytes, ALIGNMENT);
  if (row % bytes || (row && row < image->width * bytes) || row / bytes > UINT32_MAX)
    return false;
  image->pitch = generation_of(plan->agent) < OG_GFX10_1 || linear ? (uint32_t)(row / bytes) : 0;
  struct og_image_level level = og_image_level(generation_of(plan->agent), image, 0);
  return !linear || plan->slice == 0 || plan->slice == level.slice || (image->depth == 1 && image->last_layer == 0);
}

/* A buffer's V#, for loads and stores with an index. */
static bool write_buffer(const struct plan *plan, uint64_t base, uint32_t words[4]) {
  const struct og_image *image = &plan->image;
  enum og_generation generation = generation_of(plan->agent);
  unsigned data = 1;
  while (data < 15 && og_data_format(data) != image->format.layout)
    data++;
  int format = og_buffer_format_value(generation, data, image->format.number);
  if (format < 0)
    return false;
  uint32_t bytes = og_texel_bytes(image->format), select = 0;
  for (unsigned i = 0; i < 4; i++)
    select |= (uint32_t)image->select[i] << 3 * i;
  words[0] = (uint32_t)base;
  words[1] = (uint32_t)(base >> 32 & 0xffff) | bytes << 16;
  words[2] = image->width;
  if (generation < OG_GFX10_1)
    words[3] = select | ((uint32_t)format >> 4 & 7) << 12 | ((uint32_t)format & 15) << 15;
  else
    words[3] = select | (uint32_t)format << 12; /* out of bounds: by index and offset */
  return true;
}

/* Fills in what follows from the format and the sizes; else the status says why that is impossible. */
static hsa_status_t make_plan(struct plan *plan) {
  if ((unsigned)plan->descriptor->geometry > HSA_EXT_IMAGE_GEOMETRY_2DADEPTH ||
      (plan->layout != HSA_EXT_IMAGE_DATA_LAYOUT_OPAQUE && plan->layout != HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (!og_hsa_image_format(&plan->descriptor->format, plan->descriptor->geometry, &plan->image.format,
                           plan->image.select))
    return (hsa_status_t)HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED;
  if (!set_sizes(plan))
    return (hsa_status_t)HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED;
  if (!is_buffer(plan) && !set_pitch(plan))
    return (hsa_status_t)HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t write_object(const struct plan *plan, uint64_t base, struct og_hsa_image_object *object) {
  struct og_image image = plan->image;
  image.base = base;
  memset(object, 0, sizeof *object);
  object->channel_type = plan->descriptor->format.channel_type;
  object->channel_order = plan->descriptor->format.channel_order;
  object->width = image.width;
  if (is_buffer(plan))
    return write_buffer(plan, base, object->words) ? HSA_STATUS_SUCCESS
                                                   : (hsa_status_t)HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED;
  if (og_image_write(generation_of(plan->agent), &image, object->words))
    return HSA_STATUS_SUCCESS;
  image.pitch = 0; /* which is the reason, the pitch or the format? */
  return (hsa_status_t)(og_image_write(generation_of(plan->agent), &image, object->words)
                            ? HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED
                            : HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED);
}

static hsa_status_t check_agent(hsa_agent_t handle, const struct og_hsa_agent **agent) {
  OG_HSA_NEED_OPEN();
  *agent = og_hsa_agent(handle);
  OG_HSA_NEED(*agent && (*agent)->target.processor, HSA_STATUS_ERROR_INVALID_AGENT);
  return HSA_STATUS_SUCCESS;
}

/* ---- what is possible -------------------------------------------------------------------------------------------- */

hsa_status_t hsa_ext_image_get_capability_with_layout(hsa_agent_t handle, hsa_ext_image_geometry_t geometry,
                                                      const hsa_ext_image_format_t *format,
                                                      hsa_ext_image_data_layout_t layout, uint32_t *mask) {
  struct plan plan = {.layout = layout};
  hsa_status_t status = check_agent(handle, &plan.agent);
  OG_HSA_NEED(status == HSA_STATUS_SUCCESS, status);
  OG_HSA_NEED_ARGUMENT(format && mask && (unsigned)geometry <= HSA_EXT_IMAGE_GEOMETRY_2DADEPTH);
  hsa_ext_image_descriptor_t descriptor = {geometry, 1, 1, 1, 1, *format};
  struct og_hsa_image_object object;
  plan.descriptor = &descriptor;
  bool fine = make_plan(&plan) == HSA_STATUS_SUCCESS && write_object(&plan, 0, &object) == HSA_STATUS_SUCCESS;
  *mask = !fine ? 0u
                : HSA_EXT_IMAGE_CAPABILITY_READ_ONLY | HSA_EXT_IMAGE_CAPABILITY_ACCESS_INVARIANT_DATA_LAYOUT |
                      (is_srgb(format->channel_order)
                           ? 0u
                           : HSA_EXT_IMAGE_CAPABILITY_WRITE_ONLY | HSA_EXT_IMAGE_CAPABILITY_READ_WRITE);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ext_image_get_capability(hsa_agent_t agent, hsa_ext_image_geometry_t geometry,
                                          const hsa_ext_image_format_t *format, uint32_t *mask) {
  return hsa_ext_image_get_capability_with_layout(agent, geometry, format, HSA_EXT_IMAGE_DATA_LAYOUT_OPAQUE, mask);
}

hsa_status_t hsa_ext_image_data_get_info_with_layout(hsa_agent_t handle, const hsa_ext_image_descriptor_t *descriptor,
                                                     hsa_access_permission_t access,
                                                     hsa_ext_image_data_layout_t layout, size_t row, size_t slice,
                                                     hsa_ext_image_data_info_t *info) {
  struct plan plan = {.descriptor = descriptor, .layout = layout, .row = row, .slice = slice};
  hsa_status_t status = check_agent(handle, &plan.agent);
  OG_HSA_NEED(status == HSA_STATUS_SUCCESS, status);
  OG_HSA_NEED_ARGUMENT(descriptor && info && access >= HSA_ACCESS_PERMISSION_RO && access <= HSA_ACCESS_PERMISSION_RW);
  status = make_plan(&plan);
  OG_HSA_NEED(status == HSA_STATUS_SUCCESS, status);
  uint64_t bytes = og_texel_bytes(plan.image.format);
  *info = (hsa_ext_image_data_info_t){is_buffer(&plan) ? plan.image.width * bytes
                                                       : og_image_bytes(generation_of(plan.agent), &plan.image),
                                      is_buffer(&plan) ? bytes : ALIGNMENT};
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ext_image_data_get_info(hsa_agent_t agent, const hsa_ext_image_descriptor_t *descriptor,
                                         hsa_access_permission_t access, hsa_ext_image_data_info_t *info) {
  return hsa_ext_image_data_get_info_with_layout(agent, descriptor, access, HSA_EXT_IMAGE_DATA_LAYOUT_OPAQUE, 0, 0,
                                                 info);
}

/* ---- images ------------------------------------------------------------------------------------------------------ */

const struct og_hsa_image *og_hsa_image(hsa_agent_t agent, hsa_ext_image_t handle) {
  pthread_mutex_lock(&og_hsa.memory_lock);
  const struct og_hsa_image *image = og_hsa.images;
  while (image && ((uintptr_t)image->object != handle.handle ||
                   og_hsa_agent_handle(image->agent).handle != agent.handle))
    image = image->next;
  pthread_mutex_unlock(&og_hsa.memory_lock);
  return image;
}

static struct og_hsa_image *add_image(const struct plan *plan, uint64_t base,
                                      const struct og_hsa_image_object *object) {
  struct og_hsa_image *image = malloc(sizeof *image);
  void *memory = image ? og_memory_new(og_hsa.runtime, sizeof *object, sizeof *object, OG_MEMORY_READ) : NULL;
  if (!memory) {
    free(image);
    return NULL;
  }
  memcpy(memory, object, sizeof *object);
  *image = (struct og_hsa_image){NULL, memory, plan->agent, plan->descriptor->geometry, plan->image};
  image->image.base = base;
  pthread_mutex_lock(&og_hsa.memory_lock);
  image->next = og_hsa.images;
  og_hsa.images = image;
  pthread_mutex_unlock(&og_hsa.memory_lock);
  return image;
}

hsa_status_t hsa_ext_image_create_with_layout(hsa_agent_t handle, const hsa_ext_image_descriptor_t *descriptor,
                                              const void *data, hsa_access_permission_t access,
                                              hsa_ext_image_data_layout_t layout, size_t row, size_t slice,
                                              hsa_ext_image_t *image) {
  struct plan plan = {.descriptor = descriptor, .layout = layout, .row = row, .slice = slice};
  hsa_status_t status = check_agent(handle, &plan.agent);
  OG_HSA_NEED(status == HSA_STATUS_SUCCESS, status);
  OG_HSA_NEED_ARGUMENT(descriptor && data && image && access >= HSA_ACCESS_PERMISSION_RO &&
                       access <= HSA_ACCESS_PERMISSION_RW);
  struct og_hsa_image_object object;
  status = make_plan(&plan);
  OG_HSA_NEED(status == HSA_STATUS_SUCCESS, status);
  OG_HSA_NEED_ARGUMENT(is_buffer(&plan) || (uintptr_t)data % ALIGNMENT == 0);
  status = write_object(&plan, (uintptr_t)data, &object);
  OG_HSA_NEED(status == HSA_STATUS_SUCCESS, status);
  const struct og_hsa_image *made = add_image(&plan, (uintptr_t)data, &object);
  OG_HSA_NEED(made, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  image->handle = (uintptr_t)made->object;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ext_image_create(hsa_agent_t agent, const hsa_ext_image_descriptor_t *descriptor, const void *data,
                                  hsa_access_permission_t access, hsa_ext_image_t *image) {
  return hsa_ext_image_create_with_layout(agent, descriptor, data, access, HSA_EXT_IMAGE_DATA_LAYOUT_OPAQUE, 0, 0,
                                          image);
}

hsa_status_t hsa_ext_image_destroy(hsa_agent_t agent, hsa_ext_image_t handle) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(og_hsa_agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
  pthread_mutex_lock(&og_hsa.memory_lock);
  struct og_hsa_image **link = &og_hsa.images;
  while (*link && (uintptr_t)(*link)->object != handle.handle)
    link = &(*link)->next;
  struct og_hsa_image *found = *link;
  if (found)
    *link = found->next;
  pthread_mutex_unlock(&og_hsa.memory_lock);
  OG_HSA_NEED_ARGUMENT(found);
  og_memory_free(og_hsa.runtime, found->object);
  free(found);
  return HSA_STATUS_SUCCESS;
}

void og_hsa_images_close(void) {
  while (og_hsa.images) { /* the runtime frees their objects */
    struct og_hsa_image *next = og_hsa.images->next;
    free(og_hsa.images);
    og_hsa.images = next;
  }
}

hsa_status_t hsa_amd_image_get_info_max_dim(hsa_agent_t agent, hsa_agent_info_t attribute, void *value) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED_ARGUMENT((unsigned)attribute >= HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS &&
                       (unsigned)attribute <= HSA_EXT_AGENT_INFO_IMAGE_ARRAY_MAX_LAYERS);
  return hsa_agent_get_info(agent, attribute, value);
}

/* ---- samplers ---------------------------------------------------------------------------------------------------- */

hsa_status_t hsa_ext_sampler_create(hsa_agent_t handle, const hsa_ext_sampler_descriptor_t *descriptor,
                                    hsa_ext_sampler_t *sampler) {
  static const uint8_t clamps[] = {OG_CLAMP_LAST, OG_CLAMP_LAST, OG_CLAMP_BORDER, OG_CLAMP_WRAP, OG_CLAMP_MIRROR};
  const struct og_hsa_agent *agent;
  hsa_status_t status = check_agent(handle, &agent);
  OG_HSA_NEED(status == HSA_STATUS_SUCCESS, status);
  OG_HSA_NEED_ARGUMENT(descriptor && sampler);
  OG_HSA_NEED(descriptor->coordinate_mode <= HSA_EXT_SAMPLER_COORDINATE_MODE_NORMALIZED &&
                  descriptor->filter_mode <= HSA_EXT_SAMPLER_FILTER_MODE_LINEAR &&
                  descriptor->address_mode < OG_COUNT(clamps),
              (hsa_status_t)HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED);
  uint8_t clamp = clamps[descriptor->address_mode];
  uint8_t filter = descriptor->filter_mode == HSA_EXT_SAMPLER_FILTER_MODE_LINEAR ? OG_FILTER_LINEAR : OG_FILTER_POINT;
  struct og_sampler made = {
      .clamp = {clamp, clamp, clamp}, .mag = filter, .min = filter, .z = filter, .max_lod = 4095.f / 256,
      .unnormalized = descriptor->coordinate_mode == HSA_EXT_SAMPLER_COORDINATE_MODE_UNNORMALIZED,
      .truncates = filter == OG_FILTER_POINT, /* the nearest texel is that which contains the coordinate */
  };
  uint32_t *words = og_memory_new(og_hsa.runtime, OBJECT_BYTES, OBJECT_BYTES, OG_MEMORY_READ);
  OG_HSA_NEED(words, HSA_STATUS_ERROR_OUT_OF_RESOURCES);
  og_sampler_write(generation_of(agent), &made, words);
  sampler->handle = (uintptr_t)words;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_ext_sampler_destroy(hsa_agent_t agent, hsa_ext_sampler_t sampler) {
  OG_HSA_NEED_OPEN();
  OG_HSA_NEED(og_hsa_agent(agent), HSA_STATUS_ERROR_INVALID_AGENT);
  OG_HSA_NEED_ARGUMENT(sampler.handle && og_memory_free(og_hsa.runtime, (void *)(uintptr_t)sampler.handle));
  return HSA_STATUS_SUCCESS;
}
