// With -n nothing lays bytes before a section is chosen; that is told once.
// RUN: %not %offgrid mc -n -triple=amdgcn-amd-amdhsa -mcpu=gfx900 %s 2> %t.ours > %t.listing
// RUN: %not llvm-mc -n -triple=amdgcn-amd-amdhsa -mcpu=gfx900 %s 2> %t.llvm | diff - %t.listing
// RUN: diff %t.llvm %t.ours
// RUN: %offgrid mc -n -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -defsym CHOSEN=1 %s | FileCheck %s

.set x, 1
.globl name
.ifdef CHOSEN
.data
.endif
.byte 1
name:
.long 2

// CHECK: .data
// CHECK: .byte 1
