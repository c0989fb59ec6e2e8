/* transfer_ops.h - vector loads and stores, a chunk of lanes at a time: as many as the host's vectors hold. Compiled
 * once for each host instruction set: transfer_*.c name it.
 *
 * A chunk has one of three shapes: one place for all (broadcast), places side by side (one wide
 * load or store), or anything else (lane by lane). Anything not clearly accessible takes the careful path. */
#include "exec/memory.h"

#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define UNLIKELY(condition) __builtin_expect((condition), 0)

#if defined(__AVX512F__)
#define CHUNK 16
#define IOTA {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define ODDS 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define ZIP_LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define ZIP_HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif defined(__AVX2__)
#define CHUNK 8
#define IOTA {0, 1, 2, 3, 4, 5, 6, 7}
#define EVENS 0, 2, 4, 6, 8, 10, 12, 14
#define ODDS 1, 3, 5, 7, 9, 11, 13, 15
#define ZIP_LOW 0, 8, 1, 9, 2, 10, 3, 11
#define ZIP_HIGH 4, 12, 5, 13, 6, 14, 7, 15
#else
#define CHUNK 4
#define IOTA {0, 1, 2, 3}
#define EVENS 0, 2, 4, 6
#define ODDS 1, 3, 5, 7
#define ZIP_LOW 0, 4, 1, 5
#define ZIP_HIGH 2, 6, 3, 7
#endif
enum { FULL = (1 << CHUNK) - 1, ROW = 4 * CHUNK /* bytes */ };

typedef uint32_t u32s __attribute__((vector_size(ROW)));
typedef uint32_t u32s_loose __attribute__((vector_size(ROW), aligned(1), may_alias));

ALWAYS_INLINE u32s load_row_of(const void *from) { return *(const u32s_loose *)from; }
ALWAYS_INLINE void store_row_of(void *to, u32s value) { *(u32s_loose *)to = value; }
ALWAYS_INLINE u32s all(uint32_t value) { return (u32s){0} + value; }

ALWAYS_INLINE bool any(u32s v) {
#if defined(__AVX512F__)
  return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) != 0;
#elif defined(__AVX2__)
  return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#else
  union { u32s v; uint64_t half[2]; } u = {v};
  return (u.half[0] | u.half[1]) != 0;
#endif
}

/* ---- a chunk's shape --------------------------------------------------------------------------------------------- */

/* Memory an instruction may touch in one go: lanes' offsets from `base` may be least to most, 0 to most as a rule.
 * Lanes in a row span less than ROW_SLACK: below that much from 2^32, no row of theirs goes on at 0. */
enum { ROW_SLACK = 256 };
struct reach {
  uint64_t base;
  uint32_t least, most;
};
/* Of memory that is `low` to `high` bytes from base, for accesses that end `end` bytes behind a lane's offset. */
ALWAYS_INLINE struct reach reach_of(uint64_t base, uint64_t low, uint64_t high, uint32_t end) {
  if (UNLIKELY(high < end || low > UINT32_MAX))
    return (struct reach){base, 1, 0};
  return (struct reach){base, (uint32_t)low, (uint32_t)OG_MIN(high - end, (uint64_t)UINT32_MAX - ROW_SLACK)};
}
ALWAYS_INLINE uint8_t *host(uint64_t address) { return (uint8_t *)(uintptr_t)address; }

/* Some lanes: those active as a mask and as ~0 or 0 each, the first of them, and every lane's offset. Both forms come
 * from one, EXEC or wave->lanes, whichever is cheaper: the checked lanes are the ones that access memory,
 * even if the two forms differed. */
struct chunk {
  unsigned mask, first;
  u32s lanes, offset;
};

#if !defined(__AVX512F__)
/* Bit 31 of each. */
ALWAYS_INLINE unsigned mask_of(u32s lanes) {
#if defined(__AVX2__)
  return (unsigned)_mm256_movemask_ps((__m256)lanes);
#elif defined(__SSE2__)
  return (unsigned)_mm_movemask_ps((__m128)lanes);
#else
  unsigned mask = 0;
  for (unsigned i = 0; i < CHUNK; i++)
    mask |= lanes[i] >> 31 << i;
  return mask;
#endif
}
#endif

ALWAYS_INLINE struct chunk chunk_of(const struct og_wave *wave, uint64_t exec, unsigned at) {
  (void)wave, (void)exec; /* one of them */
#if defined(__AVX512F__)
  unsigned mask = exec >> at & FULL;
  return (struct chunk){.mask = mask, .lanes = (u32s)_mm512_movm_epi32((__mmask16)mask)};
#else
  u32s lanes = load_row_of(wave->lanes + at);
  return (struct chunk){.mask = mask_of(lanes), .lanes = lanes};
#endif
}

enum shape { SHAPE_ONE, SHAPE_ROW, SHAPE_ANY };

