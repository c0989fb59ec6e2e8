/* readobj.c - `offgrid readobj`: llvm-readobj's and llvm-readelf's options, for scripts and tests that call these. */
#include "inspect/readobj.h"

#include <stdio.h>
#include <string.h>

#include "object/elf/archive.h"
#include "tool/tool.h"

struct arguments {
  struct og_readobj_options options;
  const char **files, **hex, **strings;
  size_t count, hex_count, string_count;
};

enum what {
  HEADER,
  SECTIONS,
  SEGMENTS,
  SYMBOLS,
  DYN_SYMBOLS,
  RELOCATIONS,
  NOTES,
  DYNAMIC,
  VERSIONS,
  GROUPS,
  HISTOGRAMS,
  ADDRESSES,
  HEADERS,
  ALL,
  DEMANGLE,
  NO_DEMANGLE,
  EXPAND,
  HASH,
  GNU_HASH,
  DYN_RELOCATIONS,
  LIBRARIES,
  MAPPING,
  STACK_SIZES,
  SECTION_RELOCATIONS,
  SECTION_SYMBOLS,
  SECTION_DATA,
  SECTION_DETAILS,
  EXTRA,
  UNWIND,
  LLVM,
  GNU,
  NOTHING
};

static const struct og_flag flags[] = {
    {"file-header", 'h', HEADER},
    {"file-headers", 0, HEADER},
    {"sections", 'S', SECTIONS},
    {"section-headers", 0, SECTIONS},
    {"program-headers", 'l', SEGMENTS},
    {"segments", 0, SEGMENTS},
    {"symbols", 's', SYMBOLS},
    {"syms", 0, SYMBOLS},
    {"dyn-syms", 0, DYN_SYMBOLS},
    {"dyn-symbols", 0, DYN_SYMBOLS},
    {"relocations", 'r', RELOCATIONS},
    {"relocs", 0, RELOCATIONS},
    {"notes", 'n', NOTES},
    {"dynamic-table", 'd', DYNAMIC},
    {"dynamic", 0, DYNAMIC},
    {"headers", 'e', HEADERS},
    {"all", 'a', ALL},
    {"version-info", 'V', VERSIONS},
    {"section-groups", 'g', GROUPS},
    {"histogram", 'I', HISTOGRAMS},
    {"addrsig", 0, ADDRESSES},
    {"elf-output-style=LLVM", 0, LLVM},
    {"elf-output-style=GNU", 0, GNU},
    {"demangle", 'C', DEMANGLE},
    {"no-demangle", 0, NO_DEMANGLE},
    {"expand-relocs", 0, EXPAND},
    {"hash-table", 0, HASH},
    {"gnu-hash-table", 0, GNU_HASH},
    {"dyn-relocations", 0, DYN_RELOCATIONS},
    {"needed-libs", 0, LIBRARIES},
    {"section-mapping", 0, MAPPING},
    {"stack-sizes", 0, STACK_SIZES},
    {"dt", 0, DYN_SYMBOLS},
    {"section-relocations", 0, SECTION_RELOCATIONS},
    {"sr", 0, SECTION_RELOCATIONS},
    {"section-symbols", 0, SECTION_SYMBOLS},
    {"st", 0, SECTION_SYMBOLS},
    {"section-data", 0, SECTION_DATA},
    {"section-details", 't', SECTION_DETAILS},
    {"extra-sym-info", 'X', EXTRA},
    {"unwind", 'u', UNWIND},
    {"sd", 0, SECTION_DATA},
    {"arch-specific", 'A', NOTHING}, /* LLVM prints nothing more for this architecture */
    {"wide", 'W', NOTHING},
};

