// gfx12.5 addresses: scale_offset multiplies offsets in registers by what an access moves, those beside a scalar base are
// signed, and a buffer's descriptor has 57 bits of base and 45 of size in bytes.
// RUN: %offgrid as -mcpu=gfx1250 %s -o %t.o
// RUN: %offgrid run %t.o --kernel addresses --grid 32 --group 32 --arg out:%t.bin:512
// RUN: od -An -v -td4 -w64 %t.bin | FileCheck %s
// CHECK:      0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
// CHECK-NEXT: 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31
// CHECK-NEXT: 5000 6111 7222 8333
// CHECK-NEXT: 21016 22017 23018
.text
.macro kernel name
  .section .rodata,"a",@progbits
  .p2align 6
  .amdhsa_kernel \name
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_next_free_vgpr 16
    .amdhsa_next_free_sgpr 16
  .end_amdhsa_kernel
  .text
  .p2align 8
\name:
  s_load_b64 s[2:3], s[0:1], 0x0
  v_and_b32 v0, 0x3ff, v0
  s_wait_kmcnt 0
.endm
kernel addresses
  global_store_b32 v0, v0, s[2:3] scale_offset
  s_wait_storecnt 0
  s_add_nc_u64 s[4:5], s[2:3], 64
  v_add_nc_u32 v1, -16, v0
  global_load_b32 v2, v1, s[4:5] scale_offset        // lane
  flat_load_b32 v3, v0, s[2:3] scale_offset          // lane
  v_mov_b32 v4, 0
  global_atomic_add_u32 v5, v0, v4, s[2:3] scale_offset th:TH_ATOMIC_RETURN
  s_mov_b32 s6, 5
  s_load_b32 s7, s[2:3], s6 offset:0x0 scale_offset  // 5
  s_mov_b32 s8, s2
  s_or_b32 s9, s3, 64 << 25                          // 64 bytes
  s_mov_b32 s10, 0
  s_mov_b32 s11, 0
  v_lshlrev_b32 v6, 2, v0
  buffer_load_b32 v7, v6, s[8:11], null offen        // lane, 0 from 16 on
  s_wait_loadcnt_dscnt 0
  s_wait_kmcnt 0
  v_mul_u32_u24 v3, 10, v3
  v_mul_u32_u24 v7, 100, v7
  v_mul_u32_u24 v5, 1000, v5
  v_add3_u32 v2, v2, v3, v7
  v_add_nc_u32 v2, v2, v5
  s_mul_i32 s7, s7, 1000
  v_add_nc_u32 v2, s7, v2
  v_mul_u32_u24 v3, 10, v0
  v_cmp_gt_u32 vcc_lo, 16, v0
  v_cndmask_b32 v3, v3, 0, vcc_lo
  v_sub_nc_u32 v2, v2, v3
  global_store_b32 v0, v2, s[2:3] offset:128 scale_offset
  s_endpgm
