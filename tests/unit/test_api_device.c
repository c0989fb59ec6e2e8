/* The public interface to a device that is watched, checked, and run in the background; whole files between their
 * forms. */
#include <offgrid.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "../lds_overrun.h"

/* A kernel that stores its lane's number, and one that reads what no wait made sure of. */
static const char kernels[] =
    ".macro kernel name\n"
    ".globl \\name\n.p2align 8\n.type \\name,@function\n\\name:\n"
    ".endm\n"
    ".macro end name\n"
    "s_endpgm\n.L\\name: .size \\name, .L\\name-\\name\n.rodata\n.p2align 6\n"
    ".amdhsa_kernel \\name\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 8\n"
    ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_group_segment_fixed_size 256\n.end_amdhsa_kernel\n.text\n"
    ".endm\n"
    "kernel store\n s_load_dwordx2 s[2:3], s[0:1], 0\n v_lshlrev_b32 v1, 2, v0\n ds_write_b32 v1, v0\n"
    " s_waitcnt lgkmcnt(0)\n s_barrier\n global_store_dword v1, v0, s[2:3]\nend store\n"
    "kernel early\n s_load_dwordx2 s[2:3], s[0:1], 0\n v_lshlrev_b32 v1, 2, v0\n s_mov_b32 s4, s2\n"
    " s_waitcnt lgkmcnt(0)\nend early\n"
    ".amdgpu_metadata\namdhsa.version: [1, 2]\namdhsa.kernels:\n"
    "  - {.name: store, .symbol: store.kd, .kernarg_segment_size: 8, .kernarg_segment_align: 8, .wavefront_size: 64,\n"
    "     .group_segment_fixed_size: 256, .private_segment_fixed_size: 0, .sgpr_count: 8, .vgpr_count: 8,\n"
    "     .max_flat_workgroup_size: 1024, .args: [{.offset: 0, .size: 8, .value_kind: global_buffer}]}\n"
    "  - {.name: early, .symbol: early.kd, .kernarg_segment_size: 8, .kernarg_segment_align: 8, .wavefront_size: 64,\n"
    "     .group_segment_fixed_size: 256, .private_segment_fixed_size: 0, .sgpr_count: 8, .vgpr_count: 8,\n"
    "     .max_flat_workgroup_size: 1024, .args: [{.offset: 0, .size: 8, .value_kind: global_buffer}]}\n"
    ".end_amdgpu_metadata\n";

struct bench {
  og_diagnostics *d;
  og_module *module;
  og_device *device;
  uint32_t *out;
  og_launch launch; /* of `store` */
};

static struct bench make_bench(void) {
  struct bench bench = {.d = og_diagnostics_new()};
  og_bytes object, linked;
  assert_true(og_assemble_source(kernels, sizeof kernels - 1, &(og_assemble_options){.processor = "gfx900"}, &object,
                                 bench.d));
  assert_true(og_link_objects(&object, 1, &linked, bench.d));
  bench.module = og_module_open(linked.data, linked.size, "k", bench.d);
  bench.device = og_device_new(bench.module, bench.d);
  og_device_guard(bench.device);
  bench.out = og_device_allocate(bench.device, 256);
  bench.launch = (og_launch){.kernel = "store", .grid = {64}, .group = {64}, .arguments_size = sizeof bench.out};
  og_bytes_free(&object);
  og_bytes_free(&linked);
  return bench;
}

static void free_bench(struct bench *bench) {
  og_device_free(bench->device);
  og_module_free(bench->module);
  og_diagnostics_free(bench->d);
}

/* ---- watchers ---------------------------------------------------------------------------------------------------- */

/* cmocka's assertions are for the test's own thread; kernels run in another. */
struct seen {
  unsigned wrong;
  unsigned begun, ended, instructions, barriers, lds, global;
  uint64_t lane5, first_pc;
};

static void see_begin(void *context, og_view *view) {
  struct seen *seen = context;
  uint32_t group[3], wave;
  uint64_t value;
  og_view_place(view, group, &wave);
  seen->wrong += group[0] + group[1] + group[2] + wave != 0;
  seen->wrong += og_view_lanes(view) != 64;
  seen->wrong += !(og_view_exec(view) == UINT64_MAX);
  seen->wrong += !(og_view_register(view, "exec", 0, &value) && value == UINT64_MAX);
  seen->wrong += og_view_register(view, "v9999", 0, &value);
  seen->wrong += og_view_register(view, "v0", 64, &value);
  seen->begun++;
}

