/* mc.c - `offgrid mc`: the assembler and disassembler through llvm-mc's options. */
#include "tool/assemble.h"
#include "tool/disassemble.h"
#include "tool/tool.h"

#include <string.h>

/* Options of llvm-mc that change nothing here. */
static bool ignored(char **argv, int i) {
  static const char *const flags[] = {"n", "assemble", "show-inst", "no-exec-stack", "save-temp-labels", "asm-show-inst", "mc-relax-all", "dwarf64"};
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
    if (og_option_flag(argv, i, flags[k]))
      return true;
  return !strncmp(argv[i], "-output-asm-variant", 19) || !strncmp(argv[i], "--output-asm-variant", 20);
}

static int run(int argc, char **argv) {
  struct og_assemble_arguments a = {.mode = OG_ASSEMBLE_TEXT};
  bool disassemble = false;
  for (int i = 1; i < argc; i++) {
    const char *value;
    int used = og_assemble_argument(&a, argc, argv, &i);
    if (used < 0)
      return og_usage_error("mc", "%s", a.problem);
    if (used || ignored(argv, i))
      continue;
    if (og_option_value(argc, argv, &i, "arch", &value) || og_option_value(argc, argv, &i, "march", &value)) {
      if (strcmp(value, "amdgcn"))
        return og_usage_error("mc", "unknown architecture '%s': only amdgcn", value);
      a.triple = a.triple ? a.triple : "amdgcn--";
    } else if (og_option_value(argc, argv, &i, "filetype", &value)) {
      a.mode = !strcmp(value, "obj") ? OG_ASSEMBLE_OBJECT : !strcmp(value, "null") ? OG_ASSEMBLE_NOTHING : OG_ASSEMBLE_TEXT;
    } else if (og_option_flag(argv, i, "show-encoding")) {
      a.show_encoding = true;
    } else if (og_option_flag(argv, i, "disassemble")) {
      disassemble = true;
    } else if (og_option_flag(argv, i, "g")) {
      a.debug = true;
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return og_usage_error("mc", "unknown option '%s'", argv[i]);
    } else if (a.input) {
      return og_usage_error("mc", "more than one input: '%s' and '%s'", a.input, argv[i]);
    } else {
      a.input = argv[i];
    }
  }
  a.input = a.input ? a.input : "-";
  return disassemble ? og_disassemble_bytes(&a) : og_assemble_run(&a);
}

const struct og_verb og_verb_mc = {
    "mc", "assembles or disassembles with llvm-mc's options",
    "usage: offgrid mc [-arch=amdgcn] [-triple=T] [-mcpu=P] [-mattr=F] [-show-encoding] [-filetype=asm|obj|null]\n"
    "                  [-disassemble] [-defsym=S=V] [-I DIR] [-o OUT] [FILE]\n\n"
    "Takes what llvm-mc takes and prints what it prints: canonical text by default, with -filetype=obj an object.\n"
    "-disassemble reads bytes as text, \"0x01,0x02\" or \"[0x01,0x02]\", one instruction to a line or more.\n"
    "Without FILE it reads standard input.\n",
    run};
