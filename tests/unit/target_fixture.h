/* target_fixture.h - what tests of code for every processor share: the targets, and a form's bits among random ones. */
#ifndef OG_TARGET_FIXTURE_H
#define OG_TARGET_FIXTURE_H

#include "isa/isa.h"

static inline struct og_target target_of(const char *processor) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_target target;
  assert_true(og_target_parse(&target, NULL, processor, NULL, diagnostics));
  og_diagnostics_free(diagnostics);
  return target;
}

/* One processor of each kind of tables. */
static inline void for_each_target(void (*run)(const struct og_target *target)) {
  static const char *const processors[] = {"gfx600",  "gfx803",  "gfx900",  "gfx908",  "gfx90a",  "gfx942",  "gfx950",
                                           "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200", "gfx1250"};
  for (size_t i = 0; i < OG_COUNT(processors); i++) {
    struct og_target target = target_of(processors[i]);
    run(&target);
  }
}

/* `random` with the bits that are fixed in word `i` of the form. */
static inline uint32_t form_word(const struct og_form *form, unsigned i, uint32_t random) {
  uint32_t mask = i < 4 ? (uint32_t)(form->mask[i / 2] >> 32 * (i % 2)) : 0;
  uint32_t value = i < 4 ? (uint32_t)(form->value[i / 2] >> 32 * (i % 2)) : 0;
  return (random & ~mask) | value;
}

#endif
