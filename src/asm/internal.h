/* internal.h - what the files of the assembler share: its state, cursor, expressions, symbols, sections. */
#ifndef OG_ASM_INTERNAL_H
#define OG_ASM_INTERNAL_H

#include "asm/asm.h"
#include "isa/text/text.h"
#include "object/debug/dwarf.h"
#include "object/code/pal.h"

/* ---- expressions ------------------------------------------------------------------------------------------------- */

enum og_expr_kind { OG_EXPR_CONSTANT, OG_EXPR_SYMBOL, OG_EXPR_UNARY, OG_EXPR_BINARY, OG_EXPR_CALL };

/* Relocation specifiers, as written behind a symbol. */
#define OG_SPECIFIERS(X)                                                                                              \
  X(GOTPCREL, "gotpcrel") X(GOTPCREL32_LO, "gotpcrel32@lo") X(GOTPCREL32_HI, "gotpcrel32@hi") X(REL32_LO, "rel32@lo")  \
  X(REL32_HI, "rel32@hi") X(REL64, "rel64") X(ABS32_LO, "abs32@lo") X(ABS32_HI, "abs32@hi") X(ABS64, "abs64")
#define OG_SPECIFIER_ENUM(id, text) OG_SPECIFIER_##id,
enum og_specifier { OG_SPECIFIER_NONE, OG_SPECIFIERS(OG_SPECIFIER_ENUM) OG_SPECIFIER_COUNT };
extern const char *const og_specifier_names[OG_SPECIFIER_COUNT];

/* Operators that are not their own character. */
enum { OG_OP_SHL = 256, OG_OP_SHR, OG_OP_EQ, OG_OP_NE, OG_OP_LE, OG_OP_GE, OG_OP_AND, OG_OP_OR };

struct og_expr {
  uint8_t kind, specifier;
  uint16_t op;     /* UNARY, BINARY; CALL: enum og_function */
  uint32_t depth;  /* depth of the tree, so that walking it never exhausts the stack */
  uint32_t count;
  union {
    int64_t value;
    struct og_asm_symbol *symbol;
    struct {
      const struct og_expr *left, *right; /* UNARY: left */
    };
    const struct og_expr **args; /* CALL: count of them */
  };
};

/* The value of an expression: add - sub + constant. */
struct og_value {
  struct og_asm_symbol *add, *sub;
  int64_t constant;
  uint8_t specifier;
};

/* ---- symbols and sections ---------------------------------------------------------------------------------------- */

enum og_symbol_kind { OG_SYMBOL_UNDEFINED, OG_SYMBOL_LABEL, OG_SYMBOL_VARIABLE, OG_SYMBOL_COMMON, OG_SYMBOL_LDS };

struct og_asm_symbol {
  struct og_text name;
  uint8_t kind, binding, type, visibility;
  bool temporary : 1;    /* .L names and those without a name: never in the symbol table */
  bool binding_set : 1;  /* by a directive */
  bool used : 1;         /* in an expression */
  bool relocated : 1;    /* in a relocation, or made by a directive: stays in the symbol table */
  bool redefinable : 1;  /* .set rather than .equiv */
  bool visiting : 1;     /* being evaluated: finds cycles */
  bool is_section : 1;
  bool in_lines : 1;     /* .loc_label: its place is known once the line table is written */
  bool signature : 1;    /* of a section group */
  bool reference : 1;    /* .weakref's alias: in no table */
  bool weakly_named : 1; /* the target of .weakref: weak, and in the table only if needed, unless something else is
                            said about it */
  bool passed_over : 1;  /* named so far only without effect: listed when named again */
  bool renamed : 1;      /* by .symver: in the object it has another name */
  bool has_alias : 1;    /* .lto_set_conditional gave it another name for when it is defined */
  union {
    struct og_chunk *chunk;     /* LABEL */
    const struct og_expr *expr; /* VARIABLE; NULL where it is a number */
    uint64_t alignment;         /* COMMON, LDS */
  };
  int64_t value;              /* LABEL: offset in the chunk; VARIABLE without expr: value; COMMON, LDS: size */
  const struct og_expr *size; /* .size */
  struct og_range place;      /* first use or definition */
  uint32_t index;             /* in the object */
};

