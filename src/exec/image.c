/* image.c - image loads, stores, atomics and queries: addresses in registers to texels in memory. What a resource says
 * stands in src/texel; ISA manuals, "Vector memory image instructions". sample.c has the samples. */
#include "exec/image.h"

#include "base/floats.h"
#include "exec/modifiers.h"
#include "exec/place.h"
#include "exec/rays.h"

#include <string.h>

/* ---- addresses --------------------------------------------------------------------------------------------------- */

uint32_t og_image_word(struct og_image_address *address) {
  if (address->word >= address->access->address_words)
    return 0; /* a resource may have more coordinates than there are registers */
  return og_at(address->wave, address->access->address[address->word++])[address->lane];
}

uint32_t og_image_integer(struct og_image_address *address) {
  if (!address->access->a16)
    return og_image_word(address);
  unsigned half = address->half;
  uint32_t word = og_image_word(address);
  address->half = !half;
  if (!half && address->word > 0)
    address->word--; /* its upper half comes next */
  return half ? word >> 16 : word & 0xffff;
}

float og_image_float(struct og_image_address *address) {
  uint32_t bits = og_image_integer(address);
  return address->access->a16 ? og_half_to_float((uint16_t)bits) : og_float_of_bits(bits);
}

bool og_image_of(struct og_wave *wave, const struct og_operation *op, struct og_image *image) {
  const struct og_image_op *access = op->detail;
  enum og_generation generation = wave->program->target.processor->generation;
  const char *unknown = og_image_read(generation, og_at(wave, op->s[1]), access->is_short, image);
  if (unknown)
    og_wave_fault(wave, op, "%s are not executed", unknown);
  return !unknown;
}

/* Up to gfx9 the resource tells; an array is one where the instruction says so, too. */
unsigned og_image_addressed(const struct og_image_op *access, const struct og_image *image) {
  if (access->dim >= 0)
    return OG_IMAGE_1D + (unsigned)access->dim;
  switch (image->type) {
  case OG_IMAGE_1D: case OG_IMAGE_1D_ARRAY: return access->declares_array ? OG_IMAGE_1D_ARRAY : OG_IMAGE_1D;
  case OG_IMAGE_2D: case OG_IMAGE_2D_ARRAY: return access->declares_array ? OG_IMAGE_2D_ARRAY : OG_IMAGE_2D;
  default: return image->type ? image->type : OG_IMAGE_2D;
  }
}

unsigned og_image_coordinates(unsigned type) {
  static const uint8_t counts[8] = {1, 2, 3, 3, 2, 3, 3, 4};
  return counts[type & 7];
}

int og_image_layer_coordinate(unsigned type) {
  static const int8_t layers[8] = {-1, -1, -1, 2, 1, 2, -1, 2};
  return layers[type & 7];
}

/* ---- texels ------------------------------------------------------------------------------------------------------ */

/* Layers, or slices in depth. */
static int64_t slices_of(const struct og_image *image, const struct og_image_level *level) {
  return og_image_is_array(image->type) ? (int64_t)image->last_layer - image->first_layer + 1 : level->depth;
}

struct og_texel_place og_image_place(const struct og_image *image, const struct og_image_level *level, int64_t x,
                                     int64_t y, int64_t z, int64_t sample) {
  bool layered = og_image_is_array(image->type);
  struct og_texel_place place = {.lane = {.space = OG_SPACE_GLOBAL}};
  place.lane.outside = x < 0 || y < 0 || z < 0 || sample < 0 || x >= level->width || y >= level->height ||
                       z >= slices_of(image, level) || sample >> image->log_samples;
  if (place.lane.outside)
    return place;
  uint32_t slice = (uint32_t)z + (layered ? image->first_layer : 0);
  place.lane.address = og_image_texel_address(image, level, (uint32_t)x, (uint32_t)y, slice, (uint32_t)sample);
  place.within = (uint8_t)(y % OG_BLOCK_SIDE * OG_BLOCK_SIDE + x % OG_BLOCK_SIDE);
  return place;
}

static void count(struct og_wave *wave, bool write, unsigned bytes) {
  if (wave->counts != NULL)
    og_count_access(wave, OG_SPACE_GLOBAL, write, 1, bytes);
}

