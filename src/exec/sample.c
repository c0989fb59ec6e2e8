/* sample.c - image samples and gathers: coordinates to texels and their weights, levels of detail, comparisons. ISA
 * manuals, "Image sampler"; docs/exactness.md has what they leave open.
 *
 * Coordinates have 8 bits of fraction, as the hardware's texture units have. Anisotropic filters are taken for the
 * filters that they refine, and the edges of a cube's faces are not filtered across. */
#include "exec/image.h"

#include "base/floats.h"

#include <math.h>
#include <string.h>

struct sample {
  struct og_wave *wave;
  const struct og_operation *op;
  const struct og_image_op *access;
  unsigned lane;
  struct og_image image;
  struct og_sampler sampler;
  bool normalized;
  unsigned type, dimensions; /* what is addressed, and its coordinates that are no layer */
  /* A lane's address. */
  float at[3], slopes[2][3], bias, reference, level; /* level: the one given, or the least allowed */
  unsigned quad; /* 1 + the first lane of the quad whose slopes are known: */
  float of_quad[2][3];
  int32_t offset[3];
  int64_t layer;
};

/* ---- the address ------------------------------------------------------------------------------------------------- */

/* Six bits for each coordinate, signed. */
static void read_offset(struct sample *s, uint32_t word) {
  for (unsigned i = 0; i < 3; i++)
    s->offset[i] = (int32_t)(word << (26 - 8 * i)) >> 26;
}

static void read_slopes(struct og_image_address *address, unsigned count, float slopes[3]) {
  for (unsigned i = 0; i < count; i++) {
    uint32_t word = og_image_word(address);
    slopes[i] = address->access->g16 ? og_half_to_float((uint16_t)word) : og_float_of_bits(word);
    if (address->access->g16 && i + 1 < count)
      slopes[++i] = og_half_to_float((uint16_t)(word >> 16));
  }
}

static void read_coordinates(struct sample *s, struct og_image_address *address) {
  unsigned count = og_image_coordinates(s->type);
  int layer = og_image_layer_coordinate(s->type);
  for (unsigned i = 0; i < count; i++) {
    float value = og_image_float(address);
    if ((int)i == layer)
      s->layer = value > 0 && value < 65536 ? (int64_t)rintf(value) : value > 0 ? 65536 : 0;
    else if (i < 3)
      s->at[i] = value;
  }
}

static void read_address(struct sample *s) {
  unsigned parts = s->access->parts;
  struct og_image_address address = {s->wave, s->access, s->lane, 0, 0};
  memset(s->at, 0, sizeof s->at);
  memset(s->slopes, 0, sizeof s->slopes);
  memset(s->offset, 0, sizeof s->offset);
  s->bias = s->reference = 0, s->level = 0, s->layer = 0;
  if (parts & OG_IMAGE_OFFSET)
    read_offset(s, og_image_word(&address));
  if (parts & OG_IMAGE_BIAS) {
    uint32_t word = og_image_word(&address);
    s->bias = s->access->a16 ? og_half_to_float((uint16_t)word) : og_float_of_bits(word);
  }
  if (parts & OG_IMAGE_COMPARE)
    s->reference = og_float_of_bits(og_image_word(&address));
  for (unsigned i = 0; i < 2 && parts & OG_IMAGE_DERIVATIVES; i++)
    read_slopes(&address, s->dimensions, s->slopes[i]);
  read_coordinates(s, &address);
  if (parts & (OG_IMAGE_LOD | OG_IMAGE_CLAMP))
    s->level = og_image_float(&address);
}

/* ---- the level of detail ----------------------------------------------------------------------------------------- */

/* The lanes of a quad stand side by side: across is the next one, down the one after that. They are found once, since
 * results of its lanes may be written where their addresses stand. */
static void slopes_of_quad(struct sample *s) {
  unsigned quad = s->lane & ~3u, lane = s->lane;
  float at[3][3];
  if (s->quad != 1 + quad) {
    for (unsigned i = 0; i < 3; i++) {
      s->lane = quad + i;
      read_address(s);
      memcpy(at[i], s->at, sizeof s->at);
    }
    s->quad = 1 + quad, s->lane = lane;
    read_address(s);
    for (unsigned i = 0; i < 3; i++)
      s->of_quad[0][i] = at[1][i] - at[0][i], s->of_quad[1][i] = at[2][i] - at[0][i];
  }
  memcpy(s->slopes, s->of_quad, sizeof s->slopes);
}

static struct og_image_level level_of(const struct sample *s, unsigned level) {
  return og_image_level(s->wave->program->target.processor->generation, &s->image, level);
}

