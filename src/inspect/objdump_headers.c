/* objdump_headers.c - prints segments and the dynamic table as llvm-objdump -p does, and archives' members as -a
 * does. */
#include <string.h>
#include <time.h>

#include "inspect/objdump.h"
#include "object/elf/archive.h"
#include "inspect/readobj.h"

static const char *segment_title(uint32_t type) {
  switch (type) {
  case PT_DYNAMIC: return " DYNAMIC ";
  case PT_GNU_EH_FRAME: return "EH_FRAME ";
  case PT_GNU_RELRO: return "   RELRO ";
  case PT_GNU_STACK: return "   STACK ";
  case PT_INTERP: return "  INTERP ";
  case PT_LOAD: return "    LOAD ";
  case PT_NOTE: return "    NOTE ";
  case PT_PHDR: return "    PHDR ";
  case PT_TLS: return "    TLS ";
  default: return " UNKNOWN ";
  }
}

static void put_segments(const struct og_object *object, struct og_buffer *out) {
  int digits = object->elf32 ? 8 : 16;
  og_buffer_text(out, "\nProgram Header:\n");
  for (uint32_t i = 0; i < object->segments.count; i++) {
    const struct og_segment *s = &object->segments.items[i];
    unsigned long long address = s->address;
    og_buffer_printf(out, "%soff    0x%0*llx vaddr 0x%0*llx paddr 0x%0*llx align 2**%d\n", segment_title(s->type),
                     digits, (unsigned long long)s->offset, digits, address, digits, address,
                     s->alignment ? __builtin_ctzll(s->alignment) : 64);
    og_buffer_printf(out, "         filesz 0x%0*llx memsz 0x%0*llx flags %c%c%c\n", digits,
                     (unsigned long long)s->file_size, digits, (unsigned long long)s->memory_size,
                     s->flags & PF_R ? 'r' : '-', s->flags & PF_W ? 'w' : '-', s->flags & PF_X ? 'x' : '-');
  }
}

static void put_dynamic(const struct og_object *object, struct og_buffer *out) {
  uint64_t count;
  const struct og_section *table = og_dynamic_table(object, &count);
  size_t width = 0;
  og_buffer_text(out, "\nDynamic Section:\n");
  for (uint64_t i = 0; i < count; i++) {
    const char *name = og_elf_dynamic_tag(og_load64(table->data + i * 16));
    width = OG_MAX(width, name ? strlen(name) : 0);
  }
  for (uint64_t i = 0; i < count; i++) {
    uint64_t tag = og_load64(table->data + i * 16), value = og_load64(table->data + i * 16 + 8);
    const char *name = og_elf_dynamic_tag(tag), *text = og_dynamic_string(object, table, tag, value);
    if (tag == DT_NULL)
      continue;
    og_buffer_printf(out, "  %-*s ", (int)width, name ? name : "<unknown>");
    if (text)
      og_buffer_printf(out, "%s\n", text);
    else
      og_buffer_printf(out, "0x%0*llx\n", object->elf32 ? 8 : 16, (unsigned long long)value);
  }
}

void og_objdump_private(const struct og_object *object, struct og_buffer *out) {
  put_segments(object, out);
  put_dynamic(object, out);
}

/* A field of an archive member's header: digits and blanks. */
static unsigned long long header_number(const uint8_t *field, size_t size, unsigned base) {
  unsigned long long value = 0;
  for (size_t i = 0; i < size && field[i] >= '0' && field[i] < '0' + (int)base; i++)
    value = value * base + (unsigned)(field[i] - '0');
  return value;
}

void og_objdump_member(const uint8_t *header, const char *name, struct og_buffer *out) {
  unsigned mode = (unsigned)header_number(header + 40, 8, 8);
  time_t when = (time_t)header_number(header + 16, 12, 10);
  struct tm calendar;
  char date[64] = "";
  if (localtime_r(&when, &calendar))
    strftime(date, sizeof date, "%a %b %e %H:%M:%S %Y", &calendar);
  for (int bit = 8; bit >= 0; bit--)
    og_buffer_u8(out, mode >> bit & 1 ? (uint8_t) "xwr"[bit % 3] : '-');
  og_buffer_printf(out, " %llu/%llu %6llu %s %s\n", header_number(header + 28, 6, 10),
                   header_number(header + 34, 6, 10), header_number(header + 48, 10, 10), date, name);
}
