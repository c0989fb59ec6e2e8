/* run.c - `offgrid run` and `check`: loads a code object, dispatches one of its kernels through an AQL queue, prints
 * statistics. vISA kernels go to run_visa.c. */
#include "check/check.h"
#include "runtime/report.h"
#include "runtime/source.h"
#include "runtime/runtime.h"
#include "runtime/trace.h"
#include "tool/run_command.h"
#include "tool/tool.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPTIONS                                                                                                        \
  "  --offset X[,Y[,Z]]  OpenCL's global offset\n"                                                                     \
  "  --arg A             the next argument, in the kernel's order; hidden ones are filled in:\n"                       \
  "                        i8:N u8:N i16:N .. u64:N f16:N f32:N f64:N   a scalar\n"                                    \
  "                        struct:HEX         bytes by value\n"                                                        \
  "                        buf:BYTES          a zeroed buffer\n"                                                       \
  "                        in:FILE            a buffer with the file's bytes\n"                                        \
  "                        out:FILE:BYTES     a zeroed buffer, written to the file afterwards\n"                       \
  "                        inout:FILE         a buffer with the file's bytes, written back afterwards\n"               \
  "                        lds:BYTES          a pointer to dynamic LDS\n"                                              \
  "                        image:FORMAT:SIZE:BUFFER  an image, as in image:rgba8:16x16:out:FILE;\n"                   \
  "                                           SIZE is W, WxH, WxHxD, or WaN, WxHaN for an array of N\n"                \
  "                        sampler:WORDS      as in sampler:linear,repeat,normalized,less\n"                           \
  "  --lds BYTES         more dynamic LDS, after the kernel's own\n"                                                  \
  "  -mcpu=P             the processor; must be the code object's own where it names one\n"                            \
  "  --platform P        of a vISA kernel: skl, tgllp, dg2 or pvc\n"                                                   \
  "  --zeinfo FILE       a zebin or its .ze_info: where a vISA kernel's arguments go\n"                                \
  "  --threads N         host threads (1)\n"                                                                           \
  "  --repeat N          dispatches N times; buffers are not reset between them\n"                                     \
  "  --schedule=S        'round-robin' (default), 'random' or 'random:SEED'\n"                                         \
  "  --timeout SECONDS   ends with an error when the dispatches take longer\n"                                         \
  "  --stats[=json]      prints counts for each dispatch\n"                                                            \
  "  --sandbox           fails where the system has no sandbox; without it, runs without one there\n"                 \
  "  --no-sandbox        keeps the right to open files, which only a kernel that broke out would use\n"              \
  "  --trace=OUT         writes a line for each instruction run: work-group, wave, EXEC, place, text\n"

static const char run_usage[] =
    "usage: offgrid run FILE... [--kernel NAME] --grid X[,Y[,Z]] --group X[,Y[,Z]] [options]\n"
    "\n"
    "Loads a code object and dispatches a kernel through an AQL queue, or runs a vISA kernel, whose functions may "
    "stand\n"
    "in more files. The grid is in work-items and need not be a multiple of the group. The kernel may be named as in C++,\n"
    "with its parameters or without, and not at all where it is the only one.\n"
    "Exit code: 0 fine, 1 an error in the input, 2 wrong usage, 3 the kernel faulted, 4 --timeout ended it.\n"
    "\n" OPTIONS;

static const char check_usage[] =
    "usage: offgrid check FILE... [--kernel NAME] --grid X[,Y[,Z]] --group X[,Y[,Z]] [options]\n"
    "\n"
    "Runs a kernel as `offgrid run` does and tells its mistakes. Of AMD kernels: registers touched while a memory\n"
    "operation still fills or reads them (waits); barriers that not all lanes come to (divergence). Of vISA kernels:\n"
    "what the specification leaves undefined, registers that nothing wrote, races between threads and barriers in\n"
    "divergent code. Exit code 1 where something is found: docs/checkers.md.\n"
    "\n"
    "  --only=NAMES        of AMD kernels: these checkers only, as in --only=waits,divergence\n"
    "  --allow=FILE        findings that are not told: a line 'CHECKER PLACE' each, as in 'waits k+0x40'; * matches all\n"
    "  --json              prints the findings as a JSON object, too\n" OPTIONS;

struct session {
  struct og_arena *arena;
  struct og_diagnostics *diagnostics;
  struct og_runtime *runtime;
  struct og_queue *queue;
  struct og_executable *executable;
  const struct og_kernel *kernel;
  struct og_run_arguments arguments;
  struct og_check *check; /* or NULL */
};

