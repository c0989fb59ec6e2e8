/* hazards.c - puts distance between instructions that the hardware does not keep apart by itself, by isa/hazards.def:
 * for wait states it looks back over all paths to an instruction, for other cures it finds what may be pending
 * there. */
#include "cc/select.h"
#include <string.h>

#undef ALU /* in hazard_names.h these are classes of instructions */
#undef VALU
#undef SALU
#include "isa/hazard_names.h"

enum { STATES_MOST = 20 }; /* the largest number of wait states behind any instruction */

static bool writes_part(const struct cc_function *c, const struct cc_inst *i) {
  struct og_inst inst;
  struct og_effects effects;
  struct og_hazards hazards;
  cc_fill(c, i, &inst);
  og_inst_effects(c->isa, &inst, &effects);
  og_inst_hazards(c->isa, &inst, &effects, &hazards);
  return hazards.classes & BIT(PARTIAL);
}

/* The classes that the table of hazards names, of an instruction; some depend on its operands. */
static uint64_t classes_of(const struct cc_function *c, const struct cc_inst *i) {
  if (i->row == CC_ROW_WAIT_ALL)
    return 0;
  uint64_t classes = og_form_hazard_classes(c->isa, og_form(c->isa, i->form));
  bool wide = false, scalar = false;
  for (unsigned o = 0; o < i->operands; o++) {
    struct cc_operand x = c->operands.items[i->first + o];
    bool vector = x.kind == CC_REG && cc_is_vector(c, x);
    wide |= vector && x.dwords > 2;
    scalar |= o < i->defs && (x.kind == CC_REG || x.kind == CC_SPECIAL) && !vector;
  }
  return classes | (wide && !i->defs && classes & BIT(VMEM) ? BIT(WIDE) : 0) |
         (scalar && og_is_valu(classes) ? BIT(VALU_SCALAR) : 0) |
         (c->isa->gfx940 && og_is_valu(classes) && writes_part(c, i) ? BIT(PARTIAL) : 0);
}

/* ---- touched registers: scalar ones by number, among them VCC, M0 and EXEC; then vector ones; then MODE ---------- */

enum {
  NUMBER_VCC = 106, NUMBER_M0 = 124, NUMBER_EXEC = 126, NUMBER_VECTOR = 128, NUMBER_ACCUMULATOR = NUMBER_VECTOR + 256,
  NUMBER_MODE = NUMBER_ACCUMULATOR + 256, WORDS = NUMBER_MODE / 64 + 1
};
struct touched {
  uint64_t bits[WORDS];
};

static void touch(struct touched *t, unsigned number, unsigned count) {
  for (unsigned k = number; k < number + count && k < 64 * WORDS; k++)
    t->bits[k / 64] |= UINT64_C(1) << k % 64;
}

static void touch_special(unsigned special, unsigned count, unsigned what, struct touched *t) {
  if (special <= OG_SPECIAL_VCC_HI && what & OG_HAZARD_VCC)
    touch(t, NUMBER_VCC + special - OG_SPECIAL_VCC_LO, count);
  if (special == OG_SPECIAL_M0 && what & OG_HAZARD_M0)
    touch(t, NUMBER_M0, 1);
  if ((special == OG_SPECIAL_EXEC_LO || special == OG_SPECIAL_EXEC_HI) && what & OG_HAZARD_EXEC)
    touch(t, NUMBER_EXEC, 2);
}

/* The registers of the kind `what` that an instruction touches. Whether a source is an address or data is not looked
 * at. */
static void find_touched(const struct cc_function *c, const struct cc_inst *i, uint64_t classes, unsigned how,
                         unsigned what, struct touched *t) {
  bool writes = how & (OG_AS_RESULT | OG_AS_NAMED), reads = how & ~(unsigned)(OG_AS_RESULT | OG_AS_NAMED);
  *t = (struct touched){0};
  if (what & (OG_HAZARD_MODE | OG_HAZARD_NOTHING))
    touch(t, NUMBER_MODE, 1);
  if (what & OG_HAZARD_EXEC && reads && (og_is_valu(classes) || classes & (BIT(VMEM) | BIT(LDS))))
    touch(t, NUMBER_EXEC, 2);
  if (what & OG_HAZARD_VCC && reads && classes & BIT(FMAS)) /* it is read without being an operand */
    touch(t, NUMBER_VCC, 2);
  if (what & OG_HAZARD_M0 && reads && classes & (BIT(MESSAGE) | BIT(INTERP) | BIT(LDS_DMA)))
    touch(t, NUMBER_M0, 1);
  for (unsigned o = writes ? 0 : i->defs, end = reads ? i->operands : i->defs; o < end; o++) {
    struct cc_operand x = c->operands.items[i->first + o];
    static const unsigned begin[CC_FILES] = {0, NUMBER_VECTOR, NUMBER_ACCUMULATOR}, of[CC_FILES] = {SGPRS, VGPR, AGPR};
    unsigned file = x.kind == CC_REG ? c->regs.items[x.value].file : 0u;
    if (x.kind == CC_REG && what & of[file])
      touch(t, begin[file] + c->regs.items[x.value].physical + x.sub, x.dwords);
    if (x.kind == CC_SPECIAL)
      touch_special((unsigned)x.value, x.dwords, what, t);
  }
}

