/* What a vISA kernel or its .ze_info asks for beyond its registers, its memory or its time is refused or stops it,
   whether it was verified or not. */
#include "visa_fixture.h"

#include "visa/table.h"

static struct og_visa *read_kernel(struct fixture *f, int platform, const char *text) {
  struct og_source *source = OG_NEW(f->arena, struct og_source);
  *source = (struct og_source){.name = "t.visaasm", .text = text, .size = strlen(text)};
  struct og_visa *visa = og_visa_read_text(f->arena, source, platform, f->diagnostics);
  if (!visa)
    fail_msg("%s", message(f));
  return visa;
}

static struct og_vx_program *prepare_visa(struct fixture *f, int platform, const struct og_visa *visa,
                                          const char *info) {
  struct og_visa_unit unit = {visa, "t.visaasm"};
  struct og_zebin *zebin = NULL;
  if (info) {
    zebin = OG_NEW(f->arena, struct og_zebin);
    assert_true(og_zebin_open(f->arena, "t.zeinfo", info, strlen(info), zebin, f->diagnostics));
  }
  return og_visa_prepare(f->arena, &unit, 1, visa->kernels.items[0], platform, zebin, f->diagnostics);
}

static bool run_program(struct fixture *f, const struct og_vx_program *program, struct og_visa_dispatch dispatch) {
  return program && og_visa_run(f->arena, program, &dispatch, &f->statistics, f->diagnostics);
}

static void expect_message(struct fixture *f, bool good, const char *expected) {
  assert_false(good);
  if (!strstr(message(f), expected))
    fail_msg("'%s' does not say '%s'", message(f), expected);
}

#define HEAD ".version 4.1\n.kernel \"k\"\n"
#define SIMD8 ".kernel_attr SimdSize=8\n"

/* ---- registers --------------------------------------------------------------------------------------------------- */

static void variables_have_a_limit_that_sums_do_not_wrap(void **state) {
  struct fixture *f = *state;
  struct og_buffer text = {0};
  og_buffer_text(&text, HEAD);
  for (int i = 0; i < 8300; i++) /* more than 4 GB */
    og_buffer_printf(&text, ".decl B%d v_type=G type=q num_elts=65535 align=hword\n", i);
  og_buffer_text(&text, SIMD8 "mov (M1, 8) B8299(0,0)<1> 0x1:q\nret (M1, 1)\n");
  og_buffer_u8(&text, 0);
  struct og_visa *visa = read_kernel(f, OG_VISA_SKL, (const char *)text.data);
  expect_message(f, prepare_visa(f, OG_VISA_SKL, visa, NULL), "its variables have more than 16777216 bytes");
  assert_false(og_visa_verify(visa, OG_VISA_SKL, "t.visaasm", f->diagnostics));
  og_buffer_free(&text);
}

static void regions_of_null_lose_what_is_written(void **state) {
  check(*state, skl16, COUNTING,
        COUNT "    mov (M1, 16) %null(255,255)<4> 0x41414141:d\n    mov (M1, 16) R(0,0)<1> A(0,0)<1;1,0>\n" STORE,
        (const uint32_t[]){0, 1, 2, 3}, 4);
}

