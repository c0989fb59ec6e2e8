/* dual.c - makes one of two vector instructions: of one and the next of those behind it that may run with it and before
 * all between them. Both halves read before either writes. VOPD (from gfx11 on in waves of 32) issues any two
 * instructions; og_find_forms() and og_pair_fault() say which pairs there are and which registers they may have (banks,
 * an even and an odd result, scalar values; RDNA3 ISA, "Dual Issue VALU"). Packed floats (gfx90a to gfx950) are two
 * instructions of the same kind whose registers are pairs that begin at an even one, in either order. */
#include "cc/select.h"
#include "cc/debug_tracks.h"

#include <string.h>

enum { PLAIN, SUM };
static const struct dual {
  uint16_t row, half;
  uint8_t how;
} table[] = {
#define DUAL(row, half, how) {OG_ROW_##row, OG_ROW_##half, how},
#define PACKED(row, packed, negated)
#include "cc/dual.def"
};
static const struct packing {
  uint16_t row, packed;
  uint8_t negated;
} packings[] = {
#define DUAL(row, half, how)
#define PACKED(row, packed, negated) {OG_ROW_##row, OG_ROW_##packed, negated},
#include "cc/dual.def"
};

enum { NEAR = 8, OPERANDS_MOST = 4 };

/* One half: its result, and its sources in the order of its text. The addend of a sum, which the text leaves out, is
 * last. */
struct half {
  unsigned row, line, count, said;
  operand result, sources[OPERANDS_MOST];
};

static bool meet(const struct cc_function *c, operand a, operand b) {
  if (a.kind == CC_SPECIAL && b.kind == CC_SPECIAL)
    return a.value < b.value + b.dwords && b.value < a.value + a.dwords;
  if (a.kind != CC_REG || b.kind != CC_REG || c->regs.items[a.value].file != c->regs.items[b.value].file)
    return false;
  unsigned x = c->regs.items[a.value].physical + a.sub, y = c->regs.items[b.value].physical + b.sub;
  return x < y + b.dwords && y < x + a.dwords;
}

/* Whether one writes what the other reads or writes. */
static bool depend(const struct cc_function *c, const struct cc_inst *a, const struct cc_inst *b) {
  for (unsigned x = 0; x < a->operands; x++)
    for (unsigned y = 0; y < b->operands; y++)
      if ((x < a->defs || y < b->defs) && meet(c, c->operands.items[a->first + x], c->operands.items[b->first + y]))
        return true;
  return false;
}

/* Whether `later` may run at the same time as `first`; it may write what `first` reads. */
static bool may_run_with(const struct cc_function *c, const struct cc_inst *first, const struct cc_inst *later) {
  operand result = c->operands.items[first->first];
  for (unsigned y = 0; y < later->operands; y++)
    if (meet(c, result, c->operands.items[later->first + y]))
      return false;
  return true;
}

/* The forms for pairs of the table's lines, by first and second half, kept once they have been looked up. */
struct cc_pairs {
  bool known[OG_COUNT(table)][OG_COUNT(table)];
  uint16_t counts[OG_COUNT(table)][OG_COUNT(table)];
  const uint16_t *forms[OG_COUNT(table)][OG_COUNT(table)];
  bool has[OG_COUNT(table)]; /* by line: this processor has such a half */
};

static size_t find_forms(const struct cc_function *c, unsigned x, unsigned y, const uint16_t **forms) {
  struct cc_pairs *p = c->shop->pairs;
  if (!p->known[x][y]) {
    p->counts[x][y] = (uint16_t)og_find_pairs(c->isa, table[x].half, table[y].half, &p->forms[x][y]);
    p->known[x][y] = true;
  }
  *forms = p->forms[x][y];
  return p->counts[x][y];
}

static void find_halves(struct cc_function *c) {
  const uint16_t *forms;
  if (c->shop->pairs)
    return;
  c->shop->pairs = OG_NEW(c->shop->module, struct cc_pairs);
  for (unsigned k = 0; k < OG_COUNT(table); k++)
    c->shop->pairs->has[k] = og_find_pairs(c->isa, OG_ROW_V_DUAL_MOV_B32, table[k].half, &forms);
}

