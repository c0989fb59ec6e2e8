/* debug_records.c - debug records of the IR that give a variable's value, such as #dbg_value. Passes over the IR leave
 * them in their places and update the values that they name. Here they are taken out of the function, so that the same
 * code is made with and without them. Where a value has been removed, the record says that it is unknown; a vector that
 * was built only for a record is described by its elements. */
#include "cc/debug.h"
#include "cc/debug_tracks.h"

enum { DEEPEST = 256 };
enum { OP_FRAGMENT = 0x1000, OP_CONVERT = 0x1001 }; /* as LLVM numbers them */
enum {
  OP_CONSTU = 0x10, OP_CONSTS = 0x11, OP_SWAP = 0x16, OP_XDEREF = 0x18, OP_AND = 0x1a, OP_MINUS = 0x1c, OP_MUL = 0x1e,
  OP_NEG = 0x1f, OP_NOT = 0x20, OP_OR = 0x21, OP_PLUS = 0x22, OP_PLUS_UCONST = 0x23, OP_SHL = 0x24, OP_SHRA = 0x26,
  OP_XOR = 0x27, OP_LIT0 = 0x30, OP_LIT31 = 0x4f, OP_STACK_VALUE = 0x9f,
};

struct taker {
  struct og_arena *arena;
  const struct og_ir_module *m;
  struct og_ir_function *f;
  struct cc_records *to;
};

/* ---- values ------------------------------------------------------------------------------------------------------ */

/* The bytes of a scalar that registers hold unchanged; 0: it is of another kind. */
static unsigned scalar_bytes(const struct og_ir_module *m, og_ir_type type) {
  unsigned bits = cc_bits(m, type);
  return bits == 1 ? 1 : bits == 8 || bits == 16 || (bits && bits % 32 == 0 && bits <= 128) ? bits / 8 : 0;
}

static void put_part(struct taker *t, og_ir_ref ref, uint32_t index, unsigned bytes, unsigned argument) {
  *OG_PUSH(t->arena, &t->to->parts) = (struct cc_record_part){ref, index, (uint8_t)bytes, (uint8_t)argument};
}

/* Adds `count` parts of a value from `first` on, each of up to four bytes. */
static void put_parts(struct taker *t, og_ir_ref ref, uint32_t first, unsigned bytes, unsigned argument) {
  for (unsigned k = 0; k < (bytes + 3) / 4; k++)
    put_part(t, ref, ref == OG_IR_NONE ? 0 : first + k, OG_MIN(bytes, 4u), argument);
}

static bool is_gone(const struct og_ir_function *f, og_ir_ref ref) {
  if (og_ir_space(ref) != OG_IR_LOCAL)
    return false;
  const struct og_ir_inst *i = &f->insts.items[og_ir_index(ref)];
  return i->opcode != OG_IR_ARGUMENT && i->block == UINT32_MAX;
}

static bool is_unknown(const struct og_ir_module *m, og_ir_ref ref) {
  if (og_ir_space(ref) != OG_IR_CONSTANT)
    return og_ir_space(ref) != OG_IR_LOCAL;
  uint8_t kind = og_ir_constant_of(m, ref)->kind;
  return kind != OG_IR_C_NUMBER && kind != OG_IR_C_ZERO && kind != OG_IR_C_SPLAT && kind != OG_IR_C_AGGREGATE &&
         kind != OG_IR_C_WIDE;
}

/* An element of a vector, found through the instruction that inserted it; OG_IR_NONE: unknown. `*index`: its part in
 * the value that is returned. */
static og_ir_ref find_element(const struct taker *t, og_ir_ref vector, uint32_t element, uint32_t each,
                              uint32_t *index) {
  uint64_t at;
  for (unsigned depth = 0; depth < DEEPEST && is_gone(t->f, vector); depth++) {
    const struct og_ir_inst *i = &t->f->insts.items[og_ir_index(vector)];
    if (i->opcode != OG_IR_INSERTELEMENT || !cc_is_number(t->m, og_ir_operand(t->f, i, 2), &at))
      return OG_IR_NONE;
    vector = og_ir_operand(t->f, i, at == element ? 1 : 0);
    if (at == element) {
      *index = 0;
      return is_gone(t->f, vector) || is_unknown(t->m, vector) ? OG_IR_NONE : vector;
    }
  }
  *index = element * each;
  return is_gone(t->f, vector) || is_unknown(t->m, vector) ? OG_IR_NONE : vector;
}

