/* select_divide.c - division: of 32-bit integers by a reciprocal that is corrected twice, of floats by the hardware's
 * scale, multiply and fix-up sequence (ISA manuals, V_DIV_SCALE, V_DIV_FMAS, V_DIV_FIXUP). */
#include "cc/select.h"

static operand constant64(struct cc_function *c, uint64_t bits) {
  return cc_tuple(c, (operand[]){cc_constant((uint32_t)bits), cc_constant((uint32_t)(bits >> 32))}, 2, CC_V);
}

static void mul64(struct cc_function *c, const operand a[2], const operand b[2], operand out[2]) {
  operand high = cc_add(c, CC_V, VALU(c, V_MUL_HI_U32, 1, a[0], b[0]), VALU(c, V_MUL_LO_U32, 1, a[0], b[1]));
  out[1] = cc_add(c, CC_V, high, VALU(c, V_MUL_LO_U32, 1, a[1], b[0]));
  out[0] = VALU(c, V_MUL_LO_U32, 1, a[0], b[0]);
}

/* The upper half of 128 bits. */
static void mul_high64(struct cc_function *c, const operand a[2], const operand b[2], operand out[2]) {
  operand zero = cc_constant(0);
  operand cross[2] = {VALU(c, V_MUL_LO_U32, 1, a[0], b[1]), VALU(c, V_MUL_HI_U32, 1, a[0], b[1])};
  operand other[2] = {VALU(c, V_MUL_LO_U32, 1, a[1], b[0]), VALU(c, V_MUL_HI_U32, 1, a[1], b[0])};
  operand sum =
      cc_add64(c, CC_V, cross, (operand[]){VALU(c, V_MUL_HI_U32, 1, a[0], b[0]), zero}, false); /* it carries nothing */
  operand low = cc_add64(c, CC_V, other, (operand[]){cc_part_of(sum, 0, 1), zero}, false);
  operand top[2] = {VALU(c, V_MUL_LO_U32, 1, a[1], b[1]), VALU(c, V_MUL_HI_U32, 1, a[1], b[1])};
  operand some = cc_add64(c, CC_V, top, (operand[]){cc_part_of(sum, 1, 1), zero}, false);
  operand all = cc_add64(c, CC_V, (operand[]){cc_part_of(some, 0, 1), cc_part_of(some, 1, 1)},
                         (operand[]){cc_part_of(low, 1, 1), zero}, false);
  out[0] = cc_part_of(all, 0, 1), out[1] = cc_part_of(all, 1, 1);
}

/* Quotient and remainder of unsigned numbers. */
static void divide_unsigned(struct cc_function *c, operand x, operand y, operand *quotient, operand *remainder) {
  x = cc_in_vector(c, x), y = cc_in_vector(c, y);
  operand z = VALU(c, V_RCP_IFLAG_F32, 1, VALU(c, V_CVT_F32_U32, 1, y));
  z = VALU(c, V_CVT_U32_F32, 1, VALU(c, V_MUL_F32, 1, cc_constant(0x4f7ffffe), z)); /* a little less than 2^32 / y */
  operand error = VALU(c, V_MUL_LO_U32, 1, cc_sub(c, CC_V, cc_constant(0), y), z);
  z = cc_add(c, CC_V, z, VALU(c, V_MUL_HI_U32, 1, z, error));
  operand q = VALU(c, V_MUL_HI_U32, 1, x, z), r = cc_sub(c, CC_V, x, VALU(c, V_MUL_LO_U32, 1, q, y));
  for (unsigned round = 0; round < 2; round++) {
    operand more = cc_compare(c, OG_ROW_V_CMP_GE_U32, r, y);
    q = cc_choose(c, more, cc_add(c, CC_V, cc_constant(1), q), q);
    r = cc_choose(c, more, cc_sub(c, CC_V, r, y), r);
  }
  *quotient = q, *remainder = r;
}

/* ---- by constants: the upper half of a product (Warren, Hacker's Delight, chapter 10) ---------------------------- */

