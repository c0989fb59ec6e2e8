// A symbol that debug information alone names may be missing, as clang's LDS variables are once they became part of others.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o
// RUN: %offgrid ld %t.o -o %t.so
// RUN: ld.lld -shared --no-undefined %t.o -o %t.lld.so
// RUN: llvm-readelf -x .debug_x %t.so > %t.ours
// RUN: llvm-readelf -x .debug_x %t.lld.so > %t.llvm
// RUN: diff %t.ours %t.llvm
// RUN: %offgrid as -mcpu=gfx900 -D USED %s -o %t.used.o
// RUN: not %offgrid ld %t.used.o -o %t.none.so 2>&1 | FileCheck %s
// CHECK: error: undefined symbol 'gone'
  .text
  s_endpgm
  .section .debug_x,"",@progbits
  .quad gone
  .ifdef USED
  .data
  .quad gone
  .endif
