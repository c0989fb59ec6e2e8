/* test_known_classes.c - what was said once of a class of registers holds for all of them: lines come to the same
 * bytes, or are refused, whatever stood before them. The code that is put together while a line is matched is that of
 * the instruction that was read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "isa/text/text.h"
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

/* A language without expressions. */
static bool no_expression(void *context, enum og_expression kind, const char **p, struct og_operand_value *out) {
  (void)context, (void)kind, (void)p, (void)out;
  return false;
}
static bool no_string(void *context, const char **p, struct og_text *out) {
  (void)context, (void)p, (void)out;
  return false;
}
static bool no_value(void *context, const struct og_expr *expr, int64_t *out) {
  (void)context, (void)expr, (void)out;
  return false;
}
static bool no_symbol(const struct og_expr *expr) { return expr != NULL; }
static bool no_name(void *context, struct og_text name) {
  (void)context, (void)name;
  return false;
}
static void no_report(void *context, enum og_severity severity, const char *at, size_t size, const char *message) {
  (void)context, (void)severity, (void)at, (void)size, (void)message;
}

struct assembler {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_inst_reader reader;
};

static struct assembler *new_assembler(const struct og_target *target) {
  static const struct og_language language = {no_expression, no_string, no_value, no_symbol, no_name, no_report};
  struct og_arena *arena = og_arena_new();
  struct assembler *a = OG_NEW(arena, struct assembler);
  a->arena = arena;
  a->diagnostics = og_diagnostics_new();
  og_inst_reader_begin(&a->reader, target, arena, a->diagnostics, &language, NULL);
  return a;
}

static void free_assembler(struct assembler *a) {
  og_diagnostics_free(a->diagnostics);
  og_arena_free(a->arena);
}

/* Yields how many bytes the line's code has; 0 where it is refused. */
static size_t assemble(struct assembler *a, const char *line, uint8_t bytes[32]) {
  struct og_match m;
  const char *end = og_after_name(line);
  a->reader.p = end;
  if (!og_inst_from_text(&a->reader, (struct og_text){line, (size_t)(end - line)}, &m))
    return 0;
  uint8_t encoded[32];
  if (og_encode(m.isa, &m.inst, encoded) != m.inst.size || memcmp(encoded, m.code, m.inst.size))
    fail_msg("'%s' has another code than what it was read as", line);
  memcpy(bytes, m.code, sizeof m.code);
  return m.inst.size;
}

static unsigned taken;

static void same_in_both(struct assembler *fresh, struct assembler *knowing, const char *line) {
  uint8_t bytes[32], other[32];
  size_t size = assemble(fresh, line, bytes), known = assemble(knowing, line, other);
  if (size != known || (size && memcmp(bytes, other, size)))
    fail_msg("'%s' is %zu bytes at first, and %zu or others later", line, size, known);
  taken += size > 0;
}

/* One assembler reads all variants of a form; the others one each, so that they know nothing of its registers yet. */
static void classes_hold(const struct og_target *target) {
  struct og_isa room;
  const struct og_isa *isa = og_isa_for(target, &room);
  struct assembler *knowing = new_assembler(target), *fresh[VARIANTS];
  for (unsigned i = 0; i < VARIANTS; i++)
    fresh[i] = new_assembler(target);
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
    free_assembler(fresh[i]);
  free_assembler(knowing);
}

static void classes_hold_in_every_form(void **state) {
  (void)state;
  for_each_target(classes_hold);
  assert_true(taken > 100000); /* lines, of all */
}

/* Both lines, read one behind the other, are what the second is alone. */
static void second_alone(const char *processor, const char *first, const char *second) {
  struct og_target target = target_of(processor);
  struct assembler *fresh = new_assembler(&target), *knowing = new_assembler(&target);
  uint8_t bytes[32];
  assert_true(assemble(knowing, first, bytes) > 0);
  same_in_both(fresh, knowing, second);
  free_assembler(fresh);
  free_assembler(knowing);
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
