/* test_visa_special.c - instructions that look across channels, convert to small floats, or send rarer messages. */
#include "visa_fixture.h"

static const struct setting tgllp8 = {.platform = OG_VISA_TGLLP, .simd = 8},
                            pvc16 = {.platform = OG_VISA_PVC, .simd = 16};

#define REAL ".decl RF v_type=G type=f num_elts=32 align=wordx32 alias=<R, 0>\n" D("F", "f", "32")

static void test_sums_of_absolute_differences(void **state) {
  /* bytes 0..7 against 5: |0-5|+|1-5|, |2-5|+|3-5|, ... and 100 more */
  static const uint32_t sums[4] = {9, 5, 1, 3}, more[4] = {109, 105, 101, 103};
  static const char declarations[] = COUNTING D("U", "ub", "32") D("H", "w", "16") D("T", "w", "16");
  static const char load[] = COUNT "    mov (M1_NM, 8) U(0,0)<1> L(0,0)<1;1,0>\n    mov (M1_NM, 8) T(0,0)<1> 0x64:w\n  "
                                   "  mov (M1_NM, 8) H(0,0)<1> 0x0:w\n";
  static const char result[] = "    mov (M1_NM, 4) R(0,0)<1> H(0,0)<2;1,0>\n" STORE;
  struct fixture *f = *state;
  check(f, skl8, declarations,
        og_arena_printf(f->arena, "%s    sad2 (M1, 8) H(0,0)<1> U(0,0)<1;1,0> 0x5:ub\n%s", load, result), sums, 4);
  check(
      f, skl8, declarations,
      og_arena_printf(f->arena, "%s    sad2add (M1, 8) H(0,0)<1> U(0,0)<1;1,0> 0x5:ub T(0,0)<1;1,0>\n%s", load, result),
      more, 4);
}

static void test_lines_and_planes(void **state) {
  static const float line[8] = {7, 9, 11, 13, 15, 17, 19, 21}, plane[8] = {31, 36, 41, 46, 51, 56, 61, 66},
                     lrp[8] = {8, 7.5f, 7, 6.5f, 6, 5.5f, 5, 4.5f};
  /* F holds 2 3 5 7 ..., AU's float shadow X holds 0 1 2 ... 15 */
  static const char load[] =
      COUNT "    mov (M1_NM, 1) F(0,0)<1> 0x40000000:f\n    mov (M1_NM, 1) F(0,1)<1> 0x40400000:f\n"
            "    mov (M1_NM, 1) F(0,2)<1> 0x40a00000:f\n    mov (M1_NM, 1) F(0,3)<1> 0x40e00000:f\n    mov (M1_NM, 16) "
            "X(0,0)<1> A(0,0)<1;1,0>\n";
  struct fixture *f = *state;
  uint32_t expected[8];
  memcpy(expected, line, sizeof expected);
  check(f, skl8, COUNTING REAL D("X", "f", "32"),
        og_arena_printf(f->arena, "%s    line (M1, 8) RF(0,0)<1> F(0,0)<0;1,0> X(0,0)<1;1,0>\n" STORE, load), expected,
        8);
  memcpy(expected, plane, sizeof expected);
  check(f, skl8, COUNTING REAL D("X", "f", "32"),
        og_arena_printf(f->arena, "%s    plane (M1, 8) RF(0,0)<1> F(0,0)<0;1,0> X(0,0)<1;1,0>\n" STORE, load), expected,
        8);
  memcpy(expected, lrp, sizeof expected);
  check(f, skl8, COUNTING REAL D("X", "f", "32"),
        og_arena_printf(
            f->arena,
            "%s    mul (M1, 8) X(0,0)<1> X(0,0)<1;1,0> 0x3dcccccd:f\n    mov (M1, 8) RF(1,0)<1> 0x40400000:f\n"
            "    mov (M1, 8) X(0,0)<1> A(0,0)<1;1,0>\n    mul (M1, 8) X(0,0)<1> X(0,0)<1;1,0> 0x3e000000:f\n"
            "    lrp (M1, 8) RF(0,0)<1> X(0,0)<1;1,0> 0x40800000:f 0x41000000:f\n" STORE,
            load),
        expected, 8);
}

static void test_small_floats(void **state) {
  /* 1.0, 1.125 (a tie: to even), 65504 and 3.0 as halves; bf8 0x3c is 1.0 */
  static const uint32_t to_bf8[1] = {0x427c3c3c}, to_half[2] = {0x3c003d00, 0x7b004000},
                        to_tf32[2] = {0x3f800000, 0x3f802000};
  static const char declarations[] = COUNTING D("H", "hf", "32") D("U", "ub", "32")
      REAL D("X", "ud", "16") ".decl UW v_type=G type=ud num_elts=1 alias=<U, 0>\n";
  static const char halves[] = COUNT "    mov (M1_NM, 1) H(0,0)<1> 0x3c00:hf\n    mov (M1_NM, 1) H(0,1)<1> 0x3c80:hf\n "
                                     "   mov (M1_NM, 1) H(0,2)<1> 0x7bff:hf\n"
                                     "    mov (M1_NM, 1) H(0,3)<1> 0x4200:hf\n";
  struct fixture *f = *state;
  check(f, pvc16, declarations,
        og_arena_printf(f->arena,
                        "%s    fcvt (M1_NM, 4) U(0,0)<1> H(0,0)<1;1,0>\n    svm_block_st (4) OUT(0,0)<0;1,0> U.0\n",
                        halves),
        to_bf8, 1);
  check(f, pvc16, declarations,
        COUNT "    mov (M1_NM, 1) UW(0,0)<1> 0x7b403c3d:ud\n    fcvt (M1_NM, 4) H(0,0)<1> U(0,0)<1;1,0>\n    "
              "svm_block_st (4) OUT(0,0)<0;1,0> H.0\n",
        to_half, 1);
  check(f, pvc16, declarations,
        COUNT "    mov (M1_NM, 1) F(0,0)<1> 0x3f800fff:f\n    mov (M1_NM, 1) F(0,1)<1> 0x3f801001:f\n    fcvt (M1_NM, "
              "2) X(0,0)<1> F(0,0)<1;1,0>\n"
              "    svm_block_st (4) OUT(0,0)<0;1,0> X.0\n",
        to_tf32, 2);
}

