/* readobj.c - prints in llvm-readobj's own style. */
#include "inspect/readobj.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct printer {
  const struct og_object *object;
  const struct og_readobj_options *options;
  struct og_arena *arena;
  struct og_buffer *out;
};

#define LINE(p, ...) og_buffer_printf((p)->out, __VA_ARGS__)

/* ---- headers ----------------------------------------------------------------------------------------------------- */

/* The text of DT_SONAME. */
static const char *load_name(const struct og_object *object) {
  uint64_t count;
  const struct og_section *table = og_dynamic_table(object, &count);
  const char *name = NULL;
  for (uint64_t i = 0; i < count && !name; i++)
    if (og_load64(table->data + i * 16) == DT_SONAME)
      name = og_dynamic_string(object, table, DT_SONAME, og_load64(table->data + i * 16 + 8));
  return name ? name : "<Not found>";
}

static void print_start(const struct printer *p) {
  const struct og_processor *processor = og_processor_by_mach(p->object->flags & 0xff);
  bool r600 = processor && processor->generation == OG_R600;
  LINE(p, "\nFile: %s\nFormat: elf%d-amdgpu\nArch: %s\nAddressSize: %dbit\nLoadName: %s\n", p->object->name,
       p->object->elf32 ? 32 : 64,
       r600        ? "r600"
       : processor ? "amdgcn"
                   : "unknown",
       p->object->elf32 ? 32 : 64, load_name(p->object));
}

static const char *os_abi(uint8_t os) {
  return os == OG_OSABI_HSA      ? "AMDGPU_HSA"
         : os == OG_OSABI_PAL    ? "AMDGPU_PAL"
         : os == OG_OSABI_MESA3D ? "AMDGPU_MESA3D"
                                 : "SystemV";
}

static const char *file_type(uint16_t type) {
  return type == ET_REL ? "Relocatable" : type == ET_DYN ? "SharedObject" : type == ET_EXEC ? "Executable" : "None";
}

static void print_file_header(const struct printer *p) {
  const struct og_object *o = p->object;
  const uint8_t *b = o->bytes;
  struct og_flag_name flags[4];
  size_t count = og_elf_flag_names(p->arena, o, flags);
  LINE(p,
       "ElfHeader {\n  Ident {\n    Magic: (7F 45 4C 46)\n    Class: %d-bit (0x%X)\n    DataEncoding: LittleEndian "
       "(0x1)\n    FileVersion: %u\n",
       o->elf32 ? 32 : 64, b[EI_CLASS], b[EI_VERSION]);
  LINE(p, "    OS/ABI: %s (0x%X)\n    ABIVersion: %u\n    Unused: (00 00 00 00 00 00 00)\n  }\n", os_abi(o->os_abi),
       o->os_abi, o->abi_version);
  LINE(p, "  Type: %s (0x%X)\n  Machine: EM_AMDGPU (0xE0)\n  Version: %u\n  Entry: 0x%" PRIX64 "\n", file_type(o->type),
       o->type, og_load32(b + 20), o->entry);
  uint64_t segments = o->elf32 ? og_load32(b + 28) : og_load64(b + 32),
           sections = o->elf32 ? og_load32(b + 32) : og_load64(b + 40);
  LINE(p, "  ProgramHeaderOffset: 0x%" PRIX64 "\n  SectionHeaderOffset: 0x%" PRIX64 "\n", segments, sections);
  if (o->flags) {
    LINE(p, "  Flags [ (0x%X)\n", o->flags);
    for (size_t i = 0; i < count; i++)
      LINE(p, "    %s (0x%X)\n", flags[i].name, flags[i].value);
    LINE(p, "  ]\n");
  } else {
    LINE(p, "  Flags [ (0x0)\n  ]\n");
  }
  const uint8_t *tail = b + (o->elf32 ? 40 : 52);
  LINE(p, "  HeaderSize: %u\n  ProgramHeaderEntrySize: %u\n  ProgramHeaderCount: %u\n", og_load16(tail),
       og_load16(tail + 2), og_load16(tail + 4));
  LINE(p, "  SectionHeaderEntrySize: %u\n  SectionHeaderCount: %u\n  StringTableSectionIndex: %u\n}\n",
       og_load16(tail + 6), og_load16(tail + 8), og_load16(tail + 10));
}

