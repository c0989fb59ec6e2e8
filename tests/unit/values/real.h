/* real.h - numbers as the manuals mean them: exact until they are rounded, once. The reference's own arithmetic, which
 * shares nothing with the executor. */
#ifndef OG_VALUES_REAL_H
#define OG_VALUES_REAL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

enum real_kind { REAL_ZERO, REAL_FINITE, REAL_INFINITE, REAL_NAN };

/* mantissa * 2^exponent, and with `more` a little above that: less than one of its last place. Of finite ones the
 * mantissa's highest bit is REAL_TOP. */
struct real {
  enum real_kind kind;
  bool negative, more, signaling;
  int exponent;
  u128 mantissa;
};
enum { REAL_TOP = 123 };

struct float_format {
  int fraction, exponent_bits;
};
static const struct float_format f16_format = {10, 5}, bf16_format = {7, 8}, f32_format = {23, 8},
                                 f64_format = {52, 11};
enum rounding { ROUND_EVEN, ROUND_UP, ROUND_DOWN, ROUND_ZERO };

static inline int format_bias(const struct float_format *f) { return (1 << (f->exponent_bits - 1)) - 1; }
static inline int format_width(const struct float_format *f) { return 1 + f->fraction + f->exponent_bits; }
static inline uint64_t format_infinity(const struct float_format *f) {
  return (((uint64_t)1 << f->exponent_bits) - 1) << f->fraction;
}
static inline uint64_t format_sign(const struct float_format *f) { return (uint64_t)1 << (format_width(f) - 1); }

static inline struct real real_zero(bool negative) { return (struct real){.kind = REAL_ZERO, .negative = negative}; }
static inline struct real real_infinity(bool negative) {
  return (struct real){.kind = REAL_INFINITE, .negative = negative};
}
static inline struct real real_nan(void) { return (struct real){.kind = REAL_NAN}; }

static inline struct real real_made(bool negative, u128 mantissa, int exponent, bool more) {
  struct real x = {.kind = REAL_FINITE, .negative = negative, .more = more};
  if (!mantissa)
    return real_zero(negative);
  while (mantissa >> (REAL_TOP + 1))
    x.more |= mantissa & 1, mantissa >>= 1, exponent++;
  while (!(mantissa >> REAL_TOP))
    mantissa <<= 1, exponent--;
  x.mantissa = mantissa, x.exponent = exponent;
  return x;
}
static inline struct real real_of_int(i128 x) { return real_made(x < 0, x < 0 ? -(u128)x : (u128)x, 0, false); }

static inline bool is_denormal_bits(const struct float_format *f, uint64_t bits) {
  return !(bits & format_infinity(f)) && bits & (((uint64_t)1 << f->fraction) - 1);
}
static inline struct real real_of_bits(const struct float_format *f, uint64_t bits, bool keeps_denormals) {
  uint64_t size = bits & (format_sign(f) - 1), infinity = format_infinity(f);
  uint64_t fraction = bits & (((uint64_t)1 << f->fraction) - 1);
  bool negative = bits >> (format_width(f) - 1) & 1;
  if (size > infinity)
    return (struct real){.kind = REAL_NAN, .negative = negative, .signaling = !(fraction >> (f->fraction - 1))};
  if (size == infinity)
    return real_infinity(negative);
  int exponent = (int)(size >> f->fraction);
  if (!exponent && (!keeps_denormals || !fraction))
    return real_zero(negative);
  u128 mantissa = exponent ? fraction | (uint64_t)1 << f->fraction : fraction;
  return real_made(negative, mantissa, (exponent ? exponent : 1) - format_bias(f) - f->fraction, false);
}

/* ---- rounding ---------------------------------------------------------------------------------------------------- */

/* The mantissa in units of 2^unit, rounded. */
static inline u128 real_in_units(const struct real *x, int unit, enum rounding rounding) {
  int drop = unit - x->exponent;
  u128 kept = drop > 127 ? 0 : drop > 0 ? x->mantissa >> drop : x->mantissa << -drop;
  bool half = drop > 0 && drop <= 128 && x->mantissa >> (drop - 1) & 1;
  bool rest = x->more || (drop > 128 ? true : drop > 1 && x->mantissa & (((u128)1 << (drop - 1)) - 1));
  bool inexact = half || rest;
  bool away = rounding == ROUND_EVEN   ? half && (rest || (kept & 1))
              : rounding == ROUND_UP   ? inexact && !x->negative
              : rounding == ROUND_DOWN ? inexact && x->negative
                                       : false;
  return kept + away;
}

