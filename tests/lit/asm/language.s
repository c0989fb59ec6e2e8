// Macros, conditions, repetitions, expressions and data.
// RUN: %offgrid as -mcpu=gfx900 -D SIZE=3 %s -o %t.o
// RUN: llvm-objdump -s -j .data %t.o | FileCheck %s

.data
.macro entry value, more=7, rest:vararg
  .if \value > 1
    .byte \value, \more
  .else
    .byte \value
  .endif
  .ifnb \rest
    .byte \rest
  .endif
.endm

// CHECK: 0000 01020703 04050600 0102000a 0b616200
entry 1
entry 2
entry 3, 4, 5, 6
.set i, 0
.rept SIZE
  .byte i
  .set i, i + 1
.endr
.p2align 1
.byte 0
.irp x, 10, 11
  .byte \x
.endr
.irpc c, ab
  .byte '\c'
.endr
.byte 0
// CHECK: 0010 ffffffff 09000000 04000000 07000000
.long 3 == 3, 2+3|4, 10-2-4, 1+2*3
first:
// CHECK: 0020 01000000 02000000 00000000 0000f03f
.long 1
1: .long (1f-1b)/2
1: .double 1.0
// CHECK: 0030 68690a00 14000000 78563412 f0debc9a
.asciz "hi\n"
.long .-first
.quad 0x9abcdef012345678
