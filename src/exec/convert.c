/* convert.c - conversions from and to floats of few bits, with block scales and stochastic rounding (CDNA4, 7.3;
 * CDNA5, 7.6). */
#include "exec/convert.h"

#include <math.h>
#include <string.h>

#include "base/floats.h"
#include "exec/lane_small.h"
#include "exec/modifiers.h"
#include "exec/place.h"
#include "exec/program.h"
#include "isa/rows.h"

enum { F32, F16, BF16, FP8, BF8, FP6, BF6, F4 };
enum {
  SCALED = 1,     /* the last source is a float, whose exponent scales */
  STOCHASTIC = 2, /* the source before it, or the last, has random bits */
  APART = 4,      /* two values in two sources */
  WOVEN = 8,      /* even values in one source, odd ones in another */
  BLOCKED = 16,   /* a byte of the last source is an exponent that scales */
};

struct conversion {
  uint16_t row;
  uint8_t to, from, count, flags;
};
static const struct conversion conversions[] = {
    {OG_ROW_V_CVT_F32_FP8, F32, FP8, 1, 0},
    {OG_ROW_V_CVT_PK_F32_FP8, F32, FP8, 2, 0},
    {OG_ROW_V_CVT_F16_FP8, F16, FP8, 1, 0},
    {OG_ROW_V_CVT_PK_F16_FP8, F16, FP8, 2, 0},
    {OG_ROW_V_CVT_PK_FP8_F32, FP8, F32, 2, APART},
    {OG_ROW_V_CVT_SR_FP8_F32, FP8, F32, 1, STOCHASTIC},
    {OG_ROW_V_CVT_PK_FP8_F16, FP8, F16, 2, 0},
    {OG_ROW_V_CVT_SR_FP8_F16, FP8, F16, 1, STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_F32_FP8, F32, FP8, 1, SCALED},
    {OG_ROW_V_CVT_SCALEF32_F16_FP8, F16, FP8, 1, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_F32_FP8, F32, FP8, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_FP8_F32, FP8, F32, 2, SCALED | APART},
    {OG_ROW_V_CVT_SCALEF32_SR_FP8_F32, FP8, F32, 1, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_FP8_F32, FP8, F32, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_FP8_F32, FP8, F32, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK_F16_FP8, F16, FP8, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_FP8_F16, FP8, F16, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_FP8_F16, FP8, F16, 1, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_FP8_F16, FP8, F16, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_FP8_F16, FP8, F16, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK_BF16_FP8, BF16, FP8, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_FP8_BF16, FP8, BF16, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_FP8_BF16, FP8, BF16, 1, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_FP8_BF16, FP8, BF16, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_FP8_BF16, FP8, BF16, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_F32_BF8, F32, BF8, 1, 0},
    {OG_ROW_V_CVT_PK_F32_BF8, F32, BF8, 2, 0},
    {OG_ROW_V_CVT_F16_BF8, F16, BF8, 1, 0},
    {OG_ROW_V_CVT_PK_F16_BF8, F16, BF8, 2, 0},
    {OG_ROW_V_CVT_PK_BF8_F32, BF8, F32, 2, APART},
    {OG_ROW_V_CVT_SR_BF8_F32, BF8, F32, 1, STOCHASTIC},
    {OG_ROW_V_CVT_PK_BF8_F16, BF8, F16, 2, 0},
    {OG_ROW_V_CVT_SR_BF8_F16, BF8, F16, 1, STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_F32_BF8, F32, BF8, 1, SCALED},
    {OG_ROW_V_CVT_SCALEF32_F16_BF8, F16, BF8, 1, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_F32_BF8, F32, BF8, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_BF8_F32, BF8, F32, 2, SCALED | APART},
    {OG_ROW_V_CVT_SCALEF32_SR_BF8_F32, BF8, F32, 1, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_BF8_F32, BF8, F32, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_BF8_F32, BF8, F32, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK_F16_BF8, F16, BF8, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_BF8_F16, BF8, F16, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_BF8_F16, BF8, F16, 1, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_BF8_F16, BF8, F16, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_BF8_F16, BF8, F16, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK_BF16_BF8, BF16, BF8, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_BF8_BF16, BF8, BF16, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_BF8_BF16, BF8, BF16, 1, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_BF8_BF16, BF8, BF16, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_BF8_BF16, BF8, BF16, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK_F32_FP4, F32, F4, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_FP4_F32, F4, F32, 2, SCALED | APART},
    {OG_ROW_V_CVT_SCALEF32_SR_PK_FP4_F32, F4, F32, 2, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_FP4_F32, F4, F32, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_FP4_F32, F4, F32, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK32_F32_FP6, F32, FP6, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK32_FP6_F32, FP6, F32, 32, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK16_FP6_F32, FP6, F32, 16, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK16_FP6_F32, FP6, F32, 16, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK32_F32_BF6, F32, BF6, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK32_BF6_F32, BF6, F32, 32, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK16_BF6_F32, BF6, F32, 16, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK16_BF6_F32, BF6, F32, 16, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK_F16_FP4, F16, F4, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_FP4_F16, F4, F16, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK_FP4_F16, F4, F16, 2, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_FP4_F16, F4, F16, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_FP4_F16, F4, F16, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK32_F16_FP6, F16, FP6, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK32_FP6_F16, FP6, F16, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK32_FP6_F16, FP6, F16, 32, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK16_FP6_F16, FP6, F16, 16, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK16_FP6_F16, FP6, F16, 16, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK32_F16_BF6, F16, BF6, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK32_BF6_F16, BF6, F16, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK32_BF6_F16, BF6, F16, 32, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK16_BF6_F16, BF6, F16, 16, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK16_BF6_F16, BF6, F16, 16, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK_BF16_FP4, BF16, F4, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK_FP4_BF16, F4, BF16, 2, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK_FP4_BF16, F4, BF16, 2, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK8_FP4_BF16, F4, BF16, 8, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK8_FP4_BF16, F4, BF16, 8, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK32_BF16_FP6, BF16, FP6, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK32_FP6_BF16, FP6, BF16, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK32_FP6_BF16, FP6, BF16, 32, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK16_FP6_BF16, FP6, BF16, 16, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK16_FP6_BF16, FP6, BF16, 16, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK32_BF16_BF6, BF16, BF6, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_PK32_BF6_BF16, BF6, BF16, 32, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK32_BF6_BF16, BF6, BF16, 32, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_PK16_BF6_BF16, BF6, BF16, 16, SCALED},
    {OG_ROW_V_CVT_SCALEF32_SR_PK16_BF6_BF16, BF6, BF16, 16, SCALED | STOCHASTIC},
    {OG_ROW_V_CVT_SCALEF32_2XPK16_FP6_F32, FP6, F32, 32, SCALED | WOVEN},
    {OG_ROW_V_CVT_SCALEF32_2XPK16_BF6_F32, BF6, F32, 32, SCALED | WOVEN},
    {OG_ROW_V_CVT_SR_F16_F32, F16, F32, 1, STOCHASTIC},
    {OG_ROW_V_CVT_SR_BF16_F32, BF16, F32, 1, STOCHASTIC},
    {OG_ROW_V_CVT_SR_PK_F16_F32, F16, F32, 2, STOCHASTIC | APART},
    {OG_ROW_V_CVT_SR_PK_BF16_F32, BF16, F32, 2, STOCHASTIC | APART},
    {OG_ROW_V_CVT_SCALE_PK8_F32_FP8, F32, FP8, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK8_F32_BF8, F32, BF8, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK8_F32_FP4, F32, F4, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK16_F32_FP6, F32, FP6, 16, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK16_F32_BF6, F32, BF6, 16, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK8_F16_FP8, F16, FP8, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK8_F16_BF8, F16, BF8, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK8_F16_FP4, F16, F4, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK16_F16_FP6, F16, FP6, 16, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK16_F16_BF6, F16, BF6, 16, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK8_BF16_FP8, BF16, FP8, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK8_BF16_BF8, BF16, BF8, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK8_BF16_FP4, BF16, F4, 8, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK16_BF16_FP6, BF16, FP6, 16, BLOCKED},
    {OG_ROW_V_CVT_SCALE_PK16_BF16_BF6, BF16, BF6, 16, BLOCKED},
};

