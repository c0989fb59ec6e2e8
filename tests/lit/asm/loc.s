// The line table that a compiler asks for with .file and .loc.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj %s -o %t.llvm.o
// RUN: llvm-dwarfdump --debug-line %t.o | grep -v 'file format\|total_length' > %t.txt
// RUN: llvm-dwarfdump --debug-line %t.llvm.o | grep -v 'file format\|total_length' | diff - %t.txt
// RUN: %not %offgrid as -mcpu=gfx900 -defsym BAD=1 %s -o %t.o 2>&1 | FileCheck %s

.file 0 "/folder" "a.cl" md5 0x00112233445566778899aabbccddeeff
.file 1 "/folder/include" "b.h" md5 0x1
.text
.loc 0 5 0
  s_nop 0
.loc 1 7 12 prologue_end
  s_nop 1
  s_nop 2
.loc 0 0 12 is_stmt 0
  s_nop 3
.loc 0 200 1 is_stmt 1 discriminator 3
  s_nop 4
.loc 0 1 1 basic_block epilogue_begin
.loc 0 2 1 isa 1
  s_endpgm
.ifdef BAD
.loc 2 1
// CHECK: loc.s:[[@LINE-1]]:6: error: unassigned file number in '.loc' directive
.loc 1 2 3 nonsense
// CHECK: loc.s:[[@LINE-1]]:12: error: unknown sub-directive in '.loc' directive
.file 1 "again"
// CHECK: loc.s:[[@LINE-1]]:1: error: file number already allocated
.file 70000 "far"
// CHECK: error: file number is 0 to 65535
.endif
.section .debug_line,"",@progbits