/* Whether an active lane's offset is beyond `most`; or below `least`. */
ALWAYS_INLINE bool any_above(const struct chunk *chunk, uint32_t most) {
#if defined(__AVX512F__)
  return _mm512_mask_cmpgt_epu32_mask((__mmask16)chunk->mask, (__m512i)chunk->offset, (__m512i)all(most)) != 0;
#elif defined(__AVX2__)
  __m256i bound = (__m256i)all(most);
  __m256i fine = _mm256_cmpeq_epi32(_mm256_max_epu32((__m256i)chunk->offset, bound), bound);
  return !_mm256_testc_si256(fine, (__m256i)chunk->lanes);
#else
  return any((u32s)(chunk->offset > most) & chunk->lanes);
#endif
}
ALWAYS_INLINE bool any_below(const struct chunk *chunk, uint32_t least) {
#if defined(__AVX512F__)
  return _mm512_mask_cmplt_epu32_mask((__mmask16)chunk->mask, (__m512i)chunk->offset, (__m512i)all(least)) != 0;
#elif defined(__AVX2__)
  __m256i bound = (__m256i)all(least);
  __m256i fine = _mm256_cmpeq_epi32(_mm256_min_epu32((__m256i)chunk->offset, bound), bound);
  return !_mm256_testc_si256(fine, (__m256i)chunk->lanes);
#else
  return any((u32s)(chunk->offset < least) & chunk->lanes);
#endif
}

ALWAYS_INLINE bool within(const struct chunk *chunk, const struct reach *reach) {
  return !any_above(chunk, reach->most) && (reach->least == 0 || !any_below(chunk, reach->least));
}

/* Of lanes within reach. *start: the offset of all, or that of the chunk's lane 0 as if it were active. */
ALWAYS_INLINE enum shape shape_of(const struct chunk *chunk, uint32_t first_offset, unsigned step, int64_t *start) {
  *start = first_offset;
  if (!any((chunk->offset - first_offset) & chunk->lanes))
    return SHAPE_ONE;
  *start = (int64_t)first_offset - step * chunk->first;
  if (!any((chunk->offset - (u32s)IOTA * step - (uint32_t)*start) & chunk->lanes))
    return SHAPE_ROW;
  return SHAPE_ANY;
}

ALWAYS_INLINE void put(uint32_t *to, const struct chunk *chunk, u32s value) {
#if defined(__AVX512F__)
  _mm512_mask_storeu_epi32(to, (__mmask16)chunk->mask, (__m512i)value);
#else
  store_row_of(to, (value & chunk->lanes) | (load_row_of(to) & ~chunk->lanes));
#endif
}

/* Every second value of two rows. */
ALWAYS_INLINE u32s evens(u32s a, u32s b) {
  return __builtin_shufflevector(a, b, EVENS);
}
ALWAYS_INLINE u32s odds(u32s a, u32s b) {
  return __builtin_shufflevector(a, b, ODDS);
}
ALWAYS_INLINE u32s zip_low(u32s a, u32s b) {
  return __builtin_shufflevector(a, b, ZIP_LOW);
}
ALWAYS_INLINE u32s zip_high(u32s a, u32s b) {
  return __builtin_shufflevector(a, b, ZIP_HIGH);
}

/* ---- loads of dwords --------------------------------------------------------------------------------------------- */

/* A chunk's dwords side by side in memory, to `dwords` registers. */
ALWAYS_INLINE void load_row(uint32_t *to, const struct chunk *chunk, const uint8_t *from, unsigned dwords) {
  if (dwords == 1) {
#if defined(__AVX512F__)
    put(to, chunk, (u32s)_mm512_maskz_loadu_epi32((__mmask16)chunk->mask, from));
#else
    put(to, chunk, load_row_of(from));
#endif
  } else if (dwords == 2) {
    u32s a = load_row_of(from), b = load_row_of(from + ROW);
    put(to, chunk, evens(a, b));
    put(to + OG_LANES, chunk, odds(a, b));
  } else {
    u32s a = load_row_of(from), b = load_row_of(from + ROW), c = load_row_of(from + 2 * ROW),
         d = load_row_of(from + 3 * ROW);
    u32s even_low = evens(a, b), even_high = evens(c, d), odd_low = odds(a, b), odd_high = odds(c, d);
    put(to, chunk, evens(even_low, even_high));
    put(to + OG_LANES, chunk, evens(odd_low, odd_high));
    put(to + 2 * OG_LANES, chunk, odds(even_low, even_high));
    put(to + 3 * OG_LANES, chunk, odds(odd_low, odd_high));
  }
}

/* One lane's dwords, two at a time: an atomic load or store of 64 bits is a plain one of two dwords (AMDGPU backend
 * guide, "Memory Model"), of which no other thread may see one half. */
ALWAYS_INLINE void load_lane(uint32_t *to, const uint8_t *from, unsigned dwords) {
  for (unsigned d = 0; d + 1 < dwords; d += 2) {
    uint64_t both = og_load64(from + 4 * d);
    to[d * OG_LANES] = (uint32_t)both;
    to[(d + 1) * OG_LANES] = (uint32_t)(both >> 32);
  }
  if (dwords % 2 != 0)
    to[(dwords - 1) * OG_LANES] = og_load32(from + 4 * (dwords - 1));
}

