/* coalesce.c - removes copies by computing the value in the register that it would be copied to. First into registers
 * side by side, each dword of which is written once; then into the registers of phis, if both registers are not live at
 * the same time. */
#include "cc/liveness.h"
#include "cc/select.h"
#include "cc/debug_tracks.h"

enum { MANY = 2, MOST_WRITES = 160, FEWEST_OF_LOCAL = 4 };

/* Instructions that name a register, in their order. */
struct places {
  uint32_t *insts, count;
};

struct state {
  struct cc_function *c;
  struct places *places;   /* by register, filled in for the second part */
  uint32_t *base;          /* by register: where its dwords begin in the next three */
  uint8_t *writes;         /* by dword: how many instructions write it, up to MANY */
  uint8_t *begins;         /* how many of them keep nothing of the old value (they are not tied to it) */
  uint32_t *writer;        /* by dword: 1 + one that writes it */
  uint32_t *to;            /* by register: the one that it has become part of; 0: none */
  uint8_t *sub;            /* and the dword of that where it begins */
  uint32_t *node;          /* by instruction: the position of its block */
};

static bool is_copy(const struct cc_function *c, const struct cc_inst *i, operand *to, operand *from) {
  if (i->variant || (i->row != OG_ROW_V_MOV_B32 && i->row != OG_ROW_S_MOV_B32 && i->row != OG_ROW_V_ACCVGPR_MOV_B32) ||
      i->operands != 2)
    return false;
  *to = c->operands.items[i->first], *from = c->operands.items[i->first + 1];
  if (to->kind != CC_REG || from->kind != CC_REG || from->flags)
    return false;
  const struct cc_reg *t = &c->regs.items[to->value], *f = &c->regs.items[from->value];
  return t->file == f->file && t->physical == CC_NO_REGISTER && f->physical == CC_NO_REGISTER && !t->whole && !f->whole;
}

/* Replaces an operand by what it has become. Chains of several steps are shortened on the way. */
static void now(const struct state *s, operand *o) {
  while (o->kind == CC_REG && s->to[o->value]) {
    uint32_t next = s->to[o->value];
    if (s->to[next]) {
      s->sub[o->value] = (uint8_t)(s->sub[o->value] + s->sub[next]);
      s->to[o->value] = s->to[next];
    } else {
      o->sub = (uint8_t)(o->sub + s->sub[o->value]);
      o->value = next;
    }
  }
}

static void rename_all(struct state *s) {
  struct cc_function *c = s->c;
  for (uint32_t k = 0; k < c->insts.count; k++)
    for (unsigned o = 0; o < c->insts.items[k].operands; o++)
      now(s, &c->operands.items[c->insts.items[k].first + o]);
  for (uint32_t k = 0; c->tracks && k < c->tracks->places.count; k++)
    now(s, &c->tracks->places.items[k]);
  for (uint32_t r = 1; r < c->regs.count; r++) {
    operand hint = {CC_REG, 0, 0, 1, c->regs.items[r].hint};
    now(s, &hint);
    c->regs.items[r].hint = hint.value;
  }
}

/* Whether a result only changes a register: it is tied to a source in the same one. */
static bool is_update(const struct cc_function *c, const struct cc_inst *i, unsigned result) {
  operand to = c->operands.items[i->first + result], tied = {0};
  if (i->tied && i->tied + result < i->operands)
    tied = c->operands.items[i->first + i->tied + result];
  return tied.kind == CC_REG && tied.value == to.value && tied.sub == to.sub;
}

