/* reader.h - shared by the files that read IR's text. */
#ifndef OG_IR_READER_H
#define OG_IR_READER_H

#include "ir/ir.h"
#include "ir/lex.h"
#include "ir/words.h"

/* A place in the text. */
typedef const char *og_ir_place;

/* Something that was named before it is defined: until the function's end its users hold FORWARD | its index. */
struct og_ir_forward {
  struct og_text name; /* without its mark */
  og_ir_type type;
  og_ir_ref ref; /* OG_IR_NONE: not yet defined */
  og_ir_place place;
};
enum { OG_IR_FORWARD = 1u << 29 };

/* The attributes of a call or function, which wait for groups that are defined later. */
struct og_ir_pending_set {
  uint32_t place;                   /* in the pool */
  uint32_t group;                   /* a single one; UINT32_MAX: see the lists */
  uint32_t groups, group_count;     /* in the pool */
  uint32_t attributes, attribute_count;
};
struct og_ir_group {
  uint32_t number;
  bool defined;
  uint32_t attributes, count; /* in the pool */
  uint32_t set;
  og_ir_place place; /* where it was first named */
};
struct og_ir_pending_block { /* of a blockaddress */
  uint32_t constant;
  bool numbered;
  struct og_text name;
  uint64_t number;
  og_ir_place place;
};

enum { OG_IR_DEEPEST = 256 }; /* nesting of types, constants and metadata */

struct og_ir_reader {
  struct og_ir_module *m;
  struct og_arena *arena; /* the module's */
  struct og_diagnostics *diagnostics;
  struct og_source source;
  struct og_ir_lexer lexer;
  struct og_ir_word_table *words;
  bool failed;
  bool more; /* the module already had functions */
  unsigned depth;

  og_ir_type integers[129]; /* 0: not asked for yet */
  og_ir_type pointers[16];
  struct og_map type_names, global_names, comdat_names, numbered; /* 1 + number; `numbered` by "%1", "@1", "!1" … */
  OG_VECTOR(uint32_t) type_numbers, global_numbers, metadata_numbers; /* the same by number, if that is small */
  OG_VECTOR(og_ir_place) type_places, global_places, metadata_places; /* by number: where it was first named */
  uint32_t next_global, next_type;
  OG_VECTOR(struct og_ir_group) groups;
  OG_VECTOR(struct og_ir_pending_set) pending_sets;
  OG_VECTOR(struct og_ir_pending_block) pending_blocks;
  uint32_t alloca_space, program_space, globals_space; /* of the data layout */

  /* Lists that are being made: each user takes off what it has put on. */
  OG_VECTOR(uint32_t) stack;
  OG_VECTOR(uint32_t) groups_named, attributes;

  /* The function that is being read. */
  struct og_ir_function *f;
  struct og_arena *scratch; /* for its names */
  struct og_map locals;     /* by name: 1 + ref, also those to be defined */
  OG_VECTOR(uint32_t) local_numbers; /* by number: 1 + ref; 0: not named yet */
  OG_VECTOR(struct og_ir_forward) forwards;
  OG_VECTOR(uint32_t) places; /* by record: the place in the text */
  uint32_t next_local, block;
  bool allow_local_metadata;
};

/* ---- tokens ---- */
static inline void og_ir_next(struct og_ir_reader *r) { og_ir_next_token(&r->lexer); }
static inline uint8_t og_ir_at(const struct og_ir_reader *r) { return r->lexer.kind; }
static inline og_ir_place og_ir_here(const struct og_ir_reader *r) { return r->lexer.token; }
static inline bool og_ir_take(struct og_ir_reader *r, uint8_t kind) {
  if (r->lexer.kind != kind)
    return false;
  og_ir_next_token(&r->lexer);
  return true;
}
static inline bool og_ir_at_word(const struct og_ir_reader *r, const char *word) {
  return r->lexer.kind == OG_IR_T_WORD && og_text_is(r->lexer.text, word);
}
static inline bool og_ir_take_word(struct og_ir_reader *r, const char *word) {
  if (!og_ir_at_word(r, word))
    return false;
  og_ir_next_token(&r->lexer);
  return true;
}
/* The number of a word of this class, which is taken; -1: there is none. */
int64_t og_ir_take_class(struct og_ir_reader *r, enum og_ir_words class);
bool og_ir_fail(struct og_ir_reader *r, og_ir_place place, const char *format, ...) OG_PRINTF(3, 4);
bool og_ir_fail_here(struct og_ir_reader *r, const char *message);
bool og_ir_expect(struct og_ir_reader *r, uint8_t kind, const char *message);
bool og_ir_expect_word(struct og_ir_reader *r, const char *word);
bool og_ir_read_u32(struct og_ir_reader *r, uint32_t *value);
bool og_ir_read_u64(struct og_ir_reader *r, uint64_t *value);
bool og_ir_read_string(struct og_ir_reader *r, struct og_text *text);
bool og_ir_enter(struct og_ir_reader *r); /* one deeper; false with an error */
const char *og_ir_type_text(struct og_ir_reader *r, og_ir_type type); /* for errors */
static inline void og_ir_stack(struct og_ir_reader *r, uint32_t number) { *OG_PUSH(r->arena, &r->stack) = number; }
/* The slot (1 + something; 0: nothing yet) for a number behind a mark: in a vector, or in a map if the number is
 * large. */