ALWAYS_INLINE void store_lane(const uint32_t *from, uint8_t *to, unsigned dwords) {
  for (unsigned d = 0; d + 1 < dwords; d += 2)
    og_store64(to + 4 * d, from[d * OG_LANES] | (uint64_t)from[(d + 1) * OG_LANES] << 32);
  if (dwords % 2 != 0)
    og_store32(to + 4 * (dwords - 1), from[(dwords - 1) * OG_LANES]);
}

ALWAYS_INLINE void load_any(uint32_t *to, const struct chunk *chunk, uint64_t base, unsigned dwords) {
  union { u32s v; uint32_t lane[CHUNK]; } offset = {chunk->offset};
  if (chunk->mask == FULL) {
    for (unsigned i = 0; i < CHUNK; i++)
      load_lane(to + i, host(base + offset.lane[i]), dwords);
    return;
  }
  for (unsigned left = chunk->mask; left != 0; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctz(left);
    load_lane(to + i, host(base + offset.lane[i]), dwords);
  }
}

/* May a row be read whole though some lanes are off? Memory beside LDS is ours. */
ALWAYS_INLINE bool row_readable(const struct chunk *chunk, unsigned dwords, bool spare) {
  if (chunk->mask == FULL)
    return true;
#if defined(__AVX512F__)
  return dwords == 1 || (spare && dwords <= 4);
#else
  return spare && dwords <= 4;
#endif
}

ALWAYS_INLINE void load_chunk(uint32_t *to, const struct chunk *chunk, uint32_t first_offset, uint64_t base,
                              const uint32_t *piece, unsigned pieces, unsigned dwords, bool spare) {
  int64_t start;
  enum shape shape = shape_of(chunk, first_offset, 4 * dwords, &start);
  for (unsigned p = 0; p < pieces; p++, to += dwords * OG_LANES) {
    uint64_t from = base + (pieces > 1 ? piece[p] : 0);
    if (shape == SHAPE_ONE) {
      uint32_t one[4 * OG_LANES];
      load_lane(one, host(from + (uint64_t)start), dwords);
      for (unsigned d = 0; d < dwords; d++)
        put(to + d * OG_LANES, chunk, all(one[d * OG_LANES]));
    } else if (shape == SHAPE_ROW && dwords != 3 && row_readable(chunk, dwords, spare)) {
      load_row(to, chunk, host(from + (uint64_t)start), dwords);
    } else {
      load_any(to, chunk, from, dwords);
    }
  }
}

/* ---- stores of dwords -------------------------------------------------------------------------------------------- */

ALWAYS_INLINE void store_row(const uint32_t *from, uint8_t *to, unsigned dwords) {
  if (dwords == 1) {
    store_row_of(to, load_row_of(from));
  } else if (dwords == 2) {
    u32s a = load_row_of(from), b = load_row_of(from + OG_LANES);
    store_row_of(to, zip_low(a, b));
    store_row_of(to + ROW, zip_high(a, b));
  } else {
    u32s x = load_row_of(from), y = load_row_of(from + OG_LANES);
    u32s z = load_row_of(from + 2 * OG_LANES), w = load_row_of(from + 3 * OG_LANES);
    u32s xz_low = zip_low(x, z), xz_high = zip_high(x, z), yw_low = zip_low(y, w), yw_high = zip_high(y, w);
    store_row_of(to, zip_low(xz_low, yw_low));
    store_row_of(to + ROW, zip_high(xz_low, yw_low));
    store_row_of(to + 2 * ROW, zip_low(xz_high, yw_high));
    store_row_of(to + 3 * ROW, zip_high(xz_high, yw_high));
  }
}

ALWAYS_INLINE void store_any(const uint32_t *from, const struct chunk *chunk, uint64_t base, unsigned dwords) {
  union { u32s v; uint32_t lane[CHUNK]; } offset = {chunk->offset};
  if (chunk->mask == FULL) {
    for (unsigned i = 0; i < CHUNK; i++)
      store_lane(from + i, host(base + offset.lane[i]), dwords);
    return;
  }
  for (unsigned left = chunk->mask; left != 0; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctz(left);
    store_lane(from + i, host(base + offset.lane[i]), dwords);
  }
}

ALWAYS_INLINE void store_chunk(const uint32_t *from, const struct chunk *chunk, uint32_t first_offset, uint64_t base,
                               unsigned dwords) {
  int64_t start;
  enum shape shape = dwords == 3 ? SHAPE_ANY : shape_of(chunk, first_offset, 4 * dwords, &start);
  if (shape == SHAPE_ROW && chunk->mask == FULL) {
    store_row(from, host(base + (uint64_t)start), dwords);
#if defined(__AVX512F__)
  } else if (shape == SHAPE_ROW && dwords == 1) {
    _mm512_mask_storeu_epi32(host(base + (uint64_t)start), (__mmask16)chunk->mask, (__m512i)load_row_of(from));
#endif
  } else {
    store_any(from, chunk, base, dwords);
  }
}