static void operands_stay_within_their_variables(void **state) {
  static const struct {
    int platform;
    const char *declarations, *body, *expected;
  } cases[] = {
      {OG_VISA_SKL, ".decl M v_type=G type=d num_elts=8 alias=<A, 1>\n", "mov (M1, 4) M(0,0)<1> 0x1:d",
       "not aligned to its type's 4 bytes"},
      {OG_VISA_SKL, ".decl M v_type=G type=d num_elts=8 alias=<A, 1>\n", "mov (M1, 4) R(0,0)<1> M(0,0)<1;1,0>",
       "not aligned to its type's 4 bytes"},
      {OG_VISA_SKL, D("S", "d", "8"), "madw (M1, 8) S(0,0)<1> A(0,0)<1;1,0> A(0,0)<1;1,0> A(0,0)<1;1,0>",
       "destination region of S reaches byte 64; the variable ends at 32"},
      {OG_VISA_SKL, D("Q", "q", "32"), "madw (M1, 4) R(0,0)<1> Q(0,0)<1;1,0> Q(0,0)<1;1,0> Q(0,0)<1;1,0>",
       "not executed on these types"},
      {OG_VISA_DG2, D("U", "uw", "32") D("V", "uw", "32"), "bf_cvt (M1, 16) U(0,0)<1> V(0,0)<1;1,0>",
       "not executed on these types"},
      {OG_VISA_DG2, D("Q", "q", "32") ".decl P1 v_type=P num_elts=16\n",
       "(P1) add3.o (M1, 4) R(0,0)<1> Q(0,0)<1;1,0> A(0,0)<1;1,0> A(0,0)<1;1,0>", "not executed on these types"},
      {OG_VISA_DG2, D("W", "ud", "8") D("X", "d", "64"), "dpas.s8.s8.8.1 (M1, 8) X.0 X.0 W.0 X(0,0)",
       "of W, which has 32"},
      {OG_VISA_SKL, "", "raw_sends.12.1.0.1 (M1, 8) 0x0:ud 0x4026e00:ud %null.0 %null.0 A.0", "needs this operand"},
      {OG_VISA_DG2, D("O", "ud", "8"), "lsc_load_quad.tgm (M1, 8) R:d32.x flat[O]:a32", "typed"},
      {OG_VISA_SKL, ".decl S1 v_type=S num_elts=1\n.decl T7 v_type=T num_elts=1\n" D("F", "f", "32"),
       "lod.R (M1, 1) 0x0:uw S1 T7 R.0 F.0 F.0 F.0", "groups of four channels"},
  };
  struct fixture *f = *state;
  for (size_t i = 0; i < OG_COUNT(cases); i++) {
    const char *declarations = og_arena_printf(f->arena, "%s%s", COUNTING, cases[i].declarations);
    bool good = run_kernel(f, (struct setting){.platform = cases[i].platform, .simd = 16}, declarations, cases[i].body);
    if (good || !strstr(message(f), cases[i].expected))
      print_message("%s\n", cases[i].body);
    expect_message(f, good, cases[i].expected);
  }
}

/* What no text says, but a binary file may. */
static void numbers_of_a_binary_file_are_checked(void **state) {
  struct fixture *f = *state;
  static const struct {
    const char *body, *expected;
    uint32_t operand;
    uint64_t bits;
  } cases[] = {
      {"gather4_scaled.R (M1, 8) T6 0x0:ud A.0 R.0", "at least one channel", 0, 0},
      {"gather_scaled.4 (M1, 8) T6 0x0:ud A.0 R.0", "elements of 8 bytes do not exist", 1, 3},
  };
  for (size_t i = 0; i < OG_COUNT(cases); i++) {
    struct og_visa *visa =
        read_kernel(f, OG_VISA_SKL,
                    og_arena_printf(f->arena, HEAD COUNTING ".decl T6 v_type=T num_elts=1\n" SIMD8 "%s\nret (M1, 1)\n",
                                    cases[i].body));
    visa->kernels.items[0]->insts.items[0].operands[cases[i].operand].bits = cases[i].bits;
    expect_message(f, prepare_visa(f, OG_VISA_SKL, visa, NULL), cases[i].expected);
  }
}

static void moves_to_registers_may_be_called_movs(void **state) {
  check(*state, skl8, COUNTING, COUNT "    movs (M1_NM, 1) R(0,0)<1> 0x7:ud\n" STORE, (const uint32_t[]){7, 0}, 2);
}

static void aliases_are_no_longer_than_a_verifier_walks(void **state) {
  struct fixture *f = *state;
  struct og_buffer text = {0};
  og_buffer_text(&text, HEAD ".decl B0 v_type=G type=d num_elts=8\n");
  for (int i = 1; i < 20000; i++)
    og_buffer_printf(&text, ".decl B%d v_type=G type=d num_elts=8 alias=<B%d, 0>\n", i, i - 1);
  og_buffer_text(&text, SIMD8 "mov (M1, 8) B19999(0,0)<1> 0x1:d\nret (M1, 1)\n");
  og_buffer_u8(&text, 0);
  struct og_visa *visa = read_kernel(f, OG_VISA_SKL, (const char *)text.data);
  expect_message(f, og_visa_verify(visa, OG_VISA_SKL, "t.visaasm", f->diagnostics), "more than 64 times");
  og_buffer_free(&text);
}

