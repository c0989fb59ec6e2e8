/* select_math.c - roots, powers, logarithms and the like, whose instructions are not exact enough or do not handle
 * denormals. */
#include "cc/select.h"

static operand choose_if(struct cc_function *c, unsigned row, operand a, operand b, operand yes, operand no) {
  return cc_choose(c, cc_compare(c, row, a, b), yes, no);
}

/* The instruction's result is off by at most one in its last place, so its two neighbours are tried by the sign of the
 * remainder. Small numbers are first scaled by 2^32. */
static operand square_root(struct cc_function *c, operand x) {
  x = cc_in_vector(c, x);
  operand small = cc_compare(c, OG_ROW_V_CMP_GT_F32, cc_constant(0x0f800000), x); /* 2^-96 */
  operand y = cc_choose(c, small, VALU(c, V_MUL_F32, 1, cc_constant(0x4f800000), x), x);
  operand s = VALU(c, V_SQRT_F32, 1, y);
  operand below = cc_add(c, CC_V, cc_constant(UINT32_MAX), s), above = cc_add(c, CC_V, cc_constant(1), s);
  operand rest_below = VALU(c, V_FMA_F32, 1, cc_neg(below), s, y),
          rest_above = VALU(c, V_FMA_F32, 1, cc_neg(above), s, y);
  operand r = choose_if(c, OG_ROW_V_CMP_GE_F32, cc_constant(0), rest_below, below, s);
  r = choose_if(c, OG_ROW_V_CMP_LT_F32, cc_constant(0), rest_above, above, r);
  r = cc_choose(c, small, VALU(c, V_MUL_F32, 1, cc_constant(0x37800000), r), r); /* 2^-16 */
  operand special =
      cc_compare(c, OG_ROW_V_CMP_CLASS_F32, y, cc_in_vector(c, cc_constant(0x260))); /* zeros, +infinity */
  return cc_choose(c, special, y, r);
}

static operand square_root_double(struct cc_function *c, operand x) {
  operand zero = cc_constant(0), shift = cc_constant(256);
  operand limit = cc_tuple(c, (operand[]){zero, cc_constant(0x10000000)}, 2, CC_V); /* 2^-767 */
  operand small = cc_compare(c, OG_ROW_V_CMP_GT_F64, limit, x);
  operand y = VALU(c, V_LDEXP_F64, 2, x, cc_choose(c, small, shift, zero));
  operand r = VALU(c, V_RSQ_F64, 2, y), half = cc_tuple(c, (operand[]){zero, cc_constant(0x3fe00000)}, 2, CC_V);
  operand g = VALU(c, V_MUL_F64, 2, y, r), h = VALU(c, V_MUL_F64, 2, r, half);
  operand e = VALU(c, V_FMA_F64, 2, cc_neg(h), g, half);
  g = VALU(c, V_FMA_F64, 2, g, e, g), h = VALU(c, V_FMA_F64, 2, h, e, h);
  for (unsigned round = 0; round < 2; round++)
    g = VALU(c, V_FMA_F64, 2, VALU(c, V_FMA_F64, 2, cc_neg(g), g, y), h, g);
  g = VALU(c, V_LDEXP_F64, 2, g, cc_choose(c, small, cc_constant((uint32_t)-128), zero));
  operand special = cc_compare(c, OG_ROW_V_CMP_CLASS_F64, y, cc_in_vector(c, cc_constant(0x260)));
  operand parts[2];
  for (unsigned k = 0; k < 2; k++)
    parts[k] = cc_choose(c, special, cc_part_of(y, k, 1), cc_part_of(g, k, 1));
  return cc_tuple(c, parts, 2, CC_V);
}

/* A result that would be denormal is computed as 2^(x + 64) times 2^-64. */
static operand power_of_two(struct cc_function *c, operand x) {
  x = cc_in_vector(c, x);
  operand small = cc_compare(c, OG_ROW_V_CMP_GT_F32, cc_constant(0xc2fc0000), x); /* -126 */
  operand more = cc_choose(c, small, cc_constant(0x42800000), cc_constant(0));
  operand r = VALU(c, V_EXP_F32, 1, VALU(c, V_ADD_F32, 1, x, more));
  return VALU(c, V_MUL_F32, 1, r, cc_choose(c, small, cc_constant(0x1f800000), cc_constant(0x3f800000)));
}

/* A denormal is first scaled by 2^32. */
static operand logarithm(struct cc_function *c, operand x) {
  x = cc_in_vector(c, x);
  operand small = cc_compare(c, OG_ROW_V_CMP_GT_F32, cc_constant(0x00800000), x);
  operand r = VALU(c, V_LOG_F32, 1,
                   VALU(c, V_MUL_F32, 1, x, cc_choose(c, small, cc_constant(0x4f800000), cc_constant(0x3f800000))));
  return VALU(c, V_SUB_F32, 1, r, cc_choose(c, small, cc_constant(0x42000000), cc_constant(0)));
}

/* The instructions take whole turns, and before gfx9 only a few of them. */
static operand turned(struct cc_function *c, operand x, bool half, bool cosine) {
  operand turns =
      half ? VALU(c, V_MUL_F16, 1, cc_constant(0x3118), x) : VALU(c, V_MUL_F32, 1, cc_constant(0x3e22f983), x);
  if (c->isa->generation < OG_GFX900)
    turns = half ? VALU(c, V_FRACT_F16, 1, turns) : VALU(c, V_FRACT_F32, 1, turns);
  if (half)
    return cosine ? VALU(c, V_COS_F16, 1, turns) : VALU(c, V_SIN_F16, 1, turns);
  return cosine ? VALU(c, V_COS_F32, 1, turns) : VALU(c, V_SIN_F32, 1, turns);
}

