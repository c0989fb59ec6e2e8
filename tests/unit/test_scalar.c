/* What scalar instructions compute and where they go: values worked out by hand from the ISA manual. */
#include "wave_fixture.h"

struct expectation {
  const char *name;
  uint64_t a, b;
  unsigned scc; /* before */
  uint64_t result;
  unsigned scc_after;
};
static const struct expectation expectations[] = {
    {"s_mov_b32", 5, 0, 1, 5, 1},
    {"s_mov_b64", 0x100000005, 0, 0, 0x100000005, 0},
    {"s_cmov_b32", 5, 0, 0, 77, 0},
    {"s_cmov_b32", 5, 0, 1, 5, 1},
    {"s_cselect_b32", 5, 6, 0, 6, 0},
    {"s_cselect_b64", 5, 6, 1, 5, 1},
    {"s_add_u32", 0xffffffff, 1, 0, 0, 1},
    {"s_add_u32", 1, 2, 1, 3, 0},
    {"s_add_i32", 0x7fffffff, 1, 0, 0x80000000, 1},
    {"s_add_i32", 0xffffffff, 1, 0, 0, 0},
    {"s_sub_u32", 1, 2, 0, 0xffffffff, 1},
    {"s_sub_i32", 0x80000000, 1, 0, 0x7fffffff, 1},
    {"s_sub_i32", 1, 2, 0, 0xffffffff, 0},
    {"s_addc_u32", 0xffffffff, 0, 1, 0, 1},
    {"s_addc_u32", 0xffffffff, 0xffffffff, 1, 0xffffffff, 1},
    {"s_subb_u32", 5, 5, 1, 0xffffffff, 1},
    {"s_subb_u32", 5, 0xffffffff, 1, 5, 1},
    {"s_subb_u32", 5, 4, 1, 0, 0},
    {"s_mul_i32", 0xffffffff, 5, 1, 0xfffffffb, 1},
    {"s_mul_hi_u32", 0xffffffff, 0xffffffff, 0, 0xfffffffe, 0},
    {"s_mul_hi_i32", 0xffffffff, 2, 0, 0xffffffff, 0},
    {"s_min_i32", 0xffffffff, 2, 0, 0xffffffff, 1},
    {"s_min_u32", 0xffffffff, 2, 0, 2, 0},
    {"s_max_i32", 3, 2, 0, 3, 1},
    {"s_max_u32", 2, 2, 1, 2, 0},
    {"s_abs_i32", 0x80000000, 0, 0, 0x80000000, 1},
    {"s_abs_i32", (uint32_t)-7, 0, 0, 7, 1},
    {"s_absdiff_i32", 3, 10, 0, 7, 1},
    {"s_sext_i32_i8", 0x80, 0, 0, 0xffffff80, 0},
    {"s_sext_i32_i16", 0x8000, 0, 0, 0xffff8000, 0},
    {"s_lshl2_add_u32", 0x40000001, 1, 0, 5, 1},
    {"s_lshl4_add_u32", 1, 1, 1, 17, 0},
    {"s_pack_ll_b32_b16", 0x11112222, 0x33334444, 0, 0x44442222, 0},
    {"s_pack_lh_b32_b16", 0x11112222, 0x33334444, 0, 0x33332222, 0},
    {"s_pack_hh_b32_b16", 0x11112222, 0x33334444, 0, 0x33331111, 0},
    {"s_not_b32", 0xffffffff, 0, 1, 0, 0},
    {"s_and_b64", 0xf00000000, 0x100000000, 0, 0x100000000, 1},
    {"s_andn2_b32", 7, 7, 1, 0, 0},
    {"s_orn2_b64", 0, ~(uint64_t)0, 1, 0, 0},
    {"s_nand_b32", 0xffffffff, 0xffffffff, 1, 0, 0},
    {"s_nor_b64", 0, 0, 0, ~(uint64_t)0, 1},
    {"s_xnor_b32", 5, 5, 0, 0xffffffff, 1},
    {"s_xor_b32", 5, 5, 1, 0, 0},
    {"s_lshl_b32", 1, 33, 0, 2, 1},
    {"s_lshl_b64", 1, 33, 0, 0x200000000, 1},
    {"s_lshr_b32", 0x80000000, 31, 0, 1, 1},
    {"s_ashr_i32", 0x80000000, 63, 0, 0xffffffff, 1},
    {"s_ashr_i64", 0x8000000000000000, 62, 0, (uint64_t)-2, 1},
    {"s_lshr_b64", 1, 1, 1, 0, 0},
    {"s_bfm_b32", 4, 8, 0, 0xf00, 0},
    {"s_bfm_b64", 40, 4, 0, 0xffffffffff0, 0},
    {"s_bfe_u32", 0xabcd1234, 0x00080008, 0, 0x12, 1},
    {"s_bfe_u32", 0xf0000000, 0x0020001c, 0, 15, 1},
    {"s_bfe_u32", 5, 0, 1, 0, 0},
    {"s_bfe_i32", 0xf000, 0x0004000c, 0, 0xffffffff, 1},
    {"s_bfe_i32", 0xf000, 0x00200000, 0, 0xf000, 1},
    {"s_bfe_u64", 0xff00000000, 0x00080020, 0, 0xff, 1},
    {"s_bfe_i64", 0x8000000000, 0x00080020, 0, (uint64_t)-128, 1},
    {"s_bfe_i64", 0xffffffff80000000, 0x00400000, 0, 0xffffffff80000000, 1},
    {"s_brev_b32", 1, 0, 0, 0x80000000, 0},
    {"s_brev_b64", 1, 0, 0, 0x8000000000000000, 0},
    {"s_bcnt0_i32_b32", 0xff, 0, 0, 24, 1},
    {"s_bcnt1_i32_b64", 0xff000000ff, 0, 0, 16, 1},
    {"s_bcnt1_i32_b32", 0, 0, 1, 0, 0},
    {"s_ff0_i32_b32", 0xff, 0, 0, 8, 0},
    {"s_ff0_i32_b32", 0xffffffff, 0, 0, 0xffffffff, 0},
    {"s_ff1_i32_b64", 0x1000000000, 0, 0, 36, 0},
    {"s_ff1_i32_b32", 0, 0, 0, 0xffffffff, 0},
    {"s_flbit_i32_b32", 0x0000ffff, 0, 0, 16, 0},
    {"s_flbit_i32_b64", 1, 0, 0, 63, 0},
    {"s_flbit_i32", 0xffff0000, 0, 0, 16, 0},
    {"s_flbit_i32", 0xffffffff, 0, 0, 0xffffffff, 0},
    {"s_flbit_i32_i64", 0x0000ffffffffffff, 0, 0, 16, 0},
    {"s_bitset0_b32", 0, 0, 0, 76, 0},
    {"s_bitset1_b32", 33, 0, 0, 79, 0},
    {"s_bitset1_b64", 36, 0, 0, 0x100000004d, 0},
    {"s_bitreplicate_b64_b32", 0x80000005, 0, 0, 0xc000000000000033, 0},
    {"s_wqm_b32", 0x00000210, 0, 0, 0x00000ff0, 1},
    {"s_wqm_b64", 0x8000000000000000, 0, 0, 0xf000000000000000, 1},
    {"s_quadmask_b32", 0x00000210, 0, 0, 6, 1},
    {"s_quadmask_b64", 0x8000000000000001, 0, 0, 0x8001, 1},
    {"s_cmp_lt_i32", 0xffffffff, 0, 0, 77, 1},
    {"s_cmp_lt_u32", 0xffffffff, 0, 1, 77, 0},
    {"s_cmp_eq_u64", 0x100000000, 0, 1, 77, 0},
    {"s_cmp_lg_u64", 0x100000000, 0, 0, 77, 1},
    {"s_bitcmp0_b32", 4, 34, 1, 77, 0},
    {"s_bitcmp1_b64", 0x400000000, 34, 0, 77, 1},
};

