// LLVM's objects for all but HSA have relocation tables without addends, which then stand in the patched fields.
// RUN: llvm-mc -triple amdgcn-amd-amdpal -mcpu=gfx900 -filetype=obj %s -o %t.rel.o
// RUN: llvm-mc -triple amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj %s -o %t.rela.o
// RUN: llvm-readobj --all %t.rel.o > %t.llvm
// RUN: %offgrid readobj --all %t.rel.o > %t.ours
// RUN: diff %t.llvm %t.ours
// RUN: llvm-readelf --all %t.rel.o > %t.llvm
// RUN: %offgrid readobj --elf-output-style=GNU --all %t.rel.o > %t.ours
// RUN: diff %t.llvm %t.ours
// RUN: %offgrid info %t.rel.o | FileCheck %s
// RUN: %offgrid ld --allow-undefined %t.rel.o -o %t.rel.so
// RUN: %offgrid ld --allow-undefined %t.rela.o -o %t.rela.so
// RUN: llvm-readelf -r -x .text %t.rel.so > %t.rel
// RUN: llvm-readelf -r -x .text %t.rela.so > %t.rela
// RUN: diff %t.rel %t.rela
// r600's entries are those of 32-bit files.
// RUN: echo '.long y+3' > %t.r600.s
// RUN: llvm-mc -triple r600-- -mcpu=cedar -filetype=obj %t.r600.s -o %t.r600.o
// RUN: %offgrid info %t.r600.o | FileCheck --check-prefix=R600 %s
// RUN: llvm-readelf --all %t.r600.o > %t.llvm
// RUN: %offgrid readobj --elf-output-style=GNU --all %t.r600.o > %t.ours
// RUN: diff %t.llvm %t.ours
// What we write is alike.
// RUN: %offgrid as -triple=amdgcn-amd-amdpal -mcpu=gfx900 %s -o %t.own.o
// RUN: cmp %t.own.o %t.rel.o

// CHECK: relocations
// CHECK-NEXT: .text 0x00000008 R_AMDGPU_REL32_LO f + 0x4
// CHECK-NEXT: .text 0x00000010 R_AMDGPU_REL32_HI f + 0xc
// CHECK-NEXT: .text 0x00000018 R_AMDGPU_GOTPCREL32_LO away + 0x4
// CHECK-NEXT: .data 0x00000004 R_AMDGPU_ABS64 f + 0x4
// CHECK-NEXT: .data 0x0000000c R_AMDGPU_ABS64 away - 0x7
// CHECK-NEXT: .data 0x00000014 R_AMDGPU_REL64 f + 0x8
// R600: .text 0x00000000 R_AMDGPU_ABS32 y + 0x3

  .text
  s_getpc_b64 s[0:1]
  s_add_u32 s0, s0, f@rel32@lo+4
  s_addc_u32 s1, s1, f@rel32@hi+12
  s_add_u32 s0, s0, away@gotpcrel32@lo+4
  .section .text.f,"ax",@progbits
  .globl f
  .hidden f
f:
  s_setpc_b64 s[30:31]
  .data
  .long 0
  .quad f+4
  .quad away-7
  .quad f@rel64+8
