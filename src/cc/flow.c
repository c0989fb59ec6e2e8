/* flow.c - a kernel's graph of blocks: switches become steps, all ends become one, each loop gets one latch; then loops
 * and dominators are found, and the order of the code, in which a loop's blocks stand together, the latch last. */
#include "cc/machine.h"
#include "cc/opt.h"

static uint32_t new_node(struct cc_function *c) {
  struct cc_node *n = OG_PUSH(c->arena, &c->nodes);
  *n = (struct cc_node){.block = CC_NO_NODE,
                        .condition = OG_IR_NONE,
                        .match_ref = OG_IR_NONE,
                        .copies_from = CC_NO_NODE,
                        .copies_to = CC_NO_NODE,
                        .position = CC_NO_NODE};
  return c->nodes.count - 1;
}

static bool has_phis(const struct cc_function *c, uint32_t block) {
  uint32_t first = c->f->blocks.items[block].first;
  return first && c->f->insts.items[first].opcode == OG_IR_PHI;
}

/* The node for the way from the end of `from` to block `to`. If copies are needed and `from` has several ways out, it
 * is a new one between them. */
static uint32_t edge(struct cc_function *c, uint32_t node, uint32_t from, uint32_t to, bool several) {
  uint32_t target = c->node_of[to], first = c->f->blocks.items[to].first;
  if (first && c->f->insts.items[first].opcode == OG_IR_RET && !c->f->insts.items[first].operands)
    return c->exit;
  if (!has_phis(c, to))
    return target;
  if (several) {
    uint32_t between = new_node(c);
    struct cc_node *n = &c->nodes.items[between];
    n->succ[0] = target, n->succs = 1;
    n->copies_from = from, n->copies_to = to;
    return between;
  }
  c->nodes.items[node].copies_from = from;
  c->nodes.items[node].copies_to = to;
  return target;
}

/* Whether copies can be made before lanes diverge, since their registers are still free: those for few values of phis,
 * and not where a loop begins or is left. */
static bool copies_early(const struct cc_function *c, uint32_t from, uint32_t to) {
  unsigned dwords = 0;
  if (!has_phis(c, to) || c->loop_of[to] == 1 + to || c->loop_of[from] != c->loop_of[to])
    return false;
  for (uint32_t i = c->f->blocks.items[to].first; i && c->f->insts.items[i].opcode == OG_IR_PHI;
       i = c->f->insts.items[i].next)
    dwords += cc_parts(c->m, c->f->insts.items[i].type);
  return dwords <= 3;
}

/* Gives a node two ways out; or one, if both lead to the same place. */
static void part(struct cc_node *n, uint32_t yes, uint32_t no) {
  n->succ[0] = yes, n->succ[1] = no, n->succs = yes == no ? 1 : 2;
  if (yes == no)
    n->condition = n->match_ref = OG_IR_NONE;
}

static bool end_block(struct cc_function *c, uint32_t block) {
  const struct og_ir_function *f = c->f;
  const struct og_ir_inst *last = &f->insts.items[f->blocks.items[block].last];
  uint32_t node = c->node_of[block];
  c->record = f->blocks.items[block].last;
  switch (last->opcode) {
  case OG_IR_RET:
  case OG_IR_UNREACHABLE:
    c->nodes.items[node].succ[0] = c->exit;
    c->nodes.items[node].succs = 1;
    return true;
  case OG_IR_BR: {
    uint32_t targets[2], count = last->operands == 1 ? 1 : 2;
    for (uint32_t i = 0; i < count; i++)
      targets[i] = og_ir_index(og_ir_operand(f, last, count == 1 ? 0 : i + 1));
    if (count == 2 && targets[0] == targets[1])
      count = 1;
    bool early = false;
    for (uint32_t i = 0; i < count; i++) {
      bool here = count > 1 && !early && copies_early(c, block, targets[i]);
      uint32_t to = edge(c, node, block, targets[i], count > 1 && !here);
      early |= here;
      c->nodes.items[node].succ[i] = to;
    }
    c->nodes.items[node].succs = count;
    if (count == 2) {
      struct cc_node *n = &c->nodes.items[node];
      n->condition = og_ir_operand(f, last, 0);
      part(n, n->succ[0], n->succ[1]);
    }
    return true;
  }
  case OG_IR_SWITCH: { /* operands: value, default, then pairs of number and block */
    og_ir_ref value = og_ir_operand(f, last, 0);
    for (uint32_t i = 2; i + 1 < last->operands; i += 2) {
      uint32_t to = edge(c, node, block, og_ir_index(og_ir_operand(f, last, i + 1)), true);
      bool final = i + 3 >= last->operands;
      uint32_t next = final ? edge(c, node, block, og_ir_index(og_ir_operand(f, last, 1)), true) : new_node(c);
      struct cc_node *n = &c->nodes.items[node];
      n->match_ref = value;
      n->condition = og_ir_operand(f, last, i);
      part(n, to, next);
      node = next;
    }
    if (last->operands <= 2) {
      uint32_t to = edge(c, node, block, og_ir_index(og_ir_operand(f, last, 1)), false);
      c->nodes.items[node].succ[0] = to, c->nodes.items[node].succs = 1;
    }
    return true;
  }
  default: return cc_refuse(c, "the instruction that ends this block");
  }
}

