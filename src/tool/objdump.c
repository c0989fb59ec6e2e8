/* objdump.c - `offgrid objdump`: llvm-objdump's options, for scripts and tests that call it. */
#include "asm/objdump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tool/tool.h"

struct arguments {
  struct og_objdump_options options;
  bool file_header, headers, symbols, relocations, contents, disassemble;
  const char **files;
  size_t count;
};

enum what { DISASSEMBLE, ALL, HEADERS, SYMBOLS, RELOCATIONS, CONTENTS, LINES, SOURCE, ZEROES, FILE_HEADER, NOTHING };

static const struct og_flag flags[] = {
    {"disassemble", 'd', DISASSEMBLE},
    {"disassemble-all", 'D', ALL},
    {"section-headers", 'h', HEADERS},
    {"headers", 0, HEADERS},
    {"syms", 't', SYMBOLS},
    {"reloc", 'r', RELOCATIONS},
    {"full-contents", 's', CONTENTS},
    {"line-numbers", 'l', LINES},
    {"source", 'S', SOURCE},
    {"no-show-raw-insn", 0, NOTHING},
    {"disassemble-zeroes", 'z', ZEROES},
    {"file-headers", 'f', FILE_HEADER},
    {"wide", 'w', NOTHING},
    {"demangle", 'C', NOTHING},
    {"print-imm-hex", 0, NOTHING},
};

static void choose(struct arguments *a, enum what what) {
  a->disassemble |= what == DISASSEMBLE || what == ALL || what == LINES || what == SOURCE;
  a->options.all |= what == ALL;
  a->file_header |= what == FILE_HEADER;
  a->headers |= what == HEADERS;
  a->symbols |= what == SYMBOLS;
  a->relocations |= what == RELOCATIONS;
  a->contents |= what == CONTENTS;
  a->options.lines |= what == LINES;
  a->options.source |= what == SOURCE;
  a->options.zeroes |= what == ZEROES;
}

static bool take_flag(struct arguments *a, char **argv, int i) {
  unsigned whats[OG_FLAGS_MOST];
  size_t count = og_option_flags(argv, i, flags, OG_COUNT(flags), whats);
  for (size_t k = 0; k < count; k++)
    choose(a, whats[k]);
  return count;
}

/* "a,b" to its parts. */
static void take_list(struct og_arena *arena, const char *value, const char **items, size_t *count) {
  char *copy = og_arena_copy(arena, value, strlen(value)), *rest = copy;
  for (char *item; (item = strsep(&rest, ","));)
    if (*item)
      items[(*count)++] = item;
}

static bool number(const char *text, uint64_t *value) {
  char *end;
  errno = 0;
  *value = strtoull(text, &end, 0);
  return *text && !*end && !errno;
}

static int parse(struct og_arena *arena, int argc, char **argv, struct arguments *a) {
  size_t room = 0;
  for (int i = 1; i < argc; i++)
    room += strlen(argv[i]) + 1; /* no list has more items */
  a->files = OG_NEW_ARRAY(arena, const char *, argc);
  a->options.symbols = OG_NEW_ARRAY(arena, const char *, room + 1);
  a->options.sections = OG_NEW_ARRAY(arena, const char *, room + 1);
  a->options.stop = UINT64_MAX;
  for (int i = 1; i < argc; i++) {
    const char *value, *ignored;
    if (og_option_value(argc, argv, &i, "mcpu", &a->options.mcpu))
      continue;
    if (og_option_value(argc, argv, &i, "triple", &ignored) || og_option_value(argc, argv, &i, "arch-name", &ignored) ||
        og_option_value(argc, argv, &i, "mattr", &ignored) ||
        og_option_value(argc, argv, &i, "disassembler-color", &ignored))
      continue; /* the object tells */
    if (og_option_value(argc, argv, &i, "disassemble-symbols", &value)) {
      a->disassemble = true;
      take_list(arena, value, a->options.symbols, &a->options.symbol_count);
    } else if (og_option_value(argc, argv, &i, "section", &value) || og_option_value(argc, argv, &i, "j", &value)) {
      a->options.sections[a->options.section_count++] = value;
    } else if (og_option_value(argc, argv, &i, "start-address", &value)) {
      if (!number(value, &a->options.start))
        return og_usage_error("objdump", "--start-address takes a number, not '%s'", value);
    } else if (og_option_value(argc, argv, &i, "stop-address", &value)) {
      if (!number(value, &a->options.stop))
        return og_usage_error("objdump", "--stop-address takes a number, not '%s'", value);
    } else if (take_flag(a, argv, i)) {
      continue;
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return og_unknown_option("objdump", argc, argv, i);
    } else {
      a->files[a->count++] = argv[i];
    }
  }
  a->options.relocations = a->relocations;
  if (!a->disassemble && !a->file_header && !a->headers && !a->symbols && !a->relocations && !a->contents)
    return og_usage_error("objdump", "nothing to print: say -d, -D, -f, -h, -t, -r or -s");
  return a->count ? OG_EXIT_OK : og_usage_error("objdump", "no input file");
}