/* Lane 5 stores 77 instead of 5. */
static og_watch_answer see_instruction(void *context, og_view *view) {
  struct seen *seen = context;
  char text[64];
  seen->wrong += og_view_text(view, text, sizeof text) % 4 != 0;
  seen->first_pc = seen->instructions ? seen->first_pc : og_view_pc(view);
  seen->instructions++;
  if (strncmp(text, "global_store_dword", 18) == 0) {
    uint32_t word;
    seen->wrong += !(og_view_register(view, "v0", 5, &seen->lane5));
    seen->wrong += !(og_view_set_register(view, "v0", 5, 77));
    seen->wrong += !(og_view_read(view, OG_ACCESS_LDS, 0, 4 * 6, &word, sizeof word) && word == 6);
    seen->wrong += og_view_read(view, OG_ACCESS_GLOBAL, 0, 16, &word, sizeof word);
  }
  return OG_WATCH_GO_ON;
}

/* The store of lane 9 is dropped. */
static og_watch_answer see_access(void *context, og_view *view, const og_watched_access *access) {
  struct seen *seen = context;
  (void)view;
  seen->lds += access->space == OG_ACCESS_LDS && access->writes && access->size == 4;
  seen->global += access->space == OG_ACCESS_GLOBAL && access->writes && !access->reads;
  return access->space == OG_ACCESS_GLOBAL && access->lane == 9 ? OG_WATCH_SKIP : OG_WATCH_GO_ON;
}

static void see_barrier(void *context, const uint32_t group[3]) {
  ((struct seen *)context)->barriers += group[0] == 0;
}

static void see_end(void *context, og_view *view) {
  (void)view;
  ((struct seen *)context)->ended++;
}

static void watchers_see_and_change_waves(void **state) {
  (void)state;
  struct bench bench = make_bench();
  struct seen seen = {0};
  og_watcher watcher = {sizeof watcher, &seen, see_begin, see_instruction, see_access, see_barrier, see_end};
  bench.launch.arguments = &bench.out;
  bench.launch.watcher = &watcher;
  assert_true(og_device_run(bench.device, &bench.launch, NULL, bench.d));
  assert_int_equal(seen.wrong, 0);
  assert_int_equal(seen.begun, 1);
  assert_int_equal(seen.ended, 1);
  assert_int_equal(seen.instructions, 7);
  assert_int_equal(seen.barriers, 1);
  assert_int_equal(seen.lds, 64);
  assert_int_equal(seen.global, 64);
  assert_int_equal(seen.lane5, 5);
  og_code_section section = {.info_size = sizeof section};
  assert_true(og_module_code(bench.module, 0, &section));
  assert_true(seen.first_pc == section.address);
  assert_int_equal(bench.out[5], 77);
  assert_int_equal(bench.out[9], 0);
  assert_int_equal(bench.out[63], 63);
  watcher.watcher_size = offsetof(og_watcher, instruction); /* an older program's */
  assert_true(og_device_run(bench.device, &bench.launch, NULL, bench.d));
  assert_int_equal(seen.begun, 2);
  assert_int_equal(seen.instructions, 7);
  assert_int_equal(bench.out[9], 9);
  free_bench(&bench);
}

static og_watch_answer stop(void *context, og_view *view) {
  (void)context, (void)view;
  return OG_WATCH_STOP;
}

static void watchers_stop_dispatches(void **state) {
  (void)state;
  struct bench bench = make_bench();
  og_watcher watcher = {.watcher_size = sizeof watcher, .instruction = stop};
  bench.launch.arguments = &bench.out;
  bench.launch.watcher = &watcher;
  assert_false(og_device_run(bench.device, &bench.launch, NULL, bench.d));
  assert_int_equal(og_diagnostics_errors(bench.d), 1);
  assert_non_null(strstr(og_diagnostics_text(bench.d, 0), "stopped by its observer"));
  assert_int_equal(bench.out[63], 0);
  bench.launch.watcher = NULL;
  assert_true(og_device_run(bench.device, &bench.launch, NULL, bench.d));
  assert_int_equal(bench.out[63], 63);
  free_bench(&bench);
}

/* ---- checkers ---------------------------------------------------------------------------------------------------- */