/* x / d, for an x of so many bits, by the reciprocal with as many bits below 2^32 as make it exact; or with 33 bits. */
static operand quotient_by(struct cc_function *c, operand x, uint32_t d, unsigned width) {
  unsigned log = 31 - (unsigned)__builtin_clz(d);
  if ((d & (d - 1)) == 0)
    return cc_shift(c, CC_V, OG_IR_LSHR, x, cc_constant(log));
  for (unsigned shift = 0; shift <= log; shift++) {
    uint64_t power = UINT64_C(1) << (32 + shift), m = power / d + 1, error = m * d - power;
    if (m >> 32 == 0 && error <= UINT64_C(1) << (32 + shift - width))
      return cc_shift(c, CC_V, OG_IR_LSHR, VALU(c, V_MUL_HI_U32, 1, x, cc_kept(c, CC_S, cc_constant((uint32_t)m))),
                      cc_constant(shift));
  }
  uint32_t m = (uint32_t)(((UINT64_C(2) << log) - d) * (UINT64_C(1) << 32) / d + 1);
  operand t = VALU(c, V_MUL_HI_U32, 1, x, cc_kept(c, CC_S, cc_constant(m)));
  operand half = cc_shift(c, CC_V, OG_IR_LSHR, cc_sub(c, CC_V, x, t), cc_constant(1));
  return cc_shift(c, CC_V, OG_IR_LSHR, cc_add(c, CC_V, half, t), cc_constant(log));
}

static operand signed_quotient_by(struct cc_function *c, operand x, int32_t d) {
  uint32_t size = d < 0 ? 0 - (uint32_t)d : (uint32_t)d;
  operand q;
  if ((size & (size - 1)) == 0) { /* rounds towards zero: to a negative number 2^log - 1 is added before the shift */
    unsigned log = (unsigned)__builtin_ctz(size);
    q = x;
    if (log) {
      operand sign = cc_shift(c, CC_V, OG_IR_ASHR, x, cc_constant(31));
      q = cc_add(c, CC_V, x, cc_shift(c, CC_V, OG_IR_LSHR, sign, cc_constant(32 - log)));
      q = cc_shift(c, CC_V, OG_IR_ASHR, q, cc_constant(log));
    }
    return d < 0 ? cc_sub(c, CC_V, cc_constant(0), cc_in_vector(c, q)) : q;
  }
  unsigned shift = 0;
  uint64_t m;
  for (;; shift++) { /* the smallest shift that is exact up to the largest x whose remainder is size - 1 */
    uint64_t power = UINT64_C(1) << (32 + shift);
    m = power / size + 1;
    if (m * size - power <= UINT64_C(1) << (shift + 1))
      break;
  }
  uint32_t factor = (uint32_t)m;
  operand product = VALU(c, V_MUL_HI_I32, 1, x, cc_kept(c, CC_S, cc_constant(factor)));
  if (factor >> 31) /* the instruction reads the factor as negative, 2^32 less */
    product = cc_add(c, CC_V, product, cc_in_vector(c, x));
  q = cc_shift(c, CC_V, OG_IR_ASHR, product, cc_constant(shift));
  q = cc_add(c, CC_V, q, cc_shift(c, CC_V, OG_IR_LSHR, x, cc_constant(31)));
  return d < 0 ? cc_sub(c, CC_V, cc_constant(0), q) : q;
}

static operand divide_by_constant(struct cc_function *c, operand x, uint32_t d, bool is_signed, bool rest,
                                  unsigned bits) {
  unsigned width = cc_width(c, x);
  x = cc_in_vector(c, x);
  if (!is_signed && rest && (d & (d - 1)) == 0)
    return VALU(c, V_AND_B32, 1, cc_constant(d - 1), x);
  operand q = is_signed ? signed_quotient_by(c, x, (int32_t)d) : quotient_by(c, x, d, width);
  if (!is_signed)
    q = cc_narrow(c, q, bits);
  if (!rest)
    return q;
  enum { SHORT = 24 };
  operand factor = cc_is_inline(d) ? cc_constant(d) : cc_kept(c, CC_S, cc_constant(d));
  operand back = !is_signed && width <= SHORT && d >> SHORT == 0 ? VALU(c, V_MUL_U32_U24, 1, factor, cc_in_vector(c, q))
                                                                  : VALU(c, V_MUL_LO_U32, 1, q, factor);
  operand r = cc_sub(c, CC_V, x, back);
  return is_signed ? r : cc_narrow(c, r, bits);
}

