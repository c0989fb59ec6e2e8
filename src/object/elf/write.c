/* write.c - a relocatable ELF file from the object in memory. libelf writes to file descriptors only, so
 * the few structures are laid down here. The order of sections is LLVM's: .strtab first, each section
 * before its relocations, .symtab last. */
#include "object/elf/elf.h"
#include "object/elf/strings.h"

#include <string.h>

struct header {
  uint32_t title; /* number of a string */
  uint32_t type;
  uint64_t flags, offset, size;
  uint32_t link, info;
  uint64_t alignment, entry_size;
};


/* A section group: its first member, its own header, and the signature's symbol as the file numbers it. */
struct group {
  const struct og_section *first;
  uint32_t number, symbol;
  OG_VECTOR(uint32_t) members; /* headers */
};

struct writer {
  const struct og_object *object;
  struct og_arena *arena;
  struct og_buffer *out;
  size_t start; /* of the file in `out` */
  struct og_diagnostics *diagnostics;
  struct og_strings strings;
  struct og_buffer string_bytes;
  uint32_t first_name; /* number of the first symbol's, which the others' follow */
  OG_VECTOR(struct header) headers;
  OG_VECTOR(struct group *) groups;
  struct og_map group_of; /* by signature */
  uint32_t *section_number; /* object's index -> the file's */
  uint32_t *symbol_number;
  uint32_t symtab, first_global, symbol_count, address_table, calls;
};

static uint32_t add_header(struct writer *w, const char *name, struct header header) {
  header.title = og_strings_add(&w->strings, name);
  *OG_PUSH(w->arena, &w->headers) = header;
  return w->headers.count - 1;
}

static bool is_local(const struct og_symbol *symbol) {
  return symbol->binding == STB_LOCAL;
}

static void number_symbols(struct writer *w) {
  const struct og_object *object = w->object;
  w->symbol_number = OG_NEW_ARRAY(w->arena, uint32_t, object->symbols.count);
  uint32_t next = 1;
  for (int pass = 0; pass < 2; pass++) {
    for (uint32_t i = 1; i < object->symbols.count; i++)
      if (is_local(&object->symbols.items[i]) == (pass == 0))
        w->symbol_number[i] = next++;
    if (pass == 0)
      w->first_global = next;
  }
  w->symbol_count = next;
}

static uint32_t relocation_count(const struct og_relocation_order *relocations, uint32_t section) {
  return relocations->start[section + 1] - relocations->start[section];
}

/* An entry without an addend is one with it, cut off after the rest. */
static void write_relocation(struct writer *w, const struct og_relocation *r) {
  uint32_t symbol = r->symbol ? w->symbol_number[r->symbol] : 0;
  bool addends = og_has_addends(w->object);
  if (w->object->elf32) {
    Elf32_Rela rela = {(uint32_t)r->offset, ELF32_R_INFO(symbol, r->type), (int32_t)r->addend};
    og_buffer_append(w->out, &rela, addends ? sizeof rela : sizeof(Elf32_Rel));
  } else {
    Elf64_Rela rela = {r->offset, ELF64_R_INFO((uint64_t)symbol, r->type), r->addend};
    og_buffer_append(w->out, &rela, addends ? sizeof rela : sizeof(Elf64_Rel));
  }
}

/* The addends of a section that was just written at `at`, where its table has no place for them. */
static void write_addends(struct writer *w, const struct og_relocation_order *relocations, uint32_t section,
                          uint64_t at) {
  uint64_t size = w->object->sections.items[section].size;
  uint8_t *data = w->out->data + w->start + at;
  for (uint32_t k = relocations->start[section]; k < relocations->start[section + 1]; k++) {
    const struct og_relocation *r = &w->object->relocations.items[relocations->index[k]];
    unsigned width = og_relocation_size(r->type);
    if (!r->addend || width < 4 || size < width || r->offset > size - width)
      continue;
    if (width == 8)
      og_store64(data + r->offset, (uint64_t)r->addend);
    else
      og_store32(data + r->offset, (uint32_t)r->addend);
  }
}

static uint64_t position(struct writer *w, uint64_t alignment) {
  uint64_t at = og_align_up(w->out->size - w->start, alignment > 1 ? alignment : 1);
  og_buffer_extend(w->out, w->start + at - w->out->size);
  return at;
}

