/* fuzz_cc.c - any bytes as LLVM IR: what the verifier takes is compiled, for a processor that the first byte
 * chooses. */
#include "cc/cc.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const processors[] = {"gfx900",  "gfx803",  "gfx90a", "gfx1030", "gfx1100",
                                           "gfx1200", "gfx1250", "gfx942", "gfx600",  "gfx950"};
  if (!size)
    return 0;
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_buffer out = {0};
  struct og_target target;
  const struct og_cc_options options = {0};
  struct og_ir_module *module = og_ir_read(arena, "x", data + 1, size - 1, diagnostics);
  if (module && og_ir_verify(module, diagnostics) &&
      og_target_parse(&target, NULL, processors[data[0] % OG_COUNT(processors)], NULL, diagnostics))
    og_cc_compile(arena, module, &target, &options, &out, diagnostics);
  og_buffer_free(&out);
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return 0;
}
