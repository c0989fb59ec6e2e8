/* hazards.c - instructions that code has to keep apart and does not (isa/hazards.def). */
#include "check/internal.h"

#include <string.h>

enum { FIRSTS_MOST = 32 }; /* what is further back has been passed by, or is forgotten */

struct first {
  const struct og_known *known;
  const struct og_operation *op;
  struct og_hazard_way way;
};

struct og_hazard_wave {
  uint32_t count;
  struct first firsts[FIRSTS_MOST];
  struct og_hazard_scalars scalars;
  const struct og_operation *writer; /* the last instruction that wrote a scalar register */
};

void og_check_hazards_begin(struct og_watch *watch, struct og_check_wave *state) {
  if (!state->hazards)
    state->hazards = OG_NEW(watch->arena, struct og_hazard_wave);
  state->hazards->count = 0;
  memset(&state->hazards->scalars, 0, sizeof state->hazards->scalars);
}

static void tell(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op, uint64_t other,
                 const struct og_hazard_gap *gap) {
  struct og_finding *finding = og_check_find(watch, OG_CHECK_HAZARDS, wave, og_pc(wave->program, op), other, -1);
  if (finding->does)
    return;
  char name[16] = "", advice[64];
  if (gap->place < OG_PLACES)
    og_place_name(gap->place, name);
  og_hazard_advice(watch->isa, gap, advice);
  finding->does = og_arena_printf(watch->arena, "comes too soon%s%s (%s)", *name ? " for " : "", name, gap->hazard->name);
  finding->while_ = "is before it";
  finding->advice = og_arena_printf(watch->arena, "; %s between them", advice);
}

static struct og_hazard_party party_of(const struct og_known *known) {
  return (struct og_hazard_party){&known->hazards, known->touches, known->touch_count};
}

static void remember(struct og_hazard_wave *h, const struct og_known *known, const struct og_operation *op) {
  if (h->count == FIRSTS_MOST)
    memmove(h->firsts, h->firsts + 1, --h->count * sizeof *h->firsts);
  h->firsts[h->count++] = (struct first){known, op, og_hazard_begin(&known->hazards)};
}

void og_check_hazards(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                      const struct og_known *known) {
  struct og_hazard_wave *h = og_check_wave(wave)->hazards;
  const struct og_hazard_party party = party_of(known);
  struct og_hazard_gap gap;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < h->count; i++) {
    struct first *f = &h->firsts[i];
    const struct og_hazard_party first = party_of(f->known);
    if (((f->way.alive[0] & known->hazards.second[0]) | (f->way.alive[1] & known->hazards.second[1])) &&
        og_hazard_meets(&f->way, &first, &party, &gap))
      tell(watch, wave, op, og_pc(wave->program, f->op), &gap);
    if (og_hazard_pass(&f->way, &first, &party))
      h->firsts[kept++] = *f;
  }
  h->count = kept;
  if (known->hazards.first[0] | known->hazards.first[1])
    remember(h, known, op);
  if (!watch->isa->gfx11)
    return;
  if (og_hazard_scalars(watch->isa, &party, &h->scalars, &gap))
    tell(watch, wave, op, h->writer ? og_pc(wave->program, h->writer) : 0, &gap);
  for (unsigned i = 0; i < known->touch_count; i++)
    if (known->touches[i].writes && known->touches[i].first >= OG_PLACE_SGPR)
      h->writer = op;
}
