/* test_arguments.c - kernel arguments: text to bytes, bytes to their places, hidden ones from the dispatch's shape. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "runtime/arguments.h"
#include "runtime/runtime.h"

struct fixture {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_runtime *runtime;
  struct og_executable executable;
  struct og_code_object code;
  struct og_object elf;
};

static int set_up(void **state) {
  static struct fixture fixture;
  fixture = (struct fixture){.arena = og_arena_new(), .diagnostics = og_diagnostics_new(), .runtime = og_runtime_new(),
                             .elf = {.name = "k.co"}};
  fixture.code.elf = &fixture.elf;
  fixture.executable.code = &fixture.code;
  *state = &fixture;
  return 0;
}

static int tear_down(void **state) {
  struct fixture *fixture = *state;
  og_runtime_free(fixture->runtime);
  og_diagnostics_free(fixture->diagnostics);
  og_arena_free(fixture->arena);
  return 0;
}

/* What kernels get, not only arguments: as large as asked, from the begin of a large page on where it has one. */
static void large_memory_begins_with_a_large_page(void **state) {
  struct fixture *fixture = *state;
  static const size_t sizes[] = {OG_LARGE_PAGE - 1, OG_LARGE_PAGE, 3 * OG_LARGE_PAGE + 5};
  for (size_t i = 0; i < OG_COUNT(sizes); i++) {
    uint8_t *memory = og_memory_new(fixture->runtime, sizes[i], 64, OG_MEMORY_READ | OG_MEMORY_WRITE);
    void *base;
    size_t size;
    assert_non_null(memory);
    if (sizes[i] >= OG_LARGE_PAGE)
      assert_int_equal((uintptr_t)memory % OG_LARGE_PAGE, 0);
    memory[0] = memory[sizes[i] - 1] = 1;
    assert_true(og_memory_find(fixture->runtime, memory + sizes[i] - 1, &base, &size));
    assert_ptr_equal(base, memory);
    assert_int_equal(size, sizes[i]);
    assert_false(og_memory_find(fixture->runtime, memory + sizes[i], &base, &size));
    assert_true(og_memory_free(fixture->runtime, memory));
  }
}

static struct og_argument parse(struct fixture *fixture, const char *text) {
  struct og_argument argument;
  assert_true(og_argument_parse(fixture->arena, text, &argument, fixture->diagnostics));
  return argument;
}

static void assert_bytes(struct fixture *fixture, const char *text, const void *bytes, size_t size) {
  struct og_argument argument = parse(fixture, text);
  assert_non_null(argument.value);
  assert_int_equal(argument.size, size);
  assert_memory_equal(argument.value, bytes, size);
}

static void scalars_are_read_in_every_type(void **state) {
  assert_bytes(*state, "i8:-128", "\x80", 1);
  assert_bytes(*state, "u8:255", "\xff", 1);
  assert_bytes(*state, "i16:-2", "\xfe\xff", 2);
  assert_bytes(*state, "u32:0xdeadbeef", "\xef\xbe\xad\xde", 4);
  assert_bytes(*state, "i64:-9223372036854775808", "\0\0\0\0\0\0\0\x80", 8);
  assert_bytes(*state, "u64:18446744073709551615", "\xff\xff\xff\xff\xff\xff\xff\xff", 8);
  assert_bytes(*state, "f16:1.5", "\x00\x3e", 2);
  assert_bytes(*state, "f32:-1", "\0\0\x80\xbf", 4);
  assert_bytes(*state, "f64:0.1", "\x9a\x99\x99\x99\x99\x99\xb9\x3f", 8);
  assert_bytes(*state, "struct:0102fF", "\x01\x02\xff", 3);
}

static void numbers_that_do_not_fit_are_refused(void **state) {
  static const char *const wrong[] = {"i8:-129", "u8:256", "u16:-1",     "i32:4294967296", "u64:18446744073709551616",
                                      "f32:x",   "i32:",   "struct:123", "struct:",        "struct:0g"};
  struct fixture *fixture = *state;
  for (size_t i = 0; i < OG_COUNT(wrong); i++) {
    assert_null(parse(fixture, wrong[i]).value);
    assert_int_equal(og_diagnostics_errors(fixture->diagnostics), i + 1);
  }
}

