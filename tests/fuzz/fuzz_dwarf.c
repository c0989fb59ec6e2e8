/* fuzz_dwarf.c - any bytes as a code object, or as a relocatable object, with line tables. */
#include "object/debug/dwarf.h"

static void look_up(struct og_dwarf *dwarf) {
  const char *file;
  unsigned line, column;
  for (uint64_t address = 0; dwarf && address < 0x4000; address += 0x404)
    og_dwarf_find(dwarf, (uint32_t)(address >> 10), address, &file, &line, &column);
  struct og_buffer text = {0};
  if (dwarf)
    og_dwarf_print_variables(dwarf, &text);
  og_buffer_free(&text);
  og_dwarf_close(dwarf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  const struct og_object *object = og_object_read(arena, "x", data, size, diagnostics);
  if (object)
    look_up(og_dwarf_open_object(object));
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return 0;
}
