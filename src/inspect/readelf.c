/* readelf.c - prints in llvm-readelf's style, which is GNU's. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "inspect/readobj.h"

#define LINE(...) og_buffer_printf(out, __VA_ARGS__)

/* LLVM's columns: a field that is too long moves the next one right by one blank. */
static void pad_to(struct og_buffer *out, size_t column) {
  size_t start = out->size;
  while (start > 0 && out->data[start - 1] != '\n')
    start--;
  size_t now = out->size - start;
  og_buffer_printf(out, "%*s", now < column ? (int)(column - now) : 1, "");
}

static void header_line(struct og_buffer *out, const char *label, const char *value) {
  LINE("  %-35s%s\n", label, value);
}

static void header_number(struct og_buffer *out, const char *label, const char *format, unsigned long long value) {
  char text[64];
  snprintf(text, sizeof text, format, value);
  header_line(out, label, text);
}

/* "0xb3f, gfx90a, xnack+, sramecc-" */
static const char *flags_text(struct og_arena *arena, const struct og_object *o) {
  static const char *const xnack[] = {"", ", xnack", ", xnack-", ", xnack+"};
  static const char *const sramecc[] = {"", ", sramecc", ", sramecc-", ", sramecc+"};
  const struct og_processor *p = og_processor_by_mach(o->flags & 0xff);
  const char *name = p ? og_arena_printf(arena, ", %s", p->name) : "";
  bool v4 = o->os_abi == OG_OSABI_HSA && o->abi_version >= 2;
  unsigned generic = v4 && o->abi_version >= 4 ? o->flags >> 24 : 0;
  const char *suffix = generic ? og_arena_printf(arena, ", generic_v%u", generic) : "";
  if (v4)
    return og_arena_printf(arena, "0x%x%s%s%s%s", o->flags, name, xnack[o->flags >> 8 & 3], sramecc[o->flags >> 10 & 3],
                           suffix);
  return og_arena_printf(arena, "0x%x%s%s%s", o->flags, name, o->flags & 0x100 ? ", xnack" : "",
                         o->flags & 0x200 ? ", sramecc" : "");
}

static void print_file_header(struct og_arena *arena, const struct og_object *o, struct og_buffer *out) {
  const uint8_t *b = o->bytes, *tail = b + (o->elf32 ? 40 : 52);
  LINE("ELF Header:\n  Magic:  ");
  for (int i = 0; i < EI_NIDENT; i++)
    LINE(" %02x", b[i]);
  LINE("\n");
  header_line(out, "Class:", o->elf32 ? "ELF32" : "ELF64");
  header_line(out, "Data:", "2's complement, little endian");
  header_number(out, "Version:", "%llu (current)", b[EI_VERSION]);
  header_line(out, "OS/ABI:",
              o->os_abi == OG_OSABI_HSA      ? "AMDGPU - HSA"
              : o->os_abi == OG_OSABI_PAL    ? "AMDGPU - PAL"
              : o->os_abi == OG_OSABI_MESA3D ? "AMDGPU - MESA3D"
                                             : "UNIX - System V");
  header_number(out, "ABI Version:", "%llu", o->abi_version);
  header_line(out, "Type:",
              o->type == ET_REL   ? "REL (Relocatable file)"
              : o->type == ET_DYN ? "DYN (Shared object file)"
                                  : "NONE (None)");
  header_line(out, "Machine:", "EM_AMDGPU");
  header_number(out, "Version:", "0x%llx", og_load32(b + 20));
  header_number(out, "Entry point address:", "0x%llX", o->entry);
  header_number(out, "Start of program headers:", "%llu (bytes into file)",
                o->elf32 ? og_load32(b + 28) : og_load64(b + 32));
  header_number(out, "Start of section headers:", "%llu (bytes into file)",
                o->elf32 ? og_load32(b + 32) : og_load64(b + 40));
  header_line(out, "Flags:", flags_text(arena, o));
  header_number(out, "Size of this header:", "%llu (bytes)", og_load16(tail));
  header_number(out, "Size of program headers:", "%llu (bytes)", og_load16(tail + 2));
  header_number(out, "Number of program headers:", "%llu", og_load16(tail + 4));
  header_number(out, "Size of section headers:", "%llu (bytes)", og_load16(tail + 6));
  header_number(out, "Number of section headers:", "%llu", og_load16(tail + 8));
  header_number(out, "Section header string table index:", "%llu", og_load16(tail + 10));
}

