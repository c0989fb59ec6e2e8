/* input.c - maps files that a verb only reads. */
#include <signal.h>
#include <unistd.h>

#include "base/mapped.h"
#include "tool/tool.h"

static _Noreturn void end_without_file(int signal) {
  static const char text[] = "offgrid: error: a file was made shorter while it was read\n";
  (void)signal;
  (void)!write(STDERR_FILENO, text, sizeof text - 1);
  _exit(OG_EXIT_INPUT);
}

bool og_open_input(const char *path, struct og_mapped_file *file, struct og_diagnostics *diagnostics) {
  struct sigaction action = {.sa_handler = end_without_file};
  sigaction(SIGBUS, &action, NULL);
  return og_map_file(path, file, diagnostics);
}
