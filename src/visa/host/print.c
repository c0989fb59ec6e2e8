/* print.c - what a kernel printed with printf: the records that it left in its buffer, as text.
 *
 * The buffer's first dword is where the next record goes, which threads move on atomically. A record is the address of
 * the format string (8 bytes), then for each argument its kind (a dword) and value; a vector's value begins with its
 * number of elements. The kernel may have written anything: nothing is believed before it has been held against the
 * buffer's end and the strings that the zebin brought. */
#include "visa/host/print.h"

#include <stdio.h>
#include <string.h>

enum { MOST_TEXT = 1 << 26, MOST_WIDTH = 4096, MOST_ELEMENTS = 16 };

/* Kinds of arguments: bytes of an element, and n integer, f float, s string, p pointer. */
struct kind {
  uint8_t size;
  char class;
  bool vector;
};
static const struct kind kinds[] = {
    {0},           {1, 'n', false}, {2, 'n', false}, {4, 'n', false}, {4, 'f', false},
    {8, 's', false}, {8, 'n', false}, {8, 'p', false}, {8, 'f', false}, {1, 'n', true},
    {2, 'n', true},  {4, 'n', true},  {8, 'n', true},  {4, 'f', true},  {8, 'f', true},
};

struct printer {
  const struct og_zebin *zebin;
  const uint8_t *at, *end; /* what is left of the records */
  struct og_buffer *out;
};

/* One argument, as taken from a record. */
struct argument {
  struct kind kind;
  uint32_t count;
  uint64_t values[MOST_ELEMENTS];
};

/* A conversion of the format string: flags, width and precision, and its letter. */
struct conversion {
  char flags[8];
  int width, precision; /* -1: none */
  uint32_t elements;    /* of a vector, 1 else */
  uint8_t size;         /* that h, hh or l ask for, or 0 */
  char letter;
};

static bool take(struct printer *p, void *to, size_t size) {
  if ((size_t)(p->end - p->at) < size)
    return false;
  memcpy(to, p->at, size);
  p->at += size;
  return true;
}

/* The string at an address, where the zebin has one there that ends; else NULL. */
static const char *string_at(const struct printer *p, uint64_t address) {
  for (uint32_t i = 0; p->zebin && i < p->zebin->sections.count; i++) {
    const struct og_zebin_data *section = &p->zebin->sections.items[i];
    uint64_t into = address - (uintptr_t)section->bytes;
    if (into < section->size && memchr(section->bytes + into, 0, section->size - into))
      return (const char *)section->bytes + into;
  }
  return NULL;
}

/* Scalars take a dword at least; so do a vector's elements together, for each. */
static bool take_argument(struct printer *p, struct argument *argument) {
  uint32_t kind = 0;
  *argument = (struct argument){.count = 1};
  if (!take(p, &kind, 4) || kind >= OG_COUNT(kinds) || !kinds[kind].size)
    return false;
  argument->kind = kinds[kind];
  if (argument->kind.vector && (!take(p, &argument->count, 4) || argument->count > MOST_ELEMENTS))
    return false;
  for (uint32_t i = 0; i < argument->count; i++)
    if (!take(p, &argument->values[i], argument->kind.size))
      return false;
  uint32_t padding = argument->kind.size < 4 ? (4u - argument->kind.size) * argument->count : 0;
  if ((size_t)(p->end - p->at) < padding)
    return false;
  p->at += padding;
  return true;
}

static int number(const char **f) {
  int value = 0;
  for (; **f >= '0' && **f <= '9'; (*f)++)
    value = OG_MIN(value * 10 + (**f - '0'), MOST_WIDTH);
  return value;
}

/* After the '%'. */
static struct conversion take_conversion(const char **f) {
  struct conversion c = {.width = -1, .precision = -1, .elements = 1};
  for (size_t n = 0; **f && strchr("-+ #0", **f); (*f)++)
    if (n + 1 < sizeof c.flags)
      c.flags[n++] = **f;
  if (**f >= '1' && **f <= '9')
    c.width = number(f);
  if (**f == '.') {
    (*f)++;
    c.precision = number(f);
  }
  if (**f == 'v') {
    (*f)++;
    c.elements = (uint32_t)number(f);
  }
  for (; **f == 'h' || **f == 'l'; (*f)++)
    c.size = **f == 'l' ? (c.size == 2 ? 4 : 8) : c.size == 2 ? 1 : 2; /* hl: a vector of dwords */
  if (**f)
    c.letter = *(*f)++;
  return c;
}

