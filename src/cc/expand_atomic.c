/* expand_atomic.c - atomic operations without an instruction: a loop that computes the new value and compares-and-swaps
 * until nobody has come between. A value of 8 or 16 bits is a field of the 32 bits around it, whose other bits stay. */
#include "cc/atomics.h"
#include "cc/machine.h"
#include "cc/opt.h"

/* How the new value is computed: by an instruction, an intrinsic, or a choice by a comparison. */
static const struct way {
  uint8_t opcode;
  const char *intrinsic;
} ways[OG_IR_RMW_OPERATIONS] = {
    [OG_IR_RMW_ADD] = {OG_IR_ADD, NULL},
    [OG_IR_RMW_SUB] = {OG_IR_SUB, NULL},
    [OG_IR_RMW_AND] = {OG_IR_AND, NULL},
    [OG_IR_RMW_NAND] = {OG_IR_AND, NULL},
    [OG_IR_RMW_OR] = {OG_IR_OR, NULL},
    [OG_IR_RMW_XOR] = {OG_IR_XOR, NULL},
    [OG_IR_RMW_FADD] = {OG_IR_FADD, NULL},
    [OG_IR_RMW_FSUB] = {OG_IR_FSUB, NULL},
    [OG_IR_RMW_FMAX] = {OG_IR_CALL, "llvm.maxnum"},
    [OG_IR_RMW_FMIN] = {OG_IR_CALL, "llvm.minnum"},
    [OG_IR_RMW_FMAXIMUM] = {OG_IR_CALL, "llvm.maximum"},
    [OG_IR_RMW_FMINIMUM] = {OG_IR_CALL, "llvm.minimum"},
    [OG_IR_RMW_FMAXIMUMNUM] = {OG_IR_CALL, "llvm.maximumnum"},
    [OG_IR_RMW_FMINIMUMNUM] = {OG_IR_CALL, "llvm.minimumnum"},
};

static uint32_t binary(struct cc_opt *o, uint32_t block, uint8_t opcode, og_ir_type type, og_ir_ref a, og_ir_ref b,
                       uint32_t origin) {
  uint32_t i = cc_insert(o, block, 0, opcode, type, 2, origin);
  cc_set(o->f, i, 0, a), cc_set(o->f, i, 1, b);
  return i;
}

static uint32_t compare(struct cc_opt *o, uint32_t block, unsigned predicate, og_ir_ref a, og_ir_ref b,
                        uint32_t origin) {
  uint32_t i = binary(o, block, OG_IR_ICMP, og_ir_integer(o->m, 1), a, b, origin);
  o->f->insts.items[i].sub = (uint8_t)predicate;
  return i;
}

static uint32_t choose(struct cc_opt *o, uint32_t block, og_ir_ref condition, og_ir_type type, og_ir_ref yes,
                       og_ir_ref no, uint32_t origin) {
  uint32_t i = cc_insert(o, block, 0, OG_IR_SELECT, type, 3, origin);
  cc_set(o->f, i, 0, condition), cc_set(o->f, i, 1, yes), cc_set(o->f, i, 2, no);
  return i;
}

/* The new value of operations on integers that choose by a comparison (LLVM Language Reference, 'atomicrmw'
 * instruction). */
static og_ir_ref decide(struct cc_opt *o, uint32_t block, uint32_t rmw, og_ir_type type, og_ir_ref old, og_ir_ref by,
                        uint32_t origin) {
  og_ir_ref zero = og_ir_number(o->m, type, 0), one = og_ir_number(o->m, type, 1);
  static const uint8_t predicates[OG_IR_RMW_OPERATIONS] = {
      [OG_IR_XCHG] = 0,
      [OG_IR_RMW_MAX] = OG_IR_SGT,       [OG_IR_RMW_MIN] = OG_IR_SLT,       [OG_IR_RMW_UMAX] = OG_IR_UGT,
      [OG_IR_RMW_UMIN] = OG_IR_ULT,      [OG_IR_RMW_UINC_WRAP] = OG_IR_UGE, [OG_IR_RMW_UDEC_WRAP] = OG_IR_UGT,
      [OG_IR_RMW_USUB_COND] = OG_IR_UGE, [OG_IR_RMW_USUB_SAT] = OG_IR_UGE,
  };
  uint32_t holds = compare(o, block, predicates[rmw], old, by, origin);
  switch (rmw) {
  case OG_IR_RMW_UINC_WRAP:
    return choose(o, block, holds, type, zero, binary(o, block, OG_IR_ADD, type, old, one, origin), origin);
  case OG_IR_RMW_UDEC_WRAP: {
    uint32_t none = compare(o, block, OG_IR_EQ, old, zero, origin);
    uint32_t wraps = binary(o, block, OG_IR_OR, og_ir_integer(o->m, 1), holds, none, origin);
    return choose(o, block, wraps, type, by, binary(o, block, OG_IR_SUB, type, old, one, origin), origin);
  }
  case OG_IR_RMW_USUB_COND:
  case OG_IR_RMW_USUB_SAT:
    return choose(o, block, holds, type, binary(o, block, OG_IR_SUB, type, old, by, origin),
                  rmw == OG_IR_RMW_USUB_SAT ? zero : old, origin);
  default: return choose(o, block, holds, type, old, by, origin);
  }
}