/* Lane after lane, each to both of its places: where places may be another lane's the order shows. */
ALWAYS_INLINE void store_pairs(const uint32_t *const from[2], const struct chunk *chunk, uint32_t first_offset,
                               uint64_t base, const struct og_memory_op *access, unsigned dwords) {
  union { u32s v; uint32_t lane[CHUNK]; } offset = {chunk->offset};
  int64_t start;
  if (!og_rows_meet(access, dwords * ROW) && shape_of(chunk, first_offset, 4 * dwords, &start) == SHAPE_ROW) {
    for (unsigned p = 0; p < 2; p++)
      store_chunk(from[p], chunk, first_offset, base + access->piece[p], dwords);
    return;
  }
  for (unsigned left = chunk->mask; left != 0; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctz(left);
    for (unsigned p = 0; p < 2; p++)
      store_lane(from[p] + i, host(base + access->piece[p] + offset.lane[i]), dwords);
  }
}

/* ---- bytes and halves -------------------------------------------------------------------------------------------- */

ALWAYS_INLINE unsigned small_bytes(enum og_width width) {
  return width == OG_WIDTH_U16 || width == OG_WIDTH_I16 || width >= OG_WIDTH_16_LOW ? 2 : 1;
}

/* What a load leaves in the register that held `old`. */
ALWAYS_INLINE uint32_t small_value(const uint8_t *from, uint32_t old, enum og_width width) {
  switch (width) {
  case OG_WIDTH_U8: return *from;
  case OG_WIDTH_I8: return (uint32_t)(int8_t)*from;
  case OG_WIDTH_U16: return og_load16(from);
  case OG_WIDTH_I16: return (uint32_t)(int16_t)og_load16(from);
  case OG_WIDTH_U8_LOW: return (old & 0xffff0000) | *from;
  case OG_WIDTH_U8_HIGH: return (old & 0xffff) | (uint32_t)*from << 16;
  case OG_WIDTH_I8_LOW: return (old & 0xffff0000) | (uint16_t)(int8_t)*from;
  case OG_WIDTH_I8_HIGH: return (old & 0xffff) | (uint32_t)(uint16_t)(int8_t)*from << 16;
  case OG_WIDTH_16_LOW: return (old & 0xffff0000) | og_load16(from);
  default: return (old & 0xffff) | (uint32_t)og_load16(from) << 16;
  }
}

ALWAYS_INLINE void load_small(uint32_t *to, const struct chunk *chunk, uint32_t first_offset, uint64_t base,
                              enum og_width width) {
  unsigned bytes = small_bytes(width);
  int64_t start;
  if (chunk->mask == FULL && shape_of(chunk, first_offset, bytes, &start) == SHAPE_ROW) {
    const uint8_t *from = host(base + (uint64_t)start);
    for (unsigned i = 0; i < CHUNK; i++)
      to[i] = small_value(from + i * bytes, to[i], width);
    return;
  }
  union { u32s v; uint32_t lane[CHUNK]; } offset = {chunk->offset};
  if (chunk->mask == FULL) {
    for (unsigned i = 0; i < CHUNK; i++)
      to[i] = small_value(host(base + offset.lane[i]), to[i], width);
    return;
  }
  for (unsigned left = chunk->mask; left != 0; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctz(left);
    to[i] = small_value(host(base + offset.lane[i]), to[i], width);
  }
}

ALWAYS_INLINE void put_small(uint8_t *to, uint32_t value, enum og_width width) {
  unsigned shift = width == OG_WIDTH_U8_HIGH || width == OG_WIDTH_16_HIGH ? 16 : 0;
  if (small_bytes(width) == 1)
    *to = (uint8_t)(value >> shift);
  else
    og_store16(to, (uint16_t)(value >> shift));
}

ALWAYS_INLINE void store_small(const uint32_t *from, const struct chunk *chunk, uint64_t base, enum og_width width) {
  union { u32s v; uint32_t lane[CHUNK]; } offset = {chunk->offset};
  if (chunk->mask == FULL) {
    for (unsigned i = 0; i < CHUNK; i++)
      put_small(host(base + offset.lane[i]), from[i], width);
    return;
  }
  for (unsigned left = chunk->mask; left != 0; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctz(left);
    put_small(host(base + offset.lane[i]), from[i], width);
  }
}

/* ---- widths */
ALWAYS_INLINE bool is_pair(enum og_width width) { return width >= OG_WIDTH_PAIR_32; }
ALWAYS_INLINE unsigned dwords_of(enum og_width width) {
  return width < OG_WIDTH_32 ? 0 : width <= OG_WIDTH_128 ? width - OG_WIDTH_32 + 1u : width - OG_WIDTH_PAIR_32 + 1u;
}
ALWAYS_INLINE unsigned bytes_of(enum og_width width) {
  return width < OG_WIDTH_32 ? small_bytes(width) : 4 * dwords_of(width);
}
ALWAYS_INLINE enum og_space space_of(enum og_addressing addressing) {
  return addressing == OG_ADDRESS_LDS ? OG_SPACE_LDS : OG_SPACE_GLOBAL;
}

