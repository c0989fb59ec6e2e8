/* frames.c - accesses to a lane's private memory that belong to no object there. Our compiler's debug information lists
 * all objects in the frame of a kernel and of functions (cc_debug_find_homes()). A function's frame begins where the
 * stack pointer, s32, is when it is called. */
#include "check/internal.h"
#include "exec/memory.h"
#include "isa/rows.h"
#include "object/debug/dwarf.h"

#include <string.h>

struct told {
  struct og_lds_objects homes, named; /* homes: all objects; the last is the compiler's own */
};

/* Sorts objects by place and removes repeated ones. */
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

/* The source's name for the object that begins there. */
static const char *name_of(const struct told *told, uint32_t first) {
  for (uint32_t i = 0; i < told->named.list.count; i++)
    if (told->named.list.items[i].first == first)
      return told->named.list.items[i].name;
  return "a variable without a name";
}

/* The objects of the code at a place: struct og_lds_objects; `named` if they are known. */
static struct og_lds_objects *read_at(struct og_arena *arena, const struct og_executable *executable,
                                      uint64_t address) {
  struct og_lds_objects *out = OG_NEW(arena, struct og_lds_objects);
  struct told told = {{.arena = arena}, {.arena = arena}};
  struct og_dwarf *dwarf = address ? og_dwarf_open_object(executable->code->elf) : NULL;
  bool fine = dwarf && og_dwarf_places(dwarf, address, OG_DWARF_PRIVATE, seen, &told) && told.homes.list.count > 1;
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

static void *read_told(struct og_arena *arena, const struct og_executable *executable, const void *key) {
  const struct og_kernel *kernel = key;
  return read_at(arena, executable, kernel->private_size ? kernel->entry : 0);
}

/* The objects of a function; the key is where it begins. */
static void *read_function(struct og_arena *arena, const struct og_executable *executable, const void *key) {
  return read_at(arena, executable, (uint64_t)(uintptr_t)key - executable->start);
}

void og_check_find_frame(struct og_watch *watch, const struct og_executable *executable,
                         const struct og_kernel *kernel) {
  watch->executable = executable;
  const struct og_lds_objects *told = og_executable_keep(executable, read_told, kernel);
  watch->frame = told->named ? told->list.items : NULL;
  watch->frame_count = told->named ? told->list.count : 0;
}

/* ---- calls ------------------------------------------------------------------------------------------------------- */

enum { STACK_POINTER = 32 };

static void enter(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                  struct og_check_wave *state) {
  if (!state->calls) {
    state->calls = OG_NEW(watch->arena, struct og_check_calls);
    state->calls->count = 0;
  }
  struct og_check_calls *calls = state->calls;
  if (calls->count++ >= OG_COUNT(calls->items))
    return;
  uint32_t unit = watch->isa->generation < OG_GFX900 ? wave->wave_size : 1;
  const struct og_lds_objects *told =
      og_executable_keep(watch->executable, read_function, (const void *)(uintptr_t)og_scalar64(wave, op, 0));
  calls->items[calls->count - 1] = (struct og_check_call){wave->s[STACK_POINTER] / unit, told->named ? told : NULL};
}

void og_check_calls(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                    const struct og_known *known) {
  struct og_check_wave *state = og_check_wave(wave);
  if (known->inst->row == OG_ROW_S_SWAPPC_B64)
    enter(watch, wave, op, state);
  else if (known->returns && state->calls && state->calls->count)
    state->calls->count--;
}

/* ---- accesses ---------------------------------------------------------------------------------------------------- */

/* The objects of the frame in which an address is, and where that frame begins. */
struct frame {
  const struct og_lds_object *objects;
  uint32_t count, base;
};

static struct frame frame_at(const struct og_watch *watch, const struct og_wave *wave, uint64_t address) {
  const struct og_check_calls *calls = og_check_wave(wave)->calls;
  uint32_t count = calls ? calls->count : 0;
  if (count > OG_COUNT(calls->items))
    return (struct frame){0};
  while (count && calls->items[count - 1].base > address)
    count--;
  if (!count)
    return (struct frame){watch->frame, watch->frame_count, 0};
  const struct og_check_call *call = &calls->items[count - 1];
  return call->told ? (struct frame){call->told->list.items, call->told->list.count, call->base} : (struct frame){0};
}

static void tell(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                 const struct og_known *known, unsigned lane, uint64_t address, unsigned size,
                 const struct frame *frame, uint64_t gap) {
  struct og_finding *finding = og_check_find(watch, OG_CHECK_BOUNDS, wave, og_pc(wave->program, op), 0, (int)lane);
  if (finding->does)
    return;
  finding->address = address, finding->has_address = true;
  finding->does =
      og_arena_printf(watch->arena, "%s %u bytes at 0x%llx of private memory, which no object has: %s",
                      known->memory->access == OG_MOVES_LOAD ? "reads" : "writes", size, (unsigned long long)address,
                      og_objects_nearest(watch->arena, frame->objects, frame->count, gap));
}

void og_check_frame(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                    const struct og_known *known, const struct og_places *places) {
  for (uint64_t lanes = places->lanes[OG_SPACE_SCRATCH]; lanes; lanes &= lanes - 1)
    for (unsigned p = 0, lane = (unsigned)__builtin_ctzll(lanes); p < places->pieces; p++) {
      uint64_t address = places->address[p][lane];
      struct frame frame = frame_at(watch, wave, address);
      uint64_t from = address - frame.base, gap = og_objects_gap(frame.objects, frame.count, from);
      if (!frame.count || gap >= OG_MIN(from + places->size, (uint64_t)frame.objects[frame.count - 1].end))
        continue;
      tell(watch, wave, op, known, lane, address, places->size, &frame, gap);
      return;
    }
}
