/* exec_image.c - messages about images: typed reads, writes and atomics, media blocks, the sampler's loads and samples. */
#include "visa/exec.h"
#include "visa/image.h"

#include <string.h>

#include "base/floats.h"

enum { BINDLESS_STEP = 64 };

static uint32_t surface_index(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_message *message = op->message;
  if (message->space == OG_VX_SURFACE)
    return thread->surfaces[message->surface];
  uint64_t index = og_vx_scalar(thread, op, &op->source[0]);
  return (uint32_t)(message->space == OG_VX_BINDLESS ? index / BINDLESS_STEP : index);
}

static const struct og_visa_image *find_image(struct og_vx_thread *thread, const struct og_vx_op *op) {
  uint32_t index = surface_index(thread, op);
  const struct og_visa_image *image = index < OG_VX_SURFACES ? thread->group->images[index] : NULL;
  if (!image && thread->state == OG_VX_RUNNING)
    og_vx_fault(thread, op, "surface %u is not bound to an image", index);
  return thread->state == OG_VX_RUNNING ? image : NULL;
}

/* Channel i's parameter n; 0 where it is not given. */
static uint32_t parameter(const struct og_vx_thread *thread, const struct og_vx_message *message, uint32_t n,
                          uint32_t i) {
  if (message->memory_offset[n] == OG_VX_NO_DATA)
    return 0;
  const uint8_t *at = thread->base[OG_VX_REGISTERS] + message->memory_offset[n] + (size_t)i * message->address_size;
  return message->address_size == 2 ? og_load16(at) : og_load32(at);
}

static float float_parameter(const struct og_vx_thread *thread, const struct og_vx_message *message, uint32_t n,
                             uint32_t i) {
  uint32_t bits = parameter(thread, message, n, i);
  return message->address_size == 2 ? og_half_to_float((uint16_t)bits) : og_float_of_bits(bits);
}

static uint8_t *component(const struct og_vx_thread *thread, const struct og_vx_message *message, uint32_t nth,
                          uint32_t i) {
  return thread->base[OG_VX_REGISTERS] + message->data + (size_t)nth * message->channel_step +
         (size_t)i * message->container;
}

/* The enabled components of one channel's four values; halves where the destination has them. */
static void put_values(const struct og_vx_thread *thread, const struct og_vx_message *message,
                       const struct og_visa_image *image, uint32_t i, const uint32_t values[4]) {
  for (uint32_t c = 0, nth = 0; c < 4; c++) {
    if (!(message->components >> c & 1))
      continue;
    uint8_t *to = component(thread, message, nth++, i);
    float v;
    memcpy(&v, &values[c], 4);
    if (message->container == 4)
      og_store32(to, values[c]);
    else
      og_store16(to, og_visa_image_is_integer(image) ? (uint16_t)values[c] : og_float_to_half(v, OG_ROUND_NEAREST));
  }
}

/* gather4_typed, scatter4_typed, lsc_load_quad.tgm, lsc_store_quad.tgm: parameters u, v, r. Outside, reads give 0, 0, 0, 1 and
   writes do nothing. */
const struct og_vx_op *og_vx_run_typed(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_message *message = op->message;
  const struct og_visa_image *image = find_image(thread, op);
  if (!image)
    return NULL;
  if (message->data == OG_VX_NO_DATA)
    return op + 1;
  for (uint32_t left = og_vx_enabled(thread, op); left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(left), values[4] = {0};
    int32_t at[3];
    for (uint32_t n = 0; n < 3; n++)
      at[n] = (int32_t)parameter(thread, message, n, i);
    uint8_t *texel = og_visa_image_texel(image, at);
    if (message->store) {
      for (uint32_t c = 0, nth = 0; c < 4; c++)
        if (message->components >> c & 1)
          values[c] = og_load32(component(thread, message, nth++, i));
      if (texel)
        og_visa_image_store(image, texel, values);
      continue;
    }
    if (texel)
      og_visa_image_load(image, texel, values);
    else
      values[3] = og_visa_image_is_integer(image) ? 1 : 0x3f800000;
    put_values(thread, message, image, i, values);
  }
  return op + 1;
}

/* typed_atomic, lsc_atomic_*.tgm. Outside, nothing happens and 0 comes back. */
const struct og_vx_op *og_vx_run_typed_atomic(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_message *message = op->message;
  const struct og_visa_image *image = find_image(thread, op);
  if (!image)
    return NULL;
  if (og_visa_image_texel_size(image) < message->size)
    return og_vx_fault(thread, op, "an atomic on %u bytes of an image whose texels have %u", message->size,
                       og_visa_image_texel_size(image));
  for (uint32_t left = og_vx_enabled(thread, op); left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(left);
    int32_t at[3];
    for (uint32_t n = 0; n < 3; n++)
      at[n] = (int32_t)parameter(thread, message, n, i);
    uint8_t *texel = og_visa_image_texel(image, at);
    uint64_t old = texel ? og_vx_atomic(thread, message, texel, i) : 0;
    if (message->data != OG_VX_NO_DATA)
      memcpy(thread->base[OG_VX_REGISTERS] + message->data + (size_t)i * message->channel_step, &old,
             message->container);
  }
  return op + 1;
}

