/* The public interface on what is empty, missing or garbage: values and diagnostics, never a crash. */
#include <offgrid.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

static og_bytes assemble(const char *source, const og_assemble_options *options, og_diagnostics *d) {
  og_bytes object = {(uint8_t *)&object, 1}; /* what stood there does not matter */
  bool ok = og_assemble_source(source, strlen(source), options, &object, d);
  assert_int_equal(ok, object.size > 0);
  assert_int_equal(ok, og_diagnostics_errors(d) == 0);
  return object;
}

static void nothing_can_be_freed(void **state) {
  (void)state;
  og_bytes none = {0};
  og_diagnostics_free(NULL);
  og_module_free(NULL);
  og_disassembler_free(NULL);
  og_device_free(NULL);
  og_bytes_free(NULL);
  og_bytes_free(&none);
}

static void sources_at_fault_leave_no_object(void **state) {
  (void)state;
  static const og_assemble_options options[] = {{0},
                                                {.processor = "gfx900", .code_object_version = 9},
                                                {.processor = "gfx900", .triple = "x86_64"},
                                                {.processor = "gfx"}};
  for (size_t i = 0; i <= sizeof options / sizeof *options; i++) {
    og_diagnostics *d = og_diagnostics_new();
    og_bytes object = assemble("s_nop 0\n", i ? &options[i - 1] : NULL, d);
    assert_null(object.data);
    assert_int_equal(og_diagnostics_errors(d), 1);
    og_diagnostics_free(d);
  }
  og_diagnostics *d = og_diagnostics_new();
  og_bytes object = assemble("v_x\nv_y\n", &(og_assemble_options){.processor = "gfx900"}, d);
  assert_null(object.data);
  assert_int_equal(og_diagnostics_errors(d), 2);
  assert_string_equal(og_diagnostics_text(d, 1), "<memory>:2:1: error: invalid instruction\nv_y\n^~~\n");
  assert_null(og_diagnostics_text(d, 2));
  og_diagnostics_free(d);
}

/* Nothing beyond what the caller has room for is written. */
static void diagnostics_come_apart(void **state) {
  (void)state;
  og_diagnostics *d = og_diagnostics_new();
  assemble("s_nop 0\n  v_y\n", &(og_assemble_options){.processor = "gfx900", .name = "k.s"}, d);
  og_diagnostic_info info = {.info_size = sizeof info};
  assert_true(og_diagnostics_get(d, 0, &info));
  assert_int_equal(info.info_size, sizeof info);
  assert_int_equal(info.severity, OG_DIAGNOSTIC_ERROR);
  assert_string_equal(info.file, "k.s");
  assert_int_equal(info.line, 2);
  assert_int_equal(info.column, 3);
  assert_null(info.code);
  assert_string_equal(info.message, "invalid instruction");
  assert_false(og_diagnostics_get(d, 1, &info));
  og_diagnostic_info older = {.info_size = offsetof(og_diagnostic_info, message), .message = "kept"};
  assert_true(og_diagnostics_get(d, 0, &older));
  assert_int_equal(older.line, 2);
  assert_string_equal(older.message, "kept");
  og_diagnostics_free(d);
}

static void garbage_opens_as_nothing(void **state) {
  (void)state;
  og_diagnostics *d = og_diagnostics_new();
  og_bytes garbage = {(uint8_t *)(uintptr_t)"garbage", 7}, linked;
  assert_false(og_link_objects(NULL, 0, &linked, d));
  assert_false(og_link_objects(&garbage, 1, &linked, d));
  assert_null(linked.data);
  assert_null(og_module_open(NULL, 0, NULL, d));
  assert_null(og_module_open("\177ELF", 4, "cut", d));
  assert_null(og_disassembler_new("gfx9", NULL, d));
  assert_null(og_disassembler_new("", "+xnack", d));
  assert_int_equal(og_diagnostics_errors(d), 6);
  og_diagnostics_free(d);
}

