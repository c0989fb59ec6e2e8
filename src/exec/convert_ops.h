/* convert_ops.h - conversions between float formats for one host instruction set: the whole of convert_v4.c,
 * convert_v3.c and convert_base.c, which define OG_VARIANT_NAME. Value after value, each for all lanes at once. */
#include <string.h>

#include "exec/convert.h"
#include "exec/lane_small.h"

#define OG_JOIN_(a, b) a##_##b
#define OG_JOIN(a, b) OG_JOIN_(a, b)
#define OG_VARIANT(name) OG_JOIN(name, OG_VARIANT_NAME)

#if defined __clang__
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (int lane = 0; lane < OG_LANES; lane++)
#else
#define EACH_LANE _Pragma("GCC ivdep") for (int lane = 0; lane < OG_LANES; lane++)
#endif
#define og_aligned _Alignas(64)

/* ---- small formats ----------------------------------------------------------------------------------------------- */

/* By bits: of choices within choices gcc makes branches, and no vectors. */
OG_LANE u32 pick(bool which, u32 x, u32 y) { return (x & (0 - (u32)which)) | (y & ((u32)which - 1)); }
/* What og_small_to_float() makes of a format, found once. What a format has no bits for stands at NOWHERE. */
enum { NOWHERE = 0x10000 };
struct small_source {
  /* bits but the sign; then as an f32 has them; all but the sign */
  u32 width, up, bias, least, infinite, least_nan, minus_zero;
  f32 unit;
};
static struct small_source source_of(const struct og_small_float *f) {
  struct small_source s = {.width = f->exponent_bits + f->mantissa_bits, .up = 23 - f->mantissa_bits};
  const u32 infinity = ((1u << s.width) - 1) & ~0u << f->mantissa_bits;
  s.bias = (u32)(127 - f->bias) << 23, s.least = 1u << f->mantissa_bits;
  s.infinite = f->infinities ? infinity : NOWHERE, s.minus_zero = f->nan == 0x80 ? 1u << s.width : NOWHERE;
  s.least_nan = f->infinities ? infinity + 1 : f->nan && f->nan != 0x80 ? f->nan : NOWHERE;
  s.unit = f32_of_bits((u32)(128 - f->bias - f->mantissa_bits) << 23);
  return s;
}
OG_LANE f32 value_of_small(struct small_source s, u32 bits) {
  const u32 nan = 0x7fc00000, size = bits & ((1u << s.width) - 1), sign = (bits >> s.width & 1) << 31;
  u32 value = pick(size >= s.least, (size << s.up) + s.bias, bits_of_f32((f32)(i32)size * s.unit));
  value = pick(size >= s.least_nan, nan, pick(size == s.infinite, 0x7f800000, value)) | sign;
  return f32_of_bits(pick((bits & ((2u << s.width) - 1)) == s.minus_zero, nan, value));
}
/* What og_float_to_small() makes of a format, found once. */
struct small_result {
  u32 width, up, least, most_cut; /* bits but the sign; of the mantissa; the exponent of normal numbers, as f32 has
                                     it */
  u32 largest, too_large, of_infinity, nan, signs; /* the latter: of 0 and NaN */
};
static struct small_result result_of(const struct og_small_float *f, bool saturate) {
  struct small_result r = {.width = f->exponent_bits + f->mantissa_bits, .up = f->mantissa_bits};
  const u32 infinity = ((1u << r.width) - 1) & ~0u << r.up;
  const bool fnuz = f->nan == 0x80;
  r.largest = f->infinities ? infinity - 1 : (1u << r.width) - 1 - (f->nan && !fnuz);
  r.nan = f->infinities ? infinity | 1u << (r.up - 1) : fnuz ? 0x80 : f->nan ? f->nan : r.largest;
  r.of_infinity = f->infinities ? infinity : saturate && !f->nan ? r.largest : r.nan;
  r.too_large = saturate ? r.largest : r.of_infinity;
  r.least = (u32)(128 - f->bias), r.most_cut = 23 - r.up + r.least, r.signs = fnuz ? 0 : ~0u;
  return r;
}
/* What is cut off carries into what is kept. */
OG_LANE u32 small_of_f32(struct small_result r, f32 x) {
  u32 bits = bits_of_f32(x), size = bits & 0x7fffffff, sign = bits >> 31 << r.width, exponent = size >> 23;
  u32 mantissa = (size & 0x7fffff) | (u32)(exponent != 0) << 23,
      cut = min_u32(r.most_cut - min_u32(exponent, r.least), 31);
  u32 kept = (mantissa + ((u32)1 << (cut - 1)) - 1 + (mantissa >> cut & 1)) >> cut;
  u32 result = ((max_u32(exponent, r.least) - r.least) << r.up) + kept;
  result = pick(result > r.largest, r.too_large, result);
  result = pick(size >= 0x7f800000, pick(size > 0x7f800000, r.nan, r.of_infinity), result);
  u32 unsigned_one = (u32)(result == 0) | (u32)(result == r.nan); /* there is no -0 */
  return result | (sign & (r.signs | (unsigned_one - 1)));
}

