/* format.h - the conversions of C's and OpenCL's printf, one by one: for what kernels print, whose arguments do not
 * stand in a va_list. */
#ifndef OG_FORMAT_H
#define OG_FORMAT_H

#include "base/base.h"

enum { OG_FORMAT_MOST_WIDTH = 4096 };

/* Flags, width and precision, and its letter. */
struct og_conversion {
  char flags[8];
  int width, precision; /* -1: none */
  uint32_t elements;    /* of a vector, 1 else */
  uint8_t size;         /* bytes that h, hh, l, hl, ll, z or j ask for, or 0 */
  char letter;          /* 0: the format ends before it */
};

/* A '*' takes its number from here; false: there is none. */
typedef bool og_take_number(void *context, int64_t *number);

/* Writes what stands before the next conversion ("%%" as '%') and reads that, if there is one: false at the format's
 * end. `take` may be NULL. */
bool og_format_next(const char **format, struct og_conversion *c, og_take_number *take, void *context,
                    struct og_buffer *out);

/* Values as the conversion says; a letter that is none prints nothing. `size`: bytes that the value has. */
void og_format_integer(const struct og_conversion *c, uint64_t value, unsigned size, struct og_buffer *out);
void og_format_float(const struct og_conversion *c, double value, struct og_buffer *out);
void og_format_string(const struct og_conversion *c, const char *string, size_t size, struct og_buffer *out);

static inline bool og_is_float_conversion(const struct og_conversion *c) {
  return c->letter && __builtin_strchr("fFeEgGaA", c->letter);
}
static inline bool og_is_integer_conversion(const struct og_conversion *c) { /* letters and addresses among them */
  return c->letter && __builtin_strchr("diouxXcp", c->letter);
}

#endif
