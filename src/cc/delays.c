/* delays.c - from gfx11 on, s_delay_alu says how long ago an instruction's sources were computed, so that the SIMD
 * issues instructions of other waves meanwhile (RDNA3 ISA, "S_DELAY_ALU"). It changes no result. Delays are found
 * within a block; an s_delay_alu with room takes the delay of a near later instruction, too. */
#include "cc/select.h"

#include <string.h>

/* Cycles until a result can be read without a stall; how many instructions of the kind can be counted back. */
enum { VALU_CYCLES = 5, TRANS_CYCLES = 10, SALU_CYCLES = 1, VALUS = 4, TRANSES = 3 };
/* Codes of what is waited for. */
enum { VALU_DEP = 1, TRANS_DEP = 5, SALU_CYCLE = 9 };
enum { SECOND_AT = 7, SKIP_MOST = 5 };
enum { NUMBER_VECTOR = 128, NUMBERS = NUMBER_VECTOR + 256, NONE = UINT8_MAX };

/* What wrote a register last in the block. */
struct writer {
  uint8_t issue; /* enum og_issue, or NONE */
  uint32_t time, number; /* of its kind */
};

struct state {
  struct cc_function *c;
  struct writer by[NUMBERS];
  uint32_t time, valus, transes;
  uint32_t told; /* 1 + the last instruction whose s_delay_alu has room for another delay */
};

/* The number of an operand's first dword; NUMBERS: it is not followed. */
static unsigned number_of(const struct cc_function *c, struct cc_operand o) {
  if (o.kind == CC_SPECIAL && o.value <= OG_SPECIAL_VCC_HI)
    return 106 + o.value - OG_SPECIAL_VCC_LO;
  if (o.kind != CC_REG || c->regs.items[o.value].file == CC_A)
    return NUMBERS;
  const struct cc_reg *r = &c->regs.items[o.value];
  return (r->file == CC_V ? (unsigned)NUMBER_VECTOR : 0) + r->physical + o.sub;
}

/* What to wait for so that a result can be read; 0: nothing. */
static unsigned delay_of(const struct state *s, const struct writer *w) {
  uint32_t passed = s->time - w->time;
  if (w->issue == OG_ISSUE_VALU && s->valus - w->number < VALUS && passed < VALU_CYCLES)
    return VALU_DEP + s->valus - w->number;
  if (w->issue == OG_ISSUE_TRANS && s->transes - w->number < TRANSES && passed < TRANS_CYCLES)
    return TRANS_DEP + s->transes - w->number;
  if (w->issue == OG_ISSUE_SALU && passed < SALU_CYCLES)
    return SALU_CYCLE + SALU_CYCLES - passed - 1;
  return 0;
}

/* Up to two delays of an instruction, of each kind the nearest. */
static unsigned delays_of(const struct state *s, const struct cc_inst *i) {
  unsigned nearest[3] = {0}, found = 0, count = 0;
  for (unsigned o = i->defs; o < i->operands; o++) {
    struct cc_operand op = s->c->operands.items[i->first + o];
    unsigned number = number_of(s->c, op);
    for (unsigned d = 0; d < op.dwords && number + d < NUMBERS; d++) {
      unsigned delay = delay_of(s, &s->by[number + d]), kind = delay >= SALU_CYCLE ? 2 : delay >= TRANS_DEP;
      if (delay && (!nearest[kind] || (kind == 2 ? delay > nearest[kind] : delay < nearest[kind])))
        nearest[kind] = delay;
    }
  }
  for (unsigned k = 0; k < 3 && count < 2; k++)
    if (nearest[k])
      found |= nearest[k] << (count++ ? SECOND_AT : 0);
  return found;
}

/* Whether no other instruction is put before this one, so that it directly follows the last. */
static bool is_next(const struct cc_function *c, uint32_t k) {
  return !c->waits[k] && !c->nops[k] && !c->cures[k] && !c->clauses[k];
}

static void tell(struct state *s, uint32_t k, unsigned delays) {
  struct cc_function *c = s->c;
  bool single = delays && delays < 1u << SECOND_AT;
  if (s->told && single && k - (s->told - 1) <= SKIP_MOST) {
    c->delays[s->told - 1] |= (uint16_t)((k - (s->told - 1)) << CC_DELAY_SKIP_AT | delays << SECOND_AT);
    s->told = 0;
  } else if (delays) {
    c->delays[k] = (uint16_t)delays;
    s->told = single ? 1 + k : 0;
  }
}

static void step(struct state *s, uint32_t k) {
  struct cc_function *c = s->c;
  const struct cc_inst *i = &c->insts.items[k];
  if (i->row == CC_ROW_WAIT_ALL || i->text || !is_next(c, k))
    s->told = 0;
  if (i->row == CC_ROW_WAIT_ALL)
    return;
  if (i->text) { /* inline assembly */
    memset(s->by, NONE, sizeof s->by);
    return;
  }
  bool null_move;
  if (cc_is_cured(c, k, &null_move)) /* that wait covers everything */
    memset(s->by, NONE, sizeof s->by);
  unsigned issue = og_form(c->isa, i->form)->issue;
  bool valu = issue == OG_ISSUE_VALU || issue == OG_ISSUE_TRANS, alu = valu || issue == OG_ISSUE_SALU;
  if (!alu && issue != OG_ISSUE_SMEM) /* such instructions wait for everything */
    memset(s->by, NONE, sizeof s->by);
  if (alu)
    tell(s, k, delays_of(s, i));
  s->time++;
  s->valus += issue == OG_ISSUE_VALU, s->transes += issue == OG_ISSUE_TRANS;
  for (unsigned o = 0; o < i->defs; o++) {
    struct cc_operand op = c->operands.items[i->first + o];
    unsigned number = number_of(c, op);
    for (unsigned d = 0; d < op.dwords && number + d < NUMBERS; d++)
      s->by[number + d] = (struct writer){alu ? (uint8_t)issue : (uint8_t)NONE, s->time,
                                          issue == OG_ISSUE_TRANS ? s->transes : s->valus};
  }
}

bool cc_delays(struct cc_function *c) {
  c->delays = OG_NEW_ARRAY(c->arena, uint16_t, c->insts.count + 1);
  struct state *s = OG_NEW(c->arena, struct state);
  s->c = c;
  for (uint32_t p = 0; p < c->positions && c->isa->gfx11; p++) {
    const struct cc_node *n = &c->nodes.items[c->layout[p]];
    memset(s->by, NONE, sizeof s->by);
    s->told = 0;
    for (uint32_t k = n->first; k < n->end; k++)
      step(s, k);
  }
  return true;
}