static operand divide_integer(struct cc_function *c, uint8_t opcode, operand x, operand y, unsigned bits) {
  bool is_signed = opcode == OG_IR_SDIV || opcode == OG_IR_SREM, rest = opcode == OG_IR_UREM || opcode == OG_IR_SREM;
  operand q, r;
  x = cc_extend(c, CC_V, x, bits, is_signed), y = cc_extend(c, CC_V, y, bits, is_signed);
  if (y.kind == CC_CONST && y.value && x.kind != CC_CONST)
    return divide_by_constant(c, x, y.value, is_signed, rest, bits);
  if (!is_signed) {
    divide_unsigned(c, x, y, &q, &r);
    return cc_narrow(c, rest ? r : q, bits);
  }
  x = cc_in_vector(c, x), y = cc_in_vector(c, y);
  operand sx = cc_shift(c, CC_V, OG_IR_ASHR, x, cc_constant(31)),
          sy = cc_shift(c, CC_V, OG_IR_ASHR, y, cc_constant(31));
  x = VALU(c, V_XOR_B32, 1, cc_add(c, CC_V, x, sx), sx); /* absolute values */
  y = VALU(c, V_XOR_B32, 1, cc_add(c, CC_V, y, sy), sy);
  divide_unsigned(c, x, y, &q, &r);
  operand sign = rest ? sx : VALU(c, V_XOR_B32, 1, sx, sy);
  return cc_sub(c, CC_V, VALU(c, V_XOR_B32, 1, rest ? r : q, sign), sign);
}

/* 64 bits, in the same way. */
static void divide_long(struct cc_function *c, uint8_t opcode, operand x[2], operand y[2], operand out[2]) {
  bool is_signed = opcode == OG_IR_SDIV || opcode == OG_IR_SREM, rest = opcode == OG_IR_UREM || opcode == OG_IR_SREM;
  operand sx = cc_constant(0), sy = cc_constant(0);
  if (is_signed) {
    sx = cc_shift(c, CC_V, OG_IR_ASHR, x[1], cc_constant(31)),
    sy = cc_shift(c, CC_V, OG_IR_ASHR, y[1], cc_constant(31));
    for (unsigned side = 0; side < 2; side++) {
      operand *v = side ? y : x, s = side ? sy : sx, sum = cc_add64(c, CC_V, v, (operand[]){s, s}, false);
      for (unsigned k = 0; k < 2; k++)
        v[k] = VALU(c, V_XOR_B32, 1, cc_part_of(sum, k, 1), s);
    }
  }
  /* 2^64 / y in 64 bits, by Newton's steps in integers as for 32 bits: z += mulhi(z, -y * z). The first guess comes
   * from float and is a little too small. */
  operand f = VALU(c, V_FMA_F32, 1, cc_in_vector(c, cc_constant(0x4f800000)), VALU(c, V_CVT_F32_U32, 1, y[1]),
                   VALU(c, V_CVT_F32_U32, 1, y[0]));
  f = VALU(c, V_MUL_F32, 1, cc_constant(0x5f7ffffc), VALU(c, V_RCP_F32, 1, f)); /* 2^64 less a little */
  operand high = VALU(c, V_TRUNC_F32, 1, VALU(c, V_MUL_F32, 1, cc_constant(0x2f800000), f));
  operand low = VALU(c, V_FMA_F32, 1, cc_in_vector(c, cc_constant(0xcf800000)), high, f);
  operand z[2] = {VALU(c, V_CVT_U32_F32, 1, low), VALU(c, V_CVT_U32_F32, 1, high)},
          zero[2] = {cc_constant(0), cc_constant(0)};
  operand minus = cc_add64(c, CC_V, zero, y, true), n[2] = {cc_part_of(minus, 0, 1), cc_part_of(minus, 1, 1)};
  for (unsigned round = 0; round < 2; round++) {
    operand error[2], more[2];
    mul64(c, n, z, error);
    mul_high64(c, z, error, more);
    operand sum = cc_add64(c, CC_V, z, more, false);
    z[0] = cc_part_of(sum, 0, 1), z[1] = cc_part_of(sum, 1, 1);
  }
  operand q[2], product[2];
  mul_high64(c, x, z, q);
  mul64(c, q, y, product);
  operand r = cc_add64(c, CC_V, x, product, true), divisor = cc_tuple(c, y, 2, CC_V);
  for (unsigned round = 0; round < 2; round++) {
    operand more = cc_compare(c, OG_ROW_V_CMP_GE_U64, r, divisor);
    operand part[2] = {cc_part_of(r, 0, 1), cc_part_of(r, 1, 1)};
    operand less = cc_add64(c, CC_V, part, y, true),
            next = cc_add64(c, CC_V, q, (operand[]){cc_constant(1), cc_constant(0)}, false);
    operand chosen[2];
    for (unsigned k = 0; k < 2; k++) {
      q[k] = cc_choose(c, more, cc_part_of(next, k, 1), q[k]);
      chosen[k] = cc_choose(c, more, cc_part_of(less, k, 1), part[k]);
    }
    r = cc_tuple(c, chosen, 2, CC_V);
  }
  for (unsigned k = 0; k < 2; k++)
    out[k] = rest ? cc_part_of(r, k, 1) : q[k];
  if (!is_signed)
    return;
  operand sign = rest ? sx : VALU(c, V_XOR_B32, 1, sx, sy);
  for (unsigned k = 0; k < 2; k++)
    out[k] = VALU(c, V_XOR_B32, 1, out[k], sign);
  operand sum = cc_add64(c, CC_V, out, (operand[]){sign, sign}, true);
  out[0] = cc_part_of(sum, 0, 1), out[1] = cc_part_of(sum, 1, 1);
}

