/* graph.c - a function's blocks as a graph: order, predecessors, dominators, loops. */
#include "cc/opt.h"

static uint32_t terminator(const struct og_ir_function *f, uint32_t block) { return f->blocks.items[block].last; }

/* The next block among a terminator's operands from `at` on. */
static bool next_successor(const struct og_ir_function *f, uint32_t block, uint32_t *at, uint32_t *to) {
  const struct og_ir_inst *last = &f->insts.items[terminator(f, block)];
  if (!terminator(f, block) || !og_ir_is_terminator(last->opcode))
    return false;
  while (*at < last->operands) {
    og_ir_ref ref = og_ir_operand(f, last, (*at)++);
    if (og_ir_space(ref) == OG_IR_BLOCK) {
      *to = og_ir_index(ref);
      return true;
    }
  }
  return false;
}

static void walk(struct og_arena *arena, const struct og_ir_function *f, struct cc_graph *g) {
  uint32_t n = f->blocks.count, depth = 0, at = n, to;
  uint32_t *stack = OG_NEW_ARRAY(arena, uint32_t, n + 1), *next = OG_NEW_ARRAY(arena, uint32_t, n + 1);
  bool *seen = OG_NEW_ARRAY(arena, bool, n + 1);
  g->order = OG_NEW_ARRAY(arena, uint32_t, n + 1), g->number = OG_NEW_ARRAY(arena, uint32_t, n + 1);
  stack[depth++] = 0, seen[0] = true;
  while (depth) {
    uint32_t block = stack[depth - 1];
    if (next_successor(f, block, &next[block], &to)) {
      if (!seen[to])
        seen[to] = true, stack[depth++] = to;
    } else {
      g->order[--at] = block;
      depth--;
    }
  }
  g->count = n - at;
  for (uint32_t b = 0; b < n; b++)
    g->number[b] = CC_UNREACHED;
  for (uint32_t k = 0; k < g->count; k++) {
    g->order[k] = g->order[at + k];
    g->number[g->order[k]] = k;
  }
}

static void find_preds(struct og_arena *arena, const struct og_ir_function *f, struct cc_graph *g) {
  uint32_t n = f->blocks.count, to;
  g->pred_at = OG_NEW_ARRAY(arena, uint32_t, n + 2);
  for (uint32_t k = 0; k < g->count; k++)
    for (uint32_t at = 0; next_successor(f, g->order[k], &at, &to);)
      g->pred_at[to]++;
  for (uint32_t b = 1; b <= n; b++)
    g->pred_at[b] += g->pred_at[b - 1];
  g->preds = OG_NEW_ARRAY(arena, uint32_t, g->pred_at[n] + 1);
  for (uint32_t k = g->count; k-- > 0;)
    for (uint32_t at = 0; next_successor(f, g->order[k], &at, &to);)
      g->preds[--g->pred_at[to]] = g->order[k];
}

/* Cooper, Harvey and Kennedy: A Simple, Fast Dominance Algorithm. */
static void find_dominators(struct og_arena *arena, const struct og_ir_function *f, struct cc_graph *g) {
  g->dominator = OG_NEW_ARRAY(arena, uint32_t, f->blocks.count + 1);
  for (uint32_t b = 0; b < f->blocks.count; b++)
    g->dominator[b] = CC_UNREACHED;
  g->dominator[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t k = 1; k < g->count; k++) {
      uint32_t block = g->order[k], found = CC_UNREACHED;
      for (uint32_t p = g->pred_at[block]; p < g->pred_at[block + 1]; p++) {
        uint32_t a = g->preds[p];
        if (g->dominator[a] == CC_UNREACHED)
          continue;
        while (found != CC_UNREACHED && a != found)
          if (g->number[a] > g->number[found])
            a = g->dominator[a];
          else
            found = g->dominator[found];
        found = a;
      }
      changed |= g->dominator[block] != found;
      g->dominator[block] = found;
    }
  }
}

void cc_graph(struct og_arena *arena, const struct og_ir_function *f, struct cc_graph *g) {
  walk(arena, f, g);
  find_preds(arena, f, g);
  find_dominators(arena, f, g);
}

static bool dominates(const struct cc_graph *g, uint32_t a, uint32_t b) {
  while (g->number[b] > g->number[a])
    b = g->dominator[b];
  return a == b;
}

uint32_t *cc_loop_headers(struct og_arena *arena, const struct og_ir_function *f, const struct cc_graph *g,
                          uint32_t **outer) {
  uint32_t *header = OG_NEW_ARRAY(arena, uint32_t, f->blocks.count + 1);
  uint32_t *stack = OG_NEW_ARRAY(arena, uint32_t, g->pred_at[f->blocks.count] + 1);
  *outer = OG_NEW_ARRAY(arena, uint32_t, f->blocks.count + 1); /* by header: 1 + that of the loop around it */
  for (uint32_t k = g->count; k-- > 0;) {                      /* inner loops first */
    uint32_t h = g->order[k], depth = 0;
    bool loops = false;
    for (uint32_t p = g->pred_at[h]; p < g->pred_at[h + 1]; p++) {
      if (g->number[g->preds[p]] < k)
        continue;
      if (!dominates(g, h, g->preds[p]))
        return NULL;
      loops = true;
      if (g->preds[p] != h)
        stack[depth++] = g->preds[p];
    }
    if (!loops)
      continue;
    uint32_t mine = header[h];
    (void)mine;
    while (depth) {
      uint32_t b = stack[--depth], at = b;
      if (header[b]) { /* a block of an inner loop: go on at the outermost header */
        at = header[b] - 1;
        while ((*outer)[at])
          at = (*outer)[at] - 1;
        if (at == h)
          continue;
        (*outer)[at] = 1 + h;
      } else {
        header[b] = 1 + h;
      }
      if (at == h)
        continue;
      for (uint32_t p = g->pred_at[at]; p < g->pred_at[at + 1]; p++) {
        uint32_t from = g->preds[p], top = from;
        if (header[from]) {
          top = header[from] - 1;
          while ((*outer)[top])
            top = (*outer)[top] - 1;
        }
        if (from != h && !(header[from] && top == h))
          stack[depth++] = from;
      }
    }
    header[h] = 1 + h;
  }
  return header;
}
