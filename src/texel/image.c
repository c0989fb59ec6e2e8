/* image.c - the fields that image.def lists, read and written; the place of a level. */
#include "texel/image.h"

#include <string.h>

/* ---- fields ------------------------------------------------------------------------------------------------------ */

struct field {
  uint8_t id, from, first, bits;
};

enum image_field {
  IMAGE_BASE, IMAGE_MIN_LOD, IMAGE_DATA_FORMAT, IMAGE_NUMBER_FORMAT, IMAGE_WIDTH, IMAGE_HEIGHT, IMAGE_SELECT_X,
  IMAGE_SELECT_Y, IMAGE_SELECT_Z, IMAGE_SELECT_W, IMAGE_BASE_LEVEL, IMAGE_LAST_LEVEL, IMAGE_TILING,
  IMAGE_TYPE, IMAGE_DEPTH, IMAGE_PITCH, IMAGE_BASE_ARRAY, IMAGE_LAST_ARRAY, IMAGE_MAX_MIP,
};
enum sampler_field {
  SAMPLER_CLAMP_X, SAMPLER_CLAMP_Y, SAMPLER_CLAMP_Z, SAMPLER_COMPARE, SAMPLER_UNNORMALIZED, SAMPLER_TRUNCATE,
  SAMPLER_FILTER_MODE, SAMPLER_MIN_LOD, SAMPLER_MAX_LOD, SAMPLER_LOD_BIAS, SAMPLER_MAG_FILTER, SAMPLER_MIN_FILTER,
  SAMPLER_Z_FILTER, SAMPLER_MIP_FILTER, SAMPLER_BORDER,
};

#define IMAGE(id, from, first, bits) {IMAGE_##id, OG_##from, first, bits},
static const struct field image_fields[] = {
#include "texel/image.def"
};
#undef IMAGE
#define SAMPLER(id, from, first, bits) {SAMPLER_##id, OG_##from, first, bits},
static const struct field sampler_fields[] = {
#include "texel/image.def"
};
#undef SAMPLER

/* Bits of a descriptor; those past its end are 0. */
struct bits {
  uint32_t *words;
  unsigned count;
  enum og_generation generation;
  const struct field *fields;
  size_t field_count;
};

/* The last row that has come by the generation; rows of a field stand together. */
static struct field find(const struct bits *d, unsigned id) {
  struct field found = {0};
  for (size_t i = 0; i < d->field_count; i++)
    if (d->fields[i].id == id && d->fields[i].from <= d->generation)
      found = d->fields[i];
  return found;
}

static uint64_t get(const struct bits *d, unsigned id) {
  struct field field = find(d, id);
  uint64_t value = 0;
  for (unsigned done = 0; done < field.bits;) {
    unsigned at = field.first + done, take = OG_MIN(32 - at % 32, field.bits - done);
    uint64_t word = at / 32 < d->count ? d->words[at / 32] : 0;
    value |= (word >> at % 32 & ((1ull << take) - 1)) << done;
    done += take;
  }
  return value;
}

/* False where the field does not hold it. */
static bool put(const struct bits *d, unsigned id, uint64_t value) {
  struct field field = find(d, id);
  if (value >> field.bits)
    return false;
  for (unsigned done = 0; done < field.bits;) {
    unsigned at = field.first + done, take = OG_MIN(32 - at % 32, field.bits - done);
    d->words[at / 32] |= (uint32_t)(value >> done & ((1ull << take) - 1)) << at % 32;
    done += take;
  }
  return true;
}

static struct bits image_bits(enum og_generation generation, uint32_t *words, unsigned count) {
  return (struct bits){words, count, generation, image_fields, OG_COUNT(image_fields)};
}

static struct bits sampler_bits(enum og_generation generation, uint32_t *words) {
  return (struct bits){words, 4, generation, sampler_fields, OG_COUNT(sampler_fields)};
}

/* ---- formats ----------------------------------------------------------------------------------------------------- */