static void instructions_compute_what_the_manual_says(void **state) {
  (void)state;
  for (size_t i = 0; i < OG_COUNT(expectations); i++) {
    const struct expectation *e = &expectations[i];
    struct og_inst inst = {.encoding = OG_ENC_SOP2};
    add_operand(&inst, sgpr(OG_ROLE_SDST, 10));
    add_operand(&inst, sgpr(OG_ROLE_SRC0, 4));
    add_operand(&inst, sgpr(OG_ROLE_SRC1, 6));
    og_store64(&wave->s[4], e->a), og_store64(&wave->s[6], e->b), og_store64(&wave->s[10], 77);
    wave->s[OG_S_SCC] = e->scc;
    execute(e->name, &inst);
    uint64_t result = og_load64(&wave->s[10]);
    if (result != e->result || wave->s[OG_S_SCC] != e->scc_after)
      fail_msg("%s %llx %llx: %llx scc %u, expected %llx scc %u", e->name, (unsigned long long)e->a,
               (unsigned long long)e->b, (unsigned long long)result, wave->s[OG_S_SCC], (unsigned long long)e->result,
               e->scc_after);
  }
}

static void with_immediate(const char *name, int role, unsigned reg, int64_t simm) {
  struct og_inst inst = {.encoding = OG_ENC_SOPK};
  add_operand(&inst, sgpr(role, reg));
  struct og_operand immediate = constant(OG_ROLE_SIMM, (uint64_t)simm);
  immediate.kind = OG_OPERAND_IMMEDIATE;
  add_operand(&inst, immediate);
  execute(name, &inst);
}
static void immediates_are_extended_as_the_type_says(void **state) {
  (void)state;
  wave->s[8] = 0xffffffff;
  with_immediate("s_cmpk_eq_i32", OG_ROLE_SRC0, 8, -1);
  assert_int_equal(wave->s[OG_S_SCC], 1);
  with_immediate("s_cmpk_eq_u32", OG_ROLE_SRC0, 8, 0xffff);
  assert_int_equal(wave->s[OG_S_SCC], 0);
  with_immediate("s_movk_i32", OG_ROLE_SDST, 8, 0x8000);
  assert_int_equal(wave->s[8], 0xffff8000);
  wave->s[8] = 0x7fffffff;
  with_immediate("s_addk_i32", OG_ROLE_SDST, 8, 1);
  assert_int_equal(wave->s[OG_S_SCC], 1);
  with_immediate("s_mulk_i32", OG_ROLE_SDST, 8, -2);
  assert_int_equal(wave->s[8], 0);
}