static void flag_letters(uint64_t flags, char *letters) {
  static const struct {
    uint64_t flag;
    char letter;
  } table[] = {{SHF_WRITE, 'W'},   {SHF_ALLOC, 'A'},     {SHF_EXECINSTR, 'X'},  {SHF_MERGE, 'M'},
               {SHF_STRINGS, 'S'}, {SHF_INFO_LINK, 'I'}, {SHF_LINK_ORDER, 'L'}, {SHF_OS_NONCONFORMING, 'O'},
               {SHF_GROUP, 'G'},   {SHF_TLS, 'T'},       {SHF_COMPRESSED, 'C'}, {SHF_GNU_RETAIN, 'R'},
               {SHF_EXCLUDE, 'E'}};
  for (size_t i = 0; i < OG_COUNT(table); i++)
    if (flags & table[i].flag)
      *letters++ = table[i].letter;
  *letters = 0;
}

static void print_sections(const struct og_object *o, struct og_buffer *out) {
  int width = o->elf32 ? 8 : 16;
  LINE("There are %u section headers, starting at offset 0x%" PRIx64 ":\n\nSection Headers:\n", o->sections.count,
       o->elf32 ? og_load32(o->bytes + 32) : og_load64(o->bytes + 40));
  LINE("  [Nr] Name              Type            %-*s Off    Size   ES Flg Lk Inf Al\n", width, "Address");
  for (uint32_t i = 0; i < o->sections.count; i++) {
    const struct og_section *s = &o->sections.items[i];
    const char *type = og_elf_section_type(s->type);
    char letters[16];
    flag_letters(s->flags, letters);
    LINE("  [%2u] %s", i, s->name);
    pad_to(out, 25);
    LINE("%s", type ? type + 4 : "<unknown>");
    pad_to(out, 41);
    LINE("%0*" PRIx64 " %06" PRIx64 " %06" PRIx64 " %02" PRIx64 " %3s %2u %3u %2" PRIu64 "\n", width, s->address,
         s->offset, s->size, s->entry_size, letters, s->link, s->info, s->alignment);
  }
  LINE("Key to Flags:\n  W (write), A (alloc), X (execute), M (merge), S (strings), I (info),\n  L (link order), O "
       "(extra OS processing required), G (group), T (TLS),\n"
       "  C (compressed), x (unknown), o (OS specific), E (exclude),\n  R (retain), p (processor specific)\n");
}

static void put_flag_words(uint64_t flags, struct og_buffer *out) {
  static const struct {
    uint64_t flag;
    const char *name;
  } words[] = {{SHF_WRITE, "WRITE"},         {SHF_ALLOC, "ALLOC"},           {SHF_EXECINSTR, "EXEC"},
               {SHF_MERGE, "MERGE"},         {SHF_STRINGS, "STRINGS"},       {SHF_INFO_LINK, "INFO LINK"},
               {SHF_LINK_ORDER, "LINK ORDER"}, {SHF_OS_NONCONFORMING, "OS NONCONF"}, {SHF_GROUP, "GROUP"},
               {SHF_TLS, "TLS"},             {SHF_COMPRESSED, "COMPRESSED"}, {SHF_EXCLUDE, "EXCLUDE"}};
  const char *comma = "";
  for (size_t i = 0; i < OG_COUNT(words); i++)
    if (flags & words[i].flag) {
      LINE("%s%s", comma, words[i].name);
      comma = ", ";
      flags &= ~words[i].flag;
    }
  static const struct {
    uint64_t mask;
    const char *name;
  } others[] = {{SHF_MASKOS, "OS"}, {SHF_MASKPROC, "PROC"}, {UINT64_MAX, "UNKNOWN"}};
  for (size_t i = 0; i < OG_COUNT(others); i++)
    if (flags & others[i].mask) {
      LINE("%s%s (%" PRIX64 ")", comma, others[i].name, flags & others[i].mask);
      comma = ", ";
      flags &= ~others[i].mask;
    }
}

static void print_section_details(const struct og_object *o, struct og_buffer *out) {
  int width = o->elf32 ? 8 : 16;
  LINE("There are %u section headers, starting at offset 0x%" PRIx64 ":\n\nSection Headers:\n  [Nr] Name\n",
       o->sections.count, o->elf32 ? og_load32(o->bytes + 32) : og_load64(o->bytes + 40));
  LINE("       Type            %-*s Off    Size   ES   Lk Inf Al\n       Flags\n", width, "Address");
  for (uint32_t i = 0; i < o->sections.count; i++) {
    const struct og_section *s = &o->sections.items[i];
    const char *type = og_elf_section_type(s->type);
    LINE("  [%2u] %s\n       %-15s ", i, s->name, type ? type + 4 : "<unknown>");
    LINE("%0*" PRIx64 " %06" PRIx64 " %06" PRIx64 " %02" PRIx64, width, s->address, s->offset, s->size, s->entry_size);
    pad_to(out, 43 + (size_t)width);
    LINE("%u", s->link);
    pad_to(out, 47 + (size_t)width);
    LINE("%u", s->info);
    pad_to(out, 50 + (size_t)width);
    LINE("%" PRIu64 "\n", s->alignment);
    LINE("       [%0*" PRIx64 "]: ", width, s->flags);
    put_flag_words(s->flags, out);
    LINE("\n");
  }
}

