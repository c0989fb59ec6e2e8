/* mc.c - `offgrid mc`: the assembler and disassembler through llvm-mc's options. */
#include "tool/assemble.h"
#include "tool/disassemble.h"
#include "tool/tool.h"

#include <stdio.h>
#include <string.h>

/* llvm-mc's options that change nothing here. */
static bool ignored(int argc, char **argv, int *i) {
  static const char *const flags[] = {"assemble",
                                      "no-exec-stack",
                                      "save-temp-labels",
                                      "mc-relax-all",
                                      "dwarf64",
                                      "preserve-comments",
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
                                      "color"};
  static const char *const valued[] = {"output-asm-variant",
                                       "compress-debug-sections",
                                       "main-file-name",
                                       "fdebug-compilation-dir",
                                       "fdebug-prefix-map",
                                       "target-abi",
                                       "code-model",
                                       "relocation-model",
                                       "runs"};
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

/* Wrong usage gives exit code 1 here, as in llvm-mc. */
#define WRONG(...) (og_usage_error("mc", __VA_ARGS__), OG_EXIT_INPUT)

static bool warnings_option(char **argv, int i, enum og_warnings *warnings) {
  if (og_option_flag(argv, i, "no-warn") || og_option_flag(argv, i, "W"))
    return *warnings = OG_WARNINGS_DROPPED, true;
  return og_option_flag(argv, i, "fatal-warnings") && (*warnings = OG_WARNINGS_ARE_ERRORS, true);
}

/* -mcpu=help, -mattr=help: prints what there is, and the work continues. */
static void list_known(const struct og_assemble_arguments *a) {
  bool wanted = (a->mcpu && !strcmp(a->mcpu, "help")) || (a->mattr && !strcmp(a->mattr, "help"));
  if (!wanted)
    return;
  fputs("Available CPUs for this target:\n\n", stderr);
  for (size_t i = 0; i < og_processor_count(); i++)
    fprintf(stderr, "  %-15s - Select the %s processor.\n", og_processor_at(i)->name, og_processor_at(i)->name);
  fputs("\nAvailable features for this target:\n\n", stderr);
  for (size_t i = 0; i < og_feature_count(); i++)
    fprintf(stderr, "  %s\n", og_feature_name((int)i));
  fputs("\nUse +feature to enable a feature, or -feature to disable it.\n"
        "For example, offgrid mc -mcpu=mycpu -mattr=+feature1,-feature2\n",
        stderr);
}

/* llvm-mc's options that are refused: what they print consists of LLVM's own numbers and tokens. */
static const char *refused(char **argv, int i) {
  static const struct {
    const char *name, *why;
  } options[] = {{"show-inst", "prints LLVM's internal numbers of instructions, which are not known here"},
                 {"asm-show-inst", "prints LLVM's internal numbers of instructions, which are not known here"},
                 {"as-lex", "prints the tokens of LLVM's lexer, which there are none of here"}};
  for (size_t k = 0; k < sizeof options / sizeof *options; k++)
    if (og_option_flag(argv, i, options[k].name))
      return options[k].why;
  return NULL;
}

static bool file_type(const char *value, enum og_assemble_mode *mode) {
  static const struct {
    const char *name;
    enum og_assemble_mode mode;
  } types[] = {{"asm", OG_ASSEMBLE_TEXT}, {"null", OG_ASSEMBLE_NOTHING}, {"obj", OG_ASSEMBLE_OBJECT}};
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
    if (refused(argv, i))
      return WRONG("'%s' is not supported: it %s", argv[i], refused(argv, i));
    if (used || warnings_option(argv, i, &a.warnings) || ignored(argc, argv, &i))
      continue;
    if (og_option_value(argc, argv, &i, "arch", &value) || og_option_value(argc, argv, &i, "march", &value)) {
      if (strcmp(value, "amdgcn"))
        return WRONG("invalid target '%s': only amdgcn", value);
      a.triple = a.triple ? a.triple : "amdgcn--";
    } else if (og_option_value(argc, argv, &i, "filetype", &value)) {
      if (!file_type(value, &a.mode))
        return WRONG("for the --filetype option: Cannot find option named '%s'! There are asm, null and obj", value);
    } else if (og_option_value(argc, argv, &i, "dwarf-version", &value)) {
      a.dwarf_version = strlen(value) == 1 ? value[0] - '0' : 0;
      if (a.dwarf_version < 2 || a.dwarf_version > 5)
        return WRONG("for the --dwarf-version option: '%s' is not 2 to 5", value);
    } else if (og_option_flag(argv, i, "show-encoding")) {
      a.show_encoding = true;
    } else if (og_option_flag(argv, i, "n")) {
      a.no_first_section = true;
    } else if (og_option_flag(argv, i, "disassemble") || og_option_flag(argv, i, "d") ||
               og_option_flag(argv, i, "mdis") || og_option_flag(argv, i, "cdis")) {
      disassemble = true;
    } else if (og_option_flag(argv, i, "hex")) {
      a.hex = true;
    } else if (og_option_flag(argv, i, "version")) {
      puts("offgrid " OG_VERSION);
      return OG_EXIT_OK;
    } else if (og_option_flag(argv, i, "g")) {
      a.debug = true;
    } else if (argv[i][0] == '-' && argv[i][1]) {
      bool known = og_option_flag(argv, i, "o") || og_option_flag(argv, i, "mcpu") || og_option_flag(argv, i, "triple");
      return known ? WRONG("for the %s option: requires a value!", argv[i])
                   : WRONG("Unknown command line argument '%s'.", argv[i]);
    } else if (a.input) {
      return WRONG("Too many positional arguments specified! There are '%s' and '%s'", a.input, argv[i]);
    } else {
      a.input = argv[i];
    }
  }
  a.input = a.input ? a.input : "-";
  list_known(&a);
  a.mcpu = a.mcpu && !strcmp(a.mcpu, "help") ? NULL : a.mcpu;
  a.mattr = a.mattr && !strcmp(a.mattr, "help") ? NULL : a.mattr;
  return disassemble ? og_disassemble_bytes(&a) : og_assemble_run(&a);
}

const struct og_verb og_verb_mc = {
    "mc", "assembles or disassembles with llvm-mc's options",
    "usage: offgrid mc [-arch=amdgcn] [-triple=T] [-mcpu=P] [-mattr=F] [-show-encoding] [-filetype=asm|obj|null]\n"
    "                  [-disassemble] [-defsym=S=V] [-I DIR] [-o OUT] [FILE]\n\n"
    "Takes what llvm-mc takes and prints what it prints: canonical text by default, with -filetype=obj an object.\n"
    "-disassemble (or -mdis, -cdis) reads bytes as text, \"0x01,0x02\" or \"[0x01,0x02]\", with -hex \"0102\", one\n"
    "instruction to a line or more; text that is no byte is reported without a failure, as by llvm-mc. -no-warn drops\n"
    "warnings, -fatal-warnings makes them errors, -mcpu=help and -mattr=help list processors and features.\n"
    "-dwarf-version=2 to 5 is that of the table that .loc makes; -g makes one of DWARF 5.\n"
    "Without -mcpu, or with a processor it does not know, it takes the first generation's instructions.\n"
    "Without FILE it reads standard input.\n",
    run};
