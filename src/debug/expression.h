/* expression.h - reading an expression: operators (expression.c) over operands (operands.c). */
#ifndef OG_DEBUG_EXPRESSION_H
#define OG_DEBUG_EXPRESSION_H

#include "debug/value.h"

enum { OG_NESTING_MOST = 64 };

struct og_expression {
  const struct og_context *context;
  const char *at;
  char *why;
  size_t why_size;
  unsigned nesting;
};

bool og_expression_value(struct og_expression *reader, struct og_value *value);
/* A number, register, variable, piece of memory or anything in brackets, with what is indexed behind it. */
bool og_expression_operand(struct og_expression *reader, struct og_value *value);
/* Of an array or what a pointer leads to, in the place of it. */
bool og_value_element(struct og_expression *reader, uint64_t index, struct og_value *value);

/* Notes what is wrong, the first thing only; yields false. */
bool og_expression_wrong(struct og_expression *reader, const char *format, ...) OG_PRINTF(2, 3);
void og_expression_skip(struct og_expression *reader); /* blanks */
bool og_expression_take(struct og_expression *reader, const char *word);
bool og_expression_expect(struct og_expression *reader, const char *word);

static inline struct og_value og_signed_value(uint64_t bits) { return (struct og_value){.type = OG_AS_I64, .u = bits}; }
static inline struct og_value og_unsigned_value(uint64_t bits) {
  return (struct og_value){.type = OG_AS_U64, .u = bits};
}

#endif
