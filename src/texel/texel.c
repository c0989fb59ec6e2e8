/* texel.c - components in memory (8, 16, 32, 10_11_11 ... bits; unorm, snorm, scaled, integer, float, sRGB) to
 * registers and back. */
#include "texel/texel.h"

#include "base/floats.h"

#include <math.h>
#include <string.h>

static uint16_t half_of(float x) { return og_float_to_half(x, OG_ROUND_NEAREST); }

/* ---- one component ----------------------------------------------------------------------------------------------- */

/* Floats of 10 and 11 bits are halves without sign and with fewer bits of mantissa. */
static float small_float(uint32_t bits, unsigned width) {
  if (width == 32)
    return og_float_of_bits(bits);
  return og_half_to_float((uint16_t)(width == 16 ? bits : bits << (15 - width)));
}

static int32_t sign_extended(uint32_t bits, unsigned width) {
  return (int32_t)(bits << (32 - width)) >> (32 - width);
}

/* IEC 61966-2-1. */
static double from_srgb(double x) { return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4); }
static double to_srgb(double x) { return x <= 0.0031308 ? x * 12.92 : 1.055 * pow(x, 1 / 2.4) - 0.055; }

static uint32_t unpack(uint32_t bits, unsigned width, unsigned number) {
  double most = (double)((1ull << (width - 1)) - 1);
  switch (number) {
  case OG_NUMBER_UNORM: return og_bits_of_float((float)(bits / (2 * most + 1)));
  case OG_NUMBER_SRGB: return og_bits_of_float((float)from_srgb(bits / (2 * most + 1)));
  case OG_NUMBER_SNORM:
  case OG_NUMBER_SNORM_OGL: return og_bits_of_float((float)fmax(sign_extended(bits, width) / most, -1.0));
  case OG_NUMBER_USCALED: return og_bits_of_float((float)bits);
  case OG_NUMBER_SSCALED: return og_bits_of_float((float)sign_extended(bits, width));
  case OG_NUMBER_UINT: return bits;
  case OG_NUMBER_SINT: return (uint32_t)sign_extended(bits, width);
  default: return og_bits_of_float(small_float(bits, width));
  }
}

static double clamped(double x, double low, double high) {
  return !(x > low) ? low : x > high ? high : x; /* NaN: low */
}

static uint32_t pack_float(uint32_t value, unsigned width) {
  if (width == 32)
    return value;
  float x = og_float_of_bits(value);
  if (width == 16)
    return half_of(x);
  return x > 0 || x != x ? half_of(x) >> (15 - width) : 0;
}

static uint32_t pack(uint32_t value, unsigned width, unsigned number) {
  uint64_t mask = (1ull << width) - 1;
  double most = (double)(mask >> 1);
  double x = og_float_of_bits(value);
  switch (number) {
  case OG_NUMBER_UNORM: return (uint32_t)rint(clamped(x, 0, 1) * (double)mask);
  case OG_NUMBER_SRGB: return (uint32_t)rint(clamped(to_srgb(clamped(x, 0, 1)), 0, 1) * (double)mask);
  case OG_NUMBER_SNORM:
  case OG_NUMBER_SNORM_OGL: return (uint32_t)((uint64_t)(int64_t)rint((x != x ? 0 : clamped(x, -1, 1)) * most) & mask);
  case OG_NUMBER_USCALED: return (uint32_t)clamped(x, 0, (double)mask);
  case OG_NUMBER_SSCALED: return (uint32_t)((uint64_t)(int64_t)(x != x ? 0 : clamped(x, -most - 1, most)) & mask);
  case OG_NUMBER_UINT: return (uint32_t)OG_MIN(value, mask);
  case OG_NUMBER_SINT: {
    int64_t high = (int64_t)(mask >> 1), v = (int32_t)value;
    return (uint32_t)((uint64_t)OG_MAX(OG_MIN(v, high), -high - 1) & mask);
  }
  default: return pack_float(value, width);
  }
}

/* ---- three mantissas of 9 bits with one exponent ----------------------------------------------------------------- */

enum { SHARED_MANTISSA = 9, SHARED_BIAS = 15, SHARED_MOST = 31 };

static bool is_shared(struct og_texel_format format) {
  return format.layout && format.layout->count == 4 && format.layout->bits[0] == SHARED_MANTISSA;
}

