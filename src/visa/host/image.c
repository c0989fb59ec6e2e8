/* image.c - the formats of texels; and sampling, nearest and linear, with every way to treat coordinates outside. */
#include "visa/image.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/floats.h"

static const struct order {
  const char *name;
  uint16_t number;
  uint8_t channels;
  const char *to, *from; /* for red, green, blue, alpha: memory's channel; for memory's channels: which of these */
} orders[] = {
#define X(name, number, channels, to, from) {name, number, channels, to, from},
    OG_VISA_IMAGE_ORDERS(X)
#undef X
};
static const struct type {
  const char *name;
  uint8_t bits;
  char kind;
  uint16_t number;
} types[] = {
#define X(name, bits, kind, number) {name, bits, kind, number},
    OG_VISA_IMAGE_TYPES(X)
#undef X
};

/* ---- descriptions ------------------------------------------------------------------------------------------------ */

static bool take_size(const char **p, const char *end, uint32_t *size) {
  uint64_t value = 0;
  const char *from = *p;
  while (*p < end && **p >= '0' && **p <= '9' && value < 1 << 20)
    value = value * 10 + (uint64_t)(*(*p)++ - '0');
  *size = (uint32_t)value;
  return *p > from && value > 0 && value <= 1 << 16;
}

/* What OpenCL's table of formats allows. */
static bool is_format(const struct order *order, const struct type *type) {
  bool integer = type->kind == 'i' || type->kind == 'u';
  switch (order->number) {
  case 0x10b6:
  case 0x10b7:
  case 0x10c3: return type->bits == 8;                       /* other orders of four channels */
  case 0x10b8:
  case 0x10b9: return !integer;                              /* intensity, luminance */
  case 0x10bd: return type->kind == 'f' ? type->bits == 32 : type->kind == 'n' && type->bits == 16; /* depth */
  case 0x10c1:
  case 0x10c2: return type->bits == 8 && type->kind == 'n'; /* sRGB */
  default: return true;
  }
}

static bool parse_format(const char *text, size_t size, struct og_visa_image *image) {
  for (image->order = 0; image->order < OG_COUNT(orders); image->order++)
    for (image->type = 0; image->type < OG_COUNT(types); image->type++) {
      const struct order *order = &orders[image->order];
      const struct type *type = &types[image->type];
      size_t head = strlen(order->name), tail = strlen(type->name);
      if (head + tail == size && memcmp(text, order->name, head) == 0 && memcmp(text + head, type->name, tail) == 0)
        return is_format(order, type);
    }
  return false;
}

bool og_visa_image_parse(const char *text, size_t size, struct og_visa_image *image) {
  const char *end = text + size, *colon = memchr(text, ':', size);
  *image = (struct og_visa_image){.width = 1, .height = 1, .depth = 1};
  if (!colon)
    return false;
  if (!parse_format(text, (size_t)(colon - text), image))
    return false;
  const char *p = colon + 1;
  uint32_t *const sizes[3] = {&image->width, &image->height, &image->depth};
  do
    if (image->dimensions == 3 || !take_size(&p, end, sizes[image->dimensions++]))
      return false;
  while (p < end && *p == 'x' && p++);
  if (p < end && *p == 'a' && image->dimensions < 3) {
    p++;
    image->array = true;
    if (!take_size(&p, end, &image->depth))
      return false;
  }
  return p == end && og_visa_image_size(image) <= 1u << 30;
}

const char *og_visa_image_argument(struct og_arena *arena, const char *text, struct og_visa_image *image) {
  const char *format = text + strlen("image:"), *colon = strchr(format, ':');
  const char *end = colon ? strchr(colon + 1, ':') : NULL;
  if (!end || !og_visa_image_parse(format, (size_t)(end - format), image))
    return NULL;
  bool sized = strcmp(end + 1, "buf") == 0 || strncmp(end + 1, "out:", 4) == 0;
  unsigned long long size = og_visa_image_size(image);
  return sized ? og_arena_printf(arena, "%s:%llu", end + 1, size) : end + 1;
}

