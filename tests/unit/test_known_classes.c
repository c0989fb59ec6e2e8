/* test_known_classes.c - what was said once of a class of registers holds for all of them: lines come to the same bytes,
 * or are refused, whatever stood before them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "asm/asm.h"
#include "target_fixture.h"

enum { VARIANTS = 7 };

static uint32_t next_random(void) {
  static uint64_t state = 1; /* the seed */
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(state >> 33);
}

/* Numbers at which rules begin or end, odd and even, more often than others; the same ones again. */
static uint16_t some_register(bool vector) {
  static const uint8_t vectors[] = {0, 1, 2, 3, 4, 5, 8, 126, 127, 128, 129, 252, 253, 254, 255},
                       scalars[] = {0, 1, 2, 3, 4, 5, 6, 8, 96, 99, 100, 101, 102, 103, 104, 105};
  return vector ? vectors[next_random() % sizeof vectors] : scalars[next_random() % sizeof scalars];
}

static void choose_registers(struct og_inst *inst) {
  for (unsigned k = 0; k < inst->operand_count; k++)
    if (inst->operands[k].kind == OG_OPERAND_VGPR || inst->operands[k].kind == OG_OPERAND_SGPR)
      inst->operands[k].reg = some_register(inst->operands[k].kind == OG_OPERAND_VGPR);
}

static bool some_instruction(const struct og_isa *isa, const struct og_form *form, struct og_inst *inst) {
  uint8_t code[32] = {0};
  for (unsigned i = 0; i < 8; i++) {
    uint32_t random = next_random() & next_random() & (next_random() % 2 ? next_random() : UINT32_MAX);
    og_store32(code + 4 * i, form_word(form, i, random));
  }
  return og_decode(isa, code, sizeof code, inst) != 0;
}

static void same_in_both(struct og_line_assembler *fresh, struct og_line_assembler *knowing, const char *line) {
  const uint8_t *bytes, *other;
  size_t size = og_line_assemble(fresh, line, &bytes), known = og_line_assemble(knowing, line, &other);
  if (size != known || (size && memcmp(bytes, other, size)))
    fail_msg("'%s' is %zu bytes at first, and %zu or others later", line, size, known);
}

/* One assembler reads all variants of a form; the others one each, so that they know nothing of its registers yet. */
static void classes_hold(const struct og_target *target) {
  struct og_isa room;
  const struct og_isa *isa = og_isa_for(target, &room);
  struct og_line_assembler *knowing = og_line_assembler_new(target), *fresh[VARIANTS];
  for (unsigned i = 0; i < VARIANTS; i++)
    fresh[i] = og_line_assembler_new(target);
  for (unsigned form = 0; form < og_form_count(isa); form++) {
    struct og_inst inst;
    if (!some_instruction(isa, og_form(isa, form), &inst))
      continue;
    for (unsigned i = 0; i < VARIANTS; i++) {
      struct og_buffer line = {0};
      og_print_inst(isa, &inst, NULL, &line);
      og_buffer_u8(&line, 0);
      same_in_both(fresh[i], knowing, (const char *)line.data);
      og_buffer_free(&line);
      choose_registers(&inst);
    }
  }
  for (unsigned i = 0; i < VARIANTS; i++)
    og_line_assembler_free(fresh[i]);
  og_line_assembler_free(knowing);
}

static void classes_hold_in_every_form(void **state) {
  (void)state;
  for_each_target(classes_hold);
}

/* Both lines, read one behind the other, are what the second is alone. */
static void second_alone(const char *processor, const char *first, const char *second) {
  struct og_target target = target_of(processor);
  struct og_line_assembler *fresh = og_line_assembler_new(&target), *knowing = og_line_assembler_new(&target);
  const uint8_t *bytes;
  og_line_assemble(knowing, first, &bytes);
  same_in_both(fresh, knowing, second);
  og_line_assembler_free(fresh);
  og_line_assembler_free(knowing);
}

static void numbers_that_count_make_classes(void **state) {
  (void)state;
  second_alone("gfx90a", "v_add_f64 v[0:1], v[2:3], v[4:5]", "v_add_f64 v[0:1], v[3:4], v[4:5]");
  second_alone("gfx1100", "v_add_f16_e32 v1, v2, v3", "v_add_f16_e32 v1, v2, v130");
  second_alone("gfx900", "v_add_f32_e64 v0, s1, s1", "v_add_f32_e64 v0, s1, s2");
  second_alone("gfx900", "v_add_f32 v0, v1, v2", "v_add_f32 v0, -v1, |v2|");
  second_alone("gfx900", "v_cndmask_b32 v0, v1, v2, vcc", "v_cndmask_b32 v0, v1, v2, s[2:3]");
  second_alone("gfx900", "s_mov_b32 s0, vcc_lo", "s_mov_b32 s0, vcc");
  second_alone("gfx900", "v_add_f32 v0, v1, v2", "v_add_f32 v0, v1, v300");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(classes_hold_in_every_form),
      cmocka_unit_test(numbers_that_count_make_classes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
