/* scalar.h - scalar instructions once more: their values (scalar.def; floats by vector.def), SCC and EXEC. */
#ifndef OG_VALUES_SCALAR_H
#define OG_VALUES_SCALAR_H

#include "values/lanes.h"

struct scalar_state {
  uint64_t a, b, old, exec;
  i128 sa, sb;
  int64_t k;
  unsigned scc, mode;
};
struct scalar_result {
  uint64_t value, exec;
  unsigned scc;
};
struct scalar_row {
  const char *name;
  uint8_t bits, source[2];
  bool masks; /* writes EXEC */
  void (*compute)(const struct scalar_state *in, struct scalar_result *out);
};

static inline i128 as_signed(uint64_t x, unsigned bits) { return bits == 64 ? (i128)(int64_t)x : (i128)(int32_t)x; }
static inline uint64_t difference32(i128 x, i128 y) {
  int32_t d = (int32_t)(uint32_t)(uint64_t)(x - y);
  return d < 0 ? 0 - (uint64_t)(int64_t)d : (uint64_t)d;
}
static inline uint64_t quads_of(uint64_t x, bool whole) {
  uint64_t out = 0;
  for (unsigned i = 0; i < 16; i++)
    if (x >> 4 * i & 15)
      out |= whole ? (uint64_t)15 << 4 * i : (uint64_t)1 << i;
  return out;
}
static inline uint64_t field_of(uint64_t x, uint64_t offset, uint64_t width, unsigned bits, bool is_signed) {
  uint64_t out = 0;
  bool top = is_signed && x >> (bits - 1) & 1, last = false;
  for (unsigned i = 0; i < bits; i++) {
    if (i < width)
      last = offset + i < bits ? x >> (offset + i) & 1 : top;
    out |= (uint64_t)(i < width ? last : is_signed && width && last) << i;
  }
  return out;
}
static inline uint64_t doubled_bits(uint64_t x) {
  uint64_t out = 0;
  for (unsigned i = 0; i < 64; i++)
    out |= (x >> i / 2 & 1) << i;
  return out;
}

#define LOCALS                                                                                                         \
  const uint64_t a = in->a, b = in->b, old = in->old, exec = in->exec;                                                 \
  const i128 sa = in->sa, sb = in->sb;                                                                                 \
  const int64_t k = in->k;                                                                                             \
  const unsigned scc = in->scc;                                                                                        \
  (void)a, (void)b, (void)old, (void)exec, (void)sa, (void)sb, (void)k, (void)scc;
#define S(name, width, s0, s1, x, scc_after)                                                                           \
  static void scalar_##name(const struct scalar_state *in, struct scalar_result *out) {                                \
    LOCALS                                                                                                             \
    const uint64_t d = low_bits((uint64_t)(x), (width) ? (width) : 32);                                                \
    const i128 sd = as_signed(d, width);                                                                               \
    (void)sd, (void)d;                                                                                                 \
    *out = (struct scalar_result){.value = d, .scc = (unsigned)(scc_after)&1, .exec = exec};                           \
  }
#define X(name, width, mask, x)                                                                                        \
  static void scalar_##name(const struct scalar_state *in, struct scalar_result *out) {                                \
    LOCALS                                                                                                             \
    const uint64_t now = low_bits(mask, width);                                                                        \
    *out = (struct scalar_result){.value = low_bits(x, width), .scc = now != 0, .exec = now};                          \
  }
#include "values/scalar.def"
#undef S
#undef X
#define S(name, width, s0, s1, x, scc_after) {#name, width, {s0, s1}, false, scalar_##name},
#define X(name, width, mask, x) {#name, width, {width, 0}, true, scalar_##name},
static const struct scalar_row scalar_rows[] = {
#include "values/scalar.def"
};
#undef S
#undef X

#endif