bool og_visa_sampler_parse(const char *text, struct og_visa_sampler *sampler) {
  enum { ADDRESSES = 4, FILTERS = 6, NORMALIZED = 8 }; /* where a kind of words ends */
  static const char *const words[] = {"edge",    "border",       "repeat",     "mirror", "nearest",
                                      "linear",  "unnormalized", "normalized", "never",  "less",
                                      "equal",   "lequal",       "greater",    "notequal", "gequal",
                                      "always"};
  *sampler = (struct og_visa_sampler){0};
  for (const char *p = text; *p;) {
    size_t size = strcspn(p, ","), i = 0;
    while (i < OG_COUNT(words) && (strlen(words[i]) != size || memcmp(words[i], p, size) != 0))
      i++;
    if (i == OG_COUNT(words))
      return false;
    if (i < ADDRESSES)
      sampler->address = (uint8_t)i;
    else if (i < FILTERS)
      sampler->linear = i == FILTERS - 1;
    else if (i < NORMALIZED)
      sampler->normalized = i == NORMALIZED - 1;
    else
      sampler->compare = (uint8_t)(i - NORMALIZED + OG_VISA_SAMPLER_NEVER);
    p += size + (p[size] == ',');
  }
  return true;
}

uint32_t og_visa_image_texel_size(const struct og_visa_image *image) {
  return orders[image->order].channels * types[image->type].bits / 8u;
}

uint64_t og_visa_image_size(const struct og_visa_image *image) {
  return (uint64_t)image->width * image->height * image->depth * og_visa_image_texel_size(image);
}

uint32_t og_visa_image_channel_type(const struct og_visa_image *image) { return types[image->type].number; }

uint32_t og_visa_image_channel_order(const struct og_visa_image *image) { return orders[image->order].number; }

bool og_visa_image_is_integer(const struct og_visa_image *image) {
  char kind = types[image->type].kind;
  return kind == 'i' || kind == 'u';
}

static bool is_srgb(const struct og_visa_image *image) { return orders[image->order].name[0] == 's'; }

/* ---- texels ------------------------------------------------------------------------------------------------------ */

uint8_t *og_visa_image_texel(const struct og_visa_image *image, const int32_t at[3]) {
  int64_t x = at[0], y = image->dimensions >= 2 ? at[1] : 0;
  int64_t z = image->dimensions == 3 ? at[2] : image->array ? at[image->dimensions] : 0;
  if (x < 0 || y < 0 || z < 0 || x >= image->width || y >= image->height || z >= image->depth)
    return NULL;
  return image->base + ((z * image->height + y) * image->width + x) * og_visa_image_texel_size(image);
}

static uint32_t raw_channel(const uint8_t *texel, uint32_t i, uint32_t bits) {
  return bits == 8 ? texel[i] : bits == 16 ? og_load16(texel + 2 * i) : og_load32(texel + 4 * i);
}

static float linear_of_srgb(float v) { return v <= 0.04045f ? v / 12.92f : powf((v + 0.055f) / 1.055f, 2.4f); }
static float srgb_of_linear(float v) { return v <= 0.0031308f ? v * 12.92f : 1.055f * powf(v, 1 / 2.4f) - 0.055f; }

static uint32_t loaded_channel(const struct type *type, uint32_t raw, bool srgb) {
  uint32_t unused = 32u - type->bits;
  int32_t value = (int32_t)(raw << unused) >> unused;
  float most = (float)((1ull << (type->bits - 1)) - 1), unorm = (float)raw / (float)((1ull << type->bits) - 1);
  switch (type->kind) {
  case 'n': return og_bits_of_float(srgb ? linear_of_srgb(unorm) : unorm);
  case 's': return og_bits_of_float(fmaxf((float)value / most, -1));
  case 'i': return (uint32_t)value;
  case 'u': return raw;
  default: return type->bits == 16 ? og_bits_of_float(og_half_to_float((uint16_t)raw)) : raw;
  }
}

