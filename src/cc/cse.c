/* cse.c - computes nothing twice: an instruction is replaced by an equal one that dominates it. Instructions are found
 * by hash; those of a block are forgotten once all blocks that it dominates are done. */
#include "cc/opt.h"

#include <string.h>

struct known {
  uint32_t record, below; /* 1 + the next in the same slot */
};

struct table {
  struct cc_opt *o;
  uint32_t *slots, mask;
  bool any; /* something was replaced */
  OG_VECTOR(struct known) list;
};

static uint64_t hash(const struct cc_opt *o, const struct og_ir_inst *i) {
  uint32_t key[4] = {i->opcode | (uint32_t)i->sub << 8, i->type, i->operands, 0};
  return og_hash(key, sizeof key) ^ og_hash(&o->f->operands.items[i->first], i->operands * sizeof(og_ir_ref));
}

/* Compares `extra`, which in some instructions is the place of a list. */
static bool same_extra(const struct cc_opt *o, const struct og_ir_inst *a, const struct og_ir_inst *b) {
  const uint32_t *x = &o->m->pool.items[a->extra], *y = &o->m->pool.items[b->extra];
  switch (og_ir_opcodes[a->opcode].shape) {
  case OG_IR_SHAPE_CALL: return true;
  case OG_IR_SHAPE_SHUFFLEVECTOR:
  case OG_IR_SHAPE_EXTRACTVALUE:
  case OG_IR_SHAPE_INSERTVALUE: return x[0] == y[0] && memcmp(x + 1, y + 1, x[0] * sizeof *x) == 0;
  default: return a->extra == b->extra;
  }
}

static bool equal(const struct cc_opt *o, const struct og_ir_inst *a, const struct og_ir_inst *b) {
  return a->opcode == b->opcode && a->sub == b->sub && a->type == b->type && a->operands == b->operands &&
         memcmp(&o->f->operands.items[a->first], &o->f->operands.items[b->first], a->operands * sizeof(og_ir_ref)) ==
             0 &&
         same_extra(o, a, b);
}

/* The equal instruction that is known; 0 if there is none, and then this one is known from here on. */
static uint32_t look_up(struct table *t, uint32_t record) {
  struct og_ir_inst *insts = t->o->f->insts.items;
  uint32_t *slot = &t->slots[hash(t->o, &insts[record]) & t->mask];
  for (uint32_t at = *slot; at; at = t->list.items[at - 1].below)
    if (equal(t->o, &insts[t->list.items[at - 1].record], &insts[record])) {
      insts[t->list.items[at - 1].record].flags &= insts[record].flags; /* only the promises of both */
      return t->list.items[at - 1].record;
    }
  *OG_PUSH(t->o->arena, &t->list) = (struct known){record, *slot};
  *slot = t->list.count;
  return 0;
}

static void visit(struct table *t, uint32_t block, og_ir_ref *with) {
  struct og_ir_function *f = t->o->f;
  for (uint32_t i = f->blocks.items[block].first, next; i; i = next) {
    const struct og_ir_inst *inst = &f->insts.items[i];
    next = inst->next;
    if (t->any)
      cc_renew(f, inst, with);
    if (!cc_may_move(t->o->m, f, inst))
      continue;
    with[i] = look_up(t, i);
    if (with[i])
      og_ir_remove(f, i), t->any = true;
  }
}

void cc_cse(struct cc_opt *o) {
  struct og_ir_function *f = o->f;
  struct cc_graph g;
  cc_graph(o->arena, f, &g);
  struct table t = {.o = o};
  uint32_t size = 64;
  while (size < f->insts.count)
    size *= 2;
  t.slots = OG_NEW_ARRAY(o->arena, uint32_t, size), t.mask = size - 1;
  og_ir_ref *with = OG_NEW_ARRAY(o->arena, og_ir_ref, f->insts.count);
  uint32_t n = f->blocks.count, depth = 0;
  uint32_t *child = OG_NEW_ARRAY(o->arena, uint32_t, n + 1), *sibling = OG_NEW_ARRAY(o->arena, uint32_t, n + 1);
  struct frame {
    uint32_t block, known;
  } *stack = OG_NEW_ARRAY(o->arena, struct frame, n + 1);
  for (uint32_t k = g.count; k-- > 1;) {
    uint32_t b = g.order[k], up = g.dominator[b];
    sibling[b] = child[up], child[up] = 1 + b;
  }
  stack[depth++] = (struct frame){0, 0};
  visit(&t, 0, with);
  while (depth) {
    uint32_t block = stack[depth - 1].block;
    if (child[block]) {
      uint32_t b = child[block] - 1;
      child[block] = sibling[b];
      stack[depth++] = (struct frame){b, t.list.count};
      visit(&t, b, with);
      continue;
    }
    while (t.list.count > stack[depth - 1].known) { /* forgets what this block made, the last first */
      const struct known *k = &t.list.items[--t.list.count];
      t.slots[hash(o, &f->insts.items[k->record]) & t.mask] = k->below;
    }
    depth--;
  }
  if (t.any)
    cc_renew_all(f, with);
}
