/* returns.c - prepares the IR for real calls. Each function gets one return, so that its lanes come together again. A
 * call by pointer becomes a loop, each round of which calls one function for the lanes that want it. */
#include "cc/opt.h"

static void merge_returns(struct cc_opt *o) {
  struct og_ir_function *f = o->f;
  OG_VECTOR(uint32_t) returns = {0};
  for (uint32_t b = 0; b < f->blocks.count; b++)
    if (f->blocks.items[b].last && f->insts.items[f->blocks.items[b].last].opcode == OG_IR_RET)
      *OG_PUSH(o->arena, &returns) = f->blocks.items[b].last;
  if (!returns.count || !f->insts.items[returns.items[0]].operands ||
      (returns.count == 1 && f->blocks.items[f->insts.items[returns.items[0]].block].first != returns.items[0]))
    return;
  uint32_t end = og_ir_add_block(o->m, f, 0), origin = returns.items[0];
  og_ir_type type = og_ir_type_of_ref(o->m, f, og_ir_operand(f, &f->insts.items[origin], 0));
  uint32_t phi = cc_insert(o, end, 0, OG_IR_PHI, type, 2 * returns.count, origin);
  uint32_t ret = cc_insert(o, end, 0, OG_IR_RET, OG_IR_VOID, 1, origin);
  cc_set(f, ret, 0, phi);
  for (uint32_t k = 0; k < returns.count; k++) {
    struct og_ir_inst *i = &f->insts.items[returns.items[k]];
    cc_set(f, phi, 2 * k, og_ir_operand(f, i, 0)), cc_set(f, phi, 2 * k + 1, OG_IR_BLOCK | i->block);
    i->opcode = OG_IR_BR;
    cc_set(f, returns.items[k], 0, OG_IR_BLOCK | end);
  }
}

static void one_by_one(struct cc_opt *o, uint32_t call) {
  struct og_ir_function *f = o->f;
  og_ir_type word = og_ir_integer(o->m, 64);
  og_ir_ref target = og_ir_operand(f, &f->insts.items[call], 0);
  og_ir_type pointer = og_ir_type_of_ref(o->m, f, target);
  struct cc_turns turns;
  uint32_t number = cc_insert(o, 0, call, OG_IR_PTRTOINT, word, 1, call);
  cc_set(f, number, 0, target);
  cc_begin_turns(o, call, &turns);
  og_ir_ref first =
      cc_insert_call(o, turns.head, 0, "llvm.amdgcn.readfirstlane.i64", word, (og_ir_ref[]){number}, 1, call);
  uint32_t back = cc_insert(o, turns.head, 0, OG_IR_INTTOPTR, pointer, 1, call);
  cc_set(f, back, 0, first);
  uint32_t mine = cc_insert(o, turns.head, 0, OG_IR_ICMP, og_ir_integer(o->m, 1), 2, call);
  f->insts.items[mine].sub = OG_IR_EQ;
  cc_set(f, mine, 0, number), cc_set(f, mine, 1, first);
  cc_set(f, call, 0, back);
  cc_end_turns(o, call, &turns, mine);
}

void cc_prepare_calls(struct cc_opt *o) {
  OG_VECTOR(uint32_t) calls = {0};
  for (uint32_t b = 0; b < o->f->blocks.count; b++)
    for (uint32_t i = o->f->blocks.items[b].first; i; i = o->f->insts.items[i].next)
      if (cc_is_real_call(o->m, o->f, &o->f->insts.items[i]) && !cc_callee(o->m, o->f, &o->f->insts.items[i]))
        *OG_PUSH(o->arena, &calls) = i;
  for (uint32_t k = 0; k < calls.count; k++)
    one_by_one(o, calls.items[k]);
  if (o->f->convention != OG_IR_KERNEL)
    merge_returns(o);
}
