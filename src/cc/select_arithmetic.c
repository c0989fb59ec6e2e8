/* select_arithmetic.c - integers and floats: operations, comparisons, choices, parts of vectors. */
#include "cc/select.h"

/* ---- instructions of one result ------------------------------------------------------------------------------------- */

operand cc_salu(struct cc_function *c, unsigned row, unsigned dwords, unsigned count, const operand *sources) {
  operand list[6] = {cc_temp(c, CC_S, dwords)};
  const operand *literal = NULL;
  for (unsigned i = 0; i < count; i++) {
    list[1 + i] = sources[i];
    if (sources[i].kind == CC_CONST && !cc_is_inline(sources[i].value)) {
      if (literal && literal->value != sources[i].value) { /* one for an instruction */
        list[1 + i] = cc_temp(c, CC_S, 1);
        cc_move(c, list[1 + i], sources[i]);
      }
      literal = &sources[i];
    }
  }
  cc_emit(c, row, 1, 1 + count, list);
  return list[0];
}

/* A vector instruction reads one scalar value, from gfx10 on two; the second source of the short encoding is a vector
 * register, and a literal needs that encoding before gfx10 (ISA manuals, "VALU", "Operands"). */
void cc_valu_to(struct cc_function *c, unsigned row, operand to, unsigned count, const operand *sources) {
  operand list[6] = {to}, *s = list + 1;
  for (unsigned i = 0; i < count; i++)
    s[i] = sources[i];
  if (count == 2 && cc_commutes(row) && cc_is_vector(c, s[0]) && !cc_is_vector(c, s[1])) {
    operand swap = s[0];
    s[0] = s[1], s[1] = swap;
  }
  unsigned limit = c->isa->gfx10 && row != OG_ROW_V_LSHLREV_B64 && row != OG_ROW_V_LSHRREV_B64 && row != OG_ROW_V_ASHRREV_I64 ? 2 : 1, used = 0;
  for (unsigned i = 0; i < count; i++) {
    bool literal = s[i].kind == CC_CONST && !cc_is_inline(s[i].value);
    if (!literal && !cc_is_scalar_reg(c, s[i]))
      continue;
    bool again = false;
    for (unsigned k = 0; k < i; k++)
      again |= !literal && s[k].kind == s[i].kind && s[k].value == s[i].value && s[k].sub == s[i].sub;
    if (again)
      continue;
    bool short_one = cc_is_short(c, row) && to.dwords == 1 && s[i].dwords == 1 && !s[0].flags && (count < 2 || (cc_is_vector(c, s[1]) && !s[1].flags));
    if (used < limit && (!literal || (i == 0 && short_one))) {
      used++;
      continue;
    }
    operand moved = cc_temp(c, CC_V, s[i].dwords);
    for (unsigned k = 0; k < s[i].dwords; k++)
      cc_move(c, cc_part_of(moved, k, 1),
              s[i].kind == CC_CONST ? cc_constant(k ? (uint32_t)((int32_t)s[i].value >> 31) : s[i].value)
                                    : cc_part_of((operand){s[i].kind, 0, s[i].sub, s[i].dwords, s[i].value}, k, 1));
    moved.flags = s[i].flags;
    s[i] = moved;
  }
  cc_emit(c, row, 1, 1 + count, list);
}

operand cc_valu(struct cc_function *c, unsigned row, unsigned dwords, unsigned count, const operand *sources) {
  operand to = cc_temp(c, CC_V, dwords);
  cc_valu_to(c, row, to, count, sources);
  return to;
}

operand cc_compare(struct cc_function *c, unsigned row, operand a, operand b) {
  operand to = cc_temp(c, CC_S, c->mask_dwords);
  cc_valu_to(c, row, to, 2, (operand[]){a, b});
  return to;
}

operand cc_choose(struct cc_function *c, operand mask, operand yes, operand no) {
  operand sources[3] = {no, yes, mask};
  for (unsigned i = 0; i < 2; i++) /* the mask is the scalar value */
    if (cc_is_scalar_reg(c, sources[i]) || (sources[i].kind == CC_CONST && !cc_is_inline(sources[i].value)))
      sources[i] = cc_in_vector(c, sources[i]);
  return cc_valu(c, OG_ROW_V_CNDMASK_B32, 1, 3, sources);
}

