/* test_visa_exec.c - hand-written vISA on the executor: regions, predication, masks, conversions,
 * control flow, messages, dpas. */
#include "visa_fixture.h"

#include <pthread.h>

static void test_source_regions_follow_the_pseudocode(void **state) {
  static const uint32_t rows[16] = {0, 1, 4, 5, 8, 9, 12, 13}, strided[16] = {0, 2, 4, 6, 8, 10, 12, 14},
                        scalar[16] = {5, 5, 5, 5, 5, 5, 5, 5}, overlapping[16] = {1, 2, 3, 4, 2, 3, 4, 5};
  check(*state, skl16, COUNTING, COUNT "    mov (M1, 8) R(0,0)<1> A(0,0)<4;2,1>\n" STORE, rows, 16);
  check(*state, skl16, COUNTING, COUNT "    mov (M1, 8) R(0,0)<1> A(0,0)<8;4,2>\n" STORE, strided, 16);
  check(*state, skl16, COUNTING, COUNT "    mov (M1, 8) R(0,0)<1> A(0,5)<0;1,0>\n" STORE, scalar, 16);
  check(*state, skl16, COUNTING, COUNT "    mov (M1, 8) R(0,0)<1> A(0,1)<1;4,1>\n" STORE, overlapping, 16);
}

static void test_rows_are_registers_of_the_platform(void **state) {
  static const uint32_t narrow[8] = {8, 9, 10, 11, 12, 13, 14, 15};
  check(*state, skl16, COUNTING, COUNT "    mov (M1, 8) R(0,0)<1> A(1,0)<1;1,0>\n" STORE, narrow, 8);
  static const uint32_t wide[8] = {77, 77, 77, 77, 77, 77, 77, 77};
  check(*state, (struct setting){.platform = OG_VISA_PVC, .simd = 16}, COUNTING,
        COUNT "    mov (M1_NM, 16) A(1,0)<1> 77:d\n    mov (M1, 8) R(0,0)<1> A(1,0)<1;1,0>\n" STORE, wide, 8);
}

static void test_destination_stride_leaves_gaps(void **state) {
  static const uint32_t expected[16] = {0, 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0};
  check(*state, skl16, COUNTING, COUNT "    mov (M1, 8) R(0,0)<2> A(0,0)<1;1,0>\n" STORE, expected, 16);
}

static void test_sources_are_read_before_the_destination_is_written(void **state) {
  static const uint32_t expected[16] = {0, 0, 1, 2, 3, 4, 5, 6, 7};
  check(*state, skl16, COUNTING,
        COUNT "    mov (M1, 16) R(0,0)<1> A(0,0)<1;1,0>\n    mov (M1, 8) R(0,1)<1> R(0,0)<1;1,0>\n" STORE, expected, 9);
}

static void test_indirect_operands(void **state) {
  static const char address[] =
      COUNTING ".decl A0 v_type=A num_elts=16\n.decl O v_type=G type=uw num_elts=16 align=wordx32\n";
  static const uint32_t single[8] = {6, 7, 8, 9, 10, 11, 12, 13}, multi[8] = {7, 6, 5, 4, 3, 2, 1, 0},
                        rows[8] = {12, 13, 8, 9, 4, 5, 0, 1};
  static const uint32_t stored[8] = {0, 0, 0, 0, 1, 0, 2, 0};
  check(*state, skl16, address,
        COUNT "    addr_add (M1_NM, 1) A0(0)<1> &A 0x10:uw\n    mov (M1, 8) R(0,0)<1> r[A0(0),8]<1;1,0>:d\n" STORE,
        single, 8);
  check(*state, skl16, address,
        COUNT "    mov (M1_NM, 8) O(0,0)<1> 0x01234567:uv\n    shl (M1_NM, 8) O(0,0)<1> O(0,0)<1;1,0> 2:uw\n"
              "    addr_add (M1_NM, 8) A0(0)<1> &A O(0,0)<1;1,0>\n    mov (M1, 8) R(0,0)<1> r[A0(0),0]<1,0>:d\n" STORE,
        multi, 8);
  check(*state, skl16, address,
        COUNT "    mov (M1_NM, 4) O(0,0)<1> 0x048c:uv\n    shl (M1_NM, 4) O(0,0)<1> O(0,0)<1;1,0> 2:uw\n"
              "    addr_add (M1_NM, 4) A0(0)<1> &A O(0,0)<1;1,0>\n    mov (M1, 8) R(0,0)<1> r[A0(0),0]<2,1>:d\n" STORE,
        rows, 8);
  check(*state, skl16, address,
        COUNT "    addr_add (M1_NM, 1) A0(0)<1> &R 0x8:uw\n    mov (M1, 4) r[A0(0),0]<2>:d A(0,0)<1;1,0>\n" STORE,
        stored, 7);
  check_fault(*state, skl16, address,
              COUNT
              "    addr_add (M1_NM, 1) A0(0)<1> &A 0xffff:uw\n    mov (M1, 8) R(0,0)<1> r[A0(0),0]<1;1,0>:d\n" STORE,
              "outside the variables");
}