static void test_stochastic_rounding_adds_the_noise_and_cuts(void **state) {
  static const uint32_t halves[2] = {0x3c013c00, 0x3c013c00};
  static const char declarations[] = COUNTING D("H", "hf", "32") REAL D("N", "uw", "32");
  /* 1 + half an ulp: up with noise of a half or more */
  check(*state, pvc16, declarations,
        COUNT "    mov (M1_NM, 4) F(0,0)<1> 0x3f801000:f\n    mov (M1_NM, 4) N(0,0)<1> 0xfff:uw\n    mov (M1_NM, 2) "
              "N(0,1)<2> 0x1000:uw\n"
              "    srnd (M1_NM, 4) H(0,0)<1> F(0,0)<1;1,0> N(0,0)<1;1,0>\n    svm_block_st (4) OUT(0,0)<0;1,0> H.0\n",
        halves, 2);
}

static void test_older_gathers_count_elements(void **state) {
  /* words 3 and 5 after a global offset of 2; a scatter of bytes to 64.. */
  static const uint32_t expected[8] = {5, 7, 9, 11, 13, 15, 17, 19};
  struct fixture *f = *state;
  static const char declarations[] = COUNTING D("O", "ud", "16") ".decl T6 v_type=T num_elts=1\n";
  for (uint32_t i = 0; i < 32; i++)
    ((uint16_t *)f->out)[i] = (uint16_t)i;
  check(f, skl8, declarations,
        COUNT "    movs (M1_NM, 1) T6(0) 0x0:ud\n    shl (M1_NM, 8) O(0,0)<1> A(0,0)<1;1,0> 0x1:d\n    add (M1_NM, 8) "
              "O(0,0)<1> O(0,0)<1;1,0> 0x3:ud\n"
              "    gather.2 (M1, 8) T6 0x2:ud O.0 R.0\n" STORE,
        expected, 8);
  static const uint32_t bytes[3] = {0x06040200, 0x0e0c0a08, 0};
  memset(f->out, 0, sizeof f->out);
  check(f, skl8, declarations,
        COUNT "    movs (M1_NM, 1) T6(0) 0x0:ud\n    mov (M1_NM, 8) O(0,0)<1> A(0,0)<1;1,0>\n    shl (M1_NM, 8) "
              "R(0,0)<1> A(0,0)<1;1,0> 0x1:d\n"
              "    scatter.1 (M1, 8) T6 0x0:ud O.0 R.0\n",
        bytes, 3);
}

static void test_quadword_gathers(void **state) {
  struct fixture *f = *state;
  static const uint32_t expected[4] = {6, 7, 4, 5};
  for (uint32_t i = 0; i < 8; i++)
    f->out[i] = i;
  check(f, pvc16, COUNTING D("O", "ud", "16") D("Q", "q", "8") ".decl T6 v_type=T num_elts=1\n",
        COUNT
        "    movs (M1_NM, 1) T6(0) 0x0:ud\n    mov (M1_NM, 1) O(0,0)<1> 0x18:ud\n    mov (M1_NM, 1) O(0,1)<1> 0x10:ud\n"
        "    qw_gather.1 (M1, 2) T6 O.0 Q.0\n    svm_block_st (1) OUT(0,0)<0;1,0> Q.0\n",
        expected, 4);
}

static void test_strided_messages_step_by_a_pitch(void **state) {
  struct fixture *f = *state;
  static const uint32_t expected[16] = {1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 34, 37, 40, 43, 46};
  for (uint32_t i = 0; i < 64; i++)
    f->out[i] = i;
  check(f, pvc16, COUNTING D("Q", "uq", "1"),
        COUNT "    add (M1_NM, 1) Q(0,0)<1> OUT(0,0)<0;1,0> 0x4:ud\n    lsc_load_strided.ugm (M1, 16) R:d32 "
              "flat[Q,0xc]:a64\n" STORE,
        expected, 16);
}

/* A 4 x 2 image of rgba8 in bytes 0..31: texel n is n, 2n, 3n, 255. */
static struct og_visa_argument make_image(struct fixture *f) {
  uint8_t *bytes = og_arena_alloc(f->arena, 4096);
  for (uint32_t n = 0; n < 8; n++)
    memcpy(bytes + 4 * n, (uint8_t[]){(uint8_t)n, (uint8_t)(2 * n), (uint8_t)(3 * n), 255}, 4);
  struct og_visa_argument argument = {.kind = OG_VISA_ARGUMENT_IMAGE, .buffer = bytes, .size = 32};
  assert_true(og_visa_image_parse("rgba8ui:4x2", 11, &argument.image));
  argument.image.base = bytes;
  return argument;
}

#define IMAGE                                                                                                          \
  COUNTING D("X", "ud", "16") D("Y", "ud", "16")                                                                       \
      D("V", "ud", "64") ".decl T6 v_type=T num_elts=1\n.decl S1 v_type=S num_elts=1\n"