/* ---- a value of all lanes ---------------------------------------------------------------------------------------- */

/* The bits of a source's element. */
static void fetch(struct og_wave *wave, const struct og_operation *op, int i, unsigned bit, unsigned width, u32 *out) {
  const u32 mask = width < 32 ? (1u << width) - 1 : 0xffffffff, shift = bit % 32;
  if (op->s[i] < OG_AT_V(0)) {
    u32 scalar = og_scalar32(wave, op, i) >> shift & mask;
    EACH_LANE out[lane] = scalar;
    return;
  }
  const u32 *from = og_at(wave, op->s[i]) + bit / 32 * OG_LANES;
  if (shift + width > 32)
    EACH_LANE out[lane] = (from[lane] >> shift | from[lane + OG_LANES] << (32 - shift)) & mask;
  else
    EACH_LANE out[lane] = from[lane] >> shift & mask;
}

static void numbers_of(const struct og_conversion_detail *detail, const u32 *restrict bits, u32 mode, f32 *restrict x) {
  const struct small_source small = source_of(detail->small ? detail->small : &og_fp8_e4m3);
  const u32 flushed = mode & 1 << 4 ? 0 : 0x7f800000, flushed_half = mode & 1 << 6 ? 0 : 0x7c00;
  switch (detail->from) {
  case OG_ELEMENT_F32: /* by bits: denormals that are not kept are zeros */
    EACH_LANE x[lane] = f32_of_bits((bits[lane] & flushed) == 0 && flushed ? bits[lane] & 0x80000000 : bits[lane]);
    break;
  case OG_ELEMENT_F16:
    EACH_LANE x[lane] = half_value((bits[lane] & flushed_half) == 0 && flushed_half ? bits[lane] & 0x8000 : bits[lane]);
    break;
  case OG_ELEMENT_BF16: EACH_LANE x[lane] = f32_of_bits(bits[lane] << 16); break;
  default: EACH_LANE x[lane] = value_of_small(small, bits[lane]); break;
  }
}

static void bits_of_numbers(const struct og_conversion_detail *detail, const f32 *restrict x, u32 mode,
                            u32 *restrict bits) {
  const bool saturates = detail->to >= OG_ELEMENT_FP6 || mode & OG_MODE_FP16_OVFL;
  const struct small_result small = result_of(detail->small ? detail->small : &og_fp8_e4m3, saturates);
  switch (detail->to) {
  case OG_ELEMENT_F32: EACH_LANE bits[lane] = bits_of_f32(x[lane]); break;
  case OG_ELEMENT_F16: EACH_LANE bits[lane] = half_bits_f32(x[lane], mode); break;
  case OG_ELEMENT_BF16: EACH_LANE bits[lane] = bf16_of_f32(x[lane]); break;
  default: EACH_LANE bits[lane] = small_of_f32(small, x[lane]); break;
  }
}

/* 32 random bits are added behind the last place that stays, and what is there then is cut off: so many of the
 * mantissa's bits are dropped, and of what is dropped the uppermost 32 count. */
