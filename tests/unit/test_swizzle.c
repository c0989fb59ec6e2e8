/* Tiles: orders of elements bit by bit, as addrlib's patterns for the modes list them, and that each tile is filled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "texel/swizzle.h"

/* The bits of an offset from the element's size on, each by coordinate and bit. */
static uint32_t listed(const char *bits, unsigned first, const uint32_t at[4]) {
  uint32_t offset = 0;
  for (unsigned i = first; *bits; i++, bits += 2) {
    unsigned coordinate = *bits == 'x' ? 0 : *bits == 'y' ? 1 : *bits == 'z' ? 2 : 3;
    offset |= (at[coordinate] >> (bits[1] - '0') & 1) << i;
  }
  return offset;
}

static void orders_are_as_listed(void **state) {
  (void)state;
  static const struct {
    enum og_generation generation;
    uint8_t mode, is_3d, log_bytes, log_samples;
    const char *bits;
  } rows[] = {
      {OG_GFX900, 1, 0, 0, 0, "x0x1x2x3y0y1y2y3"},
      {OG_GFX900, 5, 0, 2, 0, "x0x1y0y1y2x2y3x3y4x4"},
      {OG_GFX900, 9, 0, 3, 0, "x0y0y1x1x2y2x3y3x4y4x5y5x6"},
      {OG_GFX900, 10, 0, 2, 0, "x0x1y0x2y1y2y3x3y4x4y5x5y6x6"},
      {OG_GFX900, 11, 0, 1, 0, "y0y1y2x0x1x2x3y3x4y4x5y5x6y6x7"},
      {OG_GFX900, 8, 0, 2, 0, "x0y0x1y1y2x2y3x3y4x4y5x5y6x6"},
      {OG_GFX900, 8, 0, 0, 0, "x0y0x1y1x2y2y3x3y4x4y5x5y6x6y7x7"},
      {OG_GFX900, 9, 1, 0, 0, "x0x1x2x3y0y1z0z1z2y2z3y3x4z4y4x5"},
      {OG_GFX900, 4, 1, 2, 0, "x0y0x1z0y1z1y2x2z2y3"},
      {OG_GFX906, 6, 1, 0, 0, "x0x1x2y1y0y2x3y3y4x4y5x5"},
      {OG_GFX10_1, 10, 0, 2, 0, "x0x1y0y1y2x2y3x3y4x4y5x5y6x6"},
      {OG_GFX10_3, 6, 0, 3, 0, "x0y0x1x2y1y2x3y3x4"},
      {OG_GFX11, 10, 0, 0, 0, "x0x1y0x2y1y2x3y3y4x4y5x5y6x6y7x7"},
      {OG_GFX11, 6, 0, 4, 0, "x0y0x1y1y2x2y3x3"},
      {OG_GFX12, 3, 0, 2, 0, "x0y0x1y1x2y2y3x3y4x4y5x5y6x6"},
      {OG_GFX12, 4, 0, 1, 0, "x0y0x1y1x2y2x3y3x4y4x5y5x6y6x7y7x8"},
      {OG_GFX12, 3, 0, 2, 2, "s0s1x0y0x1y1y2x2y3x3y4x4y5x5"},
      {OG_GFX12, 4, 0, 4, 3, "s0s1s2x0y0x1y1x2y2x3y3x4y4x5"},
      {OG_GFX12, 2, 0, 0, 1, "s0x0y0x1y1x2y2x3y3x4y4x5"},
      {OG_GFX12, 6, 1, 0, 0, "x0x1z0y0y1z1x2z2y2x3z3y3x4z4y4x5"},
      {OG_GFX12, 7, 1, 4, 0, "x0z0y0z1y1x1z2y2x2z3y3x3z4y4"},
  };
  for (size_t r = 0; r < OG_COUNT(rows); r++) {
    struct og_tile tile;
    assert_null(og_tile_of(rows[r].generation, rows[r].mode, rows[r].is_3d, rows[r].log_bytes, rows[r].log_samples,
                           &tile));
    assert_int_equal(tile.bits, rows[r].log_bytes + strlen(rows[r].bits) / 2);
    for (uint32_t i = 0; i < 5000; i++) {
      const uint32_t at[4] = {i * 2654435761u >> 22, i * 40503u >> 5 & 1023, i * 97 & 255, i & 15};
      if (og_tile_offset(&tile, at[0], at[1], at[2], at[3]) != listed(rows[r].bits, rows[r].log_bytes, at))
        fail_msg("row %zu at %u, %u, %u, %u", r, at[0], at[1], at[2], at[3]);
    }
  }
}

static void tiles_are_filled(void **state) {
  (void)state;
  static const enum og_generation generations[] = {OG_GFX900, OG_GFX90A, OG_GFX10_1, OG_GFX10_3, OG_GFX11, OG_GFX12};
  uint8_t *seen = malloc(1 << OG_TILE_BITS_MOST);
  unsigned known = 0;
  for (size_t g = 0; g < OG_COUNT(generations); g++)
    for (unsigned i = 1; i < 32 * 2 * 5 * 4; i++) {
      struct og_tile tile;
      unsigned mode = i % 32, bytes = i / 64 % 5, samples = i / 320;
      if (og_tile_of(generations[g], mode, i / 32 % 2, bytes, samples, &tile) || mode == 0 ||
          (i / 32 % 2 && samples))
        continue;
      known++;
      memset(seen, 0, 1 << OG_TILE_BITS_MOST);
      const uint8_t *size = tile.log_size;
      assert_int_equal(size[0] + size[1] + size[2] + size[3] + bytes, tile.bits);
      assert_int_equal(size[3], samples);
      for (uint32_t n = 0; n < 1u << (tile.bits - bytes); n++) {
        uint32_t x = n & ((1u << size[0]) - 1), y = n >> size[0] & ((1u << size[1]) - 1);
        uint32_t z = n >> (size[0] + size[1]) & ((1u << size[2]) - 1), s = n >> (size[0] + size[1] + size[2]);
        uint32_t offset = og_tile_offset(&tile, x, y, z, s);
        assert_true(offset < 1u << tile.bits && offset % (1u << bytes) == 0 && !seen[offset]);
        seen[offset] = 1;
      }
    }
  assert_int_equal(known, 2 * (15 + 15 + 12 + 8 + 15 + 10 + 10) + 2 * 6 * 5 + 15 + 80 + 15);
  free(seen);
}

static void modes_that_are_not_known_have_names(void **state) {
  (void)state;
  struct og_tile tile;
  assert_string_equal(og_tile_of(OG_GFX10_3, 27, false, 2, 0, &tile),
                      "images in tiles of mode 64KB_R_X, which follow the memory's channels,");
  assert_string_equal(og_tile_of(OG_GFX11, 31, false, 2, 0, &tile),
                      "images in tiles of mode 256KB_R_X, which follow the memory's channels,");
  assert_non_null(og_tile_of(OG_GFX10_3, 5, true, 2, 0, &tile));
  assert_non_null(og_tile_of(OG_GFX12, 6, false, 2, 0, &tile));
  assert_non_null(og_tile_of(OG_GFX11, 10, false, 2, 2, &tile));
  assert_non_null(og_tile_of(OG_GFX12, 9, false, 2, 0, &tile));
  assert_non_null(og_tile_of(OG_GFX12, 0, false, 2, 1, &tile));
  assert_null(og_tile_of(OG_GFX12, 0, false, 2, 0, &tile));
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(orders_are_as_listed), cmocka_unit_test(tiles_are_filled),
                                     cmocka_unit_test(modes_that_are_not_known_have_names)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