static const struct {
  uint8_t bits, mantissa;
  int16_t least; /* exponent of a normal one */
} formats[] = {[F32] = {32, 23, -126}, [F16] = {16, 10, -14}, [BF16] = {16, 7, -126}, [FP8] = {8, 3, -6},
               [BF8] = {8, 2, -14}, [FP6] = {6, 3, 0}, [BF6] = {6, 2, -2}, [F4] = {4, 1, 0}};

struct detail {
  const struct conversion *facts;
  const struct og_small_float *small; /* the format of the few bits, NULL: there is none */
  uint8_t from_bit, to_bit;           /* where in their registers the elements begin */
  uint8_t flags[2];                   /* enum og_operand_flags of sources 0 and 1 */
  bool random_halves;                 /* two values share 32 random bits */
};

static const struct og_small_float *format_of(unsigned type, bool fnuz) {
  switch (type) {
  case FP8: return fnuz ? &og_fp8_e4m3_fnuz : &og_fp8_e4m3;
  case BF8: return fnuz ? &og_bf8_e5m2_fnuz : &og_bf8_e5m2;
  case FP6: return &og_fp6_e2m3;
  case BF6: return &og_bf6_e3m2;
  case F4: return &og_fp4_e2m1;
  default: return NULL;
  }
}

/* ---- one element ------------------------------------------------------------------------------------------------- */

