/* select_cast.c - from one type to another. */
#include "cc/calls.h"
#include "cc/select.h"

static bool is_float(const struct cc_function *c, og_ir_type scalar) { return og_ir_is_float(c->m, scalar); }

bool cc_is_promoted(const struct cc_function *c, og_ir_type scalar) {
  unsigned kind = og_ir_kind(c->m, scalar);
  return kind == OG_IR_BFLOAT || (kind == OG_IR_HALF && !cc_has_row(c, OG_ROW_V_ADD_F16));
}

/* A bfloat as a float, whose upper half it is. If it stands in an upper half already, it is masked there. The result is
 * remembered for the rest of the block. */
static operand widen_bfloat(struct cc_function *c, operand o) {
  for (unsigned k = 0; k < OG_COUNT(c->widened); k++)
    if (c->widened[k].node == 1 + c->node && c->widened[k].of.value == o.value && c->widened[k].of.sub == o.sub)
      return c->widened[k].at;
  struct cc_kept *widened = &c->widened[c->next_widened++ % OG_COUNT(c->widened)];
  unsigned bit;
  operand home = cc_home(c, o, &bit);
  bool there = bit == 16 && cc_is_vector(c, home);
  operand at = there ? VALU(c, V_AND_B32, 1, cc_constant(0xffff0000), home)
                     : cc_shift(c, CC_V, OG_IR_SHL, cc_in_vector(c, o), cc_constant(16));
  *widened = (struct cc_kept){1 + c->node, o, at};
  return at;
}

operand cc_to_float(struct cc_function *c, og_ir_type scalar, operand o) {
  if (og_ir_kind(c->m, scalar) == OG_IR_HALF)
    return VALU(c, V_CVT_F32_F16, 1, o);
  if (o.kind == CC_CONST)
    return cc_constant(o.value << 16);
  return o.kind == CC_REG && !o.flags ? widen_bfloat(c, o)
                                      : cc_shift(c, CC_V, OG_IR_SHL, cc_in_vector(c, o), cc_constant(16));
}

/* A float as a bfloat: rounded to nearest, ties to even. If there is no instruction, a little less than half of the
 * last bit that stays is added, and that bit; a NaN stays a NaN. */
operand cc_from_float(struct cc_function *c, og_ir_type scalar, operand o) {
  if (og_ir_kind(c->m, scalar) == OG_IR_HALF)
    return VALU(c, V_CVT_F16_F32, 1, o);
  if (cc_has_row(c, OG_ROW_V_CVT_PK_BF16_F32))
    return cc_narrow(c, VALU(c, V_CVT_PK_BF16_F32, 1, o, cc_constant(0)), 16);
  o = cc_in_vector(c, o);
  operand last = VALU(c, V_BFE_U32, 1, o, cc_constant(16), cc_constant(1));
  operand sum = cc_add(c, CC_V, cc_add(c, CC_V, o, last), cc_in_vector(c, cc_constant(0x7fff)));
  operand quiet = VALU(c, V_OR_B32, 1, cc_constant(0x400000), o);
  operand rounded = cc_choose(c, cc_compare(c, OG_ROW_V_CMP_U_F32, o, o), quiet, sum);
  return cc_shift(c, CC_V, OG_IR_LSHR, rounded, cc_constant(16));
}

/* 64-bit integers to floats and back by two halves (as LLVM does): high * 2^32 + low. */
static operand long_to_double(struct cc_function *c, const operand *in, bool is_signed) {
  operand high = is_signed ? VALU(c, V_CVT_F64_I32, 2, in[1]) : VALU(c, V_CVT_F64_U32, 2, in[1]);
  operand low = VALU(c, V_CVT_F64_U32, 2, in[0]);
  return VALU(c, V_ADD_F64, 2, VALU(c, V_LDEXP_F64, 2, high, cc_constant(32)), low);
}

/* The highest 32 bits, converted. The last of them is set if lower bits are, so that the result is rounded correctly
 * (as in LLVM's code). */