static const struct og_flag_name section_flags[] = {
    {"SHF_ALLOC", SHF_ALLOC},           {"SHF_COMPRESSED", SHF_COMPRESSED},
    {"SHF_EXCLUDE", SHF_EXCLUDE},       {"SHF_EXECINSTR", SHF_EXECINSTR},
    {"SHF_GNU_RETAIN", SHF_GNU_RETAIN}, {"SHF_GROUP", SHF_GROUP},
    {"SHF_INFO_LINK", SHF_INFO_LINK},   {"SHF_LINK_ORDER", SHF_LINK_ORDER},
    {"SHF_MERGE", SHF_MERGE},           {"SHF_OS_NONCONFORMING", SHF_OS_NONCONFORMING},
    {"SHF_STRINGS", SHF_STRINGS},       {"SHF_TLS", SHF_TLS},
    {"SHF_WRITE", SHF_WRITE},
};

uint64_t og_elf_name_offset(const struct og_object *o, uint32_t table, const char *name) {
  return table < o->sections.count && o->sections.items[table].data
             ? (uint64_t)((const uint8_t *)name - o->sections.items[table].data)
             : 0;
}

/* A symbol's or section's name as the options want it. */
static const char *shown(const struct printer *p, const char *name) {
  return p->options->demangle ? og_demangle(p->arena, name) : name;
}

/* Prints bytes in words of four with their characters, as --section-data and unknown notes do. */
static void print_section_data(const struct printer *p, const struct og_section *s) {
  LINE(p, "    SectionData (\n");
  for (uint64_t i = 0; s->data && i < s->size; i += 16) {
    LINE(p, "      %04" PRIX64 ":", i);
    for (uint64_t k = i; k < i + 16; k++)
      if (k < s->size)
        LINE(p, "%s%02X", k % 4 ? "" : " ", s->data[k]);
      else
        LINE(p, k % 4 ? "  " : "   ");
    LINE(p, "  |");
    for (uint64_t k = i; k < i + 16 && k < s->size; k++)
      LINE(p, "%c", isprint(s->data[k]) ? s->data[k] : '.');
    LINE(p, "|\n");
  }
  LINE(p, "    )\n");
}

static void print_table(const struct printer *p, const struct og_relocation_table *table, int indent);
static void print_symbol(const struct printer *p, const struct og_symbol *s, uint32_t table, int indent);
static uint32_t names_of(const struct og_object *o, bool dynamic);

/* Prints what --section-relocations, --section-symbols and --section-data add to each section. */
static void print_section_parts(const struct printer *p, uint32_t index) {
  const struct og_object *o = p->object;
  const struct og_section *s = &o->sections.items[index];
  if (p->options->section_relocations) {
    struct og_relocation_table table = {0};
    LINE(p, "    Relocations [\n");
    while (og_next_relocation_table(o, &table))
      if (table.index == index)
        print_table(p, &table, 6);
    LINE(p, "    ]\n");
  }
  if (p->options->section_symbols) {
    LINE(p, "    Symbols [\n");
    for (uint32_t i = 0; i < o->symbols.count; i++)
      if (o->symbols.items[i].section == index && index)
        print_symbol(p, &o->symbols.items[i], names_of(o, false), 6);
    LINE(p, "    ]\n");
  }
  if (p->options->section_data && s->type != SHT_NOBITS)
    print_section_data(p, s);
}

static void print_sections(const struct printer *p) {
  const struct og_object *o = p->object;
  LINE(p, "Sections [\n");
  for (uint32_t i = 0; i < o->sections.count; i++) {
    const struct og_section *s = &o->sections.items[i];
    const char *type = og_elf_section_type(s->type);
    LINE(p, "  Section {\n    Index: %u\n    Name: %s (%" PRIu64 ")\n", i, s->name,
         og_elf_name_offset(o, og_elf_names_section(o), s->name));
    LINE(p, type ? "    Type: %s (0x%X)\n" : "    Type: %s(0x%X)\n", type ? type : "Unknown ", s->type);
    LINE(p, "    Flags [ (0x%" PRIX64 ")\n", s->flags);
    for (size_t k = 0; k < OG_COUNT(section_flags); k++)
      if (s->flags & section_flags[k].value)
        LINE(p, "      %s (0x%X)\n", section_flags[k].name, section_flags[k].value);
    LINE(p,
         "    ]\n    Address: 0x%" PRIX64 "\n    Offset: 0x%" PRIX64 "\n    Size: %" PRIu64
         "\n    Link: %u\n    Info: %u\n",
         s->address, s->offset, s->size, s->link, s->info);
    LINE(p, "    AddressAlignment: %" PRIu64 "\n    EntrySize: %" PRIu64 "\n", s->alignment, s->entry_size);
    print_section_parts(p, i);
    LINE(p, "  }\n");
    og_buffer_drain(p->out);
  }
  LINE(p, "]\n");
}

