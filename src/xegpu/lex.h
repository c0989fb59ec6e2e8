/* lex.h - MLIR's text in tokens. */
#ifndef OG_XEGPU_LEX_H
#define OG_XEGPU_LEX_H

#include "base/base.h"

enum { /* a sign is its own kind */
       OG_MLIR_TOK_END = 0,
       OG_MLIR_TOK_WORD = 256, /* text: names with dots */
       OG_MLIR_TOK_VALUE,      /* %name */
       OG_MLIR_TOK_SYMBOL,     /* @name or @"name" */
       OG_MLIR_TOK_BLOCK,      /* ^name */
       OG_MLIR_TOK_TYPE,       /* !name */
       OG_MLIR_TOK_ATTR,       /* #name, #0 */
       OG_MLIR_TOK_INT,
       OG_MLIR_TOK_FLOAT,
       OG_MLIR_TOK_STRING,
       OG_MLIR_TOK_ARROW,
       OG_MLIR_TOK_ELLIPSIS,
       OG_MLIR_TOK_COLONS, /* :: */
       OG_MLIR_TOK_WRONG,  /* text: what is wrong */
};

struct og_mlir_lexer {
  const char *start, *end, *at; /* at: after the token */
  const char *token;
  int kind;
  struct og_text text; /* without its mark, or without a string's escapes */
  struct og_arena *arena;
};

void og_mlir_next_token(struct og_mlir_lexer *l);

#endif
