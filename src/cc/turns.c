/* turns.c - makes a loop around a call that runs it for some lanes after the others: in each round for the lanes that
 * have the same as the first one left. */
#include "cc/opt.h"

void cc_begin_turns(struct cc_opt *o, uint32_t call, struct cc_turns *t) {
  struct og_ir_function *f = o->f;
  uint32_t before = f->insts.items[call].block;
  og_ir_build_uses(o->arena, f, &t->uses);
  t->after = cc_split_block(o, call);
  t->head = og_ir_add_block(o->m, f, 0), t->body = og_ir_add_block(o->m, f, 0), t->latch = og_ir_add_block(o->m, f, 0);
  og_ir_remove(f, call);
  cc_go(o, before, t->head, call);
}

void cc_end_turns(struct cc_opt *o, uint32_t call, const struct cc_turns *t, og_ir_ref mine) {
  struct og_ir_function *f = o->f;
  og_ir_type type = f->insts.items[call].type;
  cc_go_if(o, t->head, mine, t->body, t->latch, call);
  f->insts.items[call].block = t->body, f->blocks.items[t->body].first = f->blocks.items[t->body].last = call;
  cc_go(o, t->body, t->latch, call);
  if (type != OG_IR_VOID) {
    og_ir_ref none = og_ir_constant(o->m, (struct og_ir_constant){.kind = OG_IR_C_UNDEF, .type = type}, NULL);
    uint32_t phi = cc_insert(o, t->latch, 0, OG_IR_PHI, type, 4, call);
    for (uint32_t place = t->uses.head[call]; place; place = t->uses.next[place])
      f->operands.items[place] = phi;
    cc_set(f, phi, 0, call), cc_set(f, phi, 1, OG_IR_BLOCK | t->body);
    cc_set(f, phi, 2, none), cc_set(f, phi, 3, OG_IR_BLOCK | t->head);
  }
  cc_go_if(o, t->latch, mine, t->after, t->head, call);
}
