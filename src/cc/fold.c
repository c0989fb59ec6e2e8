/* fold.c - values of instructions that are known before they run: constants computed, operations that change nothing,
 * loads of constant variables. Floats are not computed, since their results depend on the mode that a wave runs in. */
#include "cc/machine.h"
#include "cc/opt.h"

#include <string.h>

static uint64_t cut(uint64_t value, unsigned bits) { return bits >= 64 ? value : value & ((UINT64_C(1) << bits) - 1); }
static int64_t extend(uint64_t value, unsigned bits) {
  return bits >= 64 ? (int64_t)value : (int64_t)(value << (64 - bits)) >> (64 - bits);
}

static bool is_integer(const struct og_ir_module *m, og_ir_type type, unsigned *bits) {
  *bits = og_ir_kind(m, type) == OG_IR_INTEGER ? cc_bits(m, type) : 0;
  return *bits && *bits <= 64;
}

/* The value of an integer constant; false: it is another constant. */
static bool number(const struct og_ir_module *m, og_ir_ref ref, uint64_t *value) {
  return og_ir_space(ref) == OG_IR_CONSTANT && og_ir_constant_of(m, ref)->kind == OG_IR_C_NUMBER &&
         og_ir_kind(m, og_ir_constant_of(m, ref)->type) == OG_IR_INTEGER && cc_is_number(m, ref, value);
}

static bool compute(uint8_t opcode, uint64_t a, uint64_t b, unsigned bits, uint64_t *out) {
  int64_t x = extend(a, bits), y = extend(b, bits);
  switch (opcode) {
  case OG_IR_ADD: *out = a + b; return true;
  case OG_IR_SUB: *out = a - b; return true;
  case OG_IR_MUL: *out = a * b; return true;
  case OG_IR_AND: *out = a & b; return true;
  case OG_IR_OR: *out = a | b; return true;
  case OG_IR_XOR: *out = a ^ b; return true;
  case OG_IR_SHL: *out = b < bits ? a << b : 0; return b < bits;
  case OG_IR_LSHR: *out = b < bits ? a >> b : 0; return b < bits;
  case OG_IR_ASHR: *out = b < bits ? (uint64_t)(x >> b) : 0; return b < bits;
  case OG_IR_UDIV: *out = b ? a / b : 0; return b;
  case OG_IR_UREM: *out = b ? a % b : 0; return b;
  case OG_IR_SDIV: *out = b && y != -1 ? (uint64_t)(x / y) : 0; return b && y != -1;
  case OG_IR_SREM: *out = b && y != -1 ? (uint64_t)(x % y) : 0; return b && y != -1;
  default: return false;
  }
}

static og_ir_ref fold_binary(struct og_ir_module *m, const struct og_ir_inst *i, og_ir_ref a, og_ir_ref b) {
  unsigned bits;
  uint64_t x, y, out;
  if (!is_integer(m, i->type, &bits))
    return OG_IR_NONE;
  bool has_x = number(m, a, &x), has_y = number(m, b, &y);
  if (has_x && has_y)
    return compute(i->opcode, x, y, bits, &out) ? og_ir_number(m, i->type, cut(out, bits)) : OG_IR_NONE;
  uint64_t ones = cut(UINT64_MAX, bits);
  if (has_x && (i->opcode == OG_IR_ADD || i->opcode == OG_IR_MUL || i->opcode == OG_IR_AND || i->opcode == OG_IR_OR ||
                i->opcode == OG_IR_XOR)) {
    og_ir_ref swap = a;
    a = b, b = swap, y = x, has_y = true;
  }
  if (has_y)
    switch (i->opcode) {
    case OG_IR_ADD:
    case OG_IR_SUB:
    case OG_IR_XOR:
    case OG_IR_SHL:
    case OG_IR_LSHR:
    case OG_IR_ASHR: return y == 0 ? a : OG_IR_NONE;
    case OG_IR_OR: return y == 0 ? a : y == ones ? b : OG_IR_NONE;
    case OG_IR_AND: return y == 0 ? b : y == ones ? a : OG_IR_NONE;
    case OG_IR_MUL: return y == 0 ? b : y == 1 ? a : OG_IR_NONE;
    case OG_IR_UDIV:
    case OG_IR_SDIV: return y == 1 ? a : OG_IR_NONE;
    default: return OG_IR_NONE;
    }
  if (a == b)
    switch (i->opcode) {
    case OG_IR_SUB:
    case OG_IR_XOR: return og_ir_number(m, i->type, 0);
    case OG_IR_AND:
    case OG_IR_OR: return a;
    default: break;
    }
  return OG_IR_NONE;
}

/* Predicates count from 0: those of integers in bitcode, less 32. */
bool cc_compares(unsigned predicate, uint64_t x, uint64_t y, unsigned bits) {
  int64_t s = extend(x, bits), t = extend(y, bits);
  bool is[] = {x == y, x != y, x > y, x >= y, x < y, x <= y, s > t, s >= t, s < t, s <= t};
  return predicate < OG_COUNT(is) && is[predicate];
}

