/* Images and samplers: what is possible, how large they are, import, export, copies, clears; and that a kernel reads
 * what was imported, through the descriptor that the handle points to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <hsa/hsa_ext_amd.h>
#include <hsa/hsa_ext_image.h>

#include "packets.h"

enum { WIDTH = 40, HEIGHT = 9 };

/* Each lane loads the texel of its number in x and 3 in y, and stores the four results where the arguments say. */
static const char source[] = KERNEL("fetch", "  s_load_dwordx4 s[4:7], s[0:1], 0x0\n  s_waitcnt lgkmcnt(0)\n"
                                             "  s_load_dwordx8 s[8:15], s[4:5], 0x0\n  v_mov_b32_e32 v1, 3\n"
                                             "  v_lshlrev_b32_e32 v6, 4, v0\n  s_waitcnt lgkmcnt(0)\n"
                                             "  image_load v[2:5], v[0:1], s[8:15] dmask:0xf unorm\n"
                                             "  s_waitcnt vmcnt(0)\n  global_store_dwordx4 v6, v[2:5], s[6:7]\n");

static int open_runtime(void **state) {
  (void)state;
  open_kernels(source);
  return 0;
}

static int close_runtime(void **state) {
  (void)state;
  close_kernels();
  return 0;
}

static hsa_ext_image_descriptor_t describe(hsa_ext_image_geometry_t geometry, uint32_t type, uint32_t order) {
  return (hsa_ext_image_descriptor_t){geometry, WIDTH, HEIGHT, 3, 3, {type, order}};
}

/* An image of that description with memory of its own. */
static hsa_ext_image_t create(const hsa_ext_image_descriptor_t *descriptor, void **data) {
  hsa_ext_image_data_info_t info;
  hsa_ext_image_t image = {0};
  WORKS(hsa_ext_image_data_get_info(gpus[0], descriptor, HSA_ACCESS_PERMISSION_RW, &info));
  *data = memory(info.size);
  assert_int_equal((uintptr_t)*data % info.alignment, 0);
  WORKS(hsa_ext_image_create(gpus[0], descriptor, *data, HSA_ACCESS_PERMISSION_RW, &image));
  return image;
}

static void formats_are_told(void **state) {
  (void)state;
  static const struct {
    uint32_t type, order;
    bool known;
  } cases[] = {
      {HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8, HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA, true},
      {HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_INT8, HSA_EXT_IMAGE_CHANNEL_ORDER_SRGBA, true},
      {HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT, HSA_EXT_IMAGE_CHANNEL_ORDER_R, true},
      {HSA_EXT_IMAGE_CHANNEL_TYPE_HALF_FLOAT, HSA_EXT_IMAGE_CHANNEL_ORDER_RG, true},
      {HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32, HSA_EXT_IMAGE_CHANNEL_ORDER_RGBA, true},
      {HSA_EXT_IMAGE_CHANNEL_TYPE_SIGNED_INT16, HSA_EXT_IMAGE_CHANNEL_ORDER_A, true},
      {HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT, HSA_EXT_IMAGE_CHANNEL_ORDER_SRGBA, false},
      {HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT, HSA_EXT_IMAGE_CHANNEL_ORDER_DEPTH, false}, /* of a depth geometry alone */
      {HSA_EXT_IMAGE_CHANNEL_TYPE_UNORM_SHORT_565, HSA_EXT_IMAGE_CHANNEL_ORDER_RGB, false},
      {99, HSA_EXT_IMAGE_CHANNEL_ORDER_R, false},
      {HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT, 99, false},
  };
  for (size_t i = 0; i < OG_COUNT(cases); i++) {
    hsa_ext_image_format_t format = {cases[i].type, cases[i].order};
    uint32_t mask = 77;
    WORKS(hsa_ext_image_get_capability(gpus[0], HSA_EXT_IMAGE_GEOMETRY_2D, &format, &mask));
    if (cases[i].known != !!(mask & HSA_EXT_IMAGE_CAPABILITY_READ_ONLY))
      fail_msg("type %u, order %u: capabilities 0x%x", cases[i].type, cases[i].order, mask);
    hsa_ext_image_descriptor_t descriptor = describe(HSA_EXT_IMAGE_GEOMETRY_2D, cases[i].type, cases[i].order);
    hsa_ext_image_data_info_t info;
    hsa_status_t status = hsa_ext_image_data_get_info(gpus[0], &descriptor, HSA_ACCESS_PERMISSION_RO, &info);
    assert_int_equal(status, cases[i].known ? HSA_STATUS_SUCCESS : HSA_EXT_STATUS_ERROR_IMAGE_FORMAT_UNSUPPORTED);
  }
}

