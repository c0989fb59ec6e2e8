/* vector_ops.h - handlers of vector instructions, generated from isa/semantics.sem, for one host instruction set:
 * the whole of vector_v4.c, vector_v3.c and vector_base.c, which define OG_VARIANT_NAME. */
#include "base/host.h"
#include "base/float_control.h"
#include "exec/lane_cube.h"
#include "exec/lane_curves.h"
#include "exec/lane_small.h"
#include "exec/place.h"
#include "exec/vector.h"
#include "base/floats.h"

#include <string.h>

#if defined __AVX2__
#include <immintrin.h>
#elif defined __SSE2__
#include <emmintrin.h>
#endif

#define OG_JOIN_(a, b) a##_##b
#define OG_JOIN(a, b) OG_JOIN_(a, b)
#define OG_VARIANT(name) OG_JOIN(name, OG_VARIANT_NAME)

/* Lanes are independent of each other: registers are the same or do not overlap at all. */
#if defined __clang__
#define OG_LOOP _Pragma("clang loop vectorize(assume_safety)")
#define OG_LOOP_ALIKE OG_LOOP _Pragma("clang loop unroll(disable)")
#else
#define OG_LOOP _Pragma("GCC ivdep")
#define OG_LOOP_ALIKE OG_LOOP _Pragma("GCC unroll 1")
#endif
/* OG_LOOP_ALIKE: all lanes by the same host instructions. Copies of a sum of a product may have their operands in
 * another order, and then whose NaN comes through is one thing in one lane and another in the next
 * (src/tier/nans.c). */

/* A wave of 32 uses half of the lanes; the rest of its registers is never read. */
#define OG_EACH_HALF(wave) for (int half = 0, lanes = (wave)->wave_size; half < lanes; half += OG_LANES / 2)
/* The same, all by the same host instructions: of a known number of lanes gcc makes copies, whatever the loop says. */
#define OG_EACH_LANE_ALIKE(wave, i) \
  OG_LOOP_ALIKE for (int i = 0, lanes = (wave)->wave_size & (OG_LANES | OG_LANES / 2); i < lanes; i++)

/* Strip after strip (lane_strips.h). */
#define OG_EACH_STRIP(wave, i) \
  OG_LOOP_ALIKE for (u32 i = 0, lanes = (wave)->wave_size & (OG_LANES | OG_LANES / 2); i < lanes; i += PANEL)

#define og_aligned _Alignas(64)

#include "exec/lane_strips.h"

OG_LANE u32 *og_lanes_of(struct og_wave *wave, u32 offset) {
  return __builtin_assume_aligned((char *)wave + offset, 64);
}
/* 16- and 64-bit floats have modes of their own; where sources are of the one kind and results of the other, those
 * decide what becomes of denormal sources and these the rest. */
#define OG_ENTER_OTHER(wave, control)                                       \
  const u32 entered_control = (control);                                    \
  const bool other_control = entered_control != (wave)->float_control_32;   \
  if (__builtin_expect(other_control, 0))                                   \
    og_set_float_control(entered_control)
#define OG_ENTER_64(wave) OG_ENTER_OTHER(wave, (wave)->float_control_64)
#define OG_ENTER_FROM_64(wave) \
  OG_ENTER_OTHER(wave, og_float_control((wave)->mode & 3, ((wave)->mode >> 6 & 1) | ((wave)->mode >> 4 & 2)))
#define OG_ENTER_TO_HALF(wave)                                                                                         \
  OG_ENTER_OTHER(wave, og_float_control((wave)->mode >> 2 & 3, ((wave)->mode >> 4 & 1) | 2))
#define OG_LEAVE_64(wave)                 \
  if (__builtin_expect(other_control, 0)) \
    og_set_float_control((wave)->float_control_32)

/* What obeys no mode. */
#define OG_ENTER_NEAREST(wave)                                          \
  const u32 nearest_control = og_float_control(0, 3);                   \
  const bool not_nearest = (wave)->float_control_32 != nearest_control; \
  if (__builtin_expect(not_nearest, 0))                                 \
    og_set_float_control(nearest_control)
#define OG_LEAVE_NEAREST(wave)          \
  if (__builtin_expect(not_nearest, 0)) \
    og_set_float_control((wave)->float_control_32)

