/* run_weak.c - `run` and `check` with --memory=weak: draws, reads, shrinks and writes the schedule. Schedules are tried
 * in child processes, which all begin with the same memory and may fault. */
#include "tool/run_weak.h"

#include "check/check.h"
#include "tool/run_check.h"
#include "tool/tool.h"
#include "weak/shrink.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void watch(struct og_run_weak *weak, struct og_session *session, const struct og_run_command *command) {
  struct og_run_options options = command->options;
  options.count = command->stats;
  options.threads = 1;
  options.schedule = OG_SCHEDULE_RANDOM; /* the same seed also orders the waves */
  options.seed = weak->choices.seed;
  const struct og_deferring_observer *observer = og_weak_observer(weak->execution);
  if (session->check) {
    og_check_watch(session->check, &options);
    og_run_both_make(&weak->both, observer, options.observer_of(options.observer_context, 0));
    options.observer_of = NULL;
    observer = &weak->both.observer;
  }
  options.observer = &observer->observer;
  og_runtime_set_options(session->runtime, &options);
  for (uint32_t i = 0; i < session->arguments.count; i++)
    if (session->arguments.items[i].kind == OG_ARGUMENT_BUFFER && session->arguments.items[i].fine)
      og_weak_make_fine(weak->execution, session->arguments.items[i].buffer, session->arguments.items[i].size);
}

/* ---- trying schedules -------------------------------------------------------------------------------------------- */

/* How a kernel ended: the exit code, and two hashes of what it left in its buffers; with checkers, the numbers of the
 * findings that are looked for. */
enum { FINDINGS = 32 };
struct outcome {
  int32_t code;
  uint64_t hash[2];
  uint32_t finding_count;
  uint64_t findings[FINDINGS];
};
enum { NOT_ENDED = -1 };

struct trials {
  const struct og_run_command *command;
  const struct og_buffer *bytes;
  og_run_dispatch *dispatch;
  struct og_diagnostics *diagnostics;
  struct outcome strong;
  uint64_t finding; /* for `check`: the finding that the schedule has to show */
};

static void add_bytes(struct outcome *outcome, const uint8_t *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) {
    outcome->hash[0] = (outcome->hash[0] ^ bytes[i]) * 0x100000001b3u;
    outcome->hash[1] = (outcome->hash[1] + bytes[i]) * 0xc4ceb9fe1a85ec53u ^ outcome->hash[1] >> 29;
  }
}

/* Runs a whole session on the schedule; writes the choices that were made to `made`, if it is not NULL. */
static void dispatch_on(const struct trials *t, const struct og_choices *choices, struct outcome *outcome, FILE *made) {
  struct og_run_weak weak = {.choices = *choices};
  struct og_session session = {0};
  struct og_buffer statistics = {0}, text = {0};
  if (!og_session_open(&session, t->command, t->bytes, 64, false, stdout, t->diagnostics) ||
      !og_run_check_start(&session, t->command) || !og_sandbox_enter(t->command->sandbox, t->diagnostics))
    return;
  weak.execution = og_weak_execution_new(&weak.choices, t->command->memory_agents);
  watch(&weak, &session, t->command);
  outcome->code = t->dispatch(&session, t->command, &statistics);
  for (uint32_t i = 0; i < session.arguments.count; i++)
    if (session.arguments.items[i].kind == OG_ARGUMENT_BUFFER)
      add_bytes(outcome, session.arguments.items[i].buffer, session.arguments.items[i].size);
  if (session.check)
    outcome->finding_count = og_check_findings(session.check, t->command->memory_finding, outcome->findings, FINDINGS);
  if (made) {
    og_choices_print(&weak.choices, &text);
    og_print(&text, made);
    fflush(made);
  }
}

/* In a child process: prints nothing, and writes the outcome to `out`. */
static void run_child(const struct trials *t, const struct og_choices *choices, int out, FILE *made) {
  enum { PATIENCE = 20 /* seconds, if the command has no --timeout */ };
  struct outcome outcome = {.code = NOT_ENDED, .hash = {1, 2}};
  int nothing = open("/dev/null", O_WRONLY);
  alarm(t->command->timeout > 0 ? (unsigned)t->command->timeout + 1 : PATIENCE);
  if (nothing >= 0 && dup2(nothing, STDOUT_FILENO) >= 0 && dup2(nothing, STDERR_FILENO) >= 0)
    dispatch_on(t, choices, &outcome, made);
  _exit(write(out, &outcome, sizeof outcome) != sizeof outcome);
}

