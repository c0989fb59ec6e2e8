/* disassemble_parts.h - what the files that turn an object into a source share. */
#ifndef OG_DISASSEMBLE_PARTS_H
#define OG_DISASSEMBLE_PARTS_H

#include "asm/asm.h"
#include "asm/disassemble.h"
#include "asm/proven.h"
#include "isa/isa.h"
#include "object/dwarf.h"

/* As many zero bytes are one directive. */
enum { OG_DIS_RUN_OF_ZEROS = 16 };

struct og_dis_context {
  const struct og_object *object;
  const struct og_dis_options *options;
  const struct og_isa *isa;
  struct og_target target;
  struct og_line_assembler *check;
  struct og_proven *proven;
  struct og_buffer *out;
  struct og_arena *arena;
  int version;
  /* Of the section in hand. */
  const struct og_section *section;
  uint32_t section_index;
  const struct og_symbol **symbols; /* of the section, by offset */
  size_t symbol_count;
  const struct og_relocation **relocations; /* by offset */
  size_t relocation_count;
  char label[16];   /* what the labels of branch targets begin with */
  size_t start;     /* of the section's text */
  bool collecting;  /* targets are still being found */
  uint8_t *targets; /* one bit for each word that a branch goes to, or NULL */
  uint32_t *places; /* by word: where its label belongs in the section's text, from 1; 0 where nothing begins with it */
  struct og_dwarf *dwarf; /* or NULL */
  const char *file; /* of the line named last */
  unsigned line;
};

/* Whether a branch goes there. */
static inline bool og_dis_is_target(const struct og_dis_context *c, uint64_t at) {
  return at % 4 == 0 && c->targets && c->targets[at / 32] >> (at / 4 % 8) & 1;
}
/* A label could stand here. */
static inline void og_dis_note_place(struct og_dis_context *c, uint64_t at) {
  if (c->places && at % 4 == 0)
    c->places[at / 4] = (uint32_t)(c->out->size - c->start + 1);
}

/* ---- disassemble_data.c ------------------------------------------------------------------------------------------ */

/* The name, quoted where it must be. */
void og_dis_name(struct og_buffer *out, const char *name);
/* `lead` and the number, at least `least` digits. */
void og_dis_hex(struct og_buffer *out, const char *lead, uint64_t value, unsigned least);
/* The first relocation from `from` and below `to`, or NULL. */
const struct og_relocation *og_dis_relocation(const struct og_dis_context *c, uint64_t from, uint64_t to);
/* Its symbol, specifier and addend. */
void og_dis_relocated(struct og_dis_context *c, const struct og_relocation *r, struct og_buffer *out);
void og_dis_data(struct og_dis_context *c, uint64_t from, uint64_t to);

/* ---- disassemble_code.c ------------------------------------------------------------------------------------------ */

void og_dis_code(struct og_dis_context *c, uint64_t from, uint64_t to);

#endif