/* ---- masks ------------------------------------------------------------------------------------------------------- */

static void og_expand_mask(u32 *lanes, u64 mask) {
#if defined __AVX512F__
  for (int i = 0; i < 4; i++)
    _mm512_store_si512(lanes + 16 * i, _mm512_maskz_set1_epi32((__mmask16)(mask >> (16 * i)), -1));
#elif defined __AVX2__
  const __m256i bit = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  for (int i = 0; i < 8; i++) {
    __m256i part = _mm256_and_si256(_mm256_set1_epi32((int)(mask >> (8 * i))), bit);
    _mm256_store_si256((__m256i *)(lanes + 8 * i), _mm256_cmpeq_epi32(part, bit));
  }
#else
  og_aligned static const u32 bit[16] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
  for (int i = 0; i < 4; i++) {
    u32 part = (u32)(mask >> (16 * i)) & 0xffff;
    OG_LOOP for (int j = 0; j < 16; j++) lanes[16 * i + j] = part & bit[j] ? ~(u32)0 : 0;
  }
#endif
}
static void og_take_lanes(u32 *to, const struct og_taken *t) {
#if defined __AVX512F__
  const __m512i offset = _mm512_set1_epi32((int)t->offset), among = _mm512_set1_epi32((int)t->among - 1);
  __m512i rows[4], lane = _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
  for (int k = 0; k < 4; k++)
    rows[k] = _mm512_and_si512(_mm512_loadu_si512(t->from + 16 * k), _mm512_loadu_si512(t->counted + 16 * k));
  for (int i = 0; i < OG_LANES; i += 16, lane = _mm512_add_epi32(lane, _mm512_set1_epi32(16))) {
    const __m512i named = _mm512_srli_epi32(_mm512_add_epi32(_mm512_loadu_si512(t->address + i), offset), 2);
    const __m512i which = _mm512_ternarylogic_epi32(among, named, lane, 0xca); /* of `named` the bits of `among` */
    const __m512i low = _mm512_permutex2var_epi32(rows[0], which, rows[1]),
                  high = _mm512_permutex2var_epi32(rows[2], which, rows[3]);
    const __mmask16 upper = _mm512_test_epi32_mask(which, _mm512_set1_epi32(32)),
                    active = _mm512_movepi32_mask(_mm512_loadu_si512(t->active + i));
    _mm512_mask_storeu_epi32(to + i, active, _mm512_mask_mov_epi32(low, upper, high));
  }
#else
  og_aligned u32 from[OG_LANES], values[OG_LANES];
  const u32 among = t->among - 1;
  OG_LOOP for (u32 i = 0; i < OG_LANES; i++) from[i] = t->from[i] & t->counted[i];
  OG_LOOP for (u32 i = 0; i < OG_LANES; i++)
    values[i] = from[(i & ~among) | ((t->address[i] + t->offset) / 4 & among)];
  OG_LOOP for (u32 i = 0; i < OG_LANES; i++)
    to[i] = (values[i] & t->active[i]) | (to[i] & ~t->active[i]);
#endif
}
OG_LANE u64 og_pack_mask(const u32 *lanes) {
  u64 mask = 0;
#if defined __AVX512DQ__
  for (int i = 0; i < 4; i++)
    mask |= (u64)_mm512_movepi32_mask(_mm512_load_si512(lanes + 16 * i)) << (16 * i);
#elif defined __AVX2__
  for (int i = 0; i < 8; i++)
    mask |= (u64)(u32)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_load_si256((const __m256i *)(lanes + 8 * i))))
            << (8 * i);
#elif defined __SSE2__
  for (int i = 0; i < 16; i++)
    mask |= (u64)(u32)_mm_movemask_ps(_mm_castsi128_ps(_mm_load_si128((const __m128i *)(lanes + 4 * i)))) << (4 * i);
#else
  for (int i = 0; i < OG_LANES; i++)
    mask |= (u64)(lanes[i] & 1) << i;
#endif
  return mask;
}
/* Inactive lanes get 0; v_cmpx, whose op->d is EXEC, writes that too. */
OG_LANE void og_write_mask(struct og_wave *wave, const struct og_operation *op, u64 mask) {
  mask &= og_mask(wave, OG_S_EXEC);
  og_set_mask_at(wave, op->d2, mask);
  if (op->d == OG_AT_S(OG_S_EXEC))
    og_set_mask_at(wave, op->d, mask);
  if (op->d == OG_AT_S(OG_S_EXEC) || og_place_has_exec(op->d2, 2))
    og_exec_changed(wave);
}

