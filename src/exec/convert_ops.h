/* convert_ops.h - conversions between float formats for one host instruction set: the whole of convert_v4.c,
 * convert_v3.c and convert_base.c, which define OG_VARIANT_NAME. Strip of lanes after strip, value after value. */
#include "exec/convert.h"
#include "exec/strip.h"

#define OG_JOIN_(a, b) a##_##b
#define OG_JOIN(a, b) OG_JOIN_(a, b)
#define OG_VARIANT(name) OG_JOIN(name, OG_VARIANT_NAME)

#if defined __clang__
#define EACH_LANE _Pragma("clang loop vectorize(assume_safety)") for (int lane = 0; lane < OG_LANES; lane++)
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define EACH_LANE _Pragma("GCC ivdep") for (int lane = 0; lane < OG_LANES; lane++)
#define UNROLL _Pragma("GCC unroll 16")
#endif
#define og_aligned _Alignas(64)

/* Formats as code is made for them: those of a byte may have infinities and NaN, those of 6 and 4 bits have none. */
enum kind { F32, F16, BF16, BITS8, BITS6, BITS4, KINDS };
enum { MOST_DWORDS = 32, SIGN = (int)0x80000000u };
OG_LANE bool is_few(unsigned kind) { return kind == BITS6 || kind == BITS4; }
OG_LANE unsigned bits_of_kind(unsigned kind) {
  return kind == F32 ? 32 : kind == F16 || kind == BF16 ? 16 : kind == BITS8 ? 8 : kind == BITS6 ? 6 : 4;
}

/* How many fill whole registers. */
OG_LANE unsigned values_of_group(unsigned from, unsigned to) { return from == BITS6 || to == BITS6 ? 16 : 8; }

/* All that is the same for every lane, and where lanes' own things stand. */
struct conversion {
  const struct og_conversion_detail *detail;
  struct og_small_source source_format;
  struct og_small_result result_format;
  const u32 *source[2], *random, *scale; /* `scale`: an exponent where an f32 has it */
  const u32 *active;
  u32 *d;
  u32 mode, keep[2], flip[2], old; /* signs of sources; bits of a result that is a part of a register which stay */
  bool signs, usual; /* keep and flip do something; they do not, and modes are those that most kernels have */
};

/* What a strip's values are multiplied by: a power of two, in two steps if it is very small. */
struct scale {
  words factor, rest, nan; /* as f32; all ones where it is NaN */
};

/* ---- a strip's values -------------------------------------------------------------------------------------------- */

OG_LANE floats small_number(const struct og_small_source *s, unsigned from, words bits) {
  const words nan = all(0x7fc00000);
  bits &= (1u << bits_of_kind(from)) - 1;
  words size = bits & ((1u << s->width) - 1), sign = bits >> s->width << 31;
  words value = where_above(all(s->least), size, (words)(converted(size) * s->unit), (size << s->up) + s->bias);
  if (is_few(from))
    return (floats)(value | sign);
  if (s->infinite != OG_NO_SMALL)
    value = where_equal(size, all(s->infinite), all(0x7f800000), value);
  if (s->least_nan != OG_NO_SMALL)
    value = where_above(size, all(s->least_nan - 1), nan, value);
  value |= sign;
  return (floats)(s->minus_zero == OG_NO_SMALL ? value : where_equal(bits, all(s->minus_zero), nan, value));
}

/* Of what is neither infinite nor NaN, where the host rounds to the nearest. */
OG_LANE floats finite_number(const struct og_small_source *s, unsigned from, words bits) {
  const words size = bits & ((1u << (bits_of_kind(from) - 1)) - 1), sign = bits << (32 - bits_of_kind(from)) & SIGN;
  return (floats)(finite_sizes(size, s->up, s->bias) | sign);
}

/* All numbers of few bits, where the host finds those of a strip among 32: without signs, or 16 with them; or among 8
 * without signs. */
