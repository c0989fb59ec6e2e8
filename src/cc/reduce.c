/* reduce.c - gives a loop that is entered at several places one entry: a new block, to which all ways to those places
 * lead, and which goes on to the one that was meant. No code of the loop is copied, and values still dominate their
 * uses, since each new way stands for old ones. */
#include "cc/machine.h"
#include "cc/opt.h"

struct search {
  struct cc_opt *o;
  struct cc_graph g;
  bool *removed;              /* by block: the header of a loop whose inside is being looked at */
  uint32_t *component;        /* by block: 1 + its strongly connected component; UINT32_MAX: it is alone */
  uint32_t *order, *low;      /* Tarjan's numbers */
  uint32_t *stack, stacked;
  uint32_t *path, *at;        /* the walk's own stack; by block: the next operand of its end to follow */
  uint32_t counted, components;
};

/* The next block, from operand `at` on, to which a block's end leads. */
static bool next_block(const struct og_ir_function *f, uint32_t block, uint32_t *at, uint32_t *to) {
  const struct og_ir_inst *last = &f->insts.items[f->blocks.items[block].last];
  while (f->blocks.items[block].last && *at < last->operands) {
    og_ir_ref ref = og_ir_operand(f, last, (*at)++);
    if (og_ir_space(ref) == OG_IR_BLOCK) {
      *to = og_ir_index(ref);
      return true;
    }
  }
  return false;
}

static void enter(struct search *s, uint32_t block, uint32_t *depth) {
  s->order[block] = s->low[block] = ++s->counted;
  s->stack[s->stacked++] = block;
  s->path[(*depth)++] = block;
  s->at[block] = 0;
}

/* A component is complete. A single block counts only if it leads to itself. */
static void close(struct search *s, uint32_t block) {
  bool alone = s->stack[s->stacked - 1] == block;
  uint32_t to, of = ++s->components;
  for (uint32_t at = 0; alone && next_block(s->o->f, block, &at, &to);)
    alone = to != block;
  do
    s->component[s->stack[--s->stacked]] = alone ? UINT32_MAX : of;
  while (s->stack[s->stacked] != block);
}

/* Tarjan, Depth-First Search and Linear Graph Algorithms; over blocks that are reached and not removed. */
static void find_components(struct search *s) {
  for (uint32_t k = 0; k < s->g.count; k++) {
    uint32_t depth = 0, to;
    if (s->removed[s->g.order[k]] || s->order[s->g.order[k]])
      continue;
    enter(s, s->g.order[k], &depth);
    while (depth) {
      uint32_t block = s->path[depth - 1];
      if (next_block(s->o->f, block, &s->at[block], &to)) {
        if (s->removed[to])
          continue;
        if (!s->order[to])
          enter(s, to, &depth);
        else if (!s->component[to])
          s->low[block] = OG_MIN(s->low[block], s->order[to]);
        continue;
      }
      depth--;
      if (depth)
        s->low[s->path[depth - 1]] = OG_MIN(s->low[s->path[depth - 1]], s->low[block]);
      if (s->low[block] == s->order[block])
        close(s, block);
    }
  }
}

/* ---- one entry --------------------------------------------------------------------------------------------------- */

struct entries {
  OG_VECTOR(uint32_t) blocks;  /* blocks of the loop that are entered from outside */
  OG_VECTOR(uint32_t) from;    /* by way to them: the block from which the new one is now reached, */
  OG_VECTOR(uint32_t) which;   /* which entry it leads to, */
  OG_VECTOR(uint32_t) through; /* and the block by which the entry's phis name it */
  uint32_t *place;             /* by block: 1 + its number among the entries */
};

