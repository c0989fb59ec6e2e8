/* cursor.c - the smallest pieces of the text: comments, words, strings, numbers, constant expressions, errors. */
#include "visa/text/reader.h"

#include <stdarg.h>
#include <string.h>

bool og_visa_fail(struct og_visa_reader *r, const char *from, const char *format, ...) {
  if (r->failed)
    return false;
  r->failed = true;
  va_list args;
  va_start(args, format);
  char *message = og_arena_vprintf(r->arena, format, args);
  va_end(args);
  uint32_t size = r->p > from ? (uint32_t)(r->p - from) : 1;
  return og_error(r->diagnostics, (struct og_range){r->source, place(r, from), size}, "%s", message);
}

bool og_visa_expect(struct og_visa_reader *r, char c, const char *where) {
  return take(r, c) || og_visa_fail(r, r->p, "expected '%c' %s", c, where);
}

void og_visa_skip_comment(struct og_visa_reader *r) {
  while (r->p < r->end) {
    if (is_blank(*r->p)) {
      r->p++;
    } else if (*r->p == '/' && peek_at(r, 1) == '/') {
      const char *newline = memchr(r->p, '\n', (size_t)(r->end - r->p));
      r->p = newline ? newline : r->end;
    } else if (*r->p == '/' && peek_at(r, 1) == '*') {
      const char *from = r->p;
      for (r->p += 2; r->p < r->end && !(*r->p == '*' && peek_at(r, 1) == '/'); r->p++)
        r->line += *r->p == '\n';
      if (r->p >= r->end) {
        const char *end = r->p;
        r->p = from + 2;
        og_visa_fail(r, from, "comment without an end");
        r->p = end;
        return;
      }
      r->p += 2;
    } else {
      return;
    }
  }
}

struct og_text og_visa_word(struct og_visa_reader *r) {
  skip(r);
  const char *from = r->p;
  if (r->p < r->end && (is_letter(*r->p) || *r->p == '%'))
    for (r->p++; r->p < r->end && is_word(*r->p); r->p++)
      ;
  return (struct og_text){from, (size_t)(r->p - from)};
}

static bool is_name(char c) {
  return is_word(c) || c == '$' || c == '@' || c == '?' || c == '-';
}

struct og_text og_visa_name(struct og_visa_reader *r, const char *what) {
  skip(r);
  const char *from = r->p;
  struct og_text text = {from, 0};
  if (peek(r) == '"') {
    og_visa_string(r, &text);
    return text;
  }
  while (r->p < r->end && is_name(*r->p))
    r->p++;
  text.size = (size_t)(r->p - from);
  if (!text.size)
    og_visa_fail(r, from, "expected %s", what);
  return text;
}

/* One escape after the backslash; the cursor stands on its first character. */
static char escape(struct og_visa_reader *r) {
  static const char letters[] = "abefnrtv", codes[] = "\a\b\033\f\n\r\t\v";
  char c = *r->p++;
  const char *letter = strchr(letters, c);
  if (letter && c)
    return codes[letter - letters];
  unsigned value = 0;
  if (c == 'x') {
    for (int i = 0; i < 2 && r->p < r->end; i++, r->p++) {
      char digit = *r->p | 32;
      if (!is_digit(*r->p) && (digit < 'a' || digit > 'f'))
        break;
      value = value * 16 + (unsigned)(is_digit(*r->p) ? *r->p - '0' : digit - 'a' + 10);
    }
    return (char)value;
  }
  if (!is_digit(c))
    return c;
  value = (unsigned)(c - '0');
  for (int i = 0; i < 2 && r->p < r->end && is_digit(*r->p); i++)
    value = value * 8 + (unsigned)(*r->p++ - '0');
  return (char)value;
}

