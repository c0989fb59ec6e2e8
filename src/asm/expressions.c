/* expressions.c - expressions: parsed by GNU as's precedence, folded where they are constant, evaluated to symbol - symbol + constant. */
#include "asm/internal.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 512, MAX_STEPS = 1 << 20 };

#define SPECIFIER_NAME(id, text) [OG_SPECIFIER_##id] = text,
const char *const og_specifier_names[OG_SPECIFIER_COUNT] = {OG_SPECIFIERS(SPECIFIER_NAME)};

/* Functions of resource usage that LLVM's assembler knows; what they compute is in call(). */
#define FUNCTIONS(X) X(MAX, "max") X(OR, "or") X(EXTRASGPRS, "extrasgprs") X(TOTALNUMVGPRS, "totalnumvgprs") \
  X(ALIGNTO, "alignto") X(OCCUPANCY, "occupancy") X(INSTPREFSIZE, "instprefsize")
#define FUNCTION_ENUM(id, text) FUNCTION_##id,
enum { FUNCTIONS(FUNCTION_ENUM) FUNCTION_COUNT };
#define FUNCTION_NAME(id, text) text,
static const char *const function_names[] = {FUNCTIONS(FUNCTION_NAME)};

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

/* ---- arithmetic: 64 bits, wrapping; comparisons are -1 or 0 ------------------------------------------------------ */

static bool unary(unsigned op, int64_t a, int64_t *out) {
  switch (op) {
  case '-': *out = (int64_t)(0 - (uint64_t)a); return true;
  case '~': *out = ~a; return true;
  case '!': *out = !a; return true;
  default: *out = a; return true;
  }
}

static bool divide(unsigned op, int64_t a, int64_t b, int64_t *out) {
  if (b == 0)
    return false;
  if (b == -1)
    *out = op == '/' ? (int64_t)(0 - (uint64_t)a) : 0;
  else
    *out = op == '/' ? a / b : a % b;
  return true;
}

