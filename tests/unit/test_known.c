/* test_known.c - texts of code printed before are those that printing anew would give, whatever follows the code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "inspect/known.h"

enum { WORDS = 1 << 14, ROUNDS = 4 };

static uint64_t state;
static uint32_t next_random(void) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(state >> 32);
}

/* Of few forms and few words, so that the same code comes again with something else after it. */
static void fill(const struct og_isa *isa, uint8_t *code) {
  uint32_t words[256];
  for (unsigned i = 0; i < OG_COUNT(words); i++) {
    const struct og_form *form = og_form(isa, next_random() % og_form_count(isa));
    unsigned half = i & 1;
    uint64_t shift = half && form->size > 4 ? 32 : 0;
    words[i] =
        (uint32_t)(form->value[0] >> shift) | (next_random() & next_random() & ~(uint32_t)(form->mask[0] >> shift));
  }
  for (size_t i = 0; i < WORDS; i++)
    og_store32(code + 4 * i, words[next_random() % OG_COUNT(words)]);
}

static void agrees(const struct og_isa *isa, struct og_known_texts *known, const uint8_t *code, size_t *found_count) {
  struct og_buffer text = {0}, again = {0};
  for (size_t at = 0, size; at + 8 <= 4 * WORDS; at += size ? size : 4) {
    const struct og_known *found = og_known_find(known, og_load64(code + at));
    struct og_inst inst;
    size = og_decode(isa, code + at, 4 * WORDS - at, &inst);
    text.size = again.size = 0;
    if (size)
      og_print_inst(isa, &inst, NULL, &text);
    if (found) {
      assert_int_equal(found->size, size);
      og_known_put(found, &again);
      assert_int_equal(again.size, text.size);
      assert_memory_equal(again.data, text.data, text.size);
      ++*found_count;
    } else if (size) {
      og_known_add(known, code + at, size, (const char *)text.data, text.size);
    }
  }
  og_buffer_free(&text);
  og_buffer_free(&again);
}

static void are_what_printing_anew_gives(void **unused) {
  (void)unused;
  uint8_t *code = malloc(4 * WORDS);
  state = 1;
  for (unsigned generation = 1; generation < OG_GENERATION_COUNT; generation++) {
    const struct og_isa *isa = og_isa_of((enum og_generation)generation, generation >= OG_GFX10_1 ? 32 : 64);
    size_t found = 0;
    for (unsigned round = 0; round < ROUNDS; round++) {
      struct og_arena *arena = og_arena_new();
      struct og_known_texts known = og_known_new(arena, isa, round & 1 ? 4 * WORDS : 0);
      fill(isa, code);
      agrees(isa, &known, code, &found);
      og_arena_free(arena);
    }
    assert_true(found > WORDS / 2);
  }
  free(code);
}

/* On gfx950 a scaled matrix instruction begins with what is one by itself before anything else. */
static void leaves_out_what_may_go_on(void **unused) {
  (void)unused;
  static const uint8_t scale[8] = {0x00, 0x00, 0xac, 0xd3, 0x02, 0x03, 0x02, 0x18}, nop[4] = {0x00, 0x00, 0x80, 0xbf};
  const struct og_isa *isa = og_isa_of(OG_GFX950, 64);
  assert_true(og_may_go_on(isa, scale, sizeof scale));
  assert_false(og_may_go_on(isa, nop, sizeof nop));
  struct og_arena *arena = og_arena_new();
  struct og_known_texts known = og_known_new(arena, isa, 0);
  og_known_add(&known, scale, sizeof scale, "x", 1);
  assert_null(og_known_find(&known, og_load64(scale)));
  og_arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(are_what_printing_anew_gives),
      cmocka_unit_test(leaves_out_what_may_go_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
