/* disassemble_parts.h - what the files share that write an object as a source. */
#ifndef OG_DISASSEMBLE_PARTS_H
#define OG_DISASSEMBLE_PARTS_H

#include "inspect/disassemble.h"
#include "isa/isa.h"
#include "object/debug/dwarf.h"

struct og_dis_context {
  const struct og_object *object;
  const struct og_dis_options *options;
  const struct og_isa *isa;
  struct og_isa own_isa;
  struct og_target target;
  struct og_kd_layout layout; /* the layout of kernel descriptors */
  struct og_symbolizer symbolizer;
  struct og_printer *printer;
  struct og_buffer *out;
  struct og_arena *arena;
  int version;
  const struct og_symbol **symbols_end;
  struct og_relocations all_relocations;
  struct og_map descriptors;   /* from a kernel's name to its descriptor's symbol */
  struct og_map kernels;       /* from a kernel's name to its own symbol */
  struct og_map directives;    /* from a descriptor's bytes to its text */
  struct og_diagnostics *quiet; /* diagnostics that are not printed */
  struct og_map section_names; /* from a name to the first section that has it */
  /* The current section. */
  const struct og_section *section;
  uint32_t section_index;
  const struct og_symbol **symbols; /* the section's, ordered by offset; those of later sections follow */
  size_t symbol_count;
  struct og_relocations relocations; /* of the section */
  size_t relocation_at;              /* index of the relocation that was asked for last */
  char label[16];                    /* the beginning of labels of branch targets */
  bool walking;                      /* nothing is printed: the walk only finds where units start */
  bool collecting;                   /* targets are still being found */
  uint8_t *targets;                  /* one bit for each word that a branch leads to, or NULL */
  uint8_t *places;                   /* one bit for each word that can have a label */
  uint32_t *lines;                   /* where each word's line begins in the section's text, or NULL */
  size_t text_start;                 /* where the section's text begins in `out` */
  const struct og_relocation *open_branch; /* the relocation of the branch that is being printed */
  struct og_dwarf *dwarf;            /* or NULL */
  const char *file;                  /* the file and line printed last */
  unsigned line;
};

/* ---- disassemble.c: sections */

void og_dis_section_header(struct og_dis_context *c);
/* Prints the section's name as expressions use it. */
void og_dis_section_name(struct og_dis_context *c, uint32_t index, struct og_buffer *out);

/* ---- disassemble_notes.c */

void og_dis_notes(struct og_dis_context *c);

/* ---- disassemble_data.c: names, symbols, relocations, data */

void og_dis_name(struct og_buffer *out, const char *name);
/* Prints binding and visibility. */
void og_dis_attributes(struct og_buffer *out, const struct og_symbol *symbol, bool without_visibility);
void og_dis_type(struct og_buffer *out, const struct og_symbol *symbol);
/* The first relocation that fills a byte of from..to-1, or NULL. */
const struct og_relocation *og_dis_relocation(struct og_dis_context *c, uint64_t from, uint64_t to);
void og_dis_relocated(struct og_dis_context *c, const struct og_relocation *r, struct og_buffer *out);
void og_dis_hex(struct og_buffer *out, const char *lead, uint64_t value);
void og_dis_data(struct og_dis_context *c, uint64_t from, uint64_t to);

/* ---- disassemble_code.c: instructions and the labels of branch targets */

enum { OG_DIS_RUN_OF_ZEROS = 16 };
void og_dis_code(struct og_dis_context *c, uint64_t from, uint64_t to);
/* The symbolizer that names the targets of branches for the printer. */
struct og_symbolizer og_dis_symbolizer(struct og_dis_context *c);
/* Notes that a label can be at the offset; prints it if a branch leads there. */
void og_dis_label(struct og_dis_context *c, uint64_t at);
/* Calls `print`, which prints all code of the section and names each branch's target, and inserts the labels when all
 * are known. False, with nothing printed: some target has no place for a label, or the section is too large. */
bool og_dis_in_one_pass(struct og_dis_context *c, void (*print)(struct og_dis_context *c));
/* Finds the targets of the section's branches; `walk` goes through all of it. */
void og_dis_find_targets(struct og_dis_context *c, void (*walk)(struct og_dis_context *c));

#endif
