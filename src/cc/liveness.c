/* liveness.c - finds where registers are live, by data flow: vector registers along the paths that a lane takes, since
 * lanes that are off keep their values; scalar ones along the paths of the code. Registers of one block are found
 * within it. The others are followed in groups of 64, backwards from where they are read and only through blocks where
 * one of the group is live: so the time grows with the places where registers are live, and not with registers times
 * blocks. */
#include "cc/liveness.h"

#include <string.h>

enum { TOGETHER = 64 };

/* What a block does with a register that is live in several blocks. */
struct event {
  uint32_t number, position; /* numbers of the register and the block */
  bool reads, writes;        /* it reads some of it before it writes all; it writes all of it */
};

struct edges {
  uint32_t *at, *from; /* by position: its predecessors are from[at[p]] to from[at[p + 1] - 1] */
};

struct state {
  struct cc_liveness *l;
  struct og_arena *arena; /* for the time of the search */
  OG_VECTOR(struct event) events;
  uint32_t *by_number;       /* by group of TOGETHER registers: its first event */
  uint32_t *of;              /* by number: the register */
  struct edges lanes, code;  /* paths of lanes, of the code */
  struct edges skips;        /* predecessors from whose beginning the code may skip to there */
  uint64_t *reads, *writes, *in, *out, *pending; /* by position, a bit for each register of the group; of `pending` a
                                                    bit for each position */
  uint32_t low, high;        /* positions between which these are not zero */
  uint64_t vectors;
};

/* ---- registers that are live in several blocks
 * --------------------------------------------------------------------- */

static void find_globals(struct state *s) {
  struct cc_function *c = s->l->c;
  uint32_t *home = OG_NEW_ARRAY(s->arena, uint32_t, c->regs.count);
  bool *seen = OG_NEW_ARRAY(s->arena, bool, c->regs.count); /* it has been written */
  for (uint32_t p = 0; p < c->positions; p++) {
    const struct cc_node *n = &c->nodes.items[c->layout[p]];
    for (uint32_t k = n->first; k < n->end; k++) {
      const struct cc_inst *i = &c->insts.items[k];
      for (unsigned o = i->operands; o-- > 0;) {
        struct cc_operand op = c->operands.items[i->first + o];
        if (op.kind != CC_REG)
          continue;
        if (!home[op.value])
          home[op.value] = 1 + p;
        bool early = o >= i->defs && !seen[op.value]; /* a loop of one block */
        seen[op.value] |= o < i->defs;
        if ((early || home[op.value] != 1 + p || c->regs.items[op.value].physical != CC_NO_REGISTER) &&
            !s->l->global[op.value])
          s->l->global[op.value] = ++s->l->globals;
      }
    }
  }
  s->of = OG_NEW_ARRAY(s->arena, uint32_t, s->l->globals + 1);
  for (uint32_t r = 1; r < c->regs.count; r++)
    if (s->l->global[r])
      s->of[s->l->global[r] - 1] = r;
}

/* Finds what each block does with these registers, ordered by group. */
static void find_events(struct state *s) {
  struct cc_function *c = s->l->c;
  uint32_t *last = OG_NEW_ARRAY(s->arena, uint32_t, s->l->globals + 1); /* by number: 1 + event */
  uint32_t *written = OG_NEW_ARRAY(s->arena, uint32_t, s->l->globals + 1);
  OG_VECTOR(struct event) all = {0};
  for (uint32_t p = 0; p < c->positions; p++) {
    const struct cc_node *n = &c->nodes.items[c->layout[p]];
    for (uint32_t k = n->end; k-- > n->first;) {
      const struct cc_inst *i = &c->insts.items[k];
      for (unsigned o = 0; o < i->operands; o++) {
        struct cc_operand op = c->operands.items[i->first + o];
        uint32_t number = op.kind == CC_REG ? s->l->global[op.value] : 0;
        if (!number--)
          continue;
        if (!last[number] || all.items[last[number] - 1].position != p) {
          *OG_PUSH(s->arena, &all) = (struct event){.number = number, .position = p};
          last[number] = all.count, written[number] = 0;
        }
        struct event *e = &all.items[last[number] - 1];
        if (o >= i->defs) {
          written[number] = 0, e->reads = true;
          continue;
        }
        written[number] |= cc_dwords_mask(op.sub, op.dwords);
        if (written[number] == cc_dwords_mask(0, c->regs.items[op.value].dwords))
          e->writes = true, e->reads = false;
      }
    }
  }
  uint32_t groups = (s->l->globals + TOGETHER - 1) / TOGETHER;
  s->by_number = OG_NEW_ARRAY(s->arena, uint32_t, groups + 1);
  for (uint32_t k = 0; k < all.count; k++)
    s->by_number[all.items[k].number / TOGETHER]++;
  for (uint32_t g = 0, sum = 0; g <= groups; g++) {
    uint32_t mine = s->by_number[g];
    s->by_number[g] = sum += mine;
  }
  s->events.items = OG_NEW_ARRAY(s->arena, struct event, all.count + 1);
  for (uint32_t k = all.count; k-- > 0;)
    s->events.items[--s->by_number[all.items[k].number / TOGETHER]] = all.items[k];
}