static void test_typed_messages_reach_texels(void **state) {
  struct fixture *f = *state;
  struct og_visa_argument image = make_image(f);
  struct setting s = skl8;
  s.more = &image;
  /* x = 0..7, y = 1: texels 4..7, then outside: 0 and alpha 1 */
  static const uint32_t expected[16] = {8, 10, 12, 14, 0, 0, 0, 0, 255, 255, 255, 255, 1, 1, 1, 1};
  check(f, s, IMAGE,
        COUNT "    movs (M1_NM, 1) T6(0) 0x1:ud\n    mov (M1_NM, 8) X(0,0)<1> A(0,0)<1;1,0>\n    mov (M1_NM, 8) "
              "Y(0,0)<1> 0x1:ud\n"
              "    gather4_typed.GA (M1, 8) T6 X.0 Y.0 %null.0 %null.0 R.0\n    svm_block_st (4) OUT(0,0)<0;1,0> R.0\n",
        expected, 16);
  check(f, s, IMAGE,
        COUNT "    movs (M1_NM, 1) T6(0) 0x1:ud\n    mov (M1_NM, 8) X(0,0)<1> A(0,0)<1;1,0>\n    mov (M1_NM, 8) "
              "Y(0,0)<1> 0x0:ud\n"
              "    mov (M1_NM, 8) V(0,0)<1> 0x3e8:ud\n    scatter4_typed.R (M1, 8) T6 X.0 Y.0 %null.0 %null.0 V.0\n",
        expected, 0);
  static const uint8_t written[] = {255, 0, 0, 0, 255, 0, 0, 0, 255};
  assert_memory_equal(image.buffer, written, sizeof written);
  check_fault(f, s, IMAGE,
              COUNT "    movs (M1_NM, 1) T6(0) 0x0:ud\n    gather4_typed.R (M1, 8) T6 X.0 Y.0 %null.0 %null.0 R.0\n",
              "surface 0 is not bound to an image");
}

static void test_lsc_typed_messages(void **state) {
  struct fixture *f = *state;
  struct og_visa_argument image = make_image(f);
  struct setting s = {.platform = OG_VISA_DG2, .simd = 8, .more = &image};
  static const uint32_t expected[8] = {12, 15, 18, 21, 0, 0, 0, 0};
  check(f, s, IMAGE,
        COUNT "    mov (M1_NM, 8) X(0,0)<1> A(0,0)<1;1,0>\n    mov (M1_NM, 8) Y(0,0)<1> 0x1:ud\n"
              "    lsc_load_quad.tgm (M1, 8) R:d32.z bti(0x1)[X,Y]:a32\n" STORE,
        expected, 8);
}

static void test_typed_atomics(void **state) {
  struct fixture *f = *state;
  uint32_t words[4] = {10, 20, 30, 40};
  struct og_visa_argument image = {.kind = OG_VISA_ARGUMENT_IMAGE, .buffer = words, .size = sizeof words};
  assert_true(og_visa_image_parse("r32ui:4", 7, &image.image));
  image.image.base = (uint8_t *)words;
  struct setting s = skl8;
  s.more = &image;
  static const uint32_t expected[8] = {20, 27, 34, 41, 48, 55, 62, 69};
  check(f, s, IMAGE,
        COUNT
        "    movs (M1_NM, 1) T6(0) 0x1:ud\n    mov (M1_NM, 8) X(0,0)<1> 0x1:ud\n    mov (M1_NM, 8) V(0,0)<1> 0x7:ud\n"
        "    typed_atomic.add (M1, 8) T6 X.0 %null.0 %null.0 %null.0 V.0 %null.0 R.0\n" STORE,
        expected, 8);
  assert_int_equal(words[1], 20 + 8 * 7);
}

static void test_media_blocks_are_bytes(void **state) {
  struct fixture *f = *state;
  struct og_visa_argument image = make_image(f);
  struct setting s = skl8;
  s.more = &image;
  static const uint32_t rows[2] = {0xff030201, 0xff0f0a05};
  check(f, s, IMAGE, COUNT "    movs (M1_NM, 1) T6(0) 0x1:ud\n    media_ld.nomod (4,2) T6 0 0x4:ud 0x0:ud R.0\n" STORE,
        rows, 2);
  check(f, s, IMAGE,
        COUNT "    movs (M1_NM, 1) T6(0) 0x1:ud\n    mov (M1_NM, 8) R(0,0)<1> 0x11223344:d\n    media_st.nomod (3,1) "
              "T6 0 0x1:ud 0x1:ud R.0\n",
        rows, 0);
  assert_memory_equal((uint8_t *)image.buffer + 16, ((uint8_t[]){4, 0x44, 0x33, 0x22, 5}), 5);
}

static void test_the_sampler_loads_texels(void **state) {
  struct fixture *f = *state;
  struct og_visa_argument image = make_image(f);
  struct setting s = skl8;
  s.more = &image;
  static const uint32_t expected[16] = {4, 5, 6, 7, 0, 0, 0, 0, 12, 15, 18, 21, 0, 0, 0, 0};
  check(f, s, IMAGE,
        COUNT "    movs (M1_NM, 1) T6(0) 0x1:ud\n    mov (M1_NM, 8) X(0,0)<1> A(0,0)<1;1,0>\n    mov (M1_NM, 8) "
              "Y(0,0)<1> 0x1:ud\n"
              "    load_lz.RB (M1, 8) 0x0:uw T6 V.0 X.0 Y.0\n    svm_block_st (4) OUT(0,0)<0;1,0> V.0\n",
        expected, 16);
  static const uint32_t moved[8] = {5, 6, 7, 0, 0, 0, 0, 0}; /* u + 1 */
  check(f, s, IMAGE,
        COUNT "    movs (M1_NM, 1) T6(0) 0x1:ud\n    mov (M1_NM, 8) X(0,0)<1> A(0,0)<1;1,0>\n    mov (M1_NM, 8) "
              "Y(0,0)<1> 0x1:ud\n"
              "    load_lz.R (M1, 8) 0x100:uw T6 V.0 X.0 Y.0\n    svm_block_st (2) OUT(0,0)<0;1,0> V.0\n",
        moved, 8);
}