/* ---- addresses --------------------------------------------------------------------------------------------------- */

/* Reach of what the window and `limit` let through, seen from `base`: as a rule a place in it where that is scalar, one
 * before it where lanes have whole addresses (`lanes`), for then it is their upper half. */
ALWAYS_INLINE struct reach window_reach(const struct og_window *window, uint64_t base, uint64_t limit, uint32_t end,
                                        bool lanes) {
  uint64_t into = base - window->start, before = window->start - base, host = base + window->shift;
  if (lanes && __builtin_expect(before <= UINT32_MAX, 1))
    return reach_of(host, before, before + OG_MIN(window->size, (uint64_t)1 << 33), end);
  if (__builtin_expect(into < window->size, 1))
    return reach_of(host, 0, OG_MIN(window->size - into, limit), end);
  if (before <= UINT32_MAX)
    return reach_of(host, before, OG_MIN(before + OG_MIN(window->size, (uint64_t)1 << 33), limit), end);
  return (struct reach){host, 1, 0};
}

/* Everything that holds for all lanes: bases and limits. */
struct setting {
  struct og_window *window; /* of global memory */
  uint64_t base;            /* that all lanes share; the offset of the instruction included */
  uint64_t limit;           /* V#: the lanes' offsets end below it; else the largest number */
  const uint32_t *address;  /* lanes' offsets or addresses; NULL: all 0 */
  uint32_t add;             /* to each lane's offset, modulo 2^32 */
  uint32_t end;             /* the last byte's place behind it */
  struct reach lds;
};

ALWAYS_INLINE bool same_for_all(const uint32_t *values, const uint32_t *lanes, uint32_t first) {
  u32s difference = {0};
  for (unsigned at = 0; at < OG_LANES; at += CHUNK)
    difference |= (load_row_of(values + at) - first) & load_row_of(lanes + at);
  return !any(difference);
}

enum way { WAY_FAST, WAY_CAREFUL, WAY_SCRATCH };

/* Raw buffers, and the swizzled one of scratch. */
ALWAYS_INLINE enum way prepare_buffer(struct og_wave *wave, const struct og_operation *op, struct setting *setting) {
  const struct og_memory_op *access = op->detail;
  struct og_resource v = og_resource_decode(wave, og_at(wave, op->s[1]));
  if (access->idxen || access->addr64)
    return WAY_CAREFUL;
  setting->address = access->offen ? og_at(wave, op->s[0]) : NULL;
  setting->base = v.base + og_scalar32(wave, op, 2);
  if (v.add_tid && v.swizzle && v.element_size == 4 && v.index_stride == wave->wave_size)
    return WAY_SCRATCH;
  setting->base += op->constant[0];
  uint64_t taken = op->constant[0] + (UNLIKELY(v.whole_offset) ? og_scalar32(wave, op, 2) : 0);
  setting->limit = v.records > taken ? v.records - taken : 0;
  bool raw = v.out_of_bounds == OG_BOUNDS_RAW || wave->program->target.processor->generation < OG_GFX10_1;
  return v.add_tid || v.swizzle || !raw ? WAY_CAREFUL : WAY_FAST;
}

ALWAYS_INLINE enum way prepare(struct og_wave *wave, const struct og_operation *op, enum og_addressing addressing,
                               bool write, uint32_t end, struct setting *setting) {
  setting->window = og_window_of(wave, op, write);
  setting->end = end;
  setting->lds = reach_of((uintptr_t)wave->lds, 0, og_lds_limit(wave), end);
  setting->base = op->constant[0];
  setting->add = 0;
  setting->limit = UINT64_MAX;
  setting->address = og_at(wave, op->s[0]);
  if (og_sees_lanes(wave))
    return WAY_CAREFUL;
  if (addressing == OG_ADDRESS_BUFFER)
    return prepare_buffer(wave, op, setting);
  if (addressing == OG_ADDRESS_LDS) {
    setting->add = (uint32_t)op->constant[0];
  } else if (addressing == OG_ADDRESS_SADDR)
    setting->base += og_scalar64(wave, op, 1);
  else if (addressing == OG_ADDRESS_FLAT && og_active(wave) != 0) {
    unsigned first = (unsigned)__builtin_ctzll(og_active(wave));
    const uint32_t *high = setting->address + OG_LANES;
    if (high[first] == OG_PRIVATE_APERTURE && same_for_all(high, wave->lanes, OG_PRIVATE_APERTURE))
      return WAY_SCRATCH;
  }
  return WAY_FAST;
}

ALWAYS_INLINE bool has_lane_addresses(enum og_addressing addressing) {
  return addressing == OG_ADDRESS_GLOBAL || addressing == OG_ADDRESS_FLAT;
}

