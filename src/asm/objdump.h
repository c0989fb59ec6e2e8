/* objdump.h - an object's code as llvm-objdump -d prints it. */
#ifndef OG_OBJDUMP_H
#define OG_OBJDUMP_H

#include "object/object.h"

struct og_objdump_options {
  bool all;             /* every section, not only those with code */
  bool relocations;     /* in line behind what they patch */
  bool zeroes;          /* print runs of zeros as instructions too */
  bool lines, source;   /* where the code comes from */
  const char *mcpu;     /* instead of what e_flags say, or NULL */
  const char **symbols; /* only these, if there are any */
  size_t symbol_count;
  const char **sections;
  size_t section_count;
  uint64_t start, stop; /* addresses */
};

/* Whether a section is among those that were asked for. */
bool og_objdump_wants(const struct og_objdump_options *options, const char *section);
/* Appends the disassembly. False with a diagnostic where the object's target has no instruction tables. */
bool og_objdump_code(const struct og_object *object, const struct og_objdump_options *options, struct og_buffer *out,
                     struct og_diagnostics *diagnostics);
/* -h, -t, -r, -s. */
void og_objdump_sections(const struct og_object *object, struct og_buffer *out);
void og_objdump_symbols(const struct og_object *object, struct og_buffer *out);
void og_objdump_relocations(const struct og_object *object, const struct og_objdump_options *options,
                            struct og_buffer *out);
void og_objdump_contents(const struct og_object *object, const struct og_objdump_options *options,
                         struct og_buffer *out);
/* "name+0x4", as both kinds of listing have it. */
void og_objdump_relocation_value(const struct og_object *object, const struct og_relocation *relocation,
                                 struct og_buffer *out);

#endif