/* Symbols in the order they were made, in blocks that stay where they are, and slots that lead from names to them. */
enum { OG_SYMBOL_BLOCK = 256 };
struct og_symbol_slot {
  uint32_t hash, number; /* number + 1 of the symbol; 0: free */
};
struct og_symbol_table {
  OG_VECTOR(struct og_asm_symbol *) blocks;
  struct og_symbol_slot *slots; /* two to the power of `bits`; none if 0 */
  uint32_t count, named, bits;
};
static inline struct og_asm_symbol *og_symbol_at(const struct og_symbol_table *table, uint32_t number) {
  return &table->blocks.items[number / OG_SYMBOL_BLOCK][number % OG_SYMBOL_BLOCK];
}

/* A piece whose size is known only once all is read (layout.c). */
enum og_break_kind {
  OG_BREAK_LEB128,
  OG_BREAK_FILL,   /* `expr` times the pattern */
  OG_BREAK_ORG,    /* up to `expr` */
  OG_BREAK_ALIGN,
  OG_BREAK_BRANCH, /* the s_nop behind a branch to `expr` over 63 dwords, on gfx10.1 */
};
struct og_break {
  uint64_t offset; /* the offset behind it when read */
  uint64_t size;
  int64_t moved; /* how far everything behind it has moved since it was read */
  union {
    const struct og_expr *expr;
    uint64_t most; /* ALIGN: at most so many bytes, or nothing; 0 is no limit */
  };
  struct og_range range;
  uint8_t kind, placeholder; /* placeholder bytes when it was read */
  bool is_signed, is_code;   /* LEB128; ALIGN: zeros in front of the pattern make up a whole word */
  uint8_t power;             /* ALIGN: to two to that */
  uint8_t pattern_size, pattern[8];
};

/* A run of bytes of a section: one for each subsection. */
struct og_chunk {
  struct og_asm_section *section;
  struct og_chunk *next; /* by rising number */
  int64_t number;
  struct og_buffer bytes; /* as they were read, with placeholders for breaks; empty for NOBITS */
  uint64_t size;          /* NOBITS; else bytes.size counts */
  uint64_t base;          /* in the section, known at the end */
  OG_VECTOR(struct og_break) breaks;
};

struct og_asm_section {
  const char *name;
  const char *group;
  bool plain_group; /* not a COMDAT one */
  uint32_t type;
  uint64_t flags, entry_size, alignment;
  uint64_t unique; /* number + 1 of those of one name */
  struct og_chunk *chunks;
  struct og_asm_symbol *symbol; /* STT_SECTION */
  struct og_asm_symbol *linked; /* SHF_LINK_ORDER: defined in the section that comes first */
  uint32_t index;               /* in the object */
  bool laid_out;                /* its chunks have places, and what is in them */
  struct og_buffer bytes;       /* of all chunks, once all is laid out; empty for NOBITS */
  uint64_t size;
};

/* Bytes to fill in once everything is laid out. */
enum og_fixup_kind {
  OG_FIXUP_DATA,    /* size bytes */
  OG_FIXUP_PCREL,   /* 4 bytes, relative to themselves unless the specifier says otherwise: literals */
  OG_FIXUP_BRANCH,  /* low 16 bits of SOPP/SOPK: words from the next instruction */
  OG_FIXUP_NAMED,   /* a relocation whose type `size` says */
};
struct og_fixup {
  struct og_chunk *chunk;
  uint64_t offset;
  const struct og_expr *expr;
  struct og_range range;
  uint8_t kind, size;
};

/* .reloc: where it stands is known once everything is laid out. */
struct og_asm_relocation {
  struct og_fixup fixup;
  struct og_operand_value place;
};
/* A procedure between .cfi_startproc and .cfi_endproc. */
struct og_asm_frame_mark {
  uint64_t at; /* in the rules: */
  struct og_asm_symbol *symbol; /* .cfi_label, */
  uint64_t place;               /* or NULL and from where on the rules hold */
};
struct og_asm_frame {
  struct og_chunk *chunk;
  struct og_asm_symbol *begin;
  struct og_text personality, lsda; /* names of symbols */
  uint64_t end; /* of its code */
  int64_t cfa_offset;
  struct og_buffer rules; /* call frame instructions */
  OG_VECTOR(struct og_asm_frame_mark) marks;
  struct og_range range;
  uint32_t return_column;
  int16_t personality_encoding, lsda_encoding;
  bool signal, simple;
};
enum { OG_FRAMES_EH = 1, OG_FRAMES_DEBUG = 2, OG_FRAMES_CHOSEN = 4, OG_FRAMES_SFRAME = 8 };

