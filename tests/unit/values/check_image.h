/* check_image.h - compares registers and memory after image instructions with the reference's: each row with
 * addresses, masks and sizes of numbers by chance, on linear images of three levels. */
#ifndef OG_VALUES_CHECK_IMAGE_H
#define OG_VALUES_CHECK_IMAGE_H

#include "values/check_memory.h"
#include "values/image.h"

enum { OFFSET_MOST = 3, FINE = 64 /* parts of a texel that coordinates tell */ };

/* What the lanes were given. */
static struct {
  struct image_access access;
  struct shape shape;
  struct og_image image;
  struct og_sampler sampler;
  bool good, unnormalized, a16;
  double step; /* texels to the next lane of a quad, across and down */
  int at[OG_LANES][3], layer[OG_LANES], level[OG_LANES], offset[OG_LANES][3]; /* `at` of samples in FINE-ths */
  double bias[OG_LANES], lod[OG_LANES], reference[OG_LANES];
} given;

static unsigned mask_of(const struct og_inst *inst) {
  unsigned mask = (unsigned)inst->mod[OG_MOD_DMASK];
  return mask ? mask : 1;
}
static unsigned bits_set(unsigned mask) { return (unsigned)__builtin_popcount(mask); }

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

static struct og_image chosen_image(const struct og_inst *inst, unsigned dim) {
  const struct image_access *a = &given.access;
  if (a->does == IMAGE_MODIFIES) {
    unsigned words = bits_set(mask_of(inst)), operands = strstr(a->operation, "cmpswap") ? 2 : 1;
    return image_of(dim, 32, words / operands == 2 ? 2 : 1, OG_NUMBER_UINT);
  }
  if (a->raw)
    return random32() % 2 ? image_of(dim, 16, 1, OG_NUMBER_UINT) : image_of(dim, 8, 4, OG_NUMBER_UINT);
  return image_of(dim, 8, 4, a->does < IMAGE_SAMPLES ? OG_NUMBER_UINT : OG_NUMBER_UNORM);
}

/* Coordinates as whole numbers, some of them beyond the image; then the layer and the level. */
static bool give_integers(struct words *words, unsigned lane) {
  bool put = true;
  for (unsigned i = 0; i < given.shape.dimensions && given.access.does != IMAGE_TELLS; i++) {
    given.at[lane][i] = (int)(random32() % (unsigned)(extent(&given.image, 0, i) + 1));
    put = put && put_part(words, lane, given.a16, (uint32_t)given.at[lane][i]);
  }
  given.layer[lane] = (int)(random32() % (IMAGE_DEPTH + 1));
  if (given.shape.layered && given.access.does != IMAGE_TELLS)
    put = put && put_part(words, lane, given.a16, (uint32_t)given.layer[lane]);
  bool levels = given.access.mip || given.access.does == IMAGE_TELLS;
  given.level[lane] = levels ? (int)(random32() % (unsigned)(image_levels() + 1)) : 0;
  return put && (!levels || put_part(words, lane, given.a16, (uint32_t)given.level[lane]));
}

static double unit_of(unsigned i) { return given.unnormalized ? 1 : extent(&given.image, 0, i); }

/* {offset} {bias} {reference} {derivatives} {coordinates} {level or clamp} ("Vega" ISA, 8.4; "RDNA2" ISA, 8.2.4).
 * Lanes of a quad stand `step` texels apart, so that the level of detail is known. */
