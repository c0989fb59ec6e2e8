/* run_session.c - from a command line to a kernel that can run. */
#include "tool/run_session.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/source.h"

/* ---- loading ----------------------------------------------------------------------------------------------------- */

/* Whether a symbol is meant by the C++ name, with its parameters or without. */
static bool is_called(struct og_arena *arena, const char *symbol, const char *name) {
  const char *whole = og_demangle(arena, symbol), *words = strncmp(whole, "void ", 5) == 0 ? whole + 5 : whole;
  size_t size = strlen(name);
  return strcmp(whole, name) == 0 ||
         (strncmp(words, name, size) == 0 && (words[size] == '(' || words[size] == '<' || words[size] == 0));
}

/* The kernel of that symbol, or the only one of that C++ name, or without a name the only one. */
static const struct og_kernel *pick_kernel(struct og_session *session, const char *name) {
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

static bool find_kernel(struct og_session *session, const char *name) {
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
                                    lines, session->diagnostics);
  return session->executable && check_processor(session, command->processor) && find_kernel(session, command->kernel);
}

/* ---- arguments ---------------------------------------------------------------------------------------------------- */

static void *allocate(void *context, size_t size) {
  struct og_session *session = context;
  return og_memory_new(session->runtime, size, 64, OG_MEMORY_READ | OG_MEMORY_WRITE);
}

/* Images and samplers, as the processor's resources say them. */
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

/* ---- opening and closing ----------------------------------------------------------------------------------------- */

bool og_session_open(struct og_session *session, const struct og_run_command *command, const struct og_buffer *bytes,
                     uint32_t packets, bool lines, struct og_diagnostics *diagnostics) {
  *session = (struct og_session){.arena = og_arena_new(), .diagnostics = diagnostics, .runtime = og_runtime_new()};
  struct og_run_options options = command->options;
  options.count = command->stats;
  if (session->runtime)
    og_runtime_set_options(session->runtime, &options);
  session->queue = session->runtime ? og_runtime_queue(session->runtime, packets) : NULL;
  if (!session->queue)
    return og_error_in(diagnostics, NULL, "cannot make a queue: the host has no memory or threads left");
  session->arguments.arena = session->arena;
  session->arguments.diagnostics = diagnostics;
  session->arguments.allocate = allocate;
  session->arguments.special = special_argument;
  session->arguments.context = session;
  return load(session, command, bytes, lines) && og_run_arguments_make(&session->arguments, command);
}

void og_session_close(struct og_session *session) {
  if (session->runtime)
    og_runtime_queue_free(session->runtime, session->queue);
  og_runtime_free(session->runtime);
  og_arena_free(session->arena);
}
