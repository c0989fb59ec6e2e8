/* run_session.c - prepares a kernel to run as the command line says. */
#include "tool/run_session.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/services.h"
#include "runtime/source.h"

/* ---- loading ----------------------------------------------------------------------------------------------------- */

static bool check_processor(struct og_session *session, const char *mcpu) {
  const struct og_processor *loaded = session->executable->target.processor;
  const struct og_processor *asked = mcpu ? og_find_processor(og_text(mcpu)) : loaded;
  if (!asked)
    return og_error_in(session->diagnostics, NULL, "-mcpu=%s: no such processor (offgrid targets lists them)", mcpu);
  if (asked != loaded)
    return og_error_in(session->diagnostics, session->executable->code->elf->name, "the code is for %s, not for %s",
                       loaded->name, asked->name);
  return true;
}

static bool load(struct og_session *session, const struct og_run_command *command, const struct og_buffer *bytes,
                 bool lines) {
  if (command->file_count > 1)
    return og_error_in(session->diagnostics, command->files[1],
                       "one file is expected; offgrid ld links several to one");
  session->executable = og_load_any(session->runtime, command->files[0], bytes->data, bytes->size, command->processor,
                                    command->kernel, lines, session->diagnostics);
  bool chosen = og_carries_code(bytes->data, bytes->size); /* already, by processor or by the end of an id */
  if (!session->executable || (!chosen && !check_processor(session, command->processor)))
    return false;
  session->kernel = og_pick_kernel(session->executable->code, command->kernel, session->diagnostics);
  return session->kernel;
}

/* ---- arguments --------------------------------------------------------------------------------------------------- */

static void *allocate(void *context, size_t size) {
  struct og_session *session = context;
  return og_memory_new(session->runtime, size, 64, OG_MEMORY_READ | OG_MEMORY_WRITE);
}

/* Makes images and samplers as the processor's resources. */
static bool special_argument(void *context, const char *text, struct og_argument *argument, bool *fine) {
  struct og_session *session = context;
  enum og_generation generation = session->executable->target.processor->generation;
  bool image = strncmp(text, "image:", 6) == 0, sampler = strncmp(text, "sampler:", 8) == 0;
  if (image)
    *fine = og_run_image_argument(&session->arguments, generation, text, argument);
  else if (sampler)
    *fine = og_run_sampler_argument(&session->arguments, generation, text, argument);
  return image || sampler;
}

/* Prints what kernels print. */
static void print(void *context, bool to_stderr, const char *text, size_t size) {
  const struct og_session *session = context;
  FILE *stream = to_stderr ? stderr : session->prints;
  fwrite(text, 1, size, stream);
  fflush(stream);
}

/* ---- trap handlers ----------------------------------------------------------------------------------------------- */

/* Loads a file of the same kind as the kernel's: a code object, linked or not, or a source. */
static bool load_handler(struct og_session *session, const char *path) {
  struct og_buffer bytes = {0};
  const char *processor = session->executable->target.processor->name;
  if (og_read_file(path, &bytes, session->diagnostics))
    session->handler =
        og_load_any(session->runtime, path, bytes.data, bytes.size, processor, NULL, false, session->diagnostics);
  og_buffer_free(&bytes);
  return session->handler;
}

static bool set_trap_handler(struct og_session *session, const struct og_run_command *command) {
  struct og_argument memory = {0};
  uint64_t entry, size;
  if (!command->trap_handler)
    return true;
  const char *colon = strrchr(command->trap_handler, ':'), *symbol = colon ? colon + 1 : "trap_handler";
  const char *path = colon
                         ? og_arena_copy(session->arena, command->trap_handler, (size_t)(colon - command->trap_handler))
                         : command->trap_handler;
  if (!load_handler(session, path))
    return false;
  if (!og_executable_symbol(session->handler, og_text(symbol), &entry, &size))
    return og_error_in(session->diagnostics, path, "no symbol '%s' for the trap handler", symbol);
  if (command->trap_memory && !og_run_argument_make(&session->arguments, command->trap_memory, &memory))
    return false;
  if (command->trap_memory && memory.kind != OG_ARGUMENT_BUFFER)
    return og_error_in(session->diagnostics, NULL, "--tma %s: expected a buffer", command->trap_memory);
  og_runtime_set_trap_handler(session->runtime, session->handler, entry, (uintptr_t)memory.buffer);
  return true;
}

/* ---- opening and closing ----------------------------------------------------------------------------------------- */

bool og_session_open(struct og_session *session, const struct og_run_command *command, const struct og_buffer *bytes,
                     uint32_t packets, bool lines, FILE *prints, struct og_diagnostics *diagnostics) {
  *session = (struct og_session){
      .arena = og_arena_new(), .diagnostics = diagnostics, .runtime = og_runtime_new(), .prints = prints};
  struct og_run_options options = command->options;
  options.count = command->stats;
  if (session->runtime)
    og_runtime_set_options(session->runtime, &options);
  if (session->runtime && command->check)
    og_memory_guard(session->runtime);
  session->services = session->runtime ? og_services_new(session->runtime, print, session) : NULL;
  if (session->services) {
    og_runtime_set_services(session->runtime, session->services);
    session->queue = og_runtime_queue(session->runtime, packets);
  }
  if (!session->queue)
    return og_error_in(diagnostics, NULL, "cannot make a queue: the host has no memory or threads left");
  session->arguments.arena = session->arena;
  session->arguments.diagnostics = diagnostics;
  session->arguments.allocate = allocate;
  session->arguments.special = special_argument;
  session->arguments.context = session;
  return load(session, command, bytes, lines) && og_run_arguments_make(&session->arguments, command) &&
         set_trap_handler(session, command);
}

void og_session_close(struct og_session *session) {
  if (session->runtime)
    og_runtime_queue_free(session->runtime, session->queue);
  og_services_free(session->services);
  og_runtime_free(session->runtime);
  og_arena_free(session->arena);
}
