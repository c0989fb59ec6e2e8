/* run_visa_check.h - `offgrid check` of a vISA kernel: decides which findings count, and writes them as JSON. */
#ifndef OG_TOOL_RUN_VISA_CHECK_H
#define OG_TOOL_RUN_VISA_CHECK_H

#include "check/check.h"
#include "tool/run_command.h"
#include "visa/run.h"

struct og_run_visa_check {
  unsigned checkers; /* enum og_checker */
  struct og_allowances allowed;
  struct og_buffer json; /* if the command asks for it */
  bool as_json;
};

/* Makes the dispatch report its findings here. False with a diagnostic. */
bool og_run_visa_check_start(struct og_run_visa_check *check, struct og_arena *arena,
                             const struct og_run_command *command, struct og_visa_dispatch *dispatch,
                             struct og_diagnostics *diagnostics);
/* Writes the JSON object of the findings. */
void og_run_visa_check_end(struct og_run_visa_check *check, struct og_buffer *out);

#endif
