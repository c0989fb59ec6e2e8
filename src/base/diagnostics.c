/* diagnostics.c - errors as values: collected, positioned, printed in clang's style. */
#include "base/base.h"

#include <string.h>

struct og_diagnostics {
  struct og_arena *arena;
  OG_VECTOR(struct og_diagnostic) list;
  size_t errors;
  enum og_warnings warnings;
  const struct og_source *source; /* of the place located last, */
  const char *text;
  size_t size, line_at; /* where its line begins */
  uint32_t line;        /* and which that is: errors mostly come in the order of lines */
};

struct og_diagnostics *og_diagnostics_new(void) {
  struct og_arena *arena = og_arena_new();
  struct og_diagnostics *diagnostics = OG_NEW(arena, struct og_diagnostics);
  diagnostics->arena = arena;
  return diagnostics;
}

void og_diagnostics_free(struct og_diagnostics *diagnostics) {
  if (diagnostics)
    og_arena_free(diagnostics->arena);
}

enum { LONG_LINE = 400 }; /* longer ones are shown in part */

/* Copies the line that the range begins in and counts to it, so that the source need not outlive the diagnostic. */
static void locate(struct og_diagnostics *diagnostics, struct og_diagnostic *d, struct og_range range) {
  const struct og_source *source = range.source;
  d->file = og_arena_copy(diagnostics->arena, source->name, strlen(source->name));
  if (!source->text)
    return;
  const char *text = source->text, *end = text + source->size;
  const char *at = text + OG_MIN((size_t)range.offset, source->size);
  bool further = diagnostics->source == source && diagnostics->text == text && diagnostics->size == source->size &&
                 diagnostics->line_at <= (size_t)(at - text);
  const char *line = text + (further ? diagnostics->line_at : 0);
  d->line = further ? diagnostics->line : 1;
  for (const char *newline; (newline = memchr(line, '\n', (size_t)(at - line))); line = newline + 1)
    d->line++;
  diagnostics->source = source;
  diagnostics->text = text;
  diagnostics->size = source->size;
  diagnostics->line_at = (size_t)(line - text);
  diagnostics->line = d->line;
  if (source->marked_name && source->marked_at < (size_t)(at - text)) {
    uint32_t lines = 0;
    for (const char *p = text + source->marked_at; (p = memchr(p, '\n', (size_t)(at - p))); p++)
      lines++;
    d->file = og_arena_copy(diagnostics->arena, source->marked_name, strlen(source->marked_name));
    d->line = source->marked_line + lines - 1;
  }
  const char *line_end = memchr(at, '\n', (size_t)(end - at));
  if (!line_end)
    line_end = end;
  d->column = (uint32_t)(at - line) + 1;
  size_t from = line_end - line > LONG_LINE && at - line > LONG_LINE / 2 ? (size_t)(at - line) - LONG_LINE / 2 : 0;
  size_t shown = OG_MIN((size_t)(line_end - line) - from, (size_t)LONG_LINE);
  d->size = (uint32_t)OG_MIN((size_t)range.size, shown - OG_MIN((size_t)(at - line) - from, shown));
  d->source_line = og_arena_copy(diagnostics->arena, line + from, shown);
  d->source_from = (uint32_t)from;
}

static void add(struct og_diagnostics *diagnostics, enum og_severity severity, struct og_range range, const char *file,
                const char *code, const char *format, va_list args) {
  if (severity == OG_SEVERITY_WARNING && diagnostics->warnings == OG_WARNINGS_DROPPED)
    return;
  if (severity == OG_SEVERITY_WARNING && diagnostics->warnings == OG_WARNINGS_ARE_ERRORS)
    severity = OG_SEVERITY_ERROR;
  struct og_diagnostic *d = OG_PUSH(diagnostics->arena, &diagnostics->list);
  d->severity = severity;
  d->code = code;
  d->message = og_arena_vprintf(diagnostics->arena, format, args);
  if (range.source)
    locate(diagnostics, d, range);
  else if (file)
    d->file = og_arena_copy(diagnostics->arena, file, strlen(file));
  diagnostics->errors += severity == OG_SEVERITY_ERROR;
}

void og_report(struct og_diagnostics *diagnostics, enum og_severity severity, struct og_range range, const char *format,
               ...) {
  va_list args;
  va_start(args, format);
  add(diagnostics, severity, range, NULL, NULL, format, args);
  va_end(args);
}

void og_report_rule(struct og_diagnostics *diagnostics, enum og_severity severity, struct og_range range,
                    const char *code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add(diagnostics, severity, range, NULL, code, format, args);
  va_end(args);
}

bool og_error(struct og_diagnostics *diagnostics, struct og_range range, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add(diagnostics, OG_SEVERITY_ERROR, range, NULL, NULL, format, args);
  va_end(args);
  return false;
}