static void checkers_tell_their_findings(void **state) {
  (void)state;
  struct bench bench = make_bench();
  og_bytes json;
  bench.launch.arguments = &bench.out;
  assert_int_equal(og_device_check(bench.device, &bench.launch, NULL, &json, bench.d), 0);
  assert_string_equal((char *)json.data, "{\"findings\":[]}\n");
  og_bytes_free(&json);
  assert_int_equal(og_diagnostics_count(bench.d), 0);
  bench.launch.kernel = "early";
  assert_int_equal(og_device_check(bench.device, &bench.launch, "races", NULL, bench.d), 0);
  assert_int_equal(og_device_check(bench.device, &bench.launch, "waits", &json, bench.d), 1);
  assert_non_null(strstr((char *)json.data, "\"checker\":\"waits\""));
  og_bytes_free(&json);
  assert_int_equal(og_diagnostics_errors(bench.d), 1);
  assert_int_equal(og_device_check(bench.device, &bench.launch, "waist", NULL, bench.d), 0);
  assert_string_equal(og_diagnostics_text(bench.d, og_diagnostics_count(bench.d) - 1),
                      "offgrid: error: 'waist' is no checker of AMD kernels\n");
  free_bench(&bench);
}

static void debug_information_tells_checkers_of_lds(void **state) {
  (void)state;
  og_diagnostics *d = og_diagnostics_new();
  og_bytes code;
  assert_true(og_compile_ir(lds_overrun, sizeof lds_overrun - 1, "gfx900", NULL, &code, d));
  og_module *module = og_module_open(code.data, code.size, "k", d);
  og_device *device = og_device_new(module, d);
  int at = 62;
  og_launch launch = {.kernel = "own", .grid = {1}, .group = {1}, .arguments = &at, .arguments_size = sizeof at};
  assert_int_equal(og_device_check(device, &launch, NULL, NULL, d), 0);
  at = 63;
  for (int i = 0; i < 2; i++)
    assert_int_equal(og_device_check(device, &launch, "bounds", NULL, d), 1);
  assert_non_null(strstr(og_diagnostics_text(d, 0), "of LDS, which no object has: 0 bytes behind the end of 'first'"));
  launch.kernel = "dynamic", launch.dynamic_lds = 64, at = 15;
  assert_int_equal(og_device_check(device, &launch, NULL, NULL, d), 0);
  launch.dynamic_lds = 60;
  assert_int_equal(og_device_check(device, &launch, NULL, NULL, d), 1);
  assert_non_null(
      strstr(og_diagnostics_text(d, og_diagnostics_count(d) - 1), "0 bytes behind the end of 'dynamic LDS'"));
  og_device_free(device);
  og_module_free(module);
  og_bytes_free(&code);
  og_diagnostics_free(d);
}

/* ---- tickets ----------------------------------------------------------------------------------------------------- */

static void tickets_end_in_their_order(void **state) {
  (void)state;
  enum { TICKETS = 8 };
  struct bench bench = make_bench();
  og_diagnostics *d[TICKETS];
  og_ticket *tickets[TICKETS];
  for (int i = 0; i < TICKETS; i++) {
    uint32_t *out = bench.out; /* the arguments are copied */
    bench.launch.arguments = &out;
    bench.launch.kernel = i == 3 ? "none" : "store";
    d[i] = og_diagnostics_new();
    tickets[i] = og_device_start(bench.device, &bench.launch, d[i]);
    assert_non_null(tickets[i]);
  }
  assert_true(og_ticket_wait(tickets[TICKETS - 1], 1e6));
  for (int i = 0; i < TICKETS; i++) {
    og_statistics statistics = {.info_size = sizeof statistics};
    assert_int_equal(og_ticket_end(tickets[i], &statistics), i != 3);
    assert_int_equal(statistics.waves, i != 3);
    assert_int_equal(og_diagnostics_errors(d[i]), i == 3);
    og_diagnostics_free(d[i]);
  }
  assert_int_equal(bench.out[63], 63);
  assert_false(og_ticket_end(NULL, NULL));
  free_bench(&bench);
}

/* ---- files ------------------------------------------------------------------------------------------------------- */

/* A struct of an older program is filled in up to its size, one of size 0 not at all. */
static void structs_are_filled_up_to_their_size(void **state) {
  (void)state;
  struct bench bench = make_bench();
  og_kernel_info info = {.info_size = offsetof(og_kernel_info, wave_size), .wave_size = 99, .argument_count = 99};
  assert_true(og_module_kernel(bench.module, 0, &info));
  assert_string_equal(info.name, "store");
  assert_int_equal(info.wave_size, 99);
  assert_int_equal(info.info_size, offsetof(og_kernel_info, wave_size));
  info = (og_kernel_info){0};
  assert_false(og_module_kernel(bench.module, 0, &info));
  assert_null(info.name);
  free_bench(&bench);
}

