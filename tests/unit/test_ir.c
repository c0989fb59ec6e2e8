/* test_ir.c - the module in memory: what is equal is the same, uses, insertion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ir/ir.h"

struct fixture {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
};

static int setup(void **state) {
  struct fixture *t = calloc(1, sizeof *t);
  t->arena = og_arena_new();
  t->diagnostics = og_diagnostics_new();
  *state = t;
  return 0;
}

static int teardown(void **state) {
  struct fixture *t = *state;
  og_diagnostics_free(t->diagnostics);
  og_arena_free(t->arena);
  free(t);
  return 0;
}

static struct og_ir_module *read_text(struct fixture *t, const char *text) {
  return og_ir_read(t->arena, "k.ll", text, strlen(text), t->diagnostics);
}

static void equal_types_are_the_same(void **state) {
  struct fixture *t = *state;
  struct og_ir_module *m = og_ir_module_new(t->arena, "k");
  og_ir_type i32 = og_ir_integer(m, 32), parts[] = {i32, og_ir_pointer(m, 1)};
  assert_int_equal(i32, og_ir_integer(m, 32));
  assert_int_equal(og_ir_struct(m, parts, 2, false), og_ir_struct(m, parts, 2, false));
  assert_int_not_equal(og_ir_struct(m, parts, 2, false), og_ir_struct(m, parts, 2, true));
  assert_int_not_equal(og_ir_identified(m, 0), og_ir_identified(m, 0));
  og_ir_type v4 = og_ir_sequence(m, OG_IR_VECTOR, i32, 4);
  assert_int_equal(og_ir_with_scalar(m, v4, og_ir_integer(m, 1)),
                   og_ir_sequence(m, OG_IR_VECTOR, og_ir_integer(m, 1), 4));
}

static void equal_constants_are_the_same(void **state) {
  struct fixture *t = *state;
  struct og_ir_module *m = og_ir_module_new(t->arena, "k");
  og_ir_type i32 = og_ir_integer(m, 32), v4 = og_ir_sequence(m, OG_IR_VECTOR, i32, 4);
  og_ir_ref three = og_ir_number(m, i32, 3), zero = og_ir_zero(m, i32);
  og_ir_ref threes[] = {three, three, three, three}, zeros[] = {zero, zero, zero, zero};
  assert_int_equal(three, og_ir_number(m, i32, 3));
  assert_int_equal(og_ir_constant_of(m, og_ir_aggregate(m, v4, threes, 4))->kind, OG_IR_C_SPLAT);
  assert_int_equal(og_ir_aggregate(m, v4, zeros, 4), og_ir_zero(m, v4));
}

static const char function_text[] = "define i32 @f(i32 %a, i32 %b) {\n"
                                    "  %x = add i32 %a, %b\n"
                                    "  %y = mul i32 %x, %x\n"
                                    "  %z = sub i32 %y, %x\n"
                                    "  ret i32 %z\n"
                                    "}\n";

static void uses_are_found_and_replaced(void **state) {
  struct fixture *t = *state;
  struct og_ir_module *m = read_text(t, function_text);
  assert_non_null(m);
  struct og_ir_function *f = m->globals.items[m->functions.items[0]].function;
  struct og_ir_uses uses;
  og_ir_build_uses(t->arena, f, &uses);
  unsigned count = 0;
  for (uint32_t place = uses.head[3]; place; place = uses.next[place])
    count++;
  assert_int_equal(count, 3); /* of %x */
  og_ir_replace_all_uses(f, &uses, 3, OG_IR_LOCAL | 1);
  assert_int_equal(uses.head[3], 0);
  assert_int_equal(og_ir_operand(f, &f->insts.items[4], 0), 1);
  assert_int_equal(og_ir_operand(f, &f->insts.items[4], 1), 1);
  count = 0;
  for (uint32_t place = uses.head[1]; place; place = uses.next[place])
    count++;
  assert_int_equal(count, 4); /* %a: once before, and three of %x's */
  og_ir_remove(f, 3);
  assert_true(og_ir_verify(m, t->diagnostics));
  assert_int_equal(f->blocks.items[0].first, 4);
}

static void insertion_keeps_the_order_of_the_block(void **state) {
  struct fixture *t = *state;
  struct og_ir_module *m = read_text(t, function_text);
  struct og_ir_function *f = m->globals.items[m->functions.items[0]].function;
  uint32_t made = og_ir_append(m, f, UINT32_MAX, OG_IR_ADD, f->insts.items[1].type, 2);
  f->operands.items[f->insts.items[made].first] = 1;
  f->operands.items[f->insts.items[made].first + 1] = 2;
  og_ir_insert_before(f, made, 3);
  assert_int_equal(f->blocks.items[0].first, made);
  assert_int_equal(f->insts.items[made].next, 3);
  assert_true(og_ir_verify(m, t->diagnostics));
}

static void a_use_before_its_definition_is_found(void **state) {
  struct fixture *t = *state;
  struct og_ir_module *m = read_text(t, "define i32 @f(i1 %c) {\n"
                                        "  br i1 %c, label %a, label %b\n"
                                        "a:\n"
                                        "  %x = add i32 1, 2\n"
                                        "  br label %b\n"
                                        "b:\n"
                                        "  ret i32 %x\n"
                                        "}\n");
  assert_non_null(m);
  assert_false(og_ir_verify(m, t->diagnostics));
  const struct og_diagnostic *d = og_diagnostics_at(t->diagnostics, 0);
  assert_string_equal(d->message, "Instruction does not dominate all uses!");
  assert_int_equal(d->line, 7);
}

static void nesting_without_end_is_one_error(void **state) {
  struct fixture *t = *state;
  char *text = malloc(200001);
  memset(text, '[', 200000);
  memcpy(text, "@x = global ", 12);
  text[200000] = 0;
  assert_null(read_text(t, text));
  assert_int_equal(og_diagnostics_errors(t->diagnostics), 1);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(equal_types_are_the_same, setup, teardown),
      cmocka_unit_test_setup_teardown(equal_constants_are_the_same, setup, teardown),
      cmocka_unit_test_setup_teardown(uses_are_found_and_replaced, setup, teardown),
      cmocka_unit_test_setup_teardown(insertion_keeps_the_order_of_the_block, setup, teardown),
      cmocka_unit_test_setup_teardown(a_use_before_its_definition_is_found, setup, teardown),
      cmocka_unit_test_setup_teardown(nesting_without_end_is_one_error, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
