/* fuzz_dwarf.c - any bytes as a code object with line tables. */
#include "object/dwarf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct og_dwarf *dwarf = og_dwarf_open(data, size);
  const char *file;
  unsigned line, column;
  for (uint64_t address = 0; dwarf && address < 0x4000; address += 0x404)
    og_dwarf_find(dwarf, 0, address, &file, &line, &column);
  og_dwarf_close(dwarf);
  return 0;
}