static void other_words_are_left_to_the_caller(void **state) {
  struct fixture *fixture = *state;
  struct og_argument argument;
  assert_false(og_argument_parse(fixture->arena, "buf:4", &argument, fixture->diagnostics));
  assert_false(og_argument_parse(fixture->arena, "f8:4", &argument, fixture->diagnostics));
  assert_false(og_argument_parse(fixture->arena, "", &argument, fixture->diagnostics));
  assert_int_equal(og_diagnostics_count(fixture->diagnostics), 0);
}

static const struct og_kernel_arg described[] = {
    {.name = "out", .value_kind = "global_buffer", .offset = 0, .size = 8},
    {.name = "n", .value_kind = "by_value", .offset = 8, .size = 4},
    {.name = "tile", .value_kind = "dynamic_shared_pointer", .offset = 12, .size = 4, .pointee_align = 4},
    {.name = "more", .value_kind = "dynamic_shared_pointer", .offset = 16, .size = 4, .pointee_align = 64},
    {.name = "", .value_kind = "hidden_block_count_x", .offset = 24, .size = 4},
    {.name = "", .value_kind = "hidden_block_count_y", .offset = 28, .size = 4},
    {.name = "", .value_kind = "hidden_group_size_x", .offset = 32, .size = 2},
    {.name = "", .value_kind = "hidden_remainder_x", .offset = 34, .size = 2},
    {.name = "", .value_kind = "hidden_global_offset_y", .offset = 40, .size = 8},
    {.name = "", .value_kind = "hidden_grid_dims", .offset = 48, .size = 2},
    {.name = "", .value_kind = "hidden_private_base", .offset = 52, .size = 4},
    {.name = "", .value_kind = "hidden_shared_base", .offset = 56, .size = 4},
    {.name = "", .value_kind = "hidden_dynamic_lds_size", .offset = 60, .size = 4},
    {.name = "", .value_kind = "hidden_printf_buffer", .offset = 64, .size = 8},
};
static const struct og_kernel kernel = {.name = "k", .kernarg_size = 72, .kernarg_align = 8, .group_size = 20,
                                        .args = described, .arg_count = OG_COUNT(described)};
static const struct og_extent extent = {.dimensions = 2, .grid = {100, 8, 1}, .group = {64, 4, 1}, .offset = {0, 9, 0}};

static void every_argument_stands_at_its_offset(void **state) {
  struct fixture *fixture = *state;
  struct og_argument arguments[4] = {
      {.kind = OG_ARGUMENT_BUFFER, .buffer = fixture, .size = 1},
      parse(fixture, "u32:77"),
      {.kind = OG_ARGUMENT_LDS, .size = 100},
      {.kind = OG_ARGUMENT_LDS, .size = 8},
  };
  uint32_t lds;
  uint8_t *bytes = og_kernarg_new(fixture->runtime, &fixture->executable, &kernel, arguments, 4, &extent, NULL, 4, &lds,
                                  fixture->diagnostics);
  assert_non_null(bytes);
  assert_int_equal(og_load64(bytes), (uintptr_t)fixture);
  assert_int_equal(og_load32(bytes + 8), 77);
  assert_int_equal(og_load32(bytes + 12), 32); /* after the 20 static bytes, aligned */
  assert_int_equal(og_load32(bytes + 16), 192);
  assert_int_equal(lds, 192 + 8 + 4);
  assert_int_equal(og_load32(bytes + 24), 1);
  assert_int_equal(og_load32(bytes + 28), 2);
  assert_int_equal(og_load16(bytes + 32), 64);
  assert_int_equal(og_load16(bytes + 34), 36);
  assert_int_equal(og_load64(bytes + 40), 9);
  assert_int_equal(og_load16(bytes + 48), 2);
  assert_int_equal(og_load32(bytes + 52), OG_PRIVATE_APERTURE);
  assert_int_equal(og_load32(bytes + 56), OG_SHARED_APERTURE);
  assert_int_equal(og_load32(bytes + 60), lds - 20);
  assert_int_equal(og_load64(bytes + 64), 0);
  assert_true(og_memory_free(fixture->runtime, bytes));
}

