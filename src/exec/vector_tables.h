/* vector_tables.h - vector instructions of several dwords in and out that isa/semantics.sem has no words for: looking
 * up sixteen elements of a table, and four sums of absolute differences. A part of vector_ops.h, for one host
 * instruction set. */
#ifndef OG_EXEC_VECTOR_TABLES_H
#define OG_EXEC_VECTOR_TABLES_H

/* Dwords of a source, for each lane: `room` is for what is scalar. */
static const u32 *og_source_rows(struct og_wave *wave, const struct og_operation *op, int i, int dwords, u32 *room) {
  if (op->s[i] >= OG_AT_V(0))
    return og_at(wave, op->s[i]);
  const u64 value = dwords == 2 ? og_scalar64(wave, op, i) : og_scalar32(wave, op, i);
  for (int k = 0; k < dwords; k++)
    OG_LOOP for (int lane = 0; lane < OG_LANES; lane++) room[k * OG_LANES + lane] = (u32)(value >> (32 * k));
  return room;
}

/* Of sixteen elements of `width` bits four in each word, a byte for each; and from there to where they belong. */
OG_LANE void og_spread_table(words *to, const words *from, u32 width) {
  for (u32 k = 0; k < 4; k++) {
    const u32 bit = 4 * width * k, shift = bit % 32;
    words elements = from[bit / 32] >> shift;
    if (shift + 4 * width > 32) /* across the ends of words */
      elements |= from[bit / 32 + 1] << (32 - shift);
    to[k] = spread_elements(elements, width);
  }
}
OG_LANE void og_join_table(words *to, const words *from, u32 width) {
  for (u32 k = 0; k < 4; k++) {
    const u32 bit = 4 * width * k, shift = bit % 32;
    const words elements = joined_elements(from[k], width);
    to[bit / 32] = shift ? to[bit / 32] | elements << shift : elements;
    if (shift + 4 * width > 32)
      to[bit / 32 + 1] = elements >> (32 - shift);
  }
}
OG_LANE void og_look_up(struct og_wave *wave, const struct og_operation *op, u32 width) {
  og_aligned u32 room[3][2 * OG_LANES];
  const u32 low_words = width == 4 ? 1 : 2, high_words = width == 8 ? 2 : 1;
  const u32 *high = og_source_rows(wave, op, 0, (int)high_words, room[0]);
  const u32 *low = og_source_rows(wave, op, 1, (int)low_words, room[1]);
  const u32 *index = og_source_rows(wave, op, 2, 2, room[2]);
  u32 *d = og_lanes_of(wave, op->d);
  OG_EACH_STRIP(wave, i) {
    words whole[5], table[4], indices[4];
    for (u32 k = 0; k < low_words + high_words; k++)
      whole[k] = load((k < low_words ? low + k * OG_LANES : high + (k - low_words) * OG_LANES) + i);
    og_spread_table(table, whole, width);
    whole[0] = load(index + i), whole[1] = load(index + OG_LANES + i);
    og_spread_table(indices, whole, 4);
    for (u32 k = 0; k < 4; k++)
      indices[k] = bytes_of_table(table, indices[k]);
    og_join_table(whole, indices, width);
    for (u32 k = 0; k < width / 2; k++)
      store_where(d + k * OG_LANES + i, load(wave->lanes + i), whole[k]);
  }
}
/* A table of sixteen elements in two sources, the higher part in the first, and an index into it for each of sixteen
 * results; constant[2]: bits of an element. */
static const struct og_operation *og_permute_table(struct og_wave *wave, const struct og_operation *op) {
  switch (op->constant[2]) {
  case 4: og_look_up(wave, op, 4); break;
  case 6: og_look_up(wave, op, 6); break;
  default: og_look_up(wave, op, 8); break;
  }
  return og_next(op);
}

/* v_mqsad_u32_u8: of four windows of the source, one byte on each, with four 32-bit addends. */
static const struct og_operation *og_four_sums(struct og_wave *wave, const struct og_operation *op) {
  og_aligned u32 room[2][2 * OG_LANES];
  const u32 *from = og_source_rows(wave, op, 0, 2, room[0]), *reference = og_source_rows(wave, op, 1, 1, room[1]);
  const u32 *addend = og_lanes_of(wave, op->s[2]);
  u32 *d = og_lanes_of(wave, op->d);
  OG_EACH_STRIP(wave, i) {
    const struct word_pair windows = {load(from + i), load(from + OG_LANES + i)};
    words sums[4];
    for (u32 k = 0; k < 4; k++)
      sums[k] = window_sads(windows, k, load(reference + i), load(addend + k * OG_LANES + i));
    for (u32 k = 0; k < 4; k++)
      store_where(d + k * OG_LANES + i, load(wave->lanes + i), sums[k]);
  }
  return og_next(op);
}

#endif