/* .cg_profile: how often one function calls another. The names are symbols only once everything else is read. */
struct og_asm_calls {
  struct og_text ends[2]; /* caller, callee */
  struct og_range places[2];
  uint64_t count;
};

/* .symver: another name of a symbol. */
struct og_asm_version {
  struct og_asm_symbol *symbol;
  struct og_text alias;
  bool instead; /* @@@: the symbol's only name */
};

/* ---- input ------------------------------------------------------------------------------------------------------- */

struct og_condition {
  bool taken, met, in_else; /* now assembling; some branch was; .else seen */
  struct og_range range;
};

/* A text being read: a file or a macro's instantiation. */
struct og_input {
  struct og_source *source;
  struct og_input *outer;
  const char *resume;      /* cursor of the outer text */
  bool is_macro;
  uint32_t condition_depth; /* when it began */
};

struct og_macro_parameter {
  struct og_text name, default_value;
  bool required, vararg;
};
struct og_macro {
  struct og_text name, body;
  struct og_macro_parameter *parameters;
  uint32_t parameter_count, expansions;
  bool purged;
};

struct og_pending_kernel {
  struct og_asm_symbol *kernel;
  struct og_chunk *chunk;
  uint64_t offset;
  struct og_range end;
  struct og_kd_values values;
  const struct og_expr *expr[OG_KDD_COUNT];
  unsigned last; /* the directive that was given last, plus one */
  bool open;     /* there are expressions, whose value may still change */
};

/* A field of an amd_kernel_code_t whose value depends on symbols that come later. */
struct og_pending_field {
  const struct og_kernel_code_field *field;
  const struct og_expr *expr;
  struct og_chunk *chunk;
  uint64_t offset; /* of the amd_kernel_code_t */
  struct og_range range;
};

/* Where an instruction stands and the line it was written in, for debuggers. */
struct og_line {
  struct og_chunk *chunk;
  uint64_t offset;
  uint32_t file, line, column, discriminator, isa;
  uint8_t flags; /* enum og_line_flags */
  struct og_asm_symbol *label; /* .loc_label: no line, but a place in the table */
};

struct og_debug {
  OG_VECTOR(struct og_line) lines;
  OG_VECTOR(const struct og_source *) sources; /* -g: the files that instructions stand in */
  const struct og_source *source;              /* of the line counted last, */
  uint32_t file, line, offset;                 /* and where that begins */
  OG_VECTOR(struct og_text) directories;       /* .file */
  OG_VECTOR(struct og_line_file) files;
  bool has_root; /* .file 0: DWARF 5 */
  struct og_line loc; /* .loc, for the next instruction if pending */
  bool pending;
};

struct og_section_place {
  struct og_chunk *now, *before; /* .previous */
};

/* Labels such as 1: by their digit. */
struct og_local_label {
  uint32_t count;                    /* so far */
  struct og_asm_symbol *last, *next; /* 1b; 1f, NULL where nothing asked for it yet */
};
/* A label such as 1f where it is used. */
struct og_local_use {
  struct og_asm_symbol *symbol;
  struct og_range range;
};

enum { OG_ASM_BYTES_MOST = 1 << 28 }; /* limit for what a few lines can grow to by files and padding */

struct og_asm {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  const struct og_asm_options *options;
  struct og_target target;
  struct og_inst_reader reader; /* of instructions */
  int version;

  const char *p;      /* cursor; every text ends in a NUL */
  const char *statement; /* where the statement begins */
  struct og_input *input;
  uint32_t input_depth;
  uint64_t expansions, expanded_bytes;
  uint64_t emitted; /* bytes in all sections, at most: */
  bool outside; /* of any section yet: -n */
  bool stopped; /* .end, or too much to go on */

