// Fills and .org that count from later labels, alignments behind a size that is not known yet: the object is llvm-mc's, though the source is read once.
// RUN: %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj -o %t.o %s
// RUN: llvm-mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj -o %t.llvm.o %s && cmp %t.o %t.llvm.o
// Distances over such a piece are not known while the source is read:
// RUN: not %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj -o /dev/null --defsym asked=1 %s 2>&1 | FileCheck --check-prefix=ASKED %s
// ASKED: expected absolute expression
// Sizes that hang on themselves:
// RUN: not %offgrid mc -triple=amdgcn-amd-amdhsa -mcpu=gfx900 -filetype=obj -o /dev/null --defsym circle=1 %s 2>&1 | FileCheck --check-prefix=CIRCLE %s
// CIRCLE: error: sizes that depend on one another do not settle
.data
first:
  .uleb128 last-first, (last-behind)*1000
behind:
  .p2align 4, 7
  .space c-b, 5
  .fill d-c, 2, 0x1234
  .org behind+90, 1
  .p2align 3,,2
  .quad behind
.ifdef asked
.if behind-first > 1
  .byte 1
.endif
.endif
last:
.ifdef circle
  .space end-last+1
end:
.endif
.text
b:
  s_nop 0
c:
  s_nop 1
  s_nop 2
d:
.subsection 1
  s_nop 3
  .p2align 4
e:
  s_endpgm
.subsection 0
  s_nop 4
.bss
  .space e-d
  .p2align 3