static void modules_become_sources(void **state) {
  (void)state;
  struct bench bench = make_bench();
  og_bytes source, object;
  assert_true(og_module_source(bench.module, &source, bench.d));
  assert_non_null(strstr((char *)source.data, "global_store_dword v1, v0, s[2:3]"));
  assert_true(og_assemble_source((char *)source.data, source.size, NULL, &object, bench.d));
  og_bytes_free(&source);
  og_bytes_free(&object);
  free_bench(&bench);
}

/* A bundle as clang-offload-bundler writes it: magic, count, and of each entry offset, size and its id. */
static void bundles_come_apart(void **state) {
  (void)state;
  static const char ids[2][34] = {"host-x86_64-unknown-linux-gnu----", "hipv4-amdgcn-amd-amdhsa--gfx900--"};
  uint8_t bundle[256] = "__CLANG_OFFLOAD_BUNDLE__";
  uint64_t at = 24, count = 2, offset = 248, size;
  memcpy(bundle + at, &count, 8), at += 8;
  for (int i = 0; i < 2; i++) {
    uint64_t id_size = i ? 31 : 29;
    size = i ? 8 : 0;
    memcpy(bundle + at, &offset, 8), memcpy(bundle + at + 8, &size, 8), memcpy(bundle + at + 16, &id_size, 8);
    memcpy(bundle + at + 24, ids[i], id_size);
    at += 24 + id_size;
  }
  memcpy(bundle + 248, "contents", 8);
  og_diagnostics *d = og_diagnostics_new();
  og_offload *offload = og_offload_open(bundle, sizeof bundle, "b", d);
  og_offload_entry entry = {.info_size = sizeof entry};
  assert_non_null(offload);
  assert_true(og_offload_get(offload, 1, &entry));
  assert_string_equal(entry.id, "hipv4-amdgcn-amd-amdhsa--gfx900");
  assert_int_equal(entry.size, 8);
  assert_memory_equal(entry.data, "contents", 8);
  assert_false(og_offload_get(offload, 2, &entry));
  og_offload_free(offload);
  og_offload_free(NULL);
  og_diagnostics_free(d);
}

static void visa_goes_there_and_back(void **state) {
  (void)state;
  static const char text[] = ".version 4.1\n.kernel \"k\"\n.decl V32 v_type=G type=d num_elts=8 align=GRF\n"
                             "mov (M1, 8) V32(0,0)<1> 0x1:d\nret (M1, 1)\n";
  og_diagnostics *d = og_diagnostics_new();
  og_bytes binary, back;
  assert_false(og_visa_assemble(text, sizeof text - 1, "gfx900", &binary, d));
  assert_true(og_visa_assemble(text, sizeof text - 1, "dg2", &binary, d));
  assert_true(og_visa_disassemble(binary.data, binary.size, &back, d));
  assert_non_null(strstr((char *)back.data, "mov (M1, 8) V32(0,0)<1> 0x1:d"));
  assert_int_equal(og_diagnostics_errors(d), 1);
  og_bytes_free(&binary);
  og_bytes_free(&back);
  og_diagnostics_free(d);
}

static void *set_later(void *stop) {
  nanosleep(&(struct timespec){0, 20000000}, NULL);
  __atomic_store_n((int *)stop, 1, __ATOMIC_RELEASE);
  return NULL;
}

static void visa_kernels_are_stopped_from_outside(void **state) {
  (void)state;
  static const char text[] = ".version 4.1\n.kernel \"spin\"\n.kernel_attr SimdSize=8\n"
                             ".decl V32 v_type=G type=d num_elts=8 align=GRF\n"
                             "again:\nmov (M1, 8) V32(0,0)<1> 0x1:d\njmp (M1, 1) again\nret (M1, 1)\n";
  og_diagnostics *d = og_diagnostics_new();
  int stop = 0;
  og_visa_launch launch = {.platform = "skl", .grid = {8}, .group = {8}, .stop = &stop};
  pthread_t thread;
  pthread_create(&thread, NULL, set_later, &stop);
  assert_false(og_visa_launch_kernel(text, sizeof text - 1, &launch, NULL, d));
  pthread_join(thread, NULL);
  assert_int_equal(og_diagnostics_errors(d), 1);
  assert_non_null(strstr(og_diagnostics_text(d, 0), "interrupted"));
  og_diagnostics_free(d);
}