static void round_at_random(f32 *x, i32 least_exponent, u32 mantissa, const u32 *random) {
  const u32 least = (u32)(least_exponent + 127);
  EACH_LANE {
    u32 bits = bits_of_f32(x[lane]), size = bits & 0x7fffffff, exponent = max_u32(size >> 23, 1);
    u32 significand = (size & 0x7fffff) | (u32)(size >= 0x800000) << 23, place = max_u32(exponent, least);
    u32 drop = 23 - mantissa + place - exponent, beyond = max_u32(drop, 32) - 32;
    u32 kept = significand >> min_u32(drop, 31),
        rest = drop < 32 ? significand << ((0 - drop) & 31) : significand >> min_u32(beyond, 31);
    kept += (u32)(rest + random[lane] < rest);
    f32 result = (f32)(i32)kept * f32_of_bits((place - mantissa) << 23);
    bool stays = size == 0 || size >= 0x7f800000;
    x[lane] = stays ? x[lane] : f32_of_bits(bits_of_f32(result) | (bits & 0x80000000));
  }
}
/* To bfloats: bits of an f32, of which the lower half is dropped. Denormals stay where MODE keeps them. */
static void round_bfloat_at_random(f32 *x, u32 mode, const u32 *random) {
  const u32 keeps = mode & 1 << 5 ? 0x7fffffff : 0;
  EACH_LANE {
    u32 bits = bits_of_f32(x[lane]), size = bits & 0x7fffffff, rest = bits << 16;
    u32 kept = ((size >> 16) + (u32)(rest + random[lane] < rest)) << 16;
    kept = kept & 0x7f800000 ? kept : kept & keeps;
    x[lane] = size == 0 || size >= 0x7f800000 ? x[lane] : f32_of_bits(kept | (bits & 0x80000000));
  }
}

/* Values times powers of two, whose bits as f32 `exponent` has: rounded once. 2^-127 takes two steps, of which the
 * former is exact where the latter counts. Halves do not care how far
 * beyond their range a value is, so that f32 holds what they are made of. */
static void scale(const struct og_conversion_detail *detail, const i32 *restrict power, const u32 *restrict is_nan,
                  f32 *restrict x) {
  const i32 most = detail->to == OG_ELEMENT_F16 ? 100 : 127;
  EACH_LANE {
    i32 n = clamp_i32(power[lane], -most, most);
    f32 power_of = power_of_two_f32(max_i32(n, -126)), rest = n < -126 ? 0.5f : 1.0f;
    bool stays_nan = (bits_of_f32(x[lane]) & 0x7fffffff) > 0x7f800000; /* with its sign, whatever the scale is */
    u32 product = bits_of_f32(x[lane] * power_of * rest), nan = stays_nan ? 0 : is_nan[lane];
    x[lane] = f32_of_bits(pick(nan != 0, nan, product));
  }
}

/* The powers of two that the values of a lane are multiplied by, and the bits of a NaN where the scale is one. */
static void powers_of(struct og_wave *wave, const struct og_operation *op, i32 *power, u32 *is_nan) {
  const struct og_conversion_detail *detail = op->detail;
  og_aligned u32 exponent[OG_LANES], low[OG_LANES];
  const bool up = detail->to < OG_ELEMENT_FP8 && detail->from >= OG_ELEMENT_FP8;
  if (detail->flags & OG_CONVERT_SCALED) {
    fetch(wave, op, detail->flags & (OG_CONVERT_APART | OG_CONVERT_WOVEN | OG_CONVERT_STOCHASTIC) ? 2 : 1, 23, 8,
          exponent);
  } else { /* 16 lanes have the scales */
    fetch(wave, op, 1, 0, 32, low);
    for (int lane = 0; lane < OG_LANES; lane++)
      exponent[lane] =
          low[detail->scale_lane + lane % 16] >> (detail->scale_byte + lane / 16 % 2 * detail->scale_step) * 8 & 255;
  }
  const i32 sign = up ? 1 : -1;
  EACH_LANE {
    power[lane] = ((i32)exponent[lane] - 127) * sign;
    is_nan[lane] = exponent[lane] == 255 ? 0x7fc00000 : 0;
  }
}

