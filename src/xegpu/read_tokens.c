/* read_tokens.c - the reader's tokens and errors. */
#include "xegpu/reader.h"

#include <string.h>

bool og_mlir_fail_at(struct og_mlir_reader *r, uint32_t offset, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = og_arena_vprintf(r->arena, format, args);
  va_end(args);
  return og_error(r->diagnostics, (struct og_range){&r->m->source, offset, 1}, "%s", text);
}

bool og_mlir_fail(struct og_mlir_reader *r, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *text = og_arena_vprintf(r->arena, format, args);
  va_end(args);
  bool wrong = og_mlir_at(r) == OG_MLIR_TOK_WRONG;
  uint32_t size = (uint32_t)(r->lexer.at - r->lexer.token);
  return og_error(r->diagnostics, (struct og_range){&r->m->source, og_mlir_here(r), size ? size : 1}, "%.*s",
                  wrong ? (int)r->lexer.text.size : (int)strlen(text), wrong ? r->lexer.text.data : text);
}

bool og_mlir_take(struct og_mlir_reader *r, int kind) { return og_mlir_at(r) == kind && (og_mlir_next(r), true); }

bool og_mlir_take_word(struct og_mlir_reader *r, const char *word) {
  return og_mlir_at_word(r, word) && (og_mlir_next(r), true);
}

bool og_mlir_expect(struct og_mlir_reader *r, int kind) {
  return og_mlir_take(r, kind) ||
         (kind == OG_MLIR_TOK_ARROW ? og_mlir_fail(r, "expected '->'") : og_mlir_fail(r, "expected '%c'", kind));
}

bool og_mlir_expect_word(struct og_mlir_reader *r, const char *word) {
  return og_mlir_take_word(r, word) || og_mlir_fail(r, "expected '%s'", word);
}

bool og_mlir_at_literal(const struct og_mlir_reader *r, struct og_text literal) {
  int kind = og_mlir_at(r);
  if (kind == OG_MLIR_TOK_WORD)
    return og_text_equal(r->lexer.text, literal);
  if (kind == OG_MLIR_TOK_ARROW)
    return og_text_is(literal, "->");
  return literal.size == 1 && kind == literal.data[0];
}

bool og_mlir_enter(struct og_mlir_reader *r) {
  return ++r->depth <= OG_MLIR_DEEPEST || (r->depth--, og_mlir_fail(r, "nested too deeply"));
}

struct og_text og_mlir_intern_text(struct og_mlir_reader *r, struct og_text text) {
  return og_mlir_text(r->in, OG_MLIR_STRING, text)->text;
}

const char *og_mlir_type_text(struct og_mlir_reader *r, og_mlir_type type) {
  struct og_buffer out = {0};
  og_mlir_print_type(type, r->spelling, &out);
  const char *text = og_arena_copy(r->arena, (char *)out.data, out.size);
  og_buffer_free(&out);
  return text;
}

bool og_mlir_read_i64(struct og_mlir_reader *r, int64_t *value) {
  bool negative = og_mlir_take(r, '-');
  if (og_mlir_at(r) != OG_MLIR_TOK_INT)
    return og_mlir_fail(r, "expected integer value");
  uint64_t sum = 0;
  struct og_text t = r->lexer.text;
  bool hex = t.size > 2 && t.data[1] == 'x';
  for (size_t i = hex ? 2 : 0; i < t.size; i++) {
    unsigned digit = t.data[i] <= '9' ? (unsigned)(t.data[i] - '0') : (unsigned)((t.data[i] | 32) - 'a' + 10);
    if (__builtin_mul_overflow(sum, hex ? 16u : 10u, &sum) || __builtin_add_overflow(sum, digit, &sum))
      return og_mlir_fail(r, "integer value too large");
  }
  *value = (int64_t)(negative ? 0 - sum : sum);
  og_mlir_next(r);
  return true;
}
