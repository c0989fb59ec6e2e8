/* float.c - lowers floating-point operations to vISA: f16 and bf16 by way of f32, as when modules are run here. */
#include "xegpu/lower/visa.h"

#include <string.h>

static struct og_xv_ref real(float value) { return og_xv_number(OG_XV_F, og_bits_of_float(value)); }
static struct og_xv_ref of_type(uint8_t type, double value) {
  uint64_t bits;
  memcpy(&bits, &value, 8);
  return type == OG_XV_DF ? og_xv_number(OG_XV_DF, bits) : real((float)value);
}

/* Operands as f32, or f64 where they are. */
static struct og_xv_ref widened(struct og_xv *x, struct og_xv_ref ref, uint32_t count) {
  if (ref.type == OG_XV_F || ref.type == OG_XV_DF)
    return ref;
  if (ref.immediate) {
    uint16_t bits = (uint16_t)ref.bits;
    float value;
    og_xe_to_floats(ref.type, &bits, &value, 1); /* both tables number types alike */
    return real(value);
  }
  struct og_xv_ref to = og_xv_new(x, OG_XV_F, count);
  og_xv_move(x, to, ref, count);
  return to;
}

/* Maximum and minimum by MLIR's two rules: a NaN is either the result or ignored; of two zeros the right one is
 * taken. */
static void extreme(struct og_xv *x, struct og_xv_ref to, uint32_t count, struct og_xv_ref a, struct og_xv_ref b,
                    bool max, bool passes_nan) {
  struct og_xv_ref nan = og_xv_new(x, OG_XV_BOOL, count), better = og_xv_new(x, OG_XV_BOOL, count),
                   result = og_xv_new(x, to.type, count);
  if (a.immediate)
    a = og_xv_scalar(og_xv_register(x, a, 1), 0);
  if (b.immediate)
    b = og_xv_scalar(og_xv_register(x, b, 1), 0);
  og_xv_compare(x, max ? "gt" : "lt", better, count, a, b);
  og_xv_choose(x, result, count, better, a, b);
  if (passes_nan && to.type == OG_XV_F) { /* equal numbers: zeros with different signs */
    struct og_xv_ref bits = og_xv_new(x, OG_XV_UD, count), p = og_xv_view(x, a, OG_XV_UD),
                     q = og_xv_view(x, b, OG_XV_UD);
    og_xv_apply(x, max ? "and" : "or", bits, count, &p, &q, NULL);
    og_xv_compare(x, "eq", better, count, a, b);
    og_xv_choose(x, result, count, better, og_xv_view(x, bits, OG_XV_F), result);
  }
  og_xv_compare(x, "ne", nan, count, a, a);
  og_xv_choose(x, result, count, nan, passes_nan ? a : b, result);
  og_xv_compare(x, "ne", nan, count, b, b);
  og_xv_choose(x, to, count, nan, passes_nan ? b : a, result);
}

/* e^x as 2^(x log2 e), with a correction for the rounding of that product. */
static void exponential(struct og_xv *x, struct og_xv_ref to, uint32_t count, struct og_xv_ref a) {
  struct og_xv_ref product = og_xv_new(x, OG_XV_F, count), error = og_xv_new(x, OG_XV_F, count),
                   power = og_xv_new(x, OG_XV_F, count), large = og_xv_new(x, OG_XV_BOOL, count), minus = product,
                   size = og_xv_new(x, OG_XV_F, count), sizes = og_xv_view(x, size, OG_XV_UD);
  struct og_xv_ref log2e = real(0x1.715476p+0f), rest = real(0x1.4ae0c0p-26f), ln2 = real(0x1.62e430p-1f),
                   one = real(1), mask = og_xv_number(OG_XV_UD, 0x7fffffff);
  if (a.immediate)
    a = og_xv_scalar(og_xv_register(x, a, 1), 0);
  struct og_xv_ref bits = og_xv_view(x, a, OG_XV_UD);
  minus.negated = true;
  og_xv_apply(x, "mul", product, count, &a, &log2e, NULL);
  og_xv_apply(x, "exp", power, count, &product, NULL, NULL);
  og_xv_apply(x, "mad", error, count, &a, &log2e, &minus);
  og_xv_apply(x, "mad", error, count, &a, &rest, &error);
  og_xv_apply(x, "mad", error, count, &error, &ln2, &one);
  og_xv_apply(x, "mul", error, count, &error, &power, NULL);
  og_xv_apply(x, "and", sizes, count, &bits, &mask, NULL);
  og_xv_compare(x, "gt", large, count, size, real(200)); /* zero, or infinity */
  og_xv_choose(x, to, count, large, power, error);
}

