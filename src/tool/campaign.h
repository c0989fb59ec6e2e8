/* campaign.h - a list of tasks, which are command lines, and their results. */
#ifndef OG_TOOL_CAMPAIGN_H
#define OG_TOOL_CAMPAIGN_H

#include "tool/tool.h"

struct og_task {
  const char *line; /* the line in the list, by which results name the task */
  char **words;     /* NULL follows the last */
  bool mine, done;  /* it belongs to this shard; it has a result */
};

struct og_campaign {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  OG_VECTOR(struct og_task) tasks;
  uint32_t shard, shards; /* the first is 1 */
  uint32_t jobs;
  double timeout; /* seconds for each task; 0: none */
  const char *results;
  int file;                  /* the file of results, which is appended to */
  uint32_t failed, finished; /* tasks of this shard, earlier calls included */
};

/* Fills `tasks` with a task for each line, whose words are quoted as for a POSIX shell. Empty lines and lines that
 * begin with # are skipped. */
bool og_campaign_read_list(struct og_campaign *campaign, const char *path);
/* Opens the file of results, or makes it, and takes tasks with a result there as done. A last line that is cut off is
 * removed. */
bool og_campaign_open_results(struct og_campaign *campaign);
/* How a task ended. */
struct og_outcome {
  int status; /* from waitpid */
  bool timeout;
  double seconds;
  struct og_buffer output, errors;
};
bool og_campaign_write_result(struct og_campaign *campaign, uint32_t task, const struct og_outcome *outcome);
/* Runs the tasks that are not done. False with a diagnostic, or with none if an interrupt ended it. */
bool og_campaign_run(struct og_campaign *campaign);
/* All results of some files as one JSON text, in the list's order; false with a diagnostic. */
bool og_campaign_merge(char *const *paths, int count, struct og_buffer *out, bool *passed,
                       struct og_diagnostics *diagnostics);

#endif