static void saving_exec_updates_lanes(void **state) {
  (void)state;
  struct og_inst inst = {.encoding = OG_ENC_SOP1};
  add_operand(&inst, sgpr(OG_ROLE_SDST, 10));
  add_operand(&inst, sgpr(OG_ROLE_SRC0, 4));
  set_exec(0xff);
  og_store64(&wave->s[4], 0xf0f);
  execute("s_and_saveexec_b64", &inst);
  assert_int_equal(og_load64(&wave->s[10]), 0xff);
  assert_int_equal(og_exec(wave), 0xf);
  assert_int_equal(wave->lanes[4], 0);
  assert_int_equal(wave->lanes[3], 0xffffffff);
  execute("s_andn2_wrexec_b64", &inst);
  assert_int_equal(og_exec(wave), 0xf00);
  assert_int_equal(og_load64(&wave->s[10]), 0xf00);
  inst.operands[0] = special(OG_ROLE_SDST, OG_SPECIAL_EXEC_LO);
  execute("s_mov_b64", &inst);
  assert_int_equal(wave->lanes[11], 0xffffffff);
  inst.operands[0] = special(OG_ROLE_SDST, OG_SPECIAL_EXEC_HI);
  execute("s_mov_b32", &inst);
  assert_int_equal(wave->lanes[32 + 11], 0xffffffff);
}

