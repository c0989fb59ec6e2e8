// Alignments of common symbols are logarithms on this target, as in llvm-mc.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o
// RUN: llvm-mc -triple amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj %s -o %t.llvm.o
// RUN: cmp %t.o %t.llvm.o
// RUN: %offgrid info %t.o | FileCheck %s
// RUN: echo '.comm a, 4, 32' > %t.s
// RUN: not %offgrid as -mcpu=gfx900 %t.s -o %t.none.o 2>&1 | FileCheck --check-prefix=ERROR %s
// CHECK: 0x00000008 4 object global default common a
// CHECK: 0x00000001 8 object global default common b
// CHECK: 0x00000010 1 object global default common c
// ERROR: error: alignment must be the logarithm of a power of two, at most 31
.comm a, 4, 3
.comm b, 8
.comm c, 1, 4
.byte 1
.local d
.comm d, 8, 5
