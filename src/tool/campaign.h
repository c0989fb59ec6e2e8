/* campaign.h - a list of tasks, each a command line, and their results. */
#ifndef OG_TOOL_CAMPAIGN_H
#define OG_TOOL_CAMPAIGN_H

#include "tool/tool.h"

struct og_task {
  const char *line; /* as the list has it: what a result is known by */
  char **words;     /* NULL behind the last */
  bool mine, done;  /* of this shard; has a result */
};

struct og_campaign {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  OG_VECTOR(struct og_task) tasks;
  uint32_t shard, shards; /* from 1 */
  uint32_t jobs;
  double timeout; /* seconds for each task; 0: none */
  const char *results;
  int file;                  /* of results, appended to */
  uint32_t failed, finished; /* of this shard, earlier calls included */
};

/* Fills `tasks`: a line each, words as a POSIX shell takes them; empty lines and those with # in front are none. */
bool og_campaign_read_list(struct og_campaign *campaign, const char *path);
/* Opens the file of results, made if there is none, and takes what stands in it as done; a line that was cut off is
 * cut out. */
bool og_campaign_open_results(struct og_campaign *campaign);
/* One task's end. */
struct og_outcome {
  int status; /* waitpid's */
  bool timeout;
  double seconds;
  struct og_buffer output, errors;
};
bool og_campaign_write_result(struct og_campaign *campaign, uint32_t task, const struct og_outcome *outcome);
/* Runs what is not done. False with a diagnostic, or with none where an interrupt ended it. */
bool og_campaign_run(struct og_campaign *campaign);
/* All results of some files as one text of JSON, in the list's order; false with a diagnostic. */
bool og_campaign_merge(char *const *paths, int count, struct og_buffer *out, bool *passed,
                       struct og_diagnostics *diagnostics);

#endif
