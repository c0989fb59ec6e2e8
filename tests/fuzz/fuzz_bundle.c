/* fuzz_bundle.c - any bytes as an offload bundle, a compressed one, an offload binary, or
 * a host file that carries them. */
#include "object/object.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_bundle bundle;
  uint8_t sum = 0;
  if (og_bundle_read(arena, "x", data, size, &bundle, diagnostics))
    for (uint32_t i = 0; i < bundle.entries.count; i++)
      for (size_t k = 0; k < bundle.entries.items[i].size; k++)
        sum = (uint8_t)(sum + bundle.entries.items[i].data[k]);
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return sum > 255;
}
