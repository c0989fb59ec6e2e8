// The line table that a compiler asks for with .file and .loc.
// RUN: %offgrid as -mcpu=gfx900 %s -o %t.o
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj %s -o %t.llvm.o
// RUN: cmp %t.o %t.llvm.o
// RUN: %not %offgrid as -mcpu=gfx900 -defsym BAD=1 %s -o %t.o 2>&1 | FileCheck %s

.file 0 "/folder" "a.cl" md5 0x00112233445566778899aabbccddeeff
.file 1 "/folder/include" "b.h" md5 0x1
.file 2 "include/a.cl" md5 0x2
.file 3 "include" "c.h" md5 0x3
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
.loc 9 1
// CHECK: loc.s:[[@LINE-1]]:6: error: unassigned file number in '.loc' directive
.loc 1 2 3 nonsense
// CHECK: loc.s:[[@LINE-1]]:12: error: unknown sub-directive in '.loc' directive
.file 1 "again"
// CHECK: loc.s:[[@LINE-1]]:1: error: file number already allocated
.file 70000 "far"
// CHECK: error: file number is 0 to 65535
.endif

// Data ends a .loc as an instruction does; alignment and space do not. Steps of all sizes, in the opcodes that LLVM chooses.
.section .text.second,"ax",@progbits
.section .text.first,"ax",@progbits
.loc 0 5 0
  .long 7, 8
.loc 0 6 31
  .fill 17, 4, 0
.loc 0 12 0
  .zero 8
.loc 0 118 3 is_stmt 0
  s_endpgm
.loc 0 229 3 discriminator 7 isa 3
  .p2align 8
  s_nop 0
.loc 0 2 1
  .ascii "abc", "d"
  .fill 16, 4, 1
.loc 0 200 1
  .fill 16, 4, 1
.loc 0 300 1
  .fill 17, 4, 1
.loc 0 300 1
  .fill 18, 4, 1
.loc 0 301 1
  .fill 33, 4, 1
.loc 0 299 1
  .fill 34, 4, 1
.loc 0 300 1
  .fill 35, 4, 1
.loc 0 307 1
  .fill 36, 4, 1
.loc 0 316 1
  .fill 17, 4, 1
.section .text.second,"ax",@progbits
.loc 0 316 1
  s_nop 1

// The name of a section is its symbol, also before the section is there.
.section .debug_info,"",@progbits
  .long .debug_abbrev
  .long .debug_line
.section .debug_abbrev,"",@progbits
  .long .debug_info
.section .stack_sizes,"o",@progbits,.text
  .quad .text
.section .debug_line,"",@progbits
