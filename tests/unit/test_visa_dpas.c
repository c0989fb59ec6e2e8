/* test_visa_dpas.c - dpas in every pair of precisions and every kind of accumulator, against
 * the matrix product written out. */
#include "visa_fixture.h"

#include "base/floats.h"

enum { U1 = 1, S1, U2, S2, U4, S4, U8, S8, BF, HF, TF32 };
static const char *const names[] = {"", "u1", "s1", "u2", "s2", "u4", "s4", "u8", "s8", "bf", "hf", "tf32"};
static const uint8_t bits_of[] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 16, 16, 32};

/* The buffer: weights at 0, activations at 2048, the accumulator at 2560, the result at 3328 (bytes). */
enum { WEIGHTS = 0, ACTIVATIONS = 512, ACCUMULATOR = 640, RESULT = 832, REPEAT = 3 };

static uint32_t next(uint32_t *seed) { return *seed = *seed * 1664525 + 1013904223; }

static uint32_t element(const uint32_t *from, uint32_t index, uint32_t bits) {
  uint32_t per_dword = 32 / bits, word = from[index / per_dword];
  return bits == 32 ? word : word >> index % per_dword * bits & ((1u << bits) - 1);
}

static int64_t integer_value(const uint32_t *from, uint32_t index, int precision) {
  uint32_t bits = bits_of[precision], v = element(from, index, bits);
  return precision % 2 == 0 && v >> (bits - 1) ? (int64_t)v - (1 << bits) : (int64_t)v;
}

static float float_value(uint32_t v, int precision) {
  if (precision == BF)
    return og_bfloat_to_float((uint16_t)v);
  if (precision == HF)
    return og_half_to_float((uint16_t)v);
  float f;
  memcpy(&f, &v, 4);
  return f;
}

/* Small whole numbers: every sum is exact, whatever the order. */
static uint32_t small_float(uint32_t *seed, int precision) {
  float v = (float)((int)(next(seed) >> 24) % 17 - 8);
  uint32_t bits;
  memcpy(&bits, &v, 4);
  return precision == BF ? bits >> 16 : precision == HF ? og_float_to_half(v, OG_ROUND_NEAREST) : bits;
}

static void fill(uint32_t *to, uint32_t dwords, int precision, uint32_t *seed) {
  for (uint32_t i = 0; i < dwords; i++) {
    if (precision < BF)
      to[i] = next(seed) ^ next(seed) >> 16;
    else if (precision == TF32)
      to[i] = small_float(seed, precision);
    else
      to[i] = small_float(seed, precision) | small_float(seed, precision) << 16;
  }
}

struct product {
  int platform, weights, activations;
  const char *type; /* of the accumulator */
  bool null;        /* no accumulator */
};

