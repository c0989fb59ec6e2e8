/* reader.c - a cursor over a litmus test's text. */
#include "litmus/reader.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool begins(const struct og_litmus_reader *in, const char *what) {
  size_t size = strlen(what);
  return (size_t)(in->end - in->p) >= size && !memcmp(in->p, what, size);
}

static void skip_to(struct og_litmus_reader *in, const char *what) {
  while (in->p < in->end && !begins(in, what))
    in->p++;
  in->p += begins(in, what) ? strlen(what) : 0;
}

void og_litmus_skip(struct og_litmus_reader *in) {
  for (;;)
    if (in->p < in->end && isspace((unsigned char)*in->p))
      in->p++;
    else if (begins(in, "//"))
      skip_to(in, "\n");
    else if (begins(in, "(*"))
      skip_to(in, "*)");
    else if (begins(in, "/*"))
      skip_to(in, "*/");
    else
      return;
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

struct og_text og_litmus_peek(struct og_litmus_reader *in) {
  og_litmus_skip(in);
  const char *to = in->p;
  while (to < in->end && in_word(*to))
    to++;
  return (struct og_text){in->p, (size_t)(to - in->p)};
}

struct og_text og_litmus_word(struct og_litmus_reader *in) {
  struct og_text word = og_litmus_peek(in);
  in->p += word.size;
  return word;
}

bool og_litmus_take(struct og_litmus_reader *in, const char *what) {
  og_litmus_skip(in);
  size_t size = strlen(what);
  if (!begins(in, what) || (in_word(what[size - 1]) && in->p + size < in->end && in_word(in->p[size])))
    return false;
  in->p += size;
  return true;
}

bool og_litmus_expect(struct og_litmus_reader *in, const char *what) {
  return og_litmus_take(in, what) || og_litmus_error(in, in->p, "expected '%s'", what);
}

bool og_litmus_number(struct og_litmus_reader *in, uint32_t *value) {
  og_litmus_skip(in);
  const char *at = in->p;
  bool negative = og_litmus_take(in, "-");
  struct og_text word = og_litmus_word(in);
  char copy[24] = "", *end;
  if (!word.size || word.size >= sizeof copy || !isdigit((unsigned char)*word.data))
    return og_litmus_error(in, at, "expected a number");
  memcpy(copy, word.data, word.size);
  unsigned long long number = strtoull(copy, &end, 0);
  if (*end || number > UINT32_MAX)
    return og_litmus_error(in, at, "'%s' is no number of 32 bits", copy);
  *value = (uint32_t)(negative ? 0 - number : number);
  return true;
}

bool og_litmus_error(struct og_litmus_reader *in, const char *at, const char *format, ...) {
  va_list args;
  va_start(args, format);
  const char *message = og_arena_vprintf(in->arena, format, args);
  va_end(args);
  struct og_range range = {&in->source, (uint32_t)(at - in->source.text), at < in->end};
  return og_error(in->diagnostics, range, "%s", message);
}

int og_litmus_place_named(struct og_litmus_reader *in, struct og_text name, bool make) {
  struct og_litmus_test *test = in->test;
  for (unsigned p = 0; p < test->places; p++)
    if (og_text_is(name, test->place[p].name))
      return (int)p;
  const char *at = name.size ? name.data : in->p;
  if (!make || !name.size) {
    og_litmus_error(in, at, "no location is called '%.*s'", OG_TEXT_ARGS(name));
    return -1;
  }
  if (test->places == OG_LITMUS_PLACES) {
    og_litmus_error(in, at, "a litmus test has at most %d locations", OG_LITMUS_PLACES);
    return -1;
  }
  test->place[test->places].name = og_arena_copy(in->arena, name.data, name.size);
  return (int)test->places++;
}
