/* linker.h - what the linker's two halves share: link.c decides what goes in, output.c and its kin
 * (writer.h) lay it out and write it. */
#ifndef OG_LINKER_H
#define OG_LINKER_H

#include "object/elf/archive.h"
#include "object/link/link.h"

struct ld_object;
struct ld_output;
struct ld_merger;

/* One section of an input. */
struct ld_section {
  const struct og_section *in;
  struct ld_object *object;
  uint32_t index;
  bool live;
  struct ld_output *out; /* NULL: dropped */
  uint64_t offset;       /* in out */
  uint32_t placed;       /* -r: index of the output section; 0: dropped */
  struct ld_piece *pieces; /* where it was cut into such: by rising `in` */
  uint32_t piece_count;
};

/* One string or constant of a SHF_MERGE section: where it stood, and where it stands in the output section. */
struct ld_piece {
  uint32_t in, out;
};

enum ld_state { LD_UNDEFINED, LD_DEFINED, LD_ABSOLUTE, LD_COMMON, LD_LDS, LD_EDGE /* the linker's own */ };

/* One global name. */
struct ld_symbol {
  const char *name;
  enum ld_state state;
  struct ld_object *object; /* that defines it, or referred to it first */
  const struct og_symbol *symbol;
  uint8_t binding, type, visibility; /* visibility: the most constraining of all mentions */
  uint64_t size, alignment;
  uint64_t value;     /* LDS: offset; COMMON: offset in its output; DEFINED: address, once laid out */
  uint32_t dynamic;   /* index in .dynsym; 0 none */
  uint32_t got;       /* 1 + slot in .got; 0 none */
  uint32_t symtab_index;
  bool referenced, strong_reference;
  bool wrapped;             /* --wrap makes references to it, which may not exist */
  struct ld_symbol *means;  /* what references to it become by --wrap; NULL: nothing else */
  const char *edge_of; /* EDGE: the output section's name, and which end of it */
  bool edge_end;
  const struct ld_symbol *base;   /* that --defsym counts this one from */
  const struct og_symbol *resolved;
  bool alias;
  bool fixed;               /* --defsym defines it: what objects say does not count */
  bool not_exported;        /* --version-script or --exclude-libs make it local */
  bool in_memory, in_debug; /* relocations of loaded sections name it, of others */
};

struct ld_object {
  struct og_object *elf;
  struct ld_section *sections;
  struct ld_symbol **globals; /* by symbol index; NULL for local ones */
  struct og_relocation_order order;
  bool taken;    /* part of the link; an archive member may not be */
  bool excluded; /* by --exclude-libs */
  uint32_t *symtab_index; /* of local symbols in the output's symbol table; with --emit-relocs */
};

/* An object whose symbols are being read; members that they ask for are read in between. */
struct ld_reading {
  struct ld_object *object;
  uint32_t next;
  bool references; /* the second time round */
};

struct ld_output {
  const char *name;
  uint32_t type;
  uint64_t flags, alignment, entry_size;
  int rank; /* order in the file */
  uint64_t address, offset, size;
  uint8_t *data; /* NULL: NOBITS */
  uint32_t index, name_offset;
  bool has_symbol; /* a section symbol of its own: --emit-relocs refers to it */
  uint32_t symtab_index;
  const struct ld_output *link;
  uint32_t info;
  struct ld_merger *merger; /* of the sections merged into it, or NULL */
};

struct linker {
  struct og_arena *arena;
  const struct og_link_options *options;
  struct og_diagnostics *diagnostics;
  OG_VECTOR(struct ld_object *) objects;
  OG_VECTOR(struct ld_reading) reading;
  struct og_map groups; /* signature of a COMDAT group -> the object that has it */
  struct og_map lazy;   /* name -> the archive member that defines it */
  struct og_map names;
  bool bounded;              /* __start_NAME or __stop_NAME is used */
  struct ld_object *command; /* home of what --defsym names */
  uint32_t flags; /* e_flags of all objects together */
  OG_VECTOR(struct ld_symbol *) symbols;
  OG_VECTOR(struct ld_output *) outputs;
  uint64_t lds_base, lds_size; /* LDS of the kernels themselves; and with the symbols allocated after it */
};

static inline bool ld_exported(const struct ld_symbol *s) {
  return s->state != LD_UNDEFINED && s->state != LD_LDS && !s->not_exported &&
         (s->visibility == STV_DEFAULT || s->visibility == STV_PROTECTED);
}

/* False: its section was collected as garbage, or dropped. */
static inline bool ld_is_live(const struct ld_symbol *s) {
  return s->state != LD_DEFINED || s->object->sections[s->symbol->section].out;
}

/* inputs.c */
bool ld_take_inputs(struct linker *ld, const struct og_link_input *inputs, size_t count);
bool ld_merge_targets(struct linker *ld);

/* link.c */
bool ld_is_reference(const struct ld_object *object, const struct og_symbol *symbol);
bool ld_add_symbol(struct linker *ld, struct ld_object *object, uint32_t index);
struct ld_symbol *ld_symbol_named(struct linker *ld, const char *name, struct ld_object *object); /* made if absent */
bool ld_is_table(const struct og_section *section); /* of ELF's own: the output gets new ones */

/* definitions.c: --defsym */
bool ld_start_definitions(struct linker *ld);  /* before any input */
bool ld_finish_definitions(struct linker *ld); /* after them all */

/* edges.c: where sections begin and end */
const char *ld_named_section(const char *symbol, bool *end); /* that __start_X or __stop_X means; NULL */
void ld_define_edges(struct linker *ld);
bool ld_is_ordered(const struct og_section *section); /* by priority: constructors, destructors */
void ld_order_by_priority(struct ld_section **sections, uint32_t count);

/* exports.c */
bool ld_choose_exports(struct linker *ld);

/* map.c */
void ld_write_map(const struct linker *ld, const struct ld_output *common, struct og_buffer *out);

/* partial.c */
bool ld_write_relocatable(struct linker *ld, struct og_buffer *out);

/* merge.c */
bool ld_can_merge(const struct ld_section *s);
bool ld_merge_section(struct linker *ld, struct ld_section *s); /* into s->out */
uint64_t ld_offset_in_output(const struct ld_section *s, uint64_t offset);
void ld_copy_pieces(const struct ld_section *s);

bool ld_write(struct linker *ld, struct og_buffer *out);
/* One .note for the output: records of all inputs without repetition, their metadata merged. */
bool ld_merge_notes(struct linker *ld, struct og_buffer *out);

#endif
