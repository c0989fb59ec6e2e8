/* hazards.c - what has to stand between instructions that the hardware does not keep apart itself, by isa/hazards.def:
 * wait states by looking back over all ways that lead to an instruction, other cures by what may be pending there. */
#include "cc/select.h"

enum { VALU, TRANS, SALU, SMEM, VMEM, LDS, GDS_OR_MESSAGE, LANE, READLANE, FMAS, DPP, MASKED, SETREG, GETREG, MOVREL,
       WIDE_STORE };
enum { WRITES, READS };
enum { SGPR, VGPR, VCC, EXEC, M0, MODE };
enum { STATES, DEPCTR, DEPCTR_BEHIND, NULL_MOVE };
#define FROM(g) OG_FROM(g)
#define UNTIL(g) OG_UNTIL(g)
#define ONLY(g) (1u << OG_##g)
#define GFX8_9 (FROM(GFX8) & UNTIL(GFX950))
#define GFX7_9 (FROM(GFX7) & UNTIL(GFX950))
#define GFX940 (FROM(GFX942) & UNTIL(GFX950))
#define GFX11_ALL (ONLY(GFX11) | ONLY(GFX11_5))
static const struct hazard {
  uint32_t where;
  uint8_t first, first_how, what, second, second_how, cure;
  uint16_t amount;
} hazards[] = {
#define HAZARD(...) {__VA_ARGS__},
#include "isa/hazards.def"
};

static bool is(const struct cc_function *c, const struct cc_inst *i, unsigned who) {
  if (i->row == CC_ROW_WAIT_ALL)
    return false;
  const struct og_form *form = og_form(c->isa, i->form);
  unsigned issue = form->issue;
  switch (who) {
  case VALU: return issue == OG_ISSUE_VALU || issue == OG_ISSUE_TRANS || issue == OG_ISSUE_MATRIX;
  case TRANS: return issue == OG_ISSUE_TRANS;
  case SALU: return issue == OG_ISSUE_SALU;
  case VMEM: return issue == OG_ISSUE_VMEM || issue == OG_ISSUE_FLAT;
  case SMEM: return issue == OG_ISSUE_SMEM;
  case LDS: return issue == OG_ISSUE_LDS;
  case GDS_OR_MESSAGE: return issue == OG_ISSUE_MESSAGE;
  case READLANE: return i->row == OG_ROW_V_READLANE_B32 || i->row == OG_ROW_V_READFIRSTLANE_B32;
  case LANE: return i->row == OG_ROW_V_READLANE_B32 || i->row == OG_ROW_V_WRITELANE_B32;
  case FMAS: return i->row == OG_ROW_V_DIV_FMAS_F32 || i->row == OG_ROW_V_DIV_FMAS_F64;
  case DPP: return form->suffix == OG_SUFFIX_DPP;
  case MASKED:
    return i->row == OG_ROW_V_CNDMASK_B32 || i->row == OG_ROW_V_ADDC_CO_U32 || i->row == OG_ROW_V_SUBB_CO_U32 ||
           i->row == OG_ROW_V_SUBBREV_CO_U32 || is(c, i, FMAS);
  case SETREG: return i->row == OG_ROW_S_SETREG_B32;
  case GETREG: return i->row == OG_ROW_S_GETREG_B32;
  case WIDE_STORE: {
    bool wide = false;
    for (unsigned o = 0; o < i->operands; o++)
      wide |= c->operands.items[i->first + o].kind == CC_REG && c->operands.items[i->first + o].dwords > 2 &&
              cc_is_vector(c, c->operands.items[i->first + o]);
    return wide && !i->defs && is(c, i, VMEM);
  }
  default: return false;
  }
}

/* ---- registers that are touched: by number, VCC and M0 and EXEC at the end of the scalar ones ---------------------------- */

enum { NUMBER_VCC = 106, NUMBER_M0 = 124, NUMBER_EXEC = 126, WORDS = 8 };
struct touched {
  uint64_t bits[WORDS];
};

