/* mc.c - `offgrid mc`: the assembler and disassembler through llvm-mc's options. */
#include "tool/assemble.h"
#include "tool/disassemble.h"
#include "tool/tool.h"

#include <string.h>

/* Options of llvm-mc that change nothing here. */
static bool ignored(int argc, char **argv, int *i) {
  static const char *const flags[] = {"n",
                                      "assemble",
                                      "show-inst",
                                      "no-exec-stack",
                                      "save-temp-labels",
                                      "asm-show-inst",
                                      "mc-relax-all",
                                      "dwarf64",
                                      "preserve-comments",
                                      "no-warn",
                                      "W",
                                      "fatal-warnings",
                                      "print-imm-hex",
                                      "position-independent",
                                      "large-code-model",
                                      "incremental-linker-compatible",
                                      "validate-cfi",
                                      "x86-relax-relocations",
                                      "crel",
                                      "implicit-mapsyms",
                                      "masm-integers",
                                      "masm-hexfloats",
                                      "no-deprecated-warn",
                                      "color",
                                      "hex"};
  static const char *const valued[] = {"output-asm-variant", "compress-debug-sections", "dwarf-version", "main-file-name", "fdebug-compilation-dir",
      "fdebug-prefix-map", "target-abi", "code-model", "relocation-model", "runs"};
  const char *value;
  for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
    if (og_option_flag(argv, *i, flags[k]))
      return true;
  for (size_t k = 0; k < sizeof valued / sizeof *valued; k++) {
    const char *arg = argv[*i] + (argv[*i][1] == '-' ? 2 : 1);
    if (argv[*i][0] == '-' &&
        (!strcmp(arg, "compress-debug-sections") || og_option_value(argc, argv, i, valued[k], &value)))
      return true;
  }
  return false;
}

/* Wrong usage is exit code 1 here, as it is llvm-mc's. */
#define WRONG(...) (og_usage_error("mc", __VA_ARGS__), OG_EXIT_INPUT)

static bool file_type(const char *value, enum og_assemble_mode *mode) {
  static const struct { const char *name; enum og_assemble_mode mode; } types[] = {{"asm", OG_ASSEMBLE_TEXT}, {"null", OG_ASSEMBLE_NOTHING}, {"obj", OG_ASSEMBLE_OBJECT}};
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (!strcmp(value, types[i].name))
      return *mode = types[i].mode, true;
  return false;
}

static int run(int argc, char **argv) {
  struct og_assemble_arguments a = {.mode = OG_ASSEMBLE_TEXT, .any_processor = true};
  bool disassemble = false;
  for (int i = 1; i < argc; i++) {
    const char *value;
    int used = og_assemble_argument(&a, argc, argv, &i);
    if (used < 0)
      return WRONG("%s", a.problem);
    if (used || ignored(argc, argv, &i))
      continue;
    if (og_option_value(argc, argv, &i, "arch", &value) || og_option_value(argc, argv, &i, "march", &value)) {
      if (strcmp(value, "amdgcn"))
        return WRONG("invalid target '%s': only amdgcn", value);
      a.triple = a.triple ? a.triple : "amdgcn--";
    } else if (og_option_value(argc, argv, &i, "filetype", &value)) {
      if (!file_type(value, &a.mode))
        return WRONG("-filetype: cannot find option named '%s': asm, null or obj", value);
    } else if (og_option_flag(argv, i, "show-encoding")) {
      a.show_encoding = true;
    } else if (og_option_flag(argv, i, "disassemble") || og_option_flag(argv, i, "d")) {
      disassemble = true;
    } else if (og_option_flag(argv, i, "g")) {
      a.debug = true;
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return WRONG("unknown option '%s'", argv[i]);
    } else if (a.input) {
      return WRONG("more than one input: '%s' and '%s'", a.input, argv[i]);
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
    "Without -mcpu, or with a processor it does not know, it takes the first generation's instructions.\n"
    "Without FILE it reads standard input.\n",
    run};
