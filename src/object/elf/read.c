/* read.c - an ELF file into memory. Nothing in the file is believed: every offset,
 * size, index and string is checked. */
#include "object/elf/elf.h"

#include <string.h>

struct reader {
  struct og_object *object;
  const uint8_t *bytes;
  size_t size;
  struct og_diagnostics *diagnostics;
  uint64_t section_headers, program_headers;
  uint32_t section_count, segment_count, names_section;
  /* Names may share bytes: all of them together may not be much longer than the file, nor those
   * that relocations mention endless. */
  uint64_t name_budget, mention_budget;
};

#define FAIL(r, ...) og_error_in((r)->diagnostics, (r)->object->name, __VA_ARGS__)

static bool inside(const struct reader *r, uint64_t offset, uint64_t size) {
  return offset <= r->size && size <= r->size - offset;
}

/* Both classes in their 64-bit form. */
#define WIDEN_SECTION(s)                                                                                               \
  (Elf64_Shdr) {                                                                                                       \
    (s).sh_name, (s).sh_type, (s).sh_flags, (s).sh_addr, (s).sh_offset, (s).sh_size, (s).sh_link, (s).sh_info,         \
        (s).sh_addralign, (s).sh_entsize                                                                               \
  }
#define WIDEN_SEGMENT(p) \
  (struct og_segment) { (p).p_type, (p).p_flags, (p).p_offset, (p).p_vaddr, (p).p_filesz, (p).p_memsz, (p).p_align }

static Elf64_Shdr section_header(const struct reader *r, uint32_t index) {
  if (r->object->elf32) {
    Elf32_Shdr s;
    memcpy(&s, r->bytes + r->section_headers + (uint64_t)index * sizeof s, sizeof s);
    return WIDEN_SECTION(s);
  }
  Elf64_Shdr s;
  memcpy(&s, r->bytes + r->section_headers + (uint64_t)index * sizeof s, sizeof s);
  return s;
}

static struct og_segment program_header(const struct reader *r, uint32_t index) {
  if (r->object->elf32) {
    Elf32_Phdr p;
    memcpy(&p, r->bytes + r->program_headers + (uint64_t)index * sizeof p, sizeof p);
    return WIDEN_SEGMENT(p);
  }
  Elf64_Phdr p;
  memcpy(&p, r->bytes + r->program_headers + (uint64_t)index * sizeof p, sizeof p);
  return WIDEN_SEGMENT(p);
}

#define READ_HEADER(r, e)                                                                                             \
  ((r)->object->type = (e).e_type, (r)->object->machine = (e).e_machine, (r)->object->flags = (e).e_flags,            \
   (r)->object->entry = (e).e_entry, (r)->section_headers = (e).e_shoff, (r)->section_count = (e).e_shnum,            \
   (r)->program_headers = (e).e_phoff, (r)->segment_count = (e).e_phnum, (r)->names_section = (e).e_shstrndx,         \
   entry_sizes[0] = (e).e_shentsize, entry_sizes[1] = (e).e_phentsize)

static bool read_file_header(struct reader *r) {
  uint16_t entry_sizes[2];
  if (!og_is_elf(r->bytes, r->size) || r->size < sizeof(Elf32_Ehdr))
    return og_is_bundle(r->bytes, r->size)
               ? FAIL(r, "this is an offload bundle, expected an ELF file: 'offgrid unbundle' takes out what it holds")
               : FAIL(r, "not an ELF file, or cut short in its header");
  if (r->bytes[EI_CLASS] != ELFCLASS32 && r->bytes[EI_CLASS] != ELFCLASS64)
    return FAIL(r, "unknown ELF class %u", r->bytes[EI_CLASS]);
  if (r->bytes[EI_DATA] != ELFDATA2LSB)
    return FAIL(r, "not little endian: no AMDGPU file");
  r->object->elf32 = r->bytes[EI_CLASS] == ELFCLASS32;
  r->object->os_abi = r->bytes[EI_OSABI];
  r->object->abi_version = r->bytes[EI_ABIVERSION];
  if (r->object->elf32) {
    Elf32_Ehdr e;
    memcpy(&e, r->bytes, sizeof e);
    READ_HEADER(r, e);
  } else {
    Elf64_Ehdr e;
    if (r->size < sizeof e)
      return FAIL(r, "cut short in the ELF header");
    memcpy(&e, r->bytes, sizeof e);
    READ_HEADER(r, e);
  }
  size_t section_size = r->object->elf32 ? sizeof(Elf32_Shdr) : sizeof(Elf64_Shdr);
  size_t segment_size = r->object->elf32 ? sizeof(Elf32_Phdr) : sizeof(Elf64_Phdr);
  if (r->section_headers && r->section_count == 0) { /* the number stands in the null section's size */
    if (!inside(r, r->section_headers, section_size))
      return FAIL(r, "section headers at 0x%llx are outside the file", (unsigned long long)r->section_headers);
    Elf64_Shdr null = section_header(r, 0);
    r->section_count = (uint32_t)OG_MIN(null.sh_size, UINT32_MAX);
  }
  if (r->section_count &&
      (entry_sizes[0] != section_size || !inside(r, r->section_headers, (uint64_t)r->section_count * section_size)))
    return FAIL(r, "section headers at 0x%llx (%u of %u bytes) are outside the file",
                (unsigned long long)r->section_headers, r->section_count, entry_sizes[0]);
  if (r->segment_count &&
      (entry_sizes[1] != segment_size || !inside(r, r->program_headers, (uint64_t)r->segment_count * segment_size)))
    return FAIL(r, "program headers at 0x%llx (%u of %u bytes) are outside the file",
                (unsigned long long)r->program_headers, r->segment_count, entry_sizes[1]);
  if (r->names_section == SHN_XINDEX && r->section_count)
    r->names_section = section_header(r, 0).sh_link;
  return true;
}