struct child {
  pid_t process;
  int from;
};

static struct child begin(const struct trials *t, const struct og_choices *choices, FILE *made) {
  int ends[2];
  if (pipe(ends) != 0)
    return (struct child){-1, -1};
  fflush(NULL);
  struct child child = {fork(), ends[0]};
  if (child.process == 0)
    run_child(t, choices, ends[1], made);
  close(ends[1]);
  return child;
}

static struct outcome end(struct child child) {
  struct outcome outcome = {.code = NOT_ENDED};
  if (child.process > 0 && read(child.from, &outcome, sizeof outcome) != sizeof outcome)
    outcome.code = NOT_ENDED;
  if (child.from >= 0)
    close(child.from);
  while (child.process > 0 && waitpid(child.process, NULL, 0) < 0 && errno == EINTR)
    ;
  return outcome;
}

static bool has_finding(const struct outcome *outcome, uint64_t finding) {
  for (uint32_t i = 0; i < outcome->finding_count; i++)
    if (outcome->findings[i] == finding)
      return true;
  return false;
}

static bool differs(const struct trials *t, struct outcome outcome) {
  if (t->command->check)
    return has_finding(&outcome, t->finding);
  return outcome.code != NOT_ENDED && (outcome.code != t->strong.code || outcome.hash[0] != t->strong.hash[0] ||
                                       outcome.hash[1] != t->strong.hash[1]);
}

static unsigned first_that_differs(void *context, const struct og_choices *candidates, unsigned count) {
  const struct trials *t = context;
  enum { WIDTH = 64 };
  struct child children[WIDTH];
  unsigned found = count = OG_MIN(count, (unsigned)WIDTH);
  for (unsigned i = 0; i < count; i++)
    children[i] = begin(t, &candidates[i], NULL);
  for (unsigned i = 0; i < count; i++)
    if (differs(t, end(children[i])) && found == count)
      found = i;
  return found;
}

/* Gets the choices that the seed makes from a child, by way of a file. */
static bool draw(const struct trials *t, struct og_choices *choices, struct outcome *outcome) {
  FILE *file = tmpfile();
  if (!file)
    return og_error_in(t->diagnostics, NULL, "cannot write a schedule: %s", strerror(errno));
  *outcome = end(begin(t, choices, file));
  struct og_buffer bytes = {0};
  rewind(file);
  for (size_t got = 1; got;) {
    uint8_t *at = og_buffer_extend(&bytes, 65536);
    got = fread(at, 1, 65536, file);
    bytes.size -= 65536 - got;
  }
  fclose(file);
  bool fine = outcome->code != NOT_ENDED &&
              og_choices_read(choices, "schedule", (const char *)bytes.data, bytes.size, t->diagnostics);
  og_buffer_free(&bytes);
  return fine || og_error_in(t->diagnostics, NULL, "--memory-shrink: the kernel does not end on this schedule");
}

/* Chooses the first finding that a strong memory does not show; if a finding was asked for, it may be one that it
 * shows. */
static bool choose_finding(struct trials *t, const struct outcome *drawn) {
  for (uint32_t i = drawn->finding_count; i-- > 0;)
    if (!has_finding(&t->strong, drawn->findings[i]))
      t->finding = drawn->findings[i];
  if (!t->finding && t->command->memory_finding && drawn->finding_count)
    t->finding = drawn->findings[0];
  return t->finding ||
         og_error_in(t->diagnostics, NULL, "--memory-shrink: this schedule shows no finding%s; try other seeds",
                     t->command->memory_finding ? " of these" : " that a strong memory does not show");
}