static og_ir_ref fold_compare(struct og_ir_module *m, const struct og_ir_inst *i, og_ir_ref a, og_ir_ref b,
                              og_ir_type type) {
  unsigned bits;
  uint64_t x, y;
  bool both = number(m, a, &x) && number(m, b, &y);
  if (!is_integer(m, type, &bits) || (!both && a != b))
    return OG_IR_NONE;
  if (!both)
    x = y = 0;
  unsigned which = i->sub - (unsigned)OG_IR_EQ;
  return which < 10 ? og_ir_number(m, i->type, cc_compares(which, x, y, bits)) : OG_IR_NONE;
}

static og_ir_ref fold_cast(struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i,
                           og_ir_ref a) {
  og_ir_type from = og_ir_type_of_ref(m, f, a);
  unsigned bits, to;
  uint64_t x;
  if (from == i->type && (i->opcode == OG_IR_BITCAST || i->opcode == OG_IR_ADDRSPACECAST))
    return a;
  if (og_ir_space(a) == OG_IR_LOCAL) {
    const struct og_ir_inst *inner = &f->insts.items[og_ir_index(a)];
    og_ir_ref x0 = inner->operands ? og_ir_operand(f, inner, 0) : OG_IR_NONE;
    bool undone = (i->opcode == OG_IR_TRUNC && (inner->opcode == OG_IR_ZEXT || inner->opcode == OG_IR_SEXT)) ||
                  (i->opcode == OG_IR_BITCAST && inner->opcode == OG_IR_BITCAST) ||
                  (i->opcode == OG_IR_INTTOPTR && inner->opcode == OG_IR_PTRTOINT &&
                   cc_bits(m, inner->type) == cc_bits(m, i->type));
    return undone && og_ir_type_of_ref(m, f, x0) == i->type ? x0 : OG_IR_NONE;
  }
  if (!is_integer(m, from, &bits) || !is_integer(m, i->type, &to) || !number(m, a, &x))
    return OG_IR_NONE;
  switch (i->opcode) {
  case OG_IR_TRUNC:
  case OG_IR_ZEXT: return og_ir_number(m, i->type, cut(x, to));
  case OG_IR_SEXT: return og_ir_number(m, i->type, cut((uint64_t)extend(x, bits), to));
  default: return OG_IR_NONE;
  }
}

/* The part of a constant that stands `offset` bytes from its beginning, if there is one of that type. */
static og_ir_ref constant_at(struct og_ir_module *m, og_ir_ref ref, uint64_t offset, og_ir_type type) {
  for (unsigned depth = 0; depth < 32; depth++) {
    const struct og_ir_constant *k = og_ir_constant_of(m, ref);
    if (k->type == type)
      return offset == 0 && (k->kind == OG_IR_C_NUMBER || k->kind == OG_IR_C_WIDE || k->kind == OG_IR_C_ZERO ||
                             k->kind == OG_IR_C_AGGREGATE || k->kind == OG_IR_C_SPLAT)
                 ? ref
                 : OG_IR_NONE;
    uint8_t kind = og_ir_kind(m, k->type);
    if (k->kind == OG_IR_C_ZERO && offset + cc_store_size(m, type) <= cc_size_of(m, k->type))
      return og_ir_zero(m, type);
    if (k->kind == OG_IR_C_BYTES && type == og_ir_integer(m, 8) && offset < m->names.items[k->value].size)
      return og_ir_number(m, type, (uint8_t)m->names.items[k->value].data[offset]);
    if (k->kind != OG_IR_C_AGGREGATE || kind == OG_IR_VECTOR)
      return OG_IR_NONE;
    uint64_t at = 0, index = 0;
    if (kind == OG_IR_STRUCT) {
      while (index + 1 < k->parts && cc_field_offset(m, k->type, index + 1) <= offset)
        index++;
      at = cc_field_offset(m, k->type, index);
    } else {
      uint64_t each = cc_size_of(m, og_ir_part(m, k->type, 0));
      index = each ? offset / each : 0, at = index * each;
    }
    if (index >= k->parts)
      return OG_IR_NONE;
    offset -= at, ref = m->pool.items[k->first + index];
  }
  return OG_IR_NONE;
}

static og_ir_ref fold_load(struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i) {
  int64_t offset = 0;
  og_ir_ref base = cc_base(m, f, og_ir_operand(f, i, 0), &offset);
  if (og_ir_space(base) != OG_IR_CONSTANT || i->flags & (OG_IR_F_VOLATILE | OG_IR_F_ATOMIC) || offset < 0)
    return OG_IR_NONE;
  const struct og_ir_constant *k = og_ir_constant_of(m, base);
  const struct og_ir_global *g = k->kind == OG_IR_C_GLOBAL ? &m->globals.items[k->value] : NULL;
  bool final =
      g && g->kind == OG_IR_VARIABLE && g->constant && g->value != OG_IR_NONE && !g->externally_initialized &&
      (g->linkage == OG_IR_EXTERNAL || g->linkage == OG_IR_PRIVATE || g->linkage == OG_IR_INTERNAL ||
       g->linkage == OG_IR_WEAK_ODR || g->linkage == OG_IR_LINKONCE_ODR || g->linkage == OG_IR_AVAILABLE_EXTERNALLY);
  return final ? constant_at(m, g->value, (uint64_t)offset, i->type) : OG_IR_NONE;
}

