/* combine.c - makes one instruction of several: those of combine.def, fields of bits, choices of bits, sums with a
 * condition as carry. The pass `dead` removes what is then unused. All this is done within a block, where EXEC stays
 * the same. */
#include "cc/combine.h"

enum { ABO, BAO };
static const struct {
  uint16_t outer, inner, result;
  uint8_t order;
} pairs[] = {
#define COMBINE(outer, inner, result, order) {OG_ROW_##outer, OG_ROW_##inner, OG_ROW_##result, order},
#include "cc/combine.def"
};

operand cc_source(const struct cc_combiner *s, const struct cc_inst *i, unsigned k) {
  return s->c->operands.items[i->first + i->defs + k];
}

const struct cc_inst *cc_any_maker(const struct cc_combiner *s, operand o) {
  if (o.kind != CC_REG || o.flags || !s->made[o.value] || s->made[o.value] - 1 < s->first)
    return NULL;
  uint32_t at = s->made[o.value] - 1;
  const struct cc_inst *i = &s->c->insts.items[at];
  for (unsigned k = 0; k < i->operands; k++) {
    operand x = s->c->operands.items[i->first + k];
    if (x.kind == CC_SPECIAL || x.kind == CC_TTMP)
      return NULL;
    if (k >= i->defs && x.kind == CC_REG && s->written[x.value] > at + 1)
      return NULL;
  }
  return i;
}

static const struct cc_inst *maker(const struct cc_combiner *s, operand o) {
  const struct cc_inst *i = cc_any_maker(s, o);
  return i && !i->variant && !i->mods ? i : NULL;
}

/* The instruction that makes an operand, if no other instruction reads it. */
static const struct cc_inst *only_maker(const struct cc_combiner *s, operand o) {
  return o.kind == CC_REG && s->reads[o.value] == 1 ? maker(s, o) : NULL;
}

static bool same(operand a, operand b) {
  return cc_same(a, b) && a.flags == b.flags;
}

/* Whether three sources may stand in one instruction, by its limit of scalar values and literals, as cc_valu_to()
 * counts them. */
static bool may_read(const struct cc_function *c, const operand *list, unsigned count) {
  unsigned used = 0;
  const operand *said = NULL;
  for (unsigned k = 0; k < count; k++) {
    bool literal = list[k].kind == CC_CONST && !cc_is_inline(list[k].value), again = false;
    if (literal && (!c->isa->gfx10 || (said && !same(*said, list[k])))) /* an instruction has one literal */
      return false;
    said = literal ? &list[k] : said;
    for (unsigned before = 0; before < k; before++)
      again |= same(list[before], list[k]);
    if (!again && (literal || cc_is_scalar_reg(c, list[k])))
      used++;
  }
  return used <= (c->isa->gfx10 ? 2 : 1);
}

/* Instruction `at` becomes another one with the same result. */
bool cc_become(struct cc_combiner *s, uint32_t at, unsigned row, unsigned count, const operand *list) {
  struct cc_function *c = s->c;
  if (!cc_has_row(c, row) || !may_read(c, list, count))
    return false;
  struct cc_inst *i = &c->insts.items[at];
  operand to = c->operands.items[i->first];
  for (unsigned k = i->defs; k < i->operands; k++)
    if (c->operands.items[i->first + k].kind == CC_REG)
      s->reads[c->operands.items[i->first + k].value]--;
  i->row = (uint16_t)row, i->operands = (uint8_t)(1 + count), i->first = c->operands.count;
  *OG_PUSH(c->arena, &c->operands) = to;
  for (unsigned k = 0; k < count; k++) {
    *OG_PUSH(c->arena, &c->operands) = list[k];
    if (list[k].kind == CC_REG)
      s->reads[list[k].value]++;
  }
  return true;
}

