/* compile.c - og_compile_ir. */
#include "api/fill.h"
#include "cc/cc.h"

bool og_compile_ir(const void *ir, size_t size, const char *processor, const char *features, og_bytes *code_object,
                   og_diagnostics *diagnostics) {
  static const struct og_cc_options options;
  struct og_arena *arena = og_arena_new();
  struct og_ir_module *module = og_ir_read(arena, "<memory>", ir, size, diagnostics);
  struct og_buffer out = {0};
  struct og_target target;
  *code_object = (og_bytes){0};
  bool good = module && og_ir_verify(module, diagnostics);
  const char *triple = good && module->has_triple ? og_arena_printf(arena, "%.*s", OG_TEXT_ARGS(module->triple)) : NULL;
  good = good && og_target_parse(&target, triple, processor, features, diagnostics) &&
         og_cc_compile(arena, module, &target, &options, &out, diagnostics);
  og_arena_free(arena);
  return og_hand_out(good, &out, code_object);
}
