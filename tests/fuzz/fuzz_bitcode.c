/* fuzz_bitcode.c - any bytes behind bitcode's magic: read, checked, and compiled where the verifier takes them. fuzz_ir
 * and fuzz_cc take bitcode too, but stay with text, which grows faster. */
#include "cc/cc.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const processors[] = {"gfx900", "gfx1030", "gfx90a", "gfx1250"};
  static const uint8_t magic[4] = {'B', 'C', 0xc0, 0xde};
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_buffer out = {0};
  struct og_target target;
  const struct og_cc_options options = {0};
  size_t has = size >= sizeof magic && !memcmp(data, magic, sizeof magic) ? sizeof magic : 0; /* as seeds have */
  size_t all = sizeof magic + size - has;
  uint8_t *bytes = og_arena_alloc(arena, all);
  memcpy(bytes, magic, sizeof magic);
  if (size > has)
    memcpy(bytes + sizeof magic, data + has, size - has);
  struct og_ir_module *module = og_ir_read(arena, "x", bytes, all, diagnostics);
  if (module && og_ir_verify(module, diagnostics) &&
      og_target_parse(&target, NULL, processors[size % OG_COUNT(processors)], NULL, diagnostics))
    og_cc_compile(arena, module, &target, &options, &out, diagnostics);
  og_buffer_free(&out);
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return 0;
}