static bool meet(const struct touched *a, const struct touched *b) {
  bool both = false;
  for (unsigned k = 0; k < WORDS; k++)
    both |= a->bits[k] & b->bits[k];
  return both;
}

/* ---- wait states ------------------------------------------------------------------------------------------------- */

struct search {
  struct cc_function *c;
  uint64_t *classes;     /* by instruction */
  uint32_t *position_of; /* by instruction: 1 + position of the block that it begins */
  uint32_t *jumps_at, *jumps; /* by position: where its jumps begin; instructions that jump there */
  bool *matters;        /* by line of the table: this processor has it, and its two instructions are here */
  uint32_t second; /* the instruction from which the search goes back */
  int needed;
};

/* One side of a hazard in which matrices are multiplied: there it matters which operand touches a register. */
static unsigned party(const struct cc_function *c, const struct cc_inst *i, struct og_hazards *hazards,
                      struct og_touch touches[OG_TOUCHES_MOST]) {
  struct og_inst inst;
  struct og_effects effects;
  const struct og_transfer none = {0};
  cc_fill(c, i, &inst);
  og_inst_effects(c->isa, &inst, &effects);
  og_inst_hazards(c->isa, &inst, &effects, hazards);
  return og_inst_touches(c->isa, &inst, &effects, &none, touches);
}

static int missing(const struct search *s, const struct og_hazard *h, uint32_t first, uint32_t second, int passed) {
  struct og_hazards hazards[2];
  struct og_touch touches[2][OG_TOUCHES_MOST];
  struct og_hazard_party parties[2];
  struct og_hazard_way way = {.states = (uint16_t)passed, .valus = (uint8_t)passed};
  struct og_hazard_gap gap;
  for (unsigned k = 0; k < 2; k++) {
    unsigned count = party(s->c, &s->c->insts.items[k ? second : first], &hazards[k], touches[k]);
    parties[k] = (struct og_hazard_party){&hazards[k], touches[k], count};
  }
  size_t line = (size_t)(h - og_hazard_table);
  way.alive[line / 64] = UINT64_C(1) << line % 64;
  return og_hazard_meets(&way, &parties[0], &parties[1], &gap) ? (int)gap.missing : 0;
}

static int wanted(const struct search *s, const struct og_hazard *h, uint32_t first) {
  return h->amount +
         (h->cure == OG_HAZARD_PASSES ? (int)og_form_passes(og_form(s->c->isa, s->c->insts.items[first].form)) : 0);
}

/* Goes back over all paths from what stands before `k`, and raises `needed` where an instruction like `h->first`
 * touches one of the registers `now` and too few states have passed since. `jumped`: the path came to `k` by a jump. */
static void look_back(struct search *s, const struct og_hazard *h, const struct touched *now, uint32_t k, int passed,
                      bool jumped, unsigned depth) {
  struct cc_function *c = s->c;
  int most = h->cure == OG_HAZARD_PASSES ? STATES_MOST : h->amount;
  for (; passed < most; jumped = false) {
    uint32_t position = jumped ? 0 : s->position_of[k];
    for (uint32_t p = position; p && depth < 8 && p <= c->positions && c->nodes.items[c->layout[p - 1]].first == k; p++)
      for (uint32_t j = s->jumps_at[p - 1]; j < s->jumps_at[p]; j++)
        look_back(s, h, now, s->jumps[j] + 1, passed, true, depth + 1);
    if (!k)
      return;
    const struct cc_inst *i = &c->insts.items[--k];
    if (i->row == OG_ROW_S_BRANCH && position)
      return; /* no path falls through a branch */
    struct touched then;
    if (s->classes[k] & h->first) {
      find_touched(c, i, s->classes[k], h->first_how, h->what, &then);
      if (meet(&then, now)) {
        bool matrices = (s->classes[k] | s->classes[s->second]) & (MFMA | WMMA);
        int more = matrices ? missing(s, h, k, s->second, passed) : wanted(s, h, k) - passed;
        s->needed = OG_MAX(s->needed, more);
        if (more > 0 && h->cure != OG_HAZARD_PASSES) /* an earlier one may take longer */
          return;
      }
    }
    int itself = h->cure == OG_HAZARD_VALUS ? og_is_valu(s->classes[k]) : i->row != CC_ROW_WAIT_ALL;
    passed += itself + (i->row == CC_ROW_WAIT_ALL ? 0 : c->nops[k]);
  }
}

