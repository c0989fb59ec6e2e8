/* test_matrix.c - products of matrices by the vector code of each of the host's levels, against sums of single elements
 * (og_matrix_careful, and integers here), on numbers that lead through all ways of summing: near 1, cancelling,
 * denormal, far apart, largest and smallest, infinite, NaN. Where elements stand is tests/programs/matrix.py's. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/float_control.h"
#include "base/floats.h"
#include "exec/matrix.h"
#include "exec/vector.h"
#include "form_fixture.h"

enum { SOURCES = 8, SPARSE = 24, RESULTS = 32, LAST_SOURCES = 64, TRIES = 12 };

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

enum kind { ANY, NEAR_ONE, CANCELLING, DENORMAL, FAR_APART, SPECIAL, SMALLEST, LARGEST, MODERATE, KINDS };

struct format {
  unsigned width, exponent, mantissa;
};
static struct format format_of(unsigned element) {
  switch (element) {
  case OG_ELEMENT_F64: return (struct format){64, 11, 52};
  case OG_ELEMENT_F32:
  case OG_ELEMENT_XF32: return (struct format){32, 8, 23};
  case OG_ELEMENT_F16: return (struct format){16, 5, 10};
  case OG_ELEMENT_BF16: return (struct format){16, 8, 7};
  case OG_ELEMENT_FP8: return (struct format){8, 4, 3};
  case OG_ELEMENT_BF8: return (struct format){8, 5, 2};
  default: return (struct format){32, 0, 0};
  }
}

static uint64_t number(unsigned element, enum kind kind) {
  struct format f = format_of(element);
  uint64_t bits = (uint64_t)random32() << 32 | random32(), mantissa = bits & (((uint64_t)1 << f.mantissa) - 1);
  uint64_t sign = bits >> 63 << (f.width - 1), all = ((uint64_t)1 << f.exponent) - 1, bias = all / 2, e = bias;
  unsigned chance = random32();
  if (f.exponent == 0 || kind == ANY)
    return f.width == 64 ? bits : bits & (((uint64_t)1 << f.width) - 1);
  switch (kind) {
  case NEAR_ONE: e = bias - 2 + chance % 4; break;
  case CANCELLING: mantissa &= 1, e = bias + chance % 2; break;
  case DENORMAL:
    e = chance % 3 == 0 ? 0 : chance % 3 == 1 ? 1 + chance / 3 % 2 : bias, mantissa = chance % 5 ? mantissa : 0;
    break;
  case FAR_APART: e = chance % all; break;
  case SPECIAL:
    e = chance % 40 ? bias - 2 + chance % 5 : all, mantissa = chance / 64 % 2 || e != all ? mantissa : 0;
    break;
  case SMALLEST: e = chance % 4; break;
  case LARGEST: e = all - 1 - chance % 4; break;
  default: e = bias - bias / 3 + chance % (2 * bias / 3); break;
  }
  return sign | e << f.mantissa | mantissa;
}

/* Registers full of elements. */
static void fill_with(unsigned first, unsigned count, unsigned element, enum kind kind) {
  struct format f = format_of(element);
  for (unsigned k = 0; k < count; k++)
    for (unsigned lane = 0; lane < OG_LANES; lane++) {
      uint64_t bits = number(element, kind);
      for (unsigned at = f.width; at < 32; at += f.width)
        bits |= number(element, kind) << at;
      if (f.width == 64 && k % 2)
        wave->v[first + k - 1][lane] = (uint32_t)bits;
      wave->v[first + k][lane] = f.width == 64 ? (uint32_t)(bits >> 32) : (uint32_t)bits;
    }
}

/* ---- the reference ----------------------------------------------------------------------------------------------- */

