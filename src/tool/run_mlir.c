/* run_mlir.c - `offgrid run` and `check` of MLIR modules: runs host functions and the XeGPU kernels that they
 * launch. */
#include "tool/run_command.h"
#include "tool/tool.h"
#include "xegpu/run.h"

#include <string.h>

bool og_run_is_mlir(const char *path) {
  size_t size = strlen(path);
  return size > 5 && strcmp(path + size - 5, ".mlir") == 0;
}

/* ---- one kernel, launched from the command line ---------------------------------------------------------------- */

struct launching {
  struct og_arena *arena;
  struct og_mlir_argument items[OG_RUN_MAX_ARGUMENTS];
  struct og_run_arguments given;
};

/* Aligned as a host allocates memory. */
static void *allocate(void *context, size_t size) {
  enum { ALIGN = 64 };
  struct launching *l = context;
  if (size > SIZE_MAX / 4)
    return NULL;
  return (void *)og_align_up((uintptr_t)og_arena_alloc(l->arena, size + ALIGN), ALIGN);
}

static bool launch_kernel(struct og_arena *arena, const struct og_mlir_module *module,
                          const struct og_run_command *command, struct og_mlir_run *run,
                          struct og_diagnostics *diagnostics) {
  struct launching *l = OG_NEW(arena, struct launching);
  l->arena = arena;
  l->given = (struct og_run_arguments){.arena = arena, .diagnostics = diagnostics, .allocate = allocate, .context = l};
  struct og_mlir_launch launch = {.kernel = command->kernel, .arguments = l->items};
  for (int d = 0; d < 3; d++) {
    launch.threads[d] = OG_MAX(command->extent.group[d], 1u);
    launch.groups[d] = command->extent.grid[d] / launch.threads[d];
    if (command->extent.grid[d] % launch.threads[d] || command->extent.offset[d])
      return og_error_in(diagnostics, command->files[0],
                         "the grid of an MLIR kernel is whole work-groups, without an offset");
  }
  if (!og_run_arguments_make(&l->given, command) || !og_run_confine(&l->given, command))
    return false;
  for (uint32_t k = 0; k < l->given.count; k++) {
    const struct og_argument *from = &l->given.items[k];
    bool buffer = from->kind == OG_ARGUMENT_BUFFER;
    l->items[k] = (struct og_mlir_argument){buffer ? from->buffer : (void *)from->value, from->size, buffer};
    if (from->kind == OG_ARGUMENT_LDS)
      return og_error_in(diagnostics, command->files[0], "--arg %s: an MLIR kernel allocates its shared memory itself",
                         from->text);
  }
  launch.argument_count = l->given.count;
  bool fine = og_mlir_execute_kernel(module, run, &launch, diagnostics);
  return og_run_arguments_end(&l->given, command, fine) && fine;
}

int og_run_mlir(const struct og_run_command *command, const struct og_buffer *bytes,
                struct og_diagnostics *diagnostics) {
  struct og_arena *arena = og_arena_new();
  struct og_buffer out = {.sink = stdout};
  struct og_mlir_run run = {.entry = command->kernel,
                            .timeout = command->timeout,
                            .interrupted = command->interrupted,
                            .check = command->check,
                            .out = &out};
  const char *name = og_text_is(og_text(command->files[0]), "-") ? "<stdin>" : command->files[0];
  struct og_mlir_module *module = og_mlir_read(arena, name, bytes->data, bytes->size, OG_MLIR_SPELLINGS, diagnostics);
  int code = OG_EXIT_INPUT;
  if (module && og_mlir_verify(module, diagnostics)) {
    size_t errors = og_diagnostics_errors(diagnostics);
    bool fine = command->extent.dimensions ? launch_kernel(arena, module, command, &run, diagnostics)
                                           : og_mlir_execute(module, &run, diagnostics);
    code = fine                                                            ? OG_EXIT_OK
           : run.late                                                      ? OG_EXIT_TIME
           : command->check                                                ? OG_EXIT_INPUT
           : run.operations || errors < og_diagnostics_errors(diagnostics) ? OG_EXIT_FAULT
                                                                           : OG_EXIT_INPUT;
    if (command->stats)
      og_buffer_printf(&out, "operations %llu, work-groups %llu, threads %llu\n", (unsigned long long)run.operations,
                       (unsigned long long)run.groups, (unsigned long long)run.threads);
  }
  og_print(&out, stdout);
  og_buffer_free(&out);
  og_arena_free(arena);
  return code;
}
