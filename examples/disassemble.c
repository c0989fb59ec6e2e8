/* disassemble.c - prints the instructions in a file of raw device code: disassemble gfx900 CODE.bin */
#include "common.h"

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: %s PROCESSOR FILE\n", argv[0]);
    return 2;
  }
  og_diagnostics *diagnostics = og_diagnostics_new();
  og_disassembler *disassembler = og_disassembler_new(argv[1], NULL, diagnostics);
  check(diagnostics);
  og_bytes code = read_file(argv[2]);
  for (size_t at = 0; at + 4 <= code.size;) {
    char text[256];
    size_t size = og_disassemble(disassembler, code.data + at, code.size - at, at, text, sizeof text);
    printf("%6zx: %s\n", at, size ? text : ".long (no instruction)");
    at += size ? size : 4;
  }
  og_bytes_free(&code);
  og_disassembler_free(disassembler);
  og_diagnostics_free(diagnostics);
}
