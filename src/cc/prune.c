/* prune.c - removes unused code: instructions that nobody reads and that have no effect, blocks that are never reached;
 * and joins blocks that always follow one another. Blocks get new numbers. */
#include "cc/machine.h"
#include "cc/opt.h"

#include <string.h>

static bool is_phi(const struct og_ir_function *f, uint32_t i) { return i && f->insts.items[i].opcode == OG_IR_PHI; }

/* How many edges lead from one block to the other. */
static uint32_t edges(const struct cc_graph *g, uint32_t from, uint32_t to) {
  uint32_t count = 0;
  for (uint32_t p = g->pred_at[to]; p < g->pred_at[to + 1]; p++)
    count += g->preds[p] == from;
  return count;
}

/* Removes a phi's values for edges that no longer exist. */
static void cut_phis(struct og_ir_function *f, const struct cc_graph *g) {
  for (uint32_t k = 0; k < g->count; k++)
    for (uint32_t i = f->blocks.items[g->order[k]].first; is_phi(f, i); i = f->insts.items[i].next) {
      struct og_ir_inst *phi = &f->insts.items[i];
      og_ir_ref *list = &f->operands.items[phi->first];
      if (phi->operands == 2 * (g->pred_at[g->order[k] + 1] - g->pred_at[g->order[k]]))
        continue; /* all are still there */
      uint32_t kept = 0;
      for (uint32_t n = 0; n < phi->operands; n += 2) {
        uint32_t from = og_ir_index(list[n + 1]), same = 0;
        for (uint32_t before = 0; before < kept; before += 2)
          same += list[before + 1] == list[n + 1];
        if (g->number[from] == CC_UNREACHED || same >= edges(g, from, g->order[k]))
          continue;
        list[kept] = list[n], list[kept + 1] = list[n + 1];
        kept += 2;
      }
      phi->operands = kept;
    }
}

/* Replaces a phi that can have only one value by that value. */
static void drop_phis(struct cc_opt *o, const struct cc_graph *g) {
  struct og_ir_function *f = o->f;
  og_ir_ref *with = OG_NEW_ARRAY(o->arena, og_ir_ref, f->insts.count);
  bool any = false;
  for (uint32_t k = 0; k < g->count; k++)
    for (uint32_t i = f->blocks.items[g->order[k]].first, next; is_phi(f, i); i = next) {
      const struct og_ir_inst *phi = &f->insts.items[i];
      og_ir_ref only = 0;
      bool one = phi->operands > 0;
      next = phi->next;
      for (uint32_t n = 0; n < phi->operands && one; n += 2) {
        og_ir_ref value = cc_now(with, og_ir_operand(f, phi, n));
        if (value == i)
          continue;
        one = !only || only == value;
        only = value;
      }
      /* a local value need not reach here on all edges */
      if (!one || !only || (og_ir_space(only) == OG_IR_LOCAL && phi->operands > 2 && og_ir_index(only) > f->arguments))
        continue;
      with[i] = only;
      any = true;
      og_ir_remove(f, i);
    }
  if (any)
    cc_renew_all(f, with);
}

/* Joins a block with its only predecessor, if that has no other successor. */
static void join_blocks(struct cc_opt *o, const struct cc_graph *g, uint32_t *part_of) {
  struct og_ir_function *f = o->f;
  for (uint32_t b = 0; b < f->blocks.count; b++)
    part_of[b] = b;
  for (uint32_t k = 1; k < g->count; k++) {
    uint32_t b = g->order[k];
    if (g->pred_at[b + 1] - g->pred_at[b] != 1 || is_phi(f, f->blocks.items[b].first))
      continue;
    uint32_t to = part_of[g->preds[g->pred_at[b]]];
    struct og_ir_block *head = &f->blocks.items[to], *tail = &f->blocks.items[b];
    const struct og_ir_inst *last = &f->insts.items[head->last];
    if (last->opcode != OG_IR_BR || last->operands != 1)
      continue;
    og_ir_remove(f, head->last);
    for (uint32_t i = tail->first; i; i = f->insts.items[i].next)
      f->insts.items[i].block = to;
    if (head->last)
      f->insts.items[head->last].next = tail->first, f->insts.items[tail->first].previous = head->last;
    else
      head->first = tail->first;
    head->last = tail->last;
    tail->first = tail->last = 0;
    part_of[b] = to;
  }
}