static uint16_t section_in_symbol(struct writer *w, const struct og_symbol *symbol) {
  switch (symbol->section) {
  case OG_SECTION_ABSOLUTE: return SHN_ABS;
  case OG_SECTION_COMMON: return SHN_COMMON;
  case OG_SECTION_LDS: return OG_SHN_AMDGPU_LDS;
  case OG_SECTION_OTHER: return SHN_ABS;
  }
  const struct group *group = /* an undefined signature belongs to its group */
      w->groups.count && !symbol->section && is_local(symbol) ? og_map_get(&w->group_of, og_text(symbol->name)) : NULL;
  return (uint16_t)(group ? group->number : w->section_number[symbol->section]);
}

static void write_symbol(struct writer *w, uint32_t index) {
  const struct og_symbol *symbol = &w->object->symbols.items[index];
  uint8_t info = (uint8_t)ELF64_ST_INFO(symbol->binding, symbol->type);
  uint16_t section = section_in_symbol(w, symbol);
  uint32_t name = og_string_offset(&w->strings, w->first_name + index);
  if (w->object->elf32) {
    Elf32_Sym sym = {name, (uint32_t)symbol->value, (uint32_t)symbol->size, info, symbol->visibility, section};
    og_buffer_append(w->out, &sym, sizeof sym);
  } else {
    Elf64_Sym sym = {name, info, symbol->visibility, section, symbol->value, symbol->size};
    og_buffer_append(w->out, &sym, sizeof sym);
  }
}

static void write_symbols(struct writer *w) {
  const struct og_object *object = w->object;
  struct header *header = &w->headers.items[w->symtab];
  header->offset = position(w, header->alignment);
  write_symbol(w, 0);
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 1; i < object->symbols.count; i++)
      if (is_local(&object->symbols.items[i]) == (pass == 0))
        write_symbol(w, i);
  header->size = w->symbol_count * header->entry_size;
  header->info = w->first_global;
}

static void write_section_headers(struct writer *w) {
  for (uint32_t i = 0; i < w->headers.count; i++) {
    const struct header *h = &w->headers.items[i];
    uint32_t title = og_string_offset(&w->strings, h->title);
    if (w->object->elf32) {
      Elf32_Shdr shdr = {title,
                         h->type,
                         (uint32_t)h->flags,
                         0,
                         (uint32_t)h->offset,
                         (uint32_t)h->size,
                         h->link,
                         h->info,
                         (uint32_t)h->alignment,
                         (uint32_t)h->entry_size};
      og_buffer_append(w->out, &shdr, sizeof shdr);
    } else {
      Elf64_Shdr shdr = {title,
                         h->type,
                         h->flags,
                         0,
                         h->offset,
                         h->size,
                         h->link,
                         h->info,
                         h->alignment,
                         h->entry_size};
      og_buffer_append(w->out, &shdr, sizeof shdr);
    }
  }
}

static void write_file_header(struct writer *w, uint64_t section_headers) {
  const struct og_object *object = w->object;
  uint8_t ident[EI_NIDENT] = {ELFMAG0,
                              ELFMAG1,
                              ELFMAG2,
                              ELFMAG3,
                              object->elf32 ? ELFCLASS32 : ELFCLASS64,
                              ELFDATA2LSB,
                              EV_CURRENT,
                              object->os_abi,
                              object->abi_version};
  if (object->elf32) {
    Elf32_Ehdr ehdr = {.e_type = object->type,
                       .e_machine = object->machine,
                       .e_version = EV_CURRENT,
                       .e_shoff = (uint32_t)section_headers,
                       .e_flags = object->flags,
                       .e_ehsize = sizeof ehdr,
                       .e_shentsize = sizeof(Elf32_Shdr),
                       .e_shnum = (uint16_t)w->headers.count,
                       .e_shstrndx = 1};
    memcpy(ehdr.e_ident, ident, EI_NIDENT);
    memcpy(w->out->data + w->start, &ehdr, sizeof ehdr);
  } else {
    Elf64_Ehdr ehdr = {.e_type = object->type,
                       .e_machine = object->machine,
                       .e_version = EV_CURRENT,
                       .e_shoff = section_headers,
                       .e_flags = object->flags,
                       .e_ehsize = sizeof ehdr,
                       .e_shentsize = sizeof(Elf64_Shdr),
                       .e_shnum = (uint16_t)w->headers.count,
                       .e_shstrndx = 1};
    memcpy(ehdr.e_ident, ident, EI_NIDENT);
    memcpy(w->out->data + w->start, &ehdr, sizeof ehdr);
  }
}