/* ---- halves ------------------------------------------------------------------------------------------------------ */

OG_LANE void og_widen_halves(f32 *out, const u32 *in) {
#if defined __AVX512F__
  for (int i = 0; i < OG_LANES; i += 16)
    _mm512_store_ps(out + i, _mm512_cvtph_ps(_mm512_cvtepi32_epi16(_mm512_loadu_si512(in + i))));
#elif defined __F16C__
  for (int i = 0; i < OG_LANES; i += 8) {
    __m256i low = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(in + i)), _mm256_set1_epi32(0xffff));
    _mm256_store_ps(out + i,
                    _mm256_cvtph_ps(_mm_packus_epi32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1))));
  }
#else
  for (int i = 0; i < OG_LANES; i++)
    out[i] = half_value(in[i]);
#endif
}
OG_LANE void og_load_halves(const struct og_wave *wave, f32 *out, const u32 *in) {
  og_widen_halves(out, in);
  if (__builtin_expect(!(wave->mode & (1 << 6)), 0)) /* denormal inputs count as zero */
    for (int i = 0; i < OG_LANES; i++)
      out[i] = flush_f16(out[i]);
}
OG_LANE f32 og_half_of(const struct og_wave *wave, u32 bits) {
  f32 value = half_value(bits);
  return wave->mode & (1 << 6) ? value : flush_f16(value);
}
OG_LANE void og_store_halves(const struct og_wave *wave, u32 *out, const f32 *in) {
#if defined __AVX512F__
  for (int i = 0; i < OG_LANES; i += 16)
    _mm512_store_si512(out + i,
                       _mm512_cvtepu16_epi32(_mm512_cvtps_ph(_mm512_load_ps(in + i), _MM_FROUND_CUR_DIRECTION)));
#elif defined __F16C__
  for (int i = 0; i < OG_LANES; i += 8)
    _mm256_store_si256((__m256i *)(out + i),
                       _mm256_cvtepu16_epi32(_mm256_cvtps_ph(_mm256_load_ps(in + i), _MM_FROUND_CUR_DIRECTION)));
#else
  const bool flushes = og_flushes_operands(); /* as the instruction does that other hosts have for it */
  for (int i = 0; i < OG_LANES; i++)
    out[i] = half_of_f32(flushes ? flush_f32(in[i]) : in[i], (wave->mode & OG_MODE_ROUND_16_64) >> 2);
#endif
  if (__builtin_expect(!(wave->mode & (1 << 7)), 0)) /* denormal results become zero */
    for (int i = 0; i < OG_LANES; i++)
      out[i] = out[i] & 0x7c00 ? out[i] : out[i] & 0x8000;
  if (__builtin_expect(wave->mode & OG_MODE_FP16_OVFL, 0)) /* only what was infinite before it was a half stays so */
    for (int i = 0; i < OG_LANES; i++)
      out[i] -= (out[i] & 0x7fff) == 0x7c00 && __builtin_fabsf(in[i]) < __builtin_inff();
}

#include "exec/vector_modifiers.h"

/* ---- everything but the hot shapes ------------------------------------------------------------------------------- */

OG_LANE void og_broadcast(struct og_wave *wave, const struct og_operation *op, int i, u32 *temp) {
  const struct og_modifiers *modifiers = op->detail;
  u64 value = og_as_is_64((enum og_as)modifiers->type[i]) ? og_scalar64(wave, op, i) : og_scalar32(wave, op, i);
  u32 low = (u32)value, high = (u32)(value >> 32);
  OG_LOOP for (int k = 0; k < OG_LANES; k++) {
    temp[k] = low;
    temp[k + OG_LANES] = high;
  }
}

