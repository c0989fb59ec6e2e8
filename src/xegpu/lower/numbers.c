/* numbers.c - integers for addresses and indices: 64-bit sums, products and quotients, which PVC computes by halves and
 * by doubles; known numbers are folded. */
#include "xegpu/lower/visa.h"

#include <string.h>

static bool is_number(struct og_xv_ref ref, int64_t value) { return ref.immediate && (int64_t)ref.bits == value; }

struct og_xv_ref og_xv_index(struct og_xv *x, struct og_xv_ref ref, uint32_t count) {
  if (ref.immediate) {
    uint32_t bits = og_xv_sizes[ref.type] * 8u;
    if (ref.type <= OG_XV_Q && ref.type != OG_XV_BOOL)
      ref.bits = (uint64_t)((int64_t)(ref.bits << (64 - bits)) >> (64 - bits));
    return og_xv_number(OG_XV_Q, ref.bits);
  }
  if (ref.type == OG_XV_Q || ref.type == OG_XV_UQ)
    return og_xv_view(x, ref, OG_XV_Q);
  struct og_xv_ref to = og_xv_new(x, OG_XV_Q, count);
  og_xv_move(x, to, ref, count);
  return to;
}

struct og_xv_ref og_xv_add(struct og_xv *x, struct og_xv_ref a, struct og_xv_ref b, uint32_t count) {
  if (a.immediate && b.immediate)
    return og_xv_number(a.type, a.bits + b.bits);
  if (is_number(b, 0))
    return a;
  if (is_number(a, 0))
    return b;
  struct og_xv_ref to = og_xv_new(x, a.immediate ? b.type : a.type, count);
  if (a.immediate)
    og_xv_apply(x, "add", to, count, &b, &a, NULL);
  else
    og_xv_apply(x, "add", to, count, &a, &b, NULL);
  return to;
}

/* The product of the low halves; then those of one low and one high half are added to the high half. */
void og_xv_multiply_into(struct og_xv *x, struct og_xv_ref to, struct og_xv_ref a, struct og_xv_ref b, uint32_t count) {
  struct og_xv_ref al = og_xv_part(x, a, OG_XV_UD, 0), ah = og_xv_part(x, a, OG_XV_UD, 1),
                   bl = og_xv_part(x, b, OG_XV_UD, 0), bh = og_xv_part(x, b, OG_XV_UD, 1),
                   product = og_xv_new(x, OG_XV_UQ, count), high = og_xv_part(x, product, OG_XV_UD, 1),
                   cross = og_xv_new(x, OG_XV_UD, count);
  og_xv_apply(x, "mul", product, count, &al, &bl, NULL);
  if (!(bh.immediate && bh.bits == 0)) {
    og_xv_apply(x, "mul", cross, count, &al, &bh, NULL);
    og_xv_apply(x, "add", high, count, &high, &cross, NULL);
  }
  if (!(ah.immediate && ah.bits == 0)) {
    og_xv_apply(x, "mul", cross, count, &ah, &bl, NULL);
    og_xv_apply(x, "add", high, count, &high, &cross, NULL);
  }
  og_xv_move(x, to, og_xv_view(x, product, to.type), count);
}

struct og_xv_ref og_xv_multiply(struct og_xv *x, struct og_xv_ref a, struct og_xv_ref b, uint32_t count) {
  if (a.immediate && b.immediate)
    return og_xv_number(a.type, a.bits * b.bits);
  if (a.immediate) {
    struct og_xv_ref other = a;
    a = b, b = other;
  }
  if (is_number(b, 1))
    return a;
  if (is_number(b, 0))
    return og_xv_number(a.type, 0);
  struct og_xv_ref to = og_xv_new(x, a.type, count);
  if (b.immediate && (int64_t)b.bits > 0 && (b.bits & (b.bits - 1)) == 0) {
    struct og_xv_ref shift = og_xv_number(OG_XV_D, (uint64_t)__builtin_ctzll(b.bits));
    og_xv_apply(x, "shl", to, count, &a, &shift, NULL);
  } else {
    og_xv_multiply_into(x, to, a, b, count);
  }
  return to;
}

/* ---- quotients --------------------------------------------------------------------------------------------------- */

static struct og_xv_ref absolute(struct og_xv *x, struct og_xv_ref a, uint32_t count) {
  struct og_xv_ref to = og_xv_new(x, OG_XV_Q, count), truth = og_xv_new(x, OG_XV_BOOL, count), minus = a;
  minus.negated = true;
  og_xv_compare(x, "lt", truth, count, a, og_xv_number(OG_XV_Q, 0));
  struct og_xv_ref other = og_xv_new(x, OG_XV_Q, count);
  og_xv_move(x, other, minus, count);
  og_xv_choose(x, to, count, truth, other, a);
  return to;
}