static void dump(const struct arguments *a, const struct og_object *object, struct og_buffer *out,
                 struct og_diagnostics *diagnostics) {
  og_buffer_printf(out, "\n%s:\tfile format elf%d-amdgpu\n", object->name, object->elf32 ? 32 : 64);
  if (a->file_header)
    og_buffer_printf(out, "architecture: %s\nstart address: 0x%016llx\n", object->elf32 ? "r600" : "amdgcn",
                     (unsigned long long)object->entry);
  if (a->headers)
    og_objdump_sections(object, out);
  if (a->symbols)
    og_objdump_symbols(object, out);
  if (a->relocations && !a->disassemble)
    og_objdump_relocations(object, &a->options, out);
  if (a->contents)
    og_objdump_contents(object, &a->options, out);
  if (a->disassemble)
    og_objdump_code(object, &a->options, out, diagnostics);
}

static int run(int argc, char **argv) {
  struct og_arena *arena = og_arena_new();
  struct arguments a = {0};
  int code = parse(arena, argc, argv, &a);
  if (code == OG_EXIT_OK) {
    struct og_diagnostics *diagnostics = og_diagnostics_new();
    struct og_buffer out = {.sink = stdout};
    for (size_t i = 0; i < a.count; i++) {
      struct og_buffer file = {0};
      const struct og_object *object = og_read_file(a.files[i], &file, diagnostics)
                                           ? og_object_read(arena, a.files[i], file.data, file.size, diagnostics)
                                           : NULL;
      if (object)
        dump(&a, object, &out, diagnostics);
      og_buffer_free(&file);
    }
    og_print(&out, stdout);
    og_buffer_free(&out);
    code = og_finish(diagnostics);
  }
  og_arena_free(arena);
  return code;
}

const struct og_verb og_verb_objdump = {
    "objdump", "prints code and tables as llvm-objdump does",
    "usage: offgrid objdump -d|-D [options] FILE...\n"
    "       offgrid objdump -f|-h|-t|-r|-s FILE...\n\n"
    "Prints what llvm-objdump prints for the same options; also when the program's own name contains objdump.\n"
    "  -d, --disassemble            the code, with addresses and words\n"
    "  -D, --disassemble-all        every section as code\n"
    "  --disassemble-symbols=A,B    these symbols only\n"
    "  -j, --section=A              this section only; may be said again\n"
    "  --start-address=N, --stop-address=N\n"
    "  --no-show-raw-insn           nothing: LLVM shows them for this target all the same\n"
    "  -z, --disassemble-zeroes     runs of zeros as code too\n"
    "  -l, --line-numbers           the source line, where debug information tells\n"
    "  -S, --source                 its text\n"
    "  -r, --reloc                  relocations, with -d in line\n"
    "  -f, --file-headers           architecture and entry\n"
    "  -h, --section-headers        sections\n"
    "  -t, --syms                   symbols\n"
    "  -s, --full-contents          bytes\n"
    "  --mcpu=P                     the processor, if the object's is not to be taken\n",
    run};