static bool read_bytes(struct og_wave *wave, const struct og_operation *op, unsigned lane, const struct og_image *image,
                       const struct og_lane_place *place, uint8_t bytes[OG_TEXEL_BYTES_MOST]) {
  unsigned size = og_texel_bytes(image->format);
  memset(bytes, 0, OG_TEXEL_BYTES_MOST);
  if (place->outside || size == 0)
    return true;
  count(wave, false, size);
  return og_lane_read(wave, op, lane, place, bytes, size);
}

bool og_image_texel(struct og_wave *wave, const struct og_operation *op, unsigned lane, const struct og_image *image,
                    const struct og_texel_place *place, uint32_t values[4]) {
  uint8_t bytes[OG_TEXEL_BYTES_MOST];
  if (!read_bytes(wave, op, lane, image, &place->lane, bytes))
    return false;
  if (!image->format.block)
    og_texel_unpack(bytes, image->format, values);
  else if (place->lane.outside)
    memset(values, 0, 4 * sizeof *values);
  else
    og_texel_unpack_block(bytes, image->format, place->within, values);
  return true;
}

/* ---- data in registers ------------------------------------------------------------------------------------------- */

static void put_data(struct og_wave *wave, const struct og_operation *op, unsigned lane, unsigned number,
                     const uint32_t *values, unsigned count) {
  const struct og_image_op *access = op->detail;
  uint32_t *to = og_at(wave, op->d) + lane;
  bool packs = access->d16 && !access->unpacked;
  unsigned words = packs ? (count + 1) / 2 : count;
  for (unsigned i = 0; i < words; i++) {
    uint32_t value = values[packs ? 2 * i : i];
    if (packs)
      value = og_texel_to_16(value, number) | (2 * i + 1 < count ? og_texel_to_16(values[2 * i + 1], number) << 16 : 0);
    else if (access->d16)
      value = og_texel_to_16(value, number);
    to[i * OG_LANES] = value;
  }
  if (access->tfe) /* every page is there */
    to[words * OG_LANES] = 0;
}

void og_image_result(struct og_wave *wave, const struct og_operation *op, unsigned lane, unsigned number,
                     const uint32_t values[4], unsigned mask) {
  uint32_t results[4];
  unsigned count = 0;
  for (unsigned i = 0; i < 4; i++)
    if (mask >> i & 1)
      results[count++] = values[i];
  put_data(wave, op, lane, number, results, count);
}

/* The components that a store's mask names; others are 0. */
static void take_data(struct og_wave *wave, const struct og_operation *op, unsigned lane, unsigned number,
                      uint32_t values[4]) {
  const struct og_image_op *access = op->detail;
  const uint32_t *from = og_at(wave, op->d) + lane;
  unsigned count = 0;
  for (unsigned i = 0; i < 4; i++) {
    values[i] = 0;
    if (!(access->dmask >> i & 1))
      continue;
    if (!access->d16)
      values[i] = from[count * OG_LANES];
    else if (access->unpacked)
      values[i] = og_texel_from_16(from[count * OG_LANES] & 0xffff, number);
    else
      values[i] = og_texel_from_16(from[count / 2 * OG_LANES] >> count % 2 * 16 & 0xffff, number);
    count++;
  }
}

/* ---- loads, stores, atomics -------------------------------------------------------------------------------------- */

struct coordinates {
  int64_t at[3], level; /* z is the layer of arrays; the level counts from the first that is seen */
  int64_t sample;
};

/* The integers of a lane's address. */
static struct coordinates coordinates_of(struct og_wave *wave, const struct og_image_op *access,
                                         const struct og_image *image, unsigned lane) {
  struct og_image_address address = {wave, access, lane, 0, 0};
  unsigned type = og_image_addressed(access, image), coordinates = og_image_coordinates(type);
  int layer = og_image_layer_coordinate(type);
  struct coordinates out = {{0, 0, 0}, 0, 0};
  for (unsigned i = 0; i < coordinates; i++) {
    uint32_t value = og_image_integer(&address);
    int64_t number = access->a16 ? value : (int64_t)(int32_t)value;
    if ((int)i == layer)
      out.at[2] = og_image_is_array(image->type) ? number : 0; /* an image that is no array has no layers */
    else if (og_image_has_samples(type) && i + 1 == coordinates)
      out.sample = number;
    else if (i < 3)
      out.at[i] = number;
  }
  if (access->parts & OG_IMAGE_MIP)
    out.level = og_image_integer(&address);
  return out;
}

