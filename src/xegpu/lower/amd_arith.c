/* amd_arith.c - constants, arithmetic, comparisons and conversions as LLVM IR: part by part, f16 and bf16 by way of
 * float. */
#include "xegpu/lower/amd.h"

#include <string.h>

/* ---- numbers as LLVM writes them --------------------------------------------------------------------------------- */

static const char *bits_text(struct og_xa *x, uint8_t type, uint64_t bits) {
  double number;
  float narrow;
  switch (type) {
  case OG_XE_I1: return bits & 1 ? "true" : "false";
  case OG_XE_F16: return og_xa_text(x, "0xH%04X", (unsigned)bits & 0xffff);
  case OG_XE_BF16: return og_xa_text(x, "%u", (unsigned)bits & 0xffff);
  case OG_XE_F32:
    narrow = og_float_of_bits((uint32_t)bits);
    number = narrow;
    memcpy(&bits, &number, 8);
    return og_xa_text(x, "0x%016llX", (unsigned long long)bits);
  case OG_XE_F64: return og_xa_text(x, "0x%016llX", (unsigned long long)bits);
  default: {
    uint32_t width = og_xe_sizes[type] * 8u;
    return og_xa_text(x, "%lld", (long long)((int64_t)(bits << (64 - width)) >> (64 - width)));
  }
  }
}

static uint64_t bits_of(uint8_t type, og_mlir_attr value) {
  double number;
  if (value->kind == OG_MLIR_INT || value->flags || type == OG_XE_F64)
    return (uint64_t)value->ints[0];
  memcpy(&number, value->ints, 8);
  float narrow = (float)number;
  uint32_t bits = 0;
  if (type == OG_XE_F16)
    return og_double_to_half(number);
  og_xe_from_floats(type, &narrow, &bits, 1);
  return bits;
}

static bool constant(struct og_xa *x, struct og_mlir_op *op) {
  og_mlir_attr value = og_mlir_find(op, "value");
  struct og_xa_value v = og_xa_new(x, op->results[0].type);
  uint32_t size = og_xe_sizes[v.type];
  if (x->lanes && value->kind == OG_MLIR_DENSE && value->text.size != size) {
    for (uint32_t k = 0; k < v.parts; k++) {
      uint64_t bits = 0;
      memcpy(&bits, value->text.data + (size_t)k * size, size);
      v.names[k] = bits_text(x, v.type, bits);
    }
  } else if (value->kind == OG_MLIR_DENSE && value->text.size != size) {
    const char *name = og_xa_text(x, "@table%u", x->tables++), *type = v.type == OG_XE_I1 ? "i8" : og_xa_type(v.type);
    og_buffer_printf(&x->globals, "%s = internal addrspace(4) constant [%u x %s] [", name, v.parts * x->wave, type);
    for (uint32_t k = 0; k < v.parts * x->wave; k++) {
      uint64_t bits = 0;
      memcpy(&bits, value->text.data + (size_t)OG_MIN(k, v.count - 1) * size, size);
      og_buffer_printf(&x->globals, "%s%s %s", k ? ", " : "", type,
                       bits_text(x, v.type == OG_XE_I1 ? OG_XE_I8 : v.type, bits));
    }
    og_buffer_text(&x->globals, "]\n");
    for (uint32_t i = 0; i < v.parts; i++) {
      const char *at = og_xa_emit(x, "getelementptr %s, ptr addrspace(4) %s, i32 %s", type, name, og_xa_element(x, i));
      v.names[i] = og_xa_emit(x, "load %s, ptr addrspace(4) %s", type, at);
      if (v.type == OG_XE_I1)
        v.names[i] = og_xa_emit(x, "trunc i8 %s to i1", v.names[i]);
    }
  } else {
    uint64_t bits = 0;
    if (value->kind == OG_MLIR_DENSE)
      memcpy(&bits, value->text.data, size);
    else if (value->kind == OG_MLIR_INT || value->kind == OG_MLIR_FLOAT)
      bits = bits_of(v.type, value);
    else
      return og_xa_refuse(x, op, "constants of this kind");
    for (uint32_t i = 0; i < v.parts; i++)
      v.names[i] = bits_text(x, v.type, bits);
  }
  og_xa_set(x, &op->results[0], v);
  return true;
}

