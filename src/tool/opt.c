/* opt.c - `offgrid opt`: checks and prints MLIR of XeGPU kernels. */
#include "tool/tool.h"
#include "xegpu/mlir.h"

struct request {
  const char *path, *out;
  enum og_mlir_spelling from, to; /* OG_MLIR_SPELLINGS: as in the text */
  bool generic, verify;
};

static int run_request(const struct request *r) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_arena *arena = og_arena_new();
  struct og_buffer input = {0}, result = {0};
  if (og_read_file(r->path, &input, diagnostics)) {
    const char *name = og_text_is(og_text(r->path), "-") ? "<stdin>" : r->path;
    struct og_mlir_module *module = og_mlir_read(arena, name, input.data, input.size, r->from, diagnostics);
    bool convert = module && r->to != OG_MLIR_SPELLINGS && r->to != module->spelling, verify = r->verify || convert;
    bool fine = module && (!verify || og_mlir_verify(module, diagnostics));
    if (fine && convert)
      fine = og_mlir_convert(module, r->to, diagnostics) && og_mlir_verify(module, diagnostics);
    if (fine) {
      og_mlir_print(module, r->generic, &result);
      og_write_file(r->out, result.data, result.size, diagnostics);
    }
  }
  int exit_code = og_finish(diagnostics);
  og_buffer_free(&result);
  og_buffer_free(&input);
  og_arena_free(arena);
  return exit_code;
}

static int run(int argc, char **argv) {
  struct request r = {.out = "-", .from = OG_MLIR_SPELLINGS, .to = OG_MLIR_SPELLINGS, .verify = true};
  const char *from = NULL, *to = NULL;
  for (int i = 1; i < argc; i++)
    if (og_option_value(argc, argv, &i, "o", &r.out) || og_option_value(argc, argv, &i, "input-spelling", &from) ||
        og_option_value(argc, argv, &i, "spelling", &to))
      continue;
    else if (og_option_flag(argv, i, "mlir-print-op-generic") || og_option_flag(argv, i, "generic"))
      r.generic = true;
    else if (og_option_flag(argv, i, "no-verify"))
      r.verify = false;
    else if (argv[i][0] == '-' && argv[i][1])
      return og_unknown_option("opt", argc, argv, i);
    else if (r.path)
      return og_usage_error("opt", "one file at a time: '%s' is a second one", argv[i]);
    else
      r.path = argv[i];
  if (from && !og_mlir_spelling_parse(og_text(from), &r.from))
    return og_usage_error("opt", "no spelling is called '%s': rfc, first, 19 and 22 are", from);
  if (to && !og_mlir_spelling_parse(og_text(to), &r.to))
    return og_usage_error("opt", "no spelling is called '%s': rfc, first, 19 and 22 are", to);
  if (!r.path)
    return og_usage_error("opt", "no file named");
  return run_request(&r);
}

const struct og_verb og_verb_opt = {
    "opt", "checks and prints MLIR of XeGPU kernels",
    "usage: offgrid opt [--spelling=S] [--input-spelling=S] [--generic] [--no-verify] [-o OUT] FILE\n\n"
    "Reads MLIR with the dialects builtin, func, gpu, scf, cf, arith, math, index, memref, vector and xegpu, checks it "
    "and\n"
    "prints it. XeGPU is read as its RFC writes it (rfc), as its first implementation did (first), and as MLIR 19 and "
    "22 do\n"
    "(19, 22); which one is seen from the text unless --input-spelling says it. docs/xegpu.md tells them apart.\n\n"
    "  --spelling=S        prints in this spelling: rfc, first, 19 or 22; otherwise in the file's own\n"
    "  --input-spelling=S  reads the file as this spelling\n"
    "  --generic           prints every operation in MLIR's generic form (also --mlir-print-op-generic)\n"
    "  --no-verify         prints what was read without checking it\n"
    "  -o OUT              writes there instead of to the standard output\n",
    run};
