/* Formats of buffer elements: what is in memory is what the names say, and values and formats go both ways. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "texel/buffer_format.h"

/* "10_11_11": the first number is the component in the highest bits. */
static void components_are_those_of_the_name(void **unused) {
  (void)unused;
  for (unsigned value = 1; value < 15; value++) {
    const struct og_data_format *format = og_data_format(value);
    const char *name = format->name + strlen("BUF_DATA_FORMAT_");
    for (unsigned i = 0; i < format->count; i++) {
      char *end;
      assert_int_equal(strtoul(name, &end, 10), format->bits[format->count - 1 - i]);
      assert_int_equal(*end, i + 1 < format->count ? '_' : 0);
      name = end + 1;
    }
  }
  assert_int_equal(og_data_format(0)->count, 0);
  assert_int_equal(og_data_format(15)->count, 0);
  assert_null(og_data_format(16));
}

static void unified_names_are_those_of_their_parts(void **unused) {
  (void)unused;
  static const enum og_generation generations[] = {OG_GFX10_1, OG_GFX10_3, OG_GFX11, OG_GFX12, OG_GFX1250};
  for (size_t g = 0; g < OG_COUNT(generations); g++) {
    unsigned count = 0;
    for (unsigned value = 1; value < 128; value++) {
      struct og_buffer_format format = og_buffer_format(generations[g], value);
      if (!format.name)
        continue;
      char name[64];
      snprintf(name, sizeof name, "BUF_FMT_%s_%s", og_data_format(format.data)->name + strlen("BUF_DATA_FORMAT_"),
               og_number_format_name(generations[g], format.number) + strlen("BUF_NUM_FORMAT_"));
      assert_string_equal(format.name, name);
      assert_int_equal(og_buffer_format_value(generations[g], format.data, format.number), value);
      count++;
    }
    assert_int_equal(count, generations[g] < OG_GFX11 ? 77 : 63); /* no gap */
  }
}

static void before_gfx10_the_two_formats_have_fields_of_their_own(void **unused) {
  (void)unused;
  struct og_buffer_format format = og_buffer_format(OG_GFX900, 5 | 7 << 4);
  assert_int_equal(format.data, 5);
  assert_int_equal(format.number, OG_NUMBER_FLOAT);
  assert_int_equal(og_buffer_format_value(OG_GFX900, 5, OG_NUMBER_FLOAT), 5 | 7 << 4);
  assert_string_equal(og_number_format_name(OG_GFX7, 6), "BUF_NUM_FORMAT_SNORM_OGL");
  assert_string_equal(og_number_format_name(OG_GFX8, 6), "BUF_NUM_FORMAT_RESERVED_6");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(components_are_those_of_the_name),
      cmocka_unit_test(unified_names_are_those_of_their_parts),
      cmocka_unit_test(before_gfx10_the_two_formats_have_fields_of_their_own),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
