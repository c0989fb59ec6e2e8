/* test_direct.c - text that og_print_code writes is that of og_decode and og_print_inst, for random bits of every form
 * of every generation, and reads back where it should; and most of what compilers write is written so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "target_fixture.h"

enum { VARIANTS = 12, WORDS = 8 };

static uint32_t next_random(void) {
  static uint64_t state = 1; /* the seed */
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state >> 32);
}

/* Yields whether it was written directly. */
static bool agrees(const struct og_isa *isa, struct og_printer *printer, bool faithful, const uint8_t *code,
                   size_t size) {
  struct og_buffer direct = {0}, text = {0};
  struct og_inst inst;
  size_t used = og_print_code(printer, code, size, &direct);
  if (used) {
    assert_int_equal(og_decode(isa, code, size, &inst), used);
    og_print_inst(isa, &inst, NULL, &text);
    if (direct.size != text.size || memcmp(direct.data, text.data, text.size))
      fail_msg("generation %u: '%.*s' is '%s'", isa->generation, (int)direct.size, (char *)direct.data,
               (char *)text.data);
    if (faithful && !og_reads_back(isa, &inst, code))
      fail_msg("generation %u: '%.*s' does not read back", isa->generation, (int)text.size, (char *)text.data);
  } else {
    assert_int_equal(direct.size, 0);
  }
  og_buffer_free(&direct);
  og_buffer_free(&text);
  return used;
}

static void any_code_of(const struct og_isa *isa, bool faithful) {
  struct og_arena *arena = og_arena_new();
  struct og_printer *printer = og_printer_new(arena, isa, faithful, NULL);
  unsigned direct = 0;
  for (unsigned id = 0; id < og_form_count(isa) * VARIANTS; id++) {
    uint8_t code[4 * WORDS];
    for (unsigned i = 0; i < WORDS; i++) {
      uint32_t random = next_random() & (next_random() % 2 ? next_random() & next_random() : UINT32_MAX);
      og_store32(code + 4 * i, form_word(og_form(isa, id / VARIANTS), i, random));
    }
    direct += agrees(isa, printer, faithful, code, 4 + next_random() % sizeof code);
  }
  assert_true(direct > og_form_count(isa));
  og_arena_free(arena);
}

static void are_what_decoding_and_printing_give(void **unused) {
  (void)unused;
  for (unsigned generation = 1; generation < OG_GENERATION_COUNT; generation++) {
    const struct og_isa *isa = og_isa_of((enum og_generation)generation, generation >= OG_GFX10_1 ? 32 : 64);
    struct og_isa marked = *isa;
    marked.marks = true;
    any_code_of(isa, false);
    any_code_of(isa, true);
    any_code_of(&marked, false);
  }
}

/* Few values, which come again and again, some of them in one place of the table of what was written. */
static void numbers_of(const struct og_isa *isa, bool faithful) {
  enum { POOL = 96, TIMES = 400 };
  struct og_arena *arena = og_arena_new();
  struct og_printer *printer = og_printer_new(arena, isa, faithful, NULL);
  for (unsigned id = 0; id < og_form_count(isa); id++) {
    const struct og_form *form = og_form(isa, id);
    if (form->encoding != OG_ENC_SOPP && form->encoding != OG_ENC_SOPK)
      continue;
    uint32_t pool[POOL];
    for (unsigned i = 0; i < POOL; i++)
      pool[i] = next_random() & (i % 2 ? UINT32_MAX : 0xf83f003f);
    for (unsigned i = 0; i < TIMES; i++) {
      uint8_t code[8];
      og_store32(code, form_word(form, 0, pool[next_random() % POOL]));
      og_store32(code + 4, form_word(form, 1, 0));
      agrees(isa, printer, faithful, code, sizeof code);
    }
  }
  og_arena_free(arena);
}

static void numbers_that_come_again_are_written_alike(void **unused) {
  (void)unused;
  for (unsigned generation = 1; generation < OG_GENERATION_COUNT; generation++) {
    const struct og_isa *isa = og_isa_of((enum og_generation)generation, generation >= OG_GFX10_1 ? 32 : 64);
    numbers_of(isa, false);
    numbers_of(isa, true);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(are_what_decoding_and_printing_give),
                                     cmocka_unit_test(numbers_that_come_again_are_written_alike)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