static void print_segments(const struct printer *p) {
  LINE(p, "ProgramHeaders [\n");
  for (uint32_t i = 0; i < p->object->segments.count; i++) {
    const struct og_segment *s = &p->object->segments.items[i];
    const char *type = og_elf_segment_type(s->type);
    LINE(p,
         "  ProgramHeader {\n    Type: %s (0x%X)\n    Offset: 0x%" PRIX64 "\n    VirtualAddress: 0x%" PRIX64
         "\n    PhysicalAddress: 0x%" PRIX64 "\n",
         type ? type : "Unknown", s->type, s->offset, s->address, s->address);
    LINE(p, "    FileSize: %" PRIu64 "\n    MemSize: %" PRIu64 "\n    Flags [ (0x%X)\n", s->file_size, s->memory_size,
         s->flags);
    static const struct og_flag_name names[] = {{"PF_R", PF_R}, {"PF_W", PF_W}, {"PF_X", PF_X}};
    for (size_t k = 0; k < OG_COUNT(names); k++)
      if (s->flags & names[k].value)
        LINE(p, "      %s (0x%X)\n", names[k].name, names[k].value);
    LINE(p, "    ]\n    Alignment: %" PRIu64 "\n  }\n", s->alignment);
  }
  LINE(p, "]\n");
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

const struct og_section *og_dynamic_table(const struct og_object *object, uint64_t *count) {
  const struct og_section *table = NULL;
  for (uint32_t i = 1; i < object->sections.count; i++)
    if (object->sections.items[i].type == SHT_DYNAMIC)
      table = &object->sections.items[i];
  *count = 0;
  while (table && (*count + 1) * 16 <= table->size && og_load64(table->data + *count * 16) != DT_NULL)
    ++*count;
  *count += table && (*count + 1) * 16 <= table->size;
  return table;
}

const char *og_dynamic_string(const struct og_object *object, const struct og_section *table, uint64_t tag,
                              uint64_t value) {
  const struct og_section *names =
      table->link < object->sections.count ? &object->sections.items[table->link] : &object->sections.items[0];
  bool names_one = tag == DT_NEEDED || tag == DT_SONAME || tag == DT_RPATH || tag == DT_RUNPATH ||
                   tag == DT_AUXILIARY || tag == DT_FILTER;
  if (!names_one || !names->data || value >= names->size || !memchr(names->data + value, 0, names->size - value))
    return NULL;
  return (const char *)names->data + value;
}

const char *og_dynamic_string_title(uint64_t tag) {
  switch (tag) {
  case DT_NEEDED: return "Shared library";
  case DT_SONAME: return "Library soname";
  case DT_RPATH: return "Library rpath";
  case DT_RUNPATH: return "Library runpath";
  case DT_AUXILIARY: return "Auxiliary library";
  default: return "Filter library";
  }
}

static void print_dynamic(const struct printer *p) {
  uint64_t count;
  const struct og_section *table = og_dynamic_table(p->object, &count);
  if (!table)
    return;
  size_t width = 4;
  for (uint64_t i = 0; i < count; i++) {
    const char *name = og_elf_dynamic_tag(og_load64(table->data + i * 16));
    width = OG_MAX(width, name ? strlen(name) : 0);
  }
  LINE(p, "DynamicSection [ (%" PRIu64 " entries)\n  Tag                %-*s Name/Value\n", count, (int)width, "Type");
  for (uint64_t i = 0; i < count; i++) {
    uint64_t tag = og_load64(table->data + i * 16), value = og_load64(table->data + i * 16 + 8);
    const char *name = og_elf_dynamic_tag(tag);
    bool bytes = tag == DT_RELASZ || tag == DT_RELAENT || tag == DT_SYMENT || tag == DT_STRSZ;
    LINE(p, "  0x%016" PRIX64 " %-*s ", tag, (int)width, name ? name : "<unknown>");
    if (bytes || tag == DT_RELACOUNT)
      LINE(p, "%" PRIu64 "%s\n", value, bytes ? " (bytes)" : "");
    else if (og_dynamic_string(p->object, table, tag, value))
      LINE(p, "%s: [%s]\n", og_dynamic_string_title(tag), og_dynamic_string(p->object, table, tag, value));
    else
      LINE(p, "0x%" PRIX64 "\n", value);
  }
  LINE(p, "]\n");
}

bool og_next_relocation_table(const struct og_object *object, struct og_relocation_table *table) {
  *(table->applied ? &table->seen_applied : &table->seen) += table->count; /* in the order of the reader */
  while (++table->index < object->sections.count && object->sections.items[table->index].type != SHT_RELA &&
         object->sections.items[table->index].type != SHT_REL)
    ;
  if (table->index >= object->sections.count)
    return false;
  table->section = &object->sections.items[table->index];
  bool linked = object->type != ET_REL, dynamic = linked && table->section->flags & SHF_ALLOC;
  table->applied = linked && !dynamic;
  const struct og_relocation *items = dynamic  ? object->dynamic_relocations.items
                                      : linked ? object->applied_relocations.items
                                               : object->relocations.items;
  table->items = items ? items + (table->applied ? table->seen_applied : table->seen) : NULL;
  table->symbols = dynamic ? object->dynamic_symbols.items : object->symbols.items;
  table->count = table->section->entry_size ? table->section->size / table->section->entry_size : 0;
  return true;
}

const char *og_relocation_target(const struct og_object *object, const struct og_relocation_table *table,
                                 const struct og_relocation *relocation) {
  const struct og_symbol *symbol = &table->symbols[relocation->symbol];
  bool section = symbol->type == STT_SECTION && !*symbol->name && symbol->section < object->sections.count;
  return !relocation->symbol ? "" : section ? object->sections.items[symbol->section].name : symbol->name;
}

static void print_relocation(const struct printer *p, const struct og_relocation_table *table,
                             const struct og_relocation *r, int indent) {
  const char *type = og_relocation_name(r->type), *name = shown(p, og_relocation_target(p->object, table, r));
  bool addend = table->section->type == SHT_RELA;
  type = type ? type : "Unknown";
  name = r->symbol ? name : "-";
  if (p->options->expand_relocations) {
    LINE(p, "%*sRelocation {\n%*sOffset: 0x%" PRIX64 "\n", indent, "", indent + 2, "", r->offset);
    LINE(p, "%*sType: %s (%u)\n%*sSymbol: %s (%u)\n", indent + 2, "", type, r->type, indent + 2, "", name, r->symbol);
    if (addend)
      LINE(p, "%*sAddend: 0x%" PRIX64 "\n", indent + 2, "", (uint64_t)r->addend);
    LINE(p, "%*s}\n", indent, "");
    return;
  }
  LINE(p, "%*s0x%" PRIX64 " %s %s", indent, "", r->offset, type, name);
  if (addend)
    LINE(p, " 0x%" PRIX64, (uint64_t)r->addend);
  LINE(p, "\n");
}

static void print_table(const struct printer *p, const struct og_relocation_table *table, int indent) {
  for (const struct og_relocation *r = table->items; r < table->items + table->count; r++) {
    print_relocation(p, table, r, indent);
    og_buffer_drain(p->out);
  }
}

/* Prints the relocations that a loader applies, whatever section they are in. */
static void print_dynamic_relocations(const struct printer *p) {
  struct og_relocation_table table = {0};
  LINE(p, "Dynamic Relocations {\n");
  while (p->object->type != ET_REL && og_next_relocation_table(p->object, &table))
    print_table(p, &table, 2);
  LINE(p, "}\n");
}

static void print_relocations(const struct printer *p) {
  struct og_relocation_table table = {0};
  LINE(p, "Relocations [\n");
  while (og_next_relocation_table(p->object, &table)) {
    LINE(p, "  Section (%u) %s {\n", table.index, table.section->name);
    print_table(p, &table, 4);
    LINE(p, "  }\n");
  }
  LINE(p, "]\n");
}

static const char *symbol_section(const struct printer *p, const struct og_symbol *s, uint32_t *number) {
  *number = s->section;
  switch (s->section) {
  case OG_SECTION_UNDEFINED: return "Undefined";
  case OG_SECTION_ABSOLUTE: *number = SHN_ABS; return "Absolute";
  case OG_SECTION_COMMON: *number = SHN_COMMON; return "Common";
  case OG_SECTION_LDS: *number = OG_SHN_AMDGPU_LDS; return "Processor Specific";
  }
  return s->section < p->object->sections.count ? p->object->sections.items[s->section].name : "Reserved";
}

static uint32_t names_of(const struct og_object *o, bool dynamic) {
  uint32_t table = 0;
  for (uint32_t i = 1; i < o->sections.count; i++)
    if (o->sections.items[i].type == (dynamic ? SHT_DYNSYM : SHT_SYMTAB))
      table = o->sections.items[i].link;
  return table;
}

static void print_symbol(const struct printer *p, const struct og_symbol *s, uint32_t table, int indent) {
  static const char *const bindings[] = {"Local", "Global", "Weak"};
  static const char *const types[] = {"None", "Object", "Function", "Section", "File", "Common Data", "TLS"};
  static const char *const visibilities[] = {"STV_DEFAULT", "STV_INTERNAL", "STV_HIDDEN", "STV_PROTECTED"};
  uint32_t number;
  const char *section = symbol_section(p, s, &number), *name = s->name;
  if (s->type == STT_SECTION && !*name)
    name = section;
  LINE(p, "%*sSymbol {\n%*sName: %s (%" PRIu64 ")\n", indent, "", indent + 2, "", shown(p, name),
       og_elf_name_offset(p->object, table, s->name));
  LINE(p, "%*sValue: 0x%" PRIX64 "\n%*sSize: %" PRIu64 "\n", indent + 2, "", s->value, indent + 2, "", s->size);
  LINE(p, "%*sBinding: %s (0x%X)\n", indent + 2, "", s->binding < 3 ? bindings[s->binding] : "Unknown", s->binding);
  LINE(p, "%*sType: %s (0x%X)\n", indent + 2, "",
       s->type < OG_COUNT(types)             ? types[s->type]
       : s->type == OG_STT_AMDGPU_HSA_KERNEL ? "AMDGPU_HSA_KERNEL"
                                             : "Unknown",
       s->type);
  if (s->visibility)
    LINE(p, "%*sOther [ (0x%X)\n%*s%s (0x%X)\n%*s]\n", indent + 2, "", s->visibility, indent + 4, "",
         visibilities[s->visibility & 3], s->visibility & 3, indent + 2, "");
  else
    LINE(p, "%*sOther: 0\n", indent + 2, "");
  LINE(p, "%*sSection: %s (0x%X)\n%*s}\n", indent + 2, "", section, number, indent, "");
  og_buffer_drain(p->out);
}

static void print_symbols(const struct printer *p, bool dynamic) {
  const struct og_object *o = p->object;
  uint32_t count = dynamic ? o->dynamic_symbols.count : o->symbols.count, table = names_of(o, dynamic);
  const struct og_symbol *items = dynamic ? o->dynamic_symbols.items : o->symbols.items;
  LINE(p, dynamic ? "DynamicSymbols [\n" : "Symbols [\n");
  for (uint32_t i = 0; table && i < count; i++)
    print_symbol(p, &items[i], table, 2);
  LINE(p, "]\n");
}

static void print_note(const struct printer *p, const struct og_note *note) {
  const char *title = NULL, *type = NULL, *value = og_note_value(p->arena, p->object, note, &title, &type);
  LINE(p, "      {\n        Owner: %s\n        Data size: 0x%zX\n", note->name, note->size);
  if (!value) {
    LINE(p, "        Type: Unknown (0x%08X)\n        Description data (\n", note->type);
    for (size_t i = 0; i < note->size; i += 16) {
      LINE(p, "          %04zX:", i);
      for (size_t k = i; k < note->size && k < i + 16; k++)
        LINE(p, "%s%02X", k % 4 ? "" : " ", note->description[k]);
      LINE(p, "\n");
    }
    LINE(p, "        )\n      }\n");
    return;
  }
  LINE(p, "        Type: %s (%s)\n        %s: %s\n", type,
       strcmp(type, "NT_GNU_BUILD_ID") == 0 ? "unique build ID bitstring" : title, title, value);
  LINE(p, "      }\n");
}

static void print_notes(const struct printer *p) {
  LINE(p, "NoteSections [\n");
  for (uint32_t i = 1; i < p->object->sections.count; i++) {
    const struct og_section *s = &p->object->sections.items[i];
    struct og_note note;
    if (s->type != SHT_NOTE)
      continue;
    LINE(p, "  NoteSection {\n    Name: %s\n    Offset: 0x%" PRIX64 "\n    Size: 0x%" PRIX64 "\n    Notes [\n", s->name,
         s->offset, s->size);
    for (size_t offset = 0; og_note_next(s->data, s->size, s->alignment, &offset, &note);)
      print_note(p, &note);
    LINE(p, "    ]\n  }\n");
  }
  LINE(p, "]\n");
}

/* ---- dumps (both styles) ----------------------------------------------------------------------------------------- */

/* Whether a section was asked for, by name or by number. */
static bool is_named(const struct og_object *o, uint32_t section, const char *const *names) {
  for (; names && *names; names++) {
    char *end;
    unsigned long index = strtoul(*names, &end, 10);
    if (**names && !*end ? index == section : strcmp(*names, o->sections.items[section].name) == 0)
      return true;
  }
  return false;
}

static void dump_hex(const struct og_section *s, struct og_buffer *out) {
  og_buffer_printf(out, "\nHex dump of section '%s':\n", s->name);
  for (uint64_t i = 0; s->data && i < s->size; i += 16) {
    og_buffer_printf(out, "0x%08" PRIx64, s->address + i);
    for (uint64_t k = i; k < i + 16; k++)
      if (k < s->size)
        og_buffer_printf(out, "%s%02x", k % 4 ? "" : " ", s->data[k]);
      else
        og_buffer_text(out, k % 4 ? "  " : "   ");
    og_buffer_u8(out, ' ');
    for (uint64_t k = i; k < i + 16 && k < s->size; k++)
      og_buffer_u8(out, isprint(s->data[k]) ? s->data[k] : '.');
    og_buffer_u8(out, '\n');
  }
}

static void dump_strings(const struct og_section *s, struct og_buffer *out) {
  og_buffer_printf(out, "\nString dump of section '%s':\n", s->name);
  for (uint64_t i = 0; s->data && i < s->size;) {
    uint64_t length = strnlen((const char *)s->data + i, s->size - i);
    if (length) {
      og_buffer_printf(out, "[%6" PRIx64 "] ", i);
      for (uint64_t k = i; k < i + length; k++)
        og_buffer_u8(out, isprint(s->data[k]) ? s->data[k] : '.');
      og_buffer_u8(out, '\n');
    }
    i += length + 1;
  }
}

void og_readobj_dump(const struct og_object *object, const struct og_readobj_options *options, struct og_buffer *out) {
  for (uint32_t i = 0; i < object->sections.count; i++)
    if (is_named(object, i, options->string_dump))
      dump_strings(&object->sections.items[i], out);
  for (uint32_t i = 0; i < object->sections.count; i++)
    if (is_named(object, i, options->hex_dump))
      dump_hex(&object->sections.items[i], out);
}

void og_readobj(const struct og_object *object, const struct og_readobj_options *options, struct og_buffer *out) {
  struct printer p = {object, options, og_arena_new(), out};
  if (options->gnu) {
    og_readobj_gnu(object, options, out);
    og_arena_free(p.arena);
    return;
  }
  print_start(&p);
  if (options->file_header)
    print_file_header(&p);
  if (options->sections)
    print_sections(&p);
  if (options->segments)
    print_segments(&p);
  if (options->dynamic_table)
    print_dynamic(&p);
  if (options->libraries)
    og_readobj_libraries(object, out);
  if (options->relocations)
    print_relocations(&p);
  if (options->dynamic_relocations)
    print_dynamic_relocations(&p);
  if (options->symbols)
    print_symbols(&p, false);
  if (options->dynamic_symbols)
    print_symbols(&p, true);
  og_readobj_dump(object, options, out);
  if (options->hash_table)
    og_readobj_hash_table(object, out);
  if (options->gnu_hash_table)
    og_readobj_gnu_hash_table(object, out);
  if (options->versions) /* symbols of device code have no versions */
    og_buffer_text(out, "VersionSymbols [\n]\nVersionDefinitions [\n]\nVersionRequirements [\n]\n");
  if (options->groups)
    og_readobj_section_groups(object, false, out);
  if (options->histograms)
    og_readobj_histograms(p.arena, object, false, out);
  if (options->address_table)
    og_readobj_address_table(object, false, out);
  if (options->notes)
    print_notes(&p);
  if (options->stack_sizes) /* compilers write none for device code */
    og_buffer_text(out, "StackSizes [\n]\n");
  og_arena_free(p.arena);
}