/* A string table that ends in NUL, so that every offset in it is a string. */
static bool string_table(struct reader *r, uint32_t section, const char **table, uint64_t *size) {
  Elf64_Shdr s = section < r->section_count ? section_header(r, section) : (Elf64_Shdr){0};
  if (s.sh_type != SHT_STRTAB || !inside(r, s.sh_offset, s.sh_size) || s.sh_size == 0 ||
      r->bytes[s.sh_offset + s.sh_size - 1] != 0)
    return FAIL(r, "section %u is no string table that ends inside the file", section);
  *table = (const char *)r->bytes + s.sh_offset;
  *size = s.sh_size;
  return true;
}

static bool take_name(struct reader *r, const char *name, uint64_t *budget) {
  size_t length = strnlen(name, *budget + 1);
  if (length > *budget)
    return FAIL(r, "names overlap so much that together they are far longer than the file");
  *budget -= length;
  return true;
}

static bool read_sections(struct reader *r) {
  const char *names = NULL;
  uint64_t names_size = 0;
  if (r->section_count && r->names_section && !string_table(r, r->names_section, &names, &names_size))
    return false;
  for (uint32_t i = 0; i < r->section_count; i++) {
    Elf64_Shdr s = section_header(r, i);
    struct og_section *section = OG_PUSH(r->object->arena, &r->object->sections);
    *section = (struct og_section){.name = "",
                                   .type = s.sh_type,
                                   .flags = s.sh_flags,
                                   .address = s.sh_addr,
                                   .size = s.sh_size,
                                   .alignment = s.sh_addralign,
                                   .entry_size = s.sh_entsize,
                                   .link = s.sh_link,
                                   .info = s.sh_info,
                                   .offset = s.sh_offset};
    if (names && s.sh_name >= names_size)
      return FAIL(r, "name of section %u is outside the string table", i);
    if (names) {
      section->name = names + s.sh_name;
      if (!take_name(r, section->name, &r->name_budget))
        return false;
    }
    if (s.sh_type == SHT_NULL)
      section->size = 0;
    if (s.sh_type == SHT_NULL || s.sh_type == SHT_NOBITS)
      continue;
    if (!inside(r, s.sh_offset, s.sh_size))
      return FAIL(r, "section %u '%s' (offset 0x%llx, size 0x%llx) is outside the file", i, section->name,
                  (unsigned long long)s.sh_offset, (unsigned long long)s.sh_size);
    section->data = r->bytes + s.sh_offset;
  }
  if (!r->section_count)
    OG_PUSH(r->object->arena, &r->object->sections)->name = "";
  return true;
}

static bool read_segments(struct reader *r) {
  for (uint32_t i = 0; i < r->segment_count; i++) {
    struct og_segment segment = program_header(r, i);
    if (segment.type != PT_NULL && !inside(r, segment.offset, segment.file_size))
      return FAIL(r, "segment %u (offset 0x%llx, size 0x%llx) is outside the file", i,
                  (unsigned long long)segment.offset, (unsigned long long)segment.file_size);
    *OG_PUSH(r->object->arena, &r->object->segments) = segment;
  }
  return true;
}

