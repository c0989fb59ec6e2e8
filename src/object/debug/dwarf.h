/* dwarf.h - DWARF for assembly sources: writing line tables and units, finding the line of an address. */
#ifndef OG_DWARF_H
#define OG_DWARF_H

#include "object/elf/elf.h"

struct og_line_file {
  struct og_text name;
  uint32_t directory; /* index into og_line_table.directories */
  bool given;         /* for the assembler: .file has said it */
  bool has_md5;
  uint8_t md5[16];
  bool has_source; /* text embedded: content type 0x2001 (user guide, "Additional DWARF content types") */
  struct og_text source;
};

enum og_line_flags {
  OG_LINE_NOT_STATEMENT = 1,
  OG_LINE_BASIC_BLOCK = 2,
  OG_LINE_PROLOGUE_END = 4,
  OG_LINE_EPILOGUE_BEGIN = 8
};

struct og_line_row {
  uint32_t section; /* index in the object */
  uint64_t offset;  /* in it, a multiple of 4 */
  uint32_t file;    /* index into files */
  uint32_t line;    /* from 1 */
  uint32_t column;  /* from 1; 0: the whole line */
  uint32_t discriminator, isa;
  uint8_t flags;
  bool is_label; /* no row: the sequence ends here, and what comes stands after a label */
  uint64_t at;   /* of a label, found when writing: its offset in .debug_line */
};

struct og_line_label {
  struct og_text name;
  uint32_t section, file, line;
  uint64_t offset;
};

/* What the assembler collects; all of it lives in `arena`. */
struct og_line_table {
  struct og_arena *arena;
  int version;                            /* of DWARF: 2 to 5; below 5 only the lines can be written */
  OG_VECTOR(struct og_text) directories;  /* [0]: where the assembler ran */
  OG_VECTOR(struct og_line_file) files;   /* [0]: the source itself; below version 5 it is nothing */
  OG_VECTOR(struct og_line_row) rows;     /* for each section by rising offset */
  OG_VECTOR(struct og_line_label) labels; /* for the unit */
};

/* Adds .debug_line and, with version 5, .debug_line_str. Sections must have their final sizes. */
void og_dwarf_write_lines(struct og_object *object, struct og_line_table *table);
/* Adds .debug_abbrev, .debug_info, .debug_rnglists and .debug_aranges: one unit with a DW_TAG_label
 * for each label, as `as -g` does. */
void og_dwarf_write_unit(struct og_object *object, const struct og_line_table *table);

/* ---- reading ----------------------------------------------------------------------------------------------------- */

struct og_dwarf;

/* NULL where it has no debug information or none that can be read. The object's bytes must outlive it. In a relocatable
 * object addresses are offsets in a section. */
struct og_dwarf *og_dwarf_open_object(const struct og_object *object);
void og_dwarf_close(struct og_dwarf *dwarf);
/* The line that made the code at an address (before loading) of a section; false where none is known. `section` matters
 * in relocatable objects only. `file` lives as long as `dwarf`. */
bool og_dwarf_find(struct og_dwarf *dwarf, uint32_t section, uint64_t address, const char **file, unsigned *line,
                   unsigned *column);
/* The linkage name of the function that the code there was written in, inlined ones included; NULL where unknown. */
const char *og_dwarf_function(struct og_dwarf *dwarf, uint32_t section, uint64_t address);
/* The directory that relative names of files there start from, or NULL. */
const char *og_dwarf_directory(struct og_dwarf *dwarf, uint32_t section, uint64_t address);
/* A line for each variable: its name, the memory it is in, its type. */
void og_dwarf_print_variables(struct og_dwarf *dwarf, struct og_buffer *out);
/* Each variable that the function at an address tells to be at a constant place in LDS or a lane's private memory (user
 * guide, "AMDGPU DWARF Address Space Identifier"), by its place and size in bytes, perhaps several times; "": it has no
 * name. False: it tells none, or `seen` or what stands there did not please. Not of relocatable objects. */
enum og_dwarf_space { OG_DWARF_LOCAL = 3, OG_DWARF_PRIVATE = 5 };
typedef bool og_dwarf_placed(void *context, const char *name, uint64_t at, uint64_t size);
bool og_dwarf_places(struct og_dwarf *dwarf, uint64_t address, enum og_dwarf_space space, og_dwarf_placed *seen,
                     void *context);
struct Dwarf *og_dwarf_handle(struct og_dwarf *dwarf); /* for libdw */

#endif