static int interrupted; /* atomic */

static bool is_interrupted(void) {
  return __atomic_load_n(&interrupted, __ATOMIC_ACQUIRE);
}

/* A second interrupt ends the process at once, for someone who will not wait. The same one may come twice, though: to
 * the process and to its group. */
static void interrupt(int signal) {
  enum { PATIENCE = 500000000 /* nanoseconds */ };
  static uint64_t first;
  uint64_t now = og_clock();
  if (!is_interrupted())
    first = now;
  else if (now - first > PATIENCE)
    _exit(128 + signal);
  __atomic_store_n(&interrupted, 1, __ATOMIC_RELEASE);
}

/* ---- loading ----------------------------------------------------------------------------------------------------- */

/* Whether a symbol is meant by the C++ name, with its parameters or without. */
static bool is_called(struct og_arena *arena, const char *symbol, const char *name) {
  const char *whole = og_demangle(arena, symbol), *words = strncmp(whole, "void ", 5) == 0 ? whole + 5 : whole;
  size_t size = strlen(name);
  return strcmp(whole, name) == 0 ||
         (strncmp(words, name, size) == 0 && (words[size] == '(' || words[size] == '<' || words[size] == 0));
}

/* The kernel of that symbol, or the only one of that C++ name, or without a name the only one. */
static const struct og_kernel *pick_kernel(struct session *session, const char *name) {
  const struct og_code_object *code = session->executable->code;
  const struct og_kernel *found = name ? og_executable_kernel(session->executable, og_text(name)) : NULL;
  uint32_t count = 0;
  for (uint32_t i = 0; !found && i < code->kernel_count; i++)
    count += !name || is_called(session->arena, code->kernels[i].name, name);
  for (uint32_t i = 0; count == 1 && i < code->kernel_count; i++)
    if (!name || is_called(session->arena, code->kernels[i].name, name))
      found = &code->kernels[i];
  return found;
}

static bool find_kernel(struct session *session, const char *name) {
  const struct og_code_object *code = session->executable->code;
  session->kernel = pick_kernel(session, name);
  if (session->kernel)
    return true;
  struct og_buffer names = {0};
  for (uint32_t i = 0; i < code->kernel_count; i++)
    og_buffer_printf(&names, "%s%s", i ? ", " : "", code->kernels[i].name);
  og_error_in(session->diagnostics, code->elf->name,
              name ? "no kernel '%s'; there %s %.*s" : "--kernel%s is expected; there %s %.*s", name ? name : " NAME",
              code->kernel_count == 1 ? "is" : "are", names.size ? (int)names.size : 4,
              names.size ? (char *)names.data : "none");
  og_buffer_free(&names);
  return false;
}

static bool check_processor(struct session *session, const char *mcpu) {
  const struct og_processor *loaded = session->executable->target.processor;
  const struct og_processor *asked = mcpu ? og_find_processor(og_text(mcpu)) : loaded;
  if (!asked)
    return og_error_in(session->diagnostics, NULL, "-mcpu=%s: no such processor (offgrid targets lists them)", mcpu);
  if (asked != loaded)
    return og_error_in(session->diagnostics, session->executable->code->elf->name, "the code is for %s, not for %s",
                       loaded->name, asked->name);
  return true;
}

static bool load(struct session *session, const struct og_run_command *command, const struct og_buffer *bytes) {
  if (command->file_count > 1)
    return og_error_in(session->diagnostics, command->files[1],
                       "one file is expected; offgrid ld links several to one");
  session->executable = og_load_any(session->runtime, command->files[0], bytes->data, bytes->size, command->processor,
                                    session->diagnostics);
  return session->executable && check_processor(session, command->processor) && find_kernel(session, command->kernel);
}

/* ---- dispatching ------------------------------------------------------------------------------------------------- */

/* The fault as an error; the exit code that says which kind. */
static int report_failure(struct session *session, const struct og_run_command *command, uint64_t deadline,
                          const struct og_dispatch_record *record) {
  bool late = !is_interrupted() && og_ended_from_outside(record) && og_clock() > deadline;
  const char *why = is_interrupted() ? "interrupted" : NULL;
  if (late)
    why = og_arena_printf(session->arena, "still running after %g seconds (--timeout)", command->timeout);
  og_report_fault(session->executable, session->kernel, record, why, session->diagnostics);
  bool asked = record->fault.kind == OG_FAULT_PACKET || record->fault.kind == OG_FAULT_RESOURCES; /* too much, or wrongly */
  return late ? OG_EXIT_TIME : asked ? OG_EXIT_INPUT : OG_EXIT_FAULT;
}

