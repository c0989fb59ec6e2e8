// Values of later labels: as many bytes as they need, however far the growth of one moves the others; symbols in the
// order in which they are defined.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o && %offgrid objdump -s -j .data -t %t.o | FileCheck %s
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj -o %t.llvm.o %s && cmp %t.o %t.llvm.o

// CHECK:      SYMBOL TABLE:
// CHECK-NEXT: 0000000000000000 l .data 0000000000000000 first
// CHECK-NEXT: 0000000000000002 l .data 0000000000000000 second
// CHECK-NEXT: 0000000000000004 l .data 0000000000000000 third
// CHECK-NEXT: 0000000000000083 l .data 0000000000000000 end
// CHECK:      Contents of section .data:
// CHECK-NEXT: 0000 83018101 7f000000
.data
first:
  .uleb128 end-first
second:
  .uleb128 end-second
third:
  .uleb128 end-third
  .zero 126
end:
