/* fuzz_visa_text.c - any bytes as vISA text: read, verified, written in both forms. The
 * first byte picks the platform. */
#include "visa/visa.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1)
    return 0;
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  int platform = data[0] % OG_VISA_PLATFORM_COUNT;
  struct og_source source = {
      .name = "x.visaasm", .text = og_arena_copy(arena, (const char *)data + 1, size - 1), .size = size - 1};
  struct og_visa *visa = og_visa_read_text(arena, &source, platform, diagnostics);
  if (visa) {
    struct og_buffer out = {0};
    og_visa_verify(visa, platform, "x", diagnostics);
    og_visa_write_text(visa, &out);
    og_visa_write_binary(visa, &out, diagnostics);
    og_visa_info(visa, platform, true, &out);
    og_buffer_free(&out);
  }
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return 0;
}
