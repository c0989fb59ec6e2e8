/* test_cc.c - the compiler's analyses: loops and the order of blocks, and which values are the same in all lanes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cc/machine.h"

struct fixture {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_target target;
  struct og_isa isa;
  struct cc_function c;
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

/* The kernel of a body, analysed. %id is a lane's, %n is not. */
static struct cc_function *analyse(struct fixture *t, const char *body) {
  const char *text = og_arena_printf(t->arena,
                                     "declare i32 @llvm.amdgcn.workitem.id.x()\n"
                                     "define amdgpu_kernel void @k(i32 %%n, ptr addrspace(1) %%p) {\n"
                                     "entry:\n  %%id = call i32 @llvm.amdgcn.workitem.id.x()\n%s}\n", body);
  struct og_ir_module *m = og_ir_read(t->arena, "k.ll", text, strlen(text), t->diagnostics);
  assert_non_null(m);
  assert_true(og_ir_verify(m, t->diagnostics));
  assert_true(og_target_parse(&t->target, NULL, "gfx900", NULL, t->diagnostics));
  t->c = (struct cc_function){
      .arena = t->arena, .m = m, .target = &t->target, .diagnostics = t->diagnostics, .mask_dwords = 2};
  t->c.isa = og_isa_for(&t->target, &t->isa);
  for (uint32_t i = 0; i < m->functions.count; i++)
    if (m->globals.items[m->functions.items[i]].function->blocks.count)
      t->c.global = &m->globals.items[m->functions.items[i]];
  t->c.f = t->c.global->function;
  OG_PUSH(t->arena, &t->c.regs);
  return cc_flow(&t->c) && cc_places(&t->c) && cc_control(&t->c) ? &t->c : NULL;
}

static uint8_t place(const struct cc_function *c, const char *name) {
  for (uint32_t i = 1; i < c->f->insts.count; i++)
    if (og_text_is(c->m->names.items[c->f->insts.items[i].name], name))
      return c->values[i].place;
  fail_msg("no value %s", name);
  return 0;
}

static uint32_t position(const struct cc_function *c, const char *block) {
  for (uint32_t i = 0; i < c->f->blocks.count; i++)
    if (og_text_is(c->m->names.items[c->f->blocks.items[i].name], block))
      return c->nodes.items[c->node_of[i]].position;
  fail_msg("no block %s", block);
  return 0;
}

static void a_phi_after_lanes_part_is_each_lanes_own(void **state) {
  const struct cc_function *c = analyse(*state, "  %c = icmp slt i32 %id, 5\n  br i1 %c, label %a, label %b\n"
                                                "a:\n  %x = add i32 %n, 1\n  br label %j\n"
                                                "b:\n  br label %j\n"
                                                "j:\n  %y = phi i32 [ %x, %a ], [ %n, %b ]\n  ret void\n");
  assert_non_null(c);
  assert_int_equal(place(c, "c"), CC_MASK);
  assert_int_equal(place(c, "x"), CC_SCALAR);
  assert_int_equal(place(c, "y"), CC_VECTOR);
}

static void a_phi_after_a_common_branch_is_common(void **state) {
  const struct cc_function *c = analyse(*state, "  %c = icmp slt i32 %n, 5\n  br i1 %c, label %a, label %b\n"
                                                "a:\n  %x = add i32 %n, 1\n  br label %j\n"
                                                "b:\n  br label %j\n"
                                                "j:\n  %y = phi i32 [ %x, %a ], [ %n, %b ]\n  ret void\n");
  assert_non_null(c);
  assert_int_equal(place(c, "c"), CC_SCALAR);
  assert_int_equal(place(c, "y"), CC_SCALAR);
}

static const char counted[] = "  br label %h\n"
                              "h:\n  %i = phi i32 [ 0, %entry ], [ %next, %h ]\n  %next = add i32 %i, 1\n"
                              "  %c = icmp slt i32 %next, %LIMIT\n  br i1 %c, label %h, label %out\n"
                              "out:\n  %last = phi i32 [ %i, %h ]\n  ret void\n";

