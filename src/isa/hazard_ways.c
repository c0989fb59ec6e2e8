/* hazard_ways.c - where two instructions match a line of hazards.def, and which lines end on the way between them. */
#include "isa/hazard_names.h"

#include <stdio.h>

enum { SOON_TRANS = 2, NUMBER_VCC = 106 };

/* ---- two of them ------------------------------------------------------------------------------------------------- */

static unsigned what_is(unsigned place) {
  if (place < OG_PLACE_SGPR)
    return place < OG_PLACE_AGPR ? VGPR : AGPR;
  if (place < OG_PLACE_SPECIAL)
    return place < OG_PLACE_TTMP ? SGPRS : 0;
  switch (place - OG_PLACE_SPECIAL) {
  case OG_SPECIAL_VCC_LO:
  case OG_SPECIAL_VCC_HI: return VCC;
  case OG_SPECIAL_EXEC_LO:
  case OG_SPECIAL_EXEC_HI: return EXEC;
  case OG_SPECIAL_M0: return M0;
  default: return 0;
  }
}

static bool touches_meet(const struct og_hazard *h, const struct og_touch *a, const struct og_touch *b) {
  unsigned from = OG_MAX(a->first, b->first);
  unsigned to = OG_MIN(a->first + a->count, b->first + b->count);
  bool equal = a->first == b->first && a->count == b->count;
  return from < to && what_is(from) & h->what && (h->registers != OG_HAZARD_EQUAL || equal) &&
         (h->registers != OG_HAZARD_PART || !equal);
}

static bool registers_meet(const struct og_hazard *h, const struct og_hazard_way *way,
                           const struct og_hazard_party *first, const struct og_hazard_party *second, uint16_t *place) {
  *place = OG_PLACES;
  if (h->what & (MODE | NOTHING))
    return true;
  if (h->registers == OG_HAZARD_OTHER && first->hazards->row == second->hazards->row)
    return false;
  for (unsigned i = 0; i < first->count; i++)
    for (unsigned k = 0; first->touches[i].as & h->first_how && k < second->count; k++) {
      const struct og_touch *a = &first->touches[i], *b = &second->touches[k];
      bool over = a->writes && b->first < way->over_end && b->first + b->count > way->over;
      if (!(b->as & h->second_how) || b->kept || over || !touches_meet(h, a, b))
        continue;
      *place = OG_MAX(a->first, b->first);
      return true;
    }
  return false;
}

struct og_hazard_way og_hazard_begin(const struct og_hazards *first) {
  return (struct og_hazard_way){.alive = {first->first[0], first->first[1]}};
}

/* How much of the distance that a line demands is still missing; 0: none. */
static int missing_of(const struct og_hazard *h, const struct og_hazard_way *way, const struct og_hazards *first) {
  switch ((enum og_hazard_cure)h->cure) {
  case OG_HAZARD_STATES: return h->amount - way->states;
  case OG_HAZARD_PASSES: return h->amount + first->passes - way->states;
  case OG_HAZARD_VALUS: return h->amount - way->valus;
  case OG_HAZARD_DEPCTR_SOON: return way->valus < OG_HAZARD_SOON_VALUS && way->trans < SOON_TRANS;
  case OG_HAZARD_VSCNT: return way->branched;
  default: return 1;
  }
}

bool og_hazard_meets(const struct og_hazard_way *way, const struct og_hazard_party *first,
                     const struct og_hazard_party *second, struct og_hazard_gap *gap) {
  *gap = (struct og_hazard_gap){0};
  for (unsigned word = 0; word < OG_HAZARD_WORDS; word++)
    for (uint64_t both = way->alive[word] & second->hazards->second[word]; both; both &= both - 1) {
      const struct og_hazard *h = &og_hazard_table[64 * word + (unsigned)__builtin_ctzll(both)];
      int missing = missing_of(h, way, first->hazards);
      uint16_t place;
      if (missing <= (int)gap->missing || !registers_meet(h, way, first, second, &place))
        continue;
      *gap = (struct og_hazard_gap){h, (unsigned)missing, place};
    }
  return gap->hazard;
}

