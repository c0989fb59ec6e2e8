// Work-groups that wait for one another all come to their end, however they are scheduled.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --kernel meet --grid 6400 --group 128 --arg out:%t.1:4 && od -An -tu4 %t.1 | FileCheck %s
// RUN: %offgrid run %t.co --kernel meet_sleeping --grid 6400 --group 128 --arg out:%t.2:4 && od -An -tu4 %t.2 | FileCheck %s
// RUN: %offgrid run %t.co --kernel meet --grid 6400 --group 128 --threads 2 --arg out:%t.3:4 && od -An -tu4 %t.3 | FileCheck %s
// RUN: %offgrid run %t.co --kernel meet --grid 6400 --group 128 --schedule=random:7 --arg out:%t.4:4 && od -An -tu4 %t.4 | FileCheck %s
// CHECK: 100
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text

.globl meet
.p2align 8
.type meet,@function
meet: // 50 groups of two waves; each wave adds one and waits for the sum
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  s_mov_b64 exec, 1
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 1
  s_waitcnt lgkmcnt(0)
  global_atomic_add v1, v2, s[2:3]
meet_again:
  s_nop 0
  global_load_dword v3, v1, s[2:3] glc
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s4, v3
  s_cmp_lt_u32 s4, 100
  s_cbranch_scc1 meet_again
  s_barrier
  s_endpgm

.globl meet_sleeping
.p2align 8
.type meet_sleeping,@function
meet_sleeping: // 50 groups of two waves; each wave adds one and waits for the sum
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  s_mov_b64 exec, 1
  v_mov_b32_e32 v1, 0
  v_mov_b32_e32 v2, 1
  s_waitcnt lgkmcnt(0)
  global_atomic_add v1, v2, s[2:3]
meet_sleeping_again:
  s_sleep 1
  global_load_dword v3, v1, s[2:3] glc
  s_waitcnt vmcnt(0)
  v_readfirstlane_b32 s4, v3
  s_cmp_lt_u32 s4, 100
  s_cbranch_scc1 meet_sleeping_again
  s_barrier
  s_endpgm

.section .rodata,"a",@progbits

.p2align 6
.amdhsa_kernel meet
  .amdhsa_kernarg_size 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel

.p2align 6
.amdhsa_kernel meet_sleeping
  .amdhsa_kernarg_size 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: meet
    .symbol: meet.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 14
    .vgpr_count: 4
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: out, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
  - .name: meet_sleeping
    .symbol: meet_sleeping.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 14
    .vgpr_count: 4
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: out, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
...
.end_amdgpu_metadata
