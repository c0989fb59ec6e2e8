/* run_session.h - what it takes to run a kernel: a runtime, the loaded code object, the kernel in it, its arguments.
 * `run`, `check` and `debug` share it. */
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
  struct og_executable *handler; /* the trap handler's, or NULL */
  const struct og_kernel *kernel;
  struct og_run_arguments arguments;
  struct og_check *check;     /* or NULL */
  struct og_profile *profile; /* or NULL */
  const struct og_buffer *schedule; /* a weak memory's shrunk schedule in words, or NULL */
  FILE *prints;               /* where output of kernels goes */
};

/* Makes everything except `check` and `profile`. The queue has room for so many packets; with `lines`, sources get line
 * tables. False with a diagnostic; in both cases og_session_close() has to follow. */
bool og_session_open(struct og_session *session, const struct og_run_command *command, const struct og_buffer *bytes,
                     uint32_t packets, bool lines, FILE *prints, struct og_diagnostics *diagnostics);
void og_session_close(struct og_session *session);

#endif