  struct og_symbol_table symbols;
  struct og_map aliases; /* of symbols that have one: struct og_text */
  struct og_map renames; /* names in the object of those that have others there: struct og_text */
  struct og_map sections, macros, directives;
  OG_VECTOR(struct og_asm_symbol *) symbol_order;
  OG_VECTOR(struct og_asm_symbol *) late_symbols;    /* listed behind all others if nothing else names them */
  OG_VECTOR(struct og_asm_symbol *) address_symbols; /* .addrsig_sym */
  OG_VECTOR(struct og_asm_section *) section_order;
  OG_VECTOR(struct og_fixup) fixups;
  OG_VECTOR(struct og_asm_relocation) relocations; /* .reloc */
  OG_VECTOR(struct og_asm_calls) calls;            /* .cg_profile */
  OG_VECTOR(struct og_asm_version) versions;       /* .symver */
  OG_VECTOR(struct og_asm_probes *) probes;        /* .pseudoprobe: a tree for each function */
  OG_VECTOR(struct og_asm_frame *) frames;         /* .cfi_startproc */
  struct og_asm_frame *frame;                      /* not ended yet */
  uint8_t frame_sections;
  uint32_t breaks; /* in all chunks */
  struct og_node *pal_document, *pal_document_registers; /* .amdgpu_pal_metadata, and its map of registers; or NULL */
  OG_VECTOR(struct og_pal_register) pal_registers;       /* .amd_amdgpu_pal_metadata */
  OG_VECTOR(struct og_condition) conditions;
  OG_VECTOR(struct og_section_place) section_stack;
  OG_VECTOR(struct og_pending_kernel *) kernels; /* those with expressions that are still open */
  struct og_pending_kernel *spare_kernel;
  struct og_kd_layout *descriptors; /* of the target; NULL until one comes */
  uint8_t next_directive[OG_KDD_COUNT + 1]; /* which directive came behind which, plus one: mostly it comes again */
  OG_VECTOR(struct og_pending_field) fields;
  struct og_debug debug;
  struct og_chunk *chunk, *previous_chunk;
  struct og_asm_section *text;
  struct og_buffer notes;
  OG_VECTOR(struct og_local_use) local_uses; /* of 0f .. 9f */
  struct og_local_label local_labels[10]; /* 0: .. 9: */
  uint32_t temporaries;
  uint32_t macro_count; /* \@ */
  bool alternate_macros; /* .altmacro */
  uint32_t evaluation_steps;

  /* Code object: symbols that follow the registers used. */
  struct og_asm_symbol *next_free_vgpr, *next_free_sgpr;
  bool target_seen;
  bool version_said; /* by .amdhsa_code_object_version */
  struct og_object *object;
};

/* ---- asm.c: cursor, places, errors ------------------------------------------------------------------------------- */

void og_asm_skip_comment(struct og_asm *as);
static inline void og_asm_space(struct og_asm *as) {
  as->p = og_after_blanks(as->p);
  if (*as->p == '/')
    og_asm_skip_comment(as);
}
/* Skips blanks: what stands behind them. */
static inline const char *og_asm_at(struct og_asm *as) { return og_asm_space(as), as->p; }
static inline bool og_asm_at_end(const struct og_asm *as) { return og_ends_statement(as->p); }
struct og_range og_asm_range(const struct og_asm *as, const char *from, const char *to);
/* Error at `at` for `size` bytes; yields false. */
bool og_asm_error(struct og_asm *as, const char *at, size_t size, const char *format, ...) OG_PRINTF(4, 5);
/* The same from there to the cursor. */
#define og_asm_refuse(as, from, ...) og_asm_error(as, from, (size_t)((as)->p - (from)), __VA_ARGS__)
void og_asm_warning(struct og_asm *as, const char *at, size_t size, const char *format, ...) OG_PRINTF(4, 5);
/* Skips blanks and the character, if it is there. */
bool og_asm_accept(struct og_asm *as, char c);
bool og_asm_expect(struct og_asm *as, char c, const char *message); /* the same; `message` is the error otherwise */
/* The end of the statement; an error otherwise. */
static inline bool og_asm_end(struct og_asm *as, const char *message) {
  og_asm_space(as);
  return og_asm_at_end(as) || og_asm_error(as, as->p, 1, "%s", message);
}
static inline bool og_asm_expect_end(struct og_asm *as) { return og_asm_end(as, "expected newline"); }
static inline bool og_asm_no_more(struct og_asm *as) { return og_asm_end(as, "unexpected token"); } /* behind a list */
static inline bool og_asm_comma(struct og_asm *as) { return og_asm_expect(as, ',', "expected comma"); }
/* The name that begins here. */
static inline struct og_text og_asm_word_here(struct og_asm *as) {
  const char *start = as->p;
  as->p = og_after_wide_name(start, as->reader.wide);
  return (struct og_text){start, (size_t)(as->p - start)};
}
/* A name; empty if there is none. */
static inline struct og_text og_asm_word(struct og_asm *as) {
  return og_name_start(*og_asm_at(as)) ? og_asm_word_here(as) : (struct og_text){as->p, 0};
}
bool og_asm_name(struct og_asm *as, struct og_text *name); /* a name or a quoted one; error otherwise */
bool og_asm_directive_name(struct og_asm *as, struct og_text *name); /* the same, "... in directive" */
/* A quoted string, escapes resolved, in the arena. */
bool og_asm_string(struct og_asm *as, struct og_text *out);
bool og_asm_plain_string(struct og_asm *as, struct og_text *out); /* with its escapes as they stand */
bool og_asm_quoted_name(struct og_asm *as, struct og_text *out);  /* a symbol's name in quotes */
void og_asm_skip_line(struct og_asm *as); /* to behind the newline */
bool og_asm_push_input(struct og_asm *as, const char *name, const char *text, size_t size, bool is_macro);
bool og_asm_skipping(const struct og_asm *as);

