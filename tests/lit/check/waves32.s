// Waves of 32 lanes: invalidations of caches, for which nobody waits, count behind loads; code that keeps one lane on by a constant
// may come to barriers so.
// RUN: %offgrid as -mcpu=gfx1030 %s -o %t.o
// RUN: %offgrid check %t.o --kernel counted --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: not %offgrid check %t.o --kernel counted_less --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck %s
// RUN: %offgrid check %t.o --kernel parked --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// CHECK: error: kernel 'counted_less': {{.*}}'v_add_nc_u32_e32 v1, 1, v1' reads v1 while {{.*}} still fills it; waiting for vmcnt(2) before would do (work-group 0,0,0, wave {{[01]}}, lane 0; 2 times) [waits]
// CHECK-NOT: error
.macro kernel name
  .section .rodata,"a",@progbits
  .p2align 6
  .amdhsa_kernel \name
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_next_free_vgpr 8
    .amdhsa_next_free_sgpr 16
  .end_amdhsa_kernel
  .text
  .p2align 8
\name:
.endm
.macro count limit
  s_load_dwordx2 s[0:1], s[0:1], 0x0
  v_lshlrev_b32_e32 v0, 2, v0
  s_waitcnt lgkmcnt(0)
  buffer_gl0_inv
  global_load_dword v1, v0, s[0:1]
  buffer_gl0_inv
  buffer_gl0_inv
  s_waitcnt vmcnt(\limit)
  v_add_nc_u32_e32 v1, 1, v1
  s_endpgm
.endm
kernel counted
  count 2
kernel counted_less
  count 3
kernel parked
  s_mov_b32 exec_lo, 1
  s_barrier
  s_endpgm
