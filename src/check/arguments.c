/* arguments.c - accesses behind the kernel's arguments: the kernarg segment ends with them, whatever memory follows. */
#include "check/internal.h"
#include "exec/memory.h"

#include <stdio.h>
#include <string.h>

enum {
  LINE = 64,     /* a segment of a run is filled up to a multiple of this */
  BEHIND = 4096, /* accesses this far behind them count, even if other things follow */
};

void og_check_arguments_begin(struct og_watch *watch, const struct og_wave *wave) {
  uint64_t from = wave->group->dispatch->kernarg, end = from + watch->arguments;
  struct og_window window;
  if (!watch->arguments || watch->behind.from == from)
    return;
  watch->behind.from = from;
  watch->behind.size = 0;
  if (watch->may_return && !watch->listed)
    return; /* GCC's plugin passes more than its kernels declare, and they list no arguments */
  if (!og_memory_map_find(wave->group->map, from, watch->arguments, OG_MEMORY_READ, &window))
    return;
  /* A program puts segments side by side, and perhaps other things there. */
  watch->behind.alone = !watch->may_return && window.start == from &&
                        window.size == og_align_up((uint64_t)watch->arguments, LINE);
  watch->behind.size = (uint32_t)OG_MIN(window.start + window.size - end, (uint64_t)BEHIND);
}

/* An address computed from one within the arguments counts as theirs. */
static bool is_within(const struct og_watch *watch, const struct og_wave *wave, uint64_t address) {
  return address - wave->group->dispatch->kernarg < watch->arguments;
}

static void tell(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op, const char *does,
                 uint64_t address, unsigned size, int lane) {
  struct og_finding *finding = og_check_find(watch, OG_CHECK_BOUNDS, wave, og_pc(wave->program, op), 0, lane);
  if (finding->does)
    return;
  finding->address = address, finding->has_address = true;
  unsigned long long byte = address - wave->group->dispatch->kernarg;
  finding->does =
      og_arena_printf(watch->arena, "%s %u bytes at byte %llu of the kernel's arguments (kernarg), which are %u bytes",
                      does, size, byte, watch->arguments);
}

void og_check_arguments_scalar(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                               uint64_t address, unsigned size) {
  uint64_t from = wave->group->dispatch->kernarg, end = from + watch->arguments;
  uint64_t base = og_load64(og_at(wave, op->s[0]));
  if (!watch->arguments || !is_within(watch, wave, base) || address < from || address + size <= end)
    return;
  /* Compilers widen loads if the alignment guarantees that the bytes behind exist. */
  bool aligned = (size & (size - 1)) == 0 && address % size == 0;
  if (address < end && (aligned || address + size <= og_align_up(end, 16)))
    return;
  tell(watch, wave, op, "reads", address, size, -1);
}

OG_CHECK_LANES(bool, any_near, (const uint64_t *address, uint64_t from), (address, from), {
  enum { BITS = 13 };
  _Static_assert(BEHIND + 16 <= 1 << BITS, "what is behind is near");
  uint64_t near = 0;
  for (unsigned i = 0; i < OG_LANES; i++)
    near |= (address[i] - from) >> BITS == 0;
  return near != 0;
})

bool og_check_any_near(const uint64_t *address, uint64_t from) { return any_near(address, from); }

/* Whether an access goes beyond the arguments. A dword that begins within them may be read whole. */
static bool is_behind(const struct og_watch *watch, uint64_t end, uint64_t address, unsigned size) {
  bool rounded = address < end && address % 4 + size <= 4;
  return address + size > end && address < end + watch->behind.size && !rounded;
}

/* Whether a scalar base or another lane is within the arguments. */
static bool is_made_of_them(const struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                            const struct og_places *places) {
  const struct og_memory_op *access = op->detail;
  bool made = access->addressing == OG_ADDRESS_SADDR && is_within(watch, wave, og_scalar64(wave, op, 1));
  for (uint64_t lanes = places->lanes[OG_SPACE_GLOBAL]; lanes; lanes &= lanes - 1)
    made |= is_within(watch, wave, places->address[0][__builtin_ctzll(lanes)]);
  return made;
}

void og_check_arguments(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                        const struct og_known *known, const struct og_places *places) {
  uint64_t end = wave->group->dispatch->kernarg + watch->arguments, behind = 0;
  for (uint64_t lanes = places->lanes[OG_SPACE_GLOBAL]; lanes; lanes &= lanes - 1)
    if (is_behind(watch, end, places->address[0][__builtin_ctzll(lanes)], places->size))
      behind |= lanes & -lanes;
  if (!behind || (!watch->behind.alone && !is_made_of_them(watch, wave, op, places)))
    return;
  int lane = __builtin_ctzll(behind);
  const char *does = known->memory->access == OG_MOVES_LOAD ? "reads" : "writes";
  tell(watch, wave, op, does, places->address[0][lane], places->size, lane);
}

const char *og_check_arguments_fault(struct og_watch *watch, const struct og_fault *fault) {
  char nearest[40];
  if (!watch->behind.from || !fault->has_address)
    return "";
  snprintf(nearest, sizeof nearest, " at 0x%llx", (unsigned long long)watch->behind.from);
  if (!strstr(fault->what, nearest))
    return "";
  return og_arena_printf(watch->arena, ": byte %lld of the kernel's arguments (kernarg), which are %u bytes",
                         (long long)(fault->address - watch->behind.from), watch->arguments);
}
