/* objdump.c - `offgrid objdump`: llvm-objdump's options, for scripts and tests that call it. */
#include "inspect/objdump.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mapped.h"
#include "object/elf/archive.h"
#include "tool/tool.h"

struct arguments {
  struct og_objdump_options options;
  bool archive_header, file_header, private_headers, headers, symbols, dynamic_symbols, relocations;
  bool dynamic_relocations, contents, disassemble;
  const char **files;
  size_t count;
};

enum what {
  DISASSEMBLE,
  ALL,
  HEADERS,
  SYMBOLS,
  RELOCATIONS,
  CONTENTS,
  LINES,
  SOURCE,
  ZEROES,
  FILE_HEADER,
  ARCHIVE_HEADER,
  PRIVATE,
  ALL_HEADERS,
  DYNAMIC_SYMBOLS,
  DYNAMIC_RELOCATIONS,
  DEMANGLE,
  NO_ADDRESSES,
  LOAD_ADDRESSES,
  SYMBOLIZE,
  NOTHING
};

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
    {"archive-headers", 'a', ARCHIVE_HEADER},
    {"private-headers", 'p', PRIVATE},
    {"all-headers", 'x', ALL_HEADERS},
    {"dynamic-syms", 'T', DYNAMIC_SYMBOLS},
    {"dynamic-reloc", 'R', DYNAMIC_RELOCATIONS},
    {"demangle", 'C', DEMANGLE},
    {"no-leading-addr", 0, NO_ADDRESSES},
    {"no-addresses", 0, NO_ADDRESSES},
    {"show-lma", 0, LOAD_ADDRESSES},
    {"symbolize-operands", 0, SYMBOLIZE},
    /* accepted: LLVM has these for this target too and prints the same */
    {"wide", 'w', NOTHING},
    {"print-imm-hex", 0, NOTHING},
    {"no-print-imm-hex", 0, NOTHING},
    {"no-debuginfod", 0, NOTHING},
};

