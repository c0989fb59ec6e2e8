/* words.h - IR's words and their numbers, both ways. */
#ifndef OG_IR_WORDS_H
#define OG_IR_WORDS_H

#include "ir/ir.h"

enum og_ir_words {
  /* in the order of their rows in words.c */
  OG_IR_W_OPCODE, OG_IR_W_FLAG, OG_IR_W_ATTRIBUTE, OG_IR_W_TYPE, OG_IR_W_LINKAGE, OG_IR_W_VISIBILITY, OG_IR_W_DLL,
  OG_IR_W_THREAD_LOCAL, OG_IR_W_UNNAMED, OG_IR_W_CODE_MODEL, OG_IR_W_COMDAT, OG_IR_W_CONVENTION, OG_IR_W_ICMP,
  OG_IR_W_FCMP, OG_IR_W_ORDERING, OG_IR_W_RMW, OG_IR_W_TAIL, OG_IR_W_ACCESS, OG_IR_W_LOCATION, OG_IR_W_FPCLASS,
  OG_IR_W_ALLOCKIND, OG_IR_W_NODE, OG_IR_W_OPERATION, OG_IR_W_CC, OG_IR_W_LANGUAGE, OG_IR_W_TAG, OG_IR_W_ENCODING,
  OG_IR_W_MACINFO, OG_IR_W_CHECKSUM, OG_IR_W_EMISSION, OG_IR_W_NAME_TABLE, OG_IR_W_DI_FLAGS, OG_IR_W_SUBPROGRAM_FLAGS,
};

struct og_ir_word_table; /* finds words quickly */
struct og_ir_word_table *og_ir_words_new(struct og_arena *arena);
/* Its number, or -1. */
int64_t og_ir_word(const struct og_ir_word_table *table, enum og_ir_words class, struct og_text word);
/* The word for a number, or NULL. It takes time in proportion to the class's size. */
const char *og_ir_word_for(enum og_ir_words class, uint64_t number);
/* The words of a class one by one, in their rows' order; NULL at the end. */
const char *og_ir_word_at(enum og_ir_words class, unsigned index, uint64_t *number);

/* Fields of debug information's nodes, from metadata.def. */
enum og_ir_field_type {
  OG_IR_FT_UNSIGNED, OG_IR_FT_SIGNED, OG_IR_FT_BOOL, OG_IR_FT_PLUS_ONE, OG_IR_FT_NODE, OG_IR_FT_STRING, OG_IR_FT_BOUND,
  OG_IR_FT_TAG, OG_IR_FT_ENCODING, OG_IR_FT_LANGUAGE, OG_IR_FT_CONVENTION, OG_IR_FT_MACINFO, OG_IR_FT_CHECKSUM,
  OG_IR_FT_EMISSION, OG_IR_FT_NAME_TABLE, OG_IR_FT_FLAGS, OG_IR_FT_SUBPROGRAM_FLAGS,
};
enum og_ir_field_when {
  OG_IR_WHEN_ALWAYS, OG_IR_WHEN_SET, OG_IR_WHEN_CLEAR, OG_IR_WHEN_TAG_BASE, OG_IR_WHEN_TAG_TEMPLATE,
  OG_IR_WHEN_CLEAR_START,
};
struct og_ir_field {
  const char *name;
  uint8_t type, order, when, place;
};
struct og_ir_node_row {
  const char *name;
  const struct og_ir_field *fields; /* up to one without a name */
};
/* By enum og_ir_metadata_kind; it has no name if the kind is no node of debug information. */
const struct og_ir_node_row *og_ir_node_row(uint8_t kind);
/* The value of a field that is not written: 0, except for some fields. */
uint64_t og_ir_field_default(const struct og_ir_field *field);

/* llvm.dbg.value and similar: the record that a call becomes, and its arguments. NULL: it is another function. */
struct og_ir_debug_call {
  const char *name;
  uint8_t opcode, parts;
};
const struct og_ir_debug_call *og_ir_debug_call(struct og_text name);

#endif
