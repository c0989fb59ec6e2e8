/* How a kernel starts: fields by generation, granules by wave size, registers in the manual's order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "object/object.h"

static struct og_target target_of(const char *processor) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_target target;
  assert_true(og_target_parse(&target, NULL, processor, NULL, diagnostics));
  og_diagnostics_free(diagnostics);
  return target;
}

static struct og_initial_state state_of(const char *processor, const uint8_t *descriptor) {
  struct og_target target = target_of(processor);
  struct og_initial_state state;
  og_initial_state_read(&target, descriptor, false, &state);
  return state;
}

static void registers_are_counted_by_the_generations_granules(void **unused) {
  (void)unused;
  static const struct {
    const char *processor;
    bool wave32;
    unsigned vgprs, sgprs; /* of blocks number 2 and 3 */
  } rows[] = {
      {"gfx600", false, 12, 32},   {"gfx803", false, 12, 32},   {"gfx900", false, 12, 32},   {"gfx90a", false, 24, 32},
      {"gfx950", false, 24, 32},   {"gfx1010", false, 12, 106}, {"gfx1010", true, 24, 106},  {"gfx1030", true, 24, 106},
      {"gfx1100", false, 12, 106}, {"gfx1100", true, 24, 106},  {"gfx1200", true, 24, 106},  {"gfx1250", true, 48, 106},
  };
  for (size_t i = 0; i < OG_COUNT(rows); i++) {
    uint8_t descriptor[OG_DESCRIPTOR_SIZE] = {0};
    og_store32(descriptor + OG_KD_WORD_RSRC1, 2 | 3 << 6);
    og_store16(descriptor + OG_KD_WORD_PROPERTIES, rows[i].wave32 ? 1 << 10 : 0);
    struct og_initial_state state = state_of(rows[i].processor, descriptor);
    assert_int_equal(state.wave_size, rows[i].wave32 ? 32 : 64);
    assert_int_equal(state.vgprs_total, rows[i].vgprs);
    assert_int_equal(state.sgprs, rows[i].sgprs);
  }
}

static void a_field_that_the_target_lacks_reads_0_and_is_not_set(void **unused) {
  (void)unused;
  struct og_target gfx900 = target_of("gfx900"), gfx1100 = target_of("gfx1100");
  uint8_t descriptor[OG_DESCRIPTOR_SIZE] = {0}, none[OG_DESCRIPTOR_SIZE] = {0};
  og_kd_set(&gfx900, descriptor, OG_KD_WGP_MODE, 1);
  assert_memory_equal(descriptor, none, sizeof none);
  og_kd_set(&gfx1100, descriptor, OG_KD_WGP_MODE, 1);
  assert_int_equal(og_kd_get(&gfx1100, descriptor, OG_KD_WGP_MODE), 1);
  assert_int_equal(og_kd_get(&gfx900, descriptor, OG_KD_WGP_MODE), 0);
}

static void fields_of_a_generation_do_not_share_bits(void **unused) {
  (void)unused;
  for (size_t p = 0; p < og_processor_count(); p++) {
    if (og_processor_at(p)->generation == OG_R600)
      continue;
    struct og_target target = target_of(og_processor_at(p)->name);
    uint8_t taken[OG_DESCRIPTOR_SIZE] = {0};
    for (int i = 0; i < OG_KD_FIELD_COUNT; i++) {
      assert_int_equal(og_kd_get(&target, taken, (enum og_kd_field)i), 0);
      og_kd_set(&target, taken, (enum og_kd_field)i, ~0ull);
    }
  }
}

