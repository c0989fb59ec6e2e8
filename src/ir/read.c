/* read.c - IR as text or bitcode. */
#include "ir/ir.h"

bool og_ir_is_bitcode(const void *bytes, size_t size) {
  uint32_t magic = size >= 4 ? og_load32(bytes) : 0;
  return magic == 0xdec04342 /* BC C0DE */ || magic == 0x0b17c0de /* a wrapper around it */;
}

struct og_ir_module *og_ir_read(struct og_arena *arena, const char *file, const void *bytes, size_t size,
                                struct og_diagnostics *diagnostics) {
  struct og_ir_module *module = og_ir_is_bitcode(bytes, size)
                                    ? og_ir_read_bitcode(arena, file, bytes, size, diagnostics)
                                    : og_ir_read_text(arena, file, bytes, size, diagnostics);
  if (module)
    og_ir_upgrade(module);
  return module;
}