/* Offsets and reach of a chunk. False: only the careful way knows. */
ALWAYS_INLINE bool aim(struct og_wave *wave, enum og_addressing addressing, const struct setting *setting, unsigned at,
                       struct chunk *chunk, struct reach *reach) {
  const uint32_t *address = setting->address;
  if (addressing == OG_ADDRESS_BUFFER && address == NULL) {
    chunk->offset = (u32s){0};
  } else {
    address += at;
    chunk->offset = load_row_of(address) + setting->add;
  }
  if (addressing == OG_ADDRESS_LDS) {
    *reach = setting->lds;
    return true;
  }
  uint64_t base = setting->base;
  if (has_lane_addresses(addressing)) {
    uint32_t high = address[OG_LANES + chunk->first];
    if (any((load_row_of(address + OG_LANES) - high) & chunk->lanes))
      return false;
    if (addressing == OG_ADDRESS_FLAT && high == OG_SHARED_APERTURE) {
      bool negative = base >> 63; /* the instruction's offset */
      uint64_t limit = og_lds_limit(wave);
      uint64_t low = negative ? -base : 0, high = negative || base < limit ? limit - base : 0;
      *reach = reach_of((uintptr_t)wave->lds + base, low, high, setting->end);
      return true;
    }
    if (addressing == OG_ADDRESS_FLAT && high == OG_PRIVATE_APERTURE)
      return false;
    base += (uint64_t)high << 32;
  }
  *reach =
      window_reach(setting->window, base, setting->limit, setting->end, has_lane_addresses(addressing));
  return true;
}

/* Whether all lanes are within reach; for global memory, after moving the window to where the first one goes. */
ALWAYS_INLINE bool reachable(struct og_wave *wave, enum og_addressing addressing, const struct setting *setting,
                             const struct chunk *chunk, uint32_t first_offset, struct reach *reach, bool write) {
  if (__builtin_expect(within(chunk, reach), 1))
    return true;
  if (addressing == OG_ADDRESS_LDS ||
      (addressing == OG_ADDRESS_FLAT && reach->base == (uintptr_t)wave->lds + setting->base))
    return false;
  uint64_t base = reach->base - setting->window->shift; /* as the kernel says it */
  if (!og_window_move(wave, setting->window, base + first_offset, setting->end, write))
    return false;
  *reach =
      window_reach(setting->window, base, setting->limit, setting->end, has_lane_addresses(addressing));
  return within(chunk, reach);
}

/* ---- scratch ----------------------------------------------------------------------------------------------------- */

/* Where the lanes' places in scratch are: `base` of the wave's part, and for each lane a byte offset, which is
 * vaddr (zeros if NULL) plus `add`. A lane's dword n lies at base + (n * lanes + lane) * 4. */
struct scratch {
  uint64_t base;
  const uint32_t *vaddr;
  uint32_t add;
};

/* All lanes at one offset: rows of memory are rows of the register file. */
ALWAYS_INLINE void move_rows(struct og_wave *wave, uint32_t *data, uint8_t *memory, unsigned dwords, uint64_t exec,
                             bool write) {
  for (unsigned d = 0; d < dwords; d++, data += OG_LANES, memory += 4u * wave->wave_size)
    for (unsigned at = 0; at < wave->wave_size; at += CHUNK) {
      struct chunk chunk = chunk_of(wave, exec, at);
      if (write)
        put((uint32_t *)(void *)(memory + 4 * at), &chunk, load_row_of(data + at));
      else
        put(data + at, &chunk, load_row_of(memory + 4 * at));
    }
}

/* Some lanes at offsets of their own, as dwords in their parts: chunk->offset. */
ALWAYS_INLINE u32s own_offsets(const struct scratch *scratch, unsigned at) {
  return load_row_of(scratch->vaddr + at) + scratch->add;
}

/* Every lane at an offset of its own, as arrays with divergent indices are. False: some lane is beyond the wave's part,
 * or not within its dwords, and nothing is done. */
ALWAYS_INLINE bool move_apart(struct og_wave *wave, uint32_t *data, const struct scratch *scratch, uint64_t start,
                              uint64_t size, enum og_width width, bool write) {
  uint64_t exec = og_active(wave);
  uint32_t dwords = width < OG_WIDTH_32 ? 1 : dwords_of(width), bytes = bytes_of(width), row = 4u * wave->wave_size;
  uint64_t rows = start < size && size - start <= UINT32_MAX ? (size - start) / row : 0;
  if (wave->scratch == NULL || rows < dwords)
    return false;
  for (unsigned at = 0; at < wave->wave_size; at += CHUNK) {
    struct chunk chunk = chunk_of(wave, exec, at);
    u32s offset = own_offsets(scratch, at);
    chunk.offset = offset >> 2;
    if (any_above(&chunk, (uint32_t)rows - dwords) || any((u32s)((offset & 3) + bytes > 4 * dwords) & chunk.lanes))
      return false;
  }
  for (unsigned at = 0; at < wave->wave_size; at += CHUNK) {
    struct chunk chunk = chunk_of(wave, exec, at);
    u32s offset = own_offsets(scratch, at);
    chunk.offset = (offset >> 2) * row + ((u32s)IOTA + at) * 4 + (offset & 3);
    uint64_t base = (uintptr_t)wave->scratch + start;
    for (unsigned d = 0; d < dwords && chunk.mask != 0; d++, base += row) {
      uint32_t *part = data + d * OG_LANES + at;
      if (width >= OG_WIDTH_32)
        write ? store_any(part, &chunk, base, 1) : load_any(part, &chunk, base, 1);
      else if (write)
        store_small(part, &chunk, base, width);
      else
        load_small(part, &chunk, 1, base, width); /* lanes are never side by side */
    }
  }
  return true;
}