static operand long_to_float(struct cc_function *c, const operand *in, bool is_signed) {
  operand value[2] = {in[0], in[1]}, sign = cc_constant(0);
  if (is_signed) { /* |value|: (value + sign) ^ sign */
    sign = cc_shift(c, CC_V, OG_IR_ASHR, in[1], cc_constant(31));
    operand sum = cc_add64(c, CC_V, value, (operand[]){sign, sign}, false);
    for (unsigned k = 0; k < 2; k++)
      value[k] = VALU(c, V_XOR_B32, 1, cc_part_of(sum, k, 1), sign);
  }
  operand zeros = VALU(c, V_MIN_U32, 1, cc_constant(32), VALU(c, V_FFBH_U32, 1, value[1]));
  operand top = VALU(c, V_LSHLREV_B64, 2, zeros, cc_tuple(c, value, 2, -1));
  operand sticky = VALU(c, V_MIN_U32, 1, cc_constant(1), cc_part_of(top, 0, 1));
  operand o = VALU(c, V_CVT_F32_U32, 1, VALU(c, V_OR_B32, 1, sticky, cc_part_of(top, 1, 1)));
  o = VALU(c, V_LDEXP_F32, 1, o, cc_sub(c, CC_V, cc_constant(32), zeros));
  return is_signed ? VALU(c, V_BFI_B32, 1, cc_in_vector(c, cc_constant(0x7fffffff)), o, sign) : o;
}

/* A double as a float that is cut off, and whose last bit is set if it is not exact: it can then be rounded again
 * correctly. */
static operand round_to_odd(struct cc_function *c, operand x) {
  operand f = VALU(c, V_CVT_F32_F64, 1, x), back = VALU(c, V_CVT_F64_F32, 2, f), one = cc_constant(1);
  operand size = back, limit = x;
  size.flags |= OG_ABS, limit.flags |= OG_ABS;
  operand above = cc_compare(c, OG_ROW_V_CMP_GT_F64, size, limit),
          inexact = cc_compare(c, OG_ROW_V_CMP_LG_F64, back, x);
  operand cut = cc_sub(c, CC_V, f, cc_choose(c, above, one, cc_constant(0)));
  return VALU(c, V_OR_B32, 1, cut, cc_choose(c, inexact, one, cc_constant(0)));
}