operand cc_extend(struct cc_function *c, unsigned file, operand o, unsigned bits, bool is_signed) {
  if (bits >= 32)
    return o;
  uint32_t mask = (1u << bits) - 1, sign = 1u << (bits - 1);
  if (o.kind == CC_CONST)
    return cc_constant(is_signed ? ((o.value & mask) ^ sign) - sign : o.value & mask);
  if (file == CC_S && is_signed)
    return SALU(c, S_BFE_I32, 1, o, cc_constant(bits << 16));
  if (file == CC_S)
    return SALU(c, S_AND_B32, 1, o, cc_constant(mask));
  if (is_signed)
    return VALU(c, V_BFE_I32, 1, o, cc_constant(0), cc_constant(bits));
  return bits == 16 || bits > 6 ? VALU(c, V_AND_B32, 1, cc_constant(mask), o) : VALU(c, V_AND_B32, 1, cc_constant(mask), o);
}

static operand carry(const struct cc_function *c) { return cc_special(OG_SPECIAL_VCC_LO, c->mask_dwords); }

/* Sums and differences with a carry out, or in and out, in VCC. The second source is a vector register. */
static void with_carry(struct cc_function *c, unsigned row, operand to, operand a, operand b, bool in) {
  if (!cc_is_vector(c, b))
    b = cc_in_vector(c, b);
  if (!cc_is_vector(c, a) && (in || a.kind == CC_CONST) && !(a.kind == CC_CONST && cc_is_inline(a.value)))
    a = cc_in_vector(c, a); /* VCC is the scalar value */
  cc_emit(c, row, 2, in ? 5 : 4, (operand[]){to, carry(c), a, b, carry(c)});
}

operand cc_add(struct cc_function *c, unsigned file, operand a, operand b) {
  if (a.kind == CC_CONST && b.kind == CC_CONST)
    return cc_constant(a.value + b.value);
  if (b.kind == CC_CONST && b.value == 0)
    return a;
  if (file == CC_S)
    return SALU(c, S_ADD_U32, 1, a, b);
  if (cc_has_row(c, OG_ROW_V_ADD_U32))
    return VALU(c, V_ADD_U32, 1, a, b);
  operand to = cc_temp(c, CC_V, 1);
  with_carry(c, OG_ROW_V_ADD_CO_U32, to, a, b, false);
  return to;
}

operand cc_sub(struct cc_function *c, unsigned file, operand a, operand b) {
  if (file == CC_S)
    return SALU(c, S_SUB_U32, 1, a, b);
  if (cc_has_row(c, OG_ROW_V_SUB_U32)) {
    if (cc_is_vector(c, a) && !cc_is_vector(c, b))
      return VALU(c, V_SUBREV_U32, 1, b, a);
    return VALU(c, V_SUB_U32, 1, a, b);
  }
  operand to = cc_temp(c, CC_V, 1);
  with_carry(c, OG_ROW_V_SUB_CO_U32, to, a, b, false);
  return to;
}

operand cc_mul(struct cc_function *c, unsigned file, operand a, operand b) {
  return ALU(c, file, S_MUL_I32, V_MUL_LO_U32, a, b);
}

operand cc_shift(struct cc_function *c, unsigned file, int opcode, operand value, operand amount) {
  if (amount.kind == CC_CONST && amount.value == 0)
    return value;
  if (file == CC_S)
    return cc_salu(c, opcode == OG_IR_SHL ? OG_ROW_S_LSHL_B32 : opcode == OG_IR_LSHR ? OG_ROW_S_LSHR_B32 : OG_ROW_S_ASHR_I32,
                   1, 2, (operand[]){value, amount});
  return cc_valu(c, opcode == OG_IR_SHL ? OG_ROW_V_LSHLREV_B32 : opcode == OG_IR_LSHR ? OG_ROW_V_LSHRREV_B32 : OG_ROW_V_ASHRREV_I32,
                 1, 2, (operand[]){amount, value});
}