bool og_visa_string(struct og_visa_reader *r, struct og_text *out) {
  skip(r);
  const char *from = r->p;
  if (!take(r, '"'))
    return og_visa_fail(r, from, "expected a string in double quotes");
  const char *end = r->p;
  while (end < r->end && *end != '\n' && *end != '"')
    end += *end == '\\' && end + 1 < r->end && end[1] != '\n' ? 2 : 1;
  if (end >= r->end || *end != '"')
    return og_visa_fail(r, from, "string without an end");
  char *text = og_arena_alloc(r->arena, (size_t)(end - r->p) + 1);
  size_t size = 0;
  while (r->p < end) {
    char c = *r->p++;
    text[size++] = c == '\\' ? escape(r) : c;
  }
  r->p = end + 1;
  *out = (struct og_text){text, size};
  return true;
}

/* ---- constant expressions ---- */

static bool unary(struct og_visa_reader *r, int depth, uint64_t *value);

struct binary_operator {
  char text[4];
  uint8_t level;
};
/* The longer ones first. Levels as the reference grammar has them: & binds weakest, then ^, then |. */
static const struct binary_operator operators[] = {
    {">>>", 7}, {"<<", 7}, {">>", 7}, {"<=", 6}, {">=", 6}, {"==", 5}, {"!=", 5}, {"<", 6}, {">", 6},
    {"&", 2},   {"^", 3},  {"|", 4},  {"+", 8},  {"-", 8},  {"*", 9},  {"/", 9},  {"%", 9},
};

static const struct binary_operator *next_operator(struct og_visa_reader *r, int level) {
  skip(r);
  for (size_t i = 0; i < OG_COUNT(operators); i++) {
    size_t size = strlen(operators[i].text);
    if ((size_t)(r->end - r->p) < size || memcmp(r->p, operators[i].text, size) != 0)
      continue;
    bool name = *r->p == '%' && is_letter(peek_at(r, 1)); /* the next operand: 2 %null.0 */
    return operators[i].level >= level && !name ? &operators[i] : NULL;
  }
  return NULL;
}

static bool apply(struct og_visa_reader *r, const char *from, const char *text, uint64_t *left, uint64_t right) {
  int64_t a = (int64_t)*left, b = (int64_t)right;
  switch (text[0]) {
  case '+': *left += right; return true;
  case '-': *left -= right; return true;
  case '*': *left *= right; return true;
  case '&': *left &= right; return true;
  case '^': *left ^= right; return true;
  case '|': *left |= right; return true;
  case '=': *left = a == b; return true;
  case '!': *left = a != b; return true;
  case '/':
  case '%':
    if (b == 0 || (b == -1 && a == INT64_MIN))
      return og_visa_fail(r, from, "division by %s", b ? "-1 overflows" : "0");
    *left = (uint64_t)(text[0] == '/' ? a / b : a % b);
    return true;
  case '<':
    *left = text[1] == '<' ? *left << (right & 63) : (uint64_t)(text[1] == '=' ? a <= b : a < b);
    return true;
  default:
    if (text[1] == '>')
      *left = text[2] ? *left >> (right & 63) : (uint64_t)(a >> (right & 63));
    else
      *left = (uint64_t)(text[1] == '=' ? a >= b : a > b);
    return true;
  }
}

static bool binary(struct og_visa_reader *r, int level, int depth, uint64_t *value) {
  const char *from = r->p;
  if (!unary(r, depth, value))
    return false;
  const struct binary_operator *op;
  while ((op = next_operator(r, level))) {
    r->p += strlen(op->text);
    uint64_t right;
    if (!binary(r, op->level + 1, depth, &right) || !apply(r, from, op->text, value, right))
      return false;
  }
  return true;
}

static bool conditional(struct og_visa_reader *r, bool tight, int depth, uint64_t *value) {
  if (!binary(r, tight ? 7 : 2, depth, value))
    return false;
  if (tight || !take(r, '?'))
    return true;
  uint64_t yes, no;
  if (!binary(r, 2, depth, &yes) || !og_visa_expect(r, ':', "of the ?: expression") ||
      !conditional(r, false, depth + 1, &no))
    return false;
  *value = *value ? yes : no;
  return true;
}