/* One element of a conversion between floats and integers. */
static bool convert(struct cc_function *c, const struct og_ir_inst *i, og_ir_type from, og_ir_type to,
                    const operand *in, operand in_pair, operand *out) {
  unsigned from_bits = cc_bits(c->m, from), to_bits = cc_bits(c->m, to);
  operand o;
  if (og_ir_kind(c->m, from) == OG_IR_BFLOAT || og_ir_kind(c->m, to) == OG_IR_BFLOAT) { /* only to and from float */
    bool widens = og_ir_kind(c->m, from) == OG_IR_BFLOAT;
    uint8_t other = og_ir_kind(c->m, widens ? to : from);
    operand as_float;
    if (other == OG_IR_INTEGER && widens) { /* integers by way of float, as in LLVM's code */
      as_float = cc_to_float(c, from, in[0]);
      return convert(c, i, OG_IR_FLOAT, to, &as_float, as_float, out);
    }
    if (other == OG_IR_INTEGER) {
      bool ok = convert(c, i, from, OG_IR_FLOAT, in, in_pair, &as_float);
      out[0] = ok ? cc_from_float(c, to, as_float) : in[0];
      return ok;
    }
    if (other != OG_IR_FLOAT)
      return false;
    out[0] = widens ? cc_to_float(c, from, in[0]) : cc_from_float(c, to, in[0]);
    return true;
  }
  switch (i->opcode) {
  case OG_IR_FPTRUNC:
  case OG_IR_FPEXT:
    if (from_bits == 64 && to_bits == 16) {
      o = VALU(c, V_CVT_F16_F32, 1, round_to_odd(c, in_pair));
      break;
    }
    o = from_bits == 64   ? VALU(c, V_CVT_F32_F64, 1, in_pair)
        : from_bits == 16 ? VALU(c, V_CVT_F32_F16, 1, in[0])
                          : in[0];
    if (to_bits == 16)
      o = VALU(c, V_CVT_F16_F32, 1, o);
    if (to_bits == 64)
      o = VALU(c, V_CVT_F64_F32, 2, o);
    break;
  case OG_IR_SITOFP:
  case OG_IR_UITOFP: {
    bool is_signed = i->opcode == OG_IR_SITOFP;
    if (from_bits > 64)
      return false;
    if (from_bits > 32) {
      o = to_bits == 64 ? long_to_double(c, in, is_signed) : long_to_float(c, in, is_signed);
      if (to_bits == 16)
        o = VALU(c, V_CVT_F16_F32, 1, o);
      break;
    }
    operand x = cc_extend(c, CC_V, in[0], from_bits, is_signed);
    if (to_bits == 64)
      o = is_signed ? VALU(c, V_CVT_F64_I32, 2, x) : VALU(c, V_CVT_F64_U32, 2, x);
    else
      o = is_signed ? VALU(c, V_CVT_F32_I32, 1, x) : VALU(c, V_CVT_F32_U32, 1, x);
    if (to_bits == 16)
      o = VALU(c, V_CVT_F16_F32, 1, o);
    break;
  }
  default: {
    bool is_signed = i->opcode == OG_IR_FPTOSI;
    if (to_bits > 64)
      return false;
    if (to_bits > 32) {
      if (from_bits < 64)
        in_pair = VALU(c, V_CVT_F64_F32, 2, from_bits == 16 ? VALU(c, V_CVT_F32_F16, 1, in[0]) : in[0]);
      operand whole = cc_round_double(c, OG_ROW_V_TRUNC_F64, in_pair);
      operand down = cc_tuple(c, (operand[]){cc_constant(0), cc_constant(0x3df00000)}, 2, CC_V);
      operand back = cc_tuple(c, (operand[]){cc_constant(0), cc_constant(0xc1f00000)}, 2, CC_V);
      operand high = cc_round_double(c, OG_ROW_V_FLOOR_F64, VALU(c, V_MUL_F64, 2, whole, down));
      operand low = VALU(c, V_FMA_F64, 2, high, back, whole);
      out[0] = VALU(c, V_CVT_U32_F64, 1, low);
      out[1] = is_signed ? VALU(c, V_CVT_I32_F64, 1, high) : VALU(c, V_CVT_U32_F64, 1, high);
      return true;
    }
    operand x = from_bits == 16 ? VALU(c, V_CVT_F32_F16, 1, in[0]) : in[0];
    if (from_bits == 64)
      o = is_signed ? VALU(c, V_CVT_I32_F64, 1, in_pair) : VALU(c, V_CVT_U32_F64, 1, in_pair);
    else
      o = is_signed ? VALU(c, V_CVT_I32_F32, 1, x) : VALU(c, V_CVT_U32_F32, 1, x);
  }
  }
  out[0] = cc_part_of(o, 0, 1);
  if (o.dwords == 2)
    out[1] = cc_part_of(o, 1, 1);
  return true;
}

/* Integers: wider ones, by zeros or the sign. */
static void widen(struct cc_function *c, unsigned file, const operand *in, unsigned from, unsigned to, bool is_signed,
                  operand *out) {
  unsigned have = (from + 31) / 32, want = (to + 31) / 32;
  for (unsigned k = 0; k < have; k++)
    out[k] = in[k];
  if (from % 32)
    out[have - 1] = cc_extend(c, file, in[have - 1], from % 32, is_signed);
  operand fill = cc_constant(0);
  if (is_signed && want > have)
    fill = cc_shift(c, file, OG_IR_ASHR, out[have - 1], cc_constant(31));
  for (unsigned k = have; k < want; k++)
    out[k] = fill;
}