/* ---- narrow floats ----------------------------------------------------------------------------------------------- */

const char *og_xa_to_float(struct og_xa *x, uint8_t type, const char *value) {
  if (type == OG_XE_F16)
    return og_xa_emit(x, "fpext half %s to float", value);
  if (type != OG_XE_BF16)
    return value;
  return og_xa_emit(x, "bitcast i32 %s to float",
                    og_xa_emit(x, "shl i32 %s, 16", og_xa_emit(x, "zext i16 %s to i32", value)));
}

const char *og_xa_from_float(struct og_xa *x, uint8_t type, const char *value) {
  if (type == OG_XE_F16)
    return og_xa_emit(x, "fptrunc float %s to half", value);
  if (type != OG_XE_BF16)
    return value;
  const char *bits = og_xa_emit(x, "bitcast float %s to i32", value);
  const char *odd = og_xa_emit(x, "and i32 %s, 1", og_xa_emit(x, "lshr i32 %s, 16", bits));
  const char *sum = og_xa_emit(x, "add i32 %s, %s", bits, og_xa_emit(x, "add i32 %s, 32767", odd));
  const char *nan = og_xa_emit(x, "fcmp uno float %s, %s", value, value),
             *quiet = og_xa_emit(x, "or i32 %s, 4194304", bits);
  const char *chosen = og_xa_emit(x, "select i1 %s, i32 %s, i32 %s", nan, quiet, sum);
  return og_xa_emit(x, "trunc i32 %s to i16", og_xa_emit(x, "lshr i32 %s, 16", chosen));
}

/* ---- arithmetic -------------------------------------------------------------------------------------------------- */

static const struct {
  uint16_t id;
  const char *instruction; /* with @: an intrinsic, with the type's name behind it */
} rows[] = {{OG_MLIR_OP_ADDI, "add"},        {OG_MLIR_OP_SUBI, "sub"},        {OG_MLIR_OP_MULI, "mul"},
            {OG_MLIR_OP_ANDI, "and"},        {OG_MLIR_OP_ORI, "or"},          {OG_MLIR_OP_XORI, "xor"},
            {OG_MLIR_OP_SHLI, "shl"},        {OG_MLIR_OP_SHRUI, "lshr"},      {OG_MLIR_OP_SHRSI, "ashr"},
            {OG_MLIR_OP_DIVSI, "sdiv"},      {OG_MLIR_OP_DIVUI, "udiv"},      {OG_MLIR_OP_REMSI, "srem"},
            {OG_MLIR_OP_REMUI, "urem"},      {OG_MLIR_OP_INDEX_ADD, "add"},   {OG_MLIR_OP_INDEX_SUB, "sub"},
            {OG_MLIR_OP_INDEX_MUL, "mul"},   {OG_MLIR_OP_MAXSI, "@smax"},     {OG_MLIR_OP_MINSI, "@smin"},
            {OG_MLIR_OP_MAXUI, "@umax"},     {OG_MLIR_OP_MINUI, "@umin"},     {OG_MLIR_OP_ADDF, "fadd"},
            {OG_MLIR_OP_SUBF, "fsub"},       {OG_MLIR_OP_MULF, "fmul"},       {OG_MLIR_OP_DIVF, "fdiv"},
            {OG_MLIR_OP_MAXNUMF, "@maxnum"}, {OG_MLIR_OP_MINNUMF, "@minnum"}, {OG_MLIR_OP_FMA, "@fma"},
            {OG_MLIR_OP_VECTOR_FMA, "@fma"}, {OG_MLIR_OP_SQRT, "@sqrt"},      {OG_MLIR_OP_EXP2, "@exp2"},
            {OG_MLIR_OP_LOG2, "@log2"},      {OG_MLIR_OP_ABSF, "@fabs"},      {OG_MLIR_OP_FLOOR, "@floor"},
            {OG_MLIR_OP_CEIL, "@ceil"},      {OG_MLIR_OP_TRUNC, "@trunc"},    {OG_MLIR_OP_ROUNDEVEN, "@rint"}};