static struct og_image_level level_of(const struct og_wave *wave, const struct og_image *image, int64_t level) {
  return og_image_level(wave->program->target.processor->generation, image, (unsigned)(image->first_level + level));
}

/* The texel that a lane's integers address, and the end of its level. */
static struct og_texel_place addressed_texel(struct og_wave *wave, const struct og_image_op *access,
                                            const struct og_image *image, unsigned lane) {
  struct coordinates c = coordinates_of(wave, access, image, lane);
  if (image->first_level + c.level > image->last_level)
    return (struct og_texel_place){.lane = {.space = OG_SPACE_GLOBAL, .outside = true}};
  struct og_image_level place = level_of(wave, image, c.level);
  return og_image_place(image, &place, c.at[0], c.at[1], c.at[2], c.sample);
}

/* Whether a lane's are beyond the image. */
static bool misses(struct og_wave *wave, const struct og_image_op *access, const struct og_image *image, unsigned lane,
                   struct og_image_miss *miss) {
  struct coordinates c = coordinates_of(wave, access, image, lane);
  int64_t levels = image->last_level - image->first_level + 1;
  if (c.level >= levels) {
    *miss = (struct og_image_miss){"mip level", c.level, levels, (uint32_t)c.level};
    return true;
  }
  struct og_image_level place = level_of(wave, image, c.level);
  const char *names[3] = {"x", "y", og_image_is_array(image->type) ? "layer" : "z"};
  const int64_t ends[3] = {place.width, place.height, slices_of(image, &place)};
  for (unsigned i = 0; i < 3; i++)
    if (c.at[i] < 0 || c.at[i] >= ends[i]) {
      *miss = (struct og_image_miss){names[i], c.at[i], ends[i], (uint32_t)c.level};
      return true;
    }
  return false;
}

int og_image_miss(struct og_wave *wave, const struct og_operation *op, struct og_image_miss *miss) {
  const struct og_image_op *access = op->detail;
  struct og_image image;
  if (og_image_read(wave->program->target.processor->generation, og_at(wave, op->s[1]), access->is_short, &image) ||
      !image.type)
    return -1;
  for (uint64_t lanes = og_active(wave); lanes != 0; lanes &= lanes - 1)
    if (misses(wave, access, &image, (unsigned)__builtin_ctzll(lanes), miss))
      return __builtin_ctzll(lanes);
  return -1;
}

/* As memory has it: words, of which a small one is filled up. */
static void raw_values(const struct og_image_op *access, const uint8_t *bytes, unsigned size, uint32_t values[4]) {
  for (unsigned i = 0; i < 4; i++)
    values[i] = og_load32(bytes + 4 * i);
  if (access->sign && size < 4 && size > 0)
    values[0] = (uint32_t)((int32_t)(values[0] << (32 - 8 * size)) >> (32 - 8 * size));
}

static bool load_lane(struct og_wave *wave, const struct og_operation *op, unsigned lane,
                      const struct og_image *image) {
  const struct og_image_op *access = op->detail;
  struct og_texel_place place = {.lane = {.outside = true}};
  if (image->type)
    place = addressed_texel(wave, access, image, lane);
  uint32_t values[4] = {0, 0, 0, 0}, results[4];
  unsigned mask = access->dmask ? access->dmask : 1;
  if (access->raw) {
    uint8_t bytes[OG_TEXEL_BYTES_MOST];
    if (!read_bytes(wave, op, lane, image, &place.lane, bytes))
      return false;
    raw_values(access, bytes, og_texel_bytes(image->format), values);
    og_image_result(wave, op, lane, OG_NUMBER_UINT, values, mask);
    return true;
  }
  if (!place.lane.outside && !og_image_texel(wave, op, lane, image, &place, values))
    return false;
  for (unsigned i = 0; i < 4; i++) /* an unbound resource yields zeros, whatever it would select */
    results[i] = image->type ? og_texel_selected(values, image->select[i], image->format.number) : 0;
  og_image_result(wave, op, lane, image->format.number, results, mask);
  return true;
}