/* The section's group or NULL: one per signature, whose header stands in front of its first member's. */
static struct group *group_of(struct writer *w, const struct og_section *section) {
  if (!section->group)
    return NULL;
  void **found = og_map_at(w->arena, &w->group_of, og_text(section->group));
  if (*found)
    return *found;
  uint32_t number = add_header(w, ".group", (struct header){.type = SHT_GROUP, .alignment = 4, .entry_size = 4});
  struct group *group = *found = *OG_PUSH(w->arena, &w->groups) = OG_NEW(w->arena, struct group);
  *group = (struct group){.first = section, .number = number};
  return group;
}

/* Their symbols: of one name the last. */
static void find_signatures(struct writer *w) {
  for (uint32_t i = 1; w->groups.count && i < w->object->symbols.count; i++) {
    struct group *group = og_map_get(&w->group_of, og_text(w->object->symbols.items[i].name));
    if (group)
      group->symbol = w->symbol_number[i];
  }
}

enum { SHT_LLVM_CALL_GRAPH_PROFILE = 0x6fff4c09 };

/* .llvm.call-graph-profile: a count for each pair of relocations, which say who calls whom. */
static void add_call_headers(struct writer *w) {
  bool narrow = w->object->elf32;
  w->calls = add_header(w, ".llvm.call-graph-profile",
                        (struct header){.type = SHT_LLVM_CALL_GRAPH_PROFILE,
                                        .flags = SHF_EXCLUDE,
                                        .size = 8 * w->object->calls.count,
                                        .alignment = 1,
                                        .entry_size = 8});
  add_header(w, ".rel.llvm.call-graph-profile",
             (struct header){.type = SHT_REL,
                             .flags = SHF_INFO_LINK,
                             .info = w->calls,
                             .alignment = narrow ? 4 : 8,
                             .entry_size = narrow ? sizeof(Elf32_Rel) : sizeof(Elf64_Rel)});
}

/* Headers of all sections in their final order; contents follow later. */
static void lay_out(struct writer *w, const struct og_relocation_order *relocations) {
  const struct og_object *object = w->object;
  bool addends = og_has_addends(object);
  uint64_t entry_size = object->elf32 ? (addends ? sizeof(Elf32_Rela) : sizeof(Elf32_Rel))
                                      : (addends ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel));
  w->section_number = OG_NEW_ARRAY(w->arena, uint32_t, object->sections.count);
  add_header(w, "", (struct header){0});
  add_header(w, ".strtab", (struct header){.type = SHT_STRTAB, .alignment = 1});
  for (uint32_t i = 1; i < object->sections.count; i++) {
    const struct og_section *s = &object->sections.items[i];
    struct group *group = group_of(w, s);
    w->section_number[i] = add_header(w, s->name,
                                      (struct header){.type = s->type,
                                                      .flags = s->flags | (s->group ? SHF_GROUP : 0),
                                                      .size = s->size,
                                                      .alignment = s->alignment ? s->alignment : 1,
                                                      .entry_size = s->entry_size,
                                                      .link = s->link,
                                                      .info = s->info});
    if (group)
      *OG_PUSH(w->arena, &group->members) = w->section_number[i];
    if (group && relocation_count(relocations, i))
      *OG_PUSH(w->arena, &group->members) = w->section_number[i] + 1;
    if (relocation_count(relocations, i))
      add_header(w, og_arena_printf(w->arena, addends ? ".rela%s" : ".rel%s", s->name),
                 (struct header){.type = addends ? SHT_RELA : SHT_REL,
                                 .flags = s->group ? SHF_GROUP : SHF_INFO_LINK,
                                 .size = relocation_count(relocations, i) * entry_size,
                                 .info = w->section_number[i],
                                 .alignment = object->elf32 ? 4 : 8,
                                 .entry_size = entry_size});
  }
  for (uint32_t i = 1; i < object->sections.count; i++) {
    const struct og_section *s = &object->sections.items[i];
    if (s->flags & SHF_LINK_ORDER && s->link < object->sections.count)
      w->headers.items[w->section_number[i]].link = w->section_number[s->link];
  }
  if (object->calls.count)
    add_call_headers(w);
  if (object->has_address_table)
    w->address_table = add_header(w, ".llvm_addrsig",
                                  (struct header){.type = OG_SHT_LLVM_ADDRSIG, .flags = SHF_EXCLUDE, .alignment = 1});
  w->symtab = add_header(w, ".symtab",
                         (struct header){.type = SHT_SYMTAB,
                                         .link = 1,
                                         .alignment = object->elf32 ? 4 : 8,
                                         .entry_size = object->elf32 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym)});
  for (uint32_t i = 1; i < w->headers.count; i++)
    if (w->headers.items[i].type == SHT_RELA || w->headers.items[i].type == SHT_GROUP ||
        w->headers.items[i].type == SHT_REL || i == w->address_table || i == w->calls)
      w->headers.items[i].link = w->symtab;
}

