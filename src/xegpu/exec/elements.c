/* elements.c - elementwise operations on vectors and scalars: loops of which compilers make vector code. */
#include "xegpu/exec/exec.h"

#include <math.h>
#include <string.h>

const uint8_t og_xe_sizes[OG_XE_TYPES] = {1, 1, 2, 4, 8, 2, 2, 4, 8};

/* ---- conversions ------------------------------------------------------------------------------------------------- */

static inline float from_half(uint16_t h) { /* without branches */
  uint32_t magnitude = (uint32_t)(h & 0x7fff) << 13;
  uint32_t scaled = og_bits_of_float(og_float_of_bits(magnitude) * 0x1p112f);
  scaled = (h & 0x7c00) == 0x7c00 ? magnitude | 0x7f800000 : scaled;
  return og_float_of_bits(scaled | (uint32_t)(h & 0x8000) << 16);
}

static inline uint16_t to_bfloat(float value) {
  uint32_t bits = og_bits_of_float(value);
  uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return (uint16_t)((bits & 0x7fffffff) > 0x7f800000 ? bits >> 16 | 0x40 : rounded);
}

void og_xe_to_floats(uint8_t type, const void *from, float *restrict to, uint32_t count) {
  const uint16_t *restrict halves = from;
  if (type == OG_XE_F16)
    for (uint32_t i = 0; i < count; i++)
      to[i] = from_half(halves[i]);
  else if (type == OG_XE_BF16)
    for (uint32_t i = 0; i < count; i++)
      to[i] = og_float_of_bits((uint32_t)halves[i] << 16);
  else if (type == OG_XE_F32)
    memcpy(to, from, (size_t)count * 4);
  else
    for (uint32_t i = 0; i < count; i++)
      to[i] = (float)og_xe_number(type, (const uint8_t *)from + (size_t)i * og_xe_sizes[type]);
}

void og_xe_from_floats(uint8_t type, const float *restrict from, void *to, uint32_t count) {
  uint16_t *restrict halves = to;
  if (type == OG_XE_F16)
    for (uint32_t i = 0; i < count; i++)
      halves[i] = og_float_to_half(from[i], OG_ROUND_NEAREST);
  else if (type == OG_XE_BF16)
    for (uint32_t i = 0; i < count; i++)
      halves[i] = to_bfloat(from[i]);
  else
    memcpy(to, from, (size_t)count * 4);
}

double og_xe_number(uint8_t type, const void *at) {
  float f;
  double d;
  switch (type) {
  case OG_XE_F16: return from_half(og_load16(at));
  case OG_XE_BF16: return og_bfloat_to_float(og_load16(at));
  case OG_XE_F32: return memcpy(&f, at, 4), f;
  case OG_XE_F64: return memcpy(&d, at, 8), d;
  default: return (double)og_xe_integer(type, at);
  }
}

int64_t og_xe_integer(uint8_t type, const void *at) {
  switch (type) {
  case OG_XE_I1: return *(const uint8_t *)at & 1;
  case OG_XE_I8: return *(const int8_t *)at;
  case OG_XE_I16: return (int16_t)og_load16(at);
  case OG_XE_I32: return (int32_t)og_load32(at);
  default: return (int64_t)og_load64(at);
  }
}

static void put_integer(uint8_t type, void *at, int64_t value) {
  if (type == OG_XE_I1)
    value &= 1;
  memcpy(at, &value, og_xe_sizes[type]);
}

static void put_number(uint8_t type, void *at, double value) {
  float f = (float)value;
  if (type == OG_XE_F64)
    memcpy(at, &value, 8);
  else if (type == OG_XE_F16)
    og_store16(at, og_double_to_half(value));
  else
    og_xe_from_floats(type, &f, at, 1);
}

/* ---- loops over two operands ------------------------------------------------------------------------------------- */