static void run_product(struct fixture *f, struct product p) {
  uint32_t channels = p.platform == OG_VISA_PVC ? 16 : 8, seed = 7u + (uint32_t)(p.weights * 16 + p.activations);
  uint32_t wide = bits_of[p.weights] > bits_of[p.activations] ? bits_of[p.weights] : bits_of[p.activations];
  uint32_t operations = wide == 32   ? 1
                        : wide == 16 ? 2
                        : wide == 8  ? 4
                                     : 8,
           size = p.type[0] == 'f' || strchr(p.type, 'd') ? 4 : 2;
  fill(f->out + WEIGHTS, 128, p.weights, &seed);
  fill(f->out + ACTIVATIONS, 128, p.activations, &seed);
  if (p.weights < BF || size == 4)
    fill(f->out + ACCUMULATOR, 64, p.weights < BF ? S8 : TF32, &seed);
  else
    fill(f->out + ACCUMULATOR, 64, p.type[0] == 'b' ? BF : HF, &seed);
  static const char declarations[] =
      ".decl B v_type=G type=d num_elts=128 align=wordx32\n.decl X v_type=G type=d num_elts=128 align=wordx32\n"
      ".decl Q v_type=G type=uq num_elts=8 align=wordx32\n";
  const char *more = og_arena_printf(
      f->arena,
      "%s.decl S v_type=G type=%s num_elts=64 align=wordx32\n.decl R v_type=G type=%s num_elts=64 align=wordx32\n",
      declarations, p.type, p.type);
  struct og_buffer body = {0};
  static const struct {
    const char *name;
    uint32_t at, bytes;
  } loads[] = {{"B", WEIGHTS * 4, 512}, {"X", ACTIVATIONS * 4, 512}, {"S", ACCUMULATOR * 4, 128}};
  for (uint32_t k = 0; k < OG_COUNT(loads); k++)
    for (uint32_t at = 0; at < loads[k].bytes; at += 128)
      og_buffer_printf(
          &body, "    add (M1_NM, 1) Q(0,0)<1> OUT(0,0)<0;1,0> 0x%x:ud\n    svm_block_ld (8) Q(0,0)<0;1,0> %s.%u\n",
          loads[k].at + at, loads[k].name, at);
  og_buffer_printf(&body, "    dpas.%s.%s.8.%d (M1, %u) R.0 %s B.0 X(0,0)\n", names[p.weights], names[p.activations],
                   REPEAT > 2 && channels == 16 ? 2 : REPEAT, channels, p.null ? "%null.0" : "S.0");
  og_buffer_printf(&body,
                   "    add (M1_NM, 1) Q(0,0)<1> OUT(0,0)<0;1,0> 0x%x:ud\n    svm_block_st (8) Q(0,0)<0;1,0> R.0\n",
                   RESULT * 4);
  og_buffer_u8(&body, 0);
  if (!run_kernel(f, (struct setting){.platform = p.platform, .simd = channels}, more, (const char *)body.data))
    fail_msg("%s", message(f));
  og_buffer_free(&body);
  uint32_t rows = channels == 16 ? 2 : REPEAT, per_dword = 32 / (operations * bits_of[p.weights]);
  for (uint32_t r = 0; r < rows; r++)
    for (uint32_t c = 0; c < channels; c++) {
      uint32_t place = r * channels + c;
      const uint32_t *accumulator = f->out + ACCUMULATOR, *result = f->out + RESULT;
      uint32_t start = size == 4 ? accumulator[place] : element(accumulator, place, 16),
               got = size == 4 ? result[place] : element(result, place, 16);
      int64_t sum = p.null ? 0 : (int32_t)start;
      float total = p.null ? 0 : float_value(start, size == 4 ? TF32 : p.type[0] == 'b' ? BF : HF);
      for (uint32_t k = 0; k < 8 * operations; k++) { /* depth 8 */
        uint32_t step = k / operations, dword = step / per_dword * channels + c;
        uint32_t within = step % per_dword * operations + k % operations, activation = r * 8 * operations + k;
        if (p.weights < BF)
          sum += integer_value(f->out + WEIGHTS + dword, within, p.weights) *
                 integer_value(f->out + ACTIVATIONS, activation, p.activations);
        else
          total += float_value(element(f->out + WEIGHTS + dword, within, bits_of[p.weights]), p.weights) *
                   float_value(element(f->out + ACTIVATIONS, activation, bits_of[p.activations]), p.activations);
      }
      uint32_t expected = (uint32_t)sum;
      if (p.weights >= BF && size == 4)
        memcpy(&expected, &total, 4);
      else if (p.weights >= BF)
        expected = p.type[0] == 'b' ? og_float_to_bfloat(total) : og_float_to_half(total, OG_ROUND_NEAREST);
      if (got != expected)
        fail_msg("dpas.%s.%s into %s on %s, row %u, channel %u: 0x%x, expected 0x%x", names[p.weights],
                 names[p.activations], p.type, og_visa_platforms[p.platform].name, r, c, got, expected);
    }
}

static void test_integers_in_every_pair_of_precisions(void **state) {
  for (int weights = U2; weights <= S8; weights++)
    for (int activations = U2; activations <= S8; activations++)
      for (int platform = OG_VISA_DG2; platform <= OG_VISA_PVC; platform++)
        run_product(*state, (struct product){platform, weights, activations, weights % 2 ? "ud" : "d",
                                             (weights + activations) % 5 == 0});
}