static void kernels_load_what_was_imported(void **state) {
  (void)state;
  hsa_ext_image_descriptor_t descriptor = describe(HSA_EXT_IMAGE_GEOMETRY_2D, HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
                                                   HSA_EXT_IMAGE_CHANNEL_ORDER_BGRA);
  void *data;
  hsa_ext_image_t image = create(&descriptor, &data);
  uint8_t texels[HEIGHT][WIDTH][4], back[HEIGHT][WIDTH][4] = {0};
  for (int i = 0; i < HEIGHT * WIDTH * 4; i++)
    ((uint8_t *)texels)[i] = (uint8_t)(i * 7 + i / 256);
  hsa_ext_image_region_t whole = {{0, 0, 0}, {WIDTH, HEIGHT, 1}};
  WORKS(hsa_ext_image_import(gpus[0], texels, 0, 0, image, &whole));
  WORKS(hsa_ext_image_export(gpus[0], image, back, WIDTH * 4, 0, &whole));
  assert_memory_equal(texels, back, sizeof texels);
  const uint32_t *object = (const uint32_t *)(uintptr_t)image.handle;
  assert_int_equal(object[8], HSA_EXT_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8); /* where device libraries look */
  assert_int_equal(object[9], HSA_EXT_IMAGE_CHANNEL_ORDER_BGRA);
  assert_int_equal(object[10], WIDTH);
  uint64_t *arguments = memory(16);
  uint32_t(*out)[4] = memory(64 * 16);
  arguments[0] = image.handle;
  arguments[1] = (uintptr_t)out;
  hsa_queue_t *queue = new_queue(64);
  hsa_signal_t done = new_signal(1);
  dispatch(queue, kernel("fetch"), arguments, done);
  assert_int_equal(wait_zero(done), 0);
  for (int x = 0; x < 64; x++) {
    static const uint8_t swizzle[] = {2, 1, 0, 3};
    for (int c = 0; c < 4; c++)
      if (out[x][c] != (x < WIDTH ? texels[3][x][swizzle[c]] : 0u))
        fail_msg("x %d component %d: %u", x, c, out[x][c]);
  }
  WORKS(hsa_signal_destroy(done));
  WORKS(hsa_queue_destroy(queue));
  WORKS(hsa_ext_image_destroy(gpus[0], image));
  assert_int_equal(hsa_ext_image_destroy(gpus[0], image), HSA_STATUS_ERROR_INVALID_ARGUMENT);
}