/* The level, counted from the first one seen, that derivatives ask for. */
static float level_of_slopes(const struct sample *s) {
  struct og_image_level first = level_of(s, s->image.first_level);
  float sizes[3] = {(float)first.width, (float)first.height, (float)first.depth}, most = 0;
  for (unsigned i = 0; i < 2; i++) {
    float sum = 0;
    for (unsigned j = 0; j < s->dimensions; j++) {
      float slope = s->slopes[i][j] * (s->normalized ? sizes[j] : 1);
      sum += slope * slope;
    }
    most = fmaxf(most, sum);
  }
  return most > 0 ? 0.5f * log2f(most) : -INFINITY;
}

/* Before it is held within the sampler's bounds; and after. */
static float wanted_level(struct sample *s) {
  unsigned parts = s->access->parts;
  if (parts & OG_IMAGE_ZERO)
    return 0;
  if (parts & OG_IMAGE_LOD)
    return s->level;
  if (!(parts & OG_IMAGE_DERIVATIVES) && s->image.last_level > s->image.first_level)
    slopes_of_quad(s);
  else if (!(parts & OG_IMAGE_DERIVATIVES))
    return s->bias + s->sampler.lod_bias; /* there is one level, whatever is wanted, magnified */
  return level_of_slopes(s) + s->bias + s->sampler.lod_bias;
}

static float bounded_level(const struct sample *s, float level) {
  float least = s->sampler.min_lod, most = s->sampler.max_lod;
  if (s->access->parts & OG_IMAGE_CLAMP)
    least = fmaxf(least, s->level);
  level = fminf(fmaxf(level, least), most); /* NaN: the least */
  return fmaxf(level, s->image.min_lod - s->image.first_level);
}

/* ---- texels and weights ------------------------------------------------------------------------------------------ */

enum { FRACTION = 256, OUTSIDE = -1 };

static int64_t modulo(int64_t i, int64_t n) { return (i % n + n) % n; }

/* The texel that an index means, or OUTSIDE for the border. */
static int64_t clamped(int64_t i, int64_t n, enum og_clamp mode) {
  int64_t mirrored = i < 0 ? -1 - i : i;
  switch (mode) {
  case OG_CLAMP_WRAP: return modulo(i, n);
  case OG_CLAMP_MIRROR: mirrored = modulo(i, 2 * n); return mirrored < n ? mirrored : 2 * n - 1 - mirrored;
  case OG_CLAMP_LAST: return i < 0 ? 0 : OG_MIN(i, n - 1);
  case OG_CLAMP_MIRROR_ONCE_LAST: return OG_MIN(mirrored, n - 1);
  case OG_CLAMP_BORDER: case OG_CLAMP_HALF_BORDER: return i < 0 || i >= n ? OUTSIDE : i;
  default: return mirrored >= n ? OUTSIDE : mirrored;
  }
}

/* Two texels beside each other along one coordinate, and the second one's weight. */
struct axis {
  int64_t texel[2];
  unsigned weight; /* of FRACTION */
};

static struct axis axis_of(const struct sample *s, unsigned i, int64_t size, bool linear) {
  enum og_clamp mode = (enum og_clamp)(s->type == OG_IMAGE_CUBE ? OG_CLAMP_LAST : s->sampler.clamp[i]);
  float at = s->at[i] - (s->type == OG_IMAGE_CUBE ? 1 : 0); /* of a face from 1 to 2 */
  at *= s->normalized ? (float)size : 1;
  at = at != at ? 0 : fminf(fmaxf(at, -0x1p30f), 0x1p30f);
  bool half = mode == OG_CLAMP_HALF_BORDER || mode == OG_CLAMP_MIRROR_ONCE_HALF_BORDER;
  if (half)
    at = fminf(fmaxf(at, mode == OG_CLAMP_HALF_BORDER ? 0 : -(float)size), (float)size);
  double fine = (double)at * FRACTION;
  int64_t fixed = (int64_t)(s->sampler.truncates && !linear ? floor(fine) : rint(fine)) - (linear ? FRACTION / 2 : 0);
  int64_t first = (fixed >> 8) + s->offset[i];
  struct axis axis = {.texel = {clamped(first, size, mode), clamped(first + 1, size, mode)},
                      .weight = linear ? (unsigned)(fixed & 255) : 0};
  if (!linear && half && axis.texel[0] == OUTSIDE)
    axis.texel[0] = first < 0 ? 0 : size - 1;
  return axis;
}

static void border(const struct sample *s, uint32_t values[4]) {
  bool integer = og_is_integer_format(s->image.format.number);
  uint32_t one = integer ? 1 : og_bits_of_float(1);
  for (unsigned i = 0; i < 4; i++)
    values[i] = s->sampler.border == OG_BORDER_WHITE || (s->sampler.border == OG_BORDER_BLACK && i == 3) ? one : 0;
}

