/* run_session.h - what a kernel that is to run needs: a runtime, the code object loaded, the kernel found, its
 * arguments. Shared by `run`, `check` and `debug`. */
#ifndef OG_TOOL_RUN_SESSION_H
#define OG_TOOL_RUN_SESSION_H

#include "tool/run_command.h"

#include <stdio.h>

struct og_check;
struct og_profile;
struct og_services;

struct og_session {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_runtime *runtime;
  struct og_services *services;
  struct og_queue *queue;
  struct og_executable *executable;
  struct og_executable *handler; /* of traps, or NULL */
  const struct og_kernel *kernel;
  struct og_run_arguments arguments;
  struct og_check *check;     /* or NULL */
  struct og_profile *profile; /* or NULL */
  const struct og_buffer *schedule; /* of a weak memory, shrunk: its choices in words, or NULL */
  FILE *prints;               /* where what kernels print goes */
};

/* Makes all of it but `check` and `profile`; the queue has room for so many packets, and sources get line tables where
 * `lines` is set. False with a diagnostic; either way og_session_close() follows. */
bool og_session_open(struct og_session *session, const struct og_run_command *command, const struct og_buffer *bytes,
                     uint32_t packets, bool lines, FILE *prints, struct og_diagnostics *diagnostics);
void og_session_close(struct og_session *session);

#endif