static bool counts(const struct og_hazard *h) {
  return h->cure == OG_HAZARD_STATES || h->cure == OG_HAZARD_PASSES || h->cure == OG_HAZARD_VALUS;
}

/* Finds the lines of the table that may matter in this function. */
static void find_lines(struct search *s) {
  uint64_t all = 0;
  s->matters = OG_NEW_ARRAY(s->c->arena, bool, og_hazard_count + 1);
  for (uint32_t k = 0; k < s->c->insts.count; k++)
    all |= s->classes[k];
  for (unsigned n = 0; n < og_hazard_count; n++)
    s->matters[n] = og_hazard_is_of(&og_hazard_table[n], s->c->isa) && all & og_hazard_table[n].first &&
                    all & og_hazard_table[n].second;
}

static void count_states(struct search *s) {
  struct cc_function *c = s->c;
  const struct og_hazard *lines[OG_HAZARDS_MOST];
  unsigned count = 0;
  for (unsigned n = 0; n < og_hazard_count; n++)
    if (s->matters[n] && counts(&og_hazard_table[n]))
      lines[count++] = &og_hazard_table[n];
  for (uint32_t k = 0; k < c->insts.count && count; k++)
    for (unsigned n = 0; n < count; n++) {
      struct touched now;
      if (!(s->classes[k] & lines[n]->second))
        continue;
      find_touched(c, &c->insts.items[k], s->classes[k], lines[n]->second_how, lines[n]->what, &now);
      s->needed = 0, s->second = k;
      look_back(s, lines[n], &now, k, 0, false, 0);
      c->nops[k] = (uint8_t)OG_MAX(c->nops[k], s->needed);
    }
}

/* ---- other cures: what may be pending ---------------------------------------------------------------------------- */