static bool binary(unsigned op, int64_t a, int64_t b, int64_t *out) {
  uint64_t ua = (uint64_t)a, ub = (uint64_t)b, r;
  switch (op) {
  case '+': r = ua + ub; break;
  case '-': r = ua - ub; break;
  case '*': r = ua * ub; break;
  case '/': case '%': return divide(op, a, b, out);
  case '&': r = ua & ub; break;
  case '|': r = ua | ub; break;
  case '^': r = ua ^ ub; break;
  case '!': r = ua | ~ub; break;
  case OG_OP_SHL: r = ub < 64 ? ua << ub : 0; break;
  case OG_OP_SHR: r = ub < 64 ? ua >> ub : 0; break;
  case OG_OP_AND: r = a && b; break;
  case OG_OP_OR: r = a || b; break;
  case OG_OP_EQ: r = 0 - (uint64_t)(a == b); break;
  case OG_OP_NE: r = 0 - (uint64_t)(a != b); break;
  case '<': r = 0 - (uint64_t)(a < b); break;
  case '>': r = 0 - (uint64_t)(a > b); break;
  case OG_OP_LE: r = 0 - (uint64_t)(a <= b); break;
  case OG_OP_GE: r = 0 - (uint64_t)(a >= b); break;
  default: return false;
  }
  *out = (int64_t)r;
  return true;
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

static int digit_value(char c) {
  return og_asm_digit(c) ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'z' ? (c | 32) - 'a' + 10 : 99;
}

bool og_asm_integer(struct og_asm *as, uint64_t *out) {
  const char *p = as->p, *digits = p;
  int base = 10;
  if (*p == '0' && (p[1] | 32) == 'x')
    base = 16, p += 2;
  else if (*p == '0' && (p[1] | 32) == 'b' && (p[2] == '0' || p[2] == '1'))
    base = 2, p += 2;
  else if (*p == '0' && og_asm_digit(p[1]))
    base = 8, p++;
  digits = p;
  uint64_t value = 0;
  bool overflow = false;
  for (int d; (d = digit_value(*p)) < base; p++) {
    overflow |= value > (UINT64_MAX - (uint64_t)d) / (uint64_t)base;
    value = value * (uint64_t)base + (uint64_t)d;
  }
  if (p == digits && base != 8)
    return og_asm_error(as, as->p, 1, base == 16 ? "invalid hexadecimal number" : "unknown token in expression");
  if (overflow)
    return og_asm_error(as, as->p, (size_t)(p - as->p), "literal value out of range for directive: at most 64 bits");
  if (base == 8 && og_asm_digit(*p))
    return og_asm_error(as, as->p, 1, "invalid octal number");
  as->p = p;
  *out = value;
  return true;
}

bool og_asm_is_real(const char *p) {
  if (*p == '0' && (p[1] | 32) == 'x') {
    p += 2;
    while (og_asm_digit(*p) || ((*p | 32) >= 'a' && (*p | 32) <= 'f'))
      p++;
    return *p == '.' || (*p | 32) == 'p';
  }
  const char *start = p;
  while (og_asm_digit(*p))
    p++;
  if (*p == '.' && (p > start || og_asm_digit(p[1])))
    return true;
  return p > start && (*p | 32) == 'e' && (og_asm_digit(p[1]) || ((p[1] == '-' || p[1] == '+') && og_asm_digit(p[2])));
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
  while (og_asm_name_char(*end) || *end == '@')
    end++;
  struct og_text text = {start + 1, (size_t)(end - start - 1)};
  for (unsigned i = 1; i < OG_SPECIFIER_COUNT; i++)
    if (og_text_is(text, og_specifier_names[i]))
      return *out = (uint8_t)i, as->p = end, true;
  return og_asm_error(as, start + 1, (size_t)(end - start - 1), "invalid variant '%.*s'", OG_TEXT_ARGS(text));
}

static bool call(struct og_asm *as, unsigned function, unsigned depth, struct og_operand_value *out) {
  OG_VECTOR(const struct og_expr *) args = {0};
  uint32_t deepest = 0;
  as->p++;
  do {
    struct og_operand_value v;
    if (!parse(as, 0, depth + 1, &v))
      return false;
    const struct og_expr *e = as_node(as, v);
    deepest = OG_MAX(deepest, e->depth);
    *OG_PUSH(as->arena, &args) = e;
  } while (og_asm_accept(as, ','));
  if (!og_asm_accept(as, ')'))
    return og_asm_error(as, as->p, 1, "unexpected token in %s expression", function_names[function]);
  struct og_expr *expr = node(as, OG_EXPR_CALL, function);
  expr->args = args.items;
  expr->count = args.count;
  expr->depth = deepest + 1;
  *out = (struct og_operand_value){expr, 0};
  int64_t value;
  if (og_asm_evaluate_absolute(as, expr, &value))
    *out = (struct og_operand_value){NULL, value};
  return true;
}

static bool symbol_primary(struct og_asm *as, struct og_text name, unsigned depth, struct og_operand_value *out) {
  if (*as->p == '(')
    for (unsigned i = 0; i < FUNCTION_COUNT; i++)
      if (og_text_is(name, function_names[i]))
        return call(as, i, depth, out);
  uint8_t spec = 0;
  as->symbols_read++;
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
  if (og_asm_is_real(p)) { /* the bits of a double */
    char *end;
    double real = strtod(p, &end);
    *out = (struct og_operand_value){0};
    memcpy(&out->value, &real, sizeof real);
    return as->p = end, true;
  }
  if ((p[1] == 'f' || p[1] == 'b') && !og_asm_name_char(p[2]) &&
      !(p[0] == '0' && p[1] == 'b' && (p[2] == '0' || p[2] == '1'))) {
    unsigned digit = (unsigned)(*p - '0');
    as->symbols_read++;
    if (p[1] == 'b' && !as->local_labels[digit])
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
  if (depth > MAX_DEPTH)
    return og_asm_error(as, as->p, 1, "expression is nested too deeply: at most %d levels", MAX_DEPTH);
  char c = *as->p;
  if (og_asm_digit(c))
    return number(as, out);
  if (c == '$' && !og_asm_name_char(as->p[1]))
    return og_asm_error(as, as->p, 1, "invalid token in expression");
  if (og_asm_name_start(c))
    return symbol_primary(as, og_asm_word(as), depth, out);
  switch (c) {
  case '\'': return character(as, out);
  case '"': {
    struct og_text name;
    return og_asm_string(as, &name) && symbol_primary(as, name, depth, out);
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
      return unary((unsigned char)c, out->value, &out->value);
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
    if (binary(op, left->value, right.value, &left->value))
      return true;
    return og_asm_error(as, at, 1, "division by zero");
  }
  const struct og_expr *expr = og_asm_binary(as, op, as_node(as, *left), as_node(as, right));
  if (expr->depth > MAX_DEPTH * 4)
    return og_asm_error(as, at, 1, "expression has too many operators: at most %d", MAX_DEPTH * 4);
  *left = (struct og_operand_value){expr, 0};
  return true;
}

static bool parse(struct og_asm *as, int precedence, unsigned depth, struct og_operand_value *out) {
  if (!primary(as, depth, out))
    return false;
  for (;;) {
    og_asm_space(as);
    unsigned op;
    int length, p = operator_at(as->p, &op, &length);
    if (p <= precedence)
      return true;
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
  if (!parse(as, 0, 0, out))
    return false;
  if (out->expr) { /* differences of labels whose distance is known */
    struct og_value v;
    if (out->expr->kind != OG_EXPR_SYMBOL && og_asm_evaluate(as, out->expr, &v, NULL) && !v.add && !v.sub &&
        !v.specifier)
      *out = (struct og_operand_value){NULL, v.constant};
  }
  return true;
}

const struct og_expr *og_asm_parse_expr(struct og_asm *as) {
  struct og_operand_value v;
  return og_asm_parse_value(as, &v) ? as_node(as, v) : NULL;
}

bool og_asm_parse_absolute(struct og_asm *as, int64_t *out) {
  og_asm_space(as);
  const char *at = as->p;
  struct og_operand_value v;
  if (!og_asm_parse_value(as, &v))
    return false;
  *out = v.value;
  return !v.expr || og_asm_evaluate_absolute(as, v.expr, out) ||
         og_asm_error(as, at, (size_t)(as->p - at), "expected absolute expression");
}

/* ---- evaluation -------------------------------------------------------------------------------------------------- */

static bool evaluate(struct og_asm *as, const struct og_expr *expr, unsigned depth, struct og_value *out,
                     const char **why);

static bool evaluate_symbol(struct og_asm *as, const struct og_expr *expr, unsigned depth, struct og_value *out,
                            const char **why) {
  struct og_asm_symbol *symbol = expr->symbol;
  if (symbol->kind == OG_SYMBOL_VARIABLE && !expr->specifier) {
    if (!symbol->expr)
      return *out = (struct og_value){.constant = symbol->value}, true;
    if (symbol->visiting)
      return *why =
                 og_arena_printf(as->arena, "cyclic dependency detected for symbol '%.*s'", OG_TEXT_ARGS(symbol->name)),
             false;
    symbol->visiting = true;
    bool ok = evaluate(as, symbol->expr, depth + 1, out, why);
    symbol->visiting = false;
    return ok;
  }
  *out = (struct og_value){.add = symbol, .specifier = expr->specifier};
  return true;
}

/* Their distance is known if both lie in one chunk, or in one section that is laid out. */
static bool cancel(struct og_value *v) {
  struct og_asm_symbol *a = v->add, *b = v->sub;
  if (a == b && !v->specifier) {
    v->add = v->sub = NULL;
    return true;
  }
  if (!a || !b || v->specifier || a->kind != OG_SYMBOL_LABEL || b->kind != OG_SYMBOL_LABEL)
    return false;
  if (a->chunk != b->chunk && !(a->chunk->section == b->chunk->section && a->chunk->section->laid_out))
    return false;
  v->constant =
      (int64_t)((uint64_t)v->constant + a->chunk->base + (uint64_t)a->value - b->chunk->base - (uint64_t)b->value);
  v->add = v->sub = NULL;
  return true;
}

static bool add_values(struct og_value a, struct og_value b, bool subtract, struct og_value *out, const char **why) {
  if (subtract) {
    struct og_asm_symbol *swap = b.add;
    b.add = b.sub;
    b.sub = swap;
    b.constant = (int64_t)(0 - (uint64_t)b.constant);
  }
  /* Cross terms may cancel before the sums are full. */
  struct og_value cross1 = {a.add, b.sub, 0, a.specifier}, cross2 = {b.add, a.sub, 0, b.specifier};
  bool one = cross1.add && cross1.sub && cancel(&cross1), two = cross2.add && cross2.sub && cancel(&cross2);
  if (one)
    a.add = NULL, b.sub = NULL, a.constant = (int64_t)((uint64_t)a.constant + (uint64_t)cross1.constant);
  if (two)
    b.add = NULL, a.sub = NULL, a.constant = (int64_t)((uint64_t)a.constant + (uint64_t)cross2.constant);
  if ((a.add && b.add) || (a.sub && b.sub))
    return *why = "expected relocatable expression", false;
  *out = (struct og_value){a.add ? a.add : b.add, a.sub ? a.sub : b.sub,
                           (int64_t)((uint64_t)a.constant + (uint64_t)b.constant),
                           a.specifier ? a.specifier : b.specifier};
  cancel(out);
  return true;
}

static bool evaluate_binary(struct og_asm *as, const struct og_expr *expr, unsigned depth, struct og_value *out,
                            const char **why) {
  struct og_value a, b;
  if (!evaluate(as, expr->left, depth + 1, &a, why) || !evaluate(as, expr->right, depth + 1, &b, why))
    return false;
  if (expr->op == '+' || expr->op == '-')
    return add_values(a, b, expr->op == '-', out, why);
  if (a.add || a.sub || b.add || b.sub)
    return *why = "expected relocatable expression", false;
  *out = (struct og_value){0};
  return binary(expr->op, a.constant, b.constant, &out->constant) || (*why = "division by zero", false);
}

static int64_t align_to(int64_t value, int64_t granule) {
  return granule > 0 && value >= 0 && value <= INT64_MAX - granule ? (value + granule - 1) / granule * granule : value;
}

static int64_t occupancy(const int64_t *a) {
  /* occupancy(most waves, granule, all VGPRs, first generation of even VGPR pools, ISA major, SGPRs used, VGPRs used) */
  int64_t waves = a[0];
  if (a[4] < 10 && a[5] > 0) {
    int64_t by_sgprs = a[4] >= 8 ? (a[5] <= 80    ? 10
                                    : a[5] <= 88  ? 9
                                    : a[5] <= 100 ? 8
                                                  : 7)
                                 : (a[5] <= 48   ? 10
                                    : a[5] <= 56 ? 9
                                    : a[5] <= 64 ? 8
                                    : a[5] <= 72 ? 7
                                    : a[5] <= 80 ? 6
                                                 : 5);
    waves = OG_MIN(waves, by_sgprs);
  }
  if (a[6] > 0 && a[1] > 0)
    waves = OG_MIN(waves, OG_MAX(a[2] / OG_MAX(align_to(a[6], a[1]), 1), 1));
  return waves;
}

static bool evaluate_call(struct og_asm *as, const struct og_expr *expr, unsigned depth, struct og_value *out,
                          const char **why) {
  int64_t small[8], r = 0, v = 0;
  for (uint32_t i = 0; i < expr->count; i++) {
    struct og_value value;
    if (!evaluate(as, expr->args[i], depth + 1, &value, why))
      return false;
    if (value.add || value.sub)
      return *why = "expected absolute expression", false;
    v = value.constant;
    if (i < OG_COUNT(small))
      small[i] = v;
    r = i == 0 ? v : expr->op == FUNCTION_OR ? r | v : OG_MAX(r, v);
  }
  static const uint8_t wanted[] = {[FUNCTION_EXTRASGPRS] = 3, [FUNCTION_TOTALNUMVGPRS] = 2, [FUNCTION_ALIGNTO] = 2,
                                   [FUNCTION_OCCUPANCY] = 7, [FUNCTION_INSTPREFSIZE] = 1};
  if (wanted[expr->op] && expr->count != wanted[expr->op])
    return *why = og_arena_printf(as->arena, "%s takes %u arguments", function_names[expr->op], wanted[expr->op]),
           false;
  switch (expr->op) {
  case FUNCTION_EXTRASGPRS: r = og_extra_sgprs(&as->target, small[0], small[1], small[2]); break;
  case FUNCTION_TOTALNUMVGPRS:
    r = as->target.processor->unified_vgprs && small[0]
            ? (int64_t)((uint64_t)align_to(small[1], 4) + (uint64_t)small[0])
            : OG_MAX(small[0], small[1]);
    break;
  case FUNCTION_ALIGNTO: r = align_to(small[0], small[1]); break;
  case FUNCTION_OCCUPANCY: r = occupancy(small); break;
  case FUNCTION_INSTPREFSIZE:
    r = OG_MIN(align_to(small[0], 128) / 128, as->target.processor->major >= 12 ? 255 : 63);
    break;
  default: break;
  }
  *out = (struct og_value){.constant = r};
  return true;
}

static bool evaluate(struct og_asm *as, const struct og_expr *expr, unsigned depth, struct og_value *out,
                     const char **why) {
  if (++as->evaluation_steps > MAX_STEPS || depth > MAX_DEPTH * 8)
    return *why = "expression is too complex to evaluate", false;
  switch (expr->kind) {
  case OG_EXPR_CONSTANT: return *out = (struct og_value){.constant = expr->value}, true;
  case OG_EXPR_SYMBOL: return evaluate_symbol(as, expr, depth, out, why);
  case OG_EXPR_BINARY: return evaluate_binary(as, expr, depth, out, why);
  case OG_EXPR_CALL: return evaluate_call(as, expr, depth, out, why);
  default: break;
  }
  struct og_value zero = {0}, a;
  if (!evaluate(as, expr->left, depth + 1, &a, why))
    return false;
  if (expr->op == '-')
    return add_values(zero, a, true, out, why);
  if ((a.add || a.sub) && expr->op != '+')
    return *why = "expected relocatable expression", false;
  *out = a;
  return unary(expr->op, a.constant, &out->constant);
}

bool og_asm_evaluate(struct og_asm *as, const struct og_expr *expr, struct og_value *out, const char **why) {
  const char *reason = NULL;
  as->evaluation_steps = 0;
  bool ok = evaluate(as, expr, 0, out, &reason);
  if (why)
    *why = reason;
  return ok;
}

bool og_asm_evaluate_absolute(struct og_asm *as, const struct og_expr *expr, int64_t *out) {
  struct og_value v;
  if (!og_asm_evaluate(as, expr, &v, NULL) || v.add || v.sub)
    return false;
  *out = v.constant;
  return true;
}

/* ---- text, as LLVM prints it ------------------------------------------------------------------------------------- */

static void print(struct og_asm *as, const struct og_expr *e, unsigned depth, struct og_buffer *out);

static void print_operand(struct og_asm *as, const struct og_expr *e, unsigned depth, struct og_buffer *out) {
  bool plain = e->kind == OG_EXPR_CONSTANT || e->kind == OG_EXPR_SYMBOL || e->kind == OG_EXPR_CALL;
  og_buffer_text(out, plain ? "" : "(");
  print(as, e, depth, out);
  og_buffer_text(out, plain ? "" : ")");
}

static const char *operator_text(unsigned op, char *single) {
  switch (op) {
  case OG_OP_SHL: return "<<";
  case OG_OP_SHR: return ">>";
  case OG_OP_EQ: return "==";
  case OG_OP_NE: return "!=";
  case OG_OP_LE: return "<=";
  case OG_OP_GE: return ">=";
  case OG_OP_AND: return "&&";
  case OG_OP_OR: return "||";
  default: single[0] = (char)op; single[1] = '\0'; return single;
  }
}

static void print(struct og_asm *as, const struct og_expr *e, unsigned depth, struct og_buffer *out) {
  char single[2];
  if (depth > MAX_DEPTH * 8)
    return;
  switch (e->kind) {
  case OG_EXPR_CONSTANT: og_buffer_printf(out, "%lld", (long long)e->value); break;
  case OG_EXPR_SYMBOL:
    og_buffer_printf(out, "%.*s", OG_TEXT_ARGS(og_asm_quoted(as, e->symbol->name)));
    if (e->specifier)
      og_buffer_printf(out, "@%s", og_specifier_names[e->specifier]);
    break;
  case OG_EXPR_UNARY:
    og_buffer_u8(out, (uint8_t)e->op);
    print_operand(as, e->left, depth + 1, out);
    break;
  case OG_EXPR_CALL:
    og_buffer_printf(out, "%s(", function_names[e->op]);
    for (uint32_t i = 0; i < e->count; i++) {
      og_buffer_text(out, i ? ", " : "");
      print(as, e->args[i], depth + 1, out);
    }
    og_buffer_text(out, ")");
    break;
  default:
    if (e->left->kind == OG_EXPR_UNARY)
      print(as, e->left, depth + 1, out);
    else
      print_operand(as, e->left, depth + 1, out);
    if (e->op == '+' && e->right->kind == OG_EXPR_CONSTANT && e->right->value < 0) {
      og_buffer_printf(out, "%lld", (long long)e->right->value);
      break;
    }
    og_buffer_text(out, operator_text(e->op, single));
    print_operand(as, e->right, depth + 1, out);
  }
}

void og_asm_print_expr(struct og_asm *as, const struct og_expr *expr, struct og_buffer *out) {
  print(as, expr, 0, out);
}
