// The halves of VOPD both read before either writes.
// RUN: %offgrid as -mcpu=gfx1100 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --kernel pairs --grid 2 --group 2 --arg out:%t.1:32 && od -An -v -tx4 -w16 %t.1 | FileCheck %s
// Registers exchanged, twice in a row; a sum of what the other half replaces; a product added to what it is put in.
//      CHECK: 00000001 00000002 00000003 00000007
// CHECK-NEXT: 00000002 00000004 00000006 0000000e
.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
.text
.globl pairs
.p2align 8
.type pairs,@function
pairs:
  s_load_b64 s[2:3], s[0:1], 0x0
  v_and_b32_e32 v0, 0x3ff, v0
  v_lshlrev_b32_e32 v9, 4, v0                                        // where to store
  v_add_nc_u32_e32 v4, 1, v0                                         // 1, 2
  v_lshlrev_b32_e32 v5, 1, v4                                        // 2, 4
  v_dual_mov_b32 v4, v5 :: v_dual_mov_b32 v5, v4
  v_dual_mov_b32 v4, v5 :: v_dual_mov_b32 v5, v4
  v_dual_mov_b32 v8, v4 :: v_dual_add_nc_u32 v7, v5, v4              // 3, 6
  v_mov_b32_e32 v6, v7
  v_dual_mov_b32 v6, 1.0 :: v_dual_add_nc_u32 v7, v6, v7             // v7: 6, 12, with the old v6
  v_add_nc_u32_e32 v7, v4, v7                                        // 7, 14
  v_add_nc_u32_e32 v6, v4, v5                                        // 3, 6
  s_waitcnt lgkmcnt(0)
  global_store_b128 v9, v[4:7], s[2:3]
  s_endpgm

.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel pairs
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 10
  .amdhsa_next_free_sgpr 8
  .amdhsa_wavefront_size32 1
.end_amdhsa_kernel

.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx1100
amdhsa.kernels:
  - .name: pairs
    .symbol: pairs.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 8
    .vgpr_count: 10
    .max_flat_workgroup_size: 256
    .args:
      - .size: 8
        .offset: 0
        .value_kind: global_buffer
        .address_space: global
.end_amdgpu_metadata