static bool put_value(struct taker *t, og_ir_ref ref, unsigned argument) {
  og_ir_type type = og_ir_type_of_ref(t->m, t->f, ref);
  unsigned bytes = scalar_bytes(t->m, og_ir_scalar(t->m, type));
  if (og_ir_kind(t->m, type) != OG_IR_VECTOR) {
    bool known = !is_unknown(t->m, ref) && !is_gone(t->f, ref) && bytes && og_ir_kind(t->m, type) != OG_IR_ARRAY &&
                 og_ir_kind(t->m, type) != OG_IR_STRUCT;
    if (known)
      put_parts(t, ref, 0, bytes, argument);
    return known;
  }
  uint32_t count = (uint32_t)OG_MIN(og_ir_type_of(t->m, type)->count, 64u);
  bool any = false;
  for (uint32_t k = 0; k < count && bytes && cc_bits(t->m, og_ir_scalar(t->m, type)) > 1; k++) {
    uint32_t index = 0;
    og_ir_ref from = find_element(t, ref, k, (bytes + 3) / 4, &index);
    put_parts(t, from, index, bytes, argument);
    any |= from != OG_IR_NONE;
  }
  return any;
}

/* ---- expressions ------------------------------------------------------------------------------------------------- */

/* How many numbers follow an operation; -1: it is not one whose low bits depend only on the low bits of its
 * operands. */
static int arguments_of(uint64_t op) {
  switch (op) {
  case OP_CONSTU:
  case OP_CONSTS:
  case OP_PLUS_UCONST:
  case CC_OP_ARGUMENT: return 1;
  case OP_PLUS:
  case OP_MINUS:
  case OP_MUL:
  case OP_AND:
  case OP_OR:
  case OP_XOR:
  case OP_SHL:
  case OP_NEG:
  case OP_NOT: return 0;
  default: return op >= OP_LIT0 && op <= OP_LIT31 ? 0 : -1;
  }
}

static void put_operation(struct taker *t, uint64_t op) { *OG_PUSH(t->arena, &t->to->operations) = op; }

/* Widens a value by zeros or its sign. Narrowing needs nothing, since the lowest bits are the result. */
static bool convert(struct taker *t, const uint64_t *from, const uint64_t *to) {
  enum { SIGNED = 5, UNSIGNED = 7, BITS = 64 }; /* DW_ATE_ */
  uint64_t bits = from[1];
  if (!bits || bits > BITS || to[1] > BITS || (from[2] != SIGNED && from[2] != UNSIGNED))
    return false;
  if (to[1] <= bits)
    return true;
  put_operation(t, OP_CONSTU);
  put_operation(t, from[2] == SIGNED ? BITS - bits : (UINT64_C(1) << bits) - 1);
  put_operation(t, from[2] == SIGNED ? OP_SHL : OP_AND);
  if (from[2] == SIGNED)
    put_operation(t, OP_CONSTU), put_operation(t, BITS - bits), put_operation(t, OP_SHRA);
  return true;
}

/* The operations that compute the value, without those that say which memory a variable once stood in. False: they
 * cannot be expressed. */
