/* evaluate.c - evaluates an expression to symbol - symbol + constant. */
#include "asm/expressions.h"

enum { MAX_STEPS = 1 << 20 };

/* ---- arithmetic ------------------------------------------------------------------------------------------------- */

bool og_fold_unary(unsigned op, int64_t a, int64_t *out) {
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

bool og_fold_binary(unsigned op, int64_t a, int64_t b, int64_t *out) {
  uint64_t ua = (uint64_t)a, ub = (uint64_t)b, r;
  switch (op) {
  case '+': r = ua + ub; break;
  case '-': r = ua - ub; break;
  case '*': r = ua * ub; break;
  case '/':
  case '%': return divide(op, a, b, out);
  case '&': r = ua & ub; break;
  case '|': r = ua | ub; break;
  case '^': r = ua ^ ub; break;
  case '!': r = ua | ~ub; break;
  case OG_OP_SHL: r = ua << (ub & 63); break; /* the count's low six bits, as on x86 and so in llvm-mc */
  case OG_OP_SHR: r = ua >> (ub & 63); break;
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

static bool cancel(struct og_value *v) {
  struct og_asm_symbol *a = v->add, *b = v->sub;
  if (a == b && !v->specifier) {
    v->add = v->sub = NULL;
    return true;
  }
  if (!a || !b || v->specifier || a->kind != OG_SYMBOL_LABEL || b->kind != OG_SYMBOL_LABEL)
    return false;
  if (!og_asm_distance_known(a, b))
    return false;
  v->constant = (int64_t)((uint64_t)v->constant + og_asm_address(a) - og_asm_address(b));
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
  /* Terms of both sides may cancel before the sums are full. */
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
  return og_fold_binary(expr->op, a.constant, b.constant, &out->constant) || (*why = "division by zero", false);
}

static int64_t align_to(int64_t value, int64_t granule) {
  return granule > 0 && value >= 0 && value <= INT64_MAX - granule ? (value + granule - 1) / granule * granule : value;
}

/* occupancy(most waves, granule, all VGPRs, generation as LLVM counts them, first guess, SGPRs used, VGPRs used) */
static int64_t occupancy(const int64_t *a) {
  enum { VOLCANIC_ISLANDS = 7, GFX10 = 9 };
  static const struct {
    uint8_t sgprs[2], waves[2];
  } steps[] = {{{80, 48}, {10, 10}}, {{88, 56}, {9, 9}},  {{100, 64}, {8, 8}},
               {{255, 72}, {7, 7}},  {{255, 80}, {7, 6}}, {{255, 255}, {7, 5}}};
  int64_t most = a[0], waves = a[4];
  bool old = a[3] < VOLCANIC_ISLANDS;
  if (a[5]) {
    size_t i = 0;
    while (i + 1 < OG_COUNT(steps) && a[5] > steps[i].sgprs[old])
      i++;
    waves = OG_MIN(waves, a[3] >= GFX10 ? most : (int64_t)steps[i].waves[old]);
  }
  if (a[6] && a[6] < a[1])
    waves = OG_MIN(waves, most);
  else if (a[6] && a[1] > 0)
    waves = OG_MIN(waves, OG_MIN(OG_MAX(a[2] / OG_MAX(align_to(a[6], a[1]), 1), 1), most));
  return waves;
}

bool og_asm_has_specifier(const struct og_expr *e) {
  bool found = e->kind == OG_EXPR_SYMBOL && e->specifier;
  if (e->kind == OG_EXPR_UNARY || e->kind == OG_EXPR_BINARY)
    found = og_asm_has_specifier(e->left) || (e->kind == OG_EXPR_BINARY && og_asm_has_specifier(e->right));
  for (uint32_t i = 0; e->kind == OG_EXPR_CALL && !found && i < e->count; i++)
    found = og_asm_has_specifier(e->args[i]);
  return found;
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
    r = i == 0 ? v : expr->op == OG_FUNCTION_OR ? r | v : OG_MAX(r, v);
  }
  static const uint8_t wanted[] = {[OG_FUNCTION_EXTRASGPRS] = 3,
                                   [OG_FUNCTION_TOTALNUMVGPRS] = 2,
                                   [OG_FUNCTION_ALIGNTO] = 2,
                                   [OG_FUNCTION_OCCUPANCY] = 7,
                                   [OG_FUNCTION_INSTPREFSIZE] = 1};
  if (wanted[expr->op] && expr->count != wanted[expr->op])
    return *why = og_arena_printf(as->arena, "%s takes %u arguments", og_function_names[expr->op], wanted[expr->op]),
           false;
  switch (expr->op) {
  case OG_FUNCTION_EXTRASGPRS: r = og_extra_sgprs(&as->target, small[0], small[1], small[2]); break;
  case OG_FUNCTION_TOTALNUMVGPRS:
    r = as->target.processor->unified_vgprs && small[0]
            ? (int64_t)((uint64_t)align_to(small[1], 4) + (uint64_t)small[0])
            : OG_MAX(small[0], small[1]);
    break;
  case OG_FUNCTION_ALIGNTO: r = align_to(small[0], small[1]); break;
  case OG_FUNCTION_OCCUPANCY: r = occupancy(small); break;
  case OG_FUNCTION_INSTPREFSIZE:
    r = OG_MIN(align_to(small[0], 128) / 128, as->target.processor->major >= 12 ? 255 : 63);
    break;
  default: break;
  }
  *out = (struct og_value){.constant = r};
  return true;
}

static bool evaluate(struct og_asm *as, const struct og_expr *expr, unsigned depth, struct og_value *out,
                     const char **why) {
  if (++as->evaluation_steps > MAX_STEPS || depth > OG_EXPR_WALK_MOST)
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
  return og_fold_unary(expr->op, a.constant, &out->constant);
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
