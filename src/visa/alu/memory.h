/* memory.h - loads and stores of all channels at once, only for loops.h, once for each level of processors. */

/* Whether channels are side by side, all at one place, or neither. Elements are loaded in the size in which they were
   stored: a load across two recent stores would stall. */
static inline u32 pattern_of(const u64 *addresses, u32 n, u32 step_log2) {
  u64 first = addresses[0], second = addresses[1] - first, wrong = 0;
  if (second == 0) {
    for (u32 i = 0; i < n; i++)
      wrong |= addresses[i] ^ first;
    return wrong ? OG_ALU_SCATTERED : OG_ALU_SAME;
  }
  if (second != (u64)1 << step_log2)
    return OG_ALU_SCATTERED;
  for (u32 i = 0; i < n; i++)
    wrong |= addresses[i] ^ (first + ((u64)i << step_log2));
  return wrong ? OG_ALU_SCATTERED : OG_ALU_CONSECUTIVE;
}

static u32 address_pattern(const u64 *addresses, u32 n, u64 size) {
  u32 step = (u32)__builtin_ctzll(size);
  return n == 32   ? pattern_of(addresses, 32, step)
         : n == 16 ? pattern_of(addresses, 16, step)
                   : pattern_of(addresses, n, step);
}

/* ---- dwords at offsets and indices ------------------------------------------------------------------------------- */

static inline bool dwords_fit(u32 *at, const void *offsets, u32 n, const struct og_alu_dwords *memory) {
  const A(u32) *from = offsets;
  u32 most = 0, add = memory->add, mask = memory->mask;
  for (u32 i = 0; i < n; i++) {
    at[i] = (from[i] + add) & mask;
    most = most > at[i] ? most : at[i];
  }
  return (u64)most + 4 * memory->components <= memory->size;
}

static inline bool indices_fit(u32 *at, const void *indices, u32 n, u32 most, u32 shift) {
  const A(u32) *from = indices;
  u32 seen = 0;
  for (u32 i = 0; i < n; i++) {
    seen = seen > from[i] ? seen : from[i];
    at[i] = from[i] << shift;
  }
  return seen <= most;
}

#if defined(__AVX512F__)
/* The places of sixteen indices; false: one is out of bounds. */
static inline bool sixteen_within(__m512i *index, const void *indices, u32 most, u32 shift) {
  __m512i from = _mm512_loadu_si512(indices);
  *index = _mm512_sll_epi32(from, _mm_cvtsi32_si128((int)shift));
  return _mm512_cmpgt_epu32_mask(from, _mm512_set1_epi32((int)most)) == 0;
}

/* Both halves of thirty-two channels, or sixteen alone. */
static inline bool both_within(__m512i *low, __m512i *high, const u8 *indices, u32 n, u32 most, u32 shift) {
  *high = _mm512_setzero_si512();
  return sixteen_within(low, indices, most, shift) && (n < 32 || sixteen_within(high, indices + 64, most, shift));
}

/* The places of sixteen channels; false: one is out of bounds. */
static inline bool sixteen_fit(__m512i *index, const void *offsets, const struct og_alu_dwords *memory) {
  if (memory->size < 4ull * memory->components)
    return false;
  __m512i sum = _mm512_add_epi32(_mm512_loadu_si512(offsets), _mm512_set1_epi32((int)memory->add));
  *index = _mm512_and_si512(sum, _mm512_set1_epi32((int)memory->mask));
  __m512i last = _mm512_set1_epi32((int)(memory->size - 4ull * memory->components));
  return _mm512_cmpgt_epu32_mask(*index, last) == 0;
}

/* Side by side, all at one place, or neither. */
static inline u32 pattern_of_sixteen(__m512i index) {
  const __m512i steps = _mm512_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60);
  __m512i first = _mm512_broadcastd_epi32(_mm512_castsi512_si128(index)), distance = _mm512_sub_epi32(index, first);
  return _mm512_cmpneq_epi32_mask(distance, steps) == 0          ? OG_ALU_CONSECUTIVE
         : _mm512_test_epi32_mask(distance, distance) == 0       ? OG_ALU_SAME
                                                                 : OG_ALU_SCATTERED;
}

