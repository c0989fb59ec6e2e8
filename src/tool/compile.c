/* compile.c - compiles LLVM IR from a file to a code object or assembly, or checks and prints it; lowers kernels in
 * MLIR. */
#include "tool/compile.h"

#include "base/arena.h"
#include "inspect/disassemble.h"
#include "tool/run_command.h"
#include "tool/tool.h"
#include "xegpu/lower/lower.h"

#include <string.h>

static bool compile(struct og_arena *arena, struct og_ir_module *module, struct og_compilation *r,
                    struct og_target *target, struct og_buffer *bytes, struct og_diagnostics *diagnostics) {
  char triple[128];
  if (module->has_triple)
    snprintf(triple, sizeof triple, "%.*s", OG_TEXT_ARGS(module->triple));
  if (!r->triple && module->has_triple)
    r->triple = triple;
  return og_target_parse(target, r->triple, r->processor, r->features, diagnostics) &&
         og_cc_compile(arena, module, target, &r->options, bytes, diagnostics);
}

/* Prints assembly, with the target's features: an object does not say how large its waves are. */
static bool print_assembly(struct og_arena *arena, const char *name, const struct og_target *target,
                           const struct og_buffer *bytes, struct og_buffer *out, struct og_diagnostics *diagnostics) {
  struct og_object *object = og_object_read(arena, name, bytes->data, bytes->size, diagnostics);
  return object && og_disassemble_object(object, &(struct og_dis_options){.target = target}, out, diagnostics);
}

/* Compiles LLVM IR to code, assembly or text. */
static bool compile_ir(struct og_arena *arena, const char *name, const struct og_buffer *input,
                       struct og_compilation *r, struct og_buffer *result, struct og_diagnostics *diagnostics) {
  struct og_ir_module *module = og_ir_read(arena, name, input->data, input->size, diagnostics);
  struct og_buffer code = {0};
  struct og_target target;
  bool ok = module && og_ir_verify(module, diagnostics);
  if (ok && r->to == OG_COMPILE_TO_IR)
    og_ir_print(module, result);
  else if (ok)
    ok = compile(arena, module, r, &target, r->to == OG_COMPILE_TO_ASSEMBLY ? &code : result, diagnostics);
  if (ok && r->to == OG_COMPILE_TO_ASSEMBLY)
    ok = print_assembly(arena, name, &target, &code, result, diagnostics);
  og_buffer_free(&code);
  return ok;
}

/* Lowers an MLIR module's kernels: to vISA for Intel's pvc, else to LLVM IR, which is compiled unless LLVM IR was asked
 * for. */
static bool lower(struct og_arena *arena, const char *name, const struct og_buffer *input, struct og_compilation *r,
                  struct og_buffer *result, struct og_diagnostics *diagnostics) {
  struct og_mlir_module *module = og_mlir_read(arena, name, input->data, input->size, OG_MLIR_SPELLINGS, diagnostics);
  if (!module || !og_mlir_verify(module, diagnostics))
    return false;
  if (!r->processor || strcmp(r->processor, "pvc") == 0)
    return og_mlir_lower_visa(module, r->kernel, result, diagnostics);
  if (r->to == OG_COMPILE_TO_IR)
    return og_mlir_lower_amd(module, r->kernel, r->processor, result, diagnostics);
  struct og_buffer text = {0};
  bool ok = og_mlir_lower_amd(module, r->kernel, r->processor, &text, diagnostics) &&
            compile_ir(arena, name, &text, r, result, diagnostics);
  og_buffer_free(&text);
  return ok;
}

int og_compile_file(struct og_compilation *r) {
  /* Bytes of memory for each byte of text: about half for its IR, the rest while functions are compiled. At least one
   * large page, which takes one page fault. */
  enum { BYTES_OF_EACH = 16, LEAST = 1 << 20 };
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_arena *arena = og_arena_new();
  struct og_buffer input = {0}, result = {0}, print = {0};
  r->options.print = &print;
  if (og_read_file(r->path, &input, diagnostics)) {
    og_arena_expect(arena, OG_MAX(BYTES_OF_EACH * input.size, (size_t)LEAST));
    const char *name = og_text_is(og_text(r->path), "-") ? "<stdin>" : r->path;
    if ((og_run_is_mlir(r->path) ? lower : compile_ir)(arena, name, &input, r, &result, diagnostics))
      og_write_file(r->out, result.data, result.size, diagnostics);
    og_print(&print, stderr);
  }
  int exit_code = og_finish(diagnostics);
  og_buffer_free(&print);
  og_buffer_free(&result);
  og_buffer_free(&input);
  og_arena_free(arena);
  return exit_code;
}
