/* test_visa_infer.c - where arguments go without a zebin: as the compiler lays them out, or an error that names
 * --zeinfo. */
#include "visa/infer/infer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

/* A kernel of the compiler's for skl: arguments that are read, the header H, what the compiler adds with the local ids
 * in its middle, temporaries, arguments that are not read. A test adds inputs and code. */
static const char head[] =
    ".version 4.1\n.kernel \"k\"\n"
    ".decl C v_type=G type=ud num_elts=8 align=GRF alias=<%r0, 0>\n"
    ".decl X v_type=G type=uq num_elts=1 align=qword\n.decl Y v_type=G type=uq num_elts=1 align=qword\n"
    ".decl Z v_type=G type=uq num_elts=1 align=qword\n.decl B v_type=G type=b num_elts=1 align=dword\n"
    ".decl I v_type=G type=d num_elts=1 align=dword\n.decl S v_type=G type=ud num_elts=1 align=dword\n"
    ".decl H v_type=G type=d num_elts=8 align=hword\n"
    ".decl N v_type=G type=d num_elts=1 align=dword\n"
    ".decl K1 v_type=G type=d num_elts=3 align=dword\n.decl K2 v_type=G type=d num_elts=3 align=dword\n"
    ".decl L0 v_type=G type=w num_elts=16 align=hword\n.decl L1 v_type=G type=w num_elts=16 align=hword\n"
    ".decl M0 v_type=G type=d num_elts=1 align=dword\n.decl M1_ v_type=G type=d num_elts=1 align=dword\n"
    ".decl M2_ v_type=G type=w num_elts=1 align=dword\n.decl M3_ v_type=G type=w num_elts=1 align=dword\n"
    ".decl O v_type=G type=d num_elts=1 align=dword\n"
    ".decl W v_type=G type=d num_elts=1 align=dword\n"
    ".decl V v_type=G type=uq num_elts=16 align=GRF\n.decl E v_type=G type=d num_elts=16 align=GRF\n"
    ".decl DEAD0 v_type=G type=uq num_elts=1 align=qword\n.decl DEAD1 v_type=G type=uq num_elts=1 align=qword\n"
    ".decl T6 v_type=T num_elts=1\n";
static const char ids[] = ".input L0 offset=32 size=32\n.input L1 offset=64 size=32\n.input H offset=96 size=32\n";
static const char no_ids[] = ".input H offset=32 size=32\n";
static const char middle[] = "\n.kernel_attr SimdSize=16\n.function \"main\"\nmain:\n";

#define STORE(pointer) "add (M1, 8) V(0,0)<1> " pointer "(0,0)<0;1,0> 0x4:uq\nsvm_scatter.4.1 (M1, 8) V.0 E.0\n"
#define LOAD(pointer) "add (M1, 8) V(0,0)<1> " pointer "(0,0)<0;1,0> 0x4:uq\nsvm_gather.4.1 (M1, 8) V.0 E.0\n"
#define BY_GROUP(size) "mul (M1_NM, 1) W(0,0)<1> " size "(0,0)<0;1,0> C(0,1)<0;1,0>\n"
#define GLOBAL_ID(size)                                                                          \
  BY_GROUP(size) "add (M1, 16) E(0,0)<1> W(0,0)<0;1,0> L0(0,0)<1;1,0>\n"                         \
                 "add (M1, 16) E(0,0)<1> E(0,0)<1;1,0> H(0,0)<0;1,0>\n"

struct fixture {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_visa_dispatch dispatch;
  struct og_visa_argument arguments[8];
};

static int set_up(void **state) {
  static struct fixture f;
  f = (struct fixture){.arena = og_arena_new(), .diagnostics = og_diagnostics_new()};
  f.dispatch =
      (struct og_visa_dispatch){.grid = {64, 1, 1}, .group = {16, 1, 1}, .dimensions = 1, .arguments = f.arguments};
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  struct fixture *f = *state;
  og_diagnostics_free(f->diagnostics);
  og_arena_free(f->arena);
  return 0;
}

static void give(struct fixture *f, uint8_t kind, size_t size, bool read_only) {
  f->arguments[f->dispatch.argument_count++] =
      (struct og_visa_argument){.kind = kind, .size = size, .read_only = read_only};
}