/* ---- order and loops --------------------------------------------------------------------------------------------- */

struct walk {
  uint32_t *order, *number, *stack, *at; /* reverse postorder and its inverse; of the walk itself */
  uint32_t *pred_at, *preds;             /* the predecessors of node n begin at pred_at[n] */
  uint32_t count;
};

static void walk_nodes(struct cc_function *c, struct walk *w) {
  uint32_t n = c->nodes.count, depth = 0, at = n;
  w->order = OG_NEW_ARRAY(c->arena, uint32_t, n);
  w->number = OG_NEW_ARRAY(c->arena, uint32_t, n);
  w->stack = OG_NEW_ARRAY(c->arena, uint32_t, 2 * n + 2);
  w->at = OG_NEW_ARRAY(c->arena, uint32_t, n);
  bool *seen = OG_NEW_ARRAY(c->arena, bool, n);
  w->stack[depth++] = 0;
  seen[0] = true;
  while (depth) {
    uint32_t node = w->stack[depth - 1];
    const struct cc_node *record = &c->nodes.items[node];
    if (w->at[node] < record->succs) { /* the second way first, so that the first comes next in the order */
      uint32_t to = record->succ[record->succs - 1 - w->at[node]++];
      if (!seen[to]) {
        seen[to] = true;
        w->stack[depth++] = to;
      }
    } else {
      w->order[--at] = node;
      depth--;
    }
  }
  w->count = n - at;
  for (uint32_t i = 0; i < n; i++)
    w->number[i] = CC_NO_NODE;
  for (uint32_t i = 0; i < w->count; i++) {
    w->order[i] = w->order[at + i];
    w->number[w->order[i]] = i;
  }
  w->pred_at = OG_NEW_ARRAY(c->arena, uint32_t, n + 2);
  w->preds = OG_NEW_ARRAY(c->arena, uint32_t, 2 * n);
  for (uint32_t i = 0; i < w->count; i++)
    for (uint32_t s = 0; s < c->nodes.items[w->order[i]].succs; s++)
      w->pred_at[c->nodes.items[w->order[i]].succ[s]]++;
  for (uint32_t i = 1; i <= n; i++)
    w->pred_at[i] += w->pred_at[i - 1];
  for (uint32_t i = w->count; i-- > 0;)
    for (uint32_t s = 0; s < c->nodes.items[w->order[i]].succs; s++)
      w->preds[--w->pred_at[c->nodes.items[w->order[i]].succ[s]]] = w->order[i];
}

static uint32_t common(const struct cc_function *c, const struct walk *w, uint32_t a, uint32_t b) {
  while (a != b)
    if (w->number[a] > w->number[b])
      a = c->nodes.items[a].dominator;
    else
      b = c->nodes.items[b].dominator;
  return a;
}

