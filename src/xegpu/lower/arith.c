/* arith.c - lowers constants, integers, comparisons, selections and conversions to vISA. */
#include "xegpu/lower/visa.h"

#include <string.h>

static uint8_t without_sign(uint8_t type) {
  static const uint8_t types[] = {[1] = OG_XV_UB, [2] = OG_XV_UW, [4] = OG_XV_UD, [8] = OG_XV_UQ};
  return types[og_xv_sizes[type]];
}

static uint8_t type_of(og_mlir_type type) {
  uint8_t scalar = OG_XV_D;
  og_xe_scalar(type, &scalar);
  return scalar;
}

/* ---- constants --------------------------------------------------------------------------------------------------- */

static uint64_t float_bits(uint8_t type, int64_t double_bits) {
  double number;
  memcpy(&number, &double_bits, 8);
  float narrow = (float)number;
  uint16_t half = 0;
  switch (type) {
  case OG_XV_DF: return (uint64_t)double_bits;
  case OG_XV_F: return og_bits_of_float(narrow);
  case OG_XV_HF: return og_double_to_half(number);
  default: og_xe_from_floats(OG_XE_BF16, &narrow, &half, 1); return half;
  }
}

/* A list of elements: each run of equal values becomes moves of a number. */
static struct og_xv_ref list(struct og_xv *x, uint8_t type, const char *bytes, uint32_t count) {
  uint32_t size = type == OG_XV_BOOL ? 1 : og_xv_sizes[type];
  struct og_xv_ref all = og_xv_new(x, type, count), to = og_xv_view(x, all, without_sign(type));
  for (uint32_t k = 0, length; k < count; k += length) {
    uint64_t bits = 0;
    memcpy(&bits, bytes + (size_t)k * size, size);
    for (length = 1;
         k + length < count && memcmp(bytes + (size_t)k * size, bytes + (size_t)(k + length) * size, size) == 0;)
      length++;
    og_xv_move(x, og_xv_at(to, k), og_xv_number(to.type, bits), length);
  }
  return all;
}

static bool constant(struct og_xv *x, struct og_mlir_op *op) {
  og_mlir_attr value = og_mlir_find(op, "value");
  og_mlir_type result = op->results[0].type;
  uint8_t type;
  if (!og_xe_scalar(result, &type))
    return og_xv_refuse(x, op, "constants of this type");
  struct og_xv_ref ref = og_xv_number(type, 0);
  if (value->kind == OG_MLIR_INT) {
    ref.bits = type == OG_XV_BOOL ? (uint64_t)value->ints[0] & 1 : (uint64_t)value->ints[0];
  } else if (value->kind == OG_MLIR_FLOAT) {
    ref.bits = value->flags ? (uint64_t)value->ints[0] : float_bits(type, value->ints[0]);
  } else if (value->kind == OG_MLIR_DENSE) {
    uint32_t size = type == OG_XV_BOOL ? 1 : og_xv_sizes[type];
    memcpy(&ref.bits, value->text.data, OG_MIN(value->text.size, (size_t)size));
    if (value->text.size != size) {
      x->in_entry = true; /* once, at the kernel's beginning */
      ref = list(x, type, value->text.data, og_xv_count(x, result));
      x->in_entry = false;
    }
  } else {
    return og_xv_refuse(x, op, "constants of this kind");
  }
  og_xv_set(x, &op->results[0], ref);
  return true;
}

/* ---- integers ---------------------------------------------------------------------------------------------------- */

enum form { PLAIN, UNSIGNED, SUM, DIFFERENCE, PRODUCT };
static const struct {
  uint16_t id;
  const char *mnemonic;
  uint8_t form;
} integer_rows[] = {{OG_MLIR_OP_ADDI, "add", SUM},     {OG_MLIR_OP_INDEX_ADD, "add", SUM},
                    {OG_MLIR_OP_MULI, "mul", PRODUCT},   {OG_MLIR_OP_INDEX_MUL, "mul", PRODUCT},
                    {OG_MLIR_OP_ANDI, "and", UNSIGNED},  {OG_MLIR_OP_INDEX_AND, "and", UNSIGNED},
                    {OG_MLIR_OP_ORI, "or", UNSIGNED},    {OG_MLIR_OP_INDEX_OR, "or", UNSIGNED},
                    {OG_MLIR_OP_XORI, "xor", UNSIGNED},  {OG_MLIR_OP_INDEX_XOR, "xor", UNSIGNED},
                    {OG_MLIR_OP_SHLI, "shl", UNSIGNED},  {OG_MLIR_OP_INDEX_SHL, "shl", UNSIGNED},
                    {OG_MLIR_OP_SHRUI, "shr", UNSIGNED}, {OG_MLIR_OP_INDEX_SHRU, "shr", UNSIGNED},
                    {OG_MLIR_OP_SHRSI, "asr", PLAIN},    {OG_MLIR_OP_INDEX_SHRS, "asr", PLAIN},
                    {OG_MLIR_OP_MAXSI, "max", PLAIN},    {OG_MLIR_OP_INDEX_MAXS, "max", PLAIN},
                    {OG_MLIR_OP_MINSI, "min", PLAIN},    {OG_MLIR_OP_INDEX_MINS, "min", PLAIN},
                    {OG_MLIR_OP_MAXUI, "max", UNSIGNED}, {OG_MLIR_OP_INDEX_MAXU, "max", UNSIGNED},
                    {OG_MLIR_OP_MINUI, "min", UNSIGNED}, {OG_MLIR_OP_INDEX_MINU, "min", UNSIGNED},
                    {OG_MLIR_OP_SUBI, "add", DIFFERENCE},     {OG_MLIR_OP_INDEX_SUB, "add", DIFFERENCE}};

