/* trace_filter.c - reads which part of a run is traced, as users write it. */
#include "runtime/trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct og_trace_filter og_trace_everything(void) {
  return (struct og_trace_filter){.to = UINT64_MAX, .group = {0, UINT32_MAX}, .wave = {0, UINT32_MAX}};
}

static bool read_number(struct og_text text, uint64_t *number) {
  char digits[32], *end;
  if (!text.size || text.size >= sizeof digits || *text.data == '-')
    return false;
  memcpy(digits, text.data, text.size);
  digits[text.size] = 0;
  errno = 0;
  *number = strtoull(digits, &end, 0);
  return !*end && !errno;
}

/* Splits "A..B"; a single value stands for both. */
static void halves(struct og_text text, struct og_text *first, struct og_text *last) {
  const char *dots = memmem(text.data, text.size, "..", 2);
  *first = *last = text;
  if (dots) {
    first->size = (size_t)(dots - text.data);
    *last = (struct og_text){dots + 2, text.size - first->size - 2};
  }
}

static bool read_range(struct og_text text, uint32_t range[2]) {
  struct og_text parts[2];
  uint64_t numbers[2];
  halves(text, &parts[0], &parts[1]);
  for (int i = 0; i < 2; i++) {
    if (!read_number(parts[i], &numbers[i]) || numbers[i] > UINT32_MAX)
      return false;
    range[i] = (uint32_t)numbers[i];
  }
  return range[0] <= range[1];
}

/* Finds the code of a kernel or function; if its size is not known, it goes up to the end. */
static bool find_code(const struct og_executable *executable, struct og_text name, uint64_t *start, uint64_t *size) {
  const struct og_kernel *kernel = og_executable_kernel(executable, name);
  if (kernel) {
    *start = executable->start + kernel->entry;
    *size = kernel->code_size;
  }
  return kernel || og_executable_symbol(executable, name, start, size);
}

/* "k+0x40", "k", or an address in the code object. */
static bool read_place(const struct og_executable *executable, struct og_text text, uint64_t *pc) {
  const char *plus = memchr(text.data, '+', text.size);
  struct og_text name = {text.data, plus ? (size_t)(plus - text.data) : text.size};
  uint64_t offset = 0, size;
  if (!plus && read_number(text, pc)) {
    *pc += executable->start;
    return true;
  }
  if (plus && !read_number((struct og_text){plus + 1, text.size - name.size - 1}, &offset))
    return false;
  if (!find_code(executable, name, pc, &size))
    return false;
  *pc += offset;
  return true;
}

static bool read_part(const struct og_executable *executable, struct og_text name, struct og_text value,
                      struct og_trace_filter *filter) {
  struct og_text first, last;
  uint64_t size;
  if (og_text_is(name, "group"))
    return read_range(value, filter->group);
  if (og_text_is(name, "wave"))
    return read_range(value, filter->wave);
  if (og_text_is(name, "symbol")) {
    bool found = find_code(executable, value, &filter->from, &size);
    filter->to = found && size ? filter->from + size : UINT64_MAX;
    return found;
  }
  halves(value, &first, &last);
  bool fine = og_text_is(name, "pc") && read_place(executable, first, &filter->from) &&
              read_place(executable, last, &filter->to);
  filter->to += 1; /* includes the last one */
  return fine;
}

bool og_trace_filter_read(const struct og_executable *executable, const char *text, struct og_trace_filter *filter,
                          struct og_diagnostics *diagnostics) {
  while (*text) {
    struct og_text part = {text, strcspn(text, ",")};
    const char *equals = memchr(part.data, '=', part.size);
    struct og_text name = {part.data, equals ? (size_t)(equals - part.data) : 0};
    struct og_text value = {equals ? equals + 1 : part.data, equals ? part.size - name.size - 1 : 0};
    if (!equals || !read_part(executable, name, value, filter))
      return og_error_in(
          diagnostics, NULL,
          "--trace-filter: '%.*s': expected pc=PLACE..PLACE, symbol=NAME, group=N..M or wave=N..M, of what the "
          "code object has; a PLACE is NAME+OFFSET or an address in it",
          OG_TEXT_ARGS(part));
    text += part.size + (text[part.size] == ',');
  }
  return true;
}
