/* vector.h - vector instructions once more: what one lane computes (vector.def), with what modifiers do to sources and
 * results, as the manuals tell it. */
#ifndef OG_VALUES_VECTOR_H
#define OG_VALUES_VECTOR_H

#include "values/real.h"

enum type { NONE, F16, BF16, F32, F64, U16, I16, U32, I32, U64, I64, V2F16, V2BF16, TYPES };
static const struct {
  uint8_t bits;
  const struct float_format *format;
  bool is_signed;
} types[TYPES] = {
    [F16] = {16, &f16_format, false}, [BF16] = {16, &bf16_format, false}, [F32] = {32, &f32_format, false},
    [F64] = {64, &f64_format, false}, [U16] = {16, NULL, false},          [I16] = {16, NULL, true},
    [U32] = {32, NULL, false},        [I32] = {32, NULL, true},           [U64] = {64, NULL, false},
    [I64] = {64, NULL, true},         [V2F16] = {32, NULL, false},        [V2BF16] = {32, NULL, false}};

enum flag {
  SIGNS = 1,    /* sources have the floats' modifiers, though they are none */
  PACKED = 2,   /* both halves, each source half chosen */
  PAIRS = 4,    /* so the first two sources, which make one result */
  MIX = 8,      /* f32 sources that may be halves of registers */
  BFLOATS = 16, /* those are bfloats */
  HIGH = 32,    /* to the high half */
  KEEP = 64,    /* gfx9 leaves the other half as it was */
  FLUSH = 128,  /* denormals are zeros, whatever MODE says */
  NEAR = 256,   /* to one unit in the last place */
  EITHER = 512, /* chooses among its sources */
  RAW = 1024,   /* denormals are never zeros */
  SIGNED01 = 2048,
  WIDE_PAIR = 4096, /* two of 32 bits side by side */
  FLUSH_SOURCES = 8192,
};

/* What a lane's computation sees and tells. */
struct input {
  const struct row *row;
  uint64_t bits[3], old;
  i128 whole[3], old_whole;
  struct real real[3], old_real;
  unsigned lane, mode, table;
  bool clamp, carry_in;
  bool carry_out, twice; /* told: the mask's bit; that the result is rounded once more than its text says */
};
enum kind { REAL_RESULT, INT_RESULT, BITS_RESULT };
struct result {
  struct real real;
  i128 whole;
  uint64_t bits;
};
struct row {
  const char *name;
  uint8_t kind, result, source[3];
  unsigned flags;
  struct result (*compute)(struct input *in);
};

/* ---- MODE -------------------------------------------------------------------------------------------------------- */

static inline bool is_bfloat(enum type t) { return t == BF16 || t == V2BF16; }
static inline enum rounding rounding_of(unsigned mode, enum type t) {
  return is_bfloat(t) ? ROUND_EVEN : (enum rounding)(t == F32 ? mode & 3 : mode >> 2 & 3);
}
static inline bool keeps_inputs(unsigned mode, enum type t) { return is_bfloat(t) || mode >> (t == F32 ? 4 : 6) & 1; }
static inline bool keeps_results(unsigned mode, enum type t) { return is_bfloat(t) || mode >> (t == F32 ? 5 : 7) & 1; }
static inline bool never_infinite(unsigned mode, enum type t) { return (t == F16 || is_bfloat(t)) && mode >> 23 & 1; }

static inline uint64_t bits_as(enum type t, struct real x, unsigned mode, unsigned flags, bool *tiny) {
  bool keeps = flags & RAW || (keeps_results(mode, t) && !(flags & FLUSH));
  return real_to_bits(types[t].format, x, rounding_of(mode, t), keeps, never_infinite(mode, t), tiny);
}
static inline struct real rounded_as(enum type t, struct real x, unsigned mode, unsigned flags) {
  return real_of_bits(types[t].format, bits_as(t, x, mode, flags, NULL), true);
}

/* ---- what expressions use ---------------------------------------------------------------------------------------- */