static bool read_half(const struct cc_function *c, const struct cc_inst *i, struct half *h) {
  const struct dual *d = table;
  while (d < table + OG_COUNT(table) && (d->row != i->row || !c->shop->pairs->has[d - table]))
    d++;
  if (d == table + OG_COUNT(table) || i->variant || i->text || i->mods || i->tied || i->keep || i->defs != 1 ||
      i->operands > 1 + OPERANDS_MOST)
    return false;
  const struct og_form *form = og_form(c->isa, i->form);
  *h = (struct half){d->half, (unsigned)(d - table), i->operands - 1u, i->operands - 1u, c->operands.items[i->first],
                     {{0}}};
  for (unsigned k = 0; k < h->count; k++) {
    h->sources[k] = c->operands.items[i->first + 1 + k];
    if (h->sources[k].flags || h->sources[k].kind == CC_ADDRESS || h->sources[k].kind == CC_FRAME)
      return false;
  }
  if (d->how == PLAIN)
    return form->encoding == OG_ENC_VOP1 || form->encoding == OG_ENC_VOP2;
  operand sum = h->sources[2], swap = h->sources[0];
  if (!cc_is_vector(c, sum) ||
      c->regs.items[sum.value].physical + sum.sub != c->regs.items[h->result.value].physical + h->result.sub)
    return false;
  if (!cc_is_vector(c, h->sources[1])) /* the second source must be a vector register */
    h->sources[0] = h->sources[1], h->sources[1] = swap;
  h->said = 2;
  return cc_is_vector(c, h->sources[1]);
}

/* Makes `into` the pair; false: there is no such pair, or not with these registers. */
static bool pair_up(struct cc_function *c, const struct half *x, const struct half *y, struct cc_inst *into) {
  const uint16_t *forms;
  size_t count = find_forms(c, x->line, y->line, &forms);
  const struct half *halves[] = {x, y};
  operand list[2 + 2 * OPERANDS_MOST] = {x->result, y->result};
  unsigned listed = 2;
  for (unsigned k = 0; k < 2; k++, listed += halves[k - 1]->said)
    memcpy(list + listed, halves[k]->sources, halves[k]->said * sizeof *list);
  for (unsigned k = 0; k < 2; k++) /* behind the sources with slots, for waits and hazards */
    for (unsigned o = halves[k]->said; o < halves[k]->count; o++)
      list[listed++] = halves[k]->sources[o];
  for (size_t f = 0; f < count; f++) {
    const struct og_form *form = og_form(c->isa, forms[f]);
    if (form->encoding != OG_ENC_VOPD || form->row != x->row || form->second != y->row || form->size != 8 ||
        !og_form_fits(c->isa, form))
      continue;
    struct cc_inst pair = *cc_emit(c, x->row, 2, listed, list);
    c->insts.count--;
    pair.form = forms[f], pair.record = into->record;
    struct og_inst inst;
    unsigned at;
    cc_fill(c, &pair, &inst);
    if (og_pair_fault(c->isa, &inst, false, &at))
      continue;
    *into = pair;
    return true;
  }
  return false;
}

/* ---- packed floats ----------------------------------------------------------------------------------------------- */

static const struct packing *packing_of(const struct cc_inst *i) {
  for (unsigned k = 0; k < OG_COUNT(packings); k++)
    if (packings[k].row == i->row)
      return i->variant || i->text || i->mods || i->tied || i->keep || i->defs != 1 || i->operands > 1 + OPERANDS_MOST
                 ? NULL
                 : &packings[k];
  return NULL;
}

static unsigned number_of(const struct cc_function *c, operand o) { return c->regs.items[o.value].physical + o.sub; }

