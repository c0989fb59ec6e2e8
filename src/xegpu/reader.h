/* reader.h - shared by the files that read MLIR's text. */
#ifndef OG_XEGPU_READER_H
#define OG_XEGPU_READER_H

#include "xegpu/lex.h"
#include "xegpu/table.h"

enum { OG_MLIR_DEEPEST = 96, /* nesting of regions, types and attributes */ OG_MLIR_ERRORS_MOST = 20 };

/* A value as an operand names it. */
struct og_mlir_use {
  struct og_text name;
  uint32_t number; /* %name#number */
  uint32_t offset;
};
typedef OG_VECTOR(struct og_mlir_use) og_mlir_uses;
typedef OG_VECTOR(og_mlir_type) og_mlir_types;

/* What a name stands for. */
struct og_mlir_binding {
  struct og_mlir_value **values;
  uint32_t count, offset;
  bool visible;
};
/* An operand whose value is defined further on. */
struct og_mlir_pending {
  struct og_mlir_value **slot;
  struct og_mlir_use use;
  og_mlir_type type;
};

/* Names within an operation that is isolated from what is around it. */
struct og_mlir_scope {
  struct og_map names;
  OG_VECTOR(struct og_mlir_pending) pending;
  struct og_mlir_scope *outer;
};

struct og_mlir_reader {
  struct og_mlir_module *m;
  struct og_arena *arena;
  struct og_mlir_interner *in;
  struct og_diagnostics *diagnostics;
  struct og_mlir_lexer lexer;
  enum og_mlir_spelling spelling;
  unsigned depth;
  struct og_map attr_aliases, type_aliases;
  struct og_mlir_scope *scope;
  OG_VECTOR(struct og_mlir_binding *) visible; /* of the regions that are open */
  struct og_map *blocks;                       /* of the region that is being read */
  struct og_mlir_region *region;
  const char *dialect; /* the dialect of operations without one, or NULL */
};

/* An operation in the making. */
struct og_mlir_state {
  const struct og_mlir_row *row;
  uint32_t offset, size;
  og_mlir_uses uses[OG_MLIR_SEGMENTS_MOST];
  og_mlir_types types[2 * OG_MLIR_SEGMENTS_MOST]; /* of operands' groups, then of results' */
  bool spread;                                    /* the types of all operands are in types[0], in their order */
  OG_VECTOR(struct og_mlir_named) attributes;
  OG_VECTOR(struct og_mlir_region *) regions;
  OG_VECTOR(struct og_mlir_successor) successors;
  OG_VECTOR(struct og_mlir_use) names; /* of results; number: how many */
};

/* ---- tokens ---- */
static inline void og_mlir_next(struct og_mlir_reader *r) { og_mlir_next_token(&r->lexer); }
static inline int og_mlir_at(const struct og_mlir_reader *r) { return r->lexer.kind; }
static inline uint32_t og_mlir_here(const struct og_mlir_reader *r) {
  return (uint32_t)(r->lexer.token - r->lexer.start);
}
static inline bool og_mlir_at_word(const struct og_mlir_reader *r, const char *word) {
  return r->lexer.kind == OG_MLIR_TOK_WORD && og_text_is(r->lexer.text, word);
}
bool og_mlir_take(struct og_mlir_reader *r, int kind);
bool og_mlir_take_word(struct og_mlir_reader *r, const char *word);
bool og_mlir_fail_at(struct og_mlir_reader *r, uint32_t offset, const char *format, ...) OG_PRINTF(3, 4);
bool og_mlir_fail(struct og_mlir_reader *r, const char *format, ...) OG_PRINTF(2, 3); /* at the token */
bool og_mlir_expect(struct og_mlir_reader *r, int kind);
bool og_mlir_expect_word(struct og_mlir_reader *r, const char *word);
/* A literal of a format: a sign, "->" or a word. */
bool og_mlir_at_literal(const struct og_mlir_reader *r, struct og_text literal);
bool og_mlir_enter(struct og_mlir_reader *r);                    /* one deeper; false with an error */
bool og_mlir_read_i64(struct og_mlir_reader *r, int64_t *value); /* with a sign */
const char *og_mlir_type_text(struct og_mlir_reader *r, og_mlir_type type);
struct og_text og_mlir_intern_text(struct og_mlir_reader *r, struct og_text text);

