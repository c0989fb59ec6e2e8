/* cc.c - `offgrid cc`: LLVM IR to a code object, or read and printed. */
#include "cc/cc.h"
#include "tool/tool.h"

struct request {
  const char *path, *out, *processor, *features;
  bool print_ir;
  struct og_cc_options options;
};

static bool compile(struct og_arena *arena, struct og_ir_module *module, struct request *r, struct og_buffer *bytes,
                    struct og_diagnostics *diagnostics) {
  struct og_target target;
  char triple[128];
  if (module->has_triple)
    snprintf(triple, sizeof triple, "%.*s", OG_TEXT_ARGS(module->triple));
  return og_target_parse(&target, module->has_triple ? triple : NULL, r->processor, r->features, diagnostics) &&
         og_cc_compile(arena, module, &target, &r->options, bytes, diagnostics);
}

static int run_request(struct request *r) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_arena *arena = og_arena_new();
  struct og_buffer input = {0}, result = {0}, print = {0};
  r->options.print = &print;
  if (og_read_file(r->path, &input, diagnostics)) {
    const char *name = og_text_is(og_text(r->path), "-") ? "<stdin>" : r->path;
    struct og_ir_module *module = og_ir_read(arena, name, input.data, input.size, diagnostics);
    bool ok = module && og_ir_verify(module, diagnostics);
    if (ok && r->print_ir)
      og_ir_print(module, &result);
    else if (ok)
      ok = compile(arena, module, r, &result, diagnostics);
    if (ok)
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

static int run(int argc, char **argv) {
  struct request r = {0};
  bool text = false, level = false;
  for (int i = 1; i < argc; i++)
    if (og_option_value(argc, argv, &i, "o", &r.out) || og_option_value(argc, argv, &i, "mcpu", &r.processor) ||
        og_option_value(argc, argv, &i, "mattr", &r.features) ||
        og_option_value(argc, argv, &i, "print-after", &r.options.print_after))
      continue;
    else if (og_option_flag(argv, i, "emit-llvm"))
      r.print_ir = true;
    else if (og_option_flag(argv, i, "S"))
      text = true;
    else if (og_option_flag(argv, i, "c"))
      r.options.relocatable = true;
    else if (og_option_flag(argv, i, "O0") || og_option_flag(argv, i, "O1") || og_option_flag(argv, i, "O2") ||
             og_option_flag(argv, i, "O3"))
      level = true; /* one way of compiling, whatever the level */
    else if (argv[i][0] == '-' && argv[i][1])
      return og_unknown_option("cc", argc, argv, i);
    else if (r.path)
      return og_usage_error("cc", "one file at a time: '%s' is a second one", argv[i]);
    else
      r.path = argv[i];
  (void)level;
  if (!r.path)
    return og_usage_error("cc", "no file named");
  if (r.print_ir != text)
    return og_usage_error("cc", r.print_ir ? "-emit-llvm needs -S: IR is printed as text"
                                           : "-S writes no assembly: compile, then disassemble with 'offgrid dis'");
  if (r.options.print_after && !og_cc_is_pass(og_text(r.options.print_after)))
    return og_usage_error("cc", "no pass is called '%s'", r.options.print_after);
  if (!r.out)
    r.out = r.print_ir ? "-" : "a.out";
  return run_request(&r);
}

const struct og_verb og_verb_cc = {
    "cc", "compiles LLVM IR to a code object, or checks and prints it",
    "usage: offgrid cc -mcpu=PROCESSOR [-mattr=FEATURES] [-c] [-print-after=PASS] [-o OUT] FILE\n"
    "       offgrid cc -emit-llvm -S [-o OUT] FILE\n\n"
    "Compiles the kernels in LLVM IR, text or bitcode of clang 15 to 22, to a linked code object (with -c a "
    "relocatable\n"
    "object), a.out unless -o says where. What it does not compile yet is an error that says what and where;\n"
    "docs/compiler.md lists what it does. -O0 to -O3 are taken and make no difference.\n"
    "-print-after=PASS prints the module after a pass over its IR: inline, expand, promote, scalarize, simplify, prune,\n"
    "simplify2, cse, prune2, hoist, calls; or each function after one over its code: flow, places, inputs, control, select,\n"
    "dead, registers, frame, forms, waits, hazards.\n"
    "-emit-llvm -S reads IR, checks it and prints it as LLVM 22 does (typed pointers become ptr).\n"
    "Errors are told as clang tells them.\n",
    run};
