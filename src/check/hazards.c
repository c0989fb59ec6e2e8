/* hazards.c - instructions that the code must keep apart but does not (isa/hazards.def). */
#include "check/internal.h"
#include "isa/rows.h"

#include <string.h>

enum { FIRSTS_MOST = 32 }; /* older first instructions have expired, or are forgotten */

struct first {
  const struct og_known *known;
  const struct og_operation *op;
  struct og_hazard_way way;
};

struct og_hazard_wave {
  uint32_t count;
  struct first firsts[FIRSTS_MOST];
  struct og_hazard_scalars scalars;
  const struct og_operation *writer; /* the instruction that wrote a scalar register last */
};

void og_check_hazards_begin(struct og_watch *watch, struct og_check_wave *state) {
  if (!state->hazards)
    state->hazards = OG_NEW(watch->arena, struct og_hazard_wave);
  state->hazards->count = 0;
  state->hazards_open = false;
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
  finding->does =
      og_arena_printf(watch->arena, "comes too soon%s%s (%s)", *name ? " for " : "", name, gap->hazard->name);
  finding->while_ = "is before it";
  finding->advice = og_arena_printf(watch->arena, "; %s between them would do", advice);
}

static struct og_hazard_party party_of(const struct og_known *known) {
  return (struct og_hazard_party){&known->hazards, known->touches, known->touch_count};
}

void og_check_hazards_behind(struct og_watch *watch, struct og_known *known) {
  const struct og_hazard_party party = party_of(known);
  if (!watch->isa->gfx11 || !known->hazards.behind)
    return;
  struct og_hazard_behind *behind = OG_NEW(watch->arena, struct og_hazard_behind);
  og_hazard_behind(watch->isa, &party, behind);
  known->behind = behind;
}

/* ---- what can follow an instruction ------------------------------------------------------------------------- */

enum { REACH_STEPS = 192, REACH_WAYS = 16 };

/* Walks all paths of the code from an instruction on, without running it: whether on any of them another one follows
 * too soon. A path that it cannot follow counts as such. */
static bool reaches(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                    const struct og_known *known) {
  struct {
    const struct og_operation *at;
    struct og_hazard_way way;
  } ways[REACH_WAYS];
  const struct og_program *program = wave->program;
  const struct og_hazard_party first = party_of(known);
  unsigned count = 0;
  ways[count].at = op, ways[count++].way = og_hazard_begin(&known->hazards);
  for (unsigned steps = 0; count; steps++) {
    const struct og_operation *at = ways[count - 1].at;
    struct og_hazard_way way = ways[--count].way;
    const struct og_known *now = og_check_known(watch, wave, at);
    if (steps == REACH_STEPS || !now->inst || now->inst->row == OG_ROW_S_SET_VGPR_MSB)
      return true;
    const struct og_hazard_party second = party_of(now);
    const struct og_form *form = og_form(watch->isa, now->inst->form);
    struct og_hazard_gap gap;
    if (steps && og_hazard_meets(&way, &first, &second, &gap))
      return true;
    if (steps && !og_hazard_pass(&way, &first, &second))
      continue;
    const struct og_operand *distance = og_branch_operand(watch->isa, now->inst);
    bool jumps = form->row_flags &
                 (OG_FLAG_BRANCH | OG_FLAG_CALL | OG_FLAG_RETURN | OG_FLAG_TERMINATOR | OG_FLAG_NO_FALLTHROUGH);
    size_t word = (size_t)(at - program->operations), next = word + now->inst->size / 4;
    if (form->row_flags & OG_FLAG_TERMINATOR && now->inst->row == OG_ROW_S_ENDPGM)
      continue;
    if ((jumps && !distance) || form->row_flags & OG_FLAG_CALL || next >= program->words || count + 2 > REACH_WAYS)
      return true;
    if (!(form->row_flags & OG_FLAG_NO_FALLTHROUGH))
      ways[count].at = program->operations + next, ways[count++].way = way;
    if (!distance)
      continue;
    size_t target = word + 1 + (size_t)(ptrdiff_t)(int16_t)distance->value;
    if (target >= program->words)
      return true;
    ways[count].at = program->operations + target, ways[count++].way = way;
  }
  return false;
}

static bool is_worth(struct og_watch *watch, struct og_wave *wave, const struct og_operation *op,
                     const struct og_known *known) {
  struct og_glance *glance = known->glance; /* of this thread */
  if (glance->hazard == OG_REACH_UNKNOWN)
    glance->hazard = reaches(watch, wave, op, known) ? OG_REACH_SOMETHING : OG_REACH_NOTHING;
  return glance->hazard == OG_REACH_SOMETHING;
}

/* ---- watching ---------------------------------------------------------------------------------------------------- */

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
  if (!(known->hazards.first[0] | known->hazards.first[1]))
    known->glance->hazard = known->behind ? OG_REACH_SOMETHING : OG_REACH_NOTHING;
  else if (is_worth(watch, wave, op, known))
    remember(h, known, op);
  og_check_wave(wave)->hazards_open = h->count;
  if (!known->behind)
    return;
  known->glance->hazard = OG_REACH_SOMETHING;
  if (og_hazard_go_behind(known->behind, &h->scalars, &gap))
    tell(watch, wave, op, h->writer ? og_pc(wave->program, h->writer) : 0, &gap);
  if (known->behind->writes)
    h->writer = op;
}
