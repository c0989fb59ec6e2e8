/* xegpu_run.c - og_xegpu_run: runs a module's function, or one of its kernels on the caller's memory. */
#include "api/fill.h"
#include "api/xegpu.h"
#include "xegpu/run.h"

/* Makes the launch of a kernel; false with a diagnostic. */
static bool make_launch(struct og_arena *arena, const og_xegpu_launch *from, struct og_mlir_launch *to,
                        og_diagnostics *diagnostics) {
  struct og_mlir_argument *arguments = OG_NEW_ARRAY(arena, struct og_mlir_argument, from->value_count + 1);
  *to = (struct og_mlir_launch){
      .kernel = from->function, .arguments = arguments, .argument_count = (uint32_t)from->value_count};
  for (size_t i = 0; i < from->value_count; i++) {
    const og_visa_value *value = &from->values[i];
    arguments[i] = (struct og_mlir_argument){value->data, value->size, value->kind == OG_VISA_VALUE_BUFFER};
    if (value->kind != OG_VISA_VALUE_BUFFER && value->kind != OG_VISA_VALUE_BYTES)
      return og_error_in(diagnostics, NULL,
                         "value %zu is neither bytes nor a buffer: an MLIR kernel allocates its shared memory itself",
                         i);
  }
  for (int i = 0; i < 3; i++) {
    uint32_t grid = OG_MAX(from->grid[i], 1u), group = OG_MAX(from->group[i], 1u);
    to->threads[i] = group;
    to->groups[i] = grid / group;
    if (grid % group)
      return og_error_in(diagnostics, NULL,
                         "the grid of an MLIR kernel is whole work-groups, not %u threads in groups of %u", grid,
                         group);
  }
  return true;
}

bool og_xegpu_run(const og_xegpu *module, const og_xegpu_launch *launch, og_bytes *printed,
                  og_diagnostics *diagnostics) {
  struct og_buffer out = {0};
  struct og_mlir_run run = {.entry = launch->function,
                            .timeout = launch->timeout,
                            .memory_most = launch->memory_most,
                            .interrupted = launch->stop,
                            .check = launch->check,
                            .out = &out};
  struct og_mlir_launch kernel;
  struct og_arena *arena = og_arena_new();
  if (printed)
    *printed = (og_bytes){0};
  bool fine = !launch->grid[0] ? og_mlir_execute(module->read, &run, diagnostics)
                               : make_launch(arena, launch, &kernel, diagnostics) &&
                                     og_mlir_execute_kernel(module->read, &run, &kernel, diagnostics);
  og_arena_free(arena);
  if (printed)
    og_hand_out(true, &out, printed);
  else
    og_buffer_free(&out);
  return fine;
}
