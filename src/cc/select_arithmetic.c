/* select_arithmetic.c - operations and comparisons of integers and floats. */
#include "cc/select.h"

/* ---- operations by select.def ------------------------------------------------------------------------------------ */

enum { I, W, Q, H, F, D };
enum { SAME, SWAPPED };
enum { PLAIN, U, S };
#define OG_ROW_NONE 0xffff
static const struct {
  uint16_t scalar, vector;
  uint8_t opcode, type, order, extend;
} binaries[] = {
#define BINARY(opcode, type, scalar, vector, order, extend)                                                            \
  {OG_ROW_##scalar, OG_ROW_##vector, OG_IR_##opcode, type, order, extend},
#include "cc/select.def"
};

static unsigned class_of(const struct cc_function *c, og_ir_type scalar) {
  switch (og_ir_kind(c->m, scalar)) {
  case OG_IR_HALF:
  case OG_IR_BFLOAT: return H;
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

/* An operation on bits whose result is known from a constant, or is the other operand. */
static bool known_bits(uint8_t opcode, operand a, operand b, operand *out) {
  if (a.kind == CC_CONST && b.kind != CC_CONST) {
    operand swap = a;
    a = b, b = swap;
  }
  if (b.kind != CC_CONST)
    return false;
  if (a.kind == CC_CONST)
    *out = cc_constant(opcode == OG_IR_AND  ? a.value & b.value
                       : opcode == OG_IR_OR ? a.value | b.value
                                            : a.value ^ b.value);
  else if (opcode == OG_IR_AND ? b.value == UINT32_MAX : b.value == 0)
    *out = a;
  else if (opcode == OG_IR_AND ? b.value == 0 : opcode == OG_IR_OR && b.value == UINT32_MAX)
    *out = b;
  else
    return false;
  return true;
}

/* A constant shift of 64 bits, if half of the result or half of the operand is known. */
static bool shift_halves(struct cc_function *c, unsigned file, uint8_t opcode, const operand a[2], operand by,
                         operand *out) {
  if (by.kind != CC_CONST || by.value >= 64)
    return false;
  unsigned n = by.value;
  if (opcode == OG_IR_SHL && n >= 32) {
    out[0] = cc_constant(0), out[1] = cc_shift(c, file, OG_IR_SHL, a[0], cc_constant(n - 32));
  } else if (opcode == OG_IR_SHL) {
    if (!(a[1].kind == CC_CONST && a[1].value == 0) || cc_width(c, a[0]) + n > 32)
      return false;
    out[0] = cc_shift(c, file, OG_IR_SHL, a[0], by), out[1] = cc_constant(0);
  } else if (n >= 32) {
    out[0] = cc_shift(c, file, opcode, a[1], cc_constant(n - 32));
    out[1] = opcode == OG_IR_LSHR ? cc_constant(0) : cc_shift(c, file, OG_IR_ASHR, a[1], cc_constant(31));
  } else {
    if (!(a[1].kind == CC_CONST && a[1].value == 0))
      return false;
    out[0] = cc_shift(c, file, OG_IR_LSHR, a[0], by), out[1] = cc_constant(0);
  }
  return true;
}

static bool short_binary(struct cc_function *c, uint8_t opcode, operand a, operand b, operand *out) {
  static const struct {
    uint16_t row;
    uint8_t opcode, order;
  } rows[] = {{OG_ROW_V_ADD_U16, OG_IR_ADD, SAME},         {OG_ROW_V_SUB_U16, OG_IR_SUB, SAME},
              {OG_ROW_V_MUL_LO_U16, OG_IR_MUL, SAME},      {OG_ROW_V_LSHLREV_B16, OG_IR_SHL, SWAPPED},
              {OG_ROW_V_LSHRREV_B16, OG_IR_LSHR, SWAPPED}, {OG_ROW_V_ASHRREV_I16, OG_IR_ASHR, SWAPPED}};
  for (unsigned k = 0; k < OG_COUNT(rows); k++)
    if (rows[k].opcode == opcode && cc_has_row(c, rows[k].row)) {
      bool swap = rows[k].order == SWAPPED;
      *out = cc_narrow(c, cc_valu(c, rows[k].row, 1, 2, (operand[]){swap ? b : a, swap ? a : b}), 16);
      return true;
    }
  return false;
}

/* One element; its parts go to `out`. */
static bool binary(struct cc_function *c, const struct og_ir_inst *i, unsigned file, og_ir_type type, uint32_t at,
                   operand *out) {
  og_ir_ref x = og_ir_operand(c->f, i, 0), y = og_ir_operand(c->f, i, 1);
  unsigned class = class_of(c, type), bits = cc_bits(c->m, type);
  operand a[2] = {cc_part(c, x, at)}, b[2] = {cc_part(c, y, at)};
  if (bits > 64)
    return false;
  if (bits > 32)
    a[1] = cc_part(c, x, at + 1), b[1] = cc_part(c, y, at + 1);
  if (class == I && file == CC_V && cc_has_short(c, bits) && short_binary(c, i->opcode, a[0], b[0], out))
    return true;
  static const uint16_t of_bytes[][2] = {{OG_IR_ADD, OG_ROW_V_ADD_U32}, {OG_IR_SUB, OG_ROW_V_SUB_U32},
                                         {OG_IR_AND, OG_ROW_V_AND_B32}, {OG_IR_OR, OG_ROW_V_OR_B32},
                                         {OG_IR_XOR, OG_ROW_V_XOR_B32}};
  for (unsigned k = 0; k < OG_COUNT(of_bytes) && bits == 8 && file == CC_V; k++)
    if (of_bytes[k][0] == i->opcode && cc_has_row(c, of_bytes[k][1])) {
      operand to = cc_temp(c, CC_V, 1);
      if (cc_valu_parts(c, of_bytes[k][1], bits, to, 2, (operand[]){a[0], b[0]})) {
        *out = to;
        return true;
      }
    }
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
  bool promoted = cc_is_promoted(c, type);
  if (promoted) {
    class = F;
    a[0] = cc_to_float(c, type, a[0]), b[0] = cc_to_float(c, type, b[0]);
  }
  for (unsigned k = 0; k < OG_COUNT(binaries); k++) {
    unsigned type_k = binaries[k].type;
    if (binaries[k].opcode != i->opcode || (type_k == W ? Q : type_k) != class)
      continue;
    unsigned row = file == CC_S ? binaries[k].scalar : binaries[k].vector;
    enum { SHORT = 24 }; /* the fast product multiplies only so many bits */
    if (row == OG_ROW_V_MUL_LO_U32 && (bits <= SHORT || (cc_width(c, a[0]) <= SHORT && cc_width(c, b[0]) <= SHORT)))
      row = OG_ROW_V_MUL_U32_U24;
    if (row == OG_ROW_NONE || (type_k != Q && !cc_has_row(c, row)))
      continue;
    bool swap = file == CC_V && binaries[k].order == SWAPPED;
    if (type_k == Q && shift_halves(c, file, i->opcode, a, b[0], out))
      return true;
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
    if (class == I && binaries[k].order == SWAPPED && b[0].kind == CC_CONST) {
      *out = i->opcode == OG_IR_SHL ? cc_shift(c, file, i->opcode, a[0], b[0])
                                    : cc_shift_out(c, file, i->opcode, a[0], b[0].value);
      return true;
    }
    bool bitwise = i->opcode == OG_IR_AND || i->opcode == OG_IR_OR || i->opcode == OG_IR_XOR;
    for (unsigned part = 0; part < (type_k == W ? 2u : 1u); part++) {
      operand sources[2] = {swap ? b[part] : a[part], swap ? a[part] : b[part]};
      if (bitwise && known_bits(i->opcode, a[part], b[part], &out[part]))
        continue;
      out[part] = file == CC_S ? cc_salu(c, row, 1, 2, sources) : cc_valu(c, row, 1, 2, sources);
      if (bitwise) {
        unsigned x_bits = cc_width(c, a[part]), y_bits = cc_width(c, b[part]);
        cc_narrow(c, out[part], i->opcode == OG_IR_AND ? OG_MIN(x_bits, y_bits) : OG_MAX(x_bits, y_bits));
      }
    }
    if (promoted)
      out[0] = cc_from_float(c, type, out[0]);
    return true;
  }
  return false;
}

/* Operations on i1, as masks. */
static bool binary_i1(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref x = og_ir_operand(c->f, i, 0), y = og_ir_operand(c->f, i, 1);
  bool wide = c->mask_dwords == 2;
  static const uint16_t rows[3][2] = {
      {OG_ROW_S_AND_B32, OG_ROW_S_AND_B64}, {OG_ROW_S_OR_B32, OG_ROW_S_OR_B64}, {OG_ROW_S_XOR_B32, OG_ROW_S_XOR_B64}};
  unsigned which = i->opcode == OG_IR_AND || i->opcode == OG_IR_MUL ? 0 : i->opcode == OG_IR_OR ? 1 : 2;
  if (i->opcode != OG_IR_AND && i->opcode != OG_IR_OR && i->opcode != OG_IR_XOR && i->opcode != OG_IR_ADD &&
      i->opcode != OG_IR_SUB && i->opcode != OG_IR_MUL)
    return false;
  if (c->values[record].place == CC_SCALAR) {
    operand o = cc_salu(c, rows[which][0], 1, 2, (operand[]){cc_bool_value(c, x, CC_S), cc_bool_value(c, y, CC_S)});
    cc_define(c, record, &o, 1);
    return true;
  }
  cc_define_mask(c, record,
                 cc_salu(c, rows[which][wide], c->mask_dwords, 2, (operand[]){cc_mask(c, x), cc_mask(c, y)}));
  return true;
}

/* ---- comparisons ------------------------------------------------------------------------------------------------- */

#define COMPARES(type, eq, ne, gt, ge, lt, le)                                                                         \
  {                                                                                                                    \
    OG_ROW_V_CMP_##eq##_##type, OG_ROW_V_CMP_##ne##_##type, OG_ROW_V_CMP_##gt##_##type, OG_ROW_V_CMP_##ge##_##type,    \
        OG_ROW_V_CMP_##lt##_##type, OG_ROW_V_CMP_##le##_##type                                                         \
  }
static const uint16_t integer_compares[6][6] = {
    COMPARES(U32, EQ, NE, GT, GE, LT, LE),
    COMPARES(I32, EQ, NE, GT, GE, LT, LE),
    COMPARES(U64, EQ, NE, GT, GE, LT, LE),
    COMPARES(I64, EQ, NE, GT, GE, LT, LE),
    COMPARES(U16, EQ, NE, GT, GE, LT, LE),
    COMPARES(I16, EQ, NE, GT, GE, LT, LE),
};
#define FLOAT_COMPARES(type)                                                                                           \
  {                                                                                                                    \
    OG_ROW_V_CMP_F_##type, OG_ROW_V_CMP_EQ_##type, OG_ROW_V_CMP_GT_##type, OG_ROW_V_CMP_GE_##type,                     \
        OG_ROW_V_CMP_LT_##type, OG_ROW_V_CMP_LE_##type, OG_ROW_V_CMP_LG_##type, OG_ROW_V_CMP_O_##type,                 \
        OG_ROW_V_CMP_U_##type, OG_ROW_V_CMP_NLG_##type, OG_ROW_V_CMP_NLE_##type, OG_ROW_V_CMP_NLT_##type,              \
        OG_ROW_V_CMP_NGE_##type, OG_ROW_V_CMP_NGT_##type, OG_ROW_V_CMP_NEQ_##type, OG_ROW_V_CMP_TRU_##type             \
  }
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
      bool promoted = cc_is_promoted(c, scalar);
      unsigned row = float_compares[promoted ? F - H : class - H][i->sub & 15];
      if (class == D)
        to = cc_compare(c, row, cc_pair(c, x, 2 * k, -1), cc_pair(c, y, 2 * k, -1));
      else if (promoted)
        to = cc_compare(c, row, cc_to_float(c, scalar, cc_part(c, x, k)), cc_to_float(c, scalar, cc_part(c, y, k)));
      else
        to = cc_compare(c, row, cc_part(c, x, k), cc_part(c, y, k));
    } else {
      unsigned predicate = i->sub - OG_IR_EQ;
      bool is_signed = predicate >= 6;
      if (bits > 64 || predicate > 9)
        return false;
      unsigned row = integer_compares[(bits > 32 ? 2 : 0) + is_signed][is_signed ? predicate - 4 : predicate];
      if (bits == 1 && !vector && predicate < 2) { /* i1: equal or not */
        operand m = cc_salu(c,
                            c->mask_dwords == 2 ? (predicate ? OG_ROW_S_XOR_B64 : OG_ROW_S_XNOR_B64)
                                                : (predicate ? OG_ROW_S_XOR_B32 : OG_ROW_S_XNOR_B32),
                            c->mask_dwords, 2, (operand[]){cc_mask(c, x), cc_mask(c, y)});
        to = m;
      } else if (bits > 32) {
        to = cc_compare(c, row, cc_pair(c, x, 2 * k, -1), cc_pair(c, y, 2 * k, -1));
      } else {
        operand a = cc_part(c, x, k), b = cc_part(c, y, k);
        unsigned narrow = integer_compares[4 + is_signed][is_signed ? predicate - 4 : predicate];
        bool is_short = bits == 16 && cc_has_row(c, narrow); /* the comparison ignores the upper bits */
        if (!is_short || a.kind == CC_CONST)
          a = cc_extend(c, CC_V, a, bits, is_signed);
        if (!is_short || b.kind == CC_CONST)
          b = cc_extend(c, CC_V, b, bits, is_signed);
        to = cc_compare(c, is_short ? narrow : row, a, b);
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
  if (cc_select_pair(c, record))
    return true;
  switch (i->opcode) {
  case OG_IR_ICMP:
  case OG_IR_FCMP: return compare(c, record);
  case OG_IR_SELECT: return cc_select_choice(c, record);
  case OG_IR_EXTRACTELEMENT:
  case OG_IR_INSERTELEMENT:
  case OG_IR_SHUFFLEVECTOR: return cc_select_element(c, record);
  case OG_IR_EXTRACTVALUE:
  case OG_IR_INSERTVALUE: return cc_select_member(c, record);
  case OG_IR_FNEG: return negate(c, record);
  case OG_IR_UDIV:
  case OG_IR_SDIV:
  case OG_IR_UREM:
  case OG_IR_SREM:
  case OG_IR_FDIV: return cc_select_divide(c, record);
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
  if (cc_bits(c->m, i->type) > 64)
    return cc_select_wide(c, record);
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