static void every_byte_is_read_once(void **state) {
  (void)state;
  static const uint8_t code[] = {0, 0, 0x80, 0xbf, 0xff, 0xff, 0xff, 0xff, 1, 2, 3};
  static const char *const texts[] = {"s_nop 0", ".long 0xffffffff", ".byte 0x01, 0x02, 0x03"};
  og_diagnostics *d = og_diagnostics_new();
  og_disassembler *disassembler = og_disassembler_new("gfx900", NULL, d);
  og_instruction instruction = {.info_size = sizeof instruction};
  size_t at = 0, count = 0, past = 99;
  char text[4];
  for (; og_disassemble_next(disassembler, code, sizeof code, 0x100, &at, &instruction); count++)
    assert_string_equal(instruction.text, texts[count]);
  assert_int_equal(at, sizeof code);
  assert_int_equal(count, 3);
  assert_false(og_disassemble_next(disassembler, code, sizeof code, 0, &past, &instruction));
  for (size_t size = 0; size < 4; size++)
    assert_int_equal(og_disassemble(disassembler, code, size, 0, text, sizeof text), 0);
  assert_int_equal(og_disassemble(disassembler, code, sizeof code, 0, text, sizeof text), 4);
  assert_string_equal(text, "s_n");
  assert_int_equal(og_disassemble(disassembler, code, sizeof code, 0, NULL, 0), 4);
  og_disassembler_free(disassembler);
  og_diagnostics_free(d);
}

static void devices_refuse_what_is_not_there(void **state) {
  (void)state;
  og_diagnostics *d = og_diagnostics_new();
  og_bytes object = assemble("s_endpgm\n", &(og_assemble_options){.processor = "gfx900"}, d), linked;
  assert_true(og_link_objects(&object, 1, &linked, d));
  og_module *module = og_module_open(linked.data, linked.size, "k", d);
  og_kernel_info kernel = {.info_size = sizeof kernel};
  og_code_section section = {.info_size = sizeof section};
  assert_int_equal(og_module_kernel_count(module), 0);
  assert_false(og_module_kernel(module, 0, &kernel));
  assert_true(og_module_code(module, 0, &section));
  assert_false(og_module_code(module, 9, &section));
  og_device *device = og_device_new(module, d);
  assert_false(og_device_run(device, &(og_launch){.kernel = "none"}, NULL, d));
  assert_false(og_device_run(device, &(og_launch){0}, NULL, d));
  assert_string_equal(og_diagnostics_text(d, 1), "k: error: no kernel ''\n");
  assert_null(og_device_allocate(device, (size_t)1 << 62));
  og_device_release(device, NULL);
  og_device_free(device);
  og_module_free(module);
  og_bytes_free(&object);
  og_bytes_free(&linked);
  og_diagnostics_free(d);
}

/* ---- a device that is stopped ------------------------------------------------------------------------------------ */

static const char kernels[] =
    ".macro kernel name\n"
    ".globl \\name\n.p2align 8\n.type \\name,@function\n\\name:\n"
    ".endm\n"
    ".macro end name\n"
    "s_endpgm\n.L\\name: .size \\name, .L\\name-\\name\n.rodata\n"
    ".amdhsa_kernel \\name\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 8\n"
    ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.end_amdhsa_kernel\n.text\n"
    ".endm\n"
    "kernel spin\n.Lspin0: s_barrier\n s_branch .Lspin0\nend spin\n"
    "kernel add\n s_load_dwordx2 s[2:3], s[0:1], 0\n v_mov_b32 v0, 0\n v_mov_b32 v1, 1\n s_waitcnt lgkmcnt(0)\n"
    " global_atomic_add v0, v1, s[2:3]\nend add\n"
    ".amdgpu_metadata\namdhsa.version: [1, 2]\namdhsa.kernels:\n"
    "  - {.name: add, .symbol: add.kd, .kernarg_segment_size: 8, .kernarg_segment_align: 8, .wavefront_size: 64,\n"
    "     .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .sgpr_count: 8, .vgpr_count: 8,\n"
    "     .max_flat_workgroup_size: 1024, .args: [{.offset: 0, .size: 8, .value_kind: global_buffer}]}\n"
    ".end_amdgpu_metadata\n";