static double value_of(const struct og_matrix_side *m, uint64_t bits) {
  double value;
  switch (m->element) {
  case OG_ELEMENT_F64: memcpy(&value, &bits, 8); return value;
  case OG_ELEMENT_F16: return og_half_to_float((uint16_t)bits);
  case OG_ELEMENT_BF16: return og_bfloat_to_float((uint16_t)bits);
  case OG_ELEMENT_XF32: return og_float_of_bits((uint32_t)bits & 0xffffe000);
  case OG_ELEMENT_FP8: return og_small_to_float(m->fnuz ? &og_fp8_e4m3_fnuz : &og_fp8_e4m3, (uint8_t)bits);
  case OG_ELEMENT_BF8: return og_small_to_float(m->fnuz ? &og_bf8_e5m2_fnuz : &og_bf8_e5m2, (uint8_t)bits);
  case OG_ELEMENT_FP6: return og_small_to_float(&og_fp6_e2m3, (uint8_t)bits);
  case OG_ELEMENT_BF6: return og_small_to_float(&og_bf6_e3m2, (uint8_t)bits);
  case OG_ELEMENT_F4: return og_small_to_float(&og_fp4_e2m1, (uint8_t)bits);
  case OG_ELEMENT_I8: return (int8_t)bits;
  case OG_ELEMENT_IU8: return m->is_signed ? (int8_t)bits : (uint8_t)bits;
  case OG_ELEMENT_IU4: return m->is_signed ? (int)(bits & 15) - 16 * (int)(bits >> 3 & 1) : (double)(bits & 15);
  default: return og_float_of_bits((uint32_t)bits);
  }
}

/* The bits of a lane's element, and its value with the sign that k gives it. */
static uint64_t element_bits(const struct og_matrix_side *m, const struct og_matrix_place *place, unsigned row) {
  unsigned lane = place->at % OG_LANES + row % m->lanes;
  const uint32_t *from = og_at(before, m->at) + place->at / OG_LANES * OG_LANES + (m->moved ? m->lane[lane] : lane);
  uint64_t bits = m->width == 64 || place->shift + m->width > 32 ? (uint64_t)from[OG_LANES] << 32 | from[0] : from[0];
  bits >>= place->shift;
  return m->width == 64 ? bits : bits & (((uint64_t)1 << m->width) - 1);
}
static double factor_of(const struct og_matrix_side *m, unsigned row, unsigned k) {
  double value = value_of(m, element_bits(m, &m->place[row / m->lanes][k], row));
  return m->negate >> (k & 1) & 1 ? -value : value;
}

/* Row of a sparse A, and what of it is there. */
static void sparse_row(const struct og_matrix_plan *plan, unsigned row, double *a, bool *there) {
  const struct og_matrix_side *m = &plan->a;
  const uint32_t *indices = og_at(before, plan->index_at);
  for (unsigned k = 0; k < plan->facts->k; k += 4) {
    for (unsigned i = 0; i < 4; i++)
      a[k + i] = m->negate >> (i & 1) & 1 ? -0.0 : 0, there[k + i] = false;
    for (unsigned n = 2; n-- > 0;) {
      const struct og_matrix_place *place = &m->place[0][k + n];
      unsigned lane = place->at % OG_LANES + row, bit = plan->index_shift + 2u * place->item;
      unsigned which = indices[bit / 32 * OG_LANES + lane] >> bit % 32 & 3;
      if (which == (n ? 0 : 3))
        continue;
      double value = value_of(m, element_bits(m, place, row));
      a[k + which] = m->negate >> (which & 1) & 1 ? -value : value;
      there[k + which] = true;
    }
  }
}

