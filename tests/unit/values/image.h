/* image.h - image instructions once more, by their names: what their addresses are made of, which texels these mean. */
#ifndef OG_VALUES_IMAGE_H
#define OG_VALUES_IMAGE_H

#include "isa/isa.h"
#include "texel/image.h"
#include "values/memory.h"

enum { IMAGE_WIDTH = 8, IMAGE_HEIGHT = 4, IMAGE_DEPTH = 4, MOST_WORDS = 16 };

enum image_does {
  IMAGE_NOTHING,
  IMAGE_LOADS,
  IMAGE_STORES,
  IMAGE_MODIFIES,
  IMAGE_TELLS,
  IMAGE_SAMPLES,
  IMAGE_GATHERS,
  IMAGE_LOD
};
struct image_access {
  enum image_does does;
  bool mip, raw, is_signed;
  bool offset, bias, compare, slopes, g16, lod, zero, clamp;
  char operation[24]; /* of atomics */
};

static inline bool has_token(const char *name, const char *token) {
  size_t n = strlen(token);
  for (const char *at = name; (at = strchr(at, '_')) != NULL;)
    if (strncmp(++at, token, n) == 0 && (at[n] == '_' || !at[n]))
      return true;
  return false;
}

static inline struct image_access image_access_of(const char *name) {
  struct image_access out = {0};
  static const char *const operations[][2] = {{"add_flt", "add_f32"}};
  out.raw = has_token(name, "pck"), out.is_signed = has_token(name, "sgn"), out.mip = has_token(name, "mip");
  out.offset = has_token(name, "o"), out.bias = has_token(name, "b"), out.compare = has_token(name, "c");
  out.slopes = has_token(name, "d") || has_token(name, "cd"), out.g16 = has_token(name, "g16");
  out.lod = has_token(name, "l"), out.zero = has_token(name, "lz"), out.clamp = has_token(name, "cl");
  if (take(&name, "image_load"))
    out.does = IMAGE_LOADS;
  else if (take(&name, "image_store"))
    out.does = IMAGE_STORES;
  else if (take(&name, "image_sample"))
    out.does = IMAGE_SAMPLES;
  else if (take(&name, "image_gather4h"))
    return out;
  else if (take(&name, "image_gather4"))
    out.does = IMAGE_GATHERS;
  else if (strcmp(name, "image_get_resinfo") == 0)
    out.does = IMAGE_TELLS;
  else if (strcmp(name, "image_get_lod") == 0)
    out.does = IMAGE_LOD;
  else if (take(&name, "image_atomic_")) {
    out.does = IMAGE_MODIFIES;
    snprintf(out.operation, sizeof out.operation, "%s", name);
    for (size_t i = 0; i < OG_COUNT(operations); i++)
      if (strcmp(name, operations[i][0]) == 0)
        snprintf(out.operation, sizeof out.operation, "%s", operations[i][1]);
  }
  return out;
}
/* How many there are of an image: where smaller ones lie up to gfx8 is not known (docs/exactness.md). */
static inline int image_levels(void) { return isa->generation < OG_GFX900 ? 1 : 3; }

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

struct shape {
  unsigned dimensions;
  bool layered;
};
/* SQ_RSRC_IMG_*: from gfx10 on the instruction has it, before the resource's type from 8 on. */
static inline bool shape_of(unsigned dim, struct shape *out) {
  static const struct shape shapes[] = {{1, false}, {2, false}, {3, false}, {0, false},
                                        {1, true},  {2, true},  {0, false}, {0, false}};
  *out = shapes[dim & 7];
  return out->dimensions != 0; /* neither cubes nor several samples */
}
static inline unsigned dim_of(const struct og_inst *inst, unsigned by_chance) {
  if (isa->generation >= OG_GFX10_1)
    return (unsigned)inst->mod[OG_MOD_DIM];
  return inst->mod[OG_MOD_DA] ? 4 + by_chance % 2 : by_chance % 3;
}

