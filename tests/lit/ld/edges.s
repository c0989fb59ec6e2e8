// Where sections begin and end is the linker's to say; constructors stand in the order of their priorities.
// RUN: llvm-mc -triple amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj %s -o %t.o
// RUN: %offgrid ld --gc-sections %t.o -o %t.co && llvm-readelf -SWs -x .init_array -x mine -x .bounds %t.co | FileCheck %s
// CHECK-DAG: .init_array INIT_ARRAY [[#%x,INIT:]] {{[0-9a-f]+}} 000018
// CHECK-DAG: mine PROGBITS [[#%x,MINE:]] {{[0-9a-f]+}} 000004
// CHECK-NOT: other
// CHECK-DAG: {{0*}}[[#%x,INIT]] 0 NOTYPE LOCAL HIDDEN {{[0-9]+}} __init_array_start
// CHECK-DAG: {{0*}}[[#%x,INIT+24]] 0 NOTYPE LOCAL HIDDEN {{[0-9]+}} __init_array_end
// CHECK-DAG: {{0*}}[[#%x,MINE]] 0 NOTYPE GLOBAL PROTECTED {{[0-9]+}} __start_mine
// CHECK-DAG: {{0*}}[[#%x,MINE+4]] 0 NOTYPE GLOBAL PROTECTED {{[0-9]+}} __stop_mine
// CHECK-DAG: {{0*}}0 0 NOTYPE LOCAL HIDDEN ABS __fini_array_start
// CHECK-DAG: {{0*}}0 0 NOTYPE LOCAL HIDDEN ABS __fini_array_end
// CHECK-LABEL: Hex dump of section '.init_array':
// CHECK-NEXT: 11000000 00000000 22000000 00000000
// CHECK-NEXT: 33000000 00000000
.section .init_array,"aw",@init_array
.quad 0x33
.section .init_array.500,"aw",@init_array
.quad 0x22
.section .init_array.7,"aw",@init_array
.quad 0x11
.section mine,"a",@progbits
.long 5
.section other,"a",@progbits
.long 6
.section .bounds,"aw",@progbits
.globl used
used:
.quad __init_array_start, __init_array_end, __fini_array_start, __fini_array_end
.quad __start_mine, __stop_mine
