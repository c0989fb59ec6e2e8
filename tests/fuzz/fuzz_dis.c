/* fuzz_dis.c - any bytes through the disassembler: as instructions, as an object to a source and as objdump prints it;
 * as a section of code, whose source must read back to the same words. */
#include <stdlib.h>
#include <string.h>

#include "asm/asm.h"
#include "inspect/disassemble.h"
#include "inspect/objdump.h"
#include "isa/isa.h"

static const char *const processors[] = {"gfx900",  "gfx600",  "gfx803",  "gfx90a",  "gfx942",
                                         "gfx1010", "gfx1030", "gfx1100", "gfx1200", "gfx1250"};

static const struct og_section *text_of(const struct og_object *object) {
  for (uint32_t i = 1; object && i < object->sections.count; i++)
    if (!strcmp(object->sections.items[i].name, ".text"))
      return &object->sections.items[i];
  return NULL;
}

/* With a listing the assembler reads every statement. */
static void reads_back(const uint8_t *words, size_t size, const char *processor) {
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_buffer source = {0}, text = {0}, listing = {0};
  struct og_asm_options options = {.code_object_version = 5};
  struct og_dis_options how = {0};
  og_target_parse(&options.target, NULL, processor, NULL, diagnostics);
  for (size_t i = 0; i + 4 <= size; i += 4)
    og_buffer_printf(&source, ".long 0x%08x\n", og_load32(words + i));
  const struct og_object *object =
      og_assemble(arena, &options, "x.s", (const char *)source.data, source.size, diagnostics);
  og_disassemble_object(object, &how, &text, diagnostics);
  og_buffer_u8(&text, 0);
  options.listing = &listing;
  const struct og_object *made =
      og_assemble(arena, &options, "x.s", (const char *)text.data, text.size - 1, diagnostics);
  const struct og_section *before = text_of(object), *after = text_of(made);
  if (!after || after->size != before->size || memcmp(after->data, before->data, before->size))
    abort();
  og_buffer_free(&source);
  og_buffer_free(&text);
  og_buffer_free(&listing);
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct og_buffer out = {0};
  if (size > 5 && size < 4096)
    reads_back(data + 1, size - 1, processors[data[0] % OG_COUNT(processors)]);
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
