/* texel.h - elements of buffers and images: between components in memory and the 32 bits of a register, which are a
 * float or an integer. ISA manuals, "Buffer data" and the tables of data and number formats. Knows no instruction. */
#ifndef OG_TEXEL_H
#define OG_TEXEL_H

#include "texel/block.h"
#include "texel/buffer_format.h"

enum { OG_TEXEL_BYTES_MOST = 16 };

/* What an element is made of; layout NULL, or without components and no block: there is none. */
struct og_texel_format {
  const struct og_data_format *layout;
  uint8_t number; /* enum og_number_format; of BC6 SNORM says that it has signs */
  uint8_t block;  /* enum og_block: the element is one of 4 by 4 texels */
};

static inline bool og_is_integer_format(unsigned number) {
  return number == OG_NUMBER_UINT || number == OG_NUMBER_SINT;
}
unsigned og_texel_bytes(struct og_texel_format format); /* of an element: a texel, or a block of them */
/* Texels across and down an element. */
static inline unsigned og_texel_side(struct og_texel_format format) { return format.block ? OG_BLOCK_SIDE : 1; }
/* One texel of a block. */
void og_texel_unpack_block(const uint8_t *bytes, struct og_texel_format format, unsigned texel, uint32_t values[4]);
/* Of OG_TEXEL_BYTES_MOST bytes, of which those behind the element are not looked at. Components that it lacks are 0. */
void og_texel_unpack(const uint8_t *bytes, struct og_texel_format format, uint32_t values[4]);
/* Writes OG_TEXEL_BYTES_MOST bytes; those behind the element are 0. Values out of range are clamped. */
void og_texel_pack(uint8_t *bytes, struct og_texel_format format, const uint32_t values[4]);
/* One of an element's components by a destination select: 0, 1, 4 red, 5 green, 6 blue, 7 alpha. */
uint32_t og_texel_selected(const uint32_t values[4], unsigned select, unsigned number);
/* A register's value as a component of 16 bits in registers, and back. */
uint32_t og_texel_to_16(uint32_t value, unsigned number);
uint32_t og_texel_from_16(uint32_t value, unsigned number);

#endif
