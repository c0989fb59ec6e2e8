// Flat accesses to private memory: FLAT_SCRATCH is set up as each generation wants it, up to gfx8 as a size and an offset
// in units of 256 bytes.
// RUN: %offgrid as -mcpu=gfx700 -D OLD=1 %s -o %t.7.o && %offgrid as -mcpu=gfx803 -D OLD=1 %s -o %t.8.o
// RUN: %offgrid as -mcpu=gfx900 -D OLD=0 %s -o %t.9.o
// RUN: %offgrid run %t.7.o --kernel stack --grid 256 --group 64 --arg out:%t.bin:1024
// RUN: od -An -v -td4 -w4 %t.bin | FileCheck %s
// RUN: %offgrid run %t.8.o --kernel stack --grid 256 --group 64 --arg out:%t.bin:1024
// RUN: od -An -v -td4 -w4 %t.bin | FileCheck %s
// RUN: %offgrid run %t.9.o --kernel stack --grid 256 --group 64 --arg out:%t.bin:1024
// RUN: od -An -v -td4 -w4 %t.bin | FileCheck %s
// CHECK: 0
// CHECK-NEXT: 1
// CHECK: 63
// CHECK-NEXT: 1000
// CHECK: 3063
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel stack
  .amdhsa_user_sgpr_queue_ptr 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_user_sgpr_flat_scratch_init 1
  .amdhsa_system_sgpr_private_segment_wavefront_offset 1
  .amdhsa_private_segment_fixed_size 64
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 32
.end_amdhsa_kernel
.text
.p2align 8
stack:
.if OLD
  s_add_u32 s4, s4, s7
  s_lshr_b32 flat_scratch_hi, s4, 8
  s_mov_b32 flat_scratch_lo, s5
.else
  s_add_u32 flat_scratch_lo, s4, s7
  s_addc_u32 flat_scratch_hi, s5, 0
.endif
  s_add_u32 s0, s0, 0x44 // amd_queue_t.private_segment_aperture_base_hi
  s_addc_u32 s1, s1, 0
  v_mov_b32 v4, s0
  v_mov_b32 v5, s1
  flat_load_dword v3, v[4:5]
  v_mov_b32 v4, s2
  v_mov_b32 v5, s3
  flat_load_dwordx2 v[4:5], v[4:5]
  v_mov_b32 v2, 12
  s_mul_i32 s8, s6, 1000
  v_mov_b32 v1, s8
  v_mad_u32_u24 v1, v0, 1, v1
  s_waitcnt vmcnt(0) lgkmcnt(0)
  flat_store_dword v[2:3], v1
  v_mov_b32 v1, 0
  s_waitcnt vmcnt(0) lgkmcnt(0)
  flat_load_dword v1, v[2:3]
  s_lshl_b32 s8, s6, 8
  v_readfirstlane_b32 s10, v4
  v_readfirstlane_b32 s11, v5
  s_add_u32 s10, s10, s8
  s_addc_u32 s11, s11, 0
  v_lshlrev_b32 v0, 2, v0
  v_or_b32 v4, s10, v0
  v_mov_b32 v5, s11
  s_waitcnt vmcnt(0) lgkmcnt(0)
  flat_store_dword v[4:5], v1
  s_endpgm