static void test_samplers(void **state) {
  (void)state;
  float texels[4] = {0, 1, 2, 4}, at[3] = {0};
  struct og_visa_image image;
  assert_true(og_visa_image_parse("r32f:4", 6, &image));
  image.base = (uint8_t *)texels;
  static const struct {
    const char *sampler;
    float at, expected;
  } cases[] = {
      {"nearest,edge", 1.5f, 1},
      {"nearest,edge", -3, 0},
      {"nearest,edge", 9, 4},
      {"nearest,border", -0.5f, 0},
      {"nearest,border", 4, 0},
      {"linear,edge", 1.5f, 1},
      {"linear,edge", 2, 1.5f},
      {"linear,edge", 3.75f, 4},
      {"linear,border", 4, 2},
      {"nearest,repeat,normalized", 1.3f, 1},
      {"nearest,mirror,normalized", 1.3f, 2},
      {"linear,repeat,normalized", 1, 2},
      {"nearest,edge,normalized", 0.9f, 4},
  };
  static const int32_t none[3];
  for (size_t i = 0; i < OG_COUNT(cases); i++) {
    struct og_visa_sampler sampler;
    uint32_t values[4];
    float got;
    assert_true(og_visa_sampler_parse(cases[i].sampler, &sampler));
    at[0] = cases[i].at;
    og_visa_image_sample(&image, &sampler, at, none, NULL, values);
    memcpy(&got, values, 4);
    if (got != cases[i].expected)
      fail_msg("%s at %g gives %g, expected %g", cases[i].sampler, (double)cases[i].at, (double)got,
               (double)cases[i].expected);
  }
}

/* A 4 x 2 image of r32f whose texel (x, y) is 4y + x, and a sampler; F holds 0 1 2 ... 7, W 1, Q 2.5. */
struct pictures {
  float texels[8];
  struct og_visa_argument arguments[2];
  struct setting setting;
};
static void make_pictures(struct pictures *p, const char *sampler) {
  *p = (struct pictures){.arguments = {{.kind = OG_VISA_ARGUMENT_IMAGE, .buffer = p->texels, .size = 32},
                                       {.kind = OG_VISA_ARGUMENT_SAMPLER}},
                         .setting = {.platform = OG_VISA_SKL, .simd = 8, .more = p->arguments, .more_count = 2}};
  for (int n = 0; n < 8; n++)
    p->texels[n] = (float)n;
  assert_true(og_visa_image_parse("r32f:4x2", 8, &p->arguments[0].image));
  p->arguments[0].image.base = (uint8_t *)p->texels;
  assert_true(og_visa_sampler_parse(sampler, &p->arguments[1].sampler));
}
#define PICTURES IMAGE REAL D("W", "f", "16") D("Q", "f", "16") D("VF", "f", "64")
#define PICTURE                                                                                                        \
  COUNT "    movs (M1_NM, 1) T6(0) 0x1:ud\n    movs (M1_NM, 1) S1(0) 0x0:ud\n"                                         \
        "    mov (M1_NM, 8) F(0,0)<1> A(0,0)<1;1,0>\n    mov (M1_NM, 8) W(0,0)<1> 0x3f800000:f\n"                      \
        "    mov (M1_NM, 8) Q(0,0)<1> 0x40200000:f\n"
#define TEXELS "    svm_block_st (8) OUT(0,0)<0;1,0> VF.0\n"

static void check_floats(struct fixture *f, struct setting s, const char *body, const float *expected, uint32_t count) {
  uint32_t bits[32];
  memcpy(bits, expected, sizeof(float) * count);
  check(f, s, PICTURES, og_arena_printf(f->arena, PICTURE "%s" TEXELS, body), bits, count);
}

static void test_four_texels_are_gathered_from_below_left(void **state) {
  struct pictures p;
  make_pictures(&p, "linear,edge");
  /* u = i, v = 1: columns i - 1 and i, rows 0 and 1, inside 0..3 */
  static const float gathered[32] = {4, 4, 5, 6, 7, 7, 7, 7, 4, 5, 6, 7, 7, 7, 7, 7,
                                     0, 1, 2, 3, 3, 3, 3, 3, 0, 0, 1, 2, 3, 3, 3, 3};
  check_floats(*state, p.setting, "    sample4.R (M1, 8) 0x0:uw S1 T6 VF.0 F.0 W.0\n", gathered, 32);
  static const float moved[8] = {4, 5, 6, 7, 7, 7, 7, 7}; /* one to the right, by the message or by each channel */
  check_floats(*state, p.setting, "    sample4.R (M1, 8) 0x100:uw S1 T6 VF.0 F.0 W.0\n", moved, 8);
  check_floats(*state, p.setting,
               "    mov (M1_NM, 8) X(0,0)<1> 0x1:ud\n    mov (M1_NM, 8) Y(0,0)<1> 0x0:ud\n"
               "    sample4_po.R (M1, 8) 0x0:uw S1 T6 VF.0 F.0 W.0 X.0 Y.0\n",
               moved, 8);
  static const float green[32] = {0}; /* which r32f has not */
  check_floats(*state, p.setting, "    sample4.G (M1, 8) 0x0:uw S1 T6 VF.0 F.0 W.0\n", green, 32);
}

