/* fuzz_visa_run.c - any bytes as a vISA file, text or binary, made ready and run for a moment, verified or not. The
 * first byte picks the platform. */
#include "visa/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void run(struct og_arena *arena, const struct og_visa *visa, int platform, bool check,
                struct og_diagnostics *diagnostics) {
  static uint8_t buffer[4096] __attribute__((aligned(4096)));
  struct og_visa_unit unit = {visa, "x"};
  struct og_visa_argument arguments[2] = {{.kind = OG_VISA_ARGUMENT_BUFFER, .buffer = buffer, .size = 4096},
                                          {.kind = OG_VISA_ARGUMENT_IMAGE, .buffer = buffer, .size = 1024}};
  og_visa_image_parse("rgba8:16x16", 11, &arguments[1].image);
  arguments[1].image.base = buffer;
  struct og_visa_dispatch dispatch = {.grid = {40, 1, 1},
                                      .group = {20, 1, 1},
                                      .dimensions = 1,
                                      .arguments = arguments,
                                      .argument_count = 2,
                                      .count = true,
                                      .check = check};
  for (uint32_t i = 0; i < visa->kernels.count; i++) {
    struct og_visa_statistics statistics = {0};
    dispatch.deadline = og_clock() + 20000000;
    struct og_vx_program *program =
        og_visa_prepare(arena, &unit, 1, visa->kernels.items[i], platform, NULL, diagnostics);
    if (program)
      og_visa_run(arena, program, &dispatch, &statistics, diagnostics);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1)
    return 0;
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  int platform = data[0] % OG_VISA_PLATFORM_COUNT;
  const char *bytes = og_arena_copy(arena, (const char *)data + 1, size - 1);
  struct og_source source = {.name = "x.visaasm", .text = bytes, .size = size - 1};
  struct og_visa *visa = og_visa_is_binary(bytes, size - 1)
                             ? og_visa_read_binary(arena, bytes, size - 1, "x.isa", diagnostics)
                             : og_visa_read_text(arena, &source, platform, diagnostics);
  if (visa)
    run(arena, visa, platform, data[0] & 4, diagnostics);
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return 0;
}