/* ---- expressions.c ----------------------------------------------------------------------------------------------- */

bool og_asm_parse_value(struct og_asm *as, struct og_operand_value *out); /* false with a diagnostic */
/* Label differences stay expressions: a literal's size must not depend on what is known so far. */
bool og_asm_parse_unfolded(struct og_asm *as, struct og_operand_value *out);
bool og_asm_parse_primary(struct og_asm *as, struct og_operand_value *out); /* no operators of two sides */
bool og_asm_parse_absolute(struct og_asm *as, int64_t *out);
const struct og_expr *og_asm_constant(struct og_asm *as, int64_t value);
const struct og_expr *og_asm_symbol_expr(struct og_asm *as, struct og_asm_symbol *symbol, uint8_t specifier);
const struct og_expr *og_asm_binary(struct og_asm *as, unsigned op, const struct og_expr *left,
                                    const struct og_expr *right);
/* An integer literal, at the cursor, of any base; false if it is none or too large. Moves behind it. */
bool og_asm_integer(struct og_asm *as, uint64_t *out);

/* ---- evaluate.c, print_expression.c ------------------------------------------------------------------------------ */

/* False if it does not come to that form; *why is then the reason or NULL. */
bool og_asm_evaluate(struct og_asm *as, const struct og_expr *expr, struct og_value *out, const char **why);
bool og_asm_evaluate_absolute(struct og_asm *as, const struct og_expr *expr, int64_t *out);
bool og_asm_has_specifier(const struct og_expr *expr); /* anywhere in it */
void og_asm_print_expr(struct og_asm *as, const struct og_expr *expr, struct og_buffer *out);

/* ---- symbols.c --------------------------------------------------------------------------------------------------- */

/* Symbols are listed in the order of their first use: moves the symbols of `e` at *next or
 * later to *next, in `e`'s order. */
void og_asm_use_next(struct og_asm *as, const struct og_expr *e, uint32_t *next);
struct og_asm_symbol *og_asm_symbol(struct og_asm *as, struct og_text name); /* made if absent */
struct og_asm_symbol *og_asm_find_symbol(const struct og_asm *as, struct og_text name); /* NULL if absent */
struct og_asm_symbol *og_asm_new_symbol(struct og_asm *as, struct og_text name); /* that no name leads to */
/* Unlists the symbols beyond the first `known` until they are named again. */
void og_asm_pass_over(struct og_asm *as, uint32_t known);
struct og_asm_symbol *og_asm_late_symbol(struct og_asm *as, struct og_text name); /* listed last, or when named again */
struct og_asm_symbol *og_asm_place(struct og_asm *as); /* a label at the current place that is never printed */
struct og_asm_symbol *og_asm_temporary(struct og_asm *as);                   /* a label at the current place */
bool og_asm_define_label(struct og_asm *as, struct og_asm_symbol *symbol, const char *at);
bool og_asm_set(struct og_asm *as, struct og_text name, struct og_operand_value value, bool redefinable,
                const char *at);