static operand choose_pair(struct cc_function *c, operand mask, operand yes, operand no) {
  return cc_tuple(c, (operand[]){cc_choose(c, mask, cc_part_of(yes, 0, 1), cc_part_of(no, 0, 1)),
                                 cc_choose(c, mask, cc_part_of(yes, 1, 1), cc_part_of(no, 1, 1))}, 2, CC_V);
}

/* x with the sign of `of`. */
static operand signed_as(struct cc_function *c, operand x, operand of) {
  operand high = VALU(c, V_BFI_B32, 1, cc_constant(INT32_MAX), cc_part_of(x, 1, 1), cc_part_of(of, 1, 1));
  return cc_tuple(c, (operand[]){cc_part_of(x, 0, 1), high}, 2, CC_V);
}

/* Clears as many bits as stand below the point: none from 2^52 on, all of a number below 1. */
static operand truncated(struct cc_function *c, operand x) {
  operand exponent =
      cc_sub(c, CC_V, VALU(c, V_BFE_U32, 1, cc_part_of(x, 1, 1), cc_constant(20), cc_constant(11)), cc_constant(1023));
  operand mask = VALU(c, V_LSHRREV_B64, 2, exponent,
                      cc_tuple(c, (operand[]){cc_constant(UINT32_MAX), cc_constant(0xfffff)}, 2, CC_V));
  operand parts[2], zero[2] = {cc_constant(0), VALU(c, V_AND_B32, 1, cc_constant(0x80000000), cc_part_of(x, 1, 1))};
  for (unsigned k = 0; k < 2; k++)
    parts[k] = VALU(c, V_AND_B32, 1, VALU(c, V_NOT_B32, 1, cc_part_of(mask, k, 1)), cc_part_of(x, k, 1));
  operand small = cc_compare(c, OG_ROW_V_CMP_GT_I32, cc_constant(0), exponent),
          large = cc_compare(c, OG_ROW_V_CMP_LT_I32, cc_constant(51), exponent);
  operand whole = choose_pair(c, small, cc_tuple(c, zero, 2, CC_V), cc_tuple(c, parts, 2, CC_V));
  return choose_pair(c, large, x, whole);
}

/* Rounds a double; gfx6 has no instructions for that. */
operand cc_round_double(struct cc_function *c, unsigned row, operand x) {
  if (cc_has_row(c, row))
    return cc_valu(c, row, 2, 1, (operand[]){x});
  operand parts[2] = {cc_in_vector(c, cc_part_of(x, 0, 1)), cc_in_vector(c, cc_part_of(x, 1, 1))},
          zero = cc_constant(0);
  x = cc_tuple(c, parts, 2, CC_V);
  if (row == OG_ROW_V_RNDNE_F64) { /* adding and subtracting 2^52 leaves no bits behind the point */
    operand much = signed_as(c, cc_tuple(c, (operand[]){zero, cc_constant(0x43300000)}, 2, CC_V), x);
    operand near = signed_as(c, VALU(c, V_ADD_F64, 2, VALU(c, V_ADD_F64, 2, x, much), cc_neg(much)), x);
    operand exponent = VALU(c, V_BFE_U32, 1, cc_part_of(x, 1, 1), cc_constant(20), cc_constant(11));
    return choose_pair(c, cc_compare(c, OG_ROW_V_CMP_LT_U32, cc_constant(1023 + 51), exponent), x, near);
  }
  operand whole = truncated(c, x);
  if (row == OG_ROW_V_TRUNC_F64)
    return whole;
  bool up = row == OG_ROW_V_CEIL_F64;
  operand one = cc_tuple(c, (operand[]){zero, cc_constant(up ? 0x3ff00000 : 0xbff00000)}, 2, CC_V);
  operand beyond = cc_compare(c, up ? OG_ROW_V_CMP_LT_F64 : OG_ROW_V_CMP_GT_F64, whole, x);
  return choose_pair(c, beyond, VALU(c, V_ADD_F64, 2, whole, one), whole);
}

bool cc_select_math(struct cc_function *c, uint32_t record, struct og_text name) {
  og_ir_ref x = og_ir_operand(c->f, &c->f->insts.items[record], 1);
  operand o;
  if (og_text_is(name, "llvm.sqrt.f32"))
    o = square_root(c, cc_part(c, x, 0));
  else if (og_text_is(name, "llvm.sqrt.f64"))
    o = square_root_double(c, cc_pair(c, x, 0, CC_V));
  else if (og_text_is(name, "llvm.exp2.f32"))
    o = power_of_two(c, cc_part(c, x, 0));
  else if (og_text_is(name, "llvm.log2.f32"))
    o = logarithm(c, cc_part(c, x, 0));
  else if (og_text_is(name, "llvm.sin.f32") || og_text_is(name, "llvm.cos.f32"))
    o = turned(c, cc_part(c, x, 0), false, name.data[5] == 'c');
  else if ((og_text_is(name, "llvm.sin.f16") || og_text_is(name, "llvm.cos.f16")) && cc_has_row(c, OG_ROW_V_SIN_F16))
    o = turned(c, cc_part(c, x, 0), true, name.data[5] == 'c');
  else
    return false;
  cc_define(c, record, (operand[]){cc_part_of(o, 0, 1), cc_part_of(o, 1, 1)}, o.dwords);
  return true;
}
