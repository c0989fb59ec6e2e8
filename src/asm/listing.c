/* listing.c - the canonical text of what is assembled, as `mc` prints it. */
#include "asm/instruction.h"

#include <stdio.h>
#include <string.h>

void og_asm_put(struct og_asm *as, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  int size = vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (size >= 0 && (size_t)size < sizeof text) {
    og_buffer_append(as->options->listing, text, (size_t)size);
    return;
  }
  va_start(args, format);
  og_buffer_text(as->options->listing, og_arena_vprintf(as->arena, format, args));
  va_end(args);
}

static void print_value(struct og_asm *as, struct og_operand_value value, struct og_buffer *out) {
  if (value.expr)
    og_asm_print_expr(as, value.expr, out);
  else
    og_buffer_printf(out, "%lld", (long long)value.value);
}

void og_asm_list_expr(struct og_asm *as, struct og_operand_value value) {
  print_value(as, value, as->options->listing);
}

const char *og_asm_listed(struct og_asm *as, struct og_operand_value value) {
  struct og_buffer text = {0};
  print_value(as, value, &text);
  const char *out = og_arena_copy(as->arena, (const char *)text.data, text.size);
  og_buffer_free(&text);
  return out;
}

const char *og_asm_escaped(const struct og_asm *as, struct og_text text) {
  char *out = og_arena_alloc(as->arena, 2 * text.size + 1), *to = out;
  for (size_t i = 0; i < text.size; i++) {
    char c = text.data[i];
    if (c == '"' || c == '\\' || c == '\n')
      *to++ = '\\';
    *to++ = c == '\n' ? 'n' : c;
  }
  *to = 0;
  return out;
}

struct og_text og_asm_quoted(const struct og_asm *as, struct og_text name) {
  bool plain = name.size && !og_is_digit(*name.data);
  for (size_t i = 0; i < name.size; i++)
    plain = plain && (og_name_char(name.data[i]) || name.data[i] == '@');
  return plain || !name.size ? name : og_text(og_arena_printf(as->arena, "\"%s\"", og_asm_escaped(as, name)));
}

void og_asm_list_string(struct og_asm *as, struct og_text text) {
  og_asm_list(as, "\"");
  for (size_t i = 0; i < text.size; i++) {
    uint8_t c = (uint8_t)text.data[i];
    const char *found = c ? strchr("\"\\\n\t\b\f\r", c) : NULL;
    if (found)
      og_asm_list(as, "\\%c", "\"\\ntbfr"[found - "\"\\\n\t\b\f\r"]);
    else
      og_asm_list(as, c >= 32 && c < 127 ? "%c" : "\\%03o", c);
  }
  og_asm_list(as, "\"");
}

/* Bytes as directives that give them back: one as a number, more as a string, and the last as .asciz where it is 0. */
void og_asm_list_bytes(struct og_asm *as, const void *bytes, size_t size) {
  const uint8_t *p = bytes;
  if (size == 1) {
    og_asm_list(as, "\t.byte\t%u\n", *p);
    return;
  }
  if (!size)
    return;
  bool zero = p[size - 1] == 0;
  og_asm_list(as, zero ? "\t.asciz\t" : "\t.ascii\t");
  og_asm_list_string(as, (struct og_text){(const char *)bytes, size - zero});
  og_asm_list(as, "\n");
}

/* ---- instructions ------------------------------------------------------------------------------------------------ */

static const uint32_t placeholder = 0x7fa5c3d1; /* stands for an expression's literal until it is printed */

static bool print_label(void *context, uint64_t address, struct og_buffer *out) {
  struct og_asm *as = ((void **)context)[0];
  const struct og_match *m = ((void **)context)[1];
  (void)address;
  if (!m->expr)
    return false;
  og_asm_print_expr(as, m->expr, out);
  return true;
}

static void replace_placeholder(struct og_asm *as, const struct og_match *m, struct og_buffer *text) {
  char needle[16];
  int size = __builtin_sprintf(needle, "0x%x", placeholder);
  uint8_t *found = text->data ? memmem(text->data, text->size, needle, (size_t)size) : NULL;
  if (!found)
    return;
  struct og_buffer tail = {0};
  og_buffer_append(&tail, found + size, (size_t)(text->data + text->size - found - size));
  text->size = (size_t)(found - text->data);
  og_asm_print_expr(as, m->expr, text);
  og_buffer_append(text, tail.data, tail.size);
  og_buffer_free(&tail);
}

/* Whether LLVM takes the distance: for all but absolute specifiers and differences. */
static bool is_pcrel(const struct og_expr *e) {
  switch (e->kind) {
  case OG_EXPR_SYMBOL:
    return e->specifier != OG_SPECIFIER_ABS32_LO && e->specifier != OG_SPECIFIER_ABS32_HI &&
           e->specifier != OG_SPECIFIER_ABS64;
  case OG_EXPR_UNARY: return is_pcrel(e->left);
  case OG_EXPR_BINARY: return e->op != '-' && (is_pcrel(e->left) || is_pcrel(e->right));
  default: return false;
  }
}

void og_asm_list_instruction(struct og_asm *as, const struct og_match *m, const uint8_t *bytes, size_t size) {
  struct og_buffer text = {0}, *out = as->options->listing;
  void *context[] = {as, (void *)(uintptr_t)m};
  bool branch = m->expr && og_operand(&m->inst, OG_ROLE_SIMM) && m->inst.encoding != OG_ENC_VOP2;
  struct og_symbolizer symbolizer = {print_label, context, 0};
  struct og_inst inst = m->inst;
  for (unsigned i = 0; m->expr && !branch && i < inst.operand_count; i++)
    if (inst.operands[i].kind == OG_OPERAND_LITERAL)
      inst.operands[i].value = placeholder;
  og_print_inst(m->isa, &inst, branch ? &symbolizer : NULL, &text);
  if (m->expr && !branch)
    replace_placeholder(as, m, &text);
  og_buffer_printf(out, "\t%.*s", (int)text.size, (const char *)text.data);
  if (as->options->show_encoding) {
    og_buffer_printf(out, "%*s", text.size < 40 ? (int)(40 - text.size) : 1, "");
    og_buffer_text(out, "; encoding: [");
    size_t from = branch ? 0 : size - m->literal_size, to = !m->expr ? 0 : branch ? 2 : size;
    for (size_t i = 0; i < size; i++) {
      if (m->expr && i >= from && i < to)
        og_buffer_printf(out, "%sA", i ? "," : "");
      else
        og_buffer_printf(out, "%s0x%02x", i ? "," : "", bytes[i]);
    }
    og_buffer_text(out, "]");
    if (m->expr) {
      og_buffer_printf(out, "\n                                        ;   fixup A - offset: %zu, value: ", from);
      og_asm_print_expr(as, m->expr, out);
      if (branch)
        og_buffer_text(out, ", kind: fixup_si_sopp_br");
      else
        og_buffer_printf(out, ", kind: %s_%u", is_pcrel(m->expr) ? "FK_PCRel" : "FK_Data", m->literal_size);
    }
  }
  og_buffer_u8(out, '\n');
  og_buffer_free(&text);
}
