/* test_target.c - processors, target ids, e_flags. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "target/target.h"

static void processors_are_found_by_either_name(void **state) {
  (void)state;
  assert_ptr_equal(og_find_processor(OG_TEXT("tahiti")), og_find_processor(OG_TEXT("gfx600")));
  assert_int_equal(og_find_processor(OG_TEXT("polaris11"))->generation, OG_GFX8);
  assert_null(og_find_processor(OG_TEXT("gfx9")));
  for (size_t i = 0; i < og_processor_count(); i++) {
    const struct og_processor *p = og_processor_at(i);
    assert_ptr_equal(og_find_processor(og_text(p->name)), p);
    assert_ptr_equal(og_processor_by_mach(p->mach), p);
  }
}

static void check_id(const char *in, int version, const char *expected) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_target target;
  assert_true(og_target_parse_id(&target, og_text(in), diagnostics));
  struct og_buffer out = {0};
  og_target_print_id(&target, version, &out);
  assert_string_equal((char *)out.data, expected);
  og_buffer_free(&out);
  og_diagnostics_free(diagnostics);
}

static void target_ids_are_read_and_written_in_both_forms(void **state) {
  (void)state;
  check_id("amdgcn-amd-amdhsa--gfx902+xnack", 3, "amdgcn-amd-amdhsa--gfx902+xnack");
  check_id("gfx90a:sramecc+:xnack-", 4, "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-");
  check_id("amdgcn-amd-amdhsa--gfx90a:xnack+", 3, "amdgcn-amd-amdhsa--gfx90a+xnack+sram-ecc");
  check_id("gfx1030", 5, "amdgcn-amd-amdhsa--gfx1030");
  check_id("gfx901", 4, "amdgcn-amd-amdhsa--gfx900:xnack+");
  check_id("gfx9-generic", 6, "amdgcn-amd-amdhsa--gfx9-generic");
}

static void wrong_target_ids_are_refused(void **state) {
  (void)state;
  static const char *const wrong[] = {"gfx1", "gfx1030:xnack+", "gfx90a:xnack", "x86_64-amd-amdhsa--gfx900",
                                      "",     "gfx900:frob+"};
  for (size_t i = 0; i < OG_COUNT(wrong); i++) {
    struct og_diagnostics *diagnostics = og_diagnostics_new();
    struct og_target target;
    assert_false(og_target_parse_id(&target, og_text(wrong[i]), diagnostics));
    assert_int_equal(og_diagnostics_errors(diagnostics), 1);
    og_diagnostics_free(diagnostics);
  }
}

static uint32_t flags(const char *id, int version) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_target target;
  assert_true(og_target_parse_id(&target, og_text(id), diagnostics));
  og_diagnostics_free(diagnostics);
  return og_target_e_flags(&target, version);
}

static void e_flags_hold_processor_and_features(void **state) {
  (void)state;
  assert_int_equal(flags("gfx900", 3), 0x12c);
  assert_int_equal(flags("gfx900", 4), 0x12c);
  assert_int_equal(flags("gfx908:xnack-", 3), 0x230);
  assert_int_equal(flags("gfx90a:sramecc+:xnack-", 5), 0xe3f);
  assert_int_equal(flags("gfx1030", 4), 0x036);
  assert_int_equal(flags("gfx9-generic", 6), 0x01000151);
  struct og_target target;
  assert_true(og_target_from_e_flags(&target, 64, 2, 0xe3f));
  assert_int_equal(target.sramecc, OG_ON);
  assert_int_equal(target.xnack, OG_OFF);
  assert_false(og_target_from_e_flags(&target, 64, 2, 0xff));
}

static void attributes_choose_features(void **state) {
  (void)state;
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_target target;
  assert_true(og_target_parse(&target, "amdgcn-amd-amdhsa", "gfx1030", "+wavefrontsize64,-dot1-insts", diagnostics));
  assert_int_equal(target.wave_size, 64);
  assert_false(og_has_feature(&target.features, og_find_feature(OG_TEXT("dot1-insts"))));
  assert_true(og_has_feature(&target.features, og_find_feature(OG_TEXT("wavefrontsize64"))));
  assert_int_equal(og_diagnostics_count(diagnostics), 0);
  assert_true(og_target_parse(&target, NULL, "gfx900", "+frobnicate", diagnostics));
  assert_int_equal(og_diagnostics_count(diagnostics), 1);
  assert_int_equal(og_diagnostics_errors(diagnostics), 0);
  og_diagnostics_free(diagnostics);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(processors_are_found_by_either_name),
      cmocka_unit_test(target_ids_are_read_and_written_in_both_forms),
      cmocka_unit_test(wrong_target_ids_are_refused),
      cmocka_unit_test(e_flags_hold_processor_and_features),
      cmocka_unit_test(attributes_choose_features),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
