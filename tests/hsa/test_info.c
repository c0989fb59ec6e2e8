/* What the library says of itself, its agents, instruction sets, caches and pools; what it refuses; functions that are
 * there by name alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <hsa/amd_hsa_common.h>
#include <hsa/hsa_ext_finalize.h>
#include <hsa/hsa_ext_image.h>
#include <hsa/hsa_ven_amd_loader.h>

#include "pools.h"

extern struct r_debug _amdgpu_r_debug;

/* ---- the system and its extensions ------------------------------------------------------------------------------- */

static void extensions_have_names_and_tables(void **state) {
  (void)state;
  const char *name;
  bool there;
  uint16_t minor = 99;
  WORKS(hsa_extension_get_name(HSA_EXTENSION_AMD_LOADER, &name));
  assert_string_equal(name, "HSA_EXTENSION_AMD_LOADER");
  assert_int_equal(hsa_extension_get_name(0x7000, &name), HSA_STATUS_ERROR_INVALID_ARGUMENT);
  WORKS(hsa_system_extension_supported(HSA_EXTENSION_IMAGES, 1, 0, &there));
  assert_true(there);
  WORKS(hsa_system_extension_supported(HSA_EXTENSION_FINALIZER, 1, 0, &there));
  assert_false(there);
  WORKS(hsa_system_major_extension_supported(HSA_EXTENSION_AMD_LOADER, 1, &minor, &there));
  assert_true(there && minor == 3);
  WORKS(hsa_system_major_extension_supported(HSA_EXTENSION_AMD_LOADER, 2, &minor, &there));
  assert_false(there);
  WORKS(hsa_agent_extension_supported(HSA_EXTENSION_IMAGES, gpus[0], 1, 0, &there));
  assert_true(there);
  WORKS(hsa_agent_major_extension_supported(HSA_EXTENSION_IMAGES, gpus[0], 1, &minor, &there));
  assert_true(there && minor == 0);
  assert_int_equal(hsa_agent_extension_supported(HSA_EXTENSION_IMAGES, (hsa_agent_t){1}, 1, 0, &there),
                   HSA_STATUS_ERROR_INVALID_AGENT);
  hsa_ven_amd_loader_1_03_pfn_t table = {0};
  WORKS(hsa_system_get_extension_table(HSA_EXTENSION_AMD_LOADER, 1, 1, &table));
  assert_non_null(table.hsa_ven_amd_loader_query_host_address);
  assert_null(table.hsa_ven_amd_loader_iterate_executables); /* of version 1.3 */
  assert_int_equal(hsa_system_get_extension_table(HSA_EXTENSION_FINALIZER, 1, 0, &table), HSA_STATUS_ERROR);
  assert_ptr_not_equal(&_amdgpu_r_debug, NULL);
}

static void ticks_are_tenths_of_microseconds(void **state) {
  (void)state;
  uint64_t system;
  WORKS(hsa_amd_profiling_convert_tick_to_system_domain(gpus[0], 1000, &system));
  assert_int_equal(system, 10000);
  assert_int_equal(hsa_amd_profiling_convert_tick_to_system_domain((hsa_agent_t){1}, 0, &system),
                   HSA_STATUS_ERROR_INVALID_AGENT);
}

/* ---- instruction sets, waves, caches ----------------------------------------------------------------------------- */

static hsa_status_t keep_isa(hsa_isa_t isa, void *data) {
  *(hsa_isa_t *)data = isa;
  return HSA_STATUS_SUCCESS;
}

static hsa_status_t add_wave(hsa_wavefront_t wave, void *data) {
  uint32_t size;
  WORKS(hsa_wavefront_get_info(wave, HSA_WAVEFRONT_INFO_SIZE, &size));
  *(uint32_t *)data += size;
  return HSA_STATUS_SUCCESS;
}

