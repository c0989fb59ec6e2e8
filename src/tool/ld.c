/* ld.c - `offgrid ld`: links relocatable objects and archives to one code object, with ld.lld's options
 * (ld_options.def). */
#include "tool/ld.h"

#include <stdio.h>
#include <string.h>

#include "object/object.h"

enum form { FLAG, VALUE, EQUAL, LETTER, PREFIX };

static const struct option {
  const char *name;
  enum form form;
  enum ld_action action;
} options[] = {
#define OPTION(name, form, action) {name, form, LD_##action},
#define KEYWORD(name, action)
#include "tool/ld_options.def"
#undef OPTION
#undef KEYWORD
};

static const struct {
  const char *name;
  enum ld_action action;
} keywords[] = {
#define OPTION(name, form, action)
#define KEYWORD(name, action) {name, LD_##action},
#include "tool/ld_options.def"
#undef OPTION
#undef KEYWORD
};

/* Whether argv[*i] is the option. If so, its value or NULL, and *i becomes the last argument that belongs to it. */
static bool matches(const struct option *option, int argc, char **argv, int *i, const char **value) {
  const char *arg = argv[*i];
  if (arg[0] != '-')
    return false;
  bool two = arg[1] == '-';
  arg += two ? 2 : 1;
  size_t size = strlen(option->name);
  if (strncmp(arg, option->name, size) != 0 || (two && size == 1 && option->form != FLAG && arg[1] != '='))
    return false;
  const char *rest = arg + size;
  *value = NULL;
  if (option->form == PREFIX)
    return true;
  if (option->form == FLAG)
    return !*rest;
  if (*rest == '=' && (option->form != LETTER || two))
    return *value = rest + 1, true;
  if (*rest && option->form == LETTER && !two)
    return *value = rest, true;
  if (*rest || option->form == EQUAL || *i + 1 >= argc)
    return false;
  *value = argv[++*i];
  return true;
}

/* Long names are tried before letters: "-output" is not "-o utput". */
static const struct option *find_option(int argc, char **argv, int *i, const char **value) {
  for (int letters = 0; letters < 2; letters++)
    for (size_t k = 0; k < OG_COUNT(options); k++)
      if ((options[k].form == LETTER) == letters && matches(&options[k], argc, argv, i, value))
        return &options[k];
  return NULL;
}

static int keyword(struct ld_arguments *a, const char *word) {
  for (size_t k = 0; k < OG_COUNT(keywords); k++) {
    size_t size = strlen(keywords[k].name);
    bool valued = keywords[k].name[size - 1] == '=';
    if (valued ? strncmp(word, keywords[k].name, size) != 0 : strcmp(word, keywords[k].name) != 0)
      continue;
    if (keywords[k].action == LD_REFUSED)
      return og_usage_error("ld", "-z %s is not done here: it would change the code object", word);
    return ld_act(a, keywords[k].action, "-z", valued ? word + size : NULL);
  }
  return og_usage_error("ld", "unknown -z keyword '%s'", word);
}

static int take_argument(struct ld_arguments *a, int argc, char **argv, int *i) {
  const char *value, *given = argv[*i];
  if (given[0] != '-' || !given[1]) {
    ld_add_file(a, given);
    return OG_EXIT_OK;
  }
  const struct option *option = find_option(argc, argv, i, &value);
  if (!option)
    return og_unknown_option("ld", argc, argv, *i);
  if (option->action == LD_REFUSED)
    return og_usage_error("ld", "%s is not done here: it would change the code object", given);
  return option->action == LD_KEYWORD ? keyword(a, value) : ld_act(a, option->action, given, value);
}

static int parse(struct ld_arguments *a, int argc, char **argv) {
  int code = OG_EXIT_OK;
  for (int i = 1; i < argc && code == OG_EXIT_OK; i++)
    code = take_argument(a, argc, argv, &i);
  if (code != OG_EXIT_OK || a->only_version)
    return code;
  if (a->shared && !a->undefined_said)
    a->options.undefined = OG_UNDEFINED_ALLOWED;
  if (a->options.relocatable && (a->options.gc_sections || a->options.emit_relocations || a->options.strip_all))
    return og_usage_error("ld", "-r does not go with --gc-sections, -q or -s");
  if (a->options.emit_relocations && a->options.strip_all)
    return og_usage_error("ld", "-q does not go with -s: relocations name symbols");
  return a->files.count ? OG_EXIT_OK : og_usage_error("ld", "no input files");
}