static bool compares(float reference, float texel, unsigned how) {
  bool less = reference < texel, equal = reference == texel, greater = reference > texel;
  return how == 7 || (how & 1 && less) || (how & 2 && equal) || (how & 4 && greater);
}

/* One texel's components; of a sample that compares what came of it. */
static bool fetch(struct sample *s, const struct og_image_level *level, int64_t x, int64_t y, int64_t z,
                  uint32_t values[4]) {
  if (x == OUTSIDE || y == OUTSIDE || z == OUTSIDE) {
    border(s, values);
  } else {
    struct og_texel_place place = og_image_place(&s->image, level, x, y, z, 0);
    if (!og_image_texel(s->wave, s->op, s->lane, &s->image, &place, values))
      return false;
  }
  if (s->access->parts & OG_IMAGE_COMPARE)
    values[0] = og_bits_of_float(compares(s->reference, og_float_of_bits(values[0]), s->sampler.compare));
  return true;
}

static int64_t layer_of(const struct sample *s) {
  if (!og_image_is_array(s->image.type))
    return 0;
  int64_t layer = s->type == OG_IMAGE_CUBE ? s->layer / 8 * 6 + s->layer % 8 : s->layer;
  return OG_MIN(layer, (int64_t)(s->image.last_layer - s->image.first_layer));
}

struct footprint {
  struct og_image_level level;
  struct axis x, y, z;
};

static struct footprint footprint_of(const struct sample *s, unsigned level, bool linear, bool deep) {
  struct footprint f = {.level = level_of(s, level)};
  bool flat = s->dimensions < 2;
  f.x = axis_of(s, 0, f.level.width, linear);
  f.y = flat ? (struct axis){{0, 0}, 0} : axis_of(s, 1, f.level.height, linear);
  if (s->image.type == OG_IMAGE_3D && s->dimensions == 3)
    f.z = axis_of(s, 2, f.level.depth, deep);
  else
    f.z = (struct axis){{layer_of(s), 0}, 0};
  return f;
}

/* ---- filters ----------------------------------------------------------------------------------------------------- */

struct blend {
  double sums[4];
  float extremes[4];
  bool any;
};

static void add_tap(const struct sample *s, struct blend *blend, const uint32_t values[4], double weight) {
  for (unsigned i = 0; i < 4; i++) {
    float value = og_float_of_bits(values[i]);
    blend->sums[i] += weight * (double)value;
    float other = blend->any ? blend->extremes[i] : value;
    blend->extremes[i] = s->sampler.reduction == 1 ? fminf(other, value) : fmaxf(other, value);
  }
  blend->any = true;
}

static double weight_of(const struct axis *axis, unsigned i) {
  return (i ? axis->weight : FRACTION - axis->weight) / (double)FRACTION;
}

static bool add_level(struct sample *s, struct blend *blend, unsigned level, bool linear, bool deep, double share) {
  struct footprint f = footprint_of(s, level, linear, deep);
  for (unsigned tap = 0; tap < 8; tap++) {
    double weight = weight_of(&f.x, tap & 1) * weight_of(&f.y, tap >> 1 & 1) * weight_of(&f.z, tap >> 2) * share;
    uint32_t values[4];
    if (weight == 0)
      continue;
    if (!fetch(s, &f.level, f.x.texel[tap & 1], f.y.texel[tap >> 1 & 1], f.z.texel[tap >> 2], values))
      return false;
    add_tap(s, blend, values, weight);
  }
  return true;
}

/* Integers are not blended: the nearest texel stands for all. */
static bool nearest(struct sample *s, unsigned level, uint32_t values[4]) {
  struct footprint f = footprint_of(s, level, false, false);
  return fetch(s, &f.level, f.x.texel[0], f.y.texel[0], f.z.texel[0], values);
}

static bool filtered(struct sample *s, float lod, uint32_t values[4]) {
  const struct og_image *image = &s->image;
  bool small = lod > 0, linear = small ? s->sampler.min : s->sampler.mag;
  float seen = (float)(image->last_level - image->first_level);
  float level = fminf(fmaxf(s->sampler.mip == 0 ? 0 : lod, 0), seen);
  unsigned first = (unsigned)(s->sampler.mip == 2 ? floorf(level) : floorf(level + 0.5f));
  double rest = s->sampler.mip == 2 ? floor((double)(level - floorf(level)) * FRACTION) / FRACTION : 0;
  if (og_is_integer_format(image->format.number))
    return nearest(s, image->first_level + first, values);
  struct blend blend = {0};
  if (!add_level(s, &blend, image->first_level + first, linear, s->sampler.z, 1 - rest) ||
      (rest > 0 && !add_level(s, &blend, image->first_level + first + 1, linear, s->sampler.z, rest)))
    return false;
  for (unsigned i = 0; i < 4; i++)
    values[i] = og_bits_of_float(s->sampler.reduction ? blend.extremes[i] : (float)blend.sums[i]);
  return true;
}