static void instruction_sets_are_found_by_name(void **state) {
  (void)state;
  static const char *const names[] = {"amdgcn-amd-amdhsa--gfx906:sramecc+:xnack-", "amdgcn-amd-amdhsa--gfx1030"};
  static const uint32_t waves[] = {64, 32 + 64};
  for (int i = 0; i < 2; i++) {
    hsa_isa_t isa, found;
    char name[100];
    uint32_t length, sizes = 0, convention = 0;
    bool fits;
    WORKS(hsa_agent_iterate_isas(gpus[i], keep_isa, &isa));
    WORKS(hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length));
    assert_int_equal(length, strlen(names[i]) + 1);
    WORKS(hsa_isa_get_info(isa, HSA_ISA_INFO_NAME, 0, name));
    assert_string_equal(name, names[i]);
    WORKS(hsa_isa_from_name(name, &found));
    assert_int_equal(found.handle, isa.handle);
    WORKS(hsa_isa_get_info(isa, HSA_ISA_INFO_CALL_CONVENTION_COUNT, 0, &convention));
    assert_int_equal(convention, 1);
    assert_int_equal(hsa_isa_get_info(isa, HSA_ISA_INFO_NAME, 1, name), HSA_STATUS_ERROR_INVALID_INDEX);
    WORKS(hsa_isa_iterate_wavefronts(isa, add_wave, &sizes));
    assert_int_equal(sizes, waves[i]);
    WORKS(hsa_isa_compatible(isa, isa, &fits));
    assert_true(fits);
    uint16_t policies = 99;
    WORKS(hsa_isa_get_exception_policies(isa, HSA_PROFILE_BASE, &policies));
    assert_int_equal(policies, 0);
    WORKS(hsa_agent_get_exception_policies(gpus[i], HSA_PROFILE_BASE, &policies));
    assert_int_equal(policies, 0);
    hsa_round_method_t method;
    WORKS(hsa_isa_get_round_method(isa, HSA_FP_TYPE_32, HSA_FLUSH_MODE_NON_FTZ, &method));
    assert_int_equal(method, HSA_ROUND_METHOD_SINGLE);
  }
  hsa_isa_t isa;
  assert_int_equal(hsa_isa_from_name("amdgcn-amd-amdhsa--gfx900", &isa), HSA_STATUS_ERROR_INVALID_ISA_NAME);
  assert_int_equal(hsa_isa_iterate_wavefronts((hsa_isa_t){1}, add_wave, NULL), HSA_STATUS_ERROR_INVALID_ISA);
  assert_int_equal(hsa_wavefront_get_info((hsa_wavefront_t){7}, HSA_WAVEFRONT_INFO_SIZE, NULL),
                   HSA_STATUS_ERROR_INVALID_WAVEFRONT);
}

static hsa_status_t count_cache(hsa_cache_t cache, void *data) {
  uint32_t length, size;
  uint8_t level;
  char name[8];
  WORKS(hsa_cache_get_info(cache, HSA_CACHE_INFO_NAME_LENGTH, &length));
  WORKS(hsa_cache_get_info(cache, HSA_CACHE_INFO_NAME, name));
  WORKS(hsa_cache_get_info(cache, HSA_CACHE_INFO_LEVEL, &level));
  WORKS(hsa_cache_get_info(cache, HSA_CACHE_INFO_SIZE, &size));
  assert_int_equal(name[1] - '0', level);
  assert_int_equal(strlen(name), length);
  assert_true(size > 0);
  ++*(int *)data;
  return HSA_STATUS_SUCCESS;
}

static void caches_are_told(void **state) {
  (void)state;
  int count = 0;
  WORKS(hsa_agent_iterate_caches(gpus[0], count_cache, &count));
  assert_int_equal(count, 2);
  assert_int_equal(hsa_cache_get_info((hsa_cache_t){777}, HSA_CACHE_INFO_LEVEL, &count),
                   HSA_STATUS_ERROR_INVALID_CACHE);
}

/* ---- pools ------------------------------------------------------------------------------------------------------- */

