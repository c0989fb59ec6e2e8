/* expressions.c - expressions: parsed by GNU as's precedence, folded where they are constant. */
#include "asm/expressions.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define FUNCTION_NAME(id, text) text,
const char *const og_function_names[OG_FUNCTION_COUNT] = {OG_FUNCTIONS(FUNCTION_NAME)};

#define SPECIFIER_NAME(id, text) [OG_SPECIFIER_##id] = text,
const char *const og_specifier_names[OG_SPECIFIER_COUNT] = {OG_SPECIFIERS(SPECIFIER_NAME)};

/* ---- nodes ------------------------------------------------------------------------------------------------------- */

static struct og_expr *node(struct og_asm *as, unsigned kind, unsigned op) {
  struct og_expr *expr = OG_NEW(as->arena, struct og_expr);
  expr->kind = (uint8_t)kind;
  expr->op = (uint16_t)op;
  return expr;
}

const struct og_expr *og_asm_constant(struct og_asm *as, int64_t value) {
  struct og_expr *expr = node(as, OG_EXPR_CONSTANT, 0);
  expr->value = value;
  return expr;
}

const struct og_expr *og_asm_symbol_expr(struct og_asm *as, struct og_asm_symbol *symbol, uint8_t specifier) {
  struct og_expr *expr = node(as, OG_EXPR_SYMBOL, 0);
  expr->symbol = symbol;
  expr->specifier = specifier;
  symbol->used = true;
  return expr;
}

const struct og_expr *og_asm_binary(struct og_asm *as, unsigned op, const struct og_expr *left,
                                    const struct og_expr *right) {
  struct og_expr *expr = node(as, OG_EXPR_BINARY, op);
  expr->left = left;
  expr->right = right;
  expr->depth = OG_MAX(left->depth, right->depth) + 1;
  return expr;
}

