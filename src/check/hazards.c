/* hazards.c - instructions that come before the wait states that software has to keep are over (isa/wait_states.def). */
#include "check/internal.h"

static void tell(struct og_watch *watch, const struct og_wave *wave, const struct og_operation *op, uint64_t other,
                 unsigned passed, unsigned wanted, uint16_t place) {
  struct og_finding *finding = og_check_find(watch, OG_CHECK_HAZARDS, wave, og_pc(wave->program, op), other, -1);
  if (finding->does)
    return;
  char name[16] = "MODE";
  if (place < OG_PLACES)
    og_place_name(place, name);
  finding->does = og_arena_printf(watch->arena, "comes %u wait state%s too soon for %s", wanted - passed,
                                  wanted - passed == 1 ? "" : "s", name);
  finding->while_ = "is before it";
  finding->advice = og_arena_printf(watch->arena, "; s_nop %u between them would do", wanted - passed - 1);
}

void og_check_hazards(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                      const struct og_known *known) {
  struct og_check_wave *state = og_check_wave(wave);
  unsigned passed = 0;
  for (unsigned back = 1; known->hazards.second && back <= OG_RECENT && passed < OG_HAZARD_STATES_MOST; back++) {
    const struct og_known *first = state->recent[(state->steps - back) % OG_RECENT];
    uint16_t place = OG_PLACES;
    if (!first)
      break;
    unsigned wanted = first->hazards.first & known->hazards.second
                          ? og_hazard_between(&first->hazards, first->touches, first->touch_count, &known->hazards,
                                              known->touches, known->touch_count, &place)
                          : 0;
    if (wanted > passed)
      tell(watch, wave, op, og_pc(wave->program, state->recent_op[(state->steps - back) % OG_RECENT]), passed, wanted,
           place);
    passed += first->hazards.states;
  }
  state->recent[state->steps % OG_RECENT] = known;
  state->recent_op[state->steps++ % OG_RECENT] = op;
}
