/* allow.c - reads a file's lines of findings that are allowed: each has a checker and a place, both with wildcards. */
#include "check/check.h"

#include <fnmatch.h>
#include <string.h>

static bool no_such_checker(const char *file, unsigned line, const char *checker, struct og_diagnostics *diagnostics) {
  struct og_buffer list = {0};
  og_check_list(&list);
  og_error_in(diagnostics, file, "line %u: '%s' is no checker of AMD kernels; there are %.*s", line, checker,
              (int)list.size, (const char *)list.data);
  og_buffer_free(&list);
  return false;
}

bool og_allowances_read(struct og_allowances *allowed, const char *file, struct og_text text,
                        struct og_diagnostics *diagnostics) {
  char *copy = og_arena_copy(allowed->arena, text.data, text.size), *rest = copy;
  unsigned number = 0;
  for (char *line; (line = strsep(&rest, "\n"));) {
    char *words = NULL, *checker = strtok_r(line, " \t\r", &words), *place = strtok_r(NULL, " \t\r", &words);
    number++;
    if (!checker || *checker == '#')
      continue;
    if (!place || *place == '#')
      return og_error_in(diagnostics, file, "line %u: a checker and a place are expected, as in 'waits k+0x40'",
                         number);
    if (!og_check_matching((struct og_text){checker, strlen(checker)}))
      return no_such_checker(file, number, checker, diagnostics);
    *OG_PUSH(allowed->arena, &allowed->list) = (struct og_allowed){checker, place};
  }
  return true;
}

bool og_allowances_have(const struct og_allowances *allowed, const char *checker, const char *place) {
  for (uint32_t i = 0; i < allowed->list.count; i++)
    if (!fnmatch(allowed->list.items[i].checker, checker, 0) && !fnmatch(allowed->list.items[i].place, place, 0))
      return true;
  return false;
}
