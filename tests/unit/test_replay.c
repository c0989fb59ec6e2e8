/* test_replay.c - statements that are replayed come to the bytes, or the refusal, that reading them comes to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm/asm.h"
#include "target_fixture.h"

enum { VARIANTS = 7, FORMS = 30 };

static uint32_t next_random(void) {
  static uint64_t state = 1; /* the seed */
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33);
}

/* Code and diagnostics of a source; with a listing nothing is replayed. */
struct outcome {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_buffer listing;
  const struct og_section *text; /* NULL where something was refused */
};

static struct outcome assemble(const struct og_target *target, const struct og_buffer *source, bool replays) {
  struct outcome o = {.arena = og_arena_new(), .diagnostics = og_diagnostics_new()};
  struct og_asm_options options = {.target = *target, .code_object_version = 5};
  options.listing = replays ? NULL : &o.listing;
  struct og_object *object =
      og_assemble(o.arena, &options, "x.s", (const char *)source->data, source->size, o.diagnostics);
  for (uint32_t i = 1; object && i < object->sections.count; i++)
    if (!strcmp(object->sections.items[i].name, ".text"))
      o.text = &object->sections.items[i];
  return o;
}

static void free_outcome(struct outcome *o) {
  og_diagnostics_free(o->diagnostics);
  og_buffer_free(&o->listing);
  og_arena_free(o->arena);
}

/* The source without the lines that were refused. */
static void accepted_lines(const struct og_buffer *source, const struct outcome *o, struct og_buffer *out) {
  const char *at = (const char *)source->data;
  size_t next = 0, count = og_diagnostics_count(o->diagnostics);
  for (uint32_t line = 1; *at; line++) {
    size_t size = strcspn(at, "\n") + 1;
    if (next == count || og_diagnostics_at(o->diagnostics, next)->line != line)
      og_buffer_append(out, at, size);
    while (next < count && og_diagnostics_at(o->diagnostics, next)->line == line)
      next++;
    at += size;
  }
}

static void same_both_ways(const struct og_target *target, const struct og_buffer *source) {
  struct outcome read = assemble(target, source, false), replayed = assemble(target, source, true);
  assert_int_equal(og_diagnostics_count(read.diagnostics), og_diagnostics_count(replayed.diagnostics));
  for (size_t i = 0; i < og_diagnostics_count(read.diagnostics); i++)
    assert_string_equal(og_diagnostics_text(read.diagnostics, i), og_diagnostics_text(replayed.diagnostics, i));
  if (!read.text) {
    struct og_buffer rest = {0};
    accepted_lines(source, &read, &rest);
    og_buffer_u8(&rest, 0);
    rest.size--;
    assert_true(rest.size < source->size);
    same_both_ways(target, &rest);
    og_buffer_free(&rest);
  } else {
    assert_int_equal(read.text->size, replayed.text->size);
    assert_memory_equal(read.text->data, replayed.text->data, read.text->size);
  }
  free_outcome(&read);
  free_outcome(&replayed);
}

/* Numbers at which rules begin or end, odd and even, more often than others; the same ones again. */
static uint16_t some_register(bool vector) {
  static const uint8_t vectors[] = {0, 1, 2, 3, 4, 5, 8, 126, 127, 128, 129, 252, 253, 254, 255},
                       scalars[] = {0, 1, 2, 3, 4, 5, 6, 8, 96, 99, 100, 101, 102, 103, 104, 105};
  return vector ? vectors[next_random() % sizeof vectors] : scalars[next_random() % sizeof scalars];
}

static void add_variants(const struct og_isa *isa, struct og_inst *inst, struct og_buffer *source) {
  for (unsigned i = 0; i < VARIANTS; i++) {
    og_print_inst(isa, inst, NULL, source);
    og_buffer_text(source, "\n");
    for (unsigned k = 0; k < inst->operand_count; k++)
      if (inst->operands[k].kind == OG_OPERAND_VGPR || inst->operands[k].kind == OG_OPERAND_SGPR)
        inst->operands[k].reg = some_register(inst->operands[k].kind == OG_OPERAND_VGPR);
  }
}