bool og_error_in(struct og_diagnostics *diagnostics, const char *file, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add(diagnostics, OG_SEVERITY_ERROR, (struct og_range){0}, file, NULL, format, args);
  va_end(args);
  return false;
}

void og_warning_in(struct og_diagnostics *diagnostics, const char *file, const char *format, ...) {
  va_list args;
  va_start(args, format);
  add(diagnostics, OG_SEVERITY_WARNING, (struct og_range){0}, file, NULL, format, args);
  va_end(args);
}

size_t og_diagnostics_count(const struct og_diagnostics *diagnostics) { return diagnostics->list.count; }
size_t og_diagnostics_errors(const struct og_diagnostics *diagnostics) { return diagnostics->errors; }

void og_diagnostics_warnings(struct og_diagnostics *diagnostics, enum og_warnings warnings) {
  diagnostics->warnings = warnings;
}

void og_diagnostics_remove(struct og_diagnostics *diagnostics, size_t first, size_t end) {
  struct og_diagnostic *items = diagnostics->list.items;
  size_t count = diagnostics->list.count;
  for (size_t i = first; i < end; i++)
    diagnostics->errors -= items[i].severity == OG_SEVERITY_ERROR;
  if (end > first)
    memmove(items + first, items + end, (count - end) * sizeof *items);
  diagnostics->list.count -= (uint32_t)(end - first);
}

const struct og_diagnostic *og_diagnostics_at(const struct og_diagnostics *diagnostics, size_t index) {
  return index < diagnostics->list.count ? &diagnostics->list.items[index] : NULL;
}

/* The caret line repeats the source line's tabs, so that it stands below the right column in any tab width, and has as
 * many blanks as control characters are printed with. */
static void print_caret(const struct og_diagnostic *d, bool colour, struct og_buffer *out) {
  og_buffer_printable(out, d->source_line, strlen(d->source_line), "\t");
  og_buffer_u8(out, '\n');
  size_t before = d->column > d->source_from ? d->column - d->source_from - 1 : 0, start = out->size;
  og_buffer_printable(out, d->source_line, OG_MIN(before, strlen(d->source_line)), "\t");
  for (size_t i = start; i < out->size; i++)
    out->data[i] = out->data[i] == '\t' ? '\t' : ' ';
  for (size_t i = strlen(d->source_line); i < before; i++)
    og_buffer_u8(out, ' ');
  og_buffer_text(out, colour ? "\033[1;32m^" : "^");
  for (uint32_t i = 1; i < d->size; i++)
    og_buffer_u8(out, '~');
  og_buffer_text(out, colour ? "\033[0m\n" : "\n");
}

static const char *const names[] = {"error", "warning", "note"};

void og_diagnostic_print(const struct og_diagnostic *d, bool colour, struct og_buffer *out) {
  static const char *const colours[] = {"\033[1;31m", "\033[1;35m", "\033[1;36m"};
  if (colour)
    og_buffer_text(out, "\033[1m");
  const char *file = d->file ? d->file : "offgrid";
  og_buffer_printable(out, file, strlen(file), "");
  if (d->file && d->line)
    og_buffer_printf(out, ":%u:%u", d->line, d->column);
  og_buffer_printf(out, ": %s%s: %s", colour ? colours[d->severity] : "", names[d->severity],
                   colour ? "\033[0m\033[1m" : "");
  og_buffer_printable(out, d->message, strlen(d->message), "\n\t");
  if (d->code)
    og_buffer_printf(out, " [%s]", d->code);
  og_buffer_text(out, colour ? "\033[0m\n" : "\n");
  if (d->source_line)
    print_caret(d, colour, out);
}

const char *og_diagnostics_text(struct og_diagnostics *diagnostics, size_t index) {
  if (index >= diagnostics->list.count)
    return NULL;
  struct og_buffer text = {0};
  og_diagnostic_print(&diagnostics->list.items[index], false, &text);
  char *copy = og_arena_copy(diagnostics->arena, (const char *)text.data, text.size);
  og_buffer_free(&text);
  return copy;
}

static void json_text(const char *name, const char *text, struct og_buffer *out) {
  if (!text)
    return;
  og_buffer_printf(out, ",\"%s\":", name);
  og_buffer_json(out, text, strlen(text));
}

void og_diagnostics_json(const struct og_diagnostics *diagnostics, struct og_buffer *out) {
  og_buffer_u8(out, '[');
  for (size_t i = 0; i < diagnostics->list.count; i++) {
    const struct og_diagnostic *d = &diagnostics->list.items[i];
    og_buffer_printf(out, "%s\n{\"severity\":\"%s\"", i ? "," : "", names[d->severity]);
    json_text("file", d->file, out);
    if (d->line)
      og_buffer_printf(out, ",\"line\":%u,\"column\":%u", d->line, d->column);
    json_text("code", d->code, out);
    json_text("message", d->message, out);
    og_buffer_u8(out, '}');
  }
  og_buffer_u8(out, ']');
}