/* The offsets in texels that come with a load or sample, four signed bits each: r, v, u. */
static void texel_offsets(struct og_vx_thread *thread, const struct og_vx_op *op, int32_t offsets[3]) {
  uint32_t bits = (uint32_t)og_vx_scalar(thread, op, &op->source[op->source_count - 1]);
  for (uint32_t i = 0; i < 3; i++)
    offsets[i] = (int32_t)(bits >> (8 - 4 * i) << 28) >> 28;
}

/* The sampler's load at whole coordinates, u, v, r in parameters 0, 1, 2. Outside it gives zeros. */
const struct og_vx_op *og_vx_run_image_load(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_message *message = op->message;
  const struct og_visa_image *image = find_image(thread, op);
  int32_t offsets[3];
  if (!image)
    return NULL;
  if (message->data == OG_VX_NO_DATA)
    return op + 1;
  texel_offsets(thread, op, offsets);
  for (uint32_t left = og_vx_enabled(thread, op); left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(left), values[4] = {0};
    int32_t at[3];
    for (uint32_t n = 0; n < 3; n++)
      at[n] = (int32_t)(parameter(thread, message, n, i) + (uint32_t)offsets[n]);
    const uint8_t *texel = og_visa_image_texel(image, at);
    if (texel)
      og_visa_image_load(image, texel, values);
    put_values(thread, message, image, i, values);
  }
  return op + 1;
}

/* Samples of the only level there is: u, v, r in parameters 0, 1, 2. */
const struct og_vx_op *og_vx_run_image_sample(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_message *message = op->message;
  const struct og_visa_image *image = find_image(thread, op);
  if (!image)
    return NULL;
  if (message->data == OG_VX_NO_DATA)
    return op + 1;
  uint32_t index = thread->surfaces[message->data2];
  const struct og_visa_sampler *sampler = index < OG_VX_SAMPLERS ? thread->group->samplers[index] : NULL;
  if (!sampler)
    return og_vx_fault(thread, op, "sampler %u is not set", index);
  int32_t offsets[3];
  texel_offsets(thread, op, offsets);
  for (uint32_t left = og_vx_enabled(thread, op); left; left &= left - 1) {
    uint32_t i = (uint32_t)__builtin_ctz(left), values[4];
    float at[3];
    for (uint32_t n = 0; n < 3; n++)
      at[n] = float_parameter(thread, message, n, i);
    og_visa_image_sample(image, sampler, at, offsets, values);
    put_values(thread, message, image, i, values);
  }
  return op + 1;
}

/* resinfo: the sizes of the level, and the number of levels. */
const struct og_vx_op *og_vx_run_image_info(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_message *message = op->message;
  const struct og_visa_image *image = find_image(thread, op);
  if (!image)
    return NULL;
  if (message->data == OG_VX_NO_DATA)
    return op + 1;
  uint32_t values[4] = {image->width, image->dimensions >= 2 ? image->height : 0,
                        image->dimensions == 3 ? image->depth : 0, 1};
  if (image->array)
    values[image->dimensions] = image->depth;
  for (uint32_t left = og_vx_enabled(thread, op); left; left &= left - 1)
    for (uint32_t c = 0, nth = 0; c < 4; c++)
      if (message->components >> c & 1)
        og_store32(component(thread, message, nth++, (uint32_t)__builtin_ctz(left)), values[c]);
  return op + 1;
}

/* media_ld, media_st: a block of bytes, x in bytes and y in rows. Reads outside give the nearest byte of a border texel's place,
   writes there do nothing. */
const struct og_vx_op *og_vx_run_media(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_message *message = op->message;
  const struct og_visa_image *image = find_image(thread, op);
  if (!image)
    return NULL;
  if (message->data == OG_VX_NO_DATA)
    return op + 1;
  int64_t left = (int32_t)og_vx_scalar(thread, op, &op->source[0]),
          top = (int32_t)og_vx_scalar(thread, op, &op->source[1]);
  int64_t texel = og_visa_image_texel_size(image), pitch = image->width * texel;
  if (thread->state != OG_VX_RUNNING)
    return NULL;
  for (uint32_t row = 0; row < message->block_height; row++)
    for (uint32_t column = 0; column < message->block_width; column++) {
      int64_t x = left + column, y = top + row;
      bool inside = x >= 0 && x < pitch && y >= 0 && y < image->height;
      uint8_t *element = thread->base[OG_VX_REGISTERS] + message->data + (size_t)row * message->channel_step + column;
      if (!inside && message->store)
        continue;
      if (!inside) { /* the same byte of the nearest texel */
        x = x < 0 ? ((x % texel) + texel) % texel : x >= pitch ? pitch - texel + x % texel : x;
        y = OG_MIN(OG_MAX(y, 0), (int64_t)image->height - 1);
      }
      uint8_t *memory = image->base + y * pitch + x;
      *(message->store ? memory : element) = *(message->store ? element : memory);
    }
  return op + 1;
}