/* Leads all ways from a block to an entry to `to` instead. A block with several ways gets a new block for each. */
static void redirect(struct cc_opt *o, struct entries *e, uint32_t from, uint32_t to) {
  struct og_ir_function *f = o->f;
  uint32_t last = f->blocks.items[from].last, blocks = 0;
  for (uint32_t n = 0; n < f->insts.items[last].operands; n++)
    blocks += og_ir_space(og_ir_operand(f, &f->insts.items[last], n)) == OG_IR_BLOCK;
  for (uint32_t n = 0; n < f->insts.items[last].operands; n++) {
    og_ir_ref ref = og_ir_operand(f, &f->insts.items[last], n);
    if (og_ir_space(ref) != OG_IR_BLOCK || !e->place[og_ir_index(ref)])
      continue;
    uint32_t between = from;
    if (blocks > 1) {
      between = og_ir_add_block(o->m, f, 0);
      uint32_t br = cc_insert(o, between, 0, OG_IR_BR, OG_IR_VOID, 1, last);
      cc_set(f, br, 0, OG_IR_BLOCK | to);
      cc_set(f, last, n, OG_IR_BLOCK | between);
    } else {
      cc_set(f, last, n, OG_IR_BLOCK | to);
    }
    *OG_PUSH(o->arena, &e->from) = between;
    *OG_PUSH(o->arena, &e->which) = e->place[og_ir_index(ref)] - 1;
    *OG_PUSH(o->arena, &e->through) = from;
  }
}

/* The value of an entry's phi for the way from a block. */
static og_ir_ref incoming(const struct og_ir_function *f, uint32_t phi, uint32_t from) {
  for (uint32_t n = 0; n + 1 < f->insts.items[phi].operands; n += 2)
    if (og_ir_operand(f, &f->insts.items[phi], n + 1) == (OG_IR_BLOCK | from))
      return og_ir_operand(f, &f->insts.items[phi], n);
  return OG_IR_NONE;
}

static uint32_t new_phi(struct cc_opt *o, const struct entries *e, uint32_t block, og_ir_type type, uint32_t origin) {
  uint32_t phi = cc_insert(o, block, o->f->blocks.items[block].first, OG_IR_PHI, type, 2 * e->from.count, origin);
  for (uint32_t k = 0; k < e->from.count; k++)
    cc_set(o->f, phi, 2 * k + 1, OG_IR_BLOCK | e->from.items[k]);
  return phi;
}

/* Moves the phis of the entries to the new block. For ways to other entries their values do not matter. */
static void move_phis(struct cc_opt *o, const struct entries *e, uint32_t block, og_ir_ref *with) {
  struct og_ir_function *f = o->f;
  for (uint32_t b = 0; b < e->blocks.count; b++)
    for (uint32_t i = f->blocks.items[e->blocks.items[b]].first, next; i && f->insts.items[i].opcode == OG_IR_PHI;
         i = next) {
      next = f->insts.items[i].next;
      og_ir_type type = f->insts.items[i].type;
      og_ir_ref none = og_ir_constant(o->m, (struct og_ir_constant){.kind = OG_IR_C_POISON, .type = type}, NULL);
      uint32_t phi = new_phi(o, e, block, type, i);
      for (uint32_t k = 0; k < e->from.count; k++)
        cc_set(f, phi, 2 * k, e->which.items[k] == b ? incoming(f, i, e->through.items[k]) : none);
      with[i] = phi;
      og_ir_remove(f, i);
    }
}

/* The new block's end, which goes to the entry with the number that came. */
static void put_switch(struct cc_opt *o, const struct entries *e, uint32_t block, uint32_t origin) {
  og_ir_type word = og_ir_integer(o->m, 32);
  uint32_t number = new_phi(o, e, block, word, origin);
  for (uint32_t k = 0; k < e->from.count; k++)
    cc_set(o->f, number, 2 * k, og_ir_number(o->m, word, e->which.items[k]));
  uint32_t end = cc_insert(o, block, 0, OG_IR_SWITCH, OG_IR_VOID, 2 * e->blocks.count, origin);
  cc_set(o->f, end, 0, number), cc_set(o->f, end, 1, OG_IR_BLOCK | e->blocks.items[0]);
  for (uint32_t b = 1; b < e->blocks.count; b++) {
    cc_set(o->f, end, 2 * b, og_ir_number(o->m, word, b));
    cc_set(o->f, end, 2 * b + 1, OG_IR_BLOCK | e->blocks.items[b]);
  }
}

