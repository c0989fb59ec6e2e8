// Compiled code goes from wave to wave at a barrier: not with waves that go on elsewhere, and a fault is that of the wave and round.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: env OFFGRID_COMPILE=always %offgrid run %t.co --kernel apart --grid 512 --group 256 --arg out:%t.1:2048 --arg u32:0 --arg u32:1 && od -v -An -tu4 -w256 %t.1 | cut -c1-22 | FileCheck %s
// RUN: env OFFGRID_COMPILE=0 %offgrid run %t.co --kernel apart --grid 512 --group 256 --arg out:%t.2:2048 --arg u32:0 --arg u32:1 && cmp %t.1 %t.2
// RUN: env OFFGRID_COMPILE=always OFFGRID_HOST=avx2 %offgrid run %t.co --kernel apart --grid 512 --group 256 --arg out:%t.3:2048 --arg u32:0 --arg u32:1 && cmp %t.1 %t.3
// RUN: %offgrid run %t.co --kernel apart --grid 512 --group 256 --repeat 200 --arg out:%t.4:2048 --arg u32:0 --arg u32:1 && cmp %t.1 %t.4
// RUN: env OFFGRID_COMPILE=0 %offgrid run %t.co --kernel apart --grid 456 --group 200 --arg out:%t.5:3072 --arg u32:0 --arg u32:1
// RUN: env OFFGRID_COMPILE=always %offgrid run %t.co --kernel apart --grid 456 --group 200 --arg out:%t.6:3072 --arg u32:0 --arg u32:1 && cmp %t.5 %t.6
// What waves 0 to 3 add up in rounds 1 to 40: four times the round, and 100 in each in which they go the other way, which
// wave w does when bit w of the round is set, should they part at all.
// CHECK: 5280 5280
// CHECK-NEXT: 5280 5280
// CHECK-NEXT: 5280 5280
// CHECK-NEXT: 4980 4980
// CHECK-NEXT: 5280 5280
// RUN: env OFFGRID_COMPILE=always %offgrid run %t.co --kernel together --grid 512 --group 256 --arg out:%t.7:2048 --arg u32:0 && od -v -An -tu4 -w256 %t.7 | cut -c1-22 | FileCheck --check-prefix=TOGETHER %s
// RUN: env OFFGRID_COMPILE=0 %offgrid run %t.co --kernel together --grid 512 --group 256 --arg out:%t.8:2048 --arg u32:0 && cmp %t.7 %t.8
// RUN: %offgrid run %t.co --kernel together --grid 512 --group 256 --repeat 200 --arg out:%t.9:2048 --arg u32:0 && cmp %t.7 %t.9
// RUN: %not env OFFGRID_COMPILE=always %offgrid run %t.co --kernel together --grid 256 --group 256 --arg buf:2048 --arg u32:1 2>&1 | FileCheck --check-prefix=ASTRAY %s
// RUN: %not env OFFGRID_COMPILE=0 %offgrid run %t.co --kernel together --grid 256 --group 256 --arg buf:2048 --arg u32:1 2>&1 | FileCheck --check-prefix=ASTRAY %s
// Sums of what the four waves wrote in 40 rounds; the last wave's in 30, as it ends then, and of itself 30 rounds on are 30.
// TOGETHER: 3225 3225
// TOGETHER-NEXT: 3225 3225
// TOGETHER-NEXT: 3225 3225
// TOGETHER-NEXT: 1860 1860
// ASTRAY: error: kernel 'together': read of 4 bytes by lane 0 is outside every buffer{{.*}}at together+0x{{[0-9a-f]+}} 'global_load_dword {{.*}}, address 0x7000000000002

// RUN: %not env OFFGRID_COMPILE=always %offgrid run %t.co --kernel apart --grid 256 --group 256 --arg buf:2048 --arg u32:0x22 --arg u32:1 2>&1 | FileCheck --check-prefix=FAULT %s
// RUN: %not env OFFGRID_COMPILE=always OFFGRID_HOST=avx2 %offgrid run %t.co --kernel apart --grid 256 --group 256 --arg buf:2048 --arg u32:0x22 --arg u32:1 2>&1 | FileCheck --check-prefix=FAULT %s
// RUN: %not env OFFGRID_COMPILE=0 %offgrid run %t.co --kernel apart --grid 256 --group 256 --arg buf:2048 --arg u32:0x22 --arg u32:1 2>&1 | FileCheck --check-prefix=FAULT %s
// FAULT: error: kernel 'apart': read of 4 bytes by lane 0 is outside every buffer{{.*}}at apart+0x{{[0-9a-f]+}} 'global_load_dword {{.*}}, address 0x7000000000022
// A wave that sleeps while all others end.
// RUN: %offgrid run %t.co --kernel early --grid 512 --group 256 --arg out:%t.10:8 && od -v -An -tu4 %t.10 | FileCheck --check-prefix=EARLY %s
// RUN: env OFFGRID_COMPILE=always %offgrid run %t.co --kernel early --grid 512 --group 256 --timeout 60 --arg out:%t.11:8 && cmp %t.10 %t.11
// EARLY: 7 7
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"