/* The same, listed as a symbol that is kept: .set and its kin. */
bool og_asm_set_kept(struct og_asm *as, struct og_asm_symbol *symbol, struct og_text name,
                     struct og_operand_value value, bool redefinable, const char *at);
/* Makes `alias` another name of `symbol`. */
bool og_asm_alias(struct og_asm *as, struct og_asm_symbol *symbol, struct og_text alias, const char *at);
struct og_asm_symbol *og_asm_local_label(struct og_asm *as, unsigned digit, bool forward);
struct og_asm_section *og_asm_section(struct og_asm *as, const char *name, uint32_t type, uint64_t flags);
struct og_chunk *og_asm_subsection(struct og_asm *as, struct og_asm_section *section, int64_t number);
void og_asm_switch(struct og_asm *as, struct og_chunk *chunk);
static inline uint64_t og_asm_here(const struct og_asm *as) {
  return as->chunk->section->type == SHT_NOBITS ? as->chunk->size : as->chunk->bytes.size;
}
bool og_asm_emit(struct og_asm *as, const void *bytes, size_t size); /* false: nonzero bytes in NOBITS */
bool og_asm_all_zero(struct og_asm *as, const uint8_t *bytes, size_t size); /* error for a NOBITS section otherwise */
void og_asm_emit_fixup(struct og_asm *as, unsigned size, enum og_fixup_kind kind, uint64_t offset,
                       const struct og_expr *expr, struct og_range range);
/* Writes at least `least` bytes, at most 10; yields how many. */
size_t og_asm_leb128(uint8_t *bytes, int64_t value, bool is_signed, size_t least);
/* Lays out, resolves fixups, fills the object. */
bool og_asm_finish(struct og_asm *as);

/* ---- layout.c ---------------------------------------------------------------------------------------------------- */

/* A break here, which repeats a pattern of up to 8 bytes; NULL with a diagnostic where it cannot stand. */
struct og_break *og_asm_break(struct og_asm *as, enum og_break_kind kind, const struct og_expr *expr,
                              struct og_range range, const uint8_t *pattern, size_t pattern_size);
uint64_t og_asm_padding(const struct og_break *alignment, uint64_t at); /* how many bytes it takes there */
/* The place in its section of what was read at that offset, as far as known. */
uint64_t og_asm_offset(const struct og_chunk *chunk, uint64_t offset);
static inline uint64_t og_asm_address(const struct og_asm_symbol *label) {
  return og_asm_offset(label->chunk, (uint64_t)label->value);
}
bool og_asm_distance_known(const struct og_asm_symbol *a, const struct og_asm_symbol *b); /* of labels */
/* Gives every break its size. */
bool og_asm_settle(struct og_asm *as);
/* The bytes of all sections. */
void og_asm_write_sections(struct og_asm *as);

/* ---- directives: `at` is the first character --------------------------------------------------------------------- */

typedef bool (*og_directive)(struct og_asm *as, const char *at, int arg);
struct og_directive_row {
  const char *name;
  og_directive run;
  int arg;
};
extern const struct og_directive_row og_data_directives[], og_place_directives[], og_file_directives[],
    og_section_directives[], og_symbol_directives[], og_frame_directives[], og_macro_directives[],
    og_amdgpu_directives[], og_condition_directives[], og_note_directives[];
enum { OG_IF_NUMBER_FIRST = 1000 }; /* args of conditionals, which run even where text is skipped */
enum { /* with arg: */
  OG_LEAVES_REST = 1 << 30, /* what follows in the line is a statement of its own */
  OG_EACH = 1 << 29,        /* run for each item of a list with commas, which may be empty; `at` is the item's */
  OG_ROW_FLAGS = OG_LEAVES_REST | OG_EACH
};
/* A directive that depends only on its arguments. */
#define OG_DIRECTIVE(name) \
  static bool name(struct og_asm *as, __attribute__((unused)) const char *at, __attribute__((unused)) int arg)
/* sections.c: for directives after which no statement may follow in the line; lists the current section if a listing
 * is wanted. */