static bool give_floats(struct words *words, unsigned lane) {
  const struct image_access *a = &given.access;
  unsigned dimensions = given.shape.dimensions, first = lane & ~3u;
  bool put = true, g16 = a->g16 || (given.a16 && isa->generation < OG_GFX10_1);
  uint32_t packed = 0;
  for (unsigned i = 0; i < 3; i++) {
    given.offset[lane][i] = a->offset ? (int)(random32() % (2 * OFFSET_MOST + 1)) - OFFSET_MOST : 0;
    packed |= ((uint32_t)given.offset[lane][i] & 63) << 8 * i;
  }
  given.bias[lane] = ((int)(random32() % 9) - 4) * 0.25 + 0.125, given.reference[lane] = random32() % 256 / 256.0;
  given.lod[lane] = random32() % 13 * 0.25 + 0.125;
  if (a->offset)
    put = put_word(words, lane, packed);
  if (a->bias)
    put = put && put_word(words, lane, float_part(given.bias[lane], given.a16));
  if (a->compare)
    put = put && put_word(words, lane, float_part(given.reference[lane], false));
  for (unsigned across = 0; across < 2 && a->slopes; across++) {
    words->half = false;
    for (unsigned i = 0; i < dimensions; i++)
      put = put && put_part(words, lane, g16, float_part(i == across ? given.step / unit_of(i) : 0, g16));
  }
  words->half = false;
  for (unsigned i = 0; i < dimensions; i++) {
    int whole = extent(&given.image, 0, i) * FINE, apart = (int)(given.step * FINE);
    if (lane == first)
      given.at[lane][i] = (int)(random32() % (unsigned)whole) - (random32() % 4 ? 0 : whole / 2);
    else
      given.at[lane][i] = given.at[first][i] + (i == 0 && lane & 1 ? apart : 0) + (i == 1 && lane & 2 ? apart : 0);
    put = put && put_part(words, lane, given.a16, float_part(given.at[lane][i] / (FINE * unit_of(i)), given.a16));
  }
  given.layer[lane] = (int)(random32() % IMAGE_DEPTH);
  if (given.shape.layered)
    put = put && put_part(words, lane, given.a16, float_part(given.layer[lane], given.a16));
  return put && (!(a->lod || a->clamp) || put_part(words, lane, given.a16, float_part(given.lod[lane], given.a16)));
}

/* Registers that do not overlap. */
enum { IMAGE_ADDRESS = 16, IMAGE_DATA = 48 };
static bool choose_image(struct og_inst *inst) {
  struct image_access a = image_access_of(og_row_name(inst->row));
  unsigned n = 0, one = 1u << random32() % 4, pair = random32() % 2 ? 3 : 1;
  inst->mod[OG_MOD_R128] = 0;
  if (a.raw || a.compare)
    inst->mod[OG_MOD_DMASK] = 1;
  else if (a.does == IMAGE_GATHERS)
    inst->mod[OG_MOD_DMASK] = (int)one;
  else if (a.does == IMAGE_MODIFIES) /* words of data, and as many to compare with */
    inst->mod[OG_MOD_DMASK] = (int)(!strstr(a.operation, "cmpswap") ? pair : pair == 3 ? 15 : 3);
  for (unsigned i = 0; i < inst->operand_count; i++) {
    struct og_operand *o = &inst->operands[i];
    if (og_is_image_address((enum og_role)o->role))
      o->reg = (uint16_t)(IMAGE_ADDRESS + n), n += o->dwords;
    else if (o->role == OG_ROLE_VDATA)
      o->reg = IMAGE_DATA;
  }
  return put_code(inst);
}

