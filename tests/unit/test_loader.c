/* Code objects in memory: relocations of every type, segments, targets, and files that lie about them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm/asm.h"
#include "runtime/internal.h"
#include "target_fixture.h"

/* A kernel, and a table that the loader relocates: one place whose value is an external variable's address. */
static const char source[] = ".text\n"
                             ".globl k\n.p2align 8\n.type k,@function\n"
                             "k:\n  s_endpgm\n.Lend:\n.size k, .Lend-k\n"
                             ".rodata\n.p2align 6\n"
                             ".amdhsa_kernel k\n  .amdhsa_next_free_vgpr 1\n  .amdhsa_next_free_sgpr 1\n"
                             ".end_amdhsa_kernel\n"
                             ".data\n.p2align 3\n.globl table\n.type table,@object\n"
                             "table:\n  .quad outside+8\n  .quad 0x1122334455667788\n.size table, 16\n";
enum { OUTSIDE = 0x12345678, ADDEND = 8 };

struct fixture {
  struct og_runtime *runtime;
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_buffer file;
  size_t rela; /* where the relocation stands in the file */
};

static void open_fixture(struct fixture *f, const char *text, const char *processor) {
  *f = (struct fixture){og_runtime_new(), og_arena_new(), og_diagnostics_new(), {0}, 0};
  struct og_asm_options options = {.target = target_of(processor), .code_object_version = 4};
  struct og_object *object = og_assemble(f->arena, &options, "x.s", text, strlen(text), f->diagnostics);
  struct og_buffer bytes = {0};
  assert_non_null(object);
  assert_true(og_object_write(object, &bytes, f->diagnostics));
  struct og_link_input input = {.name = "x.o", .bytes = bytes.data, .size = bytes.size};
  struct og_link_options link = {.undefined = OG_UNDEFINED_ALLOWED};
  assert_true(og_link(f->arena, &input, 1, &link, &f->file, f->diagnostics));
  og_buffer_free(&bytes);
  struct og_object *linked = og_object_read(f->arena, "x", f->file.data, f->file.size, f->diagnostics);
  assert_non_null(linked);
  for (uint32_t i = 0; i < linked->sections.count; i++)
    if (linked->sections.items[i].type == SHT_RELA)
      f->rela = linked->sections.items[i].offset;
  assert_int_not_equal(f->rela, 0);
}

static void close_fixture(struct fixture *f) {
  og_runtime_free(f->runtime);
  og_buffer_free(&f->file);
  og_diagnostics_free(f->diagnostics);
  og_arena_free(f->arena);
}

static bool resolve_outside(void *context, const struct og_symbol *symbol, uint64_t *address) {
  (void)context;
  *address = OUTSIDE;
  return strcmp(symbol->name, "outside") == 0;
}

static struct og_executable *load(struct fixture *f) {
  return og_load_with(f->runtime, "x", f->file.data, f->file.size,
                      &(struct og_load_options){.resolve = resolve_outside}, f->diagnostics);
}

static bool told(const struct fixture *f, const char *words) {
  for (size_t i = 0; i < og_diagnostics_count(f->diagnostics); i++)
    if (strstr(og_diagnostics_at(f->diagnostics, i)->message, words))
      return true;
  return false;
}

static void refuses(struct fixture *f, const char *words) {
  assert_null(load(f));
  if (!told(f, words))
    fail_msg("'%s' is not told; the last is: %s", words,
             og_diagnostics_at(f->diagnostics, og_diagnostics_count(f->diagnostics) - 1)->message);
  assert_null(f->runtime->executables);
}

static void every_relocation_type_is_applied(void **state) {
  (void)state;
  static const struct {
    uint32_t type;
    unsigned bytes;
    bool distance, got;
    unsigned shift;
  } types[] = {
      {OG_R_AMDGPU_ABS64, 8, false, false, 0},       {OG_R_AMDGPU_ABS32, 4, false, false, 0},
      {OG_R_AMDGPU_ABS32_LO, 4, false, false, 0},    {OG_R_AMDGPU_ABS32_HI, 4, false, false, 32},
      {OG_R_AMDGPU_REL32_LO, 4, true, false, 0},     {OG_R_AMDGPU_REL32_HI, 4, true, false, 32},
      {OG_R_AMDGPU_REL64, 8, true, false, 0},        {OG_R_AMDGPU_GOTPCREL, 4, true, true, 0},
      {OG_R_AMDGPU_GOTPCREL32_LO, 4, true, true, 0}, {OG_R_AMDGPU_GOTPCREL32_HI, 4, true, true, 32},
  };
  for (size_t i = 0; i < OG_COUNT(types); i++) {
    struct fixture f;
    open_fixture(&f, source, "gfx900");
    og_store32(f.file.data + f.rela + 8, types[i].type);
    struct og_executable *executable = load(&f);
    assert_non_null(executable);
    uint64_t table, size, expected = OUTSIDE + ADDEND;
    assert_true(og_executable_symbol(executable, OG_TEXT("table"), &table, &size));
    if (types[i].got) {
      uint64_t slot = executable->start + executable->code->got;
      assert_int_equal(og_load64((void *)(uintptr_t)slot), OUTSIDE);
      assert_true(og_memory_map_holds(f.runtime->map, slot, 8, OG_MEMORY_READ));
      expected = slot + ADDEND;
    }
    expected = (expected - (types[i].distance ? table : 0)) >> types[i].shift;
    const uint8_t *at = (const uint8_t *)(uintptr_t)table;
    if (types[i].bytes == 8)
      assert_int_equal(og_load64(at), expected);
    else
      assert_int_equal(og_load32(at), (uint32_t)expected);
    assert_int_equal(og_load64(at + 8), 0x1122334455667788);
    close_fixture(&f);
  }
}

