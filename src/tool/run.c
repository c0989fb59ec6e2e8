/* run.c - `offgrid run` and `check`: loads a code object, dispatches one of its kernels through an AQL queue, prints
 * statistics. vISA kernels go to run_visa.c. */
#include "check/check.h"
#include "debug/profile.h"
#include "runtime/report.h"
#include "runtime/runtime.h"
#include "runtime/services.h"
#include "runtime/trace.h"
#include "tool/progress.h"
#include "tool/run_check.h"
#include "tool/run_command.h"
#include "tool/run_session.h"
#include "tool/run_weak.h"
#include "tool/tool.h"

#include <errno.h>
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
  "                        fine:BUFFER        one of these in fine-grained memory, for --memory-agents\n"              \
  "                        lds:BYTES          a pointer to dynamic LDS\n"                                              \
  "                        image:FORMAT:SIZE:BUFFER  an image, as in image:rgba8:16x16:out:FILE;\n"                    \
  "                                           SIZE is W, WxH, WxHxD, or WaN, WxHaN for an array of N\n"                \
  "                        sampler:WORDS      as in sampler:linear,repeat,normalized,less\n"                           \
  "  --cluster X[,Y[,Z]] work-groups of a cluster, on gfx1250 and gfx1251; without, as the kernel's metadata say\n"    \
  "  --trap-handler FILE[:SYMBOL]  what s_trap and enabled exceptions lead to: code of the file's, at the function\n"  \
  "                      trap_handler or another\n"                                                                    \
  "  --tma BUFFER        the buffer whose address the handler finds in TMA, as of --arg\n"                             \
  "  --lds BYTES         more dynamic LDS, after the kernel's own\n"                                                   \
  "  -mcpu=P             the processor; must be the code object's own where it names one. Of a bundle or host file,\n" \
  "                        which code object: by processor, or by the end of its id (gfx906:xnack+)\n"                 \
  "  --platform P        of a vISA kernel: skl, tgllp, dg2 or pvc\n"                                                   \
  "  --zeinfo FILE       a zebin or its .ze_info: where a vISA kernel's arguments go\n"                                \
  "  --threads N         host threads (1)\n"                                                                           \
  "  --repeat N          dispatches N times; buffers are not reset between them\n"                                     \
  "  --schedule=S        'round-robin' (default), 'random' or 'random:SEED'\n"                                         \
  "  --timeout SECONDS   ends with an error when the dispatches take longer\n"                                         \
  "  --stats[=json]      prints counts for each dispatch\n"                                                            \
  "  --no-compile        interprets everything (OFFGRID_COMPILE=0); without it, what is run often becomes host code\n" \
  "  --compile           compiles it, whatever OFFGRID_COMPILE says\n"                                                 \
  "  --compile-stats     prints how much became host code, and in which time\n"                                        \
  "  --sandbox           fails where the system has no sandbox; without it, runs without one there\n"                  \
  "  --no-sandbox        keeps the right to open files, which only a kernel that broke out would use\n"                \
  "  --trace=OUT         writes a line for each instruction run: work-group, wave, EXEC, place, text\n"

#define MEMORY_AGENTS                                                                                                  \
  "  --memory-agents=N   on N agents (1 to 4), of which each has its L2: work-groups are on them in turn. Buffers are\n"  \
  "                      coarse-grained, but for those of --arg fine:BUFFER\n"

