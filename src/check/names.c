/* names.c - names of checkers: as users write them, and as findings carry them. */
#include "check/whole.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static const struct { const char *name; unsigned checker; } names[] = {
    {"waits", OG_CHECK_WAITS},   {"divergence", OG_CHECK_DIVERGENCE}, {"bounds", OG_CHECK_BOUNDS},
    {"uninit", OG_CHECK_UNINIT}, {"races", OG_CHECK_RACES},           {"hazards", OG_CHECK_HAZARDS},
    {"async", OG_CHECK_ASYNC},   {"numbers", OG_CHECK_NUMBERS},       {"all", OG_CHECK_ALL}};

unsigned og_check_names(const char *text, struct og_text *wrong) {
  unsigned out = 0;
  while (*text) {
    *wrong = (struct og_text){text, strcspn(text, ",")};
    unsigned one = 0;
    for (size_t i = 0; i < OG_COUNT(names); i++)
      if (og_text_is(*wrong, names[i].name))
        one = names[i].checker;
    if (!one)
      return 0;
    out |= one;
    text += wrong->size + (text[wrong->size] == ',');
  }
  return out;
}

unsigned og_check_matching(struct og_text pattern) {
  unsigned out = 0;
  char *text = strndup(pattern.data, pattern.size);
  for (size_t i = 0; text && i + 1 < OG_COUNT(names); i++)
    if (!fnmatch(text, names[i].name, 0))
      out |= names[i].checker;
  free(text);
  return out;
}

void og_check_list(struct og_buffer *out) {
  for (size_t i = 0; i + 1 < OG_COUNT(names); i++)
    og_buffer_printf(out, "%s%s", !i ? "" : i + 2 < OG_COUNT(names) ? ", " : " and ", names[i].name);
}


const char *og_check_name(unsigned checker) {
  for (size_t i = 0; i < OG_COUNT(names); i++)
    if (names[i].checker == checker)
      return names[i].name;
  return "";
}