static const char *counted_to(struct fixture *t, const char *limit) {
  const char *at = strstr(counted, "LIMIT");
  return og_arena_printf(t->arena, "%.*s%s%s", (int)(at - counted), counted, limit, at + 5);
}

static void a_common_loop_keeps_its_counter_scalar(void **state) {
  const struct cc_function *c = analyse(*state, counted_to(*state, "n"));
  assert_non_null(c);
  assert_int_equal(place(c, "i"), CC_SCALAR);
  assert_int_equal(place(c, "last"), CC_SCALAR);
}

static void what_lanes_take_out_of_a_loop_at_different_times_is_their_own(void **state) {
  const struct cc_function *c = analyse(*state, counted_to(*state, "id"));
  assert_non_null(c);
  assert_true(c->loops.items[1].divergent);
  assert_int_equal(place(c, "i"), CC_VECTOR);
  assert_int_equal(place(c, "last"), CC_VECTOR);
}

static void blocks_of_a_loop_stand_together(void **state) {
  const struct cc_function *c =
      analyse(*state, "  br label %h\n"
                      "h:\n  %c = icmp slt i32 %n, 5\n  br i1 %c, label %a, label %b\n"
                      "a:\n  br label %l\n"
                      "b:\n  %d = icmp slt i32 %n, 3\n  br i1 %d, label %l, label %out\n"
                      "l:\n  br label %h\n"
                      "out:\n  %x = add i32 %n, 1\n  ret void\n");
  assert_non_null(c);
  assert_int_equal(c->loops.count, 2);
  const struct cc_loop *loop = &c->loops.items[1];
  assert_int_equal(loop->blocks, 5); /* with the latch that was added */
  assert_int_equal(loop->last - position(c, "h") + 1, loop->blocks);
  assert_true(position(c, "out") > loop->last);
}

static void a_common_branch_does_not_jump_over_lanes_that_wait(void **state) {
  const struct cc_function *c =
      analyse(*state, "  %c = icmp slt i32 %id, 5\n  br i1 %c, label %a, label %wait\n"
                      "a:\n  %d = icmp slt i32 %n, 3\n  br i1 %d, label %wait, label %far\n"
                      "wait:\n  %e = add i32 %n, 2\n  br label %far\n"
                      "far:\n  %x = add i32 %n, 1\n  br label %end\n"
                      "end:\n  ret void\n");
  assert_non_null(c);
  const struct cc_node *branch = &c->nodes.items[c->layout[position(c, "a")]];
  assert_false(branch->divergent);
  assert_true(branch->parts);
  assert_true(c->nodes.items[c->layout[position(c, "wait")]].waits);
}

static void a_loop_with_two_entries_is_refused(void **state) {
  struct fixture *t = *state;
  assert_null(analyse(t, "  %c = icmp slt i32 %n, 5\n  br i1 %c, label %a, label %b\n"
                         "a:\n  br label %b\n"
                         "b:\n  br label %a\n"));
  assert_int_equal(og_diagnostics_errors(t->diagnostics), 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_phi_after_lanes_part_is_each_lanes_own, setup, teardown),
      cmocka_unit_test_setup_teardown(a_phi_after_a_common_branch_is_common, setup, teardown),
      cmocka_unit_test_setup_teardown(a_common_loop_keeps_its_counter_scalar, setup, teardown),
      cmocka_unit_test_setup_teardown(what_lanes_take_out_of_a_loop_at_different_times_is_their_own, setup, teardown),
      cmocka_unit_test_setup_teardown(blocks_of_a_loop_stand_together, setup, teardown),
      cmocka_unit_test_setup_teardown(a_common_branch_does_not_jump_over_lanes_that_wait, setup, teardown),
      cmocka_unit_test_setup_teardown(a_loop_with_two_entries_is_refused, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
