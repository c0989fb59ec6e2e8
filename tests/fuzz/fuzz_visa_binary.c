/* fuzz_visa_binary.c - any bytes as a vISA binary: read, verified, written in both forms. */
#include "visa/visa.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_visa *visa = og_visa_read_binary(arena, data, size, "x.isa", diagnostics);
  if (visa) {
    struct og_buffer out = {0};
    for (int platform = 0; platform < OG_VISA_PLATFORM_COUNT; platform++)
      og_visa_verify(visa, platform, "x.isa", diagnostics);
    og_visa_write_text(visa, &out);
    og_visa_write_binary(visa, &out, diagnostics);
    og_visa_write_encodings(visa, &out);
    og_visa_info(visa, OG_VISA_PVC, true, &out);
    og_buffer_free(&out);
  }
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return 0;
}