static f64 value_of(const struct detail *detail, u32 bits, u32 mode) {
  switch (detail->facts->from) {
  case F32: return (f64)(mode & 1 << 4 ? f32_of_bits(bits) : flush_f32(f32_of_bits(bits)));
  case F16: return half_number(bits, mode);
  case BF16: return (f64)f32_of_bits(bits << 16);
  default: return (f64)og_small_to_float(detail->small, (u8)bits);
  }
}

/* 32 random bits are added behind the last place that stays, and what is there then is cut off. */
static f64 rounded_at_random(f64 x, unsigned to, u32 random) {
  if (x == 0 || !isfinite(x))
    return x;
  int place = OG_MAX(ilogb(x), formats[to].least) - formats[to].mantissa; /* of the last bit kept */
  f64 units = ldexp(fabs(x), -place), kept = floor(units);
  kept += (units - kept) + ldexp((f64)random, -32) >= 1;
  return copysign(ldexp(kept, place), x);
}

static u32 bits_of(const struct detail *detail, f64 x, u32 mode) {
  switch (detail->facts->to) {
  case F32: return bits_of_f32((f32)x);
  case F16: return half_bits(x, mode);
  case BF16: return og_float_to_bfloat((f32)x);
  case FP8: case BF8: return og_float_to_small(detail->small, (f32)x, mode & OG_MODE_FP16_OVFL);
  default: return og_float_to_small(detail->small, (f32)x, true);
  }
}

/* ---- a lane ------------------------------------------------------------------------------------------------------ */

static u32 source_bits(struct og_wave *wave, const struct og_operation *op, int i, unsigned bit, unsigned width,
                       unsigned lane) {
  const u32 *from = og_at(wave, op->s[i]);
  if (op->s[i] < OG_AT_V(0))
    return (u32)(og_scalar32(wave, op, i) >> bit & (width < 32 ? (1u << width) - 1 : 0xffffffff));
  u64 both = from[lane + bit / 32 * OG_LANES];
  if (bit % 32 + width > 32)
    both |= (u64)from[lane + (bit / 32 + 1) * OG_LANES] << 32;
  return (u32)(both >> bit % 32) & (width < 32 ? (1u << width) - 1 : 0xffffffff);
}

static u32 next_random(u32 x) { return x << 1 ^ (x >> 31 ? 197 : 0); } /* v_prng_b32 */

/* What the values of a lane are multiplied by. */
static f64 factor_of(struct og_wave *wave, const struct og_operation *op, unsigned lane) {
  const struct conversion *facts = ((const struct detail *)op->detail)->facts;
  bool up = facts->to < FP8 && facts->from >= FP8;
  u32 exponent = 127;
  if (facts->flags & SCALED)
    exponent = source_bits(wave, op, facts->flags & (APART | WOVEN | STOCHASTIC) ? 2 : 1, 23, 8, lane);
  if (facts->flags & BLOCKED) /* 16 lanes have the scales: of 16 bits of them where blocks have less than 8-bit values */
    exponent = source_bits(wave, op, 1, facts->from >= FP6 ? lane / 16 % 2 * 8 : 0, 8, lane % 16);
  int power = (int)exponent - 127;
  if (power == 0) /* most are not scaled */
    return 1;
  return exponent == 255 ? (f64)NAN : ldexp(1, up ? power : -power);
}