static const char run_usage[] =
    "usage: offgrid run FILE... [--kernel NAME] --grid X[,Y[,Z]] --group X[,Y[,Z]] [options]\n"
    "\n"
    "Loads a code object and dispatches a kernel through an AQL queue, or runs a vISA kernel, whose functions may "
    "stand\n"
    "in more files. The file is a code object, linked or not, AMDGPU assembly, an offload bundle, or a host executable,\n"
    "object or library that carries device code, of which -mcpu chooses. The grid is in work-items and need not be a\n"
    "multiple of the group. The kernel may be named as in C++, with its parameters or without, and not at all where it is\n"
    "the only one. What it prints (HIP's and OpenCL's printf) goes to standard output.\n"
    "On a terminal it tells how far it is; an interrupt ends it and says where the waves stand.\n"
    "Of an MLIR module (.mlir) the host function @main is run, or that which --kernel names; it launches the kernels, so\n"
    "--grid, --group and --arg are not needed (docs/xegpu.md).\n"
    "Exit code: 0 fine, 1 an error in the input, 2 wrong usage, 3 the kernel faulted, 4 --timeout ended it.\n"
    "\n" OPTIONS
    "  --memory=weak[:SEED]  on a memory whose accesses end late and whose caches are stale, as far as the processor's\n"
    "                      memory model lets them; the same seed does the same (docs/litmus.md)\n"
    "  --memory=weak:replay=FILE  with the schedule of a file that --memory-record=FILE has written\n"
    "  --memory-shrink     with the shortest schedule that still computes something else than a strong memory does, or\n"
    "                      faults; tells its choices. --threads=N tries N schedules at a time\n" MEMORY_AGENTS
    "  --trace-filter=F    traces only pc=PLACE..PLACE (NAME+OFFSET), symbol=NAME, group=N..M, wave=N..M; commas between\n"
    "  --trace-registers   below each line the registers that the instruction changed, vector ones by lanes\n"
    "  --annotate          prints source and code with executions, lanes, bytes and bank conflicts of each line\n"
    "  --report=FILE.html  the same as a page, with live registers, control flow and when waves ran (also --annotate=FILE)\n";

static const char check_usage[] =
    "usage: offgrid check FILE... [--kernel NAME] --grid X[,Y[,Z]] --group X[,Y[,Z]] [options]\n"
    "\n"
    "Runs a kernel as `offgrid run` does and tells its mistakes. Of AMD kernels: registers touched while a memory\n"
    "operation still fills or reads them (waits), barriers that not all lanes come to (divergence), memory beyond what\n"
    "there is (bounds), what depends on values that nothing defined (uninit), accesses that nothing orders (races),\n"
    "wait states that are missing (hazards), LDS that a transfer still owns (async). Of vISA kernels:\n"
    "what the specification leaves undefined, registers that nothing wrote, races between threads and barriers in\n"
    "divergent code. Exit code 1 where something is found: docs/checkers.md.\n"
    "\n"
    "  --only=NAMES        these checkers only, as in --only=waits,races ('numbers' is not among them otherwise;\n"
    "                      of vISA kernels there are uninit, races, divergence and bounds)\n"
    "  --lds-object=NAME:OFFSET:SIZE\n"
    "                      for bounds: the bytes of LDS that an object has; accesses outside all objects are findings\n"
    "                      (not needed for what offgrid cc has compiled with debug information, see its -lds-gap)\n"
    "  --allow=FILE        findings to leave out, a line 'CHECKER PLACE' each, as in 'waits k+0x40'; * matches all\n"
    "  --json              prints the findings as a JSON object, too\n"
    "  --memory=weak[:SEED]  on a weak memory, as of offgrid run; --memory-record and weak:replay=FILE, too\n"
    "  --memory-shrink[=FINDING]  with the shortest schedule that still shows a finding: the first that a strong memory does\n"
    "                      not show, or one of a checker, 'CHECKER' or 'CHECKER PLACE' as of --allow\n" MEMORY_AGENTS
        OPTIONS;

static int interrupted; /* atomic */

static bool is_interrupted(void) {
  return __atomic_load_n(&interrupted, __ATOMIC_ACQUIRE);
}

/* A second interrupt ends the process at once, for users who will not wait. But one interrupt may come twice: to the
 * process and to its group. */
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

/* ---- dispatching ------------------------------------------------------------------------------------------------- */