.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel apart
  .amdhsa_kernarg_size 16
  .amdhsa_group_segment_fixed_size 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.amdhsa_kernel together
  .amdhsa_kernarg_size 12
  .amdhsa_group_segment_fixed_size 16
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.amdhsa_kernel early
  .amdhsa_kernarg_size 8
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
  s_load_dword s11, s[0:1], 0xc // whether they part
  s_load_dword s10, s[0:1], 0x8 // 16 times a round, and a wave that goes astray in it
  v_lshrrev_b32_e32 v1, 6, v0
  v_readfirstlane_b32 s3, v1 // the wave
  s_mov_b32 s5, 1 // round
  v_mov_b32_e32 v2, 0
  v_mov_b32_e32 v4, 0x70000
  v_lshlrev_b32_e32 v6, 2, v1
  v_mov_b32_e32 v7, 0
  s_waitcnt lgkmcnt(0)
.macro round
  s_lshl_b32 s6, s5, 4
  s_or_b32 s6, s6, s3
  s_cmp_lg_u32 s6, s10
  s_cbranch_scc1 go\@
  v_mov_b32_e32 v3, s6
  global_load_dword v5, v[3:4], off
go\@:
  s_cmp_lg_u32 s6, 0x51 // wave 1 takes long for round 5
  s_cbranch_scc1 quick\@
  s_mov_b32 s7, 50000
wait\@:
  s_sub_u32 s7, s7, 1
  s_cmp_lg_u32 s7, 0
  s_cbranch_scc1 wait\@
quick\@:
  v_mov_b32_e32 v3, s5
  ds_write_b32 v6, v3
  s_waitcnt lgkmcnt(0)
  s_lshr_b32 s6, s5, s3
  s_and_b32 s6, s6, s11
  s_cmp_eq_u32 s6, 0
  s_cbranch_scc1 one_way\@
  s_barrier
  v_add_u32_e32 v2, 0x64, v2
  s_branch met\@
one_way\@:
  s_barrier
met\@:
  ds_read_b128 v[8:11], v7
  s_waitcnt lgkmcnt(0)
  v_add3_u32 v2, v2, v8, v9
  v_add3_u32 v2, v2, v10, v11
  s_barrier
  s_add_u32 s5, s5, 1
.endm
.rept 40
  round
.endr
  s_mul_i32 s2, s2, 0x400
  v_lshlrev_b32_e32 v1, 2, v0
  v_add_u32_e32 v1, s2, v1
  global_store_dword v1, v2, s[8:9]
  s_endpgm

// The way from barrier to barrier is short and the same for all waves, but in three rounds.
.globl together
.p2align 8
.type together,@function
together:
  s_load_dwordx2 s[8:9], s[0:1], 0x0
  s_load_dword s10, s[0:1], 0x8 // whether wave 2 goes astray in round 20
  v_lshrrev_b32_e32 v1, 6, v0
  v_readfirstlane_b32 s3, v1
  s_mov_b32 s5, 1
  v_mov_b32_e32 v2, 0
  v_mov_b32_e32 v4, 0x70000
  v_lshlrev_b32_e32 v6, 2, v1
  v_mov_b32_e32 v7, 0
  s_waitcnt lgkmcnt(0)
.macro short_round
  s_lshl_b32 s6, s5, 2
  s_or_b32 s6, s6, s3
  s_barrier
.if round == 10
  s_cmp_eq_u32 s3, 1
  s_cbranch_scc1 long
long_done:
.elseif round == 20
  s_lshl_b32 s6, s3, 4
  s_or_b32 s6, s6, s10
  s_cmp_eq_u32 s6, 33
  s_cbranch_scc1 astray
.elseif round == 31
  s_cmp_eq_u32 s3, 3
  s_cbranch_scc1 end
.endif
  v_mov_b32_e32 v3, s5
  ds_write_b32 v6, v3
  s_barrier
  ds_read_b128 v[8:11], v7
  v_add3_u32 v2, v2, v8, v9
  v_add3_u32 v2, v2, v10, v11
  s_add_u32 s5, s5, 1
.endm
.set round, 1
.rept 40
  short_round
.set round, round + 1
.endr
end:
  s_mul_i32 s2, s2, 0x400
  v_lshlrev_b32_e32 v1, 2, v0
  v_add_u32_e32 v1, s2, v1
  global_store_dword v1, v2, s[8:9]
  s_endpgm
long:
  s_mov_b32 s7, 50000
wait:
  s_sub_u32 s7, s7, 1
  s_cmp_lg_u32 s7, 0
  s_cbranch_scc1 wait
  s_branch long_done
astray:
  v_mov_b32_e32 v3, s3
  global_load_dword v5, v[3:4], off
  s_endpgm

.globl early
.p2align 8
.type early,@function
early:
  v_readfirstlane_b32 s3, v0
  s_cmp_lg_u32 s3, 0
  s_cbranch_scc1 early_end
  s_load_dwordx2 s[8:9], s[0:1], 0x0
  s_mov_b32 s4, 0
early_again:
  s_sleep 1
  s_add_u32 s4, s4, 1
  s_cmp_lg_u32 s4, 7
  s_cbranch_scc1 early_again
  s_lshl_b32 s2, s2, 2
  v_mov_b32_e32 v1, s2
  v_mov_b32_e32 v2, s4
  s_waitcnt lgkmcnt(0)
  global_store_dword v1, v2, s[8:9]
early_end:
  s_endpgm
