// Without .file 0 the line table is of DWARF 4.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj %s -o %t.llvm.o
// RUN: cmp %t.o %t.llvm.o
.file 1 "include/a.cl"
.file 2 "b.h"
.file 3 "/folder" "c.h"
.file 4 "include/d.h"
.loc 1 3 4
  s_nop 0
.loc 4 7 1
  s_nop 0
.loc 3 9 1
  s_nop 0
