/* objdump_tables.c - prints sections, symbols, relocations and contents as llvm-objdump -h, -t, -r and -s do. */
#include <string.h>

#include "inspect/objdump.h"

void og_objdump_name(const struct og_objdump_options *options, const char *name, struct og_buffer *out) {
  struct og_arena *arena = options->demangle ? og_arena_new() : NULL;
  og_buffer_text(out, arena ? og_demangle(arena, name) : name);
  if (arena)
    og_arena_free(arena);
}

static bool is_asked_for(const struct og_objdump_options *options, uint64_t address) {
  return address >= options->start && address <= options->stop;
}

void og_objdump_sections(const struct og_object *object, const struct og_objdump_options *options,
                         struct og_buffer *out) {
  int digits = object->elf32 ? 8 : 16;
  size_t width = 13;
  for (uint32_t i = 0; i < object->sections.count; i++)
    if (og_objdump_wants(options, object->sections.items[i].name))
      width = OG_MAX(width, strlen(object->sections.items[i].name));
  og_buffer_printf(out, "\nSections:\nIdx %-*s Size     %-*s ", (int)width, "Name", digits, "VMA");
  if (options->load_addresses)
    og_buffer_printf(out, "%-*s ", digits, "LMA");
  og_buffer_text(out, "Type\n");
  for (uint32_t i = 0; i < object->sections.count; i++) {
    const struct og_section *s = &object->sections.items[i];
    const char *name = s->name ? s->name : "";
    const char *type = s->flags & SHF_EXECINSTR           ? "TEXT"
                       : strncmp(name, ".debug_", 7) == 0 ? "DEBUG"
                       : !(s->flags & SHF_ALLOC)          ? ""
                       : s->type == SHT_NOBITS            ? "BSS"
                                                          : "DATA";
    unsigned long long address = s->address, shown = address + (s->flags & SHF_ALLOC ? options->adjust : 0);
    if (!og_objdump_wants(options, name))
      continue;
    og_buffer_printf(out, "%3u %-*s %08llx %0*llx ", i, (int)width, name, (unsigned long long)s->size, digits, shown);
    if (options->load_addresses)
      og_buffer_printf(out, "%0*llx ", digits, address);
    og_buffer_printf(out, "%s\n", type);
  }
}

static void put_symbol(const struct og_object *object, const struct og_objdump_options *options,
                       const struct og_symbol *s, bool dynamic, struct og_buffer *out) {
  int digits = object->elf32 ? 8 : 16;
  static const char *const visibilities[] = {"", ".internal ", ".hidden ", ".protected "};
  bool weak = s->binding == STB_WEAK,
       placed = s->section == OG_SECTION_ABSOLUTE || (s->section && s->section < object->sections.count);
  char kind = s->type == STT_FILE                              ? 'f'
              : s->type == STT_FUNC                            ? 'F'
              : s->type == STT_OBJECT || s->type == STT_COMMON ? 'O'
                                                               : ' ';
  const char *section = s->section == OG_SECTION_ABSOLUTE                   ? "*ABS*"
                        : s->section == OG_SECTION_COMMON                   ? "*COM*"
                        : s->section && s->section < object->sections.count ? object->sections.items[s->section].name
                                                                            : "*UND*";
  bool moved = s->section && s->section < object->sections.count &&
               object->sections.items[s->section].flags & SHF_ALLOC;
  og_buffer_printf(out, "%0*llx %c%c  %c%c%c %s\t%0*llx %s", digits,
                   (unsigned long long)(s->value + (moved ? options->adjust : 0)),
                   !placed || weak           ? ' '
                   : s->binding == STB_LOCAL ? 'l'
                                             : 'g',
                   weak ? 'w' : ' ', s->type == STT_GNU_IFUNC ? 'i' : ' ',
                   dynamic                                         ? 'D'
                   : s->type == STT_FILE || s->type == STT_SECTION ? 'd'
                                                                   : ' ',
                   kind, section, digits, (unsigned long long)s->size, visibilities[s->visibility & 3]);
  og_objdump_name(options, s->type == STT_SECTION && !s->name[0] && placed ? section : s->name, out);
  og_buffer_u8(out, '\n');
}

void og_objdump_symbols(const struct og_object *object, const struct og_objdump_options *options, bool dynamic,
                        struct og_buffer *out) {
  const struct og_symbol *items = dynamic ? object->dynamic_symbols.items : object->symbols.items;
  uint32_t count = dynamic ? object->dynamic_symbols.count : object->symbols.count;
  og_buffer_text(out, dynamic ? "\nDYNAMIC SYMBOL TABLE:\n" : "\nSYMBOL TABLE:\n");
  for (uint32_t i = 1; i < count; i++)
    if (is_asked_for(options, items[i].value))
      put_symbol(object, options, &items[i], dynamic, out);
}