static void count_writes(struct state *s) {
  struct cc_function *c = s->c;
  uint32_t dwords = 0;
  s->base = OG_NEW_ARRAY(c->arena, uint32_t, c->regs.count);
  for (uint32_t r = 0; r < c->regs.count; r++)
    s->base[r] = dwords, dwords += c->regs.items[r].dwords;
  s->writes = OG_NEW_ARRAY(c->arena, uint8_t, dwords + 1), s->begins = OG_NEW_ARRAY(c->arena, uint8_t, dwords + 1);
  s->writer = OG_NEW_ARRAY(c->arena, uint32_t, dwords + 1);
  s->to = OG_NEW_ARRAY(c->arena, uint32_t, c->regs.count);
  s->sub = OG_NEW_ARRAY(c->arena, uint8_t, c->regs.count);
  s->node = OG_NEW_ARRAY(c->arena, uint32_t, c->insts.count + 1);
  for (uint32_t p = 0; p < c->positions; p++)
    for (uint32_t k = c->nodes.items[c->layout[p]].first; k < c->nodes.items[c->layout[p]].end; k++) {
      const struct cc_inst *i = &c->insts.items[k];
      s->node[k] = p;
      for (unsigned o = 0; o < i->operands; o++) {
        operand op = c->operands.items[i->first + o];
        for (unsigned d = 0; op.kind == CC_REG && o < i->defs && d < op.dwords; d++) {
          uint32_t at = s->base[op.value] + op.sub + d;
          s->writes[at] = s->writes[at] ? MANY : 1;
          s->begins[at] = (uint8_t)(s->begins[at] + (s->begins[at] < MANY && !is_update(c, i, o)));
          s->writer[at] = 1 + k;
        }
      }
    }
}

static unsigned alignment(const struct cc_function *c, const struct cc_reg *r) {
  if (r->file == CC_S)
    return r->dwords >= 3 ? 4 : r->dwords;
  return r->dwords > 1 && (c->isa->gfx90a || c->isa->gfx1250) ? 2 : 1;
}

/* Whether all dwords of the register that a copy reads are copied to the same place in `to`, in the block that makes
 * them. */
static bool fits_into(const struct state *s, operand to, operand from, uint32_t position) {
  const struct cc_function *c = s->c;
  const struct cc_reg *t = &c->regs.items[to.value], *f = &c->regs.items[from.value];
  int at = (int)to.sub - (int)from.sub;
  if (to.value == from.value || at < 0 || at + f->dwords > t->dwords || (unsigned)at % alignment(c, f))
    return false;
  for (unsigned d = 0; d < f->dwords; d++) {
    uint32_t mine = s->base[from.value] + d, theirs = s->base[to.value] + (unsigned)at + d;
    operand x, y;
    if (s->begins[mine] != 1 || s->writes[theirs] != 1 || s->node[s->writer[mine] - 1] != position ||
        s->node[s->writer[theirs] - 1] != position || !is_copy(c, &c->insts.items[s->writer[theirs] - 1], &x, &y))
      return false;
    now(s, &x), now(s, &y);
    if (y.value != from.value || y.sub != d || x.value != to.value)
      return false;
  }
  return true;
}

/* Removes copies into registers side by side. */
static void into_tuples(struct state *s) {
  struct cc_function *c = s->c;
  for (uint32_t k = 0; k < c->insts.count; k++) {
    operand to, from;
    if (!is_copy(c, &c->insts.items[k], &to, &from) || s->to[to.value] || s->to[from.value] ||
        !fits_into(s, to, from, s->node[k]))
      continue;
    s->to[from.value] = to.value;
    s->sub[from.value] = (uint8_t)(to.sub - from.sub);
    for (unsigned d = 0; d < c->regs.items[from.value].dwords; d++) { /* the dword is now written where `from` was */
      uint32_t theirs = s->base[to.value] + s->sub[from.value] + d;
      s->writer[theirs] = s->writer[s->base[from.value] + d];
    }
  }
  rename_all(s);
}

/* ---- into what phis join ----------------------------------------------------------------------------------------- */