static void tangent(struct og_xv *x, struct og_xv_ref to, uint32_t count,
                    struct og_xv_ref a) { /* tanh: 1 - 2 / (e^2x + 1) */
  struct og_xv_ref twice = og_xv_new(x, OG_XV_F, count), two = real(2), one = real(1);
  og_xv_apply(x, "mul", twice, count, &a, &two, NULL);
  exponential(x, twice, count, twice);
  og_xv_apply(x, "add", twice, count, &twice, &one, NULL);
  og_xv_apply(x, "divm", twice, count, &two, &twice, NULL);
  twice.negated = true;
  og_xv_apply(x, "add", to, count, &twice, &one, NULL);
}

static const struct {
  uint16_t id;
  const char *mnemonic;
  bool doubles; /* it is also done in f64 */
} rows[] = {{OG_MLIR_OP_ADDF, "add", true},    {OG_MLIR_OP_MULF, "mul", true},        {OG_MLIR_OP_DIVF, "divm", true},
            {OG_MLIR_OP_FMA, "mad", true},     {OG_MLIR_OP_VECTOR_FMA, "mad", true},  {OG_MLIR_OP_SQRT, "sqrtm", true},
            {OG_MLIR_OP_EXP2, "exp", false},   {OG_MLIR_OP_LOG2, "log", false},       {OG_MLIR_OP_SIN, "sin", false},
            {OG_MLIR_OP_COS, "cos", false},    {OG_MLIR_OP_FLOOR, "rndd", false},     {OG_MLIR_OP_CEIL, "rndu", false},
            {OG_MLIR_OP_TRUNC, "rndz", false}, {OG_MLIR_OP_ROUNDEVEN, "rnde", false}, {OG_MLIR_OP_POWF, "pow", false}};

