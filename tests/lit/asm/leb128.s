// LEB128 of labels that come later: as many bytes as the value needs, and the errors of those without one.
// RUN: %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj -o %t.o %s
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj -o %t.llvm.o %s
// RUN: cmp %t.o %t.llvm.o
// RUN: llvm-objdump -s -j .data %t.o | FileCheck %s
// RUN: %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 %s | FileCheck --check-prefix=TEXT %s
// RUN: not %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj -defsym bad=1 %s 2>&1 | FileCheck --check-prefix=ERROR %s
.data
a:
.uleb128 b-a, c-a, 1
.sleb128 a-b
.zero 56
b:
.zero 126
c:
.warning "once"
// CHECK: 0000 3dbb0101 43
// TEXT: .uleb128 b-a
// TEXT-NEXT: .uleb128 c-a
// TEXT-NEXT: .byte 1
// TEXT-NEXT: .sleb128 a-b
.text
k:
  s_nop 0
.byte 1
.uleb128 end-k
.sleb128 next-end
.uleb128 later
.fill 126
end:
.long end-k
.size k, end-k
.zero 9000
next:
.set later, 300
.ifdef bad
.uleb128 undefined
// ERROR: [[#@LINE-1]]:10: error: .uleb128 expression is not absolute
.sleb128 a-end
// ERROR: [[#@LINE-1]]:10: error: .sleb128 expression is not absolute
.endif
