/* objdump.h - an object's code as llvm-objdump -d prints it. */
#ifndef OG_OBJDUMP_H
#define OG_OBJDUMP_H

#include "object/object.h"

struct og_objdump_options {
  bool all;             /* every section, not only those with code */
  bool relocations;     /* in line behind what they patch */
  bool zeroes;          /* print runs of zeros as instructions too */
  bool lines, source;   /* where the code comes from */
  bool demangle;        /* C++ names in words */
  bool no_addresses;    /* in front of labels and relocations */
  bool load_addresses;  /* -h with a column of them */
  const char *prefix;   /* in front of absolute paths, or NULL */
  unsigned strip;       /* directories that these lose before */
  const char *mcpu;     /* instead of what e_flags say, or NULL */
  const char *mattr;    /* features beside them, or NULL */
  const char **symbols; /* only these, if there are any */
  size_t symbol_count;
  const char **sections;
  size_t section_count;
  uint64_t start, stop; /* addresses */
  uint64_t adjust;      /* added to the addresses of what is loaded, where they are shown */
  bool symbolize;       /* targets of branches have labels */
};

/* Whether a section is among those that were asked for. */
bool og_objdump_wants(const struct og_objdump_options *options, const char *section);
/* Appends the disassembly. False with a diagnostic where the object's target has no instruction tables. */
bool og_objdump_code(const struct og_object *object, const struct og_objdump_options *options, struct og_buffer *out,
                     struct og_diagnostics *diagnostics);
/* -h, -t and -T, -r, -R, -s. */
void og_objdump_sections(const struct og_object *object, const struct og_objdump_options *options,
                         struct og_buffer *out);
void og_objdump_symbols(const struct og_object *object, const struct og_objdump_options *options, bool dynamic,
                        struct og_buffer *out);
void og_objdump_relocations(const struct og_object *object, const struct og_objdump_options *options,
                            struct og_buffer *out);
/* False with a diagnostic if the file is not loadable. */
bool og_objdump_dynamic_relocations(const struct og_object *object, const struct og_objdump_options *options,
                                    struct og_buffer *out, struct og_diagnostics *diagnostics);
void og_objdump_contents(const struct og_object *object, const struct og_objdump_options *options,
                         struct og_buffer *out);
/* -p: segments and the dynamic table. */
void og_objdump_private(const struct og_object *object, struct og_buffer *out);
/* -a: a member by its header of 60 bytes. */
void og_objdump_member(const uint8_t *header, const char *name, struct og_buffer *out);
/* "name+0x4", as both kinds of listing have it; `symbols` is the table that the relocation counts in. */
void og_objdump_relocation_value(const struct og_object *object, const struct og_objdump_options *options,
                                 const struct og_symbol *symbols, uint32_t symbol_count,
                                 const struct og_relocation *relocation, struct og_buffer *out);
void og_objdump_name(const struct og_objdump_options *options, const char *name, struct og_buffer *out);

#endif
