/* run_weak.h - `run` and `check` with --memory=weak: the schedule that is drawn, read, shrunk and written. */
#ifndef OG_TOOL_RUN_WEAK_H
#define OG_TOOL_RUN_WEAK_H

#include "tool/run_check.h"
#include "weak/execution.h"

struct og_run_weak {
  struct og_choices choices;
  struct og_weak_execution *execution; /* NULL: the memory is strong */
  struct og_run_both both; /* with checkers */
  FILE *record;
  struct og_buffer told; /* choices in words */
};

/* Runs the session's kernel; the exit code. */
typedef int og_run_dispatch(struct og_session *session, const struct og_run_command *command,
                            struct og_buffer *statistics);

/* The command's schedule, shrunk where it asks for that: before there is a session, since each try has its own in a
 * process of its own. False with a diagnostic. */
bool og_run_weak_prepare(struct og_run_weak *weak, const struct og_run_command *command, const struct og_buffer *bytes,
                         og_run_dispatch *dispatch, struct og_diagnostics *diagnostics);
/* Puts the session on a weak memory, where the command asks for it. Before the sandbox closes files. False with a
 * diagnostic. */
bool og_run_weak_start(struct og_run_weak *weak, struct og_session *session, const struct og_run_command *command);
/* Writes the schedule and its words. */
void og_run_weak_end(struct og_run_weak *weak, const struct og_run_command *command);

#endif
