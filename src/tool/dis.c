/* dis.c - `offgrid dis`: an object to a source that assembles to the same bytes, or bytes as text to instructions. */
#include "asm/disassemble.h"
#include "tool/disassemble.h"
#include "tool/tool.h"

#include <string.h>

static int run_object(const struct og_assemble_arguments *a, const struct og_dis_options *options) {
  struct og_diagnostics *d = og_diagnostics_new();
  struct og_arena *arena = og_arena_new();
  struct og_buffer bytes = {0}, out = {0};
  struct og_output output;
  const struct og_object *object =
      og_read_file(a->input, &bytes, d) ? og_object_read(arena, a->input, bytes.data, bytes.size, d) : NULL;
  if (object && og_output_open(&output, a->output ? a->output : "-", d)) {
    out.sink = output.file;
    bool ok = og_disassemble_object(object, options, &out, d);
    og_print(&out, output.file);
    og_output_close(&output, ok, d);
  }
  int code = og_finish(d);
  og_buffer_free(&bytes);
  og_buffer_free(&out);
  og_arena_free(arena);
  return code;
}

static int run(int argc, char **argv) {
  struct og_assemble_arguments a = {0};
  struct og_dis_options options = {0};
  bool hex = false;
  for (int i = 1; i < argc; i++) {
    int used = og_assemble_argument(&a, argc, argv, &i);
    if (used < 0)
      return og_usage_error("dis", "%s", a.problem);
    if (used)
      continue;
    if (og_option_flag(argv, i, "hex"))
      hex = true;
    else if (og_option_flag(argv, i, "show-encoding"))
      a.show_encoding = options.encoding = true;
    else if (og_option_flag(argv, i, "addresses"))
      options.addresses = options.encoding = true;
    else if (og_option_flag(argv, i, "l") || og_option_flag(argv, i, "line-numbers"))
      options.lines = true;
    else if (og_option_flag(argv, i, "symbolize"))
      continue; /* labels and symbols are always printed */
    else if (argv[i][0] == '-' && argv[i][1])
      return og_usage_error("dis", "unknown option '%s'", argv[i]);
    else if (a.input)
      return og_usage_error("dis", "more than one input: '%s' and '%s'", a.input, argv[i]);
    else
      a.input = argv[i];
  }
  if (!a.input)
    return og_usage_error("dis", "no input file");
  return hex ? og_disassemble_bytes(&a) : run_object(&a, &options);
}

const struct og_verb og_verb_dis = {
    "dis", "disassembles to a source that assembles to the same bytes",
    "usage: offgrid dis [-l] [--show-encoding] [--addresses] [-o OUT] FILE\n"
    "       offgrid dis --hex -mcpu=P [--show-encoding] [-o OUT] FILE\n\n"
    "Prints an object or a code object as a source: symbols, labels at branch targets, kernel descriptors as "
    "directives,\n"
    "metadata, data. What would not read back to the same bytes is printed as .long with the instruction in a "
    "comment.\n"
    "--hex reads bytes as text instead, \"0x01,0x02\".\n"
    "  --show-encoding  the words of each instruction in a comment\n"
    "  --addresses      its address too\n"
    "  -l               \"; file:line\" in front of what a source line became, where debug information tells\n\n"
    "A vISA binary comes out as its text.\n",
    run};