#define COUNT_ARGUMENTS(...) (sizeof((uint8_t[]){__VA_ARGS__}))
#define DATA(value, id, ...)                                                                                           \
  {value, OG_BLOCK_NONE, {"IMG_DATA_FORMAT_" #id, COUNT_ARGUMENTS(__VA_ARGS__), {__VA_ARGS__}}},
#define BLOCK(value, id) {value, OG_BLOCK_##id, {"IMG_DATA_FORMAT_" #id, 0, {0}}},
static const struct {
  uint8_t value, block;
  struct og_data_format layout;
} own_layouts[] = {
#include "texel/image_formats.def"
};
#undef BLOCK
#undef DATA

#define UNIFIED(gfx10, gfx11, data, number) {gfx10, gfx11, data, OG_NUMBER_##number},
static const struct {
  uint8_t gfx10, gfx11, data, number;
} own_formats[] = {
#include "texel/image_formats.def"
};
#undef UNIFIED

static struct og_texel_format format_of(unsigned data, unsigned number) {
  for (size_t i = 0; i < OG_COUNT(own_layouts); i++)
    if (own_layouts[i].value == data)
      return (struct og_texel_format){&own_layouts[i].layout, (uint8_t)number, own_layouts[i].block};
  const struct og_data_format *layout = data < 15 ? og_data_format(data) : NULL;
  return (struct og_texel_format){layout && layout->count ? layout : NULL, (uint8_t)number, OG_BLOCK_NONE};
}

/* Blocks are of fractions, some of them with signs or sRGB; BC6's number format says whether its floats have signs. */
static bool is_number(struct og_texel_format format) {
  bool sign = format.block >= OG_BLOCK_BC4 && format.block <= OG_BLOCK_BC6, color = format.block && !sign;
  if (format.block)
    return format.number == OG_NUMBER_UNORM || (sign && format.number == OG_NUMBER_SNORM) ||
           (color && format.number == OG_NUMBER_SRGB);
  return format.number <= OG_NUMBER_FLOAT || format.number == OG_NUMBER_SRGB;
}

static struct og_texel_format read_format(const struct bits *d) {
  unsigned value = (unsigned)get(d, IMAGE_DATA_FORMAT);
  if (d->generation < OG_GFX10_1) {
    struct og_texel_format format = format_of(value, (unsigned)get(d, IMAGE_NUMBER_FORMAT));
    return is_number(format) ? format : (struct og_texel_format){0};
  }
  for (size_t i = 0; i < OG_COUNT(own_formats); i++)
    if ((d->generation < OG_GFX11 ? own_formats[i].gfx10 : own_formats[i].gfx11) == value)
      return format_of(own_formats[i].data, own_formats[i].number);
  struct og_buffer_format format = og_buffer_format(d->generation, value);
  return format.name ? format_of(format.data, format.number) : (struct og_texel_format){0};
}

static bool write_format(const struct bits *d, struct og_texel_format format) {
  bool unified = d->generation >= OG_GFX10_1;
  for (unsigned value = 0; value < (unified ? 256 : 64); value++) {
    uint32_t words[8] = {0};
    struct bits trial = image_bits(d->generation, words, 8);
    put(&trial, IMAGE_DATA_FORMAT, value);
    if (!unified)
      put(&trial, IMAGE_NUMBER_FORMAT, format.number);
    struct og_texel_format same = read_format(&trial);
    if (same.layout && same.layout == format.layout && same.number == format.number)
      return put(d, IMAGE_DATA_FORMAT, value) && (unified || put(d, IMAGE_NUMBER_FORMAT, format.number));
  }
  return false;
}

/* ---- images ------------------------------------------------------------------------------------------------------ */

/* Of texels, as many elements as hold them. */
static uint32_t elements(const struct og_image *image, uint32_t texels) {
  unsigned side = og_texel_side(image->format);
  return (texels + side - 1) / side;
}

static bool is_flat(unsigned type) { return type == OG_IMAGE_1D || type == OG_IMAGE_2D; }

static bool is_unbound(const uint32_t *words, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (words[i])
      return false;
  return true;
}

/* Up to gfx8 the tile modes are the driver's table, of which every one has this place for linear images. */
enum { LINEAR_ALIGNED = 8 };

static const char *what_is_unknown(const struct bits *d, const struct og_image *image) {
  unsigned tiling = (unsigned)get(d, IMAGE_TILING);
  if (image->type < OG_IMAGE_1D)
    return "a resource that is no image";
  if (!image->format.layout)
    return "images of this format";
  if (d->generation < OG_GFX900 && og_image_has_samples(image->type))
    return "images of several samples before gfx9";
  if (d->generation < OG_GFX900 && tiling != LINEAR_ALIGNED)
    return "tiled images before gfx9";
  if (d->generation < OG_GFX900 && image->last_level > 0)
    return "mip levels of images before gfx9";
  return NULL;
}

static unsigned log_of(unsigned size) { return size ? 31 - (unsigned)__builtin_clz(size) : 0; }

/* Of levels in tiles the small ones share a tile. */
static const char *read_tiles(const struct bits *d, struct og_image *image) {
  unsigned bytes = og_texel_bytes(image->format);
  image->swizzle = d->generation < OG_GFX900 ? 0 : (uint8_t)get(d, IMAGE_TILING);
  if (image->swizzle && image->levels > 1)
    return "mip levels of tiled images";
  if (image->swizzle && bytes & (bytes - 1))
    return "tiled images of elements of 12 bytes";
  return og_tile_of(d->generation, image->swizzle, image->type == OG_IMAGE_3D, log_of(bytes), image->log_samples,
                    &image->tile);
}

static void read_sizes(const struct bits *d, struct og_image *image) {
  image->width = (uint32_t)get(d, IMAGE_WIDTH) + 1;
  bool is_row = image->type == OG_IMAGE_1D || image->type == OG_IMAGE_1D_ARRAY;
  image->height = is_row ? 1 : (uint32_t)get(d, IMAGE_HEIGHT) + 1;
  image->depth = image->type == OG_IMAGE_3D ? (uint32_t)get(d, IMAGE_DEPTH) + 1 : 1;
  if (og_image_is_array(image->type)) {
    image->first_layer = (uint32_t)get(d, IMAGE_BASE_ARRAY);
    image->last_layer = OG_MAX((uint32_t)get(d, IMAGE_LAST_ARRAY), image->first_layer);
  }
  if (d->generation < OG_GFX10_1)
    image->pitch = (uint32_t)get(d, IMAGE_PITCH) + 1;
  else if (is_flat(image->type) && get(d, IMAGE_PITCH) + 1 > elements(image, image->width))
    image->pitch = (uint32_t)get(d, IMAGE_PITCH) + 1;
}

const char *og_image_read(enum og_generation generation, const uint32_t *words, bool is_short, struct og_image *image) {
  uint32_t copy[8] = {0};
  unsigned count = is_short ? 4 : 8;
  memcpy(copy, words, count * sizeof *words);
  *image = (struct og_image){0};
  if (is_unbound(copy, count))
    return NULL;
  struct bits d = image_bits(generation, copy, count);
  image->type = (uint8_t)get(&d, IMAGE_TYPE);
  image->base = get(&d, IMAGE_BASE) << 8;
  for (unsigned i = 0; i < 4; i++)
    image->select[i] = (uint8_t)get(&d, IMAGE_SELECT_X + i);
  image->first_level = (uint8_t)get(&d, IMAGE_BASE_LEVEL);
  image->last_level = (uint8_t)OG_MAX(get(&d, IMAGE_LAST_LEVEL), (uint64_t)image->first_level);
  image->levels = (uint8_t)(OG_MAX(get(&d, IMAGE_MAX_MIP), (uint64_t)image->last_level) + 1);
  image->min_lod = (float)get(&d, IMAGE_MIN_LOD) / 256;
  image->format = read_format(&d);
  read_sizes(&d, image);
  if (is_short && image->pitch < elements(image, image->width))
    image->pitch = 0;
  if (og_image_has_samples(image->type)) { /* where levels are told otherwise */
    image->log_samples = image->last_level;
    image->first_level = image->last_level = 0, image->levels = 1;
  }
  const char *unknown = what_is_unknown(&d, image);
  return unknown ? unknown : read_tiles(&d, image);
}

bool og_image_write(enum og_generation generation, const struct og_image *image, uint32_t words[8]) {
  memset(words, 0, 8 * sizeof *words);
  struct bits d = image_bits(generation, words, 8);
  bool arrays = og_image_is_array(image->type), fine = image->base % 256 == 0 && image->levels > 0;
  fine = fine && put(&d, IMAGE_TYPE, image->type) && put(&d, IMAGE_BASE, image->base >> 8) &&
         write_format(&d, image->format) && put(&d, IMAGE_WIDTH, image->width - 1) &&
         put(&d, IMAGE_HEIGHT, image->height - 1) && put(&d, IMAGE_BASE_LEVEL, image->first_level) &&
         put(&d, IMAGE_LAST_LEVEL, og_image_has_samples(image->type) ? image->log_samples : image->last_level) &&
         put(&d, IMAGE_TILING, generation < OG_GFX900 ? LINEAR_ALIGNED : image->swizzle);
  for (unsigned i = 0; i < 4; i++)
    fine = fine && put(&d, IMAGE_SELECT_X + i, image->select[i]);
  if (generation >= OG_GFX900)
    fine = fine && put(&d, IMAGE_MAX_MIP, og_image_has_samples(image->type) ? image->log_samples : image->levels - 1u);
  if (image->type == OG_IMAGE_3D)
    fine = fine && put(&d, IMAGE_DEPTH, image->depth - 1);
  if (arrays)
    fine = fine && put(&d, IMAGE_BASE_ARRAY, image->first_layer) && put(&d, IMAGE_LAST_ARRAY, image->last_layer);
  if (generation < OG_GFX10_1)
    fine = fine && put(&d, IMAGE_PITCH,
                       OG_MAX(image->pitch, generation < OG_GFX900 ? image->width : elements(image, image->width)) - 1);
  else if (image->pitch > elements(image, image->width))
    fine = fine && is_flat(image->type) && put(&d, IMAGE_PITCH, image->pitch - 1);
  return fine && put(&d, IMAGE_MIN_LOD, (uint64_t)(image->min_lod * 256));
}

/* ---- levels ------------------------------------------------------------------------------------------------------ */

static uint32_t halved(uint32_t size, unsigned times) { return times < 32 ? OG_MAX(size >> times, 1u) : 1; }

/* Up to gfx8 the pitch counts texels, then elements (RADV's and addrlib's surfaces). */
static uint64_t row_of(enum og_generation generation, const struct og_image *image, unsigned level) {
  uint64_t bytes = og_texel_bytes(image->format);
  uint32_t pitch = generation < OG_GFX900 ? elements(image, image->pitch) : image->pitch;
  if (generation < OG_GFX10_1)
    return OG_MAX(pitch, elements(image, image->width)) * bytes;
  if (level == 0 && pitch > 0)
    return pitch * bytes;
  return (elements(image, halved(image->width, level)) * bytes + 255) / 256 * 256;
}

static uint64_t level_bytes(enum og_generation generation, const struct og_image *image, unsigned level) {
  return row_of(generation, image, level) * elements(image, halved(image->height, level));
}

static uint64_t slice_of(enum og_generation generation, const struct og_image *image) {
  uint64_t sum = 0;
  for (unsigned level = 0; level < image->levels; level++)
    sum += level_bytes(generation, image, level);
  return sum;
}

static uint64_t tiles(uint64_t elements, unsigned log_size) { return (elements + (1u << log_size) - 1) >> log_size; }

/* Of the only level; gfx9 has a pitch. */
static struct og_image_level tiled_level(enum og_generation generation, const struct og_image *image) {
  uint32_t width = elements(image, image->width), height = elements(image, image->height);
  if (generation < OG_GFX10_1)
    width = OG_MAX(width, image->pitch);
  struct og_image_level level = {
      .base = image->base, .width = image->width, .height = image->height, .depth = image->depth};
  level.row = tiles(width, image->tile.log_size[0]) << image->tile.bits;
  level.slice = level.row * tiles(height, image->tile.log_size[1]);
  return level;
}

/* The base's bits within a tile, where it has some, are exclusive-ored: drivers spread surfaces over channels with
 * them. */
static uint64_t tiled_address(const struct og_image *image, const struct og_image_level *level, uint32_t x, uint32_t y,
                              uint32_t z, uint32_t sample) {
  const struct og_tile *tile = &image->tile;
  uint64_t within = (1ull << tile->bits) - 1;
  uint64_t start = (uint64_t)(z >> tile->log_size[2]) * level->slice + (uint64_t)(y >> tile->log_size[1]) * level->row +
                   ((uint64_t)(x >> tile->log_size[0]) << tile->bits);
  return (level->base & ~within) + start + (og_tile_offset(tile, x, y, z, sample) ^ (level->base & within));
}

uint64_t og_image_texel_address(const struct og_image *image, const struct og_image_level *level, uint32_t x,
                                uint32_t y, uint32_t slice, uint32_t sample) {
  unsigned side = og_texel_side(image->format);
  if (image->tile.bits)
    return tiled_address(image, level, x / side, y / side, slice, sample);
  return level->base + slice * level->slice + y / side * level->row +
         (uint64_t)(x / side) * og_texel_bytes(image->format);
}

struct og_image_level og_image_level(enum og_generation generation, const struct og_image *image, unsigned level) {
  if (image->tile.bits)
    return tiled_level(generation, image);
  struct og_image_level result = {.base = image->base, .width = halved(image->width, level),
                                  .height = halved(image->height, level), .depth = halved(image->depth, level),
                                  .row = row_of(generation, image, level), .slice = slice_of(generation, image)};
  unsigned first = generation >= OG_GFX10_1 ? level + 1 : 0, end = generation >= OG_GFX10_1 ? image->levels : level;
  for (unsigned before = first; before < end; before++)
    result.base += level_bytes(generation, image, before);
  return result;
}

uint64_t og_image_bytes(enum og_generation generation, const struct og_image *image) {
  uint32_t slices = og_image_is_array(image->type) ? image->last_layer + 1 : image->depth;
  if (image->tile.bits)
    return tiled_level(generation, image).slice * tiles(slices, image->tile.log_size[2]);
  return slice_of(generation, image) * slices;
}

/* ---- samplers ---------------------------------------------------------------------------------------------------- */

static float signed_fraction(uint64_t bits, unsigned width) {
  return (float)((int64_t)(bits << (64 - width)) >> (64 - width)) / 256;
}

struct og_sampler og_sampler_read(enum og_generation generation, const uint32_t words[4]) {
  uint32_t copy[4];
  memcpy(copy, words, sizeof copy);
  struct bits d = sampler_bits(generation, copy);
  struct og_sampler s = {
      .compare = (uint8_t)get(&d, SAMPLER_COMPARE), .unnormalized = get(&d, SAMPLER_UNNORMALIZED),
      .truncates = get(&d, SAMPLER_TRUNCATE), .reduction = (uint8_t)get(&d, SAMPLER_FILTER_MODE),
      .min_lod = (float)get(&d, SAMPLER_MIN_LOD) / 256, .max_lod = (float)get(&d, SAMPLER_MAX_LOD) / 256,
      .lod_bias = signed_fraction(get(&d, SAMPLER_LOD_BIAS), 14), .mag = get(&d, SAMPLER_MAG_FILTER) & 1,
      .min = get(&d, SAMPLER_MIN_FILTER) & 1, .mip = (uint8_t)get(&d, SAMPLER_MIP_FILTER),
      .border = (uint8_t)get(&d, SAMPLER_BORDER)};
  for (unsigned i = 0; i < 3; i++)
    s.clamp[i] = (uint8_t)get(&d, SAMPLER_CLAMP_X + i);
  unsigned z = (unsigned)get(&d, SAMPLER_Z_FILTER); /* 0: as x and y */
  s.z = z == 0 ? s.mag : z == 2 ? OG_FILTER_LINEAR : OG_FILTER_POINT;
  return s;
}

void og_sampler_write(enum og_generation generation, const struct og_sampler *s, uint32_t words[4]) {
  memset(words, 0, 4 * sizeof *words);
  struct bits d = sampler_bits(generation, words);
  for (unsigned i = 0; i < 3; i++)
    put(&d, SAMPLER_CLAMP_X + i, s->clamp[i]);
  put(&d, SAMPLER_COMPARE, s->compare);
  put(&d, SAMPLER_UNNORMALIZED, s->unnormalized);
  put(&d, SAMPLER_TRUNCATE, s->truncates);
  put(&d, SAMPLER_FILTER_MODE, s->reduction);
  put(&d, SAMPLER_MIN_LOD, (uint64_t)(s->min_lod * 256));
  put(&d, SAMPLER_MAX_LOD, (uint64_t)(s->max_lod * 256));
  put(&d, SAMPLER_LOD_BIAS, (uint64_t)(int64_t)(s->lod_bias * 256) & 0x3fff);
  put(&d, SAMPLER_MAG_FILTER, s->mag);
  put(&d, SAMPLER_MIN_FILTER, s->min);
  put(&d, SAMPLER_Z_FILTER, s->z == OG_FILTER_LINEAR ? 2 : 1);
  put(&d, SAMPLER_MIP_FILTER, s->mip);
  put(&d, SAMPLER_BORDER, s->border);
}
