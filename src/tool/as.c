/* as.c - `offgrid as`: turns assembly into a relocatable object, or into canonical text with encodings. */
#include "asm/asm.h"
#include "tool/assemble.h"
#include "tool/tool.h"

#include <stdio.h>
#include <string.h>

static int run(int argc, char **argv) {
  struct og_assemble_arguments a = {.mode = OG_ASSEMBLE_OBJECT};
  for (int i = 1; i < argc; i++) {
    int used = og_assemble_argument(&a, argc, argv, &i);
    if (used < 0)
      return og_usage_error("as", "%s", a.problem);
    if (used)
      continue;
    if (og_option_flag(argv, i, "show-encoding"))
      a.mode = OG_ASSEMBLE_TEXT, a.show_encoding = true;
    else if (og_option_flag(argv, i, "g"))
      a.debug = true;
    else if (og_option_flag(argv, i, "gembed-source"))
      a.debug = a.embed_source = true;
    else if (argv[i][0] == '-' && argv[i][1])
      return og_unknown_option("as", argc, argv, i);
    else if (a.input)
      return og_usage_error("as", "more than one input: '%s' and '%s'", a.input, argv[i]);
    else
      a.input = argv[i];
  }
  if (!a.input)
    return og_usage_error("as", "no input file");
  if (!a.output && a.mode == OG_ASSEMBLE_OBJECT)
    a.output = og_output_name(a.input, ".o");
  return og_assemble_run(&a);
}

const struct og_verb og_verb_as = {
    "as", "assembles to a relocatable object",
    "usage: offgrid as [options] FILE\n\n"
    "Assembles FILE ('-' is standard input) to a relocatable object, FILE with the ending .o unless -o says "
    "otherwise.\n"
    "  -triple=T                  amdgcn-amd-amdhsa unless given; also amdgcn-amd-amdpal, amdgcn-mesa-mesa3d, "
    "amdgcn--\n"
    "  -mcpu=P                    processor; unless given, the source's .amdgcn_target says it\n"
    "  -mattr=+f,-g               features\n"
    "  -mcode-object-version=N    2 to 6; unless given, 6, or 2 for a source with directives of V2\n"
    "  -I DIR                     where .include and .incbin look\n"
    "  -D SYMBOL[=VALUE]          defines a symbol\n"
    "  -g                         DWARF line tables of the sources\n"
    "  -gembed-source             and the text of the sources with them\n"
    "  --show-encoding            prints the canonical text with the bytes of each instruction instead\n"
    "  -o FILE                    output; '-' is standard output\n\n"
    "A vISA text becomes a binary with the ending .isa; -mcpu names its platform: skl, tgllp, dg2 or pvc.\n",
    run};
