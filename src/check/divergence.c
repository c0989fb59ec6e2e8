/* divergence.c - barriers that not all come to: lanes of a wave that are off at one, waves of a group at different ones. */
#include "check/internal.h"

/* Lanes that the wave has: those of its work-items. */
static uint64_t lanes_of(const struct og_wave *wave) {
  const struct og_dispatch *dispatch = wave->group->dispatch;
  uint64_t items = 1;
  for (int d = 0; d < 3; d++)
    items *= OG_MIN(dispatch->group[d], dispatch->grid[d] - wave->group->id[d] * dispatch->group[d]);
  uint64_t before = (uint64_t)wave->id * wave->wave_size, here = OG_MIN(items - OG_MIN(items, before), wave->wave_size);
  return here == 64 ? UINT64_MAX : (1ull << here) - 1;
}

void og_check_divergence(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                         const struct og_known *known) {
  if (!known->barrier)
    return;
  uint64_t all = lanes_of(wave), missing = all & ~og_exec(wave);
  if (!missing)
    return;
  struct og_finding *finding = og_check_find(watch, OG_CHECK_DIVERGENCE, wave, og_pc(wave->program, op), 0,
                                             __builtin_ctzll(missing));
  if (!finding->does)
    finding->does = og_arena_printf(watch->arena, "is reached by %d of the wave's %d lanes",
                                    __builtin_popcountll(all & ~missing), __builtin_popcountll(all));
}

void og_check_barrier(struct og_watch *watch, struct og_group *group) {
  const struct og_wave *first = NULL;
  for (uint32_t i = 0; i < group->wave_count; i++) {
    const struct og_wave *wave = og_group_wave(group, i);
    if (wave->state != OG_WAVE_BARRIER || wave->barriers_done & wave->awaited)
      continue; /* with split barriers, this one's has opened */
    if (!first)
      first = wave;
    if (wave->resume == first->resume)
      continue;
    struct og_finding *finding =
        og_check_find(watch, OG_CHECK_DIVERGENCE, wave, og_pc(wave->program, wave->resume - 1),
                      og_pc(first->program, first->resume - 1), -1);
    finding->does = "is where this wave waits";
    finding->while_ = "is where others of its work-group do";
  }
}
