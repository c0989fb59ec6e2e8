// What a kernel exports leads nowhere but to a trace: the target, the lane, and the values that are enabled, of active lanes
// ("RDNA2" ISA, 11.1: targets 0 to 7 are render targets, 8 depth, 9 nothing, 12 to 16 positions, 32 to 63 parameters).
// Compressed, two registers have two halves each.
// RUN: %offgrid as -mcpu=gfx1030 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --kernel exports --grid 2 --group 2 --arg out:%t.bin:8 --trace=%t.trace
// RUN: grep 'lane . exports' %t.trace | FileCheck --match-full-lines %s
// RUN: od -An -tx4 %t.bin | FileCheck --check-prefix=AFTER %s

// CHECK:      0.0 lane 0 exports to target 12: 00000000 00000007 00000010 00000007
// CHECK-NEXT: 0.0 lane 1 exports to target 12: 00000001 00000007 00000011 00000007
// CHECK-NEXT: 0.0 lane 0 exports to target 0: 00000000 off off 00000010
// CHECK-NEXT: 0.0 lane 1 exports to target 0: 00000001 off off 00000011
// CHECK-NEXT: 0.0 lane 1 exports to target 35: 00000007 00000011 off off
// CHECK-NEXT: 0.0 lane 0 exports to target 9: off off off off
// CHECK-NEXT: 0.0 lane 1 exports to target 9: off off off off
// CHECK-NOT:  exports
// AFTER: 00000010 00000011

.amdgcn_target "amdgcn-amd-amdhsa--gfx1030"
.text
.globl exports
.p2align 8
.type exports,@function
exports:
  s_load_dwordx2 s[4:5], s[0:1], 0x0
  v_mov_b32 v1, 7
  v_or_b32 v2, 16, v0
  exp pos0 v0, v1, v2, v1
  exp mrt0 v0, off, off, v2 vm
  s_mov_b32 exec_lo, 2
  exp param3 v1, v1, v2, v2 compr
  s_mov_b32 exec_lo, 3
  exp null off, off, off, off done
  v_lshlrev_b32 v3, 2, v0
  s_waitcnt lgkmcnt(0) expcnt(0)
  global_store_dword v3, v2, s[4:5]
  s_endpgm
.size exports, .-exports

.rodata
.p2align 6
.amdhsa_kernel exports
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
