/* expand_control.c - calls that change which lanes go on, or that only inform the optimizer: a lane that is killed
 * leaves the kernel; convergence control is dropped, since the IR's author has verified it. */
#include "cc/opt.h"

static bool is_condition(const struct cc_opt *o, uint32_t call) {
  const struct og_ir_inst *i = &o->f->insts.items[call];
  og_ir_type type = i->operands > 1 ? og_ir_type_of_ref(o->m, o->f, og_ir_operand(o->f, i, 1)) : OG_IR_VOID;
  const struct og_ir_type_record *t = og_ir_type_of(o->m, type);
  return t->kind == OG_IR_INTEGER && t->count == 1;
}

/* Lanes for which the condition does not hold return. In a function the call stays until the function is inlined into
 * the kernel. */
static void kill(struct cc_opt *o, uint32_t call) {
  struct og_ir_function *f = o->f;
  og_ir_ref condition = og_ir_operand(f, &f->insts.items[call], 1);
  uint32_t block = f->insts.items[call].block, after = cc_split_block(o, call), end = og_ir_add_block(o->m, f, 0);
  cc_go_if(o, block, condition, after, end, call);
  cc_insert(o, end, 0, OG_IR_RET, OG_IR_VOID, 0, call);
  og_ir_remove(f, call);
}

/* Drops the bundles that control convergence: lanes meet as early as the layout allows, which is early enough for all
 * of them. */
static void drop_bundles(struct cc_opt *o, uint32_t call) {
  struct og_ir_inst *i = &o->f->insts.items[call];
  struct og_ir_call *c = &o->f->calls.items[i->extra];
  if (c->bundles)
    i->operands = 1 + c->arguments, c->bundles = 0;
}

void cc_expand_control(struct cc_opt *o, uint32_t call) {
  drop_bundles(o, call);
  struct og_text name = cc_callee_name(o->m, o->f, &o->f->insts.items[call]);
  if (og_text_skip(&name, "llvm.experimental.convergence."))
    og_ir_remove(o->f, call);
  else if (o->f->convention == OG_IR_KERNEL && is_condition(o, call) &&
           (og_text_is(name, "llvm.amdgcn.kill") || og_text_is(name, "llvm.amdgcn.wqm.demote")))
    kill(o, call);
}