/* Resource, sampler and addresses; given.good: the reference knows of it. */
static void set_image(const struct og_inst *inst) {
  unsigned dim = dim_of(inst, random32());
  const struct og_operand *rsrc = og_operand(inst, OG_ROLE_SRSRC), *ssamp = og_operand(inst, OG_ROLE_SSAMP);
  given.access = image_access_of(og_row_name(inst->row));
  given.good =
      given.access.does && shape_of(dim, &given.shape) && !inst->mod[OG_MOD_R128] && rsrc->kind == OG_OPERAND_SGPR;
  if (!given.good)
    return;
  given.image = chosen_image(inst, dim);
  given.a16 = inst->mod[OG_MOD_A16], given.unnormalized = inst->mod[OG_MOD_UNORM] && ssamp;
  given.step = 1 << random32() % 3;
  given.good = og_image_write(isa->generation, &given.image, &wave->s[rsrc->reg]);
  if (ssamp) {
    uint8_t filter = random32() % 2;
    unsigned clamp = random32() % 2 ? OG_CLAMP_WRAP : OG_CLAMP_LAST;
    given.good = given.good && ssamp->kind == OG_OPERAND_SGPR;
    given.sampler = (struct og_sampler){.clamp = {(uint8_t)clamp, (uint8_t)clamp, (uint8_t)clamp},
                                        .mag = filter,
                                        .compare = (uint8_t)(random32() % 8),
                                        .min = filter,
                                        .mip = 1,
                                        .max_lod = 8};
    if (given.good)
      og_sampler_write(isa->generation, &given.sampler, &wave->s[ssamp->reg]);
  }
  for (unsigned lane = 0; lane < OG_LANES && given.good; lane++) {
    struct words words = words_of(inst);
    given.good = ssamp ? give_floats(&words, lane) : give_integers(&words, lane);
  }
}

/* ---- data -------------------------------------------------------------------------------------------------------- */

/* Half i of data that stand from `base` on: of 16 bits two to a register, or one in each. */
static uint32_t data_part(const struct og_inst *inst, const struct og_wave *w, unsigned base, unsigned lane,
                          unsigned i) {
  if (!inst->mod[OG_MOD_D16])
    return w->v[base + i][lane];
  return og_unpacked_d16(isa) ? w->v[base + i][lane] & 0xffff : w->v[base + i / 2][lane] >> 16 * (i % 2) & 0xffff;
}

static bool same_floats(const struct og_inst *inst, uint32_t got, double want) {
  bool small = inst->mod[OG_MOD_D16];
  double x = (double)real_to_long_double(real_of_bits(small ? &f16_format : &f32_format, got, true));
  return fabs(x - want) <= (small ? 0x1p-11 : 0x1p-24);
}

static void complain_texel(const struct og_inst *inst, unsigned lane, unsigned i, uint32_t got, double want) {
  complain(inst->row, "lane %u's component %u is %x, expected %g", lane, i, got, want);
}

/* ---- loads, stores, atomics, sizes ------------------------------------------------------------------------------- */

static bool load_texel(const struct og_inst *inst, unsigned base, unsigned lane) {
  uint64_t at;
  bool inside =
      texel_place(&given.image, &given.shape, (unsigned)given.level[lane], given.at[lane], given.layer[lane], &at);
  unsigned bits = given.access.raw ? 8 * og_texel_bytes(given.image.format) : 8, mask = mask_of(inst), n = 0;
  for (unsigned i = 0; i < 4; i++) {
    if (!(mask >> i & 1))
      continue;
    uint32_t want = 0, got = data_part(inst, wave, base, lane, n++);
    for (unsigned k = 0; inside && k < bits / 8; k++)
      want |= (uint32_t)memory_before[at + (given.access.raw ? 0 : i) + k] << 8 * k;
    if (given.access.is_signed)
      want = (uint32_t)as_signed_bits(want, bits);
    if (got != want)
      complain_texel(inst, lane, i, got, want);
  }
  return true;
}

static bool store_texel(const struct og_inst *inst, unsigned base, unsigned lane) {
  uint64_t at;
  unsigned n = 0, mask = (unsigned)inst->mod[OG_MOD_DMASK], bytes = og_texel_bytes(given.image.format);
  if (!texel_place(&given.image, &given.shape, (unsigned)given.level[lane], given.at[lane], given.layer[lane], &at))
    return true;
  for (unsigned i = 0; i < 4; i++) {
    uint32_t value = mask >> i & 1 ? data_part(inst, before, base, lane, n++) : 0;
    if (given.access.raw)
      memcpy(memory_after + at, i ? memory_after + at : (uint8_t *)&value, i ? 0 : bytes);
    else
      memory_after[at + i] = (uint8_t)OG_MIN(value, 255u);
  }
  return true;
}

