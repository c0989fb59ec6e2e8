/* disassemble_parts.h - what the files that write an object as a source share. */
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
  struct og_kd_layout layout; /* of kernel descriptors */
  struct og_symbolizer symbolizer;
  struct og_printer *printer;
  struct og_buffer *out;
  struct og_arena *arena;
  int version;
  const struct og_symbol **symbols_end;
  struct og_relocations all_relocations;
  struct og_map descriptors;   /* kernel's name to the symbol of its descriptor */
  struct og_map kernels;       /* and to its own */
  struct og_map directives;    /* descriptor's bytes to its text */
  struct og_diagnostics *quiet; /* not printed */
  struct og_map section_names; /* to the index of the first section of each */
  /* Of the section in hand. */
  const struct og_section *section;
  uint32_t section_index;
  const struct og_symbol **symbols; /* of the section, by offset; those of later sections follow */
  size_t symbol_count;
  struct og_relocations relocations; /* of the section */
  size_t relocation_at;              /* the one that was asked for last */
  char label[16];                    /* what the labels of branch targets begin with */
  bool walking;                      /* nothing is printed: only the starts of units are looked for */
  bool collecting;                   /* targets are still being found */
  uint8_t *targets;                  /* a bit for each word that a branch goes to, or NULL */
  uint8_t *places;                   /* a bit for each word that a label may stand before */
  uint32_t *lines;                   /* where each word's line begins in the text of the section, or NULL, */
  size_t text_start;                 /* and the text in what is written */
  const struct og_relocation *open_branch; /* that is being named */
  struct og_dwarf *dwarf;            /* or NULL */
  const char *file;                  /* of the line named last */
  unsigned line;
};

/* ---- disassemble.c: sections */

void og_dis_section_header(struct og_dis_context *c);
/* The section's name in expressions. */
void og_dis_section_name(struct og_dis_context *c, uint32_t index, struct og_buffer *out);

/* ---- disassemble_notes.c */

void og_dis_notes(struct og_dis_context *c);

/* ---- disassemble_data.c: names, symbols, relocations, data */

void og_dis_name(struct og_buffer *out, const char *name);
/* Binding and visibility. */
void og_dis_attributes(struct og_buffer *out, const struct og_symbol *symbol, bool without_visibility);
void og_dis_type(struct og_buffer *out, const struct og_symbol *symbol);
/* The first one that fills bytes of from..to-1, or NULL. */
const struct og_relocation *og_dis_relocation(struct og_dis_context *c, uint64_t from, uint64_t to);
void og_dis_relocated(struct og_dis_context *c, const struct og_relocation *r, struct og_buffer *out);
void og_dis_hex(struct og_buffer *out, const char *lead, uint64_t value);
void og_dis_data(struct og_dis_context *c, uint64_t from, uint64_t to);

/* ---- disassemble_code.c: instructions and the labels of branch targets */

enum { OG_DIS_RUN_OF_ZEROS = 16 };
void og_dis_code(struct og_dis_context *c, uint64_t from, uint64_t to);
/* What names the targets of branches that the printer writes. */
struct og_symbolizer og_dis_symbolizer(struct og_dis_context *c);
/* Whether a label could stand at the offset; prints it if a branch goes there. */
void og_dis_label(struct og_dis_context *c, uint64_t at);
/* Prints the section's code with `print`, which goes over all of it, naming the target of each branch, and sets the
 * labels in when all are known. False, with nothing printed: not all targets have places, or it is too large. */
bool og_dis_in_one_pass(struct og_dis_context *c, void (*print)(struct og_dis_context *c));
/* Finds the targets of the section's branches; `walk` goes over all of it. */
void og_dis_find_targets(struct og_dis_context *c, void (*walk)(struct og_dis_context *c));

#endif