/* V_DIV_SCALE, whose second result, a mask, goes to VCC for V_DIV_FMAS. */
static operand scale(struct cc_function *c, unsigned row, unsigned dwords, operand a, operand y, operand x,
                     bool to_vcc) {
  operand to = cc_temp(c, CC_V, dwords);
  operand mask = to_vcc ? cc_special(OG_SPECIAL_VCC_LO, c->mask_dwords) : cc_temp(c, CC_S, c->mask_dwords);
  cc_emit(c, row, 2, 5, (operand[]){to, mask, a, y, x});
  return to;
}

/* The sums and products of a division need denormals. If MODE flushes them, it is changed for as long. */
enum { KEPT = 3 };
static void keep_denormals(struct cc_function *c, unsigned mode) {
  enum { MODE = 1, DENORMALS_32 = 4 << 6, BITS_2 = 1 << 11 };
  if (c->denormals_f32 != KEPT)
    cc_emit(c, OG_ROW_S_SETREG_IMM32_B32, 0, 2,
            (operand[]){cc_constant(MODE | DENORMALS_32 | BITS_2), cc_constant(mode)})
        ->keep = true;
}

static operand divide_float(struct cc_function *c, operand x, operand y) {
  x = cc_in_vector(c, x), y = cc_in_vector(c, y);
  operand one = cc_constant(0x3f800000);
  operand b = scale(c, OG_ROW_V_DIV_SCALE_F32, 1, y, y, x, false);
  operand a = scale(c, OG_ROW_V_DIV_SCALE_F32, 1, x, y, x, true);
  operand z = VALU(c, V_RCP_F32, 1, b);
  keep_denormals(c, KEPT);
  operand e = VALU(c, V_FMA_F32, 1, cc_neg(b), z, one);
  z = VALU(c, V_FMA_F32, 1, e, z, z);
  operand q = VALU(c, V_MUL_F32, 1, a, z);
  operand r = VALU(c, V_FMA_F32, 1, cc_neg(b), q, a);
  q = VALU(c, V_FMA_F32, 1, r, z, q);
  r = VALU(c, V_FMA_F32, 1, cc_neg(b), q, a);
  keep_denormals(c, c->denormals_f32);
  return VALU(c, V_DIV_FIXUP_F32, 1, VALU(c, V_DIV_FMAS_F32, 1, r, z, q), y, x);
}

