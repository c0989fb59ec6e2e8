// Without .file 0 the line table is of DWARF 4.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj %s -o %t.llvm.o
// RUN: cmp %t.o %t.llvm.o
// RUN: %offgrid mc -mcpu=gfx900 -triple=amdgcn-amd-amdhsa -filetype=obj -dwarf-version=3 %s -o %t.o
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj -dwarf-version=3 %s -o %t.llvm.o
// RUN: cmp %t.o %t.llvm.o
// RUN: not %offgrid mc -dwarf-version=9 %s 2>&1 | FileCheck --check-prefix=VERSION %s
// VERSION: for the --dwarf-version option: '9' is not 2 to 5
// The folder that the assembler runs in is one like others.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: printf '.file 1 "%t.d" "b.c"\n.loc 1 2\ns_nop 0\n' > %t.s
// RUN: %offgrid as -mcpu=gfx900 %t.s -o %t.o && llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj %t.s -o %t.llvm.o
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