static bool write_group(struct writer *w, const struct group *group) {
  struct header *header = &w->headers.items[group->number];
  header->offset = position(w, 4);
  header->info = group->symbol;
  if (!header->info)
    return og_error_in(w->diagnostics, w->object->name, "section group '%s' has no symbol of that name",
                       group->first->group);
  og_buffer_u32(w->out, group->first->plain_group ? 0 : GRP_COMDAT);
  for (uint32_t i = 0; i < group->members.count; i++)
    og_buffer_u32(w->out, group->members.items[i]);
  header->size = w->out->size - w->start - header->offset;
  return true;
}

static void write_call_counts(struct writer *w) {
  w->headers.items[w->calls].offset = position(w, 1);
  for (uint32_t i = 0; i < w->object->calls.count; i++)
    og_buffer_u64(w->out, w->object->calls.items[i].count);
}

static void write_call_symbol(struct writer *w, uint64_t offset, uint32_t symbol) {
  uint64_t number = w->symbol_number[symbol];
  Elf32_Rel narrow = {(uint32_t)offset, ELF32_R_INFO((uint32_t)number, OG_R_AMDGPU_NONE)};
  Elf64_Rel wide = {offset, ELF64_R_INFO(number, OG_R_AMDGPU_NONE)};
  if (w->object->elf32)
    og_buffer_append(w->out, &narrow, sizeof narrow);
  else
    og_buffer_append(w->out, &wide, sizeof wide);
}

static void write_call_symbols(struct writer *w) {
  struct header *header = &w->headers.items[w->calls + 1];
  header->offset = position(w, header->alignment);
  for (uint32_t i = 0; i < w->object->calls.count; i++) {
    write_call_symbol(w, 8 * (uint64_t)i, w->object->calls.items[i].caller);
    write_call_symbol(w, 8 * (uint64_t)i, w->object->calls.items[i].callee);
  }
  header->size = w->out->size - w->start - header->offset;
}

/* .llvm_addrsig: numbers of the symbols as ULEB128. */
static void write_address_table(struct writer *w) {
  struct header *header = &w->headers.items[w->address_table];
  header->offset = position(w, 1);
  for (uint32_t i = 0; i < w->object->address_symbols.count; i++) {
    uint32_t number = w->symbol_number[w->object->address_symbols.items[i]];
    for (; number >= 0x80; number >>= 7)
      og_buffer_u8(w->out, (uint8_t)(number | 0x80));
    og_buffer_u8(w->out, (uint8_t)number);
  }
  header->size = w->out->size - w->start - header->offset;
}

static bool write_contents(struct writer *w, const struct og_relocation_order *relocations) {
  const struct og_object *object = w->object;
  for (uint32_t i = 1; i < object->sections.count; i++) {
    const struct og_section *s = &object->sections.items[i];
    struct header *header = &w->headers.items[w->section_number[i]];
    header->offset = position(w, header->alignment);
    if (s->type == SHT_NOBITS || !s->size)
      continue;
    og_buffer_append(w->out, s->data, s->size);
    if (!og_has_addends(object))
      write_addends(w, relocations, i, header->offset);
  }
  if (w->calls)
    write_call_counts(w);
  for (uint32_t i = 0; i < w->groups.count; i++)
    if (!write_group(w, w->groups.items[i]))
      return false;
  write_symbols(w);
  for (uint32_t i = 1; i < object->sections.count; i++) {
    if (!relocation_count(relocations, i))
      continue;
    struct header *header = &w->headers.items[w->section_number[i] + 1];
    header->offset = position(w, header->alignment);
    for (uint32_t k = relocations->start[i]; k < relocations->start[i + 1]; k++)
      write_relocation(w, &object->relocations.items[relocations->index[k]]);
  }
  if (w->calls)
    write_call_symbols(w);
  if (w->address_table)
    write_address_table(w);
  w->headers.items[1].offset = position(w, 1);
  w->headers.items[1].size = w->string_bytes.size;
  og_buffer_append(w->out, w->string_bytes.data, w->string_bytes.size);
  return true;
}

