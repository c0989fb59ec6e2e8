/* objects.c - a kernel's LDS objects, which come from the user, debug information or pointers among the arguments;
 * bytes between them belong to no object. */
#include "check/internal.h"
#include "object/debug/dwarf.h"

#include <stdlib.h>
#include <string.h>

uint64_t og_objects_gap(const struct og_lds_object *objects, uint32_t count, uint64_t at) {
  for (uint32_t i = 0; i < count && objects[i].first <= at; i++)
    at = OG_MAX(at, (uint64_t)objects[i].end);
  return at;
}

const char *og_objects_nearest(struct og_arena *arena, const struct og_lds_object *objects, uint32_t count,
                               uint64_t at) {
  uint32_t next = 0;
  while (next < count && objects[next].first <= at)
    next++;
  const struct og_lds_object *before = next ? &objects[next - 1] : NULL, *behind = next < count ? &objects[next] : NULL;
  if (behind && (!before || behind->first - at < at - before->end))
    return og_arena_printf(arena, "%llu bytes in front of '%s'", (unsigned long long)(behind->first - at),
                           behind->name);
  return og_arena_printf(arena, "%llu bytes behind the end of '%s'", (unsigned long long)(at - before->end),
                         before->name);
}

static void add(struct og_lds_objects *objects, const char *name, uint64_t first, uint64_t end) {
  OG_PUSH(objects->arena, &objects->list);
  struct og_lds_object *items = objects->list.items;
  uint32_t at = objects->list.count - 1;
  for (; at > 0 && items[at - 1].first > first; at--)
    items[at] = items[at - 1];
  items[at] = (struct og_lds_object){name, (uint32_t)first, (uint32_t)end};
}

bool og_lds_objects_add_text(struct og_lds_objects *objects, const char *text) {
  const char *last = strrchr(text, ':'), *middle = last ? memrchr(text, ':', (size_t)(last - text)) : NULL;
  char *end, *end_of_offset;
  if (!middle || middle == text)
    return false;
  unsigned long long offset = strtoull(middle + 1, &end_of_offset, 0), size = strtoull(last + 1, &end, 0);
  if (end_of_offset != last || *end || !last[1] || middle + 1 == last || !size || offset > UINT32_MAX ||
      size > UINT32_MAX - offset)
    return false;
  objects->named = true;
  add(objects, og_arena_copy(objects->arena, text, (size_t)(middle - text)), offset, offset + size);
  return true;
}

/* ---- of debug information ---------------------------------------------------------------------------------------- */

struct told {
  struct og_lds_objects objects;
  uint64_t most, end; /* bytes that the kernel declares; where the objects end */
};

/* One function's code may be in several places, each of which describes the same variable. */
static bool is_told(const struct told *told, const char *name, uint64_t first, uint64_t end) {
  for (uint32_t i = 0; i < told->objects.list.count; i++) {
    const struct og_lds_object *object = &told->objects.list.items[i];
    if (object->first == first && object->end == end && strcmp(object->name, name) == 0)
      return true;
  }
  return false;
}

/* False: the description is impossible, and all of it is ignored. */
static bool seen(void *context, const char *name, uint64_t at, uint64_t size) {
  struct told *told = context;
  if (at > told->most || size > told->most - at)
    return false;
  told->end = OG_MAX(told->end, at + size);
  if (size && !is_told(told, name, at, at + size)) /* dynamic LDS has no size, only a beginning */
    add(&told->objects, og_arena_copy(told->objects.arena, name, strlen(name)), at, at + size);
  return true;
}

/* The objects of a kernel: struct og_lds_objects; `named` if they are believed. */
static void *read_told(struct og_arena *arena, const struct og_executable *executable, const void *key) {
  const struct og_kernel *kernel = key;
  struct og_lds_objects *out = OG_NEW(arena, struct og_lds_objects);
  struct told told = {.objects = {.arena = arena}, .most = kernel->group_size};
  struct og_dwarf *dwarf = kernel->group_size ? og_dwarf_open_object(executable->code->elf) : NULL;
  bool fine = dwarf && og_dwarf_places(dwarf, kernel->entry, OG_DWARF_LOCAL, seen, &told) && told.end == told.most &&
              told.objects.list.count;
  const struct og_lds_object *items = told.objects.list.items;
  for (uint32_t i = 0; i + 1 < told.objects.list.count && fine; i++)
    fine = items[i].end <= items[i + 1].first;
  *out = told.objects;
  out->named = fine;
  og_dwarf_close(dwarf);
  return out;
}

void og_lds_objects_add_told(struct og_lds_objects *objects, const struct og_executable *executable,
                             const struct og_kernel *kernel) {
  const struct og_lds_objects *told = og_executable_keep(executable, read_told, kernel);
  for (uint32_t i = 0; i < told->list.count && told->named; i++) {
    const struct og_lds_object *one = &told->list.items[i];
    add(objects, *one->name ? one->name : "a variable without a name", one->first, one->end);
  }
  objects->named |= told->named;
}

/* ---- of arguments ------------------------------------------------------------------------------------------------ */

void og_lds_objects_add_arguments(struct og_lds_objects *objects, const struct og_kernel *kernel,
                                  const struct og_argument *arguments, uint32_t count, const void *kernarg,
                                  uint32_t group_bytes, uint32_t extra) {
  uint32_t next = 0, several = extra;
  for (uint32_t i = 0; i < count; i++)
    several |= arguments[i].kind == OG_ARGUMENT_LDS;
  if (several && !objects->named && kernel->group_size)
    add(objects, "the kernel's own variables", 0, kernel->group_size);
  for (uint32_t i = 0; i < kernel->arg_count; i++) {
    const struct og_kernel_arg *arg = &kernel->args[i];
    if (og_kernel_arg_hidden(arg) || next == count)
      continue;
    const struct og_argument *argument = &arguments[next++];
    if (argument->kind != OG_ARGUMENT_LDS)
      continue;
    uint32_t at = og_load32((const uint8_t *)kernarg + arg->offset);
    add(objects, *arg->name ? arg->name : og_arena_printf(objects->arena, "argument %u", next), at,
        (uint64_t)at + argument->size);
  }
  if (extra)
    add(objects, "dynamic LDS", group_bytes - extra, group_bytes);
}