/* Behind the last one: v_prng_b32. */
static void next_random(u32 *random) {
  EACH_LANE random[lane] = random[lane] << 1 ^ (random[lane] >> 31 ? 197 : 0);
}

/* Which random bits the value of that number gets. */
static void random_for(const struct og_conversion_detail *detail, unsigned n, const u32 *random, u32 *out) {
  if (!detail->random_halves)
    memcpy(out, random, OG_LANES * sizeof(u32));
  else if (n % 2)
    EACH_LANE out[lane] = random[lane] & 0xffff0000;
  else
    EACH_LANE out[lane] = random[lane] << 16;
}

static void put(u32 *out, unsigned bit, unsigned width, const u32 *bits) {
  const u32 mask = width < 32 ? (1u << width) - 1 : 0xffffffff, shift = bit % 32;
  u32 *to = out + bit / 32 * OG_LANES;
  EACH_LANE to[lane] = (to[lane] & ~(mask << shift)) | bits[lane] << shift;
  if (shift + width > 32)
    EACH_LANE to[lane + OG_LANES] = (to[lane + OG_LANES] & ~(mask >> (32 - shift))) | bits[lane] >> (32 - shift);
}

/* All is read before anything is written: sources may be where the result is. */
const struct og_operation *OG_VARIANT(og_convert)(struct og_wave *wave, const struct og_operation *op) {
  const struct og_conversion_detail *detail = op->detail;
  const unsigned width = detail->from_width, result = detail->to_width, dwords = (detail->count * result + 31u) / 32;
  const int sources = detail->flags & (OG_CONVERT_APART | OG_CONVERT_WOVEN) ? 2 : 1;
  const bool at_random = detail->flags & OG_CONVERT_STOCHASTIC;
  const bool scaled = detail->flags & (OG_CONVERT_SCALED | OG_CONVERT_BLOCKED);
  og_aligned u32 out[32 * OG_LANES], bits[OG_LANES], random[OG_LANES], own_random[OG_LANES];
  og_aligned f32 x[OG_LANES];
  og_aligned i32 power[OG_LANES];
  og_aligned u32 is_nan[OG_LANES];
  u32 *d = og_at(wave, op->d);
  memcpy(out, d, dwords * sizeof(bits));
  if (at_random)
    fetch(wave, op, sources, 0, 32, random);
  if (scaled)
    powers_of(wave, op, power, is_nan);
  for (unsigned n = 0; n < detail->count; n++) {
    int source = (int)n % sources;
    u32 sign = 1u << (width - 1), keep = detail->signs[source] & OG_ABS ? ~sign : ~0u;
    u32 flip = detail->signs[source] & OG_NEG ? sign : 0;
    fetch(wave, op, source, detail->from_bit + n / (unsigned)sources * width, width, bits);
    if (flip | ~keep)
      EACH_LANE bits[lane] = (bits[lane] & keep) ^ flip;
    numbers_of(detail, bits, wave->mode, x);
    if (scaled)
      scale(detail, power, is_nan, x);
    if (at_random) {
      random_for(detail, n, random, own_random);
      if (detail->to == OG_ELEMENT_BF16)
        round_bfloat_at_random(x, wave->mode, own_random);
      else
        round_at_random(x, detail->least_exponent, detail->mantissa, own_random);
      if (!detail->random_halves || (n % 2 != 0 && sources != 2))
        next_random(random);
    }
    bits_of_numbers(detail, x, wave->mode, bits);
    put(out, detail->to_bit + n * result, result, bits);
  }
  const u32 *lanes = wave->lanes;
  for (unsigned n = 0; n < dwords; n++, d += OG_LANES) {
    const u32 *from = out + n * OG_LANES;
    EACH_LANE d[lane] = lanes[lane] ? from[lane] : d[lane];
  }
  return og_next(op);
}