/* Bits of x. Results whose magnitude is below the smallest normal are zeros where denormals are not kept; `*tiny`,
 * which may be NULL: documents do not say whether that is decided before or after rounding, and here it makes a
 * difference. */
static inline uint64_t real_to_bits(const struct float_format *f, struct real x, enum rounding rounding,
                                    bool keeps_denormals, bool never_infinite, bool *tiny) {
  uint64_t sign = x.negative ? format_sign(f) : 0, infinity = format_infinity(f);
  if (tiny)
    *tiny = false;
  if (x.kind == REAL_NAN)
    return infinity | (uint64_t)1 << (f->fraction - 1);
  if (x.kind == REAL_INFINITE)
    return sign | infinity;
  if (x.kind == REAL_ZERO)
    return sign;
  int top = x.exponent + REAL_TOP, least = 1 - format_bias(f);
  int unit = (top < least ? least : top) - f->fraction;
  u128 units = real_in_units(&x, unit, rounding);
  if (units >> (f->fraction + 1))
    units >>= 1, unit++;
  bool normal = units >> f->fraction != 0;
  if (!keeps_denormals && !normal)
    return sign;
  if (!keeps_denormals && top < least && tiny)
    *tiny = true;
  uint64_t size = normal ? (uint64_t)(unit + f->fraction + format_bias(f)) << f->fraction : 0;
  size += (uint64_t)units & (((uint64_t)1 << f->fraction) - 1);
  if (normal && unit + f->fraction > format_bias(f)) {
    bool to_largest = never_infinite || rounding == ROUND_ZERO || (rounding == ROUND_UP && x.negative) ||
                      (rounding == ROUND_DOWN && !x.negative);
    size = to_largest ? infinity - 1 : infinity;
  }
  return sign | size;
}

/* ---- arithmetic -------------------------------------------------------------------------------------------------- */

static inline struct real real_neg(struct real x) { return x.negative = !x.negative, x; }
static inline struct real real_abs(struct real x) { return x.negative = false, x; }

static inline int real_compare_size(struct real a, struct real b) { /* finite or zero or infinite; not NaN */
  if (a.kind != b.kind)
    return a.kind < b.kind ? -1 : 1;
  if (a.kind != REAL_FINITE)
    return 0;
  if (a.exponent != b.exponent)
    return a.exponent < b.exponent ? -1 : 1;
  return a.mantissa < b.mantissa ? -1 : a.mantissa > b.mantissa;
}
/* -1, 0, 1; NaN compares with nothing: 2. */
static inline int real_compare(struct real a, struct real b) {
  if (a.kind == REAL_NAN || b.kind == REAL_NAN)
    return 2;
  if (a.kind == REAL_ZERO && b.kind == REAL_ZERO)
    return 0;
  if (a.negative != b.negative)
    return a.negative ? -1 : 1;
  return a.negative ? -real_compare_size(a, b) : real_compare_size(a, b);
}

/* `down`: the rounding mode, of which the sign of a sum that is zero depends. */
static inline struct real real_add_in(struct real a, struct real b, bool down) {
  if (a.kind == REAL_NAN || b.kind == REAL_NAN)
    return real_nan();
  if (a.kind == REAL_INFINITE || b.kind == REAL_INFINITE)
    return a.kind == b.kind && a.negative != b.negative ? real_nan() : a.kind == REAL_INFINITE ? a : b;
  if (a.kind == REAL_ZERO && b.kind == REAL_ZERO)
    return real_zero(a.negative == b.negative ? a.negative : down);
  if (a.kind == REAL_ZERO || b.kind == REAL_ZERO)
    return a.kind == REAL_ZERO ? b : a;
  if (real_compare_size(a, b) < 0) {
    struct real c = a;
    a = b, b = c;
  }
  int shift = a.exponent - b.exponent;
  u128 low = shift > 127 ? 0 : b.mantissa >> shift;
  bool lost = b.more || (shift > 127 ? true : shift > 0 && b.mantissa & (((u128)1 << shift) - 1));
  if (a.negative == b.negative)
    return real_made(a.negative, a.mantissa + low, a.exponent, a.more || lost);
  u128 rest = a.mantissa - low - lost;
  if (!rest && !lost)
    return real_zero(down);
  return real_made(a.negative, rest, a.exponent, lost || a.more);
}