/* The packed source of two, and whether each instruction takes its upper half; false: they are not side by side. */
static bool pack_source(struct cc_function *c, operand low, operand high, operand *both, int32_t *low_up,
                        int32_t *high_up) {
  *low_up = *high_up = 0;
  if (low.kind == CC_CONST && high.kind == CC_CONST) { /* both read its low half */
    *both = low;
    return low.value == high.value && cc_is_inline(low.value);
  }
  if (low.kind != CC_REG || high.kind != CC_REG || c->regs.items[low.value].file != c->regs.items[high.value].file)
    return false;
  unsigned x = number_of(c, low), y = number_of(c, high);
  uint32_t reg = cc_new_reg(c, c->regs.items[low.value].file, 2);
  c->regs.items[reg].physical = (uint16_t)(x & ~1u);
  *both = (operand){CC_REG, 0, 0, 2, reg};
  *low_up = (int32_t)(x & 1), *high_up = (int32_t)(y & 1);
  return x != y && x / 2 == y / 2; /* else the other half might never have been written */
}

/* A half of a move: `both` is the pair of registers around it, if all of that is one value; or a small integer. */
static bool move_source(struct cc_function *c, operand o, operand *both, int32_t *up) {
  *both = o, *up = 0;
  if (o.kind == CC_CONST)
    return o.value + 16 <= 80;
  if (o.kind != CC_REG || o.flags || c->regs.items[o.value].file == CC_A)
    return false;
  const struct cc_reg *r = &c->regs.items[o.value];
  unsigned number = number_of(c, o), even = number & ~1u;
  if (r->physical > even || even + 2u > r->physical + (unsigned)r->dwords)
    return false;
  o.sub = (uint8_t)(even - r->physical), o.dwords = 2;
  *both = o, *up = (int32_t)(number & 1);
  return true;
}

/* Two moves in one, each of which takes the half that it wants from a source of its own. If these are both halves of
 * one pair, later processors have a move of 64 bits. */
static bool pack_moves(struct cc_function *c, operand to, const operand *low, const operand *high,
                       struct cc_inst *into) {
  operand list[3] = {to};
  int32_t up[2];
  if (!move_source(c, low[1], &list[1], &up[0]) || !move_source(c, high[1], &list[2], &up[1]))
    return false;
  bool same = cc_same(list[1], list[2]);
  if (!same && cc_is_scalar_reg(c, list[1]) && cc_is_scalar_reg(c, list[2]))
    return false;
  bool whole = same && list[1].kind == CC_REG && !up[0] && up[1] && cc_has_row(c, OG_ROW_V_MOV_B64);
  struct cc_inst made = *cc_emit(c, whole ? OG_ROW_V_MOV_B64 : OG_ROW_V_PK_MOV_B32, 1, whole ? 2 : 3, list);
  c->insts.count--;
  made.record = into->record;
  if (!whole)
    cc_modify(c, &made, OG_MOD_OP_SEL, up[0] | up[1] << 1);
  if (!cc_choose_form(c, &made))
    return false;
  *into = made;
  return true;
}

/* Makes `into` the packed instruction of two; false: the registers do not lie in pairs, or the instruction does not
 * take them. */
