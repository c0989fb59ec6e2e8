/* format.c - formatted buffer accesses: between components in memory (8, 16, 32, 10_11_11 ... bits; unorm, snorm,
 * scaled, integer, float) and registers. ISA manuals, "Buffer data", and the tables of data and number formats. */
#include "base/floats.h"
#include "exec/memory.h"
#include "texel/buffer_format.h"

#include <math.h>
#include <string.h>

struct format {
  const struct og_data_format *layout;
  enum og_number_format number;
};

static struct format format_of(const struct og_wave *wave, uint32_t value) {
  struct og_buffer_format format = og_buffer_format(wave->program->target.processor->generation, value);
  return (struct format){og_data_format(format.data), (enum og_number_format)format.number};
}

/* ---- one component ----------------------------------------------------------------------------------------------- */

static uint32_t bits_of(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static float float_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static uint16_t half_of(float x) { return og_float_to_half(x, OG_ROUND_NEAREST); }

/* Floats of 10 and 11 bits are halves without sign and with fewer bits of mantissa. */
static float small_float(uint32_t bits, unsigned width) {
  if (width == 32)
    return float_of(bits);
  return og_half_to_float((uint16_t)(width == 16 ? bits : bits << (15 - width)));
}

static int32_t sign_extended(uint32_t bits, unsigned width) {
  return (int32_t)(bits << (32 - width)) >> (32 - width);
}

static bool is_integer(enum og_number_format number) { return number == OG_NUMBER_UINT || number == OG_NUMBER_SINT; }

/* The register's 32 bits: a float, or an integer. */
static uint32_t unpack(uint32_t bits, unsigned width, enum og_number_format number) {
  double most = (double)((1ull << (width - 1)) - 1);
  switch (number) {
  case OG_NUMBER_UNORM: return bits_of((float)(bits / (2 * most + 1)));
  case OG_NUMBER_SNORM:
  case OG_NUMBER_SNORM_OGL: return bits_of((float)fmax(sign_extended(bits, width) / most, -1.0));
  case OG_NUMBER_USCALED: return bits_of((float)bits);
  case OG_NUMBER_SSCALED: return bits_of((float)sign_extended(bits, width));
  case OG_NUMBER_UINT: return bits;
  case OG_NUMBER_SINT: return (uint32_t)sign_extended(bits, width);
  default: return bits_of(small_float(bits, width));
  }
}

static double clamped(double x, double low, double high) {
  return !(x > low) ? low : x > high ? high : x; /* NaN: low */
}

static uint32_t pack_float(uint32_t value, unsigned width) {
  if (width == 32)
    return value;
  float x = float_of(value);
  if (width == 16)
    return half_of(x);
  return x > 0 || x != x ? half_of(x) >> (15 - width) : 0;
}

static uint32_t pack(uint32_t value, unsigned width, enum og_number_format number) {
  uint64_t mask = (1ull << width) - 1;
  double most = (double)(mask >> 1);
  double x = float_of(value);
  switch (number) {
  case OG_NUMBER_UNORM: return (uint32_t)rint(clamped(x, 0, 1) * (double)mask);
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

/* ---- an element of up to four components ------------------------------------------------------------------------- */

static unsigned bytes_of(const struct og_data_format *layout) {
  unsigned bits = 0;
  for (unsigned i = 0; i < layout->count; i++)
    bits += layout->bits[i];
  return bits / 8;
}

static uint32_t take_bits(const uint8_t *bytes, unsigned at, unsigned width) {
  uint64_t value = 0;
  memcpy(&value, bytes + at / 32 * 4, at % 32 + width > 32 ? 8 : 4);
  return (uint32_t)(value >> at % 32 & ((1ull << width) - 1));
}

static void unpack_all(const uint8_t *bytes, const struct format *format, uint32_t values[4]) {
  for (unsigned i = 0, at = 0; i < format->layout->count; at += format->layout->bits[i++])
    values[i] = unpack(take_bits(bytes, at, format->layout->bits[i]), format->layout->bits[i], format->number);
}

static void pack_all(uint8_t *bytes, const struct format *format, const uint32_t values[4]) {
  uint32_t words[4] = {0};
  for (unsigned i = 0, at = 0; i < format->layout->count; at += format->layout->bits[i++])
    words[at / 32] |= pack(values[i], format->layout->bits[i], format->number) << at % 32;
  memcpy(bytes, words, sizeof words);
}

/* Destination selects 0, 1, R, G, B, A. */
static uint32_t selected(const uint32_t values[4], unsigned select, enum og_number_format number) {
  if (select >= 4)
    return values[select - 4];
  return select == 1 ? (is_integer(number) ? 1 : bits_of(1.0f)) : 0;
}

struct element {
  struct format format;
  uint8_t select[4];
  unsigned bytes;
};

static bool element_of(struct og_wave *wave, const struct og_operation *op, struct element *element) {
  const struct og_memory_op *access = op->detail;
  struct og_resource v = og_resource_decode(wave, og_at(wave, op->s[1]));
  *element = (struct element){.format = format_of(wave, access->typed ? access->format : v.format),
                              .select = {4, 5, 6, 7}};
  if (!access->typed)
    memcpy(element->select, v.select, sizeof v.select);
  element->bytes = bytes_of(element->format.layout);
  return element->format.layout->count > 0;
}

static uint32_t to_16(uint32_t value, enum og_number_format number) {
  return is_integer(number) ? value & 0xffff : half_of(float_of(value));
}

static uint32_t from_16(uint32_t value, enum og_number_format number) {
  if (number == OG_NUMBER_SINT)
    return (uint32_t)(int16_t)value;
  return number == OG_NUMBER_UINT ? value & 0xffff : bits_of(og_half_to_float((uint16_t)value));
}

static bool load_lane(struct og_wave *wave, const struct og_operation *op, unsigned lane,
                      const struct element *element) {
  const struct og_memory_op *access = op->detail;
  uint8_t bytes[16] = {0};
  uint32_t values[4] = {0};
  struct og_lane_place place = og_lane_place(wave, op, lane, 0);
  if (!place.outside && element->bytes > 0) {
    if (!og_lane_read(wave, op, lane, &place, bytes, element->bytes))
      return false;
    unpack_all(bytes, &element->format, values);
  }
  uint32_t *to = og_at(wave, op->d) + lane;
  for (unsigned i = 0; i < access->components; i++) {
    uint32_t value = selected(values, element->select[i], element->format.number);
    uint32_t half = access->d16 ? to_16(value, element->format.number) : 0;
    if (!access->d16)
      to[i * OG_LANES] = value;
    else if (access->width == OG_WIDTH_16_HIGH)
      to[0] = (to[0] & 0xffff) | half << 16;
    else if (access->unpacked && access->components > 1)
      to[i * OG_LANES] = half;
    else if (i % 2 == 0)
      to[i / 2 * OG_LANES] = access->components == 1 ? (to[0] & 0xffff0000) | half : half;
    else
      to[i / 2 * OG_LANES] |= half << 16;
  }
  return true;
}

static bool store_lane(struct og_wave *wave, const struct og_operation *op, unsigned lane,
                       const struct element *element) {
  const struct og_memory_op *access = op->detail;
  const uint32_t *from = og_at(wave, op->d) + lane;
  uint32_t values[4] = {0};
  for (unsigned i = 0; i < access->components; i++) {
    if (!access->d16)
      values[i] = from[i * OG_LANES];
    else if (access->unpacked)
      values[i] = from_16(from[i * OG_LANES] & 0xffff, element->format.number);
    else
      values[i] = from_16(from[i / 2 * OG_LANES] >> (i % 2 == 1 || access->width == OG_WIDTH_16_HIGH ? 16 : 0),
                          element->format.number);
  }
  uint8_t bytes[16];
  pack_all(bytes, &element->format, values);
  struct og_lane_place place = og_lane_place(wave, op, lane, 0);
  return place.outside || og_lane_write(wave, op, lane, &place, bytes, element->bytes);
}

/* A resource of zeros, or with an invalid format, is an unbound one: loads yield 0 and stores are dropped. */
const struct og_operation *og_format_load(struct og_wave *wave, const struct og_operation *op) {
  struct element element;
  element_of(wave, op, &element);
  for (uint64_t lanes = og_active(wave); lanes != 0; lanes &= lanes - 1)
    if (!load_lane(wave, op, (unsigned)__builtin_ctzll(lanes), &element))
      return &og_stop;
  return og_next(op);
}

const struct og_operation *og_format_store(struct og_wave *wave, const struct og_operation *op) {
  struct element element;
  if (!element_of(wave, op, &element))
    return og_next(op);
  for (uint64_t lanes = og_active(wave); lanes != 0; lanes &= lanes - 1)
    if (!store_lane(wave, op, (unsigned)__builtin_ctzll(lanes), &element))
      return &og_stop;
  return og_next(op);
}