static float small_scale(unsigned bits, unsigned format) {
  static const struct og_small_float e5m3 = {5, 3, 15, false, 0xff};
  return format == 0
             ? (bits == 255 ? NAN : ldexpf(1, (int)bits - 127))
             : og_small_to_float(format == 1 ? &e5m3 : &og_fp8_e4m3, (uint8_t)(format == 1 ? bits : bits & 127));
}
static double scale_of(const struct og_matrix_plan *plan, bool is_a, unsigned i, unsigned block) {
  const struct og_matrix_scale *s = is_a ? &plan->scale_a : &plan->scale_b;
  const uint32_t *from = og_at(before, s->at);
  unsigned side = is_a ? plan->a.side : plan->b.side;
  if (!plan->facts->scaled)
    return 1;
  unsigned lane = s->by_lane_group ? i + side * block : s->first_lane + i,
           bit = s->by_lane_group ? s->shift : 8 * block;
  uint32_t bits = s->is_vector        ? from[lane + bit / 32 * OG_LANES] >> bit % 32
                  : s->by_lane_group ? (from[0] + s->constant) >> s->shift
                                     : from[0] + s->constant;
  if (s->format == 1) /* E5M3 has no sign: all eight bits are a number */
    return (bits & 255) == 255 ? (double)NAN
                               : ldexp((bits & 7) + (bits >> 3 & 31 ? 8 : 0), (int)OG_MAX(bits >> 3 & 31, 1u) - 18);
  return small_scale(bits & 255, s->format);
}

static double addend_of(const struct og_matrix_plan *plan, unsigned r, unsigned lane, uint64_t *whole) {
  bool wide = plan->c == OG_ELEMENT_F64, narrow = plan->c == OG_ELEMENT_F16 || plan->c == OG_ELEMENT_BF16;
  bool alone = plan->one_to_register || !narrow;
  const uint32_t *from = og_at(before, plan->c_at + (wide ? 2 * r : alone ? r : r / 2) * OG_AT_ROW) + lane;
  uint64_t bits = plan->constant_c ? plan->c_constant : wide ? (uint64_t)from[OG_LANES] << 32 | from[0] : from[0];
  if (narrow && !plan->constant_c)
    bits = bits >> (plan->one_to_register ? (plan->half_high ? 16 : 0) : r % 2 * 16) & 0xffff;
  *whole = bits;
  double c;
  memcpy(&c, &bits, 8);
  if (!wide)
    c = plan->c == OG_ELEMENT_F16    ? og_half_to_float((uint16_t)bits)
        : plan->c == OG_ELEMENT_BF16 ? og_bfloat_to_float((uint16_t)bits)
                                     : og_float_of_bits((uint32_t)bits);
  c = plan->c_absolute ? fabs(c) : c;
  return plan->c_negate ? -c : c;
}

static uint32_t float_control_of(const struct og_matrix_plan *plan) {
  return og_float_control(0, plan->sum == OG_SUM_PAIRWISE ? 0
                             : plan->flushes_by_mode      ? (wave->mode & OG_MODE_DENORM_32) >> 4
                                                          : 3);
}
static float flushed(const struct og_matrix_side *m, float x) {
  return fabsf(x) < ldexpf(1, m->least_exponent) ? 0 : x;
}