static void find_places(struct state *s) {
  struct cc_function *c = s->c;
  s->places = OG_NEW_ARRAY(c->arena, struct places, c->regs.count);
  for (unsigned fill = 0; fill < 2; fill++) { /* first their numbers, then the instructions */
    for (uint32_t r = 0; r < c->regs.count && fill; r++)
      s->places[r] = (struct places){og_arena_alloc(c->arena, (s->places[r].count + 1) * sizeof(uint32_t)), 0};
    for (uint32_t k = 0; k < c->insts.count; k++)
      for (unsigned o = 0; o < c->insts.items[k].operands; o++) {
        operand op = c->operands.items[c->insts.items[k].first + o];
        struct places *p = op.kind == CC_REG ? &s->places[op.value] : NULL;
        if (p && fill && !(p->count && p->insts[p->count - 1] == k))
          p->insts[p->count] = k;
        if (p && !(fill && p->count && p->insts[p->count - 1] == k))
          p->count++;
      }
  }
}

static void join_places(struct state *s, uint32_t to, uint32_t from) {
  struct places a = s->places[to], b = s->places[from];
  struct places *all = &s->places[to];
  *all = (struct places){og_arena_alloc(s->c->arena, (a.count + b.count + 1) * sizeof(uint32_t)), 0};
  for (uint32_t x = 0, y = 0; x < a.count || y < b.count;) {
    bool first = y == b.count || (x < a.count && a.insts[x] <= b.insts[y]);
    all->insts[all->count++] = first ? a.insts[x++] : b.insts[y++];
  }
}

/* Whether `reg` is read behind instruction k before it is written again; `written` collects the dwords that have
 * been. */
static bool is_live_behind(const struct state *s, const struct cc_liveness *l, uint32_t reg, uint32_t k) {
  const struct cc_function *c = s->c;
  const struct places *p = &s->places[reg];
  uint32_t position = s->node[k], end = c->nodes.items[c->layout[position]].end, written = 0;
  uint32_t all = cc_dwords_mask(0, c->regs.items[reg].dwords), low = 0, high = p->count;
  while (low < high) { /* the first behind k */
    uint32_t middle = (low + high) / 2;
    if (p->insts[middle] > k)
      high = middle;
    else
      low = middle + 1;
  }
  for (; low < p->count && p->insts[low] < end; low++) {
    const struct cc_inst *i = &c->insts.items[p->insts[low]];
    for (unsigned o = i->operands; o-- > 0;) { /* an instruction reads before it writes */
      operand op = c->operands.items[i->first + o];
      now(s, &op);
      if (op.kind != CC_REG || op.value != reg)
        continue;
      if (o >= i->defs && ~written & cc_dwords_mask(op.sub, op.dwords))
        return true;
      written |= o < i->defs ? cc_dwords_mask(op.sub, op.dwords) : 0;
    }
    if (written == all)
      return false;
  }
  return cc_is_live_out(l, position, reg);
}

struct definitions {
  uint32_t *first, *next; /* by register: 1 + its first definition; by definition: the next one */
  uint32_t *inst;
  uint32_t count;
};

static void find_definitions(const struct state *s, struct definitions *d) {
  const struct cc_function *c = s->c;
  uint32_t total = 0;
  for (uint32_t k = 0; k < c->insts.count; k++)
    total += c->insts.items[k].defs;
  d->first = OG_NEW_ARRAY(c->arena, uint32_t, c->regs.count);
  d->next = OG_NEW_ARRAY(c->arena, uint32_t, total + 1);
  d->inst = OG_NEW_ARRAY(c->arena, uint32_t, total + 1);
  for (uint32_t k = 0; k < c->insts.count; k++)
    for (unsigned o = 0; o < c->insts.items[k].defs; o++) {
      operand op = c->operands.items[c->insts.items[k].first + o];
      if (op.kind != CC_REG)
        continue;
      d->inst[++d->count] = k;
      d->next[d->count] = d->first[op.value], d->first[op.value] = d->count;
    }
}

static bool copies_between(const struct state *s, uint32_t k, uint32_t to, uint32_t from) {
  operand x, y;
  if (!is_copy(s->c, &s->c->insts.items[k], &x, &y))
    return false;
  now(s, &x), now(s, &y);
  return x.value == to && y.value == from && x.sub == y.sub;
}