/* image_msaa_load: one component of the sample that is addressed and of the three behind it. */
static bool load_samples(struct og_wave *wave, const struct og_operation *op, unsigned lane,
                         const struct og_image *image) {
  const struct og_image_op *access = op->detail;
  uint32_t results[4] = {0, 0, 0, 0};
  unsigned component = access->dmask ? (unsigned)__builtin_ctz(access->dmask) & 3 : 0;
  struct coordinates c = coordinates_of(wave, access, image, lane);
  struct og_image_level level = level_of(wave, image, 0);
  for (unsigned i = 0; i < 4 && image->type; i++) {
    struct og_texel_place place = og_image_place(image, &level, c.at[0], c.at[1], c.at[2], c.sample + i);
    uint32_t values[4] = {0, 0, 0, 0};
    if (!place.lane.outside && !og_image_texel(wave, op, lane, image, &place, values))
      return false;
    results[i] = og_texel_selected(values, image->select[component], image->format.number);
  }
  og_image_result(wave, op, lane, image->format.number, results, 15);
  return true;
}

/* Components are written from the results that would select them. */
static void unselect(const struct og_image *image, const uint32_t values[4], uint32_t components[4]) {
  memset(components, 0, 4 * sizeof *components);
  for (unsigned i = 4; i-- > 0;)
    if (image->select[i] >= 4)
      components[image->select[i] - 4] = values[i];
}

static bool store_lane(struct og_wave *wave, const struct og_operation *op, unsigned lane,
                       const struct og_image *image) {
  const struct og_image_op *access = op->detail;
  struct og_lane_place place = addressed_texel(wave, access, image, lane).lane;
  unsigned size = og_texel_bytes(image->format);
  if (place.outside || size == 0)
    return true;
  if (image->format.block && !access->raw) {
    og_wave_fault(wave, op, "stores to images of compressed blocks are not executed");
    return false;
  }
  uint8_t bytes[OG_TEXEL_BYTES_MOST];
  uint32_t values[4], components[4];
  take_data(wave, op, lane, image->format.number, values);
  if (access->raw) {
    memcpy(bytes, values, sizeof bytes);
  } else {
    unselect(image, values, components);
    og_texel_pack(bytes, image->format, components);
  }
  count(wave, true, size);
  return og_lane_write(wave, op, lane, &place, bytes, size);
}

static bool modify_lane(struct og_wave *wave, const struct og_operation *op, unsigned lane,
                        const struct og_image *image) {
  const struct og_image_op *access = op->detail;
  struct og_lane_place place = addressed_texel(wave, access, image, lane).lane;
  uint64_t old = 0;
  if (!place.outside) {
    if (og_texel_bytes(image->format) != access->bytes) {
      og_wave_fault(wave, op, "an atomic of %u bytes on texels of %u", access->bytes, og_texel_bytes(image->format));
      return false;
    }
    void *at = og_lane_pointer(wave, op, lane, &place, access->bytes);
    if (!at)
      return false;
    if (!og_take_skip(wave))
      old = og_atomic_apply(wave, access->atomic, OG_SPACE_GLOBAL, at, og_atomic_data(wave, op->d, lane, access->bytes),
                            og_atomic_data(wave, op->d2, lane, access->bytes));
    count(wave, false, access->bytes);
    count(wave, true, access->bytes);
    if (wave->counts != NULL)
      wave->counts->events.atomics++;
  }
  uint32_t words[4] = {(uint32_t)old, (uint32_t)(old >> 32), 0, 0};
  if (access->returns)
    put_data(wave, op, lane, OG_NUMBER_UINT, words, access->bytes / 4);
  return true;
}

/* Width, height, depth or layers of a level, and how many levels are seen. */
static bool tell_lane(struct og_wave *wave, const struct og_operation *op, unsigned lane,
                      const struct og_image *image) {
  const struct og_image_op *access = op->detail;
  struct og_image_address address = {wave, access, lane, 0, 0};
  uint32_t level = og_image_integer(&address), values[4] = {0, 0, 0, 0};
  if (image->type && level <= (uint32_t)(image->last_level - image->first_level)) {
    enum og_generation generation = wave->program->target.processor->generation;
    struct og_image_level at = og_image_level(generation, image, image->first_level + level);
    uint32_t layers = image->last_layer - image->first_layer + 1;
    values[0] = at.width;
    values[1] = image->type == OG_IMAGE_1D_ARRAY ? layers : at.height;
    values[2] = og_image_is_array(image->type) ? layers : at.depth;
  }
  values[3] = image->type ? image->last_level - image->first_level + 1u : 0;
  og_image_result(wave, op, lane, OG_NUMBER_UINT, values, access->dmask ? access->dmask : 1);
  return true;
}