static void convert_lane(struct og_wave *wave, const struct og_operation *op, unsigned lane, u32 *out) {
  const struct detail *detail = op->detail;
  const struct conversion *facts = detail->facts;
  unsigned width = formats[facts->from].bits, result = formats[facts->to].bits, to_bit = detail->to_bit;
  unsigned sources = facts->flags & (APART | WOVEN) ? 2 : 1;
  u32 random = facts->flags & STOCHASTIC ? source_bits(wave, op, (int)sources, 0, 32, lane) : 0;
  f64 factor = factor_of(wave, op, lane);
  for (unsigned n = 0; n < facts->count; n++, to_bit += result) {
    int source = (int)(n % sources);
    u32 bits = source_bits(wave, op, source, detail->from_bit + n / sources * width, width, lane);
    u32 sign = 1u << (width - 1);
    bits = (detail->flags[source] & OG_ABS ? bits & ~sign : bits) ^ (detail->flags[source] & OG_NEG ? sign : 0);
    f64 x = value_of(detail, bits, wave->mode) * factor;
    if (facts->flags & STOCHASTIC)
      x = rounded_at_random(x, facts->to, !detail->random_halves ? random : n % 2 ? random & 0xffff0000 : random << 16);
    random = detail->random_halves && (n % 2 == 0 || sources == 2) ? random : next_random(random);
    u64 placed = (u64)bits_of(detail, x, wave->mode) << to_bit % 32;
    u64 mask = (((u64)1 << result) - 1) << to_bit % 32;
    out[to_bit / 32] = (out[to_bit / 32] & ~(u32)mask) | (u32)placed;
    if (mask >> 32)
      out[to_bit / 32 + 1] = (out[to_bit / 32 + 1] & ~(u32)(mask >> 32)) | (u32)(placed >> 32);
  }
}

/* All lanes are read before one is written: sources may be where the result is. */
static const struct og_operation *convert(struct og_wave *wave, const struct og_operation *op) {
  const struct detail *detail = op->detail;
  unsigned dwords = (detail->facts->count * formats[detail->facts->to].bits + 31u) / 32;
  u32 *d = og_at(wave, op->d), out[OG_LANES][32];
  for (unsigned lane = 0; lane < OG_LANES; lane++) {
    if (!wave->lanes[lane])
      continue;
    for (unsigned n = 0; n < dwords; n++)
      out[lane][n] = d[lane + n * OG_LANES];
    convert_lane(wave, op, lane, out[lane]);
  }
  for (unsigned lane = 0; lane < OG_LANES; lane++)
    for (unsigned n = 0; n < dwords && wave->lanes[lane]; n++)
      d[lane + n * OG_LANES] = out[lane][n];
  return og_next(op);
}

/* ---- decoding ---------------------------------------------------------------------------------------------------- */

/* Which part of a register elements of less than 32 bits are in: op_sel, byte_sel, SDWA, or halves of registers. */
static bool find_parts(struct og_program *program, const struct og_inst *inst, struct detail *detail) {
  const struct conversion *facts = detail->facts;
  unsigned from = facts->flags & APART ? 32 : facts->count * formats[facts->from].bits;
  unsigned to = facts->count * formats[facts->to].bits;
  if (inst->mod[OG_MOD_SCALE_SEL])
    return og_refuse(program, "scale_sel");
  unsigned select = (unsigned)inst->mod[OG_MOD_OP_SEL], byte_sel = (unsigned)inst->mod[OG_MOD_BYTE_SEL] & 3, taken = 0;
  const struct og_operand *source = og_operand(inst, OG_ROLE_SRC0), *result = og_operand(inst, OG_ROLE_VDST);
  if (from == 8)
    detail->from_bit = (uint8_t)(8 * ((select & 3) | byte_sel)), taken |= 3;
  if (from == 16)
    detail->from_bit = select & 1 || source->flags & OG_HALF_HI ? 16 : 0, taken |= 1;
  if (to == 8)
    detail->to_bit = (uint8_t)(8 * ((select >> 2 & 3) | (from == 8 ? 0 : byte_sel))), taken |= 12;
  if (to == 16)
    detail->to_bit = select & 8 || result->flags & OG_HALF_HI ? 16 : 0, taken |= 8;
  if (inst->variant == OG_VARIANT_SDWA) {
    unsigned part = (unsigned)inst->mod[OG_MOD_SRC0_SEL]; /* bytes, words, all */
    if (part > 6 || (from == 8 ? part > 3 && part != 6 : part < 4))
      return og_refuse(program, "src0_sel");
    detail->from_bit = (uint8_t)(part == 6 ? 0 : from == 8 ? 8 * part : 16 * (part - 4));
  }
  return !(select & ~taken) || og_refuse(program, "op_sel");
}