static bool read_expression(struct taker *t, uint64_t expression, struct cc_record *r) {
  const struct og_ir_metadata *e = &t->m->metadata.items[expression - 1];
  const uint64_t *op = t->m->fields.items + e->first;
  bool is_value = false, plain = true;
  r->operations = t->to->operations.count;
  for (uint32_t k = 0; k < e->parts;) {
    if (op[k] == OP_CONSTU && k + 3 < e->parts && op[k + 2] == OP_SWAP && op[k + 3] == OP_XDEREF) {
      k += 4;
    } else if (op[k] == OP_FRAGMENT && k + 2 < e->parts) {
      r->offset = (uint32_t)op[k + 1], r->size = (uint32_t)op[k + 2];
      k += 3;
    } else if (op[k] == OP_CONVERT && k + 5 < e->parts && op[k + 3] == OP_CONVERT) {
      uint32_t before = t->to->operations.count;
      if (!convert(t, op + k, op + k + 3))
        return false;
      plain &= t->to->operations.count == before;
      k += 6;
    } else if (op[k] == OP_STACK_VALUE) {
      is_value = true, k++;
    } else {
      int count = arguments_of(op[k]);
      if (count < 0 || k + (unsigned)count >= e->parts || is_value)
        return false;
      plain &= op[k] == CC_OP_ARGUMENT && op[k + 1] == 0 && k == 0;
      for (int n = 0; n <= count; n++)
        put_operation(t, op[k++]);
    }
  }
  if (plain)
    t->to->operations.count = r->operations;
  r->length = t->to->operations.count - r->operations;
  return (plain || is_value) && r->offset % 8 == 0 && r->size % 8 == 0;
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

static void put_values(struct taker *t, const struct og_ir_inst *i, uint32_t first, struct cc_record *r) {
  bool list = i->flags & OG_IR_DBG_ARG_LIST,
       known = i->operands > first && i->operands - first < 16 && (list || i->operands == first + 1);
  uint32_t bytes = 0;
  r->first = t->to->parts.count;
  known = known && (r->length || i->operands == first + 1);
  for (uint32_t k = first; k < i->operands && known; k++) {
    uint32_t before = t->to->parts.count;
    known = put_value(t, og_ir_operand(t->f, i, k), k - first);
    known = known && (!r->length ||
                      (t->to->parts.count - before <= 2 &&
                       og_ir_kind(t->m, og_ir_type_of_ref(t->m, t->f, og_ir_operand(t->f, i, k))) != OG_IR_VECTOR));
  }
  r->parts = t->to->parts.count - r->first;
  for (uint32_t k = 0; k < r->parts && !r->length; k++)
    bytes += t->to->parts.items[r->first + k].bytes;
  if (!known || (r->size && !r->length && bytes != r->size / 8))
    t->to->parts.count = r->first, r->parts = 0;
}

static void take(struct taker *t, const struct og_ir_inst *i, uint32_t block, uint32_t order) {
  bool assign = i->opcode == OG_IR_DBG_ASSIGN;
  if ((i->opcode != OG_IR_DBG_VALUE && !assign) || i->operands < 3 ||
      og_ir_space(og_ir_operand(t->f, i, 0)) != OG_IR_METADATA ||
      og_ir_space(og_ir_operand(t->f, i, 1)) != OG_IR_METADATA)
    return;
  struct cc_record r = {.block = block, .order = order, .location = i->location};
  r.variable = 1 + (uint64_t)og_ir_index(og_ir_operand(t->f, i, 0));
  uint64_t expression = 1 + (uint64_t)og_ir_index(og_ir_operand(t->f, i, 1));
  if (!cc_debug_is(t->m, r.variable, OG_IR_M_LOCAL_VAR) || !cc_debug_is(t->m, expression, OG_IR_M_EXPRESSION) ||
      !cc_debug_is(t->m, r.location, OG_IR_M_LOCATION) || !cc_debug_field(t->m, r.variable, "type"))
    return;
  if (read_expression(t, expression, &r))
    put_values(t, i, assign ? 5 : 2, &r);
  *OG_PUSH(t->arena, &t->to->list) = r;
}

struct cc_records *cc_take_records(struct og_arena *arena, const struct og_ir_module *m, const struct og_ir_global *g) {
  struct og_ir_function *f = g->function;
  if (!cc_debug_attached(m, g, OG_IR_M_SUBPROGRAM))
    return NULL;
  struct taker t = {.arena = arena, .m = m, .f = f, .to = OG_NEW(arena, struct cc_records)};
  t.to->order = OG_NEW_ARRAY(arena, uint32_t, f->insts.count + 1);
  for (uint32_t b = 0; b < f->blocks.count; b++)
    for (uint32_t i = f->blocks.items[b].first, next, order = 0; i; i = next) {
      const struct og_ir_inst inst = f->insts.items[i];
      next = inst.next;
      if (og_ir_opcodes[inst.opcode].shape != OG_IR_SHAPE_DEBUG || inst.opcode == OG_IR_DBG_DECLARE) {
        t.to->order[i] = ++order;
        continue;
      }
      take(&t, &inst, b, order);
      og_ir_remove(f, i);
    }
  return t.to->list.count ? t.to : NULL;
}