static void test_samples_compare_their_reference_with_texels(void **state) {
  struct pictures p;
  make_pictures(&p, "linear,edge,less");
  static const float gathered[32] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                     0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 1};
  check_floats(*state, p.setting, "    sample4_c.R (M1, 8) 0x0:uw S1 T6 VF.0 Q.0 F.0 W.0\n", gathered, 32);
  check_floats(*state, p.setting,
               "    mov (M1_NM, 8) X(0,0)<1> 0x0:ud\n"
               "    sample4_po_c.R (M1, 8) 0x0:uw S1 T6 VF.0 Q.0 F.0 W.0 X.0 X.0\n",
               gathered, 32);
  /* half way between two columns and two rows: the part of four that is more than 2.5 */
  static const float part[32] = {0.5f, 0.5f, 0.5f, 0.75f, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0,
                                 0,    0,    0,    0,     0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
  static const char *const forms[] = {"sample_c% Q.0 F.0 W.0", "sample_c_lz% Q.0 F.0 W.0",
                                      "sample_b_c% Q.0 W.0 F.0 W.0", "sample_l_c% Q.0 W.0 F.0 W.0",
                                      "sample_d_c% Q.0 F.0 Q.0 Q.0 W.0 Q.0 Q.0"};
  struct fixture *f = *state;
  for (size_t i = 0; i < OG_COUNT(forms); i++) {
    const char *space = strchr(forms[i], '%');
    check_floats(f, p.setting,
                 og_arena_printf(f->arena, "    %.*s.RGBA (M1, 8) 0x0:uw S1 T6 VF.0%s\n", (int)(space - forms[i]),
                                 forms[i], space + 1),
                 part, 32);
  }
  make_pictures(&p, "linear,edge");
  check_fault(f, p.setting, PICTURES, PICTURE "    sample_c.R (M1, 8) 0x0:uw S1 T6 VF.0 Q.0 F.0 W.0\n",
              "sampler 0 has no comparison");
}

static void test_every_relation_compares(void **state) {
  (void)state;
  static const struct {
    const char *word;
    bool below, at, above; /* where the texel stands to the reference */
  } cases[] = {{"never", 0, 0, 0},   {"less", 0, 0, 1},     {"equal", 0, 1, 0},  {"lequal", 0, 1, 1},
               {"greater", 1, 0, 0}, {"notequal", 1, 0, 1}, {"gequal", 1, 1, 0}, {"always", 1, 1, 1}};
  float texels[3] = {1, 2, 3}, reference = 2;
  struct og_visa_image image;
  assert_true(og_visa_image_parse("r32f:3", 6, &image));
  image.base = (uint8_t *)texels;
  static const int32_t none[3];
  for (size_t i = 0; i < OG_COUNT(cases); i++) {
    struct og_visa_sampler sampler;
    const bool expected[3] = {cases[i].below, cases[i].at, cases[i].above};
    assert_true(og_visa_sampler_parse(cases[i].word, &sampler));
    for (int x = 0; x < 3; x++) {
      uint32_t values[4];
      float at[3] = {(float)x + 0.5f};
      og_visa_image_sample(&image, &sampler, at, none, &reference, values);
      assert_int_equal(values[0], expected[x] ? 0x3f800000 : 0);
    }
  }
}

static void test_other_samples_take_their_coordinates(void **state) {
  struct pictures p;
  struct fixture *f = *state;
  make_pictures(&p, "nearest,edge");
  static const float texels[8] = {4, 5, 6, 7, 7, 7, 7, 7}; /* u = i, v = 1 */
  static const char *const forms[] = {"sample_3d% F.0 W.0", "sample_b% Q.0 F.0 W.0", "sample_l% Q.0 F.0 W.0",
                                      "sample_d% F.0 Q.0 Q.0 W.0 Q.0 Q.0", "sample_lz% F.0 W.0"};
  for (size_t i = 0; i < OG_COUNT(forms); i++) {
    const char *space = strchr(forms[i], '%');
    check_floats(f, p.setting,
                 og_arena_printf(f->arena, "    %.*s.R (M1, 8) 0x0:uw S1 T6 VF.0%s\n", (int)(space - forms[i]),
                                 forms[i], space + 1),
                 texels, 8);
  }
  /* a register after the data has a bit for each pixel */
  uint32_t mask[9] = {0};
  memcpy(mask, texels, sizeof texels);
  mask[8] = 0xff;
  check(f, p.setting, PICTURES, PICTURE "    sample_lz.pixel_null_mask.R (M1, 8) 0x0:uw S1 T6 VF.0 F.0 W.0\n" TEXELS,
        mask, 9);
}

static void test_the_level_follows_from_neighbours(void **state) {
  struct pictures p;
  make_pictures(&p, "linear,edge,normalized");
  /* u steps by 2 in a picture of 4: 8 texels along x, 16 along y (the third channel of four): 2 to the 4th */
  static const float levels[16] = {0, 0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4, 4, 4, 4, 4};
  check_floats(
      *state, p.setting,
      "    mul (M1_NM, 8) F(0,0)<1> F(0,0)<1;1,0> 0x40000000:f\n    lod.RG (M1, 8) 0x0:uw S1 T6 VF.0 F.0 W.0\n", levels,
      16);
}

static void test_rarer_loads(void **state) {
  struct pictures p;
  make_pictures(&p, "nearest,edge");
  static const char load[] =
      "    mov (M1_NM, 8) X(0,0)<1> A(0,0)<1;1,0>\n    mov (M1_NM, 8) Y(0,0)<1> 0x1:ud\n"
      "    mov (M1_NM, 8) V(0,0)<1> 0x0:ud\n    mov (M1_NM, 1) V(0,1)<1> 0x1:ud\n    mov (M1_NM, 8) "
      "VF(0,0)<1> 0x3f800000:f\n";
  struct fixture *f = *state;
  static const float sample[8] = {4, 0, 6, 7, 0, 0, 0, 0}, zeros[8] = {0}; /* pixel 1 asks for a second sample */
  check_floats(f, p.setting,
               og_arena_printf(f->arena, "%s    load_2dms_w.R (M1, 8) 0x0:uw T6 VF.0 V.0 V.0 V.0 X.0 Y.0\n", load),
               sample, 8);
  check_floats(f, p.setting, og_arena_printf(f->arena, "%s    load_mcs.R (M1, 8) 0x0:uw T6 VF.0 X.0 Y.0\n", load),
               zeros, 8);
  static const float texels[8] = {4, 5, 6, 7, 0, 0, 0, 0};
  check_floats(f, p.setting, og_arena_printf(f->arena, "%s    load_3d.R (M1, 8) 0x0:uw T6 VF.0 X.0 Y.0\n", load),
               texels, 8);
}