static void product(struct og_xv *x, struct og_xv_ref to, uint32_t count, struct og_xv_ref a, struct og_xv_ref b) {
  if (to.type != OG_XV_Q) {
    og_xv_apply(x, "mul", to, count, &a, &b, NULL);
    return;
  }
  og_xv_move(x, to, og_xv_multiply(x, a, b, count), count);
}

static void difference(struct og_xv *x, struct og_xv_ref to, uint32_t count, struct og_xv_ref a, struct og_xv_ref b) {
  if (b.immediate)
    b.bits = 0 - b.bits;
  else
    b.negated = true;
  og_xv_apply(x, "add", to, count, &a, &b, NULL);
}

static bool integer(struct og_xv *x, struct og_mlir_op *op, const char *mnemonic, uint8_t form) {
  struct og_xv_ref a = og_xv_value(x, op->operands[0]), b = og_xv_value(x, op->operands[1]);
  uint32_t count = og_xv_count(x, op->results[0].type);
  if (a.type == OG_XV_BOOL && form != UNSIGNED && form != PRODUCT)
    return og_xv_refuse(x, op, "sums of truth values");
  if (a.immediate && b.immediate && a.type == OG_XV_Q && count == 1 && (form == SUM || form == PRODUCT)) {
    og_xv_set(x, &op->results[0], form == PRODUCT ? og_xv_multiply(x, a, b, 1) : og_xv_add(x, a, b, 1));
    return true;
  }
  struct og_xv_ref to = og_xv_result(x, &op->results[0]);
  if (form == PRODUCT && to.type != OG_XV_BOOL)
    return product(x, to, count, a, b), true;
  if (form == DIFFERENCE)
    return difference(x, to, count, a, b), true;
  if (form == UNSIGNED) {
    uint8_t type = without_sign(to.type);
    to = og_xv_view(x, to, type), a = og_xv_view(x, a, type), b = og_xv_view(x, b, type);
  }
  og_xv_apply(x, to.type == OG_XV_UW && form == PRODUCT ? "and" : mnemonic, to, count, &a, &b, NULL);
  return true;
}

/* The quotient of a / b, or its rest; `rounding`: 1 up, -1 down, 0 towards zero. */
static bool division(struct og_xv *x, struct og_mlir_op *op, bool is_signed, bool rest_wanted, int rounding) {
  struct og_xv_ref a = og_xv_value(x, op->operands[0]), b = og_xv_value(x, op->operands[1]), quotient, rest;
  uint32_t count = og_xv_count(x, op->results[0].type);
  struct og_xv_ref to = og_xv_result(x, &op->results[0]);
  og_xv_divide(x, a, b, count, is_signed, &quotient, &rest);
  if (rounding) { /* 1: up, -1: down; if there is a rest and the signs ask for it */
    struct og_xv_ref left = og_xv_new(x, OG_XV_BOOL, count), signs = og_xv_new(x, OG_XV_BOOL, count),
                     mixed = og_xv_new(x, OG_XV_Q, count), zero = og_xv_number(OG_XV_Q, 0),
                     wide_b = og_xv_index(x, b, count);
    og_xv_compare(x, "ne", left, count, rest, zero);
    if (is_signed) {
      struct og_xv_ref bits = og_xv_view(x, mixed, OG_XV_UQ), r = og_xv_view(x, rest, OG_XV_UQ),
                       d = og_xv_view(x, wide_b, OG_XV_UQ);
      og_xv_apply(x, "xor", bits, count, &r, &d, NULL);
      og_xv_compare(x, rounding > 0 ? "ge" : "lt", signs, count, mixed, zero);
      og_xv_apply(x, "and", left, count, &left, &signs, NULL);
    }
    og_xv_choose(x, mixed, count, left, og_xv_number(OG_XV_Q, (uint64_t)(int64_t)rounding), zero);
    og_xv_apply(x, "add", quotient, count, &quotient, &mixed, NULL);
  }
  og_xv_move(x, to, rest_wanted ? rest : quotient, count);
  return true;
}

