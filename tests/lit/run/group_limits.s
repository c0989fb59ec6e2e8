// A work-group that the kernel was not compiled for does not run: registers and barriers count on its size.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid ld %t.o -o %t.co
// RUN: %offgrid run %t.co --kernel most --grid 256 --group 256
// RUN: %offgrid run %t.co --kernel most --grid 16,16 --group 16,16
// RUN: %offgrid run %t.co --kernel exact --grid 32,16,2 --group 16,4,2
// RUN: %not %offgrid run %t.co --kernel most --grid 512 --group 512 2>&1 | FileCheck --check-prefix=MOST %s
// RUN: %not %offgrid run %t.co --kernel most --grid 257 --group 257 2>&1 | FileCheck --check-prefix=MOST %s
// RUN: %not %offgrid run %t.co --kernel most --grid 16,16,2 --group 16,16,2 2>&1 | FileCheck --check-prefix=MOST %s
// MOST: error: kernel 'most': work-group of {{512|257}} work-items; the kernel is made for at most 256 (max_flat_workgroup_size)
// RUN: %not %offgrid run %t.co --kernel exact --grid 128 --group 128 2>&1 | FileCheck --check-prefix=EXACT %s
// RUN: %not %offgrid run %t.co --kernel exact --grid 16,2,4 --group 16,2,4 2>&1 | FileCheck --check-prefix=EXACT %s
// EXACT: error: kernel 'exact': work-group of {{128x1x1|16x2x4}} work-items; the kernel requires 16x4x2 (reqd_workgroup_size)

.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.macro kernel name
.text
.globl \name
.p2align 8
.type \name,@function
\name:
  s_endpgm
.L\name:
.size \name, .L\name-\name
.rodata
.p2align 6
.amdhsa_kernel \name
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 1
.end_amdhsa_kernel
.endm
kernel most
kernel exact
.amdgpu_metadata
---
amdhsa.version: [ 1, 2 ]
amdhsa.target: amdgcn-amd-amdhsa--gfx900
amdhsa.kernels:
  - {.name: most, .symbol: most.kd, .kernarg_segment_size: 0, .kernarg_segment_align: 8, .group_segment_fixed_size: 0,
     .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 8, .vgpr_count: 4, .max_flat_workgroup_size: 256}
  - {.name: exact, .symbol: exact.kd, .kernarg_segment_size: 0, .kernarg_segment_align: 8, .group_segment_fixed_size: 0,
     .private_segment_fixed_size: 0, .wavefront_size: 64, .sgpr_count: 8, .vgpr_count: 4, .max_flat_workgroup_size: 128,
     .reqd_workgroup_size: [16, 4, 2]}
...
.end_amdgpu_metadata
