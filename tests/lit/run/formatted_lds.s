// A formatted load to LDS: each lane's converted number is a dword of its own there, from M0 on.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o
// RUN: %offgrid run %t.o --kernel formatted --grid 64 --group 64 --arg out:%t.bin:512
// RUN: od -An -v -tf4 -j256 -w16 %t.bin | FileCheck %s
// CHECK:      0 1 2 3
// CHECK-NEXT: 4 5 6 7
// CHECK:      60 61 62 63
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel formatted
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_group_segment_fixed_size 512
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.text
.p2align 8
formatted:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_lshlrev_b32 v1, 1, v0
  v_lshlrev_b32 v2, 2, v0
  s_movk_i32 m0, 64
  s_waitcnt lgkmcnt(0)
  global_store_short v1, v0, s[4:5]
  s_or_b32 s5, s5, 2 << 16         // two bytes each,
  s_mov_b32 s6, 64                 // 64 of them,
  s_mov_b32 s7, 4 | 2 << 12 | 2 << 15 // 16 bits without a sign that become a float (USCALED)
  s_waitcnt vmcnt(0)
  buffer_load_format_x v0, s[4:7], 0 idxen lds
  s_waitcnt vmcnt(0)
  ds_read_b32 v3, v2 offset:64
  s_and_b32 s5, s5, 0xffff
  s_waitcnt lgkmcnt(0)
  global_store_dword v2, v3, s[4:5] offset:256
  s_endpgm