/* Whether an instruction that may write its result before it has read all its sources reads this register. */
static bool reads_late(const struct state *s, uint32_t k, uint32_t reg) {
  const struct cc_inst *i = &s->c->insts.items[k];
  for (unsigned o = i->defs; o < i->operands && i->early; o++) {
    operand op = s->c->operands.items[i->first + o];
    now(s, &op);
    if (op.kind == CC_REG && op.value == reg && o != i->tied)
      return true;
  }
  return false;
}

/* Whether one register is written where the other is live, other than by a copy from that. */
static bool interferes(const struct state *s, const struct cc_liveness *l, const struct definitions *d, uint32_t a,
                       uint32_t b) {
  unsigned steps = 0;
  for (unsigned side = 0; side < 2; side++) {
    uint32_t written = side ? b : a, other = side ? a : b;
    for (uint32_t n = d->first[written]; n; n = d->next[n])
      if (++steps > MOST_WRITES || reads_late(s, d->inst[n], other) ||
          (!copies_between(s, d->inst[n], written, other) && is_live_behind(s, l, other, d->inst[n])))
        return true;
  }
  return false;
}

static void into_phis(struct state *s) {
  struct cc_function *c = s->c;
  struct cc_liveness l;
  struct definitions d = {0};
  cc_find_liveness(c, &l);
  find_definitions(s, &d);
  find_places(s);
  for (uint32_t k = 0; k < c->insts.count; k++) {
    operand to, from;
    if (!is_copy(c, &c->insts.items[k], &to, &from))
      continue;
    now(s, &to), now(s, &from);
    if (to.value == from.value || to.sub != from.sub ||
        c->regs.items[to.value].dwords != c->regs.items[from.value].dwords)
      continue;
    bool local = !l.global[to.value];
    if ((local && c->regs.items[to.value].dwords < FEWEST_OF_LOCAL) || interferes(s, &l, &d, to.value, from.value))
      continue;
    if (local && l.global[from.value]) { /* the register that lives in several blocks stays */
      operand longer = from;
      from = to, to = longer;
    }
    uint32_t into = to.value;
    cc_join_liveness(&l, into, from.value);
    join_places(s, into, from.value);
    s->to[from.value] = into;
    for (uint32_t n = d.first[from.value], next; n; n = next) {
      next = d.next[n];
      d.next[n] = d.first[into], d.first[into] = n;
    }
  }
  cc_free_liveness(&l);
  rename_all(s);
}

static void drop_idle(struct cc_function *c) {
  uint32_t kept = 0;
  for (uint32_t p = 0; p < c->positions; p++) {
    struct cc_node *n = &c->nodes.items[c->layout[p]];
    uint32_t first = kept;
    for (uint32_t k = n->first; k < n->end; k++) {
      operand to, from;
      if (!is_copy(c, &c->insts.items[k], &to, &from) || to.value != from.value || to.sub != from.sub)
        c->insts.items[kept++] = c->insts.items[k];
    }
    n->first = first, n->end = kept;
  }
  c->insts.count = kept;
}

/* Before gfx90a accumulation registers are copied by way of vector registers. */
static bool split_copy(struct cc_function *c, const struct cc_inst *old, void *context) {
  (void)context;
  c->record = old->record;
  if (old->row != OG_ROW_V_ACCVGPR_MOV_B32) {
    *OG_PUSH(c->arena, &c->insts) = *old;
    return true;
  }
  operand to = c->operands.items[old->first], from = c->operands.items[old->first + 1], by = cc_temp(c, CC_V, 1);
  cc_move(c, by, from);
  cc_move(c, to, by);
  return true;
}

bool cc_coalesce(struct cc_function *c) {
  struct state s = {.c = c};
  count_writes(&s);
  into_tuples(&s);
  drop_idle(c);
  count_writes(&s);
  into_phis(&s);
  drop_idle(c);
  if (c->accumulates && !c->isa->gfx90a)
    cc_rewrite(c, split_copy, NULL);
  return true;
}
