/* debug.c - `offgrid debug`: takes commands from a prompt, from a file, or from an editor at the other end of the
 * protocol. */
#include "debug/console.h"
#include "debug/dap.h"
#include "tool/edit_line.h"
#include "tool/run_session.h"
#include "tool/tool.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char debug_usage[] =
    "usage: offgrid debug FILE [--kernel NAME] --grid X[,Y[,Z]] --group X[,Y[,Z]] [--arg A]... [options]\n"
    "       offgrid debug --dap\n"
    "\n"
    "Runs a kernel under a debugger whose commands are gdb's: break, run, step, stepi, print, x, info, watch; and\n"
    "reverse-step, reverse-continue, which take the dispatch back. 'help' at its prompt lists them; docs/debugger.md "
    "walks\n"
    "through a kernel that gives wrong numbers. Source lines need a code object with line tables (clang -g); assembly\n"
    "has its own. Buffers are written back where the kernel came to its end.\n"
    "\n"
    "  -x FILE, --commands=FILE  does the commands in the file first\n"
    "  -ex COMMAND         does a command, behind those of files\n"
    "  --batch             ends after these, with 1 where one of them failed\n"
    "  --dap               speaks the Debug Adapter Protocol on standard input and output; 'launch' takes program,\n"
    "                      kernel, grid, group, args, mcpu, options (others of these) and stopOnEntry\n"
    "  --offset X[,Y[,Z]]  OpenCL's global offset\n"
    "  --arg A             the next argument, as of offgrid run\n"
    "  --lds BYTES         more dynamic LDS, after the kernel's own\n"
    "  -mcpu=P             the processor; must be the code object's own where it names one\n"
    "  --schedule=S        'round-robin' (default), 'random' or 'random:SEED': the order of work-groups and waves\n"
    "  --sandbox           keeps the kernel in the sandbox of offgrid run: then no source can be read\n";

enum { COMMANDS_MOST = 64 };

struct front {
  struct og_arena *arena;
  struct og_run_command command;
  struct og_session session;
  struct og_buffer bytes;
  struct og_diagnostics *diagnostics;
  struct og_debug_target target;
  struct og_debug *debug;
  bool open;
  bool batch, dap;
  const char *commands[COMMANDS_MOST]; /* from -x, with "source " in front */
  bool is_file[COMMANDS_MOST];
  unsigned count;
};

static struct og_debug *interrupted_debug; /* the debugger that an interrupt stops, for the handler */

static int interrupts; /* atomic: how many came, for the prompt */

static void interrupt(int signal) {
  (void)signal;
  __atomic_fetch_add(&interrupts, 1, __ATOMIC_RELAXED);
  struct og_debug *debug = __atomic_load_n(&interrupted_debug, __ATOMIC_ACQUIRE);
  if (debug)
    og_debug_pause(debug);
}

/* ---- opening ----------------------------------------------------------------------------------------------------- */

/* Makes the debugger for what front->command names; NULL with a diagnostic. */
static struct og_debug *open_debug(struct front *front) {
  const struct og_run_command *command = &front->command;
  struct og_session *session = &front->session;
  uint32_t group_bytes;
  if (!og_read_file(command->files[0], &front->bytes, front->diagnostics))
    return NULL;
  if (og_run_is_visa(&front->bytes)) {
    og_error_in(front->diagnostics, command->files[0], "vISA kernels have no debugger");
    return NULL;
  }
  if (front->command.sandbox != OG_SANDBOX_REQUIRED) /* sources are read when they are first shown, which needs files */
    front->command.sandbox = OG_SANDBOX_OFF;
  front->open = true;
  if (!og_session_open(session, command, &front->bytes, 1, true, front->dap ? stderr : stdout, front->diagnostics) ||
      !og_run_confine(&session->arguments, command))
    return NULL;
  void *kernarg = og_kernarg_new(session->runtime, session->executable, session->kernel, session->arguments.items,
                                 command->argument_count, &command->extent, session->queue, command->lds, &group_bytes,
                                 front->diagnostics);
  if (!kernarg)
    return NULL;
  front->target = (struct og_debug_target){.runtime = session->runtime,
                                           .queue = session->queue,
                                           .executable = session->executable,
                                           .kernel = session->kernel,
                                           .extent = &command->extent,
                                           .kernarg = kernarg,
                                           .group_bytes = group_bytes,
                                           .options = command->options};
  front->debug = og_debug_new(&front->target);
  __atomic_store_n(&interrupted_debug, front->debug, __ATOMIC_RELEASE);
  return front->debug;
}

/* Writes buffers to their files if the kernel came to its end. */
static bool close_debug(struct front *front) {
  bool ended =
      front->debug && og_debug_stop(front->debug)->kind == OG_STOP_ENDED && og_debug_stop(front->debug)->record.fine;
  bool fine = true;
  if (front->open)
    fine = og_run_arguments_end(&front->session.arguments, &front->command, ended) || !ended;
  __atomic_store_n(&interrupted_debug, NULL, __ATOMIC_RELEASE);
  og_debug_free(front->debug);
  if (front->open)
    og_session_close(&front->session);
  og_buffer_free(&front->bytes);
  return fine;
}

/* ---- the prompt -------------------------------------------------------------------------------------------------- */

struct completer {
  struct og_console *console;
  struct og_arena *arena;
};

static const char *complete(void *context, const char *line, uint32_t index) {
  const struct completer *completer = context;
  return og_console_complete(completer->console, completer->arena, line, index);
}

static char *plain_line(void) {
  char *line = NULL;
  size_t room = 0;
  if (getline(&line, &room, stdin) > 0)
    return line;
  free(line);
  return NULL;
}