/* Reports the fault as an error. Returns the exit code, which says of which kind it is. */
static int report_failure(struct og_session *session, const struct og_run_command *command, uint64_t deadline,
                          const struct og_dispatch_record *record) {
  bool late = !is_interrupted() && og_ended_from_outside(record) && og_clock() > deadline;
  const char *why = is_interrupted() ? "interrupted" : NULL;
  if (late)
    why = og_arena_printf(session->arena, "still running after %g seconds (--timeout)", command->timeout);
  og_report_fault(session->executable, session->kernel, record, why, session->diagnostics);
  og_report_standing(session->executable, record, session->diagnostics);
  /* the kernel asked for too much, or wrongly */
  bool asked = record->fault.kind == OG_FAULT_PACKET || record->fault.kind == OG_FAULT_RESOURCES;
  return late ? OG_EXIT_TIME : asked ? OG_EXIT_INPUT : OG_EXIT_FAULT;
}

static void print_statistics(struct og_session *session, const struct og_run_command *command, uint32_t number,
                             const struct og_dispatch_record *record, struct og_buffer *out) {
  double seconds = (double)(record->ended - record->started) * 1e-9;
  if (command->json)
    og_print_statistics_json(session->executable, session->kernel, record, seconds, number > 0, out);
  else if (command->stats)
    og_print_statistics(session->executable, session->kernel, record, seconds, out);
  og_buffer_drain(out);
}

/* Runs all repetitions. A dispatch that fails has statistics up to that point. Returns the exit code. */
static int dispatch_all(struct og_session *session, const struct og_run_command *command,
                        struct og_buffer *statistics) {
  uint32_t group_bytes;
  void *kernarg = og_kernarg_new(session->runtime, session->executable, session->kernel, session->arguments.items,
                                 command->argument_count, &command->extent, session->queue, command->lds, &group_bytes,
                                 session->diagnostics);
  if (!kernarg)
    return OG_EXIT_INPUT;
  if (session->check)
    og_check_lds_objects(session->check, session->arguments.items, command->argument_count, kernarg, group_bytes,
                         command->lds);
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
    og_services_flush(session->services, session->executable);
    if (fine || record.ran)
      print_statistics(session, command, i, &record, statistics);
    if (!fine || (i + 1 < command->repeat && (is_interrupted() || og_clock() > deadline)))
      code = session->check && !fine && og_check_fault(session->check, &record.fault)
                 ? OG_EXIT_INPUT
                 : report_failure(session, command, deadline, &record);
  }
  if (command->json)
    og_buffer_text(statistics, "]}\n");
  return code;
}

/* Runs the dispatches and writes each instruction. */
static int dispatch_traced(struct og_session *session, const struct og_run_command *command,
                           struct og_buffer *statistics) {
  struct og_trace_filter filter = og_trace_everything();
  filter.registers = command->trace_registers;
  if (command->trace_filter &&
      !og_trace_filter_read(session->executable, command->trace_filter, &filter, session->diagnostics))
    return OG_EXIT_INPUT;
  struct og_trace *trace = og_trace_new(session->executable, &filter, session->arguments.trace);
  struct og_run_options options = command->options;
  options.observer = og_trace_observer(trace);
  og_runtime_set_options(session->runtime, &options);
  int code = dispatch_all(session, command, statistics);
  og_trace_free(trace);
  return code;
}

/* Runs the dispatches with checkers watching. */
static int dispatch_checked(struct og_session *session, const struct og_run_command *command,
                            struct og_buffer *statistics) {
  struct og_buffer json = {0};
  int code = dispatch_all(session, command, statistics);
  size_t findings = og_check_tell(session->check, session->diagnostics, command->findings_json ? &json : NULL);
  if (command->findings_json && session->schedule)
    og_run_check_add_schedule(session->schedule, &json);
  og_print(&json, stdout);
  og_buffer_free(&json);
  return code == OG_EXIT_OK && findings ? OG_EXIT_INPUT : code;
}

