/* fuzz_object.c - any bytes as an ELF file: opened, described, printed, loaded, linked. */
#include <stdlib.h>

#include "inspect/info.h"
#include "inspect/readobj.h"

static void load(const struct og_code_object *code, struct og_diagnostics *diagnostics) {
  if (code->elf->type != ET_DYN || code->load_size > 1 << 20)
    return;
  void *memory = calloc(1, code->load_size + 1);
  if (memory)
    og_code_object_load(code, memory, 0x1000, NULL, NULL, diagnostics);
  free(memory);
}

static void describe(struct og_arena *arena, const uint8_t *data, size_t size, struct og_diagnostics *diagnostics) {
  struct og_buffer out = {0};
  struct og_code_object *code = og_code_object_open(arena, "x", data, size, diagnostics);
  if (code) {
    struct og_info_options options = {0};
    og_info_text(code, &options, &out);
    og_info_json(code, &out);
    load(code, diagnostics);
  }
  struct og_object *object = og_object_read(arena, "x", data, size, diagnostics);
  for (int gnu = 0; object && gnu < 2; gnu++) {
    static const char *const sections[] = {".text", "2", NULL};
    struct og_readobj_options options = {.gnu = gnu,
                                         .file_header = true,
                                         .sections = true,
                                         .segments = true,
                                         .symbols = true,
                                         .dynamic_symbols = true,
                                         .relocations = true,
                                         .notes = true,
                                         .dynamic_table = true,
                                         .versions = true,
                                         .groups = true,
                                         .histograms = true,
                                         .address_table = true,
                                         .stack_sizes = true,
                                         .hex_dump = sections,
                                         .string_dump = sections};
    og_readobj(object, &options, &out);
  }
  og_buffer_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  describe(arena, data, size, diagnostics);
  struct og_buffer linked = {0};
  struct og_link_input inputs[] = {{.name = "x", .bytes = data, .size = size, .whole_archive = size & 16}};
  struct og_buffer map = {0};
  struct og_link_options options = {.gc_sections = size & 1,
                                    .build_id = size & 2 ? OG_BUILD_ID_SHA1 : OG_BUILD_ID_NONE,
                                    .undefined = size & 4 ? OG_UNDEFINED_ALLOWED : OG_UNDEFINED_ERROR,
                                    .emit_relocations = size & 8,
                                    .relocatable = size & 32,
                                    .map = &map};
  if (og_link(arena, inputs, 1, &options, &linked, diagnostics) && linked.size < 1 << 20)
    describe(arena, linked.data, linked.size, diagnostics);
  og_buffer_free(&linked);
  og_buffer_free(&map);
  og_diagnostics_free(diagnostics);
  og_arena_free(arena);
  return 0;
}
