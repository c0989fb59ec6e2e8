/* test_asm_expressions.c - what expressions come to, read back from .quad. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "asm/asm.h"

static struct og_object *assemble(struct og_arena *arena, const char *text, struct og_diagnostics *d) {
  static struct og_asm_options options;
  options = (struct og_asm_options){.code_object_version = 5};
  assert_true(og_target_parse(&options.target, NULL, "gfx900", NULL, d));
  return og_assemble(arena, &options, "test.s", text, __builtin_strlen(text), d);
}

static int64_t value_of(const char *expression) {
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *d = og_diagnostics_new();
  struct og_object *object = assemble(arena, og_arena_printf(arena, ".data\n.quad %s\n", expression), d);
  assert_non_null(object);
  uint32_t section = og_object_find_section(object, ".data");
  assert_int_equal(object->sections.items[section].size, 8);
  int64_t value = (int64_t)og_load64(object->sections.items[section].data);
  og_arena_free(arena);
  og_diagnostics_free(d);
  return value;
}

static const char *error_of(struct og_arena *arena, const char *text) {
  struct og_diagnostics *d = og_diagnostics_new();
  assert_null(assemble(arena, text, d));
  const char *message = og_diagnostics_at(d, 0)->message;
  message = og_arena_copy(arena, message, __builtin_strlen(message));
  og_diagnostics_free(d);
  return message;
}

static void precedence_is_that_of_gnu_as(void **state) {
  (void)state;
  assert_int_equal(value_of("1+2*3"), 7);
  assert_int_equal(value_of("2+3|4"), 9); /* | binds tighter than + */
  assert_int_equal(value_of("10-2-3"), 5);
  assert_int_equal(value_of("1<<40>>38"), 4);
  assert_int_equal(value_of("7!2"), -1); /* or not */
}

static void comparisons_are_all_ones_or_zero(void **state) {
  (void)state;
  assert_int_equal(value_of("3==3"), -1);
  assert_int_equal(value_of("3<>4"), -1);
  assert_int_equal(value_of("3>4"), 0);
  assert_int_equal(value_of("1||2"), 1);
}

static void arithmetic_wraps_and_shifts_are_logical(void **state) {
  (void)state;
  assert_int_equal(value_of("(-1)>>60"), 15);
  assert_int_equal(value_of("0x7fffffffffffffff+1"), INT64_MIN);
  assert_int_equal(value_of("(-0x7fffffffffffffff-1)/-1"), INT64_MIN);
  assert_int_equal(value_of("1<<64"), 1); /* the count is taken modulo 64, as in llvm-mc */
  assert_int_equal(value_of("1<<-1"), INT64_MIN);
}

static void numbers_have_bases_and_characters(void **state) {
  (void)state;
  assert_int_equal(value_of("0x1f"), 31);
  assert_int_equal(value_of("0b101"), 5);
  assert_int_equal(value_of("017"), 15);
  assert_int_equal(value_of("'a'"), 'a');
  assert_int_equal(value_of("'\\n'"), '\n');
}

static void functions_of_resource_usage_are_known(void **state) {
  (void)state;
  assert_int_equal(value_of("max(1, 5, 3)"), 5);
  assert_int_equal(value_of("or(1, 6)"), 7);
  assert_int_equal(value_of("alignto(13, 8)"), 16);
}

static void nesting_and_cycles_end_in_an_error(void **state) {
  (void)state;
  struct og_arena *arena = og_arena_new();
  char *deep = og_arena_alloc(arena, 100000 + 32);
  __builtin_sprintf(deep, ".quad ");
  __builtin_memset(deep + 6, '(', 100000);
  assert_non_null(__builtin_strstr(error_of(arena, deep), "nested too deeply"));
  assert_non_null(__builtin_strstr(error_of(arena, ".set a, b\n.set b, a\n.quad a\n"), "cyclic"));
  assert_non_null(__builtin_strstr(error_of(arena, ".macro m\nm\n.endm\nm\n"), "nested"));
  og_arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(precedence_is_that_of_gnu_as),
      cmocka_unit_test(comparisons_are_all_ones_or_zero),
      cmocka_unit_test(arithmetic_wraps_and_shifts_are_logical),
      cmocka_unit_test(numbers_have_bases_and_characters),
      cmocka_unit_test(functions_of_resource_usage_are_known),
      cmocka_unit_test(nesting_and_cycles_end_in_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
