/* visa.c - converts vISA between text and binary. */
#include "api/fill.h"
#include "visa/visa.h"

bool og_visa_assemble(const char *text, size_t size, const char *platform_name, og_bytes *binary,
                      og_diagnostics *diagnostics) {
  int platform = og_visa_find_platform(og_text(platform_name));
  *binary = (og_bytes){0};
  if (platform < 0)
    return og_error_in(diagnostics, NULL, "'%s' is no vISA platform: skl, tgllp, dg2 and pvc are", platform_name);
  struct og_arena *arena = og_arena_new();
  struct og_source source = {.name = "<memory>", .text = text, .size = size};
  struct og_buffer out = {0};
  struct og_visa *visa = og_visa_read_text(arena, &source, platform, diagnostics);
  bool good =
      visa && og_visa_verify(visa, platform, source.name, diagnostics) && og_visa_write_binary(visa, &out, diagnostics);
  og_arena_free(arena);
  return og_hand_out(good, &out, binary);
}

bool og_visa_disassemble(const void *binary, size_t size, og_bytes *text, og_diagnostics *diagnostics) {
  struct og_arena *arena = og_arena_new();
  struct og_buffer out = {0};
  struct og_visa *visa = og_visa_read_binary(arena, binary, size, "<memory>", diagnostics);
  *text = (og_bytes){0};
  if (visa)
    og_visa_write_text(visa, &out);
  og_arena_free(arena);
  return og_hand_out(visa != NULL, &out, text);
}
