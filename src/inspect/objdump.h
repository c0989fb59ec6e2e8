/* objdump.h - prints an object as llvm-objdump does; og_objdump_code its code as with -d. */
#ifndef OG_OBJDUMP_H
#define OG_OBJDUMP_H

#include "object/object.h"

struct og_objdump_options {
  bool all;             /* every section, not only those with code */
  bool relocations;     /* relocations, each behind what it patches */
  bool zeroes;          /* print runs of zeros as instructions too */
  bool lines, source;   /* the line and the source that code comes from */
  bool demangle;        /* C++ names as in the source */
  bool no_addresses;    /* no addresses in front of labels and relocations */
  bool load_addresses;  /* -h with a column for them */
  const char *prefix;   /* goes in front of absolute paths, or NULL */
  unsigned strip;       /* how many leading directories the paths lose before that */
  const char *mcpu;     /* replaces what e_flags say, or NULL */
  const char *mattr;    /* features that go with it, or NULL */
  const char **symbols; /* only these, if there are any */
  size_t symbol_count;
  const char **sections;
  size_t section_count;
  uint64_t start, stop; /* the range of addresses */
  uint64_t adjust;      /* added when addresses of loaded sections are shown */
  bool symbolize;       /* names the targets of branches with labels */
};

/* Whether a section was asked for. */
bool og_objdump_wants(const struct og_objdump_options *options, const char *section);
/* Appends the disassembly. False with a diagnostic if the object's target has no instruction tables. */
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
/* -p: prints segments and the dynamic table. */
void og_objdump_private(const struct og_object *object, struct og_buffer *out);
/* -a: prints a member of an archive from its header of 60 bytes. */
void og_objdump_member(const uint8_t *header, const char *name, struct og_buffer *out);
/* Prints "name+0x4", as both kinds of listing do; `symbols` is the table to which the relocation's index belongs. */
void og_objdump_relocation_value(const struct og_object *object, const struct og_objdump_options *options,
                                 const struct og_symbol *symbols, uint32_t symbol_count,
                                 const struct og_relocation *relocation, struct og_buffer *out);
void og_objdump_name(const struct og_objdump_options *options, const char *name, struct og_buffer *out);

#endif