/* Each of 8 channels adds its argument to a dword of a buffer, by a message with addresses. */
static void visa_kernels_run(void **state) {
  (void)state;
  static const char text[] =
      ".version 4.1\n.kernel \"add\"\n.kernel_attr SimdSize=8\n.decl V32 v_type=G type=uq num_elts=1 align=qword\n"
      ".decl V33 v_type=G type=d num_elts=1 align=dword\n.decl V34 v_type=G type=uq num_elts=8 align=GRF\n"
      ".decl V35 v_type=G type=d num_elts=8 align=GRF\n.decl V36 v_type=G type=uw num_elts=8 align=GRF\n"
      ".decl V37 v_type=G type=ud num_elts=8 align=GRF\n"
      ".input V32 offset=64 size=8\n.input V33 offset=72 size=4\n"
      "mov (M1_NM, 8) V36(0,0)<1> 0x76543210:v\n"
      "shl (M1, 8) V37(0,0)<1> V36(0,0)<1;1,0> 0x2:ud\n"
      "add (M1, 8) V34(0,0)<1> V32(0,0)<0;1,0> V37(0,0)<1;1,0>\n"
      "svm_gather.4.1 (M1, 8) V34.0 V35.0\n"
      "add (M1, 8) V35(0,0)<1> V35(0,0)<1;1,0> V33(0,0)<0;1,0>\n"
      "svm_scatter.4.1 (M1, 8) V34.0 V35.0\nret (M1, 1)\n";
  og_diagnostics *d = og_diagnostics_new();
  _Alignas(64) int32_t data[16] = {1, 2, 3, 4, 5, 6, 7, 8};
  int32_t more = 10;
  og_visa_value values[] = {{OG_VISA_VALUE_BUFFER, data, 32}, {OG_VISA_VALUE_BYTES, &more, sizeof more}};
  og_visa_launch launch = {
      .platform = "skl", .grid = {8}, .group = {8}, .values = values, .value_count = 2, .check = true};
  og_bytes printed;
  bool fine = og_visa_launch_kernel(text, sizeof text - 1, &launch, &printed, d);
  if (!fine)
    print_message("%s", og_diagnostics_text(d, 0));
  assert_true(fine);
  assert_int_equal(data[0], 11);
  assert_int_equal(data[7], 18);
  assert_int_equal(printed.size, 0);
  values[0].size = 16;
  assert_false(og_visa_launch_kernel(text, sizeof text - 1, &launch, NULL, d));
  launch.kernel = "none";
  assert_false(og_visa_launch_kernel(text, sizeof text - 1, &launch, NULL, d));
  assert_string_equal(og_diagnostics_text(d, 1), "offgrid: error: no kernel 'none'\n");
  og_diagnostics_free(d);
}

static void ir_becomes_a_code_object(void **state) {
  (void)state;
  static const char ir[] = "target triple = \"amdgcn-amd-amdhsa\"\n"
                           "define amdgpu_kernel void @k(ptr addrspace(1) %p) {\n"
                           "  store i32 7, ptr addrspace(1) %p\n  ret void\n}\n";
  og_diagnostics *d = og_diagnostics_new();
  og_bytes code;
  assert_true(og_compile_ir(ir, sizeof ir - 1, "gfx900", NULL, &code, d));
  og_module *module = og_module_open(code.data, code.size, "k", d);
  og_device *device = og_device_new(module, d);
  uint32_t *out = og_device_allocate(device, 4);
  og_launch launch = {.kernel = "k", .grid = {1}, .arguments = &out, .arguments_size = sizeof out};
  assert_true(og_device_run(device, &launch, NULL, d));
  assert_int_equal(*out, 7);
  og_device_free(device);
  og_module_free(module);
  og_bytes_free(&code);
  assert_false(og_compile_ir("define", 6, "gfx900", NULL, &code, d));
  assert_int_equal(og_diagnostics_errors(d), 1);
  og_diagnostics_free(d);
}