static operand divide_double(struct cc_function *c, operand x, operand y) {
  operand one = constant64(c, 0x3ff0000000000000);
  operand b = scale(c, OG_ROW_V_DIV_SCALE_F64, 2, y, y, x, false);
  operand z = VALU(c, V_RCP_F64, 2, b);
  for (unsigned round = 0; round < 2; round++)
    z = VALU(c, V_FMA_F64, 2, VALU(c, V_FMA_F64, 2, cc_neg(b), z, one), z, z);
  operand a = scale(c, OG_ROW_V_DIV_SCALE_F64, 2, x, y, x, true);
  if (c->isa->generation < OG_GFX7) /* whose mask is wrong (LLVM's note): where one of both was scaled */
    cc_emit(c, OG_ROW_S_XOR_B64, 1, 3,
            (operand[]){cc_special(OG_SPECIAL_VCC_LO, 2),
                        cc_compare(c, OG_ROW_V_CMP_EQ_U32, cc_part_of(y, 1, 1), cc_part_of(b, 1, 1)),
                        cc_compare(c, OG_ROW_V_CMP_EQ_U32, cc_part_of(x, 1, 1), cc_part_of(a, 1, 1))});
  operand q = VALU(c, V_MUL_F64, 2, a, z);
  operand r = VALU(c, V_FMA_F64, 2, cc_neg(b), q, a);
  return VALU(c, V_DIV_FIXUP_F64, 2, VALU(c, V_DIV_FMAS_F64, 2, r, z, q), y, x);
}

bool cc_select_divide(struct cc_function *c, uint32_t record) {
  const struct og_ir_inst *i = &c->f->insts.items[record];
  og_ir_ref x = og_ir_operand(c->f, i, 0), y = og_ir_operand(c->f, i, 1);
  og_ir_type scalar = og_ir_scalar(c->m, i->type);
  unsigned bits = cc_bits(c->m, scalar);
  uint32_t count = cc_parts(c->m, i->type), each = cc_parts(c->m, scalar);
  operand *out = OG_NEW_ARRAY(c->arena, operand, count + 1);
  for (uint32_t k = 0; k < count; k += each)
    if (i->opcode != OG_IR_FDIV && bits <= 32) {
      out[k] = divide_integer(c, i->opcode, cc_part(c, x, k), cc_part(c, y, k), bits);
    } else if (i->opcode == OG_IR_FDIV && og_ir_kind(c->m, scalar) == OG_IR_FLOAT) {
      out[k] = divide_float(c, cc_part(c, x, k), cc_part(c, y, k));
    } else if (i->opcode == OG_IR_FDIV && og_ir_kind(c->m, scalar) == OG_IR_HALF &&
               cc_has_row(c, OG_ROW_V_DIV_FIXUP_F16)) {
      operand a = cc_in_vector(c, cc_part(c, x, k)),
              b = cc_in_vector(c, cc_part(c, y, k)); /* as floats, which is exact enough */
      operand q =
          VALU(c, V_MUL_F32, 1, VALU(c, V_CVT_F32_F16, 1, a), VALU(c, V_RCP_F32, 1, VALU(c, V_CVT_F32_F16, 1, b)));
      out[k] = VALU(c, V_DIV_FIXUP_F16, 1, VALU(c, V_CVT_F16_F32, 1, q), b, a);
    } else if (i->opcode == OG_IR_FDIV && bits == 64) {
      operand q = divide_double(c, cc_pair(c, x, k, CC_V), cc_pair(c, y, k, CC_V));
      out[k] = cc_part_of(q, 0, 1), out[k + 1] = cc_part_of(q, 1, 1);
    } else if (i->opcode != OG_IR_FDIV && bits == 64) {
      operand a[2] = {cc_part(c, x, k), cc_part(c, x, k + 1)}, b[2] = {cc_part(c, y, k), cc_part(c, y, k + 1)};
      for (unsigned h = 0; h < 2; h++)
        a[h] = cc_in_vector(c, a[h]), b[h] = cc_in_vector(c, b[h]);
      divide_long(c, i->opcode, a, b, out + k);
    } else {
      return cc_refuse(c, "division of %u bits", bits);
    }
  cc_define(c, record, out, count);
  return true;
}
