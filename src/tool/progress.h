/* progress.h - a dispatch's progress, shown on a terminal while it runs. */
#ifndef OG_TOOL_PROGRESS_H
#define OG_TOOL_PROGRESS_H

#include <pthread.h>

#include "exec/dispatch.h"

struct og_progress_line {
  struct og_progress progress; /* the dispatch fills it in */
  uint64_t started;
  pthread_t thread;
  bool told; /* a line is on the terminal */
  int stop;  /* atomic */
  bool runs;
};

/* Does nothing if standard error is no terminal. It starts a thread, so it has to be called before the sandbox is
 * entered. */
void og_progress_start(struct og_progress_line *line);
/* Removes the line. */
void og_progress_stop(struct og_progress_line *line);
/* "12/1000 work-groups, 34.5 a second, 29 s left"; nothing while there is no progress to show. */
void og_progress_words(uint64_t done, uint64_t groups, double seconds, struct og_buffer *out);

#endif