static bool literal(struct og_visa_reader *r, uint64_t *value) {
  const char *from = r->p;
  uint64_t result = 0;
  if (*r->p == '0' && (peek_at(r, 1) | 32) == 'x') {
    const char *digits = r->p += 2;
    for (; r->p < r->end; r->p++) {
      char c = *r->p, low = c | 32;
      if (is_digit(c))
        result = result << 4 | (uint64_t)(c - '0');
      else if (low >= 'a' && low <= 'f')
        result = result << 4 | (uint64_t)(low - 'a' + 10);
      else
        break;
    }
    if (r->p == digits || r->p - digits > 16)
      return og_visa_fail(r, from, r->p == digits ? "expected hexadecimal digits" : "number does not fit 64 bits");
  } else {
    for (; r->p < r->end && is_digit(*r->p); r->p++)
      if (__builtin_mul_overflow(result, 10u, &result) ||
          __builtin_add_overflow(result, (uint64_t)(*r->p - '0'), &result))
        return og_visa_fail(r, from, "number does not fit 64 bits");
  }
  *value = result;
  return true;
}

/* %sizeof(GRF), %sizeof(V), %sizeof V, %DispatchSimd */
static bool builtin(struct og_visa_reader *r, uint64_t *value) {
  const char *from = r->p;
  struct og_text name = og_visa_word(r);
  if (og_text_is(name, "%DispatchSimd")) {
    for (uint32_t i = 0; r->kernel && i < r->kernel->attributes.count; i++)
      if (strcmp(r->kernel->attributes.items[i].name, "SimdSize") == 0) {
        *value = (uint64_t)r->kernel->attributes.items[i].value;
        return true;
      }
    return og_visa_fail(r, from, "%%DispatchSimd needs .kernel_attr SimdSize before it");
  }
  if (!og_text_is(name, "%sizeof"))
    return og_visa_fail(r, from, "expected a number");
  bool parenthesis = take(r, '(');
  from = r->p;
  struct og_text variable = og_visa_word(r);
  const struct og_visa_symbol *symbol = r->kernel ? og_visa_symbol(r, variable) : NULL;
  if (symbol && symbol->class == 'G')
    *value = og_visa_variable_size(&r->kernel->general.items[symbol->index]);
  else if (og_text_is(variable, "GRF"))
    *value = og_visa_platforms[r->platform < 0 ? 0 : r->platform].grf_size;
  else
    return og_visa_fail(r, from, "%%sizeof: '%.*s' is not a general variable", OG_TEXT_ARGS(variable));
  return !parenthesis || og_visa_expect(r, ')', "after %sizeof");
}

static bool unary(struct og_visa_reader *r, int depth, uint64_t *value) {
  skip(r);
  const char *from = r->p;
  if (depth > 64)
    return og_visa_fail(r, from, "expression is nested too deeply");
  char c = peek(r);
  if (is_digit(c))
    return literal(r, value);
  if (c == '-' || c == '~' || c == '!') {
    r->p++;
    if (!unary(r, depth + 1, value))
      return false;
    *value = c == '-' ? 0 - *value : c == '~' ? ~*value : !*value;
    return true;
  }
  if (c == '(') {
    r->p++;
    return conditional(r, false, depth + 1, value) && og_visa_expect(r, ')', "of the expression");
  }
  if (c == '%')
    return builtin(r, value);
  return og_visa_fail(r, from, "expected a number");
}

bool og_visa_expression(struct og_visa_reader *r, bool tight, int64_t *value) {
  uint64_t result = 0;
  if (!conditional(r, tight, 0, &result))
    return false;
  *value = (int64_t)result;
  return true;
}

bool og_visa_number(struct og_visa_reader *r, int64_t limit, const char *what, int64_t *value) {
  skip(r);
  const char *from = r->p;
  /* The usual case by itself: one or two digits and then punctuation. */
  if (is_digit(peek(r)) && strchr(",;>)]", peek_at(r, 1))) {
    *value = *r->p++ - '0';
  } else if (!og_visa_expression(r, true, value)) {
    return false;
  }
  return (*value >= 0 && *value <= limit) ||
         og_visa_fail(r, from, "%s %lld is not in 0..%lld", what, (long long)*value, (long long)limit);
}

bool og_visa_unary(struct og_visa_reader *r, int64_t *value) {
  uint64_t result = 0;
  if (!unary(r, 0, &result))
    return false;
  *value = (int64_t)result;
  return true;
}