static void print_statistics(struct session *session, const struct og_run_command *command, uint32_t number,
                             const struct og_dispatch_record *record, struct og_buffer *out) {
  double seconds = (double)(record->ended - record->started) * 1e-9;
  if (command->json)
    og_print_statistics_json(session->kernel, record, seconds, number > 0, out);
  else if (command->stats)
    og_print_statistics(session->kernel, record, seconds, out);
  og_buffer_drain(out);
}

/* All repetitions; a dispatch that fails has its statistics up to there. The exit code. */
static int dispatch_all(struct session *session, const struct og_run_command *command, struct og_buffer *statistics) {
  uint32_t group_bytes;
  void *kernarg = og_kernarg_new(session->runtime, session->executable, session->kernel, session->arguments.items,
                                 command->argument_count, &command->extent, session->queue, command->lds, &group_bytes,
                                 session->diagnostics);
  if (!kernarg)
    return OG_EXIT_INPUT;
  int code = OG_EXIT_OK;
  uint64_t deadline = command->timeout > 0 ? og_clock() + (uint64_t)(command->timeout * 1e9) : UINT64_MAX;
  if (command->json)
    og_buffer_printf(statistics, "{\"processor\":\"%s\",\"threads\":%u,\"dispatches\":[",
                     session->executable->target.processor->name, OG_MAX(command->options.threads, 1u));
  for (uint32_t i = 0; i < command->repeat && code == OG_EXIT_OK; i++) {
    union og_packet packet;
    struct og_dispatch_record record;
    og_dispatch_packet_init(&packet.dispatch, session->executable, session->kernel, &command->extent, kernarg,
                            group_bytes, NULL);
    bool fine = og_runtime_run(session->runtime, session->queue, &packet, deadline, command->interrupted, &record);
    if (fine || record.ran)
      print_statistics(session, command, i, &record, statistics);
    if (!fine || (i + 1 < command->repeat && (is_interrupted() || og_clock() > deadline)))
      code = report_failure(session, command, deadline, &record);
  }
  if (command->json)
    og_buffer_text(statistics, "]}\n");
  return code;
}

/* The dispatches with each instruction written down. */
static int dispatch_traced(struct session *session, const struct og_run_command *command,
                           struct og_buffer *statistics) {
  struct og_trace *trace = og_trace_new(session->executable, session->arguments.trace);
  struct og_run_options options = command->options;
  options.observer = og_trace_observer(trace);
  og_runtime_set_options(session->runtime, &options);
  int code = dispatch_all(session, command, statistics);
  og_trace_free(trace);
  return code;
}

static bool allow(struct og_check *check, const char *path, struct og_diagnostics *diagnostics) {
  struct og_buffer bytes = {0};
  bool fine = og_read_file(path, &bytes, diagnostics) &&
              og_check_allow(check, path, (struct og_text){(const char *)bytes.data, bytes.size}, diagnostics);
  og_buffer_free(&bytes);
  return fine;
}

/* The dispatches with checkers watching. */
static int dispatch_checked(struct session *session, const struct og_run_command *command,
                            struct og_buffer *statistics) {
  struct og_buffer json = {0};
  int code = dispatch_all(session, command, statistics);
  size_t findings = og_check_tell(session->check, session->diagnostics, command->findings_json ? &json : NULL);
  og_print(&json, stdout);
  og_buffer_free(&json);
  return code == OG_EXIT_OK && findings ? OG_EXIT_INPUT : code;
}

/* Before the sandbox closes files. */
static bool start_checking(struct session *session, const struct og_run_command *command) {
  struct og_run_options options = command->options;
  struct og_text wrong = {0};
  unsigned checkers = command->only ? og_check_names(command->only, &wrong) : OG_CHECK_ALL;
  if (!command->check)
    return true;
  if (!checkers)
    return og_error_in(session->diagnostics, NULL, "--only: '%.*s' is no checker of AMD kernels; there are waits and divergence",
                       OG_TEXT_ARGS(wrong));
  if (command->trace)
    return og_error_in(session->diagnostics, NULL, "--trace is of offgrid run");
  session->check = og_check_new(session->executable, session->kernel, checkers, options.threads);
  options.count = command->stats;
  og_check_watch(session->check, &options);
  og_runtime_set_options(session->runtime, &options);
  return !command->allow || allow(session->check, command->allow, session->diagnostics);
}

