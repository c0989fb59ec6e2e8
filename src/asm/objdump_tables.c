/* objdump_tables.c - sections, symbols, relocations and contents as llvm-objdump -h, -t, -r and -s print them. */
#include <string.h>

#include "asm/objdump.h"

void og_objdump_sections(const struct og_object *object, struct og_buffer *out) {
  size_t width = 13;
  for (uint32_t i = 0; i < object->sections.count; i++)
    width = OG_MAX(width, object->sections.items[i].name ? strlen(object->sections.items[i].name) : 0);
  og_buffer_printf(out, "\nSections:\nIdx %-*s Size     VMA              Type\n", (int)width, "Name");
  for (uint32_t i = 0; i < object->sections.count; i++) {
    const struct og_section *s = &object->sections.items[i];
    const char *name = s->name ? s->name : "";
    const char *type = s->flags & SHF_EXECINSTR           ? "TEXT"
                       : strncmp(name, ".debug_", 7) == 0 ? "DEBUG"
                       : !(s->flags & SHF_ALLOC)          ? ""
                       : s->type == SHT_NOBITS            ? "BSS"
                                                          : "DATA";
    og_buffer_printf(out, "%3u %-*s %08llx %016llx %s\n", i, (int)width, name, (unsigned long long)s->size,
                     (unsigned long long)s->address, type);
  }
}

static void put_symbol(const struct og_object *object, const struct og_symbol *s, struct og_buffer *out) {
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
  og_buffer_printf(out, "%016llx %c%c  %c%c%c %s\t%016llx %s", (unsigned long long)s->value,
                   !placed || weak           ? ' '
                   : s->binding == STB_LOCAL ? 'l'
                                             : 'g',
                   weak ? 'w' : ' ', s->type == STT_GNU_IFUNC ? 'i' : ' ',
                   s->type == STT_FILE || s->type == STT_SECTION ? 'd' : ' ', kind, section,
                   (unsigned long long)s->size, visibilities[s->visibility & 3]);
  og_buffer_text(out, s->type == STT_SECTION && !s->name[0] && placed ? section : s->name);
  og_buffer_u8(out, '\n');
}

void og_objdump_symbols(const struct og_object *object, struct og_buffer *out) {
  og_buffer_text(out, "\nSYMBOL TABLE:\n");
  for (uint32_t i = 1; i < object->symbols.count; i++)
    put_symbol(object, &object->symbols.items[i], out);
}

void og_objdump_relocation_value(const struct og_object *object, const struct og_relocation *relocation,
                                 struct og_buffer *out) {
  const struct og_symbol *s =
      relocation->symbol < object->symbols.count ? &object->symbols.items[relocation->symbol] : NULL;
  if (!relocation->symbol || !s)
    og_buffer_text(out, "*ABS*");
  else if (s->type == STT_SECTION && s->section < object->sections.count)
    og_buffer_text(out, object->sections.items[s->section].name);
  else
    og_buffer_text(out, s->name);
  uint64_t size = relocation->addend < 0 ? -(uint64_t)relocation->addend : (uint64_t)relocation->addend;
  if (size && !relocation->in_place)
    og_buffer_printf(out, "%c0x%llx", relocation->addend < 0 ? '-' : '+', (unsigned long long)size);
}

void og_objdump_relocations(const struct og_object *object, const struct og_objdump_options *options,
                            struct og_buffer *out) {
  struct og_buffer table = {0}; /* LLVM's -j asks for the table's own section */
  for (uint32_t section = 1; section < object->sections.count; section++) {
    bool titled = false;
    table.size = 0;
    og_buffer_printf(&table, ".rela%s", object->sections.items[section].name);
    if (!og_objdump_wants(options, (const char *)table.data))
      continue;
    for (uint32_t i = 0; i < object->relocations.count; i++) {
      const struct og_relocation *r = &object->relocations.items[i];
      if (r->section != section)
        continue;
      if (!titled)
        og_buffer_printf(out, "\nRELOCATION RECORDS FOR [%s]:\nOFFSET           TYPE                     VALUE\n",
                         object->sections.items[section].name);
      titled = true;
      const char *type = og_relocation_name(r->type);
      og_buffer_printf(out, "%016llx R_AMDGPU_%-*s ", (unsigned long long)r->offset, 15,
                       type ? type + sizeof "R_AMDGPU_" - 1 : "");
      og_objdump_relocation_value(object, r, out);
      og_buffer_u8(out, '\n');
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
