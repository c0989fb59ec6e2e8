/* block_bptc.c - BC6 and BC7: a mode, a partition into subsets, endpoints of each and indices between them. All of it
 * is integer arithmetic, which the specifications give to the bit. */
#include "texel/block.h"

#include "base/floats.h"

#include <string.h>

enum { TEXELS = 16, SUBSETS_MOST = 3 };

static uint32_t take(const uint8_t bytes[16], unsigned *at, unsigned count) {
  uint64_t words[2];
  memcpy(words, bytes, sizeof words);
  unsigned first = *at;
  *at += count;
  uint64_t value = first < 64 ? words[0] >> first : words[1] >> (first - 64);
  if (first < 64 && first + count > 64)
    value |= words[1] << (64 - first);
  return count ? (uint32_t)(value & ((1ull << count) - 1)) : 0;
}

/* ---- partitions -------------------------------------------------------------------------------------------------- */

struct partition {
  const char *subsets;   /* rows with a space between */
  uint8_t second, third; /* texels whose index has a bit less, as has the first texel's */
};

#define TWO(subsets, second) {subsets, second, 0},
static const struct partition of_two[] = {
#include "texel/block_modes.def"
};
#undef TWO
#define THREE(subsets, second, third) {subsets, second, third},
static const struct partition of_three[] = {
#include "texel/block_modes.def"
};
#undef THREE
static const struct partition of_one = {"0000 0000 0000 0000", 0, 0};

static const struct partition *partition_of(unsigned subsets, unsigned number) {
  return subsets == 1 ? &of_one : subsets == 2 ? &of_two[number] : &of_three[number];
}

static unsigned subset_of(const struct partition *partition, unsigned texel) {
  return (unsigned)(partition->subsets[texel + texel / 4] - '0');
}

static bool is_short(const struct partition *partition, unsigned texel) {
  return texel == 0 || texel == partition->second || (partition->third && texel == partition->third);
}

/* Indices stand one behind the other. */
static unsigned take_index(const uint8_t bytes[16], unsigned at, unsigned bits, const struct partition *partition,
                           unsigned texel) {
  for (unsigned i = 0; i < texel; i++)
    at += bits - is_short(partition, i);
  return take(bytes, &at, bits - is_short(partition, texel));
}

static int between(int a, int b, unsigned index, unsigned bits) {
  static const uint8_t weights[5][16] = {[2] = {0, 21, 43, 64},
                                         [3] = {0, 9, 18, 27, 37, 46, 55, 64},
                                         [4] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64}};
  int weight = weights[bits][index];
  return (a * (64 - weight) + b * weight + 32) >> 6;
}

/* ---- BC7 --------------------------------------------------------------------------------------------------------- */

enum { LOWEST_NONE, LOWEST_BY_ENDPOINT, LOWEST_BY_SUBSET };

static const struct unorm_mode {
  uint8_t subsets, partition, rotation, choice, color, alpha, lowest, index, second_index;
} unorm_modes[] = {
#define UNORM(...) {__VA_ARGS__},
#include "texel/block_modes.def"
#undef UNORM
};

/* Of each component all endpoints, then their lowest bits; filled up to 8 bits with their upper ones. */
static void take_endpoints(const uint8_t bytes[16], const struct unorm_mode *mode, unsigned *at,
                           int endpoints[2 * SUBSETS_MOST][4]) {
  unsigned count = 2 * mode->subsets;
  for (unsigned i = 0; i < 4; i++)
    for (unsigned j = 0; j < count; j++)
      endpoints[j][i] = i < 3         ? (int)take(bytes, at, mode->color)
                        : mode->alpha ? (int)take(bytes, at, mode->alpha)
                                      : 255;
  uint32_t lowest = 0;
  for (unsigned j = 0; j < count; j++) {
    if (mode->lowest == LOWEST_BY_ENDPOINT || (mode->lowest == LOWEST_BY_SUBSET && j % 2 == 0))
      lowest = take(bytes, at, 1);
    for (unsigned i = 0; i < 3 + (mode->alpha > 0); i++) {
      unsigned width = i < 3 ? mode->color : mode->alpha;
      if (mode->lowest)
        endpoints[j][i] = endpoints[j][i] << 1 | (int)lowest, width++;
      endpoints[j][i] = endpoints[j][i] << (8 - width) | endpoints[j][i] >> (2 * width - 8);
    }
  }
}

