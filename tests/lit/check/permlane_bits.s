// What clang 15 makes of v_permlanex16_b32 with bound_ctrl no assembler writes; it runs, and checkers know what it writes: v4 is defined
// by it, and the wait for v3 that is missing in front of it is told.
// RUN: %offgrid as -mcpu=gfx1030 %s -o %t.o
// RUN: %offgrid check %t.o --kernel swap --grid 32 --group 32 --arg buf:128 2>&1 | count 0
// RUN: not %offgrid check %t.o --kernel unwaited --grid 32 --group 32 --arg buf:128 2>&1 | FileCheck %s
// CHECK: error: kernel 'unwaited': unwaited+0x{{.*}} reads v3 while {{.*}} still fills it{{.*}} [waits]
// CHECK-NOT: error
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel swap
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.amdhsa_kernel unwaited
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.text
.p2align 8
swap:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_mov_b32_e32 v3, v0
  .long 0xd7781204 // v_permlanex16_b32 v4, v3, 0, 0 op_sel:[0,1], with abs and
  .long 0x42010103 // neg of source 1
  v_lshlrev_b32_e32 v5, 2, v0
  s_waitcnt lgkmcnt(0)
  global_store_dword v5, v4, s[0:1]
  s_endpgm
.p2align 8
unwaited:
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v5, 2, v0
  s_waitcnt lgkmcnt(0)
  global_load_dword v3, v5, s[0:1]
  .long 0xd7781204
  .long 0x42010103
  global_store_dword v5, v4, s[0:1]
  s_endpgm