static uint32_t call(struct cc_opt *o, uint32_t block, const char *intrinsic, og_ir_type type, og_ir_ref old,
                     og_ir_ref by, uint32_t origin) {
  struct og_ir_module *m = o->m;
  const char *name = og_arena_printf(m->arena, "%s.%s", intrinsic, cc_type_name(m, type));
  return cc_insert_call(o, block, 0, name, type, (og_ir_ref[]){old, by}, 2, origin);
}

static og_ir_ref compute(struct cc_opt *o, uint32_t block, uint32_t rmw, og_ir_type type, og_ir_ref old, og_ir_ref by,
                         uint32_t origin) {
  struct way way = ways[rmw];
  if (rmw == OG_IR_XCHG)
    return by;
  if (way.intrinsic)
    return call(o, block, way.intrinsic, type, old, by, origin);
  if (!way.opcode)
    return decide(o, block, rmw, type, old, by, origin);
  og_ir_ref value = binary(o, block, way.opcode, type, old, by, origin);
  if (rmw == OG_IR_RMW_NAND)
    value = binary(o, block, OG_IR_XOR, type, value, og_ir_number(o->m, type, UINT64_MAX >> (64 - cc_bits(o->m, type))),
                   origin);
  return value;
}

static og_ir_ref cast(struct cc_opt *o, uint32_t block, og_ir_ref value, og_ir_type type, uint32_t origin) {
  if (og_ir_type_of_ref(o->m, o->f, value) == type)
    return value;
  uint32_t i = cc_insert(o, block, 0, OG_IR_BITCAST, type, 1, origin);
  cc_set(o->f, i, 0, value);
  return i;
}

static uint32_t part(struct cc_opt *o, uint32_t block, uint32_t pair, uint32_t which, og_ir_type type,
                     uint32_t origin) {
  uint32_t i = cc_insert(o, block, 0, OG_IR_EXTRACTVALUE, type, 1, origin);
  cc_set(o->f, i, 0, pair);
  o->f->insts.items[i].extra = og_ir_pool_list(o->m, (uint32_t[]){1, which}, 2);
  return i;
}

/* ---- fields of 8 and 16 bits ------------------------------------------------------------------------------------- */

struct field {
  og_ir_ref pointer;     /* to the 32 bits around it */
  og_ir_ref shift, rest; /* the field's lowest bit; a mask of all bits but the field's */
  unsigned bits;         /* 0: all bits that are accessed, and so no field */
};

static uint32_t change(struct cc_opt *o, uint32_t block, uint8_t opcode, og_ir_type type, og_ir_ref value,
                       uint32_t origin) {
  uint32_t i = cc_insert(o, block, 0, opcode, type, 1, origin);
  cc_set(o->f, i, 0, value);
  return i;
}

static struct field find_field(struct cc_opt *o, uint32_t block, og_ir_ref pointer, unsigned bits, uint32_t origin) {
  struct og_ir_module *m = o->m;
  og_ir_type type = og_ir_type_of_ref(m, o->f, pointer), word = og_ir_integer(m, 32),
             number = og_ir_integer(m, cc_bits(m, type) > 64 ? 32 : cc_bits(m, type)); /* of a fat pointer its offset */
  struct field f = {.bits = bits};
  uint32_t address = change(o, block, OG_IR_PTRTOINT, number, pointer, origin);
  uint32_t low = binary(o, block, OG_IR_AND, number, address, og_ir_number(m, number, 3), origin);
  uint32_t back = binary(o, block, OG_IR_SUB, number, og_ir_number(m, number, 0), low, origin);
  uint32_t at = binary(o, block, OG_IR_GETELEMENTPTR, type, pointer, back, origin);
  o->f->insts.items[at].extra = og_ir_integer(m, 8);
  og_ir_ref bytes = number == word ? low : change(o, block, OG_IR_TRUNC, word, low, origin);
  f.pointer = at;
  f.shift = binary(o, block, OG_IR_SHL, word, bytes, og_ir_number(m, word, 3), origin);
  uint32_t mask = binary(o, block, OG_IR_SHL, word, og_ir_number(m, word, (UINT32_C(1) << bits) - 1), f.shift, origin);
  f.rest = binary(o, block, OG_IR_XOR, word, mask, og_ir_number(m, word, UINT32_MAX), origin);
  return f;
}