static bool count_bits(struct og_xv *x, struct og_mlir_op *op, const char *mnemonic) {
  struct og_xv_ref a = og_xv_value(x, op->operands[0]), to = og_xv_result(x, &op->results[0]);
  if (to.type != OG_XV_D)
    return og_xv_refuse(x, op, "bits of integers that have not 32");
  uint32_t count = og_xv_count(x, op->results[0].type);
  struct og_xv_ref bits = og_xv_view(x, a, OG_XV_UD), result = og_xv_view(x, to, OG_XV_UD);
  og_xv_apply(x, mnemonic, result, count, &bits, NULL, NULL);
  if (*mnemonic == 'f') { /* fbl of 0 gives all ones, but 32 is wanted */
    struct og_xv_ref most = og_xv_number(OG_XV_UD, 32);
    og_xv_apply(x, "min", result, count, &result, &most, NULL);
  }
  return true;
}

static bool absolute(struct og_xv *x, struct og_mlir_op *op) {
  struct og_xv_ref a = og_xv_value(x, op->operands[0]), to = og_xv_result(x, &op->results[0]), minus = a;
  uint32_t count = og_xv_count(x, op->results[0].type);
  if (a.immediate)
    minus.bits = 0 - minus.bits;
  minus.negated = !a.immediate;
  struct og_xv_ref other = og_xv_new(x, to.type, count);
  og_xv_move(x, other, minus, count);
  og_xv_apply(x, "max", to, count, &a, &other, NULL);
  return true;
}

/* ---- comparisons and selections ---------------------------------------------------------------------------------- */