static bool from_i1(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref x = og_ir_operand(c->f, i, 0);
  bool is_signed = i->opcode == OG_IR_SEXT || i->opcode == OG_IR_SITOFP, real = og_ir_is_float(c->m, i->type);
  uint32_t count = cc_parts(c->m, i->type), one = is_signed ? UINT32_MAX : 1;
  unsigned bits = cc_bits(c->m, i->type);
  operand out[4], o;
  if (count > 4)
    return false;
  if (real) /* the high half of a double; the low one is 0 */
    one = (bits == 16   ? 0x3c00
           : bits == 64 ? 0x3ff00000
                        : 0x3f800000) |
          (is_signed ? 1u << (OG_MIN(bits, 32u) - 1) : 0);
  if (cc_file(c, record) == CC_S) {
    bool sense = cc_scc(c, x);
    o = SALU(c, S_CSELECT_B32, 1, sense ? cc_constant(one) : cc_constant(0), sense ? cc_constant(0) : cc_constant(one));
  } else {
    o = cc_choose(c, cc_mask(c, x), cc_constant(one), cc_constant(0));
  }
  for (uint32_t k = 0; k < count; k++)
    out[k] = real && bits == 64 ? (k ? o : cc_constant(0)) : k == 0 || is_signed ? o : cc_constant(0);
  cc_define(c, record, out, count);
  return true;
}

static bool to_i1(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref x = og_ir_operand(c->f, i, 0);
  bool scalar = c->values[record].place == CC_SCALAR;
  operand low = ALU(c, scalar ? CC_S : CC_V, S_AND_B32, V_AND_B32, cc_constant(1), cc_part(c, x, 0));
  if (scalar)
    cc_define(c, record, &low, 1);
  else
    cc_define_mask(c, record, cc_compare(c, OG_ROW_V_CMP_NE_U32, cc_constant(0), low));
  return true;
}

/* The same bits as elements of another size; narrow elements take a register each. */
static bool recast(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref x = og_ir_operand(c->f, i, 0);
  og_ir_type type = cc_type_of(c, x);
  unsigned from = cc_bits(c->m, og_ir_scalar(c->m, type)), to = cc_bits(c->m, og_ir_scalar(c->m, i->type));
  uint32_t have = cc_parts(c->m, type), want = cc_parts(c->m, i->type);
  unsigned file = cc_file(c, record);
  operand *out = OG_NEW_ARRAY(c->arena, operand, want + 1), *dwords = OG_NEW_ARRAY(c->arena, operand, have + 1);
  if (from == 1 || to == 1 || ((from < 32 && from != 8 && from != 16) || (to < 32 && to != 8 && to != 16)))
    return from == to && from == 1 ? false : false;
  for (uint32_t k = 0; k < have; k++) {
    operand o = cc_part(c, x, k);
    if (from >= 32 || to == from || have == 1) {
      dwords[k] = o;
      continue;
    }
    uint32_t at = k * from;
    if (from == 8 && file == CC_V && cc_has_row(c, OG_ROW_V_PERM_B32)) {
      operand bytes[4];
      unsigned taken = 0;
      while (taken < OG_COUNT(bytes) && k + taken < have)
        bytes[taken] = cc_part(c, x, k + taken), taken++;
      dwords[k / 4] = cc_pack_bytes(c, bytes, taken), k += taken - 1;
      continue;
    }
    if (from == 16 && at % 32 == 0 && k + 1 < have && (file == CC_V || cc_are_halves(c, o, cc_part(c, x, k + 1)))) {
      dwords[k / 2] = cc_pack_halves(c, o, cc_part(c, x, k + 1)), k++;
      continue;
    }
    o = cc_extend(c, file, o, from, false);
    if (at % 32)
      o = cc_shift(c, file, OG_IR_SHL, o, cc_constant(at % 32));
    dwords[at / 32] = at % 32 ? ALU(c, file, S_OR_B32, V_OR_B32, dwords[at / 32], o) : o;
  }
  for (uint32_t k = 0; k < want; k++) {
    out[k] = to >= 32 || to == from ? dwords[k] : cc_element_of(c, file, dwords, (uint64_t)k * to);
  }
  cc_define(c, record, out, want);
  return true;
}