#define A in->real[0]
#define B in->real[1]
#define C in->real[2]
#define O in->old_real
#define a in->whole[0]
#define b in->whole[1]
#define c in->whole[2]
#define ua in->bits[0]
#define ub in->bits[1]
#define uc in->bits[2]
#define uo in->old
#define CI in->carry_in
#define ONE real_of_int(1)
#define HALF real_scaled(ONE, -1)
#define sum(x, y)                                                                                                      \
  real_add_in(x, y, rounding_of(in->mode, (enum type)(in->row->flags & MIX ? F32 : in->row->result)) == ROUND_DOWN)

static inline bool is_zero(struct real x) { return x.kind == REAL_ZERO; }
static inline i128 lesser(i128 x, i128 y) { return x < y ? x : y; }
static inline i128 greater(i128 x, i128 y) { return x < y ? y : x; }
static inline i128 bounded(i128 x, i128 low, i128 high) { return x < low ? low : x > high ? high : x; }
static inline i128 clamped_below(struct input *in, i128 x) { return in->clamp && x < 0 ? 0 : x; }
static inline i128 cut(struct real x, i128 low, i128 high) { return real_to_int(x, ROUND_ZERO, low, high); }
static inline uint64_t two(i128 low, i128 high) { return ((uint64_t)low & 0xffff) | ((uint64_t)high & 0xffff) << 16; }
static inline i128 low24(uint64_t x) { return (int32_t)((uint32_t)x << 8) >> 8; }
static inline uint64_t ones(uint64_t x) {
  uint64_t count = 0;
  for (; x; x >>= 1)
    count += x & 1;
  return count;
}
static inline i128 sorted(i128 x, i128 y, i128 z, int which) {
  i128 low = lesser(lesser(x, y), z), high = greater(greater(x, y), z);
  return which == 0 ? low : which == 2 ? high : x + y + z - low - high;
}
static inline i128 carries(struct input *in, i128 exact) {
  unsigned bits = types[in->row->result].bits;
  bool is_signed = types[in->row->result].is_signed;
  i128 low = is_signed ? -((i128)1 << (bits - 1)) : 0, high = ((i128)1 << (bits - is_signed)) - 1;
  in->carry_out = exact < low || exact > high;
  return exact;
}
static inline i128 normalized(struct real x, int scale, int low) {
  if (x.kind == REAL_NAN)
    return 0;
  if (real_compare(x, ONE) == 1)
    x = ONE;
  if (real_compare(x, real_of_int(low)) == -1)
    x = real_of_int(low);
  return real_to_int(real_mul(x, real_of_int(scale)), ROUND_EVEN, -32768, 65535);
}
static inline i128 cut_half(struct real x) { return real_to_bits(&f16_format, x, ROUND_ZERO, true, false, NULL); }
static inline i128 as_half(struct input *in, struct real x) { return bits_as(F16, x, in->mode, 0, NULL); }
static inline i128 as_bfloat(struct real x) { return real_to_bits(&bf16_format, x, ROUND_EVEN, true, false, NULL); }
static inline uint64_t with_byte(uint64_t of, uint64_t at, uint64_t byte) {
  unsigned shift = 8 * (unsigned)(at & 3);
  return (of & ~((uint64_t)255 << shift)) | (byte & 255) << shift;
}
static inline uint64_t differences(uint64_t x, uint64_t y, unsigned bits, bool masked) {
  uint64_t total = 0, mask = ((uint64_t)1 << bits) - 1;
  for (unsigned at = 0; at < 32; at += bits) {
    uint64_t p = x >> at & mask, q = y >> at & mask;
    if (!masked || q)
      total += p > q ? p - q : q - p;
  }
  return total;
}
static inline uint64_t sad_windows(uint64_t x, uint64_t y, uint64_t z, bool masked) {
  uint64_t out = 0;
  for (unsigned i = 0; i < 4; i++)
    out |= ((differences(x >> 8 * i & UINT32_MAX, y, 8, masked) + (z >> 16 * i)) & 0xffff) << 16 * i;
  return out;
}
static inline uint64_t averages(uint64_t x, uint64_t y, uint64_t z) {
  uint64_t out = 0;
  for (unsigned at = 0; at < 32; at += 8)
    out |= ((x >> at & 255) + (y >> at & 255) + (z >> at & 1)) / 2 << at;
  return out;
}
static inline uint64_t signed_field(i128 x, unsigned offset, unsigned width) {
  i128 field = x >> offset & (((i128)1 << width) - 1);
  return (uint64_t)(width && field >> (width - 1) & 1 ? field - ((i128)1 << width) : field);
}
static inline uint64_t reversed(uint64_t x, unsigned bits) {
  uint64_t out = 0;
  for (unsigned i = 0; i < bits; i++)
    out |= (x >> i & 1) << (bits - 1 - i);
  return out;
}
static inline uint64_t zeros_above(uint64_t x, unsigned bits) {
  for (unsigned i = 0; i < bits; i++)
    if (x >> (bits - 1 - i) & 1)
      return i;
  return UINT64_MAX;
}
static inline uint64_t zeros_below(uint64_t x, unsigned bits) {
  for (unsigned i = 0; i < bits; i++)
    if (x >> i & 1)
      return i;
  return UINT64_MAX;
}
static inline uint64_t signs_above(uint64_t x, unsigned bits) {
  bool sign = x >> (bits - 1) & 1;
  uint64_t mask = bits == 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
  return zeros_above(sign ? ~x & mask : x, bits);
}
static inline uint64_t permuted(uint64_t from, uint64_t selectors) {
  uint64_t out = 0;
  for (unsigned i = 0; i < 4; i++) {
    unsigned select = selectors >> 8 * i & 255;
    uint64_t byte = select > 12    ? 255
                    : select == 12 ? 0
                    : select > 7   ? (from >> (16 * (select - 8) + 15) & 1 ? 255 : 0)
                                   : from >> 8 * select & 255;
    out |= byte << 8 * i;
  }
  return out;
}
static inline uint64_t by_table(uint64_t x, uint64_t y, uint64_t z, unsigned table) {
  uint64_t out = 0;
  for (unsigned i = 0; i < 32; i++)
    out |= (uint64_t)(table >> ((x >> i & 1) << 2 | (y >> i & 1) << 1 | (z >> i & 1)) & 1) << i;
  return out;
}
static inline uint64_t nibbles(uint64_t x, bool is_signed) {
  uint64_t out = 0;
  for (unsigned i = 0; i < 4; i++)
    out |= (uint64_t)(is_signed ? bounded((int8_t)(x >> 8 * i), -8, 7) & 15 : bounded(x >> 8 * i & 255, 0, 15))
           << 4 * i;
  return out;
}
static inline i128 products(uint64_t x, uint64_t y, unsigned bits, bool sign_x, bool sign_y) {
  i128 total = 0;
  for (unsigned at = 0; at < 32; at += bits) {
    i128 p = x >> at & ((1u << bits) - 1), q = y >> at & ((1u << bits) - 1);
    total += (sign_x && p >> (bits - 1) ? p - (1 << bits) : p) * (sign_y && q >> (bits - 1) ? q - (1 << bits) : q);
  }
  return total;
}

