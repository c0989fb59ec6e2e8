/* writer.h - sections of debug information under construction. */
#ifndef OG_DWARF_WRITER_H
#define OG_DWARF_WRITER_H

#include "object/elf/elf.h"

struct og_dwarf_writer {
  struct og_object *object;
  uint32_t section;
  struct og_buffer bytes;
  struct og_map known; /* of strings: where each stands, and 1 */
};

/* A section of that name may be there with contents already: what is written goes after them. */
struct og_dwarf_writer og_dwarf_begin(struct og_object *object, const char *name, bool strings);
void og_dwarf_finish(struct og_dwarf_writer *w);
void og_dwarf_string(struct og_buffer *out, struct og_text text);
/* A place in a section, of 32 bits or 64. */
void og_dwarf_reference(struct og_dwarf_writer *w, uint32_t section, uint64_t offset, bool wide);
/* A 32-bit length that counts what is put between. */
size_t og_dwarf_begin_length(struct og_dwarf_writer *w);
void og_dwarf_end_length(struct og_dwarf_writer *w, size_t from);

#endif