static const char *call(struct og_xa *x, const char *name, const char *type, const char *const *s, uint32_t count) {
  const char *word = strcmp(type, "float") == 0    ? "f32"
                     : strcmp(type, "double") == 0 ? "f64"
                     : strcmp(type, "half") == 0   ? "f16"
                                                   : type;
  const char *arguments = "";
  for (uint32_t i = 0; i < count; i++)
    arguments = og_xa_text(x, "%s%s%s %s", arguments, i ? ", " : "", type, s[i]);
  return og_xa_emit(x, "call %s @llvm.%s.%s(%s)", type, name, word, arguments);
}

/* e^x as 2^(x log2 e), with a correction for the rounding of that product. */
static const char *exponential(struct og_xa *x, const char *a) {
  const char *product = og_xa_emit(x, "fmul float %s, 0x3FF7154760000000", a),
             *minus = og_xa_emit(x, "fneg float %s", product);
  const char *const first[] = {a, "0x3FF7154760000000", minus};
  const char *error = call(x, "fma", "float", first, 3);
  const char *const second[] = {a, "0x3E54AE0C00000000", error};
  error = call(x, "fma", "float", second, 3);
  const char *const third[] = {error, "0x3FE62E4300000000", "1.0"};
  error = call(x, "fma", "float", third, 3);
  const char *power = call(x, "exp2", "float", &product, 1), *size = call(x, "fabs", "float", &a, 1);
  const char *large = og_xa_emit(x, "fcmp ogt float %s, 200.0", size),
             *good = og_xa_emit(x, "fmul float %s, %s", power, error);
  return og_xa_emit(x, "select i1 %s, float %s, float %s", large, power, good);
}

/* MLIR's maximumf and minimumf: if one is a NaN, the result is. */
static const char *extreme(struct og_xa *x, const char *type, bool max, const char *a, const char *b) {
  const char *const s[] = {a, b};
  const char *chosen = call(x, max ? "maxnum" : "minnum", type, s, 2),
             *nan = og_xa_emit(x, "fcmp uno %s %s, %s", type, a, b);
  return og_xa_emit(x, "select i1 %s, %s %s, %s %s", nan, type, og_xa_emit(x, "fadd %s %s, %s", type, a, b), type,
                    chosen);
}

const char *og_xa_combine(struct og_xa *x, uint8_t kind, uint8_t type, const char *a, const char *b) {
  static const char *const integers[] = {"add",   "mul", "@umin", "@smin", NULL, "@umax",
                                         "@smax", NULL,  "and",   "or",    "xor"};
  const char *const s[] = {a, b};
  if (!og_xa_is_float(type)) {
    const char *word = kind < OG_COUNT(integers) && integers[kind] ? integers[kind] : "add";
    return *word == '@' ? call(x, word + 1, og_xa_type(type), s, 2)
                        : og_xa_emit(x, "%s %s %s, %s", word, og_xa_type(type), a, b);
  }
  const char *name = type == OG_XE_F64 ? "double" : "float", *p = og_xa_to_float(x, type, a),
             *q = og_xa_to_float(x, type, b), *r;
  const char *const wide[] = {p, q};
  switch (kind) {
  case 0: r = og_xa_emit(x, "fadd %s %s, %s", name, p, q); break;
  case 1: r = og_xa_emit(x, "fmul %s %s, %s", name, p, q); break;
  case 4: r = call(x, "minnum", name, wide, 2); break;
  case 7: r = call(x, "maxnum", name, wide, 2); break;
  default: r = extreme(x, name, kind == 12, p, q);
  }
  return type == OG_XE_F64 ? r : og_xa_from_float(x, type, r);
}

