/* offsets.c - takes constants out of indices: what is indexed by x, x + 1 and x + 2 has one address, and the constants
 * become offsets of memory instructions. */
#include "cc/machine.h"
#include "cc/opt.h"

/* Whether a value is x + number, with a sum that does not wrap before `cast` widens it. */
static bool sum(const struct cc_opt *o, og_ir_ref ref, uint8_t cast, og_ir_ref *x, int64_t *number) {
  uint64_t value;
  if (og_ir_space(ref) != OG_IR_LOCAL)
    return false;
  const struct og_ir_inst *i = &o->f->insts.items[og_ir_index(ref)];
  unsigned bits = cc_bits(o->m, i->type);
  bool disjoint = i->opcode == OG_IR_OR && i->flags & OG_IR_F_DISJOINT;
  if ((i->opcode != OG_IR_ADD && !disjoint) || !cc_is_number(o->m, og_ir_operand(o->f, i, 1), &value) || bits > 64)
    return false;
  if (cast == OG_IR_ZEXT && !disjoint && !(i->flags & OG_IR_F_NUW))
    return false;
  if (cast == OG_IR_SEXT && !disjoint && !(i->flags & OG_IR_F_NSW))
    return false;
  *x = og_ir_operand(o->f, i, 0);
  *number = cast == OG_IR_ZEXT || bits == 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
  return true;
}

/* The index without the constant that is added to it. */
static bool split(struct cc_opt *o, uint32_t record, og_ir_ref *index, int64_t *number) {
  struct og_ir_function *f = o->f;
  const struct og_ir_inst *gep = &f->insts.items[record];
  og_ir_ref old = og_ir_operand(f, gep, 1), x;
  if (og_ir_space(old) != OG_IR_LOCAL)
    return false;
  unsigned wide = cc_bits(o->m, gep->type);
  const struct og_ir_inst cast = f->insts.items[og_ir_index(old)];
  if (cast.opcode != OG_IR_ZEXT && cast.opcode != OG_IR_SEXT) { /* it has the pointer's width: both sums wrap alike */
    *index = old;
    return cc_bits(o->m, cast.type) == wide && sum(o, old, OG_IR_BITCAST, index, number);
  }
  if (cc_bits(o->m, cast.type) != wide || !sum(o, og_ir_operand(f, &cast, 0), cast.opcode, &x, number))
    return false;
  *index = cc_insert(o, cast.block, record, cast.opcode, cast.type, 1, record);
  cc_set(f, *index, 0, x);
  return true;
}

void cc_offsets(struct cc_opt *o) {
  struct og_ir_function *f = o->f;
  for (uint32_t b = 0; b < f->blocks.count; b++)
    for (uint32_t i = f->blocks.items[b].first, next; i; i = next) {
      next = f->insts.items[i].next;
      const struct og_ir_inst gep = f->insts.items[i];
      if (gep.opcode != OG_IR_GETELEMENTPTR || gep.operands != 2 || og_ir_is_vector(o->m, gep.type))
        continue;
      unsigned space = (unsigned)og_ir_type_of(o->m, gep.type)->count;
      og_ir_ref index;
      int64_t number = 0, bytes = (int64_t)cc_size_of(o->m, gep.extra);
      if ((space != 1 && space != 3 && space != 4) || bytes > 4096 || !split(o, i, &index, &number) ||
          number < -4096 || number > 4096)
        continue;
      uint32_t base = cc_insert(o, b, i, OG_IR_GETELEMENTPTR, gep.type, 2, i);
      f->insts.items[base].extra = gep.extra;
      cc_set(f, base, 0, og_ir_operand(f, &gep, 0));
      cc_set(f, base, 1, index);
      f->insts.items[i].extra = og_ir_integer(o->m, 8), f->insts.items[i].flags = 0;
      cc_set(f, i, 0, base);
      cc_set(f, i, 1, og_ir_number(o->m, og_ir_integer(o->m, 64), (uint64_t)(number * bytes)));
    }
}