static bool some_instruction(const struct og_isa *isa, const struct og_form *form, struct og_inst *inst) {
  uint8_t code[32] = {0};
  for (unsigned i = 0; i < 8; i++) {
    uint32_t random = next_random() & next_random() & (next_random() % 2 ? next_random() : UINT32_MAX);
    og_store32(code + 4 * i, form_word(form, i, random));
  }
  return og_decode(isa, code, sizeof code, inst) != 0;
}

static void registers_are_exchanged(const struct og_target *target) {
  struct og_isa room;
  const struct og_isa *isa = og_isa_for(target, &room);
  for (unsigned form = 0; form < og_form_count(isa);) {
    struct og_buffer source = {0};
    struct og_inst inst;
    for (unsigned last = OG_MIN(form + FORMS, og_form_count(isa)); form < last; form++)
      if (some_instruction(isa, og_form(isa, form), &inst))
        add_variants(isa, &inst, &source);
    if (source.size)
      same_both_ways(target, &source);
    og_buffer_free(&source);
  }
}

static void registers_are_exchanged_in_every_form(void **state) {
  (void)state;
  for_each_target(registers_are_exchanged);
}

static void same_text(const char *text) {
  struct og_target target = target_of("gfx900");
  struct og_buffer source = {0};
  og_buffer_text(&source, text);
  same_both_ways(&target, &source);
  og_buffer_free(&source);
}

static void values_of_symbols_are_read_anew(void **state) {
  (void)state;
  same_text("x = 1\ns_mov_b32 s0, x\nx = 2\ns_mov_b32 s1, x\ns_mov_b32 s0, y\ny = 3\ns_mov_b32 s0, y\n");
  same_text("s_branch 1f\n1:\ns_branch 1f\n1:\ns_branch 1b\n");
  same_text("s_waitcnt vmcnt(x)\nx = 2\ns_waitcnt vmcnt(x)\nx = 3\ns_waitcnt vmcnt(x)\n");
}

static void macros_come_before_what_was_an_instruction(void **state) {
  (void)state;
  same_text("s_nop 0\n.macro s_nop a\ns_mov_b32 s0, \\a\n.endm\ns_nop 0\n.purgem s_nop\ns_nop 0\n");
}

static void the_constant_bus_counts_different_registers(void **state) {
  (void)state;
  same_text(
      "v_add_f32_e64 v0, s1, s1\nv_add_f32_e64 v0, s2, s2\nv_add_f32_e64 v0, s1, s2\nv_add_f32_e64 v0, s[1:1], s1\n");
}

static void registers_used_are_counted(void **state) {
  (void)state;
  same_text("v_mov_b32 v1, v2\nv_mov_b32 v9, v2\ns_mov_b64 s[4:5], s[6:7]\ns_mov_b64 s[4:5], s[20:21]\n"
            ".long .amdgcn.next_free_vgpr, .amdgcn.next_free_sgpr\n");
}

static void ends_and_comments_are_no_part(void **state) {
  (void)state;
  same_text(
      "v_mov_b32 v1, v2 ; v_mov_b32 v1, v3\nv_mov_b32 v1, v2 // other\nv_mov_b32 v1, /* v7 */ v3\nv_mov_b32 v1, v2 x\n"
      "v_mov_b32 v1, v300\nv_mov_b32 v01, v[3:3]\nv_mov_b32 v1, v[010:010]\nl: v_mov_b32 v1, v2\nv_mov_b32 v2, ';'\n");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(registers_are_exchanged_in_every_form),
      cmocka_unit_test(values_of_symbols_are_read_anew),
      cmocka_unit_test(macros_come_before_what_was_an_instruction),
      cmocka_unit_test(the_constant_bus_counts_different_registers),
      cmocka_unit_test(registers_used_are_counted),
      cmocka_unit_test(ends_and_comments_are_no_part),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
