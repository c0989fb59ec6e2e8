/* test_coverage.c - what the executor says it can run, it takes; what it names as a gap, it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exec/coverage.h"
#include "target_fixture.h"

static bool names(const struct og_coverage *coverage, const char *name, const char *with) {
  for (unsigned i = 0; i < coverage->gap_count; i++) {
    const struct og_gap *gap = &coverage->gaps[i];
    if (!strcmp(gap->name, name) && (with ? gap->with && !strcmp(gap->with, with) : !gap->with))
      return true;
  }
  return false;
}

static void every_processor_is_covered(void **unused) {
  (void)unused;
  for (size_t i = 0; i < og_processor_count(); i++) {
    const struct og_processor *processor = og_processor_at(i);
    if (processor->generation == OG_R600)
      continue;
    struct og_arena *arena = og_arena_new();
    struct og_target target = target_of(processor->name);
    struct og_coverage coverage;
    assert_true(og_coverage(&target, arena, &coverage));
    assert_true(coverage.forms > 1000 && coverage.executed <= coverage.forms);
    if (coverage.executed * 100 < coverage.forms * 98)
      fail_msg("%s: %u of %u forms execute", processor->name, coverage.executed, coverage.forms);
    /* Each form that does not execute is named, and none is named twice. */
    assert_true(coverage.gap_count > 0 || coverage.executed == coverage.forms);
    for (unsigned i = 0; i < coverage.gap_count; i++)
      if (!coverage.gaps[i].why)
        fail_msg("%s: nothing says why %s %s%s is not executed", processor->name, coverage.gaps[i].name,
                 coverage.gaps[i].with ? "with " : "", coverage.gaps[i].with ? coverage.gaps[i].with : "");
    for (unsigned a = 0; a < coverage.gap_count; a++)
      for (unsigned b = 0; b < a; b++)
        if (coverage.gaps[a].encoding == coverage.gaps[b].encoding)
          assert_false(coverage.gaps[a].name == coverage.gaps[b].name &&
                       coverage.gaps[a].with == coverage.gaps[b].with);
    og_arena_free(arena);
  }
}

static void what_compilers_emit_is_no_gap(void **unused) {
  (void)unused;
  static const char *const common[] = {"v_add_f32",    "v_fma_f64",      "v_swap_b32",        "s_load_dwordx4",
                                       "ds_read_b128", "global_load_dwordx2", "v_permlane16_b32", "v_mov_b32",
                                       "s_barrier",    "ds_bpermute_b32", "global_atomic_add", "v_accvgpr_read_b32",
                                       "v_accvgpr_write_b32"};
  static const char *const processors[] = {"gfx803", "gfx906", "gfx90a", "gfx1030"};
  for (size_t p = 0; p < OG_COUNT(processors); p++) {
    struct og_arena *arena = og_arena_new();
    struct og_target target = target_of(processors[p]);
    struct og_coverage coverage;
    assert_true(og_coverage(&target, arena, &coverage));
    for (size_t i = 0; i < OG_COUNT(common); i++)
      if (names(&coverage, common[i], NULL))
        fail_msg("%s: %s does not execute", processors[p], common[i]);
    og_arena_free(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_processor_is_covered),
      cmocka_unit_test(what_compilers_emit_is_no_gap),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
