// Lines of several files, with their text; found again by the disassembler and in the executor's errors.
// RUN: %offgrid as -gembed-source -I %S/Inputs %s -o %t.o
// RUN: llvm-dwarfdump --debug-line %t.o | FileCheck %s --check-prefix=TABLE
// RUN: llvm-dwarfdump --verify %t.o
// RUN: %offgrid dis -l %t.o | FileCheck %s
// RUN: %offgrid ld %t.o -o %t.hsaco
// RUN: %offgrid dis -l %t.hsaco | FileCheck %s
// RUN: %not %offgrid run %t.hsaco --kernel k --grid 64 --group 64 --arg u64:4096 2>&1 | FileCheck %s --check-prefix=FAULT

.amdgcn_target "amdgcn-amd-amdhsa--gfx900"
.text
.globl k
.p2align 8
.type k,@function
k:
  s_load_dwordx2 s[0:1], s[4:5], 0x0
.include "lines.inc"
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v1, s[0:1]
  s_endpgm
.Lend:
  .size k, .Lend-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_user_sgpr_private_segment_buffer 1
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 10
.end_amdhsa_kernel
.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 8
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 10
    .vgpr_count: 4
    .max_flat_workgroup_size: 64
    .args:
      - { .size: 8, .offset: 0, .value_kind: by_value }
.end_amdgpu_metadata

// TABLE: name: "{{.*}}lines.s"
// TABLE: source: "// Lines of several files
// TABLE: name: "{{.*}}lines.inc"
// TABLE: source: "  v_mov_b32 v1, 1\n.rept 2\n  s_nop 5\n.endr\n"

// CHECK: ; {{.*}}lines.s:16
// CHECK-NEXT: s_load_dwordx2
// CHECK-NEXT: ; {{.*}}lines.inc:1
// CHECK-NEXT: v_mov_b32_e32 v1, 1
// CHECK-NEXT: ; {{.*}}lines.inc:2
// CHECK-NEXT: s_nop 5
// CHECK-NEXT: s_nop 5
// CHECK-NEXT: ; {{.*}}lines.s:18
// CHECK-NEXT: s_waitcnt

// FAULT: at k+{{.*}} 'global_store_dword v0, v1, s[0:1]' ({{.*}}lines.s:19), address 0x1000
