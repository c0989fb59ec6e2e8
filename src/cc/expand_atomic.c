/* expand_atomic.c - atomic operations without an instruction: a loop that computes and compares-and-swaps until nobody
 * has come between. */
#include "cc/machine.h"
#include "cc/opt.h"

/* The operation, or the intrinsic that it is. */
static bool operation(unsigned rmw, uint8_t *opcode, const char **intrinsic) {
  *opcode = 0, *intrinsic = NULL;
  switch (rmw) {
  case OG_IR_RMW_FADD: *opcode = OG_IR_FADD; return true;
  case OG_IR_RMW_FSUB: *opcode = OG_IR_FSUB; return true;
  case OG_IR_RMW_NAND: *opcode = OG_IR_AND; return true;
  case OG_IR_RMW_FMAX: *intrinsic = "llvm.maxnum"; return true;
  case OG_IR_RMW_FMIN: *intrinsic = "llvm.minnum"; return true;
  default: return false;
  }
}

static uint32_t binary(struct cc_opt *o, uint32_t block, uint8_t opcode, og_ir_type type, og_ir_ref a, og_ir_ref b,
                       uint32_t origin) {
  uint32_t i = cc_insert(o, block, 0, opcode, type, 2, origin);
  cc_set(o->f, i, 0, a), cc_set(o->f, i, 1, b);
  return i;
}

static og_ir_ref compute(struct cc_opt *o, uint32_t block, uint32_t rmw, og_ir_type type, og_ir_ref old, og_ir_ref by,
                         uint32_t origin) {
  struct og_ir_module *m = o->m;
  uint8_t opcode;
  const char *intrinsic;
  operation(rmw, &opcode, &intrinsic);
  if (intrinsic) {
    const char *name = og_arena_printf(m->arena, "%s.f%u", intrinsic, cc_bits(m, type));
    og_ir_type types[2] = {type, type};
    og_ir_ref callee = cc_declare(o, og_text(name), type, types, 2);
    uint32_t call = cc_insert(o, block, 0, OG_IR_CALL, type, 3, origin);
    cc_set(o->f, call, 0, callee), cc_set(o->f, call, 1, old), cc_set(o->f, call, 2, by);
    o->f->insts.items[call].extra = o->f->calls.count;
    *OG_PUSH(m->arena, &o->f->calls) =
        (struct og_ir_call){.function_type = og_ir_function_type(m, type, types, 2, false), .arguments = 2};
    return call;
  }
  og_ir_ref value = binary(o, block, opcode, type, old, by, origin);
  if (rmw == OG_IR_RMW_NAND)
    value = binary(o, block, OG_IR_XOR, type, value,
                   og_ir_number(m, type, cc_bits(m, type) == 64 ? UINT64_MAX : UINT32_MAX), origin);
  return value;
}

static og_ir_ref cast(struct cc_opt *o, uint32_t block, og_ir_ref value, og_ir_type type, uint32_t origin) {
  if (og_ir_type_of_ref(o->m, o->f, value) == type)
    return value;
  uint32_t i = cc_insert(o, block, 0, OG_IR_BITCAST, type, 1, origin);
  cc_set(o->f, i, 0, value);
  return i;
}

static uint32_t part(struct cc_opt *o, uint32_t block, uint32_t pair, uint32_t which, og_ir_type type, uint32_t origin) {
  uint32_t i = cc_insert(o, block, 0, OG_IR_EXTRACTVALUE, type, 1, origin);
  cc_set(o->f, i, 0, pair);
  o->f->insts.items[i].extra = og_ir_pool_list(o->m, (uint32_t[]){1, which}, 2);
  return i;
}

bool cc_expand_atomic(struct cc_opt *o, uint32_t record, og_ir_ref *with) {
  struct og_ir_function *f = o->f;
  struct og_ir_module *m = o->m;
  const struct og_ir_inst i = f->insts.items[record];
  struct og_ir_memory memory = og_ir_memory(i.extra), plain = {.ordering = OG_IR_MONOTONIC, .scope = memory.scope};
  og_ir_ref pointer = og_ir_operand(f, &i, 0), by = og_ir_operand(f, &i, 1);
  unsigned bits = cc_bits(m, i.type);
  uint8_t opcode;
  const char *intrinsic;
  if ((bits != 32 && bits != 64) || og_ir_is_vector(m, i.type) || !operation(memory.operation, &opcode, &intrinsic))
    return false;
  og_ir_type number = og_ir_integer(m, bits), bit = og_ir_integer(m, 1);
  uint32_t before = i.block, after = cc_split_block(o, record), body = og_ir_add_block(m, f, 0);
  uint32_t first = cc_insert(o, before, 0, OG_IR_LOAD, i.type, 1, record);
  f->insts.items[first].sub = i.sub ? i.sub : bits == 64 ? 4 : 3;
  f->insts.items[first].flags = OG_IR_F_ATOMIC | (i.flags & OG_IR_F_VOLATILE);
  f->insts.items[first].extra = og_ir_pack_memory(plain);
  cc_set(f, first, 0, pointer);
  uint32_t br = cc_insert(o, before, 0, OG_IR_BR, OG_IR_VOID, 1, record);
  cc_set(f, br, 0, OG_IR_BLOCK | body);
  uint32_t old = cc_insert(o, body, 0, OG_IR_PHI, i.type, 4, record);
  og_ir_ref new = compute(o, body, memory.operation, i.type, old, by, record);
  og_ir_ref expected = cast(o, body, old, number, record), desired = cast(o, body, new, number, record);
  uint32_t swap = cc_insert(o, body, 0, OG_IR_CMPXCHG, og_ir_struct(m, (og_ir_type[]){number, bit}, 2, false), 3, record);
  memory.failure = OG_IR_MONOTONIC, memory.operation = 0;
  f->insts.items[swap].sub = f->insts.items[first].sub, f->insts.items[swap].flags = i.flags;
  f->insts.items[swap].extra = og_ir_pack_memory(memory);
  cc_set(f, swap, 0, pointer), cc_set(f, swap, 1, expected), cc_set(f, swap, 2, desired);
  uint32_t seen = part(o, body, swap, 0, number, record), done = part(o, body, swap, 1, bit, record);
  og_ir_ref value = cast(o, body, seen, i.type, record);
  br = cc_insert(o, body, 0, OG_IR_BR, OG_IR_VOID, 3, record);
  cc_set(f, br, 0, done), cc_set(f, br, 1, OG_IR_BLOCK | after), cc_set(f, br, 2, OG_IR_BLOCK | body);
  cc_set(f, old, 0, first), cc_set(f, old, 1, OG_IR_BLOCK | before);
  cc_set(f, old, 2, value), cc_set(f, old, 3, OG_IR_BLOCK | body);
  *with = value;
  og_ir_remove(f, record);
  return true;
}