static bool section_in_segment(const struct og_section *s, const struct og_segment *p) {
  if (!(s->flags & SHF_ALLOC) || s->address < p->address)
    return false;
  if (s->type != SHT_NOBITS && (s->offset < p->offset || s->offset + s->size > p->offset + p->file_size))
    return false;
  return s->address + s->size <= p->address + p->memory_size &&
         !(s->size == 0 && s->address == p->address + p->memory_size);
}

static void print_mapping(const struct og_object *o, struct og_buffer *out) {
  LINE("\n Section to Segment mapping:\n  Segment Sections...\n");
  for (uint32_t i = 0; i < o->segments.count; i++) {
    LINE("   %02u     ", i);
    for (uint32_t k = 1; k < o->sections.count; k++)
      if (section_in_segment(&o->sections.items[k], &o->segments.items[i]))
        LINE("%s ", o->sections.items[k].name);
    LINE("\n");
  }
  LINE("   None   ");
  for (uint32_t k = 1; k < o->sections.count; k++) {
    bool found = false;
    for (uint32_t i = 0; i < o->segments.count; i++)
      found |= section_in_segment(&o->sections.items[k], &o->segments.items[i]);
    if (!found)
      LINE("%s ", o->sections.items[k].name);
  }
  LINE("\n");
}

static void print_segments(const struct og_object *o, struct og_buffer *out) {
  static const char *const types[] = {"DYN (Shared object file)", "REL (Relocatable file)"};
  if (!o->segments.count) {
    LINE("\nThere are no program headers in this file.\n");
    print_mapping(o, out);
    return;
  }
  LINE("\nElf file type is %s\nEntry point 0x%" PRIx64 "\nThere are %u program headers, starting at offset %" PRIu64
       "\n",
       types[o->type == ET_REL], o->entry, o->segments.count,
       o->elf32 ? og_load32(o->bytes + 28) : og_load64(o->bytes + 32));
  LINE("\nProgram Headers:\n  Type           Offset   VirtAddr           PhysAddr           FileSiz  MemSiz   Flg "
       "Align\n");
  for (uint32_t i = 0; i < o->segments.count; i++) {
    const struct og_segment *s = &o->segments.items[i];
    const char *type = og_elf_segment_type(s->type);
    LINE("  %-14s 0x%06" PRIx64 " 0x%016" PRIx64 " 0x%016" PRIx64 " 0x%06" PRIx64 " 0x%06" PRIx64 " %c%c%c 0x%" PRIx64
         "\n",
         type ? type + 3 : "<unknown>", s->offset, s->address, s->address, s->file_size, s->memory_size,
         s->flags & PF_R ? 'R' : ' ', s->flags & PF_W ? 'W' : ' ', s->flags & PF_X ? 'E' : ' ', s->alignment);
  }
  print_mapping(o, out);
}

static void print_dynamic(const struct og_object *o, struct og_buffer *out) {
  uint64_t count;
  const struct og_section *table = og_dynamic_table(o, &count);
  if (!table)
    return;
  size_t width = 4;
  for (uint64_t i = 0; i < count; i++) {
    const char *name = og_elf_dynamic_tag(og_load64(table->data + i * 16));
    width = OG_MAX(width, name ? strlen(name) + 2 : 0);
  }
  LINE("Dynamic section at offset 0x%" PRIx64 " contains %" PRIu64 " entries:\n  Tag                %-*s Name/Value\n",
       table->offset, count, (int)width, "Type");
  for (uint64_t i = 0; i < count; i++) {
    uint64_t tag = og_load64(table->data + i * 16), value = og_load64(table->data + i * 16 + 8);
    const char *name = og_elf_dynamic_tag(tag);
    bool bytes = tag == DT_RELASZ || tag == DT_RELAENT || tag == DT_SYMENT || tag == DT_STRSZ;
    char label[24];
    snprintf(label, sizeof label, "(%s)", name ? name : "<unknown>");
    LINE("  0x%016" PRIx64 " %-*s ", tag, (int)width, label);
    if (bytes || tag == DT_RELACOUNT)
      LINE("%" PRIu64 "%s\n", value, bytes ? " (bytes)" : "");
    else if (og_dynamic_string(o, table, tag, value))
      LINE("%s: [%s]\n", og_dynamic_string_title(tag), og_dynamic_string(o, table, tag, value));
    else
      LINE("0x%" PRIx64 "\n", value);
  }
}