static void *allocate(void *context, size_t size) {
  struct session *session = context;
  return og_memory_new(session->runtime, size, 64, OG_MEMORY_READ | OG_MEMORY_WRITE);
}

/* Images and samplers, as the processor's resources say them. */
static bool special_argument(void *context, const char *text, struct og_argument *argument, bool *fine) {
  struct session *session = context;
  enum og_generation generation = session->executable->target.processor->generation;
  bool image = strncmp(text, "image:", 6) == 0, sampler = strncmp(text, "sampler:", 8) == 0;
  if (image)
    *fine = og_run_image_argument(&session->arguments, generation, text, argument);
  else if (sampler)
    *fine = og_run_sampler_argument(&session->arguments, generation, text, argument);
  return image || sampler;
}

static int run_all(struct session *session, const struct og_run_command *command, const struct og_buffer *bytes) {
  struct og_buffer statistics = {.sink = stdout};
  session->arguments.arena = session->arena;
  session->arguments.diagnostics = session->diagnostics;
  session->arguments.allocate = allocate;
  session->arguments.special = special_argument;
  session->arguments.context = session;
  int code = OG_EXIT_INPUT;
  if (load(session, command, bytes) && og_run_arguments_make(&session->arguments, command) &&
      start_checking(session, command) && og_run_confine(&session->arguments, command))
    code = (command->check   ? dispatch_checked
            : command->trace ? dispatch_traced
                             : dispatch_all)(session, command, &statistics);
  if (!og_run_arguments_end(&session->arguments, command, code == OG_EXIT_OK) && code == OG_EXIT_OK)
    code = OG_EXIT_INPUT;
  og_print(&statistics, stdout);
  og_buffer_free(&statistics);
  return code;
}

static int run_amdgpu(const struct og_run_command *command, const struct og_buffer *bytes,
                       struct og_diagnostics *diagnostics) {
  struct session *session = og_checked_realloc(NULL, sizeof *session);
  *session = (struct session){.arena = og_arena_new()};
  session->diagnostics = diagnostics;
  session->runtime = og_runtime_new();
  struct og_run_options options = command->options;
  options.count = command->stats;
  if (session->runtime)
    og_runtime_set_options(session->runtime, &options);
  session->queue = session->runtime ? og_runtime_queue(session->runtime, 64) : NULL;
  int code = OG_EXIT_INPUT;
  if (session->queue)
    code = run_all(session, command, bytes);
  else
    og_error_in(diagnostics, NULL, "cannot make a queue: the host has no memory or threads left");
  if (session->runtime)
    og_runtime_queue_free(session->runtime, session->queue);
  og_check_free(session->check);
  og_runtime_free(session->runtime);
  og_arena_free(session->arena);
  free(session);
  return code;
}

static int run_command(struct og_run_command *command) {
  struct sigaction action = {.sa_handler = interrupt};
  sigaction(SIGINT, &action, NULL);
  command->interrupted = &interrupted;
  struct og_diagnostics *diagnostics = og_diagnostics_new();
  struct og_buffer bytes = {0};
  int code = OG_EXIT_INPUT;
  if (og_read_file(command->files[0], &bytes, diagnostics))
    code = (og_run_is_visa(&bytes) ? og_run_visa : run_amdgpu)(command, &bytes, diagnostics);
  og_buffer_free(&bytes);
  code = og_finish(diagnostics) == OG_EXIT_OK ? OG_EXIT_OK : code;
  return is_interrupted() ? 128 + SIGINT : code;
}

static int run(int argc, char **argv) {
  struct og_run_command command;
  int code = og_run_command_parse(argc, argv, &command);
  return code == OG_EXIT_OK ? run_command(&command) : code;
}

static int check(int argc, char **argv) {
  struct og_run_command command;
  int code = og_run_command_parse(argc, argv, &command);
  command.check = true;
  return code == OG_EXIT_OK ? run_command(&command) : code;
}

const struct og_verb og_verb_run = {"run", "runs a kernel and writes its buffers back", run_usage, run};
const struct og_verb og_verb_check = {"check", "runs a kernel with every check on", check_usage, check};