static struct og_visa_layout *infer_from(struct fixture *f, const char *front, const char *inputs, const char *body) {
  struct og_source *source = OG_NEW(f->arena, struct og_source);
  source->name = "t.visaasm";
  source->text = og_arena_printf(f->arena, "%s%s%s%s%sret (M1, 1)\n", head, front, inputs, middle, body);
  source->size = strlen(source->text);
  struct og_visa *visa = og_visa_read_text(f->arena, source, OG_VISA_SKL, f->diagnostics);
  assert_non_null(visa);
  struct og_vx_program program = {
      .kernel = visa->kernels.items[0], .kernel_name = "k", .file = "t.visaasm", .grf_size = 32};
  return og_visa_infer_layout(f->arena, &program, &f->dispatch, 16, f->diagnostics);
}

static struct og_visa_layout *infer(struct fixture *f, const char *inputs, const char *body) {
  return infer_from(f, ids, inputs, body);
}

static void expect(const struct og_visa_layout *layout, uint8_t what, int32_t argument, uint32_t offset,
                   uint32_t from) {
  assert_non_null(layout);
  for (uint32_t i = 0; i < layout->payload.count; i++) {
    const struct og_visa_payload_entry *entry = &layout->payload.items[i];
    if (entry->offset == offset && entry->what == what && entry->argument == argument && entry->source_offset == from)
      return;
  }
  fail_msg("nothing of kind %u for argument %d at %u", what, argument, offset);
}

static void expect_untold(const struct fixture *f, const struct og_visa_layout *layout, const char *what) {
  assert_null(layout);
  const char *message = og_diagnostics_at(f->diagnostics, 0)->message;
  assert_int_equal(og_diagnostics_errors(f->diagnostics), 1);
  assert_non_null(strstr(message, what));
  assert_non_null(strstr(message, "--zeinfo"));
}

static void arguments_stand_in_the_compilers_order(void **state) {
  struct fixture *f = *state;
  give(f, OG_VISA_ARGUMENT_VALUE, 4, false);
  give(f, OG_VISA_ARGUMENT_BUFFER, 64, true);
  give(f, OG_VISA_ARGUMENT_SLM, 64, false);
  give(f, OG_VISA_ARGUMENT_BUFFER, 64, false);
  struct og_visa_layout *layout = infer(f,
                                        ".input S offset=128 size=4\n.input X offset=136 size=8\n"
                                        ".input Y offset=144 size=8\n.input I offset=152 size=4\n"
                                        ".input K1 offset=160 size=12\n",
                                        STORE("Y") GLOBAL_ID("K1"));
  expect(layout, OG_VISA_PAYLOAD_GLOBAL_OFFSET, -1, 0, 0);
  expect(layout, OG_VISA_PAYLOAD_LOCAL_SIZE, -1, 12, 0);
  expect(layout, OG_VISA_PAYLOAD_SLM, 2, 32, 0);
  expect(layout, OG_VISA_PAYLOAD_POINTER, 1, 40, 0);
  expect(layout, OG_VISA_PAYLOAD_POINTER, 3, 48, 0);
  expect(layout, OG_VISA_PAYLOAD_VALUE, 0, 56, 0);
  expect(layout, OG_VISA_PAYLOAD_ENQUEUED_LOCAL_SIZE, -1, 64, 0);
}

static void constant_memory_comes_last_in_the_variables_order(void **state) {
  struct fixture *f = *state;
  for (int i = 0; i < 3; i++)
    give(f, OG_VISA_ARGUMENT_BUFFER, 64, i < 2);
  struct og_visa_layout *layout =
      infer(f, ".input X offset=128 size=8\n.input Z offset=136 size=8\n.input Y offset=144 size=8\n",
            STORE("Z") LOAD("X") LOAD("Y"));
  expect(layout, OG_VISA_PAYLOAD_POINTER, 0, 32, 0);
  expect(layout, OG_VISA_PAYLOAD_POINTER, 2, 40, 0);
  expect(layout, OG_VISA_PAYLOAD_POINTER, 1, 48, 0);
  assert_int_equal(layout->bindings.items[1].argument, 2);
}

