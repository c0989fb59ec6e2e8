/* simplify.c - replaces instructions whose value fold.c finds, products and quotients of powers of two by cheaper
 * instructions, and branches of which only one way is taken. */
#include "cc/machine.h"
#include "cc/opt.h"

/* x * 2^k, x / 2^k, x % 2^k. */
static void strength(struct cc_opt *o, struct og_ir_inst *i) {
  uint64_t by;
  if (og_ir_kind(o->m, i->type) != OG_IR_INTEGER || cc_bits(o->m, i->type) > 64 ||
      !cc_is_number(o->m, og_ir_operand(o->f, i, 1), &by) || !by || by & (by - 1))
    return;
  uint64_t shift = (uint64_t)__builtin_ctzll(by), operand = i->opcode == OG_IR_UREM ? by - 1 : shift;
  switch (i->opcode) {
  case OG_IR_MUL: i->opcode = OG_IR_SHL; break;
  case OG_IR_UDIV: i->opcode = OG_IR_LSHR; break;
  case OG_IR_UREM: i->opcode = OG_IR_AND; break;
  default: return;
  }
  i->flags = 0;
  o->f->operands.items[i->first + 1] = og_ir_number(o->m, i->type, operand);
}

static void settle_branch(struct cc_opt *o, struct og_ir_inst *i) {
  struct og_ir_function *f = o->f;
  og_ir_ref *list = &f->operands.items[i->first];
  uint64_t value, match;
  if (i->opcode == OG_IR_BR && i->operands == 3 && cc_is_number(o->m, list[0], &value)) {
    list[0] = list[value & 1 ? 1 : 2];
    i->operands = 1;
  } else if (i->opcode == OG_IR_BR && i->operands == 3 && list[1] == list[2]) {
    list[0] = list[1];
    i->operands = 1;
  } else if (i->opcode == OG_IR_SWITCH && cc_is_number(o->m, list[0], &value)) {
    og_ir_ref to = list[1];
    for (uint32_t k = 2; k + 1 < i->operands; k += 2)
      if (cc_is_number(o->m, list[k], &match) && match == value)
        to = list[k + 1];
    i->opcode = OG_IR_BR, i->operands = 1;
    list[0] = to;
  }
}

void cc_simplify(struct cc_opt *o) {
  struct og_ir_function *f = o->f;
  struct cc_graph g;
  cc_graph(o->arena, f, &g);
  og_ir_ref *with = OG_NEW_ARRAY(o->arena, og_ir_ref, f->insts.count);
  bool any = false;
  for (uint32_t k = 0; k < g.count; k++)
    for (uint32_t i = f->blocks.items[g.order[k]].first, next; i; i = next) {
      struct og_ir_inst *inst = &f->insts.items[i];
      next = inst->next;
      if (any)
        cc_renew(f, inst, with);
      og_ir_ref known = cc_fold(o->m, f, inst);
      if (known != OG_IR_NONE && known != i) {
        with[i] = known, any = true;
        og_ir_remove(f, i);
      } else if (og_ir_opcodes[inst->opcode].shape == OG_IR_SHAPE_BINARY_INT) {
        strength(o, inst);
      } else {
        settle_branch(o, inst);
      }
    }
  if (any)
    cc_renew_all(f, with);
}