static bool special(struct og_xv *x, uint16_t id, struct og_xv_ref to, uint32_t count, struct og_xv_ref *s) {
  struct og_xv_ref factor;
  switch (id) {
  case OG_MLIR_OP_SUBF:
    if (s[1].immediate)
      s[1] = og_xv_scalar(og_xv_register(x, s[1], 1), 0);
    s[1].negated = true;
    og_xv_apply(x, "add", to, count, &s[0], &s[1], NULL);
    return true;
  case OG_MLIR_OP_NEGF: { /* changes the sign, also that of a NaN */
    struct og_xv_ref bits = og_xv_view(x, s[0], to.type == OG_XV_DF ? OG_XV_UQ : OG_XV_UD),
                     result = og_xv_view(x, to, bits.type),
                     sign = og_xv_number(bits.type, bits.type == OG_XV_UQ ? UINT64_C(1) << 63 : 1u << 31);
    og_xv_apply(x, "xor", result, count, &bits, &sign, NULL);
    return true;
  }
  case OG_MLIR_OP_ABSF: {
    struct og_xv_ref bits = og_xv_view(x, s[0], to.type == OG_XV_DF ? OG_XV_UQ : OG_XV_UD),
                     result = og_xv_view(x, to, bits.type),
                     mask = og_xv_number(bits.type, bits.type == OG_XV_UQ ? UINT64_MAX >> 1 : UINT32_MAX >> 1);
    og_xv_apply(x, "and", result, count, &bits, &mask, NULL);
    return true;
  }
  case OG_MLIR_OP_MAXIMUMF: extreme(x, to, count, s[0], s[1], true, true); return true;
  case OG_MLIR_OP_MINIMUMF: extreme(x, to, count, s[0], s[1], false, true); return true;
  case OG_MLIR_OP_MAXNUMF: extreme(x, to, count, s[0], s[1], true, false); return true;
  case OG_MLIR_OP_MINNUMF: extreme(x, to, count, s[0], s[1], false, false); return true;
  case OG_MLIR_OP_RSQRT:
    og_xv_apply(x, "sqrtm", to, count, &s[0], NULL, NULL);
    factor = of_type(to.type, 1);
    og_xv_apply(x, "divm", to, count, &factor, &to, NULL);
    return true;
  case OG_MLIR_OP_EXP: exponential(x, to, count, s[0]); return to.type == OG_XV_F;
  case OG_MLIR_OP_TANH: tangent(x, to, count, s[0]); return to.type == OG_XV_F;
  case OG_MLIR_OP_LOG:
  case OG_MLIR_OP_LOG10:
    factor = real(id == OG_MLIR_OP_LOG ? 0x1.62e430p-1f : 0x1.344136p-2f);
    og_xv_apply(x, "log", to, count, &s[0], NULL, NULL);
    og_xv_apply(x, "mul", to, count, &to, &factor, NULL);
    return to.type == OG_XV_F;
  default: return false;
  }
}

/* The machine has the ordered relations; the others are negations of these. */
static bool compare(struct og_xv *x, struct og_mlir_op *op) {
  static const struct {
    const char *relation, *second;
    bool inverted;
  } table[16] = {{NULL, NULL, false}, {"eq", NULL, false}, {"gt", NULL, false}, {"ge", NULL, false},
                 {"lt", NULL, false}, {"le", NULL, false}, {"lt", "gt", false}, {"lt", "ge", false},
                 {"lt", "gt", true},  {"le", NULL, true},  {"lt", NULL, true},  {"ge", NULL, true},
                 {"gt", NULL, true},  {"ne", NULL, false}, {"lt", "ge", true},  {NULL, NULL, true}};
  uint32_t count = og_xv_count(x, op->results[0].type);
  int64_t predicate = og_mlir_find(op, "predicate")->ints[0];
  struct og_xv_ref a = widened(x, og_xv_value(x, op->operands[0]), count),
                   b = widened(x, og_xv_value(x, op->operands[1]), count), to = og_xv_result(x, &op->results[0]),
                   one = og_xv_number(OG_XV_UW, 1);
  if (a.immediate)
    a = og_xv_scalar(og_xv_register(x, a, 1), 0);
  if (!table[predicate].relation)
    return og_xv_move(x, to, og_xv_number(OG_XV_UW, table[predicate].inverted), count), true;
  og_xv_compare(x, table[predicate].relation, to, count, a, b);
  if (table[predicate].second) {
    struct og_xv_ref other = og_xv_new(x, OG_XV_BOOL, count);
    og_xv_compare(x, table[predicate].second, other, count, a, b);
    og_xv_apply(x, "or", to, count, &to, &other, NULL);
  }
  if (table[predicate].inverted)
    og_xv_apply(x, "xor", to, count, &to, &one, NULL);
  return true;
}