static void choose(struct og_readobj_options *o, enum what what) {
  o->file_header |= what == HEADER || what == HEADERS || what == ALL;
  o->sections |= what == SECTIONS || what == HEADERS || what == ALL;
  o->segments |= what == SEGMENTS || what == HEADERS || what == ALL;
  o->symbols |= what == SYMBOLS || what == ALL;
  o->dynamic_symbols |= what == DYN_SYMBOLS || (what == ALL && o->gnu);
  o->relocations |= what == RELOCATIONS || what == ALL;
  o->notes |= what == NOTES || what == ALL;
  o->dynamic_table |= what == DYNAMIC || what == ALL;
  o->versions |= what == VERSIONS || what == ALL;
  o->groups |= what == GROUPS || what == ALL;
  o->histograms |= what == HISTOGRAMS || what == ALL;
  o->address_table |= what == ADDRESSES || (what == ALL && !o->gnu);
  o->stack_sizes |= what == ALL && !o->gnu;
  o->demangle = (o->demangle || what == DEMANGLE) && what != NO_DEMANGLE;
  o->expand_relocations |= what == EXPAND;
  o->hash_table |= what == HASH;
  o->gnu_hash_table |= what == GNU_HASH;
  o->dynamic_relocations |= what == DYN_RELOCATIONS;
  o->libraries |= what == LIBRARIES;
  o->section_mapping |= what == MAPPING;
  o->stack_sizes |= what == STACK_SIZES;
  o->section_relocations |= what == SECTION_RELOCATIONS;
  o->section_symbols |= what == SECTION_SYMBOLS;
  o->section_data |= what == SECTION_DATA;
  o->unwind |= what == UNWIND;
  o->section_details |= what == SECTION_DETAILS;
  o->sections |= what == SECTION_DETAILS;
  o->extra_symbol_facts |= what == EXTRA;
  if (what == LLVM || what == GNU)
    o->gnu = what == GNU;
}

static bool take_flag(struct arguments *a, char **argv, int i) {
  unsigned whats[OG_FLAGS_MOST];
  size_t count = og_option_flags(argv, i, flags, OG_COUNT(flags), whats);
  for (size_t k = 0; k < count; k++)
    choose(&a->options, whats[k]);
  return count;
}

/* LLVM's options for other formats, and those not done here: to ignore one would help nobody. */
static const char *const refused[] = {
    "bb-addr-map", "cg-profile", "decompress", "z", "dependent-libraries", "elf-linker-options", "hash-symbols",
    "memtag", "offloading", "pretty-pgo-analysis-map", "pretty-print", "sframe",
    "sort-symbols", "stackmap", "string-table", "elf-output-style", "auxiliary-header",
    "exception-section", "loader-section-header", "loader-section-relocations", "loader-section-symbols"};

static bool is_refused(const char *argument) {
  const char *name = argument + 1 + (argument[1] == '-');
  size_t size = strcspn(name, "=");
  for (size_t i = 0; i < OG_COUNT(refused); i++)
    if (strlen(refused[i]) == size && memcmp(refused[i], name, size) == 0)
      return true;
  return strncmp(name, "coff-", 5) == 0 || strncmp(name, "macho-", 6) == 0 || strncmp(name, "codeview", 8) == 0;
}

static int parse(int argc, char **argv, struct arguments *a) {
  const char *value;
  for (int i = 1; i < argc; i++) {
    if (take_flag(a, argv, i)) /* before -x and -p, which a name may follow */
      continue;
    else if (og_option_value(argc, argv, &i, "hex-dump", &value) || og_option_value(argc, argv, &i, "x", &value))
      a->hex[a->hex_count++] = value;
    else if (og_option_value(argc, argv, &i, "string-dump", &value) || og_option_value(argc, argv, &i, "p", &value))
      a->strings[a->string_count++] = value;
    else if (argv[i][0] == '-' && argv[i][1] && is_refused(argv[i]))
      return og_usage_error("readobj", "'%s' is llvm-readobj's, but not done here", argv[i]);
    else if (argv[i][0] == '-' && argv[i][1])
      return og_unknown_option("readobj", argc, argv, i);
    else
      a->files[a->count++] = argv[i];
  }
  a->options.hex_dump = a->hex;
  a->options.string_dump = a->strings;
  return a->count ? OG_EXIT_OK : og_usage_error("readobj", "no input file");
}

