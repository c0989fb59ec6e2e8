/* image.c - messages about images: typed reads, writes and atomics, media blocks, the sampler's loads and
   samples. */
#include "visa/exec/check.h"
#include "visa/image.h"

#include <math.h>
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

/* ---- channels of a message
   ---------------------------------------------------------------------------------------- */

/* What all channels of a message have in common. */
struct access {
  const struct og_visa_image *image;
  const struct og_visa_sampler *sampler; /* or NULL */
  int32_t offsets[3];                    /* in texels; of a sampler message */
};
typedef void channel_fn(struct og_vx_thread *thread, const struct og_vx_op *op, const struct access *access,
                        uint32_t channel);

static const struct og_vx_op *each_channel(struct og_vx_thread *thread, const struct og_vx_op *op,
                                           const struct access *access, channel_fn *fn) {
  for (uint32_t left = og_vx_enabled(thread, op); left; left &= left - 1)
    fn(thread, op, access, (uint32_t)__builtin_ctz(left));
  return op + 1;
}

/* The texel at channel i's coordinates, integers u, v, r in parameters 0, 1, 2, moved by the offsets; NULL: it is
   outside the image. */
static uint8_t *texel_of(struct og_vx_thread *thread, const struct og_vx_op *op, const struct access *access,
                         uint32_t i, enum og_vx_access kind) {
  int32_t at[3];
  for (uint32_t n = 0; n < 3; n++)
    at[n] = (int32_t)(parameter(thread, op->message, n, i) + (uint32_t)access->offsets[n]);
  uint8_t *texel = og_visa_image_texel(access->image, at);
  if (thread->check && texel)
    og_vx_race_access(thread, texel, og_visa_image_texel_size(access->image), kind);
  return texel;
}

/* ---- typed messages ---------------------------------------------------------------------------------------------- */

/* A texel outside of the image, which a typed message may not name. */
static void tell_outside(struct og_vx_thread *thread, const struct og_vx_op *op, const uint8_t *texel, uint32_t i) {
  const struct og_vx_message *message = op->message;
  if (thread->check && !texel)
    og_vx_find(thread, op, OG_VX_BEYOND, "channel %u's texel %d, %d, %d is outside of the image", i,
               (int)parameter(thread, message, 0, i), (int)parameter(thread, message, 1, i),
               (int)parameter(thread, message, 2, i));
}

static void typed_load(struct og_vx_thread *thread, const struct og_vx_op *op, const struct access *access,
                       uint32_t i) {
  uint32_t values[4] = {0};
  const uint8_t *texel = texel_of(thread, op, access, i, OG_VX_READ);
  tell_outside(thread, op, texel, i);
  if (texel)
    og_visa_image_load(access->image, texel, values);
  else
    values[3] = og_visa_image_is_integer(access->image) ? 1 : og_bits_of_float(1);
  put_values(thread, op->message, access->image, i, values);
}

static void typed_store(struct og_vx_thread *thread, const struct og_vx_op *op, const struct access *access,
                        uint32_t i) {
  uint32_t values[4] = {0};
  uint8_t *texel = texel_of(thread, op, access, i, OG_VX_WRITE);
  tell_outside(thread, op, texel, i);
  for (uint32_t c = 0, nth = 0; c < 4; c++)
    if (op->message->components >> c & 1)
      values[c] = og_load32(component(thread, op->message, nth++, i));
  if (texel)
    og_visa_image_store(access->image, texel, values);
}

/* gather4_typed, scatter4_typed, lsc_load_quad.tgm, lsc_store_quad.tgm: parameters u, v, r. Outside the image, reads
   give 0, 0, 0, 1 and writes do nothing. */
const struct og_vx_op *og_vx_run_typed(struct og_vx_thread *thread, const struct og_vx_op *op) {
  struct access access = {.image = find_image(thread, op)};
  if (!access.image)
    return NULL;
  if (op->message->data == OG_VX_NO_DATA)
    return op + 1;
  return each_channel(thread, op, &access, op->message->store ? typed_store : typed_load);
}

