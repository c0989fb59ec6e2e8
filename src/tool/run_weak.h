/* run_weak.h - `run` and `check` with --memory=weak: draws, reads, shrinks and writes the schedule. */
#ifndef OG_TOOL_RUN_WEAK_H
#define OG_TOOL_RUN_WEAK_H

#include "tool/run_check.h"
#include "weak/execution.h"

struct og_run_weak {
  struct og_choices choices;
  struct og_weak_execution *execution; /* NULL: the memory is strong */
  struct og_run_both both; /* both, if there are checkers */
  FILE *record;
  struct og_buffer told; /* the choices in words */
};

/* Runs the session's kernel; returns the exit code. */
typedef int og_run_dispatch(struct og_session *session, const struct og_run_command *command,
                            struct og_buffer *statistics);

/* Prepares the command's schedule, shrunk if the command asks for it. To be called before there is a session, for each
 * try has its own in a process of its own. False with a diagnostic. */
bool og_run_weak_prepare(struct og_run_weak *weak, const struct og_run_command *command, const struct og_buffer *bytes,
                         og_run_dispatch *dispatch, struct og_diagnostics *diagnostics);
/* Puts the session on a weak memory if the command asks for it. To be called before the sandbox closes files. False
 * with a diagnostic. */
bool og_run_weak_start(struct og_run_weak *weak, struct og_session *session, const struct og_run_command *command);
/* Writes the schedule, and its choices in words. */
void og_run_weak_end(struct og_run_weak *weak, const struct og_run_command *command);

#endif
