// What clang 15 makes of v_permlanex16_b32 with bound_ctrl has bits of source 1's modifiers, which hardware does not read.
// RUN: %offgrid as -mcpu=gfx1030 %s -o %t.o && %offgrid run %t.o --kernel swap --grid 32 --group 32 --arg out:%t.bin:128
// RUN: od -An -v -td4 -w4 %t.bin | uniq -c | FileCheck %s
// CHECK: 16 {{ *}}16
// CHECK-NEXT: 16 {{ *}}0
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel swap
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.text
.p2align 8
swap:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_mov_b32_e32 v3, v0
  v_mov_b32_e32 v4, 0
  .long 0xd7781204 // v_permlanex16_b32 v4, v3, 0, 0 op_sel:[0,1], with abs and
  .long 0x42010103 // neg of source 1
  v_lshlrev_b32_e32 v5, 2, v0
  s_waitcnt lgkmcnt(0)
  global_store_dword v5, v4, s[0:1]
  s_endpgm