/* ---- memory ------------------------------------------------------------------------------------------------------ */

static void addresses_do_not_wrap_into_a_buffer(void **state) {
  static const char *const bodies[] = {
      "svm_block_ld (4) 0x7fffffffffffffff:uq R.0",
      "svm_block_ld (1) 0xfffffffffffffff8:uq R.0",
      "svm_block_st (1) 0x8000000000000000:uq R.0",
      "mov (M1, 8) Q(0,0)<1> 0xffffffffffffffff:uq\n    svm_gather.4.1 (M1, 8) Q.0 R.0",
      "mov (M1, 8) O(0,0)<1> 0x7fffffff:ud\n    gather4_scaled.RGBA (M1, 8) %slm 0x0:ud O.0 V.0",
      "oword_ld (8) %scratch 0x10000000:ud V.0",
  };
  /* Surfaces give 0 beyond their end and drop what is written there, wherever the sum of the parts would lead. */
  static const char *const surfaces[] = {
      "mov (M1, 8) O(0,0)<1> 0xfffffffe:ud\n    gather4_scaled.RGBA (M1, 8) T6 0x0:ud O.0 V.0",
      "oword_st (8) T6 0xfffffff:ud V.0",
  };
  struct fixture *f = *state;
  for (size_t i = 0; i < OG_COUNT(surfaces); i++)
    if (!run_kernel(f, skl8, COUNTING D("O", "ud", "32") D("V", "ud", "64") ".decl T6 v_type=T num_elts=1\n",
                    og_arena_printf(f->arena, "movs (M1_NM, 1) T6(0) 0x0:ud\n    %s", surfaces[i])))
      fail_msg("%s: %s", surfaces[i], message(f));
  for (size_t i = 0; i < OG_COUNT(bodies); i++)
    if (run_kernel(f, skl8,
                   COUNTING D("Q", "uq", "32") D("O", "ud", "32") D("V", "ud", "64") ".decl T6 v_type=T num_elts=1\n",
                   bodies[i]))
      fail_msg("%s ends well", bodies[i]);
    else if (!strstr(message(f), "which is in no buffer") && !strstr(message(f), "which has"))
      fail_msg("%s: %s", bodies[i], message(f));
}

static void blocks_of_hostile_surfaces_are_checked(void **state) {
  static const char *const surfaces[] = {"OUT,0xffffffff,0xffffffff,0xffffffff,0x7fffffff,0x7fffff",
                                         "OUT,0xffffff,0xffffff,0x7fffffff,0x100,0x7fffff",
                                         "OUT,0xffffff,0xffffff,0xffffffff,0x1000,0x10"};
  struct fixture *f = *state;
  for (size_t i = 0; i < OG_COUNT(surfaces); i++) {
    const char *body =
        og_arena_printf(f->arena, "lsc_store_block2d.ugm (M1_NM, 1) flat[%s] R:d32.1x8x8nn", surfaces[i]);
    if (run_kernel(f, (struct setting){.platform = OG_VISA_PVC, .simd = 16}, COUNTING D("X", "d", "64"), body))
      fail_msg("%s ends well", body);
  }
}

/* ---- .ze_info ---------------------------------------------------------------------------------------------------- */

#define INFO(environment, rest)                                                                                        \
  "---\nkernels:\n  - name: k\n    execution_env:\n      simd_size: 8\n" environment rest "...\n"
#define ENTRY(type, offset, size) "      - arg_type: " type "\n        offset: " offset "\n        size: " size "\n"

