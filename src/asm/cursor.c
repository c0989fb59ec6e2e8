/* cursor.c - reading at the cursor for all statements: words, names, strings, ends of lines; and errors there. */
#include "asm/internal.h"

#include <string.h>

enum { MAX_ERRORS = 10000 };

void og_asm_skip_comment(struct og_asm *as) {
  const char *open = NULL;
  as->p = og_after_comments(as->p, &open);
  if (open)
    og_asm_error(as, open, 2, "unterminated comment");
}

struct og_range og_asm_range(const struct og_asm *as, const char *from, const char *to) {
  const struct og_source *source = as->input ? as->input->source : NULL;
  if (!source || from < source->text || from > source->text + source->size)
    return (struct og_range){.source = source};
  return (struct og_range){source, (uint32_t)(from - source->text), (uint32_t)(to > from ? to - from : 0)};
}

static void report_instantiations(struct og_asm *as) {
  for (const struct og_source *s = as->input->source; s && s->included_from; s = s->included_from)
    og_report(as->diagnostics, OG_SEVERITY_NOTE, (struct og_range){s->included_from, s->included_at, 0},
              s->name[0] == '<' ? "while in macro instantiation" : "included from here");
}

bool og_asm_error(struct og_asm *as, const char *at, size_t size, const char *format, ...) {
  if (og_diagnostics_errors(as->diagnostics) >= MAX_ERRORS)
    return as->stopped = true, false;
  va_list args;
  va_start(args, format);
  const char *message = og_arena_vprintf(as->arena, format, args);
  va_end(args);
  og_error(as->diagnostics, og_asm_range(as, at, at + size), "%s", message);
  if (as->input)
    report_instantiations(as);
  return false;
}

void og_asm_warning(struct og_asm *as, const char *at, size_t size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  og_report(as->diagnostics, OG_SEVERITY_WARNING, og_asm_range(as, at, at + size), "%s",
            og_arena_vprintf(as->arena, format, args));
  va_end(args);
  if (as->input)
    report_instantiations(as);
}

bool og_asm_accept(struct og_asm *as, char c) {
  if (*og_asm_at(as) != c)
    return false;
  as->p++;
  return true;
}

bool og_asm_expect(struct og_asm *as, char c, const char *message) {
  return og_asm_accept(as, c) || og_asm_error(as, as->p, 1, "%s", message);
}

bool og_asm_directive_name(struct og_asm *as, struct og_text *name) {
  if (*og_asm_at(as) != '"' && !og_name_start(*as->p))
    return og_asm_error(as, as->p, 1, "expected identifier in directive");
  return og_asm_name(as, name);
}

bool og_asm_name(struct og_asm *as, struct og_text *name) {
  if (*og_asm_at(as) == '"')
    return og_asm_quoted_name(as, name);
  *name = og_asm_word(as);
  return name->size || og_asm_error(as, as->p, 1, "expected identifier");
}

static const char *escape(const char *p, char *out) {
  static const char from[] = "bfnrt\"\\", to[] = "\b\f\n\r\t\"\\";
  const char *found = *p ? strchr(from, *p) : NULL;
  if (found)
    return *out = to[found - from], p + 1;
  unsigned value = 0;
  if ((*p == 'x' || *p == 'X') && og_digit_value(p[1]) < 16) {
    for (p++; og_digit_value(*p) < 16; p++)
      value = value << 4 | (unsigned)og_digit_value(*p);
  } else if (*p >= '0' && *p <= '7') {
    for (int i = 0; i < 3 && *p >= '0' && *p <= '7'; i++, p++)
      value = value << 3 | (unsigned)(*p - '0');
  } else {
    return NULL;
  }
  *out = (char)value;
  return p;
}

bool og_asm_plain_string(struct og_asm *as, struct og_text *out) {
  const char *start = og_asm_at(as), *end = start + 1;
  if (*start != '"')
    return og_asm_error(as, start, 1, "expected string");
  while (*end && *end != '"' && *end != '\n')
    end += *end == '\\' && end[1] && end[1] != '\n' ? 2 : 1;
  if (*end != '"')
    return og_asm_error(as, start, (size_t)(end - start), "unterminated string constant");
  as->p = end + 1;
  *out = (struct og_text){start + 1, (size_t)(end - start - 1)};
  return true;
}

/* In a symbol's name a backslash precedes only characters that must be escaped. */
bool og_asm_quoted_name(struct og_asm *as, struct og_text *out) {
  struct og_text raw;
  if (!og_asm_plain_string(as, &raw))
    return false;
  char *data = og_arena_alloc(as->arena, raw.size + 1), *to = data;
  for (const char *p = raw.data, *end = p + raw.size; p < end; p++) {
    bool escaped = *p == '\\' && p + 1 < end && (p[1] == '"' || p[1] == '\\' || p[1] == 'n');
    p += escaped;
    *to++ = escaped && *p == 'n' ? '\n' : *p;
  }
  *out = (struct og_text){data, (size_t)(to - data)};
  return true;
}

bool og_asm_string(struct og_asm *as, struct og_text *out) {
  struct og_text raw;
  if (!og_asm_plain_string(as, &raw))
    return false;
  const char *start = raw.data - 1, *end = raw.data + raw.size, *behind = as->p;
  char *data = og_arena_alloc(as->arena, (size_t)(end - start)), *to = data;
  for (const char *p = start + 1; p < end;) {
    if (*p != '\\') {
      *to++ = *p++;
      continue;
    }
    const char *next = escape(p + 1, to++);
    as->p = next ? behind : start;
    if (!next)
      return og_asm_error(as, start, 1, "invalid escape sequence (unrecognized character)");
    p = next;
  }
  *out = (struct og_text){data, (size_t)(to - data)};
  return true;
}

/* Comments that span lines count as part of the line they begin in. */
void og_asm_skip_line(struct og_asm *as) {
  const char *p = as->p;
  while (*p != '\n') {
    if (!*p) {
      if (p >= as->input->source->text + as->input->source->size)
        break;
    } else if (*p == '/' && p[1] == '*') {
      const char *end = strstr(p + 2, "*/");
      p = end ? end + 1 : p + strlen(p) - 1;
    } else if (*p == ';' || (*p == '/' && p[1] == '/')) {
      p = strchrnul(p, '\n');
      continue;
    } else if (*p == '"') {
      for (p++; *p && *p != '"' && *p != '\n'; p++)
        if (*p == '\\' && p[1] && p[1] != '\n')
          p++;
      if (*p != '"')
        continue;
    }
    p++;
  }
  as->p = *p ? p + 1 : p;
}
