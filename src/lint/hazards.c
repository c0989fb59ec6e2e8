/* hazards.c - `lint --waits`: instructions that come before wait states are over which software has to keep, on any path
 * (isa/wait_states.def). */
#include "lint/hazards.h"

struct walk {
  const struct og_flow *flow;
  uint32_t first;
  og_hazard_found *found;
  void *context;
};

static const struct og_touch *touches_of(const struct og_flow *flow, const struct og_step *step) {
  return &flow->touches.items[step->touch];
}

/* From a step on, with so many wait states passed. No way is longer than the most that a hazard wants. */
static void go_on(const struct walk *w, uint32_t at, unsigned passed) {
  const struct og_flow *flow = w->flow;
  const struct og_step *first = &flow->steps.items[w->first], *step = &flow->steps.items[at];
  uint16_t place = OG_PLACES;
  unsigned wanted = og_hazard_between(&first->hazards, touches_of(flow, first), first->touch_count, &step->hazards,
                                      touches_of(flow, step), step->touch_count, &place);
  if (wanted > passed)
    w->found(w->context, w->first, at, passed, wanted, place);
  passed += step->hazards.states;
  if (passed >= OG_HAZARD_STATES_MOST || step->flags & (OG_STEP_CALLS | OG_STEP_RETURNS))
    return;
  if (step->flags & OG_STEP_GOES_ON)
    go_on(w, at + 1, passed);
  if (step->target >= 0)
    go_on(w, (uint32_t)step->target, passed);
}

void og_hazards_walk(const struct og_flow *flow, og_hazard_found *found, void *context) {
  for (uint32_t i = 0; i < flow->steps.count; i++) {
    const struct og_step *step = &flow->steps.items[i];
    const struct walk walk = {flow, i, found, context};
    if (!step->hazards.first || step->flags & (OG_STEP_CALLS | OG_STEP_RETURNS))
      continue;
    if (step->flags & OG_STEP_GOES_ON)
      go_on(&walk, i + 1, 0);
    if (step->target >= 0)
      go_on(&walk, (uint32_t)step->target, 0);
  }
}
