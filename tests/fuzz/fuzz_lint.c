/* fuzz_lint.c - any bytes as a code object to look for faults in. */
#include "lint/lint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_code_object *code = og_code_object_open(arena, "x", data, size, diagnostics);
  if (code)
    og_lint(code, &code->target, diagnostics);
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return 0;
}