static void user_sgprs_stand_in_the_manuals_order_and_the_hardwares_behind(void **unused) {
  (void)unused;
  uint8_t descriptor[OG_DESCRIPTOR_SIZE] = {0};
  og_store16(descriptor + OG_KD_WORD_PROPERTIES, 0x7f);
  og_store32(descriptor + OG_KD_WORD_RSRC2, 1 | 15 << 1 | 1 << 7 | 1 << 9 | 1 << 10 | 2 << 11);
  struct og_initial_state state = state_of("gfx900", descriptor);
  static const struct {
    enum og_wave_input input;
    uint8_t file, reg, count;
  } rows[] = {
      {OG_INPUT_PRIVATE_SEGMENT_BUFFER, OG_FILE_SGPR, 0, 4}, {OG_INPUT_DISPATCH_PTR, OG_FILE_SGPR, 4, 2},
      {OG_INPUT_QUEUE_PTR, OG_FILE_SGPR, 6, 2},              {OG_INPUT_KERNARG_SEGMENT_PTR, OG_FILE_SGPR, 8, 2},
      {OG_INPUT_DISPATCH_ID, OG_FILE_SGPR, 10, 2},           {OG_INPUT_FLAT_SCRATCH_INIT, OG_FILE_SGPR, 12, 2},
      {OG_INPUT_PRIVATE_SEGMENT_SIZE, OG_FILE_SGPR, 14, 1},  {OG_INPUT_WORKGROUP_ID_X, OG_FILE_SGPR, 15, 1},
      {OG_INPUT_WORKGROUP_ID_Z, OG_FILE_SGPR, 16, 1},        {OG_INPUT_WORKGROUP_INFO, OG_FILE_SGPR, 17, 1},
      {OG_INPUT_SCRATCH_WAVE_OFFSET, OG_FILE_SGPR, 18, 1},   {OG_INPUT_WORKITEM_ID_Z, OG_FILE_VGPR, 2, 1},
  };
  assert_int_equal(state.user_sgprs_wanted, 15);
  assert_int_equal(state.inputs[OG_INPUT_WORKGROUP_ID_Y].file, OG_FILE_NONE);
  for (size_t i = 0; i < OG_COUNT(rows); i++) {
    const struct og_input_place *place = &state.inputs[rows[i].input];
    assert_int_equal(place->file, rows[i].file);
    assert_int_equal(place->reg, rows[i].reg);
    assert_int_equal(place->count, rows[i].count);
  }
  struct og_initial_state gfx12 = state_of("gfx1200", descriptor); /* no scratch in SGPRs, ids in TTMPs */
  assert_int_equal(gfx12.inputs[OG_INPUT_DISPATCH_PTR].reg, 0);
  assert_int_equal(gfx12.inputs[OG_INPUT_WORKGROUP_ID_Z].file, OG_FILE_TTMP);
  assert_int_equal(gfx12.inputs[OG_INPUT_WORKGROUP_INFO].reg, 15);
  assert_int_equal(gfx12.inputs[OG_INPUT_SCRATCH_WAVE_OFFSET].file, OG_FILE_NONE);
}

static void only_amd_kernel_code_t_counts_work_groups(void **unused) {
  (void)unused;
  struct og_target target = target_of("gfx803");
  uint8_t code[OG_KERNEL_CODE_SIZE], descriptor[OG_DESCRIPTOR_SIZE];
  struct og_initial_state state;
  og_kernel_code_defaults(&target, code);
  og_kernel_code_set(code, og_find_kernel_code_field(OG_TEXT("enable_sgpr_kernarg_segment_ptr")), 1);
  og_kernel_code_set(code, og_find_kernel_code_field(OG_TEXT("enable_sgpr_grid_workgroup_count_y")), 1);
  og_kernel_code_to_descriptor(code, descriptor);
  og_initial_state_read(&target, descriptor, true, &state);
  assert_int_equal(state.inputs[OG_INPUT_GRID_WORKGROUP_COUNT_Y].reg, 2);
  assert_int_equal(state.user_sgprs_wanted, 3);
  og_initial_state_read(&target, descriptor, false, &state);
  assert_int_equal(state.inputs[OG_INPUT_GRID_WORKGROUP_COUNT_Y].file, OG_FILE_NONE);
}

static void modes_are_those_of_the_mode_register(void **unused) {
  (void)unused;
  uint8_t descriptor[OG_DESCRIPTOR_SIZE] = {0};
  og_store32(descriptor + OG_KD_WORD_RSRC1, 0xe4u << 12 | 1 << 21 | 1 << 23 | 1 << 26);
  og_store32(descriptor + OG_KD_WORD_RSRC2, 1 << 24 | 1 << 30);
  assert_int_equal(state_of("gfx900", descriptor).mode, 0xe4 | 1 << 8 | 1 << 9 | 0x41 << 12 | 1 << 23);
  assert_int_equal(state_of("gfx803", descriptor).mode, 0xe4 | 1 << 8 | 1 << 9 | 0x41 << 12);
  assert_int_equal(state_of("gfx1200", descriptor).mode, 0xe4 | 1 << 23);
  assert_int_equal(state_of("gfx1200", descriptor).exceptions, 0x41);
}

static void memory_is_allocated_in_granules(void **unused) {
  (void)unused;
  struct og_target gfx6 = target_of("gfx600"), gfx950 = target_of("gfx950"), gfx1100 = target_of("gfx1100"),
                   gfx1250 = target_of("gfx1250");
  assert_int_equal(og_allocated_lds(&gfx6, 1), 256);
  assert_int_equal(og_allocated_lds(&gfx950, 1281), 2560);
  assert_int_equal(og_allocated_lds(&gfx1250, 1), 2048);
  assert_int_equal(og_allocated_scratch(&gfx6, 64, 17), 2048);
  assert_int_equal(og_allocated_scratch(&gfx1100, 32, 17), 768);
  assert_int_equal(og_scratch_max(&gfx1250), 4 * ((16 << 20) - 64)); /* "0 to 16M - 64 dwords" */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(registers_are_counted_by_the_generations_granules),
      cmocka_unit_test(a_field_that_the_target_lacks_reads_0_and_is_not_set),
      cmocka_unit_test(fields_of_a_generation_do_not_share_bits),
      cmocka_unit_test(user_sgprs_stand_in_the_manuals_order_and_the_hardwares_behind),
      cmocka_unit_test(only_amd_kernel_code_t_counts_work_groups),
      cmocka_unit_test(modes_are_those_of_the_mode_register),
      cmocka_unit_test(memory_is_allocated_in_granules),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