/* One element of D. `special`: an infinity or NaN is among its sources. */
static double result_of(const struct og_matrix_plan *plan, unsigned r, unsigned lane, bool *special) {
  unsigned row = plan->row[r][lane], column = plan->column[r][lane], depth = plan->facts->k;
  bool sparse = plan->facts->kind == OG_MATRIX_SMFMAC || plan->facts->kind == OG_MATRIX_SWMMAC, there[OG_MATRIX_DEPTH];
  double a[OG_MATRIX_DEPTH], b[OG_MATRIX_DEPTH];
  float x[OG_MATRIX_DEPTH], y[OG_MATRIX_DEPTH];
  uint64_t whole;
  double c = addend_of(plan, r, lane, &whole);
  memset(there, true, sizeof there);
  if (sparse)
    sparse_row(plan, row, a, there);
  *special = !isfinite(c);
  for (unsigned k = 0; k < depth; k++) {
    a[k] = sparse ? a[k] : factor_of(&plan->a, row, k);
    b[k] = factor_of(&plan->b, column, k);
    *special |= !isfinite(a[k]) || !isfinite(b[k]);
    /* What a sparse row leaves out counts as 0 times what is there, unless that is not finite. */
    x[k] = (float)a[k], y[k] = there[k] || isfinite(b[k]) ? (float)b[k] : 0;
    if (plan->sum == OG_SUM_PAIRWISE)
      x[k] = flushed(&plan->a, x[k]), y[k] = flushed(&plan->b, y[k]);
  }
  if (plan->sum == OG_SUM_INTEGER) {
    int64_t sum = 0;
    for (unsigned k = 0; k < depth; k++)
      sum += there[k] ? (int64_t)(a[k] * b[k]) : 0;
    bool saturates = plan->saturates || (plan->ovfl_saturates && wave->mode & OG_MODE_FP16_OVFL);
    int64_t all = (int32_t)whole + sum;
    return saturates ? OG_MAX(INT32_MIN, OG_MIN(INT32_MAX, all)) : (double)(int32_t)(uint32_t)all;
  }
  if (plan->facts->d == OG_ELEMENT_F64) {
    for (unsigned k = 0; k < depth; k++)
      c = fma(a[k], b[k], c);
    return c;
  }
  if (plan->sum == OG_SUM_PAIRWISE)
    c = fabs(c) < 0x1p-126 ? 0 : c;
  double scales[OG_MATRIX_DEPTH];
  for (unsigned n = 0; n * plan->group < depth; n++)
    scales[n] = scale_of(plan, true, row, n) * scale_of(plan, false, column, n);
  uint32_t control = og_get_float_control();
  float c_of_sum = (float)c;
  og_set_float_control(float_control_of(plan)); /* for the sum alone: conversions, too, flush as it says */
  float sum = og_matrix_careful(plan, x, y, depth, plan->sum == OG_SUM_SCALED ? scales : NULL, c_of_sum);
  og_set_float_control(control);
  return sum;
}

/* ---- comparison -------------------------------------------------------------------------------------------------- */

static uint64_t bits_of_result(const struct og_matrix_plan *plan, double value, bool special) {
  static const uint32_t infinity[] = {
      [OG_ELEMENT_F32] = 0x7f800000, [OG_ELEMENT_F16] = 0x7c00, [OG_ELEMENT_BF16] = 0x7f80};
  uint64_t bits;
  memcpy(&bits, &value, 8);
  if (plan->d == OG_ELEMENT_F64)
    return bits;
  if (plan->d == OG_ELEMENT_I32)
    return (uint32_t)(int32_t)value;
  bits = plan->d == OG_ELEMENT_F16    ? og_float_to_half((float)value, OG_ROUND_NEAREST)
         : plan->d == OG_ELEMENT_BF16 ? og_float_to_bfloat((float)value)
                                      : og_bits_of_float((float)value);
  bool saturates = plan->ovfl_saturates && wave->mode & OG_MODE_FP16_OVFL;
  return saturates && !special && (bits & (infinity[plan->d] | (infinity[plan->d] - 1))) == infinity[plan->d] ? bits - 1
                                                                                                              : bits;
}
static bool is_nan(const struct og_matrix_plan *plan, uint64_t bits) {
  struct format f = format_of(plan->d);
  uint64_t infinity = (((uint64_t)1 << f.exponent) - 1) << f.mantissa;
  return f.exponent && (bits & (((uint64_t)1 << (f.width - 1)) - 1)) > infinity;
}
static uint64_t result_at(const struct og_matrix_plan *plan, unsigned r, unsigned lane) {
  unsigned width = plan->d == OG_ELEMENT_F64 ? 64 : plan->d == OG_ELEMENT_F16 || plan->d == OG_ELEMENT_BF16 ? 16 : 32;
  bool paired = width == 16 && !plan->one_to_register;
  const uint32_t *d = og_at(wave, plan->d_at + (width == 64 ? 2 * r : paired ? r / 2 : r) * OG_AT_ROW) + lane;
  return width == 64   ? (uint64_t)d[OG_LANES] << 32 | d[0]
         : width == 16 ? d[0] >> (paired ? r % 2 * 16 : plan->half_high ? 16 : 0) & 0xffff
                       : d[0];
}

