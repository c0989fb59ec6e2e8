/* fuzz_asm.c - any text as assembly, for a processor that its first byte chooses; what comes out is opened again. */
#include "asm/asm.h"

static const char *const processors[] = {"gfx900",  "gfx600",  "gfx803",  "gfx90a",  "gfx942",
                                         "gfx1010", "gfx1030", "gfx1100", "gfx1200", "gfx1250"};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2)
    return 0;
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_buffer listing = {0}, bytes = {0};
  struct og_asm_options options = {
      .code_object_version = 3 + data[1] % 4, .show_encoding = true, .listing = data[1] & 4 ? &listing : NULL};
  og_target_parse(&options.target, NULL, processors[data[0] % OG_COUNT(processors)], NULL, diagnostics);
  char *text = og_arena_copy(arena, (const char *)data + 2, size - 2); /* the assembler may rely on the NUL behind it */
  struct og_object *object = og_assemble(arena, &options, "x.s", text, size - 2, diagnostics);
  if (object && og_object_write(object, &bytes, diagnostics))
    og_code_object_open(arena, "x.o", bytes.data, bytes.size, diagnostics);
  og_buffer_free(&bytes);
  og_buffer_free(&listing);
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return 0;
}
