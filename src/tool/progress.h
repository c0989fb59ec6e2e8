/* progress.h - a dispatch's progress, shown on a terminal while it runs. */
#ifndef OG_TOOL_PROGRESS_H
#define OG_TOOL_PROGRESS_H

#include <pthread.h>

#include "exec/dispatch.h"

struct og_progress_line {
  struct og_progress progress; /* what the dispatch fills in */
  uint64_t started;
  pthread_t thread;
  bool told; /* something stands there */
  int stop;  /* atomic */
  bool runs;
};

/* Nothing happens where standard error is no terminal. A thread of its own, so before the sandbox. */
void og_progress_start(struct og_progress_line *line);
/* Takes what stands there away. */
void og_progress_stop(struct og_progress_line *line);
/* "12/1000 work-groups, 34.5 a second, 29 s left"; nothing before there is something to tell. */
void og_progress_words(uint64_t done, uint64_t groups, double seconds, struct og_buffer *out);

#endif
