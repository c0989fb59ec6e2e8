/* source.c - loads a code object from a file of any kind: assembles and links in memory what is not yet, and chooses
 * one code object from files that hold several. */
#include "runtime/source.h"

#include <string.h>

#include "asm/asm.h"

struct input {
  struct og_arena *arena;
  const char *name, *mcpu;
  bool lines;
  struct og_diagnostics *diagnostics;
};

/* The target is -mcpu's, else the one that the source names. */
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
  /* The text needs a NUL behind it. */
  const char *text = og_arena_copy_input(input->arena, input->name, bytes, size, input->diagnostics);
  const struct og_object *assembled =
      text ? og_assemble(input->arena, &options, input->name, text, size, input->diagnostics) : NULL;
  return assembled && og_object_write(assembled, object, input->diagnostics);
}

/* Links the objects into one and loads it. */
static struct og_executable *link_and_load(struct og_runtime *runtime, const struct input *input,
                                           const struct og_bundle_entry *objects, size_t count) {
  struct og_link_input *parts = OG_NEW_ARRAY(input->arena, struct og_link_input, count);
  struct og_link_options options = {0};
  struct og_buffer linked = {0};
  struct og_executable *executable = NULL;
  for (size_t i = 0; i < count; i++)
    parts[i] = (struct og_link_input){.name = objects[i].id, .bytes = objects[i].data, .size = objects[i].size};
  if (og_link(input->arena, parts, count, &options, &linked, input->diagnostics))
    executable = og_load(runtime, input->name, linked.data, linked.size, input->diagnostics);
  og_buffer_free(&linked);
  return executable;
}

static struct og_executable *load_source(struct og_runtime *runtime, const struct input *input, const void *bytes,
                                         size_t size) {
  struct og_buffer object = {0};
  struct og_executable *executable = NULL;
  if (assemble(input, bytes, size, &object))
    executable = link_and_load(runtime, input, &(struct og_bundle_entry){input->name, object.data, object.size}, 1);
  og_buffer_free(&object);
  return executable;
}

static bool is_relocatable(const uint8_t *bytes, size_t size) {
  return size > 18 && og_load16(bytes + 16) == ET_REL;
}

/* ---- kernels by name --------------------------------------------------------------------------------------------- */

/* Whether a C++ name, with its parameters or without, means this symbol. */
static bool is_called(struct og_arena *arena, const char *symbol, const char *name) {
  const char *whole = og_demangle(arena, symbol), *words = strncmp(whole, "void ", 5) == 0 ? whole + 5 : whole;
  size_t size = strlen(name);
  return strcmp(whole, name) == 0 ||
         (strncmp(words, name, size) == 0 && (words[size] == '(' || words[size] == '<' || words[size] == 0));
}

/* How many of the kernels the name means; *found is the last of them. */
static uint32_t count_kernels(struct og_arena *arena, const struct og_code_object *code, const char *name,
                              const struct og_kernel **found) {
  uint32_t count = 0;
  const struct og_kernel *exact = name ? og_code_object_kernel(code, og_text(name)) : NULL;
  for (uint32_t i = 0; !exact && i < code->kernel_count; i++)
    if (!name || is_called(arena, code->kernels[i].name, name)) {
      *found = &code->kernels[i];
      count++;
    }
  if (exact)
    *found = exact;
  return exact ? 1 : count;
}

static void list_kernels(const struct og_code_object *code, struct og_buffer *names) {
  for (uint32_t i = 0; i < code->kernel_count; i++)
    og_buffer_printf(names, "%s%s", names->size ? ", " : "", code->kernels[i].name);
}

static void no_kernel(const char *file, const char *name, uint32_t kernels, const struct og_buffer *names,
                      struct og_diagnostics *diagnostics) {
  og_error_in(diagnostics, file, name ? "no kernel '%s'; there %s %.*s" : "--kernel%s is expected; there %s %.*s",
              name ? name : " NAME", kernels == 1 ? "is" : "are", names->size ? (int)names->size : 4,
              names->size ? (char *)names->data : "none");
}