static const struct og_expr *as_node(struct og_asm *as, struct og_operand_value v) {
  return v.expr ? v.expr : og_asm_constant(as, v.value);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

bool og_asm_integer(struct og_asm *as, uint64_t *out) {
  const char *p = as->p, *digits = p;
  int base = 10;
  if (*p == '0' && (p[1] | 32) == 'x')
    base = 16, p += 2;
  else if (*p == '0' && (p[1] | 32) == 'b' && (p[2] == '0' || p[2] == '1'))
    base = 2, p += 2;
  else if (*p == '0' && og_is_digit(p[1]))
    base = 8, p++;
  digits = p;
  uint64_t value = 0;
  bool overflow = false;
  for (int d; (d = og_digit_value(*p)) < base; p++) {
    overflow |= __builtin_mul_overflow(value, (uint64_t)base, &value);
    overflow |= __builtin_add_overflow(value, (uint64_t)d, &value);
  }
  if (p == digits && base != 8)
    return og_asm_error(as, as->p, 1, base == 16 ? "invalid hexadecimal number" : "unknown token in expression");
  if (overflow)
    return og_asm_error(as, as->p, (size_t)(p - as->p), "literal value out of range for directive: at most 64 bits");
  if (base == 8 && og_is_digit(*p))
    return og_asm_error(as, as->p, 1, "invalid octal number");
  as->p = p;
  *out = value;
  return true;
}

static bool character(struct og_asm *as, struct og_operand_value *out) {
  const char *p = as->p + 1;
  static const char from[] = "bfnrt'\\0", to[] = "\b\f\n\r\t'\\\0";
  int value = (unsigned char)*p;
  if (*p == '\\') {
    const char *found = p[1] ? strchr(from, p[1]) : NULL;
    if (!found)
      return og_asm_error(as, as->p, 2, "unknown escape in character literal");
    value = (unsigned char)to[found - from];
    p++;
  }
  if (!*p || *p == '\n' || p[1] != '\'')
    return og_asm_error(as, as->p, 1, "single quote way too long");
  as->p = p + 2;
  *out = (struct og_operand_value){NULL, value};
  return true;
}

/* ---- primaries --------------------------------------------------------------------------------------------------- */

static bool parse(struct og_asm *as, int precedence, unsigned depth, struct og_operand_value *out);

static bool specifier(struct og_asm *as, uint8_t *out) {
  const char *start = as->p; /* at '@' */
  const char *end = start + 1;
  while (og_name_char(*end) || *end == '@')
    end++;
  struct og_text text = {start + 1, (size_t)(end - start - 1)};
  for (unsigned i = 1; i < OG_SPECIFIER_COUNT; i++)
    if (text.size == strlen(og_specifier_names[i]) && !strncasecmp(text.data, og_specifier_names[i], text.size))
      return *out = (uint8_t)i, as->p = end, true;
  return og_asm_error(as, start + 1, (size_t)(end - start - 1), "invalid variant '%.*s'", OG_TEXT_ARGS(text));
}

/* The arguments are mostly numbers, which are folded at once; only others need nodes. */
static bool call(struct og_asm *as, unsigned function, unsigned depth, struct og_operand_value *out) {
  enum { FEW = 8 };
  OG_VECTOR(const struct og_expr *) args = {0};
  const struct og_expr *few[FEW];
  struct og_expr numbers[FEW], whole = {.kind = OG_EXPR_CALL, .op = (uint16_t)function, .depth = 1, .args = few};
  as->p++;
  do {
    struct og_operand_value v = {0};
    og_asm_space(as);
    const char *end = og_plain_number(as->p, &v.value);
    if (end)
      as->p = end;
    else if (!parse(as, 0, depth + 1, &v))
      return false;
    if (!v.expr && !args.count && whole.count < FEW) {
      numbers[whole.count] = (struct og_expr){.kind = OG_EXPR_CONSTANT, .value = v.value};
      few[whole.count] = &numbers[whole.count];
      whole.count++;
      continue;
    }
    for (uint32_t i = args.count; i < whole.count; i++)
      *OG_PUSH(as->arena, &args) = og_asm_constant(as, numbers[i].value);
    const struct og_expr *e = *OG_PUSH(as->arena, &args) = as_node(as, v);
    whole.depth = OG_MAX(whole.depth, e->depth + 1);
    whole.count++;
  } while (og_asm_accept(as, ','));
  if (!og_asm_accept(as, ')'))
    return og_asm_error(as, as->p, 1, "unexpected token in %s expression", og_function_names[function]);
  whole.args = args.count ? args.items : few;
  *out = (struct og_operand_value){0};
  if (og_asm_evaluate_absolute(as, &whole, &out->value))
    return true;
  for (uint32_t i = args.count; i < whole.count; i++)
    *OG_PUSH(as->arena, &args) = og_asm_constant(as, numbers[i].value);
  struct og_expr *expr = node(as, OG_EXPR_CALL, function);
  *expr = whole;
  expr->args = args.items;
  *out = (struct og_operand_value){expr, 0};
  return true;
}

static bool symbol_primary(struct og_asm *as, struct og_text name, unsigned depth, struct og_operand_value *out) {
  if (*as->p == '(')
    for (unsigned i = 0; i < OG_FUNCTION_COUNT; i++)
      if (og_text_is(name, og_function_names[i]))
        return call(as, i, depth, out);
  uint8_t spec = 0;
  if (*as->p == '@' && !specifier(as, &spec))
    return false;
  struct og_asm_symbol *symbol = name.size == 1 && *name.data == '.' ? og_asm_temporary(as) : og_asm_symbol(as, name);
  if (symbol->kind == OG_SYMBOL_VARIABLE && !symbol->expr && !spec)
    *out = (struct og_operand_value){NULL, symbol->value};
  else
    *out = (struct og_operand_value){og_asm_symbol_expr(as, symbol, spec), 0};
  if (!symbol->place.source && name.size)
    symbol->place = og_asm_range(as, name.data, name.data + name.size);
  return true;
}

static bool number(struct og_asm *as, struct og_operand_value *out) {
  const char *p = as->p;
  if (og_is_real(p)) { /* the bits of a double */
    char *end;
    double real = strtod(p, &end);
    *out = (struct og_operand_value){0};
    memcpy(&out->value, &real, sizeof real);
    return as->p = end, true;
  }
  if ((p[1] == 'f' || p[1] == 'b') && !og_name_char(p[2]) &&
      !(p[0] == '0' && p[1] == 'b' && (p[2] == '0' || p[2] == '1'))) {
    unsigned digit = (unsigned)(*p - '0');
    if (p[1] == 'b' && !as->local_labels[digit].count)
      return og_asm_error(as, p, 2, "directional label undefined");
    struct og_asm_symbol *symbol = og_asm_local_label(as, digit, p[1] == 'f');
    struct og_range range = og_asm_range(as, p, p + 2);
    if (!symbol->place.source)
      symbol->place = range;
    if (p[1] == 'f')
      *OG_PUSH(as->arena, &as->local_uses) = (struct og_local_use){symbol, range};
    as->p += 2;
    *out = (struct og_operand_value){og_asm_symbol_expr(as, symbol, 0), 0};
    return true;
  }
  uint64_t value;
  if (!og_asm_integer(as, &value))
    return false;
  *out = (struct og_operand_value){NULL, (int64_t)value};
  return true;
}

static bool primary(struct og_asm *as, unsigned depth, struct og_operand_value *out) {
  og_asm_space(as);
  if (depth > OG_EXPR_NESTING_MOST)
    return og_asm_error(as, as->p, 1, "expression is nested too deeply: at most %d levels", OG_EXPR_NESTING_MOST);
  char c = *as->p;
  if (og_is_digit(c))
    return number(as, out);
  if (c == '$' && !og_name_char(as->p[1]))
    return og_asm_error(as, as->p, 1, "invalid token in expression");
  if (og_name_start(c))
    return symbol_primary(as, og_asm_word(as), depth, out);
  switch (c) {
  case '\'': return character(as, out);
  case '"': {
    struct og_text name;
    return og_asm_quoted_name(as, &name) && symbol_primary(as, name, depth, out);
  }
  case '(': case '[':
    as->p++;
    return parse(as, 0, depth + 1, out) &&
           (og_asm_accept(as, c == '(' ? ')' : ']') ||
            og_asm_error(as, as->p, 1,
                         c == '(' ? "expected ')' in parentheses expression" : "expected ']' in brackets expression"));
  case '@': return og_asm_error(as, as->p, 1, "expected a symbol reference");
  case '*': return og_asm_error(as, as->p, 1, "invalid token in expression");
  case '-': case '+': case '~': case '!':
    as->p++;
    if (!primary(as, depth + 1, out))
      return false;
    if (!out->expr)
      return og_fold_unary((unsigned char)c, out->value, &out->value);
    struct og_expr *expr = node(as, OG_EXPR_UNARY, (unsigned char)c);
    expr->left = out->expr;
    expr->depth = out->expr->depth + 1;
    *out = (struct og_operand_value){expr, 0};
    return true;
  default: return og_asm_error(as, as->p, 1, "unknown token in expression");
  }
}

/* The operator at the cursor, its precedence and length; 0 if there is none. */
static int operator_at(const char *p, unsigned *op, int *length) {
  char next = *p ? p[1] : 0; /* nothing stands behind the end */
  *length = 1;
  *op = (unsigned char)*p;
  switch (*p) {
  case '*': case '/': case '%':
    return *p == '/' && (next == '/' || next == '*') ? 0 : 6;
  case '+': case '-': return 4;
  case '^': return 5;
  case '|':
    if (next == '|')
      return *op = OG_OP_OR, *length = 2, 1;
    return 5;
  case '&':
    if (next == '&')
      return *op = OG_OP_AND, *length = 2, 2;
    return 5;
  case '!':
    if (next == '=')
      return *op = OG_OP_NE, *length = 2, 3;
    return 5;
  case '=':
    if (next == '=')
      return *op = OG_OP_EQ, *length = 2, 3;
    return 0;
  case '<':
    if (next == '<')
      return *op = OG_OP_SHL, *length = 2, 6;
    if (next == '=' || next == '>')
      return *op = next == '=' ? OG_OP_LE : OG_OP_NE, *length = 2, 3;
    return 3;
  case '>':
    if (next == '>')
      return *op = OG_OP_SHR, *length = 2, 6;
    if (next == '=')
      return *op = OG_OP_GE, *length = 2, 3;
    return 3;
  default: return 0;
  }
}

static bool combine(struct og_asm *as, const char *at, unsigned op, struct og_operand_value right,
                    struct og_operand_value *left) {
  if (!left->expr && !right.expr) {
    if (og_fold_binary(op, left->value, right.value, &left->value))
      return true;
    return og_asm_error(as, at, 1, "division by zero");
  }
  const struct og_expr *expr = og_asm_binary(as, op, as_node(as, *left), as_node(as, right));
  if (expr->depth > OG_EXPR_OPERATORS_MOST)
    return og_asm_error(as, at, 1, "expression has too many operators: at most %d", OG_EXPR_OPERATORS_MOST);
  *left = (struct og_operand_value){expr, 0};
  return true;
}

/* The expression with the specifier applied to its symbols; NULL if one has a specifier already. */
static const struct og_expr *specified(struct og_asm *as, const struct og_expr *e, uint8_t spec) {
  if (e->kind == OG_EXPR_CONSTANT)
    return e;
  if (e->kind == OG_EXPR_SYMBOL)
    return e->specifier ? NULL : og_asm_symbol_expr(as, e->symbol, spec);
  if (e->kind == OG_EXPR_CALL)
    return NULL;
  const struct og_expr *left = specified(as, e->left, spec);
  const struct og_expr *right = e->kind == OG_EXPR_BINARY ? specified(as, e->right, spec) : NULL;
  if (!left || (!right && e->kind == OG_EXPR_BINARY))
    return NULL;
  if (right)
    return og_asm_binary(as, e->op, left, right);
  struct og_expr *unary = node(as, OG_EXPR_UNARY, e->op);
  unary->left = left;
  unary->depth = e->depth;
  return unary;
}

/* "@name" behind a whole expression. */
static bool specify(struct og_asm *as, struct og_operand_value *out) {
  const char *at = as->p;
  uint8_t spec;
  if (!specifier(as, &spec))
    return false;
  out->expr = out->expr ? specified(as, out->expr, spec) : NULL;
  return out->expr || og_asm_refuse(as, at, "expected a symbol reference");
}

static bool parse(struct og_asm *as, int precedence, unsigned depth, struct og_operand_value *out) {
  if (!primary(as, depth, out))
    return false;
  for (;;) {
    og_asm_space(as);
    unsigned op;
    int length, p = operator_at(as->p, &op, &length);
    if (p <= precedence)
      return precedence || *as->p != '@' || specify(as, out);
    const char *at = as->p;
    as->p += length;
    struct og_operand_value right;
    if (!parse(as, p, depth + 1, &right) || !combine(as, at, op, right, out))
      return false;
  }
}

bool og_asm_parse_unfolded(struct og_asm *as, struct og_operand_value *out) { return parse(as, 0, 0, out); }

bool og_asm_parse_primary(struct og_asm *as, struct og_operand_value *out) { return primary(as, 0, out); }

bool og_asm_parse_value(struct og_asm *as, struct og_operand_value *out) {
  const char *end = og_plain_number(as->p, &out->value);
  if (end) {
    out->expr = NULL;
    as->p = end;
    return true;
  }
  if (!parse(as, 0, 0, out))
    return false;
  if (out->expr && !og_asm_listing(as)) { /* differences of labels whose distance is known; a listing keeps them */
    struct og_value v;
    if (out->expr->kind != OG_EXPR_SYMBOL && og_asm_evaluate(as, out->expr, &v, NULL) && !v.add && !v.sub &&
        !v.specifier)
      *out = (struct og_operand_value){NULL, v.constant};
  }
  return true;
}

bool og_asm_parse_absolute(struct og_asm *as, int64_t *out) {
  const char *at = og_asm_at(as);
  struct og_operand_value v;
  if (!og_asm_parse_value(as, &v))
    return false;
  *out = v.value;
  return !v.expr || og_asm_evaluate_absolute(as, v.expr, out) || og_asm_refuse(as, at, "expected absolute expression");
}