#define INT_LOOP(U, S, expression)                                                                                     \
  {                                                                                                                    \
    U *restrict r = (U *)(f + i->to);                                                                                  \
    const U *p = (const U *)(f + i->a), *q = (const U *)(f + i->b);                                                    \
    for (uint32_t k = 0; k < i->count; k++) {                                                                          \
      U x = p[k], y = q[k];                                                                                            \
      S sx = (S)x, sy = (S)y;                                                                                          \
      (void)sx, (void)sy;                                                                                              \
      r[k] = (U)(expression);                                                                                          \
    }                                                                                                                  \
  }
#define INT_OP(name, expression)                                                                                       \
  static const struct og_xe_inst *name(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {               \
    (void)t;                                                                                                           \
    switch (i->type) {                                                                                                 \
    case OG_XE_I1: INT_LOOP(uint8_t, int8_t, (expression)&1) break;                                                    \
    case OG_XE_I8: INT_LOOP(uint8_t, int8_t, expression) break;                                                        \
    case OG_XE_I16: INT_LOOP(uint16_t, int16_t, (uint32_t)(expression)) break;                                         \
    case OG_XE_I32: INT_LOOP(uint32_t, int32_t, expression) break;                                                     \
    default: INT_LOOP(uint64_t, int64_t, expression)                                                                   \
    }                                                                                                                  \
    return i + 1;                                                                                                      \
  }
#define BITS (sizeof x * 8)
INT_OP(addi, x + y)
INT_OP(subi, x - y)
INT_OP(muli, (uint64_t)x *y)
INT_OP(andi, x &y)
INT_OP(ori, x | y)
INT_OP(xori, x ^ y)
INT_OP(shli, y < BITS ? (uint64_t)x << y : 0)
INT_OP(shrui, y < BITS ? x >> y : 0)
INT_OP(shrsi, sx >> (y < BITS ? y : BITS - 1))
INT_OP(maxsi, sx > sy ? sx : sy)
INT_OP(minsi, sx < sy ? sx : sy)
INT_OP(maxui, x > y ? x : y)
INT_OP(minui, x < y ? x : y)

static uint64_t unsigned_of(uint8_t type, const void *at) {
  uint64_t value = 0;
  memcpy(&value, at, og_xe_sizes[type]);
  return value;
}

/* Divisions are rare, so they go one by one. By zero, and of the least number by -1, they are faults, as MLIR leaves
 * them undefined. */
static const struct og_xe_inst *divide(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  uint32_t size = og_xe_sizes[i->type];
  for (uint32_t k = 0; k < i->count; k++) {
    const uint8_t *p = f + i->a + k * size, *q = f + i->b + k * size;
    int64_t x = og_xe_integer(i->type, p), y = og_xe_integer(i->type, q), r = 0;
    uint64_t ux = unsigned_of(i->type, p), uy = unsigned_of(i->type, q);
    if (!uy)
      return og_xe_fault(t, i, "division by zero");
    if (y == -1 && x == INT64_MIN)
      return og_xe_fault(t, i, "signed division overflows");
    int64_t quotient = y == -1 ? -x : x / y, rest = y == -1 ? 0 : x % y;
    switch (i->sub) {
    case OG_MLIR_OP_DIVSI & 255: r = quotient; break;
    case OG_MLIR_OP_DIVUI & 255: r = (int64_t)(ux / uy); break;
    case OG_MLIR_OP_REMSI & 255: r = rest; break;
    case OG_MLIR_OP_REMUI & 255: r = (int64_t)(ux % uy); break;
    case OG_MLIR_OP_CEILDIVSI & 255: r = quotient + (rest != 0 && (x > 0) == (y > 0)); break;
    case OG_MLIR_OP_FLOORDIVSI & 255: r = quotient - (rest != 0 && (x > 0) != (y > 0)); break;
    default: r = (int64_t)(ux / uy + (ux % uy != 0)); break;
    }
    put_integer(i->type, f + i->to + k * size, r);
  }
  return i + 1;
}

enum { PIECE = 128 };
/* An operation on f32, which f16 and bf16 use as well (rounded once more), and on f64. */
#define FLOAT_OP(name, expression32, expression64)                                                                     \
  static void name##_32(float *restrict r, const float *p, const float *q, uint32_t count) {                           \
    for (uint32_t k = 0; k < count; k++) {                                                                             \
      float x = p[k], y = q[k];                                                                                        \
      (void)y;                                                                                                         \
      r[k] = expression32;                                                                                             \
    }                                                                                                                  \
  }                                                                                                                    \
  static const struct og_xe_inst *name(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {               \
    (void)t;                                                                                                           \
    if (i->type == OG_XE_F32) {                                                                                        \
      name##_32((float *)(f + i->to), (const float *)(f + i->a), (const float *)(f + i->b), i->count);                 \
    } else if (i->type == OG_XE_F64) {                                                                                 \
      double *r = (double *)(f + i->to);                                                                               \
      const double *p = (const double *)(f + i->a), *q = (const double *)(f + i->b);                                   \
      for (uint32_t k = 0; k < i->count; k++) {                                                                        \
        double x = p[k], y = q[k];                                                                                     \
        (void)y;                                                                                                       \
        r[k] = expression64;                                                                                           \
      }                                                                                                                \
    } else {                                                                                                           \
      float p[PIECE], q[PIECE], r[PIECE];                                                                              \
      for (uint32_t at = 0; at < i->count; at += PIECE) {                                                              \
        uint32_t count = OG_MIN(i->count - at, (uint32_t)PIECE);                                                       \
        og_xe_to_floats(i->type, f + i->a + at * 2, p, count);                                                         \
        og_xe_to_floats(i->type, f + i->b + at * 2, q, count);                                                         \
        name##_32(r, p, q, count);                                                                                     \
        og_xe_from_floats(i->type, r, f + i->to + at * 2, count);                                                      \
      }                                                                                                                \
    }                                                                                                                  \
    return i + 1;                                                                                                      \
  }
#define FLOAT_SAME(name, expression) FLOAT_OP(name, expression, expression)
#define FLOAT_CALL(name, call32, call64) FLOAT_OP(name, call32(x), call64(x))
FLOAT_SAME(addf, x + y)
FLOAT_SAME(subf, x - y)
FLOAT_SAME(mulf, x *y)
FLOAT_SAME(divf, x / y)
FLOAT_SAME(negf, -x)
FLOAT_OP(remf, fmodf(x, y), fmod(x, y))
FLOAT_SAME(maximumf, x != x || y != y ? x + y : x > y || (x == y && !signbit(x)) ? x : y)
FLOAT_SAME(minimumf, x != x || y != y ? x + y : x < y || (x == y && signbit(x)) ? x : y)
FLOAT_SAME(maxnumf, x != x ? y : y != y ? x : x > y ? x : y)
FLOAT_SAME(minnumf, x != x ? y : y != y ? x : x < y ? x : y)
FLOAT_OP(powf_, powf(x, y), pow(x, y))
FLOAT_OP(atan2_, atan2f(x, y), atan2(x, y))
FLOAT_OP(copysign_, copysignf(x, y), copysign(x, y))
FLOAT_CALL(sqrt_, sqrtf, sqrt)
FLOAT_OP(rsqrt, 1 / sqrtf(x), 1 / sqrt(x))
FLOAT_CALL(exp_, expf, exp)
FLOAT_CALL(exp2_, exp2f, exp2)
FLOAT_CALL(expm1_, expm1f, expm1)
FLOAT_CALL(log_, logf, log)
FLOAT_CALL(log2_, log2f, log2)
FLOAT_CALL(log10_, log10f, log10)
FLOAT_CALL(log1p_, log1pf, log1p)
FLOAT_CALL(sin_, sinf, sin)
FLOAT_CALL(cos_, cosf, cos)
FLOAT_CALL(tan_, tanf, tan)
FLOAT_CALL(tanh_, tanhf, tanh)
FLOAT_CALL(sinh_, sinhf, sinh)
FLOAT_CALL(cosh_, coshf, cosh)
FLOAT_CALL(asin_, asinf, asin)
FLOAT_CALL(acos_, acosf, acos)
FLOAT_CALL(atan_, atanf, atan)
FLOAT_CALL(erf_, erff, erf)
FLOAT_CALL(absf, fabsf, fabs)
FLOAT_CALL(floor_, floorf, floor)
FLOAT_CALL(ceil_, ceilf, ceil)
FLOAT_CALL(round_, roundf, round)
FLOAT_CALL(trunc_, truncf, trunc)
FLOAT_CALL(roundeven_, rintf, rint)
FLOAT_CALL(cbrt_, cbrtf, cbrt)

static const struct og_xe_inst *fma_(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  uint32_t size = og_xe_sizes[i->type];
  for (uint32_t k = 0; k < i->count; k++) {
    double a = og_xe_number(i->type, f + i->a + k * size), b = og_xe_number(i->type, f + i->b + k * size),
           c = og_xe_number(i->type, f + i->c + k * size);
    if (i->type == OG_XE_F32) {
      float r = fmaf((float)a, (float)b, (float)c);
      memcpy(f + i->to + k * 4, &r, 4);
    } else {
      put_number(i->type, f + i->to + k * size, fma(a, b, c));
    }
  }
  return i + 1;
}

static const struct og_xe_inst *count_bits(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  uint32_t size = og_xe_sizes[i->type], width = i->type == OG_XE_I1 ? 1 : size * 8;
  for (uint32_t k = 0; k < i->count; k++) {
    uint64_t x = unsigned_of(i->type, f + i->a + k * size);
    int64_t s = og_xe_integer(i->type, f + i->a + k * size);
    int64_t r = i->sub == (OG_MLIR_OP_CTPOP & 255)  ? __builtin_popcountll(x)
                : i->sub == (OG_MLIR_OP_CTLZ & 255) ? (x ? __builtin_clzll(x) - (64 - (int)width) : (int)width)
                : i->sub == (OG_MLIR_OP_CTTZ & 255) ? (x ? __builtin_ctzll(x) : (int)width)
                : s < 0                             ? (int64_t)(0 - (uint64_t)s)
                                                    : s;
    put_integer(i->type, f + i->to + k * size, r);
  }
  return i + 1;
}

/* ---- comparisons, selections, conversions ------------------------------------------------------------------------ */

static const struct og_xe_inst *cmpi(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  uint32_t size = og_xe_sizes[i->type];
  for (uint32_t k = 0; k < i->count; k++) {
    const uint8_t *p = f + i->a + k * size, *q = f + i->b + k * size;
    int64_t x = og_xe_integer(i->type, p), y = og_xe_integer(i->type, q);
    uint64_t ux = unsigned_of(i->type, p), uy = unsigned_of(i->type, q);
    bool r[] = {x == y, x != y, x<y, x <= y, x> y, x >= y, ux<uy, ux <= uy, ux> uy, ux >= uy};
    f[i->to + k] = r[i->sub];
  }
  return i + 1;
}

static const struct og_xe_inst *cmpf(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  uint32_t size = og_xe_sizes[i->type];
  for (uint32_t k = 0; k < i->count; k++) {
    double x = og_xe_number(i->type, f + i->a + k * size), y = og_xe_number(i->type, f + i->b + k * size);
    bool u = x != x || y != y;
    bool r[] = {false,      x == y,      x > y,      x >= y,      x < y,       x <= y, !u && x != y, !u, u || x == y,
                u || x > y, u || x >= y, u || x < y, u || x <= y, u || x != y, u,      true};
    f[i->to + k] = r[i->sub];
  }
  return i + 1;
}

/* sub: whether each element has its own condition; count: elements, c: bytes of each. */
static const struct og_xe_inst *select_(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  uint32_t size = i->type2;
  const uint8_t *condition = f + i->c;
  if (!i->sub) {
    memcpy(f + i->to, f + (*condition & 1 ? i->a : i->b), i->count);
    return i + 1;
  }
  for (uint32_t k = 0; k < i->count; k++)
    memcpy(f + i->to + k * size, f + (condition[k] & 1 ? i->a : i->b) + k * size, size);
  return i + 1;
}

static bool is_float(uint8_t type) { return type >= OG_XE_F16; }

static double limit(double value, double low, double high) {
  return value != value ? 0 : value < low ? low : value > high ? high : value;
}

/* sub: the source, or an integer result, is unsigned. */
static const struct og_xe_inst *convert(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  uint32_t from = og_xe_sizes[i->type], to = og_xe_sizes[i->type2];
  if (i->type2 == OG_XE_F32 && is_float(i->type) && i->type != OG_XE_F64) {
    og_xe_to_floats(i->type, f + i->a, (float *)(f + i->to), i->count);
    return i + 1;
  }
  if (i->type == OG_XE_F32 && is_float(i->type2) && i->type2 != OG_XE_F64) {
    og_xe_from_floats(i->type2, (const float *)(f + i->a), f + i->to, i->count);
    return i + 1;
  }
  for (uint32_t k = 0; k < i->count; k++) {
    const uint8_t *p = f + i->a + k * from;
    uint8_t *r = f + i->to + k * to;
    int64_t s = is_float(i->type) ? 0 : og_xe_integer(i->type, p);
    if (!is_float(i->type) && i->type == OG_XE_I1 && !i->sub)
      s = -s; /* a bit is nothing but a sign */
    if (is_float(i->type) && is_float(i->type2))
      put_number(i->type2, r, og_xe_number(i->type, p));
    else if (is_float(i->type))
      put_integer(i->type2, r,
                  i->sub ? (int64_t)(uint64_t)limit(og_xe_number(i->type, p), 0, 0x1.fffffffffffffp63)
                         : (int64_t)limit(og_xe_number(i->type, p), -0x1p63, 0x1.fffffffffffffp62));
    else if (is_float(i->type2))
      put_number(i->type2, r, i->sub ? (double)unsigned_of(i->type, p) : (double)s);
    else
      put_integer(i->type2, r, i->sub ? (int64_t)unsigned_of(i->type, p) : s);
  }
  return i + 1;
}

const struct og_xe_inst *og_xe_copy(struct og_xe_thread *t, const struct og_xe_inst *i, uint8_t *f) {
  (void)t;
  memmove(f + i->to, f + i->a, i->count);
  return i + 1;
}

/* ---- rows -> handlers -------------------------------------------------------------------------------------------- */

struct elementwise {
  uint16_t id;
  og_xe_handler run;
};
static const struct elementwise rows[] = {{OG_MLIR_OP_ADDI, addi},
                                          {OG_MLIR_OP_SUBI, subi},
                                          {OG_MLIR_OP_MULI, muli},
                                          {OG_MLIR_OP_ANDI, andi},
                                          {OG_MLIR_OP_ORI, ori},
                                          {OG_MLIR_OP_XORI, xori},
                                          {OG_MLIR_OP_SHLI, shli},
                                          {OG_MLIR_OP_SHRUI, shrui},
                                          {OG_MLIR_OP_SHRSI, shrsi},
                                          {OG_MLIR_OP_MAXSI, maxsi},
                                          {OG_MLIR_OP_MINSI, minsi},
                                          {OG_MLIR_OP_MAXUI, maxui},
                                          {OG_MLIR_OP_MINUI, minui},
                                          {OG_MLIR_OP_DIVSI, divide},
                                          {OG_MLIR_OP_DIVUI, divide},
                                          {OG_MLIR_OP_REMSI, divide},
                                          {OG_MLIR_OP_REMUI, divide},
                                          {OG_MLIR_OP_CEILDIVSI, divide},
                                          {OG_MLIR_OP_CEILDIVUI, divide},
                                          {OG_MLIR_OP_FLOORDIVSI, divide},
                                          {OG_MLIR_OP_ADDF, addf},
                                          {OG_MLIR_OP_SUBF, subf},
                                          {OG_MLIR_OP_MULF, mulf},
                                          {OG_MLIR_OP_DIVF, divf},
                                          {OG_MLIR_OP_REMF, remf},
                                          {OG_MLIR_OP_NEGF, negf},
                                          {OG_MLIR_OP_MAXIMUMF, maximumf},
                                          {OG_MLIR_OP_MINIMUMF, minimumf},
                                          {OG_MLIR_OP_MAXNUMF, maxnumf},
                                          {OG_MLIR_OP_MINNUMF, minnumf},
                                          {OG_MLIR_OP_POWF, powf_},
                                          {OG_MLIR_OP_ATAN2, atan2_},
                                          {OG_MLIR_OP_COPYSIGN, copysign_},
                                          {OG_MLIR_OP_SQRT, sqrt_},
                                          {OG_MLIR_OP_RSQRT, rsqrt},
                                          {OG_MLIR_OP_EXP, exp_},
                                          {OG_MLIR_OP_EXP2, exp2_},
                                          {OG_MLIR_OP_EXPM1, expm1_},
                                          {OG_MLIR_OP_LOG, log_},
                                          {OG_MLIR_OP_LOG2, log2_},
                                          {OG_MLIR_OP_LOG10, log10_},
                                          {OG_MLIR_OP_LOG1P, log1p_},
                                          {OG_MLIR_OP_SIN, sin_},
                                          {OG_MLIR_OP_COS, cos_},
                                          {OG_MLIR_OP_TAN, tan_},
                                          {OG_MLIR_OP_TANH, tanh_},
                                          {OG_MLIR_OP_SINH, sinh_},
                                          {OG_MLIR_OP_COSH, cosh_},
                                          {OG_MLIR_OP_ASIN, asin_},
                                          {OG_MLIR_OP_ACOS, acos_},
                                          {OG_MLIR_OP_ATAN, atan_},
                                          {OG_MLIR_OP_ERF, erf_},
                                          {OG_MLIR_OP_ABSF, absf},
                                          {OG_MLIR_OP_FLOOR, floor_},
                                          {OG_MLIR_OP_CEIL, ceil_},
                                          {OG_MLIR_OP_ROUND, round_},
                                          {OG_MLIR_OP_TRUNC, trunc_},
                                          {OG_MLIR_OP_ROUNDEVEN, roundeven_},
                                          {OG_MLIR_OP_CBRT, cbrt_},
                                          {OG_MLIR_OP_FMA, fma_},
                                          {OG_MLIR_OP_VECTOR_FMA, fma_},
                                          {OG_MLIR_OP_ABSI, count_bits},
                                          {OG_MLIR_OP_CTLZ, count_bits},
                                          {OG_MLIR_OP_CTTZ, count_bits},
                                          {OG_MLIR_OP_CTPOP, count_bits},
                                          {OG_MLIR_OP_INDEX_ADD, addi},
                                          {OG_MLIR_OP_INDEX_SUB, subi},
                                          {OG_MLIR_OP_INDEX_MUL, muli},
                                          {OG_MLIR_OP_INDEX_AND, andi},
                                          {OG_MLIR_OP_INDEX_OR, ori},
                                          {OG_MLIR_OP_INDEX_XOR, xori},
                                          {OG_MLIR_OP_INDEX_SHL, shli},
                                          {OG_MLIR_OP_INDEX_SHRS, shrsi},
                                          {OG_MLIR_OP_INDEX_SHRU, shrui},
                                          {OG_MLIR_OP_INDEX_MAXS, maxsi},
                                          {OG_MLIR_OP_INDEX_MAXU, maxui},
                                          {OG_MLIR_OP_INDEX_MINS, minsi},
                                          {OG_MLIR_OP_INDEX_MINU, minui},
                                          {OG_MLIR_OP_INDEX_DIVS, divide},
                                          {OG_MLIR_OP_INDEX_DIVU, divide},
                                          {OG_MLIR_OP_INDEX_REMS, divide},
                                          {OG_MLIR_OP_INDEX_REMU, divide},
                                          {OG_MLIR_OP_INDEX_CEILDIVS, divide},
                                          {OG_MLIR_OP_INDEX_CEILDIVU, divide},
                                          {OG_MLIR_OP_INDEX_FLOORDIVS, divide},
                                          {OG_MLIR_OP_EXTSI, convert},
                                          {OG_MLIR_OP_EXTUI, convert},
                                          {OG_MLIR_OP_TRUNCI, convert},
                                          {OG_MLIR_OP_EXTF, convert},
                                          {OG_MLIR_OP_TRUNCF, convert},
                                          {OG_MLIR_OP_SITOFP, convert},
                                          {OG_MLIR_OP_UITOFP, convert},
                                          {OG_MLIR_OP_FPTOSI, convert},
                                          {OG_MLIR_OP_FPTOUI, convert},
                                          {OG_MLIR_OP_INDEX_CAST, convert},
                                          {OG_MLIR_OP_INDEX_CASTUI, convert},
                                          {OG_MLIR_OP_INDEX_CASTS, convert},
                                          {OG_MLIR_OP_INDEX_CASTU, convert}};

static uint8_t variant(uint16_t id) {
  static const struct {
    uint16_t from, to;
  } same[] = {{OG_MLIR_OP_INDEX_DIVS, OG_MLIR_OP_DIVSI},          {OG_MLIR_OP_INDEX_DIVU, OG_MLIR_OP_DIVUI},
              {OG_MLIR_OP_INDEX_REMS, OG_MLIR_OP_REMSI},          {OG_MLIR_OP_INDEX_REMU, OG_MLIR_OP_REMUI},
              {OG_MLIR_OP_INDEX_CEILDIVS, OG_MLIR_OP_CEILDIVSI},  {OG_MLIR_OP_INDEX_CEILDIVU, OG_MLIR_OP_CEILDIVUI},
              {OG_MLIR_OP_INDEX_FLOORDIVS, OG_MLIR_OP_FLOORDIVSI}};
  for (size_t i = 0; i < OG_COUNT(same); i++)
    if (same[i].from == id)
      return (uint8_t)same[i].to;
  bool is_unsigned = id == OG_MLIR_OP_EXTUI || id == OG_MLIR_OP_UITOFP || id == OG_MLIR_OP_FPTOUI ||
                     id == OG_MLIR_OP_INDEX_CASTUI || id == OG_MLIR_OP_INDEX_CASTU;
  bool converts = id == OG_MLIR_OP_EXTSI || id == OG_MLIR_OP_SITOFP || id == OG_MLIR_OP_FPTOSI ||
                  id == OG_MLIR_OP_INDEX_CAST || id == OG_MLIR_OP_INDEX_CASTS || id == OG_MLIR_OP_TRUNCI ||
                  id == OG_MLIR_OP_EXTF || id == OG_MLIR_OP_TRUNCF;
  return is_unsigned ? 1 : converts ? 0 : (uint8_t)id;
}

static uint32_t elements_of(og_mlir_type type) {
  return type->kind == OG_MLIR_VECTOR ? (uint32_t)og_mlir_elements(type) : 1;
}

static bool decode_compare(struct og_xe_decoder *d, struct og_mlir_op *op) {
  og_mlir_attr predicate = og_mlir_find(op, op->row->id == OG_MLIR_OP_INDEX_CMP ? "pred" : "predicate");
  static const char *const words[] = {"eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"};
  struct og_xe_inst inst = {.op = op,
                            .run = op->row->id == OG_MLIR_OP_CMPF ? cmpf : cmpi,
                            .count = elements_of(op->operands[0]->type),
                            .a = og_xe_place(d, op->operands[0]),
                            .b = og_xe_place(d, op->operands[1]),
                            .to = og_xe_place(d, &op->results[0])};
  if (!og_xe_scalar(op->operands[0]->type, &inst.type))
    return og_xe_refuse(d, op, "its elements' type is not executed");
  if (predicate->kind == OG_MLIR_INT)
    inst.sub = (uint8_t)predicate->ints[0];
  for (uint8_t i = 0; predicate->kind == OG_MLIR_ENUM && i < 10; i++)
    inst.sub = og_text_is(predicate->text, words[i]) ? i : inst.sub;
  if (inst.sub > (inst.run == cmpf ? 15 : 9))
    return og_xe_refuse(d, op, "there is no such predicate");
  *og_xe_emit(d, op, inst.run) = inst;
  return true;
}

bool og_xe_decode_arith(struct og_xe_decoder *d, struct og_mlir_op *op, bool *known) {
  uint16_t id = op->row->id;
  *known = true;
  if (id == OG_MLIR_OP_CMPI || id == OG_MLIR_OP_CMPF || id == OG_MLIR_OP_INDEX_CMP)
    return decode_compare(d, op);
  if (id == OG_MLIR_OP_CONSTANT || id == OG_MLIR_OP_INDEX_CONSTANT || id == OG_MLIR_OP_INDEX_BOOL)
    return og_xe_put_constant(d, og_xe_place(d, &op->results[0]), og_mlir_find(op, "value")) ||
           og_xe_refuse(d, op, "constants of this type are not executed");
  struct og_xe_inst inst = {.op = op};
  if (id == OG_MLIR_OP_SELECT) {
    og_mlir_type type = op->results[0].type, condition = op->operands[0]->type;
    inst.run = select_;
    inst.sub = condition->kind == OG_MLIR_VECTOR;
    if (inst.sub && !og_xe_scalar(type, &inst.type))
      return og_xe_refuse(d, op, "its elements' type is not executed");
    inst.type2 = inst.sub ? og_xe_sizes[inst.type] : 0;
    inst.count = inst.sub ? elements_of(type) : (uint32_t)og_xe_size(type);
    inst.c = og_xe_place(d, op->operands[0]);
    inst.a = og_xe_place(d, op->operands[1]);
    inst.b = og_xe_place(d, op->operands[2]);
    inst.to = og_xe_place(d, &op->results[0]);
    *og_xe_emit(d, op, select_) = inst;
    return true;
  }
  for (size_t i = 0; i < OG_COUNT(rows); i++)
    if (rows[i].id == id)
      inst.run = rows[i].run;
  if (!inst.run)
    return !(*known = false);
  if (!og_xe_scalar(op->operands[0]->type, &inst.type) || !og_xe_scalar(op->results[0].type, &inst.type2) ||
      op->operands[0]->type->kind == OG_MLIR_TENSOR)
    return og_xe_refuse(d, op, "its elements' type is not executed");
  inst.count = elements_of(op->results[0].type);
  inst.sub = variant(id);
  inst.a = og_xe_place(d, op->operands[0]);
  inst.b = op->operand_count > 1 ? og_xe_place(d, op->operands[1]) : inst.a;
  inst.c = op->operand_count > 2 ? og_xe_place(d, op->operands[2]) : inst.a;
  inst.to = og_xe_place(d, &op->results[0]);
  *og_xe_emit(d, op, inst.run) = inst;
  return true;
}