operand cc_aperture(struct cc_function *c, bool private) {
  if (c->isa->generation >= OG_GFX900) {
    operand pair = cc_temp(c, CC_S, 2);
    cc_emit(c, OG_ROW_S_MOV_B64, 1, 2,
            (operand[]){pair, cc_special(private ? OG_SPECIAL_PRIVATE_BASE : OG_SPECIAL_SHARED_BASE, 2)});
    return cc_part_of(pair, 1, 1);
  }
  enum { HIDDEN_PRIVATE_BASE = 192, HIDDEN_SHARED_BASE = 196, QUEUE_PRIVATE_BASE = 0x44, QUEUE_SHARED_BASE = 0x40 };
  operand to = cc_temp(c, CC_S, 1);
  bool by_queue = c->version < 5;
  cc_emit(c, OG_ROW_S_LOAD_DWORD, 1, 2, (operand[]){to, by_queue ? cc_queue(c) : cc_implicit_arguments(c)})->offset =
      by_queue  ? (private ? QUEUE_PRIVATE_BASE : QUEUE_SHARED_BASE)
      : private ? HIDDEN_PRIVATE_BASE
                : HIDDEN_SHARED_BASE;
  return to;
}

/* On gfx1250 flat addresses of private memory are those of scratch, with the lane in bits 52 to 56. On others, and for
 * LDS, they are in an aperture. */
static bool is_global_scratch(const struct cc_function *c, unsigned space) { return space == 5 && c->isa->gfx1250; }

static void to_flat(struct cc_function *c, unsigned space, operand low, operand out[2]) {
  enum { LANE_BIT = 20 };
  out[0] = low;
  if (!is_global_scratch(c, space)) {
    out[1] = cc_aperture(c, space == 5);
    return;
  }
  operand base = cc_temp(c, CC_S, 2), lane = VALU(c, V_MBCNT_LO_U32_B32, 1, cc_constant(UINT32_MAX), cc_constant(0));
  cc_emit(c, OG_ROW_S_MOV_B64, 1, 2, (operand[]){base, cc_special(OG_SPECIAL_FLAT_SCRATCH_BASE_LO, 2)});
  operand at[2] = {cc_in_vector(c, low), cc_shift(c, CC_V, OG_IR_SHL, lane, cc_constant(LANE_BIT))};
  operand sum = cc_add64(c, CC_V, at, (operand[]){cc_part_of(base, 0, 1), cc_part_of(base, 1, 1)}, false);
  out[0] = cc_part_of(sum, 0, 1), out[1] = cc_part_of(sum, 1, 1);
}

static operand from_flat(struct cc_function *c, unsigned space, operand low) {
  if (!is_global_scratch(c, space))
    return low;
  return cc_sub(c, CC_V, cc_in_vector(c, low), SALU(c, S_MOV_B32, 1, cc_special(OG_SPECIAL_FLAT_SCRATCH_BASE_LO, 1)));
}