static void test_floats_into_every_accumulator(void **state) {
  static const struct product products[] = {
      {OG_VISA_DG2, BF, BF, "f", false}, {OG_VISA_DG2, HF, HF, "f", false},     {OG_VISA_PVC, BF, BF, "f", true},
      {OG_VISA_PVC, HF, HF, "f", false}, {OG_VISA_PVC, BF, BF, "bf", false},    {OG_VISA_PVC, HF, HF, "hf", false},
      {OG_VISA_PVC, HF, HF, "hf", true}, {OG_VISA_PVC, TF32, TF32, "f", false}, {OG_VISA_PVC, TF32, TF32, "f", true},
      {OG_VISA_PVC, BF, BF, "f", false},
  };
  for (size_t i = 0; i < OG_COUNT(products); i++)
    run_product(*state, products[i]);
}

/* Weights are ones, so that a row's result is the sum of its 32 activations. Thread t's register k is full of 1 + t +
   2k: of three registers the even thread gives two and the odd one the last. */
static const char pair_declarations[] =
    COUNTING D("B", "ud", "64") D("X", "ud", "64") D("W", "ud", "8") D("P", "uq", "4");
static const char pair_body[] =
    "    mov (M1_NM, 16) B(0,0)<1> 0x01010101:ud\n    mov (M1_NM, 16) B(2,0)<1> 0x01010101:ud\n"
    "    mov (M1_NM, 16) B(4,0)<1> 0x01010101:ud\n    mov (M1_NM, 16) B(6,0)<1> 0x01010101:ud\n"
    "    mul (M1_NM, 1) W(0,0)<1> %r0(0,5)<0;1,0> 0x01010101:ud\n"
    "    add (M1_NM, 8) X(0,0)<1> W(0,0)<0;1,0> 0x01010101:ud\n    add (M1_NM, 8) X(1,0)<1> W(0,0)<0;1,0> "
    "0x03030303:ud\n"
    "    dpasw.s8.s8.8.3 (M1, 8) R.0 %null.0 B.0 X(0,0)\n"
    "    mul (M1_NM, 1) W(0,0)<1> %r0(0,5)<0;1,0> 0x80:ud\n    mov (M1_NM, 1) P(0,0)<1> W(0,0)<0;1,0>\n"
    "    add (M1_NM, 1) P(0,0)<1> P(0,0)<0;1,0> OUT(0,0)<0;1,0>\n    svm_block_st (8) P(0,0)<0;1,0> R.0\n";

static void test_pairs_of_threads_share_activations(void **state) {
  uint32_t expected[64] = {0};
  for (uint32_t i = 0; i < 56; i++)
    expected[i] = (uint32_t[]){32, 96, 64, 0}[i / 8 % 4];
  for (uint64_t seed = 0; seed < 4; seed++) /* whoever comes first */
    check(*state, (struct setting){.platform = OG_VISA_DG2, .simd = 8, .grid = 32, .group = 16, .seed = seed},
          pair_declarations, pair_body, expected, 56);
}

static void test_a_pair_of_threads_must_be_whole(void **state) {
  check_fault(*state, (struct setting){.platform = OG_VISA_DG2, .simd = 8, .grid = 24, .group = 24}, pair_declarations,
              pair_body, "dpasw needs an even number of threads in the work-group, there are 3");
  check_fault(*state, (struct setting){.platform = OG_VISA_DG2, .simd = 8, .grid = 16, .group = 16},
              COUNTING ".decl P1 v_type=P num_elts=8\n" D("B", "ud", "64") D("X", "ud", "64"),
              "    cmp.eq (M1_NM, 1) P1 %r0(0,5)<0;1,0> 0x0:ud\n    (P1) jmp (M1, 1) over\n"
              "    dpasw.s8.s8.8.3 (M1, 8) R.0 %null.0 B.0 X(0,0)\nover:\n",
              "waits for the other thread of its pair");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_integers_in_every_pair_of_precisions), TEST(test_floats_into_every_accumulator),
      TEST(test_pairs_of_threads_share_activations), TEST(test_a_pair_of_threads_must_be_whole)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
