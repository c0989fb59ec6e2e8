/* info.c - `offgrid info`: what a code object, or each one of a bundle or host executable, says. */
#include "object/info.h"

#include <stdio.h>

#include "tool/tool.h"

struct arguments {
  struct og_info_options options;
  bool json;
  const char **files;
  size_t count;
};

struct printer {
  const struct arguments *arguments;
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_buffer out;
  size_t printed;
};

static void print_one(struct printer *p, const struct og_code_object *code) {
  if (p->printed++)
    og_buffer_text(&p->out, p->arguments->json ? ",\n" : "\n");
  if (p->arguments->json) {
    struct og_buffer one = {0};
    og_info_json(code, &one);
    og_buffer_append(&p->out, one.data, one.size);
    og_buffer_free(&one);
  } else {
    og_info_text(code, &p->arguments->options, &p->out);
  }
}

static void print_file(struct printer *p, const char *file, const struct og_buffer *contents) {
  struct og_code_objects objects;
  og_open_code_objects(p->arena, file, contents->data, contents->size, &objects, p->diagnostics);
  for (uint32_t i = 0; i < objects.items.count; i++)
    print_one(p, objects.items.items[i]);
}

static int parse(int argc, char **argv, struct arguments *a) {
  for (int i = 1; i < argc; i++) {
    if (og_option_flag(argv, i, "json"))
      a->json = true;
    else if (og_option_flag(argv, i, "kernels"))
      a->options.kernels_only = true;
    else if (argv[i][0] == '-' && argv[i][1])
      return og_usage_error("info", "unknown option '%s'", argv[i]);
    else
      a->files[a->count++] = argv[i];
  }
  return a->count ? OG_EXIT_OK : og_usage_error("info", "no input file");
}

static int run(int argc, char **argv) {
  struct arguments a = {0};
  struct printer p = {&a, og_arena_new(), og_diagnostics_new(), {0}, 0};
  a.files = OG_NEW_ARRAY(p.arena, const char *, argc);
  int code = parse(argc, argv, &a);
  for (size_t i = 0; code == OG_EXIT_OK && i < a.count; i++) {
    struct og_buffer contents = {0};
    if (og_read_file(a.files[i], &contents, p.diagnostics))
      print_file(&p, a.files[i], &contents);
    og_buffer_free(&contents);
  }
  bool several = a.json && p.printed > 1;
  if (several)
    fputs("[", stdout);
  og_print(&p.out, stdout);
  if (a.json && p.out.size)
    fputs(several ? "]\n" : "\n", stdout);
  og_buffer_free(&p.out);
  int failed = og_finish(p.diagnostics);
  og_arena_free(p.arena);
  return code == OG_EXIT_OK ? failed : code;
}

const struct og_verb og_verb_info = {
    "info", "show what a code object holds",
    "usage: offgrid info [--json] [--kernels] FILE...\n"
    "Header, target id, kernels with registers, LDS, scratch, occupancy and kernarg layout, notes, relocations and symbols\n"
    "of a code object, of a relocatable object, or of each one in an offload bundle or host executable.\n"
    "--json prints one object per code object (a list where there are several; see docs/info.schema.json); --kernels\n"
    "leaves notes, relocations and symbols out.\n",
    run};