static bool by_table(struct cc_combiner *s, uint32_t at) {
  const struct cc_inst i = s->c->insts.items[at];
  bool shifts = i.row == OG_ROW_V_LSHLREV_B32;
  for (unsigned k = 0; k < OG_COUNT(pairs); k++)
    for (unsigned side = shifts; side < 2 && pairs[k].outer == i.row; side++) {
      const struct cc_inst *inner = only_maker(s, cc_source(s, &i, side));
      if (!inner || inner->row != pairs[k].inner || inner->operands != 3)
        continue;
      operand a = cc_source(s, inner, 0), b = cc_source(s, inner, 1), o = cc_source(s, &i, !side);
      if (cc_become(s, at, pairs[k].result, 3, pairs[k].order == ABO ? (operand[]){a, b, o} : (operand[]){b, a, o}))
        return true;
    }
  return false;
}

/* (x >> n) & ones: a field. */
static bool field(struct cc_combiner *s, uint32_t at) {
  const struct cc_inst i = s->c->insts.items[at];
  for (unsigned side = 0; side < 2; side++) {
    operand ones = cc_source(s, &i, !side);
    const struct cc_inst *shift = only_maker(s, cc_source(s, &i, side));
    if (!shift || ones.kind != CC_CONST || !ones.value || ones.value & (ones.value + 1) ||
        shift->row != OG_ROW_V_LSHRREV_B32 || cc_source(s, shift, 0).kind != CC_CONST)
      continue;
    return cc_become(s, at, OG_ROW_V_BFE_U32, 3,
                  (operand[]){cc_source(s, shift, 1), cc_source(s, shift, 0),
                              cc_constant((uint32_t)__builtin_popcount(ones.value))});
  }
  return false;
}

/* The operand of which `o` is the complement. */
static bool complement(const struct cc_combiner *s, operand o, operand *of) {
  const struct cc_inst *i = maker(s, o);
  if (i && i->row == OG_ROW_V_NOT_B32) {
    *of = cc_source(s, i, 0);
    return true;
  }
  for (unsigned side = 0; i && i->row == OG_ROW_V_XOR_B32 && side < 2; side++)
    if (cc_source(s, i, side).kind == CC_CONST && cc_source(s, i, side).value == UINT32_MAX) {
      *of = cc_source(s, i, !side);
      return true;
    }
  return false;
}

/* (a & b) | (~a & c): where a has ones the bits of b, elsewhere those of c. */
static bool choice(struct cc_combiner *s, uint32_t at) {
  const struct cc_inst i = s->c->insts.items[at];
  for (unsigned side = 0; side < 2; side++) {
    const struct cc_inst *x = only_maker(s, cc_source(s, &i, side)), *y = only_maker(s, cc_source(s, &i, !side));
    if (!x || !y || x->row != OG_ROW_V_AND_B32 || y->row != OG_ROW_V_AND_B32)
      return false;
    for (unsigned k = 0; k < 4; k++) {
      operand a = cc_source(s, x, k / 2), of;
      if (complement(s, cc_source(s, y, k % 2), &of) && same(of, a))
        return cc_become(s, at, OG_ROW_V_BFI_B32, 3,
                         (operand[]){a, cc_source(s, x, 1 - k / 2), cc_source(s, y, 1 - k % 2)});
    }
  }
  return false;
}

/* x + (condition ? 1 : 0): the condition becomes the carry. */
static bool add_condition(struct cc_combiner *s, uint32_t at) {
  struct cc_function *c = s->c;
  const struct cc_inst i = c->insts.items[at];
  bool adds = i.row == OG_ROW_V_ADD_U32;
  for (unsigned side = 0; side < 2; side++) {
    operand x = cc_source(s, &i, !side), given = cc_source(s, &i, side);
    const struct cc_inst *choice = only_maker(s, given);
    if (!choice || choice->row != OG_ROW_V_CNDMASK_B32 || !cc_is_vector(c, x) || (!adds && side == 0))
      continue;
    operand no = cc_source(s, choice, 0), yes = cc_source(s, choice, 1), mask = cc_source(s, choice, 2);
    if (no.kind != CC_CONST || no.value || yes.kind != CC_CONST || (yes.value != 1 && yes.value != UINT32_MAX))
      continue;
    bool up = adds == (yes.value == 1);
    unsigned row = up ? OG_ROW_V_ADDC_CO_U32 : OG_ROW_V_SUBB_CO_U32;
    operand to = c->operands.items[i.first], zero = cc_constant(0);
    if (!cc_has_row(c, row))
      return false;
    struct cc_inst *now = &c->insts.items[at];
    s->reads[given.value]--, s->reads[mask.value]++;
    now->row = (uint16_t)row, now->defs = 2, now->operands = 5, now->first = c->operands.count;
    operand list[5] = {to, cc_temp(c, CC_S, c->mask_dwords), up ? zero : x, up ? x : zero, mask};
    for (unsigned k = 0; k < 5; k++)
      *OG_PUSH(c->arena, &c->operands) = list[k];
    return true;
  }
  return false;
}