static void payload_entries_have_the_bytes_they_say(void **state) {
  struct fixture *f = *state;
  static const char info[] = INFO(
      "", "    payload_arguments:\n" ENTRY("global_size", "0", "1")
              ENTRY("group_count", "4", "3") "      - arg_type: arg_bypointer\n        offset: 8\n        size: 8\n"
                                             "        arg_index: 0\n        addrmode: stateless\n");
  struct og_visa *visa = read_kernel(
      f, OG_VISA_SKL,
      HEAD ".decl OUT v_type=G type=uq num_elts=1\n.decl G v_type=G type=ud num_elts=2\n" D(
          "R", "ud",
          "8") ".input G "
               "offset=32 size=8\n.input OUT offset=40 size=8\n" SIMD8
               "mov (M1_NM, 2) R(0,0)<1> G(0,0)<1;1,0>\nsvm_block_st (1) OUT(0,0)<0;1,0> R.0\nret (M1, 1)\n");
  struct og_visa_argument argument = {.kind = OG_VISA_ARGUMENT_BUFFER, .buffer = f->out, .size = sizeof f->out};
  assert_true(
      run_program(f, prepare_visa(f, OG_VISA_SKL, visa, info),
                  (struct og_visa_dispatch){
                      .grid = {0x1234, 1, 1}, .group = {1, 1, 1}, .arguments = &argument, .argument_count = 1}));
  assert_int_equal(f->out[0], 0x34); /* of the first entry one byte */
  assert_int_equal(f->out[1], 0x1234);
}

static void what_a_thread_asks_for_has_limits(void **state) {
#define BUFFERS(type, size) "    per_thread_memory_buffers:\n      - type: " type "\n        size: " size "\n"
  static const struct {
    const char *info, *expected;
  } cases[] = {
      {INFO("", BUFFERS("scratch", "90000000")), "asks for 90000000 bytes of scratch"},
      {INFO("", BUFFERS("global", "90000000")), "asks for 90000000 bytes of private memory"},
      {INFO("      slm_size: 4294967295\n", ""), "4294967296 bytes of shared local memory do not exist"},
      {INFO("", "    payload_arguments:\n" ENTRY("global_size", "16383", "12")), "beyond the largest payload"},
      {INFO("", "    payload_arguments:\n" ENTRY("local_size", "4294967295", "12")), "beyond the largest payload"},
  };
  struct fixture *f = *state;
  struct og_visa *visa = read_kernel(f, OG_VISA_SKL, HEAD "ret (M1, 1)\n");
  for (size_t i = 0; i < OG_COUNT(cases); i++)
    expect_message(f,
                   run_program(f, prepare_visa(f, OG_VISA_SKL, visa, cases[i].info),
                               (struct og_visa_dispatch){.grid = {8, 1, 1}, .group = {8, 1, 1}}),
                   cases[i].expected);
}

/* ---- time and calls ---------------------------------------------------------------------------------------------- */

static void everything_ends_when_the_time_is_over(void **state) {
  struct fixture *f = *state;
  struct og_buffer straight = {0};
  for (int i = 0; i < 3000; i++)
    og_buffer_text(&straight, "add (M1, 8) R(0,0)<1> R(0,0)<1;1,0> 0x1:d\n");
  og_buffer_u8(&straight, 0);
  const char *const bodies[] = {"l:\nbarrier\njmp (M1, 1) l\n", "ret (M1, 1)\n", (const char *)straight.data,
                                "l:\ngoto (M1, 8) l\n", "l:\nmov (M1, 8) R(0,0)<1> 0x1:d\njmp (M1, 1) l\n"};
  for (size_t i = 0; i < OG_COUNT(bodies); i++) {
    struct og_visa *visa = read_kernel(
        f, OG_VISA_SKL, og_arena_printf(f->arena, HEAD D("R", "d", "8") SIMD8 "%sret (M1, 1)\n", bodies[i]));
    expect_message(f,
                   run_program(f, prepare_visa(f, OG_VISA_SKL, visa, NULL),
                               (struct og_visa_dispatch){
                                   .grid = {UINT32_MAX, 1, 1}, .group = {8, 1, 1}, .deadline = og_clock() + 50000000}),
                   "still running when the time was over");
  }
  og_buffer_free(&straight);
}

