/* The weak memory's rules, one by one: what a load may find after stores, through caches that are stale, invalidated,
 * passed by, or written back; schedules that are read again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "litmus/litmus.h"
#include "weak/choices.h"
#include "weak/shrink.h"

/* Two CUs, with or without a GL1 each, before one L2. */
struct machine {
  struct og_weak_kind kind;
  struct og_weak_system system;
  unsigned l2[2], cu[2];
};

static void machine_init(struct machine *m, bool gl1, bool writes_back, bool two_l2) {
  *m = (struct machine){.kind = {"test", gl1, two_l2, writes_back, OG_WEAK_GLC}};
  m->system.kind = &m->kind;
  for (unsigned i = 0; i < 2; i++) {
    m->l2[i] = i && !two_l2 ? m->l2[0] : og_weak_add(&m->system, OG_WEAK_L2, OG_WEAK_NO_NODE);
    m->cu[i] = og_weak_add(&m->system, OG_WEAK_L0, gl1 ? og_weak_add(&m->system, OG_WEAK_GL1, m->l2[i]) : m->l2[i]);
  }
}

static void a_cache_may_be_stale_until_it_forgets(void **state) {
  (void)state;
  struct machine m;
  struct og_weak_place x;
  machine_init(&m, false, false, false);
  og_weak_place_init(&x, 7);
  og_weak_store(&m.system, &x, m.cu[0], OG_WEAK_L2, 8);
  assert_int_equal(og_weak_choices(&m.system, &x, m.cu[0], OG_WEAK_L0), 2);   /* its own CU sees it, */
  assert_int_equal(og_weak_choices(&m.system, &x, m.cu[1], OG_WEAK_L0), 3);   /* another may or may not, */
  assert_int_equal(og_weak_choices(&m.system, &x, m.cu[1], OG_WEAK_L2), 2);   /* unless it passes its cache by */
  struct og_weak_place invalidated = x, found = x;
  og_weak_invalidate(&m.system, &invalidated, m.cu[1], OG_WEAK_L0);
  assert_int_equal(og_weak_choices(&m.system, &invalidated, m.cu[1], OG_WEAK_L0), 2);
  og_weak_found(&m.system, &found, m.cu[1], 1); /* no cache goes back in time */
  assert_int_equal(og_weak_choices(&m.system, &found, m.cu[1], OG_WEAK_L0), 2);
}

static void invalidating_from_the_inner_cache_leaves_what_is_stale(void **state) {
  (void)state;
  struct machine m;
  struct og_weak_place x;
  machine_init(&m, true, false, false);
  og_weak_place_init(&x, 0);
  og_weak_store(&m.system, &x, m.cu[0], OG_WEAK_L2, 1);
  struct og_weak_place inner = x, outer = x;
  og_weak_invalidate(&m.system, &inner, m.cu[1], OG_WEAK_L0);
  og_weak_invalidate(&m.system, &inner, m.cu[1], OG_WEAK_GL1);
  assert_int_equal(og_weak_choices(&m.system, &inner, m.cu[1], OG_WEAK_L0), 3);
  og_weak_invalidate(&m.system, &outer, m.cu[1], OG_WEAK_GL1);
  og_weak_invalidate(&m.system, &outer, m.cu[1], OG_WEAK_L0);
  assert_int_equal(og_weak_choices(&m.system, &outer, m.cu[1], OG_WEAK_L0), 2);
}

static void another_agent_sees_what_is_written_back(void **state) {
  (void)state;
  struct machine m;
  struct og_weak_place x;
  machine_init(&m, false, true, true);
  og_weak_place_init(&x, 0);
  og_weak_store(&m.system, &x, m.cu[0], OG_WEAK_L2, 1);
  assert_int_equal(og_weak_choices(&m.system, &x, m.cu[1], OG_WEAK_MEMORY), 1);
  og_weak_write_back(&m.system, &x, m.cu[0]);
  assert_int_equal(og_weak_choices(&m.system, &x, m.cu[1], OG_WEAK_MEMORY), 2);
  assert_int_equal(og_weak_choices(&m.system, &x, m.cu[1], OG_WEAK_L2), 3); /* its L2 may have the old one */
  og_weak_invalidate(&m.system, &x, m.cu[1], OG_WEAK_L2);
  assert_int_equal(og_weak_choices(&m.system, &x, m.cu[1], OG_WEAK_L2), 2);
}

static void old_versions_are_forgotten_in_their_order(void **state) {
  (void)state;
  struct machine m;
  struct og_weak_place x;
  machine_init(&m, false, false, false);
  og_weak_place_init(&x, 0);
  for (uint32_t value = 1; value <= 20; value++)
    og_weak_store(&m.system, &x, m.cu[0], OG_WEAK_L2, value);
  assert_int_equal(x.newest, OG_WEAK_VERSIONS - 1);
  for (unsigned version = 0; version < OG_WEAK_VERSIONS; version++)
    assert_int_equal(x.value[version], 20 - (OG_WEAK_VERSIONS - 1) + version);
  assert_int_equal(og_weak_choices(&m.system, &x, m.cu[0], OG_WEAK_L0), 1u << x.newest);
}

