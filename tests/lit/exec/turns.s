// Compiled code goes from wave to wave at a barrier: not with waves that go on elsewhere, and a fault is that of the wave and round.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: env OFFGRID_COMPILE=always %offgrid run %t.co --kernel apart --grid 512 --group 256 --arg out:%t.1:2048 --arg u32:0 && od -v -An -tu4 -w256 %t.1 | cut -c1-22 | FileCheck %s
// RUN: env OFFGRID_COMPILE=0 %offgrid run %t.co --kernel apart --grid 512 --group 256 --arg out:%t.2:2048 --arg u32:0 && cmp %t.1 %t.2
// RUN: env OFFGRID_COMPILE=always OFFGRID_HOST=avx2 %offgrid run %t.co --kernel apart --grid 512 --group 256 --arg out:%t.3:2048 --arg u32:0 && cmp %t.1 %t.3
// RUN: %offgrid run %t.co --kernel apart --grid 512 --group 256 --repeat 200 --arg out:%t.4:2048 --arg u32:0 && cmp %t.1 %t.4
// RUN: env OFFGRID_COMPILE=0 %offgrid run %t.co --kernel apart --grid 456 --group 200 --arg out:%t.5:3072 --arg u32:0
// RUN: env OFFGRID_COMPILE=always %offgrid run %t.co --kernel apart --grid 456 --group 200 --arg out:%t.6:3072 --arg u32:0 && cmp %t.5 %t.6
// What waves 0 to 3 add up in rounds 1 to 40: 1 in each, and 100 in each in which they go the other way, which wave w does when
// bit w of the round is set.
// CHECK: 2040 2040
// CHECK-NEXT: 2040 2040
// CHECK-NEXT: 2040 2040
// CHECK-NEXT: 1740 1740
// CHECK-NEXT: 2040 2040

// RUN: %not env OFFGRID_COMPILE=always %offgrid run %t.co --kernel apart --grid 256 --group 256 --arg buf:2048 --arg u32:0x22 2>&1 | FileCheck --check-prefix=FAULT %s
// RUN: %not env OFFGRID_COMPILE=always OFFGRID_HOST=avx2 %offgrid run %t.co --kernel apart --grid 256 --group 256 --arg buf:2048 --arg u32:0x22 2>&1 | FileCheck --check-prefix=FAULT %s
// RUN: %not env OFFGRID_COMPILE=0 %offgrid run %t.co --kernel apart --grid 256 --group 256 --arg buf:2048 --arg u32:0x22 2>&1 | FileCheck --check-prefix=FAULT %s
// FAULT: error: kernel 'apart': read of 4 bytes by lane 0 is outside every buffer{{.*}}at apart+0x{{[0-9a-f]+}} 'global_load_dword {{.*}}, address 0x7000000000022
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel apart
  .amdhsa_kernarg_size 12
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.text
.globl apart
.p2align 8
.type apart,@function
apart: // s2: the work-group
  s_load_dwordx2 s[8:9], s[0:1], 0x0
  s_load_dword s10, s[0:1], 0x8 // 16 times a round, and a wave that goes astray in it
  v_lshrrev_b32_e32 v1, 6, v0
  v_readfirstlane_b32 s3, v1 // the wave
  s_mov_b32 s5, 1 // round
  v_mov_b32_e32 v2, 0
  v_mov_b32_e32 v4, 0x70000
  s_waitcnt lgkmcnt(0)
again:
  s_lshl_b32 s6, s5, 4
  s_or_b32 s6, s6, s3
  s_cmp_lg_u32 s6, s10
  s_cbranch_scc1 go
  v_mov_b32_e32 v3, s6
  global_load_dword v5, v[3:4], off
go:
  s_cmp_lg_u32 s6, 0x51 // wave 1 takes long for round 5
  s_cbranch_scc1 quick
  s_mov_b32 s7, 50000
wait:
  s_sub_u32 s7, s7, 1
  s_cmp_lg_u32 s7, 0
  s_cbranch_scc1 wait
quick:
  v_add_u32_e32 v2, 1, v2
  s_lshr_b32 s6, s5, s3
  s_and_b32 s6, s6, 1
  s_cmp_eq_u32 s6, 0
  s_cbranch_scc1 one_way
  s_barrier
  v_add_u32_e32 v2, 0x64, v2
  s_branch met
one_way:
  s_barrier
met:
  s_add_u32 s5, s5, 1
  s_cmp_lg_u32 s5, 41
  s_cbranch_scc1 again
  s_mul_i32 s2, s2, 0x400
  v_lshlrev_b32_e32 v1, 2, v0
  v_add_u32_e32 v1, s2, v1
  global_store_dword v1, v2, s[8:9]
  s_endpgm