typedef OG_VECTOR(struct og_link_input) ld_inputs;

/* Adds what a file gives the linker: itself, or from a bundle or host file the code objects for one target. */
static bool add_input(const struct ld_arguments *a, const struct ld_file *file, const char *path,
                      const struct og_buffer *bytes, ld_inputs *inputs) {
  struct og_bundle chosen;
  if (!og_carries_code(bytes->data, bytes->size)) {
    *OG_PUSH(a->arena, inputs) = (struct og_link_input){path, bytes->data, bytes->size, file->whole, file->lazy};
    return true;
  }
  if (!og_carried_code(a->arena, path, bytes->data, bytes->size, a->mcpu, &chosen, a->diagnostics))
    return false;
  for (uint32_t i = 0; i < chosen.entries.count; i++) {
    const struct og_bundle_entry *entry = &chosen.entries.items[i];
    *OG_PUSH(a->arena, inputs) = (struct og_link_input){entry->id, entry->data, entry->size, file->whole, file->lazy};
  }
  return true;
}

/* Reads the inputs for the linker; false with diagnostics. */
static bool read_inputs(struct ld_arguments *a, ld_inputs *inputs, struct og_buffer *contents) {
  bool good = true;
  for (uint32_t i = 0; i < a->files.count; i++) {
    struct ld_file *file = &a->files.items[i];
    const char *path = file->library ? ld_find_library(a, file->path) : file->path;
    good &= path && og_read_file(path, &contents[i], a->diagnostics);
    if (path && a->trace)
      puts(path);
    *file = (struct ld_file){path, false, file->whole, file->lazy};
    good = good && add_input(a, file, path, &contents[i], inputs);
  }
  return good;
}

static const struct og_source *read_source(struct ld_arguments *a, const char *path) {
  struct og_buffer text = {0};
  bool good = !path || og_read_file(path, &text, a->diagnostics);
  struct og_source *source = good && path ? OG_NEW(a->arena, struct og_source) : NULL;
  if (source)
    *source = (struct og_source){.name = path, .text = og_arena_copy(a->arena, (const char *)text.data, text.size),
                                 .size = text.size};
  og_buffer_free(&text);
  return source;
}

static bool read_scripts(struct ld_arguments *a) {
  const struct og_source **lists = OG_NEW_ARRAY(a->arena, const struct og_source *, a->dynamic_lists.count + 1);
  for (uint32_t i = 0; i < a->dynamic_lists.count; i++)
    lists[i] = read_source(a, a->dynamic_lists.items[i]);
  a->options.dynamic_lists = lists;
  a->options.version_script = read_source(a, a->version_script);
  return !og_diagnostics_errors(a->diagnostics);
}

/* Writes, for other build tools, the output's name and the files that it was made of. */
static bool write_dependencies(const struct ld_arguments *a) {
  struct og_buffer text = {0};
  og_buffer_printf(&text, "%s:", a->output);
  for (uint32_t i = 0; i < a->files.count; i++)
    og_buffer_printf(&text, " \\\n  %s", a->files.items[i].path);
  og_buffer_text(&text, "\n");
  for (uint32_t i = 0; i < a->files.count; i++)
    og_buffer_printf(&text, "\n%s:\n", a->files.items[i].path);
  bool good = og_write_file(a->dependencies, text.data, text.size, a->diagnostics);
  og_buffer_free(&text);
  return good;
}