static void typed_atomic(struct og_vx_thread *thread, const struct og_vx_op *op, const struct access *access,
                         uint32_t i) {
  const struct og_vx_message *message = op->message;
  uint8_t *texel = texel_of(thread, op, access, i, OG_VX_ATOMIC_WRITE);
  tell_outside(thread, op, texel, i);
  uint64_t old = texel ? og_vx_atomic(thread, message, texel, i) : 0;
  if (message->data != OG_VX_NO_DATA)
    memcpy(thread->base[OG_VX_REGISTERS] + message->data + (size_t)i * message->channel_step, &old, message->container);
}

/* typed_atomic, lsc_atomic_*.tgm. Outside the image nothing happens, and the result is 0. */
const struct og_vx_op *og_vx_run_typed_atomic(struct og_vx_thread *thread, const struct og_vx_op *op) {
  struct access access = {.image = find_image(thread, op)};
  if (!access.image)
    return NULL;
  if (og_visa_image_texel_size(access.image) < op->message->size)
    return og_vx_fault(thread, op, "an atomic on %u bytes of an image whose texels have %u", op->message->size,
                       og_visa_image_texel_size(access.image));
  return each_channel(thread, op, &access, typed_atomic);
}

/* ---- the sampler ------------------------------------------------------------------------------------------------- */

/* The offsets in texels that come with a load or sample, four signed bits each: r, v, u. */
static void texel_offsets(struct og_vx_thread *thread, const struct og_vx_op *op, int32_t offsets[3]) {
  uint32_t bits = (uint32_t)og_vx_scalar(thread, op, &op->source[op->source_count - 1]);
  for (uint32_t i = 0; i < 3; i++)
    offsets[i] = (int32_t)(bits >> (8 - 4 * i) << 28) >> 28;
}

/* Sets the bits of pixels to which no missing page contributed, in a register of their own behind the data: all of
   them. */
static void put_null_mask(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_message *message = op->message;
  if (message->null_mask)
    og_store32(component(thread, message, (uint32_t)__builtin_popcount(message->components), 0), op->full);
}

static void load_texel(struct og_vx_thread *thread, const struct og_vx_op *op, const struct access *access,
                       uint32_t i) {
  uint32_t values[4] = {0};
  const uint8_t *texel = texel_of(thread, op, access, i, OG_VX_READ);
  bool sample = op->kind != OG_VX_LOAD_SAMPLE || parameter(thread, op->message, OG_VX_PARAMETER_SAMPLE, i) == 0;
  if (texel && sample)
    og_visa_image_load(access->image, texel, values);
  put_values(thread, op->message, access->image, i, values);
}

/* A surface of one sample is not compressed: its MCS is 0. */
static void load_mcs(struct og_vx_thread *thread, const struct og_vx_op *op, const struct access *access, uint32_t i) {
  static const uint32_t zeros[4];
  put_values(thread, op->message, access->image, i, zeros);
}

/* The sampler's loads at integer coordinates u, v, r in parameters 0, 1, 2. Outside the image they give zeros. */
const struct og_vx_op *og_vx_run_image_load(struct og_vx_thread *thread, const struct og_vx_op *op) {
  struct access access = {.image = find_image(thread, op)};
  if (!access.image)
    return NULL;
  if (op->message->data == OG_VX_NO_DATA)
    return op + 1;
  texel_offsets(thread, op, access.offsets);
  put_null_mask(thread, op);
  return each_channel(thread, op, &access, op->kind == OG_VX_LOAD_MCS ? load_mcs : load_texel);
}

/* Channel i's coordinates, and where the message has one, the value to compare with (else NULL). */
static const float *sample_parameters(const struct og_vx_thread *thread, const struct og_vx_op *op, uint32_t i,
                                      float at[3], float *reference) {
  for (uint32_t n = 0; n < 3; n++)
    at[n] = float_parameter(thread, op->message, n, i);
  *reference = float_parameter(thread, op->message, OG_VX_PARAMETER_REFERENCE, i);
  return op->kind & OG_VX_SAMPLE_COMPARE ? reference : NULL;
}

static void sample_texels(struct og_vx_thread *thread, const struct og_vx_op *op, const struct access *access,
                          uint32_t i) {
  uint32_t values[4];
  float at[3], reference;
  const float *compare = sample_parameters(thread, op, i, at, &reference);
  og_visa_image_sample(access->image, access->sampler, at, access->offsets, compare, values);
  put_values(thread, op->message, access->image, i, values);
}

