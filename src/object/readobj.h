/* readobj.h - an AMDGPU ELF file as llvm-readobj and llvm-readelf print it. */
#ifndef OG_READOBJ_H
#define OG_READOBJ_H

#include "object/object.h"

struct og_readobj_options {
  bool gnu; /* llvm-readelf's style */
  bool file_header, sections, segments, symbols, dynamic_symbols, relocations, notes, dynamic_table;
  const char *const *hex_dump;    /* NULL-terminated names or numbers */
  const char *const *string_dump;
};

void og_readobj(const struct og_object *object, const struct og_readobj_options *options, struct og_buffer *out);

/* Shared by both styles. */
const char *og_elf_section_type(uint32_t type);
const char *og_elf_segment_type(uint32_t type);
const char *og_elf_dynamic_tag(uint64_t tag);
uint32_t og_elf_names_section(const struct og_object *object); /* e_shstrndx */
/* Flags of the header as names and values, sorted by name as LLVM does; yields their number, at most 4. */
struct og_flag_name {
  const char *name;
  uint32_t value;
};
size_t og_elf_flag_names(struct og_arena *arena, const struct og_object *object, struct og_flag_name *out);
void og_readobj_dump(const struct og_object *object, const struct og_readobj_options *options, struct og_buffer *out);
void og_readobj_gnu(const struct og_object *object, const struct og_readobj_options *options, struct og_buffer *out);
/* What an AMD note says: "AMD HSA ISA Name", and its value as text; metadata as YAML. NULL for notes without a known form. */
const char *og_note_value(struct og_arena *arena, const struct og_object *object, const struct og_note *note, const char **title, const char **type);

#endif