struct few_numbers {
  words low, high;
};
OG_LANE struct few_numbers few_numbers_of(const struct og_small_source *s, unsigned from) {
  words which;
  EACH_OF_STRIP which[i] = (u32)i;
  return (struct few_numbers){(words)small_number(s, from, which), (words)small_number(s, from, which + PANEL)};
}
OG_LANE floats few_number(const struct og_small_source *s, struct few_numbers few, unsigned from, words bits) {
#if defined __AVX512F__
  (void)s;
  if (from == BITS4)
    return (floats)_mm512_permutexvar_epi32((__m512i)bits, (__m512i)few.low);
  words size = (words)_mm512_permutex2var_epi32((__m512i)few.low, (__m512i)bits, (__m512i)few.high);
  return (floats)(size | (bits << 26 & SIGN));
#elif defined __AVX2__
  if (from == BITS4)
    return (floats)((words)_mm256_permutevar8x32_epi32((__m256i)few.low, (__m256i)bits) | (bits << 28 & SIGN));
  return finite_number(s, from, bits);
#else
  (void)few;
  return finite_number(s, from, bits);
#endif
}

OG_LANE floats number_of(const struct conversion *c, unsigned from, bool usual, words bits) {
  switch (from) {
  case F32: return (floats)(usual || c->mode & 1 << 4 ? bits : flushed(bits, 0x7f800000, SIGN));
  case F16: return halves(usual || c->mode & 1 << 6 ? bits : flushed(bits, 0x7c00, 0x8000));
  case BF16: return (floats)(bits << 16);
  default: return small_number(&c->source_format, from, bits);
  }
}

/* An exponent of 255 is NaN. Halves do not care how far beyond their range a value is, so that f32 holds what they are
 * made of. */