/* ---- floats ------------------------------------------------------------------------------------------------------ */

static inline struct real round_to(struct input *in, struct real x) {
  return rounded_as((enum type)in->row->result, x, in->mode, in->row->flags);
}
static inline struct real round_f32(struct input *in, struct real x) {
  bool tiny; /* before it was rounded: flushed, or not */
  uint64_t bits = bits_as(F32, x, in->mode, 0, &tiny);
  in->twice = tiny || (is_denormal_bits(&f32_format, bits) && !keeps_inputs(in->mode, F32)); /* is it then a source? */
  return real_of_bits(&f32_format, bits, true);
}
static inline struct real twice_rounded(struct input *in, struct real x, struct real y, struct real z) {
  return sum(round_to(in, real_mul(x, y)), z);
}
static inline struct real twice_rounded_f32(struct input *in, struct real x, struct real y, struct real z) {
  bool down = (in->mode & 3) == ROUND_DOWN;
  struct real product = rounded_as(F32, real_mul(x, y), in->mode, FLUSH);
  return rounded_as(F32, real_add_in(product, z, down), in->mode, FLUSH);
}
static inline struct real legacy_mul(struct real x, struct real y) {
  return is_zero(x) || is_zero(y) ? real_zero(false) : real_mul(x, y);
}
static inline struct real mullit(struct real x, struct real y, struct real z) {
  struct real lowest = real_of_bits(&f32_format, 0xff7fffff, true);
  return real_compare(y, lowest) == 1 && real_compare(z, real_zero(false)) == 1 ? legacy_mul(x, y) : lowest;
}
/* -0 is less than 0 here. In IEEE mode a signaling NaN comes through. */
static inline struct real choose(struct input *in, struct real x, struct real y, int wanted) {
  bool halves = in->row->result == F16 || in->row->result == BF16; /* docs/exactness.md */
  if (!halves && in->mode >> 9 & 1 && (x.signaling || y.signaling))
    return real_nan();
  if (x.kind == REAL_NAN || y.kind == REAL_NAN)
    return x.kind == REAL_NAN ? y : x;
  int order = real_compare(x, y);
  if (order == 0)
    order = y.negative - x.negative;
  return order == -wanted ? y : x;
}
static inline struct real least(struct input *in, struct real x, struct real y) { return choose(in, x, y, -1); }
static inline struct real most(struct input *in, struct real x, struct real y) { return choose(in, x, y, 1); }
static inline struct real minimum(struct input *in, struct real x, struct real y) {
  return x.kind == REAL_NAN || y.kind == REAL_NAN ? real_nan() : least(in, x, y);
}
static inline struct real maximum(struct input *in, struct real x, struct real y) {
  return x.kind == REAL_NAN || y.kind == REAL_NAN ? real_nan() : most(in, x, y);
}
static inline struct real middle(struct input *in, struct real x, struct real y, struct real z) {
  if (x.kind == REAL_NAN || y.kind == REAL_NAN || z.kind == REAL_NAN)
    return least(in, least(in, x, y), z);
  struct real highest = most(in, most(in, x, y), z); /* in the manual's words, for which -0 equals 0 */
  return real_compare(highest, x) == 0   ? most(in, y, z)
         : real_compare(highest, y) == 0 ? most(in, x, z)
                                         : most(in, x, y);
}
static inline struct real fraction(struct input *in, struct real x) {
  if (x.kind == REAL_INFINITE)
    return real_nan();
  const struct float_format *f = types[in->row->result].format;
  uint64_t below_one = ((uint64_t)format_bias(f) << f->fraction) - 1;
  struct real highest = real_of_bits(f, below_one, true);
  struct real part = round_to(in, sum(x, real_neg(real_rint(x, ROUND_DOWN))));
  return real_compare(part, highest) == 1 ? highest : part;
}
static inline i128 exponent_of(struct real x) { return x.kind == REAL_FINITE ? x.exponent + REAL_TOP + 1 : 0; }
static inline struct real mantissa_of(struct real x) {
  return x.kind == REAL_FINITE ? real_scaled(x, -(x.exponent + REAL_TOP + 1)) : x;
}
static inline struct real of_function(long double (*f)(long double), struct real x) {
  long double argument = real_to_long_double(x);
  if (x.kind == REAL_FINITE && f == exp2l) /* too large for any format, and yet finite */
    argument = argument > 16000 ? 16000 : argument < -16000 ? -16000 : argument;
  return real_of_long_double(f(argument));
}
static inline struct real inverse_root(struct real x) {
  if (x.kind != REAL_FINITE || x.negative)
    return is_zero(x) ? real_infinity(x.negative) : x.negative || x.kind == REAL_NAN ? real_nan() : real_zero(false);
  return real_of_long_double(1 / sqrtl(real_to_long_double(x)));
}
static inline struct real rounded_twice(struct input *in, struct real x) { return in->twice = true, x; }
/* Of turns; beyond 256 of them what they are at 0. */
static inline struct real angle(struct real x, bool is_cosine) {
  if (x.kind == REAL_NAN || x.kind == REAL_INFINITE)
    return real_nan();
  long double turns = fabsl(real_to_long_double(x)), pi = 3.14159265358979323846264338327950288L;
  if (is_zero(x) && !is_cosine)
    return x;
  if (turns > 256)
    turns = 0;
  long double part = turns - floorl(turns);
  long double eighth = floorl(part * 4) / 4, rest = (part - eighth) * 2 * pi; /* exact where it is a zero or a one */
  int quarter = (int)(eighth * 4) + is_cosine;
  long double s = sinl(rest), cs = cosl(rest);
  long double value = quarter % 4 == 0 ? s : quarter % 4 == 1 ? cs : quarter % 4 == 2 ? -s : -cs;
  return real_of_long_double(value == 0 ? 0 : x.negative && !is_cosine ? -value : value);
}
static inline struct real sine(struct real x) { return angle(x, false); }
static inline struct real cosine(struct real x) { return angle(x, true); }
static inline struct real largest_if_infinite(struct input *in, struct real x) {
  const struct float_format *f = types[in->row->result].format;
  if (x.kind != REAL_INFINITE)
    return x;
  return real_of_bits(f, (format_infinity(f) - 1) | (x.negative ? format_sign(f) : 0), true);
}
static inline struct real zero_if_infinite(struct input *in, struct real x) {
  struct real y = round_to(in, x);
  return y.kind == REAL_INFINITE ? real_zero(y.negative) : x;
}
static inline bool reaches(struct real x, struct real y) {
  int order = real_compare(real_abs(x), real_abs(y));
  return order == 0 || order == 1;
}
static inline struct real cube(struct real x, struct real y, struct real z, char what) {
  bool by_z = reaches(z, x) && reaches(z, y), by_y = !by_z && reaches(y, x);
  struct real major = by_z ? z : by_y ? y : x;
  bool below = major.negative && !is_zero(major) && major.kind != REAL_NAN;
  if (what == 'i')
    return real_of_int((by_z ? 4 : by_y ? 2 : 0) + below);
  if (what == 'm')
    return real_scaled(major, 1);
  if (what == 's')
    return by_z ? (below ? real_neg(x) : x) : by_y ? x : below ? z : real_neg(z);
  return by_y ? (below ? real_neg(z) : z) : real_neg(y);
}