const struct og_kernel *og_pick_kernel(const struct og_code_object *code, const char *name,
                                       struct og_diagnostics *diagnostics) {
  struct og_arena *arena = og_arena_new();
  const struct og_kernel *found = NULL;
  uint32_t count = count_kernels(arena, code, name, &found);
  if (count != 1) {
    struct og_buffer names = {0};
    found = NULL;
    list_kernels(code, &names);
    no_kernel(code->elf->name, name, code->kernel_count, &names, diagnostics);
    og_buffer_free(&names);
  }
  og_arena_free(arena);
  return found;
}

/* ---- bundles and host files -------------------------------------------------------------------------------------- */

/* Host programs have a linked code object for each of their sources. Of several for one target, this is the one with
 * the kernel; NULL with a diagnostic. */
static const struct og_bundle_entry *entry_with(const struct input *input, const struct og_bundle *chosen,
                                                const char *kernel) {
  const struct og_bundle_entry *found = NULL;
  struct og_buffer names = {0};
  uint32_t count = 0, kernels = 0;
  for (uint32_t i = 0; i < chosen->entries.count; i++) {
    const struct og_bundle_entry *entry = &chosen->entries.items[i];
    const struct og_kernel *unused;
    const struct og_code_object *code =
        og_code_object_open(input->arena, entry->id, entry->data, entry->size, input->diagnostics);
    if (!code)
      return NULL;
    uint32_t here = count_kernels(input->arena, code, kernel, &unused);
    found = here ? entry : found;
    count += here;
    kernels += code->kernel_count;
    list_kernels(code, &names);
  }
  if (count != 1)
    no_kernel(input->name, kernel, kernels, &names, input->diagnostics);
  og_buffer_free(&names);
  return count == 1 ? found : NULL;
}

static struct og_executable *load_carried(struct og_runtime *runtime, const struct input *input, const void *bytes,
                                          size_t size, const char *kernel) {
  struct og_bundle chosen;
  if (!og_carried_code(input->arena, input->name, bytes, size, input->mcpu, &chosen, input->diagnostics))
    return NULL;
  const struct og_bundle_entry *entry = &chosen.entries.items[0];
  if (is_relocatable(entry->data, entry->size))
    return link_and_load(runtime, input, entry, chosen.entries.count);
  if (chosen.entries.count > 1)
    entry = entry_with(input, &chosen, kernel);
  return entry ? og_load(runtime, entry->id, entry->data, entry->size, input->diagnostics) : NULL;
}

static bool ends_with(const char *name, const char *end) {
  size_t size = strlen(name), tail = strlen(end);
  return size >= tail && strcmp(name + size - tail, end) == 0;
}

struct og_executable *og_load_any(struct og_runtime *runtime, const char *name, const void *bytes, size_t size,
                                  const char *mcpu, const char *kernel, bool lines,
                                  struct og_diagnostics *diagnostics) {
  struct input input = {
      .arena = og_arena_new(), .name = name, .mcpu = mcpu, .lines = lines, .diagnostics = diagnostics};
  struct og_executable *executable = NULL;
  if (og_carries_code(bytes, size))
    executable = load_carried(runtime, &input, bytes, size, kernel);
  else if (og_is_elf(bytes, size) && is_relocatable(bytes, size))
    executable = link_and_load(runtime, &input, &(struct og_bundle_entry){name, bytes, size}, 1);
  else if (og_is_elf(bytes, size))
    executable = og_load(runtime, name, bytes, size, diagnostics);
  else if (ends_with(name, ".s") || ends_with(name, ".S") || (size && !memchr(bytes, 0, size)))
    executable = load_source(runtime, &input, bytes, size);
  else
    og_error_in(diagnostics, name, "expected a code object, AMDGPU assembly, or a file that carries code objects");
  og_arena_free(input.arena);
  return executable;
}
