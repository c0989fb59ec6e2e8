// Wherever a branch goes, dis gives the place one label, and what it prints assembles to the same bytes: at the code's
// start, behind, in front, in zeros; at the code's end without a symbol, then with one; inside of an instruction.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid dis %t.o -o %t.s && %offgrid as %t.s -o %t.2.o
// RUN: llvm-objcopy -O binary -j .text %t.o %t.1.bin && llvm-objcopy -O binary -j .text %t.2.o %t.2.bin
// RUN: cmp %t.1.bin %t.2.bin && FileCheck %s --check-prefixes=CHECK,END < %t.s
// RUN: %offgrid as -mcpu=gfx900 --defsym LAST=1 %s -o %t.o && %offgrid dis %t.o -o %t.s && %offgrid as %t.s -o %t.2.o
// RUN: llvm-objcopy -O binary -j .text %t.o %t.1.bin && llvm-objcopy -O binary -j .text %t.2.o %t.2.bin
// RUN: cmp %t.1.bin %t.2.bin && FileCheck %s --check-prefixes=CHECK,LAST < %t.s
// RUN: %offgrid as -mcpu=gfx900 --defsym INSIDE=1 %s -o %t.o && %offgrid dis %t.o -o %t.s && %offgrid as %t.s -o %t.2.o
// RUN: llvm-objcopy -O binary -j .text %t.o %t.1.bin && llvm-objcopy -O binary -j .text %t.2.o %t.2.bin
// RUN: cmp %t.1.bin %t.2.bin && FileCheck %s --check-prefixes=INSIDE,END < %t.s

// CHECK:       .L2_0:
// CHECK-NEXT:  first:
// CHECK-NEXT:   s_branch .L2_0
// CHECK-NEXT:   s_branch .L2_c
// CHECK-NEXT:  .L2_8:
// CHECK-NEXT:   s_nop 0
// CHECK-NEXT:  .L2_c:
// CHECK-NEXT:   s_branch .L2_8
first:
  s_branch first
  s_branch 1f
2:
  s_nop 0
1:
  s_branch 2b

// INSIDE:      .long 0xbe8000ff
// INSIDE-NEXT: .L2_14:
// INSIDE-NEXT: v_cndmask_b32_e32 v0, v69, v145, vcc
// INSIDE:      s_cbranch_vccz .L2_14
.ifdef INSIDE
  s_mov_b32 s0, 0x12345
  s_cbranch_vccz -2
.endif

// CHECK:       s_cbranch_scc0 [[ZEROS:.L2_[0-9a-f]+]]
// CHECK-NEXT:  s_cbranch_scc1 [[BEHIND:.L2_[0-9a-f]+]]
// CHECK-NEXT:  .long 0x00000000
// CHECK-NEXT:  .long 0x00000000
// CHECK-NEXT:  [[ZEROS]]:
// CHECK-NEXT:  .zero 20
  s_cbranch_scc0 3
  s_cbranch_scc1 8
  .long 0, 0, 0, 0, 0, 0, 0

// END:         s_nop 1
// END-NEXT:    .L2_{{[0-9a-f]+}}:
// END-NOT:     .L2_
// LAST:        s_nop 1
// LAST-NEXT:   [[BEHIND]]:
// LAST-NEXT:   last:
// LAST-NOT:    .L2_
  s_nop 1
.ifdef LAST
last:
.endif
