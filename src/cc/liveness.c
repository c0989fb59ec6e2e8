/* liveness.c - where registers are live, by data flow: vector registers along the paths that a lane takes, since lanes
 * that are off keep their values; scalar ones along the paths of the code. */
#include "cc/liveness.h"

static uint64_t *row(const struct cc_liveness *l, uint64_t *bits, uint32_t position) {
  return bits + (size_t)position * l->words;
}
static void set(uint64_t *bits, uint32_t at) { bits[at / 64] |= UINT64_C(1) << at % 64; }

/* Registers that are read in another block than that which writes all of them before. */
static void find_globals(struct cc_liveness *l) {
  struct cc_function *c = l->c;
  uint32_t *home = OG_NEW_ARRAY(c->arena, uint32_t, c->regs.count);
  for (uint32_t p = 0; p < c->positions; p++) {
    const struct cc_node *n = &c->nodes.items[c->layout[p]];
    for (uint32_t k = n->first; k < n->end; k++) {
      const struct cc_inst *i = &c->insts.items[k];
      for (unsigned o = 0; o < i->operands; o++) {
        struct cc_operand op = c->operands.items[i->first + o];
        if (op.kind != CC_REG)
          continue;
        if (!home[op.value])
          home[op.value] = 1 + p;
        if ((home[op.value] != 1 + p || c->regs.items[op.value].physical != CC_NO_REGISTER) && !l->global[op.value])
          l->global[op.value] = ++l->globals;
      }
    }
  }
  /* One block's own, but round a loop of it alone: read before it is written. */
  uint32_t *seen = OG_NEW_ARRAY(c->arena, uint32_t, c->regs.count);
  for (uint32_t k = 0; k < c->insts.count; k++) {
    const struct cc_inst *i = &c->insts.items[k];
    for (unsigned o = i->operands; o-- > 0;) {
      struct cc_operand op = c->operands.items[i->first + o];
      if (op.kind != CC_REG)
        continue;
      if (o < i->defs)
        seen[op.value] = 1;
      else if (!seen[op.value] && !l->global[op.value])
        l->global[op.value] = ++l->globals;
    }
  }
}

static void local_sets(struct cc_liveness *l) {
  struct cc_function *c = l->c;
  for (uint32_t p = 0; p < c->positions; p++) {
    const struct cc_node *n = &c->nodes.items[c->layout[p]];
    uint64_t *reads = row(l, l->reads, p), *writes = row(l, l->writes, p);
    for (uint32_t k = n->end; k-- > n->first;) {
      const struct cc_inst *i = &c->insts.items[k];
      for (unsigned o = 0; o < i->operands; o++) {
        struct cc_operand op = c->operands.items[i->first + o];
        if (op.kind != CC_REG || !l->global[op.value])
          continue;
        uint32_t bit = l->global[op.value] - 1;
        if (l->stamp[op.value] != 1 + p)
          l->stamp[op.value] = 1 + p, l->written[op.value] = 0;
        if (o >= i->defs) {
          l->written[op.value] = 0;
          set(reads, bit);
          continue;
        }
        l->written[op.value] |= cc_dwords_mask(op.sub, op.dwords);
        if (l->written[op.value] == cc_dwords_mask(0, c->regs.items[op.value].dwords)) {
          set(writes, bit);
          reads[bit / 64] &= ~(UINT64_C(1) << bit % 64);
        }
      }
    }
  }
}