/* The place of a channel's letter; of 0 and 1 beyond the four. */
static uint32_t channel_number(char letter) {
  static const char letters[] = "rgba01";
  return (uint32_t)(strchr(letters, letter) - letters);
}

void og_visa_image_load(const struct og_visa_image *image, const uint8_t *texel, uint32_t values[4]) {
  const struct type *type = &types[image->type];
  const char *to = orders[image->order].to;
  for (uint32_t i = 0; i < 4; i++) {
    uint32_t from = channel_number(to[i]);
    if (from < 4)
      values[i] = loaded_channel(type, raw_channel(texel, from, type->bits), is_srgb(image) && i < 3);
    else
      values[i] = from == 4 ? 0 : og_visa_image_is_integer(image) ? 1 : og_bits_of_float(1);
  }
}

static uint32_t stored_channel(const struct type *type, uint32_t value) {
  uint64_t all = (1ull << type->bits) - 1;
  int64_t most = (int64_t)(all >> 1);
  float v = og_float_of_bits(value);
  switch (type->kind) {
  case 'n': return (uint32_t)llrint(fmin(fmax((double)v, 0), 1) * (double)all);
  case 's': return (uint32_t)llrint(fmin(fmax((double)v, -1), 1) * (double)most);
  case 'i': return (uint32_t)OG_MIN(OG_MAX((int64_t)(int32_t)value, -most - 1), most);
  case 'u': return (uint32_t)OG_MIN((uint64_t)value, all);
  default: return type->bits == 16 ? og_float_to_half(v, OG_ROUND_NEAREST) : value;
  }
}

void og_visa_image_store(const struct og_visa_image *image, uint8_t *texel, const uint32_t values[4]) {
  const struct type *type = &types[image->type];
  const struct order *order = &orders[image->order];
  for (uint32_t i = 0; i < order->channels; i++) {
    uint32_t channel = channel_number(order->from[i]), value = values[channel];
    if (is_srgb(image) && channel < 3)
      value = og_bits_of_float(srgb_of_linear(og_float_of_bits(value)));
    uint32_t bits = stored_channel(type, value);
    memcpy(texel + i * (type->bits / 8u), &bits, type->bits / 8u);
  }
}

/* ---- sampling ---------------------------------------------------------------------------------------------------- */

/* One coordinate in texels, before it is rounded. */
static float scaled(const struct og_visa_sampler *sampler, float at, uint32_t size) {
  if (!sampler->normalized)
    return at;
  if (sampler->address == OG_VISA_SAMPLER_REPEAT)
    at -= floorf(at);
  if (sampler->address == OG_VISA_SAMPLER_MIRROR)
    at = fabsf(at - 2 * rintf(at / 2));
  return at * (float)size;
}

/* An integer coordinate inside the image; -1: the border. */
static int32_t bounded(const struct og_visa_sampler *sampler, int64_t at, uint32_t size) {
  if (at >= 0 && at < size)
    return (int32_t)at;
  if (sampler->address == OG_VISA_SAMPLER_REPEAT && sampler->normalized)
    return (int32_t)(at < 0 ? at + size : at - size);
  return sampler->address == OG_VISA_SAMPLER_BORDER ? -1 : at < 0 ? 0 : (int32_t)size - 1;
}

static int64_t to_texel(float v) { return v != v ? 0 : (int64_t)fminf(fmaxf(floorf(v), -1e9f), 1e9f); }

static void load_or_border(const struct og_visa_image *image, const int32_t at[3], uint32_t values[4]) {
  const uint8_t *texel = og_visa_image_texel(image, at);
  static const uint8_t zeros[16];
  og_visa_image_load(image, texel ? texel : zeros, values); /* transparent black; opaque where there is no alpha */
}

