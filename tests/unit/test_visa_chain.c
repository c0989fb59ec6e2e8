/* test_visa_chain.c - loads and stores whose addresses are made of 32-bit indices right before are run at once: with
 * the same results, faults and counts as one operation after the other, and only where nobody else sees what stands
 * between. */
#include "visa_fixture.h"

#include "visa/exec/exec.h"

static const struct setting pvc16 = {.platform = OG_VISA_PVC, .simd = 16, .count = true};

#define DECLARATIONS                                                                                                   \
  COUNTING D("I", "ud", "16") D("S", "d", "16") D("Q1", "q", "16") D("Q2", "q", "16") D("Q3", "uq", "16")              \
      D("Q4", "q", "16") D("Q5", "q", "16") D("Q6", "uq", "16") D("X", "d", "64") D("V", "uq", "2")                    \
      D("AO", "ud", "16") ".decl P1 v_type=P num_elts=32\n"
#define BASE "    mov (M1_NM, 1) V(0,0)<1> OUT(0,0)<0;1,0>\n    add (M1_NM, 1) V(0,1)<1> OUT(0,0)<0;1,0> 0x400:uw\n"
#define LOAD(index)                                                                                                    \
  "    mov (M1, 16) Q1(0,0)<1> " index "(0,0)<1;1,0>\n    shl (M1, 16) Q2(0,0)<1> Q1(0,0)<1;1,0> 0x2:q\n"              \
  "    add (M1, 16) Q3(0,0)<1> Q2(0,0)<1;1,0> V(0,0)<0;1,0>\n    lsc_load.ugm (M1, 16) X:d32 flat[Q3]:a64\n"
#define KEEP                                                                                                           \
  "    add (M1, 16) X(0,0)<1> X(0,0)<1;1,0> 0x64:d\n    mov (M1, 16) Q4(0,0)<1> S(0,0)<1;1,0>\n"                       \
  "    shl (M1, 16) Q5(0,0)<1> Q4(0,0)<1;1,0> 0x2:q\n    add (M1, 16) Q6(0,0)<1> V(0,1)<0;1,0> Q5(0,0)<1;1,0>\n"       \
  "    lsc_store.ugm (M1, 16) flat[Q6]:a64 X:d32\n"

static uint32_t chains(const struct fixture *f) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->program->op_count; i++)
    count += f->program->ops[i].chain != NULL;
  return count;
}

/* The buffer's first half is 1000, 1001 ...; runs it as it is, then one operation after the other. */
static void run_both(struct fixture *f, struct setting s, const char *body, uint32_t expected_chains, uint32_t *out) {
  struct og_visa_statistics statistics[2];
  for (uint32_t run = 0; run < 2; run++) {
    for (uint32_t i = 0; i < OG_COUNT(f->out); i++)
      f->out[i] = i < 256 ? 1000 + i : 0;
    s.check = run;
    f->statistics = (struct og_visa_statistics){0};
    if (!run_kernel(f, s, DECLARATIONS, body))
      fail_msg("%s", message(f));
    assert_int_equal(chains(f), expected_chains);
    statistics[run] = f->statistics;
    if (run)
      assert_memory_equal(out, f->out, sizeof f->out);
    memcpy(out, f->out, sizeof f->out);
  }
  assert_int_equal(statistics[0].instructions, statistics[1].instructions);
  assert_memory_equal(&statistics[0].counts, &statistics[1].counts, sizeof statistics[0].counts);
}

static void test_indices_of_all_kinds_load_and_store(void **state) {
  struct fixture *f = *state;
  static const struct {
    const char *load, *store; /* how I and S are made of the channel's number */
    uint32_t load_scale, load_add, store_scale;
  } cases[] = {
      {"mul (M1, 16) AU(0,0)<1> A(0,0)<1;1,0> 0x1:d", "mul (M1, 16) S(0,0)<1> A(0,0)<1;1,0> 0x1:d", 1, 0, 1},
      {"mul (M1, 16) AU(0,0)<1> A(0,0)<1;1,0> 0x0:d", "mul (M1, 16) S(0,0)<1> A(0,0)<1;1,0> 0x3:d", 0, 0, 3},
      {"mul (M1, 16) AU(0,0)<1> A(0,0)<1;1,0> 0x7:d", "mul (M1, 16) S(0,0)<1> A(0,0)<1;1,0> 0x1:d", 7, 0, 1},
      {"mad (M1, 16) AU(0,0)<1> A(0,0)<1;1,0> 0x1:d 0x11:d", "mul (M1, 16) S(0,0)<1> A(0,0)<1;1,0> 0x5:d", 1, 17, 5},
  };
  uint32_t out[OG_COUNT(f->out)];
  for (size_t i = 0; i < OG_COUNT(cases); i++) {
    run_both(f, pvc16,
             og_arena_printf(f->arena,
                             COUNT BASE "    %s\n    %s\n    mov (M1, 16) I(0,0)<1> AU(0,0)<1;1,0>\n" LOAD("I") KEEP,
                             cases[i].load, cases[i].store),
             2, out);
    for (uint32_t k = 0; k < 16; k++)
      assert_int_equal(out[256 + k * cases[i].store_scale], 1100 + k * cases[i].load_scale + cases[i].load_add);
  }
}

static void test_negative_indices_reach_before_the_base(void **state) {
  uint32_t out[1024];
  run_both(*state, pvc16,
           COUNT BASE "    add (M1, 16) S(0,0)<1> A(0,0)<1;1,0> -8:d\n"
                      "    add (M1_NM, 1) V(0,0)<1> V(0,0)<0;1,0> 0x20:uw\n" LOAD("S") KEEP,
           2, out);
  for (uint32_t k = 0; k < 16; k++)
    assert_int_equal(out[248 + k], 1100 + k);
}

