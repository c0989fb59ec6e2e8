/* xegpu.c - modules of XeGPU for programs: reads, prints and lowers them. xegpu_run.c runs them. */
#include "api/xegpu.h"
#include "api/fill.h"
#include "cc/cc.h"
#include "xegpu/lower/lower.h"

#include <string.h>

og_xegpu *og_xegpu_open(const char *text, size_t size, const char *name, og_diagnostics *diagnostics) {
  struct og_arena *arena = og_arena_new();
  name = og_arena_printf(arena, "%s", name ? name : "<memory>");
  const char *copy = og_arena_copy_input(arena, name, text, size, diagnostics);
  struct og_mlir_module *read = copy ? og_mlir_read(arena, name, copy, size, OG_MLIR_SPELLINGS, diagnostics) : NULL;
  if (!read || !og_mlir_verify(read, diagnostics)) {
    og_arena_free(arena);
    return NULL;
  }
  og_xegpu *module = OG_NEW(arena, og_xegpu);
  *module = (og_xegpu){arena, read};
  return module;
}

void og_xegpu_free(og_xegpu *module) {
  if (module)
    og_arena_free(module->arena);
}

const char *og_xegpu_spelling(const og_xegpu *module) { return og_mlir_spelling_names[module->read->spelling]; }

/* Writing another spelling changes a module, so the text is read again into a copy. */
static bool print_as(const og_xegpu *module, enum og_mlir_spelling to, bool generic, struct og_buffer *out,
                     og_diagnostics *diagnostics) {
  const struct og_source *source = &module->read->source;
  struct og_arena *arena = og_arena_new();
  struct og_mlir_module *copy =
      og_mlir_read(arena, source->name, source->text, source->size, module->read->spelling, diagnostics);
  bool good = copy && og_mlir_verify(copy, diagnostics) && og_mlir_convert(copy, to, diagnostics) &&
              og_mlir_verify(copy, diagnostics);
  if (good)
    og_mlir_print(copy, generic, out);
  og_arena_free(arena);
  return good;
}

bool og_xegpu_print(const og_xegpu *module, const char *spelling, bool generic, og_bytes *text,
                    og_diagnostics *diagnostics) {
  enum og_mlir_spelling to = module->read->spelling;
  struct og_buffer out = {0};
  bool good = true;
  *text = (og_bytes){0};
  if (spelling && !og_mlir_spelling_parse(og_text(spelling), &to))
    return og_error_in(diagnostics, NULL, "no spelling is called '%s': rfc, first, 19 and 22 are", spelling);
  if (to == module->read->spelling)
    og_mlir_print(module->read, generic, &out);
  else
    good = print_as(module, to, generic, &out, diagnostics);
  return og_hand_out(good, &out, text);
}

bool og_xegpu_lower(const og_xegpu *module, const char *kernel, const char *processor, og_bytes *lowered,
                    og_diagnostics *diagnostics) {
  struct og_buffer out = {0};
  *lowered = (og_bytes){0};
  if (strcmp(processor, "pvc") == 0)
    return og_hand_out(og_mlir_lower_visa(module->read, kernel, &out, diagnostics), &out, lowered);
  bool good = og_mlir_lower_amd(module->read, kernel, processor, &out, diagnostics) &&
              og_compile_ir(out.data, out.size, processor, NULL, lowered, diagnostics);
  og_buffer_free(&out);
  return good;
}
