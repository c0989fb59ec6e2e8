/* cc.c - `offgrid cc`: compiles LLVM IR to a code object, or reads and prints it; compiles kernels in MLIR to vISA or a
 * code object. */
#include "tool/compile.h"
#include "tool/run_command.h"
#include "tool/tool.h"

#include <string.h>
#include <stdlib.h>

/* Reads a gap in bytes; true without a text. */
static bool parse_gap(const char *text, uint32_t *bytes) {
  enum { MOST = 65536 };
  char *end;
  if (!text)
    return true;
  unsigned long long value = strtoull(text, &end, 0);
  *bytes = (uint32_t)value;
  return *text >= '0' && *text <= '9' && !*end && value <= MOST;
}

static int run(int argc, char **argv) {
  struct og_compilation r = {0};
  bool text = false, level = false;
  const char *version = NULL, *lds_gap = NULL, *frame_gap = NULL, *memory = NULL;
  for (int i = 1; i < argc; i++)
    if (og_option_value(argc, argv, &i, "o", &r.out) || og_option_value(argc, argv, &i, "mcpu", &r.processor) ||
        og_option_value(argc, argv, &i, "mattr", &r.features) || og_option_value(argc, argv, &i, "kernel", &r.kernel) ||
        og_option_value(argc, argv, &i, "mcode-object-version", &version) ||
        og_option_value(argc, argv, &i, "lds-gap", &lds_gap) ||
        og_option_value(argc, argv, &i, "frame-gap", &frame_gap) ||
        og_option_value(argc, argv, &i, "memory-model", &memory) ||
        og_option_value(argc, argv, &i, "print-after", &r.options.print_after))
      continue;
    else if (og_option_flag(argv, i, "emit-llvm"))
      r.to = OG_COMPILE_TO_IR;
    else if (og_option_flag(argv, i, "S"))
      text = true;
    else if (og_option_flag(argv, i, "c"))
      r.options.relocatable = true;
    else if (og_option_flag(argv, i, "O0") || og_option_flag(argv, i, "O1") || og_option_flag(argv, i, "O2") ||
             og_option_flag(argv, i, "O3"))
      level = true; /* accepted: there is one way of compiling, whatever the level */
    else if (argv[i][0] == '-' && argv[i][1])
      return og_unknown_option("cc", argc, argv, i);
    else if (r.path)
      return og_usage_error("cc", "one file at a time: '%s' is a second one", argv[i]);
    else
      r.path = argv[i];
  (void)level;
  if (!r.path)
    return og_usage_error("cc", "no file named");
  if (version && !og_cc_takes_version(version, &r.options))
    return og_usage_error("cc", "code object versions 3 to 6 are made, not '%s'%s", version,
                          og_cc_why_not_version(version));
  if (!parse_gap(lds_gap, &r.options.lds_gap))
    return og_usage_error("cc", "-lds-gap expects bytes, at most 65536, not '%s'", lds_gap);
  if (!parse_gap(frame_gap, &r.options.frame_gap))
    return og_usage_error("cc", "-frame-gap expects bytes, at most 65536, not '%s'", frame_gap);
  bool print_ir = r.to == OG_COMPILE_TO_IR;
  if (print_ir != text && !og_run_is_mlir(r.path))
    return og_usage_error("cc", print_ir ? "-emit-llvm needs -S: IR is printed as text"
                                           : "-S writes no assembly: 'offgrid llc' does");
  r.options.older_memory = memory && strcmp(memory, "older") == 0;
  if (memory && !r.options.older_memory)
    return og_usage_error("cc", "-memory-model is 'older' or not given, not '%s'", memory);
  if (r.options.print_after && !og_cc_is_pass(og_text(r.options.print_after)))
    return og_usage_error("cc", "no pass is called '%s'", r.options.print_after);
  if (!r.out)
    r.out = print_ir || (og_run_is_mlir(r.path) && !r.processor) ? "-" : "a.out";
  return og_compile_file(&r);
}

const struct og_verb og_verb_cc = {
    "cc", "compiles LLVM IR to a code object, or checks and prints it",
    "usage: offgrid cc -mcpu=PROCESSOR [-mattr=FEATURES] [-mcode-object-version=N] [-c] [-lds-gap=BYTES]\n"
    "                  [-frame-gap=BYTES] [-memory-model=older] [-print-after=PASS] [-o OUT] FILE\n"
    "       offgrid cc -emit-llvm -S [-o OUT] FILE\n\n"
    "Compiles the kernels in LLVM IR, text or bitcode of clang 15 to 22, to a linked code object (with -c a "
    "relocatable\n"
    "object), a.out unless -o says where. What it does not compile yet is an error that says what and where;\n"
    "docs/compiler.md lists what it does. -O0 to -O3 are taken and make no difference.\n"
    "-mcode-object-version=3 to 6 is made, in place of the module's (5 where it says nothing; HIP before 5.3 needs "
    "4).\n"
    "-lds-gap=BYTES leaves so many bytes or more between variables in LDS: with debug information, `offgrid check` "
    "then finds\n"
    "accesses that run over one's end (docs/checkers.md). -frame-gap=BYTES does so behind each variable in a kernel's "
    "private memory.\n"
    "-memory-model=older orders memory by the compute ABI of 2016 for gfx7 and gfx8 (docs/memory-model.md), not by the user "
    "guide.\n"
    "-print-after=PASS prints the module after a pass over its IR: inline, constants, expand, unroll, simplify, promote,\n"
    "scalarize, fat, simplify2, prune, simplify3, offsets, cse, loads, prune2, hoist, reduce, calls, waterfalls; or each\n"
    "function after one over its code: flow, places, waterfall, inputs, control, select, combine, dead, values, cluster,\n"
    "coalesce, schedule, registers, frame, jumps, assembly, forms, holds, dual, waits, hazards, clauses, delays.\n"
    "FILE.mlir: kernels of XeGPU, or --kernel=NAME alone, become vISA for pvc, as text; with -mcpu=gfx90a, gfx942 or "
    "gfx1100\n"
    "LLVM IR (-emit-llvm -S prints it), which is compiled to a code object; docs/xegpu.md tells how they are "
    "launched.\n"
    "-emit-llvm -S reads IR, checks it and prints it as LLVM 22 does (typed pointers become ptr).\n"
    "Errors are told as clang tells them.\n",
    run};