/* Four texels that a linear filter would blend, one component of each: from the one below on the left, around. */
static bool gathered(struct sample *s, float lod, uint32_t values[4]) {
  static const uint8_t x[4] = {0, 1, 1, 0}, y[4] = {1, 1, 0, 0};
  unsigned component = s->access->dmask ? (unsigned)__builtin_ctz(s->access->dmask) & 3 : 0;
  float seen = (float)(s->image.last_level - s->image.first_level);
  unsigned level = s->image.first_level + (unsigned)fminf(fmaxf(lod + 0.5f, 0), seen);
  struct footprint f = footprint_of(s, level, true, false);
  for (unsigned i = 0; i < 4; i++) {
    uint32_t texel[4];
    if (!fetch(s, &f.level, f.x.texel[x[i]], f.y.texel[y[i]], f.z.texel[0], texel))
      return false;
    values[i] = og_texel_selected(texel, s->image.select[component], s->image.format.number);
  }
  return true;
}

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

static bool begin(struct sample *s, struct og_wave *wave, const struct og_operation *op) {
  *s = (struct sample){.wave = wave, .op = op, .access = op->detail};
  if (!og_image_of(wave, op, &s->image))
    return false;
  s->sampler = og_sampler_read(wave->program->target.processor->generation, og_at(wave, op->s[2]));
  s->normalized = !s->access->unnormalized && !s->sampler.unnormalized;
  s->type = og_image_addressed(s->access, &s->image);
  s->dimensions = og_image_coordinates(s->type) - (og_image_layer_coordinate(s->type) >= 0);
  if (og_image_has_samples(s->image.type)) {
    og_wave_fault(wave, op, "samples of images of several samples are not executed");
    return false;
  }
  if (s->sampler.border != OG_BORDER_TABLE)
    return true;
  og_wave_fault(wave, op, "samplers with a table of border colours are not executed");
  return false;
}

static bool sample_lane(struct sample *s) {
  uint32_t values[4], results[4] = {0};
  bool gathers = s->access->parts & OG_IMAGE_GATHER;
  unsigned mask = gathers ? 15 : s->access->dmask ? s->access->dmask : 1;
  if (s->image.type) { /* an unbound resource yields zeros */
    read_address(s);
    float lod = bounded_level(s, wanted_level(s));
    if (!(gathers ? gathered(s, lod, values) : filtered(s, lod, values)))
      return false;
    for (unsigned i = 0; i < 4; i++)
      results[i] = gathers ? values[i] : og_texel_selected(values, s->image.select[i], s->image.format.number);
  }
  og_image_result(s->wave, s->op, s->lane, s->image.format.number, results, mask);
  return true;
}

static const struct og_operation *sample_lanes(struct og_wave *wave, const struct og_operation *op) {
  struct sample s;
  if (!begin(&s, wave, op))
    return &og_stop;
  for (uint64_t lanes = og_active(wave); lanes != 0; lanes &= lanes - 1) {
    s.lane = (unsigned)__builtin_ctzll(lanes);
    if (!sample_lane(&s))
      return &og_stop;
  }
  return og_next(op);
}

/* image_get_lod: the level within the bounds, and the one that derivatives ask for. */
static const struct og_operation *tell_levels(struct og_wave *wave, const struct og_operation *op) {
  struct sample s;
  if (!begin(&s, wave, op))
    return &og_stop;
  for (uint64_t lanes = og_active(wave); lanes != 0; lanes &= lanes - 1) {
    s.lane = (unsigned)__builtin_ctzll(lanes);
    uint32_t values[4] = {0};
    if (s.image.type) {
      slopes_of_quad(&s);
      float level = level_of_slopes(&s) + s.sampler.lod_bias, seen = (float)(s.image.last_level - s.image.first_level);
      values[0] = og_bits_of_float(fminf(fmaxf(bounded_level(&s, level), 0), seen));
      values[1] = og_bits_of_float(level);
    }
    og_image_result(wave, op, s.lane, OG_NUMBER_UINT, values, s.access->dmask ? s.access->dmask : 1);
  }
  return og_next(op);
}

const struct og_operation *og_image_sample_handler(struct og_wave *wave, const struct og_operation *op) {
  return og_outside_mode(wave, op, sample_lanes);
}
const struct og_operation *og_image_lod_handler(struct og_wave *wave, const struct og_operation *op) {
  return og_outside_mode(wave, op, tell_levels);
}