static void give_one_entry(struct search *s, struct entries *e, og_ir_ref *with) {
  struct cc_opt *o = s->o;
  uint32_t origin = o->f->blocks.items[e->blocks.items[0]].last, block = og_ir_add_block(o->m, o->f, 0);
  bool *seen = OG_NEW_ARRAY(o->arena, bool, o->f->blocks.count);
  for (uint32_t b = 0; b < e->blocks.count; b++)
    for (uint32_t p = s->g.pred_at[e->blocks.items[b]]; p < s->g.pred_at[e->blocks.items[b] + 1]; p++)
      if (!seen[s->g.preds[p]]) {
        seen[s->g.preds[p]] = true;
        redirect(o, e, s->g.preds[p], block);
      }
  move_phis(o, e, block, with);
  put_switch(o, e, block, origin);
}

/* ---- the loops from the outside in ------------------------------------------------------------------------------- */

static bool is_entered(const struct search *s, uint32_t block) {
  for (uint32_t p = s->g.pred_at[block]; p < s->g.pred_at[block + 1]; p++)
    if (s->component[s->g.preds[p]] != s->component[block])
      return true;
  return block == 0;
}

/* Handles one level of loops, and removes their headers, so that the next call finds the loops inside. Returns whether
 * there were any. */
static bool reduce_level(struct cc_opt *o, bool **removed, uint32_t *known) {
  struct og_ir_function *f = o->f;
  uint32_t count = f->blocks.count;
  struct search s = {.o = o, .removed = OG_NEW_ARRAY(o->arena, bool, 2 * count + 1)};
  for (uint32_t b = 0; b < *known; b++)
    s.removed[b] = (*removed)[b];
  uint32_t **lists[] = {&s.component, &s.order, &s.low, &s.stack, &s.path, &s.at};
  for (unsigned k = 0; k < OG_COUNT(lists); k++)
    *lists[k] = OG_NEW_ARRAY(o->arena, uint32_t, count + 1);
  cc_graph(o->arena, f, &s.g);
  find_components(&s);
  struct entries *of = OG_NEW_ARRAY(o->arena, struct entries, s.components + 1);
  for (uint32_t k = 0; k < s.g.count; k++) {
    uint32_t block = s.g.order[k];
    if (!s.removed[block] && s.component[block] != UINT32_MAX && is_entered(&s, block))
      *OG_PUSH(o->arena, &of[s.component[block]].blocks) = block;
  }
  og_ir_ref *with = OG_NEW_ARRAY(o->arena, og_ir_ref, f->insts.count);
  uint32_t *place = OG_NEW_ARRAY(o->arena, uint32_t, count + 1), before = f->insts.count;
  bool any = false;
  for (uint32_t n = 1; n <= s.components; n++) {
    struct entries *e = &of[n];
    any |= e->blocks.count > 0;
    if (e->blocks.count == 1)
      s.removed[e->blocks.items[0]] = true;
    if (e->blocks.count < 2)
      continue;
    e->place = place;
    for (uint32_t b = 0; b < e->blocks.count; b++)
      place[e->blocks.items[b]] = 1 + b;
    give_one_entry(&s, e, with);
    for (uint32_t b = 0; b < e->blocks.count; b++)
      place[e->blocks.items[b]] = 0;
  }
  for (uint32_t b = 0; f->insts.count > before && b < f->blocks.count; b++)
    for (uint32_t i = f->blocks.items[b].first; i; i = f->insts.items[i].next)
      for (uint32_t k = 0; k < f->insts.items[i].operands; k++) {
        og_ir_ref ref = og_ir_operand(f, &f->insts.items[i], k);
        while (og_ir_space(ref) == OG_IR_LOCAL && og_ir_index(ref) < before && with[og_ir_index(ref)])
          ref = with[og_ir_index(ref)];
        cc_set(f, i, k, ref);
      }
  *removed = s.removed, *known = count;
  return any;
}

void cc_reduce(struct cc_opt *o) {
  struct cc_graph g;
  uint32_t *outer, known = 0;
  bool *removed = NULL;
  cc_graph(o->arena, o->f, &g);
  if (!cc_loop_headers(o->arena, o->f, &g, &outer))
    while (reduce_level(o, &removed, &known))
      ;
}