static uint32_t section_of_symbol(const struct reader *r, uint16_t index) {
  switch (index) {
  case SHN_ABS: return OG_SECTION_ABSOLUTE;
  case SHN_COMMON: return OG_SECTION_COMMON;
  case OG_SHN_AMDGPU_LDS: return OG_SECTION_LDS;
  }
  return index < r->section_count ? index : OG_SECTION_OTHER;
}

static bool read_symbols(struct reader *r, uint32_t index, bool dynamic) {
  const struct og_section *table = &r->object->sections.items[index];
  size_t entry = r->object->elf32 ? sizeof(Elf32_Sym) : sizeof(Elf64_Sym);
  const char *names;
  uint64_t names_size;
  if (table->entry_size != entry || table->size % entry)
    return FAIL(r, "symbol table '%s' has entries of %llu bytes, expected %zu", table->name,
                (unsigned long long)table->entry_size, entry);
  if (!string_table(r, table->link, &names, &names_size))
    return false;
  if (dynamic)
    OG_RESERVE(r->object->arena, &r->object->dynamic_symbols, table->size / entry);
  else
    OG_RESERVE(r->object->arena, &r->object->symbols, table->size / entry);
  for (uint64_t i = 0; i < table->size / entry; i++) {
    Elf64_Sym sym;
    if (r->object->elf32) {
      Elf32_Sym s;
      memcpy(&s, table->data + i * entry, sizeof s);
      sym = (Elf64_Sym){s.st_name, s.st_info, s.st_other, s.st_shndx, s.st_value, s.st_size};
    } else {
      memcpy(&sym, table->data + i * entry, sizeof sym);
    }
    if (sym.st_name >= names_size)
      return FAIL(r, "name of symbol %llu in '%s' is outside the string table", (unsigned long long)i, table->name);
    struct og_symbol symbol = {names + sym.st_name,
                               sym.st_value,
                               sym.st_size,
                               section_of_symbol(r, sym.st_shndx),
                               ELF64_ST_BIND(sym.st_info),
                               ELF64_ST_TYPE(sym.st_info),
                               ELF64_ST_VISIBILITY(sym.st_other)};
    if (!take_name(r, symbol.name, &r->name_budget))
      return false;
    if (dynamic)
      *OG_PUSH(r->object->arena, &r->object->dynamic_symbols) = symbol;
    else
      *OG_PUSH(r->object->arena, &r->object->symbols) = symbol;
  }
  return true;
}

/* LLVM writes tables without addends for all but HSA: those stand in the patched fields. */
static int64_t addend_in_place(const struct og_section *patched, uint64_t offset, uint32_t type) {
  uint64_t size = og_relocation_size(type);
  if (size < 4 || !patched->data || patched->size < size || offset > patched->size - size)
    return 0; /* a branch's holds none */
  return size == 8 ? (int64_t)og_load64(patched->data + offset) : (int32_t)og_load32(patched->data + offset);
}

static struct og_relocation take_relocation(const struct og_object *object, const struct og_section *table,
                                            const uint8_t *entry) {
  struct og_relocation r = {.section = object->type == ET_REL ? table->info : 0};
  bool with_addend = table->type == SHT_RELA;
  if (object->elf32) {
    Elf32_Rela rela = {0};
    memcpy(&rela, entry, with_addend ? sizeof rela : sizeof(Elf32_Rel));
    r.offset = rela.r_offset, r.type = ELF32_R_TYPE(rela.r_info), r.symbol = ELF32_R_SYM(rela.r_info);
    r.addend = rela.r_addend;
  } else {
    Elf64_Rela rela = {0};
    memcpy(&rela, entry, with_addend ? sizeof rela : sizeof(Elf64_Rel));
    r.offset = rela.r_offset, r.type = (uint32_t)ELF64_R_TYPE(rela.r_info);
    r.symbol = (uint32_t)ELF64_R_SYM(rela.r_info), r.addend = rela.r_addend;
  }
  if (!with_addend)
    r.in_place = true, r.addend = addend_in_place(&object->sections.items[r.section], r.offset, r.type);
  return r;
}