bool og_xv_float(struct og_xv *x, struct og_mlir_op *op, bool *known) {
  uint16_t id = op->row->id;
  const char *mnemonic = NULL;
  static const uint16_t specials[] = {OG_MLIR_OP_SUBF,     OG_MLIR_OP_NEGF,    OG_MLIR_OP_ABSF,    OG_MLIR_OP_MAXIMUMF,
                                      OG_MLIR_OP_MINIMUMF, OG_MLIR_OP_MAXNUMF, OG_MLIR_OP_MINNUMF, OG_MLIR_OP_RSQRT,
                                      OG_MLIR_OP_EXP,      OG_MLIR_OP_TANH,    OG_MLIR_OP_LOG,     OG_MLIR_OP_LOG10};
  bool doubles = true;
  *known = true;
  if (id == OG_MLIR_OP_CMPF)
    return compare(x, op);
  for (size_t i = 0; i < OG_COUNT(rows); i++)
    if (rows[i].id == id)
      mnemonic = rows[i].mnemonic, doubles = rows[i].doubles;
  *known = mnemonic != NULL;
  for (size_t i = 0; i < OG_COUNT(specials); i++)
    *known |= specials[i] == id;
  if (!*known)
    return true;
  uint32_t count = og_xv_count(x, op->results[0].type);
  struct og_xv_ref s[3] = {{0}}, result = og_xv_result(x, &op->results[0]), to = result;
  for (uint32_t i = 0; i < op->operand_count && i < 3; i++) {
    s[i] = widened(x, og_xv_value(x, op->operands[i]), count);
    if (s[i].immediate && i == 0)
      s[i] = og_xv_scalar(og_xv_register(x, s[i], 1), 0);
  }
  if (result.type == OG_XV_DF && !doubles)
    return og_xv_refuse(x, op, "f64 has no such instruction");
  if (result.type != OG_XV_F && result.type != OG_XV_DF)
    to = og_xv_new(x, OG_XV_F, count);
  if (mnemonic)
    og_xv_apply(x, mnemonic, to, count, &s[0], op->operand_count > 1 ? &s[1] : NULL,
                op->operand_count > 2 ? &s[2] : NULL);
  else if (!special(x, id, to, count, s))
    return og_xv_refuse(x, op, "f64 has no such instruction");
  if (to.variable != result.variable)
    og_xv_move(x, result, to, count);
  return true;
}

/* ---- reductions' steps ------------------------------------------------------------------------------------------- */

void og_xv_combine(struct og_xv *x, uint8_t kind, struct og_xv_ref to, uint32_t count, struct og_xv_ref a,
                   struct og_xv_ref b) {
  static const char *const integers[] = {"add", "mul", "min", "min", NULL, "max", "max", NULL, "and", "or", "xor"};
  bool is_float = to.type >= OG_XV_HF && to.type <= OG_XV_DF;
  if (!is_float) {
    if (kind == 1 && to.type == OG_XV_Q) {
      og_xv_multiply_into(x, to, a, b, count);
      return;
    }
    if (kind == 2 || kind == 5 || kind >= 8) {
      static const uint8_t types[] = {[1] = OG_XV_UB, [2] = OG_XV_UW, [4] = OG_XV_UD, [8] = OG_XV_UQ};
      uint8_t type = types[og_xv_sizes[to.type]];
      to = og_xv_view(x, to, type), a = og_xv_view(x, a, type), b = og_xv_view(x, b, type);
    }
    og_xv_apply(x, kind < OG_COUNT(integers) && integers[kind] ? integers[kind] : "add", to, count, &a, &b, NULL);
    return;
  }
  struct og_xv_ref p = widened(x, a, count), q = widened(x, b, count),
                   sum = to.type == OG_XV_F || to.type == OG_XV_DF ? to : og_xv_new(x, OG_XV_F, count);
  switch (kind) {
  case 0: og_xv_apply(x, "add", sum, count, &p, &q, NULL); break;
  case 1: og_xv_apply(x, "mul", sum, count, &p, &q, NULL); break;
  case 4:
  case 7: extreme(x, sum, count, p, q, kind == 7, false); break;
  default: extreme(x, sum, count, p, q, kind == 12, true); break;
  }
  if (sum.variable != to.variable)
    og_xv_move(x, to, sum, count);
}