static inline void load_sixteen(u8 *to, const u8 *base, __m512i index, u32 components, u32 pitch) {
  u32 pattern = pattern_of_sixteen(index), first = (u32)_mm_cvtsi128_si32(_mm512_castsi512_si128(index));
  for (u32 c = 0; c < components; c++, to += pitch, base += 4) {
    int word;
    memcpy(&word, base + first, 4);
    __m512i values = pattern == OG_ALU_CONSECUTIVE ? _mm512_loadu_si512(base + first)
                     : pattern == OG_ALU_SAME      ? _mm512_set1_epi32(word)
                                                   : _mm512_i32gather_epi32(index, base, 1);
    _mm512_storeu_si512(to, values);
  }
}

/* If channels are at one place, the last one's value stays there. */
static inline void store_sixteen(const u8 *from, u8 *base, __m512i index, u32 components, u32 pitch) {
  u32 pattern = pattern_of_sixteen(index), first = (u32)_mm_cvtsi128_si32(_mm512_castsi512_si128(index));
  for (u32 c = 0; c < components; c++, from += pitch, base += 4) {
    __m512i values = _mm512_loadu_si512(from);
    if (pattern == OG_ALU_CONSECUTIVE)
      _mm512_storeu_si512(base + first, values);
    else
      _mm512_i32scatter_epi32(base, index, values, 1);
  }
}

static bool load_sixteens(u8 *registers, const u8 *offsets, u32 n, const struct og_alu_dwords *memory) {
  __m512i low, high;
  if (!sixteen_fit(&low, offsets, memory) || (n == 32 && !sixteen_fit(&high, offsets + 64, memory)))
    return false;
  load_sixteen(registers, memory->base, low, memory->components, memory->pitch);
  if (n == 32)
    load_sixteen(registers + 64, memory->base, high, memory->components, memory->pitch);
  return true;
}

static bool store_sixteens(const u8 *registers, const u8 *offsets, u32 n, const struct og_alu_dwords *memory) {
  __m512i low, high;
  if (!sixteen_fit(&low, offsets, memory) || (n == 32 && !sixteen_fit(&high, offsets + 64, memory)))
    return false;
  store_sixteen(registers, memory->base, low, memory->components, memory->pitch);
  if (n == 32)
    store_sixteen(registers + 64, memory->base, high, memory->components, memory->pitch);
  return true;
}

static bool load_sixteens_indexed(u8 *registers, const u8 *indices, u32 n, const u8 *base, u32 most,
                                  const struct og_alu_shape *shape) {
  __m512i low, high;
  u32 components = shape->components, pitch = shape->pitch;
  if (!both_within(&low, &high, indices, n, most, shape->shift))
    return false;
  if (components == 1) {
    load_sixteen(registers, base, low, 1, 0);
    if (n == 32)
      load_sixteen(registers + 64, base, high, 1, 0);
    return true;
  }
  load_sixteen(registers, base, low, components, pitch);
  if (n == 32)
    load_sixteen(registers + 64, base, high, components, pitch);
  return true;
}

static bool store_sixteens_indexed(const u8 *registers, const u8 *indices, u32 n, u8 *base, u32 most,
                                   const struct og_alu_shape *shape) {
  __m512i low, high;
  if (!both_within(&low, &high, indices, n, most, shape->shift))
    return false;
  store_sixteen(registers, base, low, shape->components, shape->pitch);
  if (n == 32)
    store_sixteen(registers + 64, base, high, shape->components, shape->pitch);
  return true;
}
#endif

#if defined(__AVX2__) && !defined(__AVX512F__)
/* Eight channels at a time; false: one of all is out of bounds. */
static inline bool eights_fit(__m256i index[4], const u8 *offsets, u32 n, const struct og_alu_dwords *memory) {
  if (memory->size < 4ull * memory->components)
    return false;
  const __m256i add = _mm256_set1_epi32((int)memory->add), mask = _mm256_set1_epi32((int)memory->mask),
                last = _mm256_set1_epi32((int)(memory->size - 4ull * memory->components));
  __m256i most = _mm256_setzero_si256();
  for (u32 i = 0; i < n / 8; i++) {
    __m256i sum = _mm256_add_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(offsets + 32 * i)), add);
    index[i] = _mm256_and_si256(sum, mask);
    most = _mm256_max_epu32(most, index[i]);
  }
  return _mm256_movemask_epi8(_mm256_cmpeq_epi32(_mm256_max_epu32(most, last), last)) == -1;
}