/* ---- division ("Vega" ISA, V_DIV_*; where the manual is silent, docs/exactness.md) ------------------------------- */

static inline int stored_exponent(const struct float_format *f, uint64_t bits) {
  return (int)((bits & (format_sign(f) - 1)) >> f->fraction);
}
static inline struct real div_fmas(struct input *in, struct real x, struct real y, struct real z) {
  const struct float_format *f = types[in->row->result].format;
  struct real fused = sum(real_mul(x, y), z);
  if (!in->carry_in)
    return fused;
  int by = f->fraction == 23 ? 64 : 128;
  bool up = stored_exponent(f, in->bits[2]) > format_bias(f);
  if (f->fraction == 52)
    in->twice = true, fused = rounded_as(F64, fused, in->mode, 0);
  return fused.kind == REAL_FINITE ? real_scaled(fused, up ? by : -by) : fused;
}
static inline struct real div_fixup(struct input *in, struct real quotient, struct real below, struct real above) {
  const struct float_format *f = types[in->row->result].format;
  bool negative = below.negative != above.negative;
  int gap = stored_exponent(f, above.kind == REAL_ZERO ? 0 : in->bits[2]) -
            stored_exponent(f, below.kind == REAL_ZERO ? 0 : in->bits[1]);
  if (above.kind == REAL_NAN || below.kind == REAL_NAN || (above.kind == REAL_ZERO && below.kind == REAL_ZERO) ||
      (above.kind == REAL_INFINITE && below.kind == REAL_INFINITE))
    return real_nan();
  if (below.kind == REAL_ZERO || above.kind == REAL_INFINITE)
    return real_infinity(negative);
  if (below.kind == REAL_INFINITE || above.kind == REAL_ZERO)
    return real_zero(negative);
  if (f->fraction == 23 ? gap < -150 : f->fraction == 52 && gap < -1075)
    return real_zero(negative);
  if (quotient.kind == REAL_NAN && (f->fraction == 23 ? gap >= 96 : f->fraction == 52 && gap >= 768))
    return real_infinity(negative);
  quotient.negative = negative;
  return quotient;
}
static inline struct real div_scale(struct input *in, struct real x, struct real below, struct real above) {
  const struct float_format *f = types[in->row->result].format;
  bool wide = f->fraction == 52;
  int by = wide ? 128 : 64, gap = stored_exponent(f, in->bits[2]) - stored_exponent(f, in->bits[1]);
  struct real least_normal = real_scaled(ONE, 1 - format_bias(f));
  struct real inverse = real_abs(real_div(ONE, below)), quotient = real_abs(real_div(above, below));
  bool inverse_tiny = inverse.kind == REAL_FINITE && real_compare(inverse, least_normal) == -1;
  bool quotient_tiny = quotient.kind == REAL_FINITE && real_compare(quotient, least_normal) == -1;
  bool is_below = real_compare(x, below) == 0, is_above = real_compare(x, above) == 0;
  in->carry_out = false;
  if (is_zero(below) || is_zero(above))
    return real_nan();
  struct real up = x.kind == REAL_FINITE ? real_scaled(x, by) : x,
              down = x.kind == REAL_FINITE ? real_scaled(x, -by) : x;
  if (gap >= (wide ? 768 : 96)) { /* the quotient overflows or nearly */
    in->carry_out = true;
    return is_below ? up : x;
  }
  if (is_denormal_bits(f, in->bits[1]))
    return up;
  if (inverse_tiny && quotient_tiny) {
    in->carry_out = true;
    return is_below ? down : x;
  }
  if (inverse_tiny)
    return down;
  if (quotient_tiny) {
    in->carry_out = true;
    return is_above ? up : x;
  }
  return stored_exponent(f, in->bits[2]) <= (wide ? 53 : 23) ? up : x;
}

