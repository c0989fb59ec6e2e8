// What people and programs are told of a kernel.
// RUN: llvm-mc -triple amdgcn-amd-amdhsa -mcpu=gfx900 -mattr=+xnack -filetype=obj %s -o %t.o
// RUN: %offgrid ld %t.o -o %t.hsaco
// RUN: %offgrid info %t.hsaco | FileCheck %s
// RUN: %offgrid info %t.o | FileCheck --check-prefix=OBJECT %s
// RUN: %offgrid info --json %t.hsaco | %python -c "import json,sys; c=json.load(sys.stdin); k=c['kernels'][0]; print(c['target'], k['vgprs'], k['occupancy']['waves_per_simd'], k['occupancy']['limit'], [a['kind'] for a in k['kernarg']['args']], k['descriptor']['enable_sgpr_kernarg_segment_ptr'])" | FileCheck --check-prefix=JSON %s

// CHECK: loadable code object, ELF64, OS ABI amdhsa, code object V
// CHECK-NEXT: target amdgcn-amd-amdhsa--gfx900:xnack+, e_flags
// CHECK: kernel k
// CHECK-NEXT: descriptor k.kd at 0x{{[0-9a-f]+}}, entry 0x{{[0-9a-f]+}}00, 4 bytes of code
// CHECK-NEXT: uses 40 VGPRs, 16 SGPRs, 1024 bytes LDS, 0 bytes scratch
// CHECK-NEXT: wavefront 64 lanes
// CHECK-NEXT: work-group must be 64x2x1
// CHECK-NEXT: occupancy 6 of 10 waves per SIMD, limited by VGPRs (VGPRs 6, SGPRs 10, work-group 8, LDS 8)
// CHECK-NEXT: registers s[0:1] kernarg segment pointer, s2 work-group id x, v0 work-item id x
// CHECK-NEXT: kernarg 12 bytes, aligned to 8
// CHECK-NEXT: offset size kind address space name
// CHECK-NEXT: 0 8 global_buffer global out (float*)
// CHECK-NEXT: 8 4 by_value n
// CHECK: notes
// CHECK-NEXT: .note AMDGPU NT_AMDGPU_METADATA
// CHECK: symbols
// CHECK: 64 object global protected .rodata k.kd

// OBJECT: relocatable object
// OBJECT: descriptor k.kd at 0x0, entry 0x0, 4 bytes of code
// OBJECT: .rodata 0x00000010 R_AMDGPU_REL64 k + 0x10

// JSON: amdgcn-amd-amdhsa--gfx900:xnack+ 40 6 VGPRs ['global_buffer', 'by_value'] 1

  .text
  .globl k
  .protected k
  .p2align 8
  .type k,@function
k:
  s_endpgm
.Lend:
  .size k, .Lend-k
  .rodata
  .p2align 6
  .protected k.kd
  .amdhsa_kernel k
    .amdhsa_group_segment_fixed_size 1024
    .amdhsa_user_sgpr_kernarg_segment_ptr 1
    .amdhsa_next_free_vgpr 40
    .amdhsa_next_free_sgpr 10
  .end_amdhsa_kernel
  .amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 12
    .group_segment_fixed_size: 1024
    .private_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 40
    .max_flat_workgroup_size: 256
    .reqd_workgroup_size: [64, 2, 1]
    .args:
      - {.name: out, .type_name: 'float*', .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: n, .offset: 8, .size: 4, .value_kind: by_value}
  .end_amdgpu_metadata