/* A source of v_mad_mix: f32, or a half or bfloat converted. */
static void og_mix_source(struct og_wave *wave, const struct og_operation *op, int i, u32 *temp) {
  const struct og_modifiers *m = op->detail;
  u32 shift = m->op_sel >> i & 1 ? 16 : 0;
  bool absolute = m->neg_hi >> i & 1 || m->flags[i] & OG_ABS, negate = m->neg_lo >> i & 1 || m->flags[i] & OG_NEG;
  u32 keep = absolute ? 0x7fffffff : 0xffffffff, flip = negate ? 0x80000000 : 0;
  const u32 *from = og_mix_bits(wave, op, i, temp);
  if (m->op_sel_hi >> i & 1 && m->bfloats) {
    OG_LOOP for (int k = 0; k < OG_LANES; k++) temp[k] = (from[k] >> shift << 16 & keep) ^ flip;
  } else if (m->op_sel_hi >> i & 1) {
    og_aligned u32 halves[OG_LANES];
    og_aligned f32 values[OG_LANES];
    OG_LOOP for (int k = 0; k < OG_LANES; k++) halves[k] = from[k] >> shift & 0xffff;
    og_widen_halves(values, halves);
    OG_LOOP for (int k = 0; k < OG_LANES; k++) temp[k] = (bits_of_f32(values[k]) & keep) ^ flip;
  } else {
    OG_LOOP for (int k = 0; k < OG_LANES; k++) temp[k] = (from[k] & keep) ^ flip;
  }
}

/* Result and sources of an operation moved to temporary registers where they cannot stay where they are. */
enum { OG_TEMPORARY_D = OG_V_TEMPORARY + 6 };
static void og_move_sources(struct og_wave *wave, const struct og_operation *op, struct og_operation *moved) {
  const struct og_modifiers *modifiers = op->detail;
  for (int i = 0; i < 3; i++) {
    if (modifiers->type[i] == OG_AS_NONE || modifiers->kind[i] == OG_SOURCE_VECTOR)
      continue;
    moved->s[i] = OG_AT_V(OG_V_TEMPORARY + 2 * i);
    u32 *temp = og_lanes_of(wave, moved->s[i]);
    if (modifiers->kind[i] == OG_SOURCE_SCALAR)
      og_broadcast(wave, op, i, temp);
    else if (modifiers->mix)
      og_mix_source(wave, op, i, temp);
    else
      og_prepare_source(wave, op, i, temp);
  }
}

/* Both halves at once, where hosts convert halves and MODE is as most kernels have it. */
OG_LANE bool og_takes_both(const struct og_wave *wave, const struct og_modifiers *m) {
#if defined __F16C__
  const u32 asked = OG_MODE_ROUND_16_64 | OG_MODE_FP16_OVFL | 3 << 6;
  return m->both && (wave->mode & asked) == 3 << 6;
#else
  return (void)wave, (void)m, false;
#endif
}
static const struct og_operation *og_general_both(struct og_wave *wave, const struct og_operation *op) {
  const struct og_modifiers *m = op->detail;
  struct og_operation moved = og_operation_copy(op);
  for (int i = 0; i < 3; i++) {
    const bool in_place = !(m->op_sel >> i & 1) && m->op_sel_hi >> i & 1 && !((m->neg_lo | m->neg_hi) >> i & 1);
    if (m->type[i] == OG_AS_NONE || (in_place && op->s[i] >= OG_AT_V(0)))
      continue;
    moved.s[i] = OG_AT_V(OG_V_TEMPORARY + 2 * i);
    u32 *temp = og_lanes_of(wave, moved.s[i]);
    if (op->s[i] < OG_AT_V(0))
      og_broadcast(wave, op, i, temp);
    else
      og_copy_rows(temp, og_lanes_of(wave, op->s[i]), 1);
    select_halves(m, i, temp);
  }
  m->both(wave, &moved);
  return og_next(op);
}

