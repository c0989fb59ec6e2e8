/* format.c - formatted buffer accesses: between elements in memory (src/texel) and registers. ISA manuals, "Buffer
 * data". */
#include "exec/memory.h"
#include "texel/texel.h"

#include <string.h>

struct element {
  struct og_texel_format format;
  uint8_t select[4];
  unsigned bytes;
};

static struct og_texel_format format_of(const struct og_wave *wave, uint32_t value) {
  struct og_buffer_format format = og_buffer_format(wave->program->target.processor->generation, value);
  return (struct og_texel_format){.layout = og_data_format(format.data), .number = format.number};
}

static bool element_of(struct og_wave *wave, const struct og_operation *op, struct element *element) {
  const struct og_memory_op *access = op->detail;
  struct og_resource v = og_resource_decode(wave, og_at(wave, op->s[1]));
  *element = (struct element){.format = format_of(wave, access->typed ? access->format : v.format),
                              .select = {4, 5, 6, 7}};
  if (!access->typed)
    memcpy(element->select, v.select, sizeof v.select);
  element->bytes = og_texel_bytes(element->format);
  return element->format.layout->count > 0;
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
    og_texel_unpack(bytes, element->format, values);
  }
  uint32_t first = og_texel_selected(values, element->select[0], element->format.number);
  if (access->to_lds)
    return og_fill_lds(wave, op, lane, (const uint8_t *)&first);
  uint32_t *to = og_at(wave, op->d) + lane;
  for (unsigned i = 0; i < access->components; i++) {
    uint32_t value = og_texel_selected(values, element->select[i], element->format.number);
    uint32_t half = access->d16 ? og_texel_to_16(value, element->format.number) : 0;
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
      values[i] = og_texel_from_16(from[i * OG_LANES] & 0xffff, element->format.number);
    else
      values[i] = og_texel_from_16(from[i / 2 * OG_LANES] >> (i % 2 == 1 || access->width == OG_WIDTH_16_HIGH ? 16 : 0),
                          element->format.number);
  }
  uint8_t bytes[16];
  og_texel_pack(bytes, element->format, values);
  struct og_lane_place place = og_lane_place(wave, op, lane, 0);
  return place.outside || og_lane_write(wave, op, lane, &place, bytes, element->bytes);
}

/* A resource of zeros, or with an invalid format, is an unbound one: loads yield 0 and stores are dropped. */
static const struct og_operation *load(struct og_wave *wave, const struct og_operation *op) {
  struct element element;
  element_of(wave, op, &element);
  for (uint64_t lanes = og_active(wave); lanes != 0; lanes &= lanes - 1)
    if (!load_lane(wave, op, (unsigned)__builtin_ctzll(lanes), &element))
      return &og_stop;
  return og_next(op);
}

static const struct og_operation *store(struct og_wave *wave, const struct og_operation *op) {
  struct element element;
  if (!element_of(wave, op, &element))
    return og_next(op);
  for (uint64_t lanes = og_active(wave); lanes != 0; lanes &= lanes - 1)
    if (!store_lane(wave, op, (unsigned)__builtin_ctzll(lanes), &element))
      return &og_stop;
  return og_next(op);
}

const struct og_operation *og_format_load(struct og_wave *wave, const struct og_operation *op) {
  return og_outside_mode(wave, op, load);
}
const struct og_operation *og_format_store(struct og_wave *wave, const struct og_operation *op) {
  return og_outside_mode(wave, op, store);
}
