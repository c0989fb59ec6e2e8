/* assemble.c - what `as` and `mc` share. */
#include "tool/assemble.h"

#include "asm/asm.h"
#include "base/mapped.h"
#include "tool/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int add(struct og_assemble_arguments *a, const char **list, size_t *count, const char *value) {
  if (*count == OG_ASSEMBLE_LIST)
    return a->problem = "too many -I or -D options", -1;
  list[(*count)++] = value;
  return 1;
}

/* Also takes "-Ifoo" for "-I foo". */
static bool joined(int argc, char **argv, int *index, const char *name, const char **value) {
  size_t size = strlen(name);
  if (strncmp(argv[*index], name, size) || (argv[*index][1] == '-'))
    return false;
  if (argv[*index][size]) {
    *value = argv[*index] + size + (argv[*index][size] == '=');
    return true;
  }
  if (*index + 1 >= argc)
    return false;
  *value = argv[++*index];
  return true;
}

int og_assemble_argument(struct og_assemble_arguments *a, int argc, char **argv, int *index) {
  const char *value;
  if (og_option_value(argc, argv, index, "triple", &a->triple) ||
      og_option_value(argc, argv, index, "mcpu", &a->mcpu) || og_option_value(argc, argv, index, "o", &a->output))
    return 1;
  if (og_option_value(argc, argv, index, "mattr", &value)) {
    size_t used = strlen(a->attributes);
    if ((size_t)snprintf(a->attributes + used, sizeof a->attributes - used, "%s%s", used ? "," : "", value) >=
        sizeof a->attributes - used)
      return a->problem = "too many -mattr options", -1;
    a->mattr = a->attributes;
    return 1;
  }
  if (og_option_value(argc, argv, index, "mcode-object-version", &value) ||
      og_option_value(argc, argv, index, "amdhsa-code-object-version", &value)) {
    a->version = atoi(value);
    return a->version >= 2 && a->version <= 6 ? 1 : (a->problem = "-mcode-object-version: 2 to 6", -1);
  }
  if (og_option_value(argc, argv, index, "defsym", &value))
    return strchr(value, '=') ? add(a, a->definitions, &a->definition_count, value)
                              : (a->problem = "error: defsym must be of the form: sym=value: it has no =", -1);
  if (joined(argc, argv, index, "-D", &value))
    return add(a, a->definitions, &a->definition_count, value);
  if (joined(argc, argv, index, "-I", &value))
    return add(a, a->include_paths, &a->include_path_count, value);
  return 0;
}

const char *og_output_name(const char *input, const char *ending) {
  static char name[4096];
  if (!strcmp(input, "-"))
    return "-";
  const char *dot = strrchr(input, '.'), *slash = strrchr(input, '/');
  int stem = dot && (!slash || dot > slash) ? (int)(dot - input) : (int)strlen(input);
  snprintf(name, sizeof name, "%.*s%s", stem, input, ending);
  return name;
}

bool og_assemble_target(const struct og_assemble_arguments *a, struct og_target *target, struct og_diagnostics *d) {
  const char *mcpu = a->mcpu;
  if (a->any_processor && mcpu && !og_find_processor(og_text(mcpu))) {
    og_report(d, OG_SEVERITY_WARNING, (struct og_range){0},
              "'%s' is not a recognized processor for this target (ignoring processor)", mcpu);
    mcpu = NULL;
  }
  return og_target_parse(target, a->triple, !mcpu && a->any_processor ? "gfx600" : mcpu, a->mattr, d);
}

static bool choose_target(const struct og_assemble_arguments *a, const struct og_buffer *text, struct og_target *target,
                          struct og_diagnostics *d) {
  struct og_text id = a->mcpu ? (struct og_text){0} : og_asm_target_in((const char *)text->data, text->size);
  if (id.size)
    return og_target_parse_id(target, id, d) && og_target_refine(target, a->triple, a->mattr, d);
  return og_assemble_target(a, target, d);
}

static bool write_result(const struct og_assemble_arguments *a, const struct og_object *object,
                         struct og_buffer *listing, struct og_diagnostics *d) {
  const char *output = a->output ? a->output : "-";
  if (a->mode == OG_ASSEMBLE_TEXT)
    return og_write_file(output, listing->data, listing->size, d);
  struct og_buffer bytes = {0};
  bool ok = a->mode == OG_ASSEMBLE_NOTHING ||
            (og_object_write(object, &bytes, d) && og_write_file(output, bytes.data, bytes.size, d));
  og_buffer_free(&bytes);
  return ok;
}

int og_assemble_run(const struct og_assemble_arguments *a) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_arena *arena = og_arena_new();
  struct og_mapped_file text = {0};
  struct og_buffer listing = {0}, printed = {0};
  og_diagnostics_warnings(diagnostics, a->warnings);
  struct og_asm_options options = {.code_object_version = a->version ? a->version : 6,
                                   .version_open = !a->version && !a->any_processor,
                                   .include_paths = a->include_paths,
                                   .include_path_count = a->include_path_count,
                                   .definitions = a->definitions,
                                   .definition_count = a->definition_count,
                                   .listing = a->mode == OG_ASSEMBLE_TEXT ? &listing : NULL,
                                   .printed = &printed,
                                   .show_encoding = a->show_encoding,
                                   .no_first_section = a->no_first_section,
                                   .dwarf_version = a->dwarf_version,
                                   .debug = a->debug,
                                   .exact_target = a->any_processor && a->mcpu,
                                   .no_object = a->mode != OG_ASSEMBLE_OBJECT,
                                   .embed_source = a->embed_source};
  if (og_open_input(a->input, &text, diagnostics) && choose_target(a, &text.bytes, &options.target, diagnostics)) {
    struct og_object *object = og_assemble(arena, &options, strcmp(a->input, "-") ? a->input : "<stdin>",
                                           (const char *)text.bytes.data, text.bytes.size, diagnostics);
    og_print(&printed, stdout);
    fflush(stdout);
    if (object)
      write_result(a, object, &listing, diagnostics);
    else if (a->mode == OG_ASSEMBLE_TEXT && listing.size) /* as llvm-mc does: prints what could be assembled */
      og_write_file(a->output ? a->output : "-", listing.data, listing.size, diagnostics);
  }
  int code = og_finish(diagnostics);
  og_mapped_file_free(&text);
  og_buffer_free(&listing);
  og_buffer_free(&printed);
  og_arena_free(arena);
  return code;
}