static void print_one(struct arguments *a, struct og_arena *arena, const char *name, const void *data, size_t size,
                      bool titled, struct og_diagnostics *diagnostics, struct og_buffer *out) {
  const struct og_object *object = og_object_read(arena, name, data, size, diagnostics);
  if (object && a->options.gnu && titled)
    og_buffer_printf(out, "\nFile: %s\n", name);
  if (object)
    og_readobj(object, &a->options, out);
  for (uint32_t i = 1; object && a->options.unwind && i < object->sections.count; i++)
    if (strcmp(object->sections.items[i].name, ".eh_frame") == 0)
      og_error_in(diagnostics, name, "-u: the unwind table in .eh_frame is not printed by this program");
}

static void print_file(struct arguments *a, struct og_arena *arena, const char *name, const struct og_buffer *file,
                       struct og_diagnostics *diagnostics, struct og_buffer *out) {
  struct og_archive_member member;
  bool good = true;
  if (!og_is_archive(file->data, file->size)) {
    print_one(a, arena, name, file->data, file->size, a->count > 1, diagnostics, out);
    return;
  }
  for (size_t offset = 0; og_archive_next(arena, file->data, file->size, &offset, &member, &good);)
    if (og_archive_load(arena, name, &member, diagnostics))
      print_one(a, arena, og_arena_printf(arena, "%s(%s)", name, member.name), member.data, member.size, true,
                diagnostics, out);
  if (!good)
    og_error_in(diagnostics, name, "damaged archive: a member's header is no header");
}

static int run(int argc, char **argv) {
  struct og_arena *arena = og_arena_new();
  struct arguments a = {.files = OG_NEW_ARRAY(arena, const char *, argc + 1),
                        .hex = OG_NEW_ARRAY(arena, const char *, argc + 1),
                        .strings = OG_NEW_ARRAY(arena, const char *, argc + 1)};
  a.options.gnu = strstr(argv[0], "readelf") != NULL;
  int code = parse(argc, argv, &a);
  if (code == OG_EXIT_OK) {
    struct og_diagnostics *diagnostics = og_diagnostics_new();
    struct og_buffer out = {.sink = stdout};
    for (size_t i = 0; i < a.count; i++) {
      struct og_buffer file = {0};
      if (og_read_file(a.files[i], &file, diagnostics))
        print_file(&a, arena, a.files[i], &file, diagnostics, &out);
      og_buffer_free(&file);
    }
    og_print(&out, stdout);
    og_buffer_free(&out);
    code = og_finish(diagnostics);
  }
  og_arena_free(arena);
  return code;
}

const struct og_verb og_verb_readobj = {
    "readobj", "prints an object as llvm-readobj does",
    "usage: offgrid readobj [-h] [-S] [-l] [-s] [--dyn-syms] [-r] [-n] [-d] [-g] [-I] [-a] [-x SECTION] [-p SECTION]\n"
    "                       [--elf-output-style=LLVM|GNU] FILE...\n\n"
    "File header, sections, segments, symbols, relocations, notes and dynamic table of an AMDGPU ELF file, with\n"
    "llvm-readobj's options and output; called as readelf, or with --elf-output-style=GNU, with llvm-readelf's.\n"
    "  -C, --demangle       C++ names in words\n"
    "  --expand-relocs      a relocation on several lines\n"
    "  --dyn-relocations    those that a loader applies\n"
    "  --hash-table, --gnu-hash-table, --needed-libs, --section-mapping, --stack-sizes, --addrsig, -V\n"
    "  --sr, --st, --sd     each section's relocations, symbols and bytes\n"
    "  -t, --section-details   the sections' flags in words\n"
    "  -X, --extra-sym-info    with -s, in GNU's style: the names of symbols' sections\n"
    "  -u, --unwind         unwind tables, of which GPU objects have none; others are refused by name\n"
    "What else llvm-readobj has is refused by name.\n",
    run};