static void buffers_that_surfaces_hide_are_not_guessed(void **state) {
  struct fixture *f = *state;
  for (int i = 0; i < 3; i++)
    give(f, OG_VISA_ARGUMENT_BUFFER, 64, i < 2);
  expect_untold(f,
                infer(f, ".input DEAD0 offset=128 size=8\n.input DEAD1 offset=136 size=8\n.input Y offset=144 size=8\n",
                      "movs (M1_NM, 1) T6(0) 0x1:ud\nscatter_scaled.1 (M1, 8) T6 0x0:ud E.0 E.0\n" LOAD("Y")),
                "which of the arguments");
}

static void structs_come_behind_the_values_member_by_member(void **state) {
  struct fixture *f = *state;
  give(f, OG_VISA_ARGUMENT_VALUE, 12, false);
  give(f, OG_VISA_ARGUMENT_VALUE, 1, false);
  struct og_visa_layout *layout =
      infer(f,
            ".input B offset=128 size=1\n.input M0 offset=132 size=4\n.input M1_ offset=136 size=4\n"
            ".input M2_ offset=140 size=2\n.input M3_ offset=144 size=2\n",
            "add (M1_NM, 1) W(0,0)<1> M0(0,0)<0;1,0> M1_(0,0)<0;1,0>\nmov (M1_NM, 1) W(0,0)<1> B(0,0)<0;1,0>\n"
            "mov (M1_NM, 1) W(0,0)<1> M3_(0,0)<0;1,0>\n");
  expect(layout, OG_VISA_PAYLOAD_VALUE, 1, 32, 0);
  expect(layout, OG_VISA_PAYLOAD_VALUE, 0, 36, 0);
  expect(layout, OG_VISA_PAYLOAD_VALUE, 0, 40, 4);
  expect(layout, OG_VISA_PAYLOAD_VALUE, 0, 44, 8);
  expect(layout, OG_VISA_PAYLOAD_VALUE, 0, 48, 10);
}

static void values_and_structs_of_one_size_are_told_apart_by_their_variables(void **state) {
  struct fixture *f = *state;
  give(f, OG_VISA_ARGUMENT_VALUE, 4, false);
  give(f, OG_VISA_ARGUMENT_VALUE, 4, false);
  expect_untold(f,
                infer(f, ".input I offset=128 size=4\n.input M0 offset=132 size=4\n",
                      "add (M1_NM, 1) W(0,0)<1> M0(0,0)<0;1,0> I(0,0)<0;1,0>\n"),
                "which of the arguments");
}

static void a_group_s_number_may_be_multiplied_with_any_size(void **state) {
  struct fixture *f = *state;
  expect_untold(f, infer(f, ".input K1 offset=128 size=12\n", BY_GROUP("K1")), "global size");
}

/* W holds the number of dimensions, then something else that goes into an offset. */
static void a_variable_written_as_a_whole_begins_anew(void **state) {
  struct fixture *f = *state;
  give(f, OG_VISA_ARGUMENT_VALUE, 4, false);
  struct og_visa_layout *layout = infer_from(
      f, no_ids, ".input I offset=64 size=4\n.input N offset=68 size=4\n",
      "mov (M1_NM, 1) W(0,0)<1> N(0,0)<0;1,0>\nshl (M1_NM, 1) W(0,0)<1> W(0,0)<0;1,0> 0x2:d\n"
      "mov (M1_NM, 1) W(0,0)<1> I(0,0)<0;1,0>\nadd (M1, 8) E(0,0)<1> E(0,0)<8;8,1> W(0,0)<0;1,0>\n"
      "gather_scaled.1 (M1, 8) T6 0x0:ud E.0 V.0\n");
  expect(layout, OG_VISA_PAYLOAD_WORK_DIMENSIONS, -1, 36, 0);
}

static void an_input_that_is_only_added_may_be_an_offset_or_the_number_of_dimensions(void **state) {
  struct fixture *f = *state;
  expect_untold(f,
                infer_from(f, no_ids, ".input N offset=64 size=4\n",
                           "add (M1, 8) E(0,0)<1> E(0,0)<8;8,1> N(0,0)<0;1,0>\n"
                           "gather_scaled.1 (M1, 8) T6 0x0:ud E.0 V.0\n"),
                "the one of 4 bytes");
}

