/* expand_bits.c - vectors of bits become numbers and back, since clang compares vectors so (`bitcast <8 x i1> to i8`).
 * In memory, too, they are such a number, whose lowest bit is the first element, as LLVM has it. */
#include "cc/machine.h"
#include "cc/opt.h"

enum { MOST = 64 };

static uint32_t insert(struct cc_opt *o, uint32_t at, uint8_t opcode, og_ir_type type, uint32_t operands, og_ir_ref a,
                       og_ir_ref b) {
  uint32_t i = cc_insert(o, o->f->insts.items[at].block, at, opcode, type, operands, at);
  cc_set(o->f, i, 0, a);
  if (operands > 1)
    cc_set(o->f, i, 1, b);
  return i;
}

/* The number of bits in a vector of bits; 0: it is another type. */
static uint32_t bits_of(const struct og_ir_module *m, og_ir_type type) {
  const struct og_ir_type_record *t = og_ir_type_of(m, type);
  bool bits = t->kind == OG_IR_VECTOR && og_ir_kind(m, og_ir_scalar(m, type)) == OG_IR_INTEGER &&
              cc_bits(m, og_ir_scalar(m, type)) == 1;
  return bits && t->count <= MOST ? (uint32_t)t->count : 0;
}

/* The integer in which the bits are put together. */
static og_ir_type word_for(struct og_ir_module *m, uint32_t count) { return og_ir_integer(m, count <= 32 ? 32 : 64); }

static og_ir_ref resized(struct cc_opt *o, uint32_t at, og_ir_ref number, og_ir_type type) {
  unsigned from = cc_bits(o->m, og_ir_type_of_ref(o->m, o->f, number)), to = cc_bits(o->m, type);
  return from == to ? number : insert(o, at, from < to ? OG_IR_ZEXT : OG_IR_TRUNC, type, 1, number, 0);
}

static og_ir_ref to_number(struct cc_opt *o, uint32_t at, og_ir_ref vector, uint32_t count) {
  struct og_ir_module *m = o->m;
  og_ir_type word = word_for(m, count), place = og_ir_integer(m, 32);
  og_ir_ref sum = 0;
  for (uint32_t k = 0; k < count; k++) {
    og_ir_ref bit = insert(o, at, OG_IR_EXTRACTELEMENT, og_ir_integer(m, 1), 2, vector, og_ir_number(m, place, k));
    bit = resized(o, at, bit, word);
    if (k)
      bit = insert(o, at, OG_IR_SHL, word, 2, bit, og_ir_number(m, word, k));
    sum = k ? insert(o, at, OG_IR_OR, word, 2, sum, bit) : bit;
  }
  return resized(o, at, sum, og_ir_integer(m, count));
}

static og_ir_ref to_vector(struct cc_opt *o, uint32_t at, og_ir_ref number, og_ir_type type, uint32_t count) {
  struct og_ir_module *m = o->m;
  og_ir_type word = word_for(m, count), place = og_ir_integer(m, 32);
  og_ir_ref wide = resized(o, at, number, word);
  og_ir_ref all = og_ir_constant(m, (struct og_ir_constant){.kind = OG_IR_C_POISON, .type = type}, NULL);
  for (uint32_t k = 0; k < count; k++) {
    og_ir_ref bit = k ? insert(o, at, OG_IR_LSHR, word, 2, wide, og_ir_number(m, word, k)) : wide;
    bit = resized(o, at, bit, og_ir_integer(m, 1));
    uint32_t next = insert(o, at, OG_IR_INSERTELEMENT, type, 3, all, bit);
    cc_set(o->f, next, 2, og_ir_number(m, place, k));
    all = next;
  }
  return all;
}

static og_ir_ref recast(struct cc_opt *o, uint32_t at, og_ir_ref value, og_ir_type type) {
  return og_ir_type_of_ref(o->m, o->f, value) == type ? value : insert(o, at, OG_IR_BITCAST, type, 1, value, 0);
}

bool cc_expand_bits(struct cc_opt *o, uint32_t record, og_ir_ref *with) {
  struct og_ir_module *m = o->m;
  const struct og_ir_inst i = o->f->insts.items[record];
  if (i.opcode != OG_IR_BITCAST && i.opcode != OG_IR_LOAD && i.opcode != OG_IR_STORE)
    return false;
  og_ir_ref x = og_ir_operand(o->f, &i, 0);
  uint32_t from = bits_of(m, og_ir_type_of_ref(m, o->f, x)), to = bits_of(m, i.type), count = from ? from : to;
  if (!count || (from && to))
    return false;
  og_ir_type number = og_ir_integer(m, count);
  if (i.opcode == OG_IR_STORE) {
    cc_set(o->f, record, 0, to_number(o, record, x, count));
    return false;
  }
  if (i.opcode == OG_IR_LOAD) {
    uint32_t load = insert(o, record, OG_IR_LOAD, number, 1, x, 0);
    struct og_ir_inst *new = &o->f->insts.items[load];
    new->sub = i.sub, new->flags = i.flags, new->extra = i.extra, new->attachments = i.attachments;
    *with = to_vector(o, record, load, i.type, count);
  } else if (from) {
    *with = recast(o, record, to_number(o, record, x, count), i.type);
  } else {
    *with = to_vector(o, record, recast(o, record, x, number), i.type, count);
  }
  og_ir_remove(o->f, record);
  return true;
}