#define PREDICATES COUNTING ".decl P1 v_type=P num_elts=32\n"
static void test_predicates_combine_before_they_invert(void **state) {
  static const uint32_t all[8] = {1, 1, 1, 1, 1, 1, 1, 1}, none[8] = {0}, some[8] = {1, 0, 1, 0, 0, 0, 0, 0},
                        others[8] = {0, 1, 0, 1, 1, 1, 1, 1};
  static const struct {
    const char *predicate;
    uint32_t bits;
    const uint32_t *expected;
  } cases[] = {{"(P1)", 5, some},      {"(!P1)", 5, others},    {"(P1.any)", 5, all},  {"(P1.any)", 0, none},
               {"(!P1.any)", 5, none}, {"(!P1.any)", 0, all},   {"(P1.all)", 5, none}, {"(P1.all)", 255, all},
               {"(!P1.all)", 5, all},  {"(!P1.all)", 255, none}};
  for (size_t i = 0; i < OG_COUNT(cases); i++) {
    struct fixture *f = *state;
    check(f, skl8, PREDICATES,
          og_arena_printf(f->arena, COUNT "    setp (M1_NM, 8) P1 0x%x:ud\n    %s mov (M1, 8) R(0,0)<1> 0x1:d\n" STORE,
                          cases[i].bits, cases[i].predicate),
          cases[i].expected, 8);
  }
}

static void test_mask_control_offsets_predicate_and_execution_mask(void **state) {
  static const uint32_t upper[16] = {0, 1, 0, 0, 0, 0, 0, 0};
  check(*state, skl16, PREDICATES,
        COUNT "    setp (M1_NM, 16) P1 0x0200:ud\n    (P1) mov (M3, 8) R(0,0)<1> 0x1:d\n" STORE, upper, 16);
  static const uint32_t masked[16] = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 1, 1, 1, 1, 1, 1};
  check(*state, skl16, PREDICATES,
        COUNT
        "    mov (M1_NM, 16) R(0,0)<1> 0x7:d\n    cmp.lt (M1, 16) P1 A(0,0)<1;1,0> 0xa:d\n    (P1) goto (M1, 16) skip\n"
        "    mov (M1, 16) R(0,0)<1> 0x1:d\nskip:\n" STORE,
        masked, 16);
  static const uint32_t no_mask[16] = {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2};
  check(*state, skl16, PREDICATES,
        COUNT "    cmp.lt (M1, 16) P1 A(0,0)<1;1,0> 0xa:d\n    (P1) goto (M1, 16) skip\n    mov (M1_NM, 16) R(0,0)<1> "
              "0x2:d\nskip:\n" STORE,
        no_mask, 16);
}