static const char *special(struct og_xa *x, uint16_t id, const char *type, const char *const *s) {
  bool is_float = strcmp(type, "float") == 0;
  switch (id) {
  case OG_MLIR_OP_NEGF: return og_xa_emit(x, "fneg %s %s", type, s[0]);
  case OG_MLIR_OP_MAXIMUMF: return extreme(x, type, true, s[0], s[1]);
  case OG_MLIR_OP_MINIMUMF: return extreme(x, type, false, s[0], s[1]);
  case OG_MLIR_OP_RSQRT: return og_xa_emit(x, "fdiv %s 1.0, %s", type, call(x, "sqrt", type, s, 1));
  case OG_MLIR_OP_EXP: return is_float ? exponential(x, s[0]) : NULL;
  case OG_MLIR_OP_LOG:
    return is_float ? og_xa_emit(x, "fmul float %s, 0x3FE62E4300000000", call(x, "log2", type, s, 1)) : NULL;
  default: return NULL;
  }
}

static bool elementwise(struct og_xa *x, struct og_mlir_op *op, const char *instruction) {
  struct og_xa_value v = og_xa_new(x, op->results[0].type), s[3];
  uint32_t n = OG_MIN(op->operand_count, 3u);
  for (uint32_t k = 0; k < n; k++)
    s[k] = *og_xa_elements(x, op->operands[k]);
  bool narrow = v.type == OG_XE_F16 || v.type == OG_XE_BF16;
  const char *type = narrow ? "float" : og_xa_type(v.type);
  for (uint32_t i = 0; i < v.parts && !x->failed; i++) {
    const char *names[3] = {NULL}, *r;
    for (uint32_t k = 0; k < n; k++)
      names[k] = og_xa_to_float(x, s[k].type, s[k].names[i]);
    if (!instruction)
      r = special(x, op->row->id, type, names);
    else if (*instruction == '@')
      r = call(x, instruction + 1, type, names, n);
    else
      r = og_xa_emit(x, "%s %s %s, %s", instruction, type, names[0], names[1]);
    if (!r || (v.type == OG_XE_F64 && instruction &&
               (strcmp(instruction, "@exp2") == 0 || strcmp(instruction, "@log2") == 0)))
      return og_xa_refuse(x, op, "f64 has no such instruction");
    v.names[i] = narrow ? og_xa_from_float(x, v.type, r) : r;
  }
  og_xa_set(x, &op->results[0], v);
  return true;
}