static og_ir_ref fold_element(struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i) {
  og_ir_ref v = og_ir_operand(f, i, 0);
  uint64_t at, other;
  if (!cc_is_number(m, og_ir_operand(f, i, 1), &at))
    return OG_IR_NONE;
  for (unsigned depth = 0; depth < 64; depth++) {
    if (og_ir_space(v) == OG_IR_CONSTANT) {
      const struct og_ir_constant *k = og_ir_constant_of(m, v);
      if (k->kind == OG_IR_C_SPLAT)
        return m->pool.items[k->first];
      if (k->kind == OG_IR_C_ZERO)
        return og_ir_zero(m, i->type);
      return k->kind == OG_IR_C_AGGREGATE && at < k->parts ? m->pool.items[k->first + at] : OG_IR_NONE;
    }
    const struct og_ir_inst *from = &f->insts.items[og_ir_index(v)];
    if (from->opcode != OG_IR_INSERTELEMENT || !cc_is_number(m, og_ir_operand(f, from, 2), &other))
      return OG_IR_NONE;
    if (other == at)
      return og_ir_operand(f, from, 1);
    v = og_ir_operand(f, from, 0);
  }
  return OG_IR_NONE;
}

static og_ir_ref fold_member(struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i) {
  og_ir_ref v = og_ir_operand(f, i, 0);
  const uint32_t *path = &m->pool.items[i->extra];
  for (unsigned depth = 0; depth < 64 && og_ir_space(v) == OG_IR_LOCAL; depth++) {
    const struct og_ir_inst *from = &f->insts.items[og_ir_index(v)];
    if (from->opcode != OG_IR_INSERTVALUE)
      return OG_IR_NONE;
    const uint32_t *theirs = &m->pool.items[from->extra];
    uint32_t same = 0;
    while (same < path[0] && same < theirs[0] && path[1 + same] == theirs[1 + same])
      same++;
    if (same == path[0] && same == theirs[0])
      return og_ir_operand(f, from, 1);
    if (same == path[0] || same == theirs[0])
      return OG_IR_NONE; /* the two overlap */
    v = og_ir_operand(f, from, 0);
  }
  return OG_IR_NONE;
}

static og_ir_ref fold_call(struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i) {
  struct og_text name = cc_callee_name(m, f, i), rest = name;
  if (og_text_skip(&rest, "llvm.is.constant."))
    return og_ir_number(m, i->type, og_ir_space(og_ir_operand(f, i, 1)) == OG_IR_CONSTANT);
  if (og_text_skip(&rest, "llvm.expect.") || og_text_skip(&rest, "llvm.launder.invariant.group") ||
      og_text_skip(&rest, "llvm.strip.invariant.group") || og_text_skip(&rest, "llvm.ssa.copy") ||
      og_text_skip(&rest, "llvm.ptr.annotation") || og_text_skip(&rest, "llvm.annotation."))
    return og_ir_operand(f, i, 1);
  if (og_text_skip(&rest, "llvm.objectsize."))
    return og_ir_number(m, i->type, cut(UINT64_MAX, cc_bits(m, i->type)));
  return OG_IR_NONE;
}

og_ir_ref cc_fold(struct og_ir_module *m, const struct og_ir_function *f, const struct og_ir_inst *i) {
  og_ir_ref a = i->operands ? og_ir_operand(f, i, 0) : OG_IR_NONE,
            b = i->operands > 1 ? og_ir_operand(f, i, 1) : OG_IR_NONE;
  uint64_t x;
  switch (og_ir_opcodes[i->opcode].shape) {
  case OG_IR_SHAPE_BINARY_INT: return fold_binary(m, i, a, b);
  case OG_IR_SHAPE_ICMP: return fold_compare(m, i, a, b, og_ir_type_of_ref(m, f, a));
  case OG_IR_SHAPE_CAST: return fold_cast(m, f, i, a);
  case OG_IR_SHAPE_LOAD: return fold_load(m, f, i);
  case OG_IR_SHAPE_EXTRACTELEMENT: return fold_element(m, f, i);
  case OG_IR_SHAPE_EXTRACTVALUE: return fold_member(m, f, i);
  case OG_IR_SHAPE_CALL: return fold_call(m, f, i);
  case OG_IR_SHAPE_SELECT:
    if (number(m, a, &x))
      return og_ir_operand(f, i, x ? 1 : 2);
    return b == og_ir_operand(f, i, 2) ? b : OG_IR_NONE;
  case OG_IR_SHAPE_FREEZE: return number(m, a, &x) ? a : OG_IR_NONE;
  default: return OG_IR_NONE;
  }
}
