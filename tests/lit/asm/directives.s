// Directives of GNU as that llvm-mc takes: macros' second mode, relocations and versions by name, values repeated, sections that are unlike.
// RUN: %offgrid mc -mcpu=gfx900 -filetype=obj %s -o %t.o && %offgrid readobj -r --symbols --sections %t.o | FileCheck %s
// RUN: %offgrid mc -mcpu=gfx900 %s | FileCheck --check-prefix=TEXT %s
// RUN: not %offgrid mc -mcpu=gfx900 -filetype=obj -o /dev/null -defsym BAD=1 %s 2>&1 | FileCheck --check-prefix=BAD %s

.ifdef BAD
.reloc 0
// BAD: [[#@LINE-1]]:9: error: expected comma
.reloc 0, R_AMDGPU_FOO, x
// BAD: [[#@LINE-1]]:11: error: unknown relocation name
.symver f, f
// BAD: [[#@LINE-1]]:13: error: expected a '@' in the name
.section .u,"aw",@progbits,unique,-1
// BAD: [[#@LINE-1]]:37: error: unique id must be positive
.lcomm c, 4, 8
// BAD: error: alignment not supported on this target
.else
.if 1
.elseif this is never read
.endif

.data
.altmacro
.macro m x
.byte x, \x
.endm
m 3
m %1+4
m <6!>2>
.noaltmacro
// TEXT: .byte 3
// TEXT: .byte 3
// TEXT: .byte 5
// TEXT: .byte 5
// TEXT: .byte -1
// TEXT: .byte -1

.macro n
.short \+
.endm
n
n
// TEXT: .short 0
// TEXT: .short 1
.dcb.w 2, 7
.ds.p 1
.base64 "aGVsbG8="

"a label": .long "a label"
// TEXT: .ascii "hello"
// TEXT: "a label":
// TEXT-NEXT: .long "a label"
f: .globl f
.long 0
.reloc 12, R_AMDGPU_REL64, sym+4
.reloc f, R_AMDGPU_ABS32, other
.weakref local_name, elsewhere
.quad local_name
// TEXT: .reloc 12, R_AMDGPU_REL64, sym+4
// CHECK: R_AMDGPU_REL64 sym 0x4
// CHECK: R_AMDGPU_ABS32 other 0x0
// CHECK-NOT: Name: local_name
// CHECK-DAG: Name: f@V1
// CHECK-DAG: Name: f@@V2
// CHECK-DAG: Name: elsewhere
.symver f, f@V1
.symver f, f@@V2
. = . + 8

.section .u,"aw",@progbits,unique,1
// TEXT: .section .u,"aw",@progbits,unique,1
.byte 1
.section .u,"aw",@progbits,unique,2
.byte 2
.section .l,"ao",@progbits,f
.byte 3
// TEXT: .section .l,"ao",@progbits,f
.data 2
// TEXT: .data 2
1: .long 1b
// TEXT: [[PLACE:.Ltmp[0-9]+]]:
// TEXT-NEXT: .long [[PLACE]]
.p2alignw 2, 0x1234
// TEXT: .p2alignw 2, 0x1234
.endif