/* An object, and how its names are printed. */
struct names {
  const struct og_object *object;
  const struct og_readobj_options *options;
  struct og_arena *arena;
};

static const char *name_of(const struct names *n, const char *name) {
  return n->options->demangle ? og_demangle(n->arena, name) : name;
}

static void print_relocation(const struct names *n, const struct og_relocation_table *table,
                             const struct og_relocation *r, struct og_buffer *out) {
  const struct og_object *o = n->object;
  const char *type = og_relocation_name(r->type);
  bool with_addend = table->section->type == SHT_RELA;
  uint64_t addend = r->addend < 0 ? 0 - (uint64_t)r->addend : (uint64_t)r->addend;
  int digits = o->elf32 ? 8 : 16;
  LINE("%0*" PRIx64 "  %0*" PRIx64 " %s", digits, r->offset, digits,
       (uint64_t)r->symbol << (o->elf32 ? 8 : 32) | r->type, type ? type : "Unknown");
  if (r->symbol) {
    pad_to(out, o->elf32 ? 42 : 58);
    LINE("%0*" PRIx64 "%s%s", digits, table->symbols[r->symbol].value, o->elf32 ? "   " : " ",
         name_of(n, og_relocation_target(o, table, r)));
    if (with_addend)
      LINE(" %c %" PRIx64, r->addend < 0 ? '-' : '+', addend);
  } else if (with_addend) {
    pad_to(out, o->elf32 ? 53 : 69);
    LINE("%s%" PRIx64, r->addend < 0 ? "-" : "", addend);
  }
  LINE("\n");
}

static void print_table(const struct names *n, const struct og_relocation_table *table, struct og_buffer *out) {
  LINE("%s%s\n",
       n->object->elf32 ? " Offset     Info    Type                Sym. Value  Symbol's Name"
                        : "    Offset             Info             Type               Symbol's Value  Symbol's Name",
       table->section->type == SHT_RELA ? " + Addend" : "");
  for (const struct og_relocation *r = table->items; r < table->items + table->count; r++) {
    print_relocation(n, table, r, out);
    og_buffer_drain(out);
  }
}

static void print_dynamic_relocations(const struct names *n, struct og_buffer *out) {
  struct og_relocation_table table = {0};
  while (n->object->type != ET_REL && og_next_relocation_table(n->object, &table)) {
    LINE("\n'%s' relocation section at offset 0x%" PRIx64 " contains %" PRIu64 " bytes:\n",
         table.section->type == SHT_RELA ? "RELA" : "REL", table.section->offset, table.section->size);
    print_table(n, &table, out);
  }
}

static void print_relocations(const struct names *n, struct og_buffer *out) {
  struct og_relocation_table table = {0};
  const struct og_object *o = n->object;
  while (og_next_relocation_table(o, &table)) {
    LINE("\nRelocation section '%s' at offset 0x%" PRIx64 " contains %" PRIu64 " entries:\n", table.section->name,
         table.section->offset, table.count);
    print_table(n, &table, out);
  }
  if (!table.section)
    LINE("\nThere are no relocations in this file.\n");
}