static bool pack(struct cc_function *c, const struct cc_inst *a, const struct cc_inst *b, struct cc_inst *into) {
  const struct packing *p = packing_of(a);
  if (!p || p != packing_of(b) || !cc_has_row(c, p->packed) || a->operands != b->operands)
    return false;
  operand list[1 + OPERANDS_MOST];
  bool swapped = number_of(c, c->operands.items[a->first]) & 1;
  const operand *low = &c->operands.items[(swapped ? b : a)->first],
                *high = &c->operands.items[(swapped ? a : b)->first];
  int32_t sel = 0, sel_hi = 0, neg = 0, neg_hi = 0, low_up, high_up;
  if (number_of(c, low[0]) + 1 != number_of(c, high[0]) ||
      !pack_source(c, low[0], high[0], &list[0], &low_up, &high_up) || low_up)
    return false;
  if (p->row == OG_ROW_V_MOV_B32)
    return pack_moves(c, list[0], low, high, into);
  for (unsigned k = 1; k < a->operands; k++) {
    unsigned bit = k - 1;
    if ((low[k].flags | high[k].flags) & ~OG_NEG || low[k].kind != high[k].kind ||
        !pack_source(c, low[k], high[k], &list[k], &low_up, &high_up))
      return false;
    bool turned = p->negated == k;
    list[k].flags = 0;
    sel |= low_up << bit, sel_hi |= high_up << bit;
    neg |= (int32_t)(!!(low[k].flags & OG_NEG) != turned) << bit,
        neg_hi |= (int32_t)(!!(high[k].flags & OG_NEG) != turned) << bit;
  }
  struct cc_inst made = *cc_emit(c, p->packed, 1, a->operands, list);
  c->insts.count--;
  made.record = into->record;
  cc_modify(c, &made, OG_MOD_OP_SEL, sel);
  cc_modify(c, &made, OG_MOD_OP_SEL_HI, sel_hi);
  cc_modify(c, &made, OG_MOD_NEG_LO, neg);
  cc_modify(c, &made, OG_MOD_NEG_HI, neg_hi);
  if (!cc_choose_form(c, &made))
    return false;
  *into = made;
  return true;
}

/* ---- partners ---------------------------------------------------------------------------------------------------- */

/* Whether other instructions may be moved over it. */
static bool is_plain(const struct cc_function *c, const struct cc_inst *i) {
  if (i->row >= OG_ROW_COUNT || i->text || i->keep)
    return false;
  const struct og_form *form = og_form(c->isa, i->form);
  return (form->issue == OG_ISSUE_VALU || form->issue == OG_ISSUE_TRANS) && !(form->writes & OG_IMPLICIT_EXEC);
}

static void find_partner(struct cc_function *c, bool *gone, uint32_t first, uint32_t end) {
  struct half x, y;
  bool packs = !c->isa->gfx11;
  if (gone[first] || (packs ? !packing_of(&c->insts.items[first]) : !read_half(c, &c->insts.items[first], &x)))
    return;
  for (uint32_t k = first + 1; k < end && k <= first + NEAR; k++) {
    if (gone[k])
      continue;
    if (!is_plain(c, &c->insts.items[k]))
      return;
    const struct cc_inst *second = &c->insts.items[k];
    bool free = (packs ? packing_of(second) != NULL : read_half(c, second, &y)) &&
                may_run_with(c, &c->insts.items[first], &c->insts.items[k]);
    for (uint32_t between = first + 1; between < k && free; between++)
      free = gone[between] || !depend(c, &c->insts.items[between], &c->insts.items[k]);
    struct cc_inst pair = c->insts.items[first];
    if (free && (packs ? pack(c, &c->insts.items[first], &c->insts.items[k], &pair)
                       : pair_up(c, &x, &y, &pair) || pair_up(c, &y, &x, &pair))) {
      c->insts.items[first] = pair;
      gone[k] = true;
      cc_track_pair(c, first, k);
      return;
    }
  }
}

bool cc_dual(struct cc_function *c) {
  if (c->isa->gfx11 ? c->isa->wave != 32 : !cc_has_row(c, OG_ROW_V_PK_FMA_F32))
    return true;
  if (c->singly)
    return true;
  if (c->isa->gfx11)
    find_halves(c);
  bool *gone = OG_NEW_ARRAY(c->arena, bool, c->insts.count + 1);
  uint32_t kept = 0;
  for (uint32_t p = 0; p < c->positions; p++) {
    struct cc_node *n = &c->nodes.items[c->layout[p]];
    uint32_t first = n->first, end = n->end;
    n->first = kept;
    for (uint32_t k = first; k < end; k++) {
      find_partner(c, gone, k, end);
      if (gone[k])
        continue;
      cc_track_place(c, kept, k);
      c->insts.items[kept++] = c->insts.items[k];
    }
    n->end = kept;
  }
  c->insts.count = kept;
  return true;
}
