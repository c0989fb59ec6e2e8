/* log.c - writes to stderr what OFFGRID_LOG asks for. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hsa/internal.h"

static unsigned wanted = OG_HSA_LOG_ERRORS; /* set once, before anything else runs */

void og_hsa_log_open(void) {
  static const struct {
    const char *name;
    unsigned bits;
  } names[] = {
      {"none", 0}, {"errors", OG_HSA_LOG_ERRORS}, {"calls", OG_HSA_LOG_CALLS}, {"dispatches", OG_HSA_LOG_DISPATCHES},
      {"statistics", OG_HSA_LOG_STATISTICS}, {"all", ~0u},
  };
  const char *setting = getenv("OFFGRID_LOG");
  if (!setting)
    return;
  wanted = strstr(setting, "none") ? 0 : OG_HSA_LOG_ERRORS;
  while (*setting) {
    size_t length = strcspn(setting, ",");
    for (size_t i = 0; i < OG_COUNT(names); i++)
      if (og_text_is((struct og_text){setting, length}, names[i].name))
        wanted |= names[i].bits;
    setting += length + (setting[length] == ',');
  }
}

bool og_hsa_logs(enum og_hsa_log what) {
  return (wanted & what) != 0;
}

/* One write(2) for each line, so that lines of several threads do not mix. */
void og_hsa_log(enum og_hsa_log what, const char *format, ...) {
  if (!og_hsa_logs(what))
    return;
  char line[1024] = "offgrid: ";
  size_t start = strlen(line);
  va_list args;
  va_start(args, format);
  int length = vsnprintf(line + start, sizeof line - start - 1, format, args);
  va_end(args);
  size_t size = start + OG_MIN((size_t)OG_MAX(length, 0), sizeof line - start - 2);
  line[size++] = '\n';
  if (write(STDERR_FILENO, line, size) < 0)
    return; /* there is no way to report this */
}

void og_hsa_log_diagnostics(const struct og_diagnostics *diagnostics) {
  for (size_t i = 0; i < og_diagnostics_count(diagnostics); i++) {
    const struct og_diagnostic *d = og_diagnostics_at(diagnostics, i);
    og_hsa_log(OG_HSA_LOG_ERRORS, "%s%s%s", d->file ? d->file : "", d->file ? ": " : "", d->message);
  }
}