static void print_symbols(const struct names *n, bool dynamic, struct og_buffer *out) {
  const struct og_object *o = n->object;
  static const char *const types[] = {"NOTYPE", "OBJECT", "FUNC", "SECTION", "FILE", "COMMON", "TLS"};
  static const char *const bindings[] = {"LOCAL", "GLOBAL", "WEAK"};
  static const char *const visibilities[] = {"DEFAULT", "INTERNAL", "HIDDEN", "PROTECTED"};
  uint32_t count = dynamic ? o->dynamic_symbols.count : o->symbols.count, table = 0;
  const struct og_symbol *items = dynamic ? o->dynamic_symbols.items : o->symbols.items;
  for (uint32_t i = 1; i < o->sections.count; i++)
    if (o->sections.items[i].type == (dynamic ? SHT_DYNSYM : SHT_SYMTAB))
      table = i;
  if (!table)
    return;
  bool extra = n->options->extra_symbol_facts;
  LINE("\nSymbol table '%s' contains %u entries:\n   Num:    Value%*sSize Type    Bind   %s\n",
       o->sections.items[table].name, count, o->elf32 ? 2 : 10, "",
       extra ? "Vis+Other Ndx(SecName) Name [+ Version Info]" : "Vis       Ndx Name");
  for (uint32_t i = 0; i < count; i++) {
    const struct og_symbol *s = &items[i];
    char index[16];
    const char *name = s->name;
    switch (s->section) {
    case OG_SECTION_UNDEFINED: strcpy(index, "UND"); break;
    case OG_SECTION_ABSOLUTE: strcpy(index, "ABS"); break;
    case OG_SECTION_COMMON: strcpy(index, "COM"); break;
    case OG_SECTION_LDS: strcpy(index, "PRC[0xff00]"); break;
    default: snprintf(index, sizeof index, "%u", s->section);
    }
    if (s->type == STT_SECTION && !*name && s->section < o->sections.count)
      name = o->sections.items[s->section].name;
    const char *type = s->type < OG_COUNT(types)             ? types[s->type]
                       : s->type == OG_STT_AMDGPU_HSA_KERNEL ? "AMDGPU_HSA_KERNEL"
                                                             : "<unknown>";
    size_t bias = o->elf32 ? 0 : 8;
    LINE("%6u: %0*" PRIx64 " %5" PRIu64, i, o->elf32 ? 8 : 16, s->value, s->size);
    pad_to(out, 23 + bias);
    LINE("%s", type);
    pad_to(out, 31 + bias);
    LINE("%s", s->binding < 3 ? bindings[s->binding] : "<unknown>");
    pad_to(out, 38 + bias);
    LINE("%s", visibilities[s->visibility & 3]);
    pad_to(out, 48 + bias);
    LINE("%3s", index);
    if (extra && s->section && s->section < o->sections.count)
      LINE(" (%s)", o->sections.items[s->section].name);
    pad_to(out, extra ? 61 + bias : 0);
    LINE("%s\n", name_of(n, name));
    og_buffer_drain(out);
  }
}

static void print_notes(struct og_arena *arena, const struct og_object *o, struct og_buffer *out) {
  bool any = false;
  for (uint32_t i = 1; i < o->sections.count; i++) {
    const struct og_section *s = &o->sections.items[i];
    struct og_note note;
    if (s->type != SHT_NOTE)
      continue;
    LINE("%sDisplaying notes found in: %s\n  Owner                Data size \tDescription\n", any ? "\n" : "", s->name);
    any = true;
    for (size_t offset = 0; og_note_next(s->data, s->size, s->alignment, &offset, &note);) {
      const char *title = NULL, *type = NULL, *value = og_note_value(arena, o, &note, &title, &type);
      LINE("  %-20s 0x%08zx\t", note.name, note.size);
      if (!value)
        LINE("Unknown note type: (0x%08x)\n", note.type);
      else if (strcmp(type, "NT_GNU_BUILD_ID") == 0)
        LINE("%s (unique build ID bitstring)\n    Build ID: %s\n", type, value);
      else
        LINE("%s (%s)\n    %s:\n        %s\n", type, title, title, value);
    }
  }
}

void og_readobj_gnu(const struct og_object *object, const struct og_readobj_options *options, struct og_buffer *out) {
  struct og_arena *arena = og_arena_new();
  struct names shown = {object, options, arena};
  if (options->file_header)
    print_file_header(arena, object, out);
  if (options->section_details)
    print_section_details(object, out);
  else if (options->sections)
    print_sections(object, out);
  if (options->segments)
    print_segments(object, out);
  if (options->section_mapping && !options->segments)
    print_mapping(object, out);
  if (options->dynamic_table)
    print_dynamic(object, out);
  if (options->libraries)
    og_readobj_libraries(object, out);
  if (options->relocations)
    print_relocations(&shown, out);
  if (options->dynamic_relocations)
    print_dynamic_relocations(&shown, out);
  if (options->dynamic_symbols || options->symbols)
    print_symbols(&shown, true, out);
  if (options->symbols)
    print_symbols(&shown, false, out);
  og_readobj_dump(object, options, out);
  if (options->hash_table)
    og_readobj_hash_table(object, out);
  if (options->gnu_hash_table)
    og_readobj_gnu_hash_table(object, out);
  if (options->groups)
    og_readobj_section_groups(object, true, out);
  if (options->histograms)
    og_readobj_histograms(arena, object, true, out);
  if (options->address_table)
    og_readobj_address_table(object, true, out);
  if (options->notes)
    print_notes(arena, object, out);
  og_arena_free(arena);
}
