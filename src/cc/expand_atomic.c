/* expand_atomic.c - atomic operations without an instruction: a loop that computes and compares-and-swaps until nobody
 * has come between. What has 8 or 16 bits is a field of the 32 bits around it, of which the others stay. */
#include "cc/machine.h"
#include "cc/opt.h"

/* Operations that have instructions where they are of 32 and 64 bits. */
static bool whole_operation(unsigned rmw, uint8_t *opcode) {
  switch (rmw) {
  case OG_IR_XCHG: *opcode = 0; return true;
  case OG_IR_RMW_ADD: *opcode = OG_IR_ADD; return true;
  case OG_IR_RMW_SUB: *opcode = OG_IR_SUB; return true;
  case OG_IR_RMW_AND: *opcode = OG_IR_AND; return true;
  case OG_IR_RMW_OR: *opcode = OG_IR_OR; return true;
  case OG_IR_RMW_XOR: *opcode = OG_IR_XOR; return true;
  default:
    *opcode = OG_IR_SELECT;
    return rmw == OG_IR_RMW_MAX || rmw == OG_IR_RMW_MIN || rmw == OG_IR_RMW_UMAX || rmw == OG_IR_RMW_UMIN;
  }
}

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

/* The larger or the smaller one. */
static og_ir_ref choose(struct cc_opt *o, uint32_t block, uint32_t rmw, og_ir_type type, og_ir_ref old, og_ir_ref by,
                        uint32_t origin) {
  uint32_t more = binary(o, block, OG_IR_ICMP, og_ir_integer(o->m, 1), old, by, origin);
  o->f->insts.items[more].sub = rmw == OG_IR_RMW_MAX    ? OG_IR_SGT
                                : rmw == OG_IR_RMW_MIN  ? OG_IR_SLT
                                : rmw == OG_IR_RMW_UMAX ? OG_IR_UGT
                                                        : OG_IR_ULT;
  uint32_t i = cc_insert(o, block, 0, OG_IR_SELECT, type, 3, origin);
  cc_set(o->f, i, 0, more), cc_set(o->f, i, 1, old), cc_set(o->f, i, 2, by);
  return i;
}

static og_ir_ref compute(struct cc_opt *o, uint32_t block, uint32_t rmw, og_ir_type type, og_ir_ref old, og_ir_ref by,
                         uint32_t origin) {
  struct og_ir_module *m = o->m;
  uint8_t opcode;
  const char *intrinsic;
  if (whole_operation(rmw, &opcode))
    return !opcode ? by : opcode == OG_IR_SELECT ? choose(o, block, rmw, type, old, by, origin)
                                                 : (og_ir_ref)binary(o, block, opcode, type, old, by, origin);
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

/* ---- fields of 8 and 16 bits ------------------------------------------------------------------------------------------- */

struct field {
  og_ir_ref pointer;     /* to the 32 bits around it */
  og_ir_ref shift, rest; /* where it begins there; all bits but its own */
  unsigned bits;         /* 0: it is no field but all of what is accessed */
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
             number = og_ir_integer(m, cc_bits(m, type) > 64 ? 32 : cc_bits(m, type)); /* of a fat pointer the offset */
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

/* The 32 bits with a value in the field, where `others` has zeros. */
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

static void go(struct cc_opt *o, uint32_t from, uint32_t to, uint32_t origin) {
  uint32_t br = cc_insert(o, from, 0, OG_IR_BR, OG_IR_VOID, 1, origin);
  cc_set(o->f, br, 0, OG_IR_BLOCK | to);
}

static void go_if(struct cc_opt *o, uint32_t from, og_ir_ref condition, uint32_t to, uint32_t otherwise,
                  uint32_t origin) {
  uint32_t br = cc_insert(o, from, 0, OG_IR_BR, OG_IR_VOID, 3, origin);
  cc_set(o->f, br, 0, condition), cc_set(o->f, br, 1, OG_IR_BLOCK | to), cc_set(o->f, br, 2, OG_IR_BLOCK | otherwise);
}

/* Compare-and-swap of a field: once more where only the bits beside it have changed. */
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
  go(o, before, body, record);
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
  go_if(o, body, binary(o, body, OG_IR_AND, bit, failed, changed, record), body, after, record);
  cc_set(f, others, 0, beside), cc_set(f, others, 1, OG_IR_BLOCK | before);
  cc_set(f, others, 2, now), cc_set(f, others, 3, OG_IR_BLOCK | body);
  og_ir_remove(f, record);
  return true;
}

bool cc_expand_atomic(struct cc_opt *o, uint32_t record, og_ir_ref *with) {
  enum { WORD_ALIGN = 3, WIDE_ALIGN = 4 };
  struct og_ir_function *f = o->f;
  struct og_ir_module *m = o->m;
  const struct og_ir_inst i = f->insts.items[record];
  struct og_ir_memory memory = og_ir_memory(i.extra);
  og_ir_ref pointer = og_ir_operand(f, &i, 0), by = og_ir_operand(f, &i, 1);
  unsigned bits = cc_bits(m, i.type), rmw = memory.operation;
  bool partial = bits == 8 || bits == 16;
  uint8_t opcode;
  const char *intrinsic;
  if ((bits != 32 && bits != 64 && !partial) || og_ir_is_vector(m, i.type) ||
      (!operation(rmw, &opcode, &intrinsic) && !(partial && whole_operation(rmw, &opcode))))
    return false;
  og_ir_type number = og_ir_integer(m, partial ? 32 : bits), bit = og_ir_integer(m, 1),
             held = partial ? number : i.type;
  uint32_t before = i.block, after = cc_split_block(o, record), body = og_ir_add_block(m, f, 0);
  struct field field = {.pointer = pointer};
  if (partial)
    field = find_field(o, before, pointer, bits, record);
  unsigned align = partial ? WORD_ALIGN : i.sub ? i.sub : bits == 64 ? WIDE_ALIGN : WORD_ALIGN;
  uint32_t first = load_first(o, before, field.pointer, held, align, record);
  go(o, before, body, record);
  uint32_t old = cc_insert(o, body, 0, OG_IR_PHI, held, 4, record);
  og_ir_ref was = partial ? get(o, body, &field, old, i.type, record) : old;
  og_ir_ref new = compute(o, body, rmw, i.type, was, by, record);
  if (partial)
    new = put(o, body, &field, binary(o, body, OG_IR_AND, number, old, field.rest, record), new, record);
  og_ir_ref expected = cast(o, body, old, number, record), desired = cast(o, body, new, number, record);
  memory.failure = OG_IR_MONOTONIC, memory.operation = 0;
  uint32_t swap = swap_word(o, body, field.pointer, expected, desired, memory, align, record);
  uint32_t seen = part(o, body, swap, 0, number, record), done = part(o, body, swap, 1, bit, record);
  og_ir_ref again = cast(o, body, seen, held, record);
  *with = partial ? get(o, body, &field, seen, i.type, record) : again;
  go_if(o, body, done, after, body, record);
  cc_set(f, old, 0, first), cc_set(f, old, 1, OG_IR_BLOCK | before);
  cc_set(f, old, 2, again), cc_set(f, old, 3, OG_IR_BLOCK | body);
  og_ir_remove(f, record);
  return true;
}