static void branches_and_calls_go_where_they_should(void **state) {
  (void)state;
  struct og_inst branch = {.encoding = OG_ENC_SOPP};
  struct og_operand distance = constant(OG_ROLE_SIMM, 3);
  distance.kind = OG_OPERAND_IMMEDIATE;
  add_operand(&branch, distance);
  struct og_operation *op = prepare_at("s_cbranch_scc1", &branch, 5);
  wave->budget = 10;
  wave->s[OG_S_SCC] = 1;
  assert_ptr_equal(op->handler(wave, op), &program->operations[9]);
  wave->s[OG_S_SCC] = 0;
  assert_ptr_equal(op->handler(wave, op), &program->operations[6]);
  branch.operands[0].value = (uint64_t)-4;
  op = prepare_at("s_branch", &branch, 5);
  assert_ptr_equal(op->handler(wave, op), &program->operations[2]);
  wave->budget = 0; /* gives way, and goes on at the target */
  assert_ptr_equal(op->handler(wave, op), &og_stop);
  assert_ptr_equal(wave->resume, &program->operations[2]);
  wave->budget = 10;

  struct og_inst jump = {.encoding = OG_ENC_SOP1};
  add_operand(&jump, sgpr(OG_ROLE_SDST, 10));
  add_operand(&jump, sgpr(OG_ROLE_SRC0, 10));
  og_store64(&wave->s[10], (uint64_t)(uintptr_t)(code + 20));
  op = prepare_at("s_swappc_b64", &jump, 5);
  assert_ptr_equal(op->handler(wave, op), &program->operations[20]);
  assert_int_equal(og_load64(&wave->s[10]), (uint64_t)(uintptr_t)(code + 6));
  og_store64(&wave->s[10], 2);
  assert_ptr_equal(op->handler(wave, op), &og_stop);
  assert_int_equal(wave->state, OG_WAVE_FAULT);
  assert_int_equal(wave->fault.address, 2);
}

static void mode_is_read_and_written_in_parts(void **state) {
  (void)state;
  with_immediate("s_getreg_b32", OG_ROLE_SDST, 8, 1 | 4 << 6 | (4 - 1) << 11); /* MODE, 4 bits from 4 */
  assert_int_equal(wave->s[8], 0xf);
  wave->s[8] = 0;
  with_immediate("s_setreg_b32", OG_ROLE_SDST, 8, 1 | 4 << 6 | (2 - 1) << 11);
  assert_int_equal(wave->mode, IEEE_MODE & ~0x30u);
  assert_true(wave->float_control_32 != wave->float_control_64);
}

static void relative_registers_follow_m0(void **state) {
  (void)state;
  struct og_inst inst = {.encoding = OG_ENC_SOP1};
  add_operand(&inst, sgpr(OG_ROLE_SDST, 10));
  add_operand(&inst, sgpr(OG_ROLE_SRC0, 20));
  wave->s[OG_S_M0] = 3;
  wave->s[23] = 99;
  execute("s_movrels_b32", &inst);
  assert_int_equal(wave->s[10], 99);
  wave->s[20] = 5;
  execute("s_movreld_b32", &inst);
  assert_int_equal(wave->s[13], 5);
}

