/* campaign_run.c - runs a campaign's tasks, several at a time, each in a process group of its own, and keeps what they
 * print. */
#include "tool/campaign.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/host.h"

enum { OUTPUT, ERRORS, STREAMS, READ_MOST = 16 << 20 /* bytes kept of a stream; the rest is dropped */ };

/* A task that is running. */
struct running {
  pid_t process; /* also its group; 0: this place is free */
  uint32_t task;
  int pipes[STREAMS]; /* -1: closed */
  uint64_t started;
  struct og_outcome outcome;
};

/* ---- starting ---------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;
static void interrupt(int number) { interrupted = number; }

static _Noreturn void become(const struct og_task *task, const int ends[STREAMS], pid_t parent) {
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* if the campaign is killed, nothing is left behind */
  int nothing = open("/dev/null", O_RDONLY);
  if (getppid() == parent && nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
      dup2(ends[OUTPUT], STDOUT_FILENO) >= 0 && dup2(ends[ERRORS], STDERR_FILENO) >= 0) {
    if (og_find_verb(task->words[0]))
      execv("/proc/self/exe", task->words - 1); /* the list's reader has put "offgrid" in front of the words */
    else
      execvp(task->words[0], task->words);
    dprintf(STDERR_FILENO, "offgrid campaign: cannot run %s: %s\n", task->words[0], strerror(errno));
  }
  _exit(127); /* as shells do */
}

static bool start(struct og_campaign *campaign, struct running *to, uint32_t task) {
  int output[2], errors[2];
  if (pipe2(output, O_CLOEXEC) != 0)
    return og_error_in(campaign->diagnostics, NULL, "cannot make a pipe: %s", strerror(errno));
  if (pipe2(errors, O_CLOEXEC) != 0) {
    close(output[0]), close(output[1]);
    return og_error_in(campaign->diagnostics, NULL, "cannot make a pipe: %s", strerror(errno));
  }
  pid_t parent = getpid(), process = fork();
  if (process == 0)
    become(&campaign->tasks.items[task], (int[STREAMS]){output[1], errors[1]}, parent);
  int reason = errno;
  close(output[1]), close(errors[1]);
  if (process < 0) {
    close(output[0]), close(errors[0]);
    return og_error_in(campaign->diagnostics, NULL, "cannot make a process: %s", strerror(reason));
  }
  setpgid(process, process);
  *to = (struct running){process, task, {output[0], errors[0]}, og_clock(), {0}};
  return true;
}

/* ---- waiting ----------------------------------------------------------------------------------------------------- */

static void read_some(struct running *of, unsigned stream) {
  struct og_buffer *to = stream == OUTPUT ? &of->outcome.output : &of->outcome.errors;
  char bytes[65536];
  ssize_t size = read(of->pipes[stream], bytes, sizeof bytes);
  if (size > 0 && to->size < READ_MOST)
    og_buffer_append(to, bytes, (size_t)size);
  if (size > 0 || (size < 0 && errno == EINTR))
    return;
  close(of->pipes[stream]);
  of->pipes[stream] = -1;
}

/* Called when both its streams are closed: waits for the task's end and writes its result. */
static bool end(struct og_campaign *campaign, struct running *of, bool keep) {
  for (unsigned i = 0; i < STREAMS; i++)
    if (of->pipes[i] >= 0)
      close(of->pipes[i]);
  while (waitpid(of->process, &of->outcome.status, 0) < 0 && errno == EINTR)
    ;
  kill(-of->process, SIGKILL); /* kills processes that it may have left behind */
  of->outcome.seconds = (double)(og_clock() - of->started) * 1e-9;
  bool good = !keep || og_campaign_write_result(campaign, of->task, &of->outcome);
  if (keep) {
    campaign->finished++;
    campaign->failed += of->outcome.timeout || of->outcome.status != 0;
  }
  og_buffer_free(&of->outcome.output);
  og_buffer_free(&of->outcome.errors);
  of->process = 0;
  return good;
}

/* Kills tasks that run too long. Returns the milliseconds until the next one may; -1: no task has a limit. */
static int hold_times(const struct og_campaign *campaign, struct running *running) {
  double next = -1;
  for (uint32_t i = 0; i < campaign->jobs && campaign->timeout > 0; i++) {
    struct running *of = &running[i];
    double left = campaign->timeout - (double)(og_clock() - of->started) * 1e-9;
    if (!of->process || of->outcome.timeout)
      continue;
    if (left <= 0) {
      of->outcome.timeout = true;
      kill(-of->process, SIGKILL);
    } else if (next < 0 || left < next) {
      next = left;
    }
  }
  return next < 0 ? -1 : (int)OG_MIN(next * 1000 + 1, 1e9);
}

/* Reads once from each task with output. When both streams of a task have ended, its place becomes free. */
static bool attend(struct og_campaign *campaign, struct running *running) {
  uint32_t count = campaign->jobs * STREAMS;
  struct pollfd *files = malloc(count * sizeof *files);
  if (!files)
    return og_error_in(campaign->diagnostics, NULL, "no memory for %u jobs", campaign->jobs);
  for (uint32_t i = 0; i < count; i++)
    files[i] = (struct pollfd){running[i / STREAMS].process ? running[i / STREAMS].pipes[i % STREAMS] : -1, POLLIN, 0};
  bool good = true;
  if (poll(files, count, hold_times(campaign, running)) > 0)
    for (uint32_t i = 0; i < count; i++)
      if (files[i].fd >= 0 && files[i].revents)
        read_some(&running[i / STREAMS], i % STREAMS);
  free(files);
  for (uint32_t i = 0; i < campaign->jobs && good; i++)
    if (running[i].process && running[i].pipes[OUTPUT] < 0 && running[i].pipes[ERRORS] < 0)
      good = end(campaign, &running[i], true);
  return good;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

static void tell(const struct og_campaign *campaign, uint32_t mine) {
  if (isatty(STDERR_FILENO))
    fprintf(stderr, "\r\033[K%u/%u tasks, %u failed", campaign->finished, mine, campaign->failed);
}

static bool work(struct og_campaign *campaign, struct running *running, uint32_t mine) {
  uint32_t next = 0, busy;
  do {
    busy = 0;
    for (uint32_t i = 0; i < campaign->jobs; i++) {
      while (next < campaign->tasks.count && (!campaign->tasks.items[next].mine || campaign->tasks.items[next].done))
        next++;
      if (!running[i].process && next < campaign->tasks.count && !start(campaign, &running[i], next++))
        return false;
      busy += running[i].process != 0;
    }
    tell(campaign, mine);
    if (busy && !attend(campaign, running))
      return false;
  } while (busy && !interrupted);
  return !interrupted;
}

bool og_campaign_run(struct og_campaign *campaign) {
  struct running *running = og_arena_alloc(campaign->arena, campaign->jobs * sizeof *running);
  uint32_t mine = 0;
  for (uint32_t i = 0; i < campaign->tasks.count; i++)
    mine += campaign->tasks.items[i].mine;
  struct sigaction action = {.sa_handler = interrupt};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  bool good = work(campaign, running, mine);
  for (uint32_t i = 0; i < campaign->jobs; i++)
    if (running[i].process) {
      kill(-running[i].process, SIGKILL);
      end(campaign, &running[i], false);
    }
  if (isatty(STDERR_FILENO))
    fputs("\r\033[K", stderr);
  return good;
}
