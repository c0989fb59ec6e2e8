/* Float atomics round to nearest, and which denormals count depends on type, place and processor, not on MODE's f32. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/float_control.h"
#include "exec/memory.h"

enum { FLUSH_ALL = 0, KEEP_32 = 0x30, KEEP_16_64 = 0xc0, TO_ZERO = 0xf };

/* "add_f32", "max_f64", "pk_add_f16" */
static const struct og_atomic *atomic_of(const char *name) {
  bool packed = strncmp(name, "pk_", 3) == 0, wide = strstr(name, "f64") != NULL;
  return og_find_atomic(strstr(name, "max") ? OG_DOES_MAX : OG_DOES_ADD,
                        packed ? OG_VALUE_PACKED_F16 : OG_VALUE_FLOAT, wide ? 64 : 32);
}

static uint64_t result(const char *processor, const char *name, enum og_space space, uint32_t mode, uint64_t memory,
                       uint64_t data) {
  struct og_target target;
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  assert_true(og_target_parse(&target, NULL, processor, NULL, diagnostics));
  og_diagnostics_free(diagnostics);
  struct og_wave *wave = aligned_alloc(64, sizeof(*wave));
  memset(wave, 0, sizeof(*wave));
  wave->program = og_program_new(&target, "\0\0\0", 4);
  wave->mode = mode;
  uint32_t host = og_get_float_control();
  og_mode_changed(wave);
  const struct og_atomic *atomic = atomic_of(name);
  assert_non_null(atomic);
  _Alignas(8) uint64_t at = memory;
  og_atomic_apply(wave, atomic, space, &at, data, 0);
  assert_int_equal(og_get_float_control(), wave->float_control_32);
  og_set_float_control(host);
  og_program_free(wave->program);
  free(wave);
  return at;
}

static void sums_round_to_nearest_in_any_mode(void **state) {
  (void)state;
  assert_int_equal(result("gfx900", "add_f32", OG_SPACE_LDS, TO_ZERO, 0x3f800001, 0x33c00000), 0x3f800002);
  assert_int_equal(result("gfx90a", "add_f64", OG_SPACE_GLOBAL, TO_ZERO, 0x3ff0000000000001, 0x3ca8000000000000),
                   0x3ff0000000000002);
}

static void lds_keeps_the_denormals_that_mode_says(void **state) {
  (void)state;
  assert_int_equal(result("gfx90a", "add_f32", OG_SPACE_LDS, KEEP_32, 3, 4), 7);
  assert_int_equal(result("gfx90a", "add_f32", OG_SPACE_LDS, KEEP_16_64, 3, 4), 0);
  assert_int_equal(result("gfx90a", "add_f64", OG_SPACE_LDS, KEEP_16_64, 3, 4), 7);
  assert_int_equal(result("gfx90a", "add_f64", OG_SPACE_LDS, KEEP_32, 3, 4), 0);
  assert_int_equal(result("gfx942", "pk_add_f16", OG_SPACE_LDS, KEEP_16_64, 0x00030001, 0x00040001), 0x00070002);
  assert_int_equal(result("gfx942", "pk_add_f16", OG_SPACE_LDS, KEEP_32, 0x00030001, 0x00040001), 0);
}

static void memory_keeps_denormals_where_it_can(void **state) {
  (void)state;
  assert_int_equal(result("gfx90a", "add_f32", OG_SPACE_GLOBAL, KEEP_32, 3, 4), 0);
  assert_int_equal(result("gfx942", "add_f32", OG_SPACE_GLOBAL, FLUSH_ALL, 3, 4), 7);
  assert_int_equal(result("gfx90a", "add_f64", OG_SPACE_GLOBAL, FLUSH_ALL, 3, 4), 7);
  assert_int_equal(result("gfx90a", "max_f64", OG_SPACE_GLOBAL, FLUSH_ALL, 3, 4), 4);
  assert_int_equal(result("gfx90a", "pk_add_f16", OG_SPACE_GLOBAL, FLUSH_ALL, 0x00030001, 0x00040001), 0x00070002);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sums_round_to_nearest_in_any_mode),
      cmocka_unit_test(lds_keeps_the_denormals_that_mode_says),
      cmocka_unit_test(memory_keeps_denormals_where_it_can),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
