/* hazards.c - `lint --waits`: instructions that code has to keep apart but on some path does not (isa/hazards.def). */
#include "lint/hazards.h"

#include <string.h>

struct place_on_way {
  uint32_t step;
  struct og_hazard_way way;
};

struct walk {
  const struct og_flow *flow;
  struct og_arena *arena;
  uint32_t *seen; /* for each step: 1 + the number of the last first instruction whose walk has passed it */
  OG_VECTOR(struct place_on_way) rest;
  og_hazard_found *found;
  void *context;
};

static struct og_hazard_party party_of(const struct og_flow *flow, uint32_t step) {
  const struct og_step *s = &flow->steps.items[step];
  return (struct og_hazard_party){&s->hazards, &flow->touches.items[s->touch], s->touch_count};
}

static void go_on(struct walk *w, uint32_t from, const struct og_hazard_way *way) {
  const struct og_step *step = &w->flow->steps.items[from];
  if (step->flags & (OG_STEP_CALLS | OG_STEP_RETURNS))
    return;
  if (step->flags & OG_STEP_GOES_ON && from + 1 < w->flow->steps.count)
    *OG_PUSH(w->arena, &w->rest) = (struct place_on_way){from + 1, *way};
  if (step->target >= 0)
    *OG_PUSH(w->arena, &w->rest) = (struct place_on_way){(uint32_t)step->target, *way};
}

static void walk_from(struct walk *w, uint32_t first) {
  const struct og_hazard_party begin = party_of(w->flow, first);
  bool once = begin.hazards->unlimited || begin.hazards->valus_most; /* else a walk might go round a loop for ever */
  struct og_hazard_way way = og_hazard_begin(begin.hazards);
  w->rest.count = 0;
  go_on(w, first, &way);
  while (w->rest.count) {
    struct place_on_way at = w->rest.items[--w->rest.count];
    const struct og_hazard_party second = party_of(w->flow, at.step);
    struct og_hazard_gap gap;
    if (once && w->seen[at.step] == 1 + first)
      continue;
    w->seen[at.step] = 1 + first;
    if (og_hazard_meets(&at.way, &begin, &second, &gap))
      w->found(w->context, first, at.step, &gap);
    if (og_hazard_pass(&at.way, &begin, &second))
      go_on(w, at.step, &at.way);
  }
}

/* ---- scalar registers that vector instructions have read, and that are then written ------------------------------ */

static bool join(struct og_hazard_scalars *to, const struct og_hazard_scalars *from) {
  uint64_t *into = (uint64_t *)to, changed = 0;
  const uint64_t *with = (const uint64_t *)from;
  for (size_t i = 0; i < sizeof *to / sizeof *into; i++) {
    changed |= with[i] & ~into[i];
    into[i] |= with[i];
  }
  return changed;
}

static bool pass_scalars(const struct walk *w, struct og_hazard_scalars *in, uint32_t i) {
  const struct og_step *step = &w->flow->steps.items[i];
  const struct og_hazard_party party = party_of(w->flow, i);
  struct og_hazard_scalars state = in[i];
  struct og_hazard_gap gap;
  bool back = false;
  if (step->hazards.behind || step->touch_count)
    og_hazard_scalars(w->flow->isa, &party, &state, &gap);
  if (step->flags & OG_STEP_RETURNS)
    return false;
  if (step->flags & OG_STEP_CALLS)
    memset(state.written, 0, sizeof state.written);
  if (step->flags & OG_STEP_GOES_ON && i + 1 < w->flow->steps.count)
    join(&in[i + 1], &state);
  if (step->target >= 0)
    back = join(&in[step->target], &state) && (uint32_t)step->target <= i;
  return back;
}

/* The nearest instruction above a step in the code that writes the register. */
static uint32_t writer_of(const struct og_flow *flow, uint32_t step, uint16_t place) {
  for (uint32_t i = step; i-- > 0;)
    for (uint32_t k = 0; k < flow->steps.items[i].touch_count; k++) {
      const struct og_touch *t = &flow->touches.items[flow->steps.items[i].touch + k];
      if (t->writes && place >= t->first && place < t->first + t->count)
        return i;
    }
  return step;
}

static void walk_scalars(struct walk *w) {
  const struct og_flow *flow = w->flow;
  struct og_hazard_scalars *in = OG_NEW_ARRAY(w->arena, struct og_hazard_scalars, flow->steps.count + 1);
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < flow->steps.count; i++)
      again |= pass_scalars(w, in, i);
  }
  for (uint32_t i = 0; i < flow->steps.count; i++) {
    const struct og_hazard_party party = party_of(flow, i);
    struct og_hazard_gap gap;
    if (og_hazard_scalars(flow->isa, &party, &in[i], &gap))
      w->found(w->context, writer_of(flow, i, gap.place), i, &gap);
  }
}

void og_hazards_walk(const struct og_flow *flow, struct og_arena *arena, og_hazard_found *found, void *context) {
  struct walk w = {.flow = flow, .arena = arena, .found = found, .context = context};
  bool behind = false;
  w.seen = OG_NEW_ARRAY(arena, uint32_t, flow->steps.count + 1);
  for (uint32_t i = 0; i < flow->steps.count; i++) {
    const struct og_hazards *h = &flow->steps.items[i].hazards;
    behind |= h->behind;
    if (h->first[0] | h->first[1])
      walk_from(&w, i);
  }
  if (behind)
    walk_scalars(&w);
}
