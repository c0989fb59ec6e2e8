/* What forms tell of their operands' types and restrictions: elements fill the registers that the operand takes, and
 * conversions name the small floats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "isa/effects.h"
#include "isa/rows.h"
#include "isa/rules.h"
#include "target_fixture.h"

static unsigned typed;

static const struct og_slot *slot_of(const struct og_isa *isa, const struct og_form *form, enum og_role role) {
  const struct og_shape *shape = og_shape(isa, form);
  for (unsigned i = 0; i < shape->slot_count; i++)
    if (og_slots(shape)[i].role == role)
      return &og_slots(shape)[i];
  return NULL;
}

static void check_slot(const struct og_form *form, const struct og_slot *slot) {
  unsigned bits = og_element_bits((enum og_element)slot->element) * slot->elements;
  if (slot->element == OG_ELEMENT_NONE || slot->element == OG_ELEMENT_LANES || !slot->dwords)
    return;
  typed++;
  if (bits > 32 * slot->dwords || (slot->dwords > 1 && bits != 32 * slot->dwords))
    fail_msg("%s: %u elements of %u bits in %u dwords", og_row_name(form->row), slot->elements,
             og_element_bits((enum og_element)slot->element), slot->dwords);
}

static void check_target(const struct og_target *target) {
  struct og_isa room;
  const struct og_isa *isa = og_isa_for(target, &room);
  for (unsigned i = 0; i < og_form_count(isa); i++) {
    const struct og_form *form = og_form(isa, i);
    const struct og_shape *shape = og_shape(isa, form);
    for (unsigned k = 0; k < shape->slot_count; k++)
      check_slot(form, &og_slots(shape)[k]);
    assert_true(form->latency < OG_LATENCY_COUNT && og_latency(isa, form) > 0);
  }
}

static void elements_fill_the_registers(void **state) {
  (void)state;
  for_each_target(check_target);
  print_message("%u operands have types\n", typed);
  assert_true(typed > 60000);
}

static void expect(const char *processor, const char *name, unsigned result, unsigned results, unsigned source,
                   unsigned sources) {
  struct og_target target = target_of(processor);
  struct og_isa room;
  const struct og_isa *isa = og_isa_for(&target, &room);
  const uint16_t *forms;
  size_t count = og_find_forms(isa, og_text(name), &forms);
  assert_true(count > 0);
  for (size_t i = 0; i < count; i++) {
    const struct og_form *form = og_form(isa, forms[i]);
    const struct og_slot *d = slot_of(isa, form, OG_ROLE_VDST), *s = slot_of(isa, form, OG_ROLE_SRC0);
    assert_int_equal(d->element, result), assert_int_equal(d->elements, results);
    assert_int_equal(s->element, source), assert_int_equal(s->elements, sources);
  }
}

static void conversions_name_small_floats(void **state) {
  (void)state;
  expect("gfx942", "v_cvt_f32_fp8", OG_ELEMENT_F32, 1, OG_ELEMENT_FP8, 1);
  expect("gfx942", "v_cvt_pk_bf8_f32", OG_ELEMENT_BF8, 2, OG_ELEMENT_F32, 1);
  expect("gfx1200", "v_cvt_pk_f32_bf8", OG_ELEMENT_F32, 2, OG_ELEMENT_BF8, 2);
  expect("gfx950", "v_cvt_scalef32_pk32_f16_fp6", OG_ELEMENT_F16, 32, OG_ELEMENT_FP6, 32);
  expect("gfx950", "v_cvt_scalef32_2xpk16_bf6_f32", OG_ELEMENT_BF6, 32, OG_ELEMENT_F32, 16);
  expect("gfx950", "v_cvt_scalef32_pk_fp4_f16", OG_ELEMENT_F4, 2, OG_ELEMENT_F16, 2);
  expect("gfx1250", "v_cvt_scale_pk8_bf16_fp4", OG_ELEMENT_BF16, 8, OG_ELEMENT_F4, 8);
  expect("gfx1200", "v_dot4_f32_fp8_bf8", OG_ELEMENT_F32, 1, OG_ELEMENT_FP8, 4);
  expect("gfx906", "v_dot8_u32_u4", OG_ELEMENT_U32, 1, OG_ELEMENT_U4, 8);
  expect("gfx900", "v_pk_fma_f16", OG_ELEMENT_F16, 2, OG_ELEMENT_F16, 2);
}

static void exchanged_sources_have_a_row(void **state) {
  (void)state;
  assert_int_equal(og_row_commuted(OG_ROW_V_ADD_F32), OG_ROW_V_ADD_F32);
  assert_int_equal(og_row_commuted(OG_ROW_V_SUB_F32), OG_ROW_V_SUBREV_F32);
  assert_int_equal(og_row_commuted(OG_ROW_V_SUBREV_F32), OG_ROW_V_SUB_F32);
  assert_int_equal(og_row_commuted(OG_ROW_V_CMP_GT_F32), OG_ROW_V_CMP_LT_F32);
  assert_int_equal(og_row_commuted(OG_ROW_V_CNDMASK_B32), -1);
  assert_int_equal(og_row_commuted(OG_ROW_V_DUAL_SUB_F32), OG_ROW_V_DUAL_SUBREV_F32);
  assert_int_equal(og_row_commuted(OG_ROW_COUNT), -1);
  for (unsigned row = 0; row < OG_ROW_COUNT; row++)
    if (og_row_commuted(row) >= 0)
      assert_int_equal(og_row_commuted((unsigned)og_row_commuted(row)), row);
}

/* By the manuals: tuples of CDNA2 and later begin at even registers, VOP2's true16 registers of RDNA3, the constant bus
 * of RDNA. */
static void restrictions_are_those_of_the_manuals(void **state) {
  (void)state;
  static const struct {
    const char *processor, *name;
    unsigned scalars, registers;
    bool even;
  } facts[] = {
      {"gfx900", "v_add_f64", 1, 256, false},      {"gfx90a", "v_add_f64", 1, 256, true},
      {"gfx1030", "v_add_f64", 2, 256, false},     {"gfx1250", "v_add_f64", 2, 256, true},
      {"gfx1030", "v_lshlrev_b64", 1, 256, false}, {"gfx1100", "v_add_f16", 2, 128, false},
      {"gfx1030", "v_add_f16", 2, 256, false},
  };
  for (size_t i = 0; i < OG_COUNT(facts); i++) {
    struct og_target target = target_of(facts[i].processor);
    struct og_isa room;
    const struct og_isa *isa = og_isa_for(&target, &room);
    const uint16_t *forms;
    assert_true(og_find_forms(isa, og_text(facts[i].name), &forms) > 0);
    const struct og_form *form = og_form(isa, forms[0]);
    const struct og_slot *result = slot_of(isa, form, OG_ROLE_VDST);
    assert_int_equal(og_implicit_scalar_values(isa, form).most, facts[i].scalars);
    assert_int_equal(og_vector_registers(form, result), facts[i].registers);
    assert_int_equal(og_begins_even(isa, result, result->dwords), facts[i].even);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(elements_fill_the_registers),
                                     cmocka_unit_test(conversions_name_small_floats),
                                     cmocka_unit_test(exchanged_sources_have_a_row),
                                     cmocka_unit_test(restrictions_are_those_of_the_manuals)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