static void flow(struct cc_liveness *l) {
  struct cc_function *c = l->c;
  uint64_t *vectors = OG_NEW_ARRAY(c->arena, uint64_t, l->words);
  for (uint32_t r = 1; r < c->regs.count; r++)
    if (l->global[r] && c->regs.items[r].file != CC_S)
      set(vectors, l->global[r] - 1);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t p = c->positions; p-- > 0;) {
      const struct cc_node *n = &c->nodes.items[c->layout[p]];
      uint64_t *in = row(l, l->in, p), *out = row(l, l->out, p);
      uint32_t successors[8], count = 0;
      for (uint32_t s = 0; s < n->succs; s++)
        for (uint32_t w = 0; w < l->words; w++)
          out[w] |= row(l, l->in, c->nodes.items[n->succ[s]].position)[w] & vectors[w];
      bool falls = true;
      for (uint32_t k = n->end; k-- > n->first && count < 6;) { /* branches stand at the end, but that at the entry */
        unsigned r = c->insts.items[k].row;
        bool branch = cc_is_jump(&c->insts.items[k]);
        if (k + 1 == n->end)
          falls = r != OG_ROW_S_BRANCH && r != OG_ROW_S_ENDPGM;
        if (!branch)
          break;
        successors[count++] = (uint32_t)c->insts.items[k].offset;
      }
      if (falls && p + 1 < c->positions)
        successors[count++] = p + 1;
      for (uint32_t s = 0; s < count; s++)
        for (uint32_t w = 0; w < l->words; w++)
          out[w] |= row(l, l->in, successors[s])[w] & ~vectors[w];
      for (uint32_t w = 0; w < l->words; w++) {
        uint64_t now = row(l, l->reads, p)[w] | (out[w] & ~row(l, l->writes, p)[w]);
        if (n->skips)
          now |= row(l, l->in, n->skip)[w] & ~vectors[w];
        changed |= now != in[w];
        in[w] = now;
      }
    }
  }
}

static void cover(struct cc_reg *r, uint32_t at) {
  r->start = OG_MIN(r->start, at);
  r->end = OG_MAX(r->end, at);
}

static void find_intervals(struct cc_liveness *l) {
  struct cc_function *c = l->c;
  for (uint32_t r = 0; r < c->regs.count; r++)
    c->regs.items[r].start = UINT32_MAX, c->regs.items[r].end = 0;
  uint32_t *of = OG_NEW_ARRAY(c->arena, uint32_t, l->globals + 1);
  for (uint32_t r = 1; r < c->regs.count; r++)
    if (l->global[r])
      of[l->global[r] - 1] = r;
  for (uint32_t p = 0; p < c->positions; p++) {
    const struct cc_node *n = &c->nodes.items[c->layout[p]];
    for (uint32_t w = 0; w < l->words; w++) {
      for (uint64_t bits = row(l, l->in, p)[w]; bits; bits &= bits - 1)
        cover(&c->regs.items[of[64 * w + (uint32_t)__builtin_ctzll(bits)]], 2 * n->first);
      for (uint64_t bits = row(l, l->out, p)[w]; bits; bits &= bits - 1)
        cover(&c->regs.items[of[64 * w + (uint32_t)__builtin_ctzll(bits)]], 2 * n->end);
    }
    for (uint32_t k = n->first; k < n->end; k++) {
      const struct cc_inst *i = &c->insts.items[k];
      for (unsigned o = 0; o < i->operands; o++) {
        struct cc_operand op = c->operands.items[i->first + o];
        if (op.kind == CC_REG)
          cover(&c->regs.items[op.value], 2 * k + (o < i->defs && !i->early));
      }
    }
  }
}

void cc_find_liveness(struct cc_function *c, struct cc_liveness *l) {
  *l = (struct cc_liveness){.c = c};
  l->global = OG_NEW_ARRAY(c->arena, uint32_t, c->regs.count);
  l->written = OG_NEW_ARRAY(c->arena, uint32_t, c->regs.count);
  l->stamp = OG_NEW_ARRAY(c->arena, uint32_t, c->regs.count);
  find_globals(l);
  l->words = (l->globals + 63) / 64;
  size_t size = (size_t)l->words * c->positions;
  l->in = OG_NEW_ARRAY(c->arena, uint64_t, size + 1), l->out = OG_NEW_ARRAY(c->arena, uint64_t, size + 1);
  l->reads = OG_NEW_ARRAY(c->arena, uint64_t, size + 1), l->writes = OG_NEW_ARRAY(c->arena, uint64_t, size + 1);
  local_sets(l);
  flow(l);
  find_intervals(l);
}

