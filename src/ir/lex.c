/* lex.c - IR's text in tokens. */
#include "ir/lex.h"

#include <string.h>

enum { SPACE = 1, NAME = 2, DIGIT = 4, HEX = 8, START = 16 };
static const uint8_t classes[256] = {
    [' '] = SPACE,  ['\t'] = SPACE,      ['\n'] = SPACE,        ['\r'] = SPACE,       [0] = 0,
    ['-'] = NAME,   ['$'] = NAME | START, ['.'] = NAME | START, ['_'] = NAME | START,
    ['0' ... '9'] = NAME | DIGIT | HEX,  ['a' ... 'f'] = NAME | HEX | START, ['A' ... 'F'] = NAME | HEX | START,
    ['g' ... 'z'] = NAME | START,        ['G' ... 'Z'] = NAME | START,
};
static bool is(const struct og_ir_lexer *l, const char *at, uint8_t class) {
  return at < l->end && classes[(uint8_t)*at] & class;
}

static const char *skip(const struct og_ir_lexer *l, const char *at, uint8_t class) {
  while (is(l, at, class))
    at++;
  return at;
}

static uint8_t wrong(struct og_ir_lexer *l, const char *error) {
  l->error = error;
  return OG_IR_T_WRONG;
}

static unsigned hex_digit(char c) {
  return (unsigned)(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
}

/* "…" whose opening quote is at `at`; \XX is a byte, \\ a backslash. */
static bool quoted(struct og_ir_lexer *l) {
  const char *from = ++l->at, *close = from;
  bool escapes = false;
  while (close < l->end && *close != '"')
    escapes |= *close++ == '\\';
  if (close == l->end)
    return false;
  l->at = close + 1;
  l->text = (struct og_text){from, (size_t)(close - from)};
  if (!escapes)
    return true;
  char *copy = og_arena_alloc(l->arena, l->text.size + 1), *to = copy;
  for (const char *p = from; p < close;)
    if (*p == '\\' && p + 1 < close && p[1] == '\\') {
      *to++ = '\\';
      p += 2;
    } else if (*p == '\\' && p + 2 < close && classes[(uint8_t)p[1]] & HEX && classes[(uint8_t)p[2]] & HEX) {
      *to++ = (char)(hex_digit(p[1]) << 4 | hex_digit(p[2]));
      p += 3;
    } else {
      *to++ = *p++;
    }
  l->text = (struct og_text){copy, (size_t)(to - copy)};
  return true;
}

/* Digits at l->at as a 32-bit number of a name. */
static bool small_number(struct og_ir_lexer *l) {
  const char *from = l->at;
  l->number = 0;
  for (; is(l, l->at, DIGIT); l->at++)
    if (l->number <= UINT32_MAX)
      l->number = l->number * 10 + (unsigned)(*l->at - '0');
  l->text = (struct og_text){from, (size_t)(l->at - from)};
  return l->number <= UINT32_MAX;
}

/* What follows a mark: a name, "a name" or a number. */
static uint8_t marked(struct og_ir_lexer *l, uint8_t named, uint8_t numbered) {
  l->at++;
  if (is(l, l->at, DIGIT) && numbered)
    return small_number(l) ? numbered : wrong(l, "invalid value number (too large)");
  if (is(l, l->at, NAME)) {
    const char *from = l->at;
    l->at = skip(l, from, NAME);
    l->text = (struct og_text){from, (size_t)(l->at - from)};
    return named;
  }
  if (l->at == l->end || *l->at != '"')
    return wrong(l, "expected a name or a number");
  if (!quoted(l))
    return wrong(l, "end of file in quoted name");
  return l->text.size && memchr(l->text.data, 0, l->text.size) ? wrong(l, "NUL character is not allowed in names")
                                                               : named;
}

/* A number: -?[0-9]+, a decimal float, 0x and similar prefixes, s0x, u0x. */
static uint8_t number(struct og_ir_lexer *l) {
  const char *from = l->at, *at = from;
  l->negative = *at == '-';
  if (*at == '-' || *at == '+')
    at++;
  if (l->end - at > 2 && at[0] == '0' && at[1] == 'x') {
    at += 2;
    if (memchr("KLMHR", *at, 5))
      at++;
    l->at = skip(l, at, HEX);
    l->text = (struct og_text){from, (size_t)(l->at - from)};
    return OG_IR_T_FLOAT;
  }
  const char *digits = at;
  l->number = 0;
  l->large = false;
  for (; is(l, at, DIGIT); at++) {
    unsigned digit = (unsigned)(*at - '0');
    l->large |= l->number > (UINT64_MAX - digit) / 10;
    l->number = l->number * 10 + digit;
  }
  bool real = at < l->end && *at == '.' && *from != '-' + 1;
  if (real && is(l, digits, DIGIT)) {
    at = skip(l, at + 1, DIGIT);
    if (at < l->end && (*at | 32) == 'e') {
      const char *exponent = at + 1;
      if (exponent < l->end && (*exponent == '-' || *exponent == '+'))
        exponent++;
      if (is(l, exponent, DIGIT))
        at = skip(l, exponent, DIGIT);
    }
    l->at = at;
    l->text = (struct og_text){from, (size_t)(at - from)};
    return OG_IR_T_FLOAT;
  }
  l->at = at;
  l->text = (struct og_text){digits, (size_t)(at - digits)};
  return digits == at || *from == '+' ? wrong(l, "expected a number") : OG_IR_T_INTEGER;
}

/* A word, or a label if ':' follows; labels may begin with any character of names. */
static uint8_t word(struct og_ir_lexer *l) {
  const char *from = l->at, *at = skip(l, from, NAME);
  if (at < l->end && *at == ':') {
    l->at = at + 1;
    l->text = (struct og_text){from, (size_t)(at - from)};
    return OG_IR_T_LABEL;
  }
  if (is(l, from, DIGIT) || *from == '-' || *from == '+')
    return number(l);
  if (*from == '.' && l->end - from >= 3 && memcmp(from, "...", 3) == 0) {
    l->at = from + 3;
    return OG_IR_T_ELLIPSIS;
  }
  if ((*from == 'u' || *from == 's') && at - from > 3 && from[1] == '0' && from[2] == 'x') {
    l->at = skip(l, from + 3, HEX);
    l->text = (struct og_text){from, (size_t)(l->at - from)};
    l->large = true;
    l->negative = false;
    return OG_IR_T_INTEGER;
  }
  if (*from == 'c' && from + 1 < l->end && from[1] == '"') { /* c"bytes" */
    l->at = from + 1;
    l->text = (struct og_text){from, 1};
    return OG_IR_T_WORD;
  }
  while (at > from && (at[-1] == '-' || at[-1] == '$'))
    at--; /* a word cannot end so: "x-" is a word and an error */
  if (at == from)
    return wrong(l, "expected top-level entity");
  l->at = at;
  l->text = (struct og_text){from, (size_t)(at - from)};
  return OG_IR_T_WORD;
}

static uint8_t dollar(struct og_ir_lexer *l) {
  const char *at = skip(l, l->at, NAME);
  return at < l->end && *at == ':' ? word(l) : marked(l, OG_IR_T_COMDAT, 0);
}

static uint8_t exclamation(struct og_ir_lexer *l) {
  const char *at = l->at + 1;
  if (is(l, at, DIGIT)) {
    l->at = at;
    return small_number(l) ? OG_IR_T_METADATA_NUMBER : wrong(l, "invalid value number (too large)");
  }
  if (!is(l, at, NAME) && !(at < l->end && *at == '\\')) {
    l->at = at;
    return '!';
  }
  bool escapes = false;
  const char *from = at;
  while (is(l, at, NAME) || (at < l->end && *at == '\\'))
    escapes |= *at++ == '\\';
  l->at = at;
  l->text = (struct og_text){from, (size_t)(at - from)};
  if (!escapes)
    return OG_IR_T_METADATA;
  char *copy = og_arena_copy(l->arena, from, l->text.size), *to = copy;
  for (const char *p = from; p < at;)
    if (*p == '\\' && at - p > 2 && classes[(uint8_t)p[1]] & HEX && classes[(uint8_t)p[2]] & HEX) {
      *to++ = (char)(hex_digit(p[1]) << 4 | hex_digit(p[2]));
      p += 3;
    } else {
      *to++ = *p++;
    }
  l->text = (struct og_text){copy, (size_t)(to - copy)};
  return OG_IR_T_METADATA;
}

static uint8_t string(struct og_ir_lexer *l) {
  if (!quoted(l))
    return wrong(l, "end of file in string constant");
  if (l->at == l->end || *l->at != ':')
    return OG_IR_T_STRING;
  l->at++;
  return memchr(l->text.data, 0, l->text.size) ? wrong(l, "NUL character is not allowed in names") : OG_IR_T_LABEL;
}

static uint8_t token(struct og_ir_lexer *l) {
  char c = *l->at;
  switch (c) {
  case '%': return marked(l, OG_IR_T_LOCAL, OG_IR_T_LOCAL_NUMBER);
  case '@': return marked(l, OG_IR_T_GLOBAL, OG_IR_T_GLOBAL_NUMBER);
  case '!': return exclamation(l);
  case '"': return string(l);
  case '$': return dollar(l);
  case '#':
    if (!is(l, l->at + 1, DIGIT))
      return l->at++, '#';
    l->at++;
    return small_number(l) ? OG_IR_T_GROUP : wrong(l, "invalid value number (too large)");
  case '+': return number(l);
  case '(': case ')': case '[': case ']': case '{': case '}': case '<': case '>':
  case ',': case '=': case '*': case ':':
  case '|': case '/':
    l->at++;
    return (uint8_t)c;
  default: return classes[(uint8_t)c] & NAME ? word(l) : wrong(l, "expected top-level entity");
  }
}

void og_ir_next_token(struct og_ir_lexer *l) {
  if (l->kind == OG_IR_T_WRONG)
    return;
  const char *at = l->at;
  for (;;) {
    while (at < l->end && classes[(uint8_t)*at] & SPACE)
      at++;
    if (at < l->end && *at == ';') {
      const char *newline = memchr(at, '\n', (size_t)(l->end - at));
      at = newline ? newline : l->end;
    } else if (at < l->end && *at == 0) {
      at++; /* as in LLVM's lexer */
    } else {
      break;
    }
  }
  l->at = l->token = at;
  l->kind = at == l->end ? OG_IR_T_END : token(l);
}
