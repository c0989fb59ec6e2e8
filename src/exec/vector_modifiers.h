/* vector_modifiers.h - sources and results of vector instructions with modifiers: DPP, SDWA, halves, clamp and the
 * like. A part of vector_ops.h, for one host instruction set. */
#ifndef OG_EXEC_VECTOR_MODIFIERS_H
#define OG_EXEC_VECTOR_MODIFIERS_H

/* ---- sources ----------------------------------------------------------------------------------------------------- */

/* Each lane's from the lane that `from` says; `out` is not `in`. `rows`: lanes read from their own row of 16 alone. */
OG_LANE void og_permute(u32 *out, const u32 *in, const uint8_t *from, bool rows) {
#if defined __AVX512F__
  (void)rows;
  const __m512i in0 = _mm512_load_si512(in), in1 = _mm512_load_si512(in + 16), in2 = _mm512_load_si512(in + 32),
                in3 = _mm512_load_si512(in + 48);
  for (int i = 0; i < OG_LANES; i += 16) {
    __m512i which = _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)(from + i)));
    __mmask16 upper = _mm512_test_epi32_mask(which, _mm512_set1_epi32(32));
    __m512i low = _mm512_permutex2var_epi32(in0, which, in1), high = _mm512_permutex2var_epi32(in2, which, in3);
    _mm512_store_si512(out + i, _mm512_mask_mov_epi32(low, upper, high));
  }
#elif defined __AVX2__
  for (int i = 0; i < OG_LANES; i += 8) {
    __m256i which = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(from + i)));
    if (!rows) {
      _mm256_store_si256((__m256i *)(out + i), _mm256_i32gather_epi32((const int *)in, which, 4));
      continue;
    }
    const u32 *row = in + (i & ~15);
    __m256 low = _mm256_permutevar8x32_ps(_mm256_load_ps((const f32 *)row), which),
           high = _mm256_permutevar8x32_ps(_mm256_load_ps((const f32 *)row + 8), which),
           is_high = _mm256_castsi256_ps(_mm256_slli_epi32(which, 28));
    _mm256_store_ps((f32 *)(out + i), _mm256_blendv_ps(low, high, is_high));
  }
#else
  (void)rows;
  for (int i = 0; i < OG_LANES; i++)
    out[i] = in[from[i]];
#endif
}

/* Compilers would make a loop of single words of memcpy(). */
OG_LANE void og_copy_rows(u32 *to, const u32 *from, int dwords) {
  for (int k = 0; k < dwords; k++, to += OG_LANES, from += OG_LANES)
    OG_LOOP for (int i = 0; i < OG_LANES; i++) to[i] = from[i];
}

OG_LANE u64 all_lanes(const struct og_wave *wave) { return wave->wave_size == 32 ? 0xffffffff : ~(u64)0; }

/* Whether what lanes read from is active, or need not be. */
OG_LANE bool dpp_reads_any(struct og_wave *wave, const struct og_modifiers *m) {
  return m->fetch_inactive || og_mask(wave, OG_S_EXEC) == all_lanes(wave);
}
/* Lanes whose source exists and is active. */
static u64 dpp_valid(struct og_wave *wave, const struct og_modifiers *m) {
  if (dpp_reads_any(wave, m))
    return m->dpp_exists;
  og_aligned u32 active[OG_LANES];
  og_permute(active, wave->lanes, m->dpp_from, m->dpp_rows);
  return m->dpp_exists & og_pack_mask(active);
}

/* Lanes that DPP lets write: row and bank masks, and a valid source or bound_ctrl. */
OG_LANE u64 dpp_mask(struct og_wave *wave, const struct og_modifiers *m) {
  return m->bound_ctrl ? m->dpp_enabled : m->dpp_enabled & dpp_valid(wave, m);
}

