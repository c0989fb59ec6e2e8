/* test_faithful.c - any words, disassembled as a section of code, read back to the same words, though no text is
 * assembled to see so: non-canonical bits, literals that could be inline, tuples past the last register, branches
 * anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm/asm.h"
#include "inspect/disassemble.h"
#include "target_fixture.h"

enum { VARIANTS = 10, FORMS = 200 };

static uint32_t next_random(void) {
  static uint64_t state = 2; /* the seed */
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33) ^ (uint32_t)(state >> 12 & 0x80000000);
}

static struct og_object *assemble(struct og_arena *arena, const struct og_target *target,
                                  const struct og_buffer *source, struct og_buffer *listing) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_asm_options options = {.target = *target, .code_object_version = 5, .listing = listing};
  struct og_object *object =
      og_assemble(arena, &options, "x.s", (const char *)source->data, source->size, diagnostics);
  for (size_t i = 0; i < og_diagnostics_count(diagnostics); i++)
    print_message("%s: %s\n", target->processor->name, og_diagnostics_text(diagnostics, i));
  assert_non_null(object);
  og_diagnostics_free(diagnostics);
  return object;
}

static const struct og_section *text_of(const struct og_object *object) {
  for (uint32_t i = 1; i < object->sections.count; i++)
    if (!strcmp(object->sections.items[i].name, ".text"))
      return &object->sections.items[i];
  return NULL;
}

static void reads_back(const struct og_target *target, const struct og_buffer *words) {
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_buffer source = {0}, text = {0}, listing = {0};
  struct og_dis_options options = {0};
  for (size_t i = 0; i < words->size; i += 4)
    og_buffer_printf(&source, ".long 0x%08x\n", og_load32(words->data + i));
  struct og_object *made = assemble(arena, target, &source, NULL);
  assert_true(og_disassemble_object(made, &options, &text, diagnostics));
  og_buffer_u8(&text, 0); /* assembling needs one after it */
  text.size--;
  const struct og_section *again = text_of(assemble(arena, target, &text, &listing));
  assert_int_equal(again->size, words->size);
  for (size_t i = 0; i < words->size; i += 4)
    if (og_load32(again->data + i) != og_load32(words->data + i))
      fail_msg("%s: word %zu is 0x%08x, was 0x%08x", target->processor->name, i / 4, og_load32(again->data + i),
               og_load32(words->data + i));
  og_buffer_free(&source);
  og_buffer_free(&text);
  og_buffer_free(&listing);
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
}

/* A form's fixed bits among random ones, a few of which change from one to the next. */
static void add_form(const struct og_form *form, struct og_buffer *words) {
  uint32_t code[8];
  for (unsigned i = 0; i < OG_COUNT(code); i++)
    code[i] = next_random() & (next_random() % 2 ? next_random() : UINT32_MAX);
  for (unsigned variant = 0; variant < VARIANTS; variant++) {
    for (unsigned i = 0; i < form->size / 4u + variant % 2; i++) {
      og_buffer_u32(words, form_word(form, i, code[i]));
      code[i] ^= next_random() & next_random() & next_random() & next_random();
    }
  }
}

/* Each modifier alone: a text need not show what the bits have. */
static void add_modifiers(const struct og_isa *isa, const struct og_form *form, struct og_buffer *words) {
  const struct og_shape *shape = og_shape(isa, form);
  for (unsigned i = 0; i < shape->mod_count; i++) {
    uint32_t code[8] = {0};
    for (unsigned k = 0; k < OG_COUNT(og_mods(shape)->pieces); k++) {
      const struct og_piece *piece = &og_mods(shape)[i].pieces[k];
      for (unsigned bit = piece->at; bit < piece->at + piece->width; bit++)
        code[bit / 32] |= 1u << bit % 32;
    }
    for (unsigned word = 0; word < form->size / 4u; word++)
      og_buffer_u32(words, form_word(form, word, code[word]));
  }
}

static void all_forms_of(const struct og_target *target) {
  struct og_isa room;
  const struct og_isa *isa = og_isa_for(target, &room);
  for (unsigned form = 0; form < og_form_count(isa);) {
    struct og_buffer words = {0};
    for (unsigned last = OG_MIN(form + FORMS, og_form_count(isa)); form < last; form++)
      add_form(og_form(isa, form), &words), add_modifiers(isa, og_form(isa, form), &words);
    reads_back(target, &words);
    og_buffer_free(&words);
  }
}

static void all_forms_read_back(void **state) {
  (void)state;
  for_each_target(all_forms_of);
}

/* Branches into each other, into literals and into runs of zeros. */
static void branches_anywhere_read_back(void **state) {
  (void)state;
  struct og_target target = target_of("gfx900");
  for (unsigned round = 0; round < 200; round++) {
    struct og_buffer words = {0};
    for (unsigned i = 0; i < 60; i++)
      switch (next_random() % 4) {
      case 0: og_buffer_u32(&words, 0xbf820000u | ((next_random() % 64 - 32) & 0xffff)); break; /* s_branch */
      case 1: og_buffer_u32(&words, 0x7e0002ffu); break; /* v_mov_b32 v0, and a literal: what comes next */
      case 2: og_buffer_u32(&words, 0xd1000000u | next_random() % 256); break;
      default:
        for (unsigned zeros = next_random() % 8; zeros; zeros--)
          og_buffer_u32(&words, 0);
      }
    og_buffer_u32(&words, 0xbf810000u);
    reads_back(&target, &words);
    og_buffer_free(&words);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_forms_read_back),
      cmocka_unit_test(branches_anywhere_read_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
