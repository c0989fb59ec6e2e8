/* print.c - what a kernel printed with printf: makes text of the records in its buffer.
 *
 * The buffer's first dword says where the next record goes; threads advance it atomically. A record is the address of
 * the format string (8 bytes), then for each argument its kind (a dword) and value; a vector's value begins with its
 * number of elements. The kernel may have written anything, so everything is checked against the buffer's end and the
 * strings of the zebin before it is used. */
#include "visa/host/print.h"

#include <string.h>

#include "base/format.h"

enum { MOST_TEXT = 1 << 26, MOST_ELEMENTS = 16 };

/* Kinds of arguments: bytes of an element, and its type: n integer, f float, s string, p pointer. */
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

static bool take(struct printer *p, void *to, size_t size) {
  if ((size_t)(p->end - p->at) < size)
    return false;
  memcpy(to, p->at, size);
  p->at += size;
  return true;
}

/* The string at an address, if the zebin has a terminated one there; else NULL. */
static const char *string_at(const struct printer *p, uint64_t address) {
  for (uint32_t i = 0; p->zebin && i < p->zebin->sections.count; i++) {
    const struct og_zebin_data *section = &p->zebin->sections.items[i];
    uint64_t into = address - (uintptr_t)section->bytes;
    if (into < section->size && memchr(section->bytes + into, 0, section->size - into))
      return (const char *)section->bytes + into;
  }
  return NULL;
}

/* A scalar takes at least a dword; so do all elements of a vector together. */
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

static double float_value(const struct argument *argument, uint32_t i) {
  float single;
  double value;
  memcpy(&single, &argument->values[i], sizeof single);
  memcpy(&value, &argument->values[i], sizeof value);
  return argument->kind.class != 'f' ? (double)(int64_t)argument->values[i] : argument->kind.size == 4 ? single : value;
}

static void put_element(struct printer *p, const struct og_conversion *c, const struct argument *argument, uint32_t i) {
  if (og_is_float_conversion(c))
    og_format_float(c, float_value(argument, i), p->out);
  else
    og_format_integer(c, argument->values[i], argument->kind.size, p->out);
}

static bool put_conversion(struct printer *p, const struct og_conversion *c) {
  struct argument argument;
  bool is_string = c->letter == 's';
  if ((!is_string && !og_is_integer_conversion(c) && !og_is_float_conversion(c)) || !take_argument(p, &argument))
    return false;
  if (is_string) {
    const char *string = string_at(p, argument.values[0]);
    if (argument.kind.class != 's' || (argument.values[0] && !string))
      return false;
    string = string ? string : "(null)";
    og_format_string(c, string, strlen(string), p->out);
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
  struct og_conversion conversion;
  if (!take(p, &address, 8) || !(format = string_at(p, address)))
    return false;
  while (og_format_next(&format, &conversion, NULL, NULL, p->out))
    if (!put_conversion(p, &conversion))
      return false;
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