typedef bool og_image_lane(struct og_wave *wave, const struct og_operation *op, unsigned lane,
                           const struct og_image *image);

static const struct og_operation *each_lane(struct og_wave *wave, const struct og_operation *op, og_image_lane *what) {
  struct og_image image;
  if (!og_image_of(wave, op, &image))
    return &og_stop;
  for (uint64_t lanes = og_active(wave); lanes != 0; lanes &= lanes - 1)
    if (!what(wave, op, (unsigned)__builtin_ctzll(lanes), &image))
      return &og_stop;
  return og_next(op);
}

static const struct og_operation *load(struct og_wave *wave, const struct og_operation *op) {
  return each_lane(wave, op, load_lane);
}
static const struct og_operation *store(struct og_wave *wave, const struct og_operation *op) {
  return each_lane(wave, op, store_lane);
}
static const struct og_operation *load_msaa(struct og_wave *wave, const struct og_operation *op) {
  return each_lane(wave, op, load_samples);
}
static const struct og_operation *image_msaa_load(struct og_wave *wave, const struct og_operation *op) {
  return og_outside_mode(wave, op, load_msaa);
}
static const struct og_operation *image_load(struct og_wave *wave, const struct og_operation *op) {
  return og_outside_mode(wave, op, load);
}
static const struct og_operation *image_store(struct og_wave *wave, const struct og_operation *op) {
  return og_outside_mode(wave, op, store);
}
static const struct og_operation *image_atomic(struct og_wave *wave, const struct og_operation *op) {
  return each_lane(wave, op, modify_lane);
}
static const struct og_operation *image_query(struct og_wave *wave, const struct og_operation *op) {
  return each_lane(wave, op, tell_lane);
}

/* ---- preparing --------------------------------------------------------------------------------------------------- */

/* Words of addresses may stand in one run of registers, or in several. Up to gfx9 the code does not give a run's
 * length: as many words are read as the resource has coordinates, up to the last register. */
static bool place_addresses(const struct og_inst *inst, bool open, struct og_image_op *access) {
  for (unsigned i = 0; i < inst->operand_count; i++) {
    const struct og_operand *operand = &inst->operands[i];
    uint32_t first;
    if (!og_is_image_address((enum og_role)operand->role))
      continue;
    unsigned words = operand->dwords;
    if (open)
      words = OG_MIN(OG_ADDRESS_WORDS_MOST, OG_VECTOR_REGISTERS - operand->reg);
    if (words > OG_ADDRESS_WORDS_MOST - (unsigned)access->address_words || !og_place_vector(operand, words, &first))
      return false;
    for (unsigned word = 0; word < words; word++)
      access->address[access->address_words++] = first + word * OG_AT_ROW;
  }
  return access->address_words > 0;
}

static unsigned data_words(const struct og_image_op *access) {
  unsigned count = (unsigned)__builtin_popcount(access->dmask);
  count = access->parts & OG_IMAGE_GATHER || access->samples ? 4 : count ? count : 1;
  return (access->d16 && !access->unpacked ? (count + 1) / 2 : count) + access->tfe;
}

/* An atomic's mask names the words of its data: one or two, and as many to compare with. */
static bool prepare_atomic(const struct og_inst *inst, const struct og_memory *facts, struct og_operation *op,
                           struct og_image_op *access) {
  unsigned words = (unsigned)__builtin_popcount(access->dmask);
  bool compares = facts->operation == OG_DOES_CMPSWAP;
  unsigned bits = words * 32 / (compares ? 2 : 1);
  access->atomic = og_find_atomic(facts->operation, facts->number, bits);
  if (!access->atomic || (bits != 32 && bits != 64) || og_atomic_operands(access->atomic) != (compares ? 2u : 1u))
    return false;
  access->bytes = (uint8_t)(bits / 8);
  access->returns = inst->mod[OG_MOD_CPOL] & OG_CPOL_GLC;
  op->handler = image_atomic;
  return true;
}