/* ---- paths ------------------------------------------------------------------------------------------------------- */

struct pair {
  uint32_t from, to;
};

typedef OG_VECTOR(struct pair) pairs;

static struct edges edges_of(struct state *s, const struct pair *list, uint32_t count) {
  uint32_t positions = s->l->c->positions;
  struct edges e = {OG_NEW_ARRAY(s->arena, uint32_t, positions + 2), OG_NEW_ARRAY(s->arena, uint32_t, count + 1)};
  for (uint32_t k = 0; k < count; k++)
    e.at[list[k].to]++;
  for (uint32_t p = 1; p <= positions; p++)
    e.at[p] += e.at[p - 1];
  for (uint32_t k = count; k-- > 0;)
    e.from[--e.at[list[k].to]] = list[k].from;
  return e;
}

static void find_edges(struct state *s) {
  struct cc_function *c = s->l->c;
  pairs lanes = {0}, code = {0}, skips = {0};
  for (uint32_t p = 0; p < c->positions; p++) {
    const struct cc_node *n = &c->nodes.items[c->layout[p]];
    for (uint32_t k = 0; k < n->succs; k++)
      *OG_PUSH(s->arena, &lanes) = (struct pair){p, c->nodes.items[n->succ[k]].position};
    if (n->skips)
      *OG_PUSH(s->arena, &skips) = (struct pair){p, n->skip};
    bool falls = true;
    for (uint32_t k = n->end; k-- > n->first;) { /* branches stand at the end, but that at the entry */
      unsigned row = c->insts.items[k].row;
      if (k + 1 == n->end)
        falls = row != OG_ROW_S_BRANCH && row != OG_ROW_S_ENDPGM;
      if (!cc_is_jump(&c->insts.items[k]))
        break;
      *OG_PUSH(s->arena, &code) = (struct pair){p, (uint32_t)c->insts.items[k].offset};
    }
    if (falls && p + 1 < c->positions)
      *OG_PUSH(s->arena, &code) = (struct pair){p, p + 1};
  }
  s->lanes = edges_of(s, lanes.items, lanes.count);
  s->code = edges_of(s, code.items, code.count);
  s->skips = edges_of(s, skips.items, skips.count);
}

/* ---- 64 registers ------------------------------------------------------------------------------------------------ */

static void enter(struct state *s, uint32_t p, uint64_t more) {
  if (!(more & ~s->in[p]))
    return;
  s->in[p] |= more;
  s->pending[p / 64] |= UINT64_C(1) << p % 64;
  s->low = OG_MIN(s->low, p), s->high = OG_MAX(s->high, p);
}

static void leave(struct state *s, uint32_t p, uint64_t more) {
  more &= ~s->out[p];
  if (!more)
    return;
  s->out[p] |= more;
  enter(s, p, more & ~s->writes[p]);
  s->low = OG_MIN(s->low, p), s->high = OG_MAX(s->high, p);
}

