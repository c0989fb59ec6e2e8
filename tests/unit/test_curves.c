/* Curves of all halves and bfloats, in all rounding modes, on each host: as the long sums in doubles have them. Of some
 * f32: fused sums have the bits of those that are not. */
#include "wave_fixture.h"

#include <math.h>

#include "base/float_control.h"
#include "exec/lane_curves.h"
#include "exec/lane_small.h"

enum { COUNT = 1 << 16 };
static uint32_t sources[COUNT], expected[COUNT];

static f32 half_at(unsigned i) { return half_value(sources[i]); }
static f32 at(unsigned i) { return f32_of_bits(sources[i]); }
static u32 rounded(f32 x) { return half_of_f32(x, wave->mode >> 2 & 3); }
static u32 exp_f16(unsigned i) {
  f32 x = half_at(i);
  return rounded(exp2_f32(x > 100.0f && x < __builtin_inff() ? 100.0f : x));
}
static u32 log_f16(unsigned i) { return rounded(log2_flushed(half_at(i))); }
static u32 sine_f16(unsigned i) { return rounded(sin_turns(half_at(i))); }
static u32 cosine_f16(unsigned i) { return rounded(cos_turns(half_at(i))); }
static u32 rsq_f16(unsigned i) { return rounded((f32)(1.0 / sqrt((f64)half_at(i)))); }
static u32 tanh_f16(unsigned i) { return rounded(normal_to_odd(tanh_core((f64)half_at(i), false))); }
static f64 bf16_at(unsigned i) { return bf16_number((u16)sources[i]); }
static u32 log_bf16(unsigned i) { return bf16_bits(log2(bf16_at(i)), wave->mode); }
static u32 tanh_bf16(unsigned i) { return bf16_bits(tanh_core(bf16_at(i), false), wave->mode); }
static u32 sqrt_bf16(unsigned i) { return bf16_bits(sqrt(bf16_at(i)), wave->mode); }
static u32 rsq_bf16(unsigned i) { return bf16_bits(1.0 / sqrt(bf16_at(i)), wave->mode); }
static u32 rcp_bf16_exact(unsigned i) { return bf16_bits(1.0 / bf16_at(i), wave->mode); }
static u32 exp_f32(unsigned i) { return bits_of_f32(flush_f32(exp2_f32(at(i)))); }
static u32 log_f32(unsigned i) { return bits_of_f32(log2_flushed(at(i))); }
static u32 sine_f32(unsigned i) { return bits_of_f32(sin_turns(at(i))); }
static u32 cosine_f32(unsigned i) { return bits_of_f32(cos_turns(at(i))); }

static const struct curve {
  const char *name;
  u32 (*value)(unsigned i);
  u32 infinity; /* NaNs are above it, and are not compared */
} curves[] = {
    {"v_exp_f16", exp_f16, 0x7c00},       {"v_log_f16", log_f16, 0x7c00},     {"v_sin_f16", sine_f16, 0x7c00},
    {"v_cos_f16", cosine_f16, 0x7c00},    {"v_rsq_f16", rsq_f16, 0x7c00},     {"v_tanh_f16", tanh_f16, 0x7c00},
    {"v_log_bf16", log_bf16, 0x7f80},     {"v_tanh_bf16", tanh_bf16, 0x7f80}, {"v_sqrt_bf16", sqrt_bf16, 0x7f80},
    {"v_rsq_bf16", rsq_bf16, 0x7f80},     {"v_rcp_bf16", rcp_bf16_exact, 0x7f80}, {"v_exp_f32", exp_f32, 0x7f800000},
    {"v_log_f32", log_f32, 0x7f800000},   {"v_sin_f32", sine_f32, 0x7f800000},
    {"v_cos_f32", cosine_f32, 0x7f800000}};

static void compare(const struct curve *c) {
  const struct og_inst inst = vector_inst(c->name);
  const u32 size = c->infinity >> 16 ? 0x7fffffff : 0x7fff;
  for (unsigned i = 0; i < COUNT; i += OG_LANES) {
    memcpy(wave->v[V_SOURCE], sources + i, sizeof(wave->v[0]));
    execute(c->name, &inst);
    for (unsigned lane = 0; lane < OG_LANES; lane++) {
      const u32 got = wave->v[V_RESULT][lane], want = expected[i + lane];
      if (got != want && ((got & size) <= c->infinity || (want & size) <= c->infinity))
        fail_msg("%s of %x on %s, mode %x: %x, expected %x", c->name, sources[i + lane], program->variant->name,
                 wave->mode, got, want);
    }
  }
}

static void short_sums_have_the_bits_of_long_ones(void **state) {
  (void)state;
  for (size_t k = 0; k < OG_COUNT(curves); k++) {
    const struct curve *c = &curves[k];
    const bool is_f32 = c->infinity == 0x7f800000, is_bfloat = c->infinity == 0x7f80;
    for (unsigned i = 0; i < COUNT; i++)
      sources[i] = is_f32 ? i << 16 | ((i * 40503) & 0xffff) : i;
    for (u32 round = 0; round < 4; round++) {
      set_mode(0xf0 | round << 2 | round);
      og_set_float_control(is_bfloat ? og_float_control(0, 3) : wave->float_control_32);
      for (unsigned i = 0; i < COUNT; i++)
        expected[i] = c->value(i);
      og_set_float_control(og_float_control(0, 3));
      for (size_t variant = 0; variant < og_vector_variant_count; variant++) {
        program->variant = og_vector_variants[variant];
        if (program->variant->usable())
          compare(c);
      }
    }
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(short_sums_have_the_bits_of_long_ones, wave_setup, wave_teardown)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