static bool shrink(struct og_run_weak *weak, struct trials *t) {
  enum { MOST = 20000 };
  struct og_choices strong = {.seed = weak->choices.seed, .replays = true, .arena = weak->choices.arena};
  struct og_shrinking how = {t, first_that_differs, OG_MAX(t->command->options.threads, 1u), MOST};
  struct outcome drawn;
  if (!weak->choices.replays && !draw(t, &weak->choices, &drawn))
    return false;
  if (weak->choices.replays && t->command->check)
    drawn = end(begin(t, &weak->choices, NULL));
  t->strong = end(begin(t, &strong, NULL));
  if (t->strong.code == NOT_ENDED)
    return og_error_in(t->diagnostics, NULL, "--memory-shrink: the kernel does not end on a strong memory");
  if (t->command->check && !choose_finding(t, &drawn))
    return false;
  uint32_t made = weak->choices.made.count, left = 0;
  if (first_that_differs(t, &weak->choices, 1) != 0)
    return og_error_in(t->diagnostics, NULL,
                       "--memory-shrink: this schedule leaves the same values as a strong memory; try other seeds");
  og_choices_shrink(&weak->choices, &how);
  for (uint32_t i = 0; i < weak->choices.made.count; i++)
    left += weak->choices.made.items[i] != 0;
  og_buffer_printf(&weak->told, "schedule shrunk from %" PRIu32 " choices to %" PRIu32 ":\n", made, left);
  return true;
}

/* Whether the checkers that watch can report a finding like the one asked for. */
static bool finding_may_come(const struct og_run_command *command, struct og_diagnostics *diagnostics) {
  struct og_text wrong,
      name = {command->memory_finding, command->memory_finding ? strcspn(command->memory_finding, " ") : 0};
  unsigned found = name.size ? og_check_matching(name) : OG_CHECK_ALL;
  unsigned watching = command->only ? og_check_names(command->only, &wrong) : OG_CHECK_ALL;
  if (!found)
    return og_run_no_checker("memory-shrink", name, diagnostics);
  return found & watching || !watching ||
         og_error_in(diagnostics, NULL, "--memory-shrink: '%.*s' is not among the checkers that watch",
                     OG_TEXT_ARGS(name));
}

/* ---- the run ----------------------------------------------------------------------------------------------------- */

bool og_run_weak_prepare(struct og_run_weak *weak, const struct og_run_command *command, const struct og_buffer *bytes,
                         og_run_dispatch *dispatch, struct og_diagnostics *diagnostics) {
  const char *replay = "weak:replay=";
  struct trials trials = {.command = command, .bytes = bytes, .dispatch = dispatch, .diagnostics = diagnostics};
  if (!command->memory)
    return true;
  og_choices_begin(&weak->choices, command->options.seed);
  if (strncmp(command->memory, replay, strlen(replay)) == 0) {
    const char *path = command->memory + strlen(replay);
    struct og_buffer schedule = {0};
    bool fine = og_read_file(path, &schedule, diagnostics) &&
                og_choices_read(&weak->choices, path, (const char *)schedule.data, schedule.size, diagnostics);
    og_buffer_free(&schedule);
    if (!fine)
      return false;
  }
  return !command->memory_shrink || (finding_may_come(command, diagnostics) && shrink(weak, &trials));
}

bool og_run_weak_start(struct og_run_weak *weak, struct og_session *session, const struct og_run_command *command) {
  if (!command->memory)
    return true;
  if (command->memory_record && !(weak->record = fopen(command->memory_record, "w")))
    return og_error_in(session->diagnostics, command->memory_record, "cannot write: %s", strerror(errno));
  weak->execution = og_weak_execution_new(&weak->choices, command->memory_agents);
  if (command->memory_shrink) {
    og_weak_tell_to(weak->execution, &weak->told);
    session->schedule = &weak->told;
  }
  watch(weak, session, command);
  return true;
}

void og_run_weak_end(struct og_run_weak *weak, const struct og_run_command *command) {
  struct og_buffer text = {0};
  if (weak->record) {
    og_choices_print(&weak->choices, &text);
    og_print(&text, weak->record);
    fclose(weak->record);
  }
  if (!command->findings_json) /* with --json they are part of the object */
    og_print(&weak->told, stdout);
  og_buffer_free(&weak->told);
  og_buffer_free(&text);
  og_weak_execution_free(weak->execution);
  if (weak->choices.arena)
    og_choices_end(&weak->choices);
}
