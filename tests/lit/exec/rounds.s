// Waves come to barriers in rounds: they see what the others did before, though some end sooner, one takes long for a round, and
// another rounds floats its own way.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --kernel rounds --grid 512 --group 256 --arg out:%t.1:32 && od -v -An -tu4 %t.1 | FileCheck %s
// RUN: env OFFGRID_COMPILE=always %offgrid run %t.co --kernel rounds --grid 512 --group 256 --arg out:%t.2:32 && od -v -An -tu4 %t.2 | FileCheck %s
// RUN: env OFFGRID_COMPILE=0 %offgrid run %t.co --kernel rounds --grid 512 --group 256 --arg out:%t.3:32 && od -v -An -tu4 %t.3 | FileCheck %s
// RUN: %offgrid run %t.co --kernel rounds --grid 512 --group 256 --schedule=random:3 --arg out:%t.4:32 && od -v -An -tu4 %t.4 | FileCheck %s
// RUN: %offgrid run %t.co --kernel rounds --grid 512 --group 256 --stats --arg out:%t.5:32 && od -v -An -tu4 %t.5 | FileCheck %s
// RUN: %offgrid run %t.co --kernel rounds --grid 512 --group 256 --repeat 200 --arg out:%t.6:32 && od -v -An -tu4 %t.6 | FileCheck %s
// Waves make R = 13, 3, 18 and 8 rounds; in round r they add up min(r, R) of all four.
// CHECK: 294 1024 494 129
// CHECK-NEXT: 294 1024 494 129
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel rounds
  .amdhsa_kernarg_size 8
  .amdhsa_group_segment_fixed_size 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.text
.globl rounds
.p2align 8
.type rounds,@function
rounds: // s2: the work-group
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshrrev_b32_e32 v1, 6, v0
  v_readfirstlane_b32 s3, v1 // the wave
  s_lshl_b32 s5, s3, 3
  s_lshr_b32 s4, 0x812030d, s5
  s_and_b32 s4, s4, 255 // its rounds
  s_mov_b32 s5, 0 // round
  s_mov_b32 s6, 0 // sum
  v_lshlrev_b32_e32 v1, 2, v1
  v_mov_b32_e32 v2, 0
  s_cmp_lg_u32 s3, 1
  s_cbranch_scc1 again
  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1 // up
again:
  s_add_u32 s5, s5, 1
  v_mov_b32_e32 v3, s5
  ds_write_b32 v1, v3
  s_lshl_b32 s7, s3, 4
  s_or_b32 s7, s7, s5
  s_cmp_lg_u32 s7, 36 // wave 2, round 4
  s_cbranch_scc1 meet
  s_mov_b32 s7, 50000
wait:
  s_sub_u32 s7, s7, 1
  s_cmp_lg_u32 s7, 0
  s_cbranch_scc1 wait
meet:
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b128 v[4:7], v2
  s_waitcnt lgkmcnt(0)
  v_add3_u32 v4, v4, v5, v6
  v_add_u32_e32 v4, v4, v7
  v_readfirstlane_b32 s7, v4
  s_add_u32 s6, s6, s7
  s_barrier
  s_cmp_lg_u32 s5, s4
  s_cbranch_scc1 again
  v_mov_b32_e32 v3, 0x33000000 // 2^-25, half of a last place
  v_add_f32_e32 v3, 1.0, v3
  v_and_b32_e32 v3, 1, v3
  v_mul_u32_u24_e32 v3, 0x3e8, v3
  v_add_u32_e32 v3, s6, v3
  s_lshl_b32 s2, s2, 4
  v_add_u32_e32 v1, s2, v1
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v3, s[0:1]
  s_endpgm