static void regions_of_every_geometry_are_copied_and_cleared(void **state) {
  (void)state;
  static const hsa_ext_image_geometry_t geometries[] = {
      HSA_EXT_IMAGE_GEOMETRY_1D, HSA_EXT_IMAGE_GEOMETRY_2D, HSA_EXT_IMAGE_GEOMETRY_3D, HSA_EXT_IMAGE_GEOMETRY_1DA,
      HSA_EXT_IMAGE_GEOMETRY_2DA, HSA_EXT_IMAGE_GEOMETRY_1DB};
  static const hsa_dim3_t sizes[] = {{WIDTH, 1, 1}, {WIDTH, HEIGHT, 1}, {WIDTH, HEIGHT, 3},
                                     {WIDTH, 3, 1}, {WIDTH, HEIGHT, 3}, {WIDTH, 1, 1}};
  for (size_t g = 0; g < OG_COUNT(geometries); g++) {
    hsa_ext_image_descriptor_t descriptor =
        describe(geometries[g], HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT, HSA_EXT_IMAGE_CHANNEL_ORDER_RG);
    void *data, *other_data;
    hsa_ext_image_t image = create(&descriptor, &data), other = create(&descriptor, &other_data);
    size_t count = (size_t)sizes[g].x * sizes[g].y * sizes[g].z;
    float *texels = malloc(count * 8), *back = malloc(count * 8);
    for (size_t i = 0; i < 2 * count; i++)
      texels[i] = (float)i;
    hsa_ext_image_region_t whole = {{0, 0, 0}, sizes[g]}, one = {{5, sizes[g].y - 1, sizes[g].z - 1}, {1, 1, 1}};
    WORKS(hsa_ext_image_import(gpus[0], texels, 0, 0, image, &whole));
    WORKS(hsa_ext_image_copy(gpus[0], image, &whole.offset, other, &whole.offset, &whole.range));
    const float colour[4] = {-1, -2, -3, -4};
    WORKS(hsa_ext_image_clear(gpus[0], other, colour, &one));
    size_t at = 2 * (5 + WIDTH * ((sizes[g].y - 1) + sizes[g].y * (sizes[g].z - 1)));
    texels[at] = -1, texels[at + 1] = -2;
    WORKS(hsa_ext_image_export(gpus[0], other, back, 0, 0, &whole));
    if (memcmp(texels, back, count * 8) != 0)
      fail_msg("geometry %d", geometries[g]);
    hsa_ext_image_region_t beyond = {{1, 0, 0}, sizes[g]}, wrapping = {{UINT32_MAX, 0, 0}, {2, 1, 1}};
    assert_int_equal(hsa_ext_image_export(gpus[0], other, back, 0, 0, &beyond), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_ext_image_clear(gpus[0], other, colour, &wrapping), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    assert_int_equal(hsa_ext_image_import(gpus[0], texels, 1, 0, other, &whole), HSA_STATUS_ERROR_INVALID_ARGUMENT);
    WORKS(hsa_ext_image_destroy(gpus[0], image));
    WORKS(hsa_ext_image_destroy(gpus[0], other));
    free(texels);
    free(back);
  }
}

static void layouts_and_sizes_that_cannot_be_are_refused(void **state) {
  (void)state;
  hsa_ext_image_descriptor_t d = describe(HSA_EXT_IMAGE_GEOMETRY_2D, HSA_EXT_IMAGE_CHANNEL_TYPE_FLOAT,
                                          HSA_EXT_IMAGE_CHANNEL_ORDER_R);
  hsa_ext_image_data_info_t info;
  hsa_ext_image_t image;
  void *data = memory(1 << 16);
  WORKS(hsa_ext_image_data_get_info_with_layout(gpus[0], &d, HSA_ACCESS_PERMISSION_RW, HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR,
                                                512, 512 * HEIGHT, &info));
  assert_int_equal(info.size, 512 * HEIGHT);
  assert_int_equal(hsa_ext_image_data_get_info_with_layout(gpus[0], &d, HSA_ACCESS_PERMISSION_RW,
                                                           HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR, 510, 0, &info),
                   HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED);
  assert_int_equal(hsa_ext_image_data_get_info_with_layout(gpus[0], &d, HSA_ACCESS_PERMISSION_RW,
                                                           HSA_EXT_IMAGE_DATA_LAYOUT_LINEAR, WIDTH, 0, &info),
                   HSA_EXT_STATUS_ERROR_IMAGE_PITCH_UNSUPPORTED);
  assert_int_equal(hsa_ext_image_create(gpus[0], &d, (char *)data + 4, HSA_ACCESS_PERMISSION_RW, &image),
                   HSA_STATUS_ERROR_INVALID_ARGUMENT);
  d.width = 0;
  assert_int_equal(hsa_ext_image_create(gpus[0], &d, data, HSA_ACCESS_PERMISSION_RW, &image),
                   HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED);
  d.width = 1 << 20;
  assert_int_equal(hsa_ext_image_create(gpus[0], &d, data, HSA_ACCESS_PERMISSION_RW, &image),
                   HSA_EXT_STATUS_ERROR_IMAGE_SIZE_UNSUPPORTED);
  d.geometry = (hsa_ext_image_geometry_t)9;
  assert_int_equal(hsa_ext_image_create(gpus[0], &d, data, HSA_ACCESS_PERMISSION_RW, &image),
                   HSA_STATUS_ERROR_INVALID_ARGUMENT);
  assert_int_equal(hsa_ext_image_create((hsa_agent_t){0}, &d, data, HSA_ACCESS_PERMISSION_RW, &image),
                   HSA_STATUS_ERROR_INVALID_AGENT);
  uint32_t most[2] = {0};
  WORKS(hsa_amd_image_get_info_max_dim(gpus[0], (hsa_agent_info_t)HSA_EXT_AGENT_INFO_IMAGE_2D_MAX_ELEMENTS, most));
  assert_int_equal(most[0], 16384);
}

static void samplers_are_made(void **state) {
  (void)state;
  for (uint32_t mode = 0; mode < 2; mode++)
    for (uint32_t filter = 0; filter < 2; filter++)
      for (uint32_t address = 0; address < 5; address++) {
        hsa_ext_sampler_descriptor_t descriptor = {mode, filter, address};
        hsa_ext_sampler_t sampler;
        WORKS(hsa_ext_sampler_create(gpus[0], &descriptor, &sampler));
        const uint32_t *words = (const uint32_t *)(uintptr_t)sampler.handle;
        assert_int_equal(words[0] >> 15 & 1, mode == HSA_EXT_SAMPLER_COORDINATE_MODE_UNNORMALIZED);
        WORKS(hsa_ext_sampler_destroy(gpus[0], sampler));
        assert_int_equal(hsa_ext_sampler_destroy(gpus[0], sampler), HSA_STATUS_ERROR_INVALID_ARGUMENT);
      }
  hsa_ext_sampler_descriptor_t wrong = {0, 0, 5};
  hsa_ext_sampler_t sampler;
  assert_int_equal(hsa_ext_sampler_create(gpus[0], &wrong, &sampler),
                   HSA_EXT_STATUS_ERROR_SAMPLER_DESCRIPTOR_UNSUPPORTED);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(formats_are_told),
      cmocka_unit_test(kernels_load_what_was_imported),
      cmocka_unit_test(regions_of_every_geometry_are_copied_and_cleared),
      cmocka_unit_test(layouts_and_sizes_that_cannot_be_are_refused),
      cmocka_unit_test(samplers_are_made),
  };
  return cmocka_run_group_tests(tests, open_runtime, close_runtime);
}