/* Null stays null; in LDS and private memory it is all ones. */
static bool aperture(struct cc_function *c, uint32_t record, unsigned from, unsigned to) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref x = og_ir_operand(c->f, i, 0);
  operand low = cc_part(c, x, 0);
  if (to == 0 && (from == 3 || from == 5)) {
    operand v = cc_in_vector(c, low), flat[2];
    to_flat(c, from, v, flat);
    operand there = cc_compare(c, OG_ROW_V_CMP_NE_U32, cc_constant(UINT32_MAX), v);
    operand out[2];
    for (unsigned k = 0; k < 2; k++)
      out[k] = cc_choose(c, there, cc_in_vector(c, flat[k]), cc_constant(0));
    cc_define(c, record, out, 2);
    return true;
  }
  if (from == 0 && (to == 3 || to == 5)) {
    operand there = cc_compare(c, OG_ROW_V_CMP_NE_U64, cc_pair(c, x, 0, CC_V), (operand){CC_CONST, 0, 0, 2, 0});
    operand out = cc_choose(c, there, cc_in_vector(c, from_flat(c, to, low)), cc_constant(UINT32_MAX));
    cc_define(c, record, &out, 1);
    return true;
  }
  if (to == 6) { /* constant memory by 32 bits; back with the high half that an attribute of the function says, or 0 */
    cc_define(c, record, &low, 1);
    return true;
  }
  return cc_refuse(c, "addrspacecast from %u to %u", from, to);
}

bool cc_select_nonnull(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref x = og_ir_operand(c->f, i, 1);
  og_ir_type from = cc_type_of(c, x);
  unsigned space = (unsigned)og_ir_type_of(c->m, from)->count, to = (unsigned)og_ir_type_of(c->m, i->type)->count;
  operand out[2] = {cc_part(c, x, 0)};
  if (to == 0 && (space == 3 || space == 5))
    to_flat(c, space, out[0], out);
  else if (cc_parts(c->m, i->type) == 2)
    out[1] = cc_part(c, x, 1);
  else
    out[0] = from_flat(c, to, out[0]);
  cc_define(c, record, out, cc_parts(c->m, i->type));
  return true;
}

bool cc_select_cast(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref x = og_ir_operand(c->f, i, 0);
  og_ir_type type = cc_type_of(c, x), from = og_ir_scalar(c->m, type), to = og_ir_scalar(c->m, i->type);
  unsigned from_bits = cc_bits(c->m, from), to_bits = cc_bits(c->m, to), file = cc_file(c, record);
  bool vector = og_ir_is_vector(c->m, i->type);
  if (i->opcode == OG_IR_BITCAST || i->opcode == OG_IR_PTRTOADDR)
    return recast(c, record);
  if (i->opcode == OG_IR_ADDRSPACECAST) {
    const struct og_ir_type_record *a = og_ir_type_of(c->m, from), *b = og_ir_type_of(c->m, to);
    if (cc_bits(c->m, from) != cc_bits(c->m, to))
      return aperture(c, record, (unsigned)a->count, (unsigned)b->count);
    return recast(c, record);
  }
  if (from_bits == 1 && !vector)
    return from_i1(c, record);
  if (to_bits == 1 && !vector)
    return i->opcode == OG_IR_TRUNC ? to_i1(c, record) : false;
  uint32_t each_in = cc_parts(c->m, from), each_out = cc_parts(c->m, to), count = cc_parts(c->m, i->type);
  operand *out = OG_NEW_ARRAY(c->arena, operand, count + 1), in[8];
  if (each_in > OG_COUNT(in) || from_bits == 1)
    return false;
  for (uint32_t k = 0; k * each_out < count; k++) {
    for (uint32_t p = 0; p < each_in; p++)
      in[p] = cc_part(c, x, k * each_in + p);
    operand *element = out + k * each_out;
    switch (i->opcode) {
    case OG_IR_TRUNC:
    case OG_IR_PTRTOINT:
    case OG_IR_INTTOPTR:
    case OG_IR_ZEXT:
      if (from_bits < to_bits)
        widen(c, file, in, from_bits, to_bits, false, element);
      for (uint32_t p = 0; p < each_out && from_bits >= to_bits; p++)
        element[p] = in[p];
      break;
    case OG_IR_SEXT: widen(c, file, in, from_bits, to_bits, true, element); break;
    default:
      if (!is_float(c, from) && !is_float(c, to))
        return false;
      if (!convert(c, i, from, to, in, from_bits == 64 && is_float(c, from) ? cc_pair(c, x, k * each_in, -1) : in[0],
                   element))
        return false;
    }
  }
  cc_define(c, record, out, count);
  return true;
}
