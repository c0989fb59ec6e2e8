/* image.h - how one image instruction reaches memory. Internal to src/exec. */
#ifndef OG_EXEC_IMAGE_H
#define OG_EXEC_IMAGE_H

#include "exec/memory.h"
#include "texel/image.h"

enum { OG_ADDRESS_WORDS_MOST = 16 };

/* op->d: data; op->s[1]: resource; op->s[2]: sampler. */
struct og_image_op {
  uint32_t address[OG_ADDRESS_WORDS_MOST]; /* places of the address's words */
  uint8_t address_words;
  uint16_t parts;          /* enum og_image_part */
  uint8_t dmask;
  int8_t dim;              /* what the address is of (SQ_RSRC_IMG_*); -1, up to gfx9: of what the resource is */
  bool declares_array;     /* up to gfx9 */
  bool a16, g16;           /* coordinates, derivatives of 16 bits */
  bool is_short;           /* r128 */
  bool unnormalized;
  bool d16, unpacked;      /* data of 16 bits, in a register each */
  bool tfe;                /* a word that tells of missing pages comes after the data */
  bool raw, sign;          /* as memory has it; small ones extended with their sign */
  bool samples;            /* four samples of one component */
  bool returns;            /* atomics that yield the old value */
  uint8_t bytes;           /* atomics: of the data */
  const struct og_atomic *atomic;
};

/* A lane's address, taken word by word. */
struct og_image_address {
  struct og_wave *wave;
  const struct og_image_op *access;
  unsigned lane, word, half; /* the next; half 1: its upper 16 bits */
};
uint32_t og_image_word(struct og_image_address *address);
/* A part of the body: of 16 bits where the instruction says so. As an integer, and as a float. */
uint32_t og_image_integer(struct og_image_address *address);
float og_image_float(struct og_image_address *address);

/* The resource; false: there was a fault. */
bool og_image_of(struct og_wave *wave, const struct og_operation *op, struct og_image *image);
/* What a lane's address is of: enum og_image_type. */
unsigned og_image_addressed(const struct og_image_op *access, const struct og_image *image);
/* How many coordinates there are, and which of them is a layer; -1: none. */
unsigned og_image_coordinates(unsigned type);
int og_image_layer_coordinate(unsigned type);

/* The place of a texel, or of its block; outside: beyond the level or the layers. */
struct og_texel_place {
  struct og_lane_place lane;
  uint8_t within; /* the block: which of its 16 texels */
};
struct og_texel_place og_image_place(const struct og_image *image, const struct og_image_level *level, int64_t x,
                                     int64_t y, int64_t z, int64_t sample);
/* A texel's components as the format has them, not yet selected; zeros outside. False: there was a fault. */
bool og_image_texel(struct og_wave *wave, const struct og_operation *op, unsigned lane, const struct og_image *image,
                    const struct og_texel_place *place, uint32_t values[4]);
/* Selects the results of the resource and puts those of the mask into the lane's registers. */
void og_image_result(struct og_wave *wave, const struct og_operation *op, unsigned lane, unsigned number,
                     const uint32_t values[4], unsigned mask);

/* Of a load, store or atomic: the first of its lanes whose coordinates are beyond the image; -1: none, or nothing is
 * known of the resource. */
struct og_image_miss {
  const char *coordinate; /* "x" ... "layer", "mip level" */
  int64_t is, end;        /* it has to be from 0 to before `end` */
  uint32_t level;         /* that is meant */
};
int og_image_miss(struct og_wave *wave, const struct og_operation *op, struct og_image_miss *miss);

bool og_prepare_image(struct og_program *program, const struct og_inst *inst, const struct og_memory *facts,
                      struct og_operation *op);
og_handler og_image_sample_handler, og_image_lod_handler; /* sample.c */

#endif