static void unpack_shared(uint32_t word, uint32_t values[4]) {
  int exponent = (int)(word >> 27) - SHARED_BIAS - SHARED_MANTISSA;
  for (unsigned i = 0; i < 3; i++)
    values[i] = og_bits_of_float(ldexpf((float)(word >> 9 * i & 0x1ff), exponent));
  values[3] = og_bits_of_float(1.0f);
}

static uint32_t pack_shared(const uint32_t values[4]) {
  double parts[3], most = 0;
  for (unsigned i = 0; i < 3; i++) {
    parts[i] = clamped((double)og_float_of_bits(values[i]), 0, ldexp(511, SHARED_MOST - SHARED_BIAS - SHARED_MANTISSA));
    most = fmax(most, parts[i]);
  }
  int exponent = 0;
  while (exponent < SHARED_MOST && rint(ldexp(most, SHARED_BIAS + SHARED_MANTISSA - exponent)) > 511)
    exponent++;
  uint32_t word = (uint32_t)exponent << 27;
  for (unsigned i = 0; i < 3; i++)
    word |= (uint32_t)rint(ldexp(parts[i], SHARED_BIAS + SHARED_MANTISSA - exponent)) << 9 * i;
  return word;
}

/* The alpha of an sRGB format is plain. */
static unsigned number_of(struct og_texel_format format, unsigned component) {
  return format.number == OG_NUMBER_SRGB && component == 3 ? OG_NUMBER_UNORM : format.number;
}

/* ---- an element of up to four components ------------------------------------------------------------------------- */

unsigned og_texel_bytes(struct og_texel_format format) {
  unsigned bits = 8 * og_block_bytes((enum og_block)format.block);
  for (unsigned i = 0; format.layout && i < format.layout->count; i++)
    bits += format.layout->bits[i];
  return bits / 8;
}

static uint32_t take_bits(const uint8_t *bytes, unsigned at, unsigned width) {
  uint64_t value = 0;
  memcpy(&value, bytes + at / 32 * 4, at % 32 + width > 32 ? 8 : 4);
  return (uint32_t)(value >> at % 32 & ((1ull << width) - 1));
}

void og_texel_unpack(const uint8_t *bytes, struct og_texel_format format, uint32_t values[4]) {
  memset(values, 0, 4 * sizeof *values);
  if (is_shared(format)) {
    unpack_shared(take_bits(bytes, 0, 32), values);
    return;
  }
  for (unsigned i = 0, at = 0; format.layout && i < format.layout->count; at += format.layout->bits[i++])
    values[i] = unpack(take_bits(bytes, at, format.layout->bits[i]), format.layout->bits[i], number_of(format, i));
}

/* sRGB's curve comes after what lies between endpoints. */
void og_texel_unpack_block(const uint8_t *bytes, struct og_texel_format format, unsigned texel, uint32_t values[4]) {
  double parts[4];
  og_block_unpack((enum og_block)format.block, format.number == OG_NUMBER_SNORM, bytes, texel, parts);
  for (unsigned i = 0; i < 4; i++)
    values[i] = og_bits_of_float((float)(number_of(format, i) == OG_NUMBER_SRGB ? from_srgb(parts[i]) : parts[i]));
}

void og_texel_pack(uint8_t *bytes, struct og_texel_format format, const uint32_t values[4]) {
  uint32_t words[4] = {is_shared(format) ? pack_shared(values) : 0, 0, 0, 0};
  if (is_shared(format)) {
    memcpy(bytes, words, sizeof words);
    return;
  }
  for (unsigned i = 0, at = 0; format.layout && i < format.layout->count; at += format.layout->bits[i++])
    words[at / 32] |= pack(values[i], format.layout->bits[i], number_of(format, i)) << at % 32;
  memcpy(bytes, words, sizeof words);
}

uint32_t og_texel_selected(const uint32_t values[4], unsigned select, unsigned number) {
  if (select >= 4)
    return values[select & 3];
  return select == 1 ? (og_is_integer_format(number) ? 1 : og_bits_of_float(1.0f)) : 0;
}

uint32_t og_texel_to_16(uint32_t value, unsigned number) {
  return og_is_integer_format(number) ? value & 0xffff : half_of(og_float_of_bits(value));
}

uint32_t og_texel_from_16(uint32_t value, unsigned number) {
  if (number == OG_NUMBER_SINT)
    return (uint32_t)(int16_t)value;
  return number == OG_NUMBER_UINT ? value & 0xffff : og_bits_of_float(og_half_to_float((uint16_t)value));
}