static void choose(struct arguments *a, enum what what) {
  a->disassemble |= what == DISASSEMBLE || what == ALL || what == LINES || what == SOURCE;
  a->options.all |= what == ALL;
  a->archive_header |= what == ARCHIVE_HEADER || what == ALL_HEADERS;
  a->file_header |= what == FILE_HEADER || what == ALL_HEADERS;
  a->private_headers |= what == PRIVATE || what == ALL_HEADERS;
  a->headers |= what == HEADERS || what == ALL_HEADERS;
  a->symbols |= what == SYMBOLS || what == ALL_HEADERS;
  a->relocations |= what == RELOCATIONS || what == ALL_HEADERS;
  a->dynamic_symbols |= what == DYNAMIC_SYMBOLS;
  a->dynamic_relocations |= what == DYNAMIC_RELOCATIONS;
  a->options.demangle |= what == DEMANGLE;
  a->options.no_addresses |= what == NO_ADDRESSES;
  a->options.load_addresses |= what == LOAD_ADDRESSES;
  a->options.symbolize |= what == SYMBOLIZE;
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

/* Splits "a,b" into its parts. */
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

/* LLVM's options for other formats, and those not done here: to ignore one would help nobody. */
static const char *const refused[] = {
    "build-id", "debug-file-directory", "debug-indent", "debug-inlined-funcs", "debug-vars", "debuginfod",
    "disassembler-options", "M", "dwarf", "fault-map-section", "macho", "m", "mllvm", "offloading",
    "pretty-pgo-analysis-map", "raw-clang-ast", "show-all-symbols", "symbol-description",
    "traceback-table", "unwind-info", "u", "x86-asm-syntax"};

static bool is_refused(const char *argument) {
  const char *name = argument + 1 + (argument[1] == '-');
  size_t size = strcspn(name, "=");
  for (size_t i = 0; i < OG_COUNT(refused); i++)
    if (strlen(refused[i]) == size && memcmp(refused[i], name, size) == 0)
      return true;
  return false;
}

static int parse(struct og_arena *arena, int argc, char **argv, struct arguments *a) {
  size_t room = 0;
  for (int i = 1; i < argc; i++)
    room += strlen(argv[i]) + 1; /* no list can have more items */
  a->files = OG_NEW_ARRAY(arena, const char *, argc);
  a->options.symbols = OG_NEW_ARRAY(arena, const char *, room + 1);
  a->options.sections = OG_NEW_ARRAY(arena, const char *, room + 1);
  a->options.stop = UINT64_MAX;
  for (int i = 1; i < argc; i++) {
    const char *value, *ignored;
    if (og_option_value(argc, argv, &i, "mcpu", &a->options.mcpu) ||
        og_option_value(argc, argv, &i, "mattr", &a->options.mattr))
      continue;
    if (og_option_value(argc, argv, &i, "triple", &value) || og_option_value(argc, argv, &i, "arch-name", &value)) {
      if (strncmp(value, "amdgcn", 6) && strncmp(value, "r600", 4)) /* else the object says which */
        return og_usage_error("objdump", "'%s' is no triple of this target, which is amdgcn", value);
      continue;
    }
    if (og_option_value(argc, argv, &i, "disassembler-color", &ignored)) {
      if (strcmp(ignored, "on") == 0)
        return og_usage_error("objdump", "--disassembler-color=on is not done: the output has no colours");
      continue;
    }
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
    } else if (og_option_value(argc, argv, &i, "adjust-vma", &value)) {
      if (!number(value, &a->options.adjust))
        return og_usage_error("objdump", "--adjust-vma takes a number, not '%s'", value);
    } else if (og_option_value(argc, argv, &i, "prefix", &a->options.prefix)) {
      continue;
    } else if (og_option_value(argc, argv, &i, "prefix-strip", &value)) {
      uint64_t strip;
      if (!number(value, &strip) || strip > UINT32_MAX)
        return og_usage_error("objdump", "--prefix-strip takes a number, not '%s'", value);
      a->options.strip = (unsigned)strip;
    } else if (take_flag(a, argv, i)) {
      continue;
    } else if (argv[i][0] == '-' && argv[i][1] && is_refused(argv[i])) {
      return og_usage_error("objdump", "'%s' is llvm-objdump's, but not done here", argv[i]);
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return og_unknown_option("objdump", argc, argv, i);
    } else {
      a->files[a->count++] = argv[i];
    }
  }
  a->options.relocations = a->relocations;
  if (!a->disassemble && !a->archive_header && !a->file_header && !a->private_headers && !a->headers && !a->symbols &&
      !a->dynamic_symbols && !a->relocations && !a->dynamic_relocations && !a->contents)
    return og_usage_error("objdump", "nothing to print: say -d, -D, -a, -f, -h, -p, -t, -T, -r, -R, -s or -x");
  return a->count ? OG_EXIT_OK : og_usage_error("objdump", "no input file");
}

/* `member`: the object's header in an archive, or NULL. */
static void dump(const struct arguments *a, const struct og_object *object, const struct og_archive_member *member,
                 struct og_buffer *out, struct og_diagnostics *diagnostics) {
  og_buffer_printf(out, "\n%s:\tfile format elf%d-amdgpu\n", object->name, object->elf32 ? 32 : 64);
  if (a->archive_header && member)
    og_objdump_member(member->header, member->name, out);
  if (a->file_header)
    og_buffer_printf(out, "architecture: %s\nstart address: 0x%016llx\n", object->elf32 ? "r600" : "amdgcn",
                     (unsigned long long)object->entry);
  if (a->private_headers)
    og_objdump_private(object, out);
  if (a->headers)
    og_objdump_sections(object, &a->options, out);
  if (a->symbols)
    og_objdump_symbols(object, &a->options, false, out);
  if (a->dynamic_symbols)
    og_objdump_symbols(object, &a->options, true, out);
  if (a->relocations && !a->disassemble)
    og_objdump_relocations(object, &a->options, out);
  if (a->dynamic_relocations && !og_objdump_dynamic_relocations(object, &a->options, out, diagnostics))
    return;
  if (a->contents)
    og_objdump_contents(object, &a->options, out);
  if (a->disassemble)
    og_objdump_code(object, &a->options, out, diagnostics);
}