/* A handler that counts in TTMP4 what it finds at TMA; the kernel stores that. */
static const char trapping[] =
    ".globl kernel\n.p2align 8\n.type kernel,@function\nkernel:\n s_load_dwordx2 s[2:3], s[0:1], 0\n s_trap 1\n s_trap 7\n"
    " v_mov_b32 v1, ttmp4\n v_mov_b32 v2, 0\n s_waitcnt lgkmcnt(0)\n global_store_dword v2, v1, s[2:3]\n s_endpgm\n"
    ".Lend: .size kernel, .Lend-kernel\n"
    ".globl handler\n.p2align 8\n.type handler,@function\nhandler:\n s_getreg_b32 ttmp12, hwreg(HW_REG_TMA_LO)\n"
    " s_getreg_b32 ttmp13, hwreg(HW_REG_TMA_HI)\n s_load_dword ttmp11, ttmp[12:13], 0\n s_waitcnt lgkmcnt(0)\n"
    " s_add_u32 ttmp4, ttmp4, ttmp11\n s_add_u32 ttmp0, ttmp0, 4\n s_addc_u32 ttmp1, ttmp1, 0\n"
    " s_and_b32 ttmp1, ttmp1, 0xffff\n s_rfe_b64 ttmp[0:1]\n"
    ".rodata\n.p2align 6\n.amdhsa_kernel kernel\n.amdhsa_next_free_vgpr 8\n.amdhsa_next_free_sgpr 8\n"
    ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.end_amdhsa_kernel\n"
    ".amdgpu_metadata\namdhsa.version: [1, 2]\namdhsa.kernels:\n"
    "  - {.name: kernel, .symbol: kernel.kd, .kernarg_segment_size: 8, .kernarg_segment_align: 8, .wavefront_size: 64,\n"
    "     .group_segment_fixed_size: 0, .private_segment_fixed_size: 0, .sgpr_count: 8, .vgpr_count: 8,\n"
    "     .max_flat_workgroup_size: 1024, .args: [{.offset: 0, .size: 8, .value_kind: global_buffer}]}\n"
    ".end_amdgpu_metadata\n";

static void traps_lead_to_the_handler_that_is_set(void **state) {
  (void)state;
  og_diagnostics *d = og_diagnostics_new();
  og_bytes object, linked;
  assert_true(
      og_assemble_source(trapping, sizeof trapping - 1, &(og_assemble_options){.processor = "gfx900"}, &object, d));
  assert_true(og_link_objects(&object, 1, &linked, d));
  og_module *module = og_module_open(linked.data, linked.size, "k", d);
  og_device *device = og_device_new(module, d);
  uint32_t *out = og_device_allocate(device, 4), *tma = og_device_allocate(device, 4);
  *tma = 21;
  og_launch launch = {.kernel = "kernel", .grid = {64}, .group = {64}, .arguments = &out, .arguments_size = sizeof out};
  assert_false(og_device_trap_handler(device, module, "nothing", tma, d));
  assert_false(og_device_run(device, &launch, NULL, d)); /* s_trap 1 without a handler */
  assert_true(og_device_trap_handler(device, module, "handler", tma, d));
  assert_true(og_device_run(device, &launch, NULL, d));
  assert_int_equal(*out, 42);
  og_device_cluster(device, 2, 1, 1);
  assert_false(og_device_run(device, &launch, NULL, d)); /* gfx900 has none */
  og_device_cluster(device, 0, 0, 0);
  assert_true(og_device_run(device, &launch, NULL, d));
  assert_true(og_device_trap_handler(device, NULL, NULL, NULL, d));
  assert_false(og_device_run(device, &launch, NULL, d));
  og_device_free(device);
  og_module_free(module);
  og_bytes_free(&object);
  og_bytes_free(&linked);
  og_diagnostics_free(d);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(watchers_see_and_change_waves),
                                     cmocka_unit_test(watchers_stop_dispatches),
                                     cmocka_unit_test(checkers_tell_their_findings),
                                     cmocka_unit_test(debug_information_tells_checkers_of_lds),
                                     cmocka_unit_test(tickets_end_in_their_order),
                                     cmocka_unit_test(structs_are_filled_up_to_their_size),
                                     cmocka_unit_test(modules_become_sources),
                                     cmocka_unit_test(bundles_come_apart),
                                     cmocka_unit_test(visa_goes_there_and_back),
                                     cmocka_unit_test(visa_kernels_run),
                                     cmocka_unit_test(visa_kernels_are_stopped_from_outside),
                                     cmocka_unit_test(ir_becomes_a_code_object),
                                     cmocka_unit_test(traps_lead_to_the_handler_that_is_set)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