OG_LANE struct scale scale_of(const struct conversion *c, unsigned to, bool up, unsigned lane) {
  words exponent = load(c->scale + lane) >> 23 & 255, power = up ? exponent : 254 - exponent;
  words bounded = smaller_words(larger_words(power, all(to == F16 ? 27 : 1)), all(to == F16 ? 227 : 254));
  return (struct scale){bounded << 23, where_above(bounded, power, all(to == F16 ? 127 : 126), all(127)) << 23,
                        (words)(exponent == 255)};
}
/* NaN stay, with their signs, whatever the scale is. Of the two steps the former is exact where the latter counts. */
OG_LANE floats scaled_number(floats x, struct scale scale, bool usual) {
  floats product = x * (floats)scale.factor;
  if (usual)
    return product;
  product *= (floats)scale.rest;
  words size = (words)x & INT32_MAX, result = chosen_words(scale.nan, all(0x7fc00000), (words)product);
  return (floats)where_above(size, all(0x7f800000), (words)product, result);
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

/* The size of a number as a result's bits, but for those that are cut off above: to the nearest. By a sum in which the
 * result's last place is f32's, which leaves the mantissa as a whole number below and the exponent above; but that
 * rounds as f32 do. */
OG_LANE words nearest_bits(const struct conversion *c, bool usual, words size) {
  const struct og_small_result *r = &c->result_format;
  const words exponent = larger_words(size, all(r->least)) & 0x7f800000, large = exponent + r->to_whole;
#if defined __AVX512F__
  (void)usual;
  const words sum =
      (words)_mm512_add_round_ps((__m512)size, (__m512)large, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
#else
  words sum = (words)((floats)size + (floats)large);
  if (!usual && c->mode & 3) {
    words own = size >> 23, mantissa = (size & 0x7fffff) | chosen_words((words)(own == 0), all(0), all(0x800000));
    words cut = smaller_words((exponent >> 23) + (23 - r->up) - larger_words(own, all(1)), all(31));
    sum = large + shifted_down(mantissa + shifted_up(all(1), cut - 1) - 1 + (shifted_down(mantissa, cut) & 1), cut);
  }
#endif
  return (sum + moved_down(sum, 23 - r->up)) & ((2u << r->width) - 1);
}
/* The same with 32 random bits added behind the last place that stays, and what is there then cut off: so many of the
 * mantissa's bits are dropped, and of what is dropped the uppermost 32 count. Exponents are whole numbers here. Of a
 * denormal f32 nothing stays or counts. */
OG_LANE words whole_at_random(words size, words exponent, u32 mantissa_bits, words random) {
  words mantissa = (size & 0x7fffff) | 0x800000, drop = exponent + (23 - mantissa_bits) - (size >> 23);
  words rest = shifted_up(mantissa, 32 - drop) | shifted_down(mantissa, drop - 32);
  return shifted_down(mantissa, drop) - (words)(rest + random < rest);
}
/* A result's bits so. With `doubt` by a sum in which what follows them fills a word: bits further down, random ones and
 * those of very small numbers, count where what follows is all ones, and the largest of that is left in `doubt`. */
OG_LANE words bits_at_random(const struct og_small_result *r, unsigned to, words size, words random, words *doubt) {
  const unsigned width = bits_of_kind(to) - 1, below = 31 - width;
  words least = all(r->least >> 23), own = size >> 23, exponent = larger_words(own, least);
  if (!doubt)
    return moved_up(exponent - least, r->up) + whole_at_random(size, exponent, r->up, random);
  words mantissa = shifted_down(size << 8 | (u32)SIGN, exponent - own + (width - r->up));
  words sum = moved_up(exponent - least, below + r->up) + mantissa + (random >> (width + 1));
  *doubt = larger_words(*doubt, sum & ((1u << below) - 1));
  return sum >> below;
}
OG_LANE bool is_doubtful(unsigned to, bool at_random, words doubt) {
  if (to == BF16) /* bits_of_bfloat() */
    return any((ints)doubt);
  return at_random && any((ints)doubt == (1 << (32 - bits_of_kind(to))) - 1);
}

/* Of few bits what is too large is the largest number, and NaN, too. */
OG_LANE words bits_of_small(const struct conversion *c, unsigned to, bool usual, bool at_random, floats x,
                            words random, words *doubt) {
  const struct og_small_result *r = &c->result_format;
  words bits = (words)x, size = bits & INT32_MAX, capped = smaller_words(size, all(r->cap));
  words sign = bits >> (32 - bits_of_kind(to)) & 1u << (bits_of_kind(to) - 1);
  words result = at_random ? bits_at_random(r, to, capped, random, doubt) : nearest_bits(c, usual, capped);
  if (is_few(to))
    return result | sign;
  result = where_above(result, all(r->largest), all(r->too_large), result);
  if (r->of_infinity != r->too_large)
    result = where_equal(size, all(0x7f800000), all(r->of_infinity), result);
  result = where_above(size, all(0x7f800000), all(r->nan), result);
  if (!r->has_minus_zero)
    sign = where_equal(result, all(0), all(0), where_equal(result, all(r->nan), all(0), sign));
  return result | sign;
}

/* A NaN of few bits has none behind those that bfloats have. With `doubt` what they have no bits for is left in it. */
OG_LANE words bits_of_bfloat(floats x, words *doubt) {
  words bits = (words)x;
  if (doubt) {
    *doubt |= bits & 0xffff;
    return bits >> 16;
  }
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
OG_LANE words bits_of_half(const struct conversion *c, bool usual, floats x) {
  words bits = bits_of_halves(x, usual ? OG_ROUND_NEAREST : c->mode >> 2 & 3);
  if (!usual && !(c->mode & 1 << 7))
    bits = flushed(bits, 0x7c00, 0x8000);
  if (!usual && c->mode & OG_MODE_FP16_OVFL) { /* only what was infinite before it was a half stays so */
    words finite = where_above(all(0x7f800000), (words)x & INT32_MAX, all(1), all(0));
    bits -= where_equal(bits & 0x7fff, all(0x7c00), finite, all(0));
  }
  return bits;
}
/* To halves in the precision of f32, for rounding to find nothing. */
OG_LANE words half_at_random(const struct conversion *c, bool usual, floats x, words random) {
  words bits = (words)x, size = bits & INT32_MAX, exponent = larger_words(size >> 23, all(113));
  floats whole = converted(whole_at_random(size, exponent, 10, random));
  words result = (words)(whole * (floats)((exponent - 10) << 23)) | (bits & SIGN);
  return bits_of_half(c, usual, (floats)where_above(size, all(0x7f7fffff), bits, result));
}
/* Bits of an f32, of which the lower half is dropped. Denormals stay where MODE keeps them. */
OG_LANE words bfloat_at_random(const struct conversion *c, floats x, words random) {
  words bits = (words)x, size = bits & INT32_MAX, rest = bits << 16;
  words kept = (size >> 16) - (words)(rest + random < rest);
  if (!(c->mode & 1 << 5))
    kept = flushed(kept, 0x7f80, 0);
  kept |= bits >> 16 & 0x8000;
  kept = where_equal(size, all(0x7f800000), bits >> 16, kept);
  return where_above(size, all(0x7f800000), (bits >> 16) | 0x40, where_equal(size, all(0), bits >> 16, kept));
}

OG_LANE words bits_of_number(const struct conversion *c, unsigned to, bool usual, bool at_random, floats x,
                             words random, words *doubt) {
  switch (to) {
  case F32: return (words)x;
  case F16: return at_random ? half_at_random(c, usual, x, random) : bits_of_half(c, usual, x);
  case BF16: return at_random ? bfloat_at_random(c, x, random) : bits_of_bfloat(x, doubt);
  default: return bits_of_small(c, to, usual, at_random, x, random, doubt);
  }
}
/* Random bits behind the last ones: v_prng_b32. */
OG_LANE words next_random(words random) { return (random + random) ^ ((words)((ints)random >> 31) & 197); }

/* ---- a strip ----------------------------------------------------------------------------------------------------- */

/* Whatever the modes and scales are, or with the usual ones, up to 32 values. */
OG_LANE void convert_values(const struct conversion *c, unsigned lane, struct scale scale, unsigned from, unsigned to,
                            bool scaled, bool at_random, bool usual) {
  const struct og_conversion_detail *detail = c->detail;
  const bool two = detail->flags & (OG_CONVERT_APART | OG_CONVERT_WOVEN);
  const unsigned from_width = bits_of_kind(from), width = bits_of_kind(to);
  words gathered = all(0), random = at_random ? load(c->random + lane) : all(0), active = load(c->active + lane);
  unsigned filled = detail->to_bit;
  u32 *d = c->d + lane;
  for (unsigned n = 0; n < detail->count; n++) {
    const unsigned source = two ? n % 2 : 0, bit = detail->from_bit + (two ? n / 2 : n) * from_width, shift = bit % 32;
    const u32 *row = c->source[source] + bit / 32 * OG_LANES + lane;
    words bits = load(row) >> shift;
    if (from == BITS6 && shift > 32 - 6) /* across the ends of registers */
      bits |= load(row + OG_LANES) << (32 - shift);
    if (!usual && c->signs)
      bits = (bits & c->keep[source]) ^ c->flip[source];
    floats x = number_of(c, from, usual, bits);
    if (scaled)
      x = scaled_number(x, scale, usual);
    words own = !detail->random_halves ? random : n % 2 ? random & 0xffff0000 : random << 16;
    bits = bits_of_number(c, to, usual, at_random, x, own, NULL);
    if (at_random && (!detail->random_halves || (n % 2 != 0 && !two)))
      random = next_random(random);
    gathered |= bits << filled;
    filled += width;
    if (filled < 32)
      continue;
    store_where(d, active, c->old ? gathered | (load(d) & c->old) : gathered);
    d += OG_LANES, filled -= 32;
    gathered = filled ? bits >> (width - filled) : all(0);
  }
  if (filled)
    store_where(d, active, gathered | (load(d) & c->old));
}
OG_LANE bool is_usual(struct scale scale) { return !any((ints)((scale.rest ^ 127u << 23) | scale.nan)); }
OG_LANE void convert_strip(const struct conversion *c, unsigned lane, unsigned from, unsigned to, bool scaled,
                           bool at_random) {
  struct scale scale = {0};
  if (scaled)
    scale = scale_of(c, to, from > to, lane);
  if (c->usual && (!scaled || is_usual(scale)))
    convert_values(c, lane, scale, from, to, scaled, at_random, true);
  else
    convert_values(c, lane, scale, from, to, scaled, at_random, false);
}

/* As many values as fill whole registers, from and to their beginnings, in the usual modes and by usual scales: without
 * choices but those of the compiler. Where they are woven odd ones come from `second`. `doubt` says whether it does. */
OG_LANE void convert_group(const struct conversion *c, const u32 *source, const u32 *second, u32 *d, words active,
                           struct scale scale, words *random, words *doubt, unsigned from, unsigned to, bool at_random,
                           bool is_shared, bool is_woven) {
  const unsigned from_width = bits_of_kind(from), width = bits_of_kind(to), count = values_of_group(from, to);
  const struct few_numbers few = is_few(from) ? few_numbers_of(&c->source_format, from) : (struct few_numbers){0};
  const bool is_whole = !any((ints)~active);
  words gathered = all(0);
  floats x, next = {0}, last = {0}; /* of the two halves of a register */
  UNROLL for (unsigned n = 0; n < count; n++) {
    const unsigned bit = (is_woven ? n / 2 : n) * from_width, shift = bit % 32, filled = n * width % 32;
    const u32 *row = (is_woven && n % 2 ? second : source) + bit / 32 * OG_LANES;
    words bits = load(row) >> shift, own = !is_shared ? *random : n % 2 ? *random & 0xffff0000 : *random << 16;
    if (shift + from_width > 32)
      bits |= load(row + OG_LANES) << (32 - shift);
    if (from == F16 && n % 2)
      x = next;
    else if (from == F16)
      halves_of_words(bits, &x, &next);
    else
      x = is_few(from) ? few_number(&c->source_format, few, from, bits) : number_of(c, from, true, bits);
    x = scaled_number(x, scale, true);
    if (to == F16 && n % 2 == 0) {
      last = x;
      continue;
    }
    bits = to == F16 ? words_of_halves(last, x) : bits_of_number(c, to, true, at_random, x, own, doubt);
    if (at_random && (n % 2 || !is_shared))
      *random = next_random(*random);
    gathered = filled && to != F16 ? gathered | bits << filled : bits;
    if (filled + width < 32)
      continue;
    if (is_whole)
      store(d + n * width / 32 * OG_LANES, gathered);
    else
      store_where(d + n * width / 32 * OG_LANES, active, gathered);
    gathered = bits >> (32 - filled) % 32;
  }
}
/* False: the strip's scales are not such, or there is doubt. */
OG_LANE bool convert_groups(const struct conversion *c, unsigned lane, unsigned from, unsigned to, bool at_random,
                            bool is_shared, bool is_woven) {
  const struct scale scale = scale_of(c, to, from > to, lane);
  if (!is_usual(scale))
    return false;
  const words active = load(c->active + lane);
  words random = at_random ? load(c->random + lane) : all(0), doubt = all(0);
  const unsigned count = values_of_group(from, to), dwords = count * bits_of_kind(from) / (is_woven ? 64 : 32);
  for (unsigned n = 0; n < c->detail->count / count; n++) {
    const unsigned at = n * dwords * OG_LANES + lane;
    convert_group(c, c->source[0] + at, is_woven ? c->source[1] + at : NULL,
                  c->d + n * count * bits_of_kind(to) / 32 * OG_LANES + lane, active, scale, &random, &doubt, from, to,
                  at_random, is_shared, is_woven);
  }
  return !is_doubtful(to, at_random, doubt);
}

/* ---- what there is ----------------------------------------------------------------------------------------------- */

/* Strip after strip. What is done so often keeps a copy of what it goes by, to which no store of a result could be. */
typedef void convert_any(const struct conversion *c, unsigned lane, unsigned end);
/* Returns `end` or the strip for which convert_any is needed. */
typedef unsigned convert_usual(const struct conversion *c, unsigned lane, unsigned end);
#define ANY(from, to, scaled, at_random)                                                                               \
  static void any_##from##_##to##_##scaled##at_random(const struct conversion *c, unsigned lane, unsigned end) {       \
    const struct conversion own = *c;                                                                                  \
    for (; lane < end; lane += PANEL)                                                                                  \
      convert_strip(&own, lane, from, to, scaled, at_random);                                                          \
  }
#define USUAL(from, to, at_random, is_shared, is_woven)                                                                \
  static unsigned usual_##from##_##to##_##at_random##is_shared##is_woven(const struct conversion *c, unsigned lane,    \
                                                                         unsigned end) {                               \
    const struct conversion own = *c;                                                                                  \
    while (lane < end && convert_groups(&own, lane, from, to, at_random, is_shared, is_woven))                         \
      lane += PANEL;                                                                                                   \
    return lane;                                                                                                       \
  }
#define DECODE(from, to) ANY(from, to, 0, 0) ANY(from, to, 1, 0) USUAL(from, to, 0, 0, 0)
#define ENCODE(from, to)                                                              \
  ANY(from, to, 0, 0) ANY(from, to, 1, 0) ANY(from, to, 0, 1) ANY(from, to, 1, 1)     \
  USUAL(from, to, 0, 0, 0) USUAL(from, to, 1, 1, 0)
DECODE(BITS8, F32) DECODE(BITS8, F16) DECODE(BITS8, BF16)
DECODE(BITS6, F32) DECODE(BITS6, F16) DECODE(BITS6, BF16)
DECODE(BITS4, F32) DECODE(BITS4, F16) DECODE(BITS4, BF16)
ENCODE(F32, BITS8) ENCODE(F16, BITS8) ENCODE(BF16, BITS8)
ENCODE(F32, BITS6) ENCODE(F16, BITS6) ENCODE(BF16, BITS6)
USUAL(F32, BITS6, 1, 0, 0) USUAL(F16, BITS6, 1, 0, 0) USUAL(BF16, BITS6, 1, 0, 0) USUAL(F32, BITS6, 0, 0, 1)
ENCODE(F32, BITS4) ENCODE(F16, BITS4) ENCODE(BF16, BITS4)
ANY(F32, F16, 0, 1) ANY(F32, BF16, 0, 1)

struct loops {
  convert_any *any[2][2];              /* scaled, at random */
  convert_usual *usual, *at_random[2]; /* [1]: two values share random bits */
  convert_usual *woven;
};
#define DECODES(from, to) \
  [from][to] = {.any = {{any_##from##_##to##_00}, {any_##from##_##to##_10}}, .usual = usual_##from##_##to##_000}
#define ENCODES(from, to, ...)                                                          \
  [from][to] = {{{any_##from##_##to##_00, any_##from##_##to##_01},                      \
                 {any_##from##_##to##_10, any_##from##_##to##_11}},                     \
                usual_##from##_##to##_000, .at_random[1] = usual_##from##_##to##_110, __VA_ARGS__}
static const struct loops loops[KINDS][KINDS] = {
    DECODES(BITS8, F32), DECODES(BITS8, F16), DECODES(BITS8, BF16),
    DECODES(BITS6, F32), DECODES(BITS6, F16), DECODES(BITS6, BF16),
    DECODES(BITS4, F32), DECODES(BITS4, F16), DECODES(BITS4, BF16),
    ENCODES(F32, BITS8), ENCODES(F16, BITS8), ENCODES(BF16, BITS8),
    ENCODES(F32, BITS6, .at_random[0] = usual_F32_BITS6_100, .woven = usual_F32_BITS6_001),
    ENCODES(F16, BITS6, .at_random[0] = usual_F16_BITS6_100),
    ENCODES(BF16, BITS6, .at_random[0] = usual_BF16_BITS6_100),
    ENCODES(F32, BITS4), ENCODES(F16, BITS4), ENCODES(BF16, BITS4),
    [F32][F16] = {.any = {{NULL, any_F32_F16_01}}}, [F32][BF16] = {.any = {{NULL, any_F32_BF16_01}}}};

static enum kind kind_of(unsigned element) {
  switch (element) {
  case OG_ELEMENT_F32: return F32;
  case OG_ELEMENT_F16: return F16;
  case OG_ELEMENT_BF16: return BF16;
  case OG_ELEMENT_F4: return BITS4;
  default: return element == OG_ELEMENT_FP6 || element == OG_ELEMENT_BF6 ? BITS6 : BITS8;
  }
}

/* Whether modes and signs have no say in what is converted. Denormal f32 are flushed by the product with a scale. */
static bool has_usual_modes(const struct conversion *c, enum kind from, enum kind to, bool scaled) {
  const u32 of_results = OG_MODE_ROUND_16_64 | 1 << 7 | OG_MODE_FP16_OVFL, mode = c->mode;
  const bool to_nearest = !(mode & 3), sources_stay = mode & 1 << 4 || (scaled && !(mode & 1 << 5));
  return !c->signs && to_nearest && sources_stay && (from != F16 || mode & 1 << 6) &&
         (to != F16 || (mode & of_results) == 1 << 7);
}
/* What does most strips, or NULL: where values are few, or others. */
static convert_usual *find_usual(const struct conversion *c, enum kind from, enum kind to, bool scaled) {
  const struct og_conversion_detail *detail = c->detail;
  const struct loops *l = &loops[from][to];
  const bool at_random = detail->flags & OG_CONVERT_STOCHASTIC, is_woven = detail->flags & OG_CONVERT_WOVEN;
  if (!c->usual || !scaled || detail->count < values_of_group(from, to))
    return NULL;
  if (is_woven)
    return at_random ? NULL : l->woven;
  return at_random ? l->at_random[detail->random_halves] : l->usual;
}

/* ---- what lanes need --------------------------------------------------------------------------------------------- */

/* The dwords of a source where no result is written before they are read: a copy, if they are scalar or in D. */
static const u32 *rows_of(struct og_wave *wave, const struct og_operation *op, int i, unsigned dwords, unsigned written,
                          u32 *room) {
  if (op->s[i] < OG_AT_V(0)) {
    u32 scalar = og_scalar32(wave, op, i);
    EACH_LANE room[lane] = scalar;
    return room;
  }
  const u32 *from = og_at(wave, op->s[i]);
  const bool apart = op->s[i] + dwords * OG_AT_ROW <= op->d || op->d + written * OG_AT_ROW <= op->s[i];
  return apart ? from : memcpy(room, from, dwords * OG_AT_ROW);
}

/* 16 lanes have the scales. */
static const u32 *spread_scales(const struct og_conversion_detail *detail, const u32 *from, u32 *room) {
  for (unsigned row = 0; row < OG_LANES; row += 16) {
    unsigned shift = 8 * (detail->scale_byte + row / 16 % 2 * detail->scale_step);
    for (unsigned i = 0; i < 16; i++)
      room[row + i] = (from[detail->scale_lane + i] >> shift & 255) << 23;
  }
  return room;
}

static void find_sources(struct conversion *c, struct og_wave *wave, const struct og_operation *op, u32 *room) {
  const struct og_conversion_detail *detail = c->detail;
  const unsigned written = (detail->count * detail->to_width + 31u) / 32, sign = detail->from_width - 1u;
  const unsigned sources = detail->flags & (OG_CONVERT_APART | OG_CONVERT_WOVEN) ? 2 : 1;
  const unsigned dwords = (detail->count / sources * detail->from_width + 31u) / 32;
  const bool at_random = detail->flags & OG_CONVERT_STOCHASTIC;
  for (unsigned i = 0; i < sources; i++, room += dwords * OG_LANES) {
    c->source[i] = rows_of(wave, op, (int)i, dwords, written, room);
    c->keep[i] = detail->signs[i] & OG_ABS ? ~(1u << sign) : ~0u;
    c->flip[i] = detail->signs[i] & OG_NEG ? 1u << sign : 0;
    c->signs |= c->flip[i] | ~c->keep[i];
  }
  if (at_random)
    c->random = rows_of(wave, op, (int)sources, 1, written, room);
  room += OG_LANES;
  if (detail->flags & OG_CONVERT_SCALED)
    c->scale = rows_of(wave, op, sources == 2 || at_random ? 2 : 1, 1, written, room);
  else if (detail->flags & OG_CONVERT_BLOCKED)
    c->scale = spread_scales(detail, rows_of(wave, op, 1, 1, 0, room), room + OG_LANES);
}

const struct og_operation *OG_VARIANT(og_convert)(struct og_wave *wave, const struct og_operation *op) {
  const struct og_conversion_detail *detail = op->detail;
  const unsigned bits = detail->count * detail->to_width;
  const enum kind from = kind_of(detail->from), to = kind_of(detail->to);
  const bool at_random = detail->flags & OG_CONVERT_STOCHASTIC;
  const bool scaled = detail->flags & (OG_CONVERT_SCALED | OG_CONVERT_BLOCKED);
  og_aligned u32 room[(MOST_DWORDS + 3) * OG_LANES];
  struct conversion c = {.detail = detail, .mode = wave->mode, .d = og_at(wave, op->d), .active = wave->lanes};
  c.old = bits < 32 ? ~(((1u << bits) - 1) << detail->to_bit) : 0;
  c.source_format = detail->small_source;
  c.result_format = detail->small_result[is_few(to) || c.mode & OG_MODE_FP16_OVFL];
  find_sources(&c, wave, op, room);
  c.usual = has_usual_modes(&c, from, to, scaled);
  convert_usual *usual = find_usual(&c, from, to, scaled);
  convert_any *others = loops[from][to].any[scaled][at_random];
  const unsigned end = wave->wave_size;
  if (!usual)
    others(&c, 0, end);
  for (unsigned lane = 0; usual && (lane = usual(&c, lane, end)) < end; lane += PANEL)
    others(&c, lane, lane + PANEL);
  return og_next(op);
}
