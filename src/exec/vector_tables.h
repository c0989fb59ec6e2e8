/* vector_tables.h - vector instructions of several dwords in and out that isa/semantics.sem has no words for: looking
 * up sixteen elements of a table, and four sums of absolute differences. A part of vector_ops.h, for one host
 * instruction set. */
#ifndef OG_EXEC_VECTOR_TABLES_H
#define OG_EXEC_VECTOR_TABLES_H

#define OG_EACH_LANE(i) OG_LOOP for (int i = 0; i < OG_LANES; i++)

/* Dwords of a source, which may be scalar, for each lane. */
static void og_spread_source(struct og_wave *wave, const struct og_operation *op, int i, int dwords,
                             u32 (*out)[OG_LANES]) {
  if (op->s[i] >= OG_AT_V(0)) {
    memcpy(out, og_at(wave, op->s[i]), (size_t)dwords * sizeof(out[0]));
    return;
  }
  const u64 value = dwords == 2 ? og_scalar64(wave, op, i) : og_scalar32(wave, op, i);
  for (int k = 0; k < dwords; k++)
    OG_EACH_LANE(lane) out[k][lane] = (u32)(value >> (32 * k));
}
static void og_store_active(struct og_wave *wave, u32 offset, int dwords, const u32 (*from)[OG_LANES]) {
  const u32 *m = wave->lanes;
  for (int k = 0; k < dwords; k++) {
    u32 *d = og_lanes_of(wave, offset) + k * OG_LANES;
    OG_EACH_LANE(i) d[i] = m[i] ? from[k][i] : d[i];
  }
}

/* The 32 bits from `bit` on of a table of four dwords. */
OG_LANE u32 og_table_bits(u32 t0, u32 t1, u32 t2, u32 t3, u32 bit) {
  u32 low = bit & 64 ? (bit & 32 ? t3 : t2) : bit & 32 ? t1 : t0;
  u32 high = bit & 64 ? t3 : bit & 32 ? t2 : t1, shift = bit & 31;
  return low >> shift | high << 1 << (31 - shift);
}
OG_LANE void og_look_up(const u32 (*table)[OG_LANES], const u32 (*indices)[OG_LANES], u32 width,
                        u32 (*result)[OG_LANES]) {
  const u32 mask = (1u << width) - 1;
  for (u32 n = 0; n < 16; n++) {
    const u32 *index = indices[n / 8], from = 4 * (n % 8), to = n * width;
    u32 *low = result[to / 32], *high = result[to / 32 + 1];
    OG_EACH_LANE(i) {
      u32 bits =
          og_table_bits(table[0][i], table[1][i], table[2][i], table[3][i], (index[i] >> from & 15) * width) & mask;
      low[i] |= bits << to % 32;
      if (width == 6) /* may end a register early */
        high[i] |= bits >> 1 >> (31 - to % 32);
    }
  }
}
/* A table of sixteen elements in two sources, the higher part in the first, and an index into it for each of sixteen
 * results; constant[2]: bits of an element. */
static const struct og_operation *og_permute_table(struct og_wave *wave, const struct og_operation *op) {
  og_aligned u32 table[4][OG_LANES] = {{0}}, indices[2][OG_LANES], result[5][OG_LANES] = {{0}};
  const int width = (int)op->constant[2], low_words = width == 4 ? 1 : 2, high_words = width == 8 ? 2 : 1;
  og_spread_source(wave, op, 1, low_words, table);
  og_spread_source(wave, op, 0, high_words, table + low_words);
  og_spread_source(wave, op, 2, 2, indices);
  if (width == 4)
    og_look_up(table, indices, 4, result);
  else if (width == 6)
    og_look_up(table, indices, 6, result);
  else
    og_look_up(table, indices, 8, result);
  og_store_active(wave, op->d, width / 2, result);
  return og_next(op);
}

/* v_mqsad_u32_u8: of four windows of the source, one byte on each, with four 32-bit addends. */
static const struct og_operation *og_four_sums(struct og_wave *wave, const struct og_operation *op) {
  og_aligned u32 from[2][OG_LANES], reference[1][OG_LANES], result[4][OG_LANES];
  const u32 *addend = og_lanes_of(wave, op->s[2]);
  og_spread_source(wave, op, 0, 2, from);
  og_spread_source(wave, op, 1, 1, reference);
  OG_EACH_STRIP(wave, i) {
    const struct word_pair windows = {load(from[0] + i), load(from[1] + i)};
    for (u32 k = 0; k < 4; k++)
      store(result[k] + i, window_sads(windows, k, load(reference[0] + i), load(addend + k * OG_LANES + i)));
  }
  og_store_active(wave, op->d, 4, result);
  return og_next(op);
}

#endif