/* The same for indices. */
static inline bool eights_within(__m256i index[4], const u8 *indices, u32 n, u32 most, u32 shift) {
  const __m256i last = _mm256_set1_epi32((int)most);
  __m256i seen = _mm256_setzero_si256();
  for (u32 i = 0; i < n / 8; i++) {
    __m256i from = _mm256_loadu_si256((const __m256i *)(const void *)(indices + 32 * i));
    seen = _mm256_max_epu32(seen, from);
    index[i] = _mm256_sll_epi32(from, _mm_cvtsi32_si128((int)shift));
  }
  return _mm256_movemask_epi8(_mm256_cmpeq_epi32(_mm256_max_epu32(seen, last), last)) == -1;
}

static inline bool both_equal(__m256i a, __m256i b, __m256i c, __m256i d) {
  return _mm256_movemask_epi8(_mm256_and_si256(_mm256_cmpeq_epi32(a, b), _mm256_cmpeq_epi32(c, d))) == -1;
}

/* Sixteen channels: side by side, all at one place, or neither. */
static inline u32 pattern_of_pair(__m256i low, __m256i high) {
  const __m256i steps = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28), eight = _mm256_set1_epi32(32);
  __m256i first = _mm256_broadcastd_epi32(_mm256_castsi256_si128(low)), next = _mm256_add_epi32(first, steps);
  return both_equal(low, first, high, first)                           ? OG_ALU_SAME
         : both_equal(low, next, high, _mm256_add_epi32(next, eight)) ? OG_ALU_CONSECUTIVE
                                                                       : OG_ALU_SCATTERED;
}

static inline __m256i eight_dwords(const u8 *at) { return _mm256_loadu_si256((const __m256i *)(const void *)at); }
static inline void put_eight(u8 *to, __m256i values) { _mm256_storeu_si256((__m256i *)(void *)to, values); }
static inline __m256i gather_eight(const u8 *base, __m256i index) {
  return _mm256_i32gather_epi32((const int *)(const void *)base, index, 1);
}

static inline void load_pair(u8 *to, const u8 *base, __m256i low, __m256i high, u32 components, u32 pitch) {
  const u8 *at = base + (u32)_mm_cvtsi128_si32(_mm256_castsi256_si128(low));
  u32 pattern = pattern_of_pair(low, high);
  for (u32 c = 0; c < components; c++, to += pitch, at += 4, base += 4) {
    int word;
    memcpy(&word, at, 4);
    bool same = pattern == OG_ALU_SAME, together = pattern == OG_ALU_CONSECUTIVE;
    put_eight(to, same ? _mm256_set1_epi32(word) : together ? eight_dwords(at) : gather_eight(base, low));
    put_eight(to + 32, same ? _mm256_set1_epi32(word) : together ? eight_dwords(at + 32) : gather_eight(base, high));
  }
}

static inline void load_at(u8 *registers, const u8 *base, const __m256i index[4], u32 n, u32 components, u32 pitch) {
  for (u32 i = 0; i + 1 < n / 8; i += 2)
    load_pair(registers + 32 * i, base, index[i], index[i + 1], components, pitch);
  for (u32 c = 0; c < components && n == 8; c++)
    put_eight(registers + c * pitch, gather_eight(base + 4 * c, index[0]));
}

static inline bool load_eights(u8 *registers, const u8 *offsets, u32 n, u32 components,
                               const struct og_alu_dwords *memory) {
  __m256i index[4];
  if (!eights_fit(index, offsets, n, memory))
    return false;
  load_at(registers, memory->base, index, n, components, memory->pitch);
  return true;
}

static inline bool load_eights_indexed(u8 *registers, const u8 *indices, u32 n, const u8 *base, u32 most,
                                       const struct og_alu_shape *shape) {
  __m256i index[4];
  if (!eights_within(index, indices, n, most, shape->shift))
    return false;
  if (shape->components == 1)
    load_at(registers, base, index, n, 1, 0);
  else
    load_at(registers, base, index, n, shape->components, shape->pitch);
  return true;
}

