// -g writes line tables of the source; in a macro the line is that of its use.
// RUN: %offgrid as -g -mcpu=gfx900 %s -o %t.o
// RUN: llvm-dwarfdump --debug-line %t.o | FileCheck %s
// RUN: llvm-dwarfdump --verify %t.o

.macro twice
  s_nop 0
  s_nop 1
.endm
  s_nop 2
  twice
  s_endpgm
// CHECK: 0x0000000000000000{{ +}}10{{ +}}0
// CHECK: 0x0000000000000004{{ +}}11{{ +}}0
// CHECK: 0x0000000000000008{{ +}}11{{ +}}0
// CHECK: 0x000000000000000c{{ +}}12{{ +}}0
