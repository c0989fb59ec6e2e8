/* print_expression.c - expressions as text, as LLVM prints them. */
#include "asm/expressions.h"

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

static bool is_sum(const struct og_expr *e) {
  return e->kind == OG_EXPR_BINARY && (e->op == '+' || e->op == '-');
}

static void print(struct og_asm *as, const struct og_expr *e, unsigned depth, struct og_buffer *out) {
  char single[2];
  if (depth > OG_EXPR_WALK_MOST)
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
    if (e->left->kind == OG_EXPR_UNARY)
      print(as, e->left, depth + 1, out);
    else
      print_operand(as, e->left, depth + 1, out);
    break;
  case OG_EXPR_CALL:
    og_buffer_printf(out, "%s(", og_function_names[e->op]);
    for (uint32_t i = 0; i < e->count; i++) {
      og_buffer_text(out, i ? ", " : "");
      print(as, e->args[i], depth + 1, out);
    }
    og_buffer_text(out, ")");
    break;
  default:
    if (e->left->kind == OG_EXPR_UNARY || (is_sum(e) && is_sum(e->left)))
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