static void renumber(struct cc_opt *o, const struct cc_graph *g, const uint32_t *part_of) {
  struct og_ir_function *f = o->f;
  uint32_t *number = OG_NEW_ARRAY(o->arena, uint32_t, f->blocks.count), count = 0;
  struct og_ir_block *blocks = OG_NEW_ARRAY(o->arena, struct og_ir_block, f->blocks.count);
  for (uint32_t k = 0; k < g->count; k++)
    if (part_of[g->order[k]] == g->order[k]) {
      number[g->order[k]] = count;
      blocks[count++] = f->blocks.items[g->order[k]];
    }
  for (uint32_t b = 0; b < count; b++)
    for (uint32_t i = blocks[b].first; i; i = f->insts.items[i].next) {
      struct og_ir_inst *inst = &f->insts.items[i];
      inst->block = b;
      for (uint32_t n = 0; n < inst->operands; n++) {
        og_ir_ref *ref = &f->operands.items[inst->first + n];
        if (og_ir_space(*ref) == OG_IR_BLOCK)
          *ref = OG_IR_BLOCK | number[part_of[og_ir_index(*ref)]];
      }
    }
  memcpy(f->blocks.items, blocks, count * sizeof *blocks);
  memset(f->blocks.items + count, 0, (f->blocks.count - count) * sizeof *blocks); /* pushing counts on zeros */
  f->blocks.count = count;
}

/* Whether a debug record still says something: a variable's value, or its place in memory that is needed anyway. */
static bool tells_of(const struct og_ir_function *f, const struct og_ir_inst *i, const bool *needed) {
  if (i->opcode == OG_IR_DBG_VALUE || i->opcode == OG_IR_DBG_ASSIGN)
    return true;
  bool all = i->opcode == OG_IR_DBG_DECLARE;
  for (uint32_t n = 0; n < i->operands && all; n++) {
    og_ir_ref ref = og_ir_operand(f, i, n);
    all = og_ir_space(ref) != OG_IR_LOCAL || needed[og_ir_index(ref)];
  }
  return all;
}

static void drop_unused(struct cc_opt *o) {
  struct og_ir_function *f = o->f;
  bool *needed = OG_NEW_ARRAY(o->arena, bool, f->insts.count);
  uint32_t *open = OG_NEW_ARRAY(o->arena, uint32_t, f->insts.count), count = 0;
  bool unoptimized = cc_has_attribute(o->m, f, OG_IR_A_OPT_NONE); /* then variables stay for a debugger */
  for (uint32_t b = 0; b < f->blocks.count; b++)
    for (uint32_t i = f->blocks.items[b].first; i; i = f->insts.items[i].next)
      if (og_ir_opcodes[f->insts.items[i].opcode].shape == OG_IR_SHAPE_DEBUG
              ? unoptimized && f->insts.items[i].opcode == OG_IR_DBG_DECLARE
              : cc_has_effects(o->m, f, &f->insts.items[i]))
        needed[i] = true, open[count++] = i;
  while (count) {
    const struct og_ir_inst *i = &f->insts.items[open[--count]];
    for (uint32_t n = 0; n < i->operands; n++) {
      og_ir_ref ref = og_ir_operand(f, i, n);
      if (og_ir_space(ref) == OG_IR_LOCAL && !needed[og_ir_index(ref)])
        needed[og_ir_index(ref)] = true, open[count++] = og_ir_index(ref);
    }
  }
  for (uint32_t b = 0; b < f->blocks.count; b++)
    for (uint32_t i = f->blocks.items[b].first, next; i; i = next) {
      next = f->insts.items[i].next;
      if (!needed[i] && !tells_of(f, &f->insts.items[i], needed))
        og_ir_remove(f, i);
    }
}

void cc_prune(struct cc_opt *o) {
  struct cc_graph g;
  cc_graph(o->arena, o->f, &g);
  uint32_t *part_of = OG_NEW_ARRAY(o->arena, uint32_t, o->f->blocks.count + 1);
  cut_phis(o->f, &g);
  drop_phis(o, &g);
  join_blocks(o, &g, part_of);
  renumber(o, &g, part_of);
  drop_unused(o);
}
