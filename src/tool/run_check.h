/* run_check.h - `offgrid check` of an AMD kernel: the checkers that watch a session's dispatches. */
#ifndef OG_TOOL_RUN_CHECK_H
#define OG_TOOL_RUN_CHECK_H

#include "exec/deferred.h"
#include "tool/run_session.h"

/* Makes session->check if the command is to check. To be called before the sandbox closes files. False with a
 * diagnostic. */
bool og_run_check_start(struct og_session *session, const struct og_run_command *command);

/* Reports that an option names no checker; returns false. */
bool og_run_no_checker(const char *option, struct og_text wrong, struct og_diagnostics *diagnostics);

/* Adds lines of text to the JSON object of the findings. */
void og_run_check_add_schedule(const struct og_buffer *lines, struct og_buffer *json);

/* A weak memory and checkers as one observer: checkers see an instruction when the memory lets it be issued. */
struct og_run_both {
  struct og_deferring_observer observer;
  const struct og_deferring_observer *weak;
  const struct og_observer *check;
};
void og_run_both_make(struct og_run_both *both, const struct og_deferring_observer *weak,
                      const struct og_observer *check);

#endif
