// What dis prints assembles to the same bytes.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o
// RUN: %offgrid dis %t.o -o %t.s
// RUN: FileCheck %s < %t.s
// RUN: %offgrid as -mcpu=gfx900 %t.s -o %t.2.o
// RUN: llvm-objdump -s -j .text -j .rodata %t.o | tail -n +3 > %t.1.txt
// RUN: llvm-objdump -s -j .text -j .rodata %t.2.o | tail -n +3 > %t.2.txt
// RUN: diff %t.1.txt %t.2.txt

// CHECK: .amdgcn_target "amdgcn-amd-amdhsa--gfx900"
// CHECK: .type kernel,@function
// CHECK: kernel:
.text
.globl kernel
.p2align 8
.type kernel,@function
kernel:
// CHECK: s_cbranch_scc1 [[L:.L.*]]
  s_cbranch_scc1 done
  s_getpc_b64 s[4:5]
// CHECK: s_add_u32 s4, s4, other@rel32@lo+4
  s_add_u32 s4, s4, other@rel32@lo+4
  v_fma_f32 v0, -v1, |v2|, 0.5
// CHECK: .long 0xffffffff
  .long 0xffffffff
// CHECK: [[L]]:
// CHECK: s_endpgm
done:
  s_endpgm

// CHECK: .amdhsa_kernel kernel
// CHECK: .amdhsa_next_free_vgpr
.rodata
.p2align 6
.amdhsa_kernel kernel
  .amdhsa_next_free_vgpr .amdgcn.next_free_vgpr
  .amdhsa_next_free_sgpr .amdgcn.next_free_sgpr
.end_amdhsa_kernel
.long 1, 2
