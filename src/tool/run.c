/* run.c - `offgrid run`: loads a code object, dispatches one of its kernels through an AQL queue, prints statistics. */
#include "runtime/arguments.h"
#include "runtime/report.h"
#include "runtime/source.h"
#include "runtime/runtime.h"
#include "runtime/trace.h"
#include "tool/tool.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: offgrid run FILE --kernel NAME --grid X[,Y[,Z]] --group X[,Y[,Z]] [options]\n"
    "\n"
    "Loads a code object and dispatches a kernel through an AQL queue. The grid is in work-items and need not be a\n"
    "multiple of the group.\n"
    "\n"
    "  --offset X[,Y[,Z]]  OpenCL's global offset\n"
    "  --arg A             the next argument, in the kernel's order; hidden ones are filled in:\n"
    "                        i8:N u8:N i16:N .. u64:N f16:N f32:N f64:N   a scalar\n"
    "                        struct:HEX         bytes by value\n"
    "                        buf:BYTES          a zeroed buffer\n"
    "                        in:FILE            a buffer with the file's bytes\n"
    "                        out:FILE:BYTES     a zeroed buffer, written to the file afterwards\n"
    "                        inout:FILE         a buffer with the file's bytes, written back afterwards\n"
    "                        lds:BYTES          a pointer to dynamic LDS\n"
    "  --lds BYTES         more dynamic LDS, behind the kernel's own\n"
    "  -mcpu=P             the processor; must be the code object's own where it names one\n"
    "  --platform P        of a vISA kernel: skl, tgllp, dg2 or pvc\n"
    "  --zeinfo FILE       a zebin or its .ze_info: where a vISA kernel's arguments go\n"
    "  --threads N         host threads (1)\n"
    "  --repeat N          dispatches N times; buffers are not reset between them\n"
    "  --schedule=S        'round-robin' (default), 'random' or 'random:SEED'\n"
    "  --timeout SECONDS   ends with an error when the dispatches take longer\n"
    "  --stats[=json]      prints counts for each dispatch\n"
    "  --trace=OUT         writes a line for each instruction run: work-group, wave, EXEC, place, text\n";

enum { MAX_ARGS = 256 };

/* A buffer that goes back into a file. */
struct output {
  const char *path;
  const void *data;
  size_t size;
};

struct command {
  const char *file, *kernel, *mcpu, *trace;
  struct og_extent extent;
  const char *arg_texts[MAX_ARGS];
  uint32_t arg_count;
  uint32_t lds, repeat;
  double timeout; /* seconds; 0: none */
  bool stats, json;
  struct og_run_options options;
};

struct session {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_runtime *runtime;
  struct og_queue *queue;
  struct og_executable *executable;
  const struct og_kernel *kernel;
  struct og_argument arguments[MAX_ARGS];
  struct output outputs[MAX_ARGS];
  uint32_t output_count;
};

static volatile sig_atomic_t interrupted;

static void interrupt(int signal) {
  (void)signal;
  interrupted = 1;
}

/* ---- the command line --------------------------------------------------------------------------------------------------- */

static bool parse_unsigned(const char *text, uint64_t most, uint64_t *value) {
  char *end;
  errno = 0;
  *value = strtoull(text, &end, 0);
  return errno == 0 && end != text && !*end && *text != '-' && *value <= most;
}

/* "X[,Y[,Z]]"; yields how many, 0 if wrong. */
static uint32_t parse_extent(const char *text, uint64_t most, uint64_t extent[3]) {
  uint32_t count = 0;
  for (const char *at = text; count < 3; at++) {
    char *end;
    errno = 0;
    extent[count] = strtoull(at, &end, 0);
    if (errno || end == at || *at == '-' || extent[count] > most)
      return 0;
    count++;
    if (!*end)
      return count;
    if (*end != ',')
      return 0;
    at = end;
  }
  return 0;
}

static bool parse_size(const char *text, uint64_t most, uint32_t size[3], uint32_t *dimensions) {
  uint64_t wide[3] = {1, 1, 1};
  *dimensions = parse_extent(text, most, wide);
  for (int i = 0; i < 3; i++) {
    size[i] = (uint32_t)wide[i];
    if (wide[i] == 0)
      return false;
  }
  return *dimensions > 0;
}

static bool parse_schedule(const char *text, struct og_run_options *options) {
  options->seed = 1;
  if (strcmp(text, "round-robin") == 0) {
    options->schedule = OG_SCHEDULE_ROUND_ROBIN;
    return true;
  }
  options->schedule = OG_SCHEDULE_RANDOM;
  return strcmp(text, "random") == 0 || (strncmp(text, "random:", 7) == 0 && parse_unsigned(text + 7, UINT64_MAX, &options->seed));
}

