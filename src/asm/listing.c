/* listing.c - the canonical text of what is assembled, as `mc` prints it. */
#include "asm/internal.h"

#include <stdio.h>

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
