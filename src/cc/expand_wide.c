/* expand_wide.c - comparisons of integers of more than 64 bits become comparisons of halves; operations on integers of
 * 33 to 63 bits are done in 64 if the bits above the number matter to them. */
#include "cc/machine.h"
#include "cc/opt.h"

static uint32_t binary(struct cc_opt *o, uint32_t at, uint8_t opcode, og_ir_type type, og_ir_ref a, og_ir_ref b) {
  uint32_t i = cc_insert(o, o->f->insts.items[at].block, at, opcode, type, 2, at);
  cc_set(o->f, i, 0, a), cc_set(o->f, i, 1, b);
  return i;
}

static uint32_t compare(struct cc_opt *o, uint32_t at, unsigned predicate, og_ir_ref a, og_ir_ref b) {
  uint32_t i = binary(o, at, OG_IR_ICMP, og_ir_integer(o->m, 1), a, b);
  o->f->insts.items[i].sub = (uint8_t)predicate;
  return i;
}

/* The lower 64 bits of a value, or the bits above them. */
static og_ir_ref half(struct cc_opt *o, uint32_t at, og_ir_ref value, og_ir_type type, bool high, bool is_signed) {
  if (high)
    value = binary(o, at, is_signed ? OG_IR_ASHR : OG_IR_LSHR, type, value, og_ir_number(o->m, type, 64));
  uint32_t i = cc_insert(o, o->f->insts.items[at].block, at, OG_IR_TRUNC, og_ir_integer(o->m, 64), 1, at);
  cc_set(o->f, i, 0, value);
  return i;
}

/* Comparisons, divisions and shifts to the right of 33 to 63 bits. */
static bool do_in_64(struct cc_opt *o, uint32_t record, og_ir_ref *with) {
  const struct og_ir_inst i = o->f->insts.items[record];
  og_ir_type wide = og_ir_integer(o->m, 64), type = og_ir_type_of_ref(o->m, o->f, og_ir_operand(o->f, &i, 0));
  bool compares = i.opcode == OG_IR_ICMP, divides = i.opcode == OG_IR_UDIV || i.opcode == OG_IR_UREM;
  bool is_signed =
      i.opcode == OG_IR_SDIV || i.opcode == OG_IR_SREM || i.opcode == OG_IR_ASHR || (compares && i.sub >= OG_IR_SGT);
  unsigned bits = og_ir_kind(o->m, type) == OG_IR_INTEGER ? cc_bits(o->m, type) : 0;
  if (bits <= 32 || bits >= 64 || (!compares && !divides && !is_signed && i.opcode != OG_IR_LSHR))
    return false;
  og_ir_ref sides[2];
  for (unsigned k = 0; k < 2; k++) {
    bool amount = k && (i.opcode == OG_IR_ASHR || i.opcode == OG_IR_LSHR);
    uint32_t e = cc_insert(o, i.block, record, is_signed && !amount ? OG_IR_SEXT : OG_IR_ZEXT, wide, 1, record);
    cc_set(o->f, e, 0, og_ir_operand(o->f, &i, k));
    sides[k] = e;
  }
  if (compares) {
    *with = compare(o, record, i.sub, sides[0], sides[1]);
  } else {
    uint32_t result = binary(o, record, i.opcode, wide, sides[0], sides[1]);
    uint32_t cut = cc_insert(o, i.block, record, OG_IR_TRUNC, i.type, 1, record);
    cc_set(o->f, cut, 0, result);
    *with = cut;
  }
  og_ir_remove(o->f, record);
  return true;
}

bool cc_expand_wide(struct cc_opt *o, uint32_t record, og_ir_ref *with) {
  const uint8_t opcode = o->f->insts.items[record].opcode;
  if (opcode != OG_IR_ICMP && og_ir_opcodes[opcode].shape != OG_IR_SHAPE_BINARY_INT)
    return false;
  if (do_in_64(o, record, with))
    return true;
  if (opcode != OG_IR_ICMP)
    return false;
  const struct og_ir_inst i = o->f->insts.items[record];
  og_ir_ref sides[2] = {og_ir_operand(o->f, &i, 0), og_ir_operand(o->f, &i, 1)}, low[2], high[2];
  og_ir_type type = og_ir_type_of_ref(o->m, o->f, sides[0]), half_type = og_ir_integer(o->m, 64);
  unsigned bits = og_ir_kind(o->m, type) == OG_IR_INTEGER ? cc_bits(o->m, type) : 0;
  if (bits <= 64 || bits > 128)
    return false;
  for (unsigned k = 0; k < 2; k++) {
    low[k] = half(o, record, sides[k], type, false, false);
    high[k] = half(o, record, sides[k], type, true, i.sub >= OG_IR_SGT);
  }
  if (i.sub == OG_IR_EQ || i.sub == OG_IR_NE) {
    og_ir_ref a = binary(o, record, OG_IR_XOR, half_type, low[0], low[1]);
    og_ir_ref b = binary(o, record, OG_IR_XOR, half_type, high[0], high[1]);
    *with = compare(o, record, i.sub, binary(o, record, OG_IR_OR, half_type, a, b), og_ir_number(o->m, half_type, 0));
  } else {
    og_ir_ref same = compare(o, record, OG_IR_EQ, high[0], high[1]);
    og_ir_ref below = compare(o, record, i.sub >= OG_IR_SGT ? i.sub - OG_IR_SGT + OG_IR_UGT : i.sub, low[0], low[1]);
    og_ir_ref above = compare(o, record, i.sub, high[0], high[1]);
    uint32_t choice = cc_insert(o, i.block, record, OG_IR_SELECT, i.type, 3, record);
    cc_set(o->f, choice, 0, same), cc_set(o->f, choice, 1, below), cc_set(o->f, choice, 2, above);
    *with = choice;
  }
  og_ir_remove(o->f, record);
  return true;
}