/* Dumps each code object of a bundle or host file, with its id. */
static void dump_carried(const struct arguments *a, struct og_arena *arena, const char *name,
                         const struct og_buffer *file, struct og_buffer *out, struct og_diagnostics *diagnostics) {
  struct og_bundle bundle;
  if (!og_bundle_read(arena, name, file->data, file->size, &bundle, diagnostics))
    return;
  for (uint32_t i = 0; i < bundle.entries.count; i++) {
    const struct og_bundle_entry *entry = &bundle.entries.items[i];
    const char *title = og_arena_printf(arena, "%s(%s)", name, entry->id);
    const struct og_object *object =
        og_is_code_object(entry->data, entry->size)
            ? og_object_read(arena, title, entry->data, entry->size, diagnostics) : NULL;
    if (object)
      dump(a, object, NULL, out, diagnostics);
  }
}

static void dump_file(const struct arguments *a, struct og_arena *arena, const char *name, const struct og_buffer *file,
                      struct og_buffer *out, struct og_diagnostics *diagnostics) {
  struct og_archive_member member;
  const struct og_object *object;
  bool good = true;
  if (og_carries_code(file->data, file->size)) {
    dump_carried(a, arena, name, file, out, diagnostics);
    return;
  }
  if (!og_is_archive(file->data, file->size)) {
    object = og_object_read(arena, name, file->data, file->size, diagnostics);
    if (object)
      dump(a, object, NULL, out, diagnostics);
    return;
  }
  for (size_t offset = 0; og_archive_next(arena, file->data, file->size, &offset, &member, &good);) {
    const char *title = og_arena_printf(arena, "%s(%s)", name, member.name);
    object = og_archive_load(arena, name, &member, diagnostics)
                 ? og_object_read(arena, title, member.data, member.size, diagnostics)
                 : NULL;
    if (object)
      dump(a, object, &member, out, diagnostics);
  }
  if (!good)
    og_error_in(diagnostics, name, "damaged archive: a member's header is no header");
}

static int run(int argc, char **argv) {
  struct og_arena *arena = og_arena_new();
  struct arguments a = {0};
  int code = parse(arena, argc, argv, &a);
  if (code == OG_EXIT_OK) {
    struct og_diagnostics *diagnostics = og_diagnostics_new();
    struct og_buffer out = {.sink = stdout};
    for (size_t i = 0; i < a.count; i++) {
      struct og_mapped_file file;
      if (og_open_input(a.files[i], &file, diagnostics))
        dump_file(&a, arena, a.files[i], &file.bytes, &out, diagnostics);
      og_mapped_file_free(&file);
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
    "       offgrid objdump -a|-f|-p|-h|-t|-T|-r|-R|-s|-x FILE...\n\n"
    "Prints what llvm-objdump prints for the same options; also when the program's own name contains objdump. Of an offload\n"
    "bundle, or of a host executable, object or library, each code object inside.\n"
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
    "  -R, --dynamic-reloc          those that a loader applies\n"
    "  -C, --demangle               C++ names in words\n"
    "  --prefix=P, --prefix-strip=N the sources' absolute paths without N directories, behind P\n"
    "  --symbolize-operands         labels where branches lead to\n"
    "  --adjust-vma=N               N added to the addresses of what is loaded\n"
    "  --no-leading-addr            no addresses in front of labels and relocations\n"
    "  -a, --archive-headers        an archive's members: mode, owner, size, date\n"
    "  -f, --file-headers           architecture and entry\n"
    "  -p, --private-headers        segments and the dynamic table\n"
    "  -h, --section-headers        sections\n"
    "  --show-lma                   with the addresses that they are loaded to\n"
    "  -t, --syms                   symbols\n"
    "  -T, --dynamic-syms           those of the dynamic table\n"
    "  -s, --full-contents          bytes\n"
    "  -x, --all-headers            -a -f -p -h -t -r\n"
    "  --mcpu=P                     the processor, if the object's is not to be taken\n"
    "  --mattr=+f,-g                features, such as +wavefrontsize64, which an object does not tell\n"
    "What else llvm-objdump has is refused by name.\n",
    run};
