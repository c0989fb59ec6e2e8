/* ld.c - `offgrid ld`: relocatable objects and archives to one loadable code object. */
#include "tool/tool.h"

#include <stdio.h>
#include <string.h>

#include "object/object.h"

/* Options of ld.lld that say what happens here anyway. */
static bool is_ignored(char **argv, int i) {
  static const char *const flags[] = {
      "shared",    "no-undefined",   "eh-frame-hdr", "whole-archive",     "no-whole-archive", "start-group",
      "end-group", "no-gc-sections", "Bsymbolic",    "no-dynamic-linker", "start-lib",        "end-lib",
      "pie",       "export-dynamic"};
  for (size_t k = 0; k < OG_COUNT(flags); k++)
    if (og_option_flag(argv, i, flags[k]))
      return true;
  return strncmp(argv[i], "-plugin-opt", 11) == 0 || strncmp(argv[i], "--lto", 5) == 0 ||
         strncmp(argv[i], "-O", 2) == 0 || strncmp(argv[i], "--hash-style", 12) == 0 || strncmp(argv[i], "-m", 2) == 0;
}

struct arguments {
  struct og_link_options options;
  const char *output;
  const char **files, **keep;
  size_t file_count, keep_count;
};

static int parse(int argc, char **argv, struct arguments *a) {
  for (int i = 1; i < argc; i++) {
    const char *value;
    if (og_option_flag(argv, i, "gc-sections"))
      a->options.gc_sections = true;
    else if (og_option_flag(argv, i, "build-id") || strncmp(argv[i], "--build-id=", 11) == 0)
      a->options.build_id = strcmp(argv[i], "--build-id=none") != 0;
    else if (og_option_flag(argv, i, "allow-undefined"))
      a->options.allow_undefined = true;
    else if (strcmp(argv[i], "-m") == 0 && i + 1 < argc)
      i++;
    else if (is_ignored(argv, i))
      continue;
    else if (og_option_value(argc, argv, &i, "o", &value))
      a->output = value;
    else if (og_option_value(argc, argv, &i, "u", &value) || og_option_value(argc, argv, &i, "undefined", &value))
      a->keep[a->keep_count++] = value;
    else if (argv[i][0] == '-' && argv[i][1])
      return og_unknown_option("ld", argc, argv, i);
    else
      a->files[a->file_count++] = argv[i];
  }
  return a->file_count ? OG_EXIT_OK : og_usage_error("ld", "no input files");
}

static bool link_files(struct og_arena *arena, struct arguments *a, struct og_diagnostics *diagnostics) {
  struct og_link_input *inputs = OG_NEW_ARRAY(arena, struct og_link_input, a->file_count);
  struct og_buffer *contents = OG_NEW_ARRAY(arena, struct og_buffer, a->file_count), out = {0};
  bool good = true;
  for (size_t i = 0; i < a->file_count; i++) {
    good &= og_read_file(a->files[i], &contents[i], diagnostics);
    inputs[i] = (struct og_link_input){a->files[i], contents[i].data, contents[i].size};
  }
  a->options.keep = a->keep;
  good = good && og_link(arena, inputs, a->file_count, &a->options, &out, diagnostics) &&
         og_write_file(a->output ? a->output : "a.hsaco", out.data, out.size, diagnostics);
  for (size_t i = 0; i < a->file_count; i++)
    og_buffer_free(&contents[i]);
  og_buffer_free(&out);
  return good;
}

static int run(int argc, char **argv) {
  struct og_arena *arena = og_arena_new();
  struct arguments a = {.files = OG_NEW_ARRAY(arena, const char *, argc),
                        .keep = OG_NEW_ARRAY(arena, const char *, argc)};
  int code = parse(argc, argv, &a);
  if (code == OG_EXIT_OK) {
    struct og_diagnostics *diagnostics = og_diagnostics_new();
    link_files(arena, &a, diagnostics);
    code = og_finish(diagnostics);
  }
  og_arena_free(arena);
  return code;
}

const struct og_verb og_verb_ld = {
    "ld", "links relocatable objects to a code object",
    "usage: offgrid ld [-o OUT] [--gc-sections] [--build-id] [--allow-undefined] [-u SYMBOL]... FILE...\n\n"
    "Links AMDGPU objects and archives to one loadable code object (default a.hsaco). Undefined symbols are\n"
    "errors unless --allow-undefined leaves them to the loader. Metadata of all objects is merged, LDS symbols are\n"
    "allocated. --gc-sections drops what no exported symbol leads to; -u (--undefined) keeps a symbol nevertheless,\n"
    "and takes its member out of an archive; --build-id adds the SHA-1 of the file as a note. Options of ld.lld that\n"
    "say what is done here anyway, such as -shared or --no-undefined, are accepted.\n",
    run};
