/* frames.c - accesses to a kernel's part of a lane's private memory outside all of its objects: our compiler's debug information
 * lists all of them (cc_debug_find_homes()). Frames of functions lie behind it and are not known. */
#include "check/internal.h"
#include "object/debug/dwarf.h"

#include <string.h>

struct told {
  struct og_lds_objects homes, named; /* homes: all there are; the last is the compiler's own */
};

/* Sorted by place, and each once. */
static void add(struct og_lds_objects *list, const char *name, uint64_t first, uint64_t end) {
  uint32_t at = list->list.count;
  for (uint32_t i = 0; i < at; i++)
    if (list->list.items[i].first == first && list->list.items[i].end == end)
      return;
  OG_PUSH(list->arena, &list->list);
  for (; at > 0 && list->list.items[at - 1].first > first; at--)
    list->list.items[at] = list->list.items[at - 1];
  list->list.items[at] =
      (struct og_lds_object){og_arena_copy(list->arena, name, strlen(name)), (uint32_t)first, (uint32_t)end};
}

static bool seen(void *context, const char *name, uint64_t at, uint64_t size) {
  struct told *told = context;
  if (at > INT32_MAX || size > INT32_MAX)
    return false;
  add(*name ? &told->named : &told->homes, name, at, at + size);
  return true;
}

/* The source's name of the object that begins there. */
static const char *name_of(const struct told *told, uint32_t first) {
  for (uint32_t i = 0; i < told->named.list.count; i++)
    if (told->named.list.items[i].first == first)
      return told->named.list.items[i].name;
  return "a variable without a name";
}

/* Of a kernel: struct og_lds_objects; `named` where they are known. */
static void *read_told(struct og_arena *arena, const struct og_executable *executable, const void *key) {
  const struct og_kernel *kernel = key;
  struct og_lds_objects *out = OG_NEW(arena, struct og_lds_objects);
  struct told told = {{.arena = arena}, {.arena = arena}};
  struct og_dwarf *dwarf = kernel->private_size ? og_dwarf_open_object(executable->code->elf) : NULL;
  bool fine = dwarf && og_dwarf_places(dwarf, kernel->entry, OG_DWARF_PRIVATE, seen, &told) && told.homes.list.count > 1;
  struct og_lds_object *items = told.homes.list.items;
  for (uint32_t i = 0; i + 1 < told.homes.list.count && fine; i++) {
    fine = items[i].end <= items[i + 1].first;
    items[i].name = name_of(&told, items[i].first);
  }
  if (fine)
    items[told.homes.list.count - 1].name = "what the compiler keeps";
  *out = told.homes;
  out->named = fine;
  og_dwarf_close(dwarf);
  return out;
}

void og_check_find_frame(struct og_watch *watch, const struct og_executable *executable, const struct og_kernel *kernel) {
  const struct og_lds_objects *told = og_executable_keep(executable, read_told, kernel);
  watch->frame = told->named ? told->list.items : NULL;
  watch->frame_count = told->named ? told->list.count : 0;
}

static void tell(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                 const struct og_known *known, unsigned lane, uint64_t address, unsigned size, uint64_t gap) {
  struct og_finding *finding = og_check_find(watch, OG_CHECK_BOUNDS, wave, og_pc(wave->program, op), 0, (int)lane);
  if (!finding->does)
    finding->does = og_arena_printf(watch->arena, "%s %u bytes at 0x%llx of private memory, which no object has: %s",
                                    known->memory->access == OG_MOVES_LOAD ? "reads" : "writes", size,
                                    (unsigned long long)address,
                                    og_objects_nearest(watch->arena, watch->frame, watch->frame_count, gap));
}

void og_check_frame(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                    const struct og_known *known, const struct og_places *places) {
  uint64_t end = watch->frame[watch->frame_count - 1].end;
  for (uint64_t lanes = places->lanes[OG_SPACE_SCRATCH]; lanes; lanes &= lanes - 1)
    for (unsigned p = 0, lane = (unsigned)__builtin_ctzll(lanes); p < places->pieces; p++) {
      uint64_t address = places->address[p][lane], gap = og_objects_gap(watch->frame, watch->frame_count, address);
      if (gap >= OG_MIN(address + places->size, end))
        continue;
      tell(watch, wave, op, known, lane, address, places->size, gap);
      return;
    }
}