/* `temp` is not `from`. Without bound_ctrl lanes that have nothing to read do not write. */
static void fetch_dpp(struct og_wave *wave, const struct og_modifiers *m, const u32 *from, int dwords, u32 *temp) {
  og_aligned u32 valid[OG_LANES];
  const u64 all = all_lanes(wave), mask = m->bound_ctrl ? dpp_valid(wave, m) & all : all;
  if (mask != all)
    og_expand_mask(valid, mask);
  for (int k = 0; k < dwords; k++, from += OG_LANES, temp += OG_LANES) {
    og_permute(temp, from, m->dpp_from, m->dpp_rows);
    if (mask != all)
      OG_LOOP for (int i = 0; i < OG_LANES; i++) temp[i] &= valid[i];
  }
}

/* Of each value the part that `select` names, sign-extended, its absolute value or the negated one. `out` may be
 * `in`. */
static void select_parts(u32 *out, const u32 *in, unsigned select, unsigned flags, u32 sign_bit) {
  unsigned width = select == OG_SELECT_DWORD ? 32 : select < OG_SELECT_WORD0 ? 8 : 16;
  unsigned shift = width == 32 ? 0 : width == 8 ? 8 * select : 16 * (select - OG_SELECT_WORD0);
  u32 mask = ~(u32)0 >> (32 - width), extended = flags & OG_SEXT && width < 32 ? 1u << (width - 1) : 0;
  u32 keep = flags & OG_ABS ? ~sign_bit : UINT32_MAX, flip = flags & OG_NEG ? sign_bit : 0;
  OG_LOOP for (int lane = 0; lane < OG_LANES; lane++)
    out[lane] = ((((in[lane] >> shift & mask) ^ extended) - extended) & keep) ^ flip;
}

/* The halves that a pair's source is made of. */
static void select_halves(const struct og_modifiers *m, int i, u32 *temp) {
  unsigned low = m->op_sel >> i & 1 ? 16 : 0, high = m->op_sel_hi >> i & 1 ? 16 : 0;
  u32 flips = (m->neg_lo >> i & 1 ? 0x8000u : 0) | (m->neg_hi >> i & 1 ? 0x80000000u : 0);
  OG_LOOP for (int lane = 0; lane < OG_LANES; lane++)
    temp[lane] = ((temp[lane] >> low & 0xffff) | temp[lane] >> high << 16) ^ flips;
}

/* A slow source: DPP, selection, sign extension, absolute value, negation; into `temp` (one or two dwords a lane). */
static void og_prepare_source(struct og_wave *wave, const struct og_operation *op, int i, u32 *temp) {
  const struct og_modifiers *m = op->detail;
  int dwords = og_as_is_64(m->type[i]) ? 2 : 1;
  const u32 *from = temp;
  if (op->s[i] < OG_AT_V(0)) {
    u64 value = dwords == 2 ? og_scalar64(wave, op, i) : og_scalar32(wave, op, i);
    for (int lane = 0; lane < OG_LANES; lane++)
      temp[lane] = (u32)value;
    for (int lane = 0; lane < OG_LANES && dwords == 2; lane++)
      temp[lane + OG_LANES] = (u32)(value >> 32);
  } else if (m->dpp && i == 0) {
    fetch_dpp(wave, m, og_at(wave, op->s[i]), dwords, temp);
  } else if (dwords == 2 || (m->pairs && i < 2)) {
    og_copy_rows(temp, og_at(wave, op->s[i]), dwords);
  } else {
    from = og_at(wave, op->s[i]);
  }
  if (m->pairs && i < 2)
    select_halves(m, i, temp);
  u32 sign = og_as_is_16((enum og_as)m->type[i]) ? 0x8000u : 0x80000000u, *top = temp + (dwords - 1) * OG_LANES;
  if (from != temp || m->select[i] < OG_SELECT_DWORD || m->flags[i] & (OG_ABS | OG_NEG))
    select_parts(top, from == temp ? top : from, m->select[i], m->flags[i], sign);
}

/* The registers that a source of v_mad_mix stands in: a vector register, or `temp` with what DPP fetches or a
 * scalar. */
