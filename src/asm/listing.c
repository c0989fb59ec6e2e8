/* listing.c - the canonical text of what is assembled, as `mc` prints it. */
#include "asm/internal.h"

#include <stdio.h>
#include <string.h>

void og_asm_list(struct og_asm *as, const char *format, ...) {
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

void og_asm_list_expr(struct og_asm *as, struct og_operand_value value) {
  if (value.expr)
    og_asm_print_expr(as, value.expr, as->options->listing);
  else
    og_buffer_printf(as->options->listing, "%lld", (long long)value.value);
}

struct og_text og_asm_quoted(const struct og_asm *as, struct og_text name) {
  bool plain = name.size && !og_asm_digit(*name.data);
  for (size_t i = 0; i < name.size; i++)
    plain = plain && (og_asm_name_char(name.data[i]) || name.data[i] == '@');
  return plain || !name.size ? name : og_text(og_arena_printf(as->arena, "\"%.*s\"", OG_TEXT_ARGS(name)));
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
  og_asm_list(as, zero ? "\t.asciz\t\"" : "\t.ascii\t\"");
  for (size_t i = 0; i < size - zero; i++) {
    const char *found = p[i] ? strchr("\"\\\n\t\b\f\r", p[i]) : NULL;
    if (found)
      og_asm_list(as, "\\%c", "\"\\ntbfr"[found - "\"\\\n\t\b\f\r"]);
    else
      og_asm_list(as, p[i] >= 32 && p[i] < 127 ? "%c" : "\\%03o", p[i]);
  }
  og_asm_list(as, "\"\n");
}
