/* fuzz_zebin.c - any bytes as a zebin, or the text of its .ze_info: opened, its kernels'
 * layouts read, symbols looked up. */
#include "visa/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_zebin zebin;
  if (og_zebin_open(arena, "x", data, size, &zebin, diagnostics)) {
    uint64_t address;
    og_zebin_layout(arena, &zebin, "k", diagnostics);
    og_zebin_symbol(&zebin, "k", &address);
    og_zebin_section(&zebin, ".data.const");
  }
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return 0;
}
