/* source.c - a file of any kind to a loaded code object: what is not linked or not assembled yet is, in memory. */
#include "runtime/source.h"

#include <string.h>

#include "asm/asm.h"

struct input {
  struct og_arena *arena;
  const char *name, *mcpu;
  bool lines;
  struct og_diagnostics *diagnostics;
};

/* -mcpu, else what the source says. */
static bool choose_target(const struct input *input, const char *text, size_t size, struct og_target *target) {
  struct og_text id = input->mcpu ? (struct og_text){0} : og_asm_target_in(text, size);
  if (id.size)
    return og_target_parse_id(target, id, input->diagnostics);
  if (!input->mcpu)
    return og_error_in(input->diagnostics, input->name,
                       "the source names no processor: expected -mcpu or .amdgcn_target");
  return og_target_parse(target, NULL, input->mcpu, NULL, input->diagnostics);
}

static bool assemble(const struct input *input, const void *bytes, size_t size, struct og_buffer *object) {
  struct og_asm_options options = {.code_object_version = 6, .version_open = true, .debug = input->lines};
  if (!choose_target(input, bytes, size, &options.target))
    return false;
  /* With a NUL behind it. */
  const char *text = og_arena_copy_input(input->arena, input->name, bytes, size, input->diagnostics);
  const struct og_object *assembled =
      text ? og_assemble(input->arena, &options, input->name, text, size, input->diagnostics) : NULL;
  return assembled && og_object_write(assembled, object, input->diagnostics);
}

static struct og_executable *link_and_load(struct og_runtime *runtime, const struct input *input, const void *bytes,
                                           size_t size) {
  struct og_link_input part = {.name = input->name, .bytes = bytes, .size = size};
  struct og_link_options options = {0};
  struct og_buffer linked = {0};
  struct og_executable *executable = NULL;
  if (og_link(input->arena, &part, 1, &options, &linked, input->diagnostics))
    executable = og_load(runtime, input->name, linked.data, linked.size, input->diagnostics);
  og_buffer_free(&linked);
  return executable;
}

static struct og_executable *load_source(struct og_runtime *runtime, const struct input *input, const void *bytes,
                                         size_t size) {
  struct og_buffer object = {0};
  struct og_executable *executable = NULL;
  if (assemble(input, bytes, size, &object))
    executable = link_and_load(runtime, input, object.data, object.size);
  og_buffer_free(&object);
  return executable;
}

static bool is_relocatable(const uint8_t *bytes, size_t size) {
  return size > 18 && og_load16(bytes + 16) == ET_REL;
}

static bool ends_with(const char *name, const char *end) {
  size_t size = strlen(name), tail = strlen(end);
  return size >= tail && strcmp(name + size - tail, end) == 0;
}

struct og_executable *og_load_any(struct og_runtime *runtime, const char *name, const void *bytes, size_t size,
                                  const char *mcpu, bool lines, struct og_diagnostics *diagnostics) {
  struct input input = {.arena = og_arena_new(), .name = name, .mcpu = mcpu, .lines = lines, .diagnostics = diagnostics};
  struct og_executable *executable = NULL;
  if (og_is_elf(bytes, size) && is_relocatable(bytes, size))
    executable = link_and_load(runtime, &input, bytes, size);
  else if (og_is_elf(bytes, size))
    executable = og_load(runtime, name, bytes, size, diagnostics);
  else if (ends_with(name, ".s") || ends_with(name, ".S") || (size && !memchr(bytes, 0, size)))
    executable = load_source(runtime, &input, bytes, size);
  else
    og_error_in(diagnostics, name, "expected a code object (ELF) or AMDGPU assembly");
  og_arena_free(input.arena);
  return executable;
}