bool og_asm_end_of_directive(struct og_asm *as);
void og_asm_list_section(struct og_asm *as);
/* The number behind a comma, if one stands here; *at is where. False after an error. */
bool og_asm_optional(struct og_asm *as, int64_t *out, const char **at);
/* A value that may be known only once all is laid out. */
bool og_asm_late_value(struct og_asm *as, struct og_operand_value *out);
bool og_asm_repeat(struct og_asm *as, const char *at, int64_t count, const uint8_t *bytes, size_t size);
bool og_asm_run_macro(struct og_asm *as, struct og_macro *macro);
bool og_asm_go_to(struct og_asm *as, struct og_operand_value to,
                  const char *at); /* .org, with the fill at the cursor */
bool og_asm_amdgpu_begin(struct og_asm *as);
bool og_asm_kernel_codes_finish(struct og_asm *as); /* fields that depend on later symbols */
void og_asm_list_target(struct og_asm *as); /* what a listing begins with, behind -defsym's symbols */
bool og_asm_raw_text(struct og_asm *as, const char *ending, struct og_text *out);
bool og_asm_absolute_u32(struct og_asm *as, uint32_t *out);
bool og_asm_add_note(struct og_asm *as, const uint8_t *bytes, size_t size);

/* ---- kernel_descriptor.c ----------------------------------------------------------------------------------------- */

bool og_asm_amdhsa_kernel(struct og_asm *as, const char *at, int arg); /* .amdhsa_kernel */
bool og_asm_descriptors_finish(struct og_asm *as);                          /* the descriptors' bytes */

/* ---- pal.c ------------------------------------------------------------------------------------------------------- */

bool og_asm_pal_list(struct og_asm *as, const char *at, int arg);     /* .amd_amdgpu_pal_metadata */
bool og_asm_pal_document(struct og_asm *as, const char *at, int arg); /* .amdgpu_pal_metadata */
bool og_asm_pal_finish(struct og_asm *as);                            /* the note */

/* ---- frames.c --- */

bool og_asm_write_frames(struct og_asm *as); /* .eh_frame and .debug_frame */

/* ---- lines.c ----------------------------------------------------------------------------------------------------- */

bool og_asm_emit_data(struct og_asm *as, const void *bytes, size_t size); /* a .loc before it is this place's */
void og_asm_note_line(struct og_asm *as); /* of the instruction that stands here */
void og_asm_check_files(struct og_asm *as); /* that each number below the highest is one of a file's */
bool og_asm_numbered_file(struct og_asm *as, const char *at); /* .file N ... */
bool og_asm_loc(struct og_asm *as, const char *at, int arg);
bool og_asm_loc_label(struct og_asm *as, const char *at, int arg);
void og_asm_add_lines(struct og_asm *as); /* to the object */

/* ---- probes.c ---------------------------------------------------------------------------------------------------- */

extern const struct og_directive_row og_probe_directives[];
void og_asm_add_probes(struct og_asm *as); /* to the object */

/* ---- listing ----------------------------------------------------------------------------------------------------- */

static inline bool og_asm_listing(const struct og_asm *as) {
  return as->options->listing != NULL && !as->options->show_instructions_only;
}
void og_asm_put(struct og_asm *as, const char *format, ...) OG_PRINTF(2, 3);
/* The same if a listing is wanted; else it does nothing. */
#define og_asm_list(as, ...) (og_asm_listing(as) ? og_asm_put(as, __VA_ARGS__) : (void)0)
const char *og_asm_escaped(const struct og_asm *as, struct og_text text); /* as it stands in quotes */
struct og_text og_asm_quoted(const struct og_asm *as, struct og_text name); /* as it must be written */
void og_asm_list_string(struct og_asm *as, struct og_text text); /* in quotes, so that it gives the same bytes back */
void og_asm_list_bytes(struct og_asm *as, const void *bytes, size_t size);
void og_asm_list_expr(struct og_asm *as, struct og_operand_value value);
const char *og_asm_listed(struct og_asm *as, struct og_operand_value value); /* the same as a text */

/* ---- instruction.c ----------------------------------------------------------------------------------------------- */

bool og_asm_instruction(struct og_asm *as, struct og_text mnemonic);

#endif