void og_block_unpack_bc7(const uint8_t bytes[16], unsigned texel, double values[4]) {
  if (bytes[0] == 0) /* reserved: zeros */
    return;
  unsigned number = (unsigned)__builtin_ctz(bytes[0]), at = number + 1;
  const struct unorm_mode *mode = &unorm_modes[number];
  const struct partition *partition = partition_of(mode->subsets, take(bytes, &at, mode->partition));
  unsigned rotation = take(bytes, &at, mode->rotation), choice = take(bytes, &at, mode->choice);
  int endpoints[2 * SUBSETS_MOST][4], result[4];
  take_endpoints(bytes, mode, &at, endpoints);
  unsigned bits[2] = {mode->index, mode->second_index ? mode->second_index : mode->index}, indices[2];
  indices[0] = indices[1] = take_index(bytes, at, bits[0], partition, texel);
  if (mode->second_index)
    indices[1] = take_index(bytes, at + bits[0] * TEXELS - mode->subsets, bits[1], partition, texel);
  const int *ends = endpoints[2 * subset_of(partition, texel)], *other = ends + 4;
  for (unsigned i = 0; i < 4; i++) {
    unsigned which = (i == 3) != choice;
    result[i] = between(ends[i], other[i], indices[which], bits[which]);
  }
  if (rotation) {
    int kept = result[3];
    result[3] = result[rotation - 1], result[rotation - 1] = kept;
  }
  for (unsigned i = 0; i < 4; i++)
    values[i] = result[i] / 255.0;
}

/* ---- BC6 --------------------------------------------------------------------------------------------------------- */

static const struct float_mode {
  uint8_t mode, mode_bits, subsets;
  bool differences;
  uint8_t first, others[3];
  const char *fields;
} float_modes[] = {
#define FLOAT(mode, mode_bits, subsets, differences, first, red, green, blue, fields)                                  \
  {mode, mode_bits, subsets, differences, first, {red, green, blue}, fields},
#include "texel/block_modes.def"
#undef FLOAT
};

static const struct float_mode *float_mode_of(const uint8_t bytes[16]) {
  for (size_t i = 0; i < OG_COUNT(float_modes); i++)
    if ((bytes[0] & ((1u << float_modes[i].mode_bits) - 1)) == float_modes[i].mode)
      return &float_modes[i];
  return NULL;
}

static unsigned number_at(const char **text) {
  unsigned number = 0;
  for (; **text >= '0' && **text <= '9'; (*text)++)
    number = 10 * number + (unsigned)(**text - '0');
  return number;
}

/* The four endpoints' bits, as fields say. */
static void take_fields(const uint8_t bytes[16], const char *fields, unsigned *at, int endpoints[4][3]) {
  memset(endpoints, 0, 12 * sizeof(int));
  for (const char *field = fields; *field; field += *field == ' ') {
    unsigned color = *field == 'r' ? 0 : *field == 'g' ? 1 : 2, endpoint = (unsigned)(field[1] - 'w');
    field += 2;
    unsigned from = number_at(&field), to = from;
    if (*field == '-')
      field++, to = number_at(&field);
    for (unsigned bit = from;; bit += from < to ? 1u : -1u) {
      endpoints[endpoint][color] |= (int)(take(bytes, at, 1) << bit);
      if (bit == to)
        break;
    }
  }
}

static int extended(int value, unsigned bits) { return (int)((uint32_t)value << (32 - bits)) >> (32 - bits); }

/* To 16 bits, of signed ones 15 and a sign. */
static int whole(int value, unsigned bits, bool is_signed) {
  int size = is_signed && value < 0 ? -value : value;
  unsigned from = is_signed ? bits - 1 : bits, to = is_signed ? 15 : 16;
  if (from >= 15 || size == 0)
    return value;
  int result = size >= (1 << from) - 1 ? (1 << to) - 1 : ((size << to) + (1 << (to - 1))) >> from;
  return is_signed && value < 0 ? -result : result;
}

static double finished(int value, bool is_signed) {
  if (!is_signed)
    return (double)og_half_to_float((uint16_t)(value * 31 >> 6));
  unsigned size = (unsigned)((value < 0 ? -value : value) * 31 >> 5);
  return (double)og_half_to_float((uint16_t)(size | (value < 0 ? 0x8000u : 0)));
}

void og_block_unpack_bc6(bool is_signed, const uint8_t bytes[16], unsigned texel, double values[4]) {
  const struct float_mode *mode = float_mode_of(bytes);
  values[3] = 1;
  if (!mode) /* reserved: zeros */
    return;
  int endpoints[4][3];
  unsigned at = mode->mode_bits, bits = mode->subsets == 2 ? 3 : 4;
  take_fields(bytes, mode->fields, &at, endpoints);
  const struct partition *partition = partition_of(mode->subsets, take(bytes, &at, mode->subsets == 2 ? 5 : 0));
  unsigned index = take_index(bytes, at, bits, partition, texel), subset = subset_of(partition, texel);
  for (unsigned i = 0; i < 3; i++) {
    for (unsigned j = 0; j < 4; j++) {
      int *value = &endpoints[j][i];
      if (j > 0 && (mode->differences || is_signed))
        *value = extended(*value, mode->others[i]);
      if (j > 0 && mode->differences)
        *value = (endpoints[0][i] + *value) & (int)((1u << mode->first) - 1);
      if (is_signed && (j == 0 || mode->differences))
        *value = extended(*value, mode->first);
    }
    int a = whole(endpoints[2 * subset][i], mode->first, is_signed);
    int b = whole(endpoints[2 * subset + 1][i], mode->first, is_signed);
    values[i] = finished(between(a, b, index, bits), is_signed);
  }
}