static og_ir_ref get(struct cc_opt *o, uint32_t block, const struct field *f, og_ir_ref word, og_ir_type type,
                     uint32_t origin) {
  uint32_t down = binary(o, block, OG_IR_LSHR, og_ir_integer(o->m, 32), word, f->shift, origin);
  return cast(o, block, change(o, block, OG_IR_TRUNC, og_ir_integer(o->m, f->bits), down, origin), type, origin);
}

/* The 32 bits with a value in the field; `others` has zeros there. */
static og_ir_ref put(struct cc_opt *o, uint32_t block, const struct field *f, og_ir_ref others, og_ir_ref value,
                     uint32_t origin) {
  og_ir_type word = og_ir_integer(o->m, 32);
  og_ir_ref number = cast(o, block, value, og_ir_integer(o->m, f->bits), origin);
  uint32_t wide = change(o, block, OG_IR_ZEXT, word, number, origin);
  return binary(o, block, OG_IR_OR, word, others, binary(o, block, OG_IR_SHL, word, wide, f->shift, origin), origin);
}

/* The value that the loop begins with. */
static uint32_t load_first(struct cc_opt *o, uint32_t block, og_ir_ref pointer, og_ir_type type, unsigned align,
                           uint32_t origin) {
  struct og_ir_inst i = o->f->insts.items[origin];
  struct og_ir_memory plain = {.ordering = OG_IR_MONOTONIC, .scope = og_ir_memory(i.extra).scope};
  uint32_t first = change(o, block, OG_IR_LOAD, type, pointer, origin);
  o->f->insts.items[first].sub = (uint8_t)align;
  o->f->insts.items[first].flags = OG_IR_F_ATOMIC | (i.flags & OG_IR_F_VOLATILE);
  o->f->insts.items[first].extra = og_ir_pack_memory(plain);
  return first;
}

static uint32_t swap_word(struct cc_opt *o, uint32_t block, og_ir_ref pointer, og_ir_ref expected, og_ir_ref desired,
                          struct og_ir_memory memory, unsigned align, uint32_t origin) {
  struct og_ir_module *m = o->m;
  og_ir_type number = og_ir_type_of_ref(m, o->f, expected), bit = og_ir_integer(m, 1);
  uint32_t swap =
      cc_insert(o, block, 0, OG_IR_CMPXCHG, og_ir_struct(m, (og_ir_type[]){number, bit}, 2, false), 3, origin);
  o->f->insts.items[swap].sub = (uint8_t)align, o->f->insts.items[swap].flags = o->f->insts.items[origin].flags;
  o->f->insts.items[swap].extra = og_ir_pack_memory(memory);
  cc_set(o->f, swap, 0, pointer), cc_set(o->f, swap, 1, expected), cc_set(o->f, swap, 2, desired);
  return swap;
}

static uint32_t put_part(struct cc_opt *o, uint32_t block, og_ir_type type, og_ir_ref pair, og_ir_ref value,
                         uint32_t which, uint32_t origin) {
  uint32_t i = binary(o, block, OG_IR_INSERTVALUE, type, pair, value, origin);
  o->f->insts.items[i].extra = og_ir_pool_list(o->m, (uint32_t[]){1, which}, 2);
  return i;
}

/* Compare-and-swap of a field: repeated while only the bits beside it have changed. */
bool cc_expand_swap(struct cc_opt *o, uint32_t record, og_ir_ref *with) {
  enum { WORD_ALIGN = 3 };
  struct og_ir_function *f = o->f;
  struct og_ir_module *m = o->m;
  const struct og_ir_inst i = f->insts.items[record];
  og_ir_ref expected = og_ir_operand(f, &i, 1), desired = og_ir_operand(f, &i, 2);
  og_ir_type type = og_ir_type_of_ref(m, f, expected), word = og_ir_integer(m, 32), bit = og_ir_integer(m, 1);
  unsigned bits = cc_bits(m, type);
  if (bits != 8 && bits != 16)
    return false;
  uint32_t before = i.block, after = cc_split_block(o, record), body = og_ir_add_block(m, f, 0);
  struct field field = find_field(o, before, og_ir_operand(f, &i, 0), bits, record);
  uint32_t first = load_first(o, before, field.pointer, word, WORD_ALIGN, record);
  uint32_t beside = binary(o, before, OG_IR_AND, word, first, field.rest, record);
  cc_go(o, before, body, record);
  uint32_t others = cc_insert(o, body, 0, OG_IR_PHI, word, 4, record);
  og_ir_ref from = put(o, body, &field, others, expected, record), to = put(o, body, &field, others, desired, record);
  uint32_t swap = swap_word(o, body, field.pointer, from, to, og_ir_memory(i.extra), WORD_ALIGN, record);
  uint32_t seen = part(o, body, swap, 0, word, record), done = part(o, body, swap, 1, bit, record);
  og_ir_ref none = og_ir_constant(m, (struct og_ir_constant){.kind = OG_IR_C_POISON, .type = i.type}, NULL);
  uint32_t pair = put_part(o, body, i.type, none, get(o, body, &field, seen, type, record), 0, record);
  *with = put_part(o, body, i.type, pair, done, 1, record);
  uint32_t now = binary(o, body, OG_IR_AND, word, seen, field.rest, record);
  uint32_t changed = binary(o, body, OG_IR_ICMP, bit, now, others, record);
  f->insts.items[changed].sub = OG_IR_NE;
  uint32_t failed = binary(o, body, OG_IR_XOR, bit, done, og_ir_number(m, bit, 1), record);
  cc_go_if(o, body, binary(o, body, OG_IR_AND, bit, failed, changed, record), body, after, record);
  cc_set(f, others, 0, beside), cc_set(f, others, 1, OG_IR_BLOCK | before);
  cc_set(f, others, 2, now), cc_set(f, others, 3, OG_IR_BLOCK | body);
  og_ir_remove(f, record);
  return true;
}

