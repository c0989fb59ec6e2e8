// ds_*_src2_*, whose operands are both in LDS, are checked as other instructions of LDS are, in order with them: no transfer that
// owns LDS while it is outstanding.
// RUN: %offgrid as -mcpu=gfx803 %s -o %t.8.o && %offgrid as -mcpu=gfx906 %s -o %t.9.o
// RUN: %offgrid check %t.8.o --kernel pair --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: %offgrid check %t.9.o --kernel pair --grid 64 --group 64 --arg buf:256 2>&1 | count 0
// RUN: not %offgrid check %t.9.o --kernel beyond --grid 64 --group 64 --arg buf:256 2>&1 | FileCheck %s
// CHECK: error: kernel 'beyond': {{.*}}'ds_add_src2_u32 v0 offset:16' faults: LDS read of 4 bytes by lane 48 is out of range: the work-group has 512 bytes (address 0x200) (work-group 0,0,0, wave 0, lane 48) [bounds]
// CHECK-NOT: error
.macro kernel name
  .section .rodata,"a",@progbits
  .p2align 6
  .amdhsa_kernel \name
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_group_segment_fixed_size 512
    .amdhsa_next_free_vgpr 8
    .amdhsa_next_free_sgpr 16
  .end_amdhsa_kernel
  .text
  .p2align 8
\name:
  s_mov_b32 m0, -1
  v_lshlrev_b32 v0, 2, v0
  v_mov_b32 v1, 3
.endm
kernel pair
  ds_write_b32 v0, v1
  ds_write_b32 v0, v1 offset:256
  ds_add_src2_u32 v0 offset:16 // 64 bytes behind
  ds_read_b32 v2, v0
  s_waitcnt lgkmcnt(0)
  s_endpgm
kernel beyond
  ds_write_b32 v0, v1
  ds_write_b32 v0, v1 offset:256
  v_or_b32 v0, 0x100, v0
  ds_add_src2_u32 v0 offset:16
  s_waitcnt lgkmcnt(0)
  s_endpgm