static void vgpr_indexing_moves_operands(void **state) {
  (void)state;
  struct og_inst on = {.encoding = OG_ENC_SOPC}, move = vector_inst("v_mov_b32"), off = {.encoding = OG_ENC_SOPP};
  add_operand(&on, sgpr(OG_ROLE_SRC0, 4));
  add_operand(&on, constant(OG_ROLE_SRC1, 1)); /* source 0 */
  wave->s[4] = 5;
  wave->v[V_SOURCE + 5][3] = 1234;
  prepare_at("s_set_gpr_idx_on", &on, 0);
  prepare_at("v_mov_b32", &move, 1);
  prepare_at("s_set_gpr_idx_off", &off, 2);
  memset(&program->operations[3], 0, sizeof(struct og_operation));
  wave->budget = 5;
  wave->state = OG_WAVE_READY;
  struct og_inst end = {.encoding = OG_ENC_SOPP};
  prepare_at("s_endpgm", &end, 3);
  wave->resume = program->operations;
  og_wave_run(wave);
  assert_int_equal(wave->state, OG_WAVE_ENDED);
  assert_int_equal(wave->v[V_RESULT][3], 1234);
  assert_int_equal(wave->mode & OG_MODE_GPR_INDEX, 0);
}

/* Decoding exchanges the sources of what commutes so that the scalar one comes first; the index counts the code's. */
static void vgpr_indexing_counts_the_sources_of_the_code(void **state) {
  (void)state;
  struct og_inst on = {.encoding = OG_ENC_SOPC}, add = vector_inst("v_add_u32"), end = {.encoding = OG_ENC_SOPP};
  *operand_of(&add, OG_ROLE_SRC1) = sgpr(OG_ROLE_SRC1, 6);
  add_operand(&on, sgpr(OG_ROLE_SRC0, 4));
  add_operand(&on, constant(OG_ROLE_SRC1, 1)); /* source 0 */
  wave->s[4] = 5;
  wave->s[6] = 1000;
  wave->v[V_SOURCE][3] = 7;
  wave->v[V_SOURCE + 5][3] = 234;
  for (int madmk = 0; madmk < 2; madmk++) {
    struct og_inst inst = add;
    if (madmk) { /* source 1 stands after the constant */
      inst = vector_inst("v_madmk_f32");
      *operand_of(&inst, OG_ROLE_SRC1) = constant(OG_ROLE_SIMM, 0);
      *operand_of(&inst, OG_ROLE_SRC2) = vgpr(OG_ROLE_SRC1, V_SOURCE + 8);
      on.operands[1].value = 2;
      wave->v[V_SOURCE + 8 + 5][3] = 0x40400000;
    }
    prepare_at("s_set_gpr_idx_on", &on, 0);
    prepare_at(madmk ? "v_madmk_f32" : "v_add_u32", &inst, 1);
    prepare_at("s_endpgm", &end, 2);
    wave->state = OG_WAVE_READY;
    wave->resume = program->operations;
    og_wave_run(wave);
    assert_int_equal(wave->state, OG_WAVE_ENDED);
    assert_int_equal(wave->v[V_RESULT][3], madmk ? 0x40400000 : 1234);
  }
}

static void waves_stop_for_barriers_traps_and_the_end(void **state) {
  (void)state;
  struct og_inst inst = {.encoding = OG_ENC_SOPP};
  execute("s_barrier", &inst);
  assert_int_equal(wave->state, OG_WAVE_BARRIER);
  assert_ptr_equal(wave->resume, &program->operations[1]);
  execute("s_endpgm", &inst);
  assert_int_equal(wave->state, OG_WAVE_ENDED);
  struct og_operand id = constant(OG_ROLE_SIMM, 2);
  add_operand(&inst, id);
  execute("s_trap", &inst);
  assert_int_equal(wave->state, OG_WAVE_FAULT);
  assert_int_equal(wave->fault.pc, (uintptr_t)code);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, wave_setup, wave_teardown)
int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(instructions_compute_what_the_manual_says),
      TEST(immediates_are_extended_as_the_type_says),
      TEST(saving_exec_updates_lanes),
      TEST(branches_and_calls_go_where_they_should),
      TEST(mode_is_read_and_written_in_parts),
      TEST(relative_registers_follow_m0),
      TEST(vgpr_indexing_moves_operands),
      TEST(vgpr_indexing_counts_the_sources_of_the_code),
      TEST(waves_stop_for_barriers_traps_and_the_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