static inline struct real real_mul(struct real a, struct real b) {
  bool negative = a.negative != b.negative;
  if (a.kind == REAL_NAN || b.kind == REAL_NAN)
    return real_nan();
  if (a.kind == REAL_INFINITE || b.kind == REAL_INFINITE)
    return a.kind == REAL_ZERO || b.kind == REAL_ZERO ? real_nan() : real_infinity(negative);
  if (a.kind == REAL_ZERO || b.kind == REAL_ZERO)
    return real_zero(negative);
  int shift = REAL_TOP - 60; /* 61 bits of each: factors have 53 at most */
  return real_made(negative, (a.mantissa >> shift) * (b.mantissa >> shift), a.exponent + b.exponent + 2 * shift, false);
}

static inline struct real real_div(struct real a, struct real b) {
  bool negative = a.negative != b.negative;
  if (a.kind == REAL_NAN || b.kind == REAL_NAN || (a.kind == REAL_INFINITE && b.kind == REAL_INFINITE) ||
      (a.kind == REAL_ZERO && b.kind == REAL_ZERO))
    return real_nan();
  if (a.kind == REAL_INFINITE || b.kind == REAL_ZERO)
    return real_infinity(negative);
  if (a.kind == REAL_ZERO || b.kind == REAL_INFINITE)
    return real_zero(negative);
  int shift = REAL_TOP - 55;
  u128 divisor = b.mantissa >> shift, quotient = a.mantissa / divisor;
  return real_made(negative, quotient, a.exponent - b.exponent - shift, a.mantissa % divisor != 0);
}

static inline struct real real_sqrt(struct real x) {
  if (x.kind == REAL_NAN || (x.negative && x.kind != REAL_ZERO))
    return real_nan();
  if (x.kind != REAL_FINITE)
    return x;
  u128 m = x.mantissa, root = 0;
  int e = x.exponent;
  if (e & 1)
    m <<= 1, e--;
  for (u128 bit = (u128)1 << 63; bit; bit >>= 1)
    if ((root | bit) * (root | bit) <= m)
      root |= bit;
  return real_made(false, root, e / 2, root * root != m);
}

static inline struct real real_scaled(struct real x, int by) { return x.exponent += by, x; }

/* To a whole number. */
static inline struct real real_rint(struct real x, enum rounding rounding) {
  if (x.kind != REAL_FINITE || x.exponent >= 0)
    return x;
  return real_made(x.negative, real_in_units(&x, 0, rounding), 0, false);
}
/* Cut off; what does not fit is the nearest number that does, NaN is 0. */
static inline i128 real_to_int(struct real x, enum rounding rounding, i128 least, i128 most) {
  if (x.kind == REAL_NAN || x.kind == REAL_ZERO)
    return 0;
  if (x.kind == REAL_INFINITE || x.exponent + REAL_TOP > 100)
    return x.negative ? least : most;
  u128 size = real_in_units(&x, 0, rounding);
  i128 value = x.negative ? -(i128)size : (i128)size;
  return value < least ? least : value > most ? most : value;
}

static inline long double real_to_long_double(struct real x) {
  if (x.kind == REAL_NAN)
    return NAN;
  long double size = x.kind == REAL_ZERO       ? 0
                     : x.kind == REAL_INFINITE ? INFINITY
                                               : ldexpl((long double)(uint64_t)(x.mantissa >> 60), x.exponent + 60);
  return x.negative ? -size : size;
}
static inline struct real real_of_long_double(long double x) {
  int exponent;
  if (isnan(x))
    return real_nan();
  if (isinf(x))
    return real_infinity(x < 0);
  if (x == 0)
    return real_zero(signbit(x));
  long double mantissa = frexpl(fabsl(x), &exponent);
  return real_made(x < 0, (u128)(uint64_t)ldexpl(mantissa, 64), exponent - 64, false);
}

#endif