static unsigned compared, complaints;

/* All variants of the host, beside the reference. */
static void compare(const struct og_operation *op, const char *what) {
  const struct og_matrix_plan *plan = op->detail;
  static uint64_t expected[OG_MATRIX_RESULTS][OG_LANES];
  uint32_t control = og_get_float_control();
  memcpy(before, wave, sizeof *wave);
  og_set_float_control(og_float_control(0, 3));
  for (unsigned r = 0; r < plan->results; r++)
    for (unsigned lane = 0; lane < plan->facts->lanes; lane++) {
      bool special;
      double value = result_of(plan, r, lane, &special);
      expected[r][lane] = bits_of_result(plan, value, special);
    }
  for (size_t v = 0; v < og_vector_variant_count; v++) {
    const struct og_vector_variant *variant = og_vector_variants[v];
    if (!variant->usable())
      continue;
    memcpy(wave, before, sizeof *wave);
    og_set_float_control(wave->float_control_32);
    variant->multiply(wave, op);
    og_set_float_control(control);
    for (unsigned r = 0; r < plan->results; r++)
      for (unsigned lane = 0; lane < plan->facts->lanes; lane++, compared++) {
        uint64_t is = result_at(plan, r, lane), should_be = expected[r][lane];
        if (is == should_be || (is_nan(plan, is) && is_nan(plan, should_be)) || complaints++ > 20)
          continue;
        print_message("%s, %s: result %u of lane %u is %llx, not %llx\n", variant->name, what, r, lane,
                      (unsigned long long)is, (unsigned long long)should_be);
        r = plan->results - 1u, lane = OG_LANES;
      }
  }
}

static void place_registers(struct og_inst *inst, bool swmmac) {
  for (unsigned i = 0; i < inst->operand_count; i++) {
    struct og_operand *operand = &inst->operands[i];
    bool vector = operand->kind == OG_OPERAND_VGPR || operand->kind == OG_OPERAND_AGPR;
    switch (vector ? operand->role : OG_ROLE_SIMM) {
    case OG_ROLE_VDST: operand->reg = RESULTS, operand->kind = OG_OPERAND_VGPR; break;
    case OG_ROLE_SRC0: operand->reg = SOURCES, operand->kind = OG_OPERAND_VGPR; break;
    case OG_ROLE_SRC1: operand->reg = LAST_SOURCES, operand->kind = OG_OPERAND_VGPR; break;
    case OG_ROLE_SRC2: operand->reg = swmmac ? SPARSE : RESULTS, operand->kind = OG_OPERAND_VGPR; break;
    case OG_ROLE_SIMM: break;
    default: operand->reg = SPARSE + 2 * (random32() % 2); break;
    }
  }
}

/* An instruction of the form that the executor takes, decoded; NULL: chance did not find one. */
static const struct og_operation *decoded(unsigned index, bool plain) {
  const struct og_form *form = og_form(isa, index);
  struct og_inst inst;
  if (!random_inst(index, &inst))
    return NULL;
  if (plain)
    inst.mod[OG_MOD_NEG_LO] = inst.mod[OG_MOD_NEG_HI] = inst.mod[OG_MOD_CBSZ] = inst.mod[OG_MOD_BLGP] =
        inst.mod[OG_MOD_ABID] = inst.mod[OG_MOD_OP_SEL] = inst.mod[OG_MOD_OP_SEL_HI] = inst.mod[OG_MOD_INDEX_KEY] = 0;
  place_registers(&inst, og_form_matrix(form)->kind == OG_MATRIX_SWMMAC);
  if (!put_code(&inst))
    return NULL;
  memset(program->operations, 0, sizeof program->operations[0] * (CODE + 1));
  run(wave);
  return program->operations[0].handler == program->variant->multiply ? program->operations : NULL;
}