static void sizes_are_told_apart_where_they_matter(void **state) {
  struct fixture *f = *state;
  const char *inputs = ".input K1 offset=128 size=12\n.input K2 offset=140 size=12\n";
  const char *body = "add (M1_NM, 1) W(0,0)<1> K1(0,0)<0;1,0> 0x1:d\n" GLOBAL_ID("K2");
  expect_untold(f, infer(f, inputs, body), "global size, the local size or the number of groups");
}

static void sizes_that_are_equal_need_not_be_told_apart(void **state) {
  struct fixture *f = *state;
  f->dispatch.grid[0] = f->dispatch.group[0] = 1;
  struct og_visa_layout *layout = infer(f, ".input K1 offset=128 size=12\n.input K2 offset=140 size=12\n",
                                        "add (M1_NM, 1) W(0,0)<1> K1(0,0)<0;1,0> 0x1:d\n" GLOBAL_ID("K2"));
  expect(layout, OG_VISA_PAYLOAD_ENQUEUED_LOCAL_SIZE, -1, 44, 0);
}

static void small_inputs_are_offsets_or_the_number_of_dimensions(void **state) {
  struct fixture *f = *state;
  give(f, OG_VISA_ARGUMENT_BUFFER, 64, false);
  struct og_visa_layout *layout =
      infer(f, ".input X offset=128 size=8\n.input O offset=136 size=4\n.input N offset=140 size=4\n",
            "add (M1, 8) E(0,0)<1> E(0,0)<8;8,1> O(0,0)<0;1,0>\ngather_scaled.1 (M1, 8) T6 0x0:ud E.0 V.0\n"
            "mov (M1, 8) E(1,0)<1> N(0,0)<0;1,0>\n");
  expect(layout, OG_VISA_PAYLOAD_BUFFER_OFFSET, -1, 40, 0);
  expect(layout, OG_VISA_PAYLOAD_WORK_DIMENSIONS, -1, 44, 0);
}

static void inputs_that_say_what_they_are_need_no_guess(void **state) {
  struct fixture *f = *state;
  struct og_visa_layout *layout =
      infer(f, ".implicit_GROUP_COUNT K1 offset=128 size=12\n.implicit_LOCAL_SIZE K2 offset=140 size=12\n",
            "add (M1_NM, 1) W(0,0)<1> K1(0,0)<0;1,0> K2(0,0)<0;1,0>\n");
  expect(layout, OG_VISA_PAYLOAD_GROUP_COUNT, -1, 32, 0);
  expect(layout, OG_VISA_PAYLOAD_LOCAL_SIZE, -1, 44, 0);
}

static void too_few_and_too_many_arguments_are_told(void **state) {
  struct fixture *f = *state;
  expect_untold(f, infer(f, ".input I offset=128 size=4\n", ""), "for an argument that is not given");
}

static void buffers_without_inputs_are_told(void **state) {
  struct fixture *f = *state;
  give(f, OG_VISA_ARGUMENT_BUFFER, 64, false);
  give(f, OG_VISA_ARGUMENT_BUFFER, 64, false);
  expect_untold(f, infer(f, ".input X offset=128 size=8\n", ""), "1 of the 2 buffers");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(arguments_stand_in_the_compilers_order),
      TEST(constant_memory_comes_last_in_the_variables_order),
      TEST(buffers_that_surfaces_hide_are_not_guessed),
      TEST(structs_come_behind_the_values_member_by_member),
      TEST(values_and_structs_of_one_size_are_told_apart_by_their_variables),
      TEST(a_group_s_number_may_be_multiplied_with_any_size),
      TEST(a_variable_written_as_a_whole_begins_anew),
      TEST(an_input_that_is_only_added_may_be_an_offset_or_the_number_of_dimensions),
      TEST(sizes_are_told_apart_where_they_matter),
      TEST(sizes_that_are_equal_need_not_be_told_apart),
      TEST(small_inputs_are_offsets_or_the_number_of_dimensions),
      TEST(inputs_that_say_what_they_are_need_no_guess),
      TEST(too_few_and_too_many_arguments_are_told),
      TEST(buffers_without_inputs_are_told),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
