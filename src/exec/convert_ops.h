/* convert_ops.h - conversions between float formats for one host instruction set: the whole of convert_v4.c, convert_v3.c
 * and convert_base.c, which define OG_VARIANT_NAME. Value after value, each for all lanes at once. */
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

/* og_small_to_float(). What a format has no bits for stands at NOWHERE. */
enum { NOWHERE = 0x10000 };
OG_LANE f32 value_of_small(const struct og_small_float *f, u32 bits) {
  const u32 width = f->exponent_bits + f->mantissa_bits, all = (1u << width) - 1, infinity = all & ~0u << f->mantissa_bits;
  const u32 infinite = f->infinities ? infinity : NOWHERE, minus_zero = f->nan == 0x80 ? 1u << width : NOWHERE;
  const u32 least_nan = f->infinities ? infinity + 1 : f->nan && f->nan != 0x80 ? f->nan : NOWHERE;
  const u32 up = 23 - f->mantissa_bits, bias = (u32)(127 - f->bias) << 23, least = 1u << f->mantissa_bits;
  const f32 unit = f32_of_bits((u32)(128 - f->bias - f->mantissa_bits) << 23);
  u32 size = bits & all, sign = (bits >> width & 1) << 31, tiny = bits_of_f32((f32)(i32)size * unit);
  u32 value = size >= least ? (size << up) + bias : tiny;
  value = size == infinite ? 0x7f800000 : value;
  value = (size >= least_nan ? 0x7fc00000 : value) | sign;
  return f32_of_bits((bits & (2 * all + 1)) == minus_zero ? 0x7fc00000 : value);
}
/* By bits: of choices within choices gcc makes branches, and no vectors. */
OG_LANE u32 pick(bool which, u32 x, u32 y) { return (x & (0 - (u32)which)) | (y & ((u32)which - 1)); }
/* What og_float_to_small() makes of a format, found once. */
struct small_result {
  u32 width, up, least, most_cut; /* bits but the sign; of the mantissa; the exponent of normal numbers, as f32 has it */
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
  u32 mantissa = (size & 0x7fffff) | (u32)(exponent != 0) << 23, cut = min_u32(r.most_cut - min_u32(exponent, r.least), 31);
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

static void numbers_of(const struct og_conversion_detail *detail, const u32 *restrict bits, u32 mode, f64 *restrict x) {
  const struct og_small_float small = detail->small ? *detail->small : og_fp8_e4m3;
  switch (detail->from) {
  case OG_FLOAT_32:
    EACH_LANE x[lane] = (f64)(mode & 1 << 4 ? f32_of_bits(bits[lane]) : flush_f32(f32_of_bits(bits[lane])));
    break;
  case OG_FLOAT_16: EACH_LANE x[lane] = half_number(bits[lane], mode); break;
  case OG_FLOAT_B16: EACH_LANE x[lane] = (f64)f32_of_bits(bits[lane] << 16); break;
  default: EACH_LANE x[lane] = (f64)value_of_small(&small, bits[lane]); break;
  }
}

static void bits_of_numbers(const struct og_conversion_detail *detail, const f64 *restrict x, u32 mode,
                            u32 *restrict bits) {
  const bool saturates = detail->to >= OG_FLOAT_FP6 || mode & OG_MODE_FP16_OVFL;
  const struct small_result small = result_of(detail->small ? detail->small : &og_fp8_e4m3, saturates);
  switch (detail->to) {
  case OG_FLOAT_32: EACH_LANE bits[lane] = bits_of_f32((f32)x[lane]); break;
  case OG_FLOAT_16: EACH_LANE bits[lane] = half_bits(x[lane], mode); break;
  case OG_FLOAT_B16: EACH_LANE bits[lane] = bf16_of_f32((f32)x[lane]); break;
  default: EACH_LANE bits[lane] = small_of_f32(small, (f32)x[lane]); break;
  }
}

/* 32 random bits are added behind the last place that stays, and what is there then is cut off. */
static void round_at_random(f64 *x, i32 least_exponent, i32 mantissa, const u32 *random) {
  EACH_LANE {
    f64 size = __builtin_fabs(x[lane]);
    i32 place = max_i32((i32)(bits_of_f64(size) >> 52) - 1023, least_exponent) - mantissa; /* of the last bit kept */
    f64 units = size * power_of_two_f64(-place), kept = __builtin_floor(units);
    f64 rest = (units - kept) + (f64)random[lane] * 0x1p-32;
    f64 result = copy_sign_f64((rest >= 1 ? kept + 1 : kept) * power_of_two_f64(place), x[lane]);
    x[lane] = size == 0 || !(size < __builtin_inf()) ? x[lane] : result;
  }
}

/* What the values of a lane are multiplied by. */
static void factors_of(struct og_wave *wave, const struct og_operation *op, f64 *factor) {
  const struct og_conversion_detail *detail = op->detail;
  og_aligned u32 exponent[OG_LANES], low[OG_LANES];
  const bool up = detail->to < OG_FLOAT_FP8 && detail->from >= OG_FLOAT_FP8;
  if (detail->flags & OG_CONVERT_SCALED) {
    fetch(wave, op, detail->flags & (OG_CONVERT_APART | OG_CONVERT_WOVEN | OG_CONVERT_STOCHASTIC) ? 2 : 1, 23, 8, exponent);
  } else { /* 16 lanes have the scales */
    fetch(wave, op, 1, 0, 32, low);
    for (int lane = 0; lane < OG_LANES; lane++)
      exponent[lane] = low[detail->scale_lane + lane % 16] >> (detail->scale_byte + lane / 16 % 2 * detail->scale_step) * 8 & 255;
  }
  EACH_LANE {
    i32 power = up ? (i32)exponent[lane] - 127 : 127 - (i32)exponent[lane];
    factor[lane] = exponent[lane] == 255 ? __builtin_nan("") : power_of_two_f64(power);
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
  og_aligned f64 x[OG_LANES], factor[OG_LANES];
  u32 *d = og_at(wave, op->d);
  memcpy(out, d, dwords * sizeof(bits));
  if (at_random)
    fetch(wave, op, sources, 0, 32, random);
  if (scaled)
    factors_of(wave, op, factor);
  for (unsigned n = 0; n < detail->count; n++) {
    int source = (int)n % sources;
    u32 sign = 1u << (width - 1), keep = detail->signs[source] & OG_ABS ? ~sign : ~0u;
    u32 flip = detail->signs[source] & OG_NEG ? sign : 0;
    fetch(wave, op, source, detail->from_bit + n / (unsigned)sources * width, width, bits);
    if (flip | ~keep)
      EACH_LANE bits[lane] = (bits[lane] & keep) ^ flip;
    numbers_of(detail, bits, wave->mode, x);
    if (scaled)
      EACH_LANE x[lane] *= factor[lane];
    if (at_random) {
      random_for(detail, n, random, own_random);
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