static void wrong_arguments_are_named(void **state) {
  struct fixture *fixture = *state;
  struct og_argument arguments[4] = {{.kind = OG_ARGUMENT_BUFFER}, {.kind = OG_ARGUMENT_BUFFER, .text = "buf:8"},
                                     {.kind = OG_ARGUMENT_LDS}, {.kind = OG_ARGUMENT_LDS}};
  uint32_t lds;
  assert_null(og_kernarg_new(fixture->runtime, &fixture->executable, &kernel, arguments, 3, &extent, NULL, 0, &lds,
                             fixture->diagnostics));
  assert_null(og_kernarg_new(fixture->runtime, &fixture->executable, &kernel, arguments, 4, &extent, NULL, 0, &lds,
                             fixture->diagnostics));
  assert_string_equal(
      og_diagnostics_at(fixture->diagnostics, 0)->message,
      "kernel 'k' takes 4 arguments (out: global_buffer, n: by_value 4 bytes, tile: dynamic_shared_pointer, "
      "more: dynamic_shared_pointer), 3 given");
  assert_string_equal(og_diagnostics_at(fixture->diagnostics, 1)->message,
                      "argument 2 of kernel 'k', n is by_value of 4 bytes; buf:8 does not fit it");
}

static void kernel_without_metadata_takes_arguments_in_order(void **state) {
  struct fixture *fixture = *state;
  struct og_kernel bare = {.name = "bare", .kernarg_size = 24, .kernarg_align = 8};
  struct og_argument arguments[4] = {parse(fixture, "u8:1"),
                                     parse(fixture, "u16:2"),
                                     {.kind = OG_ARGUMENT_BUFFER, .buffer = fixture},
                                     parse(fixture, "u32:3")};
  uint32_t lds;
  uint8_t *bytes = og_kernarg_new(fixture->runtime, &fixture->executable, &bare, arguments, 4, &extent, NULL, 0, &lds,
                                  fixture->diagnostics);
  assert_non_null(bytes);
  assert_int_equal(bytes[0], 1);
  assert_int_equal(og_load16(bytes + 2), 2);
  assert_int_equal(og_load64(bytes + 8), (uintptr_t)fixture);
  assert_int_equal(og_load32(bytes + 16), 3);
  bare.kernarg_size = 16;
  assert_null(og_kernarg_new(fixture->runtime, &fixture->executable, &bare, arguments, 4, &extent, NULL, 0, &lds,
                             fixture->diagnostics));
}

static void memory_is_found_by_any_address_inside(void **state) {
  struct fixture *fixture = *state;
  uint8_t *memory = og_memory_new(fixture->runtime, 100, 1 << 20, OG_MEMORY_READ);
  assert_int_equal((uintptr_t)memory % (1 << 20), 0);
  void *base;
  size_t size;
  assert_true(og_memory_find(fixture->runtime, memory + 99, &base, &size));
  assert_ptr_equal(base, memory);
  assert_int_equal(size, 100);
  assert_false(og_memory_find(fixture->runtime, memory + 100, &base, &size));
  assert_true(og_memory_free(fixture->runtime, memory));
  assert_false(og_memory_free(fixture->runtime, memory));
  assert_null(og_memory_new(fixture->runtime, 0, 1, OG_MEMORY_READ));
  assert_null(og_memory_new(fixture->runtime, SIZE_MAX / 2, 1, OG_MEMORY_READ));
}

/* Signals stand in memory that kernels write, free ones too: what stands there leads the runtime nowhere. */
static void signals_come_back_from_the_free_list(void **state) {
  struct fixture *fixture = *state;
  struct og_signal *all[600];
  for (int i = 0; i < 600; i++) {
    all[i] = og_signal_new(fixture->runtime, i);
    assert_int_equal((uintptr_t)all[i] % 64, 0);
  }
  for (int i = 0; i < 600; i++)
    assert_int_equal(og_signal_load(all[i]), i);
  for (int i = 0; i < 600; i++) {
    og_signal_free(fixture->runtime, all[i]);
    memset(all[i], 0x41, sizeof *all[i]);
  }
  for (int i = 600; i-- > 0;)
    assert_ptr_equal(og_signal_new(fixture->runtime, 0), all[i]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(large_memory_begins_with_a_large_page),
      TEST(scalars_are_read_in_every_type),
      TEST(numbers_that_do_not_fit_are_refused),
      TEST(other_words_are_left_to_the_caller),
      TEST(every_argument_stands_at_its_offset),
      TEST(wrong_arguments_are_named),
      TEST(kernel_without_metadata_takes_arguments_in_order),
      TEST(memory_is_found_by_any_address_inside),
      TEST(signals_come_back_from_the_free_list),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
