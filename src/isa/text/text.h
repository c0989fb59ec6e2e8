/* text.h - an instruction's text to struct og_inst. Knows no sections and no symbols: the surrounding language reads
 * the expressions in operands. */
#ifndef OG_INST_TEXT_H
#define OG_INST_TEXT_H

#include "isa/isa.h"
#include "isa/text/cursor.h"

struct og_expr; /* the language's: what has no number yet */

/* A parsed expression: its value alone if `expr` is NULL. */
struct og_operand_value {
  const struct og_expr *expr;
  int64_t value;
};

enum og_expression {
  OG_EXPRESSION_VALUE,
  OG_EXPRESSION_UNFOLDED, /* differences of labels stay: a literal's size must not depend on what is known so far */
  OG_EXPRESSION_PRIMARY, /* no operators of two sides */
  OG_EXPRESSION_ABSOLUTE /* a number, whatever it is made of; else an error */
};

/* The language's functions for reading instructions. `*p` is where to read, and moves. Readers yield false after an
 * error. */
struct og_language {
  bool (*parse)(void *context, enum og_expression kind, const char **p, struct og_operand_value *out);
  bool (*string)(void *context, const char **p, struct og_text *out);        /* in quotes */
  bool (*evaluate)(void *context, const struct og_expr *expr, int64_t *out); /* false: it has no number yet */
  bool (*is_symbol)(const struct og_expr *expr);
  bool (*knows_symbol)(void *context, struct og_text name);
  void (*report)(void *context, enum og_severity severity, const char *at, size_t size, const char *message);
};

/* The reader of a target's instructions. */
struct og_inst_reader {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics; /* that report() fills */
  const struct og_target *target;
  const struct og_language *language;
  void *context;            /* of the language's functions */
  const struct og_isa *isa; /* the target's, or another's that a feature brings; NULL if there are no tables */
  struct og_isa own_isa;
  struct og_brought brought;
  struct {
    bool vgpr_align2, dpp_64bit, dpp_src1_sgpr, inv_2pi_inline_imm, mfma_inline_literal_bug;
  } has; /* features that concern operands */
  uint64_t ruled; /* set of enum og_mod: those that rules of the target concern */
  struct og_mnemonics *mnemonics;      /* mnemonic.c */
  struct og_modifier_words *modifiers; /* modifier.c */
  struct og_known_operand *known;      /* operand.c */
  uint32_t expressions;                /* so many were read that are no plain numbers */

  /* For the current instruction. */
  const char *p;    /* cursor; every text ends in a NUL */
  const char *wide; /* OG_WIDE characters can be read at places before it */
  const char *mnemonic;
  const char *colons;         /* between the halves of a pair */
  const char *modifier;       /* where the modifier being read begins */
  bool scalar_memory;         /* it is of that kind */
  bool wave_sync;             /* it is one of the global wave sync */
  bool spread_lists;          /* registers of a list need not follow each other: it is an image's */
  uint8_t list_depth;         /* lists of registers in one another, */
  struct og_text_list *lists; /* and what stands in each */
};

/* An instruction that was read. */
struct og_match {
  struct og_inst inst;
  const struct og_isa *isa;       /* whose form it is */
  const struct og_expr *expr;     /* unknown part of its code: the branch's target, or the literal, */
  const char *expr_at, *expr_end; /* where it stands, */
  uint8_t literal_size;           /* and the literal's bytes */
  bool branch;
  bool wide_real; /* a double that lost its low bits */
  bool has_literal;
  uint32_t literal; /* what stands behind the code, if it is written: */
  bool direct;    /* `code` is written while matching: all registers and modifiers are plain */
  uint64_t code[4]; /* in the order of the bytes */
};

/* `target` may settle what it leaves open, but not change its processor. All caches are in `arena`. */
void og_inst_reader_begin(struct og_inst_reader *in, const struct og_target *target, struct og_arena *arena,
                          struct og_diagnostics *diagnostics, const struct og_language *language, void *context);

/* The instruction whose mnemonic was read, at the cursor, which moves after it; and its code. False after an error. */
bool og_inst_from_text(struct og_inst_reader *in, struct og_text mnemonic, struct og_match *out);

/* If a register stands at the cursor, reads it: kind, number and dwords. *ok is false if it is one but wrong. */
bool og_register_from_text(struct og_inst_reader *in, struct og_operand *out, bool *ok);

#endif