static bool parse_seconds(const char *text, double *seconds) {
  char *end;
  *seconds = strtod(text, &end);
  return end != text && !*end && *seconds > 0 && *seconds < 1e9;
}

/* One option with its value; OG_EXIT_OK, or the exit code of wrong usage. */
static int take_option(struct command *command, const char *name, const char *value, uint32_t dimensions[2]) {
  uint64_t number = 0;
  bool fine = true;
  if (strcmp(name, "kernel") == 0)
    command->kernel = value;
  else if (strcmp(name, "mcpu") == 0)
    command->mcpu = value;
  else if (strcmp(name, "trace") == 0)
    command->trace = value;
  else if (strcmp(name, "grid") == 0)
    fine = parse_size(value, UINT32_MAX, command->extent.grid, &dimensions[0]);
  else if (strcmp(name, "group") == 0)
    fine = parse_size(value, UINT16_MAX, command->extent.group, &dimensions[1]);
  else if (strcmp(name, "offset") == 0)
    fine = parse_extent(value, UINT64_MAX, command->extent.offset) > 0;
  else if (strcmp(name, "lds") == 0 && (fine = parse_unsigned(value, UINT32_MAX, &number)))
    command->lds = (uint32_t)number;
  else if (strcmp(name, "repeat") == 0 && (fine = parse_unsigned(value, 1000000000, &number) && number > 0))
    command->repeat = (uint32_t)number;
  else if (strcmp(name, "threads") == 0 && (fine = parse_unsigned(value, 1024, &number) && number > 0))
    command->options.threads = (unsigned)number;
  else if (strcmp(name, "timeout") == 0)
    fine = parse_seconds(value, &command->timeout);
  else if (strcmp(name, "schedule") == 0)
    fine = parse_schedule(value, &command->options);
  else if (strcmp(name, "arg") == 0 && (fine = command->arg_count < MAX_ARGS))
    command->arg_texts[command->arg_count++] = value;
  return fine ? OG_EXIT_OK : og_usage_error("run", "--%s: '%s' is not what is expected", name, value);
}

static int parse_command(int argc, char **argv, struct command *command) {
  static const char *const with_value[] = {"kernel", "mcpu", "grid", "group", "offset", "lds", "repeat", "threads", "timeout", "schedule", "arg", "trace"};
  uint32_t dimensions[2] = {0, 0};
  for (int i = 1; i < argc; i++) {
    const char *value = NULL;
    size_t k = 0;
    if (og_option_flag(argv, i, "stats") || og_option_flag(argv, i, "stats=json")) {
      command->stats = true;
      command->json = strchr(argv[i], '=') != NULL;
      continue;
    }
    if (argv[i][0] != '-' || !argv[i][1]) {
      if (command->file)
        return og_usage_error("run", "one FILE is expected, '%s' is another", argv[i]);
      command->file = argv[i];
      continue;
    }
    while (k < OG_COUNT(with_value) && !og_option_value(argc, argv, &i, with_value[k], &value))
      k++;
    if (k == OG_COUNT(with_value))
      return og_usage_error("run", "no option '%s', or its value is missing", argv[i]);
    int code = take_option(command, with_value[k], value, dimensions);
    if (code != OG_EXIT_OK)
      return code;
  }
  if (!command->file)
    return og_usage_error("run", "a FILE is expected");
  if (!command->kernel || !dimensions[0] || !dimensions[1])
    return og_usage_error("run", "--%s is expected", !command->kernel ? "kernel" : !dimensions[0] ? "grid" : "group");
  command->extent.dimensions = OG_MAX(dimensions[0], dimensions[1]);
  return OG_EXIT_OK;
}

/* ---- arguments ------------------------------------------------------------------------------------------------------------ */

static bool new_buffer(struct session *session, struct og_argument *argument, const char *text, const void *data, size_t size) {
  argument->kind = OG_ARGUMENT_BUFFER;
  argument->text = text;
  argument->size = size;
  argument->buffer = og_memory_new(session->runtime, OG_MAX(size, (size_t)1), 64, OG_MEMORY_READ | OG_MEMORY_WRITE);
  if (!argument->buffer)
    return og_error_in(session->diagnostics, NULL, "--arg %s: no memory for %zu bytes", text, size);
  if (data)
    memcpy(argument->buffer, data, size);
  return true;
}

static void remember_output(struct session *session, const char *path, const struct og_argument *argument) {
  session->outputs[session->output_count++] = (struct output){path, argument->buffer, argument->size};
}

static bool file_buffer(struct session *session, struct og_argument *argument, const char *text, const char *path, bool written) {
  struct og_buffer bytes = {0};
  bool fine = og_read_file(path, &bytes, session->diagnostics) && new_buffer(session, argument, text, bytes.data, bytes.size);
  og_buffer_free(&bytes);
  if (fine && written)
    remember_output(session, path, argument);
  return fine;
}