static bool check(const struct og_object *object, struct og_diagnostics *diagnostics) {
  for (uint32_t i = 0; i < object->relocations.count; i++)
    if (object->relocations.items[i].section >= object->sections.count ||
        object->relocations.items[i].symbol >= object->symbols.count)
      return og_error_in(diagnostics, object->name, "relocation %u names a section or symbol that does not exist", i);
  for (uint32_t i = 0; i < object->address_symbols.count; i++)
    if (object->address_symbols.items[i] >= object->symbols.count)
      return og_error_in(diagnostics, object->name,
                         "the table of significant addresses names a symbol that does not exist");
  for (uint32_t i = 0; i < object->calls.count; i++)
    if (object->calls.items[i].caller >= object->symbols.count ||
        object->calls.items[i].callee >= object->symbols.count)
      return og_error_in(diagnostics, object->name, "the table of calls names a symbol that does not exist");
  for (uint32_t i = 0; i < object->symbols.count; i++)
    if (object->symbols.items[i].section >= object->sections.count &&
        object->symbols.items[i].section < OG_SECTION_ABSOLUTE)
      return og_error_in(diagnostics, object->name, "symbol '%s' names a section that does not exist",
                         object->symbols.items[i].name);
  for (uint32_t i = 0; i < object->sections.count; i++)
    if (object->sections.items[i].alignment & (object->sections.items[i].alignment - 1))
      return og_error_in(diagnostics, object->name, "alignment of section '%s' is no power of two",
                         object->sections.items[i].name);
  return true;
}

static size_t size_at_most(const struct writer *w) {
  const struct og_object *object = w->object;
  size_t size = w->string_bytes.size + w->symbol_count * sizeof(Elf64_Sym) + w->headers.count * sizeof(Elf64_Shdr) +
                object->relocations.count * sizeof(Elf64_Rela);
  for (uint32_t i = 1; i < object->sections.count; i++)
    if (object->sections.items[i].type != SHT_NOBITS)
      size += object->sections.items[i].size + object->sections.items[i].alignment;
  return size + 4096;
}

bool og_object_write(const struct og_object *object, struct og_buffer *out, struct og_diagnostics *diagnostics) {
  if (!check(object, diagnostics))
    return false;
  struct writer w = {
      .object = object, .arena = og_arena_new(), .out = out, .start = out->size, .diagnostics = diagnostics};
  w.strings.arena = w.arena;
  og_buffer_extend(out, object->elf32 ? sizeof(Elf32_Ehdr) : sizeof(Elf64_Ehdr));
  struct og_relocation_order relocations = og_order_relocations(w.arena, object);
  number_symbols(&w);
  lay_out(&w, &relocations);
  find_signatures(&w);
  /* Symbol numbers above 0xff00 sections would need SHT_SYMTAB_SHNDX, which no tool of this target writes. */
  bool good = w.headers.count < SHN_LORESERVE;
  if (!good)
    og_error_in(diagnostics, object->name, "%u sections: at most %u can be written", w.headers.count,
                SHN_LORESERVE - 1);
  w.first_name = w.strings.items.count;
  OG_RESERVE(w.arena, &w.strings.items, object->symbols.count);
  for (uint32_t i = 0; i < object->symbols.count; i++)
    og_strings_add(&w.strings, object->symbols.items[i].name);
  og_strings_write(&w.strings, &w.string_bytes);
  og_buffer_grow(out, size_at_most(&w));
  good = good && write_contents(&w, &relocations);
  if (good) {
    uint64_t section_headers = position(&w, 8);
    write_section_headers(&w);
    write_file_header(&w, section_headers);
  }
  og_buffer_free(&w.string_bytes);
  og_arena_free(w.arena);
  return good;
}