static double float_value(const struct argument *argument, uint32_t i) {
  float single;
  double value;
  memcpy(&single, &argument->values[i], sizeof single);
  memcpy(&value, &argument->values[i], sizeof value);
  return argument->kind.class != 'f' ? (double)(int64_t)argument->values[i] : argument->kind.size == 4 ? single : value;
}

static uint64_t integer_value(const struct argument *argument, uint32_t i, const struct conversion *c) {
  uint8_t size = c->size && c->size < argument->kind.size ? c->size : argument->kind.size;
  uint32_t unused = 64u - 8u * size;
  uint64_t value = argument->values[i] << unused;
  return strchr("di", c->letter) ? (uint64_t)((int64_t)value >> unused) : value >> unused;
}

static void put_element(struct printer *p, const struct conversion *c, const struct argument *argument, uint32_t i) {
  char format[32], text[3 * MOST_WIDTH];
  const char *length = strchr("diouxX", c->letter) ? "ll" : "";
  snprintf(format, sizeof format, c->precision < 0 ? "%%%s*%s%c" : "%%%s*.*%s%c", c->flags, length, c->letter);
  int width = OG_MAX(c->width, 0), precision = OG_MAX(c->precision, 0), size;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#define PUT(value)                                                                                                     \
  (c->precision < 0 ? snprintf(text, sizeof text, format, width, value)                                                \
                    : snprintf(text, sizeof text, format, width, precision, value))
  if (strchr("diouxX", c->letter))
    size = PUT((unsigned long long)integer_value(argument, i, c));
  else if (c->letter == 'c')
    size = PUT((int)argument->values[i]);
  else if (c->letter == 'p')
    size = PUT((void *)(uintptr_t)argument->values[i]);
  else
    size = PUT(float_value(argument, i));
#undef PUT
#pragma GCC diagnostic pop
  og_buffer_append(p->out, text, OG_MIN((size_t)OG_MAX(size, 0), sizeof text - 1));
}

static bool put_conversion(struct printer *p, const struct conversion *c) {
  struct argument argument;
  if (!c->letter || !strchr("diouxXcpfFeEgGaAs", c->letter) || !take_argument(p, &argument))
    return false;
  if (c->letter == 's') {
    const char *string = string_at(p, argument.values[0]);
    if (argument.kind.class != 's' || (argument.values[0] && !string))
      return false;
    string = string ? string : "(null)";
    size_t length = strlen(string), shown = c->precision < 0 ? length : OG_MIN(length, (size_t)c->precision);
    size_t padding = c->width > 0 && (size_t)c->width > shown ? (size_t)c->width - shown : 0;
    bool left = strchr(c->flags, '-') != NULL;
    og_buffer_printf(p->out, "%*s%.*s%*s", left ? 0 : (int)padding, "", (int)OG_MIN(shown, (size_t)MOST_TEXT), string,
                     left ? (int)padding : 0, "");
    return true;
  }
  for (uint32_t i = 0; i < argument.count; i++) {
    if (i)
      og_buffer_text(p->out, ",");
    put_element(p, c, &argument, i);
  }
  return true;
}

static bool put_record(struct printer *p) {
  uint64_t address;
  const char *format;
  if (!take(p, &address, 8) || !(format = string_at(p, address)))
    return false;
  while (*format) {
    size_t plain = strcspn(format, "%");
    og_buffer_append(p->out, format, plain);
    format += plain;
    if (!*format)
      break;
    if (*++format == '%') {
      og_buffer_text(p->out, "%");
      format++;
      continue;
    }
    struct conversion conversion = take_conversion(&format);
    if (!put_conversion(p, &conversion))
      return false;
  }
  return true;
}

void og_visa_printed(const struct og_zebin *zebin, const uint8_t *buffer, size_t size, struct og_buffer *out) {
  size_t written = OG_MIN((size_t)og_load32(buffer), size), start = out->size;
  struct printer p = {.zebin = zebin, .at = buffer + OG_VISA_PRINT_FIRST, .end = buffer + written, .out = out};
  while (p.at < p.end && out->size - start < MOST_TEXT)
    if (!put_record(&p)) {
      og_buffer_text(out, "\n(what follows in the kernel's printf buffer is no record)\n");
      return;
    }
}