static void touch(struct touched *t, unsigned number, unsigned count) {
  for (unsigned k = number; k < number + count && k < 64 * WORDS; k++)
    t->bits[k / 64] |= UINT64_C(1) << k % 64;
}

static void find_touched(const struct cc_function *c, const struct cc_inst *i, unsigned how, unsigned what,
                         struct touched *t) {
  *t = (struct touched){0};
  if (what == MODE)
    touch(t, 0, 1);
  if (what == EXEC && how == READS && (is(c, i, VALU) || is(c, i, VMEM) || is(c, i, LDS)))
    touch(t, NUMBER_EXEC, 2);
  if (what == M0 && how == READS)
    touch(t, NUMBER_M0, 1);
  unsigned first = how == WRITES ? 0 : i->defs, end = how == WRITES ? i->defs : i->operands;
  for (unsigned o = first; o < end; o++) {
    struct cc_operand x = c->operands.items[i->first + o];
    if (x.kind == CC_REG && what == (cc_is_vector(c, x) ? VGPR : SGPR))
      touch(t, c->regs.items[x.value].physical + x.sub, x.dwords);
    if (x.kind != CC_SPECIAL)
      continue;
    if (x.value <= OG_SPECIAL_VCC_HI && (what == VCC || what == SGPR))
      touch(t, NUMBER_VCC + x.value - OG_SPECIAL_VCC_LO, x.dwords);
    if (x.value == OG_SPECIAL_M0 && what == M0)
      touch(t, NUMBER_M0, 1);
    if ((x.value == OG_SPECIAL_EXEC_LO || x.value == OG_SPECIAL_EXEC_HI) && what == EXEC)
      touch(t, NUMBER_EXEC, 2);
  }
}

static bool meet(const struct touched *a, const struct touched *b) {
  bool both = false;
  for (unsigned k = 0; k < WORDS; k++)
    both |= a->bits[k] & b->bits[k];
  return both;
}

/* ---- wait states -------------------------------------------------------------------------------------------------------------- */

struct search {
  struct cc_function *c;
  uint32_t *position_of; /* by instruction: 1 + position of the block that it begins */
  uint32_t *jumps_at, *jumps; /* by position: instructions that jump there */
  unsigned needed;
};

/* The fewest states that have passed since one like `h->first` touched what is touched now, over all ways back. */
static void look_back(struct search *s, const struct hazard *h, const struct touched *now, uint32_t k, unsigned passed,
                      unsigned depth) {
  struct cc_function *c = s->c;
  while (passed < h->amount) {
    uint32_t position = s->position_of[k];
    for (uint32_t p = position; p && depth < 8 && p <= c->positions && c->nodes.items[c->layout[p - 1]].first == k; p++)
      for (uint32_t j = s->jumps_at[p - 1]; j < s->jumps_at[p]; j++)
        look_back(s, h, now, s->jumps[j] + 1, passed, depth + 1);
    if (!k)
      return;
    const struct cc_inst *i = &c->insts.items[--k];
    if (i->row == OG_ROW_S_BRANCH && position)
      return; /* nothing falls through */
    struct touched then;
    if (is(c, i, h->first)) {
      find_touched(c, i, h->first_how, h->what, &then);
      if (meet(&then, now)) {
        s->needed = OG_MAX(s->needed, h->amount - passed);
        return;
      }
    }
    passed += i->row == CC_ROW_WAIT_ALL ? 0 : 1u + c->nops[k];
  }
}

static void count_states(struct search *s, uint32_t generation) {
  struct cc_function *c = s->c;
  for (uint32_t k = 0; k < c->insts.count; k++)
    for (unsigned n = 0; n < OG_COUNT(hazards); n++) {
      const struct hazard *h = &hazards[n];
      struct touched now;
      if (h->cure != STATES || !(h->where & generation) || !is(c, &c->insts.items[k], h->second))
        continue;
      find_touched(c, &c->insts.items[k], h->second_how, h->what, &now);
      s->needed = 0;
      look_back(s, h, &now, k, 0, 0);
      c->nops[k] = (uint8_t)OG_MAX(c->nops[k], s->needed);
    }
}