static bool modify_texel(const struct og_inst *inst, unsigned base, unsigned lane) {
  uint64_t at, had = 0, now, x, y;
  unsigned bytes = og_texel_bytes(given.image.format);
  bool known = true;
  if (texel_place(&given.image, &given.shape, 0, given.at[lane], given.layer[lane], &at)) {
    memcpy(&had, memory_after + at, bytes);
    x = before->v[base][lane], y = before->v[base + 1][lane];
    if (bytes == 8)
      x |= y << 32, y = before->v[base + 2][lane] | (uint64_t)before->v[base + 3][lane] << 32;
    if (!atomic(given.access.operation, bytes, had, x, y, false, &now, &known) || !known)
      return false;
    memcpy(memory_after + at, &now, bytes);
  }
  for (unsigned k = 0; k < bytes / 4; k++) {
    bool returns = inst->mod[OG_MOD_CPOL] & OG_CPOL_GLC;
    uint32_t got = wave->v[base + k][lane], want = returns ? (uint32_t)(had >> 32 * k) : before->v[base + k][lane];
    if (got != want)
      complain_texel(inst, lane, k, got, want);
  }
  return true;
}

static bool tell_size(const struct og_inst *inst, unsigned base, unsigned lane) {
  unsigned level = (unsigned)given.level[lane], n = 0;
  uint32_t want[4] = {0, 0, 0, (uint32_t)image_levels()};
  for (unsigned i = 0; i < 3 && level < (unsigned)image_levels(); i++)
    want[i] = (uint32_t)extent(&given.image, level, i);
  if (given.shape.layered && level < (unsigned)image_levels())
    want[given.shape.dimensions == 1 ? 1 : 2] = IMAGE_DEPTH;
  for (unsigned i = 0; i < 4; i++)
    if (mask_of(inst) >> i & 1 &&
        data_part(inst, wave, base, lane, n++) != (inst->mod[OG_MOD_D16] ? want[i] & 0xffff : want[i]) &&
        !(i == 2 && given.shape.layered && given.shape.dimensions == 1)) /* depth of a row's layers */
      complain_texel(inst, lane, i, data_part(inst, wave, base, lane, n - 1), want[i]);
  return true;
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

static double wanted_lod(unsigned lane) {
  const struct image_access *a = &given.access;
  if (a->zero)
    return 0;
  double lod = a->lod ? given.lod[lane] : log2(given.step) + (a->bias ? given.bias[lane] : 0);
  return a->clamp ? fmax(lod, given.lod[lane]) : lod;
}
static unsigned nearest_level(double lod) { return (unsigned)fmin(fmax(floor(lod + 0.5), 0), image_levels() - 1); }

static int wrapped(int i, int n) {
  return given.sampler.clamp[0] == OG_CLAMP_WRAP ? ((i % n) + n) % n : i < 0 ? 0 : i >= n ? n - 1 : i;
}
static double texel_value(unsigned lane, unsigned level, const int at[3], unsigned component) {
  uint64_t place;
  if (!texel_place(&given.image, &given.shape, level, at, given.layer[lane], &place))
    return NAN;
  double x = memory_before[place + component] / 255.0;
  float seen = (float)x;
  double r = given.reference[lane];
  if (!given.access.compare || component)
    return x;
  unsigned how = given.sampler.compare; /* bit 0 less, bit 1 equal, bit 2 greater */
  return (how & 1 && r < (double)seen) || (how & 2 && r == (double)seen) || (how & 4 && r > (double)seen);
}

/* The texel below a linear filter's place, or the nearest one, and how far it is to the next. */
static int first_texel(unsigned lane, unsigned level, unsigned i, bool linear, double *rest) {
  double at = (double)given.at[lane][i] / FINE;
  at = given.unnormalized ? at : at * extent(&given.image, level, i) / extent(&given.image, 0, i);
  at -= linear ? 0.5 : 0;
  *rest = linear ? at - floor(at) : 0;
  return (int)floor(at) + given.offset[lane][i];
}

static double sampled(unsigned lane, unsigned component) {
  unsigned level = nearest_level(wanted_lod(lane)), dimensions = given.shape.dimensions;
  bool linear = given.sampler.mag;
  double sum = 0;
  for (unsigned tap = 0; tap < 1u << dimensions; tap++) {
    int at[3] = {0, 0, 0};
    double weight = 1, rest;
    for (unsigned i = 0; i < dimensions; i++) {
      bool fine = i < 2 ? linear : given.sampler.z;
      int first = first_texel(lane, level, i, fine, &rest);
      bool next = tap >> i & 1;
      at[i] = wrapped(first + next, extent(&given.image, level, i));
      weight *= next ? rest : 1 - rest;
    }
    if (weight > 0)
      sum += weight * texel_value(lane, level, at, component);
  }
  return sum;
}

/* Of the four texels that a linear filter would blend one component each, from the one below on the left, around. */
static double gathered(unsigned lane, unsigned which, unsigned component) {
  static const int x[4] = {0, 1, 1, 0}, y[4] = {1, 1, 0, 0};
  unsigned level = nearest_level(wanted_lod(lane));
  int at[3] = {0, 0, 0};
  double rest;
  for (unsigned i = 0; i < given.shape.dimensions; i++) {
    int first = first_texel(lane, level, i, i < 2, &rest);
    at[i] = wrapped(first + (i == 0 ? x[which] : i == 1 ? y[which] : 0), extent(&given.image, level, i));
  }
  return texel_value(lane, level, at, component);
}

static bool sample_texel(const struct og_inst *inst, unsigned base, unsigned lane) {
  unsigned mask = mask_of(inst), n = 0;
  bool gathers = given.access.does == IMAGE_GATHERS, tells = given.access.does == IMAGE_LOD;
  for (unsigned i = 0; i < 4; i++) {
    if (!gathers && !(mask >> i & 1))
      continue;
    uint32_t got = data_part(inst, wave, base, lane, n++);
    double lod = log2(given.step), want = gathers ? gathered(lane, i, (unsigned)__builtin_ctz(mask)) : sampled(lane, i);
    if (tells)
      want = i == 0 ? fmin(lod, image_levels() - 1) : i == 1 ? lod : 0;
    if (isnan(want) || !same_floats(inst, got, want))
      complain_texel(inst, lane, i, got, want);
  }
  return true;
}

static bool compare_image(const struct og_inst *inst) {
  static bool (*const lanes[])(const struct og_inst *, unsigned, unsigned) = {
      [IMAGE_LOADS] = load_texel, [IMAGE_STORES] = store_texel,   [IMAGE_MODIFIES] = modify_texel,
      [IMAGE_TELLS] = tell_size,  [IMAGE_SAMPLES] = sample_texel, [IMAGE_GATHERS] = sample_texel,
      [IMAGE_LOD] = sample_texel};
  const struct image_access *a = &given.access;
  const struct og_operand *data = og_operand(inst, OG_ROLE_VDATA);
  uint64_t exec = low_bits(og_load64(&before->s[OG_S_EXEC]), isa->wave);
  unsigned base = data->reg + (data->kind == OG_OPERAND_AGPR ? 256u : 0), mask = mask_of(inst);
  if (!given.good || (a->raw && mask != 1) || (a->compare && mask != 1) ||
      (a->does == IMAGE_GATHERS && bits_set(mask) != 1))
    return false;
  memcpy(memory_after, memory_before, MEMORY);
  for (unsigned lane = 0; lane < isa->wave; lane++)
    if (exec >> lane & 1 && !lanes[a->does](inst, base, lane))
      return false;
  return bytes_differ(inst, "memory", memory, memory_after, MEMORY) || true;
}

#endif