static void pools_say_what_they_are(void **state) {
  (void)state;
  hsa_amd_segment_t segment;
  size_t size, granule;
  bool allowed;
  hsa_amd_memory_pool_access_t access;
  uint32_t hops;
  WORKS(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment));
  assert_int_equal(segment, HSA_AMD_SEGMENT_GLOBAL);
  WORKS(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size));
  WORKS(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE, &granule));
  WORKS(hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED, &allowed));
  assert_true(allowed && size > 1 << 20 && (granule & (granule - 1)) == 0);
  WORKS(hsa_amd_agent_memory_pool_get_info(gpus[0], pool, HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &access));
  assert_int_equal(access, HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT);
  WORKS(hsa_amd_agent_memory_pool_get_info(gpus[1], pool, HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &access));
  assert_int_equal(access, HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT);
  WORKS(hsa_amd_agent_memory_pool_get_info(gpus[1], pool, HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS, &hops));
  assert_int_equal(hops, 1);
  assert_int_equal(hsa_amd_memory_pool_get_info((hsa_amd_memory_pool_t){1}, HSA_AMD_MEMORY_POOL_INFO_SIZE, &size),
                   HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
  WORKS(hsa_memory_assign_agent(&size, gpus[0], HSA_ACCESS_PERMISSION_RW));
  assert_int_equal(hsa_memory_assign_agent(&size, (hsa_agent_t){1}, HSA_ACCESS_PERMISSION_RW),
                   HSA_STATUS_ERROR_INVALID_AGENT);
  hsa_amd_coherency_type_t type;
  WORKS(hsa_amd_coherency_get_type(gpus[0], &type));
  assert_int_equal(type, HSA_AMD_COHERENCY_TYPE_COHERENT);
  WORKS(hsa_amd_coherency_set_type(gpus[0], HSA_AMD_COHERENCY_TYPE_NONCOHERENT));
  assert_int_equal(hsa_amd_coherency_set_type(gpus[0], 9), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

/* ---- images with a layout that the program chooses --------------------------------------------------------------- */

static void images_have_the_layout_asked_for(void **state) {
  (void)state;
  const hsa_ext_image_descriptor_t descriptor = {.geometry = HSA_EXT_IMAGE_GEOMETRY_2D,
                                                 .width = 16,
                                                 .height = 16,
                                                 .format = {.channel_type = HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8,
                                                            .channel_order = HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA}};
  uint32_t capability = 0;
  void *data;
  hsa_ext_image_t image;
  WORKS(hsa_ext_image_get_capability_with_layout(gpus[0], descriptor.geometry, &descriptor.format,
                                                 HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR, &capability));
  assert_true(capability & HSA_EXT_IMAGE_CAPABILITY_READ_WRITE);
  WORKS(hsa_amd_memory_pool_allocate(pool, 16 * 256, 0, &data));
  WORKS(hsa_ext_image_create_with_layout(gpus[0], &descriptor, data, HSA_ACCESS_PERMISSION_RW,
                                         HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR, 256, 0, &image));
  WORKS(hsa_ext_image_destroy(gpus[0], image));
  WORKS(hsa_amd_memory_pool_free(data));
}

/* ---- signal groups ----------------------------------------------------------------------------------------------- */

static void a_group_waits_for_any(void **state) {
  (void)state;
  hsa_signal_t signals[3], woken;
  hsa_signal_group_t group;
  hsa_signal_condition_t conditions[3] = {HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_EQ, HSA_SIGNAL_CONDITION_LT};
  hsa_signal_value_t values[3] = {7, 7, -1}, value;
  for (int i = 0; i < 3; i++)
    WORKS(hsa_signal_create(i, 0, NULL, &signals[i]));
  WORKS(hsa_signal_group_create(3, signals, 0, NULL, &group));
  hsa_signal_store_relaxed(signals[2], -2);
  WORKS(hsa_signal_group_wait_any_relaxed(group, conditions, values, HSA_WAIT_STATE_BLOCKED, &woken, &value));
  assert_int_equal(woken.handle, signals[2].handle);
  assert_int_equal(value, -2);
  WORKS(hsa_signal_group_destroy(group));
  for (int i = 0; i < 3; i++)
    WORKS(hsa_signal_destroy(signals[i]));
}

/* ---- there by name alone ----------------------------------------------------------------------------------------- */

static void what_cannot_be_done_says_so(void **state) {
  (void)state;
  hsa_ext_program_t program = {0};
  hsa_code_object_t code;
  hsa_ext_control_directives_t directives = {0};
  hsa_ext_image_t image;
  size_t size;
  void *memory;
  assert_int_equal(hsa_ext_program_create(HSA_MACHINE_MODEL_LARGE, HSA_PROFILE_BASE,
                                          HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, NULL, &program),
                   HSA_STATUS_ERROR);
  assert_int_equal(hsa_ext_program_add_module(program, NULL), HSA_STATUS_ERROR);
  assert_int_equal(hsa_ext_program_iterate_modules(program, NULL, NULL), HSA_STATUS_ERROR);
  assert_int_equal(hsa_ext_program_get_info(program, HSA_EXT_PROGRAM_INFO_PROFILE, &size), HSA_STATUS_ERROR);
  assert_int_equal(
      hsa_ext_program_finalize(program, (hsa_isa_t){0}, 0, directives, NULL, HSA_CODE_OBJECT_TYPE_PROGRAM, &code),
      HSA_STATUS_ERROR);
  assert_int_equal(hsa_ext_program_destroy(program), HSA_STATUS_ERROR);
  assert_int_equal(hsa_amd_image_create(gpus[0], NULL, NULL, NULL, HSA_ACCESS_PERMISSION_RO, &image), HSA_STATUS_ERROR);
  assert_int_equal(hsa_amd_interop_map_buffer(1, gpus, 0, 0, &size, &memory, NULL, NULL), HSA_STATUS_ERROR);
  assert_int_equal(hsa_amd_interop_unmap_buffer(NULL), HSA_STATUS_ERROR);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(extensions_have_names_and_tables),
      cmocka_unit_test(ticks_are_tenths_of_microseconds),
      cmocka_unit_test(instruction_sets_are_found_by_name),
      cmocka_unit_test(caches_are_told),
      cmocka_unit_test(pools_say_what_they_are),
      cmocka_unit_test(images_have_the_layout_asked_for),
      cmocka_unit_test(a_group_waits_for_any),
      cmocka_unit_test(what_cannot_be_done_says_so),
  };
  return cmocka_run_group_tests(tests, open_runtime, close_runtime);
}
