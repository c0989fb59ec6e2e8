/* swizzle.c - the orders that swizzle.def lists, as far as tiles go. */
#include "texel/swizzle.h"

#include <string.h>

enum { X, Y, Z, SAMPLE };

#define ORDER(id, ...) ORDER_##id,
enum order {
#include "texel/swizzle.def"
  ORDER_NONE
};
#undef ORDER
#define ORDER(id, ...) {__VA_ARGS__},
static const char *const orders[][5] = {
#include "texel/swizzle.def"
};
#undef ORDER

static const struct mode {
  uint8_t from, to, value, bits, order, order_3d;
} modes[] = {
#define MODE(from, to, value, name, bits, order, order_3d)                                                             \
  {OG_##from, OG_##to, value, bits, ORDER_##order, ORDER_##order_3d},
#include "texel/swizzle.def"
#undef MODE
};

static const struct {
  uint8_t from, to, value;
  const char *what;
} unknown[] = {
#define UNKNOWN(from, to, value, name)                                                                                 \
  {OG_##from, OG_##to, value, "images in tiles of mode " #name ", which follow the memory's channels,"},
#include "texel/swizzle.def"
#undef UNKNOWN
};

static void take(struct og_tile *tile, unsigned coordinate) {
  tile->order[tile->bits++] = (struct og_tile_bit){(uint8_t)coordinate, tile->log_size[coordinate]++};
}

/* Samples come first, and then x and y in turn up to 256 bytes. Behind what an order lists, too, the next bits of the
 * coordinates come in turn, by the number of the offset's bit. */
static void fill(struct og_tile *tile, unsigned bits, const char *listed, bool thick, unsigned log_samples) {
  enum { MICRO = 8 };
  tile->bits = tile->log_bytes;
  for (unsigned i = 0; i < log_samples; i++)
    take(tile, SAMPLE);
  for (unsigned turn = X; log_samples && tile->bits < MICRO; turn ^= 1)
    take(tile, turn);
  for (const char *c = listed; !log_samples && *c; c += 2) { /* not always one after the other */
    unsigned coordinate = (unsigned)(*c - 'x'), bit = (unsigned)(c[1] - '0');
    tile->order[tile->bits++] = (struct og_tile_bit){(uint8_t)coordinate, (uint8_t)bit};
    tile->log_size[coordinate]++;
  }
  static const uint8_t of_three[3] = {X, Z, Y};
  while (tile->bits < bits)
    take(tile, thick ? of_three[tile->bits % 3] : tile->bits % 2 ? X : Y);
}

const char *og_tile_of(enum og_generation generation, unsigned mode, bool is_3d, unsigned log_bytes,
                       unsigned log_samples, struct og_tile *tile) {
  *tile = (struct og_tile){.log_bytes = (uint8_t)log_bytes};
  if (mode == 0)
    return log_samples ? "images of several samples without tiles" : NULL;
  for (size_t i = 0; i < OG_COUNT(modes); i++) {
    const struct mode *m = &modes[i];
    unsigned order = is_3d ? m->order_3d : m->order;
    if (m->value != mode || m->from > generation || m->to <= generation)
      continue;
    if (order == ORDER_NONE)
      return is_3d ? "volumes in tiles of this mode" : "images in tiles of volumes";
    if (log_samples && generation < OG_GFX12)
      return "images of several samples before gfx12, which follow the memory's channels,";
    if (log_bytes > 4 || !*orders[order][log_bytes])
      return "images in tiles that have no order for elements of this size";
    fill(tile, m->bits, orders[order][log_bytes], strchr(orders[order][0], 'z') != NULL, log_samples);
    return NULL;
  }
  for (size_t i = 0; i < OG_COUNT(unknown); i++)
    if (unknown[i].value == mode && unknown[i].from <= generation && unknown[i].to > generation)
      return unknown[i].what;
  return "images in tiles of a mode that is not known";
}

uint32_t og_tile_offset(const struct og_tile *tile, uint32_t x, uint32_t y, uint32_t z, uint32_t sample) {
  const uint32_t at[4] = {x, y, z, sample};
  uint32_t offset = 0;
  for (unsigned i = tile->log_bytes; i < tile->bits; i++)
    offset |= (at[tile->order[i].coordinate] >> tile->order[i].bit & 1) << i;
  return offset;
}
