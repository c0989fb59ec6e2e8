/* test_convert.c - conversions of floats of few bits: that they do not depend on the host, nor on the way that a strip
 * of lanes takes, and what they do at the edges of f32. Values: tests/programs/convert.py, instructions.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "exec/vector.h"
#include "form_fixture.h"

enum { TRIES = 40 };

static bool is_conversion(const struct og_form *form) {
  const char *name = og_form_name(form);
  return og_form_fits(isa, form) && strncmp(name, "v_cvt_", 6) == 0 &&
         (strstr(name, "fp8") || strstr(name, "bf8") || strstr(name, "fp6") || strstr(name, "bf6") ||
          strstr(name, "fp4") || strstr(name, "_sr_"));
}

static void begin(const char *processor) {
  static struct og_isa room;
  struct og_target target = target_of(processor);
  program = og_program_new(&target, code, sizeof code);
  isa = og_isa_for(&target, &room);
  set_up_wave(wave, 0);
}

/* Numbers about the ends of formats, of f32, and of anything. */
static uint32_t hostile(unsigned kind) {
  uint32_t bits = random32();
  switch (kind) {
  case 0: return bits;
  case 1: return (bits & 0x807fffff) | (127 - 20 + random32() % 40) << 23;
  case 2: return (bits & 0x80f00000) | 0x3f000000;
  case 3: return (bits & 0x80008000) | (random32() % 2 ? 0x7f807f80 : 0x7c007c00) | (bits & 0x00010001);
  default: return (bits & 0x807fffff) | (random32() % 2 ? random32() % 3 : 252 + random32() % 3) << 23;
  }
}
static void fill_numbers(void) {
  for (unsigned k = 0; k < VECTORS; k++) {
    unsigned kind = random32() % 5;
    for (unsigned lane = 0; lane < OG_LANES; lane++)
      wave->v[k][lane] = hostile(kind);
  }
  for (unsigned i = 0; i < OG_S_SINK; i++)
    wave->s[i] = hostile(random32() % 5);
  og_set_s64(wave, OG_S_EXEC, random32() % 2 ? ~(uint64_t)0 : (uint64_t)random32() << 32 | random32());
  wave->mode = 0x2f0 | (random32() % 4 == 0 ? random32() & 0xf : 0) | (random32() % 4 == 0 ? OG_MODE_FP16_OVFL : 0);
  wave->mode &= random32() % 2 ? ~0u : ~(random32() & 0xf0);
}

static void run_on(const struct og_vector_variant *variant) {
  memset(program->operations, 0, sizeof program->operations[0] * (CODE + 1));
  program->variant = variant;
  memcpy(wave, before, sizeof *wave);
  assert_true(run(wave));
}

static void for_each_conversion(void (*check)(const char *processor, unsigned index)) {
  static const char *const with_small_floats[] = {"gfx942", "gfx950", "gfx1200", "gfx1250"};
  for (size_t i = 0; i < OG_COUNT(with_small_floats); i++) {
    begin(with_small_floats[i]);
    for (unsigned k = 0; k < og_form_count(isa); k++)
      if (is_conversion(og_form(isa, k)))
        check(with_small_floats[i], k);
    og_program_free(program);
  }
}

static void compare_hosts(const char *processor, unsigned index) {
  static uint32_t expected[VECTORS][OG_LANES];
  for (unsigned try = 0; try < TRIES; try++) {
    struct og_inst inst;
    if (!random_inst(index, &inst))
      continue;
    fill_numbers();
    memcpy(before, wave, sizeof *wave);
    memset(program->operations, 0, sizeof program->operations[0] * (CODE + 1));
    if (!run(wave))
      continue;
    for (size_t k = 0; k < og_vector_variant_count; k++) {
      if (!og_vector_variants[k]->usable())
        continue;
      run_on(og_vector_variants[k]);
      if (k + 1 == og_vector_variant_count)
        break;
      memcpy(expected, wave->v, sizeof expected);
      run_on(og_vector_variants[og_vector_variant_count - 1]);
      for (unsigned v = 0; v < VECTORS; v++)
        for (unsigned lane = 0; lane < wave->wave_size; lane++)
          if (wave->v[v][lane] != expected[v][lane])
            fail_msg("%s %s on %s, v%u lane %u, mode %x: %x, on %s %x", processor, og_form_name(og_form(isa, index)),
                     og_vector_variants[k]->name, v, lane, wave->mode, expected[v][lane],
                     program->variant->name, wave->v[v][lane]);
    }
  }
}
static void every_host_agrees(void **state) {
  (void)state;
  for_each_conversion(compare_hosts);
}