ALWAYS_INLINE const struct og_operation *move_scratch(struct og_wave *wave, const struct og_operation *op,
                                                      const struct scratch *scratch, enum og_width width, bool write) {
  uint64_t exec = og_active(wave), start = scratch->base - (uintptr_t)wave->scratch;
  uint64_t row = 4u * wave->wave_size, size = (uint64_t)wave->scratch_size * wave->wave_size;
  unsigned first = (unsigned)__builtin_ctzll(exec), dwords = width < OG_WIDTH_32 ? 1 : dwords_of(width);
  uint32_t offset = scratch->add + (scratch->vaddr != NULL ? scratch->vaddr[first] : 0);
  uint64_t low = start + offset / 4 * row, bytes = bytes_of(width);
  bool together = scratch->vaddr == NULL || same_for_all(scratch->vaddr, wave->lanes, scratch->vaddr[first]);
  if (!together && move_apart(wave, og_at(wave, op->d), scratch, start, size, width, write)) {
    if (UNLIKELY(wave->counts != NULL))
      og_count_access(wave, OG_SPACE_SCRATCH, write, exec, (unsigned)bytes);
    return og_next(op);
  }
  if (UNLIKELY(!together || wave->scratch == NULL || offset % 4 + bytes > 4 * dwords || low >= size ||
               dwords * row > size - low))
    return (write ? og_careful_store : og_careful_load)(wave, op, exec) ? og_next(op) : &og_stop;
  if (width >= OG_WIDTH_32) {
    move_rows(wave, og_at(wave, op->d), wave->scratch + low, dwords, exec, write);
  } else {
    for (unsigned at = 0; at < wave->wave_size; at += CHUNK) {
      struct chunk chunk = chunk_of(wave, exec, at);
      chunk.offset = (u32s)IOTA * 4;
      uint64_t base = (uintptr_t)wave->scratch + low + 4 * at + offset % 4;
      if (write)
        store_small(og_at(wave, op->d) + at, &chunk, base, width);
      else
        load_small(og_at(wave, op->d) + at, &chunk, 0, base, width);
    }
  }
  if (UNLIKELY(wave->counts != NULL))
    og_count_access(wave, OG_SPACE_SCRATCH, write, exec, (unsigned)bytes);
  return og_next(op);
}

ALWAYS_INLINE const struct og_operation *move_private(struct og_wave *wave, const struct og_operation *op,
                                                      enum og_width width, bool write) {
  const struct og_memory_op *access = op->detail;
  struct scratch scratch = {.base = og_flat_scratch(wave),
                            .vaddr = access->has_vaddr ? og_at(wave, op->s[0]) : NULL,
                            .add = og_scalar32(wave, op, 1) + (uint32_t)op->constant[0]};
  if (UNLIKELY(og_active(wave) == 0))
    return og_next(op);
  if (og_sees_lanes(wave))
    return (write ? og_careful_store : og_careful_load)(wave, op, og_active(wave)) ? og_next(op) : &og_stop;
  return move_scratch(wave, op, &scratch, width, write);
}

/* Bank conflicts, counted anew only where the addresses are not those of the last time. */
ALWAYS_INLINE void count_conflicts(struct og_wave *wave, const struct og_operation *op, uint64_t exec) {
  uintptr_t at = (uintptr_t)op / sizeof *op + 131 * wave->id; /* waves of a group go the same way in turn */
  struct og_conflicts *known = &wave->windows->conflicts[at % OG_CONFLICTS];
  const uint32_t *address = og_at(wave, op->s[0]);
  u32s other = all(0);
  for (unsigned i = 0; i < OG_LANES; i += CHUNK)
    other |= load_row_of(address + i) ^ load_row_of(known->address + i);
  if (UNLIKELY(any(other) || known->op != op || known->exec != exec)) {
    uint64_t before = wave->counts->events.bank_conflicts;
    og_count_conflicts(wave, op);
    known->op = op;
    known->exec = exec;
    known->count = wave->counts->events.bank_conflicts - before;
    memcpy(known->address, address, sizeof known->address);
    return;
  }
  wave->counts->events.bank_conflicts += known->count;
}

/* ---- handlers ---------------------------------------------------------------------------------------------------- */