static const u32 *og_mix_bits(struct og_wave *wave, const struct og_operation *op, int i, u32 *temp) {
  const struct og_modifiers *m = op->detail;
  if (op->s[i] >= OG_AT_V(0) && !(m->dpp && i == 0))
    return og_at(wave, op->s[i]);
  if (op->s[i] >= OG_AT_V(0)) {
    fetch_dpp(wave, m, og_at(wave, op->s[i]), 1, temp);
    return temp;
  }
  u32 scalar = og_scalar32(wave, op, i);
  for (int lane = 0; lane < OG_LANES; lane++)
    temp[lane] = scalar;
  return temp;
}

/* ---- results ----------------------------------------------------------------------------------------------------- */

static const f32 factors[4] = {1, 2, 4, 0.5f};

/* Steps by powers of two. What is zero loses its sign, what underflows keeps it. */
static void scale_f32(u32 *d, unsigned omod) {
  const f32 factor = factors[omod & 3];
  OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) {
    u32 bits = d[lane];
    f32 product = f32_of_bits(bits) * factor;
    d[lane] = bits << 1 ? bits_of_f32(product) : 0;
  }
}

static void scale_f64(u32 *d, unsigned omod) {
  const f64 factor = (f64)factors[omod & 3];
  OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) {
    u64 bits = (u64)d[lane + OG_LANES] << 32 | d[lane], product = bits_of_f64(f64_of_bits(bits) * factor);
    product = bits << 1 ? product : 0;
    d[lane] = (u32)product;
    d[lane + OG_LANES] = (u32)(product >> 32);
  }
}

/* Denormals are zeros: with output denormals there are no output modifiers. */
static void scale_f16(const struct og_wave *wave, u32 *d, unsigned omod) {
  const u32 rounding = (wave->mode & OG_MODE_ROUND_16_64) >> 2, limit = wave->mode & OG_MODE_FP16_OVFL ? 1 : 0;
  const f32 factor = factors[omod & 3];
  OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) {
    u32 half = d[lane] & 0xffff, sign = half & 0x8000;
    u32 product = half_of_f32(half_value(half) * factor, rounding);
    product -= (half & 0x7c00) != 0x7c00 && (product & 0x7fff) == 0x7c00 ? limit : 0; /* the largest finite number */
    product = product & 0x7c00 ? product : sign;
    d[lane] = half & 0x7fff ? product : 0;
  }
}

/* To what lies between 0 and 1, on the bits, which no mode changes: as numbers, all negative ones are above 1. */
static void clamp_f32(u32 *d, bool dx10_clamp) {
  OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) {
    u32 bits = d[lane], clamped = bits > 0x3f800000 ? 0x3f800000 : bits;
    clamped = bits >> 31 ? 0 : clamped;
    u32 of_nan = dx10_clamp ? 0 : bits | 0x400000;
    d[lane] = (bits & 0x7fffffff) > 0x7f800000 ? of_nan : clamped;
  }
}

static void clamp_f64(u32 *d, bool dx10_clamp) {
  const u64 one = (u64)0x3ff << 52, infinity = (u64)0x7ff << 52;
  OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) {
    u64 bits = (u64)d[lane + OG_LANES] << 32 | d[lane], clamped = bits > one ? one : bits;
    clamped = bits >> 63 ? 0 : clamped;
    u64 of_nan = dx10_clamp ? 0 : bits | (u64)1 << 51;
    clamped = (bits & ~((u64)1 << 63)) > infinity ? of_nan : clamped;
    d[lane] = (u32)clamped;
    d[lane + OG_LANES] = (u32)(clamped >> 32);
  }
}

static void clamp_f16(u32 *d, bool dx10_clamp) {
  OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) {
    u32 half = d[lane] & 0xffff, clamped = half > 0x3c00 ? 0x3c00 : half;
    clamped = half & 0x8000 ? 0 : clamped;
    u32 of_nan = dx10_clamp ? 0 : half | 0x200;
    d[lane] = (half & 0x7fff) > 0x7c00 ? of_nan : clamped;
  }
}

