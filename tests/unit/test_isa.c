/* test_isa.c - one instruction at a time: bits, operands, text, and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "isa/rows.h"
#include "isa/isa.h"

static const struct og_isa *gfx900(void) { return og_isa_of(OG_GFX900, 64); }

/* Decodes, prints, encodes again, and compares both. */
static struct og_inst check(const struct og_isa *isa, const uint8_t *code, size_t size, const char *text) {
  struct og_inst inst;
  struct og_buffer out = {0};
  uint8_t again[32];
  assert_int_equal(og_decode(isa, code, size, &inst), size);
  og_print_inst(isa, &inst, NULL, &out);
  og_buffer_u8(&out, 0);
  assert_string_equal((const char *)out.data, text);
  og_buffer_free(&out);
  assert_int_equal(og_encode(isa, &inst, again), size);
  assert_memory_equal(again, code, size);
  return inst;
}
#define CHECK(text, ...) check(gfx900(), (const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}), text)

static void a_vector_instruction_shows_its_operands(void **state) {
  (void)state;
  struct og_inst inst = CHECK("v_add_f32_e32 v1, v2, v3", 0x02, 0x07, 0x02, 0x02);
  assert_int_equal(inst.row, OG_ROW_V_ADD_F32);
  assert_int_equal(inst.encoding, OG_ENC_VOP2);
  assert_int_equal(og_operand(&inst, OG_ROLE_VDST)->reg, 1);
  assert_int_equal(og_operand(&inst, OG_ROLE_SRC0)->reg, 2);
  assert_int_equal(og_operand(&inst, OG_ROLE_SRC1)->kind, OG_OPERAND_VGPR);
}

static void forms_of_one_instruction_share_a_row(void **state) {
  (void)state;
  struct og_inst wide =
      CHECK("v_add_f32_e64 v1, |v2|, -v3 clamp mul:2", 0x01, 0x81, 0x01, 0xd1, 0x02, 0x07, 0x02, 0x48);
  assert_int_equal(wide.row, OG_ROW_V_ADD_F32);
  assert_int_equal(og_operand(&wide, OG_ROLE_SRC0)->flags, OG_ABS);
  assert_int_equal(og_operand(&wide, OG_ROLE_SRC1)->flags, OG_NEG);
  assert_int_equal(wide.mod[OG_MOD_CLAMP], 1);
}

static void names_of_generations_lead_to_one_row(void **state) {
  (void)state;
  assert_int_equal(og_find_row(og_text("ds_load_b32")), OG_ROW_DS_READ_B32);
  assert_int_equal(og_find_row(og_text("s_no_such")), -1);
  const uint16_t *forms;
  /* gfx8's v_add_u32 carries, gfx9's does not. */
  const struct og_isa *gfx8 = og_isa_of(OG_GFX8, 64);
  assert_true(og_find_forms(gfx8, og_text("v_add_u32"), &forms) > 0);
  assert_int_equal(og_form(gfx8, forms[0])->row, OG_ROW_V_ADD_CO_U32);
  assert_true(og_find_forms(gfx900(), og_text("v_add_u32"), &forms) > 0);
  assert_int_equal(og_form(gfx900(), forms[0])->row, OG_ROW_V_ADD_U32);
}

static void literals_and_truncated_code(void **state) {
  (void)state;
  struct og_inst inst = CHECK("s_mov_b32 s0, 0x12345678", 0xff, 0x00, 0x80, 0xbe, 0x78, 0x56, 0x34, 0x12);
  assert_int_equal(og_operand(&inst, OG_ROLE_SRC0)->value, 0x12345678);
  const uint8_t cut[] = {0xff, 0x00, 0x80, 0xbe};
  assert_int_equal(og_decode(gfx900(), cut, 4, &inst), 0);
  assert_int_equal(og_decode(gfx900(), cut, 3, &inst), 0);
}

static void vcc_is_an_operand_where_the_text_names_it(void **state) {
  (void)state;
  struct og_inst inst = CHECK("v_addc_co_u32_e32 v1, vcc, v2, v3, vcc", 0x02, 0x07, 0x02, 0x38);
  assert_int_equal(og_operand(&inst, OG_ROLE_SDST)->reg, OG_SPECIAL_VCC_LO);
  assert_int_equal(og_operand(&inst, OG_ROLE_SRC2)->reg, OG_SPECIAL_VCC_LO);
}

static void immediates_have_their_symbols(void **state) {
  (void)state;
  CHECK("s_waitcnt vmcnt(0) lgkmcnt(0)", 0x70, 0x00, 0x8c, 0xbf);
  CHECK("s_getreg_b32 s1, hwreg(HW_REG_MODE, 0, 4)", 0x01, 0x18, 0x81, 0xb8);
  CHECK("ds_swizzle_b32 v1, v2 offset:swizzle(SWAP,16)", 0x1f, 0x40, 0x7a, 0xd8, 0x02, 0x00, 0x00, 0x01);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_vector_instruction_shows_its_operands), cmocka_unit_test(forms_of_one_instruction_share_a_row),
      cmocka_unit_test(names_of_generations_lead_to_one_row),    cmocka_unit_test(literals_and_truncated_code),
      cmocka_unit_test(vcc_is_an_operand_where_the_text_names_it), cmocka_unit_test(immediates_have_their_symbols),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