/* One component. If channels are at one place, the last one's value stays there. */
static inline void store_at(const u8 *registers, u8 *base, const __m256i index[4], u32 n) {
  for (u32 i = 0; i < n / 8; i++) {
    u32 at[8] __attribute__((aligned(32)));
    const __m256i steps = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
    __m256i first = _mm256_broadcastd_epi32(_mm256_castsi256_si128(index[i])), next = _mm256_add_epi32(first, steps);
    put_eight((u8 *)at, index[i]);
    if (both_equal(index[i], next, next, next))
      put_eight(base + at[0], eight_dwords(registers + 32 * i));
    else
      for (u32 k = 0; k < 8; k++)
        memcpy(base + at[k], registers + 32 * i + 4 * k, 4);
  }
}

static inline bool store_eights(const u8 *registers, const u8 *offsets, u32 n, const struct og_alu_dwords *memory) {
  __m256i index[4];
  if (!eights_fit(index, offsets, n, memory))
    return false;
  store_at(registers, memory->base, index, n);
  return true;
}

static inline bool store_eights_indexed(const u8 *registers, const u8 *indices, u32 n, u8 *base, u32 most,
                                        u32 shift) {
  __m256i index[4];
  if (!eights_within(index, indices, n, most, shift))
    return false;
  store_at(registers, base, index, n);
  return true;
}
#endif

/* ---- bank conflicts ---------------------------------------------------------------------------------------------- */

enum { BANKS = 16 };

/* Whether all are in the sixteen dwords from the first one on, each of which has a bank of its own. */
static inline bool dwords_near(const A(u32) * at, u32 n) {
  u32 first = at[0] >> 2, bits = 0;
  for (u32 i = 0; i < n; i++)
    bits |= (at[i] >> 2) - first;
  return bits < BANKS;
}

static inline bool sixteen_near(const A(u32) * at) {
#if defined(__AVX512F__)
  __m512i dword = _mm512_srli_epi32(_mm512_loadu_si512(at), 2);
  __m512i distance = _mm512_sub_epi32(dword, _mm512_broadcastd_epi32(_mm512_castsi512_si128(dword)));
  return _mm512_cmpge_epu32_mask(distance, _mm512_set1_epi32(BANKS)) == 0;
#elif defined(__AVX2__)
  __m256i low = _mm256_srli_epi32(_mm256_loadu_si256((const __m256i *)(const void *)at), 2),
          high = _mm256_srli_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(at + 8)), 2),
          first = _mm256_broadcastd_epi32(_mm256_castsi256_si128(low)),
          bits = _mm256_or_si256(_mm256_sub_epi32(low, first), _mm256_sub_epi32(high, first));
  return _mm256_testz_si256(bits, _mm256_set1_epi32(-BANKS));
#else
  return dwords_near(at, 16);
#endif
}

/* Up to sixteen channels, which are accessed together. */
static u32 bank_conflicts_of(const A(u32) * at, u32 n, u32 enabled) {
  if (n < 16 && dwords_near(at, n))
    return 0;
  u32 seen[16], count = 0, last = ~0u, most = 1;
  u8 wanted[BANKS] = {0};
  for (u32 i = 0; i < n; i++) {
    u32 dword = at[i] >> 2, k = 0;
    if (!(enabled >> i & 1) || dword == last)
      continue;
    last = dword;
    while (k < count && seen[k] != dword)
      k++;
    if (k < count)
      continue;
    seen[count++] = dword;
    u32 bank = dword % BANKS;
    wanted[bank]++;
    most = most > wanted[bank] ? most : wanted[bank];
  }
  return most - 1;
}

static u32 bank_conflicts(const void *offsets, u32 n, u32 enabled) {
  const A(u32) *at = offsets;
  u32 sum = 0;
  for (u32 i = 0; i < n; i += 16)
    if (n - i < 16 || !sixteen_near(at + i))
      sum += bank_conflicts_of(at + i, n - i < 16 ? n - i : 16, enabled >> i);
  return sum;
}

/* ---- any width --------------------------------------------------------------------------------------------------- */

/* Once for each of the usual widths, so that the loop becomes vector code. */
static inline bool all_dwords_fit(u32 *at, const void *offsets, u32 n, const struct og_alu_dwords *memory) {
  return n == 32   ? dwords_fit(at, offsets, 32, memory)
         : n == 16 ? dwords_fit(at, offsets, 16, memory)
                   : dwords_fit(at, offsets, n, memory);
}