static bool out_buffer(struct session *session, struct og_argument *argument, const char *text) {
  const char *path = text + 4, *colon = strrchr(path, ':');
  uint64_t size;
  if (!colon || colon == path || !parse_unsigned(colon + 1, SIZE_MAX / 8, &size))
    return og_error_in(session->diagnostics, NULL, "--arg %s: expected out:FILE:BYTES", text);
  if (!new_buffer(session, argument, text, NULL, size))
    return false;
  remember_output(session, og_arena_copy(session->arena, path, (size_t)(colon - path)), argument);
  return true;
}

static bool make_argument(struct session *session, const char *text, struct og_argument *argument) {
  uint64_t size;
  if (og_argument_parse(session->arena, text, argument, session->diagnostics))
    return argument->value != NULL;
  if (strncmp(text, "in:", 3) == 0)
    return file_buffer(session, argument, text, text + 3, false);
  if (strncmp(text, "inout:", 6) == 0)
    return file_buffer(session, argument, text, text + 6, true);
  if (strncmp(text, "out:", 4) == 0)
    return out_buffer(session, argument, text);
  if (strncmp(text, "buf:", 4) == 0 && parse_unsigned(text + 4, SIZE_MAX / 8, &size))
    return new_buffer(session, argument, text, NULL, size);
  if (strncmp(text, "lds:", 4) == 0 && parse_unsigned(text + 4, UINT32_MAX / 2, &size)) {
    *argument = (struct og_argument){.kind = OG_ARGUMENT_LDS, .text = text, .size = size};
    return true;
  }
  return og_error_in(session->diagnostics, NULL, "--arg %s: expected TYPE:NUMBER, struct:HEX, buf:BYTES, in:FILE, out:FILE:BYTES, inout:FILE or lds:BYTES", text);
}

/* ---- loading ---------------------------------------------------------------------------------------------------------------- */

static bool find_kernel(struct session *session, const char *name) {
  const struct og_code_object *code = session->executable->code;
  session->kernel = og_executable_kernel(session->executable, og_text(name));
  if (session->kernel)
    return true;
  struct og_buffer names = {0};
  for (uint32_t i = 0; i < code->kernel_count; i++)
    og_buffer_printf(&names, "%s%s", i ? ", " : "", code->kernels[i].name);
  og_error_in(session->diagnostics, code->elf->name, "no kernel '%s'; there %s %.*s", name, code->kernel_count == 1 ? "is" : "are",
              names.size ? (int)names.size : 4, names.size ? (char *)names.data : "none");
  og_buffer_free(&names);
  return false;
}

static bool check_processor(struct session *session, const char *mcpu) {
  const struct og_processor *loaded = session->executable->target.processor;
  const struct og_processor *asked = mcpu ? og_find_processor(og_text(mcpu)) : loaded;
  if (!asked)
    return og_error_in(session->diagnostics, NULL, "-mcpu=%s: no such processor (offgrid targets lists them)", mcpu);
  if (asked != loaded)
    return og_error_in(session->diagnostics, session->executable->code->elf->name, "the code is for %s, not for %s", loaded->name, asked->name);
  return true;
}

static bool load(struct session *session, const struct command *command) {
  struct og_buffer bytes = {0};
  bool fine = og_read_file(command->file, &bytes, session->diagnostics);
  if (fine)
    session->executable = og_load_any(session->runtime, command->file, bytes.data, bytes.size, command->mcpu, session->diagnostics);
  og_buffer_free(&bytes);
  return fine && session->executable && check_processor(session, command->mcpu) && find_kernel(session, command->kernel);
}

/* ---- dispatching -------------------------------------------------------------------------------------------------------------- */

/* Waits until the signal is 0; false when the queue failed, the time is over or the user interrupted. */
static bool wait_for(struct session *session, const struct command *command, struct og_signal *signal, uint64_t deadline) {
  enum { LOOK = 20000000 /* nanoseconds between looks at the clock and the user */ };
  while (og_signal_wait(signal, OG_CONDITION_EQ, 0, LOOK) != 0) {
    if (og_queue_stopped(session->queue))
      return og_signal_load(signal) == 0;
    if (interrupted)
      og_queue_cancel(session->queue);
    if (command->timeout > 0 && og_clock() > deadline)
      og_queue_cancel(session->queue);
  }
  return true;
}

static bool report_failure(struct session *session, const struct command *command, uint64_t deadline) {
  struct og_dispatch_record record;
  og_runtime_last_dispatch(session->runtime, &record);
  const char *why = interrupted ? "interrupted" : NULL;
  if (!why && command->timeout > 0 && og_clock() > deadline)
    why = og_arena_printf(session->arena, "still running after %g seconds (--timeout)", command->timeout);
  og_report_fault(session->executable, session->kernel, &record, why, session->diagnostics);
  return false;
}