static bool read_relocations(struct reader *r, uint32_t index) {
  const struct og_object *object = r->object;
  const struct og_section *table = &object->sections.items[index];
  bool linked = object->type != ET_REL, with_addend = table->type == SHT_RELA;
  bool dynamic = linked && table->flags & SHF_ALLOC; /* otherwise ld --emit-relocs left it: applied already */
  size_t entry = object->elf32 ? (with_addend ? sizeof(Elf32_Rela) : sizeof(Elf32_Rel))
                               : (with_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel));
  if (table->entry_size != entry || table->size % entry)
    return FAIL(r, "relocation table '%s' has entries of %llu bytes, expected %zu", table->name,
                (unsigned long long)table->entry_size, entry);
  if (!linked && (table->info == 0 || table->info >= object->sections.count))
    return FAIL(r, "relocation table '%s' patches section %u, which does not exist", table->name, table->info);
  if (linked && !with_addend)
    return FAIL(r, "relocation table '%s' has no addends, which loaders need", table->name);
  uint32_t symbols = dynamic ? object->dynamic_symbols.count : object->symbols.count;
  if (!linked)
    OG_RESERVE(object->arena, &r->object->relocations, table->size / entry);
  for (uint64_t i = 0; i < table->size / entry; i++) {
    struct og_relocation relocation = take_relocation(object, table, table->data + i * entry);
    if (relocation.symbol && relocation.symbol >= symbols)
      return FAIL(r, "relocation %llu of '%s' names symbol %u of %u", (unsigned long long)i, table->name,
                  relocation.symbol, symbols);
    if (relocation.symbol &&
        !take_name(r, (dynamic ? object->dynamic_symbols.items : object->symbols.items)[relocation.symbol].name,
                   &r->mention_budget))
      return false;
    if (dynamic)
      *OG_PUSH(r->object->arena, &r->object->dynamic_relocations) = relocation;
    else if (linked)
      *OG_PUSH(r->object->arena, &r->object->applied_relocations) = relocation;
    else
      *OG_PUSH(r->object->arena, &r->object->relocations) = relocation;
  }
  return true;
}

/* Members of a COMDAT group learn its signature. */
static bool read_group(struct reader *r, uint32_t index) {
  const struct og_section *table = &r->object->sections.items[index];
  if (table->size < 4 || og_load32(table->data) != GRP_COMDAT)
    return true;
  if (table->info >= r->object->symbols.count)
    return FAIL(r, "section group %u has no signature symbol", index);
  for (uint64_t i = 4; i + 4 <= table->size; i += 4) {
    uint32_t member = og_load32(table->data + i);
    if (member == 0 || member >= r->object->sections.count)
      return FAIL(r, "section group %u has member %u, which does not exist", index, member);
    r->object->sections.items[member].group = r->object->symbols.items[table->info].name;
  }
  return true;
}

static bool read_tables(struct reader *r) {
  uint32_t seen[2] = {0, 0};
  for (uint32_t i = 1; i < r->object->sections.count; i++) {
    uint32_t type = r->object->sections.items[i].type;
    if (type != SHT_SYMTAB && type != SHT_DYNSYM)
      continue;
    if (seen[type == SHT_DYNSYM]++)
      return FAIL(r, "more than one symbol table of a kind (section %u)", i);
    if (!read_symbols(r, i, type == SHT_DYNSYM))
      return false;
  }
  if (!r->object->symbols.count)
    OG_PUSH(r->object->arena, &r->object->symbols)->name = "";
  if (!r->object->dynamic_symbols.count)
    OG_PUSH(r->object->arena, &r->object->dynamic_symbols)->name = "";
  for (uint32_t i = 1; i < r->object->sections.count; i++) {
    uint32_t type = r->object->sections.items[i].type;
    if ((type == SHT_RELA || type == SHT_REL) && !read_relocations(r, i))
      return false;
    if (type == SHT_GROUP && !read_group(r, i))
      return false;
  }
  return true;
}

struct og_object *og_object_read(struct og_arena *arena, const char *name, const void *bytes, size_t size,
                                 struct og_diagnostics *diagnostics) {
  struct og_object *object = OG_NEW(arena, struct og_object);
  object->arena = arena;
  object->name = name;
  object->bytes = bytes;
  object->size = size;
  struct reader r = {.object = object,
                     .bytes = bytes,
                     .size = size,
                     .name_budget = 8 * (uint64_t)size,
                     .mention_budget = 256 * (uint64_t)size,
                     .diagnostics = diagnostics};
  if (!read_file_header(&r))
    return NULL;
  if (object->machine != OG_EM_AMDGPU) {
    FAIL(&r, "ELF machine is %u, expected %u (EM_AMDGPU); 'offgrid unbundle' takes code objects out of host programs",
         object->machine, OG_EM_AMDGPU);
    return NULL;
  }
  return read_sections(&r) && read_segments(&r) && read_tables(&r) ? object : NULL;
}