static void link_files(struct ld_arguments *a) {
  ld_inputs inputs = {0};
  struct og_buffer *contents = OG_NEW_ARRAY(a->arena, struct og_buffer, a->files.count);
  struct og_buffer out = {0}, map = {0}, removed = {0};
  a->options.map = a->map ? &map : NULL;
  a->options.removed = a->removed ? &removed : NULL;
  ld_finish_lists(a);
  bool good = read_inputs(a, &inputs, contents) && read_scripts(a) &&
              og_link(a->arena, inputs.items, inputs.count, &a->options, &out, a->diagnostics) &&
              !og_diagnostics_errors(a->diagnostics) &&
              og_write_file(a->output, out.data, out.size, a->diagnostics) &&
              (!a->map || og_write_file(a->map, map.data, map.size, a->diagnostics)) &&
              (!a->dependencies || write_dependencies(a));
  if (good && a->removed)
    og_write_file(a->removed, removed.data, removed.size, a->diagnostics);
  for (uint32_t i = 0; i < a->files.count; i++)
    og_buffer_free(&contents[i]);
  og_buffer_free(&out);
  og_buffer_free(&map);
  og_buffer_free(&removed);
}

static int run(int argc, char **argv) {
  struct og_arena *arena = og_arena_new();
  struct ld_arguments a = {.arena = arena, .diagnostics = og_diagnostics_new(), .output = "a.hsaco"};
  char **expanded;
  int count = og_expand_responses(arena, argc, argv, &expanded, a.diagnostics);
  int code = count < 0 ? OG_EXIT_INPUT : parse(&a, count, expanded);
  if (code == OG_EXIT_OK && !a.only_version)
    link_files(&a);
  int finished = og_finish(a.diagnostics);
  og_arena_free(arena);
  return code ? code : finished;
}

const struct og_verb og_verb_ld = {
    "ld", "links relocatable objects to a code object",
    "usage: offgrid ld [-o OUT] [OPTION]... FILE...\n\n"
    "Links AMDGPU objects and archives to one loadable code object (default a.hsaco), with ld.lld's options; called as\n"
    "ld.lld, lld or ld it stands in for it. Metadata of all objects is merged, LDS symbols are allocated.\n\n"
    "  -o OUT, --output=OUT        where to write; - is standard output\n"
    "  -mcpu=P                     which code object of a file that is a bundle or a host object: by processor, or by the\n"
    "                              end of its id (gfx906:xnack+)\n"
    "  -L DIR, -l NAME             takes libNAME.a from one of the folders; -l :FILE takes FILE\n"
    "  --whole-archive ...         takes each member of the archives that follow, up to --no-whole-archive\n"
    "  --start-lib ... --end-lib   takes objects only for what they define\n"
    "  -r                          writes one relocatable object\n"
    "  -u SYMBOL                   takes the symbol's member out of an archive, and keeps it\n"
    "  -e SYMBOL                   the ELF entry\n"
    "  --gc-sections               drops what no exported symbol leads to; --print-gc-sections[=FILE] tells what\n"
    "  --wrap=NAME                 calls of NAME go to __wrap_NAME, those of __real_NAME to NAME\n"
    "  --defsym NAME=EXPRESSION    defines a symbol: a number, or a distance from another symbol\n"
    "  --version-script=FILE       makes local what { global: ...; local: *; }; says; --exclude-libs=A,B or ALL hides\n"
    "                              what archives define; --dynamic-list=FILE is read, and all of it is exported anyway\n"
    "  --soname=NAME, --rpath=DIR, --hash-style=sysv|gnu|both, -z KEYWORD\n"
    "  --build-id[=sha1|md5|fast|uuid|0xHEX|none]   adds a note\n"
    "  -s, -S, -x, -X              drop all symbols, debug information, local symbols, compilers' own ones\n"
    "  -q, --emit-relocs           keeps relocations in the file\n"
    "  -Map=FILE, -M               tells what stands where; --dependency-file=FILE what was read; -t says it\n"
    "  --allow-multiple-definition, --warn-unresolved-symbols, --unresolved-symbols=report-all|ignore-all\n"
    "  -shared, --allow-undefined  leave undefined symbols to the loader; otherwise, or with --no-undefined, they are errors\n"
    "  @FILE                       more arguments\n\n"
    "Options of ld.lld that cannot matter here, such as -pie, --threads or --lto-O2, are accepted; all others are\n"
    "refused by name.\n",
    run};
