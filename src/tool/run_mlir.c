/* run_mlir.c - `offgrid run` and `check` of MLIR modules: host functions and the XeGPU kernels they launch. */
#include "tool/run_command.h"
#include "tool/tool.h"
#include "xegpu/run.h"

#include <string.h>

bool og_run_is_mlir(const char *path) {
  size_t size = strlen(path);
  return size > 5 && strcmp(path + size - 5, ".mlir") == 0;
}

int og_run_mlir(const struct og_run_command *command, const struct og_buffer *bytes,
                struct og_diagnostics *diagnostics) {
  struct og_arena *arena = og_arena_new();
  struct og_buffer out = {.sink = stdout};
  struct og_mlir_run run = {
      .entry = command->kernel, .timeout = command->timeout, .interrupted = command->interrupted, .out = &out};
  const char *name = og_text_is(og_text(command->files[0]), "-") ? "<stdin>" : command->files[0];
  struct og_mlir_module *module = og_mlir_read(arena, name, bytes->data, bytes->size, OG_MLIR_SPELLINGS, diagnostics);
  int code = OG_EXIT_INPUT;
  if (module && og_mlir_verify(module, diagnostics)) {
    size_t errors = og_diagnostics_errors(diagnostics);
    code = og_mlir_execute(module, &run, diagnostics)                      ? OG_EXIT_OK
           : run.late                                                      ? OG_EXIT_TIME
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