static bool compare(struct og_xa *x, struct og_mlir_op *op) {
  static const char *const integers[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
  static const char *const floats[] = {"false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
                                       "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};
  struct og_xa_value a = *og_xa_elements(x, op->operands[0]), b = *og_xa_elements(x, op->operands[1]),
                     v = og_xa_new(x, op->results[0].type);
  int64_t predicate = og_mlir_find(op, "predicate")->ints[0];
  bool real = op->row->id == OG_MLIR_OP_CMPF, narrow = a.type == OG_XE_F16 || a.type == OG_XE_BF16;
  for (uint32_t i = 0; i < v.parts; i++) {
    const char *p = og_xa_to_float(x, a.type, a.names[i]), *q = og_xa_to_float(x, b.type, b.names[i]);
    v.names[i] =
        real ? og_xa_emit(x, "fcmp %s %s %s, %s", floats[predicate & 15], narrow ? "float" : og_xa_type(a.type), p, q)
             : og_xa_emit(x, "icmp %s %s %s, %s", integers[OG_MIN(predicate, 9)], og_xa_type(a.type), p, q);
  }
  og_xa_set(x, &op->results[0], v);
  return true;
}

static bool choose(struct og_xa *x, struct og_mlir_op *op) {
  struct og_xa_value c = *og_xa_elements(x, op->operands[0]), a = *og_xa_elements(x, op->operands[1]),
                     b = *og_xa_elements(x, op->operands[2]), v = og_xa_new(x, op->results[0].type);
  for (uint32_t i = 0; i < v.parts; i++)
    v.names[i] = og_xa_emit(x, "select i1 %s, %s %s, %s %s", c.names[c.vector ? i : 0], og_xa_type(v.type), a.names[i],
                            og_xa_type(v.type), b.names[i]);
  og_xa_set(x, &op->results[0], v);
  return true;
}

static const char *convert_one(struct og_xa *x, uint8_t from, uint8_t to, const char *value, bool is_unsigned) {
  bool real_from = og_xa_is_float(from), real_to = og_xa_is_float(to);
  if (from == OG_XE_F16 || from == OG_XE_BF16)
    value = og_xa_to_float(x, from, value), from = OG_XE_F32;
  if (to == OG_XE_F16 || to == OG_XE_BF16)
    return og_xa_from_float(x, to, convert_one(x, from, OG_XE_F32, value, is_unsigned));
  if (from == to)
    return value;
  const char *word = real_from && real_to ? (og_xe_sizes[from] < og_xe_sizes[to] ? "fpext" : "fptrunc")
                     : real_from          ? (is_unsigned ? "fptoui" : "fptosi")
                     : real_to            ? (is_unsigned ? "uitofp" : "sitofp")
                     : to == OG_XE_I1 || (from != OG_XE_I1 && og_xe_sizes[to] < og_xe_sizes[from]) ? "trunc"
                     : is_unsigned                                                                 ? "zext"
                                                                                                   : "sext";
  return og_xa_emit(x, "%s %s %s to %s", word, og_xa_type(from), value, og_xa_type(to));
}

static bool convert(struct og_xa *x, struct og_mlir_op *op, bool is_unsigned) {
  struct og_xa_value a = *og_xa_elements(x, op->operands[0]), v = og_xa_new(x, op->results[0].type);
  for (uint32_t i = 0; i < v.parts; i++)
    v.names[i] = convert_one(x, a.type, v.type, a.names[i], is_unsigned);
  og_xa_set(x, &op->results[0], v);
  return true;
}

bool og_xa_arith(struct og_xa *x, struct og_mlir_op *op, bool *known) {
  *known = true;
  for (size_t i = 0; i < OG_COUNT(rows); i++)
    if (rows[i].id == op->row->id)
      return elementwise(x, op, rows[i].instruction);
  switch (op->row->id) {
  case OG_MLIR_OP_CONSTANT:
  case OG_MLIR_OP_INDEX_CONSTANT: return constant(x, op);
  case OG_MLIR_OP_NEGF:
  case OG_MLIR_OP_MAXIMUMF:
  case OG_MLIR_OP_MINIMUMF:
  case OG_MLIR_OP_RSQRT:
  case OG_MLIR_OP_EXP:
  case OG_MLIR_OP_LOG: return elementwise(x, op, NULL);
  case OG_MLIR_OP_CMPI:
  case OG_MLIR_OP_CMPF: return compare(x, op);
  case OG_MLIR_OP_SELECT: return choose(x, op);
  case OG_MLIR_OP_EXTSI:
  case OG_MLIR_OP_TRUNCI:
  case OG_MLIR_OP_EXTF:
  case OG_MLIR_OP_TRUNCF:
  case OG_MLIR_OP_SITOFP:
  case OG_MLIR_OP_FPTOSI:
  case OG_MLIR_OP_INDEX_CAST: return convert(x, op, false);
  case OG_MLIR_OP_EXTUI:
  case OG_MLIR_OP_UITOFP:
  case OG_MLIR_OP_FPTOUI:
  case OG_MLIR_OP_INDEX_CASTUI: return convert(x, op, true);
  default: return !(*known = false);
  }
}
