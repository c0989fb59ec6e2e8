/* visa_fixture.h - a hand-written vISA kernel, run once, and what it leaves in its buffer. */
#ifndef VISA_FIXTURE_H
#define VISA_FIXTURE_H

#include "visa/run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* One kernel with a buffer as its argument, whose address stands in OUT; STORE128 writes
 * 128 bytes of a variable to it. */
struct fixture {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  uint32_t out[1024];
  struct og_visa_statistics statistics;
  const struct og_visa_kernel *kernel; /* the last one read */
  const struct og_visa *visa;
  const struct og_vx_program *program; /* and made ready to run */
};

static __attribute__((unused)) int set_up(void **state) {
  struct fixture *f = calloc(1, sizeof *f);
  f->arena = og_arena_new();
  f->diagnostics = og_diagnostics_new();
  *state = f;
  return 0;
}

static __attribute__((unused)) int tear_down(void **state) {
  struct fixture *f = *state;
  og_diagnostics_free(f->diagnostics);
  og_arena_free(f->arena);
  free(f);
  return 0;
}

struct setting {
  int platform;
  uint32_t simd, grid, group, bytes;
  double timeout;
  const int *interrupted;
  uint64_t seed;
  bool count, check;
  const struct og_visa_argument *more; /* further arguments, one if no count says else */
  uint32_t more_count;
};

static __attribute__((unused)) bool run_kernel(struct fixture *f, struct setting s, const char *declarations,
                                               const char *body) {
  uint32_t grf = og_visa_platforms[s.platform].grf_size;
  char *text = og_arena_printf(f->arena,
                               ".version 4.1\n.kernel \"t\"\n.decl OUT v_type=G type=uq num_elts=1 align=qword\n%s\n"
                               ".input OUT offset=%u size=8\n.kernel_attr Target=\"cm\"\n.kernel_attr "
                               "SimdSize=%u\n.function \"t_main\"\n\nt_main:\n%s\n    ret (M1, 1)\n",
                               declarations, grf, s.simd, body);
  struct og_source *source = OG_NEW(f->arena, struct og_source);
  *source = (struct og_source){.name = "test.visaasm", .text = text, .size = strlen(text)};
  struct og_visa *visa = og_visa_read_text(f->arena, source, s.platform, f->diagnostics);
  f->visa = visa;
  f->kernel = visa ? visa->kernels.items[0] : NULL;
  struct og_vx_program *program = visa ? og_visa_prepare(f->arena, &(struct og_visa_unit){visa, "test.visaasm"}, 1,
                                                         visa->kernels.items[0], s.platform, NULL, f->diagnostics)
                                       : NULL;
  f->program = program;
  if (!program)
    return false;
  struct og_visa_argument arguments[4] = {
      {.kind = OG_VISA_ARGUMENT_BUFFER, .buffer = f->out, .size = s.bytes ? s.bytes : sizeof f->out}};
  uint32_t more = s.more ? OG_MAX(s.more_count, 1u) : 0;
  assert_true(more < OG_COUNT(arguments));
  for (uint32_t i = 0; i < more; i++)
    arguments[1 + i] = s.more[i];
  struct og_visa_dispatch dispatch = {.grid = {s.grid ? s.grid : s.simd, 1, 1},
                                      .group = {s.group ? s.group : s.simd, 1, 1},
                                      .dimensions = 1,
                                      .arguments = arguments,
                                      .argument_count = 1 + more,
                                      .deadline = s.timeout > 0 ? og_clock() + (uint64_t)(s.timeout * 1e9) : 0,
                                      .interrupted = s.interrupted,
                                      .count = s.count,
                                      .check = s.check,
                                      .seed = s.seed};
  return og_visa_run(f->arena, program, &dispatch, &f->statistics, f->diagnostics);
}

static __attribute__((unused)) const char *message(struct fixture *f) {
  return og_diagnostics_count(f->diagnostics)
             ? og_diagnostics_at(f->diagnostics, og_diagnostics_count(f->diagnostics) - 1)->message
             : "";
}

static __attribute__((unused)) void check(struct fixture *f, struct setting s, const char *declarations,
                                          const char *body, const uint32_t *expected, uint32_t count) {
  if (!run_kernel(f, s, declarations, body))
    fail_msg("%s", message(f));
  for (uint32_t i = 0; i < count; i++)
    if (f->out[i] != expected[i])
      fail_msg("element %u is 0x%x, expected 0x%x", i, f->out[i], expected[i]);
}

static __attribute__((unused)) void check_fault(struct fixture *f, struct setting s, const char *declarations,
                                                const char *body, const char *expected) {
  assert_false(run_kernel(f, s, declarations, body));
  if (!strstr(message(f), expected))
    fail_msg("'%s' does not say '%s'", message(f), expected);
}

static const __attribute__((unused)) struct setting skl16 = {.platform = OG_VISA_SKL, .simd = 16},
                                                    skl8 = {.platform = OG_VISA_SKL, .simd = 8};

/* A counts 0..15; R is the result, one register pair; STORE writes it. */
#define D(name, type, count) ".decl " name " v_type=G type=" type " num_elts=" count " align=wordx32\n"
#define COUNTING D("A", "d", "32") D("R", "d", "32") D("L", "w", "16") D("AU", "ud", "32")
#define COUNT                                                                                                          \
  "    mov (M1_NM, 8) L(0,0)<1> 0x76543210:v\n    add (M1_NM, 8) L(0,8)<1> L(0,0)<1;1,0> 0x8:w\n"                      \
  "    mov (M1_NM, 16) A(0,0)<1> L(0,0)<1;1,0>\n    mov (M1_NM, 16) R(0,0)<1> 0x0:d\n"
#define STORE "    svm_block_st (4) OUT(0,0)<0;1,0> R.0\n"

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

#endif
