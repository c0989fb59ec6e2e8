/* diagnostics.c - the parts of a diagnostic, for programs; src/base defines the other functions of diagnostics. */
#include "api/fill.h"

_Static_assert((int)OG_DIAGNOSTIC_ERROR == OG_SEVERITY_ERROR && (int)OG_DIAGNOSTIC_WARNING == OG_SEVERITY_WARNING &&
                   (int)OG_DIAGNOSTIC_NOTE == OG_SEVERITY_NOTE,
               "severities are numbered alike");

bool og_diagnostics_get(const og_diagnostics *diagnostics, size_t index, og_diagnostic_info *info) {
  const struct og_diagnostic *d = og_diagnostics_at(diagnostics, index);
  if (!d)
    return false;
  return OG_FILL(info, .severity = (og_diagnostic_severity)d->severity, .file = d->file, .line = d->line,
                 .column = d->column, .code = d->code, .message = d->message);
}
