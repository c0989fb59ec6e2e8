/* fuzz_mlir.c - any bytes as MLIR: read, checked, printed in both forms, and what was printed read again. */
#include "xegpu/mlir.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool read_and_print(const void *data, size_t size, bool generic, struct og_buffer *out) {
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_mlir_module *module = og_mlir_read(arena, "x", data, size, OG_MLIR_SPELLINGS, diagnostics);
  bool fine = module && og_mlir_verify(module, diagnostics) &&
              og_mlir_print(module, module->spelling, generic, out, diagnostics);
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return fine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  for (unsigned generic = 0; generic < 2; generic++) {
    struct og_buffer once = {0}, again = {0};
    if (read_and_print(data, size, generic, &once))
      read_and_print(once.data, once.size, generic, &again);
    og_buffer_free(&once);
    og_buffer_free(&again);
  }
  return 0;
}