/* 1 where the texel's first channel compares, then 0, 0, 1. */
static void compare_texel(const struct og_visa_sampler *sampler, float reference, uint32_t values[4]) {
  float texel = og_float_of_bits(values[0]);
  bool holds = false;
  switch (sampler->compare) {
  case OG_VISA_SAMPLER_LESS: holds = reference < texel; break;
  case OG_VISA_SAMPLER_EQUAL: holds = reference == texel; break;
  case OG_VISA_SAMPLER_LEQUAL: holds = reference <= texel; break;
  case OG_VISA_SAMPLER_GREATER: holds = reference > texel; break;
  case OG_VISA_SAMPLER_NOTEQUAL: holds = reference != texel; break;
  case OG_VISA_SAMPLER_GEQUAL: holds = reference >= texel; break;
  case OG_VISA_SAMPLER_ALWAYS: holds = true; break;
  default: break;
  }
  values[0] = og_bits_of_float(holds);
  values[1] = values[2] = 0;
  values[3] = og_bits_of_float(1);
}

/* The two texels along each dimension that contribute, and the second one's weight. */
struct footprint {
  int32_t texels[3][2];
  float weights[3];
};

static struct footprint find_footprint(const struct og_visa_image *image, const struct og_visa_sampler *sampler,
                                       const float at[3], const int32_t offset[3], bool linear) {
  const uint32_t sizes[3] = {image->width, image->height, image->depth};
  struct footprint f = {0};
  for (uint32_t i = 0; i < image->dimensions; i++) {
    float place = scaled(sampler, at[i], sizes[i]) - (linear ? 0.5f : 0);
    int64_t first = to_texel(place);
    f.weights[i] = linear ? place - floorf(place) : 0;
    for (int k = 0; k < 2; k++)
      f.texels[i][k] = bounded(sampler, first + k + offset[i], sizes[i]);
  }
  if (image->array)
    f.texels[image->dimensions][0] = f.texels[image->dimensions][1] =
        (int32_t)OG_MIN(OG_MAX(to_texel(rintf(at[image->dimensions])), 0), (int64_t)image->depth - 1);
  return f;
}

/* The texel at one corner (bit i chooses along dimension i); returns its weight. */
static float load_corner(const struct og_visa_image *image, const struct og_visa_sampler *sampler,
                         const struct footprint *f, uint32_t corner, const float *reference, uint32_t values[4]) {
  int32_t texel[3];
  float weight = 1;
  for (uint32_t i = 0; i < 3; i++) {
    bool counts = i < image->dimensions;
    texel[i] = f->texels[i][counts ? corner >> i & 1 : 0];
    if (counts)
      weight *= corner >> i & 1 ? f->weights[i] : 1 - f->weights[i];
  }
  load_or_border(image, texel, values);
  if (reference)
    compare_texel(sampler, *reference, values);
  return weight;
}

void og_visa_image_sample(const struct og_visa_image *image, const struct og_visa_sampler *sampler, const float at[3],
                          const int32_t offset[3], const float *reference, uint32_t values[4]) {
  bool linear = sampler->linear && !og_visa_image_is_integer(image);
  struct footprint f = find_footprint(image, sampler, at, offset, linear);
  uint32_t corners = linear ? 1u << image->dimensions : 1;
  float sums[4] = {0};
  for (uint32_t corner = 0; corner < corners; corner++) {
    float weight = load_corner(image, sampler, &f, corner, reference, values);
    for (uint32_t c = 0; linear && c < 4; c++)
      sums[c] += weight * og_float_of_bits(values[c]);
  }
  for (uint32_t c = 0; linear && c < 4; c++)
    values[c] = og_bits_of_float(sums[c]);
}

void og_visa_image_gather(const struct og_visa_image *image, const struct og_visa_sampler *sampler, const float at[3],
                          const int32_t offset[3], uint32_t channel, const float *reference, uint32_t values[4]) {
  static const uint8_t corners[4] = {2, 3, 1, 0};
  struct footprint f = find_footprint(image, sampler, at, offset, true);
  for (uint32_t k = 0; k < 4; k++) {
    uint32_t texel[4];
    load_corner(image, sampler, &f, corners[k], reference, texel);
    values[k] = texel[reference ? 0 : channel & 3];
  }
}
