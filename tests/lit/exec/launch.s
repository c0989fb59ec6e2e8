// Registers as the first instruction finds them; groups at the grid's edge are smaller.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --kernel who --grid 10,3 --group 8,2 --arg out:%t.1:120 && od -An -v -tx4 -w40 %t.1 | FileCheck %s
// RUN: %offgrid run %t.co --kernel who --grid 10,3 --group 8,2 --threads 2 --schedule=random:3 --arg out:%t.2:120 && cmp %t.1 %t.2
// Lanes, waves, then y and x of the work-item, y and x of the group.
//      CHECK: 10010000 10010100 10010200 10010300 10010400 10010500 10010600 10010700 04010001 04010101
// CHECK-NEXT: 10011000 10011100 10011200 10011300 10011400 10011500 10011600 10011700 04011001 04011101
// CHECK-NEXT: 08010010 08010110 08010210 08010310 08010410 08010510 08010610 08010710 02010011 02010111
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl who
.p2align 8
.type who,@function
who:
  s_load_dwordx2 s[6:7], s[0:1], 0x0
  s_and_b32 s8, s4, 0x3f               // waves in the group
  s_lshl_b32 s8, s8, 16
  s_bcnt1_i32_b64 s9, exec
  s_lshl_b32 s9, s9, 24
  s_or_b32 s8, s8, s9
  s_lshl_b32 s9, s3, 4
  s_or_b32 s8, s8, s9
  s_or_b32 s8, s8, s2
  v_lshlrev_b32_e32 v2, 8, v0
  v_lshlrev_b32_e32 v3, 12, v1
  v_or_b32_e32 v2, v2, v3
  v_or_b32_e32 v2, s8, v2
  s_lshl_b32 s3, s3, 1
  v_add_u32_e32 v1, s3, v1
  v_mul_u32_u24_e32 v1, 10, v1
  s_lshl_b32 s2, s2, 3
  v_add_u32_e32 v0, s2, v0
  v_add_lshl_u32 v0, v0, v1, 2
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v2, s[6:7]
  s_endpgm

.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel who
  .amdhsa_kernarg_size 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_system_sgpr_workgroup_id_y 1
  .amdhsa_system_sgpr_workgroup_info 1
  .amdhsa_system_vgpr_workitem_id 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 10
.end_amdhsa_kernel

.amdgpu_metadata
---
amdhsa.version: [1, 1]
amdhsa.kernels:
  - .name: who
    .symbol: who.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 4
    .max_flat_workgroup_size: 1024
    .args:
      - {.name: out, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
...
.end_amdgpu_metadata