static bool dispatch_all(struct session *session, const struct command *command, struct og_buffer *statistics) {
  uint32_t group_bytes;
  struct og_signal *signal = og_signal_new(session->runtime, 1);
  void *kernarg = signal ? og_kernarg_new(session->runtime, session->executable, session->kernel, session->arguments, command->arg_count,
                                          &command->extent, session->queue, command->lds, &group_bytes, session->diagnostics)
                         : NULL;
  if (!kernarg)
    return false;
  uint64_t deadline = og_clock() + (uint64_t)(command->timeout * 1e9);
  for (uint32_t i = 0; i < command->repeat; i++) {
    union og_packet packet;
    og_signal_store(signal, 1);
    og_dispatch_packet_init(&packet.dispatch, session->executable, session->kernel, &command->extent, kernarg, group_bytes, signal);
    uint64_t start = og_clock();
    og_queue_submit(session->queue, &packet);
    bool fine = wait_for(session, command, signal, deadline);
    double seconds = (double)(signal->end - start) * 1e-9;
    if (!fine)
      return report_failure(session, command, deadline);
    struct og_dispatch_record record;
    og_runtime_last_dispatch(session->runtime, &record);
    if (command->json)
      og_print_statistics_json(session->kernel, &record, seconds, i > 0, statistics);
    else if (command->stats)
      og_print_statistics(session->kernel, &record, seconds, statistics);
  }
  return true;
}

/* The dispatches with each instruction written down. */
static bool dispatch_traced(struct session *session, const struct command *command, struct og_buffer *statistics) {
  FILE *out = strcmp(command->trace, "-") == 0 ? stdout : fopen(command->trace, "w");
  if (!out)
    return og_error_in(session->diagnostics, command->trace, "cannot write: %s", strerror(errno));
  struct og_trace *trace = og_trace_new(session->executable, out);
  struct og_run_options options = command->options;
  options.observer = og_trace_observer(trace);
  og_runtime_set_options(session->runtime, &options);
  bool fine = dispatch_all(session, command, statistics);
  og_trace_free(trace);
  if (out != stdout && fclose(out) != 0)
    return og_error_in(session->diagnostics, command->trace, "cannot write: %s", strerror(errno));
  return fine;
}

static bool write_outputs(struct session *session) {
  bool fine = true;
  for (uint32_t i = 0; i < session->output_count; i++)
    fine &= og_write_file(session->outputs[i].path, session->outputs[i].data, session->outputs[i].size, session->diagnostics);
  return fine;
}

static void print_statistics(const struct session *session, const struct command *command, const struct og_buffer *statistics) {
  if (command->json)
    printf("{\"processor\":\"%s\",\"threads\":%u,\"dispatches\":[", session->executable->target.processor->name, OG_MAX(command->options.threads, 1));
  og_print(statistics, stdout);
  if (command->json)
    puts("]}");
}

static bool run_all(struct session *session, const struct command *command) {
  struct og_buffer statistics = {0};
  bool fine = load(session, command);
  for (uint32_t i = 0; fine && i < command->arg_count; i++)
    fine = make_argument(session, command->arg_texts[i], &session->arguments[i]);
  fine = fine && (command->trace ? dispatch_traced : dispatch_all)(session, command, &statistics) && write_outputs(session);
  if (fine && command->stats)
    print_statistics(session, command, &statistics);
  og_buffer_free(&statistics);
  return fine;
}

/* A vISA kernel among the words of the command: its own verb file takes over. */
static bool names_visa(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (argv[i][0] != '-' && og_run_is_visa(argv[i]))
      return true;
  return false;
}

static int run(int argc, char **argv) {
  if (names_visa(argc, argv))
    return og_run_visa(argc, argv);
  struct command command = {.repeat = 1, .options.threads = 1};
  int code = parse_command(argc, argv, &command);
  if (code != OG_EXIT_OK)
    return code;
  struct session *session = calloc(1, sizeof *session);
  session->arena = og_arena_new();
  session->diagnostics = og_diagnostics_new();
  session->runtime = og_runtime_new();
  command.options.count = command.stats;
  og_runtime_set_options(session->runtime, &command.options);
  session->queue = og_runtime_queue(session->runtime, 64);
  struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESETHAND};
  sigaction(SIGINT, &action, NULL);
  if (session->queue)
    run_all(session, &command);
  else
    og_error_in(session->diagnostics, NULL, "no memory for a queue");
  og_runtime_queue_free(session->runtime, session->queue);
  og_runtime_free(session->runtime);
  og_arena_free(session->arena);
  code = og_finish(session->diagnostics);
  free(session);
  return interrupted ? 128 + SIGINT : code;
}

const struct og_verb og_verb_run = {"run", "runs a kernel and writes its buffers back", usage, run};