static void grids_and_groups_are_counted_without_wrapping(void **state) {
  struct fixture *f = *state;
  struct og_vx_program *program =
      prepare_visa(f, OG_VISA_SKL, read_kernel(f, OG_VISA_SKL, HEAD SIMD8 "ret (M1, 1)\n"), NULL);
  expect_message(
      f,
      run_program(f, program,
                  (struct og_visa_dispatch){.grid = {UINT32_MAX, UINT32_MAX, UINT32_MAX}, .group = {1, 1, 1}}),
      "more than 2^64 work-groups");
  expect_message(
      f, run_program(f, program, (struct og_visa_dispatch){.grid = {8, 8, 8}, .group = {1 << 22, 1 << 21, 1 << 21}}),
      "at most 4096 items");
}

static void calls_have_a_limit(void **state) {
  struct fixture *f = *state;
  struct og_buffer text = {0};
  og_buffer_text(&text, HEAD SIMD8 "fcall (M1, 1) f 0 0\nret (M1, 1)\n.global_function \"f\"\n");
  for (int i = 0; i < 30; i++)
    og_buffer_printf(&text, ".decl B%d v_type=G type=q num_elts=65535 align=hword\n", i);
  og_buffer_text(&text, SIMD8 "fcall (M1, 1) f 0 0\nfret (M1, 1)\n");
  og_buffer_u8(&text, 0);
  struct og_visa *visa = read_kernel(f, OG_VISA_SKL, (const char *)text.data);
  struct og_visa_dispatch dispatch = {.grid = {64, 1, 1}, .group = {64, 1, 1}};
  expect_message(f, run_program(f, prepare_visa(f, OG_VISA_SKL, visa, NULL), dispatch),
                 "calls of this work-group need more than");
  og_buffer_free(&text);
  visa = read_kernel(f, OG_VISA_SKL,
                     HEAD SIMD8 "fcall (M1, 1) f 0 0\nret (M1, 1)\n.global_function \"f\"\n" SIMD8
                                "fcall (M1, 1) f 0 0\nfret (M1, 1)\n");
  expect_message(f, run_program(f, prepare_visa(f, OG_VISA_SKL, visa, NULL), dispatch), "calls nest deeper than 256");
}

static void a_chain_of_functions_takes_no_stack(void **state) {
  enum { COUNT_OF_THEM = 30000 };
  struct fixture *f = *state;
  struct og_buffer text = {0};
  og_buffer_text(&text, HEAD SIMD8 "fcall (M1, 1) f0 0 0\nret (M1, 1)\n");
  for (int i = 0; i < COUNT_OF_THEM; i++)
    og_buffer_printf(&text, ".global_function \"f%d\"\n%s%s%d%s\nfret (M1, 1)\n", i, SIMD8,
                     i + 1 < COUNT_OF_THEM ? "fcall (M1, 1) f" : "barrier //", i + 1,
                     i + 1 < COUNT_OF_THEM ? " 0 0" : "");
  og_buffer_u8(&text, 0);
  struct og_visa *visa = read_kernel(f, OG_VISA_SKL, (const char *)text.data);
  if (!prepare_visa(f, OG_VISA_SKL, visa, NULL))
    fail_msg("%s", message(f));
  og_buffer_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(variables_have_a_limit_that_sums_do_not_wrap),
      TEST(regions_of_null_lose_what_is_written),
      TEST(operands_stay_within_their_variables),
      TEST(numbers_of_a_binary_file_are_checked),
      TEST(moves_to_registers_may_be_called_movs),
      TEST(aliases_are_no_longer_than_a_verifier_walks),
      TEST(addresses_do_not_wrap_into_a_buffer),
      TEST(blocks_of_hostile_surfaces_are_checked),
      TEST(payload_entries_have_the_bytes_they_say),
      TEST(what_a_thread_asks_for_has_limits),
      TEST(everything_ends_when_the_time_is_over),
      TEST(grids_and_groups_are_counted_without_wrapping),
      TEST(calls_have_a_limit),
      TEST(a_chain_of_functions_takes_no_stack),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
