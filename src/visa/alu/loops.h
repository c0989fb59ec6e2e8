/* loops.h - the arithmetic itself, included once for each level of processors (OG_ALU_NAME names the table). Every body
   is one line for element i; loops have the sizes that kernels use, so that they become vector code. */
#include "visa/alu/alu.h"
#include "base/floats.h"

#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

typedef uint8_t u8;
typedef int8_t s8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef int64_t s64;
typedef float f32;
typedef double f64;

/* Types of the same register alias the executor's arrays, which may_alias allows; alignment is the element's own, which
   the executor guarantees. */
#define A(T) __attribute__((may_alias)) T

#ifdef __clang__
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

#define LOOP(count, body) \
  INDEPENDENT             \
  for (u32 i = 0; i < (count); i++) { body; }
#define CHANNELS(body)      \
  if (n == 16) {            \
    LOOP(16, body)          \
  } else if (n == 1) {      \
    LOOP(1, body)           \
  } else if (n == 32) {     \
    LOOP(32, body)          \
  } else if (n == 8) {      \
    LOOP(8, body)           \
  } else {                  \
    LOOP(n, body)           \
  }

#define UNUSED (void)b, (void)c, (void)x
#define FUNCTION(name, D, T, expression)                                                                        \
  static void name(void *dv, const void *av, const void *bv, const void *cv, u32 n, u32 x) {                   \
    A(D) *d = dv;                                                                                               \
    const A(T) *a = av, *b = bv, *c = cv;                                                                       \
    UNUSED;                                                                                                     \
    CHANNELS(d[i] = (D)(expression))                                                                            \
  }