/* A lane whose scale is NaN takes its strip another way, and so may one whose random bits, before the scale, are all
 * ones. */
static void compare_lanes(const char *processor, unsigned index, unsigned before_scale, uint32_t other) {
  static uint32_t expected[VECTORS][OG_LANES];
  struct og_inst inst;
  if (!random_inst(index, &inst))
    return;
  const struct og_operand *scale = &inst.operands[inst.operand_count - 1];
  for (unsigned try = 0; try < TRIES && scale->kind != OG_OPERAND_VGPR; try++)
    if (random_inst(index, &inst))
      scale = &inst.operands[inst.operand_count - 1];
  if (scale->kind != OG_OPERAND_VGPR || (scale - before_scale)->kind != OG_OPERAND_VGPR)
    return;
  for (unsigned try = 0; try < TRIES; try++) {
    fill_numbers();
    for (unsigned lane = 0; lane < OG_LANES; lane++)
      wave->v[scale->reg][lane] = (127 - 6 + random32() % 12) << 23;
    memcpy(before, wave, sizeof *wave);
    memset(program->operations, 0, sizeof program->operations[0] * (CODE + 1));
    if (!run(wave))
      continue;
    memcpy(expected, wave->v, sizeof expected);
    memcpy(wave, before, sizeof *wave);
    for (unsigned lane = 0; lane < OG_LANES; lane += 4)
      wave->v[(scale - before_scale)->reg][lane] = other;
    assert_true(run(wave));
    for (unsigned v = 0; v < VECTORS; v++)
      for (unsigned lane = 0; lane < wave->wave_size; lane++)
        if (lane % 4 && wave->v[v][lane] != expected[v][lane])
          fail_msg("%s %s, v%u lane %u, mode %x: %x, beside %x %x", processor, og_form_name(og_form(isa, index)), v,
                   lane, wave->mode, expected[v][lane], other, wave->v[v][lane]);
  }
}
static void compare_other_lanes(const char *processor, unsigned index) {
  const char *name = og_form_name(og_form(isa, index));
  if (strstr(name, "scalef32"))
    compare_lanes(processor, index, 0, 0x7f800000);
  if (strstr(name, "scalef32_sr_"))
    compare_lanes(processor, index, 1, 0xffffffff);
}
static void other_lanes_change_nothing(void **state) {
  (void)state;
  for_each_conversion(compare_other_lanes);
}

/* Random bits may carry a number beyond all that f32 has: too large, but not infinite. */
static void overflow_at_random_is_of_a_finite_number(void **state) {
  (void)state;
  begin("gfx950");
  for (unsigned k = 0; k < og_form_count(isa); k++) {
    const struct og_form *form = og_form(isa, k);
    struct og_inst inst;
    if (!og_form_fits(isa, form) || strcmp(og_form_name(form), "v_cvt_scalef32_sr_bf8_f32") != 0)
      continue;
    do
      while (!random_inst(k, &inst)) {}
    while (inst.operands[1].kind != OG_OPERAND_VGPR || inst.operands[2].kind != OG_OPERAND_VGPR ||
           inst.operands[3].kind != OG_OPERAND_VGPR);
    memset(inst.mod, 0, sizeof inst.mod);
    for (unsigned i = 0; i < 4; i++)
      inst.operands[i].reg = (uint16_t)(i ? 8 * i : 40), inst.operands[i].flags = 0;
    assert_true(put_code(&inst));
    for (uint32_t round = 0; round < 4; round++) {
      memset(program->operations, 0, sizeof program->operations[0] * (CODE + 1));
      for (unsigned lane = 0; lane < OG_LANES; lane++)
        wave->v[8][lane] = 0x7f7fffff, wave->v[16][lane] = 0xffffffff, wave->v[24][lane] = 0x3f800000;
      og_set_s64(wave, OG_S_EXEC, ~(uint64_t)0);
      wave->mode = 0x2f0 | round | OG_MODE_FP16_OVFL;
      assert_true(run(wave));
      assert_int_equal(wave->v[40][5] & 255, 0x7b); /* the largest, and not infinity */
    }
  }
  og_program_free(program);
}

int main(void) {
  wave = zeros(sizeof(struct og_wave)), before = zeros(sizeof(struct og_wave));
  set_up_memory();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_host_agrees),
      cmocka_unit_test(other_lanes_change_nothing),
      cmocka_unit_test(overflow_at_random_is_of_a_finite_number),
  };
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  tear_down_memory();
  free(wave), free(before);
  return failed;
}
