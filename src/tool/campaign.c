/* campaign.c - `offgrid campaign`: runs a list of tasks in shards that can be continued after a stop, and merges their
 * results. */
#include "tool/campaign.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/host.h"

/* ---- the list ---------------------------------------------------------------------------------------------------- */

static bool read_task(struct og_campaign *campaign, const char *path, unsigned number, char *line,
                      struct og_map *lines) {
  const char *at = line + strspn(line, " \t");
  if (!*at || *at == '#')
    return true;
  void **before = og_map_at(campaign->arena, lines, og_text(line));
  if (*before)
    return og_error_in(campaign->diagnostics, path, "line %u is the same task as one before it: '%s'", number, line);
  OG_VECTOR(char *) words = {0};
  *OG_PUSH(campaign->arena, &words) = (char *)"offgrid"; /* the program's name, if the first word is a verb */
  for (char *word; (word = og_next_word(campaign->arena, &at));)
    *OG_PUSH(campaign->arena, &words) = word;
  *OG_PUSH(campaign->arena, &words) = NULL;
  struct og_task *task = OG_PUSH(campaign->arena, &campaign->tasks);
  task->line = *before = line;
  task->words = words.items + 1;
  task->mine = (campaign->tasks.count - 1) % campaign->shards == campaign->shard - 1;
  return true;
}

bool og_campaign_read_list(struct og_campaign *campaign, const char *path) {
  struct og_buffer file = {0};
  bool good = og_read_file(path, &file, campaign->diagnostics);
  if (good && file.size && memchr(file.data, 0, file.size))
    good = og_error_in(campaign->diagnostics, path, "a list of tasks is text, a command line a line");
  char *text = og_arena_copy(campaign->arena, (const char *)file.data, file.size);
  og_buffer_free(&file);
  struct og_map lines = {0};
  unsigned number = 1;
  for (char *next; good && text && *text; text = next, number++) {
    next = text + strcspn(text, "\n");
    if (*next)
      *next++ = 0;
    size_t size = strlen(text);
    if (size && text[size - 1] == '\r')
      text[size - 1] = 0;
    good = read_task(campaign, path, number, text, &lines);
  }
  if (good && !campaign->tasks.count)
    good =
        og_error_in(campaign->diagnostics, path, "no task stands here: each line is a command line, as: lint k.hsaco");
  return good;
}

/* ---- the command ------------------------------------------------------------------------------------------------- */

static bool read_shard(const char *text, struct og_campaign *campaign) {
  char *end;
  unsigned long shard = strtoul(text, &end, 10), shards = *end == '/' ? strtoul(end + 1, &end, 10) : 0;
  if (*text < '0' || *text > '9' || *end || shard < 1 || shards > 1000000 || shard > shards)
    return false;
  campaign->shard = (uint32_t)shard, campaign->shards = (uint32_t)shards;
  return true;
}

static int finish(struct og_campaign *campaign, bool whole) {
  if (!og_diagnostics_errors(campaign->diagnostics)) {
    if (campaign->failed)
      og_error_in(campaign->diagnostics, campaign->results, "%u of %u tasks failed", campaign->failed,
                  campaign->finished);
    else if (!whole)
      og_error_in(campaign->diagnostics, NULL, "interrupted after %u tasks; the same command goes on from there",
                  campaign->finished);
  }
  if (campaign->file >= 0)
    close(campaign->file);
  og_arena_free(campaign->arena);
  return og_finish(campaign->diagnostics);
}

static int merge(char **paths, int count, const char *out) {
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_buffer text = {0};
  bool passed = false;
  if (og_campaign_merge(paths, count, &text, &passed, diagnostics))
    og_write_file(out, text.data, text.size, diagnostics);
  og_buffer_free(&text);
  int code = og_finish(diagnostics);
  return code == OG_EXIT_OK && !passed ? OG_EXIT_INPUT : code;
}

static bool read_number(const char *text, double least, double most, double *value) {
  char *end;
  *value = strtod(text, &end);
  return end != text && !*end && *value >= least && *value <= most;
}

static int run(int argc, char **argv) {
  struct og_campaign campaign = {.shard = 1, .shards = 1, .file = -1};
  const char *shard = NULL, *jobs = NULL, *timeout = NULL, *out = NULL;
  double number = og_host_processors();
  bool merges = false;
  int files = 0;
  for (int i = 1; i < argc; i++)
    if (og_option_value(argc, argv, &i, "shard", &shard) || og_option_value(argc, argv, &i, "jobs", &jobs) ||
        og_option_value(argc, argv, &i, "timeout", &timeout) || og_option_value(argc, argv, &i, "o", &out))
      continue;
    else if (og_option_flag(argv, i, "merge"))
      merges = true;
    else if (argv[i][0] == '-' && argv[i][1])
      return og_unknown_option("campaign", argc, argv, i);
    else
      argv[files++] = argv[i];
  if (!files)
    return og_usage_error("campaign", merges ? "no results named" : "no list of tasks named");
  if (merges)
    return merge(argv, files, out ? out : "-");
  if (files > 1)
    return og_usage_error("campaign", "one list at a time: '%s' is a second one", argv[1]);
  if (!out)
    return og_usage_error("campaign", "-o RESULTS is expected: where results go, and are looked for");
  if (shard && !read_shard(shard, &campaign))
    return og_usage_error("campaign", "--shard=%s: expected I/N with 1 <= I <= N", shard);
  if (jobs && !read_number(jobs, 1, 4096, &number))
    return og_usage_error("campaign", "--jobs=%s: expected 1 to 4096", jobs);
  if (timeout && !read_number(timeout, 0.001, 1e8, &campaign.timeout))
    return og_usage_error("campaign", "--timeout=%s: expected seconds", timeout);
  campaign.jobs = (uint32_t)number;
  campaign.results = out;
  campaign.arena = og_arena_new();
  campaign.diagnostics = og_diagnostics_new();
  bool whole =
      og_campaign_read_list(&campaign, argv[0]) && og_campaign_open_results(&campaign) && og_campaign_run(&campaign);
  return finish(&campaign, whole);
}

const struct og_verb og_verb_campaign = {
    "campaign", "runs a list of commands in shards, goes on after a stop, merges results",
    "usage: offgrid campaign [--shard=I/N] [--jobs=N] [--timeout=SECONDS] -o RESULTS LIST\n"
    "       offgrid campaign --merge [-o OUT.json] RESULTS...\n\n"
    "LIST has a command a line, words quoted as in a shell: a verb with its arguments (lint --json k.hsaco), or any\n"
    "program. Each runs in a process of its own; its end and what it printed are appended to RESULTS, a JSON object a\n"
    "line (docs/campaigns.md). What has a result there is not run again, so the same command goes on after a stop.\n"
    "  --shard=I/N        only every Nth command, from the Ith on: one list for N machines\n"
    "  --jobs=N           so many at a time; default: the host's processors\n"
    "  --timeout=SECONDS  ends a command that takes longer, and what it started\n"
    "  --merge            the results of all shards as one JSON text in the list's order, without times, so that\n"
    "                     two campaigns over one list are equal; and the numbers of commands without a result\n"
    "Exit code 1 where a command failed, or where --merge finds one missing or failed.\n",
    run};
