/* info.c - `offgrid info`: describes a code object, or each one of a bundle or host executable. */
#include "inspect/info.h"

#include <stdio.h>

#include "tool/tool.h"

struct arguments {
  struct og_info_options options;
  bool json;
  const char **files;
  size_t count;
};

/* All files; their bytes are kept until everything is printed. */
struct opened {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_buffer *contents;
  OG_VECTOR(const struct og_code_object *) objects;
};

static void open_files(struct opened *o, const struct arguments *a) {
  o->contents = OG_NEW_ARRAY(o->arena, struct og_buffer, a->count);
  for (size_t i = 0; i < a->count; i++) {
    struct og_code_objects found = {0};
    if (og_read_file(a->files[i], &o->contents[i], o->diagnostics))
      og_open_code_objects(o->arena, a->files[i], o->contents[i].data, o->contents[i].size, &found, o->diagnostics);
    for (uint32_t k = 0; k < found.items.count; k++)
      *OG_PUSH(o->arena, &o->objects) = found.items.items[k];
  }
}

static void print_objects(const struct opened *o, const struct arguments *a) {
  struct og_buffer out = {.sink = stdout};
  bool several = a->json && o->objects.count > 1;
  if (several)
    og_buffer_text(&out, "[");
  for (uint32_t i = 0; i < o->objects.count; i++) {
    if (a->json)
      og_info_json(o->objects.items[i], &out);
    else
      og_buffer_text(&out, i ? "\n" : ""), og_info_text(o->objects.items[i], &a->options, &out);
  }
  if (a->json && o->objects.count)
    og_buffer_text(&out, several ? "]\n" : "\n");
  struct og_buffer shown = {0};
  if (!a->json)
    og_buffer_printable(&shown, out.data, out.size, "\n\t");
  og_print(a->json ? &out : &shown, stdout);
  og_buffer_free(&shown);
  og_buffer_free(&out);
}

static int parse(int argc, char **argv, struct arguments *a) {
  for (int i = 1; i < argc; i++) {
    if (og_option_flag(argv, i, "json"))
      a->json = true;
    else if (og_option_flag(argv, i, "variables"))
      a->options.variables = true;
    else if (og_option_flag(argv, i, "kernels"))
      a->options.kernels_only = true;
    else if (argv[i][0] == '-' && argv[i][1])
      return og_unknown_option("info", argc, argv, i);
    else
      a->files[a->count++] = argv[i];
  }
  return a->count ? OG_EXIT_OK : og_usage_error("info", "no input file");
}

static int run(int argc, char **argv) {
  struct arguments a = {0};
  struct opened o = {.arena = og_arena_new()};
  a.files = OG_NEW_ARRAY(o.arena, const char *, argc);
  int code = parse(argc, argv, &a);
  if (code == OG_EXIT_OK) {
    o.diagnostics = og_diagnostics_new();
    open_files(&o, &a);
    print_objects(&o, &a);
    for (size_t i = 0; i < a.count; i++)
      og_buffer_free(&o.contents[i]);
    code = og_finish(o.diagnostics);
  }
  og_arena_free(o.arena);
  return code;
}

const struct og_verb og_verb_info = {
    "info", "shows what a code object holds",
    "usage: offgrid info [--json] [--kernels] [--variables] FILE...\n\n"
    "Header, target id, kernels with registers, LDS, scratch, occupancy and kernarg layout, notes, relocations and "
    "symbols\n"
    "of a code object, of a relocatable object, or of each one in an offload bundle or host executable.\n"
    "--json prints one object per code object (a list where there are several; see docs/info.schema.json); --kernels\n"
    "leaves notes, relocations and symbols out; --variables adds those that debug information names, with the memory "
    "they\n"
    "are in and their pointers point into.\n"
    "Of vISA, text or binary: each kernel's variables, registers, inputs and attributes.\n",
    run};