operand cc_add64(struct cc_function *c, unsigned file, operand a[2], operand b[2], bool subtract) {
  operand to = cc_temp(c, file, 2);
  if (file == CC_S) {
    for (unsigned k = 0; k < 2; k++) {
      operand x = a[k], y = b[k];
      if (x.kind == CC_CONST && y.kind == CC_CONST) {
        operand moved = cc_temp(c, CC_S, 1);
        cc_move(c, moved, x); /* leaves SCC alone */
        x = moved;
      }
      cc_emit(c, subtract ? (k ? OG_ROW_S_SUBB_U32 : OG_ROW_S_SUB_U32) : (k ? OG_ROW_S_ADDC_U32 : OG_ROW_S_ADD_U32), 1, 3,
              (operand[]){cc_part_of(to, k, 1), x, y});
    }
    return to;
  }
  for (unsigned k = 0; k < 2; k++) {
    operand x = a[k], y = b[k];
    if (!subtract && cc_is_vector(c, x) && !cc_is_vector(c, y))
      x = b[k], y = a[k];
    with_carry(c, subtract ? (k ? OG_ROW_V_SUBB_CO_U32 : OG_ROW_V_SUB_CO_U32) : (k ? OG_ROW_V_ADDC_CO_U32 : OG_ROW_V_ADD_CO_U32),
               cc_part_of(to, k, 1), x, y, k);
  }
  return to;
}

/* ---- operations by select.def ----------------------------------------------------------------------------------------- */