static og_handler *handler_of(const struct og_memory *facts, const struct og_image_op *access, bool samples) {
  if (samples)
    return facts->space == OG_IN_IMAGE ? og_image_sample_handler : og_image_lod_handler;
  if (access->parts & OG_IMAGE_NO_COORDINATES)
    return image_query;
  return facts->access == OG_MOVES_LOAD ? image_load : facts->access == OG_MOVES_STORE ? image_store : NULL;
}

/* The cache policy has no effect because every access is visible at once; lwe has none because every page is
 * resident. */
static bool obeys_modifiers(struct og_program *program, const struct og_inst *inst) {
  return og_obeys(program, inst,
                  OG_MODS(DMASK) | OG_MODS(DIM) | OG_MODS(UNORM) | OG_MODS(CPOL) | OG_MODS(R128) | OG_MODS(A16) |
                      OG_MODS(TFE) | OG_MODS(LWE) | OG_MODS(DA) | OG_MODS(D16));
}

bool og_prepare_image(struct og_program *program, const struct og_inst *inst, const struct og_memory *facts,
                      struct og_operation *op) {
  const struct og_form *form = og_form(program->isa, inst->form);
  const struct og_operand *sampler = og_operand(inst, OG_ROLE_SSAMP), *data = og_operand(inst, OG_ROLE_VDATA);
  struct og_image_op *access = OG_NEW(program->arena, struct og_image_op);
  bool old = program->target.processor->generation < OG_GFX10_1;
  bool is_gfx9 = old && program->target.processor->generation >= OG_GFX900; /* the bit of r128 is a16 there */
  bool a16 = inst->mod[is_gfx9 ? OG_MOD_R128 : OG_MOD_A16];
  uint64_t ignored;
  if (form->address & OG_IMAGE_RAY)
    return og_prepare_ray(program, inst, op);
  bool samples = form->traits & OG_TRAIT_MSAA;
  if (form->address & OG_IMAGE_HORIZONTAL || (samples && program->target.processor->generation < OG_GFX12) || !data ||
      !data->dwords || !obeys_modifiers(program, inst))
    return false;
  *access = (struct og_image_op){.parts = form->address,
                                 .dmask = (uint8_t)inst->mod[OG_MOD_DMASK],
                                 .dim = old ? -1 : (int8_t)inst->mod[OG_MOD_DIM],
                                 .declares_array = inst->mod[OG_MOD_DA],
                                 .a16 = a16,
                                 .g16 = form->address & OG_IMAGE_G16 || (old && a16),
                                 .is_short = !is_gfx9 && inst->mod[OG_MOD_R128],
                                 .samples = samples,
                                 .unnormalized = inst->mod[OG_MOD_UNORM],
                                 .d16 = inst->mod[OG_MOD_D16],
                                 .unpacked = inst->mod[OG_MOD_D16] && og_unpacked_d16(program->isa),
                                 .tfe = inst->mod[OG_MOD_TFE] || inst->mod[OG_MOD_LWE],
                                 .raw = facts->space == OG_IN_IMAGE && facts->number != OG_VALUE_FORMAT,
                                 .sign = facts->number == OG_VALUE_SIGNED};
  op->detail = access;
  op->handler = samples ? image_msaa_load : handler_of(facts, access, sampler != NULL);
  if (facts->access == OG_MOVES_ATOMIC && !prepare_atomic(inst, facts, op, access))
    return false;
  if (op->handler && data_words(access) > data->dwords)
    return og_refuse(program, "fewer registers of data");
  if (!op->handler || !place_addresses(inst, old, access) || !og_place_vector(data, data->dwords, &op->d) ||
      !og_place_scalar(og_operand(inst, OG_ROLE_SRSRC), access->is_short ? 4 : 8, &op->s[1], &ignored) ||
      (sampler && !og_place_scalar(sampler, 4, &op->s[2], &ignored)))
    return false;
  if (facts->access == OG_MOVES_ATOMIC)
    op->d2 = op->d + (og_atomic_operands(access->atomic) - 1) * (access->bytes / 4u) * OG_AT_ROW;
  return true;
}