static void try_form(const char *processor, unsigned index, unsigned number_of_try) {
  const struct og_operation *op = NULL;
  wave->mode = 0x2f0;
  for (unsigned n = 0; n < 60 && !op; n++)
    op = decoded(index, n >= 30 || number_of_try % 2 == 0);
  if (!op)
    return;
  const struct og_matrix_plan *plan = op->detail;
  static const enum kind addends[] = {NEAR_ONE, NEAR_ONE, CANCELLING, MODERATE, FAR_APART,
                                      SPECIAL,  SMALLEST, LARGEST,    DENORMAL, ANY};
  enum kind kind = number_of_try % KINDS, other = random32() % 4 ? kind : random32() % KINDS;
  enum kind of_c = random32() % 2 ? kind : addends[random32() % OG_COUNT(addends)];
  fill_with(RESULTS, 32, plan->c, of_c);
  if (random32() % 8 == 0)
    memset(wave->v[RESULTS], 0, 32 * sizeof wave->v[0]);
  fill_with(SOURCES, 16, plan->a.element, kind);
  fill_with(LAST_SOURCES, 16, plan->b.element, other);
  for (unsigned k = 0; k < 8; k++)
    for (unsigned lane = 0; lane < OG_LANES; lane++) /* indices, or scales near 1 */
      wave->v[SPARSE + k][lane] =
          !plan->facts->scaled || number_of_try % 4 == 3 ? random32() : 0x78787878 + (random32() & 0x0f0f0f0f);
  wave->mode = 0x200 | (random32() % 2 ? 0xf0 : random32() & 0xff) | (random32() % 4 ? 0 : OG_MODE_FP16_OVFL);
  og_mode_changed(wave);
  char what[160];
  snprintf(what, sizeof what, "%s wave%u %s, try %u, kinds %u %u %u, mode %x", processor, isa->wave,
           og_form_name(og_form(isa, index)), number_of_try, (unsigned)kind, (unsigned)other, (unsigned)of_c,
           wave->mode);
  compare(op, what);
}

static void check_processor(const char *name, unsigned wave_size, unsigned tries) {
  static struct og_isa room;
  struct og_target target = target_of(name);
  target.wave_size = (uint8_t)wave_size;
  program = og_program_new(&target, code, sizeof code);
  isa = og_isa_for(&target, &room);
  set_up_wave(wave, 0);
  for (unsigned i = 0; i < og_form_count(isa); i++)
    if (og_form_fits(isa, og_form(isa, i)) && og_form_matrix(og_form(isa, i))->kind != OG_MATRIX_NONE)
      for (unsigned n = 0; n < tries; n++)
        try_form(name, i, n);
  og_program_free(program);
}

static void vector_code_is_careful(void **state) {
  (void)state;
  unsigned tries = getenv("OFFGRID_MATRIX_TRIES") ? (unsigned)strtoul(getenv("OFFGRID_MATRIX_TRIES"), NULL, 10) : TRIES;
  const char *only = getenv("OFFGRID_MATRIX_ONLY");
  wave = zeros(sizeof(struct og_wave)), before = zeros(sizeof(struct og_wave));
  set_up_memory();
  seed += tries; /* each number of tries is other numbers */
  for (size_t p = 0; p < OG_COUNT(processors); p++) {
    struct og_target target = target_of(processors[p]);
    if (only && strcmp(only, processors[p]) != 0)
      continue;
    if (target.wave_size == 32)
      check_processor(processors[p], 32, tries);
    if (target.processor->generation < OG_GFX1250)
      check_processor(processors[p], 64, tries);
  }
  print_message("%u elements compared\n", compared);
  tear_down_memory();
  assert_true(compared > 0);
  assert_int_equal(complaints, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(vector_code_is_careful)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
