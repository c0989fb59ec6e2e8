/* lex.h - IR's text in tokens. */
#ifndef OG_IR_LEX_H
#define OG_IR_LEX_H

#include "base/base.h"

enum og_ir_token {
  OG_IR_T_END, /* punctuation: the character itself */
  OG_IR_T_WORD = 128,
  OG_IR_T_LABEL,           /* name: */
  OG_IR_T_LOCAL, OG_IR_T_GLOBAL, OG_IR_T_COMDAT, OG_IR_T_METADATA, /* %name, @name, $name, !name */
  OG_IR_T_LOCAL_NUMBER, OG_IR_T_GLOBAL_NUMBER, OG_IR_T_METADATA_NUMBER, OG_IR_T_GROUP, /* %1, @1, !1, #1 */
  OG_IR_T_INTEGER, OG_IR_T_FLOAT, OG_IR_T_STRING, OG_IR_T_ELLIPSIS, OG_IR_T_WRONG,
};

struct og_ir_lexer {
  const char *start, *at, *end;
  struct og_arena *arena; /* for names with escapes */
  uint8_t kind;
  bool negative, large; /* of an integer: it does not fit in `number` */
  const char *token;    /* where it begins */
  struct og_text text;  /* name or word without its mark, a string's bytes, a number's digits */
  uint64_t number;
  const char *error; /* of OG_IR_T_WRONG */
};

void og_ir_next_token(struct og_ir_lexer *lexer);

#endif