static void test_surfaces_tell_their_sizes(void **state) {
  struct pictures p;
  make_pictures(&p, "nearest,edge");
  static const uint32_t sizes[32] = {4, 4, 4, 4, 4, 4, 4, 4, 2, 2, 2, 2, 2, 2, 2, 2,
                                     0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1};
  check(*state, p.setting, PICTURES,
        PICTURE "    mov (M1_NM, 8) X(0,0)<1> 0x0:ud\n    resinfo.RGBA (M1, 8) T6 X.0 V.0\n"
                "    svm_block_st (8) OUT(0,0)<0;1,0> V.0\n",
        sizes, 32);
  static const uint32_t one[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  check(*state, p.setting, PICTURES,
        PICTURE "    sampleinfo.R (M1, 8) T6 V.0\n    svm_block_st (8) OUT(0,0)<0;1,0> V.0\n", one, 8);
}

static void test_formats_keep_what_fits(void **state) {
  (void)state;
  static const struct {
    const char *format;
    float given[4], expected[4];
  } cases[] = {{"rgba8:1", {1.5f, -1, 0.5f, 1}, {1, 0, 128 / 255.f, 1}},
               {"r16f:1", {0.5f, 9, 9, 9}, {0.5f, 0, 0, 1}},
               {"rgba8snorm:1", {-2, 1, 0, 0.5f}, {-1, 1, 0, 64 / 127.f}},
               {"rg32f:1", {3, 4, 5, 6}, {3, 4, 0, 1}},
               {"rgba16:1", {1, 0, 2, 1}, {1, 0, 1, 1}},
               {"bgra8:1", {1, 0, 0.2f, 0.4f}, {1, 0, 51 / 255.f, 102 / 255.f}},
               {"argb8:1", {1, 0, 0.2f, 0.4f}, {1, 0, 51 / 255.f, 102 / 255.f}},
               {"abgr8:1", {1, 0, 0.2f, 0.4f}, {1, 0, 51 / 255.f, 102 / 255.f}},
               {"rg16f:1", {0.5f, 2, 9, 9}, {0.5f, 2, 0, 1}},
               {"rg16snorm:1", {-2, 1, 9, 9}, {-1, 1, 0, 1}},
               {"a8:1", {0.5f, 0.5f, 0.5f, 1}, {0, 0, 0, 1}},
               {"ra16f:1", {0.5f, 9, 9, 2}, {0.5f, 0, 0, 2}},
               {"l32f:1", {3, 9, 9, 9}, {3, 3, 3, 1}},
               {"i32f:1", {3, 9, 9, 9}, {3, 3, 3, 3}},
               {"depth16:1", {1, 9, 9, 9}, {1, 0, 0, 1}},
               {"srgba8:1", {1, 0, 1, 0.2f}, {1, 0, 1, 51 / 255.f}}};
  for (size_t i = 0; i < OG_COUNT(cases); i++) {
    struct og_visa_image image;
    uint8_t texel[16];
    uint32_t values[4];
    float got[4];
    assert_true(og_visa_image_parse(cases[i].format, strlen(cases[i].format), &image));
    memcpy(values, cases[i].given, sizeof values);
    og_visa_image_store(&image, texel, values);
    og_visa_image_load(&image, texel, values);
    memcpy(got, values, sizeof got);
    for (int c = 0; c < 4; c++)
      if (got[c] != cases[i].expected[c])
        fail_msg("%s, channel %d: %g, expected %g", cases[i].format, c, (double)got[c], (double)cases[i].expected[c]);
  }
  struct og_visa_image image;
  static const char *const wrong[] = {
      "",         "rgba8",    "rgba8:",  "rgba9:4",       "bgra16:4", "srgba16:4", "l8i:4",
      "depth8:4", "rgba8:4x", "rgba8:0", "rgba8:4x4x4x4", "rgba8:4a", "rgba8:4 ",  "rgba32f:65536x65536"};
  for (size_t i = 0; i < OG_COUNT(wrong); i++)
    assert_false(og_visa_image_parse(wrong[i], strlen(wrong[i]), &image));
  static const char *const orders[] = {"r", "rg", "rgba"},
                           *const types[] = {"8",  "8snorm",  "8i",  "8ui",  "16",  "16snorm",
                                             "16i", "16ui", "16f", "32i", "32ui", "32f"};
  for (size_t i = 0; i < OG_COUNT(orders) * OG_COUNT(types); i++) {
    char text[32];
    int size = snprintf(text, sizeof text, "%s%s:2", orders[i / OG_COUNT(types)], types[i % OG_COUNT(types)]);
    assert_true(og_visa_image_parse(text, (size_t)size, &image));
  }
  static const uint32_t colours[4] = {1, 2, 3, 4};
  uint8_t bytes[8];
  assert_true(og_visa_image_parse("bgra8ui:1", 9, &image));
  og_visa_image_store(&image, bytes, colours);
  assert_memory_equal(bytes, "\3\2\1\4", 4);
  assert_true(og_visa_image_parse("argb8ui:1", 9, &image));
  og_visa_image_store(&image, bytes, colours);
  assert_memory_equal(bytes, "\4\1\2\3", 4);
  assert_true(og_visa_image_parse("srgba8:1", 8, &image));
  memcpy(bytes, "\x80\x80\x80\x80", 4);
  uint32_t linear[4];
  og_visa_image_load(&image, bytes, linear);
  float grey;
  memcpy(&grey, &linear[0], sizeof grey);
  assert_true(grey > 0.2158f && grey < 0.2160f);
  assert_true(og_visa_image_parse("r8:4x4a3", 8, &image));
  assert_true(image.array && image.depth == 3 && image.dimensions == 2);
}

static void test_misaligned_atomics_are_faults(void **state) {
  check_fault(*state, skl8, COUNTING D("O", "ud", "8") ".decl T6 v_type=T num_elts=1\n",
              COUNT "    movs (M1_NM, 1) T6(0) 0x0:ud\n    mov (M1_NM, 8) O(0,0)<1> 0x2:ud\n    dword_atomic.inc (M1, "
                    "8) T6 O.0 %null.0 %null.0 R.0\n",
              "is not aligned");
}

#define RAW COUNTING D("O", "ud", "64") D("V", "ud", "64") D("Q", "uq", "32")
/* Descriptors by hand: type << 14, SIMD8 2 << 12 (atomics 1 << 12), absent channels << 8, binding table entry 0. */
static void test_raw_messages_to_the_data_cache(void **state) {
  struct fixture *f = *state;
  for (uint32_t i = 0; i < 64; i++)
    f->out[i] = 100 + i;
  static const uint32_t read[8] = {107, 106, 105, 104, 103, 102, 101, 100};
#define BACKWARDS                                                                                                      \
  COUNT "    shl (M1_NM, 8) O(0,0)<1> A(0,0)<1;1,0> 0x2:d\n    xor (M1_NM, 8) O(0,0)<1> O(0,0)<1;1,0> 0x1c:ud\n"
#define WIDE                                                                                                           \
  BACKWARDS "    mov (M1_NM, 8) Q(0,0)<1> O(0,0)<1;1,0>\n    add (M1_NM, 8) Q(0,0)<1> Q(0,0)<1;1,0> OUT(0,0)<0;1,0>\n"
  check(f, skl8, RAW,
        BACKWARDS "    raw_send (M1, 8) 0xc 1 1 0x2106e00:ud O.0 R.0\n    svm_block_st (2) OUT(0,0)<0;1,0> R.0\n", read,
        8);
  for (uint32_t i = 0; i < 64; i++)
    f->out[i] = 100 + i;
  check(f, skl8, RAW,
        WIDE "    raw_send (M1, 8) 0xc 2 1 0x4146e00:ud Q.0 R.0\n    svm_block_st (2) OUT(0,0)<0;1,0> R.0\n", read, 8);
  /* bytes at twice the offset: read, and written from the second payload */
  for (uint32_t i = 0; i < 64; i++)
    f->out[i] = 100 + i;
  check(f, skl8, RAW,
        BACKWARDS "    raw_send (M1, 8) 0xa 1 1 0x2110000:ud O.0 R.0\n    svm_block_st (2) OUT(0,0)<0;1,0> R.0\n", read,
        8);
  static const uint32_t written[8] = {7, 6, 5, 4, 3, 2, 1, 0};
  check(f, skl8, RAW,
        BACKWARDS "    mov (M1_NM, 8) O(1,0)<1> A(0,0)<1;1,0>\n    raw_send (M1, 8) 0xc 2 0 0x4026e00:ud O.0 %null.0\n",
        written, 8);
  memset(f->out, 0, sizeof f->out);
  check(f, skl8, RAW,
        WIDE "    mov (M1_NM, 8) V(0,0)<1> A(0,0)<1;1,0>\n    raw_sends.12.2.1.0 (M1, 8) 0x0:ud 0x4066e00:ud Q.0 V.0 "
             "%null.0\n",
        written, 8);
}

static void test_raw_atomics(void **state) {
  struct fixture *f = *state;
  static const uint32_t sums[3] = {28, 0, 0};
  check(f, skl8, RAW,
        COUNT "    mov (M1_NM, 8) O(0,0)<1> 0x0:ud\n    mov (M1_NM, 8) V(0,0)<1> A(0,0)<1;1,0>\n"
              "    raw_sends.12.1.1.1 (M1, 8) 0x0:ud 0x210b700:ud O.0 V.0 R.0\n",
        sums, 3);
  /* where 28 is found, 99 is put, and the old value comes back */
  check(f, skl8, RAW,
        COUNT "    mov (M1_NM, 8) O(0,0)<1> 0x0:ud\n    mov (M1_NM, 8) O(1,0)<1> 0x1c:ud\n    mov (M1_NM, 8) O(2,0)<1> "
              "0x63:ud\n"
              "    raw_send (M1, 8) 0xc 3 1 0x610be00:ud O.0 R.0\n    add (M1_NM, 1) R(0,1)<1> R(0,0)<0;1,0> 0x0:d\n"
              "    add (M1_NM, 1) Q(0,0)<1> OUT(0,0)<0;1,0> 0x10:ud\n    svm_block_st (2) Q(0,0)<0;1,0> R.0\n",
        (const uint32_t[]){99, 0, 0, 0, 28, 28, 99, 99}, 8);
}

static void test_raw_blocks_and_barriers(void **state) {
  struct fixture *f = *state;
  static const uint32_t expected[8] = {4, 5, 6, 7, 8, 9, 10, 11};
  for (uint32_t i = 0; i < 64; i++)
    f->out[i] = i;
  /* two owords from the first one on: the offset is the header's third dword; stored by 64-bit address */
  check(f, skl8, RAW,
        COUNT "    mov (M1_NM, 8) O(0,0)<1> 0x0:ud\n    mov (M1_NM, 1) O(0,2)<1> 0x1:ud\n"
              "    raw_send (M1, 8) 0xa 1 1 0x2180200:ud O.0 R.0\n    mov (M1_NM, 1) Q(0,0)<1> OUT(0,0)<0;1,0>\n"
              "    raw_sends.12.1.1.0 (M1, 8) 0x0:ud 0x20d4200:ud Q.0 R.0 %null.0\n",
        expected, 8);
  /* every thread adds before any reads */
  static const uint32_t both[1] = {2};
  memset(f->out, 0, sizeof f->out);
  check(f, (struct setting){.platform = OG_VISA_SKL, .simd = 8, .grid = 16, .group = 16}, RAW,
        COUNT "    mov (M1_NM, 8) O(0,0)<1> 0x80:ud\n    mov (M1_NM, 8) V(0,0)<1> 0x1:ud\n"
              "    raw_sends.12.1.1.0 (M1_NM, 1) 0x0:ud 0x2009700:ud O.0 V.0 %null.0\n"
              "    raw_send (M1, 1) 0x3 1 0 0x2000004:ud V.0 %null.0\n    wait %null(0,0)<0;1,0>\n"
              "    raw_send (M1, 8) 0xc 1 1 0x2106e00:ud O.0 R.0\n    svm_block_st (1) OUT(0,0)<0;1,0> R.0\n",
        both, 1);
}

static void test_raw_messages_to_the_load_store_cache(void **state) {
  struct fixture *f = *state;
  uint32_t expected[16];
  static const char quads[] =
      COUNT "    mov (M1_NM, 16) Q(0,0)<1> A(0,0)<1;1,0>\n    shl (M1_NM, 16) Q(0,0)<1> Q(0,0)<1;1,0> 0x3:uq\n"
            "    add (M1_NM, 16) Q(0,0)<1> Q(0,0)<1;1,0> OUT(0,0)<0;1,0>\n";
  for (uint32_t i = 0; i < 64; i++)
    f->out[i] = i;
  for (uint32_t i = 0; i < 16; i++)
    expected[i] = 4 * i + 1; /* the sum of both */
  check(f, pvc16, RAW,
        og_arena_printf(
            f->arena,
            "%s    raw_sends.15.2.0.2 (M1, 16) 0x0:ud 0x1580:ud Q.0 %%null.0 V.0\n    add (M1_NM, 16) R(0,0)<1> "
            "V(0,0)<1;1,0> V(1,0)<1;1,0>\n" STORE,
            quads),
        expected, 16);
  memset(f->out, 0, sizeof f->out);
  for (uint32_t i = 0; i < 16; i++)
    expected[i] = i % 2 ? 0 : 2 * (i / 2); /* each stored once, then added to */
  check(f, pvc16, RAW,
        og_arena_printf(
            f->arena,
            "%s    mov (M1_NM, 16) V(0,0)<1> A(0,0)<1;1,0>\n    raw_sends.15.2.1.0 (M1, 16) 0x0:ud 0x584:ud Q.0 V.0 "
            "%%null.0\n    raw_sends.15.2.1.1 (M1, 16) 0x0:ud 0x58c:ud Q.0 V.0 R.0\n"
            "    raw_sends.15.0.0.0 (M1, 1) 0x0:ud 0x1f:ud V.0 %%null.0 %%null.0\n",
            quads),
        expected, 16);
}

static void test_a_raw_message_ends_the_thread(void **state) {
  static const uint32_t expected[1] = {0};
  check(*state, skl8, RAW,
        COUNT "    raw_sends_eot.7.1.0.0 (M1, 8) 0x0:ud 0x2000010:ud V.0 %null.0 %null.0\n    mov (M1_NM, 8) R(0,0)<1> "
              "0x9:d\n" STORE,
        expected, 1);
}

static void test_what_is_not_executed_is_named(void **state) {
  static const struct {
    const char *instruction, *expected;
  } cases[] = {
      {"raw_send (M1, 8) 0x2 1 1 0x2104000:ud R.0 R.0", "raw_send: message type 0x1 to the sampler is not executed"},
      {"raw_send (M1, 8) 0x6 1 1 0x2100000:ud R.0 R.0", "raw_send: message type 0x0 to URB is not executed"},
      {"raw_send (M1, 8) 0xc 1 1 0x2110000:ud R.0 R.0",
       "raw_send: message type 0x4 to data cache port 1 is not executed"},
      {"raw_send (M1, 8) 0xf 1 1 0x580:ud R.0 R.0", "raw_send: message type 0x0 to the global cache is not executed"},
      {"raw_send (M1, 8) 0xc 1 1 O(0,0)<0;1,0> R.0 R.0", "raw_send is executed with constant descriptors only"},
      {"raw_send (M1, 16) 0xc 1 1 0x2106e00:ud R.0 R.0", "does not suit 16 channels"},
      {"raw_send (M1, 8) 0x3 1 0 0x2000001:ud R.0 R.0", "raw_send: message type 0x1 to the message gateway"},
  };
  struct fixture *f = *state;
  for (size_t i = 0; i < OG_COUNT(cases); i++)
    check_fault(f, tgllp8, RAW, og_arena_printf(f->arena, COUNT "    %s\n", cases[i].instruction), cases[i].expected);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_sums_of_absolute_differences),
      TEST(test_lines_and_planes),
      TEST(test_small_floats),
      TEST(test_stochastic_rounding_adds_the_noise_and_cuts),
      TEST(test_older_gathers_count_elements),
      TEST(test_quadword_gathers),
      TEST(test_strided_messages_step_by_a_pitch),
      TEST(test_typed_messages_reach_texels),
      TEST(test_lsc_typed_messages),
      TEST(test_typed_atomics),
      TEST(test_media_blocks_are_bytes),
      TEST(test_the_sampler_loads_texels),
      TEST(test_samplers),
      TEST(test_four_texels_are_gathered_from_below_left),
      TEST(test_samples_compare_their_reference_with_texels),
      TEST(test_every_relation_compares),
      TEST(test_other_samples_take_their_coordinates),
      TEST(test_the_level_follows_from_neighbours),
      TEST(test_rarer_loads),
      TEST(test_surfaces_tell_their_sizes),
      TEST(test_formats_keep_what_fits),
      TEST(test_misaligned_atomics_are_faults),
      TEST(test_raw_messages_to_the_data_cache),
      TEST(test_raw_atomics),
      TEST(test_raw_blocks_and_barriers),
      TEST(test_raw_messages_to_the_load_store_cache),
      TEST(test_a_raw_message_ends_the_thread),
      TEST(test_what_is_not_executed_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