/* A matrix's results that the next one writes over: hardware keeps these two apart. */
static void note_overwritten(struct og_hazard_way *way, const struct og_hazard_party *first,
                             const struct og_hazard_party *passed) {
  if (!(first->hazards->classes & MFMA && passed->hazards->classes & MFMA))
    return;
  const struct og_hazard any = {.what = VECTOR};
  for (unsigned i = 0; i < first->count; i++)
    for (unsigned k = 0; first->touches[i].writes && k < passed->count; k++) {
      const struct og_touch *by = &passed->touches[k];
      if (!by->writes || !touches_meet(&any, &first->touches[i], by))
        continue;
      way->over = way->over_end ? OG_MIN(way->over, by->first) : by->first;
      way->over_end = OG_MAX(way->over_end, (uint16_t)(by->first + by->count));
    }
}

/* Lines about branches: an instruction on one side of the branch is no longer a hazard once another
 * of its kind comes. */
static void end_branches(struct og_hazard_way *way, const struct og_hazards *passed) {
  for (unsigned word = 0; word < OG_HAZARD_WORDS; word++)
    for (uint64_t rest = way->alive[word]; rest; rest &= rest - 1) {
      const struct og_hazard *h = &og_hazard_table[64 * word + (unsigned)__builtin_ctzll(rest)];
      if (h->cure == OG_HAZARD_VSCNT && passed->classes & (way->branched ? h->first | h->second : h->second))
        way->alive[word] &= ~(rest & -rest);
    }
}

bool og_hazard_pass(struct og_hazard_way *way, const struct og_hazard_party *first,
                    const struct og_hazard_party *passed) {
  const struct og_hazards *by = passed->hazards;
  for (unsigned word = 0; word < OG_HAZARD_WORDS; word++)
    way->alive[word] &= ~by->ends[word];
  if (first->hazards->unlimited && by->classes & (VMEM | LDS))
    end_branches(way, by);
  note_overwritten(way, first, passed);
  way->states = (uint16_t)(way->states + by->states);
  way->valus = (uint8_t)OG_MIN(way->valus + og_is_valu(by->classes), 255);
  way->trans = (uint8_t)OG_MIN(way->trans + (by->classes & TRANS ? 1 : 0), 255);
  way->branched |= (by->classes & BIT(BRANCHES)) != 0;
  return (way->alive[0] | way->alive[1]) && (first->hazards->unlimited || way->states < first->hazards->states_most ||
                                             way->valus < first->hazards->valus_most);
}

/* ---- scalar registers that vector instructions have read --------------------------------------------------------- */

static void add_scalars(const struct og_touch *touch, unsigned what, uint64_t set[2]) {
  for (unsigned k = touch->first; k < touch->first + touch->count; k++) {
    unsigned vcc = k - (OG_PLACE_SPECIAL + OG_SPECIAL_VCC_LO);
    unsigned number = k < OG_PLACE_SPECIAL ? k - OG_PLACE_SGPR : NUMBER_VCC + vcc;
    if (what_is(k) & what)
      set[number / 64] |= 1ull << number % 64;
  }
}

static void find_scalars(const struct og_hazard_party *inst, unsigned how, unsigned what, uint64_t set[2]) {
  set[0] = set[1] = 0;
  for (unsigned i = 0; i < inst->count; i++)
    if (inst->touches[i].as & how && inst->touches[i].first >= OG_PLACE_SGPR)
      add_scalars(&inst->touches[i], what, set);
}

static uint16_t first_place(const uint64_t set[2]) {
  unsigned number = set[0] ? (unsigned)__builtin_ctzll(set[0]) : 64 + (unsigned)__builtin_ctzll(set[1]);
  return (uint16_t)(number < NUMBER_VCC ? OG_PLACE_SGPR + number
                                        : OG_PLACE_SPECIAL + OG_SPECIAL_VCC_LO + number - NUMBER_VCC);
}