/* ---- the rows ---------------------------------------------------------------------------------------------------- */

#define REAL(name, d, s0, s1, s2, flags, x)                                                                            \
  static struct result compute_##name(struct input *in) { return (struct result){.real = (x)}; }
#define INT(name, d, s0, s1, s2, flags, x)                                                                             \
  static struct result compute_##name(struct input *in) { return (struct result){.whole = (x)}; }
#define BITS(name, d, s0, s1, s2, flags, x)                                                                            \
  static struct result compute_##name(struct input *in) { return (struct result){.bits = (x)}; }
#define WIDE(name, d, s0, s1, s2, flags, x) REAL(name, d, s0, s1, s2, flags, x)
#include "values/vector.def"
#undef REAL
#undef INT
#undef BITS
#undef WIDE
#undef A
#undef B
#undef C
#undef O
#undef a
#undef b
#undef c
#undef ua
#undef ub
#undef uc
#undef uo
#undef CI
#undef sum

#define REAL(name, d, s0, s1, s2, flags, x) {#name, REAL_RESULT, d, {s0, s1, s2}, flags, compute_##name},
#define INT(name, d, s0, s1, s2, flags, x) {#name, INT_RESULT, d, {s0, s1, s2}, flags, compute_##name},
#define BITS(name, d, s0, s1, s2, flags, x) {#name, BITS_RESULT, d, {s0, s1, s2}, flags, compute_##name},
#define WIDE(name, d, s0, s1, s2, flags, x) {#name, REAL_RESULT, d, {s0, s1, s2}, (flags) | WIDE_PAIR, compute_##name},
static const struct row vector_rows[] = {
#include "values/vector.def"
};
#undef REAL
#undef INT
#undef BITS
#undef WIDE

#endif