/* For numbers from 0 to 2^63 - 1: the doubles' quotient, then that of the rest, then one more or less. */
static void divide_positive(struct og_xv *x, struct og_xv_ref a, struct og_xv_ref b, uint32_t count,
                            struct og_xv_ref quotient, struct og_xv_ref rest) {
  struct og_xv_ref divisor = og_xv_new(x, OG_XV_DF, count), number = og_xv_new(x, OG_XV_DF, count),
                   more = og_xv_new(x, OG_XV_Q, count), product = og_xv_new(x, OG_XV_Q, count),
                   truth = og_xv_new(x, OG_XV_BOOL, count), zero = og_xv_number(OG_XV_Q, 0);
  og_xv_move(x, divisor, b, count);
  og_xv_move(x, rest, a, count);
  og_xv_move(x, quotient, zero, count);
  for (int round = 0; round < 2; round++) {
    og_xv_move(x, number, rest, count);
    og_xv_apply(x, "divm", number, count, &number, &divisor, NULL);
    og_xv_move(x, more, number, count); /* towards zero */
    og_xv_apply(x, "add", quotient, count, &quotient, &more, NULL);
    og_xv_multiply_into(x, product, more, b, count);
    product.negated = true;
    og_xv_apply(x, "add", rest, count, &rest, &product, NULL);
    product.negated = false;
  }
  struct og_xv_ref minus = b, one = og_xv_number(OG_XV_Q, 1), less = og_xv_number(OG_XV_Q, UINT64_MAX);
  if (minus.immediate)
    minus.bits = 0 - minus.bits;
  else
    minus.negated = true;
  og_xv_compare(x, "lt", truth, count, rest, zero);
  og_xv_choose(x, more, count, truth, less, zero);
  og_xv_choose(x, product, count, truth, b, zero);
  og_xv_apply(x, "add", quotient, count, &quotient, &more, NULL);
  og_xv_apply(x, "add", rest, count, &rest, &product, NULL);
  og_xv_compare(x, "ge", truth, count, rest, b);
  og_xv_choose(x, more, count, truth, one, zero);
  og_xv_choose(x, product, count, truth, minus, zero);
  og_xv_apply(x, "add", quotient, count, &quotient, &more, NULL);
  og_xv_apply(x, "add", rest, count, &rest, &product, NULL);
}

static void give_sign(struct og_xv *x, struct og_xv_ref value, struct og_xv_ref of, uint32_t count) {
  struct og_xv_ref truth = og_xv_new(x, OG_XV_BOOL, count), other = og_xv_new(x, OG_XV_Q, count), minus = value;
  minus.negated = true;
  og_xv_move(x, other, minus, count);
  og_xv_compare(x, "lt", truth, count, of, og_xv_number(OG_XV_Q, 0));
  og_xv_choose(x, value, count, truth, other, value);
}

void og_xv_divide(struct og_xv *x, struct og_xv_ref a, struct og_xv_ref b, uint32_t count, bool is_signed,
                  struct og_xv_ref *quotient, struct og_xv_ref *rest) {
  struct og_xv_ref wide_a = a, wide_b = b;
  if (!is_signed && og_xv_sizes[a.type] < 8) { /* zeros above */
    static const uint8_t without[] = {[1] = OG_XV_UB, [2] = OG_XV_UW, [4] = OG_XV_UD};
    wide_a = og_xv_view(x, a, without[og_xv_sizes[a.type]]), wide_b = og_xv_view(x, b, without[og_xv_sizes[b.type]]);
  }
  wide_a = og_xv_index(x, wide_a, count), wide_b = og_xv_index(x, wide_b, count);
  *quotient = og_xv_new(x, OG_XV_Q, count), *rest = og_xv_new(x, OG_XV_Q, count);
  if (!is_signed && wide_b.immediate && wide_b.bits && (wide_b.bits & (wide_b.bits - 1)) == 0) {
    struct og_xv_ref shift = og_xv_number(OG_XV_D, (uint64_t)__builtin_ctzll(wide_b.bits)),
                     mask = og_xv_number(OG_XV_UQ, wide_b.bits - 1), bits = og_xv_view(x, wide_a, OG_XV_UQ),
                     q = og_xv_view(x, *quotient, OG_XV_UQ), r = og_xv_view(x, *rest, OG_XV_UQ);
    og_xv_apply(x, "shr", q, count, &bits, &shift, NULL);
    og_xv_apply(x, "and", r, count, &bits, &mask, NULL);
    return;
  }
  if (!is_signed) { /* sizes and indices are never 2^63 or more */
    divide_positive(x, wide_a, wide_b, count, *quotient, *rest);
    return;
  }
  struct og_xv_ref sign = og_xv_new(x, OG_XV_Q, count), bits = og_xv_view(x, sign, OG_XV_UQ),
                   left = og_xv_view(x, wide_a, OG_XV_UQ), right = og_xv_view(x, wide_b, OG_XV_UQ);
  og_xv_apply(x, "xor", bits, count, &left, &right, NULL);
  divide_positive(x, absolute(x, wide_a, count), absolute(x, wide_b, count), count, *quotient, *rest);
  give_sign(x, *quotient, sign, count);
  give_sign(x, *rest, wide_a, count);
}

uint32_t og_xv_list(struct og_xv *x, const struct og_mlir_op *op, const char *constants, const char *group,
                    struct og_xv_ref *to) {
  og_mlir_attr given = og_mlir_find(op, constants);
  uint32_t count, next = 0;
  struct og_mlir_value **values = og_mlir_group(op, group, &count);
  uint32_t all = OG_MIN(given ? given->int_count : count, (uint32_t)OG_MLIR_RANK_MOST);
  for (uint32_t k = 0; k < all; k++)
    if (given && given->ints[k] != OG_MLIR_DYNAMIC)
      to[k] = og_xv_number(OG_XV_Q, (uint64_t)given->ints[k]);
    else if (next < count)
      to[k] = og_xv_index(x, og_xv_value(x, values[next++]), 1);
  return all;
}