/* The highest position below `end` that is pending; false: none. */
static bool next_pending(const struct state *s, uint32_t end, uint32_t *p) {
  for (uint32_t word = (end + 63) / 64; word-- > s->low / 64;) {
    uint64_t bits = s->pending[word];
    if (end < 64 * (word + 1))
      bits &= ~(UINT64_MAX << end % 64);
    if (bits) {
      *p = 64 * word + 63 - (uint32_t)__builtin_clzll(bits);
      return true;
    }
  }
  return false;
}

static void flow(struct state *s) {
  uint32_t p;
  while (next_pending(s, s->high + 1, &p)) /* once more for each level of loops */
    for (uint32_t end = p + 1; next_pending(s, end, &p); end = p) {
      uint64_t in = s->in[p];
      s->pending[p / 64] &= ~(UINT64_C(1) << p % 64);
      for (uint32_t k = s->lanes.at[p]; k < s->lanes.at[p + 1] && in & s->vectors; k++)
        leave(s, s->lanes.from[k], in & s->vectors);
      for (uint32_t k = s->code.at[p]; k < s->code.at[p + 1] && in & ~s->vectors; k++)
        leave(s, s->code.from[k], in & ~s->vectors);
      for (uint32_t k = s->skips.at[p]; k < s->skips.at[p + 1]; k++)
        enter(s, s->skips.from[k], in & ~s->vectors);
    }
}

static void cover(struct cc_reg *r, uint32_t at) {
  r->start = OG_MIN(r->start, at);
  r->end = OG_MAX(r->end, at);
}

static void cover_all(struct state *s, uint32_t base, uint64_t bits, uint32_t at) {
  for (; bits; bits &= bits - 1)
    cover(&s->l->c->regs.items[s->of[base + (uint32_t)__builtin_ctzll(bits)]], at);
}

/* Keeps the intervals and runs of a group, and clears its bits for the next. */
static void keep(struct state *s, uint32_t base) {
  struct cc_function *c = s->l->c;
  uint64_t in = 0, out = 0, before = 0;
  for (uint32_t p = s->low; p <= s->high; p++) { /* where each is first live */
    const struct cc_node *n = &c->nodes.items[c->layout[p]];
    cover_all(s, base, s->in[p] & ~in, 2 * n->first);
    cover_all(s, base, s->out[p] & ~out, 2 * n->end);
    in |= s->in[p], out |= s->out[p];
    for (uint64_t bits = s->out[p] & ~before; bits; bits &= bits - 1)
      *OG_PUSH(s->l->arena, &s->l->out[base + (uint32_t)__builtin_ctzll(bits)].runs) = (struct cc_run){p, p};
    for (uint64_t bits = before & ~s->out[p]; bits; bits &= bits - 1) {
      struct cc_live_out *of = &s->l->out[base + (uint32_t)__builtin_ctzll(bits)];
      of->runs.items[of->runs.count - 1].last = p - 1;
    }
    before = s->out[p];
  }
  for (uint64_t bits = before; bits; bits &= bits - 1) {
    struct cc_live_out *of = &s->l->out[base + (uint32_t)__builtin_ctzll(bits)];
    of->runs.items[of->runs.count - 1].last = s->high;
  }
  in = out = 0;
  for (uint32_t p = s->high + 1; p-- > s->low;) { /* where each is last live */
    const struct cc_node *n = &c->nodes.items[c->layout[p]];
    cover_all(s, base, s->in[p] & ~in, 2 * n->first);
    cover_all(s, base, s->out[p] & ~out, 2 * n->end);
    in |= s->in[p], out |= s->out[p];
    s->in[p] = s->out[p] = 0;
  }
}

static void find_together(struct state *s, uint32_t group) {
  uint32_t base = group * TOGETHER, end = s->by_number[group + 1];
  s->vectors = 0, s->low = UINT32_MAX, s->high = 0;
  for (uint32_t k = base; k < OG_MIN(base + TOGETHER, s->l->globals); k++)
    s->vectors |= s->l->c->regs.items[s->of[k]].file != CC_S ? UINT64_C(1) << k % TOGETHER : 0;
  for (uint32_t k = s->by_number[group]; k < end; k++) {
    const struct event *e = &s->events.items[k];
    uint64_t bit = UINT64_C(1) << e->number % TOGETHER;
    s->writes[e->position] |= e->writes ? bit : 0;
    enter(s, e->position, e->reads ? bit : 0);
  }
  if (s->low != UINT32_MAX) {
    flow(s);
    keep(s, base);
  }
  for (uint32_t k = s->by_number[group]; k < end; k++)
    s->writes[s->events.items[k].position] = 0;
}