static void relative_addresses_count_from_where_it_is_loaded(void **state) {
  (void)state;
  struct fixture f;
  open_fixture(&f, source, "gfx900");
  og_store64(f.file.data + f.rela + 8, OG_R_AMDGPU_RELATIVE64);
  og_store64(f.file.data + f.rela + 16, 0x100);
  struct og_executable *executable = load(&f);
  assert_non_null(executable);
  uint64_t table, size;
  assert_true(og_executable_symbol(executable, OG_TEXT("table"), &table, &size));
  assert_int_equal(og_load64((void *)(uintptr_t)table), executable->start + 0x100);
  close_fixture(&f);
}

static void relocations_outside_the_segments_are_refused(void **state) {
  (void)state;
  static const uint64_t places[] = {UINT64_MAX, UINT64_MAX - 7, UINT64_C(1) << 40, 0x10000};
  for (size_t i = 0; i < OG_COUNT(places); i++) {
    struct fixture f;
    open_fixture(&f, source, "gfx900");
    og_store64(f.file.data + f.rela, places[i]);
    refuses(&f, "outside the loaded segments");
    close_fixture(&f);
  }
}

static void relocations_a_loader_cannot_apply_are_refused(void **state) {
  (void)state;
  static const uint32_t types[] = {12, OG_R_AMDGPU_REL16, 15, 99, UINT32_MAX};
  for (size_t i = 0; i < OG_COUNT(types); i++) {
    struct fixture f;
    open_fixture(&f, source, "gfx900");
    og_store32(f.file.data + f.rela + 8, types[i]);
    refuses(&f, "cannot be applied by a loader");
    close_fixture(&f);
  }
}

static void an_undefined_symbol_is_named(void **state) {
  (void)state;
  struct fixture f;
  open_fixture(&f, source, "gfx900");
  assert_null(og_load(f.runtime, "x", f.file.data, f.file.size, f.diagnostics));
  assert_true(told(&f, "undefined symbol 'outside'"));
  close_fixture(&f);
}

/* Program headers stand behind the ELF header, 56 bytes each. */
static uint8_t *load_header(struct fixture *f, unsigned number) {
  uint8_t *headers = f->file.data + og_load64(f->file.data + 32);
  for (unsigned i = 0; i < og_load16(f->file.data + 56); i++)
    if (og_load32(headers + 56 * i) == PT_LOAD && number-- == 0)
      return headers + 56 * i;
  fail_msg("there are fewer segments");
  return NULL;
}

static void segments_that_overlap_are_refused(void **state) {
  (void)state;
  struct fixture f;
  open_fixture(&f, source, "gfx900");
  og_store64(load_header(&f, 0) + 40, 0x10000); /* p_memsz: over all that follow */
  refuses(&f, "begins before the one in front of it ends");
  close_fixture(&f);
  open_fixture(&f, source, "gfx900");
  og_store64(load_header(&f, 1) + 16, 0); /* p_vaddr: that of the first */
  assert_null(load(&f));
  close_fixture(&f);
}

static void no_damage_to_the_headers_gets_further_than_an_error(void **state) {
  (void)state;
  struct fixture f;
  open_fixture(&f, source, "gfx900");
  static const uint64_t values[] = {0, 1, 7, 0x1000, 0x7fffffff, UINT64_C(1) << 35, UINT64_MAX - 4095, UINT64_MAX};
  size_t headers = 64 + 56 * (size_t)og_load16(f.file.data + 56);
  uint8_t *whole = malloc(f.file.size);
  memcpy(whole, f.file.data, f.file.size);
  for (size_t at = 16; at + 8 <= headers; at += 4)
    for (size_t i = 0; i < OG_COUNT(values); i++) {
      og_store64(f.file.data + at, values[i]);
      struct og_executable *executable = load(&f);
      if (executable)
        og_unload(executable);
      memcpy(f.file.data, whole, f.file.size);
    }
  for (size_t size = 0; size < f.file.size; size += 13) { /* bytes of its own: a sanitizer sees what is read beyond */
    uint8_t *cut = malloc(size + 1);
    memcpy(cut, whole, size);
    struct og_executable *executable = og_load_with(
        f.runtime, "x", cut, size, &(struct og_load_options){.resolve = resolve_outside}, f.diagnostics);
    if (executable)
      og_unload(executable);
    free(cut);
  }
  free(whole);
  close_fixture(&f);
}