/* One instruction: whether it needs the cure; updates what is pending. */
static bool step(const struct cc_function *c, const struct og_hazard *h, const struct cc_inst *i, uint64_t classes,
                 struct touched *pending) {
  struct touched now;
  bool needs = false;
  if (classes & h->second) {
    find_touched(c, i, classes, h->second_how, h->what, &now);
    needs = meet(&now, pending);
  }
  if (needs || classes & h->ends) /* the instruction itself waits */
    *pending = (struct touched){0};
  if (classes & h->first) {
    find_touched(c, i, classes, h->first_how, h->what, &now);
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

/* For the cure VSCNT: whether the first kind of instruction has run, and a branch since. */
static bool step_branch(const struct cc_function *c, const struct og_hazard *h, const struct cc_inst *i,
                        uint64_t classes, struct touched *pending) {
  enum { SEEN = 1, BRANCHED = 2 };
  bool needs = classes & h->second && pending->bits[0] & BRANCHED;
  if (classes & h->second)
    pending->bits[0] = 0;
  if (classes & h->first)
    pending->bits[0] = SEEN;
  if ((cc_is_jump(i) || i->row == OG_ROW_S_BRANCH) && pending->bits[0])
    pending->bits[0] = BRANCHED;
  (void)c;
  return needs;
}

static void find_pending(const struct search *s, const struct og_hazard *h) {
  struct cc_function *c = s->c;
  struct touched *in = OG_NEW_ARRAY(c->arena, struct touched, c->positions + 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t p = 0; p < c->positions; p++) {
      const struct cc_node *n = &c->nodes.items[c->layout[p]];
      struct touched pending = in[p];
      bool falls = true;
      for (uint32_t k = n->first; k < n->end; k++) {
        const struct cc_inst *i = &c->insts.items[k];
        bool branches = h->cure == OG_HAZARD_VSCNT;
        if (branches ? step_branch(c, h, i, s->classes[k], &pending) : step(c, h, i, s->classes[k], &pending))
          c->cures[k] |= (uint8_t)(1u << h->cure),
              c->depctr[k] &= (uint16_t)(branches || !h->amount ? UINT16_MAX : h->amount);
        if (cc_is_jump(i))
          changed |= join(&in[i->offset], &pending) && (uint32_t)i->offset <= p;
        falls = i->row != OG_ROW_S_BRANCH;
      }
      if (falls)
        join(&in[p + 1], &pending);
    }
  }
}

/* ---- scalar registers that are written after vector instructions read them
 * ---------------------------------------- */

/* One instruction's part in these hazards: it waits for all lines of the table that call for it. */
static void step_scalars(struct cc_function *c, uint32_t k, struct og_hazard_scalars *state) {
  const struct cc_inst *i = &c->insts.items[k];
  struct og_hazards hazards;
  struct og_touch touches[OG_TOUCHES_MOST];
  struct og_hazard_gap gap;
  if (i->row == CC_ROW_WAIT_ALL)
    return;
  const struct og_hazard_party by = {&hazards, touches, party(c, i, &hazards, touches)};
  for (;;) {
    struct og_hazard_scalars now = *state;
    if (!og_hazard_scalars(c->isa, &by, &now, &gap)) {
      *state = now;
      return;
    }
    c->cures[k] |= (uint8_t)(1u << OG_HAZARD_DEPCTR), c->depctr[k] &= (uint16_t)gap.hazard->amount;
    unsigned line = 0;
    for (const struct og_hazard *h = og_hazard_table; h < gap.hazard; h++)
      line += h->cure == OG_HAZARD_DEPCTR_BEHIND && og_hazard_is_of(h, c->isa);
    memset(state->written[line], 0, sizeof state->written[line]);
  }
}

static bool join_scalars(struct og_hazard_scalars *to, const struct og_hazard_scalars *from) {
  uint64_t *into = (uint64_t *)to;
  const uint64_t *with = (const uint64_t *)from;
  bool changed = false;
  for (size_t k = 0; k < sizeof *to / sizeof *into; k++) {
    changed |= with[k] & ~into[k];
    into[k] |= with[k];
  }
  return changed;
}

static void find_scalars(struct cc_function *c) {
  struct og_hazard_scalars *in = OG_NEW_ARRAY(c->arena, struct og_hazard_scalars, c->positions + 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t p = 0; p < c->positions; p++) {
      const struct cc_node *n = &c->nodes.items[c->layout[p]];
      struct og_hazard_scalars state = in[p];
      bool falls = true;
      for (uint32_t k = n->first; k < n->end; k++) {
        const struct cc_inst *i = &c->insts.items[k];
        step_scalars(c, k, &state);
        if (cc_is_jump(i))
          changed |= join_scalars(&in[i->offset], &state) && (uint32_t)i->offset <= p;
        falls = i->row != OG_ROW_S_BRANCH;
      }
      if (falls)
        join_scalars(&in[p + 1], &state);
    }
  }
}

bool cc_hazards(struct cc_function *c) {
  struct search s = {.c = c};
  c->nops = OG_NEW_ARRAY(c->arena, uint8_t, c->insts.count + 1);
  c->cures = OG_NEW_ARRAY(c->arena, uint8_t, c->insts.count + 1);
  c->depctr = OG_NEW_ARRAY(c->arena, uint16_t, c->insts.count + 1);
  s.classes = OG_NEW_ARRAY(c->arena, uint64_t, c->insts.count + 1);
  s.position_of = OG_NEW_ARRAY(c->arena, uint32_t, c->insts.count + 1);
  s.jumps_at = OG_NEW_ARRAY(c->arena, uint32_t, c->positions + 2);
  s.jumps = OG_NEW_ARRAY(c->arena, uint32_t, c->insts.count + 1);
  for (uint32_t k = 0; k < c->insts.count; k++) {
    s.classes[k] = classes_of(c, &c->insts.items[k]);
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
  find_lines(&s);
  count_states(&s);
  bool behind = false;
  for (unsigned n = 0; n < og_hazard_count; n++) {
    const struct og_hazard *h = &og_hazard_table[n];
    bool here = og_hazard_is_of(h, c->isa);
    behind |= here && h->cure == OG_HAZARD_DEPCTR_BEHIND;
    if (s.matters[n] && !counts(h) && h->cure != OG_HAZARD_DEPCTR_BEHIND)
      find_pending(&s, h);
  }
  if (behind)
    find_scalars(c);
  return true;
}

bool cc_is_cured(const struct cc_function *c, uint32_t inst, bool *null_move) {
  unsigned cures = c->cures[inst];
  *null_move = cures >> OG_HAZARD_NULL_MOVE & 1;
  return (cures >> OG_HAZARD_DEPCTR | cures >> OG_HAZARD_DEPCTR_SOON) & 1;
}

bool cc_waits_for_stores(const struct cc_function *c, uint32_t inst) { return c->cures[inst] >> OG_HAZARD_VSCNT & 1; }