static void test_masked_channels_neither_load_nor_store(void **state) {
  uint32_t out[1024];
  run_both(*state, pvc16,
           COUNT BASE "    mul (M1, 16) I(0,0)<1> A(0,0)<1;1,0> 0x1:ud\n    mov (M1, 16) S(0,0)<1> A(0,0)<1;1,0>\n"
                      "    cmp.ge (M1, 16) P1 A(0,0)<1;1,0> 0x5:d\n    (P1) goto (M1, 16) skip\n" LOAD("I") KEEP
                      "skip:\n",
           2, out);
  for (uint32_t k = 0; k < 16; k++)
    assert_int_equal(out[256 + k], k < 5 ? 1100 + k : 0);
}

static void test_what_others_see_is_made(void **state) {
  struct fixture *f = *state;
  uint32_t out[OG_COUNT(f->out)];
  run_both(f, pvc16,
           COUNT BASE
           "    mul (M1, 16) I(0,0)<1> A(0,0)<1;1,0> 0x1:ud\n    mov (M1, 16) S(0,0)<1> A(0,0)<1;1,0>\n" LOAD(
               "I") "    mov (M1, 16) X(0,0)<1> Q2(0,0)<1;1,0>\n" KEEP,
           1, out);
  for (uint32_t k = 0; k < 16; k++)
    assert_int_equal(out[256 + k], 100 + 4 * k);
  /* The address itself is what is stored, and its low half is added to it. */
  run_both(
      f, pvc16,
      COUNT BASE
      "    mov (M1, 16) S(0,0)<1> A(0,0)<1;1,0>\n    mov (M1, 16) Q4(0,0)<1> S(0,0)<1;1,0>\n"
      "    shl (M1, 16) Q5(0,0)<1> Q4(0,0)<1;1,0> 0x2:q\n    add (M1, 16) Q6(0,0)<1> V(0,1)<0;1,0> Q5(0,0)<1;1,0>\n"
      "    lsc_store.ugm (M1, 16) flat[Q6]:a64 Q6:d32\n",
      0, out);
  run_both(
      f, pvc16,
      COUNT BASE
      "    mov (M1, 16) S(0,0)<1> A(0,0)<1;1,0>\n    add (M1, 16) S(0,0)<1> S(0,0)<1;1,0> 0x1:d\n"
      "    mov (M1_NM, 1) Q1(0,1)<1> 0x4:q\n    mov (M1, 16) Q4(0,0)<1> S(0,0)<1;1,0>\n"
      "    shl (M1, 16) Q5(0,0)<1> Q4(0,0)<1;1,0> 0x2:q\n    add (M1, 16) Q3(0,0)<1> Q5(0,0)<1;1,0> Q5(0,1)<0;1,0>\n"
      "    add (M1, 16) Q6(0,0)<1> V(0,1)<0;1,0> Q3(0,0)<1;1,0>\n    lsc_store.ugm (M1, 16) flat[Q6]:a64 S:d32\n",
      0, out);
  for (uint32_t k = 0; k < 16; k++)
    assert_int_equal(out[256 + k + 3], k + 1);
}

static void test_indices_beyond_the_buffer_are_faults_of_the_message(void **state) {
  struct fixture *f = *state;
  static const char *const wrong[] = {"0x100000:ud", "0xfffffff0:ud", "0x410:ud", "0x80000000:ud"};
  for (size_t i = 0; i < OG_COUNT(wrong); i++) {
    char *body = og_arena_printf(f->arena, COUNT BASE "    mov (M1, 16) I(0,0)<1> 0x0:ud\n"
                                                      "    mov (M1_NM, 1) I(0,3)<1> %s\n" LOAD("I"), wrong[i]);
    check_fault(f, pvc16, DECLARATIONS, body, "channel 3 reads 4 bytes at address 0x");
    assert_int_equal(chains(f), 1);
  }
}

static void test_branches_into_the_midst_run_the_rest(void **state) {
  uint32_t out[1024];
  run_both(*state, pvc16,
           COUNT BASE "    mul (M1, 16) I(0,0)<1> A(0,0)<1;1,0> 0x1:ud\n    mov (M1, 16) S(0,0)<1> A(0,0)<1;1,0>\n"
                      "    mov (M1, 16) Q4(0,0)<1> I(0,0)<1;1,0>\n    cmp.eq (M1, 16) P1 A(0,0)<1;1,0> A(0,0)<1;1,0>\n"
                      "    mov (M1, 16) Q1(0,0)<1> 0x5:q\n    (P1) goto (M1, 1) midst\n"
                      "    mov (M1, 16) Q1(0,0)<1> I(0,0)<1;1,0>\nmidst:\n"
                      "    shl (M1, 16) Q2(0,0)<1> Q1(0,0)<1;1,0> 0x2:q\n"
                      "    add (M1, 16) Q3(0,0)<1> Q2(0,0)<1;1,0> V(0,0)<0;1,0>\n"
                      "    lsc_load.ugm (M1, 16) X:d32 flat[Q3]:a64\n" KEEP,
           0, out); /* Q1 and Q4 have other uses here */
  for (uint32_t k = 0; k < 16; k++)
    assert_int_equal(out[256 + k], 1105);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(test_indices_of_all_kinds_load_and_store),
      TEST(test_negative_indices_reach_before_the_base),
      TEST(test_masked_channels_neither_load_nor_store),
      TEST(test_what_others_see_is_made),
      TEST(test_indices_beyond_the_buffer_are_faults_of_the_message),
      TEST(test_branches_into_the_midst_run_the_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