/* Cooper, Harvey and Kennedy: A Simple, Fast Dominance Algorithm. */
static void find_dominators(struct cc_function *c, const struct walk *w) {
  for (uint32_t i = 0; i < c->nodes.count; i++)
    c->nodes.items[i].dominator = CC_NO_NODE;
  c->nodes.items[0].dominator = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 1; i < w->count; i++) {
      uint32_t node = w->order[i], found = CC_NO_NODE;
      /* the deepest first, so that each step up is taken once */
      for (uint32_t p = w->pred_at[node + 1]; p-- > w->pred_at[node];)
        if (c->nodes.items[w->preds[p]].dominator != CC_NO_NODE)
          found = found == CC_NO_NODE ? w->preds[p] : common(c, w, found, w->preds[p]);
      changed |= c->nodes.items[node].dominator != found;
      c->nodes.items[node].dominator = found;
    }
  }
}

static bool dominates(const struct cc_function *c, const struct walk *w, uint32_t a, uint32_t b) {
  while (w->number[b] > w->number[a])
    b = c->nodes.items[b].dominator;
  return a == b;
}

/* Makes one block before a loop that leads only to its header, if there is none. Lanes that wait to enter the loop wait
 * there, since the header runs in every round. */
static void make_entries(struct cc_function *c, const struct walk *w, const uint32_t *latch) {
  for (uint32_t i = 0; i < w->count; i++) {
    uint32_t header = w->order[i], from = CC_NO_NODE, ways = 0;
    for (uint32_t p = w->pred_at[header]; latch[header] && p < w->pred_at[header + 1]; p++)
      if (w->number[w->preds[p]] < i)
        from = w->preds[p], ways++;
    if (!ways || (ways == 1 && c->nodes.items[from].succs == 1))
      continue;
    uint32_t entry = new_node(c);
    c->nodes.items[entry].succ[0] = header, c->nodes.items[entry].succs = 1;
    for (uint32_t p = w->pred_at[header]; p < w->pred_at[header + 1]; p++)
      for (uint32_t s = 0; w->number[w->preds[p]] < i && s < c->nodes.items[w->preds[p]].succs; s++)
        if (c->nodes.items[w->preds[p]].succ[s] == header)
          c->nodes.items[w->preds[p]].succ[s] = entry;
  }
}

/* Leads all edges back to a header through one new latch, which does nothing else. The header must dominate them. */
static bool make_latches(struct cc_function *c, const struct walk *w, bool *made) {
  uint32_t count = c->nodes.count;
  uint32_t *latch = OG_NEW_ARRAY(c->arena, uint32_t, count); /* by header: 1 + node */
  for (uint32_t i = 0; i < w->count; i++)
    for (uint32_t s = 0; s < c->nodes.items[w->order[i]].succs; s++) {
      uint32_t from = w->order[i], to = c->nodes.items[from].succ[s];
      if (w->number[to] > i)
        continue;
      if (!dominates(c, w, to, from))
        return cc_refuse(c, "irreducible control flow (a loop that is entered at several places)");
      if (!latch[to]) {
        latch[to] = 1 + new_node(c);
        c->nodes.items[latch[to] - 1].succ[0] = to, c->nodes.items[latch[to] - 1].succs = 1;
        *made = true;
      }
      c->nodes.items[from].succ[s] = latch[to] - 1;
    }
  make_entries(c, w, latch);
  return true;
}

