/* hoist.c - moves loop-invariant computations before the loop: instructions that only compute, and whose operands stand
 * outside, go to the end of the block from which the loop is entered. Cheap ones stay, since each would keep a register
 * busy. */
#include "cc/opt.h"

/* The only block outside from which a loop is entered, if it has no other way out. */
static uint32_t before_loop(const struct og_ir_function *f, const struct cc_graph *g, const uint32_t *header,
                            const uint32_t *outer, uint32_t h) {
  uint32_t found = CC_UNREACHED;
  for (uint32_t p = g->pred_at[h]; p < g->pred_at[h + 1]; p++) {
    uint32_t l = header[g->preds[p]];
    while (l && l != 1 + h)
      l = outer[l - 1];
    if (l)
      continue; /* an edge from inside */
    if (found != CC_UNREACHED)
      return CC_UNREACHED;
    found = g->preds[p];
  }
  return found != CC_UNREACHED && f->insts.items[f->blocks.items[found].last].operands == 1 ? found : CC_UNREACHED;
}

static bool is_worth_it(const struct og_ir_inst *i) {
  switch (og_ir_opcodes[i->opcode].shape) {
  case OG_IR_SHAPE_CAST:
  case OG_IR_SHAPE_ICMP:
  case OG_IR_SHAPE_FCMP:
  case OG_IR_SHAPE_EXTRACTELEMENT:
  case OG_IR_SHAPE_EXTRACTVALUE:
  case OG_IR_SHAPE_INSERTELEMENT:
  case OG_IR_SHAPE_INSERTVALUE:
  case OG_IR_SHAPE_SHUFFLEVECTOR: return false;
  default: return true;
  }
}

void cc_hoist(struct cc_opt *o) {
  struct og_ir_function *f = o->f;
  struct cc_graph g;
  uint32_t *outer;
  cc_graph(o->arena, f, &g);
  uint32_t *header = cc_loop_headers(o->arena, f, &g, &outer);
  if (!header)
    return;
  uint32_t *before = OG_NEW_ARRAY(o->arena, uint32_t, f->blocks.count + 1);
  for (uint32_t b = 0; b < f->blocks.count; b++)
    before[b] = header[b] == 1 + b ? before_loop(f, &g, header, outer, b) : CC_UNREACHED;
  for (uint32_t k = 0; k < g.count; k++) {
    uint32_t b = g.order[k];
    for (uint32_t i = header[b] ? f->blocks.items[b].first : 0, next; i; i = next) {
      next = f->insts.items[i].next;
      if (!is_worth_it(&f->insts.items[i]) || !cc_may_move(o->m, f, &f->insts.items[i]))
        continue;
      for (uint32_t loop = header[b]; loop && before[loop - 1] != CC_UNREACHED; loop = outer[loop - 1]) {
        const struct og_ir_inst *inst = &f->insts.items[i];
        bool inside = false;
        for (uint32_t n = 0; n < inst->operands && !inside; n++) {
          og_ir_ref ref = og_ir_operand(f, inst, n);
          if (og_ir_space(ref) != OG_IR_LOCAL || og_ir_index(ref) <= f->arguments)
            continue;
          uint32_t l = header[f->insts.items[og_ir_index(ref)].block];
          while (l && l != loop)
            l = outer[l - 1];
          inside = l;
        }
        if (inside)
          break;
        uint32_t to = before[loop - 1];
        og_ir_remove(f, i);
        og_ir_insert_before(f, i, f->blocks.items[to].last);
      }
    }
  }
}