static void device_refuses_what_no_launch_can_be(void **state) {
  (void)state;
  og_diagnostics *d = og_diagnostics_new();
  og_bytes object = assemble(kernels, &(og_assemble_options){.processor = "gfx900"}, d), linked;
  assert_true(og_link_objects(&object, 1, &linked, d));
  og_module *module = og_module_open(linked.data, linked.size, "k", d);
  og_device *device = og_device_new(module, d);
  uint32_t *sum = og_device_allocate(device, sizeof *sum);
  og_launch add = {.kernel = "add", .grid = {64}, .arguments = &sum, .arguments_size = 4};
  assert_false(og_device_run(device, &add, NULL, d));
  assert_string_equal(og_diagnostics_text(d, 0), "k: error: kernel 'add': 4 bytes of arguments given, 8 expected\n");
  add.arguments_size = sizeof sum;
  add.grid[0] = 0;
  assert_false(og_device_run(device, &add, NULL, d));
  assert_string_equal(og_diagnostics_text(d, 1),
                      "k: error: kernel 'add': the grid has 0 work-items in its first dimension\n");
  assert_int_equal(*sum, 0);
  og_device_release(device, sum);
  og_device_free(device);
  og_module_free(module);
  og_bytes_free(&object);
  og_bytes_free(&linked);
  og_diagnostics_free(d);
}

struct stopper {
  og_device *device;
  int done; /* atomic */
};

static void *keep_stopping(void *argument) {
  struct stopper *stopper = argument;
  while (!__atomic_load_n(&stopper->done, __ATOMIC_ACQUIRE)) {
    og_device_stop(stopper->device);
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
  return NULL;
}

static void run_until_stopped(og_device *device, og_diagnostics *d) {
  struct stopper stopper = {.device = device};
  pthread_t thread;
  pthread_create(&thread, NULL, keep_stopping, &stopper);
  assert_false(og_device_run(device, &(og_launch){.kernel = "spin", .grid = {1024}, .group = {256}, .threads = 2},
                             NULL, d));
  __atomic_store_n(&stopper.done, 1, __ATOMIC_RELEASE);
  pthread_join(thread, NULL);
}

static void device_that_was_stopped_runs_again(void **state) {
  (void)state;
  og_diagnostics *d = og_diagnostics_new();
  og_bytes object = assemble(kernels, &(og_assemble_options){.processor = "gfx900"}, d), linked;
  assert_true(og_link_objects(&object, 1, &linked, d));
  og_module *module = og_module_open(linked.data, linked.size, "k", d);
  og_device *device = og_device_new(module, d);
  uint32_t *sum = og_device_allocate(device, sizeof *sum);
  og_launch add = {.kernel = "add", .grid = {6400}, .group = {64}, .threads = 2, .arguments = &sum,
                   .arguments_size = sizeof sum};
  og_device_stop(device); /* where nothing runs */
  assert_true(og_device_run(device, &add, NULL, d));
  run_until_stopped(device, d);
  assert_true(og_device_run(device, &add, NULL, d));
  assert_false(og_device_run(device, &(og_launch){.kernel = "spin", .grid = {64}, .group = {64}, .timeout = 0.01},
                             NULL, d));
  assert_true(og_device_run(device, &add, NULL, d));
  assert_int_equal(*sum, 3 * 6400);
  assert_int_equal(og_diagnostics_errors(d), 2);
  assert_non_null(strstr(og_diagnostics_text(d, 0), "kernel 'spin': stopped by og_device_stop"));
  assert_non_null(strstr(og_diagnostics_text(d, 1), "kernel 'spin': still running after 0.01 seconds"));
  og_device_release(device, sum);
  og_device_free(device);
  og_module_free(module);
  og_bytes_free(&object);
  og_bytes_free(&linked);
  og_diagnostics_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_can_be_freed), cmocka_unit_test(sources_at_fault_leave_no_object),
      cmocka_unit_test(garbage_opens_as_nothing), cmocka_unit_test(diagnostics_come_apart),
      cmocka_unit_test(every_byte_is_read_once),
      cmocka_unit_test(devices_refuse_what_is_not_there), cmocka_unit_test(device_refuses_what_no_launch_can_be),
      cmocka_unit_test(device_that_was_stopped_runs_again)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