static inline void load_each(u8 *registers, const u8 *base, const u32 *at, u32 n, u32 components, u32 pitch) {
  for (u32 c = 0; c < components; c++)
    for (u32 i = 0; i < n; i++)
      memcpy(registers + c * pitch + 4 * i, base + at[i] + 4 * c, 4);
}

static inline void store_each(const u8 *registers, u8 *base, const u32 *at, u32 n, u32 components, u32 pitch) {
  for (u32 c = 0; c < components; c++)
    for (u32 i = 0; i < n; i++)
      memcpy(base + at[i] + 4 * c, registers + c * pitch + 4 * i, 4);
}

static bool load_dwords(void *registers, const void *offsets, u32 n, const struct og_alu_dwords *memory) {
#if defined(__AVX512F__)
  if (n % 16 == 0)
    return load_sixteens(registers, offsets, n, memory);
#elif defined(__AVX2__)
  u32 components = memory->components;
  if (n == 32 && components == 1)
    return load_eights(registers, offsets, 32, 1, memory);
  if (n % 8 == 0)
    return n == 32   ? load_eights(registers, offsets, 32, components, memory)
           : n == 16 ? load_eights(registers, offsets, 16, components, memory)
                     : load_eights(registers, offsets, 8, components, memory);
#endif
  u32 at[32] __attribute__((aligned(64)));
  if (!all_dwords_fit(at, offsets, n, memory))
    return false;
  load_each(registers, memory->base, at, n, memory->components, memory->pitch);
  return true;
}

static bool store_dwords(const void *registers, const void *offsets, u32 n, const struct og_alu_dwords *memory) {
#if defined(__AVX512F__)
  if (n % 16 == 0 && (memory->components == 1 || n == 16)) /* otherwise component by component, each for all channels */
    return store_sixteens(registers, offsets, n, memory);
#elif defined(__AVX2__)
  if (n % 8 == 0 && memory->components == 1)
    return n == 32   ? store_eights(registers, offsets, 32, memory)
           : n == 16 ? store_eights(registers, offsets, 16, memory)
                     : store_eights(registers, offsets, 8, memory);
#endif
  u32 at[32] __attribute__((aligned(64)));
  if (!all_dwords_fit(at, offsets, n, memory))
    return false;
  store_each(registers, memory->base, at, n, memory->components, memory->pitch);
  return true;
}

static bool load_indexed(void *registers, const void *indices, u32 n, const void *base, u32 most,
                         const struct og_alu_shape *shape) {
#if defined(__AVX512F__)
  if (n % 16 == 0)
    return load_sixteens_indexed(registers, indices, n, base, most, shape);
#elif defined(__AVX2__)
  if (n % 8 == 0)
    return n == 32   ? load_eights_indexed(registers, indices, 32, base, most, shape)
           : n == 16 ? load_eights_indexed(registers, indices, 16, base, most, shape)
                     : load_eights_indexed(registers, indices, 8, base, most, shape);
#endif
  u32 at[32] __attribute__((aligned(64)));
  if (!indices_fit(at, indices, n, most, shape->shift))
    return false;
  load_each(registers, base, at, n, shape->components, shape->pitch);
  return true;
}

static bool store_indexed(const void *registers, const void *indices, u32 n, void *base, u32 most,
                          const struct og_alu_shape *shape) {
#if defined(__AVX512F__)
  if (n % 16 == 0 && (shape->components == 1 || n == 16))
    return store_sixteens_indexed(registers, indices, n, base, most, shape);
#elif defined(__AVX2__)
  if (n % 8 == 0 && shape->components == 1)
    return n == 32   ? store_eights_indexed(registers, indices, 32, base, most, shape->shift)
           : n == 16 ? store_eights_indexed(registers, indices, 16, base, most, shape->shift)
                     : store_eights_indexed(registers, indices, 8, base, most, shape->shift);
#endif
  u32 at[32] __attribute__((aligned(64)));
  if (!indices_fit(at, indices, n, most, shape->shift))
    return false;
  store_each(registers, base, at, n, shape->components, shape->pitch);
  return true;
}