/* ---- all --------------------------------------------------------------------------------------------------------- */

static void find_local_intervals(struct cc_function *c) {
  for (uint32_t r = 0; r < c->regs.count; r++)
    c->regs.items[r].start = UINT32_MAX, c->regs.items[r].end = 0;
  for (uint32_t k = 0; k < c->insts.count; k++) {
    const struct cc_inst *i = &c->insts.items[k];
    for (unsigned o = 0; o < i->operands; o++) {
      struct cc_operand op = c->operands.items[i->first + o];
      if (op.kind == CC_REG)
        cover(&c->regs.items[op.value], 2 * k + (o < i->defs && !i->early));
    }
  }
}

void cc_find_liveness(struct cc_function *c, struct cc_liveness *l) {
  struct state s = {.l = l, .arena = c->shop->liveness[0]};
  *l = (struct cc_liveness){.c = c, .arena = c->shop->liveness[1]};
  l->global = OG_NEW_ARRAY(l->arena, uint32_t, c->regs.count);
  find_globals(&s);
  l->out = OG_NEW_ARRAY(l->arena, struct cc_live_out, l->globals + 1);
  find_events(&s);
  find_edges(&s);
  s.writes = OG_NEW_ARRAY(s.arena, uint64_t, c->positions + 1);
  s.in = OG_NEW_ARRAY(s.arena, uint64_t, c->positions + 1);
  s.out = OG_NEW_ARRAY(s.arena, uint64_t, c->positions + 1);
  s.pending = OG_NEW_ARRAY(s.arena, uint64_t, c->positions / 64 + 1);
  find_local_intervals(c);
  for (uint32_t g = 0; g * TOGETHER < l->globals; g++)
    find_together(&s, g);
  og_arena_reset(s.arena);
}

void cc_free_liveness(struct cc_liveness *l) { og_arena_reset(l->arena); }

/* The first run of a register that ends at or behind a position. */
static uint32_t find_run(const struct cc_live_out *of, uint32_t position) {
  uint32_t low = 0, high = of->runs.count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (of->runs.items[middle].last < position)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool cc_is_live_out(const struct cc_liveness *l, uint32_t position, uint32_t reg) {
  if (!l->global[reg])
    return false;
  const struct cc_live_out *of = &l->out[l->global[reg] - 1];
  uint32_t at = find_run(of, position);
  return at < of->runs.count && of->runs.items[at].first <= position;
}

static void add_run(struct og_arena *arena, struct cc_live_out *to, struct cc_run run) {
  uint32_t first = find_run(to, run.first ? run.first - 1 : 0), end = first; /* those that meet it or stand beside it */
  for (; end < to->runs.count && to->runs.items[end].first <= run.last + 1; end++) {
    run.first = OG_MIN(run.first, to->runs.items[end].first);
    run.last = OG_MAX(run.last, to->runs.items[end].last);
  }
  uint32_t behind = to->runs.count - end;
  if (first == end)
    OG_PUSH(arena, &to->runs);
  memmove(to->runs.items + first + 1, to->runs.items + end, behind * sizeof run);
  to->runs.items[first] = run;
  to->runs.count = first + 1 + behind;
}

void cc_join_liveness(struct cc_liveness *l, uint32_t to, uint32_t from) {
  if (!l->global[from])
    return;
  struct cc_live_out *a = &l->out[l->global[to] - 1], *b = &l->out[l->global[from] - 1];
  if (a->runs.count < b->runs.count) {
    struct cc_live_out other = *a;
    *a = *b, *b = other;
  }
  for (uint32_t k = 0; k < b->runs.count; k++)
    add_run(l->arena, a, b->runs.items[k]);
}