uint32_t og_ir_get_number(struct og_ir_reader *r, const void *vector, char mark, uint32_t number);
void og_ir_set_number(struct og_ir_reader *r, void *vector, char mark, uint32_t number, uint32_t value);

/* ---- parts ---- */
bool og_ir_read_type(struct og_ir_reader *r, og_ir_type *type, bool allow_void);
bool og_ir_read_address_space(struct og_ir_reader *r, uint32_t *space, uint32_t otherwise);
bool og_ir_define_type(struct og_ir_reader *r);
bool og_ir_check_types(struct og_ir_reader *r);
bool og_ir_read_value(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref);
bool og_ir_read_typed(struct og_ir_reader *r, og_ir_type *type, og_ir_ref *ref);
bool og_ir_read_constant(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref);
bool og_ir_read_expression(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref);
bool og_ir_read_integer(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref); /* the current token is one */
bool og_ir_read_float(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref);
bool og_ir_read_global_ref(struct og_ir_reader *r, uint32_t space, og_ir_ref *ref);
bool og_ir_read_local(struct og_ir_reader *r, og_ir_type type, og_ir_ref *ref);
bool og_ir_read_flags(struct og_ir_reader *r, uint16_t allowed, uint16_t *flags);
/* Reads attributes up to the first other token; they are added to r->attributes, groups to r->groups_named. */
bool og_ir_read_attributes(struct og_ir_reader *r, bool function);
uint32_t og_ir_take_set(struct og_ir_reader *r, uint32_t first); /* of those from `first` on */
void og_ir_take_function_set(struct og_ir_reader *r, uint32_t place, uint32_t first, uint32_t first_group);
bool og_ir_define_group(struct og_ir_reader *r);
bool og_ir_resolve_groups(struct og_ir_reader *r);
bool og_ir_read_metadata(struct og_ir_reader *r, uint32_t *node); /* of any kind */
bool og_ir_read_metadata_operand(struct og_ir_reader *r, og_ir_ref *ref); /* after `metadata` */
bool og_ir_define_metadata(struct og_ir_reader *r);
bool og_ir_define_named_metadata(struct og_ir_reader *r);
bool og_ir_read_debug_values(struct og_ir_reader *r); /* of a record's first operand: to the stack */
/* `!kind !node`, …: pairs go to the stack; !dbg of an instruction goes to *location. */
bool og_ir_read_attachments(struct og_ir_reader *r, uint32_t *location);
uint32_t og_ir_take_list(struct og_ir_reader *r, uint32_t from, uint32_t per); /* what is on the stack, to the pool */
bool og_ir_read_align(struct og_ir_reader *r, uint8_t *align); /* after `align` */
bool og_ir_read_global(struct og_ir_reader *r);
bool og_ir_read_function(struct og_ir_reader *r, bool definition);
bool og_ir_read_convention(struct og_ir_reader *r, uint16_t *convention);
uint32_t og_ir_take_attribute_list(struct og_ir_reader *r, uint32_t result_set, uint32_t from, uint32_t count);
void og_ir_arena_reset(struct og_ir_reader *r); /* forgets the names of the function before */
void og_ir_begin_locals(struct og_ir_reader *r, struct og_ir_function *f);
bool og_ir_read_body(struct og_ir_reader *r);
bool og_ir_skip_use_list(struct og_ir_reader *r);
bool og_ir_read_instruction(struct og_ir_reader *r, uint32_t *record);
bool og_ir_read_debug_record(struct og_ir_reader *r);
bool og_ir_define_local(struct og_ir_reader *r, bool numbered, struct og_text name, uint32_t number, og_ir_place place,
                        og_ir_ref ref, og_ir_type type);
bool og_ir_read_call(struct og_ir_reader *r, uint8_t tail, uint32_t *record);
/* An instruction with the operands on the stack from `from` on, which are taken off. */
uint32_t og_ir_emit(struct og_ir_reader *r, uint8_t opcode, og_ir_type type, uint32_t from);
og_ir_type og_ir_type_here(const struct og_ir_reader *r, og_ir_ref ref); /* also of one that is defined later */
bool og_ir_read_ordering(struct og_ir_reader *r, uint8_t *ordering);
bool og_ir_read_scope(struct og_ir_reader *r, uint16_t *scope);

#endif