/* Whether any instruction reads its result. */
static bool is_read(const struct og_ir_function *f, uint32_t record) {
  for (uint32_t b = 0; b < f->blocks.count; b++)
    for (uint32_t i = f->blocks.items[b].first; i; i = f->insts.items[i].next)
      for (uint32_t k = 0; k < f->insts.items[i].operands; k++)
        if (og_ir_operand(f, &f->insts.items[i], k) == record)
          return true;
  return false;
}

static bool has_instruction(const struct cc_opt *o, uint32_t record) {
  const struct og_ir_inst *i = &o->f->insts.items[record];
  og_ir_type pointer = og_ir_type_of_ref(o->m, o->f, og_ir_operand(o->f, i, 0));
  bool result = o->isa->generation != OG_GFX908 || is_read(o->f, record); /* which has some without one alone */
  unsigned row;
  return cc_atomic_row(o->isa, o->m, i, i->type, (unsigned)og_ir_type_of(o->m, pointer)->count, result, &row);
}

bool cc_expand_atomic(struct cc_opt *o, uint32_t record, og_ir_ref *with) {
  enum { WORD_ALIGN = 3, WIDE_ALIGN = 4 };
  struct og_ir_function *f = o->f;
  struct og_ir_module *m = o->m;
  const struct og_ir_inst i = f->insts.items[record];
  struct og_ir_memory memory = og_ir_memory(i.extra);
  og_ir_ref pointer = og_ir_operand(f, &i, 0), by = og_ir_operand(f, &i, 1);
  unsigned bits = 8 * (unsigned)cc_store_size(m, i.type), rmw = memory.operation;
  bool partial = bits == 8 || bits == 16;
  if ((bits != 32 && bits != 64 && !partial) || has_instruction(o, record))
    return false;
  og_ir_type number = og_ir_integer(m, partial ? 32 : bits), bit = og_ir_integer(m, 1);
  uint32_t before = i.block, after = cc_split_block(o, record), body = og_ir_add_block(m, f, 0);
  struct field field = {.pointer = pointer};
  if (partial)
    field = find_field(o, before, pointer, bits, record);
  unsigned align = partial ? WORD_ALIGN : i.sub ? i.sub : bits == 64 ? WIDE_ALIGN : WORD_ALIGN;
  uint32_t first = load_first(o, before, field.pointer, number, align, record);
  cc_go(o, before, body, record);
  uint32_t old = cc_insert(o, body, 0, OG_IR_PHI, number, 4, record);
  og_ir_ref was = partial ? get(o, body, &field, old, i.type, record) : cast(o, body, old, i.type, record);
  og_ir_ref new = compute(o, body, rmw, i.type, was, by, record);
  og_ir_ref desired =
      partial ? put(o, body, &field, binary(o, body, OG_IR_AND, number, old, field.rest, record), new, record)
              : cast(o, body, new, number, record);
  memory.failure = OG_IR_MONOTONIC, memory.operation = 0;
  uint32_t swap = swap_word(o, body, field.pointer, old, desired, memory, align, record);
  uint32_t seen = part(o, body, swap, 0, number, record), done = part(o, body, swap, 1, bit, record);
  *with = partial ? get(o, body, &field, seen, i.type, record) : cast(o, body, seen, i.type, record);
  cc_go_if(o, body, done, after, body, record);
  cc_set(f, old, 0, first), cc_set(f, old, 1, OG_IR_BLOCK | before);
  cc_set(f, old, 2, seen), cc_set(f, old, 3, OG_IR_BLOCK | body);
  og_ir_remove(f, record);
  return true;
}