/* Runs the dispatches and counts all that each instruction does, also if they end with a fault. */
static int dispatch_annotated(struct og_session *session, const struct og_run_command *command,
                              struct og_buffer *statistics) {
  int code = dispatch_all(session, command, statistics);
  struct og_buffer page = {.sink = session->arguments.page};
  if (session->arguments.page) {
    og_profile_print_html(session->profile, &page);
    fwrite(page.data, 1, page.size, session->arguments.page);
  } else {
    og_profile_print(session->profile, statistics);
  }
  og_buffer_free(&page);
  return code;
}

static void set_options(struct og_session *session, const struct og_run_command *command) {
  struct og_run_options options = command->options;
  options.count = command->stats;
  og_runtime_set_options(session->runtime, &options);
}

/* To be called before the sandbox closes files. */
static void start_profile(struct og_session *session, const struct og_run_command *command) {
  struct og_run_options options = command->options;
  if (!command->annotate)
    return;
  session->profile = og_profile_new(session->executable, session->kernel, options.threads);
  og_profile_watch(session->profile, &options);
  og_runtime_set_options(session->runtime, &options);
}

static int run_all(struct og_session *session, struct og_run_command *command, struct og_run_weak *weak) {
  struct og_buffer statistics = {.sink = stdout};
  struct og_progress_line line;
  og_progress_start(&line);
  command->options.progress = &line.progress;
  set_options(session, command);
  int code = OG_EXIT_INPUT;
  start_profile(session, command);
  if (og_run_check_start(session, command) && og_run_weak_start(weak, session, command) &&
      og_run_confine(&session->arguments, command))
    code = (command->check      ? dispatch_checked
            : command->trace    ? dispatch_traced
            : command->annotate ? dispatch_annotated
                                : dispatch_all)(session, command, &statistics);
  og_progress_stop(&line);
  if (!og_run_arguments_end(&session->arguments, command, code == OG_EXIT_OK) && code == OG_EXIT_OK)
    code = OG_EXIT_INPUT;
  if (command->compile_stats)
    og_print_compiled(&statistics);
  og_print(&statistics, stdout);
  og_buffer_free(&statistics);
  return code;
}

static int run_amdgpu(struct og_run_command *command, const struct og_buffer *bytes,
                      struct og_diagnostics *diagnostics) {
  struct og_session *session = og_checked_realloc(NULL, sizeof *session);
  *session = (struct og_session){.diagnostics = diagnostics};
  struct og_run_weak weak = {0};
  int code = OG_EXIT_INPUT;
  if (og_run_weak_prepare(&weak, command, bytes, dispatch_all, diagnostics) &&
      og_session_open(session, command, bytes, 64, command->annotate != NULL, stdout, diagnostics))
    code = run_all(session, command, &weak);
  og_run_weak_end(&weak, command);
  og_check_free(session->check);
  og_profile_free(session->profile);
  og_session_close(session);
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
  if (!og_read_file(command->files[0], &bytes, diagnostics))
    code = OG_EXIT_INPUT;
  else if (command->memory && (og_run_is_mlir(command->files[0]) || og_run_is_visa(&bytes)))
    og_error_in(diagnostics, command->files[0], "--memory=weak is only for AMD kernels");
  else
    code = og_run_is_mlir(command->files[0]) ? og_run_mlir(command, &bytes, diagnostics)
           : og_run_is_visa(&bytes)          ? og_run_visa(command, &bytes, diagnostics)
                                             : run_amdgpu(command, &bytes, diagnostics);
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
  if (command.options.compile == OG_COMPILE_AS_ASKED && !getenv("OFFGRID_COMPILE"))
    command.options.compile = OG_COMPILE_NEVER; /* watched waves are interpreted */
  return code == OG_EXIT_OK ? run_command(&command) : code;
}

const struct og_verb og_verb_run = {"run", "runs a kernel and writes its buffers back", run_usage, run};
const struct og_verb og_verb_check = {"check", "runs a kernel with every check on", check_usage, check};