static void combine(struct cc_combiner *s, uint32_t at) {
  switch (s->c->insts.items[at].row) {
  case OG_ROW_V_OR_B32:
    if (!choice(s, at))
      by_table(s, at);
    break;
  case OG_ROW_V_AND_B32: field(s, at); break;
  case OG_ROW_V_ADD_U32:
    if (!add_condition(s, at))
      by_table(s, at);
    break;
  case OG_ROW_V_SUB_U32: add_condition(s, at); break;
  default: by_table(s, at);
  }
}

bool cc_combine(struct cc_function *c) {
  struct cc_combiner s = {.c = c};
  uint32_t count = c->regs.count;
  s.made = OG_NEW_ARRAY(c->arena, uint32_t, count);
  s.writes = OG_NEW_ARRAY(c->arena, uint8_t, count);
  s.written = OG_NEW_ARRAY(c->arena, uint32_t, count);
  s.reads = OG_NEW_ARRAY(c->arena, uint32_t, count);
  for (uint32_t k = 0; k < c->insts.count; k++) {
    const struct cc_inst *i = &c->insts.items[k];
    for (unsigned o = 0; o < i->operands; o++) {
      operand op = c->operands.items[i->first + o];
      if (op.kind != CC_REG)
        continue;
      if (o >= i->defs) {
        s.reads[op.value]++;
        continue;
      }
      s.made[op.value] = !s.writes[op.value] && op.dwords == c->regs.items[op.value].dwords ? 1 + k : 0;
      s.writes[op.value] = s.writes[op.value] ? 2 : 1;
    }
  }
  for (uint32_t k = 0; k < c->insts.count; k++) { /* upper halves that nobody reads: `dead` removes them */
    const struct cc_inst *i = &c->insts.items[k];
    operand to = c->operands.items[i->first];
    if (i->row == OG_ROW_V_LSHRREV_B32 && to.kind == CC_REG && !s.reads[to.value] &&
        c->operands.items[i->first + 2].kind == CC_REG)
      s.reads[c->operands.items[i->first + 2].value]--;
  }
  for (uint32_t p = 0; p < c->positions; p++) {
    const struct cc_node *n = &c->nodes.items[c->layout[p]];
    s.first = n->first;
    for (uint32_t k = n->first; k < n->end; k++) {
      if (c->insts.items[k].row < OG_ROW_COUNT && c->insts.items[k].defs == 1 && !c->insts.items[k].variant) {
        if (!cc_join_halves(&s, k) && c->insts.items[k].operands == 3)
          combine(&s, k);
        cc_absorb(&s, k);
      }
      const struct cc_inst *i = &c->insts.items[k];
      if (c->modes && (i->row == OG_ROW_S_OR_SAVEEXEC_B64 || i->row == OG_ROW_S_OR_SAVEEXEC_B32 ||
                       (i->defs && c->operands.items[i->first].kind == CC_SPECIAL &&
                        c->operands.items[i->first].value == OG_SPECIAL_EXEC_LO)))
        s.first = k + 1; /* EXEC has changed: what was made before does not count */
      for (unsigned o = 0; o < i->defs; o++)
        if (c->operands.items[i->first + o].kind == CC_REG && c->operands.items[i->first + o].value < count)
          s.written[c->operands.items[i->first + o].value] = 1 + k;
    }
  }
  return true;
}
