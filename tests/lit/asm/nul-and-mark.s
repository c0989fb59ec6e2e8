// A NUL byte in a string is a byte of it; elsewhere it is a blank. A byte order mark is named.
// RUN: printf '.ascii "a\0b\\\\\0c"\n s_nop\0 1 // \0"\n.byte 7 /* "\0 */\n.ascii "\0"\n' > %t.s
// RUN: %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 %t.s 2>&1 | FileCheck %s
// CHECK: .ascii "a\000b\\\000c"
// CHECK-NEXT: s_nop 1
// CHECK-NEXT: .byte 7
// CHECK-NEXT: .byte 0
// CHECK: :2:7: warning: NUL bytes are read as blanks
// RUN: printf '\357\273\277s_nop 0\n' > %t-mark.s
// RUN: not %offgrid as -mcpu=gfx900 %t-mark.s -o /dev/null 2>&1 | FileCheck %s --check-prefix=MARK
// MARK: :1:1: error: the file begins with a byte order mark of UTF-8; expected none
// MARK-NOT: error