static void gather_texels(struct og_vx_thread *thread, const struct og_vx_op *op, const struct access *access,
                          uint32_t i) {
  uint32_t values[4];
  float at[3], reference;
  int32_t offsets[3];
  memcpy(offsets, access->offsets, sizeof offsets);
  for (uint32_t n = 0; op->kind & OG_VX_SAMPLE_OFFSETS && n < 2; n++) /* six signed bits for each channel */
    offsets[n] = (int32_t)(parameter(thread, op->message, OG_VX_PARAMETER_OFFSETS + n, i) << 26) >> 26;
  const float *compare = sample_parameters(thread, op, i, at, &reference);
  og_visa_image_gather(access->image, access->sampler, at, offsets, op->extra, compare, values);
  put_values(thread, op->message, access->image, i, values);
}

/* Each four channels are two by two pixels; the level follows from the distance of their coordinates in texels. There
   is only one level, so the clamped level is 0. */
static void sample_level(struct og_vx_thread *thread, const struct og_vx_op *op, const struct access *access,
                         uint32_t i) {
  const uint32_t sizes[3] = {access->image->width, access->image->height, access->image->depth}, first = i & ~3u;
  float steps[2] = {0};
  for (uint32_t k = 0; k < 2; k++)
    for (uint32_t n = 0; n < access->image->dimensions; n++) {
      float step =
          float_parameter(thread, op->message, n, first + 1 + k) - float_parameter(thread, op->message, n, first);
      step *= access->sampler->normalized ? (float)sizes[n] : 1;
      steps[k] += step * step;
    }
  uint32_t values[4] = {0, og_bits_of_float(0.5f * log2f(fmaxf(steps[0], steps[1]))), 0, 0};
  put_values(thread, op->message, access->image, i, values);
}

/* Samples of the only level there is: u, v, r in parameters 0, 1, 2. */
const struct og_vx_op *og_vx_run_image_sample(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_message *message = op->message;
  struct access access = {.image = find_image(thread, op)};
  if (!access.image)
    return NULL;
  if (message->data == OG_VX_NO_DATA)
    return op + 1;
  uint32_t index = thread->surfaces[message->data2];
  access.sampler = index < OG_VX_SAMPLERS ? thread->group->samplers[index] : NULL;
  if (!access.sampler)
    return og_vx_fault(thread, op, "sampler %u is not set", index);
  if (op->kind & OG_VX_SAMPLE_COMPARE && !access.sampler->compare)
    return og_vx_fault(thread, op, "sampler %u has no comparison, as less or gequal", index);
  if (op->kind & OG_VX_SAMPLE_COMPARE && og_visa_image_is_integer(access.image))
    return og_vx_fault(thread, op, "texels of an integer format cannot be compared");
  texel_offsets(thread, op, access.offsets);
  put_null_mask(thread, op);
  return each_channel(thread, op, &access,
                      op->kind & OG_VX_SAMPLE_GATHER  ? gather_texels
                      : op->kind & OG_VX_SAMPLE_LEVEL ? sample_level
                                                      : sample_texels);
}

/* resinfo: the sizes of the level, and the number of levels; sampleinfo (`kind`): the number of samples. */
const struct og_vx_op *og_vx_run_image_info(struct og_vx_thread *thread, const struct og_vx_op *op) {
  const struct og_vx_message *message = op->message;
  const struct og_visa_image *image = find_image(thread, op);
  if (!image)
    return NULL;
  if (message->data == OG_VX_NO_DATA)
    return op + 1;
  uint32_t sizes[4] = {image->width, image->dimensions >= 2 ? image->height : 0,
                       image->dimensions == 3 ? image->depth : 0, 1};
  static const uint32_t samples[4] = {1, 0, 0, 0};
  if (image->array)
    sizes[image->dimensions] = image->depth;
  for (uint32_t left = og_vx_enabled(thread, op); left; left &= left - 1)
    for (uint32_t c = 0, nth = 0; c < 4; c++)
      if (message->components >> c & 1)
        og_store32(component(thread, message, nth++, (uint32_t)__builtin_ctz(left)), (op->kind ? samples : sizes)[c]);
  return op + 1;
}

/* ---- media blocks ------------------------------------------------------------------------------------------------ */

/* media_ld, media_st: a block of bytes, x in bytes and y in rows. Reads outside the image give the byte at the same
   place of the nearest border texel; writes outside do nothing. */
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
