/* keeper.c - the process that puts outputs in place. It is made before a kernel runs and does nothing but wait for one
 * byte. The names to which it renames files are in its own memory, which no kernel reaches. */
#include "tool/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct answer {
  uint32_t which;
  int reason;
};

static _Noreturn void keep_outputs(struct og_output *const *outputs, uint32_t count, int orders, int answers) {
  static const int ignored[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}; /* the pipe gives the order, or ends */
  for (size_t i = 0; i < OG_COUNT(ignored); i++)
    signal(ignored[i], SIG_IGN);
  char keep = 0;
  ssize_t got;
  while ((got = read(orders, &keep, 1)) < 0 && errno == EINTR)
    ;
  struct answer answer = {0};
  for (uint32_t i = 0; i < count; i++) {
    int reason = og_output_place(outputs[i], got == 1 && keep && !answer.reason);
    if (reason && !answer.reason)
      answer = (struct answer){i, reason};
  }
  _exit(write(answers, &answer, sizeof answer) != sizeof answer);
}

static void close_both(const int ends[2]) {
  close(ends[0]);
  close(ends[1]);
}

bool og_keeper_start(struct og_keeper *keeper, struct og_output *const *outputs, uint32_t count,
                     struct og_diagnostics *diagnostics) {
  int orders[2], answers[2];
  *keeper = (struct og_keeper){0};
  if (pipe2(orders, O_CLOEXEC) != 0)
    return og_error_in(diagnostics, NULL, "cannot make a pipe: %s", strerror(errno));
  if (pipe2(answers, O_CLOEXEC) != 0) {
    close_both(orders);
    return og_error_in(diagnostics, NULL, "cannot make a pipe: %s", strerror(errno));
  }
  pid_t process = fork();
  if (process == 0) {
    close(orders[1]);
    close(answers[0]);
    keep_outputs(outputs, count, orders[0], answers[1]);
  }
  close(orders[0]);
  close(answers[1]);
  *keeper = (struct og_keeper){OG_MAX(process, 0), orders[1], answers[0]};
  if (process > 0)
    return true;
  close(orders[1]);
  close(answers[0]);
  return og_error_in(diagnostics, NULL, "cannot make a process: %s", strerror(errno));
}

int og_keeper_end(struct og_keeper *keeper, bool keep, uint32_t *which) {
  struct answer answer = {0, EIO};
  struct sigaction before, ignore = {.sa_handler = SIG_IGN};
  sigaction(SIGPIPE, &ignore, &before); /* somebody may have ended the process */
  char order = keep;
  if (write(keeper->orders, &order, 1) == 1) {
    ssize_t got;
    while ((got = read(keeper->answers, &answer, sizeof answer)) < 0 && errno == EINTR)
      ;
    if (got != sizeof answer)
      answer = (struct answer){0, EIO};
  }
  close(keeper->orders);
  close(keeper->answers);
  while (waitpid(keeper->process, NULL, 0) < 0 && errno == EINTR)
    ;
  sigaction(SIGPIPE, &before, NULL);
  *which = answer.which;
  return answer.reason;
}
