/* fuzz_dis.c - any bytes through the disassembler: as instructions, as an object to a source and as objdump prints it. */
#include "asm/disassemble.h"
#include "asm/objdump.h"
#include "isa/isa.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct og_buffer out = {0};
  for (unsigned generation = OG_R600 + 1; generation < OG_GENERATION_COUNT; generation++) {
    const struct og_isa *isa = og_isa_of(generation, 64);
    struct og_inst inst;
    for (size_t at = 0; isa && at < size && at < 64;) {
      size_t length = og_decode(isa, data + at, size - at, &inst);
      if (length)
        og_print_inst(isa, &inst, NULL, &out);
      at += length ? length : 4;
    }
  }
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_dis_options options = {.encoding = true};
  const struct og_object *object = og_object_read(arena, "fuzz", data, size, diagnostics);
  struct og_objdump_options dump = {.all = true, .relocations = true, .lines = true, .stop = UINT64_MAX};
  if (object) {
    og_disassemble_object(object, &options, &out, diagnostics);
    og_objdump_sections(object, &out);
    og_objdump_symbols(object, &out);
    og_objdump_relocations(object, &dump, &out);
    og_objdump_contents(object, &dump, &out);
    og_objdump_code(object, &dump, &out, diagnostics);
  }
  og_buffer_free(&out);
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return 0;
}
