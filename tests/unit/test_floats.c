/* Small float formats: known values, rounding at the edges, and every bit pattern through f32 and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>

#include "base/base.h"
#include "base/floats.h"

static void halves_have_the_values_of_ieee(void **state) {
  (void)state;
  assert_true(og_half_to_float(0x3c00) == 1.0f);
  assert_true(og_half_to_float(0xc000) == -2.0f);
  assert_true(og_half_to_float(0x7bff) == 65504.0f);
  assert_true(og_half_to_float(0x0001) == 0x1p-24f);
  assert_true(og_half_to_float(0x03ff) == 0x1.ff8p-15f);
  assert_true(isinf(og_half_to_float(0xfc00)));
  assert_true(isnan(og_half_to_float(0x7e00)));
}

static void every_half_survives_the_way_through_float(void **state) {
  (void)state;
  for (unsigned i = 0; i < 65536; i++) {
    bool nan = (i & 0x7fff) > 0x7c00;
    uint16_t expected = (uint16_t)(nan ? i | 0x200 : i);
    for (int rounding = OG_ROUND_NEAREST; rounding <= OG_ROUND_ZERO; rounding++)
      assert_int_equal(og_float_to_half(og_half_to_float((uint16_t)i), (enum og_rounding)rounding), expected);
    if (!nan)
      assert_int_equal(og_double_to_half((double)og_half_to_float((uint16_t)i)), i);
  }
}

static void rounding_to_half_obeys_the_mode(void **state) {
  (void)state;
  float tie = 1.0f + 0x1p-11f; /* between 0x3c00 and 0x3c01 */
  assert_int_equal(og_float_to_half(tie, OG_ROUND_NEAREST), 0x3c00);
  assert_int_equal(og_float_to_half(tie, OG_ROUND_UP), 0x3c01);
  assert_int_equal(og_float_to_half(-tie, OG_ROUND_UP), 0xbc00);
  assert_int_equal(og_float_to_half(-tie, OG_ROUND_DOWN), 0xbc01);
  assert_int_equal(og_float_to_half(tie, OG_ROUND_ZERO), 0x3c00);
  assert_int_equal(og_float_to_half(65520.0f, OG_ROUND_NEAREST), 0x7c00);
  assert_int_equal(og_float_to_half(65519.0f, OG_ROUND_NEAREST), 0x7bff);
  assert_int_equal(og_float_to_half(1e9f, OG_ROUND_ZERO), 0x7bff);
  assert_int_equal(og_float_to_half(0x1p-25f, OG_ROUND_NEAREST), 0);
  assert_int_equal(og_float_to_half(0x1.8p-25f, OG_ROUND_NEAREST), 1);
  assert_int_equal(og_float_to_half(0x1p-149f, OG_ROUND_UP), 1);
}

static void doubles_become_halves_in_one_rounding(void **state) {
  (void)state;
  /* Through float this would round to the tie first and then to even. */
  assert_int_equal(og_double_to_half(1.0 + 0x1p-11 + 0x1p-40), 0x3c01);
}

static void every_small_float_survives_the_way_through_float(void **state) {
  (void)state;
  const struct og_small_float *formats[] = {&og_fp8_e4m3, &og_bf8_e5m2, &og_fp8_e4m3_fnuz, &og_bf8_e5m2_fnuz,
                                            &og_fp6_e2m3, &og_bf6_e3m2, &og_fp4_e2m1};
  for (size_t k = 0; k < OG_COUNT(formats); k++)
    for (unsigned bits = 0; bits < 2u << (formats[k]->exponent_bits + formats[k]->mantissa_bits); bits++) {
      float value = og_small_to_float(formats[k], (uint8_t)bits);
      if (!isnan(value))
        assert_int_equal(og_float_to_small(formats[k], value, false), bits);
    }
  assert_true(og_small_to_float(&og_fp8_e4m3, 0x7e) == 448.0f);
  assert_true(og_small_to_float(&og_fp8_e4m3_fnuz, 0x7f) == 240.0f);
  assert_true(og_small_to_float(&og_fp4_e2m1, 7) == 6.0f);
  assert_int_equal(og_float_to_small(&og_fp8_e4m3, 1e6f, true), 0x7e);
  assert_int_equal(og_float_to_small(&og_fp8_e4m3, 1e6f, false), 0x7f);
}

static void bfloats_round_to_nearest_even(void **state) {
  (void)state;
  assert_int_equal(og_float_to_bfloat(1.0f), 0x3f80);
  assert_int_equal(og_float_to_bfloat(1.0f + 0x1p-8f), 0x3f80);
  assert_int_equal(og_float_to_bfloat(1.0f + 0x1.8p-7f), 0x3f82);
  assert_true(og_bfloat_to_float(0xc000) == -2.0f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(halves_have_the_values_of_ieee),
      cmocka_unit_test(every_half_survives_the_way_through_float),
      cmocka_unit_test(rounding_to_half_obeys_the_mode),
      cmocka_unit_test(doubles_become_halves_in_one_rounding),
      cmocka_unit_test(every_small_float_survives_the_way_through_float),
      cmocka_unit_test(bfloats_round_to_nearest_even),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