/* ---- parts ---- */
og_mlir_type og_mlir_read_type(struct og_mlir_reader *r);                    /* NULL with an error */
bool og_mlir_read_type_list(struct og_mlir_reader *r, og_mlir_types *types); /* one or more, by commas */
/* (types) -> type or (types) */
bool og_mlir_read_functional(struct og_mlir_reader *r, og_mlir_types *inputs, og_mlir_types *results);
bool og_mlir_read_arrow_types(struct og_mlir_reader *r, og_mlir_types *types); /* a type, or a list in parentheses */
bool og_mlir_at_type(const struct og_mlir_reader *r);
bool og_mlir_read_shape(struct og_mlir_reader *r, int64_t *shape, uint32_t *rank, uint32_t *scalable);
og_mlir_attr og_mlir_read_attr(struct og_mlir_reader *r,
                               og_mlir_type type); /* type: of a number without one, or NULL */
og_mlir_attr og_mlir_read_dense(struct og_mlir_reader *r, og_mlir_type type); /* type: NULL where it follows */
og_mlir_attr og_mlir_read_dialect_attr(struct og_mlir_reader *r);             /* at #dialect… */
og_mlir_attr og_mlir_read_int_list(struct og_mlir_reader *r, int64_t width);  /* [1, 2] as a dense array */
og_mlir_attr og_mlir_encoding_field(struct og_mlir_reader *r, const char *name, struct og_text field);
bool og_mlir_read_dictionary(struct og_mlir_reader *r, struct og_mlir_state *s); /* {…}; at { */
bool og_mlir_read_location(struct og_mlir_reader *r);                            /* after `loc` */
bool og_mlir_balanced(struct og_mlir_reader *r, struct og_text *text);           /* <…> as text; at < */
struct og_text og_mlir_balanced_text(struct og_mlir_reader *r);

bool og_mlir_read_use(struct og_mlir_reader *r, og_mlir_uses *uses);  /* %x; with the RFC's %x:n several */
bool og_mlir_read_uses(struct og_mlir_reader *r, og_mlir_uses *uses); /* a list, maybe empty */
bool og_mlir_resolve(struct og_mlir_reader *r, const struct og_mlir_use *use, og_mlir_type type,
                     struct og_mlir_value **slot);
struct og_mlir_value *og_mlir_define_argument(struct og_mlir_reader *r, struct og_mlir_block *block,
                                              struct og_text name, og_mlir_type type, uint32_t offset);
struct og_mlir_op *og_mlir_finish(struct og_mlir_reader *r, struct og_mlir_state *s);
void og_mlir_set(struct og_mlir_reader *r, struct og_mlir_state *s, const char *name, og_mlir_attr value);
/* { blocks }; arguments of the entry block named before it may be given. */
struct og_mlir_arguments {
  og_mlir_uses names;
  og_mlir_types types;
};
bool og_mlir_read_region(struct og_mlir_reader *r, struct og_mlir_state *s, const struct og_mlir_arguments *arguments);
/* Adds an operation that may be omitted at a region's end, if the region does not end with a terminator. */
bool og_mlir_end_region(struct og_mlir_reader *r, struct og_mlir_region *region, const char *terminator);
bool og_mlir_read_successor(struct og_mlir_reader *r, struct og_mlir_state *s, bool typed);
bool og_mlir_read_format(struct og_mlir_reader *r, struct og_mlir_state *s);
bool og_mlir_read_custom(struct og_mlir_reader *r, struct og_mlir_state *s, uint8_t custom);
bool og_mlir_read_custom_gpu(struct og_mlir_reader *r, struct og_mlir_state *s, uint8_t custom);
bool og_mlir_read_custom_control(struct og_mlir_reader *r, struct og_mlir_state *s, uint8_t custom);
bool og_mlir_read_custom_rfc(struct og_mlir_reader *r, struct og_mlir_state *s, uint8_t custom);
bool og_mlir_read_attribute_of(struct og_mlir_reader *r, struct og_mlir_state *s, uint8_t index);
bool og_mlir_read_parameters(struct og_mlir_reader *r, struct og_mlir_arguments *arguments, bool *named,
                             og_mlir_types *dictionaries); /* (%a : type {…}, …) */

/* ---- between the parts of regions ---- */
bool og_mlir_define(struct og_mlir_reader *r, struct og_text name, struct og_mlir_value **values, uint32_t count,
                    uint32_t offset);
/* Settles uses that wait for values of the ending region; with `all` none may be left. */
bool og_mlir_settle(struct og_mlir_reader *r, bool all);
bool og_mlir_name_results(struct og_mlir_reader *r, struct og_mlir_state *s, struct og_mlir_op *op);
struct og_mlir_op *og_mlir_read_op(struct og_mlir_reader *r, struct og_mlir_block *block); /* NULL with an error */
void og_mlir_add_op(struct og_mlir_block *block, struct og_mlir_op *op);
void og_mlir_append_block(struct og_mlir_region *region, struct og_mlir_block *block);
/* After an error: goes to a line that may begin an operation, as deep as `from`; false: the text has ended. */
bool og_mlir_recover(struct og_mlir_reader *r, const char *from);

#endif
