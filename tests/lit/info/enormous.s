// Metadata may ask for more registers and memory than there are, by any number.
// RUN: %offgrid as %s -o %t.o
// RUN: %offgrid info %t.o | FileCheck %s
// CHECK: uses 4294967295 VGPRs, 4294967295 SGPRs, 4294967295 bytes LDS
// CHECK: occupancy 0 of 10 waves per SIMD, limited by VGPRs (VGPRs 0, SGPRs 0, work-group 10, LDS 0)
  .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
  .text
  .p2align 8
  .type k,@function
k:
  s_endpgm
  .rodata
  .amdhsa_kernel k
    .amdhsa_next_free_vgpr 1
    .amdhsa_next_free_sgpr 1
  .end_amdhsa_kernel
  .amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx900
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .sgpr_count: 4294967295
    .vgpr_count: 4294967295
    .group_segment_fixed_size: 4294967295
    .private_segment_fixed_size: 0
    .kernarg_segment_size: 0
    .kernarg_segment_align: 4
    .wavefront_size: 64
    .max_flat_workgroup_size: 256
...
  .end_amdgpu_metadata
