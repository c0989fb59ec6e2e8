/* format.c - conversions of printf. The C library prints each value; what it is told is bounded. */
#include "base/format.h"

#include <stdio.h>
#include <string.h>

static int number(const char **f) {
  int value = 0;
  for (; **f >= '0' && **f <= '9'; (*f)++)
    value = OG_MIN(value * 10 + (**f - '0'), OG_FORMAT_MOST_WIDTH);
  return value;
}

/* Digits, or a '*' with an argument. */
static int number_or_argument(const char **f, og_take_number *take, void *context) {
  int64_t value = 0;
  if (**f != '*')
    return number(f);
  (*f)++;
  return take && take(context, &value) ? (int)OG_MIN(OG_MAX(value, -OG_FORMAT_MOST_WIDTH), OG_FORMAT_MOST_WIDTH) : 0;
}

/* After the '%'. */
static struct og_conversion read_conversion(const char **f, og_take_number *take, void *context) {
  struct og_conversion c = {.width = -1, .precision = -1, .elements = 1};
  size_t n = 0;
  for (; **f && strchr("-+ #0", **f); (*f)++)
    if (n + 2 < sizeof c.flags)
      c.flags[n++] = **f;
  if (**f == '*' || (**f >= '1' && **f <= '9'))
    c.width = number_or_argument(f, take, context);
  if (c.width < -1) { /* as C has it of arguments */
    c.width = -c.width;
    c.flags[n++] = '-';
  }
  if (**f == '.') {
    (*f)++;
    int precision = number_or_argument(f, take, context);
    c.precision = OG_MAX(precision, -1);
  }
  if (**f == 'v') {
    (*f)++;
    c.elements = (uint32_t)number(f);
  }
  for (; **f && strchr("hlzjtL", **f); (*f)++)
    c.size = **f != 'h' ? (c.size == 2 ? 4 : 8) : c.size == 2 ? 1 : 2; /* hl: a vector of dwords */
  if (**f)
    c.letter = *(*f)++;
  return c;
}

bool og_format_next(const char **format, struct og_conversion *c, og_take_number *take, void *context,
                    struct og_buffer *out) {
  for (;;) {
    size_t plain = strcspn(*format, "%");
    og_buffer_append(out, *format, plain);
    *format += plain;
    if (!**format)
      return false;
    if (*++*format != '%')
      break;
    og_buffer_text(out, "%");
    ++*format;
  }
  *c = read_conversion(format, take, context);
  return true;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#define PUT(c, length, value, out)                                                                                     \
  do {                                                                                                                 \
    char format[32], text[3 * OG_FORMAT_MOST_WIDTH];                                                                   \
    int width = OG_MAX((c)->width, 0), precision = OG_MAX((c)->precision, 0);                                          \
    snprintf(format, sizeof format, (c)->precision < 0 ? "%%%s*%s%c" : "%%%s*.*%s%c", (c)->flags, length,              \
             (c)->letter);                                                                                             \
    int size_ = (c)->precision < 0 ? snprintf(text, sizeof text, format, width, value)                                 \
                                   : snprintf(text, sizeof text, format, width, precision, value);                     \
    og_buffer_append(out, text, OG_MIN((size_t)OG_MAX(size_, 0), sizeof text - 1));                                    \
  } while (0)

void og_format_integer(const struct og_conversion *c, uint64_t value, unsigned size, struct og_buffer *out) {
  unsigned unused = 64 - 8 * (c->size && c->size < size ? c->size : size);
  value = value << unused;
  value = strchr("di", c->letter) ? (uint64_t)((int64_t)value >> unused) : value >> unused;
  if (c->letter == 'c')
    PUT(c, "", (int)value, out);
  else if (c->letter == 'p')
    PUT(c, "", (void *)(uintptr_t)value, out);
  else if (og_is_integer_conversion(c))
    PUT(c, "ll", (unsigned long long)value, out);
}

void og_format_float(const struct og_conversion *c, double value, struct og_buffer *out) {
  if (og_is_float_conversion(c))
    PUT(c, "", value, out);
}
#undef PUT
#pragma GCC diagnostic pop

void og_format_string(const struct og_conversion *c, const char *string, size_t size, struct og_buffer *out) {
  size_t shown = c->precision < 0 ? size : OG_MIN(size, (size_t)c->precision);
  int padding = c->width > 0 && (size_t)c->width > shown ? c->width - (int)shown : 0;
  bool left = strchr(c->flags, '-') != NULL;
  og_buffer_printf(out, "%*s", left ? 0 : padding, "");
  og_buffer_append(out, string, shown);
  og_buffer_printf(out, "%*s", left ? padding : 0, "");
}