static void test_compare_leaves_disabled_channels_bits(void **state) {
  static const uint32_t expected[1] = {0xfc00};
  check(*state, skl16, PREDICATES,
        COUNT
        "    setp (M1_NM, 16) P1 0x0:ud\n    cmp.lt (M1, 16) P1 A(0,0)<1;1,0> 0xa:d\n    (P1) goto (M1, 16) skip\n"
        "    setp (M1_NM, 16) P1 0x0:ud\n    cmp.eq (M1, 16) P1 A(0,0)<1;1,0> A(0,0)<1;1,0>\nskip:\n"
        "    mov (M1_NM, 1) R(0,0)<1> P1\n" STORE,
        expected, 1);
}

static void test_loops_end_channel_by_channel(void **state) {
  static const uint32_t expected[16] = {1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  check(*state, skl16, PREDICATES,
        COUNT
        "again:\n    add (M1, 16) R(0,0)<1> R(0,0)<1;1,0> 0x1:d\n    cmp.lt (M1, 16) P1 R(0,0)<1;1,0> A(0,0)<1;1,0>\n"
        "    (P1) goto (M1, 16) again\n" STORE,
        expected, 16);
}

static void test_nested_branches_converge(void **state) {
  static const uint32_t expected[16] = {101, 101, 102, 102, 104, 104, 104, 104, 108, 108, 108, 108, 108, 108, 108, 108};
  check(*state, skl16, PREDICATES,
        COUNT "    cmp.ge (M1, 16) P1 A(0,0)<1;1,0> 0x8:d\n    (P1) goto (M1, 16) big\n"
              "    cmp.ge (M1, 16) P1 A(0,0)<1;1,0> 0x4:d\n    (P1) goto (M1, 16) four\n"
              "    cmp.ge (M1, 16) P1 A(0,0)<1;1,0> 0x2:d\n    (P1) goto (M1, 16) two\n    mov (M1, 16) R(0,0)<1> "
              "0x1:d\n    goto (M1, 16) done\n"
              "two:\n    mov (M1, 16) R(0,0)<1> 0x2:d\n    goto (M1, 16) done\nfour:\n    mov (M1, 16) R(0,0)<1> "
              "0x4:d\n    goto (M1, 16) done\n"
              "big:\n    mov (M1, 16) R(0,0)<1> 0x8:d\ndone:\n    add (M1, 16) R(0,0)<1> R(0,0)<1;1,0> 0x64:d\n" STORE,
        expected, 16);
}

static void test_subroutines_take_only_the_calling_channels(void **state) {
  static const uint32_t expected[16] = {10, 10, 10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  check(*state, skl16, PREDICATES,
        COUNT "    cmp.lt (M1, 16) P1 A(0,0)<1;1,0> 0x3:d\n    (P1) call (M1, 16) sub\n    add (M1, 16) R(0,0)<1> "
              "R(0,0)<1;1,0> 0x1:d\n" STORE "    ret (M1, 1)\n.function \"sub\"\n\nsub:\n    cmp.lt (M1, 16) P1 "
                                            "A(0,0)<1;1,0> 0x2:d\n    mov (M1, 16) R(0,0)<1> 0x9:d\n"
              "    (P1) ret (M1, 16)\n    mov (M1, 16) R(0,0)<1> 0x9:d\n",
        expected, 16);
}

static void test_saturation_and_conversion(void **state) {
  static const uint32_t bytes[4] = {0x7f, 0xffffff80, 0xff, 0};
  check(*state, skl8, COUNTING D("B", "b", "32") D("U", "ub", "32") D("F", "f", "8"),
        COUNT "    mov.sat (M1_NM, 1) B(0,0)<1> 0x12c:d\n    mov.sat (M1_NM, 1) B(0,1)<1> 0xfffffed4:d\n    mov.sat "
              "(M1_NM, 1) U(0,0)<1> 0x12c:d\n"
              "    mov.sat (M1_NM, 1) U(0,1)<1> 0xffffffff:d\n    mov (M1_NM, 2) R(0,0)<1> B(0,0)<1;1,0>\n    mov "
              "(M1_NM, 2) R(0,2)<1> U(0,0)<1;1,0>\n" STORE,
        bytes, 4);
  static const uint32_t floats[6] = {0x7fffffff, 0x80000000, 0, 3, 0xfffffffd, 0xffffffff};
  check(*state, skl8, COUNTING D("F", "f", "8"),
        COUNT "    mov (M1_NM, 1) F(0,0)<1> 0x7f800000:f\n    mov (M1_NM, 1) F(0,1)<1> 0xff800000:f\n    mov (M1_NM, "
              "1) F(0,2)<1> 0x7fc00000:f\n"
              "    mov (M1_NM, 1) F(0,3)<1> 0x40733333:f\n    mov (M1_NM, 1) F(0,4)<1> 0xc0733333:f\n    mov (M1_NM, "
              "4) R(0,0)<1> F(0,0)<1;1,0>\n"
              "    mov (M1_NM, 1) R(0,4)<1> F(0,4)<0;1,0>\n    mov (M1_NM, 1) AU(0,0)<1> F(0,0)<0;1,0>\n    mov "
              "(M1_NM, 1) R(0,5)<1> AU(0,0)<0;1,0>\n" STORE,
        floats, 6);
  static const uint32_t sums[3] = {0x7fffffff, 0x80000000, 0x3f800000};
  check(*state, skl8, COUNTING D("F", "f", "8") ".decl RF v_type=G type=f num_elts=32 align=wordx32 alias=<R, 0>\n",
        COUNT "    mov (M1_NM, 1) A(0,0)<1> 0x7fffffff:d\n    mov (M1_NM, 1) A(0,1)<1> 0x80000000:d\n    add.sat "
              "(M1_NM, 1) R(0,0)<1> A(0,0)<0;1,0> 0x1:d\n"
              "    add.sat (M1_NM, 1) R(0,1)<1> A(0,1)<0;1,0> 0xffffffff:d\n    mov (M1_NM, 1) F(0,0)<1> 0x40000000:f\n"
              "    add.sat (M1_NM, 1) RF(0,2)<1> F(0,0)<0;1,0> F(0,0)<0;1,0>\n" STORE,
        sums, 3);
}

static void test_mixed_signs_compare_by_value(void **state) {
  static const uint32_t expected[2] = {0, 1};
  check(*state, skl8, PREDICATES,
        COUNT "    mov (M1_NM, 1) AU(0,0)<1> 0xffffffff:ud\n    mov (M1_NM, 1) A(0,1)<1> 0xffffffff:d\n    cmp.eq "
              "(M1_NM, 1) P1 AU(0,0)<0;1,0> A(0,1)<0;1,0>\n"
              "    mov (M1_NM, 1) R(0,0)<1> P1\n    cmp.gt (M1_NM, 1) P1 AU(0,0)<0;1,0> A(0,1)<0;1,0>\n    mov (M1_NM, "
              "1) R(0,1)<1> P1\n"
              "    and (M1_NM, 2) R(0,0)<1> R(0,0)<1;1,0> 0x1:d\n" STORE,
        expected, 2);
}

static void test_control_register_sets_rounding_and_denormals(void **state) {
  static const uint32_t expected[3] = {0x4b000001, 0x4b000000, 0};
  check(*state, skl8, COUNTING D("F", "f", "8") ".decl RF v_type=G type=f num_elts=32 align=wordx32 alias=<R, 0>\n",
        COUNT
        "    mov (M1_NM, 1) F(0,0)<1> 0x4b000000:f\n    mov (M1_NM, 1) %cr0(0,0)<1> 0x4d0:ud\n"
        "    add (M1_NM, 1) RF(0,0)<1> F(0,0)<0;1,0> 0x3e800000:f\n    mov (M1_NM, 1) %cr0(0,0)<1> 0x4e0:ud\n"
        "    add (M1_NM, 1) RF(0,1)<1> F(0,0)<0;1,0> 0x3e800000:f\n    mov (M1_NM, 1) %cr0(0,0)<1> 0x0:ud\n"
        "    mov (M1_NM, 1) F(0,0)<1> 0x00400000:f\n    add (M1_NM, 1) RF(0,2)<1> F(0,0)<0;1,0> F(0,0)<0;1,0>\n" STORE,
        expected, 3);
}

static void test_bits(void **state) {
  static const uint32_t expected[6] = {0x12fff678, 6, 0x12345678 ^ 0xff, 28, 3, 8};
  check(
      *state, (struct setting){.platform = OG_VISA_DG2, .simd = 8},
      COUNTING ".decl RU v_type=G type=ud num_elts=32 align=wordx32 alias=<R, 0>\n",
      COUNT
      "    mov (M1_NM, 1) AU(0,0)<1> 0x12345678:ud\n    mov (M1_NM, 1) A(0,1)<1> 0x60:d\n    mov (M1_NM, 1) AU(0,2)<1> "
      "0x8:ud\n"
      "    bfi (M1_NM, 1) RU(0,0)<1> 0xc:ud 0xc:ud 0xffff:ud AU(0,0)<0;1,0>\n    bfe (M1_NM, 1) R(0,1)<1> 0x4:d 0x3:d "
      "0xb3:d\n"
      "    bfn.x96 (M1_NM, 1) RU(0,2)<1> AU(0,0)<0;1,0> 0xf0:ud 0xf:ud\n    lzd (M1_NM, 1) RU(0,3)<1> AU(0,2)<0;1,0>\n"
      "    fbl (M1_NM, 1) RU(0,4)<1> AU(0,2)<0;1,0>\n    cbit (M1_NM, 1) RU(0,5)<1> 0xff:ud\n" STORE,
      expected, 6);
}

static void test_threads_meet_at_a_barrier(void **state) {
  struct fixture *f = *state;
  /* Each of two threads writes its group of SLM, then reads the other's. */
  static const char declarations[] = COUNTING D("O", "ud", "8") D("W", "ud", "8") D("P", "uq", "4");
  static const char body[] = COUNT
      "    mov (M1_NM, 1) W(0,0)<1> %r0(0,5)<0;1,0>\n    shl (M1_NM, 1) W(0,1)<1> W(0,0)<0;1,0> 0x5:ud\n    shl "
      "(M1_NM, 8) O(0,0)<1> A(0,0)<1;1,0> 0x2:d\n"
      "    add (M1_NM, 8) O(0,0)<1> O(0,0)<1;1,0> W(0,1)<0;1,0>\n    add (M1_NM, 8) R(0,0)<1> W(0,0)<0;1,0> 0x64:d\n"
      "    scatter4_scaled.R (M1, 8) %slm 0x0:ud O.0 R.0\n    barrier\n    xor (M1_NM, 8) O(0,0)<1> O(0,0)<1;1,0> "
      "0x20:ud\n"
      "    gather4_scaled.R (M1, 8) %slm 0x0:ud O.0 R.0\n    mov (M1_NM, 1) P(0,0)<1> W(0,1)<0;1,0>\n    add (M1_NM, "
      "1) P(0,0)<1> P(0,0)<0;1,0> OUT(0,0)<0;1,0>\n"
      "    svm_block_st (2) P(0,0)<0;1,0> R.0\n";
  static const uint32_t expected[16] = {101, 101, 101, 101, 101, 101, 101, 101, 100, 100, 100, 100, 100, 100, 100, 100};
  for (uint64_t seed = 0; seed < 8; seed++) /* whoever comes first */
    check(f, (struct setting){.platform = OG_VISA_SKL, .simd = 8, .grid = 16, .group = 16, .seed = seed}, declarations,
          body, expected, 16);
  assert_int_equal(f->statistics.threads, 2 * 8);
}

static void test_a_barrier_not_all_reach_is_reported(void **state) {
  check_fault(*state, (struct setting){.platform = OG_VISA_PVC, .simd = 16, .grid = 32, .group = 32},
              PREDICATES D("B", "ub", "4"), COUNT "    nbarrier.signal 0x1:ub 0x3:ub\n    nbarrier.wait 0x1:ub\n",
              "never reach");
}

static void test_accesses_outside_buffers_are_faults(void **state) {
  check_fault(*state, (struct setting){.platform = OG_VISA_SKL, .simd = 8, .bytes = 60}, COUNTING, COUNT STORE,
              "writes 64 bytes at address 0x");
  check_fault(*state, skl8, COUNTING D("O", "ud", "8"),
              COUNT "    mov (M1_NM, 8) O(0,0)<1> 0x100000:ud\n    gather4_scaled.R (M1, 8) %slm 0x0:ud O.0 R.0\n",
              "of SLM");
}

static void test_endless_loops_end_with_the_time(void **state) {
  struct setting s = skl8;
  s.timeout = 0.05;
  check_fault(*state, s, COUNTING, COUNT "again:\n    jmp (M1, 1) again\n", "time was over");
}

static void *interrupt_soon(void *word) {
  uint64_t start = og_clock();
  while (og_clock() - start < 20000000)
    continue;
  __atomic_store_n((int *)word, 1, __ATOMIC_RELEASE);
  return NULL;
}

static void test_an_interrupt_ends_loops_barriers_and_many_groups(void **state) {
  static const char *const bodies[] = {COUNT "again:\n    jmp (M1, 1) again\n",
                                       COUNT "again:\n    barrier\n    jmp (M1, 1) again\n", COUNT};
  for (size_t i = 0; i < OG_COUNT(bodies); i++)
    for (int later = 0; later < 2; later++) {
      int interrupted = !later;
      pthread_t thread;
      struct setting s = {.platform = OG_VISA_SKL, .simd = 8, .grid = UINT32_MAX, .group = 16};
      s.interrupted = &interrupted;
      if (later)
        assert_int_equal(pthread_create(&thread, NULL, interrupt_soon, &interrupted), 0);
      check_fault(*state, s, COUNTING, bodies[i], "interrupted");
      if (later)
        pthread_join(thread, NULL);
    }
}

/* Values that flow against the order of blocks, and subroutines that each return after every call: what is to be known
 * of the buffer either comes in few steps, or is given up with an error. */
static void test_paths_of_hostile_kernels_are_followed_in_few_steps(void **state) {
  enum { VARIABLES = 150, BLOCKS = 10000, CALLS = 8000, FUNCTIONS = 4000 };
  struct fixture *f = *state;
  struct og_buffer declarations = {0}, backwards = {0}, calls = {0};
  for (uint32_t i = 0; i < VARIABLES; i++)
    og_buffer_printf(&declarations, ".decl R%u v_type=G type=ud num_elts=8 align=wordx32\n", i);
  og_buffer_printf(&declarations, ".decl P1 v_type=P num_elts=8\n%c", 0);
  og_buffer_printf(&backwards, "    goto (M1, 1) l%u\n", BLOCKS - 1);
  for (uint32_t i = 0; i < BLOCKS; i++)
    og_buffer_printf(&backwards, "l%u:\n    mov (M1, 8) R%u(0,0)<1> R%u(0,0)<1;1,0>\n    goto (M1, 8) l%u\n", i,
                     (BLOCKS - i) % VARIABLES, (BLOCKS - i - 1) % VARIABLES, i ? i - 1 : BLOCKS);
  og_buffer_printf(&backwards, "l%u:\n%c", BLOCKS, 0);
  for (uint32_t i = 0; i < CALLS; i++)
    og_buffer_printf(&calls, "    (P1) call (M1, 8) s%u\n", i % FUNCTIONS);
  og_buffer_text(&calls, "    jmp (M1, 1) end\n");
  for (uint32_t i = 0; i < FUNCTIONS; i++)
    og_buffer_printf(&calls,
                     ".function \"s%u\"\ns%u:\n    add (M1, 8) R%u(0,0)<1> R%u(0,0)<1;1,0> OUT(0,0)<0;1,0>\n"
                     "    ret (M1, 8)\n",
                     i, i, i % VARIABLES, (i + 1) % VARIABLES);
  og_buffer_printf(&calls, "end:\n%c", 0);
  assert_true(run_kernel(f, skl8, (char *)declarations.data, (char *)backwards.data));
  check_fault(f, skl8, (char *)declarations.data, (char *)calls.data, "name its zebin with --zeinfo");
  og_buffer_free(&declarations);
  og_buffer_free(&backwards);
  og_buffer_free(&calls);
}

static void test_atomics_return_the_old_value(void **state) {
  static const uint32_t expected[10] = {0, 0, 1, 3, 6, 10, 15, 21, 28, 36};
  check(*state, skl8, COUNTING D("Q", "uq", "8") D("V", "ud", "8"),
        COUNT "    mov (M1_NM, 8) Q(0,0)<1> OUT(0,0)<0;1,0>\n    mov (M1_NM, 8) V(0,0)<1> A(0,0)<1;1,0>\n    add "
              "(M1_NM, 8) V(0,0)<1> V(0,0)<1;1,0> 0x0:ud\n"
              "    svm_atomic.add (M1, 8) Q.0 V.0 V.0 %null.0\n    mov (M1_NM, 8) R(0,1)<1> V(0,0)<1;1,0>\n    add "
              "(M1_NM, 1) R(0,9)<1> V(0,7)<0;1,0> 0xf:d\n" STORE,
        (const uint32_t[]){0, 0, 0, 1, 3, 6, 10, 15, 21, 36}, 10);
  (void)expected;
}

static void test_block2d_transposes_and_packs(void **state) {
  struct fixture *f = *state;
  static const char declarations[] = COUNTING D("R2", "d", "32");
  static const char body[] = "    lsc_load_block2d.ugm (M1_NM, 1) R2:%s flat[OUT,0x3f,0x7,0x3f,0x0,0x0]\n"
                             "    svm_block_st (4) OUT(0,0)<0;1,0> R2.0\n";
  static const struct {
    const char *shape;
    uint32_t expected[4];
  } cases[] = {{"d32.1x2x2nn", {0, 1, 16, 17}},
               {"d32.1x2x2tn", {0, 16, 1, 17}},
               {"d16.1x4x2nt", {0x00100000, 0, 0x00110001, 0}}};
  for (size_t i = 0; i < OG_COUNT(cases); i++) {
    for (uint32_t k = 0; k < 256; k++)
      f->out[k] = k;
    check(f, (struct setting){.platform = OG_VISA_PVC, .simd = 16}, declarations,
          og_arena_printf(f->arena, body, cases[i].shape), cases[i].expected, 4);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_source_regions_follow_the_pseudocode),
      TEST(test_rows_are_registers_of_the_platform),
      TEST(test_destination_stride_leaves_gaps),
      TEST(test_sources_are_read_before_the_destination_is_written),
      TEST(test_indirect_operands),
      TEST(test_predicates_combine_before_they_invert),
      TEST(test_mask_control_offsets_predicate_and_execution_mask),
      TEST(test_compare_leaves_disabled_channels_bits),
      TEST(test_loops_end_channel_by_channel),
      TEST(test_nested_branches_converge),
      TEST(test_subroutines_take_only_the_calling_channels),
      TEST(test_saturation_and_conversion),
      TEST(test_mixed_signs_compare_by_value),
      TEST(test_control_register_sets_rounding_and_denormals),
      TEST(test_bits),
      TEST(test_threads_meet_at_a_barrier),
      TEST(test_a_barrier_not_all_reach_is_reported),
      TEST(test_accesses_outside_buffers_are_faults),
      TEST(test_endless_loops_end_with_the_time),
      TEST(test_an_interrupt_ends_loops_barriers_and_many_groups),
      TEST(test_paths_of_hostile_kernels_are_followed_in_few_steps),
      TEST(test_atomics_return_the_old_value),
      TEST(test_block2d_transposes_and_packs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
