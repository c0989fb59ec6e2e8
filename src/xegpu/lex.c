/* lex.c - MLIR's text in tokens. */
#include "xegpu/lex.h"

#include <string.h>

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
static bool is_name(char c) { return is_letter(c) || is_digit(c) || c == '$' || c == '.'; }
static unsigned hex(char c) { return (unsigned)(is_digit(c) ? c - '0' : (c | 32) - 'a' + 10); }

static void skip_space(struct og_mlir_lexer *l) {
  while (l->at < l->end) {
    char c = *l->at;
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      l->at++;
    } else if (c == '/' && l->end - l->at > 1 && l->at[1] == '/') {
      const char *line = memchr(l->at, '\n', (size_t)(l->end - l->at));
      l->at = line ? line : l->end;
    } else {
      return;
    }
  }
}

static int wrong(struct og_mlir_lexer *l, const char *what) {
  l->text = og_text(what);
  return OG_MLIR_TOK_WRONG;
}

static void take(struct og_mlir_lexer *l, const char *from) {
  l->text = (struct og_text){from, (size_t)(l->at - from)};
}

/* "…" whose opening quote is at l->at. */
static int string(struct og_mlir_lexer *l, int kind) {
  const char *from = ++l->at;
  bool escapes = false;
  for (; l->at < l->end && *l->at != '"'; l->at++) {
    if (*l->at == '\n')
      return wrong(l, "expected '\"' in string literal");
    if (*l->at == '\\') {
      escapes = true;
      if (++l->at == l->end)
        break;
    }
  }
  if (l->at >= l->end)
    return l->at = l->end, wrong(l, "expected '\"' in string literal");
  take(l, from);
  l->at++;
  if (!escapes)
    return kind;
  char *copy = og_arena_alloc(l->arena, l->text.size + 1), *to = copy;
  for (const char *p = from, *end = from + l->text.size; p < end; p++) {
    if (*p != '\\')
      *to++ = *p;
    else if (++p < end && (*p == '"' || *p == '\\'))
      *to++ = *p;
    else if (p < end && (*p == 'n' || *p == 't'))
      *to++ = *p == 'n' ? '\n' : '\t';
    else if (p + 1 < end && is_hex(p[0]) && is_hex(p[1]))
      *to++ = (char)(hex(p[0]) << 4 | hex(p[1])), p++;
    else
      return wrong(l, "unknown escape in string literal");
  }
  l->text = (struct og_text){copy, (size_t)(to - copy)};
  return kind;
}

static int number(struct og_mlir_lexer *l) {
  const char *from = l->at;
  if (l->end - l->at > 2 && l->at[0] == '0' && l->at[1] == 'x' && is_hex(l->at[2])) {
    for (l->at += 2; l->at < l->end && is_hex(*l->at);)
      l->at++;
    return take(l, from), OG_MLIR_TOK_INT;
  }
  while (l->at < l->end && is_digit(*l->at))
    l->at++;
  if (l->at == l->end || *l->at != '.')
    return take(l, from), OG_MLIR_TOK_INT;
  for (l->at++; l->at < l->end && is_digit(*l->at);)
    l->at++;
  if (l->at < l->end && (*l->at | 32) == 'e') {
    const char *p = l->at + 1;
    p += p < l->end && (*p == '-' || *p == '+');
    if (p < l->end && is_digit(*p))
      for (l->at = p; l->at < l->end && is_digit(*l->at);)
        l->at++;
  }
  return take(l, from), OG_MLIR_TOK_FLOAT;
}

/* A name after a mark: digits, or letters and signs; values and blocks may have '-', too. */
static int marked(struct og_mlir_lexer *l, int kind, const char *error) {
  const char *from = ++l->at;
  if (l->at < l->end && is_digit(*l->at)) {
    while (l->at < l->end && is_digit(*l->at))
      l->at++;
    return take(l, from), kind;
  }
  bool dash = kind != OG_MLIR_TOK_TYPE && kind != OG_MLIR_TOK_ATTR;
  if (l->at < l->end && (is_letter(*l->at) || (dash && strchr("$.-", *l->at) && *l->at)))
    while (l->at < l->end && (is_name(*l->at) || (dash && *l->at == '-' && !(l->at + 1 < l->end && l->at[1] == '>'))))
      l->at++;
  take(l, from);
  return l->text.size ? kind : wrong(l, error);
}

static int token(struct og_mlir_lexer *l) {
  char c = *l->at;
  const char *from = l->at;
  size_t left = (size_t)(l->end - l->at);
  if (is_letter(c)) {
    while (l->at < l->end && is_name(*l->at))
      l->at++;
    return take(l, from), OG_MLIR_TOK_WORD;
  }
  if (is_digit(c))
    return number(l);
  switch (c) {
  case '"': return string(l, OG_MLIR_TOK_STRING);
  case '%': return marked(l, OG_MLIR_TOK_VALUE, "invalid SSA name");
  case '^': return marked(l, OG_MLIR_TOK_BLOCK, "invalid block name");
  case '!': return marked(l, OG_MLIR_TOK_TYPE, "invalid type identifier");
  case '#': return marked(l, OG_MLIR_TOK_ATTR, "invalid attribute name");
  case '@':
    if (left > 1 && from[1] == '"')
      return l->at++, string(l, OG_MLIR_TOK_SYMBOL);
    return marked(l, OG_MLIR_TOK_SYMBOL, "@ identifier expected to start with letter or '_'");
  case '-':
    l->at++;
    if (left > 1 && from[1] == '>')
      return l->at++, OG_MLIR_TOK_ARROW;
    return '-';
  case '.':
    if (left > 2 && from[1] == '.' && from[2] == '.')
      return l->at += 3, OG_MLIR_TOK_ELLIPSIS;
    break;
  case ':':
    l->at++;
    if (left > 1 && from[1] == ':')
      return l->at++, OG_MLIR_TOK_COLONS;
    return ':';
  }
  l->at++;
  return strchr("(){}[]<>,=+*?|/", c) && c ? (unsigned char)c : wrong(l, "unexpected character");
}

void og_mlir_next_token(struct og_mlir_lexer *l) {
  skip_space(l);
  l->token = l->at;
  l->text = (struct og_text){l->at, 0};
  l->kind = l->at == l->end ? OG_MLIR_TOK_END : token(l);
}
