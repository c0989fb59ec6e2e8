/* dis.c - `offgrid dis`: turns an object, one in a bundle, or machine code into a source that assembles to the same
 * bytes; turns bytes written as text into instructions. */
#include "inspect/disassemble.h"
#include "tool/disassemble.h"
#include "base/mapped.h"
#include "tool/tool.h"

#include <string.h>

/* Makes an object that holds nothing but this machine code. */
static struct og_object *code_only(struct og_arena *arena, const char *name, const struct og_target *target,
                                   const struct og_buffer *bytes) {
  struct og_object *object = og_object_new(arena, target, 6);
  object->name = name;
  uint32_t text = og_object_add_section(object, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 4);
  object->sections.items[text].data = bytes->data;
  object->sections.items[text].size = bytes->size;
  return object;
}

/* The only code object inside, or the one that -mcpu names, by processor or by the end of its id ("gfx906:xnack+"). */
static struct og_object *carried(struct og_arena *arena, const struct og_assemble_arguments *a,
                                 const struct og_buffer *bytes, struct og_diagnostics *d) {
  struct og_bundle chosen;
  if (!og_carried_code(arena, a->input, bytes->data, bytes->size, a->mcpu, &chosen, d))
    return NULL;
  const struct og_bundle_entry *entry = &chosen.entries.items[0];
  if (chosen.entries.count == 1)
    return og_object_read(arena, entry->id, entry->data, entry->size, d);
  og_error_in(d, a->input, "%u code objects for that target inside; 'offgrid unbundle' takes them out",
              chosen.entries.count);
  return NULL;
}

/* The object that the file is or carries; `target` is the one of -mcpu and -mattr, or NULL. */
static struct og_object *open_input(struct og_arena *arena, const struct og_assemble_arguments *a,
                                    const struct og_buffer *bytes, const struct og_target **target,
                                    struct og_diagnostics *d) {
  bool elf = og_is_elf(bytes->data, bytes->size);
  struct og_target *own = OG_NEW(arena, struct og_target), *chosen = OG_NEW(arena, struct og_target);
  *target = NULL;
  if (og_carries_code(bytes->data, bytes->size))
    return carried(arena, a, bytes, d);
  struct og_object *object = elf ? og_object_read(arena, a->input, bytes->data, bytes->size, d) : NULL;
  if (elf && (!object || (!a->mcpu && !a->mattr)))
    return object;
  if (!elf && !a->mcpu) {
    og_error_in(d, a->input, "no object and no offload bundle; -mcpu=PROCESSOR reads it as machine code");
    return NULL;
  }
  struct og_assemble_arguments choice = *a;
  if (!a->mcpu && og_target_from_e_flags(own, object->os_abi, object->abi_version, object->flags))
    choice.mcpu = own->processor->name;
  if (!og_assemble_target(&choice, chosen, d))
    return NULL;
  *target = chosen;
  return elf ? object : code_only(arena, a->input, chosen, bytes);
}

static int run_object(const struct og_assemble_arguments *a, struct og_dis_options *options) {
  struct og_diagnostics *d = og_diagnostics_new();
  struct og_arena *arena = og_arena_new();
  struct og_mapped_file file;
  struct og_buffer out = {0};
  struct og_output output;
  const struct og_object *object =
      og_open_input(a->input, &file, d) ? open_input(arena, a, &file.bytes, &options->target, d) : NULL;
  if (object && og_output_open(&output, a->output ? a->output : "-", d)) {
    out.sink = output.file;
    bool ok = og_disassemble_object(object, options, &out, d);
    og_print(&out, output.file);
    og_output_close(&output, ok, d);
  }
  int code = og_finish(d);
  og_mapped_file_free(&file);
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
      continue; /* accepted: labels and symbols are always printed */
    else if (argv[i][0] == '-' && argv[i][1])
      return og_unknown_option("dis", argc, argv, i);
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
    "usage: offgrid dis [-mcpu=P] [-mattr=F] [-l] [--show-encoding] [--addresses] [-o OUT] FILE\n"
    "       offgrid dis --hex -mcpu=P [-mattr=F] [--show-encoding] [-o OUT] FILE\n\n"
    "Prints an object or a code object as a source: symbols, labels at branch targets, kernel descriptors as "
    "directives,\n"
    "metadata, data. What would not read back to the same bytes is printed as .long with the instruction in a "
    "comment.\n"
    "A file that is no object is machine code for the processor that -mcpu names.\n"
    "  -mcpu=P          reads an object's code as another processor's; of an offload bundle or host executable with\n"
    "                   several code objects: which of them, by processor or by the end of its id (gfx906:xnack+)\n"
    "  -mattr=+f,-g     features, such as +wavefrontsize64, which an object does not tell\n"
    "  --hex            reads bytes as text, \"0x01,0x02\"\n"
    "  --show-encoding  the words of each instruction in a comment\n"
    "  --addresses      its address too\n"
    "  -l               \"; file:line\" in front of what a source line became, where debug information tells\n\n"
    "A vISA binary comes out as its text.\n",
    run};