static void find_loops(struct cc_function *c, const struct walk *w) {
  const uint32_t *pred_at = w->pred_at, *preds = w->preds;
  OG_PUSH(c->arena, &c->loops);
  for (uint32_t i = w->count; i-- > 0;) { /* inner ones first: their headers come later */
    uint32_t header = w->order[i], latch = CC_NO_NODE, entry = CC_NO_NODE;
    for (uint32_t p = pred_at[header]; p < pred_at[header + 1]; p++) {
      const struct cc_node *n = &c->nodes.items[preds[p]];
      if (w->number[preds[p]] >= i)
        latch = preds[p];
      else if (n->block == CC_NO_NODE && n->copies_to == CC_NO_NODE)
        entry = preds[p];
    }
    if (latch == CC_NO_NODE)
      continue;
    uint32_t loop = c->loops.count, depth = 0;
    *OG_PUSH(c->arena, &c->loops) = (struct cc_loop){.header = header, .latch = latch, .entry = entry};
    w->stack[depth++] = latch;
    while (depth) { /* backwards; from a block of an inner loop on from its header */
      uint32_t at = w->stack[--depth], inner = c->nodes.items[at].loop;
      if (inner == loop)
        continue;
      if (inner) {
        while (c->loops.items[inner].parent)
          inner = c->loops.items[inner].parent;
        if (inner == loop)
          continue;
        c->loops.items[inner].parent = loop;
        at = c->loops.items[inner].header;
      } else {
        c->nodes.items[at].loop = loop;
      }
      if (at == header)
        continue;
      for (uint32_t p = pred_at[at]; p < pred_at[at + 1]; p++) {
        uint32_t of = c->nodes.items[preds[p]].loop;
        while (of && c->loops.items[of].parent)
          of = c->loops.items[of].parent;
        if (of != loop)
          w->stack[depth++] = preds[p];
      }
    }
  }
  for (uint32_t i = 0; i < w->count; i++)
    for (uint32_t l = c->nodes.items[w->order[i]].loop; l; l = c->loops.items[l].parent)
      c->loops.items[l].blocks++;
  for (uint32_t l = c->loops.count; l-- > 1;) /* outer loops were found later */
    c->loops.items[l].depth = c->loops.items[l].parent ? c->loops.items[c->loops.items[l].parent].depth + 1 : 1;
}

static bool in_loop(const struct cc_function *c, uint32_t node, uint32_t loop) {
  uint32_t l = c->nodes.items[node].loop;
  while (l && l != loop)
    l = c->loops.items[l].parent;
  return l == loop || !loop;
}

/* Puts blocks in order, but all of a loop's blocks where its header stands, with the latch last. */
static void place(struct cc_function *c, const struct walk *w, uint32_t from, uint32_t loop) {
  uint32_t before = c->positions;
  for (uint32_t i = from; i < w->count && !(loop && c->positions - before + 1 == c->loops.items[loop].blocks); i++) {
    uint32_t node = w->order[i];
    struct cc_node *n = &c->nodes.items[node];
    if (n->position != CC_NO_NODE || !in_loop(c, node, loop) || node == c->exit ||
        (loop && node == c->loops.items[loop].latch))
      continue;
    if (n->loop != loop && c->loops.items[n->loop].header == node) {
      place(c, w, i, n->loop);
      continue;
    }
    n->position = c->positions;
    c->layout[c->positions++] = node;
  }
  if (loop) {
    struct cc_loop *l = &c->loops.items[loop];
    c->nodes.items[l->latch].position = c->positions;
    c->layout[c->positions++] = l->latch;
    l->last = c->positions - 1;
  }
}

bool cc_flow(struct cc_function *c) {
  uint32_t blocks = c->f->blocks.count;
  c->node_of = OG_NEW_ARRAY(c->arena, uint32_t, blocks);
  for (uint32_t i = 0; i < blocks; i++) {
    c->node_of[i] = new_node(c);
    c->nodes.items[i].block = i;
  }
  c->exit = new_node(c);
  struct cc_graph g;
  cc_graph(c->arena, c->f, &g);
  uint32_t *outer;
  c->loop_of = cc_loop_headers(c->arena, c->f, &g, &outer);
  if (!c->loop_of)
    return cc_refuse(c, "irreducible control flow (a loop that is entered at several places)");
  for (uint32_t i = 0; i < blocks; i++)
    if (c->f->blocks.items[i].last && !end_block(c, i))
      return false;
  struct walk w;
  bool made = false;
  walk_nodes(c, &w);
  find_dominators(c, &w);
  if (!make_latches(c, &w, &made))
    return false;
  if (made) {
    walk_nodes(c, &w);
    find_dominators(c, &w);
  }
  find_loops(c, &w);
  c->layout = OG_NEW_ARRAY(c->arena, uint32_t, c->nodes.count);
  place(c, &w, 0, 0);
  c->nodes.items[c->exit].position = c->positions; /* whether or not it is reached */
  c->layout[c->positions++] = c->exit;
  return true;
}
