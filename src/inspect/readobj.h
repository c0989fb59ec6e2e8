/* readobj.h - prints an AMDGPU ELF file as llvm-readobj and llvm-readelf do. */
#ifndef OG_READOBJ_H
#define OG_READOBJ_H

#include "object/elf/elf.h"
#include "object/metadata/metadata.h"

struct og_readobj_options {
  bool gnu; /* llvm-readelf's style */
  bool file_header, sections, segments, symbols, dynamic_symbols, relocations, notes, dynamic_table, versions, groups,
      histograms, address_table, stack_sizes, dynamic_relocations, libraries, section_mapping, hash_table,
      gnu_hash_table;
  bool unwind;              /* refused if there is something to print */
  bool section_details;     /* flags in words; in readelf's style it replaces `sections` */
  bool extra_symbol_facts;  /* sections' names beside symbols; only in readelf's style */
  bool section_relocations, section_symbols, section_data; /* for each section that is listed; not in readelf's style */
  bool demangle, expand_relocations;
  const char *const *hex_dump;    /* NULL-terminated names or numbers */
  const char *const *string_dump;
};

void og_readobj(const struct og_object *object, const struct og_readobj_options *options, struct og_buffer *out);

/* Both styles use these. */
const char *og_elf_section_type(uint32_t type);
const char *og_elf_segment_type(uint32_t type);
const char *og_elf_dynamic_tag(uint64_t tag);
uint32_t og_elf_names_section(const struct og_object *object); /* the section that e_shstrndx names */
/* The header's flags as names and values, sorted by name as LLVM does; returns how many, at most 4. */
struct og_flag_name {
  const char *name;
  uint32_t value;
};
size_t og_elf_flag_names(struct og_arena *arena, const struct og_object *object, struct og_flag_name *out);
/* Steps through the relocation sections, beginning with a zeroed table; false after the last. */
struct og_relocation_table {
  uint32_t index; /* the section's */
  const struct og_section *section;
  const struct og_relocation *items;
  uint64_t count, seen, seen_applied; /* entries in it; entries in all tables so far, of each kind */
  bool applied; /* kept in a linked file */
  const struct og_symbol *symbols;
};
bool og_next_relocation_table(const struct og_object *object, struct og_relocation_table *table);
/* The name of a relocation's symbol, or of the section for which the symbol stands; "" if it has none. */
const char *og_relocation_target(const struct og_object *object, const struct og_relocation_table *table,
                                 const struct og_relocation *relocation);
/* The dynamic section and the number of its entries, DT_NULL included; NULL: there is none. */
const struct og_section *og_dynamic_table(const struct og_object *object, uint64_t *count);
/* The text that an entry names; NULL: it names none. */
const char *og_dynamic_string(const struct og_object *object, const struct og_section *table, uint64_t tag,
                              uint64_t value);
const char *og_dynamic_string_title(uint64_t tag); /* "Library soname" */
uint64_t og_elf_name_offset(const struct og_object *object, uint32_t table, const char *name); /* a string table's */
void og_readobj_section_groups(const struct og_object *object, bool gnu, struct og_buffer *out);
void og_readobj_address_table(const struct og_object *object, bool gnu, struct og_buffer *out);
void og_readobj_hash_table(const struct og_object *object, struct og_buffer *out);
void og_readobj_gnu_hash_table(const struct og_object *object, struct og_buffer *out);
void og_readobj_libraries(const struct og_object *object, struct og_buffer *out);
void og_readobj_histograms(struct og_arena *arena, const struct og_object *object, bool gnu, struct og_buffer *out);
void og_readobj_dump(const struct og_object *object, const struct og_readobj_options *options, struct og_buffer *out);
void og_readobj_gnu(const struct og_object *object, const struct og_readobj_options *options, struct og_buffer *out);
/* What an AMD note is called ("AMD HSA ISA Name"), and its value as text; metadata as YAML. NULL for notes of unknown
 * form. */
const char *og_note_value(struct og_arena *arena, const struct og_object *object, const struct og_note *note,
                          const char **title, const char **type);

#endif
