// An s_nop behind it lengthens a branch over exactly 63 dwords, at which gfx10.1 goes astray; which lengthens what goes over that one.
// RUN: %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx1010 -filetype=obj -o %t.gfx1010.o %s
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx1010 -filetype=obj -o %t.llvm.o %s && cmp %t.gfx1010.o %t.llvm.o
// RUN: %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx1013 -filetype=obj -o %t.gfx1013.o %s
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx1013 -filetype=obj -o %t.llvm.o %s && cmp %t.gfx1013.o %t.llvm.o
// RUN: %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx1030 -filetype=obj -o %t.gfx1030.o %s
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx1030 -filetype=obj -o %t.llvm.o %s && cmp %t.gfx1030.o %t.llvm.o
// RUN: %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj -o %t.gfx900.o %s
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj -o %t.llvm.o %s && cmp %t.gfx900.o %t.llvm.o
// RUN: llvm-objdump -d %t.gfx1010.o | FileCheck %s
// RUN: llvm-objdump -d %t.gfx900.o | FileCheck --check-prefix=OTHER %s
k:
  s_branch outer
  s_cbranch_scc0 inner
  .fill 62, 4, 0xbf800001
  s_nop 5
inner:
  s_endpgm
outer:
  s_branch 63
  s_cbranch_vccz k
  .fill 59, 4, 0xbf800001
  .long outer - k
  s_cbranch_execz end
  .fill 63, 4, 0xbf800001
end:
  s_endpgm
  .uleb128 far - end
  .fill 41, 4, 0xbf800001
far:
// CHECK: BF820042
// CHECK-NEXT: BF840040
// CHECK-NEXT: BF800000
// CHECK-NEXT: BF800001
// CHECK: <outer>:
// CHECK-NEXT: BF82003F
// CHECK: s_cbranch_execz end {{.*}}BF880040
// CHECK-NEXT: BF800000
// OTHER: BF820041
// OTHER-NEXT: BF84003F
// OTHER-NEXT: BF800001