static void a_schedule_is_read_as_it_was_written(void **state) {
  (void)state;
  struct og_choices made, read;
  struct og_buffer text = {0};
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  og_choices_begin(&made, 5);
  for (unsigned i = 0; i < 300; i++)
    og_choose(&made, 1 + i % 7 % 3);
  og_choices_print(&made, &text);
  og_choices_begin(&read, 0);
  assert_true(og_choices_read(&read, "schedule", (const char *)text.data, text.size, diagnostics));
  assert_int_equal(read.seed, 5);
  assert_int_equal(read.made.count, 300);
  for (unsigned i = 0; i < 300; i++)
    assert_int_equal(og_choose(&read, 1 + i % 7 % 3), made.made.items[i]);
  assert_int_equal(og_choose(&read, 9), 0); /* and then the strong choice */
  og_choices_end(&read);
  og_choices_begin(&read, 0);
  assert_false(og_choices_read(&read, "schedule", "offgrid-schedule 1\n99999999999*0", 33, diagnostics));
  og_choices_end(&read);
  og_choices_end(&made);
  og_buffer_free(&text);
  og_diagnostics_free(diagnostics);
}

/* Shows where the choices 40 and 700 are what they were, and no other matters. */
static unsigned first_of_two(void *context, const struct og_choices *candidates, unsigned count) {
  const uint32_t *wanted = context;
  for (unsigned i = 0; i < count; i++)
    if (candidates[i].made.count > 700 && candidates[i].made.items[40] == wanted[0] &&
        candidates[i].made.items[700] == wanted[1])
      return i;
  return count;
}

static void a_schedule_is_shrunk_to_the_choices_that_count(void **state) {
  (void)state;
  for (unsigned width = 1; width < 5; width++) {
    struct og_choices choices;
    og_choices_begin(&choices, 3);
    for (unsigned i = 0; i < 1000; i++)
      og_choose(&choices, 5);
    choices.made.items[40] = 2, choices.made.items[700] = 4;
    uint32_t wanted[2] = {2, 4};
    struct og_shrinking how = {wanted, first_of_two, width, 10000};
    og_choices_shrink(&choices, &how);
    assert_int_equal(choices.made.count, 701);
    for (unsigned i = 0; i < 701; i++)
      assert_int_equal(choices.made.items[i], i == 40 ? 2 : i == 700 ? 4 : 0);
    og_choices_end(&choices);
  }
}

/* Random schedules come to no outcome that the search does not know. */
static void drawn_schedules_are_among_all(void **state) {
  (void)state;
  static const char *const texts[] = {
      "AMDGPU sb gfx1030\n{ 0:v[0:1]=x; 0:v[2:3]=y; 1:v[0:1]=x; 1:v[2:3]=y; 0:v4=1; 1:v4=1; }\nscopes: (workgroup P0 P1)\n"
      "P0:\nglobal_store_dword v[0:1], v4, off\nglobal_load_dword v5, v[2:3], off\n"
      "P1:\nglobal_store_dword v[2:3], v4, off\nglobal_load_dword v5, v[0:1], off\nexists (0:v5=0 /\\ 1:v5=0)\n",
      "C iriw gfx90a\n{}\nP0 (int *x) { atomic_store(x, 1); }\nP1 (int *y) { atomic_fetch_add(y, 1); }\n"
      "P2 (int *x, int *y) { int a = atomic_load(x); int b = *y; }\n"
      "scopes: (system (agent P0) (agent P1 P2))\nexists (2:a=1 /\\ 2:b=0)\n"};
  for (size_t i = 0; i < OG_COUNT(texts); i++) {
    struct og_arena *arena = og_arena_new();
    struct og_diagnostics *diagnostics = og_diagnostics_new();
    struct og_litmus_test *test = og_litmus_read(arena, "test", texts[i], strlen(texts[i]), NULL, diagnostics);
    assert_non_null(test);
    struct og_litmus_search all = {.most = 100000}, drawn = {.runs = 3000, .seed = 1};
    struct og_litmus_result known, met;
    og_litmus_search(arena, test, &all, &known);
    og_litmus_search(arena, test, &drawn, &met);
    assert_true(known.complete);
    assert_true(og_litmus_verdict(test, &known));
    assert_int_equal(met.outcomes.count, known.outcomes.count);
    for (uint32_t k = 0; k < met.outcomes.count; k++) {
      bool found = false;
      for (uint32_t j = 0; j < known.outcomes.count; j++)
        found |=
            !memcmp(met.outcomes.items[k].value, known.outcomes.items[j].value, sizeof met.outcomes.items[k].value);
      assert_true(found);
    }
    og_diagnostics_free(diagnostics);
    og_arena_free(arena);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_cache_may_be_stale_until_it_forgets),
      cmocka_unit_test(invalidating_from_the_inner_cache_leaves_what_is_stale),
      cmocka_unit_test(another_agent_sees_what_is_written_back),
      cmocka_unit_test(old_versions_are_forgotten_in_their_order),
      cmocka_unit_test(a_schedule_is_read_as_it_was_written),
      cmocka_unit_test(a_schedule_is_shrunk_to_the_choices_that_count),
      cmocka_unit_test(drawn_schedules_are_among_all),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
