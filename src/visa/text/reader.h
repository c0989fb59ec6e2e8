/* reader.h - the state of the text reader and its cursor. It scans characters in place and has no tokens. */
#ifndef OG_VISA_READER_H
#define OG_VISA_READER_H

#include "visa/table.h"

enum { OG_VISA_MNEMONIC_SLOTS = 1024, OG_VISA_MAX_SCOPES = 64, OG_VISA_MAX_ERRORS = 20 };

struct og_visa_symbol {
  char class;     /* 'G', 'A', 'P', 'S', 'T' */
  uint8_t depth;  /* of the scope it was declared in */
  uint32_t index; /* in its class's table */
};

/* What a name means outside the scope that declared it again. */
struct og_visa_hidden {
  struct og_text name;
  const struct og_visa_symbol *symbol; /* NULL: it has no meaning there */
};

struct og_visa_mnemonic_entry {
  struct og_text name;
  uint8_t opcode, sub;
  uint8_t preset; /* what operand 0 is at first, as for raw_sendc and lifetime */
};

struct og_visa_reader {
  const char *p, *end; /* the cursor */
  const char *start;
  uint32_t line;
  int platform;
  bool failed; /* in the current statement */
  struct og_arena *arena;
  const struct og_source *source;
  struct og_diagnostics *diagnostics;
  struct og_visa *visa;
  struct og_visa_kernel *kernel;
  struct og_map symbols, labels, strings; /* of the kernel: struct og_visa_symbol *, index + 1, index + 1 */
  OG_VECTOR(struct og_visa_hidden) hidden;
  uint32_t scopes[OG_VISA_MAX_SCOPES]; /* hidden.count when each open { began */
  uint8_t scope_depth;
  const struct og_visa_mnemonic_entry *mnemonics; /* open-addressed, a power of two */
};


/* Character classes. */
static inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static inline bool is_digit(char c) { return (unsigned char)(c - '0') < 10; }
static inline bool is_letter(char c) { return (unsigned char)((c | 32) - 'a') < 26 || c == '_'; }
static inline bool is_word(char c) { return is_letter(c) || is_digit(c); }

static inline char peek(const struct og_visa_reader *r) { return r->p < r->end ? *r->p : '\n'; }
static inline char peek_at(const struct og_visa_reader *r, size_t n) {
  return (size_t)(r->end - r->p) > n ? r->p[n] : '\n';
}

/* Skips blanks and comments, but not the end of the line. */
void og_visa_skip_comment(struct og_visa_reader *r);
static inline void skip(struct og_visa_reader *r) {
  while (r->p < r->end && is_blank(*r->p))
    r->p++;
  if (r->p < r->end && *r->p == '/')
    og_visa_skip_comment(r);
}
static inline bool at_end_of_line(struct og_visa_reader *r) {
  skip(r);
  return r->p >= r->end || *r->p == '\n';
}
static inline bool take(struct og_visa_reader *r, char c) {
  skip(r);
  if (r->p >= r->end || *r->p != c)
    return false;
  r->p++;
  return true;
}
static inline uint32_t place(const struct og_visa_reader *r, const char *p) { return (uint32_t)(p - r->start); }

/* Reports at [from, cursor), at least one character; only the first error of a statement is kept. Returns false. */
bool og_visa_fail(struct og_visa_reader *r, const char *from, const char *format, ...) OG_PRINTF(3, 4);
bool og_visa_expect(struct og_visa_reader *r, char c, const char *where);

/* [A-Za-z_%][A-Za-z0-9_]*; empty: there is none. */
struct og_text og_visa_word(struct og_visa_reader *r);
/* The same, also with $ @ ? and -, which names of labels and functions may have, or a quoted string; empty with an
 * error. */
struct og_text og_visa_name(struct og_visa_reader *r, const char *what);
/* A quoted string with C's escapes, decoded in the arena. */
bool og_visa_string(struct og_visa_reader *r, struct og_text *out);
/* A constant expression of C's integer operators, and %sizeof(name). In `tight` form > and < end it. */
bool og_visa_expression(struct og_visa_reader *r, bool tight, int64_t *value);
bool og_visa_unary(struct og_visa_reader *r, int64_t *value); /* only signs and parentheses around a number */
bool og_visa_number(struct og_visa_reader *r, int64_t limit, const char *what, int64_t *value);

uint32_t og_visa_intern(struct og_visa_reader *r, struct og_text text);           /* index among the kernel's strings */
uint32_t og_visa_label_index(struct og_visa_reader *r, struct og_text name);      /* is made if it is new */
const struct og_visa_symbol *og_visa_symbol(struct og_visa_reader *r, struct og_text name);

/* Reads one instruction at the cursor, which begins with its mnemonic or predicate. */
void og_visa_read_inst(struct og_visa_reader *r);
/* Those whose row says "!". */
bool og_visa_read_special(struct og_visa_reader *r, struct og_visa_inst *inst,
                          const struct og_visa_mnemonic_entry *entry);

/* Pieces of instructions that read_special.c uses too. */
bool og_visa_read_exec(struct og_visa_reader *r, struct og_visa_inst *inst);
bool og_visa_read_operand(struct og_visa_reader *r, char letter, unsigned flags, struct og_visa_operand *operand);
bool og_visa_undeclared(struct og_visa_reader *r, struct og_text name); /* the error; yields false */
bool og_visa_read_channels(struct og_visa_reader *r, uint64_t *mask);
/* ".name" out of `names`; false without an error: something else is there. */
bool og_visa_read_suffix(struct og_visa_reader *r, const char *const *names, int *index);

#endif
