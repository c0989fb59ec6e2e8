/* block.c - BC1 to BC5: two endpoints and what lies between them, as the fractions that the specifications give, not
 * rounded to a number of bits. */
#include "texel/block.h"

#include <string.h>

/* ---- colours: 5, 6 and 5 bits ------------------------------------------------------------------------------------ */

static void read_565(uint32_t word, double color[3]) {
  color[0] = (word >> 11) / 31.0;
  color[1] = (word >> 5 & 63) / 63.0;
  color[2] = (word & 31) / 31.0;
}

/* Four colours; where the first endpoint is not the greater one and `may_be_clear`, three, and black without alpha. */
static void unpack_color(const uint8_t bytes[8], bool may_be_clear, unsigned texel, double values[4]) {
  uint32_t a = bytes[0] | (uint32_t)bytes[1] << 8, b = bytes[2] | (uint32_t)bytes[3] << 8;
  unsigned index = bytes[4 + texel / 4] >> texel % 4 * 2 & 3;
  bool three = may_be_clear && a <= b;
  double first[3], second[3];
  read_565(a, first);
  read_565(b, second);
  values[3] = three && index == 3 ? 0 : 1;
  for (unsigned i = 0; i < 3; i++) {
    double x = first[i], y = second[i];
    switch (index) {
    case 0: values[i] = x; break;
    case 1: values[i] = y; break;
    case 2: values[i] = three ? (x + y) / 2 : (2 * x + y) / 3; break;
    default: values[i] = three ? 0 : (x + 2 * y) / 3;
    }
  }
}

/* ---- one component: 8 bits --------------------------------------------------------------------------------------- */

/* Eight values, or where the first endpoint is not the greater one six and the ends of the range. -128 is -1, as -127
 * is. */
static double unpack_one(const uint8_t bytes[8], bool is_signed, unsigned texel) {
  int first = is_signed ? (int8_t)bytes[0] : bytes[0], second = is_signed ? (int8_t)bytes[1] : bytes[1];
  uint64_t word;
  memcpy(&word, bytes, 8);
  int index = (int)(word >> (16 + 3 * texel) & 7), steps = first > second ? 7 : 5;
  int least = is_signed ? -127 : 0, most = is_signed ? 127 : 255;
  double a = OG_MAX(first, least), b = OG_MAX(second, least);
  if (index < 2)
    return (index ? b : a) / most;
  if (index > steps)
    return index == 7 ? 1 : (double)least / most;
  return ((steps + 1 - index) * a + (index - 1) * b) / steps / most;
}

void og_block_unpack(enum og_block block, bool is_signed, const uint8_t *bytes, unsigned texel, double values[4]) {
  memset(values, 0, 4 * sizeof *values);
  switch (block) {
  case OG_BLOCK_BC1: unpack_color(bytes, true, texel, values); break;
  case OG_BLOCK_BC2:
    unpack_color(bytes + 8, false, texel, values);
    values[3] = (bytes[texel / 2] >> texel % 2 * 4 & 15) / 15.0;
    break;
  case OG_BLOCK_BC3:
    unpack_color(bytes + 8, false, texel, values);
    values[3] = unpack_one(bytes, false, texel);
    break;
  case OG_BLOCK_BC4: values[0] = unpack_one(bytes, is_signed, texel); break;
  case OG_BLOCK_BC5:
    values[0] = unpack_one(bytes, is_signed, texel);
    values[1] = unpack_one(bytes + 8, is_signed, texel);
    break;
  case OG_BLOCK_BC6: og_block_unpack_bc6(is_signed, bytes, texel, values); break;
  case OG_BLOCK_BC7: og_block_unpack_bc7(bytes, texel, values); break;
  default: break;
  }
}
