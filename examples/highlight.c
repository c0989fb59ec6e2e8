/* highlight.c - prints the code of a code object in colours, one for each kind of token: highlight FILE.hsaco */
#include "common.h"

static const char *const colours[] = {
    [OG_TOKEN_MNEMONIC] = "1", [OG_TOKEN_REGISTER] = "32", [OG_TOKEN_SPECIAL] = "36", [OG_TOKEN_CONSTANT] = "33",
    [OG_TOKEN_IMMEDIATE] = "33", [OG_TOKEN_TARGET] = "35", [OG_TOKEN_MODIFIER] = "34", [OG_TOKEN_DATA] = "31",
    [OG_TOKEN_IMPLICIT] = "2",
};

static void print(const og_instruction *instruction) {
  uint32_t at = 0;
  printf("%8llx: ", (unsigned long long)instruction->address);
  for (size_t i = 0; i < instruction->token_count; i++) {
    const og_token *token = &instruction->tokens[i];
    if (token->kind == OG_TOKEN_IMPLICIT) {
      printf("%s \033[%sm%s%s%s\033[0m", at ? instruction->text + at : "", colours[token->kind], token->read ? "<" : "",
             token->written ? ">" : "", instruction->text + token->offset);
      at = 0;
      continue;
    }
    printf("%.*s\033[%sm%.*s\033[0m", (int)(token->offset - at), instruction->text + at, colours[token->kind],
           (int)token->length, instruction->text + token->offset);
    at = token->offset + token->length;
  }
  printf("%s\n", at ? instruction->text + at : "");
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "usage: %s FILE\n", argv[0]);
    return 2;
  }
  og_diagnostics *diagnostics = og_diagnostics_new();
  og_bytes bytes = read_file(argv[1]);
  og_module *module = og_module_open(bytes.data, bytes.size, argv[1], diagnostics);
  check(diagnostics);
  og_disassembler *disassembler = og_disassembler_new(og_module_target(module), NULL, diagnostics);
  check(diagnostics);
  og_code_section section = {.info_size = sizeof section};
  og_instruction instruction = {.info_size = sizeof instruction};
  for (size_t i = 0; og_module_code(module, i, &section); i++) {
    printf("%s:\n", section.name);
    for (size_t at = 0;
         og_disassemble_next(disassembler, section.code, section.size, section.address, &at, &instruction);)
      print(&instruction);
  }
  og_disassembler_free(disassembler);
  og_module_free(module);
  og_bytes_free(&bytes);
  og_diagnostics_free(diagnostics);
}
