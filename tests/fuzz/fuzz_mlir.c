/* fuzz_mlir.c - any bytes as MLIR: read, checked, printed in both forms, and what was printed read again; what is fine
 * is lowered to each kind of processor. fuzz_mlir_run.c runs them. */
#include "xegpu/lower/lower.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void lower(const struct og_mlir_module *module, struct og_diagnostics *diagnostics) {
  static const char *const processors[] = {"gfx90a", "gfx942", "gfx1100"};
  struct og_buffer text = {0};
  og_mlir_lower_visa(module, NULL, &text, diagnostics);
  for (size_t i = 0; i < OG_COUNT(processors); i++)
    og_mlir_lower_amd(module, NULL, processors[i], &text, diagnostics);
  og_buffer_free(&text);
}

static bool read_and_print(const void *data, size_t size, bool generic, struct og_buffer *out) {
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_mlir_module *module = og_mlir_read(arena, "x", data, size, OG_MLIR_SPELLINGS, diagnostics);
  bool fine = module && og_mlir_verify(module, diagnostics);
  if (fine)
    og_mlir_print(module, generic, out);
  if (fine && !generic)
    lower(module, diagnostics);
  if (fine && !generic && size) { /* and in another spelling */
    enum og_mlir_spelling to = (enum og_mlir_spelling)(((const uint8_t *)data)[size - 1] % OG_MLIR_SPELLINGS);
    struct og_buffer other = {0};
    if (og_mlir_convert(module, to, diagnostics) && og_mlir_verify(module, diagnostics)) {
      og_mlir_print(module, false, &other);
      lower(module, diagnostics);
    }
    og_buffer_free(&other);
  }
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