void og_objdump_relocation_value(const struct og_object *object, const struct og_objdump_options *options,
                                 const struct og_symbol *symbols, uint32_t symbol_count,
                                 const struct og_relocation *relocation, struct og_buffer *out) {
  const struct og_symbol *s = relocation->symbol < symbol_count ? &symbols[relocation->symbol] : NULL;
  if (!relocation->symbol || !s)
    og_buffer_text(out, "*ABS*");
  else if (s->type == STT_SECTION && s->section < object->sections.count)
    og_buffer_text(out, object->sections.items[s->section].name);
  else
    og_objdump_name(options, s->name, out);
  uint64_t size = relocation->addend < 0 ? -(uint64_t)relocation->addend : (uint64_t)relocation->addend;
  if (size && !relocation->in_place)
    og_buffer_printf(out, "%c0x%llx", relocation->addend < 0 ? '-' : '+', (unsigned long long)size);
}

static void put_relocation(const struct og_object *object, const struct og_objdump_options *options,
                           const struct og_symbol *symbols, uint32_t symbol_count, const struct og_relocation *r,
                           struct og_buffer *out) {
  const char *type = og_relocation_name(r->type);
  og_buffer_printf(out, "%0*llx %-24s ", object->elf32 ? 8 : 16, (unsigned long long)r->offset,
                   type ? type : "Unknown");
  og_objdump_relocation_value(object, options, symbols, symbol_count, r, out);
  og_buffer_u8(out, '\n');
}

bool og_objdump_dynamic_relocations(const struct og_object *object, const struct og_objdump_options *options,
                                    struct og_buffer *out, struct og_diagnostics *diagnostics) {
  bool dynamic = false;
  for (uint32_t i = 1; i < object->sections.count; i++)
    dynamic |= object->sections.items[i].type == SHT_DYNAMIC;
  if (!dynamic)
    return og_error_in(diagnostics, object->name, "not a dynamic object");
  if (!object->dynamic_relocations.count)
    return true;
  og_buffer_printf(out, "\nDYNAMIC RELOCATION RECORDS\n%-*s %-24s VALUE\n", object->elf32 ? 8 : 16, "OFFSET", "TYPE");
  for (uint32_t i = 0; i < object->dynamic_relocations.count; i++)
    put_relocation(object, options, object->dynamic_symbols.items, object->dynamic_symbols.count,
                   &object->dynamic_relocations.items[i], out);
  return true;
}

void og_objdump_relocations(const struct og_object *object, const struct og_objdump_options *options,
                            struct og_buffer *out) {
  struct og_buffer table = {0}; /* LLVM's -j names the table's own section */
  for (uint32_t section = 1; section < object->sections.count; section++) {
    bool titled = false;
    for (uint32_t i = 0; i < object->relocations.count; i++) {
      const struct og_relocation *r = &object->relocations.items[i];
      if (r->section != section)
        continue;
      table.size = 0;
      og_buffer_printf(&table, r->in_place ? ".rel%s" : ".rela%s", object->sections.items[section].name);
      if (!og_objdump_wants(options, (const char *)table.data))
        break;
      if (!titled)
        og_buffer_printf(out, "\nRELOCATION RECORDS FOR [%s]:\n%-*s TYPE                     VALUE\n",
                         object->sections.items[section].name, object->elf32 ? 8 : 16, "OFFSET");
      titled = true;
      if (is_asked_for(options, r->offset))
        put_relocation(object, options, object->symbols.items, object->symbols.count, r, out);
    }
  }
  og_buffer_free(&table);
}

void og_objdump_contents(const struct og_object *object, const struct og_objdump_options *options,
                         struct og_buffer *out) {
  enum { WIDTH = 16 };
  for (uint32_t i = 1; i < object->sections.count; i++) {
    const struct og_section *s = &object->sections.items[i];
    if (!s->size || !og_objdump_wants(options, s->name))
      continue;
    og_buffer_printf(out, "Contents of section %s:\n", s->name);
    if (s->type == SHT_NOBITS || !s->data) {
      og_buffer_printf(out, "<skipping contents of bss section at [%04llx, %04llx)>\n", (unsigned long long)s->address,
                       (unsigned long long)(s->address + s->size));
      continue;
    }
    for (uint64_t at = 0; at < s->size; at += WIDTH) {
      og_buffer_printf(out, " %04llx ", (unsigned long long)(s->address + at));
      for (uint64_t k = 0; k < WIDTH; k++) {
        if (k && k % 4 == 0)
          og_buffer_u8(out, ' ');
        if (at + k < s->size)
          og_buffer_printf(out, "%02x", s->data[at + k]);
        else
          og_buffer_text(out, "  ");
      }
      og_buffer_text(out, "  ");
      for (uint64_t k = at; k < at + WIDTH && k < s->size; k++)
        og_buffer_u8(out, s->data[k] >= 32 && s->data[k] < 127 ? s->data[k] : '.');
      og_buffer_u8(out, '\n');
      og_buffer_drain(out);
    }
  }
}
