/* Compressed blocks: BC1 to BC5 against fractions written here, what is reserved, signs. tests/oracle/blocks.py has the
 * modes and partitions of BC6 and BC7 against another decoder. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "texel/block.h"

static uint32_t random_state = 7;
static uint32_t draw(void) {
  random_state = random_state * 1664525 + 1013904223;
  return random_state >> 8;
}

static void near(double mine, double numerator, double denominator) {
  double difference = mine - numerator / denominator;
  assert_true(difference < 1e-15 && difference > -1e-15);
}

static void fill(uint8_t *bytes, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    bytes[i] = (uint8_t)draw();
}

/* Weights of the two endpoints, over 6; none of them: black. */
static void weights(bool three, unsigned index, int *a, int *b) {
  static const uint8_t four_first[4] = {6, 0, 4, 2}, three_first[4] = {6, 0, 3, 0}, three_second[4] = {0, 6, 3, 0};
  *a = three ? three_first[index] : four_first[index];
  *b = three ? three_second[index] : 6 - *a;
}

static void colors_lie_between_two(void **state) {
  (void)state;
  for (unsigned round = 0; round < 3000; round++) {
    enum og_block block = (enum og_block)(OG_BLOCK_BC1 + round % 3);
    uint8_t bytes[16];
    fill(bytes, 16);
    const uint8_t *c = bytes + (block == OG_BLOCK_BC1 ? 0 : 8);
    unsigned first = c[0] + 256u * c[1], second = c[2] + 256u * c[3], texel = draw() % 16;
    unsigned index = (c[4] + 256u * c[5] + 65536u * c[6] + 16777216u * c[7]) >> 2 * texel & 3;
    bool three = block == OG_BLOCK_BC1 && first <= second;
    int a, b;
    double got[4];
    weights(three, index, &a, &b);
    og_block_unpack(block, false, bytes, texel, got);
    near(got[0], a * (int)(first / 2048) + b * (int)(second / 2048), 6 * 31);
    near(got[1], a * (int)(first / 32 % 64) + b * (int)(second / 32 % 64), 6 * 63);
    near(got[2], a * (int)(first % 32) + b * (int)(second % 32), 6 * 31);
    if (block == OG_BLOCK_BC1)
      near(got[3], !(three && index == 3), 1);
    if (block == OG_BLOCK_BC2)
      near(got[3], texel % 2 ? bytes[texel / 2] / 16 : bytes[texel / 2] % 16, 15);
  }
}

/* Of one component, as a numerator over 7 or 5 times 255 or 127. */
static void check_one(const uint8_t *bytes, bool is_signed, unsigned texel, double got) {
  int a = is_signed ? (int8_t)bytes[0] : bytes[0], b = is_signed ? (int8_t)bytes[1] : bytes[1],
      most = is_signed ? 127 : 255;
  bool eight = a > b;
  unsigned index = 0;
  for (unsigned bit = 0; bit < 3; bit++)
    index |= (bytes[2 + (3 * texel + bit) / 8] >> (3 * texel + bit) % 8 & 1u) << bit;
  a = a < -most ? -most : a, b = b < -most ? -most : b;
  static const uint8_t in_eight[8] = {7, 0, 6, 5, 4, 3, 2, 1}, in_six[6] = {5, 0, 4, 3, 2, 1};
  if (eight)
    near(got, in_eight[index] * a + (7 - in_eight[index]) * b, 7.0 * most);
  else if (index < 6)
    near(got, in_six[index] * a + (5 - in_six[index]) * b, 5.0 * most);
  else
    near(got, index == 7 ? 1 : is_signed ? -1 : 0, 1);
}

static void single_components_lie_between_two(void **state) {
  (void)state;
  for (unsigned round = 0; round < 5000; round++) {
    uint8_t bytes[16];
    double got[4];
    unsigned texel = draw() % 16;
    bool is_signed = round & 1;
    fill(bytes, 16);
    if (round % 5 == 0)
      bytes[round / 5 % 2] = 0x80; /* -128 counts as -127 */
    og_block_unpack(OG_BLOCK_BC4, is_signed, bytes, texel, got);
    check_one(bytes, is_signed, texel, got[0]);
    near(got[1] + got[2] + got[3], 0, 1);
    og_block_unpack(OG_BLOCK_BC5, is_signed, bytes, texel, got);
    check_one(bytes, is_signed, texel, got[0]);
    check_one(bytes + 8, is_signed, texel, got[1]);
    og_block_unpack(OG_BLOCK_BC3, false, bytes, texel, got);
    check_one(bytes, false, texel, got[3]);
  }
}

static void reserved_modes_are_black(void **state) {
  (void)state;
  static const uint8_t modes[4] = {19, 23, 27, 31};
  for (unsigned i = 0; i < 5; i++) {
    uint8_t bytes[16];
    double got[4];
    memset(bytes, 0xff, sizeof bytes);
    bytes[0] = i < 4 ? (uint8_t)(0xe0 | modes[i]) : 0;
    og_block_unpack(i < 4 ? OG_BLOCK_BC6 : OG_BLOCK_BC7, false, bytes, 5, got);
    assert_true(got[0] == 0 && got[1] == 0 && got[2] == 0 && got[3] == (i < 4));
  }
}

/* Mode 3: both endpoints with 10 bits for each colour, no partition. */
static void put_bits(uint8_t *bytes, unsigned at, unsigned count, unsigned value) {
  for (unsigned i = 0; i < count; i++)
    bytes[(at + i) / 8] = (uint8_t)(bytes[(at + i) / 8] | (value >> i & 1) << (at + i) % 8);
}

static void negative_floats_mirror_positive_ones(void **state) {
  (void)state;
  for (unsigned round = 0; round < 1000; round++) {
    uint8_t plus[16] = {3}, minus[16] = {3};
    for (unsigned i = 0; i < 6; i++) {
      unsigned value = round < 4 ? (round & 1 ? 511 : 0) : draw() % 512;
      put_bits(plus, 5 + 10 * i, 10, value);
      put_bits(minus, 5 + 10 * i, 10, -value & 1023);
    }
    for (unsigned texel = 0; texel < 16; texel++) {
      unsigned index = texel ? draw() % 16 : draw() % 8, at = texel ? 64 + 4 * texel : 65;
      put_bits(plus, at, texel ? 4 : 3, index);
      put_bits(minus, at, texel ? 4 : 3, index);
    }
    for (unsigned texel = 0; texel < 16; texel++) {
      double a[4], b[4];
      og_block_unpack(OG_BLOCK_BC6, true, plus, texel, a);
      og_block_unpack(OG_BLOCK_BC6, true, minus, texel, b);
      for (unsigned i = 0; i < 3; i++) {
        /* Rounding of what lies between goes up: a 64th, of 31 in 32 parts, of 16 bits may be another one. */
        double size = a[i] > 0x1p-14 ? a[i] : 0x1p-14;
        assert_true(a[i] + b[i] <= size / 500 && a[i] + b[i] >= -size / 500);
      }
      if (round == 1)
        assert_true(a[0] == 65504); /* the largest half */
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(colors_lie_between_two), cmocka_unit_test(single_components_lie_between_two),
      cmocka_unit_test(reserved_modes_are_black), cmocka_unit_test(negative_floats_mirror_positive_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
