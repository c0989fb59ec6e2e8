/* fuzz_ir.c - any bytes as LLVM IR, text or bitcode: read, checked, printed, and what was printed read again. */
#include "ir/ir.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct og_ir_module *read_and_print(struct og_arena *arena, const void *data, size_t size,
                                           struct og_buffer *out) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_ir_module *module = og_ir_read(arena, "x", data, size, diagnostics);
  if (module && og_ir_verify(module, diagnostics))
    og_ir_print(module, out);
  else
    module = NULL;
  og_diagnostics_free(diagnostics);
  return module;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct og_arena *arena = og_arena_new();
  struct og_buffer once = {0}, again = {0};
  if (read_and_print(arena, data, size, &once))
    read_and_print(arena, once.data, once.size, &again);
  og_buffer_free(&once);
  og_buffer_free(&again);
  og_arena_free(arena);
  return 0;
}