/* Two sources; also with one of them a single element for all channels. */
#define BINARY(name, T, expression)                       \
  FUNCTION(name, T, T, BINARY_##expression(a[i], b[i]))   \
  FUNCTION(name##_a, T, T, BINARY_##expression(a[0], b[i])) \
  FUNCTION(name##_b, T, T, BINARY_##expression(a[i], b[0]))
#define BINARY_ADD(a, b) ((a) + (b))
#define BINARY_MUL(a, b) ((a) * (b))
#define BINARY_AND(a, b) ((a) & (b))
#define BINARY_OR(a, b) ((a) | (b))
#define BINARY_XOR(a, b) ((a) ^ (b))
#define BINARY_SHL(a, b) ((a) << ((b) & (8 * sizeof(a) - 1)))
#define BINARY_SHR(a, b) ((a) >> ((b) & (8 * sizeof(a) - 1)))
#define BINARY_MIN(a, b) ((a) < (b) ? (a) : (b))
#define BINARY_MAX(a, b) ((a) > (b) ? (a) : (b))
#define COMPARE(name, T, relation)          \
  COMPARE_ONE(name, T, a[i] relation b[i])   \
  COMPARE_ONE(name##_a, T, a[0] relation b[i]) \
  COMPARE_ONE(name##_b, T, a[i] relation b[0])
#define COMPARE_ONE(name, T, expression)                                                                            \
  static void name(void *dv, const void *av, const void *bv, const void *cv, u32 n, u32 x) {                   \
    const A(T) *a = av, *b = bv;                                                                                \
    u32 bits = 0;                                                                                               \
    (void)cv, (void)x;                                                                                          \
    CHANNELS(bits |= (u32)(expression) << i)                                                                    \
    memcpy(dv, &bits, 4);                                                                                       \
  }

/* ---- bits -------------------------------------------------------------------------------------------------------- */

static inline u32 rotate32(u32 v, u32 by) { return v << (by & 31) | v >> (-by & 31); }
static inline u32 rotate16(u32 v, u32 by) { return (v & 0xffff) << (by & 15) | (v & 0xffff) >> (-by & 15); }
static inline u64 rotate64(u64 v, u64 by) { return v << (by & 63) | v >> (-by & 63); }

static inline u32 reverse(u32 v) {
  v = (v >> 1 & 0x55555555) | (v & 0x55555555) << 1;
  v = (v >> 2 & 0x33333333) | (v & 0x33333333) << 2;
  v = (v >> 4 & 0x0f0f0f0f) | (v & 0x0f0f0f0f) << 4;
  return __builtin_bswap32(v);
}

static inline u32 leading_zeros(u32 v) { return v ? (u32)__builtin_clz(v) : 32; }
/* The first bit from the top that differs from the sign; ~0: there is none (FBH). */
static inline u32 first_high_signed(s32 v) {
  u32 u = (u32)(v < 0 ? ~v : v);
  return u ? (u32)__builtin_clz(u) : ~0u;
}
static inline u32 first_high(u32 v) { return v ? (u32)__builtin_clz(v) : ~0u; }
static inline u32 first_low(u32 v) { return v ? (u32)__builtin_ctz(v) : ~0u; }

/* BFE: width a, offset b, value c. */
static inline u32 extract(u32 width, u32 offset, u32 v) {
  width &= 31, offset &= 31;
  return width ? v >> offset & ((1u << width) - 1) : 0;
}
static inline s32 extract_signed(u32 width, u32 offset, u32 v) {
  width &= 31, offset &= 31;
  if (width == 0)
    return 0;
  if (offset + width >= 32)
    return (s32)v >> offset;
  return (s32)(v << (32 - width - offset)) >> (32 - width);
}

/* The ternary truth table: bit (a | b << 1 | c << 2) of `table` is the result. */
static inline u32 boolean3(u32 a, u32 b, u32 c, u32 table) {
  u32 r = 0;
  if (table & 1) r |= ~a & ~b & ~c;
  if (table & 2) r |= a & ~b & ~c;
  if (table & 4) r |= ~a & b & ~c;
  if (table & 8) r |= a & b & ~c;
  if (table & 16) r |= ~a & ~b & c;
  if (table & 32) r |= a & ~b & c;
  if (table & 64) r |= ~a & b & c;
  if (table & 128) r |= a & b & c;
  return r;
}

/* Quotients by zero saturate; the one overflow wraps around. */
static inline u32 quotient_u32(u32 a, u32 b) { return b ? a / b : ~0u; }
static inline u64 quotient_u64(u64 a, u64 b) { return b ? a / b : ~(u64)0; }
static inline s32 quotient_s32(s32 a, s32 b) {
  return b == 0 ? (a < 0 ? INT32_MIN : INT32_MAX) : b == -1 ? (s32)(0u - (u32)a) : a / b;
}
static inline s64 quotient_s64(s64 a, s64 b) {
  return b == 0 ? (a < 0 ? INT64_MIN : INT64_MAX) : b == -1 ? (s64)((u64)0 - (u64)a) : a / b;
}
static inline u32 remainder_u32(u32 a, u32 b) { return b ? a % b : ~0u; }
static inline u64 remainder_u64(u64 a, u64 b) { return b ? a % b : ~(u64)0; }
static inline s32 remainder_s32(s32 a, s32 b) { return b == 0 ? -1 : b == -1 ? 0 : a % b; }
static inline s64 remainder_s64(s64 a, s64 b) { return b == 0 ? -1 : b == -1 ? 0 : a % b; }

static inline u64 add_saturating_u64(u64 a, u64 b) {
  u64 r;
  return __builtin_add_overflow(a, b, &r) ? UINT64_MAX : r;
}
static inline s64 add_saturating_s64(s64 a, s64 b) {
  s64 r;
  return __builtin_add_overflow(a, b, &r) ? (a < 0 ? INT64_MIN : INT64_MAX) : r;
}
static inline u64 mul_saturating_u64(u64 a, u64 b) {
  u64 r;
  return __builtin_mul_overflow(a, b, &r) ? UINT64_MAX : r;
}
static inline s64 mul_saturating_s64(s64 a, s64 b) {
  s64 r;
  return __builtin_mul_overflow(a, b, &r) ? ((a < 0) != (b < 0) ? INT64_MIN : INT64_MAX) : r;
}

/* ---- integers ---------------------------------------------------------------------------------------------------- */

/* Operations whose low bits do not depend on the sign: once for each width. */
#define EITHER_SIGN(W, U)                                          \
  BINARY(add_##W, U, ADD)                                            \
  FUNCTION(sub_##W, U, U, a[i] - b[i])                             \
  BINARY(mul_##W, U, MUL)                                            \
  FUNCTION(mad_##W, U, U, a[i] * b[i] + c[i])                      \
  FUNCTION(add3_##W, U, U, a[i] + b[i] + c[i])                     \
  BINARY(and_##W, U, AND)                                            \
  BINARY(or_##W, U, OR)                                              \
  BINARY(xor_##W, U, XOR)                                            \
  FUNCTION(not_##W, U, U, ~a[i])                                   \
  FUNCTION(neg_##W, U, U, -a[i])                                   \
  BINARY(shl_##W, U, SHL)                                            \
  BINARY(shr_##W, U, SHR)                                            \
  FUNCTION(rol_##W, U, U, rotate##W(a[i], b[i]))                   \
  FUNCTION(ror_##W, U, U, rotate##W(a[i], -b[i]))                  \
  FUNCTION(copy_##W, U, U, a[i])                                   \
  FUNCTION(carry_##W, U, U, (U)(a[i] + b[i]) < a[i])               \
  FUNCTION(borrow_##W, U, U, a[i] < b[i])                          \
  FUNCTION(sel_##W, U, U, x >> i & 1 ? a[i] : b[i])                \
  COMPARE(eq_##W, U, ==)                                 \
  COMPARE(ne_##W, U, !=)
EITHER_SIGN(32, u32)
EITHER_SIGN(64, u64)

#define BY_SIGN(T)                                                 \
  BINARY(min_##T, T, MIN)                                          \
  BINARY(max_##T, T, MAX)                                          \
  FUNCTION(div_##T, T, T, quotient_##T(a[i], b[i]))                     \
  FUNCTION(mod_##T, T, T, remainder_##T(a[i], b[i]))                     \
  COMPARE(gt_##T, T, >)                                  \
  COMPARE(ge_##T, T, >=)                                 \
  COMPARE(lt_##T, T, <)                                  \
  COMPARE(le_##T, T, <=)
BY_SIGN(u32)
BY_SIGN(s32)
BY_SIGN(u64)
BY_SIGN(s64)

FUNCTION(rol16_32, u32, u32, rotate16(a[i], b[i]))
FUNCTION(ror16_32, u32, u32, rotate16(a[i], -b[i]))
BINARY(asr_s32, s32, SHR)
BINARY(asr_s64, s64, SHR)
FUNCTION(abs_s32, s32, s32, a[i] < 0 ? (s32)(0u - (u32)a[i]) : a[i])
FUNCTION(abs_s64, s64, s64, a[i] < 0 ? (s64)((u64)0 - (u64)a[i]) : a[i])
FUNCTION(avg_s32, s32, s32, ((s64)a[i] + b[i] + 1) >> 1)
FUNCTION(avg_u32, u32, u32, ((u64)a[i] + b[i] + 1) >> 1)
FUNCTION(avg_s64, s64, s64, (s64)(((__int128)a[i] + b[i] + 1) >> 1))
FUNCTION(mulh_u32, u32, u32, (u64)a[i] * b[i] >> 32)
FUNCTION(mulh_s32, s32, s32, (s64)a[i] * b[i] >> 32)
/* For mixed signs and wider sources: the destination has 32 bits and takes bits 63:32 of the product. */
FUNCTION(mulh_64, u64, u64, a[i] * b[i] >> 32)
FUNCTION(madh_u32, u32, u32, ((u64)a[i] * b[i] + c[i]) >> 32)
FUNCTION(madh_s32, s32, s32, ((s64)a[i] * b[i] + c[i]) >> 32)
FUNCTION(lzd_u32, u32, u32, leading_zeros(a[i]))
FUNCTION(fbh_u32, u32, u32, first_high(a[i]))
FUNCTION(fbh_s32, s32, s32, (s32)first_high_signed(a[i]))
FUNCTION(fbl_u32, u32, u32, first_low(a[i]))
FUNCTION(cbit_u32, u32, u32, __builtin_popcount(a[i]))
FUNCTION(cbit_u64, u64, u64, __builtin_popcountll(a[i]))
FUNCTION(bfrev_u32, u32, u32, reverse(a[i]))
FUNCTION(bfe_u32, u32, u32, extract(a[i], b[i], c[i]))
FUNCTION(bfe_s32, s32, s32, extract_signed((u32)a[i], (u32)b[i], (u32)c[i]))
FUNCTION(saturating_add_u64, u64, u64, add_saturating_u64(a[i], b[i]))
FUNCTION(saturating_add_s64, s64, s64, add_saturating_s64(a[i], b[i]))
FUNCTION(saturating_mul_u64, u64, u64, mul_saturating_u64(a[i], b[i]))
FUNCTION(saturating_mul_s64, s64, s64, mul_saturating_s64(a[i], b[i]))
/* Computed in 128 bits, which hold the results of 64-bit factors and a summand, or of a shift by up to 63. */
static inline u64 clamp_u64(unsigned __int128 v) { return v > UINT64_MAX ? UINT64_MAX : (u64)v; }
static inline s64 clamp_s64(__int128 v) { return v > INT64_MAX ? INT64_MAX : v < INT64_MIN ? INT64_MIN : (s64)v; }
FUNCTION(saturating_mad_u64, u64, u64, clamp_u64((unsigned __int128)a[i] * b[i] + c[i]))
FUNCTION(saturating_mad_s64, s64, s64, clamp_s64((__int128)a[i] * b[i] + c[i]))
FUNCTION(saturating_shl_u64, u64, u64, clamp_u64((unsigned __int128)a[i] << (b[i] & 63)))
FUNCTION(saturating_shl_s64, s64, s64, clamp_s64(a[i] * ((__int128)1 << (b[i] & 63))))

static void bfn_u32(void *dv, const void *av, const void *bv, const void *cv, u32 n, u32 x) {
  A(u32) *d = dv;
  const A(u32) *a = av, *b = bv, *c = cv;
  switch (x) {
  case 0x96: CHANNELS(d[i] = a[i] ^ b[i] ^ c[i]) break;
  case 0xf8: CHANNELS(d[i] = (a[i] & b[i]) | c[i]) break;
  case 0xfe: CHANNELS(d[i] = a[i] | b[i] | c[i]) break;
  case 0x80: CHANNELS(d[i] = a[i] & b[i] & c[i]) break;
  default: LOOP(n, d[i] = boolean3(a[i], b[i], c[i], x))
  }
}

/* ---- floats ------------------------------------------------------------------------------------------------------ */

#define FLOAT(T, F)                                                          \
  BINARY(add_##T, T, ADD)                                                    \
  BINARY(mul_##T, T, MUL)                                                    \
  FUNCTION(mad_##T, T, T, __builtin_fma##F(a[i], b[i], c[i]))                \
  FUNCTION(add3_##T, T, T, a[i] + b[i] + c[i])                               \
  FUNCTION(div_##T, T, T, a[i] / b[i])                                       \
  FUNCTION(min_##T, T, T, a[i] < b[i] || b[i] != b[i] ? a[i] : b[i])         \
  FUNCTION(max_##T, T, T, a[i] > b[i] || b[i] != b[i] ? a[i] : b[i])         \
  FUNCTION(mod_##T, T, T, fmod##F(a[i], b[i]))                               \
  FUNCTION(inv_##T, T, T, 1 / a[i])                                          \
  FUNCTION(sqrt_##T, T, T, __builtin_sqrt##F(a[i]))                          \
  FUNCTION(rsqrt_##T, T, T, 1 / __builtin_sqrt##F(a[i]))                     \
  FUNCTION(frc_##T, T, T, a[i] - __builtin_floor##F(a[i]))                   \
  FUNCTION(rndd_##T, T, T, __builtin_floor##F(a[i]))                         \
  FUNCTION(rndu_##T, T, T, __builtin_ceil##F(a[i]))                          \
  FUNCTION(rndz_##T, T, T, __builtin_trunc##F(a[i]))                         \
  FUNCTION(rnde_##T, T, T, __builtin_rint##F(a[i]))                          \
  FUNCTION(log_##T, T, T, log2##F(a[i]))                                     \
  FUNCTION(exp_##T, T, T, exp2##F(a[i]))                                     \
  FUNCTION(sin_##T, T, T, sin##F(a[i]))                                      \
  FUNCTION(cos_##T, T, T, cos##F(a[i]))                                      \
  FUNCTION(pow_##T, T, T, pow##F(__builtin_fabs##F(a[i]), b[i]))             \
  FUNCTION(lrp_##T, T, T, a[i] * b[i] + (1 - a[i]) * c[i])                   \
  FUNCTION(neg_##T, T, T, -a[i])                                             \
  FUNCTION(abs_##T, T, T, __builtin_fabs##F(a[i]))                           \
  FUNCTION(clamp_##T, T, T, a[i] > 0 ? (a[i] < 1 ? a[i] : 1) : 0)            \
  COMPARE(eq_##T, T, ==)                                           \
  COMPARE(ne_##T, T, !=)                                           \
  COMPARE(gt_##T, T, >)                                            \
  COMPARE(ge_##T, T, >=)                                           \
  COMPARE(lt_##T, T, <)                                            \
  COMPARE(le_##T, T, <=)
FLOAT(f32, f)
FLOAT(f64, )

/* ---- conversions ------------------------------------------------------------------------------------------------- */

/* The exponent is rebased by a multiplication, which handles denormals too; infinities and NaNs keep theirs. */
static inline f32 from_f16(u16 h) {
  u32 magnitude = (u32)(h & 0x7fff) << 13, sign = (u32)(h & 0x8000) << 16;
  u32 special = magnitude >= 0x0f800000 ? magnitude | 0x7f800000 : 0;
  f32 scaled = og_float_of_bits(magnitude) * 0x1p112f;
  return og_float_of_bits((special ? special : og_bits_of_float(scaled)) | sign);
}

/* To half, from double, so that all float types are rounded once; `mode` as from fegetround(). */
static u16 to_f16(f64 v, int mode) {
  u16 sign = __builtin_signbit(v) ? 0x8000 : 0;
  f64 m = __builtin_fabs(v);
  if (v != v) { /* quiet, with the upper bits of its payload */
    u64 bits;
    memcpy(&bits, &v, 8);
    return sign | 0x7e00 | (u16)(bits >> 42 & 0x3ff);
  }
  if (m == (f64)INFINITY)
    return sign | 0x7c00;
  int exponent = 0;
  frexp(m, &exponent);
  if (exponent < -13)
    exponent = -13; /* denormals share the smallest exponent */
  f64 unit = ldexp(1, exponent - 11), scaled = m / unit, whole = __builtin_floor(scaled), rest = scaled - whole;
  bool up = mode == FE_TONEAREST  ? rest > 0.5 || (rest == 0.5 && fmod(whole, 2) != 0)
            : mode == FE_UPWARD   ? rest > 0 && !sign
            : mode == FE_DOWNWARD ? rest > 0 && sign
                                  : false;
  f64 r = (whole + up) * unit;
  if (r > 65504)
    return sign |
           (mode == FE_TOWARDZERO || (mode == FE_UPWARD && sign) || (mode == FE_DOWNWARD && !sign) ? 0x7bff : 0x7c00);
  if (r < 0x1p-14)
    return sign | (u16)(r * 0x1p24);
  frexp(r, &exponent);
  return sign | (u16)((exponent + 14) << 10) | (u16)((u32)ldexp(r, 11 - exponent) & 0x3ff);
}

static inline f32 from_bf16(u16 v) { return og_float_of_bits((u32)v << 16); }
static inline u16 to_bf16(f32 v) {
  u32 u = og_bits_of_float(v);
  if (v != v)
    return (u16)(u >> 16 | 0x40);
  return (u16)((u + 0x7fff + (u >> 16 & 1)) >> 16);
}

/* Float to integer drops the fraction and saturates; NaN gives 0 (vISA, Type Conversion). */
#define FLOAT_TO_INTEGER(T, low, high, above, below)               \
  static inline T f32_as_##T(f32 v) { return v != v ? 0 : v >= (f32)above ? high : v <= (f32)below ? low : (T)v; } \
  static inline T f64_as_##T(f64 v) { return v != v ? 0 : v >= (f64)above ? high : v <= (f64)below ? low : (T)v; }
FLOAT_TO_INTEGER(u8, 0, 255, 255, 0)
FLOAT_TO_INTEGER(s8, -128, 127, 127, -128)
FLOAT_TO_INTEGER(u16, 0, 65535, 65535, 0)
FLOAT_TO_INTEGER(s16, -32768, 32767, 32767, -32768)
FLOAT_TO_INTEGER(u32, 0, UINT32_MAX, 0x1p32, 0)
FLOAT_TO_INTEGER(s32, INT32_MIN, INT32_MAX, 0x1p31, -0x1p31)
FLOAT_TO_INTEGER(u64, 0, UINT64_MAX, 0x1p64, 0)
FLOAT_TO_INTEGER(s64, INT64_MIN, INT64_MAX, 0x1p63, -0x1p63)

#define INTEGER_TO(F)                                              \
  FUNCTION(F##_to_u8, u8, F, a[i])                                 \
  FUNCTION(F##_to_u16, u16, F, a[i])                               \
  FUNCTION(F##_to_u32, u32, F, a[i])                               \
  FUNCTION(F##_to_u64, u64, F, a[i])                               \
  FUNCTION(F##_to_f32, f32, F, a[i])                               \
  FUNCTION(F##_to_f64, f64, F, a[i])                               \
  static void F##_to_f16(void *dv, const void *av, const void *bv, const void *cv, u32 n, u32 x) { \
    A(u16) *d = dv;                                                \
    const A(F) *a = av, *b = bv, *c = cv;                          \
    UNUSED;                                                        \
    int mode = fegetround();                                       \
    LOOP(n, d[i] = to_f16((f64)a[i], mode))                        \
  }                                                                \
  FUNCTION(F##_to_bf16, u16, F, to_bf16((f32)a[i]))
INTEGER_TO(u8)
INTEGER_TO(s8)
INTEGER_TO(u16)
INTEGER_TO(s16)
INTEGER_TO(u32)
INTEGER_TO(s32)
INTEGER_TO(u64)
INTEGER_TO(s64)

#define FLOAT_TO(F, T, load, wide)                                     \
  FUNCTION(F##_to_u8, u8, T, wide##_as_u8(load(a[i])))                 \
  FUNCTION(F##_to_s8, s8, T, wide##_as_s8(load(a[i])))                 \
  FUNCTION(F##_to_u16, u16, T, wide##_as_u16(load(a[i])))              \
  FUNCTION(F##_to_s16, s16, T, wide##_as_s16(load(a[i])))              \
  FUNCTION(F##_to_u32, u32, T, wide##_as_u32(load(a[i])))              \
  FUNCTION(F##_to_s32, s32, T, wide##_as_s32(load(a[i])))              \
  FUNCTION(F##_to_u64, u64, T, wide##_as_u64(load(a[i])))              \
  FUNCTION(F##_to_s64, s64, T, wide##_as_s64(load(a[i])))              \
  FUNCTION(F##_to_f32, f32, T, load(a[i]))                             \
  FUNCTION(F##_to_f64, f64, T, load(a[i]))                             \
  FUNCTION(F##_to_bf16, u16, T, to_bf16((f32)load(a[i])))
#define SAME(v) v
FLOAT_TO(f16, u16, from_f16, f32)
FLOAT_TO(bf16, u16, from_bf16, f32)
FLOAT_TO(f32, f32, SAME, f32)
FLOAT_TO(f64, f64, SAME, f64)
#define FLOAT_TO_HALF(F, T, load)                                                                   \
  static void F##_to_f16(void *dv, const void *av, const void *bv, const void *cv, u32 n, u32 x) { \
    A(u16) *d = dv;                                                                                 \
    const A(T) *a = av, *b = bv, *c = cv;                                                           \
    UNUSED;                                                                                         \
    int mode = fegetround();                                                                        \
    LOOP(n, d[i] = to_f16((f64)load(a[i]), mode))                                                   \
  }
FLOAT_TO_HALF(bf16, u16, from_bf16)
FLOAT_TO_HALF(f32, f32, SAME)
FLOAT_TO_HALF(f64, f64, SAME)
FUNCTION(copy_16, u16, u16, a[i])

#define SATURATE(T, low, high)                                                                    \
  FUNCTION(s64_saturate_##T, T, s64, a[i] < (s64)low ? (s64)low : a[i] > (s64)high ? (s64)high : a[i]) \
  FUNCTION(u64_saturate_##T, T, u64, a[i] > (u64)high ? (u64)high : a[i])
SATURATE(u8, 0, UINT8_MAX)
SATURATE(s8, INT8_MIN, INT8_MAX)
SATURATE(u16, 0, UINT16_MAX)
SATURATE(s16, INT16_MIN, INT16_MAX)
SATURATE(u32, 0, UINT32_MAX)
SATURATE(s32, INT32_MIN, INT32_MAX)
FUNCTION(s64_saturate_u64, u64, s64, a[i] < 0 ? 0 : a[i])
FUNCTION(u64_saturate_s64, s64, u64, a[i] > (u64)INT64_MAX ? INT64_MAX : (s64)a[i])

#define MOVE(size, U)                                      \
  FUNCTION(broadcast_##size, U, U, a[0])                   \
  FUNCTION(blend_##size, U, U, x >> i & 1 ? a[i] : d[i])
MOVE(8, u8)
MOVE(16, u16)
MOVE(32, u32)
MOVE(64, u64)

/* Four products of bytes: the types of b (bit 0 of `x`) and c (bit 1) say which are signed. */
static void dp4a_s32(void *dv, const void *av, const void *bv, const void *cv, u32 n, u32 x) {
  A(u32) *d = dv;
  const A(u32) *a = av, *b = bv, *c = cv;
  for (u32 i = 0; i < n; i++) {
    s32 sum = 0;
    for (u32 byte = 0; byte < 4; byte++) {
      s32 p = x & 1 ? (s8)(b[i] >> 8 * byte) : (u8)(b[i] >> 8 * byte);
      s32 q = x & 2 ? (s8)(c[i] >> 8 * byte) : (u8)(c[i] >> 8 * byte);
      sum += p * q;
    }
    d[i] = a[i] + (u32)sum;
  }
}

#include "visa/alu/memory.h"

/* ---- the table --------------------------------------------------------------------------------------------------- */

#define BOTH(W, f) [OG_ALU_U##W] = f, [OG_ALU_S##W] = f
#define WIDTHS(f) {BOTH(32, f##_32), BOTH(64, f##_64)}
#define SIGNS(f) [OG_ALU_U32] = f##_u32, [OG_ALU_S32] = f##_s32, [OG_ALU_U64] = f##_u64, [OG_ALU_S64] = f##_s64
#define FLOATS(f) [OG_ALU_F32] = f##_f32, [OG_ALU_F64] = f##_f64
#define WIDTHS_FLOATS(f) {BOTH(32, f##_32), BOTH(64, f##_64), FLOATS(f)}
#define ONE_SIGNS(f, which)                                                                    \
  [OG_ALU_U32] = f##_u32##which, [OG_ALU_S32] = f##_s32##which, [OG_ALU_U64] = f##_u64##which, \
  [OG_ALU_S64] = f##_s64##which
#define ONE_FLOATS(f, which) [OG_ALU_F32] = f##_f32##which, [OG_ALU_F64] = f##_f64##which
#define CONVERT(F)                                                                                      \
  {                                                                                                     \
    [OG_ALU_U8] = F##_to_u8, [OG_ALU_S8] = F##_to_u8, [OG_ALU_U16] = F##_to_u16,                        \
    [OG_ALU_S16] = F##_to_u16, [OG_ALU_U32] = F##_to_u32, [OG_ALU_S32] = F##_to_u32,                    \
    [OG_ALU_U64] = F##_to_u64, [OG_ALU_S64] = F##_to_u64, [OG_ALU_F16] = F##_to_f16,                    \
    [OG_ALU_BF16] = F##_to_bf16, [OG_ALU_F32] = F##_to_f32, [OG_ALU_F64] = F##_to_f64                   \
  }
#define CONVERT_FLOAT(F, half, brain)                                                                   \
  {                                                                                                     \
    [OG_ALU_U8] = F##_to_u8, [OG_ALU_S8] = F##_to_s8, [OG_ALU_U16] = F##_to_u16,                        \
    [OG_ALU_S16] = F##_to_s16, [OG_ALU_U32] = F##_to_u32, [OG_ALU_S32] = F##_to_s32,                    \
    [OG_ALU_U64] = F##_to_u64, [OG_ALU_S64] = F##_to_s64, [OG_ALU_F16] = half,                          \
    [OG_ALU_BF16] = brain, [OG_ALU_F32] = F##_to_f32, [OG_ALU_F64] = F##_to_f64                         \
  }

#define ONE_SCALAR(which)                                                                                              \
  {                                                                                                                    \
    [OG_ALU_ADD] = {BOTH(32, add_32##which), BOTH(64, add_64##which), [OG_ALU_F32] = add_f32##which,                   \
                    [OG_ALU_F64] = add_f64##which},                                                                    \
    [OG_ALU_MUL] = {BOTH(32, mul_32##which), BOTH(64, mul_64##which), [OG_ALU_F32] = mul_f32##which,                   \
                    [OG_ALU_F64] = mul_f64##which},                                                                    \
    [OG_ALU_AND] = {BOTH(32, and_32##which), BOTH(64, and_64##which)},                                                 \
    [OG_ALU_OR] = {BOTH(32, or_32##which), BOTH(64, or_64##which)},                                                    \
    [OG_ALU_XOR] = {BOTH(32, xor_32##which), BOTH(64, xor_64##which)},                                                 \
    [OG_ALU_SHL] = {BOTH(32, shl_32##which), BOTH(64, shl_64##which)},                                                 \
    [OG_ALU_SHR] = {BOTH(32, shr_32##which), BOTH(64, shr_64##which)},                                                 \
    [OG_ALU_ASR] = {BOTH(32, asr_s32##which), BOTH(64, asr_s64##which)},                                               \
    [OG_ALU_MIN] = {ONE_SIGNS(min, which)},                                                                            \
    [OG_ALU_MAX] = {ONE_SIGNS(max, which)},                                                                            \
    [OG_ALU_CMP_EQ] = {BOTH(32, eq_32##which), BOTH(64, eq_64##which), ONE_FLOATS(eq, which)},                         \
    [OG_ALU_CMP_NE] = {BOTH(32, ne_32##which), BOTH(64, ne_64##which), ONE_FLOATS(ne, which)},                         \
    [OG_ALU_CMP_GT] = {ONE_SIGNS(gt, which), ONE_FLOATS(gt, which)},                                                   \
    [OG_ALU_CMP_GE] = {ONE_SIGNS(ge, which), ONE_FLOATS(ge, which)},                                                   \
    [OG_ALU_CMP_LT] = {ONE_SIGNS(lt, which), ONE_FLOATS(lt, which)},                                                   \
    [OG_ALU_CMP_LE] = {ONE_SIGNS(le, which), ONE_FLOATS(le, which)},                                                   \
  }

extern const struct og_alu OG_ALU_NAME;
const struct og_alu OG_ALU_NAME = {
    .op =
        {
            [OG_ALU_COPY] = {BOTH(32, copy_32), BOTH(64, copy_64), [OG_ALU_F32] = copy_32, [OG_ALU_F64] = copy_64},
            [OG_ALU_ADD] = WIDTHS_FLOATS(add),
            [OG_ALU_SUB] = WIDTHS(sub),
            [OG_ALU_MUL] = WIDTHS_FLOATS(mul),
            [OG_ALU_MAD] = WIDTHS_FLOATS(mad),
            [OG_ALU_ADD3] = WIDTHS_FLOATS(add3),
            [OG_ALU_MULH] = {[OG_ALU_U32] = mulh_u32, [OG_ALU_S32] = mulh_s32, BOTH(64, mulh_64)},
            [OG_ALU_MADH] = {[OG_ALU_U32] = madh_u32, [OG_ALU_S32] = madh_s32},
            [OG_ALU_AND] = WIDTHS(and),
            [OG_ALU_OR] = WIDTHS(or),
            [OG_ALU_XOR] = WIDTHS(xor),
            [OG_ALU_NOT] = WIDTHS(not),
            [OG_ALU_SHL] = WIDTHS(shl),
            [OG_ALU_SHR] = WIDTHS(shr),
            [OG_ALU_ASR] = {BOTH(32, asr_s32), BOTH(64, asr_s64)},
            [OG_ALU_ROL] = WIDTHS(rol),
            [OG_ALU_ROR] = WIDTHS(ror),
            [OG_ALU_ROL16] = {BOTH(32, rol16_32)},
            [OG_ALU_ROR16] = {BOTH(32, ror16_32)},
            [OG_ALU_MIN] = {SIGNS(min), FLOATS(min)},
            [OG_ALU_MAX] = {SIGNS(max), FLOATS(max)},
            [OG_ALU_SEL] = {BOTH(32, sel_32), BOTH(64, sel_64), [OG_ALU_F32] = sel_32, [OG_ALU_F64] = sel_64},
            [OG_ALU_AVG] = {[OG_ALU_U32] = avg_u32, [OG_ALU_S32] = avg_s32, [OG_ALU_S64] = avg_s64},
            [OG_ALU_DIV] = {SIGNS(div), FLOATS(div)},
            [OG_ALU_MOD] = {SIGNS(mod), FLOATS(mod)},
            [OG_ALU_LZD] = {BOTH(32, lzd_u32)},
            [OG_ALU_FBH] = {[OG_ALU_U32] = fbh_u32, [OG_ALU_S32] = fbh_s32},
            [OG_ALU_FBL] = {BOTH(32, fbl_u32)},
            [OG_ALU_CBIT] = {BOTH(32, cbit_u32), BOTH(64, cbit_u64)},
            [OG_ALU_BFREV] = {BOTH(32, bfrev_u32)},
            [OG_ALU_BFE] = {[OG_ALU_U32] = bfe_u32, [OG_ALU_S32] = bfe_s32},
            [OG_ALU_BFN] = {BOTH(32, bfn_u32)},
            [OG_ALU_NEG] = WIDTHS_FLOATS(neg),
            [OG_ALU_ABS] = {BOTH(32, abs_s32), BOTH(64, abs_s64), FLOATS(abs)},
            [OG_ALU_CMP_EQ] = WIDTHS_FLOATS(eq),
            [OG_ALU_CMP_NE] = WIDTHS_FLOATS(ne),
            [OG_ALU_CMP_GT] = {SIGNS(gt), FLOATS(gt)},
            [OG_ALU_CMP_GE] = {SIGNS(ge), FLOATS(ge)},
            [OG_ALU_CMP_LT] = {SIGNS(lt), FLOATS(lt)},
            [OG_ALU_CMP_LE] = {SIGNS(le), FLOATS(le)},
            [OG_ALU_CARRY] = WIDTHS(carry),
            [OG_ALU_BORROW] = WIDTHS(borrow),
            [OG_ALU_DP4A] = {BOTH(32, dp4a_s32)},
            [OG_ALU_SATURATING_ADD] = {[OG_ALU_U64] = saturating_add_u64, [OG_ALU_S64] = saturating_add_s64},
            [OG_ALU_SATURATING_MUL] = {[OG_ALU_U64] = saturating_mul_u64, [OG_ALU_S64] = saturating_mul_s64},
            [OG_ALU_SATURATING_MAD] = {[OG_ALU_U64] = saturating_mad_u64, [OG_ALU_S64] = saturating_mad_s64},
            [OG_ALU_SATURATING_SHL] = {[OG_ALU_U64] = saturating_shl_u64, [OG_ALU_S64] = saturating_shl_s64},
            [OG_ALU_FRC] = {FLOATS(frc)},
            [OG_ALU_RNDD] = {FLOATS(rndd)},
            [OG_ALU_RNDU] = {FLOATS(rndu)},
            [OG_ALU_RNDE] = {FLOATS(rnde)},
            [OG_ALU_RNDZ] = {FLOATS(rndz)},
            [OG_ALU_INV] = {FLOATS(inv)},
            [OG_ALU_LOG] = {FLOATS(log)},
            [OG_ALU_EXP] = {FLOATS(exp)},
            [OG_ALU_SQRT] = {FLOATS(sqrt)},
            [OG_ALU_RSQRT] = {FLOATS(rsqrt)},
            [OG_ALU_SIN] = {FLOATS(sin)},
            [OG_ALU_COS] = {FLOATS(cos)},
            [OG_ALU_POW] = {FLOATS(pow)},
            [OG_ALU_LRP] = {FLOATS(lrp)},
            [OG_ALU_CLAMP] = {FLOATS(clamp)},
        },
    .scalar_a = ONE_SCALAR(_a),
    .scalar_b = ONE_SCALAR(_b),
    .convert =
        {
            [OG_ALU_U8] = CONVERT(u8),
            [OG_ALU_S8] = CONVERT(s8),
            [OG_ALU_U16] = CONVERT(u16),
            [OG_ALU_S16] = CONVERT(s16),
            [OG_ALU_U32] = CONVERT(u32),
            [OG_ALU_S32] = CONVERT(s32),
            [OG_ALU_U64] = CONVERT(u64),
            [OG_ALU_S64] = CONVERT(s64),
            [OG_ALU_F16] = CONVERT_FLOAT(f16, copy_16, f16_to_bf16),
            [OG_ALU_BF16] = CONVERT_FLOAT(bf16, bf16_to_f16, bf16_to_bf16),
            [OG_ALU_F32] = CONVERT_FLOAT(f32, f32_to_f16, f32_to_bf16),
            [OG_ALU_F64] = CONVERT_FLOAT(f64, f64_to_f16, f64_to_bf16),
        },
    .saturate =
        {
            [OG_ALU_S64] = {[OG_ALU_U8] = s64_saturate_u8, [OG_ALU_S8] = s64_saturate_s8,
                            [OG_ALU_U16] = s64_saturate_u16, [OG_ALU_S16] = s64_saturate_s16,
                            [OG_ALU_U32] = s64_saturate_u32, [OG_ALU_S32] = s64_saturate_s32,
                            [OG_ALU_U64] = s64_saturate_u64, [OG_ALU_S64] = copy_64},
            [OG_ALU_U64] = {[OG_ALU_U8] = u64_saturate_u8, [OG_ALU_S8] = u64_saturate_s8,
                            [OG_ALU_U16] = u64_saturate_u16, [OG_ALU_S16] = u64_saturate_s16,
                            [OG_ALU_U32] = u64_saturate_u32, [OG_ALU_S32] = u64_saturate_s32,
                            [OG_ALU_U64] = copy_64, [OG_ALU_S64] = u64_saturate_s64},
        },
    .address_pattern = address_pattern,
    .bank_conflicts = bank_conflicts,
    .load_dwords = load_dwords,
    .store_dwords = store_dwords,
    .load_indexed = load_indexed,
    .store_indexed = store_indexed,
    .broadcast = {broadcast_8, broadcast_16, broadcast_32, broadcast_64},
    .blend = {blend_8, blend_16, blend_32, blend_64},
};
