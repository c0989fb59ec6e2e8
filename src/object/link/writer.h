/* writer.h - what the second half of `offgrid ld` shares: place.c (which section goes where), relocate.c
 * (what symbols stand for, relocations), tables.c (dynamic tables, symbol table), output.c (the file). */
#ifndef OG_LINK_WRITER_H
#define OG_LINK_WRITER_H

#include "object/link/linker.h"

/* Order of output sections. */
enum ld_rank {
  RANK_NOTE,
  RANK_BUILD_ID,
  RANK_DYNSYM,
  RANK_GNU_HASH,
  RANK_HASH,
  RANK_DYNSTR,
  RANK_RELA,
  RANK_READ_ONLY,
  RANK_CODE,
  RANK_RELRO,
  RANK_DYNAMIC,
  RANK_GOT,
  RANK_RELRO_PADDING,
  RANK_DATA,
  RANK_BSS,
  RANK_DEBUG,
  RANK_EMITTED,
  RANK_SYMTAB,
  RANK_SHSTRTAB,
  RANK_STRTAB
};

/* What a relocation's symbol is. */
enum ld_ref_kind { REF_CONSTANT, REF_ADDRESS, REF_DYNAMIC };
struct ld_ref {
  enum ld_ref_kind kind;
  uint64_t value; /* ADDRESS: valid once laid out */
  struct ld_symbol *global;
  const char *name;
};

struct ld_dynamic_relocation {
  const struct ld_section *place; /* NULL: GOT slot */
  uint64_t offset;
  uint32_t type;
  const struct ld_object *object; /* with symbol: what it refers to */
  uint32_t symbol;
  int64_t addend;
};

/* Relocations of one output section, kept for --emit-relocs. */
struct ld_emitted {
  struct ld_output *of, *table;
  uint32_t count;
};

struct ld_writer {
  struct linker *ld;
  uint64_t page;
  uint32_t soname, run_path; /* in .dynstr */
  struct ld_output *note, *build_id, *dynsym, *dynstr, *hash, *gnu_hash, *rela, *dynamic, *got, *bss, *symtab, *strtab,
      *shstrtab;
  OG_VECTOR(struct ld_dynamic_relocation) relative;
  OG_VECTOR(struct ld_dynamic_relocation) symbolic;
  OG_VECTOR(struct ld_symbol *) exports; /* in the order of .dynsym, from 1 */
  OG_VECTOR(struct ld_dynamic_relocation) slots; /* of the GOT: object and symbol */
  struct og_map local_slots; /* "object:symbol" */
  OG_VECTOR(struct ld_emitted) emitted;
  uint32_t undefined_exports, buckets;
  struct og_buffer strings, section_strings;
  uint64_t file_size;
  uint32_t segment_count;
};

#define LD_FAIL(w, object, ...) og_error_in((w)->ld->diagnostics, (object)->elf->name, __VA_ARGS__)

#define LD_EACH_RELOCATION(s, r)                                                                                          \
  for (uint32_t k_ = (s)->object->order.start[(s)->index]; k_ < (s)->object->order.start[(s)->index + 1]; k_++)        \
    for (const struct og_relocation *r = &(s)->object->elf->relocations.items[(s)->object->order.index[k_]]; r;        \
         r = NULL)

/* place.c */
struct ld_output *ld_add_output(struct linker *ld, const char *name, uint32_t type, uint64_t flags, uint64_t alignment,
                                int rank);
uint8_t *ld_give_data(struct linker *ld, struct ld_output *o, uint64_t size);
uint32_t ld_add_string(struct og_buffer *strings, const char *name); /* its offset */
bool ld_place_sections(struct ld_writer *w);
void ld_place_common(struct ld_writer *w);
void ld_sort_outputs(struct ld_writer *w); /* numbers and names them */
uint32_t ld_permissions(const struct ld_output *o);
bool ld_is_relro(const struct ld_output *o);
uint32_t ld_segment_kind(const struct ld_output *o);
void ld_lay_out(struct ld_writer *w);

/* edges.c: the address, and the section or NULL */
uint64_t ld_edge(const struct linker *ld, const struct ld_symbol *s, const struct ld_output **home);

/* relocate.c */
uint64_t ld_place_address(const struct ld_section *s, uint64_t offset);
struct ld_ref ld_refer_global(const struct ld_writer *w, struct ld_symbol *s);
struct ld_ref ld_refer(const struct ld_writer *w, const struct ld_object *object, uint32_t index, int64_t addend);
bool ld_scan(struct ld_writer *w); /* finds what needs the GOT or the loader */
bool ld_fill_sections(struct ld_writer *w);
void ld_raise_lds(struct ld_writer *w);

/* tables.c */
bool ld_make_notes(struct ld_writer *w);
void ld_make_dynamic_tables(struct ld_writer *w);
void ld_write_symtab(struct ld_writer *w, bool fill);
void ld_fill_tables(struct ld_writer *w);

/* emit.c: --emit-relocs */
void ld_make_emitted(struct ld_writer *w);
void ld_fill_emitted(struct ld_writer *w);

#endif
