/* compile.c - LLVM IR from a file to a code object, to assembly, or checked and printed. */
#include "tool/compile.h"

#include "inspect/disassemble.h"
#include "tool/tool.h"

static bool compile(struct og_arena *arena, struct og_ir_module *module, struct og_compile *r, struct og_buffer *bytes,
                    struct og_diagnostics *diagnostics) {
  struct og_target target;
  char triple[128];
  if (module->has_triple)
    snprintf(triple, sizeof triple, "%.*s", OG_TEXT_ARGS(module->triple));
  if (!r->triple && module->has_triple)
    r->triple = triple;
  return og_target_parse(&target, r->triple, r->processor, r->features, diagnostics) &&
         og_cc_compile(arena, module, &target, &r->options, bytes, diagnostics);
}

static bool print_assembly(struct og_arena *arena, const char *name, const struct og_buffer *bytes,
                           struct og_buffer *out, struct og_diagnostics *diagnostics) {
  struct og_object *object = og_object_read(arena, name, bytes->data, bytes->size, diagnostics);
  return object && og_disassemble_object(object, &(struct og_dis_options){0}, out, diagnostics);
}

int og_compile_file(struct og_compile *r) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_arena *arena = og_arena_new();
  struct og_buffer input = {0}, result = {0}, text = {0}, print = {0};
  r->options.print = &print;
  if (og_read_file(r->path, &input, diagnostics)) {
    const char *name = og_text_is(og_text(r->path), "-") ? "<stdin>" : r->path;
    struct og_ir_module *module = og_ir_read(arena, name, input.data, input.size, diagnostics);
    bool ok = module && og_ir_verify(module, diagnostics);
    if (ok && r->to == OG_COMPILE_TO_IR)
      og_ir_print(module, &result);
    else if (ok)
      ok = compile(arena, module, r, &result, diagnostics);
    if (ok && r->to == OG_COMPILE_TO_ASSEMBLY)
      ok = print_assembly(arena, name, &result, &text, diagnostics);
    const struct og_buffer *out = r->to == OG_COMPILE_TO_ASSEMBLY ? &text : &result;
    if (ok)
      og_write_file(r->out, out->data, out->size, diagnostics);
    og_print(&print, stderr);
  }
  int exit_code = og_finish(diagnostics);
  og_buffer_free(&print);
  og_buffer_free(&text);
  og_buffer_free(&result);
  og_buffer_free(&input);
  og_arena_free(arena);
  return exit_code;
}