static bool obeys(struct og_program *program, const struct og_inst *inst, struct detail *detail) {
  const struct conversion *facts = detail->facts;
  if (inst->variant == OG_VARIANT_DPP16 || inst->variant == OG_VARIANT_DPP8)
    return og_refuse(program, "dpp");
  og_mod_set obeyed = OG_MODS(OP_SEL) | OG_MODS(SCALE_SEL) | (facts->count == 1 ? OG_MODS(BYTE_SEL) : 0);
  if (inst->variant == OG_VARIANT_SDWA) /* the other fields are ignored (CDNA4, 7.3) */
    obeyed |= OG_MODS(SRC0_SEL) | OG_MODS(DST_SEL) | OG_MODS(DST_UNUSED) | OG_MODS(SRC1_SEL);
  for (unsigned i = 0; i < inst->operand_count; i++) {
    const struct og_operand *operand = &inst->operands[i];
    bool value = operand->role == OG_ROLE_SRC0 || (operand->role == OG_ROLE_SRC1 && facts->flags & APART);
    bool result = operand->role == OG_ROLE_VDST;
    bool signs = value && facts->from <= BF16 && facts->count <= 2 && (facts->count == 1 || facts->flags & APART);
    if (!og_obeys_flags(program, operand, (signs ? OG_NEG | OG_ABS : 0) | (value || result ? OG_HALF_HI : 0)))
      return false;
    if (signs)
      detail->flags[operand->role == OG_ROLE_SRC1] = operand->flags;
  }
  return og_obeys(program, inst, obeyed);
}

static bool place(const struct og_inst *inst, const struct conversion *facts, struct og_operation *op) {
  static const uint8_t roles[3] = {OG_ROLE_SRC0, OG_ROLE_SRC1, OG_ROLE_SRC2};
  unsigned from = facts->count * formats[facts->from].bits, to = facts->count * formats[facts->to].bits;
  unsigned first = facts->flags & APART ? 1 : facts->flags & WOVEN ? from / 64 : (from + 31) / 32;
  for (int i = 0; i < 3; i++) {
    const struct og_operand *operand = og_operand(inst, roles[i]);
    op->s[i] = OG_AT_S(OG_S_ZERO);
    unsigned dwords = i == 0 || (i == 1 && facts->flags & WOVEN) ? first : 1;
    if (!operand)
      continue;
    if (dwords > 1 ? !og_place_vector(operand, dwords, &op->s[i])
                   : !og_place_source(operand, dwords, &op->s[i], &op->constant[i]))
      return false;
  }
  return og_place_vector(og_operand(inst, OG_ROLE_VDST), (to + 31) / 32, &op->d);
}

bool og_prepare_conversion(struct og_program *program, const struct og_inst *inst, struct og_operation *op) {
  const struct conversion *facts = NULL;
  for (size_t i = 0; i < OG_COUNT(conversions) && !facts; i++)
    facts = conversions[i].row == inst->row ? &conversions[i] : NULL;
  if (!facts)
    return false;
  struct detail *detail = OG_NEW(program->arena, struct detail);
  *detail = (struct detail){.facts = facts};
  enum og_generation generation = program->target.processor->generation;
  bool fnuz = generation == OG_GFX942;
  detail->random_halves = generation >= OG_GFX1250 && facts->count > 1;
  detail->small = format_of(facts->from >= FP8 ? facts->from : facts->to, fnuz);
  if (!obeys(program, inst, detail) || !find_parts(program, inst, detail) || !place(inst, facts, op))
    return false;
  op->class = OG_CLASS_VALU;
  op->detail = detail;
  op->handler = convert;
  return true;
}