static void a_data_only_code_object_is_loaded(void **state) {
  (void)state;
  struct fixture f;
  open_fixture(&f, ".data\n.p2align 3\n.globl table\n.type table,@object\ntable:\n  .quad outside\n.size table, 8\n",
               "gfx900");
  struct og_executable *executable = load(&f);
  assert_non_null(executable);
  assert_ptr_equal(og_loaded_at(f.runtime, executable->start), executable);
  assert_null(og_loaded_at(f.runtime, executable->start + executable->size));
  close_fixture(&f);
}

static void kernels_are_found_with_and_without_kd(void **state) {
  (void)state;
  struct fixture f;
  open_fixture(&f, source, "gfx900");
  struct og_executable *executable = load(&f);
  assert_non_null(executable);
  const struct og_kernel *kernel = og_executable_kernel(executable, OG_TEXT("k"));
  assert_non_null(kernel);
  assert_ptr_equal(og_executable_kernel(executable, OG_TEXT("k.kd")), kernel);
  assert_null(og_executable_kernel(executable, OG_TEXT("k.k")));
  assert_ptr_equal(og_executable_kernel_at(executable, og_kernel_object(executable, kernel)), kernel);
  assert_null(og_executable_kernel_at(executable, og_kernel_object(executable, kernel) + 64));
  close_fixture(&f);
}

static struct og_target id(const char *text) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_target target;
  assert_true(og_target_parse_id(&target, og_text(text), diagnostics));
  og_diagnostics_free(diagnostics);
  return target;
}

static void code_runs_where_its_target_id_fits(void **state) {
  (void)state;
  static const struct {
    const char *agent, *code, *differs; /* NULL: it runs */
  } cases[] = {
      {"gfx906:sramecc+:xnack-", "gfx906", NULL},
      {"gfx906:sramecc+:xnack-", "gfx906:sramecc+:xnack-", NULL},
      {"gfx906:sramecc+:xnack-", "gfx906:xnack+", "xnack"},
      {"gfx906:sramecc+:xnack-", "gfx906:sramecc-", "sramecc"},
      {"gfx906:sramecc+:xnack-", "gfx908", "processor"},
      {"gfx900:xnack-", "gfx900:xnack-", NULL},
      {"gfx1030", "gfx1030", NULL},
      {"gfx906:sramecc+:xnack-", "gfx9-generic", NULL},
      {"gfx906:sramecc+:xnack-", "gfx9-generic:xnack+", "xnack"},
      {"gfx908:sramecc+:xnack-", "gfx9-generic", "processor"},
      {"gfx1036", "gfx10-3-generic", NULL},
      {"gfx1010:xnack-", "gfx10-3-generic", "processor"},
  };
  for (size_t i = 0; i < OG_COUNT(cases); i++) {
    struct og_target agent = id(cases[i].agent), code = id(cases[i].code);
    const char *differs = NULL;
    bool runs = og_target_runs(&agent, &code, &differs);
    if (runs != !cases[i].differs)
      fail_msg("%s on %s: %s", cases[i].code, cases[i].agent, runs ? "runs" : differs);
    if (!runs)
      assert_string_equal(differs, cases[i].differs);
  }
}

static void code_for_another_processor_is_refused_by_name(void **state) {
  (void)state;
  struct fixture f;
  open_fixture(&f, source, "gfx900");
  struct og_target agent = id("gfx906:sramecc+:xnack-");
  assert_null(og_load_with(f.runtime, "x", f.file.data, f.file.size, &(struct og_load_options){.agent = &agent},
                           f.diagnostics));
  assert_true(told(&f, "the code object is for amdgcn-amd-amdhsa--gfx900, "
                       "the agent is amdgcn-amd-amdhsa--gfx906:sramecc+:xnack-: they differ in processor"));
  close_fixture(&f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_relocation_type_is_applied),
      cmocka_unit_test(relative_addresses_count_from_where_it_is_loaded),
      cmocka_unit_test(relocations_outside_the_segments_are_refused),
      cmocka_unit_test(relocations_a_loader_cannot_apply_are_refused),
      cmocka_unit_test(an_undefined_symbol_is_named),
      cmocka_unit_test(segments_that_overlap_are_refused),
      cmocka_unit_test(no_damage_to_the_headers_gets_further_than_an_error),
      cmocka_unit_test(a_data_only_code_object_is_loaded),
      cmocka_unit_test(kernels_are_found_with_and_without_kd),
      cmocka_unit_test(code_runs_where_its_target_id_fits),
      cmocka_unit_test(code_for_another_processor_is_refused_by_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