enum { I, W, Q, H, F, D };
enum { SAME, SWAPPED };
enum { PLAIN, U, S };
#define OG_ROW_NONE 0xffff
static const struct {
  uint16_t scalar, vector;
  uint8_t opcode, type, order, extend;
} binaries[] = {
#define BINARY(opcode, type, scalar, vector, order, extend) \
  {OG_ROW_##scalar, OG_ROW_##vector, OG_IR_##opcode, type, order, extend},
#include "cc/select.def"
};

static unsigned class_of(const struct cc_function *c, og_ir_type scalar) {
  switch (og_ir_kind(c->m, scalar)) {
  case OG_IR_HALF: return H;
  case OG_IR_FLOAT: return F;
  case OG_IR_DOUBLE: return D;
  default: return cc_bits(c->m, scalar) > 32 ? Q : I;
  }
}

static void mul64(struct cc_function *c, unsigned file, operand to, operand a[2], operand b[2]) {
  (void)file;
  operand low = VALU(c, V_MUL_LO_U32, 1, a[0], b[0]), high = VALU(c, V_MUL_HI_U32, 1, a[0], b[0]);
  if (!(b[1].kind == CC_CONST && b[1].value == 0))
    high = cc_add(c, CC_V, high, VALU(c, V_MUL_LO_U32, 1, a[0], b[1]));
  if (!(a[1].kind == CC_CONST && a[1].value == 0))
    high = cc_add(c, CC_V, high, VALU(c, V_MUL_LO_U32, 1, a[1], b[0]));
  cc_move(c, cc_part_of(to, 0, 1), low);
  cc_move(c, cc_part_of(to, 1, 1), high);
}

/* One element; its parts go to `out`. */
static bool binary(struct cc_function *c, const struct og_ir_inst *i, unsigned file, og_ir_type type, uint32_t at, operand *out) {
  og_ir_ref x = og_ir_operand(c->f, i, 0), y = og_ir_operand(c->f, i, 1);
  unsigned class = class_of(c, type), bits = cc_bits(c->m, type);
  operand a[2] = {cc_part(c, x, at)}, b[2] = {cc_part(c, y, at)};
  if (bits > 64)
    return false;
  if (bits > 32)
    a[1] = cc_part(c, x, at + 1), b[1] = cc_part(c, y, at + 1);
  if (class == I && (i->opcode == OG_IR_ADD || i->opcode == OG_IR_SUB)) {
    *out = i->opcode == OG_IR_ADD ? cc_add(c, file, a[0], b[0]) : cc_sub(c, file, a[0], b[0]);
    return true;
  }
  if (class == Q && (i->opcode == OG_IR_ADD || i->opcode == OG_IR_SUB || i->opcode == OG_IR_MUL)) {
    operand to;
    if (i->opcode == OG_IR_MUL)
      mul64(c, file, to = cc_temp(c, CC_V, 2), a, b);
    else
      to = cc_add64(c, file, a, b, i->opcode == OG_IR_SUB);
    out[0] = cc_part_of(to, 0, 1), out[1] = cc_part_of(to, 1, 1);
    return true;
  }
  if (class == D && (i->opcode == OG_IR_FADD || i->opcode == OG_IR_FMUL || i->opcode == OG_IR_FSUB)) {
    operand p = cc_pair(c, x, at, -1), q = cc_pair(c, y, at, -1);
    operand to = cc_valu(c, i->opcode == OG_IR_FMUL ? OG_ROW_V_MUL_F64 : OG_ROW_V_ADD_F64, 2, 2,
                         (operand[]){p, i->opcode == OG_IR_FSUB ? cc_neg(q) : q});
    out[0] = cc_part_of(to, 0, 1), out[1] = cc_part_of(to, 1, 1);
    return true;
  }
  for (unsigned k = 0; k < OG_COUNT(binaries); k++) {
    unsigned type_k = binaries[k].type;
    if (binaries[k].opcode != i->opcode || (type_k == W ? Q : type_k) != class)
      continue;
    unsigned row = file == CC_S ? binaries[k].scalar : binaries[k].vector;
    if (row == OG_ROW_NONE || !cc_has_row(c, row))
      continue;
    bool swap = file == CC_V && binaries[k].order == SWAPPED;
    if (type_k == Q) {
      operand value = cc_pair(c, x, at, file == CC_S ? CC_S : -1);
      operand to = file == CC_S ? cc_salu(c, row, 2, 2, (operand[]){value, b[0]})
                                : cc_valu(c, row, 2, 2, (operand[]){b[0], value});
      out[0] = cc_part_of(to, 0, 1), out[1] = cc_part_of(to, 1, 1);
      return true;
    }
    if (binaries[k].extend != PLAIN)
      a[0] = cc_extend(c, file, a[0], bits, binaries[k].extend == S);
    if (binaries[k].order == SWAPPED && bits < 32 && b[0].kind != CC_CONST)
      b[0] = cc_extend(c, file, b[0], bits, false);
    for (unsigned part = 0; part < (type_k == W ? 2u : 1u); part++) {
      operand sources[2] = {swap ? b[part] : a[part], swap ? a[part] : b[part]};
      out[part] = file == CC_S ? cc_salu(c, row, 1, 2, sources) : cc_valu(c, row, 1, 2, sources);
    }
    return true;
  }
  return false;
}

/* Masks: i1 by themselves. */
static bool binary_i1(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref x = og_ir_operand(c->f, i, 0), y = og_ir_operand(c->f, i, 1);
  bool wide = c->mask_dwords == 2;
  static const uint16_t rows[3][2] = {{OG_ROW_S_AND_B32, OG_ROW_S_AND_B64},
                                      {OG_ROW_S_OR_B32, OG_ROW_S_OR_B64},
                                      {OG_ROW_S_XOR_B32, OG_ROW_S_XOR_B64}};
  unsigned which = i->opcode == OG_IR_AND || i->opcode == OG_IR_MUL ? 0 : i->opcode == OG_IR_OR ? 1 : 2;
  if (i->opcode != OG_IR_AND && i->opcode != OG_IR_OR && i->opcode != OG_IR_XOR && i->opcode != OG_IR_ADD &&
      i->opcode != OG_IR_SUB && i->opcode != OG_IR_MUL)
    return false;
  if (c->values[record].place == CC_SCALAR) {
    operand o = cc_salu(c, rows[which][0], 1, 2, (operand[]){cc_bool_value(c, x, CC_S), cc_bool_value(c, y, CC_S)});
    cc_define(c, record, &o, 1);
    return true;
  }
  cc_define_mask(c, record, cc_salu(c, rows[which][wide], c->mask_dwords, 2, (operand[]){cc_mask(c, x), cc_mask(c, y)}));
  return true;
}

/* ---- comparisons -------------------------------------------------------------------------------------------------------- */

#define COMPARES(type, eq, ne, gt, ge, lt, le) \
  {OG_ROW_V_CMP_##eq##_##type, OG_ROW_V_CMP_##ne##_##type, OG_ROW_V_CMP_##gt##_##type, OG_ROW_V_CMP_##ge##_##type, \
   OG_ROW_V_CMP_##lt##_##type, OG_ROW_V_CMP_##le##_##type}
static const uint16_t integer_compares[4][6] = {
    COMPARES(U32, EQ, NE, GT, GE, LT, LE), COMPARES(I32, EQ, NE, GT, GE, LT, LE),
    COMPARES(U64, EQ, NE, GT, GE, LT, LE), COMPARES(I64, EQ, NE, GT, GE, LT, LE),
};
#define FLOAT_COMPARES(type) \
  {OG_ROW_V_CMP_F_##type,   OG_ROW_V_CMP_EQ_##type,  OG_ROW_V_CMP_GT_##type,  OG_ROW_V_CMP_GE_##type, \
   OG_ROW_V_CMP_LT_##type,  OG_ROW_V_CMP_LE_##type,  OG_ROW_V_CMP_LG_##type,  OG_ROW_V_CMP_O_##type, \
   OG_ROW_V_CMP_U_##type,   OG_ROW_V_CMP_NLG_##type, OG_ROW_V_CMP_NLE_##type, OG_ROW_V_CMP_NLT_##type, \
   OG_ROW_V_CMP_NGE_##type, OG_ROW_V_CMP_NGT_##type, OG_ROW_V_CMP_NEQ_##type, OG_ROW_V_CMP_TRU_##type}
static const uint16_t float_compares[3][16] = {FLOAT_COMPARES(F16), FLOAT_COMPARES(F32), FLOAT_COMPARES(F64)};

static bool compare(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref x = og_ir_operand(c->f, i, 0), y = og_ir_operand(c->f, i, 1);
  og_ir_type type = cc_type_of(c, x), scalar = og_ir_scalar(c->m, type);
  unsigned bits = cc_bits(c->m, scalar), class = class_of(c, scalar);
  if (c->values[record].place == CC_SCALAR && bits > 1) {
    c->values[record].deferred = true;
    return true;
  }
  bool vector = og_ir_is_vector(c->m, type);
  uint32_t count = vector ? (uint32_t)og_ir_type_of(c->m, type)->count : 1;
  OG_VECTOR(operand) out = {0};
  for (uint32_t k = 0; k < count; k++) {
    operand to;
    if (i->opcode == OG_IR_FCMP) {
      unsigned row = float_compares[class - H][i->sub & 15];
      to = class == D ? cc_compare(c, row, cc_pair(c, x, 2 * k, -1), cc_pair(c, y, 2 * k, -1))
                      : cc_compare(c, row, cc_part(c, x, k), cc_part(c, y, k));
    } else {
      unsigned predicate = i->sub - CC_FIRST_INTEGER_PREDICATE;
      bool is_signed = predicate >= 6;
      if (bits > 64 || predicate > 9)
        return false;
      unsigned row = integer_compares[(bits > 32 ? 2 : 0) + is_signed][is_signed ? predicate - 4 : predicate];
      if (bits == 1 && !vector && predicate < 2) { /* i1: equal or not */
        operand m = cc_salu(c, c->mask_dwords == 2 ? (predicate ? OG_ROW_S_XOR_B64 : OG_ROW_S_XNOR_B64) : (predicate ? OG_ROW_S_XOR_B32 : OG_ROW_S_XNOR_B32),
                            c->mask_dwords, 2, (operand[]){cc_mask(c, x), cc_mask(c, y)});
        to = m;
      } else if (bits > 32) {
        to = cc_compare(c, row, cc_pair(c, x, 2 * k, -1), cc_pair(c, y, 2 * k, -1));
      } else {
        to = cc_compare(c, row, cc_extend(c, CC_V, cc_part(c, x, k), bits, is_signed),
                        cc_extend(c, CC_V, cc_part(c, y, k), bits, is_signed));
      }
    }
    if (!vector) {
      cc_define_mask(c, record, to);
      return true;
    }
    *OG_PUSH(c->arena, &out) = cc_choose(c, to, cc_constant(1), cc_constant(0));
  }
  cc_define(c, record, out.items, out.count);
  return true;
}

/* ---- choices and parts of vectors ----------------------------------------------------------------------------------------- */

static bool choose(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref condition = og_ir_operand(c->f, i, 0), x = og_ir_operand(c->f, i, 1), y = og_ir_operand(c->f, i, 2);
  uint32_t count = cc_count(c, x);
  unsigned file = cc_file(c, record);
  bool i1 = cc_bits(c->m, i->type) == 1, each = og_ir_is_vector(c->m, cc_type_of(c, condition));
  unsigned width = cc_bits(c->m, og_ir_scalar(c->m, i->type)) > 32 ? 2 : 1;
  OG_VECTOR(operand) out = {0};
  if (file == CC_S) {
    operand a[64], b[64];
    if (count > OG_COUNT(a))
      return false;
    for (uint32_t k = 0; k < count; k++)
      a[k] = i1 ? cc_bool_value(c, x, CC_S) : cc_part(c, x, k), b[k] = i1 ? cc_bool_value(c, y, CC_S) : cc_part(c, y, k);
    for (uint32_t k = 0; k < count; k++) /* two literals are one too many, and what loads one leaves SCC alone */
      if (a[k].kind == CC_CONST && b[k].kind == CC_CONST && !cc_is_inline(a[k].value) && !cc_is_inline(b[k].value)) {
        operand moved = cc_temp(c, CC_S, 1);
        cc_move(c, moved, a[k]);
        a[k] = moved;
      }
    bool sense = cc_scc(c, condition);
    for (uint32_t k = 0; k < count; k++)
      *OG_PUSH(c->arena, &out) = SALU(c, S_CSELECT_B32, 1, sense ? a[k] : b[k], sense ? b[k] : a[k]);
    cc_define(c, record, out.items, count);
    return true;
  }
  operand mask = each ? cc_constant(0) : cc_mask(c, condition);
  if (i1 && !each) { /* (mask and x) or (y and not mask) */
    bool wide = c->mask_dwords == 2;
    operand yes = cc_salu(c, wide ? OG_ROW_S_AND_B64 : OG_ROW_S_AND_B32, c->mask_dwords, 2, (operand[]){mask, cc_mask(c, x)});
    operand no = cc_salu(c, wide ? OG_ROW_S_ANDN2_B64 : OG_ROW_S_ANDN2_B32, c->mask_dwords, 2, (operand[]){cc_mask(c, y), mask});
    cc_define_mask(c, record, cc_salu(c, wide ? OG_ROW_S_OR_B64 : OG_ROW_S_OR_B32, c->mask_dwords, 2, (operand[]){yes, no}));
    return true;
  }
  for (uint32_t k = 0; k < count; k++) {
    if (each && k % width == 0)
      mask = cc_compare(c, OG_ROW_V_CMP_NE_U32, cc_constant(0), cc_part(c, condition, k / width));
    operand a = cc_part(c, x, k), b = cc_part(c, y, k);
    *OG_PUSH(c->arena, &out) = cc_choose(c, mask, a, b);
  }
  cc_define(c, record, out.items, count);
  return true;
}

/* An index that only running tells. */
static operand element_index(struct cc_function *c, og_ir_ref index) {
  return cc_in_vector(c, cc_extend(c, CC_V, cc_part(c, index, 0), cc_bits(c->m, cc_type_of(c, index)), false));
}

static bool vectors(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref x = og_ir_operand(c->f, i, 0);
  uint32_t each = cc_parts(c->m, og_ir_scalar(c->m, i->opcode == OG_IR_EXTRACTELEMENT ? i->type : cc_type_of(c, x)));
  uint32_t count = cc_count(c, x);
  uint64_t at;
  OG_VECTOR(operand) out = {0};
  if (i->opcode == OG_IR_SHUFFLEVECTOR) {
    const uint32_t *numbers = &c->m->pool.items[i->extra];
    for (uint32_t k = 0; k < numbers[0]; k++)
      for (uint32_t p = 0; p < each; p++) {
        uint32_t from = numbers[1 + k] == UINT32_MAX ? 0 : numbers[1 + k] * each + p;
        *OG_PUSH(c->arena, &out) = numbers[1 + k] == UINT32_MAX ? cc_constant(0)
                                   : from < count ? cc_part(c, x, from)
                                                  : cc_part(c, og_ir_operand(c->f, i, 1), from - count);
      }
  } else if (i->opcode == OG_IR_EXTRACTELEMENT) {
    if (!cc_is_number(c, og_ir_operand(c->f, i, 1), &at)) {
      operand index = element_index(c, og_ir_operand(c->f, i, 1));
      for (uint32_t p = 0; p < each; p++) { /* the first, and each other one where the index is its */
        operand o = cc_part(c, x, p);
        for (uint32_t k = 1; k * each < count; k++)
          o = cc_choose(c, cc_compare(c, OG_ROW_V_CMP_EQ_U32, cc_constant(k), index), cc_part(c, x, k * each + p), o);
        *OG_PUSH(c->arena, &out) = o;
      }
      if (cc_bits(c->m, i->type) == 1)
        return false;
      cc_define(c, record, out.items, out.count);
      return true;
    }
    if (cc_bits(c->m, i->type) == 1) {
      cc_define_mask(c, record, cc_compare(c, OG_ROW_V_CMP_NE_U32, cc_constant(0), cc_part(c, x, (uint32_t)at)));
      return true;
    }
    for (uint32_t p = 0; p < each; p++)
      *OG_PUSH(c->arena, &out) = at * each + p < count ? cc_part(c, x, (uint32_t)at * each + p) : cc_constant(0);
  } else {
    og_ir_ref element = og_ir_operand(c->f, i, 1);
    if (!cc_is_number(c, og_ir_operand(c->f, i, 2), &at)) {
      operand index = element_index(c, og_ir_operand(c->f, i, 2)), here = cc_constant(0);
      if (cc_bits(c->m, cc_type_of(c, element)) == 1)
        return false;
      for (uint32_t k = 0; k < count; k++) {
        if (k % each == 0)
          here = cc_compare(c, OG_ROW_V_CMP_EQ_U32, cc_constant(k / each), index);
        *OG_PUSH(c->arena, &out) = cc_choose(c, here, cc_part(c, element, k % each), cc_part(c, x, k));
      }
      cc_define(c, record, out.items, out.count);
      return true;
    }
    bool i1 = cc_bits(c->m, cc_type_of(c, element)) == 1;
    for (uint32_t k = 0; k < count; k++)
      *OG_PUSH(c->arena, &out) = k / each == at ? (i1 ? cc_bool_vector(c, element) : cc_part(c, element, k % each)) : cc_part(c, x, k);
  }
  cc_define(c, record, out.items, out.count);
  return true;
}

/* Members of structs and arrays. */
static bool members(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  const uint32_t *numbers = &c->m->pool.items[i->extra];
  og_ir_ref x = og_ir_operand(c->f, i, 0);
  og_ir_type type = cc_type_of(c, x);
  uint32_t at = 0, count = cc_count(c, x);
  for (uint32_t k = 0; k < numbers[0]; k++) {
    if (og_ir_kind(c->m, type) == OG_IR_STRUCT)
      for (uint32_t before = 0; before < numbers[1 + k]; before++)
        at += cc_parts(c->m, og_ir_part(c->m, type, before));
    else
      at += numbers[1 + k] * cc_parts(c->m, og_ir_part(c->m, type, 0));
    type = og_ir_element(c->m, type, numbers[1 + k]);
  }
  OG_VECTOR(operand) out = {0};
  uint32_t own = cc_parts(c->m, type);
  bool i1 = cc_bits(c->m, type) == 1;
  if (i->opcode == OG_IR_EXTRACTVALUE && i1) {
    if (c->values[record].place == CC_SCALAR)
      return false;
    cc_define_mask(c, record, cc_compare(c, OG_ROW_V_CMP_NE_U32, cc_constant(0), cc_part(c, x, at)));
    return true;
  }
  og_ir_ref value = i->opcode == OG_IR_INSERTVALUE ? og_ir_operand(c->f, i, 1) : OG_IR_NONE;
  if (i->opcode == OG_IR_EXTRACTVALUE)
    for (uint32_t k = 0; k < own; k++)
      *OG_PUSH(c->arena, &out) = cc_part(c, x, at + k);
  else
    for (uint32_t k = 0; k < count; k++)
      *OG_PUSH(c->arena, &out) = k >= at && k < at + own ? (i1 ? cc_bool_vector(c, value) : cc_part(c, value, k - at)) : cc_part(c, x, k);
  cc_define(c, record, out.items, out.count);
  return true;
}

static bool negate(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref x = og_ir_operand(c->f, i, 0);
  unsigned bits = cc_bits(c->m, og_ir_scalar(c->m, i->type));
  OG_VECTOR(operand) out = {0};
  for (uint32_t k = 0; k < cc_count(c, x); k++) {
    operand o = cc_part(c, x, k);
    if (bits != 64 || k % 2)
      o = VALU(c, V_XOR_B32, 1, cc_constant(bits == 16 ? 0x8000 : 0x80000000), o);
    *OG_PUSH(c->arena, &out) = o;
  }
  cc_define(c, record, out.items, out.count);
  return true;
}

bool cc_select_arithmetic(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  switch (i->opcode) {
  case OG_IR_ICMP: case OG_IR_FCMP: return compare(c, record);
  case OG_IR_SELECT: return choose(c, record);
  case OG_IR_EXTRACTELEMENT: case OG_IR_INSERTELEMENT: case OG_IR_SHUFFLEVECTOR: return vectors(c, record);
  case OG_IR_EXTRACTVALUE: case OG_IR_INSERTVALUE: return members(c, record);
  case OG_IR_FNEG: return negate(c, record);
  case OG_IR_UDIV: case OG_IR_SDIV: case OG_IR_UREM: case OG_IR_SREM: case OG_IR_FDIV: return cc_select_divide(c, record);
  case OG_IR_FREEZE: {
    og_ir_ref x = og_ir_operand(c->f, i, 0);
    if (cc_bits(c->m, i->type) == 1) {
      operand o = c->values[record].place == CC_SCALAR ? cc_bool_value(c, x, CC_S) : cc_mask(c, x);
      if (c->values[record].place == CC_SCALAR)
        cc_define(c, record, &o, 1);
      else
        cc_define_mask(c, record, o);
      return true;
    }
    OG_VECTOR(operand) out = {0};
    for (uint32_t k = 0; k < cc_count(c, x); k++)
      *OG_PUSH(c->arena, &out) = cc_part(c, x, k);
    cc_define(c, record, out.items, out.count);
    return true;
  }
  default: break;
  }
  uint8_t shape = og_ir_opcodes[i->opcode].shape;
  if (shape != OG_IR_SHAPE_BINARY_INT && shape != OG_IR_SHAPE_BINARY_FLOAT)
    return false;
  og_ir_type scalar = og_ir_scalar(c->m, i->type);
  if (cc_bits(c->m, scalar) == 1 && !og_ir_is_vector(c->m, i->type))
    return binary_i1(c, record);
  uint32_t count = cc_parts(c->m, i->type), each = cc_parts(c->m, scalar);
  operand *out = OG_NEW_ARRAY(c->arena, operand, count + 1);
  for (uint32_t k = 0; k < count; k += each)
    if (!binary(c, i, cc_file(c, record), scalar, k, out + k))
      return false;
  cc_define(c, record, out, count);
  return true;
}
