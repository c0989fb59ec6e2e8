/* bounds.c - accesses that hardware takes although they are mistakes: behind the LDS that the work-group asked for, and
 * beyond a buffer's descriptor. What is outside every allocation ends the run by itself: og_check_fault() makes a
 * finding of it. */
#include "check/internal.h"

static void tell(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op, unsigned lane,
                 const char *does) {
  struct og_finding *finding = og_check_find(watch, OG_CHECK_BOUNDS, wave, og_pc(wave->program, op), 0, (int)lane);
  if (!finding->does)
    finding->does = does;
}

/* What is rounded up belongs to nobody. */
static void check_lds(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op,
                      const struct og_known *known, struct og_places *places) {
  og_check_widen(places);
  for (uint64_t lanes = places->lanes[OG_SPACE_LDS]; lanes; lanes &= lanes - 1)
    for (unsigned p = 0, i = (unsigned)__builtin_ctzll(lanes); p < places->pieces; p++)
      if (places->address[p][i] + places->size > wave->group->dispatch->group_bytes) {
        tell(watch, wave, op, i,
             og_arena_printf(watch->arena, "%s %u bytes at 0x%llx of LDS, of which the work-group has %u bytes",
                             known->memory->access == OG_MOVES_LOAD ? "reads" : "writes", places->size,
                             (unsigned long long)places->address[p][i], wave->group->dispatch->group_bytes));
        return;
      }
}

void og_check_bounds(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                     const struct og_known *known, struct og_places *places) {
  if (places->lanes[OG_SPACE_LDS])
    check_lds(watch, wave, op, known, places);
  if (places->outside)
    tell(watch, wave, op, (unsigned)__builtin_ctzll(places->outside),
         known->memory->space == OG_IN_BUFFER
             ? known->memory->access == OG_MOVES_LOAD
                   ? "reads beyond the buffer that its descriptor says; hardware yields 0"
                   : "writes beyond the buffer that its descriptor says; hardware drops it"
             : "goes beyond the LDS that M0 allows; reads yield 0, writes are dropped");
}
