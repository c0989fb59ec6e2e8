// Waves of all work-groups meet at barriers of global wave sync, again and again, and take from its semaphores.
// RUN: %offgrid as -mcpu=gfx906 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --kernel meet --grid 1280 --group 64 --arg out:%t.1:16 && od -An -tu4 %t.1 | FileCheck %s
// RUN: %offgrid run %t.co --kernel meet --grid 1280 --group 64 --threads 2 --arg out:%t.2:16 && od -An -tu4 %t.2 | FileCheck %s
// RUN: %offgrid run %t.co --kernel meet --grid 1280 --group 64 --schedule=random:5 --arg out:%t.3:16 && od -An -tu4 %t.3 | FileCheck %s
// RUN: %not %offgrid run %t.co --kernel alone --grid 64 --group 64 --timeout 1 --arg out:%t.4:16 2>&1 | FileCheck %s --check-prefix=ALONE
// The flag, what all added, who saw too little, who came to the end.
// CHECK: 1 60 0 20
// ALONE: still running after 1 seconds (--timeout), at alone+0x10
.amdgcn_target "amdgcn-amd-amdhsa--gfx906"

.macro descriptor name
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel \name
  .amdhsa_kernarg_size 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_x 1
  .amdhsa_next_free_vgpr 6
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.text
.globl \name
.p2align 8
.type \name,@function
.endm

descriptor meet
meet: // s2: group
  s_mov_b32 s8, s2
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  s_mov_b64 exec, 1
  v_mov_b32_e32 v0, 0
  v_mov_b32_e32 v1, 1
  v_mov_b32_e32 v2, 19
  v_mov_b32_e32 v4, 0
  s_mov_b32 m0, 0x30000
  s_waitcnt lgkmcnt(0)
  s_cmp_eq_u32 s8, 0
  s_cbranch_scc0 wait_for_flag
  ds_gws_init v2 offset:4 gds
  ds_gws_init v4 offset:5 gds
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v1, s[4:5]
wait_for_flag:
  global_load_dword v3, v0, s[4:5] glc
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s9, v3
  s_cmp_eq_u32 s9, 0
  s_cbranch_scc1 wait_for_flag
  s_mov_b32 s10, 0
round: // what all add before the barrier is there behind it
  s_add_u32 s10, s10, 20
  global_atomic_add v0, v1, s[4:5] offset:4
  s_waitcnt vmcnt(0)
  ds_gws_barrier v2 offset:4 gds
  s_waitcnt lgkmcnt(0)
  global_load_dword v3, v0, s[4:5] offset:4 glc
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s9, v3
  s_cmp_eq_u32 s9, s10
  s_cbranch_scc1 as_it_should_be
  global_atomic_add v0, v1, s[4:5] offset:8
as_it_should_be:
  ds_gws_barrier v2 offset:4 gds
  s_cmp_lt_u32 s10, 60
  s_cbranch_scc1 round
  s_cmp_eq_u32 s8, 0 // the first lets the others go: eighteen, and one
  s_cbranch_scc0 take
  v_mov_b32_e32 v5, 18
  ds_gws_sema_br v5 offset:5 gds
  ds_gws_sema_v offset:5 gds
  s_branch end
take:
  ds_gws_sema_p offset:5 gds
end:
  global_atomic_add v0, v1, s[4:5] offset:12
  s_endpgm

descriptor alone
alone: // nobody else comes
  v_mov_b32_e32 v2, 1
  s_mov_b32 m0, 0
  ds_gws_init v2 gds
  ds_gws_barrier v2 gds
  s_endpgm