/* Both halves one after the other; the low results wait for the high ones, since D may be a source. */
static const struct og_operation *og_general_packed(struct og_wave *wave, const struct og_operation *op) {
  const struct og_modifiers *modifiers = op->detail;
  if (og_takes_both(wave, modifiers))
    return og_general_both(wave, op);
  struct og_operation moved = og_operation_copy(op);
  u32 *low = og_lanes_of(wave, OG_AT_V(OG_TEMPORARY_D)), *high = og_lanes_of(wave, OG_AT_V(OG_TEMPORARY_D + 2));
  for (int half = 0; half < 2; half++) {
    for (int i = 0; i < 3; i++) {
      if (modifiers->type[i] == OG_AS_NONE)
        continue;
      u32 shift = (half ? modifiers->op_sel_hi : modifiers->op_sel) >> i & 1 ? 16 : 0;
      u32 flip = (half ? modifiers->neg_hi : modifiers->neg_lo) >> i & 1 ? 0x8000 : 0;
      moved.s[i] = op->s[i];
      if (!shift && !flip && op->s[i] >= OG_AT_V(0))
        continue; /* handlers take the lower halves */
      moved.s[i] = OG_AT_V(OG_V_TEMPORARY + 2 * i);
      u32 *temp = og_lanes_of(wave, moved.s[i]);
      if (op->s[i] < OG_AT_V(0)) {
        u32 value = (og_scalar32(wave, op, i) >> shift & 0xffff) ^ flip;
        OG_LOOP for (int k = 0; k < OG_LANES; k++) temp[k] = value;
      } else {
        const u32 *from = og_lanes_of(wave, op->s[i]);
        OG_LOOP for (int k = 0; k < OG_LANES; k++) temp[k] = (from[k] >> shift & 0xffff) ^ flip;
      }
    }
    moved.d = OG_AT_V(OG_TEMPORARY_D + 2 * half);
    if (modifiers->reads_d) {
      const u32 *old = og_lanes_of(wave, op->d);
      u32 *temp = half ? high : low;
      OG_LOOP for (int k = 0; k < OG_LANES; k++) temp[k] = old[k] >> (16 * half);
    }
    modifiers->handler(wave, &moved);
    if (modifiers->clamp)
      og_treat_float(wave, modifiers, half ? high : low);
  }
  u32 *d = og_lanes_of(wave, op->d);
  const u32 *m = wave->lanes;
  OG_LOOP for (int i = 0; i < OG_LANES; i++) d[i] = m[i] ? (low[i] & 0xffff) | high[i] << 16 : d[i];
  return og_next(op);
}

/* Whether the handler may write to D itself: nothing is done to results, and DPP keeps no active lane from writing. */
OG_LANE bool og_writes_itself(struct og_wave *wave, const struct og_modifiers *m) {
  return m->plain_result && (!m->dpp || !(og_mask(wave, OG_S_EXEC) & ~dpp_mask(wave, m)));
}

static const struct og_operation *og_general(struct og_wave *wave, const struct og_operation *op) {
  const struct og_modifiers *modifiers = op->detail;
  if (modifiers->packed)
    return og_general_packed(wave, op);
  struct og_operation moved = og_operation_copy(op);
  og_move_sources(wave, op, &moved);
  int dwords = og_as_is_64((enum og_as)modifiers->result) ? 2 : 1;
  if (og_writes_itself(wave, modifiers)) {
    modifiers->handler(wave, &moved);
    return og_next(op);
  }
  moved.d = OG_AT_V(OG_TEMPORARY_D);
  u32 *d = og_lanes_of(wave, moved.d);
  if (modifiers->reads_d)
    og_copy_rows(d, og_lanes_of(wave, op->d), dwords);
  if (modifiers->reads_d && modifiers->dst_select == OG_SELECT_WORD1) /* the old value is that of the half written */
    OG_LOOP for (int i = 0; i < OG_LANES; i++) d[i] >>= 16;
  if (modifiers->writes_mask) /* not to EXEC before the result is there */
    moved.d2 = OG_AT_S(OG_S_SINK);
  modifiers->handler(wave, &moved);
  og_treat_result(wave, op, d, dwords);
  return og_next(op);
}

#include "exec/vector_tables.h"

#include "exec/vector_ops.inc"

extern og_handler OG_VARIANT(og_multiply), OG_VARIANT(og_convert); /* matrix_ops.h, convert_ops.h */

static bool usable(void) {
#if defined __AVX512F__
  return og_host_level() >= OG_HOST_AVX512;
#elif defined __AVX2__
  return og_host_level() >= OG_HOST_AVX2;
#else
  return true;
#endif
}

const struct og_vector_variant OG_VARIANT(og_vector_variant) = {
    OG_STRING(OG_VARIANT_NAME), usable, OG_VARIANT(og_vector_handlers), og_general, OG_VARIANT(og_multiply),
    OG_VARIANT(og_convert), og_permute_table, og_four_sums, og_expand_mask, og_take_lanes,
    og_treat_float};
