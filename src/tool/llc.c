/* llc.c - `offgrid llc`: the compiler, called with the options of LLVM's llc. */
#include "tool/compile.h"
#include "tool/tool.h"

#include <string.h>

/* llc's options that change nothing here: LLVM's own checks, levels. */
static bool is_idle(char **argv, int i) {
  static const char *const flags[] = {"verify-machineinstrs", "O0", "O1", "O2", "O3", "O=0", "O=1", "O=2", "O=3",
                                      "asm-verbose", "asm-verbose=0", "asm-verbose=1"};
  for (size_t k = 0; k < OG_COUNT(flags); k++)
    if (og_option_flag(argv, i, flags[k]))
      return true;
  return false;
}

/* The input's name with another ending: what llc calls its output. */
static const char *named_after(const char *input, const char *ending, char *room, size_t size) {
  if (strcmp(input, "-") == 0)
    return "-";
  size_t length = strlen(input);
  if (length > 3 && (strcmp(input + length - 3, ".ll") == 0 || strcmp(input + length - 3, ".bc") == 0))
    length -= 3;
  snprintf(room, size, "%.*s%s", (int)length, input, ending);
  return room;
}

static int run(int argc, char **argv) {
  struct og_compilation r = {.to = OG_COMPILE_TO_ASSEMBLY, .options = {.relocatable = true, .functions = true}};
  const char *filetype = "asm", *version = NULL, *march = NULL, *memory = NULL;
  char name[4096];
  for (int i = 1; i < argc; i++)
    if (og_option_value(argc, argv, &i, "mtriple", &r.triple) ||
        og_option_value(argc, argv, &i, "mcpu", &r.processor) ||
        og_option_value(argc, argv, &i, "mattr", &r.features) || og_option_value(argc, argv, &i, "march", &march) ||
        og_option_value(argc, argv, &i, "filetype", &filetype) ||
        og_option_value(argc, argv, &i, "amdhsa-code-object-version", &version) ||
        og_option_value(argc, argv, &i, "memory-model", &memory) ||
        og_option_value(argc, argv, &i, "print-after", &r.options.print_after) || is_idle(argv, i) ||
        og_option_value(argc, argv, &i, "o", &r.out))
      continue;
    else if (argv[i][0] == '-' && argv[i][1])
      return og_unknown_option("llc", argc, argv, i);
    else if (r.path)
      return og_usage_error("llc", "one file at a time: '%s' is a second one", argv[i]);
    else
      r.path = argv[i];
  bool object = strcmp(filetype, "obj") == 0;
  if (!object && strcmp(filetype, "asm") != 0)
    return og_usage_error("llc", "-filetype is 'asm' or 'obj', not '%s'", filetype);
  if (march && strcmp(march, "amdgcn") != 0)
    return og_usage_error("llc", "-march is 'amdgcn', not '%s'", march);
  if (version && !og_cc_takes_version(version, &r.options))
    return og_usage_error("llc", "code object versions 3 to 6 are made, not '%s'%s", version,
                          og_cc_why_not_version(version));
  r.options.older_memory = memory && strcmp(memory, "older") == 0;
  if (memory && !r.options.older_memory)
    return og_usage_error("llc", "-memory-model is 'older' or not given, not '%s'", memory);
  if (r.options.print_after && !og_cc_is_pass(og_text(r.options.print_after)))
    return og_usage_error("llc", "no pass is called '%s'", r.options.print_after);
  if (object)
    r.to = OG_COMPILE_TO_CODE;
  if (!r.path)
    r.path = "-";
  if (!r.out)
    r.out = named_after(r.path, object ? ".o" : ".s", name, sizeof name);
  return og_compile_file(&r);
}

const struct og_verb og_verb_llc = {
    "llc", "compiles LLVM IR to assembly or an object, called as LLVM's llc",
    "usage: offgrid llc [-mtriple=T] -mcpu=PROCESSOR [-mattr=FEATURES] [-filetype=asm|obj] [-O0..-O3] [-o OUT] [FILE]\n\n"
    "The compiler of 'offgrid cc' with the options of LLVM's llc: assembly that 'offgrid as' and llvm-mc read, or a\n"
    "relocatable object. Without FILE it reads standard input and writes standard output; else the output is named\n"
    "after it, with .s or .o.\n"
    "  -mtriple=T                       in place of the module's\n"
    "  -amdhsa-code-object-version=N    3 to 6, in place of the module's\n"
    "  -memory-model=older              as of 'offgrid cc'\n"
    "  -print-after=PASS                as of 'offgrid cc'\n"
    "-O0 to -O3, -verify-machineinstrs and -asm-verbose are taken and make no difference.\n",
    run};