static bool compare_integers(struct og_xv *x, struct og_mlir_op *op) {
  static const char *const relations[] = {"eq", "ne", "lt", "le", "gt", "ge", "lt", "le", "gt", "ge"};
  og_mlir_attr given = og_mlir_find(op, op->row->id == OG_MLIR_OP_INDEX_CMP ? "pred" : "predicate");
  static const char *const words[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
  int64_t predicate = given->kind == OG_MLIR_INT ? given->ints[0] : -1;
  for (size_t i = 0; given->kind != OG_MLIR_INT && i < OG_COUNT(words); i++)
    predicate = og_text_is(given->text, words[i]) ? (int64_t)i : predicate;
  if (predicate < 0 || predicate > 9)
    return og_xv_refuse(x, op, "this comparison");
  struct og_xv_ref a = og_xv_value(x, op->operands[0]), b = og_xv_value(x, op->operands[1]);
  if (predicate >= 6) {
    uint8_t type = without_sign(a.type);
    a = og_xv_view(x, a, type), b = og_xv_view(x, b, type);
  } else if (a.type == OG_XV_BOOL && predicate >= 2) {
    return og_xv_refuse(x, op, "truth values by size");
  }
  og_xv_compare(x, relations[predicate], og_xv_result(x, &op->results[0]), og_xv_count(x, op->results[0].type), a, b);
  return true;
}

static bool choose(struct og_xv *x, struct og_mlir_op *op) {
  struct og_xv_ref condition = og_xv_value(x, op->operands[0]);
  struct og_xv_place *a = og_xv_place(x, op->operands[1]);
  uint32_t count = og_xv_count(x, op->results[0].type);
  if (a->kind != OG_XV_ELEMENTS)
    return og_xv_refuse(x, op, "values of this kind");
  if (op->operands[0]->type->kind != OG_MLIR_VECTOR)
    condition = og_xv_scalar(condition, 0);
  struct og_xv_ref left = og_xv_value(x, op->operands[1]), right = og_xv_value(x, op->operands[2]);
  og_xv_choose(x, og_xv_result(x, &op->results[0]), count, condition, left, right);
  return true;
}

/* ---- conversions ------------------------------------------------------------------------------------------------- */

static bool is_float(uint8_t type) { return type >= OG_XV_HF && type <= OG_XV_DF; }
static bool is_narrow(uint8_t type) { return type == OG_XV_HF || type == OG_XV_BF; }

static bool convert(struct og_xv *x, struct og_mlir_op *op, bool is_unsigned) {
  struct og_xv_ref from = og_xv_value(x, op->operands[0]), to = og_xv_result(x, &op->results[0]);
  uint32_t count = og_xv_count(x, op->results[0].type);
  uint8_t target = to.type;
  if (from.immediate)
    from = og_xv_scalar(og_xv_register(x, from, 1), 0);
  if (from.type == OG_XV_BOOL) {
    from.negated = !is_unsigned && !is_float(target); /* a bit is nothing but a sign */
  } else if (is_unsigned && !is_float(from.type)) {
    from = og_xv_view(x, from, without_sign(from.type));
  } else if (is_unsigned) { /* to an unsigned integer */
    to = og_xv_view(x, to, without_sign(target));
  }
  if (target == OG_XV_BOOL && from.type != OG_XV_BOOL) { /* its lowest bit */
    struct og_xv_ref one = og_xv_number(OG_XV_UW, 1), low = og_xv_new(x, OG_XV_UW, count);
    og_xv_move(x, low, from, count);
    og_xv_apply(x, "and", to, count, &low, &one, NULL);
    return true;
  }
  bool between = (is_narrow(from.type) && to.type != OG_XV_F) || (is_narrow(target) && from.type != OG_XV_F);
  if (between) { /* by way of f */
    struct og_xv_ref middle = og_xv_new(x, OG_XV_F, count);
    og_xv_move(x, middle, from, count);
    from = middle;
  }
  og_xv_move(x, to, from, count);
  return true;
}

static bool index_cast(struct og_xv *x, struct og_mlir_op *op, bool is_unsigned) {
  struct og_xv_ref from = og_xv_value(x, op->operands[0]);
  uint8_t target = type_of(op->results[0].type);
  if (from.immediate && target != OG_XV_BOOL && !is_unsigned) {
    from = og_xv_index(x, from, 1);
    from.type = target;
    return og_xv_set(x, &op->results[0], from), true;
  }
  if (from.type == target)
    return og_xv_set(x, &op->results[0], from), true;
  return convert(x, op, is_unsigned);
}

bool og_xv_arith(struct og_xv *x, struct og_mlir_op *op, bool *known) {
  *known = true;
  uint16_t id = op->row->id;
  for (size_t i = 0; i < OG_COUNT(integer_rows); i++)
    if (integer_rows[i].id == id)
      return integer(x, op, integer_rows[i].mnemonic, integer_rows[i].form);
  switch (id) {
  case OG_MLIR_OP_CONSTANT:
  case OG_MLIR_OP_INDEX_CONSTANT:
  case OG_MLIR_OP_INDEX_BOOL: return constant(x, op);
  case OG_MLIR_OP_DIVSI:
  case OG_MLIR_OP_INDEX_DIVS: return division(x, op, true, false, 0);
  case OG_MLIR_OP_DIVUI:
  case OG_MLIR_OP_INDEX_DIVU: return division(x, op, false, false, 0);
  case OG_MLIR_OP_REMSI:
  case OG_MLIR_OP_INDEX_REMS: return division(x, op, true, true, 0);
  case OG_MLIR_OP_REMUI:
  case OG_MLIR_OP_INDEX_REMU: return division(x, op, false, true, 0);
  case OG_MLIR_OP_CEILDIVSI:
  case OG_MLIR_OP_INDEX_CEILDIVS: return division(x, op, true, false, 1);
  case OG_MLIR_OP_CEILDIVUI:
  case OG_MLIR_OP_INDEX_CEILDIVU: return division(x, op, false, false, 1);
  case OG_MLIR_OP_FLOORDIVSI:
  case OG_MLIR_OP_INDEX_FLOORDIVS: return division(x, op, true, false, -1);
  case OG_MLIR_OP_CTPOP: return count_bits(x, op, "cbit");
  case OG_MLIR_OP_CTLZ: return count_bits(x, op, "lzd");
  case OG_MLIR_OP_CTTZ: return count_bits(x, op, "fbl");
  case OG_MLIR_OP_ABSI: return absolute(x, op);
  case OG_MLIR_OP_CMPI:
  case OG_MLIR_OP_INDEX_CMP: return compare_integers(x, op);
  case OG_MLIR_OP_SELECT: return choose(x, op);
  case OG_MLIR_OP_EXTSI:
  case OG_MLIR_OP_TRUNCI:
  case OG_MLIR_OP_EXTF:
  case OG_MLIR_OP_TRUNCF:
  case OG_MLIR_OP_SITOFP:
  case OG_MLIR_OP_FPTOSI: return convert(x, op, false);
  case OG_MLIR_OP_EXTUI:
  case OG_MLIR_OP_UITOFP:
  case OG_MLIR_OP_FPTOUI: return convert(x, op, true);
  case OG_MLIR_OP_INDEX_CAST:
  case OG_MLIR_OP_INDEX_CASTS: return index_cast(x, op, false);
  case OG_MLIR_OP_INDEX_CASTUI:
  case OG_MLIR_OP_INDEX_CASTU: return index_cast(x, op, true);
  default: return !(*known = false);
  }
}