/* Output modifier and clamp of float results. */
static void og_treat_float(struct og_wave *wave, const struct og_modifiers *m, u32 *d) {
  /* Output modifiers are ignored where output denormals are kept or IEEE mode is on (manual, 6.2.2). */
  u32 keeps = m->result == OG_AS_F32 ? 0x20 : 0x80;
  unsigned omod = wave->mode & (keeps | OG_MODE_IEEE) ? 0 : m->omod;
  bool dx10 = (wave->mode & OG_MODE_DX10_CLAMP) != 0;
  if (m->result == OG_AS_F32) {
    if (omod)
      scale_f32(d, omod);
    if (m->clamp)
      clamp_f32(d, dx10);
  } else if (m->result == OG_AS_F64) {
    if (omod) {
      og_set_float_control(wave->float_control_64);
      scale_f64(d, omod);
      og_set_float_control(wave->float_control_32);
    }
    if (m->clamp)
      clamp_f64(d, dx10);
  } else {
    if (omod)
      scale_f16(wave, d, omod);
    if (m->clamp)
      clamp_f16(d, dx10);
  }
}

/* Puts results into their part of the old registers. */
static void insert_parts(u32 *out, const u32 *d, const u32 *lanes, unsigned select, unsigned unused) {
  unsigned width = select < OG_SELECT_WORD0 ? 8 : 16;
  unsigned shift = width == 8 ? 8 * select : 16 * (select - OG_SELECT_WORD0), end = shift + width;
  u32 mask = ((1u << width) - 1) << shift, kept = unused == OG_UNUSED_PRESERVE ? ~mask : 0;
  u32 sign = 1u << (end - 1), above = unused == OG_UNUSED_SEXT && end < 32 ? ~(u32)0 << (end & 31) : 0;
  OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) {
    u32 part = d[lane] << shift & mask, extension = part & sign ? above : 0;
    u32 whole = part | extension | (out[lane] & kept);
    out[lane] = lanes[lane] ? whole : out[lane];
  }
}

static void put_result(struct og_wave *wave, const struct og_operation *op, u32 *d, int dwords,
                       const u32 *lanes) {
  const struct og_modifiers *m = op->detail;
  if (m->clamp || m->omod)
    og_treat_float(wave, m, d);
  u32 *out = og_at(wave, op->d);
  if (m->dst_select != OG_SELECT_DWORD)
    insert_parts(out, d, lanes, m->dst_select, m->dst_unused);
  else
    OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) out[lane] = lanes[lane] ? d[lane] : out[lane];
  if (dwords == 2)
    OG_LOOP for (int lane = 0; lane < OG_LANES; lane++)
      out[lane + OG_LANES] = lanes[lane] ? d[lane + OG_LANES] : out[lane + OG_LANES];
}

/* All of that, placement and masks; `d` holds the results and is changed. The handler's mask, which stands in
 * OG_S_SINK, goes where it belongs, too. */
static void og_treat_result(struct og_wave *wave, const struct og_operation *op, u32 *d, int dwords) {
  const struct og_modifiers *m = op->detail;
  const u64 exec = og_mask(wave, OG_S_EXEC), mask_of_dpp = m->dpp ? dpp_mask(wave, m) : exec;
  u64 mask = exec & mask_of_dpp;
  og_aligned u32 some[OG_LANES];
  if (mask != exec)
    og_expand_mask(some, mask);
  if (m->result != OG_AS_NONE)
    put_result(wave, op, d, dwords, mask != exec ? some : wave->lanes);
  if (m->writes_mask) { /* lanes that DPP leaves out have a 0, as those that EXEC leaves out do */
    mask &= og_mask(wave, OG_S_SINK);
    og_set_mask_at(wave, op->d2, mask);
    if (op->d == OG_AT_S(OG_S_EXEC))
      og_set_mask_at(wave, op->d, mask);
    if (op->d == OG_AT_S(OG_S_EXEC) || og_place_has_exec(op->d2, 2))
      og_exec_changed(wave);
  }
}

#endif
