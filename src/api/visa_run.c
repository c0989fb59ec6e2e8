/* visa_run.c - og_visa_launch_kernel: runs a vISA kernel on the caller's memory. */
#include "api/fill.h"
#include "visa/run.h"

#include <math.h>
#include <string.h>

_Static_assert((int)OG_VISA_VALUE_BYTES == OG_VISA_ARGUMENT_VALUE &&
                   (int)OG_VISA_VALUE_BUFFER == OG_VISA_ARGUMENT_BUFFER &&
                   (int)OG_VISA_VALUE_LOCAL == OG_VISA_ARGUMENT_SLM,
               "kinds are numbered alike");

static struct og_visa *read_visa(struct og_arena *arena, const void *visa, size_t size, int platform,
                                 og_diagnostics *diagnostics) {
  const char *bytes = og_arena_copy_input(arena, "<memory>", visa, size, diagnostics);
  struct og_source *source = OG_NEW(arena, struct og_source);
  *source = (struct og_source){.name = "<memory>", .text = bytes, .size = size};
  struct og_visa *read = !bytes ? NULL
                         : og_visa_is_binary(bytes, size)
                             ? og_visa_read_binary(arena, bytes, size, source->name, diagnostics)
                             : og_visa_read_text(arena, source, platform, diagnostics);
  return read && og_visa_verify(read, platform, source->name, diagnostics) ? read : NULL;
}

static const struct og_visa_kernel *find_kernel(const struct og_visa *visa, const char *name,
                                                og_diagnostics *diagnostics) {
  for (uint32_t i = 0; i < visa->kernels.count; i++)
    if (!visa->kernels.items[i]->function && (!name || strcmp(visa->kernels.items[i]->name, name) == 0))
      return visa->kernels.items[i];
  og_error_in(diagnostics, NULL, name ? "no kernel '%s'" : "no kernel%s", name ? name : "");
  return NULL;
}

/* Makes the dispatch of a launch; false with a diagnostic. */
static bool make_dispatch(struct og_arena *arena, const og_visa_launch *launch, struct og_visa_dispatch *dispatch,
                          og_diagnostics *diagnostics) {
  struct og_visa_argument *arguments = OG_NEW_ARRAY(arena, struct og_visa_argument, launch->value_count);
  for (size_t i = 0; i < launch->value_count; i++) {
    const og_visa_value *value = &launch->values[i];
    arguments[i] = (struct og_visa_argument){.kind = (uint8_t)value->kind, .size = value->size};
    if (value->kind == OG_VISA_VALUE_BYTES)
      arguments[i].value = value->data;
    else if (value->kind == OG_VISA_VALUE_BUFFER)
      arguments[i].buffer = value->data;
    else if (value->kind != OG_VISA_VALUE_LOCAL)
      return og_error_in(diagnostics, NULL, "value %zu is of no known kind", i);
  }
  *dispatch = (struct og_visa_dispatch){
      .dimensions = 3,
      .arguments = arguments,
      .argument_count = (uint32_t)launch->value_count,
      .threads = launch->threads,
      .deadline = launch->timeout > 0 ? og_clock() + (uint64_t)fmin(launch->timeout * 1e9, 9e18) : 0,
      .interrupted = launch->stop,
      .check = launch->check};
  uint64_t items = 1;
  for (int i = 0; i < 3; i++) {
    dispatch->grid[i] = launch->grid[i] ? launch->grid[i] : 1;
    dispatch->group[i] = launch->group[i] ? launch->group[i] : 1;
    dispatch->offset[i] = launch->offset[i];
    items *= dispatch->group[i];
  }
  if (launch->grid[0] == 0)
    return og_error_in(diagnostics, NULL, "the grid has 0 work-items in its first dimension");
  return items <= 1024 || og_error_in(diagnostics, NULL, "a work-group has at most 1024 items");
}

static struct og_zebin *open_zebin(struct og_arena *arena, const og_visa_launch *launch, og_diagnostics *diagnostics) {
  struct og_zebin *zebin = OG_NEW(arena, struct og_zebin);
  const char *copy = og_arena_copy_input(arena, "<zebin>", launch->zebin, launch->zebin_size, diagnostics);
  return copy && og_zebin_open(arena, "<zebin>", copy, launch->zebin_size, zebin, diagnostics) ? zebin : NULL;
}

static bool run(struct og_arena *arena, const struct og_visa *visa, int platform, const og_visa_launch *launch,
                struct og_buffer *printed, og_diagnostics *diagnostics) {
  const struct og_visa_kernel *kernel = find_kernel(visa, launch->kernel, diagnostics);
  struct og_visa_dispatch dispatch;
  struct og_visa_statistics statistics = {0};
  struct og_visa_unit unit = {visa, "<memory>"};
  struct og_zebin *zebin = kernel && launch->zebin ? open_zebin(arena, launch, diagnostics) : NULL;
  if (!kernel || (launch->zebin && !zebin) || !make_dispatch(arena, launch, &dispatch, diagnostics))
    return false;
  dispatch.printed = printed;
  struct og_vx_program *program = og_visa_prepare(arena, &unit, 1, kernel, platform, zebin, diagnostics);
  return program && og_visa_run(arena, program, &dispatch, &statistics, diagnostics);
}

bool og_visa_launch_kernel(const void *visa, size_t size, const og_visa_launch *launch, og_bytes *printed,
                           og_diagnostics *diagnostics) {
  int platform = og_visa_find_platform(og_text(launch->platform));
  struct og_buffer out = {0};
  if (printed)
    *printed = (og_bytes){0};
  if (platform < 0)
    return og_error_in(diagnostics, NULL, "'%s' is no vISA platform: skl, tgllp, dg2 and pvc are", launch->platform);
  struct og_arena *arena = og_arena_new();
  const struct og_visa *read = read_visa(arena, visa, size, platform, diagnostics);
  bool fine = read && run(arena, read, platform, launch, &out, diagnostics);
  og_arena_free(arena);
  if (printed)
    og_hand_out(true, &out, printed);
  else
    og_buffer_free(&out);
  return fine;
}