ALWAYS_INLINE const struct og_operation *move(struct og_wave *wave, const struct og_operation *op,
                                              enum og_addressing addressing, enum og_width width, bool write) {
  const struct og_memory_op *access = op->detail;
  uint64_t exec = og_active(wave);
  uint64_t careful = 0;
  uint32_t *data = og_at(wave, op->d);
  unsigned bytes = bytes_of(width);
  uint32_t end = is_pair(width) ? OG_MAX(access->piece[0], access->piece[1]) + bytes : bytes;
  struct setting setting;
  enum way way = prepare(wave, op, addressing, write, end, &setting);
  if ((addressing == OG_ADDRESS_BUFFER || addressing == OG_ADDRESS_FLAT) && way == WAY_SCRATCH && exec != 0) {
    uint64_t base = addressing == OG_ADDRESS_FLAT ? og_flat_scratch(wave) : setting.base;
    struct scratch scratch = {base, setting.address, (uint32_t)op->constant[0]};
    return move_scratch(wave, op, &scratch, width, write);
  }
  if (UNLIKELY(way != WAY_FAST))
    return (write ? og_careful_store : og_careful_load)(wave, op, exec) ? og_next(op) : &og_stop;
  for (unsigned at = 0; at < OG_LANES; at += CHUNK) {
    struct chunk chunk = chunk_of(wave, exec, at);
    struct reach reach;
    if (chunk.mask == 0)
      continue;
    chunk.first = (unsigned)__builtin_ctz(chunk.mask);
    uint32_t first_offset = setting.add;
    if (addressing != OG_ADDRESS_BUFFER || setting.address != NULL)
      first_offset += setting.address[at + chunk.first];
    if (UNLIKELY(!aim(wave, addressing, &setting, at, &chunk, &reach) ||
                 !reachable(wave, addressing, &setting, &chunk, first_offset, &reach, write))) {
      uint64_t lanes = (uint64_t)chunk.mask << at;
      careful |= lanes;
      if (!(write ? og_careful_store : og_careful_load)(wave, op, lanes))
        return &og_stop;
      continue;
    }
    if (!write && width < OG_WIDTH_32)
      load_small(data + at, &chunk, first_offset, reach.base, width);
    else if (!write)
      load_chunk(data + at, &chunk, first_offset, reach.base, access->piece, is_pair(width) ? 2 : 1, dwords_of(width),
                 addressing == OG_ADDRESS_LDS);
    else if (width < OG_WIDTH_32)
      store_small(data + at, &chunk, reach.base, width);
    else if (is_pair(width))
      store_pairs((const uint32_t *[]){data + at, og_at(wave, op->d2) + at}, &chunk, first_offset, reach.base,
                  access, dwords_of(width));
    else
      store_chunk(data + at, &chunk, first_offset, reach.base, dwords_of(width));
  }
  if (UNLIKELY(wave->counts != NULL)) {
    og_count_access(wave, space_of(addressing), write, exec & ~careful, bytes * (is_pair(width) ? 2 : 1));
    if (addressing == OG_ADDRESS_LDS)
      count_conflicts(wave, op, exec);
  }
  return og_next(op);
}

#define HANDLER_OF(name, call)                                                                 \
  static const struct og_operation *name(struct og_wave *wave, const struct og_operation *op) { \
    return call;                                                                               \
  }
#define HANDLER(addressing, width)                                                                                  \
  HANDLER_OF(load_##addressing##_##width, move(wave, op, OG_ADDRESS_##addressing, OG_WIDTH_##width, false))         \
  HANDLER_OF(store_##addressing##_##width, move(wave, op, OG_ADDRESS_##addressing, OG_WIDTH_##width, true))

#define WIDTHS(X, addressing)                                                                                          \
  X(addressing, U8) X(addressing, I8) X(addressing, U16) X(addressing, I16) X(addressing, 16_LOW)                      \
  X(addressing, 16_HIGH) X(addressing, 32) X(addressing, 64) X(addressing, 96) X(addressing, 128)
#define ALL(X) \
  WIDTHS(X, LDS) WIDTHS(X, GLOBAL) WIDTHS(X, SADDR) WIDTHS(X, FLAT) WIDTHS(X, BUFFER) X(LDS, PAIR_32) X(LDS, PAIR_64)

ALL(HANDLER)

#define PRIVATE_HANDLER(addressing, width)                                                         \
  HANDLER_OF(load_##addressing##_##width, move_private(wave, op, OG_WIDTH_##width, false))         \
  HANDLER_OF(store_##addressing##_##width, move_private(wave, op, OG_WIDTH_##width, true))
WIDTHS(PRIVATE_HANDLER, SCRATCH)

#define CONCAT_(a, b) a##b
#define CONCAT(a, b) CONCAT_(a, b)
#define LOAD_ENTRY(addressing, width) \
  .load[OG_ADDRESS_##addressing][OG_WIDTH_##width] = load_##addressing##_##width, \
  .store[OG_ADDRESS_##addressing][OG_WIDTH_##width] = store_##addressing##_##width,

const struct og_memory_handlers CONCAT(og_memory_handlers_,
                                       OG_VARIANT_NAME) = {ALL(LOAD_ENTRY) WIDTHS(LOAD_ENTRY, SCRATCH)};
