/* test_disassemble.c - the public API's instructions in pieces. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "offgrid.h"

/* s_nop 0; v_add_f32_e64 v1, -v2, |s3| clamp; s_branch back to the start; no instruction; two bytes. */
static const uint8_t code[] = {0x00, 0x00, 0x80, 0xbf, 0x01, 0x82, 0x01, 0xd1, 0x02, 0x07, 0x00, 0x20,
                               0xfc, 0xff, 0x82, 0xbf, 0xff, 0xff, 0xff, 0xff, 0x12, 0x34};

static og_disassembler *disassembler_for(const char *target) {
  og_diagnostics *diagnostics = og_diagnostics_new();
  og_disassembler *disassembler = og_disassembler_new(target, NULL, diagnostics);
  assert_int_equal(og_diagnostics_count(diagnostics), 0);
  og_diagnostics_free(diagnostics);
  return disassembler;
}

static void has_token(const og_instruction *instruction, size_t index, og_token_kind kind, const char *text) {
  const og_token *token = &instruction->tokens[index];
  assert_true(index < instruction->token_count);
  assert_int_equal(token->kind, kind);
  assert_int_equal(token->length, strlen(text));
  assert_memory_equal(instruction->text + token->offset, text, token->length);
}

static void walks_over_all_bytes(void **state) {
  (void)state;
  static const char *const texts[] = {"s_nop 0", "v_add_f32_e64 v1, -v2, |s3| clamp", "s_branch 65532",
                                      ".long 0xffffffff", ".byte 0x12, 0x34"};
  og_disassembler *disassembler = disassembler_for("gfx900");
  og_instruction instruction = {.info_size = sizeof instruction};
  size_t count = 0;
  uint64_t address = 0x100;
  for (size_t at = 0; og_disassemble_next(disassembler, code, sizeof code, 0x100, &at, &instruction); count++) {
    assert_string_equal(instruction.text, texts[count]);
    assert_int_equal(instruction.address, address);
    address += instruction.size;
  }
  assert_int_equal(count, 5);
  assert_int_equal(address, 0x100 + sizeof code);
  og_disassembler_free(disassembler);
}

static void tells_registers_and_modifiers(void **state) {
  (void)state;
  og_disassembler *disassembler = disassembler_for("gfx900");
  og_instruction instruction = {.info_size = sizeof instruction};
  size_t at = 4;
  assert_true(og_disassemble_next(disassembler, code, sizeof code, 0, &at, &instruction));
  assert_int_equal(instruction.token_count, 7);
  has_token(&instruction, 0, OG_TOKEN_MNEMONIC, "v_add_f32_e64");
  has_token(&instruction, 1, OG_TOKEN_REGISTER, "v1");
  has_token(&instruction, 2, OG_TOKEN_REGISTER, "-v2");
  has_token(&instruction, 3, OG_TOKEN_REGISTER, "|s3|");
  has_token(&instruction, 4, OG_TOKEN_MODIFIER, "clamp");
  has_token(&instruction, 5, OG_TOKEN_IMPLICIT, "exec");
  has_token(&instruction, 6, OG_TOKEN_IMPLICIT, "mode");
  assert_true(instruction.tokens[5].read && !instruction.tokens[5].written);
  assert_true(instruction.tokens[1].written && !instruction.tokens[1].read);
  assert_true(instruction.tokens[3].read && !instruction.tokens[3].written);
  assert_int_equal(instruction.tokens[3].file, 's');
  assert_int_equal(instruction.tokens[3].first, 3);
  assert_int_equal(instruction.tokens[3].count, 1);
  assert_int_equal(instruction.tokens[4].value, 1);
  og_disassembler_free(disassembler);
}

static void tells_branch_targets_and_data(void **state) {
  (void)state;
  og_disassembler *disassembler = disassembler_for("amdgcn-amd-amdhsa--gfx900");
  og_instruction instruction = {.info_size = sizeof instruction};
  size_t at = 12;
  assert_true(og_disassemble_next(disassembler, code, sizeof code, 0x1000, &at, &instruction));
  has_token(&instruction, 1, OG_TOKEN_TARGET, "65532");
  assert_int_equal(instruction.tokens[1].value, 0x1000);
  assert_true(og_disassemble_next(disassembler, code, sizeof code, 0x1000, &at, &instruction));
  has_token(&instruction, 1, OG_TOKEN_DATA, "0xffffffff");
  assert_int_equal(instruction.tokens[1].value, 0xffffffff);
  og_disassembler_free(disassembler);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(walks_over_all_bytes),
      cmocka_unit_test(tells_registers_and_modifiers),
      cmocka_unit_test(tells_branch_targets_and_data),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
