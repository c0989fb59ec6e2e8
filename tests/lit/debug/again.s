// Going back is running again, so what runs again is the same: clocks, scratch and all; a change by the user is made again.
// RUN: %offgrid debug %s --grid 128 --group 64 --arg buf:4 --batch -x %S/Inputs/again.gdb | FileCheck %s
// CHECK: wave 1.0 (work-group 1,0,0), lane 0, at k+0x28
// CHECK: $n = 16
// CHECK-NEXT: $s[6:7] = 0x[[CLOCK:[0-9a-f]+]]
// CHECK: wave 0.0 (work-group 0,0,0), lane 0, at k+0x24
// CHECK: $n = 6
// CHECK: wave 1.0 (work-group 1,0,0), lane 0, at k+0x28
// CHECK: $s[6:7] = 0x[[CLOCK]]

// The counter is changed before the second work-group adds to it; so it is again on the way back.
// CHECK: global.u32[$arg0] = 64
// CHECK: $n = 15
// CHECK-NEXT: global.u32[$arg0] = 1064
// CHECK: at k+0x14
// CHECK: global.u32[$arg0] = 1000
// CHECK: The kernel has come to its end: 2 work-groups, 2 waves, 18 instructions
// CHECK-NEXT: global.u32[$arg0] = 1064
// CHECK: This is the beginning, wave 0.0
// CHECK: global.u32[$arg0] = 0
.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx2 s[2:3], s[0:1], 0x0
  v_mov_b32_e32 v0, 0
  v_mov_b32_e32 v1, 1
  s_waitcnt lgkmcnt(0)
  global_atomic_add v0, v1, s[2:3]
  s_memtime s[6:7]
  s_waitcnt lgkmcnt(0)
  s_nop 0
  s_endpgm
.section .rodata,"a",@progbits
.p2align 6
.amdhsa_kernel k
  .amdhsa_kernarg_size 8
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 2
  .amdhsa_next_free_sgpr 8
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 8
    .vgpr_count: 2
    .max_flat_workgroup_size: 64
    .args:
      - {.name: counter, .size: 8, .offset: 0, .value_kind: global_buffer, .address_space: global}
...
.end_amdgpu_metadata