static void flush(struct og_buffer *out) {
  og_print(out, stdout);
  fflush(stdout);
  out->size = 0;
}

/* Takes lines from a person or a pipe until they end. */
static bool prompt(struct og_console *console, struct og_buffer *out) {
  bool person = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO), fine = true;
  struct completer completer = {console, og_arena_new()};
  if (person)
    og_edit_start("offgrid", complete, &completer);
  while (!og_console_has_quit(console)) {
    __atomic_store_n(&interrupts, 0, __ATOMIC_RELAXED);
    char *line = person ? og_edit_line("(offgrid) ") : plain_line();
    if (!line && person && __atomic_load_n(&interrupts, __ATOMIC_RELAXED)) { /* it leaves the line, not the debugger */
      fputc('\n', stdout);
      continue;
    }
    if (!line)
      break;
    bool done = og_console_do(console, line);
    fine = fine && (person || done);
    flush(out);
    free(line);
  }
  if (person && !og_console_has_quit(console))
    fputc('\n', stdout);
  og_arena_free(completer.arena);
  return fine;
}

static int talk(struct front *front) {
  struct og_buffer out = {0};
  struct og_console *console = og_console_new(front->debug, &out);
  bool fine = true;
  for (int files = 1; files >= 0; files--) /* first the commands of files */
    for (unsigned i = 0; i < front->count && (fine || !front->batch) && !og_console_has_quit(console); i++) {
      if (front->is_file[i] != files)
        continue;
      char *line = NULL;
      if (asprintf(&line, "%s%s", files ? "source " : "", front->commands[i]) < 0)
        break;
      fine = og_console_do(console, line) && fine;
      free(line);
      flush(&out);
    }
  if (!front->batch && !og_console_has_quit(console))
    fine = prompt(console, &out) && fine;
  og_console_free(console);
  og_buffer_free(&out);
  return fine ? OG_EXIT_OK : OG_EXIT_INPUT;
}

/* ---- the protocol ------------------------------------------------------------------------------------------------ */

static void drain(struct og_diagnostics *diagnostics, struct og_buffer *error) {
  for (size_t i = 0; i < og_diagnostics_count(diagnostics); i++)
    og_buffer_printf(error, "%s%s", i ? "\n" : "", og_diagnostics_at(diagnostics, i)->message);
  og_diagnostics_remove(diagnostics, 0, og_diagnostics_count(diagnostics));
}

/* The request's texts do not outlive it, so the command keeps copies. */
static struct og_debug *launch(void *context, int argc, char **argv, struct og_buffer *error) {
  struct front *front = context;
  char **words = OG_NEW_ARRAY(front->arena, char *, argc + 1);
  for (int i = 0; i < argc; i++)
    words[i] = og_arena_copy(front->arena, argv[i], strlen(argv[i]));
  struct og_debug *debug = NULL;
  if (front->open)
    og_buffer_text(error, "an earlier launch has failed: start the adapter anew");
  else if (og_run_command_parse(argc, words, &front->command) != OG_EXIT_OK)
    og_buffer_text(error, "the launch is wrong: the adapter's standard error says how");
  else if (!(debug = open_debug(front)))
    drain(front->diagnostics, error);
  return debug;
}

static int serve(struct front *front) {
  struct og_dap_host host = {.in = STDIN_FILENO, .out = stdout, .context = front, .launch = launch};
  return og_dap_serve(&host) ? OG_EXIT_OK : OG_EXIT_INPUT;
}

/* ---- the verb ---------------------------------------------------------------------------------------------------- */

/* Takes the debugger's own options out of the line. */
static int take_options(int argc, char **argv, struct front *front) {
  int kept = 1;
  for (int i = 1; i < argc; i++) {
    const char *value = NULL;
    bool file = og_option_value(argc, argv, &i, "x", &value) || og_option_value(argc, argv, &i, "commands", &value);
    if (file || og_option_value(argc, argv, &i, "ex", &value)) {
      if (front->count == COMMANDS_MOST)
        return -1;
      front->is_file[front->count] = file;
      front->commands[front->count++] = value;
    } else if (og_option_flag(argv, i, "batch")) {
      front->batch = true;
    } else if (og_option_flag(argv, i, "dap")) {
      front->dap = true;
    } else {
      argv[kept++] = argv[i];
    }
  }
  return kept;
}

static int debug(int argc, char **argv) {
  struct front *front = og_checked_realloc(NULL, sizeof *front);
  *front = (struct front){.arena = og_arena_new()};
  argc = take_options(argc, argv, front);
  int code = argc < 0 ? og_usage_error("debug", "more than %d commands", COMMANDS_MOST) : OG_EXIT_OK;
  if (code == OG_EXIT_OK && !front->dap)
    code = og_run_command_parse(argc, argv, &front->command);
  if (code == OG_EXIT_OK && front->dap && argc > 1)
    code = og_usage_error("debug", "--dap takes no other arguments: 'launch' says what is debugged");
  if (code != OG_EXIT_OK) {
    og_arena_free(front->arena);
    free(front);
    return code;
  }
  struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
  sigaction(SIGINT, &action, NULL);
  front->diagnostics = og_diagnostics_new();
  if (front->dap)
    code = serve(front);
  else
    code = open_debug(front) ? talk(front) : OG_EXIT_INPUT;
  bool fine = close_debug(front);
  int found = og_finish(front->diagnostics);
  og_arena_free(front->arena);
  free(front);
  return code != OG_EXIT_OK ? code : fine ? found : OG_EXIT_INPUT;
}

const struct og_verb og_verb_debug = {"debug", "runs a kernel under a debugger", debug_usage, debug};