static inline struct og_image image_of(unsigned dim, unsigned bits, unsigned count, unsigned number) {
  struct og_image image = {.base = (uintptr_t)memory + MIDDLE,
                           .type = (uint8_t)(8 + dim),
                           .width = IMAGE_WIDTH,
                           .height = 1,
                           .depth = 1,
                           .last_level = (uint8_t)(image_levels() - 1),
                           .levels = (uint8_t)image_levels(),
                           .select = {4, 5, 6, 7},
                           .format = {.layout = og_even_data_format(bits, count), .number = (uint8_t)number}};
  struct shape shape = {0};
  shape_of(dim, &shape);
  if (shape.dimensions > 1)
    image.height = IMAGE_HEIGHT;
  if (shape.dimensions > 2)
    image.depth = IMAGE_DEPTH;
  if (shape.layered)
    image.last_layer = IMAGE_DEPTH - 1;
  if (isa->generation < OG_GFX10_1)
    image.pitch = 16;
  return image;
}

/* The size of a level along a dimension. */
static inline int extent(const struct og_image *image, unsigned level, unsigned dimension) {
  uint32_t whole = dimension == 0 ? image->width : dimension == 1 ? image->height : image->depth;
  return (int)OG_MAX(whole >> level, 1u);
}

/* Where a texel is: from the memory's beginning; false: nowhere. Levels lie where og_image_level tells
 * (test_image.c). */
static inline bool texel_place(const struct og_image *image, const struct shape *shape, unsigned level, const int at[3],
                               int layer, uint64_t *out) {
  if (level > image->last_level)
    return false;
  struct og_image_level place = og_image_level(isa->generation, image, level);
  for (unsigned i = 0; i < shape->dimensions; i++)
    if (at[i] < 0 || at[i] >= extent(image, level, i))
      return false;
  if (shape->layered && (layer < 0 || layer >= IMAGE_DEPTH))
    return false;
  uint64_t slice = shape->layered ? (uint64_t)layer : shape->dimensions > 2 ? (uint64_t)at[2] : 0;
  *out = place.base + slice * place.slice + (uint64_t)(shape->dimensions > 1 ? at[1] : 0) * place.row +
         (uint64_t)at[0] * og_texel_bytes(image->format) - (uintptr_t)memory;
  return *out + og_texel_bytes(image->format) <= MEMORY;
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

/* The registers of an address in order, and the next place to put something. */
struct words {
  unsigned count, next;
  bool half; /* the next is the upper half of the one before */
  uint16_t reg[MOST_WORDS];
};
static inline struct words words_of(const struct og_inst *inst) {
  struct words out = {0};
  for (unsigned i = 0; i < inst->operand_count; i++) {
    const struct og_operand *o = &inst->operands[i];
    unsigned n = isa->generation < OG_GFX10_1 ? MOST_WORDS : o->dwords;
    for (unsigned k = 0; og_is_image_address((enum og_role)o->role) && k < n && out.count < MOST_WORDS; k++)
      out.reg[out.count++] = (uint16_t)(o->reg + k);
  }
  return out;
}
static inline bool put_word(struct words *words, unsigned lane, uint32_t value) {
  words->half = false;
  if (words->next >= words->count)
    return false;
  wave->v[words->reg[words->next++]][lane] = value;
  return true;
}
/* Parts that may have 16 bits, two to a register. */
static inline bool put_part(struct words *words, unsigned lane, bool small, uint32_t value) {
  if (!small)
    return put_word(words, lane, value);
  if (!words->half) {
    bool put = put_word(words, lane, value & 0xffff);
    words->half = put;
    return put;
  }
  words->half = false;
  wave->v[words->reg[words->next - 1]][lane] |= value << 16;
  return true;
}
static inline uint32_t float_part(double x, bool small) {
  struct real r = x == 0 ? real_zero(false)
                         : real_of_bits(&f64_format,
                                        (union {
                                          double d;
                                          uint64_t u;
                                        }){x}
                                            .u,
                                        true);
  return (uint32_t)real_to_bits(small ? &f16_format : &f32_format, r, ROUND_EVEN, true, false, NULL);
}

#endif
