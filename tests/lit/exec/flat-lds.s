// Up to gfx8 M0 limits LDS. Until a kernel sets it, it does not: LLVM's compilers leave volatile accesses flat and set M0 for DS
// instructions only. Loads, stores and atomics, lanes at once and, under `check`, lane by lane.
// RUN: %offgrid as -mcpu=gfx803 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --kernel flat_lds --grid 4 --group 4 --arg out:%t.1:64 && od -An -v -td4 -w16 %t.1 | FileCheck %s
// RUN: %offgrid check %t.co --only=waits,races,uninit --kernel flat_lds --grid 4 --group 4 --arg out:%t.2:64 && od -An -v -td4 -w16 %t.2 | FileCheck %s
// What a flat store wrote: read flat, by an atomic, by DS with M0 0 and with M0 -1.
//      CHECK: 10 10 0 15
// CHECK-NEXT: 11 11 0 16
// CHECK-NEXT: 12 12 0 17
// CHECK-NEXT: 13 13 0 18
.amdgcn_target "amdgcn-amd-amdhsa--gfx803"
.text
.globl flat_lds
.p2align 8
.type flat_lds,@function
flat_lds:
  s_load_dwordx2 s[2:3], s[2:3], 0x0
  s_load_dword s4, s[0:1], 0x40                                      // amd_queue_t's group_segment_aperture_base_hi
  v_lshlrev_b32_e32 v1, 2, v0
  v_add_u32_e32 v4, vcc, 10, v0
  v_mov_b32_e32 v9, 5
  s_waitcnt lgkmcnt(0)
  v_mov_b32_e32 v2, s4
  flat_store_dword v[1:2], v4
  s_waitcnt vmcnt(0) lgkmcnt(0)
  flat_load_dword v5, v[1:2]
  s_waitcnt vmcnt(0) lgkmcnt(0)
  flat_atomic_add v6, v[1:2], v9 glc
  s_waitcnt vmcnt(0) lgkmcnt(0)
  s_mov_b32 m0, 0
  ds_read_b32 v7, v1
  s_waitcnt lgkmcnt(0)
  s_mov_b32 m0, -1
  ds_read_b32 v8, v1
  v_lshlrev_b32_e32 v10, 4, v0
  v_add_u32_e32 v10, vcc, s2, v10
  v_mov_b32_e32 v11, s3
  v_addc_u32_e32 v11, vcc, 0, v11, vcc
  s_waitcnt lgkmcnt(0)
  flat_store_dwordx4 v[10:11], v[5:8]
  s_endpgm

.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel flat_lds
  .amdhsa_group_segment_fixed_size 16
  .amdhsa_user_sgpr_queue_ptr 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 12
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel

.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx803
amdhsa.kernels:
  - .name: flat_lds
    .symbol: flat_lds.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 16
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 10
    .max_flat_workgroup_size: 256
    .args:
      - .size: 8
        .offset: 0
        .value_kind: global_buffer
        .address_space: global
.end_amdgpu_metadata