void og_hazard_behind(const struct og_isa *isa, const struct og_hazard_party *inst, struct og_hazard_behind *behind) {
  const struct og_hazards *by = inst->hazards;
  bool valu = og_is_valu(by->classes), scalar = by->classes & SALU;
  *behind = (struct og_hazard_behind){.counts_at_once = isa->gfx12 && valu};
  find_scalars(inst, READS, SGPR, behind->read);
  for (unsigned i = 0; i < inst->count; i++)
    behind->writes |= inst->touches[i].writes && inst->touches[i].first >= OG_PLACE_SGPR;
  for (unsigned n = 0; n < og_hazard_count; n++) {
    const struct og_hazard *h = &og_hazard_table[n];
    if (h->cure != OG_HAZARD_DEPCTR_BEHIND || !og_hazard_is_of(h, isa))
      continue;
    bool by_scalar = h->second & SALU;
    uint64_t kind[2], more[2];
    find_scalars(inst, READS, h->what, kind);
    unsigned line = behind->count++;
    behind->lines[line].hazard = h;
    behind->lines[line].looks = valu || (scalar && by_scalar);
    /* The SALU waits for writes of vector instructions whenever it reads any such register. */
    behind->lines[line].ends = by->ends[n / 64] >> n % 64 & 1 || (scalar && !by_scalar && (kind[0] | kind[1]));
    behind->lines[line].opens = by->classes & h->second;
    find_scalars(inst, WRITES, h->what, behind->lines[line].written);
    behind->opens |= behind->lines[line].opens && (behind->lines[line].written[0] | behind->lines[line].written[1]);
    if (by->classes & h->first) {
      find_scalars(inst, h->first_how, SGPR, more);
      behind->counting[0] |= more[0], behind->counting[1] |= more[1];
    }
  }
}

/* What it reads that was not waited for, and what is written behind it. */
static void look_behind(const struct og_hazard_behind *inst, struct og_hazard_scalars *scalars,
                        struct og_hazard_gap *gap) {
  scalars->open = 0;
  for (unsigned line = 0; line < inst->count; line++) {
    const struct og_hazard *h = inst->lines[line].hazard;
    uint64_t *written = scalars->written[line];
    const uint64_t both[2] = {written[0] & inst->read[0], written[1] & inst->read[1]};
    if ((both[0] | both[1]) && inst->lines[line].looks)
      *gap = (struct og_hazard_gap){h, 1, first_place(both)};
    for (unsigned w = 0; w < 2; w++) {
      uint64_t read = scalars->read[w], low = 0x5555555555555555u;
      /* banks of two registers */
      uint64_t known = h->first == MASKED ? read : read | (read & low) << 1 | (read >> 1 & low);
      uint64_t writes = inst->lines[line].written[w], stays = inst->lines[line].ends ? 0 : written[w] & ~writes;
      written[w] = stays | (inst->lines[line].opens ? writes & known : 0);
      scalars->open |= written[w];
    }
  }
}

bool og_hazard_go_behind(const struct og_hazard_behind *inst, struct og_hazard_scalars *scalars,
                         struct og_hazard_gap *gap) {
  *gap = (struct og_hazard_gap){0};
  for (unsigned w = 0; w < 2 && inst->counts_at_once; w++)
    scalars->read[w] |= inst->read[w];
  if (inst->opens || scalars->open)
    look_behind(inst, scalars, gap);
  for (unsigned w = 0; w < 2; w++)
    scalars->read[w] |= inst->counting[w];
  return gap->hazard;
}

bool og_hazard_scalars(const struct og_isa *isa, const struct og_hazard_party *inst, struct og_hazard_scalars *scalars,
                       struct og_hazard_gap *gap) {
  struct og_hazard_behind behind;
  og_hazard_behind(isa, inst, &behind);
  return og_hazard_go_behind(&behind, scalars, gap);
}

/* ---- in words ---------------------------------------------------------------------------------------------------- */

void og_hazard_advice(const struct og_isa *isa, const struct og_hazard_gap *gap, char advice[64]) {
  const char *depctr = isa->gfx12 ? "s_wait_alu" : "s_waitcnt_depctr";
  switch ((enum og_hazard_cure)gap->hazard->cure) {
  case OG_HAZARD_STATES:
  case OG_HAZARD_PASSES: snprintf(advice, 64, "s_nop %u", gap->missing - 1); return;
  case OG_HAZARD_VALUS:
    if (gap->hazard->second & PERMLANE)
      snprintf(advice, 64, "a vector instruction other than v_nop");
    else
      snprintf(advice, 64, "%u v_nop%s", gap->missing, gap->missing == 1 ? "" : "s");
    return;
  case OG_HAZARD_NULL_MOVE: snprintf(advice, 64, "s_mov_b32 null, 0"); return;
  case OG_HAZARD_VSCNT: snprintf(advice, 64, "s_waitcnt_vscnt null, 0x0"); return;
  default: snprintf(advice, 64, "%s 0x%x", depctr, (unsigned)gap->hazard->amount);
  }
}