/* ---- other cures: what may be pending ------------------------------------------------------------------------------------------- */

/* One instruction: whether it needs the cure, and what is pending behind it. */
static bool step(const struct cc_function *c, const struct hazard *h, const struct cc_inst *i, struct touched *pending) {
  struct touched now;
  bool needs = false;
  if (is(c, i, h->second)) {
    find_touched(c, i, h->second_how, h->what, &now);
    needs = meet(&now, pending);
  }
  if (needs || (h->cure == DEPCTR && h->first != TRANS && is(c, i, VALU))) /* vector instructions wait themselves */
    *pending = (struct touched){0};
  if (is(c, i, h->first)) {
    find_touched(c, i, h->first_how, h->what, &now);
    for (unsigned k = 0; k < WORDS; k++)
      pending->bits[k] |= now.bits[k];
  }
  return needs;
}

static bool join(struct touched *to, const struct touched *from) {
  bool changed = false;
  for (unsigned k = 0; k < WORDS; k++) {
    changed |= from->bits[k] & ~to->bits[k];
    to->bits[k] |= from->bits[k];
  }
  return changed;
}

static void find_pending(struct cc_function *c, const struct hazard *h) {
  struct touched *in = OG_NEW_ARRAY(c->arena, struct touched, c->positions + 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t p = 0; p < c->positions; p++) {
      const struct cc_node *n = &c->nodes.items[c->layout[p]];
      struct touched pending = in[p];
      bool falls = true;
      for (uint32_t k = n->first; k < n->end; k++) {
        const struct cc_inst *i = &c->insts.items[k];
        if (step(c, h, i, &pending))
          c->cures[k] |= (uint8_t)(1u << h->cure), c->depctr[k] &= h->amount;
        if (cc_is_jump(i))
          changed |= join(&in[i->offset], &pending) && (uint32_t)i->offset <= p;
        falls = i->row != OG_ROW_S_BRANCH;
      }
      if (falls)
        join(&in[p + 1], &pending);
    }
  }
}

bool cc_hazards(struct cc_function *c) {
  uint32_t generation = 1u << c->isa->generation;
  struct search s = {.c = c};
  c->nops = OG_NEW_ARRAY(c->arena, uint8_t, c->insts.count + 1);
  c->cures = OG_NEW_ARRAY(c->arena, uint8_t, c->insts.count + 1);
  c->depctr = OG_NEW_ARRAY(c->arena, uint16_t, c->insts.count + 1);
  s.position_of = OG_NEW_ARRAY(c->arena, uint32_t, c->insts.count + 1);
  s.jumps_at = OG_NEW_ARRAY(c->arena, uint32_t, c->positions + 2);
  s.jumps = OG_NEW_ARRAY(c->arena, uint32_t, c->insts.count + 1);
  for (uint32_t k = 0; k < c->insts.count; k++) {
    c->depctr[k] = UINT16_MAX;
    if (cc_is_jump(&c->insts.items[k]))
      s.jumps_at[c->insts.items[k].offset]++;
  }
  for (uint32_t p = 1; p <= c->positions; p++)
    s.jumps_at[p] += s.jumps_at[p - 1];
  for (uint32_t k = 0; k < c->insts.count; k++)
    if (cc_is_jump(&c->insts.items[k]))
      s.jumps[--s.jumps_at[c->insts.items[k].offset]] = k;
  for (uint32_t p = c->positions; p-- > 0;)
    s.position_of[c->nodes.items[c->layout[p]].first] = 1 + p;
  if (generation & UNTIL(GFX950))
    count_states(&s, generation);
  for (unsigned n = 0; n < OG_COUNT(hazards); n++)
    if (hazards[n].cure != STATES && hazards[n].where & generation)
      find_pending(c, &hazards[n]);
  return true;
}

bool cc_is_cured(const struct cc_function *c, uint32_t inst, bool behind, bool *null_move) {
  *null_move = !behind && c->cures[inst] >> NULL_MOVE & 1;
  return c->cures[inst] >> (behind ? DEPCTR_BEHIND : DEPCTR) & 1;
}
