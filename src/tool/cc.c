/* cc.c - `offgrid cc`: LLVM IR, for now read and printed only. */
#include "tool/tool.h"
#include "ir/ir.h"

static int print_ir(const char *path, const char *out) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_arena *arena = og_arena_new();
  struct og_buffer bytes = {0}, text = {0};
  if (og_read_file(path, &bytes, diagnostics)) {
    const char *name = og_text_is(og_text(path), "-") ? "<stdin>" : path;
    const struct og_ir_module *module = og_ir_read(arena, name, bytes.data, bytes.size, diagnostics);
    if (module && og_ir_verify(module, diagnostics)) {
      og_ir_print(module, &text);
      og_write_file(out, text.data, text.size, diagnostics);
    }
  }
  int exit_code = og_finish(diagnostics);
  og_buffer_free(&text);
  og_buffer_free(&bytes);
  og_arena_free(arena);
  return exit_code;
}

static int run(int argc, char **argv) {
  const char *path = NULL, *out = "-", *ignored;
  bool ir = false, text = false;
  for (int i = 1; i < argc; i++)
    if (og_option_value(argc, argv, &i, "o", &out) || og_option_value(argc, argv, &i, "mcpu", &ignored))
      continue;
    else if (og_option_flag(argv, i, "emit-llvm"))
      ir = true;
    else if (og_option_flag(argv, i, "S"))
      text = true;
    else if (argv[i][0] == '-' && argv[i][1])
      return og_unknown_option("cc", argc, argv, i);
    else if (path)
      return og_usage_error("cc", "one file at a time: '%s' is a second one", argv[i]);
    else
      path = argv[i];
  if (!path)
    return og_usage_error("cc", "no file named");
  if (!ir || !text)
    return og_usage_error("cc", "code generation is not there yet: -emit-llvm -S reads IR, checks it and prints it");
  return print_ir(path, out);
}

const struct og_verb og_verb_cc = {
    "cc", "reads LLVM IR, checks it and prints it; there is no code generation yet",
    "usage: offgrid cc -emit-llvm -S [-o OUT] FILE\n\n"
    "Reads the LLVM IR that clang 15 to 22 write and prints it as LLVM 22 does (typed pointers become ptr).\n"
    "Errors are told as clang tells them. There is no code generation yet.\n",
    run};
