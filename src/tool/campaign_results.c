/* campaign_results.c - a campaign's results, a JSON object a line: appended as tasks end, read again to continue, and
 * merged. */
#include "tool/campaign.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- writing ----------------------------------------------------------------------------------------------------- */

enum { SHOWN_MOST = 1 << 20 /* most bytes of a stream that a result keeps */ };

/* Writes what a task printed; if that is JSON, as such, so that scripts need not parse it twice. */
static void put_output(struct og_buffer *line, const struct og_buffer *output) {
  json_t *value = json_loadb((const char *)output->data, output->size, JSON_ALLOW_NUL, NULL);
  char *text = value ? json_dumps(value, JSON_COMPACT) : NULL;
  if (text) {
    og_buffer_text(line, ",\"result\":");
    og_buffer_text(line, text);
  } else if (output->size) {
    og_buffer_text(line, ",\"output\":");
    og_buffer_json(line, (const char *)output->data, OG_MIN(output->size, (size_t)SHOWN_MOST));
  }
  free(text);
  json_decref(value);
}

bool og_campaign_write_result(struct og_campaign *campaign, uint32_t task, const struct og_outcome *outcome) {
  struct og_buffer line = {0};
  const char *text = campaign->tasks.items[task].line;
  og_buffer_printf(&line, "{\"number\":%u,\"of\":%u,\"task\":", task + 1, campaign->tasks.count);
  og_buffer_json(&line, text, strlen(text));
  if (outcome->timeout)
    og_buffer_text(&line, ",\"timeout\":true");
  else if (WIFSIGNALED(outcome->status))
    og_buffer_printf(&line, ",\"signal\":%d", WTERMSIG(outcome->status));
  else
    og_buffer_printf(&line, ",\"exit\":%d", WEXITSTATUS(outcome->status));
  og_buffer_printf(&line, ",\"seconds\":%.3f", outcome->seconds);
  put_output(&line, &outcome->output);
  if (outcome->errors.size) {
    og_buffer_text(&line, ",\"errors\":");
    og_buffer_json(&line, (const char *)outcome->errors.data, OG_MIN(outcome->errors.size, (size_t)SHOWN_MOST));
  }
  og_buffer_text(&line, "}\n");
  flock(campaign->file, LOCK_EX); /* other shards may write to the same file */
  bool good = write(campaign->file, line.data, line.size) == (ssize_t)line.size;
  int reason = errno;
  flock(campaign->file, LOCK_UN);
  og_buffer_free(&line);
  return good || og_error_in(campaign->diagnostics, campaign->results, "cannot write: %s", strerror(reason));
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

static bool is_result(const json_t *result) {
  return json_is_integer(json_object_get(result, "number")) && json_is_integer(json_object_get(result, "of")) &&
         json_is_string(json_object_get(result, "task"));
}

static bool has_passed(const json_t *result) {
  const json_t *code = json_object_get(result, "exit");
  return json_is_integer(code) && json_integer_value(code) == 0;
}

/* The next line as JSON, which the caller owns; NULL at the end, or with a diagnostic if a line is no result. */
static json_t *next_result(const char *path, const struct og_buffer *file, size_t *at, unsigned *line,
                           struct og_diagnostics *diagnostics) {
  if (*at >= file->size)
    return NULL;
  const char *from = (const char *)file->data + *at, *end = memchr(from, '\n', file->size - *at);
  size_t size = end ? (size_t)(end - from) : file->size - *at;
  *at += size + 1;
  ++*line;
  json_t *result = json_loadb(from, size, JSON_ALLOW_NUL, NULL);
  if (result && is_result(result))
    return result;
  json_decref(result);
  og_error_in(diagnostics, path, "line %u is no result of a campaign", *line);
  return NULL;
}

/* Takes a task as done; false: the result is of another list. */
static bool take_done(struct og_campaign *campaign, const json_t *result) {
  json_int_t number = json_integer_value(json_object_get(result, "number"));
  if (json_integer_value(json_object_get(result, "of")) != campaign->tasks.count || number < 1 ||
      number > campaign->tasks.count)
    return false;
  struct og_task *task = &campaign->tasks.items[number - 1];
  if (strcmp(json_string_value(json_object_get(result, "task")), task->line) != 0)
    return false;
  if (task->mine && !task->done) {
    campaign->finished++;
    campaign->failed += !has_passed(result);
  }
  task->done = true;
  return true;
}

bool og_campaign_open_results(struct og_campaign *campaign) {
  const char *path = campaign->results;
  campaign->file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (campaign->file < 0)
    return og_error_in(campaign->diagnostics, path, "cannot write: %s", strerror(errno));
  struct og_buffer file = {0};
  size_t at = 0;
  unsigned line = 0;
  flock(campaign->file, LOCK_EX);
  bool good = og_read_file(path, &file, campaign->diagnostics);
  while (file.size && file.data[file.size - 1] != '\n') /* its writer was killed: that task runs again */
    if (--file.size == 0 || file.data[file.size - 1] == '\n')
      good = good && ftruncate(campaign->file, (off_t)file.size) == 0;
  flock(campaign->file, LOCK_UN);
  for (json_t *result; good && (result = next_result(path, &file, &at, &line, campaign->diagnostics));) {
    good = take_done(campaign, result) ||
           og_error_in(campaign->diagnostics, path, "line %u is of another list; -o names where new results go", line);
    json_decref(result);
  }
  og_buffer_free(&file);
  return good && !og_diagnostics_errors(campaign->diagnostics);
}

/* ---- merging ----------------------------------------------------------------------------------------------------- */

struct merge {
  json_t **results; /* numbered from 1; NULL: missing */
  json_int_t of;    /* how many tasks there are; 0: not known yet */
  struct og_diagnostics *diagnostics;
};

/* Keeps a result and owns it from here on. Of two results of one task the later one counts. */
static bool keep(struct merge *merge, const char *path, unsigned line, json_t *result) {
  json_int_t of = json_integer_value(json_object_get(result, "of")),
             number = json_integer_value(json_object_get(result, "number"));
  bool fits = of >= 1 && of < 1 << 30 && number >= 1 && number <= of && (!merge->of || merge->of == of);
  if (fits && !merge->of) {
    merge->of = of;
    merge->results = calloc((size_t)of + 1, sizeof *merge->results);
    fits = merge->results;
  }
  json_t **place = fits ? &merge->results[number] : NULL;
  if (place && *place)
    fits = json_equal(json_object_get(*place, "task"), json_object_get(result, "task"));
  if (!fits) {
    json_decref(result);
    return og_error_in(merge->diagnostics, path, "line %u is of another list than the results before it", line);
  }
  json_decref(*place);
  *place = result;
  return true;
}

static bool keep_all(struct merge *merge, const char *path) {
  struct og_buffer file = {0};
  size_t at = 0;
  unsigned line = 0;
  bool good = og_read_file(path, &file, merge->diagnostics);
  for (json_t *result; good && (result = next_result(path, &file, &at, &line, merge->diagnostics));)
    good = keep(merge, path, line, result);
  og_buffer_free(&file);
  return good && !og_diagnostics_errors(merge->diagnostics);
}

/* Writes the merged results without what differs from call to call, so that the same results give the same text. */
static void put_merged(const struct merge *merge, struct og_buffer *out, bool *passed) {
  unsigned good = 0, bad = 0;
  for (json_int_t i = 1; i <= merge->of; i++)
    if (merge->results[i])
      ++*(has_passed(merge->results[i]) ? &good : &bad);
  *passed = good == merge->of;
  og_buffer_printf(out, "{\"tasks\":%lld,\"passed\":%u,\"failed\":%u,\"missing\":[", (long long)merge->of, good, bad);
  const char *comma = "";
  for (json_int_t i = 1; i <= merge->of; i++)
    if (!merge->results[i])
      og_buffer_printf(out, "%s%lld", comma, (long long)i), comma = ",";
  og_buffer_text(out, "],\"results\":[");
  comma = "\n";
  for (json_int_t i = 1; i <= merge->of; i++)
    if (merge->results[i]) {
      json_object_del(merge->results[i], "seconds");
      json_object_del(merge->results[i], "of");
      char *text = json_dumps(merge->results[i], JSON_COMPACT);
      og_buffer_printf(out, "%s%s", comma, text ? text : "null");
      free(text);
      comma = ",\n";
    }
  og_buffer_text(out, "\n]}\n");
}

bool og_campaign_merge(char *const *paths, int count, struct og_buffer *out, bool *passed,
                       struct og_diagnostics *diagnostics) {
  struct merge merge = {.diagnostics = diagnostics};
  bool good = true;
  for (int i = 0; i < count && good; i++)
    good = keep_all(&merge, paths[i]);
  if (good)
    put_merged(&merge, out, passed);
  for (json_int_t i = 1; i <= merge.of && merge.results; i++)
    json_decref(merge.results[i]);
  free(merge.results);
  return good;
}
